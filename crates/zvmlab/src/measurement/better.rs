//! Which way of a figure is the better one.

/// Whether a change of a figure is for the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// More of it: more gets done.
    More,
    /// Less of it: guests wait less, or the same work costs less.
    Less,
    /// Neither: it says how the host runs, not how well.
    Neither,
}
