//! The hostile trial of the page: `site/hostile.js` in a browser, class by class. `./run hostile` calls it; the story replays what
//! failed once.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use xtask::engines::Engine;
use xtask::memory::Course;
use xtask::trial::{FAILURE, SECONDS, SEED, SOAK, TRIED};

use crate::driver::{Browser, Scheme};
use crate::page::Page;

/// The classes, each with its part of the time in twentieths.
const CLASSES: [(&str, u64); 5] =
    [("acts", 10), ("kills", 4), ("failing hosts", 3), ("hostile parents", 2), ("hostile children", 1)];

/// The longest time of one call, in ms: less than a driver's patience.
const CALL_MS: u64 = 60_000;

/// A number from the environment.
fn given(name: &str) -> u64 {
    let text = std::env::var(name).expect("./run hostile gives it");
    text.parse().expect("./run hostile gives a whole number")
}

/// One page for the whole time, with acts by chance; its memory is looked at after each minute.
///
/// # Panics
/// When an act failed, or the memory grew.
async fn soak(engine: Engine, base: &str) {
    let (time, seed, begun) = (Duration::from_secs(given(SECONDS)), given(SEED), Instant::now());
    let browser = Browser::start(engine, Scheme::Calm).await;
    let page = browser.page(base);
    page.open_other("/test/hostile.html").await;
    page.until("the trial", "return document.body?.dataset.ready === 'true'").await;
    let (mut samples, mut tried, mut slowest, mut hangs) = (Vec::new(), 0, 0.0_f64, 0);
    // A call takes longer than its time on a busy machine: the clock says when it is enough.
    for call in 0.. {
        if begun.elapsed() >= time {
            break;
        }
        let script = format!(
            "const end = arguments[arguments.length - 1];
             trial.soak({}, {CALL_MS}).then(end, (error) => end({{ failed: [String(error)] }}))",
            seed + call
        );
        let came = page.run_async(&script).await;
        tried += came["tried"].as_u64().unwrap_or_default();
        slowest = slowest.max(came["slowest"].as_f64().unwrap_or_default());
        hangs += came["hangs"].as_array().map_or(0, Vec::len);
        samples.extend(browser.memory());
        println!(
            "  {}, minute {}: {tried} acts so far, {} elements, {:.0} MiB",
            engine.name(),
            begun.elapsed().as_secs() / 60,
            came["elements"],
            samples.last().copied().unwrap_or_default()
        );
        let failed = came["failed"].as_array().cloned().unwrap_or_default();
        let failed: Vec<String> = failed.iter().map(kept).collect();
        assert!(failed.is_empty(), "{FAILURE} {}, soak, seed {}: {failed:?}", engine.name(), seed + call);
    }
    browser.close().await;
    println!("{TRIED} {}, soak: {tried} acts in one page, {hangs} over 1 s, the longest {slowest:.0} ms", engine.name());
    if let Some(course) = Course::of(&samples) {
        println!("    {}", course.words());
        assert!(course.is_flat(), "{}: the memory grows", engine.name());
    }
}

/// Makes every class of the trial in this engine, or its soak, and prints what came of each.
///
/// # Panics
/// When anything failed.
pub async fn trial(engine: Engine, base: &str) {
    if std::env::var_os(SOAK).is_some() {
        return soak(engine, base).await;
    }
    let (seconds, seed) = (given(SECONDS), given(SEED));
    let files = json!(files());
    let mut failures = 0;
    for (class, part) in CLASSES {
        let (mut left, mut number) = (seconds * 1000 * part / 20, 0);
        let (mut tried, mut slowest, mut hangs) = (0, 0.0_f64, Vec::new());
        while left > 0 {
            let time = left.min(CALL_MS);
            left -= time;
            let browser = Browser::start(engine, Scheme::Calm).await;
            let page = browser.page(base);
            page.open_other("/test/hostile.html").await;
            page.until("the trial", "return document.body?.dataset.ready === 'true'").await;
            let call = format!(
                "const end = arguments[arguments.length - 1];
                 trial.run({class:?}, {}, {time}, {files}).then(end, (error) => end({{ failed: [String(error)] }}))",
                seed + number
            );
            let came = page.run_async(&call).await;
            browser.close().await;
            number += 1;
            tried += came["tried"].as_u64().unwrap_or_default();
            slowest = slowest.max(came["slowest"].as_f64().unwrap_or_default());
            hangs.extend(came["hangs"].as_array().cloned().unwrap_or_default());
            for failed in came["failed"].as_array().into_iter().flatten() {
                failures += 1;
                println!("{FAILURE} {}, {class}, seed {}: {}", engine.name(), seed + number - 1, kept(failed));
            }
        }
        println!("{TRIED} {}, {class}: {tried} tried, {} over 1 s, the longest {slowest:.0} ms", engine.name(), hangs.len());
        for hang in hangs.iter().take(3) {
            println!("    {hang}");
        }
    }
    assert_eq!(failures, 0, "{}: something failed in the hostile trial", engine.name());
}

/// The files of the page, but for those that only an other page asks for.
fn files() -> Vec<String> {
    let dist = zvmlab_tests::root().join("dist");
    let mut files = Vec::new();
    for folder in ["", "pkg", "static"] {
        for entry in fs::read_dir(dist.join(folder)).into_iter().flatten().flatten() {
            let name = entry.file_name().into_string().unwrap_or_default();
            if entry.path().is_file() && !["licences.txt", "model.html", "editor.js", "zvm-lab.js"].contains(&name.as_str())
            {
                files.push(if folder.is_empty() { name } else { format!("{folder}/{name}") });
            }
        }
    }
    files.sort();
    files
}

/// Keeps acts that failed as a file to replay, and says what failed.
fn kept(failed: &Value) -> String {
    let Some(acts) = failed.get("acts").and_then(Value::as_array) else { return failed.to_string() };
    let mut hasher = DefaultHasher::new();
    failed.to_string().hash(&mut hasher);
    let file = corpus().join(format!("{:016x}.json", hasher.finish()));
    fs::create_dir_all(corpus()).expect("the tree can be written");
    fs::write(&file, failed.to_string()).expect("the tree can be written");
    format!("{} after {} acts; kept as {}", failed["errors"], acts.len(), file.display())
}

fn corpus() -> PathBuf {
    zvmlab_tests::root().join("crates/hostile/corpus/acts")
}

/// What failed once does not fail again.
pub async fn replay(page: &Page) {
    let mut files: Vec<PathBuf> =
        fs::read_dir(corpus()).expect("the corpus is there").flatten().map(|entry| entry.path()).collect();
    files.sort();
    page.say(&format!("{} lists of acts that failed once", files.len()));
    page.open_other("/test/hostile.html").await;
    page.until("the trial", "return document.body?.dataset.ready === 'true'").await;
    for file in files {
        let acts = fs::read_to_string(&file).expect("a file of acts");
        let call = format!(
            "const end = arguments[arguments.length - 1];
             trial.replay({acts}).then(end, (error) => end([String(error)]))"
        );
        assert_eq!(page.run_async(&call).await, json!([]), "{}", file.display());
    }
}
