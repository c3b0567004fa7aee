//! The lesson that is open: what the learner does in it, what it puts on the bench, and what may not be done meanwhile.

use std::rc::Rc;

use yew::platform::spawn_local;
use zvmlab_lab::address::query::is_lesson_id;
use zvmlab_lab::lesson::file::parse;
use zvmlab_lab::lesson::list::{plate, read, written};
use zvmlab_lab::lesson::play::{Did, Play};

use super::App;
use crate::msg::{Msg, Shelving};
use crate::page;
use crate::panels::lesson::{HEADING, WAY_ON};
use crate::panels::notices::Notice;

/// The folder of the lessons, relative to the page.
pub(super) const FOLDER: &str = "./static/lessons";

/// The browser stores how far a lesson is under this name, with its id behind it.
const REMEMBERED: &str = "zvmlab.lesson.";

/// The lesson that is open.
#[derive(Default)]
pub(super) struct Lessons {
    /// What the learner does in it.
    pub open: Option<Play>,
    /// Whether an address can name it: it came from the folder of the lessons, not from the reader.
    pub has_address: bool,
}

impl App {
    /// Opens the lesson that the address names, if it is not open. `from_query` says that the page has just been opened: the lesson
    /// that its parameters name then counts, too.
    pub(super) fn open_linked_lesson(&mut self, from_query: bool) {
        let linked = self.link.view.lesson.clone();
        let query = &self.link.query;
        let (id, step, enters) = match (&linked, &query.lesson) {
            (Some(place), _) => {
                let (id, step) = read(place);
                // A link says how its host stands. One that names no step leaves that to the lesson.
                (id.to_string(), step, step.is_none())
            }
            (None, Some(id)) if from_query => (id.clone(), query.step, true),
            _ => {
                self.tell_lesson_ends();
                self.lessons.open = None;
                return;
            }
        };
        if let (Some(play), Some(step)) = (&mut self.lessons.open, step)
            && play.lesson().id == id
        {
            play.jump(step);
            return;
        }
        match plate(&id) {
            Some(plate) => self.fetch_lesson(plate.file, id, step, enters),
            // A site or a course may have lessons of its own beside those that the page knows.
            None if is_lesson_id(&id) => self.fetch_lesson(&format!("{id}.toml"), id, step, enters),
            None => {
                self.link.view.lesson = None;
                self.screen
                    .notices
                    .push(Notice::warning(format!("The link names the lesson “{id}”. This page has no such lesson.")));
            }
        }
    }

    fn fetch_lesson(&self, file: &str, id: String, step: Option<usize>, enters: bool) {
        let (on, url) = (self.on.clone(), format!("{FOLDER}/{file}"));
        spawn_local(async move {
            let text = page::fetch_text(&url).await;
            on.emit(Msg::HearLesson { id, step, enters, text });
        });
    }

    /// The text of a lesson has come.
    pub(super) fn hear_lesson(&mut self, id: &str, step: Option<usize>, enters: bool, text: Result<String, String>) {
        let lesson = match text {
            Ok(text) => parse(&text),
            Err(why) => {
                let text = format!("The lesson “{id}” cannot be loaded: {why} Open it again to try once more.");
                return self.screen.notices.push(Notice::warning(text));
            }
        };
        match lesson {
            Ok(lesson) => {
                // A course knows how far its learner was. The device may be another one, or another learner's.
                let told = self.link.query.kept.take();
                let kept = told.or_else(|| page::remembered(&format!("{REMEMBERED}{id}"))).unwrap_or_default();
                let mut play = Play::resumed(Rc::new(lesson), &kept);
                if let Some(step) = step {
                    play.jump(step);
                }
                self.lessons.has_address = true;
                self.begin_lesson(play, enters);
            }
            Err(problems) => self.screen.notices.push(Notice::bad_lesson(id, &problems)),
        }
    }

    /// Opens a lesson that the reader brings as a file.
    pub(super) fn open_lesson_file(&mut self, file: &str, text: &str) {
        self.screen.notices.retain(|notice| !notice.is_bad_scenario());
        match parse(text) {
            Ok(lesson) => {
                self.lessons.has_address = false;
                self.begin_lesson(Play::new(Rc::new(lesson)), true);
            }
            Err(problems) => self.screen.notices.push(Notice::bad_lesson(file, &problems)),
        }
    }

    pub(super) fn begin_lesson(&mut self, play: Play, enters: bool) {
        self.bench.run = Some(play.lesson().host.clone());
        self.lessons.open = Some(play);
        if enters { self.enter_step() } else { self.note_step() }
    }

    /// The learner did something.
    pub(super) fn learn(&mut self, did: Did) {
        let Some(play) = &mut self.lessons.open else { return };
        let asked = open_controls(play);
        let is_new_step = play.act(did, &self.bench);
        let answered = !is_new_step && open_controls(play) != asked;
        if is_new_step {
            self.enter_step()
        } else {
            self.note_step()
        }
        if answered {
            page::focus(WAY_ON);
        }
        self.pump();
    }

    /// A step begins: its host goes to the bench, beside the one that it is compared with.
    fn enter_step(&mut self) {
        let Some((host, baseline)) = self.lessons.open.as_ref().map(Play::hosts) else { return };
        self.end_live();
        (self.screen.only, self.screen.sheet) = (None, None);
        if self.bench.pinned {
            self.bench.unpin();
        }
        self.bench.turned.clear();
        self.bench.open(baseline.clone(), self.bench.seed);
        if host != baseline {
            self.bench.put(host, self.bench.seed);
        }
        self.note_step();
        self.bench_changed();
        if !self.link.query.embed || self.reader.saw_result {
            page::focus(HEADING);
        }
    }

    /// Address and browser remember how far the lesson is. A lesson from a file has no address.
    fn note_step(&mut self) {
        let Some(play) = &self.lessons.open else { return };
        let id = play.lesson().id.clone();
        self.link.view.lesson = self.lessons.has_address.then(|| written(&id, play.at()));
        page::remember(&format!("{REMEMBERED}{id}"), &play.kept());
        self.write_address();
        self.tell_lesson();
    }

    /// Closes the lesson. The bench stays as it is.
    pub(super) fn leave_lesson(&mut self) {
        self.tell_lesson_ends();
        self.lessons.open = None;
        self.link.view.lesson = None;
        self.return_to_form();
        self.bench_changed();
    }

    /// The bench has changed, or a run has ended: the lesson looks whether its aim is reached, and asks for the runs that it needs.
    pub(super) fn follow_lesson(&mut self) {
        let Some(play) = &mut self.lessons.open else { return };
        let is_news = play.observe(&self.bench);
        let runs = play.runs(&self.bench);
        for (host, seed) in runs {
            self.bench.want_too(host, seed);
        }
        if is_news {
            self.note_step();
        }
    }

    /// The message, unless the lesson does not allow what it asks for. What opens another host closes the lesson.
    pub(super) fn allowed(&mut self, message: Msg) -> Option<Msg> {
        let Some(play) = &self.lessons.open else { return Some(message) };
        let is_start = || play.hosts().0 == self.bench.scenario;
        let may = match &message {
            Msg::TurnKnob { knob, .. } => play.opens(knob),
            Msg::TurnTogether { turns, .. } | Msg::FitLevel(turns) => turns.iter().all(|(knob, _)| play.opens(knob)),
            Msg::Build(act) => {
                act.turns(&self.bench.scenario).is_some_and(|turns| turns.iter().all(|(knob, _)| play.opens(knob)))
            }
            Msg::Undo => !is_start(),
            Msg::AddGuests(_)
            | Msg::AddKind(_)
            | Msg::RemoveGuests(_)
            | Msg::PutScenario(_)
            | Msg::TakeStep(_)
            | Msg::Follow(_)
            | Msg::Pin
            | Msg::TogglePin => false,
            Msg::OpenFile { .. } | Msg::ChooseRun(_) | Msg::BeginHost(_) | Msg::Shelve(Shelving::Open(_)) => {
                self.leave_lesson();
                true
            }
            _ => true,
        };
        may.then_some(message)
    }
}

/// Which controls take an answer: a prediction, what limits, a hint. When these change, the control that had the focus has gone.
fn open_controls(play: &Play) -> (bool, bool, bool) {
    (play.is_locked(), play.asks_for_limit(), play.offers_hint())
}
