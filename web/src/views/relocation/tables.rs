//! The tables of relocations: all of them, the passes of one, what held it back, and how one can end.

use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::snapshot::{ClusterSnapshot, EndCode, PassSnapshot, RelocationSnapshot, StaySnapshot, Throttle};
use zvmlab_lab::rooms::relocation::words::{PAGES_PER_GB, ended, quiesce_so_far, time_so_far, why};
use zvmlab_lab::words::number::{fixed, short, whole};
use zvmlab_lab::words::state::{about_end, code, pass as pass_name, throttle_layer};
use zvmlab_lab::words::unit::{seconds, short_seconds, storage};

/// Most relocations in the table. Chosen: bouncing guests make ever more of them.
const ROWS_MAX: usize = 60;

/// Pages of a MB of storage.
const PAGES_PER_MB: f64 = 256.0;

/// Why a rate here seems lower than the link's rate.
const UNITS: &str = "For storage, GB and MB are powers of two, as guests’ storage is counted (1 MB = 1,048,576 bytes). For rates of links, they are powers of ten (1 MB/s = 1,000,000 bytes a second).";

/// What the last column counts.
const STEAL: &str = "Steal: the time for which the guest’s virtual CPUs, all together, could have run but did not. Before: since the fill, or since the relocation before. After: until now, or until the next one.";

/// Stands where there is no value.
const NONE: &str = "–";

/// A table that scrolls in its own box.
fn framed(class: &'static str, label: &str, heads: &[&str], rows: Html) -> Html {
    html! {
        <div class={classes!("chart-table", class)} role="region" tabindex="0" aria-label={label.to_string()}>
            <table>
                <thead><tr>{ for heads.iter().map(|name| html! { <th scope="col">{ *name }</th> }) }</tr></thead>
                <tbody>{ rows }</tbody>
            </table>
        </div>
    }
}

/// All relocations; a click or Enter on a name chooses it.
pub fn all(cluster: &ClusterSnapshot, chosen: usize, now_ns: u64, on_choose: &Callback<usize>) -> Html {
    let beyond = cluster.relocations.len().saturating_sub(ROWS_MAX);
    let row = |(index, one): (usize, &RelocationSnapshot)| {
        let onclick = on_choose.reform(move |_: MouseEvent| index);
        let time = |ns: Option<u64>| ns.map_or(NONE.into(), short_seconds);
        let waited = one.began_ns.zip(cluster.began_ns).map(|(began, first)| began.saturating_sub(first));
        html! {
            <tr key={index} class={classes!((index == chosen).then_some("chosen"))}>
                <th scope="row">
                    <button type="button" class="plain" aria-pressed={(index == chosen).to_string()} {onclick}>{ &one.name }</button>
                </th>
                <td>{ time(quiesce_so_far(one, now_ns)) }</td>
                <td>{ time(time_so_far(one, now_ns)) }</td>
                <td class="words">{ ended(one) }</td>
                <td>{ time(waited) }</td>
                <td>{ format!("{} → {}", one.from + 1, one.to + 1) }</td>
                <td>{ one.passes.len() }</td>
                <td>{ storage(one.pages() as f64) }</td>
            </tr>
        }
    };
    let heads = ["Guest", "Quiesce", "Relocation", "End", "Waited", "Member", "Passes", "Sent"];
    let rows = html! { { for cluster.relocations.iter().enumerate().skip(beyond).map(row) } };
    html! {
        <>
            { framed("relocations", "All relocations in numbers", &heads, rows) }
            if beyond > 0 {
                <p class="help">{ format!("The newest {ROWS_MAX} of {} relocations are listed.", cluster.relocations.len()) }</p>
            }
        </>
    }
}

/// The passes of one relocation in numbers.
pub fn of_passes(relocation: &RelocationSnapshot, now_ns: u64) -> Html {
    let end_ns = relocation.ended_ns.unwrap_or(now_ns);
    let row = |(index, pass): (usize, &PassSnapshot)| {
        let took_ns = pass.ended_ns.unwrap_or(end_ns).saturating_sub(pass.began_ns);
        // Before anything was sent there is no rate.
        let rate = (took_ns > 0 && pass.pages > 0).then(|| pass.pages as f64 / PAGES_PER_MB / took_ns as f64 * 1e9);
        let stopped = if pass.stopped { "stopped" } else { "runs" };
        let state = if pass.ended_ns.is_none() && relocation.end.is_none() { ", now" } else { "" };
        html! {
            <tr key={index} class={classes!(pass.stopped.then_some("stopped"))}>
                <th scope="row">{ format!("{}{state}", if pass.stopped { pass_name(relocation, index) } else { (index + 1).to_string() }) }</th>
                <td class="words">{ stopped }</td>
                <td>{ whole(pass.pages) }</td>
                <td>{ fixed(pass.pages as f64 / PAGES_PER_GB, 3) }</td>
                <td>{ whole(pass.resent) }</td>
                <td>{ fixed(took_ns as f64 / 1e9, 3) }</td>
                <td>{ rate.map_or(NONE.into(), short) }</td>
                <td>{ pass.ended_ns.map_or(NONE.into(), |_| fixed(pass.steal_ns as f64 / 1e9, 3)) }</td>
            </tr>
        }
    };
    let stay = |(name, stay): (&str, Option<StaySnapshot>)| {
        stay.map(|StaySnapshot { ns, steal_ns }| {
            html! {
                <tr key={name} class="stay">
                    <th scope="row">{ name }</th>
                    <td class="words">{ "runs" }</td>
                    <td>{ NONE }</td><td>{ NONE }</td><td>{ NONE }</td>
                    <td>{ fixed(ns as f64 / 1e9, 3) }</td>
                    <td>{ NONE }</td>
                    <td>{ fixed(steal_ns as f64 / 1e9, 3) }</td>
                </tr>
            }
        })
    };
    let heads = ["Pass", "Guest", "Pages", "GB", "Sent again", "s", "MB/s", "Steal s"];
    let rows = html! { <>
        { for stay(("before", relocation.before)) }
        { for relocation.passes.iter().enumerate().map(row) }
        { for stay(("after", relocation.after)) }
    </> };
    html! {
        <>
            { framed("passes", &format!("Passes through the storage of {}", relocation.name), &heads, rows) }
            <p class="help">{ STEAL }</p>
            <p class="help">{ UNITS }</p>
        </>
    }
}

/// The three throttles: how long each acted, and why.
pub fn throttles(relocation: &RelocationSnapshot, scenario: Option<&Scenario>) -> Html {
    let row = |(index, of): (usize, &Throttle)| {
        let ns = relocation.throttled_ns[index];
        let now = relocation.throttle == Some(*of);
        let told = match (now, ns) {
            (true, _) => format!("acts now: {}", why(*of, relocation, scenario)),
            (false, 0) => "never acted".into(),
            (false, _) => why(*of, relocation, scenario),
        };
        html! {
            <li key={index} class={classes!(now.then_some("acts"), (ns == 0 && !now).then_some("never"))}>
                <b>{ throttle_layer(*of) }</b>
                <span class="seconds">{ seconds(ns) }</span>
                <span>{ told }</span>
            </li>
        }
    };
    html! { <ul class="throttles">{ for Throttle::ALL.iter().enumerate().map(row) }</ul> }
}

/// Every code with which a relocation can end. The code of `relocation` is marked.
pub fn codes(relocation: Option<&RelocationSnapshot>) -> Html {
    let row = |end: &EndCode| {
        let this = relocation.is_some_and(|one| one.end == Some(*end));
        html! {
            <tr key={code(*end)} class={classes!(this.then_some("chosen"))}>
                <th scope="row">{ code(*end) }{ if this { " ◂ this one" } else { "" } }</th>
                <td class="words">{ end.text() }</td>
                <td class="words">{ about_end(*end) }</td>
            </tr>
        }
    };
    let heads = ["Code", "Meaning", "In the model"];
    let rows = html! { { for EndCode::ALL.iter().map(row) } };
    html! {
        <details class="end-codes">
            <summary>{ "How a relocation can end: the ten codes" }</summary>
            { framed("codes", "End codes", &heads, rows) }
            <p class="help">{ "Monitor domain 4 record 12, MRUSERLE. The model has no 08 and no 09." }</p>
        </details>
    }
}
