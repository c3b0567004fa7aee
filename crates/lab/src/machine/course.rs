//! Where a dot is, and where it goes: so that a painter can move it between two snapshots.

use super::Point;

/// A way through the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The corners of the way.
    pub way: Vec<Point>,
    /// The part of the way that is behind it when the snapshot is taken: 0 to 1.
    pub behind: f64,
    /// When the snapshot is taken, in simulated nanoseconds.
    pub from_ns: u64,
    /// When it comes to the end of the way. Not after `from_ns`: it stands still.
    pub until_ns: u64,
}

impl Course {
    /// It stands still.
    pub fn still(at: Point) -> Course {
        Course { way: vec![at], behind: 0.0, from_ns: 0, until_ns: 0 }
    }

    /// Where it is at the simulated instant `now_ns`.
    pub fn at(&self, now_ns: f64) -> Point {
        let (from, until) = (self.from_ns as f64, self.until_ns as f64);
        let passed = if until > from { ((now_ns - from) / (until - from)).clamp(0.0, 1.0) } else { 0.0 };
        along(&self.way, self.behind + (1.0 - self.behind) * passed)
    }
}

/// The point of a way at this part of its length.
fn along(way: &[Point], part: f64) -> Point {
    let length = |(a, b): (&Point, &Point)| {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        (dx * dx + dy * dy).sqrt()
    };
    let pieces = || way.iter().zip(way.iter().skip(1));
    let mut left = pieces().map(length).sum::<f64>() * part.clamp(0.0, 1.0);
    for (a, b) in pieces() {
        let piece = length((a, b));
        if left <= piece && piece > 0.0 {
            let share = left / piece;
            return (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share);
        }
        left -= piece;
    }
    way.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_from_where_it_is_to_the_end_of_its_way() {
        let course = Course { way: vec![(0.0, 0.0), (30.0, 0.0), (30.0, 10.0)], behind: 0.5, from_ns: 100, until_ns: 200 };
        assert_eq!(course.at(100.0), (20.0, 0.0));
        assert_eq!(course.at(150.0), (30.0, 0.0));
        assert_eq!((course.at(200.0), course.at(900.0)), ((30.0, 10.0), (30.0, 10.0)));
        assert_eq!(course.at(0.0), (20.0, 0.0), "it is never before its snapshot");
        assert_eq!(Course::still((1.0, 2.0)).at(5.0), (1.0, 2.0));
    }
}
