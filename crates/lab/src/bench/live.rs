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
    steps_wanted: u64,
    steps_done: u64,
    step_asked: bool,
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
    /// state. Nothing before the end of the fill can be reached.
    pub fn go_to(&mut self, at_ns: u64) {
        let reached_ns = self.at.as_ref().map_or(0, |at| at.now_ns);
        match (self.phase, self.of.clone()) {
            (Phase::Ready | Phase::Passing, _) if at_ns >= reached_ns => {
                (self.phase, self.watched_ns) = (Phase::Passing, Some(at_ns));
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
                // Nobody watches on the way: one sample, at the end.
                let every_ns = until_ns.saturating_sub(self.at.as_ref().map_or(0, |at| at.now_ns)).max(1);
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
            Phase::Ready => None,
        }
    }

    /// Whether there is more for the worker to do.
    pub fn wants_more(&self) -> bool {
        self.fresh.is_some()
            || matches!(self.phase, Phase::Filling | Phase::Passing)
            || (self.phase == Phase::Ready && (self.running || self.wants_step()))
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
            self.watched_ns = self.wanted_ns.take().or(warm_ns);
        }
        let warmed_up = self.phase == Phase::Passing;
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
mod tests {
    use super::*;
    use crate::worker::wire::{Answer, Job};

    fn small() -> Scenario {
        let mut scenario = Scenario::default();
        scenario.storage.central_mb = 512;
        scenario.guests[0].virtual_mb = 128;
        scenario.guests[0].loop_mb = 96;
        scenario
    }

    /// Plays page and worker, with `ms` of wall time for each job, until nothing is wanted or `jobs` are done.
    fn play(live: &mut Live, now_ms: &mut f64, ms: f64, jobs: usize) {
        for _ in 0..jobs {
            let Some(job) = live.next_job(*now_ms) else { return };
            assert!(live.next_job(*now_ms).is_none(), "one job at a time");
            *now_ms += ms;
            match crate::worker::answer(Job::Live(job), &|| 0.0) {
                Answer::Live(report) => live.heard(*report, *now_ms).expect("what changed since the sample before"),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn it_fills_at_full_speed_and_then_keeps_pace() {
        let (mut live, mut now_ms) = (Live::new(), 1_000.0);
        live.start(small(), 1);
        assert_eq!(live.phase, Phase::Filling);
        play(&mut live, &mut now_ms, 20.0, 1_000);
        assert_eq!((live.phase, live.fill, live.wants_more()), (Phase::Ready, 1.0, false));
        let filled_ns = live.at.as_ref().map_or(0, |at| at.now_ns);
        live.speed = 10.0;
        live.set_running(true, now_ms);
        play(&mut live, &mut now_ms, 50.0, 41);
        let ran_s = (live.at.as_ref().map_or(0, |at| at.now_ns) - filled_ns) as f64 / 1e9;
        assert!((ran_s - 20.0).abs() < 0.6, "{ran_s}");
        assert!((live.real_speed - 10.0).abs() < 0.5, "{}", live.real_speed);
        assert!((live.history.len() as i64 - 20).abs() <= 1, "a sample each 100 ms: {}", live.history.len());
        assert!(live.history.is_sorted_by(|a, b| a.snapshot.now_ns < b.snapshot.now_ns));
    }

    #[test]
    fn a_watched_run_passes_the_warm_up_at_full_speed() {
        let (mut live, mut now_ms) = (Live::new(), 0.0);
        (live.warms_up, live.speed) = (true, 0.001);
        live.start(small(), 1);
        live.set_running(true, now_ms);
        let mut filled_ns = 0;
        for _ in 0..1_000 {
            play(&mut live, &mut now_ms, 1.0, 1);
            match live.phase {
                Phase::Filling => filled_ns = live.at.as_ref().map_or(0, |at| at.now_ns),
                Phase::Passing => {}
                _ => break,
            }
        }
        let (ready_ns, warmup_s) = (live.at.as_ref().map_or(0, |at| at.now_ns), small().measure.warmup_s);
        assert_eq!(live.phase, Phase::Ready);
        assert!(ready_ns >= filled_ns + u64::from(warmup_s) * 1_000_000_000, "{ready_ns} after {filled_ns}");
        play(&mut live, &mut now_ms, 50.0, 10);
        let passed_ns = live.at.as_ref().map_or(0, |at| at.now_ns) - ready_ns;
        assert!((400_000..=600_000).contains(&passed_ns), "then it keeps pace: {passed_ns}");
        live.start(small(), 2);
        assert!(live.warms_up, "so does the run that follows");
        live.end();
        assert!(!live.warms_up);
    }

    #[test]
    fn one_can_go_forward_and_back_and_finds_the_same_state() {
        let (mut live, mut now_ms) = (Live::new(), 0.0);
        live.start(small(), 1);
        play(&mut live, &mut now_ms, 1.0, 1_000);
        let filled_ns = live.at.as_ref().map_or(0, |at| at.now_ns);
        let mut go = |live: &mut Live, at_ns: u64| {
            live.go_to(at_ns);
            play(live, &mut now_ms, 1.0, 1_000);
            assert_eq!(live.phase, Phase::Ready);
            live.at.clone().expect("it is somewhere")
        };
        let first = go(&mut live, filled_ns + 2_000_000_000);
        assert_eq!(first.now_ns, filled_ns + 2_000_000_000);
        let later = go(&mut live, filled_ns + 3_000_000_000);
        assert!(later.events > first.events);
        assert_eq!(go(&mut live, filled_ns + 2_000_000_000), first, "back at the same instant, all is as it was");
        assert_eq!(live.history.last().map(|sample| sample.snapshot.now_ns), Some(first.now_ns), "and it is shown");
        // From the middle of a run at speed, between two of its samples.
        (live.speed, live.running) = (10.0, true);
        play(&mut live, &mut now_ms, 30.0, 5);
        live.running = false;
        let at_ns = live.at.as_ref().map_or(0, |at| at.now_ns) + 1_500_000_000;
        live.go_to(at_ns);
        play(&mut live, &mut now_ms, 1.0, 1_000);
        assert_eq!(live.history.last().map(|sample| sample.snapshot.now_ns), Some(at_ns), "the picture is of that instant");
        live.go_to(0);
        play(&mut live, &mut now_ms, 1.0, 1_000);
        assert_eq!(
            live.at.as_ref().map(|at| at.now_ns),
            Some(filled_ns),
            "before the end of the fill there is nothing to see"
        );
    }

    /// Asserts that every sample of the history is the state of an unwatched run at the same event and instant.
    fn is_true_to(live: &Live, scenario: &Scenario) {
        let mut simulation = zvmlab::Simulation::new(scenario, 1).expect("the host is valid");
        for sample in live.history.iter() {
            while simulation.events() < sample.snapshot.events {
                simulation.step();
            }
            if simulation.now().0 < sample.snapshot.now_ns {
                simulation.run_until(zvmlab::kernel::time::Instant(sample.snapshot.now_ns));
            }
            assert_eq!(simulation.snapshot(), sample.snapshot);
        }
    }

    #[test]
    fn what_changed_makes_the_very_same_states() {
        let (mut live, mut now_ms) = (Live::new(), 0.0);
        let other = Scenario { lcu: zvmlab::scenario::Lcu { aliases: 3, ..small().lcu }, ..small() };
        for scenario in [small(), other] {
            live.start(scenario.clone(), 1);
            play(&mut live, &mut now_ms, 20.0, 1_000);
            let filled_ns = live.at.as_ref().map_or(0, |at| at.now_ns);
            for (speed, at_s, steps) in [(0.001, 2, 3), (1.0, 4, 0), (10.0, 3, 5)] {
                live.speed = speed;
                live.set_running(true, now_ms);
                play(&mut live, &mut now_ms, 50.0, 20);
                (0..steps).for_each(|_| _ = live.step());
                live.running = false;
                play(&mut live, &mut now_ms, 50.0, 20);
                assert!(live.history.len() > steps);
                is_true_to(&live, &scenario);
                // Forward, and back by a new run.
                live.go_to(filled_ns + at_s * 1_000_000_000);
                play(&mut live, &mut now_ms, 50.0, 1_000);
                is_true_to(&live, &scenario);
            }
        }
    }

    #[test]
    fn a_sample_whose_forerunner_is_missing_is_not_guessed() {
        let (mut live, mut now_ms) = (Live::new(), 0.0);
        live.start(small(), 1);
        play(&mut live, &mut now_ms, 20.0, 1_000);
        live.set_running(true, now_ms);
        play(&mut live, &mut now_ms, 100.0, 3);
        let step = || match crate::worker::answer(Job::Live(LiveJob::Step), &|| 0.0) {
            Answer::Live(report) => *report,
            other => panic!("{other:?}"),
        };
        let (missed, next) = (step(), step());
        assert!(!missed.samples.is_empty() && !next.samples.is_empty());
        let mut late = live.clone();
        let refused = live.heard(next.clone(), 0.0);
        assert!(refused.is_err_and(|why| why.contains("missing")));
        assert_eq!((late.heard(missed, 0.0), late.heard(next, 0.0)), (Ok(()), Ok(())));
    }

    #[test]
    fn charts_keep_the_interval_while_milliseconds_pass() {
        let (mut live, mut now_ms) = (Live::new(), 0.0);
        live.start(small(), 1);
        live.speed = 0.001;
        live.set_running(true, now_ms);
        play(&mut live, &mut now_ms, 20.0, 100);
        assert!(!live.history.is_empty() && !live.is_charted());
        live.speed = 0.01;
        assert!(live.is_charted());
        live.unasked = true;
        assert!(!live.is_charted(), "nobody has asked for it");
        live.speed = 0.001;
        live.step();
        play(&mut live, &mut now_ms, 20.0, 1);
        assert!(live.is_charted(), "a reader who goes step by step sees each step everywhere");
    }

    #[test]
    fn a_step_is_one_event_and_stops_the_run() {
        let (mut live, mut now_ms) = (Live::new(), 0.0);
        live.start(small(), 1);
        live.set_running(true, now_ms);
        play(&mut live, &mut now_ms, 20.0, 100);
        let events = live.at.as_ref().map_or(0, |at| at.events);
        live.step();
        play(&mut live, &mut now_ms, 20.0, 100);
        assert_eq!(live.at.as_ref().map_or(0, |at| at.events), events + 1);
        assert!(live.stepped.as_ref().is_some_and(|words| words.starts_with("After ")));
        assert!(!live.running);
    }

    #[test]
    fn every_step_is_taken_and_told_when_it_is() {
        let (mut live, mut now_ms) = (Live::new(), 0.0);
        live.start(small(), 1);
        let steps = [live.step(), live.step()];
        while live.phase == Phase::Filling {
            assert!(!live.is_stepped(steps[0]), "the fill comes first");
            play(&mut live, &mut now_ms, 20.0, 1);
        }
        let events = |live: &Live| live.at.as_ref().map_or(0, |at| at.events);
        let filled = events(&live);
        play(&mut live, &mut now_ms, 20.0, 1);
        assert_eq!((steps.map(|step| live.is_stepped(step)), events(&live)), ([true, false], filled + 1));
        play(&mut live, &mut now_ms, 20.0, 1);
        assert_eq!((steps.map(|step| live.is_stepped(step)), events(&live)), ([true, true], filled + 2));
        assert!(!live.wants_more());
        let given_up = live.step();
        live.start(small(), 2);
        assert!(live.is_stepped(given_up), "nobody waits for ever");
        let last = live.step();
        assert!(last > given_up && !live.is_stepped(last));
        live.end();
        assert!(live.is_stepped(last));
    }

    #[test]
    fn a_backlog_is_dropped() {
        let (mut live, mut now_ms) = (Live::new(), 0.0);
        live.start(small(), 1);
        play(&mut live, &mut now_ms, 1.0, 1_000);
        live.set_running(true, now_ms);
        let Some(LiveJob::Advance { until_ns, .. }) = live.next_job(now_ms + 60_000.0) else { panic!("running") };
        assert_eq!(until_ns - live.at.as_ref().map_or(0, |at| at.now_ns), 100_000_000);
    }

    #[test]
    fn an_answer_of_the_run_before_is_not_taken() {
        let (mut live, mut now_ms) = (Live::new(), 0.0);
        live.start(small(), 1);
        play(&mut live, &mut now_ms, 1.0, 1_000);
        live.set_running(true, now_ms);
        let job = live.next_job(now_ms).expect("running");
        live.start(small(), 2);
        assert!(live.next_job(now_ms).is_none(), "the worker is still at work");
        let Answer::Live(report) = crate::worker::answer(Job::Live(job), &|| 0.0) else { panic!("a report") };
        assert_eq!(live.heard(*report, now_ms), Ok(()));
        assert_eq!((live.phase, live.history.len()), (Phase::Filling, 0));
        assert!(matches!(live.next_job(now_ms), Some(LiveJob::Create { seed: 2, .. })));
    }
}
