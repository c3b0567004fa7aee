//! What a run says of a cluster beside its figures: the answer in a sentence, every relocation, the passes of the first, what held
//! relocations back, the link, the members. Plain labelled fields; no layout of a CP response is imitated.

mod answer;

use std::fmt::Write;

use zvmlab::scenario::{PAGES_PER_MB, Scenario};
use zvmlab::snapshot::{
    ChpidSnapshot, ClusterSnapshot, EndCode, LinkSnapshot, MemberSnapshot, PassSnapshot, RelocationSnapshot, Snapshot,
};
use zvmlab::{Figure, Measurement};

use crate::table::{Align, grouped, number, number_or_dash, render};
use crate::words;

/// Most relocations that are listed one by one. Chosen: a screen or two.
const RELOCATIONS_MAX: usize = 40;

/// Bytes of a page.
const PAGE_BYTES: u64 = 4096;

/// Whether a figure is one of relocations, which hosts that relocate nobody have none of.
pub fn is_of_relocations(figure: Figure) -> bool {
    matches!(
        figure,
        Figure::QuiesceTime
            | Figure::QuiesceTimeWorst
            | Figure::RelocationTime
            | Figure::RelocationTotal
            | Figure::RelocationsCompleted
            | Figure::RelocationsEnded
            | Figure::MemoryPasses
            | Figure::MemoryMoved
            | Figure::FirstPass
            | Figure::LinkBusy
            | Figure::LinkRate
            | Figure::ThrottledPaging
            | Figure::ThrottledMemory
            | Figure::ThrottledLink
            | Figure::StoppedTime
    )
}

/// The sections of a cluster, the answer first; none for a host alone.
pub fn sections(scenario: &Scenario, first: &Snapshot, last: &Snapshot) -> String {
    let Some(cluster) = last.cluster.as_deref() else { return String::new() };
    let mut text = format!("\n{}\n", answer::answer(scenario, cluster));
    if cluster.began_ns.is_some() && !cluster.relocations.is_empty() {
        text += &relocations(cluster);
        text += &passes(cluster);
        text += &throttles(cluster);
    }
    text += &links(first, last, cluster);
    text + &members(first, last, cluster)
}

/// Pages in GB.
pub fn gigabytes(pages: u64) -> String {
    number(pages as f64 / (PAGES_PER_MB * 1024) as f64)
}

/// Time in s.
pub fn seconds(ns: u64) -> String {
    number(ns as f64 / 1e9)
}

/// How a relocation ended: the code and what it means.
pub fn end_of(end: EndCode) -> String {
    format!("{:02} {}", end.code(), end.text())
}

/// What a member is called.
pub fn member(cluster: &ClusterSnapshot, index: u32) -> String {
    cluster.members.get(index as usize).map_or_else(|| format!("member {}", index + 1), |member| words::plain(&member.name))
}

/// MB (10^6 bytes) a second of pages that took a time.
pub fn rate(pages: u64, ns: u64) -> String {
    if ns == 0 { "-".into() } else { number((pages * PAGE_BYTES) as f64 / ns as f64 * 1e3) }
}

/// Every relocation in a line, and what the rest came to where there are many.
fn relocations(cluster: &ClusterSnapshot) -> String {
    let header = [
        ("Guest", Align::Left),
        ("From", Align::Left),
        ("To", Align::Left),
        ("Passes", Align::Right),
        ("GB", Align::Right),
        ("Quiesce s", Align::Right),
        ("Relocation s", Align::Right),
        ("End", Align::Left),
    ];
    let or_dash = |ns: Option<u64>| ns.map_or("-".into(), seconds);
    let row = |one: &RelocationSnapshot| {
        vec![
            words::plain(&one.name),
            member(cluster, one.from),
            member(cluster, one.to),
            one.passes.len().to_string(),
            gigabytes(one.pages()),
            or_dash(one.quiesce_ns()),
            or_dash(one.relocation_ns()),
            one.end.map_or_else(|| format!("- {}", words::stage(one.stage)), end_of),
        ]
    };
    let all = &cluster.relocations;
    let rows: Vec<Vec<String>> = all.iter().take(RELOCATIONS_MAX).map(row).collect();
    let mut text = format!("\nRelocations; GB of 2^30 bytes, in all passes\n{}", render(&header, &rows));
    let rest = all.get(RELOCATIONS_MAX..).unwrap_or_default();
    if !rest.is_empty() {
        let completed = rest.iter().filter(|one| one.end == Some(EndCode::Completed)).count();
        let worst = rest.iter().filter_map(RelocationSnapshot::quiesce_ns).max();
        let worst = worst.map_or(String::new(), |ns| format!("; longest quiesce time {} s", seconds(ns)));
        let _ = writeln!(text, "and {} more, {completed} of them completed{worst}", rest.len());
    }
    text
}

/// The passes of the first relocation that got so far.
fn passes(cluster: &ClusterSnapshot) -> String {
    let Some(one) = cluster.relocations.iter().find(|one| !one.passes.is_empty()) else { return String::new() };
    let header = [
        ("Pass", Align::Right),
        ("Guest", Align::Left),
        ("Pages", Align::Right),
        ("GB", Align::Right),
        ("Of them sent before", Align::Right),
        ("Seconds", Align::Right),
        ("MB/s", Align::Right),
    ];
    let row = |(number, pass): (usize, &PassSnapshot)| {
        let took = pass.ended_ns.map(|ended| ended - pass.began_ns);
        vec![
            number.to_string(),
            if pass.stopped { "stopped" } else { "runs" }.into(),
            grouped(&pass.pages.to_string()),
            gigabytes(pass.pages),
            grouped(&pass.resent.to_string()),
            took.map_or("not over".into(), seconds),
            took.map_or("-".into(), |ns| rate(pass.pages, ns)),
        ]
    };
    let rows: Vec<Vec<String>> = (1..).zip(&one.passes).map(row).collect();
    format!(
        "\nPasses through the storage of {}, which had touched {} pages ({} GB); MB/s of 10^6 bytes, as links are rated\n{}",
        words::plain(&one.name),
        grouped(&one.touched_pages.to_string()),
        gigabytes(one.touched_pages),
        render(&header, &rows)
    )
}

/// What held relocations back, all of them together, and what they cost.
fn throttles(cluster: &ClusterSnapshot) -> String {
    let all = &cluster.relocations;
    let sum = |of: &dyn Fn(&RelocationSnapshot) -> u64| all.iter().map(of).sum::<u64>();
    let held = |at: usize| seconds(cluster.totals.throttled_ns[at]);
    format!(
        "\nHeld back, all relocations together: by paging (end to end) {} s, by memory (endpoint) {} s, by ISFC buffers (link) {} s.\n\
         Pages read from page space at the source: {}. Buffers waited for frames at the destination for {} s. \
         Processor time of CP: {} s at the source, {} s at the destination.\n",
        held(0),
        held(1),
        held(2),
        grouped(&sum(&|one| one.pages_read).to_string()),
        seconds(sum(&|one| one.frame_wait_ns)),
        seconds(sum(&|one| one.cpu_ns[0])),
        seconds(sum(&|one| one.cpu_ns[1])),
    )
}

/// The links that carried something in the interval, and those that are lost.
fn links(first: &Snapshot, last: &Snapshot, cluster: &ClusterSnapshot) -> String {
    let earlier = first.cluster.as_deref();
    let relocating_ns = cluster.relocating_ns - earlier.map_or(0, |earlier| earlier.relocating_ns);
    let mut text = String::new();
    for (at, link) in cluster.links.iter().enumerate() {
        let before = earlier.and_then(|earlier| earlier.links.get(at));
        let grown = |of: fn(&LinkSnapshot) -> u64| of(link) - before.map_or(0, of);
        let bytes = grown(|link| link.bytes);
        if bytes == 0 && link.up {
            continue;
        }
        let _ = write!(
            text,
            "\nISFC link from {} to {}{}: capacity factor {}, {} buffers",
            member(cluster, link.from),
            member(cluster, link.to),
            if link.up { "" } else { ", lost" },
            link.capacity_factor,
            link.buffers
        );
        if relocating_ns > 0 {
            let time = relocating_ns as f64;
            let busy = grown(|link| link.relocating_busy_ns) as f64 / time / link.chpids.len() as f64 * 100.0;
            let rate = grown(|link| link.relocating_bytes) as f64 / time * 1e3;
            let _ = write!(text, "; while relocations were under way {} MB/s, chpids {} % busy", number(rate), number(busy));
        }
        let other = grown(|link| link.other_bytes) as f64 / (last.now_ns - first.now_ns).max(1) as f64;
        if other > 0.0 {
            let _ = write!(text, "; other traffic {} MB/s in the interval", number(other * 1e3));
        }
        text.push('\n');
        text += &chpids(link, before, bytes);
    }
    text
}

/// What each chpid of a link carried in the interval.
fn chpids(link: &LinkSnapshot, before: Option<&LinkSnapshot>, bytes: u64) -> String {
    let header =
        [("Chpid", Align::Left), ("CTCs", Align::Right), ("Of all bytes %", Align::Right), ("Busy for s", Align::Right)];
    let row = |(index, chpid): (usize, &ChpidSnapshot)| {
        let earlier = before.and_then(|link| link.chpids.get(index));
        let carried = chpid.bytes - earlier.map_or(0, |chpid| chpid.bytes);
        vec![
            format!("{} Gb", chpid.gb_s),
            chpid.ctcs.to_string(),
            number(carried as f64 / bytes.max(1) as f64 * 100.0),
            seconds(chpid.busy_ns - earlier.map_or(0, |chpid| chpid.busy_ns)),
        ]
    };
    render(&header, &link.chpids.iter().enumerate().map(row).collect::<Vec<_>>())
}

/// The members: their states, what they hold, and their work in the interval.
fn members(first: &Snapshot, last: &Snapshot, cluster: &ClusterSnapshot) -> String {
    let header = [
        ("Member", Align::Left),
        ("State", Align::Left),
        ("Changes", Align::Right),
        ("Guests", Align::Right),
        ("Storage MB", Align::Right),
        ("Available MB", Align::Right),
        ("Pages read/s", Align::Right),
        ("Pages written/s", Align::Right),
        ("CPU %", Align::Right),
        ("ETR", Align::Right),
    ];
    let row = |(at, seen): (usize, &MemberSnapshot)| {
        let (Some(earlier), Some(later)) = (of_member(first, at), of_member(last, at)) else { return Vec::new() };
        let measured = Measurement::between(earlier, later);
        let megabytes = |frames: u64| grouped(&(frames / PAGES_PER_MB).to_string());
        vec![
            words::plain(&seen.name),
            words::member_state(seen.state).into(),
            seen.changes.to_string(),
            seen.guests.to_string(),
            megabytes(later.storage.installed_frames),
            megabytes(later.storage.available_frames),
            number_or_dash(measured.get(Figure::PagesRead)),
            number_or_dash(measured.get(Figure::PagesWritten)),
            number_or_dash(measured.get(Figure::Utilization)),
            number_or_dash(measured.get(Figure::Etr)),
        ]
    };
    let rows: Vec<Vec<String>> = cluster.members.iter().enumerate().map(row).collect();
    format!(
        "\nMembers at the end, {:.3} s after the start; paging, processors and transactions in the interval\n{}",
        last.now_ns as f64 / 1e9,
        render(&header, &rows)
    )
}

/// What is seen of the member in place `at`, of which the first holds the others.
fn of_member(snapshot: &Snapshot, at: usize) -> Option<&Snapshot> {
    match at {
        0 => Some(snapshot),
        _ => snapshot.cluster.as_ref()?.others.get(at - 1),
    }
}
