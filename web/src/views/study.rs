//! A study on the page: runs in the background, in its own workers, and shows its charts.

mod parts;
pub mod progress;
pub mod sheet;
mod table;

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Scenario;

use crate::chart::frame::ChartFrame;
use crate::msg;
use crate::page;
use crate::runner::{News, PageRunner, around};
use crate::views::row::ChartRow;
use crate::workers::Place;
use parts::{scale, slider};
use table::table;
use zvmlab_lab::batch::runner::Around;
use zvmlab_lab::chart::Chart;
use zvmlab_lab::evidence::Settled;
use zvmlab_lab::published::PublishedRun;
use zvmlab_lab::studies::StudyKind;
use zvmlab_lab::studies::studied::{Studied, about_published};
use zvmlab_lab::studies::study::Study;

/// Wall time in milliseconds between two pictures of a study under way. Chosen: a curve that grows, not a film.
const DRAWN_EVERY_MS: f64 = 150.0;

/// The data of a study.
#[derive(Clone, PartialEq, Properties)]
pub struct StudyProps {
    /// Which study.
    pub kind: &'static StudyKind,
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// The seed on the bench.
    pub seed: u64,
    /// Whether the bench wants nothing run: no knob is being turned, and the result has settled.
    pub quiet: bool,
    /// The last settled result; it may be one of the study's.
    pub settled: Option<Rc<Settled>>,
    /// Every published run.
    pub published: Rc<Vec<PublishedRun>>,
    /// The place where runs are made.
    pub place: Place,
    /// Told what the reader does.
    pub on: Callback<msg::Msg>,
}

/// Its events.
pub enum Msg {
    /// The browser has news of its runs.
    News(News),
    /// The reader wants a long study to run.
    GoOn,
    /// The reader wants multiples (true), or figures as they are.
    Scale(bool),
}

impl StudyProps {
    fn around(&self) -> Around<'_> {
        Around { settled: self.settled.as_deref(), ..around(&self.scenario, self.seed, self.quiet) }
    }
}

/// A study on the page.
pub struct StudyView {
    runner: PageRunner<Study>,
    drawn_ms: f64,
    scaled: bool,
}

impl Component for StudyView {
    type Message = Msg;
    type Properties = StudyProps;

    fn create(ctx: &Context<Self>) -> Self {
        let props = ctx.props();
        let runner = PageRunner::new(props.kind.name, props.place, ctx.link().callback(Msg::News));
        let mut view = StudyView { runner, drawn_ms: 0.0, scaled: false };
        view.follow(props);
        view
    }

    fn changed(&mut self, ctx: &Context<Self>, _old: &StudyProps) -> bool {
        self.follow(ctx.props());
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: Msg) -> bool {
        let around = ctx.props().around();
        match message {
            Msg::News(news) => {
                let is_time = matches!(news, News::Wake);
                self.runner.hear(news, around);
                return is_time || self.is_worth_drawing();
            }
            Msg::GoOn => self.runner.go_on(around),
            Msg::Scale(scaled) => self.scaled = scaled,
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let kind = props.kind;
        let Some(study) = self.runner.batch().filter(|_| kind.lacking(&props.scenario).is_none()) else {
            let missed = kind.missed(&props.scenario);
            return missed.map(|said| html! { <p class="help no-study">{ said }</p> }).unwrap_or_default();
        };
        let studied = Studied {
            study,
            bench: &props.scenario,
            is_of_bench: study.is_of(&props.scenario, props.seed),
            published: &props.published,
            scaled: self.scaled,
        };
        let fresh = studied.is_of_bench && study.batch.is_complete();
        let framed = |chart: Chart| {
            let id = chart.id;
            let of_chart = kind.scale.as_ref().filter(|of| of.chart == id);
            let choice = of_chart.map(|of| scale(of, kind.name, self.scaled, &ctx.link().callback(Msg::Scale)));
            html! { <ChartFrame key={id} chart={Rc::new(chart)}>{ choice }</ChartFrame> }
        };
        let took = self.runner.runner().took_ms().filter(|_| fresh).map(|ms| format!("{ms:.0}"));
        html! {
            <section class="study" data-study={kind.name} data-fresh={fresh.to_string()} data-took-ms={took}>
                <h3>{ kind.title }</h3>
                <p class="help study-state">{ self.state(&studied) }</p>
                { self.go_on(ctx, &studied) }
                { for study.left_out().into_iter().map(|why| html! { <p class="help left-out">{ format!("Left out, because {why}.") }</p> }) }
                if let Some(said) = study.batch.unsettled() { <p class="help left-out">{ said + "." }</p> }
                { for kind.slider.as_ref().map(|of| slider(of, &props.scenario, &props.on)) }
                { for (kind.table)(&studied).as_ref().map(table) }
                <ChartRow charts={(kind.charts)(&studied).into_iter().map(framed).collect::<Vec<_>>()} />
            </section>
        }
    }
}

impl StudyView {
    /// The scenario on the bench may have changed.
    fn follow(&mut self, props: &StudyProps) {
        if props.kind.lacking(&props.scenario).is_some() {
            return self.runner.end();
        }
        self.runner.follow(props.kind.name, props.around(), |earlier, known| {
            Study::begin(props.kind, (*props.scenario).clone(), props.seed, earlier, known)
        });
    }

    /// Whether to draw now. Drawing takes time that short experiments could use.
    fn is_worth_drawing(&mut self) -> bool {
        let (now, runner) = (page::now_ms(), self.runner.runner());
        let worth = runner.failed().is_some() || runner.is_over() || now - self.drawn_ms >= DRAWN_EVERY_MS;
        if worth {
            self.drawn_ms = now;
        }
        worth
    }

    /// The study's progress, and what its charts show.
    fn state(&self, studied: &Studied) -> String {
        let (done, all) = studied.study.batch.progress();
        if !studied.is_of_bench {
            // These curves belong to other settings, so the text says nothing about published figures.
            return "The curves are those of the settings before; they follow when the bench has settled.".into();
        }
        let progress = if !studied.study.batch.is_complete() {
            format!("{done} of {all} experiments done: the curves are drawn when all are.{}", shorter(studied))
        } else {
            let took = self
                .runner
                .runner()
                .took_ms()
                .map_or(String::new(), |ms| format!(", run in the background in {:.1} s", ms / 1e3));
            if studied.study.kind.is_of_bench() {
                format!(
                    "Each point is an experiment with the settings of the bench: {all} of them{took}.{}",
                    shorter(studied)
                )
            } else {
                format!("{all} experiments{took}, whatever is on the bench.")
            }
        };
        format!("{progress} {}", about_published(studied))
    }

    /// A button, if the study waits for the reader or has failed.
    fn go_on(&self, ctx: &Context<Self>, studied: &Studied) -> Html {
        let (done, all) = studied.study.batch.progress();
        let runner = self.runner.runner();
        let why = match runner.failed() {
            Some(why) => why.to_string(),
            None if runner.waits(ctx.props().around()) && done < all => {
                let longest_s = runner.longest_ms() / 1e3;
                let seconds = longest_s * (all - done) as f64 / runner.workers().max(1) as f64;
                format!("One experiment of this scenario takes {longest_s:.0} s; the rest would take about {seconds:.0} s.")
            }
            None => return Html::default(),
        };
        html! {
            <p class="help">
                { why }{ " " }
                <button type="button" onclick={ctx.link().callback(|_| Msg::GoOn)}>{ "Run the rest" }</button>
            </p>
        }
    }
}

/// A sentence if the points of a study measure for a shorter time than the bench.
fn shorter(studied: &Studied) -> String {
    let short = studied.study.shorter_interval();
    short.map_or(String::new(), |short| {
        format!(" Each measures {short} s, less than the bench does, so that all can be run: its figures differ from those of the bench.")
    })
}
