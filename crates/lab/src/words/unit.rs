//! Numbers with their unit, and the ticks of an axis.

use zvmlab::constants::Constants;
use zvmlab::scenario::PAGES_PER_MB;

use super::number::{fixed, rounded, short, value};

/// A space that does not end a line.
pub const NO_BREAK: char = '\u{a0}';

/// A name may contain any character, and a sentence of the page contains spaces that do not break. A terminal should see neither.
pub fn plain(text: &str) -> String {
    text.replace(char::is_control, " ").replace(NO_BREAK, " ")
}

/// Bytes of a page.
pub const PAGE_BYTES: f64 = 4096.0;

/// MB a second that chpids of `gb_s` in sum can carry: 10 bits on the line for a byte, so 1 Gb/s is 100 MB/s.
pub fn can_carry(gb_s: u32) -> f64 {
    1e3 / Constants::default().isfc_ns_per_byte * f64::from(gb_s)
}

/// A value with its unit; both stay on the same line.
pub fn with_unit(number: f64, unit: &str) -> String {
    if unit.is_empty() { value(number) } else { format!("{}{NO_BREAK}{unit}", value(number)) }
}

/// A share in percent, with at most three digits.
pub fn percent(value: f64) -> String {
    format!("{}{NO_BREAK}%", short(value))
}

/// Nanoseconds as seconds with four significant digits: `0.8000 s`.
pub fn seconds(ns: u64) -> String {
    with_unit(ns as f64 / 1e9, "s")
}

/// The same with three digits at most, for a table.
pub fn short_seconds(ns: u64) -> String {
    format!("{}{NO_BREAK}s", short(ns as f64 / 1e9))
}

/// The same to the millisecond, for a sentence: `4.21 s`, `31 s`, `0.342 s`. The line may break before its unit.
pub fn time(ns: u64) -> String {
    format!("{} s", rounded(ns as f64 / 1e9, 3, 3))
}

/// Frames or pages of 4 KB as an amount of storage: `1.5 GB`.
pub fn storage(pages: f64) -> String {
    let mb = pages / PAGES_PER_MB as f64;
    if mb >= 1024.0 { format!("{} GB", short(mb / 1024.0)) } else { format!("{} MB", short(mb)) }
}

/// Pages as gigabytes with three significant digits.
pub fn gb(pages: u64) -> String {
    format!("{} GB", rounded(pages as f64 / (PAGES_PER_MB * 1024) as f64, 3, 3))
}

/// Bytes of a gigabyte, as storage is counted.
pub const BYTES_PER_GB: f64 = 1_073_741_824.0;

/// The same, in megabytes where there is less than one.
pub fn gb_or_mb(pages: u64) -> String {
    let mb = pages as f64 / PAGES_PER_MB as f64;
    if mb >= 1024.0 { gb(pages) } else { format!("{} MB", rounded(mb, 3, 3)) }
}

/// A label of an axis whose ticks are `step` apart: short enough for a narrow margin (`120 k`).
pub fn tick(value: f64, step: f64, highest: f64) -> String {
    let (scaled, step, suffix) = match highest {
        _ if highest >= 2_000_000.0 => (value / 1e6, step / 1e6, " M"),
        _ if highest >= 10_000.0 => (value / 1e3, step / 1e3, " k"),
        _ => (value, step, ""),
    };
    let text = fixed(scaled, decimals_of(step));
    if value == 0.0 { "0".into() } else { format!("{text}{suffix}") }
}

/// How many decimals multiples of `step` need.
fn decimals_of(step: f64) -> usize {
    let mut step = step.abs();
    for decimals in 0..9 {
        let rest = (step - step.round()).abs();
        if rest < 1e-6 * step.max(1e-3) {
            return decimals;
        }
        step *= 10.0;
    }
    9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_stand_behind_their_values() {
        assert_eq!(with_unit(270.04, "%"), "270.0\u{a0}%");
        assert_eq!(with_unit(1.5, "ms"), "1.500\u{a0}ms");
        assert_eq!(with_unit(12.0, ""), "12");
        assert_eq!(with_unit(15_770_584.0, "frames"), "15,770,584\u{a0}frames");
    }

    #[test]
    fn times_and_gigabytes_have_three_significant_digits() {
        let times =
            [(4_214_000_000, "4.21 s"), (31_000_000_000, "31 s"), (151_400_000_000, "151 s"), (342_100_000, "0.342 s")];
        for (ns, wanted) in times {
            assert_eq!(time(ns), wanted);
        }
        assert_eq!((time(0), gb(262_144 * 120), gb(1)), ("0 s".into(), "120 GB".into(), "0 GB".into()));
        assert_eq!((gb_or_mb(128), gb_or_mb(262_144 * 3)), ("0.5 MB".into(), "3 GB".into()));
    }

    #[test]
    fn ticks_are_short() {
        assert_eq!(tick(0.05, 0.05, 0.2), "0.05");
        assert_eq!(tick(120_000.0, 40_000.0, 120_000.0), "120 k");
        assert_eq!(tick(2500.0, 500.0, 5000.0), "2,500");
        assert_eq!(tick(0.0, 500.0, 5000.0), "0");
        assert_eq!(tick(2.5, 2.5, 10.0), "2.5");
    }

    #[test]
    fn storage_is_in_gigabytes_from_one_on() {
        assert_eq!(storage(33_554_432.0), "128 GB");
        assert_eq!(storage(256.0 * 64.0), "64 MB");
    }
}
