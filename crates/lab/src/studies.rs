//! The studies of the laboratory. A study shows what one control does to a host. Each has a file: its hosts, its curves and
//! tables, where the page shows it, and what IBM published about it.
//!
//! To add a study, add a file in this folder, its `mod` and its entry in `STUDIES`. A study of curves alone fills in a
//! [`curves::Plain`].

pub mod arc;
pub mod curves;
pub mod guest_zhpf;
pub mod limit_hard;
pub mod overcommit;
pub mod places;
pub mod pldv;
pub mod prsm_overhead;
pub mod release;
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

/// Every study. A room shows its studies in this order.
pub static STUDIES: &[&StudyKind] = &[
    set_cu::SET_CU,
    guest_zhpf::GUEST_ZHPF,
    limit_hard::LIMIT_HARD,
    storbuf::STORBUF,
    overcommit::OVERCOMMIT,
    arc::ARC,
    prsm_overhead::PRSM_OVERHEAD,
    spin_lock::SPIN_LOCK,
    pldv::PLDV,
    release::RELEASE,
];

/// A position along the horizontal axis: its distance from the first place, counted in places (a fraction lies between two),
/// and its label.
pub type Place = (f64, String);

/// Where in its room the page shows a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// At the head of the room.
    First,
    /// Above the room's charts, below the rest of the room.
    BeforeCharts,
}

/// Which published figures the page shows beside a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    /// Published runs, each at the place that has its scenario.
    Runs,
    /// None; the sentence says so.
    Nothing(&'static str),
}

/// The knob that a study turns, a share between two claimants. The page shows it again beside the curves.
pub struct Slider {
    /// The path of the knob.
    pub path: &'static str,
    /// The text before its value.
    pub command: &'static str,
    /// The names of its two ends.
    pub ends: [&'static str; 2],
    /// Its value as the screen shows it, and in words for screen readers.
    pub value: fn(&Scenario) -> (String, String),
}

/// A chart whose values can be shown as multiples.
pub struct Scale {
    /// The id of the chart.
    pub chart: &'static str,
    /// The legend of the choice.
    pub legend: &'static str,
    /// The two choices: values as they are, and multiples.
    pub choices: [&'static str; 2],
}

/// A study: everything that is particular to it. Other code asks a study about a host through the methods.
pub struct StudyKind {
    /// Its name in the page. No two studies have the same.
    pub name: &'static str,
    /// The title of its curves.
    pub title: &'static str,
    /// The room that shows it.
    pub room: Room,
    /// Where in that room.
    pub stand: Stand,
    /// The subjects for which it is shown. Other subjects may show the same room without it.
    pub subjects: &'static [&'static Subject],
    /// Whether every other subject shows it too, wherever its room is.
    pub for_all: bool,
    /// The label of the button that leads to it from the result of its first subject.
    pub link: Option<&'static str>,
    /// Why a host cannot have this study, in a sentence; `None` if it can.
    lacking: fn(&Scenario) -> Option<&'static str>,
    /// What the reader of this host would miss, said before the reason: the host has the control, so the reader looks for
    /// the curves.
    missed: fn(&Scenario) -> Option<&'static str>,
    /// The names of the places along the horizontal axis for a host. If all are ascending numbers, they are that far apart.
    places: fn(&Scenario) -> Vec<String>,
    /// How many lines it has.
    pub lines: usize,
    /// Changes a host into the one at this line and place.
    put: fn(&mut Scenario, usize, usize),
    /// The places that run before all others, in their order.
    first: &'static [usize],
    /// Whether its runs may measure for a shorter time than the scenario on the bench.
    pub is_shortened: bool,
    /// Where a host is along the horizontal axis. `None` if the study's hosts are those of a source, whatever is on the
    /// bench.
    stands: Option<fn(&Scenario) -> Place>,
    /// Its charts.
    pub charts: fn(&Studied) -> Vec<Chart>,
    /// Its table; `None` if it has none or the table would be empty.
    pub table: fn(&Studied) -> Option<Table>,
    /// The knob that stands beside its curves.
    pub slider: Option<Slider>,
    /// The chart whose values can be shown as multiples.
    pub scale: Option<Scale>,
    /// What IBM published about it.
    pub published: Published,
}

/// Two studies are equal if their names are.
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
    /// The defaults that most studies share: one line, nothing beside the curves, nothing published. Each study adds the
    /// rest.
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

    /// Why `scenario` cannot have this study, in a sentence; `None` if it can.
    pub fn lacking(&self, scenario: &Scenario) -> Option<&'static str> {
        (self.lacking)(scenario)
    }

    /// The text in place of the curves; `None` if `scenario` lacks the control that they study.
    pub fn missed(&self, scenario: &Scenario) -> Option<String> {
        let why = self.lacking(scenario).unwrap_or("the settings cannot be run");
        (self.missed)(scenario).map(|what| format!("{what}: {why}."))
    }

    /// The names of the places along the horizontal axis for `base`.
    pub fn places(&self, base: &Scenario) -> Vec<String> {
        (self.places)(base)
    }

    /// `scenario` changed into the host at this line and place.
    pub fn put(&self, scenario: &Scenario, line: usize, place: usize) -> Scenario {
        let mut scenario = scenario.clone();
        (self.put)(&mut scenario, line, place);
        scenario
    }

    /// The position of a place among those that run first; `None` if it is not among them.
    pub fn first(&self, place: usize) -> Option<usize> {
        self.first.iter().position(|first| *first == place)
    }

    /// What differs between two scenarios, apart from what the study itself changes.
    pub fn changes(&self, from: &Scenario, to: &Scenario) -> Vec<String> {
        changes(&self.put(from, 0, 0), &self.put(to, 0, 0))
    }

    /// Where `scenario` is along the horizontal axis, with its label. `None` if the study's hosts are those of a source.
    pub fn stands(&self, scenario: &Scenario) -> Option<Place> {
        self.stands.map(|stands| stands(scenario))
    }

    /// Whether its hosts are the bench's host with only the studied control changed; otherwise they are those of a source.
    pub fn is_of_bench(&self) -> bool {
        self.stands.is_some()
    }

    /// Whether the page shows it for `subject`.
    pub fn is_shown(&self, subject: &Subject) -> bool {
        self.for_all || self.subjects.contains(&subject)
    }
}
