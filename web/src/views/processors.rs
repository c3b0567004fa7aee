//! The processors: guests' own time and CP's, spinning, suspension and idleness; ready work, and work that is forgotten.

use zvmlab::{Figure, Snapshot};

use super::compared::{
    BEFORE, NO_RESULT, NOW, Window, chart, columns, current, curve, does_io, figures, levels, newest, now_name, over_time,
    pages, pinned, rows, sources, window, window_of,
};
use crate::chart::number::{percent, short, with_unit};
use crate::chart::{Chart, Grid, Key, Plot, Quantity, Row};
use crate::session::ViewProps;

/// The kinds of processor time, in the order of the published tables.
const KINDS: [(Figure, &str, usize); 3] = [
    (Figure::GuestBusy, "guest", 0),
    (Figure::ChargeableCpBusy, "chargeable CP", 1),
    (Figure::NonchargeableCpBusy, "nonchargeable CP", 4),
];

/// What the time of logical processors is made of: name, look and counter.
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
pub fn charts(props: &ViewProps) -> Vec<Chart> {
    let mut charts = vec![split(props), over(props)];
    charts.extend(newest(props).map(|_| spent(props)));
    charts.extend(newest(props).filter(|snapshot| !snapshot.processors.logical.is_empty()).map(|_| each(props)));
    charts.extend(newest(props).map(|_| ready(props)));
    charts.extend(forgot(props).then(|| forgotten(props)));
    charts
}

fn split(props: &ViewProps) -> Chart {
    let rows = rows(props, &KINDS.map(|kind| kind.0));
    let plot = if rows.is_empty() {
        Plot::Nothing(NO_RESULT.into())
    } else {
        let keys = KINDS.iter().map(|(_, name, look)| Key::new(name, *look)).collect();
        let value = Quantity::new("Busy", "% of a processor");
        Plot::Stack(Grid { row_name: "Result".into(), value, keys, rows, levels: Vec::new(), at_least: 0.0 })
    };
    let mut chart = chart(props, "busy", "What the processors do", split_summary(props), plot);
    chart.sources = sources(current(props).into_iter(), Figure::TotalBusy);
    chart
}

fn split_summary(props: &ViewProps) -> String {
    let total = figures(props).and_then(|now| now.get(Figure::TotalBusy));
    match (total, newest(props)) {
        (Some(total), Some(newest)) => {
            let capacity = f64::from(newest.processors.count) * 100.0;
            let what = match (pages(props), does_io(props)) {
                // They have nothing else to wait for: who is behind the lock pages no more.
                _ if newest.locks.vary_waiting > 0 => Some("the lock of VARY PROCESSOR"),
                (true, true) => Some("pages and I/O"),
                (false, true) => Some("I/O"),
                (true, false) => Some("pages"),
                (false, false) => None,
            };
            let so = what.filter(|_| total < capacity / 2.0);
            let so = so.map_or(String::new(), |what| format!(": the guests wait for {what}, not for processors"));
            format!("{} of one processor is used, of {} that there are{so}.", percent(total), percent(capacity))
        }
        _ => "Guests' own instructions, CP time charged to a guest, and CP time charged to none.".into(),
    }
}

fn over(props: &ViewProps) -> Chart {
    let series = KINDS.iter().map(|&(figure, name, look)| curve(props, name, look, |sample| sample.measurement.get(figure)));
    let plot = over_time(Quantity::new("Busy", "% of a processor"), series.collect(), Vec::new());
    // Where guests do I/O of their own, CP's time is not all for pages.
    let figure = if does_io(props) { Figure::MdiskCpTime } else { Figure::CpTimePerPage };
    let what = if does_io(props) { "minidisk I/O" } else { "page that it reads or writes" };
    let summary = match figures(props).and_then(|now| now.get(figure)) {
        Some(each) => format!("CP spends {} on each {what}.", with_unit(each, "µs")),
        None => "Processor time of the three kinds as the run goes on.".into(),
    };
    chart(props, "busy-over-time", "Processor time as the run goes on", summary, plot)
}

/// What all logical processors did with their time, idle and suspended among it.
fn spent(props: &ViewProps) -> Chart {
    let windows = window(props).map(|window| (now_name(props), window)).into_iter();
    let windows: Vec<(&str, Window)> = windows.chain(pinned(props).map(|before| (BEFORE, window_of(before)))).collect();
    // Of what was counted: time is counted when work ends, so a little of another interval may be in it.
    let part = |window: &Window, counter: fn(&Snapshot) -> u64| {
        let all: f64 = PARTS.iter().map(|(_, _, counter)| window.growth(counter)).sum();
        window.growth(counter) / all.max(1.0) * 100.0
    };
    // What nobody did would only lengthen the legend.
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
    chart(props, "processor-time", "What the logical processors' time goes to", summary, Plot::Stack(grid))
}

/// How busy each logical processor was.
fn each(props: &ViewProps) -> Chart {
    let measure = |window: Window| {
        let busy = |index: usize| {
            window.growth(|snapshot| snapshot.processors.logical.get(index).map_or(0, |logical| logical.busy_ns))
        };
        let logical = 0..window.to.processors.logical.len();
        logical.map(|index| busy(index) / window.elapsed_ns() * 100.0).collect::<Vec<f64>>()
    };
    let value = Quantity::new("Busy", "%");
    let count = newest(props).map_or(0, |snapshot| snapshot.processors.logical.len());
    let names: Vec<String> = (0..count).map(|index| index.to_string()).collect();
    let plot = match columns(props, "Logical processor", value, Vec::new(), &names, &measure) {
        Some(grid) => Plot::Columns(Grid { at_least: 100.0, ..grid }),
        None => Plot::Nothing(NO_RESULT.into()),
    };
    let summary = match window(props).map(measure).filter(|busy| !busy.is_empty()) {
        Some(busy) => format!(
            "Of {} logical processors the busiest was busy {} of the time, the least busy {}.",
            busy.len(),
            percent(busy.iter().copied().fold(0.0, f64::max)),
            percent(busy.iter().copied().fold(f64::INFINITY, f64::min))
        ),
        None => "Guest and CP time of each logical processor.".into(),
    };
    chart(props, "logical-busy", "Logical processors one by one", summary, plot)
}

/// Ready virtual CPUs, and those that no vector has room for.
fn ready(props: &ViewProps) -> Chart {
    let ready = curve(props, "ready", 0, |sample| Some(sample.snapshot.processors.ready.into()));
    let beyond = curve(props, "in no vector", 1, |sample| Some(sample.snapshot.processors.beyond_vectors.into()));
    let plot = over_time(Quantity::new("Virtual CPUs", ""), vec![ready, beyond], Vec::new());
    let summary = match newest(props).map(|snapshot| &snapshot.processors) {
        Some(now) if now.ready > 0 => format!(
            "{} virtual CPUs are ready and wait for a processor; {} of them stand in the dispatch list only, in no processor's vector (PLDV).",
            now.ready, now.beyond_vectors
        ),
        Some(_) => "At the last instant no virtual CPU waits for a processor.".into(),
        None => {
            "Ready virtual CPUs wait in the vectors (PLDV) of the processors, or in the dispatch list beyond them.".into()
        }
    };
    chart(props, "ready", "Ready virtual CPUs", summary, plot)
}

/// Whether ready work ever waited while a processor had nothing to do.
fn forgot(props: &ViewProps) -> bool {
    let is_some =
        |measurement: &zvmlab::Measurement| measurement.get(Figure::ForgottenWork).is_some_and(|work| work > 0.0005);
    figures(props).is_some_and(is_some) || pinned(props).is_some_and(|before| is_some(&before.measurement))
}

fn forgotten(props: &ViewProps) -> Chart {
    let line = curve(props, now_name(props), NOW, |sample| sample.measurement.get(Figure::ForgottenWork));
    let plot = over_time(Quantity::new("Virtual CPUs", ""), vec![line], levels(props, Figure::ForgottenWork));
    let summary = match figures(props).and_then(|now| now.get(Figure::ForgottenWork)) {
        Some(work) => format!(
            "On average {} ready virtual CPUs waited while a processor had nothing to do: without VM64887 a reshuffle does not note that vectors overflowed, so nobody looks into the dispatch list.",
            short(work)
        ),
        None => "Ready virtual CPUs that wait though a processor has nothing to do.".into(),
    };
    chart(props, "forgotten", "Forgotten work", summary, plot)
}
