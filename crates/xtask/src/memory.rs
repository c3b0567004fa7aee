//! How much memory a process and its children hold, on Linux.

use std::fs;

/// Memory of a process and of all that it started, in MiB: the proportional set size, which counts what processes share once.
/// None where the system does not tell.
pub fn of_tree(root: u32) -> Option<f64> {
    let parents: Vec<(u32, u32)> = fs::read_dir("/proc")
        .ok()?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|process| Some((process, parent(process)?)))
        .collect();
    let mut tree = vec![root];
    let mut next = 0;
    while let Some(&one) = tree.get(next) {
        tree.extend(parents.iter().filter(|(_, parent)| *parent == one).map(|(child, _)| *child));
        next += 1;
    }
    // A process may end while it is looked at.
    let kib: u64 = tree.into_iter().filter_map(held).sum();
    (kib > 0).then_some(kib as f64 / 1024.0)
}

/// The fourth word of a process's state is its parent. The second, its name in parentheses, may hold spaces.
fn parent(process: u32) -> Option<u32> {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    state.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

fn held(process: u32) -> Option<u64> {
    let sums = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    sums.lines().find_map(|line| line.strip_prefix("Pss:"))?.split_whitespace().next()?.parse().ok()
}

/// What samples of memory, taken at even times, say of a long run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// The mean of the second quarter, in MiB: what is loaded once has been loaded by then.
    pub second: f64,
    /// The mean of the last quarter, in MiB.
    pub last: f64,
    /// The most, in MiB.
    pub most: f64,
}

/// How much more than in its second quarter a process may hold in its last, as a ratio. Chosen: hosts by chance differ in size, and a
/// WebAssembly memory never shrinks.
const GROWS: f64 = 1.25;

impl Course {
    /// The course of these samples, in MiB; none of fewer than eight.
    pub fn of(samples: &[f64]) -> Option<Course> {
        let quarter = samples.len() / 4;
        if quarter < 2 {
            return None;
        }
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        Some(Course {
            second: mean(&samples[quarter..2 * quarter]),
            last: mean(&samples[samples.len() - quarter..]),
            most: samples.iter().copied().fold(0.0, f64::max),
        })
    }

    /// Whether the memory stayed as it was.
    pub fn is_flat(self) -> bool {
        self.last <= self.second * GROWS
    }

    /// The course in words.
    pub fn words(self) -> String {
        let Course { second, last, most } = self;
        format!("memory {second:.0} MiB in the second quarter, {last:.0} MiB in the last, {most:.0} MiB at most")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_holds_memory() {
        if cfg!(target_os = "linux") {
            assert!(of_tree(std::process::id()).expect("it is told") > 0.5);
        }
    }

    #[test]
    fn a_leak_is_not_flat() {
        let leak: Vec<f64> = (0..40).map(|minute| 100.0 + 5.0 * f64::from(minute)).collect();
        assert!(!Course::of(&leak).expect("enough").is_flat());
        let loading: Vec<f64> = (0..40).map(|minute| if minute < 10 { 50.0 } else { 200.0 }).collect();
        assert!(Course::of(&loading).expect("enough").is_flat());
        assert_eq!(Course::of(&[1.0; 7]), None);
    }
}
