//! Guests in the rows of a chart: one by one, or in bundles if there are very many.

use zvmlab::snapshot::GuestSnapshot;

/// Most rows of guests. More guests are drawn in bundles.
pub const MOST_ROWS: usize = 24;

/// Guests one by one, or in bundles if there are more than `most`. A bundle holds guests of one group only.
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

/// Guests one by one, or each group of the scenario as a whole if there are more than `most`.
pub fn grouped(guests: &[GuestSnapshot], most: usize) -> Vec<(String, std::ops::Range<usize>)> {
    if guests.len() <= most {
        return guests.iter().enumerate().map(|(index, guest)| (guest.name.clone(), index..index + 1)).collect();
    }
    let mut groups: Vec<(String, std::ops::Range<usize>)> = Vec::new();
    for (index, guest) in guests.iter().enumerate() {
        match groups.last_mut() {
            Some((_, range)) if guests[range.start].group == guest.group => range.end = index + 1,
            _ => groups.push((guest.name.clone(), index..index + 1)),
        }
    }
    for (name, range) in groups.iter_mut().filter(|(_, range)| range.len() > 1) {
        *name = format!("{}, all {}", stem(name).trim_end_matches('-'), range.len());
    }
    groups
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
    fn many_guests_stand_as_their_groups() {
        let guest = |name: &str, index: usize, group: u32| GuestSnapshot {
            name: format!("{name}-{index}"),
            group,
            ..GuestSnapshot::default()
        };
        let guests: Vec<GuestSnapshot> = (0..30).map(|index| guest("IO", index, 0)).chain([guest("VIR", 0, 1)]).collect();
        assert_eq!(grouped(&guests, 24), [("IO, all 30".to_string(), 0..30), ("VIR-0".to_string(), 30..31)]);
        assert_eq!(grouped(&guests[..3], 24).len(), 3);
        assert!(grouped(&[], 24).is_empty());
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
