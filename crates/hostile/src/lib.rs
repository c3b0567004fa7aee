//! The hostile trial, without a browser: inputs are made to break what reads them, hosts to break the model. What must hold of any
//! of them stands in [`laws`]; a law that is broken panics. A failing input becomes a file of `corpus/`, which `./run test` replays
//! for ever.

#![forbid(unsafe_code)]

pub mod dice;
pub mod hosts;
pub mod inputs;
pub mod kind;
pub mod laws;
pub mod mutation;
