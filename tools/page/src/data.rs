//! Finds the text and numbers that only functions of the rest read.
//!
//! The linker leaves a list of all places in code and data where an address stands (`--emit-relocs`). What a function of the first
//! part refers to, and what that refers to in turn, belongs to the first part. Data that only functions of the rest refer to belongs
//! to the rest. Data to which nothing refers stays in the first part.

use std::collections::HashSet;
use std::ops::Range;

use anyhow::{Context, ensure};
use wasmparser::{
    DataKind, KnownCustom, Linking, Name, Operator, Parser, Payload, RelocationEntry, RelocationType, SymbolInfo,
};

use crate::names;

/// How many pieces that begin before an address are looked at for those that hold it.
const NEAR: usize = 16;

/// What stands at an address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Unknown,
    Rest,
    First,
}

/// A named piece of data: its addresses, and which others it refers to.
struct Piece {
    at: Range<usize>,
    refers_to: Vec<usize>,
    is_first: bool,
}

/// A data segment: its first address, and where its bytes stand in the file.
struct Segment {
    address: usize,
    file: Range<usize>,
}

/// The parts of a linked file that matter here.
#[derive(Default)]
struct Linked<'a> {
    /// The functions' bodies, by their place in the file, in order.
    bodies: Vec<Range<usize>>,
    /// How many functions are imported: they have the first numbers.
    imported: usize,
    names: Vec<(u32, &'a str)>,
    segments: Vec<Segment>,
    symbols: Vec<SymbolInfo<'a>>,
    /// References, with where in the file they stand.
    references: Vec<(usize, RelocationEntry)>,
}

/// The addresses of the data of the rest, in order, whose functions' short names are in `rest`.
///
/// # Errors
/// When it is no wasm, or was linked without its list of references.
pub fn of_rest(wasm: &[u8], rest: &HashSet<String>) -> anyhow::Result<Vec<Range<usize>>> {
    let linked = Linked::read(wasm)?;
    let (mut pieces, of_symbol) = linked.pieces();
    let mut by_address: Vec<usize> = (0..pieces.len()).collect();
    by_address.sort_by_key(|piece| pieces[*piece].at.start);
    let is_later = linked.is_later(rest);
    let mut begun: Vec<usize> = Vec::new();
    for (place, reference) in &linked.references {
        // All others name a symbol; one that is a function is no piece of data.
        if reference.ty == RelocationType::TypeIndexLeb {
            continue;
        }
        let Some(to) = of_symbol.get(reference.index as usize).copied().flatten() else { continue };
        let body = linked.bodies.partition_point(|body| body.end <= *place);
        if linked.bodies.get(body).is_some_and(|body| body.contains(place)) {
            if !is_later[body] {
                begun.push(to);
            }
            continue;
        }
        let segment = linked.segments.iter().find(|segment| segment.file.contains(place));
        let address = segment.map(|segment| segment.address + place - segment.file.start);
        let from = address.map_or(Vec::new(), |address| {
            let next = by_address.partition_point(|piece| pieces[*piece].at.start <= address);
            // Pieces seldom overlap. What is found in none of these is taken for a part of the first.
            let near = by_address[..next].iter().rev().take(NEAR).copied();
            near.filter(|piece| pieces[*piece].at.contains(&address)).collect()
        });
        if from.is_empty() {
            begun.push(to);
        }
        from.into_iter().for_each(|from| pieces[from].refers_to.push(to));
    }
    while let Some(piece) = begun.pop() {
        if !std::mem::replace(&mut pieces[piece].is_first, true) {
            begun.extend(&pieces[piece].refers_to);
        }
    }
    Ok(linked.ranges(&pieces))
}

impl<'a> Linked<'a> {
    fn read(wasm: &'a [u8]) -> anyhow::Result<Linked<'a>> {
        let mut linked = Linked::default();
        // Where the content of each section begins.
        let mut sections = Vec::new();
        let mut relocations = Vec::new();
        let place = |part: &[u8]| part.as_ptr() as usize - wasm.as_ptr() as usize;
        for payload in Parser::new(0).parse_all(wasm) {
            let payload = payload?;
            if let Some((_, range)) = payload.as_section() {
                sections.push(range.start);
            }
            match payload {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        linked.imported += usize::from(matches!(import?.ty, wasmparser::TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => linked.bodies.push(body.range()),
                Payload::DataSection(segments) => {
                    for segment in segments {
                        let segment = segment?;
                        let DataKind::Active { offset_expr, .. } = segment.kind else { continue };
                        let Operator::I32Const { value } = offset_expr.get_operators_reader().read()? else { continue };
                        let start = place(segment.data);
                        linked.segments.push(Segment { address: value as usize, file: start..start + segment.data.len() });
                    }
                }
                Payload::CustomSection(custom) => match custom.as_known() {
                    KnownCustom::Linking(linking) => {
                        for subsection in linking.subsections() {
                            if let Linking::SymbolTable(symbols) = subsection? {
                                linked.symbols = symbols.into_iter().collect::<Result<_, _>>()?;
                            }
                        }
                    }
                    KnownCustom::Reloc(relocation) => relocations.push(relocation),
                    KnownCustom::Name(names) => {
                        for name in names {
                            if let Name::Function(functions) = name? {
                                for naming in functions {
                                    let naming = naming?;
                                    linked.names.push((naming.index, naming.name));
                                }
                            }
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        for relocation in relocations {
            let start =
                *sections.get(relocation.section_index() as usize).context("references of a section that is not there")?;
            for entry in relocation.entries() {
                let entry = entry?;
                linked.references.push((start + entry.offset as usize, entry));
            }
        }
        ensure!(!linked.references.is_empty(), "the file was linked without --emit-relocs");
        Ok(linked)
    }

    /// The pieces of data, and that of each symbol.
    fn pieces(&self) -> (Vec<Piece>, Vec<Option<usize>>) {
        let mut pieces = Vec::new();
        let of_symbol = self.symbols.iter().map(|symbol| {
            let SymbolInfo::Data { symbol: Some(data), .. } = symbol else { return None };
            let start = self.segments.get(data.index as usize)?.address + data.offset as usize;
            pieces.push(Piece { at: start..start + data.size as usize, refers_to: Vec::new(), is_first: false });
            Some(pieces.len() - 1)
        });
        let of_symbol = of_symbol.collect();
        (pieces, of_symbol)
    }

    /// Whether each body is one of the rest.
    fn is_later(&self, rest: &HashSet<String>) -> Vec<bool> {
        let mut is_later = vec![false; self.bodies.len()];
        for (number, name) in &self.names {
            if let Some(body) = (*number as usize).checked_sub(self.imported) {
                is_later[body] = rest.contains(&names::short(name));
            }
        }
        is_later
    }

    /// The addresses at which only pieces of the rest stand.
    fn ranges(&self, pieces: &[Piece]) -> Vec<Range<usize>> {
        let end = self.segments.iter().map(|segment| segment.address + segment.file.len()).max().unwrap_or_default();
        let mut whose = vec![Whose::Unknown; end];
        for piece in pieces {
            for at in piece.at.clone().filter(|at| *at < end) {
                if piece.is_first {
                    whose[at] = Whose::First;
                } else if whose[at] == Whose::Unknown {
                    whose[at] = Whose::Rest;
                }
            }
        }
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for at in (0..end).filter(|at| whose[*at] == Whose::Rest) {
            match ranges.last_mut() {
                Some(last) if last.end == at => last.end += 1,
                _ => ranges.push(at..at + 1),
            }
        }
        ranges
    }
}
