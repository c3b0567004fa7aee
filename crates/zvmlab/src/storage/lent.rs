//! Frames that the minidisk cache borrows and gives back, where CP's arbiter sets its size.

use super::Storage;

impl Storage {
    /// Lends frames of the available list to the minidisk cache. `false`, and none, where the list is low: then guests come first.
    pub fn lend(&mut self, frames: u64) -> bool {
        let available = self.counts.available_frames;
        if available < self.counts.available_low.max(frames) {
            return false;
        }
        self.sides.lend(available, frames);
        self.counts.available_frames -= frames;
        self.counts.mdc_frames += frames;
        self.note_frames();
        true
    }

    /// The minidisk cache keeps only `lent` of the frames that it was lent. Returns whether it gave any back.
    pub fn take_back_all_but(&mut self, lent: u64) -> bool {
        let frames = self.counts.mdc_frames - lent;
        self.sides.take_back(frames);
        self.counts.available_frames += frames;
        self.counts.mdc_frames = lent;
        self.note_frames();
        frames > 0
    }

    /// Frames that the minidisk cache was lent.
    pub fn lent(&self) -> u64 {
        self.counts.mdc_frames
    }

    /// Frames of guests' pages that demand scan may take: all but those that are reserved, where it heeds that.
    pub fn takeable(&self) -> u64 {
        let resident = self.counts.valid_frames + self.counts.age_list_frames + self.counts.reading_frames;
        let kept =
            self.guests.iter().zip(&self.reserved).map(|(pages, &reserved)| pages.valid_count.min(reserved)).sum::<u64>();
        if self.passes.are_made { resident } else { resident - kept }
    }

    /// Frames that were taken from guests so far.
    pub fn taken(&self) -> u64 {
        self.counts.frames_reclaimed
    }
}
