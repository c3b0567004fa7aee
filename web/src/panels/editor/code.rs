//! CodeMirror in the pane: a file of its own, loaded when the pane is opened. Whatever goes wrong in it is an answer, not a panic.
//!
//! Both sides call one function of the other, and hand over texts: each function that JavaScript sees is bytes of every visit.

use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;
use yew::Callback;
use zvmlab_lab::editor::completion::completion;
use zvmlab_lab::editor::{About, Wrong, about};

/// What the text is called.
pub const LABEL: &str = "The host as TOML";

/// The id of what is wrong with it.
pub const PROBLEMS: &str = "editor-problems";

#[wasm_bindgen]
extern "C" {
    /// Loads the file; static/boot.js has this function. `tries` counts how often that was asked for.
    #[wasm_bindgen(catch, js_namespace = window, js_name = zvmlabEditor)]
    pub async fn load(tries: u32) -> Result<JsValue, JsValue>;

    /// The file, loaded.
    pub type Module;

    /// Puts an editor into `parent`. `ask` is what it calls.
    #[wasm_bindgen(method, catch)]
    fn create(
        this: &Module,
        parent: &HtmlElement,
        text: &str,
        label: &str,
        described: &str,
        caret: &[u32],
        ask: &Ask,
    ) -> Result<Handle, JsValue>;

    /// An editor of it.
    type Handle;

    /// Has it do something: show a `text` or `problems`, `select` a line, take the `focus`, or `end`.
    #[wasm_bindgen(method, catch, js_name = do)]
    fn act(this: &Handle, what: &str, with: &str) -> Result<(), JsValue>;
}

/// What the editor asks or tells, with up to two texts, and the answer.
type Ask = Closure<dyn Fn(String, String, String) -> String>;

/// Stands between the parts of what is handed over: a character that no text of the page has.
const PART: &str = "\u{1f}";

/// Stands behind each entry of a list.
const ENTRY: &str = "\u{1e}";

/// An error of JavaScript in words.
pub fn said(error: &JsValue) -> String {
    let message = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    message.unwrap_or_else(|| "the browser does not say why".into())
}

/// Where the reader stands in a text: anchor and head of the selection in UTF-16, and whether the focus is there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Caret {
    /// Where the selection began.
    pub anchor: u32,
    /// Where it ends.
    pub head: u32,
    /// Whether the reader writes there.
    pub has_focus: bool,
}

/// What an editor or a plain field tells.
pub enum Told {
    /// The text that the reader wrote.
    Text(String),
    /// The focus has gone.
    Left,
    /// The line of the caret, counted from 1.
    Line(usize),
}

/// An editor on the page. It ends when this is dropped.
pub struct Code {
    handle: Handle,
    /// The text and the problems that it was last given, or told of.
    text: String,
    problems: String,
    /// What the editor calls, for as long as it is there.
    _ask: Ask,
}

impl Code {
    /// Puts an editor with this text into `parent`.
    ///
    /// # Errors
    /// Why it cannot be.
    pub fn put(
        module: &Module,
        parent: &HtmlElement,
        text: &str,
        caret: Caret,
        told: Callback<Told>,
    ) -> Result<Code, JsValue> {
        let ask: Ask = Closure::new(move |what: String, first: String, second: String| answer(&what, first, &second, &told));
        let caret = [caret.anchor, caret.head, caret.has_focus.into()];
        let handle = module.create(parent, text, LABEL, PROBLEMS, &caret, &ask)?;
        Ok(Code { handle, text: text.into(), problems: String::new(), _ask: ask })
    }

    /// The reader has written this.
    pub fn heard(&mut self, text: &str) {
        self.text = text.into();
    }

    /// Shows this text, and what is wrong with it.
    ///
    /// # Errors
    /// Why it cannot be shown.
    pub fn show(&mut self, text: &str, problems: &[Wrong]) -> Result<(), JsValue> {
        if self.text != text {
            self.text = text.into();
            self.handle.act("text", text)?;
        }
        let mut all = String::new();
        for (line, said) in problems.iter().filter_map(|one| Some((one.line?, &one.said))) {
            all += &[&line.to_string(), PART, said, ENTRY].concat();
        }
        // Marks go with the text that they were made for.
        if self.problems != all {
            self.handle.act("problems", &all)?;
            self.problems = all;
        }
        Ok(())
    }

    /// Selects a line, counted from 1. An editor that cannot leaves the reader in peace.
    pub fn select(&self, line: usize) {
        let _ = self.handle.act("select", &line.to_string());
    }

    /// The reader goes on to write.
    pub fn focus(&self) {
        let _ = self.handle.act("focus", "");
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // It has no more to tell, whatever it says to that.
        let _ = self.handle.act("end", "");
    }
}

/// The answer to what an editor asks; empty to what it tells.
fn answer(what: &str, first: String, second: &str, told: &Callback<Told>) -> String {
    match what {
        "complete" => return completed(&first, second),
        "describe" => {
            if let About::Field(field) = about(&first, second.parse().unwrap_or_default()) {
                return [&field.said, PART, field.help].concat();
            }
        }
        "change" => told.emit(Told::Text(first)),
        "line" => told.emit(Told::Line(first.parse().unwrap_or_default())),
        _ => told.emit(Told::Left),
    }
    String::new()
}

/// How the text goes on: first how much is replaced, in UTF-16, then each way.
fn completed(before: &str, after: &str) -> String {
    let completion = completion(before, after);
    let mut all = completion.typed.encode_utf16().count().to_string() + ENTRY;
    for way in completion.ways {
        all += &[&way.label, PART, way.detail, PART, &way.help, PART, &way.written, ENTRY].concat();
    }
    all
}
