//! What would change a relocation. The reader asks one question at a time; whole runs around the scenario on the bench
//! answer it, in sentences and a table or in curves.

use std::rc::Rc;

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::scenario::quantity;

use super::row::ChartRow;
use super::study::progress::progress;
use super::study::sheet::{self, File};
use crate::chart::frame::ChartFrame;
use crate::msg;
use crate::runner::{News, PageRunner, around};
use crate::workers::Place;
use zvmlab_lab::batch::question::{Answer, QUESTIONS, Question, answer};
use zvmlab_lab::batch::runner::Around;
use zvmlab_lab::batch::sheet::Sheet;
use zvmlab_lab::batch::trials::Trials;
use zvmlab_lab::chart::Chart;
use zvmlab_lab::rooms::what_if as charts;

/// The data of the study.
#[derive(Clone, PartialEq, Properties)]
pub struct WhatIfProps {
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// The seed on the bench.
    pub seed: u64,
    /// Whether the bench wants nothing run.
    pub quiet: bool,
    /// The study that the address holds.
    pub asked: Option<String>,
    /// The longest stop that the address holds, in s.
    pub wanted_s: Option<f64>,
    /// Whether the browser copied the link, if the reader wanted it.
    pub copied: Option<bool>,
    /// The place where runs are made.
    pub place: Place,
    /// Told what the reader does.
    pub on: Callback<msg::Msg>,
}

impl WhatIfProps {
    /// The question: the one that the address holds, if the bench can ask it; otherwise the first one to ask.
    fn question(&self) -> &'static Question {
        let asked = self.asked.as_deref().and_then(Question::from_id);
        let may = |question: &&'static Question| question.lacking(&self.scenario).is_none();
        asked.filter(may).unwrap_or_else(|| Question::first_of(&self.scenario))
    }

    fn around(&self) -> Around<'_> {
        let asked_for = self.asked.as_deref() == Some(self.question().id);
        Around { asked_for, ..around(&self.scenario, self.seed, self.quiet) }
    }
}

/// Its events.
pub enum Msg {
    /// The reader wants no stop to take longer, in s, as typed.
    Target(String),
    /// The browser has news of its runs.
    News(News),
    /// The reader wants the remaining runs.
    GoOn,
    /// The reader wants no more runs.
    Stop,
    /// The reader wants a file of the answer.
    Save(File),
}

/// The reader's question, and its answer.
pub struct WhatIf {
    runner: PageRunner<Trials>,
    /// The longest stop that the reader wants, in s, as typed; empty where the reader does not say.
    wanted: String,
    /// The field in which it is typed.
    field: NodeRef,
}

impl Component for WhatIf {
    type Message = Msg;
    type Properties = WhatIfProps;

    fn create(ctx: &Context<Self>) -> Self {
        let runner = PageRunner::new("", ctx.props().place, ctx.link().callback(Msg::News));
        let wanted = in_field(ctx.props().wanted_s);
        let mut view = WhatIf { runner, wanted, field: NodeRef::default() };
        view.follow(ctx.props());
        view
    }

    fn changed(&mut self, ctx: &Context<Self>, _old: &WhatIfProps) -> bool {
        // Another link was opened.
        if ctx.props().wanted_s != self.target() {
            self.wanted = in_field(ctx.props().wanted_s);
        }
        self.follow(ctx.props());
        true
    }

    fn rendered(&mut self, _ctx: &Context<Self>, _first: bool) {
        // Not as its value: that would take away a number that is still being typed.
        let field = self.field.cast::<HtmlInputElement>();
        if let Some(field) = field.filter(|field| field.value() != self.wanted) {
            field.set_value(&self.wanted);
        }
    }

    fn update(&mut self, ctx: &Context<Self>, message: Msg) -> bool {
        let around = ctx.props().around();
        match message {
            Msg::Target(wanted) => {
                self.wanted = wanted;
                ctx.props().on.emit(msg::Msg::Want(self.target()));
            }
            Msg::News(news) => self.runner.hear(news, around),
            Msg::GoOn => self.runner.go_on(around),
            Msg::Stop => self.runner.stop(),
            Msg::Save(file) => {
                let question = ctx.props().question();
                if let Some((trials, sheet)) =
                    self.runner.batch().and_then(|trials| Some((trials, saved(question, trials)?)))
                {
                    sheet::save(question.id, file, &sheet, trials);
                }
                return false;
            }
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
            <section class="study what-if" data-study={question.id} data-fresh={fresh.to_string()} data-took-ms={took} aria-labelledby="what-if-title">
                { questions(props, question, self.target_field(ctx)) }
                <h3 class="hidden" id="what-if-title">{ question.title }</h3>
                { progress(runner, around, &stop, &go_on) }
                if let Some(trials) = runner.batch() {
                    { for trials.named_left_out().into_iter().map(|why| html! { <p class="help left-out">{ format!("Left out: {}.", why.trim_end_matches('.')) }</p> }) }
                    { for answer::target(trials, self.target()).map(|said| html! { <p class="target" role="status">{ said }</p> }) }
                    { shown(ctx, question, trials, self.target()) }
                }
                <p class="help">{ question.not_published }</p>
            </section>
        }
    }
}

/// The text of the field for a longest stop.
fn in_field(wanted_s: Option<f64>) -> String {
    wanted_s.map(|wanted| wanted.to_string()).unwrap_or_default()
}

impl WhatIf {
    /// The longest stop that the reader wants, in s.
    fn target(&self) -> Option<f64> {
        quantity::in_unit(&self.wanted, "s").filter(|target| *target > 0.0)
    }

    /// The field for the target.
    fn target_field(&self, ctx: &Context<Self>) -> Html {
        let oninput = ctx.link().callback(|event: InputEvent| {
            Msg::Target(event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default())
        });
        let refused = !self.wanted.is_empty() && self.target().is_none();
        html! {
            <>
                <label>
                    { "Longest stop wanted" }
                    <input type="text" inputmode="decimal" size="8" autocomplete="off" placeholder="500 ms" data-testid="target" ref={&self.field} {oninput} aria-invalid={refused.then_some("true")} />
                    if quantity::is_bare(&self.wanted) { { "s" } }
                </label>
                if refused { <span role="alert">{ format!("Longest stop wanted: {} given; a time of more than 0 s is allowed, such as 5 s or 500 ms.", self.wanted) }</span> }
            </>
        }
    }

    fn follow(&mut self, props: &WhatIfProps) {
        let question = props.question();
        if question.lacking(&props.scenario).is_some() {
            return self.runner.end();
        }
        self.runner.follow(question.id, props.around(), |_, known| {
            Trials::begin((*props.scenario).clone(), props.seed, question.made(&props.scenario), known)
        });
    }
}

/// The questions to choose from, in one row with the target for the stop. Each question that the bench cannot ask says why.
fn questions(props: &WhatIfProps, chosen: &'static Question, target: Html) -> Html {
    let choice = |question: &&'static Question| {
        let lacking = question.lacking(&props.scenario);
        let label = lacking.map_or(question.label.into(), |why| format!("{} (not here: {why})", question.label));
        html! { <option value={question.id} selected={*question == chosen} disabled={lacking.is_some()}>{ label }</option> }
    };
    let onchange = props.on.reform(move |event: Event| {
        let value = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default();
        msg::Msg::Ask(Question::from_id(&value).unwrap_or(chosen).id)
    });
    html! {
        <p class="questions">
            <label>
                { "What would change it?" }
                <select data-testid="what-if-question" {onchange}>{ for QUESTIONS.iter().map(choice) }</select>
            </label>
            { target }
        </p>
    }
}

/// The sheet that is saved of an answer: its first table, or the points of its curves.
fn saved(question: &Question, trials: &Trials) -> Option<Sheet> {
    match &question.answer {
        Answer::Tables { sheets, .. } => sheets.first().map(|(sheet, _)| sheet(trials)),
        Answer::Curves(curves) => Some(charts::sheet(question, curves, trials)),
    }
}

/// The answer, as far as the runs are known.
fn shown(ctx: &Context<WhatIf>, question: &'static Question, trials: &Trials, target: Option<f64>) -> Html {
    let (props, save) = (ctx.props(), ctx.link().callback(Msg::Save));
    let files = |sheet: &Sheet| sheet::files(question.id, sheet, &save, &props.on, props.copied);
    match &question.answer {
        Answer::Tables { told, sheets } => {
            let sheets: Vec<(Sheet, &'static str)> = sheets.iter().map(|(sheet, first)| (sheet(trials), *first)).collect();
            html! {
                <>
                    { sentences(&told(trials)) }
                    { for sheets.iter().map(|(sheet, first)| sheet::table(sheet, first, None)) }
                    { for sheets.first().map(|(sheet, _)| files(sheet)) }
                </>
            }
        }
        Answer::Curves(curves) => {
            let frame = |chart: Chart| {
                let id = chart.id;
                html! { <ChartFrame key={id} chart={Rc::new(chart)} /> }
            };
            html! {
                <>
                    <ChartRow charts={charts::charts(curves, trials, target).into_iter().map(frame).collect::<Vec<_>>()} />
                    { files(&charts::sheet(question, curves, trials)) }
                </>
            }
        }
    }
}

/// The sentences of an answer; screen readers announce them.
fn sentences(said: &[String]) -> Html {
    html! {
        <div class="study-answer" role="status">
            { for said.iter().map(|sentence| html! { <p>{ sentence }</p> }) }
        </div>
    }
}
