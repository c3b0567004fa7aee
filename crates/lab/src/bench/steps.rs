//! Undo and redo on the bench, the browser's ways back and forth among them, and each step in words.

use super::Bench;
use super::history::Was;
use crate::address::{Experiment, Linked, View};
use crate::knob::changes::changes;

/// What leads from one experiment to another, in words.
fn step(from: &Experiment, to: &Experiment) -> String {
    let changes = changes(&from.scenario, &to.scenario);
    match &changes[..] {
        [] if from.seed != to.seed => format!("seed {} → {}", from.seed, to.seed),
        [] => format!("name {} → {}", from.scenario.name, to.scenario.name),
        [only] => only.clone(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

impl Bench {
    /// What would be taken back, and what would be done again, in words: `HyperPAV aliases 0 → 4`.
    pub fn steps(&self) -> (Option<String>, Option<String>) {
        if let Some(draft) = self.drafts.last() {
            return (Some(format!("the entry of {}", draft.knob.label(&self.scenario))), None);
        }
        let now = Experiment { scenario: self.scenario.clone(), seed: self.seed };
        let (undo, redo) = self.history.next();
        let opened = self.baseline.opened();
        // Where another host was opened, its name says more than all that differs.
        let words = |was: &Was, from: &Experiment, to: &Experiment| match was.opened == *opened {
            true => step(from, to),
            false => format!("opening {}", to.scenario.name),
        };
        (undo.map(|was| words(was, &was.now, &now)), redo.map(|was| words(was, &now, &was.now)))
    }

    /// Takes the last step back. Entries that are no values go first.
    pub fn undo(&mut self) {
        if !self.drafts.is_empty() {
            return self.put(self.scenario.clone(), self.seed);
        }
        let to = self.history.undo();
        self.put_back(to);
    }

    /// Does again what was taken back last.
    pub fn redo(&mut self) {
        let to = self.history.redo();
        self.put_back(to);
    }

    /// Goes to the step of its history that has this experiment, as undo or redo would. Returns whether there is one.
    pub fn travel(&mut self, to: &Experiment, run: Option<&str>) -> bool {
        let step = self.history.travel(to, run);
        let found = step.is_some();
        self.put_back(step);
        found
    }

    /// Opens what a link holds, in place of all that is on the bench. It can be taken back.
    pub fn open_link(&mut self, linked: Linked) {
        let View { run, replications, .. } = linked.view;
        let mut opened = Bench::new(linked.now, linked.pinned, run, replications);
        let first = std::mem::replace(&mut opened.history, std::mem::take(&mut self.history));
        opened.history.follow(first);
        opened.results = std::mem::take(&mut self.results);
        opened.queue.employ(self.queue.workers());
        *self = opened;
    }

    /// Puts the bench back as it was. A baseline that the reader declared stays.
    fn put_back(&mut self, to: Option<Was>) {
        let Some(Was { now, opened, run, turned }) = to else { return };
        (self.run, self.turned) = (run, turned);
        if opened != *self.baseline.opened() {
            self.baseline.open(opened);
        }
        self.put(now.scenario, now.seed);
    }
}
