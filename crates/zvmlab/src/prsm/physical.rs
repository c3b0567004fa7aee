//! A physical processor: who has it, and where its time goes.

use crate::kernel::time::{Instant, Span};

/// Whose time it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// This partition.
    Own,
    /// Any other partition.
    Other,
}

/// Physical processor time by use. Each pair is for this partition and for the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    pub ran: [Span; 2],
    pub overhead: [Span; 2],
    pub idle: Span,
}

impl Spent {
    /// All of it.
    pub fn total(&self) -> Span {
        self.ran[0] + self.ran[1] + self.overhead[0] + self.overhead[1] + self.idle
    }
}

/// A logical processor's turn on a physical one. It begins with the call that led to it; then come the dispatch and its own
/// time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub logical: u32,
    pub side: Side,
    /// When PR/SM gave it the physical processor.
    pub given: Instant,
    /// Who called PR/SM.
    pub caller: Side,
    /// Until when PR/SM works on the call.
    pub call_until: Instant,
    /// Since when the logical processor runs.
    pub from: Instant,
    /// The clock of contended time up to which this turn has been charged.
    pub charged: u64,
}

/// A physical processor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Physical {
    pub turn: Option<Turn>,
    /// Counts slices, to recognise the announced end of a slice that is over already.
    pub generation: u32,
    /// Up to when its time is accounted for.
    pub accounted: Instant,
}

impl Physical {
    /// Adds its time up to `now` to `spent`.
    pub fn account(&mut self, now: Instant, spent: &mut Spent) {
        let start = self.accounted;
        match self.turn {
            None => spent.idle += now.since(start),
            Some(Turn { side, caller, call_until, from, .. }) => {
                spent.overhead[caller as usize] += now.min(call_until).since(start);
                spent.overhead[side as usize] += now.min(from).since(start.max(call_until));
                spent.ran[side as usize] += now.since(start.max(from));
            }
        }
        self.accounted = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_call_then_dispatch_then_its_own_time() {
        let at = Instant;
        let (side, caller) = (Side::Own, Side::Other);
        let turn = Turn { logical: 0, side, given: at(100), caller, call_until: at(110), from: at(130), charged: 0 };
        for looks in [vec![200], vec![105, 110, 120, 130, 131, 200], vec![112, 200]] {
            let mut physical = Physical { turn: Some(turn), accounted: at(100), ..Physical::default() };
            let mut spent = Spent::default();
            looks.iter().for_each(|&now| physical.account(at(now), &mut spent));
            let expected = Spent { ran: [Span(70), Span(0)], overhead: [Span(20), Span(10)], idle: Span(0) };
            assert_eq!(spent, expected, "{looks:?}");
        }
    }
}
