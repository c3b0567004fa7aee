//! One guest in the simulation: what it does, since when, and where its time went.

use crate::kernel::time::{Instant, Span};
use crate::scenario::GuestGroup;
use crate::snapshot::{GuestSnapshot, GuestState};
use crate::storage::Touched;
use crate::workload::Program;

/// A guest: a virtual uniprocessor that runs, faults and waits.
#[derive(Clone, Debug)]
pub(super) struct Guest {
    name: String,
    pub program: Program,
    /// What it touched when it was given frames that it had waited for; its next burst pays for it.
    pub granted: Touched,
    /// Whether it has touched its loop and waits for the fill to be over before it does I/O or thinks.
    pub held: bool,
    /// Which of a word's 64 pages a touch changes.
    change: Change,
    state: GuestState,
    since: Instant,
    spent: [Span; 9],
    does_io: bool,
    /// I/Os that it asked for and got.
    pub ios: u64,
    transaction: u64,
}

/// How a touch changes pages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    percent: u32,
    guest: u64,
}

impl Change {
    /// The pages of `word` that are changed when they are touched. Which ones is fixed for the run, spread evenly by a
    /// multiplicative hash; the published runs change all of them.
    pub fn mask(self, word: u64) -> u64 {
        match self.percent {
            0 => 0,
            100.. => u64::MAX,
            percent => (0..64).fold(0, |mask, bit| {
                let hash = (((self.guest << 40) | (word << 6)) + bit).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
                mask | (u64::from((hash * 100) >> 32 < u64::from(percent)) << bit)
            }),
        }
    }
}

impl Guest {
    /// Guest `index` of the host, number `number` of its group.
    pub fn new(group: &GuestGroup, index: u64, number: u32, seed: u64) -> Self {
        Guest {
            name: format!("{}-{number}", group.name),
            program: Program::new(group, index, seed),
            granted: Touched::default(),
            held: false,
            change: Change { percent: group.change_percent, guest: index },
            state: GuestState::Ready,
            since: Instant::ZERO,
            spent: [Span::ZERO; 9],
            does_io: group.io_records > 0,
            ios: 0,
            transaction: group.transaction,
        }
    }

    pub fn change(&self) -> Change {
        self.change
    }

    pub fn state(&self) -> GuestState {
        self.state
    }

    /// The guest does something else from `now` on.
    pub fn enter(&mut self, now: Instant, state: GuestState) {
        self.spent[self.state as usize] += now.since(self.since);
        self.state = state;
        self.since = now;
    }

    fn spent(&self, now: Instant, state: GuestState) -> u64 {
        let going_on = if state == self.state { now.since(self.since) } else { Span::ZERO };
        (self.spent[state as usize] + going_on).0
    }

    /// What is seen of the guest at `now`; `places` are its pages valid, on the age list, being read, on DASD only.
    pub fn snapshot(&self, now: Instant, virtual_pages: u64, places: [u64; 4]) -> GuestSnapshot {
        let [valid_pages, age_list_pages, reading_pages, dasd_pages] = places;
        GuestSnapshot {
            name: self.name.clone(),
            state: self.state,
            virtual_pages,
            valid_pages,
            age_list_pages,
            reading_pages,
            dasd_pages,
            pages_touched: self.program.touched(),
            references: self.program.touched() * self.program.references(),
            does_io: self.does_io,
            ios: self.ios,
            transaction: self.transaction,
            position_pages: self.program.position(),
            running_ns: self.spent(now, GuestState::Running),
            ready_ns: self.spent(now, GuestState::Ready),
            page_wait_ns: self.spent(now, GuestState::PageWait),
            frame_wait_ns: self.spent(now, GuestState::FrameWait),
            io_wait_ns: self.spent(now, GuestState::IoWait),
            idle_ns: self.spent(now, GuestState::Idle),
            virtual_cpus: vec![self.state],
            ..GuestSnapshot::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_changed_pages_is_the_one_asked_for() {
        for percent in [0, 1, 25, 50, 99, 100] {
            let change = Change { percent, guest: 3 };
            let changed: u32 = (0..1000).map(|word| change.mask(word).count_ones()).sum();
            let share = f64::from(changed) / 640.0;
            assert!((share - f64::from(percent)).abs() < 1.0, "{percent} % asked for, {share} % changed");
        }
    }
}
