//! What a sweep is made of, which published runs lie on it, and what its sentence says.

use std::rc::Rc;

use zvmlab::Snapshot;
use zvmlab::scenario::Level;
use zvmlab::snapshot::GuestSnapshot;

use super::form::{Bound, Form, knobs};
use super::sentence::summary;
use super::*;
use crate::batch::flat::flat_from;
use crate::chart::{Plot, table};
use crate::published::runs;
use crate::subjects::Subject;
use crate::subjects::below::BELOW;
use crate::subjects::big_memory::BIG_MEMORY;
use crate::subjects::clients::CLIENTS;
use crate::subjects::contiguous::CONTIGUOUS;
use crate::subjects::expanded::EXPANDED;
use crate::subjects::locks::LOCKS;
use crate::subjects::minidisk_cache::MINIDISK_CACHE;
use crate::subjects::overcommit::OVERCOMMIT;
use crate::subjects::paging::PAGING;
use crate::subjects::prsm::PRSM;
use crate::subjects::release::RELEASE;
use crate::subjects::reorder::REORDER;
use crate::subjects::reserved::RESERVED;
use crate::subjects::searches::SEARCHES;
use crate::subjects::shares::SHARES;
use crate::subjects::whole::WHOLE;

fn range(path: &str, values: impl IntoIterator<Item = u64>) -> SweepRange {
    SweepRange { knob: Knob::at(path, 0).expect("a field"), values: values.into_iter().collect() }
}

fn begin(base: Scenario, range: &SweepRange) -> Sweep {
    Sweep::begin(base, &[1], range, &|_| None)
}

/// What a worker would answer: `etr` transactions a second, and nothing paged.
fn answer(scenario: &Scenario, etr: u64) -> Settled {
    let guest = GuestSnapshot { transaction: 1, ..GuestSnapshot::default() };
    let before = Snapshot { guests: vec![guest.clone()], ..Snapshot::default() };
    let guests = vec![GuestSnapshot { references: etr, ..guest }];
    let snapshot = Snapshot { now_ns: 1_000_000_000, filled: true, guests, ..Snapshot::default() };
    Settled {
        scenario: scenario.clone(),
        seed: 1,
        measurement: Measurement::between(&before, &snapshot),
        limits: Rc::default(),
        digest: 0,
        snapshot,
        series: Rc::default(),
    }
}

/// The same, of a host that pages.
fn paging(mut settled: Settled) -> Settled {
    let mut before = settled.snapshot.clone();
    before.now_ns = 0;
    before.guests[0].references = 0;
    settled.snapshot.paging.ios.pages_read = 1_000;
    settled.measurement = Measurement::between(&before, &settled.snapshot);
    settled
}

/// What is to be run next.
fn next(sweep: &Sweep) -> Option<Scenario> {
    sweep.due(1).first().map(|run| (*run.scenario).clone())
}

/// Lets the sweep come to its end; how many experiments that took.
fn finish(sweep: &mut Sweep, etr: &dyn Fn(&Scenario) -> u64) -> usize {
    let mut count = 0;
    while let Some(scenario) = next(sweep) {
        sweep.heard(&key(&scenario, sweep.batch.seed), &answer(&scenario, etr(&scenario)));
        count += 1;
    }
    sweep.running = false;
    count
}

#[test]
fn the_defaults_suit_the_level_and_fit_every_knob() {
    let at_6_4 = Form::default().range(PAGING, &Scenario::default()).expect("the default can be swept");
    assert_eq!(at_6_4, range("lcu.aliases", 0..=12));
    let old = Scenario { level: Level::V6_3, ..Scenario::default() };
    assert_eq!(Form::default().range(PAGING, &old), Ok(range("paging.volumes", 1..=12)));
    let mut small = Scenario::default();
    small.storage.central_mb = 300;
    small.guests[0].loop_mb = 5;
    small.guests.push(small.guests[0].clone());
    assert_eq!(knobs(&small).len(), 12, "the knobs of guests are there for each group");
    for scenario in [Scenario::default(), small] {
        for knob in knobs(&scenario) {
            let mut form = Form::default();
            form.choose(knob.place());
            let planned = form.range(PAGING, &scenario).expect("a default that can be swept");
            let Kind::Whole { get, .. } = knob.field.kind else { panic!("a number") };
            let now = get(&scenario, knob.group);
            let reached = planned.values.contains(&now);
            assert!(reached, "{}: {now} is not among {:?}", knob.place(), planned.values);
        }
    }
}

#[test]
fn what_cannot_be_swept_is_said() {
    let told = |from: &str, to: &str, step: &str| {
        let mut form = Form::default();
        for (bound, text) in Bound::ALL.into_iter().zip([from, to, step]) {
            form.give(bound, text.into());
        }
        form.range(PAGING, &Scenario::default()).map(|range| range.values)
    };
    assert_eq!(told("0", "8", "3"), Ok(vec![0, 3, 6]));
    assert_eq!(told("0", "32", "1").map(|values| values.len()), Ok(33));
    for (given, part) in [
        (("0", "33", "1"), "34 values"),
        (("x", "8", "1"), "From: “x” given, a whole number from 0 to 254"),
        (("-1", "8", "1"), "From: -1 given, "),
        (("0", "", "1"), "To: nothing given, "),
        (("0", "8", "0"), "Step: 0 given, a whole number from 1"),
        (("8", "0", "1"), "less than two"),
        (("0", "255", "64"), "0 to 254"),
        (("0", "254", "99999999999999999999"), "Step: 99999999999999999999 given"),
    ] {
        let refused = told(given.0, given.1, given.2).expect_err(part);
        assert!(refused.why.contains(part) && !refused.bounds.is_empty(), "{refused:?}");
    }
}

#[test]
fn both_modes_are_swept_where_there_are_both() {
    let mut sweep = begin(Scenario::default(), &range("lcu.aliases", 0..=12));
    assert_eq!((sweep.lines().len(), sweep.batch.progress()), (2, (0, 26)));
    assert_eq!(next(&sweep).map(|next| (next.lcu.aliases, next.paging.zhpf)), Some((0, false)));
    assert_eq!(finish(&mut sweep, &|_| 1), 26);
    assert_eq!(sweep.batch.progress(), (26, 26));
    // What is known is not run again, whatever range is asked for next.
    let more = Sweep::begin(Scenario::default(), &[1], &range("lcu.aliases", 10..=14), &|key| sweep.known(key));
    assert_eq!(more.batch.progress(), (6, 10));
    assert_eq!(begin(Scenario::default(), &range("guests.count", [4, 8])).lines().len(), 1);
}

#[test]
fn what_cannot_run_is_left_out_with_its_reason() {
    let old = Scenario { level: Level::V6_3, ..Scenario::default() };
    let mut sweep = begin(old, &range("lcu.aliases", 0..=2));
    assert_eq!(finish(&mut sweep, &|_| 1), 1);
    assert_eq!(
        sweep.left_out(),
        ["Left out: HyperPAV aliases at 1 and 2, because HyperPAV aliases for paging need z/VM 6.4."]
    );
    let mut tight = Scenario::default();
    tight.storage.central_mb /= 2;
    let sweep = begin(tight, &range("paging.volumes", 1..=4));
    let said = sweep.left_out();
    assert!(
        said.len() == 1 && said[0].starts_with("Left out: Paging volumes at 1") && said[0].contains("page space"),
        "{said:?}"
    );
    let sweep = begin(Scenario::default(), &range("guests.loop_mb", [16_384, 20_480]));
    assert_eq!(
        sweep.left_out(),
        ["Left out: Loop of a guest at 20 GB, because the loop would be longer than the guest's storage."]
    );
}

#[test]
fn published_runs_lie_on_the_line_of_their_own_settings() {
    let on = |base: Scenario, range: &SweepRange| -> Vec<(u64, String)> {
        begin(base, range).published(&runs()).into_iter().map(|(value, run)| (value, run.id.clone())).collect()
    };
    let aliases = on(Scenario::default(), &range("lcu.aliases", 0..=12));
    assert_eq!(aliases.iter().map(|(value, _)| *value).collect::<Vec<_>>(), [0, 0, 4, 4, 8]);
    assert!(aliases.contains(&(0, "V4DVY000".into())) && aliases.contains(&(0, "V4DVYH04".into())), "{aliases:?}");
    let few = on(Scenario::default(), &range("lcu.aliases", 0..=4));
    assert_eq!(few.len(), 4, "eight aliases are beyond the line");
    let mut smaller = Scenario::default();
    smaller.storage.central_mb /= 2;
    assert_eq!(on(smaller, &range("lcu.aliases", 0..=12)), []);
    assert_eq!(on(Scenario::default(), &range("storage.central_mb", [65_536, 131_072])), [(131_072, "V4DVY000".into())]);
}

#[test]
fn the_bench_stands_on_the_line_until_something_else_changes() {
    let sweep = begin(Scenario::default(), &range("lcu.aliases", 0..=12));
    let mut now = Scenario::default();
    now.lcu.aliases = 5;
    now.paging.zhpf = true;
    assert_eq!(sweep.place(&now), Some((5, true)));
    assert!(sweep.changed_since(&now, 1, 1).is_empty(), "what is swept is no change");
    assert_eq!(sweep.changed_since(&now, 2, 1), ["seed 1 → 2"]);
    now.storage.central_mb = 65_536;
    assert_eq!(sweep.place(&now), None);
    assert_eq!(sweep.changed_since(&now, 1, 1), ["Central storage 128 GB → 64 GB"]);
    now = Scenario::default();
    now.lcu.aliases = 13;
    assert_eq!(sweep.place(&now), None, "beyond the line");
}

#[test]
fn the_sentence_says_where_the_curve_flattens() {
    assert_eq!(flat_from(&[(0, 1.0), (1, 2.0), (2, 2.01), (3, 2.02)]), Some(1));
    assert_eq!(flat_from(&[(0, 1.0), (1, 1.01), (2, 2.0)]), None);
    assert_eq!(flat_from(&[(0, 0.0), (1, 0.0)]), Some(0));
    assert_eq!(flat_from(&[(0, 0.0), (1, 1.0)]), None);
    assert_eq!(flat_from(&[]), None);

    let told = |etr: &dyn Fn(&Scenario) -> u64| {
        let mut sweep = begin(Scenario::default(), &range("lcu.aliases", 0..=12));
        finish(&mut sweep, etr);
        summary(&sweep, Figure::Etr)
    };
    let flattens = told(&|scenario| {
        let gain = if scenario.paging.zhpf { 300 } else { 100 };
        1_000 + gain * u64::from(scenario.lcu.aliases.min(if scenario.paging.zhpf { 3 } else { 8 }))
    });
    assert_eq!(
        flattens,
        "From 8 aliases on (with zHPF from 3 on), another alias changes ETR by less than 2\u{a0}%: the host no longer pages."
    );
    assert_eq!(told(&|_| 500), "No step changes ETR by 2\u{a0}% or more. It stays between 500 and 500\u{a0}tx/s.");
    let rises = told(&|scenario| 100 + 10 * u64::from(scenario.lcu.aliases));
    assert!(rises.contains("at 0 aliases") && rises.contains("at 12 aliases, and still changes by +4.8\u{a0}%"), "{rises}");
}

#[test]
fn the_sentence_says_where_paging_begins() {
    let mut sweep = begin(Scenario::default(), &range("guests.count", 6..=9));
    while let Some(scenario) = next(&sweep) {
        let few = scenario.guests[0].count < 8;
        let settled = answer(&scenario, if few { 8 } else { 2 });
        sweep.heard(&key(&scenario, 1), &if few { settled } else { paging(settled) });
    }
    sweep.running = false;
    assert_eq!(summary(&sweep, Figure::Etr), "Between 7 and 8 guests paging begins: ETR goes from 8 to 2\u{a0}tx/s.");
}

#[test]
fn a_sweep_that_is_stopped_says_what_it_has() {
    let mut sweep = begin(Scenario::default(), &range("lcu.aliases", [0, 1]));
    assert!(summary(&sweep, Figure::Etr).contains("0 of 4"));
    sweep.running = false;
    assert_eq!(summary(&sweep, Figure::Etr), "No experiment of this sweep has a figure for ETR.");
    let scenario = next(&sweep).expect("the first");
    sweep.heard(&key(&scenario, 1), &answer(&scenario, 3));
    assert_eq!(summary(&sweep, Figure::Etr), "ETR is 3\u{a0}tx/s at 0 aliases.");
    let scenario = next(&sweep).expect("the second");
    sweep.leave_out(&key(&scenario, 1), "The model has failed: out of memory.");
    assert_eq!(sweep.left_out(), ["Left out: HyperPAV aliases at 0, because the model has failed: out of memory."]);
}

#[test]
fn the_chart_has_both_lines_the_published_runs_and_the_bench() {
    let mut sweep = begin(Scenario::default(), &range("lcu.aliases", 0..=2));
    let chart = crate::rooms::sweep::chart(&sweep, Figure::Etr, &[], None);
    assert!(chart.provenance.ends_with("seed 1; 0 of 6 runs are in"), "{}", chart.provenance);
    finish(&mut sweep, &|scenario| 10 + u64::from(scenario.lcu.aliases));
    let now = answer(&Scenario::default(), 10);
    let published = runs();
    let chart = crate::rooms::sweep::chart(
        &sweep,
        Figure::Etr,
        &published,
        Some((&now.scenario, std::slice::from_ref(&now.measurement))),
    );
    let Plot::Lines(lines) = &chart.plot else { panic!("lines") };
    let names: Vec<_> = lines.series.iter().map(|series| (series.key.name.as_str(), series.points.len())).collect();
    assert_eq!(names, [("published", 2), ("on the bench", 1), ("model, command mode", 3), ("model, zHPF", 3)]);
    assert_eq!(table::shown(&chart.plot).rows.len(), 9);
    assert_eq!(chart.sources.len(), 2);
    assert!(chart.provenance.ends_with("seed 1") && chart.title == "ETR over HyperPAV aliases", "{chart:?}");
    let storage = begin(Scenario::default(), &range("storage.central_mb", [65_536, 131_072]));
    let chart = crate::rooms::sweep::chart(&storage, Figure::StorageWait, &published, None);
    assert!(matches!(chart.plot, Plot::Nothing(_)) && chart.title.ends_with("over central storage"), "{chart:?}");
}

#[test]
fn a_share_is_swept_from_one_end_of_its_slider_to_the_other() {
    let base = crate::studies::study::tests::hybrid();
    let form = Form::default();
    assert!(form.takes_shares(PAGING, &base));
    assert_eq!(form.shown(PAGING, &base), ["15:1", "1:15", "1"]);
    let planned = form.range(PAGING, &base).expect("the share is what is worth sweeping here");
    assert_eq!((planned.knob.field.path, planned.values.len()), ("lcu.alias_share", 15));
    let mut sweep = begin(base.clone(), &planned);
    assert_eq!(next(&sweep).map(|next| next.lcu.alias_share.to_string()).as_deref(), Some("15:1"));
    finish(&mut sweep, &|scenario| 100 + 10 * u64::from(scenario.lcu.alias_share.paging));
    let said = summary(&sweep, Figure::Etr);
    assert!(said.starts_with("ETR goes from 110\u{a0}tx/s at 15:1 to 250\u{a0}tx/s at 1:15"), "{said}");
    let mut now = base.clone();
    now.lcu.alias_share = "3:13".parse().expect("a share");
    assert_eq!(sweep.place(&now), Some((13, false)));
    assert!(sweep.changed_since(&now, 1, 1).is_empty());
    let Plot::Lines(lines) = crate::rooms::sweep::chart(&sweep, Figure::Etr, &[], None).plot else { panic!("lines") };
    assert_eq!((lines.ticks[0].1.as_str(), lines.place(15.0).as_str()), ("15:1", "1:15"));
    let told = |from: &str, to: &str| {
        let mut form = Form::default();
        form.give(Bound::From, from.into());
        form.give(Bound::To, to.into());
        form.range(PAGING, &base).map(|range| range.values.len())
    };
    assert_eq!(told("12:4", " 4:12 "), Ok(9));
    assert_eq!(told("3:1", "1:3"), Ok(9), "a share is relative");
    for wrong in ["8", "16:0", "5:3:1", "100:1", "x"] {
        assert!(
            told(wrong, "1:15").is_err_and(|refused| refused.why.contains("a share such as 15:1 is allowed")),
            "{wrong}"
        );
    }
}

#[test]
fn published_runs_lie_on_the_line_of_shares_and_of_records() {
    let published = runs();
    let of = |id: &str| published.iter().find(|run| run.id == id).map(|run| run.scenario.clone()).expect("a run");
    let on = |base: Scenario, range: SweepRange| -> Vec<(u64, bool)> {
        let sweep = begin(base, &range);
        sweep.published(&published).into_iter().map(|(value, run)| (value, sweep.mode(&run.scenario))).collect()
    };
    let shares = on(of("QRBKW055"), range("lcu.alias_share", 1..=15));
    assert_eq!(shares.iter().map(|point| point.0).collect::<Vec<_>>(), (1..=15).collect::<Vec<_>>());
    let mut records = on(of("JB001238"), range("guests.io_records", [1, 64]));
    records.sort_unstable();
    assert_eq!(records, [(1, false), (1, true), (64, false), (64, true)]);
}

#[test]
fn the_figures_are_those_that_the_host_has() {
    let (hybrid, alone) = (crate::studies::study::tests::hybrid(), crate::studies::study::tests::exerciser());
    assert_eq!(shown(Figure::MdiskEtr, &Scenario::default()), Figure::Etr);
    assert_eq!(shown(Figure::StorageWait, &Scenario::default()), Figure::StorageWait);
    assert_eq!(shown(Figure::Etr, &alone), Figure::MdiskEtr);
    assert_eq!(shown(Figure::Etr, &hybrid), Figure::Etr);
    assert!(figures(&hybrid).contains(&Figure::PagingAliases) && !figures(&alone).contains(&Figure::PagingAliases));
    assert!(!figures(&hybrid).contains(&Figure::MdcHitPercent), "there is no cache");
}

#[test]
fn hosts_of_the_scheduler_and_processors_have_knobs_and_figures_of_their_own() {
    for ready in crate::published::ready::examples() {
        let (id, scenario) = (ready.example.id, &ready.scenario);
        let subject = Subject::of(scenario, Some(id));
        let range = Form::default().range(subject, scenario).expect("a default that can be swept");
        let worth = match subject {
            _ if subject == SHARES => "guests.share_relative",
            _ if subject == PRSM => "processors.count",
            _ if subject == LOCKS => "prsm.other_busy_percent",
            _ if subject == WHOLE => "lcu.alias_share",
            _ if scenario.relocates() && id == "CONSTRAINED" => "guests.loop_mb",
            _ if scenario.relocates() => "guests.touch_mb_s",
            _ if subject == BELOW => "guests.io_records",
            _ if subject == EXPANDED => "storage.expanded_mb",
            _ if subject == MINIDISK_CACHE => "minidisks.mdc_mb",
            _ if subject == CLIENTS => "guests.connections",
            _ if subject == RELEASE => "guests.virtual_cpus",
            _ if subject == CONTIGUOUS => "storage.contiguous_rate",
            _ if subject == RESERVED => "guests.reserved_mb",
            _ if [OVERCOMMIT, REORDER, SEARCHES].contains(&subject) => "storage.central_mb",
            _ if subject == BIG_MEMORY => "processors.count",
            _ => "guests.count",
        };
        assert!([worth, "guests.count"].contains(&range.knob.field.path), "{id}: {}", range.knob.field.path);
        for knob in knobs(scenario) {
            let mut form = Form::default();
            form.choose(knob.place());
            assert!(form.range(subject, scenario).is_ok(), "{id}: {}", knob.place());
        }
        // A guest that walks on and on has no cycles with a response time; one that does I/O has that of its I/Os.
        assert_eq!(
            super::figures(scenario).contains(&Figure::ResponseTime),
            ![REORDER, BIG_MEMORY, BELOW, SEARCHES, EXPANDED, CONTIGUOUS].contains(&subject) || id == "REORDER-OFF",
            "{id}"
        );
        assert_eq!(super::figures(scenario).first() == Some(&Figure::RelocationTime), scenario.relocates(), "{id}");
    }
}

#[test]
fn with_replications_each_point_is_a_mean_with_its_interval() {
    let mut sweep = Sweep::begin(Scenario::default(), &[7, 8, 9], &range("lcu.aliases", [0, 4]), &|_| None);
    // Both lines, two values, three seeds; all of the first seed come first.
    assert_eq!(sweep.batch.progress(), (0, 12));
    assert!(sweep.due(4).iter().all(|run| run.key.1 == 7) && sweep.due(5)[4].key.1 == 8);
    assert_eq!(sweep.due(2).iter().map(|run| (run.at.value, run.at.zhpf)).collect::<Vec<_>>(), [(0, false), (0, true)]);
    while let Some(run) = sweep.due(1).first().map(|run| (*run).clone()) {
        sweep.heard(&run.key, &answer(&run.scenario, 100 * (1 + run.at.value) + run.key.1));
    }
    sweep.running = false;
    // One that was left out makes a point a mean of fewer.
    let mut lacks = sweep.clone();
    lacks.batch.runs[1].state = RunState::LeftOut("it failed".into());
    assert!(summary(&lacks, Figure::Etr).ends_with("means of up to 3 runs: 11 of 11 experiments are done."));
    let lines = sweep.lines();
    let places: Vec<_> = lines[0].known().map(|place| (place.value, place.mean(Figure::Etr).expect("known"))).collect();
    let (value, (mean, interval)) = (places[1].0, places[1].1);
    let interval = interval.expect("three runs");
    assert_eq!((places.len(), value, mean), (2, 4, 508.0));
    // 507, 508 and 509: Student's t of two degrees of freedom times 1 / sqrt(3).
    assert!((interval.high - 508.0 - 4.303 / 3.0_f64.sqrt()).abs() < 1e-3, "{interval:?}");
    assert_eq!((sweep.seeds(), lines[0].values().collect::<Vec<_>>()), ("seeds 7 to 9".into(), vec![0, 4]));
    let chart = crate::rooms::sweep::chart(&sweep, Figure::Etr, &[], None);
    assert!(chart.summary.ends_with("Each point is the mean of 3 runs, with its 95\u{a0}% interval."), "{}", chart.summary);
    let Plot::Lines(drawn) = &chart.plot else { panic!("lines") };
    assert_eq!((drawn.series.len(), drawn.reaches.len()), (2, 4));
    assert_eq!(drawn.reach(1, 4.0).map(|[_, high]| high > 508.0), Some(true));
    let csv = table::csv(&chart);
    let head = csv.lines().next().unwrap_or_default();
    assert!(head.contains("\"model, zHPF, 95 % from (tx/s)\""), "{head}");
    assert_eq!(sweep.changed_since(&Scenario::default(), 7, 1), ["replications 3 → 1"]);
    // A single run has no interval, and says nothing of a mean.
    let mut single = begin(Scenario::default(), &range("lcu.aliases", [0, 4]));
    finish(&mut single, &|scenario| u64::from(scenario.lcu.aliases) + 1);
    let Plot::Lines(drawn) = crate::rooms::sweep::chart(&single, Figure::Etr, &[], None).plot else { panic!("lines") };
    assert!(drawn.reaches.is_empty() && !summary(&single, Figure::Etr).contains("mean"));
}
