//! Names of functions that do not change with the machine that compiles them, and lists of such functions.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use walrus::{FunctionId, FunctionKind, Module};
use wasmparser::BinaryReader;

/// A function's name as lists have it: 40 bits of a hash of its full name with the types that it is made for, as hexadecimal
/// digits. A program has some 20,000 functions, so that two of them rarely share one.
pub fn short(name: &str) -> String {
    let full = format!("{:#}", rustc_demangle::demangle(name));
    format!("{:010x}", hash(full.bytes()) >> 24)
}

/// A hash of 64 bits (FNV-1a).
pub fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The functions that a module has itself, in its order, each with its short name.
pub fn own(module: &Module) -> Vec<(FunctionId, String)> {
    let own = module.funcs.iter().filter(|function| matches!(function.kind, FunctionKind::Local(_)));
    own.map(|function| (function.id(), short(function.name.as_deref().unwrap_or_default()))).collect()
}

/// The number of a section that a tool may leave out.
const CUSTOM: u8 = 0;

/// A program without the names of its functions. In one that is not optimised they are more than half of it.
pub fn dropped(wasm: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut all = BinaryReader::new(wasm, 0);
    let mut left = all.read_bytes(8)?.to_vec();
    while !all.eof() {
        let start = all.original_position();
        let (id, mut section) = (all.read_u8()?, all.read_reader()?);
        if id != CUSTOM || section.read_string()? != "name" {
            left.extend(&wasm[start..all.original_position()]);
        }
    }
    Ok(left)
}

/// Reads a list: short names between white space; a line that begins with `#` is a comment.
pub fn read(file: &Path) -> anyhow::Result<HashSet<String>> {
    let text = fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let names: HashSet<String> = lines.flat_map(str::split_whitespace).map(String::from).collect();
    let wrong = names.iter().find(|name| name.len() != 10 || name.bytes().any(|byte| !byte.is_ascii_hexdigit()));
    ensure!(wrong.is_none(), "{} has {wrong:?}, which is no short name of a function", file.display());
    Ok(names)
}
