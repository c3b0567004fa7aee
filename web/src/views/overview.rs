//! The whole host at a glance: throughput over time, and the settled result among the published runs.

use zvmlab::scenario::Level as CpLevel;
use zvmlab::{Figure, Scenario};

use super::compared::{
    BEFORE, NO_RESULT, NOW, PINNED, PUBLISHED, chart, current, curve, figures, is_live, levels, over_time, pinned, run_of,
    settled_name, sources,
};
use crate::chart::number::with_unit;
use crate::chart::{Chart, Grid, Key, Lines, Plot, Point, Quantity, Row, Series};
use crate::session::{Settled, ViewProps};

/// The charts of the overview.
pub fn charts(props: &ViewProps) -> Vec<Chart> {
    vec![throughput(props), pages(props), among_published(props), over_exposures(props)]
}

fn throughput(props: &ViewProps) -> Chart {
    let figure = Figure::Etr;
    let y = Quantity::new("ETR", figure.unit());
    let etr = curve(props, "ETR", NOW, |sample| sample.measurement.get(figure));
    let plot = over_time(y, vec![etr], levels(props, figure));
    let mut chart = chart(props, "throughput", "Throughput", throughput_summary(props), plot);
    chart.sources = sources(current(props).into_iter(), figure);
    chart
}

fn throughput_summary(props: &ViewProps) -> String {
    let Some(now) = figures(props).and_then(|figures| figures.get(Figure::Etr)) else {
        return "Transactions a second (external throughput rate, ETR), as the guests complete them.".into();
    };
    let now = with_unit(now, "transactions a second");
    let doing = if is_live(props) { "complete" } else { "completed, over the interval," };
    match current(props).and_then(|run| Some((run, run.value(Figure::Etr)?))) {
        Some((run, published)) => {
            format!("The guests {doing} {now}; {} was measured at {}.", run.id, with_unit(published, ""))
        }
        None => format!("The guests {doing} {now}; a transaction is a quarter of a 16 GB loop."),
    }
}

fn pages(props: &ViewProps) -> Chart {
    let both = curve(props, "read and written", NOW, |sample| sample.measurement.get(Figure::PagesPerSecond));
    let read = curve(props, "read", 2, |sample| sample.measurement.get(Figure::PagesRead));
    let plot = over_time(Quantity::new("Pages", "pages/s"), vec![both, read], levels(props, Figure::PagesPerSecond));
    let summary = match figures(props).map(|now| (now.get(Figure::PagesPerSecond), now.get(Figure::PagesRead))) {
        Some((Some(0.0), _)) => "No page moves: all that the guests touch fits in central storage.".into(),
        Some((Some(both), Some(read))) => {
            format!(
                "{}, of which {} are read: what is read must first have been written.",
                with_unit(both, "pages a second"),
                with_unit(read, "")
            )
        }
        _ => "Pages that move between central storage and the paging volumes.".into(),
    };
    let mut chart = chart(props, "pages", "Pages read and written", summary, plot);
    chart.sources = sources(current(props).into_iter(), Figure::PagesPerSecond);
    chart
}

/// Which results stand on the charts of published runs: now, and pinned.
fn results(props: &ViewProps) -> Vec<(&'static str, usize, &Settled)> {
    let settled = props.settled.as_deref().map(|settled| (settled_name(props), NOW, settled));
    settled.into_iter().chain(pinned(props).map(|pinned| (BEFORE, PINNED, pinned))).collect()
}

fn among_published(props: &ViewProps) -> Chart {
    let figure = Figure::Etr;
    let results = results(props);
    let mut keys = vec![Key::new("published", PUBLISHED)];
    keys.extend(results.iter().map(|(name, look, _)| Key::new(name, *look)));
    let homes: Vec<Option<String>> = results.iter().map(|(_, _, settled)| run_of(settled)).collect();
    let value = |at: usize| results[at].2.measurement.get(figure);
    let row = |run: &crate::published::PublishedRun| {
        let model = (0..results.len()).map(|at| value(at).filter(|_| homes[at].as_ref() == Some(&run.id)));
        Row {
            label: format!("{} ({})", run.id, run.title),
            values: std::iter::once(run.value(figure)).chain(model).collect(),
        }
    };
    let mut rows: Vec<Row> = props.published.iter().map(row).collect();
    let published = |row: &Row| row.values[0].unwrap_or(0.0);
    rows.sort_by(|a, b| published(a).total_cmp(&published(b)));
    for (at, (name, _, settled)) in results.iter().enumerate().filter(|(at, _)| homes[*at].is_none()) {
        let values = (0..=results.len()).map(|column| value(at).filter(|_| column == at + 1)).collect();
        rows.push(Row { label: format!("{name} ({})", exposures_text(&settled.scenario)), values });
    }
    let value = Quantity::new("ETR", figure.unit());
    let grid = Grid { row_name: "Run".into(), value, keys, rows, levels: Vec::new(), at_least: 0.0 };
    let mut chart = chart(props, "published", "Among the published runs", among_summary(props), Plot::Dots(grid));
    chart.sources = sources(props.published.iter(), figure);
    chart
}

fn among_summary(props: &ViewProps) -> String {
    let settled = props.settled.as_ref().and_then(|settled| settled.measurement.get(Figure::Etr));
    match (settled, current(props).and_then(|run| Some((run, run.value(Figure::Etr)?)))) {
        (Some(model), Some((run, published))) => {
            let error = crate::format::difference(published, model).unwrap_or_default().replace(' ', "\u{a0}");
            format!(
                "{}: the model settles at {}, IBM measured {} ({error}).",
                run.id,
                with_unit(model, "tx/s"),
                with_unit(published, "tx/s")
            )
        }
        (Some(model), None) => {
            format!(
                "No published run has this setting, which settles at {}; the published ones stand beside it.",
                with_unit(model, "tx/s")
            )
        }
        (None, _) => "What IBM measured; the model's result joins them when it has settled.".into(),
    }
}

fn exposures_text(scenario: &Scenario) -> String {
    let paging = &scenario.paging;
    let zhpf = if paging.zhpf { ", zHPF" } else { "" };
    format!("{}, {} + {}{zhpf}", scenario.level.as_str(), paging.volumes, scenario.lcu.aliases)
}

/// Throughput against exposures: the published points over the model's.
fn over_exposures(props: &ViewProps) -> Chart {
    let figure = Figure::Etr;
    let exposures = |scenario: &Scenario| f64::from(scenario.paging.volumes + scenario.lcu.aliases);
    let family = |name: &str, look: usize, member: &dyn Fn(&Scenario) -> bool| {
        let runs = props.published.iter().filter(|run| member(&run.scenario));
        let point = |run: &crate::published::PublishedRun| {
            Some(Point { x: exposures(&run.scenario), y: run.value(figure)?, label: Some(run.id.clone()) })
        };
        Series { key: Key::new(name, look), joined: false, points: sorted(runs.filter_map(point).collect()) }
    };
    let mut series = vec![
        family("6.3, published", 7, &|scenario| scenario.level == CpLevel::V6_3),
        family("6.4 command mode, published", PUBLISHED, &|scenario| {
            scenario.level == CpLevel::V6_4 && !scenario.paging.zhpf
        }),
        family("6.4 zHPF, published", 2, &|scenario| scenario.paging.zhpf),
    ];
    series.retain(|series| !series.points.is_empty());
    for (name, look, settled) in results(props) {
        let value = settled.measurement.get(figure);
        let points = value.map(|y| Point { x: exposures(&settled.scenario), y, label: None }).into_iter().collect();
        series.push(Series { key: Key::new(&format!("model, {name}"), look), joined: false, points });
    }
    let (x, y) = (Quantity::new("Volumes + aliases", ""), Quantity::new("ETR", figure.unit()));
    let plot = if series.is_empty() {
        Plot::Nothing(NO_RESULT.into())
    } else {
        Plot::Lines(Lines { x, y, series, x_from_zero: true, by_point: true, ..Lines::default() })
    };
    let summary =
        "More volumes or aliases carry more I/Os at once, and each then takes longer: the paths behind them are shared.";
    let mut chart = chart(props, "exposures", "Throughput against exposures", summary.into(), plot);
    chart.sources = sources(props.published.iter(), figure);
    chart
}

fn sorted(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    points
}

#[cfg(test)]
mod tests {
    use super::super::compared::now_name;
    use super::super::compared::tests::{settled, settled_props};
    use super::*;

    #[test]
    fn the_result_stands_in_the_row_of_its_run() {
        let props = settled_props();
        let Plot::Dots(grid) = among_published(&props).plot else { panic!("dots") };
        let row = grid.rows.iter().find(|row| row.label.starts_with("V4DVY000")).expect("a row for the run");
        assert_eq!(row.values.len(), 2);
        assert!(row.values[1].is_some(), "{row:?}");
        assert_eq!(grid.rows.iter().filter(|row| row.values[1].is_some()).count(), 1);
    }

    #[test]
    fn a_setting_that_nobody_published_has_a_row_of_its_own() {
        let mut props = settled_props();
        props.current_run = None;
        let settled = settled(|scenario| scenario.paging.volumes = 5);
        props.history = settled.series.clone();
        props.settled = Some(settled);
        let Plot::Dots(grid) = among_published(&props).plot else { panic!("dots") };
        let row = grid.rows.last().expect("a row");
        assert_eq!(row.label, "now (6.4, 5 + 0)");
        assert_eq!((row.values[0], row.values[1].is_some()), (None, true));
    }

    #[test]
    fn every_published_run_stands_on_both_charts_with_its_source() {
        let props = settled_props();
        assert_eq!(among_published(&props).sources.len(), props.published.len());
        let Plot::Lines(lines) = over_exposures(&props).plot else { panic!("points") };
        let labels: Vec<&str> =
            lines.series.iter().flat_map(|series| &series.points).filter_map(|point| point.label.as_deref()).collect();
        for run in props.published.iter() {
            assert!(labels.contains(&run.id.as_str()), "{}", run.id);
        }
        assert_eq!(now_name(&props), "now");
    }
}
