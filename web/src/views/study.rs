//! A study on the page: runs its experiments in the background, in workers of its own, and shows its charts.
//!
//! What the reader does goes first: as long as a knob is turned or its experiment is due, no experiment of a study is begun.

pub mod crew;
pub mod moving;
mod parts;
pub mod runner;
pub mod sheet;

use std::collections::BTreeMap;
use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Scenario;

use super::{limit_hard, table_6};
use crate::chart::frame::ChartFrame;
use crate::msg;
use crate::page;
use crate::workers::Place;
use crew::{Crew, News};
use parts::{name, none, share, title};
use zvmlab_lab::batch::queue::{Key, key};
use zvmlab_lab::batch::study::{Study, Subject};
use zvmlab_lab::batch::sweep::State;
use zvmlab_lab::evidence::Settled;
use zvmlab_lab::published::PublishedRun;
use zvmlab_lab::rooms;
use zvmlab_lab::rooms::studied::{Studied, about_published};
use zvmlab_lab::worker::wire::{Answer, Job};

/// Wall time of one experiment, in milliseconds, from which a study waits to be asked for. Chosen: a study of short ones is
/// over before it is missed, one of long ones would keep the reader's machine busy unasked.
const LONG_MS: f64 = 2_000.0;
/// Wall time in milliseconds from one picture of a study under way to the next. Chosen: a curve that grows, not a film.
const DRAWN_EVERY_MS: f64 = 150.0;
/// What is kept of earlier studies. Chosen: under 1 KB each.
const KNOWN_MAX: usize = 1_000;

/// What a study is given.
#[derive(Clone, PartialEq, Properties)]
pub struct StudyProps {
    /// What is studied.
    pub subject: Subject,
    /// What is on the bench.
    pub scenario: Rc<Scenario>,
    /// The seed on the bench.
    pub seed: u64,
    /// Whether the bench wants nothing run: no knob is being turned, and what they say has settled.
    pub quiet: bool,
    /// The last settled result, which may be one of the study.
    pub settled: Option<Rc<Settled>>,
    /// Every published run.
    pub published: Rc<Vec<PublishedRun>>,
    /// Where experiments are run.
    pub place: Place,
    /// Told what the reader does.
    pub on: Callback<msg::Msg>,
}

/// What happens to it.
pub enum Msg {
    /// The crew has news.
    News(News),
    /// The reader wants a long study.
    GoOn,
    /// The reader wants multiples, or figures as they are.
    Scale(bool),
}

/// A study on the page.
pub struct StudyView {
    study: Option<Study>,
    crew: Crew,
    known: BTreeMap<Key, State>,
    /// Wall time of the longest experiment of this study, in milliseconds.
    longest_ms: f64,
    asked_for: bool,
    began_ms: f64,
    drawn_ms: f64,
    took_ms: Option<f64>,
    relative: bool,
}

impl Component for StudyView {
    type Message = Msg;
    type Properties = StudyProps;

    fn create(ctx: &Context<Self>) -> Self {
        let mut view = StudyView {
            study: None,
            crew: Crew::new(ctx.props().place, ctx.link().callback(Msg::News)),
            known: BTreeMap::new(),
            longest_ms: 0.0,
            asked_for: false,
            began_ms: 0.0,
            drawn_ms: 0.0,
            took_ms: None,
            relative: false,
        };
        view.follow(ctx);
        view
    }

    fn changed(&mut self, ctx: &Context<Self>, _old: &StudyProps) -> bool {
        self.follow(ctx);
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: Msg) -> bool {
        match message {
            Msg::News(News::Hear(number, heard)) => {
                let answer = self.crew.hear(number, heard);
                if let Some((of, answer)) = answer {
                    self.know(of, answer);
                }
                self.pump(ctx);
                return self.is_worth_drawing();
            }
            Msg::News(News::GiveWay) => {
                if !ctx.props().quiet {
                    self.crew.let_go();
                }
            }
            Msg::News(News::Silent) => self.crew.is_silent(),
            Msg::GoOn => {
                self.asked_for = true;
                self.crew.try_again();
            }
            Msg::Scale(relative) => self.relative = relative,
        }
        self.pump(ctx);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let Some(study) = self.study.as_ref().filter(|_| ctx.props().subject.lacking(&ctx.props().scenario).is_none())
        else {
            return none(ctx.props());
        };
        let props = ctx.props();
        let studied = Studied {
            study,
            bench: &props.scenario,
            is_of_bench: study.is_of(&props.scenario, props.seed),
            published: &props.published,
        };
        let fresh = studied.is_of_bench && study.is_complete();
        let charts = match study.subject {
            Subject::SetCu => rooms::set_cu::charts(&studied, self.relative),
            Subject::GuestZhpf => rooms::guest_zhpf::charts(&studied),
            Subject::LimitHard => rooms::limit_hard::charts(&studied),
            _ => rooms::curves::charts(&studied),
        };
        let took = self.took_ms.filter(|_| fresh).map(|ms| format!("{ms:.0}"));
        html! {
            <section class="study" data-study={name(study.subject)} data-fresh={fresh.to_string()} data-took-ms={took}>
                <h3>{ title(study.subject) }</h3>
                <p class="help study-state">{ self.state(&studied) }</p>
                { self.go_on(ctx, &studied) }
                { for study.left_out().into_iter().map(|why| html! { <p class="help left-out">{ format!("Left out, because {why}.") }</p> }) }
                if study.subject == Subject::SetCu {
                    { share(ctx.props()) }
                    { table_6::table(&studied) }
                }
                if study.subject == Subject::LimitHard {
                    { limit_hard::table(&studied) }
                }
                <div class="charts">
                    { for charts.into_iter().map(|chart| {
                        let id = chart.id;
                        let choice = if id == rooms::set_cu::ETR { self.scale(ctx) } else { Html::default() };
                        html! { <ChartFrame key={id} chart={Rc::new(chart)}>{ choice }</ChartFrame> }
                    }) }
                </div>
            </section>
        }
    }
}

impl StudyView {
    /// What is on the bench may have changed.
    fn follow(&mut self, ctx: &Context<Self>) {
        let props = ctx.props();
        if props.subject.lacking(&props.scenario).is_some() {
            self.study = None;
            self.crew.dismiss();
            return;
        }
        self.crew.warm_up();
        let same = self.study.as_ref().is_some_and(|study| study.is_of(&props.scenario, props.seed));
        // While a knob is dragged the curves stay; they are run again where it stops.
        if !same && props.quiet {
            self.begin(props);
        }
        if let (Some(study), Some(settled)) = (&mut self.study, &props.settled) {
            study.put(&key(&settled.scenario, settled.seed), &state(settled.snapshot.filled, &settled.measurement));
        }
        self.pump(ctx);
    }

    fn begin(&mut self, props: &StudyProps) {
        let known = |key: &Key| self.known.get(key).cloned();
        let study = Study::begin(props.subject, (*props.scenario).clone(), props.seed, self.study.as_ref(), &known);
        // What runs belongs to the study before, and nobody waits for it.
        self.crew.let_go();
        self.crew.try_again();
        (self.longest_ms, self.asked_for) = (0.0, false);
        (self.began_ms, self.took_ms) = (page::now_ms(), None);
        self.study = Some(study);
    }

    /// Whether what was heard is to be drawn now: drawing takes time that short experiments would rather have.
    fn is_worth_drawing(&mut self) -> bool {
        let now = page::now_ms();
        let over = self.crew.failed.is_some() || self.study.as_ref().is_none_or(Study::is_complete);
        let worth = over || now - self.drawn_ms >= DRAWN_EVERY_MS;
        if worth {
            self.drawn_ms = now;
        }
        worth
    }

    fn is_long(&self) -> bool {
        self.longest_ms > LONG_MS && !self.asked_for
    }

    /// Gives every free worker the next experiment.
    fn pump(&mut self, ctx: &Context<Self>) {
        let props = ctx.props();
        let Some(study) = self.study.as_ref().filter(|study| !study.is_complete()) else { return };
        if !props.quiet {
            return self.crew.hold_back();
        }
        self.crew.go_on();
        if self.is_long() || self.crew.failed.is_some() || !study.is_of(&props.scenario, props.seed) {
            return;
        }
        self.crew.employ(crew::size(&props.scenario), |running| {
            let point = study.next(running)?;
            Some((point.key.clone(), Job::Figures { scenario: (*point.scenario).clone(), seed: study.seed }))
        });
    }

    /// An experiment has been run.
    fn know(&mut self, of: Key, answer: Answer) {
        let found = match answer {
            Answer::Figures { measurement, filled, wall_ms } => {
                self.longest_ms = self.longest_ms.max(wall_ms);
                state(filled, &measurement)
            }
            Answer::Refused(why) => State::LeftOut(why),
            _ => return,
        };
        if self.known.len() >= KNOWN_MAX {
            self.known.clear();
        }
        self.known.insert(of.clone(), found.clone());
        if let Some(study) = &mut self.study {
            study.put(&of, &found);
            if study.is_complete() {
                self.took_ms = Some(page::now_ms() - self.began_ms);
            }
        }
    }

    /// How far the study is, and what stands on its charts.
    fn state(&self, studied: &Studied) -> String {
        let (done, all) = studied.study.progress();
        if !studied.is_of_bench {
            // What is published for those settings is none for these: nothing is said of it.
            return "The curves are those of the settings before; they follow when the bench has settled.".into();
        }
        let progress = if !studied.study.is_complete() {
            format!("{done} of {all} experiments done: the curves are drawn when all are.{}", shorter(studied))
        } else {
            let took = self.took_ms.map_or(String::new(), |ms| format!(", run in the background in {:.1} s", ms / 1e3));
            match studied.study.subject {
                Subject::LimitHard => format!("{all} experiments{took}, whatever is on the bench."),
                _ => format!(
                    "Each point is an experiment with the settings of the bench: {all} of them{took}.{}",
                    shorter(studied)
                ),
            }
        };
        format!("{progress} {}", about_published(studied))
    }

    /// A button where the study waits to be asked for, or has failed.
    fn go_on(&self, ctx: &Context<Self>, studied: &Studied) -> Html {
        let (done, all) = studied.study.progress();
        let why = match (&self.crew.failed, self.is_long() && done < all) {
            (Some(why), _) => why.clone(),
            (None, true) => {
                let seconds = self.longest_ms / 1e3 * (all - done) as f64 / self.crew.size().max(1) as f64;
                format!(
                    "One experiment of this scenario takes {:.0} s; the rest would take about {seconds:.0} s.",
                    self.longest_ms / 1e3
                )
            }
            _ => return Html::default(),
        };
        html! {
            <p class="help">
                { why }{ " " }
                <button type="button" onclick={ctx.link().callback(|_| Msg::GoOn)}>{ "Run the rest" }</button>
            </p>
        }
    }

    /// Figures as they are, or multiples as figure 1 of the source has them.
    fn scale(&self, ctx: &Context<Self>) -> Html {
        let choice = |relative: bool, label: &'static str| {
            html! {
                <label>
                    <input type="radio" name="set-cu-scale" checked={self.relative == relative}
                        onchange={ctx.link().callback(move |_| Msg::Scale(relative))} />
                    { label }
                </label>
            }
        };
        html! {
            <fieldset class="scale">
                <legend class="visually-hidden">{ "Scale of the ETR" }</legend>
                { choice(false, "absolute, as Table 6") }
                { choice(true, "scaled, as Figure 1: each ETR divided by its value where its own share is 1 of 16") }
            </fieldset>
        }
    }
}

/// That the points of a study are measured for less time than the bench, if they are.
fn shorter(studied: &Studied) -> String {
    let short = studied.study.shorter_interval();
    short.map_or(String::new(), |short| {
        format!(" Each measures {short} s, less than the bench does, so that all can be run: its figures differ from those of the bench.")
    })
}

/// What the figures of an experiment say.
fn state(filled: bool, measurement: &zvmlab::Measurement) -> State {
    if filled {
        State::Known(Box::new(measurement.clone()))
    } else {
        State::LeftOut("storage is so short that some guests never touched their whole loop".into())
    }
}
