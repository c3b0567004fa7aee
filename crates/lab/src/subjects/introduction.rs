//! The first sentences of the page: the scenario on the bench, and what the reader can do with it.

use zvmlab::Scenario;

use crate::published::ready::{example, example_like};
use crate::published::{has_figures, is_of_chosen_host, run_like};
use crate::subjects::{Part, Subject};

/// What stands behind the figures of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// IBM measured a host with these settings.
    Measured,
    /// IBM measured a host with these settings, and prints only how it compares with others.
    Compared,
    /// IBM tells how such hosts behave, but describes none. The settings of this one were chosen.
    Told,
    /// It is an example. Nothing on it was measured.
    Example,
    /// Its settings are the reader's own. Nothing on it was measured.
    Own,
}

impl Standing {
    /// What stands behind this host, wherever it came from.
    pub fn of(scenario: &Scenario) -> Standing {
        if let Some(run) = run_like(scenario) {
            return match (is_of_chosen_host(&run), has_figures(&run)) {
                (true, _) => Standing::Told,
                (false, true) => Standing::Measured,
                (false, false) => Standing::Compared,
            };
        }
        if example_like(scenario).is_some() { Standing::Example } else { Standing::Own }
    }

    /// The same in a sentence: what of the figures to trust.
    pub fn sentence(self) -> &'static str {
        match self {
            Standing::Measured => "IBM measured this host.",
            Standing::Compared => "IBM measured this host, and printed no figure of it, only how it compares with others.",
            Standing::Told => "IBM tells how such hosts behave. The settings of this one were chosen by hand.",
            Standing::Example => {
                "This host was chosen by hand and nothing on it was measured: trust directions, not amounts."
            }
            Standing::Own => "IBM measured no host with these settings: trust directions, not amounts.",
        }
    }
}

/// The first sentences of the page, for a host of `subject`. What stands behind the host is told before them.
pub fn introduction(scenario: &Scenario, subject: &Subject) -> String {
    let what = subject.introduction(scenario);
    format!("{what}. Turn a knob: the experiment runs again at once, beside the result that you started from.")
}

/// What to find out with a host that began as the ready experiment `run`; none if the subject's hosts say it by themselves.
pub fn question(subject: &Subject, run: Option<&str>) -> Option<&'static str> {
    let own = run.filter(|run| subject.has(run)).and_then(example).map(|ready| ready.example.question);
    let says_little = subject.part == Part::Storage && !run.is_some_and(is_of_chosen_host);
    own.or((!says_little).then_some(subject.question))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zvmlab::scenario::{DeviceKind, Level};

    use crate::subjects::SUBJECTS;
    use crate::subjects::guest_zhpf::GUEST_ZHPF;
    use crate::subjects::kinds::KINDS;
    use crate::subjects::next_step::Next;
    use crate::subjects::paging::PAGING;
    use crate::subjects::set_cu::SET_CU;

    fn introduction(scenario: &Scenario) -> String {
        super::introduction(scenario, Subject::of(scenario, None))
    }

    #[test]
    fn the_introduction_tells_whether_there_is_paging() {
        let mut scenario = Scenario::default();
        assert!(introduction(&scenario).starts_with("8 guests walk through 128 GB of storage"));
        assert!(introduction(&scenario).contains("has 128 GB and keeps a little for itself, so it pages and they wait."));
        scenario.guests[0].count = 9;
        assert!(introduction(&scenario).contains("has only 128 GB, so it pages"));
        scenario.guests[0].count = 1;
        assert!(introduction(&scenario).starts_with("1 guest walks through 16 GB"));
        assert!(introduction(&scenario).contains("nothing needs to be paged"));
    }

    #[test]
    fn the_introduction_tells_of_both_kinds_of_io() {
        let of = |subject: &Subject| introduction(&subject.base().expect("a published run"));
        for wanted in ["32 IO3390 guests", "12 VIRSTOCX guests", "8 GB", "the 16 aliases of one control unit"] {
            assert!(of(SET_CU).contains(wanted), "{wanted}: {}", of(SET_CU));
        }
        let first = of(GUEST_ZHPF);
        assert!(
            first.starts_with("1 IO3390 guest does I/O to its minidisk") && first.contains("1 record of 4 KB"),
            "{first}"
        );
        let kinds = of(KINDS);
        assert!(kinds.contains("guests touch pages at random in") && kinds.contains("pause for 50 ms between"), "{kinds}");
        for &subject in SUBJECTS {
            assert_eq!(of(subject).matches(". ").count(), 1, "two sentences: {}", of(subject));
        }
    }

    #[test]
    fn an_example_says_that_nothing_was_measured_and_what_to_find_out() {
        for &subject in SUBJECTS {
            for setup in subject.setups {
                let scenario = crate::published::ready::scenario_of(setup.id).expect("a ready experiment");
                let told = Standing::of(&scenario).sentence();
                let by_hand = example(setup.id).is_some() || is_of_chosen_host(setup.id);
                assert_eq!(told.contains("chosen by hand"), by_hand, "{}: {told}", setup.id);
                assert_eq!(told.contains("IBM measured this host"), !by_hand, "{}: {told}", setup.id);
                assert_eq!(
                    question(subject, Some(setup.id)).is_some(),
                    by_hand || subject.part != Part::Storage,
                    "{}",
                    setup.id
                );
            }
        }
    }

    #[test]
    fn a_run_without_figures_is_said_to_be_compared_only() {
        let told = |id: &str| Standing::of(&crate::published::ready::scenario_of(id).expect("a published run")).sentence();
        for id in ["3G DASD, 5.2", "APACHE-9-5.2", "LGR25-CONC"] {
            assert!(told(id).contains("printed no figure of it"), "{id}: {}", told(id));
        }
        assert_eq!(told("V4DVY000"), "IBM measured this host.");
    }

    /// The caveat vanished where an example was changed so much that it belonged to another subject, and an own host was introduced
    /// with what IBM measured.
    #[test]
    fn a_changed_host_is_never_said_to_be_measured() {
        for &subject in SUBJECTS {
            for setup in subject.setups {
                let mut scenario = crate::published::ready::scenario_of(setup.id).expect("a ready experiment");
                scenario.storage.central_mb += 1;
                let mut io = scenario.clone();
                io.guests[0].io_records = 3;
                for scenario in [scenario, io] {
                    let told = Standing::of(&scenario).sentence();
                    assert!(told.contains("IBM measured no host with these settings: trust"), "{}: {told}", setup.id);
                }
            }
        }
    }

    #[test]
    fn aliases_that_only_one_kind_of_io_uses_are_not_said_to_be_shared() {
        let told = |change: fn(&mut Scenario)| {
            let mut scenario = SET_CU.base().expect("a published run");
            change(&mut scenario);
            let told = introduction(&scenario);
            assert!(!told.contains("both kinds"), "{told}");
            assert_eq!(told.matches(". ").count(), 1, "two sentences: {told}");
            let label = match Next::of(&scenario, SET_CU, Some(SET_CU.start()), None) {
                Next::Step(step) => Some(step.label().to_string()),
                Next::Made { .. } => None,
            };
            (told, label)
        };
        let (edev, step) = told(|scenario| scenario.paging.kind = DeviceKind::EdevDirect);
        assert!(edev.contains("minidisk I/O has the 16 aliases to itself: the page volumes are EDEVs"), "{edev}");
        assert_eq!(step, None);
        let (none, step) = told(|scenario| scenario.lcu.aliases = 0);
        assert!(none.contains("without aliases for either"), "{none}");
        assert_eq!(step.as_deref(), Some("Add 4 HyperPAV aliases"));
        let (off, step) = told(|scenario| scenario.paging.alias = false);
        assert!(off.contains("SET PAGING ALIAS is off"), "{off}");
        assert_eq!(step, None);
        let (minidisks, _) = told(|scenario| scenario.minidisks.kind = DeviceKind::EdevDirect);
        assert!(minidisks.contains("paging has the 16 aliases to itself"), "{minidisks}");
        let (old, step) = told(|scenario| {
            (scenario.level, scenario.paging.zhpf, scenario.paging.alias) = (Level::V6_3, false, false);
        });
        assert!(old.contains("paging uses none before z/VM 6.4"), "{old}");
        assert_eq!(step.as_deref(), Some("Upgrade to z/VM 6.4"));
        let mut paging = SUBJECTS[0].base().expect("a published run");
        paging.paging.kind = DeviceKind::EdevDirect;
        assert!(
            matches!(Next::of(&paging, PAGING, Some(PAGING.start()), None), Next::Made { .. }),
            "neither zHPF nor aliases"
        );
    }
}
