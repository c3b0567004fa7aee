//! Central storage, as a scenario describes it.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::{GuestGroup, Level, Mechanism, PAGES_PER_MB, Pattern, Scenario};
use crate::constants::Constants;

/// Central storage.
#[derive(Clone, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Storage {
    /// Central storage in MB.
    pub central_mb: u64,
    /// Expanded storage in MB, besides central storage; 0 if there is none.
    pub expanded_mb: u64,
    /// Of the frames for guests' pages, the part that CP takes from below 2 GB without need, in percent.
    pub below_percent: u32,
    /// Whether pages near the bottom of the age list are written ahead (on) or only when their frame is wanted (off).
    pub early_writes: bool,
    /// Whether CP takes a guest's page table lock exclusively while the guest releases pages.
    pub release_exclusive: bool,
    /// Requests of CP for contiguous frames, a second; 0: none.
    pub contiguous_rate: u32,
    /// Frames of such a request, 2 to 16.
    pub contiguous_frames: u32,
    /// Whether CP notices contiguous free frames as soon as they are free.
    pub coalescing: bool,
}

impl Default for Storage {
    fn default() -> Self {
        Storage {
            central_mb: 131_072, // 128 GB: 6.4 paging page, table 1.
            expanded_mb: 0,
            below_percent: 0, // Not published.
            early_writes: true,
            release_exclusive: false,
            contiguous_rate: 0,
            contiguous_frames: 2,
            coalescing: true,
        }
    }
}

impl Scenario {
    /// Of the frames below 2 GB, those that CP keeps for itself and those that guests can have; none where the level does not tell
    /// them from frames above, or where there are none above.
    pub fn frames_below(&self, constants: &Constants) -> Option<(u64, u64)> {
        let (installed, lower) = (self.installed_frames(), constants.frames_below);
        let io_below = self.has(Mechanism::IoBelow);
        if installed <= lower || !(io_below || self.level < Level::V6_2 || self.puts_below(constants) > 0) {
            return None;
        }
        let (above, mdc) = (installed - lower, self.mdc_frames());
        let cp = installed - self.guest_frames(constants) - mdc;
        // CP's own frames are below, from 5.2 on without its frame table. Chosen: CP leaves half of what is below to guests. By the rule
        // above, it would fill all of it on hosts beyond 64 GB.
        let table = if io_below { 0 } else { installed * constants.frame_table_bytes / 4096 };
        let cp_below = cp.saturating_sub(table).min(lower / 2).max(cp.saturating_sub(above));
        let mdc_above = mdc.min(above - (cp - cp_below));
        Some((cp_below, (lower - cp_below).saturating_sub(mdc - mdc_above)))
    }

    /// Of the frames for guests' pages, the part that CP takes from below 2 GB although others would do, in percent.
    pub fn puts_below(&self, constants: &Constants) -> u32 {
        self.puts_below_on(self.level, constants)
    }

    /// The same on `level`. From 6.2 on there is none where [its rule](Self::keeps_off_below) holds.
    pub(super) fn puts_below_on(&self, level: Level, constants: &Constants) -> u32 {
        let all_below = self.installed_frames() <= constants.frames_below;
        if all_below || level >= Level::V6_2 && self.keeps_off_below(constants) { 0 } else { self.storage.below_percent }
    }

    /// Whether a host keeps off frames below 2 GB by the rule of 6.2: statically, because it is large, or dynamically, because usable frames
    /// above are more than so many times those below (6.2 update, "Needle-in-Haystack Searches"). All frames count as usable (assumed).
    pub fn keeps_off_below(&self, constants: &Constants) -> bool {
        let installed = self.installed_frames();
        let above = installed.saturating_sub(constants.frames_below);
        installed >= constants.above_only_frames || above > constants.above_only_ratio * constants.frames_below
    }

    /// Whether guests ask CP for work on pages that have to be below 2 GB: I/O, or a service.
    pub fn works_below(&self) -> bool {
        let asks = |group: &GuestGroup| group.io_records > 0 || group.service_us > 0;
        self.has(Mechanism::IoBelow) && self.guests.iter().any(asks)
    }

    /// Pages that CP works on beyond the frames below 2 GB that guests can have, where such pages have to be below.
    pub fn lacks_below(&self, constants: &Constants) -> u64 {
        let Some((_, below)) = self.frames_below(constants).filter(|_| self.works_below()) else { return 0 };
        let worked_on: u64 = self.guests.iter().map(|group| u64::from(group.count) * group.pages_for_cp()).sum();
        worked_on.saturating_sub(below)
    }
}

impl GuestGroup {
    /// Pages of a guest that CP works on at one time or another, at most: all that it touches if it does I/O, and for a service the page
    /// that its program touched last: with whole files the last of each, and with pages in order the last of each cycle.
    fn pages_for_cp(&self) -> u64 {
        let touched = self.loop_mb * PAGES_PER_MB;
        let (cycle, _) = self.cycle();
        match (self.io_records > 0, self.service_us > 0, self.pattern) {
            (true, ..) => touched,
            (false, true, Pattern::Files) => touched.div_ceil(cycle.max(1)),
            (false, true, Pattern::Sequential) => {
                let round = if self.active_mb > 0 { self.active_mb.min(self.loop_mb) * PAGES_PER_MB } else { touched };
                let of_cpu = round / u64::from(self.virtual_cpus);
                round / common_divisor(of_cpu, cycle).max(1)
            }
            (false, true, _) => touched,
            (false, false, _) => 0,
        }
    }
}

/// The greatest common divisor.
fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
