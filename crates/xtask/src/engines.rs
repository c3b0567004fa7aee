//! The three browser engines of the tests, and where this machine has each one's browser and driver.

use std::path::{Path, PathBuf};

/// A browser engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Chromium or Chrome, driven by chromedriver.
    Chromium,
    /// Firefox, driven by geckodriver.
    Firefox,
    /// WebKitGTK's MiniBrowser, driven by WebKitWebDriver; it needs an X display.
    WebKit,
}

impl Engine {
    /// Every engine, in the order in which they are tested.
    pub const ALL: [Engine; 3] = [Engine::Chromium, Engine::Firefox, Engine::WebKit];

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Chromium => "Chromium",
            Engine::Firefox => "Firefox",
            Engine::WebKit => "WebKitGTK",
        }
    }

    /// The browser's program.
    pub fn browser(self) -> Option<PathBuf> {
        match self {
            Engine::Chromium => first_found(&["chromium", "chromium-browser", "google-chrome"]),
            Engine::Firefox => first_found(&["firefox-esr", "firefox"]),
            Engine::WebKit => mini_browser(),
        }
    }

    /// The driver's program.
    pub fn driver(self) -> Option<PathBuf> {
        match self {
            Engine::Chromium => found("chromedriver"),
            Engine::Firefox => found("geckodriver").or_else(|| Some(own_geckodriver()).filter(|file| file.is_file())),
            Engine::WebKit => found("WebKitWebDriver"),
        }
    }

    /// The browser's version, in its own words.
    ///
    /// # Errors
    /// When it does not tell.
    pub fn version(self) -> Result<String, String> {
        // WebKitGTK's driver comes with it, and needs no display.
        let program = if self == Engine::WebKit { self.driver() } else { self.browser() };
        version(&program.ok_or_else(|| format!("{} not found", self.name()))?)
    }

    /// What this machine lacks to test with the engine, in words; `None` if it lacks nothing.
    pub fn missing(self) -> Option<String> {
        let mut missing = Vec::new();
        if self.browser().is_none() {
            missing.push(self.name());
        }
        if self.driver().is_none() {
            missing.push(match self {
                Engine::Chromium => "chromedriver",
                Engine::Firefox => "geckodriver",
                Engine::WebKit => "WebKitWebDriver",
            });
        }
        if self == Engine::WebKit && !has_display() && (found("xvfb-run").is_none() || found("xauth").is_none()) {
            missing.push("a display or xvfb-run with xauth");
        }
        (!missing.is_empty()).then(|| format!("{} not found", missing.join(" and ")))
    }
}

/// What a program tells of its version.
///
/// # Errors
/// When it does not tell.
pub fn version(program: &Path) -> Result<String, String> {
    let told = std::process::Command::new(program).arg("--version").output();
    let told = told.map_err(|error| format!("{}: {error}", program.display()))?;
    let text = String::from_utf8_lossy(&told.stdout).trim().to_string();
    if text.is_empty() { Err(format!("{} does not tell its version", program.display())) } else { Ok(text) }
}

/// Whether windows can be opened.
pub fn has_display() -> bool {
    std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty())
}

/// The path of `program`, if it is on the search path.
pub fn found(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Where this project installs its own geckodriver: `bin/geckodriver` in this folder.
pub fn drivers_folder() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("crates/xtask stands two levels below the root").join("target/drivers")
}

fn own_geckodriver() -> PathBuf {
    drivers_folder().join("bin/geckodriver")
}

fn first_found(programs: &[&str]) -> Option<PathBuf> {
    programs.iter().find_map(|program| found(program))
}

/// MiniBrowser is not on the search path: its folder is named after machine and version.
fn mini_browser() -> Option<PathBuf> {
    let machines = std::fs::read_dir("/usr/lib").into_iter().chain(std::fs::read_dir("/usr/libexec")).flatten().flatten();
    let folders = machines.map(|entry| entry.path()).chain([PathBuf::from("/usr/libexec")]);
    folders
        .flat_map(|folder| ["webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0"].map(|version| folder.join(version)))
        .map(|folder| folder.join("MiniBrowser"))
        .find(|file| file.is_file())
}
