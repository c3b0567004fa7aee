//! What the guests of one host wait for.

use super::io::{Split, split};
use super::{Found, ResourceKind, Tally, part, ratio};
use crate::constants::Constants;
use crate::devices::Claimant;
use crate::scenario::{GuestGroup, LimitType, Scenario};
use crate::snapshot::{GuestSnapshot, GuestState, PtilSnapshot, Snapshot, VolumeSnapshot};

/// A host between two snapshots.
pub(super) struct Host<'a> {
    pub(super) scenario: &'a Scenario,
    constants: &'a Constants,
    pub(super) before: &'a Snapshot,
    pub(super) after: &'a Snapshot,
    pub(super) elapsed_ns: f64,
}

/// Notes what the guests of one host wait for, and how long they want to work.
pub(super) fn host(scenario: &Scenario, constants: &Constants, before: &Snapshot, after: &Snapshot, tally: &mut Tally) {
    let elapsed_ns = after.now_ns.saturating_sub(before.now_ns) as f64;
    if elapsed_ns <= 0.0 {
        return;
    }
    let host = Host { scenario, constants, before, after, elapsed_ns };
    let works = |state: &GuestState| *state != GuestState::Idle;
    tally.whole_ns += GuestState::ALL.into_iter().filter(works).map(|state| host.time_in(state)).sum::<f64>();
    host.devices(tally);
    host.processors(tally);
    host.lists(tally);
    host.connections(tally);
    host.virtual_cpus(tally);
}

impl Host<'_> {
    /// How much a counter grew.
    pub(super) fn grown(&self, field: impl Fn(&Snapshot) -> u64) -> f64 {
        field(self.after).saturating_sub(field(self.before)) as f64
    }

    /// The mean of what is known at both ends only.
    fn mean(&self, field: impl Fn(&Snapshot) -> f64) -> f64 {
        (field(self.before) + field(self.after)) / 2.0
    }

    /// How much a counter of the guests grew, for each guest.
    pub(super) fn of_guests(&self, field: fn(&GuestSnapshot) -> u64) -> impl Iterator<Item = (&GuestSnapshot, f64)> {
        self.after.guests.iter().enumerate().map(move |(at, guest)| {
            let earlier = self.before.guests.get(at).map_or(0, field);
            (guest, field(guest).saturating_sub(earlier) as f64)
        })
    }

    /// Time of all guests in a state, and of the connections that wait for them meanwhile.
    fn time_in(&self, state: GuestState) -> f64 {
        let passed_on: f64 = (0..self.after.guests.len()).map(|at| self.passed_on(at, state)).sum();
        self.own_time_in(state) + passed_on
    }

    /// Time of all guests in a state.
    fn own_time_in(&self, state: GuestState) -> f64 {
        self.grown(|snapshot| snapshot.guests.iter().map(|guest| guest.time_in(state)).sum())
    }

    /// Time in which the logical processors did something.
    fn busy(&self) -> f64 {
        self.grown(|snapshot| {
            let of = &snapshot.processors;
            of.guest_ns + of.chargeable_cp_ns + of.nonchargeable_cp_ns
        })
    }

    /// The part of the time for which the logical processors were busy.
    pub(super) fn utilization(&self) -> f64 {
        ratio(self.busy(), f64::from(self.after.processors.count) * self.elapsed_ns)
    }

    /// The group of a guest.
    pub(super) fn group(&self, guest: &GuestSnapshot) -> Option<&GuestGroup> {
        self.scenario.guests.get(guest.group as usize)
    }

    /// Volumes, aliases, paths and frames.
    fn devices(&self, tally: &mut Tally) {
        let [mdisk, paging] =
            [Claimant::Mdisk, Claimant::Paging].map(|of| split(self.scenario, self.constants, of, self.before, self.after));
        // Those who wait for a frame wait for the end of a write; those who wait for a page, for that of a read.
        let for_pages = self.time_in(GuestState::PageWait) + self.time_in(GuestState::FrameWait);
        let own_io = self.own_time_in(GuestState::IoWait);
        let for_io = self.time_in(GuestState::IoWait) * ratio(own_io.min(mdisk.response_ns), own_io);
        self.paths(&mdisk, &paging, [for_io, for_pages], tally);
        self.exposures([for_io * mdisk.exposures, for_pages * paging.exposures], tally);
        // The I/O itself, with nobody else on the control unit: with more frames there would be none.
        let storage = &self.after.storage;
        let pageable = storage.installed_frames.saturating_sub(storage.cp_frames + storage.mdc_frames) as f64;
        // Where pages that CP works on must be below 2 GB, the frames there can be the scarce ones: if more is to be there than fits.
        let below = storage.sides.as_ref().filter(|_| self.scenario.lacks_below(self.constants) > 0);
        let pageable = below.map_or(pageable, |sides| sides.frames_below.saturating_sub(sides.cp_below) as f64);
        let free = self.mean(|snapshot| match (below, &snapshot.storage.sides) {
            (Some(_), Some(sides)) => sides.available_below as f64,
            _ => snapshot.storage.available_frames as f64,
        });
        let in_use = 1.0 - part(free, pageable);
        let kind = if below.is_some() { ResourceKind::FramesBelow } else { ResourceKind::Frames };
        tally.waits(kind, pageable as u32, in_use, for_pages * paging.own());
    }

    fn paths(&self, mdisk: &Split, paging: &Split, [for_io, for_pages]: [f64; 2], tally: &mut Tally) {
        let ficon = self.after.lcu.ficon_paths as usize;
        let all = self.after.lcu.path_busy_ns.len();
        let mean = |from: usize, to: usize| {
            let busy = self.grown(|snapshot| {
                let paths = &snapshot.lcu.path_busy_ns;
                paths.get(from..to).map_or(0, |paths| paths.iter().sum())
            });
            ratio(busy, (to - from) as f64 * self.elapsed_ns)
        };
        // As many FCP paths as FICON paths.
        let busy = mean(0, ficon.min(all)).max(mean(ficon.min(all), all));
        tally.note(Found {
            kind: ResourceKind::Paths,
            count: ficon as u32,
            busy,
            queue_ns: mdisk.sharing_ns + paging.sharing_ns,
            waiting_ns: for_io * mdisk.paths + for_pages * paging.paths,
        });
    }

    /// An I/O that waits while the pool of aliases may serve it waits for an alias: any alias would do. All others wait for
    /// their volume.
    fn exposures(&self, waits: [f64; 2], tally: &mut Tally) {
        let (scenario, after, before) = (self.scenario, self.after, self.before);
        let pool = f64::from(after.lcu.aliases);
        let queues = |later: &[VolumeSnapshot], earlier: &[VolumeSnapshot], aliased: bool| {
            let mut queue = [0.0; 2];
            for (at, volume) in later.iter().enumerate() {
                let grown = volume.queue_ns.saturating_sub(earlier.get(at).map_or(0, |volume| volume.queue_ns));
                queue[usize::from(aliased && volume.kind.is_eckd() && pool > 0.0)] += grown as f64;
            }
            queue
        };
        let page = queues(&after.paging.volumes, &before.paging.volumes, scenario.paging.alias);
        let minidisk = queues(&after.minidisks.volumes, &before.minidisks.volumes, true);
        // Minidisks on page volumes queue there.
        let mdisk = self.grown(|snapshot| snapshot.minidisks.ios.queue_ns);
        let on_page = part(mdisk - minidisk[0] - minidisk[1], mdisk);
        let aliased = |queue: [f64; 2]| part(queue[1], queue[0] + queue[1]);
        let on_page_aliased = f64::from(u8::from(pool > 0.0 && scenario.paging.kind.is_eckd()));
        let [for_io, for_pages] = waits;
        let here = for_io * (1.0 - on_page);
        let of_aliases = for_pages * aliased(page) + here * aliased(minidisk) + for_io * on_page * on_page_aliased;
        let of_page = for_pages * (1.0 - aliased(page)) + for_io * on_page * (1.0 - on_page_aliased);
        let of_minidisk = here * (1.0 - aliased(minidisk));

        let held = self.grown(|snapshot| snapshot.paging.ios.aliases_ns + snapshot.minidisks.ios.aliases_ns);
        tally.note(Found {
            kind: ResourceKind::Aliases,
            count: after.lcu.aliases,
            busy: part(held, pool * self.elapsed_ns),
            queue_ns: page[1] + minidisk[1],
            waiting_ns: of_aliases,
        });
        let held_of = [
            self.grown(|snapshot| snapshot.paging.ios.aliases_ns),
            self.grown(|snapshot| snapshot.minidisks.ios.aliases_ns) * (1.0 - on_page),
        ];
        let depths = [scenario.paging.queue_depth, scenario.minidisks.queue_depth];
        let both = [(&after.paging.volumes, &before.paging.volumes), (&after.minidisks.volumes, &before.minidisks.volumes)];
        let kinds = [ResourceKind::PageVolumes, ResourceKind::MinidiskVolumes];
        let found = [(page[0], of_page), (minidisk[0], of_minidisk)];
        for at in 0..2 {
            let (later, earlier) = both[at];
            let sum = |volumes: &[VolumeSnapshot]| volumes.iter().map(|volume| volume.busy_ns).sum::<u64>();
            let own = sum(later).saturating_sub(sum(earlier)) as f64 - held_of[at];
            let exposures =
                later.iter().map(|volume| if volume.kind.is_eckd() { 1.0 } else { f64::from(depths[at]) }).sum::<f64>();
            let (queue_ns, waiting_ns) = found[at];
            let busy = part(own, exposures * self.elapsed_ns);
            tally.note(Found { kind: kinds[at], count: later.len() as u32, busy, queue_ns, waiting_ns });
        }
    }

    /// Processors, what they are held by, and locks.
    fn processors(&self, tally: &mut Tally) {
        let elapsed_ns = self.elapsed_ns;
        let count = self.after.processors.count;
        let busy = self.busy();
        let suspended = self.grown(|snapshot| snapshot.processors.suspended_ns);
        let cp_spin = self.grown(|snapshot| snapshot.locks.cp_spin_ns);
        let guest_spin = self.grown(|snapshot| snapshot.locks.guest_spin_ns);
        let (behind_ptil, behind_its_holder) = self.ptil(tally);
        let ready = self.time_in(GuestState::Ready) + behind_its_holder;
        let forgotten = self.grown(|snapshot| snapshot.processors.forgotten_ns).min(ready);
        // The part of a wait for a processor that is a wait for what its holder waits for.
        let passed_on = |ns: f64| (ready - forgotten) * part(ns, busy + suspended);
        let others = passed_on(suspended) + passed_on(cp_spin) + passed_on(guest_spin);
        tally.waits(ResourceKind::Processors, count, self.utilization(), ready - forgotten - others);
        tally.waits(ResourceKind::Vectors, count, ratio(forgotten, elapsed_ns), forgotten);

        let prsm = self.grown(|snapshot| {
            let of = &snapshot.prsm;
            of.own_ns + of.other_ns + of.own_overhead_ns + of.other_overhead_ns
        });
        let physical = self.after.prsm.physical;
        let of_machine = ratio(prsm, f64::from(physical) * elapsed_ns);
        // The cap holds a part of those that have no physical processor.
        let held = self.grown(|snapshot| snapshot.prsm.own_held_ns).min(suspended);
        let waiting = suspended + passed_on(suspended);
        let of_cap = waiting * part(held, suspended);
        tally.waits(ResourceKind::PhysicalProcessors, physical, of_machine, waiting - of_cap);
        let cap = self.after.prsm.capped_thousandths as f64 / 1e3;
        let of_own = ratio(self.grown(|snapshot| snapshot.prsm.own_ns), cap * elapsed_ns);
        tally.waits(ResourceKind::Cap, 1, of_own, of_cap);

        // How often somebody who came found the lock taken.
        let taken = self.grown(|snapshot| snapshot.locks.cp_taken);
        let cp_lock = ratio(self.grown(|snapshot| snapshot.locks.cp_contended), taken);
        tally.waits(ResourceKind::CpLock, 1, cp_lock, cp_spin + passed_on(cp_spin));
        tally.waits(ResourceKind::GuestLocks, self.guest_locks(), self.guest_lock(), guest_spin + passed_on(guest_spin));
        let held = self.mean(|snapshot| f64::from(u8::from(snapshot.locks.vary_held)));
        let behind = self.mean(|snapshot| f64::from(snapshot.locks.vary_waiting)) * elapsed_ns;
        let simulated = self.time_in(GuestState::SimulationWait) - behind_ptil - behind_its_holder;
        tally.waits(ResourceKind::VaryLock, 1, held, behind.min(simulated.max(0.0)));
    }

    /// The locks of page tables. Returns for how long guests waited for one that its holder used, and for one whose holder waited for
    /// a processor itself.
    fn ptil(&self, tally: &mut Tally) -> (f64, f64) {
        let (mut count, mut busiest, mut used, mut behind_ready) = (0, 0.0, 0.0, 0.0);
        for (at, guest) in self.after.guests.iter().enumerate() {
            let Some(ptil) = &guest.ptil else { continue };
            let earlier = self.before.guests.get(at);
            let grown = |field: fn(&PtilSnapshot) -> u64| {
                let was = earlier.and_then(|guest| guest.ptil.as_ref()).map_or(0, field);
                field(ptil).saturating_sub(was) as f64
            };
            let (held, waits) = (grown(|ptil| ptil.held_ns), grown(|ptil| ptil.wait_ns));
            let closed = grown(|ptil| ptil.closed_ns);
            let working = if held > 0.0 { part(grown(|ptil| ptil.work_ns), held) } else { 1.0 };
            // A holder that does not work waits where its guest's virtual CPUs wait that may not run, or lack a processor.
            let time_in = |state| guest.time_in(state).saturating_sub(earlier.map_or(0, |was| was.time_in(state))) as f64;
            let held_back = [GuestState::LimitList, GuestState::Eligible, GuestState::ConsoleWait].map(time_in);
            let ready = time_in(GuestState::Ready);
            count += 1;
            busiest = f64::max(busiest, part(closed, self.elapsed_ns));
            used += waits * working;
            behind_ready += waits * (1.0 - working) * part(ready, ready + held_back.iter().sum::<f64>());
        }
        // Connections wait for whatever the virtual CPUs wait for that they need.
        let with_connections =
            ratio(self.time_in(GuestState::SimulationWait), self.own_time_in(GuestState::SimulationWait)).max(1.0);
        tally.waits(ResourceKind::Ptil, count, busiest, used * with_connections);
        (used * with_connections, behind_ready * with_connections)
    }

    /// How many guests have a lock.
    fn guest_locks(&self) -> u32 {
        let of =
            |guest: &GuestSnapshot| self.scenario.guests.get(guest.group as usize).is_some_and(|group| group.lock_us > 0);
        self.after.guests.iter().filter(|guest| of(guest)).count() as u32
    }

    /// How busy the busiest lock of a guest is, at least: for how long it would be held if its holder always ran.
    fn guest_lock(&self) -> f64 {
        let held = self.of_guests(|guest| guest.cycles).map(|(guest, cycles)| {
            let lock_us = self.scenario.guests.get(guest.group as usize).map_or(0, |group| group.lock_us);
            cycles * f64::from(lock_us) * 1e3
        });
        part(held.fold(0.0, f64::max), self.elapsed_ns)
    }

    /// The eligible list and the limit list.
    fn lists(&self, tally: &mut Tally) {
        let scheduler = &self.after.scheduler;
        if scheduler.keeps_eligible {
            // The integral is of all classes. Of each barrier it has the part that its classes claim at both ends.
            let claimed = self.grown(|snapshot| snapshot.scheduler.claimed_page_us) * 1e3 / self.elapsed_ns;
            let all = self.mean(|snapshot| snapshot.scheduler.claimed[0] as f64);
            let full = (0..3).map(|at| {
                let of_all = ratio(self.mean(|snapshot| snapshot.scheduler.claimed[at] as f64), all);
                ratio(claimed * of_all, scheduler.barriers[at] as f64)
            });
            tally.note(Found {
                kind: ResourceKind::Storbuf,
                count: 3,
                busy: full.fold(0.0, f64::max),
                queue_ns: self.grown(|snapshot| snapshot.scheduler.eligible_ns),
                waiting_ns: self.time_in(GuestState::Eligible),
            });
        }
        let processors = f64::from(self.after.processors.count) * self.elapsed_ns;
        let limited = self.of_guests(|guest| guest.cpu_ns).filter_map(|(guest, used)| {
            let group = self.scenario.guests.get(guest.group as usize)?;
            let share = group.limit_absolute.as_f64() / 100.0;
            (group.limit_type == LimitType::LimitHard).then(|| ratio(used, processors * share))
        });
        let (count, most) = limited.fold((0, 0.0), |(count, most), used| (count + 1, f64::max(most, used)));
        // Past a soft limit a guest waits as long as others use the processors.
        let is_soft =
            |guest: &GuestSnapshot| self.group(guest).is_some_and(|group| group.limit_type == LimitType::LimitSoft);
        let soft = self.after.guests.iter().enumerate().filter(|(_, guest)| is_soft(guest)).map(|(at, _)| {
            let limited = GuestState::LimitList;
            self.grown_of(at, |guest| guest.time_in(limited)) + self.passed_on(at, limited)
        });
        let (for_processors, all) = (soft.sum::<f64>(), self.time_in(GuestState::LimitList));
        tally.waits(ResourceKind::Processors, 0, 0.0, for_processors);
        tally.waits(ResourceKind::MaximumShares, count, most, all - for_processors);
    }
}
