//! A long run. Its steps are known before the first begins, and each has a heading. Steps stand in lanes: lanes run at the same
//! time, the steps of one lane after each other. At the end come the time of each step, the slowest tests, and the sum.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

use crate::outcome::Outcome;

/// How many of the slowest tests are named.
const SLOWEST: usize = 10;

/// The work of a step.
type Work<'a> = Box<dyn FnOnce() -> Outcome + Send + 'a>;

/// Why a step cannot be done here, if it cannot. Asked when its turn has come: a step before it may install what it needs.
type Missing<'a> = Box<dyn FnOnce() -> Option<String> + Send + 'a>;

/// A step of a run.
struct Step<'a> {
    title: String,
    missing: Missing<'a>,
    work: Work<'a>,
    lane: usize,
}

/// A step that has run: its title, its seconds, its outcome.
type Done = (String, f64, Outcome);

/// The steps of a run.
#[derive(Default)]
pub struct Plan<'a> {
    steps: Vec<Step<'a>>,
    lane: usize,
}

impl<'a> Plan<'a> {
    /// Adds a step.
    pub fn step(&mut self, title: &str, work: impl FnOnce() -> Outcome + Send + 'a) {
        self.step_unless(|| None, title, work);
    }

    /// Adds a step that cannot be done where something is `missing`: that says what, and why.
    pub fn step_unless(
        &mut self,
        missing: impl FnOnce() -> Option<String> + Send + 'a,
        title: &str,
        work: impl FnOnce() -> Outcome + Send + 'a,
    ) {
        let (missing, work) = (Box::new(missing), Box::new(work));
        self.steps.push(Step { title: title.into(), missing, work, lane: self.lane });
    }

    /// The steps added from now on run at the same time as those before, in a lane of their own.
    pub fn beside(&mut self) {
        self.lane += 1;
    }

    /// Keeps the steps whose title contains one of the words; without words, keeps all.
    pub fn keep(&mut self, words: &[&str]) {
        self.steps.retain(|step| words.is_empty() || words.iter().any(|word| step.title.contains(word)));
    }

    /// Runs the steps and reports. `strict` counts a step that cannot be done here as a failure.
    ///
    /// # Errors
    /// When there is no step.
    pub fn run(self, strict: bool) -> Result<(), String> {
        if self.steps.is_empty() {
            return Err("no step has such a title; ./run test without words shows them all".into());
        }
        let run = Run { start: Instant::now(), count: self.steps.len(), strict, ended: Mutex::default() };
        let mut lanes: BTreeMap<usize, Vec<_>> = BTreeMap::new();
        for (index, step) in self.steps.into_iter().enumerate() {
            lanes.entry(step.lane).or_default().push((index, step));
        }
        std::thread::scope(|scope| {
            for lane in lanes.into_values() {
                scope.spawn(|| lane.into_iter().for_each(|(index, step)| run.step(index, step)));
            }
        });
        println!("\n=== all steps, {}", minutes(run.start.elapsed().as_secs_f64()));
        let (done, skipped) = run.in_order();
        summary(&done, &skipped);
        // The sum stays the last line of the whole output, so the error has no text of its own.
        if done.iter().all(|(_, _, outcome)| outcome.failed == 0) { Ok(()) } else { std::process::exit(1) }
    }
}

/// A run under way.
struct Run {
    start: Instant,
    count: usize,
    strict: bool,
    /// What has ended, by the index of the step: done, or skipped and why.
    ended: Mutex<BTreeMap<usize, Result<Done, String>>>,
}

impl Run {
    /// Does a step and notes how it ended.
    fn step(&self, index: usize, Step { title, missing, work, .. }: Step) {
        let so_far = minutes(self.start.elapsed().as_secs_f64());
        println!("\n=== step {} of {}, {so_far} so far: {title}", index + 1, self.count);
        let begun = Instant::now();
        let ended = match missing() {
            None => {
                let outcome = work();
                Ok((title, begun.elapsed().as_secs_f64(), outcome))
            }
            Some(reason) if self.strict => {
                let failed = Err(format!("cannot be done here, and CI=true asks for it: {reason}"));
                Ok((title, 0.0, Outcome::of::<()>(&failed)))
            }
            Some(reason) => {
                println!("  skipped: {reason}");
                Err(format!("{title}: {reason}"))
            }
        };
        self.ended.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(index, ended);
    }

    /// The steps that were done, and those that were skipped, in the order of the plan.
    fn in_order(self) -> (Vec<Done>, Vec<String>) {
        let (mut done, mut skipped) = (Vec::new(), Vec::new());
        for ended in self.ended.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).into_values() {
            match ended {
                Ok(one) => done.push(one),
                Err(reason) => skipped.push(reason),
            }
        }
        (done, skipped)
    }
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
        plan.step_unless(|| Some("it is missing".into()), "clippy of clippy", || Outcome::new(0, 1));
        plan.keep(&["clippy"]);
        assert_eq!(plan.run(false), Ok(()));
        assert_eq!(done.into_inner().expect("no step failed"), ["clippy, natively", "clippy, for the browser"]);
        assert!(Plan::default().run(false).is_err());
    }

    #[test]
    fn lanes_run_at_once_and_their_steps_one_after_the_other() {
        let barrier = std::sync::Barrier::new(2);
        let done = Mutex::new(Vec::new());
        let mut plan = Plan::default();
        for lane in [["one", "two"], ["one beside", "two beside"]] {
            for title in lane {
                let (barrier, done) = (&barrier, &done);
                // No step ends before the one beside it has begun.
                plan.step(title, move || {
                    barrier.wait();
                    done.lock().expect("no step failed").push(title);
                    Outcome::new(1, 0)
                });
            }
            plan.beside();
        }
        assert_eq!(plan.run(false), Ok(()));
        let done = done.into_inner().expect("no step failed");
        assert_eq!(done.len(), 4);
        let place = |title| done.iter().position(|one| *one == title);
        assert!(place("one") < place("two") && place("one beside") < place("two beside"), "{done:?}");
    }

    #[test]
    fn time_is_said_in_minutes() {
        assert_eq!(minutes(59.6), "1:00 min");
        assert_eq!(minutes(9.2), "0:09 min");
    }
}
