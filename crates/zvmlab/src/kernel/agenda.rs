//! The agenda: the simulated instant, what falls due after it, and how much has happened.

use super::queue::EventQueue;
use super::time::Instant;

/// The present instant of a model, and its events from there on.
#[derive(Clone, Debug)]
pub struct Agenda<E> {
    now: Instant,
    events: u64,
    queue: EventQueue<E>,
}

impl<E: Copy> Default for Agenda<E> {
    fn default() -> Self {
        Agenda { now: Instant::ZERO, events: 0, queue: EventQueue::new() }
    }
}

impl<E: Copy> Agenda<E> {
    /// The simulated instant.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Events that have happened.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Schedules `event` for `at`. Of the events for one instant, the one announced first happens first.
    pub fn schedule(&mut self, at: Instant, event: E) {
        self.queue.schedule(at, event);
    }

    /// When the next event falls due.
    pub fn next_instant(&self) -> Option<Instant> {
        self.queue.next_instant()
    }

    /// Takes the next event. Time goes on to the instant at which it is due.
    pub fn next_event(&mut self) -> Option<E> {
        let (at, event) = self.queue.pop()?;
        debug_assert!(at >= self.now, "time does not go back");
        self.now = at;
        self.events += 1;
        Some(event)
    }

    /// Goes on to `now` without an event, unless it is later already.
    pub fn go_on_to(&mut self, now: Instant) {
        self.now = self.now.max(now);
    }
}
