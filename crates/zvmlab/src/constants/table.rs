//! The table of the constants: what each is, in which unit, and where its value comes from.

use super::Constants;
use crate::kernel::tables::{joined, total};

/// One constant in words, and how to reach it.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// Its name in the code.
    pub id: &'static str,
    /// What it is, in a sentence.
    pub meaning: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Where its value comes from.
    pub source: &'static str,
    /// Reads it.
    pub get: fn(&Constants) -> f64,
    /// Sets it. A constant that counts things is rounded to a whole number.
    pub set: fn(&mut Constants, f64),
}

/// The path as people write it.
macro_rules! concat_path {
    ($first:ident) => {
        stringify!($first)
    };
    ($first:ident . $second:ident) => {
        concat!(stringify!($first), ".", stringify!($second))
    };
}

/// An entry for a constant that may be any number: path in [`Constants`], unit, meaning, source.
macro_rules! number {
    ($($path:ident).+, $unit:literal, $meaning:literal, $source:literal) => {
        Constant {
            id: concat_path!($($path).+),
            meaning: $meaning,
            unit: $unit,
            source: $source,
            get: |c| c.$($path).+,
            set: |c, v| c.$($path).+ = v,
        }
    };
}

/// The same for a constant that counts things.
macro_rules! whole {
    ($($path:ident).+, $kind:ty, $unit:literal, $meaning:literal, $source:literal) => {
        Constant {
            id: concat_path!($($path).+),
            meaning: $meaning,
            unit: $unit,
            source: $source,
            get: |c| c.$($path).+ as f64,
            set: |c, v| c.$($path).+ = v.round() as $kind,
        }
    };
}

mod cluster;
mod devices;
mod scheduling;
mod storage;
mod times;

pub use cluster::CLUSTER;

/// The constants of one host, room by room.
pub const HOST: &[Constant] = &joined::<_, { total(ROOMS) }>(ROOMS);

const ROOMS: &[&[Constant]] = &[storage::STORAGE, scheduling::SCHEDULING, times::TIMES, devices::DEVICES];

/// Every constant that has a number.
pub static TABLE: &[Constant] = &joined::<_, { total(&[HOST, CLUSTER]) }>(&[HOST, CLUSTER]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_of_the_table_reaches_a_constant_of_its_own() {
        let plain = Constants::default();
        for (index, constant) in TABLE.iter().enumerate() {
            let mut moved = plain.clone();
            (constant.set)(&mut moved, (constant.get)(&plain) + 1.0);
            let changed = TABLE.iter().enumerate().filter(|(_, other)| (other.get)(&moved) != (other.get)(&plain));
            assert_eq!(changed.map(|(other, _)| other).collect::<Vec<_>>(), [index], "{}", constant.id);
        }
    }
}
