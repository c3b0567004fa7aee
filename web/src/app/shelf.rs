//! The hosts that the reader keeps on this device: what each action does, and what the browser remembers.

use std::rc::Rc;

use zvmlab::scenario::fields::path;
use zvmlab_lab::knob::{Given, Knob};
use zvmlab_lab::lesson::file::is_lesson;
use zvmlab_lab::shelf::{Shelf, is_written};

use super::App;
use crate::msg::Shelving;
use crate::page;
use crate::panels::notices::Notice;
use crate::panels::shelf::SHELF_HEAD;

/// The browser stores the hosts under this name.
const REMEMBERED: &str = "zvmlab.hosts";

/// A text under that name that could not be read is kept under this one before it is replaced.
const UNREAD: &str = "zvmlab.hosts.unread";

/// The list on the page.
const LIST: &str = "shelf";

/// The hosts on this device.
#[derive(Default)]
pub struct Hosts {
    /// As the browser remembered them when the page looked last.
    pub shelf: Rc<Shelf>,
    /// What the last action did, or why it did nothing.
    pub said: Option<String>,
    /// The hosts before the last action, which can be taken back.
    pub before: Option<Rc<Shelf>>,
}

impl Hosts {
    /// As the browser remembers them.
    pub fn remembered() -> Hosts {
        let mut hosts = Hosts::default();
        hosts.look();
        hosts
    }

    /// Looks at what the browser remembers now: the page may be open twice. Returns whether the hosts may be changed: not while the
    /// browser holds a text that cannot be read and has no room to put it aside.
    fn look(&mut self) -> bool {
        let text = page::remembered(REMEMBERED);
        match text.as_deref().map_or(Ok(Shelf::default()), Shelf::read) {
            Ok(shelf) => {
                self.shelf = Rc::new(shelf);
                true
            }
            Err(why) => {
                let unread = text.unwrap_or_default();
                self.said = Some(format!("The hosts on this device could not be read. {why}"));
                self.shelf = Rc::default();
                page::remember(UNREAD, &unread) && page::remember(REMEMBERED, &Shelf::default().written())
            }
        }
    }

    /// Changes the hosts, unless the browser has no room for them.
    fn change(&mut self, change: impl FnOnce(&mut Shelf) -> Result<String, String>) {
        if !self.look() {
            return;
        }
        let mut shelf = (*self.shelf).clone();
        self.said = Some(match change(&mut shelf) {
            Ok(_) if !page::remember(REMEMBERED, &shelf.written()) => {
                "The browser has no room for this on this device, or keeps nothing. Nothing was changed. Export the hosts, delete some, and try again.".into()
            }
            Ok(said) => {
                self.before = Some(std::mem::replace(&mut self.shelf, Rc::new(shelf)));
                said
            }
            Err(why) => why,
        });
    }
}

impl App {
    /// Does what the reader asked of the hosts on this device.
    pub(super) fn shelve(&mut self, done: Shelving) {
        let (scenario, seed) = (&self.bench.scenario, self.bench.seed);
        match done {
            Shelving::Save(name) => {
                self.hosts.change(|shelf| shelf.save(&name, seed, scenario));
                // The host on the bench has the name too, so that it is proposed the next time.
                let knob = Knob::at(path::NAME, 0).filter(|_| self.hosts.shelf.get(name.trim()).is_some());
                if let Some(knob) = knob {
                    self.bench.turn(knob, Given::Text(name.trim().into()), true);
                    self.bench_changed();
                }
            }
            Shelving::Rename(name, to) => {
                self.hosts.change(|shelf| shelf.rename(&name, &to));
                // The field, or the pressed button, no longer exists: here and below.
                page::focus(SHELF_HEAD);
            }
            Shelving::Duplicate(name) => self.hosts.change(|shelf| shelf.duplicate(&name)),
            Shelving::Delete(name) => {
                self.hosts.change(|shelf| shelf.delete(&name));
                page::focus(SHELF_HEAD);
            }
            Shelving::Undo => {
                if let Some(before) = self.hosts.before.take() {
                    self.hosts.change(|shelf| {
                        *shelf = (*before).clone();
                        Ok("The hosts are as they were before.".into())
                    });
                    self.hosts.before = None;
                    page::focus(SHELF_HEAD);
                }
            }
            Shelving::Open(name) => self.open_kept(&name),
            Shelving::Export => {
                if page::download("zvmlab-hosts.json", "application/json", &self.hosts.shelf.written()).is_none() {
                    self.screen.notices.push(Notice::warning("The browser does not let this page save files.".into()));
                }
            }
        }
    }

    /// Puts a host of this device on the bench, or tells what is wrong with it.
    fn open_kept(&mut self, name: &str) {
        let Some(kept) = self.hosts.shelf.get(name).cloned() else { return };
        self.screen.notices.retain(|notice| !notice.is_bad_scenario());
        match kept.scenario() {
            Ok(scenario) => {
                self.hand.seed_draft = None;
                self.screen.only = None;
                self.bench.open(scenario, kept.seed);
                self.bench_changed();
                self.hosts.said = Some(format!("{name} is open."));
            }
            Err(error) => self.screen.notices.push(Notice::bad_scenario(name, &error)),
        }
    }

    /// Opens a file: one of saved hosts adds them to those on this device, any other is a scenario.
    pub(super) fn open_file(&mut self, file: &str, text: Result<String, String>) {
        let text = match &text {
            Ok(text) => text,
            Err(why) => {
                self.screen.notices.retain(|notice| !notice.is_bad_scenario());
                return self.screen.notices.push(Notice::bad_file(file, why));
            }
        };
        if is_written(text) && !self.link.query.embed {
            self.screen.notices.retain(|notice| !notice.is_bad_scenario());
            self.hosts.change(|shelf| shelf.import(text));
            page::go_to(LIST);
            page::focus(SHELF_HEAD);
        } else if is_lesson(text) {
            self.open_lesson_file(file, text);
        } else {
            self.open_scenario(file, text);
        }
    }
}
