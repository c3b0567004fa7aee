//! The laboratory without a browser: what can be turned, run, compared, asked and shown, as data and as words.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod address;
pub mod batch;
pub mod bench;
pub mod chart;
pub mod comparison;
pub mod console;
pub mod documents;
pub mod editor;
pub mod embed;
pub mod evidence;
pub mod host;
pub mod knob;
pub mod lesson;
pub mod machine;
pub mod published;
pub mod room;
pub mod rooms;
pub mod shelf;
pub mod studies;
pub mod subjects;
pub mod template;
pub mod words;
pub mod worker;
