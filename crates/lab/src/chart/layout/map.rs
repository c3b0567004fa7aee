//! Layout of the frame map: central storage as cells of equal size, in rows from the top. Where addresses count, each stretch of them
//! begins a row, under its heading.

use super::SMALL;
use super::pen::{Pen, Sample};
use crate::chart::FrameMap;
use crate::chart::scene::{Hatch, Ink, Mark, Rect, SOLID, Scene, Side, Stop, boxed};
use crate::words::{number, unit};

/// Most owners that are named on the map: more names would hide it.
const MOST_NAMES: usize = 26;

/// Most rows of cells, wide and narrow.
const MOST_ROWS: (f64, f64) = (34.0, 40.0);

/// Where the page gives the height: that of the words beneath, and the least rows.
const UNDER: f64 = 40.0;
const ROWS_LEAST: f64 = 4.0;

/// The height of the heading of a stretch of addresses.
const HEADING: f64 = 16.0;

/// A run of cells of one block in one row.
struct Piece {
    block: usize,
    /// How many headings stand over it.
    headings: usize,
    row: usize,
    column: usize,
    cells: usize,
}

/// Lays the map out.
pub fn lay_out(mut pen: Pen, map: &FrameMap) -> Scene {
    let used = |state: usize| map.blocks.iter().any(|block| block.state == state && block.frames > 0);
    let shown = map.states.iter().enumerate().filter(|(state, _)| used(*state));
    let keys: Vec<_> = shown.map(|(_, key)| (key, Sample::Swatch)).collect();
    pen.legend(&keys, &[]);
    let installed: u64 = map.blocks.iter().map(|block| block.frames).sum();
    let cell = if pen.narrow() { 9.0 } else { 11.0 };
    let columns = ((pen.width - 2.0) / cell).floor().max(8.0) as usize;
    let most = if pen.narrow() { MOST_ROWS.1 } else { MOST_ROWS.0 };
    // Cells stand for more where the page gives the height.
    let headings = map.stretches.len() as f64 * HEADING;
    let given = pen.view.height.map_or(most, |height| ((height - pen.y - UNDER - headings) / cell).floor().max(ROWS_LEAST));
    // Each stretch but the last leaves a part of a row empty.
    let broken = map.stretches.len().saturating_sub(1) as f64;
    let per_cell = frames_per_cell(installed, columns as f64 * (given.min(most) - broken).max(1.0));
    let starts: Vec<usize> = map.stretches.iter().map(|(block, _)| *block).collect();
    // Each stretch has its part of the cells.
    let ends = starts.iter().skip(1).copied().chain([map.blocks.len()]);
    let stretches: Vec<(usize, usize)> = starts.iter().copied().zip(ends).collect();
    let frames: Vec<u64> = map.blocks.iter().map(|block| block.frames).collect();
    let counts = match stretches.is_empty() {
        true => cells_of(&frames, per_cell),
        false => stretches.iter().flat_map(|&(from, to)| cells_of(&frames[from..to], per_cell)).collect(),
    };
    let pieces = pieces(&counts, columns, &starts);
    let top = pen.y;
    let place = |piece: &Piece| {
        let (x, y) = (1.0 + piece.column as f64 * cell, top + piece.row as f64 * cell + piece.headings as f64 * HEADING);
        Rect::new(x, y, piece.cells as f64 * cell, cell)
    };
    for piece in &pieces {
        let look = map.states.get(map.blocks[piece.block].state).map_or(7, |state| state.look);
        pen.part(place(piece), look);
    }
    for stretch in pieces.chunk_by(|one, next| one.headings == next.headings) {
        let (first, last) = (place(&stretch[0]), place(&stretch[stretch.len() - 1]));
        cell_gaps(&mut pen, Rect::new(1.0, first.y, columns as f64 * cell, last.bottom() - first.y), cell);
        owner_borders(&mut pen, map, stretch, (columns, cell), &place);
        if let Some((_, heading)) = stretch[0].headings.checked_sub(1).and_then(|at| map.stretches.get(at)) {
            pen.text((1.0, first.y - HEADING / 2.0), heading, Ink::Text, SMALL, Side::Start, Side::Middle);
        }
    }
    owner_names(&mut pen, map, &pieces, &place);
    pen.y = pieces.last().map_or(top + cell, |piece| place(piece).bottom()) + 6.0;
    let of = unit::storage(per_cell as f64);
    let legend = match pen.view.height {
        Some(_) => format!("One cell is {of}; a smaller part has one too."),
        None => format!("One cell is {of} of central storage. A smaller part has a cell all the same."),
    };
    pen.paragraph(&legend, SMALL, Ink::Muted);
    let stops = stops(map, &pieces, &place, installed);
    let height = pen.y;
    pen.finish(height, stops)
}

/// The smallest power of two of frames that lets storage fit the cells.
fn frames_per_cell(installed: u64, most: f64) -> u64 {
    let mut frames = 256;
    while installed.div_ceil(frames) as f64 > most {
        frames *= 2;
    }
    frames
}

/// How many cells each block gets: its rounded share, but at least one if it has a frame, so that nothing vanishes. The largest
/// block gives up the cells that this takes too many.
fn cells_of(frames: &[u64], per_cell: u64) -> Vec<usize> {
    let total = frames.iter().sum::<u64>().div_ceil(per_cell) as i64;
    let share = |frames: u64| if frames == 0 { 0 } else { ((frames + per_cell / 2) / per_cell).max(1) as i64 };
    let mut cells: Vec<i64> = frames.iter().map(|&frames| share(frames)).collect();
    let mut over = cells.iter().sum::<i64>() - total;
    while over != 0 {
        let Some(largest) = (0..cells.len()).max_by_key(|&index| (cells[index], index)) else { break };
        if over > 0 && cells[largest] <= 1 {
            break;
        }
        cells[largest] -= over.signum();
        over -= over.signum();
    }
    cells.into_iter().map(|count| count.max(0) as usize).collect()
}

/// The blocks' cells, cut at the ends of the rows. With each of the blocks `starts` a stretch of addresses begins, and a row.
fn pieces(counts: &[usize], columns: usize, starts: &[usize]) -> Vec<Piece> {
    let (mut pieces, mut at, mut headings) = (Vec::new(), 0_usize, 0);
    for (block, &count) in counts.iter().enumerate() {
        let mut left = count;
        if starts.contains(&block) {
            at = at.next_multiple_of(columns);
            headings += 1;
        }
        while left > 0 {
            let (row, column) = (at / columns, at % columns);
            let cells = left.min(columns - column);
            pieces.push(Piece { block, headings, row, column, cells });
            at += cells;
            left -= cells;
        }
    }
    pieces
}

fn cell_gaps(pen: &mut Pen, area: Rect, cell: f64) {
    let mut x = area.x;
    while x <= area.right() + 0.5 {
        pen.line((x, area.y), (x, area.bottom()), Ink::Surface, 1.0, SOLID);
        x += cell;
    }
    let mut y = area.y;
    while y <= area.bottom() + 0.5 {
        pen.line((area.x, y), (area.right(), y), Ink::Surface, 1.0, SOLID);
        y += cell;
    }
}

/// A line where one owner's frames end and another's begin.
fn owner_borders(
    pen: &mut Pen,
    map: &FrameMap,
    stretch: &[Piece],
    (columns, cell): (usize, f64),
    place: &dyn Fn(&Piece) -> Rect,
) {
    for pair in stretch.windows(2) {
        let (from, to) = (&map.blocks[pair[0].block], &map.blocks[pair[1].block]);
        if from.owner == to.owner {
            continue;
        }
        let Rect { x, y, .. } = place(&pair[1]);
        let right = 1.0 + columns as f64 * cell;
        let mut step = |from, to| pen.line(from, to, Ink::Text, 1.5, SOLID);
        if pair[1].column > 0 {
            step((x, y), (x, y + cell));
            step((1.0, y + cell), (x, y + cell));
        }
        if pair[1].row > stretch[0].row {
            step((x, y), (right, y));
        }
    }
}

/// The owner's name over the widest run of its cells, where it fits.
fn owner_names(pen: &mut Pen, map: &FrameMap, pieces: &[Piece], place: &dyn Fn(&Piece) -> Rect) {
    let mut owners: Vec<&str> = map.blocks.iter().map(|block| block.owner.as_str()).collect();
    owners.dedup();
    if owners.len() > MOST_NAMES {
        return;
    }
    for owner in owners {
        let own: Vec<&Piece> = pieces.iter().filter(|piece| map.blocks[piece.block].owner == owner).collect();
        let (Some(first), Some(last)) = (own.first(), own.last()) else { continue };
        let middle = usize::midpoint(first.row, last.row);
        let away = |piece: &&&Piece| (std::cmp::Reverse(piece.cells), piece.row.abs_diff(middle));
        let Some(widest) = own.iter().min_by_key(away) else { continue };
        let rect = place(widest);
        let wide = pen.wide(owner, 9.5);
        if wide + 8.0 < rect.w {
            let at = (rect.x + 6.0, rect.middle().1);
            let plate = Rect::new(rect.x + 3.0, rect.y, wide + 6.0, rect.h);
            pen.marks.push(Mark::Fill { rect: plate, ink: Ink::Surface, hatch: Hatch::Plain });
            pen.text(at, owner, Ink::Text, 9.5, Side::Start, Side::Middle);
        }
    }
}

fn stops(map: &FrameMap, pieces: &[Piece], place: &dyn Fn(&Piece) -> Rect, installed: u64) -> Vec<Stop> {
    let stop = |(index, block): (usize, &crate::chart::Block)| {
        let areas: Vec<Rect> = pieces.iter().filter(|piece| piece.block == index).map(place).collect();
        let state = map.states.get(block.state).map_or("", |state| state.name.as_str());
        let share = block.frames as f64 / installed.max(1) as f64 * 100.0;
        let text = format!(
            "{}, {state}: {} frames, {}, {} of central storage",
            block.owner,
            number::value(block.frames as f64),
            unit::storage(block.frames as f64),
            unit::percent(share)
        );
        let cursor = areas.iter().flat_map(|&rect| boxed(rect)).collect();
        Stop { row: areas.first().map_or(0, |area| area.y as usize), areas, cursor, text, when: None }
    };
    map.blocks.iter().enumerate().filter(|(_, block)| block.frames > 0).map(stop).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_with_frames_has_a_cell_and_the_sum_is_storage() {
        let frames = [1, 5_000, 0, 30_000_000, 3_000_000, 549_431];
        let per_cell = frames_per_cell(frames.iter().sum(), 1800.0);
        let cells = cells_of(&frames, per_cell);
        assert_eq!(cells[2], 0);
        assert!([0, 1, 3, 4, 5].iter().all(|&index| cells[index] >= 1), "{cells:?}");
        assert_eq!(cells.iter().sum::<usize>() as u64, frames.iter().sum::<u64>().div_ceil(per_cell));
    }

    #[test]
    fn more_owners_than_cells_do_not_hang() {
        let cells = cells_of(&[1; 600], 256);
        assert_eq!(cells.len(), 600);
    }

    #[test]
    fn pieces_are_cut_at_the_end_of_a_row() {
        let cut: Vec<(usize, usize, usize, usize)> =
            pieces(&[3, 0, 6], 4, &[]).iter().map(|p| (p.block, p.row, p.column, p.cells)).collect();
        assert_eq!(cut, [(0, 0, 0, 3), (2, 0, 3, 1), (2, 1, 0, 4), (2, 2, 0, 1)]);
    }

    #[test]
    fn a_stretch_of_addresses_begins_a_row() {
        let cut: Vec<(usize, usize, usize, usize)> =
            pieces(&[3, 4, 2, 5], 4, &[0, 2]).iter().map(|p| (p.block, p.headings, p.row, p.column)).collect();
        assert_eq!(cut, [(0, 1, 0, 0), (1, 1, 0, 3), (1, 1, 1, 0), (2, 2, 2, 0), (3, 2, 2, 2), (3, 2, 3, 0)]);
    }
}
