//! Conditions as a form offers them: of which kind one is, and what one of a kind begins with.

use serde_json::Value;
use zvmlab::{Figure, Scenario};

use super::literal;
use super::skeleton::table;
use crate::knob::Knob;

/// A kind of condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A figure in a range.
    Figure,
    /// A figure as a multiple of what it was.
    Times,
    /// What trials show of a figure.
    Trials,
    /// A knob in a range.
    Knob,
    /// A knob at a value.
    Is,
    /// What limits.
    Limit,
}

impl Form {
    /// Every one.
    pub const ALL: [Form; 6] = [Form::Figure, Form::Times, Form::Trials, Form::Knob, Form::Is, Form::Limit];

    /// In words.
    pub const fn said(self) -> &'static str {
        match self {
            Form::Figure => "a figure is in a range",
            Form::Times => "a figure is so many times what it was",
            Form::Trials => "several runs show a change",
            Form::Knob => "a knob is in a range",
            Form::Is => "a knob has a value",
            Form::Limit => "this limits",
        }
    }

    /// The kind of a condition in a draft.
    pub fn of(condition: &Value) -> Form {
        let has = |key: &str| condition.get(key).is_some();
        match () {
            () if has("limit") => Form::Limit,
            () if has("is") => Form::Is,
            () if has("knob") => Form::Knob,
            () if has("trials") || has("change") => Form::Trials,
            () if has("times_at_least") || has("times_at_most") => Form::Times,
            () => Form::Figure,
        }
    }

    /// The keys of the ends of its range; none where it has no range.
    pub const fn ends(self) -> Option<[&'static str; 2]> {
        match self {
            Form::Figure | Form::Knob => Some(["at_least", "at_most"]),
            Form::Times => Some(["times_at_least", "times_at_most"]),
            Form::Trials | Form::Is | Form::Limit => None,
        }
    }

    /// A condition of this kind to begin with. What the one before was about stays where it can.
    pub fn begun(self, before: &Value, host: &Scenario) -> Value {
        let text = |key: &str| before.get(key).and_then(Value::as_str);
        let figure = text("figure").and_then(Figure::from_id).unwrap_or(Figure::Etr);
        let knob = text("knob").unwrap_or_default();
        let mut condition = table(
            match self {
                Form::Figure => "figure = \"etr\"\nat_least = \"\"",
                Form::Times => "figure = \"etr\"\ntimes_at_least = 1.1",
                Form::Trials => "figure = \"etr\"\ntrials = 10\nchange = \"more\"",
                Form::Knob => "at_least = \"\"",
                Form::Is => "is = \"\"",
                Form::Limit => "limit = \"\"",
            },
            figure,
        );
        if matches!(self, Form::Knob | Form::Is) {
            condition.insert("knob".into(), knob.into());
        }
        if self == Form::Is {
            condition.insert("is".into(), value_of(knob, host));
        }
        condition.into()
    }
}

/// The value of a knob on a host, as a file has it; an empty text where there is no such knob.
pub fn value_of(knob: &str, host: &Scenario) -> Value {
    Knob::named_in_files(knob).and_then(|knob| knob.given(host)).map_or("".into(), |given| literal(&given))
}
