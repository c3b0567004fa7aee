//! Puts the first screen into an `index.html`: the file is read and written in place.

use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    let Some(file) = env::args().nth(1) else { return failed("usage: first-screen INDEX.HTML") };
    let read = fs::read_to_string(&file).map_err(|error| error.to_string());
    let written = read
        .and_then(|index| zvmlab_web::first_screen::put_into(&index))
        .and_then(|index| fs::write(&file, index).map_err(|error| error.to_string()));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => failed(&format!("{file}: {why}")),
    }
}

fn failed(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::FAILURE
}
