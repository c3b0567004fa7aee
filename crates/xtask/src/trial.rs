//! What `./run hostile` and the tests that it calls say to each other.

/// Names the seconds that a browser's part takes.
pub const SECONDS: &str = "ZVMLAB_HOSTILE_SECONDS";

/// Names the seed.
pub const SEED: &str = "ZVMLAB_HOSTILE_SEED";

/// Begins a line about what was tried.
pub const TRIED: &str = "  hostile:";

/// Begins a line about a failure.
pub const FAILURE: &str = "  FAILED:";

/// Names that the page is to soak: one page for the whole time.
pub const SOAK: &str = "ZVMLAB_HOSTILE_SOAK";
