//! The kinds of input: what somebody may hand to page or command line, and who reads it.

use crate::laws;

/// A kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The text of a scenario, TOML or JSON.
    Scenario,
    /// The state in an address, behind its `#`.
    Link,
    /// The query of an address, behind its `?`.
    Query,
    /// A message of an embedding page, as JSON.
    Message,
    /// Lines of the console of CP.
    Console,
    /// The file of a lesson.
    Lesson,
    /// A lesson that a teacher is writing.
    Draft,
    /// A file of saved hosts.
    Shelf,
    /// What is typed into a knob: its name, a line's end, the text.
    Knob,
    /// A job or an answer between page and engine, as bytes.
    Wire,
    /// A scenario that is run if it is accepted.
    Host,
}

impl Kind {
    /// Every kind of input that is only read.
    pub const READ: [Kind; 10] = [
        Kind::Scenario,
        Kind::Link,
        Kind::Query,
        Kind::Message,
        Kind::Console,
        Kind::Lesson,
        Kind::Draft,
        Kind::Shelf,
        Kind::Knob,
        Kind::Wire,
    ];

    /// The folder of `corpus/` with its inputs, and its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Scenario => "scenario",
            Kind::Link => "link",
            Kind::Query => "query",
            Kind::Message => "message",
            Kind::Console => "console",
            Kind::Lesson => "lesson",
            Kind::Draft => "draft",
            Kind::Shelf => "shelf",
            Kind::Knob => "knob",
            Kind::Wire => "wire",
            Kind::Host => "host",
        }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::READ.into_iter().chain([Kind::Host]).find(|kind| kind.name() == name)
    }

    /// Reads an input as page and command line do. Returns whether it was accepted.
    ///
    /// # Panics
    /// When a law is broken.
    pub fn try_input(self, bytes: &[u8]) -> bool {
        match self {
            Kind::Scenario => laws::scenario(bytes),
            Kind::Link => laws::link(bytes),
            Kind::Query => laws::query(bytes),
            Kind::Message => laws::message(bytes),
            Kind::Console => laws::console(bytes),
            Kind::Lesson => laws::lesson(bytes),
            Kind::Draft => laws::draft(bytes),
            Kind::Shelf => laws::shelf(bytes),
            Kind::Knob => laws::knob(bytes),
            Kind::Wire => laws::wire(bytes),
            Kind::Host => laws::host::run(bytes),
        }
    }
}
