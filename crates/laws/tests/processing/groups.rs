//! Groups of guests have figures of their own: what helps one may cost another, and a mean over all hides it.

use zvmlab::measurement::{Measurement, OfGroup};
use zvmlab::scenario::Scenario;
use zvmlab::scenario::examples::example;

use super::scenario;

fn run(scenario: &Scenario) -> Measurement {
    zvmlab::experiment::run(scenario, 1).expect("the scenario is valid").measurement
}

/// 6.2 update: "For CMS-intensive workloads, the old defaults might be more appropriate." The CMS users hardly wait in the
/// eligible list, only where a transaction lasts for longer than an elapsed slice; and fewer Linux guests take their pages.
#[test]
fn the_old_defaults_of_storbuf_help_cms_users() {
    let with = |numbers: [u32; 3]| {
        let mut host = scenario(example("CMS-USERS").expect("an example").text);
        let scheduler = &mut host.scheduler;
        [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3] = numbers;
        (host.measure.warmup_s, host.measure.interval_s) = (30, 20);
        run(&host).groups
    };
    let (new, old) = (with([300, 250, 200]), with([125, 105, 95]));
    let [cms_new, cms_old] = [new[0], old[0]].map(|of: OfGroup| of.response_ms.expect("cycles ended"));
    assert!(cms_old < 0.7 * cms_new, "CMS: {cms_old} ms with the old defaults, {cms_new} ms with the new ones");
    assert!(old[1].list_wait > 10.0, "Linux guests wait in the eligible list: {} %", old[1].list_wait);
    assert!(old[0].list_wait < old[1].list_wait / 100.0, "CMS users hardly do: {} %", old[0].list_wait);
}

/// Users with short transactions beside guests that compute all the time: the more users, the lower the mean of all, though each
/// user waits as long as before or longer.
#[test]
fn a_mean_over_all_guests_hides_the_users() {
    let with = |users: u32| {
        let text = format!(
            r#"
processors = {{ count = 1 }}
measure = {{ warmup_s = 5, interval_s = 40 }}
[[guests]]
name = "CMS"
workload = "INTERACTIVE"
count = {users}
virtual_mb = 8
loop_mb = 1
[[guests]]
name = "BATCH"
workload = "COMPUTE"
count = 4
cpu_us = 200000
"#
        );
        let measurement = run(&scenario(&text));
        let pooled = measurement.get(zvmlab::Figure::ResponseTime).expect("cycles ended");
        (pooled, measurement.groups[0].response_ms.expect("cycles ended"))
    };
    let ((one, cms_one), (many, cms_many)) = (with(1), with(100));
    assert!(cms_one < one / 2.0, "the one user waits {cms_one} ms, the mean is {one} ms");
    assert!(
        many < one && cms_many >= cms_one,
        "the mean falls from {one} to {many} ms; users: {cms_one}, then {cms_many} ms"
    );
}
