//! Where text goes: standard output, files, and error messages. Nothing here panics if the other end has closed.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};
pub use zvmlab_lab::words::unit::plain;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The input cannot be used: one line a problem. Exit code 2.
    Input(Vec<String>),
    /// The command ran, and its result is bad. Exit code 1.
    Verdict(String),
}

/// A file to write when the work is done. Until then it stays as it is, and then it is replaced at once: a command that is killed leaves
/// what was there before.
pub struct Target {
    path: PathBuf,
    way: Way,
}

/// How a target is written.
enum Way {
    /// By a new file that takes the place of this one. A link stays, and the file that it leads to is replaced.
    Replace(PathBuf),
    /// As it is: a pipe, a terminal, or a file in a folder that takes no other file.
    Through(PathBuf),
    /// On standard output, where nothing else is printed then.
    Printed,
}

/// The path that means standard output, as it means standard input where a scenario is read.
const STANDARD: &str = "-";

/// Looks whether a file can be written. Called before a long run, so that a bad path is reported at once.
pub fn open(path: Option<&Path>) -> Result<Option<Target>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let way = way(path).map_err(|error| unwritable(path, &error))?;
    Ok(Some(Target { path: path.to_path_buf(), way }))
}

fn way(path: &Path) -> io::Result<Way> {
    if path == Path::new(STANDARD) {
        return Ok(Way::Printed);
    }
    match fs::metadata(path) {
        Ok(known) => {
            if known.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            // A pipe behind /dev/stdout has no path of its own.
            if !known.is_file() {
                return Ok(Way::Through(path.to_path_buf()));
            }
            let file = path.canonicalize()?;
            File::options().write(true).open(&file)?;
            Ok(if beside(&file).is_ok() { Way::Replace(file) } else { Way::Through(file) })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            beside(path)?;
            Ok(Way::Replace(path.to_path_buf()))
        }
        Err(error) => Err(error),
    }
}

/// A new file in the folder of `path`, with the rights that the file there has, else those of any new file. It goes if it does not take
/// a name.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut new = Builder::new();
    new.prefix(".zvmlab-");
    if let Some(rights) = fs::metadata(path).ok().map(|known| known.permissions()).or_else(usual) {
        new.permissions(rights);
    }
    new.tempfile_in(folder)
}

/// The rights of any new file, as far as the system's mask allows them.
fn usual() -> Option<Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    None
}

impl Target {
    /// Whether it is standard output.
    pub fn is_printed(&self) -> bool {
        matches!(self.way, Way::Printed)
    }

    /// Writes `text` as the file's content.
    pub fn write(self, text: &str) -> Result<(), Failure> {
        let written = match &self.way {
            Way::Replace(path) => beside(path).and_then(|mut new| {
                new.write_all(text.as_bytes())?;
                new.as_file().sync_all()?;
                new.persist(path).map(drop).map_err(|error| error.error)
            }),
            Way::Printed => return print(text),
            Way::Through(path) => {
                File::options().write(true).truncate(true).open(path).and_then(|mut file| file.write_all(text.as_bytes()))
            }
        };
        written.map_err(|error| unwritable(&self.path, &error))
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(vec![format!("{}: cannot be written: {error}", path.display())])
}

/// Prints what people read, and writes what programs read. What goes to standard output itself takes the place of the former.
pub fn put(words: &str, files: impl IntoIterator<Item = (Target, String)>) -> Result<(), Failure> {
    let files: Vec<(Target, String)> = files.into_iter().collect();
    if !files.iter().any(|(target, _)| target.is_printed()) {
        print(words)?;
    }
    files.into_iter().try_for_each(|(target, text)| target.write(&text))
}

/// Prints `text` to standard output. A reader that has closed it (`zvmlab runs | head -1`) has what it wanted.
pub fn print(text: &str) -> Result<(), Failure> {
    print_on(text).map(|_| ())
}

/// Prints a part of a longer text; `false` if the reader has closed it, so that the rest need not be made.
pub fn print_on(text: &str) -> Result<bool, Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::Input(vec![format!("standard output: cannot be written: {error}")])),
    }
}

/// Says on standard error why a command failed, one line a problem.
pub fn complain(failure: &Failure) {
    let text = match failure {
        Failure::Input(problems) => problems.join("\n"),
        Failure::Verdict(message) => message.clone(),
    };
    // If standard error is closed too, nobody is left to tell.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
