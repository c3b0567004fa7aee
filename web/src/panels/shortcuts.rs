//! Shortcuts: one table, and the dialog that lists it.

use web_sys::{HtmlDialogElement, HtmlInputElement};
use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::limit::Limits;
use zvmlab::scenario::Level;
use zvmlab::scenario::fields::path;

use crate::msg::{Copying, Msg};
use zvmlab_lab::knob::{Given, Knob};
use zvmlab_lab::subjects::Subject;
use zvmlab_lab::subjects::next_step::Next;

/// The bench, as a shortcut sees it.
pub struct Bench<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// Its subject.
    pub subject: &'static Subject,
    /// The ready experiment with which it began.
    pub run: Option<&'a str>,
    /// What limits it; none as long as there is no result.
    pub limits: Option<&'a Limits>,
}

/// The effect of a shortcut on the bench; none if there is nothing to do.
type Action = fn(&Bench) -> Option<Msg>;

/// Every shortcut: its key, its effect in words, and its effect.
static SHORTCUTS: &[(&str, &str, Action)] = &[
    ("n", "Take the step on offer at the top, or the way back", |bench| {
        Next::of(bench.scenario, bench.subject, bench.run, bench.limits).taken().map(Msg::TakeStep)
    }),
    ("z", "zHPF for paging on or off", |bench| turn(path::PAGING_ZHPF, Given::Switch(!bench.scenario.paging.zhpf))),
    ("l", "z/VM level 6.3 or 6.4", |bench| {
        turn(path::LEVEL, Given::Choice(if bench.scenario.level < Level::V6_4 { "6.4" } else { "6.3" }.into()))
    }),
    ("p", "Compare from here (pin the result as A), or unpin A", |_| Some(Msg::TogglePin)),
    ("r", "Run or pause the live run", |_| Some(Msg::ToggleRun)),
    ("s", "Single step of the live run", |_| Some(Msg::Step)),
    ("0", "Back to the chosen experiment", |_| Some(Msg::Reset)),
    ("u", "Undo the last step", |_| Some(Msg::Undo)),
    ("y", "Redo it", |_| Some(Msg::Redo)),
    ("c", "Copy the link", |_| Some(Msg::Copy(Copying::Link))),
];

fn turn(path: &str, given: Given) -> Option<Msg> {
    Knob::at(path, 0).map(|knob| Msg::TurnKnob { knob, given, done: true })
}

/// The effect of the key `key`.
pub fn action(key: &str) -> Option<Action> {
    SHORTCUTS.iter().find(|(name, _, _)| *name == key).map(|(_, _, action)| *action)
}

/// The data of the dialog.
#[derive(Clone, PartialEq, Properties)]
pub struct ShortcutsProps {
    /// Whether it is open.
    pub shown: bool,
    /// Whether the shortcuts are on.
    pub used: bool,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The dialog.
#[component]
pub fn Shortcuts(props: &ShortcutsProps) -> Html {
    let dialog = use_node_ref();
    use_effect_with((dialog.clone(), props.shown), |(dialog, shown)| {
        if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
            if *shown && !dialog.open() {
                // If the browser will not open a dialog, it is just not shown.
                let _ = dialog.show_modal();
            } else if !*shown && dialog.open() {
                dialog.close();
            }
        }
    });
    let on_use = props.on.reform(|event: Event| {
        Msg::UseShortcuts(event.target_dyn_into::<HtmlInputElement>().is_some_and(|input| input.checked()))
    });
    html! {
        <dialog ref={dialog} class="shortcuts" aria-labelledby="shortcuts-title" onclose={props.on.reform(|_| Msg::ShowShortcuts(false))}>
            <h2 id="shortcuts-title">{ "Keyboard shortcuts" }</h2>
            <table>
                <thead><tr><th scope="col">{ "Key" }</th><th scope="col">{ "What it does" }</th></tr></thead>
                <tbody>
                    { for SHORTCUTS.iter().map(|(key, what, _)| html! {
                        <tr><th scope="row"><kbd>{ *key }</kbd></th><td>{ *what }</td></tr>
                    }) }
                    <tr><th scope="row"><kbd>{ "Ctrl Z" }</kbd>{ " " }<kbd>{ "Ctrl Y" }</kbd></th><td>{ "Undo, redo" }</td></tr>
                    <tr><th scope="row"><kbd>{ "?" }</kbd></th><td>{ "This list" }</td></tr>
                    <tr><th scope="row"><kbd>{ "←" }</kbd>{ " " }<kbd>{ "→" }</kbd></th><td>{ "On a knob: one step; on a chart: read out the values" }</td></tr>
                </tbody>
            </table>
            <label class="check"><input type="checkbox" checked={props.used} onchange={on_use} />{ "Use single-key shortcuts" }</label>
            <form method="dialog"><button type="submit">{ "Close" }</button></form>
        </dialog>
    }
}
