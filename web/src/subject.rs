//! The subjects of the laboratory: what one can look into, and the hosts at which each begins. Knows no browser.

use zvmlab::Scenario;
use zvmlab::constants::Constants;
use zvmlab::scenario::{Level, LimitType, PAGES_PER_MB, ShareType, SpinLock};

use crate::published::source_id;
use crate::ready::{like, scenario_of};

/// What a subject is about: its link stands with those of the same part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Paging, minidisks, and the devices that both are on.
    Storage,
    /// Who may run, who runs, and at what price.
    Processors,
}

impl Part {
    /// Every part, in the order in which they stand.
    pub const ALL: [Part; 2] = [Part::Storage, Part::Processors];

    /// What stands before its links.
    pub fn title(self) -> &'static str {
        match self {
            Part::Storage => "Storage and devices",
            Part::Processors => "Scheduler and processors",
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
}

/// One subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// What its link says.
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
    pub room: &'static str,
    /// Whether it is about what the volumes are.
    pub kinds: bool,
}

const fn setup(id: &'static str, title: &'static str) -> Setup {
    Setup { id, title }
}

/// How minidisk and paging I/O share the page volumes' control unit, and what is done to either.
pub const PAGING: &Subject = &Subject {
    title: "Paging",
    question: "What larger blocks, zHPF and aliases do for paging",
    part: Part::Storage,
    source: Some("paging-6.4"),
    setups: &[setup("V4DVY000", "four volumes")],
    room: "overview",
    kinds: false,
};

/// Aliases shared by minidisk and paging I/O.
pub const SET_CU: &Subject = &Subject {
    title: "SET CU",
    question: "How minidisk and paging I/O share the aliases of a control unit",
    part: Part::Storage,
    source: Some("alias-share-6.4"),
    setups: &[setup("QRBKW055", "equal shares")],
    room: "control-unit",
    kinds: false,
};

/// Transport mode for guests.
pub const GUEST_ZHPF: &Subject = &Subject {
    title: "Guest zHPF",
    question: "What transport mode does for the I/O of a guest, and to its minidisk cache",
    part: Part::Storage,
    source: Some("guest-zhpf-6.2"),
    setups: &[setup("JB001238", "command mode")],
    room: "minidisks",
    kinds: false,
};

/// What the page volumes are.
pub const KINDS: &Subject = &Subject {
    title: "Kinds of device",
    question: "What spinning disk, SSD and flash do for paging",
    part: Part::Storage,
    source: Some("ssd-deck"),
    setups: &[setup("LPAR1 w/o DS8870", "spinning disk")],
    room: "paging",
    kinds: true,
};

/// The eligible list and its barriers.
pub const STORBUF: &Subject = &Subject {
    title: "STORBUF",
    question: "Who waits in the eligible list, and is it better to wait there or to page?",
    part: Part::Processors,
    source: None,
    setups: &[
        setup("STORBUF", "Constrained host"),
        setup("STORBUF-FITS", "Guests nearly fit"),
        setup("CLASSES", "CMS, batch and Linux"),
    ],
    room: "scheduler",
    kinds: false,
};

/// Shares and limits.
pub const SHARES: &Subject = &Subject {
    title: "Shares",
    question: "Who gets how much of the processors, and what becomes of a share that its guest does not take?",
    part: Part::Processors,
    source: Some("excess-share-6.2"),
    setups: &[
        setup("Excess share, cured", "Excess share"),
        setup("Excess share, fault", "… with the fault"),
        setup("All four compute-bound", "No excess"),
        setup("LIMIT-SUM", "LIMITHARD, shares over 100 %"),
        setup("LIMIT-LOW-MIN", "LIMITHARD, low minimum"),
        setup("LIMIT-NOT-BUSY", "LIMITHARD, host not busy"),
    ],
    room: "scheduler",
    kinds: false,
};

/// Diag X'44' of guests, and CP's own spin locks.
pub const LOCKS: &Subject = &Subject {
    title: "Locks and yields",
    question: "What does it cost to wait for a lock whose holder does not run?",
    part: Part::Processors,
    source: Some("diag44-5.2"),
    setups: &[
        setup("APS9220", "Diag X'44' of a guest, z/VM 5.1"),
        setup("APT9280", "… with the fast path, z/VM 5.2"),
        setup("SPIN-LOCK", "CP's spin locks"),
    ],
    room: "locks",
    kinds: false,
};

/// Partitions that share processors.
pub const PRSM: &Subject = &Subject {
    title: "PR/SM",
    question: "What is the partition entitled to, and what do logical processors beyond that cost?",
    part: Part::Processors,
    source: None,
    setups: &[setup("PRSM", "four partitions")],
    room: "prsm",
    kinds: false,
};

/// Ready work that is forgotten, and work that piles up behind a lock.
pub const PLDV: &Subject = &Subject {
    title: "PLDV and VARY",
    question: "Why does ready work not run while a processor has nothing to do?",
    part: Part::Processors,
    source: None,
    setups: &[setup("PLDV", "PLDV overflow (VM64887)"), setup("VARY", "VARY PROCESSOR (VM64767)")],
    room: "processors",
    kinds: false,
};

/// Every subject, in the order of their links.
pub const SUBJECTS: [&Subject; 9] = [PAGING, SET_CU, GUEST_ZHPF, KINDS, STORBUF, SHARES, LOCKS, PRSM, PLDV];

impl Subject {
    /// The subject of a scenario that began as the ready experiment `run`: that of the ready experiment which it still is; that
    /// at which it began, while it is about the same kinds of I/O, or its guests' I/O is turned off; else what it is a matter of.
    pub fn of(scenario: &Scenario, run: Option<&str>) -> &'static Subject {
        let with = |run: &str| SUBJECTS.into_iter().find(|subject| subject.has(run));
        let kept = |run: &&str| {
            scenario_of(run).is_some_and(|base| ios(&base) == ios(scenario) || base.does_io() && !scenario.does_io())
        };
        let known = like(scenario).and_then(|run| with(&run)).or_else(|| run.filter(kept).and_then(with));
        known.unwrap_or_else(|| Subject::of_unknown(scenario))
    }

    /// What a host that nobody knows is a matter of: what it has that others have not tells.
    fn of_unknown(scenario: &Scenario) -> &'static Subject {
        let any = |of: fn(&zvmlab::scenario::GuestGroup) -> bool| scenario.guests.iter().any(of);
        let (dispatcher, shared) = (&scenario.dispatcher, scenario.processors.shared);
        match ios(scenario) {
            (true, true) => SET_CU,
            (true, false) => GUEST_ZHPF,
            _ if dispatcher.vary_s > 0 || !dispatcher.pldv_fix => PLDV,
            _ if any(|group| group.lock_us > 0) => LOCKS,
            // Locks of CP are contended wherever guests ask for services; how it waits for them matters among partitions.
            _ if any(|group| group.service_us > 0) && (!shared || dispatcher.spin_lock == SpinLock::Diag44) => LOCKS,
            _ if shared => PRSM,
            _ if any(|group| group.limit_type != LimitType::NoLimit || group.share_type == ShareType::Absolute) => SHARES,
            _ if scenario.guests.windows(2).any(|pair| pair[0].share_relative != pair[1].share_relative) => SHARES,
            _ if scenario.level.keeps_eligible() && pages(scenario) => STORBUF,
            _ => PAGING,
        }
    }

    /// Whether the ready experiment `id` is one of it.
    pub fn has(&self, id: &str) -> bool {
        self.setups.iter().any(|setup| setup.id == id) || source_id(id).is_some_and(|source| self.source == Some(source))
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
}

/// Which I/O there is: to minidisks, and beside it to page volumes; without the former it is all about the latter.
fn ios(scenario: &Scenario) -> (bool, bool) {
    let io = scenario.does_io();
    (io, !io || pages(scenario))
}

/// Storage that the guests touch, all together.
pub fn looped_mb(scenario: &Scenario) -> u64 {
    scenario.guests.iter().map(|group| u64::from(group.count) * group.loop_mb).sum()
}

/// Whether the guests touch more than there are frames for them, so that the host pages.
pub fn pages(scenario: &Scenario) -> bool {
    looped_mb(scenario) * PAGES_PER_MB > scenario.guest_frames(&Constants::default())
}

/// Whether some page volume is an ECKD volume, which can have aliases.
pub fn has_eckd_pages(scenario: &Scenario) -> bool {
    let paging = &scenario.paging;
    paging.kind.is_eckd() || paging.other_volumes > 0 && paging.other_kind.is_eckd()
}

/// Whether minidisk and paging I/O can use aliases, as many as there may be: EDEVs have none, paging had none before 6.4.
pub fn alias_users(scenario: &Scenario) -> (bool, bool) {
    let (paging, minidisks) = (&scenario.paging, &scenario.minidisks);
    let on_minidisks = minidisks.volumes > 0 && minidisks.kind.is_eckd();
    let mdisk = on_minidisks || minidisks.on_page_volumes && has_eckd_pages(scenario);
    (scenario.does_io() && mdisk, scenario.level >= Level::V6_4 && paging.alias && has_eckd_pages(scenario))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::{runs, sources};
    use crate::ready::examples;

    #[test]
    fn every_source_and_every_example_has_its_subject() {
        for source in sources() {
            let subjects = SUBJECTS.iter().filter(|subject| subject.source == Some(source.id)).count();
            assert_eq!(subjects, 1, "{}", source.id);
        }
        for run in runs() {
            assert_eq!(Subject::of(&run.scenario, None).source, Some(run.source_id.as_str()), "{}", run.id);
        }
        for ready in examples() {
            let subjects: Vec<_> = SUBJECTS.into_iter().filter(|subject| subject.has(ready.example.id)).collect();
            assert_eq!(subjects, [Subject::of(&ready.scenario, None)], "{}", ready.example.id);
        }
    }

    #[test]
    fn every_setup_is_a_host_of_its_subject() {
        for subject in SUBJECTS {
            for setup in subject.setups {
                let scenario = scenario_of(setup.id).unwrap_or_else(|| panic!("{} is no ready experiment", setup.id));
                assert!(scenario.check().is_ok(), "{}", setup.id);
                assert_eq!(Subject::of(&scenario, Some(setup.id)), subject, "{}", setup.id);
            }
            assert!(!subject.setups.is_empty(), "{}", subject.title);
        }
    }

    #[test]
    fn a_changed_host_stays_with_its_subject_while_it_does_the_same_kinds_of_io() {
        for subject in SUBJECTS {
            for setup in subject.setups {
                let mut scenario = scenario_of(setup.id).expect("a ready experiment");
                scenario.lcu.paths = 7;
                assert_eq!(Subject::of(&scenario, Some(setup.id)), subject, "{}", setup.id);
                scenario.guests[0].count += 1;
                scenario.level = Level::V6_3;
                scenario.processors.capacity_percent = 50;
                assert_eq!(Subject::of(&scenario, Some(setup.id)), subject, "{}", setup.id);
            }
        }
        let mut scenario = KINDS.base().expect("a published run");
        scenario.lcu.paths = 7;
        assert_eq!(Subject::of(&scenario, None), PAGING, "nobody knows where it began");
        let mut scenario = SET_CU.base().expect("a published run");
        scenario.guests.truncate(1);
        assert_eq!(Subject::of(&scenario, Some(SET_CU.start())), GUEST_ZHPF, "it pages no more");
        let mut scenario = SET_CU.base().expect("a published run");
        scenario.guests[0].io_records = 0;
        assert_eq!(Subject::of(&scenario, Some(SET_CU.start())), SET_CU, "the way back is that of SET CU");
    }

    #[test]
    fn a_host_that_nobody_knows_is_a_matter_of_what_it_has() {
        for subject in SUBJECTS.into_iter().filter(|subject| subject.is_of_processors()) {
            let mut scenario = subject.base().expect("a ready experiment");
            scenario.lcu.paths = 7;
            assert_eq!(Subject::of(&scenario, None), subject, "{}", subject.title);
        }
    }
}
