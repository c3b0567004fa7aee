//! SET: what turns knobs.

use zvmlab::Scenario;
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{Level, Mechanism};

use super::{Look, Reply, group, is, query, switch, turned};
use crate::knob::storbuf::{KNOWN, PATHS};
use crate::knob::{Given, Knob};

fn number(text: &str) -> Given {
    Given::Number(text.trim_end_matches('%').into())
}

/// What a command with wrong operands gets.
fn wants(operands: &str) -> Reply {
    Reply::refused(format!("Operands are {operands}."))
}

pub(super) fn storbuf(look: Look, operands: &[&str]) -> Reply {
    let given: Vec<String> = match operands {
        [word] if is(word, "INITIAL", 3) => {
            let old = matches!(look.scenario.level, Level::V5_1 | Level::V5_2 | Level::V6_1);
            KNOWN[usize::from(!old)].iter().map(u64::to_string).collect()
        }
        [_, _, _] => operands.iter().map(|text| text.to_string()).collect(),
        _ => return wants("three percentages, such as 300 250 200, or INITIAL"),
    };
    let turns = PATHS.iter().zip(&given).map(|(path, text)| (Knob::at(path, 0), number(text))).collect();
    turned(look, turns, &|after| vec![query::storbuf_line(after)])
}

pub(super) fn limithard(look: Look, operands: &[&str]) -> Reply {
    let word = match operands {
        [word] if is(word, "DEADLINE", 1) => "DEADLINE",
        [word] if is(word, "CONSUMPTION", 1) => "CONSUMPTION",
        _ => return wants("DEADLINE or CONSUMPTION"),
    };
    let level = look.scenario.level;
    if level.lacks(Mechanism::LimitHardConsumption) {
        let line = query::limithard_line(look.scenario);
        return match word {
            "DEADLINE" => Reply::said([line, "It was so already.".into()]),
            _ => Reply::refused(format!("{} limits by DEADLINE, and in no other way.", level.name())),
        };
    }
    let turns = vec![(Knob::at(path::SCHEDULER_LIMITHARD, 0), Given::Choice(word.into()))];
    turned(look, turns, &|after| vec![query::limithard_line(after)])
}

pub(super) fn dspslice(look: Look, operands: &[&str]) -> Reply {
    let [text] = operands else { return wants("a time in milliseconds, such as 5") };
    let turns = vec![(Knob::at(path::DISPATCHER_MINOR_SLICE_MS, 0), number(text))];
    turned(look, turns, &|after| vec![format!("DSPSLICE {} ms", after.dispatcher.minor_slice_ms)])
}

pub(super) fn share(look: Look, operands: &[&str]) -> Reply {
    const WANTED: &str = "a user id, a share (RELATIVE n or ABSOLUTE n%), then a maximum if there is one (ABSOLUTE n% LIMITSOFT or LIMITHARD)";
    let [user, rest @ ..] = operands else { return wants(WANTED) };
    let (user, group) = match group(look, user) {
        Ok(group) => (*user, group),
        Err(refused) => return refused,
    };
    if rest.len() == 1 && is(rest[0], "INITIAL", 3) {
        return Reply::refused(
            "INITIAL is the share of the user directory, which the laboratory has not: say it, such as RELATIVE 100.",
        );
    }
    let at = |path: &str| Knob::at(path, group);
    let choice = |path: &str, word: &str| (at(path), Given::Choice(word.into()));
    // A share, then a maximum, then its kind. Without a kind there is no maximum.
    let mut values: Vec<(&str, &str)> = Vec::new();
    let mut limit = "NOLIMIT";
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        if let Some(kind) = ["NOLIMIT", "LIMITSOFT", "LIMITHARD"].into_iter().find(|kind| is(word, kind, kind.len() - 3)) {
            limit = kind;
            continue;
        }
        let kind = ["RELATIVE", "ABSOLUTE"].into_iter().find(|kind| is(word, kind, 3));
        let (kind, text) = match (kind, values.last()) {
            (Some(kind), _) => (Some(kind), rest.next()),
            // A maximum without a word for its kind is of the share's kind (IBM's page of SET SHARE).
            (None, Some((kind, _))) if word.starts_with(|first: char| first.is_ascii_digit()) => (Some(*kind), Some(word)),
            (None, _) => (None, None),
        };
        let (Some(kind), Some(text)) = (kind, text) else { return wants(WANTED) };
        values.push((kind, text));
    }
    let mut turns = Vec::new();
    match values.first() {
        Some(("RELATIVE", text)) => {
            turns.extend([
                choice(path::GUESTS_SHARE_TYPE, "RELATIVE"),
                (at(path::GUESTS_SHARE_RELATIVE), Given::Number((*text).into())),
            ]);
        }
        Some((_, text)) => {
            turns.extend([choice(path::GUESTS_SHARE_TYPE, "ABSOLUTE"), (at(path::GUESTS_SHARE_ABSOLUTE), number(text))])
        }
        None => return wants(WANTED),
    }
    turns.push(choice(path::GUESTS_LIMIT_TYPE, limit));
    match (&values[1..], limit) {
        ([], "NOLIMIT") => {}
        ([("ABSOLUTE", text)], "LIMITSOFT" | "LIMITHARD") => turns.push((at(path::GUESTS_LIMIT_ABSOLUTE), number(text))),
        ([("RELATIVE", _)], _) => {
            return Reply::refused("CP has relative maximum shares; the laboratory models absolute ones.");
        }
        ([], _) => return Reply::refused(format!("{limit} needs a maximum before it, such as ABSOLUTE 20% {limit}.")),
        _ => return wants(WANTED),
    }
    turned(look, turns, &|after| of_group(query::share_lines(after, group), after, group, user))
}

/// Says that a setting of one guest is that of its group.
pub(super) fn of_group(mut lines: Vec<String>, scenario: &Scenario, index: usize, user: &str) -> Vec<String> {
    if scenario.guests.get(index).is_some_and(|group| group.count > 1 && !group.name.eq_ignore_ascii_case(user)) {
        lines.push("Guests of a group are alike here, so this sets all of them.".into());
    }
    lines
}

pub(super) fn quickdsp(look: Look, operands: &[&str]) -> Reply {
    let [user, word] = operands else { return wants("a user id, then ON or OFF") };
    let (Some(is_on), group) = (switch(word), group(look, user)) else { return wants("a user id, then ON or OFF") };
    match group {
        Ok(group) => turned(look, vec![(Knob::at(path::GUESTS_QUICKDSP, group), Given::Switch(is_on))], &|after| {
            of_group(vec![query::quickdsp_line(after, group)], after, group, user)
        }),
        Err(refused) => refused,
    }
}

pub(super) fn reorder(look: Look, operands: &[&str]) -> Reply {
    const WANTED: &str = "a user id or SYSTEM, then ON or OFF";
    if !look.scenario.has(Mechanism::ScanByLists) {
        return Reply::refused(query::no_reorder(look.scenario));
    }
    let [user, word] = operands else { return wants(WANTED) };
    let Some(is_on) = switch(word) else { return wants(WANTED) };
    let knob = |group| (Knob::at(path::GUESTS_REORDER, group), Given::Switch(is_on));
    if is(user, "SYSTEM", 6) {
        let all = 0..look.scenario.guests.len();
        return turned(look, all.clone().map(knob).collect(), &|after| {
            all.clone().map(|group| query::reorder_line(after, group)).collect()
        });
    }
    match group(look, user) {
        Ok(group) => {
            turned(look, vec![knob(group)], &|after| of_group(vec![query::reorder_line(after, group)], after, group, user))
        }
        Err(refused) => refused,
    }
}

pub(super) fn reserved(look: Look, operands: &[&str]) -> Reply {
    let [user, size @ ..] = operands else { return wants("a user id, then a size such as 512M, or OFF") };
    let size = if size.len() == 1 && is(size[0], "OFF", 3) { "0".to_string() } else { size.join(" ") };
    let is_bare = size != "0" && size.bytes().all(|byte| byte.is_ascii_digit());
    match group(look, user) {
        Ok(_) if size.is_empty() => wants("a user id, then a size such as 512M, or OFF"),
        // Not what a reader of CP's command may mean by it, and no source here says what CP takes it for.
        Ok(_) if is_bare => Reply::refused(format!("{size} given without a unit; say it with one, such as 512M.")),
        Ok(group) => turned(look, vec![(Knob::at(path::GUESTS_RESERVED_MB, group), Given::Number(size))], &|after| {
            of_group(vec![query::reserved_line(after, group)], after, group, user)
        }),
        Err(refused) => refused,
    }
}

fn set_switch(look: Look, operands: &[&str], path: &str, said: fn(&Scenario) -> String) -> Reply {
    match operands {
        [word] if switch(word).is_some() => {
            turned(look, vec![(Knob::at(path, 0), Given::Switch(switch(word) == Some(true)))], &|after| vec![said(after)])
        }
        _ => wants("ON or OFF"),
    }
}

pub(super) fn paging_hpf(look: Look, operands: &[&str]) -> Reply {
    set_switch(look, operands, path::PAGING_ZHPF, query::paging_line)
}

pub(super) fn paging_alias(look: Look, operands: &[&str]) -> Reply {
    set_switch(look, operands, path::PAGING_ALIAS, query::paging_line)
}

pub(super) fn early_writes(look: Look, operands: &[&str]) -> Reply {
    if look.scenario.has(Mechanism::ScanByLists) {
        return Reply::refused(query::no_agelist(look.scenario));
    }
    match operands {
        [word] if ["YES", "NO"].iter().any(|one| is(word, one, 1)) => {
            let given = Given::Switch(is(word, "YES", 1));
            turned(look, vec![(Knob::at(path::STORAGE_EARLY_WRITES, 0), given)], &|after| vec![query::agelist_line(after)])
        }
        _ => wants("YES or NO"),
    }
}

pub(super) fn cu(look: Look, operands: &[&str]) -> Reply {
    match operands {
        [mdisk, mdisks, paging, pagings] if is(mdisk, "MDISK", 2) && is(paging, "PAGING", 3) => {
            let share = Given::Text(format!("{mdisks}:{pagings}"));
            turned(look, vec![(Knob::at(path::LCU_ALIAS_SHARE, 0), share)], &|after| vec![query::cu_line(after)])
        }
        _ => wants("MDISK and a share, then PAGING and a share, such as MDISK 15 PAGING 1"),
    }
}

pub(super) fn mdcache(look: Look, operands: &[&str]) -> Reply {
    const FORM: &str = "a size such as 512M, or 0M 512M for one between nothing and 512M that the arbiter sets; 0M is none";
    if operands.iter().any(|word| word.eq_ignore_ascii_case("BIAS")) {
        return Reply::refused("the model’s arbiter has no bias");
    }
    // "512 M" is one size, "0M 512M" are two.
    let sizes: Vec<String> = operands.iter().fold(Vec::new(), |mut sizes: Vec<String>, word| {
        match sizes.last_mut().filter(|_| word.starts_with(|first: char| first.is_alphabetic())) {
            Some(size) => size.push_str(word),
            None => sizes.push((*word).to_string()),
        }
        sizes
    });
    let mb = |size: &String| Knob::at(path::MINIDISKS_MDC_MB, 0)?.field.amount(size);
    let (most, contested) = match &sizes[..] {
        [most] => (most, false),
        [least, most] if mb(least) == Some(0) && mb(most) != Some(0) => (most, true),
        [least, most] if mb(least).is_some() && mb(least) == mb(most) => (most, false),
        [_, _] => {
            return Reply::refused(format!(
                "the model’s minidisk cache has a fixed size, as with 512M, or one from 0M up to a maximum, as with 0M 512M; {} was given",
                operands.join(" ")
            ));
        }
        _ => return wants(FORM),
    };
    let mut turns = vec![(Knob::at(path::MINIDISKS_MDC_MB, 0), Given::Number(most.clone()))];
    if look.scenario.minidisks.mdc_arbiter != contested {
        turns.push((Knob::at(path::MINIDISKS_MDC_ARBITER, 0), Given::Switch(contested)));
    }
    turned(look, turns, &|after| vec![query::mdcache_line(after)])
}

pub(super) fn mdcache_expanded(look: Look, operands: &[&str]) -> Reply {
    if operands.is_empty() {
        return wants("a size such as 512M; 0M is none");
    }
    let turns = vec![(Knob::at(path::MINIDISKS_MDC_EXPANDED_MB, 0), Given::Number(operands.join(" ")))];
    turned(look, turns, &|after| vec![query::mdcache_line(after)])
}
