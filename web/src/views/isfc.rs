//! The ISFC logical link: what each chpid carries, who has its buffers, and which limit acts.

mod charts;
mod limit;

use web_sys::HtmlSelectElement;
use yew::prelude::*;
use zvmlab::snapshot::{ClusterSnapshot, LinkSnapshot};

use super::cluster::{framed, relocating};
use super::compared::{NO_RESULT, Window, newest};
use super::relocation::{NOT_PUBLISHED, member};
use crate::chart::number::{NO_BREAK, percent, short, with_unit};
use crate::session::ViewProps;

/// Bytes of a MB, as links count them.
const MB: f64 = 1e6;

/// The room.
#[component]
pub fn IsfcLink(props: &ViewProps) -> Html {
    let chosen = use_state_eq(|| None::<usize>);
    let cluster = newest(props).and_then(|snapshot| snapshot.cluster.as_deref());
    let Some((cluster, window)) = cluster.filter(|cluster| !cluster.links.is_empty()).zip(relocating(props)) else {
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
            <div class="charts">{ for charts::charts(props, index, window).into_iter().map(framed) }</div>
            <p class="help not-published">{ NOT_PUBLISHED }</p>
        </>
    }
}

/// The link that has carried most.
fn busiest(cluster: &ClusterSnapshot) -> usize {
    // The first of equals: a link that nobody has used is as good as another.
    (0..cluster.links.len()).rev().max_by_key(|index| cluster.links[*index].bytes).unwrap_or(0)
}

/// `MEMBER1 → MEMBER2`.
fn way(link: &LinkSnapshot) -> String {
    format!("{} → {}", member(link.from), member(link.to))
}

/// A link of a window: `of` at its start and at its end.
fn grown(window: Window, index: usize, of: impl Fn(&LinkSnapshot) -> u64) -> f64 {
    window.growth(|snapshot| snapshot.cluster.as_ref().and_then(|cluster| cluster.links.get(index)).map_or(0, &of))
}

/// MB a second that the link carried.
fn rate(window: Window, index: usize, of: impl Fn(&LinkSnapshot) -> u64) -> f64 {
    grown(window, index, of) / window.elapsed_ns() * 1e9 / MB
}

/// Percent of the time in which something was transferred, mean of the chpids.
fn busy(window: Window, index: usize) -> f64 {
    let chpids = window.to.cluster.as_ref().and_then(|cluster| cluster.links.get(index)).map_or(1, |link| link.chpids.len());
    let busy = |link: &LinkSnapshot| link.chpids.iter().map(|chpid| chpid.busy_ns).sum();
    grown(window, index, busy) / window.elapsed_ns() / chpids.max(1) as f64 * 100.0
}

/// Buffers in use, mean over the window.
fn buffers(window: Window, index: usize) -> f64 {
    grown(window, index, |link| link.buffers_ns) / window.elapsed_ns()
}

/// MB a second that chpids of `gb_s` together can carry: 10 bits on the line for a byte, so 1 Gb/s is 100 MB/s.
fn can_carry(gb_s: u32) -> f64 {
    1e3 / zvmlab::constants::Constants::default().isfc_ns_per_byte * f64::from(gb_s)
}

/// The capacity factor held against what it lets through, and what of it the shape of the link takes away.
fn capacity(link: &LinkSnapshot) -> String {
    let factor = link.capacity_factor;
    let mut told = format!(
        "Capacity factor {factor}: the sum of the chpids' speeds in Gb/s, at most {} (10 bits on the line for a byte).",
        with_unit(can_carry(factor), "MB/s")
    );
    let speeds: Vec<u32> = link.chpids.iter().map(|chpid| chpid.gb_s).collect();
    if speeds.windows(2).any(|pair| pair[0] != pair[1]) {
        told += " The chpids are not of one speed, as best practice would have them.";
    }
    let few = link.chpids.iter().filter(|chpid| chpid.ctcs < 4).count();
    if few > 0 {
        told += &format!(" {few} of {} have fewer than the four CTCs of best practice.", link.chpids.len());
    }
    told
}

/// Every direction in numbers.
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
    let heads = ["Direction", "State", "Factor", "Carried", "Of factor", "Busy", "Buffers", "Other traffic"];
    html! {
        <div class="chart-table links" role="region" tabindex="0" aria-label="Links, each direction">
            <table>
                <thead><tr>{ for heads.iter().map(|name| html! { <th scope="col">{ *name }</th> }) }</tr></thead>
                <tbody>{ for cluster.links.iter().enumerate().map(row) }</tbody>
            </table>
        </div>
    }
}

/// Every chart of the room, for the laws that hold for all.
#[cfg(test)]
pub fn every_chart(props: &ViewProps, window: Window) -> Vec<crate::chart::Chart> {
    charts::charts(props, 0, window)
}

#[cfg(test)]
mod tests {
    use super::super::relocation::fixture::props;
    use super::*;

    #[test]
    fn a_link_is_told_with_what_it_could_carry() {
        let props = props(1);
        let cluster = newest(&props).and_then(|snapshot| snapshot.cluster.as_deref()).expect("a cluster");
        assert_eq!((busiest(cluster), way(&cluster.links[0])), (0, "MEMBER1 → MEMBER2".to_string()));
        let text = capacity(&cluster.links[0]);
        for wanted in ["Capacity factor 12", "1,200\u{a0}MB/s", "not of one speed"] {
            assert!(text.contains(wanted), "{text}");
        }
        assert!(!text.contains("four CTCs"), "{text}");
    }

    #[test]
    fn what_is_carried_is_that_of_the_relocation() {
        let props = props(1);
        let window = relocating(&props).expect("a window");
        assert_eq!((window.from.map(|from| from.now_ns), window.to.now_ns), (Some(12_000_000_000), 21_000_000_000));
        // 5.8 GB in 9 s.
        let carried = rate(window, 0, |link| link.bytes);
        assert!((carried - 1_417_576.0 * 4096.0 / 9e6).abs() < 1.0, "{carried}");
        assert!((busy(window, 0) - 75.0).abs() < 0.1, "{}", busy(window, 0));
        assert!((buffers(window, 0) - 16.0).abs() < 0.1);
    }
}
