//! Validation: every published run of every source, run in this page with several seeds, and compared with the published figures.

use std::collections::BTreeSet;
use std::rc::Rc;

use yew::prelude::*;
use zvmlab::{Figure, Measurement};
use zvmlab_reference::{OrderRow, RatioRow, Row, Verdict};

use super::ratios::{order_table, ratio_table};
use crate::msg::Msg;
use zvmlab_lab::bench::VALIDATION_SEEDS;
use zvmlab_lab::published::{PublishedRun, PublishedSource, order_rows, ratio_rows, rows, sources};
use zvmlab_lab::room::Anchor;
use zvmlab_lab::words::number::{grouped, number, signed_pct};

/// The data of the validation.
#[derive(Clone, PartialEq, Properties)]
pub struct ValidationProps {
    /// Every published run.
    pub published: Rc<Vec<PublishedRun>>,
    /// The figures of each run, of all known seeds.
    pub measurements: Rc<Vec<Vec<Measurement>>>,
    /// The runs that the reader asked for.
    pub wanted: BTreeSet<String>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// A run and its known figures.
type Known<'a> = (&'a PublishedRun, &'a [Measurement]);

/// The validation.
#[component]
pub fn Validation(props: &ValidationProps) -> Html {
    let seeds = VALIDATION_SEEDS.count();
    let runs: Vec<Known> = props.published.iter().zip(props.measurements.iter().map(Vec::as_slice)).collect();
    // Its tables are long: they come when somebody wants to see them.
    let seen = use_state_eq(|| false);
    let ontoggle = {
        let seen = seen.setter();
        Callback::from(move |_: Event| seen.set(true))
    };
    html! {
        <details class="card" id={Anchor::Validation.id()} {ontoggle}>
            <summary><h2>{ "Validation: every published run" }</h2></summary>
            <p>{ format!("Runs each published experiment with {seeds} seeds, here in your browser, and shows the mean next to the published figure. ") }
                { "The command line prints the same table." }</p>
            { run_button(props, &runs, None, "Run all") }
            if *seen { { for sources().iter().map(|source| of_source(props, &runs, source)) } }
        </details>
    }
}

/// The button that runs the runs of one source or of all, with the progress.
fn run_button(props: &ValidationProps, runs: &[Known], source: Option<&str>, label: &str) -> Html {
    let all = runs.len() * VALIDATION_SEEDS.count();
    let known: usize = runs.iter().map(|(_, known)| known.len()).sum();
    let running = known < all && runs.iter().all(|(run, _)| props.wanted.contains(&run.id));
    let source = source.map(String::from);
    html! {
        <p>
            <button type="button" onclick={props.on.reform(move |_| Msg::Validate(source.clone()))} disabled={running || known == all}>{ label.to_string() }</button>
            { " " }<span role="status" class="progress">
                if running { { format!("{known} of {all} experiments…") } }
                else if known == all { { format!("All {all} experiments done.") } }
            </span>
        </p>
    }
}

fn of_source(props: &ValidationProps, all: &[Known], source: &PublishedSource) -> Html {
    let runs: Vec<Known> = all.iter().filter(|(run, _)| run.source_id == source.id).copied().collect();
    let compared: Vec<(Known, Vec<Row>)> =
        runs.iter().map(|(run, known)| ((*run, *known), rows(&run.id, &known.iter().collect::<Vec<_>>()))).collect();
    let of = |id: &str| runs.iter().find(|(run, _)| run.id == id).map(|(_, known)| *known).unwrap_or_default();
    let (against, ordered) = (ratio_rows(source.id, of), order_rows(source.id, of));
    html! {
        <section key={source.id} id={format!("validation-{}", source.id)}>
            <h3>{ format!("{} ({})", source.title, source.tables) }</h3>
            { run_button(props, &runs, Some(source.id), "Run these") }
            { summary(&compared) }
            { table(source, &compared, &props.on) }
            { ratios(source, &against) }
            { orders(source, &ordered) }
            { known_differences(&compared) }
        </section>
    }
}

/// How the figures of a source agree, once some of its runs are known.
fn summary(compared: &[(Known, Vec<Row>)]) -> Html {
    let known: Vec<&Row> = compared.iter().filter(|((_, known), _)| !known.is_empty()).flat_map(|(_, rows)| rows).collect();
    let count = |verdict: Verdict| known.iter().filter(|row| row.verdict == verdict).count();
    let judged = known.len() - count(Verdict::NotValidated);
    let text = match (known.is_empty(), judged) {
        (true, _) => return Html::default(),
        (_, 0) => "None of its figures is judged. They stand next to the model’s for comparison.".to_string(),
        _ => format!(
            "{} of {judged} judged figures lie within their tolerance, {} known to lie outside, {} outside.",
            count(Verdict::Pass) + count(Verdict::AgreesNow),
            in_number(count(Verdict::KnownDifference), "is", "are"),
            in_number(count(Verdict::Fail), "lies", "lie"),
        ),
    };
    let unsettled = known.iter().filter(|row| row.unsettled > 0).count();
    let unsettled = (unsettled > 0)
        .then(|| format!(" {} of a run that had not settled when it was measured.", in_number(unsettled, "is", "are")));
    html! { <p><strong>{ text }</strong>{ unsettled }</p> }
}

/// A number with its verb: `1 is`, `0 are`.
fn in_number(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The figure that represents a run of the source: the first that its table prints.
fn lead(compared: &[(Known, Vec<Row>)]) -> Option<Figure> {
    compared.first().and_then(|((run, _), _)| run.figures.first()).map(|figure| figure.figure)
}

/// The figure's name in the source's table.
fn label(compared: &[(Known, Vec<Row>)], figure: Figure) -> String {
    let row = compared.iter().flat_map(|(_, rows)| rows).find(|row| row.figure == figure.id());
    row.map_or_else(|| figure.label().to_string(), |row| row.label.to_string())
}

fn table(source: &PublishedSource, compared: &[(Known, Vec<Row>)], on: &Callback<Msg>) -> Html {
    let Some(lead) = lead(compared) else { return Html::default() };
    let caption = format!("Runs of {}", source.title);
    html! {
        <div class="scroll" tabindex="0" role="group" aria-label={caption.clone()}>
            <table class="figures">
                <caption class="hidden">{ caption }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ "Run" }</th>
                        <th scope="col" class="n">{ format!("{}, published", label(compared, lead)) }</th>
                        <th scope="col" class="n">{ "Model" }</th>
                        <th scope="col" class="n">{ "Error" }</th>
                        <th scope="col" class="n">{ "Figures within" }</th>
                        <th scope="col">{ "Outside" }</th>
                    </tr>
                </thead>
                <tbody>{ for compared.iter().map(|((run, known), rows)| row(run, known, rows, lead, on)) }</tbody>
            </table>
        </div>
    }
}

fn row(run: &PublishedRun, known: &[Measurement], rows: &[Row], lead: Figure, on: &Callback<Msg>) -> Html {
    let first = rows.iter().find(|row| row.figure == lead.id());
    let judged = rows.iter().filter(|row| row.verdict != Verdict::NotValidated).count();
    let within = rows.iter().filter(|row| matches!(row.verdict, Verdict::Pass | Verdict::AgreesNow)).count();
    let outside: Vec<String> = rows
        .iter()
        .filter(|row| matches!(row.verdict, Verdict::Fail | Verdict::KnownDifference))
        .map(|row| format!("{} {}", row.label, off(row)))
        .collect();
    let done = !known.is_empty();
    let id = run.id.clone();
    html! {
        <tr>
            <th scope="row">
                <button type="button" class="plain" onclick={on.reform(move |_| Msg::ChooseRun(id.clone()))}>{ &run.id }</button>
                { " " }<span class="unit">{ &run.title }</span>
            </th>
            <td class="n">{ first.map(|row| grouped(&row.printed)) }</td>
            <td class="n">{ first.and_then(|row| row.model).map(number) }</td>
            <td class="n">{ first.and_then(|row| row.error_pct).map(signed_pct) }</td>
            <td class="n">{ done.then(|| if judged > 0 { format!("{within} of {judged}") } else { "not judged".into() }) }</td>
            <td>{ done.then(|| outside.join(", ")) }</td>
        </tr>
    }
}

/// The model's error: in percent, or as a number if the tolerance is one.
fn off(row: &Row) -> String {
    let by_number = row.tolerance.is_some_and(|tolerance| matches!(tolerance, zvmlab_reference::Tolerance::Absolute(_)));
    match (row.model, row.error_pct) {
        (None, _) => "missing".into(),
        (Some(model), _) if by_number => {
            let sign = if model < row.published { "−" } else { "+" };
            format!("{sign}{}", number((model - row.published).abs()))
        }
        (_, Some(percent)) => signed_pct(percent),
        (Some(model), None) => number(model),
    }
}

/// The source's comparison of one run with another.
fn ratios(source: &PublishedSource, rows: &[RatioRow]) -> Html {
    let label = format!("{}: one run against another", source.title);
    html! {
        if !rows.is_empty() {
            <div class="scroll" tabindex="0" role="group" aria-label={label}>{ ratio_table(rows) }</div>
        }
    }
}

/// Which of two runs has less, according to the source.
fn orders(source: &PublishedSource, rows: &[OrderRow]) -> Html {
    let label = format!("{}: which of two runs has less", source.title);
    html! {
        if !rows.is_empty() {
            <div class="scroll" tabindex="0" role="group" aria-label={label}>{ order_table(rows) }</div>
        }
    }
}

/// The figures that are known to lie outside, each with the reason.
fn known_differences(compared: &[(Known, Vec<Row>)]) -> Html {
    let known: Vec<&Row> = compared
        .iter()
        .filter(|((_, known), _)| !known.is_empty())
        .flat_map(|(_, rows)| rows)
        .filter(|row| row.verdict == Verdict::KnownDifference)
        .collect();
    if known.is_empty() {
        return Html::default();
    }
    html! {
        <details>
            <summary>{ format!("Why {} known to lie outside", if known.len() == 1 { "one figure is".into() } else { format!("{} figures are", known.len()) }) }</summary>
            <dl>
                { for known.into_iter().map(|row| html! {
                    <><dt>{ format!("{}, {} {}", row.case, row.label, off(row)) }</dt><dd>{ row.note.clone() }</dd></>
                }) }
            </dl>
        </details>
    }
}
