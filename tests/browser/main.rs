//! The page in three browsers, by one test body. `cargo xtask test` builds the page and calls each engine that the machine
//! has.
#![allow(clippy::disallowed_methods, reason = "a test may look at the clock of the machine")]

mod authors;
mod barriers;
mod concurrent;
mod console;
mod courses;
mod driver;
mod faults;
mod first_visit;
mod hostile;
mod hosts;
mod lessons;
mod machine;
mod npm;
mod pace;
mod page;
mod phone;
mod picture;
mod planner;
mod processors;
mod readme;
mod relocation;
mod scheduler;
mod screens;
mod shares;
mod shelf;
mod starts;
mod story;
mod subjects;
mod text;

use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex};

use xtask::engines::Engine;
use xtask::server::{self, Site};
use xtask::story::Part;

use crate::driver::{Browser, Scheme};
use crate::page::Page;

/// The page's folder in the test's site: not the root, because the page must work from any sub-path.
const PAGE: &str = "/some/course/lab/";

/// The folder of another built page that is measured beside it.
const OTHER_PAGE: &str = "/another/lab/";

/// The folder of the pages that embed it: another branch of the tree, another level.
const EMBEDDERS: &str = "/elsewhere/";

/// The folder of hosts that fail.
const FAILING: &str = "/faulty/";

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
#[ignore = "needs dist/ and a driver; ./run screenshots readme sees to both"]
fn readme_pictures() {
    let base = serve();
    in_a_runtime(async {
        let browser = Browser::start(Engine::Chromium, Scheme::Light).await;
        if let Err(failure) = browser.tell(&base, "readme", readme::take_pictures).await {
            std::panic::resume_unwind(failure);
        }
    });
}

/// Not a test: finds which functions of the page a first visit calls in the engine that the environment names.
#[test]
#[ignore = "needs a page of its own and a driver; ./run first-visit sees to both"]
fn first_visit() {
    let engine = std::env::var(xtask::pictures::ENGINE).expect("./run first-visit names an engine");
    let engine = Engine::ALL.into_iter().find(|one| one.name() == engine).expect("it is one of the three");
    let base = serve_site(Site::new(PAGE, zvmlab_tests::root().join(xtask::visit::SITE)));
    in_a_runtime(async { first_visit::note(engine, &base).await });
}

/// Not a test: takes pictures of the page in the engine that the environment names, with the words that their names must have.
#[test]
#[ignore = "needs dist/ and a driver; ./run screenshots sees to both"]
fn pictures_of_the_page() {
    let engine = std::env::var(xtask::pictures::ENGINE).expect("./run screenshots names an engine");
    let engine = Engine::ALL.into_iter().find(|one| one.name() == engine).expect("it is one of the three");
    let words = std::env::var(xtask::pictures::WORDS).unwrap_or_default();
    let words: Vec<&str> = words.split_whitespace().collect();
    let base = serve();
    in_a_runtime(async { screens::take(engine, &base, &words).await });
}

/// Not a test: measures the page in Chromium, and beside it the page in the folder that the environment names.
#[test]
#[ignore = "needs dist/ and a driver; ./run bench page sees to both"]
fn pace_of_the_page() {
    let mut pages = vec![(xtask::pace::THIS, PAGE)];
    let mut site = site();
    if let Some(folder) = std::env::var_os(xtask::pace::AGAINST) {
        pages.push((xtask::pace::OTHER, OTHER_PAGE));
        site = site.and(OTHER_PAGE, folder);
    }
    let base = serve_site(site);
    in_a_runtime(async { pace::measure(&base, &pages).await });
}

/// Not a test of every run: the hostile trial of the page, in the engine that the environment names.
#[test]
#[ignore = "needs dist/ and a driver; ./run hostile sees to both"]
fn hostile_trial() {
    let engine = std::env::var(xtask::pictures::ENGINE).expect("./run hostile names an engine");
    let engine = Engine::ALL.into_iter().find(|one| one.name() == engine).expect("it is one of the three");
    let base = serve();
    in_a_runtime(async { hostile::trial(engine, &base).await });
}

/// The package of npm in bundled pages.
#[test]
#[ignore = "needs the packed package and a driver; ./run npm sees to both"]
fn npm_package() {
    npm::open();
}

/// How often a part of WebKitGTK's story is told again if it fails. Chosen: of ten stories on one day four failed.
const WEBKIT_AGAIN: u32 = 2;

/// Tells the story, or the part that the environment names: first what moves, in light colours, then with less motion what does not
/// need it, because a machine that moves takes a core of its own. Then the parts that differ in dark.
fn run(engine: Engine) {
    let base = serve();
    let asked = std::env::var(xtask::story::PART).ok();
    let is_asked = |part: &Part| asked.as_deref().is_none_or(|asked| asked == part.name());
    let parts: Vec<Part> = Part::ALL.into_iter().filter(|part| part.is_told_in(engine)).filter(is_asked).collect();
    assert!(!parts.is_empty(), "the story has no part {asked:?} in {}", engine.name());
    in_a_runtime(async {
        for part in parts {
            let told = Told { engine, part, base: &base };
            match part {
                Part::Light => told.tell(Scheme::Light, story::in_light).await,
                Part::Subjects => told.tell(Scheme::Calm, story::subjects_in_calm).await,
                Part::Scheduler => told.tell(Scheme::Calm, story::scheduler_in_calm).await,
                Part::Relocation => told.tell(Scheme::Calm, story::relocation_in_calm).await,
                Part::Lessons => told.tell(Scheme::Calm, story::lessons_in_calm).await,
                Part::Text => told.tell(Scheme::Calm, story::text_in_calm).await,
                Part::Rest => told.tell(Scheme::Calm, story::the_rest_in_calm).await,
                Part::Dark => told.tell(Scheme::Dark, story::in_dark).await,
            }
        }
    });
}

/// A part of the story that is told.
struct Told<'a> {
    engine: Engine,
    part: Part,
    /// The address of the site.
    base: &'a str,
}

impl Told<'_> {
    /// Tells a part of the story in a browser of its own.
    ///
    /// WebKit on Linux now and then stops a wasm program with "Out of bounds memory access" or "Unreachable code", in code that ran
    /// before in each page. It was seen while the page reads the published tables, which is the same work each time. Others report it
    /// in WebKit's bug 259441. The page then starts again (static/boot.js), but a story loses what it was doing. So WebKit is told
    /// this part again, and a line says so. Parts are short, because a long one meets the fault nearly always when the machine is
    /// busy with another browser.
    async fn tell<F: Future<Output = ()> + Send + 'static>(&self, scheme: Scheme, story: fn(Page) -> F) {
        let Told { engine, part, base } = *self;
        let mut left = if engine == Engine::WebKit { WEBKIT_AGAIN } else { 0 };
        while let Err(failure) = Browser::start(engine, scheme).await.tell(base, part.name(), story).await {
            if left == 0 {
                std::panic::resume_unwind(failure);
            }
            println!("  {}, {}, failed; it is tried again ({left} tries left)", engine.name(), part.name());
            left -= 1;
        }
    }
}

fn in_a_runtime(work: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
    runtime.block_on(work);
}

/// The paths that were asked for.
static ASKED: LazyLock<Arc<Mutex<Vec<String>>>> = LazyLock::new(Arc::default);

/// Forgets which paths were asked for, and returns them.
fn asked() -> Vec<String> {
    std::mem::take(&mut *ASKED.lock().expect("nobody failed while noting one"))
}

/// The built page and the pages that embed it.
fn site() -> Site {
    let root = zvmlab_tests::root();
    let dist = root.join("dist");
    assert!(dist.join("index.html").is_file(), "there is no dist/index.html: run ./run build first");
    let packages = zvmlab_tests::root().join(courses::PACKAGES);
    let npm = zvmlab_tests::root().join("tests/node_modules");
    let site = Site::new(PAGE, &dist)
        .and_failing(FAILING, &dist)
        .noting(&ASKED)
        .and(courses::PACKAGES_AT, packages.join(courses::UNPACKED))
        .and(courses::NPM_AT, npm);
    site.and(EMBEDDERS, root.join("tests/embed")).and(OWN, root.join("tests/browser/site"))
}

/// Serves the built page and the pages that embed it; returns the address of the site.
fn serve() -> String {
    serve_site(site())
}

fn serve_site(site: Site) -> String {
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
