//! How many tests passed and failed, and where that stands in what a test command prints.

use std::ops::AddAssign;

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
