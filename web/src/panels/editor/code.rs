//! CodeMirror in the pane: a file of its own, loaded when the pane is opened. Whatever goes wrong in it is an answer, not a panic.

use js_sys::{Function, Object, Promise, Reflect};
use serde_json::json;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlElement;
use yew::Callback;
use zvmlab_lab::editor::completion::completion;
use zvmlab_lab::editor::{About, Wrong, about};

use crate::page;

#[wasm_bindgen]
extern "C" {
    /// The file, loaded.
    #[derive(Clone)]
    pub type Module;

    #[wasm_bindgen(method, catch)]
    fn create(this: &Module, parent: &HtmlElement, given: &Object) -> Result<Handle, JsValue>;

    /// An editor of it.
    type Handle;

    #[wasm_bindgen(method, catch, js_name = setText)]
    fn set_text(this: &Handle, text: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch, js_name = setProblems)]
    fn set_problems(this: &Handle, problems: &str) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn select(this: &Handle, line: u32) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn focus(this: &Handle) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn destroy(this: &Handle) -> Result<(), JsValue>;
}

/// What the text is called.
pub const LABEL: &str = "The host as TOML";

/// The id of what is wrong with it.
pub const PROBLEMS: &str = "editor-problems";

/// The name of the function by which static/boot.js loads the file.
const LOADER: &str = "zvmlabEditor";

/// Loads the file. `tries` counts how often that was asked for.
///
/// # Errors
/// Why it cannot be had.
pub async fn load(tries: u32) -> Result<Module, String> {
    let window = page::window().ok_or("there is no window")?;
    let loader = Reflect::get(window.as_ref(), &LOADER.into()).map_err(|why| said(&why))?;
    let loader: Function = loader.dyn_into().map_err(|_| "static/boot.js is of another version")?;
    let coming = loader.call1(&JsValue::NULL, &tries.into()).map_err(|why| said(&why))?;
    let coming: Promise = coming.dyn_into().map_err(|_| "static/boot.js is of another version")?;
    let module: JsValue = JsFuture::from(coming).await.map_err(|why| said(&why))?;
    let is_whole = Reflect::get(&module, &"create".into()).is_ok_and(|create| create.is_function());
    if is_whole { Ok(module.unchecked_into()) } else { Err("static/editor.js is not the file of this page".into()) }
}

/// An error of JavaScript in words.
fn said(error: &JsValue) -> String {
    let message = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    message.or_else(|| error.as_string()).unwrap_or_else(|| "the browser does not say why".into())
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
pub struct Told {
    /// The text that the reader wrote.
    pub change: Callback<String>,
    /// The focus has gone.
    pub leave: Callback<()>,
    /// The line of the caret, counted from 1.
    pub line: Callback<usize>,
}

/// An editor on the page. It ends when this is dropped.
pub struct Code {
    handle: Handle,
    /// What it was last given or told.
    text: String,
    problems: String,
    /// What the editor calls, for as long as it is there.
    _calls: Calls,
}

/// The functions that the editor calls.
struct Calls {
    change: Closure<dyn Fn(String)>,
    leave: Closure<dyn Fn()>,
    line: Closure<dyn Fn(u32)>,
    complete: Closure<dyn Fn(String, String) -> String>,
    describe: Closure<dyn Fn(String, u32) -> String>,
}

impl Code {
    /// Puts an editor with this text into `parent`.
    ///
    /// # Errors
    /// Why it cannot be.
    pub fn put(module: &Module, parent: &HtmlElement, text: &str, caret: Caret, told: Told) -> Result<Code, String> {
        let Told { change, leave, line } = told;
        let calls = Calls {
            change: Closure::new(move |text: String| change.emit(text)),
            leave: Closure::new(move || leave.emit(())),
            line: Closure::new(move |number: u32| line.emit(number as usize)),
            complete: Closure::new(|before: String, after: String| completed(&before, &after)),
            describe: Closure::new(|text: String, line: u32| described(&text, line as usize)),
        };
        let given = Object::new();
        let set = |key: &str, value: &JsValue| Reflect::set(given.as_ref(), &key.into(), value).map(drop);
        let all = set("text", &text.into())
            .and_then(|()| set("label", &LABEL.into()))
            .and_then(|()| set("described", &PROBLEMS.into()))
            .and_then(|()| set("anchor", &caret.anchor.into()))
            .and_then(|()| set("head", &caret.head.into()))
            .and_then(|()| set("focus", &caret.has_focus.into()))
            .and_then(|()| set("onChange", calls.change.as_ref()))
            .and_then(|()| set("onLeave", calls.leave.as_ref()))
            .and_then(|()| set("onLine", calls.line.as_ref()))
            .and_then(|()| set("complete", calls.complete.as_ref()))
            .and_then(|()| set("describe", calls.describe.as_ref()));
        let handle = all.and_then(|()| module.create(parent, &given)).map_err(|why| said(&why))?;
        Ok(Code { handle, text: text.into(), problems: "[]".into(), _calls: calls })
    }

    /// The reader has written this.
    pub fn heard(&mut self, text: &str) {
        self.text = text.into();
    }

    /// Shows this text, and what is wrong with it.
    ///
    /// # Errors
    /// Why it cannot be shown.
    pub fn show(&mut self, text: &str, problems: &[Wrong]) -> Result<(), String> {
        if self.text != text {
            self.text = text.into();
            self.handle.set_text(text).map_err(|why| said(&why))?;
        }
        let all: Vec<_> = problems.iter().map(|one| json!({ "line": one.line, "said": one.said })).collect();
        let problems = json!(all).to_string();
        if self.problems != problems {
            self.handle.set_problems(&problems).map_err(|why| said(&why))?;
            self.problems = problems;
        }
        Ok(())
    }

    /// Selects a line, counted from 1. An editor that cannot leaves the reader where he is.
    pub fn select(&self, line: usize) {
        let _ = self.handle.select(line as u32);
    }

    /// The reader goes on to write.
    pub fn focus(&self) {
        let _ = self.handle.focus();
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // It has no more to tell, whatever it says to that.
        let _ = self.handle.destroy();
    }
}

/// How the text goes on, as the file reads it.
fn completed(before: &str, after: &str) -> String {
    let completion = completion(before, after);
    let ways = completion.ways.iter().map(|way| {
        let info = (!way.help.is_empty()).then_some(&way.help);
        json!({ "label": way.label, "detail": way.detail, "info": info, "apply": way.written })
    });
    let options: Vec<_> = ways.collect();
    // JavaScript counts in UTF-16.
    json!({ "typed": completion.typed.encode_utf16().count(), "options": options }).to_string()
}

/// What the field of a line is, as the file reads it.
fn described(text: &str, line: usize) -> String {
    match about(text, line) {
        About::Field(field) => json!({ "said": field.said, "help": field.help }).to_string(),
        About::Begun(_) | About::Nothing => "null".into(),
    }
}
