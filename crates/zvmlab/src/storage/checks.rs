//! What must hold of frames and pages between any two events.

use super::Storage;
use super::pages::Pages;

impl Storage {
    /// Checks that every frame is in exactly one place.
    pub fn verify(&self) {
        let counts = &self.counts;
        let used =
            counts.cp_frames + counts.mdc_frames + counts.reading_frames + counts.age_list_frames + counts.valid_frames;
        assert_eq!(used + counts.available_frames, counts.installed_frames, "free and used frames are the installed ones");
        let sum = |field: fn(&Pages) -> u64| self.guests.iter().map(field).sum::<u64>();
        assert_eq!(sum(|pages| pages.valid_count), counts.valid_frames, "frames of valid pages");
        assert_eq!(sum(|pages| pages.invalid_count), counts.age_list_frames, "frames of the age list");
        assert_eq!(sum(|pages| pages.reading_count), counts.reading_frames, "frames of pages being read");
        if let Some(contiguous) = &self.contiguous {
            contiguous.verify(counts.available_frames);
        }
        assert!(self.sides.available_below <= counts.available_frames, "available frames below 2 GB are some of all");
    }

    /// Checks every page. Returns how many slots the blocks hold.
    pub fn verify_pages(&self) -> u64 {
        self.guests.iter().for_each(Pages::verify);
        self.verify_sides();
        if let Some(contiguous) = &self.contiguous {
            contiguous.verify_frames();
        }
        self.expanded.verify(self.guests.iter().map(|pages| pages.expanded_count).sum());
        assert!(self.age_list.iter().all(|part| self.is_here(part.guest)), "pages of the age list are those of guests here");
        let written: u64 = self.age_list.iter().take(self.written_entries).map(|part| u64::from(part.pages())).sum();
        assert_eq!(written, self.written_pages, "pages at the bottom of the age list that are written or on their way");
        self.blocks.verify(self.guests.iter().flat_map(|pages| &pages.words).map(|word| word.blocks));
        let mut slots = 0;
        for word in self.guests.iter().flat_map(|pages| &pages.words) {
            let held = self.blocks.of(word.blocks).iter().fold(0, |held, block| held | block.mask());
            assert_eq!(word.assigned & !held, 0, "a page with a copy is in a block");
            slots += self.blocks.of(word.blocks).iter().map(|block| u64::from(block.mask().count_ones())).sum::<u64>();
        }
        slots
    }
}
