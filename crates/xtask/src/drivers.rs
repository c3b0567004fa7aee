//! What the tests need besides Rust: browsers, their drivers, node. Installs them where it can; elsewhere it names exactly
//! what to install.

use std::path::Path;

use xtask::engines::{Engine, drivers_folder, found};

use crate::command::{cargo, command, run, say};

/// The version of geckodriver that this project builds if the machine has none; Debian has no package of it.
const GECKODRIVER: &str = "0.37.1";

/// Something to install.
struct Need {
    /// Debian's package.
    package: &'static str,
    /// Whether it is there.
    there: bool,
}

/// Whether everything must be installed (CI=true); a missing driver is then a failure, and no step is skipped.
pub fn all_required() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

fn needs() -> [Need; 9] {
    let has = |program| found(program).is_some();
    let fonts = ["/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts"];
    [
        Need { package: "chromium", there: Engine::Chromium.browser().is_some() },
        Need { package: "chromium-driver", there: Engine::Chromium.driver().is_some() },
        Need { package: "firefox-esr", there: Engine::Firefox.browser().is_some() },
        Need {
            package: "webkit2gtk-driver",
            there: Engine::WebKit.driver().is_some() && Engine::WebKit.browser().is_some(),
        },
        Need { package: "xvfb", there: has("xvfb-run") },
        Need { package: "xauth", there: has("xauth") },
        Need { package: "fonts-dejavu-core", there: fonts.iter().any(|folder| holds_files(Path::new(folder))) },
        Need { package: "nodejs", there: has("node") },
        Need { package: "npm", there: has("npm") },
    ]
}

fn holds_files(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

/// Installs what is missing, or says what to install. The steps that need a missing program find that out again, engine by
/// engine.
pub fn install() {
    if install_missing(|_| true) {
        say("browsers, WebDrivers, node and npm are there");
    }
    if Engine::Firefox.driver().is_none() && Engine::Firefox.browser().is_some() {
        say("building geckodriver from the package registry: about a minute, once");
        if let Err(reason) = install_geckodriver() {
            say(&reason);
        }
    }
}

/// The same for Chromium alone.
pub fn install_chromium() {
    install_missing(|need| ["chromium", "chromium-driver", "fonts-dejavu-core"].contains(&need.package));
}

/// Installs what is wanted and missing, or says what to install. Returns whether everything was already installed.
fn install_missing(wanted: impl Fn(&Need) -> bool) -> bool {
    let missing: Vec<&str> = needs().iter().filter(|need| wanted(need) && !need.there).map(|need| need.package).collect();
    if missing.is_empty() {
        return true;
    }
    if found("apt-get").is_some() && is_root() {
        install_packages(&missing);
    } else {
        say(&format!("not installed here: {}", missing.join(" ")));
        say("  Debian and Ubuntu, as root: apt-get update && apt-get install -y --no-install-recommends");
        say(&format!("                              {}", missing.join(" ")));
        say("  elsewhere: Chromium with its chromedriver, Firefox, WebKitGTK's MiniBrowser with WebKitWebDriver, Xvfb with");
        say("             xvfb-run and xauth, any font, node 18 or later with npm, each by its Debian name above");
    }
    false
}

fn install_packages(packages: &[&str]) {
    say(&format!("installing {}", packages.join(" ")));
    if let Err(reason) = run(apt(&["update", "-q"])) {
        say(&reason);
    }
    let install = |packages: &[&str]| run(apt(&[&["install", "-y", "-q", "--no-install-recommends"], packages].concat()));
    if install(packages).is_ok() {
        return;
    }
    // One unknown name makes the whole command fail (Ubuntu, for one, has browsers only as snaps). Install packages one by
    // one.
    for package in packages {
        if let Err(reason) = install(&[package]) {
            say(&reason);
        }
    }
}

fn apt(arguments: &[&str]) -> std::process::Command {
    let mut command = command("apt-get", arguments);
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

fn install_geckodriver() -> Result<(), String> {
    let mut command = cargo(&["install", "geckodriver", "--version", GECKODRIVER, "--locked", "--debug"]);
    // Nobody looks into it with a debugger, and it may end where it panics: that takes less time to compile.
    for less in ["debug=false", "debug-assertions=false", "overflow-checks=false", "panic='abort'"] {
        command.args(["--config", &format!("profile.dev.{less}")]);
    }
    command.arg("--root").arg(drivers_folder());
    run(command)
}

fn is_root() -> bool {
    let id = std::process::Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
