//! The learner says what limits, by pointing at the machine or by its name, and hears how it is used.

use zvmlab::limit::{Resource, ResourceKind, Whose};

use super::Play;
use crate::bench::Bench;
use crate::lesson::Task;
use crate::machine::Kind;
use crate::words::limit::{busy, label, percent};

impl Play {
    /// The learner pointed at a part of the machine; `state` is that part's in words.
    pub(super) fn point_at(&mut self, kind: Kind, state: String) {
        let limit = self.limit_asked();
        self.answered(kind.shows(limit), limit, state);
    }

    /// The learner named a resource.
    pub(super) fn name(&mut self, named: ResourceKind, bench: &Bench) {
        let limits = bench.settled.as_ref().map(|settled| settled.limits.clone()).unwrap_or_default();
        let used = limits.get(named).map(|one| use_of(limits.whose, one));
        let state = format!("{}: {}", label(named), used.unwrap_or("not used".into()));
        self.answered(named == self.limit_asked(), self.limit_asked(), state);
    }

    fn limit_asked(&self) -> ResourceKind {
        match self.step().map(|step| &step.task) {
            Some(Task::Explain { limit }) => *limit,
            _ => ResourceKind::Frames,
        }
    }

    /// The learner said what limits. `state` is that of what was pointed at.
    fn answered(&mut self, is_right: bool, limit: ResourceKind, state: String) {
        let trace = &mut self.traces[self.at];
        if is_right {
            trace.met = true;
            self.named = label(limit).into();
            self.said = format!("Right: {}. {state}.{}", label(limit), passed_on(limit));
        } else {
            trace.tries += 1;
            self.said = format!("Not this. {state}. Look for what is waited for longest.");
            self.named = state;
        }
    }
}

/// How a resource is used, in words: `100 % in use; 4 % of the guests’ working time is spent waiting for it`.
fn use_of(whose: Whose, one: &Resource) -> String {
    let whose = match whose {
        Whose::Guests => "of the guests’ working time is spent waiting for it",
        Whose::Relocations => "of the relocations’ time is spent on it or waiting for it",
    };
    format!("{} in use; {} {whose}", busy(one), percent(one.waiting))
}

/// Why a queue may stand elsewhere than at what limits.
fn passed_on(limit: ResourceKind) -> &'static str {
    match limit {
        ResourceKind::Paths => {
            " The queue stands in front of the volumes, because a volume is held by an I/O that waits for its turn on a path: that wait counts for the path."
        }
        ResourceKind::PhysicalProcessors => {
            " A logical processor is held while PR/SM gives it no physical one: that wait counts for the physical processors."
        }
        _ => "",
    }
}
