//! The published runs and the examples, as lists and messages name them.

use zvmlab::scenario::examples::EXAMPLES;
use zvmlab_reference::{self as reference, Reference};

/// The source in one line.
pub fn heading(source: &Reference) -> String {
    format!("{}: {}, {}", source.title, source.source.title, source.source.report)
}

/// The ids of all published runs, for messages.
pub fn run_ids() -> String {
    // Some ids are of several words.
    let quoted = |id: &str| if id.contains(' ') { format!("\"{id}\"") } else { id.into() };
    reference::runs().map(|run| quoted(&run.id)).collect::<Vec<String>>().join(", ")
}

/// The ids of all examples, for messages.
pub fn example_ids() -> String {
    EXAMPLES.iter().map(|example| example.id).collect::<Vec<_>>().join(", ")
}
