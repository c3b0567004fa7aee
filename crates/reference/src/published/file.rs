//! A data file as it is written. `build.rs`, which compiles this file too, reads the TOML when this crate is compiled; a
//! program reads the bytes that result. So a page that shows published figures need not know TOML.

#![allow(missing_docs, reason = "the keys of the data files; what they become in `published` says what they mean")]

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// The data file as it is written.
#[derive(Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct FileText {
    pub id: String,
    /// Its place among all files, in the order of the menus.
    #[serde(default)]
    pub place: u32,
    pub title: String,
    pub assumption: Option<String>,
    /// Whether the source tells how hosts behave, but describes none.
    #[serde(default)]
    pub chosen_hosts: bool,
    pub source: Source,
    pub machine: Machine,
    pub run: Vec<RunText>,
    #[serde(default)]
    pub ratio: Vec<RatioText>,
    #[serde(default)]
    pub order: Vec<OrderText>,
    #[serde(default)]
    pub volume_log: Vec<VolumeLog>,
    #[serde(default)]
    pub excluded: Vec<Excluded>,
}

/// A run as it is written.
#[derive(Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct RunText {
    pub id: String,
    pub title: String,
    pub cp_level: String,
    pub tables: String,
    pub publication: Option<String>,
    pub settings: String,
    pub date: Option<String>,
    pub assumption: Option<String>,
    pub caution: Option<String>,
    /// The whole scenario as text: what all runs share, overridden by what this run states.
    pub scenario: String,
    /// The scenario as bytes, once `build.rs` has read it. It takes a page a hundredth of the time of the text.
    #[serde(skip)]
    pub read: Option<Vec<u8>>,
    pub figures: Vec<FigureText>,
}

/// A figure as it is written.
#[derive(Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct FigureText {
    pub figure: String,
    pub published: String,
    /// How many places the decimal point moves from the printed unit to the figure's.
    #[serde(default)]
    pub decimal_shift: i32,
    pub table: String,
    pub derived: Option<String>,
    pub kind: Kind,
    pub tolerance_percent: Option<f64>,
    pub tolerance: Option<f64>,
    pub reason: Option<String>,
    pub known_difference: Option<String>,
}

/// The change of a figure from one run to another, as it is written.
#[derive(Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct RatioText {
    pub figure: String,
    pub from: String,
    pub to: String,
    pub published: String,
    /// One number, or the two ends of a range.
    pub percent: Vec<f64>,
    pub table: String,
    pub kind: Kind,
    pub within_points: Option<f64>,
    pub known_difference: Option<String>,
    pub note: Option<String>,
}

/// Which run has less of a figure than others, as it is written.
#[derive(Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderText {
    pub figure: String,
    pub less: String,
    /// The runs that have more.
    pub than: Vec<String>,
    pub published: String,
    #[serde(default)]
    pub substantial: bool,
    /// It has less by at least this many percent, not by chance.
    pub more_by: Option<f64>,
    /// Neither has less: the figures are the same, within this many percent.
    pub same_within: Option<f64>,
    pub table: String,
    pub kind: Kind,
    pub known_difference: Option<String>,
    pub note: Option<String>,
}

/// Where the figures were published.
#[derive(Clone, Debug, Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Title of the page.
    pub title: String,
    /// The report that the page belongs to.
    pub report: String,
    /// The tables taken from it.
    pub tables: String,
    /// Which figures are derived from printed ones.
    pub not_printed: String,
}

/// What every run was measured on.
#[derive(Clone, Debug, Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Machine type and model, as printed.
    pub type_and_model: String,
    /// The partition, in words.
    pub description: String,
    /// The storage server that holds the volumes.
    pub storage_server: String,
    /// The guests and what they run.
    pub workload: String,
}

/// How a figure may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A constant of the model was, or may have been, chosen with the figure in view.
    Fitted,
    /// Nothing was tuned on the figure.
    Predicted,
    /// Shown, but not judged.
    NotValidated,
}

/// The log of one volume in one run.
#[derive(Clone, Debug, Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeLog {
    /// The run id.
    pub run: String,
    /// Device number of the volume.
    pub volume: String,
    /// The intervals, as printed.
    pub intervals: Vec<VolumeInterval>,
}

/// One interval of a volume's log, as printed.
#[derive(Clone, Debug, Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeInterval {
    /// End of the interval.
    pub end: String,
    /// I/Os queued at the base device.
    pub b_qd: String,
    /// I/Os a second, base and aliases.
    pub t_ior: String,
    /// Percent busy, base and aliases.
    pub t_pbsy: String,
}

/// Rows of one column that the source prints but that cannot be trusted.
#[derive(Clone, Debug, Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct Excluded {
    /// The run id of the column.
    pub run: String,
    /// The table.
    pub table: String,
    /// Why the rows are left out.
    pub reason: String,
    /// The rows.
    pub rows: Vec<ExcludedRow>,
}

/// One row that cannot be trusted.
#[derive(Clone, Debug, Deserialize, BorshSerialize, BorshDeserialize)]
#[serde(deny_unknown_fields)]
pub struct ExcludedRow {
    /// The row's name, as printed.
    pub row: String,
    /// The value, as printed.
    pub printed: String,
}

/// Reads a data file.
///
/// # Errors
/// The first error in it.
pub fn read(text: &str) -> Result<FileText, String> {
    let mut file: Table = toml::from_str(text).map_err(|error| error.to_string())?;
    let Some(Value::Table(shared)) = file.remove("scenario") else { return Err("missing table `scenario`".into()) };
    for run in file.get_mut("run").and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(run) = run.as_table_mut() else { continue };
        let Some(Value::Table(own)) = run.remove("scenario") else {
            return Err("a run is missing its table `scenario`".into());
        };
        let mut whole = shared.clone();
        whole.extend(run.get("id").map(|id| ("name".to_string(), id.clone())));
        overlay(&mut whole, own);
        run.insert("scenario".into(), whole.to_string().into());
    }
    file.try_into().map_err(|error: toml::de::Error| error.to_string())
}

/// Overrides what all runs share with what a run states: tables field by field, anything else as a whole.
fn overlay(shared: &mut Table, own: Table) {
    for (key, value) in own {
        match (shared.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(value)) => overlay(inner, value),
            (_, value) => {
                shared.insert(key, value);
            }
        }
    }
}
