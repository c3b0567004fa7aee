//! The guests: a lane for each, with its state and the place in its storage that it touches; many guests are chips.

use zvmlab::Scenario;
use zvmlab::limit::ResourceKind;
use zvmlab::scenario::Role;
use zvmlab::snapshot::{GuestSnapshot, GuestState, Snapshot};

use super::area::Area;
use super::{Align, Kind, Letters, Mark, Part, Scene, Shape, Tone};
use crate::words::state;
use crate::words::unit::gb_or_mb;

/// The least height of a lane with a name.
const LANE_MIN: f64 = 15.0;
/// From these heights on, a lane also shows the guest's storage: with name and state beside each other, and one above the other.
const BAR_FROM: f64 = 24.0;
const BAR_BELOW_FROM: f64 = 28.0;
/// Width of a letter of a name and of a state, as in a wide typeface, and of the space around both.
const OF_NAME: f64 = 8.2;
const OF_STATE: f64 = 6.2;
const AROUND: f64 = 24.0;
/// The tallest lane.
const LANE_MAX: f64 = 40.0;
/// Height of a chip, and its least width with a number.
const CHIP: f64 = 14.0;
const NUMBERED: f64 = 24.0;
/// The most rows of chips in a band. Beyond, they are a field of small squares.
const ROWS: f64 = 8.0;

/// The height that `count` guests need in a band of width `w`, with two lanes side by side.
pub(super) fn height(count: usize, w: f64) -> f64 {
    let lanes = count.div_ceil(2) as f64 * 26.0;
    if count <= 16 { lanes } else { (count as f64 / (w / 34.0).floor().max(1.0)).ceil().min(ROWS) * (CHIP + 3.0) }
}

/// The largest side of so many squares that stand in rows in an area.
fn square(count: usize, area: Area) -> f64 {
    let fits = |side: &f64| (area.w / side).floor() * (area.h / side).floor() >= count as f64;
    let side = (area.w * area.h / count.max(1) as f64).sqrt();
    (0..100).map(|less| side * (1.0 - f64::from(less) / 100.0)).find(fits).unwrap_or(1.0)
}

/// The heading over them: their number, where they are too many to be counted.
pub(super) fn title(snapshot: &Snapshot) -> String {
    match snapshot.guests.len() {
        count if count > 16 => format!("{count} guests"),
        _ => "Guests".into(),
    }
}

/// What the colour of a guest's state is.
pub(super) fn tone(state: GuestState) -> Tone {
    match state {
        GuestState::Running => Tone::Running,
        GuestState::Ready | GuestState::Interrupted => Tone::Ready,
        GuestState::PageWait => Tone::PageWait,
        GuestState::FrameWait => Tone::FrameWait,
        GuestState::IoWait => Tone::IoWait,
        GuestState::SimulationWait
        | GuestState::Eligible
        | GuestState::LimitList
        | GuestState::ConsoleWait
        | GuestState::Stopped => Tone::Held,
        GuestState::Idle | GuestState::Away => Tone::Empty,
    }
}

/// Draws every guest in `area`, in so many columns where they are lanes.
pub(super) fn draw(scene: &mut Scene, snapshot: &Snapshot, area: Area, columns: usize) {
    let count = snapshot.guests.len();
    let rows = count.div_ceil(columns).max(1);
    let step = (area.h / rows as f64).min(LANE_MAX + 4.0);
    if step < LANE_MIN {
        return chips(scene, snapshot, area);
    }
    let w = (area.w - 6.0 * (columns - 1) as f64) / columns as f64;
    for (index, guest) in snapshot.guests.iter().enumerate() {
        let (column, row) = (index / rows, index % rows);
        let place = Area { x: area.x + column as f64 * (w + 6.0), y: area.y + row as f64 * step, w, h: step - 4.0 };
        scene.parts.push(lane(index, guest, place));
    }
}

fn part(index: usize, guest: &GuestSnapshot, Area { x, y, w, h }: Area, marks: Vec<Mark>) -> Part {
    let resident = guest.valid_pages + guest.age_list_pages;
    let state =
        format!("{}; {} of {} resident", state::guest(guest.state), gb_or_mb(resident), gb_or_mb(guest.virtual_pages));
    let id = (Kind::Guest, index);
    Part { id, name: guest.name.clone(), state, room: Kind::Guest.room(), place: (x, y, w, h), limits: false, marks }
}

/// One guest as a lane.
fn lane(index: usize, guest: &GuestSnapshot, place: Area) -> Part {
    let Area { x, y, w, h } = place;
    let tone = tone(guest.state);
    // Name and state side by side, or, in a narrow lane, one above the other. In one that is low too, what fits of the state's first
    // word and of the guest's number in the picture.
    let word = state::guest(guest.state);
    let first = word.strip_suffix(" wait").unwrap_or(word);
    let number = &*(index + 1).to_string();
    let fits = |name: &str, word: &str| w >= AROUND + OF_NAME * name.len() as f64 + OF_STATE * word.len() as f64;
    let below = h >= BAR_BELOW_FROM && !fits(&guest.name, word);
    let pairs = [(guest.name.as_str(), word), (&guest.name, first), (number, word), (number, first)];
    let pair = pairs.into_iter().find(|(name, word)| fits(name, word)).filter(|_| !below);
    let (name, beside) = pair.map_or((guest.name.as_str(), None), |(name, word)| (name, Some(word)));
    let with_bar = h >= if below { BAR_BELOW_FROM } else { BAR_FROM };
    let line = match (with_bar, below) {
        (true, false) => y + h * 0.42,
        (true, true) => y + 12.0,
        (false, _) => y + h / 2.0 + 4.0,
    };
    let mut marks = vec![
        Mark::new(Shape::Box(x, y, w, h, 4.0), Tone::Surface),
        Mark::new(Shape::Box(x, y, 5.0, h, 2.0), tone),
        Mark::text((x + 10.0, line), Align::Start, Letters::Name, Tone::Text, name),
    ];
    // The colour of what is empty is too light for letters.
    let ink = if tone == Tone::Empty { Tone::Quiet } else { tone };
    if let Some(word) = beside {
        marks.push(Mark::text((x + w - 6.0, line), Align::End, Letters::Small, ink, word));
    } else if below {
        marks.push(Mark::text((x + 10.0, line + 11.5), Align::Start, Letters::Small, ink, word));
    }
    if with_bar {
        let (under, thick) = if below { (7.0, 3.0) } else { (11.0, 5.0) };
        let (left, top, wide) = (x + 10.0, y + h - under, w - 16.0);
        let share = |pages: u64| pages as f64 / guest.virtual_pages.max(1) as f64;
        let resident = share(guest.valid_pages + guest.age_list_pages).min(1.0);
        let at = left + (wide - 5.0) * share(guest.position_pages).min(1.0);
        marks.push(Mark::new(Shape::Box(left, top, wide, thick, 2.0), Tone::Empty));
        marks.push(Mark::new(Shape::Box(left, top, wide * resident, thick, 2.0), Tone::Valid));
        marks.push(Mark::new(Shape::Box(at, top - 2.0, 5.0, thick + 4.0, 1.0), tone));
    }
    part(index, guest, place, marks)
}

/// Whether part `index` of a kind can be what limits: a guest has no part in it where the virtual CPUs of others limit.
pub(super) fn is_it(limit: ResourceKind, kind: Kind, index: usize, scenario: &Scenario, snapshot: &Snapshot) -> bool {
    let role = match limit {
        ResourceKind::VirtualCpus => Role::Alone,
        ResourceKind::ClientCpus => Role::Client,
        ResourceKind::ServerCpus => Role::Server,
        _ => return true,
    };
    let group = snapshot.guests.get(index).and_then(|guest| scenario.guests.get(guest.group as usize));
    kind != Kind::Guest || group.is_some_and(|group| group.role == role)
}

/// Many guests: a chip each, or a square where there is no room for their numbers.
fn chips(scene: &mut Scene, snapshot: &Snapshot, area: Area) {
    let count = snapshot.guests.len();
    // The widest chips that all fit.
    let rows_max = (area.h / (CHIP + 3.0)).floor().max(1.0);
    let columns = (count as f64 / rows_max).ceil().max((area.w / 46.0).floor()).max(1.0);
    let rows = (count as f64 / columns).ceil();
    let (mut columns, mut across, mut down) = (columns, area.w / columns, (area.h / rows).min(CHIP + 3.0));
    if across < NUMBERED {
        let side = square(count, area);
        columns = (area.w / side).floor();
        (across, down) = (area.w / columns, side);
    }
    let gap = if across < 8.0 { 1.0 } else { 2.0 };
    for (index, guest) in snapshot.guests.iter().enumerate() {
        let (column, row) = (index % columns as usize, index / columns as usize);
        let (x, y) = (area.x + column as f64 * across, area.y + row as f64 * down);
        let place = Area { x, y, w: across - gap, h: down - gap };
        let mut marks = vec![Mark::new(Shape::Box(x, y, place.w, place.h, 2.0), tone(guest.state))];
        if across >= NUMBERED {
            let at = (x + place.w / 2.0, y + place.h - 3.0);
            let ink = match tone(guest.state) {
                Tone::IoWait => Tone::Paper,
                Tone::Empty => Tone::Text,
                _ => Tone::Ink,
            };
            marks.push(Mark::text(at, Align::Middle, Letters::Small, ink, (index + 1).to_string()));
        }
        scene.parts.push(part(index, guest, place, marks));
    }
}
