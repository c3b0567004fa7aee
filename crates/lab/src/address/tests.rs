//! Links: what is written is read back, what is damaged says so.

use super::*;
use zvmlab::scenario::Tenths;

fn linked(change: impl FnOnce(&mut Scenario)) -> Linked {
    let mut scenario = Scenario::default();
    change(&mut scenario);
    let pinned = Some(Experiment { scenario: Scenario::default(), seed: u64::MAX });
    let view = View {
        run: Some("V4DVY000".into()),
        room: Some("paging".into()),
        study: Some("chpids".into()),
        lesson: None,
        stop_s: Some(2.5),
        more: true,
        replications: 5,
    };
    Linked { now: Experiment { scenario, seed: 7 }, pinned, view, model: "0.1.0".into() }
}

#[test]
fn what_is_written_is_read_back() {
    for link in [
        linked(|_| {}),
        linked(|s| s.paging.zhpf = true),
        linked(|s| {
            s.lcu.alias_share = zvmlab::scenario::AliasShare { mdisk: 100, paging: 50 };
            zvmlab::scenario::workloads::IO3390.apply(&mut s.guests[0]);
            s.minidisks.volumes = 4;
        }),
        linked(|s| {
            s.name = "Größe \"x\" — 4 ✓".into();
            s.guests.push(zvmlab::scenario::GuestGroup { count: 3, loop_mb: 5, ..Default::default() });
        }),
    ] {
        assert_eq!(parse(&fragment(&link)), Ok(Some(link)));
    }
}

#[test]
fn a_default_link_is_short_and_the_longest_fits() {
    let mut link = linked(|_| {});
    link.pinned = None;
    link.view = View::default();
    assert!(fragment(&link).len() < 80, "{}", fragment(&link));
    let long = linked(|s| {
        s.name = "🙂".repeat(80);
        let group = || zvmlab::scenario::GuestGroup {
            name: "🙂".repeat(16),
            count: 10,
            virtual_mb: 1_000,
            loop_mb: 999,
            change_percent: 99,
            ..Default::default()
        };
        s.guests = (0..16).map(|_| group()).collect();
    });
    assert!(fragment(&long).len() <= MAX_CHARS, "{}", fragment(&long).len());
    let longest = linked(|s| {
        let group = || zvmlab::scenario::GuestGroup {
            name: "🙂".repeat(16),
            count: 10,
            virtual_mb: 1_000,
            loop_mb: 999,
            reserved_mb: 10,
            reorder: false,
            virtual_cpus: 12,
            share_type: zvmlab::scenario::ShareType::Absolute,
            share_relative: 9_999,
            share_absolute: zvmlab::scenario::Tenths(999),
            limit_type: zvmlab::scenario::LimitType::LimitHard,
            limit_absolute: zvmlab::scenario::Tenths(999),
            quickdsp: true,
            pattern: zvmlab::scenario::Pattern::Random,
            references: 1_000_000,
            change_percent: 99,
            release_percent: 40,
            cycle_pages: 1_000_000,
            cpu_us: 9_999_999,
            service_us: 999_999,
            lock_us: 999_999,
            pace_ms: Tenths::ZERO,
            active_mb: 998,
            active_percent: 99,
            touch_mb_s: 9_999,
            devices: 255,
            member: 4,
            move_to: 3,
            tolerance_ms: 99_999_998,
            io_records: 64,
            io_read_percent: 99,
            io_zhpf: true,
            mdc: false,
            flashcopy_s: 7,
            role: zvmlab::scenario::Role::Alone,
            connections: 999,
            minidisk_mb: 2_999,
            think_ms: Tenths::whole(60_000),
            transaction: 1_000_000_000_000,
        };
        s.guests = (0..16).map(|_| group()).collect();
        (s.minidisks.volumes, s.cluster.members) = (4, 4);
    });
    assert_eq!(parse(&fragment(&longest)).expect("it opens all the same").map(|link| link.now), Some(longest.now));
}

/// A link as the page wrote it before links had version 2: four aliases pinned, eight now.
#[test]
fn a_link_of_version_1_opens_with_its_aliases() {
    let old = "#v1/eyJzIjp7Im5hbWUiOiJWNERWWUEwMCIsInBhZ2luZyI6eyJhbGlhc2VzIjo4fX0sIm4iOjEsInYiOnt9LCJwIjp7InMiOnsibmFtZSI6I\
               lY0RFZZQTQwIiwicGFnaW5nIjp7ImFsaWFzZXMiOjR9fSwibiI6MX0sIm0iOiIwLjEuMCJ9";
    let link = parse(old).expect("a good link").expect("it is not empty");
    let pinned = link.pinned.clone().expect("something was pinned");
    assert_eq!((link.now.scenario.lcu.aliases, pinned.scenario.lcu.aliases), (8, 4));
    assert_eq!((link.now.scenario.name.as_str(), pinned.scenario.name.as_str()), ("V4DVYA00", "V4DVYA40"));
    let new = fragment(&link);
    assert!(new.starts_with("#v5/"), "{new}");
    assert_eq!(parse(&new), Ok(Some(link)));
    let payload = old.split_once('/').expect("a link").1;
    let error = parse(&format!("#v2/{payload}")).expect_err("version 2 has no such field");
    assert!(error.message.contains("paging.aliases"), "{}", error.message);
}

#[test]
fn a_link_cut_at_any_length_says_so() {
    let full = fragment(&linked(|s| s.lcu.aliases = 8));
    for length in 2..full.len() {
        let error = parse(&full[..length]).expect_err("a cut link is no link");
        assert!(error.message.contains("cut off") || error.message.contains("version"), "{length}: {}", error.message);
    }
    assert_eq!(parse("#"), Ok(None));
}

#[test]
fn a_link_with_any_character_changed_is_refused() {
    let full = fragment(&linked(|s| s.lcu.aliases = 8));
    let known = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain("-_.".chars()).map(String::from);
    let strange: Vec<String> = known.chain(["é", "/", "%", "\u{0}", "🙂"].map(String::from)).collect();
    // What stands before the state says which links these are, and has messages of its own.
    for at in "#v5/".len()..full.len() {
        for strange in strange.iter().filter(|strange| **strange != full[at..=at]) {
            let damaged = format!("{}{strange}{}", &full[..at], &full[at + 1..]);
            let error = match parse(&damaged) {
                // The last letter of the state stands for a few bits more than it needs.
                Ok(read) if read == parse(&full).expect("a good link") => continue,
                read => read.expect_err(&damaged),
            };
            assert!(error.message.contains("damaged") || error.message.contains("cut off"), "{damaged}: {}", error.message);
        }
        let lost = format!("{}{}", &full[..at], &full[at + 1..]);
        assert!(parse(&lost).is_err(), "a character is lost: {lost}");
        if let Some(next) = full.get(at + 1..at + 2).filter(|next| **next != full[at..=at]) {
            let swapped = format!("{}{next}{}{}", &full[..at], &full[at..=at], &full[at + 2..]);
            assert!(parse(&swapped).is_err(), "two change places: {swapped}");
        }
    }
}

#[test]
fn a_link_says_what_is_wrong_with_it() {
    let of = |json: &str| parse(&format!("v3/{}", URL_SAFE_NO_PAD.encode(json)));
    let message = |json: &str| of(json).expect_err("wrong").message;
    assert!(parse("v6/abc").expect_err("newer").message.contains("“v6”"));
    assert!(parse("v01/abc").expect_err("no version").message.contains("“v01”"));
    assert!(parse("paging").expect_err("no link").message.contains("v5/"));
    assert!(parse("v3/a%20b").expect_err("strange").message.contains("“%” at character 2"));
    assert!(parse(&"v".repeat(20_000)).expect_err("long").message.contains("20000"));
    assert!(message(r#"{"s":{"paging":{"volumes":0}},"n":1}"#).contains("paging.volumes"));
    assert!(message(r#"{"s":{},"n":-1}"#).contains("is not from this page"));
    assert!(message(r#"{"s":{},"n":1,"w":2}"#).contains("“w”"));
    assert!(message("[]").contains("is not from this page"));
    assert_eq!(of(r#"{"s":{"paging":{"vol"#).expect_err("cut").readable.as_deref(), Some(r#"{"s":{"paging":{"vol"#));
}

/// A link as the page wrote it before links had version 3: guests that pause counted references, and count cycles now.
#[test]
fn a_link_of_version_2_keeps_what_a_transaction_was() {
    let opened = |guests: &str| {
        let json = format!(r#"{{"s":{{"guests":[{guests}],"minidisks":{{"volumes":1}}}},"n":1}}"#);
        let link = parse(&format!("#v2/{}", URL_SAFE_NO_PAD.encode(json))).expect("a good link").expect("it is not empty");
        link.now.scenario.guests[0].transaction
    };
    assert_eq!(opened(r#"{"think_ms":50,"cycle_pages":8,"references":2,"transaction":1600}"#), 100);
    assert_eq!(opened(r#"{"think_ms":50,"cycle_pages":8,"transaction":3}"#), 1, "at least one cycle");
    assert_eq!(opened(r#"{"think_ms":50,"transaction":7}"#), 7, "a cycle of one reference");
    assert_eq!(opened(r#"{"cycle_pages":8,"transaction":1600}"#), 1_600, "no cycles");
    assert_eq!(opened(r#"{"think_ms":50,"cycle_pages":8,"io_records":1,"transaction":5}"#), 5, "it counted I/Os");
}

/// A link as the page wrote it before links had version 5: before 6.2 it left the barriers out where they are those of 6.2.
#[test]
fn a_link_of_version_4_keeps_its_barriers() {
    let opened = |state: &str| {
        let json = format!(r#"{{"s":{state},"n":1}}"#);
        let sum = checksum(json.as_bytes());
        let link =
            parse(&format!("#v4/{}.{sum}", URL_SAFE_NO_PAD.encode(json))).expect("a good link").expect("it is not empty");
        let scheduler = &link.now.scenario.scheduler;
        let barriers = [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3];
        assert_eq!(parse(&fragment(&link)), Ok(Some(link)), "{state}");
        barriers
    };
    assert_eq!(opened(r#"{"level":"6.1"}"#), [300, 250, 200]);
    assert_eq!(opened(r#"{"level":"5.1","scheduler":{"storbuf_3":95}}"#), [300, 250, 95]);
    assert_eq!(opened(r#"{"level":"6.2"}"#), [300, 250, 200]);
    assert_eq!(opened("{}"), [300, 250, 200]);
}

/// A link as the page wrote it before there were clusters: fields that came since have their defaults.
#[test]
fn a_link_from_before_clusters_opens_unchanged() {
    let old = "#v3/eyJzIjp7ImxjdSI6eyJhbGlhc2VzIjo4fSwibmFtZSI6IlY0RFZZQTAwIn0sIm4iOjcsInYiOnsicnVuIjoiVjRE\
               VllBMDAifSwibSI6IjAuMS4wIn0";
    let link = parse(old).expect("a good link").expect("it is not empty");
    let mut wanted = Scenario { name: "V4DVYA00".into(), ..Scenario::default() };
    wanted.lcu.aliases = 8;
    assert_eq!((&link.now.scenario, link.now.scenario.cluster.members), (&wanted, 1));
    let new = fragment(&link);
    assert_eq!(
        new.split_once('.').map(|(state, _)| state.replace("#v5/", "#v3/")).as_deref(),
        Some(old),
        "its state is written as it was"
    );
}

#[test]
fn a_link_to_a_relocation_opens_that_relocation() {
    for id in ["MOVE", "EVACUATION", "CLUSTER"] {
        let mut link = linked(|scenario| {
            *scenario = crate::published::ready::scenario_of(id).expect("an example");
            scenario.isfc.chpid3 = zvmlab::scenario::Chpid::Gb8;
            scenario.relocation.immediate = true;
            scenario.guests[0].tolerance_ms = 4_321;
        });
        (link.pinned, link.view.room) = (None, Some("relocation".into()));
        let text = fragment(&link);
        assert!(text.len() < MAX_CHARS / 2, "{id}: {}", text.len());
        assert_eq!(parse(&text), Ok(Some(link)), "{id}");
    }
}
