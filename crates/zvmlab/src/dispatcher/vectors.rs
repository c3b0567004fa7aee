//! The vectors (PLDV) of the logical processors: short lists of ready virtual CPUs, dealt out from the dispatch list.

use std::collections::BTreeMap;

use crate::scheduler::Priority;

/// A ready virtual CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ready {
    pub cpu: u32,
    pub priority: Priority,
}

/// The vectors, and the ready virtual CPUs of the dispatch list that are in none.
#[derive(Clone, Debug)]
pub(super) struct Vectors {
    vectors: Vec<Vec<Ready>>,
    entries: usize,
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
            entries: entries as usize,
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
        let room = |vector: &Vec<Ready>| vector.len() < self.entries;
        let elsewhere = if room(&self.vectors[processor as usize]) { None } else { self.vectors.iter().position(room) };
        let vector = &mut self.vectors[elsewhere.unwrap_or(processor as usize)];
        let at = vector.partition_point(|other| order(other) <= order(&ready));
        vector.insert(at, ready);
        self.in_vectors += 1;
        if vector.len() > self.entries {
            let last = vector.pop().expect("it is longer than its entries");
            self.in_vectors -= 1;
            self.beyond.insert(order(&last), last);
            self.overflow_noted |= self.notes_overflow;
        }
    }

    /// Takes the virtual CPU that `processor` runs next. It comes from the processor's own vector, unless somebody in
    /// another vector is due earlier; if overflow was noted, the dispatch list counts too. `now` is clock time, for those
    /// that are not released yet.
    pub fn take(&mut self, processor: u32, now: u64) -> Option<Ready> {
        let own = self.best(processor, now);
        let others = (0..self.vectors.len() as u32).filter(|&other| other != processor);
        let best_of = |other| self.best(other, now).map(|(key, at)| (key, other, at));
        let other = if self.in_vectors > self.length(processor) { others.filter_map(best_of).min() } else { None };
        let beyond = if self.overflow_noted { self.beyond.first_key_value() } else { None };
        let bar = |(late, key): (bool, u64)| (late, key.saturating_add(self.tolerance));
        let from_own = own.filter(|&(key, _)| other.is_none_or(|(other, ..)| key <= bar(other)));
        let nearest = from_own.map(|(key, _)| key).or(other.map(|(key, ..)| key));
        if let Some((&place, ready)) = beyond
            && nearest.is_none_or(|nearest| ready.priority.key(now) < nearest)
        {
            let ready = *ready;
            self.beyond.remove(&place);
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
        self.in_vectors -= 1;
        Some(self.vectors[from as usize].remove(at))
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
        for vector in &mut self.vectors {
            if let Some(at) = vector.iter().position(|ready| ready.cpu == cpu) {
                vector.remove(at);
                self.in_vectors -= 1;
                return true;
            }
        }
        let place = self.beyond.iter().find(|(_, ready)| ready.cpu == cpu).map(|(&place, _)| place);
        let removed = place.is_some_and(|place| self.beyond.remove(&place).is_some());
        self.overflow_noted &= !self.beyond.is_empty();
        removed
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
                self.vectors[index % processors].push(ready);
            } else {
                self.beyond.insert(order(&ready), ready);
            }
        }
        self.overflow_noted = self.notes_overflow && !self.beyond.is_empty();
        self.reshuffles += 1;
    }

    /// Every ready virtual CPU.
    pub fn iter(&self) -> impl Iterator<Item = &Ready> {
        self.vectors.iter().flatten().chain(self.beyond.values())
    }

    /// Whether a processor without work can find any.
    pub fn has_work(&self) -> bool {
        self.in_vectors > 0 || self.overflow_noted
    }
}

fn order(ready: &Ready) -> (u64, u32) {
    (ready.priority.deadline, ready.cpu)
}
