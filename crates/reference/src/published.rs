//! What was published: runs, their figures as printed, and the scenario that reproduces each run.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use zvmlab::measurement::Figure;
use zvmlab::scenario::{GuestGroup, Scenario};

/// Tables 1 to 5 of "z/VM Paging Improvements" and the volume log of table 3.
const PAGING_6_4: &str = include_str!("../data/paging-6.4.toml");

/// One source with all its runs.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Where the figures were published.
    pub source: Source,
    /// What every run was measured on.
    pub machine: Machine,
    /// The runs, in the order of the tables.
    pub runs: Vec<Run>,
    /// The log of single volumes, interval by interval.
    pub volume_logs: Vec<VolumeLog>,
    /// What the source prints but cannot be trusted, so that no figure stands for it.
    pub excluded: Vec<Excluded>,
}

/// Where the figures were published.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Title of the page.
    pub title: String,
    /// The report that the page belongs to.
    pub report: String,
    /// The tables taken from it.
    pub tables: String,
    /// Which figures are derived from what is printed.
    pub not_printed: String,
}

/// What every run was measured on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Machine type and model, as printed.
    pub type_and_model: String,
    /// The partition, in words.
    pub description: String,
    /// The storage server that holds the paging volumes.
    pub storage_server: String,
    /// The guests and what they run.
    pub workload: String,
}

/// One published run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The run id, as printed.
    pub id: String,
    /// What sets the run apart, in a few words: a menu entry.
    pub title: String,
    /// The level of CP, as printed.
    pub cp_level: String,
    /// The tables in which the run stands.
    pub tables: String,
    /// The settings, as printed.
    pub settings: String,
    /// When it was measured, where the source prints that.
    pub date: Option<String>,
    /// What had to be assumed to reproduce it.
    pub assumption: Option<String>,
    /// What a reader should know before relying on the run's figures.
    pub caution: Option<String>,
    /// The scenario that reproduces it; its name is the run id.
    pub scenario: Scenario,
    /// The figures, in the order of the tables.
    pub figures: Vec<PublishedFigure>,
}

/// How a figure may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A constant of the model was, or may have been, chosen with the figure in view.
    Fitted,
    /// Nothing was tuned on the figure.
    Predicted,
    /// Shown, but not judged.
    NotValidated,
}

impl Kind {
    /// The word for it: `fitted`, `predicted`, `not_validated`.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Fitted => "fitted",
            Kind::Predicted => "predicted",
            Kind::NotValidated => "not_validated",
        }
    }
}

/// One figure of one run.
#[derive(Clone, Debug)]
pub struct PublishedFigure {
    /// Which figure; it brings label and unit.
    pub figure: Figure,
    /// The value as printed.
    pub printed: String,
    /// The value as a number, in the figure's unit.
    pub value: f64,
    /// The table or tables that print it, or print what it is derived from: `tables 1 and 5`.
    pub table: String,
    /// The arithmetic, where the figure is derived and not printed.
    pub derived: Option<String>,
    /// How the figure may be used.
    pub kind: Kind,
    /// How far the model's mean may be off, in percent of the published value; absent where the figure is not judged.
    pub tolerance_percent: Option<f64>,
    /// Why the figure is not judged.
    pub reason: Option<String>,
    /// Why the model is known to be outside the tolerance.
    pub known_difference: Option<String>,
}

/// The log of one volume in one run.
#[derive(Clone, Debug, Deserialize)]
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
#[derive(Clone, Debug, Deserialize)]
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
#[derive(Clone, Debug, Deserialize)]
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
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExcludedRow {
    /// The row's name, as printed.
    pub row: String,
    /// The value, as printed.
    pub printed: String,
}

/// The published paging runs of the z/VM 6.4 report.
///
/// # Panics
/// When the data built into the program is broken, which the tests of this crate rule out.
pub fn reference() -> &'static Reference {
    static REFERENCE: OnceLock<Reference> = OnceLock::new();
    REFERENCE.get_or_init(|| match Reference::parse(PAGING_6_4) {
        Ok(reference) => reference,
        Err(message) => panic!("the built-in reference data is broken: {message}"),
    })
}

impl Reference {
    /// Reads a data file.
    ///
    /// # Errors
    /// The first thing that is wrong with it, naming run and figure.
    pub fn parse(text: &str) -> Result<Reference, String> {
        let file: FileText = toml::from_str(text).map_err(|error| error.to_string())?;
        let runs = file.run.into_iter().map(|run| run.read(&file.scenario)).collect::<Result<Vec<Run>, String>>()?;
        Ok(Reference {
            source: file.source,
            machine: file.machine,
            runs,
            volume_logs: file.volume_log,
            excluded: file.excluded,
        })
    }

    /// The run with this id.
    pub fn run(&self, id: &str) -> Option<&Run> {
        self.runs.iter().find(|run| run.id == id)
    }

    /// The published run that has this configuration, if one has. Names and the way of measuring are no part of a
    /// configuration, nor is the size of a volume, which is not published.
    pub fn run_like(&self, scenario: &Scenario) -> Option<&Run> {
        let wanted = configuration(scenario);
        self.runs.iter().find(|run| configuration(&run.scenario) == wanted)
    }

    /// Where a figure stands, for people: title, table, run id, and the arithmetic where it is derived.
    pub fn source_of(&self, run: &Run, figure: &PublishedFigure) -> String {
        let derived = figure.derived.as_ref().map(|how| format!("; derived: {how}")).unwrap_or_default();
        format!("{}, {}, run {}{derived}", self.source.title, figure.table, run.id)
    }
}

impl Run {
    /// The published figure of this kind, if the run has one.
    pub fn figure(&self, figure: Figure) -> Option<&PublishedFigure> {
        self.figures.iter().find(|published| published.figure == figure)
    }
}

/// The scenario without what does not make a configuration; guests that are alike are one group.
fn configuration(scenario: &Scenario) -> Scenario {
    let mut guests: Vec<GuestGroup> = Vec::new();
    for group in &scenario.guests {
        let nameless = GuestGroup { name: String::new(), ..group.clone() };
        match guests.iter_mut().find(|other| GuestGroup { count: nameless.count, ..(*other).clone() } == nameless) {
            Some(other) => other.count = other.count.saturating_add(nameless.count),
            None => guests.push(nameless),
        }
    }
    guests.sort_by_key(|group| (group.virtual_mb, group.loop_mb, group.change_percent));
    let mut bare = Scenario { name: String::new(), guests, measure: Scenario::default().measure, ..scenario.clone() };
    bare.paging.volume_slots = Scenario::default().paging.volume_slots;
    bare
}

/// The data file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText {
    source: Source,
    machine: Machine,
    scenario: toml::Table,
    run: Vec<RunText>,
    volume_log: Vec<VolumeLog>,
    excluded: Vec<Excluded>,
}

/// A run as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunText {
    id: String,
    title: String,
    cp_level: String,
    tables: String,
    settings: String,
    date: Option<String>,
    assumption: Option<String>,
    caution: Option<String>,
    scenario: toml::Table,
    figures: Vec<FigureText>,
}

/// A figure as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FigureText {
    figure: String,
    published: String,
    table: String,
    derived: Option<String>,
    kind: Kind,
    tolerance_percent: Option<f64>,
    reason: Option<String>,
    known_difference: Option<String>,
}

impl RunText {
    fn read(self, shared: &toml::Table) -> Result<Run, String> {
        let id = self.id;
        let mut table = shared.clone();
        table.insert("name".into(), id.clone().into());
        table.extend(self.scenario);
        let scenario = Scenario::parse(&table.to_string()).map_err(|error| format!("{id}: scenario: {error}"))?;
        let mut figures: Vec<PublishedFigure> = Vec::new();
        for text in self.figures {
            let place = format!("{id}: {}", text.figure);
            let figure = text.read().map_err(|message| format!("{place}: {message}"))?;
            if figures.iter().any(|other| other.figure == figure.figure) {
                return Err(format!("{place}: stands there twice"));
            }
            figures.push(figure);
        }
        Ok(Run {
            id,
            title: self.title,
            cp_level: self.cp_level,
            tables: self.tables,
            settings: self.settings,
            date: self.date,
            assumption: self.assumption,
            caution: self.caution,
            scenario,
            figures,
        })
    }
}

impl FigureText {
    fn read(self) -> Result<PublishedFigure, String> {
        let figure = Figure::from_id(&self.figure).ok_or("there is no such figure")?;
        let value: f64 = self.published.parse().map_err(|_| format!("\"{}\" is not a number", self.published))?;
        if !(value.is_finite() && value > 0.0) {
            return Err(format!("\"{}\" given; an error in percent needs a figure above 0", self.published));
        }
        match (self.kind, self.tolerance_percent, &self.reason, &self.known_difference) {
            (Kind::NotValidated, None, Some(_), None) => {}
            (Kind::NotValidated, ..) => {
                return Err("a figure that is not validated has a reason, and nothing to judge it by".into());
            }
            (_, Some(tolerance), None, _) if tolerance.is_finite() && tolerance > 0.0 => {}
            _ => return Err("a figure that is judged has a tolerance above 0, and no reason not to be".into()),
        }
        Ok(PublishedFigure {
            figure,
            printed: self.published,
            value,
            table: self.table,
            derived: self.derived,
            kind: self.kind,
            tolerance_percent: self.tolerance_percent,
            reason: self.reason,
            known_difference: self.known_difference,
        })
    }
}
