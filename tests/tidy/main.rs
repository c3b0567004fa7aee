//! Keeps the tree in order: checks name-plates, sizes, the direction of imports, and some forbidden words.

mod imports;
mod source;

use imports::{circles, upward};
use source::{House, Source, sources};

/// The most lines a file may have.
const MAX_LINES: usize = 500;

/// The model. It may not use a browser, a clock, or a collection without a fixed order. `kernel` is the lowest floor.
const MODEL: House = House {
    name: "the model",
    folder: "crates/zvmlab/src/",
    floors: &[
        &["kernel", "order"],
        &["constants"],
        &["scenario"],
        &["snapshot"],
        &["connections", "devices", "locks", "minidisk", "paging", "prsm", "scheduler", "storage", "workload"],
        // The link between members, and a relocation over it.
        &["isfc", "relocation"],
        // The dispatcher takes its priorities from the scheduler.
        &["dispatcher"],
        &["member"],
        &["simulation"],
        &["limit"],
        // A measurement says what limited it.
        &["measurement"],
        &["adviser", "experiment"],
        &["report"],
    ],
    bans: &["web_sys", "js_sys", "wasm_bindgen", "std::time", "std::thread", "HashMap", "HashSet", "SystemTime"],
};

/// The laboratory without a browser.
const LAB: House = House {
    name: "the laboratory",
    folder: "crates/lab/src/",
    floors: &[
        &["room", "words"],
        &["chart", "comparison", "documents", "published", "shelf"],
        &["editor", "embed", "evidence", "host", "template"],
        &["knob"],
        &["subjects"],
        &["batch"],
        // Links hold the state of the bench.
        &["address", "worker"],
        &["bench", "rooms"],
        // The picture shows the live run of the bench, in the words of the rooms.
        &["machine"],
        // Curves and tables that rooms show, made from batches.
        &["console", "studies"],
        // A lesson leads through the bench, asks about the picture, and takes commands.
        &["lesson"],
    ],
    bans: &["web_sys", "js_sys", "wasm_bindgen", "yew", "gloo", "std::time", "std::thread", ".unwrap()"],
};

/// Named numbers that rooms of the model may define themselves: the layout of data in memory or on the page, the meaning of
/// a z/VM term, how much is shown. Every other number is an assumption about the machine, and belongs in `constants.rs`,
/// where `zvmlab sensitivity` sees it.
const NO_ASSUMPTIONS: &[&str] = &[
    "LINES_SUMMED",
    "MOVES_SHOWN",
    "NONE",
    "OF_NOBODY",
    "PAGE_BYTES",
    "PASSES_STOPPED",
    "PIECES",
    "PLACES",
    "ROOMS",
    "SEGMENT_WORDS",
    "SHOWN_FOR",
    "SHOWN_FOR_OF_MANY",
    "SHOWN_LONG_UP_TO",
    "SHOWN_MAX",
    "SHOWN_OF_A_SEARCH",
    "SLOT_BITS",
    "SPARSE_MIN",
    "SPREADS",
    "STATES",
    "SUMS_SUMMED",
];

/// The page. After a panic it stops without a word.
const PAGE: House = House {
    name: "the page",
    folder: "web/src/",
    floors: &[
        &["feed", "page", "panics", "rest"],
        &["chart", "workers"],
        &["msg", "runner"],
        &["prose"],
        &["machine", "panels", "views"],
        &["app"],
        &["first_screen"],
        &["bin"],
    ],
    bans: &[".unwrap()"],
};

/// The other crates, which have no floors but must not have circles either.
const fn plain(name: &'static str, folder: &'static str) -> House {
    House { name, folder, floors: &[], bans: &[] }
}

/// Every house with floors.
const HOUSES: [&House; 3] = [&MODEL, &LAB, &PAGE];
/// Every house without floors.
const PLAIN: [House; 8] = [
    plain("the laws", "crates/laws/src/"),
    plain("the hostile trial", "crates/hostile/src/"),
    plain("the published figures", "crates/reference/src/"),
    plain("the command line", "crates/cli/src/"),
    plain("the package of npm", "crates/npm/src/"),
    plain("the Python package", "crates/python/src/"),
    plain("the files of a release", "crates/release/src/"),
    plain("the tasks", "crates/xtask/src/"),
];

/// The first line says what the file is.
fn name_plate(source: &Source) -> Vec<String> {
    let first = source.text.lines().next().unwrap_or_default();
    let good = first.strip_prefix("//! ").is_some_and(|plate| plate.trim().len() >= 10);
    (!good).then(|| format!("{}:1: the first line is not a `//!` name-plate", source.path)).into_iter().collect()
}

/// A file that is too long does more than one thing.
fn size(source: &Source) -> Vec<String> {
    let lines = source.text.lines().count();
    (lines > MAX_LINES).then(|| format!("{}: {lines} lines, more than {MAX_LINES}", source.path)).into_iter().collect()
}

/// No room of the model defines a constant that is an assumption.
fn assumptions(source: &Source) -> Vec<String> {
    let lowest = MODEL.floor("devices");
    let is_room = |room: &str| MODEL.floor(room) >= lowest && MODEL.floor(room) <= MODEL.floor("simulation");
    if !source.room(&MODEL).is_some_and(is_room) || source.is_for_tests() {
        return Vec::new();
    }
    let assumed = source.code().filter_map(|(number, line)| {
        let (_, constant) = line.split_once("const ")?;
        let (name, kind) = constant.split_once(": ")?;
        let numeric = ["u", "i", "f", "[u", "[i", "[f", "Span"].iter().any(|start| kind.starts_with(start));
        (numeric && !NO_ASSUMPTIONS.contains(&name)).then_some((number, name))
    });
    assumed.map(|(number, name)| format!("{}:{number}: {name} belongs in constants.rs", source.path)).collect()
}

/// Checks a file for the words that a house forbids.
fn bans(house: &House, source: &Source) -> Vec<String> {
    if source.room(house).is_none() {
        return Vec::new();
    }
    let banned = |line: &str| house.bans.iter().find(|word| line.contains(**word)).copied();
    let hits = source.code().filter_map(|(number, line)| banned(line).map(|word| (number, word)));
    hits.map(|(number, word)| format!("{}:{number}: {} may not use {word}", source.path, house.name)).collect()
}

/// All checks of one file.
fn problems(source: &Source) -> Vec<String> {
    let of_houses = HOUSES.iter().flat_map(|house| upward(house, source).into_iter().chain(bans(house, source)));
    name_plate(source).into_iter().chain(size(source)).chain(assumptions(source)).chain(of_houses).collect()
}

#[test]
fn the_tree_is_tidy() {
    let sources = sources();
    assert!(sources.len() > 20, "only {} sources found: the test looks in the wrong place", sources.len());
    let mut problems: Vec<String> = sources.iter().flat_map(problems).collect();
    for house in HOUSES.into_iter().chain(&PLAIN) {
        assert!(sources.iter().any(|source| source.inside(house).is_some()), "{} is not at {}", house.name, house.folder);
        problems.extend(circles(house, &sources));
    }
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// Asserts how many problems a file with this content has.
fn check(path: &str, text: &str, expected: usize) {
    let found = problems(&Source::new(path, text));
    assert_eq!(found.len(), expected, "{path}: {text:?}: {found:?}");
}

/// A file of the model whose code is one line.
fn check_line(room: &str, line: &str, expected: usize) {
    check(&format!("crates/zvmlab/src/{room}.rs"), &format!("//! A room of the model.\n{line}\n"), expected);
}

#[test]
fn a_file_without_a_name_plate_is_found() {
    check("web/src/app.rs", "//! What this file is.\n", 0);
    check("web/src/app.rs", "use std::fmt;\n", 1);
    check("web/src/app.rs", "//!\n", 1);
    check("web/src/app.rs", "", 1);
}

#[test]
fn a_long_file_is_found() {
    let text = |lines: usize| format!("//! A file of many lines.\n{}", "\n".repeat(lines - 1));
    check("tests/a.rs", &text(MAX_LINES), 0);
    check("tests/a.rs", &text(MAX_LINES + 1), 1);
}

#[test]
fn imports_upward_and_sideways_are_found() {
    check_line("simulation", "use crate::paging::Volume;", 0);
    check_line("paging", "use crate::kernel::time::Instant;", 0);
    check_line("paging/queue", "use crate::paging::Volume;", 0);
    check_line("paging", "use crate::{constants, kernel::time::{Instant, Span}, scenario};", 0);
    check_line("paging", "use crate::storage::Frame;", 1);
    check_line("paging", "    let x = crate::storage::frames();", 1);
    check_line("paging", "use crate::{constants::DRIVER, storage::{Frame, Page}, simulation};", 3);
    check_line("storage/frames", "use crate::simulation::Event;", 1);
    check_line("kernel/queue", "use crate::scenario::Scenario;", 1);
    check_line("kernel/queue", "use crate::kernel::time::Instant;", 0);
    check_line("constants", "use crate::scenario::Level;", 1);
    check_line("snapshot", "use crate::storage::Storage;", 1);
    check_line("paging", "use other_crate::storage::Frame;", 0);
    check_line("paging", "// use crate::storage::Frame; is what we do not do", 0);
    check_line("paging", "#[cfg(test)]\nmod tests { use crate::storage::Frame; }", 0);
    let page = |line: &str, expected| check("web/src/panels/a.rs", &format!("//! A part of the page.\n{line}\n"), expected);
    page("use crate::msg::Msg;", 0);
    page("use crate::app::App;", 1);
    page("use crate::views::Cluster;", 1);
    page("use zvmlab_lab::rooms::paging;", 0);
    let lab = |line: &str, expected| {
        check("crates/lab/src/knob/a.rs", &format!("//! A part of the laboratory.\n{line}\n"), expected)
    };
    lab("use crate::words::number::whole;", 0);
    lab("use crate::subjects::Subject;", 1);
    lab("use yew::prelude::*;", 1);
}

#[test]
fn a_way_round_through_the_face_of_the_crate_is_found() {
    check_line("paging", "use crate::Simulation;", 1);
    check_line("newroom", "use crate::kernel::time::Instant;", 1);
    check_line("paging", "use super::storage::Frame;", 1);
    check_line("paging/path", "use super::super::storage::Frame;", 1);
    check_line("paging/path", "use super::Volume;", 0);
}

/// Asserts how many circles these files of the command line have, each with its code.
fn check_circles(files: &[(&str, &str)], expected: usize) {
    let source =
        |(path, code): &(&str, &str)| Source::new(&format!("crates/cli/src/{path}.rs"), &format!("//! A file.\n{code}\n"));
    let sources: Vec<Source> = files.iter().map(source).collect();
    let house = PLAIN.iter().find(|house| house.folder == "crates/cli/src/").expect("the command line has no floors");
    let found = circles(house, &sources);
    assert_eq!(found.len(), expected, "{files:?}: {found:?}");
}

#[test]
fn circles_of_files_are_found_but_for_parent_and_child() {
    check_circles(&[("a", "use crate::b::B;"), ("b", "fn f() { crate::a::g() }")], 1);
    check_circles(&[("a", "use crate::b::B;"), ("b", "use crate::c::{D, E};"), ("c", "use crate::{a, x::Y};")], 1);
    check_circles(&[("a", "use crate::b::B;"), ("b", "use crate::c::C;"), ("c", "")], 0);
    check_circles(&[("a", "mod b;\nuse b::B;\nuse crate::a::b::C;"), ("a/b", "use super::A;")], 0);
    check_circles(&[("a", ""), ("a/b", "use super::c::C;"), ("a/c", "use super::b::B;")], 1);
    check_circles(&[("a", ""), ("a/b", "use super::c::C;"), ("a/c", "#[cfg(test)]\nmod tests { use super::b::B; }")], 0);
    check_circles(&[("a/b/c", "use super::super::d::D;"), ("a/d", "use crate::a::b::c::C;"), ("a/b", "")], 1);
}

#[test]
fn an_assumption_outside_the_constants_is_found() {
    check_line("devices/aliases", "const MEMORY_NS: i64 = 100_000_000;", 1);
    check_line("scheduler", "const SLICES: [u64; 4] = [48, 1, 6, 48];", 1);
    check_line("simulation/cluster", "pub(super) const WAIT: Span = Span::from_millis(10);", 1);
    check_line("simulation/cluster", "pub(super) const OF_NOBODY: u32 = u32::MAX;", 0);
    check_line("storage", "const EMPTY: Word = Word { bits: 0 };", 0);
    check_line("experiment", "const FILL_LIMIT: Span = Span::from_secs(36_000);", 0);
    check_line("constants", "const FACTOR: f64 = 0.5;", 0);
}

#[test]
fn the_browser_and_the_clock_are_found_in_the_model() {
    for line in ["use web_sys::window;", "use std::time::Instant;", "let m: HashMap<u8, u8>;", "use js_sys::Date;"] {
        check_line("storage", line, 1);
        check("web/src/app.rs", &format!("//! A file of the page.\n{line}\n"), 0);
    }
}

#[test]
fn unwrap_is_found_in_the_page() {
    check("web/src/app.rs", "//! A file of the page.\nlet x = y.unwrap();\n", 1);
    check("web/src/app.rs", "//! A file of the page.\nlet x = y.unwrap_or(0);\n", 0);
    check("web/src/app.rs", "//! A file of the page.\n#[cfg(test)]\nmod tests { y.unwrap(); }\n", 0);
    check("tests/a.rs", "//! A test of something.\nlet x = y.unwrap();\n", 0);
}
