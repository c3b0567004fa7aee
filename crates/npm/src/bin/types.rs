//! Writes the types of what JavaScript is told, in TypeScript, to standard output: each from its struct, with the struct's comments.

use ts_rs::{Config, TS};
use zvmlab::measurement::{Drift, FIGURES, OfGroup};
use zvmlab::report::{Report, ReportFigure, ReportRun};
use zvmlab_npm::types::{Checked, Experiment, FigureName, Problem, Reported, RunCost, SoFar};

fn main() {
    // No count comes near 2^53; a seed may, and says so itself.
    let config = &Config::new().with_large_int("number");
    let ids: Vec<String> = FIGURES.iter().map(|figure| format!("{:?}", figure.id())).collect();
    let types = [
        "import type { WholeScenario } from './scenario.js';\n\n".into(),
        format!("/** The id of a figure. */\nexport type FigureId = {};\n\n", ids.join(" | ")),
        declared::<Report>(config),
        declared::<ReportRun>(config),
        declared::<ReportFigure>(config),
        declared::<OfGroup>(config),
        declared::<Drift>(config),
        declared::<SoFar>(config),
        declared::<RunCost>(config),
        declared::<Checked>(config),
        declared::<Reported>(config),
        declared::<FigureName>(config),
        declared::<Experiment>(config),
        declared::<Problem>(config),
    ];
    print!("{}", types.concat());
}

/// A type with its comments.
fn declared<T: TS>(config: &Config) -> String {
    format!("{}export {}\n\n", T::docs().unwrap_or_default(), T::decl(config))
}
