//! The kernel: time, the event queue, generators, processor sharing and statistics. It imports nothing of the model.

pub mod queue;
pub mod rng;
pub mod sharing;
pub mod statistics;
pub mod time;
