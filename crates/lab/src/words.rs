//! Words: numbers, units and answers as people read them. One sentence serves the page and the command line.

pub mod aging;
pub mod answer;
pub mod cost;
pub mod file;
pub mod group;
pub mod idle;
pub mod in_a_line;
pub mod letters;
pub mod level;
pub mod limit;
pub mod meant;
pub mod note;
pub mod number;
pub mod place;
pub mod problem;
pub mod relocations;
pub mod run;
pub mod settling;
pub mod so_far;
pub mod state;
pub mod staying;
pub mod stop;
pub mod unit;
