//! INDICATE: what the guests did in the interval, and what they do at its end.

use zvmlab::snapshot::{GuestSnapshot, GuestState, List, Snapshot};
use zvmlab::{Figure, Scenario};

use super::query::no_result;
use super::{Look, Reply, group};
use crate::words::aging;
use crate::words::number::{short, whole};
use crate::words::state;
use crate::words::unit::{gb_or_mb, percent, seconds};

/// The most lines of guests. Chosen: more are not read.
const LINES: usize = 64;

/// The guests of all members, in their order; those at another member are not here.
fn here(snapshot: &Snapshot) -> impl Iterator<Item = &GuestSnapshot> {
    let others = snapshot.cluster.iter().flat_map(|cluster| cluster.others.iter());
    std::iter::once(snapshot).chain(others).flat_map(|member| member.guests.iter()).filter(|guest| !guest.away)
}

pub(super) fn load(look: Look, _: &[&str]) -> Reply {
    let Some(settled) = look.settled else { return no_result() };
    let figure = |figure| settled.measurement.get(figure);
    let own = || settled.snapshot.guests.iter().filter(|guest| !guest.away);
    let count = |list: List| own().filter(|guest| guest.list == list).count();
    let part = |of: Figure| figure(of).map_or("–".into(), percent);
    let rate = figure(Figure::PagesPerSecond).map_or("–".into(), short);
    let mut lines = vec![
        format!("AVGPROC {} of {} processors", part(Figure::Utilization), look.scenario.processors.count),
        format!("PAGING {rate} a second, reads and writes; guests wait for pages {} of the time", part(Figure::PageWait)),
    ];
    if look.scenario.storage.expanded_mb > 0 {
        let rate = |of: Figure| figure(of).map_or("–".into(), short);
        let (moved, migrated) = (rate(Figure::ExpandedRate), rate(Figure::MigrationRate));
        lines.push(format!("XSTORE {moved} a second, out and back  MIGRATE {migrated} a second, to page space"));
    }
    if let Some(hits) = figure(Figure::MdcHitPercent) {
        lines.push(format!("MDC HIT RATIO {}", percent(hits)));
    }
    lines.push(format!(
        "Q0 {}  Q1 {}  Q2 {}  Q3 {}  E1 {}  E2 {}  E3 {}  LIMIT {}  DORMANT {}",
        count(List::Q0),
        count(List::Q1),
        count(List::Q2),
        count(List::Q3),
        count(List::E1),
        count(List::E2),
        count(List::E3),
        count(List::Limit),
        count(List::Dormant)
    ));
    let snapshot = &settled.snapshot;
    let busy = |busy: u64| percent(busy as f64 / snapshot.now_ns.max(1) as f64 * 100.0);
    let each = snapshot.processors.logical.iter().enumerate().map(|(at, one)| format!("PROC {at:04} {}", busy(one.busy_ns)));
    let each: Vec<String> = each.collect();
    lines.extend(each.chunks(4).map(|four| four.join("  ")));
    let whose = if look.scenario.cluster.members > 1 { " Processors and lists are those of MEMBER1." } else { "" };
    lines.push(format!("Figures are of the interval, lists as at its end, PROC since the run began.{whose}"));
    if !look.hides_limit {
        lines.push(format!("What limits: {}", crate::words::limit::named(&settled.limits)));
    }
    Reply::said(lines)
}

pub(super) fn queues(look: Look, _: &[&str]) -> Reply {
    guests_that(look, |guest| guest.list != List::Dormant, "All guests are dormant.")
}

pub(super) fn paging(look: Look, _: &[&str]) -> Reply {
    let waits = |guest: &GuestSnapshot| {
        guest.virtual_cpus.iter().any(|cpu| matches!(cpu, GuestState::PageWait | GuestState::FrameWait))
    };
    guests_that(look, waits, "No guest waits for pages at the end of the interval.")
}

pub(super) fn io(look: Look, _: &[&str]) -> Reply {
    let waits = |guest: &GuestSnapshot| guest.virtual_cpus.contains(&GuestState::IoWait);
    guests_that(look, waits, "No guest waits for I/O at the end of the interval.")
}

fn guests_that(look: Look, which: impl Fn(&GuestSnapshot) -> bool, none: &str) -> Reply {
    let Some(settled) = look.settled else { return no_result() };
    let all: Vec<String> = here(&settled.snapshot).filter(|guest| which(guest)).map(line).collect();
    let more = all.len().saturating_sub(LINES);
    let mut lines: Vec<String> = all.into_iter().take(LINES).collect();
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    if lines.is_empty() {
        lines.push(none.into());
    }
    Reply::said(lines)
}

/// A guest in a line: its list, its state, its working set.
fn line(guest: &GuestSnapshot) -> String {
    format!(
        "{}  {}  {}  working set {}, resident {}",
        guest.name,
        guest.list.as_str(),
        state::guest(guest.state),
        gb_or_mb(guest.working_set_pages),
        gb_or_mb(guest.valid_pages + guest.age_list_pages)
    )
}

pub(super) fn user(look: Look, operands: &[&str]) -> Reply {
    let [user] = operands else { return Reply::refused("The operand is a user id.") };
    let index = match group(look, user) {
        Ok(index) => index,
        Err(refused) => return refused,
    };
    let Some(settled) = look.settled else { return no_result() };
    let one = here(&settled.snapshot).find(|guest| guest.name.eq_ignore_ascii_case(user));
    let Some(guest) = one.or_else(|| first_of(&settled.snapshot, look.scenario, index)) else {
        return Reply::refused(format!("{user} is not logged on."));
    };
    let all: u64 = GuestState::ALL.iter().map(|state| guest.time_in(*state)).sum();
    let times = GuestState::ALL.into_iter().filter(|state| guest.time_in(*state) > 0);
    let times: Vec<String> = times
        .map(|state| format!("{} {}", state::guest(state), percent(guest.time_in(state) as f64 / all.max(1) as f64 * 100.0)))
        .collect();
    Reply::said([
        line(guest),
        format!(
            "Pages: {} virtual, {} valid, {} {}, {}{} on DASD, {} being read",
            whole(guest.virtual_pages),
            whole(guest.valid_pages),
            whole(guest.age_list_pages),
            aging::on_it(&settled.snapshot.storage),
            match settled.snapshot.storage.expanded {
                Some(_) => format!("{} in expanded storage, ", whole(guest.expanded_pages)),
                None => String::new(),
            },
            whole(guest.dasd_pages),
            whole(guest.reading_pages)
        ),
        format!("CPU {} since the run began; I/Os to minidisks {}", seconds(guest.cpu_ns), whole(guest.ios)),
        format!("Time since the run began: {}", times.join(", ")),
    ])
}

/// The first guest of a group.
fn first_of<'a>(snapshot: &'a Snapshot, scenario: &Scenario, index: usize) -> Option<&'a GuestSnapshot> {
    let name = &scenario.guests.get(index)?.name;
    let first = super::numbers(scenario, index).first().map(|number| format!("{name}-{number}"));
    here(snapshot).find(|guest| guest.name == *name || Some(&guest.name) == first.as_ref())
}
