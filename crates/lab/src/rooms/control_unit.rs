//! The control unit: which I/O holds its aliases, and how busy its channel paths are.

use std::rc::Rc;

use zvmlab::{Figure, Snapshot};

use super::compared::BEFORE;
use super::compared::{
    NO_RESULT, NOW, PINNED, Window, chart, columns, curve, does_io, figures, has_result, newest, now_name, over_time, pages,
    pinned, window,
};
use crate::chart::{Chart, Grid, Key, Level, Plot, Quantity, Row};
use crate::evidence::{Evidence, Sample};
use crate::words::number::short;
use crate::words::unit::percent;

/// The charts of the control unit.
pub fn charts(evidence: &Evidence) -> Vec<Chart> {
    if has_result(evidence) && !pages(evidence) && !does_io(evidence) {
        return Vec::new();
    }
    let pool = newest(evidence).is_some_and(|at| at.lcu.aliases > 0);
    let mut charts = Vec::new();
    charts.extend((pool || !has_result(evidence)).then(|| aliases(evidence)));
    charts.extend([busy(evidence), on_path(evidence)]);
    charts
}

fn aliases(evidence: &Evidence) -> Chart {
    let held = |name: &str, look, figure| curve(evidence, name, look, move |sample| sample.measurement.get(figure));
    let mut series = vec![held("paging I/O", 1, Figure::PagingAliases)];
    if does_io(evidence) {
        series.insert(0, held("minidisk I/O", 0, Figure::MdiskAliases));
    }
    let pool = newest(evidence).map_or(0, |at| at.lcu.aliases);
    let level = Level { name: "the pool".into(), value: f64::from(pool), look: 7 };
    let plot = match over_time(Quantity::new("Aliases in use, mean", "aliases"), series, vec![level]) {
        Plot::Lines(lines) => Plot::Areas(lines),
        other => other,
    };
    let now = |figure| figures(evidence).and_then(|now| now.get(figure));
    let summary = match (now(Figure::MdiskAliases).filter(|_| does_io(evidence)), now(Figure::PagingAliases)) {
        (Some(mdisk), Some(paging)) => {
            format!("Of {pool} aliases minidisk I/O holds {} and paging I/O {}.", short(mdisk), short(paging))
        }
        (None, Some(paging)) => format!("Of {pool} aliases paging I/O holds {}.", short(paging)),
        _ => "The pool of HyperPAV aliases, by the kind of I/O that holds them.".into(),
    };
    chart(evidence, "aliases", "Aliases in use", summary, plot)
}

/// The names of the paths: FICON paths first, then FCP paths if there are EDEVs.
fn path_names(evidence: &Evidence) -> Vec<String> {
    let Some(at) = newest(evidence) else { return Vec::new() };
    let ficon = at.lcu.ficon_paths as usize;
    let name = |path: usize| match path.checked_sub(ficon) {
        None => format!("FICON {}", path + 1),
        Some(fcp) => format!("FCP {}", fcp + 1),
    };
    (0..at.lcu.path_busy_ns.len()).map(name).collect()
}

/// The paths that lead to a volume: FICON paths to ECKD volumes, FCP paths to EDEVs.
fn used(at: &Snapshot) -> Vec<bool> {
    let leads = |eckd: bool| {
        let volumes = at.paging.volumes.iter().chain(&at.minidisks.volumes);
        volumes.into_iter().any(|volume| volume.kind.is_eckd() == eckd)
    };
    let (ficon, fcp) = (leads(true), leads(false));
    (0..at.lcu.path_busy_ns.len()).map(|path| if path < at.lcu.ficon_paths as usize { ficon } else { fcp }).collect()
}

/// Drops the rows of paths to no volume.
fn only_used(evidence: &Evidence, grid: &mut Grid) {
    let used = newest(evidence).map(used).unwrap_or_default();
    let mut path = 0;
    grid.rows.retain(|_| {
        path += 1;
        used.get(path - 1).copied().unwrap_or(true)
    });
}

fn busy(evidence: &Evidence) -> Chart {
    let measure = |window: Window| -> Vec<f64> {
        let busy = |path: usize| move |at: &Snapshot| at.lcu.path_busy_ns.get(path).copied().unwrap_or(0);
        (0..window.to.lcu.path_busy_ns.len()).map(|path| window.growth(busy(path)) / window.elapsed_ns() * 100.0).collect()
    };
    let names = path_names(evidence);
    let value = Quantity::new("Path busy", "%");
    let grid = columns(evidence, "Channel path", value, Vec::new(), &names, &measure).map(|mut grid| {
        only_used(evidence, &mut grid);
        Grid { at_least: 100.0, ..grid }
    });
    let most = window(evidence).map(measure).and_then(|busy| busy.into_iter().reduce(f64::max));
    let summary = match most {
        Some(most) if most >= 90.0 => {
            format!("A path is {} busy: more I/Os at once would only share it.", percent(most))
        }
        Some(most) => format!("The busiest path transfers data {} of the time.", percent(most)),
        None => "The share of time in which each channel path transfers data.".into(),
    };
    chart(
        evidence,
        "path-busy",
        "How busy each channel path is",
        summary,
        grid.map_or(Plot::Nothing(NO_RESULT.into()), Plot::Columns),
    )
}

/// The mean number of I/Os on each path, over the samples.
fn mean_on_paths(samples: &[Rc<Sample>]) -> Vec<f64> {
    let paths = samples.last().map_or(0, |sample| sample.snapshot.lcu.ios_on_path.len());
    let sum = |path: usize| samples.iter().filter_map(|sample| sample.snapshot.lcu.ios_on_path.get(path)).sum::<u32>();
    (0..paths).map(|path| f64::from(sum(path)) / samples.len().max(1) as f64).collect()
}

fn on_path(evidence: &Evidence) -> Chart {
    let value = Quantity::new("I/Os on a path", "I/Os");
    let recent = &evidence.history[evidence.history.len().saturating_sub(60)..];
    let mut keys = vec![(Key::new(now_name(evidence), NOW), mean_on_paths(recent))];
    keys.extend(pinned(evidence).map(|pinned| (Key::new(BEFORE, PINNED), mean_on_paths(&pinned.series))));
    let names = path_names(evidence);
    let count = keys.iter().map(|(_, paths)| paths.len()).max().unwrap_or(0);
    let row = |path: usize| Row {
        label: names.get(path).cloned().unwrap_or_else(|| (path + 1).to_string()),
        values: keys.iter().map(|(_, paths)| paths.get(path).copied()).collect(),
    };
    let mut grid = Grid {
        row_name: "Channel path".into(),
        value,
        rows: (0..count).map(row).collect(),
        keys: keys.iter().map(|(key, _)| key.clone()).collect(),
        levels: Vec::new(),
        at_least: 1.0,
    };
    only_used(evidence, &mut grid);
    let summary = if count == 0 {
        "I/Os that share each channel path.".into()
    } else {
        format!("I/Os that use one path at once share its speed, so each takes longer (mean of {} samples).", recent.len())
    };
    let plot = if grid.rows.is_empty() || recent.is_empty() { Plot::Nothing(NO_RESULT.into()) } else { Plot::Columns(grid) };
    chart(evidence, "paths", "I/Os on each channel path", summary, plot)
}

#[cfg(test)]
mod tests {
    use super::super::compared::tests::{hybrid_evidence, settled_evidence};
    use super::*;

    #[test]
    fn what_the_claimants_hold_stays_within_the_pool() {
        let evidence = hybrid_evidence();
        let Plot::Areas(lines) = aliases(&evidence).plot else { panic!("areas") };
        let names: Vec<&str> = lines.series.iter().map(|series| series.key.name.as_str()).collect();
        assert_eq!(names, ["minidisk I/O", "paging I/O"]);
        assert_eq!(lines.levels[0].value, 16.0);
        for (mdisk, paging) in lines.series[0].points.iter().zip(&lines.series[1].points) {
            assert!(mdisk.y > 0.0 && mdisk.y + paging.y <= 16.0 + 1e-9, "{mdisk:?} {paging:?}");
        }
    }

    #[test]
    fn paths_that_lead_nowhere_are_not_shown() {
        let evidence = settled_evidence();
        let Plot::Columns(grid) = busy(&evidence).plot else { panic!("columns") };
        let labels: Vec<&str> = grid.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels, ["FICON 1", "FICON 2"]);
        assert!(grid.rows.iter().all(|row| row.values[0].is_some_and(|busy| busy > 0.0 && busy <= 100.0)), "{grid:?}");
        assert_eq!(charts(&evidence).len(), 2, "there is no pool to show");
    }
}
