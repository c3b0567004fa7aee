//! Minidisks: where a guest's next I/O goes, and the minidisk cache in front of them.
//!
//! The minidisk cache (MDC) holds tracks that guests have read, in central storage or in expanded storage. A command-mode read needs no I/O if the
//! cache holds all its tracks. Writes go through to the disk; tracks in the cache stay there, up to date. Transport-mode I/O
//! to a minidisk switches the cache off for it (6.2 deck: `QUERY MDC`, "Disabled by Transport Mode I/O").
//!
//! If the cache could serve a read but lacks a track, the read brings in whole tracks, and they go into the cache.
//!
//! In central storage the cache has a fixed size, or one that CP's arbiter sets: `minidisk/arbiter.rs`. Its part of expanded storage is
//! fixed.

mod arbiter;
mod cache;

use crate::kernel::rng::Generator;
use crate::kernel::time::Span;
use crate::scenario::relations::{RECORDS_PER_TRACK, tracks};
use crate::scenario::{GuestGroup, PAGES_PER_MB, Scenario};
use crate::snapshot::MdcSnapshot;
use arbiter::Arbiter;
pub(crate) use arbiter::Guests;
use cache::Cache;

/// One I/O as the guest asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GuestIo {
    /// Whether it reads; if not, it writes.
    pub read: bool,
    /// Records that the guest asks for.
    pub records: u32,
    /// Records to move if the disk is needed: whole tracks for the minidisk cache, otherwise the records asked for.
    pub moved: u32,
    pub transport: bool,
    /// The minidisk cache has all of it.
    pub cached: bool,
    first_record: u64,
}

/// The minidisk of one guest.
#[derive(Clone, Debug)]
struct Minidisk {
    volume: u16,
    records: u64,
    first_track: u64,
    io_records: u32,
    read_percent: u32,
    transport: bool,
    /// Whether the cache serves it. The first transport-mode I/O ends that.
    cached: bool,
    /// How often FlashCopy writes to all of it, if the cache is told.
    flashcopy: Option<Span>,
    /// Tracks that came into the cache since the last FlashCopy, where there are any. Some may have left it again.
    came: Vec<u32>,
    choice: Generator,
}

/// All minidisks, and the cache.
#[derive(Clone, Debug)]
pub(crate) struct Minidisks {
    /// The minidisk of each guest; none for one that does no I/O.
    of_guests: Vec<Option<Minidisk>>,
    volume_count: u32,
    /// Whether there is a cache. Where an arbiter sets its size, that may be none for a while.
    is_on: bool,
    cache: Cache,
    /// What sets the size of the cache in central storage, unless that is fixed.
    arbiter: Option<Arbiter>,
    counts: MdcSnapshot,
    /// Part of the cache that is in expanded storage. A track is as likely there as that is large (assumed).
    expanded_part: f64,
    /// Pages moved to that part and from there.
    expanded_moved: f64,
    /// CP time of guests' I/O.
    cp: Span,
}

impl Minidisks {
    pub fn new(scenario: &Scenario, seed: u64) -> Self {
        let page_volumes = scenario.page_volumes() as u16;
        let first = if scenario.minidisks.on_page_volumes { 0 } else { page_volumes };
        let volumes: Vec<u16> = (first..page_volumes + scenario.minidisks.volumes as u16).collect();
        let (mut dealt, mut first_track) = (0, 0);
        let members = scenario.guests.iter().flat_map(|group| (0..group.count).map(move |_| group));
        let of_guests = members.enumerate().map(|(index, group)| {
            (group.io_records > 0).then(|| {
                let volume = volumes[dealt % volumes.len()];
                dealt += 1;
                let minidisk = Minidisk::new(group, volume, first_track, Generator::new(seed, &format!("minidisk {index}")));
                first_track += tracks(group.minidisk_mb);
                minidisk
            })
        });
        let of_guests: Vec<Option<Minidisk>> = of_guests.collect();
        let (_, expanded_pages) = scenario.expanded_pages();
        // Where an arbiter sets the size, the cache may have as much as it can have until somebody pages.
        let pages = scenario.mdc_most_frames() + expanded_pages;
        let capacity = pages / RECORDS_PER_TRACK;
        let on = of_guests.iter().flatten().filter(|minidisk| minidisk.cached).count() as u32;
        Minidisks {
            is_on: capacity > 0,
            cache: Cache::new(if capacity > 0 { first_track } else { 0 }, capacity),
            arbiter: scenario.has_mdc_arbiter().then(|| Arbiter::new(scenario.mdc_most_frames(), expanded_pages)),
            counts: MdcSnapshot {
                frames: scenario.mdc_frames(),
                most_frames: if scenario.has_mdc_arbiter() { scenario.mdc_most_frames() } else { 0 },
                expanded_pages,
                minidisks_on: if capacity > 0 { on } else { 0 },
                ..MdcSnapshot::default()
            },
            expanded_part: expanded_pages as f64 / pages.max(1) as f64,
            expanded_moved: 0.0,
            volume_count: volumes.len() as u32,
            cp: Span::ZERO,
            of_guests,
        }
    }

    /// How many volumes hold minidisks.
    pub fn volume_count(&self) -> u32 {
        self.volume_count
    }

    /// Whether `guest` has a minidisk that it does I/O to.
    pub fn has(&self, guest: u32) -> bool {
        self.of_guests[guest as usize].is_some()
    }

    /// The volume that holds the minidisk of `guest`.
    pub fn volume(&self, guest: u32) -> u16 {
        self.minidisk(guest).volume
    }

    fn minidisk(&self, guest: u32) -> &Minidisk {
        self.of_guests[guest as usize].as_ref().expect("only a guest with a minidisk does I/O")
    }

    /// The next I/O of `guest`, and whether the cache holds all of it.
    pub fn next_io(&mut self, guest: u32) -> GuestIo {
        let minidisk = self.of_guests[guest as usize].as_mut().expect("only a guest with a minidisk does I/O");
        let read = minidisk.choice.below(100) < u64::from(minidisk.read_percent);
        let first_record = minidisk.choice.below(minidisk.records - u64::from(minidisk.io_records) + 1);
        if minidisk.transport && std::mem::take(&mut minidisk.cached) && self.is_on {
            self.counts.minidisks_on -= 1;
            self.counts.minidisks_disabled += 1;
        }
        let (records, transport) = (minidisk.io_records, minidisk.transport);
        let mut io = GuestIo { read, records, moved: records, transport, cached: false, first_record };
        let in_front = minidisk.cached && self.is_on;
        if read && in_front {
            let tracks = minidisk.tracks(&io);
            io.moved = ((tracks.end() - tracks.start() + 1) * RECORDS_PER_TRACK) as u32;
            io.cached = tracks.clone().all(|track| self.cache.has(track));
            self.counts.reads += 1;
            if io.cached {
                self.counts.hits += 1;
                self.expanded_moved += self.expanded_part * f64::from(records);
                tracks.for_each(|track| self.cache.touch(track));
            }
        }
        io
    }

    /// A read of `guest` from the disk has ended. Its tracks go into the cache. Where an arbiter sets the size of the cache, `lend` lends it
    /// so many frames, or not.
    pub fn end_io(&mut self, guest: u32, io: &GuestIo, mut lend: impl FnMut(u64) -> bool) {
        let minidisk = self.of_guests[guest as usize].as_mut().expect("only a guest with a minidisk does I/O");
        if io.read && minidisk.cached && self.is_on {
            let tracks = minidisk.tracks(io);
            if minidisk.flashcopy.is_some() {
                minidisk.came.extend(tracks.clone().map(|track| track as u32));
                if minidisk.came.len() as u64 > 2 * minidisk.records {
                    minidisk.came.sort_unstable();
                    minidisk.came.dedup();
                }
            }
            for track in tracks {
                match &mut self.arbiter {
                    None => self.cache.insert(track, || true),
                    Some(arbiter) => arbiter.insert(&mut self.cache, track, &mut lend),
                }
            }
            self.expanded_moved += self.expanded_part * f64::from(io.moved);
        }
    }

    /// How often FlashCopy writes to the minidisk of `guest`; none if it does not, or if the cache need not know of it.
    pub fn flashcopy(&self, guest: u32) -> Option<Span> {
        let minidisk = self.of_guests[guest as usize].as_ref().filter(|_| self.is_on)?;
        minidisk.flashcopy
    }

    /// FlashCopy writes to the whole minidisk of `guest`: its tracks leave the cache. Returns how many tracks CP looks for there,
    /// and how many it finds.
    pub fn invalidate(&mut self, guest: u32) -> (u64, u64) {
        let minidisk = self.of_guests[guest as usize].as_mut().expect("only a minidisk is written to");
        let all = minidisk.records.div_ceil(RECORDS_PER_TRACK);
        let cache = &mut self.cache;
        let held = minidisk.came.drain(..).filter(|&track| cache.remove(track.into())).count() as u64;
        self.counts.invalidated += all;
        self.counts.invalidated_held += held;
        (all, held)
    }

    /// Whether CP's arbiter sets the size of the cache.
    pub fn has_arbiter(&self) -> bool {
        self.arbiter.is_some()
    }

    /// The arbiter looks at what was taken away from the cache and from guests since it last did, and sets the size of the cache.
    pub fn arbitrate(&mut self, guests: Guests, part: f64) {
        if let Some(arbiter) = &mut self.arbiter {
            arbiter.look(&mut self.cache, guests, part);
            self.expanded_part = arbiter.expanded_part(&self.cache);
        }
    }

    /// Frames that the cache was lent.
    pub fn lent(&self) -> u64 {
        self.arbiter.as_ref().map_or(0, |arbiter| arbiter.lent(&self.cache))
    }

    /// Pages of expanded storage that CP moves, on average, for a read that the cache serves, or whose tracks go into it.
    pub fn expanded_of(&self, records: u32) -> f64 {
        self.expanded_part * f64::from(records)
    }

    /// CP spends time on a guest's I/O.
    pub fn spend_cp(&mut self, time: Span) {
        self.cp += time;
    }

    /// CP time of guests' I/O.
    pub fn cp(&self) -> Span {
        self.cp
    }

    pub fn snapshot(&self) -> MdcSnapshot {
        let frames_used = self.cache.len() * RECORDS_PER_TRACK;
        let frames = if self.arbiter.is_some() { self.lent() } else { self.counts.frames };
        MdcSnapshot { frames, frames_used, expanded_moved: self.expanded_moved as u64, ..self.counts.clone() }
    }

    /// Checks that the cache holds no more than it may.
    pub fn verify(&self) {
        assert!(self.cache.len() <= self.cache.capacity(), "the minidisk cache keeps to its frames");
    }
}

impl Minidisk {
    fn new(group: &GuestGroup, volume: u16, first_track: u64, choice: Generator) -> Self {
        Minidisk {
            volume,
            records: group.minidisk_mb * PAGES_PER_MB,
            first_track,
            io_records: group.io_records,
            read_percent: group.io_read_percent,
            transport: group.io_zhpf,
            cached: group.mdc,
            flashcopy: (group.flashcopy_s > 0 && group.mdc && !group.io_zhpf)
                .then(|| Span::from_secs(group.flashcopy_s.into())),
            came: Vec::new(),
            choice,
        }
    }

    /// The tracks that `io` reads or writes.
    fn tracks(&self, io: &GuestIo) -> std::ops::RangeInclusive<u64> {
        let last_record = io.first_record + u64::from(io.records) - 1;
        self.first_track + io.first_record / RECORDS_PER_TRACK..=self.first_track + last_record / RECORDS_PER_TRACK
    }
}
