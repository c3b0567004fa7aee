//! CP's arbiter, which divides central storage between the minidisk cache and guests' pages.
//!
//! How it decides is in no source at hand. Assumed: it compares how long pages stay. What stays in the cache is replaced by tracks that are
//! read; guests' pages are taken away by demand scan. Where pages stay longer, there is storage to spare, and some of it goes to the other
//! side. So in the end pages stay as long here as there. The arbiter does not ask which side gains more by it: reads that
//! never come again fill the cache all the same. As long as nothing is taken from guests, the cache grows with what is read.

use super::RECORDS_PER_TRACK;
use super::cache::Cache;

/// What the arbiter sees of guests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guests {
    /// Frames of theirs that may be taken.
    pub frames: u64,
    /// Frames that they have lost so far.
    pub taken: u64,
    /// Whether any of them waits for a frame.
    pub wait: bool,
}

/// What the arbiter knows.
#[derive(Clone, Debug)]
pub(super) struct Arbiter {
    /// Tracks that the cache has room for at most, in central storage.
    most: u64,
    /// Tracks that it has room for in expanded storage.
    expanded: u64,
    /// Tracks that were read since it last looked, and that the cache did not hold.
    came: u64,
    /// Frames that guests had lost when it last looked.
    taken: u64,
}

impl Arbiter {
    /// The arbiter of a cache that may have so many frames, and has so many pages of expanded storage.
    pub fn new(most_frames: u64, expanded_pages: u64) -> Self {
        let (most, expanded) = (most_frames / RECORDS_PER_TRACK, expanded_pages / RECORDS_PER_TRACK);
        Arbiter { most, expanded, came: 0, taken: 0 }
    }

    /// A track that was read goes into the cache. Expanded storage fills first (assumed).
    pub fn insert(&mut self, cache: &mut Cache, track: u64, lend: &mut impl FnMut(u64) -> bool) {
        self.came += u64::from(!cache.has(track));
        let is_free = cache.len() < self.expanded;
        cache.insert(track, || is_free || lend(RECORDS_PER_TRACK));
    }

    /// Sets the size of the cache from what came and what was taken since it last looked: a `part` of the way to the size at which pages
    /// would stay as long in it as guests' do. Where guests wait for frames and none can be taken from them, it gets smaller.
    pub fn look(&mut self, cache: &mut Cache, guests: Guests, part: f64) {
        let came = std::mem::take(&mut self.came) * RECORDS_PER_TRACK;
        let lost = guests.taken - std::mem::replace(&mut self.taken, guests.taken);
        let held = self.lent(cache);
        let capacity = if lost == 0 && !guests.wait {
            self.most
        } else {
            // What is in expanded storage stays with the rest: the longer, the less of central storage the cache needs.
            let expanded = self.expanded.min(cache.len()) * RECORDS_PER_TRACK;
            let all = (guests.frames + held) as f64 * came as f64 - expanded as f64 * lost as f64;
            let wanted = if lost == 0 { 0.0 } else { (all / (came + lost) as f64).max(0.0) };
            let next = held as f64 + (wanted - held as f64) * part;
            // Down to whole tracks, so that a cache in which nothing new comes gets smaller to the last one.
            (next / RECORDS_PER_TRACK as f64) as u64
        };
        cache.set_capacity(self.expanded + capacity.min(self.most));
    }

    /// Frames that the cache was lent.
    pub fn lent(&self, cache: &Cache) -> u64 {
        cache.len().saturating_sub(self.expanded) * RECORDS_PER_TRACK
    }

    /// Part of the cache that is in expanded storage.
    pub fn expanded_part(&self, cache: &Cache) -> f64 {
        if cache.len() == 0 { 0.0 } else { self.expanded.min(cache.len()) as f64 / cache.len() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cache that shares 120,000 frames with guests.
    struct Shared {
        cache: Cache,
        arbiter: Arbiter,
        guests: Guests,
        track: u64,
    }

    impl Shared {
        fn new() -> Shared {
            let guests = Guests { frames: 120_000, taken: 0, wait: false };
            Shared { cache: Cache::new(1_000_000, 10_000), arbiter: Arbiter::new(120_000, 0), guests, track: 0 }
        }

        /// A minute in which `came` new tracks are read each second, and guests lose `lost` frames.
        fn minute(&mut self, came: u64, lost: u64) -> (u64, u64) {
            for _ in 0..60 {
                for _ in 0..came {
                    self.arbiter.insert(&mut self.cache, self.track, &mut |_| true);
                    self.track += 1;
                }
                self.guests.taken += lost;
                self.guests.frames = 120_000 - self.arbiter.lent(&self.cache);
                self.arbiter.look(&mut self.cache, self.guests, 0.125);
            }
            (self.arbiter.lent(&self.cache), self.guests.frames)
        }
    }

    #[test]
    fn pages_come_to_stay_as_long_in_the_cache_as_with_guests() {
        let (held, guests) = Shared::new().minute(500, 2_000);
        let stay = [held as f64 / 6_000.0, guests as f64 / 2_000.0];
        assert!((stay[0] / stay[1] - 1.0).abs() < 0.02, "{stay:?} s, {held} and {guests} frames");
    }

    #[test]
    fn the_cache_has_all_it_may_as_long_as_nobody_pages_and_nothing_once_nothing_new_is_read() {
        let mut shared = Shared::new();
        assert_eq!(shared.minute(500, 0).0, 120_000);
        shared.minute(0, 2_000);
        assert_eq!(shared.minute(0, 2_000).0, 0);
    }

    #[test]
    fn the_cache_gives_frames_back_where_guests_wait_for_some_and_have_none_to_lose() {
        let mut shared = Shared::new();
        shared.minute(500, 0);
        shared.guests.wait = true;
        shared.minute(500, 0);
        assert!(shared.minute(500, 0).0 < 1_000);
    }
}
