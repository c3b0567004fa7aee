//! Numbers as people read them, without a unit: thousands apart, as many digits as carry something. The page and the command line
//! write every number with these.
//!
//! | what | how it is written |
//! | --- | --- |
//! | a figure | [`number`]: four significant digits; [`value`]: the same, a count without decimals; [`value_of`] knows which figures count |
//! | a figure in a sentence | [`short`]: three digits at most; [`rounded`] with as many as are asked for |
//! | a count | [`whole`] |
//! | numbers of a column | [`fixed`] with the decimals of [`decimals_for`] |
//! | what a source printed | [`grouped`]: its decimals as printed |
//! | a setting | [`trimmed`] |
//! | a change | [`difference`], [`signed`], [`signed_pct`] |
//! | an interval | [`half_width`] |

use zvmlab::Figure;

/// Stands where there is no value.
pub const NO_VALUE: &str = "–";

/// Most decimals of a figure. Chosen: nobody reads a millionth of anything shown.
const DECIMALS_MAX: usize = 6;

/// `value` with four significant digits and commas between thousands: `88,925`, `38.62`, `0.08482`.
pub fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let decimals = decimals_to(value, 4).min(DECIMALS_MAX);
    let text = fixed(value, decimals);
    // So many decimals may show more than is known of a small number.
    if decimals == DECIMALS_MAX { without_zeros(&text).into() } else { text }
}

/// The same, but a count without decimals.
pub fn value(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { fixed(value, 0) } else { number(value) }
}

/// A value that a figure may not have.
pub fn number_or_dash(value: Option<f64>) -> String {
    value.map_or(NO_VALUE.into(), number)
}

/// The value of a figure, if it has one. A count has no decimals, unless it is a mean of several counts.
pub fn value_of(figure: Figure, value: Option<f64>) -> String {
    let counts = matches!(figure, Figure::MemoryPasses | Figure::RelocationsCompleted | Figure::RelocationsEnded);
    match value {
        Some(value) if counts && value >= 0.0 && value.fract() == 0.0 => whole(value as u64),
        value => number_or_dash(value),
    }
}

/// A value with at most three significant digits and at most two decimals.
pub fn short(value: f64) -> String {
    rounded(value, 3, 2)
}

/// A value with at most so many significant digits and so many decimals, without zeros at its end. Its whole part is whole.
pub fn rounded(value: f64, digits: usize, decimals_max: usize) -> String {
    without_zeros(&fixed(value, decimals_to(value, digits).min(decimals_max))).into()
}

/// A setting, or a number that follows from one: at most two decimals, without zeros at its end: `16.67`, `40`.
pub fn trimmed(value: f64) -> String {
    without_zeros(&fixed(value, 2)).into()
}

/// A value with so many decimals, as all in a column have.
pub fn fixed(value: f64, decimals: usize) -> String {
    if value.is_finite() { with_commas(&format!("{value:.decimals$}")) } else { NO_VALUE.into() }
}

/// How many decimals the values of a column have: enough for four significant digits of the largest and two of the smallest, but
/// none that every value can do without.
pub fn decimals_for(values: &[f64]) -> usize {
    let sizes = || values.iter().map(|value| value.abs()).filter(|size| size.is_finite() && *size > 0.0);
    let largest = sizes().fold(0.0, f64::max);
    let smallest = sizes().fold(f64::INFINITY, f64::min);
    if largest == 0.0 {
        return 0;
    }
    let most = decimals_to(largest, 4).max(decimals_to(smallest, 2)).min(DECIMALS_MAX);
    let exact = |decimals: &usize| {
        let power = (0..*decimals).fold(1.0, |power, _| power * 10.0);
        let near = |scaled: f64| (scaled - scaled.round()).abs() <= 1e-12 * scaled.abs();
        values.iter().filter(|value| value.is_finite()).all(|value| near(value * power))
    };
    (0..most).find(exact).unwrap_or(most)
}

/// How many decimals show `digits` significant digits of a value. Found from its text, because rounding may carry: 999.97 is 1,000.
fn decimals_to(value: f64, digits: usize) -> usize {
    let written = format!("{value:.*e}", digits.saturating_sub(1));
    let power = written.rsplit_once('e').and_then(|(_, power)| power.parse::<i32>().ok()).unwrap_or(0);
    usize::try_from(digits as i32 - 1 - power).unwrap_or(0)
}

/// Drops zeros at the end of the decimals.
fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// A whole number with commas between thousands.
pub fn whole(value: u64) -> String {
    with_commas(&value.to_string())
}

/// A number as a table of the source prints it, with commas between thousands as the model's own numbers have them.
pub fn grouped(printed: &str) -> String {
    let is_number =
        printed.strip_prefix('-').unwrap_or(printed).chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    if is_number { with_commas(printed) } else { printed.into() }
}

/// By how many percent `now` is more than `before`, with its sign, or how many times as much if that says more; `None`
/// if there is nothing to compare with.
pub fn difference(before: f64, now: f64) -> Option<String> {
    let percent = difference_pct(before, now)?;
    if percent >= 900.0 {
        return Some(format!("× {}", with_commas(&format!("{:.0}", now / before))));
    }
    let decimals = if percent.abs() < 99.95 { 1 } else { 0 };
    let text = format!("{:.decimals$}", percent.abs());
    Some(match text.chars().all(|c| "0.".contains(c)) {
        true => "0 %".into(),
        false => format!("{}{} %", if percent < 0.0 { "−" } else { "+" }, with_commas(&text)),
    })
}

/// By how many percent `now` is more than `before`.
pub fn difference_pct(before: f64, now: f64) -> Option<f64> {
    Some((now / before - 1.0) * 100.0).filter(|percent| percent.is_finite())
}

/// A change with its sign and one decimal. A change that rounds to nothing has no sign.
pub fn signed(change: f64) -> String {
    let text = fixed(change, 1);
    if change > 0.0 && text != "0.0" { format!("+{text}") } else { text }
}

/// A change in percent, with its sign.
pub fn signed_pct(percent: f64) -> String {
    format!("{} %", signed(percent))
}

/// Half the width of an interval, with two significant digits. More digits would mean nothing.
pub fn half_width(value: f64) -> String {
    if value == 0.0 { "0".into() } else { fixed(value, decimals_to(value, 2).min(9)) }
}

/// A size given in MB, in the largest unit that keeps it whole or near it: `128 GB`, `1.5 GB`, `700 MB`.
pub fn storage_mb(mb: u64) -> String {
    match mb {
        0..1_024 => format!("{mb} MB"),
        _ if mb < 1_048_576 => format!("{} GB", trimmed(mb as f64 / 1_024.0)),
        _ => format!("{} TB", trimmed(mb as f64 / 1_048_576.0)),
    }
}

/// A number in a larger unit than its own, where it is large enough for one: 90,000 ms as `1.5 min`.
pub fn in_larger_unit(number: f64, unit: &str) -> Option<String> {
    // Each unit with the next one and how many of it that is.
    const LARGER: [(&str, &str, f64); 6] = [
        ("MB", "GB", 1_024.0),
        ("GB", "TB", 1_024.0),
        ("MB/s", "GB/s", 1_024.0),
        ("µs", "ms", 1_000.0),
        ("ms", "s", 1_000.0),
        ("s", "min", 60.0),
    ];
    let (_, next, of) = LARGER.into_iter().find(|(own, _, of)| *own == unit && number >= *of)?;
    let larger = number / of;
    Some(in_larger_unit(larger, next).unwrap_or_else(|| format!("{} {next}", trimmed(larger))))
}

/// Puts commas between thousands of the whole part, and a minus sign before a negative number.
fn with_commas(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("−", digits));
    // A number that rounds to nothing has no sign.
    let sign = if digits.chars().all(|digit| "0.".contains(digit)) { "" } else { sign };
    let (whole, rest) = digits.find('.').map_or((digits, ""), |at| digits.split_at(at));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_written_as_a_count() {
        assert_eq!(value_of(Figure::MemoryPasses, Some(8.0)), "8");
        assert_eq!(value_of(Figure::MemoryPasses, Some(7.4)), "7.400");
        assert_eq!(value_of(Figure::QuiesceTime, Some(8.0)), "8.000");
        assert_eq!(value_of(Figure::RelocationsCompleted, None), "–");
    }

    #[test]
    fn numbers_have_four_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.084824, "0.08482"),
            (0.17561, "0.1756"),
            (0.006, "0.006"),
            (0.0061234, "0.006123"),
            (1.32, "1.320"),
            (38.616, "38.62"),
            (999.96, "1,000"),
            (999.97, "1,000"),
            (99.996, "100.0"),
            (-9.9996, "−10.00"),
            (0.99996, "1.000"),
            (0.0000001, "0"),
            (88_925.4, "88,925"),
            (-1234567.0, "−1,234,567"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(number(value), text);
        }
        assert_eq!(whole(33_554_432), "33,554,432");
        assert_eq!((value(8.0), value(7.4), value(f64::NAN)), ("8".into(), "7.400".into(), NO_VALUE.into()));
    }

    #[test]
    fn short_numbers_have_three_digits_at_most() {
        assert_eq!(
            [0.0, 2.0, 1.94, 9.996, 88.8, 99.96, 1234.4].map(short),
            ["0", "2", "1.94", "10", "88.8", "100", "1,234"]
        );
        assert_eq!([0.3421, 4.214, 1_033.4].map(|value| rounded(value, 3, 3)), ["0.342", "4.21", "1,033"]);
        assert_eq!([16.666, 40.0, 1_600.0].map(trimmed), ["16.67", "40", "1,600"]);
    }

    #[test]
    fn printed_numbers_keep_their_digits() {
        for (printed, text) in [
            ("0.0310", "0.0310"),
            ("125314", "125,314"),
            ("270.3", "270.3"),
            ("100", "100"),
            ("-1578.40", "−1,578.40"),
            ("n/a", "n/a"),
        ] {
            assert_eq!(grouped(printed), text);
        }
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
        assert_eq!([15.0, 14.004, -1234.5, -0.001].map(|value| fixed(value, 2)), ["15.00", "14.00", "−1,234.50", "0.00"]);
    }

    #[test]
    fn differences_have_a_sign() {
        assert_eq!(difference(0.0848, 0.1756).as_deref(), Some("+107 %"));
        assert_eq!(difference(100.0, 99.0).as_deref(), Some("−1.0 %"));
        assert_eq!(difference(100.0, 100.0001).as_deref(), Some("0 %"));
        assert_eq!(difference(0.043, 9.781).as_deref(), Some("× 227"));
        assert_eq!(difference(0.0, 1.0), None);
    }

    #[test]
    fn half_widths_have_two_digits() {
        assert_eq!([0.000131, 280.4, 0.0998, 4.04].map(half_width), ["0.00013", "280", "0.10", "4.0"]);
        assert_eq!(half_width(0.0), "0");
        assert_eq!([-3.04, -0.04, 0.04, 12.0].map(signed_pct), ["−3.0 %", "0.0 %", "0.0 %", "+12.0 %"]);
    }

    #[test]
    fn sizes_take_the_unit_that_fits() {
        let larger = |number: f64, unit: &str| in_larger_unit(number, unit).unwrap_or_default();
        assert_eq!(
            [larger(131_072.0, "MB"), larger(4_194_304.0, "MB"), larger(2_048.0, "MB/s")],
            ["128 GB", "4 TB", "2 GB/s"]
        );
        assert_eq!([larger(1_500.0, "µs"), larger(90_000.0, "ms"), larger(20.0, "s")], ["1.5 ms", "1.5 min", ""]);
        assert_eq!([700, 1_536, 131_072, 4_194_304].map(storage_mb), ["700 MB", "1.5 GB", "128 GB", "4 TB"]);
    }
}
