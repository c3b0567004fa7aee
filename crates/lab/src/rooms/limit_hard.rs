//! LIMITHARD in the three configurations of the 6.2 deck: the CPU that a guest with a hard limit gets, by DEADLINE and by
//! CONSUMPTION, against that limit.

use zvmlab::Figure;
use zvmlab::scenario::examples::example;

use super::compared::setting;
use super::studied::Studied;
use crate::chart::{Chart, Grid, Key, Level, Plot, Quantity, Row};
use crate::studies::LIMITS;

/// A result counts as a miss if it is off the limit by more than this, in percent of the limit: a bar of the validation.
pub const MISS_PERCENT: f64 = 5.0;

/// A result within this distance holds the limit, in percent of it.
pub const HELD_PERCENT: f64 = 1.0;

/// The two ways, by their lines of the study: name and look.
pub const WAYS: [(&str, usize); 2] = [("DEADLINE", 1), ("CONSUMPTION", 0)];

/// A configuration: its title, its limit, and the guest's CPU by each way, in percent of the partition.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name.
    pub title: &'static str,
    /// Its question.
    pub question: &'static str,
    /// The limit, in percent of the partition.
    pub limit: f64,
    /// The CPU that the guest got by each way, in percent of the partition.
    pub got: [Option<f64>; 2],
}

/// A line for each configuration.
pub fn lines(studied: &Studied) -> Vec<Line> {
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
pub fn off(got: f64, limit: f64) -> f64 {
    (got / limit - 1.0) * 100.0
}

/// How a value stands to the limit, in words.
pub fn verdict(got: f64, limit: f64) -> &'static str {
    match off(got, limit).abs() {
        off if off <= HELD_PERCENT => "held",
        off if off > MISS_PERCENT => "missed",
        _ => "nearly",
    }
}

/// The chart: a row for each configuration, with the limit marked.
pub fn charts(studied: &Studied) -> Vec<Chart> {
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
            "zvmlab {}, LIMITHARD in {} configurations, {}; seed {}",
            env!("CARGO_PKG_VERSION"),
            lines.len(),
            studied.study.batch.runs.first().map_or(String::new(), |point| setting(&point.scenario)),
            studied.study.batch.seed
        ),
    }]
}

/// How often each way holds or misses, in a sentence.
pub fn summary(lines: &[Line]) -> String {
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
    use crate::batch::study::Study;
    use crate::studies::StudyKind;

    #[test]
    fn a_miss_is_told_from_what_is_held() {
        assert_eq!([40.3, 41.0, 43.0, 30.0].map(|got| verdict(got, 40.0)), ["held", "nearly", "missed", "missed"]);
        let base = zvmlab::scenario::Scenario::default();
        let study = Study::begin(StudyKind::LimitHard, base.clone(), 1, None, &|_| None);
        let studied = Studied { study: &study, bench: &base, is_of_bench: true, published: &[] };
        let mut lines = lines(&studied);
        assert_eq!(lines.iter().map(|line| line.limit).collect::<Vec<_>>(), [40.0; 3]);
        assert!(summary(&lines).starts_with("The CPU that the guest gets"));
        lines.iter_mut().for_each(|line| line.got = [Some(50.0), Some(40.1)]);
        let said = summary(&lines);
        assert!(said.contains("in 3 of 3 configurations") && said.ends_with("within 1 % in 3."), "{said}");
    }
}
