//! The subjects of the laboratory: what one can look into, and the published run at which each begins. Knows no browser.

use zvmlab::Scenario;
use zvmlab::constants::Constants;
use zvmlab::scenario::{Level, PAGES_PER_MB};

use crate::published::{run_like, scenario_of, source_id};

/// One subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// What its link says.
    pub title: &'static str,
    /// What one finds out, for those who point at the link.
    pub question: &'static str,
    /// The source of its runs.
    pub source: &'static str,
    /// The run at which it begins.
    pub run: &'static str,
    /// The room that shows it, which stands first.
    pub room: &'static str,
    /// Whether it is about what the volumes are.
    pub kinds: bool,
}

/// Every subject, in the order of their links.
pub const SUBJECTS: [Subject; 4] = [
    Subject {
        title: "Paging",
        question: "What larger blocks, zHPF and aliases do for paging",
        source: "paging-6.4",
        run: "V4DVY000",
        room: "overview",
        kinds: false,
    },
    Subject {
        title: "SET CU",
        question: "How minidisk and paging I/O share the aliases of a control unit",
        source: "alias-share-6.4",
        run: "QRBKW055",
        room: "control-unit",
        kinds: false,
    },
    Subject {
        title: "Guest zHPF",
        question: "What transport mode does for the I/O of a guest, and to its minidisk cache",
        source: "guest-zhpf-6.2",
        run: "JB001238",
        room: "minidisks",
        kinds: false,
    },
    Subject {
        title: "Kinds of device",
        question: "What spinning disk, SSD and flash do for paging",
        source: "ssd-deck",
        run: "LPAR1 w/o DS8870",
        room: "paging",
        kinds: true,
    },
];

impl Subject {
    /// The subject of a scenario that began as the published run `run`: that of the published run which it still is; that at
    /// which it began, while it is about the same kinds of I/O, or its guests' I/O is turned off; else what its kinds of I/O
    /// are a matter of.
    pub fn of(scenario: &Scenario, run: Option<&str>) -> &'static Subject {
        let like = |run: &str| SUBJECTS.iter().find(|subject| source_id(run) == Some(subject.source));
        let off = |base: &Scenario| base.does_io() && !scenario.does_io();
        let kept = |subject: &&Subject| subject.base().is_some_and(|base| ios(&base) == ios(scenario) || off(&base));
        let known = run_like(scenario).and_then(|run| like(&run)).or_else(|| run.and_then(like).filter(kept));
        let [paging, set_cu, guest_zhpf, _] = &SUBJECTS;
        known.unwrap_or(match ios(scenario) {
            (false, _) => paging,
            (true, true) => set_cu,
            (true, false) => guest_zhpf,
        })
    }

    /// The scenario at which it begins.
    pub fn base(&self) -> Option<Scenario> {
        scenario_of(self.run)
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

    #[test]
    fn every_source_has_its_subject_and_every_run_is_of_it() {
        let of_sources: Vec<&str> = sources().iter().map(|source| source.id).collect();
        assert_eq!(SUBJECTS.map(|subject| subject.source).to_vec(), of_sources);
        for run in runs() {
            assert_eq!(Subject::of(&run.scenario, None).source, run.source_id, "{}", run.id);
        }
        for subject in SUBJECTS {
            assert!(subject.base().is_some_and(|base| base.check().is_ok()), "{}", subject.title);
        }
    }

    #[test]
    fn a_changed_host_stays_with_its_subject_while_it_does_the_same_kinds_of_io() {
        let [paging, set_cu, guest_zhpf, kinds] = SUBJECTS;
        for subject in SUBJECTS {
            let mut scenario = subject.base().expect("a published run");
            scenario.lcu.paths = 7;
            assert_eq!(*Subject::of(&scenario, Some(subject.run)), subject);
        }
        let mut scenario = kinds.base().expect("a published run");
        scenario.lcu.paths = 7;
        assert_eq!(*Subject::of(&scenario, None), paging, "nobody knows where it began");
        let mut scenario = set_cu.base().expect("a published run");
        scenario.guests.truncate(1);
        assert_eq!(*Subject::of(&scenario, Some(set_cu.run)), guest_zhpf, "it pages no more");
        let mut scenario = set_cu.base().expect("a published run");
        scenario.guests[0].io_records = 0;
        assert_eq!(*Subject::of(&scenario, Some(set_cu.run)), set_cu, "the way back is that of SET CU");
    }
}
