//! Whether a host is steady is found from its course, a warm-up that is too short is made longer, and a run has an end in sight.

use zvmlab::experiment::{self, Look, Outcome};
use zvmlab::kernel::time::{Instant, Span};
use zvmlab::measurement::{Figure, Measurement, Steadiness};
use zvmlab::{Scenario, Simulation};

/// Guests that touch pages at random, 99 touches of 100 in a part of their storage. Cold pages are found again slowly.
const RANDOM: &str = r#"
name = "random"
storage = { central_mb = 256 }
paging = { volumes = 4 }
processors = { count = 4 }
measure = { warmup_s = 1, interval_s = 20 }
guests = [{ name = "LINUX", count = 8, virtual_mb = 64, loop_mb = 48, active_mb = 12, active_percent = 99, pattern = "random", cycle_pages = 2000, cpu_us = 2000, think_ms = 30, transaction = 1 }]
"#;

fn run(change: impl Fn(&mut Scenario)) -> Outcome {
    let mut scenario = Scenario::parse(RANDOM).expect("a good scenario");
    change(&mut scenario);
    experiment::run(&scenario, 1).expect("a good scenario")
}

fn state(outcome: &Outcome) -> (Steadiness, f64) {
    let settling = outcome.measurement.settling.expect("an experiment judges its interval");
    (settling.state, settling.warmup_s)
}

fn pages(outcome: &Outcome) -> f64 {
    outcome.measurement.get(Figure::PagesPerSecond).expect("it pages")
}

/// Pages a second in the interval that the scenario asks for, whatever it is good for.
fn just_after_the_fill() -> f64 {
    let mut simulation = Simulation::new(&Scenario::parse(RANDOM).expect("good"), 1).expect("good");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    simulation.run_until(simulation.now() + Span::from_secs(1));
    let earlier = simulation.snapshot();
    simulation.run_until(simulation.now() + Span::from_secs(20));
    Measurement::between(&earlier, &simulation.snapshot()).get(Figure::PagesPerSecond).expect("it pages")
}

/// A warm-up that was only assumed gave what the host does just after its fill.
#[test]
fn a_warm_up_that_is_too_short_is_made_longer() {
    let judged = run(|_| ());
    let (state, warmup_s) = state(&judged);
    assert_eq!(state, Steadiness::Steady);
    assert!(warmup_s > 20.0, "{warmup_s} s of warm-up");
    let late = run(|scenario| (scenario.measure.warmup_s, scenario.measure.interval_s) = (150, 60));
    let first = just_after_the_fill();
    // Paging goes on to fall slowly for minutes, by less than chance explains in an interval of 20 s.
    let [of_first, of_judged, of_late] = [first, pages(&judged), pages(&late)];
    assert!(of_first > 1.5 * of_judged, "{of_first} pages/s after the fill, {of_judged} judged, {of_late} later");
    let etr = |outcome: &Outcome| outcome.measurement.get(Figure::Etr).expect("it works");
    assert!((etr(&judged) / etr(&late) - 1.0).abs() < 0.05, "{} transactions a second, {} later", etr(&judged), etr(&late));
    assert!((judged.measurement.to_s - judged.measurement.from_s - 20.0).abs() < 1e-9, "the interval keeps its length");
}

#[test]
fn a_host_that_is_steady_keeps_the_warm_up_that_it_was_given() {
    let outcome = run(|scenario| scenario.storage.central_mb = 512);
    assert_eq!(state(&outcome), (Steadiness::Steady, 1.0));
}

#[test]
fn what_happens_once_is_not_judged() {
    let mut scenario = Scenario::parse(zvmlab::scenario::examples::example("VARY").expect("an example").text).expect("good");
    scenario.measure.interval_s = 5;
    let outcome = experiment::run(&scenario, 1).expect("good");
    assert_eq!(state(&outcome), (Steadiness::NotJudged, 2.0));
}

#[test]
fn a_run_that_needs_more_events_than_it_may_make_is_cut_short_and_says_so() {
    let short = run(|scenario| {
        (scenario.measure.events_m, scenario.measure.interval_s, scenario.storage.central_mb) = (1, 600, 300);
    });
    assert_eq!(state(&short).0, Steadiness::CutShort);
    let seconds = short.measurement.to_s - short.measurement.from_s;
    assert!((5.0..599.0).contains(&seconds), "{seconds} s");
    assert!(short.measurement.is_unsettled() && short.measurement.get(Figure::Etr).is_some_and(|etr| etr > 0.0));
    assert!(short.snapshot.events <= 2_100_000, "{} events", short.snapshot.events);
}

/// The budget of the fill is its own: what follows is measured, and marked.
#[test]
fn a_fill_that_does_not_end_is_given_up() {
    let outcome = run(|scenario| {
        scenario.measure.events_m = 1;
        // All guests together want a hundred times what storage holds.
        (scenario.paging.volumes, scenario.guests[0].count) = (8, 500);
        let group = &mut scenario.guests[0];
        (group.virtual_mb, group.loop_mb, group.active_mb, group.virtual_cpus) = (128, 128, 4, 4);
    });
    assert_eq!(state(&outcome).0, Steadiness::Filling);
    assert!(!outcome.measurement.filled && outcome.measurement.is_unsettled());
}

/// An interval that came too early is told to whoever watches: the next one begins.
#[test]
fn a_watcher_sees_where_the_interval_begins() {
    let scenario = Scenario::parse(RANDOM).expect("good");
    let mut simulation = Simulation::new(&scenario, 1).expect("good");
    let (mut begun, mut first, mut looks) = (0, 0, 0);
    let outcome = experiment::finish_watched(&mut simulation, &scenario, 1, 5, &mut |look| match look {
        Look::Begins(snapshot) => (begun, first, looks) = (begun + 1, snapshot.now_ns, 0),
        Look::Goes(_) => looks += 1,
    });
    assert!(begun > 1, "{begun} intervals");
    assert_eq!((first as f64 / 1e9, looks), (outcome.measurement.from_s, 5));
    assert_eq!(outcome.digest, experiment::run(&scenario, 1).expect("good").digest, "watching changes nothing");
}

/// Hot pages stay: with 99 touches of 100 in a quarter of the storage a host pages far less than with all pages alike.
#[test]
fn hot_pages_are_found_in_storage() {
    let hot = run(|_| ());
    let alike = run(|scenario| scenario.guests[0].active_percent = 25);
    assert!(pages(&alike) > 2.0 * pages(&hot), "{} pages/s, {} with hot pages", pages(&alike), pages(&hot));
    let same = run(|scenario| (scenario.guests[0].active_mb, scenario.guests[0].active_percent) = (0, 60));
    let whole = run(|scenario| scenario.guests[0].active_mb = 0);
    assert_eq!(same.digest, whole.digest, "where all of the loop is active, the percentage does nothing");
}

/// The fill leaves long blocks in page space, and where guests touch pages at random a host does twice as much once shorter ones have taken
/// their place. Some runs passed for steady long before, as this one with seed 1, so that more storage seemed to make a host slower.
#[test]
fn a_host_is_not_steady_before_its_blocks_are() {
    let with = |central_mb: u32| {
        let text = format!(
            "level = \"6.4\"\nstorage = {{ central_mb = {central_mb} }}\nprocessors = {{ count = 4 }}\n\
             measure = {{ warmup_s = 20, interval_s = 20 }}\n\
             guests = [{{ count = 24, workload = \"LINUX\", virtual_mb = 128, loop_mb = 64 }}]\n"
        );
        let outcome = experiment::run(&Scenario::parse(&text).expect("a good scenario"), 1).expect("a good scenario");
        assert_eq!(state(&outcome).0, Steadiness::Steady, "{central_mb} MB");
        outcome.measurement.get(Figure::Etr).expect("guests work")
    };
    let (less, more) = (with(512), with(640));
    assert!(more > 1.1 * less, "{less} transactions a second with 512 MB, {more} with 640 MB");
}
