//! Central storage: a grid of cells, each so many frames, coloured by what the frames hold. The frames of a guest stand side by side;
//! where it matters what is below 2 GB, frames stand by their side of that line instead.

use zvmlab::snapshot::{SidesSnapshot, Snapshot, StorageSnapshot};

use super::area::Area;
use super::searches::sides;
use super::{Align, Kind, Letters, Mark, Part, Point, Scene, Shape, Tone};
use crate::words::aging;
use crate::words::unit::{gb_or_mb, percent};

/// Height of the lines of words beneath the grid.
const WORDS: f64 = 30.0;
/// From this width on, two of the words stand beside each other.
const BESIDE_FROM: f64 = 172.0;
/// The size of a cell, with the space to the next.
const CELL: f64 = 12.0;
/// Space between the words and the border. Chosen.
const ASIDE: f64 = 4.0;

/// Where central storage stands, and in it the frames of each guest.
pub(super) struct Places {
    /// All of it.
    pub area: Area,
    /// The middles of the cells for the pages of each guest that are being read; if there are none, of a cell of its others.
    guests: Vec<Vec<Point>>,
}

impl Places {
    /// Where a page of the guest arrives if `others` arrive beside it; none for a guest that has no cell.
    pub fn of(&self, guest: usize, others: usize) -> Option<Point> {
        let cells = self.guests.get(guest).filter(|cells| !cells.is_empty())?;
        let (x, y) = cells[others % cells.len()];
        let aside = (others / cells.len()) as f64 * 5.0;
        Some(((x + aside).min(self.area.x + self.area.w - 4.0), y))
    }
}

/// Draws central storage in `area`.
pub(super) fn draw(scene: &mut Scene, snapshot: &Snapshot, area: Area) -> Places {
    let storage = &snapshot.storage;
    let columns = (area.w / CELL).floor().max(1.0);
    let rows = ((area.h - WORDS) / CELL).floor().max(1.0);
    let (w, h) = (area.w / columns, (area.h - WORDS) / rows);
    let (held, below) = match sides(snapshot) {
        // Elsewhere whose pages they are says more.
        Some(sides) => by_side(storage, sides),
        _ => (holds(snapshot, (columns * rows) as usize), 0),
    };
    let cells = shares(&held.iter().map(|held| held.frames).collect::<Vec<_>>(), (columns * rows) as usize);
    let mut marks = vec![Mark::new(Shape::Box(area.x, area.y, area.w, area.h, 0.0), Tone::Surface)];
    let corner = |cell: usize| {
        let (column, row) = ((cell % columns as usize) as f64, (cell / columns as usize) as f64);
        (area.x + column * w, area.y + row * h)
    };
    marks.extend(grid(&held, &cells, corner, (w - 1.5, h - 1.5)));
    let line_at: usize = cells.iter().take(below).sum();
    if line_at > 0 {
        marks.extend(line_of_2_gb(line_at, columns as usize, corner, (w, h)));
    }
    let lines = Lines::of(storage);
    marks.extend(lines.drawn(area, storage.mdc_frames > storage.age_list_frames));
    let each = storage.installed_frames.checked_div(cells.iter().sum::<usize>().max(1) as u64).unwrap_or_default();
    scene.parts.push(Part {
        id: (Kind::Frames, 0),
        name: format!("Frames of central storage, {}", gb_or_mb(storage.installed_frames)),
        state: format!("{}; a cell is {}", lines.told(), gb_or_mb(each)),
        room: Kind::Frames.room(),
        place: (area.x, area.y, area.w, area.h),
        limits: false,
        marks,
    });
    let middle = |cell: usize| {
        let (x, y) = corner(cell);
        (x + (w - 1.5) / 2.0, y + (h - 1.5) / 2.0)
    };
    Places { area, guests: arrivals(&held, &cells, snapshot.guests.len(), middle) }
}

/// The cells of the grid: one mark for all cells of a tone, wherever they stand.
fn grid(held: &[Held], cells: &[usize], corner: impl Fn(usize) -> Point, (w, h): (f64, f64)) -> Vec<Mark> {
    let mut marks = Vec::new();
    for tone in TONES {
        let mut corners: Vec<Point> = Vec::new();
        let mut at = 0;
        for (held, &count) in held.iter().zip(cells) {
            if held.tone == tone {
                corners.extend((at..at + count).map(&corner));
            }
            at += count;
        }
        if !corners.is_empty() {
            marks.push(Mark::new(Shape::Cells(w, h, corners), tone));
        }
    }
    marks
}

/// What is written beneath the grid: parts of storage.
struct Lines {
    valid: String,
    aging: String,
    free: String,
    /// The minidisk cache, if it has frames.
    cache: Option<String>,
}

impl Lines {
    fn of(storage: &StorageSnapshot) -> Lines {
        let of_all = |frames: u64| percent(100.0 * frames as f64 / storage.installed_frames.max(1) as f64);
        Lines {
            valid: format!("valid {}", of_all(storage.valid_frames)),
            aging: format!("{} {}", aging::name(storage), of_all(storage.age_list_frames)),
            free: format!("available {}", of_all(storage.available_frames)),
            cache: (storage.mdc_frames > 0).then(|| format!("cache {}", of_all(storage.mdc_frames))),
        }
    }

    /// Two on a line where there is room, else the one that matters more.
    fn drawn(&self, area: Area, cache_matters: bool) -> Vec<Mark> {
        let text = |(x, align): (f64, Align), row: f64, tone: Tone, text: &str| {
            let at = (x, area.y + area.h - WORDS + row);
            Mark::text(at, align, Letters::Small, tone, text)
        };
        let left = (area.x + ASIDE, Align::Start);
        let mut marks = vec![text(left, 13.0, Tone::Valid, &self.valid)];
        if area.w >= BESIDE_FROM {
            let right = (area.x + area.w - ASIDE, Align::End);
            marks.push(text(right, 13.0, Tone::FrameWait, &self.aging));
            marks.extend(self.cache.iter().map(|cache| text(right, 27.0, Tone::Cache, cache)));
            marks.push(text(left, 27.0, Tone::Quiet, &self.free));
        } else if let Some(cache) = self.cache.as_ref().filter(|_| cache_matters) {
            marks.push(text(left, 27.0, Tone::Cache, cache));
        } else {
            marks.push(text(left, 27.0, Tone::FrameWait, &self.aging));
        }
        marks
    }

    /// The same for who cannot see it.
    fn told(&self) -> String {
        let cache = self.cache.as_ref().map(|cache| format!(", minidisk {cache}")).unwrap_or_default();
        format!("{}, {}, {}{cache}", self.valid, self.aging, self.free)
    }
}

/// The tones of the grid.
const TONES: [Tone; 6] = [Tone::Cp, Tone::Cache, Tone::Valid, Tone::AgeList, Tone::Reading, Tone::Empty];

/// Frames of one kind.
struct Held {
    tone: Tone,
    frames: u64,
    /// The guest whose pages they hold.
    guest: Option<usize>,
}

/// So many cells for each state of each guest, and these states stand apart.
const CELLS_EACH: usize = 6;

/// What the frames hold: CP and its cache, the pages of each guest, nothing. The age list and the pages that are being read stand with
/// those of their guest. In a grid of few cells they stand together behind them: one cell for each would say far too much.
fn holds(snapshot: &Snapshot, cells: usize) -> Vec<Held> {
    let storage = &snapshot.storage;
    let of_host = |tone: Tone, frames: u64| Held { tone, frames, guest: None };
    let mut held = vec![of_host(Tone::Cp, storage.cp_frames), of_host(Tone::Cache, storage.mdc_frames)];
    let apart = 3 * CELLS_EACH * snapshot.guests.len() <= cells;
    // Each guest has a cell at least. Where that would show far more than they hold, they stand together.
    let due = storage.valid_frames as f64 / storage.installed_frames.max(1) as f64 * cells as f64;
    if due * 2.0 < snapshot.guests.len() as f64 {
        held.extend([
            of_host(Tone::Valid, storage.valid_frames),
            of_host(Tone::AgeList, storage.age_list_frames),
            of_host(Tone::Reading, storage.reading_frames),
        ]);
        return with_rest(held, storage.installed_frames);
    }
    for (index, guest) in snapshot.guests.iter().enumerate() {
        let of_guest = |tone: Tone, frames: u64| Held { tone, frames, guest: Some(index) };
        held.push(of_guest(Tone::Valid, guest.valid_pages));
        if apart {
            held.push(of_guest(Tone::AgeList, guest.age_list_pages));
            held.push(of_guest(Tone::Reading, guest.reading_pages));
        }
    }
    if !apart {
        held.extend([of_host(Tone::AgeList, storage.age_list_frames), of_host(Tone::Reading, storage.reading_frames)]);
    }
    with_rest(held, storage.installed_frames)
}

/// What the frames hold, below 2 GB and then above; and how many of these kinds are below. Whose pages they are does not show here.
fn by_side(storage: &StorageSnapshot, sides: &SidesSnapshot) -> (Vec<Held>, usize) {
    let of = |tone: Tone, frames: u64| Held { tone, frames, guest: None };
    let cache_below = sides.frames_below - sides.cp_below - sides.resident_below - sides.available_below;
    let (aging, reading) = (storage.age_list_frames, storage.reading_frames);
    let above = (storage.valid_frames + aging + reading).saturating_sub(sides.resident_below);
    // Pages that arrive, and those on the age list, stand above as far as there are as many.
    let [reading_above, aging_above] = [reading.min(above), aging.min(above.saturating_sub(reading))];
    let [reading_below, aging_below] = [reading - reading_above, aging - aging_above];
    let held = vec![
        of(Tone::Cp, sides.cp_below),
        of(Tone::Cache, cache_below),
        of(Tone::Valid, sides.resident_below.saturating_sub(reading_below + aging_below)),
        of(Tone::AgeList, aging_below),
        of(Tone::Reading, reading_below),
        of(Tone::Empty, sides.available_below),
        of(Tone::Cp, storage.cp_frames - sides.cp_below),
        of(Tone::Cache, storage.mdc_frames - cache_below),
        of(Tone::Valid, above - reading_above - aging_above),
        of(Tone::AgeList, aging_above),
        of(Tone::Reading, reading_above),
        of(Tone::Empty, storage.available_frames - sides.available_below),
    ];
    (held, 6)
}

/// The line of 2 GB in front of the cell number `at`, with its name.
fn line_of_2_gb(at: usize, columns: usize, corner: impl Fn(usize) -> Point, (w, h): (f64, f64)) -> Vec<Mark> {
    let ((left, _), (x, y)) = (corner(at - at % columns), corner(at));
    let right = left + w * columns as f64;
    let bar = |from: f64, to: f64, y: f64| Mark::new(Shape::Box(from, y - 1.75, to - from, 2.0, 0.0), Tone::Text);
    let mut marks = vec![bar(x, right, y)];
    if x > left {
        marks.push(bar(left, x, y + h));
    }
    marks.push(Mark::new(Shape::Box(right - 30.0, y + 1.0, 30.0, 12.0, 0.0), Tone::Surface));
    marks.push(Mark::text((right - 2.0, y + 11.0), Align::End, Letters::Small, Tone::Text, "2\u{a0}GB"));
    marks
}

/// The same with the frames that hold nothing, so that each frame is counted once.
fn with_rest(mut held: Vec<Held>, installed: u64) -> Vec<Held> {
    let counted: u64 = held.iter().map(|held| held.frames).sum();
    held.push(Held { tone: Tone::Empty, frames: installed.saturating_sub(counted), guest: None });
    held
}

/// The middles of the cells where pages of each guest arrive.
fn arrivals(held: &[Held], cells: &[usize], guests: usize, middle: impl Fn(usize) -> Point) -> Vec<Vec<Point>> {
    let mut arrivals = vec![Vec::new(); guests];
    let mut at = 0;
    for (held, &count) in held.iter().zip(cells) {
        let all = || (at..at + count).map(&middle).collect::<Vec<_>>();
        if held.tone == Tone::Reading && held.guest.is_none() && count > 0 {
            arrivals.fill(all());
        }
        if let Some(cells) = held.guest.and_then(|guest| arrivals.get_mut(guest)).filter(|_| count > 0) {
            match held.tone {
                Tone::Reading => *cells = all(),
                _ => *cells = vec![middle(at + count / 2)],
            }
        }
        at += count;
    }
    arrivals
}

/// How many of `cells` each count gets, in proportion. All cells are given away, and what has anything gets at least one where there are
/// enough.
fn shares(counts: &[u64], cells: usize) -> Vec<usize> {
    let all: u64 = counts.iter().sum();
    if all == 0 {
        return counts.iter().map(|_| 0).collect();
    }
    let exact = |count: u64| count as f64 * cells as f64 / all as f64;
    let mut given: Vec<usize> = counts.iter().map(|&count| (exact(count) as usize).max(usize::from(count > 0))).collect();
    // Too many where several got one that they have no right to: those who have most give it. Too few: the largest rest.
    while given.iter().sum::<usize>() > cells {
        let Some(most) = given.iter_mut().max().filter(|most| **most > 0) else { break };
        *most -= 1;
    }
    while given.iter().sum::<usize>() < cells {
        let rests = counts.iter().zip(&given).map(|(&count, &given)| exact(count) - given as f64);
        let Some((index, _)) = rests.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        given[index] += 1;
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_below_2_gb_stand_before_those_above_and_each_stands_once() {
        let mut host = crate::published::ready::scenario_of("BELOW-2GB").expect("an example");
        host.measure.interval_s = 2;
        let snapshot = zvmlab::experiment::run(&host, 1).expect("it is valid").snapshot;
        let sides = snapshot.storage.sides.as_ref().expect("the level tells them apart");
        let (held, below) = by_side(&snapshot.storage, sides);
        let sum = |held: &[Held]| held.iter().map(|held| held.frames).sum::<u64>();
        assert_eq!((sum(&held[..below]), sum(&held)), (524_288, 6 * 262_144));
        assert!(held[11].frames > 1_000_000, "nearly all of what is above is free");
    }

    #[test]
    fn every_cell_is_given_once() {
        assert_eq!(shares(&[50, 50], 10), [5, 5]);
        assert_eq!(shares(&[1, 999], 10), [1, 9], "a little is seen");
        assert_eq!(shares(&[0, 7, 0], 4), [0, 4, 0]);
        assert_eq!(shares(&[1, 1, 1], 10).iter().sum::<usize>(), 10);
        assert_eq!(shares(&[1, 1, 1, 1], 2).iter().sum::<usize>(), 2, "more things than cells");
        assert_eq!(shares(&[0, 0], 5), [0, 0]);
    }
}
