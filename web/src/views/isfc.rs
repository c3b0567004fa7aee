//! The ISFC logical link: what each chpid carries, who has its buffers, and what limits it.

use web_sys::HtmlSelectElement;
use yew::prelude::*;
use zvmlab::snapshot::{ClusterSnapshot, LinkSnapshot};
use zvmlab_lab::rooms::cluster::relocating;
use zvmlab_lab::rooms::compared::{NO_RESULT, Window, newest};
use zvmlab_lab::rooms::isfc::{buffers, busiest, busy, capacity, charts, limit, rate, way};
use zvmlab_lab::rooms::relocation::words::NOT_PUBLISHED;
use zvmlab_lab::words::number::short;
use zvmlab_lab::words::unit::{NO_BREAK, can_carry, percent};

use super::ViewProps;
use super::cluster::framed;
use super::row::ChartRow;

/// The room.
#[component]
pub fn IsfcLink(props: &ViewProps) -> Html {
    let evidence = &props.evidence;
    let chosen = use_state_eq(|| None::<usize>);
    let cluster = newest(evidence).and_then(|snapshot| snapshot.cluster.as_deref());
    let Some((cluster, window)) = cluster.filter(|cluster| !cluster.links.is_empty()).zip(relocating(evidence)) else {
        return html! { <p class="help room-nothing">{ NO_RESULT }</p> };
    };
    let index = chosen.unwrap_or_else(|| busiest(cluster)).min(cluster.links.len() - 1);
    let onchange = {
        let chosen = chosen.clone();
        Callback::from(move |event: Event| {
            let value = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default();
            chosen.set(value.parse().ok());
        })
    };
    let option = |(at, link): (usize, &LinkSnapshot)| {
        html! { <option key={at} value={at.to_string()} selected={index == at}>{ way(link) }</option> }
    };
    html! {
        <>
            <section class="card isfc-now" aria-labelledby="isfc-title" data-testid="isfc">
                <h3 id="isfc-title">{ "The logical link, each direction" }</h3>
                <p class="lead">{ limit::said(cluster, index, window) }</p>
                { table(cluster, index, window) }
                <p class="choose">
                    <label for="isfc-choice">{ "Show below" }</label>
                    <select id="isfc-choice" {onchange}>{ for cluster.links.iter().enumerate().map(option) }</select>
                </p>
                <p class="help">{ capacity(&cluster.links[index]) }</p>
            </section>
            <ChartRow charts={charts::charts(evidence, index, window).into_iter().map(framed).collect::<Vec<_>>()} />
            <p class="help not-published">{ NOT_PUBLISHED }</p>
        </>
    }
}

/// Each direction in numbers.
fn table(cluster: &ClusterSnapshot, chosen: usize, window: Window) -> Html {
    let row = |(index, link): (usize, &LinkSnapshot)| {
        let carried = rate(window, index, |link| link.bytes);
        html! {
            <tr key={index} class={classes!((index == chosen).then_some("chosen"))}>
                <th scope="row">{ way(link) }</th>
                <td class="words">{ if link.up { "up" } else { "lost" } }</td>
                <td>{ link.capacity_factor }</td>
                <td>{ format!("{}{NO_BREAK}MB/s", short(carried)) }</td>
                <td>{ percent(carried / can_carry(link.capacity_factor).max(1.0) * 100.0) }</td>
                <td>{ percent(busy(window, index)) }</td>
                <td>{ format!("{} of {}", short(buffers(window, index)), link.buffers) }</td>
                <td>{ format!("{}{NO_BREAK}MB/s", short(rate(window, index, |link| link.other_bytes))) }</td>
            </tr>
        }
    };
    let heads = ["Direction", "State", "Factor", "Carried", "Of factor", "Busy, time counted", "Buffers", "Other traffic"];
    html! {
        <div class="chart-table links" role="region" tabindex="0" aria-label="Links, each direction">
            <table>
                <thead><tr>{ for heads.iter().map(|name| html! { <th scope="col">{ *name }</th> }) }</tr></thead>
                <tbody>{ for cluster.links.iter().enumerate().map(row) }</tbody>
            </table>
        </div>
    }
}
