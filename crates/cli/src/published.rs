//! The published runs, as lists name them.

use zvmlab_reference::Reference;

/// The source in one line.
pub fn heading(source: &Reference) -> String {
    format!("{}: {}, {}", source.title, source.source.title, source.source.report)
}
