//! Figures with their words: those that head a result, and those that its table always shows.

use std::borrow::Cow;

use zvmlab::Figure;

/// A figure with its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lead {
    /// Which figure.
    pub figure: Figure,
    /// What stands behind the number: `transactions a second (ETR)`.
    pub words: Cow<'static, str>,
    /// What it is called where there is little room.
    pub short: Cow<'static, str>,
}

/// A figure with words that are the same on every host.
pub const fn lead(figure: Figure, words: &'static str, short: &'static str) -> Lead {
    Lead { figure, words: Cow::Borrowed(words), short: Cow::Borrowed(short) }
}

/// Throughput, which most results are headed by.
pub const ETR: Lead = lead(Figure::Etr, "transactions a second (ETR)", "ETR");

/// Figures of the CPU of groups of guests, the first group's first.
pub const GROUP_CPU: [Figure; 4] = [Figure::Group1Cpu, Figure::Group2Cpu, Figure::Group3Cpu, Figure::Group4Cpu];

/// Figures that the table of a result always shows, and whether they are parts of the one above.
pub type Table = &'static [(Figure, bool)];
