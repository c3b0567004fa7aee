//! The set-up of the bench: the menu of ready experiments, the seed, the replications, and the way back.

use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, HtmlInputElement, HtmlSelectElement};
use yew::platform::spawn_local;
use yew::prelude::*;

use crate::msg::Msg;
use crate::panels::chosen::Chosen;
use zvmlab_lab::bench::REPLICATIONS;
use zvmlab_lab::knob::sentences::given;
use zvmlab_lab::published::ready::examples;
use zvmlab_lab::published::{PublishedRun, PublishedSource, sources};
use zvmlab_lab::words::file::{BYTES_MAX, text, too_long};

/// The data of the set-up.
#[derive(Clone, PartialEq, Properties)]
pub struct SetupProps {
    /// The published runs.
    pub published: Rc<Vec<PublishedRun>>,
    /// The ready experiment that has the present configuration.
    pub current: Option<String>,
    /// The ready experiment that was chosen last.
    pub chosen: Option<String>,
    /// The seed.
    pub seed: u64,
    /// A text in the seed's field that is no seed.
    pub seed_draft: Option<String>,
    /// How many replications are run.
    pub replications: u32,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The set-up.
#[component]
pub fn Setup(props: &SetupProps) -> Html {
    let choose = props.on.reform(|event: Event| {
        Msg::ChooseRun(event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default())
    });
    let back_to = props.chosen.clone().unwrap_or_else(|| "the base run".into());
    html! {
        <div class="setup">
            <div class="field">
                <div class="label-row"><label for="experiment">{ "Ready experiment" }</label>{ choose_file(props) }</div>
                <select id="experiment" onchange={choose}>
                    <option value="" disabled=true selected={props.current.is_none()}>{ "Own settings" }</option>
                    { ready_options(&props.published, props.current.as_deref()) }
                </select>
                <Chosen id="experiment" value={props.current.clone().unwrap_or_default()} />
            </div>
            <div class="three">
                { seed(props) }
                <div class="field">
                    <label for="replications">{ "Replications" }</label>
                    <select id="replications" onchange={props.on.reform(|event: Event| Msg::Replicate(chosen_number(&event)))}>
                        { for REPLICATIONS.iter().map(|&count| html! {
                            <option value={count.to_string()} selected={count == props.replications}>{ count }</option>
                        }) }
                    </select>
                    <Chosen id="replications" value={props.replications.to_string()} />
                </div>
                <button type="button" onclick={props.on.reform(|_| Msg::Reset)} title={format!("Back to {back_to}")}>{ "Reset" }</button>
            </div>
        </div>
    }
}

/// The longest text of the open run, in letters, that the closed menu shows whole. Chosen for the narrowest pane.
const ENTRY_MAX: usize = 22;

/// Every published run and every example for a menu; `current` is the open one.
pub fn ready_options(published: &[PublishedRun], current: Option<&str>) -> Html {
    // Before there is a reader, no source is read.
    let sources = if published.is_empty() { Vec::new() } else { sources() };
    html! { <>{ for sources.iter().map(|source| runs_of(published, current, source)) }{ chosen_by_hand(current) }</> }
}

/// A run in the menu. Of the open one a long title is left out: the header and the introduction say it.
fn entry(current: Option<&str>, id: &str, title: &str) -> Html {
    let open = current == Some(id);
    let whole = format!("{id} · {title}");
    let text = if open && whole.chars().count() > ENTRY_MAX { id.to_string() } else { whole };
    html! { <option value={id.to_string()} selected={open}>{ text }</option> }
}

/// The runs of one source. Hosts of which IBM printed no figure would make the menu twice as long: the catalogue and the validation have
/// them, and this menu while one of them is open.
fn runs_of(published: &[PublishedRun], current: Option<&str>, source: &PublishedSource) -> Html {
    let runs = || published.iter().filter(|run| run.source_id == source.id);
    if !runs().any(|run| !run.figures.is_empty() || current == Some(run.id.as_str())) {
        return Html::default();
    }
    html! {
        <optgroup label={format!("{} ({})", source.title, source.tables)}>
            { for runs().map(|run| entry(current, &run.id, &run.title)) }
        </optgroup>
    }
}

/// The examples.
fn chosen_by_hand(current: Option<&str>) -> Html {
    html! {
        <optgroup label="Examples (chosen by hand, nothing measured)">
            { for examples().iter().map(|ready| entry(current, ready.example.id, ready.example.title)) }
        </optgroup>
    }
}

/// Reads a file and hands it to the page.
pub fn open(file: File, on: Callback<Msg>) {
    read_file(file, on.reform(|(file, text)| Msg::OpenFile { file, text }));
}

/// Reads a file: its name, and what is in it, or why it cannot be read.
pub fn read_file(file: File, on: Callback<(String, Result<String, String>)>) {
    spawn_local(async move {
        let text = if file.size() > BYTES_MAX as f64 {
            Err(too_long(BYTES_MAX))
        } else {
            match JsFuture::from(file.array_buffer()).await {
                Ok(bytes) => text(Uint8Array::new(&bytes).to_vec()),
                Err(_) => Err("not readable: the browser does not give it, or it is a folder".into()),
            }
        };
        on.emit((file.name(), text));
    });
}

/// Chooses the file of a scenario, the same file that the command line runs.
fn choose_file(props: &SetupProps) -> Html {
    let on = props.on.clone();
    let read = Callback::from(move |event: Event| {
        let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
        let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
        // The same file may be opened again after a change.
        input.set_value("");
        open(file, on.clone());
    });
    html! {
        <label class="file" title="Open a scenario's file, TOML or JSON, or a file of exported hosts">
            <input type="file" accept=".toml,.json" class="hidden" onchange={read} aria-label="Open a scenario's file" />
            <span aria-hidden="true">{ "Open a file…" }</span>
        </label>
    }
}

fn chosen_number(event: &Event) -> u32 {
    event.target_dyn_into::<HtmlSelectElement>().and_then(|select| select.value().parse().ok()).unwrap_or(1)
}

fn seed(props: &SetupProps) -> Html {
    let change = props.on.reform(|event: Event| {
        Msg::ChangeSeed(event.target_dyn_into::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default())
    });
    let value = props.seed_draft.clone().unwrap_or_else(|| props.seed.to_string());
    let wrong = props.seed_draft.is_some();
    html! {
        <div class="field">
            <label for="seed">{ "Seed" }</label>
            <input id="seed" type="text" inputmode="numeric" autocomplete="off" {value} onchange={change}
                aria-invalid={wrong.then_some("true")} aria-describedby="seed-problem" />
            <p id="seed-problem" class="problem" aria-live="polite">
                if let Some(draft) = &props.seed_draft {
                    { format!("Seed: {} given, a whole number from 0 to {} is allowed.", given(draft), u64::MAX) }
                }
            </p>
        </div>
    }
}
