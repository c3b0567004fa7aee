//! Reading values out: which stop a pointer is near, and where the keys lead.

use crate::chart::scene::{Spot, Stop};

/// How near to a stop, in CSS pixels, a pointer must be to pick it.
const REACH: f64 = 48.0;

/// The stop nearest to `spot`, if one is within reach.
pub fn nearest(stops: &[Stop], spot: Spot) -> Option<usize> {
    let away = |stop: &Stop| stop.areas.iter().map(|area| area.distance2(spot)).fold(f64::INFINITY, f64::min);
    let distance = |index: &usize| away(&stops[*index]);
    let found = (0..stops.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    (distance(&found) <= REACH * REACH).then_some(found)
}

/// The stop that `key` leads to from `at`; `None` where the key is not ours.
pub fn moved(stops: &[Stop], at: Option<usize>, key: &str) -> Option<usize> {
    let last = stops.len().checked_sub(1)?;
    let at = at.map(|at| at.min(last));
    match key {
        "ArrowRight" => Some(at.map_or(0, |at| (at + 1).min(last))),
        "ArrowLeft" => Some(at.map_or(last, |at| at.saturating_sub(1))),
        "Home" => Some(0),
        "End" => Some(last),
        "PageUp" | "PageDown" if stops.len() > 20 => {
            let leap = stops.len() / 10;
            let at = at.unwrap_or(0);
            Some(if key == "PageDown" { (at + leap).min(last) } else { at.saturating_sub(leap) })
        }
        "ArrowUp" | "ArrowDown" => row_beside(stops, at, key == "ArrowDown"),
        _ => None,
    }
}

/// The stop of the next row (or the one before) that stands nearest below (or above).
fn row_beside(stops: &[Stop], at: Option<usize>, down: bool) -> Option<usize> {
    if stops.iter().all(|stop| stop.row == stops[0].row) {
        return None;
    }
    let Some(at) = at else { return Some(0) };
    let from = &stops[at];
    let rows = stops.iter().map(|stop| stop.row).filter(|&row| if down { row > from.row } else { row < from.row });
    let Some(row) = (if down { rows.min() } else { rows.max() }) else { return Some(at) };
    let middle = |stop: &Stop| stop.areas.first().map_or(0.0, |area| area.middle().0);
    let away = |index: &usize| (middle(&stops[*index]) - middle(from)).abs();
    (0..stops.len()).filter(|&index| stops[index].row == row).min_by(|a, b| away(a).total_cmp(&away(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::Rect;

    fn stops() -> Vec<Stop> {
        let stop = |x: f64, row: usize| Stop {
            areas: vec![Rect::new(x, row as f64 * 20.0, 10.0, 10.0)],
            cursor: vec![],
            row,
            text: String::new(),
            when: None,
        };
        vec![stop(0.0, 0), stop(50.0, 0), stop(100.0, 0), stop(0.0, 1), stop(90.0, 1)]
    }

    #[test]
    fn the_pointer_means_the_nearest_within_reach() {
        assert_eq!(nearest(&stops(), (52.0, 4.0)), Some(1));
        assert_eq!(nearest(&stops(), (30.0, 4.0)), Some(0));
        assert_eq!(nearest(&stops(), (500.0, 4.0)), None);
        assert_eq!(nearest(&[], (0.0, 0.0)), None);
    }

    #[test]
    fn keys_walk_and_stop_at_the_ends() {
        let stops = stops();
        assert_eq!(moved(&stops, None, "ArrowRight"), Some(0));
        assert_eq!(moved(&stops, Some(4), "ArrowRight"), Some(4));
        assert_eq!(moved(&stops, None, "ArrowLeft"), Some(4));
        assert_eq!(moved(&stops, Some(2), "Home"), Some(0));
        assert_eq!(moved(&stops, Some(2), "End"), Some(4));
        assert_eq!(moved(&stops, Some(99), "ArrowLeft"), Some(3), "stops may have become fewer");
        assert_eq!(moved(&stops, Some(2), "Tab"), None);
        assert_eq!(moved(&[], None, "End"), None);
    }

    #[test]
    fn up_and_down_change_the_row() {
        let stops = stops();
        assert_eq!(moved(&stops, Some(2), "ArrowDown"), Some(4));
        assert_eq!(moved(&stops, Some(3), "ArrowUp"), Some(0));
        assert_eq!(moved(&stops, Some(3), "ArrowDown"), Some(3));
        assert_eq!(moved(&stops[..3], Some(1), "ArrowDown"), None, "one row leaves the page its scrolling");
    }
}
