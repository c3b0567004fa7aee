//! The scheduler in words: which guest moved why, and what a guest waits for, with the numbers that decide it.

use std::rc::Rc;

use crate::knob::storbuf::{KNOWN, LOW, Numbers};
use zvmlab::scenario::{Level, Mechanism, PAGES_PER_MB};
use zvmlab::snapshot::{GuestSnapshot, GuestState, List, MoveSnapshot, SchedulerSnapshot, Why};
use zvmlab::{Figure, Measurement, Snapshot};

use crate::evidence::Sample;
use crate::words::number::{fixed, short, whole};
use crate::words::unit::{NO_BREAK, percent};
use zvmlab::order;

/// The lists that each barrier counts.
pub const BARRIERS: [&str; 3] = ["Q1+Q2+Q3", "Q2+Q3", "Q3"];

/// Pages as whole megabytes: `3,776 MB`.
pub fn mb(pages: u64) -> String {
    format!("{}{NO_BREAK}MB", whole((pages + PAGES_PER_MB / 2) / PAGES_PER_MB))
}

/// An instant of the run: `12.3 s`.
pub fn at(now_ns: u64) -> String {
    format!("{}{NO_BREAK}s", fixed(now_ns as f64 / 1e9, 1))
}

/// A barrier in percent of pageable storage: the number of SET SRM STORBUF.
pub fn storbuf(scheduler: &SchedulerSnapshot, barrier: usize) -> u64 {
    let pageable = scheduler.pageable_frames.max(1);
    let pages = scheduler.barriers.get(barrier).copied().unwrap_or(0);
    (u128::from(pages) * 100 + u128::from(pageable) / 2).checked_div(u128::from(pageable)).unwrap_or(0) as u64
}

/// Where a guest is and why it does not run, to follow its name: `waits in E3: …`.
pub fn why(guest: &GuestSnapshot, scheduler: &SchedulerSnapshot) -> String {
    let list = guest.list.as_str();
    if guest.list.is_eligible() {
        let barrier = guest.barrier.and_then(|barrier| usize::try_from(barrier).ok()).filter(|barrier| *barrier < 3);
        return match barrier {
            Some(barrier) => format!(
                "waits in {list}: working set {}, but {} already {} {} of {} ({}{NO_BREAK}% of {} pageable).",
                mb(guest.working_set_pages),
                BARRIERS[barrier],
                if barrier == 2 { "claims" } else { "claim" },
                mb(scheduler.claimed[barrier]),
                mb(scheduler.barriers[barrier]),
                storbuf(scheduler, barrier),
                mb(scheduler.pageable_frames),
            ),
            None => format!("waits in {list}: it would fit under the barriers, but is behind others of its class."),
        };
    }
    match (list, guest.state) {
        ("dormant", _) => "is dormant: it wants nothing.".into(),
        ("limit", _) => {
            "is in the limit list: it has used its maximum share and waits until it is below the maximum again.".into()
        }
        (_, GuestState::Running) => format!("is in {list} and runs."),
        (_, GuestState::Interrupted) => format!("is in {list} and has a processor, which others use for the moment."),
        (_, GuestState::Ready) => format!("is in {list}, ready: it waits for a processor."),
        (_, GuestState::PageWait) => format!("is in {list} and waits for a page to be read."),
        (_, GuestState::FrameWait) => format!("is in {list} and waits for a frame of the available list."),
        (_, GuestState::IoWait) => format!("is in {list} and waits for an I/O to its minidisk."),
        (_, GuestState::SimulationWait) => format!("is in {list} and waits for a CP service."),
        (_, GuestState::Idle) => {
            format!("is in {list} and is idle. If that lasts, CP takes its transaction to be over.")
        }
        (_, GuestState::ConsoleWait) => {
            format!("is in {list} and stands still: CP reorders its list of frames (console function wait).")
        }
        (_, GuestState::Stopped) => "is stopped for the end of its relocation.".into(),
        (_, GuestState::Away) => "is logged on at another member.".into(),
        (_, GuestState::Eligible | GuestState::LimitList) => format!("is in {list}."),
    }
}

/// Which guests wait in the eligible list, in a sentence or two; `mean` is how many did over the interval.
pub fn who_waits(snapshot: &Snapshot, mean: Option<f64>) -> String {
    let scheduler = &snapshot.scheduler;
    if !scheduler.keeps_eligible {
        return format!(
            "This level keeps no guest in the eligible list. Guests that want to run enter the dispatch list at once, whatever STORBUF says. Levels that keep guests there: {}.",
            keeping().join(", ")
        );
    }
    // All of them are in the lanes. Guests that have a reason to wait come first, because the reason is told.
    let mut waiting: Vec<&GuestSnapshot> = snapshot.guests.iter().filter(|guest| guest.list.is_eligible()).collect();
    order::by_key(&mut waiting, |guest| (guest.barrier.is_none(), guest.list_since_ns));
    let mean = match mean {
        Some(mean) if mean >= 0.005 => format!(" On average {} did.", short(mean)),
        _ => String::new(),
    };
    match waiting.as_slice() {
        [] if mean.is_empty() => {
            let smaller = SMALLER.iter().find(|numbers| would_wait(scheduler, numbers));
            let smaller = smaller.map_or(String::new(), |[one, two, three]| {
                format!(" With {one} {two} {three} they would not all fit. Try it.")
            });
            format!(
                "No guest waits in the eligible list. All guests that want to run fit under the barriers, so larger numbers of STORBUF change nothing.{smaller}"
            )
        }
        [] => {
            let now_s = short(snapshot.now_ns as f64 / 1e9);
            format!("At {now_s}{NO_BREAK}s no guest waits in the eligible list.{mean}")
        }
        [longest, ..] => {
            let now_s = short(snapshot.now_ns as f64 / 1e9);
            let so = match waiting.len() {
                1 => format!("At {now_s}{NO_BREAK}s 1 guest waits in the eligible list."),
                count => format!("At {now_s}{NO_BREAK}s {count} guests wait in the eligible list."),
            };
            let for_s = snapshot.now_ns.saturating_sub(longest.list_since_ns) as f64 / 1e9;
            format!("{so}{mean} {}, there for {}{NO_BREAK}s, {}", longest.name, fixed(for_s, 1), why(longest, scheduler))
        }
    }
}

/// Numbers of STORBUF that make guests wait on more and more hosts: the INITIAL values from before z/VM 6.2, then smaller ones.
const SMALLER: [Numbers; 2] = [KNOWN[0], LOW];

/// Whether the guests in the dispatch list claim more than the barriers of `numbers` would allow.
fn would_wait(scheduler: &SchedulerSnapshot, numbers: &[u64; 3]) -> bool {
    let over =
        |(claimed, number): (&u64, &u64)| claimed.saturating_mul(100) > scheduler.pageable_frames.saturating_mul(*number);
    scheduler.claimed.iter().zip(numbers).any(over)
}

/// What it gains and costs to keep guests waiting, in a sentence: claimed storage, and what guests wait for.
pub fn at_what_price(measurement: &Measurement) -> Option<String> {
    let get = |figure: Figure| measurement.get(figure);
    let (claimed, paging) = (get(Figure::ClaimedStorage)?, get(Figure::StorageWait)?);
    let waiting = get(Figure::EligibleWait).unwrap_or(0.0);
    if waiting < 0.05 && paging < 0.05 {
        return None;
    }
    let stay = get(Figure::EligibleStay).filter(|_| waiting >= 0.05);
    let stay = stay.map_or(String::new(), |stay| format!("; each wait there takes {}{NO_BREAK}s on average", short(stay)));
    Some(format!(
        "On average the working sets in the dispatch list claim {} of pageable storage. Guests spend {} of their time in the eligible list and {} waiting for storage{stay}.",
        percent(claimed),
        percent(waiting),
        percent(paging)
    ))
}

/// The levels that keep guests in the eligible list.
pub fn keeping() -> Vec<&'static str> {
    Level::ALL
        .iter()
        .filter(|level| !level.lacks(Mechanism::EligibleList))
        .map(|level| crate::knob::changes::word(level.as_str()))
        .collect()
}

/// A move as it is told. The moves of one guest at one instant are told as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Told {
    /// When.
    pub at_ns: u64,
    /// Which guest: its place among all.
    pub guest: u32,
    from: List,
    to: List,
    /// Why it left the first list.
    why: Why,
    /// Why it did not stay in one between.
    then: Option<Why>,
}

impl Told {
    fn of(one: &MoveSnapshot) -> Told {
        Told { at_ns: one.at_ns, guest: one.guest, from: one.from, to: one.to, why: one.why, then: None }
    }

    /// Puts the move before this one in front of it, if both are of one guest at one instant.
    fn joins(&mut self, before: &MoveSnapshot) -> bool {
        let one = (self.at_ns, self.guest, self.from) == (before.at_ns, before.guest, before.to);
        if one {
            self.then = self.then.or(Some(self.why));
            (self.from, self.why) = (before.from, before.why);
        }
        one
    }
}

/// A move where there is little room: `LINUX-7, E3 → Q3: fits under the barriers`.
pub fn moved_shortly(one: &Told, snapshot: &Snapshot) -> String {
    let guest = usize::try_from(one.guest).ok().and_then(|guest| snapshot.guests.get(guest));
    let name = guest.map_or("a guest", |guest| &guest.name);
    format!("{name}, {} → {}: {}", one.from.as_str(), one.to.as_str(), reason(one.why, snapshot))
}

/// Why a guest moved, in words of its level.
fn reason(why: Why, snapshot: &Snapshot) -> &'static str {
    match why {
        Why::Fits if !snapshot.scheduler.keeps_eligible => "this level keeps no guest waiting",
        why => why.as_str(),
    }
}

/// A move in words, with so many decimals of the second: `LINUX-7 moved from E3 to Q3: fits under the barriers (12.3 s)`.
pub fn moved(one: &Told, snapshot: &Snapshot, decimals: usize) -> String {
    let guest = usize::try_from(one.guest).ok().and_then(|guest| snapshot.guests.get(guest));
    let name = guest.map_or("A guest", |guest| &guest.name);
    let why = |why: Why| reason(why, snapshot);
    let at = format!("{}{NO_BREAK}s", fixed(one.at_ns as f64 / 1e9, decimals));
    let (from, to, first) = (one.from.as_str(), one.to.as_str(), why(one.why));
    match one.then {
        Some(_) if one.from == one.to => format!("{name} is back in {to}: {first} ({at})"),
        // That it fits needs no words: it passed through the eligible list in no time.
        Some(then) if then != Why::Fits => format!("{name} moved from {from} to {to}: {first}; {} ({at})", why(then)),
        _ => format!("{name} moved from {from} to {to}: {first} ({at})"),
    }
}

/// The last moves, newest first, at most `most`, of one guest or of all. A snapshot holds only the last few; earlier samples
/// go further back.
pub fn moves(history: &[Rc<Sample>], newest: &Snapshot, guest: Option<usize>, most: usize) -> Vec<Told> {
    let snapshots = std::iter::once(newest).chain(history.iter().rev().map(|sample| &sample.snapshot));
    let mut found: Vec<Told> = Vec::new();
    // The moves from this number on are known.
    let mut known_from = u64::MAX;
    for scheduler in snapshots.map(|snapshot| &snapshot.scheduler) {
        let first = scheduler.moves_total.saturating_sub(scheduler.moves.len() as u64);
        let numbered = scheduler.moves.iter().enumerate().rev();
        for (_, one) in numbered.filter(|(number, _)| first + (*number as u64) < known_from) {
            if guest.is_some_and(|guest| usize::try_from(one.guest) != Ok(guest)) {
                continue;
            }
            let of_now = found.iter_mut().rev().take_while(|told| told.at_ns == one.at_ns);
            if of_now.into_iter().any(|told| told.joins(one)) {
                continue;
            }
            // The rest of the last move's instant may still belong to a move that was found.
            match found.last() {
                Some(last) if found.len() == most && last.at_ns != one.at_ns => return found,
                _ if found.len() == most => {}
                _ => found.push(Told::of(one)),
            }
        }
        known_from = known_from.min(first);
    }
    found
}

#[cfg(test)]
pub(crate) mod tests {
    use zvmlab::snapshot::List;

    use super::*;

    /// A host of which one guest runs and one waits.
    pub fn snapshot() -> Snapshot {
        let guest = |name: &str, list: List| GuestSnapshot { name: name.into(), list, ..GuestSnapshot::default() };
        let mut waiting = guest("LINUX-1", List::E3);
        (waiting.working_set_pages, waiting.barrier, waiting.list_since_ns) = (207 * 256, Some(2), 8_000_000_000);
        waiting.state = GuestState::Eligible;
        let mut running = guest("LINUX-0", List::Q3);
        running.state = GuestState::Running;
        let mut snapshot = Snapshot { now_ns: 12_300_000_000, guests: vec![running, waiting], ..Snapshot::default() };
        snapshot.scheduler = SchedulerSnapshot {
            keeps_eligible: true,
            pageable_frames: 3_974 * 256,
            barriers: [4_967 * 256, 4_172 * 256, 3_776 * 256],
            claimed: [3_700 * 256; 3],
            ..SchedulerSnapshot::default()
        };
        snapshot
    }

    fn plain(text: &str) -> String {
        text.replace(NO_BREAK, " ")
    }

    #[test]
    fn a_guest_that_waits_says_why_with_numbers() {
        let snapshot = snapshot();
        let said = plain(&why(&snapshot.guests[1], &snapshot.scheduler));
        let wanted =
            "waits in E3: working set 207 MB, but Q3 already claims 3,700 MB of 3,776 MB (95 % of 3,974 MB pageable).";
        assert_eq!(said, wanted);
        assert_eq!(why(&snapshot.guests[0], &snapshot.scheduler), "is in Q3 and runs.");
        let who = plain(&who_waits(&snapshot, Some(1.25)));
        let begins =
            "At 12.3 s 1 guest waits in the eligible list. On average 1.25 did. LINUX-1, there for 4.3 s, waits in E3: ";
        assert!(who.starts_with(begins), "{who}");
    }

    #[test]
    fn a_level_that_keeps_nobody_says_so_and_which_do() {
        let said = who_waits(&Snapshot::default(), None);
        assert!(said.starts_with("This level keeps no guest") && said.contains("6.2"), "{said}");
        assert!(!said.contains("6.4"), "{said}");
    }

    #[test]
    fn moves_are_gathered_once_each_and_the_newest_comes_first() {
        let one = |at_ns: u64, guest: u32| MoveSnapshot { at_ns, guest, from: List::E3, to: List::Q3, why: Why::Fits };
        let of = |total: u64, moves: Vec<MoveSnapshot>| {
            let mut snapshot = snapshot();
            (snapshot.scheduler.moves_total, snapshot.scheduler.moves) = (total, moves);
            snapshot
        };
        let sample = |snapshot: Snapshot| {
            let measurement = zvmlab::Measurement::between(&Snapshot::default(), &snapshot);
            Rc::new(Sample { measurement, snapshot })
        };
        let newest = of(5, vec![one(3, 1), one(4, 0), one(5, 1)]);
        let history = [sample(of(3, vec![one(1, 1), one(2, 0), one(3, 1)])), sample(newest.clone())];
        let at = |guest, most| moves(&history, &newest, guest, most).iter().map(|one| one.at_ns).collect::<Vec<_>>();
        assert_eq!(at(None, 99), [5, 4, 3, 2, 1]);
        assert_eq!(at(Some(1), 99), [5, 3, 1]);
        assert_eq!(at(None, 2), [5, 4]);
        let said = plain(&moved(&Told::of(&one(12_300_000_000, 1)), &newest, 1));
        assert_eq!(said, "LINUX-1 moved from E3 to Q3: fits under the barriers (12.3 s)");
        assert!(moved(&Told::of(&one(0, 9)), &newest, 1).starts_with("A guest"));
    }

    #[test]
    fn moves_of_one_instant_are_told_as_one() {
        let one = |guest: u32, from: List, to: List, why: Why| MoveSnapshot { at_ns: 2_000_000_000, guest, from, to, why };
        let mut snapshot = snapshot();
        snapshot.scheduler.moves = vec![
            one(0, List::Q3, List::E3, Why::SliceOver),
            one(1, List::Dormant, List::E1, Why::Wakes),
            one(0, List::E3, List::Q3, Why::Fits),
            one(1, List::E1, List::Q1, Why::Fits),
        ];
        snapshot.scheduler.moves_total = 4;
        let said = |most| {
            let told = moves(&[], &snapshot, None, most);
            told.iter().map(|told| plain(&moved(told, &snapshot, 1))).collect::<Vec<_>>()
        };
        let wanted =
            ["LINUX-1 moved from dormant to Q1: wants to run (2.0 s)", "LINUX-0 is back in Q3: elapsed slice over (2.0 s)"];
        assert_eq!(said(9), wanted);
        assert_eq!(said(1), wanted[..1]);
    }

    #[test]
    fn who_all_fits_is_told_what_would_make_guests_wait() {
        let mut snapshot = snapshot();
        snapshot.guests.truncate(1);
        assert!(who_waits(&snapshot, None).ends_with("With 40 35 30 they would not all fit. Try it."));
        snapshot.scheduler.claimed = [5_000 * 256; 3];
        assert!(who_waits(&snapshot, None).ends_with("With 125 105 95 they would not all fit. Try it."));
        snapshot.scheduler.claimed = [256; 3];
        assert!(who_waits(&snapshot, None).ends_with("change nothing."));
    }

    #[test]
    fn the_sentence_counts_whom_the_lanes_show() {
        let mut snapshot = snapshot();
        snapshot.guests[0].list = List::E3;
        let who = plain(&who_waits(&snapshot, None));
        assert!(who.contains(" s 2 guests wait in the eligible list. LINUX-1, there for"), "{who}");
    }
}
