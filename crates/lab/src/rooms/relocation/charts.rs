//! The charts of relocations: the stages of one in time, its passes, the work of its guest, and the lanes of many.

use zvmlab::Snapshot;
use zvmlab::snapshot::{ClusterSnapshot, GuestSnapshot, PassSnapshot, RelocationSnapshot, RelocationStage};

use super::super::compared::{NO_RESULT, chart};
use super::words::{PAGES_PER_GB, quiesce_so_far};
use crate::chart::time::SIMULATED_TIME;
use crate::chart::{Chart, Grid, Key, Lane, Level, Lines, Marked, Plot, Point, Quantity, Row, Series, Span, Spans};
use crate::evidence::Evidence;
use crate::words::state::stage;
use crate::words::unit::{seconds, short_seconds, storage};
use crate::words::{self, stop};
use zvmlab::order;

/// The looks of waiting, of the stages before the memory move, of the move, and of a stopped guest.
const WAITING: usize = 6;
const BEFORE: usize = 4;
const MOVING: usize = 0;
const STOPPED: usize = 1;
/// The key of a stopped guest.
const QUIESCE: &str = "guest stopped (quiesce)";
/// Most guests that have a lane. Chosen: more lanes would be higher than a screen.
pub const LANES_MAX: usize = 48;

/// The stages in their order, with their looks.
const STAGES: [(RelocationStage, usize); 6] = [
    (RelocationStage::Eligibility, 6),
    (RelocationStage::Skeleton, BEFORE),
    (RelocationStage::Moving, MOVING),
    (RelocationStage::Stopping, 7),
    (RelocationStage::StateMove, 3),
    (RelocationStage::LastPass, 2),
];

/// Whether the guest is stopped in a stage.
fn stands_still(stage: RelocationStage) -> bool {
    matches!(stage, RelocationStage::Stopping | RelocationStage::StateMove | RelocationStage::LastPass)
}

/// The time from `origin` in seconds.
fn since(origin: u64, ns: u64) -> f64 {
    ns.saturating_sub(origin) as f64 / 1e9
}

/// The stages of one relocation and its passes over time.
pub fn strip(evidence: &Evidence, relocation: &RelocationSnapshot, now_ns: u64) -> Chart {
    let name = &relocation.name;
    let title = format!("Stages of the relocation of {name}");
    let Some(origin) = relocation.began_ns else {
        let why = format!("VMRELOCATE has not been issued for {name} yet.");
        return chart(evidence, "relocation-stages", &title, why.clone(), Plot::Nothing(why));
    };
    let end_ns = relocation.ended_ns.unwrap_or(now_ns);
    let key_of = |stage: RelocationStage| STAGES.iter().position(|(other, _)| *other == stage);
    let until = |index: usize| relocation.stages.get(index + 1).map_or(end_ns, |next| next.1);
    let span = |(index, (stage, began)): (usize, &(RelocationStage, u64))| {
        Some(Span {
            key: key_of(*stage)?,
            from: since(origin, *began),
            to: since(origin, until(index)),
            note: if stands_still(*stage) { "the guest is stopped".into() } else { String::new() },
            marked: false,
        })
    };
    let stages = relocation.stages.iter().enumerate().filter_map(span).collect();
    let mut keys: Vec<Key> = STAGES.iter().map(|(of, look)| Key::new(stage(*of), *look)).collect();
    let (runs, stopped) = (keys.len(), keys.len() + 1);
    keys.extend([Key::new("pass, guest runs", 5), Key::new(QUIESCE, STOPPED)]);
    let pass = |(index, pass): (usize, &PassSnapshot)| Span {
        key: if pass.stopped { stopped } else { runs },
        from: since(origin, pass.began_ns),
        to: since(origin, pass.ended_ns.unwrap_or(end_ns)),
        note: format!("{}, {}", words::state::pass(relocation, index), storage(pass.pages as f64)),
        marked: false,
    };
    let passes = relocation.passes.iter().enumerate().map(pass).collect();
    let mut lanes = vec![Lane { label: "Stage".into(), spans: stages }, Lane { label: "Passes".into(), spans: passes }];
    let still = still(relocation, origin, now_ns, stopped);
    lanes.extend(still.map(|span| Lane { label: "Stopped".into(), spans: vec![span] }));
    let spans = Spans {
        row_name: "Lane".into(),
        x: Quantity::new("Time since VMRELOCATE", "s"),
        keys,
        lanes,
        levels: limit(evidence).into_iter().collect(),
    };
    chart(evidence, "relocation-stages", &title, strip_summary(relocation, now_ns), Plot::Spans(spans))
}

/// The time in which the guest is stopped.
fn still(relocation: &RelocationSnapshot, origin: u64, now_ns: u64, key: usize) -> Option<Span> {
    let (from, still) = (relocation.stopped_ns?, quiesce_so_far(relocation, now_ns)?);
    let (from, to) = (since(origin, from), since(origin, from + still));
    Some(Span { key, from, to, note: String::new(), marked: true })
}

/// MAXTOTAL, if there is one.
fn limit(evidence: &Evidence) -> Option<Level> {
    let limit = evidence.settled.as_ref()?.scenario.relocation.total_limit_s()?;
    Some(Level { name: "MAXTOTAL".into(), value: f64::from(limit), look: 7 })
}

fn strip_summary(relocation: &RelocationSnapshot, now_ns: u64) -> String {
    let Some((began, stopped)) = relocation.began_ns.zip(relocation.stopped_ns) else {
        return "The guest runs on while its storage moves. It is stopped only for the last two passes.".into();
    };
    let still = quiesce_so_far(relocation, now_ns).map_or(String::new(), seconds);
    let most =
        stop::brief(relocation).map_or(" (quiesce time), with the last two passes".into(), |most| format!(": {most}"));
    format!(
        "Stopped for {still}{most}. Before that, it ran on for {} while its storage moved.",
        seconds(stopped.saturating_sub(began))
    )
}

/// The passes as bars: how much each sent, and how much of it again.
pub fn passes(evidence: &Evidence, relocation: &RelocationSnapshot) -> Chart {
    const KEYS: [(&str, usize); 4] = [
        ("sent for the first time", 0),
        ("sent again", 5),
        ("sent for the first time, guest stopped", 4),
        ("sent again, guest stopped", 1),
    ];
    let parts = |pass: &PassSnapshot| {
        let (first, again) = (pass.pages.saturating_sub(pass.resent), pass.resent);
        if pass.stopped { [0, 0, first, again] } else { [first, again, 0, 0] }
    };
    let used: Vec<usize> =
        (0..KEYS.len()).filter(|key| relocation.passes.iter().any(|pass| parts(pass)[*key] > 0)).collect();
    let row = |(index, pass): (usize, &PassSnapshot)| Row {
        label: match words::state::pass(relocation, index) {
            name if pass.stopped => name.replacen("pass ", "", 1),
            _ => (index + 1).to_string(),
        },
        values: used.iter().map(|key| Some(parts(pass)[*key] as f64 / PAGES_PER_GB)).collect(),
    };
    let plot = match relocation.passes.as_slice() {
        [] => Plot::Nothing("No pass has begun.".into()),
        passes => Plot::Stack(Grid {
            row_name: "Pass".into(),
            value: Quantity::new("Sent", "GB"),
            keys: used.iter().map(|key| Key::new(KEYS[*key].0, KEYS[*key].1)).collect(),
            rows: passes.iter().enumerate().map(row).collect(),
            levels: Vec::new(),
            at_least: 0.0,
        }),
    };
    let again: u64 = relocation.passes.iter().map(|pass| pass.resent).sum();
    let summary = format!(
        "The first pass sends every page that {} ever touched, {}. Each later pass sends the pages changed since: {} were sent again.",
        relocation.name,
        storage(relocation.touched_pages as f64),
        storage(again as f64)
    );
    chart(evidence, "relocation-passes", &format!("Passes through the storage of {}", relocation.name), summary, plot)
}

/// The guest at `place`, wherever it worked: the work that it has done at all members together.
fn work(snapshot: &Snapshot, place: usize) -> u64 {
    let of = |snapshot: &Snapshot| snapshot.guests.get(place).map_or(0, GuestSnapshot::work);
    let others = snapshot.cluster.iter().flat_map(|cluster| &cluster.others);
    of(snapshot) + others.map(of).sum::<u64>()
}

/// Times in which a guest was stopped for its relocations.
fn stops(cluster: &ClusterSnapshot, guest: u32, now_ns: u64) -> Vec<(u64, u64)> {
    let own = cluster.relocations.iter().filter(|relocation| relocation.guest == guest);
    own.filter_map(|one| Some((one.stopped_ns?, one.stopped_ns? + quiesce_so_far(one, now_ns)?))).collect()
}

/// The time between two samples in pieces: `true` where the guest was stopped, `false` where it ran.
fn pieces(from: u64, to: u64, stops: &[(u64, u64)]) -> Vec<(u64, u64, bool)> {
    let (mut pieces, mut at) = (Vec::new(), from);
    for &(stop, start) in stops.iter().filter(|(stop, start)| *stop < to && *start > from) {
        let (stop, start) = (stop.clamp(at, to), start.clamp(at, to));
        pieces.extend([(at, stop, false), (stop, start, true)].into_iter().filter(|piece| piece.1 > piece.0));
        at = start;
    }
    pieces.extend((at < to).then_some((at, to, false)));
    pieces
}

/// Work of the guest in each second, at whichever member it is. Between two samples it is constant; while the guest is
/// stopped it is exactly 0.
pub fn throughput(evidence: &Evidence, cluster: &ClusterSnapshot, relocation: &RelocationSnapshot, now_ns: u64) -> Chart {
    let place = relocation.guest as usize;
    let stops = stops(cluster, relocation.guest, now_ns);
    let mut points: Vec<Point> = Vec::new();
    for pair in evidence.history.windows(2) {
        let (a, b) = (&pair[0].snapshot, &pair[1].snapshot);
        let pieces = pieces(a.now_ns, b.now_ns, &stops);
        let ran: u64 = pieces.iter().filter(|piece| !piece.2).map(|piece| piece.1 - piece.0).sum();
        let done = work(b, place).saturating_sub(work(a, place));
        let rate = if ran == 0 { 0.0 } else { done as f64 / ran as f64 * 1e9 };
        let level = |piece: &(u64, u64, bool)| {
            let y = if piece.2 { 0.0 } else { rate };
            // A step begins a little after the one before it has ended: no two points have the same place.
            [(piece.0 as f64 + 1e3, y), (piece.1 as f64, y)].map(|(x, y)| Point { x: x / 1e9, y, label: None })
        };
        points.extend(pieces.iter().filter(|piece| piece.1 - piece.0 > 2_000).flat_map(level));
    }
    let in_cycles =
        evidence.history.last().and_then(|sample| sample.snapshot.guests.get(place)).is_some_and(|one| one.in_cycles);
    let unit = if in_cycles { "cycles/s" } else { "references/s" };
    let summary = throughput_summary(relocation, &points, now_ns, unit);
    let plot = if points.is_empty() {
        Plot::Nothing(NO_RESULT.into())
    } else {
        let marked = relocation.stopped_ns.map(|at| Marked { name: "guest stopped".into(), x: at as f64 / 1e9 });
        let began = points.first().map_or(0.0, |point| point.x * 1e9) as u64;
        Plot::Lines(Lines {
            x: Quantity::new(SIMULATED_TIME, "s"),
            y: Quantity::new(&format!("Work of {}", relocation.name), unit),
            series: vec![Series { key: Key::new("work", 0).shaped(crate::chart::scene::Shape::None), joined: true, points }],
            // If the charts no longer reach back to it, the mark would stand at the edge and mean nothing.
            marked: marked.filter(|_| relocation.stopped_ns.is_some_and(|at| at >= began)),
            ..Lines::default()
        })
    };
    chart(evidence, "relocation-work", &format!("Work of {} before, during and after", relocation.name), summary, plot)
}

/// The mean of a step line from `from` to `to`, in seconds.
fn mean(points: &[Point], from: f64, to: f64) -> Option<f64> {
    let (mut area, mut time) = (0.0, 0.0);
    for pair in points.chunks_exact(2) {
        let wide = pair[1].x.min(to) - pair[0].x.max(from);
        if wide > 0.0 {
            (area, time) = (area + wide * pair[0].y, time + wide);
        }
    }
    (time > 0.0).then(|| area / time)
}

fn throughput_summary(relocation: &RelocationSnapshot, points: &[Point], now_ns: u64, unit: &str) -> String {
    let at = |ns: Option<u64>| ns.map(|ns| ns as f64 / 1e9);
    let (began, ended) = (at(relocation.began_ns), at(relocation.ended_ns));
    let written = |rate: f64| crate::words::unit::with_unit(rate, unit);
    let before = began.and_then(|began| mean(points, 0.0, began)).map(|rate| format!("{} before", written(rate)));
    let stopped = at(relocation.stopped_ns).or(ended);
    let during = began.and_then(|began| mean(points, began, stopped.unwrap_or(now_ns as f64 / 1e9)));
    let during = during.map(|rate| format!("{} while its storage moved", written(rate)));
    let still = quiesce_so_far(relocation, now_ns).map(|ns| format!("none for {}", short_seconds(ns)));
    let after = ended.and_then(|ended| mean(points, ended, f64::INFINITY)).map(|rate| format!("{} after", written(rate)));
    let told: Vec<String> = [before, during, still, after].into_iter().flatten().collect();
    if told.is_empty() {
        return "The work of the guest at its source and at its destination, together.".into();
    }
    format!("Work at source and destination together: {}.", told.join(", "))
}

/// The guests of all relocations, in the order of their commands, each with its relocations.
pub fn by_guest(cluster: &ClusterSnapshot) -> Vec<Vec<&RelocationSnapshot>> {
    let mut order: Vec<&RelocationSnapshot> = cluster.relocations.iter().collect();
    order::by_key(&mut order, |one| one.began_ns.unwrap_or(u64::MAX));
    let mut guests: Vec<Vec<&RelocationSnapshot>> = Vec::new();
    for one in order {
        match guests.iter_mut().find(|own| own[0].guest == one.guest) {
            Some(own) => own.push(one),
            None => guests.push(vec![one]),
        }
    }
    guests
}

/// One lane for each guest: when it waited, when its storage moved, when it was stopped.
pub fn lanes(evidence: &Evidence, cluster: &ClusterSnapshot, now_ns: u64) -> Chart {
    let origin = cluster.began_ns.unwrap_or(now_ns);
    let guests = by_guest(cluster);
    let keys = [
        ("waits for its turn", WAITING),
        ("checks and skeleton", BEFORE),
        ("storage moved, guest runs", MOVING),
        (QUIESCE, STOPPED),
    ];
    let shown = guests.iter().take(LANES_MAX);
    let lane = |own: &Vec<&RelocationSnapshot>| Lane {
        label: own[0].name.clone(),
        spans: own.iter().enumerate().flat_map(|(index, one)| spans_of(one, index == 0, origin, now_ns)).collect(),
    };
    let window = evidence.settled.as_ref().map_or(0, |settled| settled.scenario.relocation.window_s);
    let window = (window > 0).then(|| Level { name: "outage window".into(), value: f64::from(window), look: 7 });
    let spans = Spans {
        row_name: "Guest".into(),
        x: Quantity::new("Time since the first VMRELOCATE", "s"),
        keys: keys.iter().map(|(name, look)| Key::new(name, *look)).collect(),
        lanes: shown.map(lane).collect(),
        levels: window.into_iter().collect(),
    };
    let beyond = guests.len().saturating_sub(LANES_MAX);
    let rest =
        if beyond > 0 { format!(" The first {LANES_MAX} guests have a lane; {beyond} have none.") } else { String::new() };
    let summary = format!("One lane for each guest, in the order of the commands.{rest}");
    chart(evidence, "relocation-lanes", "When each guest waited, moved and was stopped", summary, Plot::Spans(spans))
}

/// What one relocation did, and when.
fn spans_of(one: &RelocationSnapshot, first: bool, origin: u64, now_ns: u64) -> Vec<Span> {
    let end = one.ended_ns.unwrap_or(now_ns);
    let span = |key: usize, from: u64, to: u64, note: String| Span {
        key,
        from: since(origin, from),
        to: since(origin, to),
        note,
        marked: key == 3,
    };
    let mut spans = Vec::new();
    let began = one.began_ns.unwrap_or(now_ns);
    if first && began > origin {
        spans.push(span(0, origin, began, String::new()));
    }
    if one.began_ns.is_none() {
        return spans;
    }
    let moving = one.stages.iter().find(|(stage, _)| *stage == RelocationStage::Moving).map(|stage| stage.1);
    spans.push(span(1, began, moving.unwrap_or(end), String::new()));
    if let Some(moving) = moving {
        let note = format!("{} sent so far in all", storage(one.pages() as f64));
        spans.push(span(2, moving, one.stopped_ns.unwrap_or(end), note));
    }
    if let (Some(stopped), Some(still)) = (one.stopped_ns, quiesce_so_far(one, now_ns)) {
        spans.push(span(3, stopped, stopped + still, String::new()));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{S, evidence, snapshot};
    use super::*;

    fn cluster(count: usize, now_ns: u64) -> ClusterSnapshot {
        *snapshot(count, now_ns).cluster.expect("a cluster")
    }

    #[test]
    fn stages_follow_each_other_and_the_stun_is_marked() {
        let cluster = cluster(1, 30 * S);
        let Plot::Spans(spans) = strip(&evidence(1), &cluster.relocations[0], 30 * S).plot else { panic!("lanes") };
        assert_eq!(spans.lanes[0].spans.len(), 6, "each stage once");
        assert!(spans.lanes[0].spans.windows(2).all(|pair| pair[0].to == pair[1].from));
        let stun: Vec<&Span> = spans.lanes.iter().flat_map(|lane| &lane.spans).filter(|span| span.marked).collect();
        assert_eq!(stun.len(), 1);
        assert!((stun[0].to - stun[0].from - 0.8).abs() < 1e-9);
        assert_eq!(spans.lanes[1].spans.len(), 4, "each pass once");
    }

    #[test]
    fn a_relocation_under_way_ends_at_this_instant() {
        let now = 17 * S;
        let cluster = cluster(1, now);
        let Plot::Spans(spans) = strip(&evidence(1), &cluster.relocations[0], now).plot else { panic!("lanes") };
        assert!(spans.lanes.iter().all(|lane| lane.spans.iter().all(|span| span.to <= 5.0)));
        assert_eq!(spans.lanes.len(), 2, "it has not been stopped");
        let Plot::Spans(spans) = strip(&evidence(2), &self::cluster(2, now).relocations[1], now).plot else { return };
        panic!("{spans:?}: it has not begun");
    }

    #[test]
    fn what_is_sent_again_is_told_apart() {
        let cluster = cluster(1, 30 * S);
        let Plot::Stack(grid) = passes(&evidence(1), &cluster.relocations[0]).plot else { panic!("bars") };
        let labels: Vec<&str> = grid.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels, ["1", "2", "last but one (3)", "last (4)"]);
        assert_eq!(grid.keys.len(), 3, "nothing new was sent of the stopped guest");
        assert_eq!(grid.rows[0].values, [Some(4.0), Some(0.0), Some(0.0)]);
        assert_eq!(grid.rows[2].values[2], Some(60_000.0 / PAGES_PER_GB));
    }

    #[test]
    fn the_work_of_a_guest_is_that_at_both_ends_and_none_while_it_is_stopped() {
        let evidence = evidence(1);
        let snapshot = &evidence.history[evidence.history.len() - 1].snapshot;
        let cluster = snapshot.cluster.as_deref().expect("a cluster");
        let chart = throughput(&evidence, cluster, &cluster.relocations[0], snapshot.now_ns);
        let Plot::Lines(lines) = &chart.plot else { panic!("lines") };
        let points = &lines.series[0].points;
        assert!(points.windows(2).all(|pair| pair[0].x < pair[1].x), "ascending");
        let zero: Vec<&Point> = points.iter().filter(|point| point.y == 0.0).collect();
        let (first, last) = (zero[0].x, zero[zero.len() - 1].x);
        assert!((first - 20.2).abs() < 1e-3 && (last - 21.0).abs() < 1e-3, "{first} to {last}");
        assert!(points.iter().all(|point| point.y == 0.0 || (point.y - 100.0).abs() < 1.5), "{points:?}");
        assert!(chart.summary.contains("none for 0.8"), "{}", chart.summary);
    }

    #[test]
    fn a_stun_between_two_samples_is_cut_out() {
        assert_eq!(pieces(0, 10, &[(3, 4)]), [(0, 3, false), (3, 4, true), (4, 10, false)]);
        assert_eq!(pieces(0, 10, &[(0, 20)]), [(0, 10, true)]);
        assert_eq!(pieces(5, 10, &[(1, 2), (9, 12)]), [(5, 9, false), (9, 10, true)]);
    }

    #[test]
    fn each_guest_has_its_lane_in_the_order_of_the_commands() {
        let now = 30 * S;
        let Plot::Spans(spans) = lanes(&evidence(25), &cluster(25, now), now).plot else { panic!("lanes") };
        assert_eq!(spans.lanes.len(), 25);
        assert_eq!((spans.lanes[0].label.as_str(), spans.lanes[24].label.as_str()), ("LINUX-0", "LINUX-24"));
        let waits = &spans.lanes[24].spans;
        assert_eq!((waits.len(), waits[0].key, waits[0].to), (1, 0, 18.0), "it waits until now");
        assert_eq!(spans.lanes[1].spans.iter().map(|span| span.key).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
