//! The table of the settled result: the main figures, and the others on request.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::measurement::{FIGURES, OfGroup};
use zvmlab::{Figure, Scenario};

use super::effect;
use crate::msg::Msg;
use crate::panels::later::Later;
use zvmlab_lab::comparison::{Finding, Pair};
use zvmlab_lab::documents::Section;
use zvmlab_lab::evidence::Settled;
use zvmlab_lab::host::moving;
use zvmlab_lab::room::Anchor;
use zvmlab_lab::rooms::compared::BEFORE;
use zvmlab_lab::subjects::Subject;
use zvmlab_lab::subjects::lead::GROUP_CPU;
use zvmlab_lab::words::group;
use zvmlab_lab::words::note::note;
use zvmlab_lab::words::number::{difference, half_width, number, number_or_dash, value_of};

/// Figures between members, or of all members.
const OF_ALL_MEMBERS: [Figure; 16] = [
    Figure::QuiesceTime,
    Figure::QuiesceTimeWorst,
    Figure::RelocationTime,
    Figure::RelocationTotal,
    Figure::RelocationsCompleted,
    Figure::RelocationsEnded,
    Figure::MemoryPasses,
    Figure::MemoryMoved,
    Figure::FirstPass,
    Figure::LinkBusy,
    Figure::LinkRate,
    Figure::ThrottledPaging,
    Figure::ThrottledMemory,
    Figure::ThrottledLink,
    Figure::ClusterEtr,
    Figure::OtherMembersEtr,
];

/// If one guest is relocated once and arrives, the longest time is its time, and the time of all is its own.
fn of_more_than_one(figure: Figure, props: &TableProps) -> bool {
    let relocation = props.settled.as_ref().map(|settled| (moving(&settled.scenario), settled.scenario.relocation.bounce));
    let known = |figure: Figure| props.pairs.iter().any(|pair| pair.figure == figure && pair.now.is_some());
    match figure {
        _ if relocation != Some((1, false)) => false,
        Figure::QuiesceTimeWorst => known(Figure::QuiesceTime),
        Figure::RelocationTotal => known(Figure::RelocationTime),
        _ => false,
    }
}

/// A host has some kinds of lock and not others. Figures that stay zero are of kinds that it does not have.
fn of_what_is_not(figure: Figure, props: &TableProps) -> bool {
    let pair = props.pairs.iter().find(|pair| pair.figure == figure);
    let nought = |value: Option<f64>| value.is_none_or(|value| value == 0.0);
    props.subject.particulars.hides_nought
        && pair.is_some_and(|pair| nought(pair.now) && nought(pair.before.or(pair.so_far)))
}

/// The data of the table.
#[derive(Clone, PartialEq, Properties)]
pub struct TableProps {
    /// The last result.
    pub settled: Option<Rc<Settled>>,
    /// The result of the baseline, if it is another and known.
    pub before: Option<Rc<Settled>>,
    /// Every figure of both.
    pub pairs: Vec<Pair>,
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// Its subject.
    pub subject: &'static Subject,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The table.
#[component]
pub fn Table(props: &TableProps) -> Html {
    html! {
        <>
            { figures(props, "Main figures", main_figures(props).into_iter()) }
            { groups(props) }
            <details class="others">
                <summary>{ "All other figures" }</summary>
                <Later for_reader={true} made={let props = props.clone(); Callback::from(move |()| others(&props))} />
            </details>
        </>
    }
}

/// The main figures of the host, each with whether it is a part of the one before.
fn main_figures(props: &TableProps) -> Vec<(Figure, bool)> {
    let main = props.subject.table(props.settled.as_ref().map_or(&*props.scenario, |settled| &settled.scenario));
    let left_out = |figure: Figure| of_what_is_not(figure, props) || of_more_than_one(figure, props);
    main.iter().filter(|(figure, _)| !left_out(*figure)).copied().collect()
}

/// All other figures.
fn others(props: &TableProps) -> Html {
    let main = main_figures(props);
    let others = FIGURES.iter().filter(|figure| !main.iter().any(|(main, _)| main == *figure));
    figures(props, "All other figures", others.map(|&figure| (figure, false)))
}

/// What each group of guests did and waited for, where there are several: a mean over all hides the groups. Of a baseline with
/// the same groups their values stand in brackets.
fn groups(props: &TableProps) -> Html {
    let Some(settled) = props.settled.as_ref().filter(|settled| !settled.measurement.groups.is_empty()) else {
        return Html::default();
    };
    let replicated = props.pairs.iter().any(|pair| pair.interval.is_some());
    let before = |of: &OfGroup| {
        let before = props.before.as_ref()?;
        let same = |other: &&OfGroup| group::name(&before.scenario, other) == group::name(&settled.scenario, of);
        before.measurement.groups.iter().find(same)
    };
    let value = |now: Option<f64>, before: Option<f64>| {
        html! {
            <td class="n">{ number_or_dash(now) }
                if let Some(before) = before { { " " }<span class="unit">{ format!("({BEFORE} {})", number(before)) }</span> }
            </td>
        }
    };
    let row = |of: &OfGroup| {
        html! {
            <>
                <tr>
                    <th scope="row">{ group::name(&settled.scenario, of) }</th>
                    { value(of.etr, before(of).and_then(|of| of.etr)) }
                    { value(of.response_ms, before(of).and_then(|of| of.response_ms)) }
                </tr>
                <tr class="part"><td colspan="3" class="unit">{ format!("waits for: {}", group::waits(of)) }</td></tr>
            </>
        }
    };
    html! {
        <table class="figures groups" data-testid="groups">
            <caption class="hidden">{ "Figures of each group of guests" }</caption>
            <thead>
                <tr>
                    <th scope="col">{ "Group of guests" }
                        if replicated { <span class="unit">{ format!(" (seed {} alone)", settled.seed) }</span> }
                    </th>
                    <th scope="col" class="n">{ "Transactions/s" }</th>
                    <th scope="col" class="n">{ "Response ms" }</th>
                </tr>
            </thead>
            <tbody>{ for settled.measurement.groups.iter().map(row) }</tbody>
        </table>
    }
}

fn figures(props: &TableProps, caption: &str, figures: impl Iterator<Item = (Figure, bool)>) -> Html {
    let compared = props.before.is_some();
    let replicated = props.pairs.iter().any(|pair| pair.interval.is_some());
    // A figure that neither result has is of other hosts.
    let known = |pair: &&Pair| pair.now.is_some() || (compared && pair.before.or(pair.so_far).is_some());
    let pair = |figure: Figure| props.pairs.iter().find(|pair| pair.figure == figure).filter(known);
    let label = |figure: Figure, part: bool| label(figure, part, props.settled.as_ref().map(|settled| &settled.scenario));
    let rows = figures.filter_map(|(figure, part)| Some((pair(figure)?, part)));
    html! {
        <table class="figures">
            <caption class="hidden">{ caption.to_string() }</caption>
            <thead>
                <tr>
                    <th scope="col">{ "Figure" }</th>
                    if compared { <th scope="col" class="n">{ BEFORE }</th> }
                    <th scope="col" class="n">{ if replicated { "Now, ± 95\u{a0}%" } else { "Now" } }</th>
                    if compared { <th scope="col" class="n">{ "Difference" }</th> }
                </tr>
            </thead>
            <tbody>{ for rows.map(|(pair, part)| row(props, pair, label(pair.figure, part), part)) }</tbody>
        </table>
    }
}

fn row(props: &TableProps, pair: &Pair, label: String, part: bool) -> Html {
    let compared = props.before.is_some();
    let before = pair.before.or(pair.so_far);
    let larger = pair.now.into_iter().chain(before).reduce(f64::max);
    let note = props.settled.as_ref().and_then(|settled| note(pair.figure, larger, &settled.snapshot));
    let change = pair.before.zip(pair.now).and_then(|(before, now)| difference(before, now));
    let half = pair.interval.map(|interval| (interval.high - interval.low) / 2.0).filter(|half| *half > 0.0);
    let half = half.map(|half| format!(" ± {}", half_width(half)));
    let unlike = pair.finding() != Finding::NotDistinguishable || pair.before == pair.now;
    html! {
        <tr class={part.then_some("part")}>
            <th scope="row">{ name(props, label, pair.figure) }{ " " }<span class="unit">{ pair.figure.unit() }</span>
                if let Some(note) = note { <span class="unit note">{ format!(" ({note})") }</span> }
            </th>
            if compared { <td class="n before">{ value_of(pair.figure, before) }</td> }
            <td class="n">{ value_of(pair.figure, pair.now) }<span class="half">{ half }</span></td>
            if compared {
                <td class={classes!("n", "change", effect(pair).filter(|_| !part))}>
                    if unlike { { change.unwrap_or_else(|| if pair.is_waiting() { "…" } else { "–" }.into()) } } else { <span class="unit">{ "no clear difference" }</span> }
                </td>
            }
        </tr>
    }
}

/// The name of a figure, which leads to the section that explains it.
fn name(props: &TableProps, label: String, figure: Figure) -> Html {
    let go = props
        .on
        .reform(move |_| Msg::GoTo(Section::of_figure(figure).map_or(Anchor::Model, |section| Anchor::Section(section.id))));
    html! { <button type="button" class="figure-name" title="What it is, in the description of the model" onclick={go}>{ label }</button> }
}

/// The figure's name, shorter if its place in the table says the rest. A group of guests adds its name.
fn label(figure: Figure, part: bool, scenario: Option<&Scenario>) -> String {
    // Minidisk I/O stands next to paging.
    let both = scenario.is_some_and(Scenario::does_io);
    let group = GROUP_CPU.iter().position(|group| *group == figure);
    if let Some(group) = group.and_then(|index| scenario?.guests.get(index)) {
        return format!("CPU of {}", group.name);
    }
    let label = match figure {
        Figure::PendingTime | Figure::MdiskPendingTime if part => "pending",
        Figure::DisconnectTime | Figure::MdiskDisconnectTime if part => "disconnect",
        Figure::ConnectTime | Figure::MdiskConnectTime if part => "connect",
        Figure::GuestBusy if part => "guests",
        Figure::ChargeableCpBusy if part => "CP, chargeable",
        Figure::NonchargeableCpBusy if part => "CP, nonchargeable",
        Figure::Etr if part => "of MEMBER1",
        Figure::OtherMembersEtr if part => "of the others",
        Figure::FirstPass if part => "in the first pass",
        Figure::Etr if both => "Paging ETR",
        Figure::ServiceTime if both => "Paging service time",
        Figure::VolumeBusy if both => "Paging volume busy",
        Figure::IosInProgress if both => "Paging I/Os in progress",
        Figure::Etr => "Throughput (ETR)",
        Figure::ServiceTime => "Service time of an I/O",
        Figure::VolumeBusy => "Volume busy",
        Figure::TotalBusy => "Processors busy",
        Figure::IosInProgress => "I/Os in progress",
        Figure::MdiskVolumeBusy => "Minidisk volume busy",
        Figure::MdiskWaitTime => "Wait for an exposure",
        other => other.label(),
    };
    // A figure that is not of relocations, links or all members is of the first member.
    let one_of_many =
        scenario.is_some_and(|scenario| scenario.cluster.members > 1) && !part && !OF_ALL_MEMBERS.contains(&figure);
    if one_of_many { format!("{label} at MEMBER1") } else { label.into() }
}
