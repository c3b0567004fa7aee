//! The reader's choices: turned knobs, added guests, ready experiments, pins, replications, recommendations.

use std::collections::BTreeSet;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use zvmlab::Scenario;
use zvmlab::limit::Limits;
use zvmlab::scenario::fields::Kind;
use zvmlab_lab::batch::queue::Key;
use zvmlab_lab::knob::{Given, Knob};
use zvmlab_lab::lesson::play::Did;
use zvmlab_lab::machine::build::Act;
use zvmlab_lab::published::PublishedRun;
use zvmlab_lab::room::Anchor;
use zvmlab_lab::subjects::Subject;
use zvmlab_lab::subjects::next_step::NextStep;
use zvmlab_lab::template;

use super::App;
use crate::msg::Msg;
use crate::page;
use crate::panels::intro::POINT;
use crate::panels::notices::Notice;

/// How long a knob that was not let go must be still until its value counts, in milliseconds. Chosen: longer than the
/// pause between two digits.
const REST_MS: u32 = 1_000;

/// The knob that is being turned, and what is being typed.
#[derive(Default)]
pub struct Hand {
    /// The knob whose turns follow each other. They are one step of the browser's history.
    pub knob: Option<Knob>,
    /// The knob whose turn was last written to the address, and when.
    pub moved: Option<(Knob, f64)>,
    /// Due when the knob has been still for a while.
    rest: Option<Timeout>,
    /// The knob whose value is being entered, and the subject when that began. Another subject has its knobs in another order, and the
    /// field would be taken from under the reader's hands: what is typed next would be shortcuts.
    pub entered: Option<(Knob, &'static Subject)>,
    /// The field that had the focus when a turn made another subject.
    moved_focus: Option<String>,
    /// A text in the field of the seed that is no seed.
    pub seed_draft: Option<String>,
}

/// What the reader asked for beside the experiment.
#[derive(Default)]
pub struct Asked {
    /// The experiment that followed a recommendation.
    pub followed: Option<Key>,
    /// The published runs to be validated.
    pub validation: BTreeSet<String>,
}

impl App {
    /// A knob was turned. A slider's turns follow each other; each word of a choice counts alone.
    pub(super) fn turn(&mut self, knob: Knob, given: Given, done: bool) {
        let follows = matches!(knob.field.kind, Kind::Whole { .. } | Kind::Tenths { .. } | Kind::Share { .. });
        self.hand.knob = follows.then_some(knob);
        let subject = self.subject();
        self.hand.entered = (!done).then_some((knob, subject));
        self.bench.turn(knob, given, done);
        self.hand.moved_focus = if self.subject() == subject { None } else { page::focused() };
        self.turned(done);
    }

    /// Several knobs were turned as one.
    pub(super) fn turn_together(&mut self, turns: Vec<(Knob, Given)>, done: bool) {
        self.hand.knob = turns.first().map(|(knob, _)| *knob);
        self.bench.turn_all(turns, done);
        self.turned(done);
    }

    /// A part was added in the picture, or taken away. The picture may lag behind the bench, so the bench says what that makes.
    pub(super) fn build(&mut self, act: Act) {
        if let Some(turns) = act.turns(&self.bench.scenario) {
            self.turn_together(turns, true);
        }
    }

    /// The value of a knob that was not let go counts once the knob has been still for a while.
    fn turned(&mut self, done: bool) {
        self.bench_changed();
        let on = self.on.clone();
        self.hand.rest = (!done).then(|| Timeout::new(REST_MS, move || on.emit(Msg::Rest)));
    }

    /// The knob in hand has been still for a while.
    pub(super) fn rest(&mut self) {
        self.bench.rest();
        self.bench_changed();
    }

    /// Turns off what the level lacks.
    pub(super) fn fit_level(&mut self, turns: Vec<(Knob, Given)>) {
        self.bench.turn_all(turns, true);
        self.bench_changed();
        // The pressed button no longer exists.
        page::focus("knob-level");
    }

    /// Adds another group of guests, like the one at this place.
    pub(super) fn add_guests(&mut self, index: usize) {
        self.bench.add_guests(index);
        self.bench_changed();
        page::focus(&format!("knobs-guests-{}", self.bench.scenario.guests.len()));
    }

    /// Adds a guest of the kind at this place of the templates.
    pub(super) fn add_kind(&mut self, index: usize) {
        let Some(kind) = template::GUESTS.get(index) else { return };
        self.bench.add_group(kind.guest());
        self.bench_changed();
        page::focus(&format!("knobs-guests-{}", self.bench.scenario.guests.len()));
    }

    /// Puts the host of the template at this place on the bench.
    pub(super) fn begin_host(&mut self, index: usize) {
        let Some(host) = template::HOSTS.get(index) else { return };
        self.screen.only = None;
        self.bench.begin(host.scenario());
        self.bench_changed();
        self.hosts.said = Some(format!("{} is open. Save it under a name to keep it.", host.title));
    }

    /// Removes the group of guests at this place.
    pub(super) fn remove_guests(&mut self, index: usize) {
        self.bench.remove_guests(index);
        self.bench_changed();
        // The pressed button no longer exists.
        page::focus(&format!("knobs-guests-{}", index.max(1)));
    }

    /// Puts a ready experiment on the bench.
    pub(super) fn choose(&mut self, id: &str) {
        self.screen.only = None;
        self.bench.choose(id);
        self.bench_changed();
    }

    /// Takes the last step back.
    pub(super) fn undo(&mut self) {
        self.bench.undo();
        self.bench_changed();
    }

    /// Does again what was taken back last.
    pub(super) fn redo(&mut self) {
        self.bench.redo();
        self.bench_changed();
    }

    /// Puts the scenario of a file on the bench, or tells everything that is wrong with it.
    pub(super) fn open_scenario(&mut self, file: &str, text: &str) {
        self.screen.notices.retain(|notice| !notice.is_bad_scenario());
        match Scenario::parse(text) {
            Ok(scenario) => {
                self.screen.only = None;
                self.bench.open(scenario, self.bench.seed);
                self.bench_changed();
            }
            Err(error) => self.screen.notices.push(Notice::bad_scenario(file, &error)),
        }
    }

    /// Puts a scenario that the reader wrote on the bench.
    pub(super) fn put_scenario(&mut self, scenario: Scenario) {
        self.bench.put(scenario, self.bench.seed);
        self.bench_changed();
    }

    /// Takes another seed. A text that is no seed stays in its field, with what is wrong.
    pub(super) fn change_seed(&mut self, text: String) {
        match text.trim().parse() {
            Ok(seed) => {
                self.hand.seed_draft = None;
                self.bench.reseed(seed);
                self.bench_changed();
            }
            Err(_) => self.hand.seed_draft = Some(text),
        }
    }

    /// What limits the host on the bench; none as long as its run has not ended.
    pub(super) fn limits(&self) -> Option<Rc<Limits>> {
        self.bench.settled.as_ref().filter(|_| self.bench.is_settled()).map(|settled| settled.limits.clone())
    }

    /// Takes the step on offer.
    pub(super) fn take_next_step(&mut self, step: &NextStep) {
        let mut scenario = self.bench.scenario.clone();
        step.take(&mut scenario);
        self.bench.put_named(scenario, self.bench.seed);
        self.bench_changed();
        self.reader.stepped = true;
    }

    /// A field that moved has lost the focus, and gets it back. After the last step of a chain its button is gone. The focus then
    /// goes to the sentence in its place.
    pub(super) fn keep_focus(&mut self) {
        if let Some(id) = self.hand.moved_focus.take() {
            page::focus_again(id);
        }
        if !self.reader.stepped {
            return;
        }
        if page::focus_is_lost() && page::focus_at(POINT) {
            self.reader.stepped = false;
        }
        self.reader.stepped &= !self.bench.is_settled();
    }

    /// Returns to the chosen experiment, and ends the live run. In a lesson its step starts again.
    pub(super) fn reset(&mut self) {
        if self.lessons.open.is_some() {
            return self.learn(Did::Restart);
        }
        self.end_live();
        self.screen.only = None;
        self.hand.seed_draft = None;
        self.bench.reset();
        self.bench_changed();
    }

    /// Compares from here.
    pub(super) fn pin(&mut self) {
        self.bench.pin();
        self.bench_changed();
    }

    /// Compares from here, or again with the host as it was opened.
    pub(super) fn toggle_pin(&mut self) {
        if self.bench.pinned {
            self.bench.unpin()
        } else {
            self.bench.pin()
        }
        self.bench_changed();
    }

    /// Takes another number of replications.
    pub(super) fn replicate(&mut self, count: u32) {
        self.link.view.replications = count;
        self.bench.replicate(count);
        self.bench_changed();
    }

    /// Runs the published runs of a source, or all of them.
    pub(super) fn validate(&mut self, source: Option<&str>) {
        let wanted = |run: &&PublishedRun| source.is_none_or(|source| run.source_id == source);
        self.asked.validation.extend(self.published.iter().filter(wanted).map(|run| run.id.clone()));
        self.bench.validate(self.published.iter().filter(wanted));
        self.pump();
    }

    /// Shows the effect of a rule of best practice: the changed host, with the present one to compare.
    pub(super) fn follow_advice(&mut self, better: Scenario) {
        self.bench.pin();
        self.bench.put_named(better, self.bench.seed);
        self.asked.followed = Some(self.bench.key());
        self.bench_changed();
        page::go_to(Anchor::Result.id());
    }
}
