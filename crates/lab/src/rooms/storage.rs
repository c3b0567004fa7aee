//! Central storage: where its frames are, where each guest's pages are, and the state of the available list.

use std::rc::Rc;

use zvmlab::Figure;
use zvmlab::Snapshot;
use zvmlab::snapshot::{ExpandedSnapshot, GuestSnapshot, SidesSnapshot, StorageSnapshot};

use super::compared::{NO_RESULT, chart, curve, figures, newest, over_time};
use super::guests::{MOST_ROWS, bundled};
use crate::chart::{Block, Chart, FrameMap, Grid, Key, Level, Plot, Point, Quantity, Row, Series};
use crate::evidence::{Evidence, Sample};
use crate::words::unit::{percent, storage};
use crate::words::{aging, number};

/// Pages in a gigabyte.
const PAGES_PER_GB: f64 = 262_144.0;

/// The look of pages on the age list, or that demand scan has taken.
const AGING_LOOK: usize = 4;

/// Where a guest's page can be, with its look.
const PLACES: [(&str, usize); 6] = [
    ("valid", 0),
    ("age list", AGING_LOOK),
    ("being read", 1),
    ("in expanded storage", 3),
    ("on DASD", 5),
    ("never touched", 6),
];

/// The place of those that only a host with expanded storage has.
const EXPANDED: usize = 3;

/// The charts of storage.
pub fn charts(evidence: &Evidence) -> Vec<Chart> {
    let charts = vec![map(evidence), guests(evidence), available(evidence), management(evidence)];
    sides(evidence)
        .into_iter()
        .chain(contiguous(evidence))
        .chain(expanded(evidence))
        .chain(passes(evidence))
        .chain(charts)
        .collect()
}

/// What goes to expanded storage and from there, where the host has any.
fn expanded(evidence: &Evidence) -> Option<Chart> {
    let now = newest(evidence)?.storage.expanded.as_ref().filter(|expanded| expanded.pages > 0)?;
    let counters: [Work; 3] = [
        ("moved out of frames", 4, |storage| of_expanded(storage, |one| one.moved_out)),
        ("moved back", 0, |storage| of_expanded(storage, |one| one.moved_in)),
        ("migrated to page space", 1, |storage| of_expanded(storage, |one| one.migrated)),
    ];
    let series = counters.map(|(name, look, counter)| Series {
        key: Key::new(name, look),
        joined: true,
        points: rates(evidence, counter),
    });
    let plot = over_time(Quantity::new("Pages", "pages/s"), series.into(), Vec::new());
    let used = format!("{} of {} are in use.", storage(now.used as f64), storage(now.pages as f64));
    let summary = match figures(evidence).and_then(|figures| figures.get(Figure::ExpandedHits)) {
        Some(hits) => {
            format!("{used} Of the pages that guests wanted back, {} came from here: no I/O, no wait.", percent(hits))
        }
        None => used,
    };
    Some(chart(evidence, "expanded", "Expanded storage", summary, plot))
}

fn of_expanded(storage: &StorageSnapshot, counter: fn(&ExpandedSnapshot) -> u64) -> u64 {
    storage.expanded.as_ref().map_or(0, counter)
}

/// What each pass of demand scan takes, on levels before 6.3, once it has taken anything.
fn passes(evidence: &Evidence) -> Option<Chart> {
    newest(evidence)?.storage.passes.filter(|passes| passes.taken.iter().sum::<u64>() > 0)?;
    fn taken<const PASS: usize>(storage: &StorageSnapshot) -> u64 {
        storage.passes.map_or(0, |passes| passes.taken[PASS])
    }
    let counters: [Work; 3] = [
        ("pass 1: outside the dispatch list", 2, taken::<0>),
        ("pass 2: beyond working sets", 4, taken::<1>),
        ("pass 3: all guests", 1, taken::<2>),
    ];
    let series = counters.map(|(name, look, counter)| Series {
        key: Key::new(name, look),
        joined: true,
        points: rates(evidence, counter),
    });
    let plot = match over_time(Quantity::new("Pages taken", "pages/s"), series.into(), Vec::new()) {
        Plot::Lines(lines) => Plot::Areas(lines),
        other => other,
    };
    let summary = match figures(evidence).map(|now| PASSES.map(|figure| now.get(figure).unwrap_or(0.0))) {
        Some(taken) if taken.iter().sum::<f64>() > 0.0 => {
            let share = |pass: usize| percent(taken[pass] / taken.iter().sum::<f64>() * 100.0);
            format!(
                "Pass 1 took {} of the pages, pass 2 {}, and pass 3, which heeds neither working sets nor SET RESERVED, {}.",
                share(0),
                share(1),
                share(2)
            )
        }
        _ => "Pass 3 comes when the first two find too little. It heeds neither working sets nor SET RESERVED.".into(),
    };
    Some(chart(evidence, "passes", "The three passes of demand scan", summary, plot))
}

const PASSES: [Figure; 3] = [Figure::ScanPass1, Figure::ScanPass2, Figure::ScanPass3];

fn map(evidence: &Evidence) -> Chart {
    let (plot, summary) = match newest(evidence) {
        Some(snapshot) => (Plot::Map(frame_map(snapshot)), map_summary(snapshot)),
        None => (Plot::Nothing(NO_RESULT.into()), "Every frame of central storage by owner and state.".into()),
    };
    chart(evidence, "frames", "Where the frames are", summary, plot)
}

/// Free blocks of contiguous frames, and requests for them that fail, where CP asks for some.
fn contiguous(evidence: &Evidence) -> Option<Chart> {
    let now = newest(evidence)?.storage.contiguous.as_ref()?;
    let blocks = curve(evidence, "free blocks", 0, |sample| sample.measurement.get(Figure::ContiguousBlocks));
    let plot = over_time(Quantity::new("Free blocks", ""), vec![blocks], Vec::new());
    let there = format!(
        "At the end {} blocks of {} frames are free, and {} frames that are in none. The longest run is {} frames.",
        now.blocks, now.frames, now.singles, now.longest_run
    );
    let failed = figures(evidence).and_then(|figures| figures.get(Figure::ContiguousFailed));
    let failed = failed.map(|failed| format!(" {} of the requests for a block fail.", percent(failed))).unwrap_or_default();
    Some(chart(evidence, "contiguous", "Free blocks of contiguous frames", there + &failed, plot))
}

/// The two sides of 2 GB, where the host tells them apart.
fn sides(evidence: &Evidence) -> Option<Chart> {
    let snapshot = newest(evidence)?;
    let (frames, sides) = (&snapshot.storage, snapshot.storage.sides.as_ref()?);
    let [above, below] = by_side(frames, sides);
    let keys = [("CP", 7), ("guests’ pages", 0), ("available", 2), ("minidisk cache", 3)];
    let keys = &keys[..if frames.mdc_frames > 0 { 4 } else { 3 }];
    let row = |label: &str, counts: [u64; 4]| Row {
        label: label.into(),
        values: counts.iter().take(keys.len()).map(|count| Some(*count as f64 / PAGES_PER_GB)).collect(),
    };
    let plot = Plot::Stack(Grid {
        row_name: "Side of 2 GB".into(),
        value: Quantity::new("Central storage", "GB"),
        keys: keys.iter().map(|(name, look)| Key::new(name, *look)).collect(),
        rows: vec![row("above", above), row("below", below)],
        levels: Vec::new(),
        at_least: 0.0,
    });
    let summary = format!(
        "Above 2\u{a0}GB {} of {} are available, below {} of 2\u{a0}GB.",
        storage(above[2] as f64),
        storage(above.iter().sum::<u64>() as f64),
        storage(below[2] as f64)
    );
    Some(chart(evidence, "sides", "Below 2 GB and above", summary, plot))
}

fn map_summary(snapshot: &Snapshot) -> String {
    let frames = &snapshot.storage;
    let share = |count: u64| percent(count as f64 / frames.installed_frames.max(1) as f64 * 100.0);
    if frames.sides.is_some() {
        return format!(
            "Of {}, guests hold {}, and {} is available. On each side of 2\u{a0}GB frames stand by owner.",
            storage(frames.installed_frames as f64),
            share(frames.valid_frames + frames.age_list_frames + frames.reading_frames),
            share(frames.available_frames)
        );
    }
    format!(
        "Of {}, guests hold {} valid and {} {}. {} is available.",
        storage(frames.installed_frames as f64),
        share(frames.valid_frames),
        share(frames.age_list_frames),
        aging::on_it_explained(frames),
        share(frames.available_frames)
    )
}

/// Frames of CP, of guests, available ones and those of the minidisk cache: above 2 GB, and below.
fn by_side(frames: &StorageSnapshot, sides: &SidesSnapshot) -> [[u64; 4]; 2] {
    let below = [sides.cp_below, sides.resident_below, sides.available_below];
    let mdc_below = sides.frames_below - below.iter().sum::<u64>();
    let resident = frames.valid_frames + frames.age_list_frames + frames.reading_frames;
    let all = [frames.cp_frames, resident, frames.available_frames, frames.mdc_frames];
    let below = [below[0], below[1], below[2], mdc_below];
    [[0, 1, 2, 3].map(|at| all[at].saturating_sub(below[at])), below]
}

/// The frame map of a host that tells the sides of 2 GB apart: what is above, from the top, and then what is below. On each side frames
/// stand by owner, not by address.
fn map_by_side(snapshot: &Snapshot, sides: &SidesSnapshot) -> FrameMap {
    let frames = &snapshot.storage;
    let [above, below] = by_side(frames, sides);
    let states = [("CP", 7), ("available", 2), ("guests’ pages", 0), ("minidisk cache", 3)];
    let block = |owner: &str, state: usize, frames: u64| Block { owner: owner.into(), state, frames };
    let of_side = |[cp, resident, available, mdc]: [u64; 4], held: fn(&GuestSnapshot) -> u64| {
        let mut blocks = vec![block("CP", 0, cp), block("Available list", 1, available), block("Minidisk cache", 3, mdc)];
        // No more owners than the side has room for at the scale of the map.
        let share = (cp + resident + available + mdc) as f64 / frames.installed_frames as f64;
        let most = ((4 * MOST_ROWS) as f64 * share).max(1.0) as usize;
        blocks.extend(
            bundled(&snapshot.guests, most)
                .into_iter()
                .map(|(label, guests)| block(&label, 2, snapshot.guests[guests].iter().map(held).sum())),
        );
        blocks.retain(|block| block.frames > 0);
        blocks
    };
    let upper = of_side(above, |guest| {
        (guest.valid_pages + guest.age_list_pages + guest.reading_pages).saturating_sub(guest.below_pages)
    });
    let line = upper.len();
    let top = storage(frames.installed_frames as f64);
    FrameMap {
        states: states[..if frames.mdc_frames > 0 { 4 } else { 3 }]
            .iter()
            .map(|(name, look)| Key::new(name, *look))
            .collect(),
        blocks: upper.into_iter().chain(of_side(below, |guest| guest.below_pages)).collect(),
        stretches: vec![(0, format!("Above: 2\u{a0}GB to {top}")), (line, "Below: 0 to 2\u{a0}GB".into())],
    }
}

/// Central storage from the top: CP, the available list, then one guest after the other.
fn frame_map(snapshot: &Snapshot) -> FrameMap {
    let frames = &snapshot.storage;
    if let Some(sides) = &frames.sides {
        return map_by_side(snapshot, sides);
    }
    let aging = aging::name(frames);
    let states = [("CP", 7), ("available", 2), ("valid", 0), (aging, 4), ("being read", 1), ("minidisk cache", 3)];
    let block = |owner: &str, state: usize, frames: u64| Block { owner: owner.into(), state, frames };
    let mut blocks = vec![block("CP", 0, frames.cp_frames), block("Available list", 1, frames.available_frames)];
    blocks.push(block("Minidisk cache", 5, frames.mdc_frames));
    for (label, guests) in bundled(&snapshot.guests, 4 * MOST_ROWS) {
        let sum = |count: fn(&GuestSnapshot) -> u64| snapshot.guests[guests.clone()].iter().map(count).sum();
        blocks.push(block(&label, 2, sum(|guest| guest.valid_pages)));
        blocks.push(block(&label, 3, sum(|guest| guest.age_list_pages)));
        blocks.push(block(&label, 4, sum(|guest| guest.reading_pages)));
    }
    blocks.retain(|block| block.frames > 0);
    // A host without a minidisk cache has no such state.
    let states = &states[..if frames.mdc_frames > 0 { 6 } else { 5 }];
    FrameMap { states: states.iter().map(|(name, look)| Key::new(name, *look)).collect(), blocks, stretches: Vec::new() }
}

fn guests(evidence: &Evidence) -> Chart {
    let (plot, summary) = match newest(evidence).filter(|snapshot| !snapshot.guests.is_empty()) {
        Some(snapshot) => (Plot::Stack(guest_pages(snapshot)), guest_summary(snapshot)),
        None => (Plot::Nothing(NO_RESULT.into()), "Every page of every guest, and where it is.".into()),
    };
    chart(evidence, "guest-pages", "Where each guest's pages are", summary, plot)
}

fn places(guests: &[GuestSnapshot]) -> [f64; 6] {
    let sum = |count: fn(&GuestSnapshot) -> u64| guests.iter().map(count).sum::<u64>() as f64;
    let known = [
        sum(|guest| guest.valid_pages),
        sum(|guest| guest.age_list_pages),
        sum(|guest| guest.reading_pages),
        sum(|guest| guest.expanded_pages),
        sum(|guest| guest.dasd_pages),
    ];
    let never = (sum(|guest| guest.virtual_pages) - known.iter().sum::<f64>()).max(0.0);
    [known[0], known[1], known[2], known[3], known[4], never]
}

fn guest_pages(snapshot: &Snapshot) -> Grid {
    let shown = |at: &usize| *at != EXPANDED || snapshot.storage.expanded.is_some();
    let key = |at: usize| match PLACES[at] {
        (_, AGING_LOOK) => Key::new(aging::name(&snapshot.storage), AGING_LOOK),
        (name, look) => Key::new(name, look),
    };
    let rows: Vec<(String, [f64; 6])> = bundled(&snapshot.guests, MOST_ROWS)
        .into_iter()
        .map(|(label, guests)| (label, places(&snapshot.guests[guests])))
        .collect();
    let largest = rows.iter().map(|(_, pages)| pages.iter().sum()).fold(0.0, f64::max);
    let (unit, each) = if largest < PAGES_PER_GB { ("MB", PAGES_PER_GB / 1_024.0) } else { ("GB", PAGES_PER_GB) };
    let row = |(label, pages): (String, [f64; 6])| Row {
        label,
        values: (0..PLACES.len()).filter(shown).map(|at| Some(pages[at] / each)).collect(),
    };
    Grid {
        row_name: "Guest".into(),
        value: Quantity::new("Virtual storage", unit),
        keys: (0..PLACES.len()).filter(shown).map(key).collect(),
        rows: rows.into_iter().map(row).collect(),
        levels: Vec::new(),
        at_least: 0.0,
    }
}

fn guest_summary(snapshot: &Snapshot) -> String {
    let pages = places(&snapshot.guests);
    let touched: f64 = pages[..5].iter().sum();
    let (resident, on_dasd) = (storage(pages[0] + pages[1]), storage(pages[4]));
    let all = format!("The guests have touched {}.", storage(touched));
    match snapshot.storage.expanded.is_some() {
        true => format!(
            "{all} Of that, {resident} is resident, {} in expanded storage and {on_dasd} only on DASD.",
            storage(pages[EXPANDED])
        ),
        false => format!("{all} Of that, {resident} is resident and {on_dasd} is only on DASD."),
    }
}

fn available(evidence: &Evidence) -> Chart {
    let list = curve(evidence, "available", 0, |sample| Some(sample.snapshot.storage.available_frames as f64));
    let thresholds = newest(evidence).map(|snapshot| &snapshot.storage);
    let levels = thresholds.map_or(Vec::new(), |storage| {
        let level = |name: &str, value: u64, look: usize| Level { name: name.into(), value: value as f64, look };
        vec![level("low threshold", storage.available_low, 1), level("high threshold", storage.available_high, 7)]
    });
    let plot = over_time(Quantity::new("Available list", "frames"), vec![list], levels);
    let list = thresholds.map_or("", |storage| aging::on_it(storage));
    let from = if list.is_empty() { String::new() } else { format!(" with frames of pages {list}") };
    let summary =
        format!("Guests take frames from the list. Below the low threshold CP refills it{from}, up to the high threshold.");
    chart(evidence, "available", "The available list", summary, plot)
}

/// Counters of storage management: name, look and counter.
type Work = (&'static str, usize, fn(&StorageSnapshot) -> u64);

const WORK: [Work; 4] = [
    ("looked at by demand scan", 3, |storage| storage.looks_paid),
    ("put on the age list", AGING_LOOK, |storage| storage.pages_invalidated),
    ("revalidated", 2, |storage| storage.pages_revalidated),
    ("reclaimed", 1, |storage| storage.frames_reclaimed),
];

fn management(evidence: &Evidence) -> Chart {
    let taken = newest(evidence).map(|snapshot| aging::put_on_it(&snapshot.storage));
    let series = WORK.map(|(name, look, counter)| Series {
        key: Key::new(taken.filter(|_| look == AGING_LOOK).unwrap_or(name), look),
        joined: true,
        points: rates(evidence, counter),
    });
    let plot = over_time(Quantity::new("Pages", "pages/s"), series.into(), Vec::new());
    let summary = match figures(evidence).and_then(|now| now.get(Figure::HitPercent)) {
        Some(hits) if hits >= 100.0 => "All pages touched had stayed resident, so CP has nothing to do.".into(),
        Some(hits) => format!(
            "{} of the pages touched had stayed resident. CP read the others, block by block, into frames that it reclaims.{}",
            percent(hits.max(0.0)),
            scanned(evidence)
        ),
        None => {
            "Demand scan takes pages, which stay in their frames at first. A touch makes a page valid again; CP reclaims the others."
                .into()
        }
    };
    chart(evidence, "management", "What storage management does", summary, plot)
}

/// What demand scan does for a page that it takes, as a sentence.
fn scanned(evidence: &Evidence) -> String {
    let value = |figure| figures(evidence).and_then(|now| now.get(figure));
    let both = value(Figure::ScanLength).zip(value(Figure::ScanBusy));
    both.map_or_else(String::new, |(length, busy)| {
        format!(
            " Demand scan looks at {} frames for each page that it takes, with {} of a processor.",
            number::value(length),
            percent(busy)
        )
    })
}

/// How fast a counter grows from sample to sample.
fn rates(evidence: &Evidence, counter: fn(&StorageSnapshot) -> u64) -> Vec<Point> {
    let rate = |pair: &[Rc<Sample>]| {
        let (from, to) = (&pair[0].snapshot, &pair[1].snapshot);
        let seconds = to.now_ns.checked_sub(from.now_ns).filter(|&elapsed| elapsed > 0)? as f64 / 1e9;
        let grown = counter(&to.storage).saturating_sub(counter(&from.storage));
        Some(Point { x: to.now_ns as f64 / 1e9, y: grown as f64 / seconds, label: None })
    };
    evidence.history.windows(2).filter_map(rate).collect()
}

#[cfg(test)]
mod tests {
    use super::super::compared::tests::{evidence_of, settled_evidence};
    use super::*;

    #[test]
    fn the_map_holds_every_frame_once() {
        let evidence = settled_evidence();
        let snapshot = newest(&evidence).expect("a snapshot");
        let sum: u64 = frame_map(snapshot).blocks.iter().map(|block| block.frames).sum();
        assert_eq!(sum, snapshot.storage.installed_frames);
        let mut cached = crate::studies::study::tests::exerciser();
        cached.minidisks.mdc_mb = 64;
        let evidence = evidence_of(cached);
        let snapshot = newest(&evidence).expect("a snapshot");
        let map = frame_map(snapshot);
        assert_eq!(map.blocks.iter().map(|block| block.frames).sum::<u64>(), snapshot.storage.installed_frames);
        assert!(map.blocks.iter().any(|block| block.state == 5 && block.frames == 64 * 256));
    }

    #[test]
    fn both_sides_of_2_gb_hold_every_frame_once() {
        assert_eq!(sides(&settled_evidence()), None, "today's levels do not tell them apart");
        let mut host = crate::studies::studied::tests::short_example("BELOW-2GB", 3);
        host.minidisks.mdc_mb = 64;
        let evidence = evidence_of(host);
        let Some(Chart { plot: Plot::Stack(grid), summary, .. }) = sides(&evidence) else { panic!("two bars") };
        let sums: Vec<f64> = grid.rows.iter().map(|row| row.values.iter().flatten().sum()).collect();
        assert_eq!(sums, [4.0, 2.0], "6 GB");
        assert!(summary.starts_with("Above 2\u{a0}GB 1.") && summary.ends_with("of 2\u{a0}GB."), "{summary}");
    }

    #[test]
    fn passes_are_shown_where_they_are_made() {
        assert_eq!(passes(&settled_evidence()), None, "today's levels make none");
        let mut host = crate::studies::studied::tests::short_example("RESERVED", 3);
        let shown = passes(&evidence_of(host.clone())).expect("a chart");
        let Plot::Areas(plot) = &shown.plot else { panic!("areas") };
        assert_eq!(plot.series.len(), 3);
        assert!(shown.summary.starts_with("Pass 1 took ") && shown.summary.contains("and pass 3"), "{}", shown.summary);
        host.storage.central_mb = 4_096;
        assert_eq!(passes(&evidence_of(host)), None, "nothing is taken");
    }

    #[test]
    fn the_bars_hold_every_page_once() {
        let large = evidence_of(crate::studies::studied::tests::short_example("BELOW-2GB", 3));
        for (evidence, unit, each) in [(settled_evidence(), "MB", 256.0), (large, "GB", PAGES_PER_GB)] {
            let snapshot = newest(&evidence).expect("a snapshot");
            let grid = guest_pages(snapshot);
            assert_eq!((grid.value.unit.as_str(), grid.rows.len()), (unit, snapshot.guests.len()));
            for (row, guest) in grid.rows.iter().zip(&snapshot.guests) {
                let sum: f64 = row.values.iter().flatten().sum();
                assert!((sum * each - guest.virtual_pages as f64).abs() < 0.5, "{}", row.label);
            }
        }
    }
}
