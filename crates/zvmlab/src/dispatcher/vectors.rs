//! The vectors (PLDV) of the logical processors: short lists of ready virtual CPUs, dealt out from the dispatch list.

use std::collections::BTreeMap;

use super::heads::Heads;
use super::{all_of, bits};
use crate::scheduler::Priority;

/// A ready virtual CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ready {
    pub cpu: u32,
    pub priority: Priority,
}

/// Where a virtual CPU waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Nowhere,
    /// In the vector of this processor.
    Vector(u8),
    /// In the dispatch list only, with this deadline.
    Beyond(u64),
}

/// The vectors, and the ready virtual CPUs of the dispatch list that are in none.
#[derive(Clone, Debug)]
pub(super) struct Vectors {
    vectors: Vec<Vec<Ready>>,
    /// What a processor sees of other vectors at a glance.
    heads: Heads,
    /// Where each virtual CPU waits.
    places: Vec<Place>,
    entries: usize,
    /// Vectors with room for one more, a bit each.
    room: u64,
    in_vectors: u32,
    /// In the dispatch list only, by deadline.
    beyond: BTreeMap<(u64, u32), Ready>,
    /// Whether a processor that looks for work knows of ready virtual CPUs beyond the vectors.
    overflow_noted: bool,
    /// Whether overflow is noted at all: VM64887.
    notes_overflow: bool,
    /// A processor keeps to its own vector if its first entry there is due at most this much later than another processor's.
    tolerance: u64,
    reshuffles: u64,
    steals: u64,
}

impl Vectors {
    pub fn new(processors: u32, entries: u32, notes_overflow: bool, tolerance: u64) -> Self {
        Vectors {
            vectors: vec![Vec::new(); processors as usize],
            heads: Heads::new(processors),
            places: Vec::new(),
            entries: entries as usize,
            room: all_of(processors),
            in_vectors: 0,
            beyond: BTreeMap::new(),
            overflow_noted: false,
            notes_overflow,
            tolerance,
            reshuffles: 0,
            steals: 0,
        }
    }

    /// Ready virtual CPUs: all, and those in no vector.
    pub fn counts(&self) -> (u32, u32) {
        let beyond = self.beyond.len() as u32;
        (self.in_vectors + beyond, beyond)
    }

    /// Virtual CPUs in the vector of `processor`.
    pub fn length(&self, processor: u32) -> u32 {
        self.vectors[processor as usize].len() as u32
    }

    /// Reshuffles and steals so far.
    pub fn totals(&self) -> (u64, u64) {
        (self.reshuffles, self.steals)
    }

    /// Adds a ready virtual CPU to the vector of `processor`, by its deadline. If that vector is full, another one with room
    /// takes it. If all are full, the last entry of the vector drops out and is in the dispatch list only.
    pub fn insert(&mut self, processor: u32, ready: Ready) {
        let chosen = match self.room {
            0 => processor as usize,
            room if room >> processor & 1 == 1 => processor as usize,
            room => room.trailing_zeros() as usize,
        };
        let vector = &mut self.vectors[chosen];
        // Most come last.
        let at = vector.iter().rposition(|other| order(other) <= order(&ready)).map_or(0, |before| before + 1);
        // Whoever drops out goes first: a computer waits when it reads what it has just moved.
        let dropped = if vector.len() < self.entries {
            None
        } else if at == self.entries {
            Some(ready)
        } else {
            vector.pop()
        };
        if at < self.entries {
            vector.insert(at, ready);
            self.put(ready.cpu, Place::Vector(chosen as u8));
        }
        let vector = &self.vectors[chosen];
        if vector.len() == self.entries {
            self.room &= !(1 << chosen);
        }
        if at == 0 {
            self.heads.note(chosen, Some(ready.priority));
        }
        match dropped {
            None => self.in_vectors += 1,
            Some(last) => {
                self.put(last.cpu, Place::Beyond(last.priority.deadline));
                self.beyond.insert(order(&last), last);
                self.overflow_noted |= self.notes_overflow;
            }
        }
    }

    fn put(&mut self, cpu: u32, place: Place) {
        let at = cpu as usize;
        if at >= self.places.len() {
            self.places.resize(at + 1, Place::Nowhere);
        }
        self.places[at] = place;
    }

    /// Takes an entry out of a vector.
    fn take_from(&mut self, processor: usize, at: usize) -> Ready {
        let vector = &mut self.vectors[processor];
        // Read before it moves, for the same reason.
        let second = vector.get(1).map(|ready| ready.priority);
        let ready = vector.remove(at);
        self.room |= 1 << processor;
        if at == 0 {
            self.heads.note(processor, second);
        }
        self.in_vectors -= 1;
        self.places[ready.cpu as usize] = Place::Nowhere;
        ready
    }

    /// Takes the virtual CPU that `processor` runs next. It comes from the processor's own vector, unless somebody in
    /// another vector is due earlier; if overflow was noted, the dispatch list counts too. `now` is clock time, for those
    /// that are not released yet.
    pub fn take(&mut self, processor: u32, now: u64) -> Option<Ready> {
        let own = self.best(processor, now);
        let bar = |(late, key): (bool, u64)| (late, key.saturating_add(self.tolerance));
        // Whoever is due first of all is due no later than the first of the others.
        let is_own = |(key, _)| self.heads.earliest().is_some_and(|earliest| key <= bar((false, earliest)));
        let other = if self.in_vectors > self.length(processor) && !own.is_some_and(is_own) {
            self.best_of_others(processor, now)
        } else {
            None
        };
        let beyond = if self.overflow_noted { self.beyond.first_key_value() } else { None };
        let from_own = own.filter(|&(key, _)| other.is_none_or(|(other, ..)| key <= bar(other)));
        let nearest = from_own.map(|(key, _)| key).or(other.map(|(key, ..)| key));
        if let Some((&place, ready)) = beyond
            && nearest.is_none_or(|nearest| ready.priority.key(now) < nearest)
        {
            let ready = *ready;
            self.beyond.remove(&place);
            self.places[ready.cpu as usize] = Place::Nowhere;
            self.overflow_noted &= !self.beyond.is_empty();
            return Some(ready);
        }
        let (from, at) = match (from_own, other) {
            (Some((_, at)), _) => (processor, at),
            (None, Some((_, other, at))) => {
                self.steals += 1;
                (other, at)
            }
            (None, None) => return None,
        };
        Some(self.take_from(from as usize, at))
    }

    /// The entry that comes first in the vectors of the other processors: its key, whose vector, its place there.
    fn best_of_others(&self, processor: u32, now: u64) -> Option<((bool, u64), u32, usize)> {
        let plain = self.heads.first_but(processor).map(|(deadline, other)| ((false, deadline), other, 0));
        let timed = bits(self.heads.timed() & !(1 << processor));
        timed.filter_map(|other| self.best(other, now).map(|(key, at)| (key, other, at))).chain(plain).min()
    }

    /// The entry of a vector that comes first: its key and its place.
    fn best(&self, processor: u32, now: u64) -> Option<((bool, u64), usize)> {
        let vector = &self.vectors[processor as usize];
        let first = vector.first()?;
        if first.priority.release == 0 {
            return Some((first.priority.key(now), 0)); // They stand in the order of their deadlines.
        }
        vector.iter().zip(0..).map(|(ready, at)| (ready.priority.key(now), at)).min()
    }

    /// Takes a virtual CPU out, wherever it waits. Returns `false` if it does not wait here.
    pub fn remove(&mut self, cpu: u32) -> bool {
        match self.places.get(cpu as usize) {
            Some(Place::Vector(processor)) => {
                let processor = usize::from(*processor);
                let at = self.vectors[processor].iter().position(|ready| ready.cpu == cpu);
                self.take_from(processor, at.expect("it waits in this vector"));
                true
            }
            Some(&Place::Beyond(deadline)) => {
                self.places[cpu as usize] = Place::Nowhere;
                let removed = self.beyond.remove(&(deadline, cpu)).is_some();
                self.overflow_noted &= !self.beyond.is_empty();
                removed
            }
            Some(Place::Nowhere) | None => false,
        }
    }

    /// Deals all ready virtual CPUs out again: in the order of their deadlines, to one processor after the other.
    pub fn reshuffle(&mut self) {
        let mut all: Vec<Ready> = self.vectors.iter_mut().flat_map(std::mem::take).collect();
        all.extend(std::mem::take(&mut self.beyond).into_values());
        all.sort_by_key(order);
        let room = self.entries * self.vectors.len();
        self.in_vectors = all.len().min(room) as u32;
        let processors = self.vectors.len();
        for (index, ready) in all.into_iter().enumerate() {
            if index < room {
                self.put(ready.cpu, Place::Vector((index % processors) as u8));
                self.vectors[index % processors].push(ready);
            } else {
                self.put(ready.cpu, Place::Beyond(ready.priority.deadline));
                self.beyond.insert(order(&ready), ready);
            }
        }
        for (at, vector) in self.vectors.iter().enumerate() {
            self.heads.note(at, vector.first().map(|ready| ready.priority));
            self.room = self.room & !(1 << at) | u64::from(vector.len() < self.entries) << at;
        }
        self.overflow_noted = self.notes_overflow && !self.beyond.is_empty();
        self.reshuffles += 1;
    }

    /// Every ready virtual CPU.
    pub fn iter(&self) -> impl Iterator<Item = &Ready> {
        self.vectors.iter().flatten().chain(self.beyond.values())
    }

    /// Checks that what is noted of heads and places is so.
    pub fn verify(&self) {
        for (vector, processor) in self.vectors.iter().zip(0..) {
            let mut noted = self.heads.clone();
            noted.note(processor, vector.first().map(|ready| ready.priority));
            assert_eq!(noted, self.heads, "the head of each vector is noted");
            let has_room = vector.len() < self.entries;
            assert_eq!(self.room >> processor & 1 == 1, has_room, "it is noted which vectors have room");
            for ready in vector {
                assert_eq!(self.places[ready.cpu as usize], Place::Vector(processor as u8), "it waits where it is noted");
            }
        }
        let waiting = self.places.iter().filter(|place| **place != Place::Nowhere).count();
        assert_eq!(waiting, self.iter().count(), "nobody else is noted");
    }

    /// Whether a processor without work can find any.
    pub fn has_work(&self) -> bool {
        self.in_vectors > 0 || self.overflow_noted
    }
}

fn order(ready: &Ready) -> (u64, u32) {
    (ready.priority.deadline, ready.cpu)
}
