//! The relocations of a run: which wait in line, which are under way, and the results of those that ended.

use std::collections::VecDeque;

use crate::kernel::time::{Instant, Span};
use crate::relocation::{Relocation, Rules};
use crate::scenario::{Interruption, Relocate, Scenario};
use crate::snapshot::{EndCode, RelocationTotals};

/// What the scenario says about all relocations.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub rules: Rules,
    pub mode: Relocate,
    /// How long a guest that bounces stays.
    pub stay: Option<Span>,
    pub force_storage: bool,
    pub interruption: Interruption,
    pub interruption_after: Span,
    /// Time from the end of the fill to the first VMRELOCATE.
    pub command_after: Span,
}

impl Plan {
    pub fn of(scenario: &Scenario) -> Self {
        let relocation = &scenario.relocation;
        Plan {
            rules: Rules::of(scenario),
            mode: relocation.mode,
            stay: relocation.bounce.then(|| Span::from_secs(relocation.stay_s.into())),
            force_storage: relocation.force_storage,
            interruption: relocation.interruption,
            interruption_after: Span::from_millis(relocation.interruption_ms.into()),
            command_after: Span::from_secs(u64::from(scenario.measure.warmup_s) + u64::from(relocation.after_s)),
        }
    }
}

/// All relocations, in the order in which they were planned.
#[derive(Clone, Debug)]
pub(super) struct Relocations {
    all: Vec<Relocation>,
    /// Those not begun yet.
    line: VecDeque<u32>,
    /// Those under way, in the order in which they began.
    active: Vec<u32>,
    totals: RelocationTotals,
    /// Guests that are still to go back.
    returns_due: u32,
    /// When the first one was asked for.
    pub commanded: Option<Instant>,
}

impl Relocations {
    pub fn new(planned: Vec<Relocation>) -> Self {
        Relocations {
            line: (0..planned.len() as u32).collect(),
            all: planned,
            active: Vec::new(),
            totals: RelocationTotals::default(),
            returns_due: 0,
            commanded: None,
        }
    }

    pub fn one(&self, index: u32) -> &Relocation {
        &self.all[index as usize]
    }

    pub fn one_mut(&mut self, index: u32) -> &mut Relocation {
        &mut self.all[index as usize]
    }

    /// Whether no relocation waits in line.
    pub fn none_in_line(&self) -> bool {
        self.line.is_empty()
    }

    /// Those under way.
    pub fn under_way(&self) -> &[u32] {
        &self.active
    }

    /// The relocation whose turn it is; it is under way from now on. With ASYNCH that is the next in line, otherwise
    /// only if none is under way.
    pub fn next(&mut self, mode: Relocate) -> Option<u32> {
        if mode != Relocate::Asynch && !self.active.is_empty() {
            return None;
        }
        let index = self.line.pop_front()?;
        self.active.push(index);
        Some(index)
    }

    /// A relocation that was under way ends with `code`.
    pub fn finish(&mut self, now: Instant, index: u32, code: EndCode) {
        self.one_mut(index).finish(now, code);
        self.active.retain(|&other| other != index);
        self.totals.count(&self.one(index).snapshot(now));
    }

    /// A guest is to go back after a while.
    pub fn expect_return(&mut self) {
        self.returns_due += 1;
    }

    /// That guest joins the line to go back.
    pub fn plan_return(&mut self, guest: u32, from: u32, to: u32) {
        self.returns_due -= 1;
        self.line.push_back(self.all.len() as u32);
        self.all.push(Relocation::new(guest, from, to));
    }

    /// Whether none waits in line, none is under way and no guest is still to go back.
    pub fn ended(&self) -> bool {
        self.line.is_empty() && self.active.is_empty() && self.returns_due == 0
    }

    /// The latest relocations, at most `most` of them.
    pub fn latest(&self, most: usize) -> &[Relocation] {
        &self.all[self.all.len().saturating_sub(most)..]
    }

    /// The sums of all ended relocations, plus the time that throttles have held back those under way.
    pub fn totals(&self, now: Instant) -> RelocationTotals {
        let mut totals = self.totals.clone();
        for &index in &self.active {
            totals.hold(self.one(index).snapshot(now).throttled_ns);
        }
        totals
    }
}
