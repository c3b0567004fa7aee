//! Reads the data files when the crate is compiled. A file that is not TOML, or that has an unknown key, stops the build.

#[path = "src/published/file.rs"]
mod file;

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=data");
    println!("cargo::rerun-if-changed=src/published/file.rs");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for entry in fs::read_dir("data")? {
        let path = entry?.path();
        let read = file::read(&fs::read_to_string(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
        fs::write(out.join(path.file_stem().ok_or("a data file has a name")?), borsh::to_vec(&read)?)?;
    }
    Ok(())
}
