//! Tests of the dispatcher.

use super::*;

/// Every processor has a physical one.
const PHYSICAL: u64 = u64::MAX;

/// A dispatcher with that many processors and vector entries, and with virtual CPUs 0 to 19.
fn dispatcher(processors: u32, entries: u32, fix: bool) -> Dispatcher {
    let mut scenario = Scenario::default();
    (scenario.processors.count, scenario.guests[0].count) = (processors, 20);
    (scenario.dispatcher.vector_entries, scenario.dispatcher.pldv_fix) = (entries, fix);
    Dispatcher::new(&scenario)
}

fn ready(dispatcher: &mut Dispatcher, now: u64, cpu: u32, deadline: u64) {
    dispatcher.ready(Instant(now), cpu, Priority { deadline, ..Priority::default() });
    dispatcher.verify_vectors();
}

/// What processors are given at `now`, in order.
fn given(dispatcher: &mut Dispatcher, now: u64) -> Vec<(u32, Task)> {
    let next = || dispatcher.dispatch(Instant(now), PHYSICAL).map(|given| (given.processor, given.task));
    let given = std::iter::from_fn(next).collect();
    dispatcher.verify();
    given
}

impl Dispatcher {
    /// Checks the counts of the vectors against their entries.
    fn verify_vectors(&self) {
        assert_eq!(self.vectors.counts().0 as usize, self.vectors.iter().count());
    }
}

#[test]
fn the_earliest_deadline_runs_first() {
    let mut dispatcher = dispatcher(1, 6, true);
    [(0, 30), (1, 10), (2, 20)].into_iter().for_each(|(cpu, deadline)| ready(&mut dispatcher, 0, cpu, deadline));
    for cpu in [1, 2, 0] {
        assert_eq!(given(&mut dispatcher, 0), [(0, Task::Cpu(cpu))]);
        assert_eq!(dispatcher.release(Instant(0), 0), Task::Cpu(cpu));
    }
    assert_eq!(given(&mut dispatcher, 0), []);
}

#[test]
fn cp_s_work_comes_first_and_interrupts_a_guest() {
    let mut dispatcher = dispatcher(1, 6, true);
    ready(&mut dispatcher, 0, 0, 10);
    dispatcher.cp_work(Task::EndIo(7));
    assert_eq!(given(&mut dispatcher, 0), [(0, Task::EndIo(7))]);
    dispatcher.release(Instant(0), 0);
    assert_eq!(given(&mut dispatcher, 0), [(0, Task::Cpu(0))]);
    dispatcher.cp_work(Task::EndIo(8));
    dispatcher.cp_work(Task::EndIo(9));
    assert_eq!(given(&mut dispatcher, 0), [(0, Task::EndIo(8))], "one at a time");
    assert_eq!(dispatcher.end_interruption(0), Task::EndIo(8));
    assert_eq!(given(&mut dispatcher, 0), [(0, Task::EndIo(9))]);
}

#[test]
fn an_idle_processor_steals_rather_than_idle() {
    let mut dispatcher = dispatcher(2, 6, true);
    (0..4).for_each(|cpu| ready(&mut dispatcher, 0, cpu, 10));
    assert_eq!(given(&mut dispatcher, 0).len(), 2);
    (4..8).for_each(|cpu| ready(&mut dispatcher, 0, cpu, 20));
    for _ in 0..4 {
        dispatcher.release(Instant(0), 1);
        let [(1, Task::Cpu(_))] = given(&mut dispatcher, 0)[..] else { panic!("processor 1 runs somebody") };
    }
    assert!(dispatcher.snapshot(Instant(0), Cost::default()).steals > 0, "processor 1 had not so many in its own vector");
}

/// Six virtual CPUs, and one processor whose vector holds two. Returns how many run without a reshuffle, and the forgotten
/// work.
fn overflow(fix: bool) -> (usize, u64) {
    let mut dispatcher = dispatcher(1, 2, fix);
    (0..6).for_each(|cpu| ready(&mut dispatcher, 0, cpu, u64::from(cpu)));
    assert!(dispatcher.overflows());
    let mut ran = 0;
    while !given(&mut dispatcher, 0).is_empty() {
        dispatcher.release(Instant(0), 0);
        ran += 1;
    }
    let forgotten = dispatcher.snapshot(Instant(1000), Cost::default()).forgotten_ns;
    if !fix {
        dispatcher.reshuffle(Instant(1000));
        assert_eq!(given(&mut dispatcher, 1000).len(), 1, "a reshuffle finds them again");
    }
    (ran, forgotten)
}

#[test]
fn overflow_that_is_not_noted_is_forgotten_until_the_next_reshuffle() {
    assert_eq!(overflow(true), (6, 0));
    assert_eq!(overflow(false), (2, 4 * 1000));
}

#[test]
fn nobody_is_left_to_look_for_once_the_last_beyond_the_vectors_is_withdrawn() {
    let mut dispatcher = dispatcher(1, 1, true);
    (0..2).for_each(|cpu| ready(&mut dispatcher, 0, cpu, u64::from(cpu)));
    assert_eq!(given(&mut dispatcher, 0), [(0, Task::Cpu(0))]);
    ready(&mut dispatcher, 0, 2, 2);
    assert!(dispatcher.withdraw(Instant(0), 1) && dispatcher.withdraw(Instant(0), 2));
    assert!(!dispatcher.withdraw(Instant(0), 2), "it is not there any more");
    dispatcher.release(Instant(0), 0);
    assert_eq!(given(&mut dispatcher, 0), []);
}

#[test]
fn idle_time_is_that_of_each_processor() {
    let mut dispatcher = dispatcher(3, 6, true);
    ready(&mut dispatcher, 100, 0, 0);
    assert_eq!(given(&mut dispatcher, 100).len(), 1);
    dispatcher.release(Instant(150), 0);
    assert_eq!(dispatcher.idle(Instant(200)), Span(3 * 200 - 50));
    assert_eq!(dispatcher.snapshot(Instant(200), Cost::default()).idle_ns, 550);
}

#[test]
fn the_first_of_all_vectors_but_one_is_found() {
    const NONE: u64 = u64::MAX;
    const PROCESSORS: usize = 5;
    let mut heads = heads::Heads::new(PROCESSORS as u32);
    // Each case changes some of the heads of the case before.
    for case in 0..3_usize.pow(PROCESSORS as u32) {
        let deadlines: Vec<u64> = (0..PROCESSORS).map(|at| [NONE, 7, 8][case / 3_usize.pow(at as u32) % 3]).collect();
        for (at, &deadline) in deadlines.iter().enumerate() {
            let priority = Priority { deadline, ..Priority::default() };
            heads.note(at, (deadline != NONE).then_some(priority));
        }
        for without in 0..PROCESSORS {
            let others = (0..PROCESSORS).filter(|&at| at != without && deadlines[at] != NONE);
            let first = others.min_by_key(|&at| deadlines[at]).map(|at| (deadlines[at], at as u32));
            assert_eq!(heads.first_but(without as u32), first, "{deadlines:?} without {without}");
        }
    }
}
