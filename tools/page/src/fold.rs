//! Leaves one of functions that do the same, byte by byte: the compiler makes a function for each type, and many of them come out alike.

use std::collections::HashMap;

use walrus::ir::{VisitorMut, dfs_pre_order_mut};
use walrus::{ElementItems, ExportItem, FunctionId, FunctionKind, ModuleConfig};
use wasmparser::{Parser, Payload};

/// How often to look again: callers of functions that became one may be alike then.
const ROUNDS: usize = 4;

/// The program with one of each.
///
/// # Errors
/// When it is no wasm.
pub fn folded(mut wasm: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    for _ in 0..ROUNDS {
        let twins = twins(&wasm)?;
        if twins.is_empty() {
            break;
        }
        wasm = with_one_of(&wasm, &twins)?;
    }
    Ok(wasm)
}

/// The places of functions that are like an earlier one, each with the place of that.
fn twins(wasm: &[u8]) -> anyhow::Result<HashMap<usize, usize>> {
    let (mut imported, mut kinds, mut seen, mut twins) = (0, Vec::new(), HashMap::new(), HashMap::new());
    let mut bodies = 0;
    for payload in Parser::new(0).parse_all(wasm) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += usize::from(matches!(import?.ty, wasmparser::TypeRef::Func(_)));
                }
            }
            Payload::FunctionSection(functions) => kinds = functions.into_iter().collect::<Result<Vec<u32>, _>>()?,
            Payload::CodeSectionEntry(body) => {
                let place = imported + bodies;
                let first = *seen.entry((kinds.get(bodies).copied(), body.as_bytes().to_vec())).or_insert(place);
                if first != place {
                    twins.insert(place, first);
                }
                bodies += 1;
            }
            _ => {}
        }
    }
    Ok(twins)
}

/// Names one function instead of another.
struct Instead<'a>(&'a HashMap<FunctionId, FunctionId>);

impl Instead<'_> {
    fn change(&self, function: &mut FunctionId) {
        *function = *self.0.get(function).unwrap_or(function);
    }
}

impl VisitorMut for Instead<'_> {
    fn visit_function_id_mut(&mut self, function: &mut FunctionId) {
        self.change(function);
    }
}

fn with_one_of(wasm: &[u8], twins: &HashMap<usize, usize>) -> anyhow::Result<Vec<u8>> {
    let mut module = ModuleConfig::new().generate_name_section(false).generate_producers_section(false).parse(wasm)?;
    let functions: Vec<FunctionId> = module.funcs.iter().map(|function| function.id()).collect();
    let instead: HashMap<_, _> = twins.iter().map(|(place, first)| (functions[*place], functions[*first])).collect();
    let mut instead = Instead(&instead);
    for function in &functions {
        if let FunctionKind::Local(body) = &mut module.funcs.get_mut(*function).kind {
            let entry = body.entry_block();
            dfs_pre_order_mut(&mut instead, body, entry);
        }
    }
    for export in module.exports.iter_mut() {
        if let ExportItem::Function(function) = &mut export.item {
            instead.change(function);
        }
    }
    for segment in module.elements.iter_mut() {
        if let ElementItems::Functions(functions) = &mut segment.items {
            functions.iter_mut().for_each(|function| instead.change(function));
        }
    }
    if let Some(start) = &mut module.start {
        instead.change(start);
    }
    walrus::passes::gc::run(&mut module);
    Ok(module.emit_wasm())
}
