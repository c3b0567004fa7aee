//! Where text goes: standard output, files, and error messages. Nothing here panics if the other end has closed.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use zvmlab_lab::words::unit::NO_BREAK;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The input cannot be used: one line a problem. Exit code 2.
    Input(Vec<String>),
    /// The command ran, and its result is bad. Exit code 1.
    Verdict(String),
}

/// A file to write when the work is done.
pub struct Target {
    path: PathBuf,
    file: File,
}

/// Opens a file for writing. Called before a long run, so that a bad path is reported at once.
pub fn open(path: Option<&Path>) -> Result<Option<Target>, Failure> {
    let Some(path) = path else { return Ok(None) };
    match File::create(path) {
        Ok(file) => Ok(Some(Target { path: path.to_path_buf(), file })),
        Err(error) => Err(unwritable(path, &error)),
    }
}

impl Target {
    /// Writes `text` as the file's content.
    pub fn write(mut self, text: &str) -> Result<(), Failure> {
        self.file.write_all(text.as_bytes()).map_err(|error| unwritable(&self.path, &error))
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(vec![format!("{}: cannot be written: {error}", path.display())])
}

/// A name may contain any character, and a sentence of the page contains spaces that do not break. A terminal should see neither.
pub fn plain(text: &str) -> String {
    text.replace(char::is_control, " ").replace(NO_BREAK, " ")
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
