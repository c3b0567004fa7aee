//! Where the package of npm is, and the project that installs it.

/// The folder of the packed package, in the root of the repository.
pub const PACKED: &str = "target/npm";

/// The project that installs it, with its page in `site/`.
pub const CONSUMER: &str = "target/npm/consumer";

/// What the commands of the package's README lead to, with the page in `site/`.
pub const README_PAGE: &str = "target/npm/readme";
