//! What came of a prediction: what the learner said, the model, and IBM's measurement, beside each other.

use yew::prelude::*;
use zvmlab_lab::lesson::play::outcome::{Outcome, Point, Trials};
use zvmlab_lab::words::number::{number, number_or_dash, signed_pct};
use zvmlab_lab::words::unit::with_unit;

/// The size of a drawing, in its own units.
pub const WIDTH: f64 = 300.0;
/// The same.
pub const HEIGHT: f64 = 130.0;
/// The room for the values of the knob.
const FOOT: f64 = 18.0;

/// The place of a value in a drawing: which of how many, and its height from 0 to 1.
pub fn place(at: usize, count: usize, part: f64) -> (f64, f64) {
    let across = (at as f64 + 0.5) / count.max(1) as f64 * WIDTH;
    (across, HEIGHT - FOOT - part.clamp(0.0, 1.0) * (HEIGHT - FOOT - 6.0))
}

/// The values of the knob below the points, and the upper end.
pub fn axes(values: &[String], most: &str) -> Html {
    let below = |(at, value): (usize, &String)| {
        let (x, _) = place(at, values.len(), 0.0);
        html! { <text x={format!("{x:.1}")} y={(HEIGHT - 4.0).to_string()} text-anchor="middle">{ value }</text> }
    };
    html! { <g class="axes"><text x="4" y="13">{ most }</text>{ for values.iter().enumerate().map(below) }</g> }
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
    html! {
        <div class="outcome-of">
            <p class="lesson-said" role="status"><strong>{ verdict }</strong>{ " " }{ &outcome.why }</p>
            if let Some(shown) = &outcome.trials { { trials(shown) } }
            if outcome.points.is_empty() { { told(outcome) } } else { { curves(outcome) } }
            if outcome.published.is_none() { <p class="help">{ "IBM published no figure for this comparison." }</p> }
        </div>
    }
}

/// The difference in each trial as a dot, the interval of their mean as a band, and a line where there is no difference.
fn trials(shown: &Trials) -> Html {
    let Trials { differences, mean, half } = shown;
    let ends = [mean - half, mean + half];
    let most = differences.iter().chain(&ends).fold(f64::MIN_POSITIVE, |most, one| most.max(one.abs()));
    let height = |percent: f64| HEIGHT / 2.0 - percent / most * (HEIGHT / 2.0 - 8.0);
    let dot = |(at, difference): (usize, &f64)| {
        let x = (at as f64 + 0.5) / differences.len().max(1) as f64 * WIDTH;
        html! { <circle cx={format!("{x:.1}")} cy={format!("{:.1}", height(*difference))} r="4" /> }
    };
    let [low, high] = ends.map(height);
    let said: Vec<String> = differences.iter().map(|one| signed_pct(*one)).collect();
    html! {
        <>
            <svg class="drawing" viewBox={format!("0 0 {WIDTH} {HEIGHT}")} role="img" aria-label={format!("The difference in each trial: {}", said.join(", "))}>
                <rect width={WIDTH.to_string()} height={HEIGHT.to_string()} />
                <rect class="interval" y={format!("{high:.1}")} width={WIDTH.to_string()} height={format!("{:.1}", low - high)} />
                <line class="none" x2={WIDTH.to_string()} y1={format!("{:.1}", height(0.0))} y2={format!("{:.1}", height(0.0))} />
                <g class="drawn">{ for differences.iter().enumerate().map(dot) }</g>
                <g class="axes"><text x="4" y="13">{ signed_pct(most) }</text><text x="4" y={format!("{:.1}", HEIGHT - 4.0)}>{ signed_pct(-most) }</text></g>
            </svg>
            <p class="drawing-key"><span class="drawn">{ "● difference in a trial" }</span>{ " " }<span class="model">{ "▬ 95 % interval of the mean" }</span>{ " " }<span>{ "┄ no difference" }</span></p>
        </>
    }
}

/// A change in words.
fn told(outcome: &Outcome) -> Html {
    let row = |who: &'static str, said: &Option<String>| {
        let said = said.as_ref()?;
        Some(html! { <tr><th scope="row">{ who }</th><td>{ said }</td></tr> })
    };
    html! {
            <table class="lesson-figures">
                <caption>{ outcome.figure.label() }</caption>
                <tbody>
                    { row("You", &outcome.predicted) }
                    { row("Model", &Some(outcome.model.clone())) }
                    { row("IBM", &outcome.published) }
                </tbody>
            </table>
    }
}

/// The drawn curve, the model's and IBM's points.
fn curves(outcome: &Outcome) -> Html {
    let points = &outcome.points;
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
                { axes(&points.iter().map(|point| point.value.clone()).collect::<Vec<_>>(), &with_unit(highest, outcome.figure.unit())) }
                { for published.iter().map(|(x, y)| html! { <path class="published" d={format!("M{:.1} {:.1}l6 6l-6 6l-6 -6z", x, y - 6.0)} /> }) }
            </svg>
            <p class="drawing-key"><span class="drawn">{ "– – you" }</span>{ " " }<span class="model">{ "— model" }</span>{ " " }if !published.is_empty() { <span class="published">{ "◇ IBM" }</span> }</p>
            <table class="lesson-figures">
                <caption>{ format!("{}, {}", outcome.figure.label(), outcome.figure.unit()) }</caption>
                <thead><tr><td></td><th scope="col">{ "You" }</th><th scope="col">{ "Model" }</th>if !published.is_empty() { <th scope="col">{ "IBM" }</th> }</tr></thead>
                <tbody>
                    { for points.iter().map(|point| html! {
                        <tr><th scope="row">{ &point.value }</th><td>{ number_or_dash(point.drawn) }</td><td>{ number(point.model) }</td>
                            if !published.is_empty() { <td>{ number_or_dash(point.published) }</td> }</tr>
                    }) }
                </tbody>
            </table>
        </>
    }
}
