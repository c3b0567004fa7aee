//! The shortcuts: whether they are on, and what a key does.

use super::App;
use crate::page;
use crate::panels::shortcuts::{self, Bench};

/// The browser stores under this name whether shortcuts are on.
const REMEMBERED: &str = "zvmlab.shortcuts";

/// The shortcuts.
pub struct Keys {
    /// Whether their list is shown.
    pub shown: bool,
    /// Whether they are on.
    pub used: bool,
}

impl Keys {
    /// As the browser remembers them: on, unless the reader switched them off.
    pub fn remembered() -> Keys {
        Keys { shown: false, used: page::remembered(REMEMBERED).as_deref() != Some("off") }
    }

    /// Switches them on or off.
    pub fn use_them(&mut self, used: bool) {
        self.used = used;
        page::remember(REMEMBERED, if used { "on" } else { "off" });
    }
}

impl App {
    /// A key was pressed outside of any field. Returns whether the page looks different for it.
    pub(super) fn press(&mut self, key: &str) -> bool {
        if key == "?" {
            self.keys.shown = true;
            return true;
        }
        match shortcuts::action(key).filter(|_| self.keys.used && !self.keys.shown) {
            Some(action) => {
                let (limits, run) = (self.limits(), self.bench.run.as_deref());
                let seen = Bench { scenario: &self.bench.scenario, subject: self.subject(), run, limits: limits.as_deref() };
                if let Some(msg) = action(&seen) {
                    self.on.emit(msg);
                }
                true
            }
            None => false,
        }
    }
}
