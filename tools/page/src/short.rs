//! Short names for what a program and its script import from each other. wasm-bindgen ends each with a hash, half of which no compression
//! makes smaller.

use std::collections::{HashMap, HashSet};

use walrus::ModuleConfig;

/// How many digits such a hash has.
const HASH: usize = 16;

/// The program and its script with short names.
///
/// # Errors
/// When it is no wasm.
pub fn named(wasm: &[u8], script: &str) -> anyhow::Result<(Vec<u8>, String)> {
    let mut module = ModuleConfig::new().generate_name_section(false).generate_producers_section(false).parse(wasm)?;
    let (mut taken, mut short): (HashSet<String>, HashMap<String, String>) = Default::default();
    taken.extend(module.exports.iter().map(|export| export.name.clone()));
    let mut shorten = |name: &str, wanted: &str| {
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let free = std::iter::once(wanted.to_string()).chain(numbered).find(|one| taken.insert(one.clone()));
        short.insert(name.into(), free.unwrap_or_default());
        short[name].clone()
    };
    for import in module.imports.iter_mut() {
        if let Some((wanted, hash)) = import.name.rsplit_once('_')
            && hash.len() == HASH
        {
            import.name = shorten(&import.name, wanted);
        }
    }
    for export in module.exports.iter_mut().filter(|export| export.name.starts_with("_R")) {
        export.name = shorten(&export.name, "called");
    }
    Ok((module.emit_wasm(), with(script, &short)))
}

/// A script with other words in the place of some.
fn with(script: &str, others: &HashMap<String, String>) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$';
    let mut written = String::with_capacity(script.len());
    let mut rest = script;
    while !rest.is_empty() {
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        written += others.get(word).map_or(word, String::as_str);
        let next = after.find(is_part).unwrap_or(after.len());
        written += &after[..next];
        rest = &after[next..];
    }
    written
}
