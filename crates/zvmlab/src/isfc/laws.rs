//! The laws of the link under generated configurations and traffic, with the connection lost at any instant.

use std::collections::VecDeque;

use proptest::collection::vec;
use proptest::prelude::*;

use super::tests::{Rig, isfc};
use super::*;

/// What happens to a link.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// A message of a relocation, in a buffer if there is one.
    Relocation(u64),
    Other(u64),
    Lose,
    Restore,
}

/// What a link should do, worked out in the simplest way.
#[derive(Default)]
struct Expected {
    /// What has been sent over a connection that still stands, and has not arrived.
    under_way: VecDeque<(Traffic, u64)>,
    bytes: u64,
    other_bytes: u64,
    messages: u64,
    buffers_ns: u64,
    since: Instant,
    lost: bool,
}

fn chpids() -> impl Strategy<Value = Vec<(u32, u32)>> {
    vec((prop_oneof![Just(1u32), Just(2), Just(4), Just(8)], 1..=4u32), 1..=4)
}

/// Steps: how much time passes first, and what happens then.
fn acts() -> impl Strategy<Value = Vec<(u64, Act)>> {
    let span = prop_oneof![Just(0), 0..2_000_000u64, 0..20_000_000u64];
    let bytes = prop_oneof![Just(1 << 20), 1..1_048_576u64, 1..100_000u64];
    let act = prop_oneof![
        20 => bytes.clone().prop_map(Act::Relocation),
        10 => bytes.prop_map(Act::Other),
        1 => Just(Act::Lose),
        2 => Just(Act::Restore),
    ];
    vec((span, act), 1..200)
}

impl Expected {
    /// Takes the messages that have arrived and gives their buffers back.
    fn take_in(&mut self, rig: &mut Rig) {
        for arrived in std::mem::take(&mut rig.arrived) {
            let (traffic, bytes) = self.under_way.pop_front().expect("nothing arrives that is not under way");
            assert_eq!(arrived, traffic, "messages arrive once and in the order in which they were sent");
            self.bytes += bytes;
            self.messages += 1;
            match traffic {
                Traffic::Relocation(_) => rig.link.give_buffer(rig.now),
                Traffic::Other(_) => self.other_bytes += bytes,
            }
        }
    }

    /// Runs the link until `until`, checking each event.
    fn run(&mut self, rig: &mut Rig, until: Instant) {
        loop {
            let used = rig.link.buffers_used.value();
            let more = rig.step(until);
            self.buffers_ns += used * rig.now.since(self.since).0;
            self.since = rig.now;
            self.take_in(rig);
            rig.link.verify();
            if !more {
                return;
            }
        }
    }

    fn act(&mut self, rig: &mut Rig, tag: u32, act: Act) {
        let (traffic, bytes) = match act {
            Act::Relocation(bytes) if rig.link.take_buffer(rig.now) => (Traffic::Relocation(tag), bytes),
            Act::Relocation(_) => {
                let held = self.under_way.iter().filter(|(traffic, _)| !matches!(traffic, Traffic::Other(_))).count();
                assert!(!rig.link.is_up() || held as u32 == rig.link.buffers, "each buffer holds a message under way");
                return;
            }
            Act::Other(bytes) => (Traffic::Other(tag.into()), bytes),
            Act::Lose => {
                rig.link.lose(rig.now);
                self.under_way.clear();
                self.lost = true;
                assert_eq!(rig.link.buffers_free(), rig.link.buffers);
                return;
            }
            Act::Restore => return rig.link.restore(),
        };
        if rig.link.is_up() {
            self.under_way.push_back((traffic, bytes));
        }
        rig.send(traffic, bytes);
        rig.link.verify();
    }

    /// Everything is at the other end: the sums are those of what was sent.
    fn check_sums(&self, rig: &Rig) {
        assert!(self.under_way.is_empty(), "every message arrives in the end");
        let seen = rig.link.snapshot(rig.now);
        assert_eq!((seen.bytes, seen.other_bytes), (self.bytes, self.other_bytes));
        assert_eq!((seen.buffers_used, seen.buffers_ns), (0, self.buffers_ns));
        let carried: u64 = seen.chpids.iter().map(|chpid| chpid.bytes).sum();
        assert!(if self.lost { carried >= self.bytes } else { carried == self.bytes }, "what arrives is carried once");
        for chpid in &seen.chpids {
            assert!(chpid.busy_ns <= rig.now.0, "a chpid is busy no longer than there is time");
            // 10 ns for each byte at 1 Gb/s; each end falls due on the nanosecond after it.
            let work_ns = chpid.bytes as f64 * 10.0 / f64::from(chpid.gb_s);
            let over = chpid.busy_ns as f64 - work_ns;
            assert!(over > -1.0, "no chpid carries more than its speed");
            assert!(self.lost || over <= self.messages as f64 + 1.0, "a chpid that transfers does nothing else");
        }
    }
}

proptest! {
    #[test]
    fn no_sequence_breaks_a_law(chpids in chpids(), buffers in 1..80u32, acts in acts()) {
        let mut rig = Rig::new(&isfc(&chpids, buffers));
        let mut expected = Expected::default();
        for ((span, act), tag) in acts.into_iter().zip(0..) {
            let until = rig.now + Span(span);
            expected.run(&mut rig, until);
            expected.act(&mut rig, tag, act);
        }
        let until = rig.now + Span::from_secs(100);
        expected.run(&mut rig, until);
        expected.check_sums(&rig);
    }
}
