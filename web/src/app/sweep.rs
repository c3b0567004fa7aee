//! The sweep: the reader asks for it, and its experiments run one after the other when nothing else is wanted.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use yew::prelude::*;
use zvmlab::Figure;

use super::App;
use super::address::LAID_OUT_MS;
use super::rooms::tab_of;
use crate::msg::Sweeping;
use crate::page;
use crate::panels::sweep::{SWEPT, SweepCard};
use zvmlab_lab::batch::RunState;
use zvmlab_lab::batch::queue::{Key, Purpose, Request};
use zvmlab_lab::batch::sweep::form::Form;
use zvmlab_lab::batch::sweep::{Sweep, SweepRun};
use zvmlab_lab::room::Room;

/// The page's sweep, with the figure it is shown for.
pub struct Sweeps {
    form: Form,
    figure: Figure,
    pub(super) last: Option<Rc<Sweep>>,
}

impl Default for Sweeps {
    fn default() -> Sweeps {
        Sweeps { form: Form::default(), figure: Figure::Etr, last: None }
    }
}

impl Sweeps {
    /// The sweep, to change it.
    pub(super) fn last_mut(&mut self) -> Option<&mut Sweep> {
        self.last.as_mut().map(Rc::make_mut)
    }
}

impl App {
    /// The reader did something at the sweep.
    pub(super) fn sweep(&mut self, done: Sweeping) {
        match done {
            Sweeping::Choose(place) => self.sweeps.form.choose(place),
            Sweeping::Give(bound, text) => self.sweeps.form.give(bound, text),
            Sweeping::Show(figure) => self.sweeps.figure = figure,
            Sweeping::Draw => self.draw_curve(),
            Sweeping::Start => self.start_sweep(),
            Sweeping::Stop => self.stop_sweep(),
        }
        self.pump();
    }

    /// Sweeps the knob that the subject turns, as its form offers it, and goes there.
    fn draw_curve(&mut self) {
        (self.sweeps.form, self.sweeps.figure) = (Form::default(), Figure::Etr);
        self.start_sweep();
        self.link.view.room = Some(Room::Overview.id().into());
        self.write_address();
        page::bring_along(tab_of(Room::Overview));
        // The chart is there when the page has been drawn.
        Timeout::new(LAID_OUT_MS, || page::go_to(SWEPT)).forget();
    }

    fn start_sweep(&mut self) {
        let Ok(range) = self.sweeps.form.range(self.subject(), &self.bench.scenario) else { return };
        let (last, results) = (self.sweeps.last.as_ref(), &self.bench.results);
        let whole = |key: &Key| results.whole(key).filter(|settled| settled.snapshot.filled);
        let known = |key: &Key| {
            let swept = last.and_then(|sweep| sweep.known(key));
            swept.or_else(|| Some(RunState::Known(Rc::new(whole(key)?.measurement.clone()))))
        };
        let sweep = Sweep::begin(self.bench.scenario.clone(), &self.bench.seeds(), &range, &known);
        self.sweeps.last = Some(Rc::new(sweep));
        // After failures this counts as another try.
        self.start_if_down();
    }

    fn stop_sweep(&mut self) {
        if let Some(sweep) = self.sweeps.last_mut() {
            sweep.running = false;
        }
    }

    /// Asks for the next experiments of the sweep, if one is under way: no more than run at once, so that nothing waits long for them.
    pub(super) fn feed_sweep(&mut self) {
        let Some(sweep) = self.sweeps.last.as_ref().filter(|sweep| sweep.running) else {
            return self.bench.queue.want_swept([]);
        };
        let count = if self.experimenter.is_down() { 0 } else { self.bench.queue.workers() };
        let request = |run: &SweepRun| Request::new((*run.scenario).clone(), run.key.1, Purpose::Swept);
        let next: Vec<Request> = sweep.due(count).into_iter().map(request).collect();
        if next.is_empty() {
            self.stop_sweep();
        }
        self.bench.queue.want_swept(next);
    }

    /// The card of the sweep.
    pub(super) fn sweep_card(&self) -> Html {
        let settled = self.bench.settled.as_ref().filter(|_| self.bench.is_settled());
        let figures = || self.bench.shown().into_iter().cloned().collect();
        let now = settled.map(|settled| Rc::new((settled.scenario.clone(), figures())));
        let base = self.sweeps.last.as_ref().map_or(&self.bench.scenario, |sweep| &sweep.batch.base);
        let figure = zvmlab_lab::batch::sweep::shown(self.sweeps.figure, base);
        html! {
            <SweepCard form={self.sweeps.form.clone()} sweep={self.sweeps.last.clone()} {figure}
                scenario={Rc::new(self.bench.scenario.clone())} subject={self.subject()} seed={self.bench.seed} replications={self.bench.replications} {now} published={self.published.clone()}
                on={self.on.clone()} />
        }
    }
}
