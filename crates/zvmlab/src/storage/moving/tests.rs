//! Does storage do for relocations what its documentation says? Two members, worked by hand.

use super::*;
use crate::constants::Constants;
use crate::scenario::Scenario;
use crate::storage::{Read, Stop, Touched};

/// The guest that is relocated, and one that stays at each of the two members.
pub const MOVER: u32 = 0;
pub const STAYER: [u32; 2] = [1, 2];

/// Pages of the guest that is relocated: eight segments of 1 MB.
pub const PAGES: u64 = 2048;

const ALL: u32 = u32::MAX;

/// A member with few frames, so that a few pages fill it; its slots; and the I/Os under way.
#[derive(Clone, Debug)]
pub struct Host {
    pub storage: Storage,
    pub writes: Vec<Part>,
    pub reads: Vec<Read>,
    /// Slots in use. Slots are never used twice here.
    slots: std::collections::BTreeSet<u32>,
    next_slot: u32,
    frames: u64,
}

impl Host {
    /// Member `number` with `frames` frames for its guests.
    pub fn new(number: u32, frames: u64) -> Host {
        let guest = |name, mb, member| {
            format!(
                "[[guests]]\nname = \"{name}\"\ncount = 1\npattern = \"random\"\nvirtual_mb = {mb}\nloop_mb = {mb}\nmember = {member}\n"
            )
        };
        let guests = [guest("MOVER", 8, 1), guest("ONE", 16, 1), guest("TWO", 16, 2)].concat();
        let text = format!("[cluster]\nmembers = 2\n[storage]\ncentral_mb = 256\n[member2]\ncentral_mb = 256\n{guests}");
        let scenario = Scenario::parse(&text).expect("the text is a valid scenario").of_member(number);
        let constants = Constants { early_write_pages: 60, ..Constants::default() };
        let mut storage = Storage::new(&scenario, &constants, number);
        let counts = &mut storage.counts;
        counts.cp_frames += counts.available_frames - frames;
        counts.available_frames = frames;
        (counts.available_low, counts.available_high) = (70, 130);
        (storage.replenish_frames, storage.age_list_target) = (60, 200);
        let slots = std::collections::BTreeSet::new();
        Host { storage, writes: Vec::new(), reads: Vec::new(), slots, next_slot: 0, frames }
    }

    fn free(&mut self, freed: Vec<FreedSlots>) {
        for FreedSlots { volume, slot, pages } in freed {
            assert_eq!(volume, 0);
            (slot..slot + pages).for_each(|slot| assert!(self.slots.remove(&slot), "a slot is given back once"));
        }
    }

    /// Replenishes, and begins the writes that this calls for.
    pub fn replenish(&mut self) {
        let (mut parts, mut freed) = (Vec::new(), Vec::new());
        self.storage.replenish(&mut parts);
        for part in parts {
            self.storage.begin_write(part, 0, self.next_slot, &mut freed);
            self.slots.extend(self.next_slot..self.next_slot + part.pages());
            self.next_slot += part.pages();
            self.writes.push(part);
        }
        self.free(freed);
    }

    pub fn end_write(&mut self, at: usize) {
        let part = self.writes.remove(at);
        let mut freed = Vec::new();
        self.storage.end_write(part, &mut freed);
        self.free(freed);
    }

    /// Ends all writes, and replenishes until that calls for no more.
    pub fn settle(&mut self) {
        loop {
            self.replenish();
            if self.writes.is_empty() {
                return;
            }
            while !self.writes.is_empty() {
                self.end_write(0);
            }
        }
    }

    /// Begins the read of a page, after the reads under way have ended; `false` if there are no frames for it.
    pub fn begin_read(&mut self, guest: u32, page: u64) -> bool {
        self.end_reads(true);
        let Some(read) = self.storage.plan_read(guest, page) else { return true };
        if u64::from(read.pages()) > self.storage.available() {
            return false;
        }
        self.storage.begin_read(&read);
        self.reads.push(read);
        true
    }

    pub fn end_reads(&mut self, keep: bool) {
        let mut freed = Vec::new();
        self.reads.drain(..).for_each(|read| self.storage.end_read(&read, keep, &mut freed));
        self.free(freed);
    }

    /// Touches pages, and reads them where needed, as long as there are frames. Returns how far it came.
    pub fn touch(&mut self, guest: u32, page: u64, count: u64, change: u64) -> Touched {
        let touched = self.storage.touch(guest, page, count, u64::MAX, |_| change);
        if touched.stop == Stop::Fault {
            self.begin_read(guest, page + touched.pages);
        }
        touched
    }

    /// Touches all of the pages, with all the paging that takes.
    pub fn fill(&mut self, guest: u32, page: u64, count: u64) {
        let mut done = 0;
        while done < count {
            done += self.touch(guest, page + done, count - done, u64::MAX).pages;
            self.settle();
            self.end_reads(true);
        }
    }

    /// Stores a part. If there are no frames, it makes some.
    pub fn store(&mut self, part: Part, contents: &[u32]) -> bool {
        let mut freed = Vec::new();
        let before = self.storage.snapshot();
        let stored = self.storage.store(part, &mut freed);
        if stored {
            self.storage.store_contents(part, contents);
        } else {
            assert_eq!((self.storage.snapshot(), freed.len()), (before, 0), "nothing is done");
        }
        self.free(freed);
        stored
    }

    pub fn release(&mut self, guest: u32) {
        let mut freed = Vec::new();
        self.storage.release(guest, &mut freed);
        self.free(freed);
    }

    pub fn verify(&self) {
        self.storage.verify();
        assert_eq!(self.storage.verify_pages(), self.slots.len() as u64, "slots in use are those that blocks hold");
    }

    /// Frames that pages of `guest` hold.
    pub fn frames_of(&self, guest: u32) -> u64 {
        let [valid, age_list, reading, _] = self.storage.places(guest);
        valid + age_list + reading
    }
}

/// A member whose guest has touched `count` pages from `page` on; storage notes changes from now on.
fn tracked(frames: u64, page: u64, count: u64) -> Host {
    let mut host = Host::new(1, frames);
    host.storage.watch_contents();
    host.fill(MOVER, page, count);
    host.storage.track(MOVER);
    host
}

fn collect(host: &mut Host, from: u32, first: bool, limit: u32, segments: u32) -> (Collected, Vec<(u32, u64)>) {
    let mut parts = Vec::new();
    let collected = host.storage.collect(MOVER, from, first, limit, segments, &mut parts);
    assert_eq!(collected.pages, parts.iter().map(|part| part.pages()).sum::<u32>());
    (collected, parts.into_iter().map(|part| (part.word, part.mask)).collect())
}

/// Sends what one pass of the source has to send, except the page `left_out`.
fn send(source: &mut Host, destination: &mut Host, first: bool, left_out: Option<u64>) {
    let mut parts = Vec::new();
    let collected = source.storage.collect(MOVER, 0, first, ALL, ALL, &mut parts);
    assert!(collected.through);
    for mut part in parts {
        if let Some(page) = left_out.filter(|page| page / 64 == u64::from(part.word)) {
            part.mask &= !(1 << (page % 64));
        }
        let contents = source.storage.contents(part);
        assert!(destination.store(part, &contents));
    }
}

#[test]
fn a_guest_is_at_its_member_only() {
    for number in [1, 2] {
        let host = Host::new(number, 3000);
        let here: Vec<bool> = (0..3).map(|guest| !host.storage.is_gone(guest)).collect();
        assert_eq!(here, if number == 1 { [true, true, false] } else { [false, false, true] });
        let gone = STAYER[2 - number as usize];
        assert_eq!(host.storage.places(gone), [0; 4]);
        assert_eq!((host.storage.virtual_pages(gone), host.storage.touched_pages(gone)), (4096, 0));
        assert_eq!(host.storage.plan_read(gone, 5), None);
        host.verify();
    }
    let bytes = |number| Host::new(number, 3000).storage.bytes();
    assert!(bytes(2) < bytes(1), "a guest that is not here takes no memory");
}

#[test]
fn the_first_pass_takes_what_was_touched_and_later_ones_what_was_changed() {
    let mut host = tracked(3000, 100, 200);
    assert_eq!((host.storage.touched_pages(MOVER), host.storage.changed_pages(MOVER)), (200, 0));
    let (first, parts) = collect(&mut host, 0, true, ALL, ALL);
    assert_eq!(first, Collected { next: 32, through: true, pages: 200, resent: 0, segments: 2, away: None });
    assert_eq!(parts, [(1, u64::MAX << 36), (2, u64::MAX), (3, u64::MAX), (4, (1 << 44) - 1)]);
    // Storage does not note a touch that changes nothing. It does note a fresh page, and a page touched by the short
    // way.
    host.touch(MOVER, 100, 50, 0);
    host.touch(MOVER, 110, 3, u64::MAX);
    host.touch(MOVER, 2000, 1, 0);
    host.storage.watched = false;
    host.storage.guests[MOVER as usize].versions.clear();
    let mut short = |page, change| host.storage.touch_valid(MOVER, |mut valid| valid.touch(page, || change).into()) == 1;
    assert!(short(128, u64::MAX) && short(129, 0));
    assert!(!short(2001, u64::MAX), "it was never touched");
    assert_eq!(host.storage.changed_pages(MOVER), 5);
    let (second, parts) = collect(&mut host, 0, false, ALL, ALL);
    assert_eq!(second, Collected { next: 32, through: true, pages: 5, resent: 4, segments: 3, away: None });
    assert_eq!(parts, [(1, 0b111 << 46), (2, 1), (31, 1 << 16)]);
    assert_eq!(host.storage.changed_pages(MOVER), 0);
    let (third, parts) = collect(&mut host, 0, false, ALL, ALL);
    assert_eq!((third.pages, third.segments, parts.len()), (0, 3, 0), "segments are looked at all the same");
    host.verify();
}

#[test]
fn a_pass_ends_at_its_limits_and_goes_on_from_there() {
    let mut host = tracked(3000, 0, 600);
    let (a, parts) = collect(&mut host, 0, true, 100, ALL);
    assert_eq!((a.next, a.through, a.pages, a.segments), (1, false, 100, 0));
    assert_eq!(parts, [(0, u64::MAX), (1, (1 << 36) - 1)]);
    // A page that was sent and changes now is for the next pass. A page not sent yet is collected with the change.
    host.touch(MOVER, 90, 20, u64::MAX);
    let (b, parts) = collect(&mut host, a.next, true, ALL, 1);
    assert_eq!((b.next, b.through, b.pages, b.segments, b.resent), (4, false, 156, 1, 0));
    assert_eq!(parts[0], (1, u64::MAX << 36));
    assert_eq!(host.storage.changed_pages(MOVER), 10);
    let (c, _) = collect(&mut host, b.next, true, 344, ALL);
    assert_eq!((c.next, c.through, c.pages, c.segments), (10, false, 344, 1));
    let (d, _) = collect(&mut host, c.next, true, 100, ALL);
    assert_eq!((d.next, d.through, d.pages, d.segments), (32, true, 0, 1));
    let (none, _) = collect(&mut host, 0, true, ALL, ALL);
    assert_eq!(none.pages, 0, "each page is sent once in the first pass");
    assert_eq!(collect(&mut host, 0, false, 0, ALL).0.next, 0);
    assert_eq!(collect(&mut host, 0, false, ALL, 0).0.next, 0);
}

#[test]
fn a_page_on_dasd_is_read_before_the_pass_goes_on() {
    let mut host = tracked(300, 0, 1000);
    let is_away = |host: &Host, page: u64| host.storage.away(MOVER, (page / 64) as u32) >> (page % 64) & 1 != 0;
    let first_away = (0..1000).find(|&page| is_away(&host, page));
    assert_eq!(host.storage.next_away(MOVER, 0, true), first_away);
    assert_eq!(host.storage.next_away(MOVER, 0, false), None, "nothing is noted as changed");
    let (mut from, mut pages, mut reads) = (0, 0, 0);
    loop {
        let (collected, _) = collect(&mut host, from, true, ALL, ALL);
        (from, pages) = (collected.next, pages + collected.pages);
        assert_eq!(collected.away.is_none(), collected.through);
        let Some(away) = collected.away else { break };
        assert!(is_away(&host, away));
        let next = (away + 1..1000).find(|&page| is_away(&host, page));
        assert_eq!(host.storage.next_away(MOVER, away, true), Some(away));
        assert_eq!(host.storage.next_away(MOVER, away + 1, true), next);
        host.settle();
        assert!(host.begin_read(MOVER, away));
        assert_eq!(collect(&mut host, from, true, ALL, ALL).0.away, Some(away), "it is being read");
        host.end_reads(true);
        reads += 1;
        host.verify();
    }
    assert_eq!(pages, 1000);
    assert!(reads >= 10, "{reads} reads for some 700 pages, at most 64 at once");
}

#[test]
fn a_page_that_was_passed_and_is_paged_out_since_is_found_by_the_next_pass() {
    let mut host = tracked(300, 0, 200);
    let (begun, _) = collect(&mut host, 0, true, 64, ALL);
    assert_eq!((begun.next, begun.segments), (1, 0), "in the middle of a segment");
    host.touch(MOVER, 0, 64, u64::MAX);
    host.fill(STAYER[0], 0, 1000);
    assert_eq!(host.storage.places(MOVER)[3], 200);
    let mut from = begun.next;
    while let Collected { next, away: Some(away), .. } = collect(&mut host, from, true, ALL, ALL).0 {
        host.settle();
        assert!(away >= 64 && host.begin_read(MOVER, away));
        host.end_reads(true);
        from = next;
    }
    assert_eq!(host.storage.next_away(MOVER, 0, false), Some(0));
}

#[test]
fn pages_arrive_in_frames_and_out_of_date_copies_give_their_slots_back() {
    let mut host = Host::new(2, 300);
    host.storage.build(MOVER);
    let part = Part { guest: MOVER, word: 3, mask: u64::MAX };
    assert!(host.store(part, &[]));
    assert_eq!((host.storage.places(MOVER), host.storage.available()), ([64, 0, 0, 0], 236));
    let state = host.storage.guests[MOVER as usize].words[3];
    assert_eq!((state.valid, state.changed, state.referenced), (u64::MAX, u64::MAX, 0));
    assert!(host.store(part, &[]), "again, in the same frames");
    assert_eq!(host.storage.available(), 236);
    // The other guest takes all frames, so that the pages are written and lose their frames.
    host.fill(STAYER[1], 0, 1000);
    assert_eq!(host.storage.places(MOVER), [0, 0, 0, 64]);
    host.settle();
    let (slots, half) = (host.slots.len(), Part { mask: 0xffff_ffff, ..part });
    assert!(host.store(half, &[]));
    assert_eq!(host.slots.len(), slots - 32, "one block of two");
    assert_eq!(host.storage.places(MOVER), [32, 0, 0, 32]);
    host.verify();
    // Not enough frames.
    let available = host.storage.available();
    for word in 10.. {
        if !host.store(Part { word, ..part }, &[]) {
            break;
        }
    }
    assert!(host.storage.available() < 64 && available >= 64);
    host.verify();
}

#[test]
fn a_page_that_is_being_written_keeps_its_slots_when_it_arrives_again() {
    let mut host = Host::new(2, 300);
    host.storage.build(MOVER);
    for word in 0..4 {
        assert!(host.store(Part { guest: MOVER, word, mask: u64::MAX }, &[]));
    }
    host.replenish();
    let part = host.writes[0];
    let slots = host.slots.len();
    assert!(host.store(part, &[]));
    assert_eq!(host.slots.len(), slots);
    host.verify();
    host.settle();
    host.verify();
}

#[test]
fn a_released_guest_leaves_nothing_but_what_is_being_written() {
    let mut host = tracked(400, 0, 900);
    host.fill(STAYER[0], 0, 50);
    host.replenish();
    while host.writes.is_empty() {
        host.touch(STAYER[0], 0, 50, u64::MAX);
        host.touch(MOVER, 0, 2000, u64::MAX);
        host.end_reads(true);
        host.replenish();
    }
    let writing: u64 = host.writes.iter().filter(|part| part.guest == MOVER).map(|part| u64::from(part.pages())).sum();
    assert!(writing > 0);
    host.end_reads(true);
    let before = host.storage.available() + host.frames_of(MOVER);
    host.release(MOVER);
    host.verify();
    assert_eq!(host.storage.available(), before - writing);
    assert_eq!((host.storage.is_gone(MOVER), host.storage.is_tracked(MOVER)), (false, false));
    assert_eq!((host.storage.touched_pages(MOVER), host.frames_of(MOVER)), (writing, writing));
    assert!(host.storage.age_list.iter().all(|part| part.guest != MOVER));
    host.replenish();
    while !host.writes.is_empty() {
        assert_eq!(host.storage.is_gone(MOVER), host.writes.iter().all(|part| part.guest != MOVER));
        host.end_write(host.writes.len() - 1);
        host.verify();
    }
    assert!(host.storage.is_gone(MOVER));
    assert_eq!((host.storage.places(MOVER), host.storage.touched_pages(MOVER)), ([0; 4], 0));
    assert_eq!(host.storage.available() + host.frames_of(STAYER[0]), host.frames);
    host.release(STAYER[0]);
    host.settle();
    assert_eq!((host.storage.available(), host.slots.len()), (host.frames, 0));
    // It may come back.
    host.storage.build(MOVER);
    host.fill(MOVER, 0, 900);
    host.verify();
}

#[test]
fn a_comparison_tells_the_page_that_is_left_out_or_out_of_date() {
    let (mut source, mut destination) = (tracked(3000, 0, 300), Host::new(2, 3000));
    destination.storage.watch_contents();
    destination.storage.build(MOVER);
    send(&mut source, &mut destination, true, Some(17));
    let difference = source.storage.compare(&destination.storage, MOVER);
    assert_eq!(difference, Err("page 17: at the source only".into()));
    let page = Part { guest: MOVER, word: 0, mask: 1 << 17 };
    assert!(destination.store(page, &source.storage.contents(page)));
    assert_eq!(source.storage.compare(&destination.storage, MOVER), Ok(()));
    source.touch(MOVER, 200, 5, u64::MAX);
    source.touch(MOVER, 203, 1, u64::MAX);
    send(&mut source, &mut destination, false, Some(203));
    let difference = source.storage.compare(&destination.storage, MOVER);
    assert_eq!(difference, Err("page 203: version 3 at the source, 1 at the destination".into()));
    assert!(destination.store(Part { guest: MOVER, word: 20, mask: 1 }, &[0]));
    let back = destination.storage.compare(&source.storage, MOVER);
    assert_eq!(back, Err("page 203: version 1 at the source, 3 at the destination".into()));
    let page = Part { guest: MOVER, word: 3, mask: 1 << 11 };
    assert!(destination.store(page, &source.storage.contents(page)));
    let difference = source.storage.compare(&destination.storage, MOVER);
    assert_eq!(difference, Err("page 1280: at the destination only".into()));
}

#[test]
fn what_is_not_watched_is_not_called_the_same() {
    let (mut source, mut destination) = (Host::new(1, 3000), Host::new(2, 3000));
    destination.storage.build(MOVER);
    source.storage.track(MOVER);
    assert!(source.storage.contents(Part { guest: MOVER, word: 0, mask: 3 }).is_empty());
    assert_eq!(source.storage.compare(&destination.storage, MOVER), Err("contents are not watched".into()));
}

#[test]
fn notes_end_with_the_relocation() {
    let mut host = tracked(3000, 0, 300);
    host.touch(MOVER, 0, 10, u64::MAX);
    let bytes = host.storage.bytes();
    host.storage.untrack(MOVER);
    assert!(!host.storage.is_tracked(MOVER) && host.storage.bytes() < bytes);
    host.touch(MOVER, 0, 10, u64::MAX);
    assert_eq!(host.storage.changed_pages(MOVER), 0);
    host.storage.track(MOVER);
    assert_eq!((host.storage.is_tracked(MOVER), host.storage.changed_pages(MOVER)), (true, 0));
    assert_eq!(collect(&mut host, 0, true, ALL, ALL).0.pages, 300, "all are sent again");
}
