//! The physical processors that PR/SM shares: for each a strip of the latest turns on it, with time from left to right, up to now.

use zvmlab::Scenario;
use zvmlab::snapshot::{PrsmSnapshot, Snapshot, TurnSnapshot};

use super::area::{Area, heading};
use super::{Align, Kind, Letters, Mark, Part, Scene, Shape, Tone};
use crate::words::number::short;
use crate::words::unit::percent;

/// The time that strips show, in nanoseconds. It is shorter where turns are so short, or so many, that not all of it is known.
const SPANS: [u64; 6] = [30_000_000, 20_000_000, 10_000_000, 5_000_000, 2_000_000, 1_000_000];
/// The longest where there are more than 24 physical processors: the snapshot keeps no more.
const SPAN_OF_MANY: u64 = 10_000_000;
/// Width of the numbers of the physical processors.
const NUMBERS: f64 = 20.0;
/// Space for the heading.
const HEADING: f64 = 20.0;
/// Height of the line that says which time is shown.
const AXIS: f64 = 14.0;
/// Height of a line of words.
const LINE: f64 = 14.0;
/// From this height on, a strip has words in its slices.
const WORDS_FROM: f64 = 15.0;
/// Width of a letter.
const LETTER: f64 = 6.8;

/// The height of a strip, with the space below it.
fn row(count: u32) -> f64 {
    match count {
        0..=12 => 15.0,
        13..=24 => 10.0,
        25..=40 => 7.0,
        _ => 5.0,
    }
}

/// The height of the strips of so many physical processors, with all words.
pub(super) fn height(count: u32) -> f64 {
    HEADING + row(count) * f64::from(count) + AXIS + 3.0 * LINE + 4.0
}

/// Draws the strips in `area`.
pub(super) fn draw(scene: &mut Scene, scenario: &Scenario, snapshot: &Snapshot, area: Area) {
    let (prsm, partitions) = (&snapshot.prsm, Partitions::new(scenario, snapshot));
    let strips = Area { x: area.x + NUMBERS, y: area.y + HEADING, w: area.w - NUMBERS, h: row(prsm.physical) };
    heading(scene, Area { y: strips.y + 2.0, ..area }, "PR/SM: physical processors");
    let span = span(prsm, snapshot.now_ns);
    let axis = Axis { from_ns: snapshot.now_ns.saturating_sub(span), now_ns: snapshot.now_ns, span, strips };
    for physical in 0..prsm.physical {
        let turns: Vec<TurnSnapshot> = prsm.turns.iter().copied().filter(|turn| turn.physical == physical).collect();
        let place = Area { x: area.x, y: strips.y + strips.h * f64::from(physical), w: area.w, h: strips.h };
        scene.parts.push(strip(physical, &turns, &partitions, &axis, place));
    }
    let mut y = strips.y + strips.h * f64::from(prsm.physical) + 11.0;
    let mut say = |at: (f64, f64), align: Align, tone: Tone, words: String| {
        scene.ground.push(Mark::text(at, align, Letters::Small, tone, words));
    };
    say((strips.x, y), Align::Start, Tone::Quiet, format!("{} ago", ms(span)));
    say((strips.x + strips.w, y), Align::End, Tone::Quiet, "now".into());
    y += LINE + 2.0;
    let entitled = short(prsm.entitled_thousandths as f64 / 1e3);
    let swatch = |y: f64, h: f64, tone: Tone| Mark::new(Shape::Box(area.x + 2.0, y - 4.5 - h / 2.0, 12.0, h, 0.0), tone);
    // How the others are named, where there is room for it.
    let others = format!("{}: {}", partitions.others(), prsm.other_running);
    let explained = format!("{others}; A3 is processor 3 of A");
    let fits = |words: &str| LETTER * words.len() as f64 <= strips.w;
    let waiting = format!("waiting for one: {} of its logical processors", prsm.own_waiting);
    let rights = match prsm.capped_thousandths {
        0 => format!("entitled to {entitled}"),
        cap => format!("capped at {}", short(cap as f64 / 1e3)),
    };
    let held = format!("held by the cap: {}; waiting: {}", prsm.own_held, prsm.own_waiting);
    let lines = [
        format!("this partition: {} ({rights})", prsm.own_running),
        if partitions.count > 0 && fits(&explained) { explained } else { others },
        if prsm.capped_thousandths > 0 {
            held
        } else if fits(&waiting) {
            waiting
        } else {
            format!("waiting for one: {}", prsm.own_waiting)
        },
    ];
    let tones = [Tone::Text, Tone::Text, Tone::Quiet];
    for ((words, tone), at) in lines.into_iter().zip(tones).zip(0..) {
        say((area.x + NUMBERS, y + LINE * f64::from(at)), Align::Start, tone, words);
    }
    scene.ground.push(swatch(y, 11.0, Tone::Running));
    scene.ground.push(swatch(y + LINE, 8.0, Tone::Other));
}

fn ms(ns: u64) -> String {
    format!("{} ms", short(ns as f64 / 1e6))
}

/// The time that the strips show: as long as all turns are known.
pub(super) fn span(prsm: &PrsmSnapshot, now_ns: u64) -> u64 {
    let known = now_ns.saturating_sub(prsm.turns_from_ns);
    let most = if prsm.physical > 24 { SPAN_OF_MANY } else { SPANS[0] };
    let is_known = |span: &u64| *span <= most && (*span <= known || prsm.turns_from_ns == 0);
    SPANS.into_iter().find(is_known).unwrap_or(known.max(1))
}

/// Where instants stand.
struct Axis {
    from_ns: u64,
    now_ns: u64,
    span: u64,
    strips: Area,
}

impl Axis {
    /// Left end and width of a turn; none if it was over before the time that is shown.
    fn of(&self, turn: &TurnSnapshot) -> Option<(f64, f64)> {
        let ended = turn.ended_ns.unwrap_or(self.now_ns);
        // The right end is now, also where the run is younger than the strip is long.
        let back = |instant: u64| (self.now_ns - instant.clamp(self.from_ns, self.now_ns)) as f64 / self.span as f64;
        let (left, right) = (1.0 - back(turn.began_ns), 1.0 - back(ended));
        (ended > self.from_ns).then_some((self.strips.x + self.strips.w * left, self.strips.w * (right - left)))
    }

    /// How long these turns lasted, of the time that is shown.
    fn lasted(&self, turns: impl Iterator<Item = TurnSnapshot>) -> f64 {
        let within =
            |turn: TurnSnapshot| turn.ended_ns.unwrap_or(self.now_ns).saturating_sub(turn.began_ns.max(self.from_ns)) as f64;
        turns.map(within).sum::<f64>() / self.span as f64
    }
}

/// Whose logical processors are which.
struct Partitions {
    own: u32,
    each: u32,
    count: u32,
}

impl Partitions {
    fn new(scenario: &Scenario, snapshot: &Snapshot) -> Partitions {
        let each = scenario.prsm.other_logical.max(1);
        Partitions { own: snapshot.processors.count, each, count: scenario.prsm.partitions }
    }

    fn is_own(&self, turn: &TurnSnapshot) -> bool {
        turn.logical < self.own
    }

    /// The other partition of a logical processor, and the number that it has there; none for one of this partition.
    fn other(&self, logical: u32) -> Option<(String, u32)> {
        let place = logical.checked_sub(self.own)?;
        Some((letter(place / self.each), place % self.each))
    }

    /// What a slice says: `3`, or `B3` for one of another partition.
    fn mark(&self, logical: u32) -> String {
        self.other(logical).map_or(logical.to_string(), |(letter, number)| format!("{letter}{number}"))
    }

    /// The same in words.
    fn words(&self, logical: u32) -> String {
        match self.other(logical) {
            None => format!("logical processor {logical} of this partition"),
            Some((letter, number)) => format!("logical processor {number} of partition {letter}"),
        }
    }

    /// The other partitions.
    fn others(&self) -> String {
        match self.count {
            0 => "other partitions".into(),
            1 => "partition A".into(),
            count => format!("partitions A to {}", letter(count - 1)),
        }
    }
}

/// The name of another partition: A to Z, then AA.
fn letter(place: u32) -> String {
    let one = |place: u32| char::from_u32(u32::from('A') + place % 26).unwrap_or('A');
    if place < 26 { one(place).into() } else { format!("{}{}", one(place / 26 - 1), one(place)) }
}

/// One physical processor.
fn strip(physical: u32, turns: &[TurnSnapshot], partitions: &Partitions, axis: &Axis, place: Area) -> Part {
    let (x, w) = (axis.strips.x, axis.strips.w);
    let h = if place.h > 6.0 { place.h - 2.0 } else { place.h - 1.0 };
    let thin = if place.h >= WORDS_FROM { h * 0.78 } else { (h * 0.62).max(2.0) };
    let mut marks = vec![Mark::new(Shape::Box(x, place.y, w, h, 0.0), Tone::Empty)];
    let (mut own, mut others, mut words) = (Vec::new(), Vec::new(), Vec::new());
    for turn in turns {
        let Some((left, wide)) = axis.of(turn) else { continue };
        // A line between two that follow each other.
        let seen = if wide > 2.5 { wide - 0.8 } else { wide };
        let slices = if partitions.is_own(turn) { &mut own } else { &mut others };
        slices.push((left, seen));
        let mark = partitions.mark(turn.logical);
        if place.h >= WORDS_FROM && wide >= LETTER * mark.len() as f64 + 4.0 {
            let at = (left + seen / 2.0, place.y + h / 2.0 + 4.0);
            words.push(Mark::text(at, Align::Middle, Letters::Small, Tone::Ink, mark));
        }
    }
    for (slices, height, tone) in [(others, thin, Tone::Other), (own, h, Tone::Running)] {
        if !slices.is_empty() {
            marks.push(Mark::new(Shape::Slices(place.y + (h - height) / 2.0, height, slices), tone));
        }
    }
    marks.extend(words);
    // Every number where there is room, else every eighth.
    if place.h >= 10.0 || physical.is_multiple_of(8) {
        let at = (x - 5.0, place.y + h / 2.0 + 4.0);
        marks.push(Mark::text(at, Align::End, Letters::Small, Tone::Quiet, physical.to_string()));
    }
    let runs = turns.iter().find(|turn| turn.ended_ns.is_none()).map_or("nobody runs on it".into(), |turn| {
        let so_far = ms(axis.now_ns.saturating_sub(turn.began_ns));
        format!("runs {}, for {so_far}", partitions.words(turn.logical))
    });
    let part = |own: bool| percent(100.0 * axis.lasted(turns.iter().copied().filter(|turn| partitions.is_own(turn) == own)));
    let (ours, theirs, span) = (part(true), part(false), ms(axis.span));
    Part {
        id: (Kind::Physical, physical as usize),
        name: format!("Physical processor {physical}"),
        state: format!("{runs}; of the last {span} this partition had {ours}, others {theirs}"),
        room: Kind::Physical.room(),
        place: (place.x, place.y, place.w, place.h),
        limits: false,
        marks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_logical_processor_has_a_name() {
        let partitions = Partitions { own: 4, each: 2, count: 30 };
        let marks: Vec<String> = [0, 3, 4, 5, 6, 55, 56].map(|logical| partitions.mark(logical)).into();
        assert_eq!(marks, ["0", "3", "A0", "A1", "B0", "Z1", "AA0"]);
        assert_eq!(partitions.others(), "partitions A to AD");
        assert_eq!(partitions.words(7), "logical processor 1 of partition B");
    }
}
