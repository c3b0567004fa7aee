//! The scheduler: which guests may run. The lists with their guests, the followed guest, and which guests moved why.

use zvmlab::Snapshot;

use super::compared::newest;
use crate::evidence::Evidence;
pub use charts::charts;

pub use words::who_waits;
use words::{Told, moved, why};

/// Most moves that are listed. Chosen: all of them are seen at once, and none is cut off.
pub const MOVES_MAX: usize = 12;

/// Guests that wait in the eligible list.
pub fn waiting(snapshot: &Snapshot) -> usize {
    snapshot.guests.iter().filter(|guest| guest.list.is_eligible()).count()
}

/// When the reader chose a guest, and where it was then.
pub fn chosen(evidence: &Evidence, name: Option<&str>) -> (u64, String) {
    let snapshot = newest(evidence);
    let guest = snapshot.and_then(|snapshot| snapshot.guests.iter().find(|guest| name == Some(guest.name.as_str())));
    let stands = |snapshot: &Snapshot| guest.map(|guest| format!("{} {}", guest.name, why(guest, &snapshot.scheduler)));
    (snapshot.map_or(0, |snapshot| snapshot.now_ns), snapshot.and_then(stands).unwrap_or_default())
}

/// What a screen reader should say: where the followed guest was when it was chosen; then its last move while the run goes
/// on, or where it is.
pub fn spoken(
    index: Option<usize>,
    last: Option<Told>,
    live: bool,
    snapshot: &Snapshot,
    (chosen_ns, stood): &(u64, String),
) -> String {
    let Some(guest) = index.and_then(|index| snapshot.guests.get(index)) else { return String::new() };
    match last {
        // A run that begins anew is earlier than the choice; its moves are news all the same.
        Some(last) if live && (last.at_ns > *chosen_ns || snapshot.now_ns < *chosen_ns) => {
            format!("{}.", moved(&last, snapshot, 1))
        }
        _ if live && !stood.is_empty() && snapshot.now_ns >= *chosen_ns => stood.clone(),
        _ => format!("{} {}", guest.name, why(guest, &snapshot.scheduler)),
    }
}

pub mod charts;
pub mod lanes;
pub mod table;
pub mod words;
