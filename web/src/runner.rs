//! A batch on the page: gives a [`Runner`] workers of the browser and a timer. The runner decides what runs when, and what is kept.

use std::collections::BTreeMap;

use gloo_timers::callback::Timeout;
use yew::Callback;
use zvmlab::Scenario;

use crate::page;
use crate::workers::{self, Helper, Place};
use zvmlab_lab::batch::RunState;
use zvmlab_lab::batch::crew::Workers;
use zvmlab_lab::batch::queue::Key;
use zvmlab_lab::batch::runner::{Around, Batched, Heard, Runner};
use zvmlab_lab::batch::trials::Trials;
use zvmlab_lab::studies::study::Study;
use zvmlab_lab::worker::wire::{Answer, Job};

/// A batch whose runs are made by workers of the page.
pub trait OnPage: Batched {
    /// The request for a run to a worker.
    fn job(scenario: Scenario, seed: u64) -> Job;
    /// The state of the run that an answer gives, with the wall time that it took in milliseconds.
    fn made(answer: Answer) -> Option<(RunState<Self::Found>, f64)>;
}

impl OnPage for Study {
    fn job(scenario: Scenario, seed: u64) -> Job {
        Job::Figures { scenario, seed }
    }

    fn made(answer: Answer) -> Option<(RunState<Self::Found>, f64)> {
        match answer {
            Answer::Figures { measurement, filled, wall_ms } => Some((RunState::of_figures(filled, &measurement), wall_ms)),
            Answer::Refused(why) => Some((RunState::LeftOut(why), 0.0)),
            _ => None,
        }
    }
}

impl OnPage for Trials {
    fn job(scenario: Scenario, seed: u64) -> Job {
        Job::Moves { scenario, seed }
    }

    fn made(answer: Answer) -> Option<(RunState<Self::Found>, f64)> {
        match answer {
            Answer::Moved { moved, wall_ms } => Some((RunState::Known(moved.into()), wall_ms)),
            Answer::Refused(why) => Some((RunState::LeftOut(why), 0.0)),
            _ => None,
        }
    }
}

/// What the browser tells a runner.
pub enum News {
    /// A worker has a message: which one.
    Hear(u64, workers::Heard),
    /// The runner's timer has ended.
    Wake,
}

/// Workers of the browser, by number.
struct Helpers {
    place: Place,
    told: Callback<News>,
    alive: BTreeMap<u64, Helper>,
    job: fn(Scenario, u64) -> Job,
}

impl Workers for Helpers {
    fn start(&mut self, number: u64) -> Result<(), String> {
        let helper = Helper::start(self.place, self.told.reform(move |heard| News::Hear(number, heard)))?;
        self.alive.insert(number, helper.behind());
        Ok(())
    }

    fn give(&mut self, number: u64, scenario: &Scenario, seed: u64) {
        if let Some(helper) = self.alive.get(&number) {
            helper.post(&(self.job)(scenario.clone(), seed));
        }
    }

    fn hold(&mut self, number: u64, holds: bool) {
        if let Some(helper) = self.alive.get(&number) {
            // On a page without workers it goes on: it is over before anything else begins.
            helper.hold(holds);
        }
    }

    fn end(&mut self, number: u64) {
        self.alive.remove(&number);
    }
}

/// A runner with its workers and its timer.
pub struct PageRunner<B: OnPage> {
    runner: Runner<B>,
    helpers: Helpers,
    /// The runner's timer, and when it ends.
    timer: Option<(f64, Timeout)>,
}

impl<B: OnPage> PageRunner<B> {
    /// A runner whose workers work at `place` and send their news to `told`; for `of` see [`Runner::new`].
    pub fn new(of: &'static str, place: Place, told: Callback<News>) -> PageRunner<B> {
        let helpers = Helpers { place, told, alive: BTreeMap::new(), job: B::job };
        PageRunner { runner: Runner::new(of), helpers, timer: None }
    }

    /// What it runs, and its progress.
    pub fn runner(&self) -> &Runner<B> {
        &self.runner
    }

    /// The batch, if there is anything to run.
    pub fn batch(&self) -> Option<&B> {
        self.runner.batch()
    }

    /// There is nothing to run.
    pub fn end(&mut self) {
        self.runner.end(&mut self.helpers);
        self.wait();
    }

    /// The bench or the question may have changed: see [`Runner::follow`].
    pub fn follow(
        &mut self,
        of: &'static str,
        around: Around,
        begin: impl FnOnce(Option<&B>, &dyn Fn(&Key) -> Option<RunState<B::Found>>) -> B,
    ) {
        self.runner.follow(of, around, &mut self.helpers, begin);
        self.wait();
    }

    /// The browser has news.
    pub fn hear(&mut self, news: News, around: Around) {
        match news {
            News::Hear(number, heard) => {
                let heard = match heard {
                    workers::Heard::Failed(why) => Heard::Failed(why),
                    workers::Heard::Answer(answer) => match B::made(answer) {
                        Some((state, wall_ms)) => Heard::Made(state, wall_ms),
                        None => Heard::Failed("The worker gave another kind of answer.".into()),
                    },
                };
                self.runner.hear(number, heard, around, &mut self.helpers);
            }
            News::Wake => {
                self.timer = None;
                self.runner.wake(around, &mut self.helpers);
            }
        }
        self.wait();
    }

    /// The reader wants the rest.
    pub fn go_on(&mut self, around: Around) {
        self.runner.go_on(around, &mut self.helpers);
        self.wait();
    }

    /// The reader wants no more.
    pub fn stop(&mut self) {
        self.runner.stop(&mut self.helpers);
        self.wait();
    }

    /// Sets the timer for what the runner waits for.
    fn wait(&mut self) {
        let until = self.runner.wakes_at();
        if self.timer.as_ref().map(|(until, _)| *until) != until {
            self.timer = until.map(|until| {
                let (told, ms) = (self.helpers.told.clone(), (until - page::now_ms()).max(0.0).ceil());
                (until, Timeout::new(ms as u32, move || told.emit(News::Wake)))
            });
        }
    }
}

/// The circumstances of a batch: this scenario on the bench, now, on this machine. Nobody has asked for the batch yet.
pub fn around(base: &Scenario, seed: u64, quiet: bool) -> Around<'_> {
    let processors = page::window().map_or(1.0, |window| window.navigator().hardware_concurrency()) as u32;
    Around { base, seed, quiet, asked_for: false, settled: None, now_ms: page::now_ms(), processors }
}
