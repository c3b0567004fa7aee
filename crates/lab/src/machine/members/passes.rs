//! The relocations on a time line: passes as blocks, the stop as a gap. One has a line of its own, many are lanes, and those
//! for which there is no lane are chips. A brief picture has one lane, or chips alone.

use zvmlab::snapshot::{EndCode, PassSnapshot, RelocationSnapshot, RelocationStage};

use super::text::{first_that_fits, fits, width};
use super::{Area, Cluster, PAD};
use crate::machine::{Align, Kind, Letters, Mark, Part, Scene, Shape, Tone};
use crate::words::state::{code, doing};
use crate::words::unit::{gb_or_mb, percent, time};
use zvmlab::order;

/// Height of the heading.
const TITLE: f64 = 22.0;
/// Height of the line of one relocation, with the words beneath.
const BAR: f64 = 22.0;
const BENEATH: f64 = 16.0;
/// Height of a lane with the space to the next.
const LANE: f64 = 16.0;
/// From these on, lanes stand in two columns.
const TWO_COLUMNS_FROM: f64 = 560.0;
const ONE_COLUMN_UP_TO: usize = 6;
/// Up to so many relocations, each has a lane. Of more, or where guests bounce, so many have one.
const ALL_LANES: usize = 40;
const SOME_LANES: usize = 8;
/// The same where the parts stand close together: lanes of so much width, in so many rows.
const CLOSE_LANE: f64 = 200.0;
const CLOSE_ROWS: usize = 2;
/// Side of a chip with the space to the next.
const CHIP: f64 = 12.0;

/// Draws every relocation below the top of `area`. Returns where they end.
pub(super) fn draw(scene: &mut Scene, cluster: &Cluster, area: Area) -> f64 {
    let all = &cluster.seen.relocations;
    let bounces = cluster.scenario.relocation.bounce;
    if all.is_empty() && !(bounces && cluster.scenario.relocates()) {
        return area.y;
    }
    let inner = Area { x: area.x + PAD, y: area.y + TITLE + 4.0, w: area.w - 2.0 * PAD, h: 0.0 };
    let frame = scene.ground.len();
    let bottom = match &all[..] {
        all if cluster.brief && !all.is_empty() => {
            let bottom = brief(scene, cluster, Area { y: area.y + PAD, ..inner });
            let h = bottom - area.y;
            scene.ground.insert(frame, Mark::new(Shape::Box(area.x, area.y, area.w, h, 8.0), Tone::Surface));
            return bottom;
        }
        [one] if !bounces => alone(scene, cluster, one, inner),
        _ => many(scene, cluster, inner, bounces),
    };
    let h = bottom + PAD - area.y;
    scene.ground.insert(frame, Mark::new(Shape::Box(area.x, area.y, area.w, h, 8.0), Tone::Surface));
    area.y + h
}

fn heading(scene: &mut Scene, inner: Area, text: &str, right: String) {
    let y = inner.y - 9.0;
    scene.ground.push(Mark::text((inner.x, y), Align::Start, Letters::Heading, Tone::Text, text));
    if fits(&right, Letters::Small, inner.w - width(text, Letters::Heading) - 10.0) {
        scene.ground.push(Mark::text((inner.x + inner.w, y), Align::End, Letters::Small, Tone::Quiet, right));
    }
}

/// From when to when a relocation went on.
fn span(one: &RelocationSnapshot, now_ns: u64) -> Option<(u64, u64)> {
    Some((one.began_ns?, one.ended_ns.unwrap_or(now_ns)))
}

/// The only relocation: a wide line, the size of each pass beneath.
fn alone(scene: &mut Scene, cluster: &Cluster, one: &RelocationSnapshot, inner: Area) -> f64 {
    let span = span(one, cluster.now_ns);
    // While it goes on, in whole tenths: more digits would flicker.
    let exact_to_ns = if one.ended_ns.is_some() { 1 } else { 100_000_000 };
    let in_all = span.map_or(String::new(), |(from, to)| time(to.saturating_sub(from) / exact_to_ns * exact_to_ns));
    let to = cluster.seen.members.get(one.to as usize).map_or("", |member| member.name.as_str());
    let title = format!("VMRELOCATE {} to {to}", one.name);
    let right = match one.passes.iter().any(|pass| pass.stopped) {
        true => {
            let still = one.quiesce_ns().map_or(String::new(), |ns| format!(" {}", time(ns)));
            [
                format!("guest stopped{still} for the last two passes; {in_all} in all"),
                format!("guest stopped{still}; {in_all} in all"),
            ]
        }
        false => [in_all.clone(), in_all.clone()],
    };
    let room = inner.w - width(&title, Letters::Heading) - 10.0;
    heading(scene, inner, &title, first_that_fits(right, Letters::Small, room).unwrap_or(in_all));
    let bar = Area { h: BAR, ..inner };
    let mut marks = vec![Mark::new(Shape::Box(bar.x, bar.y, bar.w, bar.h, 3.0), Tone::Empty)];
    if let Some(span) = span {
        line(&mut marks, one, cluster.now_ns, span, bar);
        let places = places(one, cluster.now_ns, span, bar);
        for ((pass, (from, to)), number) in one.passes.iter().zip(places).zip(1..).filter(|((pass, _), _)| !pass.stopped) {
            let gb = gb_or_mb(pass.pages);
            let texts = [format!("pass {number}: {gb}"), gb];
            let text = first_that_fits(texts, Letters::Small, to - from - 2.0);
            if let Some(text) = text.filter(|_| !cluster.tight) {
                marks.push(Mark::text((from + 1.0, bar.y + BAR + 13.0), Align::Start, Letters::Small, Tone::Quiet, text));
            }
        }
    }
    let h = if cluster.tight { BAR } else { BAR + BENEATH };
    scene.parts.push(part(cluster, 0, one, Area { h, ..bar }, marks));
    bar.y + h
}

/// Left and right end of each pass on the line.
fn places(one: &RelocationSnapshot, now_ns: u64, span: (u64, u64), bar: Area) -> Vec<(f64, f64)> {
    let ends = |pass: &PassSnapshot| {
        (x(pass.began_ns, span, bar), x(pass.ended_ns.unwrap_or(one.ended_ns.unwrap_or(now_ns)), span, bar))
    };
    one.passes.iter().map(ends).collect()
}

/// Where an instant is on the line.
fn x(ns: u64, (from, to): (u64, u64), bar: Area) -> f64 {
    let whole = to.saturating_sub(from).max(1) as f64;
    bar.x + bar.w * (ns.saturating_sub(from) as f64 / whole).clamp(0.0, 1.0)
}

/// The line of a relocation: what comes before the passes, the passes, the stop.
fn line(marks: &mut Vec<Mark>, one: &RelocationSnapshot, now_ns: u64, span: (u64, u64), bar: Area) {
    let Some(began) = one.began_ns else { return };
    let over = one.ended_ns.unwrap_or(now_ns);
    let first = one.passes.first().map_or(over, |pass| pass.began_ns);
    let block = |from: f64, to: f64, top: f64, h: f64, tone: Tone| {
        Mark::new(Shape::Box(from, bar.y + top, (to - from - 1.0).max(0.6), h, 2.0), tone)
    };
    marks.push(block(x(began, span, bar), x(first, span, bar), bar.h * 0.35, bar.h * 0.3, Tone::Cp));
    let places = places(one, now_ns, span, bar);
    for ((pass, &(from, to)), number) in one.passes.iter().zip(&places).zip(1..).filter(|((pass, _), _)| !pass.stopped) {
        let tone = if pass.ended_ns.is_some() || one.end.is_some() { Tone::Sent } else { Tone::Arriving };
        marks.push(block(from, to, 0.0, bar.h, tone));
        let text = number.to_string();
        if tone == Tone::Sent && bar.h >= 12.0 && fits(&text, Letters::Name, to - from - 3.0) {
            let at = ((from + to - 1.0) / 2.0, bar.y + bar.h / 2.0 + 4.0);
            marks.push(Mark::text(at, Align::Middle, Letters::Name, Tone::Paper, text));
        }
    }
    let Some(stopped) = one.stopped_ns else { return };
    let until = one.started_ns.unwrap_or(over);
    let (from, to) = (x(stopped, span, bar), x(until, span, bar));
    // Seen however short it is.
    let from = from.min(to - 2.5).max(bar.x);
    let w = (to - from).max(2.0);
    marks.push(Mark::new(Shape::Box(from, bar.y, w, bar.h, 2.0), Tone::Changed));
    if w >= 8.0 {
        marks.push(Mark::new(Shape::Box(from + 1.5, bar.y + 1.5, w - 3.0, bar.h - 3.0, 1.0), Tone::Surface));
        for (_, &(from, to)) in one.passes.iter().zip(&places).filter(|(pass, _)| pass.stopped) {
            marks.push(block(from.max(bar.x + 2.0), to, bar.h - 4.5, 3.0, Tone::Sent));
        }
        let texts = [format!("stopped {}", time(until.saturating_sub(stopped))), "stopped".into()];
        if let Some(text) = first_that_fits(texts, Letters::Small, w - 6.0).filter(|_| bar.h >= 18.0) {
            let at = (from + w / 2.0, bar.y + bar.h / 2.0 + 2.0);
            marks.push(Mark::text(at, Align::Middle, Letters::Small, Tone::Changed, text));
        }
    }
}

/// Lanes, and chips for what has no lane.
fn many(scene: &mut Scene, cluster: &Cluster, inner: Area, bounces: bool) -> f64 {
    let all = &cluster.seen.relocations;
    let across = ((inner.w / CLOSE_LANE) as usize).max(1);
    let most = if cluster.tight { across * CLOSE_ROWS } else { SOME_LANES };
    let some = bounces || all.len() > if cluster.tight { most } else { ALL_LANES };
    let lanes: Vec<usize> = if some { latest(all, most) } else { (0..all.len()).collect() };
    let count = if some { most } else { lanes.len() };
    let columns = match cluster.tight {
        true => across.min(count.max(1)),
        false => {
            if inner.w >= TWO_COLUMNS_FROM && count > ONE_COLUMN_UP_TO {
                2
            } else {
                1
            }
        }
    };
    let rows = count.div_ceil(columns);
    let spans = lanes.iter().filter_map(|&at| span(&all[at], cluster.now_ns));
    let span = spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let right = span.map_or("none yet".into(), |(from, to)| {
        let over = time(to.saturating_sub(from) / 100_000_000 * 100_000_000);
        if some { format!("the last {over}") } else { format!("{over} in all") }
    });
    heading(scene, inner, if some { "Latest relocations" } else { "Relocations" }, right);
    let w = (inner.w - 14.0 * (columns - 1) as f64) / columns as f64;
    let to_many = cluster.hosts.len() > 2;
    let name = |one: &RelocationSnapshot| {
        if to_many { format!("{} → {}", one.name, one.to + 1) } else { one.name.clone() }
    };
    let names = all.iter().map(|one| width(&name(one), Letters::Small)).fold(20.0, f64::max).min(w * 0.32);
    for (place, &at) in lanes.iter().enumerate() {
        let (column, row) = (place / rows, place % rows);
        let lane = Area { x: inner.x + column as f64 * (w + 14.0), y: inner.y + row as f64 * LANE, w, h: LANE - 3.0 };
        let Some(one) = all.get(at) else { continue };
        let marks = laned(cluster, at, one, (names, name(one)), lane, span);
        scene.parts.push(part(cluster, at, one, lane, marks));
    }
    let bottom = inner.y + rows as f64 * LANE;
    let rest: Vec<usize> = (0..all.len()).filter(|at| !lanes.contains(at)).collect();
    if rest.is_empty() { bottom } else { chips(scene, cluster, &rest, Area { y: bottom + 4.0, ..inner }) }
}

/// How a relocation is drawn in a lane: its name in so much width, the line, its stage.
fn laned(
    cluster: &Cluster,
    at: usize,
    one: &RelocationSnapshot,
    (names, name): (f64, String),
    lane: Area,
    span: Option<(u64, u64)>,
) -> Vec<Mark> {
    let of_word = 80.0;
    let bar = Area { x: lane.x + names + 10.0, w: lane.w - names - of_word - 16.0, ..lane };
    let track = Shape::Box(bar.x, bar.y + bar.h / 2.0 - 1.0, bar.w, 2.0, 1.0);
    let mut marks = vec![Mark::new(track, Tone::Empty)];
    let base = lane.y + lane.h - 3.0;
    if let Some(text) = first_that_fits([name, (at + 1).to_string()], Letters::Small, names + 1.0) {
        marks.push(Mark::text((lane.x, base), Align::Start, Letters::Small, Tone::Text, text));
    }
    let (word, tone) = word(one);
    marks.push(Mark::text((lane.x + lane.w, base), Align::End, Letters::Small, tone, word));
    if let Some(span) = span {
        line(&mut marks, one, cluster.now_ns, span, bar);
    }
    marks
}

/// Relocations as chips. Returns where they end.
fn chips(scene: &mut Scene, cluster: &Cluster, of: &[usize], area: Area) -> f64 {
    let columns = (area.w / CHIP).floor().max(1.0) as usize;
    for (place, &at) in of.iter().enumerate() {
        let (x, y) = (area.x + (place % columns) as f64 * CHIP, area.y + (place / columns) as f64 * CHIP);
        let Some(one) = cluster.seen.relocations.get(at) else { continue };
        let chip = Area { x, y, w: CHIP - 3.0, h: CHIP - 3.0 };
        let marks = vec![Mark::new(Shape::Box(x, y, chip.w, chip.h, 2.0), colour(one))];
        scene.parts.push(part(cluster, at, one, chip, marks));
    }
    area.y + of.len().div_ceil(columns) as f64 * CHIP
}

/// One in a lane; several as chips beside the heading, with how many are over. Returns where they end.
fn brief(scene: &mut Scene, cluster: &Cluster, inner: Area) -> f64 {
    let all = &cluster.seen.relocations;
    if let [one] = &all[..] {
        let (lane, names) = (Area { h: LANE - 3.0, ..inner }, width(&one.name, Letters::Small));
        let marks = laned(cluster, 0, one, (names, one.name.clone()), lane, span(one, cluster.now_ns));
        scene.parts.push(part(cluster, 0, one, lane, marks));
        return lane.y + lane.h + PAD - 3.0;
    }
    let (text, over) = ("Relocations", all.iter().filter(|one| one.end.is_some()).count());
    let right = format!("{over} of {} over", all.len());
    heading(scene, Area { y: inner.y + 18.0, ..inner }, text, right.clone());
    let left = width(text, Letters::Heading) + 10.0;
    let w = inner.w - left - width(&right, Letters::Small) - 10.0;
    chips(scene, cluster, &(0..all.len()).collect::<Vec<usize>>(), Area { x: inner.x + left, w, ..inner }) + PAD - 3.0
}

/// The relocations that have a lane where not all have: those under way, then those that ended last.
fn latest(all: &[RelocationSnapshot], most: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    let rank = |one: &RelocationSnapshot| match (one.began_ns, one.ended_ns) {
        (Some(began), None) => (0, began),
        (_, Some(ended)) => (1, u64::MAX - ended),
        (None, None) => (2, 0),
    };
    order::by_key(&mut order, |&at| (rank(&all[at]), at));
    order.truncate(most);
    order::naturally(&mut order);
    order
}

/// The stage in a word or two.
fn word(one: &RelocationSnapshot) -> (String, Tone) {
    match (one.stage, one.end) {
        (_, Some(EndCode::Completed)) => match one.quiesce_ns() {
            Some(ns) => (format!("stop {}", time(ns)), Tone::Text),
            None => ("moved".into(), Tone::Text),
        },
        (_, Some(end)) => (format!("stays, {}", code(end)), Tone::Changed),
        (RelocationStage::Waiting, _) => ("waits".into(), Tone::Quiet),
        (RelocationStage::Eligibility, _) => ("checks".into(), Tone::Quiet),
        (RelocationStage::Skeleton, _) => ("skeleton".into(), Tone::Quiet),
        (RelocationStage::Moving, _) => (format!("pass {}, {}", one.passes.len().max(1), done(one)), Tone::Arriving),
        _ => ("stopped".into(), Tone::Changed),
    }
}

/// How much of the present pass is done, in percent.
fn done(one: &RelocationSnapshot) -> String {
    let pages = one.passes.last().map_or(0, |pass| pass.pages);
    let left = if one.passes.len() < 2 { one.touched_pages.saturating_sub(pages) } else { one.changed_pages };
    percent((100.0 * pages as f64 / (pages + left).max(1) as f64).floor())
}

/// The colour of a chip.
fn colour(one: &RelocationSnapshot) -> Tone {
    match one.end {
        Some(EndCode::Completed) => Tone::Sent,
        Some(_) => Tone::Changed,
        None if one.began_ns.is_none() => Tone::Empty,
        None if one.stopped_ns.is_some() => Tone::Changed,
        None => Tone::Arriving,
    }
}

fn part(cluster: &Cluster, index: usize, one: &RelocationSnapshot, place: Area, marks: Vec<Mark>) -> Part {
    let name = |member: u32| cluster.seen.members.get(member as usize).map_or("", |member| member.name.as_str());
    let stopped = one.quiesce_ns().map_or(String::new(), |ns| format!("; it was stopped for {}", time(ns)));
    let in_all = one.relocation_ns().map_or(String::new(), |ns| format!(", {} in all", time(ns)));
    let passes = match one.passes.len() {
        0 => String::new(),
        1 => "; one pass".into(),
        passes => {
            let stopped = if one.passes.iter().any(|pass| pass.stopped) { ", the last two while it is stopped" } else { "" };
            format!("; {passes} passes{stopped}")
        }
    };
    Part {
        id: (Kind::Relocation, index),
        name: format!("Relocation of {} from {} to {}", one.name, name(one.from), name(one.to)),
        state: format!("{}{passes}{stopped}{in_all}", doing(one)),
        room: Kind::Relocation.room(),
        place: (place.x, place.y, place.w, place.h),
        limits: false,
        marks,
    }
}
