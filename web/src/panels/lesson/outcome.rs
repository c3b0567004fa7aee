//! What came of a prediction: what the learner said, the model, and IBM's measurement, beside each other.

use yew::prelude::*;
use zvmlab_lab::lesson::play::outcome::{Outcome, Point};

/// The size of a drawing, in its own units.
pub const WIDTH: f64 = 300.0;
/// The same.
pub const HEIGHT: f64 = 120.0;

/// The place of a value in a drawing: which of how many, and its height from 0 to 1.
pub fn place(at: usize, count: usize, part: f64) -> (f64, f64) {
    let across = (at as f64 + 0.5) / count.max(1) as f64 * WIDTH;
    (across, HEIGHT - 4.0 - part.clamp(0.0, 1.0) * (HEIGHT - 8.0))
}

/// A line with its points.
pub fn polyline(class: &'static str, points: &[(f64, f64)]) -> Html {
    let written: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    html! {
        <g class={class}>
            <polyline points={written.join(" ")} />
            { for points.iter().map(|(x, y)| html! { <circle cx={format!("{x:.1}")} cy={format!("{y:.1}")} r="4" /> }) }
        </g>
    }
}

/// The outcome, with the verdict in words.
pub fn shown(outcome: &Outcome) -> Html {
    let verdict = match (&outcome.predicted, outcome.is_right) {
        (None, _) => "You made no prediction.",
        (Some(_), true) => "Your prediction came true.",
        (Some(_), false) => "Your prediction did not come true.",
    };
    let row = |who: &'static str, said: &Option<String>| {
        let said = said.as_ref()?;
        Some(html! { <tr><th scope="row">{ who }</th><td>{ said }</td></tr> })
    };
    html! {
        <div class="outcome-of" data-testid="lesson-outcome">
            <p class="lesson-said" role="status"><strong>{ verdict }</strong></p>
            if !outcome.points.is_empty() { { curves(&outcome.points) } }
            <table class="lesson-figures">
                <caption>{ outcome.figure.label() }</caption>
                <tbody>
                    { row("You", &outcome.predicted) }
                    { row("Model", &Some(outcome.model.clone())) }
                    { row("IBM", &outcome.published) }
                </tbody>
            </table>
            if outcome.published.is_none() { <p class="help">{ "IBM published no figure of both hosts." }</p> }
        </div>
    }
}

/// The drawn curve, the model's and IBM's points.
fn curves(points: &[Point]) -> Html {
    let count = points.len();
    let all = points.iter().flat_map(|point| [point.drawn, Some(point.model), point.published]).flatten();
    let highest = all.fold(f64::MIN_POSITIVE, f64::max);
    let line = |of: fn(&Point) -> Option<f64>| -> Vec<(f64, f64)> {
        let place = |(at, point): (usize, &Point)| Some(place(at, count, of(point)? / highest));
        points.iter().enumerate().filter_map(place).collect()
    };
    let published = line(|point| point.published);
    html! {
        <>
            <svg class="drawing" viewBox={format!("0 0 {WIDTH} {HEIGHT}")} role="img" aria-label="Your curve and the model's; the figures stand below">
                <rect width={WIDTH.to_string()} height={HEIGHT.to_string()} />
                { polyline("drawn", &line(|point| point.drawn)) }
                { polyline("model", &line(|point| Some(point.model))) }
                { for published.iter().map(|(x, y)| html! { <path class="published" d={format!("M{:.1} {:.1}l6 6l-6 6l-6 -6z", x, y - 6.0)} /> }) }
            </svg>
            <p class="drawing-key"><span class="drawn">{ "– – you" }</span>{ " " }<span class="model">{ "— model" }</span>{ " " }if !published.is_empty() { <span class="published">{ "◇ IBM" }</span> }</p>
        </>
    }
}
