//! What all questions say of a trial: its times, or why it has none. Needs no browser.

use crate::batch::limit;
use crate::batch::moved::quiesce_s;
use crate::batch::trials::Trial;
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

#[cfg(test)]
pub mod tests;
