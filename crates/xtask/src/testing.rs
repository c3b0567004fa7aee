//! `test`: every check there is, cheapest first, each under a heading of its own.

use std::process::Command;

use xtask::engines::{Engine, found, has_display};

use crate::command::{self, cargo, command, root, run_tests, say};
use crate::counts::Counts;
use crate::report::Report;
use crate::{drivers, site, tools, validation};

/// The target of the browser.
const WASM: &str = "wasm32-unknown-unknown";

/// The longest that the tests of one file may take in a browser, in seconds. Chosen: many times what they take.
const WASM_TEST_TIMEOUT_S: &str = "600";

/// Runs everything and prints the sum as the last line.
///
/// # Errors
/// When anything failed.
pub fn run() -> Result<(), String> {
    let mut report = Report::new(drivers::all_required());
    say("installing what is missing");
    drivers::install();
    check_sources(&mut report);
    test_natively(&mut report);
    report.step("pinned tools", || Counts::of(&tools::build()));
    test_model_in_wasm(&mut report);
    test_page_in_wasm(&mut report);
    report.step("model against published measurements", || Counts::of(&validation::run(&[])));
    test_end_to_end(&mut report);
    report.finish()
}

fn check_sources(report: &mut Report) {
    report.step("format", || one(cargo(&["fmt", "--all", "--check"])));
    #[rustfmt::skip]
    report.step("clippy, natively", || one(cargo(&[
        "clippy", "--quiet", "--locked", "--workspace", "--all-targets", "--features", "zvmlab-tests/browser", "--", "-D", "warnings",
    ])));
    #[rustfmt::skip]
    report.step("clippy, for the browser", || one(cargo(&[
        "clippy", "--quiet", "--locked", "-p", "zvmlab", "-p", "zvmlab-reference", "-p", "zvmlab-web", "--target", WASM, "--", "-D", "warnings",
    ])));
}

fn test_natively(report: &mut Report) {
    report.step("tests, natively, with debug assertions", || {
        run_tests(cargo(&["test", "--quiet", "--locked", "--workspace", "--no-fail-fast"]))
    });
    report.step("goldens, natively, in release", || {
        run_tests(cargo(&["test", "--quiet", "--locked", "--release", "-p", "zvmlab", "--test", "golden"]))
    });
}

/// The model's own wasm tests, which hold the goldens: in node, and in each browser, optimised and not.
fn test_model_in_wasm(report: &mut Report) {
    let places = [("node", None)].into_iter().chain(Engine::ALL.map(|engine| (engine.name(), Some(engine))));
    for (name, engine) in places {
        let title = format!("model in wasm, {name}");
        match engine.map_or_else(node_missing, Engine::missing) {
            Some(reason) => report.skip(&title, &reason),
            None => report.step(&title, || {
                let mut counts = Counts::default();
                for profile in [&[][..], &["--release"]] {
                    counts += run_tests(model_in_wasm(profile, engine));
                }
                counts
            }),
        }
    }
}

fn model_in_wasm(profile: &[&str], engine: Option<Engine>) -> Command {
    // No --quiet: cargo would hand it on to the runner, which does not know it.
    let fixed = ["test", "--locked", "--no-fail-fast", "-p", "zvmlab", "--test", "*", "--target", WASM];
    let arguments = [&fixed[..], profile].concat();
    let mut command = match engine {
        Some(Engine::WebKit) => on_display(cargo(&arguments)),
        _ => cargo(&arguments),
    };
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", tools::test_runner());
    command.env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TEST_TIMEOUT_S);
    match engine {
        Some(engine) => drive_with(&mut command, engine),
        None => _ = command.env("WASM_BINDGEN_TEST_ONLY_NODE", "1"),
    }
    command
}

/// Tells wasm-bindgen's test runner to run in a browser, and in which.
fn drive_with(command: &mut Command, engine: Engine) {
    command.env("WASM_BINDGEN_USE_BROWSER", "1");
    let Some(driver) = engine.driver() else { return };
    match engine {
        Engine::Chromium => command.env("CHROMEDRIVER", driver),
        Engine::Firefox => command.env("GECKODRIVER", driver),
        Engine::WebKit => {
            // The runner knows no WebKitGTK; Safari's driver speaks the same protocol, so it goes under that name.
            let capabilities = root().join("target/webkit-capabilities.json");
            let browser = engine.browser().unwrap_or_default();
            let text = format!(
                r#"{{"browserName":"MiniBrowser","webkitgtk:browserOptions":{{"binary":{:?},"args":["--automation"]}}}}"#,
                browser.display().to_string()
            );
            if let Err(error) = std::fs::write(&capabilities, text) {
                say(&format!("{}: {error}", capabilities.display()));
            }
            command.env("SAFARIDRIVER", driver).env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities)
        }
    };
}

/// The page's own tests. A file runs either in node or in a browser and says which; both are called for every file.
fn test_page_in_wasm(report: &mut Report) {
    match node_missing() {
        Some(reason) => report.skip("page in wasm, node", &reason),
        None => report.step("page in wasm, node", || {
            run_tests(wasm_pack_test(&["test", "--mode", "no-install", "--node", "web", "--locked"]))
        }),
    }
    match (Engine::Chromium.missing(), Engine::Chromium.driver().and_then(|driver| driver.to_str().map(String::from))) {
        (None, Some(driver)) => report.step("page in wasm, Chromium", || {
            #[rustfmt::skip]
            let arguments = [
                "test", "--mode", "no-install", "--headless", "--chrome", "--chromedriver", &driver, "web", "--locked",
            ];
            run_tests(wasm_pack_test(&arguments))
        }),
        (reason, _) => report.skip("page in wasm, Chromium", &reason.unwrap_or_default()),
    }
}

fn wasm_pack_test(arguments: &[&str]) -> Command {
    let mut command = tools::wasm_pack(arguments);
    command.env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TEST_TIMEOUT_S);
    command
}

/// The built page in every browser, by one test body.
fn test_end_to_end(report: &mut Report) {
    let mut built = false;
    report.step("page, built for a static host", || {
        let result = site::build();
        built = result.is_ok();
        Counts::of(&result)
    });
    if !built {
        return; // Already counted as a failure.
    }
    match found("npm") {
        None => report.skip("axe-core", "npm not found"),
        Some(npm) => report.step("axe-core from npm", || {
            one(command(npm, &["ci", "--prefix", "tests", "--ignore-scripts", "--no-audit", "--no-fund"]))
        }),
    }
    for engine in Engine::ALL {
        let title = format!("page, end to end, {}", engine.name());
        match engine.missing() {
            Some(reason) => report.skip(&title, &reason),
            None => report.step(&title, || run_tests(end_to_end(engine))),
        }
    }
}

fn end_to_end(engine: Engine) -> Command {
    let test = engine.name().to_lowercase();
    #[rustfmt::skip]
    let command = cargo(&[
        "test", "--quiet", "--locked", "-p", "zvmlab-tests", "--features", "browser", "--test", "browser", "--",
        "--nocapture", "--exact", &test,
    ]);
    if engine == Engine::WebKit { on_display(command) } else { command }
}

/// The command on a display of its own where the machine has none.
fn on_display(inner: Command) -> Command {
    if has_display() {
        return inner;
    }
    let mut outer = command("xvfb-run", &["-a"]);
    outer.arg(inner.get_program()).args(inner.get_args());
    outer
}

fn node_missing() -> Option<String> {
    found("node").is_none().then(|| "node not found".into())
}

/// A command that is one check.
fn one(command: Command) -> Counts {
    Counts::of(&command::run(command))
}
