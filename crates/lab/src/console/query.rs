//! QUERY: how the host is set, and where the last run has left it.

use zvmlab::scenario::{Level, LimitHard, LimitType, Mechanism, ShareType};
use zvmlab::scheduler::normalised_shares;
use zvmlab::{Figure, Scenario};

use super::{Look, Reply, group, guests, is, on_off};
use crate::knob::storbuf::{numbers, written};
use crate::words::aging;
use crate::words::number::{short, storage_mb, whole};
use crate::words::state;
use crate::words::unit::{gb_or_mb, percent, with_unit};

/// What a command says that needs a result.
pub(super) fn no_result() -> Reply {
    let line = "The run of this host is under way. The answer follows.";
    Reply { waits: true, ..Reply::said([line]) }
}

pub(super) fn storbuf_line(scenario: &Scenario) -> String {
    let [first, second, third] = numbers(scenario);
    let note = if scenario.has(Mechanism::EligibleList) { "" } else { "; this level keeps no guest in the eligible list" };
    format!(
        "STORBUF {}: Q1+Q2+Q3 {first} %, Q2+Q3 {second} %, Q3 {third} % of pageable storage{note}",
        written([first, second, third])
    )
}

pub(super) fn srm(look: Look, operands: &[&str]) -> Reply {
    let scenario = look.scenario;
    let storbuf = storbuf_line(scenario);
    let slice = format!("DSPSLICE {} ms", scenario.dispatcher.minor_slice_ms);
    let limithard = limithard_line(scenario);
    let others = "LDUBUF, DSPBUF, IABIAS and MAXWSS are not modelled";
    match operands {
        [] => Reply::said([storbuf, slice, limithard, others.into()]),
        [one] if is(one, "STORBUF", 4) => Reply::said([storbuf]),
        [one] if is(one, "DSPSLICE", 4) => Reply::said([slice]),
        [one] if is(one, "LIMITHARD", 6) => Reply::said([limithard]),
        _ => Reply::refused(format!("Operands are STORBUF, DSPSLICE or LIMITHARD; {} given. {others}.", operands.join(" "))),
    }
}

/// The way that LIMITHARD goes, which is one on levels that have no other.
pub(super) fn limithard_line(scenario: &Scenario) -> String {
    let lacks = scenario.level.lacks(Mechanism::LimitHardConsumption);
    let way = if lacks { LimitHard::Deadline } else { scenario.scheduler.limithard };
    format!("LIMITHARD {}", way.as_str())
}

pub(super) fn share_lines(scenario: &Scenario, index: usize) -> Vec<String> {
    let Some(group) = scenario.guests.get(index) else { return Vec::new() };
    let share = match group.share_type {
        ShareType::Relative => format!("RELATIVE {}", group.share_relative),
        ShareType::Absolute => format!("ABSOLUTE {} %", group.share_absolute),
    };
    let limit = match group.limit_type {
        LimitType::NoLimit => "NOLIMIT".to_string(),
        kind => format!("{} {} %", kind.as_str(), group.limit_absolute),
    };
    let comes_to = normalised_shares(scenario).get(index).copied().unwrap_or_default();
    let each = if group.count > 1 { " each" } else { "" };
    vec![format!(
        "{}: SHARE {share} {limit}; that comes to {} of the processors{each}",
        guests(scenario, index),
        percent(comes_to)
    )]
}

pub(super) fn share(look: Look, operands: &[&str]) -> Reply {
    of_user(look, operands, share_lines)
}

pub(super) fn quickdsp_line(scenario: &Scenario, index: usize) -> String {
    let is_on = scenario.guests.get(index).is_some_and(|group| group.quickdsp);
    format!("{}: QUICKDSP {}", guests(scenario, index), on_off(is_on))
}

pub(super) fn quickdsp(look: Look, operands: &[&str]) -> Reply {
    of_user(look, operands, |scenario, group| vec![quickdsp_line(scenario, group)])
}

pub(super) fn reorder_line(scenario: &Scenario, index: usize) -> String {
    let is_on = scenario.guests.get(index).is_some_and(|group| group.reorder);
    format!("{}: REORDER {}", guests(scenario, index), on_off(is_on))
}

/// What is said where CP reorders no guest.
pub(super) fn no_reorder(scenario: &Scenario) -> String {
    format!("{} reorders no guest. Levels before 6.3 do.", scenario.level.name())
}

pub(super) fn reorder(look: Look, operands: &[&str]) -> Reply {
    if !look.scenario.has(Mechanism::ScanByLists) {
        return Reply::said([no_reorder(look.scenario)]);
    }
    if operands.is_empty() || matches!(operands, [all] if is(all, "SYSTEM", 6)) {
        return Reply::said((0..look.scenario.guests.len()).map(|group| reorder_line(look.scenario, group)));
    }
    of_user(look, operands, |scenario, group| vec![reorder_line(scenario, group)])
}

pub(super) fn reserved_line(scenario: &Scenario, index: usize) -> String {
    let mb = scenario.guests.get(index).map_or(0, |group| group.reserved_mb);
    let size = if mb == 0 { "none".into() } else { storage_mb(mb) };
    format!("{}: RESERVED {size}", guests(scenario, index))
}

pub(super) fn reserved(look: Look, operands: &[&str]) -> Reply {
    if operands.is_empty() {
        return Reply::said((0..look.scenario.guests.len()).map(|group| reserved_line(look.scenario, group)));
    }
    of_user(look, operands, |scenario, group| vec![reserved_line(scenario, group)])
}

fn of_user(look: Look, operands: &[&str], said: fn(&Scenario, usize) -> Vec<String>) -> Reply {
    let [user] = operands else { return Reply::refused("The operand is a user id.") };
    match group(look, user) {
        Ok(group) => Reply::said(said(look.scenario, group)),
        Err(refused) => refused,
    }
}

pub(super) fn names(look: Look, _: &[&str]) -> Reply {
    let groups = look.scenario.guests.iter().enumerate();
    Reply::said(groups.map(|(index, group)| {
        format!(
            "{}: {}{}, virtual CPUs {}",
            guests(look.scenario, index),
            storage_mb(group.virtual_mb),
            if group.count > 1 { " each" } else { "" },
            group.virtual_cpus
        )
    }))
}

pub(super) fn paging_line(scenario: &Scenario) -> String {
    format!("Paging: HPF {}, ALIAS {}", on_off(scenario.paging.zhpf), on_off(scenario.paging.alias))
}

pub(super) fn paging(look: Look, _: &[&str]) -> Reply {
    let scenario = look.scenario;
    let (count, kind) = (scenario.page_volumes(), scenario.paging.kind.as_str());
    let volumes = format!("{count} volume{}, {kind}", if count == 1 { "" } else { "s" });
    let rate = look.settled.and_then(|settled| settled.measurement.get(Figure::PagesPerSecond));
    let rate = rate.map(|rate| format!("{} pages a second read and written", short(rate)));
    Reply::said([Some(paging_line(scenario)), Some(volumes), rate].into_iter().flatten())
}

pub(super) fn cu_line(scenario: &Scenario) -> String {
    let share = scenario.lcu.alias_share;
    let none = if scenario.lcu.aliases == 0 { "; there are none to share" } else { "" };
    format!(
        "Logical control unit: {} aliases, shares MDISK {} PAGING {}{none}",
        scenario.lcu.aliases, share.mdisk, share.paging
    )
}

pub(super) fn cu(look: Look, _: &[&str]) -> Reply {
    let figure = |figure| look.settled.and_then(|settled| settled.measurement.get(figure));
    let used = figure(Figure::MdiskAliases).or(figure(Figure::PagingAliases)).map(|_| {
        let held = |of| figure(of).map_or("0".into(), short);
        format!(
            "Aliases held, mean of the interval: minidisk I/O {}, paging {}",
            held(Figure::MdiskAliases),
            held(Figure::PagingAliases)
        )
    });
    Reply::said([Some(cu_line(look.scenario)), used].into_iter().flatten())
}

pub(super) fn pav(look: Look, _: &[&str]) -> Reply {
    let scenario = look.scenario;
    let now = look
        .settled
        .map(|settled| format!("Aliases in use at the end of the interval: {}", settled.snapshot.lcu.aliases_in_use));
    let bases = format!(
        "{} HyperPAV aliases for {} paging volumes and {} minidisk volumes",
        scenario.lcu.aliases,
        scenario.page_volumes(),
        scenario.minidisks.volumes
    );
    Reply::said([Some(bases), now].into_iter().flatten())
}

pub(super) fn paths(look: Look, _: &[&str]) -> Reply {
    let mut lines = vec![format!("{} channel paths, {}", look.scenario.lcu.paths, look.scenario.lcu.channel.as_str())];
    if let Some(settled) = look.settled {
        let snapshot = &settled.snapshot;
        // FCP paths carry I/O of EDEVs alone.
        let ficon = snapshot.lcu.ficon_paths as usize;
        let is_used = |(at, busy): &(usize, &u64)| *at < ficon || **busy > 0;
        let busy = snapshot.lcu.path_busy_ns.iter().enumerate().filter(is_used).map(|(at, busy)| {
            let kind = if at < ficon { "FICON" } else { "FCP" };
            format!(
                "Path {}, {kind}: {} busy since the run began",
                at + 1,
                percent(*busy as f64 / snapshot.now_ns.max(1) as f64 * 100.0)
            )
        });
        lines.extend(busy);
    }
    Reply::said(lines)
}

pub(super) fn alloc_page(look: Look, _: &[&str]) -> Reply {
    let Some(settled) = look.settled else { return no_result() };
    let volumes = settled.snapshot.paging.volumes.iter().enumerate();
    let mut lines: Vec<String> = volumes
        .map(|(at, volume)| {
            let used = volume.slots_used as f64 / volume.slots.max(1) as f64 * 100.0;
            format!(
                "PAGE{:02} {}: {} slots, {} in use, {}",
                at + 1,
                volume.kind.as_str(),
                whole(volume.slots),
                whole(volume.slots_used),
                percent(used)
            )
        })
        .collect();
    let [all, used] = [|v: &zvmlab::snapshot::VolumeSnapshot| v.slots, |v: &zvmlab::snapshot::VolumeSnapshot| v.slots_used]
        .map(|of| settled.snapshot.paging.volumes.iter().map(of).sum::<u64>());
    lines.push(format!(
        "All: {} slots, {} in use, {}",
        whole(all),
        whole(used),
        percent(used as f64 / all.max(1) as f64 * 100.0)
    ));
    Reply::said(lines)
}

pub(super) fn mdcache_line(scenario: &Scenario) -> String {
    let most = if scenario.has_mdc_arbiter() { "up to " } else { "" };
    match (scenario.minidisks.mdc_mb, scenario.minidisks.mdc_expanded_mb) {
        (0, 0) => "Minidisk cache: OFF".into(),
        (mb, 0) => format!("Minidisk cache: {most}{}", storage_mb(mb)),
        (mb, expanded) => format!("Minidisk cache: {most}{} central, {} expanded", storage_mb(mb), storage_mb(expanded)),
    }
}

pub(super) fn xstore(look: Look, _: &[&str]) -> Reply {
    let (paging, cache) = look.scenario.expanded_pages();
    if paging + cache == 0 {
        return Reply::said(["Expanded storage: none"]);
    }
    let used = look.settled.and_then(|settled| settled.snapshot.storage.expanded.clone());
    let used = used.map(|expanded| format!("; {} of its pages are in use", whole(expanded.used)));
    let all = storage_mb(look.scenario.storage.expanded_mb);
    let cached = storage_mb(look.scenario.minidisks.mdc_expanded_mb);
    Reply::said([format!("Expanded storage: {all}, {cached} of it for the minidisk cache{}", used.unwrap_or_default())])
}

pub(super) fn mdcache(look: Look, _: &[&str]) -> Reply {
    let hits = look.settled.and_then(|settled| {
        let hits = settled.measurement.get(Figure::MdcHitPercent)?;
        let mdc = &settled.snapshot.minidisks.mdc;
        let off = if mdc.minidisks_disabled > 0 {
            format!("; off for {} minidisks that do transport-mode I/O", mdc.minidisks_disabled)
        } else {
            String::new()
        };
        let size = settled.measurement.get(Figure::MdcSize);
        let size = size.map(|mb| format!("; it has {}", with_unit(mb, "MB"))).unwrap_or_default();
        Some(format!("{} of the reads that ask it are hits{off}{size}", percent(hits)))
    });
    Reply::said([Some(mdcache_line(look.scenario)), hits].into_iter().flatten())
}

pub(super) fn frames(look: Look, _: &[&str]) -> Reply {
    let Some(settled) = look.settled else { return no_result() };
    let storage = &settled.snapshot.storage;
    let one = |label: &str, frames: u64| format!("{label}: {} frames, {}", whole(frames), gb_or_mb(frames));
    let mut lines = vec![
        one("Configured", storage.installed_frames),
        one("CP", storage.cp_frames),
        one("Minidisk cache", storage.mdc_frames),
        one("Guests, valid", storage.valid_frames),
        one(&format!("Guests, {}", aging::on_it_explained(storage)), storage.age_list_frames),
        one("Being read", storage.reading_frames),
        one("Available", storage.available_frames),
    ];
    if let Some(sides) = &storage.sides {
        let below = sides.available_below;
        lines.push(one("Available above 2 GB", storage.available_frames.saturating_sub(below)));
        lines.push(one("Available below 2 GB", below));
        lines.push(one("Guests, below 2 GB", sides.resident_below));
    }
    Reply::said(lines)
}

pub(super) fn agelist_line(scenario: &Scenario) -> String {
    format!("EARLYWRITES {}", if scenario.storage.early_writes { "YES" } else { "NO" })
}

/// What is said where CP has no age list.
pub(super) fn no_agelist(scenario: &Scenario) -> String {
    match scenario.level {
        Level::Own => "This host has no age list: demand scan goes over the scheduler’s lists.".into(),
        level => format!("{} has no age list. Levels from 6.3 on have.", level.name()),
    }
}

pub(super) fn agelist(look: Look, _: &[&str]) -> Reply {
    if look.scenario.has(Mechanism::ScanByLists) {
        return Reply::said([no_agelist(look.scenario)]);
    }
    let now = look.settled.map(|settled| format!("Age list: {}", gb_or_mb(settled.snapshot.storage.age_list_frames)));
    Reply::said([Some(agelist_line(look.scenario)), now].into_iter().flatten())
}

pub(super) fn cplevel(look: Look, _: &[&str]) -> Reply {
    Reply::said([format!("z/VM {}", look.scenario.level.as_str())
        .replace("z/VM own", "Level “own”: no real level, a choice of mechanisms")])
}

pub(super) fn storage(look: Look, _: &[&str]) -> Reply {
    Reply::said([format!("STORAGE = {}", storage_mb(look.scenario.storage.central_mb))])
}

pub(super) fn processors(look: Look, _: &[&str]) -> Reply {
    let processors = &look.scenario.processors;
    let kind = if processors.shared { "shared with other partitions" } else { "dedicated" };
    Reply::said([format!("{} processors, {kind}, {} % of nominal capacity", processors.count, processors.capacity_percent)])
}

pub(super) fn ssi(look: Look, _: &[&str]) -> Reply {
    if look.scenario.cluster.members < 2 {
        return Reply::said(["This system is not a member of a cluster."]);
    }
    let Some(cluster) = look.settled.and_then(|settled| settled.snapshot.cluster.as_deref()) else { return no_result() };
    Reply::said(cluster.members.iter().map(|member| {
        format!(
            "{}: {}, guests: {}",
            member.name,
            crate::words::letters::capitalised(state::member(member.state)),
            member.guests
        )
    }))
}
