//! Do guests arrive whole? Whole simulations of clusters: the laws that no relocation breaks, and in which direction times go.
#![cfg(not(target_arch = "wasm32"))]

mod clusters;
mod directions;
mod idle;
mod laws;
mod returns;
mod rocks;
mod throttles;
