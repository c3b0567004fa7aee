//! Published figures and the model's: figure by figure for a published configuration; for others, the nearest one.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::{Measurement, Scenario};
use zvmlab_reference::{RatioRow, Row, Verdict};

use super::ratios::ratio_table;
use crate::msg::Msg;
use zvmlab_lab::knob::changes::nearest;
use zvmlab_lab::published::ready::example;
use zvmlab_lab::published::{PublishedRun, ratio_rows, rows};
use zvmlab_lab::subjects::Subject;
use zvmlab_lab::subjects::introduction::Standing;
use zvmlab_lab::words::number::{grouped, number, signed_pct};

/// The data of the panel.
#[derive(Clone, PartialEq, Properties)]
pub struct PublishedProps {
    /// Every published run.
    pub published: Rc<Vec<PublishedRun>>,
    /// The published run that has the configuration of the result.
    pub run: Option<String>,
    /// The scenario of the result.
    pub scenario: Rc<Scenario>,
    /// The figures of the result, of all known replications.
    pub measurements: Vec<Measurement>,
    /// The published run with the configuration of the baseline, and the figures of its result.
    pub before: Option<(String, Vec<Measurement>)>,
    /// The subject of the host.
    pub subject: &'static Subject,
    /// The ready experiment with which it began.
    pub begun: Option<String>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// Up to this many differing settings, the nearest run lists each. Chosen: nobody compares more.
const DIFFERS_MAX: usize = 8;

/// The panel.
#[component]
pub fn PublishedPanel(props: &PublishedProps) -> Html {
    let run = props.run.as_ref().and_then(|id| props.published.iter().find(|run| run.id == *id));
    html! {
        <section class="card published" aria-labelledby="published-title">
            <h2 id="published-title" tabindex="-1">{ "What IBM measured" }</h2>
            { match run {
                Some(run) => html! { <>{ beside(run, &props.measurements) }{ against(props, run) }</> },
                None => no_run(props),
            } }
        </section>
    }
}

fn no_run(props: &PublishedProps) -> Html {
    let why = match Standing::of(&props.scenario) {
        Standing::Example => "this host is an example, chosen by hand",
        _ => "no run with these settings is published",
    };
    let caveat = format!(
        "Nothing: {why}, so no measurement stands behind the figures. Trust how they change when you turn a knob, not how large they are."
    );
    // A host that began as an example has no run near it.
    let begun_by_hand = props.begun.as_deref().is_some_and(|begun| example(begun).is_some());
    let nearest = nearest(&props.scenario, &props.published).filter(|_| !props.subject.sources.is_empty() && !begun_by_hand);
    let Some((run, differs)) = nearest else { return html! { <p>{ caveat }</p> } };
    let id = run.id.clone();
    let what = match differs.len() {
        0..=DIFFERS_MAX => differs.join(" · "),
        many => format!("{many} settings"),
    };
    html! {
        <>
            <p>{ caveat }</p>
            <p>
                { format!("The nearest is {} ({}). Yours differs: ", run.id, run.title) }
                <strong>{ what }</strong>{ "." }
            </p>
            <p><button type="button" onclick={props.on.reform(move |_| Msg::ChooseRun(id.clone()))}>{ format!("Go to {}", run.id) }</button></p>
        </>
    }
}

fn beside(run: &PublishedRun, measurements: &[Measurement]) -> Html {
    let rows = rows(&run.id, &measurements.iter().collect::<Vec<_>>());
    html! {
        <>
            <p>{ summary(run, &rows) }</p>
            { table(&rows) }
            { for run.remarks.iter().map(|remark| html! { <p class="hint">{ remark }</p> }) }
            { source(run, &rows) }
        </>
    }
}

/// The source's comparison of this run with the baseline, if both are of that source.
fn against(props: &PublishedProps, run: &PublishedRun) -> Html {
    let Some((before, figures_before)) = &props.before else { return Html::default() };
    let of = |id: &str| match id {
        id if id == run.id => props.measurements.as_slice(),
        id if id == before => figures_before.as_slice(),
        _ => &[],
    };
    let both = |row: &RatioRow| [&row.from, &row.to].iter().all(|id| **id == run.id || *id == before);
    let rows: Vec<RatioRow> = ratio_rows(&run.source_id, of).into_iter().filter(both).collect();
    html! {
        if !rows.is_empty() {
            <h3>{ "This run and A" }</h3>
            <div class="scroll" tabindex="0" role="group" aria-label="This run and A">{ ratio_table(&rows) }</div>
        }
    }
}

/// How many figures agree, in words.
pub fn summary(run: &PublishedRun, rows: &[Row]) -> String {
    if rows.is_empty() {
        return format!(
            "{}: {}. None of its figures is published. Its order among other runs is under Validation.",
            run.id, run.title
        );
    }
    let count = |verdict: Verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let judged = rows.len() - count(Verdict::NotValidated);
    if judged == 0 {
        return format!("{}: {}. None of its figures is judged. The reason stands in the row.", run.id, run.title);
    }
    let within = count(Verdict::Pass) + count(Verdict::AgreesNow);
    let known = count(Verdict::KnownDifference);
    let known = if known > 0 { format!(" ({known} known to lie outside; the reason is in the row)") } else { String::new() };
    format!("{}: {}. {within} of {judged} judged figures lie within their tolerance{known}.", run.id, run.title)
}

/// The table of published against model.
fn table(rows: &[Row]) -> Html {
    html! {
        <div class="scroll" tabindex="0" role="group" aria-label="Published against model">
            <table class="figures">
                <caption class="hidden">{ "Published against model" }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ "Figure" }</th>
                        <th scope="col" class="n">{ "Published" }</th>
                        <th scope="col" class="n">{ "Model" }</th>
                        <th scope="col" class="n">{ "Error" }</th>
                        <th scope="col">{ "Verdict" }</th>
                    </tr>
                </thead>
                <tbody>{ for rows.iter().map(row) }</tbody>
            </table>
        </div>
    }
}

fn row(row: &Row) -> Html {
    let error = row.error_pct.map_or("–".into(), signed_pct);
    html! {
        <tr>
            <th scope="row">{ row.label }{ " " }<span class="unit">{ row.unit }</span></th>
            <td class="n">{ grouped(&row.printed) }</td>
            <td class="n">{ row.model.map_or("–".into(), number) }</td>
            <td class="n">{ error }</td>
            <td class={classes!("verdict", row.verdict.as_str())}>
                { verdict(row) }
                if row.verdict != Verdict::NotValidated { { " " }<span class="unit">{ row.kind.as_str() }</span> }
                if let Some(note) = &row.note {
                    <details><summary>{ "why" }</summary>{ note }</details>
                }
            </td>
        </tr>
    }
}

/// The verdict in words, with the tolerance that decided it.
fn verdict(row: &Row) -> String {
    let tolerance = row.tolerance.map_or(String::new(), |tolerance| format!(" {tolerance}"));
    match row.verdict {
        Verdict::Pass => format!("✓ within{tolerance}"),
        Verdict::Fail => format!("✗ outside{tolerance}"),
        Verdict::KnownDifference => format!("△ outside{tolerance}, known"),
        Verdict::AgreesNow => format!("✓ within{tolerance}, against its note"),
        Verdict::NotValidated => "not judged".into(),
    }
}

/// Where the figures were published, one click away.
fn source(run: &PublishedRun, rows: &[Row]) -> Html {
    html! {
        <details class="source">
            <summary>{ "Source, machine and settings" }</summary>
            <dl>{ for run.about.iter().map(|(term, text)| html! { <><dt>{ *term }</dt><dd>{ text }</dd></> }) }</dl>
            <p>{ "“Fitted” means that a constant of the model was, or may have been, chosen with the figure in view. “Predicted” means that nothing was tuned on it." }</p>
            <details>
                <summary>{ "Source of each figure" }</summary>
                <dl>{ for rows.iter().map(|row| html! { <><dt>{ row.label }</dt><dd>{ &row.source }</dd></> }) }</dl>
            </details>
        </details>
    }
}
