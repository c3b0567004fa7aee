//! Workloads: which pages a guest touches next.
//!
//! VIRSTOEX walks through a range of its virtual storage, touching every page, over and over (6.4 paging page, method).

use crate::scenario::{GuestGroup, PAGES_PER_MB};

/// The walk of one guest through its loop.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    first_page: u64,
    loop_pages: u64,
    position: u64,
    touched: u64,
}

impl Walk {
    /// The walk of a guest of `group`: the top `loop_mb` of its storage.
    pub fn new(group: &GuestGroup) -> Self {
        let loop_pages = group.loop_mb * PAGES_PER_MB;
        Walk { first_page: group.virtual_mb * PAGES_PER_MB - loop_pages, loop_pages, position: 0, touched: 0 }
    }

    /// The page that is touched next.
    pub fn page(&self) -> u64 {
        self.first_page + self.position
    }

    /// Pages from the next one to the end of the loop.
    pub fn to_end(&self) -> u64 {
        self.loop_pages - self.position
    }

    /// Pages from the start of the loop to the next one.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Pages touched since the start of the run.
    pub fn touched(&self) -> u64 {
        self.touched
    }

    /// Whether every page of the loop has been touched.
    pub fn went_round(&self) -> bool {
        self.touched >= self.loop_pages
    }

    /// Goes on by `pages` pages, at most to the end of the loop, where the walk starts again.
    pub fn advance(&mut self, pages: u64) {
        assert!(pages <= self.to_end(), "a walk does not pass the end of its loop in one step");
        self.touched += pages;
        self.position += pages;
        if self.position == self.loop_pages {
            self.position = 0;
        }
    }
}
