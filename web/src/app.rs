//! The page: what its reader did comes in as a message, and is passed to the bench, the live run, the workers or the address.

mod address;
mod experiments;
mod listen;
mod live;
mod parent;
mod sweep;
mod view;

use std::collections::BTreeSet;
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use yew::{Callback, Component, Context, Html, Properties};
use zvmlab::scenario::fields::Kind;

use crate::msg::Msg;
use crate::page;
use crate::panels::notices::Notice;
use crate::panels::shortcuts;
use crate::workers::{Helper, Place};
use listen::listeners;
use parent::Parent;
use zvmlab_lab::address::View;
use zvmlab_lab::address::query::Query;
use zvmlab_lab::batch::queue::Key;
use zvmlab_lab::bench::Bench;
use zvmlab_lab::bench::live::Live;
use zvmlab_lab::knob::Knob;
use zvmlab_lab::published::{PublishedRun, runs};
use zvmlab_lab::subjects::Subject;

/// Where the page's jobs are done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Properties)]
pub struct AppProps {
    /// In workers, but for tests.
    #[prop_or_default]
    pub place: Place,
}

/// The whole page.
pub struct App {
    on: Callback<Msg>,
    place: Place,
    published: Rc<Vec<PublishedRun>>,
    query: Query,
    view: View,
    bench: Bench,
    live: Live,
    sweeps: sweep::Sweeps,
    notices: Vec<Notice>,
    experimenter: Option<Helper>,
    /// Numbers of the workers of experiments and of the live run: what is still heard of an earlier one is not for this one.
    experimenter_number: u64,
    runner_number: u64,
    runner: Option<Helper>,
    failures: u32,
    followed: Option<Key>,
    written: Option<Key>,
    hand: Option<Knob>,
    moved: Option<(Knob, f64)>,
    took_ms: f64,
    look_again: Option<Timeout>,
    tick: Option<Timeout>,
    announce: Option<Timeout>,
    rest: Option<Timeout>,
    announcement: String,
    seed_draft: Option<String>,
    copied: Option<bool>,
    validation_wanted: BTreeSet<String>,
    shortcuts_shown: bool,
    shortcuts_used: bool,
    parent: Parent,
    ready: bool,
    _listeners: Vec<EventListener>,
}

/// How long a knob that was not let go of must be still until what it says is meant, in milliseconds. Chosen: longer than the
/// pause between two digits.
const REST_MS: u32 = 1_000;
/// Under this name the browser remembers whether shortcuts are used.
const SHORTCUTS: &str = "zvmlab.shortcuts";

impl Component for App {
    type Message = Msg;
    type Properties = AppProps;

    fn create(ctx: &Context<Self>) -> Self {
        let published = Rc::new(runs());
        let examples = zvmlab_lab::published::ready::examples().iter().map(|ready| ready.example.id);
        let ids: Vec<&str> = published.iter().map(|run| run.id.as_str()).chain(examples).collect();
        let query = zvmlab_lab::address::query::parse(&page::search(), &ids);
        let (linked, mut notices) = address::opened(&query);
        notices.extend(query.warnings.iter().map(|warning| Notice::warning(warning.clone())));
        let on = ctx.link().callback(|message| message);
        let mut app = App {
            bench: Bench::new(linked.now, linked.pinned, linked.view.run.clone(), linked.view.replications),
            live: Live::new(),
            sweeps: sweep::Sweeps::default(),
            place: ctx.props().place,
            parent: Parent::new(&query),
            view: linked.view,
            experimenter: None,
            experimenter_number: 0,
            runner_number: 0,
            runner: None,
            failures: 0,
            followed: None,
            written: None,
            hand: None,
            moved: None,
            took_ms: 0.0,
            look_again: None,
            tick: None,
            announce: None,
            rest: None,
            announcement: String::new(),
            seed_draft: None,
            copied: None,
            validation_wanted: BTreeSet::new(),
            shortcuts_shown: false,
            shortcuts_used: page::remembered(SHORTCUTS).as_deref() != Some("off"),
            ready: false,
            _listeners: listeners(&on, query.embed),
            published,
            query,
            notices,
            on,
        };
        app.start_experimenter();
        app.pump();
        app
    }

    fn update(&mut self, _ctx: &Context<Self>, message: Msg) -> bool {
        match message {
            Msg::TurnKnob { knob, given, done } => {
                // A slider's turns follow each other; each word of a choice is meant.
                self.hand = Some(knob)
                    .filter(|knob| matches!(knob.field.kind, Kind::Whole { .. } | Kind::Tenths { .. } | Kind::Share { .. }));
                self.bench.turn(knob, given, done);
                self.turned(done);
            }
            Msg::TurnTogether { turns, done } => {
                self.hand = turns.first().map(|(knob, _)| *knob);
                self.bench.turn_all(turns, done);
                self.turned(done);
            }
            Msg::AddGuests(index) => {
                self.bench.add_guests(index);
                self.bench_changed();
                page::focus(&format!("knobs-guests-{}", self.bench.scenario.guests.len()));
            }
            Msg::RemoveGuests(index) => {
                self.bench.remove_guests(index);
                self.bench_changed();
                // The button that was pressed is gone by now.
                page::focus(&format!("knobs-guests-{}", index.max(1)));
            }
            Msg::Rest => {
                self.bench.rest();
                self.bench_changed();
            }
            Msg::FitLevel(turns) => {
                self.bench.turn_all(turns, true);
                self.bench_changed();
                // The button that was pressed is gone by now.
                page::focus("knob-level");
            }
            Msg::ChooseRun(id) => self.choose(&id),
            Msg::OpenScenario { file, text } => self.open_scenario(&file, &text),
            Msg::ChangeSeed(text) => self.change_seed(text),
            Msg::TakeStep(step) => {
                let mut scenario = self.bench.scenario.clone();
                step.take(&mut scenario);
                self.bench.put_named(scenario, self.bench.seed);
                self.bench_changed();
            }
            Msg::Reset => self.reset(),
            Msg::TogglePin => {
                if self.bench.pinned {
                    self.bench.unpin()
                } else {
                    self.bench.pin()
                }
                self.bench_changed();
            }
            Msg::Replicate(count) => {
                self.view.replications = count;
                self.bench.replicate(count);
                self.bench_changed();
            }
            Msg::ShowMore(more) => {
                self.view.more = more;
                self.write_address();
            }
            Msg::GoTo(room) => {
                self.view.room = Some(room.into());
                self.write_address();
                page::go_to(room);
            }
            Msg::Ask(study) => {
                // Whoever opens the link is to see the answer first.
                let room = if study == crate::views::evacuation::ID { study } else { "what-if" };
                (self.view.study, self.view.room) = (Some(study.into()), Some(room.into()));
                self.write_address();
            }
            Msg::Validate(source) => {
                let wanted = |run: &&PublishedRun| source.as_ref().is_none_or(|source| run.source_id == *source);
                self.validation_wanted.extend(self.published.iter().filter(wanted).map(|run| run.id.clone()));
                self.bench.validate(self.published.iter().filter(wanted));
                self.pump();
            }
            Msg::Follow(better) => {
                self.bench.pin();
                self.bench.put_named(*better, self.bench.seed);
                self.followed = Some(self.bench.key());
                self.bench_changed();
                page::go_to("result-title");
            }
            Msg::Sweep(done) => self.sweep(done),
            Msg::ToggleRun => self.toggle_run(),
            Msg::Step => self.step(),
            Msg::EndLive => self.end_live(),
            Msg::ChangeSpeed(speed) => self.live.speed = speed,
            Msg::CopyLink => self.copy_link(),
            Msg::Copied(copied) => self.copied = Some(copied),
            Msg::Download(format) => self.download(format),
            Msg::Dismiss(index) => {
                if index < self.notices.len() {
                    self.notices.remove(index);
                }
            }
            Msg::TryAgain => self.try_again(),
            Msg::ShowShortcuts(shown) => self.shortcuts_shown = shown,
            Msg::UseShortcuts(used) => {
                self.shortcuts_used = used;
                page::remember(SHORTCUTS, if used { "on" } else { "off" });
            }
            Msg::PressKey(key) => return self.press(&key),
            Msg::ChangeAddress => self.open_address(),
            Msg::HearExperiment(number, heard) => {
                if number == self.experimenter_number {
                    self.hear_experiment(heard);
                }
            }
            Msg::LookAgain => {
                self.pump();
                return false;
            }
            Msg::HearLive(number, heard) => {
                if number == self.runner_number {
                    self.hear_live(heard);
                }
            }
            Msg::Tick => {
                self.drive();
                return false;
            }
            Msg::Announce => self.announce_result(),
            Msg::HearParent(event) => self.hear_parent(&event),
        }
        true
    }

    fn view(&self, _ctx: &Context<Self>) -> Html {
        self.show()
    }

    fn rendered(&mut self, _ctx: &Context<Self>, _first: bool) {
        if !self.ready && self.bench.settled.is_some() {
            self.ready = true;
            page::set_ready();
            if let Some(room) = self.view.room.clone() {
                // A moment later: charts take their height when they have been drawn, and would push the room away.
                let go = if self.query.embed { page::scroll_to } else { page::go_to };
                gloo_timers::callback::Timeout::new(100, move || go(&room)).forget();
            }
            self.tell_ready();
        }
    }
}

impl App {
    /// What is on the bench is about.
    fn subject(&self) -> &'static Subject {
        Subject::of(&self.bench.scenario, self.bench.run.as_deref())
    }

    /// A knob was turned: one that was not let go of is meant as it stands when it has been still for a while.
    fn turned(&mut self, done: bool) {
        self.bench_changed();
        let on = self.on.clone();
        self.rest = (!done).then(|| Timeout::new(REST_MS, move || on.emit(Msg::Rest)));
    }

    /// What the advice that was followed did, as long as it is what is shown.
    fn effect(&self) -> Option<String> {
        let shown = self.followed.as_ref() == Some(&self.bench.key()) && self.bench.is_settled() && self.bench.pinned;
        shown.then(|| zvmlab_lab::subjects::headline::effect(&self.bench.scenario, self.subject(), &self.bench.pairs()))
    }

    /// A key was pressed outside of any field; whether the page shows something else for it.
    fn press(&mut self, key: &str) -> bool {
        if key == "?" {
            self.shortcuts_shown = true;
            return true;
        }
        match shortcuts::action(key).filter(|_| self.shortcuts_used && !self.shortcuts_shown) {
            Some(action) => {
                self.on.emit(action(&self.bench.scenario, self.subject(), self.bench.run.as_deref()));
                true
            }
            None => false,
        }
    }
}
