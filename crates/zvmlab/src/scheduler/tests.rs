//! Tests of the scheduler: every admission, and every refusal, against the oracle.

use std::collections::BTreeSet;

use super::oracle::{Member, Oracle, Whereabouts};
use super::*;
use crate::scenario::{GuestGroup, Level, LimitType, Tenths};

/// A population: STORBUF, whether the level keeps anybody in the eligible list, and for each guest its virtual CPUs, its
/// relative share, and whether it has QUICKDSP and a limit.
#[derive(Clone, Debug)]
pub struct Population {
    pub storbuf: [u32; 3],
    pub keeps: bool,
    pub guests: Vec<(u32, u32, bool, bool)>,
}

/// What a virtual CPU does: it wakes, sleeps, or uses a processor for some ns.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    Wake(u32),
    Sleep(u32),
    Charge(u32, u64),
}

/// What falls due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    Slice(u32, u32),
    Idle(u32),
    Limit(u32, u32),
}

/// The scheduler beside the oracle, and what the simulation would do for them.
pub struct Rig {
    pub scheduler: Scheduler,
    pub oracle: Oracle,
    pub now: Instant,
    due: BTreeSet<(u64, Due)>,
    awake: Vec<bool>,
    /// The working sets of those who leave the dispatch list, in order, over and over.
    working_sets: Vec<u64>,
    left: usize,
    pub kept_waiting: u32,
}

impl Rig {
    pub fn new(population: &Population, working_sets: &[u64]) -> Rig {
        let mut scenario = Scenario { level: Level::V6_4, ..Scenario::default() };
        if population.keeps {
            scenario.level = Level::V6_2;
        }
        scenario.storage.central_mb = 256;
        [scenario.scheduler.storbuf_1, scenario.scheduler.storbuf_2, scenario.scheduler.storbuf_3] = population.storbuf;
        scenario.guests = population
            .guests
            .iter()
            .map(|&(virtual_cpus, share_relative, quickdsp, limited)| {
                let mut group = GuestGroup { count: 1, virtual_cpus, share_relative, quickdsp, ..GuestGroup::default() };
                if limited {
                    (group.limit_type, group.limit_absolute) = (LimitType::LimitHard, Tenths(50));
                }
                group
            })
            .collect();
        let constants = Constants::default();
        let slice = f64::from(scenario.scheduler.elapsed_slice_ms) * 1e6;
        let member =
            |group: &GuestGroup| Member { at: Whereabouts::Dormant, working_set: 0, relative_share: group.share_relative };
        Rig {
            scheduler: Scheduler::new(&scenario, &constants),
            oracle: Oracle {
                members: scenario.guests.iter().map(member).collect(),
                pageable: scenario.guest_frames(&constants),
                storbuf: population.storbuf,
                keeps: population.keeps,
                slices: [48.0, 1.0, 6.0, 48.0].map(|of| of * slice),
            },
            now: Instant::ZERO,
            due: BTreeSet::new(),
            awake: vec![false; scenario.virtual_cpu_count() as usize],
            working_sets: working_sets.to_vec(),
            left: 0,
            kept_waiting: 0,
        }
    }

    fn next_working_set(&mut self) -> u64 {
        self.left += 1;
        self.working_sets[self.left % self.working_sets.len()]
    }

    /// Admits as the simulation does; the oracle must agree each time.
    fn admit(&mut self) {
        loop {
            let admitted = self.scheduler.admit(self.now);
            let index = admitted.map(|admitted| admitted.guest as usize);
            assert!(self.oracle.is_right(index), "{index:?} at {:?}: {:?}", self.now, self.oracle);
            let Some(Admitted { guest, slice_ends, stay }) = admitted else { break };
            let member = &mut self.oracle.members[guest as usize];
            let Whereabouts::Eligible(class, _) = member.at else { unreachable!("the oracle said that it was right") };
            member.at = Whereabouts::Dispatch(class);
            let slice = self.oracle.slices[usize::from(class)];
            assert_eq!(slice_ends.since(self.now).0, slice as u64, "elapsed slice of class {class}");
            self.due.insert((slice_ends.0, Due::Slice(guest, stay)));
        }
        let waits = |member: &&Member| matches!(member.at, Whereabouts::Eligible(..));
        self.kept_waiting += self.oracle.members.iter().filter(waits).count() as u32;
        self.check_places();
    }

    /// Checks that the lists are those of the oracle, and that a waiting guest has the barrier under which it does not fit.
    fn check_places(&self) {
        for (member, guest) in self.oracle.members.iter().zip(0..) {
            let (list, _, barrier, working_set, _) = self.scheduler.place(guest);
            assert_eq!(working_set, member.working_set);
            match member.at {
                Whereabouts::Dormant => assert_eq!(list, List::Dormant),
                Whereabouts::Dispatch(class) => assert!(list == dispatch_list(class) || list == List::Limit),
                Whereabouts::Eligible(class, _) => {
                    assert_eq!(list, eligible_list(class));
                    assert_eq!(barrier.is_none(), self.oracle.may_enter(class, working_set), "guest {guest}");
                    // It fits under the barriers below the one named.
                    let below = barrier.map_or(0, |barrier| barrier as u8);
                    assert!(below == 0 || self.oracle.may_enter(below, working_set), "guest {guest}: barrier {below}");
                }
            }
        }
        self.scheduler.verify();
    }

    fn leave(&mut self, guest: u32) {
        let working_set = self.next_working_set();
        self.scheduler.leave(self.now, guest, working_set);
        let index = guest as usize;
        let was = match self.oracle.members[index].at {
            Whereabouts::Dispatch(class) => class,
            at => panic!("guest {guest} leaves the dispatch list, where it is not: {at:?}"),
        };
        self.oracle.members[index].working_set = working_set;
        self.oracle.members[index].at = Whereabouts::Dormant;
        self.oracle.comes(index, self.now.0, if was == 0 { 0 } else { (was + 1).min(3) });
        self.admit();
    }

    /// Handles everything that is due within `span`.
    pub fn pass(&mut self, span: Span) {
        let until = self.now + span;
        while let Some(&(at, due)) = self.due.first().filter(|(at, _)| *at <= until.0) {
            self.due.remove(&(at, due));
            self.now = Instant(at);
            self.fall_due(due);
        }
        self.now = until;
    }

    fn fall_due(&mut self, due: Due) {
        match due {
            Due::Slice(guest, stay) => {
                if self.scheduler.elapsed_slice_ends(guest, stay) {
                    self.leave(guest);
                }
            }
            Due::Idle(guest) => match self.scheduler.idle_tested(self.now, guest) {
                Err(at) => {
                    self.due.insert((at.0, Due::Idle(guest)));
                }
                Ok(false) => {}
                Ok(true) => {
                    let working_set = self.next_working_set();
                    self.scheduler.become_dormant(self.now, guest, working_set, Why::Idle);
                    let member = &mut self.oracle.members[guest as usize];
                    (member.at, member.working_set) = (Whereabouts::Dormant, working_set);
                    self.admit();
                }
            },
            Due::Limit(guest, stay) => {
                self.scheduler.limit_ends(self.now, guest, stay);
            }
        }
    }

    /// Does `act`, if it is possible now.
    pub fn act(&mut self, act: Act) {
        let cpus = self.awake.len() as u32;
        match act {
            Act::Wake(cpu) if !self.awake[(cpu % cpus) as usize] => self.wake(cpu % cpus),
            Act::Sleep(cpu) if self.awake[(cpu % cpus) as usize] => {
                self.awake[(cpu % cpus) as usize] = false;
                let guest = self.scheduler.guest_of(cpu % cpus);
                if let Some(at) = self.scheduler.sleep(self.now, cpu % cpus) {
                    self.due.insert((at.0, Due::Idle(guest)));
                }
            }
            Act::Charge(cpu, used) if self.awake[(cpu % cpus) as usize] => {
                let guest = self.scheduler.guest_of(cpu % cpus);
                if !matches!(self.oracle.members[guest as usize].at, Whereabouts::Dispatch(_)) {
                    return;
                }
                self.scheduler.begin(self.now, cpu % cpus);
                if let Charged::Limited(until, stay) = self.scheduler.charge(self.now, cpu % cpus, Span(used), false) {
                    self.due.insert((until.0, Due::Limit(guest, stay)));
                }
            }
            _ => {}
        }
    }

    fn wake(&mut self, cpu: u32) {
        self.awake[cpu as usize] = true;
        let guest = self.scheduler.guest_of(cpu);
        let index = guest as usize;
        let was_dormant = self.oracle.members[index].at == Whereabouts::Dormant;
        self.scheduler.wake(self.now, cpu);
        if was_dormant {
            let quick = self.scheduler.guests[index].quick;
            self.oracle.comes(index, self.now.0, u8::from(!quick));
        }
        if self.scheduler.overdue(guest) {
            self.leave(guest);
        } else if self.scheduler.standing(cpu) == Standing::Eligible {
            self.admit();
        }
    }
}

/// A population of guests with one virtual CPU, equal shares, no limits.
fn alike(storbuf: [u32; 3], count: usize) -> Population {
    Population { storbuf, keeps: true, guests: vec![(1, 100, false, false); count] }
}

/// The list of each guest.
fn lists(rig: &Rig) -> Vec<List> {
    (0..rig.oracle.members.len() as u32).map(|guest| rig.scheduler.place(guest).0).collect()
}

#[test]
fn who_outlasts_its_elapsed_slices_goes_from_class_to_class() {
    let mut rig = Rig::new(&alike([100, 100, 100], 1), &[10]);
    rig.act(Act::Wake(0));
    let mut seen = Vec::new();
    for span in [0, 250, 1500, 12_000, 12_000] {
        rig.pass(Span::from_millis(span));
        seen.extend(lists(&rig));
    }
    assert_eq!(seen, [List::Q1, List::Q2, List::Q3, List::Q3, List::Q3]);
    rig.act(Act::Sleep(0));
    rig.pass(Span::from_millis(400));
    assert_eq!(lists(&rig), [List::Dormant]);
    rig.act(Act::Wake(0));
    assert_eq!(lists(&rig), [List::Q1], "a new transaction");
}

#[test]
fn the_third_barrier_keeps_the_third_class_only() {
    // 63,570 pages are pageable. With working sets of 30,000, one guest fits under 60 %, and three do not fit under 100 %.
    let mut rig = Rig::new(&alike([100, 100, 60], 3), &[30_000]);
    (0..2).for_each(|cpu| rig.act(Act::Wake(cpu)));
    rig.pass(Span::from_millis(250));
    assert_eq!(lists(&rig)[..2], [List::Q2, List::Q2]);
    rig.pass(Span::from_millis(1500));
    assert_eq!(lists(&rig)[..2], [List::Q3, List::E3]);
    assert_eq!(rig.scheduler.place(1).2, Some(2), "it does not fit under the third barrier");
    rig.act(Act::Wake(2));
    assert_eq!(lists(&rig), [List::Q3, List::E3, List::Q1], "a new transaction has no working set yet");
}

#[test]
fn one_alone_may_enter_however_large_it_is() {
    let mut rig = Rig::new(&alike([0, 0, 0], 2), &[1_000_000]);
    (0..2).for_each(|cpu| rig.act(Act::Wake(cpu)));
    rig.pass(Span::from_millis(2000));
    assert_eq!(lists(&rig).iter().filter(|list| list.is_eligible()).count(), 1);
    let first = rig.scheduler.snapshot(rig.now);
    assert!(first.admissions >= 4 && first.admissions_waited > 0 && first.eligible_ns > 0, "{first:?}");
}

#[test]
fn quickdsp_never_waits() {
    let mut population = alike([0, 0, 0], 2);
    population.guests[1].2 = true;
    let mut rig = Rig::new(&population, &[1_000_000]);
    (0..2).for_each(|cpu| rig.act(Act::Wake(cpu)));
    for _ in 0..100 {
        rig.pass(Span::from_millis(200));
        assert_eq!(lists(&rig)[1], List::Q0);
    }
}

#[test]
fn recent_levels_keep_nobody_waiting() {
    let population = Population { keeps: false, ..alike([0, 0, 0], 5) };
    let mut rig = Rig::new(&population, &[1_000_000]);
    (0..5).for_each(|cpu| rig.act(Act::Wake(cpu)));
    rig.pass(Span::from_millis(30_000));
    assert_eq!((lists(&rig), rig.kept_waiting), (vec![List::Q3; 5], 0));
}

#[cfg(not(target_arch = "wasm32"))]
mod generated {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn populations() -> impl Strategy<Value = Population> {
        let guest = (
            prop_oneof![3 => Just(1u32), 1 => 2u32..4],
            prop_oneof![2 => Just(100u32), 1 => 1u32..1000],
            prop::bool::weighted(0.15),
            prop::bool::weighted(0.2),
        );
        let percent = || prop_oneof![1 => Just(100u32), 3 => 0u32..200];
        ([percent(), percent(), percent()], prop::bool::weighted(0.95), vec(guest, 1..12)).prop_map(
            |(mut storbuf, keeps, guests)| {
                storbuf.sort_unstable_by(|a, b| b.cmp(a));
                Population { storbuf, keeps, guests }
            },
        )
    }

    fn acts() -> impl Strategy<Value = Vec<(u64, Act)>> {
        let span = prop_oneof![1 => Just(0u64), 2 => 0u64..30, 2 => 0u64..500, 1 => 0u64..8_000];
        let act = prop_oneof![
            3 => (0u32..36).prop_map(Act::Wake),
            2 => (0u32..36).prop_map(Act::Sleep),
            1 => (0u32..36, 0u64..20_000_000).prop_map(|(cpu, used)| Act::Charge(cpu, used)),
        ];
        vec((span, act), 1..150)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

        #[test]
        fn each_admission_is_right(
            population in populations(),
            working_sets in vec(prop_oneof![1 => Just(0u64), 4 => 0u64..70_000, 1 => 0u64..2_000], 1..20),
            acts in acts(),
        ) {
            let mut rig = Rig::new(&population, &working_sets);
            for (span_ms, act) in acts {
                rig.pass(Span::from_millis(span_ms));
                rig.act(act);
                rig.check_places();
            }
        }
    }
}
