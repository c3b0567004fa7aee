//! The report of a long run: a heading for each step with the seconds so far, and the sum at the end.

use std::ops::AddAssign;
use std::time::Instant;

/// How many tests passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
}

impl Counts {
    /// The result of a step that is one check.
    pub fn of<T>(result: &Result<T, String>) -> Counts {
        match result {
            Ok(_) => Counts { passed: 1, failed: 0 },
            Err(reason) => {
                println!("  {reason}");
                Counts { passed: 0, failed: 1 }
            }
        }
    }

    /// The counts of a line like `test result: ok. 3 passed; 0 failed; …`, which cargo and wasm-bindgen both print.
    pub fn from_line(line: &str) -> Option<Counts> {
        let (_, result) = line.split_once("test result: ")?;
        let number = |word: &str| {
            let before = result.split(';').find_map(|part| part.trim_end().strip_suffix(word))?;
            before.trim_end().rsplit(' ').next()?.parse().ok()
        };
        Some(Counts { passed: number("passed")?, failed: number("failed")? })
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// What happened so far.
pub struct Report {
    start: Instant,
    steps: Vec<(String, Counts, f64)>,
    skipped: Vec<String>,
}

impl Report {
    /// A report that starts now.
    pub fn new() -> Report {
        Report { start: Instant::now(), steps: Vec::new(), skipped: Vec::new() }
    }

    /// Announces a step, does it and keeps its counts.
    pub fn step(&mut self, title: &str, work: impl FnOnce() -> Counts) {
        println!("\n=== [{:>4.0} s] {title}", self.start.elapsed().as_secs_f64());
        let start = Instant::now();
        let counts = work();
        self.steps.push((title.to_string(), counts, start.elapsed().as_secs_f64()));
    }

    /// Notes a step that cannot be done here, and why. Where everything must be there, that is a failure.
    pub fn skip(&mut self, title: &str, reason: &str) {
        if crate::drivers::all_required() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_in_both_spellings() {
        let check = |line: &str, expected: Option<(u64, u64)>| {
            assert_eq!(Counts::from_line(line), expected.map(|(passed, failed)| Counts { passed, failed }), "{line}");
        };
        check(
            "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            Some((12, 0)),
        );
        check("test result: FAILED. 1 passed; 2 failed; 0 ignored", Some((1, 2)));
        check("    test result: ok. 3 passed; 0 failed; 1 ignored", Some((3, 0)));
        check("test simulation::works ... ok", None);
        check("test result: ok.", None);
    }
}
