//! Numbers as people read them.

use zvmlab::Figure;

/// `value` with four significant digits and commas between thousands: `88,925`, `38.62`, `0.08482`.
pub fn number(value: f64) -> String {
    let size = value.abs();
    let decimals = match size {
        _ if !value.is_finite() => return "–".into(),
        _ if size == 0.0 => 0,
        _ if size >= 999.95 => 0,
        _ if size >= 99.995 => 1,
        _ if size >= 9.9995 => 2,
        _ if size >= 0.99995 => 3,
        _ if size >= 0.099995 => 4,
        _ if size >= 0.0099995 => 5,
        _ => 6,
    };
    let text = format!("{value:.decimals$}");
    // Six decimals may show more than is known of a small number.
    with_commas(if decimals == 6 { text.trim_end_matches('0') } else { &text })
}

/// A value that a figure may not have.
pub fn number_or_dash(value: Option<f64>) -> String {
    value.map_or("–".into(), number)
}

/// The value of a figure, which it may not have. What is counted is written as a count where it is no mean of several.
pub fn value_of(figure: Figure, value: Option<f64>) -> String {
    let counts = matches!(figure, Figure::MemoryPasses | Figure::RelocationsCompleted | Figure::RelocationsEnded);
    match value {
        Some(value) if counts && value >= 0.0 && value.fract() == 0.0 => whole(value as u64),
        value => number_or_dash(value),
    }
}

/// A whole number with commas between thousands.
pub fn whole(value: u64) -> String {
    with_commas(&value.to_string())
}

/// A number as printed in a table of the source, its whole thousands grouped as the model's own are.
pub fn grouped(printed: &str) -> String {
    let (digits, rest) = printed.split_at(printed.find('.').unwrap_or(printed.len()));
    digits.parse::<u64>().map_or_else(|_| printed.into(), |digits| whole(digits) + rest)
}

/// How much more `now` is than `before`, in percent, with its sign, or how many times as much where that says more; `None`
/// where there is nothing to compare with.
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

/// How much more `now` is than `before`, in percent.
pub fn difference_pct(before: f64, now: f64) -> Option<f64> {
    Some((now / before - 1.0) * 100.0).filter(|percent| percent.is_finite())
}

/// A percentage with its sign.
pub fn signed_pct(percent: f64) -> String {
    let text = format!("{:.1}", percent.abs());
    let sign = match percent {
        _ if text == "0.0" => "",
        _ if percent < 0.0 => "−",
        _ => "+",
    };
    format!("{sign}{text} %")
}

/// Half the width of an interval, with two significant digits: more of it means nothing.
pub fn half_width(value: f64) -> String {
    let (mut decimals, mut scaled) = (0, value.abs());
    while scaled < 9.95 && decimals < 9 {
        (decimals, scaled) = (decimals + 1, scaled * 10.0);
    }
    with_commas(&format!("{value:.decimals$}"))
}

/// A size given in MB, in the largest unit that keeps it whole or near it: `128 GB`, `1.5 GB`, `700 MB`.
pub fn storage_mb(mb: u64) -> String {
    match mb {
        0..1_024 => format!("{mb} MB"),
        _ if mb < 1_048_576 => format!("{} GB", trimmed(mb as f64 / 1_024.0)),
        _ => format!("{} TB", trimmed(mb as f64 / 1_048_576.0)),
    }
}

/// A number with at most two decimals, without zeros at its end: `16.67`, `40`.
pub fn trimmed(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

fn with_commas(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("−", digits));
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
            (88_925.4, "88,925"),
            (-1234567.0, "−1,234,567"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(number(value), text);
        }
        assert_eq!(whole(33_554_432), "33,554,432");
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
        assert_eq!([-3.04, 0.04, 12.0].map(signed_pct), ["−3.0 %", "0.0 %", "+12.0 %"]);
    }

    #[test]
    fn sizes_take_the_unit_that_fits() {
        assert_eq!([700, 1_536, 131_072, 4_194_304].map(storage_mb), ["700 MB", "1.5 GB", "128 GB", "4 TB"]);
    }
}
