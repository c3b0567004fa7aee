//! VMRELOCATE and VARY.

use zvmlab::scenario::GuestGroup;
use zvmlab::scenario::fields::path;

use super::query::no_result;
use super::{Look, Reply, group, guests, is, turned};
use crate::knob::{Given, Knob};
use crate::words::relocations::member as name_of;
use crate::words::state;
use crate::words::unit::{gb_or_mb, seconds};

const WANTED: &str = "Operands are a user id, TO and a member (MEMBER2), then SYNCH or ASYNCH, IMMEDIATE, MAXQUIESCE and MAXTOTAL with a time or NOLIMIT, FORCE STORAGE.";

/// The number of a member: `MEMBER2`, or `2`.
fn member(look: Look, text: &str) -> Result<u64, Reply> {
    let members = look.scenario.cluster.members;
    let digits = text.get(..6).filter(|start| start.eq_ignore_ascii_case("MEMBER")).map_or(text, |_| &text[6..]);
    match digits.parse::<u64>() {
        Ok(number) if (1..=u64::from(members)).contains(&number) => Ok(number),
        _ if members < 2 => {
            Err(Reply::refused("This system is not a member of a cluster. The knob “Members” makes it one."))
        }
        _ => Err(Reply::refused(format!(
            "There is no member {text}. Members are MEMBER1 {} MEMBER{members}.",
            if members == 2 { "and" } else { "to" }
        ))),
    }
}

/// The group and the member of `userid TO member`, and what follows.
fn guest_to<'a, 'b>(look: Look, operands: &'b [&'a str]) -> Result<(usize, u64, &'b [&'a str]), Reply> {
    // USER and TO only make it easier to read.
    let operands = operands.strip_prefix(&["USER"]).or(operands.strip_prefix(&["user"])).unwrap_or(operands);
    let (user, place, rest) = match operands {
        [user, to, place, rest @ ..] if is(to, "TO", 2) => (user, place, rest),
        [user, place, rest @ ..] if !is(place, "TO", 2) => (user, place, rest),
        _ => return Err(Reply::refused(WANTED)),
    };
    let group = group(look, user)?;
    let to = member(look, place)?;
    match look.scenario.guests.get(group) {
        Some(guest) if u64::from(guest.member) == to => {
            Err(Reply::refused(format!("{} is at MEMBER{to} already.", guests(look.scenario, group))))
        }
        _ => Ok((group, to, rest)),
    }
}

/// The time of a maximum as seconds, with or without a unit.
fn time(text: &str) -> Given {
    Given::Number(text.into())
}

pub(super) fn start(look: Look, operands: &[&str]) -> Reply {
    let (group, to, rest) = match guest_to(look, operands) {
        Ok(found) => found,
        Err(refused) => return refused,
    };
    let at = |path: &str| Knob::at(path, 0);
    let choice = |path: &str, word: &str| (at(path), Given::Choice(word.into()));
    // Each command stands alone: what it does not say is as CP has it by default.
    let mut turns = vec![
        (Knob::at(path::GUESTS_MOVE_TO, group), Given::Number(to.to_string())),
        choice(path::RELOCATION_MODE, "SYNCH"),
        (at(path::RELOCATION_IMMEDIATE), Given::Switch(false)),
        choice(path::RELOCATION_MAXQUIESCE, "default"),
        (at(path::RELOCATION_MAXTOTAL_S), Given::Number("0".into())),
        (at(path::RELOCATION_FORCE_STORAGE), Given::Switch(false)),
    ];
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        if is(word, "SYNCH", 3) || is(word, "ASYNCH", 3) {
            turns.push(choice(path::RELOCATION_MODE, if is(word, "SYNCH", 3) { "SYNCH" } else { "ASYNCH" }));
        } else if is(word, "IMMEDIATE", 3) {
            turns.push((at(path::RELOCATION_IMMEDIATE), Given::Switch(true)));
        } else if is(word, "FORCE", 3) {
            match rest.next() {
                Some(what) if is(what, "STORAGE", 4) => {
                    turns.push((at(path::RELOCATION_FORCE_STORAGE), Given::Switch(true)))
                }
                _ => {
                    return Reply::refused(
                        "FORCE takes STORAGE here; the laboratory does not model FORCE ARCHITECTURE and FORCE DOMAIN.",
                    );
                }
            }
        } else if is(word, "MAXQUIESCE", 4) {
            match rest.next() {
                Some(none) if is(none, "NOLIMIT", 3) => turns.push(choice(path::RELOCATION_MAXQUIESCE, "NOLIMIT")),
                Some(text) => turns.extend([
                    choice(path::RELOCATION_MAXQUIESCE, "seconds"),
                    (at(path::RELOCATION_MAXQUIESCE_S), time(text)),
                ]),
                None => return Reply::refused(WANTED),
            }
        } else if is(word, "MAXTOTAL", 4) {
            match rest.next() {
                Some(none) if is(none, "NOLIMIT", 3) => {
                    turns.push((at(path::RELOCATION_MAXTOTAL_S), Given::Number("0".into())))
                }
                Some(&"0") => return Reply::refused("MAXTOTAL is a time from 1 s on, or NOLIMIT."),
                Some(text) => turns.push((at(path::RELOCATION_MAXTOTAL_S), time(text))),
                None => return Reply::refused(WANTED),
            }
        } else {
            return Reply::refused(format!("{} is no operand here. {WANTED}", word.to_ascii_uppercase()));
        }
    }
    turned(look, turns, &|after| {
        let options = super::echo::relocation_options(after);
        let said = format!(
            "{} will be relocated to MEMBER{to}{options}. The options hold for all relocations of this host. VMRELOCATE STATUS tells how it went.",
            guests(after, group)
        );
        super::set::of_group(vec![said], after, group, operands.first().copied().unwrap_or_default())
    })
}

pub(super) fn test(look: Look, operands: &[&str]) -> Reply {
    let (group, to, rest) = match guest_to(look, operands) {
        Ok(found) => found,
        Err(refused) => return refused,
    };
    if !rest.is_empty() {
        return Reply::refused("Operands are a user id, TO and a member.");
    }
    // The checks that a host passes before it runs, of the host with this relocation.
    let turns = vec![(Knob::at(path::GUESTS_MOVE_TO, group), Given::Number(to.to_string()))];
    let checked = turned(look, turns, &|after| {
        vec![format!(
            "{} may be relocated to MEMBER{to}: the host with this relocation passes its checks.",
            guests(after, group)
        )]
    });
    if checked.is_refused {
        return checked;
    }
    let guest = &look.scenario.guests[group];
    let room_mb = match to {
        1 => look.scenario.storage.central_mb,
        2 => look.scenario.member2.central_mb,
        3 => look.scenario.member3.central_mb,
        _ => look.scenario.member4.central_mb,
    };
    let needs = guest.virtual_mb * u64::from(guest.count);
    let mut lines: Vec<String> = checked.lines.into_iter().take(1).collect();
    if needs > room_mb {
        lines.push(format!(
            "Their virtual storage is {}, and MEMBER{to} has {} of central storage. CP checks room when the relocation begins.",
            crate::words::number::storage_mb(needs),
            crate::words::number::storage_mb(room_mb)
        ));
    }
    Reply::said(lines)
}

pub(super) fn status(look: Look, _: &[&str]) -> Reply {
    if !look.scenario.relocates() {
        return Reply::said(["No relocation is asked for."]);
    }
    let Some(cluster) = look.settled.and_then(|settled| settled.snapshot.cluster.as_deref()) else { return no_result() };
    Reply::said(cluster.relocations.iter().map(|one| {
        let now = match one.end {
            Some(end) => format!("end code {}", state::end(end)),
            None => state::doing(one),
        };
        let total =
            one.began_ns.zip(one.ended_ns).map(|(began, ended)| format!(", took {}", seconds(ended.saturating_sub(began))));
        let stopped = one
            .stopped_ns
            .zip(one.started_ns)
            .map(|(stopped, started)| format!(", quiesce time {}", seconds(started.saturating_sub(stopped))));
        let moved: u64 = one.passes.iter().map(|pass| pass.pages).sum();
        format!(
            "{} {} to {}: {now}{}{}, {} passes, {} sent",
            one.name,
            name_of(cluster, one.from),
            name_of(cluster, one.to),
            total.unwrap_or_default(),
            stopped.unwrap_or_default(),
            one.passes.len(),
            gb_or_mb(moved)
        )
    }))
}

pub(super) fn cancel(look: Look, operands: &[&str]) -> Reply {
    let (user, after) = match operands {
        [user] => (user, None),
        [user, word, rest @ ..] if is(word, "AFTER", 2) && !rest.is_empty() => (user, Some(rest.join(" "))),
        _ => return Reply::refused("Operands are a user id, then AFTER and a time such as 500 ms."),
    };
    let group = match group(look, user) {
        Ok(group) => group,
        Err(refused) => return refused,
    };
    if !look.scenario.guests.get(group).is_some_and(GuestGroup::moves) {
        return Reply::refused(format!("No relocation of {user} is asked for."));
    }
    let moving = || look.scenario.guests.iter().filter(|group| group.moves()).map(|group| group.name.as_str());
    if moving().count() > 1 {
        return Reply::refused(format!(
            "The laboratory cancels every relocation that is under way at that time, and more than one is asked for ({}). Take the other moves away, or use the knob “Interruption”.",
            moving().collect::<Vec<_>>().join(", ")
        ));
    }
    let mut turns = vec![(Knob::at(path::RELOCATION_INTERRUPTION, 0), Given::Choice("CANCEL".into()))];
    turns.extend(after.map(|after| (Knob::at(path::RELOCATION_INTERRUPTION_MS, 0), Given::Number(after))));
    turned(look, turns, &|scenario| {
        let said = format!(
            "Relocations of {} that are under way {} after the first begins will be cancelled. AFTER gives another time.",
            guests(scenario, group),
            seconds(u64::from(scenario.relocation.interruption_ms) * 1_000_000)
        );
        super::set::of_group(vec![said], scenario, group, user)
    })
}

pub(super) fn processor_on(look: Look, operands: &[&str]) -> Reply {
    vary(look, operands, path::PROCESSORS_COUNT, 1)
}

pub(super) fn processor_off(look: Look, operands: &[&str]) -> Reply {
    vary(look, operands, path::PROCESSORS_COUNT, -1)
}

pub(super) fn path_on(look: Look, operands: &[&str]) -> Reply {
    vary(look, operands, path::LCU_PATHS, 1)
}

pub(super) fn path_off(look: Look, operands: &[&str]) -> Reply {
    vary(look, operands, path::LCU_PATHS, -1)
}

/// One more or one less. Which one does not matter: all are alike here.
fn vary(look: Look, operands: &[&str], path: &str, by: i64) -> Reply {
    let is_one =
        matches!(operands, [] | [_]) || matches!(operands, [_, to, _] if is(to, "TO", 2) && path == path::LCU_PATHS);
    if !is_one {
        return Reply::refused("One at a time can be varied; its number does not matter, because all are alike here.");
    }
    let now = |processors: u32, paths: u32| {
        if path == path::LCU_PATHS {
            format!("Channel paths online: {paths}")
        } else {
            format!("Processors online: {processors}")
        }
    };
    let count = if path == path::LCU_PATHS { look.scenario.lcu.paths } else { look.scenario.processors.count };
    let turns = vec![(Knob::at(path, 0), Given::Number((i64::from(count) + by).to_string()))];
    turned(look, turns, &|after| vec![now(after.processors.count, after.lcu.paths)])
}
