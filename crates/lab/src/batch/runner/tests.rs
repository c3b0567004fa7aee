//! Which run goes to which worker, what gives way and what is kept, by a clock that is only a number.

use std::rc::Rc;

use zvmlab::Measurement;

use super::*;
use crate::batch::moved::tests::moved;
use crate::batch::trials::NewTrial;
use crate::studies::set_cu::SET_CU;
use crate::studies::study::Study;
use crate::studies::study::tests::hybrid;

/// Workers that only remember what they were told.
#[derive(Default)]
struct Told {
    /// Who was started and not ended.
    alive: Vec<u64>,
    /// What each worker was given, in order: its number and the storage of the run.
    given: Vec<(u64, u64)>,
    /// Whose run is held.
    held: Vec<u64>,
    /// Why none is started.
    refuses: Option<String>,
}

impl Workers for Told {
    fn start(&mut self, number: u64) -> Result<(), String> {
        self.refuses.clone().map_or_else(
            || {
                self.alive.push(number);
                Ok(())
            },
            Err,
        )
    }

    fn give(&mut self, number: u64, scenario: &Scenario, _seed: u64) {
        assert!(self.alive.contains(&number), "worker {number} was ended");
        self.given.push((number, scenario.storage.central_mb));
    }

    fn hold(&mut self, number: u64, holds: bool) {
        assert!(self.alive.contains(&number) && self.held.contains(&number) != holds, "worker {number}: {holds}");
        self.held.retain(|held| *held != number);
        self.held.extend(holds.then_some(number));
    }

    fn end(&mut self, number: u64) {
        self.alive.retain(|alive| *alive != number);
        self.held.retain(|held| *held != number);
    }
}

/// A bench, a clock, workers and a runner of trials.
struct Page {
    bench: Scenario,
    now_ms: f64,
    quiet: bool,
    told: Told,
    runner: Runner<Trials>,
}

impl Page {
    fn new() -> Page {
        Page { bench: Scenario::default(), now_ms: 0.0, quiet: true, told: Told::default(), runner: Runner::new("") }
    }

    /// Does something with the runner around the bench as it is.
    fn with<T>(&mut self, act: impl FnOnce(&mut Runner<Trials>, Around, &mut Told) -> T) -> T {
        let around = Around {
            base: &self.bench,
            seed: 1,
            quiet: self.quiet,
            asked_for: false,
            settled: None,
            now_ms: self.now_ms,
            processors: 4,
        };
        act(&mut self.runner, around, &mut self.told)
    }

    /// Asks for trials with this much storage each.
    fn follow(&mut self, of: &'static str, sizes: &[u64]) {
        let new = |&central_mb: &u64| {
            let mut scenario = Scenario::default();
            scenario.storage.central_mb = central_mb;
            NewTrial { name: central_mb.to_string(), x: 0.0, scenario }
        };
        let new: Vec<NewTrial> = sizes.iter().map(new).collect();
        self.with(|runner, around, told| {
            runner.follow(of, around, told, |_, known| Trials::begin(around.base.clone(), 1, new, known));
        });
    }

    /// A worker has made its run.
    fn answer(&mut self, number: u64, wall_ms: f64) {
        let found = RunState::Known(Rc::new(moved(Vec::new())));
        self.with(|runner, around, told| runner.hear(number, Heard::Made(found, wall_ms), around, told));
    }

    /// Time passes, and the runner is woken when it asked to be.
    fn wait(&mut self, ms: f64) {
        self.now_ms += ms;
        if self.runner.wakes_at().is_some_and(|at| at <= self.now_ms) {
            self.with(|runner, around, told| runner.wake(around, told));
        }
    }

    fn progress(&self) -> (usize, usize) {
        self.runner.batch().map(|trials| trials.progress()).expect("there are trials")
    }
}

const SIZES: [u64; 5] = [131_072, 98_304, 65_536, 49_152, 45_056];

#[test]
fn free_workers_get_the_next_run_and_what_is_known_is_not_made_again() {
    let mut page = Page::new();
    page.bench.guests[0].virtual_mb = 8_192;
    let at_once = size(&page.bench, 4);
    page.follow("chpids", &SIZES);
    let first: Vec<(u64, u64)> = SIZES.into_iter().take(at_once).enumerate().map(|(at, mb)| (at as u64 + 1, mb)).collect();
    assert_eq!(page.told.given, first, "in the order of the batch");
    for at in 0..SIZES.len() {
        page.now_ms += 100.0;
        let (number, _) = page.told.given[at];
        page.answer(number, 100.0);
    }
    assert_eq!((page.progress(), page.runner.took_ms()), ((5, 5), Some(500.0)));
    assert!(page.with(|runner, around, _| runner.is_fresh(around)));
    // Another question that asks for the same runs and one more.
    page.follow("link", &[131_072, 98_304, 90_112]);
    assert_eq!((page.progress(), page.told.given.len()), ((2, 3), 6));
}

#[test]
fn the_readers_own_experiment_goes_first() {
    let mut page = Page::new();
    page.follow("chpids", &SIZES);
    let given = page.told.given.len();
    let alive = page.told.alive.clone();
    page.quiet = false;
    page.follow("chpids", &SIZES);
    assert_eq!(page.told.held, alive, "what runs is held");
    // It was over before it heard that.
    page.answer(1, 10.0);
    assert_eq!(page.told.given.len(), given, "nothing is begun");
    page.wait(1_000_000.0);
    assert_eq!((page.runner.wakes_at(), &page.told.alive), (None, &alive), "nobody who is held is silent");
    page.quiet = true;
    page.follow("chpids", &SIZES);
    assert_eq!((&page.told.held, &page.told.alive), (&vec![], &alive), "what runs goes on");
    assert_eq!(page.told.given[given..], [(1, SIZES[given])]);
    page.wait(300_000.0);
    assert!(page.told.alive.iter().all(|number| !alive.contains(number)), "from now on they are expected to answer");
    // The knobs stop at another host: what is held of this one is ended.
    let alive = page.told.alive.clone();
    page.quiet = false;
    page.follow("chpids", &SIZES);
    (page.bench.lcu.paths, page.quiet) = (page.bench.lcu.paths + 1, true);
    page.follow("chpids", &SIZES);
    assert!(page.told.held.is_empty() && page.told.alive.iter().all(|number| !alive.contains(number)));
}

#[test]
fn another_host_begins_anew_when_the_bench_is_quiet_and_another_question_at_once() {
    let mut page = Page::new();
    page.follow("chpids", &SIZES[..1]);
    page.answer(1, 10.0);
    (page.bench.lcu.paths, page.quiet) = (page.bench.lcu.paths + 1, false);
    page.follow("chpids", &SIZES[..2]);
    assert_eq!(page.progress(), (1, 1), "the answer stays while a knob is dragged");
    page.follow("link", &SIZES[..2]);
    assert_eq!(page.progress(), (1, 2));
    page.bench.lcu.paths -= 1;
    page.quiet = true;
    page.follow("link", &SIZES[..3]);
    assert_eq!(page.progress(), (1, 3));
    page.with(|runner, _, told| runner.end(told));
    assert!(page.told.alive.is_empty() && page.runner.batch().is_none());
}

#[test]
fn silent_workers_are_replaced_until_it_is_said() {
    let mut page = Page::new();
    page.follow("chpids", &SIZES);
    for _ in 0..2 {
        let before = page.told.alive.clone();
        page.wait(299_999.0);
        assert_eq!(page.runner.failed(), None);
        page.wait(1.0);
        assert!(page.told.alive.iter().all(|number| !before.contains(number)), "{:?}", page.told.alive);
        assert_eq!(page.told.given.last().map(|given| given.0), page.told.alive.last().copied());
    }
    page.wait(300_000.0);
    assert_eq!(page.runner.failed(), Some("The workers of the study do not answer."));
    assert!(page.told.alive.is_empty());
    page.with(|runner, around, told| runner.go_on(around, told));
    assert!(page.runner.failed().is_none() && !page.told.alive.is_empty(), "the reader tries again");
    // An answer is a sign of life.
    let number = page.told.alive[0];
    page.wait(299_999.0);
    page.answer(number, 10.0);
    page.wait(299_999.0);
    assert!(page.told.alive.contains(&number));
}

#[test]
fn a_worker_that_fails_or_is_not_started_stops_the_batch() {
    let mut page = Page::new();
    page.follow("chpids", &SIZES);
    page.with(|runner, around, told| runner.hear(1, Heard::Failed("it is gone".into()), around, told));
    assert_eq!((page.runner.failed(), page.told.alive.contains(&1)), (Some("it is gone"), false));
    let given = page.told.given.len();
    page.answer(2, 10.0);
    assert_eq!(page.told.given.len(), given, "the others end what they have, and get no more");
    assert_eq!(page.progress(), (1, 5));
    page.answer(1, 10.0);
    assert_eq!(page.progress(), (1, 5), "nothing is heard of one that was ended");
    let mut page = Page::new();
    page.told.refuses = Some("no workers here".into());
    page.follow("chpids", &SIZES);
    assert_eq!((page.runner.failed(), page.runner.workers()), (Some("no workers here"), 0));
}

#[test]
fn a_long_batch_waits_to_be_asked_for_and_can_be_stopped() {
    let mut page = Page::new();
    page.follow("chpids", &SIZES);
    let given = page.told.given.len();
    page.answer(1, 70_000.0);
    assert_eq!(page.told.given.len(), given);
    assert!(page.with(|runner, around, _| runner.waits(around)));
    page.with(|runner, around, told| runner.go_on(around, told));
    assert_eq!(page.told.given.len(), given + 1);
    page.with(|runner, _, told| runner.stop(told));
    assert!(page.runner.is_stopped() && page.told.alive.is_empty());
    page.follow("chpids", &SIZES);
    assert!(page.with(|runner, around, _| runner.waits(around)));
    // Whoever opens a link to the answer has asked for it.
    page.with(|runner, around, told| {
        runner.go_on(around, told);
        assert!(!runner.waits(Around { asked_for: true, ..around }));
    });
}

#[test]
fn a_study_waits_for_the_bench_and_takes_what_that_has_run() {
    let (bench, mut told) = (hybrid(), Told::default());
    let mut runner: Runner<Study> = Runner::new("set-cu");
    let mut around =
        Around { base: &bench, seed: 1, quiet: false, asked_for: false, settled: None, now_ms: 0.0, processors: 8 };
    let begin = |earlier: Option<&Study>, known: &dyn Fn(&Key) -> Option<RunState<Measurement>>| {
        Study::begin(SET_CU, hybrid(), 1, earlier, known)
    };
    runner.follow("set-cu", around, &mut told, begin);
    assert!(runner.batch().is_none() && told.alive.len() == 2, "its first workers start meanwhile");
    around.quiet = true;
    runner.follow("set-cu", around, &mut told, begin);
    assert_eq!(told.given.len(), 4, "as many as a machine of eight processors has for it");
    let first = runner.batch().map(|study| (*study.batch.runs[7].scenario).clone()).expect("a study");
    let snapshot = zvmlab::Snapshot { now_ns: 1, filled: true, ..zvmlab::Snapshot::default() };
    let settled = Settled {
        scenario: first,
        seed: 1,
        measurement: Measurement::between(&zvmlab::Snapshot::default(), &snapshot),
        limits: Rc::default(),
        digest: 0,
        snapshot,
        series: Rc::default(),
    };
    around.settled = Some(&settled);
    runner.follow("set-cu", around, &mut told, begin);
    assert_eq!(runner.batch().map(|study| study.batch.progress()), Some((1, 15)));
    // One long run is enough to ask first.
    let left_out = Heard::Made(RunState::LeftOut("it cannot be run".into()), 2_001.0);
    runner.hear(1, left_out, around, &mut told);
    assert!(runner.waits(around) && told.given.len() == 4);
    assert_eq!(runner.batch().map(|study| study.left_out().len()), Some(1));
}

/// A worker's memory never shrinks: 4 TB of guests would be held once for each worker that ever ran them.
#[test]
fn workers_that_ran_a_large_host_are_ended() {
    for (virtual_mb, kept) in [(1_048_576, true), (2_097_152, false)] {
        let mut page = Page::new();
        let new = |central_mb: u64| {
            let mut scenario = Scenario::default();
            // All of it fits, so no page space is lacking.
            scenario.storage.central_mb = u64::from(virtual_mb) + central_mb;
            (scenario.guests[0].count, scenario.guests[0].virtual_mb) = (virtual_mb / 131_072, 131_072);
            NewTrial { name: central_mb.to_string(), x: 0.0, scenario }
        };
        let new: Vec<NewTrial> = SIZES.into_iter().map(new).collect();
        page.with(|runner, around, told| {
            runner.follow("arc", around, told, |_, known| Trials::begin(around.base.clone(), 1, new, known));
        });
        let mut at = 0;
        while let Some(&(number, _)) = page.told.given.get(at) {
            page.answer(number, 100.0);
            assert_eq!(page.told.alive.contains(&number), kept, "{virtual_mb} MB, worker {number}");
            at += 1;
        }
        assert_eq!((at, page.progress()), (5, (5, 5)));
    }
}
