//! The plan of an evacuation: whether there is room, the user's plan tried against others, and which plan is better at what.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Scenario;

use super::study::progress::progress;
use super::study::sheet::{self, File};
use crate::msg;
use crate::runner::{News, PageRunner, around};
use crate::workers::Place;
use zvmlab_lab::batch::plan::{lacking, plans, taken, told};
use zvmlab_lab::batch::runner::Around;
use zvmlab_lab::batch::trials::Trials;
use zvmlab_lab::room::Room;

/// The name of the study in links.
pub const ID: &str = Room::Evacuation.id();

/// The data of the planner.
#[derive(Clone, PartialEq, Properties)]
pub struct EvacuationProps {
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// The seed on the bench.
    pub seed: u64,
    /// Whether the bench wants nothing run.
    pub quiet: bool,
    /// The study that the address holds.
    pub asked: Option<String>,
    /// Whether the browser copied the link, if the reader wanted it.
    pub copied: Option<bool>,
    /// The place where runs are made.
    pub place: Place,
    /// Told what the reader does.
    pub on: Callback<msg::Msg>,
}

impl EvacuationProps {
    fn around(&self) -> Around<'_> {
        let asked_for = self.asked.as_deref() == Some(ID);
        Around { asked_for, ..around(&self.scenario, self.seed, self.quiet) }
    }
}

/// Its events.
pub enum Msg {
    /// The browser has news of its runs.
    News(News),
    /// The reader wants the other plans tried.
    GoOn,
    /// The reader wants no more runs.
    Stop,
    /// The reader adopts a plan: which one.
    Take(usize),
    /// The reader wants a file.
    Save(File),
}

/// The planner.
pub struct Evacuation {
    runner: PageRunner<Trials>,
}

impl Component for Evacuation {
    type Message = Msg;
    type Properties = EvacuationProps;

    fn create(ctx: &Context<Self>) -> Self {
        let mut planner = Evacuation { runner: PageRunner::new("", ctx.props().place, ctx.link().callback(Msg::News)) };
        planner.follow(ctx.props());
        planner
    }

    fn changed(&mut self, ctx: &Context<Self>, _old: &EvacuationProps) -> bool {
        self.follow(ctx.props());
        true
    }

    fn update(&mut self, ctx: &Context<Self>, message: Msg) -> bool {
        let props = ctx.props();
        match message {
            Msg::News(news) => self.runner.hear(news, props.around()),
            Msg::GoOn => {
                self.runner.go_on(props.around());
                props.on.emit(msg::Msg::Ask(ID));
            }
            Msg::Stop => self.runner.stop(),
            Msg::Save(file) => {
                if let Some(trials) = self.runner.batch() {
                    sheet::save(ID, file, &told::plans_sheet(trials), trials);
                }
                return false;
            }
            Msg::Take(at) => {
                let plan = self.runner.batch().and_then(|trials| trials.runs.get(at));
                if let Some(plan) = plan {
                    props.on.emit(msg::Msg::Follow(Box::new(taken(&props.scenario, &plan.scenario))));
                }
            }
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        if let Some(why) = lacking(&props.scenario) {
            return html! { <p class="help study-none">{ format!("There is nothing to plan: {why}.") }</p> };
        }
        let (runner, around) = (self.runner.runner(), props.around());
        let fresh = runner.is_fresh(around);
        let took = runner.took_ms().filter(|_| fresh).map(|ms| format!("{ms:.0}"));
        let (stop, go_on) = (ctx.link().callback(|()| Msg::Stop), ctx.link().callback(|()| Msg::GoOn));
        let rooms = told::room_sheet(&props.scenario);
        html! {
            <section class="study evacuation" data-study={ID} data-fresh={fresh.to_string()} data-took-ms={took}>
                <h3>{ "Is there room?" }</h3>
                <div class="study-answer white-space">{ for told::white_space(&props.scenario).into_iter().map(|said| html! { <p>{ said }</p> }) }</div>
                { sheet::table(&rooms, "To", None) }
                <h3>{ "Your plan and others" }</h3>
                <p class="help">{ RULES }</p>
                { progress(runner, around, &stop, &go_on) }
                if let Some(trials) = runner.batch() {
                    { for trials.named_left_out().into_iter().map(|why| html! { <p class="help left-out">{ format!("Left out: {}.", why.trim_end_matches('.')) }</p> }) }
                    <div class="study-answer" role="status">{ for told::verdict(trials).into_iter().map(|said| html! { <p>{ said }</p> }) }</div>
                    { table(ctx, trials) }
                }
                <p class="help">{ "IBM advises: “Get the big rocks in first” and “The bucket gets heavier as you add water” (6.2 deck). No figure is published for either." }</p>
            </section>
        }
    }
}

/// The words for the other plans.
const RULES: &str = "Each other plan changes your order, your way or your destinations. Spread by white space: the group that has touched most goes to the member with most free frames, then the next group. All guests of a group go to one member.";

impl Evacuation {
    fn follow(&mut self, props: &EvacuationProps) {
        if lacking(&props.scenario).is_some() {
            return self.runner.end();
        }
        self.runner.follow(ID, props.around(), |_, known| {
            Trials::begin((*props.scenario).clone(), props.seed, plans(&props.scenario), known)
        });
    }
}

/// The table of the plans. Each plan except the user's has a button that adopts it.
fn table(ctx: &Context<Evacuation>, trials: &Trials) -> Html {
    let sheet = told::plans_sheet(trials);
    let act = |at: usize| {
        if at == 0 || trials.runs[at].known().is_none() {
            return Html::default();
        }
        html! {
            <button type="button" class="take-over" onclick={ctx.link().callback(move |_: MouseEvent| Msg::Take(at))}>
                { "Take over" }<span class="visually-hidden">{ format!(" {}", trials.runs[at].at.name) }</span>
            </button>
        }
    };
    let (save, on, copied) = (ctx.link().callback(Msg::Save), &ctx.props().on, ctx.props().copied);
    html! { <>{ sheet::table(&sheet, "Plan", Some(&act)) }{ sheet::files(ID, &sheet, &save, on, copied) }</> }
}
