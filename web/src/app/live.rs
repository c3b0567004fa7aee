//! The live run: driven by the page's clock, computed by its own worker.

use gloo_timers::callback::Timeout;

use super::App;
use crate::msg::Msg;
use crate::page;
use crate::workers::{self, Heard, Helper, Place};
use zvmlab_lab::bench::live::{Live, Phase};
use zvmlab_lab::machine::{Frame, watched_at};
use zvmlab_lab::worker::wire::{Answer, Job};

/// Wall time from one job of the live run to the next.
const TICK_MS: f64 = 50.0;
/// The same for readers who asked for less that moves.
const CALM_TICK_MS: f64 = 500.0;

/// Wall time from one drawing of the page to the next, while only the picture of the machine moves.
const REDRAWN_MS: f64 = 500.0;

/// The same, where charts follow the run: often enough for lines that grow, and seldom enough for a picture that moves evenly.
const CHARTED_MS: f64 = 250.0;

/// How long a live run waits for the first figures of an experiment with the same host, in milliseconds of wall time. Chosen: a picture
/// that follows a knob a little later is not noticed.
const GIVES_WAY_MS: u32 = 200;

/// Runs the live run.
pub struct Runner {
    /// The live run as the page knows it.
    pub live: Live,
    /// The worker, if there is a live run.
    pub helper: Option<Helper>,
    /// The worker's number. Messages of an earlier worker do not count.
    pub number: u64,
    /// Due when the worker is to get its next job.
    pub tick: Option<Timeout>,
    /// Whether it waits for the first figures of the experiment.
    gives_way: bool,
    /// Wall time at which the page was last drawn for it.
    drawn_ms: f64,
}

impl Runner {
    /// No live run yet.
    pub fn new() -> Runner {
        Runner { live: Live::new(), helper: None, number: 0, tick: None, gives_way: false, drawn_ms: 0.0 }
    }
}

impl App {
    /// Begins to run the host slowly, so that the machine moves, once its first result is there. Not in a frame of another
    /// page, which decides that itself, and not for readers who asked for less that moves.
    pub(super) fn watch(&mut self) {
        let here = matches!(self.place, Place::Workers) && !self.link.query.embed && !page::prefers_less_motion();
        if let Some(speed) = self.bench.settled.as_deref().map(watched_at).filter(|_| here) {
            (self.runner.live.speed, self.runner.live.warms_up, self.runner.live.unasked) = (speed, true, true);
            self.set_running(true);
        }
    }

    /// A host that is still shown unasked goes at its own speed, not at that of the host before.
    pub(super) fn watch_on(&mut self) {
        if self.runner.live.unasked
            && let Some(speed) = self.bench.settled.as_deref().map(watched_at)
        {
            self.runner.live.speed = speed;
        }
    }

    /// What the picture of the machine shows.
    pub(super) fn frame(&self) -> Option<Frame> {
        // A host that cannot be leaves the run of the one before as it is, and the picture with it.
        let runs = self.runner.live.experiment().filter(|_| !self.bench.problems.is_empty());
        let host = runs.unwrap_or((&self.bench.scenario, self.bench.seed));
        // As long as there is no result, an experiment that takes long shows its way.
        Frame::of(host, self.bench.settled.as_deref(), &self.runner.live).or_else(|| self.experimenter.frame.clone())
    }

    /// Starts the live run, continues it, or pauses it.
    pub(super) fn toggle_run(&mut self) {
        let running = !self.runner.live.running;
        self.runner.live.unasked = false;
        self.set_running(running);
    }

    /// Lets the live run go on, or stops it.
    pub(super) fn set_running(&mut self, running: bool) {
        if running && !self.ensure_live() {
            return;
        }
        self.runner.live.set_running(running, page::now_ms());
        self.drive();
    }

    /// Takes one more event.
    pub(super) fn step(&mut self) {
        self.take_step();
    }

    /// The same. Returns the step's number, if a step is possible.
    pub(super) fn take_step(&mut self) -> Option<u64> {
        if !self.ensure_live() {
            return None;
        }
        let step = self.runner.live.step();
        self.drive();
        Some(step)
    }

    /// Goes to an instant of the live run, which starts if there is none.
    pub(super) fn go_to_time(&mut self, at_ns: u64) {
        if self.ensure_live() {
            self.runner.live.unasked = false;
            self.runner.live.go_to(at_ns);
            self.drive();
        }
    }

    /// Ends the live run. The charts show the settled experiment again.
    pub(super) fn end_live(&mut self) {
        self.runner.live.end();
        self.runner.tick = None;
        // The worker ends too: its simulation may be large. Its last messages are ignored.
        self.runner.helper = None;
        self.runner.number += 1;
        self.tell_steps();
    }

    /// The knobs' scenario has changed. The live run starts anew with it, once nothing is being dragged.
    pub(super) fn follow(&mut self) {
        if self.runner.live.phase == Phase::Off || self.bench.is_turning() || !self.bench.problems.is_empty() {
            return;
        }
        if self.runner.live.is_of(&self.bench.scenario, self.bench.seed) {
            return;
        }
        let running = self.runner.live.running;
        self.runner.live.start(self.bench.scenario.clone(), self.bench.seed);
        self.runner.live.set_running(running, page::now_ms());
        if self.bench.queue.is_current_due() {
            // Two processors are enough for page and experiment, not for a picture that fills its own host beside them.
            let on = self.on.clone();
            self.runner.tick = Some(Timeout::new(GIVES_WAY_MS, move || on.emit(Msg::Tick)));
            self.runner.gives_way = true;
        } else {
            self.drive();
        }
        self.tell_steps();
    }

    /// The experiment has its first figures: a live run that waits for them begins.
    pub(super) fn follow_figures(&mut self) {
        if self.runner.gives_way {
            self.drive();
        }
    }

    /// Makes sure that there is a live run; `false` if there cannot be one.
    fn ensure_live(&mut self) -> bool {
        // A live run under way also waits until the knobs' scenario can be run, because it must follow the knobs.
        if !self.bench.problems.is_empty() {
            return false;
        }
        if matches!(self.runner.live.phase, Phase::Filling | Phase::Passing | Phase::Ready) {
            return true;
        }
        if self.runner.helper.is_none() {
            self.runner.number += 1;
            let number = self.runner.number;
            match Helper::start(self.place, self.on.reform(move |heard| Msg::HearLive(number, heard))) {
                Ok(helper) => self.runner.helper = Some(helper),
                Err(reason) => {
                    self.failed(reason);
                    return false;
                }
            }
            self.runner.live.forget_question();
        }
        self.runner.live.start(self.bench.scenario.clone(), self.bench.seed);
        true
    }

    /// Gives the worker its next job.
    pub(super) fn drive(&mut self) {
        (self.runner.tick, self.runner.gives_way) = (None, false);
        if let Some(helper) = &self.runner.helper
            && let Some(job) = self.runner.live.next_job(page::now_ms())
        {
            helper.post(&Job::Live(job));
        }
    }

    /// The live run is due. The page looks the same.
    pub(super) fn tick(&mut self) -> bool {
        self.drive();
        false
    }

    /// The worker of the live run with this number has a message. Returns whether the page is to be drawn for it: while the run
    /// goes on, the picture of the machine alone follows each message.
    pub(super) fn hear_live_of(&mut self, number: u64, heard: Heard) -> bool {
        if number != self.runner.number {
            return false;
        }
        let phase = self.runner.live.phase;
        self.hear_live(heard);
        let now_ms = page::now_ms();
        let live = &self.runner.live;
        let runs = live.running && live.phase == Phase::Ready;
        let drawn_each_ms = if live.is_charted() { CHARTED_MS } else { REDRAWN_MS };
        // On the way to the instant that was asked for, no more than now and then either.
        let may_wait = live.phase == phase && (runs || phase == Phase::Passing);
        if may_wait && now_ms - self.runner.drawn_ms < drawn_each_ms {
            if let Some(frame) = self.frame().filter(|_| runs) {
                self.feed.tell(frame);
            }
            return false;
        }
        self.runner.drawn_ms = now_ms;
        true
    }

    fn hear_live(&mut self, heard: Heard) {
        let asked_ms = self.runner.live.asked_ms();
        let failed = match heard {
            Heard::Answer(Answer::Live(report)) => {
                self.runner.live.heard(*report, page::now_ms()).err().map(workers::unread)
            }
            Heard::Answer(Answer::Refused(reason)) | Heard::Failed(reason) => Some(reason),
            Heard::Answer(_) => None,
        };
        if let Some(reason) = failed {
            self.end_live();
            self.failed(reason);
        }
        self.tell_steps();
        if !self.runner.live.wants_more() {
            return;
        }
        // The fill, and a step, should end soon. The run keeps the pace of its picture.
        let pace_ms = match (self.runner.live.phase, page::prefers_less_motion()) {
            (Phase::Ready, false) => TICK_MS,
            (Phase::Ready, true) => CALM_TICK_MS,
            _ => 0.0,
        };
        let wait_ms = (asked_ms + pace_ms - page::now_ms()).max(0.0);
        let on = self.on.clone();
        self.runner.tick = Some(Timeout::new(wait_ms as u32, move || on.emit(Msg::Tick)));
    }
}
