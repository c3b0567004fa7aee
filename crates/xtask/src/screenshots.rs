//! `screenshots`: takes the README's pictures of the released page, in Chromium.

use xtask::engines::Engine;

use crate::command::{cargo, run, say};
use crate::drivers;
use crate::site::Site;
use crate::testing::EVERYTHING;
use crate::tools::Tools;

/// Builds the page and takes the pictures.
///
/// # Errors
/// When Chromium or its driver is missing, the page does not build, or it never shows what the pictures need.
pub fn take() -> Result<(), String> {
    drivers::install_chromium();
    if let Some(missing) = Engine::Chromium.missing() {
        return Err(format!("{missing}: the pictures are taken in Chromium, by its driver"));
    }
    say("building the page and what drives the browser: some five minutes the first time on two cores");
    Site::Release.build(Tools::Page)?;
    let mut take = cargo(&["test", "--quiet"]);
    take.args(EVERYTHING).args(["--test", "browser", "--", "--nocapture", "--ignored", "--exact", "screenshots"]);
    run(take)?;
    say("look at pictures/ before you commit it: README.md shows both");
    Ok(())
}
