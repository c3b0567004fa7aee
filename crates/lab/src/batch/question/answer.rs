//! What all questions say of a trial: its times, or why it has none. Needs no browser.

use crate::batch::limit;
use crate::batch::moved::quiesce_s;
use crate::batch::trials::{Trial, Trials};
use crate::words::number::short;
use crate::words::state::why_not;
use crate::words::unit::NO_BREAK;

/// A time in s, as a sentence writes it.
pub fn seconds(time: f64) -> String {
    format!("{}{NO_BREAK}s", short(time))
}

/// Why a trial has no time, in a few words; `None` if it has one.
pub fn no_time(trial: &Trial) -> Option<String> {
    let moved = trial.known()?;
    let (first, end) = moved.not_completed().next()?;
    let count = moved.not_completed().count();
    let vain = limit::stopped_in_vain_s(first)
        .map_or(String::new(), |time| format!(", its guest stopped for {} in vain", seconds(time)));
    Some(match (moved.relocations.len(), count) {
        (1, _) => format!("{}{vain}", why_not(&trial.scenario, end)),
        (all, count) => format!("{count} of {all} guests: {}", why_not(&trial.scenario, end)),
    })
}

/// The longest quiesce time of a trial in which all guests moved, in s.
pub fn quiesce_time(trial: &Trial) -> Option<f64> {
    let moved = trial.known().filter(|moved| moved.all_completed())?;
    moved.completed().filter_map(quiesce_s).reduce(f64::max)
}

/// The relocation time of a trial in which all guests moved, in s: from the first VMRELOCATE to the last end.
pub fn relocation_time(trial: &Trial) -> Option<f64> {
    trial.known().filter(|moved| moved.all_completed())?.total_s()
}

/// Which trials keep every stop within a target, in s, and by how much the others miss it.
pub fn target(trials: &Trials, target: Option<f64>) -> Option<String> {
    let target = target?;
    if !trials.is_complete() {
        return None;
    }
    let known = trials.runs.iter().filter(|trial| trial.known().is_some());
    let (met, missed): (Vec<&Trial>, Vec<&Trial>) =
        known.partition(|trial| quiesce_time(trial).is_some_and(|time| time <= target));
    let list = |trials: &[&Trial], time: bool| {
        let one = |trial: &&Trial| match quiesce_time(trial).filter(|_| time) {
            Some(time) => format!("{} ({})", trial.at.name, seconds(time)),
            None if time => format!("{} (not moved)", trial.at.name),
            None => trial.at.name.clone(),
        };
        trials.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let within = seconds(target);
    Some(match (met.is_empty(), missed.is_empty()) {
        (true, _) => format!("No run here stops for {within} or less: {}.", list(&missed, true)),
        (_, true) => format!("Every run here stops for {within} or less."),
        _ => format!("Stopped for {within} or less: {}. Not so: {}.", list(&met, false), list(&missed, true)),
    })
}

#[cfg(test)]
pub mod tests;
