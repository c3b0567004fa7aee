//! CP asks for contiguous frames, as it needs them for control blocks and buffers of more than a page, and gives them back.
//!
//! How often it does, and for how many, the scenario says; requests come at random moments. Assumed: a block is kept for a second on
//! average; to look at a frame takes CP as long as when it reorders one. While CP still looks, a request that finds no block makes it
//! look no second time.

use super::{Event, Member};
use crate::dispatcher::Task;
use crate::kernel::rng::Generator;
use crate::kernel::time::Span;
use crate::scenario::Scenario;

/// When CP asks for contiguous frames, and for how long it keeps them.
#[derive(Clone, Debug)]
pub(super) struct Requests {
    /// Mean time between two requests, ns; none where there are no requests.
    between_ns: Option<f64>,
    moments: Generator,
    /// CP time for frames that it looked at to find contiguous ones, once it is spent.
    pub looked: Span,
    /// Whether CP is looking.
    looks: bool,
}

impl Requests {
    /// Those of a host.
    pub fn new(scenario: &Scenario, seed: u64) -> Self {
        let rate = f64::from(scenario.storage.contiguous_rate);
        Requests {
            between_ns: (rate > 0.0).then(|| 1e9 / rate),
            moments: Generator::new(seed, "requests for contiguous frames"),
            looked: Span::ZERO,
            looks: false,
        }
    }
}

impl Member {
    /// CP's next request for contiguous frames, if it makes any.
    pub(super) fn request_block_later(&mut self) {
        let Some(mean) = self.requests.between_ns else { return };
        let wait = Span::from_ns_f64(self.requests.moments.exponential(mean));
        self.agenda.schedule(self.agenda.now() + wait, Event::BlockRequested);
    }

    /// CP asks for contiguous frames.
    pub(super) fn request_block(&mut self) {
        let block = self.storage.request_block(!self.requests.looks);
        let looked_at = self.storage.looked_at_to_coalesce();
        if looked_at > 0 {
            self.requests.looks = true;
            let time = Span::from_ns_f64(looked_at as f64 * self.constants.look_ns);
            self.dispatcher.cp_work(Task::Coalesce { time });
        }
        if let Some(block) = block {
            let keeps = Span::from_ns_f64(self.requests.moments.exponential(self.constants.contiguous_ns));
            self.agenda.schedule(self.agenda.now() + keeps, Event::BlockEnds { block });
            self.replenish();
        }
        self.request_block_later();
    }

    /// CP has looked through free frames.
    pub(super) fn end_coalescing(&mut self, time: Span) {
        self.requests.looked += time;
        self.requests.looks = false;
    }

    /// CP gives contiguous frames back.
    pub(super) fn end_block(&mut self, block: u32) {
        self.storage.end_block(block);
        self.serve_frame_waiters();
    }
}
