//! Many runs, and the form in which a process hands them to another.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zvmlab::report::Report;

use crate::host::Host;
use crate::kept::Kept;
use crate::table::{Columns, Key};
use crate::tables;

/// Runs of several hosts, each with the number of its host.
#[pyclass(frozen, module = "zvmlab._native")]
pub struct Batch {
    /// The runs.
    pub runs: Vec<(u32, Kept)>,
}

#[pymethods]
impl Batch {
    /// The runs as bytes, for another process with the same model.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &borsh::to_vec(&self.runs)?))
    }

    /// The runs in such bytes, one part after the other.
    #[staticmethod]
    fn of_bytes(parts: Vec<Vec<u8>>) -> PyResult<Batch> {
        let mut runs = Vec::new();
        for part in parts {
            let more: Vec<(u32, Kept)> = borsh::from_slice(&part)
                .map_err(|error| PyValueError::new_err(format!("not runs of this model: {error}")))?;
            runs.extend(more);
        }
        runs.sort_by_key(|(host, kept)| (*host, kept.seed));
        Ok(Batch { runs })
    }

    /// The same runs, of which host `n` has the number `numbers[n]`.
    fn renumbered(&self, numbers: Vec<u32>) -> PyResult<Batch> {
        let number = |(host, kept): &(u32, Kept)| Some((*numbers.get(*host as usize)?, kept.clone()));
        let runs: Option<Vec<_>> = self.runs.iter().map(number).collect();
        Ok(Batch { runs: runs.ok_or_else(|| PyValueError::new_err("a host without a number"))? })
    }

    fn __len__(&self) -> usize {
        self.runs.len()
    }

    /// A row for each run: the keys of its host, then seed, digest and figures.
    fn table(&self, keys: Vec<Key>) -> PyResult<Columns> {
        let rows: Vec<(usize, &Kept)> = self.runs.iter().map(|(host, kept)| (*host as usize, kept)).collect();
        tables::of_runs(&keys, &rows)
    }

    /// A row for each relocation of each run.
    fn relocations(&self, keys: Vec<Key>) -> PyResult<Columns> {
        let rows: Vec<(usize, &Kept)> = self.runs.iter().map(|(host, kept)| (*host as usize, kept)).collect();
        tables::of_relocations(&keys, &rows)
    }

    /// A row for each host and figure: its mean over the seeds, with the 95 % confidence interval.
    fn figures(&self, keys: Vec<Key>, hosts: Vec<PyRef<'_, Host>>) -> PyResult<Columns> {
        let report = |(number, host): (usize, &PyRef<'_, Host>)| {
            let of_host = self.runs.iter().filter(|(at, _)| *at as usize == number);
            let runs = of_host.map(|(_, kept)| (kept.seed, kept.digest, &kept.measurement));
            (number, Report::from_measurements(&host.scenario, runs))
        };
        let reports: Vec<(usize, Report)> = hosts.iter().enumerate().map(report).collect();
        tables::of_figures(&keys, &reports)
    }
}
