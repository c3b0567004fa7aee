//! The form for scheduling: the lists as lanes with a chip for each guest, STORBUF's barriers beneath them, the processors
//! beside them, and the physical processors that PR/SM shares.

use zvmlab::Scenario;
use zvmlab::scenario::LimitType;
use zvmlab::snapshot::{List, Snapshot};

use super::area::{Area, WIDE_FROM, heading};
use super::{
    Align, Kind, Letters, Mark, Part, Rates, Scene, Shape, Tone, connections, guests, processors, ptil, slices, storage,
};
use crate::rooms::scheduler::lanes::{Standing, labels};
use crate::rooms::scheduler::words::{self, BARRIERS, mb, why};
use crate::words::state;
use zvmlab::order;

/// Height of a chip, with the space below it, and where the parts stand close.
const CHIP: f64 = 20.0;
const CLOSE_CHIP: f64 = 17.0;
/// More guests than this are cells without a label, of this size with the space to the next. Chosen: they fit a screen.
const CROWD: usize = 200;
const CELL: f64 = 8.0;
/// Width of the names of the lanes.
const NAMES: f64 = 80.0;
/// The least height of a lane, and where the parts stand close.
const LANE: f64 = 22.0;
const CLOSE_LANE: f64 = 18.0;
/// Height of a barrier with its words, and where the parts stand close.
const BARRIER: f64 = 22.0;
const CLOSE_BARRIER: f64 = 20.0;
/// Height of a row of processors over central storage, and where the parts stand close.
const CPU: f64 = 44.0;
const CLOSE_CPU: f64 = 30.0;
/// Space between the lists and the processors.
const GAP: f64 = 16.0;

/// Draws the host from `top` down, with its parts close together if `tight`. Returns the height that it took.
pub(super) fn draw(
    scene: &mut Scene,
    scenario: &Scenario,
    snapshot: &Snapshot,
    rates: &Rates,
    top: f64,
    tight: bool,
) -> f64 {
    let wide = scene.width >= WIDE_FROM;
    let width = scene.width - 2.0;
    let lists_width = if wide { width * 0.62 } else { width };
    let lists_area = Area { x: 1.0, y: top, w: lists_width, h: 0.0 };
    heading(scene, lists_area, if keeps(snapshot) { "Scheduler: who may run" } else { "Scheduler: eligible list unused" });
    let mut bottom = lists(scene, scenario, snapshot, lists_area, tight);
    bottom = barriers(scene, snapshot, Area { y: bottom + 6.0, ..lists_area }, if tight { CLOSE_BARRIER } else { BARRIER });
    if let Some(last) = last_move(snapshot) {
        scene.ground.push(Mark::text((lists_area.x, bottom + 14.0), Align::Start, Letters::Small, Tone::Quiet, last));
        bottom += 20.0;
    }
    let has_prsm = snapshot.prsm.physical > 0;
    let of_prsm = if has_prsm { slices::height(snapshot.prsm.physical) } else { 0.0 };
    let count = snapshot.processors.logical.len();
    let right = if wide {
        let x = 1.0 + lists_width + GAP;
        let least = (count.div_ceil(4) as f64 * if tight { 24.0 } else { 30.0 }).min(260.0) + of_prsm;
        Area { x, y: top, w: width - lists_width - GAP, h: (bottom - top).max(least) }
    } else {
        let h = count.div_ceil(8).max(1) as f64 * 26.0 + of_prsm;
        Area { x: 1.0, y: bottom + 28.0, w: width, h }
    };
    let kind = if has_prsm { "Logical processors" } else { "CPUs" };
    heading(scene, right, kind);
    let columns = if wide { 2 } else { 8 };
    // Where processors leave room, what stands behind them.
    let of_cells = (count.div_ceil(columns) as f64 * if tight { CLOSE_CPU } else { CPU }).min(right.h);
    let shows_storage = wide && !has_prsm && right.h - of_cells >= storage::LEAST;
    let cells = Area { h: if shows_storage { of_cells } else { right.h - of_prsm }, ..right };
    processors::draw(scene, snapshot, rates, cells, columns);
    if shows_storage {
        let h = right.h - of_cells;
        storage::draw(scene, snapshot, rates, Area { y: right.y + of_cells, h, ..right });
    }
    let ready = snapshot.processors.ready;
    if ready > 0 && wide {
        let beyond = snapshot.processors.beyond_vectors;
        let whole = format!("{ready} ready, {beyond} beyond the vectors");
        let fits = 8.0 * kind.len() as f64 + 6.4 * whole.len() as f64 <= right.w;
        let words = if beyond > 0 && fits { whole } else { format!("{ready} ready") };
        let at = (right.x + right.w, right.y - 7.0);
        scene.ground.push(Mark::text(at, Align::End, Letters::Small, Tone::Quiet, words));
    }
    if has_prsm {
        slices::draw(scene, scenario, snapshot, Area { y: cells.y + cells.h, h: of_prsm, ..right });
    }
    let bottom = (right.y + right.h).max(bottom);
    let bottom = ptil::draw(scene, scenario, snapshot, Area { y: bottom, w: width, ..lists_area });
    connections::draw(scene, snapshot, Area { y: bottom, w: width, ..lists_area }) - top
}

/// Whether the level can keep a guest waiting in the eligible list.
fn keeps(snapshot: &Snapshot) -> bool {
    snapshot.scheduler.keeps_eligible
}

/// The lists that are drawn: those that guests can be in, and any that one is in.
fn shown(scenario: &Scenario, snapshot: &Snapshot) -> Vec<List> {
    let limits = scenario.guests.iter().any(|group| group.limit_type != LimitType::default());
    let can_be_in = |list: List| match list {
        List::Dormant | List::Q1 | List::Q2 | List::Q3 => true,
        List::E1 | List::E2 | List::E3 => keeps(snapshot),
        List::Q0 => scenario.guests.iter().any(|group| group.quickdsp),
        List::Limit => limits,
        List::E0 => false,
    };
    let is_in = |list: List| snapshot.guests.iter().any(|guest| guest.list == list);
    List::ALL.into_iter().filter(|&list| can_be_in(list) || is_in(list)).collect()
}

/// Every list with its guests. Returns the lower end.
fn lists(scene: &mut Scene, scenario: &Scenario, snapshot: &Snapshot, area: Area, tight: bool) -> f64 {
    let crowd = snapshot.guests.len() > CROWD;
    let (of_chip, of_lane) = if tight { (CLOSE_CHIP, CLOSE_LANE) } else { (CHIP, LANE) };
    let of_chip = if crowd { CELL } else { of_chip };
    let standing: Vec<Standing> = snapshot.guests.iter().map(Standing::from).collect();
    let labels = labels(&standing);
    let letters = labels.iter().map(|label| label.chars().count()).max().unwrap_or(1);
    let (chip, gap) = if crowd { (CELL - 1.5, 1.5) } else { ((letters as f64 * 6.6 + 12.0).clamp(24.0, 96.0), 3.0) };
    let across = (((area.w - NAMES) / (chip + gap)).floor() as usize).max(1);
    // All lanes together leave room for every guest in any of them, so that nothing jumps when guests move.
    let (lanes, mut y) = (shown(scenario, snapshot), area.y);
    for (place, list) in lanes.into_iter().enumerate() {
        let mut inside: Vec<usize> =
            (0..snapshot.guests.len()).filter(|&guest| snapshot.guests[guest].list == list).collect();
        order::by_key(&mut inside, |&guest| (snapshot.guests[guest].list_since_ns, guest));
        let h = (inside.len().div_ceil(across) as f64 * of_chip + 4.0).max(of_lane);
        scene.parts.push(lane(place, list, inside.len(), Area { y, h: h - 3.0, ..area }));
        for (place, guest) in inside.into_iter().enumerate() {
            let (column, row) = (place % across, place / across);
            let at = Area {
                x: area.x + NAMES + column as f64 * (chip + gap),
                y: y + 2.0 + row as f64 * of_chip,
                w: chip,
                h: of_chip - if crowd { 1.5 } else { 2.0 },
            };
            let label = if crowd { "" } else { &labels[guest] };
            scene.parts.push(guest_chip(snapshot, guest, label, at));
        }
        y += h;
    }
    y
}

fn lane(place: usize, list: List, count: usize, area: Area) -> Part {
    let tone = if list.is_eligible() || list == List::Limit { Tone::Held } else { Tone::Border };
    let name = if list == List::Limit { "limit list".into() } else { list.as_str().to_string() };
    let at = (area.x + 8.0, area.y + area.h / 2.0 + 4.0);
    Part {
        id: (Kind::List, place),
        name: state::list(list).into(),
        state: if count == 1 { "one guest".into() } else { format!("{count} guests") },
        room: Kind::List.room(),
        place: (area.x, area.y, area.w, area.h),
        limits: false,
        marks: vec![
            Mark::new(Shape::Box(area.x, area.y, area.w, area.h, 4.0), Tone::Surface),
            Mark::new(Shape::Box(area.x, area.y, 3.0, area.h, 1.0), if tone == Tone::Border { Tone::Empty } else { tone }),
            Mark::text(at, Align::Start, Letters::Name, Tone::Text, name),
        ],
    }
}

fn guest_chip(snapshot: &Snapshot, index: usize, label: &str, place: Area) -> Part {
    let guest = &snapshot.guests[index];
    let (tone, Area { x, y, w, h }) = (guests::tone(guest.state), place);
    Part {
        id: (Kind::Guest, index),
        name: guest.name.clone(),
        state: why(guest, &snapshot.scheduler),
        room: Kind::List.room(),
        place: (x, y, w, h),
        limits: false,
        marks: match label {
            "" => vec![Mark::new(Shape::Box(x, y, w, h, 1.0), tone)],
            label => vec![
                Mark::new(Shape::Box(x, y, w, h, 3.0), if tone == Tone::Empty { Tone::Empty } else { Tone::Surface }),
                Mark::new(Shape::Box(x, y, 5.0, h, 2.0), tone),
                Mark::text((x + w / 2.0 + 2.0, y + h / 2.0 + 4.0), Align::Middle, Letters::Small, Tone::Text, label),
            ],
        },
    }
}

/// STORBUF's barriers: what is claimed of each. Returns the lower end.
fn barriers(scene: &mut Scene, snapshot: &Snapshot, area: Area, each: f64) -> f64 {
    let scheduler = &snapshot.scheduler;
    if !keeps(snapshot) || scheduler.pageable_frames == 0 {
        return area.y;
    }
    // All on one scale, so that the steps between them are seen as they are.
    let most = scheduler.barriers.iter().chain(&scheduler.claimed).copied().max().unwrap_or(1).max(1) as f64;
    let wide = area.w - NAMES - 4.0;
    for (index, name) in BARRIERS.iter().enumerate() {
        let (claimed, barrier) = (scheduler.claimed[index], scheduler.barriers[index]);
        let (x, y) = (area.x + NAMES, area.y + each * index as f64);
        let (full, end) = (wide * claimed as f64 / most, wide * barrier as f64 / most);
        let over = barrier > 0 && claimed as f64 > 0.95 * barrier as f64;
        let words = format!("{} of {} claimed", mb(claimed), mb(barrier));
        let marks = vec![
            Mark::new(Shape::Box(x, y + 12.0, end, 6.0, 2.0), Tone::Empty),
            Mark::new(Shape::Box(x, y + 12.0, full.max(0.5), 6.0, 2.0), if over { Tone::Held } else { Tone::Busy }),
            Mark::new(Shape::Line(vec![(x + end, y + 8.0), (x + end, y + 20.0)]), Tone::Border),
            Mark::text((area.x + 8.0, y + 18.0), Align::Start, Letters::Small, Tone::Text, *name),
            Mark::text((x, y + 9.0), Align::Start, Letters::Small, Tone::Quiet, words.clone()),
        ];
        scene.parts.push(Part {
            id: (Kind::Barrier, index),
            name: format!("STORBUF barrier of {name}"),
            state: words,
            room: Kind::Barrier.room(),
            place: (area.x, y, area.w, each),
            limits: false,
            marks,
        });
    }
    area.y + each * BARRIERS.len() as f64 + 2.0
}

/// The latest move from list to list, with its reason.
fn last_move(snapshot: &Snapshot) -> Option<String> {
    let last = words::moves(&[], snapshot, None, 1).pop()?;
    Some(format!("last move: {}", words::moved_shortly(&last, snapshot)))
}
