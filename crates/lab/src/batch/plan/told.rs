//! The words of an evacuation: whether there is room, how plans compare, and the tables of both. Knows no browser.

use zvmlab::Scenario;

use super::{Outcome, Room, emptied, staying, targets};
use crate::batch::RunState;
use crate::batch::moved::{Moved, PAGES_PER_GB};
use crate::batch::question::answer::seconds;
use crate::batch::sheet::{Cell, Sheet};
use crate::batch::trials::{Trial, Trials};
use crate::words::number::{short, storage_mb};
use crate::words::state::why_not;
use crate::words::unit::NO_BREAK;

/// A smaller difference in s counts as none. Chosen: a tenth of a second does not matter where plans take minutes.
const SAME_S: f64 = 0.1;

/// Whether there is room for all guests that are to leave, in sentences, before anything runs.
pub fn white_space(base: &Scenario) -> Vec<String> {
    let rooms: Vec<Room> = targets(base).into_iter().map(|target| Room::of(base, target)).collect();
    let leaving: u64 = rooms.iter().map(|room| room.coming_mb).sum();
    let free: u64 = rooms.iter().map(Room::free_mb).sum();
    let space: u64 = rooms.iter().map(|room| room.page_space_mb).sum();
    let name = emptied(base).map_or(String::new(), |number| format!("MEMBER{number}"));
    let all = format!(
        "The guests that leave {name} have touched {}. The members that they can go to have {} of free frames and {} of page space",
        storage_mb(leaving),
        storage_mb(free),
        storage_mb(space)
    );
    let mut said = vec![match leaving {
        _ if leaving <= free => format!("{all}. All of it fits into frames."),
        _ if leaving <= free + space => format!("{all}. It fits only with paging."),
        _ => format!("{all}. It does not fit."),
    }];
    for room in rooms.iter().filter(|room| room.coming_mb > 0 && room.beyond_mb() > 0) {
        let beyond = storage_mb(room.beyond_mb());
        said.push(match room.fits() {
            true => format!(
                "In your plan, the guests at MEMBER{} touch {beyond} more than it has frames for. It will page.",
                room.member
            ),
            false => format!(
                "In your plan, the guests at MEMBER{} touch {beyond} more than it has frames for, and its page space holds only {}. They do not fit.",
                room.member,
                storage_mb(room.page_space_mb)
            ),
        });
    }
    let stay: Vec<String> = staying(base).iter().map(|group| format!("{} of {}", group.count, group.name)).collect();
    if !stay.is_empty() {
        said.push(format!("{name} is not empty afterwards: {} stay.", stay.join(", ")));
    }
    said
}

/// The room at each member, in your plan.
pub fn room_sheet(base: &Scenario) -> Sheet {
    let gb = |mb: u64| Cell::number(Some(mb as f64 / 1_024.0));
    let row = |target: u32| {
        let room = Room::of(base, target);
        let verdict = match (room.coming_mb, room.beyond_mb()) {
            (0, _) => Cell::words("no guest comes"),
            (_, 0) => Cell::words("into frames").judged(Some(true)),
            _ if room.fits() => Cell::words("with paging").judged(Some(false)),
            _ => Cell::words("no").judged(Some(false)),
        };
        let cells = vec![
            gb(room.central_mb),
            gb(room.there_mb),
            gb(room.free_mb()),
            gb(room.coming_mb),
            Cell::number(Some(room.overcommit())),
            gb(room.page_space_mb),
            verdict,
        ];
        (format!("MEMBER{target}"), false, cells)
    };
    Sheet {
        title: "White space before".into(),
        columns: [
            "Central storage (GB)",
            "Touched there (GB)",
            "Frames free (GB)",
            "To come (GB)",
            "Touched ÷ real then",
            "Page space (GB)",
            "Fits",
        ]
        .map(String::from)
        .to_vec(),
        rows: targets(base).into_iter().map(row).collect(),
    }
}

/// The table of the plans, the user's first.
pub fn plans_sheet(trials: &Trials) -> Sheet {
    let base = &trials.base;
    let yours = trials.runs.first().and_then(Trial::known).map(|moved| Outcome::of(base, moved));
    let row = |(at, trial): (usize, &Trial)| {
        let cells = match &trial.state {
            RunState::Due => vec![Cell::words("…")],
            RunState::LeftOut(why) => vec![Cell::words(why.clone())],
            RunState::Known(moved) => {
                let result = Outcome::of(&trial.scenario, moved);
                let than = yours.as_ref().filter(|_| at > 0).map(|yours| against(&result, yours));
                let first = Cell::words(than.unwrap_or_default());
                std::iter::once(first).chain(plan_cells(&trial.scenario, moved, &result)).collect()
            }
        };
        (trial.at.name.clone(), at == 0, cells)
    };
    let window = base.relocation.window_s;
    let total = if window > 0 { format!("Total (s), window {window}") } else { "Total (s)".into() };
    let heads = ["Against your plan", &total, "Moved", "Longest quiesce (s)", "Whose", "Within what each tolerates"];
    let of_targets = targets(base).into_iter().flat_map(|target| {
        [
            format!("MEMBER{target}: frames free (GB)"),
            format!("MEMBER{target}: touched ÷ real"),
            format!("MEMBER{target}: pages a second"),
        ]
    });
    Sheet {
        title: "Plans of the evacuation".into(),
        columns: heads.iter().map(ToString::to_string).chain(of_targets).collect(),
        rows: trials.runs.iter().enumerate().map(row).collect(),
    }
}

fn plan_cells(scenario: &Scenario, moved: &Moved, result: &Outcome) -> Vec<Cell> {
    let all = moved.relocations.len();
    let not = result.not_moved.len();
    let went = match result.not_moved.first() {
        None => Cell::words(format!("all {all}")).judged(Some(true)),
        Some((name, end)) => {
            let others = if not > 1 { format!(" and {} more", not - 1) } else { String::new() };
            Cell::words(format!("{} of {all}; not {name}{others}: {}", all - not, why_not(scenario, *end)))
                .judged(Some(false))
        }
    };
    let tolerance = moved.relocations.iter().any(|relocation| relocation.tolerance_ms > 0);
    let tolerated = match result.beyond.first() {
        _ if !tolerance => Cell::words("nothing said"),
        None => Cell::words("yes").judged(Some(true)),
        Some((name, time, tolerance)) => {
            let more = result.beyond.len() - 1;
            let others = if more > 0 { format!(" and {more} more") } else { String::new() };
            Cell::words(format!("{name} {} of {}{others}", seconds(*time), seconds(*tolerance))).judged(Some(false))
        }
    };
    let mut cells = vec![
        Cell::number(result.total_s).judged(result.in_window),
        went,
        Cell::number(result.worst.as_ref().map(|worst| worst.1)),
        Cell::words(result.worst.as_ref().map_or(String::new(), |worst| worst.0.clone())),
        tolerated,
    ];
    for target in targets(scenario) {
        let member = moved.members.get(target as usize - 1);
        cells.push(Cell::number(member.map(|member| member.available_frames as f64 / PAGES_PER_GB)));
        cells.push(Cell::number(member.map(|member| member.overcommit())));
        cells.push(Cell::number(member.map(|member| member.pages_per_s)));
    }
    cells
}

/// How a plan differs from the user's: `24 s shorter, longest quiesce 0.8 s longer (JAVA-2)`.
pub fn against(result: &Outcome, yours: &Outcome) -> String {
    let mut said = Vec::new();
    match (yours.not_moved.len(), result.not_moved.len()) {
        (before, now) if now > before => said.push(format!("{} fewer moved", guests(now - before))),
        (before, now) if now < before => said.push(format!("{} more moved", guests(before - now))),
        _ => {}
    }
    if let (Some(before), Some(now)) = (yours.total_s, result.total_s) {
        said.push(match now - before {
            less if less < -SAME_S => format!("{} shorter", seconds(-less)),
            more if more > SAME_S => format!("{} longer", seconds(more)),
            _ => "as long".into(),
        });
    }
    if let (Some((_, before)), Some((whose, now))) = (&yours.worst, &result.worst) {
        said.push(match now - before {
            less if less < -SAME_S => format!("longest quiesce {} shorter", seconds(-less)),
            more if more > SAME_S => format!("longest quiesce {} longer ({whose})", seconds(more)),
            _ => "longest quiesce the same".into(),
        });
    }
    match (yours.beyond.len(), result.beyond.len()) {
        (before, now) if now > before => said.push(format!("{} more beyond what they tolerate", guests(now - before))),
        (before, now) if now < before => said.push(format!("{} fewer beyond what they tolerate", guests(before - now))),
        _ => {}
    }
    match result.pages_per_s / yours.pages_per_s.max(1.0) {
        _ if yours.pages_per_s < 1.0 && result.pages_per_s >= 1.0 => said.push("members page".into()),
        _ if yours.pages_per_s >= 1.0 && result.pages_per_s < 1.0 => said.push("no member pages".into()),
        times if times >= 1.2 => said.push(format!("{} times the paging", short(times))),
        times if yours.pages_per_s >= 1.0 && times <= 0.8 => {
            said.push(format!("{}{NO_BREAK}% of the paging", short(times * 100.0)));
        }
        _ => {}
    }
    said.join(", ")
}

fn guests(count: usize) -> String {
    if count == 1 { "1 guest".into() } else { format!("{count} guests") }
}

/// The result of the plans: how the user's plan does, and which plan is best.
pub fn verdict(trials: &Trials) -> Vec<String> {
    let base = &trials.base;
    let known: Vec<(&Trial, Outcome)> =
        trials.runs.iter().filter_map(|trial| Some((trial, Outcome::of(&trial.scenario, trial.known()?)))).collect();
    let Some((_, yours)) = known.first().filter(|(trial, _)| trial.key == trials.runs[0].key) else { return Vec::new() };
    let mut said = vec![format!("Your plan: {}.", alone(base, yours))];
    if !trials.is_complete() {
        return said;
    }
    let Some((best, result)) = known.iter().min_by_key(|(_, result)| result.rank()) else { return said };
    let is_yours = best.key == trials.runs[0].key;
    said.push(match (is_yours, result.is_good()) {
        (true, true) => "No other plan that meets all requirements is shorter.".into(),
        (true, false) => "No plan meets all requirements, and none comes nearer than yours.".into(),
        (false, true) => {
            format!("The shortest plan that meets all requirements is “{}”: {}.", best.at.name, against(result, yours))
        }
        (false, false) => {
            format!("No plan meets all requirements. The nearest is “{}”: {}.", best.at.name, against(result, yours))
        }
    });
    said.extend(gentlest(&known, yours));
    let same = super::same_as_yours(base);
    if !same.is_empty() {
        said.push(format!("These do the same here as your plan: “{}”.", same.join("”, “")));
    }
    said
}

/// Which plan stops its guests for the shortest time, among plans that move at least as many guests as the user's.
fn gentlest(known: &[(&Trial, Outcome)], yours: &Outcome) -> Option<String> {
    let moved = known.iter().filter(|(_, result)| result.not_moved.len() <= yours.not_moved.len());
    let times = moved.filter_map(|(trial, result)| Some((trial, result.worst.as_ref()?.1)));
    let (trial, least) = times.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let (_, own) = yours.worst.as_ref()?;
    Some(match own - least {
        more if more > SAME_S => {
            format!(
                "The plan “{}” stops guests for the shortest time: the longest quiesce is {} instead of {}.",
                trial.at.name,
                seconds(least),
                seconds(*own)
            )
        }
        _ => format!("No plan has shorter stops than yours ({} at most).", seconds(*own)),
    })
}

/// A plan compared with window and tolerance, in words.
fn alone(base: &Scenario, result: &Outcome) -> String {
    let window = base.relocation.window_s;
    let total = match (result.total_s, result.in_window) {
        (None, _) => "it does not end within one simulated hour".to_string(),
        (Some(total), None) => format!("{} in all", seconds(total)),
        (Some(total), Some(true)) => format!("{} in all, within the window of {}", seconds(total), seconds(window.into())),
        (Some(total), Some(false)) => {
            format!(
                "{} in all, {} more than the window of {}",
                seconds(total),
                seconds(total - f64::from(window)),
                seconds(window.into())
            )
        }
    };
    let moved = match result.not_moved.len() {
        0 => String::new(),
        count => format!("; {} not moved", guests(count)),
    };
    let stopped = result
        .worst
        .as_ref()
        .map_or(String::new(), |(whose, time)| format!("; longest quiesce {} ({whose})", seconds(*time)));
    let beyond = match result.beyond.first() {
        None => String::new(),
        Some((name, time, tolerance)) => {
            format!("; {name} is stopped for {} and tolerates {}", seconds(*time), seconds(*tolerance))
        }
    };
    format!("{total}{moved}{stopped}{beyond}")
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use zvmlab::snapshot::{EndCode, RelocationSnapshot};

    use super::super::plans;
    use super::*;
    use crate::batch::moved::tests::{moved, relocation};
    use crate::batch::sheet::Verdict;

    fn base() -> Scenario {
        let example = zvmlab::scenario::examples::example("EVACUATION").expect("an example");
        Scenario::parse(example.text).expect("valid")
    }

    fn tried(runs: &[Vec<RelocationSnapshot>]) -> Trials {
        let base = base();
        let mut trials = Trials::begin(base.clone(), 1, plans(&base), &|_| None);
        for (at, run) in runs.iter().enumerate() {
            let key = trials.runs[at].key.clone();
            trials.put(&key, &RunState::Known(Rc::new(moved(run.clone()))));
        }
        trials
    }

    fn run(total_ms: u64, quiesce_ms: u64) -> Vec<RelocationSnapshot> {
        let java = relocation("JAVA-2", EndCode::Completed, total_ms, quiesce_ms);
        vec![RelocationSnapshot { tolerance_ms: 5_000, ..java }]
    }

    #[test]
    fn whether_it_fits_is_said_before_anything_is_run() {
        let mut base = base();
        let said = white_space(&base);
        assert!(
            said[0].starts_with("The guests that leave MEMBER1 have touched ")
                && said[0].ends_with(". All of it fits into frames."),
            "{said:?}"
        );
        assert_eq!(room_sheet(&base).rows.len(), 2);
        base.guests[1].loop_mb = 1_048_576;
        let said = white_space(&base);
        assert!(said[0].ends_with(". It does not fit.") && said[1].ends_with(". They do not fit."), "{said:?}");
        let sheet = room_sheet(&base);
        assert_eq!(sheet.rows[1].2[6].words, "no");
        base.guests[2].move_to = 0;
        assert!(white_space(&base).iter().any(|said| said == "MEMBER1 is not empty afterwards: 8 of WEB stay."));
    }

    #[test]
    fn plans_are_held_against_yours() {
        let count = plans(&base()).len();
        let mut runs = vec![run(320_000, 4_000); count];
        runs[1] = run(296_000, 4_800);
        let trials = tried(&runs);
        let sheet = plans_sheet(&trials);
        assert_eq!(sheet.rows[1].2[0].words, "24\u{a0}s shorter, longest quiesce 0.8\u{a0}s longer (JAVA-2)");
        assert_eq!((sheet.rows[0].2[1].verdict, sheet.rows[1].2[1].verdict), (Verdict::Missed, Verdict::Held));
        assert_eq!(sheet.rows[0].2[0].words, "", "your plan is not compared with itself");
        let said = verdict(&trials);
        assert!(said[0].starts_with("Your plan: 320\u{a0}s in all, 20\u{a0}s more than the window of 300\u{a0}s; longest quiesce 4\u{a0}s (JAVA-2)."), "{said:?}");
        let wanted =
            format!("The shortest plan that meets all requirements is “{}”: 24\u{a0}s shorter", trials.runs[1].at.name);
        assert!(said[1].starts_with(&wanted), "{said:?}");
        assert_eq!(said[2], "No plan has shorter stops than yours (4\u{a0}s at most).");
        assert!(said[3].starts_with("These do the same here as your plan: “largest first”"), "{said:?}");
        assert_eq!(verdict(&tried(&runs[..1])).len(), 1, "the others are to come");
        assert!(verdict(&tried(&[])).is_empty());
    }

    #[test]
    fn a_plan_that_fails_is_not_best_however_short() {
        let count = plans(&base()).len();
        let mut runs = vec![run(200_000, 4_000); count];
        runs[1] = vec![relocation("JAVA-2", EndCode::MaxQuiesce, 20_000, 10_000)];
        runs[2] = run(100_000, 6_000);
        let trials = tried(&runs);
        let said = verdict(&trials);
        assert_eq!(said[1], "No other plan that meets all requirements is shorter.");
        let sheet = plans_sheet(&trials);
        assert_eq!(sheet.rows[1].2[2].words, "0 of 1; not JAVA-2: MAXQUIESCE of 10 s exceeded (05)");
        assert_eq!(sheet.rows[1].2[0].words, "1 guest fewer moved, 180\u{a0}s shorter");
        assert_eq!(sheet.rows[2].2[5].words, "JAVA-2 6\u{a0}s of 5\u{a0}s");
        assert!(sheet.rows[2].2[0].words.ends_with("1 guest more beyond what they tolerate"), "{:?}", sheet.rows[2].2[0]);
    }
}
