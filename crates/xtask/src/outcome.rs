//! Reads what a test command prints: how many tests passed and failed, and how long each took.

use std::ops::{Add, AddAssign};
use std::time::Instant;

/// How many tests passed and failed, and how long they took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
    /// Of those that passed, how many did so in an earlier run.
    pub kept: u64,
    /// Seconds and name of each test that reports its time.
    pub times: Vec<(f64, String)>,
}

impl Outcome {
    /// This many tests.
    pub fn new(passed: u64, failed: u64) -> Outcome {
        Outcome { passed, failed, ..Outcome::default() }
    }

    /// The outcome of a step that is one check.
    pub fn of<T>(result: &Result<T, String>) -> Outcome {
        match result {
            Ok(_) => Outcome::new(1, 0),
            Err(reason) => {
                println!("  {reason}");
                Outcome::new(0, 1)
            }
        }
    }

    /// The counts of a line like `test result: ok. 3 passed; 0 failed; …`, which cargo and wasm-bindgen both print.
    fn from_line(line: &str) -> Option<Outcome> {
        let (_, result) = line.split_once("test result: ")?;
        let number = |word: &str| {
            let before = result.split(';').find_map(|part| part.trim_end().strip_suffix(word))?;
            before.trim_end().rsplit(' ').next()?.parse().ok()
        };
        Some(Outcome::new(number("passed")?, number("failed")?))
    }
}

impl AddAssign for Outcome {
    fn add_assign(&mut self, other: Outcome) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.kept += other.kept;
        self.times.extend(other.times);
    }
}

impl Add for Outcome {
    type Output = Outcome;

    fn add(mut self, other: Outcome) -> Outcome {
        self += other;
        self
    }
}

/// Reads the lines of one test command, in their order and as soon as each comes.
#[derive(Debug, Default)]
pub struct Reader {
    outcome: Outcome,
    /// The story that the browser tests are running now, and when it began.
    story: Option<(String, Instant)>,
}

impl Reader {
    /// Takes a line. Returns whether a person wants to see it: of tests that passed, only the count.
    pub fn take(&mut self, line: &str) -> bool {
        if let Some(counts) = Outcome::from_line(line) {
            self.end_story();
            self.outcome += counts;
            // Many files have no tests of the wanted kind.
            return self.outcome.failed > 0 || !line.contains(" 0 passed; 0 failed; 0 ignored");
        }
        if let Some((name, seconds)) = passed_test(line) {
            self.outcome.times.extend(seconds.map(|seconds| (seconds, name.to_string())));
            return false;
        }
        if let Some(title) = story(line) {
            self.end_story();
            self.story = Some((title.to_string(), Instant::now()));
        }
        !(line.trim().is_empty() || line == "no tests to run!" || line.starts_with("running "))
    }

    /// The sum of all lines.
    pub fn finish(mut self) -> Outcome {
        self.end_story();
        self.outcome
    }

    fn end_story(&mut self) {
        self.outcome.times.extend(self.story.take().map(|(title, start)| (start.elapsed().as_secs_f64(), title)));
    }
}

/// Name and seconds of a line like `test storage::fills ... ok <0.013s>`; wasm-bindgen's runner prints no seconds.
fn passed_test(line: &str) -> Option<(&str, Option<f64>)> {
    let (name, rest) = line.strip_prefix("test ")?.split_once(" ... ok")?;
    let seconds = rest.trim().strip_prefix('<').and_then(|rest| rest.strip_suffix("s>"));
    Some((name, seconds.and_then(|seconds| seconds.parse().ok())))
}

/// The title of a line like `  Chromium: a sweep`, which the browser tests print when they begin with it.
fn story(line: &str) -> Option<&str> {
    let title = line.strip_prefix("  ")?;
    let (engine, _) = title.split_once(": ")?;
    xtask::engines::Engine::ALL.iter().any(|one| one.name() == engine).then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_in_both_spellings() {
        let check = |line: &str, expected: Option<(u64, u64)>| {
            assert_eq!(Outcome::from_line(line), expected.map(|(passed, failed)| Outcome::new(passed, failed)), "{line}");
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

    #[test]
    fn times_are_kept_and_what_is_wrong_is_shown() {
        let mut reader = Reader::default();
        let shown = [
            "running 4 tests",
            "test storage::fills ... ok <1.250s>",
            "test small_command ... ok",
            "test storage::empties ... FAILED <0.100s>",
            "  Chromium: a sweep",
            "  Chromium: the live run",
            "a panic's words: no story",
            "test result: FAILED. 3 passed; 1 failed; 0 ignored",
        ]
        .map(|line| reader.take(line));
        assert_eq!(shown, [false, false, false, true, true, true, true, true]);
        let outcome = reader.finish();
        assert_eq!((outcome.passed, outcome.failed), (3, 1));
        let names: Vec<&str> = outcome.times.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["storage::fills", "Chromium: a sweep", "Chromium: the live run"]);
        assert_eq!(outcome.times[0].0, 1.25);
    }
}
