//! The report of a long run: a heading for each step with the seconds so far, and the sum at the end.

use std::time::Instant;

use crate::counts::Counts;

/// What happened so far.
pub struct Report {
    /// Whether every step must be done, so that a step left out is a failure.
    strict: bool,
    start: Instant,
    steps: Vec<(String, Counts, f64)>,
    skipped: Vec<String>,
}

impl Report {
    /// A report that starts now; a strict one counts a step that is left out as a failure.
    pub fn new(strict: bool) -> Report {
        Report { strict, start: Instant::now(), steps: Vec::new(), skipped: Vec::new() }
    }

    /// Announces a step, does it and keeps its counts.
    pub fn step(&mut self, title: &str, work: impl FnOnce() -> Counts) {
        println!("\n=== [{:>4.0} s] {title}", self.start.elapsed().as_secs_f64());
        let start = Instant::now();
        let counts = work();
        self.steps.push((title.to_string(), counts, start.elapsed().as_secs_f64()));
    }

    /// Notes a step that cannot be done here, and why.
    pub fn skip(&mut self, title: &str, reason: &str) {
        if self.strict {
            self.step(title, || Counts::of::<()>(&Err(format!("cannot be done here, and CI=true asks for it: {reason}"))));
        } else {
            println!("\n=== [{:>4.0} s] {title}: skipped, {reason}", self.start.elapsed().as_secs_f64());
            self.skipped.push(format!("{title}: {reason}"));
        }
    }

    /// Prints the table of steps and, on a line of its own, the sum.
    ///
    /// # Errors
    /// When anything failed.
    pub fn finish(self) -> Result<(), String> {
        println!("\n=== [{:>4.0} s] all steps", self.start.elapsed().as_secs_f64());
        let mut sum = Counts::default();
        for (title, counts, seconds) in &self.steps {
            println!("{:>6} passed {:>4} failed {seconds:>7.1} s  {title}", counts.passed, counts.failed);
            sum += *counts;
        }
        for skipped in &self.skipped {
            println!("                        skipped  {skipped}");
        }
        println!("{} passed, {} failed", sum.passed, sum.failed);
        // The sum stays the last line of the whole output, so the error has no text of its own.
        if sum.failed == 0 { Ok(()) } else { std::process::exit(1) }
    }
}
