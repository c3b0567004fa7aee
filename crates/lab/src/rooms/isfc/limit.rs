//! What limits a link: its chpids, its buffers, a processor at an end, paging, or storage. In a sentence.

use zvmlab::Snapshot;
use zvmlab::snapshot::{ClusterSnapshot, RelocationSnapshot, Throttle};

use super::super::compared::Window;
use super::{busy, grown, way};
use crate::words::relocations::member_at as member;
use crate::words::state::throttle_layer;
use crate::words::unit::{percent, short_seconds};
use zvmlab::order;

/// What takes at least this share of the time, in percent, counts as a limit. Chosen by hand.
const LIMITS: f64 = 85.0;
/// The same for a throttle. It acts only now and then, and delays everything. Chosen by hand.
const THROTTLES: f64 = 10.0;

/// How many relocations a snapshot lists at most.
const LISTED_MAX: usize = 512;

/// Something that may limit a link, with the share of the time in which it did, in percent.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    /// Its name, in words.
    what: String,
    /// Percent of the time.
    of_time: f64,
}

/// What limits the link at `index`.
pub fn said(cluster: &ClusterSnapshot, index: usize, window: Window) -> String {
    let Some(link) = cluster.links.get(index) else { return String::new() };
    let way = way(link);
    if !link.up {
        return format!("{way}: the ISFC connection is lost. The link carries nothing.");
    }
    let own: Vec<&RelocationSnapshot> =
        cluster.relocations.iter().filter(|one| (one.from, one.to) == (link.from, link.to)).collect();
    if own.iter().all(|one| one.began_ns.is_none()) {
        return format!("{way}: no relocation has used the link. Its chpids are {} busy.", percent(busy(window, index)));
    }
    match found(window, index, (link.from, link.to)).as_slice() {
        [] => format!(
            "{way}: nothing limited the link all the time. Its chpids were {} busy while passes were sent. Between passes, and while a guest's state and devices move, it has less to carry.",
            percent(busy_in_passes(window, index, (link.from, link.to)))
        ),
        [first] => format!("{way}: {} is the limit.", first.what),
        [first, rest @ ..] => {
            let others: Vec<&str> = rest.iter().map(|found| found.what.as_str()).collect();
            format!("{way}: {} is the limit, together with {}.", first.what, others.join(", and "))
        }
    }
}

/// What acted. Causes stand before their effects.
fn found(window: Window, index: usize, (from, to): (u32, u32)) -> Vec<Found> {
    let mut found = Vec::new();
    // A lack of buffers is an effect of busy chpids, or of an end that stores slowly.
    for (at, of) in [(0, Throttle::Paging), (1, Throttle::Memory)] {
        let of_time = throttled(window, at, (from, to));
        if of_time >= THROTTLES {
            let cause = if of == Throttle::Paging { "paging" } else { "storage at the destination" };
            found.push(Found {
                what: format!("{cause} (throttle “{}”, {} of the time)", throttle_layer(of), percent(of_time)),
                of_time,
            });
        }
    }
    order::by(&mut found, |a, b| b.of_time.total_cmp(&a.of_time));
    let (chpids, buffers) = (busy_in_passes(window, index, (from, to)), throttled(window, 2, (from, to)));
    let lacked = short_seconds((buffers / 100.0 * time_under_way(window, (from, to))) as u64);
    if chpids >= LIMITS {
        // With more buffers, more messages would wait for the same chpids.
        let full = if buffers > 0.0 { format!(", so its buffers ran out for {lacked}") } else { String::new() };
        let what = format!("the link itself (its chpids are {} busy while passes are sent{full})", percent(chpids));
        found.push(Found { what, of_time: chpids });
    }
    for place in [from, to] {
        let busy = processors(window, place);
        if busy >= LIMITS {
            found.push(Found {
                what: format!("the processors of {} ({} busy)", member(place), percent(busy)),
                of_time: busy,
            });
        }
    }
    for (end, place) in [(0, from), (1, to)] {
        // CP does its work for one relocation one piece after the other.
        let one = one_processor(window, end, (from, to));
        if one >= LIMITS {
            found.push(Found {
                what: format!("the work of CP at {} ({} of one processor)", member(place), percent(one)),
                of_time: one,
            });
        }
    }
    if buffers >= THROTTLES && chpids < LIMITS {
        found.push(Found { what: format!("a lack of buffers for {lacked}"), of_time: buffers });
    }
    found
}

/// How busy the chpids were while passes were sent over the link, in percent. At other times there is nothing to carry, which does
/// not mean that the link has room.
fn busy_in_passes(window: Window, index: usize, way: (u32, u32)) -> f64 {
    let chpids = window.to.cluster.as_ref().and_then(|cluster| cluster.links.get(index)).map_or(1, |link| link.chpids.len());
    let busy_ns = grown(window, index, |link| link.relocating_busy_ns) / chpids.max(1) as f64;
    match sending_ns(window, way) {
        0 => 0.0,
        sending => (busy_ns / sending as f64 * 100.0).min(100.0),
    }
}

/// Time of the window in which at least one pass was sent that way.
fn sending_ns(window: Window, way: (u32, u32)) -> u64 {
    let (start, end) = (window.from.map_or(0, |from| from.now_ns), window.to.now_ns);
    let of = |one: &RelocationSnapshot| {
        let last = one.ended_ns.unwrap_or(end);
        let span =
            move |pass: &zvmlab::snapshot::PassSnapshot| (pass.began_ns.max(start), pass.ended_ns.unwrap_or(last).min(end));
        one.passes.iter().map(span).collect::<Vec<_>>()
    };
    let mut spans: Vec<(u64, u64)> = over(window.to, way).flat_map(of).filter(|(from, to)| from < to).collect();
    order::naturally(&mut spans);
    let mut told = start;
    let mut sum = 0;
    for (from, to) in spans {
        sum += to.saturating_sub(from.max(told));
        told = told.max(to);
    }
    // The snapshot lists only the latest relocations of bouncing guests. If some may be missing, all time with relocations counts.
    let listed = window.to.cluster.as_ref().is_none_or(|cluster| cluster.relocations.len() < LISTED_MAX);
    let under_way = window.growth(|snapshot| snapshot.cluster.as_ref().map_or(0, |cluster| cluster.relocating_ns)) as u64;
    if listed { sum } else { sum.max(under_way) }
}

/// The relocations of a snapshot that were under way over a link.
fn over(snapshot: &Snapshot, (from, to): (u32, u32)) -> impl Iterator<Item = &RelocationSnapshot> {
    let all = snapshot.cluster.iter().flat_map(|cluster| &cluster.relocations);
    all.filter(move |one| (one.from, one.to) == (from, to))
}

/// Percent of the window in which a throttle held relocations back, mean of the relocations that were under way at once.
fn throttled(window: Window, at: usize, way: (u32, u32)) -> f64 {
    let held = window.growth(|snapshot| over(snapshot, way).map(|one| one.throttled_ns[at]).sum());
    held / time_under_way(window, way) * 100.0
}

/// Time of all relocations of the window, summed.
fn time_under_way(window: Window, way: (u32, u32)) -> f64 {
    let start = window.from.map_or(0, |from| from.now_ns);
    let took = |one: &RelocationSnapshot| {
        let end = one.ended_ns.unwrap_or(window.to.now_ns);
        one.began_ns.map_or(0, |began| end.saturating_sub(began.max(start)))
    };
    over(window.to, way).map(took).sum::<u64>().max(1) as f64
}

/// Percent of one processor that CP used for a relocation at an end, mean over the relocations of the window.
fn one_processor(window: Window, end: usize, way: (u32, u32)) -> f64 {
    window.growth(|snapshot| over(snapshot, way).map(|one| one.cpu_ns[end]).sum()) / time_under_way(window, way) * 100.0
}

/// How busy the processors of a member were, in percent.
fn processors(window: Window, place: u32) -> f64 {
    let of = |snapshot: &Snapshot| {
        super::super::cluster::member_of(snapshot, place as usize).map_or((0, 0), |member| {
            let processors = &member.processors;
            (processors.guest_ns + processors.chargeable_cp_ns + processors.nonchargeable_cp_ns, u64::from(processors.count))
        })
    };
    let count = of(window.to).1.max(1);
    window.growth(|snapshot| of(snapshot).0) / window.elapsed_ns() / count as f64 * 100.0
}

#[cfg(test)]
mod tests {
    use super::super::super::cluster::relocating;
    use super::super::super::relocation::fixture::{S, evidence, snapshot};
    use super::*;

    fn told(change: impl Fn(&mut ClusterSnapshot)) -> String {
        let mut last = snapshot(1, 21 * S);
        change(last.cluster.as_deref_mut().expect("a cluster"));
        let first = snapshot(1, 12 * S);
        let window = Window { from: Some(&first), to: &last };
        said(last.cluster.as_deref().expect("a cluster"), 0, window)
    }

    #[test]
    fn the_limit_that_acts_is_named_before_what_follows_from_it() {
        let text = told(|cluster| {
            let chpids = cluster.links[0].chpids.len() as u64;
            cluster.links[0].relocating_busy_ns += chpids * 9 * S;
        });
        assert!(text.starts_with("MEMBER1 → MEMBER2: the link itself (its chpids are 100"), "{text}");
        assert!(text.contains("so its buffers ran out for 1.5"), "{text}");
        assert!(!text.contains("a lack of buffers"), "buffers run out as the chpids are busy: {text}");
        let text = told(|_| ());
        assert!(text.contains("a lack of buffers for 1.5"), "the chpids have room: {text}");
        let text = told(|cluster| cluster.relocations[0].throttled_ns = [0, 6 * S, 2 * S]);
        assert!(text.contains("MEMBER2: storage at the destination") && text.contains("66.7"), "{text}");
    }

    #[test]
    fn where_nothing_is_the_limit_that_is_said() {
        let text = told(|cluster| cluster.relocations[0].throttled_ns = [0; 3]);
        assert!(text.contains("nothing limited the link all the time"), "{text}");
        let text = told(|cluster| cluster.links[0].up = false);
        assert!(text.contains("the ISFC connection is lost"), "{text}");
        let unused = evidence(0);
        assert!(relocating(&unused).is_some(), "a cluster without relocations has a window too");
    }
}
