//! Numbers for a terminal: written as on the page, but with characters of a keyboard, so that other programs can read them.

use zvmlab::Figure;
use zvmlab::scenario::PAGES_PER_MB;
use zvmlab_lab::words::number as page;

/// Bytes of a page.
const PAGE_BYTES: u64 = 4096;

/// Only characters of a keyboard.
fn typed(text: &str) -> String {
    text.replace(['−', '–'], "-")
}

/// A figure, with four significant digits.
pub fn number(value: f64) -> String {
    typed(&page::number(value))
}

/// A figure that may be missing.
pub fn number_or_dash(value: Option<f64>) -> String {
    typed(&page::number_or_dash(value))
}

/// The value of a figure, which may be missing. A count is written as a count.
pub fn value_of(figure: Figure, value: Option<f64>) -> String {
    typed(&page::value_of(figure, value))
}

/// A number with so many decimals.
pub fn fixed(value: f64, decimals: usize) -> String {
    typed(&page::fixed(value, decimals))
}

/// A change with its sign and one decimal.
pub fn signed(change: f64) -> String {
    typed(&page::signed(change))
}

/// A count.
pub fn whole(value: u64) -> String {
    page::whole(value)
}

/// A number as its source printed it.
pub fn grouped(printed: &str) -> String {
    typed(&page::grouped(printed))
}

/// Time in s.
pub fn seconds(ns: u64) -> String {
    number(ns as f64 / 1e9)
}

/// An instant of the run, in s to the ms.
pub fn instant(ns: u64) -> String {
    fixed(ns as f64 / 1e9, 3)
}

/// Pages in GB.
pub fn gigabytes(pages: u64) -> String {
    number(pages as f64 / (PAGES_PER_MB * 1024) as f64)
}

/// Pages in MB, with a decimal below a hundred of them.
pub fn megabytes(pages: u64) -> String {
    let mb = pages as f64 / PAGES_PER_MB as f64;
    fixed(mb, if mb >= 99.95 { 0 } else { 1 })
}

/// MB (10^6 bytes) a second, from pages and the time that they took.
pub fn rate(pages: u64, ns: u64) -> String {
    number_or_dash((ns > 0).then(|| (pages * PAGE_BYTES) as f64 / ns as f64 * 1e3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_page_with_signs_of_a_keyboard() {
        for (value, text) in [(0.0, "0"), (-56.4, "-56.40"), (999.97, "1,000"), (-88_925.0, "-88,925"), (f64::NAN, "-")] {
            assert_eq!(number(value), text);
        }
        assert_eq!([-0.04, 12.0, -3.04].map(signed), ["0.0", "+12.0", "-3.0"]);
        assert_eq!((number_or_dash(None), value_of(Figure::MemoryPasses, Some(8.0))), ("-".into(), "8".into()));
    }

    #[test]
    fn amounts_have_their_digits() {
        assert_eq!((seconds(800_000_000), gigabytes(262_144)), ("0.8000".into(), "1.000".into()));
        assert_eq!([25_587, 25_590, 256].map(megabytes), ["99.9", "100", "1.0"]);
        assert_eq!((rate(1_000, 4_096_000), rate(1, 0)), ("1,000".into(), "-".into()));
    }
}
