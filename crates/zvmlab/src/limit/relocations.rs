//! What relocations wait for.
//!
//! A relocation is a line of stations: CP collects pages at the source, the link carries them, CP stores them at the
//! destination. The part of the time in which a station works is the part for which the relocation waits for it. Besides,
//! throttles hold a relocation back. While it has no buffer, the buffers are held by messages at the stations: only the time
//! beyond what the busiest station works is a wait for buffers.

use super::{Found, ResourceKind, Tally, part, ratio};
use crate::constants::Constants;
use crate::order;
use crate::snapshot::{ClusterSnapshot, LinkSnapshot, PassSnapshot, RelocationSnapshot, Snapshot};

/// A cluster between two snapshots.
struct Between<'a> {
    constants: &'a Constants,
    a: &'a Snapshot,
    b: &'a Snapshot,
    before: &'a ClusterSnapshot,
    after: &'a ClusterSnapshot,
}

/// What the links of relocations did. Times are in ns of relocations: the time of a link counts for each that used it.
#[derive(Clone, Copy, Debug, Default)]
struct Links {
    /// Time in which a chpid was busy, mean over the chpids.
    link_ns: f64,
    /// Time in which a CTC was busy at least, mean over the CTCs.
    ctc_ns: f64,
    chpids: u32,
    ctcs: u32,
    /// Which part of the buffers was in use on the link that used most.
    used: f64,
    buffers: u32,
}

/// What relocations wait for between two snapshots; none if none was under way.
pub(super) fn tally(constants: &Constants, a: &Snapshot, b: &Snapshot) -> Option<Tally> {
    let none = ClusterSnapshot::default();
    let between = Between { constants, a, b, before: a.cluster.as_deref().unwrap_or(&none), after: b.cluster.as_deref()? };
    let whole_ns: f64 = between.after.relocations.iter().map(|one| between.span(one)).sum();
    (whole_ns > 0.0).then(|| between.tally(whole_ns))
}

/// Which part of the pages sent had been sent before.
pub(super) fn resent(after: &Snapshot) -> f64 {
    let passes = || after.cluster.iter().flat_map(|cluster| &cluster.relocations).flat_map(|one| &one.passes);
    let sum = |of: fn(&PassSnapshot) -> u64| passes().map(of).sum::<u64>() as f64;
    part(sum(|pass| pass.resent), sum(|pass| pass.pages))
}

impl Between<'_> {
    fn tally(&self, whole_ns: f64) -> Tally {
        let mut tally = Tally::over(self.b.now_ns.saturating_sub(self.a.now_ns));
        tally.whole_ns = whole_ns;
        let passes_ns = self.passes();
        let links = self.links();
        let cpu = [0, 1].map(|end| self.sum(|one| one.cpu_ns[end]));
        let held = [0, 1, 2].map(|throttle| self.sum(|one| one.throttled_ns[throttle]));
        // A station has nothing to do between passes, which does not mean that it has room.
        let station =
            |kind, count, busy: f64, waiting_ns: f64| Found { kind, count, busy, queue_ns: waiting_ns, waiting_ns };
        let of_link = part(links.link_ns, passes_ns.max(links.link_ns));
        tally.note(station(ResourceKind::Link, links.chpids, of_link, links.link_ns));
        // Each relocation waits for CP's work for itself; a processor does that for all whose passes go on at once.
        let [source, destination] = cpu.map(|ns| part(ns, self.time_with_passes()));
        tally.note(station(ResourceKind::Source, 1, source, cpu[0]));
        tally.note(station(ResourceKind::Destination, 1, destination, cpu[1]));
        // A CTC is held while its message shares a chpid: only the rest is a wait for CTCs.
        let of_passes = |ns: f64| part(ns, passes_ns);
        let ctcs = links.ctc_ns * (1.0 - of_passes(links.link_ns));
        tally.waits(ResourceKind::Ctcs, links.ctcs, of_passes(links.ctc_ns), ctcs);
        let works = [links.link_ns, links.ctc_ns, cpu[0], cpu[1]].into_iter().fold(0.0, f64::max);
        tally.waits(ResourceKind::Buffers, links.buffers, links.used, held[2] * (1.0 - of_passes(works)));
        let link_ns = links.link_ns.max(links.ctc_ns);
        let reads_ns = self.reads(passes_ns - link_ns - cpu[0] - cpu[1] - held.iter().sum::<f64>());
        tally.waits(ResourceKind::Reads, 1, of_passes(reads_ns), reads_ns);
        let ends = self.ends();
        tally.waits(ResourceKind::EndToEnd, volumes(&ends), paging(&ends), held[0]);
        tally.waits(ResourceKind::Endpoint, 1, self.frames(), held[1]);
        let stages_ns = (whole_ns - passes_ns).max(0.0);
        tally.waits(ResourceKind::Stages, 1, part(stages_ns, whole_ns), stages_ns);
        tally
    }

    /// The links that relocations used. Time of a link counts for each relocation that was under way over it.
    fn links(&self) -> Links {
        let mut links = Links::default();
        for (index, later) in self.after.links.iter().enumerate() {
            let under_way = self.under_way(later);
            if under_way <= 0.0 {
                continue;
            }
            let earlier = self.before.links.get(index);
            let grown = |of: &dyn Fn(&LinkSnapshot) -> u64| of(later).saturating_sub(earlier.map_or(0, of)) as f64;
            let each = ratio(self.on_way(later).map(|one| self.span(one)).sum(), under_way);
            let (chpids, ctcs) = (later.chpids.len() as u32, later.chpids.iter().map(|chpid| chpid.ctcs).sum::<u32>());
            let busy = grown(&|link| link.relocating_busy_ns);
            // A CTC is busy for the protocol exchange and, at least, for the time that the transfer takes alone.
            let blocks = grown(&|link| link.relocating_bytes) / self.constants.isfc_block_bytes as f64;
            let held = busy + blocks * self.constants.isfc_protocol_ns;
            links.link_ns += each * ratio(busy, f64::from(chpids)).min(under_way);
            links.ctc_ns += each * ratio(held, f64::from(ctcs)).min(under_way);
            let used = ratio(grown(&|link| link.buffers_ns), f64::from(later.buffers) * under_way);
            if used > links.used {
                (links.used, links.buffers) = (used, later.buffers);
            }
            (links.chpids, links.ctcs) = (links.chpids.max(chpids), links.ctcs.max(ctcs));
        }
        links
    }

    /// The time from `from` to `to` that lies in the interval.
    fn within(&self, from: u64, to: Option<u64>) -> (u64, u64) {
        let end = to.unwrap_or(self.b.now_ns).min(self.b.now_ns);
        (from.max(self.a.now_ns).min(end), end)
    }

    /// When a relocation was under way, as far as it was in the interval.
    fn way(&self, one: &RelocationSnapshot) -> Option<(u64, u64)> {
        one.began_ns.map(|began| self.within(began, one.ended_ns))
    }

    /// For how long.
    fn span(&self, one: &RelocationSnapshot) -> f64 {
        self.way(one).map_or(0.0, |(from, to)| (to - from) as f64)
    }

    /// How much a counter of the relocations grew.
    fn sum(&self, field: impl Fn(&RelocationSnapshot) -> u64) -> f64 {
        let all = |cluster: &ClusterSnapshot| cluster.relocations.iter().map(&field).sum::<u64>();
        all(self.after).saturating_sub(all(self.before)) as f64
    }

    /// The passes of a relocation, as far as they were in the interval: when each began and ended.
    fn passes_of(&self, one: &RelocationSnapshot) -> impl Iterator<Item = (u64, u64)> {
        one.passes.iter().map(|pass| self.within(pass.began_ns, pass.ended_ns.or(one.ended_ns)))
    }

    /// Time of the passes of all relocations; where several go on at once, it counts for each.
    fn passes(&self) -> f64 {
        self.after.relocations.iter().flat_map(|one| self.passes_of(one)).map(|(from, to)| (to - from) as f64).sum()
    }

    /// How long passes waited for pages that CP first reads from page space at the source: what no station and no throttle explains of
    /// their time, where pages were read. Reads that go on while a station works hold nobody back; and where frames are short at the
    /// destination, it is buffers that are waited for.
    fn reads(&self, unexplained_ns: f64) -> f64 {
        if self.sum(|one| one.pages_read) > 0.0 { unexplained_ns.max(0.0) } else { 0.0 }
    }

    /// Time in which at least one pass went on.
    fn time_with_passes(&self) -> f64 {
        covered(self.after.relocations.iter().flat_map(|one| self.passes_of(one)).collect())
    }

    /// The relocations over a link.
    fn on_way<'a>(&'a self, link: &LinkSnapshot) -> impl Iterator<Item = &'a RelocationSnapshot> {
        let way = (link.from, link.to);
        self.after.relocations.iter().filter(move |one| (one.from, one.to) == way)
    }

    /// Time in which at least one of them was under way.
    fn under_way(&self, link: &LinkSnapshot) -> f64 {
        covered(self.on_way(link).filter_map(|one| self.way(one)).collect())
    }

    /// The members that guests leave or come to.
    fn ends(&self) -> Vec<(&Snapshot, &Snapshot)> {
        let ways = || self.after.relocations.iter().filter(|one| self.span(one) > 0.0);
        let places =
            (0..self.after.members.len() as u32).filter(|place| ways().any(|one| one.from == *place || one.to == *place));
        places.filter_map(|place| self.member(place)).collect()
    }

    fn member(&self, place: u32) -> Option<(&Snapshot, &Snapshot)> {
        match place.checked_sub(1) {
            None => Some((self.a, self.b)),
            Some(other) => {
                let of = |cluster: &ClusterSnapshot| other < cluster.others.len() as u32;
                (of(self.before) && of(self.after))
                    .then(|| (&self.before.others[other as usize], &self.after.others[other as usize]))
            }
        }
    }

    /// Which part of the frames is in use at the fullest destination.
    fn frames(&self) -> f64 {
        let used = |(_, b): (&Snapshot, &Snapshot)| {
            let storage = &b.storage;
            let pageable = storage.installed_frames.saturating_sub(storage.cp_frames + storage.mdc_frames) as f64;
            1.0 - part(storage.available_frames as f64, pageable)
        };
        let relocated = self.after.relocations.iter().filter(|one| self.span(one) > 0.0);
        relocated.filter_map(|one| self.member(one.to)).map(used).fold(0.0, f64::max)
    }
}

/// The time that these spans cover together.
fn covered(mut spans: Vec<(u64, u64)>) -> f64 {
    order::naturally(&mut spans);
    let (mut until, mut sum) = (0, 0);
    for (from, to) in spans {
        sum += to.saturating_sub(from.max(until));
        until = until.max(to);
    }
    sum as f64
}

/// How busy the page volumes are at the end that pages more.
fn paging(ends: &[(&Snapshot, &Snapshot)]) -> f64 {
    let busy = |snapshot: &Snapshot| snapshot.paging.volumes.iter().map(|volume| volume.busy_ns).sum::<u64>();
    let of = |(a, b): &(&Snapshot, &Snapshot)| {
        let whole = b.now_ns.saturating_sub(a.now_ns) as f64 * b.paging.volumes.len() as f64;
        part(busy(b).saturating_sub(busy(a)) as f64, whole)
    };
    ends.iter().map(of).fold(0.0, f64::max)
}

fn volumes(ends: &[(&Snapshot, &Snapshot)]) -> u32 {
    ends.iter().map(|(_, b)| b.paging.volumes.len() as u32).max().unwrap_or(0)
}
