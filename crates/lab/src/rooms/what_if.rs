//! The curves of a relocation study: quiesce and relocation time over the question's axis, and what throttles hold back.

use crate::words::letters;
use zvmlab::snapshot::Throttle;

use crate::batch::RunState;
use crate::batch::question::answer::{no_time, seconds};
use crate::batch::question::curve::{Time, told};
use crate::batch::question::{Curves, Question};
use crate::batch::sheet::{Cell, Sheet, origin};
use crate::batch::trials::{Trial, Trials};
use crate::chart::scene::{SOLID, Shape};
use crate::chart::{Chart, Key, Level, Lines, Marked, Plot, Point, Quantity, Series};
use crate::words::state;

/// The colour of runs that have no time.
const NO_TIME: usize = 1;
/// The colour of a limit.
const LIMIT: usize = 7;
/// A limit is drawn if the highest point reaches at least this part of it. Chosen: otherwise the limit would flatten the curve.
const NEAR: f64 = 0.25;

/// The charts of a question whose answer is curves, with the longest stop that the reader wants, in s.
pub fn charts(curves: &Curves, trials: &Trials, target: Option<f64>) -> Vec<Chart> {
    let mut charts =
        vec![time_chart(curves, trials, Time::Quiesce, target), time_chart(curves, trials, Time::Relocation, None)];
    charts.extend(curves.throttles.map(|id| throttle_chart(id, curves, trials)));
    charts
}

fn time_chart(curves: &Curves, trials: &Trials, time: Time, target: Option<f64>) -> Chart {
    let (name, unit) = curves.axis;
    let known = trials.runs.iter().filter_map(|trial| Some(at(trial, time.of(trial)?))).collect();
    let mut series = vec![Series { key: Key::new("model", 0), joined: true, points: known }];
    series.extend(cancelled(trials));
    series.retain(|series| !series.points.is_empty());
    let highest = series.iter().flat_map(|series| &series.points).map(|point| point.y).filter(|y| y.is_finite());
    let highest = highest.fold(0.0, f64::max);
    let levels = if time == Time::Quiesce { limits(trials, highest, target) } else { Vec::new() };
    let (word, heading) = match time {
        Time::Quiesce => ("Quiesce time", "Quiesce time, longest"),
        Time::Relocation => ("Relocation time", "Relocation time of all"),
    };
    let of_one = trials.runs.iter().filter_map(Trial::known).all(|moved| moved.relocations.len() == 1);
    Chart {
        id: curves.ids[usize::from(time == Time::Relocation)],
        title: format!("{word} over {}", letters::within(name)),
        summary: told(curves, trials, time),
        plot: plot(curves, trials, Quantity::new(if of_one { word } else { heading }, "s"), series, levels, unit),
        sources: Vec::new(),
        provenance: origin(trials),
    }
}

/// The runs that have no time, by their reason. They are marked at the foot of the chart, at no value.
fn cancelled(trials: &Trials) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for trial in &trials.runs {
        let Some(why) = no_time(trial) else { continue };
        // How long a guest was stopped in vain differs from run to run. The text below the chart says it.
        let why = why.split(", its guest").next().unwrap_or_default();
        let name = format!("no time: {why}");
        match series.iter_mut().find(|series| series.key.name == name) {
            Some(series) => series.points.push(at(trial, f64::NAN)),
            None => {
                let key = Key::new(&name, NO_TIME).shaped(Shape::Cross);
                series.push(Series { key, joined: false, points: vec![at(trial, f64::NAN)] });
            }
        }
    }
    series
}

/// MAXQUIESCE and the guest's tolerance, if the curve comes near, and what the reader wants.
fn limits(trials: &Trials, highest: f64, target: Option<f64>) -> Vec<Level> {
    let base = &trials.base;
    let maxquiesce = base.relocation.quiesce_limit_s().map(|limit| ("MAXQUIESCE", f64::from(limit)));
    let group = crate::batch::relocating::mover(base).map(|at| &base.guests[at]).filter(|group| group.tolerance_ms > 0);
    let tolerated = group.map(|group| ("what the guest tolerates", f64::from(group.tolerance_ms) / 1e3));
    let near = |(_, value): &(&str, f64)| highest >= NEAR * value;
    let level = |(name, value): (&str, f64)| Level { name: format!("{name}, {}", seconds(value)), value, look: LIMIT };
    let wanted = target.map(|target| ("wanted", target));
    let mut levels: Vec<Level> = maxquiesce.into_iter().chain(tolerated).filter(near).chain(wanted).map(level).collect();
    levels.dedup_by(|b, a| {
        a.value == b.value && {
            a.name = a.name.replacen(',', " and what the guest tolerates,", 1);
            true
        }
    });
    levels
}

fn throttle_chart(id: &'static str, curves: &Curves, trials: &Trials) -> Chart {
    let (name, unit) = curves.axis;
    let line = |(look, throttle): (usize, &Throttle)| {
        let value = |trial: &Trial| Some(at(trial, trial.known()?.throttled_s()[look]));
        let points = trials.runs.iter().filter_map(value).collect();
        let key = Key::new(state::throttle(*throttle), look);
        let key = if look == 0 { key.dashed(SOLID) } else { key };
        Series { key, joined: true, points }
    };
    let mut series: Vec<Series> = Throttle::ALL.iter().enumerate().map(line).collect();
    series.retain(|series| !series.points.is_empty());
    Chart {
        id,
        title: format!("What throttles hold back over {}", letters::within(name)),
        summary: throttles_told(trials),
        plot: plot(curves, trials, Quantity::new("Held back", "s"), series, Vec::new(), unit),
        sources: Vec::new(),
        provenance: origin(trials),
    }
}

/// Where each throttle acts.
fn throttles_told(trials: &Trials) -> String {
    if !trials.is_complete() {
        return "Points appear as their runs end.".into();
    }
    let told = |(at, throttle): (usize, &Throttle)| {
        let acts: Vec<&Trial> =
            trials.runs.iter().filter(|trial| trial.known().is_some_and(|moved| moved.throttled_s()[at] > 0.0)).collect();
        let name = match throttle {
            Throttle::Paging => "paging",
            Throttle::Memory => "memory",
            Throttle::Link => "the link’s buffers",
        };
        match acts.as_slice() {
            [] => format!("The throttle by {name} never acts."),
            all if all.len() == trials.progress().0 => format!("The throttle by {name} acts everywhere."),
            some => {
                let names: Vec<&str> = some.iter().map(|trial| trial.at.name.as_str()).collect();
                format!("The throttle by {name} acts at {}.", names.join(", "))
            }
        }
    };
    Throttle::ALL.iter().enumerate().map(told).collect::<Vec<_>>().join(" ")
}

fn plot(curves: &Curves, trials: &Trials, y: Quantity, series: Vec<Series>, levels: Vec<Level>, unit: &str) -> Plot {
    if series.is_empty() {
        return Plot::Nothing("No run has ended yet.".into());
    }
    let stands = curves.stands(&trials.base);
    let range = |of: fn(f64, f64) -> f64, from: f64| trials.runs.iter().map(|trial| trial.at.x).fold(from, of);
    let within = |x: &f64| (range(f64::min, f64::INFINITY)..=range(f64::max, f64::NEG_INFINITY)).contains(x);
    let marked = stands.filter(within).map(|x| Marked { name: "on the bench".into(), x });
    Plot::Lines(Lines {
        x: Quantity::new(curves.axis.0, unit),
        y,
        series,
        levels,
        x_from_zero: true,
        by_point: true,
        marked,
        ..Lines::default()
    })
}

/// The same as a sheet, for files: every run with its times and its result.
pub fn sheet(question: &Question, curves: &Curves, trials: &Trials) -> Sheet {
    let row = |trial: &Trial| {
        let words = match &trial.state {
            RunState::Due => "to come".to_string(),
            RunState::LeftOut(why) => format!("left out: {why}"),
            RunState::Known(_) => no_time(trial).unwrap_or_else(|| "all moved".into()),
        };
        let held = trial.known().map(|moved| moved.throttled_s());
        let throttled = (0..3).map(|at| Cell::number(held.map(|held| held[at])));
        let times = [Time::Quiesce, Time::Relocation].map(|time| Cell::number(time.of(trial)));
        let cells = std::iter::once(Cell::number(Some(trial.at.x))).chain(times).chain(throttled);
        (trial.at.name.clone(), false, cells.chain([Cell::words(words)]).collect())
    };
    let (name, unit) = curves.axis;
    Sheet {
        title: question.title.into(),
        columns: [
            Quantity::new(name, unit).heading().as_str(),
            "Quiesce time (s)",
            "Relocation time (s)",
            "Held back by paging (s)",
            "Held back by memory (s)",
            "Held back by ISFC buffers (s)",
            "Ended",
        ]
        .map(String::from)
        .to_vec(),
        rows: trials.runs.iter().map(row).collect(),
    }
}

fn at(trial: &Trial, y: f64) -> Point {
    Point { x: trial.at.x, y, label: None }
}

#[cfg(test)]
mod tests {
    use zvmlab::snapshot::{EndCode, RelocationSnapshot};

    use super::*;
    use crate::batch::moved::tests::relocation;
    use crate::batch::question::answer::tests::trials;
    use crate::batch::question::destination::DESTINATION;
    use crate::batch::question::link::LINK;
    use crate::chart::table;

    fn run(end: EndCode, quiesce_ms: u64, throttled_ns: [u64; 3]) -> Vec<RelocationSnapshot> {
        vec![RelocationSnapshot { throttled_ns, ..relocation("A", end, 50_000, quiesce_ms) }]
    }

    #[test]
    fn a_cancelled_run_is_drawn_and_has_no_time() {
        let runs = [
            run(EndCode::MaxQuiesce, 10_000, [0; 3]),
            run(EndCode::MaxQuiesce, 10_000, [0; 3]),
            run(EndCode::Completed, 8_000, [0; 3]),
            run(EndCode::Completed, 4_000, [0; 3]),
            run(EndCode::Completed, 2_000, [0; 3]),
        ];
        let trials = trials(LINK, "MOVE", &runs);
        let curves = LINK.curves().expect("its answer is curves");
        let charts = charts(curves, &trials, None);
        assert_eq!(charts.len(), 2);
        let Plot::Lines(lines) = &charts[0].plot else { panic!("lines") };
        let names: Vec<&str> = lines.series.iter().map(|series| series.key.name.as_str()).collect();
        assert_eq!(names, ["model", "no time: MAXQUIESCE of 10 s exceeded (05)"]);
        assert!(lines.series[1].points.iter().all(|point| point.y.is_nan()) && lines.series[1].points.len() == 2);
        assert_eq!(lines.levels.len(), 1, "both limits are at 10 s: {:?}", lines.levels);
        assert_eq!(lines.marked.as_ref().map(|marked| marked.x), Some(16.0));
        let rows = table::shown(&charts[0].plot).rows;
        assert!(rows[0].iter().any(|cell| cell.contains("no time")) && rows[0][1].is_empty(), "{rows:?}");
        let file = table::csv(&charts[0]);
        assert!(!file.contains("NaN"), "{file}");
        let sheet = sheet(LINK, curves, &trials);
        assert!(sheet.rows[0].2[1].number.is_none() && sheet.rows[0].2[6].words.contains("MAXQUIESCE"));
    }

    #[test]
    fn throttles_say_where_they_act() {
        let runs: Vec<_> =
            (0..8).map(|at| run(EndCode::Completed, 1_000, [if at < 2 { 5_000_000_000 } else { 0 }, 0, 1])).collect();
        let trials = trials(DESTINATION, "CONSTRAINED", &runs);
        let charts = charts(DESTINATION.curves().expect("its answer is curves"), &trials, None);
        let said = &charts[2].summary;
        assert!(said.starts_with("The throttle by paging acts at ") && said.contains("by memory never acts"), "{said}");
        assert!(said.ends_with("by the link’s buffers acts everywhere."), "{said}");
        let Plot::Lines(lines) = &charts[2].plot else { panic!("lines") };
        assert_eq!(lines.series.iter().map(|series| series.points.len()).collect::<Vec<_>>(), [8, 8, 8]);
    }
}
