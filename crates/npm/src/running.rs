//! Runs: one at a time, in pieces, with word of how far it is; and the report of many.

use borsh::{BorshDeserialize, BorshSerialize};
use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};
use zvmlab::experiment::cost::Cost;
use zvmlab::experiment::{Course, Listeners, Look, Outcome, Phase, Progress};
use zvmlab::report::Report;
use zvmlab::{Measurement, Scenario, Simulation, Snapshot};
use zvmlab_lab::words::unit::plain;
use zvmlab_lab::words::{cost, in_a_line, run, so_far};

use crate::types::{Checked, Reported, SoFar};
use crate::{host, json};

/// How often JavaScript is told how far a run is, in milliseconds. Chosen: as often as an eye sees a change.
const TELL_MS: f64 = 100.0;

/// Looks at the interval of a run whose sentences are wanted, as in Python.
const STEPS: u64 = 30;

/// Events for which a scenario is tried, as at the command line.
const TRIED: u64 = 1_000_000;

/// Most memory for the state of pages for which a scenario is tried, as at the command line.
const STATE_MAX: u64 = 1 << 29;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds of a clock that never steps back; pages, workers and node have it.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// What is kept of a run, between the worker that ran it and the one that reports.
#[derive(BorshSerialize, BorshDeserialize)]
struct Kept {
    seed: u64,
    digest: u64,
    measurement: Measurement,
    /// What it says in sentences; nothing where they are not wanted.
    sentences: Vec<String>,
}

/// Runs a scenario with a seed; `tell` gets how far it is, as JSON. With `speaks` the run also says what it found in sentences. Returns
/// bytes for [`report`].
#[wasm_bindgen]
pub fn trial(scenario: &str, seed: u64, speaks: bool, tell: &Function) -> Result<Vec<u8>, JsValue> {
    let scenario = host::read(scenario)?;
    let (outcome, looks) = followed(&scenario, seed, if speaks { STEPS } else { 1 }, tell)?;
    let looks: Vec<&Snapshot> = looks.iter().collect();
    let sentences = if speaks { run::of_outcome(&scenario, &outcome, &looks) } else { Vec::new() };
    let kept = Kept { seed, digest: outcome.digest, measurement: outcome.measurement, sentences };
    borsh::to_vec(&kept).map_err(|error| JsError::from(error).into())
}

/// The outcome, and the states that were seen of its interval.
fn followed(scenario: &Scenario, seed: u64, steps: u64, tell: &Function) -> Result<(Outcome, Vec<Snapshot>), JsValue> {
    let mut simulation = Simulation::new(scenario, seed).map_err(JsError::from)?;
    let mut course = Course::new(scenario, seed, steps);
    let (mut looks, mut teller) = (Vec::new(), Teller::new(tell));
    loop {
        let watch = &mut |look: Look| match look {
            // What was seen of an interval that came too early is of the warm-up.
            Look::Begins(_) => looks.clear(),
            Look::Goes(snapshot) if steps > 1 => looks.push(snapshot.clone()),
            Look::Goes(_) => {}
        };
        let tell = &mut |_: &Simulation, progress| teller.hear(scenario, progress);
        if let Some(outcome) = course.go_on(&mut simulation, scenario, &mut Listeners { watch, tell }) {
            teller.end();
            return Ok((outcome, looks));
        }
    }
}

/// Tells how far a run is.
struct Teller<'a> {
    tell: &'a Function,
    due_ms: f64,
    estimate: so_far::Estimate,
    last: Option<Progress>,
    /// The largest part that was told: a warm-up that is made longer takes nothing back.
    part: f64,
}

impl Teller<'_> {
    fn new(tell: &Function) -> Teller<'_> {
        let (due_ms, estimate) = (now() + TELL_MS, so_far::Estimate::default());
        Teller { tell, due_ms, estimate, last: None, part: 0.0 }
    }

    /// The run is so far.
    fn hear(&mut self, scenario: &Scenario, progress: Progress) {
        let now_ms = now();
        let left_ms = self.estimate.left_ms(&progress, scenario, now_ms);
        self.last = Some(progress);
        if now_ms < self.due_ms {
            return;
        }
        self.due_ms = now_ms + TELL_MS;
        let before = match progress.phase {
            Phase::Fill => 0.0,
            Phase::WarmUp => 1.0,
            Phase::Interval | Phase::Relocations => 2.0,
        };
        // The whole is told at the end, once.
        self.part = self.part.max((before + progress.part) / 3.0).min(0.999);
        self.say(&progress, self.part, left_ms);
    }

    /// The run is over.
    fn end(&self) {
        if let Some(last) = self.last {
            self.say(&last, 1.0, None);
        }
    }

    fn say(&self, progress: &Progress, of_run: f64, left_ms: Option<f64>) {
        let phase = match progress.phase {
            Phase::Fill => "fill",
            Phase::WarmUp => "warm_up",
            Phase::Interval => "interval",
            Phase::Relocations => "relocations",
        };
        let words = plain(&so_far::said(progress, left_ms));
        let told = SoFar { phase, part: progress.part, of_run, now_s: progress.now_s, words };
        // Who does not hear it loses nothing but that.
        let _ = json(&told).map(|told| self.tell.call1(&JsValue::NULL, &JsValue::from(told)));
    }
}

/// The report of these runs, in their order, as JSON.
#[wasm_bindgen]
pub fn report(scenario: &str, trials: Vec<Uint8Array>) -> Result<String, JsValue> {
    let scenario = host::read(scenario)?;
    let read = |trial: &Uint8Array| Kept::try_from_slice(&trial.to_vec()).map_err(JsError::from);
    let runs = trials.iter().map(read).collect::<Result<Vec<Kept>, JsError>>()?;
    let said = run::good_for(&scenario, runs.iter().map(|run| &run.measurement));
    let sentences = said.into_iter().chain(runs.iter().flat_map(|run| run.sentences.iter().cloned())).collect();
    let report = Report::from_measurements(&scenario, runs.iter().map(|run| (run.seed, run.digest, &run.measurement)));
    Ok(json(&Reported { sentences, json: report.to_json(), csv: report.to_csv() })?)
}

/// What a scenario is and what a run of it costs, as JSON.
#[wasm_bindgen]
pub fn check(scenario: &str) -> Result<String, JsValue> {
    let scenario = host::read(scenario)?;
    let host = in_a_line::in_a_line(&scenario);
    if scenario.page_state_bytes() > STATE_MAX {
        let gb = scenario.page_state_bytes() as f64 / 1e9;
        let words =
            format!("The state of its guests' pages takes {gb:.1} GB of memory; how long a run takes was not tried.");
        return Ok(json(&Checked { host, cost: None, words })?);
    }
    let begun_ms = now();
    let cost = Cost::of(&scenario, TRIED).map_err(JsError::from)?;
    let ns = (now() - begun_ms) * 1e6 / cost.tried.max(1) as f64;
    Ok(json(&Checked { host, words: plain(&cost::said(&cost, ns)), cost: Some((cost, ns).into()) })?)
}
