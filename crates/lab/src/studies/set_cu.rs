//! The study of SET CU: how many aliases minidisk I/O and paging I/O hold, what they achieve and how long they wait, as
//! their alias shares change.

mod table_6;

use zvmlab::scenario::AliasShare;
use zvmlab::scenario::fields::{Kind, field, path};
use zvmlab::{Figure, Scenario};

use super::studied::{Curve, Expected, Studied, Words, chart};
use super::{Published, Scale, Slider, Stand, StudyKind};
use crate::chart::{Chart, Quantity};
use crate::host::{overfills, why_no_sharing};
use crate::room::Room;
use crate::subjects::set_cu::SET_CU as SUBJECT;
use crate::words::number::short;
use crate::words::unit::with_unit;

/// How minidisk and paging I/O share the aliases.
pub static SET_CU: &StudyKind = &StudyKind {
    name: "set-cu",
    title: "SET CU from 15:1 to 1:15, as Table 6 and Figure 1 of the published page",
    room: Room::ControlUnit,
    stand: Stand::First,
    subjects: &[SUBJECT],
    for_all: true,
    link: Some("See the curves: Table 6 and Figure 1"),
    lacking: why_no_sharing,
    missed: |scenario| (scenario.lcu.aliases > 0 || has_both(scenario)).then_some("No curves over SET CU"),
    places: |_| shares().iter().map(AliasShare::to_string).collect(),
    put: |scenario, _, place| scenario.lcu.alias_share = shares()[place],
    stands: Some(|scenario| share_stands(scenario.lcu.alias_share)),
    charts: |studied| charts(studied, studied.scaled),
    table: table_6::table,
    slider: Some(Slider {
        path: path::LCU_ALIAS_SHARE,
        command: "SET CU ",
        ends: ["MDISK", "PAGING"],
        value: |scenario| {
            let share = scenario.lcu.alias_share;
            (share.to_string(), format!("{} to {}, MDISK to PAGING", share.mdisk, share.paging))
        },
    }),
    scale: Some(Scale {
        chart: ETR,
        legend: "Scale of the ETR",
        choices: [
            "absolute, as Table 6",
            "scaled, as Figure 1: each ETR divided by its value where its own share is 1 of 16",
        ],
    }),
    published: Published::Runs,
    ..StudyKind::PLAIN
};

/// The id of the chart of throughput.
pub(super) const ETR: &str = "set-cu-etr";

/// The looks of the two claimants.
const MDISK: usize = 0;
const PAGING: usize = 1;
/// The look of the entitlement.
const ENTITLED: usize = 7;

/// The sentence mentions aliases beyond the entitlement only if there are more than this. Chosen: chance varies a mean by
/// less.
const BEYOND: f64 = 0.1;

/// Aliases count as idle if more than this part of the pool is not held. Chosen: chance varies a mean by less.
const IDLE: f64 = 0.01;

/// Whether the host does both minidisk and paging I/O, so that they share the aliases.
fn has_both(scenario: &Scenario) -> bool {
    scenario.does_io() && overfills(scenario)
}

/// The sum of the two parts of a share, which the slider keeps.
fn total() -> u32 {
    match field(path::LCU_ALIAS_SHARE).map(|field| field.kind) {
        Some(Kind::Share { total, .. }) => total,
        _ => 16,
    }
}

/// The shares along the slider, from all but one part for minidisks to all but one part for paging.
fn shares() -> Vec<AliasShare> {
    let total = total();
    (1..total).map(|paging| AliasShare { mdisk: total - paging, paging }).collect()
}

/// Where a share is among those along the slider, and its label there: `3:5 = 6:10`.
fn share_stands(share: AliasShare) -> (f64, String) {
    let shares = shares();
    let last = shares.len() - 1;
    // A share is relative. So scale paging's part to the slider's sum; the first place is paging's part 1.
    let x = f64::from(share.paging) * f64::from(total()) / (f64::from(share.mdisk) + f64::from(share.paging)) - 1.0;
    let beside = match (x.floor(), x.fract() == 0.0) {
        (at, _) if at < 0.0 => format!(", beyond {}", shares[0]),
        (at, true) if at <= last as f64 && shares[at as usize] == share => String::new(),
        (at, true) if at <= last as f64 => format!(" = {}", shares[at as usize]),
        (at, _) if at >= last as f64 => format!(", beyond {}", shares[last]),
        (at, _) => format!(", between {} and {}", shares[at as usize], shares[at as usize + 1]),
    };
    (x, format!("{share}{beside}"))
}

/// The charts of SET CU. `relative` divides each ETR by the ETR with an entitlement of one alias only, as figure 1 of the
/// 6.4 paging page does.
pub(super) fn charts(studied: &Studied, relative: bool) -> Vec<Chart> {
    vec![aliases(studied), etr(studied, relative), queue(studied)]
}

fn x() -> Quantity {
    Quantity::new("Alias share MDISK:PAGING", "")
}

fn curves(mdisk: Figure, paging: Figure, relative: bool, last: usize) -> [Curve; 2] {
    let curve =
        |name, look, figure, one_alias| Curve { name, look, line: 0, figure, relative_to: relative.then_some(one_alias) };
    [curve("MDISK", MDISK, mdisk, last), curve("PAGING", PAGING, paging, 0)]
}

/// The last place, at which paging has all parts but one.
fn last(studied: &Studied) -> usize {
    studied.study.places().len() - 1
}

/// The entitlement of each claimant: the pool times its share. This is plain arithmetic, not the model.
fn entitled(studied: &Studied) -> [Vec<f64>; 2] {
    let pool = f64::from(studied.bench.lcu.aliases);
    let shares: Vec<(f64, f64)> = studied
        .study
        .batch
        .runs
        .iter()
        .map(|point| (f64::from(point.scenario.lcu.alias_share.mdisk), f64::from(point.scenario.lcu.alias_share.paging)))
        .collect();
    [
        shares.iter().map(|(mdisk, paging)| pool * mdisk / (mdisk + paging)).collect(),
        shares.iter().map(|(mdisk, paging)| pool * paging / (mdisk + paging)).collect(),
    ]
}

fn aliases(studied: &Studied) -> Chart {
    let curves = curves(Figure::MdiskAliases, Figure::PagingAliases, false, last(studied));
    let [mdisk, paging] = entitled(studied);
    let line = |name: &str, values| Expected {
        name: format!("{name} entitled"),
        legend: "entitled: pool × share",
        look: ENTITLED,
        values,
    };
    let words = Words {
        id: "set-cu-aliases",
        title: "Aliases held",
        summary: aliases_summary(studied, &curves, [&mdisk, &paging]),
        x: x(),
        y: Quantity::new("Aliases held, mean over time", "aliases"),
    };
    chart(studied, words, &curves, vec![line("MDISK", mdisk), line("PAGING", paging)])
}

/// What the curves of aliases show: that the pool is larger than both want; or where one claimant holds more than its
/// entitlement because the other wants less than its own; or that each holds its entitlement.
fn aliases_summary(studied: &Studied, curves: &[Curve; 2], entitled: [&Vec<f64>; 2]) -> String {
    if !studied.is_of_bench || !studied.study.batch.is_complete() {
        return "The aliases that each kind of I/O holds, and those to which its share entitles it.".into();
    }
    let places = studied.study.places();
    let pool = f64::from(studied.bench.lcu.aliases);
    let held = [curves[0].model(studied), curves[1].model(studied)];
    let together: Vec<(usize, f64)> = held[0].iter().zip(&held[1]).map(|(a, b)| (a.0, a.1 + b.1)).collect();
    let is_idle = |at: usize| together.iter().any(|(place, held)| *place == at && *held < pool * (1.0 - IDLE));
    if let Some(most) = together.iter().map(|at| at.1).reduce(f64::max).filter(|most| *most < pool * (1.0 - IDLE)) {
        return format!(
            "The pool is larger than both want: of {} aliases at most {} are in use on average, so the share changes {}.",
            short(pool),
            short(most),
            if is_level(&held[0], pool) { "nothing" } else { "only the moments when all are held" }
        );
    }
    let tail = |claimant: usize, name: &str, other: &str| {
        let beyond = |(place, held): &(usize, f64)| Some((*place, *held, *held - entitled[claimant].get(*place)?));
        let wanting = held[claimant].iter().filter(|at| !is_idle(at.0)).filter_map(beyond);
        let (place, held, _) = wanting.filter(|found| found.2 > BEYOND).max_by(|a, b| a.2.total_cmp(&b.2))?;
        Some(format!(
            "At {} {name} I/O holds {} aliases but is entitled to {}: it takes aliases that {other} does not want.",
            places.get(place)?,
            short(held),
            short(entitled[claimant][place])
        ))
    };
    let idle = together.iter().find(|at| is_idle(at.0)).and_then(|at| places.get(at.0));
    let fallback = || match idle {
        Some(place) => format!("If aliases are idle, as at {place}, the pool is larger than both kinds of I/O need."),
        None => {
            "Both kinds of I/O always want more than there is. Each holds the aliases to which its share entitles it.".into()
        }
    };
    tail(0, "minidisk", "paging").or_else(|| tail(1, "paging", "minidisk I/O")).unwrap_or_else(fallback)
}

/// Whether every place holds the same number.
fn is_level(held: &[(usize, f64)], pool: f64) -> bool {
    let least = held.iter().map(|at| at.1).fold(f64::INFINITY, f64::min);
    held.iter().all(|at| at.1 - least <= pool * IDLE)
}

/// Whether two values are practically the same.
fn is_same((from, to): (f64, f64)) -> bool {
    (to - from).abs() <= from.abs() * IDLE
}

fn etr(studied: &Studied, relative: bool) -> Chart {
    let curves = curves(Figure::MdiskEtr, Figure::Etr, relative, last(studied));
    let ends = |curve: &Curve| {
        let values = curve.model(studied);
        Some((values.first()?.1, values.last()?.1))
    };
    let known = studied.is_of_bench && studied.study.batch.is_complete();
    let summary = match (known, ends(&curves[0]), ends(&curves[1])) {
        (true, Some(mdisk), Some(paging)) if relative => format!(
            "Each ETR is divided by its own value at a share of 1 of 16. With 15 of 16, minidisk I/O achieves {} times that, and paging {} times.",
            short(mdisk.0),
            short(paging.1)
        ),
        (true, Some(mdisk), Some(paging)) if is_same(mdisk) && is_same(paging) => format!(
            "The share changes neither: MDISK ETR is {} and paging ETR {} from one end to the other.",
            with_unit(mdisk.0, "tx/s"),
            with_unit(paging.0, "tx/s")
        ),
        (true, Some(mdisk), Some(paging)) => format!(
            "From one end to the other, MDISK ETR goes from {} to {} and paging ETR from {}.",
            with_unit(mdisk.0, ""),
            with_unit(mdisk.1, "tx/s"),
            format_args!("{} to {}", with_unit(paging.0, ""), with_unit(paging.1, "tx/s"))
        ),
        _ => "Throughput moves with the aliases from one kind of I/O to the other.".into(),
    };
    let words = Words {
        id: ETR,
        title: if relative { "Relative ETR (Figure 1)" } else { "ETR" },
        summary,
        x: x(),
        y: if relative {
            Quantity::new("ETR divided by that at a share of 1 of 16", "")
        } else {
            Quantity::new("ETR", "tx/s")
        },
    };
    chart(studied, words, &curves, Vec::new())
}

fn queue(studied: &Studied) -> Chart {
    let curves = curves(Figure::MdiskQueue, Figure::PagingQueue, false, last(studied));
    let words = Words {
        id: "set-cu-queue",
        title: "I/Os waiting for an exposure",
        summary: "I/Os of a kind, on all its volumes, that wait for the base or an alias. No figure is published.".into(),
        x: x(),
        y: Quantity::new("I/Os waiting, mean over time", "I/Os"),
    };
    chart(studied, words, &curves, Vec::new())
}
