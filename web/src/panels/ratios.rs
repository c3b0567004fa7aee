//! The table of what a source says of one run against another, beside what the model says of the two.

use yew::prelude::*;
use zvmlab_reference::{RatioRow, Verdict};

use crate::format::signed_pct;

/// The table. The sign is judged; the size is shown.
pub fn ratio_table(rows: &[RatioRow]) -> Html {
    html! {
        <table class="figures ratios">
            <caption>{ "One run against another: what the source says, and what the model does; the sign is judged" }</caption>
            <thead>
                <tr>
                    <th scope="col">{ "Figure" }</th>
                    <th scope="col">{ "From, to" }</th>
                    <th scope="col">{ "Published" }</th>
                    <th scope="col" class="n">{ "Model" }</th>
                    <th scope="col">{ "Verdict" }</th>
                </tr>
            </thead>
            <tbody>{ for rows.iter().map(row) }</tbody>
        </table>
    }
}

fn row(row: &RatioRow) -> Html {
    let verdict = match (row.model_percent, row.verdict) {
        (None, _) => "",
        (_, Verdict::Pass) => "✓ same sign",
        _ => "✗ not the same sign",
    };
    html! {
        <tr>
            <th scope="row">{ row.label }</th>
            <td>{ format!("{} → {}", row.from, row.to) }</td>
            <td>{ &row.published }</td>
            <td class="n">{ row.model_percent.map(signed_pct) }</td>
            <td class={classes!("verdict", row.model_percent.map(|_| row.verdict.as_str()))}>
                { verdict }
                if let Some(note) = &row.note { <details><summary>{ "note" }</summary>{ note }</details> }
            </td>
        </tr>
    }
}
