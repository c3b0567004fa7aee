//! The scheduler's lists at the end of a run: the guests in each, the storage claimed against the barriers, who waits and why.

use std::cmp::Reverse;
use std::fmt::Write;

use zvmlab::snapshot::{GuestSnapshot, List, Snapshot};
use zvmlab_lab::rooms::scheduler::words::BARRIERS;
use zvmlab_lab::words::{letters, state};

use crate::numbers::{fixed, instant, megabytes};
use crate::output::plain;
use crate::table::{Align, render};

/// Most guests that are listed one by one. Chosen: a screen or two.
const GUESTS_MAX: usize = 40;

/// The scheduler's lists at the end of the interval: the guests in each, the storage claimed against the barriers, who waits.
pub fn lists(first: &Snapshot, last: &Snapshot) -> String {
    let (a, b) = (&first.scheduler, &last.scheduler);
    let mut text = format!("\nLists at the end of the interval, {} s after the start\n", instant(last.now_ns));
    let rows: Vec<Vec<String>> = List::ALL
        .into_iter()
        .map(|list| (list, last.guests.iter().filter(|guest| guest.list == list).collect::<Vec<_>>()))
        .filter(|(_, guests)| !guests.is_empty())
        .map(|(list, guests)| {
            let pages = guests.iter().map(|guest| guest.working_set_pages).sum();
            vec![list.as_str().into(), guests.len().to_string(), megabytes(pages)]
        })
        .collect();
    text += &render(&[("List", Align::Left), ("Guests", Align::Right), ("Working sets MB", Align::Right)], &rows);
    if b.keeps_eligible {
        text += &barriers(last);
    }
    text += &guests(last);
    let _ = writeln!(
        text,
        "\nIn the interval {} moves from list to list; {} times a guest entered the dispatch list, {} of them after a wait.",
        b.moves_total - a.moves_total,
        b.admissions - a.admissions,
        b.admissions_waited - a.admissions_waited
    );
    text
}

/// The storage that the dispatch list has claimed, against the three barriers of STORBUF.
fn barriers(last: &Snapshot) -> String {
    let scheduler = &last.scheduler;
    let part = |pages: u64, of: u64| if of > 0 { fixed(pages as f64 / of as f64 * 100.0, 1) } else { "-".into() };
    let row = |index: usize| {
        let (barrier, claimed) = (scheduler.barriers[index], scheduler.claimed[index]);
        vec![
            BARRIERS[index].into(),
            part(barrier, scheduler.pageable_frames),
            megabytes(barrier),
            megabytes(claimed),
            part(claimed, barrier),
        ]
    };
    let header = [
        ("Working sets of", Align::Left),
        ("STORBUF %", Align::Right),
        ("Barrier MB", Align::Right),
        ("Claimed MB", Align::Right),
        ("Of it %", Align::Right),
    ];
    format!(
        "\nThe dispatch list against the barriers; {} MB are pageable\n{}",
        megabytes(scheduler.pageable_frames),
        render(&header, &(0..BARRIERS.len()).map(row).collect::<Vec<_>>())
    )
}

/// Every guest that is not dormant. Guests that are kept waiting come first.
fn guests(last: &Snapshot) -> String {
    let mut listed: Vec<&GuestSnapshot> = last.guests.iter().filter(|guest| guest.list != List::Dormant).collect();
    let waits = |guest: &GuestSnapshot| guest.list.is_eligible() || guest.list == List::Limit;
    listed.sort_by_key(|guest| (!waits(guest), Reverse(guest.list), guest.list_since_ns));
    let row = |guest: &&GuestSnapshot| {
        vec![
            plain(&guest.name),
            guest.list.as_str().into(),
            instant(last.now_ns - guest.list_since_ns),
            letters::capitalised(state::guest(guest.state)),
            megabytes(guest.working_set_pages),
            megabytes(guest.valid_pages + guest.age_list_pages),
            why_it_waits(guest),
        ]
    };
    let waiting = listed.iter().filter(|guest| waits(guest)).count();
    let mut rows: Vec<Vec<String>> = listed.iter().take(GUESTS_MAX).map(row).collect();
    let mut header = vec![
        ("Guest", Align::Left),
        ("List", Align::Left),
        ("For s", Align::Right),
        ("Does", Align::Left),
        ("Working set MB", Align::Right),
        ("Resident MB", Align::Right),
        ("Waits because it", Align::Left),
    ];
    // The column for why they wait exists only if some do.
    if waiting == 0 {
        header.pop();
        rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    let mut text = match waiting {
        0 => "\nNo guest waits in the eligible list or the limit list.\n".to_string(),
        1 => "\n1 guest waits in the eligible list or the limit list.\n".to_string(),
        _ => format!("\n{waiting} guests wait in the eligible list or the limit list.\n"),
    };
    if !rows.is_empty() {
        text += &render(&header, &rows);
    }
    if listed.len() > GUESTS_MAX {
        let _ = writeln!(text, "and {} more guests", listed.len() - GUESTS_MAX);
    }
    text
}

/// Why a guest does not run, if its list is the reason.
fn why_it_waits(guest: &GuestSnapshot) -> String {
    match (guest.list, guest.barrier) {
        (List::Limit, _) => "is at its maximum share".into(),
        (_, Some(barrier)) => format!("does not fit under {}", BARRIERS.get(barrier as usize).unwrap_or(&"a barrier")),
        (list, None) if list.is_eligible() => "is behind others of its class".into(),
        _ => String::new(),
    }
}
