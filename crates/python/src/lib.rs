//! zvmlab for Python: the model as a module that `zvmlab/__init__.py` dresses. What crosses over is text, bytes, Arrow tables and a few
//! classes; dataclasses and frames are made in Python.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this is not the model: it may look at the clock of the machine, and Arrow keeps the words of a column in a hash map"
)]

mod batch;
mod calls;
mod constants;
mod crew;
mod host;
mod kept;
mod problems;
mod result;
mod running;
mod table;
mod tables;
mod trials;
mod views;

use pyo3::prelude::*;

/// The module `zvmlab._native`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", zvmlab::report::MODEL_VERSION)?;
    module.add_class::<host::Host>()?;
    module.add_class::<table::Columns>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<result::Outcomes>()?;
    module.add_function(wrap_pyfunction!(running::run, module)?)?;
    module.add_function(wrap_pyfunction!(running::run_jobs, module)?)?;
    module.add_function(wrap_pyfunction!(running::thread_count, module)?)?;
    module.add_function(wrap_pyfunction!(calls::cost, module)?)?;
    module.add_function(wrap_pyfunction!(calls::advise, module)?)?;
    module.add_function(wrap_pyfunction!(calls::schema, module)?)?;
    module.add_function(wrap_pyfunction!(calls::chosen, module)?)?;
    module.add_function(wrap_pyfunction!(calls::validate, module)?)?;
    module.add_function(wrap_pyfunction!(calls::experiments, module)?)?;
    module.add_function(wrap_pyfunction!(calls::figures, module)?)?;
    module.add_function(wrap_pyfunction!(calls::fields, module)?)?;
    module.add_function(wrap_pyfunction!(calls::overlap, module)?)?;
    module.add_function(wrap_pyfunction!(calls::published, module)?)?;
    module.add_function(wrap_pyfunction!(constants::constants, module)?)?;
    module.add_function(wrap_pyfunction!(tables::columns, module)?)?;
    module.add_function(wrap_pyfunction!(trials::questions, module)?)?;
    module.add_function(wrap_pyfunction!(trials::ask, module)?)?;
    Ok(())
}
