//! What must hold of any input. A law that is broken panics, with what was broken.

pub mod host;

use std::sync::OnceLock;

use serde_json::Value;
use zvmlab::Scenario;
use zvmlab::scenario::Problem;
use zvmlab_lab::address::query;
use zvmlab_lab::address::{self, Experiment, Linked, View};
use zvmlab_lab::console::{self, Look};
use zvmlab_lab::knob::{Given, Knob};
use zvmlab_lab::lesson::draft::Draft;
use zvmlab_lab::lesson::{file as lessons, list};
use zvmlab_lab::shelf::Shelf;
use zvmlab_lab::words::file;
use zvmlab_lab::worker::wire::{self, Job};
use zvmlab_lab::{editor, embed, published};

/// The longest that everything that is said of one input may be, in bytes. Chosen: some pages of a book.
const SAID_MAX: usize = 64 << 10;

/// Most problems that are told of one input; a last one says how many more there are.
const PROBLEMS_MAX: usize = 51;

/// The text of an input, as a file of it would be read.
fn text(bytes: &[u8]) -> Option<String> {
    file::text(bytes.to_vec()).inspect_err(|why| is_said(why)).ok()
}

/// What is said to a reader has a bound, and is not empty.
fn is_said(words: &str) {
    assert!(!words.trim().is_empty(), "a refusal says something");
    assert!(words.len() <= SAID_MAX, "{} bytes are said, at most {SAID_MAX} are read", words.len());
}

fn are_said(problems: &[Problem]) {
    assert!((1..=PROBLEMS_MAX).contains(&problems.len()), "{} problems are told", problems.len());
    is_said(&problems.iter().map(|problem| format!("{}: {}\n", problem.field, problem.message)).collect::<String>());
}

/// An accepted scenario is the same scenario again after each of its written forms.
pub fn is_kept(scenario: &Scenario) {
    assert!(scenario.check().is_ok(), "what was read is allowed");
    for written in [scenario.to_toml(), scenario.to_json(), editor::text(scenario)] {
        let read = Scenario::parse(&written).unwrap_or_else(|error| panic!("its own text is refused: {error}\n{written}"));
        assert_eq!(read, *scenario, "its own text says another scenario");
    }
    let now = Experiment { scenario: scenario.clone(), seed: u64::MAX };
    let linked = Linked { now, pinned: None, view: View::default(), model: address::MODEL.into() };
    let fragment = address::fragment(&linked);
    let read = address::parse(&fragment).unwrap_or_else(|error| panic!("its own link is refused: {}", error.message));
    assert_eq!(read.as_ref(), Some(&linked), "its own link opens another host");
}

/// The text of a scenario.
pub fn scenario(bytes: &[u8]) -> bool {
    let Some(text) = text(bytes) else { return false };
    let lines = text.lines().count();
    for line in [0, 1, lines / 2, lines, lines + 1] {
        editor::about(&text, line);
        editor::with_line(&text, line, "a");
    }
    match Scenario::parse(&text) {
        Ok(scenario) => {
            is_kept(&scenario);
            let mut next = scenario.clone();
            next.seen_differently();
            if let Some(followed) = editor::followed(&text, &scenario, &next) {
                assert_eq!(Scenario::parse(&followed).as_ref(), Ok(&next), "the text that follows says what it follows");
            }
            true
        }
        Err(error) => {
            are_said(&error.problems);
            for wrong in editor::wrong(&text, &error) {
                assert!(wrong.line.is_none_or(|line| line <= lines + 1), "line {:?} of {lines}", wrong.line);
            }
            false
        }
    }
}

/// A host that differs in one field: what an editor's text has to follow.
trait SeenDifferently {
    fn seen_differently(&mut self);
}

impl SeenDifferently for Scenario {
    fn seen_differently(&mut self) {
        self.storage.central_mb = if self.storage.central_mb == 4096 { 8192 } else { 4096 };
    }
}

/// The state in an address.
pub fn link(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    match address::parse(&text) {
        Ok(None) => false,
        Ok(Some(linked)) => {
            is_kept(&linked.now.scenario);
            let again = address::parse(&address::fragment(&linked)).unwrap_or_else(|error| panic!("{}", error.message));
            assert_eq!(again.map(|again| again.now), Some(linked.now), "a link that is written again opens the same host");
            true
        }
        Err(error) => {
            is_said(&error.message);
            assert!(error.readable.is_none_or(|readable| readable.len() <= SAID_MAX), "what could be read is cut");
            false
        }
    }
}

/// The query of an address.
pub fn query(bytes: &[u8]) -> bool {
    static IDS: OnceLock<Vec<String>> = OnceLock::new();
    let ids = IDS.get_or_init(|| published::runs().into_iter().map(|run| run.id).collect());
    let runs: Vec<&str> = ids.iter().map(String::as_str).collect();
    let lessons: Vec<&str> = list::LESSONS.iter().map(|lesson| lesson.id).collect();
    let text = String::from_utf8_lossy(bytes);
    let read = query::parse(&text, &runs, &lessons);
    let said: usize = read.warnings.iter().map(String::len).sum();
    assert!(said <= SAID_MAX, "{said} bytes of warnings");
    assert!(read.run.is_none_or(|run| ids.contains(&run)), "only a known run is opened");
    read.warnings.is_empty()
}

/// A message of an embedding page.
pub fn message(bytes: &[u8]) -> bool {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return false };
    match embed::read(&value) {
        None => false,
        Some((_, Ok(request))) => {
            if let embed::Request::Set { scenario: Some(scenario), .. } = request {
                is_kept(&scenario);
            }
            true
        }
        Some((id, Err(refusal))) => {
            is_said(&refusal.message);
            assert!(refusal.problems.len() <= PROBLEMS_MAX);
            let answer = embed::write("error", &id, embed::error(&refusal));
            assert!(answer.get("code").is_some_and(Value::is_string), "an answer says which kind of error it is");
            false
        }
    }
}

/// Lines of the console, one after the other.
pub fn console(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut scenario = Scenario::default();
    let mut accepted = false;
    for line in text.lines().take(20) {
        let reply = console::answer(line, Look { scenario: &scenario, settled: None, hides_limit: false });
        assert!(reply.lines.iter().map(String::len).sum::<usize>() <= SAID_MAX);
        assert!(!reply.is_refused || reply.turns.is_empty(), "a refused command turns nothing");
        assert!(console::completions(line, &scenario).len() <= 100);
        for (knob, given) in &reply.turns {
            knob.turn(&mut scenario, given).unwrap_or_else(|problem| panic!("{}: {}", problem.field, problem.message));
        }
        accepted |= !reply.is_refused;
    }
    if let Err(error) = scenario.check() {
        panic!("a command made a host that is refused: {error}");
    }
    accepted
}

/// The file of a lesson.
pub fn lesson(bytes: &[u8]) -> bool {
    let Some(text) = text(bytes) else { return false };
    lessons::is_lesson(&text);
    match lessons::parse(&text) {
        Ok(_) => true,
        Err(problems) => {
            are_said(&problems);
            false
        }
    }
}

/// A lesson that is being written: however much is wrong with it, its text says the same.
pub fn draft(bytes: &[u8]) -> bool {
    let Some(text) = text(bytes) else { return false };
    match Draft::opened(&text) {
        Ok(draft) => {
            let (_, problems) = draft.lesson();
            assert!(problems.len() <= PROBLEMS_MAX, "{} problems are told", problems.len());
            let again = Draft::read(&draft.text()).unwrap_or_else(|problem| panic!("its own text: {}", problem.message));
            assert_eq!(again.text(), draft.text(), "a draft is written as it was read");
            problems.is_empty()
        }
        Err(problem) => {
            are_said(&[problem]);
            false
        }
    }
}

/// A file of saved hosts.
pub fn shelf(bytes: &[u8]) -> bool {
    let Some(text) = text(bytes) else { return false };
    let mut shelf = Shelf::default();
    match shelf.import(&text) {
        Ok(said) => {
            is_said(&said);
            for kept in shelf.hosts() {
                let _ = kept.scenario().inspect(is_kept).inspect_err(|error| are_said(&error.problems));
            }
            let again = Shelf::read(&shelf.written()).unwrap_or_else(|why| panic!("its own text is refused: {why}"));
            assert_eq!(again, shelf, "saved hosts are kept");
            true
        }
        Err(why) => {
            is_said(&why);
            assert!(shelf.hosts().is_empty(), "of a bad file nothing is added");
            false
        }
    }
}

/// What is typed into a knob: its name, a line's end, the text.
pub fn knob(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let (name, text) = text.split_once('\n').unwrap_or((&text, ""));
    let Some(knob) = Knob::named_in_files(name) else { return false };
    // A reader has added a group, which the host of comparison does not have.
    let a = Scenario::default();
    let mut before = a.clone();
    before.guests.extend(a.guests.iter().cloned());
    let mut accepted = false;
    for given in [Given::Number(text.into()), Given::Choice(text.into()), Given::Text(text.into()), Given::Switch(true)] {
        let mut scenario = before.clone();
        match knob.turn(&mut scenario, &given) {
            Ok(()) => {
                accepted = true;
                knob.doubt(&scenario, &a, text);
                knob.doubt(&a, &scenario, text);
                let _ = scenario.check().inspect_err(|error| are_said(&error.problems));
            }
            Err(problem) => {
                are_said(&[problem]);
                assert_eq!(scenario, before, "a refused entry changes nothing");
            }
        }
    }
    accepted
}

/// A job between page and engine.
pub fn wire(bytes: &[u8]) -> bool {
    match wire::read::<Job>(bytes) {
        Ok(job) => {
            assert_eq!(wire::written(&job), bytes, "a job has one form");
            true
        }
        Err(why) => {
            is_said(&why);
            false
        }
    }
}
