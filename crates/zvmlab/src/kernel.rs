//! The kernel: time, the event queue, generators and statistics. It imports nothing of the model.

pub mod queue;
pub mod rng;
pub mod statistics;
pub mod time;
