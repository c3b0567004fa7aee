//! Live Guest Relocation: its stages and passes, how long the guest stood still, what held it back, and how it ended.

mod charts;
#[cfg(test)]
pub mod fixture;
#[cfg(test)]
mod real;
mod tables;
mod words;

use web_sys::HtmlSelectElement;
use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::snapshot::{ClusterSnapshot, EndCode, RelocationSnapshot};

use super::cluster::framed;
use super::compared::{NO_RESULT, newest};
use crate::chart::number::{storage, with_unit};
use crate::format::whole;
use crate::session::ViewProps;
pub use words::{NOT_PUBLISHED, PAGES_PER_GB, member, seconds, short_seconds, throttle};
use words::{code, ended, interruption, quiesce_so_far, quiesce_verdict, said, time_so_far, total_verdict, where_it_runs};

/// Pages of a message, which arrives in one buffer.
const BUFFER_PAGES: u64 = 256;

/// Why the room is empty where nobody is to go anywhere.
const NOBODY: &str = "No guest is to be relocated. Give a group of guests a member to go to (move_to).";

/// The room.
#[component]
pub fn Relocation(props: &ViewProps) -> Html {
    let chosen = use_state_eq(|| 0_usize);
    let on_choose = {
        let chosen = chosen.clone();
        Callback::from(move |index: usize| chosen.set(index))
    };
    let Some(snapshot) = newest(props) else { return html! { <p class="help room-nothing">{ NO_RESULT }</p> } };
    let Some(cluster) = snapshot.cluster.as_deref().filter(|cluster| !cluster.relocations.is_empty()) else {
        return html! { <p class="help room-nothing">{ NOBODY }</p> };
    };
    let now_ns = snapshot.now_ns;
    let index = (*chosen).min(cluster.relocations.len() - 1);
    let relocation = &cluster.relocations[index];
    let scenario = props.settled.as_ref().map(|settled| &settled.scenario);
    let many = cluster.relocations.len() > 1;
    html! {
        <>
            if many { { together(props, cluster, scenario, now_ns) }{ list(cluster, index, now_ns, &on_choose) } }
            { one(props, relocation, scenario, now_ns) }
            <div class="charts">
                { framed(charts::strip(props, relocation, now_ns)) }
                { framed(charts::passes(props, relocation)) }
                { framed(charts::throughput(props, cluster, relocation, now_ns)) }
                <section class="chart passes-card" aria-label={format!("Passes of {}", relocation.name)}>
                    <h3 class="chart-title">{ format!("Passes of {} in numbers", relocation.name) }</h3>
                    { tables::of_passes(relocation, now_ns) }
                </section>
            </div>
            <p class="help not-published">{ NOT_PUBLISHED }</p>
        </>
    }
}

/// All relocations together: how many ended how, how long it all took, and who stood still longest.
fn together(props: &ViewProps, cluster: &ClusterSnapshot, scenario: Option<&Scenario>, now_ns: u64) -> Html {
    html! {
        <section class="card relocations-all" aria-labelledby="relocations-title">
            <h3 id="relocations-title">{ "All relocations" }</h3>
            <p class="lead" data-testid="relocations-said">{ all_said(cluster, scenario, now_ns) }</p>
            { framed(charts::lanes(props, cluster, now_ns)) }
        </section>
    }
}

/// `24 of 25 relocations completed, in 63.1 s …`.
fn all_said(cluster: &ClusterSnapshot, scenario: Option<&Scenario>, now_ns: u64) -> String {
    let all = &cluster.relocations;
    let count = |of: &dyn Fn(&RelocationSnapshot) -> bool| all.iter().filter(|one| of(one)).count();
    let completed = count(&|one| one.end == Some(EndCode::Completed));
    let failed: Vec<&RelocationSnapshot> =
        all.iter().filter(|one| one.end.is_some_and(|end| end != EndCode::Completed)).collect();
    let under_way = count(&|one| one.began_ns.is_some() && one.end.is_none());
    let mut told = format!("{completed} of {} relocations have completed", all.len());
    if under_way > 0 {
        told += &format!(", {under_way} {} under way", if under_way == 1 { "is" } else { "are" });
    }
    if let Some(first) = failed.first() {
        told += &format!(", {} ended otherwise (first {}: {})", failed.len(), first.name, ended(first));
    }
    told += ".";
    if let Some(began) = cluster.began_ns {
        let last = all.iter().filter_map(|one| one.ended_ns).max().filter(|_| cluster.ended).unwrap_or(now_ns);
        let took = last.saturating_sub(began);
        told += &format!(" {} from the first VMRELOCATE to ", seconds(took));
        told += if cluster.ended { "the end of the last" } else { "now" };
        if let Some(window) = scenario.map(|scenario| scenario.relocation.window_s).filter(|window| *window > 0) {
            let verdict = if took <= u64::from(window) * 1_000_000_000 { "within" } else { "longer than" };
            told += &format!(", {verdict} the window of {}", with_unit(f64::from(window), "s"));
        }
        told += ".";
    }
    let worst = all.iter().filter_map(|one| Some((quiesce_so_far(one, now_ns)?, one))).max_by_key(|worst| worst.0);
    if let Some((ns, one)) = worst {
        told += &format!(" {} stood still longest, for {}", one.name, seconds(ns));
        let beyond = |one: &&RelocationSnapshot| {
            let tolerance = u64::from(one.tolerance_ms) * 1_000_000;
            tolerance > 0 && quiesce_so_far(one, now_ns).is_some_and(|ns| ns > tolerance)
        };
        let beyond = all.iter().filter(beyond).count();
        if beyond > 0 {
            told += &format!("; {beyond} guests stood still longer than they tolerate");
        }
        told += ".";
    }
    told
}

/// The relocations to choose from.
fn list(cluster: &ClusterSnapshot, index: usize, now_ns: u64, on_choose: &Callback<usize>) -> Html {
    let onchange = on_choose.reform(|event: Event| {
        let value = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default();
        value.parse().unwrap_or(0)
    });
    let option = |(at, one): (usize, &RelocationSnapshot)| {
        let text = format!("{}, {}", one.name, tables::brief(one));
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

/// One relocation: what there is to know first, its numbers, what held it back, and how it ended.
fn one(props: &ViewProps, relocation: &RelocationSnapshot, scenario: Option<&Scenario>, now_ns: u64) -> Html {
    let failed = relocation.end.is_some_and(|end| end != EndCode::Completed);
    let quiesce = quiesce_so_far(relocation, now_ns);
    let took = time_so_far(relocation, now_ns);
    let value = |ns: Option<u64>| ns.map(|ns| (ns as f64 / 1e9).to_string());
    html! {
        <section class={classes!("card", "relocation-one", failed.then_some("failed"))} aria-labelledby="relocation-one-title"
            data-testid="relocation" data-stage={format!("{:?}", relocation.stage)} data-end={relocation.end.map(code)}
            data-quiesce={value(quiesce)} data-time={value(took)}>
            <h3 id="relocation-one-title">{ format!("{}, {}", relocation.name, tables::brief(relocation)) }</h3>
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
            if props.settled.is_none() { <p class="help">{ NO_RESULT }</p> }
        </section>
    }
}

/// What those who listen should hear: which stage has come, and at the end where the guest runs.
fn spoken(relocation: &RelocationSnapshot) -> String {
    match relocation.end {
        Some(_) => format!("{}: {}. {}", relocation.name, ended(relocation), where_it_runs(relocation)),
        None => format!("{}: {}", relocation.name, words::stage(relocation.stage)),
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
            { row("Touched", storage(relocation.touched_pages as f64), "what the first pass sends".into()) }
            { row("Sent", storage(relocation.pages() as f64), format!("{} of it again{left}", storage(again as f64))) }
            { row("Read from page space", storage(relocation.pages_read as f64), format!("at {}, before it could be sent", member(relocation.from))) }
            { row("Waited for frames", seconds(relocation.frame_wait_ns.checked_div(buffers).unwrap_or(0)), format!("each of its {} buffers at {}, mean", whole(buffers), member(relocation.to))) }
            { row("CPU of CP", format!("{} and {}", seconds(relocation.cpu_ns[0]), seconds(relocation.cpu_ns[1])), format!("at {} and {}, off the top", member(relocation.from), member(relocation.to))) }
        </dl>
    }
}

#[cfg(test)]
mod tests {
    use super::fixture::{S, props, snapshot};
    use super::*;
    use crate::chart::layout;

    #[test]
    fn who_stood_still_longest_is_named_and_the_window_judged() {
        let cluster = *snapshot(3, 60 * S).cluster.expect("a cluster");
        let mut scenario = fixture::scenario(3);
        scenario.relocation.window_s = 20;
        let text = all_said(&cluster, Some(&scenario), 60 * S);
        for wanted in
            ["3 of 3 relocations have completed.", "29\u{a0}s from", "longer than the window of 20\u{a0}s", "LINUX-"]
        {
            assert!(text.contains(wanted), "{text}");
        }
        assert!(!text.contains("tolerate"), "all are within their second: {text}");
    }

    #[test]
    fn a_relocation_under_way_is_told_as_such() {
        let cluster = *snapshot(3, 25 * S).cluster.expect("a cluster");
        let text = all_said(&cluster, None, 25 * S);
        for wanted in ["1 of 3 relocations have completed, 1 is under way.", "to now."] {
            assert!(text.contains(wanted), "{text}");
        }
    }

    #[test]
    fn every_chart_can_be_laid_out_on_a_phone() {
        let props = props(25);
        let snapshot = &props.history[props.history.len() - 1].snapshot;
        let cluster = snapshot.cluster.as_deref().expect("a cluster");
        let relocation = &cluster.relocations[24];
        let measure = |text: &str, size: f64| text.chars().count() as f64 * size * 0.56;
        for chart in [
            charts::strip(&props, relocation, snapshot.now_ns),
            charts::passes(&props, relocation),
            charts::throughput(&props, cluster, relocation, snapshot.now_ns),
            charts::lanes(&props, cluster, snapshot.now_ns),
        ] {
            let scene = layout::scene(&chart, 340.0, &measure);
            assert!(scene.stops.len() > 3 && scene.height < 700.0, "{}: {} high", chart.id, scene.height);
        }
    }
}
