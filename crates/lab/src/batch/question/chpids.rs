//! The question what one more chpid would gain.

use zvmlab::scenario::{Chpid, MaxQuiesce};
use zvmlab::snapshot::EndCode;
use zvmlab::{Figure, Scenario};

use super::answer::seconds;
use super::link::NOT_PUBLISHED;
use super::{Answer, Question};
use crate::batch::RunState;
use crate::batch::limit;
use crate::batch::moved::{Moved, PAGES_PER_GB};
use crate::batch::relocating::mover;
use crate::batch::sheet::{Cell, Sheet};
use crate::batch::trials::{NewTrial, Trial, Trials};
use crate::words::state::why_not;

/// What would one more chpid gain?
pub static CHPIDS: &Question = &Question {
    id: "chpids",
    label: "One more chpid",
    title: "What would one more chpid gain?",
    of_relocation: true,
    first: |_| Some(30),
    lacking: |base| {
        Some(match base {
            _ if base.isfc.chpids().len() >= CHPIDS_MAX => "the link has four chpids already",
            _ if ctcs_left(base) == 0 => "the link has 16 CTCs already",
            _ => return None,
        })
    },
    made,
    answer: Answer::Tables { told, sheets: &[(sheet, "Link")] },
    not_published: NOT_PUBLISHED,
};

/// CTCs on an added chpid; this is the best practice.
const CTCS: u32 = 4;
/// Most CTCs of a link.
const CTCS_MAX: u32 = 16;
/// Most chpids of a link.
const CHPIDS_MAX: usize = 4;

fn ctcs_left(base: &Scenario) -> u32 {
    CTCS_MAX.saturating_sub(base.isfc.chpids().iter().map(|(_, ctcs)| ctcs).sum())
}

/// Sets the link's chpids.
fn set_chpids(scenario: &mut Scenario, chpids: &[(Chpid, u32)]) {
    let link = &mut scenario.isfc;
    let at = |at: usize| chpids.get(at).copied().unwrap_or((Chpid::None, CTCS));
    [(link.chpid1, link.ctcs1), (link.chpid2, link.ctcs2), (link.chpid3, link.ctcs3), (link.chpid4, link.ctcs4)] =
        [at(0), at(1), at(2), at(3)];
}

/// The present link, and the same link with more and more chpids, up to four.
fn made(base: &Scenario) -> Vec<NewTrial> {
    let present = base.isfc.chpids();
    let speed = present.last().map_or(Chpid::Gb8, |chpid| chpid.0);
    let with = |count: usize| {
        let mut scenario = base.clone();
        if count > present.len() {
            let mut chpids = present.clone();
            while chpids.len() < count {
                let left = CTCS_MAX.saturating_sub(chpids.iter().map(|chpid| chpid.1).sum());
                chpids.push((speed, CTCS.min(left)));
            }
            // Without a CTC a chpid carries nothing.
            chpids.retain(|chpid| chpid.1 > 0);
            set_chpids(&mut scenario, &chpids);
        }
        NewTrial { name: link_name(&scenario), x: count as f64, scenario }
    };
    let mut made: Vec<NewTrial> = (present.len()..=CHPIDS_MAX).map(with).collect();
    made.dedup_by(|a, b| a.scenario == b.scenario);
    made
}

/// The chpids of a link in words: `2 chpids of 8 Gb`, `chpids of 8, 4 and 4 Gb`.
fn link_name(scenario: &Scenario) -> String {
    let chpids = scenario.isfc.chpids();
    let speeds: Vec<u32> = chpids.iter().map(|(chpid, _)| chpid.gb_s()).collect();
    match speeds.as_slice() {
        [] => "no chpid".into(),
        [one] => format!("1 chpid of {one} Gb"),
        [first, rest @ ..] if rest.iter().all(|speed| speed == first) => format!("{} chpids of {first} Gb", speeds.len()),
        [rest @ .., last] => {
            let rest: Vec<String> = rest.iter().map(u32::to_string).collect();
            format!("chpids of {} and {last} Gb", rest.join(", "))
        }
    }
}

/// What happened to the guests of a run, as part of a sentence: `stopped for 6.4 s`, `cancelled at 10 s`.
fn outcome(scenario: &Scenario, moved: &Moved) -> String {
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

/// What one more chpid would gain: a sentence for each link.
pub(super) fn told(trials: &Trials) -> Vec<String> {
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
        // Two times in a row share the words around them.
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

/// The first link with which every stop is within MAXQUIESCE and within what the guest tolerates.
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
pub(super) fn sheet(trials: &Trials) -> Sheet {
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
        title: CHPIDS.title.into(),
        columns: [
            quiesce,
            time,
            "Within MAXQUIESCE",
            "Within tolerance",
            "Link busy in the move (%)",
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

/// MAXQUIESCE of a scenario in words.
fn maxquiesce(scenario: &Scenario) -> String {
    match (scenario.relocation.quiesce_limit_s(), scenario.relocation.maxquiesce) {
        (Some(limit), MaxQuiesce::Default) => format!("MAXQUIESCE {limit} s, the default"),
        (Some(limit), _) => format!("MAXQUIESCE {limit} s"),
        (None, _) => "no MAXQUIESCE".into(),
    }
}
