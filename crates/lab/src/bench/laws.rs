//! What holds of every host that a reader can build on the bench, whatever the order of the actions.

use proptest::collection::vec;
use proptest::prelude::*;
use zvmlab::Scenario;
use zvmlab::scenario::fields::{FIELDS, Kind};

use super::Bench;
use crate::address::{Experiment, Linked, MODEL, View, fragment, parse};
use crate::knob::{Given, Knob};
use crate::published::ready::examples;
use crate::template::{GUESTS, HOSTS};

/// Something that a reader does.
#[derive(Clone, Debug)]
enum Action {
    /// Turns the knob of this field, of one of the groups, to a value that `part` chooses among those that it may have.
    Turn {
        field: usize,
        group: usize,
        part: u64,
    },
    /// Writes a text that may be no value.
    Write {
        field: usize,
        text: String,
    },
    Add(usize),
    Copy(usize),
    Remove(usize),
    Begin(usize),
    Choose(usize),
    Undo,
    Redo,
}

fn actions() -> impl Strategy<Value = Action> {
    prop_oneof![
        12 => (0..FIELDS.len(), 0usize..4, any::<u64>()).prop_map(|(field, group, part)| Action::Turn { field, group, part }),
        1 => (0..FIELDS.len(), "[0-9]{0,6}( ?(MB|GB|ms|x))?").prop_map(|(field, text)| Action::Write { field, text }),
        3 => (0..GUESTS.len()).prop_map(Action::Add),
        1 => (0usize..4).prop_map(Action::Copy),
        1 => (0usize..4).prop_map(Action::Remove),
        1 => (0..HOSTS.len()).prop_map(Action::Begin),
        1 => (0..examples().len()).prop_map(Action::Choose),
        2 => Just(Action::Undo),
        1 => Just(Action::Redo),
    ]
}

/// A value that the field may have.
fn value(kind: Kind, part: u64) -> Given {
    match kind {
        // Within reach of a slider: such hosts fit together more often.
        Kind::Whole { min, slider_max, .. } => Given::Number((min + part % (slider_max - min + 1)).to_string()),
        Kind::Tenths { min, slider_max, .. } => {
            Given::Number((min.as_f64() + (part % (u64::from(slider_max.0 - min.0) + 1)) as f64 / 10.0).to_string())
        }
        Kind::Switch { .. } => Given::Switch(part.is_multiple_of(2)),
        Kind::Choice { allowed, .. } => Given::Choice(allowed[part as usize % allowed.len()].into()),
        Kind::Share { max, .. } => Given::Text(format!("{}:{}", 1 + part % u64::from(max), 1 + part / 7 % u64::from(max))),
        Kind::Text { .. } => Given::Text(format!("host {}", part % 100)),
    }
}

fn act(bench: &mut Bench, action: &Action) {
    match action {
        Action::Turn { field, group, part } => {
            let group = group % bench.scenario.guests.len();
            if let Some(knob) = Knob::at(FIELDS[*field].path, group) {
                bench.turn(knob, value(knob.field.kind, *part), true);
            }
        }
        Action::Write { field, text } => {
            if let Some(knob) = Knob::at(FIELDS[*field].path, 0) {
                bench.turn(knob, Given::Number(text.clone()), true);
            }
        }
        Action::Add(kind) => bench.add_group(GUESTS[*kind].guest()),
        Action::Copy(group) => bench.add_guests(*group),
        Action::Remove(group) => bench.remove_guests(*group),
        Action::Begin(host) => bench.begin(HOSTS[*host].scenario()),
        Action::Choose(example) => bench.choose(examples()[*example].example.id),
        Action::Undo => bench.undo(),
        Action::Redo => bench.redo(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// What the page takes for a host that can be run, the check takes too; its text and its link are the host again. Undo to the
    /// start and redo to the end give the same bytes.
    #[test]
    fn what_can_be_built_can_be_run_written_linked_and_taken_back(actions in vec(actions(), 1..40)) {
        let mut bench = Bench::new(Experiment { scenario: Scenario::default(), seed: 1 }, None, None, 1);
        for action in &actions {
            act(&mut bench, action);
            let scenario = &bench.scenario;
            if bench.problems.is_empty() {
                prop_assert_eq!(scenario.check(), Ok(()));
                let text = scenario.to_toml();
                prop_assert!(Scenario::parse(&text).as_ref() == Ok(scenario), "as text: {text}");
                let now = Experiment { scenario: scenario.clone(), seed: bench.seed };
                let linked = Linked { now, pinned: None, view: View::default(), model: MODEL.into() };
                prop_assert!(parse(&fragment(&linked)) == Ok(Some(linked)), "as a link: {text}");
            } else {
                prop_assert!(!bench.drafts.is_empty() || scenario.check().is_err(), "a problem has its reason");
            }
        }
        // Entries that are no values go first, and are no steps.
        while !bench.drafts.is_empty() {
            bench.undo();
        }
        while bench.steps().1.is_some() {
            bench.redo();
        }
        let end = (bench.scenario.to_toml(), bench.run.clone(), bench.a().to_toml());
        let mut steps = 0;
        while bench.steps().0.is_some() {
            bench.undo();
            steps += 1;
            prop_assert!(steps <= 100, "undo comes to an end");
        }
        while bench.steps().1.is_some() {
            bench.redo();
        }
        let again = (bench.scenario.to_toml(), bench.run.clone(), bench.a().to_toml());
        prop_assert!(again == end, "undo and redo lead to {}, not to {}", again.0, end.0);
    }
}
