//! Questions about a relocation, and the trials that answer them.

use std::rc::Rc;
use std::sync::Arc;

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use zvmlab::Scenario;
use zvmlab_lab::batch::RunState;
use zvmlab_lab::batch::limit::of_quiesce;
use zvmlab_lab::batch::moved::Moved;
use zvmlab_lab::batch::question::answer::{quiesce_time, relocation_time};
use zvmlab_lab::batch::question::curve::{Time, told};
use zvmlab_lab::batch::question::{Answer, QUESTIONS, Question};
use zvmlab_lab::batch::sheet;
use zvmlab_lab::batch::trials::{Trial, Trials};
use zvmlab_lab::words::unit::plain;

use crate::crew::Job;
use crate::host::Host;
use crate::running::follow;
use crate::table::{Column, Columns};

/// Every question: its id, its title, and why this host cannot ask it, if it cannot.
#[pyfunction]
pub fn questions(host: Option<&Host>) -> Vec<(&'static str, &'static str, Option<&'static str>)> {
    let lacking = |question: &Question| host.and_then(|host| question.lacking(&host.scenario));
    QUESTIONS.iter().map(|question| (question.id, question.title, lacking(question))).collect()
}

/// Asks a question about a host: a table of its trials, the answer in sentences, and the study as JSON.
///
/// # Errors
/// There is no such question, the host cannot ask it, or what `progress` and Ctrl-C raise.
#[pyfunction]
pub fn ask(
    py: Python<'_>,
    host: &Host,
    question: &str,
    seed: u64,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(Columns, Vec<String>, String)> {
    let Some(question) = Question::from_id(question) else {
        let all: Vec<&str> = QUESTIONS.iter().map(|question| question.id).collect();
        return Err(PyKeyError::new_err(format!(
            "{question}: there is no such question; the questions are {}",
            all.join(", ")
        )));
    };
    if let Some(why) = question.lacking(&host.scenario) {
        return Err(PyValueError::new_err(format!("{}: this host cannot ask it: {why}", question.id)));
    }
    let base = (*host.scenario).clone();
    let mut trials = Trials::begin(base, seed, question.made(&host.scenario), &|_| None);
    let due: Vec<_> =
        trials.due(trials.runs.len(), |_| ()).into_iter().map(|run| (run.key.clone(), run.scenario.clone())).collect();
    let constants = host.constants.all.clone();
    let job =
        |scenario: &Scenario| Job { scenario: Arc::new(scenario.clone()), constants: constants.clone(), seed, steps: None };
    let jobs = due.iter().map(|(_, scenario)| job(scenario)).collect();
    let mut moved = Vec::new();
    follow(py, jobs, threads, progress, &mut |index, done| {
        moved.push((index, Moved::between(done.outcome.measurement, &done.first, &done.outcome.snapshot)));
    })?;
    for (index, moved) in moved {
        trials.put(&due[index].0, &RunState::Known(Rc::new(moved)));
    }
    let sentences = match &question.answer {
        Answer::Tables { told, .. } => told(&trials),
        Answer::Curves(curves) => [Time::Quiesce, Time::Relocation].map(|time| told(curves, &trials, time)).into(),
    };
    let sentences = sentences.into_iter().map(|said| plain(&said)).collect();
    Ok((table(&trials.runs, question)?, sentences, sheet::json(question.id, &trials)))
}

/// A row for each trial.
fn table(trials: &[Trial], question: &Question) -> PyResult<Columns> {
    let axis = question.curves().map_or(("Place", ""), |curves| curves.axis);
    let of = |get: fn(&Moved) -> Option<f64>| trials.iter().map(move |trial| trial.known().and_then(get));
    let count = |get: fn(&Moved) -> usize| trials.iter().map(move |trial| trial.known().map(|moved| get(moved) as u64));
    let limit = |trial: &Trial| of_quiesce(&trial.scenario, trial.known()?).map(|limit| plain(&limit.words()));
    let left_out = |trial: &Trial| match &trial.state {
        RunState::LeftOut(why) => Some(why.clone()),
        _ => None,
    };
    let throttled = trials.iter().map(|trial| trial.known().map(|moved| moved.throttled_s().iter().sum::<f64>()));
    Columns::new(vec![
        Column::texts("trial", "Trial", trials.iter().map(|trial| Some(&trial.at.name))),
        Column::numbers("x", axis.1, axis.0, trials.iter().map(|trial| Some(trial.at.x))),
        Column::counts("relocations", "", "Relocations", count(|moved| moved.relocations.len())),
        Column::counts("completed", "", "Completed", count(|moved| moved.completed().count())),
        Column::numbers("quiesce_s", "s", "Quiesce time", trials.iter().map(quiesce_time)),
        Column::numbers("relocation_s", "s", "Relocation time", trials.iter().map(relocation_time)),
        Column::numbers("mean_quiesce_s", "s", "Mean quiesce time", of(Moved::mean_quiesce_s)),
        Column::numbers("mean_relocation_s", "s", "Mean relocation time", of(Moved::mean_relocation_s)),
        Column::numbers("total_s", "s", "From the first VMRELOCATE to the last end", of(Moved::total_s)),
        Column::numbers("throttled_s", "s", "Held back by throttles, all relocations", throttled),
        Column::texts("limit", "What limits the quiesce time", trials.iter().map(limit)),
        Column::texts("left_out", "Why it was not run", trials.iter().map(left_out)),
    ])
}
