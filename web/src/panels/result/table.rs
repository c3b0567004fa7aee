//! The table of the settled result: the main figures, and the others on demand.

use yew::prelude::*;
use zvmlab::Figure;
use zvmlab::measurement::FIGURES;

use super::{ResultProps, effect};
use crate::comparison::{Finding, Pair};
use crate::format::{difference, half_width, number_or_dash};

/// The figures that are always shown, and whether they are parts of the one above.
const MAIN: &[(Figure, bool)] = &[
    (Figure::Etr, false),
    (Figure::PagesPerSecond, false),
    (Figure::ServiceTime, false),
    (Figure::PendingTime, true),
    (Figure::DisconnectTime, true),
    (Figure::ConnectTime, true),
    (Figure::IosInProgress, false),
    (Figure::VolumeBusy, false),
    (Figure::PageWait, false),
    (Figure::TotalBusy, false),
    (Figure::CpTimePerPage, false),
];

/// The table.
pub fn table(props: &ResultProps) -> Html {
    let others =
        || FIGURES.iter().filter(|figure| !MAIN.iter().any(|(main, _)| main == *figure)).map(|&figure| (figure, false));
    html! {
        <>
            { figures(props, "Main figures", MAIN.iter().copied()) }
            <details class="others">
                <summary>{ "All other figures" }</summary>
                { figures(props, "All other figures", others()) }
            </details>
        </>
    }
}

fn figures(props: &ResultProps, caption: &str, figures: impl Iterator<Item = (Figure, bool)>) -> Html {
    let compared = props.before.is_some();
    let replicated = props.pairs.iter().any(|pair| pair.interval.is_some());
    let rows = figures.filter_map(|(figure, part)| Some((props.pairs.iter().find(|pair| pair.figure == figure)?, part)));
    html! {
        <table class="figures">
            <caption class="hidden">{ caption.to_string() }</caption>
            <thead>
                <tr>
                    <th scope="col">{ "Figure" }</th>
                    if compared { <th scope="col" class="n">{ if props.pinned { "Pinned" } else { "Before" } }</th> }
                    <th scope="col" class="n">{ if replicated { "Now, ± 95 %" } else { "Now" } }</th>
                    if compared { <th scope="col" class="n">{ "Difference" }</th> }
                </tr>
            </thead>
            <tbody>{ for rows.map(|(pair, part)| row(pair, part, compared)) }</tbody>
        </table>
    }
}

fn row(pair: &Pair, part: bool, compared: bool) -> Html {
    let change = pair.before.zip(pair.now).and_then(|(before, now)| difference(before, now));
    let half = pair.interval.map(|interval| (interval.high - interval.low) / 2.0).filter(|half| *half > 0.0);
    let half = half.map(|half| format!(" ± {}", half_width(half)));
    let unlike = pair.finding() != Finding::NotDistinguishable || pair.before == pair.now;
    html! {
        <tr class={part.then_some("part")}>
            <th scope="row">{ label(pair.figure) }{ " " }<span class="unit">{ pair.figure.unit() }</span></th>
            if compared { <td class="n before">{ number_or_dash(pair.before) }</td> }
            <td class="n">{ number_or_dash(pair.now) }<span class="half">{ half }</span></td>
            if compared {
                <td class={classes!("n", "change", effect(pair).filter(|_| !part))}>
                    if unlike { { change.unwrap_or_else(|| "–".into()) } } else { <span class="unit">{ "not distinguishable" }</span> }
                </td>
            }
        </tr>
    }
}

/// The figure's name, shorter where the table's place says the rest.
fn label(figure: Figure) -> &'static str {
    match figure {
        Figure::Etr => "Throughput (ETR)",
        Figure::ServiceTime => "Service time of an I/O",
        Figure::PendingTime => "pending",
        Figure::DisconnectTime => "disconnect",
        Figure::ConnectTime => "connect",
        Figure::VolumeBusy => "Volume busy",
        Figure::TotalBusy => "Processors busy",
        Figure::IosInProgress => "I/Os in progress",
        other => other.label(),
    }
}
