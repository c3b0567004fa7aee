//! Time in charts: which charts show the same time, where an instant stands, and the part of it that is shown.

use super::scene::{Ink, Mark, Rect, SOLID, Spot, Stop, TimeScale};
use super::{Lines, Plot, Quantity};

/// A part of a time axis: its two ends.
pub type Window = (f64, f64);

/// The shortest part that is shown, as a part of the whole. Chosen: a settled result has 30 steps, so at least one is seen.
const SHORTEST: f64 = 1.0 / 32.0;

impl TimeScale {
    /// The instant at a place across the scene.
    pub fn at(&self, x: f64) -> f64 {
        let part = ((x - self.plot.x) / self.plot.w).clamp(0.0, 1.0);
        self.shown.0 + part * (self.shown.1 - self.shown.0)
    }

    /// Where an instant stands; `None` if it is not shown.
    pub fn place(&self, when: f64) -> Option<f64> {
        let part = (when - self.shown.0) / (self.shown.1 - self.shown.0);
        (0.0..=1.0).contains(&part).then_some(self.plot.x + part * self.plot.w)
    }

    /// Whether only a part is shown.
    pub fn is_part(&self) -> bool {
        self.shown.0 > self.whole.0 || self.shown.1 < self.whole.1
    }

    /// What the cursor draws at an instant that has no stop.
    pub fn cursor(&self, when: f64) -> Vec<Mark> {
        let Some(x) = self.place(when) else { return Vec::new() };
        let spots = vec![(x, self.plot.y), (x, self.plot.bottom())];
        vec![Mark::Line { spots, ink: Ink::Accent, width: 1.0, dash: SOLID }]
    }

    /// The frame around the part that is being chosen, from one place across the scene to another.
    pub fn chosen(&self, from: f64, to: f64) -> Vec<Mark> {
        let clamp = |x: f64| x.clamp(self.plot.x, self.plot.right());
        let (from, to) = (clamp(from.min(to)), clamp(from.max(to)));
        let rect = Rect { x: from, w: to - from, ..self.plot };
        vec![Mark::Outline { rect, ink: Ink::Accent, width: 2.0 }]
    }

    /// The part between two places across the scene; `None` if it is too short.
    pub fn between(&self, from: f64, to: f64) -> Option<Window> {
        let (from, to) = (self.at(from.min(to)), self.at(from.max(to)));
        (to - from >= self.shortest()).then_some((from, to))
    }

    /// Half the time that is shown, around an instant, or around the middle.
    pub fn closer(&self, around: Option<f64>) -> Window {
        self.around(around, 0.5)
    }

    /// Twice the time that is shown; `None` if that is all of it.
    pub fn wider(&self, around: Option<f64>) -> Option<Window> {
        let window = self.around(around, 2.0);
        (window != self.whole).then_some(window)
    }

    /// A window of `times` the length of the one shown. An instant that is shown keeps its place.
    fn around(&self, around: Option<f64>, times: f64) -> Window {
        let (low, high) = self.shown;
        let middle = around.filter(|at| (low..=high).contains(at)).unwrap_or((low + high) / 2.0);
        let long = ((high - low) * times).clamp(self.shortest(), self.whole.1 - self.whole.0);
        let part = (middle - low) / (high - low);
        let from = (middle - part * long).clamp(self.whole.0, self.whole.1 - long);
        (from, (from + long).min(self.whole.1))
    }

    fn shortest(&self) -> f64 {
        (self.whole.1 - self.whole.0) * SHORTEST
    }
}

/// The name of the axis of the time of a run.
pub const SIMULATED_TIME: &str = "Simulated time";

/// The name of the time axis of `plot`, if it has one.
pub fn axis(plot: &Plot) -> Option<&str> {
    match plot {
        Plot::Lines(lines) | Plot::Areas(lines) => of_lines(lines),
        Plot::Spans(spans) => of_quantity(&spans.x),
        _ => None,
    }
}

/// The same of lines: those over places with names, or of points that stand for themselves, have none.
pub fn of_lines(lines: &Lines) -> Option<&str> {
    of_quantity(&lines.x).filter(|_| lines.ticks.is_empty() && !lines.by_point)
}

/// The same of a quantity: a knob in seconds is no time axis.
pub fn of_quantity(quantity: &Quantity) -> Option<&str> {
    let runs = [SIMULATED_TIME, "Time"].iter().any(|name| quantity.name.starts_with(name));
    (runs && quantity.unit == "s").then_some(quantity.name.as_str())
}

/// The stop nearest to an instant.
pub fn nearest(stops: &[Stop], when: f64) -> Option<usize> {
    let away = |index: &usize| stops[*index].when.map_or(f64::INFINITY, |at| (at - when).abs());
    (0..stops.len()).filter(|index| stops[*index].when.is_some()).min_by(|a, b| away(a).total_cmp(&away(b)))
}

/// A line through `points`, which ascend, cut at the ends of a window.
pub fn cut(points: &[Spot], (low, high): Window) -> Vec<Spot> {
    let at = |x: f64| {
        let next = points.partition_point(|point| point.0 < x);
        let (from, to) = (points.get(next.checked_sub(1)?)?, points.get(next)?);
        Some((x, from.1 + (to.1 - from.1) * (x - from.0) / (to.0 - from.0)))
    };
    let inside = points.iter().copied().filter(|point| (low..=high).contains(&point.0));
    at(low).into_iter().chain(inside).chain(at(high)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(shown: Window) -> TimeScale {
        let plot = Rect::new(40.0, 10.0, 200.0, 100.0);
        TimeScale { name: "Simulated time".into(), whole: (20.0, 52.0), shown, plot, is_read: true }
    }

    #[test]
    fn an_instant_stands_where_it_is_read() {
        let scale = scale((20.0, 30.0));
        assert_eq!(scale.place(25.0), Some(140.0));
        assert_eq!(scale.at(140.0), 25.0);
        assert_eq!((scale.at(0.0), scale.at(999.0)), (20.0, 30.0));
        assert_eq!(scale.place(31.0), None, "that is not shown");
        assert!(scale.cursor(31.0).is_empty() && scale.is_part());
    }

    #[test]
    fn the_part_shown_halves_and_doubles_and_stays_inside() {
        let all = scale((20.0, 52.0));
        assert!(!all.is_part());
        assert_eq!(all.closer(None), (28.0, 44.0));
        assert_eq!(all.closer(Some(20.0)), (20.0, 36.0));
        assert_eq!(all.wider(None), None);
        assert_eq!(scale((44.0, 52.0)).wider(None), Some((36.0, 52.0)));
        assert_eq!(scale((28.0, 44.0)).wider(Some(28.0)), None, "all of it");
        let (low, high) = scale((30.0, 31.0)).closer(Some(30.5));
        assert_eq!(high - low, 1.0, "no shorter than a step");
    }

    #[test]
    fn a_part_is_chosen_in_either_direction_unless_it_is_too_short() {
        let scale = scale((20.0, 52.0));
        assert_eq!(scale.between(140.0, 90.0), Some((28.0, 36.0)));
        assert_eq!(scale.between(140.0, -10.0), Some((20.0, 36.0)));
        assert_eq!(scale.between(90.0, 93.0), None);
    }

    #[test]
    fn a_line_is_cut_at_both_ends() {
        let line = [(0.0, 0.0), (10.0, 10.0), (20.0, 0.0)];
        assert_eq!(cut(&line, (5.0, 15.0)), [(5.0, 5.0), (10.0, 10.0), (15.0, 5.0)]);
        assert_eq!(cut(&line, (2.0, 4.0)), [(2.0, 2.0), (4.0, 4.0)]);
        assert_eq!(cut(&line, (-5.0, 5.0)), [(0.0, 0.0), (5.0, 5.0)]);
        assert!(cut(&line, (30.0, 40.0)).is_empty() && cut(&[], (0.0, 1.0)).is_empty());
    }
}
