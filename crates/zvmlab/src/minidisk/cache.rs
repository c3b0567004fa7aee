//! The directory of the minidisk cache: the tracks that it holds. A track read since the hand last passed gets a second
//! chance.

/// No place.
const NONE: u32 = u32::MAX;

/// The directory.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    /// The place that holds each track.
    place_of: Vec<u32>,
    /// The track in each place in use, and whether it was read since the hand passed.
    places: Vec<(u32, bool)>,
    capacity: u64,
    hand: usize,
}

impl Cache {
    /// An empty cache with room for `capacity` of `tracks` tracks.
    pub fn new(tracks: u64, capacity: u64) -> Self {
        Cache { place_of: vec![NONE; tracks as usize], places: Vec::new(), capacity, hand: 0 }
    }

    /// Tracks that it can hold.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Tracks that it holds.
    pub fn len(&self) -> u64 {
        self.places.len() as u64
    }

    /// Whether it holds `track`.
    pub fn has(&self, track: u64) -> bool {
        self.place_of[track as usize] != NONE
    }

    /// Notes that `track`, which it holds, was read.
    pub fn touch(&mut self, track: u64) {
        let place = self.place_of[track as usize];
        self.places[place as usize].1 = true;
    }

    /// From now on it is to have room for `capacity` tracks. Tracks beyond that leave it.
    pub fn set_capacity(&mut self, capacity: u64) {
        self.capacity = capacity;
        while self.len() > capacity {
            let victim = self.next_victim();
            self.remove(self.places[victim].0.into());
        }
    }

    /// Adds `track`, in place of another one if the cache is full or may not `grow`. If it holds nothing then, it stays empty.
    pub fn insert(&mut self, track: u64, grow: impl FnOnce() -> bool) {
        if self.has(track) {
            return self.touch(track);
        }
        let place = if self.len() < self.capacity && grow() {
            self.places.push((track as u32, false));
            self.places.len() - 1
        } else if self.places.is_empty() {
            return;
        } else {
            let place = self.next_victim();
            self.place_of[self.places[place].0 as usize] = NONE;
            self.places[place] = (track as u32, false);
            place
        };
        self.place_of[track as usize] = place as u32;
    }

    /// Gives up `track`. `false` if it does not hold it.
    pub fn remove(&mut self, track: u64) -> bool {
        let place = std::mem::replace(&mut self.place_of[track as usize], NONE);
        if place == NONE {
            return false;
        }
        self.places.swap_remove(place as usize);
        if let Some(&(moved, _)) = self.places.get(place as usize) {
            self.place_of[moved as usize] = place;
        }
        if self.hand >= self.places.len() {
            self.hand = 0;
        }
        true
    }

    fn next_victim(&mut self) -> usize {
        loop {
            let place = self.hand;
            self.hand = (self.hand + 1) % self.places.len();
            if !std::mem::take(&mut self.places[place].1) {
                return place;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(cache: &mut Cache, track: u64) {
        cache.insert(track, || true);
    }

    #[test]
    fn what_was_read_again_stays_longer() {
        let mut cache = Cache::new(10, 3);
        (0..3).for_each(|track| insert(&mut cache, track));
        cache.touch(0);
        insert(&mut cache, 3);
        assert_eq!([0, 1, 2, 3].map(|track| cache.has(track)), [true, false, true, true]);
        insert(&mut cache, 4);
        assert_eq!([0, 2, 3, 4].map(|track| cache.has(track)), [true, false, true, true]);
        assert_eq!(cache.len(), 3);
    }

    #[test]
    fn a_track_given_up_is_gone_and_leaves_room() {
        let mut cache = Cache::new(10, 3);
        (0..4).for_each(|track| insert(&mut cache, track)); // The hand is past the first place.
        assert_eq!([3, 0, 1].map(|track| cache.remove(track)), [true, false, true]);
        assert_eq!((cache.len(), cache.has(1), cache.has(2), cache.has(3)), (1, false, true, false));
        (5..9).for_each(|track| insert(&mut cache, track));
        assert_eq!(cache.len(), 3);
        assert_eq!((0..10).filter(|&track| cache.has(track)).count(), 3);
        (0..10).for_each(|track| {
            cache.remove(track);
        });
        insert(&mut cache, 0);
        assert_eq!((cache.len(), cache.has(0)), (1, true));
    }

    #[test]
    fn a_cache_that_may_not_grow_replaces_and_one_that_shrinks_keeps_what_was_read_again() {
        let mut cache = Cache::new(10, 5);
        cache.insert(0, || false);
        assert_eq!(cache.len(), 0, "no track makes room");
        (0..3).for_each(|track| insert(&mut cache, track));
        cache.insert(3, || false);
        assert_eq!((cache.len(), cache.has(0)), (3, false));
        cache.touch(2);
        cache.set_capacity(1);
        assert_eq!((0..10).filter(|&track| cache.has(track)).collect::<Vec<_>>(), [2]);
        cache.set_capacity(0);
        insert(&mut cache, 4);
        assert_eq!(cache.len(), 0);
    }
}
