//! Reads the data files when the crate is compiled, with the scenarios of their runs. A file that is not TOML, that has an unknown key, or
//! that has a scenario with a problem, stops the build.

#[path = "src/published/file.rs"]
mod file;

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use zvmlab_unoptimised::scenario::Scenario;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=data");
    println!("cargo::rerun-if-changed=src/published/file.rs");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut files = Vec::new();
    for entry in fs::read_dir("data")? {
        let path = entry?.path();
        let wrong = |error: String| format!("{}: {error}", path.display());
        let mut file = file::read(&fs::read_to_string(&path)?).map_err(wrong)?;
        for run in &mut file.run {
            let scenario = Scenario::parse(&run.scenario).map_err(|error| wrong(format!("{}: {error}", run.id)))?;
            run.read = Some(borsh::to_vec(&scenario)?);
            run.scenario.clear();
        }
        files.push(file);
    }
    files.sort_by_key(|file| file.place);
    if let Some(both) = files.windows(2).find(|both| both[0].place == both[1].place) {
        return Err(format!("data: {} and {} have one place", both[0].id, both[1].id).into());
    }
    fs::write(out.join("sources"), borsh::to_vec(&files)?)?;
    Ok(())
}
