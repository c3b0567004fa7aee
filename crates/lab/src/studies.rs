//! The studies of the laboratory: what each control does to a host, a file for each: the hosts that it is made of, where it stands on
//! the page, its curves and tables, and what was published of it.
//!
//! A new study is a file of this room, its `mod` and its entry in `STUDIES`. One that is plain curves fills in a [`curves::Plain`].

pub mod curves;
pub mod guest_zhpf;
pub mod limit_hard;
pub mod places;
pub mod pldv;
pub mod prsm_overhead;
pub mod set_cu;
pub mod spin_lock;
pub mod storbuf;
pub mod studied;
pub mod study;
pub mod table;

use zvmlab::Scenario;

use crate::chart::Chart;
use crate::knob::changes::changes;
use crate::room::Room;
use crate::subjects::Subject;
use studied::Studied;
use table::Table;

/// Every study, in the order in which those of a room stand.
pub const STUDIES: &[&StudyKind] = &[
    set_cu::SET_CU,
    guest_zhpf::GUEST_ZHPF,
    limit_hard::LIMIT_HARD,
    storbuf::STORBUF,
    prsm_overhead::PRSM_OVERHEAD,
    spin_lock::SPIN_LOCK,
    pldv::PLDV,
];

/// A place along the horizontal axis: how many places from the first, between two of them if need be; and what is written there.
pub type Place = (f64, String);

/// Where in its room a study stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// Before all else.
    First,
    /// Before the charts that stand below what else the room shows.
    BeforeCharts,
}

/// What IBM published that can stand beside a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    /// Runs, at the places whose scenarios they have.
    Runs,
    /// Nothing, in a sentence.
    Nothing(&'static str),
}

/// The knob that a study turns, shown once more beside its curves: a share between two.
pub struct Slider {
    /// The path of the knob.
    pub path: &'static str,
    /// What stands before its value.
    pub command: &'static str,
    /// What the ends are.
    pub ends: [&'static str; 2],
    /// Its value as it is written, and in words for those who hear it.
    pub value: fn(&Scenario) -> (String, String),
}

/// A chart whose values can be shown as multiples.
pub struct Scale {
    /// The id of the chart.
    pub chart: &'static str,
    /// What is chosen.
    pub legend: &'static str,
    /// What stands at values as they are, and at multiples.
    pub choices: [&'static str; 2],
}

/// The question of a study: all that is particular to it. What others ask of it in a host goes through the methods.
pub struct StudyKind {
    /// Its name in the page. No two have the same.
    pub name: &'static str,
    /// The title of its curves.
    pub title: &'static str,
    /// The room that shows it.
    pub room: Room,
    /// Where in its room it stands.
    pub stand: Stand,
    /// The subjects for which it is shown. Other subjects may have its room too.
    pub subjects: &'static [&'static Subject],
    /// Whether it is shown for every other subject too, wherever its room is.
    pub for_all: bool,
    /// The words of the button that leads to it from the result of its first subject.
    pub link: Option<&'static str>,
    /// Why a host has nothing to study of this, in a sentence; `None` if it has.
    lacking: fn(&Scenario) -> Option<&'static str>,
    /// What is missed, before the reason: in a host that has the control, so that a reader looks for the curves.
    missed: fn(&Scenario) -> Option<&'static str>,
    /// The places along the horizontal axis for the study of a host, by name.
    places: fn(&Scenario) -> Vec<String>,
    /// How many lines it has.
    pub lines: usize,
    /// Makes a host what it is on a line, at a place.
    put: fn(&mut Scenario, usize, usize),
    /// The places that are run before all others, in their order.
    first: &'static [usize],
    /// Whether its runs may measure for less time than the bench does.
    pub is_shortened: bool,
    /// Where a host stands along the horizontal axis. `None` if the hosts are those of a source, whatever is on the bench.
    stands: Option<fn(&Scenario) -> Place>,
    /// Its charts.
    pub charts: fn(&Studied) -> Vec<Chart>,
    /// Its table, if it has one and there is something in it.
    pub table: fn(&Studied) -> Option<Table>,
    /// The knob that stands beside its curves.
    pub slider: Option<Slider>,
    /// The chart whose values can be shown as multiples.
    pub scale: Option<Scale>,
    /// What IBM published of it.
    pub published: Published,
}

/// A study is known by its name.
impl PartialEq for StudyKind {
    fn eq(&self, other: &StudyKind) -> bool {
        self.name == other.name
    }
}

impl std::fmt::Debug for StudyKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "StudyKind({})", self.name)
    }
}

impl StudyKind {
    /// What most studies have: one line of places, nothing beside their curves, nothing published. Each says the rest itself.
    const PLAIN: StudyKind = StudyKind {
        name: "",
        title: "",
        room: Room::Overview,
        stand: Stand::First,
        subjects: &[],
        for_all: false,
        link: None,
        lacking: |_| None,
        missed: |_| None,
        places: |_| Vec::new(),
        lines: 1,
        put: |_, _, _| (),
        first: &[],
        is_shortened: false,
        stands: None,
        charts: |_| Vec::new(),
        table: |_| None,
        slider: None,
        scale: None,
        published: Published::Nothing("No figures are published for this."),
    };

    /// Why `scenario` has nothing to study of this, in a sentence; `None` where it has.
    pub fn lacking(&self, scenario: &Scenario) -> Option<&'static str> {
        (self.lacking)(scenario)
    }

    /// The words in place of its curves, if `scenario` has the control that they are of.
    pub fn missed(&self, scenario: &Scenario) -> Option<String> {
        let why = self.lacking(scenario).unwrap_or("the settings cannot be run");
        (self.missed)(scenario).map(|what| format!("{what}: {why}."))
    }

    /// The places along the horizontal axis for the study of `base`, by name.
    pub fn places(&self, base: &Scenario) -> Vec<String> {
        (self.places)(base)
    }

    /// `scenario` as it is at a place on a line.
    pub fn put(&self, scenario: &Scenario, line: usize, place: usize) -> Scenario {
        let mut scenario = scenario.clone();
        (self.put)(&mut scenario, line, place);
        scenario
    }

    /// Where among the first to be run a place stands; `None` for one that is not of them.
    pub fn first(&self, place: usize) -> Option<usize> {
        self.first.iter().position(|first| *first == place)
    }

    /// What has changed from one scenario to another, apart from what is studied.
    pub fn changes(&self, from: &Scenario, to: &Scenario) -> Vec<String> {
        changes(&self.put(from, 0, 0), &self.put(to, 0, 0))
    }

    /// Where `scenario` stands along the horizontal axis, and what is written there. `None` if the study is not of the bench.
    pub fn stands(&self, scenario: &Scenario) -> Option<Place> {
        self.stands.map(|stands| stands(scenario))
    }

    /// Whether its hosts are that of the bench but for what is studied; else they are those of a source.
    pub fn is_of_bench(&self) -> bool {
        self.stands.is_some()
    }

    /// Whether it is shown where the bench is about `subject`.
    pub fn is_shown(&self, subject: &Subject) -> bool {
        self.for_all || self.subjects.contains(&subject)
    }
}
