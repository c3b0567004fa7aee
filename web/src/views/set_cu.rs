//! SET CU: what minidisk and paging I/O hold, achieve and wait for as their shares of the aliases change.

use zvmlab::Figure;

use super::studied::{Curve, Expected, Studied, Words, chart};
use crate::chart::number::{short, with_unit};
use crate::chart::{Chart, Quantity};

/// The id of the chart of throughput.
pub const ETR: &str = "set-cu-etr";

/// The looks of the two claimants.
const MDISK: usize = 0;
const PAGING: usize = 1;
/// The look of what is entitled.
const ENTITLED: usize = 7;

/// Aliases held beyond the entitlement from which the sentence speaks of it. Chosen: beyond what chance makes of a mean.
const BEYOND: f64 = 0.1;

/// The charts of SET CU. `relative` scales each ETR by the one achieved when entitled to one alias only, as figure 1 of the
/// 6.4 paging page does.
pub fn charts(studied: &Studied, relative: bool) -> Vec<Chart> {
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

/// The last place: paging has all shares but one.
fn last(studied: &Studied) -> usize {
    studied.study.subject.places().len() - 1
}

/// What each claimant is entitled to: the pool times its share. Arithmetic, not the model.
fn entitled(studied: &Studied) -> [Vec<f64>; 2] {
    let pool = f64::from(studied.bench.lcu.aliases);
    let shares: Vec<(f64, f64)> = studied
        .study
        .points
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

/// Where one claimant holds more than its entitlement because the other does not want its own.
fn aliases_summary(studied: &Studied, curves: &[Curve; 2], entitled: [&Vec<f64>; 2]) -> String {
    let places = studied.study.subject.places();
    let beyond = |claimant: usize| {
        let held = curves[claimant].model(studied);
        let most = |(place, held): &(usize, f64)| Some((*place, *held, *held - entitled[claimant].get(*place)?));
        held.iter().filter_map(most).filter(|found| found.2 > BEYOND).max_by(|a, b| a.2.total_cmp(&b.2))
    };
    if !studied.is_of_bench || !studied.study.is_complete() {
        return "What each kind of I/O holds of the pool, beside what its share entitles it to.".into();
    }
    let tail = |claimant: usize, name: &str, other: &str| {
        let (place, held, _) = beyond(claimant)?;
        Some(format!(
            "At {} {name} I/O holds {} aliases where it is entitled to {}: it takes what {other} does not want.",
            places.get(place)?,
            short(held),
            short(entitled[claimant][place])
        ))
    };
    tail(0, "minidisk", "paging")
        .or_else(|| tail(1, "paging", "minidisk I/O"))
        .unwrap_or_else(|| "Both always want more than there is: each holds what its share entitles it to.".into())
}

fn etr(studied: &Studied, relative: bool) -> Chart {
    let curves = curves(Figure::MdiskEtr, Figure::Etr, relative, last(studied));
    let ends = |curve: &Curve| {
        let values = curve.model(studied);
        Some((values.first()?.1, values.last()?.1))
    };
    let known = studied.is_of_bench && studied.study.is_complete();
    let summary = match (known, ends(&curves[0]), ends(&curves[1])) {
        (true, Some(mdisk), Some(paging)) if relative => format!(
            "With all shares but one, minidisk I/O achieves {} times and paging {} times what each does with one.",
            short(mdisk.0),
            short(paging.1)
        ),
        (true, Some(mdisk), Some(paging)) => format!(
            "From one end to the other, MDISK ETR goes from {} to {} and paging ETR from {}.",
            with_unit(mdisk.0, ""),
            with_unit(mdisk.1, "tx/s"),
            format_args!("{} to {}", with_unit(paging.0, ""), with_unit(paging.1, "tx/s"))
        ),
        _ => "What aliases move from one kind of I/O to the other, throughput follows.".into(),
    };
    let words = Words {
        id: ETR,
        title: if relative { "Relative ETR" } else { "ETR" },
        summary,
        x: x(),
        y: if relative {
            Quantity::new("ETR, multiples of that with a share for one alias", "")
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
        summary: "What waits on all volumes of a kind for the base or an alias. No figure is published for it.".into(),
        x: x(),
        y: Quantity::new("I/Os waiting, mean over time", "I/Os"),
    };
    chart(studied, words, &curves, Vec::new())
}
