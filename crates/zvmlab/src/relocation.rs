//! A relocation: its stages and passes, when it stops the guest, what holds it back, how it ends. It calls nobody and moves
//! nothing. The simulation tells it what happened and does what it answers.
//!
//! Assumed, as nothing is published: CP stops the guest as soon as it estimates that the rest takes no longer than a goal,
//! but never before a pass that sends pages again. CP also stops the guest when only the two passes with a stopped guest are
//! left of the most that are allowed. It does not matter whether a pass sends less than the one before: the deck's busy
//! guest has eight passes, though each of them finds about the same to send.

use crate::kernel::time::{Instant, Span};
use crate::scenario::Scenario;
use crate::snapshot::{EndCode, PassSnapshot, RelocationSnapshot, RelocationStage, StaySnapshot, Throttle};

/// Passes with the guest stopped: the last two.
const PASSES_STOPPED: u32 = 2;

/// The rules for all relocations of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rules {
    /// After one pass the guest is stopped.
    pub immediate: bool,
    /// The longest time for which the guest may be stopped.
    pub quiesce_limit: Option<Span>,
    /// The longest time that the relocation may take.
    pub total_limit: Option<Span>,
    /// Most passes.
    pub passes_max: u32,
    /// The guest is stopped once the rest takes no longer than this.
    pub goal: Span,
    /// It holds back while this many paging I/Os wait for each volume; none means never.
    pub paging_queue_max: Option<f64>,
    /// It holds back while this many of its messages wait for frames.
    pub waiting_max: u32,
}

impl Rules {
    /// The rules that a scenario gives.
    pub fn of(scenario: &Scenario) -> Rules {
        let relocation = &scenario.relocation;
        Rules {
            immediate: relocation.immediate,
            quiesce_limit: relocation.quiesce_limit_s().map(|s| Span::from_secs(s.into())),
            total_limit: relocation.total_limit_s().map(|s| Span::from_secs(s.into())),
            passes_max: relocation.passes_max,
            goal: Span::from_millis(relocation.goal_ms.into()),
            paging_queue_max: (relocation.throttle_paging > 0).then_some(relocation.throttle_paging.into()),
            waiting_max: relocation.throttle_endpoint,
        }
    }
}

/// What comes after a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Another pass with the guest running.
    Pass,
    /// The guest is stopped.
    Stop,
    /// Nothing until the rest of the stage is done.
    Wait,
    /// The guest goes on at the destination.
    Complete,
}

/// A relocation.
#[derive(Clone, Debug)]
pub(crate) struct Relocation {
    pub guest: u32,
    pub from: u32,
    pub to: u32,
    stage: RelocationStage,
    stages: Vec<(RelocationStage, u64)>,
    passes: Vec<PassSnapshot>,
    end: Option<EndCode>,
    began: Option<Instant>,
    stopped: Option<Instant>,
    started: Option<Instant>,
    ended: Option<Instant>,
    /// Whether the guest's state and its I/O configuration have been moved.
    state_moved: bool,
    /// Pages that the present pass has collected from each piece of the guest's storage.
    of_pass: Vec<u32>,
    /// Where the present pass is: the next word, and whether the pass has reached the end.
    pub position: u32,
    pub through: bool,
    /// Whether CP is collecting pages now.
    pub collecting: bool,
    /// Messages collected and not stored yet.
    pub outstanding: u32,
    /// How many of those wait for frames at the destination.
    pub waiting_for_frames: u32,
    /// When that number last changed, and its integral over time.
    frames_since: Instant,
    frame_wait_ns: u64,
    /// Reads under way at the source, and the page from which on to ask for the next.
    pub reads: u32,
    pub read_from: u64,
    /// What holds it back, and since when.
    held: Option<(Throttle, Instant)>,
    throttled: [Span; 3],
    /// Whether it has held back for heavy paging and may now send one message, however heavy paging is.
    pub excused: bool,
    /// Counts announcements, so that earlier ones are void.
    pub generation: u32,
    touched_pages: u64,
    /// The guest's steal up to the beginning of the present pass.
    steal_before: Span,
    pages_read: u64,
    cpu_ns: [f64; 2],
    /// The guest's stay before it.
    pub before: Option<StaySnapshot>,
    /// The guest's stay after it, once that is over.
    pub after: Option<StaySnapshot>,
}

impl Relocation {
    /// A relocation that nobody has asked for yet.
    pub fn new(guest: u32, from: u32, to: u32) -> Self {
        Relocation {
            guest,
            from,
            to,
            stage: RelocationStage::Waiting,
            stages: Vec::new(),
            passes: Vec::new(),
            end: None,
            began: None,
            stopped: None,
            started: None,
            ended: None,
            state_moved: false,
            of_pass: Vec::new(),
            position: 0,
            through: true,
            collecting: false,
            outstanding: 0,
            waiting_for_frames: 0,
            frames_since: Instant::ZERO,
            frame_wait_ns: 0,
            reads: 0,
            read_from: 0,
            held: None,
            throttled: [Span::ZERO; 3],
            excused: false,
            generation: 0,
            touched_pages: 0,
            steal_before: Span::ZERO,
            pages_read: 0,
            cpu_ns: [0.0; 2],
            before: None,
            after: None,
        }
    }

    /// VMRELOCATE is issued: eligibility is checked first.
    pub fn begin(&mut self, now: Instant) {
        self.began = Some(now);
        self.enter(now, RelocationStage::Eligibility);
    }

    /// A stage begins. Each stage begins only once.
    pub fn enter(&mut self, now: Instant, stage: RelocationStage) {
        assert!(stage > self.stage, "a relocation goes from stage to stage and never back");
        self.stage = stage;
        self.stages.push((stage, now.0));
        if stage == RelocationStage::Stopping {
            self.stopped = Some(now);
        }
    }

    pub fn stage(&self) -> RelocationStage {
        self.stage
    }

    /// Whether it has been asked for and has not ended.
    pub fn is_under_way(&self) -> bool {
        self.began.is_some() && self.end.is_none()
    }

    /// Whether the guest is stopped or being stopped.
    pub fn is_stopped(&self) -> bool {
        self.stopped.is_some() && self.started.is_none()
    }

    /// Whether a pass is under way that may collect pages.
    pub fn may_collect(&self) -> bool {
        let moving = matches!(self.stage, RelocationStage::Moving | RelocationStage::StateMove | RelocationStage::LastPass);
        moving && !self.collecting && !self.through
    }

    /// Whether the pass under way is the first.
    pub fn in_first_pass(&self) -> bool {
        self.passes.len() == 1
    }

    /// Whether a pass has begun and is not over.
    pub fn pass_under_way(&self) -> bool {
        self.passes.last().is_some_and(|pass| pass.ended_ns.is_none())
    }

    /// Whether everything of the present pass is done.
    pub fn pass_is_over(&self) -> bool {
        self.through && !self.collecting && self.outstanding == 0
    }

    /// A pass begins. The guest has touched `touched_pages` pages so far, and could have run for `steal` without doing so.
    pub fn begin_pass(&mut self, now: Instant, touched_pages: u64, steal: Span) {
        self.steal_before = steal;
        self.passes.push(PassSnapshot { began_ns: now.0, stopped: self.is_stopped(), ..PassSnapshot::default() });
        self.touched_pages = touched_pages;
        self.of_pass.clear();
        (self.position, self.through, self.read_from) = (0, false, 0);
    }

    /// CP has collected `pages` pages, `resent` of which were sent before. It took CP `ns` at the source.
    pub fn collected(&mut self, pages: u32, resent: u32, ns: f64) {
        let pass = self.passes.last_mut().expect("pages are collected in a pass");
        pass.pages += u64::from(pages);
        pass.resent += u64::from(resent);
        self.cpu_ns[0] += ns;
    }

    /// The pieces of the guest's storage from which the present pass has collected, with the pages of each.
    pub fn collected_from(&mut self, pieces: impl Iterator<Item = (usize, u32)>) {
        for (piece, pages) in pieces {
            if self.of_pass.len() <= piece {
                self.of_pass.resize(piece + 1, 0);
            }
            self.of_pass[piece] += pages;
        }
    }

    /// Pages that the present pass has collected from each piece, up to the last one that had any.
    pub fn of_pass(&self) -> &[u32] {
        &self.of_pass
    }

    /// The word that the first pass has come to, while that is under way.
    pub fn first_pass_at(&self) -> Option<u32> {
        (self.in_first_pass() && !self.through).then_some(self.position)
    }

    /// CP spends `ns` at the destination on storing pages.
    pub fn stores(&mut self, ns: f64) {
        self.cpu_ns[1] += ns;
    }

    /// The source has read `pages` pages from page space for it.
    pub fn has_read(&mut self, pages: u32) {
        self.pages_read += u64::from(pages);
    }

    /// Everything of the pass has arrived, and `changed_pages` pages were changed after they had been collected. `steal` is
    /// for how long the guest could have run so far without doing so. Returns what comes next.
    pub fn end_pass(&mut self, now: Instant, changed_pages: u64, steal: Span, rules: &Rules) -> Next {
        let pass = self.passes.last_mut().expect("a pass ends that began");
        (pass.ended_ns, pass.steal_ns) = (Some(now.0), (steal - self.steal_before).0);
        let (pages, time) = (pass.pages, now.0 - pass.began_ns);
        match self.stage {
            RelocationStage::Moving => self.after_running_pass(pages, time, changed_pages, rules),
            RelocationStage::StateMove if self.state_moved => Next::Pass,
            RelocationStage::StateMove => Next::Wait,
            _ => Next::Complete,
        }
    }

    /// What comes after a pass that sent `pages` pages in `time_ns`, with `left` pages still to send: another pass, or a
    /// stop.
    fn after_running_pass(&self, pages: u64, time_ns: u64, left: u64, rules: &Rules) -> Next {
        let done = self.passes.len() as u32;
        // Even a pass with nothing to send takes time to walk through the page tables.
        let takes_ns = time_ns as f64 / pages.max(1) as f64 * left as f64;
        let near = done > 1 && takes_ns <= rules.goal.0 as f64;
        match rules.immediate || near || done + PASSES_STOPPED >= rules.passes_max {
            true => Next::Stop,
            false => Next::Pass,
        }
    }

    /// The guest's state and its I/O configuration have been moved. Returns whether the last pass may begin.
    pub fn state_is_moved(&mut self) -> bool {
        self.state_moved = true;
        self.passes.last().is_some_and(|pass| pass.ended_ns.is_some())
    }

    /// Something holds it back from now on.
    pub fn hold(&mut self, now: Instant, throttle: Throttle) {
        self.go_on(now);
        self.held = Some((throttle, now));
    }

    /// Nothing holds it back any more.
    pub fn go_on(&mut self, now: Instant) {
        if let Some((throttle, since)) = self.held.take() {
            self.throttled[throttle as usize] += now.since(since);
        }
    }

    /// What holds it back.
    pub fn held_by(&self) -> Option<Throttle> {
        self.held.map(|(throttle, _)| throttle)
    }

    /// One more message waits for frames at the destination, or one fewer.
    pub fn waits_for_frames(&mut self, now: Instant, more: bool) {
        self.frame_wait_ns += now.since(self.frames_since).0 * u64::from(self.waiting_for_frames);
        self.frames_since = now;
        self.waiting_for_frames = if more { self.waiting_for_frames + 1 } else { self.waiting_for_frames - 1 };
    }

    /// It ends. A stopped guest goes on, unless it logs off.
    pub fn finish(&mut self, now: Instant, end: EndCode) {
        self.go_on(now);
        if self.is_stopped() && end != EndCode::Logoff {
            self.started = Some(now);
        }
        while self.waiting_for_frames > 0 {
            self.waits_for_frames(now, false);
        }
        (self.end, self.ended) = (Some(end), Some(now));
        self.of_pass = Vec::new();
        self.generation += 1;
        (self.through, self.collecting, self.outstanding, self.reads) = (true, false, 0, 0);
        self.enter(now, RelocationStage::Ended);
    }

    /// How it ended, if it has.
    pub fn end(&self) -> Option<EndCode> {
        self.end
    }

    /// Pages that have been sent for the first time.
    pub fn first_sent(&self) -> u64 {
        self.passes.iter().map(|pass| pass.pages - pass.resent).sum()
    }

    /// A snapshot of it. It leaves out the name, the tolerance and what is still to send.
    pub fn snapshot(&self, now: Instant) -> RelocationSnapshot {
        let mut throttled_ns = self.throttled.map(|span| span.0);
        if let Some((throttle, since)) = self.held {
            throttled_ns[throttle as usize] += now.since(since).0;
        }
        let ns = |instant: Option<Instant>| instant.map(|instant| instant.0);
        RelocationSnapshot {
            guest: self.guest,
            from: self.from,
            to: self.to,
            stage: self.stage,
            stages: self.stages.clone(),
            passes: self.passes.clone(),
            end: self.end,
            began_ns: ns(self.began),
            stopped_ns: ns(self.stopped),
            started_ns: ns(self.started),
            ended_ns: ns(self.ended),
            touched_pages: self.touched_pages,
            throttle: self.held_by(),
            throttled_ns,
            pages_read: self.pages_read,
            frame_wait_ns: self.frame_wait_ns + now.since(self.frames_since).0 * u64::from(self.waiting_for_frames),
            cpu_ns: self.cpu_ns.map(|ns| ns as u64),
            before: self.before,
            after: self.after,
            ..RelocationSnapshot::default()
        }
    }
}
