//! A long run. Its steps are known before the first begins, and each has a heading. At the end come the time of each step,
//! the slowest tests, and the sum.

use std::time::Instant;

use crate::outcome::Outcome;

/// How many of the slowest tests are named.
const SLOWEST: usize = 10;

/// The work of a step, or why it cannot be done here.
type Work<'a> = Result<Box<dyn FnOnce() -> Outcome + Send + 'a>, String>;

/// A step of a run.
struct Step<'a> {
    title: String,
    work: Work<'a>,
    /// Whether it runs at the same time as the step before it.
    beside: bool,
}

/// A step that has run: its title, its seconds, its outcome.
type Done = (String, f64, Outcome);

/// The steps of a run.
#[derive(Default)]
pub struct Plan<'a> {
    steps: Vec<Step<'a>>,
}

impl<'a> Plan<'a> {
    /// Adds a step.
    pub fn step(&mut self, title: &str, work: impl FnOnce() -> Outcome + Send + 'a) {
        self.step_unless(None, title, work);
    }

    /// Adds a step, or the reason why it cannot be done here.
    pub fn step_unless(&mut self, missing: Option<String>, title: &str, work: impl FnOnce() -> Outcome + Send + 'a) {
        let work: Work = missing.map_or_else(|| Ok(Box::new(work) as _), Err);
        self.steps.push(Step { title: title.into(), work, beside: false });
    }

    /// Lets the last step added run at the same time as the one before it, if that one runs too.
    pub fn beside(&mut self) {
        if let Some(last) = self.steps.last_mut() {
            last.beside = true;
        }
    }

    /// Keeps the steps whose title contains one of the words; without words, keeps all.
    pub fn keep(&mut self, words: &[&str]) {
        self.steps.retain(|step| words.is_empty() || words.iter().any(|word| step.title.contains(word)));
    }

    /// Runs the steps one by one and reports. `strict` counts a step that cannot be done here as a failure.
    ///
    /// # Errors
    /// When there is no step.
    pub fn run(self, strict: bool) -> Result<(), String> {
        if self.steps.is_empty() {
            return Err("no step has such a title; ./run test without words shows them all".into());
        }
        let (start, count) = (Instant::now(), self.steps.len());
        let mut done: Vec<Done> = Vec::new();
        let mut skipped = Vec::new();
        let mut steps = self.steps.into_iter().enumerate().peekable();
        while let Some(first) = steps.next() {
            let mut group = vec![first];
            while let Some(next) = steps.next_if(|(_, step)| step.beside) {
                group.push(next);
            }
            let mut works = Vec::new();
            for (index, Step { title, work, .. }) in group {
                println!("\n=== step {} of {count}, {} so far: {title}", index + 1, minutes(start.elapsed().as_secs_f64()));
                match work {
                    Ok(work) => works.push((title, work)),
                    Err(reason) if strict => {
                        let failed = Err(format!("cannot be done here, and CI=true asks for it: {reason}"));
                        done.push((title, 0.0, Outcome::of::<()>(&failed)));
                    }
                    Err(reason) => {
                        println!("  skipped: {reason}");
                        skipped.push(format!("{title}: {reason}"));
                    }
                }
            }
            done.extend(at_once(works));
        }
        println!("\n=== all steps, {}", minutes(start.elapsed().as_secs_f64()));
        summary(&done, &skipped);
        // The sum stays the last line of the whole output, so the error has no text of its own.
        if done.iter().all(|(_, _, outcome)| outcome.failed == 0) { Ok(()) } else { std::process::exit(1) }
    }
}

/// Runs all at the same time, and waits for all.
fn at_once<'a>(works: Vec<(String, Box<dyn FnOnce() -> Outcome + Send + 'a>)>) -> Vec<Done> {
    std::thread::scope(|scope| {
        let start = |(title, work): (String, Box<dyn FnOnce() -> Outcome + Send + 'a>)| {
            let begun = Instant::now();
            (title, scope.spawn(move || (work(), begun.elapsed().as_secs_f64())))
        };
        let running: Vec<_> = works.into_iter().map(start).collect();
        let ended = running.into_iter().map(|(title, thread)| match thread.join() {
            Ok((outcome, seconds)) => (title, seconds, outcome),
            Err(panic) => std::panic::resume_unwind(panic),
        });
        ended.collect()
    })
}

/// Prints the table of steps, the slowest tests and, on a line of its own, the sum.
fn summary(done: &[Done], skipped: &[String]) {
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
        println!("the slowest tests that report their time:");
    }
    for (seconds, name) in sum.times.iter().take(SLOWEST) {
        println!("  {seconds:>7.1} s  {name}");
    }
    println!("{} passed, {} failed", sum.passed, sum.failed);
}

/// Seconds, written for people.
fn minutes(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    format!("{}:{:02} min", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_kept_by_their_words_and_done_in_order() {
        let done = std::sync::Mutex::new(Vec::new());
        let mut plan = Plan::default();
        for title in ["format", "clippy, natively", "clippy, for the browser"] {
            let done = &done;
            plan.step(title, move || {
                done.lock().expect("no step failed").push(title);
                Outcome::new(1, 0)
            });
        }
        plan.step_unless(Some("it is missing".into()), "clippy of clippy", || Outcome::new(0, 1));
        plan.keep(&["clippy"]);
        assert_eq!(plan.run(false), Ok(()));
        assert_eq!(done.into_inner().expect("no step failed"), ["clippy, natively", "clippy, for the browser"]);
        assert!(Plan::default().run(false).is_err());
    }

    #[test]
    fn steps_beside_each_other_are_done_at_once() {
        let barrier = std::sync::Barrier::new(2);
        let mut plan = Plan::default();
        for title in ["one", "another"] {
            let barrier = &barrier;
            // Neither step ends before the other has begun.
            plan.step(title, move || {
                barrier.wait();
                Outcome::new(1, 0)
            });
        }
        plan.beside();
        assert_eq!(plan.run(false), Ok(()));
    }

    #[test]
    fn time_is_said_in_minutes() {
        assert_eq!(minutes(59.6), "1:00 min");
        assert_eq!(minutes(9.2), "0:09 min");
    }
}
