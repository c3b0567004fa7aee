//! What holds relocations back: each of the three throttles in a cluster where it acts for long, and members that page.

use zvmlab::Simulation;
use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::{EndCode, RelocationSnapshot, Snapshot, Throttle};

use super::laws::{members, relocations};

fn scenario(text: &str) -> Scenario {
    Scenario::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Runs it until all relocations have ended; tells the first, the seconds for which it was seen to be held back by each
/// throttle, and the end.
fn watch(scenario: &Scenario) -> (RelocationSnapshot, [f64; 3], Snapshot) {
    const STEP: Span = Span::from_millis(2);
    let mut simulation = Simulation::new(scenario, 1).expect("the scenario is valid");
    simulation.run_until_filled(Instant(u64::MAX), 10_000_000);
    let mut seen = [0.0; 3];
    while !simulation.relocations_ended() {
        simulation.run_until(simulation.now() + STEP);
        assert!(simulation.now() < Instant(600_000_000_000), "it ends");
        if let Some(throttle) = relocations(&simulation.snapshot())[0].throttle {
            seen[throttle as usize] += STEP.0 as f64 / 1e9;
        }
    }
    simulation.verify_pages();
    let end = simulation.snapshot();
    (relocations(&end)[0].clone(), seen, end)
}

/// `throttle` holds a relocation back for more than a second, which is what is seen of it, and it completes.
fn check(scenario: &Scenario, throttle: Throttle) -> RelocationSnapshot {
    let (relocation, seen, _) = watch(scenario);
    assert_eq!(relocation.end, Some(EndCode::Completed), "{relocation:?}");
    let told = relocation.throttled_ns.map(|ns| ns as f64 / 1e9);
    assert!(told[throttle as usize] > 1.0, "{throttle:?}: {told:?} s");
    for (seen, told) in seen.into_iter().zip(told) {
        assert!((seen - told).abs() <= 0.1 * told + 0.1, "{told} s, {seen} s seen");
    }
    let all = relocation.relocation_ns().expect("it has completed") as f64 / 1e9;
    assert!(told.iter().sum::<f64>() < all, "{told:?} of {all} s");
    relocation
}

/// A guest of 512 MB on its way, over a link of the first chpid alone unless `tables` says otherwise.
fn moving(tables: &str, guest: &str, others: &str) -> Scenario {
    scenario(&format!(
        r#"
level = "6.2"
processors = {{ count = 4 }}
cluster = {{ members = 2 }}
measure = {{ warmup_s = 0, interval_s = 1 }}
{tables}
[[guests]]
name = "MOVER"
count = 1
virtual_mb = 512
loop_mb = 512
pattern = "random"
move_to = 2
{guest}
{others}
"#
    ))
}

/// Two members whose size, page space and relocation are as given.
fn sized(source_mb: u32, destination_mb: u32, relocation: &str) -> String {
    format!(
        "storage = {{ central_mb = {source_mb} }}\nmember2 = {{ central_mb = {destination_mb}, volumes = 2 }}\n\
         paging = {{ volumes = 2, volume_slots = 600000, alias = false }}\n\
         relocation = {{ maxquiesce = \"NOLIMIT\", force_storage = true, {relocation} }}\n"
    )
}

#[test]
fn the_link_holds_back_when_its_buffers_are_used_up() {
    let tables = sized(2048, 2048, "immediate = true");
    let narrow = moving(&format!("{tables}isfc = {{ chpid1 = \"1 Gb\", buffers = 4 }}\n"), "touch_mb_s = 10", "");
    check(&narrow, Throttle::Link);
}

#[test]
fn memory_holds_back_where_the_destination_has_to_page_for_each_frame() {
    let home = "[[guests]]\nname = \"HOME\"\ncount = 1\nvirtual_mb = 256\nloop_mb = 200\nactive_mb = 2\ntouch_mb_s = 1\nmember = 2\n";
    let small = moving(&sized(1024, 300, "immediate = true, throttle_paging = 0"), "touch_mb_s = 10", home);
    let relocation = check(&small, Throttle::Memory);
    assert!(relocation.frame_wait_ns > 1_000_000_000, "buffers waited for frames for {} ns", relocation.frame_wait_ns);
    // Room for all: nothing waits.
    let roomy = moving(&sized(1024, 1024, "immediate = true, throttle_paging = 0"), "touch_mb_s = 10", home);
    let (relocation, _, end) = watch(&roomy);
    assert_eq!((relocation.throttled_ns[Throttle::Memory as usize], relocation.frame_wait_ns), (0, 0));
    assert!(members(&end).all(|member| member.paging.ios.starts == 0), "no member pages");
}

#[test]
fn paging_at_the_source_holds_back_and_what_is_paged_out_is_read() {
    let pagers = "[[guests]]\nname = \"PAGER\"\ncount = 6\nvirtual_mb = 100\nloop_mb = 100\npattern = \"random\"\n";
    let tables = sized(640, 2048, "immediate = true, throttle_paging = 1");
    let held = check(&moving(&tables, "touch_mb_s = 10", pagers), Throttle::Paging);
    assert!(held.pages_read > 0, "pages that are on DASD are read");
    let free = moving(&tables.replace("throttle_paging = 1", "throttle_paging = 0"), "touch_mb_s = 10", pagers);
    let (free, _, _) = watch(&free);
    assert_eq!(free.throttled_ns[Throttle::Paging as usize], 0);
    assert!(free.pages_read > 0);
    assert!(free.relocation_ns() < held.relocation_ns(), "it goes on whatever the paging");
}

#[test]
fn paging_at_the_destination_holds_back() {
    let pagers =
        "[[guests]]\nname = \"PAGER\"\ncount = 6\nvirtual_mb = 100\nloop_mb = 100\npattern = \"random\"\nmember = 2\n";
    let relocation = check(&moving(&sized(1024, 400, "throttle_paging = 2"), "touch_mb_s = 10", pagers), Throttle::Paging);
    assert_eq!(relocation.pages_read, 0, "the source has it all in frames");
}
