//! The paging volumes: what an I/O's time is made of, who waits where, and how aliases and paths are used.

use zvmlab::Figure;

use super::compared::{
    BEFORE, NO_PAGING, NO_RESULT, Window, chart, columns, current, curve, figures, levels, newest, now_name, over_time,
    pinned, rows, sources,
};
use crate::chart::number::{percent, short, with_unit};
use crate::chart::{Chart, Grid, Key, Level, Plot, Quantity};
use crate::session::{Sample, ViewProps};

/// The parts of service time.
const PARTS: [(Figure, &str, usize); 3] =
    [(Figure::PendingTime, "pending", 4), (Figure::DisconnectTime, "disconnect", 1), (Figure::ConnectTime, "connect", 0)];

/// The charts of paging.
pub fn charts(props: &ViewProps) -> Vec<Chart> {
    vec![service(props), busy(props), queue(props), in_progress(props), paths(props)]
}

fn service(props: &ViewProps) -> Chart {
    let mut rows = rows(props, &PARTS.map(|part| part.0));
    // The bar ends in the sum of the printed parts, which rounding may set apart from the printed service time.
    rows.iter_mut().filter(|row| row.label.ends_with(", published")).for_each(|row| row.label += " parts");
    let plot = if rows.is_empty() {
        Plot::Nothing(if props.settled.is_some() { NO_PAGING } else { NO_RESULT }.into())
    } else {
        let keys = PARTS.iter().map(|(_, name, look)| Key::new(name, *look)).collect();
        let value = Quantity::new("Service time of an I/O", "ms");
        Plot::Stack(Grid { row_name: "Result".into(), value, keys, rows, levels: Vec::new(), at_least: 0.0 })
    };
    let summary = match figures(props).map(|now| (now.get(Figure::ServiceTime), now.get(Figure::ConnectTime))) {
        Some((Some(service), Some(connect))) => format!(
            "An I/O takes {}, {} of it connected: moving data over the path, alone or shared.",
            with_unit(service, "ms"),
            percent(connect / service * 100.0)
        ),
        _ => "Pending until the volume starts, disconnected while it works, connected while data move.".into(),
    };
    let mut chart = chart(props, "service", "Service time", summary, plot);
    chart.sources = sources(current(props).into_iter(), Figure::ServiceTime);
    chart
}

/// A plot of columns, or why there is none.
fn plot(grid: Option<Grid>) -> Plot {
    grid.map_or(Plot::Nothing(NO_RESULT.into()), Plot::Columns)
}

fn busy(props: &ViewProps) -> Chart {
    let measure = |window: Window| -> Vec<f64> {
        let busy = |index: usize| {
            move |snapshot: &zvmlab::Snapshot| snapshot.paging.volumes.get(index).map_or(0, |volume| volume.busy_ns)
        };
        (0..window.to.paging.volumes.len()).map(|index| window.growth(busy(index)) / window.elapsed_ns() * 100.0).collect()
    };
    let mut marked = vec![Level { name: "one I/O all the time".into(), value: 100.0, look: 7 }];
    marked.extend(levels(props, Figure::VolumeBusy).into_iter().filter(|level| level.name != BEFORE));
    let grid = columns(props, "Volume", Quantity::new("Percent busy", "%"), marked, &measure);
    let summary = match figures(props).and_then(|now| now.get(Figure::VolumeBusy)) {
        Some(mean) if newest(props).is_some_and(|snapshot| snapshot.lcu.aliases > 0) => {
            format!("A volume is {} busy: aliases let it carry several I/Os at once, so it can pass 100 %.", percent(mean))
        }
        Some(mean) => format!("A volume is {} busy: without aliases it carries one I/O at a time.", percent(mean)),
        None => "I/Os in progress on the base and on aliases, as a share of time.".into(),
    };
    let mut chart = chart(props, "volume-busy", "How busy each volume is", summary, plot(grid));
    chart.sources = sources(current(props).into_iter(), Figure::VolumeBusy);
    chart
}

fn queue(props: &ViewProps) -> Chart {
    let measure = |window: Window| -> Vec<f64> {
        let queue = |index: usize| {
            move |snapshot: &zvmlab::Snapshot| snapshot.paging.volumes.get(index).map_or(0, |volume| volume.queue_ns)
        };
        (0..window.to.paging.volumes.len()).map(|index| window.growth(queue(index)) / window.elapsed_ns()).collect()
    };
    let marked = levels(props, Figure::QueueDepth).into_iter().filter(|level| level.name != BEFORE).collect();
    let grid = columns(props, "Volume", Quantity::new("I/Os waiting", "I/Os"), marked, &measure);
    let summary = match figures(props).and_then(|now| now.get(Figure::QueueDepth)) {
        Some(mean) => format!("On average {} I/Os wait at a volume for a free exposure.", short(mean)),
        None => "I/Os that wait for the base or an alias to be free.".into(),
    };
    let mut chart = chart(props, "volume-queue", "The queue at each volume", summary, plot(grid));
    chart.sources = sources(current(props).into_iter(), Figure::QueueDepth);
    chart
}

fn in_progress(props: &ViewProps) -> Chart {
    let mut series = vec![curve(props, "I/Os in progress", 0, |sample| sample.measurement.get(Figure::IosInProgress))];
    let pool = newest(props).map_or(0, |snapshot| snapshot.lcu.aliases);
    if pool > 0 {
        series.push(curve(props, "aliases in use", 2, |sample| Some(f64::from(sample.snapshot.lcu.aliases_in_use))));
    }
    let plot = over_time(Quantity::new("In use", "I/Os"), series, levels(props, Figure::IosInProgress));
    let volumes = newest(props).map_or(0, |snapshot| snapshot.paging.volumes.len());
    let summary = match pool {
        _ if volumes == 0 => "I/Os that volumes and aliases carry at once.".into(),
        0 => format!("{volumes} volumes without aliases carry {volumes} I/Os at most, one each."),
        _ => format!("{volumes} volumes and {pool} aliases carry {} I/Os at most.", volumes as u64 + u64::from(pool)),
    };
    let mut chart = chart(props, "in-progress", "I/Os in progress", summary, plot);
    chart.sources = sources(current(props).into_iter(), Figure::IosInProgress);
    chart
}

/// The mean number of I/Os on each path, over the samples.
fn on_paths(samples: &[Sample]) -> Vec<f64> {
    let paths = samples.last().map_or(0, |sample| sample.snapshot.lcu.ios_on_path.len());
    let sum = |path: usize| samples.iter().filter_map(|sample| sample.snapshot.lcu.ios_on_path.get(path)).sum::<u32>();
    (0..paths).map(|path| f64::from(sum(path)) / samples.len().max(1) as f64).collect()
}

fn paths(props: &ViewProps) -> Chart {
    let value = Quantity::new("I/Os on a path", "I/Os");
    let recent = &props.history[props.history.len().saturating_sub(60)..];
    let mut keys = vec![(Key::new(now_name(props), 0), on_paths(recent))];
    keys.extend(pinned(props).map(|pinned| (Key::new(BEFORE, 1), on_paths(&pinned.series))));
    let count = keys.iter().map(|(_, paths)| paths.len()).max().unwrap_or(0);
    let row = |path: usize| crate::chart::Row {
        label: (path + 1).to_string(),
        values: keys.iter().map(|(_, paths)| paths.get(path).copied()).collect(),
    };
    let grid = (count > 0 && !recent.is_empty()).then(|| Grid {
        row_name: "Channel path".into(),
        value,
        rows: (0..count).map(row).collect(),
        keys: keys.iter().map(|(key, _)| key.clone()).collect(),
        levels: Vec::new(),
        at_least: 1.0,
    });
    let summary = if count == 0 {
        "I/Os that share each channel path.".into()
    } else {
        format!(
            "All volumes share {count} channel paths; I/Os on one path share its speed, so each takes longer (mean of {} samples).",
            recent.len()
        )
    };
    chart(props, "paths", "I/Os on each channel path", summary, plot(grid))
}

#[cfg(test)]
mod tests {
    use super::super::compared::tests::{settled, settled_props};
    use super::*;

    #[test]
    fn each_volume_has_its_column() {
        let props = settled_props();
        let Plot::Columns(grid) = busy(&props).plot else { panic!("columns") };
        assert_eq!(grid.rows.len(), 4);
        assert!(grid.rows.iter().all(|row| row.values[0].is_some_and(|busy| busy > 0.0 && busy <= 100.5)), "{grid:?}");
    }

    #[test]
    fn pinned_and_published_stand_below_the_settled_split() {
        let mut props = settled_props();
        props.pinned = Some(settled(|scenario| scenario.lcu.aliases = 4));
        let Plot::Stack(grid) = service(&props).plot else { panic!("bars") };
        let labels: Vec<&str> = grid.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels, ["now", "before", "V4DVY000, published parts"]);
    }

    #[test]
    fn a_host_that_does_not_page_says_so() {
        let mut props = settled_props();
        let settled = settled(|scenario| scenario.guests[0].count = 4);
        props.history = settled.series.clone();
        props.settled = Some(settled);
        props.current_run = None;
        assert_eq!(service(&props).plot, Plot::Nothing(NO_PAGING.into()));
        for chart in charts(&props) {
            assert!(!chart.summary.contains("NaN"), "{}: {}", chart.id, chart.summary);
        }
    }
}
