//! Makes the files that a page or node loads from a compiled wasm file, by wasm-bindgen's own library at the workspace's
//! version.
use anyhow::{Context, bail};
use wasm_bindgen_cli_support::Bindgen;

/// How to call it.
const USAGE: &str = "usage: bindgen web|nodejs WASM FOLDER [--keep-names]";

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ([target, wasm, folder], keep_names) = match words[..] {
        [target, wasm, folder] => ([target, wasm, folder], false),
        [target, wasm, folder, "--keep-names"] => ([target, wasm, folder], true),
        _ => bail!(USAGE),
    };
    let mut bindgen = Bindgen::new();
    match target {
        "web" => bindgen.web(true)?,
        "nodejs" => bindgen.nodejs(true)?,
        _ => bail!(USAGE),
    };
    // Function names are a third of the download, and only help a person who looks for a fault.
    bindgen.input_path(wasm).typescript(false).remove_name_section(!keep_names);
    // The script finds its wasm file by itself, in its own folder.
    bindgen.omit_default_module_path(false);
    bindgen.generate(folder).with_context(|| format!("{wasm} cannot be made ready for {target}"))
}
