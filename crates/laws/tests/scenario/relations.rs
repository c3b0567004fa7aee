//! What must hold between fields: each message names the field, what was given, what is allowed, and why.

use zvmlab::scenario::fields::{MAX_GROUPS, MAX_TOTAL_GUESTS, MAX_VIRTUAL_MB, max_total_virtual_mb};
use zvmlab::scenario::{DeviceKind, GuestGroup, Level, Own, Scenario};

use crate::{problems, refuses};

/// Asserts that `text` has one problem, with `field`, and that its message has all of these words.
pub(crate) fn says(text: &str, field: &str, words: &[&str]) {
    refuses(text, field);
    let message = &problems(text)[0].message;
    for word in words {
        assert!(message.contains(word), "{text}\nno {word:?} in: {message}");
    }
    assert!(["allowed", "needed", "at most", "may"].iter().any(|word| message.contains(word)), "what is allowed: {message}");
}

pub(crate) fn runs(text: &str) {
    assert!(problems(text).is_empty(), "{text}\n{:?}", problems(text));
}

/// A guest that does I/O.
const WITH_IO: &str = "[[guests]]\nworkload = \"IO3390\"\ncount = 2\nvirtual_mb = 16\nloop_mb = 16\n";

/// The same in transport mode.
fn transport() -> String {
    format!("{WITH_IO}io_zhpf = true\n")
}

#[test]
fn paging_features_need_their_level_and_channel() {
    for level in ["5.2", "6.1", "6.2", "6.2 VM65041", "6.3"] {
        let host = |more: &str| format!("level = \"{level}\"\n{more}[[guests]]\nvirtual_mb = 16\nloop_mb = 16\n");
        runs(&host(""));
        says(&host("paging.zhpf = true\n"), "paging.zhpf", &["true given", level, "false is allowed", "\"6.4\""]);
        let asked = "lcu.aliases = 3\npaging.alias = true\n";
        says(&host(asked), "paging.alias", &["true given", "3 aliases", level, "\"6.4\""]);
        runs(&host("lcu.aliases = 3\npaging.alias = false\n"));
        // Who says nothing of paging wants them for minidisks.
        runs(&host("lcu.aliases = 3\n"));
    }
    says("lcu.channel = \"FICON Express8\"\npaging.zhpf = true", "paging.zhpf", &["FICON Express8;", "\"FICON Express8S\""]);
    runs("lcu.channel = \"FICON Express8\"");
}

#[test]
fn flash_without_an_svc_needs_6_4() {
    for (field, host) in [
        ("paging.kind", "paging.kind = KIND\n"),
        ("paging.other_kind", "paging.other_kind = KIND\npaging.other_volumes = 1\n"),
        ("minidisks.kind", "minidisks.kind = KIND\nminidisks.volumes = 1\n"),
    ] {
        let host = |level: &str, kind: DeviceKind| {
            format!("level = \"{level}\"\n{}", host.replace("KIND", &format!("\"{}\"", kind.as_str())))
        };
        let words = ["\"EDEV flash direct\" given", "6.3", "\"EDEV flash via SVC\" is allowed", "\"6.4\""];
        says(&host("6.3", DeviceKind::EdevDirect), field, &words);
        runs(&host("6.4", DeviceKind::EdevDirect));
        runs(&host("6.3", DeviceKind::EdevSvc));
    }
    // Where there is no such volume its kind is nothing that a host could lack.
    runs("level = \"6.3\"\npaging.other_kind = \"EDEV flash direct\"\nminidisks.kind = \"EDEV flash direct\"\n");
}

#[test]
fn guest_zhpf_needs_its_service_and_eckd_volumes() {
    let host = |head: &str| format!("{head}{}", transport());
    says(
        &host("level = \"6.2\"\nminidisks.volumes = 1\n"),
        "guests[0].io_zhpf",
        &["true given", "VM65041", "false is allowed"],
    );
    for level in ["6.2 VM65041", "6.3", "6.4"] {
        runs(&host(&format!("level = \"{level}\"\nminidisks.volumes = 1\n")));
    }
    // zHPF for guests needs no newer channel.
    runs(&host("lcu.channel = \"FICON Express8\"\nminidisks.volumes = 1\n"));
    let words = ["true given", "EDEV", "false is allowed", "ECKD"];
    says(&host("minidisks.volumes = 1\nminidisks.kind = \"EDEV flash via SVC\"\n"), "guests[0].io_zhpf", &words);
    says(&host("minidisks.on_page_volumes = true\npaging.kind = \"EDEV flash direct\"\n"), "guests[0].io_zhpf", &words);
    let other = "minidisks.on_page_volumes = true\npaging.other_volumes = 1\npaging.other_kind = \"EDEV flash direct\"\n";
    says(&host(other), "guests[0].io_zhpf", &words);
    // The second group is the one that is named.
    let second = format!("level = \"6.2\"\nminidisks.volumes = 1\n{WITH_IO}{}", transport());
    says(&second, "guests[1].io_zhpf", &["VM65041"]);
    // A guest that does no I/O does none in transport mode.
    runs("level = \"6.2\"\n[[guests]]\nvirtual_mb = 16\nloop_mb = 16\nio_zhpf = true\n");
}

#[test]
fn guests_io_needs_minidisks() {
    says(WITH_IO, "minidisks.volumes", &["0 given", "at least 1 is allowed", "page volumes"]);
    runs(&format!("minidisks.on_page_volumes = true\n{WITH_IO}"));
    let host =
        |records: u32, mb: u32| format!("minidisks.volumes = 1\n{WITH_IO}io_records = {records}\nminidisk_mb = {mb}\n");
    runs(&host(64, 1));
    // A minidisk of 65,536 MB has 1,398,102 tracks.
    let large = format!("minidisks.volumes = 1\n{}minidisk_mb = 65536\n", WITH_IO.replace("count = 2", "count = 13"));
    says(&large, "guests", &["minidisks of 18175326 tracks in all", "16777216", "allowed"]);
    runs(&large.replace("count = 13", "count = 11"));
    // Without I/O a guest has no minidisk.
    runs(&large.replace("minidisk_mb", "io_records = 0\nminidisk_mb"));
}

#[test]
fn page_volumes_of_both_kinds_together_are_at_most_64() {
    let host = |volumes: u32, others: u32| format!("paging.volumes = {volumes}\npaging.other_volumes = {others}");
    runs(&host(60, 4));
    says(&host(60, 5), "paging.other_volumes", &["5 given", "60 page volumes", "65 together", "at most 64"]);
}

#[test]
fn storage_is_not_given_away_twice() {
    let reserved = |mb: u64| {
        format!("storage.central_mb = 1000\n[[guests]]\ncount = 2\nvirtual_mb = 500\nloop_mb = 8\nreserved_mb = {mb}\n")
    };
    says("[[guests]]\nvirtual_mb = 500\nloop_mb = 8\nreserved_mb = 501", "guests[0].reserved_mb", &["501 given", "500 MB"]);
    // 97 % of central storage is pageable, and nine tenths of that can be reserved: 873 MB.
    says(&reserved(437), "guests[0].reserved_mb", &["874 MB reserved in all guests", "0.9 GB", "at most 873 MB"]);
    runs(&reserved(436));
    let cache =
        |mb: u64| format!("storage.central_mb = 1000\nminidisks.mdc_mb = {mb}\n[[guests]]\nvirtual_mb = 8\nloop_mb = 8\n");
    says(&cache(751), "minidisks.mdc_mb", &["751 given", "1000 MB of central storage", "at most 750 MB"]);
    runs(&cache(750));
    // What the cache has is not there to be reserved.
    let both = format!("minidisks.mdc_mb = 500\n{}", reserved(212));
    says(&both, "guests[0].reserved_mb", &["424 MB reserved", "at most 423 MB"]);
}

/// Levels before 6.3 page, too: hosts that are short of storage are what STORBUF is about.
#[test]
fn every_level_may_page() {
    for level in Level::ALL {
        let fast_path = level >= Level::V5_2;
        runs(&format!(
            "level = \"{}\"\ndispatcher.diag44_fast_path = {fast_path}\nstorage.central_mb = 1000\n\
             [[guests]]\ncount = 1\nvirtual_mb = 2048\nloop_mb = 2048\n",
            level.as_str()
        ));
    }
}

#[test]
fn page_space_holds_what_storage_does_not() {
    let words = ["1800 slots on 1 volume given", "page space of at least", "slots): more volumes"];
    says("paging.volumes = 1\npaging.volume_slots = 1800", "paging.volume_slots", &words);
    // Slots on other volumes count.
    runs("paging.volumes = 1\npaging.volume_slots = 1800\npaging.other_volumes = 1");
}

#[test]
fn there_are_guests_and_not_too_many() {
    refuses("guests = []", "guests");
    says("[[guests]]\nvirtual_mb = 1024\nloop_mb = 2048", "guests[0].loop_mb", &["2048 given", "1024 MB"]);
    refuses(&"[[guests]]\ncount = 1\nvirtual_mb = 1\nloop_mb = 1\n".repeat(MAX_GROUPS + 1), "guests");
    let small = "virtual_mb = 1\nloop_mb = 1\n";
    refuses(&format!("[[guests]]\ncount = {MAX_TOTAL_GUESTS}\n{small}[[guests]]\ncount = 1\n{small}"), "guests");
    let count = max_total_virtual_mb(true) / MAX_VIRTUAL_MB;
    let large =
        |count: u64, more: &str| format!("{more}[[guests]]\ncount = {count}\nvirtual_mb = {MAX_VIRTUAL_MB}\nloop_mb = 1\n");
    says(&large(count + 1, ""), "guests", &["GB of memory", "is allowed"]);
    // A guest that moves is there once.
    runs(&format!("{}member = 1\nmove_to = 2\n", large(count, "level = \"6.4\"\ncluster.members = 2\n")));
}

/// All that contradicts itself is said at once.
#[test]
fn problems_of_different_kinds_come_together() {
    let text = format!("level = \"6.2\"\npaging.zhpf = true\nlcu.channel = \"FICON Express8\"\n{}", transport());
    let fields: Vec<String> = problems(&text).into_iter().map(|problem| problem.field).collect();
    assert_eq!(fields, ["paging.zhpf", "guests[0].io_zhpf", "paging.zhpf", "minidisks.volumes"]);
}

/// A scenario made by a program meets the same relations.
#[test]
fn made_scenarios_meet_them_too() {
    let mut scenario =
        Scenario { guests: vec![GuestGroup { io_records: 1, ..GuestGroup::default() }], ..Scenario::default() };
    let problems = scenario.check().expect_err("there is no minidisk volume").problems;
    assert!(problems.len() == 1 && problems[0].field == "minidisks.volumes", "{problems:?}");
    scenario.minidisks.volumes = 1;
    assert_eq!(scenario.check(), Ok(()));
}

/// Level own with the mechanisms of a real level is that level, to the byte; with one of them switched it is not.
#[test]
fn level_own_with_the_mechanisms_of_a_level_is_that_level() {
    let text = "storage.central_mb = 256\npaging.volumes = 2\nmeasure = { warmup_s = 1, interval_s = 1 }\nguests = [{ count = 10, virtual_mb = 64, loop_mb = 32, workload = \"LINUX\" }]";
    let digest = |scenario: &Scenario| zvmlab::experiment::run(scenario, 1).expect("valid").digest;
    let host = Scenario::parse(text).expect("valid");
    for level in [Level::V6_2, Level::V6_3, Level::V6_4] {
        let real = Scenario { level, ..host.clone() };
        let own = Own::of(level).expect("it is a real level");
        let same = Scenario { level: Level::Own, own, ..host.clone() };
        let of_real = digest(&real);
        assert_eq!(digest(&same), of_real, "{}", level.name());
        for other in [
            Own { eligible_list: !own.eligible_list, ..own },
            Own { scan_by_lists: !own.scan_by_lists, ..own },
            Own { large_blocks: !own.large_blocks, ..own },
        ] {
            let switched = Scenario { own: other, ..same.clone() };
            assert_ne!(digest(&switched), of_real, "{}: {other:?}", level.name());
        }
        // On a real level it does nothing.
        let other = Own {
            eligible_list: !own.eligible_list,
            scan_by_lists: !own.scan_by_lists,
            large_blocks: !own.large_blocks,
            ..own
        };
        assert_eq!(digest(&Scenario { own: other, ..real.clone() }), of_real, "{}", level.name());
    }
}

#[test]
fn page_space_must_hold_what_does_not_fit_below_2_gb() {
    let mut host =
        zvmlab::scenario::examples::example("BELOW-2GB").map(|one| one.text).and_then(|text| Scenario::parse(text).ok());
    let host = host.as_mut().expect("an example");
    // 4.4 GB of 6 GB would fit, but they must be below.
    (host.paging.volumes, host.paging.volume_slots) = (1, 600_000);
    let problems = host.check().expect_err("page space is too small").problems;
    assert_eq!(problems[0].field, "paging.volume_slots");
    assert!(problems[0].message.contains("pages for I/O and services must be below 2 GB here"), "{}", problems[0].message);
    host.paging.volume_slots = 800_000;
    assert!(host.check().is_ok());
    host.level = Level::V5_2;
    host.paging.volume_slots = 600_000;
    assert!(host.check().is_ok(), "5.2 has nothing below");
    // For services few pages have to be there: the last of each cycle. Cycles that never end on the same page twice need all of them there.
    let asks = |cycle_pages: u32| {
        format!(
            "level = \"5.1\"\nstorage.central_mb = 8192\npaging = {{ alias = false, volumes = 1, volume_slots = 100000 }}\ndispatcher.diag44_fast_path = false\n[[guests]]\ncount = 40\nvirtual_mb = 100\nloop_mb = 100\ncycle_pages = {cycle_pages}\nservice_us = 300\n"
        )
    };
    runs(&asks(256));
    says(&asks(253), "paging.volume_slots", &["100000 slots", "pages for I/O and services must be below 2 GB here"]);
}

#[test]
fn clients_and_servers_need_each_other_and_wait_for_each_other() {
    let guest =
        |role: &str, more: &str| format!("[[guests]]\ncount = 3\nvirtual_mb = 16\nloop_mb = 16\nrole = \"{role}\"\n{more}");
    let both = |client: &str, server: &str| guest("client", client) + &guest("server", server);
    runs(&both("connections = 4\nthink_ms = 2\n", "cpu_us = 5\n"));
    says(&guest("client", ""), "guests[0].role", &["\"client\" given", "no group is a server", "\"alone\" is allowed"]);
    says(&guest("server", ""), "guests[0].role", &["\"server\" given", "no group is a client", "\"alone\" is allowed"]);
    says(&both("pace_ms = 5\n", ""), "guests[0].pace_ms", &["5 given", "waits for answers", "0 is allowed"]);
    says(&both("", "touch_mb_s = 9\n"), "guests[1].touch_mb_s", &["9 given", "waits for requests", "0 is allowed"]);
    says(&both("", "think_ms = 2.5\n"), "guests[1].think_ms", &["2.5 given", "does not think", "0 is allowed"]);
    let many = both("connections = 1000\n", "").replacen("count = 3", "count = 30", 1);
    says(&many, "guests[0].connections", &["1000 given", "90000 connections", "at most 20000"]);
    let cluster = "level = \"6.2\"\ncluster.members = 2\nisfc.chpid1 = \"8 Gb\"\n";
    let alone = format!("{cluster}[[guests]]\nvirtual_mb = 16\nloop_mb = 16\n");
    runs(&alone);
    let text = format!("{alone}role = \"server\"\n");
    says(&text, "guests[0].role", &["\"server\" given in a cluster", "\"alone\" is allowed", "cluster.members = 1"]);
}

#[test]
fn pages_are_released_on_one_host_and_under_the_lock_that_its_level_can_have() {
    let guest = "[[guests]]\ncount = 1\nvirtual_mb = 16\nloop_mb = 16\ncpu_us = 5\nrelease_percent = 50\n";
    let host = |level: &str| {
        format!(
            "level = \"{level}\"\n[paging]\nalias = false\n[storage]\nrelease_exclusive = true\ncentral_mb = 1024\n{guest}"
        )
    };
    ["5.2", "6.1", "own"].into_iter().for_each(|level| runs(&host(level)));
    let words = ["true given", "under a shared lock", "false is allowed", "\"6.1\" or \"own\""];
    says(&host("6.2"), "storage.release_exclusive", &words);
    let cluster = format!("level = \"6.2\"\ncluster.members = 2\nisfc.chpid1 = \"8 Gb\"\n{guest}");
    says(&cluster, "guests[0].release_percent", &["50 given in a cluster", "0 is allowed", "cluster.members = 1"]);
}

#[test]
fn contiguous_frames_are_asked_for_within_reason_and_coalesced_as_the_level_does() {
    let host = |level: &str, storage: &str| {
        format!(
            "level = \"{level}\"\n[paging]\nalias = false\n[storage]\ncentral_mb = 1024\n{storage}\n\
             [[guests]]\ncount = 1\nvirtual_mb = 16\nloop_mb = 16\n"
        )
    };
    runs(&host("6.1", "contiguous_rate = 1000\ncoalescing = false"));
    let many = host("6.4", "contiguous_rate = 10000\ncontiguous_frames = 16");
    says(
        &many,
        "storage.contiguous_rate",
        &["10000 requests a second for 16 frames given", "keep 160000 frames", "at most 15"],
    );
    let old = host("6.2", "contiguous_rate = 10\ncoalescing = false");
    says(&old, "storage.coalescing", &["false given", "VM64795", "true is allowed"]);
    refuses(&host("6.1", "contiguous_frames = 17"), "storage.contiguous_frames");
}

#[test]
fn the_part_of_frames_below_is_a_percentage() {
    let host = |percent: u32| {
        format!(
            "level = \"6.1\"\n[paging]\nalias = false\n[storage]\ncentral_mb = 4096\nbelow_percent = {percent}\n\
             [[guests]]\ncount = 1\nvirtual_mb = 16\nloop_mb = 16\n"
        )
    };
    runs(&host(100));
    refuses(&host(101), "storage.below_percent");
}

/// Guests are named after their group and numbered; groups of one name are numbered on.
#[test]
fn no_two_guests_have_one_name() {
    let text = "guests = [{ name = \"AB\", count = 2 }, { name = \"CD\", count = 1 }, { name = \"AB\", count = 2 }]\n";
    let snapshot = zvmlab::Simulation::new(&Scenario::parse(text).expect("valid"), 1).expect("valid").snapshot();
    let names: Vec<&str> = snapshot.guests.iter().map(|guest| guest.name.as_str()).collect();
    assert_eq!(names, ["AB-1", "AB-2", "CD-1", "AB-3", "AB-4"]);
}
