//! Does PR/SM do what its documentation says? Small machines, driven by an event queue of their own.

use super::*;
use crate::kernel::queue::EventQueue;
use crate::kernel::time::Span;
use crate::scenario::Tenths;

/// PR/SM's time for a dispatch and for a call.
const DISPATCH: Span = Span(8_000);
const CALL: Span = Span(6_000);

/// A machine: its physical processors, this partition's logical processors and weight, and the same for each of the other
/// partitions, with their number and demand.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub physical: u32,
    pub own: (u32, u32),
    pub other: (u32, u32),
    pub partitions: u32,
    pub busy_percent: u32,
    pub slice_ms: u32,
    pub cap_tenths: u32,
}

impl Default for Shape {
    fn default() -> Self {
        Shape { physical: 1, own: (1, 100), other: (1, 100), partitions: 1, busy_percent: 100, slice_ms: 12, cap_tenths: 0 }
    }
}

/// PR/SM under test, its events, and what this partition knows of its logical processors.
pub(super) struct Rig {
    pub prsm: Prsm,
    pub now: Instant,
    events: EventQueue<Due>,
    /// Since when each one runs.
    pub runs: Vec<Option<Instant>>,
    /// Everything that changed for this partition, and when PR/SM said so.
    pub log: Vec<(Instant, Change)>,
}

impl Rig {
    pub fn new(shape: &Shape, seed: u64) -> Rig {
        let mut scenario = Scenario::default();
        (scenario.processors.count, scenario.processors.shared) = (shape.own.0, true);
        let prsm = &mut scenario.prsm;
        (prsm.physical, prsm.weight, prsm.partitions) = (shape.physical, shape.own.1, shape.partitions);
        ((prsm.other_logical, prsm.other_weight), prsm.other_busy_percent) = (shape.other, shape.busy_percent);
        prsm.slice_ms = shape.slice_ms;
        prsm.absolute_cap = Tenths(shape.cap_tenths);
        let prsm = Prsm::new(&scenario, &Constants::default(), seed);
        let (runs, log) = (vec![None; shape.own.0 as usize], Vec::new());
        let mut rig = Rig { prsm, now: Instant::ZERO, events: EventQueue::new(), runs, log };
        rig.act(Prsm::begin);
        rig
    }

    /// Does something now and takes in what changes.
    pub fn act(&mut self, action: impl FnOnce(&mut Prsm, Instant, &mut Vec<Change>)) {
        let mut changes = Vec::new();
        action(&mut self.prsm, self.now, &mut changes);
        for change in changes {
            match change {
                Change::Announce { at, due } => {
                    assert!(at >= self.now, "nothing falls due in the past");
                    self.events.schedule(at, due);
                }
                Change::Runs { logical, at } => {
                    assert!(at >= self.now && self.runs[logical as usize].is_none(), "{logical} runs twice");
                    self.runs[logical as usize] = Some(at);
                    self.log.push((self.now, change));
                }
                Change::Stops { logical } => {
                    assert!(self.runs[logical as usize].is_some(), "{logical} stops without having run");
                    self.runs[logical as usize] = None;
                    self.log.push((self.now, change));
                }
            }
        }
        for (logical, runs) in self.runs.iter().enumerate() {
            assert_eq!(self.prsm.runs(logical as u32), runs.is_some(), "sense-running tells what was said");
        }
        self.prsm.verify();
    }

    pub fn run_until(&mut self, until: Instant) {
        while self.events.next_instant().is_some_and(|at| at <= until) {
            let (at, due) = self.events.pop().expect("one waits");
            self.now = at;
            self.act(|prsm, now, changes| prsm.fall_due(now, due, changes));
        }
        self.now = until;
    }

    pub fn wants(&mut self, logical: u32) {
        self.act(|prsm, now, changes| prsm.wants(now, logical, changes));
    }

    pub fn leaves(&mut self, logical: u32) {
        self.runs[logical as usize] = None;
        self.act(|prsm, now, changes| prsm.leaves(now, logical, changes));
    }

    /// All logical processors of this partition want to run for ever. Returns the snapshots after a start of one second
    /// and `seconds` later.
    fn all_want(mut self, seconds: u64) -> [PrsmSnapshot; 2] {
        (0..self.runs.len() as u32).for_each(|logical| self.wants(logical));
        [1, 1 + seconds].map(|second| {
            self.run_until(Instant::ZERO + Span::from_secs(second));
            self.prsm.snapshot(self.now)
        })
    }

    /// Mean number of physical processors that this partition and the others have, while all of this one want to run.
    fn processors(self) -> (f64, f64) {
        let seconds = 40;
        let [a, b] = self.all_want(seconds);
        let mean = |from, to| (to - from) as f64 / 1e9 / seconds as f64;
        (mean(a.own_ns, b.own_ns), mean(a.other_ns, b.other_ns))
    }
}

/// Asserts how many physical processors this partition has on average, within 1 %, and that none idles: PR/SM's own time
/// is all that is missing.
fn check(shape: &Shape, expected: f64) {
    let (own, other) = Rig::new(shape, 1).processors();
    assert!((own / expected - 1.0).abs() < 0.01, "{own} instead of {expected}");
    let whole = f64::from(shape.physical);
    assert!(own + other > 0.98 * whole && own + other <= whole, "{own} and {other} of {whole}");
}

#[test]
fn processor_time_is_as_the_weights() {
    check(&Shape { own: (1, 300), ..Shape::default() }, 0.75);
    check(&Shape { physical: 4, own: (4, 300), other: (4, 100), ..Shape::default() }, 3.0);
    check(&Shape { physical: 4, own: (2, 100), other: (4, 300), ..Shape::default() }, 1.0);
    check(&Shape { physical: 8, own: (8, 100), other: (8, 100), partitions: 3, ..Shape::default() }, 2.0);
    check(&Shape { physical: 2, own: (2, 10), other: (2, 300), slice_ms: 1, ..Shape::default() }, 2.0 / 31.0);
}

#[test]
fn a_partition_gets_what_it_is_entitled_to_though_others_come_and_go() {
    // The others want 16.8 of 8.
    check(&Shape { physical: 8, own: (8, 100), other: (8, 100), partitions: 3, busy_percent: 70, ..Shape::default() }, 2.0);
}

#[test]
fn what_one_does_not_want_is_the_others() {
    // The other partition is entitled to 3 of 4, and wants 0.8.
    let shape = Shape { physical: 4, own: (4, 100), other: (4, 300), busy_percent: 20, ..Shape::default() };
    let (own, other) = Rig::new(&shape, 1).processors();
    assert!((0.6..0.8).contains(&other), "it loses only what it waits for the ends of slices: {other}");
    assert!((3.98..4.0).contains(&(own + other)), "all of the rest is this partition's: {own} and {other}");
    // No other wants anything, or there is none.
    check(&Shape { physical: 4, own: (4, 1), other: (4, 999), busy_percent: 0, ..Shape::default() }, 4.0);
    check(&Shape { physical: 4, own: (4, 1), partitions: 0, ..Shape::default() }, 4.0);
}

#[test]
fn more_than_its_logical_processors_nobody_can_use() {
    // Entitled to 7.9 of 8, with two logical processors.
    check(&Shape { physical: 8, own: (2, 999), other: (8, 10), ..Shape::default() }, 2.0);
}

#[test]
fn a_cap_holds_a_partition_beside_idle_processors() {
    let alone = Shape { physical: 4, own: (4, 100), partitions: 0, cap_tenths: 15, ..Shape::default() };
    let (own, _) = Rig::new(&alone, 1).processors();
    assert!((1.49..1.51).contains(&own), "{own} of 4 instead of 1.5");
    // One that wakes for less than a slice now and then is not held: it has saved up that time.
    let mut rig = Rig::new(&alone, 1);
    rig.run_until(Instant::ZERO + Span::from_secs(1));
    for _ in 0..20 {
        rig.wants(0);
        rig.run_until(rig.now + Span::from_millis(9));
        rig.leaves(0);
        rig.run_until(rig.now + Span::from_millis(91));
    }
    assert_eq!(rig.prsm.snapshot(rig.now).own_held_ns, 0);
}

#[test]
fn a_cap_above_what_a_partition_gets_changes_nothing() {
    let shape = Shape { physical: 4, own: (2, 100), other: (4, 300), ..Shape::default() };
    let plain = Rig::new(&shape, 1).processors();
    assert_eq!(Rig::new(&Shape { cap_tenths: 20, ..shape.clone() }, 1).processors(), plain, "two processors for two");
    let (own, other) = Rig::new(&Shape { cap_tenths: 5, ..shape }, 1).processors();
    assert!((0.49..0.51).contains(&own) && own + other > 3.9, "the others get the rest: {own} and {other}");
}

#[test]
fn entitlement_is_the_weight_over_all_weights() {
    let shape = Shape { physical: 8, own: (8, 100), other: (8, 300), partitions: 3, ..Shape::default() };
    let seen = Rig::new(&shape, 1).prsm.snapshot(Instant::ZERO);
    assert_eq!((seen.entitled_thousandths, seen.physical, seen.logical), (800, 8, 32));
}

/// PR/SM's time for other partitions with `logical` logical processors each, which together want `busy` processors a
/// partition.
fn overhead(partitions: u32, logical: u32, busy: u32) -> u64 {
    let busy_percent = 100 * busy / logical;
    let shape = Shape { physical: 16, other: (logical, 100), partitions, busy_percent, ..Shape::default() };
    let mut rig = Rig::new(&shape, 1);
    rig.run_until(Instant::ZERO + Span::from_secs(20));
    rig.prsm.snapshot(rig.now).other_overhead_ns
}

#[test]
fn overhead_grows_with_logical_processors_and_with_partitions() {
    let by_logical = [4, 8, 16].map(|logical| overhead(4, logical, 3));
    assert!(by_logical.is_sorted_by(|a, b| *a as f64 * 1.2 < *b as f64), "{by_logical:?}");
    let by_partitions = [(1, 6), (2, 3), (6, 1)].map(|(partitions, busy)| overhead(partitions, 8, busy));
    assert!(by_partitions.is_sorted_by(|a, b| *a as f64 * 1.2 < *b as f64), "{by_partitions:?}");
}

/// A machine with one physical processor and this partition only.
fn alone(logical: u32) -> Rig {
    let mut rig = Rig::new(&Shape { own: (logical, 100), partitions: 0, ..Shape::default() }, 1);
    (0..logical).for_each(|logical| rig.wants(logical));
    rig.run_until(Instant(1_000_000));
    rig.log.clear();
    rig
}

#[test]
fn a_dispatch_takes_time_before_the_logical_processor_runs() {
    let rig = alone(1);
    assert_eq!(rig.runs, [Some(Instant(DISPATCH.0))]);
    let seen = rig.prsm.snapshot(rig.now);
    assert_eq!((seen.own_overhead_ns, seen.own_ns, seen.dispatches), (DISPATCH.0, 1_000_000 - DISPATCH.0, 1));
}

#[test]
fn who_yields_with_nobody_waiting_goes_on() {
    let mut rig = alone(1);
    rig.act(|prsm, now, changes| prsm.yields(now, 0, changes));
    let at = rig.now + CALL;
    assert_eq!(rig.log, [(rig.now, Change::Stops { logical: 0 }), (rig.now, Change::Runs { logical: 0, at })]);
    rig.run_until(Instant(2_000_000));
    let seen = rig.prsm.snapshot(rig.now);
    assert_eq!((seen.own_overhead_ns, seen.dispatches), (DISPATCH.0 + CALL.0, 1));
    assert_eq!(seen.own_ns + seen.own_overhead_ns, 2_000_000);
}

#[test]
fn who_yields_goes_behind_all_that_wait() {
    let mut rig = alone(3);
    for (yielder, next) in [(0, 1), (1, 2), (2, 0), (0, 1)] {
        rig.log.clear();
        rig.act(|prsm, now, changes| prsm.yields(now, yielder, changes));
        let at = rig.now + CALL + DISPATCH;
        let expected = [(rig.now, Change::Stops { logical: yielder }), (rig.now, Change::Runs { logical: next, at })];
        assert_eq!(rig.log, expected);
        rig.run_until(at + Span(1_000));
    }
}

#[test]
fn who_yields_to_the_holder_has_it_run() {
    let mut rig = alone(4);
    rig.act(|prsm, now, changes| prsm.yields_to(now, 0, 3, changes));
    let at = rig.now + CALL + DISPATCH;
    assert_eq!(rig.log, [(rig.now, Change::Stops { logical: 0 }), (rig.now, Change::Runs { logical: 3, at })]);
    rig.run_until(at);
    // A holder that is in a wait or runs needs no help: 1 is next.
    rig.leaves(0);
    rig.log.clear();
    rig.act(|prsm, now, changes| prsm.yields_to(now, 3, 0, changes));
    assert_eq!(rig.log[1].1, Change::Runs { logical: 1, at: rig.now + CALL + DISPATCH });
}

#[test]
fn who_has_no_work_any_more_does_not_wait_any_more() {
    let mut rig = alone(3);
    rig.leaves(1);
    assert_eq!(rig.log, []);
    rig.leaves(0);
    assert_eq!(rig.log, [(rig.now, Change::Runs { logical: 2, at: rig.now + DISPATCH })]);
    rig.leaves(2);
    assert_eq!(rig.prsm.snapshot(rig.now).own_running, 0);
}

#[test]
fn the_same_seed_gives_the_same_changes() {
    let shape = Shape { physical: 4, own: (4, 100), other: (4, 200), partitions: 3, busy_percent: 60, ..Shape::default() };
    let log = |seed| {
        let mut rig = Rig::new(&shape, seed);
        (0..4).for_each(|logical| rig.wants(logical));
        rig.run_until(Instant::ZERO + Span::from_secs(5));
        rig.log
    };
    assert_eq!(log(1), log(1));
    assert_ne!(log(1), log(2));
}

#[test]
fn a_dedicated_partition_always_runs() {
    let mut prsm = Prsm::new(&Scenario::default(), &Constants::default(), 1);
    let (now, mut changes) = (Instant(5), Vec::new());
    prsm.begin(now, &mut changes);
    prsm.wants(now, 0, &mut changes);
    prsm.yields(now, 0, &mut changes);
    prsm.yields_to(now, 0, 1, &mut changes);
    prsm.leaves(now, 0, &mut changes);
    prsm.verify();
    assert!(!prsm.is_shared() && prsm.runs(0) && changes.is_empty());
    assert_eq!(prsm.snapshot(now), PrsmSnapshot::default());
}
