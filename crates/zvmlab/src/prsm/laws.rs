//! The laws of PR/SM under generated machines and generated work of this partition.

use proptest::collection::vec;
use proptest::prelude::*;

use super::tests::{Rig, Shape};
use super::*;
use crate::kernel::time::Span;
use crate::snapshot::TurnSnapshot;

/// What a logical processor of this partition does next, where it can.
#[derive(Clone, Copy, Debug)]
enum Act {
    WantsOrLeaves,
    Yields,
    YieldsTo(u32),
}

fn shapes() -> impl Strategy<Value = Shape> {
    let weights = || prop_oneof![Just(1), Just(100), 1..1000u32];
    let busy = prop_oneof![Just(0), Just(100), 1..100u32];
    let cap = prop_oneof![2 => Just(0), 1 => 1..60u32];
    (1..=6u32, weights(), weights(), 0..4u32, busy, (1..20u32, cap)).prop_flat_map(
        |(physical, own, other, partitions, busy, (slice, cap_tenths))| {
            (1..=physical, 1..=physical).prop_map(move |(own_logical, other_logical)| Shape {
                physical,
                own: (own_logical, own),
                other: (other_logical, other),
                partitions,
                busy_percent: busy,
                slice_ms: slice,
                cap_tenths,
            })
        },
    )
}

/// How much time passes first, which logical processor acts, and what it does.
fn acts() -> impl Strategy<Value = Vec<(u64, u32, Act)>> {
    let span = prop_oneof![Just(0), 0..20_000u64, 0..5_000_000u64, 0..100_000_000u64];
    let act = prop_oneof![
        3 => Just(Act::WantsOrLeaves),
        1 => Just(Act::Yields),
        1 => (0..6u32).prop_map(Act::YieldsTo),
    ];
    vec((span, 0..6u32, act), 1..200)
}

impl Rig {
    /// Whether the logical processor executes: PR/SM's time for it is over.
    fn executes(&self, logical: u32) -> bool {
        self.runs[logical as usize].is_some_and(|from| from <= self.now)
    }

    /// All time of the physical processors went somewhere. The snapshot shows all of it except idle time, and there is none
    /// of that while anybody waits.
    fn check_time(&self, before: &PrsmSnapshot, since: Instant) -> PrsmSnapshot {
        let seen = self.prsm.snapshot(self.now);
        let shown = |s: &PrsmSnapshot| s.own_ns + s.other_ns + s.own_overhead_ns + s.other_overhead_ns;
        let most = u64::from(seen.physical) * self.now.since(since).0;
        assert!(shown(&seen) - shown(before) <= most, "no physical processor runs twice");
        let busy = seen.own_running + seen.other_running;
        assert!(seen.own_waiting + seen.other_waiting == 0 || busy == seen.physical, "somebody waits beside an idle one");
        self.check_turns(&seen, shown(&seen) - shown(before), since);
        seen
    }

    /// The turns say where all time went since `since` that was not idle, as far as they reach. No processor has two at once.
    fn check_turns(&self, seen: &PrsmSnapshot, busy_ns: u64, since: Instant) {
        let until = |turn: &TurnSnapshot| turn.ended_ns.unwrap_or(self.now.0);
        for (turn, next) in seen.turns.iter().zip(seen.turns.iter().skip(1)) {
            let follows = turn.ended_ns.is_some_and(|ended| ended <= next.began_ns);
            assert!(turn.physical < next.physical || turn.physical == next.physical && follows, "{turn:?}, then {next:?}");
        }
        let mut by_logical = seen.turns.clone();
        by_logical.sort_by_key(|turn| (turn.logical, turn.began_ns));
        for (turn, next) in by_logical.iter().zip(by_logical.iter().skip(1)) {
            assert!(turn.logical < next.logical || until(turn) <= next.began_ns, "{turn:?} beside {next:?}");
        }
        let running = seen.turns.iter().filter(|turn| turn.ended_ns.is_none()).count() as u32;
        assert_eq!(running, seen.own_running + seen.other_running, "the turns under way");
        if seen.turns_from_ns <= since.0 {
            let told: u64 = seen.turns.iter().map(|turn| until(turn).saturating_sub(turn.began_ns.max(since.0))).sum();
            assert_eq!(told, busy_ns, "the turns since {since:?}");
        }
    }
}

proptest! {
    #[test]
    fn no_sequence_breaks_a_law(shape in shapes(), acts in acts(), seed in 0..4u64) {
        let mut rig = Rig::new(&shape, seed);
        let own = shape.own.0;
        let mut wants = vec![false; own as usize];
        for (span, logical, act) in acts {
            let (before, since) = (rig.prsm.snapshot(rig.now), rig.now);
            rig.run_until(rig.now + Span(span));
            rig.check_time(&before, since);
            let logical = logical % own;
            match act {
                Act::WantsOrLeaves => {
                    let wants = &mut wants[logical as usize];
                    if std::mem::replace(wants, !*wants) {
                        rig.leaves(logical);
                    } else {
                        rig.wants(logical);
                    }
                }
                Act::Yields if rig.executes(logical) => rig.act(|prsm, now, changes| prsm.yields(now, logical, changes)),
                Act::YieldsTo(holder) if rig.executes(logical) => {
                    let holder = holder % own;
                    let waits = wants[holder as usize] && rig.runs[holder as usize].is_none();
                    // Whom the cap holds gets no processor.
                    let waits = waits && rig.prsm.snapshot(rig.now).own_held == 0;
                    rig.act(|prsm, now, changes| prsm.yields_to(now, logical, holder, changes));
                    prop_assert!(!waits || rig.prsm.runs(holder), "the holder runs");
                }
                Act::Yields | Act::YieldsTo(_) => {}
            }
            for (wants, runs) in wants.iter().zip(&rig.runs) {
                prop_assert!(*wants || runs.is_none(), "only who wants to run runs");
            }
        }
    }

    #[test]
    fn while_all_want_to_run_each_gets_its_weight(own in 1..400u32, other in 1..400u32, physical in 1..4u32, partitions in 1..3u32) {
        let shape = Shape { physical, own: (physical, own), other: (physical, other), partitions, slice_ms: 1, ..Shape::default() };
        let mut rig = Rig::new(&shape, 1);
        (0..physical).for_each(|logical| rig.wants(logical));
        rig.run_until(Instant::ZERO + Span::from_secs(4));
        let seen = rig.prsm.snapshot(rig.now);
        let got = seen.own_ns as f64 / (seen.own_ns + seen.other_ns) as f64 * f64::from(physical);
        let entitled = seen.entitled_thousandths as f64 / 1e3;
        // No one is further from its due than a turn or two of the lighter logical processor.
        let turn = f64::from(own.max(other)) / f64::from(own.min(other)) * 0.001 / 4.0;
        prop_assert!((got - entitled).abs() < 0.01 * entitled + 0.001 + f64::from(physical) * 2.0 * turn, "{got} of {entitled}");
    }
}
