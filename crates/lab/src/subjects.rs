//! The subjects of the laboratory: one file each for what a reader can study, and how to find the subject of a host.
//!
//! A new subject needs a file in this folder, its `mod` and its entry in `SUBJECTS`. What several subjects share is in the files
//! `of_…`, which they call.

pub mod below;
pub mod beside;
pub mod big_memory;
pub mod brief;
pub mod catalogue;
pub mod clients;
pub mod cluster;
pub mod constrained;
pub mod contiguous;
pub mod evacuation;
pub mod expanded;
pub mod guest_zhpf;
pub mod headline;
pub mod introduction;
pub mod kinds;
pub mod lead;
pub mod link;
pub mod locks;
pub mod minidisk_cache;
pub mod moving;
pub mod next_step;
pub mod of_processors;
pub mod of_relocation;
pub mod of_storage;
pub mod overcommit;
pub mod paging;
pub mod pldv;
pub mod prsm;
pub mod release;
pub mod reorder;
pub mod reserved;
pub mod searches;
pub mod set_cu;
pub mod shares;
pub mod storbuf;
pub mod twenty_five;
pub mod whole;

use std::cell::RefCell;
use std::collections::BTreeMap;

use zvmlab::limit::ResourceKind;
use zvmlab::{Scenario, Snapshot};

use crate::host::{ios, is_cluster};
use crate::knob::Knob;
use crate::knob::groups::{self, Group};
use crate::published::ready::{example, like, scenario_of, stated};
use crate::published::source_id;
use crate::room::Room;
use lead::{Lead, Table};
use next_step::Chain;
use paging::PAGING;

/// Every subject, in the order of their links.
pub static SUBJECTS: &[&Subject] = &[
    whole::WHOLE,
    PAGING,
    overcommit::OVERCOMMIT,
    reorder::REORDER,
    reserved::RESERVED,
    below::BELOW,
    searches::SEARCHES,
    expanded::EXPANDED,
    contiguous::CONTIGUOUS,
    big_memory::BIG_MEMORY,
    set_cu::SET_CU,
    guest_zhpf::GUEST_ZHPF,
    minidisk_cache::MINIDISK_CACHE,
    kinds::KINDS,
    clients::CLIENTS,
    storbuf::STORBUF,
    shares::SHARES,
    locks::LOCKS,
    release::RELEASE,
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

/// What a subject asks of its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// To begin with: it needs no other subject.
    Basics,
    /// It goes on from the basics of its part.
    Further,
}

impl Depth {
    /// In a word, for its card.
    pub const fn words(self) -> &'static str {
        match self {
            Depth::Basics => "basics",
            Depth::Further => "further on",
        }
    }
}

/// Minutes that a reader looks round before the first step, and minutes for each step: chosen, from timed walks of new users.
const MINUTES_FIRST: usize = 2;
const MINUTES_A_STEP: usize = 1;

/// The part of a subject. The links of a part stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Everything at once.
    Whole,
    /// Paging, minidisks, and the devices that both are on.
    Storage,
    /// Which guest may run, which runs, and what that costs.
    Processors,
    /// Members of a cluster, the link between them, and guests that move.
    Relocation,
}

impl Part {
    /// Every part, in the order of the page.
    pub const ALL: [Part; 4] = [Part::Whole, Part::Storage, Part::Processors, Part::Relocation];

    /// The words before its links.
    pub fn title(self) -> &'static str {
        match self {
            Part::Whole => "Begin here",
            Part::Storage => "Storage and devices",
            Part::Processors => "Scheduler and processors",
            Part::Relocation => "Live Guest Relocation",
        }
    }

    /// Its name in the page.
    pub fn id(self) -> &'static str {
        match self {
            Part::Whole => "subjects-whole",
            Part::Storage => "subjects-storage",
            Part::Processors => "subjects-processors",
            Part::Relocation => "subjects-relocation",
        }
    }
}

/// A host with which a subject can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The id of the published run, or of the example.
    pub id: &'static str,
    /// The words of its link.
    pub title: &'static str,
    /// Its words on the way back to it.
    pub back: &'static str,
    /// What it shows, in a sentence; empty where its example's question says that.
    shown: &'static str,
}

impl Setup {
    /// A host with the words of its link.
    pub const fn new(id: &'static str, title: &'static str) -> Setup {
        Setup { id, title, back: "As it was chosen.", shown: "" }
    }

    /// The same with its words on the way back to it.
    pub const fn back(self, back: &'static str) -> Setup {
        Setup { back, ..self }
    }

    /// The same with what it shows.
    const fn showing(self, shown: &'static str) -> Setup {
        Setup { shown, ..self }
    }

    /// What it shows, in a sentence; none where its title says all.
    pub fn shows(&self) -> Option<&'static str> {
        if self.shown.is_empty() { example(self.id).map(|ready| ready.example.question) } else { Some(self.shown) }
    }
}

/// The sign of a subject: what a host of it has. A host of unknown origin is recognised by it.
struct Sign {
    /// Its place in the search, among the subjects of clusters or among the others. The smallest comes first, so a more special
    /// sign has a smaller number. No two are equal.
    order: u32,
    /// Whether the host has the sign. Earlier signs did not match.
    is_seen: fn(&Scenario) -> bool,
}

/// A remark beside the figures of a result. The words are made by `rooms::remark`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remark {
    /// Which guests wait in the eligible list, and why.
    WhoWaits,
    /// What IBM measured of CP's time when the fast path of Diag X'44' came.
    FastPath,
}

/// Parts of a subject's result that most others do not have.
pub struct Particulars {
    /// A count at the end of a run that stands beside the figures, with the words after its number.
    pub count: fn(&Scenario, &Snapshot) -> Option<(u32, &'static str)>,
    /// The remark below the figures.
    pub remark: Option<Remark>,
    /// Whether there is room only for some figures, those that changed most. All have one unit.
    pub most_changed_first: bool,
    /// Whether the table leaves out figures that stay zero. They are of things that the host does not have.
    pub hides_nought: bool,
    /// A published rule of the subject: what it says of this host, or the host that shows it.
    pub rule: fn(&Scenario) -> Option<Rule>,
}

/// A published rule in a sentence or two. Where this host does not show it, the words lead to one that does.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// What it says.
    pub said: String,
    /// The host that shows it, if this one does not.
    pub shown_by: Option<&'static Setup>,
}

impl Particulars {
    /// None of these parts.
    pub const NONE: Particulars =
        Particulars { count: |_, _| None, remark: None, most_changed_first: false, hides_nought: false, rule: |_| None };
}

/// One subject with all that is special to it. Questions about its hosts go through the methods.
pub struct Subject {
    /// The words of its link. No two subjects have the same.
    pub title: &'static str,
    /// The question that it answers.
    pub question: &'static str,
    /// What it asks of the reader.
    pub depth: Depth,
    /// Its part.
    pub part: Part,
    /// The sources of its published runs, by id.
    pub sources: &'static [&'static str],
    /// The hosts with which it can begin, the usual one first. Hosts of a source that has many runs are in the menu.
    pub setups: &'static [Setup],
    /// What limits the first of these hosts, as the catalogue's small picture of it shows; none where nothing is near its limit.
    /// A test runs the host.
    pub limit: Option<ResourceKind>,
    /// The room that shows it. It stands first.
    pub room: Room,
    /// The sign by which a host of unknown origin is recognised, if there is one.
    sign: Option<Sign>,
    /// The groups of knobs that stand first.
    groups: &'static [&'static str],
    /// Whether a knob is shown unasked. If that depends on the knob's own value, the knob stays while it is turned: the bench
    /// remembers which knobs were turned.
    is_main: fn(&Knob, &Scenario) -> bool,
    /// The knob that is worth a sweep, by its path.
    pub swept: fn(&Scenario) -> &'static str,
    /// The scenario in a sentence without an end.
    introduction: fn(&Scenario) -> String,
    /// The steps that make its point.
    chain: Chain,
    /// The figures that head the result, the most important first.
    leads: fn(&Scenario) -> Vec<Lead>,
    /// The figures that the table of the result always shows.
    table: fn(&Scenario) -> Table,
    /// Parts of its result that most others do not have.
    pub particulars: Particulars,
}

/// Subjects are equal if their titles are.
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
    /// How long a reader needs for it, in minutes; roughly.
    pub fn minutes(&self) -> usize {
        MINUTES_FIRST + MINUTES_A_STEP * self.chain.steps.len()
    }

    /// The subject of a scenario that began as the ready experiment `run`. First, the subject of the ready experiment that it still
    /// is. Next, the subject with which it began, if it is a cluster as that was, has the same kinds of I/O, or its guests' I/O is
    /// off. Otherwise the subject whose sign it has.
    pub fn of(scenario: &Scenario, run: Option<&str>) -> &'static Subject {
        let alike = |base: &Scenario| match (is_cluster(base), is_cluster(scenario)) {
            (true, true) => true,
            (false, false) => ios(base) == ios(scenario) || base.does_io() && !scenario.does_io(),
            _ => false,
        };
        // Whether such a host pages is what its subject is about, not what tells it from others.
        let below = |base: &Scenario, run: &str| {
            Subject::with(run) == Some(below::BELOW) && !is_cluster(scenario) && base.does_io() == scenario.does_io()
        };
        let kept = |run: &&str| stated(run).is_some_and(|base| alike(base) || below(base, run));
        let known = like(scenario).and_then(|run| Subject::with(&run)).or_else(|| run.filter(kept).and_then(Subject::with));
        known.unwrap_or_else(|| Subject::of_unknown(scenario))
    }

    /// The subject that has the ready experiment `run`.
    fn with(run: &str) -> Option<&'static Subject> {
        thread_local! {
            static WITH: RefCell<BTreeMap<String, Option<&'static Subject>>> = const { RefCell::new(BTreeMap::new()) };
        }
        // The page asks many times a second, of the same few; to ask each subject about each source takes milliseconds there.
        WITH.with_borrow_mut(|known| {
            if let Some(subject) = known.get(run) {
                return *subject;
            }
            let subject = SUBJECTS.iter().copied().find(|subject| subject.has(run));
            known.insert(run.into(), subject);
            subject
        })
    }

    /// The subject of a host of unknown origin: the first sign that matches decides.
    fn of_unknown(scenario: &Scenario) -> &'static Subject {
        let cluster = is_cluster(scenario);
        let order = |subject: &&Subject| {
            let sign = subject.sign.as_ref().filter(|_| subject.is_of_relocation() == cluster)?;
            (sign.is_seen)(scenario).then_some(sign.order)
        };
        let seen = SUBJECTS.iter().copied().filter_map(|subject| Some((order(&subject)?, subject)));
        // Where nothing is paged and no I/O is done, there are only processors to study.
        seen.min_by_key(|(order, _)| *order).map_or(shares::SHARES, |(_, subject)| subject)
    }

    /// Whether the ready experiment `id` is one of it. If subjects share a source, the first has the runs that none of them names.
    pub fn has(&self, id: &str) -> bool {
        let names = |subject: &Subject| subject.setups.iter().any(|setup| setup.id == id);
        let first = |source: &str| SUBJECTS.iter().copied().find(|subject| subject.sources.contains(&source));
        let is_of_source = || source_id(id).and_then(first) == Some(self);
        names(self) || is_of_source() && !SUBJECTS.iter().any(|subject| names(subject))
    }

    /// The id of the host with which it begins.
    pub fn start(&self) -> &'static str {
        self.setups.first().map_or("", |setup| setup.id)
    }

    /// The subject after it, in the order of their links; after the last, the first.
    pub fn following(&self) -> &'static Subject {
        let at = SUBJECTS.iter().position(|subject| *subject == self).map_or(0, |at| at + 1);
        SUBJECTS.get(at).copied().unwrap_or(PAGING)
    }

    /// The scenario with which it begins.
    pub fn base(&self) -> Option<Scenario> {
        scenario_of(self.start())
    }

    /// Whether it is about the scheduler and processors.
    pub fn is_of_processors(&self) -> bool {
        self.part == Part::Processors
    }

    /// Whether it is about a cluster and guests that move in it.
    pub fn is_of_relocation(&self) -> bool {
        matches!(self.part, Part::Relocation | Part::Whole)
    }

    /// Every group of knobs, in the order that suits it.
    pub fn groups(&self, scenario: &Scenario) -> Vec<Group> {
        groups::groups(scenario, self.groups)
    }

    /// Whether the knob is shown unasked.
    pub fn is_main(&self, knob: &Knob, scenario: &Scenario) -> bool {
        (self.is_main)(knob, scenario)
    }

    /// The subject whose words and figures suit the host: if guests do I/O, a subject of I/O, whatever the processors do.
    fn in_view_of(&self, scenario: &Scenario) -> &Subject {
        if self.is_of_processors() && scenario.does_io() { PAGING } else { self }
    }

    /// The scenario in a sentence without an end.
    pub fn introduction(&self, scenario: &Scenario) -> String {
        (self.in_view_of(scenario).introduction)(scenario)
    }

    /// The figures that head the result, the most important first.
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
