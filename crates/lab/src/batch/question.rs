//! The questions about a relocation. Each has a file: which hosts can ask it, which runs answer it, and how the answer
//! reads. Needs no browser.
//!
//! To add a question, add a file in this folder, its `mod` and its entry in `QUESTIONS`.

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

/// Every question, in the order in which the page offers them.
pub static QUESTIONS: &[&Question] = &[
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

/// A question: everything that is particular to it. Other code asks a question about a host through the methods.
pub struct Question {
    /// Its name in links. No two questions have the same.
    pub id: &'static str,
    /// Its name in the menu of questions.
    pub label: &'static str,
    /// The title of its answer.
    pub title: &'static str,
    /// Whether its runs go on until the last relocation has ended, so that guests must relocate.
    of_relocation: bool,
    /// How early the page proposes it for a host; the smallest number comes first. `None` if only the reader can choose it.
    first: fn(&Scenario) -> Option<u32>,
    /// Why a host cannot ask it, besides the conditions that all questions share; `None` if it can.
    lacking: fn(&Scenario) -> Option<&'static str>,
    /// The runs that answer it.
    made: fn(&Scenario) -> Vec<NewTrial>,
    /// How the answer reads.
    pub answer: Answer,
    /// Why no published figures are beside its answer.
    pub not_published: &'static str,
}

/// A function that makes a table from trials, and the heading over the names of its rows.
pub type SheetOf = (fn(&Trials) -> Sheet, &'static str);

/// The form of an answer.
pub enum Answer {
    /// Sentences and tables.
    Tables {
        /// The sentences.
        told: fn(&Trials) -> Vec<String>,
        /// The tables. The reader can save the first one as a file.
        sheets: &'static [SheetOf],
    },
    /// Curves of times over an axis.
    Curves(Curves),
}

/// The axis and the charts of a question that curves answer.
pub struct Curves {
    /// The name and unit of the axis.
    pub axis: (&'static str, &'static str),
    /// The ids of the charts of quiesce and relocation time.
    pub ids: [&'static str; 2],
    /// The id of the chart of what the throttles hold back; `None` if the question is not about the throttles.
    pub throttles: Option<&'static str>,
    /// Where a host is on the axis; the guests of this group move.
    stands: fn(&Scenario, &GuestGroup) -> Option<f64>,
    /// How a sentence names the trial with this name.
    place: fn(&str) -> String,
}

/// Two questions are equal if their ids are.
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

    /// The question that the page asks first about a scenario.
    pub fn first_of(base: &Scenario) -> &'static Question {
        let may = QUESTIONS.iter().copied().filter(|question| question.lacking(base).is_none());
        let first = may.filter_map(|question| Some(((question.first)(base)?, question))).min_by_key(|(order, _)| *order);
        first.map_or(link::LINK, |(_, question)| question)
    }

    /// Why `base` cannot ask it; `None` if it can.
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

    /// Its curves; `None` if tables answer it.
    pub fn curves(&self) -> Option<&Curves> {
        match &self.answer {
            Answer::Curves(curves) => Some(curves),
            Answer::Tables { .. } => None,
        }
    }
}

impl Curves {
    /// Where `base` is on the axis.
    pub fn stands(&self, base: &Scenario) -> Option<f64> {
        (self.stands)(base, &base.guests[mover(base)?])
    }

    /// How a sentence names the trial with this name.
    pub fn place(&self, name: &str) -> String {
        (self.place)(name)
    }
}

#[cfg(test)]
mod tests;
