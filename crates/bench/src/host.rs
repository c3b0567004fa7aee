//! Hosts that show what storage management and guests' I/O cost, and the published experiments; all through the model's
//! public interface alone.

use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::{GuestGroup, Scenario, ShareType, Tenths, workloads};
use zvmlab::snapshot::StorageSnapshot;
use zvmlab::{Simulation, experiment};
use zvmlab_reference::Reference;

/// Eight guests that loop through 4 GB each in a host of 128 GB, so that no touch needs I/O, not even the first.
pub fn roomy() -> Simulation {
    let guests = vec![GuestGroup { virtual_mb: 6_144, loop_mb: 4_096, ..GuestGroup::default() }];
    new(&Scenario { guests, ..Scenario::default() })
}

/// The base run of the published experiments; it pages all the time.
pub fn paging() -> Simulation {
    new(&Scenario::default())
}

fn new(scenario: &Scenario) -> Simulation {
    Simulation::new(scenario, 1).expect("the scenario is within its limits")
}

/// Lets the guests touch their whole loops once; returns how many pages they touched.
pub fn fill(simulation: &mut Simulation) -> f64 {
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    simulation.snapshot().storage.pages_touched as f64
}

/// Runs `seconds` of simulated time; returns how many pages were touched.
pub fn touch(simulation: &mut Simulation, seconds: u64) -> f64 {
    pass(simulation, seconds, |storage| storage.pages_touched)
}

/// Runs `seconds` of simulated time; returns how many pages demand scan looked at.
pub fn scan(simulation: &mut Simulation, seconds: u64) -> f64 {
    pass(simulation, seconds, |storage| storage.pages_scanned)
}

fn pass(simulation: &mut Simulation, seconds: u64, count: fn(&StorageSnapshot) -> u64) -> f64 {
    let before = count(&simulation.snapshot().storage);
    simulation.run_until(simulation.now() + Span::from_secs(seconds));
    (count(&simulation.snapshot().storage) - before) as f64
}

/// The published runs whose whole experiments are timed: the base run, and the run with both features.
pub fn published() -> [Scenario; 2] {
    let mut both = Scenario { name: "V4DYA001".into(), ..Scenario::default() };
    both.paging.zhpf = true;
    both.lcu.aliases = 4;
    [Scenario::default(), both]
}

/// The runs of table 6 of the 6.4 paging page, one for each ratio of SET CU.
pub fn set_cu() -> Vec<Scenario> {
    scenarios_of("alias-share-6.4")
}

/// A published run of guest I/O, after its fill: back to back, in command mode, with one record.
pub fn guest_io() -> Simulation {
    let host = scenarios_of("guest-zhpf-6.2").remove(0);
    assert!(host.does_io() && !host.guests[0].io_zhpf, "the first run of the source is in command mode");
    let mut simulation = new(&host);
    fill(&mut simulation);
    simulation
}

fn scenarios_of(source: &str) -> Vec<Scenario> {
    let Reference { runs, .. } = zvmlab_reference::source(source).expect("the source is built in");
    runs.iter().map(|run| run.scenario.clone()).collect()
}

/// Guests with 1000 virtual CPUs, a fifth of them with absolute shares, on 64 logical processors, in the middle of their
/// work. Each virtual CPU computes for 2 ms and pauses for 37 ms: together they want 51 of the 64.
pub fn crowded() -> Simulation {
    let group = |count, share_relative| {
        let mut group =
            GuestGroup { count, virtual_cpus: 2, share_relative, virtual_mb: 32, loop_mb: 1, ..GuestGroup::default() };
        workloads::COMPUTE.apply(&mut group);
        (group.cpu_us, group.think_ms) = (2_000, Tenths::whole(37));
        group
    };
    let half_a_percent = GuestGroup { share_type: ShareType::Absolute, share_absolute: Tenths(5), ..group(100, 100) };
    let guests = vec![group(200, 100), group(150, 200), group(50, 1000), half_a_percent];
    let mut host = Scenario { guests, ..Scenario::default() };
    host.processors.count = 64;
    let mut simulation = new(&host);
    fill(&mut simulation);
    events(&mut simulation, 1);
    simulation
}

/// Runs `seconds` of simulated time; returns how many events it took.
pub fn events(simulation: &mut Simulation, seconds: u64) -> f64 {
    let before = simulation.events();
    simulation.run_until(simulation.now() + Span::from_secs(seconds));
    (simulation.events() - before) as f64
}

/// A whole experiment: fill, warm-up, interval. Returns how many events it took.
pub fn experiment(scenario: &Scenario) -> f64 {
    let outcome = experiment::run(scenario, 1).expect("a published run is within the limits");
    outcome.snapshot.events as f64
}
