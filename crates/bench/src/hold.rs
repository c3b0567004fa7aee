//! The hold model: a fixed number of pending events. Each event, when handled, schedules itself again after an exponential
//! span (Vaucher and Duval 1975, the usual benchmark for event queues).

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use zvmlab::kernel::queue::EventQueue;
use zvmlab::kernel::rng::Generator;
use zvmlab::kernel::time::{Instant, Span};

/// The mean time between two turns of an event, in nanoseconds: a millisecond, about the time of an I/O.
const MEAN_SPAN_NS: f64 = 1e6;

/// How many spans are drawn in advance.
const DRAWN: usize = 1 << 16;

/// An event as large as the model's own events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    kind: u32,
    subject: u32,
    generation: u32,
}

/// A queue of events.
pub trait Pending {
    /// Schedules `event` at `at`.
    fn schedule(&mut self, at: Instant, event: Event);
    /// Takes the next event due.
    fn pop(&mut self) -> Option<(Instant, Event)>;
}

impl Pending for EventQueue<Event> {
    fn schedule(&mut self, at: Instant, event: Event) {
        EventQueue::schedule(self, at, event);
    }
    fn pop(&mut self) -> Option<(Instant, Event)> {
        EventQueue::pop(self)
    }
}

/// The plain queue: the standard library's heap, ordered by instant and sequence.
#[derive(Clone, Debug, Default)]
pub struct PlainHeap {
    heap: BinaryHeap<Reverse<Entry>>,
    sequence: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    at: Instant,
    sequence: u64,
    event: Event,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.at, self.sequence).cmp(&(other.at, other.sequence))
    }
}

impl Pending for PlainHeap {
    fn schedule(&mut self, at: Instant, event: Event) {
        self.heap.push(Reverse(Entry { at, sequence: self.sequence, event }));
        self.sequence += 1;
    }
    fn pop(&mut self) -> Option<(Instant, Event)> {
        self.heap.pop().map(|Reverse(entry)| (entry.at, entry.event))
    }
}

/// Exponential spans, drawn in advance so that the benchmark times only the queue.
#[derive(Clone, Debug)]
pub struct Drawn(Vec<Span>);

impl Default for Drawn {
    fn default() -> Self {
        Self::new()
    }
}

impl Drawn {
    /// Draws the spans.
    pub fn new() -> Self {
        let mut generator = Generator::new(1, "spans");
        Drawn((0..DRAWN).map(|_| Span::from_ns_f64(generator.exponential(MEAN_SPAN_NS))).collect())
    }
}

/// A hold model under way.
#[derive(Clone, Debug)]
pub struct Hold<'a, Q> {
    queue: Q,
    drawn: &'a Drawn,
    /// Chooses the next span: a congruential generator (Knuth's MMIX), which costs one multiplication.
    next: u64,
    digest: u64,
}

impl<'a, Q: Pending> Hold<'a, Q> {
    /// Puts `pending` events into `queue`.
    pub fn new(queue: Q, drawn: &'a Drawn, pending: u32) -> Self {
        let mut hold = Self { queue, drawn, next: 0, digest: 0 };
        for subject in 0..pending {
            let span = hold.span();
            hold.queue.schedule(Instant::ZERO + span, Event { kind: 0, subject, generation: 0 });
        }
        hold
    }

    /// Handles `events` events.
    ///
    /// Not inlined: a wasm engine replaces its quickly compiled code by optimised code only when a function is called again,
    /// and the caller is called only once.
    #[inline(never)]
    pub fn run(&mut self, events: u32) {
        for _ in 0..events {
            let Some((now, event)) = self.queue.pop() else { return };
            self.digest = self.digest.rotate_left(5) ^ now.0 ^ u64::from(event.subject);
            let span = self.span();
            self.queue.schedule(now + span, Event { generation: event.generation.wrapping_add(1), ..event });
        }
    }

    /// A digest of the handled events, in their order.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    fn span(&mut self) -> Span {
        self.next = self.next.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.drawn.0[(self.next >> 48) as usize % DRAWN]
    }
}

/// Exponential draws without a queue.
#[derive(Clone, Debug)]
pub struct Draws {
    generator: Generator,
    sum: f64,
}

impl Default for Draws {
    fn default() -> Self {
        Self::new()
    }
}

impl Draws {
    /// A fresh generator.
    pub fn new() -> Self {
        Self { generator: Generator::new(1, "draws"), sum: 0.0 }
    }

    /// Draws `count` numbers and returns their sum so far, so that the compiler cannot remove the work.
    #[inline(never)] // as above
    pub fn run(&mut self, count: u32) -> f64 {
        (0..count).for_each(|_| self.sum += self.generator.exponential(MEAN_SPAN_NS));
        self.sum
    }
}
