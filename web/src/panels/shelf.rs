//! The hosts that the reader keeps on this device: save, open, rename, duplicate, delete, export and import.

use std::rc::Rc;

use web_sys::{HtmlInputElement, KeyboardEvent};
use yew::prelude::*;
use zvmlab_lab::shelf::{Kept, NAME_MAX, Shelf};
use zvmlab_lab::template::{HOSTS, HostTemplate};

use crate::msg::{Msg, Shelving};
use crate::page;

/// What opens the list, and has the focus where what had it goes.
pub const SHELF_HEAD: &str = "shelf-head";
/// The field for another name of a host.
const NEW_NAME: &str = "shelf-new-name";

/// The data of the list.
#[derive(Clone, PartialEq, Properties)]
pub struct HostsProps {
    /// The hosts.
    pub shelf: Rc<Shelf>,
    /// What the last action did, or why it did nothing.
    pub said: Option<String>,
    /// Whether the last action can be taken back.
    pub undo: bool,
    /// The name of the host on the bench, which is proposed.
    pub name: String,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The hosts, folded until the reader opens them.
#[component]
pub fn Hosts(props: &HostsProps) -> Html {
    let name = use_state_eq(|| None::<String>);
    let renaming = use_state_eq(|| None::<String>);
    let typed = (*name).clone().unwrap_or_else(|| props.name.clone());
    let save = {
        let (on, name, typed) = (props.on.clone(), name.clone(), typed.clone());
        Callback::from(move |()| {
            on.emit(Msg::Shelve(Shelving::Save(typed.clone())));
            name.set(None);
        })
    };
    let write = {
        let name = name.clone();
        Callback::from(move |event: InputEvent| {
            name.set(event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()));
        })
    };
    let enter = save.clone();
    let title = match props.shelf.hosts().len() {
        0 => "My hosts".to_string(),
        count => format!("My hosts ({count})"),
    };
    html! {
        <details class="shelf" id="shelf">
            <summary id={SHELF_HEAD}>{ title }</summary>
            <div class="shelf-save">
                <input type="text" id="shelf-name" aria-label="Name of the host" maxlength={NAME_MAX.to_string()} autocomplete="off" value={typed}
                    oninput={write} onkeydown={on_enter(move || enter.emit(()))} />
                <button type="button" onclick={save.reform(|_: MouseEvent| ())}>{ "Save this host" }</button>
            </div>
            <p class="help" role="status">
                { props.said.clone().unwrap_or_else(|| "Hosts are kept in this browser on this device, nowhere else.".into()) }
                if props.undo {
                    { " " }<button type="button" class="plain" onclick={props.on.reform(|_| Msg::Shelve(Shelving::Undo))}>{ "Undo" }</button>
                }
            </p>
            if !props.shelf.hosts().is_empty() {
                <ul>{ for props.shelf.hosts().iter().map(|kept| row(props, kept, &renaming)) }</ul>
                <button type="button" class="plain" onclick={props.on.reform(|_| Msg::Shelve(Shelving::Export))}>{ "Export all" }</button>
            }
            <p class="label-row"><span>{ "Begin a host" }</span></p>
            <ul class="begin">{ for HOSTS.iter().enumerate().map(|(index, host)| begin(props, index, host)) }</ul>
            <p class="help">{ "Open a file… also takes a file of exported hosts and adds them. Files can be dropped on the page." }</p>
        </details>
    }
}

/// A host to begin with, and where its numbers come from.
fn begin(props: &HostsProps, index: usize, host: &HostTemplate) -> Html {
    html! {
        <li>
            <button type="button" class="plain" onclick={props.on.reform(move |_: MouseEvent| Msg::BeginHost(index))}>{ host.title }</button>
            <span class="help">{ host.from }</span>
        </li>
    }
}

/// A host with what can be done with it.
fn row(props: &HostsProps, kept: &Kept, renaming: &UseStateHandle<Option<String>>) -> Html {
    let name = kept.name.clone();
    let act = |label: &'static str, done: fn(String) -> Shelving| {
        let name = name.clone();
        let act = props.on.reform(move |_: MouseEvent| Msg::Shelve(done(name.clone())));
        html! { <button type="button" class="plain" aria-label={format!("{label} {}", kept.name)} onclick={act}>{ label }</button> }
    };
    let open = {
        let name = name.clone();
        props.on.reform(move |_: MouseEvent| Msg::Shelve(Shelving::Open(name.clone())))
    };
    let begin = {
        let (renaming, name) = (renaming.clone(), name.clone());
        Callback::from(move |_: MouseEvent| {
            renaming.set(Some(name.clone()));
            page::focus(NEW_NAME);
        })
    };
    // Escape leaves the name as it is, and so does Enter where nothing was written.
    let leave = {
        let (renaming, name) = (renaming.clone(), name.clone());
        Callback::from(move |event: KeyboardEvent| {
            let written = event.target_dyn_into::<HtmlInputElement>().map(|field| field.value());
            if event.key() == "Escape" || event.key() == "Enter" && written.as_ref() == Some(&name) {
                event.prevent_default();
                event.stop_propagation();
                renaming.set(None);
                page::focus(SHELF_HEAD);
            }
        })
    };
    let rename = {
        let (on, renaming, name) = (props.on.clone(), renaming.clone(), name.clone());
        Callback::from(move |event: Event| {
            let to = event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default();
            on.emit(Msg::Shelve(Shelving::Rename(name.clone(), to)));
            renaming.set(None);
        })
    };
    html! {
        <li key={name.clone()}>
            if renaming.as_deref() == Some(kept.name.as_str()) {
                <input type="text" id={NEW_NAME} aria-label={format!("New name of {}", kept.name)} title="Enter gives the name, Escape leaves it" maxlength={NAME_MAX.to_string()} autocomplete="off"
                    value={kept.name.clone()} onchange={rename} onkeydown={leave} />
            } else {
                <button type="button" class="plain name" aria-label={format!("Open {}", kept.name)} onclick={open}>{ &kept.name }</button>
                <button type="button" class="plain" aria-label={format!("Rename {}", kept.name)} onclick={begin}>{ "Rename" }</button>
                { act("Duplicate", Shelving::Duplicate) }
                { act("Delete", Shelving::Delete) }
            }
        </li>
    }
}

/// Does something on the Enter key, and keeps the browser from sending the form around the field.
fn on_enter(act: impl Fn() + 'static) -> Callback<KeyboardEvent> {
    Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Enter" {
            event.prevent_default();
            act();
        }
    })
}
