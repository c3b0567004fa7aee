//! Live Guest Relocation: its stages and passes, the guest's stop, what held it back, and how it ended.

use zvmlab::Scenario;
use zvmlab::snapshot::{ClusterSnapshot, EndCode, RelocationSnapshot};

use crate::words::relocations::window;
use crate::words::state;
use crate::words::unit::seconds;
pub use words::{NOT_PUBLISHED, PAGES_PER_GB};
use words::{ended, quiesce_so_far, where_it_runs};

/// Pages of a message, which arrives in one buffer.
pub const BUFFER_PAGES: u64 = 256;

/// `24 of 25 relocations completed, in 63.1 s …`.
pub fn all_said(cluster: &ClusterSnapshot, scenario: Option<&Scenario>, now_ns: u64) -> String {
    let all = &cluster.relocations;
    let count = |of: &dyn Fn(&RelocationSnapshot) -> bool| all.iter().filter(|one| of(one)).count();
    let completed = count(&|one| one.end == Some(EndCode::Completed));
    let failed: Vec<&RelocationSnapshot> =
        all.iter().filter(|one| one.end.is_some_and(|end| end != EndCode::Completed)).collect();
    let under_way = count(&|one| one.began_ns.is_some() && one.end.is_none());
    let mut told = format!("{completed} of {} relocations have completed", all.len());
    if under_way > 0 {
        told += &format!(", {under_way} {} under way", if under_way == 1 { "is" } else { "are" });
    }
    if let Some(first) = failed.first() {
        told += &format!(", {} did not complete (first {}: {})", failed.len(), first.name, ended(first));
    }
    told += ".";
    if let Some(began) = cluster.began_ns {
        let last = all.iter().filter_map(|one| one.ended_ns).max().filter(|_| cluster.ended).unwrap_or(now_ns);
        let took = last.saturating_sub(began);
        told += &format!(" {} from the first VMRELOCATE to ", seconds(took));
        told += if cluster.ended { "the end of the last." } else { "now." };
        // Before the end, the window is neither met nor missed.
        let judged = scenario.filter(|_| cluster.ended);
        told += &judged.map_or(String::new(), |scenario| window(cluster, scenario));
    }
    let worst = all.iter().filter_map(|one| Some((quiesce_so_far(one, now_ns)?, one))).max_by_key(|worst| worst.0);
    if let Some((ns, one)) = worst {
        told += &format!(" {} was stopped longest, for {}", one.name, seconds(ns));
        let beyond = |one: &&RelocationSnapshot| {
            let tolerance = u64::from(one.tolerance_ms) * 1_000_000;
            tolerance > 0 && quiesce_so_far(one, now_ns).is_some_and(|ns| ns > tolerance)
        };
        let beyond = all.iter().filter(beyond).count();
        if beyond > 0 {
            told += &format!("; {beyond} guests were stopped longer than they tolerate");
        }
        told += ".";
    }
    told
}

/// What a screen reader should say: the stage that has begun, and at the end where the guest runs.
pub fn spoken(relocation: &RelocationSnapshot) -> String {
    match relocation.end {
        Some(_) => format!("{}: {}. {}", relocation.name, ended(relocation), where_it_runs(relocation)),
        None => format!("{}: {}", relocation.name, state::stage(relocation.stage)),
    }
}

#[cfg(test)]
mod tests {
    use super::fixture::{S, evidence, snapshot};
    use super::*;
    use crate::chart::layout;

    #[test]
    fn who_stood_still_longest_is_named_and_the_window_judged() {
        let cluster = *snapshot(3, 60 * S).cluster.expect("a cluster");
        let mut scenario = fixture::scenario(3);
        scenario.relocation.window_s = 20;
        let text = all_said(&cluster, Some(&scenario), 60 * S);
        for wanted in [
            "3 of 3 relocations have completed.",
            "29\u{a0}s from",
            "The move ended 9 s after the window of 20 s.",
            "LINUX-",
        ] {
            assert!(text.contains(wanted), "{text}");
        }
        assert!(!text.contains("tolerate"), "all are within their second: {text}");
    }

    #[test]
    fn a_relocation_under_way_is_told_as_such() {
        let cluster = *snapshot(3, 25 * S).cluster.expect("a cluster");
        let text = all_said(&cluster, None, 25 * S);
        for wanted in ["1 of 3 relocations have completed, 1 is under way.", "to now."] {
            assert!(text.contains(wanted), "{text}");
        }
    }

    #[test]
    fn every_chart_can_be_laid_out_on_a_phone() {
        let evidence = evidence(25);
        let snapshot = &evidence.history[evidence.history.len() - 1].snapshot;
        let cluster = snapshot.cluster.as_deref().expect("a cluster");
        let relocation = &cluster.relocations[24];
        let measure = |text: &str, size: f64| text.chars().count() as f64 * size * 0.56;
        for chart in [
            charts::strip(&evidence, relocation, snapshot.now_ns),
            charts::passes(&evidence, relocation),
            charts::throughput(&evidence, cluster, relocation, snapshot.now_ns),
            charts::lanes(&evidence, cluster, snapshot.now_ns),
        ] {
            let scene = layout::scene(&chart, 340.0, &measure);
            assert!(scene.stops.len() > 3 && scene.height < 700.0, "{}: {} high", chart.id, scene.height);
        }
    }
}

pub mod charts;
#[cfg(test)]
pub mod fixture;
#[cfg(test)]
mod real;
pub mod tables;
pub mod words;
