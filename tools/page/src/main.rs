//! Makes the files that a page or node loads from a compiled wasm file, by wasm-bindgen's own library at the workspace's
//! version.
mod data;
mod fold;
mod names;
mod parts;
mod probe;
mod short;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use wasm_bindgen_cli_support::Bindgen;

/// How to call it.
const USAGE: &str = "usage: bindgen web|nodejs WASM FOLDER [--keep-names | --rest LIST | --probe]";

/// What becomes of the program, besides the script that loads it.
enum Form {
    /// It stays whole, with or without the names of its functions.
    Whole { keeps_names: bool },
    /// The functions that a list names go into a file of their own, which the page loads when one of them is called.
    Parts { list: PathBuf },
    /// It tells which of its functions were called.
    Probe,
}

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (target, wasm, folder, form) = match words[..] {
        [target, wasm, folder] => (target, wasm, folder, Form::Whole { keeps_names: false }),
        [target, wasm, folder, "--keep-names"] => (target, wasm, folder, Form::Whole { keeps_names: true }),
        [target, wasm, folder, "--rest", list] => (target, wasm, folder, Form::Parts { list: list.into() }),
        [target, wasm, folder, "--probe"] => (target, wasm, folder, Form::Probe),
        _ => bail!(USAGE),
    };
    let mut bindgen = Bindgen::new();
    match target {
        "web" => bindgen.web(true)?,
        "nodejs" => bindgen.nodejs(true)?,
        _ => bail!(USAGE),
    };
    // Function names are a third of the download, and only help a person who looks for a fault. Without them a program is laid out in
    // half the time.
    if matches!(form, Form::Whole { keeps_names: false }) {
        let program = names::dropped(&fs::read(wasm)?).with_context(|| format!("{wasm} cannot be read"))?;
        bindgen.input_bytes(&stem(wasm), program);
    } else {
        bindgen.input_path(wasm);
    }
    bindgen.typescript(false);
    // Names are read as the compiler writes them (names.rs).
    bindgen.demangle(matches!(form, Form::Whole { .. }));
    // The script finds its wasm file by itself, in its own folder.
    bindgen.omit_default_module_path(false);
    bindgen.generate(folder).with_context(|| format!("{wasm} cannot be made ready for {target}"))?;
    let stem = stem(wasm);
    let file = |end: &str| Path::new(folder).join(format!("{stem}_{end}.wasm"));
    let program = file("bg");
    match form {
        Form::Whole { .. } => Ok(()),
        Form::Parts { list } => {
            let rest = names::read(&list)?;
            let data = data::of_rest(&fs::read(wasm)?, &rest).with_context(|| format!("{wasm} cannot be read"))?;
            let parts =
                parts::parts(&fs::read(&program)?, &rest, &data).with_context(|| format!("{wasm} cannot be divided"))?;
            let script = Path::new(folder).join(format!("{stem}.js"));
            let (first, text) = short::named(&fold::folded(parts.first)?, &fs::read_to_string(&script)?)?;
            fs::write(&program, first)?;
            fs::write(&script, text)?;
            Ok(fs::write(file("rest"), fold::folded(parts.rest)?)?)
        }
        Form::Probe => Ok(fs::write(&program, probe::counting(&fs::read(&program)?)?)?),
    }
}

/// The name of a file without its ending.
fn stem(file: &str) -> String {
    Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
