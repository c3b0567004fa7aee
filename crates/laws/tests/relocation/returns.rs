//! Guests that come back: nothing of their earlier stay is left that they would have to wait for.

use zvmlab::Simulation;
use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::EndCode;

use super::laws::{held, members, relocations};

/// The second member has to page to take the guest in; once that has left nobody pages there, so the channel program that
/// gathers would not become full.
const TEXT: &str = r#"
level = "6.2"
processors = { count = 2 }
storage = { central_mb = 1024 }
paging = { volumes = 2, volume_slots = 400000, alias = false }
cluster = { members = 2 }
member2 = { central_mb = 300, processors = 1, volumes = 2 }
relocation = { bounce = true, stay_s = 1, force_storage = true, maxquiesce = "NOLIMIT", after_s = 0 }
measure = { warmup_s = 0, interval_s = 20 }

[[guests]]
name = "MOVER"
count = 1
virtual_mb = 150
loop_mb = 150
active_mb = 1
touch_mb_s = 1
move_to = 2

[[guests]]
name = "HOME"
count = 1
virtual_mb = 150
loop_mb = 150
active_mb = 1
touch_mb_s = 1
member = 2
"#;

#[test]
fn a_guest_comes_back_to_a_member_that_had_to_page_for_it() {
    let scenario = Scenario::parse(TEXT).unwrap_or_else(|error| panic!("{error}"));
    let mut simulation = Simulation::new(&scenario, 1).expect("the scenario is valid");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    for _ in 0..40 {
        simulation.run_until(simulation.now() + Span::from_secs(1));
        let snapshot = simulation.snapshot();
        simulation.verify_pages();
        let settled = relocations(&snapshot).iter().all(|relocation| {
            relocation.ended_ns.map_or(relocation.began_ns.is_none(), |at| snapshot.now_ns - at > 500_000_000)
        });
        let left = members(&snapshot).map(|member| if member.guests[0].away { held(&member.guests[0]) } else { 0 });
        assert!(!settled || left.sum::<u64>() == 0, "half a second after it left nothing of it is left behind");
    }
    let snapshot = simulation.snapshot();
    let completed = relocations(&snapshot).iter().filter(|relocation| relocation.end == Some(EndCode::Completed)).count();
    assert!(completed >= 8, "{completed} times in forty seconds");
    assert!(members(&snapshot).any(|member| member.paging.ios.pages_written > 0), "the second member pages");
}
