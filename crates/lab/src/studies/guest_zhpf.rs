//! The study of zHPF for guests: I/O in command mode and in transport mode, over the number of records of an I/O.

use zvmlab::Figure;

use super::places::{among, named};
use super::studied::{Curve, Studied, Words, chart};
use super::{Published, StudyKind};
use crate::chart::{Chart, Quantity};
use crate::host::why_no_modes;
use crate::published::{Kind, PublishedRun};
use crate::room::Room;
use crate::subjects::guest_zhpf::GUEST_ZHPF as SUBJECT;
use crate::words::number::short;
use crate::words::unit::{NO_BREAK, with_unit};

/// Command mode against transport mode over the records of an I/O.
pub static GUEST_ZHPF: &StudyKind = &StudyKind {
    name: "guest-zhpf",
    title: "Guest zHPF: command mode against transport mode",
    room: Room::Minidisks,
    subjects: &[SUBJECT],
    for_all: true,
    link: Some("See the curves over records"),
    lacking: why_no_modes,
    missed: |scenario| scenario.does_io().then_some("No curves of command against transport mode"),
    places: |_| named(&RECORDS),
    lines: 2,
    put: |scenario, line, place| {
        for group in &mut scenario.guests {
            group.io_records = RECORDS[place];
            group.io_zhpf = line == 1;
        }
    },
    stands: Some(|scenario| {
        let first = scenario.guests.first();
        let records = first.map_or(1, |group| group.io_records);
        let mode = if first.is_some_and(|group| group.io_zhpf) { "transport" } else { "command" };
        let unit = if records == 1 { "record" } else { "records" };
        (among(records, &RECORDS), format!("{records} {unit}, {mode}"))
    }),
    charts,
    published: Published::Runs,
    ..StudyKind::PLAIN
};

/// The numbers of records, as the exerciser has them: each doubles the one before.
const RECORDS: [u32; 8] = [1, 2, 4, 8, 16, 32, 48, 64];

/// The curves: id, title, figure, and its name inside a sentence.
const CHARTS: [(&str, &str, Figure, &str); 3] = [
    ("guest-zhpf-service", "Service time over records", Figure::MdiskServiceTime, "service time"),
    ("guest-zhpf-cp", "CP CPU over records", Figure::MdiskCpTime, "CP CPU"),
    ("guest-zhpf-rate", "I/O rate over records", Figure::MdiskVolumeRate, "the rate of I/Os that reach the volume"),
];

/// The further curve if there is a minidisk cache: I/Os that the cache serves are transactions too.
const WITH_CACHE: (&str, &str, Figure, &str) =
    ("guest-zhpf-etr", "Throughput over records, with the minidisk cache", Figure::MdiskEtr, "throughput");

/// The charts of zHPF for guests.
pub(super) fn charts(studied: &Studied) -> Vec<Chart> {
    // Transport mode switches the minidisk cache off. That may cost more than the shorter service time gains.
    let cached = studied.bench.minidisks.is_cached();
    let drawn = CHARTS.iter().chain(cached.then_some(&WITH_CACHE));
    drawn.map(|(id, title, figure, word)| one(studied, (id, title), *figure, word)).collect()
}

fn one(studied: &Studied, (id, title): (&'static str, &'static str), figure: Figure, word: &str) -> Chart {
    let curve = |name, look, line| Curve { name, look, line, figure, relative_to: None };
    let curves = [curve("command mode", 0, 0), curve("transport mode", 1, 1)];
    let said = [Some(summary(studied, &curves, word)), miss(studied, &curves), uncached(studied, figure)];
    let words = Words {
        id,
        title,
        summary: said.into_iter().flatten().collect::<Vec<_>>().join(" "),
        x: Quantity::new("Records of 4 KB in an I/O", ""),
        y: Quantity::new(figure.label(), figure.unit()),
    };
    chart(studied, words, &curves, Vec::new())
}

/// Published figures that the model misses by more than their tolerance.
fn miss(studied: &Studied, curves: &[Curve; 2]) -> Option<String> {
    let missed = |curve: &Curve| {
        let model = curve.model(studied);
        let apart = |(place, value, run, kind): &(usize, f64, &PublishedRun, Kind)| {
            let model = model.iter().find(|(at, _)| at == place)?.1;
            let published = run.figures.iter().find(|published| published.figure == curve.figure)?;
            let tolerated = value.abs() * published.tolerance_pct? / 100.0;
            let known = if published.note.is_some() { "a known miss" } else { "a miss" };
            (*kind != Kind::NotValidated && (model - value).abs() > tolerated).then(|| {
                let records = studied.study.places().get(*place).cloned().unwrap_or_default();
                let records = if records == "1" { "1 record".into() } else { format!("{records} records") };
                format!(
                    "The model has {}{NO_BREAK}{} at {records} in {}, published {}: {known}.",
                    short(model),
                    curve.figure.unit(),
                    curve.name,
                    short(*value)
                )
            })
        };
        curve.published(studied).iter().filter_map(apart).collect::<Vec<_>>()
    };
    let all = curves.iter().flat_map(missed).collect::<Vec<_>>();
    (!all.is_empty()).then(|| all.join(" "))
}

/// What the rate of I/Os leaves out if there is a minidisk cache.
fn uncached(studied: &Studied, figure: Figure) -> Option<String> {
    (figure == Figure::MdiskVolumeRate && studied.bench.minidisks.is_cached()).then(|| {
        "Only I/Os that reach the volume count. The minidisk cache serves others, but not in transport mode. Throughput counts both."
            .into()
    })
}

/// What transport mode changes at both ends of the curves.
fn summary(studied: &Studied, curves: &[Curve; 2], word: &str) -> String {
    let [command, transport] = [0, 1].map(|line: usize| curves[line].model(studied));
    let ends = |values: &[(usize, f64)]| Some((values.first()?.1, values.last()?.1));
    let known = studied.is_of_bench && studied.study.batch.is_complete();
    match (known, ends(&command), ends(&transport)) {
        (true, Some(command), Some(transport)) => {
            let change = |from, to| crate::words::number::difference(from, to).unwrap_or_default().replace(' ', "\u{a0}");
            format!(
                "Transport mode changes {word} by {} at 1 record and by {} at 64.",
                change(command.0, transport.0),
                change(command.1, transport.1)
            )
        }
        (true, Some((first, last)), None) => {
            let unit = curves[0].figure.unit();
            format!(
                "In command mode {word} goes from {} at 1 record to {} at 64.",
                with_unit(first, ""),
                with_unit(last, unit)
            )
        }
        _ => "Both modes over the number of records.".into(),
    }
}
