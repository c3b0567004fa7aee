//! The parts of xtask that the browser tests use too: the static server, the engines, and what they take
//! pictures of and measure.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this is not the model: it may look at the clock of the machine"
)]

pub mod engines;
pub mod faults;
pub mod memory;
pub mod pace;
pub mod packed;
pub mod pictures;
pub mod server;
pub mod story;
pub mod trial;
pub mod visit;
