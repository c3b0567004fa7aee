//! The processors: guests' own time and CP's, spinning, suspension and idle time; ready work, and work that is forgotten.

use zvmlab::{Figure, Snapshot};

use super::compared::{
    BEFORE, NO_RESULT, NOW, Window, chart, columns, current, curve, does_io, figures, levels, newest, now_name, over_time,
    pages, pinned, rows, sources, window, window_of,
};
use crate::chart::{Chart, Grid, Key, Plot, Quantity, Row};
use crate::evidence::Evidence;
use crate::words::number::short;
use crate::words::unit::{percent, with_unit};

/// The kinds of processor time, in the order of the published tables.
const KINDS: [(Figure, &str, usize); 3] = [
    (Figure::GuestBusy, "guest", 0),
    (Figure::ChargeableCpBusy, "chargeable CP", 1),
    (Figure::NonchargeableCpBusy, "nonchargeable CP", 4),
];

/// The parts of the logical processors' time: name, look and counter.
type Part = (&'static str, usize, fn(&Snapshot) -> u64);

const PARTS: [Part; 5] = [
    ("guest", 0, |s| s.processors.guest_ns),
    ("CP", 1, |s| {
        let cp = s.processors.chargeable_cp_ns + s.processors.nonchargeable_cp_ns;
        cp.saturating_sub(s.locks.cp_spin_ns)
    }),
    ("spinning for a lock of CP", 3, |s| s.locks.cp_spin_ns),
    ("suspended", 4, |s| s.processors.suspended_ns),
    ("idle", 6, |s| s.processors.idle_ns),
];

/// The charts of the processors.
pub fn charts(evidence: &Evidence) -> Vec<Chart> {
    let mut charts = vec![split(evidence), over(evidence)];
    charts.extend(newest(evidence).map(|_| spent(evidence)));
    charts.extend(newest(evidence).filter(|snapshot| !snapshot.processors.logical.is_empty()).map(|_| each(evidence)));
    charts.extend(newest(evidence).map(|_| ready(evidence)));
    charts.extend(forgot(evidence).then(|| forgotten(evidence)));
    charts
}

fn split(evidence: &Evidence) -> Chart {
    let rows = rows(evidence, &KINDS.map(|kind| kind.0));
    let plot = if rows.is_empty() {
        Plot::Nothing(NO_RESULT.into())
    } else {
        let keys = KINDS.iter().map(|(_, name, look)| Key::new(name, *look)).collect();
        let value = Quantity::new("Busy", "% of a processor");
        Plot::Stack(Grid { row_name: "Result".into(), value, keys, rows, levels: Vec::new(), at_least: 0.0 })
    };
    let mut chart = chart(evidence, "busy", "What the processors do", split_summary(evidence), plot);
    chart.sources = sources(current(evidence).into_iter(), Figure::TotalBusy);
    chart
}

fn split_summary(evidence: &Evidence) -> String {
    let total = figures(evidence).and_then(|now| now.get(Figure::TotalBusy));
    match (total, newest(evidence)) {
        (Some(total), Some(newest)) => {
            let capacity = f64::from(newest.processors.count) * 100.0;
            let what = match (pages(evidence), does_io(evidence)) {
                // They have nothing else to wait for: a guest behind the lock does not page.
                _ if newest.locks.vary_waiting > 0 => Some("the lock of VARY PROCESSOR"),
                (true, true) => Some("pages and I/O"),
                (false, true) => Some("I/O"),
                (true, false) => Some("pages"),
                (false, false) => None,
            };
            let so = what.filter(|_| total < capacity / 2.0);
            let so = so.map_or(String::new(), |what| format!(": the guests wait for {what}, not for processors"));
            format!("{} of one processor is used, of {} that the partition has{so}.", percent(total), percent(capacity))
        }
        _ => "Guests' own instructions, CP time charged to a guest, and CP time charged to none.".into(),
    }
}

fn over(evidence: &Evidence) -> Chart {
    let series =
        KINDS.iter().map(|&(figure, name, look)| curve(evidence, name, look, |sample| sample.measurement.get(figure)));
    let plot = over_time(Quantity::new("Busy", "% of a processor"), series.collect(), Vec::new());
    // If guests do I/O of their own, CP's time is not all for pages.
    let figure = if does_io(evidence) { Figure::MdiskCpTime } else { Figure::CpTimePerPage };
    let what = if does_io(evidence) { "minidisk I/O" } else { "page that it reads or writes" };
    let summary = match figures(evidence).and_then(|now| now.get(figure)) {
        Some(each) => format!("CP spends {} on each {what}.", with_unit(each, "µs")),
        None => "Processor time of the three kinds as the run goes on.".into(),
    };
    chart(evidence, "busy-over-time", "Processor time as the run goes on", summary, plot)
}

/// What all logical processors did with their time, including idle and suspended time.
fn spent(evidence: &Evidence) -> Chart {
    let windows = window(evidence).map(|window| (now_name(evidence), window)).into_iter();
    let windows: Vec<(&str, Window)> = windows.chain(pinned(evidence).map(|before| (BEFORE, window_of(before)))).collect();
    // In percent of what was counted. Time is counted when work ends, so some of it may belong to another interval.
    let part = |window: &Window, counter: fn(&Snapshot) -> u64| {
        let all: f64 = PARTS.iter().map(|(_, _, counter)| window.growth(counter)).sum();
        window.growth(counter) / all.max(1.0) * 100.0
    };
    // A state in which no processor was would only lengthen the legend.
    let did = |kind: &Part| windows.iter().any(|(_, window)| part(window, kind.2) > 0.0);
    let parts: Vec<Part> = PARTS.into_iter().filter(did).collect();
    let row = |(label, window): &(&str, Window)| Row {
        label: (*label).into(),
        values: parts.iter().map(|(_, _, counter)| Some(part(window, *counter))).collect(),
    };
    let grid = Grid {
        row_name: "Result".into(),
        value: Quantity::new("Time of the logical processors", "%"),
        keys: parts.iter().map(|(name, look, _)| Key::new(name, *look)).collect(),
        rows: windows.iter().map(row).collect(),
        levels: Vec::new(),
        at_least: 100.0,
    };
    let told = windows.first().map(|(_, window)| {
        let one = |(name, _, counter): &Part| format!("{name} {}", percent(part(window, *counter)));
        parts.iter().map(one).collect::<Vec<_>>().join(", ")
    });
    let summary = format!("Of the logical processors' time: {}.", told.unwrap_or_default());
    chart(evidence, "processor-time", "What the logical processors' time goes to", summary, Plot::Stack(grid))
}

/// How busy each logical processor was.
fn each(evidence: &Evidence) -> Chart {
    let measure = |window: Window| {
        let busy = |index: usize| {
            window.growth(|snapshot| snapshot.processors.logical.get(index).map_or(0, |logical| logical.busy_ns))
        };
        let logical = 0..window.to.processors.logical.len();
        logical.map(|index| busy(index) / window.elapsed_ns() * 100.0).collect::<Vec<f64>>()
    };
    let value = Quantity::new("Busy", "%");
    let count = newest(evidence).map_or(0, |snapshot| snapshot.processors.logical.len());
    let names: Vec<String> = (0..count).map(|index| index.to_string()).collect();
    let plot = match columns(evidence, "Logical processor", value, Vec::new(), &names, &measure) {
        Some(grid) => Plot::Columns(Grid { at_least: 100.0, ..grid }),
        None => Plot::Nothing(NO_RESULT.into()),
    };
    let summary = match window(evidence).map(measure).filter(|busy| !busy.is_empty()) {
        Some(busy) => format!(
            "Of {} logical processors the busiest was busy {} of the time, the least busy {}.",
            busy.len(),
            percent(busy.iter().copied().fold(0.0, f64::max)),
            percent(busy.iter().copied().fold(f64::INFINITY, f64::min))
        ),
        None => "Guest and CP time of each logical processor.".into(),
    };
    chart(evidence, "logical-busy", "Logical processors one by one", summary, plot)
}

/// Ready virtual CPUs, and those for which no vector has room.
fn ready(evidence: &Evidence) -> Chart {
    let ready = curve(evidence, "ready", 0, |sample| Some(sample.snapshot.processors.ready.into()));
    let beyond = curve(evidence, "in no vector", 1, |sample| Some(sample.snapshot.processors.beyond_vectors.into()));
    let plot = over_time(Quantity::new("Virtual CPUs", ""), vec![ready, beyond], Vec::new());
    let summary = match newest(evidence).map(|snapshot| &snapshot.processors) {
        Some(now) if now.ready > 0 => format!(
            "Virtual CPUs that are ready and wait for a processor: {}. Only in the dispatch list, in no processor's vector (PLDV): {}.",
            now.ready, now.beyond_vectors
        ),
        Some(_) => "At the last instant no virtual CPU waits for a processor.".into(),
        None => {
            "Ready virtual CPUs wait in the processors' vectors (PLDV), or only in the dispatch list if the vectors are full.".into()
        }
    };
    chart(evidence, "ready", "Ready virtual CPUs", summary, plot)
}

/// Whether ready work ever waited while a processor had nothing to do.
fn forgot(evidence: &Evidence) -> bool {
    let is_some =
        |measurement: &zvmlab::Measurement| measurement.get(Figure::ForgottenWork).is_some_and(|work| work > 0.0005);
    figures(evidence).is_some_and(is_some) || pinned(evidence).is_some_and(|before| is_some(&before.measurement))
}

fn forgotten(evidence: &Evidence) -> Chart {
    let line = curve(evidence, now_name(evidence), NOW, |sample| sample.measurement.get(Figure::ForgottenWork));
    let plot = over_time(Quantity::new("Virtual CPUs", ""), vec![line], levels(evidence, Figure::ForgottenWork));
    let summary = match figures(evidence).and_then(|now| now.get(Figure::ForgottenWork)) {
        Some(work) => format!(
            "On average {} ready virtual CPUs waited while a processor had nothing to do. Without VM64887 a reshuffle does not note that vectors overflowed, so no processor looks in the dispatch list.",
            short(work)
        ),
        None => "Ready virtual CPUs that wait while a processor has nothing to do.".into(),
    };
    chart(evidence, "forgotten", "Forgotten work", summary, plot)
}
