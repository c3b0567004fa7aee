//! The console: a line for commands of CP, and what was said.

use std::rc::Rc;

use web_sys::{HtmlDetailsElement, HtmlElement, HtmlInputElement};
use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab_lab::console::{LINE_CHARS, completions};

use crate::msg::Msg;

/// The most entries that are kept. Chosen: more are not read.
const ENTRIES: usize = 200;

/// The most completions that are shown. Chosen: about a line of them.
const COMPLETIONS: usize = 6;

/// Who entered a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The reader, at the console.
    Reader,
    /// A knob: the console echoes what it does.
    Knob,
}

/// A command and its response.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    number: usize,
    whose: Whose,
    line: String,
    response: Vec<String>,
    is_refused: bool,
}

impl Entry {
    /// A command that was entered, or echoed.
    pub fn new(whose: Whose, line: String, response: Vec<String>, is_refused: bool) -> Entry {
        Entry { number: 0, whose, line, response, is_refused }
    }
}

/// What was said, the oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    entries: Rc<Vec<Entry>>,
    count: usize,
}

impl Transcript {
    /// Adds an entry; returns its number.
    pub fn push(&mut self, entry: Entry) -> usize {
        self.count += 1;
        let entries = Rc::make_mut(&mut self.entries);
        if entries.len() >= ENTRIES {
            entries.remove(0);
        }
        entries.push(Entry { number: self.count, ..entry });
        self.count
    }

    /// Gives an entry another response.
    pub fn answer(&mut self, number: usize, response: Vec<String>) {
        if let Some(entry) = Rc::make_mut(&mut self.entries).iter_mut().find(|entry| entry.number == number) {
            entry.response = response;
        }
    }

    /// The commands that the reader entered, the last one first.
    fn entered(&self) -> Vec<&str> {
        let own = self.entries.iter().rev().filter(|entry| entry.whose == Whose::Reader);
        own.map(|entry| entry.line.as_str()).collect()
    }
}

/// The data of the console.
#[derive(Clone, PartialEq, Properties)]
pub struct ConsoleProps {
    /// The host, whose guests complete a line.
    pub scenario: Rc<Scenario>,
    /// What was said.
    pub transcript: Transcript,
    /// Told of commands.
    pub on: Callback<Msg>,
}

/// The console, folded until the reader opens it.
#[component]
pub fn Console(props: &ConsoleProps) -> Html {
    let draft = use_state(String::new);
    // How many commands back the line is; 0 is the draft.
    let back = use_state(|| 0_usize);
    let open = use_state(|| false);
    let (log, field) = (use_node_ref(), use_node_ref());
    use_newest_in_sight(&props.transcript, &log);
    let toggle = {
        let open = open.setter();
        Callback::from(move |event: Event| {
            open.set(event.target_dyn_into::<HtmlDetailsElement>().is_some_and(|details| details.open()));
        })
    };
    let write = {
        let (draft, back) = (draft.setter(), back.setter());
        Callback::from(move |event: InputEvent| {
            back.set(0);
            draft.set(event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default());
        })
    };
    let shown = if *open { completions(&draft, &props.scenario) } else { Vec::new() };
    let strike = {
        let (draft, back, on, transcript) = (draft.clone(), back.clone(), props.on.clone(), props.transcript.clone());
        let first = shown.first().cloned();
        Callback::from(move |event: KeyboardEvent| {
            let entered = transcript.entered();
            let go = |to: usize| {
                back.set(to);
                let line = to.checked_sub(1).and_then(|at| entered.get(at)).copied().unwrap_or_default();
                draft.set(line.to_string());
            };
            match (event.key().as_str(), &first) {
                ("Enter", _) if !draft.trim().is_empty() => {
                    on.emit(Msg::Command(draft.trim().to_string()));
                    back.set(0);
                    draft.set(String::new());
                }
                ("ArrowUp", _) if *back < entered.len() => go(*back + 1),
                ("ArrowDown", _) if *back > 0 => go(*back - 1),
                ("ArrowRight", Some(first)) if is_at_end(&event) => draft.set(format!("{first} ")),
                _ => return,
            }
            event.prevent_default();
        })
    };
    let complete = |line: &String| {
        let take = taking(line, draft.setter(), field.clone());
        html! { <li><button type="button" class="plain" onclick={take}>{ line }</button></li> }
    };
    html! {
        <details class="console card" id="console" ontoggle={toggle}>
            <summary>{ "CP console" }</summary>
            if *open {
                <div class="console-log" role="log" aria-label="Commands and responses" tabindex="0" ref={log} data-testid="console-log">
                    if props.transcript.entries.is_empty() {
                        <p class="help">{ "A command turns knobs, and what a knob does appears here as a command. HELP lists the commands. \
                            Responses are in the laboratory’s own words." }</p>
                    }
                    { for props.transcript.entries.iter().map(entry) }
                </div>
                <label class="console-line"><span>{ "Command" }</span>
                    <input type="text" id="console-line" ref={field.clone()} value={(*draft).clone()} maxlength={LINE_CHARS.to_string()}
                        oninput={write} onkeydown={strike} autocomplete="off" autocapitalize="characters" spellcheck="false" enterkeyhint="send"
                        aria-describedby="console-help" placeholder="QUERY SRM" /></label>
                <ul class="console-next" aria-label="Completions">{ for shown.iter().take(COMPLETIONS).map(complete) }</ul>
                <p class="help" id="console-help">{ "Enter sends. Up and down bring back earlier commands; right takes the first completion." }</p>
            }
        </details>
    }
}

/// Keeps the end of the transcript in sight.
#[hook]
fn use_newest_in_sight(transcript: &Transcript, log: &NodeRef) {
    let log = log.clone();
    use_effect_with(transcript.clone(), move |_| {
        if let Some(log) = log.cast::<HtmlElement>() {
            log.set_scroll_top(log.scroll_height());
        }
    });
}

/// Puts a completed line into the field.
fn taking(line: &str, draft: UseStateSetter<String>, field: NodeRef) -> Callback<MouseEvent> {
    let text = format!("{line} ");
    Callback::from(move |_: MouseEvent| {
        draft.set(text.clone());
        // The reader goes on to write.
        if let Some(field) = field.cast::<HtmlElement>() {
            let _ = field.focus();
        }
    })
}

/// Whether the caret is behind the last character.
fn is_at_end(event: &KeyboardEvent) -> bool {
    let Some(field) = event.target_dyn_into::<HtmlInputElement>() else { return false };
    field.selection_start().ok().flatten() == Some(field.value().encode_utf16().count() as u32)
}

fn entry(entry: &Entry) -> Html {
    let class = classes!("console-entry", entry.is_refused.then_some("refused"));
    html! {
        <div {class} key={entry.number}>
            <p><b>{ &entry.line }</b>if entry.whose == Whose::Knob && !entry.line.starts_with('*') { <span class="unit">{ " by the knob" }</span> }</p>
            { for entry.response.iter().map(|line| html! { <p>{ line }</p> }) }
        </div>
    }
}
