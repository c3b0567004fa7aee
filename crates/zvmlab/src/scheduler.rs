//! The scheduler: who may run. Guests' lists and classes, the STORBUF barriers, elapsed slices, deadlines, shares and limits.
//!
//! A guest that wants to run enters the eligible list. It enters the dispatch list as soon as its working set fits under the
//! barriers, and stays there for the elapsed slice of its class. If it then wants more, it goes back to the eligible list,
//! one class further. The dispatcher runs the virtual CPUs of the dispatch list in the order of the deadlines that the
//! scheduler sets here.
//!
//! The lists hold guests. A virtual CPU is in the list of its guest.

mod limits;
mod lists;
mod priority;
mod shares;

use std::collections::{BTreeSet, VecDeque};

use crate::constants::Constants;
use crate::kernel::time::{Instant, Span};
use crate::scenario::{LimitHard, Mechanism, Scenario};
use crate::snapshot::{List, MoveSnapshot, SchedulerSnapshot, Why};
use limits::Limit;
pub(crate) use lists::Admitted;
pub(crate) use priority::Priority;
use priority::{Cpu, Entitled, Rules, ahead};
pub use shares::normalised_shares;
use shares::{Share, Shares};

/// Moves that the snapshot shows.
const MOVES_SHOWN: usize = 64;

/// Where a virtual CPU that wants to run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Its guest is in the dispatch list: the dispatcher may run it.
    Dispatch(Priority),
    /// Its guest is in the eligible list.
    Eligible,
    /// Its guest is in the limit list.
    Limited,
}

/// What follows from a virtual CPU's use of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charged {
    /// It may go on with its minor slice.
    GoesOn,
    /// Its minor slice is over: it goes back into the order of the dispatch list.
    SliceOver,
    /// Its guest is past its maximum share until then, and in the limit list. The number is the generation of the wait.
    Limited(Instant, u32),
}

/// What the scheduler knows of a guest.
#[derive(Clone, Debug)]
struct Guest {
    list: List,
    since: Instant,
    /// Class 1 to 3; 0 with QUICKDSP.
    class: u8,
    quick: bool,
    share: Share,
    limit: Option<Limit>,
    /// Its virtual CPUs: the first, and how many.
    first_cpu: u32,
    cpu_count: u32,
    /// Virtual CPUs that are not idle.
    active: u32,
    idle_since: Instant,
    /// Its working set in pages, as measured when it last left the dispatch list.
    working_set: u64,
    /// Its place in the order of the eligible list.
    eligible_order: u64,
    /// Counts its stays in the dispatch list. What was announced for an earlier stay is void.
    stay: u32,
    /// Counts its stays in the limit list.
    limit_stay: u32,
    /// Until when it is past its maximum share.
    limited_until: Instant,
    /// The artificial time at which it entered the limit list.
    limited_at: u64,
    /// Its elapsed slice ended while it was idle.
    slice_over: bool,
    /// Whether a test for idleness is announced.
    idle_announced: bool,
    /// Its entitlement and part as they were calculated last, and at which turn of [`Scheduler::rates_turn`].
    entitled: Entitled,
    rate_turn: u64,
}

/// The scheduler.
#[derive(Clone, Debug)]
pub(crate) struct Scheduler {
    guests: Vec<Guest>,
    cpus: Vec<Cpu>,
    guest_of: Vec<u32>,
    processors: f64,
    keeps_eligible: bool,
    barriers: [u64; 3],
    /// The elapsed slice of each class.
    elapsed_slices: [Span; 4],
    rules: Rules,
    test_idle: Span,
    by_deadline: bool,
    /// Shares of the guests in the dispatch list and the limit list.
    shares: Shares,
    /// The factor that turns shares into rates, and whether it must be calculated again.
    scale: f64,
    rates_are_old: bool,
    /// How often the factor was calculated. What follows from it is calculated once a turn for each guest that asks.
    rates_turn: u64,
    /// Artificial time: the latest start of a minor slice.
    time: u64,
    /// The eligible list by class, in the order of admission.
    eligible: [BTreeSet<(u64, u32)>; 4],
    /// Working sets of the guests in the dispatch list, by class.
    claimed: [u64; 4],
    /// How many guests are in the dispatch list, by class.
    in_dispatch: [u32; 4],
    /// When the integrals were last brought up to date.
    integrated: Instant,
    /// Integral of claimed pages of Q1+Q2+Q3.
    claimed_page_ns: u128,
    counts: SchedulerSnapshot,
    moves: VecDeque<MoveSnapshot>,
}

impl Scheduler {
    /// A scheduler with every guest dormant.
    pub fn new(scenario: &Scenario, constants: &Constants) -> Self {
        let rules = Rules::new(scenario, constants);
        let mut guests = Vec::new();
        let mut guest_of = Vec::new();
        for group in scenario.guests.iter().flat_map(|group| (0..group.count).map(move |_| group)) {
            let first_cpu = guest_of.len() as u32;
            guest_of.extend((0..group.virtual_cpus).map(|_| guests.len() as u32));
            guests.push(Guest {
                list: List::Dormant,
                since: Instant::ZERO,
                class: u8::from(!group.quickdsp),
                quick: group.quickdsp,
                share: Share::of(group),
                limit: Limit::of(group),
                first_cpu,
                cpu_count: group.virtual_cpus,
                active: 0,
                idle_since: Instant::ZERO,
                working_set: 0,
                eligible_order: 0,
                stay: 0,
                limit_stay: 0,
                limited_until: Instant::ZERO,
                limited_at: 0,
                slice_over: false,
                idle_announced: false,
                entitled: Entitled::default(),
                rate_turn: 0,
            });
        }
        let pageable = scenario.guest_frames(constants);
        let scheduler = &scenario.scheduler;
        let barriers = [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3]
            .map(|percent| pageable * u64::from(percent) / 100);
        Scheduler {
            cpus: vec![Cpu::new(rules.slice); guest_of.len()],
            guests,
            guest_of,
            processors: scenario.processors.count.into(),
            keeps_eligible: scenario.has(Mechanism::EligibleList),
            barriers,
            elapsed_slices: elapsed_slices(scheduler.elapsed_slice_ms, constants),
            rules,
            test_idle: Span::from_ns_f64(constants.test_idle_ns),
            by_deadline: scheduler.limithard == LimitHard::Deadline,
            shares: Shares::new(constants),
            scale: 1.0,
            rates_are_old: true,
            rates_turn: 0,
            time: 0,
            eligible: Default::default(),
            claimed: [0; 4],
            in_dispatch: [0; 4],
            integrated: Instant::ZERO,
            claimed_page_ns: 0,
            counts: SchedulerSnapshot {
                keeps_eligible: scenario.has(Mechanism::EligibleList),
                pageable_frames: pageable,
                barriers,
                ..SchedulerSnapshot::default()
            },
            moves: VecDeque::with_capacity(MOVES_SHOWN),
        }
    }

    /// The guest of a virtual CPU.
    pub fn guest_of(&self, cpu: u32) -> u32 {
        self.guest_of[cpu as usize]
    }

    /// The virtual CPUs of a guest.
    pub fn cpus_of(&self, guest: u32) -> std::ops::Range<u32> {
        let guest = &self.guests[guest as usize];
        guest.first_cpu..guest.first_cpu + guest.cpu_count
    }

    /// A virtual CPU that was idle wants to run. If its guest was dormant, the guest enters the eligible list;
    /// [`admit`](Self::admit) takes it from there.
    pub fn wake(&mut self, now: Instant, cpu: u32) {
        let index = self.guest_of(cpu);
        let guest = &mut self.guests[index as usize];
        let time = match guest.list {
            _ if self.rules.fault => now.0,
            List::Limit => guest.limited_at,
            _ => self.time,
        };
        guest.active += 1;
        let dormant = guest.list == List::Dormant;
        self.cpus[cpu as usize].wake(time, dormant, &self.rules);
        if dormant {
            let class = u8::from(!guest.quick);
            self.move_to(now, index, eligible_list(class), class, Why::Wakes);
        }
    }

    /// A virtual CPU becomes idle. If it was the guest's last active one, returns when to call
    /// [`idle_tested`](Self::idle_tested), which decides whether the guest becomes dormant. `None` otherwise, and if that
    /// call is announced already.
    pub fn sleep(&mut self, now: Instant, cpu: u32) -> Option<Instant> {
        self.cpus[cpu as usize].wants = false;
        let guest = &mut self.guests[self.guest_of[cpu as usize] as usize];
        guest.active -= 1;
        if guest.active > 0 {
            return None;
        }
        guest.idle_since = now;
        let announced = std::mem::replace(&mut guest.idle_announced, true);
        (!announced).then_some(now + self.test_idle)
    }

    /// Whether a guest has been idle for long enough to become dormant. If so, [`become_dormant`](Self::become_dormant) must
    /// follow with its working set. `Err` if it is idle, but not yet for long enough: when to ask again.
    pub fn idle_tested(&mut self, now: Instant, guest: u32) -> Result<bool, Instant> {
        let test_idle = self.test_idle;
        let guest = &mut self.guests[guest as usize];
        guest.idle_announced = false;
        if guest.active > 0 || guest.list == List::Dormant {
            return Ok(false);
        }
        let until = guest.idle_since + test_idle;
        if now < until {
            guest.idle_announced = true;
            return Err(until);
        }
        Ok(true)
    }

    /// Where a virtual CPU stands that wants to run.
    pub fn standing(&mut self, cpu: u32) -> Standing {
        let guest = &self.guests[self.guest_of[cpu as usize] as usize];
        match guest.list {
            List::Q0 | List::Q1 | List::Q2 | List::Q3 => Standing::Dispatch(self.order(cpu)),
            List::Limit => Standing::Limited,
            List::Dormant | List::E0 | List::E1 | List::E2 | List::E3 => Standing::Eligible,
        }
    }

    /// The priority of a virtual CPU whose guest is in the dispatch list.
    pub fn order(&mut self, cpu: u32) -> Priority {
        let entitled = self.entitled(cpu);
        self.cpus[cpu as usize].order(self.time, &self.rules, &entitled)
    }

    /// The entitlement of a virtual CPU in processors, and its guest's part of the partition. A guest outside the dispatch
    /// list has the part that it would have there.
    fn entitled(&mut self, cpu: u32) -> Entitled {
        let index = self.guest_of[cpu as usize];
        if std::mem::take(&mut self.rates_are_old) {
            self.rates_turn += 1;
            self.scale = self.water_filling();
        }
        let guest = &self.guests[index as usize];
        if guest.rate_turn == self.rates_turn {
            return guest.entitled;
        }
        let part = self.part(index);
        let rate = self.rate_of(part, self.guests[index as usize].cpu_count);
        let entitled = Entitled::new(rate, part, &self.rules);
        let guest = &mut self.guests[index as usize];
        (guest.entitled, guest.rate_turn) = (entitled, self.rates_turn);
        entitled
    }

    /// Processors for each virtual CPU of a guest with `part` of the partition: at most one, as it cannot use more.
    fn rate_of(&self, part: f64, cpu_count: u32) -> f64 {
        (part * self.scale * self.processors / f64::from(cpu_count)).min(1.0)
    }

    /// The factor for shares that gives away all processors, although no virtual CPU can use more than one.
    fn water_filling(&self) -> f64 {
        let members = || self.guests.iter().filter(|guest| counts_for_shares(guest.list));
        let mut scale = 1.0;
        loop {
            // The guests that have all they can use at this scale: their processors and parts.
            let (mut full, mut parts, mut count) = (0.0, 0.0, 0);
            for guest in members() {
                let part = self.shares.normalised(guest.share);
                let most = f64::from(guest.cpu_count);
                if part * scale * self.processors >= most {
                    (full, parts, count) = (full + most, parts + part, count + 1);
                }
            }
            let left = self.processors - full;
            if left <= 0.0 || parts > 0.999_999 {
                return scale;
            }
            let next = left / self.processors / (1.0 - parts);
            if count == 0 || next <= scale * 1.000_001 {
                return scale;
            }
            scale = next;
        }
    }

    fn part(&self, index: u32) -> f64 {
        let guest = &self.guests[index as usize];
        if counts_for_shares(guest.list) {
            return self.shares.normalised(guest.share);
        }
        let mut shares = self.shares;
        shares.add(guest.share);
        shares.normalised(guest.share)
    }

    /// A virtual CPU gets a processor.
    pub fn begin(&mut self, now: Instant, cpu: u32) {
        let start = self.cpus[cpu as usize].begin(now.0);
        self.time = self.time.max(start);
    }

    /// Processor time left of a virtual CPU's minor slice.
    pub fn slice_left(&self, cpu: u32) -> Span {
        self.cpus[cpu as usize].left
    }

    /// A virtual CPU has used `used`. `free` says that nobody else wanted that time (LIMITSOFT past its maximum).
    pub fn charge(&mut self, now: Instant, cpu: u32, used: Span, free: bool) -> Charged {
        let entitled = self.entitled(cpu);
        self.cpus[cpu as usize].charge(used, entitled.rate);
        let over = self.cpus[cpu as usize].left == Span::ZERO;
        let limited = if free { None } else { self.past_limit(now, cpu, used, over) };
        if over {
            self.cpus[cpu as usize].renew(now.0, self.rules.slice);
        }
        let index = self.guest_of[cpu as usize];
        if let Some(until) = limited {
            let list = self.guests[index as usize].list;
            if counts_for_shares(list) && list != List::Limit {
                let class = self.guests[index as usize].class;
                self.move_to(now, index, List::Limit, class, Why::OverLimit);
            }
            let guest = &mut self.guests[index as usize];
            guest.limit_stay += 1;
            guest.limited_until = guest.limited_until.max(until);
            // It wants its next slice from then on. The slices of the guest's other virtual CPUs stay as they are.
            self.cpus[cpu as usize].began = Some(until.0);
            return Charged::Limited(until, guest.limit_stay);
        }
        if over { Charged::SliceOver } else { Charged::GoesOn }
    }

    /// Until when the guest of `cpu` is past its maximum share, if it is past it.
    fn past_limit(&mut self, now: Instant, cpu: u32, used: Span, over: bool) -> Option<Instant> {
        let index = self.guest_of[cpu as usize] as usize;
        self.guests[index].limit.as_ref()?;
        let (processors, slice, least) = (self.processors, self.rules.slice, self.rules.limit_least);
        let began = self.cpus[cpu as usize].began;
        let entitled = self.entitled(cpu);
        let factor = self.shares.absolute_factor();
        let guest = &mut self.guests[index];
        let limit = guest.limit.as_mut()?;
        // SET SRM LIMITHARD says nothing of LIMITSOFT; the model goes by consumption there (assumed).
        if !self.by_deadline || limit.soft {
            let most = Span(slice.0 * u64::from(guest.cpu_count.min(processors as u32)));
            limit.consume(now, used, processors, most);
            return limit.below_again(processors, least);
        }
        if !over {
            return None;
        }
        let limit_rate = limit.part * factor * processors / f64::from(guest.cpu_count);
        let offset = ahead(slice, limit_rate).max(entitled.slice);
        let deadline = Instant(began? + offset);
        (deadline > now).then_some(deadline)
    }

    /// The wait of a guest in the limit list is over, unless it was extended after the announcement.
    pub fn limit_ends(&mut self, now: Instant, guest: u32, stay: u32) -> bool {
        let due = self.guests[guest as usize].list == List::Limit && self.guests[guest as usize].limit_stay == stay;
        if due {
            let class = self.guests[guest as usize].class;
            self.move_to(now, guest, dispatch_list(class), class, Why::UnderLimit);
        }
        due
    }

    /// A guest leaves the limit list. It gets no credit for its time there: the starts of its virtual CPUs move on as artificial
    /// time did meanwhile, but not so far that all of them are past it. All move alike, so that their order stays: who was due
    /// is due still. With the fault of excess share this rule does not apply.
    fn forget_wait(&mut self, guest: u32) {
        let waited = self.time - self.guests[guest as usize].limited_at;
        let cpus = self.cpus_of(guest).start as usize..self.cpus_of(guest).end as usize;
        let (time, cpus) = (self.time, &mut self.cpus[cpus]);
        let first = cpus.iter().filter(|cpu| cpu.wants).map(|cpu| cpu.start).min();
        let behind = first.map_or(0, |first| time.saturating_sub(first));
        if !self.rules.fault {
            cpus.iter_mut().for_each(|cpu| cpu.start += behind.min(waited));
        }
    }

    /// In the order of the dispatch list, the virtual CPU `to` takes the place of `from`, and `from` that of `to`, if that
    /// puts `to` ahead. Both are of the same guest, which as a whole neither gains nor loses.
    pub fn give_place(&mut self, from: u32, to: u32) {
        let (earlier, later) = (self.cpus[from as usize].start, self.cpus[to as usize].start);
        if earlier < later {
            self.cpus[from as usize].start = later;
            self.cpus[to as usize].start = earlier;
        }
    }

    /// Whether `guest`, which is in the limit list, may use what nobody else can (LIMITSOFT).
    pub fn is_soft(&self, guest: u32) -> bool {
        self.guests[guest as usize].limit.as_ref().is_some_and(|limit| limit.soft)
    }
}

/// Whether guests in `list` count among those that shares are relative to.
fn counts_for_shares(list: List) -> bool {
    matches!(list, List::Q0 | List::Q1 | List::Q2 | List::Q3 | List::Limit)
}

/// The elapsed slice of each class; that of class 1 is `first_ms`. Class 0 never waits in the eligible list; it has the
/// slice of class 3.
fn elapsed_slices(first_ms: u32, constants: &Constants) -> [Span; 4] {
    let Constants { class_2_slices, class_3_slices, .. } = *constants;
    let first = Span::from_millis(first_ms.into());
    [class_3_slices, 1, class_2_slices, class_3_slices].map(|slices| Span(first.0 * slices))
}

fn dispatch_list(class: u8) -> List {
    [List::Q0, List::Q1, List::Q2, List::Q3][usize::from(class)]
}

fn eligible_list(class: u8) -> List {
    [List::E0, List::E1, List::E2, List::E3][usize::from(class)]
}

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;
