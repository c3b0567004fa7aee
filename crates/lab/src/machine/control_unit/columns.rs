//! Where the columns of the control unit stand: queues, exposures, paths, drums; a row for each volume.

use zvmlab::snapshot::Snapshot;

use crate::machine::Point;
use crate::machine::area::Area;
use crate::machine::dot::DOT;

/// Height above the rows: the aliases, and how busy the paths are.
pub(super) const TOP: f64 = 50.0;
/// Space below the rows.
const BOTTOM: f64 = 8.0;
/// From this height on, a row has a line of words over its queue.
pub(super) const WORDS_FROM: f64 = 44.0;
/// The largest exposure.
const SOCKET_MAX: f64 = 22.0;
/// The most space between two that wait.
const QUEUE_STEP: f64 = 10.0;
/// Space for the number of those that wait, in a low row.
const QUEUE_NUMBER: f64 = 18.0;
/// Width of a digit of that number.
pub(super) const QUEUE_DIGIT: f64 = 7.0;
/// Space at the left of the queues of a tall picture: data that is read goes up there.
const GUTTER: f64 = 10.0;

/// The least height in a wide picture that nothing limits.
const WIDE_MIN: f64 = 300.0;
/// The least height of a row, and how many times its own height it takes at most where there is more room.
const ROW_MIN: f64 = 18.0;
const HIGHER: f64 = 1.4;

/// Up to so many volumes, each has a row of its own. More share rows: in so many where the picture has the height that it likes, and in
/// at least so many.
const ALONE: usize = 12;
const ROWS: usize = 14;
const ROWS_MIN: usize = 5;
/// The least width of a drum that shares its row.
const DRUM_MIN: f64 = 25.0;

/// How many of `volumes` stand side by side, in at most so many rows.
fn across(volumes: usize, rows: usize) -> usize {
    if volumes <= ALONE { 1 } else { volumes.div_ceil(rows.clamp(ROWS_MIN, ROWS)) }
}

fn rows(volumes: usize, most: usize) -> f64 {
    volumes.div_ceil(across(volumes, most)).max(1) as f64
}

/// The height of the control unit with so many volumes, where the picture is wide, or tall for a phone.
pub(in crate::machine) fn height(volumes: usize, wide: bool) -> f64 {
    let rows = TOP + BOTTOM + row_height(volumes, wide) * rows(volumes, ROWS);
    if wide { rows.max(WIDE_MIN) } else { rows }
}

/// The least height in which a wide picture shows so many volumes.
pub(in crate::machine) fn least(volumes: usize) -> f64 {
    TOP + BOTTOM + ROW_MIN * rows(volumes, ROWS_MIN)
}

/// How many volumes share a row, and its height, in a control unit that is `h` high.
fn rows_in(volumes: usize, wide: bool, h: f64) -> (usize, f64) {
    let own = row_height(volumes, wide);
    if !wide || (h - height(volumes, wide)).abs() < 0.5 {
        return (across(volumes, ROWS), own);
    }
    let most = ((h - TOP - BOTTOM + 0.01) / ROW_MIN) as usize;
    (across(volumes, most), ((h - TOP - BOTTOM) / rows(volumes, most)).min(HIGHER * own))
}

fn row_height(volumes: usize, wide: bool) -> f64 {
    match volumes {
        0..=5 if wide => 62.0,
        0..=8 => 46.0,
        9..=12 => 32.0,
        _ => 24.0,
    }
}

/// Where the columns of the control unit stand.
pub(super) struct Columns {
    /// The rows begin here.
    pub top: f64,
    pub row: f64,
    /// How many volumes share a row.
    pub across: usize,
    /// Left end and width.
    pub queue: (f64, f64),
    pub exposures: (f64, f64),
    /// Left end of each path, by its number; `None` for one that no volume here uses.
    pub paths: Vec<Option<f64>>,
    pub path_width: f64,
    /// From one path to the next.
    pub pitch: f64,
    pub drums: (f64, f64),
}

impl Columns {
    pub fn new(area: Area, snapshot: &Snapshot, wide: bool) -> Columns {
        let used = used_paths(snapshot);
        let count = used.iter().filter(|used| **used).count().max(1) as f64;
        let volumes = snapshot.paging.volumes.len() + snapshot.minidisks.volumes.len();
        let (across, row) = rows_in(volumes, wide, area.h);
        let shared = (DRUM_MIN * across as f64).min(area.w * 0.45);
        let drum = (area.w * 0.19).clamp(50.0, 96.0).max(if across > 1 { shared } else { 0.0 });
        // From one path to the next: many, as where some are for FICON and some for FCP, stand closer.
        let pitch = (area.w * 0.28 / count).clamp(15.0, 52.0).min(area.w * 0.4 / count);
        let (path_width, paths_width) = ((pitch - 8.0).max(pitch * 0.6), count * pitch);
        let left = (area.w - drum - paths_width - 34.0).max(40.0);
        let (queue, exposures) = (left * 0.48, left * 0.52);
        let gutter = if wide { 0.0 } else { GUTTER.min(queue / 3.0) };
        let first = area.x + 8.0 + left + 8.0;
        let mut next = first;
        let paths = used.iter().map(|used| {
            used.then(|| {
                next += pitch;
                next - pitch
            })
        });
        let paths = paths.collect();
        Columns {
            top: area.y + TOP,
            row,
            across,
            queue: (area.x + 1.0 + gutter, queue - 4.0 - gutter),
            exposures: (area.x + 8.0 + queue, exposures),
            paths,
            path_width,
            pitch,
            drums: (area.x + area.w - drum - 8.0, drum),
        }
    }

    /// The row of a volume, and its place in it.
    fn place(&self, volume: usize) -> (f64, f64) {
        ((volume / self.across) as f64, (volume % self.across) as f64)
    }

    /// The upper end of the row of a volume.
    pub fn row_top(&self, volume: usize) -> f64 {
        self.top + self.row * self.place(volume).0
    }

    /// The middle of the row of a volume.
    pub fn middle(&self, volume: usize) -> f64 {
        let below = if self.row >= WORDS_FROM { 7.0 } else { 0.0 };
        self.row_top(volume) + self.row * 0.5 + below
    }

    /// Left end and width of the drum of a volume.
    pub fn drum(&self, volume: usize) -> (f64, f64) {
        let each = self.drums.1 / self.across as f64;
        (self.drums.0 + each * self.place(volume).1, each - if self.across > 1 { 3.0 } else { 0.0 })
    }

    /// Where the I/O stands that is `place`-th in the queue of a row, of `count`. The first stands nearest to the exposures.
    pub fn queued(&self, volume: usize, place: usize, count: usize) -> Point {
        // In a low row their number stands beside them.
        let room = if self.row >= WORDS_FROM { self.queue.1 } else { (self.queue.1 - QUEUE_NUMBER).max(2.0 * DOT) };
        let step = QUEUE_STEP.min((room - 2.0 * DOT) / (count.max(2) - 1) as f64);
        (self.queue.0 + self.queue.1 - DOT - place as f64 * step, self.middle(volume))
    }

    /// Side of an exposure where a row shows `count` of them, and the space from one to the next.
    pub fn socket(&self, count: usize) -> (f64, f64) {
        let step = ((self.exposures.1 - 4.0) / count.max(1) as f64).min(SOCKET_MAX + 4.0);
        ((step - 3.0).clamp(1.5, SOCKET_MAX.min(self.row - 6.0)), step)
    }

    /// The middle of the exposure at `place` of `count` in the row of a volume.
    pub fn exposure(&self, volume: usize, place: usize, count: usize) -> Point {
        let (side, step) = self.socket(count);
        (self.exposures.0 + 2.0 + place as f64 * step + side / 2.0, self.middle(volume))
    }

    /// The height at which data that is read passes the exposures and the queue of a volume.
    pub fn lane(&self, volume: usize) -> f64 {
        self.row_top(volume) + self.row - 2.0
    }

    /// Where this data turns down from its path.
    pub fn turn(&self) -> f64 {
        self.exposures.0 + self.exposures.1
    }

    /// The way from an exposure over a path to the volume.
    pub fn way(&self, from: Point, path: Option<u32>, volume: usize) -> Vec<Point> {
        // Where drums stand side by side, it ends before the number of its own.
        let to = (self.drum(volume).0 + if self.across > 1 { 0.0 } else { 1.0 }, from.1);
        let left = path.and_then(|path| *self.paths.get(path as usize)?);
        match left {
            Some(left) => vec![from, (left + 2.0, from.1), (left + self.path_width - 2.0, from.1), to],
            None => vec![from, to],
        }
    }
}

/// Which paths some volume of the host can use: FICON for ECKD, FCP for EDEVs.
fn used_paths(snapshot: &Snapshot) -> Vec<bool> {
    let volumes = || snapshot.paging.volumes.iter().chain(&snapshot.minidisks.volumes);
    let ficon = volumes().any(|volume| volume.kind.is_eckd());
    let fcp = volumes().any(|volume| !volume.kind.is_eckd());
    let is_ficon = |path: usize| path < snapshot.lcu.ficon_paths as usize;
    (0..snapshot.lcu.ios_on_path.len()).map(|path| if is_ficon(path) { ficon } else { fcp }).collect()
}
