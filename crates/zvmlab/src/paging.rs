//! Paging devices: who waits, who is served, and when.
//!
//! An I/O waits for an exposure of its volume, the base or an alias bound to it for this one I/O; then come pending and
//! disconnect time, the driver's protocol, and the transfer over one of the channel paths that all volumes share. The
//! path is picked at random for each I/O, so some paths carry more I/Os than others, and those stretch each other.

mod path;
mod volume;

use crate::constants::{Constants, Driver};
use crate::kernel::rng::Generator;
use crate::kernel::statistics::TimeWeighted;
use crate::kernel::time::{Instant, Span};
use crate::scenario::{Level, Scenario};
use crate::snapshot::PagingSnapshot;
pub(crate) use path::NextEnd;
use path::Path;
use volume::Volume;

/// Which way pages move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Read,
    Write,
}

/// One I/O, from its request to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Io {
    pub direction: Direction,
    /// What the caller knows the I/O by.
    pub tag: u32,
    pub volume: u16,
    pub blocks: u32,
    pub pages: u32,
    on_alias: bool,
    path: u16,
    /// Order of the requests, so that the one that waits longest gets the next alias.
    sequence: u64,
    protocol_from: Instant,
}

/// An I/O that was given an exposure, and when its transfer begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Started {
    pub io: u32,
    pub transfer_at: Instant,
}

/// What the end of a transfer brings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    pub io: u32,
    pub next_end: Option<NextEnd>,
}

#[derive(Clone, Debug, Default)]
struct Totals {
    starts: u64,
    blocks: [u64; 2],
    pages: [u64; 2],
    pending: Span,
    disconnect: Span,
    connect: Span,
}

/// The paging volumes of one logical control unit, its pool of aliases and its channel paths.
#[derive(Clone, Debug)]
pub(crate) struct Paging {
    driver: Driver,
    volumes: Vec<Volume>,
    aliases: u32,
    aliases_in_use: u32,
    paths: Vec<Path>,
    ios: Vec<Io>,
    free_ios: Vec<u32>,
    sequence: u64,
    in_progress: TimeWeighted,
    totals: Totals,
    path_choice: Generator,
    volume_choice: Generator,
}

impl Paging {
    pub fn new(scenario: &Scenario, constants: &Constants, seed: u64) -> Self {
        let paging = &scenario.paging;
        Paging {
            driver: match (scenario.level, paging.zhpf) {
                (Level::V6_3, _) => constants.command_63,
                (Level::V6_4, false) => constants.command_64,
                (Level::V6_4, true) => constants.transport_64,
            },
            volumes: (0..paging.volumes).map(|_| Volume::new(paging.volume_slots)).collect(),
            aliases: paging.aliases,
            aliases_in_use: 0,
            paths: vec![Path::default(); constants.paths as usize],
            ios: Vec::new(),
            free_ios: Vec::new(),
            sequence: 0,
            in_progress: TimeWeighted::default(),
            totals: Totals::default(),
            path_choice: Generator::new(seed, "paging path"),
            volume_choice: Generator::new(seed, "paging volume"),
        }
    }

    /// How many volumes there are.
    pub fn volume_count(&self) -> u16 {
        self.volumes.len() as u16
    }

    /// The volume that the next block written goes to: any with `pages` free slots, each as likely as the other; where none
    /// has as many, the one with the most.
    pub fn choose_volume(&mut self, pages: u32) -> u16 {
        let count = self.volumes.len() as u64;
        let first = self.volume_choice.below(count);
        let fits = (0..count)
            .map(|step| (first + step) % count)
            .find(|&volume| self.volumes[volume as usize].free() >= pages.into());
        let roomiest = || (0..count).max_by_key(|&volume| self.volumes[volume as usize].free()).unwrap_or(0);
        fits.unwrap_or_else(roomiest) as u16
    }

    /// Takes up to `pages` contiguous slots of `volume`: the first, and how many; `None` if the volume is full.
    pub fn allocate_slots(&mut self, volume: u16, pages: u32) -> Option<(u32, u32)> {
        self.volumes[volume as usize].allocate(pages)
    }

    /// Gives `pages` slots of `volume` back, from `slot` on.
    pub fn release_slots(&mut self, volume: u16, slot: u32, pages: u32) {
        self.volumes[volume as usize].release(slot, pages);
    }

    /// Slots that hold no page, on all volumes.
    pub fn free_slots(&self) -> u64 {
        self.volumes.iter().map(Volume::free).sum()
    }

    /// A request for one I/O. Tells when its transfer begins if it gets an exposure at once.
    pub fn submit(
        &mut self,
        now: Instant,
        direction: Direction,
        tag: u32,
        volume: u16,
        blocks: u32,
        pages: u32,
    ) -> Option<Started> {
        let sequence = self.sequence;
        self.sequence += 1;
        let io = Io { direction, tag, volume, blocks, pages, on_alias: false, path: 0, sequence, protocol_from: now };
        let index = self.free_ios.pop().unwrap_or_else(|| {
            self.ios.push(io);
            self.ios.len() as u32 - 1
        });
        self.ios[index as usize] = io;
        let unit = &mut self.volumes[volume as usize];
        if unit.base_busy && self.aliases_in_use == self.aliases {
            unit.queue.push_back(index);
            unit.count_queue(now);
            return None;
        }
        Some(self.start(now, index))
    }

    /// Starts `index` on its volume's base, or else on an alias; one of them is idle.
    fn start(&mut self, now: Instant, index: u32) -> Started {
        let io = &mut self.ios[index as usize];
        let unit = &mut self.volumes[io.volume as usize];
        io.on_alias = unit.base_busy;
        if io.on_alias {
            self.aliases_in_use += 1;
        } else {
            unit.base_busy = true;
        }
        unit.count_in_progress(now, 1);
        self.in_progress.set(now, self.in_progress.value() + 1);
        io.protocol_from = now + Span::from_ns_f64(self.driver.pending_ns) + Span::from_ns_f64(self.driver.disconnect_ns);
        let protocol = Span::from_ns_f64(self.driver.protocol_ns_per_page * f64::from(io.pages));
        io.path = self.path_choice.below(self.paths.len() as u64) as u16;
        Started { io: index, transfer_at: io.protocol_from + protocol }
    }

    /// The transfer of `io` begins; tells its path and when the next transfer there ends.
    pub fn begin_transfer(&mut self, now: Instant, io: u32) -> (u16, NextEnd) {
        let Io { path, pages, .. } = self.ios[io as usize];
        let work_ns = self.driver.path_ns_per_page * f64::from(pages);
        (path, self.paths[path as usize].join(now, io, work_ns))
    }

    /// A transfer that `path` announced ends; `None` if the announcement is void.
    pub fn end_transfer(&mut self, now: Instant, path: u16, generation: u32) -> Option<Ended> {
        let (index, next_end) = self.paths[path as usize].end(now, generation)?;
        let io = self.ios[index as usize];
        let unit = &mut self.volumes[io.volume as usize];
        unit.count_in_progress(now, -1);
        unit.starts += 1;
        self.in_progress.set(now, self.in_progress.value() - 1);
        let totals = &mut self.totals;
        totals.starts += 1;
        totals.blocks[io.direction as usize] += u64::from(io.blocks);
        totals.pages[io.direction as usize] += u64::from(io.pages);
        totals.pending += Span::from_ns_f64(self.driver.pending_ns);
        totals.disconnect += Span::from_ns_f64(self.driver.disconnect_ns);
        totals.connect += now.since(io.protocol_from);
        Some(Ended { io: index, next_end })
    }

    /// CP has taken the interruption of `index`: its exposure goes to an I/O that waits for it.
    pub fn release_exposure(&mut self, now: Instant, index: u32) -> Option<Started> {
        let io = self.ios[index as usize];
        if io.on_alias {
            self.aliases_in_use -= 1;
        } else {
            self.volumes[io.volume as usize].base_busy = false;
        }
        let volume = self.next_waiting(io)?;
        let unit = &mut self.volumes[volume as usize];
        let next = unit.queue.pop_front()?;
        unit.count_queue(now);
        Some(self.start(now, next))
    }

    /// Whose I/O gets the exposure that `ended` leaves: a base serves its own volume, an alias whoever waits longest.
    fn next_waiting(&self, ended: Io) -> Option<u16> {
        if !ended.on_alias {
            return (!self.volumes[ended.volume as usize].queue.is_empty()).then_some(ended.volume);
        }
        let head = |volume: &Volume| volume.queue.front().map(|&io| self.ios[io as usize].sequence);
        let waiting = self.volumes.iter().enumerate().filter_map(|(index, volume)| Some((head(volume)?, index)));
        waiting.min().map(|(_, index)| index as u16)
    }

    /// The I/O known as `index`.
    pub fn io(&self, index: u32) -> Io {
        self.ios[index as usize]
    }

    /// Forgets the I/O known as `index`, which has ended.
    pub fn forget(&mut self, index: u32) -> Io {
        self.free_ios.push(index);
        self.ios[index as usize]
    }

    pub fn snapshot(&self, now: Instant) -> PagingSnapshot {
        let totals = &self.totals;
        PagingSnapshot {
            volumes: self.volumes.iter().map(|volume| volume.snapshot(now)).collect(),
            aliases: self.aliases,
            aliases_in_use: self.aliases_in_use,
            ios_on_path: self.paths.iter().map(Path::len).collect(),
            starts: totals.starts,
            blocks_read: totals.blocks[Direction::Read as usize],
            blocks_written: totals.blocks[Direction::Write as usize],
            pages_read: totals.pages[Direction::Read as usize],
            pages_written: totals.pages[Direction::Write as usize],
            pending_ns: totals.pending.0,
            disconnect_ns: totals.disconnect.0,
            connect_ns: totals.connect.0,
            in_progress_ns: self.in_progress.area_at(now),
        }
    }

    /// Checks the exposures: no more I/Os in progress than bases and aliases, none waiting while one it may use is idle.
    pub fn verify(&self) {
        let bases = self.volumes.iter().filter(|volume| volume.base_busy).count() as u64;
        assert!(self.aliases_in_use <= self.aliases, "no more aliases are bound than the pool holds");
        assert!(self.in_progress.value() <= bases + u64::from(self.aliases_in_use), "an exposure carries one I/O");
        let waiting: u64 = self.volumes.iter().map(|volume| volume.queue.len() as u64).sum();
        let somewhere = waiting + self.in_progress.value() + self.totals.starts;
        assert_eq!(somewhere, self.sequence, "every request waits, is in progress or has ended once");
        for volume in &self.volumes {
            let may_start = !volume.base_busy || self.aliases_in_use < self.aliases;
            assert!(volume.queue.is_empty() || !may_start, "an I/O waits while an exposure is idle");
        }
    }

    /// Checks the maps of slots, which takes a look at each.
    pub fn verify_slots(&self) {
        self.volumes.iter().for_each(Volume::verify);
    }

    /// Slots that hold a page, on all volumes.
    pub fn used_slots(&self) -> u64 {
        self.volumes.iter().map(|volume| volume.snapshot(Instant::ZERO).slots_used).sum()
    }
}
