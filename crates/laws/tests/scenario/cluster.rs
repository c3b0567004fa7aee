//! What a scenario says of members, the link and relocations: each field's range, and what must hold between them.

use zvmlab::scenario::{Chpid, Level, Scenario};

use crate::problems;
use crate::relations::{runs, says};

/// A guest that is small enough for any host here.
const GUEST: &str = "virtual_mb = 64\nloop_mb = 8\n";

/// Two members and one such guest, with more in the tables and in the guest.
fn pair(tables: &str, guest: &str) -> String {
    format!("cluster.members = 2\n{tables}[[guests]]\n{GUEST}{guest}")
}

/// Every whole number that came with clusters: where it stands, from where to where it goes, and its unit.
const RANGES: &[(&str, u64, u64, &str)] = &[
    ("cluster.members", 1, 4, " members"),
    ("cluster.state_s", 1, 3_600, " s"),
    ("cluster.transition_s", 1, 3_600, " s"),
    ("member2.central_mb", 256, 4_194_304, " MB"),
    ("member2.processors", 1, 64, " processors"),
    ("member2.volumes", 1, 64, " volumes"),
    ("member3.central_mb", 256, 4_194_304, " MB"),
    ("member3.processors", 1, 64, " processors"),
    ("member3.volumes", 1, 64, " volumes"),
    ("member4.central_mb", 256, 4_194_304, " MB"),
    ("member4.processors", 1, 64, " processors"),
    ("member4.volumes", 1, 64, " volumes"),
    ("isfc.ctcs1", 1, 16, " CTCs"),
    ("isfc.ctcs2", 1, 16, " CTCs"),
    ("isfc.ctcs3", 1, 16, " CTCs"),
    ("isfc.ctcs4", 1, 16, " CTCs"),
    ("isfc.buffers", 1, 4_096, " buffers"),
    ("isfc.other_mb_s", 0, 10_000, " MB/s"),
    ("relocation.maxquiesce_s", 1, 99_999_999, " s"),
    ("relocation.maxtotal_s", 0, 99_999_999, " s"),
    ("relocation.after_s", 0, 3_600, " s"),
    ("relocation.stay_s", 0, 3_600, " s"),
    ("relocation.interruption_ms", 0, 99_999_999, " ms"),
    ("relocation.window_s", 0, 99_999_999, " s"),
    ("relocation.passes_max", 3, 64, " passes"),
    ("relocation.goal_ms", 1, 60_000, " ms"),
    ("relocation.throttle_paging", 0, 1_000, " I/Os for each volume"),
    ("relocation.throttle_endpoint", 1, 4_096, " buffers"),
    ("guests[0].active_mb", 0, 1_048_576, " MB"),
    ("guests[0].touch_mb_s", 0, 16_384, " MB/s"),
    ("guests[0].devices", 0, 512, " devices"),
    ("guests[0].member", 1, 4, ""),
    ("guests[0].move_to", 0, 4, ""),
    ("guests[0].tolerance_ms", 0, 99_999_999, " ms"),
];

/// Every field that is one of a few words.
const CHOICES: &[(&str, &[&str])] = &[
    ("isfc.chpid1", &["none", "1 Gb", "2 Gb", "4 Gb", "8 Gb"]),
    ("isfc.chpid2", &["none", "1 Gb", "2 Gb", "4 Gb", "8 Gb"]),
    ("isfc.chpid3", &["none", "1 Gb", "2 Gb", "4 Gb", "8 Gb"]),
    ("isfc.chpid4", &["none", "1 Gb", "2 Gb", "4 Gb", "8 Gb"]),
    ("relocation.mode", &["SYNCH", "ASYNCH"]),
    ("relocation.maxquiesce", &["default", "seconds", "NOLIMIT"]),
    ("relocation.order", &["as listed", "largest first", "smallest first", "busiest first"]),
    ("relocation.interruption", &["none", "CANCEL", "CPHX", "link lost", "LOGOFF"]),
];

const SWITCHES: &[&str] = &[
    "member2.transitions",
    "member3.transitions",
    "member4.transitions",
    "relocation.immediate",
    "relocation.force_storage",
    "relocation.bounce",
];

/// The text that gives one field one value.
fn given(field: &str, value: &str) -> String {
    match field.strip_prefix("guests[0].") {
        Some(key) => format!("[[guests]]\n{key} = {value}"),
        None => format!("{field} = {value}"),
    }
}

#[test]
fn each_number_says_from_where_to_where_it_goes() {
    for &(field, min, max, unit) in RANGES {
        let range = format!("a whole number from {min} to {max}{unit} is allowed");
        let mut outside = vec![(max + 1).to_string(), "-1".into(), "0.5".into(), "\"1\"".into()];
        outside.extend(min.checked_sub(1).map(|below| below.to_string()));
        for value in outside {
            says(&given(field, &value), field, &[&format!("{value} given, {range}")]);
        }
        // The ends themselves are within; what else may be wrong with them is said of other fields, or in other words.
        for value in [min, max] {
            let told = problems(&given(field, &value.to_string()));
            assert!(told.iter().all(|problem| !problem.message.contains(&range)), "{field} = {value}: {told:?}");
        }
    }
}

#[test]
fn each_word_says_which_there_are() {
    for &(field, words) in CHOICES {
        let allowed = format!("one of \"{}\" is allowed", words.join("\", \""));
        for bad in ["", "8Gb", "8 GB", "synch", "None", "16 Gb"] {
            says(&given(field, &format!("\"{bad}\"")), field, &[&format!("\"{bad}\" given, {allowed}")]);
        }
        for word in words {
            runs(&given(field, &format!("\"{word}\"")));
        }
    }
    for &field in SWITCHES {
        says(&given(field, "1"), field, &["1 given, true or false is allowed"]);
        for value in ["true", "false"] {
            runs(&given(field, value));
        }
    }
}

/// None that came with clusters is left out above.
#[test]
fn every_field_of_clusters_is_looked_at() {
    let rooms = ["cluster", "member2", "member3", "member4", "isfc", "relocation"];
    let known: Vec<&str> = RANGES
        .iter()
        .map(|range| range.0)
        .chain(CHOICES.iter().map(|choice| choice.0))
        .chain(SWITCHES.iter().copied())
        .collect();
    for field in zvmlab::scenario::fields::FIELDS.iter().filter(|field| rooms.contains(&field.room())) {
        assert!(known.contains(&field.path), "{}", field.path);
    }
}

#[test]
fn a_cluster_needs_its_level() {
    for level in Level::ALL {
        let name = level.as_str();
        let fast_path = level >= Level::V5_2;
        let host = |members: u32| {
            format!(
                "level = \"{name}\"\ndispatcher.diag44_fast_path = {fast_path}\ncluster.members = {members}\n[[guests]]\n{GUEST}"
            )
        };
        runs(&host(1));
        match level < Level::V6_2 {
            true => {
                let words = ["2 given with", name, "no single system image", "1 is allowed", "\"6.2\" or later"];
                says(&host(2), "cluster.members", &words);
            }
            false => (2..=4).for_each(|members| runs(&host(members))),
        }
    }
}

#[test]
fn guests_run_at_members_that_there_are() {
    let host = |members: u32, key: &str, value: u32| {
        format!("cluster.members = {members}\n[[guests]]\n{GUEST}[[guests]]\n{GUEST}{key} = {value}\n")
    };
    for (key, none) in [("member", 1), ("move_to", 0)] {
        let field = format!("guests[1].{key}");
        for value in 2..=4 {
            let given = format!("{value} given, but the host is no member of a cluster; {none} is allowed");
            says(&host(1, key, value), &field, &[&given, &format!("cluster.members = {value} or more")]);
            for members in 2..=4 {
                match value <= members {
                    true => runs(&host(members, key, value)),
                    false => {
                        let given = format!("{value} given, but the cluster has {members} members; at most that is allowed");
                        says(&host(members, key, value), &field, &[&given]);
                    }
                }
            }
        }
    }
}

#[test]
fn a_guest_is_not_relocated_to_where_it_is() {
    let words = ["2 given, but WEB is logged on there already", "0 is allowed, or another member"];
    says(&pair("", "name = \"WEB\"\nmember = 2\nmove_to = 2\n"), "guests[0].move_to", &words);
    runs(&pair("", "member = 2\nmove_to = 1\n"));
    runs(&pair("", "member = 2\nmove_to = 0\n"));
    runs(&pair("", "move_to = 2\n"));
    says(&pair("", "move_to = 1\n"), "guests[0].move_to", &["1 given, but VIRSTOEX is logged on there already"]);
    says(&format!("[[guests]]\n{GUEST}move_to = 1\n"), "guests[0].move_to", &["1 given", "0 is allowed"]);
    // A message is one line, whatever a group is called.
    let message = &problems(&pair("", "name = \"a\\nb\\u001b\"\nmove_to = 1\n"))[0].message;
    assert!(message.contains("but a b  is") && !message.contains(char::is_control), "{message:?}");
}

#[test]
fn members_are_connected() {
    let none = |members: u32| format!("cluster.members = {members}\nisfc.chpid1 = \"none\"\n[[guests]]\n{GUEST}");
    let words = ["no chpid given", "at least one", "one of \"1 Gb\", \"2 Gb\", \"4 Gb\", \"8 Gb\" is allowed"];
    says(&none(2), "isfc.chpid1", &words);
    runs(&none(1));
    // Any of the four will do.
    for field in ["chpid2", "chpid3", "chpid4"] {
        runs(&none(2).replace("[[guests]]", &format!("isfc.{field} = \"1 Gb\"\n[[guests]]")));
    }
    assert_eq!(Chpid::ALL.map(Chpid::gb_s), [0, 1, 2, 4, 8]);
}

#[test]
fn a_link_has_sixteen_ctcs() {
    let link = |speeds: [&str; 4], ctcs: [u32; 4]| {
        let fields: Vec<String> =
            (0..4).map(|at| format!("chpid{0} = \"{1}\", ctcs{0} = {2}", at + 1, speeds[at], ctcs[at])).collect();
        pair(&format!("isfc = {{ {} }}\n", fields.join(", ")), "")
    };
    let all = ["8 Gb", "4 Gb", "4 Gb", "2 Gb"];
    runs(&link(all, [4, 4, 4, 4]));
    runs(&link(all, [1, 2, 12, 1]));
    says(&link(all, [4, 4, 5, 4]), "isfc.ctcs3", &["17 CTCs given on all chpids together", "may have at most 16"]);
    says(&link(all, [4, 8, 8, 1]), "isfc.ctcs2", &["21 CTCs given"]);
    // Chpids that are none have no CTCs.
    runs(&link(["8 Gb", "none", "none", "none"], [16, 16, 16, 16]));
    says(&link(["none", "8 Gb", "none", "1 Gb"], [16, 2, 16, 15]), "isfc.ctcs4", &["17 CTCs given"]);
    runs(&link(all, [16, 16, 16, 16]).replace("members = 2", "members = 1"));
}

#[test]
fn other_members_keep_to_what_holds_for_the_first() {
    // Physical processors, where partitions share them.
    let shared = |processors: u32| {
        pair(
            &format!("processors = {{ count = 4, shared = true }}\nprsm.physical = 8\nmember2.processors = {processors}\n"),
            "",
        )
    };
    runs(&shared(8));
    says(&shared(9), "member2.processors", &["9 logical processors given", "8 physical", "at most that is allowed"]);
    runs(&shared(9).replace("shared = true", "shared = false"));
    // Page volumes.
    let volumes = |of_it: u32| pair(&format!("paging.other_volumes = 4\nmember2.volumes = {of_it}\n"), "");
    runs(&volumes(60));
    says(&volumes(61), "member2.volumes", &["61 given beside 4 page volumes", "65 together", "at most 64"]);
    runs(&volumes(61).replace("members = 2", "members = 1"));
    // The minidisk cache, which every member has.
    let cache = |mb: u64| pair(&format!("minidisks.mdc_mb = {mb}\nmember2.central_mb = 1000\n"), "");
    runs(&cache(750));
    let words = ["751 given with 1000 MB of central storage of member 2", "at most 750 MB is allowed"];
    says(&cache(751), "minidisks.mdc_mb", &words);
    runs(&cache(751).replace("members = 2", "members = 1"));
}

#[test]
fn storage_is_reserved_member_by_member() {
    // 97 % of 1000 MB is pageable, and nine tenths of that can be reserved: 873 MB.
    let host = |first: &str, second: &str| {
        format!(
            "cluster.members = 2\nstorage.central_mb = 1000\nmember2.central_mb = 1000\n[[guests]]\ncount = 1\nvirtual_mb = 900\nloop_mb = 8\n\
             {first}[[guests]]\ncount = 1\nvirtual_mb = 900\nloop_mb = 8\n{second}"
        )
    };
    runs(&host("reserved_mb = 873\n", "member = 2\nreserved_mb = 873\n"));
    let words = ["874 MB reserved in all guests of member 2 together", "0.9 GB", "at most 873 MB is allowed"];
    says(&host("", "member = 2\nreserved_mb = 874\n"), "guests[1].reserved_mb", &words);
    says(&host("reserved_mb = 874\n", ""), "guests[0].reserved_mb", &["874 MB reserved in all guests together"]);
    // One that comes brings what it has reserved.
    let comes = host("reserved_mb = 400\nmove_to = 2\n", "member = 2\nreserved_mb = 474\n");
    says(&comes, "guests[0].reserved_mb", &["874 MB reserved in all guests of member 2"]);
    runs(&comes.replace("474", "473"));
}

#[test]
fn page_space_of_each_member_holds_what_its_storage_does_not() {
    let host = |relocation: &str, first: &str, second: &str| {
        format!(
            "cluster.members = 2\nstorage.central_mb = 4096\nmember2 = {{ central_mb = 1024, volumes = 1 }}\npaging.volume_slots = 1800\n{relocation}\
             [[guests]]\ncount = 1\nvirtual_mb = 2048\nloop_mb = 2048\n{first}[[guests]]\ncount = 1\nvirtual_mb = 64\nloop_mb = 64\n{second}"
        )
    };
    runs(&host("", "", ""));
    let words = ["1800 slots on 1 volume of member 2 given", "2.0 GB", "1.0 GB", "page space of at least", "is needed"];
    says(&host("", "member = 2\n", ""), "member2.volumes", &words);
    runs(&host("", "member = 2\n", "").replace("members = 2", "members = 2\npaging.volumes = 4").replace("1800", "1000000"));
    // Without FORCE STORAGE the eligibility checks see to it that a guest fits where it goes.
    runs(&host("", "move_to = 2\n", ""));
    says(
        &host("relocation.force_storage = true\n", "move_to = 2\n", ""),
        "member2.volumes",
        &["1800 slots on 1 volume of member 2"],
    );
    // Guests that stay where they are do not come, whoever bounces.
    let bounce = "relocation = { force_storage = true, bounce = true }\n";
    runs(&host(bounce, "", "move_to = 2\n"));
}

#[test]
fn members_that_come_and_go_hold_no_guests() {
    let host = |guest: &str| {
        format!(
            "cluster.members = 3\nmember3.transitions = true\n[[guests]]\n{GUEST}[[guests]]\nname = \"LINUX\"\n{GUEST}{guest}"
        )
    };
    runs(&host(""));
    runs(&host("move_to = 2\n"));
    runs(&host("member = 2\nmove_to = 1\n"));
    for guest in ["member = 3\n", "move_to = 3\n", "member = 3\nmove_to = 1\n"] {
        let words = ["true given, but LINUX runs there or is relocated there", "false is allowed"];
        says(&host(guest), "member3.transitions", &words);
    }
    // Of members that there are none of, nothing is wrong: like page volumes of a second kind that there are none of.
    runs(&host("move_to = 2\n").replace("members = 3", "members = 2"));
    runs(&host("").replace("members = 3", "members = 1"));
}

#[test]
fn what_a_guest_goes_on_touching_is_part_of_its_loop() {
    let guest = |more: &str| format!("[[guests]]\ncount = 1\nvirtual_mb = 64\nloop_mb = 8\n{more}");
    for active in [0, 1, 8] {
        runs(&guest(&format!("active_mb = {active}\n")));
    }
    let words = ["9 given, but the loop has 8 MB", "at most that is allowed"];
    says(&guest("active_mb = 9\n"), "guests[0].active_mb", &words);
    runs(&guest("active_mb = 2\nvirtual_cpus = 8\n"));
    let words = ["2 MB given for 9 virtual CPUs", "at least 3 MB is allowed, 256 KB for each"];
    says(&guest("active_mb = 2\nvirtual_cpus = 9\n"), "guests[0].active_mb", &words);
    runs(&guest("active_mb = 3\nvirtual_cpus = 9\n"));
}

#[test]
fn how_often_a_program_comes_to_its_pages_is_said_once() {
    let guest = |more: &str| format!("[[guests]]\n{GUEST}{more}");
    runs(&guest("touch_mb_s = 100\n"));
    runs(&guest("pace_ms = 100\n"));
    runs(&guest("touch_mb_s = 100\nworkload = \"PFAULT\"\n"));
    let words = ["100 given beside pace_ms 5", "one of them must be 0"];
    let message = &problems(&guest("touch_mb_s = 100\npace_ms = 5\n"))[0].message;
    assert!(words.iter().all(|words| message.contains(words)), "{message}");
    crate::refuses(&guest("touch_mb_s = 100\npace_ms = 5\n"), "guests[0].touch_mb_s");
}

/// A scenario made by a program meets the same relations, all at once.
#[test]
fn made_scenarios_meet_these_relations_too() {
    let mut scenario = Scenario::default();
    (scenario.cluster.members, scenario.level) = (2, Level::V6_1);
    scenario.isfc.chpid1 = Chpid::None;
    scenario.member2.transitions = true;
    scenario.dispatcher.diag44_fast_path = true;
    (scenario.guests[0].move_to, scenario.guests[0].active_mb) = (2, 20_000);
    let problems = scenario.check().expect_err("four things are wrong").problems;
    let fields: Vec<&str> = problems.iter().map(|problem| problem.field.as_str()).collect();
    assert_eq!(fields, ["guests[0].active_mb", "cluster.members", "isfc.chpid1", "member2.transitions"]);
}

/// Every example with a cluster says itself again, in both forms.
#[test]
fn examples_of_clusters_read_back() {
    let mut seen = 0;
    for example in zvmlab::scenario::examples::EXAMPLES {
        let scenario = Scenario::parse(example.text).expect(example.id);
        seen += u32::from(scenario.cluster.members > 1);
        assert_eq!(Scenario::parse(&scenario.to_toml()).as_ref(), Ok(&scenario));
        assert_eq!(Scenario::parse(&scenario.to_json()).as_ref(), Ok(&scenario));
    }
    assert!(seen >= 6, "{seen}");
}
