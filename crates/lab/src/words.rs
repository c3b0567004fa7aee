//! Words: numbers, units and answers as people read them. One sentence serves the page and the command line.

pub mod number;
pub mod unit;
