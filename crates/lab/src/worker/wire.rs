//! What page and worker say to each other: jobs one way, answers the other, as bytes.

use borsh::{BorshDeserialize, BorshSerialize};
use zvmlab::experiment::Progress;
use zvmlab::{Measurement, Scenario, Snapshot};

use crate::batch::moved::Moved;
use crate::evidence::{Sample, Settled};
use crate::worker::changes;
use crate::worker::early::Early;

/// A job or an answer as bytes.
pub fn written(message: &impl BorshSerialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Only what has no bytes fails: a number that is none. Its reader then says that the rest is missing.
    let _ = message.serialize(&mut bytes);
    bytes
}

/// The job or the answer that these bytes are.
///
/// # Errors
/// Why they are none: the other end is of another version, or was cut off.
pub fn read<M: BorshDeserialize>(bytes: &[u8]) -> Result<M, String> {
    M::try_from_slice(bytes).map_err(|error| error.to_string())
}

/// What the page asks of a worker.
#[derive(Clone, Debug, PartialEq, BorshSerialize, BorshDeserialize)]
pub enum Job {
    /// A whole experiment: fill, warm-up, interval.
    Experiment {
        /// What to run.
        scenario: Scenario,
        /// The seed to run it with.
        seed: u64,
    },
    /// The same for its figures alone: without a series, the answer is a hundredth as long.
    Figures {
        /// What to run.
        scenario: Scenario,
        /// The seed to run it with.
        seed: u64,
    },
    /// The same of a host whose guests are relocated: what became of each of them.
    Moves {
        /// What to run.
        scenario: Scenario,
        /// The seed to run it with.
        seed: u64,
    },
    /// Something of the live run.
    Live(LiveJob),
}

impl Job {
    /// The host that it begins with, if it begins anew.
    pub fn scenario(&self) -> Option<&Scenario> {
        match self {
            Job::Experiment { scenario, .. } | Job::Figures { scenario, .. } | Job::Moves { scenario, .. } => Some(scenario),
            Job::Live(LiveJob::Create { scenario, .. }) => Some(scenario),
            Job::Live(_) => None,
        }
    }
}

/// What the page asks of the live run.
#[derive(Clone, Debug, PartialEq, BorshSerialize, BorshDeserialize)]
pub enum LiveJob {
    /// Starts anew, at the first instant.
    Create {
        /// What to run.
        scenario: Box<Scenario>,
        /// The seed to run it with.
        seed: u64,
    },
    /// Goes on with the fill, for so much of the worker's time.
    Fill {
        /// Milliseconds of wall time.
        budget_ms: f64,
    },
    /// Goes on to an instant, or as far as the worker's time allows.
    Advance {
        /// The instant, in simulated nanoseconds.
        until_ns: u64,
        /// Simulated nanoseconds between samples.
        every_ns: u64,
        /// Milliseconds of wall time.
        budget_ms: f64,
    },
    /// Handles one event.
    Step,
    /// Takes a sample of the present state, unless the last one is of it.
    Look,
}

/// What a worker answers.
#[derive(Clone, Debug, PartialEq, BorshSerialize, BorshDeserialize)]
pub enum Answer {
    /// The experiment has settled.
    Settled {
        /// The result.
        result: Box<Settled>,
        /// Wall time that it took, in milliseconds.
        wall_ms: f64,
    },
    /// The figures of an experiment that has settled.
    Figures {
        /// The figures of its interval.
        measurement: Box<Measurement>,
        /// Whether every guest has touched its whole loop.
        filled: bool,
        /// Wall time that it took, in milliseconds.
        wall_ms: f64,
    },
    /// What became of the relocations of an experiment.
    Moved {
        /// What became of them.
        moved: Box<Moved>,
        /// Wall time that it took, in milliseconds.
        wall_ms: f64,
    },
    /// How far the live run is.
    Live(Box<LiveReport>),
    /// The job cannot be done, in words.
    Refused(String),
    /// How far the job is. The answer itself is still to come.
    SoFar(Box<SoFar>),
}

/// How far an experiment is.
#[derive(Clone, Debug, PartialEq, BorshSerialize, BorshDeserialize)]
pub struct SoFar {
    /// Its phase, and how much of that is over.
    pub progress: Progress,
    /// Wall time that it may still take, in milliseconds, if that can be told.
    pub left_ms: Option<f64>,
    /// First figures, as soon as there are any.
    pub early: Option<Early>,
    /// The state of the host.
    pub snapshot: Snapshot,
}

/// How far the live run is.
#[derive(Clone, Debug, PartialEq, BorshSerialize, BorshDeserialize)]
pub struct LiveReport {
    /// The part of the guests' loops that was touched: 1 when the fill is over.
    pub fill: f64,
    /// Whether the fill is over, or was given up.
    pub filled: bool,
    /// Whether no event is left.
    pub ended: bool,
    /// Events handled for this job.
    pub events: u64,
    /// Wall time that it took, in milliseconds.
    pub wall_ms: f64,
    /// Samples taken on the way, oldest first.
    pub samples: Vec<SentSample>,
    /// What the single step changed, in words, where it was one.
    pub stepped: Option<String>,
    /// Where the run is at the end.
    pub at: Reached,
}

/// A sample of a live run as it is sent: what changed since the sample before.
#[derive(Clone, Debug, PartialEq, BorshSerialize, BorshDeserialize)]
pub struct SentSample {
    /// Its number among the samples of the run, from 0.
    number: u32,
    /// What changed in the sample's bytes; all of them in the first.
    changes: Vec<u8>,
}

/// One end of the wire on which the samples of a live run go. It knows the last of them, from which the next one follows.
#[derive(Clone, Debug, Default)]
pub struct End {
    /// How many samples have passed.
    passed: u32,
    /// The last one's bytes; none at the start of a run.
    last: Vec<u8>,
}

impl End {
    /// Sends a sample.
    pub fn send(&mut self, sample: &Sample) -> SentSample {
        let bytes = written(sample);
        let sent = SentSample { number: self.passed, changes: changes::between(&self.last, &bytes) };
        self.pass(bytes);
        sent
    }

    /// The sample that was sent.
    ///
    /// # Errors
    /// Why it cannot be made: a sample before it has not come.
    pub fn receive(&mut self, sent: &SentSample) -> Result<Sample, String> {
        let follows = sent.number == self.passed;
        let bytes = follows.then(|| changes::applied(&self.last, &sent.changes)).flatten();
        let bytes = bytes.ok_or("the sample before it is missing")?;
        let sample = read(&bytes)?;
        self.pass(bytes);
        Ok(sample)
    }

    fn pass(&mut self, bytes: Vec<u8>) {
        self.passed += 1;
        self.last = bytes;
    }
}

/// Where a live run is.
#[derive(Clone, Debug, Default, PartialEq, BorshSerialize, BorshDeserialize)]
pub struct Reached {
    /// Simulated nanoseconds since the start of the run.
    pub now_ns: u64,
    /// Events handled so far.
    pub events: u64,
    /// What goes on between the members of a cluster, in words.
    pub under_way: Option<String>,
}
