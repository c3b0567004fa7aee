//! The obvious next step on the bench: one step at a time through the settings that show most, and back. Each subject says which
//! steps it has.

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

use zvmlab::Scenario;

use super::{Setup, Subject};
use crate::published::is_run;
use crate::published::ready::scenario_of;

/// The obvious next step: the words of its button, and what it does.
#[derive(Clone)]
pub struct NextStep {
    label: Cow<'static, str>,
    hint: &'static str,
    change: Rc<dyn Fn(&mut Scenario)>,
}

impl NextStep {
    /// A step with the button `label`, its effect in a few words, and its change to the scenario.
    pub fn new(
        label: impl Into<Cow<'static, str>>,
        hint: &'static str,
        change: impl Fn(&mut Scenario) + 'static,
    ) -> NextStep {
        NextStep { label: label.into(), hint, change: Rc::new(change) }
    }

    /// Back to the host with which a subject began.
    pub fn back_to(setup: &'static Setup) -> NextStep {
        let label = if is_run(setup.id) { "Back to the first run" } else { "Back to the example" };
        NextStep::new(label, setup.back, |scenario| *scenario = scenario_of(setup.id).unwrap_or_default())
    }

    /// The next step on this scenario, which is about `subject` and began as the ready experiment `run`.
    pub fn after(scenario: &Scenario, subject: &'static Subject, run: Option<&str>) -> NextStep {
        const NOWHERE: &Setup = &Setup::new("", "");
        let begun = subject.setups.iter().find(|setup| run == Some(setup.id)).or(subject.setups.first()).unwrap_or(NOWHERE);
        // A step that the host's other settings forbid does not count.
        let valid = |step: &NextStep| {
            let mut other = scenario.clone();
            step.take(&mut other);
            other.check().is_ok()
        };
        (subject.next_step)(scenario, begun.id).filter(valid).unwrap_or_else(|| NextStep::back_to(begun))
    }

    /// The words of its button.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Its effect, in a few words.
    pub fn hint(&self) -> &'static str {
        self.hint
    }

    /// Takes it.
    pub fn take(&self, scenario: &mut Scenario) {
        (self.change)(scenario);
    }
}

/// Steps with the same words do the same.
impl PartialEq for NextStep {
    fn eq(&self, other: &NextStep) -> bool {
        self.label == other.label && self.hint == other.hint
    }
}

impl fmt::Debug for NextStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NextStep({}: {})", self.label, self.hint)
    }
}

#[cfg(test)]
mod tests {
    use zvmlab::scenario::Level;

    use super::*;
    use crate::published::ready::like;
    use crate::subjects::guest_zhpf::GUEST_ZHPF;
    use crate::subjects::kinds::KINDS;
    use crate::subjects::locks::LOCKS;
    use crate::subjects::of_storage::new_level;
    use crate::subjects::paging::PAGING;
    use crate::subjects::set_cu::SET_CU;
    use crate::subjects::shares::SHARES;

    fn base(subject: &Subject) -> Scenario {
        subject.base().expect("a ready experiment")
    }

    fn after(scenario: &Scenario, subject: &'static Subject) -> NextStep {
        NextStep::after(scenario, subject, None)
    }

    #[test]
    fn the_next_steps_lead_through_ready_settings_and_back() {
        for (subject, labels) in [
            (PAGING, &["Turn zHPF on", "Add 4 HyperPAV aliases", "Back to the first run"][..]),
            (SET_CU, &["Set the share to 1:15", "Set the share to 15:1", "Back to the first run"]),
            (GUEST_ZHPF, &["Turn zHPF on for the guest", "Move 64 records with each I/O", "Back to the first run"]),
            (KINDS, &["Put the page volumes on SSD", "Back to the first run"]),
            (SHARES, &["Turn the fault on", "Back to the first run"]),
            (LOCKS, &["Upgrade to z/VM 5.2", "Back to the first run"]),
        ] {
            let mut scenario = base(subject);
            for label in labels {
                let step = after(&scenario, subject);
                assert_eq!(step.label(), *label);
                step.take(&mut scenario);
                assert!(scenario.check().is_ok());
                assert!(like(&scenario).is_some(), "{label} leads to a published run");
            }
            assert_eq!(scenario, base(subject));
        }
    }

    #[test]
    fn the_next_steps_lead_from_an_example_and_back_to_it() {
        for (id, labels) in [
            ("STORBUF", &["SET SRM STORBUF 125 105 95", "SET SRM STORBUF 40 35 30", "Back to the example"][..]),
            ("STORBUF-FITS", &["SET SRM STORBUF 300 250 200", "SET SRM STORBUF 40 35 30", "Back to the example"]),
            ("CLASSES", &["SET SRM STORBUF 300 250 200", "SET SRM STORBUF 40 35 30", "Back to the example"]),
            ("LIMIT-SUM", &["SET SRM LIMITHARD DEADLINE", "Back to the example"]),
            ("LIMIT-NOT-BUSY", &["SET SRM LIMITHARD DEADLINE", "Back to the example"]),
            ("SPIN-LOCK", &["Apply VM64927", "Back to the example"]),
            ("PRSM", &["Use 3 logical processors", "Back to the example"]),
            ("PLDV", &["Apply VM64887", "Back to the example"]),
            ("VARY", &["Apply VM64767", "Back to the example"]),
            ("MOVE", &["Add a third chpid", "VMRELOCATE IMMEDIATE", "Back to the example"]),
            ("ISFC", &["Use the link of capacity factor 10", "Use the link of capacity factor 18", "Back to the example"]),
            ("TWENTY-FIVE", &["Relocate all at once (ASYNCH)", "VMRELOCATE IMMEDIATE", "Back to the example"]),
            ("CONSTRAINED", &["Give the destination 128 GB", "Back to the example"]),
            ("BOUNCE", &["VMRELOCATE IMMEDIATE", "Back to the example"]),
            ("EVACUATION", &["Relocate the largest first", "Relocate all at once (ASYNCH)", "Back to the example"]),
            ("CLUSTER", &["Let all members stay joined", "Back to the example"]),
        ] {
            let begun = scenario_of(id).expect("an example");
            let mut scenario = begun.clone();
            for label in labels {
                let step = NextStep::after(&scenario, Subject::of(&scenario, Some(id)), Some(id));
                assert_eq!(step.label(), *label, "{id}");
                step.take(&mut scenario);
                assert!(scenario.check().is_ok(), "{id}: {label}");
            }
            assert_eq!(scenario, begun);
        }
    }

    #[test]
    fn no_step_leads_to_a_host_that_cannot_be() {
        let mut scenario = Scenario { level: Level::V6_3, ..Scenario::default() };
        assert_eq!(after(&scenario, PAGING), new_level());
        scenario.storage.central_mb *= 2;
        let back = NextStep::back_to(&PAGING.setups[0]);
        assert_eq!(after(&scenario, PAGING), back, "no driver helps where nothing is paged");
        let mut scenario = Scenario::default();
        scenario.lcu.channel = zvmlab::scenario::Channel::Express8;
        assert_eq!(after(&scenario, PAGING), back, "those channels have no zHPF for paging");
    }
}
