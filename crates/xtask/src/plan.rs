//! A long run. Its steps are known before the first begins, and each has a heading. Steps stand in lanes: lanes run at the same
//! time, the steps of one lane after each other, and a lane without steps of its own takes those of others. At the end come the time
//! of each step, the slowest tests, and the sum.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
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
    /// Steps that end before this one begins: their places in the plan.
    after: Vec<usize>,
}

/// A step that has run: its title, its seconds, its outcome.
type Done = (String, f64, Outcome);

/// The steps of a run.
#[derive(Default)]
pub struct Plan<'a> {
    steps: Vec<Step<'a>>,
    lane: usize,
    after: Vec<usize>,
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
        let (lane, after) = (self.lane, self.after.clone());
        self.steps.push(Step { title: title.into(), missing, work, lane, after });
    }

    /// The steps added from now on run at the same time as those before, in a lane of their own.
    pub fn beside(&mut self) {
        self.lane += 1;
    }

    /// The steps added from now on begin after these, which stand in the plan already, have ended, whichever lane does them.
    ///
    /// # Panics
    /// If the plan has no step with such a title.
    pub fn behind(&mut self, titles: &[&str]) {
        let place = |title: &&str| self.steps.iter().position(|step| step.title == **title);
        self.after = titles.iter().map(|title| place(title).unwrap_or_else(|| panic!("no step {title}"))).collect();
    }

    /// Keeps the steps whose title contains one of the words; without words, keeps all.
    pub fn keep(&mut self, words: &[&str]) {
        let is_kept = |step: &Step| words.is_empty() || words.iter().any(|word| step.title.contains(word));
        // Nobody waits for a step that is left out; the others have new places.
        let mut kept = 0..;
        let places: Vec<_> = self.steps.iter().map(|step| is_kept(step).then(|| kept.next()).flatten()).collect();
        self.steps.retain(is_kept);
        for step in &mut self.steps {
            step.after = step.after.iter().filter_map(|index| places[*index]).collect();
        }
    }

    /// Runs the steps and reports. `strict` counts a step that cannot be done here as a failure.
    ///
    /// # Errors
    /// When there is no step.
    pub fn run(self, strict: bool) -> Result<(), String> {
        if self.steps.is_empty() {
            return Err("no step has such a title; ./run test without words shows them all".into());
        }
        let lanes = 1 + self.steps.iter().map(|step| step.lane).max().unwrap_or(0);
        let run = Run {
            start: Instant::now(),
            count: self.steps.len(),
            strict,
            left: Mutex::new(self.steps.into_iter().map(Some).collect()),
            ended: Mutex::default(),
            one_ended: Condvar::new(),
        };
        std::thread::scope(|scope| {
            for lane in 0..lanes {
                let run = &run;
                scope.spawn(move || {
                    while let Some((index, step)) = run.next(lane) {
                        run.step(index, step);
                    }
                });
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
struct Run<'a> {
    start: Instant,
    count: usize,
    strict: bool,
    /// The steps that have not begun, each at its place in the plan.
    left: Mutex<Vec<Option<Step<'a>>>>,
    /// What has ended, by the index of the step: done, or skipped and why.
    ended: Mutex<BTreeMap<usize, Result<Done, String>>>,
    one_ended: Condvar,
}

impl<'a> Run<'a> {
    /// The next step for a lane: of those that need not wait its own first one, or else the first of another lane. Waits while the steps
    /// that are left wait for others. `None` if none is left.
    fn next(&self, lane: usize) -> Option<(usize, Step<'a>)> {
        let mut ended = sound(self.ended.lock());
        loop {
            let mut left = sound(self.left.lock());
            let waits = |step: &Step| step.after.iter().any(|index| !ended.contains_key(index));
            let ready = left.iter().enumerate().filter_map(|(index, step)| Some((index, step.as_ref()?)));
            let ready = ready.filter(|(_, step)| !waits(step));
            let first = ready.min_by_key(|(index, step)| (step.lane != lane, *index)).map(|(index, _)| index);
            if let Some(index) = first {
                return left[index].take().map(|step| (index, step));
            }
            if left.iter().all(Option::is_none) {
                return None;
            }
            drop(left);
            ended = sound(self.one_ended.wait(ended));
        }
    }

    /// Does a step and notes how it ended.
    fn step(&self, index: usize, Step { title, missing, work, .. }: Step) {
        let so_far = minutes(self.start.elapsed().as_secs_f64());
        println!("\n=== step {} of {}, {so_far} so far: {title}", index + 1, self.count);
        let begun = Instant::now();
        let ended = match missing() {
            None => {
                let outcome = done(work);
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
        sound(self.ended.lock()).insert(index, ended);
        self.one_ended.notify_all();
    }

    /// The steps that were done, and those that were skipped, in the order of the plan.
    fn in_order(self) -> (Vec<Done>, Vec<String>) {
        let (mut done, mut skipped) = (Vec::new(), Vec::new());
        for ended in self.ended.into_inner().unwrap_or_else(PoisonError::into_inner).into_values() {
            match ended {
                Ok(one) => done.push(one),
                Err(reason) => skipped.push(reason),
            }
        }
        (done, skipped)
    }
}

/// Does the work of a step. One that panics has failed, and others may wait for its end.
fn done(work: Work) -> Outcome {
    std::panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Outcome::new(0, 1))
}

/// What a lock holds. Where a thread panicked while it held one, the other lanes end all the same.
fn sound<'a, T>(held: Result<MutexGuard<'a, T>, PoisonError<MutexGuard<'a, T>>>) -> MutexGuard<'a, T> {
    held.unwrap_or_else(PoisonError::into_inner)
}

/// Prints the table of steps, the slowest tests and, on a line of its own, the sum.
fn summary(done: &[Done], skipped: &[String]) {
    let mut sum = Outcome::default();
    for (title, seconds, outcome) in done {
        let kept = if outcome.kept == 0 { String::new() } else { format!(" ({} not run again)", outcome.kept) };
        println!("{:>6} passed {:>4} failed {seconds:>7.1} s  {title}{kept}", outcome.passed, outcome.failed);
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
    if sum.kept > 0 {
        println!("{} of those that passed were not run again; ./run test --again runs all", sum.kept);
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
    fn a_lane_without_steps_takes_those_of_others_and_waits_for_what_they_need() {
        let barrier = std::sync::Barrier::new(2);
        let done = Mutex::new(Vec::new());
        let mut plan = Plan::default();
        let work = |title: &'static str, meets: bool| {
            let (barrier, done) = (&barrier, &done);
            move || {
                if meets {
                    barrier.wait();
                }
                done.lock().expect("no step failed").push(title);
                Outcome::new(1, 0)
            }
        };
        // The second lane has one step; "two" and "three" meet only if it does one of them.
        plan.step("one", work("one", false));
        plan.behind(&["one"]);
        plan.step("two", work("two", true));
        plan.step("three", work("three", true));
        plan.behind(&["two", "three"]);
        plan.step("four", work("four", false));
        plan.behind(&[]);
        plan.beside();
        plan.step("five", work("five", false));
        assert_eq!(plan.run(false), Ok(()));
        let done = done.into_inner().expect("no step failed");
        let place = |title| done.iter().position(|one| *one == title).expect("it was done");
        assert_eq!(done.len(), 5);
        assert!(place("one") < place("two") && place("two").max(place("three")) < place("four"), "{done:?}");
    }

    #[test]
    fn nobody_waits_for_a_step_that_is_left_out_or_has_panicked() {
        let mut plan = Plan::default();
        plan.step("left out", || Outcome::new(0, 1));
        plan.behind(&["left out"]);
        plan.step("kept: panics", || panic!("as it must"));
        plan.behind(&["kept: panics"]);
        plan.step("kept: goes on", || Outcome::new(1, 0));
        plan.keep(&["kept"]);
        assert_eq!(plan.steps.iter().map(|step| step.after.as_slice()).collect::<Vec<_>>(), [&[][..], &[0]]);
        let outcomes: Vec<Outcome> = plan.steps.into_iter().map(|step| super::done(step.work)).collect();
        assert_eq!(outcomes, [Outcome::new(0, 1), Outcome::new(1, 0)]);
    }

    #[test]
    fn time_is_said_in_minutes() {
        assert_eq!(minutes(59.6), "1:00 min");
        assert_eq!(minutes(9.2), "0:09 min");
    }
}
