//! What the relocations do, in a sentence or two.

use zvmlab::snapshot::{EndCode, RelocationSnapshot, RelocationStage};

use super::text::lines;
use super::{Area, Cluster};
use crate::machine::{Align, Letters, Mark, Scene, Shape, Tone};
use crate::words::number::short;
use crate::words::state::{doing, throttle_cause};
use crate::words::unit::{NO_BREAK, PAGE_BYTES, percent, storage, time};

/// Height of a line.
const LINE: f64 = 15.0;
/// Space above and below the box, and within it.
const AROUND: f64 = 6.0;
/// The part of the width that a line takes at most: letters of a wide typeface are wider than the average where they are bold.
const SURE: f64 = 0.9;
/// The most lines where the parts stand close together.
const CLOSE: usize = 4;

/// How many lines there is room for.
fn count(w: f64) -> usize {
    match w {
        w if w >= 600.0 => 2,
        w if w >= 300.0 => 3,
        w if w >= 220.0 => 5,
        _ => 7,
    }
}

/// The height of the box and the space around it.
pub(super) fn height(cluster: &Cluster, w: f64) -> f64 {
    lines_in(cluster, w) as f64 * LINE + if cluster.tight { 3.0 } else { 4.0 } * AROUND
}

/// The same where the parts may stand close together: whole sentences are left out.
fn lines_in(cluster: &Cluster, w: f64) -> usize {
    match (cluster.tight, cluster.brief) {
        (_, true) if w >= 600.0 => 1,
        (true, _) => count(w).min(CLOSE),
        _ => count(w),
    }
}

/// Draws the box at the bottom of `area`.
pub(super) fn draw(scene: &mut Scene, cluster: &Cluster, area: Area) {
    let (sentences, tone) = says(cluster);
    let most = lines_in(cluster, area.w);
    let inner = area.w - 2.0 * AROUND;
    // Whole sentences, as many as there is room for; at least the first.
    let mut shown: Vec<String> = Vec::new();
    for sentence in sentences {
        let next = lines(&bound(&sentence), Letters::Name, SURE * inner);
        if !shown.is_empty() && shown.len() + next.len() > most {
            break;
        }
        shown.extend(next);
    }
    shown.truncate(most);
    let h = shown.len() as f64 * LINE + 2.0 * AROUND;
    let y = area.y + (area.h - h) / 2.0;
    scene.ground.push(Mark::new(Shape::Box(area.x, y, area.w, h, 8.0), Tone::Surface));
    scene.ground.push(Mark::new(Shape::Box(area.x, y, 4.0, h, 2.0), tone));
    for (line, at) in shown.into_iter().zip(0..) {
        let at = (area.x + area.w / 2.0 + 2.0, y + AROUND + LINE * f64::from(at) + 11.0);
        scene.ground.push(Mark::text(at, Align::Middle, Letters::Name, Tone::Text, line));
    }
}

/// The sentence with each number bound to its unit.
fn bound(sentence: &str) -> String {
    let mut bound = String::new();
    for word in sentence.split(' ') {
        let is_unit = word.chars().filter(|letter| letter.is_alphanumeric()).count() <= 2;
        if !bound.is_empty() {
            bound.push(if is_unit && bound.ends_with(|last: char| last.is_ascii_digit()) { NO_BREAK } else { ' ' });
        }
        bound += word;
    }
    bound
}

/// The sentences, the most important first.
fn says(cluster: &Cluster) -> (Vec<String>, Tone) {
    let all = &cluster.seen.relocations;
    match (cluster.relocation(), all.is_empty()) {
        (_, true) if cluster.scenario.relocates() => (vec!["No VMRELOCATE was issued yet.".into()], Tone::Empty),
        (_, true) => (members(cluster), Tone::Empty),
        (Some(one), _) => (of_one(cluster, one), tone(one)),
        (None, _) => (of_many(cluster), Tone::Sent),
    }
}

/// The states of the members, where no guest moves: of all that change theirs, for how long, in one sentence.
fn members(cluster: &Cluster) -> Vec<String> {
    let mut said = String::new();
    for member in cluster.seen.members.iter().filter(|member| member.changes > 0) {
        let for_ns = cluster.now_ns.saturating_sub(member.since_ns);
        let (before, is) = if said.is_empty() { ("", " is") } else { (", ", "") };
        let state = crate::words::state::member(member.state);
        said += &format!("{before}{}{is} {state} ({})", member.name, time(for_ns / 100_000_000 * 100_000_000));
    }
    vec![if said.is_empty() { "No guest is relocated.".into() } else { said + "." }]
}

fn tone(one: &RelocationSnapshot) -> Tone {
    match (one.stage, one.end) {
        (RelocationStage::Ended, Some(EndCode::Completed)) => Tone::Running,
        (RelocationStage::Ended, _) => Tone::Changed,
        _ if one.stopped_ns.is_some() => Tone::Changed,
        (RelocationStage::Waiting, _) => Tone::Empty,
        _ => Tone::Sent,
    }
}

/// One relocation: how far it is, what holds it back, and whether it catches up.
fn of_one(cluster: &Cluster, one: &RelocationSnapshot) -> Vec<String> {
    let mut said = Vec::new();
    if one.stage == RelocationStage::Waiting {
        let all_wait = cluster.seen.began_ns.is_none();
        return vec![if all_wait {
            format!("{}: VMRELOCATE was not issued yet.", one.name)
        } else {
            format!("{} {}.", one.name, doing(one))
        }];
    }
    said.push(format!("{}: {}.", one.name, doing(one)));
    if let Some(ns) = one.quiesce_ns() {
        said.push(format!("It was stopped for {}.", time(ns)));
    } else if let Some(stopped) = one.stopped_ns.filter(|_| one.end.is_none()) {
        said.push(format!("It has been stopped for {}.", time(cluster.now_ns.saturating_sub(stopped))));
    }
    if let Some((_, touches)) = cluster.rates.touches.iter().find(|(guest, _)| *guest == one.guest) {
        said.push(races(cluster, one, *touches));
    }
    if let Some(throttle) = one.throttle {
        said.push(format!("It is held back by {}.", throttle_cause(throttle)));
    }
    if let Some(ns) = one.relocation_ns() {
        said.push(format!("{} in all.", time(ns)));
    }
    said
}

/// What the guest changes, in the unit of its knob, and how much of that the link carries.
fn races(cluster: &Cluster, one: &RelocationSnapshot, touches: f64) -> String {
    let mut groups = cluster.scenario.guests.iter().flat_map(|group| std::iter::repeat_n(group, group.count as usize));
    let changed = groups.nth(one.guest as usize).map_or(100, |group| group.change_percent);
    let changes = touches * f64::from(changed) / 100.0;
    if changes < 1.0 {
        return "It changes nothing.".into();
    }
    let link = cluster.seen.links.iter().position(|link| (link.from, link.to) == (one.from, one.to));
    let carries = link.and_then(|link| cluster.rates.known(&cluster.rates.links, link)).unwrap_or(0.0);
    let part = carries / (changes * PAGE_BYTES);
    let part = if part < 1.0 { format!("{} of", percent(100.0 * part)) } else { format!("{} times", short(part)) };
    format!("It changes {} a second. The link carries {part} that.", storage(changes))
}

/// Many relocations: how many are where.
fn of_many(cluster: &Cluster) -> Vec<String> {
    let all = &cluster.seen.relocations;
    let count = |of: &dyn Fn(&RelocationSnapshot) -> bool| all.iter().filter(|one| of(one)).count();
    let moved = count(&|one| one.end == Some(EndCode::Completed));
    let failed = count(&|one| one.end.is_some_and(|end| end != EndCode::Completed));
    let waiting = count(&|one| one.began_ns.is_none());
    let stopped = count(&|one| one.stopped_ns.is_some() && one.end.is_none());
    let mut said = vec![format!("{moved} of {} guests have moved.", all.len())];
    if failed > 0 {
        said.push(format!("{failed} did not."));
    }
    let under_way = all.len() - moved - failed - waiting;
    if under_way > 0 {
        said.push(format!("{under_way} are under way, {stopped} of them stopped."));
    }
    if waiting > 0 {
        said.push(format!("{waiting} wait."));
    }
    let worst = all.iter().filter_map(RelocationSnapshot::quiesce_ns).max();
    said.extend(worst.map(|ns| format!("Longest stop: {}.", time(ns))));
    said
}
