//! `zvmlab lesson`: what it lists, refuses, and finds out about a lesson.

use std::fs;

use super::{stdout, zvmlab, zvmlab_with_input};

/// The lesson whose hosts take the least time.
fn shares() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../lessons/07-shares.toml");
    fs::read_to_string(folder).expect("the lesson is there")
}

#[test]
fn lessons_are_listed_checked_and_played() {
    let listed = zvmlab(&["lesson", "list"]);
    assert!(
        stdout(&listed).lines().any(|line| line.starts_with("aliases") && line.ends_with("What are more aliases worth?"))
    );
    let checked = zvmlab(&["lesson", "check", "shares"]);
    assert!(stdout(&checked).contains("A share is not a limit (shares): 6 steps"), "{}", stdout(&checked));
    let played = zvmlab_with_input(&["lesson", "run", "-", "--seeds", "1"], shares().as_bytes());
    assert_eq!(played.status.code(), Some(0));
    assert!(
        stdout(&played).contains("step 6, transfer: seed 1: Relative share of LINUX01 = 400 reaches it"),
        "{}",
        stdout(&played)
    );
    let sheet = zvmlab(&["lesson", "sheet", "shares"]);
    let (learners, teachers) =
        stdout(&sheet).split_once("\n---\n").map(|(a, b)| (a.to_string(), b.to_string())).expect("two parts");
    assert!(learners.contains("- [ ] About 24 %") && teachers.contains("right is “About 24 %"), "{teachers}");
    assert!(stdout(&played).ends_with("The lesson can be taught as it is written.\n"));
}

#[test]
fn what_is_wrong_with_a_lesson_is_told_and_ends_with_its_code() {
    let bad = shares().replace("minutes = 10", "minutes = 0").replace("task = \"watch\"", "task = \"look\"");
    let refused = zvmlab_with_input(&["lesson", "check", "-"], bad.as_bytes());
    let said = String::from_utf8(refused.stderr).expect("UTF-8");
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(said.contains("standard input: minutes: 0 given, a whole number from 1 to 180 is allowed"), "{said}");
    let hard = zvmlab_with_input(
        &["lesson", "run", "-", "--seeds", "1"],
        shares().replace("at_least = 50", "at_least = 99").as_bytes(),
    );
    assert_eq!(hard.status.code(), Some(1));
    assert!(stdout(&hard).contains("WRONG: seed 1: Relative share of LINUX01 = 400 does not reach"), "{}", stdout(&hard));
    let none = zvmlab(&["lesson", "run", "nothing"]);
    let said = String::from_utf8(none.stderr).expect("UTF-8");
    assert_eq!(none.status.code(), Some(2));
    assert!(said.contains("no lesson of that name; lessons are aliases, zhpf"), "{said}");
}

#[test]
fn the_schema_of_a_lesson_is_json() {
    let schema: serde_json::Value = serde_json::from_slice(&zvmlab(&["schema", "--lesson"]).stdout).expect("JSON");
    assert_eq!(schema["title"], "A lesson of zvmlab");
}
