//! Knobs of clusters: what cannot be is said and resolved.

use zvmlab::scenario::{Chpid, Interruption, Level, MaxQuiesce, Relocate, Tenths};

use super::super::sentences::sentence;
use super::*;
use crate::published::ready::scenario_of;

fn base(id: &str) -> Scenario {
    scenario_of(id).expect("a ready experiment")
}

fn knob(path: &str) -> Knob {
    Knob::at(path, 0).expect("a field")
}

#[test]
fn what_waits_for_another_knob_is_locked_with_the_reason() {
    let reason = |path: &str, id: &str, change: fn(&mut Scenario)| {
        let mut scenario = base(id);
        change(&mut scenario);
        knob(path).locked(&scenario, &[]).unwrap_or_default()
    };
    assert!(reason("relocation.maxquiesce_s", "MOVE", |_| ()).contains("not given in seconds"));
    assert_eq!(reason("relocation.maxquiesce_s", "MOVE", |s| s.relocation.maxquiesce = MaxQuiesce::Seconds), "");
    assert!(reason("relocation.mode", "MOVE", |_| ()).contains("Only one guest"));
    assert_eq!(reason("relocation.mode", "TWENTY-FIVE", |_| ()), "");
    assert!(reason("relocation.order", "TWENTY-FIVE", |s| s.relocation.mode = Relocate::Asynch).contains("at once"));
    assert!(reason("relocation.immediate", "CLUSTER", |_| ()).contains("No guest is relocated"));
    assert!(reason("relocation.interruption_ms", "MOVE", |_| ()).contains("No interruption"));
    assert_eq!(reason("relocation.interruption_ms", "MOVE", |s| s.relocation.interruption = Interruption::Cancel), "");
    assert!(reason("relocation.stay_s", "TWENTY-FIVE", |_| ()).contains("stay"));
    assert!(reason("guests.devices", "CLUSTER", |_| ()).contains("stay where they are"));
    assert!(reason("guests.pace_ms", "MOVE", |_| ()).contains("touched a second"));
    assert!(reason("cluster.state_s", "MOVE", |_| ()).contains("No member"));
    assert_eq!(reason("cluster.state_s", "CLUSTER", |_| ()), "");
}

#[test]
fn what_a_cluster_cannot_be_is_said_in_words_and_can_be_resolved() {
    for (id, change, said, label) in [
        ("MOVE", (|s| s.guests[0].move_to = 3) as fn(&mut Scenario), "There is no member 3.", "Let it stay"),
        ("MOVE", |s| s.guests[0].move_to = 1, "SERVER is at member 1 already.", "Let it stay"),
        ("MOVE", |s| s.guests[0].active_mb = 50_000, "50000 given", "Lower to 40960"),
        ("MOVE", |s| s.guests[0].pace_ms = Tenths::whole(8), "The time from cycle to cycle", "As fast as it can"),
        (
            "MOVE",
            |s| (s.isfc.chpid1, s.isfc.chpid2) = (Chpid::None, Chpid::None),
            "No chpid connects the members",
            "Choose 8 Gb",
        ),
        ("MOVE", |s| s.isfc.ctcs2 = 16, "20 CTCs", "Use four"),
        ("EVACUATION", |s| s.guests[4].member = 4, "There is no member 4.", "Put it on member 3"),
        ("EVACUATION", |s| s.member3.transitions = true, "Guests run there", "Turn off"),
    ] {
        let mut scenario = base(id);
        change(&mut scenario);
        let problems = scenario.check().expect_err(said).problems;
        let told: Vec<String> = problems.iter().map(|problem| sentence(problem, &scenario)).collect();
        assert!(told[0].starts_with(said), "{told:?}");
        let knob = Knob::of_problem(&problems[0]).expect("each problem has its knob");
        let remedy = knob.remedy(&scenario).unwrap_or_else(|| panic!("{said} can be resolved"));
        assert_eq!(remedy.label, label);
        knob.turn(&mut scenario, &remedy.given).expect("it is a value");
        assert_eq!(scenario.check(), Ok(()), "{said}");
    }
    let mut old = base("MOVE");
    old.level = Level::V6_1;
    let problems = old.check().expect_err("6.1 has no cluster").problems;
    let told: Vec<String> = problems.iter().map(|problem| sentence(problem, &old)).collect();
    assert!(told.iter().any(|said| said.starts_with("z/VM 6.1 has no single system image cluster.")), "{told:?}");
}

#[test]
fn a_guest_that_grows_takes_its_virtual_storage_along_and_one_that_shrinks_its_active_part() {
    let turned = |id: &str, mb: &str| {
        let mut scenario = scenario_of(id).expect("a ready experiment");
        for (knob, given) in super::super::limits::together(knob("guests.loop_mb"), Given::Number(mb.into()), &scenario) {
            knob.turn(&mut scenario, &given).expect("it is a value");
        }
        let group = &scenario.guests[0];
        (group.loop_mb, group.virtual_mb, group.active_mb)
    };
    assert_eq!(turned("MOVE", "49152"), (49_152, 49_152, 0));
    assert_eq!(turned("MOVE", "8192"), (8_192, 40_960, 0));
    assert_eq!(turned("ISFC", "2048"), (2_048, 16_384, 2_048));
    let mut alone = Scenario::default();
    alone.guests[0].active_mb = 1;
    let turns = super::super::limits::together(knob("guests.loop_mb"), Given::Number("20000".into()), &alone);
    assert_eq!(turns.len(), 1, "without a cluster, no other knob changes");
}

#[test]
fn a_guest_goes_to_another_member_or_stays() {
    let scenario = base("EVACUATION");
    let words = |path: &str, group: usize| {
        let knob = Knob::at(path, group).expect("a field");
        let members = members(&knob, &scenario).expect("it is a member");
        members.into_iter().map(|(member, words)| format!("{member} {words}")).collect::<Vec<_>>()
    };
    assert_eq!(words("guests.move_to", 0), ["0 stays", "2 MEMBER2", "3 MEMBER3"]);
    assert_eq!(words("guests.move_to", 3), ["0 stays", "1 MEMBER1", "3 MEMBER3"]);
    assert_eq!(words("guests.member", 0), ["1 MEMBER1", "2 MEMBER2", "3 MEMBER3"]);
    assert_eq!(members(&knob("guests.count"), &scenario), None);
}
