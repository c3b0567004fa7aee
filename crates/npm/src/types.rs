//! What JavaScript is told. `bin/types.rs` writes these types in TypeScript.

use serde::Serialize;
#[cfg(feature = "typescript")]
use ts_rs::TS;
use zvmlab::experiment::cost::Cost;
use zvmlab_lab::words::problem::Told;

/// How far one run is.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct SoFar {
    /// Where it is: `fill`, `warm_up`, `interval` or `relocations`.
    #[cfg_attr(feature = "typescript", ts(type = "\"fill\" | \"warm_up\" | \"interval\" | \"relocations\""))]
    pub phase: &'static str,
    /// The part of this phase that is over, from 0 to 1; 0 of relocations, whose length is not known.
    pub part: f64,
    /// The part of the run that is over, from 0 to 1: fill, warm-up and interval count alike, however long each takes.
    pub of_run: f64,
    /// Simulated seconds since the start of the run.
    pub now_s: f64,
    /// The same in words.
    pub words: String,
}

/// What a run costs, about.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct RunCost {
    /// Events of the fill.
    pub fill_events: f64,
    /// Events of warm-up and interval. A host that is not steady takes more.
    pub measured_events: f64,
    /// Events after which each of these two is cut short.
    pub budget_events: f64,
    /// Whether the run was tried to its end.
    pub is_known: bool,
    /// Seconds that a run takes on this machine, about.
    pub seconds: f64,
}

impl From<(Cost, f64)> for RunCost {
    /// From the cost, and the nanoseconds that an event takes.
    fn from((cost, ns): (Cost, f64)) -> RunCost {
        RunCost {
            fill_events: cost.fill,
            measured_events: cost.measured,
            budget_events: cost.budget as f64,
            is_known: cost.is_known,
            seconds: cost.allowed() * ns / 1e9,
        }
    }
}

/// A scenario that can run, and about what a run costs.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Checked {
    /// The host in one line.
    pub host: String,
    /// What a run costs; null where its memory is too large to try.
    pub cost: Option<RunCost>,
    /// The same in words.
    pub words: String,
}

/// What runs found: in sentences, and their report as the texts that the command line writes.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Reported {
    /// What the first run says in sentences: what its figures are good for, what limits, how relocations went.
    pub sentences: Vec<String>,
    /// The report, byte for byte as `zvmlab run --json` writes it.
    pub json: String,
    /// The report, byte for byte as `zvmlab run --csv` writes it.
    pub csv: String,
}

/// A figure of the model.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct FigureName {
    /// Its id, as in reports.
    #[cfg_attr(feature = "typescript", ts(type = "FigureId"))]
    pub figure: &'static str,
    /// Its unit; empty for a plain number.
    pub unit: &'static str,
    /// Its name as the published tables print it.
    pub label: &'static str,
}

/// A ready experiment.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Experiment {
    /// Its id, which every function takes in place of a scenario.
    pub id: String,
    /// What it is.
    pub title: String,
    /// Whether IBM published measurements of it.
    #[cfg_attr(feature = "typescript", ts(type = "\"published\" | \"example\""))]
    pub kind: &'static str,
}

/// Something that is wrong with an input.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Problem {
    /// The field (`paging.volumes`, `guests[2].count`) or the argument; empty where a text as a whole cannot be read.
    pub field: String,
    /// What was given there; null where nothing was.
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub given: Option<serde_json::Value>,
    /// What is allowed there, in words; null where there is no such field.
    pub allowed: Option<String>,
    /// What was given, what is allowed, and why, in a sentence.
    pub message: String,
}

impl From<Told> for Problem {
    fn from(Told { field, given, allowed, message }: Told) -> Problem {
        Problem { field, given, allowed, message }
    }
}
