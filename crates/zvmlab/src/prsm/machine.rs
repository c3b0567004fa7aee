//! The machine that partitions share: who has which physical processor, and who is next.

use super::cap::Cap;
use super::demand::Demand;
use super::physical::{Physical, Side, Spent, Turn};
use super::turns::{Turns, under_way};
use super::waiting::{Place, Waiting};
use super::{Change, Due};
use crate::constants::Constants;
use crate::kernel::rng::Generator;
use crate::kernel::statistics::TimeWeighted;
use crate::kernel::time::{Instant, Span};
use crate::scenario::Scenario;
use crate::snapshot::{PrsmSnapshot, TurnSnapshot};

/// Where a logical processor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It does not want to run.
    Wait,
    /// It wants a physical processor and has this place in the queue.
    Queued(Place),
    /// It wants a physical processor, but the cap of the partition holds it until then.
    Held(Instant),
    /// It has this physical processor.
    Runs(u32),
}

/// A logical processor of any partition.
#[derive(Clone, Copy, Debug)]
struct Logical {
    state: State,
    /// Its charge: contended time over weight. For the unit see [`Machine::rates`].
    charge: u128,
}

/// The physical processors and the logical ones of all partitions.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    slice: Span,
    /// Draws how much is left of the slice in which each physical processor is when the run begins.
    phases: Generator,
    dispatch: Span,
    call: Span,
    /// Those of this partition first.
    logical: Vec<Logical>,
    own: u32,
    /// Charge for a nanosecond: for a logical processor of this partition, and for one of another. It is one over the weight
    /// of a logical processor, times the weights of both partitions, so that it is a whole number.
    rates: [u128; 2],
    /// The demand of the logical processors of other partitions.
    demand: Vec<Demand>,
    physical: Vec<Physical>,
    /// Physical processors that nobody has, a bit each; there are 64 at most.
    idle: u64,
    waiting: Waiting,
    /// The cap of this partition, if it has one.
    cap: Option<Cap>,
    /// How many logical processors the cap holds.
    held: TimeWeighted,
    /// 1 while any logical processor waits. Its integral is the clock of contended time.
    contended: TimeWeighted,
    /// The lowest charge of those that want to run. Whoever comes back from a wait starts with at least this charge.
    least: u128,
    spent: Spent,
    turns: Turns,
    dispatches: u64,
    entitled_thousandths: u64,
    capped_thousandths: u64,
}

impl Machine {
    /// The machine of the scenario, with every logical processor in a wait.
    pub fn new(scenario: &Scenario, constants: &Constants, seed: u64) -> Self {
        let (own, prsm) = (scenario.processors.count, &scenario.prsm);
        let others = prsm.partitions * prsm.other_logical;
        let demand = |number| {
            let source = format!("demand of logical processor {number} of other partitions");
            Demand::new(prsm.other_busy_percent, constants.prsm_piece_ns, Generator::new(seed, &source))
        };
        let slice = Span::from_millis(prsm.slice_ms.into());
        Machine {
            slice,
            phases: Generator::new(seed, "slices under way on physical processors"),
            dispatch: Span::from_ns_f64(constants.prsm_dispatch_ns),
            call: Span::from_ns_f64(constants.prsm_yield_ns),
            logical: vec![Logical { state: State::Wait, charge: 0 }; (own + others) as usize],
            own,
            rates: [u128::from(own * prsm.other_weight), u128::from(prsm.other_logical * prsm.weight)],
            demand: (0..others).map(demand).collect(),
            physical: vec![Physical::default(); prsm.physical as usize],
            idle: u64::MAX >> (64 - prsm.physical),
            waiting: Waiting::default(),
            cap: prsm.cap_thousandths().and_then(|cap| Cap::new(cap, own, slice)),
            held: TimeWeighted::default(),
            contended: TimeWeighted::default(),
            least: 0,
            spent: Spent::default(),
            turns: Turns::new(prsm.physical),
            dispatches: 0,
            entitled_thousandths: prsm.entitled_thousandths(),
            capped_thousandths: prsm.cap_thousandths().unwrap_or_default(),
        }
    }

    /// The other partitions begin their work.
    pub fn begin(&mut self, now: Instant, changes: &mut Vec<Change>) {
        for index in 0..self.demand.len() {
            let logical = self.own + index as u32;
            match self.demand[index].begin(now) {
                Ok(()) => self.wants(now, logical, changes),
                Err(Some(at)) => changes.push(Change::Announce { at, due: Due::OtherChanges { logical } }),
                Err(None) => {}
            }
        }
    }

    /// Whether the logical processor has a physical one.
    pub fn runs(&self, logical: u32) -> bool {
        matches!(self.logical[logical as usize].state, State::Runs(_))
    }

    /// A logical processor that was in a wait has work.
    pub fn wants(&mut self, now: Instant, logical: u32, changes: &mut Vec<Change>) {
        assert_eq!(self.logical[logical as usize].state, State::Wait, "only who waits for work can get some");
        if !self.is_held(now, logical, changes) {
            self.comes(now, logical, changes);
        }
    }

    /// A logical processor joins those that wait for a physical one. Meanwhile the others have been charged.
    fn comes(&mut self, now: Instant, logical: u32, changes: &mut Vec<Change>) {
        self.find_least();
        let entity = &mut self.logical[logical as usize];
        entity.charge = entity.charge.max(self.least);
        self.queue(now, logical);
        self.fill(now, changes);
    }

    /// A logical processor has no more work.
    pub fn leaves(&mut self, now: Instant, logical: u32, changes: &mut Vec<Change>) {
        match self.logical[logical as usize].state {
            State::Runs(physical) => {
                self.take(now, physical, changes);
            }
            State::Queued(place) => self.unqueue(now, place),
            State::Held(_) => self.held.set(now, self.held.value() - 1),
            State::Wait => {}
        }
        self.logical[logical as usize].state = State::Wait;
        self.fill(now, changes);
    }

    /// A logical processor of this partition ends its slice.
    pub fn yields(&mut self, now: Instant, logical: u32, changes: &mut Vec<Change>) {
        let physical = self.physical_of(logical);
        let Some(next) = self.waiting.first() else {
            return self.goes_on(now, physical, changes);
        };
        self.unqueue(now, next);
        self.stops(now, physical, changes);
        if !self.is_held(now, logical, changes) {
            let charge = self.logical[logical as usize].charge;
            let slice = self.rate(logical) * u128::from(self.slice.0);
            let place = self.waiting.join_behind(charge, charge + slice, logical);
            self.note(now, place);
        }
        self.give(now, physical, next.logical, self.call, changes);
    }

    /// A logical processor of this partition gives its physical one to `holder`.
    pub fn yields_to(&mut self, now: Instant, logical: u32, holder: u32, changes: &mut Vec<Change>) {
        let physical = self.physical_of(logical);
        let State::Queued(place) = self.logical[holder as usize].state else {
            return self.yields(now, logical, changes);
        };
        self.unqueue(now, place);
        self.stops(now, physical, changes);
        if !self.is_held(now, logical, changes) {
            self.queue(now, logical);
        }
        self.give(now, physical, holder, self.call, changes);
    }

    /// What was announced for `now` falls due.
    pub fn fall_due(&mut self, now: Instant, due: Due, changes: &mut Vec<Change>) {
        match due {
            Due::SliceEnds { physical, generation } => {
                if self.physical[physical as usize].generation == generation {
                    self.slice_ends(now, physical, changes);
                }
            }
            Due::OtherChanges { logical } => {
                if self.demand_of(logical).is_due(now) {
                    self.other_changes(now, logical, changes);
                }
            }
            Due::HoldEnds { logical } => {
                if self.logical[logical as usize].state == State::Held(now) {
                    self.held.set(now, self.held.value() - 1);
                    self.comes(now, logical, changes);
                }
            }
        }
    }

    /// The slice on a physical processor ends.
    fn slice_ends(&mut self, now: Instant, physical: u32, changes: &mut Vec<Change>) {
        self.charge(now, physical);
        let Some(turn) = self.physical[physical as usize].turn else { return };
        let charge = self.logical[turn.logical as usize].charge;
        let holds = self.spend(now, turn.logical).is_some();
        if !holds && self.waiting.first().is_none_or(|first| first.charge >= charge) {
            return self.begin_slice(now, physical, changes);
        }
        if turn.side == Side::Own {
            changes.push(Change::Stops { logical: turn.logical });
        }
        if !self.take(now, physical, changes) && !self.is_held(now, turn.logical, changes) {
            self.queue(now, turn.logical);
        }
        self.fill(now, changes);
    }

    /// Counts what the running logical processor has used of the cap. Returns until when the cap would hold it.
    fn spend(&mut self, now: Instant, logical: u32) -> Option<Instant> {
        let cap = self.cap.as_mut().filter(|_| logical < self.own)?;
        cap.count(now, logical);
        cap.holds(now, logical)
    }

    /// Holds the logical processor, which wants to run, if it has used up what the cap gives it.
    fn is_held(&mut self, now: Instant, logical: u32, changes: &mut Vec<Change>) -> bool {
        let of_cap = self.cap.as_ref().filter(|_| logical < self.own);
        let Some(until) = of_cap.and_then(|cap| cap.holds(now, logical)) else { return false };
        self.logical[logical as usize].state = State::Held(until);
        self.held.set(now, self.held.value() + 1);
        changes.push(Change::Announce { at: until, due: Due::HoldEnds { logical } });
        true
    }

    /// A logical processor of another partition gets work, or finishes it.
    fn other_changes(&mut self, now: Instant, logical: u32, changes: &mut Vec<Change>) {
        match self.logical[logical as usize].state {
            State::Wait => {
                self.demand_of(logical).work_comes();
                self.wants(now, logical, changes);
            }
            State::Runs(_) => self.leaves(now, logical, changes),
            State::Held(_) | State::Queued(_) => {
                unreachable!("who waits for a physical processor does not get on with its work")
            }
        }
    }

    /// A logical processor that called PR/SM goes on, as nobody waits.
    fn goes_on(&mut self, now: Instant, physical: u32, changes: &mut Vec<Change>) {
        self.account(now, physical);
        let at = now + self.call;
        let turn = self.physical[physical as usize].turn.as_mut().expect("only who runs can call");
        (turn.caller, turn.call_until, turn.from) = (turn.side, at, at);
        let logical = turn.logical;
        changes.extend([Change::Stops { logical }, Change::Runs { logical, at }]);
        self.begin_slice(at, physical, changes);
    }

    /// Gives idle physical processors to those in the queue, in order.
    fn fill(&mut self, now: Instant, changes: &mut Vec<Change>) {
        while self.idle != 0 {
            let Some(next) = self.waiting.first() else { return };
            self.unqueue(now, next);
            self.give(now, self.idle.trailing_zeros(), next.logical, Span::ZERO, changes);
        }
    }

    /// Gives an idle physical processor to `logical`, after PR/SM has spent `call` on the call of a logical processor of
    /// this partition.
    fn give(&mut self, now: Instant, physical: u32, logical: u32, call: Span, changes: &mut Vec<Change>) {
        self.account(now, physical);
        let side = self.side(logical);
        let call_until = now + call;
        let from = call_until + self.dispatch;
        // The caller is charged for the call, not the logical processor that comes after it.
        let charged = self.contended.area_at(now) + if self.contended.value() == 0 { 0 } else { call.0 };
        let turn = Turn { logical, side, given: now, caller: Side::Own, call_until, from, charged };
        self.physical[physical as usize].turn = Some(turn);
        self.idle &= !(1 << physical);
        self.logical[logical as usize].state = State::Runs(physical);
        self.dispatches += 1;
        match side {
            Side::Own => {
                if let Some(cap) = &mut self.cap {
                    cap.runs(from, logical);
                }
                changes.push(Change::Runs { logical, at: from });
            }
            Side::Other => {
                let done = self.demand_of(logical).runs(from);
                changes.extend(done.map(|at| Change::Announce { at, due: Due::OtherChanges { logical } }));
            }
        }
        self.begin_slice(from, physical, changes);
    }

    /// A slice begins on the physical processor at `from`.
    fn begin_slice(&mut self, from: Instant, physical: u32, changes: &mut Vec<Change>) {
        let generation = self.physical[physical as usize].generation.wrapping_add(1);
        self.physical[physical as usize].generation = generation;
        // The machine has run for long when this run begins: its physical processors are not in step. Without this, a partition
        // whose neighbour is always busy would have all its logical processors run at once, and then none.
        let slice = match generation {
            1 => Span(1 + self.phases.below(self.slice.0)),
            _ => self.slice,
        };
        changes.push(Change::Announce { at: from + slice, due: Due::SliceEnds { physical, generation } });
    }

    /// Takes the physical processor from a logical one that calls PR/SM. The caller is charged for the time of the call,
    /// too.
    fn stops(&mut self, now: Instant, physical: u32, changes: &mut Vec<Change>) {
        let logical = self.physical[physical as usize].turn.expect("only who runs can call").logical;
        changes.push(Change::Stops { logical });
        self.take(now, physical, changes);
        self.logical[logical as usize].charge += self.rate(logical) * u128::from(self.call.0);
    }

    /// Takes the physical processor from the logical one that has it; the caller then puts that one elsewhere. Returns
    /// `true` if it is one of another partition that has finished its work: then it is in a wait.
    fn take(&mut self, now: Instant, physical: u32, changes: &mut Vec<Change>) -> bool {
        self.account(now, physical);
        self.charge(now, physical);
        let turn = self.physical[physical as usize].turn.take().expect("only who runs can stop");
        self.turns.ends(now, physical, &turn);
        self.spend(now, turn.logical);
        self.idle |= 1 << physical;
        // The announced end of the slice no longer counts.
        self.physical[physical as usize].generation = self.physical[physical as usize].generation.wrapping_add(1);
        let Turn { logical, from, .. } = turn;
        self.logical[logical as usize].state = State::Wait;
        if turn.side == Side::Own {
            return false;
        }
        let done = self.demand_of(logical).stops(now, from);
        if done {
            let at = self.demand_of(logical).rests(now);
            changes.push(Change::Announce { at, due: Due::OtherChanges { logical } });
        }
        done
    }

    /// `logical` waits for a physical processor, in its turn.
    fn queue(&mut self, now: Instant, logical: u32) {
        let place = self.waiting.join(self.logical[logical as usize].charge, logical);
        self.note(now, place);
    }

    fn note(&mut self, now: Instant, place: Place) {
        self.logical[place.logical as usize].state = State::Queued(place);
        self.contended.set(now, 1);
    }

    /// Takes out of the queue the logical processor at `place`. The caller says where it goes.
    fn unqueue(&mut self, now: Instant, place: Place) {
        self.waiting.remove(place);
        self.contended.set(now, u64::from(!self.waiting.is_empty()));
    }

    /// Brings the lowest charge up to date. It never falls: a logical processor that was alone for a while gets nothing back
    /// for that.
    fn find_least(&mut self) {
        let running = self.physical.iter().filter_map(|physical| physical.turn);
        let running = running.map(|turn| self.logical[turn.logical as usize].charge).min();
        let queued = self.waiting.first().map(|place| place.charge);
        if let Some(least) = running.into_iter().chain(queued).min() {
            self.least = self.least.max(least);
        }
    }

    /// Charges the logical processor on `physical` for the time in which others waited.
    fn charge(&mut self, now: Instant, physical: u32) {
        let clock = self.contended.area_at(now);
        let Some(turn) = &mut self.physical[physical as usize].turn else { return };
        let contended = clock.saturating_sub(turn.charged);
        turn.charged = turn.charged.max(clock);
        let logical = turn.logical;
        self.logical[logical as usize].charge += self.rate(logical) * u128::from(contended);
    }

    fn account(&mut self, now: Instant, physical: u32) {
        self.physical[physical as usize].account(now, &mut self.spent);
    }

    fn physical_of(&self, logical: u32) -> u32 {
        match self.logical[logical as usize].state {
            State::Runs(physical) => physical,
            state => panic!("logical processor {logical} calls PR/SM, but does not run: {state:?}"),
        }
    }

    fn side(&self, logical: u32) -> Side {
        if logical < self.own { Side::Own } else { Side::Other }
    }

    fn rate(&self, logical: u32) -> u128 {
        self.rates[self.side(logical) as usize]
    }

    fn demand_of(&mut self, logical: u32) -> &mut Demand {
        &mut self.demand[(logical - self.own) as usize]
    }

    /// A snapshot at `now`.
    pub fn snapshot(&self, now: Instant) -> PrsmSnapshot {
        let mut spent = self.spent;
        for mut physical in self.physical.iter().copied() {
            physical.account(now, &mut spent);
        }
        let running =
            |side| self.physical.iter().filter_map(|physical| physical.turn).filter(|turn| turn.side == side).count();
        let waiting = |side| self.waiting.iter().filter(|place| self.side(place.logical) == side).count();
        let (over, turns_from) = self.turns.over();
        let present = self.physical.iter().zip(0..).filter_map(|(one, physical)| Some(under_way(physical, &one.turn?)));
        let mut turns: Vec<TurnSnapshot> = over.chain(present).collect();
        turns.sort_by_key(|turn| turn.physical);
        PrsmSnapshot {
            physical: self.physical.len() as u32,
            entitled_thousandths: self.entitled_thousandths,
            capped_thousandths: self.capped_thousandths,
            own_held: self.held.value() as u32,
            own_held_ns: self.held.area_at(now),
            logical: self.logical.len() as u32,
            own_running: running(Side::Own) as u32,
            other_running: running(Side::Other) as u32,
            own_waiting: waiting(Side::Own) as u32,
            other_waiting: waiting(Side::Other) as u32,
            own_ns: spent.ran[0].0,
            other_ns: spent.ran[1].0,
            own_overhead_ns: spent.overhead[0].0,
            other_overhead_ns: spent.overhead[1].0,
            dispatches: self.dispatches,
            turns,
            turns_from_ns: turns_from.0,
        }
    }

    /// Checks the laws of the room.
    pub fn verify(&self) {
        for (index, logical) in self.logical.iter().enumerate() {
            let turns = self.physical.iter().filter_map(|physical| physical.turn);
            let turns = turns.filter(|turn| turn.logical == index as u32).count();
            assert_eq!(
                turns,
                usize::from(matches!(logical.state, State::Runs(_))),
                "logical processor {index} runs once or not"
            );
        }
        for (index, physical) in self.physical.iter().enumerate() {
            assert_eq!(physical.turn.is_none(), self.idle >> index & 1 == 1, "physical processor {index} idles or not");
            if let Some(turn) = physical.turn {
                assert_eq!(self.logical[turn.logical as usize].state, State::Runs(index as u32), "who has it knows it");
            }
        }
        for place in self.waiting.iter() {
            assert_eq!(self.logical[place.logical as usize].state, State::Queued(*place), "who waits knows it");
        }
        let queued = self.logical.iter().filter(|logical| matches!(logical.state, State::Queued(_))).count();
        assert_eq!(queued, self.waiting.iter().count(), "who wants to run waits in the queue");
        let held = self.logical.iter().filter(|logical| matches!(logical.state, State::Held(_))).count();
        assert_eq!(held as u64, self.held.value(), "who is held is counted");
        assert!(self.idle == 0 || self.waiting.is_empty(), "a physical processor idles while somebody waits for one");
        assert_eq!(self.contended.value(), u64::from(!self.waiting.is_empty()), "contended time is while somebody waits");
        let elapsed = self.physical.iter().fold(Span::ZERO, |sum, physical| sum + physical.accounted.since(Instant::ZERO));
        assert_eq!(self.spent.total(), elapsed, "all physical time went somewhere");
    }
}
