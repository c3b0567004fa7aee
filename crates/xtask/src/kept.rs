//! Results that are kept: tests whose programs and data are the very bytes with which they passed are not run again.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::command::root;
use crate::outcome::Outcome;
use crate::site::about;
use crate::sizes;

/// Where results are kept, a file each.
const PLACE: &str = "target/kept";

/// What the native tests, those of Python and those of npm read while they run, besides their programs: all but sources in Rust, which
/// are compiled in, and what is no file of ours. Tests that read more are never kept: those of `tests/` and of this crate.
const DATA: [&str; 5] = ["crates", "lessons", "model", "static", "tests"];

/// The variable that decides which cases are generated.
const SEED: &str = "PROPTEST_RNG_SEED";

/// What takes part in [`DATA`]: all but sources, and what was compiled or installed beside them.
fn is_data(file: &Path) -> bool {
    let is_named = |name: &str| file.components().any(|part| part.as_os_str() == name);
    let ends = |ending: &str| file.extension().is_some_and(|extension| extension == ending);
    !(ends("rs") || ends("pyc") || ends("so") || is_named("node_modules") || is_named("__pycache__"))
}

/// Everything on which a result depends: what each part is called, and the sum of its bytes.
#[derive(Debug)]
pub struct Bytes(Vec<(String, u64)>);

impl Bytes {
    /// Of nothing but a text: versions, options.
    pub fn of(text: &str) -> Bytes {
        // Other generated cases are another test.
        Bytes(Vec::new()).and_text("versions", text).and_text(SEED, &std::env::var(SEED).unwrap_or_default())
    }

    /// And of another text.
    pub fn and_text(mut self, name: &str, text: &str) -> Bytes {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        self.0.push((name.into(), hasher.finish()));
        self
    }

    /// And of a file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn and(mut self, file: &Path) -> Result<Bytes, String> {
        let mut hasher = DefaultHasher::new();
        add(&mut hasher, file)?;
        self.0.push((called(file), hasher.finish()));
        Ok(self)
    }

    /// And of a file without which a test leaves something out: whether it is there, and its bytes.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn and_if_there(self, file: &Path) -> Result<Bytes, String> {
        if file.is_file() { self.and(file) } else { Ok(self.and_text(&called(file), "not there")) }
    }

    /// And of the archives in a folder, with their names.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn and_archives_in(self, folder: &Path) -> Result<Bytes, String> {
        self.and_those_in(folder, |file| file.extension().is_some_and(|extension| extension == "zip"))
    }

    /// And of all files of a folder, with their names.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn and_all_in(self, folder: &Path) -> Result<Bytes, String> {
        self.and_those_in(folder, |_| true)
    }

    /// And of [`DATA`].
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn and_data(self) -> Result<Bytes, String> {
        DATA.iter().try_fold(self, |bytes, folder| bytes.and_those_in(&root().join(folder), is_data))
    }

    fn and_those_in(mut self, folder: &Path, wanted: fn(&Path) -> bool) -> Result<Bytes, String> {
        let mut files = sizes::files(folder).map_err(about(folder))?;
        files.retain(|file| wanted(file));
        files.sort();
        let mut hasher = DefaultHasher::new();
        for file in files {
            file.strip_prefix(folder).unwrap_or(&file).hash(&mut hasher);
            add(&mut hasher, &file)?;
        }
        self.0.push((called(folder), hasher.finish()));
        Ok(self)
    }

    /// A line for each part.
    fn lines(&self) -> String {
        self.0.iter().map(|(name, sum)| format!("{sum:016x} {name}\n")).collect()
    }
}

/// What a file or folder is called: its path in the repository, if it is there.
fn called(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

fn add(hasher: &mut DefaultHasher, file: &Path) -> Result<(), String> {
    let mut open = fs::File::open(file).map_err(about(file))?;
    let mut piece = vec![0; 1 << 16];
    loop {
        match open.read(&mut piece).map_err(about(file))? {
            0 => return Ok(()),
            length => hasher.write(&piece[..length]),
        }
    }
}

/// The results that are kept, and whether they count.
#[derive(Debug)]
pub struct Kept {
    folder: PathBuf,
    /// Whether everything is run again.
    again: bool,
}

impl Kept {
    /// Those of this repository; `again` to run everything all the same.
    pub fn new(again: bool) -> Kept {
        Kept { folder: root().join(PLACE), again }
    }

    /// The outcome of tests with this name: the one that is kept if they passed with these bytes, else that of running them. Where it
    /// is not known on what they depend, they are run.
    pub fn or(&self, name: &str, bytes: Result<Bytes, String>, run: impl FnOnce() -> Outcome) -> Outcome {
        let bytes = match bytes {
            Ok(bytes) => bytes.lines(),
            Err(why) => {
                println!("  {name}: {why}");
                return run();
            }
        };
        // A library and a program of the same package differ in `_` and `-` alone.
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
        let file = self.folder.join(name.replace(|letter: char| !is_plain(letter), "."));
        let text = fs::read_to_string(&file).ok().filter(|_| !self.again);
        match text.as_deref().and_then(|text| text.split_once('\n')) {
            Some((result, before)) if before == bytes => {
                if let Some((passed, when)) = told(result) {
                    println!("  {name}: not run again; {passed} passed {when} with the same bytes");
                    return Outcome { kept: passed, ..Outcome::new(passed, 0) };
                }
            }
            Some((_, before)) => println!("  {name}: runs, because of {}", changed(before, &bytes)),
            None => {}
        }
        // A run that is cut short leaves no result.
        fs::remove_file(&file).ok();
        let begun = Instant::now();
        let outcome = run();
        if outcome.failed == 0 && outcome.passed > 0 {
            let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
            let text = format!("{} {seconds} {:.0}\n{bytes}", outcome.passed, begun.elapsed().as_secs_f64());
            if let Err(why) = fs::create_dir_all(&self.folder).and_then(|()| fs::write(&file, text)) {
                println!("  {name}: the result is not kept: {why}");
            }
        }
        outcome
    }
}

/// The names of the parts that are new or have other bytes.
fn changed(before: &str, now: &str) -> String {
    let parts = now.lines().filter(|part| !before.lines().any(|old| old == *part));
    let names: Vec<&str> = parts.filter_map(|part| part.split_once(' ')).map(|(_, name)| name).collect();
    if names.is_empty() { "what is gone".into() } else { names.join(", ") }
}

/// Of a result that is kept: how many tests passed, and when, in words.
fn told(result: &str) -> Option<(u64, String)> {
    let mut words = result.split_whitespace();
    let passed = words.next()?.parse().ok()?;
    let then = UNIX_EPOCH + Duration::from_secs(words.next()?.parse().ok()?);
    let took = words.next()?;
    let minutes = SystemTime::now().duration_since(then).map_or(0, |since| since.as_secs() / 60);
    let ago = match minutes {
        0..120 => format!("{minutes} min ago"),
        120..2880 => format!("{} h ago", minutes / 60),
        _ => format!("{} days ago", minutes / 1440),
    };
    Some((passed, format!("in {took} s {ago}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of a test's own.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let folder = std::env::temp_dir().join(format!("zvmlab-kept-{name}-{}", std::process::id()));
            fs::create_dir_all(folder.join("data")).expect("a folder can be made");
            Folder(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).ok();
        }
    }

    #[test]
    fn tests_run_again_when_their_bytes_change_or_they_failed_or_it_is_asked_for() {
        let folder = Folder::new("again");
        let data = folder.0.join("data");
        fs::write(data.join("a"), "1").expect("written");
        let bytes = || Bytes::of("version 1").and_all_in(&data);
        let kept = |again| Kept { folder: folder.0.join("kept"), again };
        let ran = |again, outcome: Outcome| {
            let mut ran = false;
            let told = kept(again).or("tests: a", bytes(), || {
                ran = true;
                outcome
            });
            (ran, told.passed, told.failed, told.kept)
        };
        assert_eq!(ran(false, Outcome::new(2, 1)), (true, 2, 1, 0));
        assert_eq!(ran(false, Outcome::new(3, 0)), (true, 3, 0, 0), "it failed");
        assert_eq!(ran(false, Outcome::new(9, 9)), (false, 3, 0, 3));
        assert_eq!(ran(true, Outcome::new(3, 0)), (true, 3, 0, 0), "it is asked for");
        fs::write(data.join("a"), "2").expect("written");
        assert_eq!(ran(false, Outcome::new(3, 0)), (true, 3, 0, 0), "other bytes");
        fs::rename(data.join("a"), data.join("b")).expect("renamed");
        assert_eq!(ran(false, Outcome::new(0, 1)), (true, 0, 1, 0), "another name");
        assert_eq!(ran(false, Outcome::new(4, 0)), (true, 4, 0, 0), "a failure is not kept, nor what passed before it");
        let unknown = kept(false).or("tests: a", Err("no file".into()), || Outcome::new(5, 0));
        assert_eq!((unknown.passed, unknown.kept), (5, 0));
    }

    #[test]
    fn what_has_changed_is_named() {
        let before = Bytes::of("1").and_text("dist", "a").lines();
        assert_eq!(changed(&before, &Bytes::of("1").and_text("dist", "b").lines()), "dist");
        assert_eq!(changed(&before, &Bytes::of("2").and_text("dist", "a").lines()), "versions");
        assert_eq!(changed(&before, &Bytes::of("1").lines()), "what is gone");
    }

    #[test]
    fn a_file_without_which_something_is_left_out_counts_once_it_is_there() {
        let folder = Folder::new("there");
        let file = folder.0.join("axe.js");
        let lines = || Bytes::of("1").and_if_there(&file).map(|bytes| bytes.lines());
        let without = lines().expect("it need not be there");
        fs::write(&file, "not there").expect("written");
        let with = lines().expect("it can be read");
        assert_ne!(without, with);
        assert_eq!(changed(&without, &with), file.display().to_string());
    }

    #[test]
    fn data_is_what_tests_read_and_no_source() {
        for (file, expected) in [
            ("crates/lab/src/lib.rs", false),
            ("lessons/aliases.toml", true),
            ("tests/golden/relocation/expected.txt", true),
            ("tests/node_modules/axe-core/axe.js", false),
            ("crates/laws/tests/proptest-regressions/limits.txt", true),
            ("crates/python/python/zvmlab/__init__.py", true),
        ] {
            assert_eq!(is_data(Path::new(file)), expected, "{file}");
        }
        assert!(Bytes::of("").and_data().is_ok());
    }
}
