//! SYNCH or ASYNCH, with or without IMMEDIATE: the four combinations, compared with the deck's summary of them.

use zvmlab::Scenario;
use zvmlab::scenario::Relocate;

use super::answer::seconds;
use super::destination::is_short;
use super::{Answer, Question};
use crate::batch::RunState;
use crate::batch::moved::Moved;
use crate::batch::sheet::{Cell, Sheet};
use crate::batch::trials::{NewTrial, Trial, Trials};
use crate::host::moving;
use crate::words::number::short;
use crate::words::state::why_not;
use crate::words::unit::NO_BREAK;

/// SYNCH or ASYNCH, with or without IMMEDIATE.
pub static OPTIONS: &Question = &Question {
    id: "options",
    label: "SYNCH, ASYNCH, IMMEDIATE",
    title: "One after the other or all at once, with or without IMMEDIATE?",
    of_relocation: true,
    first: |base| (!is_short(base)).then_some(20),
    lacking: |base| (moving(base) < 2).then_some("with one guest, one after the other and all at once are the same"),
    made,
    answer: Answer::Tables { told, sheets: &[(sheet, "VMRELOCATE"), (claims_sheet, "Which is")] },
    not_published: "IBM’s charts of this (25 Linux guests of 4 GB) are lost; its summary in words stands in the table. No figure is published here.",
};

/// The four combinations of the options.
fn made(base: &Scenario) -> Vec<NewTrial> {
    let with = |(mode, immediate): (Relocate, bool)| {
        let mut scenario = base.clone();
        (scenario.relocation.mode, scenario.relocation.immediate) = (mode, immediate);
        let name = format!("{}{}", mode.as_str(), if immediate { " IMMEDIATE" } else { "" });
        NewTrial { name, x: 0.0, scenario }
    };
    let (one, all) = (Relocate::Synch, Relocate::Asynch);
    [(one, false), (one, true), (all, false), (all, true)].into_iter().map(with).collect()
}

/// One claim of the deck: its text, the combination that it names, the index of that combination, whether it has the least
/// of the figure (else it has the most), and the figure.
type Claim = (&'static str, &'static str, usize, bool, fn(&Moved) -> Option<f64>);

/// The claims in the deck's summary of VMRELOCATE's options.
const CLAIMS: [Claim; 4] = [
    ("Best total relocation time", "concurrent (ASYNCH) + IMMEDIATE", 3, true, Moved::total_s),
    ("Best individual relocation time", "serial (SYNCH) + IMMEDIATE", 1, true, Moved::mean_relocation_s),
    ("Best quiesce times", "serial (SYNCH)", 0, true, Moved::mean_quiesce_s),
    ("Worst quiesce times", "concurrent (ASYNCH) + IMMEDIATE", 3, false, Moved::mean_quiesce_s),
];

/// Up to this percentage longer counts as slightly. Chosen: the deck gives no number.
const SLIGHTLY_PERCENT: f64 = 10.0;

/// A value within this part of the best counts as just as good. Chosen: replications could hardly show a smaller difference.
const SAME: f64 = 0.02;

/// The table of the four combinations.
pub(super) fn sheet(trials: &Trials) -> Sheet {
    let base = &trials.base.relocation;
    let row = |trial: &Trial| {
        let cells = match &trial.state {
            RunState::Due => vec![Cell::words("…")],
            RunState::LeftOut(why) => vec![Cell::words(why.clone())],
            RunState::Known(moved) => {
                let not = moved.not_completed().count();
                let all = moved.relocations.len();
                let ended = match not {
                    0 => Cell::words(format!("all {all}")).judged(Some(true)),
                    _ => {
                        let why = moved.not_completed().next().map(|(_, end)| why_not(&trial.scenario, end));
                        Cell::words(format!("{} of {all}: {}", all - not, why.unwrap_or_default())).judged(Some(false))
                    }
                };
                vec![
                    Cell::number(moved.total_s()),
                    Cell::number(moved.mean_relocation_s()),
                    Cell::number(moved.mean_quiesce_s()),
                    Cell::number(moved.worst().map(|(_, time)| time)),
                    ended,
                ]
            }
        };
        let relocation = &trial.scenario.relocation;
        (trial.at.name.clone(), (relocation.mode, relocation.immediate) == (base.mode, base.immediate), cells)
    };
    Sheet {
        title: OPTIONS.title.into(),
        columns: ["Total (s)", "Individual, mean (s)", "Quiesce, mean (s)", "Quiesce, longest (s)", "Moved"]
            .map(String::from)
            .to_vec(),
        rows: trials.runs.iter().map(row).collect(),
    }
}

/// The deck's claims, each with whether the model agrees, once all four runs are known.
pub(super) fn claims_sheet(trials: &Trials) -> Sheet {
    let row = |claim: &Claim| (claim.0.to_string(), false, vec![Cell::words(claim.1), agreement(trials, claim)]);
    Sheet {
        title: "VMRELOCATE options: the deck’s summary and the model".into(),
        columns: ["The 6.2 deck says", "The model"].map(String::from).to_vec(),
        rows: CLAIMS.iter().map(row).chain([only_slightly(trials)]).collect(),
    }
}

/// The total relocation time of guests that move one after the other: the deck's claim and the model's result. The two may
/// differ.
fn only_slightly(trials: &Trials) -> (String, bool, Vec<Cell>) {
    let total = |at: usize| trials.runs.get(at).and_then(Trial::known).and_then(Moved::total_s);
    let told = match total(0).zip(total(2)).filter(|_| trials.is_complete()) {
        None if trials.is_complete() => Cell::words("no guest moved with these options"),
        None => Cell::words("…"),
        Some((one, all)) => {
            let percent = (one / all - 1.0) * 100.0;
            let agrees = percent <= SLIGHTLY_PERCENT;
            let (word, more) = (if agrees { "agrees" } else { "differs" }, if percent < 0.0 { "shorter" } else { "longer" });
            let by = short(percent.abs());
            Cell::words(format!("{word}: {by}{NO_BREAK}% {more}, {} against {}", seconds(one), seconds(all)))
                .judged(Some(agrees))
        }
    };
    let says = "serial (SYNCH) against concurrent (ASYNCH): elongates only slightly";
    ("Total relocation time, one after the other".into(), false, vec![Cell::words(says), told])
}

fn agreement(trials: &Trials, (_, _, expected, least, figure): &Claim) -> Cell {
    let values: Vec<(usize, f64)> =
        trials.runs.iter().enumerate().filter_map(|(at, trial)| Some((at, figure(trial.known()?)?))).collect();
    let Some(&(_, at_expected)) = values.iter().find(|value| value.0 == *expected).filter(|_| trials.is_complete()) else {
        let why = if trials.is_complete() { "no guest moved with these options" } else { "…" };
        return Cell::words(why);
    };
    let better = |a: &f64, b: &f64| if *least { b.total_cmp(a) } else { a.total_cmp(b) };
    let best = values.iter().max_by(|a, b| better(&a.1, &b.1)).copied().unwrap_or((*expected, at_expected));
    let name = |at: usize| trials.runs[at].at.name.as_str();
    let near = |value: f64| (value / best.1 - 1.0).abs() <= SAME;
    let also: Vec<&str> =
        values.iter().filter(|(at, value)| at != expected && near(*value)).map(|(at, _)| name(*at)).collect();
    match (best.0 == *expected || near(at_expected), also.as_slice()) {
        (true, []) => Cell::words(format!("agrees: {}", seconds(at_expected))).judged(Some(true)),
        (true, also) => {
            let also = also.join(" and ");
            Cell::words(format!("agrees: {}, but {also} differs by less than 2 %", seconds(at_expected))).judged(Some(true))
        }
        (false, _) => {
            let (best, than) = ((name(best.0), seconds(best.1)), seconds(at_expected));
            Cell::words(format!("differs: {} with {}, against {than}", best.1, best.0)).judged(Some(false))
        }
    }
}

/// How much longer one after the other takes than all at once, in total.
pub(super) fn told(trials: &Trials) -> Vec<String> {
    let total = |at: usize| trials.runs.get(at).and_then(Trial::known).and_then(Moved::total_s);
    let compare = |serial: usize, concurrent: usize, with: &str| {
        let (one, all) = (total(serial)?, total(concurrent)?);
        let percent = (one / all - 1.0) * 100.0;
        let more = if percent >= 0.0 { "longer" } else { "shorter" };
        let by = short(percent.abs());
        Some(format!(
            "One after the other takes {by}{NO_BREAK}% {more} in total than all at once{with}: {} against {}.",
            seconds(one),
            seconds(all)
        ))
    };
    [compare(0, 2, ""), compare(1, 3, " with IMMEDIATE")].into_iter().flatten().collect()
}
