//! The lesson that a teacher writes: what each action at its form does, and what the browser remembers of it.

use std::rc::Rc;

use yew::platform::spawn_local;
use zvmlab::scenario::Problem;
use zvmlab::{Figure, Scenario};
use zvmlab_lab::batch::queue::key;
use zvmlab_lab::knob::changes::{changes, nearest};
use zvmlab_lab::lesson::draft::{Act, Draft, said, table_of, turns_between};
use zvmlab_lab::lesson::list::plate;
use zvmlab_lab::lesson::play::Play;
use zvmlab_lab::lesson::trial::{Finding, Trial};
use zvmlab_lab::lesson::{Lesson, Turns};
use zvmlab_lab::published::ready::{is_ready, scenario_of};

use super::App;
use super::lessons::FOLDER;
use crate::msg::{Msg, Part, Taken, Writing};
use crate::page;

/// The browser stores the draft under this name.
const REMEMBERED: &str = "zvmlab.draft";

/// The draft before it, which is brought back after a slip.
const BEFORE: &str = "zvmlab.draft.before";

/// The heading of the form. It gets the focus when the form opens.
pub const FORM: &str = "author";

/// How many drafts before the present one can be brought back. Chosen: some 10 KB each.
const UNDO_MAX: usize = 100;

/// How many runs of a trial are asked for at once. Chosen: the reader's own runs come soon after.
const ASKED_AT_ONCE: usize = 4;

/// The form and its draft.
pub struct Author {
    /// Whether the form is on the page.
    pub shown: bool,
    /// The draft.
    pub draft: Rc<Draft>,
    /// The lesson as far as the draft can be read.
    pub lesson: Rc<Lesson>,
    /// Everything that is wrong with it.
    pub problems: Rc<Vec<Problem>>,
    /// The part of the form that is open.
    pub open: Part,
    /// What the last action did, or why it did nothing.
    pub said: String,
    /// The trial under way.
    pub trial: Option<Trial>,
    /// What the last trial of this draft found.
    pub findings: Option<Rc<Vec<Finding>>>,
    /// Whether the draft has changed since.
    pub stale: bool,
    /// The bench before the draft was played: A, the host, and the ready host that was chosen.
    bench: Option<(Scenario, Scenario, Option<String>)>,
    before: Vec<Rc<Draft>>,
    /// The entry that was written last: a word is one step back, not each of its letters.
    writing: Option<String>,
}

impl Author {
    fn new(draft: Draft) -> Author {
        let (lesson, problems) = draft.lesson();
        Author {
            shown: true,
            draft: Rc::new(draft),
            lesson: Rc::new(lesson),
            problems: Rc::new(problems),
            open: Part::Head,
            said: String::new(),
            trial: None,
            findings: None,
            stale: false,
            bench: None,
            before: Vec::new(),
            writing: None,
        }
    }

    /// Whether there is a draft before this one.
    pub fn has_before(&self) -> bool {
        !self.before.is_empty()
    }

    /// The draft becomes another one. The one before can be brought back.
    fn change(&mut self, draft: Draft, writing: Option<String>) {
        if *self.draft == draft {
            return;
        }
        let was = std::mem::replace(&mut self.draft, Rc::new(draft));
        if writing.is_none() || writing != self.writing {
            self.before.push(was);
            let surplus = self.before.len().saturating_sub(UNDO_MAX);
            self.before.drain(..surplus);
        }
        self.writing = writing;
        self.look();
    }

    fn undo(&mut self) {
        if let Some(before) = self.before.pop() {
            (self.draft, self.writing) = (before, None);
            self.look();
        }
    }

    /// Another lesson takes the place of the draft. The browser keeps the one before, too.
    fn replace(&mut self, draft: Draft) {
        page::remember(BEFORE, &self.draft.text());
        self.change(draft, None);
        (self.open, self.findings) = (Part::Head, None);
    }

    fn look(&mut self) {
        let (lesson, problems) = self.draft.lesson();
        (self.lesson, self.problems) = (Rc::new(lesson), Rc::new(problems));
        (self.trial, self.stale) = (None, true);
        self.said = match page::remember(REMEMBERED, &self.draft.text()) {
            true => String::new(),
            false => "The browser keeps nothing of this on this device. Save the file before you close the page.".into(),
        };
    }
}

impl App {
    /// Does what the teacher asked of the form.
    pub(super) fn write(&mut self, done: Writing) {
        if matches!(done, Writing::Begin) {
            return self.begin_to_write();
        }
        let fresh = matches!(done, Writing::New).then(|| self.fresh_draft());
        let Some(author) = &mut self.author else { return };
        match done {
            Writing::Begin => {}
            Writing::New => {
                author.replace(fresh.unwrap_or_else(|| (*author.draft).clone()));
                author.said = "A new lesson about the host on the bench. Undo brings the one before back.".into();
            }
            Writing::Copy(id) => {
                let Some(plate) = plate(&id) else { return };
                let on = self.on.clone();
                spawn_local(async move {
                    let text = page::fetch_text(&format!("{FOLDER}/{}", plate.file)).await;
                    on.emit(Msg::Write(Writing::Read { file: format!("“{}”", plate.title), text, is_copy: true }));
                });
            }
            Writing::Read { file, text, is_copy } => {
                match text.and_then(|text| Draft::opened(&text).map_err(|problem| said(&problem))) {
                    Ok(draft) => {
                        author.replace(if is_copy { draft.copied() } else { draft });
                        let what = if is_copy { "A copy of " } else { "" };
                        author.said = format!("{what}{file} is in the form. Undo brings back the lesson that was in it.");
                    }
                    Err(why) => author.said = format!("{file} cannot be read: {why}"),
                }
            }
            Writing::Did(act) => self.change_draft(&act),
            Writing::Show(part) => {
                author.open = part;
                if part != Part::None {
                    // The parts above it have closed: its head comes to the top.
                    page::scroll_to(&part.id());
                }
            }
            Writing::Take(what) => self.take(what),
            Writing::PutHost(step) => self.show_host_of(step),
            Writing::Play(step) => self.play_draft(step),
            Writing::Try => {
                if author.problems.is_empty() {
                    author.findings = None;
                    author.trial = Some(Trial::new(author.lesson.clone()));
                } else {
                    author.said = "The lesson can be tried once nothing is missing or wrong.".into();
                }
                self.pump();
            }
            Writing::StopTrying => author.trial = None,
            Writing::Undo => author.undo(),
            Writing::Save => {
                let name = format!("{}.toml", author.draft.id());
                author.said = match page::download(&name, "application/toml", &author.draft.text()) {
                    Some(()) => format!(
                        "{name} is saved. To play it, drop it on the page, or put it beside the lessons of your site."
                    ),
                    None => "The browser does not let this page save files.".into(),
                };
            }
            Writing::Close => author.shown = false,
        }
    }

    /// Opens the form with the lesson that was written here last, or with a new one.
    fn begin_to_write(&mut self) {
        if self.lessons.open.is_some() {
            self.leave_lesson();
        }
        match &mut self.author {
            Some(author) => author.shown = true,
            None => {
                let kept = page::remembered(REMEMBERED).and_then(|text| Draft::read(&text).ok());
                let is_kept = kept.is_some();
                let mut author = Author::new(kept.unwrap_or_else(|| self.fresh_draft()));
                let before = page::remembered(BEFORE).and_then(|text| Draft::read(&text).ok());
                author.before.extend(before.filter(|before| is_kept && *before != *author.draft).map(Rc::new));
                if is_kept {
                    author.said = "This is the lesson that you wrote here last.".into();
                }
                self.author = Some(author);
            }
        }
        page::focus(FORM);
    }

    /// A new lesson about the host on the bench: what was turned on it is what learners predict.
    fn fresh_draft(&self) -> Draft {
        let now = &self.bench.scenario;
        let near = || nearest(now, &self.published).map(|(run, _)| run.id.clone());
        let host = self.bench.run.clone().or_else(|| self.bench.current()).or_else(near).unwrap_or_default();
        let begun = scenario_of(&host).unwrap_or_default();
        let turns = turns_between(&begun, now).unwrap_or_default();
        let figure = self.bench.pairs().first().map_or(Figure::Etr, |pair| pair.figure);
        let limit = self.limits().and_then(|limits| limits.limit).map_or("", |kind| kind.word());
        Draft::begun(&host, &turns, figure, limit)
    }

    fn change_draft(&mut self, act: &Act) {
        let Some(author) = &mut self.author else { return };
        let mut draft = (*author.draft).clone();
        draft.act(act);
        let writing = if let Act::Put(place, _) = act { Some(place.clone()) } else { None };
        author.change(draft, writing);
        match act {
            Act::Duplicate(at) => author.open = Part::Step(at + 1),
            Act::AddStep(after, _) => author.open = Part::Step((after + 1).min(author.draft.steps().saturating_sub(1))),
            Act::Task(..) | Act::Predict(..) => {
                author.said = "What the other task needed is gone. Undo brings it back.".into();
            }
            Act::Remove(place) => {
                let removed = place.strip_prefix("/steps/").and_then(|at| at.parse::<usize>().ok());
                if let Some(removed) = removed {
                    author.said = format!("Step {} is gone. Undo brings it back.", removed + 1);
                    author.open = match author.open {
                        Part::Step(open) if open == removed => Part::None,
                        Part::Step(open) if open > removed => Part::Step(open - 1),
                        open => open,
                    };
                }
            }
            Act::Swap(at) => {
                author.open = match author.open {
                    Part::Step(open) if open == *at => Part::Step(at + 1),
                    Part::Step(open) if open == at + 1 => Part::Step(*at),
                    open => open,
                }
            }
            _ => {}
        }
    }

    /// Takes something from the bench into the form.
    fn take(&mut self, what: Taken) {
        let Some(author) = &mut self.author else { return };
        let (lesson, now) = (&author.lesson, &self.bench.scenario);
        let begun = scenario_of(&lesson.host).unwrap_or_default();
        let mut draft = (*author.draft).clone();
        let other = self.bench.run.as_ref().filter(|run| **run != lesson.host);
        // Two hosts differ in many knobs that nobody turned.
        let same = |from: &Scenario| match other {
            Some(run) => Err(format!(
                "The bench shows {run}, the lesson’s host is {}. Press “Show its host on the bench” first, then turn its knobs.",
                lesson.host
            )),
            None => turns_between(from, now),
        };
        let turned = |step: usize| -> Result<Turns, String> {
            let turns = same(&lesson.host(step))?;
            match turns.is_empty() {
                true => Err("The bench is the host of this step. Turn its knobs first, then take what you turned.".into()),
                false => Ok(turns),
            }
        };
        let taken = match what {
            Taken::Host => match self.bench.current().or_else(|| self.bench.run.clone()) {
                Some(id) => {
                    draft.act(&Act::Put("/host".into(), id.into()));
                    Ok(())
                }
                None => Err("The bench shows no published run and no example. A lesson begins with one of these.".into()),
            },
            Taken::Set(step) => same(&begun).map(|turns| {
                draft.act(&Act::Put(format!("/steps/{step}/set"), table_of(&turns)));
            }),
            Taken::Turn(step) => turned(step).map(|turns| {
                draft.act(&Act::Put(format!("/steps/{step}/turn"), table_of(&turns)));
            }),
            Taken::Way(step) => turned(step).map(|turns| draft.take_way(step, &turns)),
        };
        let from = match what {
            Taken::Host => now.clone(),
            Taken::Set(_) => begun,
            Taken::Turn(step) | Taken::Way(step) => lesson.host(step),
        };
        match taken {
            Ok(()) => {
                let changed = changes(&from, now);
                author.change(draft, None);
                author.said = if changed.is_empty() { "Taken.".into() } else { format!("Taken: {}.", changed.join("; ")) };
            }
            Err(why) => author.said = why,
        }
    }

    /// The host of a step goes to the bench.
    fn show_host_of(&mut self, step: usize) {
        let Some(author) = &self.author else { return };
        let (host, run) = (author.lesson.host(step), author.lesson.host.clone());
        if is_ready(&run) && host.check().is_ok() {
            (self.screen.only, self.bench.run) = (None, Some(run));
            self.bench.open(host, self.bench.seed);
            self.bench_changed();
        }
    }

    /// Plays the draft from a step on. Whoever leaves it comes back to the form.
    fn play_draft(&mut self, step: usize) {
        let Some(author) = &mut self.author else { return };
        if !author.problems.is_empty() {
            author.said = "The lesson can be played once nothing is missing or wrong.".into();
            return;
        }
        let mut play = Play::new(author.lesson.clone());
        play.jump(step);
        author.bench = Some((self.bench.a().clone(), self.bench.scenario.clone(), self.bench.run.clone()));
        self.lessons.has_address = false;
        self.begin_lesson(play, true);
    }

    /// The form is there again after its lesson was played, and so is the bench as the teacher left it.
    pub(super) fn return_to_form(&mut self) {
        let Some(author) = self.author.as_mut().filter(|author| author.shown) else { return };
        if let Some((a, now, run)) = author.bench.take() {
            self.bench.run = run;
            self.bench.open(a.clone(), self.bench.seed);
            if now != a {
                self.bench.put(now, self.bench.seed);
            }
        }
        page::focus(FORM);
    }

    /// A run has ended: the trial of the draft takes it, and asks for the next ones.
    pub(super) fn follow_trial(&mut self) {
        let Some(author) = &mut self.author else { return };
        let Some(trial) = &mut author.trial else { return };
        let results = &self.bench.results;
        trial.hear(|host, seed| {
            let settled = results.whole(&key(host, seed))?;
            Some((settled.measurement.clone(), settled.limits.limit))
        });
        if let Some(findings) = trial.findings() {
            (author.findings, author.stale) = (Some(Rc::new(findings)), false);
            author.trial = None;
            return;
        }
        let next: Vec<_> = trial.missing().iter().take(ASKED_AT_ONCE).cloned().collect();
        for (host, seed) in next {
            self.bench.want_too(host, seed);
        }
    }
}
