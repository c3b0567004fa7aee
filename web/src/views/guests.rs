//! Guests in the rows of a chart: one by one, or bundled where there are very many.

use zvmlab::snapshot::GuestSnapshot;

/// Most rows of guests; more are drawn together.
pub const MOST_ROWS: usize = 24;

/// Guests one by one, or in equal bundles where there are more than `most`.
pub fn bundled(guests: &[GuestSnapshot], most: usize) -> Vec<(String, std::ops::Range<usize>)> {
    let size = guests.len().div_ceil(most).max(1);
    let bundle = |from: usize| {
        let to = (from + size).min(guests.len());
        let first = guests[from].name.clone();
        (if to - from == 1 { first } else { format!("{first} and {} more", to - from - 1) }, from..to)
    };
    (0..guests.len()).step_by(size).map(bundle).collect()
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
}
