//! LIMITHARD in the three configurations of the 6.2 deck: the CPU that a guest with a hard limit gets, by DEADLINE and by
//! CONSUMPTION, against that limit.

use yew::prelude::*;
use zvmlab_lab::rooms::limit_hard::{Line, WAYS, lines, off, verdict};
use zvmlab_lab::rooms::studied::Studied;
use zvmlab_lab::words::number::{fixed, signed_pct};
use zvmlab_lab::words::unit::NO_BREAK;

/// The same as a table, with misses marked.
pub fn table(studied: &Studied) -> Html {
    let cell = |(got, limit): (Option<f64>, f64)| match got {
        Some(got) => {
            let word = verdict(got, limit);
            html! {
                <td class={classes!("verdict", word)}>
                    { format!("{}{NO_BREAK}% ", fixed(got, 1)) }<b>{ word }</b>
                    if word != "held" { { format!(" {}", signed_pct(off(got, limit)).replace(' ', "\u{a0}")) } }
                </td>
            }
        }
        None => html! { <td>{ "…" }</td> },
    };
    let line = |line: &Line| {
        html! {
            <tr>
                <th scope="row" title={line.question}>{ line.title }</th>
                <td>{ format!("{}{NO_BREAK}%", line.limit) }</td>
                { for line.got.iter().map(|got| cell((*got, line.limit))) }
            </tr>
        }
    };
    html! {
        <div class="chart-table limit-table" role="region" tabindex="0" aria-label="LIMITHARD: DEADLINE and CONSUMPTION against the limit">
            <table>
                <thead><tr>
                    <th scope="col">{ "Configuration" }</th>
                    <th scope="col">{ "Limit" }</th>
                    { for WAYS.iter().map(|(name, _)| html! { <th scope="col">{ *name }</th> }) }
                </tr></thead>
                <tbody>{ for lines(studied).iter().map(line) }</tbody>
            </table>
        </div>
    }
}
