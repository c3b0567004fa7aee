//! Messages with pages in the simulation: from the source's storage over the link into the destination's storage.

use super::cluster::OF_NOBODY;
use super::{Event, Simulation};
use crate::isfc::{Begun, Traffic};
use crate::kernel::slab::Slab;
use crate::kernel::time::{Instant, Span};
use crate::relocation::Relocation;
use crate::snapshot::{LinkSnapshot, MessageSnapshot, MessageStage, RelocationStage, Throttle};
use crate::storage::Part;

/// Bytes of a page.
const PAGE_BYTES: u64 = 4096;

/// Where a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// CP collects its pages at the source.
    Collecting,
    /// It is on the link.
    OnLink,
    /// CP stores it at the destination.
    Storing,
    /// It waits for frames at the destination.
    Waiting,
}

/// Pages on their way.
#[derive(Clone, Debug)]
struct Message {
    /// Its number among all messages of the run.
    number: u64,
    relocation: u32,
    link: u16,
    pages: u32,
    parts: Vec<Part>,
    /// Versions of the pages, where contents are watched.
    contents: Vec<Vec<u32>>,
    phase: Phase,
    /// When the phase began.
    since: Instant,
    /// Whether it holds a buffer of the link.
    buffered: bool,
    /// Whether its relocation goes on. If not, the message is dropped at the next step of its way.
    wanted: bool,
}

/// The messages under way, by the tags that the rooms know them by.
#[derive(Clone, Debug, Default)]
pub(super) struct Messages {
    all: Slab<Message>,
    /// The number of the next message.
    next: u64,
    /// Kept so that a message seldom allocates.
    spare: Vec<Vec<Part>>,
}

impl Messages {
    fn take(&mut self, tag: u32) -> Message {
        let mut message = self.all.take(tag);
        let mut parts = std::mem::take(&mut message.parts);
        parts.clear();
        self.spare.push(parts);
        message
    }

    /// The number of the next message, which is no longer free then.
    pub fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// How many messages with pages of a relocation are under way.
    pub fn of(&self, relocation: u32) -> u32 {
        let counts = |message: &&Message| message.relocation == relocation && message.wanted && message.pages > 0;
        self.all.iter().filter(counts).count() as u32
    }

    /// The connection of a link is lost. Messages on it never arrive, and no message holds a buffer of it any more.
    pub fn lose(&mut self, link: u16) {
        for tag in self.all.tags(|message| message.link == link && message.phase == Phase::OnLink) {
            self.take(tag);
        }
        for message in self.all.iter_mut().filter(|message| message.link == link) {
            message.buffered = false;
        }
    }
}

impl Simulation {
    /// Continues a relocation's pass: collects the next pages, unless something holds it back.
    pub(super) fn pump(&mut self, index: u32) {
        let relocation = self.relocations.one(index);
        if relocation.held_by().is_some() || relocation.reads >= self.constants.relocation_reads {
            return;
        }
        if !relocation.may_collect() {
            return self.end_pass_if_over(index);
        }
        let Relocation { guest, from, to, position, .. } = *relocation;
        let first_pass = relocation.in_first_pass();
        if let Some(throttle) = self.throttle(index) {
            return self.hold(index, throttle);
        }
        let link = self.links.index(from, to);
        if !self.links.link_mut(link).take_buffer(self.agenda.now()) {
            self.links.wait_for_buffer(link, index);
            return self.hold(index, Throttle::Link);
        }
        let mut parts = self.messages.spare.pop().unwrap_or_default();
        let collected = self.members[from as usize].collect(guest, position, first_pass, &mut parts);
        if let (0, Some(page)) = (collected.pages, collected.away) {
            self.relocations.one_mut(index).position = collected.next;
            self.messages.spare.push(parts);
            self.give_buffer(link);
            return self.read_ahead(index, page, first_pass);
        }
        let constants = &self.constants;
        let ns = f64::from(collected.pages) * constants.collect_page_ns
            + f64::from(collected.segments) * constants.walk_segment_ns;
        let relocation = self.relocations.one_mut(index);
        relocation.collected(collected.pages, collected.resent, ns);
        (relocation.position, relocation.through) = (collected.next, collected.through);
        (relocation.collecting, relocation.excused) = (true, false);
        relocation.outstanding += u32::from(collected.pages > 0);
        let contents = match self.watches_contents {
            true => parts.iter().map(|&part| self.members[from as usize].storage().contents(part)).collect(),
            false => Vec::new(),
        };
        let words = parts.iter().map(|part| (part.word, part.pages()));
        let source = self.members[from as usize].storage();
        let pieces = words.map(|(word, pages)| (source.piece(guest, word), pages));
        self.relocations.one_mut(index).collected_from(pieces);
        let message = Message {
            number: self.messages.number(),
            relocation: index,
            link,
            pages: collected.pages,
            parts,
            contents,
            phase: Phase::Collecting,
            since: self.agenda.now(),
            buffered: true,
            wanted: true,
        };
        let tag = self.messages.all.put(message);
        self.members[from as usize].work_for(tag, ns);
    }

    /// What holds a relocation back before it asks for a buffer. Once the guest is stopped, heavy paging does not
    /// (assumed).
    fn throttle(&self, index: u32) -> Option<Throttle> {
        let relocation = self.relocations.one(index);
        if relocation.waiting_for_frames >= self.plan.rules.waiting_max {
            return Some(Throttle::Memory);
        }
        let most = self.plan.rules.paging_queue_max.filter(|_| !relocation.is_stopped() && !relocation.excused)?;
        let ends = [relocation.from, relocation.to];
        let heavy = ends.into_iter().any(|member| self.members[member as usize].paging_queue() >= most);
        heavy.then_some(Throttle::Paging)
    }

    /// A relocation has held back for heavy paging. It sends one message and then looks again.
    pub(super) fn throttle_ends(&mut self, index: u32) {
        let relocation = self.relocations.one_mut(index);
        relocation.go_on(self.agenda.now());
        relocation.excused = true;
        self.pump(index);
    }

    fn hold(&mut self, index: u32, throttle: Throttle) {
        let relocation = self.relocations.one_mut(index);
        relocation.hold(self.agenda.now(), throttle);
        if throttle == Throttle::Paging {
            let generation = relocation.generation;
            let until = self.agenda.now() + Span::from_ns_f64(self.constants.throttle_ns);
            self.agenda.schedule(until, Event::ThrottleEnds { relocation: index, generation });
        }
    }

    /// The pass has come to a page that is on DASD. The source reads its block, and some of those behind it.
    fn read_ahead(&mut self, index: u32, away: u64, first_pass: bool) {
        let Relocation { guest, from, mut read_from, mut reads, .. } = *self.relocations.one(index);
        read_from = if reads == 0 { away } else { read_from.max(away) };
        let mut at = away;
        for _ in 0..self.constants.relocation_reads {
            let member = &mut self.members[from as usize];
            let Some(page) = member.storage().next_away(guest, at, first_pass) else { break };
            at = member.block_end(guest, page);
            // A block that demand scan took again before the pass came to it is read once more when these reads have ended.
            if page < read_from {
                continue;
            }
            if reads == self.constants.relocation_reads {
                break;
            }
            (read_from, reads) = (at, reads + 1);
            self.relocations.one_mut(index).reads = reads;
            self.members[from as usize].read_for(index, guest, page);
        }
        self.relocations.one_mut(index).read_from = read_from;
    }

    /// A page that a relocation asked for is in a frame.
    pub(super) fn page_read(&mut self, index: u32, pages: u32) {
        let relocation = self.relocations.one_mut(index);
        if relocation.end().is_none() {
            relocation.reads -= 1;
            relocation.has_read(pages);
            self.pump(index);
        }
        self.log_off_if_quiet();
    }

    /// CP has done a piece of work: pages are collected, or ready for frames.
    pub(super) fn work_done(&mut self, tag: u32) {
        if tag == OF_NOBODY {
            return;
        }
        let message = self.messages.all.get_mut(tag);
        if !message.wanted {
            return self.forget(tag);
        }
        let index = message.relocation;
        match message.phase {
            Phase::Collecting => {
                let (link, pages) = (message.link, message.pages);
                message.phase = Phase::OnLink;
                self.relocations.one_mut(index).collecting = false;
                match pages {
                    0 => self.forget(tag),
                    _ => self.send(link, Traffic::Relocation(tag), u64::from(pages) * PAGE_BYTES),
                }
                self.pump(index);
            }
            Phase::Storing => {
                (message.phase, message.since) = (Phase::Waiting, self.agenda.now());
                let (parts, contents) = (std::mem::take(&mut message.parts), std::mem::take(&mut message.contents));
                let relocation = self.relocations.one_mut(index);
                relocation.waits_for_frames(self.agenda.now(), true);
                let to = relocation.to;
                self.members[to as usize].store(tag, parts, contents);
            }
            Phase::OnLink | Phase::Waiting => unreachable!("CP does nothing for a message there"),
        }
    }

    /// A message's pages are in frames at the destination.
    pub(super) fn stored(&mut self, tag: u32) {
        let index = self.messages.all.get_mut(tag).relocation;
        self.forget(tag);
        let relocation = self.relocations.one_mut(index);
        relocation.waits_for_frames(self.agenda.now(), false);
        relocation.outstanding -= 1;
        if relocation.held_by() == Some(Throttle::Memory) && relocation.waiting_for_frames < self.plan.rules.waiting_max {
            relocation.go_on(self.agenda.now());
        }
        self.pump(index);
    }

    /// A message is done with. Its buffer is free.
    fn forget(&mut self, tag: u32) {
        let Message { link, buffered, .. } = self.messages.take(tag);
        if buffered {
            self.give_buffer(link);
        }
    }

    /// A buffer is free. The relocation that waits longest goes on. If something else holds that one back, the next one
    /// does.
    fn give_buffer(&mut self, link: u16) {
        self.links.link_mut(link).give_buffer(self.agenda.now());
        while let Some(index) = self.links.next_for_buffer(link) {
            let relocation = self.relocations.one_mut(index);
            if relocation.held_by() == Some(Throttle::Link) {
                relocation.go_on(self.agenda.now());
                self.pump(index);
            }
        }
    }

    /// Drops what is under way for a relocation that has ended, at once or at the next step of its way.
    pub(super) fn forget_messages(&mut self, index: u32) {
        let Relocation { to, .. } = *self.relocations.one(index);
        let waiting = self.messages.all.tags(|message| message.relocation == index && message.phase == Phase::Waiting);
        self.members[to as usize].forget_arrivals(&|tag| waiting.contains(&tag));
        waiting.into_iter().for_each(|tag| self.forget(tag));
        for tag in self.messages.all.tags(|message| message.relocation == index && message.wanted) {
            let message = self.messages.all.get_mut(tag);
            message.wanted = false;
            // A message on the link holds its buffer until it arrives.
            if message.phase != Phase::OnLink && std::mem::take(&mut message.buffered) {
                let link = message.link;
                self.give_buffer(link);
            }
        }
    }

    pub(super) fn send(&mut self, link: u16, traffic: Traffic, bytes: u64) {
        let begun = self.links.link_mut(link).send(self.agenda.now(), traffic, bytes);
        self.message_begins(link, begun);
    }

    fn message_begins(&mut self, link: u16, begun: Option<Begun>) {
        if let Some(Begun { message, transfer_at }) = begun {
            self.agenda.schedule(transfer_at, Event::TransferBegins { link, message });
        }
    }

    pub(super) fn transfer_begins(&mut self, link: u16, message: u32) {
        if let Some((chpid, next)) = self.links.link_mut(link).begin_transfer(self.agenda.now(), message) {
            self.agenda.schedule(next.at, Event::TransferEnds { link, chpid, generation: next.generation });
        }
    }

    pub(super) fn transfer_ends(&mut self, link: u16, chpid: u16, generation: u32) {
        let mut arrived = std::mem::take(&mut self.links.arrived);
        if let Some(ended) = self.links.link_mut(link).end_transfer(self.agenda.now(), chpid, generation, &mut arrived) {
            if let Some(next) = ended.next_end {
                self.agenda.schedule(next.at, Event::TransferEnds { link, chpid, generation: next.generation });
            }
            self.message_begins(link, ended.begun);
            for traffic in arrived.drain(..) {
                match traffic {
                    Traffic::Relocation(tag) => self.arrives(tag),
                    Traffic::Other(_) => {
                        self.links.other_arrived(link);
                        self.resume_others(link);
                    }
                }
            }
        }
        self.links.arrived = arrived;
    }

    /// A message has come over the link.
    fn arrives(&mut self, tag: u32) {
        let message = self.messages.all.get_mut(tag);
        if !message.wanted {
            return self.forget(tag);
        }
        (message.phase, message.since) = (Phase::Storing, self.agenda.now());
        let ns = f64::from(message.pages) * self.constants.store_page_ns;
        let relocation = self.relocations.one_mut(message.relocation);
        relocation.stores(ns);
        let to = relocation.to;
        self.members[to as usize].work_for(tag, ns);
    }

    /// A snapshot of each link, with the messages under way on it, at its source and at its destination.
    pub(super) fn links_seen(&self) -> Vec<LinkSnapshot> {
        let now = self.agenda.now();
        let mut links = self.links.snapshot(now);
        for (link, carried) in links.iter_mut().zip(self.links.messages(now)) {
            link.messages = carried.filter_map(|(traffic, seen)| self.carried(traffic, seen)).collect();
        }
        for message in self.messages.all.iter().filter(|message| message.phase != Phase::OnLink) {
            if let Some(link) = links.get_mut(message.link as usize) {
                link.messages.push(self.at_an_end(message));
            }
        }
        links.iter_mut().for_each(|link| link.messages.sort_unstable_by_key(|message| message.number));
        links
    }

    /// A message on a link, with what it carries.
    fn carried(&self, traffic: Traffic, seen: MessageSnapshot) -> Option<MessageSnapshot> {
        let tag = match traffic {
            Traffic::Other(number) => return Some(MessageSnapshot { number, ..seen }),
            Traffic::Relocation(tag) => tag,
        };
        let &Message { number, relocation, pages, buffered, .. } = self.messages.all.get(tag)?;
        let guest = Some(self.relocations.one(relocation).guest);
        Some(MessageSnapshot { number, guest, pages, buffered, ..seen })
    }

    /// A message at the source or at the destination.
    fn at_an_end(&self, message: &Message) -> MessageSnapshot {
        MessageSnapshot {
            number: message.number,
            guest: Some(self.relocations.one(message.relocation).guest),
            pages: message.pages,
            bytes: u64::from(message.pages) * PAGE_BYTES,
            stage: match message.phase {
                Phase::Collecting => MessageStage::Collecting,
                Phase::OnLink => MessageStage::Waiting,
                Phase::Storing => MessageStage::Storing,
                Phase::Waiting => MessageStage::FrameWait,
            },
            since_ns: message.since.0,
            until_ns: message.since.0,
            buffered: message.buffered,
            ..MessageSnapshot::default()
        }
    }

    /// Ends a relocation's pass if it is over.
    fn end_pass_if_over(&mut self, index: u32) {
        let relocation = self.relocations.one(index);
        let moving = relocation.stage() >= RelocationStage::Moving && relocation.stage() < RelocationStage::Ended;
        if moving && relocation.pass_under_way() && relocation.pass_is_over() {
            self.end_pass(index);
        }
    }
}
