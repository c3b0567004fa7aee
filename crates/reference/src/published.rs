//! What was published: sources, their runs with the figures as printed, and the scenario that reproduces each run.

mod alike;
mod file;
mod text;

use std::sync::OnceLock;

pub use file::{Excluded, ExcludedRow, Kind, Machine, Source, VolumeInterval, VolumeLog};
use zvmlab::measurement::Figure;
use zvmlab::scenario::Scenario;

/// The files of `data/` as `build.rs` has read them, in the order of the menus.
const FILES: [&[u8]; 7] = [
    include_bytes!(concat!(env!("OUT_DIR"), "/paging-6.4")),
    include_bytes!(concat!(env!("OUT_DIR"), "/alias-share-6.4")),
    include_bytes!(concat!(env!("OUT_DIR"), "/guest-zhpf-6.2")),
    include_bytes!(concat!(env!("OUT_DIR"), "/ssd-deck")),
    include_bytes!(concat!(env!("OUT_DIR"), "/excess-share-6.2")),
    include_bytes!(concat!(env!("OUT_DIR"), "/diag44-5.2")),
    include_bytes!(concat!(env!("OUT_DIR"), "/relocation-6.2")),
];

/// One source with all its runs.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Its name in files: `paging-6.4`.
    pub id: String,
    /// What it is about, in a few words: a menu entry.
    pub title: String,
    /// Where the figures were published.
    pub source: Source,
    /// What every run was measured on.
    pub machine: Machine,
    /// What had to be assumed to reproduce every run.
    pub assumption: Option<String>,
    /// The runs, in the order of the tables.
    pub runs: Vec<Run>,
    /// What the source says of one run against another.
    pub ratios: Vec<Ratio>,
    /// Which runs the source says have less of a figure than others.
    pub orders: Vec<Order>,
    /// The log of single volumes, interval by interval.
    pub volume_logs: Vec<VolumeLog>,
    /// What the source prints but cannot be trusted, so that no figure stands for it.
    pub excluded: Vec<Excluded>,
}

/// One published run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The id of the source that it stands in.
    pub source_id: String,
    /// The run id, as printed.
    pub id: String,
    /// What sets the run apart, in a few words: a menu entry.
    pub title: String,
    /// The level of CP, as printed.
    pub cp_level: String,
    /// The tables in which the run stands.
    pub tables: String,
    /// The publication in which the run stands, title and publisher, where it is another than the source's.
    pub publication: Option<String>,
    /// The settings, as printed.
    pub settings: String,
    /// When it was measured, where the source prints that.
    pub date: Option<String>,
    /// What had to be assumed to reproduce it, beyond what holds for every run of the source.
    pub assumption: Option<String>,
    /// What a reader should know before relying on the run's figures.
    pub caution: Option<String>,
    /// The scenario that reproduces it; its name is the run id.
    pub scenario: Scenario,
    /// The figures, in the order of the tables.
    pub figures: Vec<PublishedFigure>,
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

/// How far the model's mean may be off a published figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// In percent of the published value.
    Percent(f64),
    /// In the unit of the figure.
    Absolute(f64),
}

impl Tolerance {
    /// Whether `model` lies within the tolerance of `published`.
    pub fn admits(self, published: f64, model: f64) -> bool {
        match self {
            Tolerance::Percent(percent) => ((model - published) / published * 100.0).abs() <= percent,
            Tolerance::Absolute(most) => (model - published).abs() <= most,
        }
    }

    /// The tolerance in percent of `published`.
    pub fn percent_of(self, published: f64) -> f64 {
        match self {
            Tolerance::Percent(percent) => percent,
            Tolerance::Absolute(most) => most / published * 100.0,
        }
    }
}

impl std::fmt::Display for Tolerance {
    /// `8 %`, or `0.15` in the unit of the figure.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Tolerance::Percent(percent) => write!(f, "{percent} %"),
            Tolerance::Absolute(most) => write!(f, "{most}"),
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
    /// The value as people should read it in the figure's unit: as printed, but where the source prints another unit.
    pub shown: String,
    /// The table or tables that print it, or print what it is derived from: `tables 1 and 5`.
    pub table: String,
    /// The arithmetic, where the figure is derived and not printed.
    pub derived: Option<String>,
    /// How the figure may be used.
    pub kind: Kind,
    /// How far the model's mean may be off; absent where the figure is not judged.
    pub tolerance: Option<Tolerance>,
    /// Why the figure is not judged.
    pub reason: Option<String>,
    /// Why the model is known to be outside the tolerance.
    pub known_difference: Option<String>,
    /// Where it stands, for people: title, table, run id, and the arithmetic where it is derived.
    pub source: String,
}

/// What a source says of a figure in one run against another. It is judged by its sign and, where the data give a bar, by its
/// size.
#[derive(Clone, Debug)]
pub struct Ratio {
    /// The id of the source that it stands in.
    pub source_id: String,
    /// Which figure.
    pub figure: Figure,
    /// The run id from which the change is counted.
    pub from: String,
    /// The run id to which it is counted.
    pub to: String,
    /// The change as printed: `About 35% increase in I/O rate`.
    pub printed: String,
    /// The change in percent; the end nearer to no change, where a range is printed.
    pub least_percent: f64,
    /// The other end of the range; the same where a single number is printed.
    pub most_percent: f64,
    /// Predicted, unless all figures that it follows from are fitted, or it is only shown.
    pub kind: Kind,
    /// How far the model's change may lie outside the published range, in percentage points; without, only the sign counts.
    pub within_points: Option<f64>,
    /// Why the model is known to be outside.
    pub known_difference: Option<String>,
    /// What a reader should know of it.
    pub note: Option<String>,
    /// Where it stands, for people.
    pub source: String,
}

/// What a source says of two runs where it gives no figures, or none that are left: which has less of a figure. It is judged
/// over the seeds.
#[derive(Clone, Debug)]
pub struct Order {
    /// The id of the source that it stands in.
    pub source_id: String,
    /// Which figure.
    pub figure: Figure,
    /// The run id that has less of it.
    pub less: String,
    /// The run id that has more.
    pub more: String,
    /// What the source says.
    pub printed: String,
    /// Whether the source calls the difference a large one: then the runs' intervals may not overlap.
    pub substantial: bool,
    /// Fitted where a constant or the guests, of which nothing is published, may have been chosen with it in view.
    pub kind: Kind,
    /// Why the model is known not to have it so.
    pub known_difference: Option<String>,
    /// What a reader should know of it.
    pub note: Option<String>,
    /// Where it stands, for people.
    pub source: String,
}

/// Every source, in the order of the menus.
///
/// # Panics
/// When the data built into the program is broken, which the tests of this crate rule out.
pub fn sources() -> &'static [Reference] {
    static SOURCES: OnceLock<Vec<Reference>> = OnceLock::new();
    SOURCES.get_or_init(|| {
        let read = |bytes: &&[u8]| match built_in(bytes) {
            Ok(reference) => reference,
            Err(message) => panic!("the built-in reference data is broken: {message}"),
        };
        FILES.iter().map(read).collect()
    })
}

/// A file as `build.rs` has written it.
fn built_in(bytes: &[u8]) -> Result<Reference, String> {
    text::checked(borsh::from_slice(bytes).map_err(|error| error.to_string())?)
}

/// The source with this id.
pub fn source(id: &str) -> Option<&'static Reference> {
    sources().iter().find(|source| source.id == id)
}

/// The runs of all sources, in the order of the menus.
pub fn runs() -> impl Iterator<Item = &'static Run> {
    sources().iter().flat_map(|source| &source.runs)
}

/// The run with this id, whatever its source.
pub fn run(id: &str) -> Option<&'static Run> {
    runs().find(|run| run.id == id)
}

/// The published run that has this configuration, if one has: names and the way of measuring are no part of a
/// configuration, nor is what makes no difference to the host.
pub fn run_like(scenario: &Scenario) -> Option<&'static Run> {
    let wanted = alike::configuration(scenario);
    runs().find(|run| alike::configuration(&run.scenario) == wanted)
}

/// The source that a run of [`runs`] stands in.
///
/// # Panics
/// When `run` is of a data file that is not built in.
pub fn source_of(run: &Run) -> &'static Reference {
    source(&run.source_id).expect("a run of the built-in data names its source")
}

impl Reference {
    /// Reads a data file.
    ///
    /// # Errors
    /// The first thing that is wrong with it, naming run and figure.
    pub fn parse(text: &str) -> Result<Reference, String> {
        text::checked(file::read(text)?)
    }

    /// The run of this source with this id.
    pub fn run(&self, id: &str) -> Option<&Run> {
        self.runs.iter().find(|run| run.id == id)
    }

    /// What the source prints of `run` but cannot be trusted.
    pub fn excluded_of(&self, run: &Run) -> impl Iterator<Item = &Excluded> {
        self.excluded.iter().filter(|excluded| excluded.run == run.id)
    }
}

impl Run {
    /// The published figure of this kind, if the run has one.
    pub fn figure(&self, figure: Figure) -> Option<&PublishedFigure> {
        self.figures.iter().find(|published| published.figure == figure)
    }
}
