//! The pen: collects the marks of a scene from top to bottom, and knows how wide texts are.

use super::{Measure, NARROW, SMALL, View, text};
use crate::chart::scale::Axis;
use crate::chart::scene::{Dash, Ink, Mark, Rect, SOLID, Scene, Side, Spot, Stop, hatch_of};
use crate::chart::{Grid, Key, Level};
use crate::words::unit;

/// Height of the level axis under a plot, and the least height of a plot, also where nothing else fits.
const BENEATH: f64 = 39.0;
const PLOT_MIN: f64 = 44.0;
const PLOT_CLOSE: f64 = 20.0;
/// The least height of a row where nothing else fits, and of one with its label above it.
const THIN: f64 = 4.0;
/// The least height of a row without its label, and the space in a low one.
pub const ROW_MIN: f64 = 11.0;
const GAP_MIN: f64 = 3.0;
/// How many times their usual height rows have at most where there is room. Chosen.
const HIGHER: f64 = 3.0;
const LABEL_ABOVE: f64 = 26.0;

/// How a legend shows a key.
#[derive(Clone, Copy, PartialEq)]
pub enum Sample {
    /// A piece of its line, with its marker.
    Line,
    /// Its marker.
    Marker,
    /// A filled square with its hatch.
    Swatch,
    /// The line of a marked value.
    Level,
}

/// How the line of a marked value of look `look` is broken.
pub fn level_dash(look: usize) -> Dash {
    const DASHES: [Dash; 4] = [&[5.0, 4.0], &[2.0, 3.0], &[10.0, 3.0, 2.0, 3.0], &[8.0, 4.0]];
    DASHES[look % DASHES.len()]
}

/// Collects marks from top to bottom.
pub struct Pen<'a> {
    /// Width of the scene.
    pub width: f64,
    /// Where the next thing goes.
    pub y: f64,
    /// What was drawn.
    pub marks: Vec<Mark>,
    /// What of the chart is shown.
    pub view: View,
    /// Whether labels may be cut and rows thin, since nothing else fits.
    pub close: bool,
    measure: Measure<'a>,
}

impl<'a> Pen<'a> {
    /// A pen at the top of a scene of `width`.
    pub fn new(width: f64, measure: Measure<'a>) -> Pen<'a> {
        Pen { width, y: 2.0, marks: Vec::new(), view: View::default(), close: false, measure }
    }

    /// The same pen for a part of a chart.
    pub fn showing(self, view: View) -> Pen<'a> {
        Pen { view, ..self }
    }

    /// Whether the scene is as narrow as a phone.
    pub fn narrow(&self) -> bool {
        self.width < NARROW
    }

    /// The height of a plot that begins here: `usual`, or `narrow` on a phone, unless the page gives the height of the whole picture.
    pub fn plot_height(&self, usual: f64, narrow: f64) -> f64 {
        let least = if self.close { PLOT_CLOSE } else { PLOT_MIN };
        let left = self.view.height.map(|height| (height - self.y - BENEATH).max(least));
        left.unwrap_or(if self.narrow() { narrow } else { usual })
    }

    /// The height that the page leaves each of so many rows that begin here.
    fn left(&self, rows: usize) -> Option<f64> {
        self.view.height.map(|height| (height - self.y - BENEATH) / rows.max(1) as f64)
    }

    /// The height of each of so many rows that begin here: `usual`, or what fits where the page gives the height of the whole picture.
    pub fn row_height(&self, rows: usize, usual: f64, least: f64) -> f64 {
        let least = if self.close { THIN } else { least };
        self.left(rows).map_or(usual, |left| left.min(HIGHER * usual).max(least))
    }

    /// The height of a bar and of the gap to the next, of so many rows with `above` for the label of each.
    pub fn bars(&self, rows: usize, (bar, gap): (f64, f64), above: f64) -> (f64, f64) {
        let (usual, row) = (bar + gap, self.row_height(rows, bar + gap + above, above + ROW_MIN) - above);
        // In low rows the bar has most of the height; in high ones both grow.
        let gap = if row < usual { GAP_MIN.min(row / 3.0) } else { gap * row / usual };
        (row - gap, gap)
    }

    /// Of rows that are `row` high, each so-manieth has its label.
    pub fn labelled(&self, row: f64) -> usize {
        if self.close { (SMALL / row).ceil() as usize } else { 1 }
    }

    /// Width of a text.
    pub fn wide(&self, text: &str, size: f64) -> f64 {
        (self.measure)(text, size)
    }

    /// The widest of some texts.
    pub fn widest<'t>(&self, texts: impl Iterator<Item = &'t str>, size: f64) -> f64 {
        texts.map(|text| self.wide(text, size)).fold(0.0, f64::max)
    }

    /// Goes down.
    pub fn down(&mut self, by: f64) {
        self.y += by;
    }

    /// A straight line.
    pub fn line(&mut self, from: Spot, to: Spot, ink: Ink, width: f64, dash: Dash) {
        self.marks.push(Mark::Line { spots: vec![from, to], ink, width, dash });
    }

    /// A text.
    pub fn text(&mut self, at: Spot, words: &str, ink: Ink, size: f64, along: Side, across: Side) {
        self.marks.push(text(at, words, ink, size, along, across));
    }

    /// Words in as many lines of `room` as they need; a word that is wider has a line of its own.
    pub fn folded(&self, words: &str, size: f64, room: f64) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            match lines.last_mut() {
                Some(line) if self.wide(&format!("{line} {word}"), size) <= room => *line = format!("{line} {word}"),
                _ => lines.push(word.into()),
            }
        }
        lines
    }

    /// Words in as many lines as they need.
    pub fn paragraph(&mut self, words: &str, size: f64, ink: Ink) {
        for line in self.folded(words, size, self.width - 16.0) {
            self.text((8.0, self.y), &line, ink, size, Side::Start, Side::Start);
            self.y += size * 1.4;
        }
    }

    /// What an upright axis counts, over it. The pen stays at its last line.
    pub fn heading(&mut self, words: &str) {
        for (index, line) in self.folded(words, SMALL, self.width - 8.0).iter().enumerate() {
            self.y += if index == 0 { 0.0 } else { SMALL * 1.3 };
            self.text((4.0, self.y), line, Ink::Muted, SMALL, Side::Start, Side::Start);
        }
    }

    /// A text cut to `room`, with an ellipsis where it was cut.
    pub fn cut(&self, words: &str, size: f64, room: f64) -> String {
        if self.wide(words, size) <= room {
            return words.into();
        }
        let mut kept: String = words.into();
        while kept.pop().is_some() {
            let short = format!("{}…", kept.trim_end());
            if self.wide(&short, size) <= room {
                return short;
            }
        }
        String::new()
    }

    /// Names of what is drawn, in as many rows as they need.
    pub fn legend(&mut self, keys: &[(&Key, Sample)], levels: &[Level]) {
        if keys.len() + levels.len() < 2 && levels.is_empty() {
            return;
        }
        let mut x = 4.0;
        let levels: Vec<Key> = levels.iter().map(|level| Key::new(&level.name, level.look)).collect();
        let mut shown: Vec<(&Key, Sample, Ink)> = Vec::new();
        for (key, sample) in keys.iter().copied().chain(levels.iter().map(|key| (key, Sample::Level))) {
            match shown.iter_mut().find(|(other, ..)| other.legend == key.legend) {
                // An entry that stands for several colours shows none of them.
                Some((other, _, ink)) if other.look != key.look => *ink = Ink::Muted,
                Some(_) => {}
                None => shown.push((key, sample, Ink::Look(key.look))),
            }
        }
        for (key, how, ink) in shown {
            let sample = if matches!(how, Sample::Line | Sample::Level) { 24.0 } else { 13.0 };
            let lines = self.folded(&key.legend, SMALL, self.width - sample - 14.0);
            let wide = sample + 5.0 + self.widest(lines.iter().map(String::as_str), SMALL) + 14.0;
            if x + wide - 14.0 > self.width && x > 4.0 {
                x = 4.0;
                self.y += 17.0;
            }
            self.sample(key, (how, ink), Rect::new(x, self.y + 1.0, sample, 12.0));
            for (index, line) in lines.iter().enumerate() {
                self.y += if index == 0 { 0.0 } else { SMALL * 1.2 };
                self.text((x + sample + 5.0, self.y + 7.0), line, Ink::Text, SMALL, Side::Start, Side::Middle);
            }
            x = if lines.len() > 1 { self.width } else { x + wide };
        }
        self.y += 22.0;
    }

    fn sample(&mut self, key: &Key, (sample, ink): (Sample, Ink), at: Rect) {
        let (middle, look) = (at.middle(), key.look);
        let marker = |radius: f64| Mark::Marker { at: middle, shape: key.shape, ink, radius };
        match sample {
            Sample::Level => self.line((at.x, middle.1), (at.right(), middle.1), Ink::Look(look), 2.0, level_dash(look)),
            Sample::Line => {
                self.line((at.x, middle.1), (at.right(), middle.1), ink, 2.0, key.dash);
                self.marks.push(marker(3.5));
            }
            Sample::Marker => self.marks.push(marker(4.5)),
            Sample::Swatch => self.part(Rect::new(at.x, at.y, 12.0, 12.0), look),
        }
    }

    /// The marker of a key.
    pub fn marker(&mut self, at: Spot, key: &Key, radius: f64) {
        self.marks.push(Mark::Marker { at, shape: key.shape, ink: Ink::Look(key.look), radius });
    }

    /// A filled area of a look, with its hatch.
    pub fn part(&mut self, rect: Rect, look: usize) {
        self.marks.push(Mark::Fill { rect, ink: Ink::Look(look), hatch: hatch_of(look) });
    }

    /// The upright value axis: heading, ticks, grid. `plot` is where values go.
    pub fn value_axis(&mut self, axis: &Axis, plot: Rect) {
        for &tick in &axis.ticks {
            let y = axis.place(tick, plot.bottom(), plot.y);
            let (ink, width) = if tick == 0.0 { (Ink::Muted, 1.0) } else { (Ink::Grid, 1.0) };
            self.line((plot.x, y), (plot.right(), y), ink, width, SOLID);
            let label = unit::tick(tick, axis.step, axis.high);
            self.text((plot.x - 6.0, y), &label, Ink::Muted, SMALL, Side::End, Side::Middle);
        }
    }

    /// How much room the labels of an upright axis take.
    pub fn value_margin(&self, axis: &Axis) -> f64 {
        let labels: Vec<String> = axis.ticks.iter().map(|&tick| unit::tick(tick, axis.step, axis.high)).collect();
        self.widest(labels.iter().map(String::as_str), SMALL) + 10.0
    }

    /// The level axis under `plot`: ticks, grid where asked for, and its heading.
    pub fn base_axis(&mut self, axis: &Axis, plot: Rect, heading: &str, grid: bool) {
        let ticks: Vec<(f64, String)> =
            axis.ticks.iter().map(|&tick| (tick, unit::tick(tick, axis.step, axis.high))).collect();
        self.named_axis(axis, &ticks, plot, heading, grid);
    }

    /// The same with names at its ticks, as many as fit.
    pub fn named_axis(&mut self, axis: &Axis, ticks: &[(f64, String)], plot: Rect, heading: &str, grid: bool) {
        // A label at the very edge is moved in, not cut off.
        let middle = |x: f64, half: f64| x.clamp(half, (self.width - half - 1.0).max(half));
        let stands = |(tick, label): &(f64, String)| {
            let (x, half) = (axis.place(*tick, plot.x, plot.right()), self.wide(label, SMALL) / 2.0);
            (x, middle(x, half), half)
        };
        let stands: Vec<(f64, f64, f64)> = ticks.iter().map(stands).collect();
        let every = self.evenly(axis, ticks, plot);
        let last = ticks.len().saturating_sub(1);
        // The last label is an end of the axis. It goes before those beside it.
        let end = stands.last().map_or(0.0, |(_, at, half)| at - half - 6.0);
        let mut free = f64::NEG_INFINITY;
        for (index, ((tick, label), (x, at, half))) in ticks.iter().zip(stands).enumerate() {
            let top = if grid { plot.y } else { plot.bottom() };
            let ink = if *tick == 0.0 { Ink::Muted } else { Ink::Grid };
            self.line((x, top), (x, plot.bottom() + 4.0), ink, 1.0, SOLID);
            if at - half > free && index.is_multiple_of(every) && (index == last || every > 1 || at + half <= end) {
                self.text((at, plot.bottom() + 6.0), label, Ink::Muted, SMALL, Side::Middle, Side::Start);
                free = at + half + 6.0;
            }
        }
        self.y = plot.bottom() + 22.0;
        for (index, line) in self.folded(heading, SMALL, self.width - 4.0).iter().enumerate() {
            self.y += if index == 0 { 0.0 } else { SMALL * 1.3 };
            self.text((self.width - 2.0, self.y), line, Ink::Muted, SMALL, Side::End, Side::Start);
        }
        self.y += SMALL + 5.0;
    }

    /// How many ticks share one label, so that all labels fit, evenly and with both ends; 1 if nothing fits.
    fn evenly(&self, axis: &Axis, ticks: &[(f64, String)], plot: Rect) -> usize {
        let gaps = ticks.len().saturating_sub(1);
        let widest = self.widest(ticks.iter().map(|(_, label)| label.as_str()), SMALL) + 6.0;
        let (first, last) = (ticks.first().map_or(0.0, |tick| tick.0), ticks.last().map_or(0.0, |tick| tick.0));
        let wide = axis.place(last, plot.x, plot.right()) - axis.place(first, plot.x, plot.right());
        let fits = |every: &usize| gaps.is_multiple_of(*every) && wide / gaps as f64 * *every as f64 >= widest;
        // At unequal distances each label stands where there is room.
        let step = (last - first) / gaps.max(1) as f64;
        let even = |pair: &[(f64, String)]| (pair[1].0 - pair[0].0 - step).abs() <= step * 1e-6;
        (1..=gaps).find(|every| fits(every) && ticks.windows(2).all(even)).unwrap_or(1)
    }

    /// Labels of rows: beside the bars if there is room, otherwise above them. Returns the width of the labels beside; 0 is above.
    pub fn label_column<'t>(&self, labels: impl ExactSizeIterator<Item = &'t str>) -> f64 {
        let rows = labels.len();
        let widest = self.widest(labels, SMALL);
        // Where no row has the height for a label above it, labels beside may take more than half. Chosen: the
        // names of published runs are whole.
        let low = self.left(rows).is_some_and(|left| left < LABEL_ABOVE);
        let share = match (low, self.narrow()) {
            (true, _) => 0.58,
            (_, true) => 0.3,
            (_, false) => 0.45,
        };
        let most = self.width * share;
        if widest <= most || (low && self.close) { widest.min(most) + 8.0 } else { 0.0 }
    }

    /// Ends the scene.
    pub fn finish(self, height: f64, stops: Vec<Stop>) -> Scene {
        Scene { width: self.width, height: height.ceil(), marks: self.marks, stops, ..Scene::default() }
    }
}

/// The largest value of a grid: of one value, or of the sum of a row.
pub fn highest(grid: &Grid, sums: bool) -> f64 {
    let of_row = |values: &[Option<f64>]| {
        let values = values.iter().flatten().copied().filter(|value| value.is_finite());
        if sums { values.sum() } else { values.fold(0.0, f64::max) }
    };
    let rows = grid.rows.iter().map(|row| of_row(&row.values));
    let levels = grid.levels.iter().map(|level| level.value);
    rows.chain(levels).fold(grid.at_least, f64::max)
}
