//! Layout: from a chart's numbers and a width to a scene. Pure: the browser only lends a function that measures text.

mod areas;
mod columns;
mod dots;
mod lines;
mod map;
mod pen;
mod spans;
mod stack;

use crate::chart::scene::{Ink, Mark, Scene, Side, Stop};
use crate::chart::time::Window;
use crate::chart::{Chart, Plot};

use pen::Pen;

/// The width of a text in CSS pixels at a font size.
pub type Measure<'a> = &'a dyn Fn(&str, f64) -> f64;

/// Below this width, in CSS pixels, charts have fewer ticks, and long labels above the bars instead of beside them.
const NARROW: f64 = 400.0;

/// Height of the font of labels.
const SMALL: f64 = 11.5;

/// What of a chart is shown, and how high. A file has all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// The part of its time axis; without it all.
    pub window: Option<Window>,
    /// The height of the whole picture in CSS pixels, which its plot fills; without it what suits the width.
    pub height: Option<f64>,
}

/// What a chart may be higher than the page gives it, before it scrolls in its frame. CSS pixels.
pub const SPARE: f64 = 4.0;

/// From this height on, another row of charts shares the pane. Chosen: a legend, both axes, and a plot in which a line is read.
const SHARED_FROM: f64 = 130.0;
/// The least height of a chart in a pane that is lower, and the greatest.
const SHARED_MIN: f64 = SHARED_FROM;
const SHARED_MAX: f64 = 300.0;

/// The height of each chart in a pane of height `pane`, so that whole rows of them fill it, at most `most`. `around` is what a chart has over
/// and under its picture.
pub fn shared_height(pane: f64, around: f64, most: f64) -> f64 {
    let rows = (pane / (around + SHARED_FROM)).floor().min(most).max(1.0);
    (pane / rows - around).floor().clamp(SHARED_MIN, SHARED_MAX)
}

/// The scene of `chart` at `width` CSS pixels.
pub fn scene(chart: &Chart, width: f64, measure: Measure) -> Scene {
    seen(chart, width, View::default(), measure)
}

/// Sizes that are tried where the page gives the height. Chosen: at the smallest, letters have 9 CSS pixels.
const SIZES: [f64; 4] = [1.0, 0.93, 0.86, 0.79];

/// The same, as far as `view` shows it. A picture that is higher than the page allows is drawn smaller, and at last with labels cut and
/// thin rows.
pub fn seen(chart: &Chart, width: f64, view: View, measure: Measure) -> Scene {
    let width = width.max(160.0);
    let Some(height) = view.height else { return drawn(chart, Pen::new(width, measure).showing(view)) };
    let at = |size: f64, close: bool| {
        let once = |height: f64| {
            let mut pen = Pen::new(width / size, measure).showing(View { height: Some(height), ..view });
            pen.close = close;
            drawn(chart, pen)
        };
        let (scene, wanted) = (once(height / size), height / size);
        // Words under the plot may take more lines than it leaves them.
        let over = scene.height - wanted;
        if over > SPARE { once(wanted - over) } else { scene }.sized(size)
    };
    let mut all = SIZES.iter().map(|&size| at(size, false));
    all.find(|scene| scene.height <= height + SPARE).unwrap_or_else(|| at(SIZES[SIZES.len() - 1], true))
}

fn drawn(chart: &Chart, pen: Pen) -> Scene {
    match &chart.plot {
        Plot::Lines(plot) => lines::lay_out(pen, plot),
        Plot::Areas(plot) => areas::lay_out(pen, plot),
        Plot::Stack(grid) => stack::lay_out(pen, grid),
        Plot::Columns(grid) => columns::lay_out(pen, grid),
        Plot::Dots(grid) => dots::lay_out(pen, grid),
        Plot::Spans(spans) => spans::lay_out(pen, spans),
        Plot::Map(map) => map::lay_out(pen, map),
        Plot::Nothing(why) => nothing(pen, why),
    }
}

/// The scene of `chart` as it stands in a file of its own: with title, summary and origin around it.
pub fn with_caption(chart: &Chart, width: f64, measure: Measure) -> Scene {
    let mut head = Pen::new(width, measure);
    head.down(12.0);
    head.paragraph(&chart.title, 16.0, Ink::Text);
    head.down(4.0);
    head.paragraph(&chart.summary, 12.5, Ink::Muted);
    head.down(10.0);
    let top = head.y;
    let mut body = scene(chart, width, measure);
    body.marks.iter_mut().for_each(|mark| lower(mark, top));
    let mut foot = Pen::new(width, measure);
    foot.y = top + body.height + 8.0;
    for source in &chart.sources {
        foot.paragraph(&format!("{}: {}", source.run, source.citation), 10.5, Ink::Muted);
    }
    foot.paragraph(&chart.provenance, 10.5, Ink::Muted);
    let height = foot.y + 10.0;
    let marks = [head.marks, body.marks, foot.marks].concat();
    Scene { width, height, marks, ..Scene::default() }
}

/// A sentence in the place of the chart.
fn nothing(mut pen: Pen, why: &str) -> Scene {
    pen.down(18.0);
    pen.paragraph(why, 13.0, Ink::Muted);
    pen.down(18.0);
    let height = pen.y;
    let stops: Vec<Stop> = Vec::new();
    pen.finish(height, stops)
}

/// Moves a mark down by `by`.
fn lower(mark: &mut Mark, by: f64) {
    match mark {
        Mark::Line { spots, .. } => spots.iter_mut().for_each(|spot| spot.1 += by),
        Mark::Fill { rect, .. } | Mark::Outline { rect, .. } => rect.y += by,
        Mark::Marker { at, .. } | Mark::Text { at, .. } => at.1 += by,
    }
}

/// A text mark.
fn text(at: (f64, f64), text: &str, ink: Ink, size: f64, along: Side, across: Side) -> Mark {
    Mark::Text { at, text: text.into(), ink, size, along, across }
}

#[cfg(test)]
mod tests;
