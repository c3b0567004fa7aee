//! `test`: runs every check, the cheapest first, each under its own heading.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use xtask::engines::{Engine, found, has_display, version};
use xtask::story::{PART, Part};

use crate::command::{
    EVERYTHING, cargo, command, command_line, lint, root, run as run_command, run_quietly, run_tests, say, set_clippy,
    unreleased,
};
use crate::kept::{Bytes, Kept};
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::programs::{Program, compiled, of_browsers};
use crate::site::{Site, WASM};
use crate::tools::{self, Tools};
use crate::{drivers, hostile, lints, npm, packages, python, sizes, validation};

/// The longest time for the tests of one file in a browser, in seconds. Chosen: many times what they take.
const WASM_TEST_TIMEOUT_S: &str = "600";

/// The package with the model's tests.
const LAWS: &str = "zvmlab-laws";

/// The alias in `.cargo/config.toml` of a `cargo test` in which a run of the model looks at its own books.
const CHECKED: &str = "checked";

/// The `cargo test` of everything else.
const AS_IN_USE: &str = "test";

/// The packages that run in the browser, chosen together for the same reason.
const OF_THE_PAGE: [&str; 4] = ["--package", "zvmlab-engine", "--package", "zvmlab-web"];

/// Runs everything again, whatever is kept.
const AGAIN: &str = "--again";

// Titles of steps that others wait for.
const INSTALLED: &str = "browsers and drivers";
const BUILT: &str = "page, built for a static host";
const FROM_NPM: &str = "axe-core and scorm-again from npm";
const PACKAGES: &str = "packages for learning platforms";
const RECORD_STORE: &str = "a record store for cmi5";
const OF_NPM: &str = "npm package, in node";

/// Runs everything, or the steps whose title contains one of the words, and prints the sum as the last line.
///
/// # Errors
/// When anything failed, or a word is an option that there is not.
pub fn run(words: &[&str]) -> Result<(), String> {
    let (options, words): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with('-'));
    if let Some(unknown) = options.iter().find(|option| **option != AGAIN) {
        return Err(format!("{unknown} given; test takes {AGAIN} and words"));
    }
    // A run that decides whether a change lands runs all.
    let kept = Kept::new(!options.is_empty() || drivers::all_required());
    say("on two cores: some forty minutes the first time; each step says what it took");
    if !words.is_empty() {
        // The step that installs may be none of those that are asked for.
        drivers::install();
    }
    lint();
    let built = AtomicBool::new(true);
    let mut plan = Plan::default();
    // Two lanes, because compiling often keeps only one of two cores busy: its last crates wait for all others, and a browser under
    // test waits much of its time. Cargo lets two commands compile at once if their profiles differ.
    plan.step(INSTALLED, || {
        drivers::install();
        Outcome::new(1, 0)
    });
    plan.step("pinned tools and their tests", || with_tools(|| run_tests(tools::tests())));
    build_site(&mut plan, &built);
    test_site(&mut plan, &built, &kept);
    plan.behind(&[INSTALLED]);
    plan.step_unless(npm::missing, OF_NPM, || npm::step(&kept));
    plan.behind(&[INSTALLED, OF_NPM]);
    plan.step_unless(npm::missing_with_page, "npm package, in Chromium", || npm::step_of_page(&kept));
    plan.behind(&[INSTALLED, BUILT]);
    plan.step_unless(
        || Engine::Chromium.missing(),
        "hostile trial: page, one minute",
        || hostile::in_ci_of(Engine::Chromium),
    );
    plan.beside();
    plan.behind(&[]);
    check_sources(&mut plan);
    test_natively(&mut plan, &kept);
    test_long(&mut plan, &kept);
    plan.behind(&[INSTALLED]);
    test_model_in_wasm(&mut plan, &kept);
    test_page_in_wasm(&mut plan, &kept);
    plan.keep(&words);
    plan.run(drivers::all_required())
}

fn check_sources(plan: &mut Plan) {
    plan.step("format", || {
        let mut outcome = one(cargo(&["fmt", "--all", "--check"]));
        outcome += one(cargo(&["fmt", "--all", "--check", "--manifest-path", tools::MANIFEST]));
        outcome
    });
    // What the tests below run, and the benchmarks.
    plan.step("clippy, natively", || {
        let mut outcome = lints_of(unreleased(&[&["test", "--benches"], TESTS, &without_the_model()].concat()));
        outcome += lints_of(unreleased(&[&["test"], &EVERYTHING[..], &GOLDEN].concat()));
        outcome += lints_of(unreleased(&[&[CHECKED], TESTS, &OF_THE_MODEL].concat()));
        outcome + Outcome::of(&lints::none_in(npm::types("build")))
    });
}

/// What clippy says of tests when they are compiled.
fn lints_of(mut tests: Command) -> Outcome {
    tests.arg("--no-run");
    Outcome::of(&lints::none_in(tests))
}

fn test_natively<'a>(plan: &mut Plan<'a>, kept: &'a Kept) {
    plan.step("tests, natively", || {
        // The model's own tests come below.
        let mut outcome = native(AS_IN_USE, &without_the_model(), kept);
        outcome += native(AS_IN_USE, &[&EVERYTHING[..], &GOLDEN].concat(), kept);
        outcome
    });
    plan.step("the model's tests, natively, with debug assertions", || native(CHECKED, &OF_THE_MODEL, kept));
    plan.step("examples in comments", || one(unreleased(&[&["test", "--quiet", "--doc"], &EVERYTHING[..]].concat())));
}

/// All but the model's own tests, which run with debug assertions.
fn without_the_model() -> Vec<&'static str> {
    [&EVERYTHING[..], &["--exclude", "zvmlab", "--exclude", LAWS]].concat()
}

/// The model's own tests.
const OF_THE_MODEL: [&str; 5] = ["--locked", "--package", "zvmlab", "--package", LAWS];

/// Those of them that run the model as it is in use.
const GOLDEN: [&str; 2] = ["--test", "golden"];

/// The tests of a package, in its sources and beside them.
const TESTS: &[&str] = &["--lib", "--bins", "--tests"];

/// Packages whose tests read the sources of all others, by their folders. They run each time.
const READ_ALL: [&str; 2] = ["tests", "crates/xtask"];

/// Runs the native tests of this choice of packages, program by program, as far as they are not kept. `test` is how cargo compiles them.
fn native(test: &str, choice: &[&str], kept: &Kept) -> Outcome {
    // A choice of its own of what is compiled replaces the usual one.
    let what = if choice.contains(&"--test") { &[] } else { TESTS };
    let all = match compiled(unreleased(&[&[test], what, choice].concat())) {
        Ok(all) => all,
        Err(why) => return Outcome::of::<()>(&Err(why)),
    };
    let mut outcome = Outcome::default();
    for program in all.iter().filter(|program| program.is_test) {
        let package = program.package.strip_prefix(root()).unwrap_or(&program.package);
        let title = format!("{} of {}, {test}", program.name, package.display());
        let run = || {
            println!("  {title}");
            run_quietly(program.tests())
        };
        let reads_all = READ_ALL.iter().any(|folder| package == Path::new(folder));
        outcome += if reads_all { run() } else { kept.or(&title, program.bytes(&all).and_then(Bytes::and_data), run) };
    }
    if outcome.passed + outcome.failed == 0 {
        return Outcome::of::<()>(&Err("no test ran".into()));
    }
    outcome
}

/// The comparison with what was published, and what runs the model for long.
fn test_long<'a>(plan: &mut Plan<'a>, kept: &'a Kept) {
    plan.step("model against published measurements", || {
        let bytes = command_line().and_then(|program| Bytes::of("").and(&program));
        kept.or("model against published measurements", bytes, || Outcome::of(&validation::run(&[])))
    });
    plan.step_unless(python::missing, "Python package", || python::step(kept));
    plan.step("hostile trial: readers, hosts, kills, one minute", hostile::in_ci);
}

/// The model's own wasm tests, goldens included: with debug assertions in node, and optimised in node and in each browser.
fn test_model_in_wasm<'a>(plan: &mut Plan<'a>, kept: &'a Kept) {
    // What these tests and those of the page run.
    plan.step("clippy, for the browser", || {
        let mut outcome = lints_of(model_in_wasm(AS_IN_USE, None));
        outcome += lints_of(model_in_wasm(CHECKED, None));
        outcome + lints_of(page_in_wasm())
    });
    plan.step_unless(node_missing, "model in wasm, with debug assertions, node", || test_in_wasm(CHECKED, None, kept));
    plan.step_unless(node_missing, "model in wasm, optimised, node", || test_in_wasm(AS_IN_USE, None, kept));
    for engine in Engine::ALL {
        let title = format!("model in wasm, optimised, {}", engine.name());
        plan.step_unless(move || engine.missing(), &title, move || test_in_wasm(AS_IN_USE, Some(engine), kept));
    }
}

fn test_in_wasm(test: &str, engine: Option<Engine>, kept: &Kept) -> Outcome {
    with_tools(|| {
        let name = format!("model in wasm, {test}, {}", engine.map_or("node", Engine::name));
        let bytes = in_wasm(engine, compiled(model_in_wasm(test, None)));
        kept.or(&name, bytes, || run_tests(model_in_wasm(test, engine)))
    })
}

/// The bytes of tests in wasm that `engine` runs, or node.
fn in_wasm(engine: Option<Engine>, tests: Result<Vec<Program>, String>) -> Result<Bytes, String> {
    let version = match engine {
        Some(engine) => engine.version(),
        None => version(&found("node").unwrap_or_default()),
    }?;
    tests?.iter().try_fold(Bytes::of(&version).and(&tools::test_runner())?, |bytes, test| bytes.and(&test.file))
}

fn model_in_wasm(test: &str, engine: Option<Engine>) -> Command {
    // No --quiet: cargo would pass it on to the runner, which does not know it.
    let fixed = [test, "--locked", "--no-fail-fast", "--target", WASM, "--package", LAWS];
    let mut command = unreleased(&[&fixed[..], &OF_THE_PAGE].concat());
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
    let files = sizes::files(&root().join("crates/laws/tests")).unwrap_or_default();
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
fn test_page_in_wasm<'a>(plan: &mut Plan<'a>, kept: &'a Kept) {
    plan.step_unless(node_missing, "page in wasm, node", || {
        test_with_wasm_pack("page in wasm, node", None, &["--node"], "web/engine", kept)
    });
    plan.step_unless(
        || Engine::Chromium.missing(),
        "page in wasm, Chromium",
        || {
            let driver = Engine::Chromium.driver().unwrap_or_default().display().to_string();
            let place = ["--headless", "--chrome", "--chromedriver", &driver];
            test_with_wasm_pack("page in wasm, Chromium", Some(Engine::Chromium), &place, "web", kept)
        },
    );
}

fn test_with_wasm_pack(name: &str, engine: Option<Engine>, place: &[&str], package: &str, kept: &Kept) -> Outcome {
    let pack = |arguments: &[&str]| {
        let mut command =
            tools::wasm_pack(&[&["test", "--mode", "no-install"], place, &[package, "--locked"], arguments].concat());
        command.env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TEST_TIMEOUT_S);
        set_clippy(&mut command);
        command
    };
    // What wasm-pack has cargo compile.
    let mut same = page_in_wasm();
    same.current_dir(root().join(package));
    with_tools(|| kept.or(name, in_wasm(engine, compiled(same)), || run_tests(pack(&OF_THE_PAGE))))
}

fn page_in_wasm() -> Command {
    unreleased(&[&["test", "--locked", "--target", WASM], &OF_THE_PAGE[..]].concat())
}

/// The page as users get it, its size, and what its story needs.
fn build_site<'a>(plan: &mut Plan<'a>, built: &'a AtomicBool) {
    plan.step(BUILT, || {
        let result = Site::Release.build(Tools::All);
        built.store(result.is_ok(), Ordering::Relaxed);
        Outcome::of(&result)
    });
    plan.behind(&[BUILT]);
    let no_brotli = || (!sizes::can_be_measured()).then(|| "neither brotli nor node found".into());
    plan.step_unless(no_brotli, "page, within its budget of bytes", || Outcome::of(&sizes::within_budget()));
    plan.behind(&[INSTALLED]);
    let no_npm = || found("npm").is_none().then(|| "npm not found".into());
    plan.step_unless(no_npm, FROM_NPM, || {
        let npm = found("npm").unwrap_or_default();
        one(command(npm, &["ci", "--prefix", "tests", "--ignore-scripts", "--no-audit", "--no-fund"]))
    });
    plan.behind(&[INSTALLED, BUILT]);
    plan.step_unless(no_npm, PACKAGES, || Outcome::of(&packages::run(&[PACKAGED])));
    plan.step(RECORD_STORE, || match packages::record_store() {
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

/// The story of the page in each browser, from one test body: each part is a step.
fn test_site<'a>(plan: &mut Plan<'a>, built: &'a AtomicBool, kept: &'a Kept) {
    let needed = [INSTALLED, BUILT, FROM_NPM, PACKAGES, RECORD_STORE];
    for engine in Engine::ALL {
        let mut before: Option<String> = None;
        for part in Part::ALL.into_iter().filter(|part| part.is_told_in(engine)) {
            // Two virtual displays that begin at once can take the same number.
            let waits = before.as_deref().filter(|_| engine == Engine::WebKit);
            plan.behind(&needed.into_iter().chain(waits).collect::<Vec<_>>());
            let title = format!("page, end to end, {}, {}", engine.name(), part.name());
            let work = {
                let title = title.clone();
                move || {
                    if !built.load(Ordering::Relaxed) {
                        return Outcome::of::<()>(&Err("the page was not built".into()));
                    }
                    kept.or(&title, of_the_story(engine), || run_tests(end_to_end(engine, part)))
                }
            };
            plan.step_unless(move || engine.missing(), &title, work);
            before = Some(title);
        }
    }
}

/// The bytes of the story: the page, the program that tells it, and what it tells it with.
fn of_the_story(engine: Engine) -> Result<Bytes, String> {
    let bytes = Bytes::of(&engine.version()?).and_all_in(&Site::Release.folder())?.and_data()?.and(&of_browsers()?)?;
    let bytes = bytes.and_archives_in(&root().join(packages::PLACE))?;
    // Without one of them a story leaves something out, and passes.
    [AXE, packages::RECORD_STORE].iter().try_fold(bytes, |bytes, file| bytes.and_if_there(&root().join(file)))
}

/// axe-core, as npm installs it for the tests.
const AXE: &str = "tests/node_modules/axe-core/axe.min.js";

fn end_to_end(engine: Engine, part: Part) -> Command {
    let mut command = unreleased(&[&["test", "--quiet"], &EVERYTHING[..], &["--test", "browser", "--"]].concat());
    command.args(["--nocapture", "--ignored", "--exact", &engine.name().to_lowercase()]).env(PART, part.name());
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
    Outcome::of(&run_command(command))
}
