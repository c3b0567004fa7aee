//! Steal: a virtual CPU runs for as long as processors work for it, to the nanosecond; the rest of the time that it has a
//! processor it is interrupted.

use zvmlab::scenario::Scenario;
use zvmlab::snapshot::GuestSnapshot;
use zvmlab::{Figure, Simulation, experiment};

/// Four guests that compute beside two that page, on two processors.
const HOST: &str = r#"
level = "6.4"
processors = { count = 2 }
storage = { central_mb = 256 }
measure = { warmup_s = 1, interval_s = 3 }
[[guests]]
name = "PAGER"
count = 8
virtual_mb = 128
loop_mb = 64
[[guests]]
name = "COMPUTE"
workload = "COMPUTE"
count = 4
"#;

/// The same, in a partition that shares its processors with another one that always wants them.
const SHARED: &str = r#"
processors = { count = 2, shared = true }
prsm = { physical = 2, weight = 50, partitions = 1, other_weight = 50, other_logical = 2, other_busy_percent = 100 }
"#;

fn host(shared: bool) -> Scenario {
    let text = if shared { HOST.replace("\nprocessors = { count = 2 }\n", SHARED) } else { HOST.to_string() };
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// At any instant: no guest's program runs longer than processors worked for it, nor shorter.
#[test]
fn time_running_is_processor_time_to_the_nanosecond() {
    for shared in [false, true] {
        let mut simulation = Simulation::new(&host(shared), 1).expect("the scenario is valid");
        simulation.run_until_filled(zvmlab::kernel::time::Instant(u64::MAX), u64::MAX);
        let mut interrupted = 0;
        for _ in 0..200 {
            simulation.run_until(simulation.now() + zvmlab::kernel::time::Span(1_234_567));
            let guests = simulation.snapshot().guests;
            for GuestSnapshot { name, running_ns, cpu_ns, .. } in &guests {
                assert_eq!(running_ns, cpu_ns, "{name}, shared: {shared}");
            }
            interrupted = guests.iter().map(|guest| guest.interrupted_ns).sum();
        }
        assert!(interrupted > 0, "somebody was interrupted, shared: {shared}");
    }
}

/// PR/SM gives the physical processors to the other partition for half of the time. That is seen as steal, not as running.
#[test]
fn what_prsm_takes_is_steal() {
    let steal = |scenario: &Scenario| {
        let report = experiment::run(scenario, 1).expect("the scenario is valid");
        [Figure::Running, Figure::Steal, Figure::Utilization].map(|figure| report.measurement.get(figure).expect("a value"))
    };
    let alone = |shared| {
        let mut scenario = host(shared);
        scenario.guests.remove(0);
        scenario.guests[0].count = 2;
        steal(&scenario)
    };
    let ([runs, stolen, _], [runs_shared, stolen_shared, _]) = (alone(false), alone(true));
    assert!(runs > 99.0 && stolen < 1.0, "with processors of their own they always run: {runs} %, steal {stolen} %");
    assert!((45.0..55.0).contains(&runs_shared), "entitled to a half: {runs_shared} %");
    assert!((stolen_shared + runs_shared - 100.0).abs() < 1.0, "the rest is steal: {stolen_shared} %");
}
