//! The table of the settled result: the main figures, and the others on demand.

use yew::prelude::*;
use zvmlab::measurement::FIGURES;
use zvmlab::{Figure, Scenario};

use super::{ResultProps, effect};
use crate::msg::Msg;
use zvmlab_lab::comparison::{Finding, Pair};
use zvmlab_lab::documents::Section;
use zvmlab_lab::room::Anchor;
use zvmlab_lab::subjects::headline::GROUP_CPU;
use zvmlab_lab::subjects::{CLUSTER, LOCKS, PLDV, PRSM, SHARES, STORBUF, Subject, moving, pages};
use zvmlab_lab::words::number::{difference, half_width, value_of};

/// Figures that are always shown, and whether they are parts of the one above.
type Main = &'static [(Figure, bool)];

/// Where guests do nothing but touch storage.
const PAGING: Main = &[
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

/// Where guests think between touches.
const THINKING: Main = &[
    (Figure::PagingResponse, false),
    (Figure::ServiceTime, false),
    (Figure::PendingTime, true),
    (Figure::DisconnectTime, true),
    (Figure::ConnectTime, true),
    (Figure::QueueDepth, false),
    (Figure::VolumeBusy, false),
    (Figure::PagingCacheHitPercent, false),
    (Figure::PageWait, false),
    (Figure::Etr, false),
    (Figure::PagesPerSecond, false),
    (Figure::TotalBusy, false),
    (Figure::CpTimePerPage, false),
];

/// Where minidisk and paging I/O meet on one control unit.
const BOTH: Main = &[
    (Figure::MdiskEtr, false),
    (Figure::Etr, false),
    (Figure::MdiskAliases, false),
    (Figure::PagingAliases, false),
    (Figure::MdiskQueue, false),
    (Figure::PagingQueue, false),
    (Figure::MdiskServiceTime, false),
    (Figure::ServiceTime, false),
    (Figure::PathBusy, false),
    (Figure::PagesPerSecond, false),
    (Figure::PageWait, false),
    (Figure::TotalBusy, false),
];

/// Where guests do I/O to minidisks and nothing is paged.
const IO: Main = &[
    (Figure::MdiskEtr, false),
    (Figure::MdiskVolumeRate, false),
    (Figure::MdiskServiceTime, false),
    (Figure::MdiskPendingTime, true),
    (Figure::MdiskDisconnectTime, true),
    (Figure::MdiskConnectTime, true),
    (Figure::MdiskWaitTime, false),
    (Figure::MdiskVolumeBusy, false),
    (Figure::MdiskCpTime, false),
    (Figure::MdcHitPercent, false),
    (Figure::PathBusy, false),
    (Figure::TotalBusy, false),
];

/// Where guests may wait in the eligible list.
const ELIGIBLE: Main = &[
    (Figure::Etr, false),
    (Figure::ResponseTime, false),
    (Figure::EligibleGuests, false),
    (Figure::EligibleStay, false),
    (Figure::DispatchGuests, false),
    (Figure::ClaimedStorage, false),
    (Figure::PagesPerSecond, false),
    (Figure::Running, false),
    (Figure::ReadyWait, false),
    (Figure::PageWait, false),
    (Figure::EligibleWait, false),
    (Figure::IdleTime, false),
    (Figure::Utilization, false),
];

/// Where shares decide.
const OF_SHARES: Main = &[
    (Figure::Group1Cpu, false),
    (Figure::Group2Cpu, false),
    (Figure::Group3Cpu, false),
    (Figure::Group4Cpu, false),
    (Figure::Utilization, false),
    (Figure::Running, false),
    (Figure::ReadyWait, false),
    (Figure::LimitWait, false),
    (Figure::IdleTime, false),
    (Figure::Etr, false),
];

/// Where guests or CP spin.
const OF_LOCKS: Main = &[
    (Figure::Etr, false),
    (Figure::Diag44Normal, false),
    (Figure::Diag44Fast, false),
    (Figure::Diag44Total, false),
    (Figure::GuestTimePerTransaction, false),
    (Figure::CpTimePerTransaction, false),
    (Figure::TotalTimePerTransaction, false),
    (Figure::GuestSpin, false),
    (Figure::CpSpin, false),
    (Figure::CpDiag44, false),
    (Figure::CpDiag9c, false),
    (Figure::PrsmOverhead, false),
    (Figure::Utilization, false),
];

/// Where partitions share processors.
const OF_PRSM: Main = &[
    (Figure::Etr, false),
    (Figure::ResponseTime, false),
    (Figure::TotalBusy, false),
    (Figure::GuestBusy, true),
    (Figure::ChargeableCpBusy, true),
    (Figure::NonchargeableCpBusy, true),
    (Figure::PrsmOverhead, false),
    (Figure::PrsmOverheadAll, false),
    (Figure::Suspended, false),
    (Figure::ReadyWait, false),
];

/// Where ready work is forgotten, or piles up.
const OF_PLDV: Main = &[
    (Figure::Etr, false),
    (Figure::ResponseTime, false),
    (Figure::ForgottenWork, false),
    (Figure::Utilization, false),
    (Figure::Running, false),
    (Figure::ReadyWait, false),
    (Figure::SimulationWait, false),
    (Figure::IdleTime, false),
];

/// Where guests are relocated.
const OF_RELOCATION: Main = &[
    (Figure::QuiesceTime, false),
    (Figure::QuiesceTimeWorst, false),
    (Figure::StoppedTime, false),
    (Figure::RelocationTime, false),
    (Figure::RelocationTotal, false),
    (Figure::RelocationsCompleted, false),
    (Figure::RelocationsEnded, false),
    (Figure::MemoryPasses, false),
    (Figure::MemoryMoved, false),
    (Figure::FirstPass, true),
    (Figure::LinkBusy, false),
    (Figure::LinkRate, false),
    (Figure::ThrottledPaging, false),
    (Figure::ThrottledMemory, false),
    (Figure::ThrottledLink, false),
    (Figure::ClusterEtr, false),
    (Figure::Etr, true),
    (Figure::OtherMembersEtr, true),
];

/// What is counted between members, or at all of them.
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

/// Where members come and go and nobody is relocated.
const OF_CLUSTER: Main = &[
    (Figure::ClusterEtr, false),
    (Figure::Etr, true),
    (Figure::OtherMembersEtr, true),
    (Figure::ResponseTime, false),
    (Figure::Utilization, false),
    (Figure::Running, false),
    (Figure::ReadyWait, false),
    (Figure::PageWait, false),
    (Figure::IdleTime, false),
];

/// Where one guest is relocated once and arrives, the longest time is its time, and the time of all is its own.
fn of_more_than_one(figure: Figure, props: &ResultProps) -> bool {
    let relocation = props.settled.as_ref().map(|settled| (moving(&settled.scenario), settled.scenario.relocation.bounce));
    let known = |figure: Figure| props.pairs.iter().any(|pair| pair.figure == figure && pair.now.is_some());
    match figure {
        _ if relocation != Some((1, false)) => false,
        Figure::QuiesceTimeWorst => known(Figure::QuiesceTime),
        Figure::RelocationTotal => known(Figure::RelocationTime),
        _ => false,
    }
}

/// Where guests or CP spin, a host has some kinds of lock and not others: what stays at nought is of those that it has not.
fn of_other_locks(figure: Figure, props: &ResultProps) -> bool {
    let pair = props.pairs.iter().find(|pair| pair.figure == figure);
    let nought = |value: Option<f64>| value.is_none_or(|value| value == 0.0);
    props.subject == LOCKS && pair.is_some_and(|pair| nought(pair.now) && nought(pair.before))
}

/// The main figures of this scenario, which is about `subject`.
fn main(scenario: &Scenario, subject: &Subject) -> Main {
    let think = scenario.guests.iter().any(|group| group.think_ms > 0);
    match (scenario.does_io(), pages(scenario)) {
        _ if subject == CLUSTER => OF_CLUSTER,
        _ if subject.is_of_relocation() => OF_RELOCATION,
        (true, true) => BOTH,
        (true, false) => IO,
        _ if subject == STORBUF => ELIGIBLE,
        _ if subject == SHARES => OF_SHARES,
        _ if subject == LOCKS => OF_LOCKS,
        _ if subject == PRSM => OF_PRSM,
        _ if subject == PLDV => OF_PLDV,
        (false, true) if think => THINKING,
        (false, _) => PAGING,
    }
}

/// The table.
pub fn table(props: &ResultProps) -> Html {
    let main = props.settled.as_ref().map_or(PAGING, |settled| main(&settled.scenario, props.subject));
    let left_out = |figure: Figure| of_other_locks(figure, props) || of_more_than_one(figure, props);
    let main: Vec<(Figure, bool)> = main.iter().filter(|(figure, _)| !left_out(*figure)).copied().collect();
    let others =
        || FIGURES.iter().filter(|figure| !main.iter().any(|(main, _)| main == *figure)).map(|&figure| (figure, false));
    html! {
        <>
            { figures(props, "Main figures", main.iter().copied()) }
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
    // What neither result has is a matter of other hosts.
    let known = |pair: &&Pair| pair.now.is_some() || (compared && pair.before.is_some());
    let pair = |figure: Figure| props.pairs.iter().find(|pair| pair.figure == figure).filter(known);
    let label = |figure: Figure, part: bool| label(figure, part, props.settled.as_ref().map(|settled| &settled.scenario));
    let rows = figures.filter_map(|(figure, part)| Some((pair(figure)?, part)));
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
            <tbody>{ for rows.map(|(pair, part)| row(props, pair, label(pair.figure, part), part)) }</tbody>
        </table>
    }
}

fn row(props: &ResultProps, pair: &Pair, label: String, part: bool) -> Html {
    let compared = props.before.is_some();
    let explained = Section::of_figure(pair.figure);
    let change = pair.before.zip(pair.now).and_then(|(before, now)| difference(before, now));
    let half = pair.interval.map(|interval| (interval.high - interval.low) / 2.0).filter(|half| *half > 0.0);
    let half = half.map(|half| format!(" ± {}", half_width(half)));
    let unlike = pair.finding() != Finding::NotDistinguishable || pair.before == pair.now;
    html! {
        <tr class={part.then_some("part")}>
            <th scope="row">{ name(props, label, explained) }{ " " }<span class="unit">{ pair.figure.unit() }</span></th>
            if compared { <td class="n before">{ value_of(pair.figure, pair.before) }</td> }
            <td class="n">{ value_of(pair.figure, pair.now) }<span class="half">{ half }</span></td>
            if compared {
                <td class={classes!("n", "change", effect(pair).filter(|_| !part))}>
                    if unlike { { change.unwrap_or_else(|| "–".into()) } } else { <span class="unit">{ "not distinguishable" }</span> }
                </td>
            }
        </tr>
    }
}

/// The name of a figure, which leads to the section that explains it.
fn name(props: &ResultProps, label: String, explained: Option<&'static Section>) -> Html {
    let Some(section) = explained else { return html! { { label } } };
    let go = props.on.reform(move |_| Msg::GoTo(Anchor::Section(section.id)));
    html! { <button type="button" class="figure-name" title={format!("What it is: {}", section.title)} onclick={go}>{ label }</button> }
}

/// The figure's name, shorter where the table's place says the rest, and that of a group of guests with its name.
fn label(figure: Figure, part: bool, scenario: Option<&Scenario>) -> String {
    // Minidisk I/O stands beside paging.
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
    // What is no figure of relocations, links or all members is that of the first.
    let one_of_many =
        scenario.is_some_and(|scenario| scenario.cluster.members > 1) && !part && !OF_ALL_MEMBERS.contains(&figure);
    if one_of_many { format!("{label} at MEMBER1") } else { label.into() }
}
