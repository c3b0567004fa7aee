//! A cluster: every relocation, the passes of the first, what held relocations back, the link, the members.

use std::fmt::Write;

use zvmlab::scenario::PAGES_PER_MB;
use zvmlab::snapshot::{
    ChpidSnapshot, ClusterSnapshot, EndCode, LinkSnapshot, MemberSnapshot, PassSnapshot, RelocationSnapshot, Snapshot,
    StaySnapshot, Throttle,
};
use zvmlab::{Figure, Measurement};
use zvmlab_lab::words::{letters, relocations, state};

use crate::numbers::{gigabytes, instant, number, number_or_dash, rate, seconds, whole};
use crate::output::plain;
use crate::table::{Align, render};

/// Most relocations that are listed one by one. Chosen: a screen or two.
const RELOCATIONS_MAX: usize = 40;

/// The sections of a cluster; none for a single host.
pub fn sections(first: &Snapshot, last: &Snapshot) -> String {
    let Some(cluster) = last.cluster.as_deref() else { return String::new() };
    let mut text = String::new();
    if cluster.began_ns.is_some() && !cluster.relocations.is_empty() {
        text += &all(cluster);
        text += &passes(cluster);
        text += &throttles(cluster);
    }
    text += &links(first, last, cluster);
    text + &members(first, last, cluster)
}

/// The name of a member, fit for a terminal.
fn member(cluster: &ClusterSnapshot, place: u32) -> String {
    plain(&relocations::member(cluster, place))
}

/// Every relocation in a line, and a sum of the rest if there are many.
fn all(cluster: &ClusterSnapshot) -> String {
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
            plain(&one.name),
            member(cluster, one.from),
            member(cluster, one.to),
            one.passes.len().to_string(),
            gigabytes(one.pages()),
            or_dash(one.quiesce_ns()),
            or_dash(one.relocation_ns()),
            one.end.map_or_else(|| format!("- {}", state::stage(one.stage)), state::end),
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

/// The passes of the first relocation that made any.
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
        ("Steal s", Align::Right),
    ];
    let row = |(number, pass): (usize, &PassSnapshot)| {
        let took = pass.ended_ns.map(|ended| ended - pass.began_ns);
        vec![
            number.to_string(),
            if pass.stopped { "stopped" } else { "runs" }.into(),
            whole(pass.pages),
            gigabytes(pass.pages),
            whole(pass.resent),
            took.map_or("not over".into(), seconds),
            took.map_or("-".into(), |ns| rate(pass.pages, ns)),
            took.map_or("-".into(), |_| seconds(pass.steal_ns)),
        ]
    };
    let stay = |(name, stay): (&str, Option<StaySnapshot>)| {
        let StaySnapshot { ns, steal_ns } = stay?;
        let [nothing, pages, gb, resent, rate] = ["runs", "-", "-", "-", "-"].map(String::from);
        Some(vec![name.into(), nothing, pages, gb, resent, seconds(ns), rate, seconds(steal_ns)])
    };
    let [before, after] = [("before", one.before), ("after", one.after)].map(stay);
    let passes = (1..).zip(&one.passes).map(row);
    let rows: Vec<Vec<String>> = before.into_iter().chain(passes).chain(after).collect();
    format!(
        "\nPasses through the storage of {}, which had touched {} pages ({} GB); MB/s of 10^6 bytes, as links are rated\n{}",
        plain(&one.name),
        whole(one.touched_pages),
        gigabytes(one.touched_pages),
        render(&header, &rows)
    )
}

/// How long throttles held all relocations back together, and CP's time for relocations.
fn throttles(cluster: &ClusterSnapshot) -> String {
    let all = &cluster.relocations;
    let sum = |of: &dyn Fn(&RelocationSnapshot) -> u64| all.iter().map(of).sum::<u64>();
    let held = |(throttle, ns): (Throttle, u64)| format!("by {} {} s", state::throttle(throttle), seconds(ns));
    let held: Vec<String> = Throttle::ALL.into_iter().zip(cluster.totals.throttled_ns).map(held).collect();
    format!(
        "\nHeld back, all relocations together: {}.\n\
         Pages read from page space at the source: {}. Buffers waited for frames at the destination for {} s. \
         Processor time of CP: {} s at the source, {} s at the destination.\n",
        held.join(", "),
        whole(sum(&|one| one.pages_read)),
        seconds(sum(&|one| one.frame_wait_ns)),
        seconds(sum(&|one| one.cpu_ns[0])),
        seconds(sum(&|one| one.cpu_ns[1])),
    )
}

/// The links that carried something in the interval, and the lost links.
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

/// The traffic of each chpid of a link in the interval.
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
        let megabytes = |frames: u64| whole(frames / PAGES_PER_MB);
        vec![
            plain(&seen.name),
            letters::capitalised(state::member(seen.state)),
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
        "\nMembers at the end, {} s after the start; paging, processors and transactions in the interval\n{}",
        instant(last.now_ns),
        render(&header, &rows)
    )
}

/// The snapshot of the member in place `at`. The first member's snapshot holds the others.
fn of_member(snapshot: &Snapshot, at: usize) -> Option<&Snapshot> {
    match at {
        0 => Some(snapshot),
        _ => snapshot.cluster.as_ref()?.others.get(at - 1),
    }
}
