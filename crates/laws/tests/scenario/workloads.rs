//! Workloads by name in the text form, and the names that fields had before.

use zvmlab::scenario::workloads::{IO3390, WORKLOADS, Workload};
use zvmlab::scenario::{Scenario, Tenths};

use crate::{problems, refuses};

fn group(text: &str) -> zvmlab::scenario::GuestGroup {
    Scenario::parse(text).expect("the text is a valid scenario").guests.remove(0)
}

#[test]
fn a_workload_sets_what_it_describes_and_no_sizes() {
    let plain = group("[[guests]]\nvirtual_mb = 40\nloop_mb = 30\nminidisk_mb = 7\ncount = 3\nname = \"A\"");
    for workload in WORKLOADS {
        let io = "minidisks.volumes = 1\n";
        let text = format!(
            "{io}[[guests]]\nvirtual_mb = 40\nloop_mb = 30\nminidisk_mb = 7\ncount = 3\nname = \"A\"\nworkload = \"{}\"",
            workload.name
        );
        let mut expected = plain.clone();
        workload.apply(&mut expected);
        assert_eq!(group(&text), expected, "{}", workload.name);
        assert_eq!(Workload::of(&expected).map(|found| found.name), Some(workload.name));
    }
}

/// What else the text says of the group goes over its workload, wherever it stands.
#[test]
fn the_order_of_the_keys_does_not_matter() {
    let keys = ["workload = \"IO3390\"", "io_records = 64", "think_ms = 5", "io_zhpf = true", "io_read_percent = 10"];
    let mut orders = Vec::new();
    for first in 0..keys.len() {
        let mut order = keys;
        order.rotate_left(first);
        orders.push(order);
        order.reverse();
        orders.push(order);
    }
    for order in orders {
        let toml = format!("minidisks.volumes = 1\n[[guests]]\n{}", order.join("\n"));
        let found = group(&toml);
        assert_eq!((found.io_records, found.think_ms, found.io_zhpf), (64, Tenths::whole(5), true), "{order:?}");
        assert_eq!((found.io_read_percent, found.transaction), (10, IO3390.transaction), "{order:?}");
        let json: Vec<String> = order.iter().map(|line| format!("\"{}", line.replacen(" =", "\":", 1))).collect();
        let json = format!("{{\"minidisks\": {{\"volumes\": 1}}, \"guests\": [{{{}}}]}}", json.join(", "));
        assert_eq!(group(&json), found, "{json}");
    }
}

#[test]
fn an_unknown_workload_is_refused_with_the_known_ones() {
    for bad in ["virstoex", "VIRSTOEX ", "", "DB2", "other "] {
        refuses(&format!("[[guests]]\nworkload = \"{bad}\""), "guests[0].workload");
        let message = &problems(&format!("[[guests]]\nworkload = \"{bad}\""))[0].message;
        for workload in WORKLOADS {
            assert!(message.contains(workload.name), "{message}");
        }
    }
    // The word for what has no name sets nothing.
    assert_eq!(group("[[guests]]\nworkload = \"other\""), group(""));
}

/// The name is not written: the fields say it all, and a link made of them opens the same.
#[test]
fn a_workload_is_recognised_after_it_was_written_and_read() {
    for workload in WORKLOADS {
        let mut scenario = Scenario::default();
        workload.apply(&mut scenario.guests[0]);
        scenario.minidisks.volumes = 1;
        for text in [scenario.to_toml(), scenario.to_json()] {
            assert!(!text.contains("workload"), "{text}");
            assert_eq!(Workload::of(&group(&text)).map(|found| found.name), Some(workload.name));
        }
    }
}

#[test]
fn unknown_kinds_are_refused_with_the_known_ones() {
    for field in ["paging.kind", "paging.other_kind", "minidisks.kind"] {
        for bad in ["ECKD", "eckd spinning", "EDEV", "SSD", "Eckd-Ssd", "EckdSsd"] {
            refuses(&format!("{field} = \"{bad}\""), field);
            let message = &problems(&format!("{field} = \"{bad}\""))[0].message;
            for kind in zvmlab::scenario::DeviceKind::ALL {
                assert!(message.contains(&format!("\"{}\"", kind.as_str())), "{message}");
            }
        }
    }
}

#[test]
fn aliases_moved_to_the_control_unit_and_the_message_says_so() {
    for text in ["paging.aliases = 4", r#"{"paging": {"aliases": 4}}"#, "paging.aliases = \"x\""] {
        refuses(text, "paging.aliases");
        let message = &problems(text)[0].message;
        assert!(message.contains("lcu.aliases"), "{message}");
    }
    // Nobody else has aliases.
    refuses("minidisks.aliases = 4", "minidisks.aliases");
    assert!(!problems("minidisks.aliases = 4")[0].message.contains("lcu.aliases"));
}

/// Think time and pace take fractions of a millisecond; more decimals are refused.
#[test]
fn times_between_cycles_take_a_decimal() {
    let group = |line: &str| Scenario::parse(&format!("[[guests]]\nworkload = \"COMPUTE\"\n{line}\n"));
    for (line, think_ms, pace_ms) in
        [("think_ms = 0.5", Tenths(5), Tenths::ZERO), ("pace_ms = 2.5", Tenths::ZERO, Tenths(25))]
    {
        let scenario = group(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!((scenario.guests[0].think_ms, scenario.guests[0].pace_ms), (think_ms, pace_ms), "{line}");
        assert_eq!(Scenario::parse(&scenario.to_toml()).as_ref(), Ok(&scenario), "{line}");
    }
    let error = group("pace_ms = 0.25").expect_err("two decimals").to_string();
    assert!(error.contains("guests[0].pace_ms") && error.contains("0.25 given") && error.contains("one decimal"), "{error}");
}
