//! zvmlab: a model of z/VM performance. A [`Scenario`] goes in, events happen in [`simulation`], each room (storage, paging,
//! dispatcher) answers with when it will be done, a [`Snapshot`](snapshot::Snapshot) of plain numbers comes out.
//!
//! The model knows no browser, no clock and no random source but its seed: the same scenario and seed give the same
//! bytes on every machine. Start reading in [`simulation`].

// What happens, in one host and between hosts.
mod member;
pub mod order;
pub mod simulation;

// The rooms of a host, and those between hosts.
mod connections;
mod devices;
mod dispatcher;
mod isfc;
mod locks;
mod minidisk;
mod paging;
mod prsm;
mod relocation;
pub mod scheduler;
mod storage;
mod workload;

// What goes in.
pub mod constants;
pub mod kernel;
pub mod scenario;

// What comes out.
pub mod adviser;
pub mod experiment;
pub mod limit;
pub mod measurement;
pub mod report;
pub mod snapshot;

pub use measurement::{Figure, Measurement};
pub use scenario::Scenario;
pub use simulation::Simulation;
pub use snapshot::Snapshot;
