//! The constants of the model as Python names and changes them: what each may be, and a host's own ones.

use std::sync::{Arc, LazyLock};

use pyo3::prelude::*;
use serde_json::Value;
use zvmlab::constants::{Constant, Constants, TABLE};

use zvmlab_lab::words::problem::Told;

/// What a place of a constant begins with: `constants.touch_ns`.
pub const CONSTANTS: &str = "constants.";

/// How much smaller or larger than the model's own value a constant may be. Chosen: wide enough for other hardware, and narrow enough that a
/// host still works.
const FACTOR: f64 = 100.0;

/// The largest value of a time that the model has as zero, ns: 1 ms. Chosen.
const ZERO_TO: f64 = 1_000_000.0;

/// The constants of the model itself.
static OWN: LazyLock<Arc<Constants>> = LazyLock::new(|| Arc::new(Constants::default()));

/// The constants of a host: the model's own, but for those that were changed.
#[derive(Clone)]
pub struct Changed {
    /// All of them.
    pub all: Arc<Constants>,
    /// Those that were changed: place in the table and value, in the order of the table.
    changed: Vec<(usize, f64)>,
}

impl Default for Changed {
    fn default() -> Changed {
        Changed { all: OWN.clone(), changed: Vec::new() }
    }
}

impl PartialEq for Changed {
    fn eq(&self, other: &Changed) -> bool {
        self.changed == other.changed
    }
}

impl Changed {
    /// Sets the constant at a place to a value. One that has the model's own value is not a changed one.
    ///
    /// # Errors
    /// What is wrong with the place or the value.
    pub fn set(&mut self, place: &str, value: &Value) -> Result<(), Told> {
        let id = place.strip_prefix(CONSTANTS).unwrap_or(place);
        let told = |allowed, message| Told { field: place.into(), given: Some(value.clone()), allowed, message };
        let Some((index, constant)) = TABLE.iter().enumerate().find(|(_, constant)| constant.id == id) else {
            return Err(told(None, "there is no such constant: zvmlab.constants() lists them".into()));
        };
        let (low, high) = range(constant);
        let whole = if is_whole(constant) { "a whole number" } else { "a number" };
        let number = value.as_f64().filter(|number| (low..=high).contains(number));
        let Some(number) = number.filter(|number| !is_whole(constant) || number.fract() == 0.0) else {
            let allowed = format!("{whole} from {low} to {high} {}", constant.unit);
            let message = format!("{value} given, {allowed} is allowed");
            return Err(told(Some(allowed), message));
        };
        (constant.set)(Arc::make_mut(&mut self.all), number);
        self.changed.retain(|(other, _)| *other != index);
        if number != (constant.get)(&OWN) {
            self.changed.push((index, number));
            self.changed.sort_by_key(|(index, _)| *index);
        }
        Ok(())
    }

    /// Name and value of each changed one.
    pub fn pairs(&self) -> Vec<(&'static str, f64)> {
        self.changed.iter().map(|&(index, value)| (TABLE[index].id, value)).collect()
    }

    /// Whether none is changed.
    pub fn is_own(&self) -> bool {
        self.changed.is_empty()
    }

    /// The changed ones in words, for the line of a host.
    pub fn words(&self) -> String {
        self.pairs().iter().map(|(id, value)| format!("; {id} {value}")).collect()
    }
}

/// Whether a constant counts things.
fn is_whole(constant: &Constant) -> bool {
    let mut moved = (**OWN).clone();
    (constant.set)(&mut moved, (constant.get)(&OWN) + 0.25);
    (constant.get)(&moved) == (constant.get)(&OWN)
}

/// What a constant may be, both ends included.
fn range(constant: &Constant) -> (f64, f64) {
    let value = (constant.get)(&OWN);
    let (low, high) = match value {
        0.0 => (0.0, ZERO_TO),
        _ => (value / FACTOR, value * FACTOR),
    };
    if is_whole(constant) {
        let mut moved = (**OWN).clone();
        (constant.set)(&mut moved, high);
        // A small kind of number ends before.
        return (low.ceil().max(1.0), (constant.get)(&moved));
    }
    let most = if constant.unit.starts_with("part") { 1.0 } else { f64::INFINITY };
    (low, high.min(most))
}

/// Every constant: name, unit, meaning, source, the model's own value, lowest and highest value, and whether it counts things.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "a row of a table, which Python takes apart")]
pub fn constants() -> Vec<(&'static str, &'static str, &'static str, &'static str, f64, f64, f64, bool)> {
    let row = |constant: &Constant| {
        let (low, high) = range(constant);
        let value = (constant.get)(&OWN);
        (constant.id, constant.unit, constant.meaning, constant.source, value, low, high, is_whole(constant))
    };
    TABLE.iter().map(row).collect()
}
