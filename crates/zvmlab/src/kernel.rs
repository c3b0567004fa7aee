//! The kernel: time, the agenda and its event queue, slabs, generators, processor sharing, statistics, joined tables. It imports nothing of the model.

pub mod agenda;
pub mod queue;
pub mod rng;
pub mod sharing;
pub mod slab;
pub mod statistics;
pub mod tables;
pub mod time;
