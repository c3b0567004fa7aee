//! How the page is put together: header, bench, documents; or the bench alone where it is embedded.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::{Measurement, Scenario, Snapshot};

use super::App;
use crate::msg::Msg;
use crate::panels::adviser::Adviser;
use crate::panels::documents::{About, ModelDescription};
use crate::panels::intro::Intro;
use crate::panels::knobs::Knobs;
use crate::panels::live::{LiveBar, LiveProps};
use crate::panels::notices::Notices;
use crate::panels::published::PublishedPanel;
use crate::panels::result::ResultPanel;
use crate::panels::setup::Setup;
use crate::panels::shortcuts::Shortcuts;
use crate::panels::subjects::Subjects;
use crate::panels::validation::Validation;
use crate::views::study::StudyView;
use crate::views::study::moving::Moving;
use crate::views::{
    Cluster, ControlUnit, Evacuation, IsfcLink, Locks, MemberChoice, MemberScope, Minidisks, Overview, Paging, Processors,
    Prsm, Relocation, Scheduler, SchedulerCharts, Storage, StorbufStrip, ViewProps,
};
use zvmlab_lab::batch::study::Subject as Studied;
use zvmlab_lab::bench::VALIDATION_SEEDS;
use zvmlab_lab::bench::live::Phase;
use zvmlab_lab::comparison::Pair;
use zvmlab_lab::evidence::Evidence;
use zvmlab_lab::rooms::matters;
use zvmlab_lab::subjects::headline::{Lead, most_changed_first, shown};
use zvmlab_lab::subjects::{SHARES, pages};
use zvmlab_lab::words::number::{difference, value_of};

/// The rooms that have a view: id of the section, and its title. The room of the subject goes before the others.
const ROOMS: &[(&str, &str)] = &[
    ("overview", "Overview"),
    ("relocation", "Relocation"),
    ("what-if", "What if: runs around this host"),
    ("evacuation", "Evacuation: plan it"),
    ("isfc", "ISFC link"),
    ("cluster", "Cluster"),
    ("control-unit", "Control unit"),
    ("paging", "Paging"),
    ("minidisks", "Minidisks"),
    ("storage", "Storage"),
    ("scheduler", "Scheduler: who may run"),
    ("processors", "Processors"),
    ("prsm", "PR/SM"),
    ("locks", "Locks"),
];

/// Figures that the strip of a phone has room for.
const STRIP_MAX: usize = 2;

impl App {
    /// The whole page.
    pub(super) fn show(&self) -> Html {
        let embedded = self.link.query.embed;
        html! {
            <div class={classes!("page", embedded.then_some("embedded"))}>
                if !embedded { { self.header() } }
                <main id="bench" tabindex="-1">
                    <Notices notices={self.notices.clone()} on={self.on.clone()} />
                    if !embedded {
                        <Subjects subject={self.subject()} current={self.bench.current()} chosen={self.bench.run.clone()} />
                        <Intro scenario={Rc::new(self.bench.scenario.clone())} subject={self.subject()} run={self.bench.run.clone()} on={self.on.clone()} />
                    }
                    { self.bench_columns() }
                    if !embedded { { self.documents() } }
                </main>
                { self.strip() }
                <Shortcuts shown={self.keys.shown} used={self.keys.used} on={self.on.clone()} />
                <p class="hidden" role="status" aria-live="polite">{ &self.speech.text }</p>
                if !embedded {
                    <footer>
                        { "zvmlab is independent of IBM. z/VM and others are trademarks of IBM; " }
                        { self.go_button("about", "about, licence and sources") }
                    </footer>
                }
            </div>
        }
    }

    fn header(&self) -> Html {
        html! {
            <header>
                <button type="button" class="skip" onclick={self.on.reform(|_| Msg::GoTo("result-title"))}>{ "Skip to the result" }</button>
                <h1>{ "zvmlab" }<span class="subtitle">{ " the z/VM performance laboratory" }</span></h1>
                <nav aria-label="Rooms">
                    { for self.rooms_in_order().map(|(id, title)| self.go_button(id, title.split(':').next().unwrap_or(title))) }
                    { self.go_button("validation", "Validation") }
                    { self.go_button("model", "Model") }
                    { self.go_button("about", "About") }
                </nav>
                <button type="button" class="what" aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)"
                    onclick={self.on.reform(|_| Msg::ShowShortcuts(true))}>{ "?" }</button>
            </header>
        }
    }

    /// A button that leads to a section: the fragment of the address is taken by the state.
    fn go_button(&self, id: &'static str, title: &'static str) -> Html {
        html! { <button type="button" class="plain" onclick={self.on.reform(move |_| Msg::GoTo(id))}>{ title }</button> }
    }

    /// On a phone the parts stand one below the other in this order; wider screens have the knobs at the left.
    fn bench_columns(&self) -> Html {
        let scenario = Rc::new(self.bench.scenario.clone());
        html! {
            <div class="bench">
                { self.result() }
                <form class="knobs card" aria-label="Knobs" onsubmit={Callback::from(|event: SubmitEvent| event.prevent_default())}>
                    <Setup published={self.published.clone()} current={self.bench.current()} chosen={self.bench.run.clone()}
                        seed={self.bench.seed} seed_draft={self.seed_draft.clone()} replications={self.bench.replications}
                        on={self.on.clone()} />
                    <Knobs subject={self.subject()} {scenario} drafts={self.bench.drafts.clone()}
                        turned={self.bench.turned.clone()} problems={self.bench.problems.clone()} more={self.link.view.more}
                        on={self.on.clone()} />
                </form>
                if !self.link.query.embed { { self.published() }{ self.adviser() } }
                <LiveBar ..LiveProps::of(&self.runner.live, !self.bench.problems.is_empty(), self.on.clone()) />
                <div class="rooms">{ self.rooms() }</div>
            </div>
        }
    }

    /// The main figures, always in sight on a phone. The result says the same to those who hear the page.
    fn strip(&self) -> Html {
        let pairs = self.bench.pairs();
        let Some(settled) = &self.bench.settled else { return Html::default() };
        let mut leads = shown(&settled.scenario, self.subject(), &pairs);
        if self.subject() == SHARES {
            most_changed_first(&mut leads);
        }
        leads.truncate(STRIP_MAX);
        let stale = !self.bench.problems.is_empty();
        let lead = |(lead, pair): &(Lead, &Pair)| {
            let change = pair.before.zip(pair.now).and_then(|(before, now)| difference(before, now));
            html! { <span><b>{ value_of(pair.figure, pair.now) }</b>{ " " }<span class="unit">{ lead.short.clone() }</span>{ " " }<b>{ change }</b></span> }
        };
        html! {
            <div class={classes!("strip", stale.then_some("stale"))} aria-hidden="true">
                if stale { <span>{ "last" }</span> }
                { for leads.iter().map(lead) }
            </div>
        }
    }

    /// What best practice says of the host.
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
                replications={(self.bench.replications, self.bench.replications_known())} took={self.took()} copied={self.link.copied} link={self.link()}
                effect={self.effect()} scenario={Rc::new(self.bench.scenario.clone())} subject={self.subject()} on={self.on.clone()} />
        }
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
            // As many as there are of the result: those of equal seeds are set against each other.
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

    fn view_props(&self) -> ViewProps {
        let live = self.runner.live.phase != Phase::Off && !self.runner.live.history.is_empty();
        let series = || self.bench.settled.as_ref().map(|settled| settled.series.clone()).unwrap_or_default();
        let evidence = Evidence {
            history: if live { self.runner.live.history.clone() } else { series() },
            settled: self.bench.settled.clone(),
            pinned: self.bench.before.clone(),
            published: self.published.clone(),
            current_run: self.bench.settled.as_ref().and_then(|settled| zvmlab_lab::published::run_like(&settled.scenario)),
        };
        ViewProps { evidence }
    }

    /// The rooms as they stand one below the other.
    fn rooms_in_order(&self) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
        let first = self.subject().room;
        let is_first = move |(id, _): &&(&str, &str)| *id == first;
        let shown =
            |(id, _): &&(&str, &str)| *id == first || matters(id, &self.bench.scenario) && self.why_unused(id).is_none();
        let (firsts, others): (Vec<_>, Vec<_>) = ROOMS.iter().filter(shown).partition(is_first);
        firsts.into_iter().chain(others)
    }

    /// Why a host that is about the scheduler and processors, or about relocations, has no use for the room `id`. Where storage
    /// and devices are the matter, such a room says that itself.
    fn why_unused(&self, id: &str) -> Option<&'static str> {
        let scenario = &self.bench.scenario;
        if !self.subject().is_of_processors() && !self.subject().is_of_relocation() {
            return None;
        }
        let paged = self.bench.settled.as_ref().is_some_and(|settled| anybody_pages(&settled.snapshot));
        let (io, paging) = (scenario.does_io(), pages(scenario) || paged);
        match id {
            "control-unit" if !io && !paging => Some("no I/O"),
            "paging" if !paging => Some("all that is touched fits in storage"),
            "minidisks" if !io => Some("no guest does I/O"),
            _ => None,
        }
    }

    /// The rooms that the host has no use for, in a line.
    fn unused(&self) -> Option<String> {
        let unused = ROOMS.iter().filter_map(|(id, title)| Some(format!("{title} ({})", self.why_unused(id)?)));
        let unused: Vec<String> = unused.collect();
        (!unused.is_empty()).then(|| format!("Not used here: {}.", unused.join(", ")))
    }

    fn rooms(&self) -> Html {
        let props = self.view_props();
        html! {
            <MemberScope>
                { for self.rooms_in_order().map(|(id, title)| {
                    let props = props.clone();
                    html! {
                        <section class="room" id={format!("{id}-room")} aria-labelledby={*id} key={*id}>
                            <h2 id={*id} tabindex="-1">{ *title }</h2>
                            <MemberChoice room={*id} members={self.bench.scenario.cluster.members} />
                            { match *id {
                                "control-unit" => html! { <>{ self.study(Studied::SetCu) }<ControlUnit ..props /></> },
                                "relocation" => html! { <Relocation ..props /> },
                                "what-if" => self.moving(),
                                "evacuation" => self.evacuation(),
                                "isfc" => html! { <IsfcLink ..props /> },
                                "cluster" => html! { <Cluster ..props /> },
                                "paging" => html! { <Paging ..props /> },
                                "minidisks" => html! { <>{ self.study(Studied::GuestZhpf) }<Minidisks ..props /></> },
                                "storage" => html! { <Storage ..props /> },
                                "scheduler" => html! {
                                    <>
                                        { self.own_study(Studied::LimitHard, id) }
                                        <div>
                                            <StorbufStrip scenario={Rc::new(self.bench.scenario.clone())} on={self.on.clone()} />
                                            <Scheduler ..props.clone() />
                                        </div>
                                        { self.own_study(Studied::Storbuf, id) }
                                        <SchedulerCharts ..props />
                                    </>
                                },
                                "processors" => html! { <>{ self.own_study(Studied::Pldv, id) }<Processors ..props /></> },
                                "prsm" => html! { <>{ self.own_study(Studied::PrsmOverhead, id) }<Prsm ..props /></> },
                                "locks" => html! { <>{ self.own_study(Studied::SpinLock, id) }<Locks ..props /></> },
                                _ => html! { <><Overview ..props />{ self.sweep_card() }</> },
                            } }
                        </section>
                    }
                }) }
                if let Some(unused) = self.unused() { <p class="help unused">{ unused }</p> }
            </MemberScope>
        }
    }

    /// The same, where the room `id` is that of the subject: other hosts have such a room too, and nobody asks it there.
    fn own_study(&self, subject: Studied, id: &str) -> Html {
        if self.subject().room == id { self.study(subject) } else { Html::default() }
    }

    /// A study of what is on the bench. It runs by itself when the bench wants nothing run.
    fn study(&self, subject: Studied) -> Html {
        html! {
            <StudyView {subject} scenario={Rc::new(self.bench.scenario.clone())} seed={self.bench.seed} quiet={self.quiet()}
                settled={self.bench.settled.clone()} published={self.published.clone()} place={self.place} on={self.on.clone()} />
        }
    }

    /// Whether the bench wants nothing run: then studies are.
    fn quiet(&self) -> bool {
        self.bench.problems.is_empty() && !self.bench.is_turning() && !self.bench.queue.is_current_due()
    }

    /// What would change the relocation on the bench.
    fn moving(&self) -> Html {
        html! {
            <Moving scenario={Rc::new(self.bench.scenario.clone())} seed={self.bench.seed} quiet={self.quiet()}
                asked={self.link.view.study.clone()} copied={self.link.copied} place={self.place} on={self.on.clone()} />
        }
    }

    /// The plan of the evacuation on the bench.
    fn evacuation(&self) -> Html {
        html! {
            <Evacuation scenario={Rc::new(self.bench.scenario.clone())} seed={self.bench.seed} quiet={self.quiet()}
                asked={self.link.view.study.clone()} copied={self.link.copied} place={self.place} on={self.on.clone()} />
        }
    }

    fn documents(&self) -> Html {
        let known = |scenario: &Scenario| self.bench.measurements(scenario, VALIDATION_SEEDS).into_iter().cloned().collect();
        let measurements: Vec<Vec<Measurement>> = self.published.iter().map(|run| known(&run.scenario)).collect();
        html! {
            <>
                <Validation published={self.published.clone()} {measurements} wanted={self.validation_wanted.clone()} on={self.on.clone()} />
                <ModelDescription />
                <About />
            </>
        }
    }
}

/// Whether any member of the cluster has paged; the host, where there is none.
fn anybody_pages(snapshot: &Snapshot) -> bool {
    let others = snapshot.cluster.iter().flat_map(|cluster| &cluster.others);
    std::iter::once(snapshot).chain(others).any(|member| member.paging.ios.starts > 0)
}
