//! The live run, seen from the page: its speed, the worker's next job, and the samples. Knows no browser.
//!
//! The page turns wall time into simulated time. If the worker cannot keep up, the page skips time and does not catch up.

use std::rc::Rc;

use zvmlab::Scenario;

use crate::evidence::{History, Sample};
use crate::worker::wire::{End, LiveJob, LiveReport, Reached};

/// Speeds to choose from: simulated seconds for each second.
pub const SPEEDS: &[f64] = &[0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0];
/// Below this speed charts keep the settled interval: the live run passes a few milliseconds in the time that a reader watches, and a
/// chart of those shows nothing. The picture of the machine shows them.
const CHARTS_FROM: f64 = 0.01;
/// Samples that are kept: a minute at the usual pace.
const HISTORY_MAX: usize = 600;
/// Wall time between two samples, at any speed.
const SAMPLE_WALL_MS: f64 = 100.0;
/// Samples on the way to an instant that the reader asked for: enough for a chart.
const WAY_SAMPLES: u64 = 100;
/// How long after the fill the first instant is that one can go to: the picture needs a sample, and a sample needs some time.
const SEEN_FIRST_NS: u64 = 1_000_000;
/// Most wall time of one job, so that the worker soon hears a pause.
const BUDGET_MS: f64 = 40.0;
/// Longest wall time that one job makes up for.
const CATCH_UP_MAX_MS: f64 = 100.0;
/// Wall time over which the rate of events is counted.
const RATE_MS: f64 = 500.0;

/// What the live run is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// There is no live run.
    #[default]
    Off,
    /// The guests touch their storage for the first time.
    Filling,
    /// Time passes at full speed, up to the instant from which the reader watches.
    Passing,
    /// It can go on.
    Ready,
    /// No event is left.
    Ended,
}

/// The live run.
#[derive(Clone, Debug, Default)]
pub struct Live {
    /// What it is doing.
    pub phase: Phase,
    /// Whether it goes on by itself.
    pub running: bool,
    /// Simulated seconds for each second.
    pub speed: f64,
    /// Whether a run that starts passes the warm-up too, and not only the fill, before it keeps pace. Right after the fill a host
    /// does what it never does again.
    pub warms_up: bool,
    /// Whether nobody has asked for it: the page began it, so that the machine moves. Charts then keep the settled interval.
    pub unasked: bool,
    /// The part of the guests' loops that they have touched.
    pub fill: f64,
    /// The present state.
    pub at: Option<Reached>,
    /// The samples since the fill, oldest first.
    pub history: History,
    /// What the last single step changed, in words.
    pub stepped: Option<String>,
    /// Events handled for each second of wall time.
    pub events_per_s: f64,
    /// Simulated seconds for each second, as measured.
    pub real_speed: f64,
    /// Counts the starts: what was seen of one run is not taken for what is seen of another.
    pub run: u64,
    of: Option<(Scenario, u64)>,
    fresh: Option<(Scenario, u64)>,
    /// The instant from which the reader watches, in simulated nanoseconds, once the fill is over.
    watched_ns: Option<u64>,
    /// The instant that the reader asked for.
    wanted_ns: Option<u64>,
    /// Simulated time between samples on the way to that instant; 0 where the way is not charted.
    way_every_ns: u64,
    steps_wanted: u64,
    steps_done: u64,
    step_asked: bool,
    /// Whether the worker was asked for a sample of where the run stands, since it stopped.
    looked: bool,
    asked: bool,
    asked_ms: f64,
    counted: Counted,
    /// Where the samples arrive; a new one for each run.
    end: End,
}

/// Events since the rate was last calculated.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    since_ms: f64,
    events: u64,
    simulated_ns: u64,
}

impl Live {
    /// No live run, at the pace of real time.
    pub fn new() -> Live {
        Live { speed: 1.0, ..Live::default() }
    }

    /// Starts with this experiment, and stops after the fill.
    pub fn start(&mut self, scenario: Scenario, seed: u64) {
        let of = Some((scenario, seed));
        let (asked, warms_up, unasked) = (self.asked, self.warms_up, self.unasked);
        self.end();
        let fresh = of.clone();
        let run = self.run + 1;
        *self = Live { phase: Phase::Filling, of, fresh, run, asked, warms_up, unasked, ..std::mem::take(self) };
    }

    /// Whether charts show its history, and not the settled interval.
    pub fn is_charted(&self) -> bool {
        let is_slow = self.speed < CHARTS_FROM && self.stepped.is_none();
        self.phase != Phase::Off && !self.history.is_empty() && !self.unasked && !is_slow
    }

    /// Whether it is a run of this experiment.
    pub fn is_of(&self, scenario: &Scenario, seed: u64) -> bool {
        self.of.as_ref().is_some_and(|(of, of_seed)| of == scenario && *of_seed == seed)
    }

    /// The experiment that it runs.
    pub fn experiment(&self) -> Option<(&Scenario, u64)> {
        self.of.as_ref().map(|(scenario, seed)| (scenario, *seed))
    }

    /// Wall time at which the worker got its last job.
    pub fn asked_ms(&self) -> f64 {
        self.asked_ms
    }

    /// Ends it. An answer that is still to come is ignored, and steps still to take are given up.
    pub fn end(&mut self) {
        let (steps_wanted, steps_done) = (self.steps_wanted, self.steps_wanted);
        *self = Live { speed: self.speed, run: self.run, steps_wanted, steps_done, ..Live::new() };
    }

    /// Lets it go on by itself, or stops it.
    pub fn set_running(&mut self, running: bool, now_ms: f64) {
        self.running = running;
        self.looked = false;
        self.stepped = None;
        self.asked_ms = now_ms;
        self.counted = Counted { since_ms: now_ms, ..Counted::default() };
        self.events_per_s = 0.0;
        self.real_speed = 0.0;
    }

    /// Asks for one more event; apart from that the run stands. Returns the step's number, for [`Live::is_stepped`].
    pub fn step(&mut self) -> u64 {
        (self.running, self.unasked) = (false, false);
        self.steps_wanted += 1;
        self.steps_wanted
    }

    /// Whether the step of this number was taken or given up.
    pub fn is_stepped(&self, step: u64) -> bool {
        step <= self.steps_done
    }

    /// Goes to an instant, in simulated nanoseconds: forward at full speed, or back by running anew, which leads to the same
    /// state. The first instant that can be reached is a millisecond after the fill.
    pub fn go_to(&mut self, at_ns: u64) {
        let reached_ns = self.at.as_ref().map_or(0, |at| at.now_ns);
        match (self.phase, self.of.clone()) {
            (Phase::Ready | Phase::Passing, _) if at_ns >= reached_ns => {
                (self.phase, self.watched_ns) = (Phase::Passing, Some(at_ns));
                self.way_every_ns = (at_ns - reached_ns) / WAY_SAMPLES;
            }
            (Phase::Ready | Phase::Passing | Phase::Ended, Some((scenario, seed))) => {
                let (running, counted) = (self.running, self.counted);
                self.start(scenario, seed);
                (self.running, self.counted, self.wanted_ns) = (running, counted, Some(at_ns));
            }
            _ => self.wanted_ns = Some(at_ns),
        }
    }

    fn wants_step(&self) -> bool {
        self.steps_done < self.steps_wanted
    }

    /// The worker's next job at the wall time `now_ms`; none while it still works.
    pub fn next_job(&mut self, now_ms: f64) -> Option<LiveJob> {
        if self.asked {
            return None;
        }
        let job = self.job(now_ms)?;
        self.asked = true;
        self.asked_ms = now_ms;
        Some(job)
    }

    fn job(&mut self, now_ms: f64) -> Option<LiveJob> {
        if let Some((scenario, seed)) = self.fresh.take() {
            return Some(LiveJob::Create { scenario: Box::new(scenario), seed });
        }
        match self.phase {
            Phase::Off | Phase::Ended => None,
            Phase::Filling => Some(LiveJob::Fill { budget_ms: BUDGET_MS }),
            Phase::Passing => {
                let until_ns = self.watched_ns.unwrap_or_default();
                let left_ns = until_ns.saturating_sub(self.at.as_ref().map_or(0, |at| at.now_ns)).max(1);
                // The last stretch has one sample, at its end; so has the whole way where it is not charted.
                let (until_ns, every_ns) = match self.way_every_ns {
                    every_ns if every_ns > 0 && left_ns > every_ns => (until_ns - every_ns, every_ns),
                    _ => (until_ns, left_ns),
                };
                Some(LiveJob::Advance { until_ns, every_ns, budget_ms: BUDGET_MS })
            }
            Phase::Ready if self.wants_step() => {
                self.step_asked = true;
                Some(LiveJob::Step)
            }
            Phase::Ready if self.running => {
                let passed_ms = (now_ms - self.asked_ms).clamp(1.0, CATCH_UP_MAX_MS);
                let now_ns = self.at.as_ref().map_or(0, |at| at.now_ns);
                Some(LiveJob::Advance {
                    until_ns: now_ns + (self.speed * passed_ms * 1e6) as u64,
                    every_ns: (self.speed * SAMPLE_WALL_MS * 1e6) as u64,
                    budget_ms: BUDGET_MS,
                })
            }
            Phase::Ready if self.is_behind() => {
                self.looked = true;
                Some(LiveJob::Look)
            }
            Phase::Ready => None,
        }
    }

    /// Whether the run stands, and what is shown of it is from before it stopped.
    fn is_behind(&self) -> bool {
        let at = self.at.as_ref().map(|at| (at.now_ns, at.events));
        let seen = self.history.last().map(|seen| (seen.snapshot.now_ns, seen.snapshot.events));
        let is_seen = at.zip(seen).is_none_or(|(at, seen)| at == seen);
        self.phase == Phase::Ready && !self.running && !self.looked && !is_seen
    }

    /// Whether there is more for the worker to do.
    pub fn wants_more(&self) -> bool {
        self.fresh.is_some()
            || matches!(self.phase, Phase::Filling | Phase::Passing)
            || (self.phase == Phase::Ready && (self.running || self.wants_step()))
            || self.is_behind()
    }

    /// The worker has failed or was ended. It will say nothing more.
    pub fn forget_question(&mut self) {
        self.asked = false;
    }

    /// Takes in the worker's answer at the wall time `now_ms`.
    ///
    /// # Errors
    /// Why a sample cannot be read.
    pub fn heard(&mut self, report: LiveReport, now_ms: f64) -> Result<(), String> {
        self.asked = false;
        // An answer of an earlier run.
        if self.phase == Phase::Off || self.fresh.is_some() {
            return Ok(());
        }
        let samples: Vec<Sample> = report.samples.iter().map(|sent| self.end.receive(sent)).collect::<Result<_, _>>()?;
        let before_ns = self.at.as_ref().map_or(0, |at| at.now_ns);
        self.fill = report.fill;
        if report.filled && self.phase == Phase::Filling {
            let warmup_s = self.of.as_ref().map_or(0, |(scenario, _)| scenario.measure.warmup_s);
            let warm_ns = self.warms_up.then(|| report.at.now_ns + u64::from(warmup_s) * 1_000_000_000);
            let wanted_ns = self.wanted_ns.take().map(|at_ns| at_ns.max(report.at.now_ns + SEEN_FIRST_NS));
            self.way_every_ns = wanted_ns.map_or(0, |at_ns| at_ns.saturating_sub(report.at.now_ns) / WAY_SAMPLES);
            self.watched_ns = wanted_ns.or(warm_ns);
        }
        let warmed_up = self.phase == Phase::Passing && self.way_every_ns == 0;
        self.phase = match (report.ended, report.filled) {
            (true, _) => Phase::Ended,
            (false, true) if self.watched_ns.is_some_and(|watched_ns| report.at.now_ns < watched_ns) => Phase::Passing,
            (false, true) => Phase::Ready,
            (false, false) => Phase::Filling,
        };
        self.count(report.events, report.at.now_ns.saturating_sub(before_ns), now_ms);
        let step_asked = std::mem::take(&mut self.step_asked);
        self.steps_done = match self.phase {
            // No event is left for further steps.
            Phase::Ended => self.steps_wanted,
            _ => self.steps_done + u64::from(step_asked),
        };
        if step_asked && report.stepped.is_some() {
            self.stepped = report.stepped;
        }
        self.at = Some(report.at);
        if !samples.is_empty() {
            // While a view still shows the history before, this copies the list, but not the samples.
            let history = Rc::make_mut(&mut self.history);
            history.extend(samples.into_iter().map(Rc::new));
            // What is watched begins after the warm-up.
            let keep = if warmed_up { 1 } else { HISTORY_MAX };
            history.drain(..history.len().saturating_sub(keep));
        }
        Ok(())
    }

    fn count(&mut self, events: u64, simulated_ns: u64, now_ms: f64) {
        if self.counted.since_ms == 0.0 {
            self.counted.since_ms = self.asked_ms;
        }
        self.counted.events += events;
        self.counted.simulated_ns += simulated_ns;
        let passed_ms = now_ms - self.counted.since_ms;
        if passed_ms >= RATE_MS {
            self.events_per_s = self.counted.events as f64 / passed_ms * 1e3;
            self.real_speed = self.counted.simulated_ns as f64 / passed_ms / 1e6;
            self.counted = Counted { since_ms: now_ms, ..Counted::default() };
        }
    }
}

#[cfg(test)]
mod tests;
