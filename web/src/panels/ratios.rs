//! The table of one run against another: the source's change from run to run, and the model's.

use yew::prelude::*;
use zvmlab_reference::{OrderRow, RatioRow, Verdict};

use zvmlab_lab::words::number::{number, signed_pct};

/// The table. The verdict goes by the sign and, if the data give a tolerance, by the size.
pub fn ratio_table(rows: &[RatioRow]) -> Html {
    html! {
        <table class="figures ratios">
            <caption>{ "One run against another: the source and the model" }</caption>
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

/// The table of which of two runs has less of a figure.
pub fn order_table(rows: &[OrderRow]) -> Html {
    html! {
        <table class="figures ratios">
            <caption>{ "Which of two runs has less: the source and the model" }</caption>
            <thead>
                <tr>
                    <th scope="col">{ "Figure" }</th>
                    <th scope="col">{ "Less, more" }</th>
                    <th scope="col">{ "Published" }</th>
                    <th scope="col" class="n">{ "Model, less" }</th>
                    <th scope="col" class="n">{ "Model, more" }</th>
                    <th scope="col">{ "Verdict" }</th>
                </tr>
            </thead>
            <tbody>{ for rows.iter().map(order) }</tbody>
        </table>
    }
}

fn order(row: &OrderRow) -> Html {
    let known = row.less_model.and(row.more_model);
    let verdict = match (known, row.verdict, row.same_within) {
        (None, ..) => String::new(),
        (_, Verdict::NotValidated, _) => "not judged".into(),
        (_, Verdict::Pass, Some(percent)) => format!("✓ the same within {percent} %"),
        (_, Verdict::KnownDifference, Some(percent)) => format!("known: not the same within {percent} %"),
        (_, _, Some(percent)) => format!("✗ not the same within {percent} %"),
        (_, Verdict::Pass, None) if row.substantial => "✓ this order, intervals apart".into(),
        (_, Verdict::Pass, None) => "✓ this order".into(),
        (_, Verdict::KnownDifference, None) => match row.more_by {
            Some(percent) => format!("known: not this order, or by less than {percent} %"),
            None => "known: not this order".into(),
        },
        (_, _, None) if row.substantial => "✗ not this order, or intervals overlap".into(),
        (_, _, None) => "✗ not this order".into(),
    };
    let sign = if row.same_within.is_some() { '=' } else { '<' };
    let value = |value: Option<f64>| value.map(|value| format!("{} {}", number(value), row.unit));
    html! {
        <tr>
            <th scope="row">{ row.label }</th>
            <td>{ format!("{} {sign} {}", row.less, row.more) }</td>
            <td>{ &row.published }</td>
            <td class="n">{ value(row.less_model) }</td>
            <td class="n">{ value(row.more_model) }</td>
            <td class={classes!("verdict", known.map(|_| row.verdict.as_str()))}>
                { verdict }
                if let Some(note) = &row.note { <details><summary>{ "note" }</summary>{ note }</details> }
            </td>
        </tr>
    }
}
