//! zvmlab: a model of z/VM performance. A [`Scenario`] goes in, events happen in [`simulation`], each room (storage, paging,
//! dispatcher) answers with when it will be done, a [`Snapshot`](snapshot::Snapshot) of plain numbers comes out.
//!
//! The model knows no browser, no clock and no random source but its seed: the same scenario and seed give the same
//! bytes on every machine. Start reading in [`simulation`].

pub mod adviser;
mod connections;
pub mod constants;
mod devices;
mod dispatcher;
pub mod experiment;
mod isfc;
pub mod kernel;
pub mod limit;
mod locks;
pub mod measurement;
mod member;
mod minidisk;
pub mod order;
mod paging;
mod prsm;
mod relocation;
pub mod report;
pub mod scenario;
pub mod scheduler;
pub mod simulation;
pub mod snapshot;
mod storage;
mod workload;

pub use measurement::{Figure, Measurement};
pub use scenario::Scenario;
pub use simulation::Simulation;
pub use snapshot::Snapshot;
