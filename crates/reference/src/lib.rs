//! Published measurements, compared with the model. [`published`] holds what was measured, as printed, with source, kind and
//! tolerance; [`comparison`] compares the model's measurements with it; [`replication`] runs the model, on threads.
//!
//! The page compares too, but runs the model in its own worker, so nothing in [`comparison`] runs anything.

pub mod comparison;
pub mod published;
pub mod replication;

pub use comparison::{OrderRow, RatioRow, Row, Verdict, compare, compare_order, compare_ratio};
pub use published::{
    Kind, Order, PublishedFigure, Ratio, Reference, Run, Tolerance, run, run_like, runs, source, source_of, sources,
};
