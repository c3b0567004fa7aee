//! Page space: the slots of the paging volumes, and which volume the next block written goes to.

mod slots;

use crate::constants::Constants;
use crate::kernel::rng::Generator;
use crate::scenario::Scenario;
use slots::Slots;

/// The page space of the host. Its volumes are the first ones of the devices, with the same numbers.
#[derive(Clone, Debug)]
pub(crate) struct Paging {
    volumes: Vec<Slots>,
    /// Runs of free slots that an allocation looks at.
    slot_runs: u32,
    /// Free slots that CP needs to page at all.
    reserve: u64,
    volume_choice: Generator,
}

impl Paging {
    pub fn new(scenario: &Scenario, constants: &Constants, seed: u64) -> Self {
        let paging = &scenario.paging;
        let sizes = (0..paging.volumes).map(|_| paging.volume_slots);
        let others = (0..paging.other_volumes).map(|_| paging.other_slots);
        Paging {
            volumes: sizes.chain(others).map(Slots::new).collect(),
            slot_runs: constants.slot_runs,
            reserve: constants.page_space_reserve(scenario.guest_frames(constants)),
            volume_choice: Generator::new(seed, "paging volume"),
        }
    }

    /// How many volumes there are.
    pub fn volume_count(&self) -> u16 {
        self.volumes.len() as u16
    }

    /// Picks the volume for the next block written: any with `pages` free slots, all equally likely. If none has that many,
    /// the one with the most.
    pub fn choose_volume(&mut self, pages: u32) -> u16 {
        let count = self.volumes.len() as u64;
        let first = self.volume_choice.below(count);
        let fits = (0..count)
            .map(|step| (first + step) % count)
            .find(|&volume| self.volumes[volume as usize].free() >= pages.into());
        let roomiest = || (0..count).max_by_key(|&volume| self.volumes[volume as usize].free()).unwrap_or(0);
        fits.unwrap_or_else(roomiest) as u16
    }

    /// Takes up to `pages` contiguous slots of `volume`. Returns the first and how many; `None` if the volume is full.
    pub fn allocate(&mut self, volume: u16, pages: u32) -> Option<(u32, u32)> {
        self.volumes[volume as usize].allocate(pages, self.slot_runs)
    }

    /// Gives `pages` slots of `volume` back, from `slot` on.
    pub fn release(&mut self, volume: u16, slot: u32, pages: u32) {
        self.volumes[volume as usize].release(slot, pages);
    }

    /// Free slots beyond those that CP needs to page at all. Once there are none, a page gives its slot back when it is
    /// read.
    pub fn spare(&self) -> u64 {
        self.free().saturating_sub(self.reserve)
    }

    /// Slots that hold no page, on all volumes.
    fn free(&self) -> u64 {
        self.volumes.iter().map(Slots::free).sum()
    }

    /// Slots that hold a page, on all volumes.
    pub fn used(&self) -> u64 {
        self.volumes.iter().map(Slots::used).sum()
    }

    /// Slots and slots in use of each volume.
    pub fn slots(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.volumes.iter().map(|volume| (volume.count(), volume.used()))
    }

    /// Checks the maps of slots. That takes a look at each of them.
    pub fn verify_slots(&self) {
        self.volumes.iter().for_each(Slots::verify);
    }
}
