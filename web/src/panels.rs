//! The parts of the page around the views. Each shows the data it gets, and tells what its reader did.

pub mod adviser;
pub mod author;
pub mod chosen;
pub mod console;
pub mod documents;
pub mod editor;
pub mod intro;
pub mod knobs;
pub mod later;
pub mod lesson;
pub mod limits;
pub mod live;
pub mod model;
pub mod notices;
pub mod published;
mod ratios;
pub mod result;
pub mod setup;
pub mod sheet;
pub mod shelf;
pub mod shortcuts;
pub mod splitter;
pub mod strip;
pub mod subjects;
pub mod sweep;
pub mod under_way;
pub mod validation;
