//! The charts of a link: its chpids side by side, its rate over time, and its buffers.

use std::rc::Rc;

use zvmlab::Snapshot;
use zvmlab::snapshot::{ChpidSnapshot, LinkSnapshot};

use super::super::compared::{Window, chart, over_time};
use super::{MB, rate, way};
use crate::chart::{Chart, Grid, Key, Level, Plot, Point, Quantity, Row, Series};
use crate::evidence::Evidence;
use crate::words::number::short;
use crate::words::unit::{can_carry, percent, short_seconds, with_unit};

/// The charts of the link at `index`.
pub fn charts(evidence: &Evidence, index: usize, window: Window) -> Vec<Chart> {
    let Some(link) = link_of(window.to, index) else { return Vec::new() };
    vec![
        chpids(evidence, link, index, window),
        busy(evidence, link, index, window),
        carried(evidence, link, index),
        buffers(evidence, link, index, window),
    ]
}

fn link_of(snapshot: &Snapshot, index: usize) -> Option<&LinkSnapshot> {
    snapshot.cluster.as_ref()?.links.get(index)
}

/// How much a counter of a chpid grew in the window.
fn grown(window: Window, index: usize, chpid: usize, of: fn(&ChpidSnapshot) -> u64) -> f64 {
    window.growth(|snapshot| link_of(snapshot, index).and_then(|link| link.chpids.get(chpid)).map_or(0, of))
}

fn label(at: usize, chpid: &ChpidSnapshot) -> String {
    let ctcs = if chpid.ctcs == 1 { "1 CTC".into() } else { format!("{} CTCs", chpid.ctcs) };
    format!("{}: {} Gb, {ctcs}", at + 1, chpid.gb_s)
}

fn grid(link: &LinkSnapshot, value: Quantity, keys: Vec<Key>, values: impl Fn(usize, &ChpidSnapshot) -> Vec<f64>) -> Plot {
    let row = |(at, chpid): (usize, &ChpidSnapshot)| Row {
        label: label(at, chpid),
        values: values(at, chpid).into_iter().map(Some).collect(),
    };
    let rows = link.chpids.iter().enumerate().map(row).collect();
    Plot::Columns(Grid { row_name: "Chpid".into(), value, keys, rows, levels: Vec::new(), at_least: 0.0 })
}

/// The rate of each chpid beside its capacity.
fn chpids(evidence: &Evidence, link: &LinkSnapshot, index: usize, window: Window) -> Chart {
    let carries = |at: usize| grown(window, index, at, |chpid| chpid.bytes) / window.elapsed_ns() * 1e9 / MB;
    let keys = vec![Key::new("carries", 0), Key::new("could carry", 6)];
    let plot = grid(link, Quantity::new("Rate", "MB/s"), keys, |at, chpid| vec![carries(at), can_carry(chpid.gb_s)]);
    let all = rate(window, index, |link| link.bytes);
    let of = can_carry(link.capacity_factor).max(1.0);
    let summary = format!(
        "{} carries {} of the {} that its capacity factor of {} allows, {}.",
        way(link),
        with_unit(all, "MB/s"),
        with_unit(of, "MB/s"),
        link.capacity_factor,
        percent(all / of * 100.0)
    );
    chart(evidence, "isfc-chpids", &format!("Chpids, {}", way(link)), summary, plot)
}

/// How busy each chpid is.
fn busy(evidence: &Evidence, link: &LinkSnapshot, index: usize, window: Window) -> Chart {
    let busy = |at: usize| grown(window, index, at, |chpid| chpid.busy_ns) / window.elapsed_ns() * 100.0;
    let keys = vec![Key::new("busy", 0)];
    let Plot::Columns(mut grid) = grid(link, Quantity::new("Busy", "%"), keys, |at, _| vec![busy(at)]) else {
        return chart(evidence, "isfc-busy", "How busy each chpid is", String::new(), Plot::Nothing(String::new()));
    };
    grid.at_least = 100.0;
    let all: Vec<f64> = (0..link.chpids.len()).map(busy).collect();
    let (low, high) = (all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(0.0, f64::max));
    // In the picture and in the sentence of the limit the time is another: here it is that of the relocations, if it was sampled.
    let whole = format!("the {} counted", short_seconds(window.elapsed_ns() as u64));
    let summary = match all.len() {
        1 => format!(
            "The only chpid transfers data {} of {whole}. In the rest its CTCs shake hands or have nothing to send.",
            percent(high)
        ),
        _ if high - low > 10.0 => {
            format!("The chpids are not equally busy: {} to {} of {whole}.", percent(low), percent(high))
        }
        _ if percent(low) == percent(high) => format!("The chpids are equally busy, {} of {whole}.", percent(high)),
        _ => format!("The chpids are equally busy: {} to {} of {whole}.", percent(low), percent(high)),
    };
    chart(evidence, "isfc-busy", "How busy each chpid is", summary, Plot::Columns(grid))
}

/// A line over time. `rate` gives its value from two samples in a row.
fn line(evidence: &Evidence, name: &str, look: usize, rate: impl Fn(&Snapshot, &Snapshot, f64) -> Option<f64>) -> Series {
    let point = |pair: &[Rc<crate::evidence::Sample>]| {
        let (a, b) = (&pair[0].snapshot, &pair[1].snapshot);
        let elapsed = b.now_ns.saturating_sub(a.now_ns);
        let y = rate(a, b, elapsed as f64).filter(|_| elapsed > 0)?;
        Some(Point { x: b.now_ns as f64 / 1e9, y, label: None })
    };
    Series { key: Key::new(name, look), joined: true, points: evidence.history.windows(2).filter_map(point).collect() }
}

/// How much `of` grew for each nanosecond from `a` to `b`.
fn growth(index: usize, of: fn(&LinkSnapshot) -> u64) -> impl Fn(&Snapshot, &Snapshot, f64) -> Option<f64> {
    move |a, b, elapsed| Some(of(link_of(b, index)?).saturating_sub(of(link_of(a, index)?)) as f64 / elapsed)
}

/// The rate of the link over time, with other traffic as a line of its own.
fn carried(evidence: &Evidence, link: &LinkSnapshot, index: usize) -> Chart {
    let in_mb = |of: fn(&LinkSnapshot) -> u64| {
        let growth = growth(index, of);
        move |a: &Snapshot, b: &Snapshot, elapsed: f64| growth(a, b, elapsed).map(|rate| rate * 1e9 / MB)
    };
    let mut series = vec![line(evidence, "all traffic", 0, in_mb(|link| link.bytes))];
    if link.other_bytes > 0 {
        series.push(line(evidence, "other traffic", 3, in_mb(|link| link.other_bytes)));
    }
    let factor =
        Level { name: format!("capacity factor {}", link.capacity_factor), value: can_carry(link.capacity_factor), look: 7 };
    let summary = if link.other_messages > 0 {
        format!(
            "{} of other traffic; one of its messages waited {} for a CTC on average.",
            with_unit(link.other_bytes as f64 / MB, "MB"),
            with_unit(link.other_waited_ns as f64 / link.other_messages as f64 / 1e6, "ms")
        )
    } else {
        "Relocations are alone on the link: there is no other traffic.".into()
    };
    let plot = over_time(Quantity::new("Carried", "MB/s"), series, vec![factor]);
    chart(evidence, "isfc-rate", &format!("What {} carries", way(link)), summary, plot)
}

/// Buffers for queued traffic in use over time.
fn buffers(evidence: &Evidence, link: &LinkSnapshot, index: usize, window: Window) -> Chart {
    let used = line(evidence, "buffers in use", 0, growth(index, |link| link.buffers_ns));
    let all = Level { name: "all buffers".into(), value: f64::from(link.buffers), look: 1 };
    let summary = format!(
        "On average {} of {} buffers for queued traffic are in use. When none is free, relocations wait.",
        short(super::buffers(window, index)),
        link.buffers
    );
    let plot = over_time(Quantity::new("In use", "buffers"), vec![used], vec![all]);
    chart(evidence, "isfc-buffers", "Buffers for queued traffic", summary, plot)
}

#[cfg(test)]
mod tests {
    use super::super::super::cluster::relocating;
    use super::super::super::relocation::fixture::evidence;
    use super::*;

    #[test]
    fn unequal_chpids_show() {
        let evidence = evidence(1);
        let window = relocating(&evidence).expect("a window");
        let charts = charts(&evidence, 0, window);
        let ids: Vec<&str> = charts.iter().map(|chart| chart.id).collect();
        assert_eq!(ids, ["isfc-chpids", "isfc-busy", "isfc-rate", "isfc-buffers"]);
        let Plot::Columns(grid) = &charts[1].plot else { panic!("columns") };
        assert_eq!(
            grid.rows.iter().map(|row| row.label.as_str()).collect::<Vec<_>>(),
            ["1: 8 Gb, 4 CTCs", "2: 4 Gb, 4 CTCs"]
        );
        assert!(charts[1].summary.contains("not equally busy: 50"), "{}", charts[1].summary);
        let Plot::Columns(grid) = &charts[0].plot else { panic!("columns") };
        assert_eq!(grid.rows[1].values[1], Some(400.0));
    }
}
