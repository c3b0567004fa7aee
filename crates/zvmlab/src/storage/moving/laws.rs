//! The laws of a guest's pages on their way between members, under generated touches, passes, paging and releases.

use proptest::collection::vec;
use proptest::prelude::*;

use super::tests::{Host, MOVER, PAGES, STAYER};
use super::*;

/// What happens next. Of the members, 0 is where the guest is at first.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// The guest touches pages, and changes them or not.
    Touch(u64, u64, bool),
    /// It touches one page by the short way.
    TouchOne(u64),
    /// Another guest of a member touches pages, which takes frames.
    Press(usize, u64, u64),
    Replenish(usize),
    /// A write ends, not always the oldest.
    EndWrite(usize, usize),
    EndReads(usize, bool),
    /// The pass goes on.
    Collect(u32, u32),
    /// Pages arrive.
    Arrive(usize),
    /// The relocation is cancelled: the destination releases what has arrived, and the relocation begins again.
    Cancel,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let member = || 0..2usize;
    let act = prop_oneof![
        4 => (0..PAGES, 1..200u64, any::<bool>()).prop_map(|(page, count, change)| Act::Touch(page, count.min(PAGES - page), change)),
        4 => (0..PAGES).prop_map(Act::TouchOne),
        4 => (member(), 0..3000u64, 1..400u64).prop_map(|(at, page, count)| Act::Press(at, page, count)),
        4 => member().prop_map(Act::Replenish),
        6 => (member(), 0..100usize).prop_map(|(at, which)| Act::EndWrite(at, which)),
        3 => (member(), any::<bool>()).prop_map(|(at, keep)| Act::EndReads(at, keep)),
        8 => (1..300u32, 1..4u32).prop_map(|(limit, segments)| Act::Collect(limit, segments)),
        8 => (1..10usize).prop_map(Act::Arrive),
        1 => Just(Act::Cancel),
    ];
    vec(act, 1..150)
}

/// A relocation under way: its two members, and what a test can know of it from outside.
#[derive(Debug)]
struct Move {
    hosts: [Host; 2],
    from: usize,
    to: usize,
    next: u32,
    first_pass: bool,
    /// Pages that the pass has collected from the last word that it collected from. No pass collects a page twice.
    last_word: Vec<usize>,
    /// Parts on their way, with their contents.
    under_way: std::collections::VecDeque<(Part, Vec<u32>)>,
    /// What each page's version should be, and what it was when it was last collected.
    versions: Vec<u32>,
    collected: Vec<Option<u32>>,
}

impl Move {
    fn new(frames: [u64; 2]) -> Move {
        let mut hosts = [Host::new(1, frames[0]), Host::new(2, frames[1])];
        hosts.iter_mut().for_each(|host| host.storage.watch_contents());
        Move {
            hosts,
            from: 0,
            to: 1,
            next: 0,
            first_pass: true,
            last_word: Vec::new(),
            under_way: Default::default(),
            versions: vec![0; PAGES as usize],
            collected: vec![None; PAGES as usize],
        }
    }

    fn begin(&mut self) {
        self.hosts[self.from].storage.track(MOVER);
        self.hosts[self.to].storage.build(MOVER);
        (self.next, self.first_pass) = (0, true);
        self.last_word.clear();
        self.under_way.clear();
        self.collected.fill(None);
    }

    fn touch(&mut self, page: u64, count: u64, change: bool) {
        let touched = self.hosts[self.from].touch(MOVER, page, count, if change { u64::MAX } else { 0 });
        for version in &mut self.versions[page as usize..(page + touched.pages) as usize] {
            *version += u32::from(change || *version == 0);
        }
    }

    /// The short way works only while contents are not watched, so the test notes by hand what it does.
    fn touch_one(&mut self, page: u64) {
        let versions = std::mem::take(&mut self.hosts[self.from].storage.guests[MOVER as usize].versions);
        let storage = &mut self.hosts[self.from].storage;
        let valid = storage.touch_valid(MOVER, |mut valid| valid.touch(page, || u64::MAX).into()) as u32;
        self.versions[page as usize] += valid;
        let pages = &mut self.hosts[self.from].storage.guests[MOVER as usize];
        pages.versions = versions;
        pages.versions[page as usize] += valid;
    }

    /// Whether the pass has to send a page.
    fn to_send(&self, page: usize) -> bool {
        let (version, collected) = (self.versions[page], self.collected[page]);
        let noted = if self.first_pass { collected.is_none() } else { collected != Some(version) };
        noted && version > 0 && !self.last_word.contains(&page)
    }

    fn collect(&mut self, limit: u32, segments: u32) -> Collected {
        let source = &mut self.hosts[self.from];
        let mut parts = Vec::new();
        let collected_before = self.last_word.clone();
        let collected = source.storage.collect(MOVER, self.next, self.first_pass, limit, segments, &mut parts);
        assert!(collected.pages <= limit && collected.segments <= segments);
        assert_eq!(collected.pages, parts.iter().map(|part| part.pages()).sum::<u32>());
        let mut resent = 0;
        for part in parts {
            assert!((self.next..=collected.next).contains(&part.word), "a pass goes through the words in order");
            let contents = self.hosts[self.from].storage.contents(part);
            for (page, &version) in bits(part.mask).map(|bit| page(part.word, bit)).zip(&contents) {
                assert_eq!(version, self.versions[page], "the version of page {page}");
                assert!(self.to_send(page), "page {page} is not to be sent");
                assert!(collected.away.is_none_or(|away| (page as u64) < away), "page {page} comes after one to be read");
                resent += u32::from(self.collected[page].is_some());
                self.collected[page] = Some(version);
                if self.last_word.first().is_some_and(|first| first / 64 != page / 64) {
                    self.last_word.clear();
                }
                self.last_word.push(page);
            }
            self.under_way.push_back((part, contents));
        }
        assert_eq!(collected.resent, resent);
        let behind = collected.away.unwrap_or(u64::from(collected.next) * 64).min(PAGES) as usize;
        let whole = (self.next as usize * 64)..behind;
        let left_out = |page: usize| self.to_send(page) && !collected_before.contains(&page);
        assert!(!whole.into_iter().any(left_out), "nothing is left out");
        let next_away = self.hosts[self.from].storage.next_away(MOVER, u64::from(collected.next) * 64, self.first_pass);
        assert!(collected.away.is_none() || collected.away == next_away);
        assert!(next_away.is_none_or(|page| self.to_send(page as usize)));
        if collected.pages < limit && collected.segments < segments {
            assert!(collected.through || collected.away.is_some(), "a pass does not stop without a reason");
        }
        self.next = collected.next;
        if collected.through {
            (self.next, self.first_pass) = (0, false);
            self.last_word.clear();
            let noted = (0..PAGES as usize).filter(|&page| self.to_send(page)).count();
            assert_eq!(self.hosts[self.from].storage.changed_pages(MOVER), noted as u64);
        }
        let storage = &self.hosts[self.from].storage;
        let is_away = |page: &u64| storage.away(MOVER, (page / 64) as u32) >> (page % 64) & 1 != 0;
        let first = (0..PAGES).filter(|&page| self.to_send(page as usize)).find(is_away);
        assert_eq!(storage.next_away(MOVER, 0, self.first_pass), first, "the next page to be read");
        collected
    }

    /// The next part arrives, if there are frames for it.
    fn arrive(&mut self) -> bool {
        let Some((part, contents)) = self.under_way.front() else { return false };
        let stored = self.hosts[self.to].store(*part, contents);
        if stored {
            self.under_way.pop_front();
        }
        stored
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Touch(page, count, change) => self.touch(page, count, change),
            Act::TouchOne(page) => self.touch_one(page),
            Act::Press(at, page, count) => {
                self.hosts[at].touch(STAYER[at], page, count, u64::MAX);
            }
            Act::Replenish(at) => self.hosts[at].replenish(),
            Act::EndWrite(at, which) => {
                let writes = self.hosts[at].writes.len();
                if writes > 0 {
                    self.hosts[at].end_write(which % writes);
                }
            }
            Act::EndReads(at, keep) => self.hosts[at].end_reads(keep),
            Act::Collect(limit, segments) => {
                if let Some(away) = self.collect(limit, segments).away {
                    self.hosts[self.from].begin_read(MOVER, away);
                }
            }
            Act::Arrive(parts) => {
                for _ in 0..parts {
                    self.arrive();
                }
            }
            Act::Cancel => {
                self.hosts[self.from].storage.untrack(MOVER);
                self.leave(self.to);
                self.begin();
            }
        }
        self.hosts.iter().for_each(Host::verify);
    }

    /// The guest's pages leave a member. Once all writes have ended, nothing of them is left.
    fn leave(&mut self, at: usize) {
        let host = &mut self.hosts[at];
        host.end_reads(true);
        host.release(MOVER);
        host.verify();
        let mut last = usize::MAX;
        while !host.storage.is_gone(MOVER) {
            assert!(host.writes.iter().any(|part| part.guest == MOVER), "only writes keep pages");
            host.end_write(0);
            host.verify();
            assert!(host.writes.len() < last);
            last = host.writes.len();
        }
        assert!(!host.writes.iter().any(|part| part.guest == MOVER));
        assert_eq!((host.storage.places(MOVER), host.storage.touched_pages(MOVER)), ([0; 4], 0));
    }

    /// The guest is stopped. The rest is sent, and then both members hold the same.
    fn finish(&mut self) {
        while self.first_pass || self.hosts[self.from].storage.changed_pages(MOVER) > 0 {
            if let Some(away) = self.collect(256, 4).away {
                self.hosts[self.from].settle();
                assert!(self.hosts[self.from].begin_read(MOVER, away));
                self.hosts[self.from].end_reads(true);
            }
        }
        while !self.under_way.is_empty() {
            self.hosts[self.to].settle();
            assert!(self.arrive(), "frames are to be had");
        }
        self.hosts.iter().for_each(Host::verify);
        assert_eq!(self.compare(), Ok(()));
        let touched = self.versions.iter().filter(|&&version| version > 0).count() as u64;
        assert_eq!(self.hosts[self.to].storage.touched_pages(MOVER), touched);
    }

    fn compare(&self) -> Result<(), String> {
        self.hosts[self.from].storage.compare(&self.hosts[self.to].storage, MOVER)
    }

    /// One page that is changed and not sent makes a difference.
    fn leave_out(&mut self, page: u64) {
        self.hosts[self.from].fill(MOVER, page, 1);
        self.versions[page as usize] += 1;
        let difference = self.compare().expect_err("a page is left out");
        assert!(difference.starts_with(&format!("page {page}: ")), "{difference}");
        self.finish();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_destination_has_what_the_source_had(
        frames in (300..4000u64, 300..4000u64),
        there in acts(),
        back in acts(),
        left_out in 0..PAGES,
    ) {
        let mut moving = Move::new([frames.0, frames.1]);
        // Some of it was touched, and was perhaps paged out, before the relocation begins.
        moving.hosts[0].fill(MOVER, 0, left_out);
        moving.versions[..left_out as usize].fill(1);
        for acts in [there, back] {
            moving.begin();
            acts.into_iter().for_each(|act| moving.act(act));
            moving.finish();
            moving.leave_out(left_out);
            moving.leave(moving.from);
            std::mem::swap(&mut moving.from, &mut moving.to);
        }
    }
}
