//! Relocations in a sentence or two: which guest moved where, how long each was stopped, what was allowed, and why one failed.
//! The page and the command line say it in the same words.

use zvmlab::Snapshot;
use zvmlab::scenario::{Relocation, Scenario};
use zvmlab::snapshot::{ClusterSnapshot, EndCode, MemberState, RelocationSnapshot};

use super::state::{cause_of_end, doing};
use super::unit::{gb, gb_or_mb, time};
use zvmlab::order;

/// The answer in a sentence or two, if the host is a cluster.
pub fn answer(scenario: &Scenario, snapshot: &Snapshot) -> Option<String> {
    let cluster = snapshot.cluster.as_deref()?;
    let bounce = scenario.relocation.bounce;
    Some(match cluster.relocations.as_slice() {
        [] if !scenario.relocates() => nobody_moves(cluster),
        [] => "Nothing has moved: no VMRELOCATE was issued.".into(),
        [one] if !bounce => format!("{}{}", one_moved(one, cluster, scenario), window(cluster, scenario)),
        all => many_moved(all, cluster, scenario),
    })
}

/// The answer for a cluster in which no guest moves.
fn nobody_moves(cluster: &ClusterSnapshot) -> String {
    let states = |state: MemberState| cluster.members.iter().filter(|member| member.state == state).count();
    let changes: u64 = cluster.members.iter().map(|member| member.changes).sum();
    let who = cluster.members.iter().filter(|member| member.changes > 0).count();
    match changes {
        0 => "No guest is relocated, and no member changes its state.".into(),
        _ => format!(
            "No guest is relocated. {} changed state {changes} times; at the end {} of {} are joined.",
            counted(who as u64, "member", "members"),
            states(MemberState::Joined),
            cluster.members.len()
        ),
    }
}

/// One guest, which moved or did not.
fn one_moved(one: &RelocationSnapshot, cluster: &ClusterSnapshot, scenario: &Scenario) -> String {
    let name = &one.name;
    match (one.end, one.began_ns) {
        (Some(EndCode::Completed), _) => {
            let stopped =
                one.quiesce_ns().map_or(String::new(), |ns| format!("stopped for {}{}, ", time(ns), allowed(scenario)));
            let in_all = one.relocation_ns().map_or(String::new(), |ns| format!("{} in all, ", time(ns)));
            format!(
                "{name} moves to {}: {stopped}{in_all}{}, {}.{}{}",
                member(cluster, one.to),
                counted(one.passes.len() as u64, "pass", "passes"),
                gb(one.pages()),
                read_first(one, cluster),
                tolerated(one, scenario)
            )
        }
        (Some(end), _) => {
            let why = cause_of_end(end, scenario, one.relocation_ns());
            format!("{name} {} {why}.{}", stays(end, one, cluster), in_vain(one))
        }
        (None, None) => format!("{name} has not moved: VMRELOCATE was not issued yet."),
        (None, Some(_)) => {
            format!("{name} is still moving to {}: {}.", member(cluster, one.to), doing(one))
        }
    }
}

/// What a relocation that did not complete took for nothing: ` It was stopped for 5 s before that. For nothing: 34 s in all,
/// 3 passes, 44 GB sent.`
fn in_vain(one: &RelocationSnapshot) -> String {
    let still = match one.quiesce_ns() {
        Some(ns) => format!(" It was stopped for {} before that.", time(ns)),
        None if one.end == Some(EndCode::Logoff) => String::new(),
        None => " It was never stopped.".into(),
    };
    let Some(ns) = one.relocation_ns().filter(|_| one.pages() > 0) else { return still };
    let passes = counted(one.passes.len() as u64, "pass", "passes");
    format!("{still} For nothing: {} in all, {passes}, {} sent.", time(ns), gb(one.pages()))
}

/// How much had to be read from page space at the source before it could be sent.
fn read_first(one: &RelocationSnapshot, cluster: &ClusterSnapshot) -> String {
    match one.pages_read {
        0 => String::new(),
        pages => format!(
            " CP first read {} of it from page space at {}. A guest that waits for pages changes fewer of them.",
            gb_or_mb(pages),
            member(cluster, one.from)
        ),
    }
}

/// Where the guest of a relocation that did not complete is.
fn stays(end: EndCode, one: &RelocationSnapshot, cluster: &ClusterSnapshot) -> String {
    match end {
        EndCode::Logoff => "is gone:".into(),
        _ => format!("stays at {}:", member(cluster, one.from)),
    }
}

/// How long the guest may be stopped: ` of the 10 s allowed`.
fn allowed(scenario: &Scenario) -> String {
    scenario.relocation.quiesce_limit_s().map_or(" (no limit)".into(), |limit| format!(" of the {limit} s allowed"))
}

/// The time stopped, compared with the guest's tolerance where that is another than what is allowed.
fn tolerated(one: &RelocationSnapshot, scenario: &Scenario) -> String {
    let tolerance_ns = u64::from(one.tolerance_ms) * 1_000_000;
    let allowed_ns = scenario.relocation.quiesce_limit_s().map(|limit| u64::from(limit) * 1_000_000_000);
    match one.quiesce_ns() {
        Some(ns) if tolerance_ns > 0 && ns > tolerance_ns => {
            format!(" That is more than the {} it tolerates.", time(tolerance_ns))
        }
        Some(_) if tolerance_ns > 0 && allowed_ns != Some(tolerance_ns) => format!(" It tolerates {}.", time(tolerance_ns)),
        _ => String::new(),
    }
}

/// Many guests, or guests that go back and forth.
fn many_moved(all: &[RelocationSnapshot], cluster: &ClusterSnapshot, scenario: &Scenario) -> String {
    let completed: Vec<&RelocationSnapshot> = all.iter().filter(|one| one.end == Some(EndCode::Completed)).collect();
    if cluster.began_ns.is_none() || completed.is_empty() && all.iter().all(|one| one.end.is_none()) {
        let at = all.iter().find(|one| one.began_ns.is_some() && one.end.is_none());
        let at = at.map_or("no VMRELOCATE was issued yet.".into(), |one| format!("{}: {}.", one.name, doing(one)));
        return format!("Nothing has moved yet: {at}");
    }
    let what = match scenario.relocation.bounce {
        true => {
            let mut guests: Vec<u32> = all.iter().map(|one| one.guest).collect();
            order::naturally(&mut guests);
            guests.dedup();
            let who = counted(guests.len() as u64, "guest", "guests");
            // Of many relocations the snapshot lists only the latest.
            let moved = cluster.totals.completed.max(completed.len() as u64);
            format!("{who} moved {} in all", counted(moved, "time", "times"))
        }
        false => format!("{} of {} guests moved{}", completed.len(), all.len(), took(cluster)),
    };
    format!("{what}{}.{}{}{}", stopped(cluster), window(cluster, scenario), failed(all, scenario), beyond(all))
}

/// How long it all took: ` in 71 s`.
fn took(cluster: &ClusterSnapshot) -> String {
    total_ns(cluster).map_or(String::new(), |ns| format!(" in {}", time(ns)))
}

/// From the first VMRELOCATE to the end of the last relocation, if all have ended.
fn total_ns(cluster: &ClusterSnapshot) -> Option<u64> {
    let last = cluster.relocations.iter().filter_map(|one| one.ended_ns).max().filter(|_| cluster.ended)?;
    last.checked_sub(cluster.began_ns?)
}

/// How long guests were stopped: `; stopped for 0.3 s on average, 0.9 s at most`.
fn stopped(cluster: &ClusterSnapshot) -> String {
    let totals = &cluster.totals;
    match totals.quiesce_ns.checked_div(totals.completed) {
        Some(mean) => format!("; stopped for {} on average, {} at most", time(mean), time(totals.quiesce_worst_ns)),
        None => "; no guest was stopped".into(),
    }
}

/// The relocations that did not complete: the first with its reason, the others counted.
fn failed(all: &[RelocationSnapshot], scenario: &Scenario) -> String {
    let failed: Vec<(&RelocationSnapshot, EndCode)> =
        all.iter().filter_map(|one| Some((one, one.end.filter(|end| *end != EndCode::Completed)?))).collect();
    let Some((first, end)) = failed.first() else { return String::new() };
    let others = match failed.len() - 1 {
        0 => String::new(),
        1 => " One other did not either.".into(),
        others => format!(" {others} others did not either."),
    };
    format!(" {} did not move: {}.{}{others}", first.name, cause_of_end(*end, scenario, None), in_vain(first))
}

/// The guest with the longest stop beyond its tolerance, and how many others were stopped beyond theirs.
fn beyond(all: &[RelocationSnapshot]) -> String {
    let over = |one: &&RelocationSnapshot| {
        let tolerance_ns = u64::from(one.tolerance_ms) * 1_000_000;
        one.quiesce_ns().is_some_and(|ns| tolerance_ns > 0 && ns > tolerance_ns)
    };
    let over: Vec<&RelocationSnapshot> = all.iter().filter(over).collect();
    let Some(worst) = over.iter().max_by_key(|one| one.quiesce_ns()) else {
        let any = all.iter().any(|one| one.tolerance_ms > 0 && one.quiesce_ns().is_some());
        return if any { " Every stop is within its limit.".into() } else { String::new() };
    };
    let others = match over.len() - 1 {
        0 => String::new(),
        others => format!(", and {others} more are stopped for longer than they tolerate"),
    };
    format!(
        " {} is stopped for {}; its tolerance is {}{others}.",
        worst.name,
        time(worst.quiesce_ns().unwrap_or_default()),
        time(u64::from(worst.tolerance_ms) * 1_000_000)
    )
}

/// The time of all relocations, compared with the window, if one is given. The window is met only if all guests moved.
pub fn window(cluster: &ClusterSnapshot, scenario: &Scenario) -> String {
    let Relocation { window_s, bounce, .. } = scenario.relocation;
    match total_ns(cluster).filter(|_| cluster.totals.not_completed == 0) {
        _ if window_s == 0 || bounce => String::new(),
        Some(ns) if ns <= u64::from(window_s) * 1_000_000_000 => {
            format!(" The move ended within the window of {window_s} s.")
        }
        Some(ns) => {
            format!(" The move ended {} after the window of {window_s} s.", time(ns - u64::from(window_s) * 1_000_000_000))
        }
        None => format!(" The window of {window_s} s is not met: not all guests have moved."),
    }
}

/// The name of a member.
pub fn member(cluster: &ClusterSnapshot, place: u32) -> String {
    cluster.members.get(place as usize).map_or_else(|| member_at(place), |member| member.name.clone())
}

/// The name of the member at `place`, if nothing else is known of it.
pub fn member_at(place: u32) -> String {
    format!("MEMBER{}", place + 1)
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests;
