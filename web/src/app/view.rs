//! The layout of the page: header, bench, documents; only the bench if the page is embedded.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Measurement;
use zvmlab::experiment::Phase;
use zvmlab::limit::{Limits, ResourceKind};

use super::experiments::Experimenter;
use super::reader::stand_in;
use super::{App, author};
use crate::machine::Machine;
use crate::msg::{Copying, Msg, Sheet};
use crate::page;
use crate::panels::adviser::Adviser;
use crate::panels::author::Author;
use crate::panels::console::Console;
use crate::panels::documents::About;
use crate::panels::editor::Editor;
use crate::panels::intro::Intro;
use crate::panels::knobs::{Held, Knobs};
use crate::panels::later::{LET_PASS_MS, Later};
use crate::panels::lesson::Lesson;
use crate::panels::live::{LiveBar, LiveProps, Times};
use crate::panels::model::ModelDescription;
use crate::panels::notices::Notices;
use crate::panels::published::PublishedPanel;
use crate::panels::result::ResultPanel;
use crate::panels::setup::Setup;
use crate::panels::sheet::SheetHead;
use crate::panels::shelf::Hosts;
use crate::panels::shortcuts::Shortcuts;
use crate::panels::splitter::{Pane, Splitter};
use crate::panels::subjects::{Subjects, show_lessons};
use crate::panels::under_way::UnderWay;
use crate::panels::validation::Validation;
use zvmlab_lab::lesson::Task;
use zvmlab_lab::lesson::play::Play;
use zvmlab_lab::lesson::trial::Trial;
use zvmlab_lab::machine::Form;
use zvmlab_lab::room::Anchor;
use zvmlab_lab::words::limit::is_worth_a_line;

/// What a run uses, in the order of the kinds.
fn used(limits: &Limits) -> Vec<ResourceKind> {
    let used = limits.resources.iter().filter(|one| is_worth_a_line(one)).map(|one| one.kind);
    let mut used: Vec<ResourceKind> = used.collect();
    used.sort();
    used
}

/// Stands for the part with this id, which opens, before there is a reader.
fn closed(id: &'static str, class: &'static str, name: &'static str) -> Html {
    html! { <details id={stand_in(id)} {class}><summary>{ name }</summary></details> }
}

impl App {
    /// The whole page.
    pub(super) fn show(&self) -> Html {
        let embedded = self.link.query.embed;
        html! {
            <div class={classes!("page", embedded.then_some("embedded"))} onkeydown={self.closes_sheet()}>
                if !embedded { { self.header() }{ self.strip() } }
                <main id={page::BENCH} tabindex="-1">
                    <Notices notices={self.screen.notices.clone()} on={self.on.clone()} />
                    { self.bench_columns() }
                    if !embedded && self.reader.is_there { { self.documents() } }
                </main>
                if self.reader.is_there { <Shortcuts shown={self.keys.shown} used={self.keys.used} on={self.on.clone()} /> }
                <p class="hidden" role="status" aria-live="polite">{ &self.speech.text }</p>
                if !embedded {
                    <footer>
                        { "zvmlab is independent of IBM. z/VM and others are trademarks of IBM; " }
                        { self.go_button(Anchor::Validation, "all published runs beside the model") }
                        { " · " }{ self.go_button(Anchor::Model, "the model") }
                        { " · " }{ self.go_button(Anchor::About, "about, licence and sources") }
                    </footer>
                }
            </div>
        }
    }

    fn header(&self) -> Html {
        html! {
            <header>
                <button type="button" class="skip" onclick={self.on.reform(|_| Msg::GoTo(Anchor::Result))}>{ "Skip to the result" }</button>
                <button type="button" class="skip" onclick={self.on.reform(|_| Msg::ShowSheet(Some(Sheet::Knobs)))}>{ "Skip to the knobs" }</button>
                <h1>{ "zvmlab" }<span class="subtitle">{ " the z/VM performance laboratory" }</span></h1>
                <Subjects subject={self.subject()} current={self.bench.current()} chosen={self.bench.run.clone()} on={self.on.clone()} />
                <nav aria-label="Places">
                    <span class="to-room">{ for self.rooms_in_order().into_iter().map(|room| self.go_button(Anchor::Room(room), room.name())) }</span>
                    <button type="button" class="plain" onclick={Callback::from(|_: MouseEvent| show_lessons())}>{ "Lessons" }</button>
                    { self.go_button(Anchor::Validation, "Validation") }
                    { self.go_button(Anchor::Model, "Model") }
                    { self.go_button(Anchor::About, "About") }
                </nav>
                <button type="button" class="what" aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)"
                    onclick={self.on.reform(|_| Msg::ShowShortcuts(true))}>{ "?" }</button>
            </header>
        }
    }

    /// A button that leads to a section: the fragment of the address is taken by the state.
    fn go_button(&self, to: Anchor, title: &'static str) -> Html {
        html! { <button type="button" class="plain" onclick={self.on.reform(move |_| Msg::GoTo(to))}>{ title }</button> }
    }

    /// Below each other in this order where there is little room. Wider screens have the knobs at the left; a phone has the knobs
    /// and the outcome in sheets.
    fn bench_columns(&self) -> Html {
        let scenario = Rc::new(self.bench.scenario.clone());
        // In a sheet the knobs come first, also for the keyboard; what stands behind them is in the catalogue too.
        let (mut above, mut below) = (self.setup(), Html::default());
        if self.screen.sheet == Some(Sheet::Knobs) {
            std::mem::swap(&mut above, &mut below);
        }
        html! {
            <div class={classes!("bench", self.lessons.open.as_ref().is_some_and(Play::hides_limit).then_some("hides-limit"))}>
                { self.machine() }
                <div class="outcome">
                    if let Some(play) = &self.lessons.open { { self.lesson_card(play) } } else if let Some(author) = self.author.as_ref().filter(|author| author.shown) { { self.author_form(author) } } else {
                    <Intro scenario={Rc::new(self.bench.scenario.clone())} subject={self.subject()} run={self.bench.run.clone()} limits={self.limits()}
                        embedded={self.link.query.embed} on={self.on.clone()} />
                    }
                    <div id="outcome" class={classes!("findings", self.openness(Sheet::Outcome))}>
                        <SheetHead id={Sheet::Outcome.head()} name="Outcome" on={self.on.clone()} />
                        { self.result() }
                        if !self.reader.is_there { { closed("console", "console card", "CP console") } } else {
                        if !self.lessons.open.as_ref().is_some_and(Play::is_asking) {
                            <Console scenario={scenario.clone()} transcript={self.console.transcript.clone()} on={self.on.clone()} />
                        }
                        <Later wait_ms={self.lets_pass()}>
                            if !self.lessons.open.as_ref().is_some_and(Play::is_asking) { { self.published() } }
                            if !self.link.query.embed && self.lessons.open.is_none() { { self.adviser() } }
                        </Later>
                        }
                    </div>
                </div>
                if !self.link.query.embed { { self.dock() } }
                <form id="knobs" tabindex="-1" class={classes!("knobs", "card", self.openness(Sheet::Knobs))} aria-label="Knobs" onsubmit={Callback::from(|event: SubmitEvent| event.prevent_default())}>
                    <SheetHead id={Sheet::Knobs.head()} name="Knobs" on={self.on.clone()} />
                    { above }
                    if !self.reader.is_there { { closed("shelf", "shelf", "My hosts") }{ closed("editor", "editor", "As text") } } else if !self.link.query.embed && self.lessons.open.is_none() {
                        <Hosts shelf={self.hosts.shelf.clone()} said={self.hosts.said.clone()} undo={self.hosts.before.is_some()}
                            name={self.bench.scenario.name.clone()} on={self.on.clone()} />
                        <Editor scenario={scenario.clone()} on={self.on.clone()} />
                    }
                    <Knobs subject={self.subject()} {scenario} drafts={self.bench.drafts.clone()}
                        turned={self.bench.turned.clone()} problems={self.bench.problems.clone()} more={self.link.view.more}
                        a={Rc::new(self.bench.a().clone())} ways={self.bench.steps()} only={self.screen.only.clone()}
                        chosen={self.link.query.knobs.clone()} held={self.held()} on={self.on.clone()} />
                    { below }
                </form>
                if !self.link.query.embed { { for [Pane::Knobs, Pane::Machine, Pane::Outcome].map(|pane| html! { <Splitter {pane} /> }) } }
                if self.lessons.open.as_ref().is_some_and(Play::is_asking) {
                    <p class="rooms help card">{ "Charts and published figures are hidden while you predict." }</p>
                } else {
                    <div class="rooms"><Later wait_ms={self.lets_pass()}>{ self.rooms() }</Later></div>
                }
            </div>
        }
    }

    /// How long charts and tables may wait: until the first figures of an experiment have had their time.
    fn lets_pass(&self) -> u32 {
        if self.bench.queue.is_current_due() && self.bench.settled.is_some() { LET_PASS_MS } else { 0 }
    }

    /// Which host is open, with its seed and replications. A lesson has its own.
    fn setup(&self) -> Html {
        if self.lessons.open.is_some() {
            return Html::default();
        }
        html! {
            <Setup published={self.published.clone()} current={self.bench.current()} chosen={self.bench.run.clone()}
                seed={self.bench.seed} seed_draft={self.hand.seed_draft.clone()} replications={self.bench.replications}
                on={self.on.clone()} />
        }
    }

    /// The lesson in the place of the introduction.
    fn lesson_card(&self, play: &Play) -> Html {
        let at_end = play.step().is_none();
        let limits = self.limits().filter(|_| play.asks_for_limit());
        let open = play.step().and_then(|step| step.task.goal()).map(|goal| goal.open.iter());
        html! {
            <Lesson play={play.clone()} may_go_on={play.may_go_on(&self.bench)} wanted={play.wanted(&self.bench)}
                revealed={play.step().filter(|step| step.task == Task::Reveal).and_then(|_| play.revealed(&self.bench))}
                outcomes={if at_end { play.outcomes(&self.bench) } else { Vec::new() }}
                score={if at_end { play.score(&self.bench) } else { (0.0, 0.0) }}
                resources={limits.map_or(Vec::new(), |limits| used(&limits))} busy={self.bench.queue.is_current_due()}
                open={open.into_iter().flatten().map(|knob| knob.named(&self.bench.scenario)).collect::<Vec<_>>()}
                is_chosen={self.link.query.embed && self.link.query.lesson.is_some()} on={self.on.clone()} />
        }
    }

    /// The form of the lesson that a teacher writes, in the same place.
    fn author_form(&self, author: &author::Author) -> Html {
        // The bench may show another machine than that of the lesson.
        let is_host = self.bench.run.as_ref().is_none_or(|run| *run == author.lesson.host);
        let settled = self.bench.settled.as_ref().filter(|_| self.bench.is_settled() && is_host);
        let now = settled.map(|settled| settled.measurement.clone());
        let resources = settled.map_or(Vec::new(), |settled| used(&settled.limits));
        html! {
            <Author draft={author.draft.clone()} lesson={author.lesson.clone()} problems={author.problems.clone()} open={author.open}
                said={author.said.clone()} trial={author.trial.as_ref().map(Trial::way)} findings={author.findings.clone()} stale={author.stale} {resources}
                has_before={author.has_before()} published={self.published.clone()} {now} on={self.on.clone()} />
        }
    }

    /// What a lesson lets the reader turn.
    fn held(&self) -> Option<Rc<Held>> {
        let play = self.lessons.open.as_ref()?;
        let open = play.step().and_then(|step| step.task.goal()).map(|goal| goal.open.clone()).unwrap_or_default();
        Some(Rc::new(Held { open, why: play.why_locked() }))
    }

    /// The picture of the machine with its transport.
    fn machine(&self) -> Html {
        let asks = self.lessons.open.as_ref().is_some_and(Play::asks_for_limit);
        let hides = self.lessons.open.as_ref().is_some_and(Play::hides_limit);
        let limit = self.limits().and_then(|limits| limits.limit).filter(|_| !hides);
        html! {
            <Machine frame={self.frame()} feed={self.feed.clone()} form={Form::of(self.subject())} limits={limit} {asks} held={self.lessons.open.is_some()} on={self.on.clone()}>
                <LiveBar ..LiveProps::of(&self.runner.live, self.bench.settled.as_deref().map(Times::of), !self.bench.problems.is_empty(), self.on.clone()) />
            </Machine>
        }
    }

    /// The rules of best practice for the host.
    fn adviser(&self) -> Html {
        match &self.bench.settled {
            Some(settled) => {
                html! { <Adviser settled={settled.clone()} old={!self.bench.is_settled()} on={self.on.clone()} /> }
            }
            None => Html::default(),
        }
    }

    fn result(&self) -> Html {
        let refused = !self.bench.problems.is_empty();
        html! {
            <ResultPanel settled={self.bench.settled.clone()} before={self.bench.before.clone()} pairs={self.bench.pairs()}
                pinned={self.bench.pinned} busy={self.bench.queue.is_current_due()} {refused}
                is_a={self.bench.shows_baseline()} replications={(self.bench.replications, self.bench.replications_known())} took={self.took()} under_way={self.under_way()} feed={self.outcome.clone()} stopped={self.experimenter.stopped} copied={self.link.copied} not_copied={self.not_copied()}
                effect={self.effect()} hides_limit={self.lessons.open.as_ref().is_some_and(Play::hides_limit)} scenario={Rc::new(self.bench.scenario.clone())} subject={self.subject()} on={self.on.clone()} />
        }
    }

    /// What the browser would not put on the clipboard, for the reader to take.
    fn not_copied(&self) -> Option<String> {
        match self.link.copied? {
            (_, true) => None,
            (Copying::Link, false) => Some(self.link()),
            (Copying::Frame, false) => Some(self.frame_code()),
        }
    }

    /// What is known of the experiment under way.
    pub(super) fn under_way(&self) -> Rc<UnderWay> {
        let Experimenter { told, so_far, early, .. } = &self.experimenter;
        Rc::new(UnderWay {
            number: *told,
            so_far: so_far.clone(),
            early: early.as_ref().map(|(_, early)| self.bench.early_pairs(early)),
            warms: early.as_ref().is_some_and(|(phase, _)| *phase == Phase::WarmUp),
        })
    }

    /// How long the last experiment took.
    fn took(&self) -> Option<String> {
        let simulated_s = self.bench.settled.as_ref().map(|settled| settled.measurement.to_s)?;
        (self.experimenter.took_ms > 0.0)
            .then(|| format!("{simulated_s:.0} simulated s in {:.0} ms", self.experimenter.took_ms))
    }

    fn published(&self) -> Html {
        let Some(settled) = &self.bench.settled else { return Html::default() };
        let measurements: Vec<Measurement> = self.bench.shown().into_iter().cloned().collect();
        let before = self.bench.before.as_ref().and_then(|before| {
            // As many as the result has. Replications of equal seeds are compared.
            let seeds = self.bench.seed..self.bench.seed.saturating_add(measurements.len() as u64);
            let known = self.bench.measurements(&before.scenario, seeds).into_iter().cloned().collect();
            Some((zvmlab_lab::published::run_like(&before.scenario)?, known))
        });
        html! {
            <PublishedPanel published={self.published.clone()} run={zvmlab_lab::published::run_like(&settled.scenario)}
                scenario={Rc::new(settled.scenario.clone())} {measurements} {before} subject={self.subject()} begun={self.bench.run.clone()}
                on={self.on.clone()} />
        }
    }

    fn documents(&self) -> Html {
        let measurements = self.bench.validated(&self.published);
        html! {
            <>
                <Validation published={self.published.clone()} {measurements} wanted={self.asked.validation.clone()} on={self.on.clone()} />
                <ModelDescription wanted={self.link.section} />
                <About />
            </>
        }
    }
}
