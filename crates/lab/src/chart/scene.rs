//! A scene: the marks of a chart at its size, and the stops where its values are read out. No canvas is needed to make one.

/// A point in CSS pixels from the top left corner of the chart.
pub type Spot = (f64, f64);

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Rect {
    fn grow(&mut self, size: f64) {
        *self = Rect { x: self.x * size, y: self.y * size, w: self.w * size, h: self.h * size };
    }

    /// The rectangle at (`x`, `y`), `w` wide and `h` high.
    pub fn new(x: f64, y: f64, w: f64, h: f64) -> Rect {
        Rect { x, y, w, h }
    }

    /// Its right edge.
    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    /// Its bottom edge.
    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    /// Its middle.
    pub fn middle(&self) -> Spot {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// The square of the distance from `spot` to the nearest point of the rectangle: 0 inside.
    pub fn distance2(&self, spot: Spot) -> f64 {
        let dx = (self.x - spot.0).max(spot.0 - self.right()).max(0.0);
        let dy = (self.y - spot.1).max(spot.1 - self.bottom()).max(0.0);
        dx * dx + dy * dy
    }
}

/// A role that a colour plays; the theme says which colour that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Text and axes.
    Text,
    /// Less important text.
    Muted,
    /// Lines of the grid.
    Grid,
    /// The background of the chart.
    Surface,
    /// The colour of a look.
    Look(usize),
    /// Text on the colour of a look.
    OnLook(usize),
    /// The cursor and the values marked across the plot.
    Accent,
}

/// The dash of a line.
pub type Dash = &'static [f64];

/// An unbroken line.
pub const SOLID: Dash = &[];

/// The form of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A filled circle.
    Circle,
    /// A filled square.
    Square,
    /// A filled triangle, point up.
    Triangle,
    /// A filled diamond.
    Diamond,
    /// An upright cross.
    Plus,
    /// A diagonal cross.
    Cross,
    /// No marker.
    None,
}

/// Lines over a filled area, so that areas differ without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hatch {
    /// None: plain fill.
    Plain,
    /// Rising to the right.
    Rising,
    /// Falling to the right.
    Falling,
    /// Upright.
    Upright,
    /// Level.
    Level,
    /// Rising and falling.
    Crossed,
}

/// Where a text lies beside its spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Begins (or has its top) at the spot.
    Start,
    /// Is centred on it.
    Middle,
    /// Ends (or has its bottom) at it.
    End,
}

/// Something to draw. Sizes are in CSS pixels.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through spots.
    Line {
        /// The spots.
        spots: Vec<Spot>,
        /// Its colour.
        ink: Ink,
        /// Its width.
        width: f64,
        /// How it is broken.
        dash: Dash,
    },
    /// A filled rectangle with an optional hatch.
    Fill {
        /// Where.
        rect: Rect,
        /// Its colour.
        ink: Ink,
        /// Lines over it.
        hatch: Hatch,
    },
    /// The outline of a rectangle.
    Outline {
        /// Where.
        rect: Rect,
        /// Its colour.
        ink: Ink,
        /// Width of the line.
        width: f64,
    },
    /// A marker.
    Marker {
        /// Its middle.
        at: Spot,
        /// Its form.
        shape: Shape,
        /// Its colour.
        ink: Ink,
        /// Half its size.
        radius: f64,
    },
    /// A text.
    Text {
        /// Its anchor.
        at: Spot,
        /// What it says.
        text: String,
        /// Its colour.
        ink: Ink,
        /// Height of the font.
        size: f64,
        /// Where it lies along its direction.
        along: Side,
        /// Where it lies across its direction.
        across: Side,
    },
}

/// A place where values are read out.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// What it belongs to, one rectangle or more; a pointer nearest to one of them picks it.
    pub areas: Vec<Rect>,
    /// What the cursor draws there.
    pub cursor: Vec<Mark>,
    /// Which row it is in, for the up and down keys.
    pub row: usize,
    /// The values in words.
    pub text: String,
    /// Where it is on the time axis, if the chart has one.
    pub when: Option<f64>,
}

/// The time axis of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeScale {
    /// What it counts. Axes with the same name show the same time.
    pub name: String,
    /// All the time for which the chart has values.
    pub whole: (f64, f64),
    /// The time that is shown.
    pub shown: (f64, f64),
    /// Where it is shown.
    pub plot: Rect,
    /// Whether each instant has a stop. If not, stops are spans of time.
    pub is_read: bool,
}

/// A chart at its size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Width in CSS pixels.
    pub width: f64,
    /// Height in CSS pixels.
    pub height: f64,
    /// What is drawn, from the back to the front.
    pub marks: Vec<Mark>,
    /// Where values are read out, in the order in which the arrow keys go.
    pub stops: Vec<Stop>,
    /// The stop that is read out if nobody points.
    pub rest: Option<usize>,
    /// The time axis, if the chart has one.
    pub time: Option<TimeScale>,
}

impl Scene {
    /// The same scene, `size` times as large.
    pub fn sized(mut self, size: f64) -> Scene {
        if size != 1.0 {
            (self.width, self.height) = (self.width * size, (self.height * size).ceil());
            let marks = self.marks.iter_mut().chain(self.stops.iter_mut().flat_map(|stop| &mut stop.cursor));
            marks.for_each(|mark| mark.grow(size));
            self.stops.iter_mut().flat_map(|stop| &mut stop.areas).for_each(|area| area.grow(size));
            self.time.iter_mut().for_each(|time| time.plot.grow(size));
        }
        self
    }
}

impl Mark {
    /// Makes it `size` times as large, seen from the corner of the scene. Lines keep their width.
    fn grow(&mut self, size: f64) {
        let grow = |spot: &mut Spot| *spot = (spot.0 * size, spot.1 * size);
        match self {
            Mark::Line { spots, .. } => spots.iter_mut().for_each(grow),
            Mark::Fill { rect, .. } | Mark::Outline { rect, .. } => rect.grow(size),
            Mark::Marker { at, radius, .. } => {
                grow(at);
                *radius *= size;
            }
            Mark::Text { at, size: letters, .. } => {
                grow(at);
                *letters *= size;
            }
        }
    }
}

/// The cursor around `rect`: a line that is visible on every colour.
pub fn boxed(rect: Rect) -> Vec<Mark> {
    vec![Mark::Outline { rect, ink: Ink::Surface, width: 4.0 }, Mark::Outline { rect, ink: Ink::Accent, width: 2.0 }]
}

/// The dash of look `look`.
pub fn dash_of(look: usize) -> Dash {
    const DASHES: [Dash; 6] = [SOLID, &[7.0, 4.0], &[2.0, 3.0], &[9.0, 3.0, 2.0, 3.0], &[12.0, 4.0], &[4.0, 2.0]];
    DASHES[look % DASHES.len()]
}

/// The marker of look `look`.
pub fn shape_of(look: usize) -> Shape {
    use Shape::{Circle, Cross, Diamond, Plus, Square, Triangle};
    [Circle, Square, Triangle, Diamond, Plus, Cross][look % 6]
}

/// The hatch of look `look`.
pub fn hatch_of(look: usize) -> Hatch {
    use Hatch::{Crossed, Falling, Level, Plain, Rising, Upright};
    [Plain, Rising, Level, Falling, Upright, Crossed][look % 6]
}

/// The pieces of a broken line.
pub fn dashed(spots: &[Spot], dash: Dash) -> Vec<Vec<Spot>> {
    if dash.is_empty() {
        return vec![spots.to_vec()];
    }
    let (mut pieces, mut piece) = (Vec::new(), Vec::new());
    let (mut index, mut left) = (0, dash[0]);
    for pair in spots.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let length = ((to.0 - from.0) * (to.0 - from.0) + (to.1 - from.1) * (to.1 - from.1)).sqrt();
        if piece.is_empty() && index % 2 == 0 {
            piece.push(from);
        }
        let mut gone = 0.0;
        while length - gone > left {
            gone += left;
            let share = gone / length;
            let spot = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
            if index % 2 == 0 {
                piece.push(spot);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![spot];
            }
            index += 1;
            left = dash[index % dash.len()];
        }
        left -= length - gone;
        if index % 2 == 0 {
            piece.push(to);
        }
    }
    if piece.len() > 1 {
        pieces.push(piece);
    }
    pieces
}

/// The lines of a hatch within `rect`, about `gap` apart.
pub fn hatched(rect: Rect, hatch: Hatch, gap: f64) -> Vec<(Spot, Spot)> {
    match hatch {
        Hatch::Plain => Vec::new(),
        Hatch::Rising => slanted(rect, gap, true),
        Hatch::Falling => slanted(rect, gap, false),
        Hatch::Crossed => [slanted(rect, gap * 1.3, true), slanted(rect, gap * 1.3, false)].concat(),
        Hatch::Upright => every(rect.x, rect.right(), gap).map(|x| ((x, rect.y), (x, rect.bottom()))).collect(),
        Hatch::Level => every(rect.y, rect.bottom(), gap).map(|y| ((rect.x, y), (rect.right(), y))).collect(),
    }
}

/// Multiples of `gap` strictly between `from` and `to`: neighbouring areas share one grid, so their hatches meet.
fn every(from: f64, to: f64, gap: f64) -> impl Iterator<Item = f64> {
    let first = (from / gap).floor() as i64 + 1;
    (first..).map(move |index| index as f64 * gap).take_while(move |&at| at < to)
}

/// Slanted lines cut to the rectangle: x + y (rising) or x - y (falling) is a multiple of the gap.
fn slanted(rect: Rect, gap: f64, rising: bool) -> Vec<(Spot, Spot)> {
    let gap = gap * std::f64::consts::SQRT_2;
    let (low, high) = if rising { (rect.y, rect.bottom()) } else { (-rect.bottom(), -rect.y) };
    every(rect.x + low, rect.right() + high, gap)
        .map(|sum| {
            let x0 = rect.x.max(sum - high);
            let x1 = rect.right().min(sum - low);
            let y = |x: f64| if rising { sum - x } else { x - sum };
            ((x0, y(x0)), (x1, y(x1)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dashed_line_covers_its_share() {
        let pieces = dashed(&[(0.0, 0.0), (10.0, 0.0), (20.0, 0.0)], &[4.0, 4.0]);
        let spans: Vec<(f64, f64)> = pieces.iter().map(|piece| (piece[0].0, piece[piece.len() - 1].0)).collect();
        assert_eq!(spans, [(0.0, 4.0), (8.0, 12.0), (16.0, 20.0)]);
        assert_eq!(pieces[1], [(8.0, 0.0), (10.0, 0.0), (12.0, 0.0)], "a dash goes round the corner");
        assert_eq!(dashed(&[(0.0, 0.0), (1.0, 1.0)], SOLID).len(), 1);
    }

    #[test]
    fn hatches_stay_inside() {
        let rect = Rect::new(13.0, 7.0, 31.0, 17.0);
        for hatch in [Hatch::Rising, Hatch::Falling, Hatch::Upright, Hatch::Level, Hatch::Crossed] {
            let lines = hatched(rect, hatch, 5.0);
            assert!(lines.len() > 2, "{hatch:?}");
            for spot in lines.iter().flat_map(|line| [line.0, line.1]) {
                assert!(rect.distance2(spot) < 1e-9, "{hatch:?} {spot:?}");
            }
        }
    }

    #[test]
    fn distance_is_zero_inside() {
        let rect = Rect::new(10.0, 10.0, 10.0, 10.0);
        assert_eq!(rect.distance2((15.0, 12.0)), 0.0);
        assert_eq!(rect.distance2((23.0, 24.0)), 25.0);
    }
}
