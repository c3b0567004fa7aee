//! What lies over the page, and which knobs are shown.

use crate::msg::{Only, Sheet};
use crate::panels::notices::Notice;

/// What lies over the page, and which knobs are shown.
#[derive(Default)]
pub(super) struct Screen {
    /// The open sheet of a phone's page.
    pub sheet: Option<Sheet>,
    /// The part of the machine whose knobs alone are shown.
    pub only: Option<Only>,
    /// The notices above the bench.
    pub notices: Vec<Notice>,
}

impl Screen {
    /// Removes a notice.
    pub fn dismiss(&mut self, index: usize) {
        if index < self.notices.len() {
            self.notices.remove(index);
        }
    }
}
