//! What a guest stood still for while it was relocated, in a sentence or two, and what would shorten it.

use zvmlab::Snapshot;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::{Relocation, Scenario};
use zvmlab::snapshot::{EndCode, PassSnapshot, RelocationSnapshot};

use super::unit::{PAGE_BYTES, can_carry, gb_or_mb, time};
use zvmlab::order;

/// A pass that sends this part of what the pass before it sent is no smaller to speak of. Chosen.
const HARDLY_SMALLER: f64 = 0.9;
/// A part of a stop is told if the stop is at most so many times as long. Chosen.
const TOLD: u64 = 500;

/// Passes that send this part of what the link's chpids can carry fill the link. Chosen: messages and protocol take the rest, 1 to 3 %
/// in runs whose links are the limit.
const AT_SPEED: f64 = 0.9;

/// What a stop is spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Passes that send pages.
    Sending,
    /// Passes that find none.
    Looking,
    /// Its I/O ends.
    Ending,
    /// Its state and its devices, as far as they take longer than the pass beside them.
    Devices,
}

/// What the longest stop of a completed relocation was spent on; none where no relocation has completed.
pub fn why(snapshot: &Snapshot) -> Option<String> {
    let (longest, alone) = longest(snapshot)?;
    let stop_ns = longest.quiesce_ns()?;
    let who = if alone { "was stopped for" } else { "was stopped longest, for" };
    let told: Vec<String> =
        parts(longest)?.into_iter().filter(|part| part.1 * TOLD >= stop_ns.max(1)).map(|part| said(longest, part)).collect();
    let told = match told.as_slice() {
        [] => return Some(format!("{} {who} {}.", longest.name, time(stop_ns))),
        [one] => one.clone(),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
    };
    Some(format!("{} {who} {}: {told}.{}", longest.name, time(stop_ns), shrinking(longest)))
}

/// The same of one relocation that completed, for a line over a chart: its largest part.
pub fn brief(one: &RelocationSnapshot) -> Option<String> {
    let largest = parts(one)?.into_iter().next()?;
    (one.end == Some(EndCode::Completed)).then(|| said(one, largest))
}

/// What would shorten that stop, as far as the rules of the model and this run show it. `limits` is of the same run.
pub fn lever(scenario: &Scenario, snapshot: &Snapshot, limits: &Limits) -> Option<String> {
    let (longest, _) = longest(snapshot)?;
    let less = "a guest that changes less a second";
    let Relocation { immediate, passes_max, goal_ms, .. } = scenario.relocation;
    Some(match parts(longest)?.first()?.0 {
        Part::Ending => return None,
        Part::Devices => "What shortens the stop: fewer devices of the guest. Its state takes its time in any case.".into(),
        Part::Looking => {
            "What shortens the stop: a guest that has touched less storage, as each pass looks at all of it.".into()
        }
        Part::Sending if !immediate && (longest.passes.len() as u32) < passes_max => {
            format!(
                "CP stopped it when the rest would take {goal_ms} ms at most: the knob Goal for the stop, which is assumed."
            )
        }
        Part::Sending => {
            let faster = is_at_link_speed(longest, snapshot) || limits.limit == Some(ResourceKind::Link);
            match limits.limit {
                _ if faster => format!("What shortens the stop: a faster link (chpids), or {less}."),
                Some(ResourceKind::Ctcs) => format!("What shortens the stop: more CTCs, or {less}."),
                Some(ResourceKind::Source | ResourceKind::Destination) => {
                    format!("What shortens the stop: {less}. A faster link would wait for CP’s work.")
                }
                _ => format!("What shortens the stop: {less}."),
            }
        }
    })
}

/// Whether the passes with the stopped guest filled the link. What limits is judged over all passes, and those of a stop may be
/// another matter: no page of a stopped guest is read or changed.
fn is_at_link_speed(one: &RelocationSnapshot, snapshot: &Snapshot) -> bool {
    let stopped = || one.passes.iter().filter(|pass| pass.stopped && pass.pages > 0);
    let (pages, ns) = (stopped().map(|pass| pass.pages).sum::<u64>(), stopped().map(duration_ns).sum::<u64>());
    let links = snapshot.cluster.iter().flat_map(|cluster| &cluster.links);
    let factor =
        links.filter(|link| (link.from, link.to) == (one.from, one.to)).map(|link| link.capacity_factor).sum::<u32>();
    factor > 0 && pages as f64 * PAGE_BYTES >= AT_SPEED * can_carry(factor) * ns as f64 / 1e3
}

/// The relocation with the longest stop of those that completed, and whether it is the only one.
fn longest(snapshot: &Snapshot) -> Option<(&RelocationSnapshot, bool)> {
    let cluster = snapshot.cluster.as_deref()?;
    let all = &cluster.relocations;
    // Of guests that go back and forth only the latest relocations are known.
    if cluster.totals.completed > all.len() as u64 {
        return None;
    }
    let completed = all.iter().filter(|one| one.end == Some(EndCode::Completed));
    completed.max_by_key(|one| one.quiesce_ns()).map(|one| (one, all.len() == 1))
}

/// The parts of a stop, the longest first. They add up to the stop.
fn parts(one: &RelocationSnapshot) -> Option<[(Part, u64); 4]> {
    let (stop_ns, stopped_ns) = (one.quiesce_ns()?, one.stopped_ns?);
    let stopped = || one.passes.iter().filter(|pass| pass.stopped);
    let sum = |sends: bool| stopped().filter(|pass| (pass.pages > 0) == sends).map(duration_ns).sum::<u64>();
    let sending = sum(true).min(stop_ns);
    let looking = sum(false).min(stop_ns - sending);
    let first = stopped().next().map_or(stopped_ns, |pass| pass.began_ns);
    let ending = first.saturating_sub(stopped_ns).min(stop_ns - sending - looking);
    let devices = stop_ns - sending - looking - ending;
    let mut parts = [(Part::Sending, sending), (Part::Looking, looking), (Part::Ending, ending), (Part::Devices, devices)];
    order::by_key(&mut parts, |part| u64::MAX - part.1);
    Some(parts)
}

/// A part in words.
fn said(one: &RelocationSnapshot, (part, ns): (Part, u64)) -> String {
    let pages: u64 = one.passes.iter().filter(|pass| pass.stopped).map(|pass| pass.pages).sum();
    let what = match part {
        Part::Sending if one.passes.iter().any(|pass| !pass.stopped) => {
            format!("to send the {} that it had changed since it was last sent", gb_or_mb(pages))
        }
        Part::Sending => format!("to send its {}", gb_or_mb(pages)),
        Part::Looking if pages > 0 => "for the last pass, which found nothing to send".into(),
        Part::Looking => "for passes that found nothing to send".into(),
        Part::Ending => "until its I/O had ended".into(),
        Part::Devices => "for its state and its devices".into(),
    };
    format!("{} {what}", time(ns))
}

/// Whether the passes before the stop still became smaller, and why the stop sends less than they did.
fn shrinking(one: &RelocationSnapshot) -> String {
    let moving: Vec<&PassSnapshot> = one.passes.iter().filter(|pass| !pass.stopped).collect();
    let [.., before, last] = moving.as_slice() else { return String::new() };
    let count = moving.len();
    let sent = format!("pass {} sent {}, pass {count} {}", count - 1, gb_or_mb(before.pages), gb_or_mb(last.pages));
    if (last.pages as f64) < HARDLY_SMALLER * before.pages as f64 {
        return format!(" Each pass left less: {sent}.");
    }
    let stopped: u64 = one.passes.iter().filter(|pass| pass.stopped).map(|pass| pass.pages).sum();
    let less = match (stopped as f64) < HARDLY_SMALLER * last.pages as f64 {
        true => {
            " The stop sends less: pages that the guest changes ahead of a pass go with it, and a stopped guest changes none."
        }
        false => "",
    };
    format!(
        " The passes had stopped shrinking: {sent}, because the guest changes as much again in the time of a pass.{less}"
    )
}

/// How long a pass took; 0 for one that has not ended.
fn duration_ns(pass: &PassSnapshot) -> u64 {
    pass.ended_ns.map_or(0, |ended| ended.saturating_sub(pass.began_ns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zvmlab::snapshot::{ClusterSnapshot, LinkSnapshot};

    const SECOND: u64 = 1_000_000_000;
    /// Pages of a gigabyte.
    const GB: u64 = 262_144;

    fn pass(began_s: u64, ended_s: u64, gb: u64, stopped: bool) -> PassSnapshot {
        let (began_ns, ended_ns) = (began_s * SECOND, Some(ended_s * SECOND));
        PassSnapshot { began_ns, ended_ns, pages: gb * GB, stopped, ..PassSnapshot::default() }
    }

    fn relocated(passes: Vec<PassSnapshot>, stopped_s: u64, started_s: u64) -> RelocationSnapshot {
        RelocationSnapshot {
            name: "SERVER-1".into(),
            end: Some(EndCode::Completed),
            stopped_ns: Some(stopped_s * SECOND),
            started_ns: Some(started_s * SECOND),
            passes,
            ..RelocationSnapshot::default()
        }
    }

    fn told(relocations: Vec<RelocationSnapshot>) -> Option<String> {
        let cluster = ClusterSnapshot { relocations, ..ClusterSnapshot::default() };
        why(&Snapshot { cluster: Some(Box::new(cluster)), ..Snapshot::default() })
    }

    #[test]
    fn a_stop_is_told_in_its_parts_the_longest_one_first() {
        let passes = vec![pass(0, 20, 40, false), pass(20, 30, 20, false), pass(30, 40, 19, false), pass(40, 46, 12, true)];
        assert_eq!(
            told(vec![relocated([passes, vec![pass(46, 48, 0, true)]].concat(), 40, 48)]).unwrap(),
            "SERVER-1 was stopped for 8 s: 6 s to send the 12 GB that it had changed since it was last sent, and 2 s for the last \
             pass, which found nothing to send. The passes had stopped shrinking: pass 2 sent 20 GB, pass 3 19 GB, because the \
             guest changes as much again in the time of a pass. The stop sends less: pages that the guest changes ahead of a pass go with it, and a \
             stopped guest changes none."
        );
        let passes = vec![pass(0, 20, 40, false), pass(20, 22, 4, false), pass(23, 25, 2, true)];
        assert_eq!(
            told(vec![relocated(passes, 22, 29)]).unwrap(),
            "SERVER-1 was stopped for 7 s: 4 s for its state and its devices, 2 s to send the 2 GB that it had changed since it was \
             last sent, and 1 s until its I/O had ended. Each pass left less: pass 1 sent 40 GB, pass 2 4 GB."
        );
    }

    #[test]
    fn the_lever_acts_on_the_largest_part() {
        let lever = |passes: Vec<PassSnapshot>, stopped_s, started_s, limit: Option<ResourceKind>, passes_max| {
            let relocations = vec![relocated(passes, stopped_s, started_s)];
            let cluster = ClusterSnapshot { relocations, ..ClusterSnapshot::default() };
            let snapshot = Snapshot { cluster: Some(Box::new(cluster)), ..Snapshot::default() };
            let mut scenario = Scenario::default();
            scenario.relocation.passes_max = passes_max;
            lever(&scenario, &snapshot, &Limits { limit, ..Limits::default() }).unwrap()
        };
        let sends = || vec![pass(0, 20, 40, false), pass(20, 26, 12, true)];
        let (link, source) = (Some(ResourceKind::Link), Some(ResourceKind::Source));
        assert!(lever(sends(), 20, 26, link, 2).contains("a faster link (chpids), or a guest that changes less"));
        assert!(lever(sends(), 20, 26, source, 2).ends_with("A faster link would wait for CP’s work."));
        assert!(lever(sends(), 20, 26, link, 8).contains("100 ms at most: the knob Goal for the stop"));
        assert!(lever(sends(), 20, 36, link, 2).contains("fewer devices"));
        assert!(
            lever(vec![pass(0, 20, 40, false), pass(20, 21, 0, true)], 20, 21, link, 8).contains("touched less storage")
        );
    }

    #[test]
    fn a_stop_that_fills_the_link_wants_a_faster_one_whatever_held_the_passes_back() {
        // 12 GB in 6 s are 2.1 GB/s.
        let lever = |capacity_factor| {
            let relocations = vec![relocated(vec![pass(0, 20, 40, false), pass(20, 26, 12, true)], 20, 26)];
            let (from, to) = (relocations[0].from, relocations[0].to);
            let links = vec![LinkSnapshot { from, to, capacity_factor, ..LinkSnapshot::default() }];
            let cluster = ClusterSnapshot { relocations, links, ..ClusterSnapshot::default() };
            let mut scenario = Scenario::default();
            scenario.relocation.passes_max = 2;
            let limits = Limits { limit: Some(ResourceKind::Endpoint), ..Limits::default() };
            lever(&scenario, &Snapshot { cluster: Some(Box::new(cluster)), ..Snapshot::default() }, &limits).unwrap()
        };
        assert!(lever(22).contains("a faster link"));
        assert_eq!(lever(32), "What shortens the stop: a guest that changes less a second.");
    }

    #[test]
    fn of_several_the_longest_stop_is_told() {
        let one = |name: &str, started_s| RelocationSnapshot {
            name: name.into(),
            ..relocated(vec![pass(0, 2, 1, false)], 2, started_s)
        };
        let told = told(vec![one("A", 3), one("B", 9), one("C", 4)]).unwrap();
        assert_eq!(told, "B was stopped longest, for 7 s: 7 s for its state and its devices.");
    }

    #[test]
    fn nothing_is_told_of_what_did_not_complete() {
        assert_eq!(told(Vec::new()), None);
        let cancelled = RelocationSnapshot { end: Some(EndCode::MaxTotal), ..relocated(Vec::new(), 1, 2) };
        assert_eq!(told(vec![cancelled]), None);
        assert_eq!(why(&Snapshot::default()), None);
    }
}
