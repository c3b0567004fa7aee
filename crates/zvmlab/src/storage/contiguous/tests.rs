//! Do free frames by number go where the words at the top of the file above say?

use super::*;

/// Pages take and give back frames so that `low` to `high` of them stay available, for `rounds` rounds; CP's lists are checked at
/// the end.
fn churned(contiguous: &mut Contiguous, low: u64, high: u64, rounds: u32) {
    for _ in 0..rounds {
        contiguous.follow(low);
        contiguous.follow(high);
    }
    contiguous.verify(high);
    contiguous.verify_frames();
}

fn of(frames: u64, size: u32, at_once: bool) -> Contiguous {
    Contiguous::new(frames, size, at_once, 1)
}

/// Of n frames f are free, each as likely as any other: of n / 2 pairs f (f - 1) / 2 (n - 1) are whole on average.
#[test]
fn the_old_way_finds_the_pairs_that_chance_makes() {
    let (frames, free) = (40_000, 400);
    let mut host = of(frames, 2, false);
    host.follow(free);
    let (mut found, rounds) = (0, 3_000);
    for _ in 0..rounds {
        churned(&mut host, 0, free, 1);
        let whole = |&frame: &u32| frame % 2 == 0 && host.is_whole(frame / 2);
        found += host.singles.iter().filter(|frame| whole(frame)).count();
    }
    let expected = (free * (free - 1)) as f64 / (2.0 * (frames - 1) as f64);
    let mean = found as f64 / f64::from(rounds);
    // The error of a mean of 3,000 counts of about two is 0.026.
    assert!((mean - expected).abs() < 0.1, "{mean} pairs, {expected} expected");
}

#[test]
fn the_new_way_keeps_the_pairs_that_chance_makes() {
    let of_way = |at_once| {
        let mut host = of(40_000, 2, at_once);
        churned(&mut host, 300, 400, 3_000);
        host.snapshot()
    };
    let (old, new) = (of_way(false), of_way(true));
    assert!(old.blocks < 20 && old.looked_at == 0, "those that chance makes, and CP has not looked: {old:?}");
    assert!(new.blocks > 100 && new.blocks * 2 + new.singles == 400, "{new:?}");
}

#[test]
fn a_block_is_given_back_whole_and_old_and_new_way_both_find_it_again() {
    for at_once in [false, true] {
        let mut host = of(1_024, 4, at_once);
        host.follow(0);
        assert_eq!(host.request(true), None, "all frames are in use");
        host.follow(100);
        host.follow(0);
        assert_eq!((host.counts.requests, host.counts.failed), (1, 1));
        let mut host = of(1_024, 4, at_once);
        host.follow(16);
        let blocks: Vec<u32> = std::iter::from_fn(|| host.request(true)).collect();
        assert_eq!(blocks.len(), 4, "frames that were never used are blocks");
        host.verify(0);
        host.end(blocks[2]);
        host.verify_frames();
        assert_eq!((host.request(true), host.request(true)), (Some(blocks[2]), None));
        // The old way finds it among the single frames.
        assert_eq!(host.looked_at() > 0, !at_once);
    }
}

#[test]
fn blocks_that_lie_askew_in_what_was_never_used_are_passed_over() {
    let mut host = of(64, 8, true);
    host.follow(64 - 3);
    assert_eq!(host.request(true), Some(1), "five frames of the first block are left as single ones");
    assert_eq!(host.snapshot().singles, 5);
    host.verify(64 - 3 - 8);
    host.verify_frames();
    assert_eq!(host.snapshot().longest_run, 48);
}

/// Any order of frames taken, given back, and blocks asked for and ended leaves each frame in one place.
#[test]
fn every_frame_is_in_one_place_whatever_happens() {
    let mut draw = Generator::new(9, "what happens");
    for (size, at_once) in [2, 3, 8, 16].into_iter().flat_map(|size| [(size, false), (size, true)]) {
        let (mut host, mut held, mut available) = (of(3_000, size, at_once), Vec::new(), 3_000);
        for step in 0..4_000 {
            match draw.below(4) {
                0 if available >= u64::from(size) => {
                    if let Some(block) = host.request(true) {
                        held.push(block);
                        available -= u64::from(size);
                    }
                }
                1 if !held.is_empty() => {
                    host.end(held.swap_remove(draw.below(held.len() as u64) as usize));
                    available += u64::from(size);
                }
                _ => {
                    let most = 3_000 - held.len() as u64 * u64::from(size);
                    available = draw.below(most.min(if step % 50 == 0 { 3_000 } else { 200 }) + 1);
                    host.follow(available);
                }
            }
            host.verify(available);
            if step % 100 == 0 {
                host.verify_frames();
                assert!(host.longest_run() <= available);
            }
        }
    }
}

/// Little of a large storage is in use: a frame to give back is found all the same.
#[test]
fn a_frame_in_use_is_found_in_storage_that_is_nearly_free() {
    for at_once in [false, true] {
        let mut host = of(1 << 20, 2, at_once);
        // The old way goes through all of it.
        for _ in 0..9 {
            host.follow((1 << 20) - 130_000);
            host.follow((1 << 20) - 1);
        }
        churned(&mut host, (1 << 20) - 400, (1 << 20) - 1, 200);
    }
}

/// Whether many of the frames that were ever used are in use or few, each frame is as likely as any other to be given back.
#[test]
fn any_frame_in_use_may_be_given_back() {
    let (frames, rounds) = (64, 20_000);
    for given_back in [8, 32, 56] {
        let mut host = of(frames, 1, false);
        let mut seen = vec![0_u32; frames as usize];
        for _ in 0..rounds {
            host.follow(0);
            host.follow(given_back);
            (0..frames as u32).filter(|&frame| host.by_number.is_free(frame)).for_each(|frame| seen[frame as usize] += 1);
        }
        let expected = f64::from(rounds) * given_back as f64 / frames as f64;
        // The error of a count is at most the square root of a quarter of 20,000, which is 71; this is more than four times as much.
        let furthest = seen.iter().map(|&count| (f64::from(count) - expected).abs()).fold(0.0, f64::max);
        assert!(furthest < 300.0, "{given_back} given back: {furthest} from {expected}");
    }
}
