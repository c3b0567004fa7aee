//! The table of what a source says of one run against another, beside what the model says of the two.

use yew::prelude::*;
use zvmlab_reference::{RatioRow, Verdict};

use crate::format::signed_pct;

/// The table. The sign is judged and, where the data give a bar, the size.
pub fn ratio_table(rows: &[RatioRow]) -> Html {
    html! {
        <table class="figures ratios">
            <caption>{ "One run against another: what the source says, and what the model does" }</caption>
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
    let verdict = match (row.model_percent, row.verdict, row.within_points) {
        (None, ..) => String::new(),
        (_, Verdict::NotValidated, _) => "not judged".into(),
        (_, Verdict::Pass, None) => "✓ same sign".into(),
        (_, Verdict::Pass, Some(points)) => format!("✓ same sign, within {points} points"),
        (_, Verdict::KnownDifference, Some(points)) => format!("known: not within {points} points"),
        (_, _, Some(points)) => format!("✗ not the same sign, or not within {points} points"),
        (_, _, None) => "✗ not the same sign".into(),
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
