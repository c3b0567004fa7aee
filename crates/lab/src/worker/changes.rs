//! What changed from one message to the next: bytes to send, from which the other end makes the whole message again.
//!
//! The changes are a list of pairs: bytes that are new, and a stretch of the old message that follows them. The last pair may
//! lack its stretch. Nothing here knows what the bytes mean, so a snapshot that grows needs no change here.

/// From so many bytes on, what agrees at the expected place is not sent again. Chosen: a stretch costs four bytes, and half of a
/// number is not worth it.
const NEAR_MIN: usize = 8;
/// The same for other places. Chosen: zeros and small numbers agree anywhere.
const FAR_MIN: usize = 16;
/// From one noted place of the old message to the next. Chosen: guests, I/Os and messages have fifty bytes and more.
const STRIDE: usize = 8;
/// Places that are noted, as a power of two: of the last 32 KB at least, where no two fall together.
const SLOTS_LOG2: u32 = 12;

/// What changed from `old` to `new`. Where `old` is empty, this is all of `new`.
pub fn between(old: &[u8], new: &[u8]) -> Vec<u8> {
    let places = Places::of(old);
    let mut changes = Vec::new();
    // Up to `told`, the changes say what `new` is. The next bytes are expected where the last stretch ended.
    let (mut told, mut at, mut expected) = (0, 0, 0);
    while let Some(rest) = new.get(at..).filter(|rest| !rest.is_empty()) {
        let near = alike(old, expected, rest);
        let stretch = if near >= NEAR_MIN { Some((expected, near)) } else { places.find(old, rest) };
        let Some((place, length)) = stretch else {
            (at, expected) = (at + 1, expected + 1);
            continue;
        };
        write_fresh(&mut changes, &new[told..at]);
        write_number(&mut changes, place);
        write_number(&mut changes, length);
        (at, expected) = (at + length, place + length);
        told = at;
    }
    if told < new.len() {
        write_fresh(&mut changes, &new[told..]);
    }
    changes
}

/// The new message, made of the old one and of what changed; none if these are not changes of that message.
pub fn applied(old: &[u8], mut changes: &[u8]) -> Option<Vec<u8>> {
    let mut new = Vec::with_capacity(old.len() + changes.len());
    while !changes.is_empty() {
        let fresh = read_number(&mut changes)?;
        new.extend_from_slice(changes.split_off(..fresh)?);
        if !changes.is_empty() {
            let (place, length) = (read_number(&mut changes)?, read_number(&mut changes)?);
            new.extend_from_slice(old.get(place..)?.get(..length)?);
        }
    }
    Some(new)
}

/// How many bytes of `old` from `place` on are those with which `rest` begins.
fn alike(old: &[u8], place: usize, rest: &[u8]) -> usize {
    old.get(place..).unwrap_or_default().iter().zip(rest).take_while(|(old, new)| old == new).count()
}

/// Where in the old message eight bytes stand. Of bytes that stand in several places, or share a slot, the last place is known.
struct Places(Vec<u32>);

impl Places {
    fn of(old: &[u8]) -> Places {
        let mut places = vec![0; 1 << SLOTS_LOG2];
        for place in (0..old.len()).step_by(STRIDE) {
            if let Some(slot) = slot(&old[place..]) {
                places[slot] = place as u32;
            }
        }
        Places(places)
    }

    /// A stretch of `old` with which `rest` begins: its place and its length.
    fn find(&self, old: &[u8], rest: &[u8]) -> Option<(usize, usize)> {
        let place = self.0[slot(rest)?] as usize;
        let length = alike(old, place, rest);
        (length >= FAR_MIN).then_some((place, length))
    }
}

/// The slot of the eight bytes at the beginning: the upper bits of their product with the golden ratio.
fn slot(bytes: &[u8]) -> Option<usize> {
    let word = u64::from_le_bytes(*bytes.first_chunk()?);
    Some((word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - SLOTS_LOG2)) as usize)
}

fn write_fresh(changes: &mut Vec<u8>, fresh: &[u8]) {
    write_number(changes, fresh.len());
    changes.extend_from_slice(fresh);
}

/// Seven bits to a byte, the lowest first; all but the last have the upper bit set.
fn write_number(changes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        changes.push(number as u8 | 0x80);
        number >>= 7;
    }
    changes.push(number as u8);
}

fn read_number(changes: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for shift in (0..u32::BITS).step_by(7) {
        let byte = *changes.split_off_first()?;
        number |= u32::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number as usize);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use zvmlab::kernel::time::Span;
    use zvmlab::scenario::examples::EXAMPLES;
    use zvmlab::{Scenario, Simulation, Snapshot};

    use super::*;
    use crate::worker::wire::{read, written};

    /// Snapshots of stepped runs, each as bytes: of a host that pages, one of many guests, one with PR/SM and two clusters.
    static SNAPSHOTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        let example = |id| EXAMPLES.iter().find(|example| example.id == id).expect("an example");
        let examples =
            ["STORBUF", "PRSM", "MOVE", "TWENTY-FIVE"].map(|id| Scenario::parse(example(id).text).expect("valid"));
        let hosts = [crate::studies::study::tests::hybrid()].into_iter().chain(examples);
        hosts.flat_map(|host| stepped(&host)).collect()
    });

    /// Some single steps of a run, then pieces of a millisecond, then of a second.
    fn stepped(host: &Scenario) -> Vec<Vec<u8>> {
        let mut simulation = Simulation::new(host, 1).expect("valid");
        let goes_on = (0..60).map(|number| {
            match number / 20 {
                0 => _ = simulation.step(),
                1 => simulation.run_until(simulation.now() + Span::from_millis(1)),
                _ => simulation.run_until(simulation.now() + Span::from_secs(1)),
            }
            written(&simulation.snapshot())
        });
        goes_on.collect()
    }

    #[test]
    fn a_small_part_of_a_snapshot_changes() {
        let pairs = SNAPSHOTS.chunks(60).flat_map(|of_host| of_host.windows(2));
        let lengths = pairs.map(|pair| [between(&pair[0], &pair[1]).len(), pair[1].len()]);
        let [changes, whole] = lengths.fold([0, 0], |sum, [changes, whole]| [sum[0] + changes, sum[1] + whole]);
        assert!(changes * 4 < whole, "{changes} of {whole} bytes");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        #[test]
        fn any_snapshot_follows_from_any_other(from in 0..300usize, to in 0..300usize) {
            let (from, to) = (&SNAPSHOTS[from], &SNAPSHOTS[to]);
            let made = applied(from, &between(from, to)).expect("they are its changes");
            prop_assert!(made == *to);
            let snapshot: Snapshot = read(&made).expect("a snapshot");
            prop_assert!(written(&snapshot) == *to);
        }

        #[test]
        fn any_bytes_follow_from_any_others(old in vec(0..4u8, 0..600), new in vec(0..4u8, 0..600), cuts in vec(0..600usize, 4)) {
            prop_assert_eq!(applied(&old, &between(&old, &new)), Some(new.clone()));
            // Some of the one, among parts of the other.
            let [a, b, c, d] = [0, 1, 2, 3].map(|cut| cuts[cut].min(old.len()).min(new.len()));
            let mixed = [&old[..a], &new[b.min(c)..b.max(c)], &old[d..]].concat();
            prop_assert_eq!(applied(&old, &between(&old, &mixed)), Some(mixed));
        }

        #[test]
        fn what_are_no_changes_do_no_harm(old in vec(any::<u8>(), 0..100), changes in vec(any::<u8>(), 0..100)) {
            let made = applied(&old, &changes);
            prop_assert!(made.is_none_or(|made| made.len() <= old.len() * changes.len() + changes.len()));
        }
    }

    #[test]
    fn changes_are_short_and_of_one_message_only() {
        let old: Vec<u8> = (0..4_000u32).flat_map(u32::to_le_bytes).collect();
        let mut new = old.clone();
        new[8_000] ^= 1;
        let inserted = [&old[..4_000], &[7; 50], &old[4_000..]].concat();
        for (new, most) in [(&old, 5), (&new, 20), (&inserted, 80)] {
            let changes = between(&old, new);
            assert!(changes.len() <= most, "{} bytes", changes.len());
            assert_eq!(applied(&old, &changes).as_ref(), Some(new));
            assert_eq!(applied(&[], &changes), None, "the old message is lost");
        }
        assert_eq!((between(&old, &[]).len(), between(&[], &old).len()), (0, old.len() + 2));
    }
}
