//! A small program, divided: what each part has, and what stands in its table and memory.

use std::collections::HashSet;

use walrus::ir::Value;
use walrus::{
    ConstExpr, DataKind, ElementItems, ElementKind, FunctionBuilder, FunctionId, FunctionKind, ImportKind, Module, RefType,
    ValType,
};
use wasmparser::Validator;

use crate::{fold, names, parts, probe, short};

/// Where the data of the program stand: eight bytes that `early` reads, then eight that `late` reads.
const DATA: usize = 1024;

/// A program of `early`, which calls `late` and `twice` directly and `other` through the table, where `late` and `other` stand. `twice`
/// and `again` do the same. It imports what loads its rest if it has a `loader`.
fn program(loader: bool) -> Vec<u8> {
    let mut module = Module::default();
    let kind = module.types.add(&[], &[ValType::I32]);
    if loader {
        let nothing = module.types.add(&[], &[]);
        module.add_import_func("page", "__wbg_zvmlabRest_0123456789abcdef", nothing);
    }
    let memory = module.memories.add_local(false, false, 1, None, None);
    let data = [[1_u8; 8], [2_u8; 8]].concat();
    let offset = ConstExpr::Value(Value::I32(DATA as i32));
    let data = module.data.add(DataKind::Active { memory, offset }, data);
    module.memories.get_mut(memory).data_segments.insert(data);
    let gives = |module: &mut Module, name: &str, number| {
        let mut function = FunctionBuilder::new(&mut module.types, &[], &[ValType::I32]);
        function.name(name.into()).func_body().i32_const(number);
        function.finish(Vec::new(), &mut module.funcs)
    };
    let late = gives(&mut module, "late", 1);
    let other = gives(&mut module, "other", 2);
    let twice = gives(&mut module, "twice", 3);
    let again = gives(&mut module, "again", 3);
    let table = module.tables.add_local(false, 3, Some(3), RefType::FUNCREF);
    let offset = ConstExpr::Value(Value::I32(1));
    let slots = module.elements.add(ElementKind::Active { table, offset }, ElementItems::Functions(vec![late, other]));
    module.tables.get_mut(table).elem_segments.insert(slots);
    let mut early = FunctionBuilder::new(&mut module.types, &[], &[ValType::I32]);
    early.name("early".into()).func_body().call(late).drop().call(again).drop().call(twice).drop();
    early.func_body().i32_const(2).call_indirect(kind, table);
    let early = early.finish(Vec::new(), &mut module.funcs);
    module.exports.add("early", early);
    module.exports.add("late", late);
    module.exports.add("memory", memory);
    module.exports.add("table", table);
    module.emit_wasm()
}

/// What a list of these functions names.
fn list(names: &[&str]) -> HashSet<String> {
    names.iter().map(|name| names::short(name)).collect()
}

fn divided() -> (Module, Module) {
    let data = DATA + 8..DATA + 16;
    let parts = parts::parts(&program(true), &list(&["late", "other", "unknown"]), &[data]).expect("it can be divided");
    let read = |wasm: &[u8]| {
        Validator::new().validate_all(wasm).expect("it is wasm");
        Module::from_buffer(wasm).expect("it is wasm")
    };
    (read(&parts.first), read(&parts.rest))
}

/// The results of functions that only give a number.
fn numbers(module: &Module) -> HashSet<i32> {
    let body = |id: FunctionId| match &module.funcs.get(id).kind {
        FunctionKind::Local(body) => {
            body.block(body.entry_block()).instrs.first().map(|(instruction, _)| instruction.clone())
        }
        _ => None,
    };
    let numbers = module.funcs.iter().filter_map(|function| match body(function.id())? {
        walrus::ir::Instr::Const(walrus::ir::Const { value: Value::I32(number) }) => Some(number),
        _ => None,
    });
    numbers.collect()
}

/// The places of the table that a module fills.
fn filled(module: &Module) -> Vec<i32> {
    let segments = module.elements.iter().map(|segment| match (&segment.kind, &segment.items) {
        (ElementKind::Active { offset: ConstExpr::Value(Value::I32(from)), .. }, ElementItems::Functions(functions)) => {
            *from..*from + functions.len() as i32
        }
        other => panic!("{other:?}"),
    });
    segments.flatten().collect()
}

/// The data of a module: their addresses and bytes.
fn data(module: &Module) -> Vec<(i32, Vec<u8>)> {
    let segments = module.data.iter().map(|segment| match segment.kind {
        DataKind::Active { offset: ConstExpr::Value(Value::I32(from)), .. } => (from, segment.value.clone()),
        ref other => panic!("{other:?}"),
    });
    segments.collect()
}

#[test]
fn each_part_has_its_functions_and_its_data() {
    let (first, rest) = divided();
    // Doorways of the first part begin with the place of what they call: `late` stands at 1.
    let (of_first, of_rest) = (numbers(&first), numbers(&rest));
    assert!(of_first.contains(&3) && !of_first.contains(&2), "{of_first:?}");
    assert!(of_rest.is_superset(&HashSet::from([1, 2])) && !of_rest.contains(&3), "{of_rest:?}");
    assert_eq!(data(&first), [(DATA as i32, vec![1; 8])]);
    assert_eq!(data(&rest), [(DATA as i32 + 8, vec![2; 8])]);
    assert_eq!((filled(&first), filled(&rest)), (vec![], vec![1, 2]));
}

#[test]
fn the_rest_imports_nothing_but_what_the_first_part_exports() {
    let (first, rest) = divided();
    let exports: HashSet<&str> = first.exports.iter().map(|export| export.name.as_str()).collect();
    for import in rest.imports.iter() {
        assert!(import.module == "first" && exports.contains(import.name.as_str()), "{import:?}");
    }
    let complete = |module: &Module| {
        module.imports.iter().find(|import| import.name.starts_with("complete ")).map(|one| one.name.clone())
    };
    assert!(complete(&rest).is_some_and(|name| exports.contains(name.as_str())));
    for name in ["early", "late", "memory", "table"] {
        assert!(exports.contains(name), "{name} was exported before: {exports:?}");
    }
    assert!(rest.start.is_some() && rest.exports.iter().next().is_none());
}

#[test]
fn the_first_part_imports_its_loader_and_keeps_what_no_list_knows() {
    let (first, _) = divided();
    let imports: Vec<_> =
        first.imports.iter().map(|import| (import.name.as_str(), matches!(import.kind, ImportKind::Function(_)))).collect();
    assert_eq!(imports, [("__wbg_zvmlabRest_0123456789abcdef", true)]);
    let whole = parts::parts(&program(true), &HashSet::new(), &[]).expect("it can be divided");
    let numbers = numbers(&Module::from_buffer(&whole.first).expect("it is wasm"));
    assert!(numbers.is_superset(&HashSet::from([1, 2, 3])), "{numbers:?}");
}

#[test]
fn a_program_is_told_from_another_build() {
    let complete = |list: &HashSet<String>, wasm: &[u8]| {
        let rest = parts::parts(wasm, list, &[]).expect("it can be divided").rest;
        let rest = Module::from_buffer(&rest).expect("it is wasm");
        rest.imports.iter().map(|import| import.name.clone()).find(|name| name.starts_with("complete "))
    };
    let mut other = Module::from_buffer(&program(true)).expect("it is wasm");
    other.exports.iter_mut().for_each(|export| export.name += " of another");
    assert_eq!(complete(&list(&["late"]), &program(true)), complete(&list(&["late"]), &program(true)));
    assert_ne!(complete(&list(&["late"]), &program(true)), complete(&list(&["late"]), &other.emit_wasm()));
}

#[test]
fn a_program_without_a_loader_is_refused() {
    let why = parts::parts(&program(false), &list(&["late"]), &[]).err().map(|error| error.to_string());
    assert_eq!(why.as_deref(), Some("the program does not import zvmlabRest"));
}

#[test]
fn functions_that_do_the_same_become_one() {
    let folded = fold::folded(program(true)).expect("it is wasm");
    Validator::new().validate_all(&folded).expect("it is wasm");
    let count = |wasm: &[u8]| {
        let module = Module::from_buffer(wasm).expect("it is wasm");
        module.funcs.iter().filter(|function| matches!(function.kind, FunctionKind::Local(_))).count()
    };
    assert_eq!((count(&program(true)), count(&folded)), (5, 4));
}

#[test]
fn each_function_gets_a_counter_of_its_name() {
    let counting = probe::counting(&program(true)).expect("it is wasm");
    Validator::new().validate_all(&counting).expect("it is wasm");
    let module = Module::from_buffer(&counting).expect("it is wasm");
    let counters: HashSet<_> =
        module.exports.iter().filter_map(|export| export.name.strip_prefix("called ")?.split(' ').next()).collect();
    let all = list(&["early", "late", "other", "twice", "again"]);
    assert_eq!(counters, all.iter().map(String::as_str).collect());
}

#[test]
fn imports_lose_their_hash_in_the_program_and_its_script() {
    let script = "imports.__wbg_zvmlabRest_0123456789abcdef = zvmlabRest; // x__wbg_zvmlabRest_0123456789abcdef";
    let (wasm, script) = short::named(&program(true), script).expect("it is wasm");
    let module = Module::from_buffer(&wasm).expect("it is wasm");
    let names: Vec<_> = module.imports.iter().map(|import| import.name.as_str()).collect();
    assert_eq!(names, ["__wbg_zvmlabRest"]);
    assert_eq!(script, "imports.__wbg_zvmlabRest = zvmlabRest; // x__wbg_zvmlabRest_0123456789abcdef");
}

#[test]
fn a_program_without_names_is_otherwise_the_same() {
    let program = program(false);
    let without = names::dropped(&program).expect("a program has sections");
    assert!(without.len() < program.len());
    assert!(Module::from_buffer(&without).expect("a program").funcs.iter().all(|function| function.name.is_none()));
    assert_eq!(names::dropped(&without).expect("a program"), without, "there is nothing more to drop");
    Validator::new().validate_all(&without).expect("a valid program");
    assert!(names::dropped(&program[..program.len() - 1]).is_err(), "its last section is cut");
}
