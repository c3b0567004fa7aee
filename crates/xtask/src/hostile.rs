//! `hostile`: inputs, hosts, kills and acts made to break page and command line, for as long as one likes. What fails is kept as a
//! file, and `./run test` tries it for ever.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use xtask::engines::Engine;
use xtask::memory::{self, Course};
use xtask::{pictures, trial};

use crate::command::{EVERYTHING, FEATURES, cargo, command, program, root, run as run_command, say, unreleased};
use crate::drivers;
use crate::outcome::Outcome;
use crate::site::Site;
use crate::tools::Tools;

/// The minutes of a trial that is not told how long.
const MINUTES: u64 = 2;

/// From so many minutes on, inputs are also found by the code that they reach: building that takes some two minutes itself.
const GUIDED_MINUTES: u64 = 10;

/// What a guided trial may take for one input, in seconds, and the longest input in bytes.
const GUIDED: [&str; 2] = ["-timeout=2", "-max_len=8192"];

/// The compiler's options that let libFuzzer see which code an input reaches. They are stable; there is no other way to ask for them.
const SEEN: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
                    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// From so many seconds on a reader of one input is said to hang. In a step of all tests only the limit below counts: no test may fail
/// by the clock of a busy machine.
const HANG_S: u64 = 1;

/// For so long a case may be under way before it is said to hang. Chosen: a host's budget takes some seconds on a busy machine.
const STUCK: Duration = Duration::from_secs(60);

/// From one look at a process's memory to the next.
const SAMPLE: Duration = Duration::from_secs(10);

/// How often a failing input is tried while it is made smaller.
const SHRINKS: usize = 400;

/// How many failures of one kind end its trial.
const FAILURES: usize = 5;

/// What a trial is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    minutes: u64,
    seed: u64,
    /// Whether the page is tried; whether readers, hosts and the command line are.
    page: bool,
    native: bool,
    /// Whether one page and one process are to last for the whole time, and their memory is looked at.
    soaks: bool,
}

/// The hostile trial, as its arguments say.
///
/// # Errors
/// When anything failed.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    let asked = read(arguments)?;
    let what = if asked.soaks { "a soak" } else { "a hostile trial" };
    say(&format!("{what} of {} minutes with seed {}", asked.minutes, asked.seed));
    let time = Duration::from_secs(asked.minutes * 60);
    if asked.page {
        drivers::install();
        Site::Release.build(Tools::Page)?;
    }
    // Two cores: one for what needs no browser, one for the page.
    let outcome = std::thread::scope(|scope| {
        let native = || match asked.soaks {
            true => soak(time, asked.seed),
            false => native(time, asked.seed, HANG_S, asked.minutes >= GUIDED_MINUTES),
        };
        let native = asked.native.then(|| scope.spawn(native));
        let page = if asked.page { of_the_page(&asked) } else { Vec::new() };
        let native = native.map(|native| native.join().unwrap_or_else(|_| vec!["the trial itself failed".into()]));
        [native.unwrap_or_default(), page].concat()
    });
    if outcome.is_empty() { Ok(()) } else { Err(outcome.join("\n")) }
}

/// A minute with a fixed seed, as a step of all tests: readers, hosts and the command line. The page has a step of its own.
pub fn in_ci() -> Outcome {
    let failures = native(Duration::from_secs(60), 1, STUCK.as_secs(), false);
    failures.iter().for_each(|failure| println!("{failure}"));
    Outcome::new(u64::from(failures.is_empty()), failures.len() as u64)
}

/// The same of the page in one engine.
pub fn in_ci_of(engine: Engine) -> Outcome {
    Outcome::of(&run_command(trial_of_the_page(engine, 60, 1)))
}

fn read(arguments: &[&str]) -> Result<Asked, String> {
    let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |time| time.as_secs());
    let mut asked = Asked { minutes: MINUTES, seed: clock, page: true, native: true, soaks: false };
    let mut rest = arguments.iter();
    while let Some(&word) = rest.next() {
        let mut number = |least: u64| {
            let text = rest.next().copied().unwrap_or("nothing");
            text.parse()
                .ok()
                .filter(|number| *number >= least)
                .ok_or(format!("{word}: {text} given, a whole number from {least} on is needed"))
        };
        match word {
            "--minutes" => asked.minutes = number(1)?,
            "--seed" => asked.seed = number(0)?,
            "page" => asked.native = false,
            "native" => asked.page = false,
            "soak" => asked.soaks = true,
            _ => return Err(format!("{word} given; hostile takes soak, page or native, --minutes N and --seed N")),
        }
    }
    if asked.page || asked.native { Ok(asked) } else { Err("page and native given, one of them is allowed".into()) }
}

fn folder() -> PathBuf {
    root().join("target/hostile")
}

fn corpus(kind: &str) -> PathBuf {
    root().join("crates/hostile/corpus").join(kind)
}

/// Hosts by chance in one process for the whole time. Returns what failed, memory that grows too.
fn soak(time: Duration, seed: u64) -> Vec<String> {
    if let Err(why) = built() {
        return vec![why];
    }
    let mut samples = Vec::new();
    let mut failures = tried("host", seed, time, HANG_S, &mut samples);
    if let Some(course) = Course::of(&samples) {
        println!("    {}", course.words());
        if !course.is_flat() {
            failures.push(format!("{} soak: the memory grows", trial::FAILURE));
        }
    }
    failures
}

/// Readers, hosts and the command line, one after the other. Returns what failed.
fn native(time: Duration, seed: u64, hang_s: u64, guided: bool) -> Vec<String> {
    let kinds = match built().and_then(|()| kinds()) {
        Ok(kinds) => kinds,
        Err(why) => return vec![why],
    };
    // In twentieths: readers 10, of which 7 guided where they are; hosts 8; kills 2.
    let part = |twentieths: u32| time * twentieths / 20;
    let mut failures = Vec::new();
    for kind in &kinds {
        let each = part(if guided { 3 } else { 10 }) / kinds.len() as u32;
        failures.extend(tried(kind, seed, each, hang_s, &mut Vec::new()));
    }
    if guided {
        failures.extend(guided_trial(&kinds, part(7) / kinds.len() as u32, seed));
    }
    failures.extend(tried("host", seed, part(8), hang_s, &mut Vec::new()));
    failures.extend(kills(seed, part(2)));
    failures
}

/// Builds what makes the trial, and the command line.
fn built() -> Result<(), String> {
    run_command(unreleased(&[&["build"], &FEATURES[..], &["--bin", "zvmlab-hostile", "--bin", "zvmlab"]].concat()))?;
    fs::create_dir_all(folder()).map_err(|error| error.to_string())
}

/// The kinds of input that are only read.
fn kinds() -> Result<Vec<String>, String> {
    let output = command(program("zvmlab-hostile"), &["kinds"]).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let kinds: Vec<String> = text.split_whitespace().map(String::from).collect();
    if kinds.is_empty() { Err("zvmlab-hostile names no kind of input".into()) } else { Ok(kinds) }
}

/// Tries inputs of a kind by chance. A process that ends or hangs has met a failure; another one goes on behind it. The process's
/// memory in MiB is added to the samples every ten seconds.
fn tried(kind: &str, seed: u64, time: Duration, hang_s: u64, samples: &mut Vec<f64>) -> Vec<String> {
    let begun = Instant::now();
    let case = folder().join(format!("{kind}-under-way"));
    let (mut failures, mut sum, mut from) = (Vec::new(), [0; 3], 0);
    while begun.elapsed() < time && failures.len() < FAILURES {
        let left = (time - begun.elapsed()).as_secs().max(1).to_string();
        let numbers = [seed.to_string(), from.to_string(), left, hang_s.to_string()];
        let mut one = command(program("zvmlab-hostile"), &["try", kind]);
        // A long trace would fill the pipe, which is read at the end.
        let ended = one
            .args(numbers)
            .arg(&case)
            .env("RUST_BACKTRACE", "0")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())
            .and_then(|child| watched(child, &case, samples));
        match ended {
            Ok(text) => {
                let numbers: Vec<u64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
                if let [tried, accepted, slowest] = numbers[..] {
                    sum = [sum[0] + tried, sum[1] + accepted, sum[2].max(slowest)];
                }
                break;
            }
            Err(why) => failures.push(format!("{} {kind}: {why}: {}", trial::FAILURE, kept(kind, &case))),
        }
        // Which number failed is not known here: the next process begins far behind it.
        from += 1_000_003;
    }
    let [tried, accepted, slowest] = sum;
    println!(
        "{} {kind}: {tried} tried, {accepted} accepted, {} failed, the slowest {slowest} ms",
        trial::TRIED,
        failures.len()
    );
    failures
}

/// The output of a process that ends well.
///
/// # Errors
/// What it said last, or that it no longer goes on: the file of the case under way stays as it is.
fn watched(mut child: Child, case: &Path, samples: &mut Vec<f64>) -> Result<String, String> {
    let mut seen = (fs::read(case).unwrap_or_default(), Instant::now());
    let mut sampled = Instant::now();
    loop {
        if child.try_wait().map_err(|error| error.to_string())?.is_some() {
            break;
        }
        sleep(Duration::from_millis(100));
        if sampled.elapsed() >= SAMPLE {
            samples.extend(memory::of_tree(child.id()));
            sampled = Instant::now();
        }
        if seen.1.elapsed() > STUCK {
            let now = fs::read(case).unwrap_or_default();
            if now == seen.0 {
                child.kill().and_then(|()| child.wait().map(drop)).ok();
                return Err(format!("it does not go on for {} s", STUCK.as_secs()));
            }
            seen = (now, Instant::now());
        }
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(panicked(&text(&output.stderr))) }
}

/// The words of a panic, without where it came from.
fn panicked(text: &str) -> String {
    let lines = text.lines().skip_while(|line| !line.contains("panicked at")).take(4);
    let said: Vec<&str> =
        lines.take_while(|line| !line.starts_with("stack backtrace") && !line.starts_with("note:")).collect();
    if said.is_empty() { text.lines().last().unwrap_or("it ended").into() } else { said.join(" ") }
}

/// Keeps a failing input in the corpus, as small as it can quickly be made. Returns the file's name.
fn kept(kind: &str, case: &Path) -> String {
    let bytes = shrunk(kind, fs::read(case).unwrap_or_default());
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let file = corpus(kind).join(format!("{:016x}", hasher.finish()));
    match fs::create_dir_all(corpus(kind)).and_then(|()| fs::write(&file, bytes)) {
        Ok(()) => format!("kept as {}", file.strip_prefix(root()).unwrap_or(&file).display()),
        Err(error) => format!("{}: {error}", file.display()),
    }
}

/// Leaves out pieces for as long as what is left still fails: first halves, then ever smaller ones.
fn shrunk(kind: &str, mut bytes: Vec<u8>) -> Vec<u8> {
    let file = folder().join(format!("{kind}-smaller"));
    let mut left = SHRINKS;
    let mut fails = |bytes: &[u8]| {
        if left == 0 || fs::write(&file, bytes).is_err() {
            return false;
        }
        left -= 1;
        let mut again = command(program("zvmlab-hostile"), &["replay", kind]);
        again.arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        // Another process says whether it fails; one that hangs is as slow again, so it is left as it is.
        again.status().is_ok_and(|status| !status.success())
    };
    if !fails(&bytes) {
        return bytes;
    }
    let mut piece = bytes.len() / 2;
    while piece > 0 {
        let mut at = 0;
        while at < bytes.len() {
            let smaller = [&bytes[..at], &bytes[(at + piece).min(bytes.len())..]].concat();
            if fails(&smaller) {
                bytes = smaller;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    bytes
}

/// Inputs found by the code that they reach. libFuzzer is written in C++.
fn guided_trial(kinds: &[String], time: Duration, seed: u64) -> Vec<String> {
    if xtask::engines::found("c++").is_none() {
        println!("  skipped: inputs found by the code that they reach need a C++ compiler, c++");
        return Vec::new();
    }
    let target = "x86_64-unknown-linux-gnu";
    let build = ["build", "--locked", "--package", "zvmlab-hostile", "--bin", "zvmlab-guided"];
    let guided = ["--features", "guided", "--target", target, "--target-dir", "target/guided"];
    let mut build = cargo(&[&build[..], &guided].concat());
    build.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS", SEEN).env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    if let Err(why) = run_command(build) {
        return vec![why];
    }
    let program = root().join("target/guided").join(target).join("debug/zvmlab-guided");
    kinds.iter().flat_map(|kind| guided_by(&program, kind, time, seed)).collect()
}

fn guided_by(guided: &Path, kind: &str, time: Duration, seed: u64) -> Vec<String> {
    let found = folder().join(format!("found-{kind}"));
    let broken = folder().join(format!("broken-{kind}"));
    fs::remove_dir_all(&broken).ok();
    let prepared = fs::create_dir_all(&broken).map_err(|error| error.to_string()).and_then(|()| {
        let mut seeds = command(program("zvmlab-hostile"), &["seeds", kind]);
        run_command({
            seeds.arg(&found);
            seeds
        })
    });
    if let Err(why) = prepared {
        return vec![why];
    }
    let mut run = Command::new(guided);
    run.current_dir(root()).arg(&found).args(GUIDED).args([
        format!("-max_total_time={}", time.as_secs().max(1)),
        format!("-seed={}", seed % u64::from(u32::MAX)),
        format!("-dict={}", found.with_extension("dict").display()),
        format!("-artifact_prefix={}/", broken.display()),
        "-print_final_stats=1".into(),
    ]);
    let output = match run.env("ZVMLAB_HOSTILE_KIND", kind).output() {
        Ok(output) => output,
        Err(error) => return vec![format!("{}: {error}", guided.display())],
    };
    let text = String::from_utf8_lossy(&output.stderr);
    let stat = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("0").trim().to_string();
    println!(
        "{} {kind}, guided: {} tried, the slowest {} s",
        trial::TRIED,
        stat("stat::number_of_executed_units:"),
        stat("stat::slowest_unit_time_sec:")
    );
    let cases = fs::read_dir(&broken).into_iter().flatten().flatten().map(|entry| entry.path());
    cases
        .filter(|case| !case.file_name().is_some_and(|name| name.to_string_lossy().starts_with("slow-unit")))
        .map(|case| format!("{} {kind}, guided: {}: {}", trial::FAILURE, panicked(&text), kept(kind, &case)))
        .collect()
}

/// The command line, killed at any instant.
fn kills(seed: u64, time: Duration) -> Vec<String> {
    let mut run = command(program("zvmlab-hostile"), &["kills"]);
    run.arg(program("zvmlab")).args([seed.to_string(), time.as_secs().max(1).to_string()]).arg(folder().join("killed"));
    match run.output() {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout);
            let numbers: Vec<&str> = text.split_whitespace().collect();
            if let [tried, early, stray] = numbers[..] {
                println!(
                    "{} kills of the command line: {tried} tried, {early} files stayed as they were, {stray} left over",
                    trial::TRIED
                );
            }
            Vec::new()
        }
        Ok(output) => vec![format!("{} kills: {}", trial::FAILURE, String::from_utf8_lossy(&output.stderr).trim())],
        Err(error) => vec![error.to_string()],
    }
}

/// The page in Chromium and Firefox, one after the other. A soak is of the first that is there: half its time would be another soak.
fn of_the_page(asked: &Asked) -> Vec<String> {
    let engines = [Engine::Chromium, Engine::Firefox];
    let there = engines.into_iter().filter(|engine| match engine.missing() {
        None => true,
        Some(why) => {
            println!("  skipped: {}: {why}", engine.name());
            false
        }
    });
    let parts = if asked.soaks { 1 } else { engines.len() as u64 };
    there
        .take(parts as usize)
        .filter_map(|engine| {
            let mut trial = trial_of_the_page(engine, asked.minutes * 60 / parts, asked.seed);
            if asked.soaks {
                trial.env(trial::SOAK, "1");
            }
            run_command(trial).err()
        })
        .collect()
}

fn trial_of_the_page(engine: Engine, seconds: u64, seed: u64) -> Command {
    let mut run = unreleased(&["test", "--quiet"]);
    run.args(EVERYTHING).args(["--test", "browser", "--", "--nocapture", "--ignored", "--exact", "hostile_trial"]);
    run.env(pictures::ENGINE, engine.name());
    run.env(trial::SECONDS, seconds.to_string()).env(trial::SEED, (seed % u64::from(u32::MAX)).to_string());
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_and_refused_in_words() {
        let asked = read(&["--minutes", "30", "--seed", "7", "native"]).expect("it is right");
        assert_eq!((asked.minutes, asked.seed, asked.page, asked.native), (30, 7, false, true));
        assert!(!asked.soaks && read(&["soak"]).expect("it is right").soaks);
        assert_eq!(
            read(&["--minutes", "0"]).expect_err("no time"),
            "--minutes: 0 given, a whole number from 1 on is needed"
        );
        assert!(read(&["--seed"]).expect_err("no seed").contains("nothing given"));
        assert!(read(&["page", "native"]).is_err() && read(&["links"]).is_err());
    }

    #[test]
    fn a_panic_is_told_without_its_trace() {
        let text = "thread 'main' panicked at a.rs:1:2:\nit is too long\nstack backtrace:\n 0: x";
        assert_eq!(panicked(text), "thread 'main' panicked at a.rs:1:2: it is too long");
        assert_eq!(panicked("killed"), "killed");
    }
}
