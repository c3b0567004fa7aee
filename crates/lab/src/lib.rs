//! The laboratory without a browser: what can be turned, run, compared, asked and shown, as data and as words.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod address;
pub mod bench;
pub mod chart;
pub mod comparison;
pub mod export;
pub mod format;
pub mod headline;
pub mod introduction;
pub mod knob;
pub mod live;
pub mod memo;
pub mod message;
pub mod next_step;
pub mod published;
pub mod query;
pub mod queue;
pub mod ready;
pub mod results;
pub mod rooms;
pub mod session;
pub mod step;
pub mod subject;
pub mod sweep;
pub mod wire;
pub mod words;
pub mod work;
