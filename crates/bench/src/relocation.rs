//! Clusters whose guests are relocated: one of 100 GB that is idle, the same that is busy, twenty-five of 4 GB at once.

use zvmlab::Simulation;
use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::examples::example;
use zvmlab::scenario::workloads::PFAULT;
use zvmlab::scenario::{Chpid, GuestGroup, Level, MaxQuiesce, OtherMember, Relocate, Scenario};
use zvmlab::snapshot::EndCode;

/// Simulated time within which all relocations of these clusters have ended.
const LIMIT: Span = Span::from_secs(3_600);

/// Each cluster with the name of its relocations.
pub fn hosts() -> [(&'static str, Scenario); 3] {
    [("100 GB, idle", idle()), ("100 GB, 25 GB busy", busy()), ("25 guests of 4 GB at once", twenty_five())]
}

/// A guest that has touched all of its 100 GB and keeps touching a little of it, over the largest link that was evaluated.
fn idle() -> Scenario {
    let guest = GuestGroup { virtual_mb: 102_400, loop_mb: 102_400, active_mb: 64, touch_mb_s: 1, ..GuestGroup::default() };
    pair(GuestGroup { count: 1, move_to: 2, ..guest })
}

/// A guest of 100 GB that has touched 30 GB and changes 25 GB of them again and again.
fn busy() -> Scenario {
    let mut guest = GuestGroup { virtual_mb: 102_400, loop_mb: 30_590, active_mb: 25_600, ..GuestGroup::default() };
    PFAULT.apply(&mut guest);
    pair(GuestGroup { count: 1, move_to: 2, ..guest })
}

/// Two members with room for the guest; 1-2Gb, 2-4Gb, 1-8Gb between them (6.2 deck, table 3).
fn pair(guest: GuestGroup) -> Scenario {
    let mut scenario = Scenario { level: Level::V6_2, guests: vec![guest], ..Scenario::default() };
    scenario.paging.alias = false;
    scenario.cluster.members = 2;
    scenario.storage.central_mb = 131_072;
    scenario.member2 = OtherMember { central_mb: 131_072, ..OtherMember::default() };
    let isfc = &mut scenario.isfc;
    (isfc.chpid1, isfc.chpid2, isfc.chpid3, isfc.chpid4) = (Chpid::Gb2, Chpid::Gb4, Chpid::Gb4, Chpid::Gb8);
    scenario.relocation.maxquiesce = MaxQuiesce::NoLimit;
    scenario
}

/// The example, with ASYNCH.
fn twenty_five() -> Scenario {
    let text = example("TWENTY-FIVE").expect("there is such an example").text;
    let mut scenario = Scenario::parse(text).expect("an example is a valid scenario");
    scenario.relocation.mode = Relocate::Asynch;
    scenario.relocation.maxquiesce = MaxQuiesce::NoLimit;
    scenario
}

/// The cluster after its fill and its warm-up.
pub fn filled(scenario: &Scenario) -> Simulation {
    let mut simulation = Simulation::new(scenario, 1).expect("the scenario is within its limits");
    simulation.run_until_filled(Instant(u64::MAX), u64::MAX);
    simulation.run_until(simulation.now() + Span::from_secs(scenario.measure.warmup_s.into()));
    simulation
}

/// Runs until all guests have been relocated; returns how many pages all passes collected.
pub fn relocate(simulation: &mut Simulation) -> f64 {
    simulation.run_until_relocated(simulation.now() + LIMIT, u64::MAX);
    let cluster = simulation.snapshot().cluster.expect("there is a cluster");
    assert!(cluster.relocations.iter().all(|relocation| relocation.end == Some(EndCode::Completed)), "every guest arrives");
    cluster.relocations.iter().map(|relocation| relocation.pages()).sum::<u64>() as f64
}
