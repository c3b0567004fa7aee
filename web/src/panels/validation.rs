//! Validation: every published run, computed in this page with several seeds, beside what was published.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Measurement;
use zvmlab_reference::Verdict;

use crate::app::Msg;
use crate::bench::VALIDATION_SEEDS;
use crate::format::{number, signed_pct};
use crate::published::{PublishedRun, rows};

/// What the validation is given.
#[derive(Clone, PartialEq, Properties)]
pub struct ValidationProps {
    /// Every published run.
    pub published: Rc<Vec<PublishedRun>>,
    /// The figures of each run, of all seeds that are known.
    pub measurements: Vec<Vec<Measurement>>,
    /// Whether the reader wanted it.
    pub wanted: bool,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The validation.
#[component]
pub fn Validation(props: &ValidationProps) -> Html {
    let seeds = VALIDATION_SEEDS.count();
    let (known, all) = (props.measurements.iter().map(Vec::len).sum::<usize>(), props.published.len() * seeds);
    let running = props.wanted && known < all;
    html! {
        <details class="card" id="validation">
            <summary><h2>{ "Validation: every published run" }</h2></summary>
            <p>{ format!("Runs each published experiment with {seeds} seeds, here in your browser, and sets the mean beside what was published. ") }
                { "The command line prints the same table." }</p>
            <p>
                <button type="button" onclick={props.on.reform(|_| Msg::Validate)} disabled={running || known == all}>{ "Run all" }</button>
                { " " }<span role="status" class="progress">
                    if running { { format!("{known} of {all} experiments…") } }
                    else if known == all { { format!("All {all} experiments done.") } }
                </span>
            </p>
            <div class="scroll" tabindex="0" role="group" aria-label="Every published run">
                <table class="figures">
                    <caption class="hidden">{ "Every published run" }</caption>
                    <thead>
                        <tr>
                            <th scope="col">{ "Run" }</th>
                            <th scope="col" class="n">{ "ETR published" }</th>
                            <th scope="col" class="n">{ "ETR model" }</th>
                            <th scope="col" class="n">{ "Error" }</th>
                            <th scope="col" class="n">{ "Figures within" }</th>
                            <th scope="col">{ "Outside" }</th>
                        </tr>
                    </thead>
                    <tbody>{ for props.published.iter().zip(&props.measurements).map(|(run, known)| row(run, known, &props.on)) }</tbody>
                </table>
            </div>
        </details>
    }
}

fn row(run: &PublishedRun, measurements: &[Measurement], on: &Callback<Msg>) -> Html {
    let rows = rows(&run.id, &measurements.iter().collect::<Vec<_>>());
    let etr = rows.iter().find(|row| row.figure == zvmlab::Figure::Etr.id());
    let judged = rows.iter().filter(|row| row.verdict != Verdict::NotValidated).count();
    let within = rows.iter().filter(|row| matches!(row.verdict, Verdict::Pass | Verdict::AgreesNow)).count();
    let outside: Vec<String> = rows
        .iter()
        .filter(|row| matches!(row.verdict, Verdict::Fail | Verdict::KnownDifference))
        .filter_map(|row| Some(format!("{} {}", row.label, signed_pct(row.error_pct?))))
        .collect();
    let done = !measurements.is_empty();
    let id = run.id.clone();
    html! {
        <tr>
            <th scope="row">
                <button type="button" class="plain" onclick={on.reform(move |_| Msg::ChooseRun(id.clone()))}>{ &run.id }</button>
                { " " }<span class="unit">{ &run.title }</span>
            </th>
            <td class="n">{ etr.map(|row| row.printed.clone()) }</td>
            <td class="n">{ etr.and_then(|row| row.model).map(number) }</td>
            <td class="n">{ etr.and_then(|row| row.error_pct).map(signed_pct) }</td>
            <td class="n">{ done.then(|| format!("{within} of {judged}")) }</td>
            <td>{ done.then(|| outside.join(", ")) }</td>
        </tr>
    }
}
