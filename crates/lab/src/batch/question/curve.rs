//! The sentences about a curve: where it begins and ends, where it is flat, what limits its points, and which runs have no
//! point. Needs no browser.

use super::Curves;
use super::answer::{no_time, quiesce_time, relocation_time, seconds};
use crate::batch::flat::flat_from;
use crate::batch::limit::{self, Limit};
use crate::batch::trials::{Trial, Trials};

/// A time that a chart draws over the question's axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// How long the guest is stopped; of several guests, the longest.
    Quiesce,
    /// From VMRELOCATE to the end; of several relocations, to the last end.
    Relocation,
}

impl Time {
    /// Its name in a sentence.
    pub fn word(self) -> &'static str {
        match self {
            Time::Quiesce => "quiesce time",
            Time::Relocation => "relocation time",
        }
    }

    /// Its value in a trial, in s; `None` if a guest did not move.
    pub fn of(self, trial: &Trial) -> Option<f64> {
        match self {
            Time::Quiesce => quiesce_time(trial),
            Time::Relocation => relocation_time(trial),
        }
    }

    /// What limits it, if the run shows it.
    pub fn limit(self, trial: &Trial) -> Option<Limit> {
        let moved = trial.known().filter(|moved| moved.all_completed())?;
        match self {
            Time::Quiesce => limit::of_quiesce(&trial.scenario, moved),
            Time::Relocation => limit::of_relocation(moved),
        }
    }
}

/// The sentences about `time` over the question's axis.
pub fn told(curves: &Curves, trials: &Trials, time: Time) -> String {
    let points: Vec<(&Trial, f64)> = trials.runs.iter().filter_map(|trial| Some((trial, time.of(trial)?))).collect();
    let mut said = match points.as_slice() {
        _ if !trials.is_complete() => vec!["Points appear as their runs end.".to_string()],
        [] => vec![format!("No run here has a {}.", time.word())],
        [(at, only)] => vec![format!("The {} is {} at {}.", time.word(), seconds(*only), curves.place(&at.at.name))],
        [(first, from), .., (last, to)] => {
            let (word, from, to) = (time.word(), seconds(*from), seconds(*to));
            let went = format!(
                "From {} to {} {word} goes from {from} to {to}",
                curves.place(&first.at.name),
                curves.place(&last.at.name)
            );
            vec![format!("{went}{}.", flat(curves, time, &points))]
        }
    };
    if trials.is_complete() {
        said.extend(what_sets(time, &points));
    }
    said.extend(without(trials));
    said.join(" ")
}

/// Where the curve becomes flat, and what limits it there.
fn flat(curves: &Curves, time: Time, points: &[(&Trial, f64)]) -> String {
    let values: Vec<(u64, f64)> = points.iter().enumerate().map(|(at, point)| (at as u64, point.1)).collect();
    let Some(from) = flat_from(&values).and_then(|at| points.get(at as usize)) else { return String::new() };
    if from.0.key == points[0].0.key {
        return ", and no step changes it by 2 % or more".into();
    }
    let Some((last, _)) = points.last() else { return String::new() };
    let because = time.limit(last).map_or(String::new(), |limit| format!(": {}", limit.words()));
    // Two points are no stretch.
    if points.iter().nth_back(1).is_some_and(|(trial, _)| trial.key == from.0.key) {
        let (before, last) = (curves.place(&from.0.at.name), &last.at.name);
        return format!(", and the last step, from {before} to {last}, changes it by less than 2 %{because}");
    }
    format!(", and is flat from {} on, where no step changes it by 2 % or more{because}", curves.place(&from.0.at.name))
}

/// What limits the points, in their order. Neighbours with the same limit share a clause.
fn what_sets(time: Time, points: &[(&Trial, f64)]) -> Option<String> {
    let mut stretches: Vec<(&Trial, &Trial, Option<Limit>)> = Vec::new();
    for (trial, _) in points {
        let limit = time.limit(trial);
        match stretches.last_mut() {
            Some((_, last, known)) if same(*known, limit) => (*last, *known) = (trial, limit),
            _ => stretches.push((trial, trial, limit)),
        }
    }
    let stretch = |(first, last, limit): &(&Trial, &Trial, Option<Limit>)| {
        let at = if first.key == last.key {
            format!("at {}", first.at.name)
        } else {
            format!("from {} to {}", first.at.name, last.at.name)
        };
        Some(format!("{at} {}", (*limit)?.words()))
    };
    let known: Vec<String> = stretches.iter().filter_map(stretch).collect();
    (!known.is_empty()).then(|| format!("What sets it: {}.", known.join("; ")))
}

fn same(a: Option<Limit>, b: Option<Limit>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.is_like(b),
        (None, None) => true,
        _ => false,
    }
}

/// The runs that have no time, and why. Runs with the same reason share a sentence.
fn without(trials: &Trials) -> Option<String> {
    let mut by_reason: Vec<(String, Vec<&str>)> = Vec::new();
    for trial in &trials.runs {
        let Some(why) = no_time(trial) else { continue };
        match by_reason.iter_mut().find(|(reason, _)| *reason == why) {
            Some((_, names)) => names.push(&trial.at.name),
            None => by_reason.push((why, vec![&trial.at.name])),
        }
    }
    let said = by_reason.iter().map(|(why, names)| format!("No time at {}: {why}.", names.join(", ")));
    Some(said.collect::<Vec<_>>().join(" ")).filter(|said| !said.is_empty())
}

#[cfg(test)]
mod tests {
    use zvmlab::snapshot::{EndCode, RelocationSnapshot};

    use super::super::answer::tests::trials;
    use super::super::link::LINK;
    use super::*;
    use crate::batch::moved::tests::relocation;

    fn run(end: EndCode, took_ms: u64, quiesce_ms: u64, source_percent: u64) -> Vec<RelocationSnapshot> {
        let cpu_ns = [took_ms * source_percent * 10_000, 0];
        vec![RelocationSnapshot { cpu_ns, ..relocation("A", end, took_ms, quiesce_ms) }]
    }

    fn told_of_link(trials: &Trials, time: Time) -> String {
        told(LINK.curves().expect("its answer is curves"), trials, time)
    }

    #[test]
    fn a_curve_that_flattens_names_what_took_over() {
        let mut runs = [
            run(EndCode::MaxQuiesce, 90_000, 10_000, 10),
            run(EndCode::Completed, 80_000, 8_000, 10),
            run(EndCode::Completed, 50_000, 4_000, 10),
            run(EndCode::Completed, 30_000, 2_000, 99),
            run(EndCode::Completed, 29_900, 1_990, 99),
        ];
        let said = told_of_link(&trials(LINK, "MOVE", &runs), Time::Quiesce);
        let wanted = "From capacity factor 4 to capacity factor 18 quiesce time goes from 8\u{a0}s to 1.99\u{a0}s, and the last step, from capacity factor 10 to 18, changes it by less than 2 %: CP’s work for it takes 99";
        assert!(said.starts_with(wanted), "two points are no stretch: {said}");
        assert!(said.contains("What sets it: from 10 to 18 CP’s work"), "{said}");
        assert!(
            said.ends_with("No time at 2: MAXQUIESCE of 10 s exceeded (05), its guest stopped for 10\u{a0}s in vain."),
            "{said}"
        );
        runs[2] = run(EndCode::Completed, 30_100, 2_010, 99);
        let said = told_of_link(&trials(LINK, "MOVE", &runs), Time::Quiesce);
        let wanted =
            "and is flat from capacity factor 6 on, where no step changes it by 2 % or more: CP’s work for it takes 99";
        assert!(said.contains(wanted), "{said}");
        let said = told_of_link(&trials(LINK, "MOVE", &runs[..2]), Time::Relocation);
        assert!(said.starts_with("Points appear as their runs end."), "{said}");
    }

    #[test]
    fn a_curve_of_one_point_or_none_is_said_to_be() {
        let none = vec![run(EndCode::MaxQuiesce, 90_000, 10_000, 10); 5];
        let said = told_of_link(&trials(LINK, "MOVE", &none), Time::Quiesce);
        assert!(said.starts_with("No run here has a quiesce time. No time at 2, 4, 6, 10, 18: "), "{said}");
        let mut one = none;
        one[4] = run(EndCode::Completed, 9_000, 1_000, 10);
        let said = told_of_link(&trials(LINK, "MOVE", &one), Time::Relocation);
        assert!(said.starts_with("The relocation time is 9\u{a0}s at capacity factor 18."), "{said}");
    }
}
