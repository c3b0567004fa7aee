//! Published measurements, beside what the model says. [`published`] holds what was measured, as printed, with source, kind
//! and tolerance; [`comparison`] sets outcomes of the model beside it; [`replication`] runs the model, on threads.
//!
//! The page compares too, but runs the model in its own worker: nothing in [`comparison`] runs anything.

pub mod comparison;
pub mod published;
pub mod replication;

pub use comparison::{Row, Verdict, compare};
pub use published::{Kind, PublishedFigure, Reference, Run, reference};
