//! Guests and their virtual CPUs at a member: what they do, since when, and where their time went.

use std::collections::VecDeque;
use std::ops::Range;

use crate::kernel::time::{Instant, Span};
use crate::scenario::{GuestGroup, Role};
use crate::snapshot::{GuestSnapshot, GuestState};
use crate::storage::Touched;
use crate::workload::Program;

/// A guest.
#[derive(Clone, Debug)]
pub(super) struct Guest {
    name: String,
    /// Its group in the scenario.
    group: u32,
    /// Its virtual CPUs, and how many of them wait for a processor.
    pub cpus: Range<u32>,
    pub waiting: u32,
    /// Those that wait for a processor, in the order in which they came: since when, and who. An entry counts as long as that one waits
    /// since then. Kept where virtual CPUs give way to each other.
    pub line: VecDeque<(Instant, u32)>,
    /// Which of the 64 pages of a word a touch changes.
    change: Change,
    does_io: bool,
    in_cycles: bool,
    /// What a cycle takes besides touching pages: processor time, a service of CP, holding the guest's lock.
    pub cpu: Span,
    pub service: Span,
    pub lock: Span,
    /// Pages that it gives back to CP at the end of each cycle; and those that it has given back so far, and CP's time for them under
    /// its exclusive lock.
    pub releases: u64,
    pub pages_released: u64,
    pub release_time: Span,
    /// Time from cycle to cycle; zero where cycles follow one another.
    pub pace: Span,
    /// Whether it is logged on at another member.
    pub away: bool,
    /// Whether it is stopped, or being stopped, for the end of its relocation.
    pub stopping: bool,
    /// Whether CP reorders its list of frames.
    pub reordering: bool,
    /// Reorders that have ended, and how long it stood still for them.
    pub reorders: u64,
    pub reordered: Span,
    /// CP's time for them; and since when CP is at the one under way, and how long that takes.
    pub reorder_cp: Span,
    pub at_reorder: Option<(Instant, Span)>,
    /// When it came to stand still for the one under way.
    pub reorder_began: Instant,
    /// Pages read for it before it entered the dispatch list.
    pub read_before_stay: u64,
    /// I/Os that it asked for and got.
    pub ios: u64,
    /// Cycles that its virtual CPUs have done, and the time that they took.
    pub cycles: u64,
    pub response: Span,
    /// Processor time that it had: its own and the CP time charged to it.
    pub used: Span,
    transaction: u64,
    role: Role,
}

/// Number of states among which a virtual CPU's time is divided.
const STATES: usize = GuestState::ALL.len() + 1;

/// What a virtual CPU does when it next has a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// Touch pages, then compute.
    #[default]
    Walk,
    /// Ask CP for a service.
    Service,
    /// Take the guest's lock.
    Lock,
    /// Go on holding it.
    Hold,
    /// Start an I/O, if the program does any, and end the cycle.
    Io,
    /// Give pages back to CP, and then end the cycle.
    Release,
}

/// How far a virtual CPU may go in a burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// As far as its minor slice lasts.
    Anywhere,
    /// Over valid pages only: for others it needs the PTIL.
    Valid,
    /// It holds the PTIL, for so many pages.
    Pages(u64),
}

/// A virtual CPU: it runs, faults and waits.
#[derive(Clone, Debug)]
pub(super) struct VirtualCpu {
    pub guest: u32,
    pub program: Program,
    /// What it touched when it got the frames it had waited for. Its next burst pays for it.
    pub granted: Touched,
    /// Whether it has touched its loop and now waits for the end of the fill before it does I/O or thinks.
    pub held: bool,
    pub stage: Stage,
    /// Processor time left of the cycle's computing, or of holding the lock.
    pub left: Span,
    /// Guest time that its next burst pays for: a Diag X'44' that returned by the fast path, or touching pages that CP got for it
    /// under the PTIL.
    pub owed: Span,
    /// The cycles that it does as one.
    pub series: Series,
    /// Pages of this cycle that it still has to release.
    pub to_release: u64,
    /// When the cycle began.
    pub cycle_began: Instant,
    /// The processor that it runs on.
    pub on: Option<u32>,
    /// Whether it runs on processor time that nobody else wanted.
    pub free: bool,
    /// When its pause is over, while it pauses.
    pub pause_ends: Option<Instant>,
    /// Counts its pauses at this member. The announced end of an earlier pause is void.
    pub pauses: u32,
    /// Pages that it touched at this member in earlier visits, and the pages that its program had touched when this visit
    /// began.
    touched_before: u64,
    arrived_with: u64,
    state: GuestState,
    since: Instant,
    spent: [Span; STATES],
}

/// Cycles that follow one another without a break, and are done as one: they touch all their pages, and then compute. Usually one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Series {
    pub cycles: u64,
    /// What each of them takes, where there are several.
    pub each: Span,
}

impl Series {
    /// A single cycle.
    pub const ONE: Series = Series { cycles: 1, each: Span::ZERO };

    /// How many of its cycles are over when it has still to run for `left`, and for how long the next one has run.
    fn over(self, left: Span) -> (u64, Span) {
        if self.cycles == 1 || self.each == Span::ZERO {
            return (0, Span::ZERO);
        }
        let under_way = left.0.div_ceil(self.each.0).min(self.cycles);
        (self.cycles - under_way, Span((under_way * self.each.0).saturating_sub(left.0)))
    }
}

/// How far a burst in progress is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Burst {
    /// For how long it has executed.
    pub executed: Span,
    /// For how long it has still to execute.
    pub left: Span,
    /// The part of that which is charged to the guest: all but spinning for CP's lock.
    pub charged: Span,
    /// Whether it executes at this instant.
    pub executes: bool,
}

/// A virtual CPU on its way from one member to another.
#[derive(Clone, Debug)]
pub(super) struct Traveller {
    program: Program,
    granted: Touched,
    stage: Stage,
    series: Series,
    left: Span,
    owed: Span,
    cycle_began: Instant,
    /// When its pause is over; none where it wants to run.
    pause_ends: Option<Instant>,
}

/// How a touch changes pages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    percent: u32,
    guest: u64,
}

impl Change {
    /// Whether touching `page` changes it, as a mask of its word: [`mask`](Self::mask) for one page. Only the bit of `page`
    /// counts.
    pub fn page(self, page: u64) -> u64 {
        match self.percent {
            0 => 0,
            100.. => u64::MAX,
            percent => u64::from(self.hits(page, percent)) << (page % 64),
        }
    }

    fn hits(self, page: u64, percent: u32) -> bool {
        self.spread(page) < least_spared(percent)
    }

    /// A number of a page, spread evenly: a multiplicative hash.
    fn spread(self, page: u64) -> u64 {
        ((self.guest << 40) | page).wrapping_mul(SPREADS)
    }

    /// The pages of `word` that change when they are touched. The choice is fixed for the run. The published runs change all pages.
    pub fn mask(self, word: u64) -> u64 {
        match self.percent {
            0 => 0,
            100.. => u64::MAX,
            percent => {
                let (first, least) = (self.spread(word << 6), least_spared(percent));
                (0..64).fold(0, |mask, bit| mask | (u64::from(first.wrapping_add(SPREADS.wrapping_mul(bit)) < least) << bit))
            }
        }
    }
}

/// Multiplier of the hash: 2^64 by the golden ratio (Knuth, The Art of Computer Programming, 6.4).
const SPREADS: u64 = 0x9e37_79b9_7f4a_7c15;

/// The least hash of a page that a touch does not change, where it changes `percent` of them. Of a hash the upper 32 bits count.
fn least_spared(percent: u32) -> u64 {
    (u64::from(percent) << 32).div_ceil(100) << 32
}

impl Guest {
    /// Guest `index` of the host, with the virtual CPUs `cpus`. It is number `place.1` of group `place.0`. A µs of nominal
    /// processor time takes its processors `slowness.0` µs, and CP `slowness.1` µs. It is here, or `away` at another member.
    pub fn new(
        group: &GuestGroup,
        place: (u32, u32),
        index: u64,
        cpus: Range<u32>,
        slowness: (f64, f64),
        away: bool,
    ) -> Self {
        let (group_index, number) = place;
        let of = |us: u32, slowness: f64| Span::from_ns_f64(f64::from(us) * 1e3 * slowness);
        let time = |us: u32| of(us, slowness.0);
        Guest {
            name: format!("{}-{number}", group.name),
            group: group_index,
            cpus,
            waiting: 0,
            line: VecDeque::new(),
            change: Change { percent: group.change_percent, guest: index },
            does_io: group.io_records > 0,
            in_cycles: group.in_cycles(),
            cpu: time(group.cpu_us),
            service: of(group.service_us, slowness.1),
            lock: time(group.lock_us),
            releases: group.releases(),
            pages_released: 0,
            release_time: Span::ZERO,
            pace: Span::from_ns_f64(group.cycle().1),
            away,
            stopping: false,
            reordering: false,
            reorders: 0,
            reordered: Span::ZERO,
            reorder_cp: Span::ZERO,
            at_reorder: None,
            reorder_began: Instant::ZERO,
            read_before_stay: 0,
            ios: 0,
            cycles: 0,
            response: Span::ZERO,
            used: Span::ZERO,
            // Of clients and servers a transaction is a round, or the part of one.
            transaction: if group.role == Role::Alone { group.transaction } else { 1 },
            role: group.role,
        }
    }

    /// It has done `cycles`, or a client a round of a connection, together in a time.
    pub fn count_cycles(&mut self, cycles: u64, took: Span) {
        self.cycles += cycles;
        self.response += took;
    }

    pub fn change(&self) -> Change {
        self.change
    }

    /// In which state its virtual CPUs wait that want to run but may not: none if they may.
    pub fn held_in(&self) -> Option<GuestState> {
        match (self.reordering, self.stopping) {
            (true, _) => Some(GuestState::ConsoleWait),
            (false, true) => Some(GuestState::Stopped),
            (false, false) => None,
        }
    }

    /// A snapshot of the guest and its virtual CPUs at `now`. It leaves out what the scheduler and storage know of the
    /// guest. `burst` tells how far the burst in progress of one of its virtual CPUs is, by the processor and the virtual CPU.
    pub fn snapshot(&self, now: Instant, cpus: &[VirtualCpu], burst: &dyn Fn(u32, u32) -> Burst) -> GuestSnapshot {
        // Those in progress. While CP serves a virtual CPU, that waits and does not run.
        let bursts =
            || cpus.iter().zip(self.cpus.start..).filter_map(|(cpu, index)| Some((cpu.state, burst(cpu.on?, index))));
        // Of a series the cycles that are over, and the time that they took.
        let over = || {
            let in_series = cpus.iter().zip(self.cpus.start..).filter(|(cpu, _)| cpu.series.cycles > 1);
            in_series.filter_map(|(cpu, index)| {
                let is_last = cpu.program.cycle_over() && cpu.left == Span::ZERO;
                let (cycles, next) = cpu.series.over(burst(cpu.on.filter(|_| is_last)?, index).left);
                let took = Span(now.since(cpu.cycle_began).0.saturating_sub(next.0));
                (cycles > 0).then_some((cycles, took))
            })
        };
        let runs = |(state, burst): (GuestState, Burst)| if state == GuestState::Running { burst.executed.0 } else { 0 };
        let executed = || bursts().map(runs).sum::<u64>();
        let spent = |state: GuestState| cpus.iter().map(|cpu| cpu.spent(now, state)).sum::<u64>();
        // Of the bursts in progress.
        let going_on = || cpus.iter().map(|cpu| cpu.going_on(now, GuestState::Running).0).sum::<u64>();
        let sum = |of: fn(&VirtualCpu) -> u64| cpus.iter().map(of).sum::<u64>();
        let seen = |(cpu, index): (&VirtualCpu, u32)| match (cpu.state, cpu.on) {
            (GuestState::Running, Some(processor)) if !burst(processor, index).executes => GuestState::Interrupted,
            (state, _) => state,
        };
        let states: Vec<GuestState> = cpus.iter().zip(self.cpus.start..).map(seen).collect();
        let first = GuestState::ALL.into_iter().find(|state| states.contains(state));
        // Booked while it passes: a reorder takes longer than some intervals.
        let at_reorder = self.at_reorder.map_or(0, |(began, time)| now.since(began).min(time).0);
        GuestSnapshot {
            name: self.name.clone(),
            group: self.group,
            away: self.away,
            state: if self.away { GuestState::Away } else { first.unwrap_or_default() },
            virtual_cpus: states,
            cpu_ns: self.used.0 + bursts().map(|(_, burst)| burst.charged.0).sum::<u64>(),
            cycles: self.cycles + over().map(|(cycles, _)| cycles).sum::<u64>(),
            response_ns: self.response.0 + over().map(|(_, took)| took.0).sum::<u64>(),
            in_cycles: self.in_cycles,
            pages_touched: sum(VirtualCpu::touched),
            references: sum(|cpu| cpu.touched() * cpu.program.references()),
            does_io: self.does_io,
            ios: self.ios,
            transaction: self.transaction,
            asks: self.role == Role::Client,
            serves: self.role == Role::Server,
            position_pages: cpus.first().map_or(0, |cpu| cpu.program.position()),
            running_ns: spent(GuestState::Running) - going_on() + executed(),
            interrupted_ns: spent(GuestState::Interrupted) + going_on() - executed(),
            ready_ns: spent(GuestState::Ready),
            page_wait_ns: spent(GuestState::PageWait),
            frame_wait_ns: spent(GuestState::FrameWait),
            io_wait_ns: spent(GuestState::IoWait),
            simulation_wait_ns: spent(GuestState::SimulationWait),
            eligible_ns: spent(GuestState::Eligible),
            limit_list_ns: spent(GuestState::LimitList),
            idle_ns: spent(GuestState::Idle),
            console_wait_ns: spent(GuestState::ConsoleWait),
            reorders: self.reorders,
            reorder_ns: self.reordered.0,
            reorder_cp_ns: self.reorder_cp.0 + at_reorder,
            stopped_ns: spent(GuestState::Stopped),
            away_ns: spent(GuestState::Away),
            ..GuestSnapshot::default()
        }
    }
}

impl VirtualCpu {
    /// A virtual CPU of `guest` with its program, here or `away` at another member. It is idle.
    pub fn new(guest: u32, program: Program, away: bool) -> Self {
        VirtualCpu {
            guest,
            program,
            granted: Touched::default(),
            held: false,
            stage: Stage::Walk,
            left: Span::ZERO,
            owed: Span::ZERO,
            to_release: 0,
            cycle_began: Instant::ZERO,
            series: Series::ONE,
            on: None,
            free: false,
            pause_ends: None,
            pauses: 0,
            touched_before: 0,
            arrived_with: 0,
            state: if away { GuestState::Away } else { GuestState::Idle },
            since: Instant::ZERO,
            spent: [Span::ZERO; STATES],
        }
    }

    pub fn state(&self) -> GuestState {
        self.state
    }

    /// Since when it is in its state.
    pub fn since(&self) -> Instant {
        self.since
    }

    /// It is in `state` from `now` on.
    pub fn enter(&mut self, now: Instant, state: GuestState) {
        self.spent[self.state as usize] += now.since(self.since);
        self.state = state;
        self.since = now;
    }

    /// A burst is over, in which it executed for `executed`. Others had its processor for the rest of the time since it began.
    /// A service of CP is no time running.
    pub fn executed(&mut self, now: Instant, executed: Span) {
        if self.state != GuestState::Running {
            return;
        }
        let others = now.since(self.since) - executed;
        self.spent[GuestState::Running as usize] += executed;
        self.spent[GuestState::Interrupted as usize] += others;
        self.since = now;
    }

    /// Pages touched at this member.
    pub fn touched(&self) -> u64 {
        match self.state {
            GuestState::Away => self.touched_before,
            _ => self.touched_before + self.program.touched() - self.arrived_with,
        }
    }

    /// Its guest leaves this member.
    pub fn depart(&mut self, now: Instant) -> Traveller {
        let traveller = Traveller {
            program: self.program.clone(),
            granted: self.granted,
            stage: self.stage,
            series: self.series,
            left: self.left,
            owed: self.owed,
            cycle_began: self.cycle_began,
            pause_ends: self.pause_ends,
        };
        self.touched_before = self.touched();
        self.pauses += 1;
        self.pause_ends = None;
        self.enter(now, GuestState::Away);
        traveller
    }

    /// Its guest arrives at this member, where it goes on. Returns when its pause ends, if it is in one.
    pub fn arrive(&mut self, now: Instant, came: Traveller) -> Option<Instant> {
        self.arrived_with = came.program.touched();
        self.program = came.program;
        self.enter(now, GuestState::Idle);
        (self.granted, self.stage, self.series, self.left) = (came.granted, came.stage, came.series, came.left);
        (self.owed, self.cycle_began, self.pause_ends) = (came.owed, came.cycle_began, came.pause_ends);
        self.pauses += 1;
        self.pause_ends
    }

    /// It pauses until then. Returns the number of the pause.
    pub fn pause(&mut self, until: Instant) -> u32 {
        self.pause_ends = Some(until);
        self.pauses += 1;
        self.pauses
    }

    /// For how long it has been in `state` without a break.
    fn going_on(&self, now: Instant, state: GuestState) -> Span {
        if state == self.state { now.since(self.since) } else { Span::ZERO }
    }

    fn spent(&self, now: Instant, state: GuestState) -> u64 {
        (self.spent[state as usize] + self.going_on(now, state)).0
    }

    /// All of its time up to `now`.
    pub fn accounted(&self, now: Instant) -> u64 {
        let here: u64 = GuestState::ALL.into_iter().map(|state| self.spent(now, state)).sum();
        here + self.spent(now, GuestState::Away)
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
