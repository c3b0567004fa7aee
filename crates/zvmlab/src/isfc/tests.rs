//! Tests of the link, driven by a queue of its own events.

use std::collections::BTreeMap;

use super::*;
use crate::kernel::queue::EventQueue;
use crate::scenario::Chpid as Speed;

/// A message of 256 pages.
pub(super) const MESSAGE_BYTES: u64 = 1 << 20;

/// What falls due in a rig.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Event {
    TransferBegins(u32),
    TransferEnds(u16, u32),
}

/// A link with a queue of its events.
pub(super) struct Rig {
    pub link: Link,
    pub now: Instant,
    pub arrived: Vec<Traffic>,
    queue: EventQueue<Event>,
    /// When the transfer of each message that has begun is due, by the number of the message.
    transfer_at: BTreeMap<u32, Instant>,
}

/// A link of these chpids: the speed of each in Gb/s, and its CTCs.
pub(super) fn isfc(chpids: &[(u32, u32)], buffers: u32) -> Isfc {
    let mut all = [(Speed::None, 4); 4];
    for (place, &(gb_s, ctcs)) in all.iter_mut().zip(chpids) {
        let speed = Speed::ALL.into_iter().find(|speed| speed.gb_s() == gb_s).expect("a speed that there is");
        *place = (speed, ctcs);
    }
    let [(chpid1, ctcs1), (chpid2, ctcs2), (chpid3, ctcs3), (chpid4, ctcs4)] = all;
    Isfc { chpid1, chpid2, chpid3, chpid4, ctcs1, ctcs2, ctcs3, ctcs4, buffers, ..Isfc::default() }
}

impl Rig {
    pub fn new(isfc: &Isfc) -> Self {
        let link = Link::new(isfc, 0, 1, &Constants::default(), 1);
        Rig { link, now: Instant::ZERO, arrived: Vec::new(), queue: EventQueue::new(), transfer_at: BTreeMap::new() }
    }

    pub fn send(&mut self, traffic: Traffic, bytes: u64) {
        let begun = self.link.send(self.now, traffic, bytes);
        self.announce(begun, None);
    }

    fn announce(&mut self, begun: Option<Begun>, end: Option<(u16, NextEnd)>) {
        if let Some(Begun { message, transfer_at }) = begun {
            self.transfer_at.insert(message, transfer_at);
            self.queue.schedule(transfer_at, Event::TransferBegins(message));
        }
        if let Some((chpid, NextEnd { at, generation })) = end {
            self.queue.schedule(at, Event::TransferEnds(chpid, generation));
        }
    }

    /// Handles the next event, if it is due by `until`.
    pub fn step(&mut self, until: Instant) -> bool {
        if self.queue.next_instant().is_none_or(|next| next > until) {
            self.now = self.now.max(until);
            return false;
        }
        let (at, event) = self.queue.pop().expect("an event is next");
        self.now = at;
        match event {
            Event::TransferBegins(message) => {
                let end = self.link.begin_transfer(at, message);
                let due = self.transfer_at.remove(&message);
                assert!(end.is_none() || due == Some(at), "a message transfers when it was announced");
                self.announce(None, end);
            }
            Event::TransferEnds(chpid, generation) => {
                if let Some(ended) = self.link.end_transfer(at, chpid, generation, &mut self.arrived) {
                    self.announce(ended.begun, ended.next_end.map(|next_end| (chpid, next_end)));
                }
            }
        }
        true
    }

    pub fn run_until(&mut self, until: Instant) {
        while self.step(until) {}
    }
}

/// MB/s of a link that always has something to send: each buffer that comes back is filled and sent at once.
fn saturated(chpids: &[(u32, u32)], buffers: u32) -> f64 {
    let mut rig = Rig::new(&isfc(chpids, buffers));
    let warm = Instant(2_000_000_000);
    let end = warm + Span::from_secs(20);
    rig.keep_busy(warm);
    let before = rig.link.snapshot(rig.now).bytes;
    rig.keep_busy(end);
    rig.link.verify();
    (rig.link.snapshot(rig.now).bytes - before) as f64 / 1e6 / end.since(warm).as_secs()
}

impl Rig {
    /// Fills and sends every buffer that is free, until `until`.
    fn keep_busy(&mut self, until: Instant) {
        loop {
            for _ in self.arrived.drain(..) {
                self.link.give_buffer(self.now);
            }
            while self.link.take_buffer(self.now) {
                self.send(Traffic::Relocation(0), MESSAGE_BYTES);
            }
            if !self.step(until) {
                return;
            }
        }
    }
}

/// Asserts that `rate` is `percent` of what `chpids` carry at most, within one per cent of that.
fn check_rate(chpids: &[(u32, u32)], rate: f64, percent: f64) {
    let factor: u32 = chpids.iter().map(|&(gb_s, _)| gb_s).sum();
    let found = rate / f64::from(factor); // 100 MB/s for each Gb/s.
    assert!((found - percent).abs() < 1.0, "{chpids:?}: {rate:.0} MB/s are {found:.1} %, not {percent} % of the most");
}

/// The configurations of the 6.2 deck, table 3, by falling capacity factor: 18, 10, 6, 4, 2.
const PUBLISHED: [&[(u32, u32)]; 5] =
    [&[(2, 4), (4, 4), (4, 4), (8, 4)], &[(2, 4), (4, 4), (4, 4)], &[(2, 4), (4, 4)], &[(4, 4)], &[(2, 4)]];

#[test]
fn the_rate_follows_the_capacity_factor() {
    let rates = PUBLISHED.map(|chpids| saturated(chpids, Isfc::default().buffers));
    // What is lost at 18 is lost on the chpid of 8 Gb, which four CTCs do not quite fill; see the next test.
    for ((chpids, rate), percent) in PUBLISHED.into_iter().zip(rates).zip([98.6, 99.8, 99.8, 99.6, 99.9]) {
        check_rate(chpids, rate, percent);
    }
    assert!(rates.is_sorted_by(|more, less| more > less), "{rates:?} fall with the factor");
}

/// MB/s of one chpid of 8 Gb with so many CTCs that always have a message: a closed network of a delay (the protocol
/// exchange) and a server under processor sharing, solved by mean value analysis (Reiser and Lavenberg 1980).
fn by_mean_value_analysis(ctcs: u32) -> f64 {
    let Constants { isfc_protocol_ns, isfc_block_bytes, isfc_ns_per_byte, .. } = Constants::default();
    let protocol_ns = isfc_protocol_ns * MESSAGE_BYTES.div_ceil(isfc_block_bytes) as f64;
    let transfer_ns = isfc_ns_per_byte / 8.0 * MESSAGE_BYTES as f64;
    let (mut queue, mut per_ns) = (0.0, 0.0);
    for customers in 1..=ctcs {
        let response_ns = transfer_ns * (1.0 + queue);
        per_ns = f64::from(customers) / (protocol_ns + response_ns);
        queue = per_ns * response_ns;
    }
    per_ns * MESSAGE_BYTES as f64 * 1e3
}

#[test]
fn few_ctcs_leave_a_fast_chpid_idle() {
    for (ctcs, percent) in [(1, 45.0), (2, 74.8), (3, 90.7), (4, 97.2), (8, 100.0)] {
        let chpids = [(8, ctcs)];
        let rate = saturated(&chpids, 64);
        check_rate(&chpids, rate, percent);
        check_rate(&chpids, by_mean_value_analysis(ctcs), percent);
    }
}

#[test]
fn unequal_chpids_need_more_buffers_than_equal_ones() {
    let (equal, unequal) = ([(4, 4); 4], [(1, 4), (1, 4), (8, 4), (8, 4)]);
    for (buffers, of_equal, of_unequal) in [(32, 99.7, 53.9), (64, 99.7, 94.1), (128, 99.7, 97.5)] {
        check_rate(&equal, saturated(&equal, buffers), of_equal);
        check_rate(&unequal, saturated(&unequal, buffers), of_unequal);
    }
}

#[test]
fn a_message_takes_the_ctc_whose_chpid_has_the_fewest_busy_for_its_speed() {
    let mut rig = Rig::new(&isfc(&[(2, 2), (4, 4), (8, 3)], 64));
    let busy = |rig: &Rig| rig.link.chpids.iter().map(|chpid| chpid.ctcs_busy).collect::<Vec<_>>();
    let expected =
        [[0, 0, 1], [0, 1, 1], [0, 1, 2], [0, 1, 3], [1, 1, 3], [1, 2, 3], [1, 3, 3], [2, 3, 3], [2, 4, 3], [2, 4, 3]];
    for (place, expected) in expected.into_iter().enumerate() {
        rig.send(Traffic::Relocation(place as u32), MESSAGE_BYTES);
        assert_eq!(busy(&rig), expected, "after message {place}");
        rig.link.verify();
    }
}

#[test]
fn messages_of_a_chpid_share_it_equally() {
    let mut rig = Rig::new(&isfc(&[(1, 2)], 64));
    let [first, second] =
        [0, 1].map(|tag| rig.link.send(Instant(0), Traffic::Relocation(tag), 1_000).expect("a CTC is free"));
    let (chpid, alone) = rig.link.begin_transfer(Instant(0), first.message).expect("it stands");
    assert_eq!((chpid, alone.at), (0, Instant(10_000)), "10 ns for each byte at 1 Gb/s");
    let (_, both) = rig.link.begin_transfer(Instant(4_000), second.message).expect("it stands");
    assert_eq!(both.at, Instant(16_000), "the first has 6 us of work left and gets a half");
    assert_eq!(rig.link.end_transfer(alone.at, 0, alone.generation, &mut rig.arrived), None, "that announcement is void");
    let ended = rig.link.end_transfer(both.at, 0, both.generation, &mut rig.arrived).expect("it stands");
    assert_eq!((ended.begun, ended.next_end.map(|next| next.at)), (None, Some(Instant(20_000))));
    assert_eq!(rig.arrived, [Traffic::Relocation(0)]);
    assert_eq!(rig.link.begin_transfer(both.at, second.message), None, "a transfer begins once");
}

#[test]
fn a_message_waits_for_those_sent_before_it() {
    let mut rig = Rig::new(&isfc(&[(8, 1), (1, 1)], 64));
    (0..4).for_each(|tag| rig.send(Traffic::Relocation(tag), MESSAGE_BYTES));
    // Messages 0, 2 and 3 go over 8 Gb, message 1 over 1 Gb. Message 1 takes 10.5 ms and an exchange of 0.8 to 2.4 ms. The
    // others take 1.3 ms and an exchange each, at most 11.2 ms for all three.
    rig.run_until(Instant(11_200_000));
    assert_eq!(rig.arrived, [Traffic::Relocation(0)]);
    let seen = rig.link.snapshot(rig.now);
    assert_eq!((seen.bytes, seen.chpids[0].bytes), (MESSAGE_BYTES, 3 * MESSAGE_BYTES), "two are early");
    rig.link.verify();
    rig.run_until(Instant(13_000_000));
    assert_eq!(rig.arrived, [0, 1, 2, 3].map(Traffic::Relocation));
}

#[test]
fn nothing_outlives_the_connection() {
    let mut rig = Rig::new(&isfc(&[(8, 2)], 4));
    assert!((0..4).all(|_| rig.link.take_buffer(rig.now)) && !rig.link.take_buffer(rig.now), "there are four");
    let begun = rig.link.send(rig.now, Traffic::Relocation(0), MESSAGE_BYTES).expect("a CTC is free");
    let other = rig.link.send(rig.now, Traffic::Relocation(1), MESSAGE_BYTES).expect("a CTC is free");
    let (chpid, end) = rig.link.begin_transfer(Instant(10), begun.message).expect("it stands");
    rig.link.lose(Instant(20));
    rig.link.verify();
    assert!(!rig.link.is_up());
    assert_eq!((rig.link.buffers_free(), rig.link.take_buffer(Instant(20))), (4, false), "all are free, and of no use");
    assert_eq!(rig.link.send(Instant(20), Traffic::Other(0), 1), None, "it goes nowhere");
    rig.link.restore();
    let new = [2, 3].map(|tag| rig.link.send(Instant(30), Traffic::Relocation(tag), MESSAGE_BYTES).expect("a CTC is free"));
    assert_eq!(rig.link.begin_transfer(Instant(40), other.message), None, "that message is gone");
    assert_eq!(rig.link.begin_transfer(Instant(40), begun.message), None, "and so is that one");
    let (_, new_end) = rig.link.begin_transfer(Instant(50), new[0].message).expect("it stands");
    assert_eq!(rig.link.end_transfer(end.at, chpid, end.generation, &mut rig.arrived), None, "so is that transfer");
    assert!(rig.link.end_transfer(new_end.at, chpid, new_end.generation, &mut rig.arrived).is_some());
    assert_eq!(rig.arrived, [Traffic::Relocation(2)]);
    assert_eq!(rig.link.snapshot(new_end.at).bytes, MESSAGE_BYTES);
    rig.link.verify();
}

#[test]
fn the_snapshot_tells_what_others_had_to_wait_for() {
    let mut rig = Rig::new(&isfc(&[(8, 1)], 4));
    assert!(rig.link.take_buffer(Instant(0)));
    rig.send(Traffic::Relocation(0), MESSAGE_BYTES);
    rig.send(Traffic::Other(0), 5_000);
    rig.run_until(Instant(500_000));
    assert_eq!(rig.link.snapshot(rig.now).other_waited_ns, 500_000, "so far");
    while rig.arrived.is_empty() {
        assert!(rig.step(Instant(1_000_000_000)), "it arrives");
    }
    rig.link.give_buffer(rig.now);
    let at = rig.now;
    rig.run_until(Instant(1_000_000_000));
    let seen = rig.link.snapshot(rig.now);
    assert_eq!((seen.other_waited_ns, seen.buffers_ns, seen.buffers_used), (at.0, at.0, 0));
    assert_eq!((seen.bytes, seen.other_bytes, seen.other_messages), (MESSAGE_BYTES + 5_000, 5_000, 1));
    assert_eq!(rig.arrived, [Traffic::Relocation(0), Traffic::Other(0)]);
}
