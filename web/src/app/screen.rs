//! What lies over the page, and which knobs are shown.

use crate::msg::{Only, Sheet};
use crate::page;
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
    /// Removes a notice. Its button, which has the focus, goes with it.
    pub fn dismiss(&mut self, index: usize) {
        if index < self.notices.len() {
            self.notices.remove(index);
            page::focus_again(page::BENCH.into());
        }
    }
}
