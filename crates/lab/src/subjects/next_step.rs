//! The next step on the bench: one step at a time, each with its reason, until the point of a subject is made. Each subject has its
//! chain of steps as data. Which of them is due follows from the host, and from what limited its run.

mod own;

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::{Figure, Scenario};

use super::{Setup, Subject};
use crate::published::ready::{like, scenario_of};
use crate::published::{is_run, run_like, value_of};
use crate::words::number::difference;

/// A host for which a next step is wanted.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// What limited its run; none as long as there is no result.
    pub limits: Option<&'a Limits>,
    /// The ready experiment with which it began.
    pub begun: &'static str,
}

impl Seen<'_> {
    /// Whether one of these limits. As long as there is no result, each may.
    pub fn may_limit(&self, kinds: &[ResourceKind]) -> bool {
        self.limits.is_none_or(|limits| limits.limit.is_some_and(|limit| kinds.contains(&limit)))
    }

    /// For which part of the time a resource is busy: 0 to 1. None as long as there is no result.
    pub fn busy(&self, kind: ResourceKind) -> Option<f64> {
        self.limits.map(|limits| limits.get(kind).map_or(0.0, |resource| resource.busy))
    }

    /// Which part of the time is spent waiting for a resource: 0 to 1. None as long as there is no result.
    pub fn waiting(&self, kind: ResourceKind) -> Option<f64> {
        self.limits.map(|limits| limits.get(kind).map_or(0.0, |resource| resource.waiting))
    }

    /// The host with which it began.
    pub fn base(&self) -> Option<Scenario> {
        scenario_of(self.begun)
    }
}

/// Which way a figure goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It becomes larger.
    Up,
    /// It becomes smaller.
    Down,
}

/// One step of a chain.
pub struct Step {
    /// The words of its button.
    pub label: fn(&Scenario) -> Cow<'static, str>,
    /// Why to take it: what it does, in a sentence or two. What comes of it is left to the run.
    pub reason: &'static str,
    /// Whether it changes anything on this host.
    pub is_due: fn(&Seen) -> bool,
    /// Its change to the scenario.
    pub take: fn(&mut Scenario),
    /// The figure of the subject's headline that shows it, and which way that goes. A test holds it against runs.
    pub shows: (Figure, Way),
}

/// The steps that make the point of a subject. The first that is due is offered.
pub struct Chain {
    /// The steps, in their order.
    pub steps: &'static [Step],
    /// The sentence at the end, where no step is due: the point that is made on this host, given what limits it.
    pub made: fn(&Scenario, &Limits) -> Cow<'static, str>,
}

/// What comes next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// A step is on offer.
    Step(NextStep),
    /// The point is made.
    Made {
        /// The point in a sentence.
        said: Cow<'static, str>,
        /// The way back to the host with which the reader began; none if this is it.
        back: Option<NextStep>,
    },
}

/// The closing words as long as the run has not ended.
const NOT_YET: &str = "What limits this host is known when its run has ended.";
/// The closing words where there cannot be a run.
const REFUSED: &str = "This setting of the knobs cannot be run. The reason stands at the knob.";

impl Next {
    /// What comes next on this scenario, which is about `subject`, began as the ready experiment `run`, and was limited by `limits`
    /// if it has a result. A host that began as none makes no subject's point: what comes next is about what limits it.
    pub fn of(scenario: &Scenario, subject: &'static Subject, run: Option<&str>, limits: Option<&Limits>) -> Next {
        const NOWHERE: &Setup = &Setup::new("", "");
        let begun = subject.setups.iter().find(|setup| run == Some(setup.id)).or(subject.setups.first()).unwrap_or(NOWHERE);
        let seen = Seen { scenario, limits, begun: begun.id };
        let is_own = own::is_own(scenario, run);
        let chain = if is_own { &own::OWN } else { &subject.chain };
        match due(chain, &seen) {
            Some(step) => Next::Step(NextStep::new(step, scenario)),
            None => Next::Made {
                said: match limits {
                    Some(limits) => (chain.made)(scenario, limits),
                    None if scenario.check().is_err() => REFUSED.into(),
                    None => NOT_YET.into(),
                },
                back: (!is_own && like(scenario).as_deref() != Some(begun.id)).then(|| NextStep::back_to(begun)),
            },
        }
    }

    /// What can be taken: the step, or the way back.
    pub fn taken(self) -> Option<NextStep> {
        match self {
            Next::Step(step) => Some(step),
            Next::Made { back, .. } => back,
        }
    }
}

/// The first step that is due. A step that the host's other settings forbid does not count, nor does one that changes nothing.
fn due(chain: &Chain, seen: &Seen) -> Option<&'static Step> {
    let changes = |step: &&Step| {
        let mut other = seen.scenario.clone();
        (step.take)(&mut other);
        other != *seen.scenario && other.check().is_ok()
    };
    chain.steps.iter().filter(|step| (step.is_due)(seen)).find(changes)
}

/// A step on offer, or a way back: the words of its button, its reason, and what it does.
#[derive(Clone)]
pub struct NextStep {
    label: Cow<'static, str>,
    hint: Cow<'static, str>,
    change: Rc<dyn Fn(&mut Scenario)>,
}

impl NextStep {
    /// A step of a chain, on this host.
    fn new(step: &Step, scenario: &Scenario) -> NextStep {
        let hint = match measured(step, scenario) {
            Some(measured) => format!("{} {measured}", step.reason).into(),
            None => step.reason.into(),
        };
        NextStep { label: (step.label)(scenario), hint, change: Rc::new(step.take) }
    }

    /// Back to the host with which a subject began.
    pub fn back_to(setup: &'static Setup) -> NextStep {
        let label = if is_run(setup.id) { "Back to the first run" } else { "Back to the example" };
        let change = |scenario: &mut Scenario| *scenario = scenario_of(setup.id).unwrap_or_default();
        NextStep { label: label.into(), hint: setup.back.into(), change: Rc::new(change) }
    }

    /// The words of its button.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Its reason, and what IBM measured of it.
    pub fn hint(&self) -> &str {
        &self.hint
    }

    /// Takes it.
    pub fn take(&self, scenario: &mut Scenario) {
        (self.change)(scenario);
    }
}

/// What the step did where IBM ran both hosts, in a sentence.
fn measured(step: &Step, scenario: &Scenario) -> Option<String> {
    let mut after = scenario.clone();
    (step.take)(&mut after);
    let figure = step.shows.0;
    let [before, after] = [value_of(&run_like(scenario)?, figure)?, value_of(&run_like(&after)?, figure)?];
    Some(format!("IBM measured, from here: {} {}.", figure.label(), difference(before, after)?))
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
pub(crate) mod tests;
