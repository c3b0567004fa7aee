//! What must hold between the fields of processors, scheduler, dispatcher and shares.

use zvmlab::scenario::fields::MAX_TOTAL_VIRTUAL_CPUS;
use zvmlab::scenario::{GuestGroup, Level, LimitHard, Mechanism, Scenario, SpinLock};

use crate::problems;
use crate::relations::{runs, says};

#[test]
fn the_fast_path_of_diag_44_came_with_5_2() {
    let host = |level: &str, on: bool| format!("level = \"{level}\"\ndispatcher.diag44_fast_path = {on}\n");
    let words = ["true given", "z/VM 5.1", "up to two virtual CPUs", "false is allowed", "\"5.2\" or later"];
    says(&host("5.1", true), "dispatcher.diag44_fast_path", &words);
    runs(&host("5.1", false));
    // On is the default, which 5.1 does not have: a text that does not say so gets what the level has.
    let plain = Scenario::parse("level = \"5.1\"").unwrap_or_else(|error| panic!("{error}"));
    assert!(!plain.dispatcher.diag44_fast_path && Scenario::default().dispatcher.diag44_fast_path);
    for level in &Level::ALL[1..] {
        runs(&host(level.as_str(), true));
        runs(&host(level.as_str(), false));
    }
}

/// What a text does not state it has as its level has it; what it states is checked.
#[test]
fn what_a_level_lacks_is_left_out_unless_the_text_asks_for_it() {
    let shared = "processors.shared = true\nprsm.physical = 16\n";
    let limited = "[[guests]]\nlimit_type = \"LIMITHARD\"\nlimit_absolute = 20\n";
    for level in [Level::V5_1, Level::V5_2] {
        let host = |more: &str| format!("level = \"{}\"\nlcu.aliases = 4\n{shared}{more}\n{limited}", level.as_str());
        let scenario = Scenario::parse(&host("")).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(scenario.scheduler.limithard, LimitHard::Deadline);
        assert_eq!((scenario.dispatcher.spin_lock, scenario.paging.alias), (SpinLock::Diag44, false));
        assert_eq!(scenario.left_to_level().count(), 7);
        let scheduler = &scenario.scheduler;
        assert_eq!([scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3], level.storbuf_initial());
        let stated = Scenario::parse(&host("scheduler.storbuf_3 = 90")).unwrap_or_else(|error| panic!("{error}")).scheduler;
        assert_eq!([stated.storbuf_1, stated.storbuf_2, stated.storbuf_3], [125, 105, 90]);
        says(
            &host("scheduler.limithard = \"CONSUMPTION\""),
            "scheduler.limithard",
            &["5.3, 5.4 and 6.1", "\"DEADLINE\" is allowed"],
        );
        says(&host("dispatcher.spin_lock = \"DIAG 9C\""), "dispatcher.spin_lock", &["\"DIAG 44\" is allowed"]);
    }
    let chosen = Scenario::parse(&format!("level = \"6.1\"\nscheduler.limithard = \"DEADLINE\"\n{limited}"));
    assert!(!chosen.unwrap_or_else(|error| panic!("{error}")).left_to_level().any(|path| path == "scheduler.limithard"));
}

#[test]
fn what_6_2_has_repaired_cannot_be_broken_there() {
    for (field, value, service) in [
        ("dispatcher.pldv_fix", "false", "VM64887"),
        ("dispatcher.vary_fix", "false", "VM64767"),
        ("dispatcher.spin_lock", "\"DIAG 44\"", "VM64927"),
    ] {
        for level in Level::ALL {
            let name = level.as_str();
            let fast_path = level >= Level::V5_2;
            let text = format!("level = \"{name}\"\ndispatcher.diag44_fast_path = {fast_path}\n{field} = {value}\n");
            match level < Level::V6_2 {
                true => runs(&text),
                false => says(&text, field, &[&format!("{value} given"), name, service, "is allowed", "\"6.1\" or earlier"]),
            }
        }
    }
}

#[test]
fn a_partition_has_no_more_logical_processors_than_there_are_physical_ones() {
    let host = |count: u32, physical: u32, more: &str| {
        format!(
            "processors = {{ count = {count}, shared = true }}\nprsm = {{ physical = {physical}, other_logical = 2{more} }}\n"
        )
    };
    runs(&host(8, 8, ""));
    says(&host(9, 8, ""), "processors.count", &["9 logical processors given", "8 physical", "at most"]);
    let others = host(2, 8, "").replace("other_logical = 2", "other_logical = 9");
    says(&others, "prsm.other_logical", &["9 logical processors given", "8 physical", "at most"]);
    // Partitions that are not there have no processors, and a dedicated partition no such neighbours.
    runs(&others.replace("other_logical = 9", "other_logical = 9, partitions = 0"));
    runs(&host(9, 8, "").replace("true", "false"));
    runs(&others.replace("shared = true", "shared = false"));
}

#[test]
fn no_number_of_storbuf_is_larger_than_the_one_before_it() {
    let storbuf = |first: u32, second: u32, third: u32| {
        format!("level = \"6.2\"\nscheduler = {{ storbuf_1 = {first}, storbuf_2 = {second}, storbuf_3 = {third} }}\n")
    };
    for [first, second, third] in [[125, 105, 95], [300, 250, 200], [100, 100, 100], [0, 0, 0], [999, 999, 0]] {
        runs(&storbuf(first, second, third));
    }
    says(&storbuf(100, 101, 100), "scheduler.storbuf_2", &["101 given after 100", "STORBUF"]);
    says(&storbuf(100, 90, 91), "scheduler.storbuf_3", &["91 given after 90", "STORBUF"]);
    // One that is lowered alone is below those that keep their default.
    says("scheduler.storbuf_1 = 200", "scheduler.storbuf_2", &["250 given after 200"]);
    let fields: Vec<String> = problems(&storbuf(1, 2, 3)).into_iter().map(|problem| problem.field).collect();
    assert_eq!(fields, ["scheduler.storbuf_2", "scheduler.storbuf_3"]);
}

/// SET SRM STORBUF INITIAL, and what is on by itself, by level.
#[test]
fn each_level_has_its_own_initial_numbers() {
    for level in Level::ALL {
        let wanted = if level < Level::V6_2 { [125, 105, 95] } else { [300, 250, 200] };
        assert_eq!(level.storbuf_initial(), wanted, "{}", level.as_str());
        let host = Scenario { level, ..Scenario::default() };
        assert_eq!(host.has(Mechanism::EligibleList), level < Level::V6_3, "{}", level.as_str());
    }
    let plain = Scenario::default();
    assert_eq!((plain.scheduler.limithard, plain.dispatcher.spin_lock), (LimitHard::Consumption, SpinLock::Diag9c));
}

#[test]
fn virtual_cpus_have_each_a_part_of_the_loop_and_are_not_too_many() {
    let guests = |count: u64, cpus: u32, loop_mb: u64| {
        format!("[[guests]]\ncount = {count}\nvirtual_cpus = {cpus}\nvirtual_mb = 64\nloop_mb = {loop_mb}\n")
    };
    runs(&guests(1, 4, 1));
    says(&guests(1, 5, 1), "guests[0].virtual_cpus", &["5 given", "1 MB", "256 KB", "for 4; at most that is allowed"]);
    runs(&guests(1, 64, 16));
    says(&guests(1, 64, 15), "guests[0].virtual_cpus", &["64 given", "15 MB", "for 60"]);
    // The second group is the one that is named.
    says(&format!("{}{}", guests(1, 1, 1), guests(1, 5, 1)), "guests[1].virtual_cpus", &["5 given"]);
    runs(&guests(MAX_TOTAL_VIRTUAL_CPUS / 16, 16, 4));
    let words = ["4112 virtual CPUs in all guests together", "4096", "allowed"];
    says(&guests(MAX_TOTAL_VIRTUAL_CPUS / 16 + 1, 16, 4), "guests", &words);
    assert_eq!(Scenario::parse(&guests(3, 4, 1)).map(|scenario| scenario.virtual_cpu_count()), Ok(12));
}

#[test]
fn a_limit_is_not_below_the_share() {
    let guest = |share: &str, limit: &str| format!("[[guests]]\nvirtual_mb = 64\nloop_mb = 1\n{share}\n{limit}\n");
    let absolute = "share_type = \"ABSOLUTE\"\nshare_absolute = 12.5";
    for kind in ["LIMITSOFT", "LIMITHARD"] {
        let limit = |percent: &str| format!("limit_type = \"{kind}\"\nlimit_absolute = {percent}");
        runs(&guest(absolute, &limit("12.5")));
        runs(&guest(absolute, &limit("100")));
        let words = ["12.4 % given", "share is 12.5 %", "at least that is allowed"];
        says(&guest(absolute, &limit("12.4")), "guests[0].limit_absolute", &words);
        // A relative share and an absolute limit have nothing to do with each other.
        runs(&guest("share_absolute = 12.5", &limit("1")));
    }
    // Without a limit its number is nothing.
    runs(&guest(absolute, "limit_absolute = 1"));
}

/// What makes no sense is refused wherever it comes from.
#[test]
fn made_scenarios_meet_these_relations_too() {
    let mut scenario = Scenario {
        guests: vec![GuestGroup { virtual_cpus: 5, loop_mb: 1, ..GuestGroup::default() }],
        ..Scenario::default()
    };
    (scenario.scheduler.storbuf_1, scenario.dispatcher.pldv_fix) = (10, false);
    let fields: Vec<String> =
        scenario.check().expect_err("three things are wrong").problems.into_iter().map(|problem| problem.field).collect();
    assert_eq!(fields, ["dispatcher.pldv_fix", "scheduler.storbuf_2", "guests[0].virtual_cpus"]);
}
