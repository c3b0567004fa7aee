//! The console of the bench: its commands turn knobs, and what knobs do is echoed as commands.

use zvmlab_lab::console::{Look, Reply, answer, told};

use super::App;
use crate::msg::Msg;
use crate::panels::console::{Entry, Transcript, Whose};

/// What the console remembers.
#[derive(Debug, Default)]
pub struct State {
    /// What was said.
    pub transcript: Transcript,
    /// The host after the last command or echo.
    seen: Option<Box<zvmlab::Scenario>>,
    /// Whether a command turns knobs now. What it does is not echoed.
    commands: bool,
    /// Commands whose answers wait for a run, and where those answers go.
    waiting: Vec<(String, usize)>,
}

impl App {
    /// A command was entered.
    pub(super) fn command(&mut self, line: String) {
        self.echo();
        let mut reply = self.reply(&line);
        let turns = std::mem::take(&mut reply.turns);
        if !turns.is_empty() {
            let before = self.bench.scenario.clone();
            self.console.commands = true;
            match self.allowed(Msg::TurnTogether { turns, done: true }) {
                Some(Msg::TurnTogether { turns, done }) => self.turn_together(turns, done),
                _ => {
                    let why = self.lessons.open.as_ref().map_or("", |play| play.why_locked());
                    reply = Reply { lines: vec![why.into()], is_refused: true, ..Reply::default() };
                }
            }
            self.console.commands = false;
            if self.bench.scenario != before {
                self.give_up_waiting();
            }
        }
        let entry = Entry::new(Whose::Reader, line.clone(), reply.lines, reply.is_refused);
        let at = self.console.transcript.push(entry);
        if reply.waits {
            self.console.waiting.push((line, at));
        }
        self.console.seen = Some(Box::new(self.bench.scenario.clone()));
    }

    fn reply(&self, line: &str) -> Reply {
        let settled = self.bench.settled.as_deref().filter(|_| self.bench.is_settled());
        let hides_limit = self.lessons.open.as_ref().is_some_and(|play| play.hides_limit());
        let reply = answer(line, Look { scenario: &self.bench.scenario, settled, hides_limit });
        if reply.waits && !self.bench.problems.is_empty() {
            let why = "The host cannot run as its knobs stand. The knobs say why.";
            return Reply { lines: vec![why.into()], is_refused: true, ..Reply::default() };
        }
        reply
    }

    /// The bench has changed, or a run has ended: the console echoes what knobs did, and gives the answer that waits.
    pub(super) fn tell_console(&mut self) {
        if self.bench.is_turning() || self.console.commands {
            return;
        }
        self.echo();
        for (line, at) in std::mem::take(&mut self.console.waiting) {
            let reply = self.reply(&line);
            if reply.waits {
                self.console.waiting.push((line, at));
            } else {
                self.console.transcript.answer(at, reply.lines);
            }
        }
    }

    /// The host changes before the run has ended for which answers wait.
    fn give_up_waiting(&mut self) {
        for (_, at) in std::mem::take(&mut self.console.waiting) {
            self.console.transcript.answer(at, vec!["The host was changed before its run had ended.".into()]);
        }
    }

    fn echo(&mut self) {
        let now = &self.bench.scenario;
        let Some(seen) = self.console.seen.as_deref() else {
            self.console.seen = Some(Box::new(now.clone()));
            return;
        };
        if seen == now {
            return;
        }
        let said = told(seen, now);
        self.console.seen = Some(Box::new(now.clone()));
        self.give_up_waiting();
        for line in said {
            self.console.transcript.push(Entry::new(Whose::Knob, line, Vec::new(), false));
        }
    }
}
