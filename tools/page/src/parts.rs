//! Divides a program into two: what a first visit calls, and the rest.
//!
//! Both share the memory, the table of functions and the globals, which the first part has and exports. The rest imports them, and
//! each function of the first part that it calls. The first part calls the rest through the table: where a function of the rest will
//! stand is nothing before. So each call through the table looks, and has the rest loaded first. When the rest is instantiated, it
//! writes its functions into the table.
//!
//! Text and numbers (data) that only functions of the rest read come with it (`data.rs`).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use anyhow::{Context, ensure};
use walrus::ir::{Call, CallIndirect, Instr, InstrLocId, Value, Visitor, VisitorMut, dfs_in_order, dfs_pre_order_mut};
use walrus::{
    ConstExpr, DataKind, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, FunctionKind, GlobalId,
    GlobalKind, ImportKind, ImportedFunction, InstrSeqBuilder, LocalId, Module, ModuleConfig, TableId, TypeId, ValType,
};

use crate::names;

/// A function that loads the rest, which the program imports from its page, has this in its name.
const LOADER: &str = "zvmlabRest";
/// Begins the name of the global that the rest sets when it has come. A hash of the program stands behind it, so that the rest of
/// another build cannot be instantiated.
const COMPLETE: &str = "complete";
/// The module from which the rest imports.
const FIRST: &str = "first";

/// How many zeros may stand in a piece of data: another piece costs as many bytes.
const NEAR: usize = 6;

/// A program in two parts.
pub struct Parts {
    /// What a first visit calls.
    pub first: Vec<u8>,
    /// All other functions.
    pub rest: Vec<u8>,
}

/// The two parts of `wasm`, which still has the names of its functions. The rest has those whose short names are in `rest`.
/// A function that the list does not know is in the first part. The `data` at these addresses goes to the rest too.
///
/// # Errors
/// When it is no wasm, has no loader, or has tables of another kind than compilers and wasm-bindgen make today.
pub fn parts(wasm: &[u8], rest: &HashSet<String>, data: &[Range<usize>]) -> anyhow::Result<Parts> {
    let read = || ModuleConfig::new().generate_name_section(false).generate_producers_section(false).parse(wasm);
    let mut halves = Halves::new(read()?, read()?, rest)?;
    let complete = format!("{COMPLETE} {:016x}", names::hash(wasm.iter().copied()));
    let table = halves.table()?;
    let borders = halves.borders(table)?;
    let slots = halves.slots(table, &borders);
    halves.go_through_table(table, &borders, &slots, &complete)?;
    halves.share(table, &borders);
    halves.fill(table, &borders, &slots, &complete);
    halves.move_data(data)?;
    let Halves { mut first, mut rest, .. } = halves;
    for part in [&mut first, &mut rest] {
        walrus::passes::gc::run(part);
        // What the linker left is of no use to a browser.
        let customs: Vec<_> = part.customs.iter().map(|(id, _)| id).collect();
        customs.into_iter().for_each(|custom| drop(part.customs.delete(custom)));
    }
    Ok(Parts { first: first.emit_wasm(), rest: rest.emit_wasm() })
}

/// The same program twice, from which each part is made. What both have is known by its place in the order of the program.
struct Halves {
    first: Module,
    rest: Module,
    /// The functions of each.
    functions: [Vec<FunctionId>; 2],
    /// The place of a function of the first.
    places: HashMap<FunctionId, usize>,
    /// Whether the function at a place is one of the rest.
    is_later: Vec<bool>,
}

/// What each part uses of the other.
#[derive(Default)]
struct Borders {
    /// Functions of the rest that the first part calls, or exports.
    wanted: Vec<usize>,
    /// Functions of the first part that the rest calls.
    given: Vec<usize>,
    globals: HashSet<GlobalId>,
    tables: HashSet<TableId>,
    /// The kinds of functions that the first part calls through the table.
    kinds: BTreeSet<TypeId>,
    /// Functions of the rest that stand in the table, and where.
    in_table: Vec<(u32, usize)>,
    /// The same of the first part.
    first_in_table: Vec<(u32, usize)>,
}

/// Where in the table the functions of the rest stand; one may stand at several places.
struct Slots {
    all: BTreeMap<u32, usize>,
    /// One place of each function.
    of: BTreeMap<usize, u32>,
}

/// What a function names.
#[derive(Default)]
struct Names {
    functions: Vec<FunctionId>,
    globals: Vec<GlobalId>,
    tables: Vec<TableId>,
    /// The kinds of functions that are called through a table.
    kinds: Vec<TypeId>,
}

impl Visitor<'_> for Names {
    fn visit_call_indirect(&mut self, call: &CallIndirect) {
        self.kinds.push(call.ty);
    }

    fn visit_function_id(&mut self, function: &FunctionId) {
        self.functions.push(*function);
    }

    fn visit_global_id(&mut self, global: &GlobalId) {
        self.globals.push(*global);
    }

    fn visit_table_id(&mut self, table: &TableId) {
        self.tables.push(*table);
    }
}

/// Calls one function instead of another, and a gate instead of calling through the table.
struct Instead<'a> {
    functions: &'a HashMap<FunctionId, FunctionId>,
    gates: &'a HashMap<TypeId, FunctionId>,
    table: TableId,
}

impl VisitorMut for Instead<'_> {
    fn visit_instr_mut(&mut self, instruction: &mut Instr, _: &mut InstrLocId) {
        if let Instr::CallIndirect(CallIndirect { ty, table }) = instruction
            && *table == self.table
            && let Some(gate) = self.gates.get(ty)
        {
            *instruction = Call { func: *gate }.into();
        }
    }

    fn visit_function_id_mut(&mut self, function: &mut FunctionId) {
        if let Some(other) = self.functions.get(function) {
            *function = *other;
        }
    }
}

impl Halves {
    fn new(first: Module, rest: Module, later: &HashSet<String>) -> anyhow::Result<Halves> {
        let functions = [&first, &rest].map(|module| module.funcs.iter().map(|function| function.id()).collect::<Vec<_>>());
        let places: HashMap<_, _> = functions[0].iter().enumerate().map(|(place, function)| (*function, place)).collect();
        let mut is_later = vec![false; places.len()];
        for (function, name) in names::own(&first) {
            is_later[places[&function]] = later.contains(&name);
        }
        ensure!(first.start.is_none_or(|start| !is_later[places[&start]]), "the program starts with a function of the rest");
        Ok(Halves { first, rest, functions, places, is_later })
    }

    /// The table of functions.
    fn table(&self) -> anyhow::Result<TableId> {
        self.first.tables.main_function_table()?.context("the program has no table of functions")
    }

    fn borders(&self, table: TableId) -> anyhow::Result<Borders> {
        let mut borders = Borders::default();
        let (mut wanted, mut given) = (vec![false; self.is_later.len()], vec![false; self.is_later.len()]);
        for (place, function) in self.functions[0].iter().enumerate() {
            let FunctionKind::Local(body) = &self.first.funcs.get(*function).kind else { continue };
            let mut names = Names::default();
            dfs_in_order(&mut names, body, body.entry_block());
            for other in names.functions.iter().map(|other| self.places[other]) {
                match (self.is_later[place], self.is_later[other]) {
                    (true, false) => given[other] = true,
                    (false, true) => wanted[other] = true,
                    _ => {}
                }
            }
            if self.is_later[place] {
                borders.globals.extend(names.globals);
                borders.tables.extend(names.tables);
            } else {
                borders.kinds.extend(names.kinds);
            }
        }
        for export in self.first.exports.iter() {
            if let ExportItem::Function(function) = export.item {
                let place = self.places[&function];
                wanted[place] |= self.is_later[place];
            }
        }
        for segment in self.first.elements.iter() {
            let ElementKind::Active { table: filled, offset: ConstExpr::Value(Value::I32(offset)) } = segment.kind else {
                anyhow::bail!("functions come into the table in a way that is not known here")
            };
            let ElementItems::Functions(functions) = &segment.items else {
                anyhow::bail!("the table of functions is filled by expressions")
            };
            ensure!(filled == table, "functions stand in several tables");
            let slots = u32::try_from(offset)?..;
            let placed = slots.zip(functions.iter().map(|function| self.places[function]));
            for (slot, place) in placed {
                let part = if self.is_later[place] { &mut borders.in_table } else { &mut borders.first_in_table };
                part.push((slot, place));
            }
        }
        let places = |marked: &[bool]| marked.iter().enumerate().filter(|(_, is)| **is).map(|(place, _)| place).collect();
        (borders.wanted, borders.given) = (places(&wanted), places(&given));
        Ok(borders)
    }

    /// Gives each function of the rest that the first part may call a place in the table, behind those that are there.
    fn slots(&mut self, table: TableId, borders: &Borders) -> Slots {
        let mut slots = Slots { all: BTreeMap::new(), of: BTreeMap::new() };
        let table = self.first.tables.get_mut(table);
        let added = (table.initial as u32..)
            .zip(borders.wanted.iter().filter(|wanted| !borders.in_table.iter().any(|(_, place)| place == *wanted)));
        for (slot, place) in borders.in_table.iter().copied().chain(added.map(|(slot, place)| (slot, *place))) {
            slots.all.insert(slot, place);
            slots.of.entry(place).or_insert(slot);
            table.initial = table.initial.max(u64::from(slot) + 1);
        }
        table.maximum = table.maximum.map(|most| most.max(table.initial));
        slots
    }

    /// Has the first part call functions of the rest through the table.
    fn go_through_table(&mut self, table: TableId, borders: &Borders, slots: &Slots, told: &str) -> anyhow::Result<()> {
        let first = &mut self.first;
        let loader = first.imports.iter().find_map(|import| match import.kind {
            ImportKind::Function(function) if import.name.contains(LOADER) => Some(function),
            _ => None,
        });
        let loader = loader.with_context(|| format!("the program does not import {LOADER}"))?;
        let complete = first.globals.add_local(ValType::I32, true, false, ConstExpr::Value(Value::I32(0)));
        first.exports.add(told, complete);
        let wanted = |place: &usize| first.funcs.get(self.functions[0][*place]).ty();
        let kinds: BTreeSet<TypeId> = borders.kinds.iter().copied().chain(borders.wanted.iter().map(wanted)).collect();
        let gates: HashMap<_, _> = kinds.into_iter().map(|kind| (kind, gate(first, kind, table, loader))).collect();
        let doorways = borders.wanted.iter().map(|place| {
            let function = self.functions[0][*place];
            let kind = first.funcs.get(function).ty();
            (function, doorway(first, kind, gates[&kind], slots.of[place]))
        });
        let functions: HashMap<_, _> = doorways.collect();
        for (_, function) in self.functions[0].iter().enumerate().filter(|(place, _)| !self.is_later[*place]) {
            if let FunctionKind::Local(body) = &mut first.funcs.get_mut(*function).kind {
                let entry = body.entry_block();
                dfs_pre_order_mut(&mut Instead { functions: &functions, gates: &gates, table }, body, entry);
            }
        }
        for export in first.exports.iter_mut() {
            if let ExportItem::Function(function) = &mut export.item {
                *function = *functions.get(function).unwrap_or(function);
            }
        }
        Ok(())
    }

    /// Has the rest import from the first part what it uses of it, and nothing else.
    fn share(&mut self, table: TableId, borders: &Borders) {
        let (first, rest) = (&mut self.first, &mut self.rest);
        let mut names = (0..).map(name);
        let mut next = || names.next().unwrap_or_default();
        rest.imports = walrus::ModuleImports::default();
        for place in &borders.given {
            let name = next();
            first.exports.add(&name, self.functions[0][*place]);
            let function = self.functions[1][*place];
            let import = rest.imports.add(FIRST, &name, function);
            let function = rest.funcs.get_mut(function);
            function.kind = FunctionKind::Import(ImportedFunction { import, ty: function.ty() });
        }
        let globals: Vec<_> =
            first.globals.iter().map(|global| global.id()).zip(rest.globals.iter().map(|global| global.id())).collect();
        for (theirs, ours) in globals.into_iter().filter(|(theirs, _)| borders.globals.contains(theirs)) {
            let name = next();
            first.exports.add(&name, theirs);
            rest.globals.get_mut(ours).kind = GlobalKind::Import(rest.imports.add(FIRST, &name, ours));
        }
        let tables: Vec<_> =
            first.tables.iter().map(|table| table.id()).zip(rest.tables.iter().map(|table| table.id())).collect();
        for (theirs, ours) in tables.into_iter().filter(|(theirs, _)| *theirs == table || borders.tables.contains(theirs)) {
            let name = next();
            first.exports.add(&name, theirs);
            let (from, to) = (first.tables.get(theirs), rest.tables.get_mut(ours));
            (to.initial, to.maximum) = (from.initial, from.maximum);
            to.import = Some(rest.imports.add(FIRST, &name, ours));
        }
        let memories: Vec<_> =
            first.memories.iter().map(|memory| memory.id()).zip(rest.memories.iter().map(|memory| memory.id())).collect();
        for (theirs, ours) in memories {
            let name = next();
            first.exports.add(&name, theirs);
            rest.memories.get_mut(ours).import = Some(rest.imports.add(FIRST, &name, ours));
        }
    }

    /// Leaves in each part its data.
    fn move_data(&mut self, later: &[Range<usize>]) -> anyhow::Result<()> {
        for (module, takes_rest) in [(&mut self.first, false), (&mut self.rest, true)] {
            let segments: Vec<_> = module.data.iter().map(|segment| segment.id()).collect();
            for segment in segments {
                let DataKind::Active { memory, offset: ConstExpr::Value(Value::I32(address)) } =
                    module.data.get(segment).kind
                else {
                    anyhow::bail!("data come into memory in a way that is not known here")
                };
                let bytes = std::mem::take(&mut module.data.get_mut(segment).value);
                module.memories.get_mut(memory).data_segments.remove(&segment);
                module.data.delete(segment);
                for (address, bytes) in pieces(usize::try_from(address)?, &bytes, later, takes_rest) {
                    let offset = ConstExpr::Value(Value::I32(i32::try_from(address)?));
                    let piece = module.data.add(DataKind::Active { memory, offset }, bytes);
                    module.memories.get_mut(memory).data_segments.insert(piece);
                }
            }
        }
        Ok(())
    }

    /// Has each part write its own functions into the table. The rest has nothing else; then it tells by a global that it is `complete`.
    fn fill(&mut self, table: TableId, borders: &Borders, slots: &Slots, complete: &str) {
        let rest = &mut self.rest;
        let (complete, _) = rest.add_import_global(FIRST, complete, ValType::I32, true, false);
        let mut start = FunctionBuilder::new(&mut rest.types, &[], &[]);
        start.func_body().i32_const(1).global_set(complete);
        rest.start = Some(start.finish(Vec::new(), &mut rest.funcs));
        rest.exports = walrus::ModuleExports::default();
        let place = self.first.tables.iter().position(|one| one.id() == table);
        let theirs = place.and_then(|place| rest.tables.iter().nth(place)).map(|table| table.id());
        let of_rest = slots.all.iter().map(|(slot, place)| (*slot, self.functions[1][*place])).collect();
        write_table(
            &mut self.first,
            table,
            borders.first_in_table.iter().map(|(slot, place)| (*slot, self.functions[0][*place])).collect(),
        );
        if let Some(theirs) = theirs {
            write_table(&mut self.rest, theirs, of_rest);
        }
    }
}

/// Has a module write these functions into its table, and no others.
fn write_table(module: &mut Module, table: TableId, functions: BTreeMap<u32, FunctionId>) {
    let segments: Vec<_> = module.elements.iter().map(|segment| segment.id()).collect();
    segments.into_iter().for_each(|segment| module.elements.delete(segment));
    module.tables.iter_mut().for_each(|table| table.elem_segments.clear());
    let mut runs: Vec<(u32, Vec<FunctionId>)> = Vec::new();
    for (slot, function) in functions {
        match runs.last_mut() {
            Some((from, run)) if *from + run.len() as u32 == slot => run.push(function),
            _ => runs.push((slot, vec![function])),
        }
    }
    for (from, run) in runs {
        let offset = ConstExpr::Value(Value::I32(from as i32));
        let segment = module.elements.add(ElementKind::Active { table, offset }, ElementItems::Functions(run));
        module.tables.get_mut(table).elem_segments.insert(segment);
    }
}

/// The bytes of a segment that begins at an address, in pieces: those at the addresses of `rest`, or all others. Zeros stand in memory
/// from the beginning.
fn pieces(address: usize, bytes: &[u8], rest: &[Range<usize>], takes_rest: bool) -> Vec<(usize, Vec<u8>)> {
    let is_rest = |at: usize| {
        let next = rest.partition_point(|range| range.end <= at);
        rest.get(next).is_some_and(|range| range.contains(&at))
    };
    let mut pieces: Vec<(usize, Vec<u8>)> = Vec::new();
    for (at, byte) in (address..).zip(bytes).filter(|(at, byte)| **byte != 0 && is_rest(*at) == takes_rest) {
        match pieces.last_mut() {
            // What stands between two near ones is not written there, but costs less than another piece.
            Some((from, piece))
                if at - *from - piece.len() <= NEAR && (*from + piece.len()..at).all(|at| is_rest(at) == takes_rest) =>
            {
                piece.resize(at - *from, 0);
                piece.push(*byte);
            }
            _ => pieces.push((at, vec![*byte])),
        }
    }
    pieces
}

/// The variables of a function's parameters.
fn arguments(module: &mut Module, kinds: &[ValType]) -> Vec<LocalId> {
    kinds.iter().map(|kind| module.locals.add(*kind)).collect()
}

/// A function for each kind of function: calls the function of this kind at a place of the table, its last parameter. Where there is
/// nothing, it has the rest loaded first.
fn gate(first: &mut Module, kind: TypeId, table: TableId, loader: FunctionId) -> FunctionId {
    let (mut takes, gives) = signature(first, kind);
    takes.push(ValType::I32);
    let arguments = arguments(first, &takes);
    let mut gate = FunctionBuilder::new(&mut first.types, &takes, &gives);
    let mut body = gate.func_body();
    if let Some(slot) = arguments.last() {
        body.local_get(*slot).table_get(table).ref_is_null();
    }
    let load = |load: &mut InstrSeqBuilder| {
        load.call(loader);
    };
    body.if_else(None, load, |_| {});
    for argument in &arguments {
        body.local_get(*argument);
    }
    body.call_indirect(kind, table);
    gate.finish(arguments, &mut first.funcs)
}

/// What the first part has in place of a function of the rest: goes through the gate to a place of the table.
fn doorway(first: &mut Module, kind: TypeId, gate: FunctionId, slot: u32) -> FunctionId {
    let (takes, gives) = signature(first, kind);
    let arguments = arguments(first, &takes);
    let mut doorway = FunctionBuilder::new(&mut first.types, &takes, &gives);
    let mut body = doorway.func_body();
    for argument in &arguments {
        body.local_get(*argument);
    }
    body.i32_const(slot as i32).call(gate);
    doorway.finish(arguments, &mut first.funcs)
}

fn signature(module: &Module, kind: TypeId) -> (Vec<ValType>, Vec<ValType>) {
    let kind = module.types.get(kind);
    (kind.params().to_vec(), kind.results().to_vec())
}

/// The shortest name that was not given before: 0, 1, …, 9, a, …, z, 00, …
fn name(mut number: usize) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut name = String::new();
    loop {
        name.insert(0, char::from(DIGITS[number % DIGITS.len()]));
        number /= DIGITS.len();
        if number == 0 {
            return name;
        }
        number -= 1;
    }
}
