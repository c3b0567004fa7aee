//! Whether a reader is there. The page at its bare address shows its host and moves by itself. What nobody sees without doing something,
//! the published runs, and the functions for both come when someone moves, presses or turns something (`static/boot.js`).

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;
use zvmlab_lab::published::{runs, sources};
use zvmlab_lab::room::Anchor;

use super::App;
use crate::msg::Msg;
use crate::page;

/// The reader.
pub(super) struct Reader {
    /// Whether there is one, and the functions have come.
    pub is_there: bool,
    /// Whether the first result has been shown.
    pub saw_result: bool,
    /// Whether the reader took a step, and its button may go.
    pub stepped: bool,
    /// The place to go to as soon as it is drawn.
    goes_to: Option<Anchor>,
}

impl Reader {
    /// Says by [`Msg::Arrive`] when one comes, unless one is there.
    pub fn awaited(on: &Callback<Msg>) -> Reader {
        let comes = page::reader();
        // The first screen, drawn when the site is built, has none.
        let is_there = comes.is_none() && page::window().is_some();
        if let Some(comes) = comes {
            let on = on.clone();
            spawn_local(async move {
                let _ = comes.await;
                // In a task of their own, as before the page is drawn.
                sources();
                Timeout::new(0, move || on.emit(Msg::Arrive)).forget();
            });
        }
        Reader { is_there, saw_result: false, stepped: false, goes_to: None }
    }
}

/// The ids of parts that open, for which others stand before there is a reader.
const STANDING_IN: [&str; 3] = ["shelf", "editor", "console"];

/// The id of what stands for a part.
pub(super) fn stand_in(id: &str) -> String {
    format!("{id}-stand-in")
}

impl App {
    /// A reader is there.
    pub(super) fn greet(&mut self) {
        self.reader.is_there = true;
        self.published = Rc::new(runs());
        for id in STANDING_IN {
            let (open, focused) = page::how_left(&stand_in(id));
            // After the part itself has been drawn.
            Timeout::new(0, move || page::leave(id, open, focused)).forget();
        }
        if let Some(place) = self.reader.goes_to.take() {
            let on = self.on.clone();
            Timeout::new(0, move || on.emit(Msg::GoTo(place))).forget();
        }
    }

    /// Remembers a place of which a part may not be drawn yet.
    pub(super) fn goes_to(&mut self, place: Anchor) {
        self.reader.goes_to = Some(place).filter(|_| !self.reader.is_there);
    }
}
