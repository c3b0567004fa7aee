//! The paging volumes: the parts of an I/O's time, the queues, and how full page space is.

use zvmlab::Figure;
use zvmlab::snapshot::VolumeSnapshot;

use super::compared::{
    BEFORE, NO_PAGING, NO_RESULT, Window, chart, columns, current, curve, does_io, figures, has_result, levels, newest,
    over_time, pages, rows, sources,
};
use crate::chart::{Chart, Grid, Key, Level, Plot, Quantity};
use crate::evidence::Evidence;
use crate::words::number::short;
use crate::words::unit::{percent, storage, with_unit};

/// The parts of service time.
const PARTS: [(Figure, &str, usize); 3] =
    [(Figure::PendingTime, "pending", 4), (Figure::DisconnectTime, "disconnect", 1), (Figure::ConnectTime, "connect", 0)];

/// The charts of paging.
pub fn charts(evidence: &Evidence) -> Vec<Chart> {
    if has_result(evidence) && !pages(evidence) {
        return Vec::new();
    }
    vec![service(evidence), busy(evidence), queue(evidence), in_progress(evidence), slots(evidence)]
}

/// The names of the volumes: their number, and their kind if there are several kinds.
fn names(evidence: &Evidence) -> Vec<String> {
    let volumes = newest(evidence).map_or(&[][..], |at| &at.paging.volumes);
    if volumes.iter().all(|volume| volume.kind == volumes[0].kind) {
        return Vec::new();
    }
    volumes.iter().enumerate().map(|(index, volume)| format!("{}, {}", index + 1, volume.kind.as_str())).collect()
}

fn service(evidence: &Evidence) -> Chart {
    let mut rows = rows(evidence, &PARTS.map(|part| part.0));
    // The bar ends at the sum of the printed parts. Because of rounding that may differ from the printed service time.
    rows.iter_mut().filter(|row| row.label.ends_with(", published")).for_each(|row| row.label += " parts");
    let plot = if rows.is_empty() {
        Plot::Nothing(if evidence.settled.is_some() { NO_PAGING } else { NO_RESULT }.into())
    } else {
        let keys = PARTS.iter().map(|(_, name, look)| Key::new(name, *look)).collect();
        let value = Quantity::new("Service time of an I/O", "ms");
        Plot::Stack(Grid { row_name: "Result".into(), value, keys, rows, levels: Vec::new(), at_least: 0.0 })
    };
    let summary = match figures(evidence).map(|now| (now.get(Figure::ServiceTime), now.get(Figure::ConnectTime))) {
        Some((Some(service), Some(connect))) => format!(
            "An I/O takes {}, {} of it connected: data move over the path, alone or with others.",
            with_unit(service, "ms"),
            percent(connect / service * 100.0)
        ),
        _ => "Pending until the volume starts, disconnected while it works, connected while data move.".into(),
    };
    let mut chart = chart(evidence, "service", "Service time of a page I/O", summary, plot);
    chart.sources = sources(current(evidence).into_iter(), Figure::ServiceTime);
    chart
}

/// Columns, or rows if the volumes have long names, or why there are none.
fn plot(grid: Option<Grid>, names: &[String]) -> Plot {
    let draw = if names.is_empty() { Plot::Columns } else { Plot::Dots };
    grid.map_or(Plot::Nothing(NO_RESULT.into()), draw)
}

fn busy(evidence: &Evidence) -> Chart {
    let measure = |window: Window| -> Vec<f64> {
        let busy = |index: usize| {
            move |snapshot: &zvmlab::Snapshot| snapshot.paging.volumes.get(index).map_or(0, |volume| volume.busy_ns)
        };
        (0..window.to.paging.volumes.len()).map(|index| window.growth(busy(index)) / window.elapsed_ns() * 100.0).collect()
    };
    let mut marked = vec![Level { name: "one I/O all the time".into(), value: 100.0, look: 7 }];
    marked.extend(levels(evidence, Figure::VolumeBusy).into_iter().filter(|level| level.name != BEFORE));
    let names = names(evidence);
    let grid = columns(evidence, "Volume", Quantity::new("Percent busy", "%"), marked, &names, &measure);
    let summary = match figures(evidence).and_then(|now| now.get(Figure::VolumeBusy)) {
        Some(mean) if is_edev(evidence) => {
            format!("A volume is {} busy: an EDEV carries several I/Os at once, so it can pass 100 %.", percent(mean))
        }
        Some(mean) if newest(evidence).is_some_and(|snapshot| snapshot.lcu.aliases > 0) => {
            format!("A volume is {} busy: aliases let it carry several I/Os at once, so it can pass 100 %.", percent(mean))
        }
        Some(mean) => format!("A volume is {} busy: without aliases it carries one I/O at a time.", percent(mean)),
        None => "I/Os in progress on the base and on aliases, as a share of time.".into(),
    };
    let mut chart = chart(evidence, "volume-busy", "How busy each page volume is", summary, plot(grid, &names));
    chart.sources = sources(current(evidence).into_iter(), Figure::VolumeBusy);
    chart
}

fn queue(evidence: &Evidence) -> Chart {
    let measure = |window: Window| -> Vec<f64> {
        let queue = |index: usize| {
            move |snapshot: &zvmlab::Snapshot| snapshot.paging.volumes.get(index).map_or(0, |volume| volume.queue_ns)
        };
        (0..window.to.paging.volumes.len()).map(|index| window.growth(queue(index)) / window.elapsed_ns()).collect()
    };
    let marked = levels(evidence, Figure::QueueDepth).into_iter().filter(|level| level.name != BEFORE).collect();
    let names = names(evidence);
    let grid = columns(evidence, "Volume", Quantity::new("I/Os waiting", "I/Os"), marked, &names, &measure);
    let summary = match figures(evidence).and_then(|now| now.get(Figure::QueueDepth)) {
        Some(mean) => format!("On average {} I/Os wait at a volume for a free exposure.", short(mean)),
        None => "I/Os that wait for the base or an alias to be free.".into(),
    };
    let mut chart = chart(evidence, "volume-queue", "The queue at each page volume", summary, plot(grid, &names));
    chart.sources = sources(current(evidence).into_iter(), Figure::QueueDepth);
    chart
}

fn in_progress(evidence: &Evidence) -> Chart {
    let series = vec![curve(evidence, "I/Os in progress", 0, |sample| sample.measurement.get(Figure::IosInProgress))];
    let plot = over_time(Quantity::new("In progress", "I/Os"), series, levels(evidence, Figure::IosInProgress));
    let (volumes, pool) = newest(evidence).map_or((0, 0), |at| (at.paging.volumes.len(), at.lcu.aliases));
    let summary = match pool {
        _ if volumes == 0 => "I/Os that volumes and aliases carry at once.".into(),
        _ if is_edev(evidence) => {
            "Page I/Os that the volumes carry at once; an EDEV carries as many as its queue is deep.".into()
        }
        0 => format!("{volumes} volumes without aliases carry at most {volumes} I/Os, one each."),
        _ if does_io(evidence) => format!("{volumes} volumes and their share of {pool} aliases carry the page I/Os."),
        _ => format!("{volumes} volumes and {pool} aliases carry at most {} I/Os.", volumes as u64 + u64::from(pool)),
    };
    let mut chart = chart(evidence, "in-progress", "Page I/Os in progress", summary, plot);
    chart.sources = sources(current(evidence).into_iter(), Figure::IosInProgress);
    chart
}

/// Whether a page volume is an EDEV.
fn is_edev(evidence: &Evidence) -> bool {
    newest(evidence).is_some_and(|at| at.paging.volumes.iter().any(|volume| !volume.kind.is_eckd()))
}

fn slots(evidence: &Evidence) -> Chart {
    let measure = |window: Window| -> Vec<f64> {
        let used = |volume: &VolumeSnapshot| volume.slots_used as f64 / volume.slots.max(1) as f64 * 100.0;
        window.to.paging.volumes.iter().map(used).collect()
    };
    let names = names(evidence);
    let grid = columns(evidence, "Volume", Quantity::new("Slots in use", "%"), Vec::new(), &names, &measure);
    let summary = match newest(evidence).map(|at| &at.paging.volumes) {
        Some(volumes) if !volumes.is_empty() => {
            let sum = |count: fn(&VolumeSnapshot) -> u64| volumes.iter().map(count).sum::<u64>() as f64;
            let (used, all) = (sum(|volume| volume.slots_used), sum(|volume| volume.slots));
            format!(
                "{} of {} of page space is in use, {}.",
                storage(used),
                storage(all),
                percent(used / all.max(1.0) * 100.0)
            )
        }
        _ => "How full each page volume is.".into(),
    };
    chart(evidence, "slots", "Page slots in use", summary, plot(grid, &names))
}

#[cfg(test)]
mod tests {
    use super::super::compared::tests::{settled, settled_evidence};
    use super::*;

    #[test]
    fn each_volume_has_its_column() {
        let evidence = settled_evidence();
        let Plot::Columns(grid) = busy(&evidence).plot else { panic!("columns") };
        assert_eq!(grid.rows.len(), 4);
        assert!(grid.rows.iter().all(|row| row.values[0].is_some_and(|busy| busy > 0.0 && busy <= 100.5)), "{grid:?}");
    }

    #[test]
    fn pinned_and_published_stand_below_the_settled_split() {
        let mut evidence = settled_evidence();
        evidence.pinned = Some(settled(|scenario| scenario.lcu.aliases = 4));
        let Plot::Stack(grid) = service(&evidence).plot else { panic!("bars") };
        let labels: Vec<&str> = grid.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels, ["now", "A", "V4DVY000, published parts"]);
    }

    #[test]
    fn a_host_that_does_not_page_shows_nothing_of_paging() {
        let mut evidence = settled_evidence();
        assert_eq!(charts(&evidence).len(), 5);
        let settled = settled(|scenario| scenario.guests[0].count = 4);
        evidence.history = settled.series.clone();
        evidence.settled = Some(settled);
        evidence.current_run = None;
        assert_eq!(charts(&evidence), Vec::new());
    }

    #[test]
    fn volumes_of_several_kinds_are_named_by_their_kind() {
        let mut evidence = settled_evidence();
        let mixed = settled(|scenario| {
            scenario.paging.volumes = 2;
            scenario.paging.other_volumes = 2;
        });
        evidence.history = mixed.series.clone();
        evidence.settled = Some(mixed);
        let Plot::Dots(grid) = busy(&evidence).plot else { panic!("rows") };
        let labels: Vec<&str> = grid.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels, ["1, ECKD spinning", "2, ECKD spinning", "3, ECKD SSD", "4, ECKD SSD"]);
    }
}
