//! Threads that run experiments piece by piece. They know no Python; who waits for them can stop them after any piece.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use zvmlab::constants::Constants;
use zvmlab::experiment::{Course, Listeners, Look, Outcome, Progress};
use zvmlab::scenario::ScenarioError;
use zvmlab::{Measurement, Scenario, Simulation, Snapshot};
use zvmlab_lab::evidence::Sample;

/// One experiment to run.
#[derive(Clone)]
pub struct Job {
    /// What to run.
    pub scenario: Arc<Scenario>,
    /// The constants of the model that it runs with.
    pub constants: Arc<Constants>,
    /// The seed.
    pub seed: u64,
    /// Steps of the interval in which it is looked at; none if only its figures are wanted.
    pub steps: Option<u64>,
}

/// What is known of an experiment that has run.
pub struct Done {
    /// Its outcome.
    pub outcome: Outcome,
    /// The state at the start of the interval.
    pub first: Snapshot,
    /// The interval in steps, where that was wanted.
    pub samples: Vec<Sample>,
}

/// Why an experiment has no outcome.
pub enum Failed {
    /// Its scenario has problems.
    Scenario(ScenarioError),
    /// A fault of ours.
    Fault(String),
}

/// Threads at work. When it is dropped they stop after the piece that they are at, and nobody waits for them.
pub struct Crew {
    stop: Arc<AtomicBool>,
    latest: Arc<Mutex<Option<Progress>>>,
    ended: Mutex<Receiver<(usize, Result<Done, Failed>)>>,
}

impl Crew {
    /// So many threads begin with the jobs, in their order.
    pub fn start(jobs: Vec<Job>, threads: usize) -> Crew {
        let (stop, latest) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(None)));
        let (tell, ended) = channel();
        let (jobs, next) = (Arc::new(jobs), Arc::new(AtomicUsize::new(0)));
        for _ in 0..threads.clamp(1, jobs.len().max(1)) {
            let work = Work {
                jobs: jobs.clone(),
                next: next.clone(),
                stop: stop.clone(),
                latest: latest.clone(),
                tell: tell.clone(),
            };
            thread::spawn(move || work.all());
        }
        Crew { stop, latest, ended: Mutex::new(ended) }
    }

    /// The next experiment that has ended, if one does within this time.
    pub fn wait(&self, time: Duration) -> Option<(usize, Result<Done, Failed>)> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(time).ok()
    }

    /// How far the experiment is that told it last.
    pub fn latest(&self) -> Option<Progress> {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// What a thread needs.
struct Work {
    jobs: Arc<Vec<Job>>,
    next: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
    latest: Arc<Mutex<Option<Progress>>>,
    tell: Sender<(usize, Result<Done, Failed>)>,
}

impl Work {
    /// Takes the next job until there is none, or nobody listens.
    fn all(&self) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = self.jobs.get(index) else { return };
            let result = match catch_unwind(AssertUnwindSafe(|| self.one(job))) {
                Ok(Ok(None)) => return,
                Ok(Ok(Some(done))) => Ok(done),
                Ok(Err(problems)) => Err(Failed::Scenario(problems)),
                Err(panic) => Err(Failed::Fault(said(panic.as_ref()))),
            };
            if self.tell.send((index, result)).is_err() {
                return;
            }
        }
    }

    /// Runs a job; none if it is to stop.
    fn one(&self, job: &Job) -> Result<Option<Done>, ScenarioError> {
        let mut simulation = Simulation::with_constants(&job.scenario, job.seed, (*job.constants).clone())?;
        let mut course = Course::new(&job.scenario, job.seed, job.steps.unwrap_or(1));
        let mut seen = Seen { first: Snapshot::default(), samples: Vec::new(), earlier: None, wants: job.steps.is_some() };
        while !self.stop.load(Ordering::Relaxed) {
            let tell = &mut |_: &Simulation, progress| {
                *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
            };
            let to = &mut Listeners { watch: &mut |look| seen.look(look), tell };
            if let Some(outcome) = course.go_on(&mut simulation, &job.scenario, to) {
                return Ok(Some(Done { outcome, first: seen.first, samples: seen.samples }));
            }
        }
        Ok(None)
    }
}

/// What was seen of an interval.
struct Seen {
    first: Snapshot,
    samples: Vec<Sample>,
    earlier: Option<Snapshot>,
    wants: bool,
}

impl Seen {
    fn look(&mut self, look: Look) {
        let snapshot = look.snapshot();
        if let Look::Begins(_) = look {
            // What was seen of an interval that came too early is of the warm-up.
            (self.first, self.earlier) = (snapshot.clone(), None);
            self.samples.clear();
        }
        if !self.wants {
            return;
        }
        if let Some(earlier) = self.earlier.as_ref().filter(|earlier| earlier.now_ns < snapshot.now_ns) {
            let measurement = Measurement::between(earlier, snapshot);
            self.samples.push(Sample { measurement, snapshot: snapshot.clone() });
        }
        self.earlier = Some(snapshot.clone());
    }
}

/// What a panic says.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it said nothing".into())
}
