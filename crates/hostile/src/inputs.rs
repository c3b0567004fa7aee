//! Inputs of each kind that are right: what others are made of. And the words that a reader of that kind looks for.

use zvmlab::scenario::fields::FIELDS;
use zvmlab_lab::address::{self, Experiment, Linked, View};
use zvmlab_lab::console::COMMANDS;
use zvmlab_lab::editor;
use zvmlab_lab::lesson::list::{self, LESSONS};
use zvmlab_lab::published::runs;
use zvmlab_lab::shelf::Shelf;
use zvmlab_lab::worker::wire::{self, Job};

use crate::dice::Dice;
use crate::hosts::{begins, host};
use crate::kind::Kind;

/// An input of this kind that is right, or nearly.
pub fn right(kind: Kind, dice: &mut Dice) -> Vec<u8> {
    match kind {
        Kind::Scenario | Kind::Host => scenario(dice),
        Kind::Link => link(dice).into(),
        Kind::Query => query(dice).into(),
        Kind::Message => message(dice).into(),
        Kind::Console => (0..1 + dice.below(6)).map(|_| command(dice) + "\n").collect::<String>().into(),
        Kind::Lesson | Kind::Draft => list::text_of(dice.one_of(LESSONS).id).unwrap_or_default().into(),
        Kind::Shelf => shelf(dice).into(),
        Kind::Knob => format!("{}\n{}", place(dice), dice.one_of(WORDS)).into(),
        Kind::Wire => wire::written(&Job::Experiment { scenario: dice.one_of(begins()).clone(), seed: 1 }),
    }
}

fn scenario(dice: &mut Dice) -> Vec<u8> {
    let scenario = host(dice);
    match dice.below(4) {
        0 => scenario.to_json(),
        1 => scenario.to_toml(),
        _ => editor::text(&scenario),
    }
    .into()
}

fn link(dice: &mut Dice) -> String {
    let now = Experiment { scenario: host(dice), seed: dice.number(0, u64::MAX) };
    let pinned = dice.once_in(3).then(|| Experiment { scenario: dice.one_of(begins()).clone(), seed: 2 });
    let view = View { replications: dice.number(1, 20) as u32, more: dice.once_in(2), ..View::default() };
    address::fragment(&Linked { now, pinned, view, model: address::MODEL.into() })
}

fn query(dice: &mut Dice) -> String {
    let run = runs().first().map_or(String::new(), |run| run.id.clone());
    let parts = [
        format!("run={run}"),
        "embed=1".into(),
        "origin=https://a.example,http://b.example:8080".into(),
        "lesson=01&step=2".into(),
        format!("knobs={},{}", dice.one_of(FIELDS).path, dice.one_of(FIELDS).path),
        "kept=new".into(),
        "kept=%7B%22a%22%3A1%7D".into(),
        "step=99999999999999999999".into(),
        "theme=dark".into(),
        "%zz=%ff".into(),
    ];
    let count = 1 + dice.below(5);
    (0..count).map(|_| dice.one_of(&parts).clone()).collect::<Vec<_>>().join("&")
}

fn message(dice: &mut Dice) -> String {
    let host = host(dice);
    let text = serde_json::Value::String(editor::text(&host)).to_string();
    let id = *dice.one_of(&["1", "\"a\"", "null", "{}", "[]", "1e400", "-0"]);
    let seed = *dice.one_of(&["1", "\"18446744073709551615\"", "-1", "1.5", "9007199254740993", "null"]);
    match dice.below(6) {
        0 => format!(r#"{{"zvmlab":1,"id":{id},"type":"set","scenario":{text},"seed":{seed}}}"#),
        1 => format!(r#"{{"zvmlab":1,"id":{id},"type":"set","scenario":{},"seed":{seed}}}"#, host.to_json()),
        2 => format!(r#"{{"zvmlab":1,"id":{id},"type":"run","speed":{seed}}}"#),
        3 => format!(r#"{{"zvmlab":{seed},"id":{id},"type":"hello"}}"#),
        4 => format!(r#"{{"zvmlab":1,"id":{id},"type":"set","run":{}}}"#, *dice.one_of(&["\"V4DVY000\"", "\"x\"", "7"])),
        _ => {
            let kind = *dice.one_of(&["get", "pause", "step", "reset", "hello", "Set", ""]);
            format!(r#"{{"zvmlab":1,"id":{id},"type":"{kind}"}}"#)
        }
    }
}

fn command(dice: &mut Dice) -> String {
    let command = dice.one_of(COMMANDS);
    let mut line = command.words.join(" ");
    for _ in 0..dice.below(4) {
        line += " ";
        line += match dice.below(4) {
            0 => *dice.one_of(WORDS),
            1 => *dice.one_of(&[
                "LINUX01",
                "ALL",
                "ON",
                "OFF",
                "RELATIVE",
                "ABSOLUTE",
                "LIMITHARD",
                "PAGING_ALIAS",
                "TO",
                "%",
            ]),
            _ => command.operands.split(['[', ']', '|', ' ']).find(|word| !word.is_empty()).unwrap_or("ALL"),
        };
    }
    line
}

fn shelf(dice: &mut Dice) -> String {
    let mut shelf = Shelf::default();
    for _ in 0..dice.below(5) {
        let name = *dice.one_of(&["a", "a 2", "ü", "<b>", "a host with a long name of its own"]);
        // A name may be refused: then the shelf has one host less.
        let _ = shelf.save(name, dice.number(0, u64::MAX), &host(dice));
    }
    shelf.written()
}

fn place(dice: &mut Dice) -> String {
    let field = dice.one_of(FIELDS);
    field.place(dice.below(2))
}

/// Words that readers look for, and values at the ends of what they take.
pub const WORDS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "255",
    "256",
    "65535",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "1e3",
    "1e400",
    "-0",
    "NaN",
    "inf",
    "0x10",
    "1_000",
    "1.5",
    "1,5",
    "true",
    "false",
    "null",
    "\"\"",
    "''",
    "[]",
    "{}",
    "[[",
    "]]",
    "#",
    "=",
    "\n",
    "\r\n",
    "\u{feff}",
    "\u{0}",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{10ffff}",
    "ü",
    "256 GB",
    "256G",
    "5 ms",
    "1 TB",
    "99999999999 GB",
    "-5 MB",
    "level = \"own\"",
    "level = \"5.1\"",
    "[[guests]]",
    "[paging]",
    "[member2]",
    "guests",
    "count",
    "virtual_mb",
    "loop_mb",
    "name",
    "\"\"\"",
    "\\u0000",
    "\\",
    "<script>",
    "&amp;",
    "v1/",
    "v3/",
    "v4/",
    ".",
    "%00",
    "%",
    "&",
    "?",
    "/",
    "lesson = 1",
    "[[step]]",
    "[[steps]]",
    "type",
    "zvmlab",
    "scenario",
    "seed",
    "hosts",
];

/// Everything of [`WORDS`], and the names of the fields: the dictionary of a guided trial.
pub fn dictionary() -> Vec<String> {
    let keys = FIELDS.iter().flat_map(|field| [field.path.to_string(), field.key().to_string()]);
    let commands = COMMANDS.iter().map(|command| command.words.join(" "));
    let mut all: Vec<String> = WORDS.iter().map(|word| (*word).to_string()).chain(keys).chain(commands).collect();
    all.sort();
    all.dedup();
    all
}
