//! The result of one host: its runs, and of the first of them the series and the state at the end.

use std::sync::Arc;

use pyo3::prelude::*;
use zvmlab::Scenario;
use zvmlab::report::Report;
use zvmlab_lab::words::run;

use crate::constants::Changed;
use crate::crew::Done;
use crate::kept::Kept;
use crate::table::Columns;
use crate::{tables, views};

/// The runs of one host with the seeds from one on.
#[pyclass(frozen, module = "zvmlab._native")]
pub struct Outcomes {
    /// The host.
    pub scenario: Arc<Scenario>,
    /// The constants that it ran with.
    pub constants: Changed,
    /// Every run, in the order of the seeds.
    pub runs: Vec<Kept>,
    /// The whole of the first run.
    pub first: Done,
}

impl Outcomes {
    fn report(&self) -> Report {
        Report::from_measurements(&self.scenario, self.runs.iter().map(|run| (run.seed, run.digest, &run.measurement)))
    }

    fn rows(&self) -> Vec<(usize, &Kept)> {
        self.runs.iter().map(|run| (0, run)).collect()
    }
}

#[pymethods]
impl Outcomes {
    /// The report as `zvmlab run --json` writes it; with other constants than the model's own it says them first.
    fn to_json(&self, py: Python<'_>) -> String {
        let report = py.detach(|| self.report().to_json());
        if self.constants.is_own() {
            return report;
        }
        let members: Vec<String> =
            self.constants.pairs().iter().map(|(id, value)| format!("    \"{id}\": {value:?}")).collect();
        let stated = format!("{{\n  \"constants\": {{\n{}\n  }},", members.join(",\n"));
        report.replacen('{', &stated, 1)
    }

    /// The report as `zvmlab run --csv` writes it.
    fn to_csv(&self, py: Python<'_>) -> String {
        py.detach(|| self.report().to_csv())
    }

    /// A row for each run.
    fn table(&self) -> PyResult<Columns> {
        tables::of_runs(&[], &self.rows())
    }

    /// A row for each figure: its mean over the runs, with the 95 % confidence interval.
    fn figures(&self) -> PyResult<Columns> {
        tables::of_figures(&[], &[(0, self.report())])
    }

    /// A row for each step of the first run's interval.
    fn series(&self) -> PyResult<Columns> {
        tables::of_series(&self.first.samples)
    }

    /// A row for each relocation.
    fn relocations(&self) -> PyResult<Columns> {
        tables::of_relocations(&[], &self.rows())
    }

    /// A row for each group of guests.
    fn groups(&self) -> PyResult<Columns> {
        tables::of_groups(&self.runs)
    }

    /// A row for each resource that was used.
    fn limits(&self) -> PyResult<Columns> {
        tables::of_limits(&self.runs)
    }

    /// What the first run says in sentences: what its figures are good for, what limits, the stop of a relocation, the answer.
    fn sentences(&self) -> Vec<String> {
        let outcome = &self.first.outcome;
        let looks: Vec<_> = self.first.samples.iter().map(|sample| &sample.snapshot).collect();
        let good_for = run::good_for(&self.scenario, self.runs.iter().map(|run| &run.measurement));
        good_for.into_iter().chain(run::of_outcome(&self.scenario, outcome, &looks)).collect()
    }

    /// The machine at the end of the first run's interval, as the text of an SVG file.
    fn machine_svg(&self, py: Python<'_>, width: f64) -> String {
        py.detach(|| views::machine(&self.scenario, &self.first, width))
    }

    /// The charts of the first run: room, id, title, summary and the text of an SVG file.
    fn charts(&self, py: Python<'_>, width: f64) -> Vec<views::Drawn> {
        py.detach(|| views::charts(&self.scenario, &self.first, width))
    }
}
