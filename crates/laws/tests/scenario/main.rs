//! The scenario's text form: what is written reads back, and whatever else is given, the answer names the field or the place
//! where the text breaks. No text makes it panic.

mod cluster;
mod processing;
mod relations;
mod shares;
mod workloads;

use std::collections::BTreeSet;

use zvmlab::kernel::rng::Generator;
use zvmlab::scenario::fields::{FIELDS, Field, Kind};
use zvmlab::scenario::{AliasShare, Chpid, GuestGroup, Level, Mechanism, Problem, Role, Scenario, SpinLock, Tenths};

/// The problems of a text, each with a message; none where the text is a scenario.
fn problems(text: &str) -> Vec<Problem> {
    match Scenario::parse(text) {
        Ok(scenario) => {
            assert_eq!(scenario.check(), Ok(()), "what is read can run: {text}");
            Vec::new()
        }
        Err(error) => {
            assert!(!error.problems.is_empty(), "a refusal says why: {text}");
            for problem in &error.problems {
                assert!(!problem.message.is_empty(), "{text}");
                assert!(problem.message.chars().count() < 2000, "a message is one that a person reads: {}", problem.message);
                let message = &problem.message;
                let of_the_text = message.starts_with("the text is not") || message.starts_with("the text has ");
                let broken = of_the_text || message.ends_with("more problems are not listed");
                assert_eq!(problem.field.is_empty(), broken, "each problem names its field: {problem:?}");
            }
            error.problems
        }
    }
}

/// Asserts that `text` has exactly one problem, with `field`.
fn refuses(text: &str, field: &str) {
    let problems = problems(text);
    assert!(problems.len() == 1 && problems[0].field == field, "{text}\nwanted {field}, got {problems:?}");
}

/// The text, in TOML, that gives `field` the value that is written as `value`.
fn toml_with(field: &Field, value: &str) -> String {
    match field.room() {
        "" => format!("{} = {value}", field.key()),
        "guests" => format!("[[guests]]\n{} = {value}", field.key()),
        room => format!("[{room}]\n{} = {value}", field.key()),
    }
}

/// The same in JSON.
fn json_with(field: &Field, value: &str) -> String {
    match field.room() {
        "" => format!("{{\"{}\": {value}}}", field.key()),
        "guests" => format!("{{\"guests\": [{{\"{}\": {value}}}]}}", field.key()),
        room => format!("{{\"{room}\": {{\"{}\": {value}}}}}", field.key()),
    }
}

/// How a message names the field of the only guest group.
fn place(field: &Field) -> String {
    field.path.replace("guests.", "guests[0].")
}

/// Values of every type that `field` must refuse, written as both TOML and JSON write them.
fn refused_values(field: &Field) -> Vec<String> {
    let huge = format!("\"{}\"", "x".repeat(100_000));
    let mut values: Vec<String> =
        ["[]", "[1, 2]", "-1.5", "1e300", "\"\"", "\"\\u0000\\u0000\"", &huge].map(String::from).into();
    match field.kind {
        Kind::Whole { min, max, .. } => {
            values.extend(["true", "\"4\"", "0.5", "-1", "-9223372036854775808"].map(String::from));
            values.extend([(max + 1).to_string(), i64::MAX.to_string()]);
            values.extend(min.checked_sub(1).map(|below| below.to_string()));
        }
        Kind::Tenths { min, max, .. } => {
            values.extend(["true", "\"4\"", "0.55", "12.34", "-1", "-0.1"].map(String::from));
            values.push(Tenths(max.0 + 1).to_string());
            if let Some(below) = min.0.checked_sub(1) {
                values.extend([Tenths(below).to_string(), "1e-1000".into(), "0".into()]);
            }
            values.extend([i64::MAX.to_string(), "4294967296".into()]);
        }
        Kind::Switch { .. } => values.extend(["0", "1", "\"true\"", "\"on\""].map(String::from)),
        Kind::Choice { .. } => values.extend(["6", "\"6.5\"", "\"6.4 \"", "false"].map(String::from)),
        Kind::Share { .. } => {
            values.extend(
                ["true", "8", "0.5", "-1", "\"8\"", "\"8:8:8\"", "\"0:1\"", "\"1:1001\"", "[8, 8]"].map(String::from),
            );
        }
        Kind::Text { .. } => {
            values.retain(|value| !value.starts_with("\"\\u0000"));
            values.extend(["0", "true"].map(String::from));
        }
    }
    values
}

#[test]
fn every_field_refuses_what_it_cannot_be() {
    for field in FIELDS {
        for value in refused_values(field) {
            refuses(&toml_with(field, &value), &place(field));
            refuses(&json_with(field, &value), &place(field));
        }
        for value in ["nan", "inf", "-inf", "{ a = 1 }"] {
            refuses(&toml_with(field, value), &place(field));
        }
        // A date is taken as its text, which a name may be.
        if !matches!(field.kind, Kind::Text { .. }) {
            refuses(&toml_with(field, "1979-05-27"), &place(field));
        }
        for value in ["null", "{\"a\": 1}", "1000000000000000000000000000000", "18446744073709551616"] {
            refuses(&json_with(field, value), &place(field));
        }
    }
}

#[test]
fn every_field_takes_its_range() {
    for field in FIELDS {
        let values: Vec<String> = match field.kind {
            Kind::Whole { min, max, .. } => vec![min.to_string(), max.to_string()],
            Kind::Tenths { min, max, .. } => vec![min.to_string(), max.to_string(), "12.5".into(), "12".into()],
            Kind::Switch { .. } => vec!["true".into(), "false".into()],
            Kind::Choice { allowed, .. } => allowed.iter().map(|word| format!("\"{word}\"")).collect(),
            Kind::Share { max, .. } => vec!["\"1:1\"".into(), "\"15:1\"".into(), format!("\"{max}:{max}\"")],
            Kind::Text { max_chars, .. } => vec!["\"x\"".into(), format!("\"{}\"", "é".repeat(max_chars))],
        };
        for value in values {
            let (toml, json) = (toml_with(field, &value), json_with(field, &value));
            assert_eq!(Scenario::parse(&toml), Scenario::parse(&json), "one meaning in both forms: {toml}");
            // Alone among defaults an extreme can contradict another field, but it is within its own range.
            assert!(problems(&toml).iter().all(|problem| !problem.message.contains(&field.allowed())), "{toml}");
        }
    }
}

/// JSON knows one kind of number: a program may write a whole one with a point.
#[test]
fn a_whole_number_may_have_a_point_in_json() {
    assert_eq!(Scenario::parse(r#"{"paging": {"volumes": 8.0}}"#), Scenario::parse(r#"{"paging": {"volumes": 8}}"#));
    assert_eq!(Scenario::parse(r#"{"storage": {"central_mb": 1.31072e5}}"#), Ok(Scenario::default()));
    refuses(r#"{"paging": {"volumes": 8.5}}"#, "paging.volumes");
}

/// What is held in tenths is written as people write it, and is the same number again.
#[test]
fn a_number_with_one_decimal_is_written_as_it_was_read() {
    for (text, tenths) in [("12.5", 125), ("12", 120), ("12.0", 120), ("0.1", 1), ("0.3", 3), ("99.9", 999), ("100", 1000)] {
        let head = "share_type = \"ABSOLUTE\"\n";
        let scenario = Scenario::parse(&format!("[[guests]]\n{head}share_absolute = {text}")).expect("it is in its range");
        assert_eq!(scenario.guests[0].share_absolute, Tenths(tenths), "{text}");
        let written = text.trim_end_matches(".0");
        assert!(scenario.to_toml().contains(&format!("share_absolute = {written}\n")), "{}", scenario.to_toml());
        assert!(scenario.to_json().contains(&format!("\"share_absolute\":{written},")), "{}", scenario.to_json());
    }
}

#[test]
fn fields_left_out_take_their_defaults() {
    for text in ["", "{}", "\n# nothing\n", " {\n} ", "[paging]", r#"{"paging": {}, "guests": [{}]}"#] {
        assert_eq!(Scenario::parse(text), Ok(Scenario::default()), "{text}");
    }
}

#[test]
fn unknown_fields_are_named_where_they_stand() {
    for room in FIELDS.iter().map(Field::room).filter(|room| *room != "guests").collect::<BTreeSet<_>>() {
        let room = if room.is_empty() { String::new() } else { format!("{room}.") };
        refuses(&format!("{room}volume = 1"), &format!("{room}volume"));
    }
    refuses("[[guests]]\n[[guests]]\nsize = 1", "guests[1].size");
    refuses(r#"{"pagin": {"volumes": 4}}"#, "pagin");
    refuses(&format!("{} = 4", "x".repeat(100_000)), &"x".repeat(80));
    refuses("paging = 4", "paging");
    refuses("guests = 8", "guests");
    refuses("guests = [8]", "guests[0]");
    refuses("[guests]\ncount = 8", "guests");
}

#[test]
fn problems_are_reported_together() {
    let text = "level = \"6.5\"\nspeed = 1\n[paging]\nvolumes = 0\nzhpf = \"on\"\n[[guests]]\ncount = 1000000000000\n[[guests]]\nloop_mb = -1";
    let mut fields: Vec<String> = problems(text).into_iter().map(|problem| problem.field).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["guests[0].count", "guests[1].loop_mb", "level", "paging.volumes", "paging.zhpf", "speed"]);
    refuses("paging.volumes = 0", "paging.volumes");
    refuses("[[guests]]\ncount = 1000000000000", "guests[0].count");
}

#[test]
fn a_message_says_what_was_given_and_what_is_allowed() {
    let message = &problems("paging.volumes = 0")[0].message;
    assert_eq!(message, "0 given, a whole number from 1 to 64 volumes is allowed");
}

/// A scenario made by a program meets the same checks as one that was written.
#[test]
fn made_scenarios_are_checked_too() {
    for field in FIELDS {
        let Kind::Whole { max, set, get, .. } = field.kind else { continue };
        let mut scenario = Scenario::default();
        set(&mut scenario, 0, max + 1);
        assert_eq!(get(&scenario, 0), max + 1, "{}", field.path);
        let problems = scenario.check().expect_err(field.path).problems;
        assert!(problems.len() == 1 && problems[0].field == place(field), "{problems:?}");
    }
    for field in FIELDS {
        let Kind::Tenths { min, max, set, get, .. } = field.kind else { continue };
        for outside in [max.0.checked_add(1), min.0.checked_sub(1)].into_iter().flatten().map(Tenths) {
            let mut scenario = Scenario::default();
            set(&mut scenario, 0, outside);
            assert_eq!(get(&scenario, 0), outside, "{}", field.path);
            let problems = scenario.check().expect_err(field.path).problems;
            assert!(problems.len() == 1 && problems[0].field == place(field), "{problems:?}");
        }
    }
    let groups = vec![GuestGroup::default(); 1000];
    let problems = Scenario { guests: groups, ..Scenario::default() }.check().expect_err("too many groups").problems;
    assert!(problems.iter().any(|problem| problem.field == "guests"), "{problems:?}");
}

#[test]
fn text_that_is_neither_form_says_where_it_breaks() {
    for text in ["{", "{\"name\": }", "{\"name\": \"a\"} x", "{\"paging\": {\"volumes\": NaN}}", "{\"name\": 1e999}"] {
        let message = &problems(text)[0].message;
        assert!(message.starts_with("the text is not JSON") && message.contains("line 1 column"), "{text}: {message}");
    }
    for text in ["name", "name = ", "= 4", "[paging", "name = \"a\nb\"", "a = 1\na = 2", "\u{0}", "[[guests]\n"] {
        let message = &problems(text)[0].message;
        assert!(message.starts_with("the text is not TOML") && message.contains(" at line "), "{text}: {message}");
    }
}

#[test]
fn the_place_of_a_break_is_counted_in_lines_and_letters() {
    let message = &problems("name = \"é\"\n[paging]\nvolumes = é4")[0].message;
    assert!(message.ends_with(" at line 3 column 11"), "{message}");
}

#[test]
fn deep_nesting_is_refused() {
    for depth in [100, 1000, 140_000] {
        problems_of_broken(&format!("{{\"guests\": {}", "[".repeat(depth)));
        problems_of_broken(&format!("{{\"a\": {}{}}}", "[".repeat(depth), "]".repeat(depth)));
        problems_of_broken(&"{\"a\":".repeat(depth));
        problems_of_broken(&format!("a = {}{}", "[".repeat(depth), "]".repeat(depth)));
        problems_of_broken(&format!("a = {}{}", "{ a = ".repeat(depth), "}".repeat(depth)));
    }
    problems_of_broken(&format!("{} = 1", vec!["a"; 100_000].join(".")));
    problems_of_broken(&format!("[{}]", vec!["a"; 100_000].join(".")));
}

fn problems_of_broken(text: &str) {
    assert!(!problems(text).is_empty(), "{}", text.chars().take(80).collect::<String>());
}

#[test]
fn a_text_cut_anywhere_never_panics() {
    let scenario =
        Scenario { name: "ä \"quoted\" 名".into(), guests: vec![GuestGroup::default(); 2], ..Scenario::default() };
    let json = scenario.to_json();
    let toml = scenario.to_toml();
    let lengths = |text: &str| (0..text.len()).filter(|&length| text.is_char_boundary(length)).collect::<Vec<_>>();
    for length in lengths(&json) {
        // Nothing at all is an empty TOML text: every field takes its default.
        assert_eq!(problems(&json[..length]).is_empty(), length == 0, "{}", &json[..length]);
    }
    // TOML has no end of its own: a cut text may still be one, with the rest left out.
    let refused = lengths(&toml).into_iter().filter(|&length| !problems(&toml[..length]).is_empty()).count();
    assert!(refused * 2 > toml.len(), "most cuts break a line: {refused} of {}", toml.len());
}

#[test]
fn a_text_with_wrong_letters_never_panics() {
    let mut random = Generator::new(1, "scenario test");
    let scenario = Scenario { guests: vec![GuestGroup::default(); 2], ..Scenario::default() };
    let alphabet: Vec<char> = "{}[]\",:=.-+eE0123456789ntfalsruxé\\\n\t #'_".chars().collect();
    for text in [scenario.to_json(), scenario.to_toml()] {
        for _ in 0..2000 {
            let mut letters: Vec<char> = text.chars().collect();
            for _ in 0..=random.below(3) {
                let at = random.below(letters.len() as u64) as usize;
                let letter = alphabet[random.below(alphabet.len() as u64) as usize];
                match random.below(3) {
                    0 => letters[at] = letter,
                    1 => letters.insert(at, letter),
                    _ => drop(letters.remove(at)),
                }
            }
            problems(&letters.into_iter().collect::<String>());
        }
    }
}

/// A scenario with every field somewhere in its range; some of them can run.
fn random_scenario(random: &mut Generator) -> Scenario {
    let guests = vec![GuestGroup::default(); 1 + random.below(3) as usize];
    let mut scenario = Scenario { guests, ..Scenario::default() };
    for field in FIELDS {
        let groups = if field.room() == "guests" { scenario.guests.len() } else { 1 };
        for group in 0..groups {
            // Some fields keep their default: what is random in all of them hardly ever agrees with itself.
            if random.below(3) == 0 {
                continue;
            }
            match field.kind {
                Kind::Whole { min, max, slider_max, set, .. } => {
                    // Mostly small hosts: of the large ones few fit the limits on all guests together.
                    let slider_max = slider_max.clamp(min, max);
                    let top = match random.below(20) {
                        0 => max,
                        1 => slider_max,
                        // Of a few values all are met.
                        _ => min + ((slider_max - min) / 16).max((slider_max - min).min(3)),
                    };
                    set(&mut scenario, group, min + random.below(top - min + 1));
                }
                Kind::Tenths { min, max, set, .. } => {
                    set(&mut scenario, group, Tenths(min.0 + random.below(u64::from(max.0 - min.0) + 1) as u32));
                }
                Kind::Switch { set, .. } => set(&mut scenario, group, random.below(2) == 0),
                Kind::Choice { allowed, set, .. } => {
                    set(&mut scenario, group, allowed[random.below(allowed.len() as u64) as usize]);
                }
                Kind::Share { max, set, .. } => {
                    let part = |random: &mut Generator| 1 + random.below(max.into()) as u32;
                    let share = AliasShare { mdisk: part(random), paging: part(random) };
                    set(&mut scenario, group, share);
                }
                Kind::Text { max_chars, set, .. } => {
                    let letters: Vec<char> = "aZ9 \"'\\#{}=[],é名\u{1F600}\n\r\t\u{7f}\u{1}\u{85}\u{2028}".chars().collect();
                    let length = 1 + random.below(max_chars as u64);
                    let text = (0..length).map(|_| letters[random.below(letters.len() as u64) as usize]).collect();
                    set(&mut scenario, group, text);
                }
            }
        }
    }
    if random.below(5) > 0 {
        mend(&mut scenario);
    }
    scenario
}

/// Takes out of a scenario what contradicts itself most often.
fn mend(scenario: &mut Scenario) {
    for group in &mut scenario.guests {
        group.loop_mb = group.loop_mb.min(group.virtual_mb);
        group.reserved_mb = group.reserved_mb.min(group.virtual_mb / 8);
        group.io_zhpf = false;
        group.virtual_cpus = group.virtual_cpus.min(1 + group.loop_mb as u32 * 3);
        group.limit_absolute = group.limit_absolute.max(group.share_absolute);
        group.active_mb = group.active_mb.min(group.loop_mb);
        if group.active_mb * 4 < group.virtual_cpus.into() {
            group.active_mb = 0;
        }
        group.touch_mb_s *= u32::from(group.pace_ms == Tenths::ZERO);
        group.member = group.member.min(scenario.cluster.members);
        group.move_to = group.move_to.min(scenario.cluster.members);
        group.move_to *= u32::from(group.move_to != group.member);
        group.release_percent *= u32::from(scenario.cluster.members == 1);
    }
    scenario.storage.contiguous_rate = scenario.storage.contiguous_rate.min(100);
    scenario.storage.release_exclusive &= !scenario.level.lacks(Mechanism::ReleaseExclusive);
    mend_cluster(scenario);
    mend_roles(scenario);
    scenario.minidisks.volumes = scenario.minidisks.volumes.max(1);
    scenario.paging.volume_slots = scenario.paging.volume_slots.max(10_000_000);
    if scenario.level < Level::V6_4 {
        (scenario.paging.alias, scenario.paging.zhpf) = (false, false);
    }
    scenario.dispatcher.diag44_fast_path &= !scenario.level.lacks(Mechanism::Diag44FastPath);
    if scenario.level >= Level::V6_2 {
        (scenario.dispatcher.pldv_fix, scenario.dispatcher.vary_fix) = (true, true);
        (scenario.dispatcher.spin_lock, scenario.storage.coalescing) = (SpinLock::Diag9c, true);
    }
    scenario.processors.shared = false;
    let scheduler = &mut scenario.scheduler;
    scheduler.storbuf_2 = scheduler.storbuf_2.min(scheduler.storbuf_1);
    scheduler.storbuf_3 = scheduler.storbuf_3.min(scheduler.storbuf_2);
}

/// The same for clients and servers.
fn mend_roles(scenario: &mut Scenario) {
    let with = |role: Role| scenario.guests.iter().any(|group| group.role == role);
    let both = with(Role::Client) && with(Role::Server) && scenario.cluster.members == 1;
    for group in &mut scenario.guests {
        if !both {
            group.role = Role::Alone;
        }
        if group.role != Role::Alone {
            (group.pace_ms, group.touch_mb_s, group.connections) = (Tenths::ZERO, 0, group.connections.min(2));
        }
        if group.role == Role::Server {
            (group.think_ms, group.count) = (Tenths::ZERO, group.count.min(50));
        }
    }
}

/// The same for the cluster.
fn mend_cluster(scenario: &mut Scenario) {
    if scenario.cluster.members > 1 && scenario.level < Level::V6_2 {
        scenario.level = Level::V6_2;
    }
    let isfc = &mut scenario.isfc;
    isfc.chpid1 = isfc.chpid1.max(Chpid::Gb1);
    (isfc.ctcs1, isfc.ctcs2) = (isfc.ctcs1.min(4), isfc.ctcs2.min(4));
    (isfc.ctcs3, isfc.ctcs4) = (isfc.ctcs3.min(4), isfc.ctcs4.min(4));
    for member in [&mut scenario.member2, &mut scenario.member3, &mut scenario.member4] {
        member.volumes = member.volumes.min(48);
        // What guests run on, they stay on.
        member.transitions = false;
    }
    scenario.paging.other_volumes = scenario.paging.other_volumes.min(16);
}

#[test]
fn what_is_written_reads_back() {
    let mut random = Generator::new(2, "scenario test");
    let (mut accepted, mut clusters) = (0, 0);
    for _ in 0..2000 {
        let scenario = random_scenario(&mut random);
        // One that cannot run is refused for the same reasons in all three ways.
        let wanted = scenario.check().map(|()| scenario.clone());
        accepted += u32::from(wanted.is_ok());
        clusters += u32::from(wanted.as_ref().is_ok_and(Scenario::relocates));
        assert_eq!(Scenario::parse(&scenario.to_toml()), wanted);
        assert_eq!(Scenario::parse(&scenario.to_json()), wanted);
    }
    assert!((200..1800).contains(&accepted), "both kinds are met: {accepted} of 2000 can run");
    assert!(clusters > 50, "relocations are among them: {clusters}");
}

#[test]
fn a_key_that_stands_twice_is_refused() {
    for (text, field) in [
        (r#"{"paging": {"volumes": 4, "zhpf": true, "volumes": 8}}"#, "paging.volumes"),
        (r#"{"level": "6.3", "level": "6.4"}"#, "level"),
        (r#"{"guests": [{}, {"count": 1, "count": 2}]}"#, "guests[1].count"),
    ] {
        let error = Scenario::parse(text).expect_err("which of the two is meant is not ours to guess");
        assert_eq!(error.problems[0].field, field, "{error}");
    }
}

#[test]
fn of_very_many_problems_the_first_are_told_and_the_others_counted() {
    let unknown: String = (0..15_000).map(|number| format!("zz{number} = 1\n")).collect();
    let repeated = format!("{{{}\"level\": \"6.4\"}}", "\"level\": \"6.4\", ".repeat(15_000));
    for (text, first, count) in [(unknown, "zz0: there is no such field", 14_950), (repeated, "level: given twice", 14_950)]
    {
        let error = Scenario::parse(&text).expect_err("much is wrong");
        assert_eq!(error.problems.len(), 51);
        let told = error.to_string();
        assert!(told.starts_with(first), "{}", &told[..200]);
        assert!(told.ends_with(&format!("\n{count} more problems are not listed")), "{}", &told[told.len() - 80..]);
    }
}

#[test]
fn a_text_that_is_too_long_is_refused_unread() {
    let text = " ".repeat(262_145);
    let error = Scenario::parse(&text).expect_err("too long").to_string();
    assert_eq!(error, "the text has 262145 bytes, at most 262144 are allowed");
    assert_eq!(Scenario::parse(&text[1..]), Ok(Scenario::default()));
}
