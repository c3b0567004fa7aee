//! A relocation: its stages and passes, when the guest is stopped, what holds it back, how it ends. It asks nobody and moves
//! nothing; whoever drives it tells it what happened and does what it answers.
//!
//! Not published, and assumed: the guest is stopped, after one pass at least in which pages were sent again, as soon as CP
//! reckons that what is left takes no longer than a goal; or when so many passes are done that the two with the guest stopped
//! are the last that a limit allows. Whether a pass sends less than the one before does not matter: the deck's busy guest has
//! eight passes though each of them finds about the same to send.

use crate::kernel::time::{Instant, Span};
use crate::scenario::Scenario;
use crate::snapshot::{EndCode, PassSnapshot, RelocationSnapshot, RelocationStage, Throttle};

/// Passes with the guest stopped: the last two.
const PASSES_STOPPED: u32 = 2;

/// What decides, for all relocations of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rules {
    /// One pass, then the guest is stopped.
    pub immediate: bool,
    /// The longest time for which the guest may be stopped.
    pub quiesce_limit: Option<Span>,
    /// The longest time that it may take.
    pub total_limit: Option<Span>,
    /// Most passes.
    pub passes_max: u32,
    /// The guest is stopped when what is left takes no longer than this.
    pub goal: Span,
    /// Waiting paging I/Os of a volume at which it holds back; none: never.
    pub paging_queue_max: Option<f64>,
    /// Messages that wait for frames at which it holds back.
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
    /// Nothing before the rest of the stage is done.
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
    /// Where the pass under way stands: the next word, and whether that is the end.
    pub position: u32,
    pub through: bool,
    /// Whether CP is collecting pages at this instant.
    pub collecting: bool,
    /// Messages that have been collected and are not stored yet.
    pub outstanding: u32,
    /// Of them, those that wait for frames at the destination.
    pub waiting_for_frames: u32,
    /// When that number last changed, and its integral over time.
    frames_since: Instant,
    frame_wait_ns: u64,
    /// Reads at the source that are under way, and the page from where on the next is asked for.
    pub reads: u32,
    pub read_from: u64,
    /// What holds it back, and since when.
    held: Option<(Throttle, Instant)>,
    throttled: [Span; 3],
    /// Whether it has held back for heavy paging and may send the next message whatever the paging.
    pub excused: bool,
    /// Counts what was announced: what was announced earlier is void.
    pub generation: u32,
    touched_pages: u64,
    pages_read: u64,
    cpu_ns: [f64; 2],
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
            pages_read: 0,
            cpu_ns: [0.0; 2],
        }
    }

    /// VMRELOCATE is issued: eligibility is checked first.
    pub fn begin(&mut self, now: Instant) {
        self.began = Some(now);
        self.enter(now, RelocationStage::Eligibility);
    }

    /// A stage begins. Each does so once.
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

    /// Whether a pass is under way and pages may be collected for it.
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

    /// Whether nothing of the pass under way is left.
    pub fn pass_is_over(&self) -> bool {
        self.through && !self.collecting && self.outstanding == 0
    }

    /// A pass begins; the guest has touched so many pages by then.
    pub fn begin_pass(&mut self, now: Instant, touched_pages: u64) {
        self.passes.push(PassSnapshot { began_ns: now.0, stopped: self.is_stopped(), ..PassSnapshot::default() });
        self.touched_pages = touched_pages;
        (self.position, self.through, self.read_from) = (0, false, 0);
    }

    /// Pages are collected, of which some were sent before; it took CP so long at the source.
    pub fn collected(&mut self, pages: u32, resent: u32, ns: f64) {
        let pass = self.passes.last_mut().expect("pages are collected in a pass");
        pass.pages += u64::from(pages);
        pass.resent += u64::from(resent);
        self.cpu_ns[0] += ns;
    }

    /// CP takes so long at the destination to store pages.
    pub fn stores(&mut self, ns: f64) {
        self.cpu_ns[1] += ns;
    }

    /// So many pages were read from page space for it at the source.
    pub fn has_read(&mut self, pages: u32) {
        self.pages_read += u64::from(pages);
    }

    /// Everything of the pass has arrived; what comes next, where so many pages were changed since they were collected.
    pub fn end_pass(&mut self, now: Instant, changed_pages: u64, rules: &Rules) -> Next {
        let pass = self.passes.last_mut().expect("a pass ends that began");
        pass.ended_ns = Some(now.0);
        let (pages, time) = (pass.pages, now.0 - pass.began_ns);
        match self.stage {
            RelocationStage::Moving => self.after_running_pass(pages, time, changed_pages, rules),
            RelocationStage::StateMove if self.state_moved => Next::Pass,
            RelocationStage::StateMove => Next::Wait,
            _ => Next::Complete,
        }
    }

    /// Whether the guest is stopped after a pass that sent so many pages in so many ns, where so many are left.
    fn after_running_pass(&self, pages: u64, time_ns: u64, left: u64, rules: &Rules) -> Next {
        let done = self.passes.len() as u32;
        // Walking through the page tables takes its time even where nothing is to be sent.
        let takes_ns = time_ns as f64 / pages.max(1) as f64 * left as f64;
        let near = done > 1 && takes_ns <= rules.goal.0 as f64;
        match rules.immediate || near || done + PASSES_STOPPED >= rules.passes_max {
            true => Next::Stop,
            false => Next::Pass,
        }
    }

    /// The guest's state and its I/O configuration have been moved; whether the last pass may begin.
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

    /// A message more, or one less, waits for frames at the destination.
    pub fn waits_for_frames(&mut self, now: Instant, more: bool) {
        self.frame_wait_ns += now.since(self.frames_since).0 * u64::from(self.waiting_for_frames);
        self.frames_since = now;
        self.waiting_for_frames = if more { self.waiting_for_frames + 1 } else { self.waiting_for_frames - 1 };
    }

    /// It ends; a guest that was stopped goes on, unless it logs off.
    pub fn finish(&mut self, now: Instant, end: EndCode) {
        self.go_on(now);
        if self.is_stopped() && end != EndCode::Logoff {
            self.started = Some(now);
        }
        while self.waiting_for_frames > 0 {
            self.waits_for_frames(now, false);
        }
        (self.end, self.ended) = (Some(end), Some(now));
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

    /// What is seen of it; name, tolerance and what is still to be sent are not filled in.
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
            ..RelocationSnapshot::default()
        }
    }
}
