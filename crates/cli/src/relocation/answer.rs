//! The answer of a run in a sentence or two: who moved where, how long that took and how long guests stood still, against what was
//! allowed.

use zvmlab::scenario::Scenario;
use zvmlab::snapshot::{ClusterSnapshot, EndCode, RelocationSnapshot};

use super::{gigabytes, member, seconds};
use crate::words;

/// The answer of a cluster.
pub fn answer(scenario: &Scenario, cluster: &ClusterSnapshot) -> String {
    let begun: Vec<&RelocationSnapshot> = cluster.relocations.iter().filter(|one| one.began_ns.is_some()).collect();
    match begun.as_slice() {
        [] => nobody_moves(scenario, cluster),
        [one] if cluster.relocations.len() == 1 && !scenario.relocation.bounce => {
            one_moves(one, scenario, cluster) + &window(scenario, cluster)
        }
        begun => many_move(begun, scenario, cluster),
    }
}

fn nobody_moves(scenario: &Scenario, cluster: &ClusterSnapshot) -> String {
    let changes: u64 = cluster.members.iter().map(|member| member.changes).sum();
    match (scenario.relocates(), changes) {
        (true, _) => "Nothing has moved: VMRELOCATE was not issued in the interval.".into(),
        (false, 0) => "No guest is relocated, and no member changed its state.".into(),
        (false, changes) => format!("No guest is relocated; members changed their state {changes} times."),
    }
}

fn one_moves(one: &RelocationSnapshot, scenario: &Scenario, cluster: &ClusterSnapshot) -> String {
    let name = words::plain(&one.name);
    match one.end {
        Some(EndCode::Completed) => format!(
            "{name} moved to {} in {} s; it stood still for {} s{}, and {} passes sent {} GB.{}",
            member(cluster, one.to),
            one.relocation_ns().map_or("-".into(), seconds),
            one.quiesce_ns().map_or("-".into(), seconds),
            allowed(scenario),
            one.passes.len(),
            gigabytes(one.pages()),
            borne(one)
        ),
        Some(end) => why_not(one, end, scenario, cluster),
        None => format!("{name} is still being moved to {}: {}.", member(cluster, one.to), words::stage(one.stage)),
    }
}

/// Why a guest is not where it was to go, and where it is.
fn why_not(one: &RelocationSnapshot, end: EndCode, scenario: &Scenario, cluster: &ClusterSnapshot) -> String {
    let name = words::plain(&one.name);
    let limit = |seconds: Option<u32>| seconds.map_or(String::new(), |seconds| format!(" ({seconds} s)"));
    let more = match end {
        EndCode::MaxQuiesce => limit(scenario.relocation.quiesce_limit_s()),
        EndCode::MaxTotal => limit(scenario.relocation.total_limit_s()),
        EndCode::Ineligible if !scenario.relocation.force_storage => {
            format!(": {} has no room for it or is not there, and FORCE STORAGE is off", member(cluster, one.to))
        }
        _ => String::new(),
    };
    let place = match end {
        EndCode::Logoff => "it is gone".into(),
        _ => format!("it runs on at {}", member(cluster, one.from)),
    };
    let stood = one.quiesce_ns().map_or(String::new(), |ns| format!(", having stood still for {} s", seconds(ns)));
    format!("{name} did not move: {}{more} (code {:02}); {place}{stood}.", end.text(), end.code())
}

fn many_move(begun: &[&RelocationSnapshot], scenario: &Scenario, cluster: &ClusterSnapshot) -> String {
    let all = cluster.relocations.len();
    let completed = begun.iter().filter(|one| one.end == Some(EndCode::Completed)).count();
    let what = if scenario.relocation.bounce { "relocations completed" } else { "guests moved" };
    let took = total_ns(cluster).map_or(String::new(), |ns| format!(" in {} s", seconds(ns)));
    let mut text = format!("{completed} of {all} {what}{took}");
    let stood: Vec<u64> = begun.iter().filter_map(|one| one.quiesce_ns()).collect();
    let worst = begun.iter().filter(|one| one.quiesce_ns().is_some()).max_by_key(|one| one.quiesce_ns());
    if let (Some(worst), Some(ns)) = (worst, worst.and_then(|one| one.quiesce_ns())) {
        let mean = stood.iter().sum::<u64>() / stood.len() as u64;
        let name = words::plain(&worst.name);
        text += &format!("; guests stood still for {} s on average, {name} longest, for {} s", seconds(mean), seconds(ns));
    }
    text.push('.');
    let failed: Vec<(&&RelocationSnapshot, EndCode)> =
        begun.iter().filter_map(|one| Some((one, one.end.filter(|end| *end != EndCode::Completed)?))).collect();
    if let Some((first, end)) = failed.first() {
        text += &format!(" {}", why_not(first, *end, scenario, cluster));
        if failed.len() > 1 {
            text += &format!(" {} more did not move.", failed.len() - 1);
        }
    }
    text + &beyond(begun) + &window(scenario, cluster)
}

/// From the first VMRELOCATE to the end of the last relocation, if all have ended.
fn total_ns(cluster: &ClusterSnapshot) -> Option<u64> {
    let last = cluster.relocations.iter().filter_map(|one| one.ended_ns).max().filter(|_| cluster.ended)?;
    last.checked_sub(cluster.began_ns?)
}

/// What MAXQUIESCE allows.
fn allowed(scenario: &Scenario) -> String {
    scenario
        .relocation
        .quiesce_limit_s()
        .map_or(" (no MAXQUIESCE)".into(), |limit| format!(" of the {limit} s that MAXQUIESCE allows"))
}

fn tolerance_ns(one: &RelocationSnapshot) -> Option<u64> {
    (one.tolerance_ms > 0).then_some(u64::from(one.tolerance_ms) * 1_000_000)
}

/// The time that a guest stood still against what is borne.
fn borne(one: &RelocationSnapshot) -> String {
    match (one.quiesce_ns(), tolerance_ns(one)) {
        (Some(ns), Some(most)) if ns > most => format!(" That is more than the {} s that are borne.", seconds(most)),
        (Some(_), Some(most)) => format!(" That is within the {} s that are borne.", seconds(most)),
        _ => String::new(),
    }
}

/// Guests that stood still for longer than is borne.
fn beyond(begun: &[&RelocationSnapshot]) -> String {
    let said: Vec<bool> = begun.iter().filter_map(|one| Some(one.quiesce_ns()? > tolerance_ns(one)?)).collect();
    match (said.len(), said.iter().filter(|beyond| **beyond).count()) {
        (0, _) => String::new(),
        (_, 0) => " None stood still for longer than is borne.".into(),
        (all, beyond) => format!(" {beyond} of {all} stood still for longer than is borne."),
    }
}

/// What it all took against the window, where one is given.
fn window(scenario: &Scenario, cluster: &ClusterSnapshot) -> String {
    let window_s = scenario.relocation.window_s;
    if window_s == 0 || scenario.relocation.bounce {
        return String::new();
    }
    let window_ns = u64::from(window_s) * 1_000_000_000;
    match total_ns(cluster) {
        Some(ns) if ns <= window_ns => format!(" That is within the window of {window_s} s."),
        Some(ns) => format!(" That is {} s past the window of {window_s} s.", seconds(ns - window_ns)),
        None => format!(" The window of {window_s} s is not met: not all have ended."),
    }
}
