//! The links between members: who waits for a buffer, what other users send, and what the links carry during relocations.

use std::collections::VecDeque;

use crate::constants::Constants;
use crate::isfc::{Link, Traffic};
use crate::kernel::time::{Instant, Span};
use crate::scenario::Scenario;
use crate::snapshot::{LinkSnapshot, MessageSnapshot};

/// What a link has done while relocations were under way, and its counters when that last began or ended.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    bytes: u64,
    busy_ns: u64,
    bytes_before: u64,
    busy_before: u64,
}

/// One link, and those who use it.
#[derive(Clone, Debug)]
struct Used {
    link: Link,
    /// Relocations that wait for a buffer, first come first served.
    waiters: VecDeque<u32>,
    /// Messages of other traffic under way.
    others_under_way: u32,
    /// Whether other users wait, either for fewer of their messages to be under way or for the connection to stand again.
    others_paused: bool,
    mark: Mark,
}

/// The links: from each member to each other one, in order.
#[derive(Clone, Debug)]
pub(super) struct Links {
    all: Vec<Used>,
    members: u32,
    /// Most messages of other traffic under way on a link.
    others_max: u32,
    /// Time between two such messages, if there is other traffic.
    pub other_interval: Option<Span>,
    /// Since when relocations are under way, if any are, and for how long they were under way before.
    relocating: Option<Instant>,
    relocating_time: Span,
    /// Messages that have arrived, kept so that a message seldom allocates.
    pub arrived: Vec<Traffic>,
}

impl Links {
    pub fn new(scenario: &Scenario, constants: &Constants, seed: u64) -> Self {
        let members = 0..scenario.cluster.members;
        let pairs = members.clone().flat_map(|from| members.clone().map(move |to| (from, to)));
        let used = |(from, to)| Used {
            link: Link::new(&scenario.isfc, from, to, constants, seed),
            waiters: VecDeque::new(),
            others_under_way: 0,
            others_paused: false,
            mark: Mark::default(),
        };
        let mb_s = scenario.isfc.other_mb_s;
        let interval = || Span::from_ns_f64(constants.isfc_other_bytes as f64 / (f64::from(mb_s) * 1e6) * 1e9);
        Links {
            all: pairs.filter(|(from, to)| from != to).map(used).collect(),
            members: members.end,
            others_max: scenario.isfc.buffers * constants.isfc_others_each,
            other_interval: (mb_s > 0).then(interval),
            relocating: None,
            relocating_time: Span::ZERO,
            arrived: Vec::new(),
        }
    }

    /// The link from a member to another.
    pub fn index(&self, from: u32, to: u32) -> u16 {
        (from * (self.members - 1) + to - u32::from(to > from)) as u16
    }

    /// All links.
    pub fn indices(&self) -> std::ops::Range<u16> {
        0..self.all.len() as u16
    }

    pub fn link(&self, link: u16) -> &Link {
        &self.all[link as usize].link
    }

    pub fn link_mut(&mut self, link: u16) -> &mut Link {
        &mut self.all[link as usize].link
    }

    /// A relocation waits for a buffer.
    pub fn wait_for_buffer(&mut self, link: u16, relocation: u32) {
        self.all[link as usize].waiters.push_back(relocation);
    }

    /// Takes out the relocation that has waited longest for a buffer, if a buffer is free.
    pub fn next_for_buffer(&mut self, link: u16) -> Option<u32> {
        let used = &mut self.all[link as usize];
        if used.link.buffers_free() == 0 {
            return None;
        }
        used.waiters.pop_front()
    }

    /// The connection is lost.
    pub fn lose(&mut self, now: Instant, link: u16) {
        let used = &mut self.all[link as usize];
        used.link.lose(now);
        used.others_under_way = 0;
    }

    /// Whether other users may send a message. If so, it is under way from now on; if not, they wait.
    pub fn others_may_send(&mut self, link: u16) -> bool {
        let most = self.others_max;
        let used = &mut self.all[link as usize];
        if !used.link.is_up() || used.others_under_way == most {
            used.others_paused = true;
            return false;
        }
        used.others_under_way += 1;
        true
    }

    /// A message of other traffic has arrived.
    pub fn other_arrived(&mut self, link: u16) {
        self.all[link as usize].others_under_way -= 1;
    }

    /// Whether other users waited. They go on now.
    pub fn others_go_on(&mut self, link: u16) -> bool {
        std::mem::take(&mut self.all[link as usize].others_paused)
    }

    /// Call this when relocations begin to be under way, or when none is any more. From now on the links' work counts, or no
    /// longer does.
    pub fn mark(&mut self, now: Instant, under_way: bool) {
        if under_way == self.relocating.is_some() {
            return;
        }
        for index in 0..self.all.len() {
            self.all[index].mark = self.marked(now, &self.all[index]);
        }
        match self.relocating.take() {
            Some(since) => self.relocating_time += now.since(since),
            None => self.relocating = Some(now),
        }
    }

    /// What a link has done by now.
    fn marked(&self, now: Instant, used: &Used) -> Mark {
        let (mut mark, seen) = (used.mark, used.link.snapshot(now));
        let busy = seen.chpids.iter().map(|chpid| chpid.busy_ns).sum();
        if self.relocating.is_some() {
            mark.bytes += seen.bytes - mark.bytes_before;
            mark.busy_ns += busy - mark.busy_before;
        }
        Mark { bytes_before: seen.bytes, busy_before: busy, ..mark }
    }

    /// Time for which relocations have been under way.
    pub fn relocating_time(&self, now: Instant) -> Span {
        self.relocating_time + self.relocating.map_or(Span::ZERO, |since| now.since(since))
    }

    /// A snapshot of each link.
    pub fn snapshot(&self, now: Instant) -> Vec<LinkSnapshot> {
        let seen = |used: &Used| {
            let mark = self.marked(now, used);
            LinkSnapshot { relocating_bytes: mark.bytes, relocating_busy_ns: mark.busy_ns, ..used.link.snapshot(now) }
        };
        self.all.iter().map(seen).collect()
    }

    /// The messages on each link, in the order of [`Links::snapshot`].
    pub fn messages(&self, now: Instant) -> impl Iterator<Item = impl Iterator<Item = (Traffic, MessageSnapshot)>> {
        self.all.iter().map(move |used| used.link.messages(now))
    }

    /// Checks each link.
    pub fn verify(&self) {
        self.all.iter().for_each(|used| used.link.verify());
    }
}
