//! Live Guest Relocation: its stages and passes, the guest's stop, what held it back, and how it ended.

mod tables;

use web_sys::HtmlSelectElement;
use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::snapshot::{ClusterSnapshot, EndCode, RelocationSnapshot};
use zvmlab_lab::evidence::Evidence;
use zvmlab_lab::rooms::compared::{NO_RESULT, newest};
use zvmlab_lab::rooms::relocation::tables::{brief, way};
use zvmlab_lab::rooms::relocation::words::{
    NOT_PUBLISHED, ended, interruption, quiesce_so_far, quiesce_verdict, said, time_so_far, total_verdict,
};
use zvmlab_lab::rooms::relocation::{BUFFER_PAGES, all_said, charts, spoken};
use zvmlab_lab::words::number::whole;
use zvmlab_lab::words::relocations::member_at as member;
use zvmlab_lab::words::state::code;
use zvmlab_lab::words::stop;
use zvmlab_lab::words::unit::{seconds, storage};

use super::ViewProps;
use super::cluster::framed;
use super::row::ChartRow;

/// The words if no guest is to move.
const NOBODY: &str = "No guest was to be relocated in the run shown. To move a group of guests, choose the member that it moves to (move_to).";

/// The room.
#[component]
pub fn Relocation(props: &ViewProps) -> Html {
    let evidence = &props.evidence;
    let chosen = use_state_eq(|| 0_usize);
    let on_choose = {
        let chosen = chosen.clone();
        Callback::from(move |index: usize| chosen.set(index))
    };
    let Some(snapshot) = newest(evidence) else { return html! { <p class="help room-nothing">{ NO_RESULT }</p> } };
    let Some(cluster) = snapshot.cluster.as_deref().filter(|cluster| !cluster.relocations.is_empty()) else {
        return html! { <p class="help room-nothing">{ NOBODY }</p> };
    };
    let now_ns = snapshot.now_ns;
    let index = (*chosen).min(cluster.relocations.len() - 1);
    let relocation = &cluster.relocations[index];
    let scenario = evidence.settled.as_ref().map(|settled| &settled.scenario);
    let many = cluster.relocations.len() > 1;
    let charts = vec![
        framed(charts::strip(evidence, relocation, now_ns)),
        framed(charts::passes(evidence, relocation)),
        framed(charts::throughput(evidence, cluster, relocation, now_ns)),
        html! {
            <section class="chart passes-card" aria-label={format!("Passes of {}", relocation.name)}>
                <h3 class="chart-title">{ format!("Passes of {} in numbers", relocation.name) }</h3>
                { tables::of_passes(relocation, now_ns) }
            </section>
        },
    ];
    let settled = evidence.settled.as_ref();
    let lever = settled.and_then(|settled| stop::lever(&settled.scenario, &settled.snapshot, &settled.limits));
    html! {
        <>
            if let Some(lever) = lever { <p class="stop-lever">{ lever }</p> }
            if many { { together(evidence, cluster, scenario, now_ns) }{ list(cluster, index, now_ns, &on_choose) } }
            { one(evidence, relocation, scenario, now_ns) }
            <ChartRow {charts} />
            <p class="help not-published">{ NOT_PUBLISHED }</p>
        </>
    }
}

/// All relocations together: how many ended how, how long all took, and which guest was stopped longest.
fn together(evidence: &Evidence, cluster: &ClusterSnapshot, scenario: Option<&Scenario>, now_ns: u64) -> Html {
    html! {
        <section class="card relocations-all" aria-labelledby="relocations-title">
            <h3 id="relocations-title">{ "All relocations" }</h3>
            <p class="lead" data-testid="relocations-said">{ all_said(cluster, scenario, now_ns) }</p>
            { framed(charts::lanes(evidence, cluster, now_ns)) }
        </section>
    }
}

/// The relocations to choose from.
fn list(cluster: &ClusterSnapshot, index: usize, now_ns: u64, on_choose: &Callback<usize>) -> Html {
    let onchange = on_choose.reform(|event: Event| {
        let value = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default();
        value.parse().unwrap_or(0)
    });
    let option = |(at, one): (usize, &RelocationSnapshot)| {
        let text = format!("{}, {}", one.name, way(one));
        html! { <option key={at} value={at.to_string()} selected={index == at}>{ text }</option> }
    };
    html! {
        <section class="card relocations-list" aria-labelledby="relocations-list-title">
            <h3 id="relocations-list-title">{ "Each relocation" }</h3>
            { tables::all(cluster, index, now_ns, on_choose) }
            <p class="choose">
                <label for="relocation-choice">{ "Show below" }</label>
                <select id="relocation-choice" {onchange}>{ for cluster.relocations.iter().enumerate().map(option) }</select>
            </p>
        </section>
    }
}

/// One relocation: the most important facts, its numbers, what held it back, and how it ended.
fn one(evidence: &Evidence, relocation: &RelocationSnapshot, scenario: Option<&Scenario>, now_ns: u64) -> Html {
    let failed = relocation.end.is_some_and(|end| end != EndCode::Completed);
    let quiesce = quiesce_so_far(relocation, now_ns);
    let took = time_so_far(relocation, now_ns);
    let value = |ns: Option<u64>| ns.map(|ns| (ns as f64 / 1e9).to_string());
    html! {
        <section class={classes!("card", "relocation-one", failed.then_some("failed"))} aria-labelledby="relocation-one-title"
            data-testid="relocation" data-stage={format!("{:?}", relocation.stage)} data-end={relocation.end.map(code)}
            data-quiesce={value(quiesce)} data-time={value(took)}>
            <h3 id="relocation-one-title">{ format!("{}, {}", relocation.name, brief(relocation)) }</h3>
            <p class="lead">{ said(relocation, now_ns) }</p>
            if let Some(told) = scenario.and_then(interruption) { <p class="help">{ told }</p> }
            <p class="hidden" role="status">{ spoken(relocation) }</p>
            <div class="relocation-pair">
                { numbers(relocation, scenario, now_ns) }
                <div>
                    <h4>{ "What held it back" }</h4>
                    { tables::throttles(relocation, scenario) }
                </div>
            </div>
            { tables::codes(Some(relocation)) }
            if evidence.settled.is_none() { <p class="help">{ NO_RESULT }</p> }
        </section>
    }
}

/// The numbers of one relocation.
fn numbers(relocation: &RelocationSnapshot, scenario: Option<&Scenario>, now_ns: u64) -> Html {
    let row = |name: &'static str, value: String, about: String| {
        html! { <><dt>{ name }</dt><dd><b>{ value }</b>{ " " }<span class="help">{ about }</span></dd></> }
    };
    let quiesce = quiesce_so_far(relocation, now_ns);
    let again: u64 = relocation.passes.iter().map(|pass| pass.resent).sum();
    let left = match relocation.end {
        None if relocation.changed_pages > 0 => {
            format!("; {} are changed and still to be sent", storage(relocation.changed_pages as f64))
        }
        _ => String::new(),
    };
    let took = time_so_far(relocation, now_ns);
    let buffers: u64 = relocation.passes.iter().map(|pass| pass.pages.div_ceil(BUFFER_PAGES)).sum();
    html! {
        <dl class="relocation-numbers">
            { row("Quiesce time", quiesce.map_or("–".into(), seconds), quiesce_verdict(quiesce, relocation.tolerance_ms, scenario)) }
            { row("Relocation time", took.map_or("–".into(), seconds), total_verdict(scenario)) }
            { row("End", ended(relocation), String::new()) }
            { row("Touched", storage(relocation.touched_pages as f64), "the first pass sends it".into()) }
            { row("Sent", storage(relocation.pages() as f64), format!("{} of it again{left}", storage(again as f64))) }
            { row("Read from page space", storage(relocation.pages_read as f64), format!("at {}, before CP could send it", member(relocation.from))) }
            { row("Waited for frames", seconds(relocation.frame_wait_ns.checked_div(buffers).unwrap_or(0)), format!("each of its {} buffers at {}, mean", whole(buffers), member(relocation.to))) }
            { row("CPU of CP", format!("{} and {}", seconds(relocation.cpu_ns[0]), seconds(relocation.cpu_ns[1])), format!("at {} and {}, before any guest", member(relocation.from), member(relocation.to))) }
        </dl>
    }
}
