//! The live run: driven by the page's clock, computed by its own worker.

use gloo_timers::callback::Timeout;

use super::App;
use crate::msg::Msg;
use crate::page;
use crate::workers::{Heard, Helper};
use zvmlab_lab::bench::live::Phase;
use zvmlab_lab::worker::wire::{Answer, Job};

/// Wall time from one job of the live run to the next.
const TICK_MS: f64 = 50.0;
/// The same for readers who asked for less that moves.
const CALM_TICK_MS: f64 = 500.0;

impl App {
    /// Starts the live run, lets it go on, or pauses it.
    pub(super) fn toggle_run(&mut self) {
        let running = !self.live.running;
        self.set_running(running);
    }

    /// Lets the live run go on, or stand.
    pub(super) fn set_running(&mut self, running: bool) {
        if running && !self.ensure_live() {
            return;
        }
        self.live.set_running(running, page::now_ms());
        self.drive();
    }

    /// One event further.
    pub(super) fn step(&mut self) {
        self.take_step();
    }

    /// The same; returns the step's number, where there can be a step.
    pub(super) fn take_step(&mut self) -> Option<u64> {
        if !self.ensure_live() {
            return None;
        }
        let step = self.live.step();
        self.drive();
        Some(step)
    }

    /// Ends the live run; the charts show the settled experiment again.
    pub(super) fn end_live(&mut self) {
        self.live.end();
        self.tick = None;
        // The worker goes too: its simulation may be large. What it has said meanwhile is not heard any more.
        self.runner = None;
        self.runner_number += 1;
        self.tell_steps();
    }

    /// What the knobs say has changed: a live run starts anew with it, once nothing is being dragged.
    pub(super) fn follow(&mut self) {
        if self.live.phase == Phase::Off || self.bench.is_turning() || !self.bench.problems.is_empty() {
            return;
        }
        if self.live.is_of(&self.bench.scenario, self.bench.seed) {
            return;
        }
        let running = self.live.running;
        self.live.start(self.bench.scenario.clone(), self.bench.seed);
        self.live.set_running(running, page::now_ms());
        self.drive();
        self.tell_steps();
    }

    /// Makes sure that there is a live run; `false` where there cannot be one.
    fn ensure_live(&mut self) -> bool {
        // Also one that is under way waits until the knobs say something that can be run: it is to follow them.
        if !self.bench.problems.is_empty() {
            return false;
        }
        if matches!(self.live.phase, Phase::Filling | Phase::Ready) {
            return true;
        }
        if self.runner.is_none() {
            self.runner_number += 1;
            let number = self.runner_number;
            match Helper::start(self.place, self.on.reform(move |heard| Msg::HearLive(number, heard))) {
                Ok(helper) => self.runner = Some(helper),
                Err(reason) => {
                    self.failed(reason);
                    return false;
                }
            }
            self.live.forget_question();
        }
        self.live.start(self.bench.scenario.clone(), self.bench.seed);
        true
    }

    /// Gives the worker what is due.
    pub(super) fn drive(&mut self) {
        self.tick = None;
        if let Some(helper) = &self.runner
            && let Some(job) = self.live.next_job(page::now_ms())
        {
            helper.post(&Job::Live(job));
        }
    }

    /// The worker of the live run has said something.
    pub(super) fn hear_live(&mut self, heard: Heard) {
        let asked_ms = self.live.asked_ms();
        match heard {
            Heard::Answer(Answer::Live(report)) => self.live.heard(*report, page::now_ms()),
            Heard::Answer(Answer::Refused(reason)) => {
                self.end_live();
                self.failed(reason);
            }
            Heard::Answer(_) => {}
            Heard::Failed(reason) => {
                self.end_live();
                self.failed(reason);
            }
        }
        self.tell_steps();
        if !self.live.wants_more() {
            return;
        }
        // The fill, and a step, are to be over soon; the run keeps the pace of its picture.
        let pace_ms = match (self.live.phase, page::prefers_less_motion()) {
            (Phase::Ready, false) => TICK_MS,
            (Phase::Ready, true) => CALM_TICK_MS,
            _ => 0.0,
        };
        let wait_ms = (asked_ms + pace_ms - page::now_ms()).max(0.0);
        let on = self.on.clone();
        self.tick = Some(Timeout::new(wait_ms as u32, move || on.emit(Msg::Tick)));
    }
}
