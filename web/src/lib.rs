//! The page of zvmlab: a bench with knobs, results and views, and the worker's side of it in the same wasm.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod address;
mod format;
pub mod published;
mod query;
mod queue;
pub mod session;
mod wire;
mod work;
mod workers;
