//! What the figures of an interval are good for, in words: whether the host was steady, and how long that took.

use zvmlab::measurement::{Drift, Steadiness};
use zvmlab::scenario::fields::{FIELDS, Kind, path};
use zvmlab::scenario::{GuestGroup, Role};
use zvmlab::{Figure, Measurement, Scenario};

use super::number::{short, signed_pct, whole};
use super::unit::NO_BREAK;

/// What a reader must know of the figures of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// The sentences.
    pub words: String,
    /// Whether the figures are not those of a steady host.
    pub is_warning: bool,
}

/// What is to be said of the figures of an interval of `scenario`; nothing where the host was steady after the warm-up that the
/// scenario asks for.
pub fn said(scenario: &Scenario, measurement: &Measurement) -> Option<Said> {
    let settling = measurement.settling?;
    let (asked, budget) = (&scenario.measure, scenario.measure.events_m);
    let warmup = seconds(settling.warmup_s);
    let warning = |words: String| Some(Said { words, is_warning: true });
    match settling.state {
        Steadiness::Filling => warning(format!(
            "The fill did not end within {budget} million events: some guests never touched their whole loop. The figures are not steady, and guests that do I/O begin with it when the fill is over. A larger budget of events lets the fill go on."
        )),
        Steadiness::CutShort => warning(format!(
            "Cut short: the budget of {budget} million events was used up. The figures are of {} s instead of {} s, after a warm-up of {warmup} s. They are right for that time and vary more with the seed. A larger budget of events gives the whole interval.",
            seconds(measurement.to_s - measurement.from_s),
            asked.interval_s
        )),
        Steadiness::Drifts(drift) => warning(format!(
            "Not settled: after a warm-up of {warmup} s the host still changes ({}; within {} % it is steady). A later interval gives other figures.",
            drifts(&drift),
            short(Drift::WITHIN)
        )),
        Steadiness::Young(turns) => warning(format!(
            "Not settled: after a warm-up of {warmup} s each frame has changed hands {} times since the fill, of {} that it takes until other pages are in storage than the fill left. A later interval gives other figures.",
            short(turns),
            short(Steadiness::TURNS)
        )),
        Steadiness::Steady | Steadiness::NotJudged if did_nothing(measurement) => {
            warning(format!("No transaction ended in the interval of {} s.", seconds(measurement.to_s - measurement.from_s)))
        }
        Steadiness::Steady | Steadiness::NotJudged if did_part_of_one(measurement) && smaller(scenario).is_some() => {
            let large = scenario.guests.iter().filter(|group| may_count_less(group)).map(|group| group.transaction).max();
            let large = large.unwrap_or_default();
            warning(format!(
                "All guests together did less than one transaction in the interval of {} s: one is up to {} cycles here. ETR counts parts of it.",
                seconds(measurement.to_s - measurement.from_s),
                whole(large)
            ))
        }
        Steadiness::Steady if settling.warmup_s > f64::from(asked.warmup_s) + 0.5 => Some(Said {
            words: format!("The warm-up took {warmup} s instead of {}: until then the host was not steady.", asked.warmup_s),
            is_warning: false,
        }),
        Steadiness::Steady | Steadiness::NotJudged => None,
    }
}

/// Whether no transaction ended, at any member.
fn did_nothing(measurement: &Measurement) -> bool {
    done(measurement) == Some(0.0)
}

/// Whether guests worked, and all that they did, at all members, is less than a transaction.
fn did_part_of_one(measurement: &Measurement) -> bool {
    done(measurement).is_some_and(|done| done > 0.0 && done < 1.0)
}

/// The transactions of the interval, at all members; none where guests do none.
fn done(measurement: &Measurement) -> Option<f64> {
    let besides = [Figure::MdiskEtr, Figure::OtherMembersEtr].into_iter().filter_map(|figure| measurement.get(figure));
    let rate = measurement.get(Figure::Etr)? + besides.sum::<f64>();
    Some(rate * (measurement.to_s - measurement.from_s))
}

/// What may let an unsettled run settle, or one without a transaction count some.
#[derive(Clone, Debug, PartialEq)]
pub struct Lever {
    /// The knobs to turn: path, group of guests, next value.
    pub turns: Vec<(&'static str, usize, u64)>,
    /// Words for it.
    pub words: String,
}

/// The lever of a run; nothing where there is none, or where it is at its end.
pub fn lever(scenario: &Scenario, measurement: &Measurement) -> Option<Lever> {
    let settling = measurement.settling?;
    let (at, now, wanted) = match settling.state {
        Steadiness::Filling | Steadiness::CutShort => {
            let budget = u64::from(scenario.measure.events_m);
            (path::MEASURE_EVENTS_M, budget, budget * 4)
        }
        Steadiness::Drifts(_) | Steadiness::Young(_) => {
            (path::MEASURE_WARMUP_S, settling.warmup_s.floor() as u64, (settling.warmup_s * 2.0).ceil() as u64)
        }
        Steadiness::Steady | Steadiness::NotJudged if did_nothing(measurement) => {
            let interval = u64::from(scenario.measure.interval_s);
            (path::MEASURE_INTERVAL_S, interval, interval * 4)
        }
        Steadiness::Steady | Steadiness::NotJudged if did_part_of_one(measurement) => return smaller(scenario),
        Steadiness::Steady | Steadiness::NotJudged => return None,
    };
    let Kind::Whole { max, .. } = FIELDS.iter().find(|field| field.path == at)?.kind else { return None };
    let next = wanted.min(max);
    let words = match at {
        path::MEASURE_WARMUP_S => format!("Warm up for {next}{NO_BREAK}s"),
        path::MEASURE_INTERVAL_S => format!("Measure for {next}{NO_BREAK}s"),
        _ => format!("Allow {next} million events"),
    };
    (next > now).then(|| Lever { turns: vec![(at, 0, next)], words })
}

/// Whether several cycles of a program count as one transaction. Those of clients and servers have a meaning of their own.
fn may_count_less(group: &GuestGroup) -> bool {
    group.role == Role::Alone && group.in_cycles() && group.transaction > 1
}

/// Each cycle as a transaction, where programs work in cycles.
fn smaller(scenario: &Scenario) -> Option<Lever> {
    let groups = scenario.guests.iter().enumerate().filter(|(_, group)| may_count_less(group));
    let turns: Vec<_> = groups.map(|(group, _)| (path::GUESTS_TRANSACTION, group, 1)).collect();
    (!turns.is_empty()).then(|| Lever { turns, words: "Count each cycle".into() })
}

/// How the host changed: `Paging rate −12 %`.
fn drifts(drift: &Drift) -> String {
    format!("{} {}", drift.figure.label(), signed_pct(drift.percent))
}

/// What is to be said of several runs of one scenario: what most of them say, and how many do.
pub fn of_runs<'a>(scenario: &Scenario, runs: impl IntoIterator<Item = &'a Measurement>) -> Option<Said> {
    let mut count = 0;
    let mut all: Vec<Said> = Vec::new();
    for measurement in runs {
        count += 1;
        all.extend(said(scenario, measurement));
    }
    let warnings = all.iter().filter(|said| said.is_warning).count();
    let first = all.iter().find(|said| said.is_warning == (warnings > 0))?;
    let several = if warnings > 0 { warnings } else { all.len() };
    let words = match count {
        1 => first.words.clone(),
        _ => format!("{several} of {count} runs, the first: {}", first.words),
    };
    Some(Said { words, is_warning: first.is_warning })
}

fn seconds(seconds: f64) -> String {
    if seconds >= 10.0 { format!("{seconds:.0}") } else { short(seconds) }
}

#[cfg(test)]
mod tests {
    use zvmlab::Snapshot;
    use zvmlab::measurement::Settling;

    use super::*;

    fn of(state: Steadiness, warmup_s: f64) -> Option<Said> {
        let later = Snapshot { now_ns: 3_200_000_000, ..Snapshot::default() };
        let measurement = Measurement::between(&Snapshot::default(), &later).settled(Settling { state, warmup_s });
        said(&Scenario::default(), &measurement)
    }

    #[test]
    fn a_steady_host_needs_no_words_and_any_other_says_what_its_figures_are_good_for() {
        assert_eq!(of(Steadiness::Steady, 5.0), None);
        assert_eq!(of(Steadiness::NotJudged, 5.0), None);
        let longer = of(Steadiness::Steady, 145.0).expect("it took longer");
        assert_eq!(longer.words, "The warm-up took 145 s instead of 5: until then the host was not steady.");
        assert!(!longer.is_warning);
        let drifts = of(Steadiness::Drifts(Drift { figure: Figure::Etr, percent: -12.3 }), 1_085.0).expect("it drifts");
        assert!(
            drifts.is_warning
                && drifts.words.contains("1085 s")
                && drifts.words.contains("ETR −12.3 %; within 2 % it is steady"),
            "{}",
            drifts.words
        );
        let short = of(Steadiness::CutShort, 1.5).expect("it was cut short");
        assert!(short.words.contains("of 3.2 s instead of 30 s"), "{}", short.words);
        assert!(of(Steadiness::Filling, 5.0).expect("it did not fill").words.contains("100 million events"));
    }

    #[test]
    fn who_is_told_of_an_unsettled_run_is_offered_more_time_for_it_up_to_the_end_of_the_knob() {
        let offered = |state, warmup_s: f64| {
            let measurement = Measurement::between(&Snapshot::default(), &Snapshot::default());
            lever(&Scenario::default(), &measurement.settled(Settling { state, warmup_s }))
                .map(|lever| (lever.turns[0].0, lever.turns[0].2))
        };
        let drifts = Steadiness::Drifts(Drift { figure: Figure::Etr, percent: -12.3 });
        assert_eq!(offered(drifts, 155.0), Some((path::MEASURE_WARMUP_S, 310)));
        assert_eq!(offered(drifts, 3_000.0), Some((path::MEASURE_WARMUP_S, 3_600)));
        assert_eq!(offered(drifts, 3_600.0), None);
        assert_eq!(offered(Steadiness::CutShort, 5.0), Some((path::MEASURE_EVENTS_M, 400)));
        assert_eq!(offered(Steadiness::Steady, 5.0), None);
    }

    #[test]
    fn a_run_without_a_transaction_says_so_and_offers_a_longer_interval() {
        let host = |program: &str| {
            let guests =
                format!("guests = [{{ count = 2, virtual_mb = 8, loop_mb = 4, workload = \"COMPUTE\", {program} }}]");
            Scenario::parse(&format!("measure = {{ warmup_s = 5, interval_s = 10 }}\n{guests}")).expect("valid")
        };
        let run = |host: &Scenario| zvmlab::experiment::run(host, 1).expect("valid").measurement;
        let often = host("pace_ms = 1000");
        assert_eq!(said(&often, &run(&often)), None);
        let seldom = host("pace_ms = 60000");
        let measurement = run(&seldom);
        let told = said(&seldom, &measurement).expect("nothing ended");
        assert_eq!((told.is_warning, told.words.as_str()), (true, "No transaction ended in the interval of 10 s."));
        let longer = lever(&seldom, &measurement).expect("a longer interval");
        assert_eq!(
            (longer.turns, longer.words.as_str()),
            (vec![(path::MEASURE_INTERVAL_S, 0, 40)], "Measure for 40\u{a0}s")
        );
        let mut elsewhere = Scenario { level: zvmlab::scenario::Level::V6_2, ..often.clone() };
        (elsewhere.cluster.members, elsewhere.guests[0].member) = (2, 2);
        let measurement = run(&elsewhere);
        assert_eq!(measurement.get(Figure::Etr), Some(0.0), "member 1 has no guest");
        assert_eq!((said(&elsewhere, &measurement), lever(&elsewhere, &measurement)), (None, None), "member 2 does work");
    }

    /// A text that says how its guests work, and not what counts as a transaction.
    #[test]
    fn a_run_with_less_than_a_transaction_says_how_large_one_is_and_offers_to_count_cycles() {
        let text = "measure = { warmup_s = 5, interval_s = 10 }\nguests = [{ count = 2, virtual_mb = 8, loop_mb = 4, pace_ms = 1000 }]";
        let mut host = Scenario::parse(text).expect("valid");
        let run = |host: &Scenario| zvmlab::experiment::run(host, 1).expect("valid").measurement;
        let measurement = run(&host);
        let told = said(&host, &measurement).expect("it did a part of one");
        assert!(told.is_warning && told.words.contains("one is up to 1,048,576 cycles"), "{}", told.words);
        let cycles = lever(&host, &measurement).expect("cycles can be counted");
        assert_eq!(cycles.turns, [(path::GUESTS_TRANSACTION, 0, 1)]);
        host.guests[0].transaction = 1;
        assert_eq!(said(&host, &run(&host)), None);
    }

    #[test]
    fn several_runs_say_how_many_of_them() {
        let run = |state| {
            Measurement::between(&Snapshot::default(), &Snapshot { now_ns: 1_000_000_000, ..Snapshot::default() })
                .settled(Settling { state, warmup_s: 5.0 })
        };
        let runs = [run(Steadiness::Steady), run(Steadiness::Filling), run(Steadiness::Steady)];
        let told = of_runs(&Scenario::default(), &runs).expect("one did not fill");
        assert!(told.words.starts_with("1 of 3 runs, the first: The fill"), "{}", told.words);
        assert_eq!(of_runs(&Scenario::default(), &runs[..1]), None);
    }
}
