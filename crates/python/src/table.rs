//! A table as Arrow has it. Other libraries take it by the PyCapsule interface, without a copy.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, StringBuilder, UInt64Builder};
use arrow_array::ffi::{FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, RecordBatch, RecordBatchIterator, StringArray, StructArray, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::problems;

/// A column of keys that a caller gives: its name, its unit, its label, and for each host a value as JSON.
pub type Key = (String, String, String, Vec<String>);

/// A column under way.
pub struct Column {
    name: String,
    unit: String,
    label: String,
    values: ArrayRef,
}

impl Column {
    /// Numbers, some of which may be missing.
    pub fn numbers(name: &str, unit: &str, label: &str, values: impl IntoIterator<Item = Option<f64>>) -> Column {
        let mut builder = Float64Builder::new();
        values.into_iter().for_each(|value| builder.append_option(value));
        Column::new(name, unit, label, Arc::new(builder.finish()))
    }

    /// Whole numbers.
    pub fn counts(name: &str, unit: &str, label: &str, values: impl IntoIterator<Item = Option<u64>>) -> Column {
        let mut builder = UInt64Builder::new();
        values.into_iter().for_each(|value| builder.append_option(value));
        Column::new(name, unit, label, Arc::new(builder.finish()))
    }

    /// Texts.
    pub fn texts<T: AsRef<str>>(name: &str, label: &str, values: impl IntoIterator<Item = Option<T>>) -> Column {
        let mut builder = StringBuilder::new();
        values.into_iter().for_each(|value| builder.append_option(value));
        Column::new(name, "", label, Arc::new(builder.finish()))
    }

    /// Yes or no.
    pub fn switches(name: &str, label: &str, values: impl IntoIterator<Item = Option<bool>>) -> Column {
        let mut builder = BooleanBuilder::new();
        values.into_iter().for_each(|value| builder.append_option(value));
        Column::new(name, "", label, Arc::new(builder.finish()))
    }

    /// The values of a key, for rows of these hosts: of the kind that all of them have, else texts. A null is no value.
    pub fn key((name, unit, label, values): &Key, hosts: &[usize]) -> Column {
        let parsed: Vec<serde_json::Value> =
            values.iter().map(|json| serde_json::from_str(json).unwrap_or(serde_json::Value::Null)).collect();
        let of = |host: &usize| parsed.get(*host);
        let all = |is: fn(&serde_json::Value) -> bool| parsed.iter().all(|value| value.is_null() || is(value));
        if all(serde_json::Value::is_boolean) {
            return Column::switches(name, label, hosts.iter().map(|host| of(host)?.as_bool()));
        }
        if all(serde_json::Value::is_u64) {
            return Column::counts(name, unit, label, hosts.iter().map(|host| of(host)?.as_u64()));
        }
        if all(serde_json::Value::is_number) {
            return Column::numbers(name, unit, label, hosts.iter().map(|host| of(host)?.as_f64()));
        }
        let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Column::texts(name, label, hosts.iter().map(|host| of(host).filter(|value| !value.is_null()).map(text)))
    }

    fn new(name: &str, unit: &str, label: &str, values: ArrayRef) -> Column {
        Column { name: name.into(), unit: unit.into(), label: label.into(), values }
    }
}

/// Columns of equal length, each with its unit and its label.
#[pyclass(frozen, module = "zvmlab._native")]
pub struct Columns {
    batch: RecordBatch,
}

impl Columns {
    /// The table of these columns.
    ///
    /// # Errors
    /// Columns of different lengths, which are a fault of ours.
    pub fn new(columns: Vec<Column>) -> PyResult<Columns> {
        let mut fields = Vec::new();
        let mut arrays = Vec::new();
        for Column { name, unit, label, values } in columns {
            let words = HashMap::from([("unit".into(), unit), ("label".into(), label)]);
            fields.push(Field::new(name, values.data_type().clone(), true).with_metadata(words));
            arrays.push(values);
        }
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays);
        Ok(Columns { batch: batch.map_err(|error| problems::of_bug(&error.to_string()))? })
    }
}

#[pymethods]
impl Columns {
    /// The schema, as Arrow's PyCapsule interface has it.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema().as_ref());
        PyCapsule::new_with_value(py, schema.map_err(|error| problems::of_bug(&error.to_string()))?, c"arrow_schema")
    }

    /// The table as one struct array. A schema asked for is left aside, as the interface allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        drop(requested_schema);
        let data = StructArray::from(self.batch.clone()).into_data();
        let (array, _) = to_ffi(&data).map_err(|error| problems::of_bug(&error.to_string()))?;
        Ok((self.__arrow_c_schema__(py)?, PyCapsule::new_with_value(py, array, c"arrow_array")?))
    }

    /// The table as a stream of one batch.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }

    /// Names, units and labels of the columns.
    fn heads(&self) -> Vec<(String, String, String)> {
        let word = |field: &Field, name: &str| field.metadata().get(name).cloned().unwrap_or_default();
        let schema = self.batch.schema();
        schema.fields().iter().map(|field| (field.name().clone(), word(field, "unit"), word(field, "label"))).collect()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// The values of a column as a list.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let column = self.batch.column_by_name(name).ok_or_else(|| {
            let names: Vec<String> = self.heads().into_iter().map(|(name, ..)| name).collect();
            PyKeyError::new_err(format!("{name}: there is no such column; the columns are {}", names.join(", ")))
        })?;
        let any = column.as_any();
        if let Some(numbers) = any.downcast_ref::<Float64Array>() {
            return numbers.iter().collect::<Vec<_>>().into_pyobject(py);
        }
        if let Some(counts) = any.downcast_ref::<UInt64Array>() {
            return counts.iter().collect::<Vec<_>>().into_pyobject(py);
        }
        if let Some(switches) = any.downcast_ref::<BooleanArray>() {
            return switches.iter().collect::<Vec<_>>().into_pyobject(py);
        }
        match any.downcast_ref::<StringArray>() {
            Some(texts) => texts.iter().collect::<Vec<_>>().into_pyobject(py),
            None => Err(problems::of_bug(&format!("a column of {}", column.data_type()))),
        }
    }

    /// Whether a column holds numbers.
    fn is_number(&self, name: &str) -> bool {
        let field = self.batch.column_by_name(name).map(|column| column.data_type().clone());
        matches!(field, Some(DataType::Float64 | DataType::UInt64))
    }
}
