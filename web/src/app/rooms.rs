//! The rooms from top to bottom: the subject's room first, each room with its studies.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab_lab::evidence::Evidence;
use zvmlab_lab::published::run_like;
use zvmlab_lab::room::{Anchor, Room};
use zvmlab_lab::rooms::{in_order, why_unused};
use zvmlab_lab::studies::{STUDIES, Stand, StudyKind};

use super::App;
use crate::chart::linked::{MachineAt, TimeScope};
use crate::msg::Msg;
use crate::panels::later::Later;
use crate::views::study::StudyView;
use crate::views::{self, ChartRoom, Evacuation, MemberChoice, MemberScope, Overview, StorbufStrip, ViewProps, WhatIf};

/// How long rooms wait that are behind another, in milliseconds of wall time. Chosen: by then the open one has been drawn.
const HIDDEN_MS: u32 = 300;

/// The id of a room's tab.
pub(super) fn tab_of(room: Room) -> String {
    format!("tab-{}", room.id())
}

impl App {
    /// The evidence for the rooms.
    fn evidence(&self) -> Evidence {
        let live = self.runner.live.is_charted();
        let series = || self.bench.settled.as_ref().map(|settled| settled.series.clone()).unwrap_or_default();
        Evidence {
            history: if live { self.runner.live.history.clone() } else { series() },
            settled: self.bench.settled.clone(),
            pinned: self.bench.before.clone(),
            published: self.published.clone(),
            current_run: self.bench.settled.as_ref().and_then(|settled| run_like(&settled.scenario)),
        }
    }

    /// The rooms from top to bottom.
    pub(super) fn rooms_in_order(&self) -> Vec<Room> {
        let shown = self.bench.settled.as_ref().map(|settled| &settled.snapshot);
        in_order(&self.bench.scenario, self.subject(), shown)
    }

    /// The rooms that are of no use to the host, in a line.
    fn unused(&self) -> Option<String> {
        let shown = self.bench.settled.as_ref().map(|settled| &settled.snapshot);
        let why = |room: Room| why_unused(room, &self.bench.scenario, self.subject(), shown);
        let unused = Room::ALL.into_iter().filter_map(|room| Some(format!("{} ({})", room.title(), why(room)?)));
        let unused: Vec<String> = unused.collect();
        (!unused.is_empty()).then(|| format!("Not used here: {}.", unused.join(", ")))
    }

    /// Every room.
    pub(super) fn rooms(&self) -> Html {
        let props = ViewProps { evidence: self.evidence() };
        let members = self.bench.scenario.cluster.members;
        let rooms = self.rooms_in_order();
        let linked = |room: &&Room| self.link.view.room.as_deref() == Some(room.id());
        let open = rooms.iter().find(linked).or(rooms.first()).copied();
        let machine = self.machine_at();
        let section = |room: Room| {
            let id = room.id();
            let class = classes!("room", (Some(room) == open).then_some("open"));
            html! {
                <section {class} id={format!("{id}-room")} aria-labelledby={id} key={id}>
                    <h2 {id} tabindex="-1">{ room.title() }</h2>
                    if Some(room) == open || self.reader.is_there {
                        <MemberChoice {room} {members} />
                        <TimeScope {machine}><Later wait_ms={if Some(room) == open { 0 } else { HIDDEN_MS }}>{ self.inside(room, props.clone()) }</Later></TimeScope>
                    }
                </section>
            }
        };
        html! {
            <MemberScope>
                <nav class="rooms-nav" aria-label="Rooms">{ for rooms.iter().map(|room| self.room_button(*room, Some(*room) == open)) }</nav>
                { for rooms.iter().copied().map(section) }
                if let Some(settled) = self.bench.settled.as_ref().filter(|_| self.bench.replications > 1) {
                    <p class="help unused">{ format!("Charts show one of {} runs, that with seed {}.", self.bench.replications, settled.seed) }</p>
                }
                if let Some(unused) = self.unused() { <p class="help unused">{ unused }</p> }
            </MemberScope>
        }
    }

    /// Where the machine stands, in tenths of a second, unless the charts show how it came there.
    fn machine_at(&self) -> MachineAt {
        let live = &self.runner.live;
        let at = live.at.as_ref().filter(|_| !live.is_charted());
        MachineAt(at.map(|at| (at.now_ns / 100_000_000) as f64 / 10.0))
    }

    /// A button that opens a room.
    fn room_button(&self, room: Room, open: bool) -> Html {
        let onclick = self.on.reform(move |_| Msg::GoTo(Anchor::Room(room)));
        html! {
            <button key={room.id()} id={tab_of(room)} type="button" class="plain" aria-current={open.then_some("true")} {onclick}>{ room.name() }</button>
        }
    }

    /// The content of a room: its studies, what it shows of the model, its charts.
    fn inside(&self, room: Room, props: ViewProps) -> Html {
        let evidence = props.evidence.clone();
        let charts = || html! { <ChartRoom {room} evidence={evidence.clone()} /> };
        let (shown, charts) = match room {
            Room::Overview => {
                (html! { <><Overview ..props />if self.reader.is_there { { self.sweep_card() } }</> }, Html::default())
            }
            Room::WhatIf => (self.what_if(), Html::default()),
            Room::Evacuation => (self.evacuation(), Html::default()),
            Room::Scheduler => (self.scheduler(props), charts()),
            _ => (views::beside_charts(room, props), charts()),
        };
        html! { <>{ self.studies(room, Stand::First) }{ shown }{ self.studies(room, Stand::BeforeCharts) }{ charts }</> }
    }

    /// The scheduler's lists, under the numbers that decide who waits in them.
    fn scheduler(&self, props: ViewProps) -> Html {
        html! {
            <div>
                <StorbufStrip scenario={Rc::new(self.bench.scenario.clone())} on={self.on.clone()} />
                { views::beside_charts(Room::Scheduler, props) }
            </div>
        }
    }

    /// The studies that the page shows at this place of a room, for this subject.
    fn studies(&self, room: Room, stand: Stand) -> Html {
        let there = |kind: &&&'static StudyKind| kind.room == room && kind.stand == stand && kind.is_shown(self.subject());
        STUDIES.iter().filter(there).map(|kind| self.study(kind)).collect()
    }

    /// A study of the scenario on the bench. It runs by itself when the bench wants nothing run.
    fn study(&self, kind: &'static StudyKind) -> Html {
        html! {
            <StudyView key={kind.name} {kind} scenario={Rc::new(self.bench.scenario.clone())} seed={self.bench.seed} quiet={self.quiet()}
                settled={self.bench.settled.clone()} published={self.published.clone()} place={self.place} on={self.on.clone()} />
        }
    }

    /// Whether the bench wants nothing run. Studies then run.
    pub(super) fn quiet(&self) -> bool {
        self.bench.problems.is_empty() && !self.bench.is_turning() && !self.bench.queue.is_current_due()
    }

    /// The questions about the relocation on the bench.
    fn what_if(&self) -> Html {
        html! {
            <WhatIf scenario={Rc::new(self.bench.scenario.clone())} seed={self.bench.seed} quiet={self.quiet()} wanted_s={self.link.view.stop_s}
                asked={self.link.view.study.clone()} copied={self.link_copied()} place={self.place} on={self.on.clone()} />
        }
    }

    /// The plan of the evacuation on the bench.
    fn evacuation(&self) -> Html {
        html! {
            <Evacuation scenario={Rc::new(self.bench.scenario.clone())} seed={self.bench.seed} quiet={self.quiet()}
                asked={self.link.view.study.clone()} copied={self.link_copied()} place={self.place} on={self.on.clone()} />
        }
    }
}
