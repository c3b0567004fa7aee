//! What a teacher writes in the form is a lesson in the end, and nothing of it is lost on the way.

use proptest::prelude::*;
use zvmlab::experiment;

use super::form::{HEAD, TEACHER, of_step};
use super::shape::Shape;
use super::*;
use crate::lesson::file::{TASKS, parse};
use crate::lesson::list::{LESSONS, text_of};
use crate::lesson::trial::{Finding, gathered, play};
use crate::published::ready::scenario_of;

fn turn(host: &Scenario, path: &str, value: &str) -> Scenario {
    let mut host = host.clone();
    let knob = Knob::at(path, 0).expect("a knob");
    knob.turn(&mut host, &Given::Number(value.into())).expect("a value");
    host
}

#[test]
fn every_lesson_is_the_same_after_the_form() {
    for plate in LESSONS {
        let text = text_of(plate.id).expect("a text");
        let draft = Draft::read(text).expect("a table");
        let written = draft.text();
        assert_eq!(Draft::read(&written).as_ref(), Ok(&draft), "{written}");
        assert_eq!(parse(&written), parse(text), "{}", plate.id);
        assert!(draft.lesson().1.is_empty());
    }
}

/// The way of a teacher: the bench stands as it was turned, the form takes it, the texts are written.
#[test]
fn a_thirteenth_lesson_is_written_without_text_files() {
    let host = scenario_of("V4DVY000").expect("a published run");
    let turned = turn(&host, path::LCU_ALIASES, "4");
    let turns = turns_between(&host, &turned).expect("the same groups");
    assert_eq!(turns.len(), 1);
    let mut draft = Draft::begun("V4DVY000", &turns, Figure::Etr, "page-volumes");
    let (_, problems) = draft.lesson();
    assert!(
        !problems.is_empty() && problems.iter().all(|problem| said(problem).starts_with("Still needed")),
        "{problems:#?}"
    );
    // Everything that is needed has its entry in the form.
    for problem in &problems {
        let place = place_of(problem);
        draft.act(&Act::Put(place.clone(), "Four aliases instead of none.".into()));
    }
    let (_, problems) = draft.lesson();
    let [aim] = &problems[..] else { panic!("the aim alone: {problems:#?}") };
    assert_eq!(place_of(aim), "/steps/4/until/0/at_least");
    draft.act(&Act::Put(place_of(aim), number("0,05")));
    assert_eq!(draft.lesson().1, [], "{}", draft.text());
    let mut run = |host: &Scenario, seed: u64| {
        let outcome = experiment::run(host, seed).expect("a good host");
        (outcome.measurement, outcome.limits.limit)
    };
    let mut faults = |draft: &Draft| -> Vec<String> {
        let lesson = parse(&draft.text()).expect("a lesson");
        play(&lesson, &[1], &mut run).into_iter().filter(|one| one.is_fault).map(|one| one.said).collect()
    };
    // A teacher believed that the volumes limit. The trial tells what does.
    assert_eq!(faults(&draft), ["seed 1: what limits is Channel paths, not Page volumes"]);
    draft.act(&Act::Put("/steps/3/limit".into(), "paths".into()));
    assert!(faults(&draft).is_empty());
    let copy = draft.clone().copied();
    assert_eq!((copy.id().as_str(), copy.lesson().1.len()), ("my-lesson-copy", 0), "a copy is another lesson");
}

#[test]
fn what_several_seeds_find_is_said_once() {
    let finding = |said: &str| Finding { step: 2, task: "explain", said: said.into(), is_fault: false };
    let found = ["seed 1: paths", "seed 2: frames", "seed 3: paths", "route: no"].map(finding);
    let gathered: Vec<(String, usize)> = gathered(&found).into_iter().map(|(one, count)| (one.said, count)).collect();
    assert_eq!(gathered, [("paths".to_string(), 2), ("frames".into(), 1), ("route: no".into(), 1)]);
}

#[test]
fn each_problem_stands_at_an_entry_of_the_form() {
    for task in TASKS {
        let mut draft = Draft::begun("V4DVY000", &[], Figure::Etr, "paths");
        draft.act(&Act::Task(1, task));
        for shape in Shape::ALL.into_iter().filter(|_| task == "predict") {
            draft.act(&Act::Predict(1, shape));
            assert_eq!(Shape::of(draft.at("/steps/1").expect("a step")), shape);
        }
        let head: Vec<String> = HEAD.iter().map(|entry| format!("/{}", entry.key)).collect();
        let teacher: Vec<String> = TEACHER.iter().map(|entry| format!("/teacher/{}", entry.key)).collect();
        for problem in draft.lesson().1 {
            let place = place_of(&problem);
            let step: Option<usize> = place.strip_prefix("/steps/").and_then(|rest| rest.split('/').next()?.parse().ok());
            let own = step.map_or(Vec::new(), |at| {
                let value = draft.at(&format!("/steps/{at}")).expect("a step");
                of_step(value).iter().map(|entry| format!("/steps/{at}/{}", entry.key)).collect()
            });
            let all: Vec<&String> = head.iter().chain(&teacher).chain(&own).collect();
            assert!(
                all.iter().any(|entry| place.starts_with(entry.as_str())) || place.ends_with("/task"),
                "{task}: {place} has no entry: {}",
                said(&problem)
            );
        }
    }
}

#[test]
fn steps_change_places_and_tasks_without_loss_of_their_texts() {
    let mut draft = Draft::begun("V4DVY000", &[], Figure::QuiesceTime, "paths");
    draft.act(&Act::Put("/steps/4/text".into(), "Do it.".into()));
    draft.act(&Act::Put("/steps/4/until/0/at_least".into(), number("2")));
    draft.act(&Act::Task(4, "act"));
    assert_eq!(draft.at("/steps/4/until/0/at_least"), Some(&json!(2)), "an aim stays one");
    draft.act(&Act::Task(4, "watch"));
    assert_eq!((draft.at("/steps/4/until"), draft.text_at("/steps/4/text")), (None, "Do it.".to_string()));
    draft.act(&Act::Swap(3));
    assert_eq!(draft.text_at("/steps/3/text"), "Do it.");
    draft.act(&Act::AddStep(3, "predict"));
    assert_eq!(draft.text_at("/steps/4/figure"), "quiesce_time", "the figure of the prediction before");
    draft.act(&Act::Remove("/steps/4".into()));
    assert_eq!(draft.steps(), 5);
    draft.act(&Act::Duplicate(1));
    assert_eq!((draft.steps(), draft.at("/steps/1")), (6, draft.at("/steps/2")), "two alike");
    draft.act(&Act::Remove("/steps/1".into()));
    draft.take_way(2, &[(Knob::at(path::LCU_ALIASES, 0).expect("a knob"), Given::Number("4".into()))]);
    assert_eq!(draft.at("/steps/2/routes/0"), Some(&json!({ "lcu.aliases": 4 })));
    assert_eq!(draft.items("/steps/2/open"), ["lcu.aliases"]);
}

#[test]
fn a_file_that_is_no_lesson_is_refused_and_a_bad_lesson_is_not() {
    for (text, why) in [
        ("", "no lesson"),
        ("[storage]\ncentral_mb = 256", "no lesson"),
        ("lesson = = 1", "no TOML in line 1"),
        (&" ".repeat(300 << 10), "at most 262144"),
    ] {
        let told = Draft::opened(text).expect_err("it is no lesson");
        assert!(said(&told).contains(why), "{}", said(&told));
    }
    let bad = Draft::opened("lesson = 1\nminutes = \"ten\"\ncolour = 1").expect("a lesson, however bad");
    assert!(bad.lesson().1.len() > 5);
}

#[test]
fn what_each_step_begins_with_is_read() {
    for task in TASKS {
        let step = super::form::step(task, Figure::QuiesceTime);
        assert_eq!(step["task"], task);
        assert!(step["title"].is_string() && step["text"] == "", "{step}");
        assert!(!step.to_string().contains("etr"), "{step}");
    }
    let mut kinds = Vec::new();
    for form in super::conditions::Form::ALL {
        let condition = form.begun(&json!({ "figure": "quiesce_time", "knob": "lcu.aliases" }), &Scenario::default());
        assert_eq!(super::conditions::Form::of(&condition), form, "{condition}");
        kinds.push(form.said());
    }
    kinds.dedup();
    assert_eq!(kinds.len(), 6);
}

#[test]
fn a_host_with_other_groups_is_no_matter_of_knobs() {
    let host = scenario_of("V4DVY000").expect("a published run");
    let mut more = host.clone();
    more.guests.push(more.guests[0].clone());
    let why = turns_between(&host, &more).expect_err("a second group");
    assert!(why.contains("2 groups") && why.contains("1 group;") | why.contains("1 group."), "{why}");
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<String>().prop_map(Value::from),
        "[\"\\\\\n a']{0,12}".prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        (-1e9..1e9).prop_map(|number: f64| json!(number)),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z.\\[\\]0 \"]{0,8}", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

proptest! {
    #[test]
    fn any_draft_is_the_same_after_its_text(value in prop::collection::btree_map("[a-z]{1,8}", values(), 0..6)) {
        let draft = Draft { tree: json!(value) };
        let text = draft.text();
        prop_assert_eq!(Draft::read(&text), Ok(draft), "{}", text);
    }

    #[test]
    fn no_act_at_any_place_fails(
        places in prop::collection::vec("(/(steps|teacher|0|1|7|until|title|turn|lcu.aliases)){0,4}", 1..8), value in values(), at in 0..9_usize,
    ) {
        let mut draft = Draft::begun("STORBUF", &[], Figure::Etr, "storbuf");
        for place in places {
            for act in [Act::Put(place.clone(), value.clone()), Act::Add(place.clone(), value.clone()), Act::Remove(place)] {
                draft.act(&act);
            }
            for act in [Act::Swap(at), Act::Duplicate(at), Act::AddStep(at, "act"), Act::Task(at, "predict"), Act::Predict(at, Shape::Curve)] {
                draft.act(&act);
            }
            let _ = draft.lesson();
            prop_assert_eq!(Draft::read(&draft.text()), Ok(draft.clone()));
        }
    }
}
