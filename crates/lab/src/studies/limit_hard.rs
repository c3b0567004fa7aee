//! The study of LIMITHARD in the three configurations of the 6.2 deck, whatever is on the bench: the CPU that a guest with a
//! hard limit gets by DEADLINE and by CONSUMPTION, compared with that limit.

use zvmlab::scenario::examples::example;
use zvmlab::scenario::{LimitHard, LimitType};
use zvmlab::{Figure, Scenario};

use super::studied::Studied;
use super::table::{Cell, Column, Row as TableRow, Table};
use super::{Published, StudyKind};
use crate::chart::{Chart, Grid, Key, Level, Plot, Quantity, Row};
use crate::room::Room;
use crate::rooms::compared::setting;
use crate::subjects::shares::SHARES;
use crate::subjects::storbuf::STORBUF;
use crate::words::number::{fixed, signed_pct};
use crate::words::unit::NO_BREAK;

/// DEADLINE against CONSUMPTION in three configurations.
pub static LIMIT_HARD: &StudyKind = &StudyKind {
    name: "limit-hard",
    title: "LIMITHARD: DEADLINE and CONSUMPTION against the limit",
    room: Room::Scheduler,
    subjects: &[STORBUF, SHARES],
    lacking: |scenario| {
        let is_hard = scenario.guests.iter().any(|group| group.limit_type == LimitType::LimitHard);
        (!is_hard).then_some("no guest has a LIMITHARD maximum")
    },
    places: |_| LIMITS.map(String::from).into(),
    lines: 2,
    put: |scenario, line, place| {
        // The configurations are the deck's, even if the reader has changed one of them on the bench.
        if let Some(given) = example(LIMITS[place]).and_then(|example| Scenario::parse(example.text).ok()) {
            *scenario = given;
        }
        scenario.scheduler.limithard = if line == 0 { LimitHard::Deadline } else { LimitHard::Consumption };
    },
    charts,
    table: |studied| Some(table(studied)),
    published: Published::Nothing("The 6.2 deck lists these configurations. It gives no figures."),
    ..StudyKind::PLAIN
};

/// The examples of the three configurations in which LIMITHARD with DEADLINE misses (6.2 deck), by id.
const LIMITS: [&str; 3] = ["LIMIT-SUM", "LIMIT-LOW-MIN", "LIMIT-NOT-BUSY"];

/// A result further from the limit than this, in percent of the limit, counts as a miss. 5 % is also a tolerance of the
/// validation.
const MISS_PERCENT: f64 = 5.0;

/// A result at most this far from the limit holds it, in percent of the limit.
const HELD_PERCENT: f64 = 1.0;

/// The two ways to limit, in the order of the study's lines: name and look.
const WAYS: [(&str, usize); 2] = [("DEADLINE", 1), ("CONSUMPTION", 0)];

/// A configuration: title, question, limit, and the CPU that the guest got by each way.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    /// Its name.
    title: &'static str,
    /// Its question.
    question: &'static str,
    /// The limit, in percent of the partition.
    limit: f64,
    /// The CPU that the guest got by each way, in percent of the partition.
    got: [Option<f64>; 2],
}

/// A line for each configuration.
fn lines(studied: &Studied) -> Vec<Line> {
    let line = |(place, id): (usize, &&str)| {
        let example = example(id)?;
        let point =
            |line: usize| studied.study.batch.runs.iter().find(|point| point.at.line == line && point.at.place == place);
        let limit = point(0)?.scenario.guests.first()?.limit_absolute.as_f64();
        let got = [0, 1].map(|line| point(line)?.known()?.get(Figure::Group1Cpu));
        let title = example.title.trim_start_matches("LIMITHARD ").trim_start_matches("with ");
        Some(Line { title, question: example.question, limit, got })
    };
    LIMITS.iter().enumerate().filter_map(line).collect()
}

/// How far `got` is from `limit`, in percent of it.
fn off(got: f64, limit: f64) -> f64 {
    (got / limit - 1.0) * 100.0
}

/// Whether a value holds the limit, in words.
fn verdict(got: f64, limit: f64) -> &'static str {
    match off(got, limit).abs() {
        off if off <= HELD_PERCENT => "held",
        off if off > MISS_PERCENT => "missed",
        _ => "nearly",
    }
}

/// The chart: a row for each configuration, with the limit marked.
fn charts(studied: &Studied) -> Vec<Chart> {
    let lines = lines(studied);
    let limit = lines.first().map(|line| line.limit);
    let row = |line: &Line| Row { label: line.title.into(), values: line.got.to_vec() };
    let grid = Grid {
        row_name: "Configuration".into(),
        value: Quantity::new("CPU of the limited guest", "% of the partition"),
        keys: WAYS.iter().map(|(name, look)| Key::new(name, *look)).collect(),
        rows: lines.iter().map(row).collect(),
        levels: limit.map(|value| Level { name: format!("limit, {value} %"), value, look: 7 }).into_iter().collect(),
        at_least: 0.0,
    };
    vec![Chart {
        id: "limit-hard",
        title: "CPU of a guest with a hard limit".into(),
        summary: summary(&lines),
        plot: Plot::Dots(grid),
        sources: Vec::new(),
        provenance: format!(
            "zvmlab {}, LIMITHARD in {} configurations, {}; seed {}{}",
            env!("CARGO_PKG_VERSION"),
            lines.len(),
            studied.study.batch.runs.first().map_or(String::new(), |point| setting(&point.scenario)),
            studied.study.batch.seed,
            studied.study.batch.good_for()
        ),
    }]
}

/// The same in a table, with misses marked.
fn table(studied: &Studied) -> Table {
    let cell = |(got, limit): (Option<f64>, f64)| {
        let Some(got) = got else { return Cell::plain("…") };
        let word = verdict(got, limit);
        let behind = (word != "held").then(|| format!(" {}", signed_pct(off(got, limit)).replace(' ', "\u{a0}")));
        Cell { text: format!("{}{NO_BREAK}% ", fixed(got, 1)), verdict: Some(word), behind }
    };
    let row = |line: &Line| {
        let limit = Cell::plain(format!("{}{NO_BREAK}%", line.limit));
        let cells = std::iter::once(limit).chain(line.got.iter().map(|got| cell((*got, line.limit))));
        TableRow { name: line.title.into(), help: Some(line.question), cells: cells.collect() }
    };
    Table {
        class: "limit-table",
        name: "LIMITHARD: DEADLINE and CONSUMPTION against the limit",
        folded: false,
        columns: ["Configuration", "Limit"].into_iter().chain(WAYS.map(|way| way.0)).map(Column::new).collect(),
        rows: lines(studied).iter().map(row).collect(),
        help: None,
    }
}

/// How often each way holds or misses, in a sentence.
fn summary(lines: &[Line]) -> String {
    let count = |way: usize, word: &str| {
        lines.iter().filter(|line| line.got[way].is_some_and(|got| verdict(got, line.limit) == word)).count()
    };
    if lines.iter().flat_map(|line| &line.got).any(Option::is_none) {
        return "The CPU that the guest gets with each way to detect that it is at its limit.".into();
    }
    format!(
        "DEADLINE misses the limit by more than {MISS_PERCENT} % in {} of {} configurations; CONSUMPTION holds it within {HELD_PERCENT} % in {}.",
        count(0, "missed"),
        lines.len(),
        count(1, "held")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studies::study::Study;

    #[test]
    fn a_miss_is_told_from_what_is_held() {
        assert_eq!([40.3, 41.0, 43.0, 30.0].map(|got| verdict(got, 40.0)), ["held", "nearly", "missed", "missed"]);
        let base = zvmlab::scenario::Scenario::default();
        let study = Study::begin(LIMIT_HARD, base.clone(), 1, None, &|_| None);
        let studied = Studied { study: &study, bench: &base, is_of_bench: true, published: &[], scaled: false };
        let mut lines = lines(&studied);
        assert_eq!(lines.iter().map(|line| line.limit).collect::<Vec<_>>(), [40.0; 3]);
        assert!(summary(&lines).starts_with("The CPU that the guest gets"));
        lines.iter_mut().for_each(|line| line.got = [Some(50.0), Some(40.1)]);
        let said = summary(&lines);
        assert!(said.contains("in 3 of 3 configurations") && said.ends_with("within 1 % in 3."), "{said}");
    }
}
