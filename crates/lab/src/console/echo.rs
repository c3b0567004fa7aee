//! What a knob does, as the command that does the same.

use zvmlab::Scenario;
use zvmlab::scenario::{GuestGroup, Interruption, LimitType, MaxQuiesce, ShareType};

use super::{Look, answer, on_off};
use crate::knob::changes::changes;
use crate::knob::storbuf::{numbers, written};

/// More lines than these are another host, not a turn of knobs. Chosen.
const ECHOED: usize = 6;

/// The most VARY commands of one turn. Chosen.
const VARIED: u32 = 4;

/// The commands that lead from one host to another, as far as commands of CP do so.
pub fn echo(before: &Scenario, after: &Scenario) -> Vec<String> {
    let mut commands = Vec::new();
    let mut say = |differs: bool, command: String| {
        if differs {
            commands.push(command);
        }
    };
    say(numbers(before) != numbers(after), format!("SET SRM STORBUF {}", written(numbers(after))));
    say(
        before.scheduler.limithard != after.scheduler.limithard,
        format!("SET SRM LIMITHARD {}", after.scheduler.limithard.as_str()),
    );
    say(
        before.dispatcher.minor_slice_ms != after.dispatcher.minor_slice_ms,
        format!("SET SRM DSPSLICE {}", after.dispatcher.minor_slice_ms),
    );
    say(before.paging.zhpf != after.paging.zhpf, format!("SET PAGING HPF {}", on_off(after.paging.zhpf)));
    say(before.paging.alias != after.paging.alias, format!("SET PAGING ALIAS {}", on_off(after.paging.alias)));
    let share = after.lcu.alias_share;
    say(before.lcu.alias_share != share, format!("SET CU MDISK {} PAGING {}", share.mdisk, share.paging));
    let cache = |host: &Scenario| (host.minidisks.mdc_mb, host.has_mdc_arbiter());
    let least = if after.has_mdc_arbiter() { "0M " } else { "" };
    say(cache(before) != cache(after), format!("SET MDCACHE STORAGE {least}{}M", after.minidisks.mdc_mb));
    let expanded = [before, after].map(|host| host.minidisks.mdc_expanded_mb);
    say(expanded[0] != expanded[1], format!("SET MDCACHE XSTORE {}M", expanded[1]));
    let early = if after.storage.early_writes { "YES" } else { "NO" };
    say(before.storage.early_writes != after.storage.early_writes, format!("SET AGELIST EARLYWRITES {early}"));
    let [paths, processors] = [(before.lcu.paths, after.lcu.paths), (before.processors.count, after.processors.count)];
    for ((was, is), what) in [(paths, "PATH"), (processors, "PROCESSOR")] {
        let command = format!("VARY {} {what}", if is > was { "ONLINE" } else { "OFFLINE" });
        for _ in 0..was.abs_diff(is).min(VARIED) {
            say(true, command.clone());
        }
    }
    if before.guests.len() == after.guests.len() {
        for (was, is) in before.guests.iter().zip(&after.guests) {
            let name = &is.name;
            say(shares(was) != shares(is), format!("SET SHARE {name} {}", shares(is)));
            say(was.quickdsp != is.quickdsp, format!("SET QUICKDSP {name} {}", on_off(is.quickdsp)));
            say(was.reorder != is.reorder, format!("SET REORDER {name} {}", on_off(is.reorder)));
            say(was.reserved_mb != is.reserved_mb, format!("SET RESERVED {name} {}M", is.reserved_mb));
            let moves =
                is.move_to != 0 && (was.move_to != is.move_to || relocation_options(before) != relocation_options(after));
            say(moves, format!("VMRELOCATE MOVE {name} TO MEMBER{}{}", is.move_to, relocation_options(after)));
        }
    }
    let cancels = |scenario: &Scenario| {
        let is_cancelled = scenario.relocation.interruption == Interruption::Cancel;
        is_cancelled.then_some(scenario.relocation.interruption_ms)
    };
    if let Some(ms) = cancels(after).filter(|_| cancels(before) != cancels(after))
        && let [moving] = after.guests.iter().filter(|group| group.moves()).collect::<Vec<_>>()[..]
    {
        say(true, format!("VMRELOCATE CANCEL {} AFTER {ms} ms", moving.name));
    }
    commands
}

/// The share of a group and its maximum, as SET SHARE takes them.
fn shares(group: &GuestGroup) -> String {
    let share = match group.share_type {
        ShareType::Relative => format!("RELATIVE {}", group.share_relative),
        ShareType::Absolute => format!("ABSOLUTE {}%", group.share_absolute),
    };
    match group.limit_type {
        LimitType::NoLimit => share,
        kind => format!("{share} ABSOLUTE {}% {}", group.limit_absolute, kind.as_str()),
    }
}

/// What knobs did: the commands that do the same, then, as comments, what no command does. One comment for another host.
pub fn told(before: &Scenario, after: &Scenario) -> Vec<String> {
    // No command changes the level, and what comes with it was not asked for by one.
    let level = Scenario { level: after.level, own: after.own, ..before.clone() };
    let mut reached = if before.level == after.level { before.clone() } else { level.left_as(before, |_| false) };
    let mut lines: Vec<String> = changes(before, &level).into_iter().map(|change| format!("* {change}")).collect();
    for command in echo(&reached, after) {
        let reply = answer(&command, Look { scenario: &reached, settled: None, hides_limit: false });
        // A user id that the console cannot read, such as one with a blank, has no command.
        if reply.is_refused {
            continue;
        }
        for (knob, given) in &reply.turns {
            // The console has tried it on a copy.
            let _ = knob.turn(&mut reached, given);
        }
        lines.push(command);
    }
    lines.extend(changes(&reached, after).into_iter().map(|change| format!("* {change}")));
    if lines.len() > ECHOED { vec![format!("* The host is now {}.", after.name)] } else { lines }
}

/// The options of VMRELOCATE, with a blank before each.
pub(super) fn relocation_options(scenario: &Scenario) -> String {
    let relocation = &scenario.relocation;
    let mut options = format!(" {}", relocation.mode.as_str());
    if relocation.immediate {
        options += " IMMEDIATE";
    }
    match relocation.maxquiesce {
        MaxQuiesce::Default => {}
        MaxQuiesce::Seconds => options += &format!(" MAXQUIESCE {}", relocation.maxquiesce_s),
        MaxQuiesce::NoLimit => options += " MAXQUIESCE NOLIMIT",
    }
    if relocation.maxtotal_s > 0 {
        options += &format!(" MAXTOTAL {}", relocation.maxtotal_s);
    }
    if relocation.force_storage {
        options += " FORCE STORAGE";
    }
    options
}
