//! Minidisks: the time of a guest's I/O, the load of its volumes, and the effect of the minidisk cache.

use zvmlab::scenario::PAGES_PER_MB;
use zvmlab::snapshot::{MdcSnapshot, VolumeSnapshot};
use zvmlab::{Figure, Snapshot};

use super::compared::{
    BEFORE, NO_RESULT, Window, chart, columns, current, curve, does_io, figures, has_result, levels, newest, over_time,
    rows, sources,
};
use crate::chart::{Chart, Grid, Key, Level, Plot, Quantity};
use crate::evidence::{Evidence, Sample};
use crate::words::number::short;
use crate::words::unit::{percent, with_unit};

/// The parts of service time.
const PARTS: [(Figure, &str, usize); 3] = [
    (Figure::MdiskPendingTime, "pending", 4),
    (Figure::MdiskDisconnectTime, "disconnect", 1),
    (Figure::MdiskConnectTime, "connect", 0),
];

/// The charts of minidisks.
pub fn charts(evidence: &Evidence) -> Vec<Chart> {
    if has_result(evidence) && !does_io(evidence) {
        return Vec::new();
    }
    let copied = newest(evidence).is_some_and(|at| at.minidisks.mdc.invalidated > 0);
    let mut charts: Vec<Chart> = copied.then(|| invalidations(evidence)).into_iter().collect();
    charts.extend(shared(evidence));
    charts.extend([service(evidence), cp(evidence)]);
    // Minidisks that are all on page volumes stand in the room of paging.
    let own = newest(evidence).is_none_or(|at| !at.minidisks.volumes.is_empty());
    // If nothing ever waits, there is no queue to show.
    let waits = !has_result(evidence) || waited(evidence);
    charts.extend(own.then(|| rate(evidence)));
    charts.extend(own.then(|| busy(evidence)));
    charts.extend((own && waits).then(|| queue(evidence)));
    charts.extend(waits.then(|| wait(evidence)));
    charts.extend(newest(evidence).is_some_and(|at| has_cache(&at.minidisks.mdc)).then(|| cache(evidence)));
    charts
}

/// Whether there is a minidisk cache.
fn has_cache(mdc: &MdcSnapshot) -> bool {
    mdc.frames + mdc.expanded_pages + mdc.most_frames > 0
}

/// How the minidisk cache and guests' pages share central storage, where CP's arbiter decides that.
fn shared(evidence: &Evidence) -> Option<Chart> {
    newest(evidence).filter(|at| at.minidisks.mdc.most_frames > 0)?;
    let mb = |frames: u64| frames as f64 / PAGES_PER_MB as f64;
    let resident = move |sample: &Sample| {
        let storage = &sample.snapshot.storage;
        Some(mb(storage.valid_frames + storage.age_list_frames + storage.reading_frames))
    };
    let cached = move |sample: &Sample| Some(mb(sample.snapshot.minidisks.mdc.frames));
    let series = vec![curve(evidence, "guests’ pages", 0, resident), curve(evidence, "minidisk cache", 3, cached)];
    let plot = match over_time(Quantity::new("Central storage", "MB"), series, Vec::new()) {
        Plot::Lines(lines) => Plot::Areas(lines),
        other => other,
    };
    let summary = match (now(evidence, Figure::MdcSize), now(evidence, Figure::MdcHitPercent)) {
        (Some(size), Some(hits)) => format!(
            "The arbiter leaves the minidisk cache {}, and {} of the reads hit it. It asks how long pages stay, not what they gain.",
            with_unit(size, "MB"),
            percent(hits)
        ),
        _ => "How the minidisk cache and guests’ pages share central storage.".into(),
    };
    Some(chart(evidence, "mdc-share", "Who has central storage", summary, plot))
}

/// Whether a minidisk I/O has waited for an exposure, now or in the baseline.
fn waited(evidence: &Evidence) -> bool {
    let settled = [&evidence.settled, &evidence.pinned].into_iter().flatten().map(|settled| &settled.snapshot);
    newest(evidence).into_iter().chain(settled).any(|at| at.minidisks.ios.waited_ns > 0)
}

/// A chart with the sources of `figure` for the present run.
fn cited(evidence: &Evidence, mut chart: Chart, figure: Figure) -> Chart {
    chart.sources = sources(current(evidence).into_iter(), figure);
    chart
}

fn now(evidence: &Evidence, figure: Figure) -> Option<f64> {
    figures(evidence).and_then(|figures| figures.get(figure))
}

fn service(evidence: &Evidence) -> Chart {
    let mut keys: Vec<Key> = PARTS.iter().map(|(_, name, look)| Key::new(name, *look)).collect();
    let mut rows = rows(evidence, &PARTS.map(|part| part.0));
    // If only the whole is published, its bar has one part of its own.
    if let Some(run) = current(evidence)
        && rows.iter().all(|row| !row.label.ends_with(", published"))
        && let Some(whole) = run.value(Figure::MdiskServiceTime)
    {
        keys.push(Key::new("pending, disconnect and connect", 3));
        rows.iter_mut().for_each(|row| row.values.push(None));
        rows.push(crate::chart::Row {
            label: format!("{}, published", run.id),
            values: vec![None, None, None, Some(whole)],
        });
    }
    let plot = if rows.is_empty() {
        Plot::Nothing(NO_RESULT.into())
    } else {
        let value = Quantity::new("Service time of an I/O", "ms");
        Plot::Stack(Grid { row_name: "Result".into(), value, keys, rows, levels: Vec::new(), at_least: 0.0 })
    };
    let summary = match (now(evidence, Figure::MdiskServiceTime), now(evidence, Figure::MdiskConnectTime)) {
        (Some(service), Some(connect)) => format!(
            "A minidisk I/O takes {} on its volume, {} of it connected.",
            with_unit(service, "ms"),
            percent(connect / service * 100.0)
        ),
        _ => "Pending until the volume starts, disconnected while it works, connected while data move.".into(),
    };
    cited(
        evidence,
        chart(evidence, "mdisk-service", "Service time of a minidisk I/O", summary, plot),
        Figure::MdiskServiceTime,
    )
}

fn cp(evidence: &Evidence) -> Chart {
    let rows = rows(evidence, &[Figure::MdiskCpTime]);
    let plot = if rows.is_empty() {
        Plot::Nothing(NO_RESULT.into())
    } else {
        let value = Quantity::new("CP CPU for each I/O", "µs");
        let keys = vec![Key::new("CP CPU", 1)];
        Plot::Stack(Grid { row_name: "Result".into(), value, keys, rows, levels: Vec::new(), at_least: 0.0 })
    };
    let summary = match now(evidence, Figure::MdiskCpTime) {
        Some(time) => {
            format!("CP translates the channel program, starts it and takes its interrupt: {}.", with_unit(time, "µs"))
        }
        None => "What CP does for each I/O of a guest.".into(),
    };
    cited(evidence, chart(evidence, "mdisk-cp", "CP CPU of a minidisk I/O", summary, plot), Figure::MdiskCpTime)
}

/// Columns of a counter of the volumes; `scale` turns elapsed nanoseconds into a rate.
fn volumes(evidence: &Evidence, value: Quantity, figure: Figure, count: fn(&VolumeSnapshot) -> u64, scale: f64) -> Plot {
    let measure = |window: Window| -> Vec<f64> {
        let at = |index: usize| move |at: &Snapshot| at.minidisks.volumes.get(index).map_or(0, count);
        let volumes = window.to.minidisks.volumes.len();
        (0..volumes).map(|index| window.growth(at(index)) / window.elapsed_ns() * scale).collect()
    };
    let mut marked: Vec<Level> = levels(evidence, figure).into_iter().filter(|level| level.name != BEFORE).collect();
    if figure == Figure::MdiskVolumeBusy {
        marked.insert(0, Level { name: "one I/O all the time".into(), value: 100.0, look: 7 });
    }
    columns(evidence, "Volume", value, marked, &[], &measure).map_or(Plot::Nothing(NO_RESULT.into()), Plot::Columns)
}

fn rate(evidence: &Evidence) -> Chart {
    let figure = Figure::MdiskVolumeRate;
    let plot = volumes(evidence, Quantity::new("I/O rate", "I/Os/s"), figure, |volume| volume.starts, 1e9);
    let summary = match now(evidence, figure) {
        Some(rate) => format!("Each volume carries {} on average.", with_unit(rate, "I/Os/s")),
        None => "The minidisk I/Os that each volume carries.".into(),
    };
    cited(evidence, chart(evidence, "mdisk-rate", "I/O rate of each minidisk volume", summary, plot), figure)
}

fn busy(evidence: &Evidence) -> Chart {
    let figure = Figure::MdiskVolumeBusy;
    let plot = volumes(evidence, Quantity::new("Percent busy", "%"), figure, |volume| volume.busy_ns, 100.0);
    let summary = match now(evidence, figure) {
        Some(busy) => format!("A volume is {} busy: {}.", percent(busy), carries(evidence)),
        None => "I/Os in progress on the base and on aliases, as a share of time.".into(),
    };
    cited(evidence, chart(evidence, "mdisk-busy", "How busy each minidisk volume is", summary, plot), figure)
}

/// How many I/Os a volume carries at once.
fn carries(evidence: &Evidence) -> &'static str {
    let edev = newest(evidence).is_some_and(|at| at.minidisks.volumes.iter().any(|volume| !volume.kind.is_eckd()));
    let aliases = newest(evidence).is_some_and(|at| at.lcu.aliases > 0);
    match (edev, aliases) {
        (true, _) => "an EDEV carries several I/Os at once, so it can pass 100 %",
        (false, true) => "aliases let it carry several I/Os at once, so it can pass 100 %",
        (false, false) => "without aliases it carries one I/O at a time",
    }
}

fn queue(evidence: &Evidence) -> Chart {
    let plot = volumes(evidence, Quantity::new("I/Os waiting", "I/Os"), Figure::MdiskQueue, |volume| volume.queue_ns, 1.0);
    let summary = match now(evidence, Figure::MdiskQueue) {
        Some(queue) => format!("On all volumes together {} I/Os wait for the base or an alias.", short(queue)),
        None => "I/Os that wait for the base or an alias to be free.".into(),
    };
    // The figure is of all volumes together. A published value would be no level for a single volume.
    chart(evidence, "mdisk-queue", "The queue at each minidisk volume", summary, plot)
}

fn wait(evidence: &Evidence) -> Chart {
    let figure = |name: &str, look, figure| curve(evidence, name, look, move |sample| sample.measurement.get(figure));
    let series =
        vec![figure("waiting for an exposure", 1, Figure::MdiskWaitTime), figure("in service", 0, Figure::MdiskServiceTime)];
    let plot = match over_time(Quantity::new("Time of an I/O", "ms"), series, Vec::new()) {
        Plot::Lines(lines) => Plot::Areas(lines),
        other => other,
    };
    let summary = match (now(evidence, Figure::MdiskWaitTime), now(evidence, Figure::MdiskServiceTime)) {
        (Some(wait), Some(service)) => format!(
            "An I/O waits {} for the base or an alias to be free, and is then served for {}.",
            with_unit(wait, "ms"),
            with_unit(service, "ms")
        ),
        _ => "How long an I/O waits for an exposure, and how long it is served.".into(),
    };
    chart(evidence, "mdisk-wait", "Wait for an exposure", summary, plot)
}

fn cache(evidence: &Evidence) -> Chart {
    let hits = curve(evidence, "reads that hit", 2, |sample| sample.measurement.get(Figure::MdcHitPercent));
    let none = hits.points.is_empty();
    let mut plot = over_time(
        Quantity::new("Reads that hit the minidisk cache", "%"),
        vec![hits],
        levels(evidence, Figure::MdcHitPercent),
    );
    let Some(mdc) = newest(evidence).map(|at| &at.minidisks.mdc) else {
        return chart(evidence, "mdc", "Minidisk cache", String::new(), plot);
    };
    let off = match mdc.minidisks_disabled {
        0 => String::new(),
        1 => " Transport-mode I/O has switched it off for 1 minidisk.".into(),
        count => format!(" Transport-mode I/O has switched it off for {count} minidisks."),
    };
    if none {
        let why = if off.is_empty() { "No read has asked the minidisk cache.".into() } else { off.trim().to_string() };
        plot = Plot::Nothing(why);
    }
    let all = mdc.frames.max(mdc.most_frames) + mdc.expanded_pages;
    let used = percent(mdc.frames_used as f64 / all.max(1) as f64 * 100.0);
    let whole = if mdc.most_frames > 0 { "what the cache may have" } else { "the cache" };
    let summary = match now(evidence, Figure::MdcHitPercent) {
        Some(hits) => format!("{} of the reads need no I/O; {used} of {whole} holds data.{off}", percent(hits)),
        None => format!("No read is served by the cache.{off}"),
    };
    chart(evidence, "mdc", "Minidisk cache", summary, plot)
}

/// What FlashCopy onto minidisks in the cache costs CP.
fn invalidations(evidence: &Evidence) -> Chart {
    let busy = |sample: &Sample| sample.measurement.get(Figure::MdcInvalidationBusy);
    let others = move |sample: &Sample| {
        Some((sample.measurement.get(Figure::NonchargeableCpBusy)? - busy(sample).unwrap_or(0.0)).max(0.0))
    };
    let series = vec![curve(evidence, "invalidating tracks", 1, busy), curve(evidence, "other system time", 7, others)];
    let plot = match over_time(Quantity::new("CP time charged to no guest", "% of a processor"), series, Vec::new()) {
        Plot::Lines(lines) => Plot::Areas(lines),
        other => other,
    };
    let [tracks, busy] = [Figure::MdcInvalidations, Figure::MdcInvalidationBusy].map(|figure| now(evidence, figure));
    let summary = match (tracks, busy) {
        (Some(tracks), Some(busy)) => format!(
            "FlashCopy makes CP look for {} tracks a second in the minidisk cache, which takes {} of a processor.",
            short(tracks),
            percent(busy)
        ),
        _ => "FlashCopy makes CP look for each track of its target in the minidisk cache.".into(),
    };
    chart(evidence, "invalidations", "What FlashCopy costs", summary, plot)
}

#[cfg(test)]
mod tests {
    use super::super::compared::tests::{evidence_of, hybrid_evidence, settled_evidence};
    use super::*;

    #[test]
    fn a_host_without_minidisk_io_has_no_minidisk_charts() {
        assert_eq!(charts(&settled_evidence()), Vec::new());
        let ids: Vec<&str> = charts(&hybrid_evidence()).iter().map(|chart| chart.id).collect();
        assert_eq!(ids, ["mdisk-service", "mdisk-cp", "mdisk-rate", "mdisk-busy", "mdisk-queue", "mdisk-wait"]);
    }

    #[test]
    fn flashcopy_is_shown_where_it_costs_something() {
        let mut host = crate::studies::studied::tests::short_example("FLASHCOPY", 3);
        let shown =
            charts(&evidence_of(host.clone())).into_iter().find(|chart| chart.id == "invalidations").expect("a chart");
        assert!(shown.summary.contains("341"), "{}", shown.summary);
        host.guests[1].mdc = false;
        assert!(charts(&evidence_of(host)).iter().all(|chart| chart.id != "invalidations"));
    }

    #[test]
    fn who_has_central_storage_is_shown_where_an_arbiter_decides_that() {
        let mut host = crate::studies::studied::tests::short_example("MDC-BACKUP", 3);
        let shown = charts(&evidence_of(host.clone())).into_iter().find(|chart| chart.id == "mdc-share").expect("a chart");
        let Plot::Areas(areas) = &shown.plot else { panic!("{:?}", shown.plot) };
        assert!(areas.series.iter().all(|series| series.points.iter().any(|point| point.y > 100.0)), "{areas:?}");
        host.minidisks.mdc_arbiter = false;
        assert!(charts(&evidence_of(host)).iter().all(|chart| chart.id != "mdc-share"));
    }

    #[test]
    fn the_rate_of_the_columns_is_that_of_the_figure() {
        let evidence = hybrid_evidence();
        let Plot::Columns(grid) = rate(&evidence).plot else { panic!("columns") };
        let rates: Vec<f64> = grid.rows.iter().filter_map(|row| row.values[0]).collect();
        let mean = rates.iter().sum::<f64>() / 4.0;
        let figure = now(&evidence, Figure::MdiskVolumeRate).expect("a rate");
        assert!(rates.len() == 4 && (mean / figure - 1.0).abs() < 0.05, "{rates:?} {figure}");
    }

    #[test]
    fn a_cache_that_transport_mode_switched_off_says_so() {
        let mut scenario = crate::studies::study::tests::exerciser();
        scenario.minidisks.mdc_mb = 32;
        let on = evidence_of(scenario.clone());
        assert!(charts(&on).iter().any(|chart| chart.id == "mdc"));
        let Plot::Lines(lines) = cache(&on).plot else { panic!("{:?}", cache(&on)) };
        assert!(!lines.series[0].points.is_empty());
        scenario.guests[0].io_zhpf = true;
        let off = cache(&evidence_of(scenario));
        assert!(off.summary.contains("switched it off for 32 minidisks"), "{}", off.summary);
    }
}
