//! The ISFC logical link between two members, in one direction: who waits for a CTC, who transfers, and what has arrived.
//!
//! A message takes a free CTC, or waits for one, first come first served. Each write to the CTC costs a protocol exchange,
//! during which others can use the chpid. Then the message transfers; all CTCs that transfer on a chpid share it equally. So
//! a few CTCs leave the chpid idle during their protocol exchanges, and many CTCs fill it.
//!
//! Simplified: the protocol exchanges of all writes of a message come before its transfer, not between its blocks.
//! Assumed: their time varies from message to message. If it were always the same, CTCs that begin together would stay in
//! step for ever: all in the exchange, then all in the transfer, and they would never fill a chpid.
//! Assumed: ISFC delivers in order. A message that comes in too early waits for those sent before it, and the sender holds
//! its buffer all that time. So chpids of unequal speed need more buffers to be filled than chpids of equal speed.

mod chpid;

use std::collections::VecDeque;

use crate::constants::Constants;
use crate::kernel::rng::Generator;
use crate::kernel::sharing::NextEnd;
use crate::kernel::statistics::TimeWeighted;
use crate::kernel::time::{Instant, Span};
use crate::scenario::Isfc;
use crate::snapshot::{LinkSnapshot, MessageSnapshot, MessageStage};
use chpid::Chpid;

/// Whose message it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Traffic {
    /// A relocation's, with the tag by which the caller knows the message.
    Relocation(u32),
    /// Of another user of the link, with its number among all messages of the run.
    Other(u64),
}

/// A message whose protocol exchange has begun, and when its transfer begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Begun {
    pub message: u32,
    pub transfer_at: Instant,
}

/// What the end of a transfer brings, besides the messages that have arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    /// The message that takes the CTC.
    pub begun: Option<Begun>,
    /// The next end on the chpid.
    pub next_end: Option<NextEnd>,
}

/// How far a message has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It waits for a CTC.
    Waiting,
    Protocol,
    Transfer,
    /// It has reached the other end and waits there for a message that was sent earlier.
    Early,
}

/// A message that has been sent and has not arrived.
#[derive(Clone, Copy, Debug)]
struct Message {
    traffic: Traffic,
    bytes: u64,
    /// The chpid that carries it, and the CTC, from its protocol exchange on.
    chpid: u16,
    ctc: u16,
    stage: Stage,
    /// When the stage began, and when it ends if that is known.
    since: Instant,
    until: Instant,
}

/// What has been sent, what has arrived, what was lost; the sums of all messages so far.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    sent_bytes: u64,
    lost_bytes: u64,
    /// Bytes that arrived.
    bytes: u64,
    other_bytes: u64,
    other_messages: u64,
}

/// One direction of a logical link.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    from: u32,
    to: u32,
    up: bool,
    /// What one write to a CTC carries.
    block_bytes: u64,
    /// Mean time of a write during which others can use the chpid.
    protocol_ns: f64,
    /// How much that time varies, as a part of it.
    protocol_varies: f64,
    protocol: Generator,
    chpids: Vec<Chpid>,
    buffers: u32,
    buffers_used: TimeWeighted,
    /// The messages that have not arrived, in the order in which they were sent.
    messages: VecDeque<Message>,
    /// The number of the first of `messages`. Messages are numbered in the order in which they are sent, and no number is
    /// used twice: an announcement for a lost message never meets another one.
    first: u32,
    /// How many of `messages` have begun. These are the first ones; the others wait for a CTC behind them.
    begun: u32,
    /// Messages of other traffic that wait for a CTC.
    others_waiting: TimeWeighted,
    totals: Totals,
}

impl Link {
    pub fn new(isfc: &Isfc, from: u32, to: u32, constants: &Constants, seed: u64) -> Self {
        let ns_per_byte = constants.isfc_ns_per_byte;
        Link {
            from,
            to,
            up: true,
            block_bytes: constants.isfc_block_bytes,
            protocol_ns: constants.isfc_protocol_ns,
            protocol_varies: constants.isfc_protocol_varies,
            protocol: Generator::new(seed, &format!("ISFC protocol {from} {to}")),
            chpids: isfc.chpids().into_iter().map(|(speed, ctcs)| Chpid::new(speed.gb_s(), ctcs, ns_per_byte)).collect(),
            buffers: isfc.buffers,
            buffers_used: TimeWeighted::default(),
            messages: VecDeque::new(),
            first: 0,
            begun: 0,
            others_waiting: TimeWeighted::default(),
            totals: Totals::default(),
        }
    }

    /// Takes a buffer for a message; `false` if none is left, or the connection is lost.
    pub fn take_buffer(&mut self, now: Instant) -> bool {
        let may = self.up && self.buffers_free() > 0;
        if may {
            self.buffers_used.set(now, self.buffers_used.value() + 1);
        }
        may
    }

    /// Gives back a buffer that was taken over the present connection.
    pub fn give_buffer(&mut self, now: Instant) {
        let left = self.buffers_used.value().checked_sub(1).expect("a buffer is given back that was taken");
        self.buffers_used.set(now, left);
    }

    pub fn buffers_free(&self) -> u32 {
        self.buffers - self.buffers_used.value() as u32
    }

    /// Sends a message of `bytes`. It begins its protocol exchange if a CTC is free, and waits otherwise. If the connection
    /// is lost, so is the message.
    pub fn send(&mut self, now: Instant, traffic: Traffic, bytes: u64) -> Option<Begun> {
        self.totals.sent_bytes += bytes;
        if !self.up {
            self.totals.lost_bytes += bytes;
            return None;
        }
        self.messages.push_back(Message { traffic, bytes, chpid: 0, ctc: 0, stage: Stage::Waiting, since: now, until: now });
        self.count_waiting(now, traffic, 1);
        self.begin_next(now)
    }

    /// Begins the message that has waited longest, if there is one and a CTC is free.
    fn begin_next(&mut self, now: Instant) -> Option<Begun> {
        let place = self.begun;
        let message = self.messages.get_mut(place as usize)?;
        let chpid = chpid::choose(&self.chpids)?;
        (message.chpid, message.ctc) = (chpid, self.chpids[chpid as usize].take_ctc());
        let Message { traffic, bytes, .. } = *message;
        self.begun += 1;
        self.count_waiting(now, traffic, -1);
        let writes = bytes.div_ceil(self.block_bytes);
        let least = 1.0 - self.protocol_varies;
        let factor = least + 2.0 * self.protocol_varies * self.protocol.unit();
        let protocol = Span::from_ns_f64(self.protocol_ns * writes as f64 * factor);
        let transfer_at = now + protocol;
        if let Some(message) = self.messages.get_mut(place as usize) {
            message.enter(Stage::Protocol, now, transfer_at);
        }
        Some(Begun { message: self.first.wrapping_add(place), transfer_at })
    }

    /// The protocol exchange of `message` is over and its transfer begins. Returns its chpid, and when the next transfer on
    /// that chpid ends. `None` if the message was lost.
    pub fn begin_transfer(&mut self, now: Instant, message: u32) -> Option<(u16, NextEnd)> {
        let place = message.wrapping_sub(self.first);
        let known = self.messages.get_mut(place as usize).filter(|known| known.stage == Stage::Protocol)?;
        known.enter(Stage::Transfer, now, now);
        let chpid = known.chpid;
        Some((chpid, self.chpids[chpid as usize].join(now, message, known.bytes)))
    }

    /// Ends the transfer that `chpid` announced; `None` if the announcement is void. Adds to `arrived` the messages that can
    /// be delivered now, in the order in which they were sent.
    pub fn end_transfer(&mut self, now: Instant, chpid: u16, generation: u32, arrived: &mut Vec<Traffic>) -> Option<Ended> {
        let carrier = &mut self.chpids[chpid as usize];
        let (ended, next_end) = carrier.end(now, generation)?;
        let message = &mut self.messages[ended.wrapping_sub(self.first) as usize];
        message.enter(Stage::Early, now, now);
        carrier.free_ctc(message.ctc, message.bytes);
        while let Some(message) = self.messages.pop_front_if(|message| message.stage == Stage::Early) {
            self.first = self.first.wrapping_add(1);
            self.begun -= 1;
            self.totals.count(&message);
            arrived.push(message.traffic);
        }
        Some(Ended { begun: self.begin_next(now), next_end })
    }

    /// The connection is lost: messages under way are gone, all buffers are free, and all announcements are void.
    pub fn lose(&mut self, now: Instant) {
        self.up = false;
        self.totals.lost_bytes += self.messages.iter().map(|message| message.bytes).sum::<u64>();
        self.first = self.first.wrapping_add(self.messages.len() as u32);
        self.begun = 0;
        self.messages.clear();
        self.buffers_used.set(now, 0);
        self.others_waiting.set(now, 0);
        self.chpids.iter_mut().for_each(|chpid| chpid.lose(now));
    }

    /// The connection stands again. Whatever was under way is still lost.
    pub fn restore(&mut self) {
        self.up = true;
    }

    pub fn is_up(&self) -> bool {
        self.up
    }

    fn count_waiting(&mut self, now: Instant, traffic: Traffic, change: i64) {
        if matches!(traffic, Traffic::Other(_)) {
            self.others_waiting.set(now, self.others_waiting.value().saturating_add_signed(change));
        }
    }

    pub fn snapshot(&self, now: Instant) -> LinkSnapshot {
        LinkSnapshot {
            from: self.from,
            to: self.to,
            up: self.up,
            capacity_factor: self.chpids.iter().map(|chpid| chpid.gb_s).sum(),
            buffers: self.buffers,
            buffers_used: self.buffers_used.value() as u32,
            buffers_ns: self.buffers_used.area_at(now),
            bytes: self.totals.bytes,
            other_bytes: self.totals.other_bytes,
            other_waited_ns: self.others_waiting.area_at(now),
            other_messages: self.totals.other_messages,
            chpids: self.chpids.iter().map(|chpid| chpid.snapshot(now)).collect(),
            ..LinkSnapshot::default()
        }
    }

    /// Each message on the link, in the order in which they were sent, with whose it is. Who sends knows what it carries.
    pub fn messages(&self, now: Instant) -> impl Iterator<Item = (Traffic, MessageSnapshot)> {
        self.messages.iter().zip(0u32..).map(move |(message, place)| {
            let carrier = &self.chpids[message.chpid as usize];
            let left = match message.stage {
                Stage::Transfer => carrier.left(now, self.first.wrapping_add(place), message.bytes),
                _ => None,
            };
            let seen = MessageSnapshot {
                bytes: message.bytes,
                stage: match message.stage {
                    Stage::Waiting => MessageStage::Waiting,
                    Stage::Protocol => MessageStage::Protocol,
                    Stage::Transfer => MessageStage::Transfer,
                    Stage::Early => MessageStage::Early,
                },
                since_ns: message.since.0,
                until_ns: left.map_or(message.until, |(_, until)| until).0,
                done_ppm: left.map_or(0, |(done_ppm, _)| done_ppm),
                chpid: (message.stage != Stage::Waiting).then_some(message.chpid.into()),
                ctc: message.is_carried().then_some(message.ctc.into()),
                ..MessageSnapshot::default()
            };
            (message.traffic, seen)
        })
    }

    /// Checks the order of the messages, the CTCs that carry them and the buffers, and that no byte is made or lost unseen.
    pub fn verify(&self) {
        let count = |stage: Stage| self.messages.iter().filter(|message| message.stage == stage).count() as u32;
        assert!(self.up || self.messages.is_empty(), "a lost connection carries nothing");
        assert!(self.buffers_used.value() <= u64::from(self.buffers), "no more buffers are taken than there are");
        assert_eq!(self.begun + count(Stage::Waiting), self.messages.len() as u32, "who waits stands behind who has begun");
        let waits = |message: &Message| message.stage == Stage::Waiting;
        assert!(self.messages.iter().skip(self.begun as usize).all(waits), "messages begin in their order");
        let idle = self.chpids.iter().any(Chpid::has_free_ctc);
        assert!(self.messages.len() as u32 == self.begun || !idle, "a message waits while a CTC is free");
        assert!(
            self.messages.front().is_none_or(|first| first.stage != Stage::Early),
            "the first message waits for no other"
        );
        let others =
            self.messages.iter().filter(|message| waits(message) && matches!(message.traffic, Traffic::Other(_))).count();
        assert_eq!(self.others_waiting.value(), others as u64, "the messages of others that wait are counted");
        for (index, chpid) in (0u16..).zip(&self.chpids) {
            let on_it = |stage: Stage| self.messages.iter().filter(|m| m.chpid == index && m.stage == stage).count() as u32;
            assert_eq!(chpid.transfers(), on_it(Stage::Transfer), "who transfers is on its chpid");
            assert_eq!(chpid.ctcs_busy, on_it(Stage::Protocol) + on_it(Stage::Transfer), "a busy CTC carries a message");
            assert!(chpid.ctcs_busy <= chpid.ctcs, "no more CTCs are busy than there are");
            let carried = self.messages.iter().filter(|m| m.chpid == index).filter(|m| m.is_carried());
            let ctcs: std::collections::BTreeSet<u16> = carried.map(|message| message.ctc).collect();
            assert_eq!(ctcs.len() as u32, chpid.ctcs_busy, "a CTC carries one message");
            assert!(ctcs.iter().all(|&ctc| chpid.is_busy(ctc)), "and is busy with it");
        }
        let under_way: u64 = self.messages.iter().map(|message| message.bytes).sum();
        let Totals { sent_bytes, lost_bytes, bytes, .. } = self.totals;
        assert_eq!(sent_bytes, bytes + lost_bytes + under_way, "every byte is under way, has arrived once, or is lost");
    }
}

impl Message {
    /// A stage begins.
    fn enter(&mut self, stage: Stage, now: Instant, until: Instant) {
        (self.stage, self.since, self.until) = (stage, now, until);
    }

    /// Whether a CTC carries it.
    fn is_carried(&self) -> bool {
        matches!(self.stage, Stage::Protocol | Stage::Transfer)
    }
}

impl Totals {
    /// `message` has arrived.
    fn count(&mut self, message: &Message) {
        self.bytes += message.bytes;
        if matches!(message.traffic, Traffic::Other(_)) {
            self.other_bytes += message.bytes;
            self.other_messages += 1;
        }
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod laws;
#[cfg(test)]
mod tests;
