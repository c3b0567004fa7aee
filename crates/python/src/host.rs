//! A scenario as Python holds it: read once, checked, and the same for every run.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use serde_json::Value;
use zvmlab::Scenario;
use zvmlab_lab::published::ready::{ready_meant, scenario_of};
use zvmlab_lab::words::file::{self, SCENARIO_BYTES_MAX};
use zvmlab_lab::words::in_a_line::in_a_line;
use zvmlab_lab::words::{place, problem};

use crate::constants::{CONSTANTS, Changed};
use crate::crew::Job;
use crate::problems;

/// A scenario without problems.
#[pyclass(frozen, module = "zvmlab._native")]
pub struct Host {
    /// The scenario with every field.
    pub scenario: Arc<Scenario>,
    /// What was given, as a tree: fields left out are not in it.
    given: Value,
    /// The constants that it runs with.
    pub constants: Changed,
}

impl Host {
    /// Reads a text, TOML or JSON.
    fn of_text(text: &str) -> PyResult<Host> {
        Host::read(text, Changed::default(), Vec::new())
    }

    /// Reads a text. Raises its problems, and those that the constants have.
    fn read(text: &str, constants: Changed, wrong: Vec<problem::Told>) -> PyResult<Host> {
        let given = problem::tree(text);
        match Scenario::parse(text) {
            Ok(scenario) if wrong.is_empty() => Ok(Host { scenario: Arc::new(scenario), given, constants }),
            Ok(_) => Err(problems::of_problems(wrong)),
            Err(error) => Err(problems::of_scenario_and(&error, &given, wrong)),
        }
    }
}

#[pymethods]
impl Host {
    /// The scenario in a text.
    #[staticmethod]
    fn text(text: &str) -> PyResult<Host> {
        Host::of_text(text)
    }

    /// The scenario in a file.
    #[staticmethod]
    fn file(path: PathBuf) -> PyResult<Host> {
        let mut bytes = Vec::new();
        // One byte more than allowed shows that a text is too long.
        File::open(&path)
            .and_then(|file| file.take(SCENARIO_BYTES_MAX + 1).read_to_end(&mut bytes))
            .map_err(|error| PyErr::from(std::io::Error::new(error.kind(), format!("{}: {error}", path.display()))))?;
        if bytes.len() as u64 > SCENARIO_BYTES_MAX {
            return Err(PyOSError::new_err(format!("{}: {}", path.display(), file::too_long(SCENARIO_BYTES_MAX))));
        }
        let text = file::text(bytes).map_err(|why| problems::of_text(format!("{}: {why}", path.display())))?;
        Host::of_text(&text)
    }

    /// The published run or the example with this id.
    #[staticmethod]
    pub fn named(id: &str) -> Option<Host> {
        let scenario = scenario_of(id)?;
        let given = place::tree(&scenario);
        Some(Host { scenario: Arc::new(scenario), given, constants: Changed::default() })
    }

    /// The exception where a name is neither a text nor a file nor a ready experiment.
    #[staticmethod]
    fn unknown(name: &str) -> PyErr {
        let name: String = name.chars().take(80).collect();
        problems::of_text(format!(
            "\"{name}\" given: a text of a scenario (TOML or JSON), the path of a file, or the id of a published run or an example{} is allowed; there is no such file; zvmlab.experiments() lists the ids",
            ready_meant(name.trim())
        ))
    }

    /// The same host with other values: each a place (`paging.volumes`, `guests[1].loop_mb`, `guests.loop_mb` of every group, or
    /// `constants.touch_ns`) and a value as JSON. Fields that were left out are left out still.
    fn with_values(&self, values: Vec<(String, String)>) -> PyResult<Host> {
        let (mut given, mut constants, mut wrong) = (self.given.clone(), self.constants.clone(), Vec::new());
        for (place, json) in values {
            let set = match serde_json::from_str(&json) {
                Ok(value) if place.starts_with(CONSTANTS) => constants.set(&place, &value),
                Ok(value) => place::put(&mut given, &self.scenario, &place, &value).map_err(|message| problem::Told {
                    field: place.clone(),
                    given: Some(value),
                    allowed: None,
                    message,
                }),
                Err(error) => Err(problem::of_text(format!("{place}: {error}"))),
            };
            wrong.extend(set.err());
        }
        Host::read(&given.to_string(), constants, wrong)
    }

    /// The constants that are not the model's own: name and value.
    fn changed(&self) -> Vec<(&'static str, f64)> {
        self.constants.pairs()
    }

    /// The scenario as one line of JSON, every field stated.
    fn to_json(&self) -> String {
        self.scenario.to_json()
    }

    /// The scenario as TOML, every field stated.
    fn to_toml(&self) -> String {
        self.scenario.to_toml()
    }

    /// What was given, as JSON.
    fn given(&self) -> String {
        self.given.to_string()
    }

    /// The host in one line.
    fn line(&self) -> String {
        in_a_line(&self.scenario) + &self.constants.words()
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.scenario.name
    }

    fn __eq__(&self, other: &Host) -> bool {
        self.scenario == other.scenario && self.constants == other.constants
    }
}

impl Host {
    /// An experiment with this host.
    pub fn job(&self, seed: u64, steps: Option<u64>) -> Job {
        Job { scenario: self.scenario.clone(), constants: self.constants.all.clone(), seed, steps }
    }
}
