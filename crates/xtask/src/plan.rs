//! A long run: its steps, known before the first begins, each under a heading; at the end what each took, the slowest tests,
//! and the sum.

use std::time::Instant;

use crate::outcome::Outcome;

/// How many of the slowest tests are named.
const SLOWEST: usize = 10;

/// What a step does, or why it cannot be done here.
type Work<'a> = Result<Box<dyn FnOnce() -> Outcome + 'a>, String>;

/// The steps of a run.
#[derive(Default)]
pub struct Plan<'a> {
    steps: Vec<(String, Work<'a>)>,
}

impl<'a> Plan<'a> {
    /// Adds a step.
    pub fn step(&mut self, title: &str, work: impl FnOnce() -> Outcome + 'a) {
        self.steps.push((title.into(), Ok(Box::new(work))));
    }

    /// Adds a step, or the reason why it cannot be done here.
    pub fn step_unless(&mut self, missing: Option<String>, title: &str, work: impl FnOnce() -> Outcome + 'a) {
        match missing {
            Some(reason) => self.steps.push((title.into(), Err(reason))),
            None => self.step(title, work),
        }
    }

    /// Keeps the steps in whose title one of the words stands; no words keep all.
    pub fn keep(&mut self, words: &[&str]) {
        self.steps.retain(|(title, _)| words.is_empty() || words.iter().any(|word| title.contains(word)));
    }

    /// Does the steps one by one and reports. `strict` counts a step that cannot be done here as a failure.
    ///
    /// # Errors
    /// When there is no step.
    pub fn run(self, strict: bool) -> Result<(), String> {
        if self.steps.is_empty() {
            return Err("no step has such a title; ./run test without words shows them all".into());
        }
        let (start, count) = (Instant::now(), self.steps.len());
        let mut done: Vec<(String, f64, Outcome)> = Vec::new();
        let mut skipped = Vec::new();
        for (index, (title, work)) in self.steps.into_iter().enumerate() {
            println!("\n=== step {} of {count}, {} so far: {title}", index + 1, minutes(start.elapsed().as_secs_f64()));
            let begun = Instant::now();
            let outcome = match work {
                Ok(work) => work(),
                Err(reason) if strict => {
                    Outcome::of::<()>(&Err(format!("cannot be done here, and CI=true asks for it: {reason}")))
                }
                Err(reason) => {
                    println!("  skipped: {reason}");
                    skipped.push(format!("{title}: {reason}"));
                    continue;
                }
            };
            done.push((title, begun.elapsed().as_secs_f64(), outcome));
        }
        println!("\n=== all steps, {}", minutes(start.elapsed().as_secs_f64()));
        summary(&done, &skipped);
        // The sum stays the last line of the whole output, so the error has no text of its own.
        if done.iter().all(|(_, _, outcome)| outcome.failed == 0) { Ok(()) } else { std::process::exit(1) }
    }
}

/// Prints the table of steps, the slowest tests and, on a line of its own, the sum.
fn summary(done: &[(String, f64, Outcome)], skipped: &[String]) {
    let mut sum = Outcome::default();
    for (title, seconds, outcome) in done {
        println!("{:>6} passed {:>4} failed {seconds:>7.1} s  {title}", outcome.passed, outcome.failed);
        sum += outcome.clone();
    }
    for skipped in skipped {
        println!("                        skipped  {skipped}");
    }
    sum.times.sort_by(|a, b| b.0.total_cmp(&a.0));
    if !sum.times.is_empty() {
        println!("the slowest tests, of those that say what they took:");
    }
    for (seconds, name) in sum.times.iter().take(SLOWEST) {
        println!("  {seconds:>7.1} s  {name}");
    }
    println!("{} passed, {} failed", sum.passed, sum.failed);
}

/// Seconds as people read them.
fn minutes(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    format!("{}:{:02} min", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_kept_by_their_words_and_done_in_order() {
        let done = std::cell::RefCell::new(Vec::new());
        let mut plan = Plan::default();
        for title in ["format", "clippy, natively", "clippy, for the browser"] {
            let done = &done;
            plan.step(title, move || {
                done.borrow_mut().push(title);
                Outcome::new(1, 0)
            });
        }
        plan.step_unless(Some("it is missing".into()), "clippy of clippy", || Outcome::new(0, 1));
        plan.keep(&["clippy"]);
        assert_eq!(plan.run(false), Ok(()));
        assert_eq!(done.into_inner(), ["clippy, natively", "clippy, for the browser"]);
        assert!(Plan::default().run(false).is_err());
    }

    #[test]
    fn time_is_said_in_minutes() {
        assert_eq!(minutes(59.6), "1:00 min");
        assert_eq!(minutes(9.2), "0:09 min");
    }
}
