//! The page's address: what it opens, what the page writes back to it, and the link that the reader copies.

use gloo_timers::callback::Timeout;
use wasm_bindgen_futures::JsFuture;
use yew::platform::spawn_local;

use super::App;
use super::rooms::tab_of;
use crate::msg::{Copying, Msg, Only};
use crate::page;
use crate::panels::notices::Notice;
use crate::views::evacuation;
use zvmlab_lab::address::query::Query;
use zvmlab_lab::address::{Experiment, Linked, MODEL, View, fragment, parse};
use zvmlab_lab::batch::queue::{Key, key};
use zvmlab_lab::embed;
use zvmlab_lab::published::memo::Memo;
use zvmlab_lab::published::ready::scenario_of;
use zvmlab_lab::room::{Anchor, Room};
use zvmlab_lab::subjects::introduction::question;

/// The content of the address, and what the page writes to it.
pub struct Link {
    /// The page's parameters.
    pub query: Query,
    /// What else is open besides the experiment.
    pub view: View,
    /// The experiment that was written last.
    pub written: Option<Key>,
    /// What the reader wanted on the clipboard last, and whether the browser copied it.
    pub copied: Option<(Copying, bool)>,
    /// The section of the description that was asked for last, and how many times one was.
    pub section: (u32, &'static str),
}

impl Link {
    /// Before anything is written.
    pub fn new(query: Query, view: View) -> Link {
        Link { query, view, written: None, copied: None, section: (0, "") }
    }
}

/// Opens the address, and tells of problems. If a link cannot be opened, the default is shown and the link stays in the address
/// until the reader changes something.
pub fn opened(query: &Query) -> (Linked, Vec<Notice>) {
    let default = || Linked {
        now: Experiment { scenario: query.opens().and_then(scenario_of).unwrap_or_default(), seed: 1 },
        pinned: None,
        view: View { run: query.opens().map(str::to_string), ..View::default() },
        model: MODEL.into(),
    };
    match parse(&page::fragment()) {
        Ok(None) => (default(), Vec::new()),
        // A link without a version was written by hand or by an embedding page. It has no earlier figures to differ from.
        Ok(Some(linked)) if linked.model.is_empty() || linked.model == MODEL => (linked, Vec::new()),
        Ok(Some(linked)) => {
            let made = &linked.model;
            let text = format!(
                "This link was made with version {made} of the model. This page has version {MODEL}. Figures may differ."
            );
            (linked, vec![Notice::warning(text)])
        }
        Err(error) => (default(), vec![Notice::bad_link(error)]),
    }
}

/// Time in milliseconds until charts have their height. Chosen.
pub(super) const LAID_OUT_MS: u32 = 100;

/// Time in milliseconds within which further changes belong to the same step of the browser's history. Chosen: keys that move a
/// slider follow each other sooner.
const ONE_STEP_MS: f64 = 1_000.0;

impl App {
    /// The fragment that opens the scenario on the bench.
    pub(super) fn written_fragment(&self) -> String {
        thread_local! {
            static WRITTEN: Memo<Linked, String> = const { Memo::new() };
        }
        let linked = Linked {
            now: Experiment { scenario: self.bench.scenario.clone(), seed: self.bench.seed },
            pinned: self.bench.pin_to_share(),
            view: View { run: self.bench.run.clone(), ..self.link.view.clone() },
            model: MODEL.into(),
        };
        WRITTEN.with(|memo| memo.get(&linked, fragment))
    }

    /// The link that opens the scenario on the bench.
    pub(super) fn link(&self) -> String {
        page::link(&self.written_fragment())
    }

    /// Writes the bench to the address, unless its scenario cannot be run; the address then keeps the last one that can. Another
    /// experiment is a step in the browser's history, but quick turns of one knob in a row are one step.
    pub(super) fn write_address(&mut self) {
        let bad_link_kept = self.screen.notices.iter().any(Notice::is_bad_link);
        if !self.bench.problems.is_empty() || bad_link_kept {
            return;
        }
        let (fragment, key, now_ms) = (self.written_fragment(), self.bench.key(), page::now_ms());
        let other = self.link.written.as_ref().is_some_and(|written| *written != key);
        // An embedded page shares the history of its parent.
        let hand = self.hand.knob.take().filter(|_| other);
        let goes_on = self.hand.moved.is_some_and(|(knob, ms)| hand == Some(knob) && now_ms - ms < ONE_STEP_MS);
        if other && !self.link.query.embed && !goes_on {
            page::push_fragment(&fragment);
        } else if page::fragment() != fragment {
            // To tell the browser takes longer than to ask it.
            page::replace_fragment(&fragment);
        }
        if other {
            self.hand.moved = hand.map(|knob| (knob, now_ms));
        }
        self.link.written = Some(key);
    }

    /// The address was changed in the page, by a link or by going back. Opens it, and tells of problems.
    pub(super) fn open_address(&mut self) {
        if page::fragment() == self.written_fragment() {
            return;
        }
        let (linked, notices) = opened(&self.link.query);
        (self.screen.notices, self.screen.only) = (notices, None);
        // A reader who opened the further knobs wants them for the next subject too.
        let more = linked.view.more || self.link.view.more;
        let same = self.bench.has_baseline_of(&linked);
        self.link.view = View { more, ..linked.view };
        self.end_live();
        self.link.written = Some(key(&linked.now.scenario, linked.now.seed));
        let is_bad = self.screen.notices.iter().any(Notice::is_bad_link);
        let alike = self.link.view.run == self.bench.run && same;
        // The browser's way back and forth is that of undo and redo.
        let travels =
            !is_bad && (same || linked.pinned.is_none()) && self.bench.travel(&linked.now, self.link.view.run.as_deref());
        if travels || alike && !is_bad {
            if !travels {
                self.bench.put(linked.now.scenario, linked.now.seed);
            }
            self.bench.replicate(self.link.view.replications);
            self.open_linked_lesson(false);
            return self.bench_changed();
        }
        self.bench.open_link(Linked { view: self.link.view.clone(), ..linked });
        self.open_linked_lesson(false);
        // If experiments of the old bench run, nobody waits for them any more.
        self.start_experimenters();
        self.pump();
    }

    /// The frame that shows the scenario on the bench in another page.
    pub(super) fn frame_code(&self) -> String {
        let subject = self.subject();
        embed::frame(&self.link(), question(subject, self.bench.run.as_deref()).unwrap_or(subject.question))
    }

    /// Copies the link, or the code of the frame, to the clipboard.
    pub(super) fn copy(&mut self, what: Copying) {
        self.link.copied = None;
        let on = self.on.clone();
        let text = match what {
            Copying::Link => self.link(),
            Copying::Frame => self.frame_code(),
        };
        match page::copy(&text) {
            None => self.link.copied = Some((what, false)),
            Some(promise) => spawn_local(async move {
                on.emit(Msg::Copied(what, JsFuture::from(promise).await.is_ok()));
            }),
        }
    }

    /// Whether the browser copied the link, if the reader wanted it.
    pub(super) fn link_copied(&self) -> Option<bool> {
        self.link.copied.filter(|(what, _)| *what == Copying::Link).map(|(_, copied)| copied)
    }

    /// Opens or closes the further knobs.
    pub(super) fn show_more(&mut self, more: bool) {
        self.link.view.more = more;
        self.write_address();
    }

    /// Goes to a place of the page.
    pub(super) fn go_to(&mut self, to: Anchor) {
        self.goes_to(to);
        self.leave_sheet(to);
        if let Anchor::Section(id) = to {
            // The description opens, and goes to the place when its text has arrived.
            self.link.section = (self.link.section.0 + 1, id);
            return;
        }
        if let Anchor::Room(room) = to {
            page::bring_along(tab_of(room));
        }
        // Whoever gets the link wants the experiment, not these words.
        self.link.view.room = (to != Anchor::About).then(|| to.id().into());
        self.write_address();
        page::go_to(to.id());
    }

    /// Opens a part of the machine: the knobs are its own from then on, until the reader wants all.
    pub(super) fn open_part(&mut self, room: Anchor, only: Only) {
        self.screen.only = Some(only);
        self.go_to(room);
    }

    /// Asks a study for an answer. A reader who opens the link sees the answer first.
    pub(super) fn ask(&mut self, study: &'static str) {
        let room = if study == evacuation::ID { Room::Evacuation } else { Room::WhatIf };
        (self.link.view.study, self.link.view.room) = (Some(study.into()), Some(room.id().into()));
        self.write_address();
    }

    /// The reader wants no guest stopped for longer.
    pub(super) fn want(&mut self, stop_s: Option<f64>) {
        (self.link.view.stop_s, self.link.view.room) = (stop_s, Some(Room::WhatIf.id().into()));
        self.write_address();
    }

    /// Goes to the room that the link names. It does so a moment later: charts get their height when they are drawn, and would push
    /// the room away.
    pub(super) fn go_to_linked_room(&self) {
        let Some(room) = self.link.view.room.clone() else { return };
        let go = if self.link.query.embed { page::scroll_to } else { page::go_to };
        let tab = Room::ALL.into_iter().find(|one| one.id() == room).map(tab_of);
        tab.into_iter().for_each(page::bring_along);
        Timeout::new(LAID_OUT_MS, move || go(&room)).forget();
    }
}
