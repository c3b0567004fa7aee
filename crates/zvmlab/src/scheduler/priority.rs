//! The priority of a virtual CPU in the dispatch list: a deadline.
//!
//! A deadline is a start plus the time in which a minor slice of processor time falls due at the virtual CPU's share. The
//! time is the artificial time of day of the dispatch list. It advances as processor time is given out, so a virtual CPU
//! that got its share has come as far as every other. The start goes on from the end of the last slice, not from the clock,
//! so time that one virtual CPU does not take goes to the others in proportion to their shares.
//!
//! The model also keeps the fault of excess share distribution. The 6.2 deck prints only its outcome, so the mechanism is
//! assumed: the start is compared with the clock. Once nobody is behind the clock, the rest goes to the largest share that
//! wants it, and does not count.

use crate::constants::Constants;
use crate::kernel::time::Span;
use crate::scenario::Scenario;

/// The place of a virtual CPU in the order of the dispatch list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Priority {
    /// The earlier, the sooner it runs.
    pub deadline: u64,
    /// Before this time it runs only if nobody else would; 0 where that does not matter.
    pub release: u64,
    /// Its share in millionths of the partition.
    pub share_ppm: u64,
}

impl Priority {
    /// The order at `now`: the smallest goes first.
    pub fn key(&self, now: u64) -> (bool, u64) {
        if self.release > now { (true, u64::MAX - self.share_ppm) } else { (false, self.deadline) }
    }
}

/// The rules for the priorities of all virtual CPUs.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// The minor slice.
    pub slice: Span,
    /// Whether excess share goes to one guest: the fault.
    pub fault: bool,
    /// For how many minor slices after a guest wakes CP brings its deadlines nearer, and the part of their offset that they
    /// keep.
    bias_slices: u8,
    bias_keeps: f64,
    /// Most minor slices that a virtual CPU can catch up after it waited for something else.
    catch_up_slices: u64,
    /// What a guest past its maximum share must be allowed again before it leaves the limit list.
    pub limit_least: Span,
}

impl Rules {
    pub fn new(scenario: &Scenario, constants: &Constants) -> Self {
        let slice = Span::from_millis(scenario.dispatcher.minor_slice_ms.into());
        Rules {
            slice,
            limit_least: Span::from_ns_f64(slice.0 as f64 * constants.limit_part),
            fault: scenario.scheduler.excess_fault,
            bias_slices: constants.bias_slices,
            bias_keeps: constants.bias_keeps,
            catch_up_slices: constants.catch_up_slices,
        }
    }
}

/// What a virtual CPU is entitled to, and what follows from that.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entitled {
    /// In processors.
    pub rate: f64,
    /// How far a minor slice moves its start.
    pub slice: u64,
    /// Its share in millionths of the partition.
    share_ppm: u64,
}

impl Entitled {
    /// An entitlement of `rate` processors, of a guest with `part` of the partition.
    pub fn new(rate: f64, part: f64, rules: &Rules) -> Self {
        Entitled { rate, slice: ahead(rules.slice, rate), share_ppm: (part * 1e6) as u64 }
    }
}

/// What the scheduler knows of a virtual CPU.
#[derive(Clone, Debug)]
pub(super) struct Cpu {
    /// Start of its minor slice, in artificial time.
    pub start: u64,
    /// Whether it wants something: it is not idle.
    pub wants: bool,
    /// Processor time left of its minor slice.
    pub left: Span,
    /// When the minor slice began, by the clock. The DEADLINE method uses this.
    pub began: Option<u64>,
    /// How many minor slices with a nearer deadline are left.
    bias: u8,
    /// Whether it runs this slice on what others left, so that it does not count (the fault).
    excess: bool,
    pub priority: Priority,
    /// How far the rest of its slice moves its start. Kept, because it is asked for again when another virtual CPU gives way to this one.
    reach: u64,
    /// For which rest, and for which entitlement in processors, that was calculated.
    reach_of: (Span, f64),
}

impl Cpu {
    pub fn new(slice: Span) -> Self {
        Cpu {
            start: 0,
            wants: false,
            left: slice,
            began: None,
            bias: 0,
            excess: false,
            priority: Priority::default(),
            reach: 0,
            reach_of: (Span::ZERO, 0.0),
        }
    }

    /// It wants to run again after an idle time. It gets no credit for that time.
    pub fn wake(&mut self, time: u64, biased: bool, rules: &Rules) {
        self.start = self.start.max(time);
        self.wants = true;
        self.left = rules.slice;
        self.began = None;
        if biased {
            self.bias = rules.bias_slices;
        }
    }

    /// It has used `used` of its slice, with an entitlement of `rate` processors.
    pub fn charge(&mut self, used: Span, rate: f64) {
        self.left = Span(self.left.0.saturating_sub(used.0));
        if !self.excess {
            self.start += ahead(used, rate);
        }
    }

    /// A new minor slice, which it wants from `now` on.
    pub fn renew(&mut self, now: u64, slice: Span) {
        self.left = slice;
        self.began = Some(now);
        self.bias = self.bias.saturating_sub(1);
    }

    /// Its priority, from the start of its slice and what it is entitled to. After a wait for something else it can catch up only
    /// a few slices, counted back from `time`.
    pub fn order(&mut self, time: u64, rules: &Rules, entitled: &Entitled) -> Priority {
        if !rules.fault {
            self.start = self.start.max(time.saturating_sub(rules.catch_up_slices * entitled.slice));
        }
        if self.reach_of != (self.left, entitled.rate) {
            self.reach_of = (self.left, entitled.rate);
            self.reach = if self.left == rules.slice { entitled.slice } else { ahead(self.left, entitled.rate) };
        }
        let offset = self.reach;
        let offset = if self.bias > 0 { (offset as f64 * rules.bias_keeps) as u64 } else { offset };
        self.priority = Priority {
            deadline: self.start + offset,
            release: if rules.fault { self.start } else { 0 },
            share_ppm: entitled.share_ppm,
        };
        self.priority
    }

    /// It gets a processor at `now`, by the clock. Returns the artificial time that follows from this.
    pub fn begin(&mut self, now: u64) -> u64 {
        self.began.get_or_insert(now);
        self.excess = self.priority.release > now;
        self.start
    }
}

/// How far `used` moves the start of a virtual CPU that is entitled to `rate` processors.
pub(super) fn ahead(used: Span, rate: f64) -> u64 {
    Span::from_ns_f64(used.0 as f64 / rate).0
}
