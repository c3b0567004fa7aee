//! The whole host at a glance: throughput over time, and the settled result beside the published runs.

use zvmlab::scenario::Level as CpLevel;
use zvmlab::scenario::workloads::{VIRSTOEX, Workload};
use zvmlab::{Figure, Scenario};

use super::compared::{
    BEFORE, NO_RESULT, NOW, PINNED, PUBLISHED, chart, current, curve, does_io, figures, has_etr, has_result, is_live,
    levels, newest, once_each, over_time, pages as any_pages, pinned, run_of, settled_name, sources,
};
use super::connections;
use crate::chart::{Chart, Grid, Key, Level, Lines, Plot, Point, Quantity, Row, Series};
use crate::evidence::{Evidence, Settled};
use crate::published::PublishedRun;
use crate::words::unit::with_unit;
use zvmlab::order;

/// The look of minidisk I/O next to paging.
const MDISK: usize = 2;
/// The look of what was published of it, next to paging.
const MDISK_PUBLISHED: usize = 5;

/// The charts of the overview.
pub fn charts(evidence: &Evidence) -> Vec<Chart> {
    let mut charts = vec![throughput(evidence)];
    charts.extend(connections::chart(evidence));
    charts.extend((!has_result(evidence) || any_pages(evidence)).then(|| pages(evidence)));
    if has_family(evidence) {
        charts.extend([among_published(evidence), over_exposures(evidence)]);
    }
    charts
}

/// Whether the guests do only what the guests of tables 1 to 5 did. Transactions of other workloads do not compare with
/// those.
fn walks(scenario: &Scenario) -> bool {
    scenario.guests.iter().all(|group| Workload::of(group) == Some(&VIRSTOEX))
}

/// Whether a published run is one whose transactions compare.
fn is_family(run: &PublishedRun) -> bool {
    walks(&run.scenario) && run.value(Figure::Etr).is_some()
}

fn has_family(evidence: &Evidence) -> bool {
    evidence.settled.as_ref().is_none_or(|settled| walks(&settled.scenario))
        && (!has_result(evidence) || evidence.published.iter().any(is_family))
}

/// Whether the host is a cluster. Its guests may be at any member.
fn of_cluster(evidence: &Evidence) -> bool {
    newest(evidence).is_some_and(|snapshot| snapshot.cluster.is_some())
}

/// The figure that counts the guests' transactions, wherever the guests are. Where some guests do minidisk I/O, it is that of the
/// others at the first member, beside the minidisk I/O there.
fn etr_of(evidence: &Evidence) -> Figure {
    if of_cluster(evidence) && !does_io(evidence) { Figure::ClusterEtr } else { Figure::Etr }
}

fn throughput(evidence: &Evidence) -> Chart {
    let both = does_io(evidence) && has_etr(evidence);
    let mut figures = Vec::new();
    let etr = etr_of(evidence);
    figures.extend((!has_result(evidence) || has_etr(evidence)).then_some((
        etr,
        if both { "paging ETR" } else { "ETR" },
        NOW,
    )));
    figures.extend(does_io(evidence).then_some((Figure::MdiskEtr, "MDISK ETR", if both { MDISK } else { NOW })));
    let series = figures
        .iter()
        .map(|&(figure, name, look)| curve(evidence, name, look, move |sample| sample.measurement.get(figure)));
    let mut marked = Vec::new();
    for (figure, name, look) in &figures {
        let of = |mut level: Level| {
            if both {
                level.name = format!("{name}, {}", level.name);
                // Two lines of A, or of the published run, must be told apart.
                level.look = if *look == MDISK { mdisk_level(level.look) } else { level.look };
            }
            level
        };
        marked.extend(levels(evidence, *figure).into_iter().map(of));
    }
    let title = if both && of_cluster(evidence) { "Throughput at MEMBER1" } else { "Throughput" };
    let plot = over_time(Quantity::new("ETR", Figure::Etr.unit()), series.collect(), marked);
    let mut chart = chart(evidence, "throughput", title, throughput_summary(evidence), plot);
    chart.sources = once_each(figures.iter().flat_map(|(figure, ..)| sources(current(evidence).into_iter(), *figure)));
    chart
}

/// The look of a marked value of minidisk I/O, where that of other I/O has `look`.
fn mdisk_level(look: usize) -> usize {
    if look == PINNED { MDISK } else { MDISK_PUBLISHED }
}

fn throughput_summary(evidence: &Evidence) -> String {
    let Some(now) = figures(evidence) else {
        return "Transactions a second (external throughput rate, ETR) that the guests complete.".into();
    };
    let when = if is_live(evidence) { "" } else { " over the interval" };
    match (now.get(etr_of(evidence)), now.get(Figure::MdiskEtr)) {
        (Some(etr), Some(mdisk)) => format!(
            "{}{when} in guests without minidisk I/O, {} in guests with it.",
            with_unit(etr, "transactions a second"),
            with_unit(mdisk, "")
        ),
        (None, Some(mdisk)) => format!("{}{when}; each is an I/O.", with_unit(mdisk, "transactions a second")),
        (Some(etr), None) => {
            let etr = with_unit(etr, "transactions a second");
            match current(evidence).and_then(|run| Some((run, run.value(Figure::Etr)?))) {
                Some((run, published)) => {
                    format!("{etr}{when}; {} was measured at {}.", run.id, with_unit(published, ""))
                }
                None if of_cluster(evidence) => format!("{etr}{when} at all members together{}.", transaction(evidence)),
                None => format!("{etr}{when}{}.", transaction(evidence)),
            }
        }
        (None, None) => "No transaction has ended.".into(),
    }
}

/// What a transaction is, if it is the same for all guests.
fn transaction(evidence: &Evidence) -> String {
    let guests = newest(evidence).map_or(&[][..], |at| &at.guests);
    if guests.iter().any(|guest| guest.asks) && guests.iter().all(|guest| guest.asks || guest.serves) {
        return "; a transaction is one request with its answer".into();
    }
    match guests.first().map(|guest| (guest.transaction, guest.in_cycles)) {
        Some(first) if guests.iter().all(|guest| (guest.transaction, guest.in_cycles) == first) => match first {
            // 2^20 pages: a quarter of the published loop.
            (1_048_576, false) => "; a transaction is a quarter of a 16 GB loop".into(),
            (1, false) => "; a transaction is one reference".into(),
            (1, true) => "; a transaction is one cycle of a guest's work".into(),
            (references, false) => format!("; a transaction is {} references", with_unit(references as f64, "")),
            (cycles, true) => format!("; a transaction is {} cycles", with_unit(cycles as f64, "")),
        },
        _ => String::new(),
    }
}

fn pages(evidence: &Evidence) -> Chart {
    let both = curve(evidence, "read and written", NOW, |sample| sample.measurement.get(Figure::PagesPerSecond));
    let read = curve(evidence, "read", 2, |sample| sample.measurement.get(Figure::PagesRead));
    let plot = over_time(Quantity::new("Pages", "pages/s"), vec![both, read], levels(evidence, Figure::PagesPerSecond));
    let summary = match figures(evidence).map(|now| (now.get(Figure::PagesPerSecond), now.get(Figure::PagesRead))) {
        Some((Some(0.0), _)) => "No page moves: all that the guests touch fits in central storage.".into(),
        Some((Some(both), Some(read))) => {
            format!(
                "{}, of which {} are read: CP reads only pages that it has written before.",
                with_unit(both, "pages a second"),
                with_unit(read, "")
            )
        }
        _ => "Pages that move between central storage and the paging volumes.".into(),
    };
    let title = if of_cluster(evidence) { "Pages read and written at MEMBER1" } else { "Pages read and written" };
    let mut chart = chart(evidence, "pages", title, summary, plot);
    chart.sources = sources(current(evidence).into_iter(), Figure::PagesPerSecond);
    chart
}

/// The results on the charts of published runs: now, and pinned.
fn results(evidence: &Evidence) -> Vec<(&'static str, usize, &Settled)> {
    let settled = evidence.settled.as_deref().map(|settled| (settled_name(evidence), NOW, settled));
    // The baseline may be quite another host.
    let before = pinned(evidence).filter(|before| walks(&before.scenario)).map(|before| (BEFORE, PINNED, before));
    settled.into_iter().chain(before).collect()
}

fn among_published(evidence: &Evidence) -> Chart {
    let figure = Figure::Etr;
    let results = results(evidence);
    let mut keys = vec![Key::new("published", PUBLISHED)];
    keys.extend(results.iter().map(|(name, look, _)| Key::new(name, *look)));
    let homes: Vec<Option<String>> = results.iter().map(|(_, _, settled)| run_of(settled)).collect();
    let value = |at: usize| results[at].2.measurement.get(figure);
    let row = |run: &PublishedRun| {
        let model = (0..results.len()).map(|at| value(at).filter(|_| homes[at].as_ref() == Some(&run.id)));
        Row {
            label: format!("{} {}", run.id, exposures_text(&run.scenario)),
            values: std::iter::once(run.value(figure)).chain(model).collect(),
        }
    };
    let mut rows: Vec<Row> = evidence.published.iter().filter(|run| is_family(run)).map(row).collect();
    let published = |row: &Row| row.values[0].unwrap_or(0.0);
    order::by(&mut rows, |a, b| published(a).total_cmp(&published(b)));
    for (at, (name, _, settled)) in results.iter().enumerate().filter(|(at, _)| homes[*at].is_none()) {
        let values = (0..=results.len()).map(|column| value(at).filter(|_| column == at + 1)).collect();
        rows.push(Row { label: format!("{name} {}", exposures_text(&settled.scenario)), values });
    }
    let value = Quantity::new(figure.label(), figure.unit());
    let grid = Grid {
        row_name: "Run: page volumes + aliases, zHPF (level)".into(),
        value,
        keys,
        rows,
        levels: Vec::new(),
        at_least: 0.0,
    };
    let mut chart =
        chart(evidence, "published", "Published runs (volumes + aliases)", among_summary(evidence), Plot::Dots(grid));
    chart.sources = sources(evidence.published.iter().filter(|run| is_family(run)), figure);
    chart
}

fn among_summary(evidence: &Evidence) -> String {
    let settled = evidence.settled.as_ref().and_then(|settled| settled.measurement.get(Figure::Etr));
    match (settled, current(evidence).and_then(|run| Some((run, run.value(Figure::Etr)?)))) {
        (Some(model), Some((run, published))) => {
            let error = crate::words::number::difference(published, model).unwrap_or_default().replace(' ', "\u{a0}");
            format!(
                "{}: the model settles at {}, IBM measured {} ({error}).",
                run.id,
                with_unit(model, Figure::Etr.unit()),
                with_unit(published, Figure::Etr.unit())
            )
        }
        (Some(model), None) => {
            format!(
                "No published run has this setting. The model settles at {}. The published runs are shown beside it.",
                with_unit(model, Figure::Etr.unit())
            )
        }
        (None, _) => "What IBM measured. The model's result appears here when the experiment ends.".into(),
    }
}

/// What differs among the runs, in a few words: level, page volumes and aliases, zHPF.
fn exposures_text(scenario: &Scenario) -> String {
    let paging = &scenario.paging;
    let zhpf = if paging.zhpf { " zHPF" } else { "" };
    let level = if scenario.level == CpLevel::default() { String::new() } else { format!(" ({})", scenario.level.as_str()) };
    format!("{}+{}{zhpf}{level}", paging.volumes, scenario.lcu.aliases)
}

/// Throughput against exposures: the published points and the model's.
fn over_exposures(evidence: &Evidence) -> Chart {
    let figure = Figure::Etr;
    let exposures = |scenario: &Scenario| f64::from(scenario.paging.volumes + scenario.lcu.aliases);
    let family = |name: &str, look: usize, member: &dyn Fn(&Scenario) -> bool| {
        let runs = evidence.published.iter().filter(|run| is_family(run) && member(&run.scenario));
        let point = |run: &PublishedRun| {
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
    for (name, look, settled) in results(evidence) {
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
        "More volumes or aliases carry more I/Os at once. Each I/O then takes longer, because all share the same paths.";
    let mut chart = chart(evidence, "exposures", "Throughput against exposures", summary.into(), plot);
    chart.sources = sources(evidence.published.iter().filter(|run| is_family(run)), figure);
    chart
}

fn sorted(mut points: Vec<Point>) -> Vec<Point> {
    order::by(&mut points, |a, b| a.x.total_cmp(&b.x));
    points
}

#[cfg(test)]
mod tests {
    use super::super::compared::now_name;
    use super::super::compared::tests::{evidence_of, hybrid_evidence, settled, settled_evidence};
    use super::*;

    #[test]
    fn the_result_stands_in_the_row_of_its_run() {
        let evidence = settled_evidence();
        let Plot::Dots(grid) = among_published(&evidence).plot else { panic!("dots") };
        let row = grid.rows.iter().find(|row| row.label.starts_with("V4DVY000")).expect("a row for the run");
        assert_eq!(row.values.len(), 2);
        assert!(row.values[1].is_some(), "{row:?}");
        assert_eq!(grid.rows.iter().filter(|row| row.values[1].is_some()).count(), 1);
    }

    #[test]
    fn a_setting_that_nobody_published_has_a_row_of_its_own() {
        let mut evidence = settled_evidence();
        evidence.current_run = None;
        let settled = settled(|scenario| scenario.paging.volumes = 5);
        evidence.history = settled.series.clone();
        evidence.settled = Some(settled);
        let Plot::Dots(grid) = among_published(&evidence).plot else { panic!("dots") };
        let row = grid.rows.last().expect("a row");
        assert_eq!(row.label, "now 5+0");
        assert_eq!((row.values[0], row.values[1].is_some()), (None, true));
    }

    #[test]
    fn every_published_run_stands_on_both_charts_with_its_source() {
        let evidence = settled_evidence();
        let family =
            || evidence.published.iter().filter(|run| run.source_id == "paging-6.4" && run.value(Figure::Etr).is_some());
        assert!(family().count() >= 7, "the runs of tables 1 to 5");
        assert_eq!(among_published(&evidence).sources.len(), family().count());
        let Plot::Lines(lines) = over_exposures(&evidence).plot else { panic!("points") };
        let labels: Vec<&str> =
            lines.series.iter().flat_map(|series| &series.points).filter_map(|point| point.label.as_deref()).collect();
        for run in family() {
            assert!(labels.contains(&run.id.as_str()), "{}", run.id);
        }
        assert_eq!(now_name(&evidence), "now");
    }

    #[test]
    fn transactions_of_other_programs_stand_beside_none_that_are_published() {
        let mut evidence = settled_evidence();
        let ids = |evidence: &Evidence| charts(evidence).iter().map(|chart| chart.id).collect::<Vec<_>>();
        assert_eq!(ids(&evidence), ["throughput", "pages", "published", "exposures"]);
        let settled = settled(|scenario| scenario.guests[0].transaction = 1_000);
        evidence.history = settled.series.clone();
        evidence.settled = Some(settled);
        evidence.current_run = None;
        assert_eq!(ids(&evidence), ["throughput", "pages"]);
    }

    #[test]
    fn both_kinds_of_throughput_stand_on_one_chart() {
        let evidence = hybrid_evidence();
        let Plot::Lines(lines) = throughput(&evidence).plot else { panic!("lines") };
        let names: Vec<&str> = lines.series.iter().map(|series| series.key.name.as_str()).collect();
        assert_eq!(names, ["paging ETR", "MDISK ETR"]);
        assert!(lines.series.iter().all(|series| !series.points.is_empty()));
        for change in [|_: &mut Scenario| {}, |host: &mut Scenario| host.lcu.aliases = 0] {
            let mut host = crate::studies::study::tests::hybrid();
            change(&mut host);
            let ids: Vec<&str> = charts(&evidence_of(host)).iter().map(|chart| chart.id).collect();
            assert_eq!(ids, ["throughput", "pages"], "other transactions than those of tables 1 to 5");
        }
    }

    #[test]
    fn a_host_that_only_does_io_is_told_by_its_io() {
        let evidence = evidence_of(crate::studies::study::tests::exerciser());
        let Plot::Lines(lines) = throughput(&evidence).plot else { panic!("lines") };
        assert_eq!((lines.series.len(), lines.series[0].key.name.as_str()), (1, "MDISK ETR"));
        assert!(charts(&evidence).iter().all(|chart| chart.id != "pages"), "nothing is paged");
    }
}
