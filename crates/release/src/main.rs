//! What `./run release` calls when the parts of a release are built: it puts them into files, each with the same bytes whenever and
//! wherever that is done.

mod archive;
mod bill;
mod notes;
mod sums;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Makes the files of a release.
#[derive(Parser)]
#[command(name = "zvmlab-release", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// A folder as an archive, `.tar.gz`: sorted, of one time, nobody's own
    Archive {
        /// The folder
        folder: PathBuf,
        /// The name of the folder in the archive
        #[arg(long)]
        name: String,
        /// The time of every file, in seconds since 1970
        #[arg(long)]
        epoch: u64,
        /// The archive
        #[arg(long)]
        to: PathBuf,
    },
    /// One bill of materials (CycloneDX) from those of the parts of an artifact
    Bill {
        /// Bills of the parts, as JSON
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        /// The name of the whole
        #[arg(long)]
        name: String,
        /// Its file
        #[arg(long)]
        artifact: PathBuf,
        /// The bill
        #[arg(long)]
        to: PathBuf,
    },
    /// What a version brought, from the changelog
    Notes {
        /// The changelog
        changelog: PathBuf,
        /// What stands beneath the title
        #[arg(long)]
        versions: String,
        /// The notes
        #[arg(long)]
        to: PathBuf,
    },
    /// The checksums of a folder's files, `SHA256SUMS`
    Sums {
        /// The folder
        folder: PathBuf,
    },
}

/// The version of a release: that of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn main() -> ExitCode {
    match run(&Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("zvmlab-release: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command) -> Result<(), String> {
    match command {
        Command::Archive { folder, name, epoch, to } => archive::write(folder, name, *epoch, to),
        Command::Bill { parts, name, artifact, to } => {
            let parts = parts.iter().map(|part| bill::read(part)).collect::<Result<Vec<_>, String>>()?;
            let whole = bill::Whole { name, version: VERSION, sha256: &sums::of(artifact)? };
            write(to, &bill::joined(&parts, &whole)?)
        }
        Command::Notes { changelog, versions, to } => {
            write(to, &notes::of(&read(changelog)?, VERSION, versions).map_err(|why| about(changelog, why))?)
        }
        Command::Sums { folder } => write(&folder.join(sums::FILE), &sums::all(folder)?),
    }
}

/// The text of a file.
fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| about(file, error))
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| about(file, error))
}

/// An error with the file that it is about.
fn about(file: &Path, error: impl std::fmt::Display) -> String {
    format!("{}: {error}", file.display())
}
