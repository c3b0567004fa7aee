//! Commands turn knobs, knobs echo commands, and what is wrong is said.

use zvmlab::Scenario;
use zvmlab::scenario::{GuestGroup, Level, LimitHard};

use super::{COMMANDS, Look, Reply, answer, completions, echo, told};
use crate::evidence::Settled;
use crate::published::ready::scenario_of;
use crate::worker::wire::{Answer, Job};

fn host(id: &str) -> Scenario {
    scenario_of(id).expect(id)
}

fn say(line: &str, scenario: &Scenario) -> Reply {
    answer(line, Look { scenario, settled: None, hides_limit: false })
}

/// The host after a command that is not refused.
fn after(line: &str, scenario: &Scenario) -> Scenario {
    let reply = say(line, scenario);
    assert!(!reply.is_refused, "{line}: {:?}", reply.lines);
    let mut after = scenario.clone();
    for (knob, given) in &reply.turns {
        knob.turn(&mut after, given).expect("a command that was accepted");
    }
    after
}

fn settled(scenario: &Scenario) -> Settled {
    let job = Job::Experiment { scenario: scenario.clone(), seed: 1 };
    match crate::worker::answer(job, &|| 0.0) {
        Answer::Settled { result, .. } => *result,
        _ => panic!("a result"),
    }
}

#[test]
fn a_command_turns_a_knob_and_the_knob_echoes_the_command() {
    for (id, line) in [
        ("STORBUF", "SET SRM STORBUF 200 150 100"),
        ("V4DVY000", "SET PAGING HPF ON"),
        ("QRBKW055", "SET PAGING ALIAS OFF"),
        ("QRBKW055", "SET CU MDISK 15 PAGING 1"),
        ("V4DVY000", "SET AGELIST EARLYWRITES NO"),
        ("QRBKW055", "SET MDCACHE STORAGE 512M"),
        ("QRBKW055", "SET MDCACHE STORAGE 0M 512M"),
        ("MDC-BACKUP", "SET MDCACHE STORAGE 512M"),
        ("EXPANDED", "SET MDCACHE XSTORE 512M"),
        ("STORBUF", "SET SRM DSPSLICE 10"),
        ("STORBUF", "SET REORDER LINUX OFF"),
        ("V4DVY000", "VARY OFFLINE PROCESSOR"),
        ("V4DVY000", "VARY ONLINE PATH"),
        ("WHOLE", "SET QUICKDSP LINUX ON"),
    ] {
        let before = host(id);
        assert_eq!(echo(&before, &after(line, &before)), [line], "{id}");
    }
    let shares = host("LIMIT-SUM");
    let name = shares.guests[0].name.clone();
    for line in [
        format!("SET SHARE {name} RELATIVE 400"),
        format!("SET SHARE {name} ABSOLUTE 12.5% ABSOLUTE 40% LIMITHARD"),
        format!("SET RESERVED {name} 16M"),
    ] {
        assert_eq!(echo(&shares, &after(&line, &shares)), [line]);
    }
    let cluster = host("MOVE");
    let still = Scenario {
        guests: cluster.guests.iter().cloned().map(|group| GuestGroup { move_to: 0, ..group }).collect(),
        ..cluster
    };
    let name = still.guests[0].name.clone();
    let line = format!("VMRELOCATE MOVE {name} TO MEMBER2 ASYNCH IMMEDIATE MAXQUIESCE 5 MAXTOTAL 60 FORCE STORAGE");
    let moves = after(&line, &still);
    assert_eq!(echo(&still, &moves), std::slice::from_ref(&line));
    for same in [format!("vmrel move user {name} member2 asynch imm maxq 5 maxt 60 force stor"), line.to_lowercase()] {
        assert_eq!(after(&same, &still), moves, "{same}");
    }
    let cancel = format!("VMRELOCATE CANCEL {name} AFTER 500 ms");
    let cancelled = after(&cancel, &moves);
    assert_eq!(echo(&moves, &cancelled), [cancel]);
    let mut alike = still.clone();
    alike.guests.push(alike.guests[0].clone());
    let refused = say(&format!("SET QUICKDSP {name} ON"), &alike);
    let both = format!("{name} is the name of 2 groups: {name}-1 and {name}-2. Name one of the guests.");
    assert!(refused.is_refused && refused.lines == [both], "{:?}", refused.lines);
    let second = after(&format!("SET QUICKDSP {name}-2 ON"), &alike);
    assert_eq!((second.guests[0].quickdsp, second.guests[1].quickdsp), (alike.guests[0].quickdsp, true));
    let mut two = moves.clone();
    two.guests.push(GuestGroup { name: "OTHER".into(), count: 1, ..two.guests[0].clone() });
    let refused = say(&format!("VMRELOCATE CANCEL {name}"), &two);
    assert!(refused.is_refused && refused.lines[0].contains("more than one is asked for"), "{:?}", refused.lines);
    let cancelled_too = Scenario { relocation: cancelled.relocation.clone(), ..two.clone() };
    assert!(echo(&two, &cancelled_too).is_empty(), "no command cancels one of several");
    let plain = format!("VMRELOCATE MOVE {name} TO MEMBER2");
    assert!(echo(&after(&plain, &moves), &after(&plain, &still)).is_empty(), "each command stands alone");
    let ordered = Scenario {
        relocation: zvmlab::scenario::Relocation { order: zvmlab::scenario::Order::Largest, ..moves.relocation.clone() },
        ..moves.clone()
    };
    assert!(echo(&moves, &ordered).is_empty(), "MOVE has no order");
    assert_eq!(told(&moves, &ordered).len(), 1, "{:?}", told(&moves, &ordered));
    assert!(echo(&still, &still).is_empty());
}

/// A guest with LIMITHARD needs a way to hold it, and nobody has chosen one: it is the level's.
#[test]
fn what_nobody_chose_follows_what_a_command_makes_of_the_host() {
    let text = "level = \"5.1\"\n[[guests]]\nname = \"LIMITED\"\ncount = 1\nvirtual_mb = 64\nloop_mb = 1\n";
    let free = Scenario::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let limited = after("SET SHARE LIMITED RELATIVE 100 ABSOLUTE 20% LIMITHARD", &free);
    assert_eq!(limited.scheduler.limithard, LimitHard::Deadline);
    assert_eq!(limited.check(), Ok(()));
    let newer = Scenario { level: Level::V6_4, ..free };
    let limited = after("SET SHARE LIMITED RELATIVE 100 ABSOLUTE 20% LIMITHARD", &newer);
    assert_eq!(limited.scheduler.limithard, LimitHard::Consumption);
}

#[test]
fn words_may_be_short_as_long_as_they_fit_one_command() {
    let storbuf = host("STORBUF");
    assert_eq!(after("set srm storb 250% 200 150", &storbuf), after("SET SRM STORBUF 250 200 150", &storbuf));
    assert_eq!(say("q srm", &storbuf), say("QUERY SRM", &storbuf));
    assert_eq!(say("ind load", &storbuf), say("INDICATE LOAD", &storbuf));
    assert_eq!(say("ind", &storbuf), say("INDICATE LOAD", &storbuf));
    for (line, said) in [
        ("v", "V may mean VARY or VMRELOCATE. Write more of it."),
        ("q pa", "PA may mean PAGING or PATHS. Write more of it."),
        ("q", "QUERY needs one of AGELIST, ALLOC, CPLEVEL"),
        ("set srm", "SET SRM needs one of DSPSLICE, LIMITHARD, STORBUF."),
        ("set srm ldubuf 1 2 3", "CP has SET SRM LDUBUF; the laboratory does not model it."),
        ("set throttle on", "CP has SET THROTTLE; the laboratory does not model it."),
        ("logoff", "CP has LOGOFF; the laboratory does not model it."),
        ("q chpid 40", "CP has QUERY CHPID; the laboratory does not model it."),
        ("vary offline chpid 40", "CP has VARY OFFLINE CHPID; the laboratory does not model it."),
        ("q srm junk", "Operands are STORBUF, DSPSLICE or LIMITHARD; junk given."),
        ("ind load junk", "INDICATE LOAD takes EXP or nothing; junk given."),
        ("set nonsense 1", "SET has no NONSENSE here; it has AGELIST, CU"),
        ("rm -rf /", "There is no command RM here. HELP lists the commands."),
    ] {
        let reply = say(line, &storbuf);
        assert!(reply.is_refused && reply.lines[0].starts_with(said), "{line}: {:?}", reply.lines);
    }
    // A level without reorder says so, and turns nothing.
    let paging = host("V4DVY000");
    for line in ["q reorder", "set reorder virstoex off"] {
        let reply = say(line, &paging);
        assert_eq!((reply.lines[0].as_str(), reply.turns.len()), ("z/VM 6.4 reorders no guest. Levels before 6.3 do.", 0));
    }
    assert_eq!(say("q reorder linux", &storbuf).lines, ["LINUX-1 to LINUX-32: REORDER ON"]);
    assert_eq!(after("set reorder system off", &storbuf), after("set reorder linux off", &storbuf));
    assert_eq!(say("#cp q srm", &storbuf), say("QUERY SRM", &storbuf));
    assert_eq!(say("ind q exp", &storbuf), say("INDICATE QUEUES", &storbuf));
    assert_eq!(say("ind i/o", &storbuf), say("INDICATE IO", &storbuf));
    assert_eq!(after("vary offline path 50 to 1000", &storbuf), after("VARY OFFLINE PATH", &storbuf));
    assert_eq!(say("* a comment", &storbuf), Reply::default());
    assert!(say("help set share", &storbuf).lines[0].starts_with("SET SHARE userid RELATIVE n"));
    assert!(say("help logoff", &storbuf).lines[0].contains("does not model it"));
    assert_eq!(say("help", &storbuf).lines.len(), COMMANDS.len() + 1);
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_turned() {
    let storbuf = host("STORBUF");
    let old = Scenario { level: zvmlab::scenario::Level::V6_3, ..host("V4DVY000") };
    let oldest = Scenario::plain(Level::V5_1);
    for (scenario, line, said) in [
        (&storbuf, "SET SRM STORBUF 100 200 300", "larger"),
        (&storbuf, "SET SRM STORBUF 100 x 10", "x"),
        (&storbuf, "SET SRM STORBUF 100", "three percentages"),
        (&storbuf, "SET SHARE NOBODY RELATIVE 100", "NOBODY is not logged on. Guests here are"),
        (&old, "SET PAGING HPF ON", "6.3"),
        (&old, "SET CU MDISK 0 PAGING 1", "0:1"),
        (&storbuf, "VMRELOCATE MOVE LINUX TO MEMBER2", "not"),
        (&storbuf, "VARY OFFLINE PROCESSOR 1 2", "One at a time"),
        (&storbuf, "INDICATE USER LINUX-99", "LINUX-99 is not logged on"),
        (&storbuf, "SET SHARE LINUX RELATIVE 100 ABSOLUTE 5%", "a maximum if there is one"),
        (&storbuf, "SET SHARE LINUX REL 100 REL 200 LIMITSOFT", "absolute ones"),
        (&storbuf, "SET SHARE LINUX RELATIVE 100%", "100%"),
        (&storbuf, "SET SHARE LINUX RELATIVE 200 LIMITHARD", "LIMITHARD needs a maximum before it"),
        (&storbuf, "SET SHARE LINUX RELATIVE 100 200 LIMITHARD", "absolute ones"),
        (&storbuf, "SET SHARE LINUX ABSOLUTE 10% much LIMITHARD", "a maximum if there is one"),
        (&storbuf, "SET SHARE LINUX INITIAL", "the share of the user directory"),
        (&storbuf, "SET RESERVED LINUX 300", "300 given without a unit"),
        (&oldest, "SET SRM LIMITHARD CONSUMPTION", "z/VM 5.1 limits by DEADLINE, and in no other way."),
        (&old, "SET AGELIST EARLYWRITES ON", "YES or NO"),
        (&storbuf, "SET AGELIST EARLYWRITES NO", "z/VM 6.2 has no age list"),
        (&storbuf, "VMRELOCATE CANCEL LINUX", "No relocation of LINUX is asked for"),
    ] {
        let reply = say(line, scenario);
        assert!(
            reply.is_refused && reply.turns.is_empty() && reply.lines.join(" ").contains(said),
            "{line}: {:?}",
            reply.lines
        );
    }
    let same = "SET SHARE LINUX ABSOLUTE 10% ABSOLUTE 20% LIMITSOFT";
    assert_eq!(after("SET SHARE LINUX ABSOLUTE 10% 20% LIMITSOFT", &storbuf), after(same, &storbuf), "of the share's kind");
    assert_eq!(say("q srm storb", &storbuf).lines, say("QUERY SRM", &storbuf).lines[..1]);
    assert!(say("QUERY SRM", &oldest).lines.contains(&"LIMITHARD DEADLINE".to_string()));
    assert_eq!(say("SET SRM LIMITHARD DEADLINE", &oldest).lines, ["LIMITHARD DEADLINE", "It was so already."]);
    let long = "Q ".repeat(200);
    assert!(say(&long, &storbuf).is_refused && say("q \u{1b}[31m", &storbuf).is_refused);
    assert!(say("ind load", &storbuf).waits, "there is no result yet");
}

#[test]
fn what_no_command_does_is_told_as_a_comment() {
    let before = host("V4DVY000");
    let mut now = before.clone();
    (now.paging.zhpf, now.paging.volumes) = (true, 6);
    let lines = told(&before, &now);
    assert_eq!(lines[0], "SET PAGING HPF ON");
    assert!(lines.len() == 2 && lines[1].starts_with("* Paging volumes 4 "), "{lines:?}");
    let older = Scenario { level: Level::V5_1, ..before.clone() }.left_as(&before, |_| false);
    assert_ne!(older.scheduler, before.scheduler, "STORBUF comes with the level");
    let lines = told(&before, &older);
    assert!(lines.len() == 1 && lines[0] == "* z/VM level 6.4 → 5.1", "{lines:?}");
    now.processors.count -= 2;
    assert_eq!(told(&before, &now).iter().filter(|line| *line == "VARY OFFLINE PROCESSOR").count(), 2);
    assert_eq!(told(&before, &host("STORBUF")), ["* The host is now STORBUF."]);
    let mut odd = before.clone();
    odd.guests[0].name = "MY GUEST".into();
    let mut shared = odd.clone();
    shared.guests[0].share_relative = 200;
    assert!(told(&odd, &shared).iter().all(|line| line.starts_with("* ")), "{:?}", told(&odd, &shared));
}

#[test]
fn no_line_stops_the_laboratory() {
    let ends = [
        "",
        "*",
        "1",
        "ON",
        "VIRSTOEX",
        "VIRSTOEX-1 TO MEMBER2",
        "SERVER RELATIVE",
        "99999999999999999999",
        "é",
        "1 2 3",
        "-1 -1 -1",
    ];
    for id in ["V4DVY000", "MOVE", "QRBKW055"] {
        let host = host(id);
        for command in COMMANDS {
            for end in ends {
                let reply = say(&format!("{} {end}", command.words.join(" ")), &host);
                assert!(!reply.lines.is_empty(), "{:?} {end} says nothing", command.words);
            }
        }
    }
}

#[test]
fn lines_are_completed() {
    let storbuf = host("STORBUF");
    assert_eq!(completions("set srm s", &storbuf), ["SET SRM STORBUF"]);
    assert_eq!(completions("v", &storbuf), ["VARY", "VMRELOCATE"]);
    let name = &storbuf.guests[0].name;
    assert!(completions("ind user ", &storbuf).contains(&format!("INDICATE USER {name}")));
    assert!(completions("xyz", &storbuf).is_empty());
}

#[test]
fn results_are_told_in_the_words_of_cp() {
    let mut shares = host("LIMIT-SUM");
    (shares.measure.interval_s, shares.measure.warmup_s) = (1, 0);
    let result = settled(&shares);
    let told =
        |line: &str| answer(line, Look { scenario: &shares, settled: Some(&result), hides_limit: false }).lines.join("\n");
    let load = told("INDICATE LOAD");
    assert!(load.starts_with("AVGPROC ") && load.contains("Q3 ") && load.contains("PROC 0000 "), "{load}");
    assert_eq!(
        told("INDICATE QUEUES").lines().filter(|line| line.contains("working set")).count(),
        result.snapshot.guests.iter().filter(|guest| guest.list != zvmlab::snapshot::List::Dormant).count()
    );
    let name = &shares.guests[0].name;
    assert!(
        told(&format!("INDICATE USER {name}")).contains("Time since the run began: running"),
        "{}",
        told(&format!("INDICATE USER {name}"))
    );
    assert!(told("QUERY FRAMES").contains("Available: "), "{}", told("QUERY FRAMES"));
    assert!(told("QUERY ALLOC PAGE").contains("All: "), "{}", told("QUERY ALLOC PAGE"));

    let mut cluster = host("MOVE");
    for group in &mut cluster.guests {
        (group.virtual_mb, group.loop_mb) = (256, 256);
    }
    let result = settled(&cluster);
    let told =
        |line: &str| answer(line, Look { scenario: &cluster, settled: Some(&result), hides_limit: false }).lines.join("\n");
    let status = told("VMRELOCATE STATUS");
    assert!(status.contains("MEMBER1 to MEMBER2: end code 00") && status.contains("quiesce time"), "{status}");
    let tested = told("VMRELOCATE TEST SERVER TO MEMBER2");
    assert!(tested.contains("SERVER may be relocated to MEMBER2") && tested.lines().count() == 1, "{tested}");
    let mut crowded = cluster.clone();
    (crowded.guests[0].move_to, crowded.guests[0].reserved_mb) = (0, 256);
    crowded.member2.central_mb = 256;
    assert!(crowded.check().is_ok(), "{:?}", crowded.check());
    let refused = say("VMRELOCATE TEST SERVER TO MEMBER2", &crowded);
    assert!(refused.is_refused && refused.turns.is_empty(), "its reserved storage has no room: {:?}", refused.lines);
    assert!(told("QUERY SSI").contains("MEMBER2: Joined"), "{}", told("QUERY SSI"));
}
