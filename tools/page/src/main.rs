//! Makes what a page or node loads of a compiled wasm file, by wasm-bindgen's own library at the version that the workspace pins.
use anyhow::{Context, bail};
use wasm_bindgen_cli_support::Bindgen;

/// How it is called.
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
    // The names of functions are a third of a download, and serve only who looks for a fault.
    bindgen.input_path(wasm).typescript(false).remove_name_section(!keep_names);
    // The script finds its wasm file by itself, beside it.
    bindgen.omit_default_module_path(false);
    bindgen.generate(folder).with_context(|| format!("{wasm} cannot be made ready for {target}"))
}
