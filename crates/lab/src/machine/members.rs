//! The picture of a cluster: its members reduced to what matters, the links between them with the messages under way, and
//! each relocation with its passes. Two members stand on both sides of their link; three or four, or two on a phone, in a row over their links.

mod callout;
mod copies;
mod link;
mod member;
mod passes;
mod strip;

use zvmlab::Scenario;
use zvmlab::limit::ResourceKind;
use zvmlab::scenario::Relocate;
use zvmlab::snapshot::{ClusterSnapshot, LinkSnapshot, RelocationSnapshot, Snapshot};

use super::area::{Area, Given, WIDE_FROM};
use super::{Mark, Point, Rates, Scene, Shape, Tone, text};
use copies::Side;
use link::Pair;
use zvmlab::order;

/// Space between the boxes.
const GAP: f64 = 24.0;
/// Space within a box.
const PAD: f64 = 8.0;
/// Space between the boxes of a column.
const BELOW: f64 = 8.0;

/// A chpid that is busy for this part of the time of the busiest limits too. Chosen.
const AS_BUSY: f64 = 0.9;

/// A destination where pages waited for frames for this part of the longest of all limits too. Chosen.
const AS_LONG: f64 = 0.5;

/// Whether a part is one of those that limit, of the parts that show a resource of a cluster: not a link that is idle, nor a member at
/// the other end. Of other resources each part is.
pub(super) fn is_it(limit: ResourceKind, index: usize, snapshot: &Snapshot, rates: &Rates) -> bool {
    let Some(seen) = &snapshot.cluster else { return true };
    let relocations = || seen.relocations.iter();
    match limit {
        ResourceKind::Source => relocations().any(|one| one.from as usize == index),
        ResourceKind::Destination => relocations().any(|one| one.to as usize == index),
        // Pages may wait for frames at one destination and not at another.
        ResourceKind::Endpoint => {
            let waited = |member: usize| {
                relocations().filter(|one| one.to as usize == member).map(|one| one.frame_wait_ns).sum::<u64>() as f64
            };
            let most = (0..seen.members.len()).map(waited).fold(0.0, f64::max);
            relocations().any(|one| one.to as usize == index) && waited(index) >= AS_LONG * most
        }
        ResourceKind::Link | ResourceKind::Ctcs => {
            let links = || seen.links.iter().zip(&rates.chpids);
            let (link, chpid) = (index / link::CHPIDS, index % link::CHPIDS);
            let Some(there) = seen.links.iter().filter(|link| link.from < link.to).nth(link) else { return true };
            let is_its =
                |link: &LinkSnapshot| [(there.from, there.to), (there.to, there.from)].contains(&(link.from, link.to));
            let own = links().filter(|(link, _)| is_its(link)).filter_map(|(_, busy)| busy.get(chpid));
            let own = own.copied().fold(0.0, f64::max);
            own >= AS_BUSY * links().flat_map(|(_, busy)| busy).copied().fold(0.0, f64::max)
        }
        _ => true,
    }
}

struct Cluster<'a> {
    scenario: &'a Scenario,
    seen: &'a ClusterSnapshot,
    /// The snapshot of each member.
    hosts: Vec<&'a Snapshot>,
    rates: &'a Rates,
    now_ns: u64,
    /// The relocation whose guest's storage is shown, by its place: the one under way where guests go one by one.
    shown: Option<usize>,
    /// The member at which each guest is.
    homes: Vec<usize>,
    /// Whether the parts stand close together, and whether relocations are chips alone.
    tight: bool,
    brief: bool,
}

impl<'a> Cluster<'a> {
    fn new(
        scenario: &'a Scenario,
        snapshot: &'a Snapshot,
        seen: &'a ClusterSnapshot,
        rates: &'a Rates,
        Given { tight, brief, .. }: Given,
    ) -> Cluster<'a> {
        let hosts: Vec<&Snapshot> = std::iter::once(snapshot).chain(&seen.others).collect();
        let home = |guest: usize| {
            let here = |host: &&Snapshot| host.guests.get(guest).is_some_and(|guest| !guest.away);
            // A guest that has logged off stays in sight where it was last.
            let last = || seen.relocations.iter().rev().find(|one| one.guest as usize == guest).map(|one| one.from as usize);
            hosts.iter().position(here).or_else(last).unwrap_or(0)
        };
        let homes = (0..snapshot.guests.len()).map(home).collect();
        let shown = shown(scenario, seen);
        Cluster { scenario, seen, hosts, rates, now_ns: snapshot.now_ns, shown, homes, tight, brief }
    }

    /// The relocation whose guest's storage is shown.
    fn relocation(&self) -> Option<&'a RelocationSnapshot> {
        self.seen.relocations.get(self.shown?)
    }

    /// Whether the host has relocations that go one by one: then there is a place for the storage of the guest that goes.
    fn shows_storage(&self) -> bool {
        self.shown.is_some()
    }

    /// What a member is to the relocation that is shown.
    fn side(&self, member: usize) -> Option<Side> {
        let one = self.relocation()?;
        match member as u32 {
            from if from == one.from => Some(Side::Source),
            to if to == one.to => Some(Side::Destination),
            _ => None,
        }
    }
}

/// The relocation under way, the last that ended, or the first to come; none where several may be under way at once.
fn shown(scenario: &Scenario, seen: &ClusterSnapshot) -> Option<usize> {
    let one_by_one = scenario.relocation.mode == Relocate::Synch || seen.relocations.len() == 1;
    if seen.relocations.is_empty() || !one_by_one {
        return None;
    }
    let all = || seen.relocations.iter().enumerate();
    let under_way = all().find(|(_, one)| one.began_ns.is_some() && one.ended_ns.is_none());
    let ended = || all().filter(|(_, one)| one.ended_ns.is_some()).max_by_key(|(_, one)| one.ended_ns);
    Some(under_way.or_else(ended).map_or(0, |(at, _)| at))
}

/// Draws the whole picture, with its parts close together as `given` says, or on a phone.
pub(super) fn draw(
    scene: &mut Scene,
    scenario: &Scenario,
    snapshot: &Snapshot,
    seen: &ClusterSnapshot,
    rates: &Rates,
    given: Given,
) {
    let wide = scene.width >= WIDE_FROM;
    let given = Given { tight: given.tight || !wide, ..given };
    let cluster = Cluster::new(scenario, snapshot, seen, rates, given);
    let pairs = link::pairs(&cluster);
    let bottom = match (&pairs[..], wide) {
        ([pair], true) => side_by_side(scene, &cluster, pair),
        (pairs, false) if pairs.len() > 1 => column(scene, &cluster, pairs),
        (pairs, _) => row(scene, &cluster, pairs),
    };
    let under = strip::draw(scene, &cluster, bottom + BELOW);
    let bottom = if under > bottom + BELOW { under } else { bottom };
    let below = Area { x: 1.0, y: bottom + BELOW, w: scene.width - 2.0, h: 0.0 };
    scene.height = passes::draw(scene, &cluster, below) + 2.0;
    order::by_key(&mut scene.dots, |dot| dot.number);
}

/// Two members, with their link between them.
fn side_by_side(scene: &mut Scene, cluster: &Cluster, pair: &Pair) -> f64 {
    let between = (scene.width * 0.27).clamp(150.0, 300.0);
    let w = (scene.width - 2.0 - between - 2.0 * GAP) / 2.0;
    // Close together, the words stand beneath.
    let beneath = cluster.tight;
    let of_words = if beneath { 0.0 } else { callout::height(cluster, between) };
    let h = member::height(cluster, w, true).max(link::height(cluster, pair) + of_words);
    let left = Area { x: 1.0, y: 1.0, w, h };
    let middle = Area { x: left.x + w + GAP, w: between, ..left };
    let right = Area { x: middle.x + between + GAP, ..left };
    member::draw(scene, cluster, 0, left, true);
    let used = link::draw(scene, cluster, pair, middle);
    let rest = Area { y: middle.y + used, h: h - used, ..middle };
    member::draw(scene, cluster, 1, right, true);
    if !beneath {
        callout::draw(scene, cluster, rest);
        return left.y + h;
    }
    let w = scene.width - 2.0;
    let said = Area { y: left.y + h, w, h: callout::height(cluster, w), ..left };
    callout::draw(scene, cluster, said);
    said.y + said.h - BELOW / 2.0
}

/// Three or four members in a row, or two on a phone, their links beneath.
fn row(scene: &mut Scene, cluster: &Cluster, pairs: &[Pair]) -> f64 {
    let count = cluster.hosts.len() as f64;
    let w = (scene.width - 2.0 - (count - 1.0) * GAP) / count;
    let h = member::height(cluster, w, false);
    let place = |member: usize| Area { x: 1.0 + member as f64 * (w + GAP), y: 1.0, w, h };
    let bottom = link::beneath(scene, cluster, pairs, &place);
    (0..cluster.hosts.len()).for_each(|member| member::draw(scene, cluster, member, place(member), false));
    storage_strip(scene, cluster, bottom + BELOW)
}

/// Three or four on a phone: the members below each other, their links beside them.
fn column(scene: &mut Scene, cluster: &Cluster, pairs: &[Pair]) -> f64 {
    let gutter = link::gutter(pairs);
    let w = scene.width - 2.0 - gutter;
    let h = member::height(cluster, w, false);
    let place = |member: usize| Area { x: 1.0, y: 1.0 + member as f64 * (h + BELOW), w, h };
    link::beside(scene, cluster, pairs, &place);
    (0..cluster.hosts.len()).for_each(|member| member::draw(scene, cluster, member, place(member), false));
    let last = place(cluster.hosts.len() - 1);
    storage_strip(scene, cluster, last.y + last.h + BELOW)
}

/// The storage of the guest that is being relocated, at both members, and what its relocation does. Returns where it ends.
fn storage_strip(scene: &mut Scene, cluster: &Cluster, top: f64) -> f64 {
    let w = scene.width - 2.0;
    if !cluster.shows_storage() {
        let said = Area { x: 1.0, y: top, w, h: callout::height(cluster, w) };
        callout::draw(scene, cluster, said);
        return said.y + said.h;
    }
    let wide = scene.width >= WIDE_FROM;
    let said_w = if wide { w * 0.26 } else { w };
    let said_h = callout::height(cluster, said_w);
    let each = if wide { (w - said_w) / 2.0 - GAP } else { (w - GAP) / 2.0 };
    let h = copies::height(cluster, each) + 2.0 * PAD;
    let (said, left) = if wide {
        let said = Area { x: 1.0 + each + GAP, y: top, w: said_w, h };
        (said, Area { x: 1.0, y: top, w: each, h })
    } else {
        let said = Area { x: 1.0, y: top, w: said_w, h: said_h };
        (said, Area { x: 1.0, y: top + said_h, w: each, h })
    };
    callout::draw(scene, cluster, said);
    for (side, x) in [(Side::Source, left.x), (Side::Destination, scene.width - 1.0 - each)] {
        let place = Area { x, ..left };
        scene.ground.push(Mark::new(Shape::Box(place.x, place.y, place.w, place.h, 8.0), Tone::Surface));
        let inside = Area { x: x + PAD, y: place.y + PAD, w: each - 2.0 * PAD, h: h - 2.0 * PAD };
        copies::draw(scene, cluster, side, inside, true);
    }
    left.y + h
}

/// The points of `count` things along a line, from its first point on, at most `step` apart.
fn spread((from, to): (Point, Point), count: usize, step: f64) -> impl Iterator<Item = Point> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).sqrt().max(0.1);
    let step = step.min(length / count.max(1) as f64) / length;
    (0..count).map(move |place| {
        let part = (place as f64 + 0.5) * step;
        (from.0 + dx * part, from.1 + dy * part)
    })
}
