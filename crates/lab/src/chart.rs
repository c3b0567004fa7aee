//! Charts: what one is (plain data), how it is laid out (pure functions), painted (plotters) and framed on the page.
//!
//! A view makes a [`Chart`] of plain numbers. [`layout`] turns it into a [`scene::Scene`] of marks and stops, [`paint`] draws the
//! marks with plotters on a canvas or as SVG, and [`frame::ChartFrame`] puts title, summary, read-out and table around it. Charts
//! of a room that show the same [`time`] share a cursor and the part of the time that is shown.

pub mod layout;
pub mod reading;
pub mod scale;
pub mod scene;
pub mod svg;
pub mod table;
pub mod theme;
pub mod time;

use scene::{Dash, Shape};

/// One chart: its words, its numbers, and the sources of published ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Name in element ids and file names; unique on the page.
    pub id: &'static str,
    /// The chart's title.
    pub title: String,
    /// One sentence that says what to see.
    pub summary: String,
    /// What is drawn.
    pub plot: Plot,
    /// The published runs whose figures stand on the chart.
    pub sources: Vec<Source>,
    /// The origin of an exported file: scenario, seed and model version.
    pub provenance: String,
}

/// A published run on a chart: its id and where it can be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The run id, as published.
    pub run: String,
    /// What was measured: machine, level, setting.
    pub text: String,
    /// Title and table of the source.
    pub citation: String,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Plot {
    /// Lines or points over a number: time, or a knob.
    Lines(Lines),
    /// Areas over time, one on top of the other: a whole with several owners.
    Areas(Lines),
    /// Horizontal bars, each stacked of parts.
    Stack(Grid),
    /// Vertical bars in groups.
    Columns(Grid),
    /// One row of marks for each label.
    Dots(Grid),
    /// Lanes over time: what each lane does, from when to when.
    Spans(Spans),
    /// Central storage as cells.
    Map(FrameMap),
    /// Nothing yet, and why.
    Nothing(String),
}

/// What an axis counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quantity {
    /// Its name.
    pub name: String,
    /// Its unit; empty for a plain count.
    pub unit: String,
}

impl Quantity {
    /// The quantity called `name` in `unit`.
    pub fn new(name: &str, unit: &str) -> Quantity {
        Quantity { name: name.into(), unit: unit.into() }
    }

    /// The name with its unit behind it: `ETR (tx/s)`.
    pub fn heading(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{} ({})", self.name, self.unit) }
    }
}

/// Something that a legend names: a series, a part of a bar, a state of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Its name.
    pub name: String,
    /// Its colour and hatch: an index into the palette. Dash and marker follow from it unless they are given.
    pub look: usize,
    /// The dash of its line.
    pub dash: Dash,
    /// Its marker.
    pub shape: Shape,
    /// Its name in the legend. Keys with the same name there share one entry.
    pub legend: String,
}

impl Key {
    /// The key called `name` with look `look`.
    pub fn new(name: &str, look: usize) -> Key {
        let (dash, shape) = (scene::dash_of(look), scene::shape_of(look));
        Key { name: name.into(), look, dash, shape, legend: name.into() }
    }

    /// The same with another marker.
    pub fn shaped(self, shape: Shape) -> Key {
        Key { shape, ..self }
    }

    /// The same with another line.
    pub fn dashed(self, dash: Dash) -> Key {
        Key { dash, ..self }
    }

    /// The same under a name that it shares with others in the legend.
    pub fn under(self, legend: &str) -> Key {
        Key { legend: legend.into(), ..self }
    }
}

/// Lines or points over a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// The horizontal axis.
    pub x: Quantity,
    /// The vertical axis; it starts at 0.
    pub y: Quantity,
    /// The series.
    pub series: Vec<Series>,
    /// Horizontal lines that mark a value.
    pub levels: Vec<Level>,
    /// Whether the horizontal axis starts at 0 as well.
    pub x_from_zero: bool,
    /// Whether each point stands for itself, with its marker and its read-out. If not, points are samples of a curve.
    pub by_point: bool,
    /// Names of places along the horizontal axis, ascending, instead of its numbers: `15:1`. Every point is on one of them.
    pub ticks: Vec<(f64, String)>,
    /// A place marked across the plot from top to bottom.
    pub marked: Option<Marked>,
    /// How sure points are, of those that are means.
    pub reaches: Vec<Reach>,
}

/// The 95 % interval of a point that is a mean of several runs: a bar through the point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The place of its series among all.
    pub series: usize,
    /// Where its point is along the horizontal axis.
    pub x: f64,
    /// From where to where along the vertical axis.
    pub ends: [f64; 2],
}

/// A place along the horizontal axis that is marked from top to bottom: the present setting of the bench.
#[derive(Clone, Debug, PartialEq)]
pub struct Marked {
    /// Its name.
    pub name: String,
    /// Where.
    pub x: f64,
}

impl Lines {
    /// How sure the point of a series at `x` is, if it is a mean.
    pub fn reach(&self, series: usize, x: f64) -> Option<[f64; 2]> {
        self.reaches.iter().find(|reach| reach.series == series && reach.x == x).map(|reach| reach.ends)
    }

    /// The text for a place along the horizontal axis.
    pub fn place(&self, x: f64) -> String {
        let named = self.ticks.iter().find(|(at, _)| *at == x);
        named.map_or_else(|| crate::words::unit::with_unit(x, &self.x.unit), |(_, name)| name.clone())
    }
}

/// One series of points, joined by a line or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name and look.
    pub key: Key,
    /// Whether a line joins the points.
    pub joined: bool,
    /// The points, in ascending order of x.
    pub points: Vec<Point>,
}

/// One point of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Along the horizontal axis.
    pub x: f64,
    /// Along the vertical axis. Not a number (NaN) if it has no value; the name of its series says so.
    pub y: f64,
    /// The text beside it: the run id of a published point.
    pub label: Option<String>,
}

/// A value marked across the whole plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// What the value is, with the run id if it is published.
    pub name: String,
    /// The value, in the unit of the axis.
    pub value: f64,
    /// Which colour and dash it has.
    pub look: usize,
}

/// Rows of values, one for each key.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// What a row is: `Volume`, `Guest`.
    pub row_name: String,
    /// What the values count.
    pub value: Quantity,
    /// What each value of a row is.
    pub keys: Vec<Key>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Values marked across the plot.
    pub levels: Vec<Level>,
    /// The least end of the value axis: 100 for a percentage of a whole.
    pub at_least: f64,
}

/// One row of a [`Grid`].
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its label.
    pub label: String,
    /// One value for each key; `None` where there is none.
    pub values: Vec<Option<f64>>,
}

/// Lanes over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Spans {
    /// What a lane is: `Guest`, `Member`.
    pub row_name: String,
    /// The time axis.
    pub x: Quantity,
    /// What a span can be.
    pub keys: Vec<Key>,
    /// The lanes, from the top.
    pub lanes: Vec<Lane>,
    /// Instants marked across all lanes.
    pub levels: Vec<Level>,
}

/// One lane of [`Spans`].
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// Its label.
    pub label: String,
    /// What was when, in ascending order.
    pub spans: Vec<Span>,
}

/// What something did, from when to when.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Index into [`Spans::keys`].
    pub key: usize,
    /// When it began.
    pub from: f64,
    /// When it ended.
    pub to: f64,
    /// More words for its read-out; may be empty.
    pub note: String,
    /// Whether it must be visible, however short. It is then drawn over the others, at least as wide as a line,
    /// with a mark over it.
    pub marked: bool,
}

/// Central storage as cells of equal size.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameMap {
    /// What a frame can be used for.
    pub states: Vec<Key>,
    /// Runs of frames, in the order in which they are drawn. Their sum is central storage.
    pub blocks: Vec<Block>,
    /// Stretches of addresses, where the host tells some apart: the block with which each begins, and its heading. The first begins
    /// with the first block.
    pub stretches: Vec<(usize, String)>,
}

/// Frames of one owner in one state.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Whose frames they are.
    pub owner: String,
    /// Index into [`FrameMap::states`].
    pub state: usize,
    /// How many.
    pub frames: u64,
}
