//! Runs trials in the background, with a crew of workers, and keeps what they came to: what a study of relocations and the plan of an
//! evacuation have in common.

use std::collections::BTreeMap;
use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Scenario;

use super::crew::{Crew, News, size};
use crate::page;
use crate::workers::Place;
use zvmlab_lab::batch::queue::Key;
use zvmlab_lab::batch::trial::{Made, State, Trials};
use zvmlab_lab::worker::wire::{Answer, Job};

/// Wall time in milliseconds that the trials that are left may take together without being asked for. Chosen: an answer within a
/// minute is worth a minute of two workers.
const LONG_MS: f64 = 60_000.0;
/// Wall time in milliseconds after which workers that say nothing are given up. Chosen: a guest of 100 GB that is relocated while
/// both members page takes long.
const SILENT_MS: u32 = 300_000;
/// What is kept of earlier trials. Chosen: some 10 KB each.
const KNOWN_MAX: usize = 500;

/// What the trials are made around, and when.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// What is on the bench.
    pub base: &'a Scenario,
    /// The seed on the bench.
    pub seed: u64,
    /// Whether the bench wants nothing run.
    pub quiet: bool,
    /// Whether the reader wants them however long they take.
    pub asked_for: bool,
}

/// Trials on the page.
pub struct Runner {
    /// The trials, if there is anything to try.
    pub trials: Option<Trials>,
    /// Which list of trials these are.
    of: &'static str,
    crew: Crew,
    known: BTreeMap<Key, State>,
    longest_ms: f64,
    asked_for: bool,
    stopped: bool,
    began_ms: f64,
    took_ms: Option<f64>,
}

impl Runner {
    /// A runner whose workers tell their news to `told`.
    pub fn new(place: Place, told: Callback<News>) -> Runner {
        Runner {
            trials: None,
            of: "",
            crew: Crew::new(place, told).patient(SILENT_MS),
            known: BTreeMap::new(),
            longest_ms: 0.0,
            asked_for: false,
            stopped: false,
            began_ms: 0.0,
            took_ms: None,
        }
    }

    /// There is nothing to try: the workers go too.
    pub fn end(&mut self) {
        self.trials = None;
        self.crew.dismiss();
    }

    /// What is on the bench, or what is asked, may have changed: the trials called `of` are those that `made` makes.
    pub fn follow(&mut self, of: &'static str, around: Around, made: impl FnOnce(&Scenario) -> Vec<Made>) {
        self.crew.warm_up();
        let same = self.of == of && self.trials.as_ref().is_some_and(|trials| trials.is_of(around.base, around.seed));
        // While a knob is dragged the answer stays; it is sought again where the knob stops.
        if !same && (around.quiet || self.of != of) {
            let known = |key: &Key| self.known.get(key).cloned();
            let trials = Trials::begin(around.base.clone(), around.seed, made(around.base), &known);
            // What runs belongs to the trials before, and nobody waits for it.
            self.crew.let_go();
            self.crew.try_again();
            (self.of, self.longest_ms, self.asked_for, self.stopped) = (of, 0.0, false, false);
            (self.began_ms, self.took_ms) = (page::now_ms(), None);
            self.trials = Some(trials);
        }
        self.pump(around);
    }

    /// The crew has news.
    pub fn hear(&mut self, news: News, around: Around) {
        match news {
            News::Hear(number, heard) => {
                if let Some((of, answer)) = self.crew.hear(number, heard) {
                    self.know(of, answer);
                }
            }
            News::GiveWay if around.quiet => {}
            News::GiveWay => drop(self.crew.let_go()),
            News::Silent => self.crew.is_silent(),
        }
        self.pump(around);
    }

    /// The reader wants the rest.
    pub fn go_on(&mut self, around: Around) {
        (self.asked_for, self.stopped) = (true, false);
        self.crew.try_again();
        self.pump(around);
    }

    /// The reader wants no more.
    pub fn stop(&mut self) {
        self.stopped = true;
        self.crew.let_go();
    }

    /// Whether the trials are those of the bench and all have been run.
    pub fn is_fresh(&self, around: Around) -> bool {
        let trials = self.trials.as_ref().filter(|trials| trials.is_of(around.base, around.seed));
        trials.is_some_and(Trials::is_complete)
    }

    /// Wall time that all of them took, once they are over.
    pub fn took_ms(&self) -> Option<f64> {
        self.took_ms
    }

    fn left(&self) -> usize {
        let (done, all) = self.trials.as_ref().map_or((0, 0), Trials::progress);
        all - done
    }

    /// Wall time that the rest would take, in milliseconds, as far as is known.
    fn rest_ms(&self) -> f64 {
        self.longest_ms * (self.left() as f64 / self.crew.size().max(1) as f64).ceil()
    }

    fn waits(&self, around: Around) -> bool {
        self.stopped || self.rest_ms() > LONG_MS && !self.asked_for && !around.asked_for
    }

    fn pump(&mut self, around: Around) {
        let Some(trials) = self.trials.as_ref().filter(|trials| !trials.is_complete()) else { return };
        if !around.quiet {
            return self.crew.hold_back();
        }
        self.crew.go_on();
        if self.waits(around) || self.crew.failed.is_some() || !trials.is_of(around.base, around.seed) {
            return;
        }
        self.crew.employ(size(around.base), |running| {
            let trial = trials.next(running)?;
            Some((trial.key.clone(), Job::Moves { scenario: (*trial.scenario).clone(), seed: trials.seed }))
        });
    }

    fn know(&mut self, of: Key, answer: Answer) {
        let found = match answer {
            Answer::Moved { moved, wall_ms } => {
                self.longest_ms = self.longest_ms.max(wall_ms);
                State::Known(Rc::from(moved))
            }
            Answer::Refused(why) => State::LeftOut(why),
            _ => return,
        };
        if self.known.len() >= KNOWN_MAX {
            self.known.clear();
        }
        self.known.insert(of.clone(), found.clone());
        if let Some(trials) = &mut self.trials {
            trials.put(&of, &found);
            if trials.is_complete() {
                self.took_ms = Some(page::now_ms() - self.began_ms);
            }
        }
    }

    /// How far the trials are, with a bar and a button to stop them, or to go on. Only their end is told to those who listen.
    pub fn progress(&self, around: Around, stop: &Callback<()>, go_on: &Callback<()>) -> Html {
        let Some(trials) = &self.trials else { return Html::default() };
        if !trials.is_of(around.base, around.seed) {
            return html! { <p class="help study-state">{ "This is of the settings before; it follows when the bench has settled." }</p> };
        }
        let (done, all) = trials.progress();
        let runs = |count: usize| if count == 1 { "1 run".to_string() } else { format!("{count} runs") };
        let over = match (trials.is_complete(), self.took_ms) {
            (true, Some(ms)) => format!("{} of the scenario on the bench, in {:.1} s.", runs(all), ms / 1e3),
            (true, None) => format!("{} of the scenario on the bench.", runs(all)),
            _ => String::new(),
        };
        let under_way = !trials.is_complete() && !self.waits(around) && self.crew.failed.is_none();
        let why = match &self.crew.failed {
            Some(why) => Some(why.clone()),
            None if trials.is_complete() || under_way => None,
            None if self.stopped => Some(format!("Stopped after {done} of {}.", runs(all))),
            None => Some(format!(
                "{done} of {} done. The rest would take about {:.0} s.",
                runs(all),
                (self.rest_ms() / 1e3).ceil()
            )),
        };
        let press = |to: &Callback<()>, label: &'static str, id: &'static str| {
            html! { <button type="button" key={id} class={id} onclick={to.reform(|_: MouseEvent| ())}>{ label }</button> }
        };
        html! {
            <p class="help study-state progress">
                if under_way {
                    <label class="swept">{ format!("{done} of {} done ", runs(all)) }<progress max={all.to_string()} value={done.to_string()} /></label>
                    { press(stop, "Stop", "stop-trials") }
                }
                if let Some(why) = why {
                    { why }{ " " }{ press(go_on, "Run the rest", "run-trials") }
                }
                <span role="status">{ over }</span>
            </p>
        }
    }
}
