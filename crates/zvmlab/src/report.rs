//! The report of one or more runs of a scenario, as JSON and as CSV: the command line and the page write the same bytes.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::experiment::Outcome;
use crate::kernel::statistics::mean_interval;
use crate::measurement::{Drift, FIGURES, Figure, Measurement, OfGroup, Settling};
use crate::scenario::Scenario;

/// Version of the model, which every report carries: figures of two versions need not agree.
pub const MODEL_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The result of one or more runs of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Report {
    /// Version of the model that ran.
    pub model_version: String,
    /// The scenario that ran, with every field stated.
    #[cfg_attr(feature = "typescript", ts(type = "WholeScenario"))]
    pub scenario: Scenario,
    /// How many runs were asked for; left out if all are in. A file that was saved earlier says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub runs_asked_for: Option<u32>,
    /// The runs, in the order of their seeds.
    pub runs: Vec<ReportRun>,
    /// Every figure over all runs, in the order of the published tables.
    pub figures: Vec<ReportFigure>,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReportRun {
    /// The seed.
    #[cfg_attr(feature = "typescript", ts(type = "number | bigint"))]
    pub seed: u64,
    /// Digest of the snapshot at the end, 16 hexadecimal digits: equal runs have equal digests on every machine.
    pub digest: String,
    /// Whether the fill was over when the interval began; if not, the figures are not steady.
    pub filled: bool,
    /// What the figures are good for: `steady`, `drifts`, `young`, `cut_short`, `filling`, `not_judged`; null of an interval that no
    /// experiment judged.
    pub steadiness: Option<&'static str>,
    /// Simulated seconds between the fill and the interval: more than `measure.warmup_s` where that was too short.
    pub warmup_s: Option<f64>,
    /// Simulated seconds of the interval: less than `measure.interval_s` in a run that was cut short.
    pub interval_s: f64,
    /// How the host still changed, where it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub drift: Option<Drift>,
    /// What each group of guests did, in the order of the scenario; left out where there is one group only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<OfGroup>>"))]
    pub groups: Vec<OfGroup>,
    /// The value of each figure by its id; null where the run has no value.
    #[cfg_attr(feature = "typescript", ts(type = "Record<FigureId, number | null>"))]
    pub values: BTreeMap<String, Option<f64>>,
}

/// One figure over all runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ReportFigure {
    /// The figure's id.
    #[cfg_attr(feature = "typescript", ts(type = "FigureId"))]
    pub figure: String,
    /// Its name as the published tables print it.
    pub label: String,
    /// Its unit.
    pub unit: String,
    /// Mean over the runs that have a value; null where none has.
    pub value: Option<f64>,
    /// Lower end of the 95 % confidence interval of the mean; null with fewer than two runs.
    pub interval_low: Option<f64>,
    /// Upper end of that interval.
    pub interval_high: Option<f64>,
}

impl Report {
    /// The report of `outcomes`, runs of `scenario` with different seeds.
    pub fn new(scenario: &Scenario, outcomes: &[Outcome]) -> Report {
        Report::from_measurements(
            scenario,
            outcomes.iter().map(|outcome| (outcome.seed, outcome.digest, &outcome.measurement)),
        )
    }

    /// The report of runs, of which it needs only seed, digest and measurement.
    pub fn from_measurements<'a>(
        scenario: &Scenario,
        runs: impl IntoIterator<Item = (u64, u64, &'a Measurement)>,
    ) -> Report {
        let runs: Vec<ReportRun> = runs
            .into_iter()
            .map(|(seed, digest, measurement)| ReportRun {
                seed,
                digest: format!("{digest:016x}"),
                filled: measurement.filled,
                steadiness: measurement.settling.map(|Settling { state, .. }| state.as_str()),
                warmup_s: measurement.settling.map(|settling| settling.warmup_s),
                interval_s: measurement.to_s - measurement.from_s,
                drift: measurement.settling.and_then(|Settling { state, .. }| state.drift()),
                groups: measurement.groups.clone(),
                values: measurement.iter().map(|(figure, value)| (figure.id().into(), value)).collect(),
            })
            .collect();
        let figures = FIGURES.iter().map(|&figure| summarise(figure, &runs)).collect();
        Report { model_version: MODEL_VERSION.into(), scenario: scenario.clone(), runs_asked_for: None, runs, figures }
    }

    /// The same, of which so many runs were asked for.
    pub fn of_asked(self, asked: u32) -> Report {
        let missing = self.runs.len() < asked as usize;
        Report { runs_asked_for: missing.then_some(asked), ..self }
    }

    /// How many runs are in of how many that were asked for, if some are missing.
    pub fn unfinished(&self) -> Option<(usize, u32)> {
        Some((self.runs.len(), self.runs_asked_for?))
    }

    /// The report as JSON, indented, with a line end behind it.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self).expect("a report is a tree of texts and finite numbers");
        json + "\n"
    }

    /// The report as CSV (RFC 4180): a header with units, then one record a run. It has no confidence intervals: the
    /// reader's spreadsheet can calculate them from the single runs.
    pub fn to_csv(&self) -> String {
        let with_unit = |figure: &ReportFigure| match figure.unit.as_str() {
            "" => figure.label.clone(),
            unit => format!("{} ({unit})", figure.label),
        };
        let head = [
            "Model version".into(),
            "Scenario name".into(),
            "Seed".into(),
            "Digest".into(),
            "Filled".into(),
            "Steadiness".into(),
            "Warm-up (s)".into(),
        ];
        let in_of_asked = self.unfinished().map(|(known, asked)| format!("{known} of {asked}"));
        let head = head.into_iter().chain(in_of_asked.as_ref().map(|_| "Runs in, of those asked for".into()));
        let mut records: Vec<Vec<String>> =
            vec![head.chain(self.figures.iter().map(with_unit)).chain(["Scenario".into()]).collect()];
        for run in &self.runs {
            let mut record = vec![
                self.model_version.clone(),
                self.scenario.name.clone(),
                run.seed.to_string(),
                run.digest.clone(),
                run.filled.to_string(),
                run.steadiness.unwrap_or_default().into(),
                run.warmup_s.map(|seconds| seconds.to_string()).unwrap_or_default(),
            ];
            record.extend(in_of_asked.clone());
            let values = self.figures.iter().map(|figure| run.value(&figure.figure));
            record.extend(values.map(|value| value.map(|value| value.to_string()).unwrap_or_default()));
            record.push(self.scenario.to_json());
            records.push(record);
        }
        records.iter().map(csv_line).collect()
    }
}

impl ReportRun {
    /// The value of the figure with this id, where the run has one.
    pub fn value(&self, figure: &str) -> Option<f64> {
        self.values.get(figure).copied().flatten()
    }
}

fn summarise(figure: Figure, runs: &[ReportRun]) -> ReportFigure {
    let values: Vec<f64> = runs.iter().filter_map(|run| run.value(figure.id())).collect();
    let interval = mean_interval(&values);
    ReportFigure {
        figure: figure.id().into(),
        label: figure.label().into(),
        unit: figure.unit().into(),
        value: (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64),
        interval_low: interval.map(|interval| interval.low),
        interval_high: interval.map(|interval| interval.high),
    }
}

/// One record of a CSV file (RFC 4180), including its line end. It writes every CSV file of the laboratory.
pub fn csv_line(fields: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let fields: Vec<String> = fields.into_iter().map(|field| quoted(field.as_ref())).collect();
    fields.join(",") + "\r\n"
}

/// A field in quotes where RFC 4180 wants them: it holds a comma, a quote or a line end.
fn quoted(field: &str) -> String {
    match field.contains(['"', ',', '\r', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::{ClaimantSnapshot, PagingSnapshot, Snapshot};

    /// A measurement of ten seconds in which `pages` pages were read.
    fn measurement(pages: u64) -> Measurement {
        let earlier = Snapshot::default();
        let ios = ClaimantSnapshot { pages_read: pages, starts: 4, connect_ns: 8_000_000, ..ClaimantSnapshot::default() };
        let paging = PagingSnapshot { ios, ..PagingSnapshot::default() };
        Measurement::between(&earlier, &Snapshot { now_ns: 10_000_000_000, paging, ..Snapshot::default() })
    }

    fn report(pages: &[u64]) -> Report {
        let measurements: Vec<Measurement> = pages.iter().map(|&pages| measurement(pages)).collect();
        let runs = measurements.iter().enumerate().map(|(index, measurement)| (index as u64 + 7, 0xab, measurement));
        Report::from_measurements(&Scenario { name: "a, \"b\"".into(), ..Scenario::default() }, runs)
    }

    fn figure(report: &Report, figure: Figure) -> &ReportFigure {
        report.figures.iter().find(|other| other.figure == figure.id()).expect("every figure is reported")
    }

    #[test]
    fn one_run_has_values_and_no_interval() {
        let report = report(&[1000]);
        let pages_read = figure(&report, Figure::PagesRead);
        assert_eq!((pages_read.value, pages_read.interval_low), (Some(100.0), None));
        assert_eq!(figure(&report, Figure::WriteBlocking).value, None, "no block was written");
        assert_eq!(report.runs[0].digest, "00000000000000ab");
    }

    #[test]
    fn two_runs_have_mean_and_interval() {
        let report = report(&[1000, 1200]);
        let pages_read = figure(&report, Figure::PagesRead);
        // Half width: t (one degree of freedom) 12.706 x standard error 10.
        let near = |value: Option<f64>, wanted: f64| value.is_some_and(|value| (value - wanted).abs() < 1e-6);
        assert!(near(pages_read.value, 110.0), "{pages_read:?}");
        assert!(near(pages_read.interval_low, 110.0 - 127.06), "{pages_read:?}");
        assert!(near(pages_read.interval_high, 110.0 + 127.06), "{pages_read:?}");
    }

    #[test]
    fn json_reads_back() {
        let report = report(&[1000, 1200]);
        let json: serde_json::Value = serde_json::from_str(&report.to_json()).expect("the report is JSON");
        assert_eq!(Scenario::parse(&json["scenario"].to_string()), Ok(report.scenario.clone()));
        assert_eq!(json["model_version"], MODEL_VERSION);
        let figures = json["figures"].as_array().expect("a list");
        assert_eq!(figures.len(), report.figures.len());
        for (figure, json) in report.figures.iter().zip(figures) {
            assert_eq!((Some(&*figure.figure), figure.value), (json["figure"].as_str(), json["value"].as_f64()));
            assert_eq!((Some(&*figure.label), Some(&*figure.unit)), (json["label"].as_str(), json["unit"].as_str()));
            assert_eq!(
                (figure.interval_low, figure.interval_high),
                (json["interval_low"].as_f64(), json["interval_high"].as_f64())
            );
        }
        let runs = json["runs"].as_array().expect("a list");
        assert_eq!(runs.len(), report.runs.len());
        for (run, json) in report.runs.iter().zip(runs) {
            assert_eq!(Some(run.filled), json["filled"].as_bool());
            assert_eq!((Some(run.seed), Some(&*run.digest)), (json["seed"].as_u64(), json["digest"].as_str()));
            for (figure, value) in &run.values {
                assert_eq!(*value, json["values"][figure].as_f64(), "{figure}");
            }
        }
    }

    #[test]
    fn a_report_says_that_runs_are_missing() {
        let whole = report(&[1000, 1200]).of_asked(2);
        assert_eq!(whole, report(&[1000, 1200]), "all are in");
        assert!(!whole.to_json().contains("asked_for"));
        let unfinished = report(&[1000, 1200]).of_asked(10);
        assert_eq!(unfinished.unfinished(), Some((2, 10)));
        assert!(unfinished.to_json().contains("\"runs_asked_for\": 10,"), "{}", unfinished.to_json());
        let csv = unfinished.to_csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert!(lines[0].contains(",Warm-up (s),\"Runs in, of those asked for\","), "{}", lines[0]);
        assert!(lines[1..].iter().all(|line| line.contains(",2 of 10,")), "{csv}");
    }

    #[test]
    fn csv_quotes_what_must_be_quoted_and_is_rectangular() {
        let csv = report(&[1000, 1200]).to_csv();
        let lines: Vec<&str> = csv.strip_suffix("\r\n").expect("the last record ends too").split("\r\n").collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].contains(",ETR (tx/s),"), "{}", lines[0]);
        assert!(lines[1].contains("\"a, \"\"b\"\"\",7,00000000000000ab,"), "{}", lines[1]);
        assert!(lines[1].ends_with("}\""), "the scenario comes last: {}", lines[1]);
    }
}
