//! Volumes: who waits, who is served, and when.
//!
//! An I/O waits for an exposure of its volume. On an ECKD volume that is the base, or an alias bound to it for this one I/O;
//! on an EDEV it is a place in the queue. Then come pending and disconnect time (longer if the cache of the control unit
//! does not hold the data), the driver's protocol, and the transfer over one of the paths that all volumes share. I/Os on
//! one path slow each other down. `paths.rs` says which path an I/O takes.
//!
//! Assumed: concurrent exchanges are interleaved fairly, so n I/Os on a path each get 1/n of it.
//!
//! Paging and minidisk I/O are two claimants of the same volumes, aliases and paths. This room makes no other difference
//! between them.

mod aliases;
mod drivers;
mod paths;
mod under_way;
mod volume;

use crate::constants::Constants;
use crate::kernel::rng::Generator;
pub(crate) use crate::kernel::sharing::NextEnd;
use crate::kernel::statistics::TimeWeighted;
use crate::kernel::time::{Instant, Span};
use crate::scenario::{DeviceKind, Scenario};
use crate::snapshot::{ClaimantSnapshot, LcuSnapshot, VolumeSnapshot};
use aliases::Aliases;
pub(crate) use drivers::Drivers;
use drivers::miss_ns;
use paths::Paths;
use volume::Volume;

/// Who an I/O is for, in the words of `SET CU`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Claimant {
    /// Guests' I/O to minidisks.
    Mdisk,
    /// CP's paging.
    Paging,
}

/// Both claimants.
pub(crate) const CLAIMANTS: [Claimant; 2] = [Claimant::Mdisk, Claimant::Paging];

/// Which way pages or records move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Read,
    Write,
}

/// A request for one I/O.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub claimant: Claimant,
    pub direction: Direction,
    /// The tag by which the caller knows the I/O.
    pub tag: u32,
    pub volume: u16,
    /// Blocks that the pages are formed into.
    pub blocks: u32,
    /// Runs of contiguous slots that it goes to.
    pub runs: u32,
    /// Pages, or records of 4 KB.
    pub pages: u32,
    /// Whether a guest's I/O is in transport mode. For paging I/O the paging driver decides.
    pub transport: bool,
}

/// One I/O, from its request to its end.
#[derive(Clone, Copy, Debug)]
struct Io {
    request: Request,
    on_alias: bool,
    path: u16,
    /// Numbers the requests, so that the one that has waited longest goes first.
    sequence: u64,
    requested: Instant,
    started: Instant,
    protocol_from: Instant,
    transfer_at: Instant,
    pending: Span,
    disconnect: Span,
    path_ns: f64,
    /// What one of its pages takes of the path.
    page_on_path: Span,
    /// Whether the cache of the control unit served it.
    hit: bool,
    progress: Progress,
}

/// What of an I/O is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// Nothing: it waits for an exposure.
    Queued,
    /// It has its exposure.
    Started,
    /// Its transfer is over, since then.
    Ended(Instant),
    /// CP has taken its interruption, since then.
    Released(Instant),
    /// All: its place is free for another.
    Forgotten,
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

/// Totals of one claimant's I/Os.
#[derive(Clone, Debug, Default)]
struct Totals {
    requests: u64,
    starts: u64,
    hits: u64,
    blocks: [u64; 2],
    runs: [u64; 2],
    pages: [u64; 2],
    pending: Span,
    disconnect: Span,
    connect: Span,
    queue: Span,
    in_progress: TimeWeighted,
    waiting: TimeWeighted,
}

/// The volumes, the pool of aliases and the paths.
#[derive(Clone, Debug)]
pub(crate) struct Devices {
    drivers: Drivers,
    /// Mean time that a miss waits for the disk, by kind of device.
    miss_ns: [f64; DeviceKind::ALL.len()],
    /// Cache hits in percent of reads and in percent of writes, by claimant.
    hit_percent: [[u32; 2]; 2],
    /// The page volumes first.
    volumes: Vec<Volume>,
    page_volumes: u16,
    aliases: Aliases,
    paths: Paths,
    ios: Vec<Io>,
    free_ios: Vec<u32>,
    sequence: u64,
    totals: [Totals; 2],
    cache: Generator,
}

impl Devices {
    pub fn new(scenario: &Scenario, constants: &Constants, seed: u64) -> Self {
        let (paging, minidisks) = (&scenario.paging, &scenario.minidisks);
        let volumes = |count: u32, kind: DeviceKind, depth: u32| (0..count).map(move |_| Volume::new(kind, depth));
        Devices {
            drivers: Drivers::new(scenario, constants),
            miss_ns: DeviceKind::ALL.map(|kind| miss_ns(constants, kind)),
            hit_percent: [
                [minidisks.read_hit_percent, minidisks.write_hit_percent],
                [paging.read_hit_percent, paging.write_hit_percent],
            ],
            volumes: volumes(paging.volumes, paging.kind, paging.queue_depth)
                .chain(volumes(paging.other_volumes, paging.other_kind, paging.queue_depth))
                .chain(volumes(minidisks.volumes, minidisks.kind, minidisks.queue_depth))
                .collect(),
            page_volumes: scenario.page_volumes() as u16,
            aliases: Aliases::new(scenario, constants),
            paths: Paths::new(scenario.lcu.paths),
            ios: Vec::new(),
            free_ios: Vec::new(),
            sequence: 0,
            totals: Default::default(),
            cache: Generator::new(seed, "control unit cache"),
        }
    }

    /// Requests one I/O. Returns when its transfer begins, if it gets an exposure at once.
    pub fn submit(&mut self, now: Instant, request: Request) -> Option<Started> {
        let Request { claimant, volume, .. } = request;
        let io = Io {
            request,
            on_alias: false,
            path: 0,
            sequence: self.sequence,
            requested: now,
            started: now,
            protocol_from: now,
            transfer_at: now,
            pending: Span::ZERO,
            disconnect: Span::ZERO,
            path_ns: 0.0,
            page_on_path: Span::ZERO,
            hit: false,
            progress: Progress::Queued,
        };
        self.sequence += 1;
        self.totals[claimant as usize].requests += 1;
        let index = self.free_ios.pop().unwrap_or_else(|| {
            self.ios.push(io);
            self.ios.len() as u32 - 1
        });
        self.ios[index as usize] = io;
        let unit = &mut self.volumes[volume as usize];
        let may_alias = unit.kind.is_eckd() && self.aliases.used_by(claimant) && self.aliases.idle();
        if unit.own_idle() || may_alias {
            return Some(self.start(now, index));
        }
        unit.push(now, claimant, index);
        count(&mut self.totals[claimant as usize].waiting, now, 1);
        None
    }

    /// Starts `index` on one of its volume's own exposures, or else on an alias. One of them must be idle.
    fn start(&mut self, now: Instant, index: u32) -> Started {
        let io = &mut self.ios[index as usize];
        let Request { claimant, direction, volume, runs, pages, .. } = io.request;
        let unit = &mut self.volumes[volume as usize];
        io.on_alias = !unit.own_idle();
        if io.on_alias {
            self.aliases.bind(now, claimant);
        } else {
            unit.own_busy += 1;
        }
        unit.count_in_progress(now, 1);
        let totals = &mut self.totals[claimant as usize];
        count(&mut totals.in_progress, now, 1);
        totals.queue += now.since(io.requested);
        let driver = self.drivers.of(claimant, io.request.transport, unit.kind);
        let hit_percent = self.hit_percent[claimant as usize][direction as usize];
        // Draws no number where the outcome is certain, so that the other draws do not depend on it.
        let hit = hit_percent >= 100 || hit_percent > 0 && self.cache.below(100) < u64::from(hit_percent);
        io.hit = hit;
        let miss_ns = if hit { 0.0 } else { self.cache.exponential(self.miss_ns[unit.kind as usize]) };
        io.path = self.paths.open(unit.kind.is_eckd());
        io.pending = Span::from_ns_f64(driver.pending_ns) + self.paths.wait(io.path);
        io.disconnect = Span::from_ns_f64(driver.disconnect_ns + miss_ns);
        io.path_ns = driver.path_ns_per_page * f64::from(pages);
        io.protocol_from = now + io.pending + io.disconnect;
        let more_runs = f64::from(runs.saturating_sub(1)) * self.drivers.run_ns(claimant, unit.kind);
        let protocol = Span::from_ns_f64(driver.protocol_ns + more_runs + driver.protocol_ns_per_page * f64::from(pages));
        io.page_on_path = Span::from_ns_f64(driver.path_ns_per_page);
        (io.started, io.transfer_at, io.progress) = (now, io.protocol_from + protocol, Progress::Started);
        Started { io: index, transfer_at: io.transfer_at }
    }

    /// Begins the transfer of `io`. Returns its path, and when the next transfer on that path ends.
    pub fn begin_transfer(&mut self, now: Instant, io: u32) -> (u16, NextEnd) {
        let Io { path, path_ns, page_on_path, .. } = self.ios[io as usize];
        (path, self.paths.join(path, now, io, path_ns, page_on_path))
    }

    /// Ends the transfer that `path` announced; `None` if the announcement is void.
    pub fn end_transfer(&mut self, now: Instant, path: u16, generation: u32) -> Option<Ended> {
        let ios = &self.ios;
        let (index, next_end) = self.paths.end(path, now, generation, |io| ios[io as usize].page_on_path)?;
        self.ios[index as usize].progress = Progress::Ended(now);
        let io = self.ios[index as usize];
        let Request { claimant, direction, blocks, runs, pages, volume, .. } = io.request;
        let unit = &mut self.volumes[volume as usize];
        unit.count_in_progress(now, -1);
        unit.starts += 1;
        let totals = &mut self.totals[claimant as usize];
        count(&mut totals.in_progress, now, -1);
        totals.starts += 1;
        totals.hits += u64::from(io.hit);
        totals.blocks[direction as usize] += u64::from(blocks);
        totals.runs[direction as usize] += u64::from(runs);
        totals.pages[direction as usize] += u64::from(pages);
        totals.pending += io.pending;
        totals.disconnect += io.disconnect;
        totals.connect += now.since(io.protocol_from);
        Some(Ended { io: index, next_end })
    }

    /// CP has taken the interruption of `index`: its exposure goes to an I/O that waits for it.
    pub fn release_exposure(&mut self, now: Instant, index: u32) -> Option<Started> {
        self.ios[index as usize].progress = Progress::Released(now);
        let Io { request: Request { claimant, volume, .. }, on_alias, .. } = self.ios[index as usize];
        let (volume, claimant) = if on_alias {
            let waiting = CLAIMANTS.map(|claimant| self.longest_for_alias(claimant));
            self.aliases.account(now, waiting.iter().all(Option::is_some));
            self.aliases.unbind(now, claimant);
            self.next_for_alias(waiting)?
        } else {
            self.volumes[volume as usize].own_busy -= 1;
            (volume, self.longest_waiting(volume)?)
        };
        let next = self.volumes[volume as usize].pop(now, claimant)?;
        count(&mut self.totals[claimant as usize].waiting, now, -1);
        Some(self.start(now, next))
    }

    /// The claimant whose I/O has waited longest for `volume`.
    fn longest_waiting(&self, volume: u16) -> Option<Claimant> {
        let unit = &self.volumes[volume as usize];
        unit.waiting().min_by_key(|&claimant| unit.head(claimant).map(|io| self.ios[io as usize].sequence))
    }

    /// The volume whose I/O of `claimant` has waited longest for an alias.
    fn longest_for_alias(&self, claimant: Claimant) -> Option<u16> {
        if !self.aliases.used_by(claimant) {
            return None;
        }
        let heads = self.volumes.iter().zip(0u16..).filter(|(unit, _)| unit.kind.is_eckd());
        let waiting = heads.filter_map(|(unit, volume)| Some((self.ios[unit.head(claimant)? as usize].sequence, volume)));
        waiting.min().map(|(_, volume)| volume)
    }

    /// The volume and claimant that get the free alias. The arguments: for MDISK and for PAGING, the volume whose I/O has
    /// waited longest.
    fn next_for_alias(&self, [mdisk, paging]: [Option<u16>; 2]) -> Option<(u16, Claimant)> {
        let claimant = match (mdisk, paging) {
            (Some(_), Some(_)) => self.aliases.next(),
            (Some(_), None) => Claimant::Mdisk,
            (None, _) => Claimant::Paging,
        };
        Some((if claimant == Claimant::Mdisk { mdisk } else { paging }?, claimant))
    }

    /// The request behind the I/O `index`, and the kind of its volume.
    pub fn request(&self, index: u32) -> (Request, DeviceKind) {
        let request = self.ios[index as usize].request;
        (request, self.volumes[request.volume as usize].kind)
    }

    /// Forgets the I/O `index`, which has ended.
    pub fn forget(&mut self, index: u32) -> Request {
        self.free_ios.push(index);
        self.ios[index as usize].progress = Progress::Forgotten;
        self.ios[index as usize].request
    }

    /// The volumes that hold page space.
    pub fn page_volumes(&self, now: Instant) -> Vec<VolumeSnapshot> {
        self.volumes[..self.page_volumes as usize].iter().map(|volume| volume.snapshot(now)).collect()
    }

    /// The volumes that hold minidisks and no page space.
    pub fn minidisk_volumes(&self, now: Instant) -> Vec<VolumeSnapshot> {
        self.volumes[self.page_volumes as usize..].iter().map(|volume| volume.snapshot(now)).collect()
    }

    /// Pool, paths and I/Os; `waits` tells from an I/O's tag which guest waits for it, and at which page.
    pub fn lcu(&self, now: Instant, waits: &dyn Fn(u32) -> (Option<u32>, Option<u64>)) -> LcuSnapshot {
        LcuSnapshot {
            aliases: self.aliases.count(),
            aliases_in_use: CLAIMANTS.map(|claimant| self.aliases.held(claimant) as u32).iter().sum(),
            ficon_paths: self.paths.ficon(),
            ios_on_path: self.paths.transfers(),
            path_busy_ns: self.paths.busy_ns(now),
            ios: self.under_way(now, waits),
        }
    }

    /// I/Os of a claimant that wait for an exposure.
    pub fn waiting(&self, claimant: Claimant) -> u64 {
        self.totals[claimant as usize].waiting.value()
    }

    pub fn claimant(&self, now: Instant, claimant: Claimant) -> ClaimantSnapshot {
        let totals = &self.totals[claimant as usize];
        ClaimantSnapshot {
            aliases_in_use: self.aliases.held(claimant) as u32,
            aliases_ns: self.aliases.held_ns(claimant, now),
            queued: totals.waiting.value() as u32,
            queue_ns: totals.waiting.area_at(now),
            starts: totals.starts,
            cache_hits: totals.hits,
            blocks_read: totals.blocks[Direction::Read as usize],
            blocks_written: totals.blocks[Direction::Write as usize],
            runs_read: totals.runs[Direction::Read as usize],
            runs_written: totals.runs[Direction::Write as usize],
            pages_read: totals.pages[Direction::Read as usize],
            pages_written: totals.pages[Direction::Write as usize],
            pending_ns: totals.pending.0,
            disconnect_ns: totals.disconnect.0,
            connect_ns: totals.connect.0,
            waited_ns: totals.queue.0,
            in_progress_ns: totals.in_progress.area_at(now),
        }
    }

    /// Checks the exposures: no more I/Os are in progress than there are exposures, and no I/O waits while one that it may
    /// use is idle.
    pub fn verify(&self) {
        let held: u64 = CLAIMANTS.into_iter().map(|claimant| self.aliases.held(claimant)).sum();
        assert!(held <= u64::from(self.aliases.count()), "no more aliases are bound than the pool holds");
        let own: u64 = self.volumes.iter().map(|volume| u64::from(volume.own_busy)).sum();
        let sum = |field: fn(&Totals) -> u64| self.totals.iter().map(field).sum::<u64>();
        let in_progress = sum(|totals| totals.in_progress.value());
        assert_eq!(in_progress, self.paths.exchanges(), "an I/O in progress has one exchange open");
        assert!(in_progress <= own + held, "an exposure carries one I/O");
        let waiting: u64 = self.volumes.iter().map(Volume::queue_len).sum();
        assert_eq!(waiting, sum(|totals| totals.waiting.value()), "who waits stands in the queue of a volume");
        let somewhere = waiting + in_progress + sum(|totals| totals.starts);
        assert_eq!(somewhere, sum(|totals| totals.requests), "every request waits, is in progress or has ended once");
        for volume in &self.volumes {
            assert!(volume.own_busy <= volume.own_exposures, "no more I/Os on a volume's own exposures than it has");
            assert!(volume.queue_len() == 0 || !volume.own_idle(), "an I/O waits while its volume is idle");
            let may_alias = |claimant| volume.kind.is_eckd() && self.aliases.used_by(claimant) && self.aliases.idle();
            assert!(!volume.waiting().any(may_alias), "an I/O waits while an alias is idle");
        }
    }
}

/// Adds `change` to the count from `now` on.
fn count(what: &mut TimeWeighted, now: Instant, change: i64) {
    what.set(now, what.value().saturating_add_signed(change));
}
