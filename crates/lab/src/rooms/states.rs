//! Guests' states: where the time of each guest goes. The states are those of FCX114 USTAT, with others that USTAT lacks. They
//! make up all of its time.

use std::ops::Range;

use zvmlab::snapshot::{GuestSnapshot, GuestState};

use super::compared::{NO_RESULT, Window, chart as framed, window};
use super::guests::{MOST_ROWS, grouped};
use crate::chart::{Chart, Grid, Key, Plot, Quantity, Row};
use crate::evidence::Evidence;
use crate::words::state::guest;
use crate::words::unit::{percent, with_unit};
use zvmlab::order;

/// The look of a state in the bars. Each state has its own, except that the two lists in which the scheduler holds guests back
/// share one. A stopped guest has the colour that it has on the charts of relocations.
fn look(state: GuestState) -> usize {
    match state {
        GuestState::Running => 2,
        GuestState::Interrupted => 8,
        GuestState::Ready => 4,
        GuestState::PageWait => 0,
        GuestState::FrameWait => 5,
        GuestState::IoWait => 3,
        GuestState::SimulationWait => 7,
        GuestState::Eligible | GuestState::LimitList => 1,
        GuestState::ConsoleWait => 10,
        GuestState::Stopped => 9,
        GuestState::Idle => 6,
        GuestState::Away => 14,
    }
}

/// Time in `state` of `guests`, in percent of all their virtual CPUs' time.
fn share(window: Window, guests: &Range<usize>, state: GuestState) -> f64 {
    let of = |snapshot: &zvmlab::Snapshot| {
        let guests = snapshot.guests.get(guests.clone()).unwrap_or_default();
        guests.iter().map(|guest| guest.time_in(state)).sum::<u64>()
    };
    let count = |guest: &GuestSnapshot| guest.virtual_cpus.len().max(1);
    let virtual_cpus: usize = window.to.guests.get(guests.clone()).unwrap_or_default().iter().map(count).sum();
    window.growth(of) / window.elapsed_ns() / virtual_cpus.max(1) as f64 * 100.0
}

/// The bars of `rows`: each a label and the guests that it stands for.
pub fn grid(window: Window, rows: Vec<(String, Range<usize>)>) -> Grid {
    // States in which no guest was would only lengthen the legend.
    let been = |state: &GuestState| rows.iter().any(|(_, guests)| share(window, guests, *state) > 0.0);
    // A guest that was at another member for a while was in none of the other states then.
    let states: Vec<GuestState> = GuestState::ALL.into_iter().chain([GuestState::Away]).filter(been).collect();
    let keys = states.iter().map(|state| Key::new(guest(*state), look(*state))).collect();
    let row = |(label, guests): (String, Range<usize>)| Row {
        label,
        values: states.iter().map(|state| Some(share(window, &guests, *state))).collect(),
    };
    Grid {
        row_name: "Guest".into(),
        value: Quantity::new("Share of elapsed time", "%"),
        keys,
        rows: rows.into_iter().map(row).collect(),
        levels: Vec::new(),
        at_least: 100.0,
    }
}

/// The states in which `guests`, called `who`, spent most of their time.
pub fn summary(window: Window, guests: Range<usize>, who: &str) -> String {
    let shares = GuestState::ALL.map(|state| (state, share(window, &guests, state)));
    let mut shares: Vec<_> = shares.into_iter().filter(|(_, share)| *share >= 0.05).collect();
    order::by(&mut shares, |a, b| b.1.total_cmp(&a.1));
    let told: Vec<String> =
        shares.iter().take(3).map(|(state, share)| format!("{} {}", guest(*state), percent(*share))).collect();
    let seconds = with_unit(window.elapsed_ns() / 1e9, "s");
    format!("How {who} spent the last {seconds}: {} (states as in FCX114 USTAT).", told.join(", "))
}

/// The chart of all guests.
pub fn chart(evidence: &Evidence) -> Chart {
    let (plot, said) = match window(evidence).filter(|window| !window.to.guests.is_empty()) {
        Some(window) => {
            let all = 0..window.to.guests.len();
            (Plot::Stack(grid(window, grouped(&window.to.guests, MOST_ROWS))), summary(window, all, "a guest"))
        }
        None => (
            Plot::Nothing(NO_RESULT.into()),
            "Running, ready to run, waiting for a page, a frame, an I/O or CP, held back by the scheduler, or idle.".into(),
        ),
    };
    framed(evidence, "guest-states", "Where guests spend their time", said, plot)
}

#[cfg(test)]
mod tests {
    use super::super::compared::tests::settled_evidence;
    use super::*;
    use crate::chart::scene::hatch_of;
    use crate::chart::theme::LOOKS;

    #[test]
    fn the_states_of_a_guest_make_up_its_time() {
        let evidence = settled_evidence();
        let window = window(&evidence).expect("a window");
        let grid = grid(window, grouped(&window.to.guests, MOST_ROWS));
        assert!(!grid.rows.is_empty());
        for row in &grid.rows {
            let sum: f64 = row.values.iter().flatten().sum();
            assert!((sum - 100.0).abs() < 0.5, "{}: {sum}", row.label);
        }
    }

    #[test]
    fn every_state_has_a_word_of_its_own() {
        let mut words = GuestState::ALL.map(guest).to_vec();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), GuestState::ALL.len());
    }

    #[test]
    fn every_state_looks_like_itself() {
        let states = || GuestState::ALL.into_iter().chain([GuestState::Away]).filter(|one| *one != GuestState::LimitList);
        let mut looks: Vec<_> =
            states().map(|state| (look(state) % LOOKS, format!("{:?}", hatch_of(look(state))))).collect();
        looks.sort_unstable();
        looks.dedup();
        assert_eq!(looks.len(), states().count());
    }
}
