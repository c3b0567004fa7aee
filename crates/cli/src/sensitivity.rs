//! What each constant of the model does: the headline figures when it is a fifth smaller or larger.

use zvmlab::constants::{Constant, Constants, TABLE};
use zvmlab::experiment;
use zvmlab::{Figure, Scenario, Simulation};

use crate::output::{self, Failure};
use crate::table::{self, Align};

/// The runs whose ETR is the headline: the base of the published experiment and its best case.
const RUNS: [&str; 2] = ["V4DVY000", "V4DYA001"];

/// Seed of every run here: the same for all, so that chance does not tell a constant's effect from another's.
const SEED: u64 = 1;

/// Prints the table.
pub fn print() -> Result<(), Failure> {
    let scenarios: Vec<Scenario> =
        zvmlab_reference::runs().filter(|run| RUNS.contains(&run.id.as_str())).map(|run| run.scenario.clone()).collect();
    let plain = Constants::default();
    let base: Vec<f64> = scenarios.iter().map(|scenario| etr(scenario, plain.clone())).collect();
    let rows: Vec<Vec<String>> = TABLE.iter().map(|constant| row(constant, &plain, &scenarios, &base)).collect();
    let title = |run: &str, side: &str| format!("{run} {side}");
    let titles: Vec<String> = RUNS.iter().flat_map(|run| ["-20 %", "+20 %"].map(|side| title(run, side))).collect();
    let mut header = vec![("Constant", Align::Left), ("Value", Align::Right), ("Unit", Align::Left)];
    header.extend(titles.iter().map(|title| (title.as_str(), Align::Right)));
    header.push(("Source", Align::Left));
    output::print(
        "Change of the ETR, in percent, when a constant is a fifth smaller or larger; a count too small for that, one smaller or larger\n\n",
    )?;
    output::print(&table::render(&header, &rows))
}

fn row(constant: &Constant, plain: &Constants, scenarios: &[Scenario], base: &[f64]) -> Vec<String> {
    let value = (constant.get)(plain);
    let mut cells = vec![constant.id.to_string(), table::number(value), constant.unit.to_string()];
    for (scenario, base) in scenarios.iter().zip(base) {
        for (factor, step) in [(0.8, -1.0), (1.2, 1.0)] {
            let mut moved = plain.clone();
            (constant.set)(&mut moved, value * factor);
            if (constant.get)(&moved) == value && value != 0.0 {
                (constant.set)(&mut moved, value + step);
            }
            // A zero cannot be moved by a part of itself: left out rather than shown as without effect.
            let change = (value != 0.0).then(|| (etr(scenario, moved) / base - 1.0) * 100.0);
            cells.push(change.map_or("-".into(), |change| format!("{change:+.1}")));
        }
    }
    cells.push(constant.source.to_string());
    cells
}

/// The ETR of `scenario` with these constants.
pub fn etr(scenario: &Scenario, constants: Constants) -> f64 {
    let mut simulation = Simulation::with_constants(scenario, SEED, constants).expect("a published run's scenario is valid");
    experiment::finish(&mut simulation, scenario, SEED).measurement.get(Figure::Etr).unwrap_or(f64::NAN)
}
