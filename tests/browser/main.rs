//! The page in three browsers, by one test body. `cargo xtask test` builds the page and calls each engine that the machine
//! has.
#![allow(clippy::disallowed_methods, reason = "a test may look at the clock of the machine")]

mod barriers;
mod concurrent;
mod driver;
mod hosts;
mod machine;
mod page;
mod phone;
mod picture;
mod planner;
mod processors;
mod readme;
mod relocation;
mod scheduler;
mod shares;
mod story;
mod subjects;

use std::path::PathBuf;

use xtask::engines::Engine;
use xtask::server::{self, Site};

use crate::driver::{Browser, Scheme};

/// The page's folder in the test's site: not the root, because the page must work from any sub-path.
const PAGE: &str = "/some/course/lab/";

/// The folder of the pages that embed it: another branch of the tree, another level.
const EMBEDDERS: &str = "/elsewhere/";

/// The folder of the test's own files.
const OWN: &str = "/test/";

#[test]
#[ignore = "needs dist/ and a driver; ./run test sees to both"]
fn chromium() {
    run(Engine::Chromium);
}

#[test]
#[ignore = "needs dist/ and a driver; ./run test sees to both"]
fn firefox() {
    run(Engine::Firefox);
}

#[test]
#[ignore = "needs dist/ and a driver; ./run test sees to both"]
fn webkitgtk() {
    run(Engine::WebKit);
}

/// Not a test: takes the README's pictures with the tests' means of driving a browser.
#[test]
#[ignore = "needs dist/ and a driver; ./run screenshots sees to both"]
fn screenshots() {
    let base = serve();
    in_a_runtime(async {
        let browser = Browser::start(Engine::Chromium, Scheme::Light).await;
        browser.tell(&base, readme::take_pictures).await;
    });
}

/// Tells the story in light colours, then the parts that differ in dark.
fn run(engine: Engine) {
    let base = serve();
    in_a_runtime(async {
        let browser = Browser::start(engine, Scheme::Light).await;
        browser.tell(&base, story::in_light).await;
        let browser = Browser::start(engine, Scheme::Dark).await;
        browser.tell(&base, story::in_dark).await;
    });
}

fn in_a_runtime(work: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
    runtime.block_on(work);
}

/// Serves the built page and the pages that embed it; returns the address of the site.
fn serve() -> String {
    let root = zvmlab_tests::root();
    let dist = root.join("dist");
    assert!(dist.join("index.html").is_file(), "there is no dist/index.html: run ./run build first");
    let site = Site::new(PAGE, dist).and(EMBEDDERS, root.join("tests/embed")).and(OWN, root.join("tests/browser/site"));
    let listener = server::listen(0).expect("some port is free");
    let address = listener.local_addr().expect("it is bound");
    std::thread::spawn(move || server::serve(&listener, site));
    format!("http://{address}")
}

/// The folder of screenshots for a person to look at.
fn pictures() -> PathBuf {
    let folder = zvmlab_tests::root().join("target/pictures");
    std::fs::create_dir_all(&folder).expect("target/ can be written");
    folder
}
