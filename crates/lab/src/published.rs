//! The published runs, as the page shows them. Only this part of the page knows the crate of reference measurements.

pub mod compared;
pub mod memo;
pub mod ready;

use zvmlab::{Figure, Measurement, Scenario};
use zvmlab_reference::{OrderRow, RatioRow, Row, compare, compare_order, compare_ratio, source_of};

use crate::published::memo::Memo;

/// A source with published runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedSource {
    /// Its name in the page: `paging-6.4`.
    pub id: &'static str,
    /// Its subject, in a few words.
    pub title: &'static str,
    /// The tables taken from it.
    pub tables: &'static str,
    /// The document that it is, and where that stands.
    pub document: String,
}

/// A run that IBM published, with its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedRun {
    /// The id of its source.
    pub source_id: String,
    /// The run id of the source: `V4DVY000`.
    pub id: String,
    /// Its particular setting, in a few words.
    pub title: String,
    /// The machine of the measurement, as printed, and what had to be assumed to reproduce it.
    pub about: Vec<(&'static str, String)>,
    /// Notes for the reader about its figures, each a sentence or two.
    pub remarks: Vec<String>,
    /// The scenario that stands for it.
    pub scenario: Scenario,
    /// Its figures.
    pub figures: Vec<PublishedFigure>,
}

/// One published figure.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedFigure {
    /// Which figure.
    pub figure: Figure,
    /// Its value as printed, in the unit of the figure.
    pub value: f64,
    /// The same as the reader sees it.
    pub shown: String,
    /// How it was used.
    pub kind: Kind,
    /// Error in percent up to which the model passes; none if the figure is not judged.
    pub tolerance_pct: Option<f64>,
    /// Title and table of the source.
    pub source: String,
    /// Why the model is known to differ, or why the figure is not judged.
    pub note: Option<String>,
}

/// Printed values are numbers, so a run is the same as itself: where two share it, nothing need be compared.
impl Eq for PublishedRun {}

/// How a published figure was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A constant of the model was chosen with it in view.
    Fitted,
    /// Nothing was tuned on it.
    Predicted,
    /// Shown, and not judged.
    NotValidated,
}

impl PublishedRun {
    /// The value of `figure`, where the run has it.
    pub fn value(&self, figure: Figure) -> Option<f64> {
        self.figures.iter().find(|published| published.figure == figure).map(|published| published.value)
    }
}

/// Every source, in the order of the menus.
pub fn sources() -> Vec<PublishedSource> {
    let source = |reference: &'static zvmlab_reference::Reference| PublishedSource {
        id: &reference.id,
        title: &reference.title,
        tables: &reference.source.tables,
        document: [&*reference.source.title, &*reference.source.report].join(", "),
    };
    zvmlab_reference::sources().iter().map(source).collect()
}

/// The id of the source in which the run `id` stands.
pub fn source_id(id: &str) -> Option<&'static str> {
    stored(id).map(|run| run.source_id.as_str())
}

/// The scenario of the run `id`.
pub fn scenario_of(id: &str) -> Option<Scenario> {
    stated(id).cloned()
}

/// The same, to look at.
pub fn stated(id: &str) -> Option<&'static Scenario> {
    stored(id).map(|run| &run.scenario)
}

/// What was published of a figure of the run `id`.
pub fn value_of(id: &str, figure: Figure) -> Option<f64> {
    stored(id).and_then(|published| run(published).value(figure))
}

/// Changes from one run to another: what a source says, and what the model says. `measurements` has those of a run, in the order
/// of their seeds.
pub fn ratio_rows<'a>(source: &str, measurements: impl Fn(&str) -> &'a [Measurement]) -> Vec<RatioRow> {
    let ratios = zvmlab_reference::source(source).map(|reference| reference.ratios.as_slice()).unwrap_or_default();
    let of = |id: &str| measurements(id).iter().collect::<Vec<_>>();
    ratios.iter().map(|ratio| compare_ratio(ratio, &of(&ratio.from), &of(&ratio.to))).collect()
}

/// Which of two runs has less of a figure: what a source says, and what the model says. `measurements` as above.
pub fn order_rows<'a>(source: &str, measurements: impl Fn(&str) -> &'a [Measurement]) -> Vec<OrderRow> {
    let orders = zvmlab_reference::source(source).map(|reference| reference.orders.as_slice()).unwrap_or_default();
    let of = |id: &str| measurements(id).iter().collect::<Vec<_>>();
    orders.iter().map(|order| compare_order(order, &of(&order.less), &of(&order.more))).collect()
}

/// Every published run, in the order of the sources.
pub fn runs() -> Vec<PublishedRun> {
    zvmlab_reference::runs().map(run).collect()
}

/// Figures of the table that the comparison leaves out, and why.
fn unused(excluded: &zvmlab_reference::published::Excluded) -> String {
    let rows: Vec<String> = excluded.rows.iter().map(|row| format!("{} {}", row.row, row.printed)).collect();
    format!("Printed in {} but not used here: {}. The reason: {}.", excluded.table, rows.join(", "), excluded.reason)
}

fn run(run: &zvmlab_reference::Run) -> PublishedRun {
    let reference = source_of(run);
    let (source, machine) = (&reference.source, &reference.machine);
    let mut about = vec![
        (
            "Source",
            match &run.publication {
                Some(publication) => format!("{publication}, {}", run.tables),
                None => format!("{}, {}, {}", source.title, source.report, run.tables),
            },
        ),
        ("Machine", format!("{}: {}", machine.type_and_model, machine.description)),
        ("Storage server", machine.storage_server.clone()),
        ("Level", format!("z/VM {}", run.cp_level)),
        ("Workload", machine.workload.clone()),
        ("Settings", run.settings.clone()),
    ];
    about.extend(run.date.clone().map(|date| ("Date", date)));
    let mut remarks: Vec<String> =
        [&reference.assumption, &run.assumption, &run.caution].into_iter().flatten().cloned().collect();
    remarks.extend(reference.excluded_of(run).map(unused));
    PublishedRun {
        source_id: run.source_id.clone(),
        id: run.id.clone(),
        title: run.title.clone(),
        about,
        remarks,
        scenario: run.scenario.clone(),
        figures: run.figures.iter().map(published_figure).collect(),
    }
}

fn published_figure(figure: &zvmlab_reference::PublishedFigure) -> PublishedFigure {
    PublishedFigure {
        figure: figure.figure,
        value: figure.value,
        shown: figure.shown.clone(),
        kind: match figure.kind {
            zvmlab_reference::Kind::Fitted => Kind::Fitted,
            zvmlab_reference::Kind::Predicted => Kind::Predicted,
            zvmlab_reference::Kind::NotValidated => Kind::NotValidated,
        },
        tolerance_pct: figure.tolerance.map(|tolerance| tolerance.percent_of(figure.value)),
        source: figure.source.clone(),
        note: figure.known_difference.clone().or_else(|| figure.reason.clone()),
    }
}

/// The published run with this id. No example is one, and for its id no data file is read: a first visit shows one, and does without.
fn stored(id: &str) -> Option<&'static zvmlab_reference::Run> {
    if ready::example(id).is_some() { None } else { zvmlab_reference::run(id) }
}

/// The id of the published run that has the configuration of `scenario`, if one has. An example is none: for it, no data file is read.
pub fn run_like(scenario: &Scenario) -> Option<String> {
    if ready::examples().iter().any(|ready| ready.scenario == *scenario) {
        return None;
    }
    thread_local! {
        static LIKE: Memo<Scenario, Option<String>> = const { Memo::new() };
    }
    LIKE.with(|memo| memo.get(scenario, |scenario| zvmlab_reference::run_like(scenario).map(|run| run.id.clone())))
}

/// Whether there is a published run with this id.
pub fn is_run(id: &str) -> bool {
    stored(id).is_some()
}

/// Whether the host of the published run `id` was chosen by hand: its source tells how hosts behave, but describes none.
pub fn is_of_chosen_host(id: &str) -> bool {
    stored(id).is_some_and(|run| zvmlab_reference::source_of(run).chosen_hosts)
}

/// Whether a figure of the published run `id` is printed.
pub fn has_figures(id: &str) -> bool {
    stored(id).is_some_and(|run| !run.figures.is_empty())
}

/// A figure of the run `id`, where that is published.
pub fn figure_of(id: &str, figure: Figure) -> Option<PublishedFigure> {
    let figures = &stored(id)?.figures;
    figures.iter().find(|published| published.figure == figure).map(published_figure)
}

/// The published figures of the run `id` and the model's, from any number of replications.
pub fn rows(id: &str, measurements: &[&Measurement]) -> Vec<Row> {
    stored(id).map(|run| compare(run, measurements)).unwrap_or_default()
}
