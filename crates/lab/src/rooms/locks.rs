//! Spin locks: a guest's Diag X'44' beside the published figures, CP's own locks, and the lock of VARY PROCESSOR.

use zvmlab::scenario::GuestGroup;
use zvmlab::{Figure, Measurement, Scenario};

use super::compared::{
    BEFORE, NOW, PINNED, PUBLISHED, chart, current, curve, figures, levels, newest, now_name, once_each, over_time, pinned,
    sources,
};
use crate::chart::{Chart, Grid, Key, Plot, Quantity, Row};
use crate::evidence::Evidence;
use crate::published::PublishedRun;
use crate::words::number::short;
use crate::words::unit::{percent, with_unit};

/// The source of the published Diag X'44' figures.
const DIAG44: &str = "diag44-5.2";

/// Paths of a guest's Diag X'44'.
const PATHS: [(Figure, &str); 3] =
    [(Figure::Diag44Normal, "normal path"), (Figure::Diag44Fast, "fast path"), (Figure::Diag44Total, "total")];

/// Whether a guest of `scenario` has a lock or releases pages, guests make CP take its locks, or VARY PROCESSOR is entered.
pub fn matter(scenario: &Scenario) -> bool {
    let any = |group: &GuestGroup| group.lock_us > 0 || group.service_us > 0 || group.releases() > 0;
    scenario.guests.iter().any(any) || scenario.dispatcher.vary_s > 0
}

/// The charts of the locks that the host has.
pub fn charts(evidence: &Evidence) -> Vec<Chart> {
    let Some(scenario) = evidence.settled.as_ref().map(|settled| &settled.scenario) else { return Vec::new() };
    let mut charts = Vec::new();
    if scenario.guests.iter().any(|group| group.lock_us > 0) {
        charts.extend([diag44(evidence), guest_spin(evidence)]);
    }
    if scenario.guests.iter().any(|group| group.service_us > 0) {
        charts.push(cp_spin(evidence));
        // A dedicated processor is never taken away, so nobody yields.
        charts.extend(scenario.processors.shared.then(|| cp_yields(evidence)));
    }
    if scenario.guests.iter().any(|group| group.releases() > 0) {
        charts.push(ptil(evidence));
    }
    charts.extend((scenario.dispatcher.vary_s > 0).then(|| vary_over(evidence)));
    charts
}

/// What VARY PROCESSOR's lock does, in words.
pub fn vary_said(evidence: &Evidence) -> Option<String> {
    let dispatcher = &evidence.settled.as_ref()?.scenario.dispatcher;
    if dispatcher.vary_s == 0 {
        return None;
    }
    let locks = &newest(evidence)?.locks;
    let said = match (locks.vary_held, locks.vary_waiting) {
        (false, _) => "VARY PROCESSOR does not hold its lock at this instant.".to_string(),
        (true, 0) => "VARY PROCESSOR holds its lock; no virtual CPU waits for it yet.".into(),
        (true, waiting) => format!(
            "VARY PROCESSOR holds its lock, and {waiting} virtual CPUs wait for it: they asked CP for a service that needs it."
        ),
    };
    let fix = if dispatcher.vary_fix {
        "With VM64767 it gives the lock back."
    } else {
        "Without VM64767 it never completes and never gives the lock back."
    };
    Some(format!("{said} {fix}"))
}

/// Whether the rates of a published run are printed.
fn has_rates(run: &PublishedRun) -> bool {
    PATHS.iter().any(|(figure, _)| run.value(*figure).is_some())
}

/// A guest's Diag X'44' by path, the published rates beside the model's.
fn diag44(evidence: &Evidence) -> Chart {
    // The published rates are of one host. They stand beside it at every level.
    let of_source = current(evidence).is_some_and(|run| run.source_id == DIAG44);
    let published: Vec<&PublishedRun> =
        evidence.published.iter().filter(|run| run.source_id == DIAG44 && of_source && has_rates(run)).collect();
    let mut columns: Vec<(Key, Vec<Option<f64>>)> = Vec::new();
    let model = |measurement: &Measurement| PATHS.iter().map(|(figure, _)| measurement.get(*figure)).collect();
    columns.extend(figures(evidence).map(|now| (Key::new(now_name(evidence), NOW), model(now))));
    columns.extend(pinned(evidence).map(|before| (Key::new(BEFORE, PINNED), model(&before.measurement))));
    for (index, run) in published.iter().enumerate() {
        let look = if index == 0 { PUBLISHED } else { 4 };
        let values = PATHS.iter().map(|(figure, _)| run.value(*figure)).collect();
        columns.push((Key::new(&format!("{}, published", run.id), look), values));
    }
    let row = |(index, (_, label)): (usize, &(Figure, &str))| Row {
        label: (*label).into(),
        values: columns.iter().map(|(_, values)| values.get(index).copied().flatten()).collect(),
    };
    let grid = Grid {
        row_name: "Path".into(),
        value: Quantity::new("Diag X'44' of guests", "a second"),
        keys: columns.iter().map(|(key, _)| key.clone()).collect(),
        rows: PATHS.iter().enumerate().map(row).collect(),
        levels: Vec::new(),
        at_least: 0.0,
    };
    let get = |figure: Figure| figures(evidence).and_then(|now| now.get(figure));
    let summary = match (get(Figure::Diag44Normal), get(Figure::Diag44Fast)) {
        (Some(normal), Some(fast)) => format!(
            "Guests issue {} a second: {} take the whole path through CP, {} return at once by the fast path.",
            with_unit(normal + fast, "Diag X'44'"),
            with_unit(normal, ""),
            with_unit(fast, "")
        ),
        _ => "A virtual CPU that waits for its guest's lock spins, then yields by Diag X'44'.".into(),
    };
    let mut made = chart(evidence, "diag44", "Diag X'44' of guests", summary, Plot::Columns(grid));
    made.sources = once_each(PATHS.iter().flat_map(|(figure, _)| sources(published.iter().copied(), *figure)));
    made
}

fn guest_spin(evidence: &Evidence) -> Chart {
    let line = curve(evidence, now_name(evidence), NOW, |sample| sample.measurement.get(Figure::GuestSpin));
    let plot = over_time(Quantity::new("Spinning", "% of a processor"), vec![line], levels(evidence, Figure::GuestSpin));
    let summary = match figures(evidence).and_then(|now| now.get(Figure::GuestSpin)) {
        Some(spin) => {
            format!("The guests' virtual CPUs spend {} of one processor spinning for their guest's lock.", percent(spin))
        }
        None => "Processor time that guests spend spinning for their lock.".into(),
    };
    chart(evidence, "guest-spin", "Guests' time spinning", summary, plot)
}

fn cp_spin(evidence: &Evidence) -> Chart {
    let line = curve(evidence, now_name(evidence), NOW, |sample| sample.measurement.get(Figure::CpSpin));
    let plot = over_time(Quantity::new("Spinning", "% of a processor"), vec![line], levels(evidence, Figure::CpSpin));
    let locks = newest(evidence).map(|snapshot| &snapshot.locks).filter(|locks| locks.cp_taken > 0);
    let contended = locks.map_or(String::new(), |locks| {
        let of = locks.cp_contended as f64 / locks.cp_taken as f64 * 100.0;
        format!("; for {} of the locks taken, another processor had the lock first", percent(of))
    });
    let summary = match figures(evidence).and_then(|now| now.get(Figure::CpSpin)) {
        Some(spin) => format!("CP spends {} of one processor spinning for its locks{contended}.", percent(spin)),
        None => "CP time spent spinning for a lock.".into(),
    };
    chart(evidence, "cp-spin", "CP's spin locks: time spinning", summary, plot)
}

fn cp_yields(evidence: &Evidence) -> Chart {
    let blind = curve(evidence, "Diag X'44'", 1, |sample| sample.measurement.get(Figure::CpDiag44));
    let told = curve(evidence, "Diag X'9C'", 2, |sample| sample.measurement.get(Figure::CpDiag9c));
    let plot = over_time(Quantity::new("Yields to PR/SM", "a second"), vec![blind, told], Vec::new());
    let get = |figure: Figure| figures(evidence).and_then(|now| now.get(figure)).unwrap_or(0.0);
    let summary = format!(
        "Waiting processors yield to PR/SM {} times a second to no named processor (Diag X'44'), and {} times to the holder (Diag X'9C').",
        short(get(Figure::CpDiag44)),
        short(get(Figure::CpDiag9c))
    );
    chart(evidence, "cp-yields", "CP's spin locks: yields to PR/SM", summary, plot)
}

/// How long guests wait for the locks of their page tables, and how long the busiest is held.
fn ptil(evidence: &Evidence) -> Chart {
    let waits = curve(evidence, "virtual CPUs wait for it", 1, |sample| sample.measurement.get(Figure::PtilWait));
    let held = curve(evidence, "the busiest is held alone", 2, |sample| sample.measurement.get(Figure::PtilHeld));
    let plot = over_time(Quantity::new("Time", "%"), vec![waits, held], Vec::new());
    let get = |figure: Figure| figures(evidence).and_then(|now| now.get(figure));
    let summary = match (get(Figure::PtilWait), get(Figure::PtilHeld)) {
        (Some(0.0), Some(0.0)) => "CP releases pages under a shared lock: nobody waits for it.".into(),
        (Some(wait), Some(held)) => format!(
            "Guests wait {} of their time for the locks of their page tables; the busiest is held alone {} of the time.",
            percent(wait),
            percent(held)
        ),
        _ => "How long guests wait for the locks of their page tables.".into(),
    };
    chart(evidence, "ptil", "Page table locks (PTIL)", summary, plot)
}

/// The virtual CPUs that wait for the lock of VARY PROCESSOR.
fn vary_over(evidence: &Evidence) -> Chart {
    let line = curve(evidence, "virtual CPUs that wait for it", 1, |sample| Some(sample.snapshot.locks.vary_waiting.into()));
    let plot = over_time(Quantity::new("Virtual CPUs", ""), vec![line], Vec::new());
    let summary = match newest(evidence).map(|snapshot| &snapshot.locks) {
        Some(locks) if locks.vary_held => format!("The lock is held, and {} virtual CPUs wait for it.", locks.vary_waiting),
        _ => "Virtual CPUs that wait for the lock of VARY PROCESSOR.".into(),
    };
    chart(evidence, "vary", "What piles up behind VARY PROCESSOR", summary, plot)
}

#[cfg(test)]
mod tests {
    use super::super::compared::tests::settled_evidence;
    use super::*;
    use crate::published::{runs, scenario_of};

    #[test]
    fn the_published_rates_stand_beside_their_own_host_only() {
        let mut evidence = settled_evidence();
        evidence.published = std::rc::Rc::new(runs());
        evidence.current_run = Some("APS9220".into());
        let Plot::Columns(grid) = diag44(&evidence).plot else { panic!("columns") };
        let published: Vec<_> = grid.rows.iter().map(|row| row.values.last().copied().flatten()).collect();
        assert_eq!(published, [Some(3_511.0), Some(42_368.0), Some(45_879.0)]);
        evidence.current_run = None;
        let Plot::Columns(grid) = diag44(&evidence).plot else { panic!("columns") };
        assert_eq!(grid.keys.len(), 1);
    }

    #[test]
    fn a_host_without_locks_has_no_such_room() {
        assert!(!matter(&Scenario::default()));
        assert!(matter(&scenario_of("APS9220").expect("a published run")));
        assert!(charts(&settled_evidence()).is_empty());
    }
}
