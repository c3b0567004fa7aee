//! What would change a relocation: one question at a time, answered by whole runs around the scenario on the bench, in a sentence and
//! a table or in curves.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Scenario;

use super::progress::progress;
use super::sheet;
use crate::chart::frame::ChartFrame;
use crate::msg;
use crate::runner::{News, PageRunner, around};
use crate::workers::Place;
use zvmlab_lab::batch::question::Question;
use zvmlab_lab::batch::question::answer;
use zvmlab_lab::batch::runner::Around;
use zvmlab_lab::batch::sheet::Sheet;
use zvmlab_lab::batch::trials::Trials;
use zvmlab_lab::rooms::what_if as charts;

/// What the study is given.
#[derive(Clone, PartialEq, Properties)]
pub struct MovingProps {
    /// What is on the bench.
    pub scenario: Rc<Scenario>,
    /// The seed on the bench.
    pub seed: u64,
    /// Whether the bench wants nothing run.
    pub quiet: bool,
    /// The study that the address holds.
    pub asked: Option<String>,
    /// Whether the browser has copied the link, once it was wanted.
    pub copied: Option<bool>,
    /// Where runs are made.
    pub place: Place,
    /// Told what the reader does.
    pub on: Callback<msg::Msg>,
}

impl MovingProps {
    /// The question: the one that the address holds, where it can be asked of what is on the bench.
    fn question(&self) -> Question {
        let asked = self.asked.as_deref().and_then(Question::from_id);
        let may = |question: &Question| question.lacking(&self.scenario).is_none();
        asked.filter(may).unwrap_or_else(|| Question::first_of(&self.scenario))
    }

    fn around(&self) -> Around<'_> {
        let asked_for = self.asked.as_deref() == Some(self.question().id());
        Around { asked_for, ..around(&self.scenario, self.seed, self.quiet) }
    }
}

/// What happens to it.
pub enum Msg {
    /// The browser has news of its runs.
    News(News),
    /// The reader wants the rest.
    GoOn,
    /// The reader wants no more.
    Stop,
}

/// The study.
pub struct Moving {
    runner: PageRunner<Trials>,
}

impl Component for Moving {
    type Message = Msg;
    type Properties = MovingProps;

    fn create(ctx: &Context<Self>) -> Self {
        let mut moving = Moving { runner: PageRunner::new("", ctx.props().place, ctx.link().callback(Msg::News)) };
        moving.follow(ctx.props());
        moving
    }

    fn changed(&mut self, ctx: &Context<Self>, _old: &MovingProps) -> bool {
        self.follow(ctx.props());
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: Msg) -> bool {
        let around = ctx.props().around();
        match message {
            Msg::News(news) => self.runner.hear(news, around),
            Msg::GoOn => self.runner.go_on(around),
            Msg::Stop => self.runner.stop(),
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let (props, question) = (ctx.props(), ctx.props().question());
        if let Some(why) = question.lacking(&props.scenario) {
            return html! { <p class="help study-none">{ format!("Nothing is tried here: {why}.") }</p> };
        }
        let (runner, around) = (self.runner.runner(), props.around());
        let fresh = runner.is_fresh(around);
        let took = runner.took_ms().filter(|_| fresh).map(|ms| format!("{ms:.0}"));
        let (stop, go_on) = (ctx.link().callback(|()| Msg::Stop), ctx.link().callback(|()| Msg::GoOn));
        html! {
            <section class="study moving" data-study={question.id()} data-fresh={fresh.to_string()} data-took-ms={took} aria-labelledby="moving-title">
                { questions(props, question) }
                <h3 id="moving-title">{ question.title() }</h3>
                { progress(runner, around, &stop, &go_on) }
                if let Some(trials) = runner.batch() {
                    { for trials.named_left_out().into_iter().map(|why| html! { <p class="help left-out">{ format!("Left out: {}.", why.trim_end_matches('.')) }</p> }) }
                    { shown(props, question, trials) }
                }
                <p class="help">{ lost(question) }</p>
            </section>
        }
    }
}

impl Moving {
    fn follow(&mut self, props: &MovingProps) {
        let question = props.question();
        if question.lacking(&props.scenario).is_some() {
            return self.runner.end();
        }
        self.runner.follow(question.id(), props.around(), |_, known| {
            Trials::begin((*props.scenario).clone(), props.seed, question.made(&props.scenario), known)
        });
    }
}

/// The questions to choose from. One that cannot be asked of the bench says why.
fn questions(props: &MovingProps, chosen: Question) -> Html {
    let choice = |question: Question| {
        let lacking = question.lacking(&props.scenario);
        let title = lacking.map(|why| format!("Not here: {why}"));
        html! {
            <label title={title} class={lacking.map(|_| "not-here")}>
                <input type="radio" name="moving-question" checked={question == chosen} disabled={lacking.is_some()}
                    onchange={props.on.reform(move |_: Event| msg::Msg::Ask(question.id()))} />
                { question.label() }
            </label>
        }
    };
    html! {
        <fieldset class="questions">
            <legend>{ "What would change it?" }</legend>
            { for Question::ALL.map(choice) }
        </fieldset>
    }
}

/// The answer as far as it is known.
fn shown(props: &MovingProps, question: Question, trials: &Trials) -> Html {
    let files = |sheet: &Sheet| sheet::files(question.id(), sheet, trials, &props.on, props.copied);
    match question {
        Question::Chpids => {
            let sheet = answer::chpids_sheet(trials);
            html! {
                <>
                    { sentences(&answer::chpids(trials)) }
                    { sheet::table(&sheet, "Link", None) }
                    { files(&sheet) }
                </>
            }
        }
        Question::Options => {
            let (sheet, claims) = (answer::options_sheet(trials), answer::claims_sheet(trials));
            html! {
                <>
                    { sentences(&answer::options(trials)) }
                    { sheet::table(&sheet, "VMRELOCATE", None) }
                    { sheet::table(&claims, "Which is", None) }
                    { files(&sheet) }
                </>
            }
        }
        Question::Transitions => {
            let sheet = answer::transitions_sheet(trials);
            html! {
                <>
                    { sentences(&answer::transitions(trials)) }
                    { sheet::table(&sheet, "Members", None) }
                    { files(&sheet) }
                </>
            }
        }
        _ => {
            let frame = |chart: zvmlab_lab::chart::Chart| {
                let id = chart.id;
                html! { <ChartFrame key={id} chart={Rc::new(chart)} /> }
            };
            html! {
                <>
                    <div class="charts">{ for charts::charts(question, trials).into_iter().map(frame) }</div>
                    { files(&charts::sheet(question, trials)) }
                </>
            }
        }
    }
}

/// The sentences of an answer, told to those who listen when they come.
fn sentences(said: &[String]) -> Html {
    html! {
        <div class="study-answer" role="status">
            { for said.iter().map(|sentence| html! { <p>{ sentence }</p> }) }
        </div>
    }
}

/// That there is nothing published to stand beside it.
fn lost(question: Question) -> &'static str {
    match question {
        Question::Options => {
            "IBM’s charts of this (25 Linux guests of 4 GB) are lost; its summary in words stands in the table. No figure is published here."
        }
        Question::Transitions => {
            "IBM measured four members, three of which went through the states all the time (6.2 deck, SSI Transition Measurement); what came of it is lost. No figure is published here."
        }
        Question::Link | Question::Chpids => {
            "IBM’s chart of CTC bandwidth is lost: only the five configurations and their capacity factors are known (6.2 deck, table 3). No figure is published here."
        }
        Question::Size => "IBM’s chart of virtual machine size is lost. No figure is published here.",
        Question::ChangeRate | Question::Breadth => {
            "IBM gives passes and memory moved of two guests of 100 GB (4 and 4.9 GB, 8 and 160 GB); its chart of times is lost. No time is published here."
        }
        Question::Destination | Question::Source | Question::Volumes => {
            "IBM’s chart of constrained members is lost, and no threshold of a throttle is published: those of the model are assumptions that knobs can move."
        }
    }
}
