//! The logical link between two members: its chpids as pipes, their CTCs as threads, its buffers as sockets, and the messages
//! under way.

mod compact;

use zvmlab::snapshot::{LinkSnapshot, MessageSnapshot, MessageStage, RelocationStage};

use super::text::{first_that_fits, width};
use super::{Area, Cluster, GAP, spread};
use crate::machine::{Align, Course, Dot, DotKind, Kind, Letters, Mark, Part, Point, Scene, Shape, Tone};
use crate::words::number::short;
use crate::words::unit::{BYTES_PER_GB, percent, time};
pub(super) use compact::{beneath, beside, gutter};

/// Height of the title and of the line beneath it.
const TITLE: f64 = 42.0;
/// Height of the words over a pipe.
const LABEL: f64 = 15.0;
/// Space between pipes.
const BETWEEN: f64 = 7.0;
/// The most sockets that are drawn; with more buffers, each stands for several.
const SOCKETS_MAX: u32 = 64;
/// Height of the sockets with their words.
const BUFFERS: f64 = 42.0;
/// Chpids that a link can have.
pub(super) const CHPIDS: usize = 4;

/// The link between two members.
pub(super) struct Pair {
    /// Its place among the links of the picture.
    index: usize,
    /// The members.
    ends: (usize, usize),
    /// The links there and back, by their place in the snapshot.
    ways: [Option<usize>; 2],
}

/// Each link once.
pub(super) fn pairs(cluster: &Cluster) -> Vec<Pair> {
    let links = &cluster.seen.links;
    let there = links.iter().enumerate().filter(|(_, link)| link.from < link.to);
    let pair = |(index, (at, link)): (usize, (usize, &LinkSnapshot))| Pair {
        index,
        ends: (link.from as usize, link.to as usize),
        ways: [Some(at), links.iter().position(|back| (back.from, back.to) == (link.to, link.from))],
    };
    there.enumerate().map(pair).collect()
}

impl Pair {
    fn link<'a>(&self, cluster: &Cluster<'a>, way: usize) -> Option<&'a LinkSnapshot> {
        cluster.seen.links.get((*self.ways.get(way)?)?)
    }

    /// Bytes a second on a way.
    fn carries(&self, cluster: &Cluster, way: usize) -> Option<f64> {
        cluster.rates.known(&cluster.rates.links, self.ways[way]?)
    }

    /// How busy a chpid was on a way.
    fn busy(&self, cluster: &Cluster, way: usize, chpid: usize) -> Option<f64> {
        cluster.rates.known(cluster.rates.chpids.get(self.ways[way]?)?, chpid)
    }

    /// The way that matters more now: that of a relocation under way, else the busier one.
    fn main(&self, cluster: &Cluster) -> usize {
        let under_way =
            cluster.seen.relocations.iter().filter(|one| one.end.is_none() && one.stage > RelocationStage::Waiting);
        let mut ways = under_way.map(|one| (one.from as usize, one.to as usize));
        let ways = ways.find(|&(from, to)| (from, to) == self.ends || (to, from) == self.ends);
        match ways.or(cluster.relocation().map(|one| (one.from as usize, one.to as usize))) {
            Some((from, to)) if (from, to) == self.ends => 0,
            Some((from, to)) if (to, from) == self.ends => 1,
            _ => usize::from(self.carries(cluster, 1) > self.carries(cluster, 0)),
        }
    }

    fn name(&self, cluster: &Cluster, end: usize) -> String {
        cluster.seen.members.get(end).map_or(String::new(), |member| member.name.clone())
    }

    fn is_up(&self, cluster: &Cluster) -> bool {
        self.link(cluster, 0).is_some_and(|link| link.up)
    }

    fn chpids<'a>(&self, cluster: &Cluster<'a>) -> &'a [zvmlab::snapshot::ChpidSnapshot] {
        self.link(cluster, 0).map_or(&[], |link| &link.chpids)
    }
}

/// Where the parts of a link stand.
struct Laid {
    title: Area,
    pipes: Vec<Area>,
    sockets: Area,
    /// Whether the pipes lie, and do not stand.
    lies: bool,
    /// Where messages are that are on no CTC, there: while they are collected, wait for a CTC, have come too early, are
    /// stored. On the way back the order is the other way round.
    docks: [(Point, Point); 4],
}

/// The height of the words over a pipe with so many CTCs, of the pipe, and of the space beneath. Three and four pipes that stand
/// close together are as high as two.
fn pipe_height(cluster: &Cluster, pair: &Pair, ctcs: u32) -> (f64, f64, f64) {
    let (label, high, least, between) = match (cluster.tight, pair.chpids(cluster).len()) {
        (false, _) => (LABEL, 40.0, 2.5, BETWEEN),
        (true, 0..=2) => (LABEL, if cluster.brief { 10.0 } else { 16.0 }, 2.5, BETWEEN),
        (true, 3) => (12.5, 8.0, 1.5, 3.5),
        (true, _) => (11.0, 5.0, 1.0, 1.5),
    };
    (label, f64::from(ctcs) * (high / f64::from(ctcs.max(1))).clamp(least, 8.0) + 4.0, between)
}

/// The height that a link needs between two members.
pub(super) fn height(cluster: &Cluster, pair: &Pair) -> f64 {
    let of_one = |(label, pipe, between): (f64, f64, f64)| label + pipe + between;
    let pipes: f64 = pair.chpids(cluster).iter().map(|chpid| of_one(pipe_height(cluster, pair, chpid.ctcs))).sum();
    TITLE + pipes + BUFFERS
}

/// Draws a link between two members beside each other. Returns the height that it used.
pub(super) fn draw(scene: &mut Scene, cluster: &Cluster, pair: &Pair, area: Area) -> f64 {
    let mut y = area.y + TITLE;
    let mut pipes = Vec::new();
    for chpid in pair.chpids(cluster) {
        let (label, h, between) = pipe_height(cluster, pair, chpid.ctcs);
        pipes.push(Area { y: y + label, h, ..area });
        y += label + h + between;
    }
    let (x, right, top, bottom) = (area.x, area.x + area.w, area.y + TITLE + LABEL, y);
    let column = |x: f64| ((x, top), (x, bottom + BUFFERS));
    let docks = [column(x - GAP + 7.0), column(x - 6.0), column(right + 6.0), column(right + GAP - 7.0)];
    let title = Area { h: TITLE - 6.0, ..area };
    let laid = Laid { title, pipes, sockets: Area { y: y + 2.0, h: BUFFERS - 8.0, ..area }, lies: true, docks };
    let across =
        |from: f64, to: f64, pipe: &Area| Shape::Line(vec![(from, pipe.y + pipe.h / 2.0), (to, pipe.y + pipe.h / 2.0)]);
    for pipe in &laid.pipes {
        scene.ground.push(Mark::new(across(x - GAP, x, pipe), Tone::Border));
        scene.ground.push(Mark::new(across(right, right + GAP, pipe), Tone::Border));
    }
    titled(scene, cluster, pair, laid.title);
    paint(scene, cluster, pair, &laid, true);
    y + BUFFERS - area.y
}

/// The title of a link with room for two lines.
fn titled(scene: &mut Scene, cluster: &Cluster, pair: &Pair, area: Area) {
    let gb_s = pair.link(cluster, 0).map_or(0, |link| link.capacity_factor);
    let main = pair.main(cluster);
    let middle = area.x + area.w / 2.0;
    let mut marks = vec![Mark::new(Shape::Box(area.x, area.y, area.w, area.h, 6.0), Tone::Surface)];
    let title = [format!("ISFC link, {gb_s} Gb"), "ISFC link".into(), "ISFC".into()];
    let title = first_that_fits(title, Letters::Heading, area.w).unwrap_or_default();
    marks.push(Mark::text((middle, area.y + 15.0), Align::Middle, Letters::Heading, Tone::Text, title));
    let rate = pair.carries(cluster, main).map(|bytes| format!("{} GB/s", short(bytes / BYTES_PER_GB)));
    let (from, to) = if main == 0 { pair.ends } else { (pair.ends.1, pair.ends.0) };
    // The same time is meant by what is written over each pipe.
    let over = time(cluster.rates.over_ns / 100_000_000 * 100_000_000);
    let rate = rate.map(|rate| format!("last {over}: {rate}"));
    let ways = [
        rate.as_ref()
            .map_or(String::new(), |rate| format!("{rate} from {} to {}", pair.name(cluster, from), pair.name(cluster, to))),
        rate.as_ref().map_or(String::new(), |rate| format!("{rate} to {}", pair.name(cluster, to))),
        rate.unwrap_or_default(),
    ];
    let (text, tone) = if pair.is_up(cluster) {
        (first_that_fits(ways, Letters::Small, area.w - 8.0).unwrap_or_default(), Tone::Quiet)
    } else {
        ("down".into(), Tone::Changed)
    };
    marks.push(Mark::text((middle, area.y + 30.0), Align::Middle, Letters::Small, tone, text));
    scene.parts.push(part(cluster, pair, area, marks));
}

/// The part of a link itself.
fn part(cluster: &Cluster, pair: &Pair, place: Area, marks: Vec<Mark>) -> Part {
    let names = [pair.name(cluster, pair.ends.0), pair.name(cluster, pair.ends.1)];
    let gb_s = pair.link(cluster, 0).map_or(0, |link| link.capacity_factor);
    let way = |way: usize| {
        let rate =
            pair.carries(cluster, way).map(|bytes| format!("{} GB/s to {}", short(bytes / BYTES_PER_GB), names[1 - way]));
        rate.unwrap_or(format!(
            "{} messages to {} under way",
            pair.link(cluster, way).map_or(0, |link| link.messages.len()),
            names[1 - way]
        ))
    };
    let state = if pair.is_up(cluster) { format!("{gb_s} Gb, {}, {}", way(0), way(1)) } else { "down".into() };
    Part {
        id: (Kind::Link, pair.index),
        name: format!("ISFC link of {} and {}", names[0], names[1]),
        state,
        room: Kind::Link.room(),
        place: (place.x, place.y, place.w, place.h),
        limits: false,
        marks,
    }
}

/// Pipes, sockets and messages. With `words` there is a line over each pipe and beneath the sockets.
fn paint(scene: &mut Scene, cluster: &Cluster, pair: &Pair, laid: &Laid, words: bool) {
    let main = pair.main(cluster);
    for (index, (chpid, &pipe)) in pair.chpids(cluster).iter().zip(&laid.pipes).enumerate() {
        let busy = [0, 1].map(|way| pair.busy(cluster, way, index));
        let fill = busy[main].unwrap_or(0.0).clamp(0.0, 1.0);
        let mut marks = vec![Mark::new(Shape::Box(pipe.x, pipe.y, pipe.w, pipe.h, 4.0), Tone::Empty)];
        let filled = match laid.lies {
            true => Shape::Box(pipe.x, pipe.y + pipe.h * (1.0 - fill), pipe.w, pipe.h * fill, 4.0),
            false => Shape::Box(pipe.x, pipe.y, pipe.w * fill, pipe.h, 4.0),
        };
        marks.push(Mark::new(filled, Tone::Busy));
        for ctc in 0..chpid.ctcs {
            let (from, to) = thread(pipe, laid.lies, ctc, chpid.ctcs);
            marks.push(Mark::new(Shape::Line(vec![from, to]), Tone::Border));
        }
        let carrying = pair.link(cluster, main).and_then(|link| link.chpids.get(index)).map_or(0, |chpid| chpid.ctcs_busy);
        let text = busy[main].map(|busy| percent((100.0 * busy).round()));
        if words {
            let name = format!("chpid {}, {} Gb", index + 1, chpid.gb_s);
            let y = pipe.y - if cluster.tight { 3.0 } else { 4.0 };
            let room = pipe.w - text.as_ref().map_or(0.0, |text| width(text, Letters::Name)) - 6.0;
            if let Some(name) = first_that_fits([name, format!("chpid {}", index + 1)], Letters::Small, room) {
                marks.push(Mark::text((pipe.x, y), Align::Start, Letters::Small, Tone::Quiet, name));
            }
            if let Some(text) = text {
                marks.push(Mark::text((pipe.x + pipe.w, y), Align::End, Letters::Name, Tone::Text, text));
            }
        }
        let back = busy[1 - main].map_or(String::new(), |busy| format!(", {} busy the other way", percent(100.0 * busy)));
        let over = time(cluster.rates.over_ns / 100_000_000 * 100_000_000);
        let there = busy[main].map_or(String::new(), |busy| format!("{} busy in the last {over}, ", percent(100.0 * busy)));
        scene.parts.push(Part {
            id: (Kind::Chpid, CHPIDS * pair.index + index),
            name: format!("Chpid {}, {} Gb", index + 1, chpid.gb_s),
            state: format!("{there}{carrying} of {} CTCs carry a message{back}", chpid.ctcs),
            room: Kind::Chpid.room(),
            place: (pipe.x, pipe.y, pipe.w, pipe.h),
            limits: false,
            marks,
        });
    }
    sockets(scene, cluster, pair, laid, main, words);
    for way in [0, 1] {
        messages(scene, cluster, pair, laid, way);
    }
}

/// Where a CTC's thread begins and ends.
fn thread(pipe: Area, lies: bool, ctc: u32, ctcs: u32) -> (Point, Point) {
    let part = (f64::from(ctc) + 0.5) / f64::from(ctcs.max(1));
    if lies {
        let y = pipe.y + 2.0 + (pipe.h - 4.0) * part;
        ((pipe.x + 6.0, y), (pipe.x + pipe.w - 6.0, y))
    } else {
        let x = pipe.x + pipe.w * part;
        ((x, pipe.y + 4.0), (x, pipe.y + pipe.h - 4.0))
    }
}

/// The buffers: a socket each, filled while one is held.
fn sockets(scene: &mut Scene, cluster: &Cluster, pair: &Pair, laid: &Laid, main: usize, words: bool) {
    let Some(link) = pair.link(cluster, main) else { return };
    let area = laid.sockets;
    let shown = link.buffers.clamp(1, SOCKETS_MAX);
    // A socket is filled if any of the buffers that it stands for is held.
    let filled = (link.buffers_used * shown).div_ceil(link.buffers.max(1));
    let held = format!("{} of {} buffers held", link.buffers_used, link.buffers);
    let mut marks = Vec::new();
    if words {
        marks.push(Mark::new(Shape::Box(area.x, area.y, area.w, area.h, 3.0), Tone::Surface));
    }
    let (length, thick) = if laid.lies { (area.w, if words { 12.0 } else { area.h }) } else { (area.h, area.w) };
    let inset = if words { 4.0 } else { 0.0 };
    let step = ((length - 2.0 * inset) / f64::from(shown)).min(14.0);
    let corner = |place: u32| {
        let along = f64::from(place) * step + inset;
        if laid.lies { (area.x + along, area.y + inset) } else { (area.x, area.y + along) }
    };
    let side = (step - 1.5).max(1.0);
    let (w, h) = if laid.lies { (side, thick) } else { (thick, side) };
    for (tone, places) in [(Tone::Sent, 0..filled), (Tone::Empty, filled..shown)] {
        if !places.is_empty() {
            marks.push(Mark::new(Shape::Cells(w, h, places.map(corner).collect()), tone));
        }
    }
    if words {
        let full = link.buffers_used == link.buffers;
        let texts = [held.clone(), format!("{} of {} held", link.buffers_used, link.buffers)];
        if let Some(text) = first_that_fits(texts, Letters::Small, area.w - 2.0 * inset) {
            let tone = if full { Tone::Changed } else { Tone::Quiet };
            let at = (area.x + inset, area.y + thick + inset + 12.5);
            marks.push(Mark::text(at, Align::Start, Letters::Small, tone, text));
        }
    }
    let back = pair
        .link(cluster, 1 - main)
        .map_or(String::new(), |back| format!(", {} of {} the other way", back.buffers_used, back.buffers));
    let ends = if main == 0 { pair.ends } else { (pair.ends.1, pair.ends.0) };
    scene.parts.push(Part {
        id: (Kind::Buffers, pair.index),
        name: format!("Buffers from {} to {}", pair.name(cluster, ends.0), pair.name(cluster, ends.1)),
        state: format!("{held}{back}"),
        room: Kind::Buffers.room(),
        place: (area.x, area.y, area.w, area.h),
        limits: false,
        marks,
    });
}

/// The messages of one way, each where it is.
fn messages(scene: &mut Scene, cluster: &Cluster, pair: &Pair, laid: &Laid, way: usize) {
    let Some(link) = pair.link(cluster, way) else { return };
    let there = way == 0;
    let dock = |place: usize| if there { laid.docks[place] } else { laid.docks[3 - place] };
    let docked = |message: &MessageSnapshot| match message.stage {
        MessageStage::Collecting => Some(0),
        MessageStage::Waiting => Some(1),
        MessageStage::Protocol | MessageStage::Transfer => None,
        MessageStage::Early => Some(2),
        MessageStage::Storing | MessageStage::FrameWait => Some(3),
    };
    for place in 0..4 {
        let at: Vec<&MessageSnapshot> = link.messages.iter().filter(|one| docked(one) == Some(place)).collect();
        for (message, at) in at.iter().zip(spread(dock(place), at.len(), 8.0)) {
            scene.dots.push(dot(cluster, message, Course::still(at)));
        }
    }
    for message in link.messages.iter().filter(|message| message.is_on_ctc()) {
        let chpid = message.chpid.unwrap_or_default() as usize;
        let (Some(&pipe), Some(ctcs)) = (laid.pipes.get(chpid), link.chpids.get(chpid)) else { continue };
        let (from, to) = thread(pipe, laid.lies, message.ctc.unwrap_or_default(), ctcs.ctcs);
        let way = if there { vec![from, to] } else { vec![to, from] };
        let course = match (message.stage, way.first()) {
            (MessageStage::Protocol, Some(&at)) => Course::still(at),
            _ => Course {
                way,
                behind: f64::from(message.done_ppm) / 1e6,
                from_ns: cluster.now_ns,
                until_ns: message.until_ns,
            },
        };
        scene.dots.push(dot(cluster, message, course));
    }
}

fn dot(cluster: &Cluster, message: &MessageSnapshot, course: Course) -> Dot {
    let tone = match (message.guest, message.stage) {
        (None, _) => Tone::Cp,
        (_, MessageStage::Waiting) => Tone::Queued,
        (_, MessageStage::FrameWait) => Tone::FrameWait,
        _ => Tone::Sent,
    };
    let guests = cluster.hosts.first().map(|host| &host.guests);
    let name = |guest: u32| guests.and_then(|guests| guests.get(guest as usize)).map(|guest| guest.name.clone());
    let guest = message.guest.map(|guest| name(guest).unwrap_or(format!("guest {}", guest + 1)));
    let subject = DotKind::Message { guest, pages: message.pages, stage: message.stage };
    Dot { number: message.number, subject, tone, course }
}
