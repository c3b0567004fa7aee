//! The answers of trials: sentences and tables for a question about a relocation. Knows no browser.

use zvmlab::scenario::Scenario;
use zvmlab::snapshot::EndCode;

use super::{Question, maxquiesce, mover};
use crate::batch::RunState;
use crate::batch::limit;
use crate::batch::moved::{Moved, PAGES_PER_GB, quiesce_s};
use crate::batch::sheet::{Cell, Sheet};
use crate::batch::trials::{Trial, Trials};
use crate::words::number::{difference, short};
use crate::words::state::why_not;
use crate::words::unit::NO_BREAK;
use zvmlab::Figure;

/// A time in s, as a sentence has it.
pub fn seconds(time: f64) -> String {
    format!("{}{NO_BREAK}s", short(time))
}

/// What happened to the guests of a run, as part of a sentence: `stopped for 6.4 s`, `cancelled at 10 s`.
pub fn outcome(scenario: &Scenario, moved: &Moved) -> String {
    let all = moved.relocations.len();
    match (moved.relocations.as_slice(), moved.worst()) {
        ([], _) => "no guest moved".into(),
        ([one], Some((_, time))) if one.end == Some(EndCode::Completed) => format!("stopped for {}", seconds(time)),
        ([one], _) => given_up(scenario, one.end),
        (_, Some((worst, time))) if moved.all_completed() => {
            format!("stopped for {} at most ({})", seconds(time), worst.name)
        }
        _ => {
            let first = moved.not_completed().next().map(|(_, end)| given_up(scenario, end)).unwrap_or_default();
            format!("{} of {all} guests not moved ({first})", moved.not_completed().count())
        }
    }
}

fn given_up(scenario: &Scenario, end: Option<EndCode>) -> String {
    let at = |limit: Option<u32>| limit.map_or(String::new(), |limit| format!(" at {}", seconds(limit.into())));
    match end {
        Some(EndCode::MaxQuiesce) => format!("cancelled{}", at(scenario.relocation.quiesce_limit_s())),
        Some(EndCode::MaxTotal) => format!("cancelled{} in total", at(scenario.relocation.total_limit_s())),
        other => format!("not moved: {}", why_not(scenario, other)),
    }
}

/// The answer to what one more chpid would gain, a sentence for each link.
pub fn chpids(trials: &Trials) -> Vec<String> {
    let Some((present, known)) = trials.runs.first().and_then(|trial| Some((trial, trial.known()?))) else {
        return Vec::new();
    };
    let total = |moved: &Moved| moved.total_s().filter(|_| moved.completed().next().is_some());
    let in_all = |moved: &Moved| total(moved).map_or(String::new(), |total| format!(", {} in all", seconds(total)));
    let mut said =
        vec![format!("As it is, with {}: {}{}.", present.at.name, outcome(&present.scenario, known), in_all(known))];
    let others = trials.runs.iter().skip(1).filter_map(|trial| Some((trial, trial.known()?)));
    for (at, (trial, moved)) in others.enumerate() {
        let speed = trial.scenario.isfc.chpids().last().map_or(0, |chpid| chpid.0.gb_s());
        let count = trial.scenario.isfc.chpids().len();
        let first = format!("A {} chpid of {speed} Gb: ", ordinal(count));
        let now = outcome(&trial.scenario, moved);
        let before = outcome(&present.scenario, known);
        // Two times side by side need the words around them only once.
        let short = before.strip_prefix("stopped for ").filter(|_| now.starts_with("stopped for "));
        said.push(match at {
            0 if now == before => format!("{first}{now}, as before{}.", in_all(moved)),
            0 => format!("{first}{now} instead of {}{}.", short.unwrap_or(&before), in_all(moved)),
            _ => format!("{first}{now}{}.", in_all(moved)),
        });
    }
    said.extend(tolerated(trials));
    said
}

/// The first link with which every stop is within MAXQUIESCE and tolerance.
fn tolerated(trials: &Trials) -> Option<String> {
    let asks = |trial: &Trial| {
        let tolerates = trial.scenario.guests.iter().any(|group| group.tolerance_ms > 0);
        tolerates || trial.scenario.relocation.quiesce_limit_s().is_some()
    };
    let first = trials.runs.first().filter(|trial| asks(trial))?;
    if !trials.is_complete() {
        return None;
    }
    let good = |trial: &&Trial| {
        trial.known().is_some_and(|moved| moved.all_completed() && moved.beyond_tolerance().next().is_none())
    };
    let bounds = bounds(&first.scenario);
    Some(match trials.runs.iter().find(good) {
        Some(trial) if trial.key == first.key => format!("The present link is enough to stay within {bounds}."),
        Some(trial) => format!("To stay within {bounds}, the link needs {}.", trial.at.name),
        None => format!("None of these links is enough to stay within {bounds}."),
    })
}

/// The limits of the quiesce time, in words: `MAXQUIESCE 10 s, the default and the 10 s that SERVER tolerates`.
fn bounds(scenario: &Scenario) -> String {
    let limit = scenario.relocation.quiesce_limit_s().map(|_| maxquiesce(scenario));
    let group = mover(scenario).map(|at| &scenario.guests[at]).filter(|group| group.tolerance_ms > 0);
    let tolerated =
        group.map(|group| format!("the {} that {} tolerates", seconds(f64::from(group.tolerance_ms) / 1e3), group.name));
    limit.into_iter().chain(tolerated).collect::<Vec<_>>().join(" and ")
}

fn ordinal(count: usize) -> &'static str {
    match count {
        2 => "second",
        3 => "third",
        _ => "fourth",
    }
}

/// The table of the links, the present one first.
pub fn chpids_sheet(trials: &Trials) -> Sheet {
    let one = trials.runs.first().and_then(Trial::known).is_some_and(|moved| moved.relocations.len() == 1);
    let (quiesce, time) =
        if one { ("Quiesce (s)", "Relocation (s)") } else { ("Longest quiesce (s)", "All relocations (s)") };
    let row = |trial: &Trial| {
        let cells = match &trial.state {
            RunState::Due => vec![Cell::words("…")],
            RunState::LeftOut(why) => vec![Cell::words(why.clone())],
            RunState::Known(moved) => link_cells(&trial.scenario, moved),
        };
        (trial.at.name.clone(), trial.key == trials.runs[0].key, cells)
    };
    Sheet {
        title: Question::Chpids.title().into(),
        columns: [
            quiesce,
            time,
            "Within MAXQUIESCE",
            "Within tolerance",
            "Link busy (%)",
            "Passes",
            "Moved (GB)",
            "What sets the quiesce time",
        ]
        .map(String::from)
        .to_vec(),
        rows: trials.runs.iter().map(row).collect(),
    }
}

fn link_cells(scenario: &Scenario, moved: &Moved) -> Vec<Cell> {
    let worst = moved.worst().map(|(_, time)| time);
    let total = moved.total_s().filter(|_| moved.completed().next().is_some());
    let by = |code: EndCode| moved.not_completed().filter(|(_, end)| *end == Some(code)).count();
    let limit = scenario.relocation.quiesce_limit_s();
    let within = match (limit, by(EndCode::MaxQuiesce)) {
        (None, _) => Cell::words("no limit"),
        (Some(limit), 0) if moved.all_completed() => Cell::words(format!("yes, {limit} s")).judged(Some(true)),
        (Some(limit), 1) if moved.relocations.len() == 1 => {
            Cell::words(format!("no: cancelled at {limit} s")).judged(Some(false))
        }
        (Some(limit), count) if count > 0 => Cell::words(format!("no: {count} cancelled at {limit} s")).judged(Some(false)),
        _ => Cell::words(moved.not_completed().next().map(|(_, end)| why_not(scenario, end)).unwrap_or_default())
            .judged(Some(false)),
    };
    let tolerates = moved.relocations.iter().any(|relocation| relocation.tolerance_ms > 0);
    let tolerated = match (tolerates, moved.beyond_tolerance().count()) {
        (false, _) => Cell::words("nothing said"),
        (true, 0) if moved.all_completed() => Cell::words("yes").judged(Some(true)),
        (true, 0) => Cell::words("not moved").judged(Some(false)),
        (true, _) if moved.relocations.len() == 1 => Cell::words("no").judged(Some(false)),
        (true, beyond) => Cell::words(format!("no: {beyond} guests")).judged(Some(false)),
    };
    let figure = |figure: Figure| Cell::number(moved.measurement.get(figure));
    let pages: u64 = moved.relocations.iter().map(|relocation| relocation.pages()).sum();
    let passes = moved.relocations.iter().map(|relocation| relocation.passes.len()).max().unwrap_or(0);
    vec![
        Cell::number(worst),
        Cell::number(total),
        within,
        tolerated,
        figure(Figure::LinkBusy),
        Cell::number(Some(passes as f64)),
        Cell::number(Some(pages as f64 / PAGES_PER_GB)),
        Cell::words(limit::of_quiesce(scenario, moved).map_or(String::new(), limit::Limit::short)),
    ]
}

/// One claim of the deck: its text, the combination that it names, the place of that, whether that has the least, and the figure.
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
pub fn options_sheet(trials: &Trials) -> Sheet {
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
        title: Question::Options.title().into(),
        columns: ["Total (s)", "Individual, mean (s)", "Quiesce, mean (s)", "Quiesce, longest (s)", "Moved"]
            .map(String::from)
            .to_vec(),
        rows: trials.runs.iter().map(row).collect(),
    }
}

/// The deck's summary and the model's result: whether they agree, once all four runs are known.
pub fn claims_sheet(trials: &Trials) -> Sheet {
    let row = |claim: &Claim| (claim.0.to_string(), false, vec![Cell::words(claim.1), agreement(trials, claim)]);
    Sheet {
        title: "VMRELOCATE options: the deck’s summary and the model".into(),
        columns: ["The 6.2 deck says", "The model"].map(String::from).to_vec(),
        rows: CLAIMS.iter().map(row).chain([only_slightly(trials)]).collect(),
    }
}

/// What the deck says of total relocation time one after the other, and what the model says. The two may well differ.
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
pub fn options(trials: &Trials) -> Vec<String> {
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

/// How much work MEMBER1 loses to members that come and go, in a sentence.
pub fn transitions(trials: &Trials) -> Vec<String> {
    let etr = |at: usize| trials.runs.get(at).and_then(Trial::known).and_then(|moved| moved.measurement.get(Figure::Etr));
    let Some((with, without)) = etr(0).zip(etr(1)) else { return Vec::new() };
    let unit = Figure::Etr.unit();
    let differs = difference(without, with).map_or(String::new(), |differs| format!(" ({differs})"));
    vec![format!(
        "ETR at MEMBER1 is {with:.1} {unit} while members come and go, and {without:.1} when all stay joined{differs}."
    )]
}

/// The table of both runs, for MEMBER1.
pub fn transitions_sheet(trials: &Trials) -> Sheet {
    let figures = [Figure::Etr, Figure::ResponseTime, Figure::TotalBusy];
    let row = |trial: &Trial| {
        let cells = match &trial.state {
            RunState::Due => vec![Cell::words("…")],
            RunState::LeftOut(why) => vec![Cell::words(why.clone())],
            RunState::Known(moved) => figures.map(|figure| Cell::number(moved.measurement.get(figure))).to_vec(),
        };
        (trial.at.name.clone(), trial.key == trials.runs[0].key, cells)
    };
    Sheet {
        title: Question::Transitions.title().into(),
        columns: figures.map(|figure| format!("{} ({})", figure.label(), figure.unit())).to_vec(),
        rows: trials.runs.iter().map(row).collect(),
    }
}

/// Why a trial has no time, in a few words; `None` if it has one.
pub fn no_time(trial: &Trial) -> Option<String> {
    let moved = trial.known()?;
    let (first, end) = moved.not_completed().next()?;
    let count = moved.not_completed().count();
    let vain = limit::stopped_in_vain_s(first)
        .map_or(String::new(), |time| format!(", its guest stopped for {} in vain", seconds(time)));
    Some(match (moved.relocations.len(), count) {
        (1, _) => format!("{}{vain}", why_not(&trial.scenario, end)),
        (all, count) => format!("{count} of {all} guests: {}", why_not(&trial.scenario, end)),
    })
}

/// The longest quiesce time of a trial in which all guests moved, in s.
pub fn quiesce_time(trial: &Trial) -> Option<f64> {
    let moved = trial.known().filter(|moved| moved.all_completed())?;
    moved.completed().filter_map(quiesce_s).reduce(f64::max)
}

/// The relocation time of a trial in which all guests moved, in s: from the first VMRELOCATE to the last end.
pub fn relocation_time(trial: &Trial) -> Option<f64> {
    trial.known().filter(|moved| moved.all_completed())?.total_s()
}

#[cfg(test)]
pub mod tests;
