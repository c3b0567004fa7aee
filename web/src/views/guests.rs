//! Guests in the rows of a chart: one by one, or bundled where there are very many.

use zvmlab::snapshot::GuestSnapshot;

/// Most rows of guests; more are drawn together.
pub const MOST_ROWS: usize = 24;

/// Guests one by one, or in bundles where there are more than `most`. A bundle holds guests of one group only.
pub fn bundled(guests: &[GuestSnapshot], most: usize) -> Vec<(String, std::ops::Range<usize>)> {
    let size = guests.len().div_ceil(most).max(1);
    let mut bundles: Vec<(String, std::ops::Range<usize>)> = Vec::new();
    for (index, guest) in guests.iter().enumerate() {
        match bundles.last_mut() {
            Some((_, range)) if range.len() < size && stem(&guests[range.start].name) == stem(&guest.name) => {
                range.end = index + 1;
            }
            _ => bundles.push((guest.name.clone(), index..index + 1)),
        }
    }
    for (name, range) in bundles.iter_mut().filter(|(_, range)| range.len() > 1) {
        *name = format!("{name} and {} more", range.len() - 1);
    }
    bundles
}

/// A guest's name without its number: the name of its group.
fn stem(name: &str) -> &str {
    name.trim_end_matches(|letter: char| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_guests_are_bundled() {
        let guest = |index: usize| GuestSnapshot { name: format!("G{index}"), ..GuestSnapshot::default() };
        let guests: Vec<GuestSnapshot> = (0..50).map(guest).collect();
        let bundles = bundled(&guests, 24);
        assert_eq!(bundles.len(), 17);
        assert_eq!(bundles[0], ("G0 and 2 more".into(), 0..3));
        assert_eq!(bundles[16], ("G48 and 1 more".into(), 48..50));
        assert_eq!(bundled(&guests[..8], 24).len(), 8);
    }

    #[test]
    fn guests_of_two_groups_are_never_bundled() {
        let guest = |name: &str, index: usize| GuestSnapshot { name: format!("{name}-{index}"), ..GuestSnapshot::default() };
        let guests: Vec<GuestSnapshot> =
            (0..33).map(|index| guest("IO", index)).chain((0..12).map(|index| guest("VIR", index))).collect();
        let bundles = bundled(&guests, 24);
        assert!(bundles.iter().any(|(_, range)| range.end == 33) && bundles.iter().any(|(_, range)| range.start == 33));
        assert_eq!(bundles.iter().map(|(_, range)| range.len()).sum::<usize>(), 45);
    }
}
