//! The logical control unit: volumes with their queues and exposures, the pool of aliases, the channel paths that all share,
//! and the I/Os on their way.

use zvmlab::Scenario;
use zvmlab::snapshot::{IoKind, IoSnapshot, IoStage, Snapshot, VolumeSnapshot};

use super::area::Area;
use super::{Align, Course, Dot, DotKind, Kind, Letters, Mark, Part, Point, Rates, Scene, Shape, Tone};
use crate::words::number::short;
use crate::words::unit::percent;

/// Height above the rows: the title, and how busy the paths are.
const TOP: f64 = 50.0;
/// Space below the rows.
const BOTTOM: f64 = 8.0;
/// From this height on, a row has a line of words over its queue.
const WORDS_FROM: f64 = 44.0;
/// From these widths on, the words over queue and exposures are whole.
const QUEUE_WORDS_FROM: f64 = 64.0;
const ALIAS_WORDS_FROM: f64 = 90.0;
/// The largest exposure.
const SOCKET_MAX: f64 = 22.0;
/// The most space between two that wait.
const QUEUE_STEP: f64 = 10.0;
/// Radius of a dot, and half the side of a square.
pub(super) const DOT: f64 = 4.0;

/// The least height in a wide picture that nothing limits.
const WIDE_MIN: f64 = 300.0;
/// The least height of a row, and how many times its own height it takes at most where there is more room.
const ROW_MIN: f64 = 18.0;
const HIGHER: f64 = 1.4;

/// The height of the control unit with so many volumes, where the picture is wide, or tall for a phone.
pub(super) fn height(volumes: usize, wide: bool) -> f64 {
    let rows = TOP + BOTTOM + row_height(volumes, wide) * volumes.max(1) as f64;
    if wide { rows.max(WIDE_MIN) } else { rows }
}

/// The least height in which a wide picture shows so many volumes.
pub(super) fn least(volumes: usize) -> f64 {
    TOP + BOTTOM + ROW_MIN * volumes.max(1) as f64
}

/// The height of a row in a control unit that is `h` high.
fn row_in(volumes: usize, wide: bool, h: f64) -> f64 {
    let own = row_height(volumes, wide);
    if !wide || (h - height(volumes, wide)).abs() < 0.5 {
        return own;
    }
    ((h - TOP - BOTTOM) / volumes.max(1) as f64).min(HIGHER * own)
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
struct Columns {
    /// The rows begin here.
    top: f64,
    row: f64,
    /// Left end and width.
    queue: (f64, f64),
    exposures: (f64, f64),
    /// Left end of each path, by its number; `None` for one that no volume here uses.
    paths: Vec<Option<f64>>,
    path_width: f64,
    drums: (f64, f64),
}

impl Columns {
    fn new(area: Area, snapshot: &Snapshot, wide: bool) -> Columns {
        let used = used_paths(snapshot);
        let count = used.iter().filter(|used| **used).count().max(1) as f64;
        let drum = (area.w * 0.19).clamp(50.0, 96.0);
        let path_width = (area.w * 0.24 / count - 8.0).clamp(7.0, 44.0);
        let paths_width = count * (path_width + 8.0);
        let left = (area.w - drum - paths_width - 34.0).max(40.0);
        let (queue, exposures) = (left * 0.48, left * 0.52);
        let first = area.x + 8.0 + left + 8.0;
        let mut next = first;
        let paths = used.iter().map(|used| {
            used.then(|| {
                next += path_width + 8.0;
                next - path_width - 8.0
            })
        });
        let paths = paths.collect();
        Columns {
            top: area.y + TOP,
            row: row_in(snapshot.paging.volumes.len() + snapshot.minidisks.volumes.len(), wide, area.h),
            queue: (area.x + 8.0, queue - 6.0),
            exposures: (area.x + 8.0 + queue, exposures),
            paths,
            path_width,
            drums: (area.x + area.w - drum - 8.0, drum),
        }
    }

    /// The middle of the row of a volume.
    fn middle(&self, volume: usize) -> f64 {
        let below = if self.row >= WORDS_FROM { 7.0 } else { 0.0 };
        self.top + self.row * (volume as f64 + 0.5) + below
    }

    /// Where the I/O stands that is `place`-th in the queue of a volume, of `count`. The first stands nearest to the exposures.
    fn queued(&self, volume: usize, place: usize, count: usize) -> Point {
        let step = QUEUE_STEP.min((self.queue.1 - 2.0 * DOT) / (count.max(2) - 1) as f64);
        (self.queue.0 + self.queue.1 - DOT - place as f64 * step, self.middle(volume))
    }

    /// Side of an exposure where a volume shows `count` of them, and the space from one to the next.
    fn socket(&self, count: usize) -> (f64, f64) {
        let step = ((self.exposures.1 - 4.0) / count.max(1) as f64).min(SOCKET_MAX + 4.0);
        ((step - 3.0).clamp(1.5, SOCKET_MAX.min(self.row - 6.0)), step)
    }

    /// The middle of the exposure at `place` of `count`.
    fn exposure(&self, volume: usize, place: usize, count: usize) -> Point {
        let (side, step) = self.socket(count);
        (self.exposures.0 + 2.0 + place as f64 * step + side / 2.0, self.middle(volume))
    }

    /// The way from an exposure over a path to the volume.
    fn way(&self, from: Point, path: Option<u32>) -> Vec<Point> {
        let to = (self.drums.0 + 6.0, from.1);
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

/// The I/Os of a volume: those that wait, those on its own exposures, those on aliases. Each in the order of their requests.
#[derive(Default)]
struct Row<'a> {
    queued: Vec<&'a IoSnapshot>,
    own: Vec<&'a IoSnapshot>,
    aliases: Vec<&'a IoSnapshot>,
}

/// Draws the control unit in `area`, in a wide picture or a tall one. Reads that CP finishes stand at the `door` of central storage.
pub(super) fn draw(
    scene: &mut Scene,
    scenario: &Scenario,
    snapshot: &Snapshot,
    rates: &Rates,
    area: Area,
    (door, wide): (Point, bool),
) {
    let columns = Columns::new(area, snapshot, wide);
    scene.ground.push(Mark::new(Shape::Box(area.x, area.y, area.w, area.h, 8.0), Tone::Surface));
    let title = if area.w >= 330.0 { "Logical control unit" } else { "LCU" };
    scene.ground.push(Mark::text((area.x + 10.0, area.y + 18.0), Align::Start, Letters::Heading, Tone::Text, title));
    let volumes: Vec<&VolumeSnapshot> = snapshot.paging.volumes.iter().chain(&snapshot.minidisks.volumes).collect();
    let mut rows: Vec<Row> = volumes.iter().map(|_| Row::default()).collect();
    let mut finishing = Vec::new();
    for io in &snapshot.lcu.ios {
        let Some(row) = rows.get_mut(io.volume as usize) else { continue };
        match (io.stage, io.on_alias) {
            (IoStage::Finishing, _) => finishing.push(io),
            (IoStage::Queued, _) => row.queued.push(io),
            (_, false) => row.own.push(io),
            (_, true) => row.aliases.push(io),
        }
    }
    if volumes.is_empty() {
        let at = (area.x + area.w / 2.0, area.y + TOP + 24.0);
        scene.ground.push(Mark::text(at, Align::Middle, Letters::Small, Tone::Quiet, "no volume is used"));
    }
    pool(scene, snapshot, area, &columns);
    paths(scene, snapshot, rates, area, &columns);
    for (index, (volume, row)) in volumes.iter().zip(&rows).enumerate() {
        let depth = own_exposures(scenario, snapshot, volume, index);
        of_volume(scene, snapshot, rates, &columns, index, volume, row, depth);
    }
    let count = finishing.len() as f64;
    for (place, io) in finishing.into_iter().enumerate() {
        let at = (door.0 + DOT + 2.0, door.1 + (place as f64 - (count - 1.0) / 2.0) * 9.0f64.min(120.0 / count));
        scene.dots.push(dot(io, Course::still(at)));
    }
}

/// How many I/Os a volume carries without an alias.
fn own_exposures(scenario: &Scenario, snapshot: &Snapshot, volume: &VolumeSnapshot, index: usize) -> usize {
    let depth = match index.checked_sub(snapshot.paging.volumes.len()) {
        Some(_) => scenario.minidisks.queue_depth,
        None => scenario.paging.queue_depth,
    };
    if volume.kind.is_eckd() { 1 } else { depth as usize }
}

/// The name of a volume.
fn name(snapshot: &Snapshot, index: usize) -> String {
    match index.checked_sub(snapshot.paging.volumes.len()) {
        None => format!("PAGE{:02}", index + 1),
        Some(minidisks) => format!("MDSK{:02}", minidisks + 1),
    }
}

/// One volume: its queue, its exposures, the drum, and its I/Os.
#[expect(clippy::too_many_arguments, reason = "all that is known of a volume meets here")]
fn of_volume(
    scene: &mut Scene,
    snapshot: &Snapshot,
    rates: &Rates,
    columns: &Columns,
    index: usize,
    volume: &VolumeSnapshot,
    row: &Row,
    depth: usize,
) {
    // Of a deep queue, those in use and the next one.
    let own = depth.min(row.own.len() + 1).max(row.own.len());
    let count = own + row.aliases.len();
    let middle = columns.middle(index);
    let (side, _) = columns.socket(count);
    // The drum first: it glows where volumes limit.
    let mut marks = drum(columns, index, volume, &name(snapshot, index), busy(volume, rates, index).as_deref());
    marks.push(Mark::new(Shape::Line(vec![(columns.exposures.0, middle), (columns.drums.0, middle)]), Tone::Border));
    let socket = |place: usize| {
        let (x, y) = columns.exposure(index, place, count);
        Shape::Box(x - side / 2.0, y - side / 2.0, side, side, 3.0)
    };
    for place in 0..count {
        let tone = if place >= own {
            Tone::Alias
        } else if place < row.own.len() {
            Tone::Base
        } else {
            Tone::Empty
        };
        marks.push(Mark::new(socket(place), tone));
    }
    if columns.row >= WORDS_FROM {
        let waits = match (row.queued.len(), columns.queue.1 >= QUEUE_WORDS_FROM) {
            (0, true) => "no queue".to_string(),
            (0, false) => String::new(),
            (count, true) => format!("{count} waiting"),
            (count, false) => count.to_string(),
        };
        let at = (columns.queue.0, middle - side / 2.0 - 7.0);
        marks.push(Mark::text(at, Align::Start, Letters::Small, Tone::Quiet, waits));
        let word = match (volume.kind.is_eckd(), row.aliases.len(), columns.exposures.1 >= ALIAS_WORDS_FROM) {
            (false, _, true) => "queue depth".to_string(),
            (false, _, false) => "queue".into(),
            (true, 0, _) => "base".into(),
            (true, 1, true) => "base + 1 alias".into(),
            (true, aliases, true) => format!("base + {aliases} aliases"),
            (true, aliases, false) => format!("base + {aliases}"),
        };
        let at = (columns.exposures.0, middle - side / 2.0 - 7.0);
        marks.push(Mark::text(at, Align::Start, Letters::Small, Tone::Quiet, word));
    }
    let in_progress = row.own.len() + row.aliases.len();
    let state = [
        busy(volume, rates, index),
        Some(if row.queued.is_empty() { "nobody waits".into() } else { format!("{} waiting", row.queued.len()) }),
        Some(format!("{in_progress} in progress")),
        (volume.slots > 0)
            .then(|| format!("{} of its slots used", percent(100.0 * volume.slots_used as f64 / volume.slots as f64))),
    ];
    let of_pages = index < snapshot.paging.volumes.len();
    let h = columns.row - 4.0;
    scene.parts.push(Part {
        id: (Kind::Volume, index),
        name: name(snapshot, index),
        state: state.into_iter().flatten().collect::<Vec<_>>().join(", "),
        room: if of_pages { Kind::Volume.room() } else { crate::room::Room::Minidisks },
        place: (
            columns.queue.0 - 4.0,
            columns.top + columns.row * index as f64 + 2.0,
            columns.drums.0 + columns.drums.1 - columns.queue.0 + 8.0,
            h,
        ),
        limits: false,
        marks,
    });
    for (place, io) in row.queued.iter().enumerate() {
        scene.dots.push(dot(io, Course::still(columns.queued(index, place, row.queued.len()))));
    }
    let on_exposures = row.own.iter().enumerate().chain(row.aliases.iter().enumerate().map(|(at, io)| (own + at, io)));
    for (place, io) in on_exposures {
        let from = columns.exposure(index, place, count);
        scene.dots.push(dot(io, course(io, from, columns, snapshot.now_ns)));
    }
}

/// How busy a volume was, in words: percent of the time where it has one exposure, else I/Os at once.
fn busy(volume: &VolumeSnapshot, rates: &Rates, index: usize) -> Option<String> {
    let at_once = rates.known(&rates.volumes, index)?;
    // More than one at once is no percentage of anything.
    Some(if at_once > 1.0 || !volume.kind.is_eckd() {
        format!("{} I/Os at once", short(at_once))
    } else {
        format!("{} busy", percent(100.0 * at_once))
    })
}

fn drum(columns: &Columns, index: usize, volume: &VolumeSnapshot, name: &str, busy: Option<&str>) -> Vec<Mark> {
    let (x, w) = columns.drums;
    let h = (columns.row - 8.0).min(46.0);
    let middle = columns.middle(index) - if columns.row >= WORDS_FROM { 5.0 } else { 0.0 };
    let y = middle - h / 2.0;
    let mut marks = vec![Mark::new(Shape::Drum(x, y, w, h), Tone::Surface)];
    if volume.slots > 0 {
        let part = (volume.slots_used as f64 / volume.slots as f64).min(1.0);
        let full = (h - 10.0) * part;
        marks.push(Mark::new(Shape::Box(x + 2.0, y + h - 4.0 - full, w - 4.0, full, 2.0), Tone::Empty));
    }
    let with_words = h >= 42.0 && busy.is_some();
    let line = if with_words { middle + 3.0 } else { middle + 5.0 };
    marks.push(Mark::text((x + w / 2.0, line), Align::Middle, Letters::Name, Tone::Text, name));
    if let Some(busy) = busy.filter(|busy| with_words && w >= 5.2 * busy.len() as f64) {
        marks.push(Mark::text((x + w / 2.0, line + 13.0), Align::Middle, Letters::Small, Tone::Quiet, busy));
    }
    marks
}

/// Where an I/O with an exposure is, and where it goes. Command and written data go from the exposure to the volume, read data comes
/// back.
fn course(io: &IoSnapshot, from: Point, columns: &Columns, now_ns: u64) -> Course {
    let out = columns.way(from, io.path);
    let back = || out.iter().rev().copied().collect::<Vec<_>>();
    let writes = is_write(io);
    let end = |way: &[Point]| way.last().copied().unwrap_or(from);
    match io.stage {
        IoStage::Pending if !writes => {
            let whole = io.until_ns.saturating_sub(io.since_ns).max(1) as f64;
            let behind = now_ns.saturating_sub(io.since_ns) as f64 / whole;
            Course { way: out, behind: behind.clamp(0.0, 1.0), from_ns: now_ns, until_ns: io.until_ns }
        }
        IoStage::Disconnect | IoStage::Protocol if !writes => Course::still(end(&out)),
        IoStage::Transfer => {
            let way = if writes { out } else { back() };
            Course { way, behind: f64::from(io.done_ppm) / 1e6, from_ns: now_ns, until_ns: io.until_ns }
        }
        _ => Course::still(from),
    }
}

fn is_write(io: &IoSnapshot) -> bool {
    matches!(io.kind, IoKind::PageWrite | IoKind::MinidiskWrite)
}

fn dot(io: &IoSnapshot, course: Course) -> Dot {
    let tone = match (io.stage, io.on_alias) {
        (IoStage::Queued, _) => Tone::Queued,
        (_, true) => Tone::Alias,
        (_, false) => Tone::Base,
    };
    let (guest, volume) = (io.guest.map(|guest| guest + 1), io.volume as usize);
    let subject = DotKind::Io { guest, volume, stage: io.stage, writes: is_write(io) };
    Dot { number: io.number, subject, tone, course }
}

/// The pool: its free aliases. Those that are bound stand at their volumes.
fn pool(scene: &mut Scene, snapshot: &Snapshot, area: Area, columns: &Columns) {
    let (all, bound) = (snapshot.lcu.aliases as usize, snapshot.lcu.aliases_in_use as usize);
    if all == 0 {
        return;
    }
    let free = all.saturating_sub(bound);
    let (x, w) = (columns.exposures.0 + 2.0, columns.exposures.1 - 4.0);
    let step = (w / free.max(1) as f64).min(11.0);
    let y = area.y + 30.0;
    let cells = (0..free).map(|place| (x + place as f64 * step, y)).collect();
    let mut marks = Vec::new();
    if free > 0 {
        marks.push(Mark::new(Shape::Cells((step - 2.0).max(0.5), 9.0, cells), Tone::Alias));
    }
    let words = format!("aliases: {bound} of {all} bound");
    let narrow = area.w < 330.0;
    let at = if narrow { (area.x + 44.0, area.y + 18.0) } else { (columns.exposures.0 + 2.0, area.y + 18.0) };
    // Beside the title where there is room, else in the words of the part alone.
    if narrow || columns.exposures.0 > area.x + 150.0 {
        marks.push(Mark::text(at, Align::Start, Letters::Small, Tone::Alias, words.clone()));
    }
    scene.parts.push(Part {
        id: (Kind::Aliases, 0),
        name: "HyperPAV aliases".into(),
        state: words,
        room: Kind::Aliases.room(),
        place: (x - 3.0, area.y + 6.0, w + 6.0, 36.0),
        limits: false,
        marks,
    });
}

/// The channel paths, filled by how busy they are.
fn paths(scene: &mut Scene, snapshot: &Snapshot, rates: &Rates, area: Area, columns: &Columns) {
    for (path, left) in columns.paths.iter().enumerate() {
        let Some(left) = *left else { continue };
        let (w, y) = (columns.path_width, area.y + 36.0);
        let h = area.y + area.h - 6.0 - y;
        let busy = rates.known(&rates.paths, path);
        let full = h * busy.unwrap_or(0.0).min(1.0);
        let mut marks = vec![
            Mark::new(Shape::Box(left, y, w, h, 5.0), Tone::Empty),
            Mark::new(Shape::Box(left, y + h - full, w, full, 5.0), Tone::Busy),
        ];
        let fcp = path >= snapshot.lcu.ficon_paths as usize;
        let number = if fcp { path - snapshot.lcu.ficon_paths as usize } else { path } + 1;
        let kind = if fcp { "FCP path" } else { "Channel path" };
        let middle = left + w / 2.0;
        if w >= 30.0 {
            let short = if fcp { format!("FCP {number}") } else { format!("path {number}") };
            marks.push(Mark::text((middle, y - 18.0), Align::Middle, Letters::Small, Tone::Quiet, short));
        }
        if let Some(busy) = busy.filter(|_| w >= 24.0) {
            let text = percent((100.0 * busy).round());
            marks.push(Mark::text((middle, y - 5.0), Align::Middle, Letters::Name, Tone::Text, text));
        }
        let on = snapshot.lcu.ios_on_path.get(path).copied().unwrap_or(0);
        let carries = match on {
            0 => "carries nothing now".to_string(),
            1 => "carries one I/O".into(),
            on => format!("shared by {on} I/Os"),
        };
        let busy = busy.map_or(String::new(), |busy| format!("{} busy, ", percent(100.0 * busy)));
        scene.parts.push(Part {
            id: (Kind::Path, path),
            name: format!("{kind} {number}"),
            state: format!("{busy}{carries}"),
            room: Kind::Path.room(),
            place: (left - 2.0, y - 30.0, w + 4.0, h + 32.0),
            limits: false,
            marks,
        });
    }
}
