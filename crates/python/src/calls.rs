//! The other commands of the command line: check, advise, schema, validate, runs.

use std::time::Instant;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use zvmlab::Measurement;
use zvmlab::adviser::{self, Advice};
use zvmlab::experiment::cost::Cost;
use zvmlab::measurement::FIGURES;
use zvmlab::scenario::Scenario;
use zvmlab::scenario::fields::FIELDS;
use zvmlab_lab::lesson::schema as of_lesson;
use zvmlab_lab::published::compared::{self, Compared};
use zvmlab_lab::published::ready;
use zvmlab_lab::words;
use zvmlab_lab::words::unit::plain;

use crate::batch::Batch;
use crate::host::Host;
use crate::problems;
use crate::result::Outcomes;

/// What a run costs after `tried` events: events of the fill, of warm-up and interval, of the budget; whether that is known; seconds of
/// wall time; words.
#[pyfunction]
pub fn cost(py: Python<'_>, host: &Host, tried: u64) -> PyResult<(f64, f64, u64, bool, f64, String)> {
    let scenario = host.scenario.clone();
    let (cost, ns) = py
        .detach(|| {
            let begun = Instant::now();
            Cost::of(&scenario, tried).map(|cost| (cost, begun.elapsed().as_nanos() as f64 / cost.tried.max(1) as f64))
        })
        .map_err(|error| problems::of_scenario(&error, &serde_json::Value::Null))?;
    let seconds = cost.allowed() * ns / 1e9;
    Ok((cost.fill, cost.measured, cost.budget, cost.is_known, seconds, plain(&words::cost::said(&cost, ns))))
}

/// The rules that a host breaks, as `zvmlab advise --json` writes them.
#[pyfunction]
pub fn advise(outcomes: &Outcomes) -> PyResult<String> {
    let advice = adviser::advise(&outcomes.scenario, Some(&outcomes.first.outcome.measurement));
    let rules: Vec<serde_json::Value> = advice.iter().map(Advice::to_json).collect();
    let text = serde_json::to_string_pretty(&rules).map_err(|error| problems::of_bug(&error.to_string()))?;
    Ok(text + "\n")
}

/// The JSON Schema of a scenario or a lesson, as `zvmlab schema` prints it.
#[pyfunction]
pub fn schema(lesson: bool) -> String {
    let schema = if lesson { of_lesson::json_schema() } else { Scenario::json_schema() };
    format!("{schema:#}\n")
}

/// The published runs with these ids, or all: each id with its host; else what is wrong with the ids.
#[pyfunction]
pub fn chosen(ids: Vec<String>) -> Result<Vec<(String, Host)>, PyErr> {
    let runs = compared::chosen(&ids).map_err(PyKeyError::new_err)?;
    Ok(runs.into_iter().filter_map(|run| Some((run.id.clone(), Host::named(&run.id)?))).collect())
}

/// Whether the value at one place of a scenario would hide that at the other.
#[pyfunction]
pub fn overlap(one: &str, other: &str) -> bool {
    zvmlab_lab::words::place::overlap(one, other)
}

/// What was published of a run, in the order of its tables: figure, value, kind of its use, and where it was published.
#[pyfunction]
pub fn published(id: &str) -> Vec<(&'static str, f64, &'static str, String)> {
    let figures = zvmlab_reference::run(id).map_or(&[][..], |run| &run.figures);
    figures.iter().map(|one| (one.figure.id(), one.value, one.kind.as_str(), one.source.clone())).collect()
}

/// The comparison of published runs with a batch of as many hosts: the text of `zvmlab validate --json`, and what fails.
#[pyfunction]
pub fn validate(ids: Vec<String>, batch: &Batch, seeds: usize) -> PyResult<(String, Option<String>)> {
    let runs = compared::chosen(&ids).map_err(PyKeyError::new_err)?;
    let measurements: Vec<&Measurement> = batch.runs.iter().map(|(_, kept)| &kept.measurement).collect();
    let compared = Compared::new(runs, &measurements, seeds);
    let text = compared.to_json().map_err(|error| problems::of_bug(&error.to_string()))?;
    Ok((text, compared.failures()))
}

/// Every ready experiment: id, title, and `published` or `example`.
#[pyfunction]
pub fn experiments() -> Vec<(String, String, &'static str)> {
    let published = zvmlab_lab::published::runs().into_iter().map(|run| (run.id, run.title, "published"));
    let examples = ready::examples().iter().map(|one| (one.example.id.into(), one.example.title.into(), "example"));
    published.chain(examples).collect()
}

/// Every figure of the model: id, unit, label.
#[pyfunction]
pub fn figures() -> Vec<(&'static str, &'static str, &'static str)> {
    FIGURES.iter().map(|figure| (figure.id(), figure.unit(), figure.label())).collect()
}

/// Every field of a scenario: path, unit, label.
#[pyfunction]
pub fn fields() -> Vec<(&'static str, &'static str, &'static str)> {
    FIELDS.iter().map(|field| (field.path, field.unit, field.label)).collect()
}
