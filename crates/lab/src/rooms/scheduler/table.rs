//! The guests as a table: what the lanes show, in numbers.

use zvmlab::Snapshot;

use super::lanes::CHIPS_MAX;
use super::words::{at, mb};
use crate::words::state;
use crate::words::unit::percent;

/// One guest: the cells of its row, its name first.
pub type Cells = [String; 6];

/// The headings.
pub const COLUMNS: [&str; 6] = ["Guest", "List", "Since", "Does", "Working set", "Share now"];

/// The rows of `snapshot`.
pub fn listed_guests(snapshot: &Snapshot) -> Vec<Cells> {
    let row = |guest: &zvmlab::snapshot::GuestSnapshot| {
        [
            guest.name.clone(),
            guest.list.as_str().into(),
            at(guest.list_since_ns),
            state::guest(guest.state).into(),
            mb(guest.working_set_pages),
            percent(guest.share_ppm as f64 / 1e4),
        ]
    };
    snapshot.guests.iter().take(CHIPS_MAX).map(row).collect()
}
