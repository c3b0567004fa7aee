//! Walking through the picture by keys: to the nearest part in a direction.

use super::{Kind, Part, Scene};

/// A direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Against the flow.
    Left,
    /// Along the flow.
    Right,
    /// To the part above.
    Up,
    /// To the part below.
    Down,
}

/// How much more a step aside counts than a step ahead.
const ASIDE: f64 = 2.0;

/// The part to which a step from `from` leads; none at the edge of the picture.
pub fn next(scene: &Scene, from: (Kind, usize), way: Way) -> Option<(Kind, usize)> {
    let here = centre(scene.parts.iter().find(|part| part.id == from)?);
    let distance = |part: &&Part| {
        let (dx, dy) = (centre(part).0 - here.0, centre(part).1 - here.1);
        let (ahead, aside) = match way {
            Way::Left => (-dx, dy),
            Way::Right => (dx, dy),
            Way::Up => (-dy, dx),
            Way::Down => (dy, dx),
        };
        (ahead > 1.0).then(|| ahead + ASIDE * aside.abs())
    };
    let near = scene.parts.iter().filter_map(|part| Some((distance(&part)?, part.id)));
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id)
}

fn centre(part: &Part) -> (f64, f64) {
    let (x, y, w, h) = part.place;
    (x + w / 2.0, y + h / 2.0)
}
