//! Figures with their words: the figures that head a result, and the figures that its table always shows.

use std::borrow::Cow;

use zvmlab::Figure;

/// A figure with its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lead {
    /// Which figure.
    pub figure: Figure,
    /// The words after the number: `seconds stopped (quiesce time)`.
    pub words: Cow<'static, str>,
    /// Its name where there is little room.
    pub short: Cow<'static, str>,
}

/// A figure with words that are the same on every host.
pub const fn lead(figure: Figure, words: &'static str, short: &'static str) -> Lead {
    Lead { figure, words: Cow::Borrowed(words), short: Cow::Borrowed(short) }
}

/// Throughput. It heads most results, so its abbreviation is spelled out here.
pub const ETR: Lead = lead(Figure::Etr, "transactions a second (external throughput rate, ETR)", "ETR");

/// Figures of the CPU of groups of guests, the first group's first.
pub const GROUP_CPU: [Figure; 4] = [Figure::Group1Cpu, Figure::Group2Cpu, Figure::Group3Cpu, Figure::Group4Cpu];

/// Figures that the table of a result always shows, each with whether it is a part of the figure above.
pub type Table = &'static [(Figure, bool)];
