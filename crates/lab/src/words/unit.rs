//! Numbers as people read them: thousands apart, as many digits as carry something.

/// A space that does not end a line.
pub const NO_BREAK: char = '\u{a0}';

/// Most decimals in a column. Chosen: a millionth of anything shown is nothing to read.
const DECIMALS_MAX: usize = 6;

/// A value with four significant digits, as everywhere on the page; a count without decimals.
pub fn value(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        separated(&format!("{value:.0}"))
    } else {
        crate::words::number::number(value)
    }
}

/// A value with so many decimals, as all in a column have.
pub fn fixed(value: f64, decimals: usize) -> String {
    if value.is_finite() { separated(&format!("{value:.decimals$}")) } else { crate::words::number::number(value) }
}

/// How many decimals the values of a column are written with: enough for four significant digits of the largest and for two
/// of the smallest, none that all values can do without.
pub fn decimals_for(values: &[f64]) -> usize {
    let sizes = || values.iter().map(|value| value.abs()).filter(|size| size.is_finite() && *size > 0.0);
    // Digits behind the point with which `digits` are significant; by text, where rounding may carry.
    let significant = |size: f64, digits: usize| {
        let written = format!("{size:.*e}", digits - 1);
        let power = written.rsplit_once('e').and_then(|(_, power)| power.parse::<i32>().ok()).unwrap_or(0);
        usize::try_from(digits as i32 - 1 - power).unwrap_or(0)
    };
    let largest = sizes().fold(0.0, f64::max);
    let smallest = sizes().fold(f64::INFINITY, f64::min);
    if largest == 0.0 {
        return 0;
    }
    let most = significant(largest, 4).max(significant(smallest, 2)).min(DECIMALS_MAX);
    let exact = |decimals: &usize| {
        let power = (0..*decimals).fold(1.0, |power, _| power * 10.0);
        let near = |scaled: f64| (scaled - scaled.round()).abs() <= 1e-12 * scaled.abs();
        values.iter().filter(|value| value.is_finite()).all(|value| near(value * power))
    };
    (0..most).find(exact).unwrap_or(most)
}

/// A value with its unit behind it, which stays on the same line.
pub fn with_unit(number: f64, unit: &str) -> String {
    if unit.is_empty() { value(number) } else { format!("{}{NO_BREAK}{unit}", value(number)) }
}

/// A share in percent, with at most three digits.
pub fn percent(value: f64) -> String {
    format!("{}{NO_BREAK}%", short(value))
}

/// A label of an axis whose ticks are `step` apart: short enough for a narrow margin (`120 k`).
pub fn tick(value: f64, step: f64, highest: f64) -> String {
    let (scaled, step, suffix) = match highest {
        _ if highest >= 2_000_000.0 => (value / 1e6, step / 1e6, " M"),
        _ if highest >= 10_000.0 => (value / 1e3, step / 1e3, " k"),
        _ => (value, step, ""),
    };
    let decimals = decimals_of(step);
    let text = separated(&format!("{scaled:.decimals$}"));
    if value == 0.0 { "0".into() } else { format!("{text}{suffix}") }
}

/// How many decimals it takes to write multiples of `step`.
pub fn decimals_of(step: f64) -> usize {
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

/// Frames or pages of 4 KB as an amount of storage: `1.5 GB`.
pub fn storage(pages: f64) -> String {
    let mb = pages / 256.0;
    if mb >= 1024.0 { format!("{} GB", short(mb / 1024.0)) } else { format!("{} MB", short(mb)) }
}

/// A value with at most three significant digits.
pub fn short(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        _ => 2,
    };
    separated(&trimmed(format!("{value:.decimals$}")))
}

/// Drops zeros that say nothing behind the decimal point.
fn trimmed(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// Puts a comma between thousands of the whole part.
fn separated(text: &str) -> String {
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |rest| ("−", rest));
    let (whole, rest) = text.find('.').map_or((text, ""), |at| text.split_at(at));
    let mut out = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
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
        assert_eq!(value(f64::NAN), "–");
        assert_eq!([0.0, 2.0, 1.94, 88.8, 1234.4].map(short), ["0", "2", "1.94", "88.8", "1,234"]);
    }

    #[test]
    fn a_column_has_as_many_decimals_everywhere() {
        let of = |values: &[f64]| decimals_for(values);
        assert_eq!(of(&[15.0, 14.0, 9.0]), 0);
        assert_eq!(of(&[14.9812, 9.0, 1.01]), 2);
        assert_eq!(of(&[35_904.2, 8_448.7]), 0);
        assert_eq!(of(&[0.0, 0.125, 0.25]), 3);
        assert_eq!(of(&[300.4, 0.1257]), 2);
        assert_eq!((of(&[1234.5678, 0.00012345]), of(&[1e-9, 3e-9])), (5, DECIMALS_MAX));
        assert_eq!((of(&[]), of(&[0.0]), of(&[f64::NAN])), (0, 0, 0));
        assert_eq!([15.0, 14.004, -1234.5].map(|value| fixed(value, 2)), ["15.00", "14.00", "−1,234.50"]);
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
