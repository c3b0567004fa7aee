//! A program that tells which of its functions were called.

use walrus::ir::Value;
use walrus::{ConstExpr, ModuleConfig, ValType};

use crate::names;

/// Has each function of a program set a global of its own, which is exported under this prefix and the function's short name.
const PREFIX: &str = "called ";

/// The program with its counters.
///
/// # Errors
/// When it is no wasm.
pub fn counting(wasm: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut module = ModuleConfig::new().generate_name_section(false).parse(wasm)?;
    for (at, (function, name)) in names::own(&module).into_iter().enumerate() {
        let called = module.globals.add_local(ValType::I32, true, false, ConstExpr::Value(Value::I32(0)));
        // Two functions may share a short name, but not the name of an export.
        module.exports.add(&format!("{PREFIX}{name} {at}"), called);
        let body = module.funcs.get_mut(function).kind.unwrap_local_mut();
        body.builder_mut().func_body().const_at(0, Value::I32(1)).global_set_at(1, called);
    }
    Ok(module.emit_wasm())
}
