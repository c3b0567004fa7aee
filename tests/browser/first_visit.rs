//! A first visit: the bare address is opened, and nobody moves, presses or turns anything. Finds which functions of the page and of the
//! engine are called in it.

use std::collections::BTreeMap;
use std::time::Duration;

use xtask::engines::Engine;
use xtask::visit::{CALLED, Function};

use crate::driver::{Browser, Scheme};

/// The visits: colours and motion, and the size of the window in pixels, a desktop's, a tablet's and one in which the page has the form
/// of a phone. Firefox has no narrower windows.
const VISITS: [(Scheme, (u64, u64)); 4] =
    [(Scheme::Light, (1440, 900)), (Scheme::Light, (500, 844)), (Scheme::Calm, (820, 1180)), (Scheme::Dark, (1440, 900))];

/// How long a visit goes on after the first settled result. Chosen: the moving picture has begun anew by then.
const LASTS: Duration = Duration::from_secs(12);

/// Writes what the visits in one engine call.
pub async fn note(engine: Engine, base: &str) {
    let mut called: BTreeMap<(String, String), bool> = BTreeMap::new();
    for (scheme, (width, height)) in VISITS {
        let browser = Browser::start(engine, scheme).await;
        let page = browser.page(base);
        page.resize(width, height).await;
        page.say(&format!("a first visit, {width} by {height}"));
        page.open("").await;
        tokio::time::sleep(LASTS).await;
        page.assert_no_errors("in a first visit").await;
        let told = page.run("return window.zvmlabCalled()").await;
        for Function { program, name, is_called } in told.as_str().expect("the page tells").lines().filter_map(Function::of)
        {
            *called.entry((program, name)).or_default() |= is_called;
        }
        browser.close().await;
    }
    assert!(called.len() > 10_000, "the page tells of {} functions", called.len());
    let lines = called.into_iter().map(|((program, name), is_called)| Function { program, name, is_called }.line());
    let file = zvmlab_tests::root().join(CALLED);
    std::fs::write(&file, lines.collect::<String>()).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}
