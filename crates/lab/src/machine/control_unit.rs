//! The logical control unit: volumes with their exposures, the pool of aliases, the channel paths that all share, and the I/Os on
//! their way. Before it stands CP's queue for each volume.

mod arrivals;
mod columns;

use zvmlab::Scenario;
use zvmlab::limit::ResourceKind;
use zvmlab::snapshot::{IoKind, IoSnapshot, IoStage, Snapshot, VolumeSnapshot};

use super::area::{Area, heading};
use super::frames::Places;
use super::text::{first_that_fits, fits, width};
use super::{Align, Course, Dot, DotKind, Kind, Letters, Mark, Part, Point, Rates, Scene, Shape, Tone};
use crate::words::number::short;
use crate::words::unit::percent;
use arrivals::Arrivals;
use columns::{Columns, QUEUE_DIGIT, TOP, WORDS_FROM};
pub(super) use columns::{height, least};

/// From these widths on, the words over queue and exposures are whole.
const QUEUE_WORDS_FROM: f64 = 52.0;
const ALIAS_WORDS_FROM: f64 = 90.0;
/// The space that I/Os at the edge of a drum take from its name, on both sides. Chosen.
const NAME_ASIDE: f64 = 16.0;
/// The least height of a drum that is drawn as one.
const DRUM_FROM: f64 = 28.0;
/// Below this height of a row, a drum takes nearly all of it, so that its name stands in it.
const LOW_ROW: f64 = 24.0;

/// The I/Os of a volume: those that wait, those on its own exposures, those on aliases. Each in the order of their requests.
#[derive(Default)]
struct Row<'a> {
    queued: Vec<&'a IoSnapshot>,
    own: Vec<&'a IoSnapshot>,
    aliases: Vec<&'a IoSnapshot>,
    /// Its own exposures that are drawn: of a deep queue, those in use and the next one.
    exposures: usize,
    /// How many wait, and how many exposures are drawn, before it in its row and in the whole row. Volumes share rows where there are many.
    waiting: (usize, usize),
    sockets: (usize, usize),
}

/// Whether part `index` of a kind can be what limits: page volumes come first, and volumes of minidisks have no part in it where page
/// volumes limit. Members show their page volumes only. What stands beneath central storage does not limit.
pub(super) fn is_it(limit: ResourceKind, kind: Kind, index: usize, scenario: &Scenario) -> bool {
    let of_pages = index < scenario.page_volumes() as usize;
    match limit {
        // Beneath central storage stand the last search and free frames: they tell of it, and do not limit.
        ResourceKind::Frames | ResourceKind::FramesBelow if kind == Kind::Frames && scenario.cluster.members == 1 => {
            index == 0
        }
        _ if kind != Kind::Volume || scenario.cluster.members > 1 => true,
        ResourceKind::PageVolumes => of_pages,
        ResourceKind::MinidiskVolumes => !of_pages || scenario.minidisks.on_page_volumes,
        _ => true,
    }
}

/// Draws the queue and the control unit in `area`, in a wide picture or a tall one. Data that is read goes to its place in central storage.
pub(super) fn draw(
    scene: &mut Scene,
    scenario: &Scenario,
    snapshot: &Snapshot,
    rates: &Rates,
    area: Area,
    (places, wide): (&Places, bool),
) {
    let columns = Columns::new(area, snapshot, wide);
    let left = columns.exposures.0 - 8.0;
    let unit = Area { x: left, w: area.x + area.w - left, ..area };
    scene.ground.push(Mark::new(Shape::Box(unit.x, unit.y, unit.w, unit.h, 8.0), Tone::Surface));
    // Beside the words over the queue, as much of its own as there is room for.
    let begin = queue(scene, snapshot, unit, &columns);
    let words = ["Logical control unit".to_string(), "LCU".into()];
    if let Some(words) = first_that_fits(words, Letters::Heading, unit.x + unit.w - begin) {
        heading(scene, Area { x: begin, ..unit }, &words);
    }
    let volumes: Vec<&VolumeSnapshot> = snapshot.paging.volumes.iter().chain(&snapshot.minidisks.volumes).collect();
    let mut rows: Vec<Row> = volumes.iter().map(|_| Row::default()).collect();
    let mut finishing = Vec::new();
    let mut arrivals = Arrivals::new(places, area, wide, snapshot.guests.len());
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
    arrivals::ways(scene, volumes.len(), &columns, &arrivals);
    pool(scene, snapshot, area, &columns);
    paths(scene, snapshot, rates, area, &columns);
    for (index, (volume, row)) in volumes.iter().zip(&mut rows).enumerate() {
        let depth = own_exposures(scenario, snapshot, volume, index);
        row.exposures = depth.min(row.own.len() + 1).max(row.own.len());
    }
    for rows in rows.chunks_mut(columns.across) {
        let (mut waiting, mut sockets) = (0, 0);
        for row in rows.iter_mut() {
            (row.waiting.0, row.sockets.0) = (waiting, sockets);
            (waiting, sockets) = (waiting + row.queued.len(), sockets + row.exposures + row.aliases.len());
        }
        rows.iter_mut().for_each(|row| (row.waiting.1, row.sockets.1) = (waiting, sockets.max(columns.across)));
    }
    for (index, (volume, row)) in volumes.iter().zip(&rows).enumerate() {
        of_volume(scene, snapshot, rates, &columns, index, volume, row, &mut arrivals);
    }
    // What CP finishes: a read is in its frames, a write has left them.
    let count = finishing.iter().filter(|io| is_write(io)).count();
    let mut written = 0;
    for io in finishing {
        let at = if is_write(io) {
            written += 1;
            arrivals.door(written - 1, count)
        } else {
            arrivals.of(io).at
        };
        scene.dots.push(dot(snapshot, io, Course::still(at)));
    }
}

/// CP's queue: how many I/Os wait because no exposure of their volume is free. They themselves stand below, each before its volume.
/// Returns where the words over the control unit can begin.
fn queue(scene: &mut Scene, snapshot: &Snapshot, unit: Area, columns: &Columns) -> f64 {
    let count = snapshot.lcu.ios.iter().filter(|io| io.stage == IoStage::Queued).count();
    let (x, w) = (columns.queue.0 - 1.0, columns.exposures.0 - 9.0 - columns.queue.0);
    // Room for three digits, so that nothing moves while the queue grows.
    let end = |words: &str| x + width(words, Letters::Heading) + width(" 999", Letters::Heading) + 9.0;
    let beside = unit.x + unit.w - width("LCU", Letters::Heading);
    let words = ["CP's queue:", "Queue", ""]
        .into_iter()
        .find(|words| end(words) <= unit.x || *words == "Queue" && end(words) <= beside);
    let words = words.unwrap_or_default();
    let title = format!("{words} {count}").trim_start().to_string();
    let state = match count {
        0 => "no I/O waits".to_string(),
        1 => "one I/O waits: no exposure of its volume is free".into(),
        count => format!("{count} I/Os wait: no exposure of their volumes is free"),
    };
    scene.parts.push(Part {
        id: (Kind::Queue, 0),
        name: "CP's queue".into(),
        state,
        room: Kind::Queue.room(),
        place: (x, unit.y - 19.0, w.max(1.0), 24.0),
        limits: false,
        marks: vec![Mark::text((x, unit.y - 7.0), Align::Start, Letters::Heading, Tone::Text, title)],
    });
    end(words).max(unit.x)
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
pub(super) fn name(snapshot: &Snapshot, index: usize) -> String {
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
    arrivals: &mut Arrivals,
) {
    let own = row.exposures;
    let (before, count) = row.sockets;
    let middle = columns.middle(index);
    let drum = columns.drum(index);
    // The drum first: it glows where volumes limit.
    let mut marks = body(columns, index, volume, &name(snapshot, index), busy(volume, rates, index, true).as_deref());
    if index.is_multiple_of(columns.across) {
        marks.push(Mark::new(Shape::Line(vec![(columns.exposures.0, middle), (columns.drums.0, middle)]), Tone::Border));
    }
    marks.extend(sockets(columns, index, row));
    if columns.row >= WORDS_FROM {
        marks.extend(words(columns, index, volume, row));
    } else if row.waiting.1 > 0 && index.is_multiple_of(columns.across) {
        let number = row.waiting.1.to_string();
        // More digits begin further to the left, so that no I/O stands on them.
        let at = (columns.queue.0 - QUEUE_DIGIT * (number.len() - 1) as f64, middle + 4.0);
        marks.push(Mark::text(at, Align::Start, Letters::Small, Tone::Text, number));
    }
    let of_pages = index < snapshot.paging.volumes.len();
    let h = columns.row - 4.0;
    let left = if columns.across > 1 { drum.0 - 1.0 } else { columns.queue.0 - 1.0 };
    scene.parts.push(Part {
        id: (Kind::Volume, index),
        name: name(snapshot, index),
        state: state(volume, rates, index, (row.queued.len(), row.own.len() + row.aliases.len())),
        room: if of_pages { Kind::Volume.room() } else { crate::room::Room::Minidisks },
        place: (left, columns.row_top(index) + 2.0, drum.0 + drum.1 - left + if columns.across > 1 { 1.0 } else { 4.0 }, h),
        limits: false,
        marks,
    });
    for (place, io) in row.queued.iter().enumerate() {
        scene.dots.push(dot(snapshot, io, Course::still(columns.queued(index, row.waiting.0 + place, row.waiting.1))));
    }
    let on_exposures = row.own.iter().enumerate().chain(row.aliases.iter().enumerate().map(|(at, io)| (own + at, io)));
    for (place, io) in on_exposures {
        let from = columns.exposure(index, before + place, count);
        scene.dots.push(dot(snapshot, io, course(io, from, columns, snapshot.now_ns, arrivals)));
    }
}

/// The exposures of a volume: its own, in use or not, and the aliases that it has now.
fn sockets(columns: &Columns, index: usize, row: &Row) -> impl Iterator<Item = Mark> {
    let own = row.exposures;
    let (before, count) = row.sockets;
    let (side, _) = columns.socket(count);
    (0..own + row.aliases.len()).map(move |place| {
        let (x, y) = columns.exposure(index, before + place, count);
        let tone = if place >= own {
            Tone::Alias
        } else if place < row.own.len() {
            Tone::Base
        } else {
            Tone::Empty
        };
        Mark::new(Shape::Box(x - side / 2.0, y - side / 2.0, side, side, 3.0), tone)
    })
}

/// What is written over a volume's queue and exposures.
fn words(columns: &Columns, index: usize, volume: &VolumeSnapshot, row: &Row) -> [Mark; 2] {
    let (side, _) = columns.socket(row.sockets.1);
    let y = columns.middle(index) - side / 2.0 - 7.0;
    let waits = match (row.queued.len(), columns.queue.1 >= QUEUE_WORDS_FROM) {
        (0, true) => "no queue".to_string(),
        (0, false) => String::new(),
        (count, true) => format!("{count} waiting"),
        (count, false) => count.to_string(),
    };
    let word = match (volume.kind.is_eckd(), row.aliases.len(), columns.exposures.1 >= ALIAS_WORDS_FROM) {
        (false, _, true) => "queue depth".to_string(),
        (false, _, false) => "queue".into(),
        (true, 0, _) => "base".into(),
        (true, 1, true) => "base + 1 alias".into(),
        (true, aliases, true) => format!("base + {aliases} aliases"),
        (true, aliases, false) => format!("base + {aliases}"),
    };
    let at = |x: f64, text: String| Mark::text((x, y), Align::Start, Letters::Small, Tone::Quiet, text);
    [at(columns.queue.0, waits), at(columns.exposures.0, word)]
}

/// The state of a volume in words, with its I/Os that wait and that are in progress.
pub(super) fn state(volume: &VolumeSnapshot, rates: &Rates, index: usize, (waiting, in_progress): (usize, usize)) -> String {
    let state = [
        busy(volume, rates, index, false),
        Some(if waiting == 0 { "nobody waits".into() } else { format!("{waiting} waiting") }),
        Some(format!("{in_progress} in progress")),
        (volume.slots > 0)
            .then(|| format!("{} of its slots used", percent(100.0 * volume.slots_used as f64 / volume.slots as f64))),
    ];
    state.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// How busy a volume was, in words, `whole` percent or to three digits: of the time where it has one exposure, else I/Os at once.
pub(super) fn busy(volume: &VolumeSnapshot, rates: &Rates, index: usize, whole: bool) -> Option<String> {
    let at_once = rates.known(&rates.volumes, index)?;
    // More than one at once is no percentage of anything.
    Some(if at_once > 1.0 || !volume.kind.is_eckd() {
        format!("{} I/Os at once", short(at_once))
    } else {
        let of_hundred = 100.0 * at_once;
        format!("{} busy", percent(if whole { of_hundred.round() } else { of_hundred }))
    })
}

/// A volume itself, as a drum.
fn body(columns: &Columns, index: usize, volume: &VolumeSnapshot, name: &str, busy: Option<&str>) -> Vec<Mark> {
    let (x, w) = columns.drum(index);
    let h = (columns.row - if columns.row < LOW_ROW { 4.0 } else { 8.0 }).min(46.0);
    let middle = columns.middle(index) - if columns.row >= WORDS_FROM { 5.0 } else { 0.0 };
    let y = middle - h / 2.0;
    // A low drum would strike its name out.
    let body = if h >= DRUM_FROM { Shape::Drum(x, y, w, h) } else { Shape::Box(x, y, w, h, 5.0) };
    let mut marks = vec![Mark::new(body, Tone::Surface)];
    if volume.slots > 0 {
        let part = (volume.slots_used as f64 / volume.slots as f64).min(1.0);
        let full = (h - 10.0) * part;
        marks.push(Mark::new(Shape::Box(x + 2.0, y + h - 4.0 - full, w - 4.0, full, 2.0), Tone::Empty));
    }
    let with_words = h >= 42.0 && busy.is_some();
    let line = if with_words { middle + 3.0 } else { middle + 5.0 };
    // Side by side, a volume of pages is a number.
    let (of_pages, number) = (name.starts_with("PAGE"), name.trim_start_matches(|c: char| !c.is_ascii_digit()));
    let names =
        [name.to_string(), if of_pages { number.to_string() } else { format!("M{}", number.trim_start_matches('0')) }];
    if let Some(name) = first_that_fits(names, Letters::Name, w) {
        // I/Os stand at its edge.
        let letters = if fits(&name, Letters::Name, w - NAME_ASIDE) { Letters::Name } else { Letters::Small };
        marks.push(Mark::text((x + w / 2.0, line), Align::Middle, letters, Tone::Text, name));
    }
    let short = |busy: &str| [busy.to_string(), busy.trim_end_matches(" busy").into()];
    if let Some(busy) = busy.filter(|_| with_words).and_then(|busy| first_that_fits(short(busy), Letters::Small, w - 8.0)) {
        marks.push(Mark::text((x + w / 2.0, line + 13.0), Align::Middle, Letters::Small, Tone::Quiet, busy));
    }
    marks
}

/// Where an I/O with an exposure is, and where it goes. The command and data to be written go from the exposure to the volume. Data that is
/// read goes from the volume to the frame of its page, and waits there until CP takes the interruption.
fn course(io: &IoSnapshot, from: Point, columns: &Columns, now_ns: u64, arrivals: &mut Arrivals) -> Course {
    let out = || columns.way(from, io.path, io.volume as usize);
    let under_way = |way, behind| Course { way, behind, from_ns: now_ns, until_ns: io.until_ns };
    let done = f64::from(io.done_ppm) / 1e6;
    match (io.stage, is_write(io)) {
        (IoStage::Pending, false) => {
            let whole = io.until_ns.saturating_sub(io.since_ns).max(1) as f64;
            let behind = now_ns.saturating_sub(io.since_ns) as f64 / whole;
            under_way(out(), behind.clamp(0.0, 1.0))
        }
        (IoStage::Disconnect | IoStage::Protocol, false) => Course::still(out().last().copied().unwrap_or(from)),
        (IoStage::Transfer, true) => under_way(out(), done),
        (IoStage::Transfer, false) => under_way(arrivals.way(io, columns), done),
        (IoStage::Interruption, false) => Course::still(arrivals.of(io).at),
        _ => Course::still(from),
    }
}

fn is_write(io: &IoSnapshot) -> bool {
    matches!(io.kind, IoKind::PageWrite | IoKind::MinidiskWrite)
}

fn dot(snapshot: &Snapshot, io: &IoSnapshot, course: Course) -> Dot {
    let tone = match (io.stage, io.on_alias) {
        (IoStage::Queued, _) => Tone::Queued,
        (_, true) => Tone::Alias,
        (_, false) => Tone::Base,
    };
    let guest = io.guest.and_then(|guest| snapshot.guests.get(guest as usize)).map(|guest| guest.name.clone());
    let subject = DotKind::Io { kind: io.kind, guest, page: io.page, pages: io.pages, stage: io.stage };
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
    // As many of the words as there is room for.
    let shorter = [words.clone(), format!("{bound} of {all} bound"), format!("{bound} of {all}"), format!("{bound}/{all}")];
    if let Some(seen) = first_that_fits(shorter, Letters::Small, columns.exposures.1 - 2.0) {
        marks.push(Mark::text((x, area.y + 18.0), Align::Start, Letters::Small, Tone::Alias, seen));
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
        let names = [if fcp { format!("FCP {number}") } else { format!("path {number}") }, number.to_string()];
        if let Some(name) = first_that_fits(names, Letters::Small, columns.pitch) {
            marks.push(Mark::text((middle, y - 18.0), Align::Middle, Letters::Small, Tone::Quiet, name));
        }
        let of_hundred = busy.map(|busy| percent((100.0 * busy).round()));
        if let Some(text) = of_hundred.filter(|text| fits(text, Letters::Name, columns.pitch)) {
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
