//! The guests of a member with their virtual CPUs: who is here, who waits for what, who is stopped.

use std::ops::Range;

use super::guest::{Burst, Guest, Series, Stage, Traveller, VirtualCpu};
use crate::kernel::time::{Instant, Span};
use crate::scenario::Scenario;
use crate::snapshot::{GuestSnapshot, GuestState};
use crate::workload::Program;

/// All guests of the scenario. Those of other members are there too, as away.
#[derive(Clone, Debug)]
pub(super) struct Guests {
    guests: Vec<Guest>,
    cpus: Vec<VirtualCpu>,
    /// Since when each virtual CPU waits for a processor, be it that it is ready or that it waits in the limit list;
    /// [`NOT_WAITING`] where it does not.
    waiting: Vec<Instant>,
    /// Virtual CPUs that have not yet touched their whole loop.
    filling: u32,
}

/// Of virtual CPUs that do not wait for a processor.
const NOT_WAITING: Instant = Instant(u64::MAX);

/// Whether a virtual CPU in `state` waits for a processor, or for a maximum share and then for a processor.
fn waits(state: GuestState) -> bool {
    matches!(state, GuestState::Ready | GuestState::LimitList)
}

impl Guests {
    /// The guests of `scenario` as member `number` sees them at the start. A µs of a service takes CP `service` µs, on processors of
    /// nominal capacity.
    pub fn new(scenario: &Scenario, number: u32, seed: u64, service: f64) -> Self {
        let slowness = 100.0 / f64::from(scenario.processors.capacity_percent);
        let slowness = (slowness, slowness * service);
        let mut guests = Vec::new();
        let mut cpus: Vec<VirtualCpu> = Vec::new();
        for (group, at, nth) in scenario.each_guest() {
            let index = guests.len() as u64;
            let programs = (0..group.virtual_cpus).map(|cpu| Program::new(group, index, cpu, seed));
            let away = group.member != number;
            let first = cpus.len() as u32;
            cpus.extend(programs.map(|program| VirtualCpu::new(index as u32, program, away)));
            guests.push(Guest::new(group, (at, nth), index, first..cpus.len() as u32, slowness, away));
        }
        let filling = cpus.iter().filter(|cpu| cpu.state() != GuestState::Away).count() as u32;
        let waiting = vec![NOT_WAITING; cpus.len()];
        Guests { guests, cpus, waiting, filling }
    }

    /// How many guests there are, including those that are away.
    pub fn count(&self) -> u32 {
        self.guests.len() as u32
    }

    /// How many virtual CPUs there are.
    pub fn cpu_count(&self) -> u32 {
        self.cpus.len() as u32
    }

    pub fn guest(&self, guest: u32) -> &Guest {
        &self.guests[guest as usize]
    }

    pub fn guest_mut(&mut self, guest: u32) -> &mut Guest {
        &mut self.guests[guest as usize]
    }

    pub fn cpu(&self, cpu: u32) -> &VirtualCpu {
        &self.cpus[cpu as usize]
    }

    pub fn cpu_mut(&mut self, cpu: u32) -> &mut VirtualCpu {
        &mut self.cpus[cpu as usize]
    }

    /// A virtual CPU is in `state` from `now` on.
    pub fn enter(&mut self, now: Instant, cpu: u32, state: GuestState) {
        let since = &mut self.waiting[cpu as usize];
        let (waited, waits) = (*since != NOT_WAITING, waits(state));
        if waited != waits {
            *since = if waits { now } else { NOT_WAITING };
        }
        let (guest, virtual_cpu) = self.with_cpu(cpu);
        guest.waiting = guest.waiting + u32::from(waits) - u32::from(waited);
        virtual_cpu.enter(now, state);
        if waits && !waited && guest.lock > Span::ZERO {
            self.stand_in_line(now, cpu);
        }
    }

    /// A virtual CPU waits for a processor from `now` on: it goes to the end of its guest's line, and before those who came at the
    /// same instant and have a higher number.
    fn stand_in_line(&mut self, now: Instant, cpu: u32) {
        let Guest { line, cpus, .. } = &mut self.guests[self.cpus[cpu as usize].guest as usize];
        let is_there = |&(since, cpu): &(Instant, u32)| self.waiting[cpu as usize] == since;
        while line.front().is_some_and(|first| !is_there(first)) {
            line.pop_front();
        }
        if line.len() > 2 * cpus.len() {
            line.retain(is_there);
        }
        let before = line.iter().rev().take_while(|&&(since, other)| since == now && other > cpu).count();
        match before {
            0 => line.push_back((now, cpu)), // Nearly always, and much less work.
            _ => line.insert(line.len() - before, (now, cpu)),
        }
    }

    pub fn cpus(&self) -> impl Iterator<Item = &VirtualCpu> {
        self.cpus.iter()
    }

    /// The guest of a virtual CPU.
    pub fn of(&self, cpu: u32) -> &Guest {
        self.guest(self.cpu(cpu).guest)
    }

    pub fn of_mut(&mut self, cpu: u32) -> &mut Guest {
        self.guest_mut(self.cpu(cpu).guest)
    }

    /// A virtual CPU and its guest.
    pub fn with_cpu(&mut self, cpu: u32) -> (&mut Guest, &mut VirtualCpu) {
        let cpu = &mut self.cpus[cpu as usize];
        (&mut self.guests[cpu.guest as usize], cpu)
    }

    /// The virtual CPUs of a guest.
    pub fn cpus_of(&self, guest: u32) -> Range<u32> {
        self.guest(guest).cpus.clone()
    }

    fn cpus_seen(&self, guest: u32) -> &[VirtualCpu] {
        let Range { start, end } = self.cpus_of(guest);
        &self.cpus[start as usize..end as usize]
    }

    /// Whether every virtual CPU that was here at the start has touched its whole loop once.
    pub fn filled(&self) -> bool {
        self.filling == 0
    }

    /// One more has. Returns whether it was the last.
    pub fn went_round(&mut self) -> bool {
        self.filling -= 1;
        self.filled()
    }

    /// Virtual CPUs in a state.
    pub fn in_state(&self, state: GuestState) -> usize {
        self.cpus.iter().filter(|cpu| cpu.state() == state).count()
    }

    /// Guests that are logged on here.
    pub fn here(&self) -> u32 {
        self.guests.iter().filter(|guest| !guest.away).count() as u32
    }

    /// I/Os that all of them asked for and got.
    pub fn ios(&self) -> u64 {
        self.guests.iter().map(|guest| guest.ios).sum()
    }

    /// Whether each of a guest's virtual CPUs is stopped or idle, and CP is not at work on its list of frames.
    pub fn stands_still(&self, guest: u32) -> bool {
        let still = |cpu: &VirtualCpu| matches!(cpu.state(), GuestState::Stopped | GuestState::Idle);
        !self.guest(guest).reordering && self.cpus_seen(guest).iter().all(still)
    }

    /// Whether none of a guest's virtual CPUs is on a processor, or waits for one.
    pub fn is_off_processors(&self, guest: u32) -> bool {
        self.cpus_seen(guest).iter().all(|cpu| cpu.on.is_none() && cpu.state() != GuestState::Ready)
    }

    /// Whether a virtual CPU waits for a processor, be it ready or in the limit list.
    pub fn is_waiting(&self, cpu: u32) -> bool {
        self.waiting[cpu as usize] != NOT_WAITING
    }

    /// Whether a virtual CPU of the guest waits for a processor, be it ready or in the limit list.
    pub fn somebody_waits(&self, guest: u32) -> bool {
        self.guest(guest).waiting > 0
    }

    /// Checks that what is noted of those who wait for a processor is so.
    pub fn verify(&self) {
        for (cpu, since) in self.cpus.iter().zip(&self.waiting) {
            let noted = if waits(cpu.state()) { *since <= cpu.since() } else { *since == NOT_WAITING };
            assert!(noted, "it is noted since when a virtual CPU waits for a processor");
        }
        for guest in 0..self.count() {
            let waiting = self.cpus_seen(guest).iter().filter(|cpu| waits(cpu.state())).count();
            assert_eq!(self.guest(guest).waiting as usize, waiting, "it is noted how many wait for a processor");
            if self.guest(guest).lock > Span::ZERO {
                let longest = self.cpus_of(guest).min_by_key(|&cpu| self.waiting[cpu as usize]);
                let longest = longest.filter(|&cpu| self.waiting[cpu as usize] != NOT_WAITING);
                assert_eq!(self.waiting_for_longest(guest), longest, "the line is in order");
            }
        }
    }

    /// The virtual CPU of the guest that has waited longest for a processor.
    pub fn waiting_for_longest(&self, guest: u32) -> Option<u32> {
        let is_there = |&&(since, cpu): &&(Instant, u32)| self.waiting[cpu as usize] == since;
        self.guest(guest).line.iter().find(is_there).map(|&(_, cpu)| cpu)
    }

    /// How many different pages the guest has touched in its present stay in the dispatch list.
    pub fn stay_pages(&self, guest: u32) -> u64 {
        self.cpus_seen(guest).iter().map(|cpu| cpu.program.stay_pages()).sum()
    }

    /// A virtual CPU begins a cycle.
    pub fn start_cycle(&mut self, now: Instant, cpu: u32) {
        let (guest, VirtualCpu { program, stage, series, left, cycle_began, .. }) = self.with_cpu(cpu);
        program.begin_cycle();
        *stage = Stage::Walk;
        *series = Series::ONE;
        *left = program.work(guest.cpu);
        *cycle_began = now;
    }

    /// The cycle that a virtual CPU has just begun is the first of a series.
    pub fn begin_series(&mut self, cpu: u32, series: Series) {
        let cpu = self.cpu_mut(cpu);
        cpu.program.begin_series(series.cycles);
        cpu.left = Span(cpu.left.0 * series.cycles);
        cpu.series = series;
    }

    /// A virtual CPU wants a page in the middle of its series. It does not begin the cycles after this one, and returns what it has
    /// still to compute of those before it.
    pub fn cut_series(&mut self, cpu: u32) -> Span {
        let (guest, VirtualCpu { program, series, left, .. }) = self.with_cpu(cpu);
        let Some(pages) = program.pages_in_series().filter(|_| series.cycles > 1 && !program.cycle_over()) else {
            return Span::ZERO;
        };
        let not_over = program.cut_series(pages);
        series.cycles -= not_over - 1;
        let before = Span(left.0.saturating_sub(guest.cpu.0 * not_over));
        *left = guest.cpu;
        before
    }

    /// A virtual CPU has done its cycle, or its series, with or without an I/O. Returns when it wants to begin the next.
    pub fn end_cycle(&mut self, now: Instant, cpu: u32, does_io: bool) -> Instant {
        let (guest, VirtualCpu { cycle_began, program, series, .. }) = self.with_cpu(cpu);
        let think = program.think_ns().map(Span::from_ns_f64);
        guest.ios += u64::from(does_io);
        guest.count_cycles(series.cycles, now.since(*cycle_began));
        let thought = now + think.unwrap_or(Span::ZERO);
        thought.max(*cycle_began + guest.pace)
    }

    /// A guest whose virtual CPUs are all stopped or idle leaves.
    pub fn let_go(&mut self, now: Instant, guest: u32) -> Vec<Traveller> {
        let travellers = self.cpus_of(guest).map(|cpu| self.cpu_mut(cpu).depart(now)).collect();
        let guest = self.guest_mut(guest);
        (guest.away, guest.stopping) = (true, false);
        travellers
    }

    /// A snapshot of a guest and its virtual CPUs. It leaves out what the scheduler and storage know of the guest.
    /// `burst` tells how far the burst in progress of a virtual CPU is, by the processor and the virtual CPU.
    pub fn snapshot(&self, now: Instant, guest: u32, burst: &dyn Fn(u32, u32) -> Burst) -> GuestSnapshot {
        self.guest(guest).snapshot(now, self.cpus_seen(guest), burst)
    }
}
