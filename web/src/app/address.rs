//! The page's address: what it opens with, what is written back to it, and the link that is copied.

use wasm_bindgen_futures::JsFuture;
use yew::platform::spawn_local;

use super::App;
use crate::msg::Msg;
use crate::page;
use crate::panels::notices::Notice;
use zvmlab_lab::address::query::Query;
use zvmlab_lab::address::{Experiment, Linked, MODEL, View, fragment, parse};
use zvmlab_lab::batch::queue::key;
use zvmlab_lab::bench::Bench;
use zvmlab_lab::published::memo::Memo;
use zvmlab_lab::published::ready::scenario_of;

/// What the address opens, and what is to be said of it. A link that cannot be opened leaves the default, and stays in the
/// address until its reader changes something.
pub fn opened(query: &Query) -> (Linked, Vec<Notice>) {
    let default = || Linked {
        now: Experiment { scenario: query.run.as_deref().and_then(scenario_of).unwrap_or_default(), seed: 1 },
        pinned: None,
        view: View { run: query.run.clone(), ..View::default() },
        model: MODEL.into(),
    };
    match parse(&page::fragment()) {
        Ok(None) => (default(), Vec::new()),
        // A link that names no version was written by hand or by an embedding page: it has no earlier figures to differ from.
        Ok(Some(linked)) if linked.model.is_empty() || linked.model == MODEL => (linked, Vec::new()),
        Ok(Some(linked)) => {
            let made = &linked.model;
            let text =
                format!("The link was made with version {made} of the model; this is version {MODEL}. Figures may differ.");
            (linked, vec![Notice::warning(text)])
        }
        Err(error) => (default(), vec![Notice::bad_link(error)]),
    }
}

/// Time in milliseconds within which further changes belong to the same step of the browser's history. Chosen: keys that move a
/// slider follow each other sooner.
const ONE_STEP_MS: f64 = 1_000.0;

impl App {
    /// The fragment that opens what is on the bench.
    pub(super) fn written_fragment(&self) -> String {
        thread_local! {
            static WRITTEN: Memo<Linked, String> = const { Memo::new() };
        }
        let linked = Linked {
            now: Experiment { scenario: self.bench.scenario.clone(), seed: self.bench.seed },
            pinned: self.bench.pin_to_share(),
            view: View { run: self.bench.run.clone(), ..self.view.clone() },
            model: MODEL.into(),
        };
        WRITTEN.with(|memo| memo.get(&linked, fragment))
    }

    /// The link that opens what is on the bench.
    pub(super) fn link(&self) -> String {
        page::link(&self.written_fragment())
    }

    /// Writes what is on the bench to the address, unless it cannot be run: then the address keeps what could. Another experiment
    /// is a step that one can go back from, but for the turns of one knob that follow each other quickly: those are one.
    pub(super) fn write_address(&mut self) {
        let bad_link_kept = self.notices.iter().any(Notice::is_bad_link);
        if !self.bench.problems.is_empty() || bad_link_kept {
            return;
        }
        let (fragment, key, now_ms) = (self.written_fragment(), self.bench.key(), page::now_ms());
        let other = self.written.as_ref().is_some_and(|written| *written != key);
        // The history of an embedded page is that of its parent.
        let hand = self.hand.take().filter(|_| other);
        let goes_on = self.moved.is_some_and(|(knob, ms)| hand == Some(knob) && now_ms - ms < ONE_STEP_MS);
        if other && !self.query.embed && !goes_on {
            page::push_fragment(&fragment);
        } else {
            page::replace_fragment(&fragment);
        }
        if other {
            self.moved = hand.map(|knob| (knob, now_ms));
        }
        self.written = Some(key);
    }

    /// The address was changed in the page, by a link or by going back: what it says is opened, and what it cannot say is told.
    pub(super) fn open_address(&mut self) {
        if page::fragment() == self.written_fragment() {
            return;
        }
        let (linked, notices) = opened(&self.query);
        self.notices = notices;
        // Who has opened the further knobs wants them for the next subject too.
        let more = linked.view.more || self.view.more;
        self.view = View { more, ..linked.view };
        self.live.end();
        self.written = Some(key(&linked.now.scenario, linked.now.seed));
        let pinned = self.bench.pinned || linked.pinned.is_some();
        if self.view.run == self.bench.run && !pinned && !self.notices.iter().any(Notice::is_bad_link) {
            // A step back or forth: what it is compared with is where it came from.
            self.bench.put(linked.now.scenario, linked.now.seed);
            self.bench.replicate(self.view.replications);
            return self.bench_changed();
        }
        let known = std::mem::take(&mut self.bench.results);
        self.bench = Bench::new(linked.now, linked.pinned, self.view.run.clone(), self.view.replications);
        self.bench.results = known;
        // The old bench's experiment, if one runs, is nobody's any more.
        self.start_experimenter();
        self.pump();
    }

    /// Puts the link on the clipboard.
    pub(super) fn copy_link(&mut self) {
        self.copied = None;
        let on = self.on.clone();
        match page::copy(&self.link()) {
            None => self.copied = Some(false),
            Some(promise) => spawn_local(async move {
                on.emit(Msg::Copied(JsFuture::from(promise).await.is_ok()));
            }),
        }
    }
}
