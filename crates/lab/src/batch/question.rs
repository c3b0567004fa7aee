//! The questions about a relocation, a file for each: the hosts of which it is asked, the runs that answer it, and what they say.
//! Knows no browser.
//!
//! A new question is a file of this room, its `mod` and its entry in `QUESTIONS`.

pub mod answer;
pub mod breadth;
pub mod change_rate;
pub mod chpids;
pub mod curve;
pub mod destination;
pub mod link;
pub mod options;
pub mod size;
pub mod source;
pub mod transitions;
pub mod volumes;

use zvmlab::Scenario;
use zvmlab::scenario::{GuestGroup, Interruption};

use super::relocating::{mover, until_the_end};
use super::sheet::Sheet;
use super::trials::{NewTrial, Trials};

/// Every question, in the order in which they are offered.
pub const QUESTIONS: &[&Question] = &[
    chpids::CHPIDS,
    options::OPTIONS,
    link::LINK,
    size::SIZE,
    change_rate::CHANGE_RATE,
    breadth::BREADTH,
    destination::DESTINATION,
    source::SOURCE,
    volumes::VOLUMES,
    transitions::TRANSITIONS,
];

/// A question: all that is particular to it. What others ask of it in a host goes through the methods.
pub struct Question {
    /// Its name in links. No two questions have the same.
    pub id: &'static str,
    /// Its name in the choice.
    pub label: &'static str,
    /// The title of its answer.
    pub title: &'static str,
    /// Whether it is asked of guests that are relocated until the end of the last.
    of_relocation: bool,
    /// How soon it is asked unbidden of a host, the smallest number first; `None` if it is asked only when it is chosen.
    first: fn(&Scenario) -> Option<u32>,
    /// Why it cannot be asked of a host, apart from what all questions ask for; `None` if it can.
    lacking: fn(&Scenario) -> Option<&'static str>,
    /// The runs that answer it.
    made: fn(&Scenario) -> Vec<NewTrial>,
    /// What they say.
    pub answer: Answer,
    /// Why no published figures stand beside its answer.
    pub not_published: &'static str,
}

/// How a table is made of trials, and the heading over the names of its rows.
pub type SheetOf = (fn(&Trials) -> Sheet, &'static str);

/// What answers a question.
pub enum Answer {
    /// Sentences and tables.
    Tables {
        /// The sentences.
        told: fn(&Trials) -> Vec<String>,
        /// The tables. The first is saved in files.
        sheets: &'static [SheetOf],
    },
    /// Curves of times.
    Curves(Curves),
}

/// What the curves of a question are of.
pub struct Curves {
    /// The name and unit of the axis.
    pub axis: (&'static str, &'static str),
    /// The ids of the charts of quiesce and relocation time.
    pub ids: [&'static str; 2],
    /// The id of the chart of what the throttles hold back, if the question is about the throttles.
    pub throttles: Option<&'static str>,
    /// The place on the axis of a host whose guests of this group move.
    stands: fn(&Scenario, &GuestGroup) -> Option<f64>,
    /// What a trial of this name is called in a sentence.
    place: fn(&str) -> String,
}

/// A question is known by its id.
impl PartialEq for Question {
    fn eq(&self, other: &Question) -> bool {
        self.id == other.id
    }
}

impl std::fmt::Debug for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Question({})", self.id)
    }
}

impl Question {
    /// The question with this name in links.
    pub fn from_id(id: &str) -> Option<&'static Question> {
        QUESTIONS.iter().copied().find(|question| question.id == id)
    }

    /// The first question to ask of a scenario.
    pub fn first_of(base: &Scenario) -> &'static Question {
        let may = QUESTIONS.iter().copied().filter(|question| question.lacking(base).is_none());
        let first = may.filter_map(|question| Some(((question.first)(base)?, question))).min_by_key(|(order, _)| *order);
        first.map_or(link::LINK, |(_, question)| question)
    }

    /// Why it cannot be asked of `base`; `None` if it can.
    pub fn lacking(&self, base: &Scenario) -> Option<&'static str> {
        match &base.relocation {
            _ if !self.of_relocation => (self.lacking)(base),
            _ if !base.relocates() => Some("no guest is to be relocated"),
            relocation if relocation.bounce => Some("the guests bounce until the interval ends"),
            relocation if relocation.interruption != Interruption::None => Some("the relocation is interrupted"),
            _ => (self.lacking)(base),
        }
    }

    /// The runs that answer it for `base`.
    pub fn made(&self, base: &Scenario) -> Vec<NewTrial> {
        if self.of_relocation { (self.made)(&until_the_end(base)) } else { (self.made)(base) }
    }

    /// What its curves are of. None if its answer is a table.
    pub fn curves(&self) -> Option<&Curves> {
        match &self.answer {
            Answer::Curves(curves) => Some(curves),
            Answer::Tables { .. } => None,
        }
    }
}

impl Curves {
    /// The place of `base` on the axis.
    pub fn stands(&self, base: &Scenario) -> Option<f64> {
        (self.stands)(base, &base.guests[mover(base)?])
    }

    /// What a trial of this name is called in a sentence.
    pub fn place(&self, name: &str) -> String {
        (self.place)(name)
    }
}

#[cfg(test)]
mod tests;
