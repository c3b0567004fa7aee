//! `test`: runs every check, the cheapest first, each under its own heading.

use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use xtask::engines::{Engine, found, has_display};

use crate::command::{self, EVERYTHING, cargo, command, root, run_tests, say};
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::site::{Site, WASM};
use crate::tools::{self, Tools};
use crate::{drivers, hostile, npm, packages, python, sizes, validation};

/// The longest time for the tests of one file in a browser, in seconds. Chosen: many times what they take.
const WASM_TEST_TIMEOUT_S: &str = "600";

/// The profile in Cargo.toml that has a run of the model look at its own books.
const CHECKED: &str = "checked";

/// The packages that run in the browser, chosen together for the same reason.
const OF_THE_PAGE: [&str; 4] = ["--package", "zvmlab-engine", "--package", "zvmlab-web"];

/// Runs everything, or the steps whose title contains one of the words, and prints the sum as the last line.
///
/// # Errors
/// When anything failed.
pub fn run(words: &[&str]) -> Result<(), String> {
    say("on two cores: some forty minutes the first time; each step says what it took");
    if !words.is_empty() {
        // The step that installs may be none of those that are asked for.
        drivers::install();
    }
    let built = AtomicBool::new(true);
    let mut plan = Plan::default();
    // Two lanes, because compiling often keeps only one of two cores busy: its last crates wait for all others, and a browser under
    // test waits much of its time. Cargo lets two commands compile at once if their profiles differ.
    check_sources(&mut plan);
    test_natively(&mut plan);
    test_long(&mut plan);
    test_model_in_wasm(&mut plan);
    test_page_in_wasm(&mut plan);
    plan.beside();
    plan.step("browsers and drivers", || {
        drivers::install();
        Outcome::new(1, 0)
    });
    plan.step("pinned tools and their tests", || with_tools(|| run_tests(tools::tests())));
    build_site(&mut plan, &built);
    test_site(&mut plan, &built);
    plan.step_unless(npm::missing, "npm package, in node", npm::step);
    plan.step_unless(npm::missing_with_page, "npm package, in Chromium", npm::step_of_page);
    plan.step_unless(
        || Engine::Chromium.missing(),
        "hostile trial: page, one minute",
        || hostile::in_ci_of(Engine::Chromium),
    );
    plan.keep(words);
    plan.run(drivers::all_required())
}

fn check_sources(plan: &mut Plan) {
    plan.step("format", || {
        let mut outcome = one(cargo(&["fmt", "--all", "--check"]));
        outcome += one(cargo(&["fmt", "--all", "--check", "--manifest-path", tools::MANIFEST]));
        outcome
    });
    plan.step("clippy, natively", || one(clippy(&[&EVERYTHING[..], &["--all-targets"]].concat())));
    plan.step("clippy, for the browser", || {
        let model = ["--locked", "--target", WASM, "--package", "zvmlab", "--package", "zvmlab-reference"];
        one(clippy(&[&model[..], &OF_THE_PAGE, &["--package", "zvmlab-npm"]].concat()))
    });
}

fn clippy(arguments: &[&str]) -> Command {
    cargo(&[&["clippy", "--quiet"], arguments, &["--", "-D", "warnings"]].concat())
}

fn test_natively(plan: &mut Plan) {
    plan.step("tests, natively", || {
        // The model's own tests come below.
        let mut outcome = run_tests(native(&[&EVERYTHING[..], &["--exclude", "zvmlab"]].concat()));
        outcome += run_tests(cargo(&[&["test"], &EVERYTHING[..], &["--test", "golden"]].concat()));
        outcome
    });
    plan.step("the model's tests, natively, with debug assertions", || {
        run_tests(native(&["--locked", "--profile", CHECKED, "--package", "zvmlab"]))
    });
    plan.step("examples in comments", || one(cargo(&[&["test", "--quiet", "--doc"], &EVERYTHING[..]].concat())));
}

fn native(choice: &[&str]) -> Command {
    let mut tests = cargo(&["test", "--no-fail-fast", "--lib", "--bins", "--tests"]);
    // A test program reports the time of each test only if this variable allows unstable options. Only the programs get it: the
    // compiler would take it as permission to use unstable features, and compile everything again.
    tests.args(["--config", r#"target."cfg(all())".runner = ["env", "RUSTC_BOOTSTRAP=1"]"#]);
    tests.args(choice).args(["--", "-Z", "unstable-options", "--report-time"]);
    tests
}

/// The comparison with what was published, and what runs the model for long.
fn test_long(plan: &mut Plan) {
    plan.step("model against published measurements", || Outcome::of(&validation::run(&[])));
    plan.step_unless(python::missing, "Python package", python::step);
    plan.step("hostile trial: readers, hosts, kills, one minute", hostile::in_ci);
}

/// The model's own wasm tests, goldens included: with debug assertions in node, and optimised in node and in each browser.
fn test_model_in_wasm(plan: &mut Plan) {
    plan.step_unless(node_missing, "model in wasm, with debug assertions, node", || {
        with_tools(|| run_tests(model_in_wasm(&["--profile", CHECKED], None)))
    });
    plan.step_unless(node_missing, "model in wasm, optimised, node", || with_tools(|| run_tests(model_in_wasm(&[], None))));
    for engine in Engine::ALL {
        let title = format!("model in wasm, optimised, {}", engine.name());
        plan.step_unless(
            move || engine.missing(),
            &title,
            move || with_tools(|| run_tests(model_in_wasm(&[], Some(engine)))),
        );
    }
}

fn model_in_wasm(profile: &[&str], engine: Option<Engine>) -> Command {
    // No --quiet: cargo would pass it on to the runner, which does not know it.
    let fixed = ["test", "--locked", "--no-fail-fast", "--target", WASM, "--package", "zvmlab"];
    let arguments = [&fixed[..], &OF_THE_PAGE, profile].concat();
    let mut command = cargo(&arguments);
    for name in wasm_tests_of_the_model() {
        command.args(["--test", &name]);
    }
    if engine == Some(Engine::WebKit) {
        command = on_display(command);
    }
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", tools::test_runner());
    command.env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TEST_TIMEOUT_S);
    match engine {
        Some(engine) => drive_with(&mut command, engine),
        None => _ = command.env("WASM_BINDGEN_TEST_ONLY_NODE", "1"),
    }
    command
}

/// The names of the model's test files that have tests for wasm; there is no need to compile and link the others.
fn wasm_tests_of_the_model() -> Vec<String> {
    let files = sizes::files(&root().join("crates/zvmlab/tests")).unwrap_or_default();
    let for_wasm = |file: &std::path::PathBuf| {
        file.extension().is_some_and(|ending| ending == "rs")
            && fs::read_to_string(file).is_ok_and(|text| text.contains("wasm_bindgen_test"))
    };
    let name = |file: &std::path::PathBuf| Some(file.file_stem()?.to_str()?.to_string());
    files.iter().filter(|file| for_wasm(file)).filter_map(name).collect()
}

/// Builds the tools, then does the work of a step.
fn with_tools(work: impl FnOnce() -> Outcome) -> Outcome {
    match Tools::All.build() {
        Ok(()) => work(),
        failed => Outcome::of(&failed),
    }
}

/// Tells wasm-bindgen's test runner to use a browser, and which one.
fn drive_with(command: &mut Command, engine: Engine) {
    command.env("WASM_BINDGEN_USE_BROWSER", "1");
    let Some(driver) = engine.driver() else { return };
    match engine {
        Engine::Chromium => command.env("CHROMEDRIVER", driver),
        Engine::Firefox => command.env("GECKODRIVER", driver),
        Engine::WebKit => {
            // The runner does not know WebKitGTK. Safari's driver speaks the same protocol, so WebKitGTK gets that name.
            let capabilities = root().join("target/webkit-capabilities.json");
            let browser = engine.browser().unwrap_or_default();
            let text = format!(
                r#"{{"browserName":"MiniBrowser","webkitgtk:browserOptions":{{"binary":{:?},"args":["--automation"]}}}}"#,
                browser.display().to_string()
            );
            if let Err(error) = std::fs::write(&capabilities, text) {
                say(&format!("{}: {error}", capabilities.display()));
            }
            // Wasm that runs while WebKit compiles it beside goes wrong now and then (model/wrong.md). Compiled in the same thread, it
            // does not.
            command.env("JSC_useConcurrentJIT", "0");
            command.env("SAFARIDRIVER", driver).env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities)
        }
    };
}

/// The page's own wasm tests: those of the engine run in node, those of the page in Chromium.
fn test_page_in_wasm(plan: &mut Plan) {
    plan.step_unless(node_missing, "page in wasm, node", || {
        with_tools(|| run_tests(wasm_pack_test(&["--node"], "web/engine")))
    });
    plan.step_unless(
        || Engine::Chromium.missing(),
        "page in wasm, Chromium",
        || {
            let driver = Engine::Chromium.driver().unwrap_or_default().display().to_string();
            with_tools(|| run_tests(wasm_pack_test(&["--headless", "--chrome", "--chromedriver", &driver], "web")))
        },
    );
}

fn wasm_pack_test(place: &[&str], package: &str) -> Command {
    let fixed = ["test", "--mode", "no-install"];
    let mut command = tools::wasm_pack(&[&fixed[..], place, &[package, "--locked"], &OF_THE_PAGE].concat());
    command.env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TEST_TIMEOUT_S);
    command
}

/// The page as users get it, its size, and what its story needs.
fn build_site<'a>(plan: &mut Plan<'a>, built: &'a AtomicBool) {
    plan.step("page, built for a static host", || {
        let result = Site::Release.build(Tools::All);
        built.store(result.is_ok(), Ordering::Relaxed);
        Outcome::of(&result)
    });
    let no_brotli = || (!sizes::can_be_measured()).then(|| "neither brotli nor node found".into());
    plan.step_unless(no_brotli, "page, within its budget of bytes", || Outcome::of(&sizes::within_budget()));
    let no_npm = || found("npm").is_none().then(|| "npm not found".into());
    plan.step_unless(no_npm, "axe-core and scorm-again from npm", || {
        let npm = found("npm").unwrap_or_default();
        one(command(npm, &["ci", "--prefix", "tests", "--ignore-scripts", "--no-audit", "--no-fund"]))
    });
    plan.step_unless(no_npm, "packages for learning platforms", || Outcome::of(&packages::run(&[PACKAGED])));
    plan.step("a record store for cmi5", || match packages::record_store() {
        Ok(()) => Outcome::new(1, 0),
        // The store comes from Python's registry, which not every machine reaches. Without it one test of packages is left out.
        Err(why) => {
            println!("  left out, and with it the test of a cmi5 package: {why}");
            Outcome::new(0, 0)
        }
    });
}

/// The lesson whose packages the browser tests open: it is the shortest.
const PACKAGED: &str = "spinning";

/// The story of the page in these browsers, from one test body.
fn test_site<'a>(plan: &mut Plan<'a>, built: &'a AtomicBool) {
    for engine in Engine::ALL {
        plan.step_unless(
            move || engine.missing(),
            &format!("page, end to end, {}", engine.name()),
            move || {
                if !built.load(Ordering::Relaxed) {
                    return Outcome::of::<()>(&Err("the page was not built".into()));
                }
                run_tests(end_to_end(engine))
            },
        );
    }
}

fn end_to_end(engine: Engine) -> Command {
    let mut command = cargo(&[&["test", "--quiet"], &EVERYTHING[..], &["--test", "browser", "--"]].concat());
    command.args(["--nocapture", "--ignored", "--exact", &engine.name().to_lowercase()]);
    if engine == Engine::WebKit { on_display(command) } else { command }
}

/// The command, on its own virtual display if the machine has none.
pub fn on_display(inner: Command) -> Command {
    if has_display() {
        return inner;
    }
    let mut outer = command("xvfb-run", &["-a"]);
    outer.arg(inner.get_program()).args(inner.get_args());
    // Without them cargo would compile everything again: the compiler's options are among them.
    outer.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    outer
}

fn node_missing() -> Option<String> {
    found("node").is_none().then(|| "node not found".into())
}

/// A command that is one check.
fn one(command: Command) -> Outcome {
    Outcome::of(&command::run(command))
}
