//! Shares: the part of the whole partition to which each guest that wants to run is entitled.
//!
//! "Shares are relative to other users that want to run" (6.2 deck). Absolute shares come first; the relative shares divide
//! the rest in proportion.

use crate::constants::Constants;
use crate::scenario::{GuestGroup, Scenario, ShareType};

/// A share as SET SHARE gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Share {
    /// Relative to the other relative shares.
    Relative(f64),
    /// Part of the partition.
    Absolute(f64),
}

impl Share {
    /// The share of the guests of `group`.
    pub fn of(group: &GuestGroup) -> Share {
        match group.share_type {
            ShareType::Relative => Share::Relative(group.share_relative.into()),
            ShareType::Absolute => Share::Absolute(group.share_absolute.as_f64() / 100.0),
        }
    }
}

/// The sums of the shares of those that want to run. They are whole numbers, absolute shares in millionths of the partition,
/// so that adding and taking away leaves no remainder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shares {
    /// Part of the partition that relative shares together keep, however large the absolute ones are.
    relative_least: f64,
    relative: u64,
    absolute_ppm: u64,
}

impl Shares {
    /// The sums while nobody wants to run.
    pub fn new(constants: &Constants) -> Shares {
        Shares { relative_least: constants.relative_least, relative: 0, absolute_ppm: 0 }
    }

    /// One more guest, with `share`, wants to run.
    pub fn add(&mut self, share: Share) {
        let (relative, absolute_ppm) = whole(share);
        self.relative += relative;
        self.absolute_ppm += absolute_ppm;
    }

    /// One guest fewer, with `share`, wants to run.
    pub fn remove(&mut self, share: Share) {
        let (relative, absolute_ppm) = whole(share);
        self.relative -= relative;
        self.absolute_ppm -= absolute_ppm;
    }

    /// The factor for absolute shares: less than 1 if they add up to more than there is.
    pub fn absolute_factor(&self) -> f64 {
        let sum = self.absolute_ppm as f64 / 1e6;
        let most = if self.relative > 0 { 1.0 - self.relative_least } else { 1.0 };
        if sum > most { most / sum } else { 1.0 }
    }

    /// What `share` amounts to: its part of the partition. It must be one of those added.
    pub fn normalised(&self, share: Share) -> f64 {
        match share {
            Share::Absolute(part) => part * self.absolute_factor(),
            Share::Relative(part) => {
                let left = 1.0 - self.absolute_ppm as f64 / 1e6 * self.absolute_factor();
                left * part / self.relative as f64
            }
        }
    }
}

/// What the share of a guest of each group amounts to while all guests want to run, in percent of the partition.
pub fn normalised_shares(scenario: &Scenario) -> Vec<f64> {
    let mut shares = Shares::new(&Constants::default());
    for group in &scenario.guests {
        (0..group.count).for_each(|_| shares.add(Share::of(group)));
    }
    scenario.guests.iter().map(|group| shares.normalised(Share::of(group)) * 100.0).collect()
}

fn whole(share: Share) -> (u64, u64) {
    match share {
        Share::Relative(part) => (part as u64, 0),
        Share::Absolute(part) => (0, libm::round(part * 1e6) as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Tenths;

    fn check(given: &[Share], expected: &[f64]) {
        let none = Shares::new(&Constants::default());
        let mut shares = none;
        given.iter().for_each(|&share| shares.add(share));
        for (&share, &part) in given.iter().zip(expected) {
            assert!(
                (shares.normalised(share) - part).abs() < 1e-12,
                "{share:?}: {} is not {part}",
                shares.normalised(share)
            );
        }
        given.iter().for_each(|&share| shares.remove(share));
        assert_eq!(shares, none);
    }

    #[test]
    fn the_deck_s_four_guests() {
        // 6.2 deck, "Excess Share Distribution: Background": 17, 17, 33 and 33 %.
        let relative = [100.0, 100.0, 200.0, 200.0].map(Share::Relative);
        check(&relative, &[1.0 / 6.0, 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0]);
    }

    #[test]
    fn absolute_shares_come_first() {
        let mixed = [Share::Absolute(0.4), Share::Relative(100.0), Share::Relative(200.0)];
        check(&mixed, &[0.4, 0.2, 0.4]);
    }

    #[test]
    fn absolute_shares_of_more_than_all_are_scaled_down() {
        check(&[0.4, 0.6, 0.5].map(Share::Absolute), &[0.4 / 1.5, 0.4, 0.5 / 1.5]);
        check(&[Share::Absolute(1.0), Share::Relative(1.0)], &[0.99, 0.01]);
    }

    /// Checks what four guests with these shares get, in percent.
    fn check_guests(shares: [(ShareType, u32); 4], expected: [f64; 4]) {
        let group = |(share_type, share): (ShareType, u32)| match share_type {
            ShareType::Relative => GuestGroup { count: 1, share_relative: share, ..GuestGroup::default() },
            ShareType::Absolute => {
                GuestGroup { count: 1, share_type, share_absolute: Tenths(share * 10), ..GuestGroup::default() }
            }
        };
        let scenario = Scenario { guests: shares.map(group).into(), ..Scenario::default() };
        let found = normalised_shares(&scenario);
        let near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-9);
        assert!(near && found.len() == 4, "{found:?} is not {expected:?}");
    }

    #[test]
    fn the_groups_of_a_scenario_come_to_what_the_deck_says() {
        use ShareType::{Absolute, Relative};
        let relative = [(Relative, 100), (Relative, 100), (Relative, 200), (Relative, 200)];
        check_guests(relative, [100.0 / 6.0, 100.0 / 6.0, 100.0 / 3.0, 100.0 / 3.0]);
        // Two guests with 80 % each leave the others only the least that relative shares keep.
        check_guests([(Absolute, 80), (Absolute, 80), relative[2], relative[3]], [49.5, 49.5, 0.5, 0.5]);
    }

    #[test]
    fn each_guest_of_a_group_counts() {
        let group = GuestGroup { count: 8, ..GuestGroup::default() };
        let scenario = Scenario { guests: vec![group], ..Scenario::default() };
        assert_eq!(normalised_shares(&scenario), [12.5]);
    }
}
