//! Numbers as a person writes them: with a unit, `256 GB` or `256G`, and with commas between thousands, `262,144 MB`.
//!
//! The page, the command line and the text of a scenario read numbers here and nowhere else. A number without a unit is in the
//! unit of its field. Nothing is rounded: `1.5 MB` is no whole number of MB, so it is not read.

use super::fields::{Field, Kind};

/// Units of one kind: each with its names, the one that is shown first, and how many of the smallest it is.
type Units = &'static [(&'static [&'static str], u64)];

/// Storage, in units of 1,024 as CP counts it.
const STORAGE: Units = &[
    (&["KB", "K", "KiB"], 1),
    (&["MB", "M", "MiB"], 1 << 10),
    (&["GB", "G", "GiB"], 1 << 20),
    (&["TB", "T", "TiB"], 1 << 30),
];

/// Storage in a second.
const RATE: Units =
    &[(&["KB/s", "K/s", "KiB/s"], 1), (&["MB/s", "M/s", "MiB/s"], 1 << 10), (&["GB/s", "G/s", "GiB/s"], 1 << 20)];

const TIME: Units = &[
    (&["ns"], 1),
    (&["µs", "us", "μs"], 1_000),
    (&["ms"], 1_000_000),
    (&["s", "sec"], 1_000_000_000),
    (&["min"], 60_000_000_000),
    (&["h"], 3_600_000_000_000),
];

/// The units in which a number of a field in `unit` may be written; none if there is only that one.
fn family(unit: &str) -> Option<Units> {
    [STORAGE, RATE, TIME].into_iter().find(|units| units.iter().any(|(names, _)| names[0] == unit))
}

/// The names of those units, as they are shown; empty if there is only the field's own.
pub fn names(unit: &str) -> Vec<&'static str> {
    family(unit).unwrap_or_default().iter().map(|(names, _)| names[0]).collect()
}

/// Whether the text is a number with a unit, for a field in `unit` that knows several.
pub fn has_unit(text: &str, unit: &str) -> bool {
    family(unit).is_some() && split(text).is_some_and(|(_, unit)| !unit.is_empty())
}

/// Whether the text is a number without a unit.
pub fn is_bare(text: &str) -> bool {
    split(text).is_some_and(|(_, unit)| unit.is_empty())
}

/// The amount that the text says, in `unit`; a number alone is in it already. None if it is no number, or has a unit of another kind.
pub fn in_unit(text: &str, unit: &str) -> Option<f64> {
    let (digits, given) = split(text)?;
    let (given, own) = scales(given, unit)?;
    Some(digits.parse::<f64>().ok()? * given as f64 / own as f64)
}

impl Field {
    /// The number in `text`, in the field's unit, or in tenths of it where the field has a decimal. None if it is no number, has another
    /// unit, or is not in the field's range.
    pub fn number(&self, text: &str) -> Option<u64> {
        let (min, max) = match self.kind {
            Kind::Whole { min, max, .. } => (min, max),
            Kind::Tenths { min, max, .. } => (min.0.into(), max.0.into()),
            _ => return None,
        };
        self.amount(text).filter(|value| (min..=max).contains(value))
    }

    /// The same whatever the field's range.
    pub fn amount(&self, text: &str) -> Option<u64> {
        let parts = match self.kind {
            Kind::Whole { .. } => 1,
            Kind::Tenths { .. } => 10,
            _ => return None,
        };
        let (digits, unit) = split(text)?;
        let (number, decimals) = decimal(digits)?;
        let (given, own) = scales(unit, self.unit)?;
        let above = number.checked_mul(given)?.checked_mul(parts)?;
        let below = own.checked_mul(10u64.checked_pow(decimals)?)?;
        above.is_multiple_of(below).then(|| above / below)
    }
}

/// The number and the unit behind it.
fn split(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ',')).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    (!digits.is_empty()).then_some((digits, unit.trim()))
}

/// How large the unit that was given and the field's own are; none if the one that was given is not of the same kind.
fn scales(given: &str, own: &str) -> Option<(u64, u64)> {
    if given.is_empty() || given == own {
        return Some((1, 1));
    }
    let units = family(own)?;
    let scale = |name: &str| {
        let named = |names: &&[&str]| names.iter().any(|one| one.eq_ignore_ascii_case(name));
        units.iter().find(|(names, _)| named(names)).map(|(_, scale)| *scale)
    };
    Some((scale(given)?, scale(own)?))
}

/// `12,345.60` as 1234560 and two decimals. Commas stand between thousands, and between all of them or none.
fn decimal(digits: &str) -> Option<(u64, u32)> {
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(',');
    let first = groups.next().filter(|first| !first.is_empty() && plain(first))?;
    let grouped = whole.contains(',');
    if grouped && first.len() > 3 || !groups.all(|group| group.len() == 3 && plain(group)) {
        return None;
    }
    // No point without a digit behind it.
    if !plain(decimals) || digits.ends_with('.') {
        return None;
    }
    let number = format!("{}{decimals}", whole.replace(',', ""));
    Some((number.parse().ok()?, decimals.len() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::fields::{field, path};

    fn read(path: &str, text: &str) -> Option<u64> {
        field(path).expect("a field").number(text)
    }

    #[test]
    fn an_amount_is_told_in_the_unit_that_is_asked_for() {
        for (text, s) in [("5", 5.0), ("0.5", 0.5), ("500 ms", 0.5), ("500ms", 0.5), ("2 s", 2.0), ("1.5 min", 90.0)] {
            assert_eq!(in_unit(text, "s"), Some(s), "{text}");
        }
        for text in ["", "abc", "ms", "-1", "5 GB", "1,5", "1e3"] {
            assert_eq!(in_unit(text, "s"), None, "{text}");
        }
    }

    #[test]
    fn sizes_are_read_in_any_unit_and_never_rounded() {
        let mb = |text: &str| read(path::STORAGE_CENTRAL_MB, text);
        for text in
            ["262144", "262,144", "262144 MB", "256 GB", "256GB", "256G", "256 gb", "0.25 TB", "268435456 KB", "256 GiB"]
        {
            assert_eq!(mb(text), Some(262_144), "{text}");
        }
        assert_eq!((mb("1.5 GB"), mb("  2048  ")), (Some(1_536), Some(2_048)));
        for text in [
            "", " ", "GB", "1.5", "1025 KB", "2,62144", "2621,44", "1,5 GB", "256.", ".5 TB", "256 Q", "5 ms", "-1", "1e5",
            "256 G B",
        ] {
            assert_eq!(mb(text), None, "{text}");
        }
        assert_eq!(mb("99999999999999999999999999999999999999999 TB"), None);
        assert_eq!(mb(&format!("0.{}1 TB", "0".repeat(60))), None);
    }

    #[test]
    fn times_are_read_in_any_unit() {
        assert_eq!(read(path::MEASURE_INTERVAL_S, "5 min"), Some(300));
        assert_eq!(read(path::MEASURE_INTERVAL_S, "2000 ms"), Some(2));
        assert_eq!(read(path::GUESTS_CPU_US, "5 ms"), Some(5_000));
        assert_eq!(read(path::GUESTS_CPU_US, "5 us"), read(path::GUESTS_CPU_US, "5 µs"));
        assert_eq!(read(path::GUESTS_THINK_MS, "0.5 s"), Some(5_000), "in tenths of a ms");
        assert_eq!(read(path::GUESTS_THINK_MS, "1.5"), Some(15));
        assert_eq!(read(path::GUESTS_THINK_MS, "150 µs"), None, "less than a tenth of a ms");
        assert_eq!(read(path::GUESTS_TOUCH_MB_S, "1 GB/s"), Some(1_024));
        assert_eq!(read(path::PAGING_VOLUMES, "8 volumes"), Some(8));
        assert_eq!(read(path::PAGING_VOLUMES, "8 GB"), None);
    }

    #[test]
    fn only_numbers_without_a_unit_are_bare() {
        assert!(is_bare("256") && is_bare(" 262,144 ") && !is_bare("256 GB") && !is_bare("") && !is_bare("GB"));
        assert_eq!((names("MB"), names("volumes")), (vec!["KB", "MB", "GB", "TB"], vec![]));
    }
}
