//! Pictures of generated hosts and clusters, at instants of their runs: each guest, I/O, page state, turn and message is there once.

use proptest::collection::vec;
use proptest::prelude::*;
use zvmlab::kernel::time::Span;
use zvmlab::scenario::{Chpid, DeviceKind, Level, Pattern, Relocate};
use zvmlab::snapshot::TurnSnapshot;

use super::clusters::{check_cluster, scaled};
use super::*;

/// A host to be: small, and odd where it can be.
fn hosts() -> impl Strategy<Value = Scenario> {
    let guests = vec((1u32..=10, 1u64..24, 0u64..8, any::<bool>(), any::<bool>(), 1u32..4), 1..=4);
    let volumes = (1u32..=24, kinds(), 0u32..=8, kinds(), 1u32..9);
    let unit = (any::<bool>(), 0u32..=64, 1u32..=8);
    let processors = (prop_oneof![2 => 1u32..=8, 1 => 9u32..=64], any::<bool>(), 0u32..=56, 0u32..=30, 1u32..=64);
    (guests, volumes, unit, processors, 40u64..200).prop_map(|(guests, volumes, unit, processors, crowded)| {
        let mut scenario = Scenario { guests: Vec::new(), ..Scenario::default() };
        (scenario.paging.volumes, scenario.paging.kind) = (volumes.0, volumes.1);
        (scenario.minidisks.volumes, scenario.minidisks.kind) = (volumes.2, volumes.3);
        (scenario.paging.queue_depth, scenario.minidisks.queue_depth) = (volumes.4, volumes.4);
        (scenario.paging.alias, scenario.lcu.aliases, scenario.lcu.paths) = unit;
        let (count, shared, more, partitions, other) = processors;
        (scenario.processors.count, scenario.processors.shared) = (count, shared);
        (scenario.prsm.physical, scenario.prsm.partitions) = ((count + more).min(64), partitions);
        scenario.prsm.other_logical = other.min(scenario.prsm.physical);
        (scenario.prsm.weight, scenario.prsm.other_weight, scenario.prsm.other_busy_percent) = (100, 100, 40);
        scenario.storage.central_mb = 256;
        if more % 2 == 1 {
            (scenario.level, scenario.storage.expanded_mb) = (Level::Own, 64);
        }
        let mut left = 32;
        for (count, loop_mb, more_mb, random, does_io, virtual_cpus) in guests {
            let count = count.min(left);
            left -= count;
            let mut group = GuestGroup { name: "G".into(), count, virtual_cpus, ..GuestGroup::default() };
            (group.loop_mb, group.virtual_mb) = (loop_mb, loop_mb + more_mb);
            group.pattern = if random { Pattern::Random } else { Pattern::Sequential };
            if does_io {
                IO3390.apply(&mut group);
                (group.loop_mb, group.virtual_mb) = (loop_mb, loop_mb + more_mb);
            }
            scenario.guests.extend((count > 0).then_some(group));
        }
        // Most of them page.
        let loops_mb: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.loop_mb).sum();
        for group in &mut scenario.guests {
            let more_mb = group.virtual_mb - group.loop_mb;
            group.loop_mb = (group.loop_mb * 256 * crowded / 100 / loops_mb).max(1);
            group.virtual_mb = group.loop_mb + more_mb;
        }
        scenario
    })
}

fn kinds() -> impl Strategy<Value = DeviceKind> {
    use DeviceKind::{EckdSpinning, EckdSsd, EdevDirect, EdevSpinning, EdevSvc};
    prop::sample::select(vec![EckdSpinning, EckdSpinning, EckdSsd, EdevSpinning, EdevSvc, EdevDirect])
}

/// A cluster whose guests are relocated.
fn clusters() -> impl Strategy<Value = Scenario> {
    let of = prop::sample::select(vec![("MOVE", 128), ("TWENTY-FIVE", 512), ("EVACUATION", 256), ("BOUNCE", 64)]);
    let chpid = || prop::sample::select(Chpid::ALL[1..].to_vec());
    (of, 1u32..=8, any::<bool>(), chpid(), 1u32..=16, 1u32..=64, 1u32..=64).prop_map(
        |((id, part), count, at_once, chpid, ctcs, buffers, processors)| {
            let mut scenario = scaled(id, part);
            scenario.relocation.mode = if at_once { Relocate::Asynch } else { Relocate::Synch };
            (scenario.isfc.chpid1, scenario.isfc.ctcs1, scenario.isfc.buffers) = (chpid, ctcs, buffers);
            scenario.processors.count = processors;
            scenario.guests[0].count = count;
            scenario
        },
    )
}

/// The lanes show each guest, each processor, and each turn that is not over for longer than the strips show.
fn check_lanes(snapshot: &Snapshot, scene: &Scene) {
    let ids: std::collections::BTreeSet<_> = scene.parts.iter().map(|part| part.id).collect();
    assert_eq!(ids.len(), scene.parts.len(), "each part once");
    assert_eq!(of_kind(scene, Kind::Guest), snapshot.guests.len());
    assert_eq!(of_kind(scene, Kind::Processor), snapshot.processors.logical.len());
    assert_eq!(of_kind(scene, Kind::Physical), snapshot.prsm.physical as usize);
    check_texts(scene);
    for part in scene.parts.iter().filter(|part| part.id.0 == Kind::Physical) {
        check_slices(snapshot, part, scene.width);
    }
}

/// The slices of a physical processor are the latest of its turns, side by side within its strip.
fn check_slices(snapshot: &Snapshot, part: &Part, width: f64) {
    let from_ns = snapshot.now_ns.saturating_sub(slices::span(&snapshot.prsm, snapshot.now_ns));
    let until = |turn: &TurnSnapshot| turn.ended_ns.unwrap_or(snapshot.now_ns);
    let of_part = snapshot.prsm.turns.iter().filter(|turn| turn.physical as usize == part.id.1);
    let turns: Vec<&TurnSnapshot> = of_part.filter(|turn| until(turn) > from_ns).collect();
    let own = turns.iter().filter(|turn| turn.logical < snapshot.processors.count).count();
    let drawn = (slices_of(part, Tone::Running).len(), slices_of(part, Tone::Other).len());
    assert_eq!(drawn, (own, turns.len() - own), "each turn once: {part:?}");
    let mut all: Vec<(f64, f64)> = [Tone::Running, Tone::Other].iter().flat_map(|tone| slices_of(part, *tone)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(all.iter().all(|(x, w)| *w >= 0.0 && *x >= part.place.0 && x + w <= width), "{all:?}");
    assert!(all.iter().zip(all.iter().skip(1)).all(|(a, b)| a.0 + a.1 <= b.0 + 1e-6), "one at a time: {all:?}");
    let runs = turns.iter().find(|turn| turn.ended_ns.is_none());
    assert_eq!(runs.is_some(), part.state.starts_with("runs "), "{part:?}");
    let end = part.place.0 + part.place.2;
    let reaches_now = all.iter().any(|(x, w)| x + w >= end - 0.9);
    assert!(reaches_now || runs.is_none_or(|turn| turn.began_ns == snapshot.now_ns), "{part:?}");
}

fn slices_of(part: &Part, tone: Tone) -> Vec<(f64, f64)> {
    let of = |mark: &Mark| match &mark.shape {
        Shape::Slices(_, _, slices) if mark.tone == tone => slices.clone(),
        _ => Vec::new(),
    };
    part.marks.iter().flat_map(of).collect()
}

/// Steps a run as `spans` say and draws each state in `forms`, at changing widths and in changing places; `check` counts what the picture shows.
fn drawn(
    scenario: &Scenario,
    seed: u64,
    spans: Vec<u64>,
    forms: &[Form],
    widths_from: usize,
    check: fn(Form, &Snapshot, &Scene),
) {
    let mut simulation = Simulation::new(scenario, seed).expect("valid");
    let mut before = simulation.snapshot();
    simulation.run_until_filled(Instant(u64::MAX), 40_000);
    for (span, turn) in spans.into_iter().zip(0usize..) {
        // Some instants lie between events, some are those of an event.
        if span.is_multiple_of(2) {
            simulation.run_until(simulation.now() + Span(span))
        } else {
            _ = simulation.step()
        };
        let now = simulation.snapshot();
        let (rates, width) = (Rates::between(&before, &now), WIDTHS[(turn + widths_from) % WIDTHS.len()]);
        for &form in forms {
            check(form, &now, &scene(form, scenario, &now, &rates, None, width));
            let view = View { form, scenario, snapshot: &now, rates: &rates, limits: None };
            let place = PLACES[(turn + widths_from) % PLACES.len()];
            check(form, &now, &view.fitted(place, view.fit(place)));
        }
        before = now;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn a_generated_host_is_drawn_once(scenario in hosts(), seed in 0u64..4, spans in vec(0u64..3_000_000, 12), from in 0usize..4) {
        prop_assume!(scenario.check().is_ok());
        drawn(&scenario, seed, spans, &[Form::Pipeline, Form::Lanes], from, |form, now, scene| match form {
            Form::Lanes => check_lanes(now, scene),
            _ => check(now, scene),
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn a_generated_cluster_is_drawn_once(scenario in clusters(), seed in 0u64..4, spans in vec(0u64..900_000_000, 8), from in 0usize..4) {
        prop_assume!(scenario.check().is_ok());
        drawn(&scenario, seed, spans, &[Form::Members], from, |_, now, scene| check_cluster(now, scene));
    }
}
