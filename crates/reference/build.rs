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
    let mut files = Vec::new();
    for entry in fs::read_dir("data")? {
        let path = entry?.path();
        files.push(file::read(&fs::read_to_string(&path)?).map_err(|error| format!("{}: {error}", path.display()))?);
    }
    files.sort_by_key(|file| file.place);
    if let Some(both) = files.windows(2).find(|both| both[0].place == both[1].place) {
        return Err(format!("data: {} and {} have one place", both[0].id, both[1].id).into());
    }
    fs::write(out.join("sources"), borsh::to_vec(&files)?)?;
    Ok(())
}
