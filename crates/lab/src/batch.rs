//! Batches: many whole experiments around one host, and what they answer together.

pub mod answer;
pub mod curve;
pub mod evacuation;
pub mod form;
pub mod limit;
pub mod moved;
pub mod question;
pub mod queue;
pub mod results;
pub mod sheet;
pub mod study;
pub mod summary;
pub mod sweep;
pub mod trial;
