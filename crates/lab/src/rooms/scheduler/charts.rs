//! The scheduler's charts: claimed storage against the barriers, waiting guests over time, and where the followed guest's
//! time goes.

use zvmlab::snapshot::SchedulerSnapshot;
use zvmlab::{Figure, Snapshot};

use super::super::compared::{chart, curve, figures, levels, newest, over_time, window};
use super::super::{response, shares, states};
use super::words::{BARRIERS, mb, storbuf};
use crate::chart::{Chart, Grid, Key, Level, Plot, Quantity, Row};
use crate::evidence::Evidence;
use crate::words::number::short;
use crate::words::unit::{NO_BREAK, percent};

/// Pages in a megabyte.
const PAGES_PER_MB: f64 = 256.0;
/// The looks of storage claimed up to the barrier, of storage claimed beyond it, and of the room that is left.
const CLAIMED: usize = 0;
const BEYOND: usize = 1;
const ROOM: usize = 6;
/// The look of pageable storage.
const PAGEABLE: usize = 7;

/// The charts of the room.
pub fn charts(evidence: &Evidence) -> Vec<Chart> {
    let Some(snapshot) = newest(evidence) else { return Vec::new() };
    let mut charts = Vec::new();
    if barriers_matter(&snapshot.scheduler) {
        charts.extend([gauge(evidence, snapshot), eligible(evidence), claimed(evidence, snapshot)]);
        charts.extend(shares::chart(evidence));
    }
    charts.extend(response::chart(evidence));
    charts.push(states::chart(evidence));
    charts
}

/// The chart of shares. It stands above the lists if the barriers hold no guest back.
pub fn shares_first(evidence: &Evidence) -> Option<Chart> {
    newest(evidence).filter(|snapshot| !barriers_matter(&snapshot.scheduler)).and_then(|_| shares::chart(evidence))
}

/// Whether the barriers hold any guest back, or nearly do.
pub fn barriers_matter(scheduler: &SchedulerSnapshot) -> bool {
    let near = |index: usize| scheduler.claimed[index] * 4 > scheduler.barriers[index].min(scheduler.pageable_frames);
    scheduler.keeps_eligible && (scheduler.admissions_waited > 0 || (0..3).any(near))
}

/// Where the time of the followed guest goes.
pub fn time_of(evidence: &Evidence, guest: usize) -> Option<Chart> {
    let window = window(evidence)?;
    let name = &window.to.guests.get(guest)?.name;
    let grid = states::grid(window, vec![(name.clone(), guest..guest + 1)]);
    let summary = states::summary(window, guest..guest + 1, name);
    Some(chart(evidence, "followed-states", &format!("Where the time of {name} goes"), summary, Plot::Stack(grid)))
}

/// The storage that the lists claim, against the barriers.
fn gauge(evidence: &Evidence, snapshot: &Snapshot) -> Chart {
    let scheduler = &snapshot.scheduler;
    let row = |index: usize| {
        let (claimed, barrier) = (scheduler.claimed[index], scheduler.barriers[index]);
        let values = [claimed.min(barrier), claimed.saturating_sub(barrier), barrier.saturating_sub(claimed)];
        Row {
            label: BARRIERS[index].into(),
            values: values.iter().map(|pages| Some(*pages as f64 / PAGES_PER_MB)).collect(),
        }
    };
    let keys = [("claimed", CLAIMED), ("claimed beyond the barrier", BEYOND), ("room up to the barrier", ROOM)];
    let pageable = scheduler.pageable_frames as f64 / PAGES_PER_MB;
    let grid = Grid {
        row_name: "Lists".into(),
        value: Quantity::new("Working sets", "MB"),
        keys: keys.iter().map(|(name, look)| Key::new(name, *look)).collect(),
        rows: (0..3).map(row).collect(),
        levels: vec![Level { name: "pageable storage".into(), value: pageable, look: PAGEABLE }],
        at_least: 0.0,
    };
    chart(evidence, "barriers", "Claimed storage against the barriers", gauge_summary(scheduler), Plot::Stack(grid))
}

fn gauge_summary(scheduler: &SchedulerSnapshot) -> String {
    // The barrier that is nearest to full decides which guests wait.
    let full = |index: &usize| scheduler.claimed[*index] as f64 / scheduler.barriers[*index].max(1) as f64;
    let fullest = (0..3).max_by(|a, b| full(a).total_cmp(&full(b))).unwrap_or(2);
    format!(
        "The bars end at the barriers of STORBUF {} {} {}. The fullest is the barrier of {}: {} of {} claimed.",
        storbuf(scheduler, 0),
        storbuf(scheduler, 1),
        storbuf(scheduler, 2),
        BARRIERS[fullest],
        mb(scheduler.claimed[fullest]),
        mb(scheduler.barriers[fullest])
    )
}

/// Guests in the eligible and in the dispatch list over time.
fn eligible(evidence: &Evidence) -> Chart {
    let eligible = curve(evidence, "eligible list", 1, |sample| sample.measurement.get(Figure::EligibleGuests));
    let dispatch = curve(evidence, "dispatch list", 0, |sample| sample.measurement.get(Figure::DispatchGuests));
    let of = |mut level: Level| {
        level.name = format!("eligible, {}", level.name);
        level
    };
    let marked = levels(evidence, Figure::EligibleGuests).into_iter().map(of).collect();
    let plot = over_time(Quantity::new("Guests", ""), vec![eligible, dispatch], marked);
    let now = figures(evidence);
    let get = |figure: Figure| now.and_then(|now| now.get(figure));
    let summary = match (get(Figure::EligibleGuests), get(Figure::DispatchGuests), get(Figure::EligibleWait)) {
        (Some(eligible), Some(dispatch), Some(wait)) => format!(
            "On average {} guests are in the dispatch list and {} in the eligible list, where guests spend {} of their time{}.",
            short(dispatch),
            short(eligible),
            percent(wait),
            get(Figure::EligibleStay).map_or(String::new(), |stay| format!(", {}{NO_BREAK}s for each wait", short(stay)))
        ),
        _ => "Guests in the dispatch list may run. Guests in the eligible list wait to enter it.".into(),
    };
    chart(evidence, "eligible", "Guests that may run, guests that wait", summary, plot)
}

/// Claimed storage over time.
fn claimed(evidence: &Evidence, snapshot: &Snapshot) -> Chart {
    let line = |index: usize, look: usize| {
        curve(evidence, BARRIERS[index], look, move |sample| {
            Some(sample.snapshot.scheduler.claimed[index] as f64 / PAGES_PER_MB)
        })
    };
    let scheduler = &snapshot.scheduler;
    let level = |index: usize, look: usize| Level {
        name: format!("barrier of {}", BARRIERS[index]),
        value: scheduler.barriers[index] as f64 / PAGES_PER_MB,
        look,
    };
    let pageable =
        Level { name: "pageable storage".into(), value: scheduler.pageable_frames as f64 / PAGES_PER_MB, look: PAGEABLE };
    let plot = over_time(
        Quantity::new("Working sets", "MB"),
        vec![line(0, 0), line(1, 2), line(2, 4)],
        vec![level(0, 5), level(2, 1), pageable],
    );
    let summary = match figures(evidence).and_then(|now| now.get(Figure::ClaimedStorage)) {
        Some(claimed) => format!(
            "On average the working sets in the dispatch list claim {} of pageable storage{}.",
            percent(claimed),
            if claimed > 100.0 { ". That is more than there is, so guests page" } else { "" }
        ),
        None => "The working sets that the guests in the dispatch list claim.".into(),
    };
    chart(evidence, "claimed", "Claimed storage as the run goes on", summary, plot)
}

#[cfg(test)]
mod tests {
    use super::super::super::compared::tests::settled_evidence;
    use super::super::words::tests::snapshot;
    use super::*;

    #[test]
    fn the_bars_of_the_gauge_end_at_the_barriers() {
        let mut snapshot = snapshot();
        snapshot.scheduler.claimed[2] = snapshot.scheduler.barriers[2] + 256;
        let chart = gauge(&settled_evidence(), &snapshot);
        let Plot::Stack(grid) = &chart.plot else { panic!("bars") };
        assert_eq!(grid.rows[0].values, [Some(3_700.0), Some(0.0), Some(1_267.0)]);
        assert_eq!(grid.rows[2].values, [Some(3_776.0), Some(1.0), Some(0.0)]);
        assert!(chart.summary.contains("STORBUF 125 105 95") && chart.summary.contains("Q3: "), "{}", chart.summary);
    }

    #[test]
    fn barriers_that_are_far_off_are_not_drawn() {
        let mut scheduler = snapshot().scheduler;
        assert!(barriers_matter(&scheduler));
        scheduler.claimed = [256; 3];
        assert!(!barriers_matter(&scheduler));
        scheduler.admissions_waited = 1;
        assert!(barriers_matter(&scheduler));
    }

    #[test]
    fn a_level_without_eligible_list_has_no_gauge() {
        let charts = charts(&settled_evidence());
        assert!(charts.iter().all(|chart| chart.id != "barriers"));
        assert!(charts.iter().any(|chart| chart.id == "guest-states"));
    }
}
