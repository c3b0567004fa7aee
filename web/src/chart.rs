//! Charts on the page: painted with plotters, framed with their words, numbers and files.

pub mod browser;
pub mod frame;
pub mod linked;
pub mod paint;
pub mod watch;
