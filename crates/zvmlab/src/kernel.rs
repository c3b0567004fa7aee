//! The kernel: time, the event queue, generators, processor sharing, statistics and joined tables. It imports nothing of the model.

pub mod queue;
pub mod rng;
pub mod sharing;
pub mod statistics;
pub mod tables;
pub mod time;
