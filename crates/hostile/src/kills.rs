//! The command line, killed at any instant: the files of an earlier result are there as they were, or the new ones whole.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use zvmlab_hostile::dice::Dice;

/// What stands in the files before.
const OLD: &str = "an earlier result\n";

/// The host that is run: a published one, which takes about a second.
const HOST: &str = "V4DVY000";

/// What came of many kills.
pub struct Kills {
    /// How often the command was killed.
    pub tried: u64,
    /// How often before it had written anything.
    pub early: u64,
    /// How many files of no name were left over.
    pub stray: u64,
}

/// Kills the command again and again.
///
/// # Errors
/// What a kill broke.
pub fn kill(program: &Path, seed: u64, time: Duration, folder: &Path) -> Result<Kills, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::remove_dir_all(folder).ok();
    fs::create_dir_all(folder).map_err(failed)?;
    let files = ["result.json", "result.csv"].map(|name| folder.join(name));
    let run = || -> std::io::Result<Child> {
        let mut command = Command::new(program);
        command.args(["run", HOST, "--json"]).arg(&files[0]).arg("--csv").arg(&files[1]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()
    };
    let begun = Instant::now();
    let ended = run().and_then(|mut child| child.wait()).map_err(failed)?;
    let takes = begun.elapsed();
    if !ended.success() {
        return Err(format!("{}: {ended}", program.display()));
    }
    let read = || -> std::io::Result<Vec<String>> { files.iter().map(fs::read_to_string).collect() };
    let whole = read().map_err(failed)?;
    let mut done = Kills { tried: 0, early: 0, stray: 0 };
    while begun.elapsed() < time {
        files.iter().try_for_each(|file| fs::write(file, OLD)).map_err(failed)?;
        let mut dice = Dice::new(seed, "kills", done.tried);
        // Half of the kills come near the end, when something is written.
        let part = if dice.once_in(2) { dice.below(1100) } else { 900 + dice.below(150) };
        let mut child = run().map_err(failed)?;
        sleep(takes * part as u32 / 1000);
        child.kill().and_then(|()| child.wait()).map_err(failed)?;
        for (now, whole) in read().map_err(failed)?.iter().zip(&whole) {
            if now != OLD && now != whole {
                return Err(format!("after a kill at {part} thousandths of the run a file holds {} bytes", now.len()));
            }
            done.early += u64::from(now == OLD);
        }
        for entry in fs::read_dir(folder).map_err(failed)?.flatten().filter(|entry| !files.contains(&entry.path())) {
            done.stray += 1;
            fs::remove_file(entry.path()).map_err(failed)?;
        }
        done.tried += 1;
    }
    Ok(done)
}
