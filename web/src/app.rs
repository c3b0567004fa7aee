//! The page's state, and what each message does to it.

mod address;
mod author;
mod choosing;
mod console;
mod experiments;
mod height;
mod keys;
mod lessons;
mod listen;
mod live;
mod parent;
mod reader;
mod rooms;
mod screen;
mod sheets;
mod shelf;
mod sweep;
mod view;

use std::rc::Rc;

use gloo_events::EventListener;
use yew::prelude::*;
use zvmlab_lab::address::query;
use zvmlab_lab::bench::Bench;
use zvmlab_lab::lesson::list::LESSONS;
use zvmlab_lab::machine::Frame;
use zvmlab_lab::published::{PublishedRun, ready, runs};
use zvmlab_lab::subjects::Subject;

use crate::feed::Feed;
use crate::msg::Msg;
use crate::page;
use crate::panels::notices::Notice;
use crate::panels::under_way::UnderWay;
use crate::workers::{self, Place};
use address::Link;
use choosing::{Asked, Hand};
use experiments::{Experimenter, Speech, workers_at_once};
use keys::Keys;
use lessons::Lessons;
use listen::listeners;
use live::Runner;
use parent::Parent;
use reader::Reader;
use screen::Screen;
use shelf::Hosts;

/// The place where the page's jobs run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Properties)]
pub struct AppProps {
    /// In workers, except in tests.
    #[prop_or_default]
    pub place: Place,
}

/// The whole page.
pub struct App {
    /// Told of every event.
    on: Callback<Msg>,
    /// The place where jobs run.
    place: Place,
    /// Whether a reader is there. Before that, parts that nobody sees are not drawn.
    reader: Reader,
    /// Every published run; none before a reader is there.
    published: Rc<Vec<PublishedRun>>,
    /// The content of the address, and what the page writes to it.
    link: Link,
    /// The scenario that the knobs show, and its result.
    bench: Bench,
    /// The knob in hand.
    hand: Hand,
    /// Runs whole experiments.
    experimenter: Experimenter,
    /// Runs the live run.
    runner: Runner,
    /// Brings frames of the live run to the picture of the machine.
    feed: Feed<Frame>,
    /// Brings what is known of the experiment under way to the result.
    outcome: Feed<Rc<UnderWay>>,
    /// The sweep.
    sweeps: sweep::Sweeps,
    /// The words for screen readers and other listeners.
    speech: Speech,
    /// The shortcuts.
    keys: Keys,
    /// What lies over the page, and which knobs are shown.
    screen: Screen,
    /// The hosts that the reader keeps on this device.
    hosts: Hosts,
    /// The lesson that is open.
    lessons: Lessons,
    /// The lesson that a teacher writes.
    author: Option<author::Author>,
    /// The console.
    console: console::State,
    /// The page that embeds this one.
    parent: Parent,
    /// What the reader asked for beside the experiment.
    asked: Asked,
    _listeners: Vec<EventListener>,
    _height: Option<height::Watch>,
}

impl Component for App {
    type Message = Msg;
    type Properties = AppProps;

    fn create(ctx: &Context<Self>) -> Self {
        let on = ctx.link().callback(|message| message);
        let reader = Reader::awaited(&on);
        let published = Rc::new(if reader.is_there { runs() } else { Vec::new() });
        let examples = ready::examples().iter().map(|ready| ready.example.id);
        let ids: Vec<&str> = published.iter().map(|run| run.id.as_str()).chain(examples).collect();
        let lessons: Vec<&str> = LESSONS.iter().map(|plate| plate.id).collect();
        let query = query::parse(&page::search(), &ids, &lessons);
        let (linked, mut notices) = address::opened(&query);
        notices.extend(query.warnings.iter().map(|warning| Notice::warning(warning.clone())));
        let mut app = App {
            bench: Bench::new(linked.now, linked.pinned, linked.view.run.clone(), linked.view.replications),
            place: ctx.props().place,
            parent: Parent::new(&query),
            hand: Hand::default(),
            experimenter: Experimenter::default(),
            runner: Runner::new(),
            feed: Feed::default(),
            outcome: Feed::default(),
            sweeps: sweep::Sweeps::default(),
            speech: Speech::default(),
            keys: Keys::remembered(),
            screen: Screen { notices, ..Screen::default() },
            hosts: Hosts::remembered(),
            asked: Asked::default(),
            _listeners: listeners(&on, query.embed),
            _height: query.embed.then(|| height::watch(on.reform(|()| Msg::Grew))).flatten(),
            link: Link::new(query, linked.view),
            reader,
            published,
            lessons: Lessons::default(),
            author: None,
            console: console::State::default(),
            on,
        };
        app.bench.queue.employ(workers_at_once(app.place));
        app.start_experimenters();
        app.open_linked_lesson(true);
        app.pump();
        app
    }

    /// Handles each message. Returns whether the page looks different for it.
    fn update(&mut self, _ctx: &Context<Self>, message: Msg) -> bool {
        if matches!(message, Msg::Grew) {
            self.tell_height();
            return false;
        }
        let Some(message) = self.allowed(message) else { return true };
        match message {
            Msg::Arrive => self.greet(),
            Msg::TurnKnob { knob, given, done } => self.turn(knob, given, done),
            Msg::Command(line) => self.command(line),
            Msg::TurnTogether { turns, done } => self.turn_together(turns, done),
            Msg::Rest => self.rest(),
            Msg::FitLevel(turns) => self.fit_level(turns),
            Msg::Build(act) => self.build(act),
            Msg::AddGuests(index) => self.add_guests(index),
            Msg::AddKind(index) => self.add_kind(index),
            Msg::BeginHost(index) => self.begin_host(index),
            Msg::RemoveGuests(index) => self.remove_guests(index),
            Msg::ChooseRun(id) => self.choose(&id),
            Msg::OpenFile { file, text } => self.open_file(&file, text),
            Msg::PutScenario(scenario) => self.put_scenario(*scenario),
            Msg::Shelve(done) => self.shelve(done),
            Msg::ChangeSeed(text) => self.change_seed(text),
            Msg::TakeStep(step) => self.take_next_step(&step),
            Msg::Reset => self.reset(),
            Msg::Undo => self.undo(),
            Msg::Redo => self.redo(),
            Msg::Pin => self.pin(),
            Msg::TogglePin => self.toggle_pin(),
            Msg::Replicate(count) => self.replicate(count),
            Msg::Validate(source) => self.validate(source.as_deref()),
            Msg::Follow(better) => self.follow_advice(*better),
            Msg::ShowMore(more) => self.show_more(more),
            Msg::Learn(did) => self.learn(did),
            Msg::LeaveLesson => self.leave_lesson(),
            Msg::HearLesson { id, step, enters, text } => self.hear_lesson(&id, step, enters, text),
            Msg::Write(done) => self.write(done),
            Msg::OpenPart(room, only) => self.open_part(room, only),
            Msg::ShowAllKnobs => self.screen.only = None,
            Msg::GoTo(room) => self.go_to(room),
            Msg::Ask(study) => self.ask(study),
            Msg::Want(stop_s) => self.want(stop_s),
            Msg::Copy(what) => self.copy(what),
            Msg::Copied(what, copied) => self.link.copied = Some((what, copied)),
            Msg::ChangeAddress => self.open_address(),
            Msg::Sweep(done) => self.sweep(done),
            Msg::Watch => self.watch(),
            Msg::ToggleRun => self.toggle_run(),
            Msg::Step => self.step(),
            Msg::GoToTime(at_ns) => self.go_to_time(at_ns),
            Msg::EndLive => self.end_live(),
            Msg::ChangeSpeed(speed) => (self.runner.live.speed, self.runner.live.unasked) = (speed, false),
            Msg::Download(format) => self.download(format),
            Msg::Dismiss(index) => self.screen.dismiss(index),
            Msg::StopRun => self.stop_experiment(),
            Msg::TryAgain => self.try_again(),
            Msg::GoOnRun => self.go_on_with_experiment(),
            Msg::ShowSheet(sheet) => self.show_sheet(sheet),
            Msg::ShowShortcuts(shown) => self.keys.shown = shown,
            Msg::UseShortcuts(used) => self.keys.use_them(used),
            Msg::PressKey(key) => return self.press(&key),
            Msg::HearExperiment(number, heard) => return self.hear_experiment_of(number, heard),
            Msg::HearLive(number, heard) => return self.hear_live_of(number, heard),
            Msg::HearParent(event) => self.hear_parent(&event),
            Msg::Grew => {}
            Msg::Announce => self.announce_result(),
            Msg::LookAgain => return self.look_again(),
            Msg::Tick => return self.tick(),
        }
        true
    }

    fn view(&self, _ctx: &Context<Self>) -> Html {
        self.show()
    }

    fn rendered(&mut self, _ctx: &Context<Self>, first: bool) {
        if first {
            self.tell_ready();
        }
        self.experimenter.drawn(page::now_ms());
        workers::reader_goes_first(!self.quiet());
        if !self.reader.saw_result && self.bench.settled.is_some() {
            self.reader.saw_result = true;
            page::set_ready();
            self.go_to_linked_room();
            // As a message, so that the page shows at once that a live run is under way.
            self.on.emit(Msg::Watch);
        }
        self.keep_focus();
    }
}

impl App {
    /// The subject of the scenario on the bench; while a value is being entered, that with which this began.
    fn subject(&self) -> &'static Subject {
        let entered = self.hand.entered.filter(|(knob, _)| page::focused().is_some_and(|id| id.starts_with(&knob.id())));
        if let Some((_, subject)) = entered {
            return subject;
        }
        Subject::of(&self.bench.scenario, self.bench.run.as_deref())
    }

    /// The effect of the recommendation that was followed, as long as its result is shown.
    fn effect(&self) -> Option<String> {
        let shown = self.asked.followed.as_ref() == Some(&self.bench.key()) && self.bench.is_settled() && self.bench.pinned;
        shown.then(|| zvmlab_lab::subjects::headline::effect(&self.bench.scenario, self.subject(), &self.bench.pairs()))
    }
}
