//! Which knobs each subject shows: its own first, and what matters to the host without asking.

use zvmlab::scenario::fields::FIELDS;
use zvmlab::scenario::workloads::{IO3390, VIRSTOCX};
use zvmlab::scenario::{DeviceKind, GuestGroup};

use super::*;
use crate::subjects::beside::BESIDE;
use crate::subjects::evacuation::EVACUATION;
use crate::subjects::locks::LOCKS;
use crate::subjects::pldv::PLDV;
use crate::subjects::prsm::PRSM;
use crate::subjects::shares::SHARES;
use crate::subjects::storbuf::STORBUF;
use crate::subjects::twenty_five::TWENTY_FIVE;

fn base(subject: &Subject) -> Scenario {
    subject.base().expect("a ready experiment")
}

fn main_knobs(scenario: &Scenario) -> Vec<String> {
    let subject = Subject::of(scenario, None);
    let knobs = subject.groups(scenario).into_iter().flat_map(|group| group.knobs);
    knobs.filter(|knob| subject.is_main(knob, scenario)).map(|knob| knob.place()).collect()
}

fn with_io() -> Scenario {
    let mut io = GuestGroup { name: "IO3390".into(), count: 32, virtual_mb: 32, loop_mb: 1, ..GuestGroup::default() };
    IO3390.apply(&mut io);
    let mut scenario = Scenario { guests: vec![io], ..Scenario::default() };
    scenario.minidisks.volumes = 4;
    scenario
}

#[test]
fn every_field_has_one_knob_in_one_group_and_each_group_of_guests_its_own() {
    let mut scenario = with_io();
    scenario.guests.push(GuestGroup::default());
    for subject in SUBJECTS {
        let groups = subject.groups(&scenario);
        let all: Vec<String> = groups.iter().flat_map(|group| &group.knobs).map(|knob| knob.place()).collect();
        let mut once = all.clone();
        once.sort();
        once.dedup();
        let of_guests = FIELDS.iter().filter(|field| field.room() == "guests").count();
        let fields = FIELDS.len() - of_guests + of_guests * scenario.guests.len();
        assert_eq!((all.len(), once.len()), (fields, fields), "{}", subject.title);
        let titles: Vec<String> = groups.into_iter().map(|group| group.title).collect();
        assert!(
            titles.contains(&"IO3390 (32 guests)".into()) && titles.contains(&"VIRSTOEX (8 guests)".into()),
            "{titles:?}"
        );
        assert_eq!(titles.last().map(String::as_str), Some("Measurement"));
    }
}

#[test]
fn each_processor_subject_shows_its_own_knobs_first() {
    for (subject, first, wanted) in [
        (STORBUF, "storbuf", &["scheduler.storbuf_1", "scheduler.storbuf_3", "storage.central_mb", "guests[0].count"][..]),
        (SHARES, "shares", &["guests[0].share_relative", "guests[3].share_relative", "scheduler.excess_fault"]),
        (LOCKS, "system", &["dispatcher.diag44_fast_path", "guests[0].lock_us", "guests[0].virtual_cpus"]),
        (PRSM, "processors", &["processors.count", "prsm.weight", "prsm.other_busy_percent"]),
        (PLDV, "dispatcher", &["dispatcher.pldv_fix", "processors.count", "guests[0].count"]),
    ] {
        let scenario = subject.base().expect("a ready experiment");
        assert_eq!(subject.groups(&scenario)[0].id, first);
        let shown = main_knobs(&scenario);
        for knob in wanted {
            assert!(shown.iter().any(|other| other == knob), "{}: {knob} in {shown:?}", subject.title);
        }
        assert!(!shown.iter().any(|knob| knob.starts_with("minidisks.")), "{shown:?}");
    }
    let vary = crate::published::ready::scenario_of("VARY").expect("an example");
    assert!(main_knobs(&vary).contains(&"dispatcher.vary_fix".to_string()));
    let spin = crate::published::ready::scenario_of("SPIN-LOCK").expect("an example");
    assert!(main_knobs(&spin).contains(&"dispatcher.spin_lock".to_string()));
}

#[test]
fn what_is_shown_at_first_is_what_matters_to_the_host() {
    let paging = [
        "level",
        "lcu.aliases",
        "paging.zhpf",
        "paging.volumes",
        "storage.central_mb",
        "guests[0].count",
        "guests[0].loop_mb",
    ];
    assert_eq!(main_knobs(&Scenario::default()), paging, "as many as ever");
    let mut io = with_io();
    let only_io = main_knobs(&io);
    for there in ["guests[0].io_records", "guests[0].io_zhpf", "guests[0].io_read_percent", "minidisks.mdc_mb"] {
        assert!(only_io.iter().any(|knob| knob == there), "{there}");
    }
    assert!(!only_io.iter().any(|knob| knob.starts_with("paging.")), "{only_io:?}");
    let mut thrashing = GuestGroup { count: 12, ..GuestGroup::default() };
    VIRSTOCX.apply(&mut thrashing);
    io.guests.push(thrashing);
    let both = main_knobs(&io);
    for there in ["lcu.alias_share", "lcu.aliases", "guests[0].io_records", "guests[1].loop_mb", "paging.volumes"] {
        assert!(both.iter().any(|knob| knob == there), "{there}");
    }
    for not in ["guests[1].io_records", "guests[1].io_zhpf", "guests[0].loop_mb", "minidisks.mdc_mb"] {
        assert!(!both.iter().any(|knob| knob == not), "{not}");
    }
}

#[test]
fn the_way_back_to_io_and_to_misses_is_shown() {
    let mut scenario = SET_CU.base().expect("a published run");
    let shown = |path: &str, group: usize, scenario: &Scenario| {
        Subject::of(scenario, Some(SET_CU.start())).is_main(&Knob::at(path, group).expect("a field"), scenario)
    };
    assert!(shown("guests.io_records", 0, &scenario) && !shown("guests.io_records", 1, &scenario));
    scenario.guests[0].io_records = 0;
    assert!(shown("guests.io_records", 0, &scenario) && !shown("guests.io_records", 1, &scenario));
    assert!(!shown("paging.read_hit_percent", 0, &scenario));
    scenario.paging.kind = DeviceKind::EckdSsd;
    assert!(shown("paging.read_hit_percent", 0, &scenario));
}

/// The knobs that are shown without asking.
fn shown(scenario: &Scenario, subject: &Subject) -> Vec<String> {
    let knobs = subject.groups(scenario).into_iter().flat_map(|group| group.knobs);
    knobs.filter(|knob| knob.exists(scenario) && subject.is_main(knob, scenario)).map(|knob| knob.place()).collect()
}

fn knob(path: &str) -> Knob {
    Knob::at(path, 0).expect("a field")
}

#[test]
fn each_relocation_subject_shows_its_own_knobs_first() {
    for (subject, first, wanted) in [
        (
            MOVE,
            "guests-1",
            &[
                "guests[0].loop_mb",
                "guests[0].active_mb",
                "guests[0].touch_mb_s",
                "guests[0].devices",
                "guests[0].tolerance_ms",
                "guests[0].move_to",
                "relocation.immediate",
                "relocation.maxquiesce",
                "relocation.maxtotal_s",
                "relocation.interruption",
                "isfc.chpid3",
                "isfc.ctcs2",
            ][..],
        ),
        (LINK, "isfc", &["isfc.chpid1", "isfc.chpid4", "isfc.other_mb_s", "guests[0].loop_mb"]),
        (TWENTY_FIVE, "relocation", &["relocation.mode", "relocation.immediate", "guests[0].count"]),
        (
            CONSTRAINED,
            "storage",
            &["storage.central_mb", "member2.central_mb", "paging.volumes", "relocation.force_storage"],
        ),
        (BESIDE, "relocation", &["relocation.bounce", "relocation.stay_s", "guests[2].loop_mb", "processors.count"]),
        (
            EVACUATION,
            "relocation",
            &[
                "relocation.order",
                "relocation.window_s",
                "guests[0].move_to",
                "guests[1].tolerance_ms",
                "guests[3].member",
                "member3.central_mb",
                "cluster.members",
            ],
        ),
        (CLUSTER, "cluster", &["cluster.members", "cluster.state_s", "member4.transitions", "guests[0].count"]),
    ] {
        let scenario = base(subject);
        assert_eq!(subject.groups(&scenario)[0].id, first, "{}", subject.title);
        let shown = shown(&scenario, subject);
        for knob in wanted {
            assert!(shown.iter().any(|other| other == knob), "{}: {knob} in {shown:?}", subject.title);
        }
        assert!(!shown.iter().any(|knob| knob.starts_with("minidisks.") || knob.starts_with("lcu.")), "{shown:?}");
        let moves = moving(&scenario) > 0;
        for assumption in ["relocation.passes_max", "relocation.goal_ms", "relocation.throttle_paging", "isfc.buffers"] {
            assert_eq!(shown.iter().any(|knob| knob == assumption), moves, "{}: {assumption}", subject.title);
        }
    }
    assert!(!shown(&base(MOVE), MOVE).iter().any(|knob| knob == "relocation.mode" || knob == "isfc.ctcs3"));
}

#[test]
fn a_host_that_is_no_cluster_has_none_of_its_knobs() {
    let of_cluster = |knob: &Knob| {
        let room = knob.field.room();
        ["cluster", "isfc", "relocation"].contains(&room)
            || room.starts_with("member")
            || ["devices", "member", "move_to", "tolerance_ms"].contains(&knob.field.key()) && room == "guests"
    };
    for subject in SUBJECTS.iter().filter(|subject| !subject.is_of_relocation()) {
        let scenario = base(subject);
        let all: Vec<Knob> = subject.groups(&scenario).into_iter().flat_map(|group| group.knobs).collect();
        let there: Vec<String> =
            all.iter().filter(|knob| of_cluster(knob) && knob.exists(&scenario)).map(|knob| knob.place()).collect();
        assert_eq!(there, ["cluster.members"], "{}: the way to a cluster", subject.title);
        assert!(!all.iter().any(|knob| of_cluster(knob) && subject.is_main(knob, &scenario)), "{}", subject.title);
    }
    let evacuation = base(EVACUATION);
    assert!(knob("member3.central_mb").exists(&evacuation) && !knob("member4.central_mb").exists(&evacuation));
}
