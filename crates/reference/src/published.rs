//! Published sources: their runs with the figures as printed, and the scenario that reproduces each run.

mod alike;
mod file;
mod text;

use std::sync::OnceLock;

pub use file::{Excluded, ExcludedRow, Kind, Machine, Source, VolumeInterval, VolumeLog};
use zvmlab::measurement::Figure;
use zvmlab::scenario::Scenario;

/// Every file of `data/`, in the order of the menus, as `build.rs` has written them.
static FILES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sources"));

/// One source with all its runs.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Its name in files: `paging-6.4`.
    pub id: String,
    /// Its subject in a few words: a menu entry.
    pub title: String,
    /// Where the figures were published.
    pub source: Source,
    /// What every run was measured on.
    pub machine: Machine,
    /// What had to be assumed to reproduce every run.
    pub assumption: Option<String>,
    /// Whether its hosts were chosen by hand: the source tells how hosts behave, but describes none.
    pub chosen_hosts: bool,
    /// The runs, in the order of the tables.
    pub runs: Vec<Run>,
    /// The changes from one run to another that the source states.
    pub ratios: Vec<Ratio>,
    /// The source's claims about which runs have less of a figure than others.
    pub orders: Vec<Order>,
    /// The log of single volumes, interval by interval.
    pub volume_logs: Vec<VolumeLog>,
    /// Printed rows that cannot be trusted, so that no figure comes from them.
    pub excluded: Vec<Excluded>,
}

/// One published run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The id of its source.
    pub source_id: String,
    /// The run id, as printed.
    pub id: String,
    /// What distinguishes the run, in a few words: a menu entry.
    pub title: String,
    /// The level of CP, as printed.
    pub cp_level: String,
    /// The tables that print the run.
    pub tables: String,
    /// The publication that prints the run, title and publisher, if it is not the source's.
    pub publication: Option<String>,
    /// The settings, as printed.
    pub settings: String,
    /// The date of the measurement, where the source prints it.
    pub date: Option<String>,
    /// The assumptions that reproducing it needs, beyond those for every run of the source.
    pub assumption: Option<String>,
    /// What a reader should know before using the run's figures.
    pub caution: Option<String>,
    /// The scenario that reproduces it; its name is the run id.
    pub scenario: Scenario,
    /// The figures, in the order of the tables.
    pub figures: Vec<PublishedFigure>,
}

impl Kind {
    /// The kind as a word: `fitted`, `predicted`, `not_validated`.
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
    /// Which figure; it gives label and unit.
    pub figure: Figure,
    /// The value as printed.
    pub printed: String,
    /// The value as a number, in the figure's unit.
    pub value: f64,
    /// The value as the reader sees it in the figure's unit: as printed, unless the source prints another unit.
    pub shown: String,
    /// The table or tables that print it, or that print the figures it is derived from: `tables 1 and 5`.
    pub table: String,
    /// The arithmetic, if the figure is derived and not printed.
    pub derived: Option<String>,
    /// How the figure may be used.
    pub kind: Kind,
    /// How far the model's mean may be off; absent where the figure is not judged.
    pub tolerance: Option<Tolerance>,
    /// Why the figure is not judged.
    pub reason: Option<String>,
    /// Why the model is known to lie outside the tolerance.
    pub known_difference: Option<String>,
    /// Where to find it, for the reader: title, table, run id, and the arithmetic if it is derived.
    pub source: String,
}

/// The change of a figure from one run to another, as a source states it. The verdict goes by its sign and, where the data
/// give a tolerance, by its size.
#[derive(Clone, Debug)]
pub struct Ratio {
    /// The id of its source.
    pub source_id: String,
    /// Which figure.
    pub figure: Figure,
    /// The id of the run from which the change is counted.
    pub from: String,
    /// The id of the run to which it is counted.
    pub to: String,
    /// The change as printed: `About 35% increase in I/O rate`.
    pub printed: String,
    /// The change in percent; of a printed range, the end that is nearer to no change.
    pub least_percent: f64,
    /// The other end of the range; the same where a single number is printed.
    pub most_percent: f64,
    /// Predicted, unless all figures that it follows from are fitted, or it is only shown.
    pub kind: Kind,
    /// How far the model's change may lie outside the published range, in percentage points; `None` if only the sign counts.
    pub within_points: Option<f64>,
    /// Why the model is known to lie outside.
    pub known_difference: Option<String>,
    /// A note for the reader.
    pub note: Option<String>,
    /// Where to find it, for the reader.
    pub source: String,
}

/// A source's claim about which of two runs has less of a figure, where it gives no figures or they are lost. It is judged
/// over the seeds.
#[derive(Clone, Debug)]
pub struct Order {
    /// The id of its source.
    pub source_id: String,
    /// Which figure.
    pub figure: Figure,
    /// The id of the run that has less of it.
    pub less: String,
    /// The id of the run that has more.
    pub more: String,
    /// The claim, in the source's words.
    pub printed: String,
    /// Whether the source calls the difference large; the intervals of the two runs must not overlap then.
    pub substantial: bool,
    /// By how many percent the second must have more, at least, where less would mean nothing.
    pub more_by: Option<f64>,
    /// Where the source claims that neither has less: by how many percent the second may differ from the first.
    pub same_within: Option<f64>,
    /// Fitted if a constant, or the guests, whose settings are not published, may have been chosen with it in view.
    pub kind: Kind,
    /// Why the model is known not to have this order.
    pub known_difference: Option<String>,
    /// A note for the reader.
    pub note: Option<String>,
    /// Where to find it, for the reader.
    pub source: String,
}

/// Every source, in the order of the menus.
///
/// # Panics
/// When the data built into the program is broken, which the tests of this crate rule out.
pub fn sources() -> &'static [Reference] {
    static SOURCES: OnceLock<Vec<Reference>> = OnceLock::new();
    SOURCES.get_or_init(|| match built_in() {
        Ok(sources) => sources,
        Err(message) => panic!("the built-in reference data is broken: {message}"),
    })
}

/// The files as `build.rs` has written them.
fn built_in() -> Result<Vec<Reference>, String> {
    let files: Vec<file::FileText> = borsh::from_slice(FILES).map_err(|error| error.to_string())?;
    files.into_iter().map(text::checked).collect()
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

/// The published run with this configuration, if there is one. Names, the way of measuring, and fields that make no
/// difference to the host are not part of a configuration.
pub fn run_like(scenario: &Scenario) -> Option<&'static Run> {
    static CONFIGURATIONS: OnceLock<Vec<OnceLock<Scenario>>> = OnceLock::new();
    let published = CONFIGURATIONS.get_or_init(|| runs().map(|_| OnceLock::new()).collect());
    let may_be = |run: &Run| alike::may_be_alike(&run.scenario, scenario);
    let mut candidates = runs().zip(published).filter(|(run, _)| may_be(run)).peekable();
    candidates.peek()?;
    let wanted = alike::configuration(scenario);
    let is_it = |run: &Run, own: &OnceLock<Scenario>| *own.get_or_init(|| alike::configuration(&run.scenario)) == wanted;
    candidates.find(|(run, own)| is_it(run, own)).map(|(run, _)| run)
}

/// The source of a run of [`runs`].
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
    /// The first error in it, naming run and figure.
    pub fn parse(text: &str) -> Result<Reference, String> {
        text::checked(file::read(text)?)
    }

    /// The run of this source with this id.
    pub fn run(&self, id: &str) -> Option<&Run> {
        self.runs.iter().find(|run| run.id == id)
    }

    /// The printed rows of `run` that cannot be trusted.
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
