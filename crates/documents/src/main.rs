//! Writes the file of the model that the page fetches: `zvmlab-documents FOLDER FILE`, with the folder of the pages.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, file] = &arguments[..] else {
        eprintln!("zvmlab-documents takes the folder of the pages and the file to write");
        return ExitCode::FAILURE;
    };
    let written = zvmlab_documents::sections(Path::new(folder))
        .map_err(|error| format!("{folder}: {error}"))
        .and_then(|sections| fs::write(file, zvmlab_documents::file(&sections)).map_err(|error| format!("{file}: {error}")));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
