//! A crew: which worker has which run, when workers are held for the reader's own experiment, and when silent ones are replaced.
//!
//! It knows no browser and no clock: workers are numbers that [`Workers`] stands for, and wall time is an argument.

use zvmlab::Scenario;

use super::queue::Key;

/// Runs that are made at once, at least and at most. Chosen: two are quick enough for most, more cost storage.
const SIZE: (u32, u32) = (2, 4);
/// Most virtual storage of the guests of all runs that are made at once, in MB. Chosen: about 100 MB of state in workers.
const STATE_MB_MAX: u64 = 262_144;
/// How often silent workers are replaced before the crew says so. Chosen.
const RESTARTS_MAX: u32 = 2;

/// Most bytes for the pages of a host whose worker is used again. A worker's memory never shrinks: after a larger host it is ended, and
/// another takes its place. Chosen: a host of 1 TB keeps its worker, and a host of 4 TB, of which one copy takes 900 MB, is held once.
const KEPT_BYTES_MAX: u64 = 384 << 20;

/// Whether a worker that has run this scenario is to be ended, because its memory would be held for nothing.
pub fn is_large(scenario: &Scenario) -> bool {
    scenario.page_state_bytes() > KEPT_BYTES_MAX
}

/// Makes runs: on the page with workers of the browser, in a test with a list.
pub trait Workers {
    /// Starts a worker under a number that no worker had before.
    ///
    /// # Errors
    /// Why no worker is started, in words.
    fn start(&mut self, number: u64) -> Result<(), String>;
    /// Gives a worker a run.
    fn give(&mut self, number: u64, scenario: &Scenario, seed: u64);
    /// Holds what a worker is doing, or lets it go on.
    fn hold(&mut self, number: u64, holds: bool);
    /// Ends a worker, whatever it is doing.
    fn end(&mut self, number: u64);
}

/// A run that is to be made.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    /// Its key.
    pub key: &'a Key,
    /// What is run.
    pub scenario: &'a Scenario,
    /// The seed to run it with.
    pub seed: u64,
}

/// A worker, and the run that it has.
#[derive(Debug)]
struct Member {
    number: u64,
    run: Option<Key>,
    /// Whether that is held.
    held: bool,
    /// Whether it has run a large host: see [`is_large`].
    is_large: bool,
}

/// The workers of one batch.
#[derive(Debug)]
pub struct Crew {
    members: Vec<Member>,
    started: u64,
    failed: Option<String>,
    /// Wall time at which silent workers are given up. Set while an answer is awaited.
    given_up_ms: Option<f64>,
    silent_ms: f64,
    restarts: u32,
}

impl Crew {
    /// A crew without workers yet. It gives workers up after so many milliseconds without an answer.
    pub fn new(silent_ms: f64) -> Crew {
        Crew { members: Vec::new(), started: 0, failed: None, given_up_ms: None, silent_ms, restarts: 0 }
    }

    /// Why the crew cannot work any more, in words.
    pub fn failed(&self) -> Option<&str> {
        self.failed.as_deref()
    }

    /// How many workers there are.
    pub fn size(&self) -> usize {
        self.members.len()
    }

    /// When [`Crew::wake`] is to be called, in wall time.
    pub fn wakes_at(&self) -> Option<f64> {
        self.given_up_ms
    }

    /// Starts the first workers. They take a moment to start; the reader's own experiment runs meanwhile.
    pub fn warm_up(&mut self, workers: &mut dyn Workers) {
        while self.members.len() < SIZE.0 as usize && self.failed.is_none() {
            self.start(workers);
        }
    }

    /// Ends all workers: each holds the storage of its largest run.
    pub fn dismiss(&mut self, workers: &mut dyn Workers) {
        self.members.drain(..).for_each(|member| workers.end(member.number));
        self.given_up_ms = None;
    }

    /// Ends the workers that run something. Tells whether there was one.
    pub fn let_go(&mut self, workers: &mut dyn Workers) -> bool {
        let (busy, free): (Vec<Member>, Vec<Member>) = self.members.drain(..).partition(|member| member.run.is_some());
        busy.iter().for_each(|member| workers.end(member.number));
        self.members = free;
        self.given_up_ms = None;
        !busy.is_empty()
    }

    /// Forgets that it ever failed.
    pub fn try_again(&mut self) {
        (self.failed, self.restarts) = (None, 0);
    }

    /// The reader's own experiment is due: what runs is held, so that it has the processors.
    pub fn hold_back(&mut self, workers: &mut dyn Workers) {
        self.hold(true, workers);
        // Nobody who is held answers.
        self.given_up_ms = None;
    }

    /// The reader's own experiment is no longer due.
    pub fn go_on(&mut self, now_ms: f64, workers: &mut dyn Workers) {
        if self.hold(false, workers) {
            self.given_up_ms = Some(now_ms + self.silent_ms);
        }
    }

    /// Holds every run, or lets it go on. Tells whether that changes anything.
    fn hold(&mut self, holds: bool, workers: &mut dyn Workers) -> bool {
        let others = self.members.iter_mut().filter(|member| member.run.is_some() && member.held != holds);
        let mut any = false;
        for member in others {
            workers.hold(member.number, holds);
            (member.held, any) = (holds, true);
        }
        any
    }

    /// Time has passed: the time in which workers must answer may be over.
    pub fn wake(&mut self, now_ms: f64, workers: &mut dyn Workers) {
        // The workers that are started now know nothing of what stopped the silent ones.
        if self.given_up_ms.is_some_and(|at| at <= now_ms) {
            self.restarts += u32::from(self.let_go(workers));
            if self.restarts > RESTARTS_MAX {
                self.failed = Some("The workers of the study do not answer.".into());
            }
        }
    }

    /// Gives free workers of a crew of `size` work. `next` is told which runs are being made, and returns none when none is left.
    pub fn employ<'a>(
        &mut self,
        size: usize,
        now_ms: f64,
        workers: &mut dyn Workers,
        mut next: impl FnMut(&dyn Fn(&Key) -> bool) -> Option<Work<'a>>,
    ) {
        while let Some(work) = next(&|key| self.members.iter().any(|member| member.run.as_ref() == Some(key))) {
            let free = match self.members.iter().position(|member| member.run.is_none()) {
                Some(free) => free,
                None if self.members.len() >= size => break,
                None => {
                    self.start(workers);
                    if self.failed.is_some() {
                        return;
                    }
                    self.members.len() - 1
                }
            };
            let member = &mut self.members[free];
            workers.give(member.number, work.scenario, work.seed);
            (member.run, member.held, member.is_large) = (Some(work.key.clone()), false, is_large(work.scenario));
        }
        self.given_up_ms.get_or_insert(now_ms + self.silent_ms);
    }

    /// A worker has answered. Returns which run it had, if it had one. A worker that ran a large host is ended.
    pub fn answered(&mut self, number: u64, workers: &mut dyn Workers) -> Option<Key> {
        self.given_up_ms = None;
        let index = self.members.iter().position(|member| member.number == number)?;
        let run = self.members[index].run.take();
        if std::mem::take(&mut self.members[index].held) {
            // It was over before the worker heard that it is held. Its next run is not.
            workers.hold(number, false);
        }
        if self.members[index].is_large {
            self.members.remove(index);
            workers.end(number);
        }
        run
    }

    /// A worker has failed and is of no more use.
    pub fn lost(&mut self, number: u64, why: String, workers: &mut dyn Workers) {
        self.given_up_ms = None;
        let Some(index) = self.members.iter().position(|member| member.number == number) else { return };
        self.members.remove(index);
        workers.end(number);
        self.failed = Some(why);
    }

    /// Starts a worker, or notes why it cannot be started.
    fn start(&mut self, workers: &mut dyn Workers) {
        self.started += 1;
        match workers.start(self.started) {
            Ok(()) => self.members.push(Member { number: self.started, run: None, held: false, is_large: false }),
            Err(why) => self.failed = Some(why),
        }
    }
}

/// How many runs of a scenario are made at once on a machine with so many processors.
pub fn size(scenario: &Scenario, processors: u32) -> usize {
    let virtual_mb: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.virtual_mb).sum();
    let room = (STATE_MB_MAX / virtual_mb.max(1)).clamp(1, u64::from(SIZE.1)) as u32;
    processors.saturating_sub(1).clamp(SIZE.0, SIZE.1).min(room) as usize
}
