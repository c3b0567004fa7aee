//! Blocks of a member that gather to be written, and slots that blocks give up.

use crate::storage::{FreedSlots, Part};

/// Blocks that wait for the channel program of their volume to be full.
#[derive(Clone, Debug)]
pub(super) struct Writes {
    gathering: Vec<Vec<Part>>,
    /// Most pages of a channel program.
    pages_max: u32,
    /// Slots that blocks have given up and that page space is to get back.
    pub freed: Vec<FreedSlots>,
    /// A buffer for the blocks of demand scan, kept between uses so that a step seldom allocates.
    pub spare: Vec<Part>,
}

impl Writes {
    /// Nothing gathers yet for any of `volumes` volumes.
    pub fn new(volumes: u32, pages_max: u32) -> Self {
        Writes { gathering: vec![Vec::new(); volumes as usize], pages_max, freed: Vec::new(), spare: Vec::new() }
    }

    /// Whether a channel program of `volume` has no room for `pages` more pages.
    pub fn is_full(&self, volume: u16, pages: u32) -> bool {
        pages_of(&self.gathering[volume as usize]) + pages > self.pages_max
    }

    /// Adds a block to be written.
    pub fn add(&mut self, volume: u16, part: Part) {
        self.gathering[volume as usize].push(part);
    }

    /// What has gathered for `volume`.
    pub fn take(&mut self, volume: u16) -> Vec<Part> {
        std::mem::take(&mut self.gathering[volume as usize])
    }

    /// Takes out the blocks of `guest`, which need not be written any more.
    pub fn withdraw(&mut self, guest: u32) -> Vec<Part> {
        self.gathering.iter_mut().flat_map(|parts| parts.extract_if(.., |part| part.guest == guest)).collect()
    }
}

/// Pages of some blocks.
pub(super) fn pages_of(parts: &[Part]) -> u32 {
    parts.iter().map(|part| part.pages()).sum()
}
