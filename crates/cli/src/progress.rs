//! How far a long run is, on the terminal: a line on standard error that is written over, and cleared at the end.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use zvmlab::experiment;
use zvmlab::scenario::Scenario;
use zvmlab_lab::words::so_far::{Estimate, said};

use crate::output::plain;

/// A run that takes longer than this says how far it is, and so often.
const FIRST: Duration = Duration::from_secs(2);
const EVERY: Duration = Duration::from_millis(500);

/// Wall time: the reader's, not the model's.
#[expect(clippy::disallowed_methods, reason = "a terminal's line tells how long a person waits")]
pub fn now() -> Instant {
    Instant::now()
}

/// The line. Where standard error is no terminal there is none.
pub struct Line {
    begun: Instant,
    due: Instant,
    estimate: Estimate,
    is_seen: bool,
    is_terminal: bool,
}

impl Line {
    /// A line for a run that begins now.
    pub fn new() -> Line {
        let begun = now();
        Line {
            begun,
            due: begun + FIRST,
            estimate: Estimate::default(),
            is_seen: false,
            is_terminal: stderr().is_terminal(),
        }
    }

    /// The run of `scenario` is so far.
    pub fn tell(&mut self, scenario: &Scenario, progress: experiment::Progress) {
        let now = now();
        let left_ms = self.estimate.left_ms(&progress, scenario, (now - self.begun).as_secs_f64() * 1e3);
        if self.is_terminal && now >= self.due {
            (self.due, self.is_seen) = (now + EVERY, true);
            self.write(&plain(&said(&progress, left_ms)));
        }
    }

    /// So many runs are done.
    pub fn count(&mut self, done: u64, all: u64) {
        let now = now();
        if self.is_terminal && now >= self.due {
            (self.due, self.is_seen) = (now + EVERY, true);
            let left = (now - self.begun).as_secs_f64() * (all - done) as f64 / done as f64;
            self.write(&format!("{done} of {all} runs; about {left:.0} s left"));
        }
    }

    /// Writes over the line. Nobody minds if that fails.
    fn write(&self, text: &str) {
        let mut stderr = stderr().lock();
        let _ = write!(stderr, "\r\x1b[K{text}").and_then(|()| stderr.flush());
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.is_seen {
            self.write("");
        }
    }
}
