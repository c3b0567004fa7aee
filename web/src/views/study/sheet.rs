//! A table of a study on the page, with its buttons for files.

use yew::prelude::*;

use crate::msg::{Copying, Msg};
use crate::page;
use zvmlab_lab::batch::sheet::{Cell, Sheet, Verdict, json, origin};
use zvmlab_lab::batch::trials::Trials;

/// A sheet as a table that scrolls in its own box; `act` adds a button under a row's name.
pub fn table(sheet: &Sheet, first: &'static str, act: Option<&dyn Fn(usize) -> Html>) -> Html {
    let row = |(at, (name, is_bench, cells)): (usize, &(String, bool, Vec<Cell>))| {
        let missing = sheet.columns.len().saturating_sub(cells.len());
        let cell = |(column, cell): (usize, &Cell)| self::cell(cell, &sheet.written(column));
        html! {
            <tr class={is_bench.then_some("of-bench")} key={name.clone()}>
                <th scope="row">
                    { name }
                    if *is_bench { <span class="unit">{ " on the bench" }</span> }
                    if let Some(act) = act { { act(at) } }
                </th>
                { for cells.iter().enumerate().map(cell) }
                { for (0..missing).map(|_| html! { <td /> }) }
            </tr>
        }
    };
    // A heading is aligned as its cells: numbers at the right, words at the left.
    let heading = |(at, column): (usize, &String)| {
        let mut cells = sheet.rows.iter().filter_map(|(_, _, cells)| cells.get(at)).filter(|_| sheet.columns.len() > 1);
        let is_words = cells.all(|cell| cell.number.is_none());
        html! { <th scope="col" class={is_words.then_some("words")}>{ column }</th> }
    };
    html! {
        <div class="chart-table trial-table" role="region" tabindex="0" aria-label={format!("{} In numbers", sheet.title)}>
            <table>
                <caption class="visually-hidden">{ &sheet.title }</caption>
                <thead><tr>
                    <th scope="col">{ first }</th>
                    { for sheet.columns.iter().enumerate().map(heading) }
                </tr></thead>
                <tbody>{ for sheet.rows.iter().enumerate().map(row) }</tbody>
            </table>
        </div>
    }
}

fn cell(cell: &Cell, write: &dyn Fn(f64) -> String) -> Html {
    let (class, word) = match cell.verdict {
        Verdict::None => (None, ""),
        Verdict::Held => (Some("verdict held"), "✓ "),
        Verdict::Missed => (Some("verdict missed"), "✗ "),
    };
    let number = cell.number.map(write);
    let is_words = number.is_none() && !cell.words.is_empty();
    html! {
        <td class={classes!(class, is_words.then_some("words"))}>
            if class.is_some() { <b aria-hidden="true">{ word }</b> }
            { number }
            if cell.number.is_some() && !cell.words.is_empty() { { " " } }
            { &cell.words }
        </td>
    }
}

/// A file of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    /// Its sheet.
    Csv,
    /// All data of its runs.
    Json,
}

/// Saves a file of a study. It is written only now: it takes as long as to draw the whole study.
pub fn save(study: &str, file: File, sheet: &Sheet, trials: &Trials) {
    let (kind, mime, text) = match file {
        File::Csv => ("csv", "text/csv", sheet.csv(&origin(trials))),
        File::Json => ("json", "application/json", json(study, trials)),
    };
    let _ = page::download(&format!("zvmlab-{study}.{kind}"), mime, &text);
}

/// Buttons that save a sheet and all data of its runs, and one that copies the link to this answer. `save` is told which file the reader
/// wants.
pub fn files(study: &'static str, sheet: &Sheet, save: &Callback<File>, on: &Callback<Msg>, copied: Option<bool>) -> Html {
    let [csv, json] = [File::Csv, File::Json].map(|file| save.reform(move |_: MouseEvent| file));
    let share = {
        let on = on.clone();
        Callback::from(move |_: MouseEvent| {
            // The copied link must hold this study.
            on.emit(Msg::Ask(study));
            on.emit(Msg::Copy(Copying::Link));
        })
    };
    let told =
        copied.map(|copied| if copied { "Copied." } else { "The browser copies nothing here: take it from the address." });
    html! {
        <p class="chart-files trial-files">
            <button type="button" onclick={share}>{ "Copy link to this answer" }</button>
            <span role="status">{ told }</span>
            <button type="button" onclick={csv}>{ "CSV" }<span class="visually-hidden">{ format!(" of {}", sheet.title) }</span></button>
            <button type="button" onclick={json}>{ "JSON" }<span class="visually-hidden">{ format!(" of all runs of {}", sheet.title) }</span></button>
        </p>
    }
}
