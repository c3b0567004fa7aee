//! The page: what its reader did comes in as a message, and is passed to the bench, the live run, the workers or the address.

mod address;
mod experiments;
mod listen;
mod live;
mod parent;
mod view;

use std::rc::Rc;

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use web_sys::MessageEvent;
use yew::{Callback, Component, Context, Html, Properties};

use crate::address::View;
use crate::bench::Bench;
use crate::export::Format;
use crate::knob::{Given, Knob};
use crate::live::Live;
use crate::page;
use crate::panels::notices::Notice;
use crate::panels::shortcuts;
use crate::published::{PublishedRun, runs};
use crate::query::Query;
use crate::words::NextStep;
use crate::workers::{Heard, Helper, Place};
use listen::listeners;
use parent::Parent;

pub use address::MODEL;

/// What happened, named by what the reader did where it was the reader.
#[derive(Clone, Debug)]
pub enum Msg {
    /// Turned a knob; `done` is false while it is dragged.
    TurnKnob {
        /// Which one.
        knob: Knob,
        /// To what.
        given: Given,
        /// Whether it was let go of.
        done: bool,
    },
    /// Chose a ready experiment.
    ChooseRun(String),
    /// Wrote another seed.
    ChangeSeed(String),
    /// Took the step that was offered.
    TakeStep(NextStep),
    /// Went back to the chosen experiment.
    Reset,
    /// Pinned the result, or let it go.
    TogglePin,
    /// Chose a number of replications.
    Replicate(u32),
    /// Opened or closed the further knobs.
    ShowMore(bool),
    /// Went to a room.
    GoTo(&'static str),
    /// Wanted every published run to be run.
    Validate,
    /// Started the live run, let it go on, or paused it.
    ToggleRun,
    /// Wanted one event.
    Step,
    /// Ended the live run.
    EndLive,
    /// Chose a speed.
    ChangeSpeed(f64),
    /// Wanted the link on the clipboard.
    CopyLink,
    /// The browser has copied it, or has not.
    Copied(bool),
    /// Wanted a file.
    Download(Format),
    /// Put a notice away.
    Dismiss(usize),
    /// Wanted another try after failures.
    TryAgain,
    /// Opened or closed the list of shortcuts.
    ShowShortcuts(bool),
    /// Switched the shortcuts on or off.
    UseShortcuts(bool),
    /// Pressed a key outside of any field.
    PressKey(String),
    /// Opened another link in this page.
    ChangeAddress,
    /// The worker of experiments has said something.
    HearExperiment(Heard),
    /// An experiment that is outdated may have run for too long.
    LookAgain,
    /// The worker of the live run has said something.
    HearLive(Heard),
    /// The live run is due.
    Tick,
    /// The message that those who listen should hear is due.
    Announce,
    /// The parent page has said something.
    HearParent(MessageEvent),
}

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
    notices: Vec<Notice>,
    experimenter: Option<Helper>,
    runner: Option<Helper>,
    failures: u32,
    took_ms: f64,
    look_again: Option<Timeout>,
    tick: Option<Timeout>,
    announce: Option<Timeout>,
    announcement: String,
    seed_draft: Option<String>,
    copied: Option<bool>,
    validation_wanted: bool,
    shortcuts_shown: bool,
    shortcuts_used: bool,
    parent: Parent,
    ready: bool,
    _listeners: Vec<EventListener>,
}

/// Under this name the browser remembers whether shortcuts are used.
const SHORTCUTS: &str = "zvmlab.shortcuts";

impl Component for App {
    type Message = Msg;
    type Properties = AppProps;

    fn create(ctx: &Context<Self>) -> Self {
        let published = Rc::new(runs());
        let ids: Vec<&str> = published.iter().map(|run| run.id.as_str()).collect();
        let query = crate::query::parse(&page::search(), &ids);
        let (linked, mut notices) = address::opened(&query, &published);
        notices.extend(query.warnings.iter().map(|warning| Notice::warning(warning.clone())));
        let on = ctx.link().callback(|message| message);
        let mut app = App {
            bench: Bench::new(linked.now, linked.pinned, linked.view.run.clone(), linked.view.replications),
            live: Live::new(),
            place: ctx.props().place,
            parent: Parent::new(&query),
            view: linked.view,
            experimenter: None,
            runner: None,
            failures: 0,
            took_ms: 0.0,
            look_again: None,
            tick: None,
            announce: None,
            announcement: String::new(),
            seed_draft: None,
            copied: None,
            validation_wanted: false,
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
                self.bench.turn(knob, given, done);
                self.bench_changed();
            }
            Msg::ChooseRun(id) => self.choose(&id),
            Msg::ChangeSeed(text) => self.change_seed(text),
            Msg::TakeStep(step) => {
                let mut scenario = self.bench.scenario.clone();
                step.take(&mut scenario);
                self.bench.put_named(scenario, self.bench.seed);
                self.bench_changed();
            }
            Msg::Reset => self.reset(),
            Msg::TogglePin => {
                if self.bench.pinned { self.bench.unpin() } else { self.bench.pin() }
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
            Msg::Validate => {
                self.validation_wanted = true;
                self.bench.validate(&self.published);
                self.pump();
            }
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
            Msg::HearExperiment(heard) => self.hear_experiment(heard),
            Msg::LookAgain => {
                self.pump();
                return false;
            }
            Msg::HearLive(heard) => self.hear_live(heard),
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

    fn rendered(&mut self, _ctx: &Context<Self>, first: bool) {
        if first && let Some(room) = self.view.room.clone() {
            page::go_to(&room);
        }
        if !self.ready && self.bench.settled.is_some() {
            self.ready = true;
            page::set_ready();
            self.tell_ready();
        }
    }
}

impl App {
    /// The address was changed in the page: what it says is opened, and what it cannot say is told.
    fn open_address(&mut self) {
        if page::fragment() == self.written_fragment() {
            return;
        }
        let (linked, notices) = address::opened(&self.query, &self.published);
        self.notices = notices;
        self.view = linked.view;
        self.live.end();
        let known = std::mem::take(&mut self.bench.results);
        self.bench = Bench::new(linked.now, linked.pinned, self.view.run.clone(), self.view.replications);
        self.bench.results = known;
        // The old bench's experiment, if one runs, is nobody's any more.
        self.start_experimenter();
        self.pump();
    }

    /// A key was pressed outside of any field; whether the page shows something else for it.
    fn press(&mut self, key: &str) -> bool {
        if key == "?" {
            self.shortcuts_shown = true;
            return true;
        }
        match shortcuts::action(key).filter(|_| self.shortcuts_used && !self.shortcuts_shown) {
            Some(action) => {
                self.on.emit(action(&self.bench.scenario));
                true
            }
            None => false,
        }
    }
}
