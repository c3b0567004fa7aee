//! The subjects of the laboratory: what one can look into, a file for each, and how the subject of a host is found.
//!
//! A new subject is a file of this room, its `mod` and its entry in `SUBJECTS`. What several subjects share stands in the files
//! `of_…`, which theirs call.

pub mod beside;
pub mod cluster;
pub mod constrained;
pub mod evacuation;
pub mod guest_zhpf;
pub mod headline;
pub mod introduction;
pub mod kinds;
pub mod lead;
pub mod link;
pub mod locks;
pub mod moving;
pub mod next_step;
pub mod of_processors;
pub mod of_relocation;
pub mod of_storage;
pub mod paging;
pub mod pldv;
pub mod prsm;
pub mod set_cu;
pub mod shares;
pub mod storbuf;
pub mod twenty_five;

use zvmlab::{Scenario, Snapshot};

use crate::host::{ios, is_cluster};
use crate::knob::Knob;
use crate::knob::groups::{self, Group};
use crate::published::ready::{like, scenario_of};
use crate::published::source_id;
use crate::room::Room;
use lead::{Lead, Table};
use next_step::NextStep;
use paging::PAGING;

/// Every subject, in the order of their links.
pub const SUBJECTS: &[&Subject] = &[
    PAGING,
    set_cu::SET_CU,
    guest_zhpf::GUEST_ZHPF,
    kinds::KINDS,
    storbuf::STORBUF,
    shares::SHARES,
    locks::LOCKS,
    prsm::PRSM,
    pldv::PLDV,
    moving::MOVE,
    link::LINK,
    twenty_five::TWENTY_FIVE,
    constrained::CONSTRAINED,
    beside::BESIDE,
    evacuation::EVACUATION,
    cluster::CLUSTER,
];

/// What a subject is about: its link stands with those of the same part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Paging, minidisks, and the devices that both are on.
    Storage,
    /// Who may run, who runs, and at what price.
    Processors,
    /// Members of a cluster, the link between them, and guests that move.
    Relocation,
}

impl Part {
    /// Every part, in the order in which they stand.
    pub const ALL: [Part; 3] = [Part::Storage, Part::Processors, Part::Relocation];

    /// What stands before its links.
    pub fn title(self) -> &'static str {
        match self {
            Part::Storage => "Storage and devices",
            Part::Processors => "Scheduler and processors",
            Part::Relocation => "Live Guest Relocation",
        }
    }

    /// Its name in the page.
    pub fn id(self) -> &'static str {
        match self {
            Part::Storage => "subjects-storage",
            Part::Processors => "subjects-processors",
            Part::Relocation => "subjects-relocation",
        }
    }
}

/// A host at which a subject can be begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The id of the published run, or of the example.
    pub id: &'static str,
    /// What its link says.
    pub title: &'static str,
    /// What is said of it where the way leads back to it.
    pub back: &'static str,
}

impl Setup {
    /// A host with what its link says.
    pub const fn new(id: &'static str, title: &'static str) -> Setup {
        Setup { id, title, back: "As it was chosen." }
    }

    /// The same with what is said of it where the way leads back to it.
    pub const fn back(self, back: &'static str) -> Setup {
        Setup { back, ..self }
    }
}

/// What a host has that is a subject's matter, by which one that nobody knows is recognised.
struct Sign {
    /// When it is looked for, among the subjects of clusters or among the others: the smallest first, so that what is more
    /// particular has a smaller number. No two have the same.
    order: u32,
    /// Whether the host has it. Signs that come earlier were not seen.
    is_seen: fn(&Scenario) -> bool,
}

/// What a result says beside its figures; `rooms::remark` has the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remark {
    /// Who waits in the eligible list, and why.
    WhoWaits,
    /// What was measured of CP's time where the fast path of Diag X'44' came.
    FastPath,
}

/// What the result of a subject has that most have not.
pub struct Particulars {
    /// A count at the end of a run that stands beside the figures, and what stands behind its number.
    pub count: fn(&Scenario, &Snapshot) -> Option<(u32, &'static str)>,
    /// What is said below the figures.
    pub remark: Option<Remark>,
    /// Whether there is room for some figures only, those that changed most: they are of one unit.
    pub most_changed_first: bool,
    /// Whether figures that stay at nought are left out of the table: they are of what the host has not.
    pub hides_nought: bool,
}

impl Particulars {
    /// Nothing of it all.
    pub const NONE: Particulars =
        Particulars { count: |_, _| None, remark: None, most_changed_first: false, hides_nought: false };
}

/// One subject: all that is particular to it. What others ask of a host in its place goes through the methods.
pub struct Subject {
    /// What its link says. No two have the same.
    pub title: &'static str,
    /// What one finds out.
    pub question: &'static str,
    /// The part that it is of.
    pub part: Part,
    /// The source of its published runs, where there is one.
    pub source: Option<&'static str>,
    /// The hosts at which it can be begun, the first before all others. Those of a source that offers many runs are in the menu.
    pub setups: &'static [Setup],
    /// The room that shows it, which stands first.
    pub room: Room,
    /// By what a host that nobody knows is recognised as its, if by anything.
    sign: Option<Sign>,
    /// The groups of knobs that stand first.
    groups: &'static [&'static str],
    /// Whether a knob is shown without asking. What hangs on the knob's own value stays all the same while it is turned: the bench
    /// remembers which knobs were.
    is_main: fn(&Knob, &Scenario) -> bool,
    /// The knob that is worth sweeping, by its path.
    pub swept: fn(&Scenario) -> &'static str,
    /// What is on the bench, in a sentence without an end.
    introduction: fn(&Scenario) -> String,
    /// What is obvious to try next on a host that was begun as the ready experiment of this id; where nothing is, the way back.
    next_step: fn(&Scenario, &str) -> Option<NextStep>,
    /// The figures that head the result, the first before all others.
    leads: fn(&Scenario) -> Vec<Lead>,
    /// The figures that the table of the result always shows.
    table: fn(&Scenario) -> Table,
    /// What its result has that most have not.
    pub particulars: Particulars,
}

/// A subject is known by its title.
impl PartialEq for Subject {
    fn eq(&self, other: &Subject) -> bool {
        self.title == other.title
    }
}

impl std::fmt::Debug for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Subject({})", self.title)
    }
}

impl Subject {
    /// The subject of a scenario that began as the ready experiment `run`: that of the ready experiment which it still is; that
    /// at which it began, while it is a cluster as that was; where neither is one, while it is about the same kinds of I/O, or its
    /// guests' I/O is turned off; else what it is a matter of.
    pub fn of(scenario: &Scenario, run: Option<&str>) -> &'static Subject {
        let with = |run: &str| SUBJECTS.iter().copied().find(|subject| subject.has(run));
        let alike = |base: &Scenario| match (is_cluster(base), is_cluster(scenario)) {
            (true, true) => true,
            (false, false) => ios(base) == ios(scenario) || base.does_io() && !scenario.does_io(),
            _ => false,
        };
        let kept = |run: &&str| scenario_of(run).is_some_and(|base| alike(&base));
        let known = like(scenario).and_then(|run| with(&run)).or_else(|| run.filter(kept).and_then(with));
        known.unwrap_or_else(|| Subject::of_unknown(scenario))
    }

    /// What a host that nobody knows is a matter of: the first sign that is seen tells.
    fn of_unknown(scenario: &Scenario) -> &'static Subject {
        let cluster = is_cluster(scenario);
        let order = |subject: &&Subject| {
            let sign = subject.sign.as_ref().filter(|_| subject.is_of_relocation() == cluster)?;
            (sign.is_seen)(scenario).then_some(sign.order)
        };
        let seen = SUBJECTS.iter().copied().filter_map(|subject| Some((order(&subject)?, subject)));
        seen.min_by_key(|(order, _)| *order).map_or(PAGING, |(_, subject)| subject)
    }

    /// Whether the ready experiment `id` is one of it. Where two subjects have runs of one source, each names its own.
    pub fn has(&self, id: &str) -> bool {
        let names = |subject: &Subject| subject.setups.iter().any(|setup| setup.id == id);
        let is_of_source = || source_id(id).is_some_and(|source| self.source == Some(source));
        names(self) || is_of_source() && !SUBJECTS.iter().any(|subject| names(subject))
    }

    /// The id of the host at which it begins.
    pub fn start(&self) -> &'static str {
        self.setups.first().map_or("", |setup| setup.id)
    }

    /// The scenario at which it begins.
    pub fn base(&self) -> Option<Scenario> {
        scenario_of(self.start())
    }

    /// Whether it is about the scheduler and processors.
    pub fn is_of_processors(&self) -> bool {
        self.part == Part::Processors
    }

    /// Whether it is about a cluster and guests that move in it.
    pub fn is_of_relocation(&self) -> bool {
        self.part == Part::Relocation
    }

    /// Every group of knobs, in the order that suits it.
    pub fn groups(&self, scenario: &Scenario) -> Vec<Group> {
        groups::groups(scenario, self.groups)
    }

    /// Whether the knob is shown without asking.
    pub fn is_main(&self, knob: &Knob, scenario: &Scenario) -> bool {
        (self.is_main)(knob, scenario)
    }

    /// The subject whose words and figures suit the host: where guests do I/O that is the matter, whatever the processors do.
    fn in_view_of(&self, scenario: &Scenario) -> &Subject {
        if self.is_of_processors() && scenario.does_io() { PAGING } else { self }
    }

    /// What is on the bench, in a sentence without an end.
    pub fn introduction(&self, scenario: &Scenario) -> String {
        (self.in_view_of(scenario).introduction)(scenario)
    }

    /// The figures that head the result, the first before all others.
    pub fn leads(&self, scenario: &Scenario) -> Vec<Lead> {
        (self.in_view_of(scenario).leads)(scenario)
    }

    /// The figures that the table of the result always shows.
    pub fn table(&self, scenario: &Scenario) -> Table {
        (self.in_view_of(scenario).table)(scenario)
    }
}

#[cfg(test)]
mod tests;
