//! The parts of the story that the browser tests tell of the page. Each has a browser of its own.

use crate::engines::Engine;

/// The environment variable with the name of the one part that is told.
pub const PART: &str = "ZVMLAB_PART";

/// A part of the story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// In light colours, with what moves.
    Light,
    /// The subjects of the laboratory. From here on with less motion.
    Subjects,
    /// Scheduler, dispatcher, locks.
    Scheduler,
    /// Relocations and clusters.
    Relocation,
    /// Lessons, in the page and in course pages.
    Lessons,
    /// The host as text.
    Text,
    /// Own hosts, phones, faults and what else there is.
    Rest,
    /// What differs in dark colours.
    Dark,
}

impl Part {
    /// Every part, in the order in which they are told.
    pub const ALL: [Part; 8] =
        [Part::Light, Part::Subjects, Part::Scheduler, Part::Relocation, Part::Lessons, Part::Text, Part::Rest, Part::Dark];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Part::Light => "light",
            Part::Subjects => "subjects",
            Part::Scheduler => "scheduler",
            Part::Relocation => "relocation",
            Part::Lessons => "lessons",
            Part::Text => "text",
            Part::Rest => "rest",
            Part::Dark => "dark",
        }
    }

    /// Whether it is told in an engine.
    pub fn is_told_in(self, engine: Engine) -> bool {
        self != Part::Scheduler || engine == Engine::Chromium
    }
}
