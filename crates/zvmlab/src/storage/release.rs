//! Pages that a guest gives back to CP: their frames are available at once, and their next touch is a first touch.

use super::bits::low_bits;
use super::{Part, Storage};

impl Storage {
    /// `guest` releases those of a range of pages that were ever touched. Slots that they had go to [`freed`](Self::freed). A page
    /// that is being written, and one of which `being_read` says so, is left as it is. Returns how many were released.
    pub fn release_pages(&mut self, guest: u32, from: u64, pages: u64, being_read: impl Fn(&Part) -> u64) -> u64 {
        let to = from + pages;
        let mut released = 0;
        for word in from / 64..to.div_ceil(64) {
            let (first, last) = (from.max(word * 64) - word * 64, to.min(word * 64 + 64) - word * 64);
            let part = Part { guest, word: word as u32, mask: low_bits(last) & !low_bits(first) };
            released += self.release_part(part, &being_read);
        }
        self.note_frames();
        released
    }

    fn release_part(&mut self, part: Part, being_read: &impl Fn(&Part) -> u64) -> u64 {
        let pages = &mut self.guests[part.guest as usize];
        let mut gone = part.mask & pages.touched_in(part.word) & !pages.words[part.word as usize].writing;
        if pages.reading_count > 0 {
            gone &= !being_read(&Part { mask: gone, ..part });
        }
        if gone == 0 {
            return 0;
        }
        let below = pages.displace(part.word, gone);
        let expanded = pages.expanded_in(part.word) & gone;
        pages.take_expanded(part.word, expanded);
        pages.stir(part.word, gone);
        let state = &mut pages.words[part.word as usize];
        let [valid, invalid] = [state.valid & gone, state.invalid & gone].map(|mask| u64::from(mask.count_ones()));
        let count = u64::from(gone.count_ones());
        for bits in [&mut state.valid, &mut state.invalid, &mut state.referenced, &mut state.changed, &mut state.assigned] {
            *bits &= !gone;
        }
        self.blocks.prune(&mut state.blocks, state.assigned, &mut self.freed);
        pages.valid_count -= valid;
        pages.invalid_count -= invalid;
        pages.untouched_count += count;
        self.sides.give_back(below);
        self.expanded.give_back(expanded.count_ones());
        self.counts.valid_frames -= valid;
        self.counts.age_list_frames -= invalid;
        self.counts.available_frames += valid + invalid;
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::Constants;
    use crate::scenario::Scenario;

    /// A host of 256 MB with one guest of 512 MB, with `expanded_mb` of expanded storage.
    fn host(expanded_mb: u64) -> Storage {
        let text = format!(
            "level = \"6.1\"\n[paging]\nalias = false\n[storage]\ncentral_mb = 256\nexpanded_mb = {expanded_mb}\n\
             [[guests]]\ncount = 1\nvirtual_mb = 512\nloop_mb = 512\n"
        );
        Storage::new(&Scenario::parse(&text).expect("valid"), &Constants::default(), 1)
    }

    /// Fills storage and replenishes it; blocks are written to slots of volume 0, all but the last of them to the end. Pages of others may
    /// be about to be written, too.
    fn pressed(storage: &mut Storage) {
        storage.touch(0, 0, u64::MAX >> 1, u64::MAX, |_| u64::MAX);
        let mut parts = Vec::new();
        storage.replenish(&mut parts);
        let mut slot = 0;
        for &part in &parts {
            storage.begin_write(part, 0, slot, &mut Vec::new());
            slot += part.pages();
        }
        parts.pop();
        parts.iter().for_each(|&part| storage.end_write(part, &mut Vec::new()));
        storage.replenish(&mut Vec::new());
    }

    fn being_written(storage: &Storage) -> u64 {
        storage.guests[0].words.iter().map(|word| u64::from(word.writing.count_ones())).sum()
    }

    #[test]
    fn released_pages_give_back_frames_slots_and_expanded_storage() {
        for expanded_mb in [0, 2] {
            let mut storage = host(expanded_mb);
            pressed(&mut storage);
            let writing = being_written(&storage);
            assert!(writing > 0);
            let [valid, age_list, reading, dasd] = storage.places(0);
            let expanded = storage.expanded_pages(0);
            assert!(valid > 0 && age_list > 0 && dasd + expanded > 0 && (expanded_mb == 0) == (expanded == 0));
            let available = storage.available();
            let released = storage.release_pages(0, 0, 512 * 256, |_| 0);
            assert_eq!(released, valid + age_list + reading + dasd + expanded - writing, "{expanded_mb} MB expanded");
            assert_eq!(storage.available(), available + valid + age_list - writing);
            let slots: u64 = storage.freed.iter().map(|slots| u64::from(slots.pages)).sum();
            assert!(slots >= dasd, "pages on the age list have slots too, where they were written: {slots} of {dasd}");
            assert_eq!((storage.places(0), storage.expanded_pages(0)), ([0, writing, 0, 0], 0));
            storage.verify();
            storage.verify_pages();
            // What was released is touched for the first time again.
            assert_eq!(storage.touch(0, 0, 64, u64::MAX, |_| 0).first, 64);
            storage.verify();
        }
    }

    #[test]
    fn a_page_that_is_being_read_stays() {
        let mut storage = host(0);
        pressed(&mut storage);
        let read = storage.plan_read(0, 0).expect("the first page is on DASD");
        storage.begin_read(&read);
        let part = read.parts[0];
        let of_read = |other: &Part| if other.word == part.word { other.mask & part.mask } else { 0 };
        storage.release_pages(0, 0, 512 * 256, of_read);
        assert_eq!(storage.places(0)[2], u64::from(part.pages()));
        storage.verify();
        storage.end_read(&read, true, &mut Vec::new());
        storage.verify();
        assert_eq!(storage.places(0)[0], u64::from(part.pages()), "the read ends as any other");
    }
}
