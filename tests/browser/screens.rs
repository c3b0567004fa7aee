//! Takes pictures of the page for people to look at: subjects, sizes and colours in one engine. With each picture it names the
//! faults that a machine can tell.

use std::path::{Path, PathBuf};
use std::time::Duration;

use xtask::engines::Engine;
use xtask::pictures::{self, Picture};
use zvmlab_lab::subjects::{SUBJECTS, Subject};

use crate::driver::{Browser, Scheme};
use crate::faults::{self, Form};
use crate::page::Page;
use crate::{OWN, PAGE};

/// A size of the page in pixels, and its form there.
type Size = (u64, u64, Form);

/// Sizes of the window. The first shows every subject, the others the telling ones.
const WINDOWS: [Size; 2] = [(1280, 720, Form::Screen), (1920, 1080, Form::Screen)];

/// Sizes of a frame, with what stands before the run in the address.
const FRAMES: [(Size, &str); 2] = [((390, 844, Form::Phone), "?run="), ((736, 640, Form::Embedded), "?embed=1&run=")];

/// A window that holds each frame.
const AROUND: (u64, u64) = (1200, 900);

/// The hosts of the telling subjects, with the part of the experiment at which the live run stands: paging, lists, one guest that
/// moves, twenty-five, and members that come and go.
const TELLING: [(&str, &str); 5] =
    [("V4DVY000", "0.6"), ("STORBUF", "0.6"), ("MOVE", "0.75"), ("TWENTY-FIVE", "0.5"), ("CLUSTER", "0.6")];

/// The longest time for one host in one window or frame. Chosen: many times what it takes.
const LONGEST: Duration = Duration::from_secs(240);

/// The part of the experiment at which other hosts stand: after the fill of each.
const PART: &str = "0.8";

/// A subject in one engine and one scheme.
#[derive(Clone)]
struct Visit {
    engine: Engine,
    scheme: Scheme,
    subject: &'static Subject,
    /// The part of the experiment at which the live run stands.
    part: &'static str,
    /// Sizes of the window that are wanted.
    windows: Vec<Size>,
    /// Sizes of a frame that are wanted, with the address.
    frames: Vec<(Size, &'static str)>,
}

impl Visit {
    /// The visit with all its sizes: each engine visits the telling subjects, Chromium the others too, in light.
    fn of(engine: Engine, scheme: Scheme, subject: &'static Subject) -> Option<Visit> {
        let telling = TELLING.iter().find(|(run, _)| *run == subject.setups[0].id);
        let (part, windows, frames) = match telling {
            Some((_, part)) => (*part, WINDOWS.to_vec(), FRAMES.to_vec()),
            None if engine == Engine::Chromium && scheme == Scheme::Light => (PART, vec![WINDOWS[0]], Vec::new()),
            None => return None,
        };
        Some(Visit { engine, scheme, subject, part, windows, frames })
    }

    /// The same with the pictures only whose names have all these words; nothing if there is none.
    fn with(mut self, words: &[&str]) -> Option<Visit> {
        let (mut windows, mut frames) = (std::mem::take(&mut self.windows), std::mem::take(&mut self.frames));
        windows.retain(|size| self.picture(*size).has(words));
        frames.retain(|(size, _)| self.picture(*size).has(words));
        let any = !windows.is_empty() || !frames.is_empty();
        any.then_some(Visit { windows, frames, ..self })
    }

    /// The picture of one size.
    fn picture(&self, (width, height, _): Size) -> Picture {
        Picture {
            engine: self.engine.name().to_lowercase(),
            subject: pictures::slug(self.subject.title),
            width,
            height,
            dark: self.scheme == Scheme::Dark,
        }
    }

    /// The id of the host.
    fn run(&self) -> &'static str {
        self.subject.setups[0].id
    }
}

/// Takes the pictures in one engine whose names have all these words.
pub async fn take(engine: Engine, base: &str, words: &[&str]) {
    for scheme in [Scheme::Light, Scheme::Dark] {
        let visits = SUBJECTS.iter().filter_map(|subject| Visit::of(engine, scheme, subject)?.with(words));
        for visit in visits {
            // A browser that fails or hangs costs no more than one subject.
            let browser = Browser::start(engine, scheme).await;
            if let Some(first) = visit.windows.first() {
                let taken = in_windows(browser.page(base), visit.clone());
                ended(taken, &browser, browser.page(base), visit.picture(*first)).await;
            }
            for frame in &visit.frames {
                let taken = in_a_frame(browser.page(base), visit.clone(), *frame);
                ended(taken, &browser, browser.page(base), visit.picture(frame.0)).await;
            }
            browser.close().await;
        }
    }
}

/// Opens the host once in a window and takes a picture of each size.
async fn in_windows(page: Page, visit: Visit) {
    let (width, height, _) = visit.windows[0];
    page.resize(width, height).await;
    page.open(&format!("?run={}", visit.run())).await;
    page.assert_scheme(visit.scheme).await;
    page.stand_at(visit.part).await;
    for size in &visit.windows {
        page.resize(size.0, size.1).await;
        // The charts of a pane are painted anew when their width changes.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let faults = faults::all(&page, size.2).await;
        let png = page.screenshot().await;
        keep(&page, &visit.picture(*size), Some(png), &faults);
    }
}

/// Opens the host in a frame and takes a picture of the frame.
async fn in_a_frame(page: Page, visit: Visit, (size, query): (Size, &'static str)) {
    let (width, height, form) = size;
    page.resize(AROUND.0, AROUND.1).await;
    page.open_other(&format!("{OWN}frame.html")).await;
    let give = format!(
        "const frame = document.querySelector('iframe');
         frame.style.width = '{width}px';
         frame.style.height = '{height}px';
         frame.src = '{PAGE}index.html{query}{}'",
        visit.run()
    );
    page.run(&give).await;
    page.enter_frame().await;
    page.until("the page in the frame", "return document.body?.dataset.ready === 'true'").await;
    page.stand_at(visit.part).await;
    page.run("scrollTo(0, 0)").await;
    let faults = faults::all(&page, form).await;
    page.leave_frame().await;
    let png = page.screenshot_of("iframe").await;
    keep(&page, &visit.picture(size), Some(png), &faults);
}

/// Waits for the pictures. If one cannot be taken, the window as it is then may tell why.
async fn ended(taken: impl Future<Output = ()> + Send + 'static, browser: &Browser, page: Page, picture: Picture) {
    let why = match tokio::time::timeout(LONGEST, tokio::spawn(taken)).await {
        Ok(Ok(())) => return,
        Ok(Err(error)) => {
            let said = error.into_panic();
            let words = said.downcast_ref::<String>().cloned();
            words.or(said.downcast_ref::<&str>().map(|words| (*words).into())).unwrap_or("the browser failed".into())
        }
        Err(_) => format!("the browser hung for {} s", LONGEST.as_secs()),
    };
    keep(&page, &picture, browser.last_picture().await, &[format!("not taken: {why}")]);
}

/// Writes a picture, and its faults beside it.
fn keep(page: &Page, picture: &Picture, png: Option<Vec<u8>>, faults: &[String]) {
    let file = folder().join(picture.file());
    if let Some(png) = png {
        write(&file, &png);
    }
    let beside = file.with_extension("txt");
    // There may be no such file.
    std::fs::remove_file(&beside).ok();
    page.say(&format!("{}: {}", picture.file().display(), if faults.is_empty() { "no fault" } else { "faults:" }));
    if !faults.is_empty() {
        write(&beside, (faults.join("\n") + "\n").as_bytes());
    }
    for fault in faults {
        page.say(&format!("    {fault}"));
    }
}

fn write(file: &Path, bytes: &[u8]) {
    let parent = file.parent().expect("a picture is in a folder");
    std::fs::create_dir_all(parent).expect("target/ can be written");
    std::fs::write(file, bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

/// The folder of all pictures.
fn folder() -> PathBuf {
    zvmlab_tests::root().join(pictures::FOLDER)
}
