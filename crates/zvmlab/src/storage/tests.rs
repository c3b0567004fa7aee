//! Does storage management do what its documentation says? A small host, worked by hand.

use super::*;

/// A host of 256 MB with one guest of 512 MB, at `level`.
fn storage(level: &str, early_writes: bool) -> Storage {
    let text = format!(
        "level = \"{level}\"\n[storage]\ncentral_mb = 256\nearly_writes = {early_writes}\n[[guests]]\ncount = 1\nvirtual_mb = 512\nloop_mb = 512\n"
    );
    Storage::new(&Scenario::parse(&text).expect("the text is a valid scenario"), &Constants::default(), 1)
}

/// Touches pages from 0 on until no frame is left.
fn fill(storage: &mut Storage) -> u64 {
    let touched = storage.touch(0, 0, u64::MAX >> 1, u64::MAX, |_| u64::MAX);
    assert_eq!((touched.stop, storage.available()), (Stop::NoFrame, 0));
    storage.verify();
    touched.pages
}

/// Writes blocks to slots of volume 0, one after the other from `slot` on.
fn write_all(storage: &mut Storage, parts: &[Part], mut slot: u32) {
    for &part in parts {
        storage.begin_write(part, 0, slot, &mut Vec::new());
        slot += part.pages();
    }
    parts.iter().for_each(|&part| storage.end_write(part, &mut Vec::new()));
}

/// Fills storage, then replenishes and writes until the available list is full. Returns the blocks written.
fn replenished(level: &str) -> (Storage, Vec<Part>) {
    let mut storage = storage(level, true);
    fill(&mut storage);
    let (mut all, mut slot) = (Vec::new(), 0);
    for _ in 0..100 {
        let mut parts = Vec::new();
        storage.replenish(&mut parts);
        write_all(&mut storage, &parts, slot);
        slot += parts.iter().map(|part| part.pages()).sum::<u32>();
        all.extend(parts);
    }
    assert_eq!(storage.available() / 416, storage.counts.available_high / 416);
    storage.verify();
    storage.verify_pages();
    (storage, all)
}

#[test]
fn the_oldest_pages_are_taken_first_and_written_before_their_frames_are_had() {
    let mut storage = storage("6.4", true);
    fill(&mut storage);
    let mut parts = Vec::new();
    assert!(storage.replenish(&mut parts), "all pages are changed, so frames are held up by a write");
    assert_eq!(storage.available(), 0);
    let first: Vec<(u32, u64)> = parts.iter().take(3).map(|part| (part.word, part.mask)).collect();
    assert_eq!(first, [(0, 0xffff_ffff), (0, 0xffff_ffff << 32), (1, 0xffff_ffff)]);
    write_all(&mut storage, &parts, 0);
    storage.replenish(&mut Vec::new());
    // 2 % of so small a host are 1,271 frames, ten whole visits 1,280: less than is written ahead.
    assert_eq!(storage.available(), 1280, "all of the age list was written ahead and is available");
}

#[test]
fn without_early_writes_only_what_is_wanted_now_is_written() {
    let mut storage = storage("6.4", false);
    fill(&mut storage);
    let mut parts = Vec::new();
    assert!(storage.replenish(&mut parts));
    assert_eq!(parts.iter().map(|part| part.pages()).sum::<u32>(), 448, "416 frames, rounded up to a word");
}

#[test]
fn a_touch_of_the_age_list_costs_no_io() {
    let mut storage = storage("6.4", true);
    fill(&mut storage);
    storage.replenish(&mut Vec::new());
    let before = storage.snapshot();
    let touched = storage.touch(0, 0, 100, u64::MAX, |_| 0);
    assert_eq!((touched.revalidated, touched.stop), (100, Stop::Limit));
    let after = storage.snapshot();
    assert_eq!(before.age_list_frames - after.age_list_frames, 100);
    storage.verify_pages();
}

#[test]
fn blocks_are_whole_on_6_4_and_cut_by_visits_on_6_3() {
    let mean = |level| {
        let (_, parts) = replenished(level);
        f64::from(parts.iter().map(|part| part.pages()).sum::<u32>()) / parts.len() as f64
    };
    assert_eq!(mean("6.4"), 32.0);
    // A visit of 112 pages gives three blocks of 32 and one of 16.
    assert!((mean("6.3") - 28.0).abs() < 0.5, "{} pages a block", mean("6.3"));
}

#[test]
fn a_read_takes_in_blocks_in_contiguous_slots_on_6_4_only() {
    // All blocks went to one volume in the order of the pages, so each follows the one before.
    let (storage, _) = replenished("6.4");
    let read = storage.plan_read(0, 5).expect("page 5 is on DASD");
    assert_eq!(read.pages(), 64);
    assert_eq!(read.parts.iter().map(|part| part.word).collect::<Vec<_>>(), [0, 0]);
    let last_of_segment = storage.plan_read(0, 230).expect("page 230 is on DASD");
    assert_eq!(last_of_segment.pages(), 32, "the next block is in another segment");
    let (storage, _) = replenished("6.3");
    assert_eq!(storage.plan_read(0, 5).expect("page 5 is on DASD").pages(), 32);
    assert_eq!(storage.plan_read(0, 100_000), None, "never touched");
}

#[test]
fn a_read_keeps_its_slots_or_gives_them_back() {
    let (mut storage, _) = replenished("6.4");
    for (page, keep) in [(0, true), (64, false)] {
        let read = storage.plan_read(0, page).expect("the page is on DASD");
        storage.begin_read(&read);
        storage.verify();
        let mut freed = Vec::new();
        storage.end_read(&read, keep, &mut freed);
        assert_eq!(freed.iter().map(|slots| slots.pages).sum::<u32>(), if keep { 0 } else { 64 });
        storage.verify_pages();
    }
}

#[test]
fn a_block_gives_its_slots_back_when_none_of_its_copies_counts() {
    let (mut storage, parts) = replenished("6.4");
    let read = storage.plan_read(0, 0).expect("page 0 is on DASD");
    storage.begin_read(&read);
    storage.end_read(&read, true, &mut Vec::new());
    // The two blocks of word 0 are written again as one, half of it at first.
    let mut freed = Vec::new();
    let half = Part { mask: 0xffff, ..parts[0] };
    storage.begin_write(half, 1, 0, &mut freed);
    assert_eq!(freed, [], "half of the block still counts");
    storage.begin_write(Part { mask: 0xffff_0000, ..half }, 1, 16, &mut freed);
    assert_eq!(freed, [FreedSlots { volume: 0, slot: 0, pages: 32 }]);
}
