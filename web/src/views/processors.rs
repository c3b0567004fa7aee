//! The processors: guests' own time and CP's, and where guests spend theirs.

use zvmlab::Figure;
use zvmlab::snapshot::GuestSnapshot;

use super::compared::{
    NO_RESULT, Window, chart, current, curve, does_io, figures, newest, over_time, pages, rows, sources, window,
};
use super::guests::{MOST_ROWS, bundled};
use crate::chart::number::{percent, with_unit};
use crate::chart::{Chart, Grid, Key, Plot, Quantity, Row};
use crate::session::ViewProps;

/// The kinds of processor time, in the order of the published tables.
const KINDS: [(Figure, &str, usize); 3] = [
    (Figure::GuestBusy, "guest", 0),
    (Figure::ChargeableCpBusy, "chargeable CP", 1),
    (Figure::NonchargeableCpBusy, "nonchargeable CP", 4),
];

/// What a guest does with its time, with its counter and look.
type Spent = (&'static str, usize, fn(&GuestSnapshot) -> u64);

const STATES: [Spent; 6] = [
    ("running", 2, |guest| guest.running_ns),
    ("ready", 4, |guest| guest.ready_ns),
    ("page wait", 0, |guest| guest.page_wait_ns),
    ("frame wait", 1, |guest| guest.frame_wait_ns),
    ("I/O wait", 3, |guest| guest.io_wait_ns),
    ("idle", 6, |guest| guest.idle_ns),
];

/// The charts of the processors.
pub fn charts(props: &ViewProps) -> Vec<Chart> {
    vec![split(props), over(props), guests(props)]
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
                (true, true) => "pages and I/O",
                (false, true) => "I/O",
                _ => "pages",
            };
            let so = if total < capacity / 2.0 {
                format!(": the guests wait for {what}, not for processors")
            } else {
                String::new()
            };
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

fn guests(props: &ViewProps) -> Chart {
    let (plot, summary) = match window(props).filter(|window| !window.to.guests.is_empty()) {
        Some(window) => (Plot::Stack(guest_grid(window)), guest_summary(window)),
        None => (
            Plot::Nothing(NO_RESULT.into()),
            "Running, ready to run, waiting for a page, a frame or an I/O, or idle.".into(),
        ),
    };
    chart(props, "guest-states", "Where guests spend their time", summary, plot)
}

fn share(window: Window, guests: std::ops::Range<usize>, counter: fn(&GuestSnapshot) -> u64) -> f64 {
    let sum = |snapshot: &zvmlab::Snapshot| snapshot.guests[guests.clone()].iter().map(counter).sum::<u64>();
    window.growth(sum) / window.elapsed_ns() / guests.len().max(1) as f64 * 100.0
}

fn guest_grid(window: Window) -> Grid {
    // States that no guest has been in would only lengthen the legend.
    let all = 0..window.to.guests.len();
    let states: Vec<Spent> = STATES.into_iter().filter(|state| share(window, all.clone(), state.2) > 0.0).collect();
    let row = |(label, guests): (String, std::ops::Range<usize>)| Row {
        label,
        values: states.iter().map(|state| Some(share(window, guests.clone(), state.2))).collect(),
    };
    Grid {
        row_name: "Guest".into(),
        value: Quantity::new("Share of elapsed time", "%"),
        keys: states.iter().map(|(name, look, _)| Key::new(name, *look)).collect(),
        rows: bundled(&window.to.guests, MOST_ROWS).into_iter().map(row).collect(),
        levels: Vec::new(),
        at_least: 100.0,
    }
}

fn guest_summary(window: Window) -> String {
    let all = 0..window.to.guests.len();
    let shares = STATES.map(|(name, _, counter)| (name, share(window, all.clone(), counter)));
    let most = shares.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let seconds = with_unit(window.elapsed_ns() / 1e9, "s");
    most.map_or(String::new(), |(name, share)| {
        format!("Over the last {seconds} a guest spent {} of its time in the state \"{name}\".", percent(*share))
    })
}

#[cfg(test)]
mod tests {
    use super::super::compared::tests::settled_props;
    use super::*;

    #[test]
    fn the_states_of_a_guest_make_up_its_time() {
        let props = settled_props();
        let grid = guest_grid(window(&props).expect("a window"));
        assert!(!grid.rows.is_empty());
        for row in &grid.rows {
            let sum: f64 = row.values.iter().flatten().sum();
            assert!((sum - 100.0).abs() < 0.5, "{}: {sum}", row.label);
        }
    }
}
