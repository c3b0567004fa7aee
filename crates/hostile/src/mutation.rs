//! Inputs that are wrong: right ones, changed by chance.

use crate::dice::Dice;
use crate::inputs::{WORDS, right};
use crate::kind::Kind;

/// The longest input that is made, in bytes: more than the longest file that is read as a scenario.
const LONGEST: usize = (256 << 10) + 4096;

/// Input `number` of the trial `seed`: right, or changed in a few places, or long.
pub fn input(kind: Kind, seed: u64, number: u64) -> Vec<u8> {
    let mut dice = Dice::new(seed, kind.name(), number);
    let mut bytes = right(kind, &mut dice);
    if dice.once_in(8) {
        return bytes;
    }
    for _ in 0..1 + dice.below(4) {
        change(&mut bytes, kind, &mut dice);
    }
    // What costs more than it is long shows only where it is long.
    if dice.once_in(2000) {
        lengthen(&mut bytes, &mut dice);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, kind: Kind, dice: &mut Dice) {
    let at = dice.below(bytes.len() + 1);
    match dice.below(10) {
        0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
        1 if at < bytes.len() => bytes[at] = dice.below(256) as u8,
        2 => bytes.truncate(at),
        3 => drop(bytes.drain(at..(at + 1 + dice.below(20)).min(bytes.len()))),
        4 => {
            let piece = bytes[at..(at + 1 + dice.below(60)).min(bytes.len())].to_vec();
            let to = dice.below(bytes.len() + 1);
            bytes.splice(to..to, piece);
        }
        5 => {
            let other = right(kind, dice);
            let from = dice.below(other.len() + 1);
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from..]);
        }
        6 => twice(bytes, at),
        7 => number(bytes, at, dice),
        _ => drop(bytes.splice(at..at, dice.one_of(WORDS).bytes())),
    }
}

/// A line stands twice.
fn twice(bytes: &mut Vec<u8>, at: usize) {
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |found| found + 1);
    let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |found| at + found + 1);
    let line = bytes[start..end].to_vec();
    bytes.splice(end..end, line);
}

/// The next number becomes another one.
fn number(bytes: &mut Vec<u8>, at: usize, dice: &mut Dice) {
    let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|found| at + found) else { return };
    let end = bytes[start..].iter().position(|byte| !byte.is_ascii_digit()).map_or(bytes.len(), |found| start + found);
    let other = if dice.once_in(2) { dice.number(0, u64::MAX).to_string() } else { (*dice.one_of(WORDS)).to_string() };
    bytes.splice(start..end, other.into_bytes());
}

/// A piece stands again and again.
fn lengthen(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let piece = match dice.below(5) {
        0 => dice.one_of(WORDS).as_bytes().to_vec(),
        1 => b"[".to_vec(),
        2 => b"{\"a\":".to_vec(),
        _ => {
            let from = dice.below(bytes.len() + 1);
            bytes[from..(from + 1 + dice.below(400)).min(bytes.len())].to_vec()
        }
    };
    let at = dice.below(bytes.len() + 1);
    let times = dice.below(LONGEST.saturating_sub(bytes.len()) / piece.len().max(1) + 1);
    bytes.splice(at..at, piece.repeat(times));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_differ_and_come_again() {
        for kind in Kind::READ {
            let made: Vec<Vec<u8>> = (0..200).map(|number| input(kind, 1, number)).collect();
            assert_eq!(made[7], input(kind, 1, 7), "{}", kind.name());
            let different: std::collections::BTreeSet<&Vec<u8>> = made.iter().collect();
            assert!(different.len() > 120, "{}: {} differ", kind.name(), different.len());
        }
    }
}
