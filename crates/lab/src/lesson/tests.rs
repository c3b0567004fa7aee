//! A bad lesson is refused with every reason, and a way through one leads where it should.

use std::rc::Rc;

use zvmlab::{Scenario, experiment};

use super::check::{differences, shown_by};
use super::file::{is_lesson, parse};
use super::list::{LESSONS, text_of};
use super::play::statement::{between, bound};
use super::play::{Did, Play};
use super::trial::{Ran, SEEDS, Trial, play};
use super::{Lesson, Task, turned};
use crate::address::Experiment;
use crate::batch::queue::Order;
use crate::bench::Bench;
use crate::knob::Given;
use crate::machine::Kind;
use crate::worker::wire::{Answer, Job};

fn lesson(id: &str) -> Rc<Lesson> {
    Rc::new(parse(text_of(id).expect("a lesson")).expect("a good text"))
}

#[test]
fn a_lesson_that_can_be_met_without_acting_or_not_at_all_is_found() {
    let text = text_of("aliases").expect("a lesson");
    let faults = |text: &str| -> Vec<String> {
        let lesson = parse(text).expect("a good text");
        let findings = play(&lesson, &[1], &mut |host, seed| {
            let outcome = experiment::run(host, seed).expect("a good host");
            (outcome.measurement, outcome.limits.limit)
        });
        findings.into_iter().filter(|finding| finding.is_fault).map(|finding| finding.said).collect()
    };
    let easy = faults(&text.replace("at_least = 0.07", "at_least = 0.01"));
    assert!(easy.iter().any(|said| said.contains("without doing anything")), "{easy:?}");
    let hard = faults(&text.replace("at_least = 0.07", "at_least = 7"));
    assert!(hard.iter().any(|said| said.contains("does not reach")), "{hard:?}");
    let none = faults(&text.replace("times_at_most = 1.66 }", "times_at_most = 1.2 }"));
    assert!(none.iter().any(|said| said.contains("no choice is right")), "{none:?}");
    let other = faults(&text.replace("limit = \"paths\"", "limit = \"processors\""));
    assert_eq!(other, ["seed 1: what limits is Channel paths, not Processors"]);
}

#[test]
fn a_trial_wants_the_runs_that_playing_asks_for() {
    let nothing = |_: &Scenario, _: u64| Some(Ran::default());
    for plate in LESSONS {
        let lesson = lesson(plate.id);
        let mut asked: Vec<(Scenario, u64)> = Vec::new();
        let played = play(&lesson, &SEEDS, &mut |host, seed| {
            asked.push((host.clone(), seed));
            Ran::default()
        });
        let mut trial = Trial::new(lesson);
        assert!(asked.iter().all(|one| trial.missing().contains(one)), "{}: a run is missing", plate.id);
        assert!(trial.missing().iter().all(|one| asked.contains(one)), "{}: nobody needs a run", plate.id);
        let all = trial.way().1;
        assert_eq!((asked.len(), trial.way().0, trial.findings()), (all, 0, None), "{}", plate.id);
        assert!(!trial.hear(|_, _| None) && trial.hear(nothing) && !trial.hear(nothing));
        assert_eq!((trial.way(), trial.findings()), ((all, all), Some(played)));
    }
}

#[test]
fn everything_that_is_wrong_is_told_with_its_field() {
    let text = text_of("aliases").expect("a lesson");
    for (is, becomes, field, told) in [
        // One number is no range, and a way needs commands.
        ("at_least = 0.07", "at_least = 0.07, at_most = 0.07", "steps[6].until[0].at_most", "above 0.07"),
        ("at_least = 0.07", "at_least = 0.07, at_most = 0.05", "steps[6].until[0].at_most", "0.05 given"),
        ("routes = [", "routes = [\"\", ", "steps[6].routes", "commands of CP are needed"),
        // The host that a prediction leads to must run, too.
        (
            "{ \"lcu.aliases\" = 4 }\nchoices",
            "{ \"lcu.aliases\" = 4, level = \"6.3\" }\nchoices",
            "steps[1].turn, paging.alias",
            "6.3",
        ),
        ("values = [0,", "values = [0, 9000,", "steps[3].curve.values, lcu.aliases", "9000 given"),
        ("lesson = 1", "lesson = 9", "lesson", "from 1 to 1"),
        ("id = \"aliases\"", "id = \"A b\"", "id", "small letters"),
        ("minutes = 12", "minutes = \"x\"", "minutes", "from 1 to 180"),
        ("host = \"V4DVY000\"", "host = \"NONE\"", "host", "published run or an example"),
        ("task = \"watch\"", "task = \"look\"", "steps[0].task", "watch, predict, act"),
        ("figure = \"etr\"\nturn", "figure = \"speed\"\nturn", "steps[1].figure", "id of a figure"),
        ("{ \"lcu.aliases\" = 4 }\nchoices", "{ \"lcu.alias\" = 4 }\nchoices", "steps[1].turn", "near it: lcu.aliases"),
        (
            "{ \"lcu.aliases\" = 4 }\nchoices",
            "{ \"lcu.aliases\" = 4000 }\nchoices",
            "steps[1].turn, lcu.aliases",
            "from 0 to",
        ),
        ("limit = \"paths\"", "limit = \"path\"", "steps[5].limit", "paths, aliases"),
        ("open = [\"lcu.aliases\", ", "open = [", "steps[6].routes", "not open in this step"),
        ("most = 0.1", "most = 0", "steps[3].curve.most", "above 0"),
        ("[teacher]", "[teachers]", "teacher", "goal, misconceptions and notes"),
        ("title = \"Eight guests page\"", "title = \"Eight guests page\"\ncolour = 1", "steps[0].colour", "no such field"),
        ("at_most = 4 }", "at_most = \"4\" }", "steps[6].until[1].at_most", "a number is allowed"),
        (
            "knob = \"lcu.aliases\", at_most = 4 }",
            "knob = \"guests[3].count\", at_most = 4 }",
            "steps[6].until[1].knob",
            "host has one group of guests",
        ),
    ] {
        let wrong = text.replacen(is, becomes, 1);
        assert_ne!(wrong, text, "{is} does not stand in the lesson");
        let problems = parse(&wrong).expect_err(becomes);
        let found = problems.iter().any(|problem| problem.field == field && problem.message.contains(told));
        assert!(found, "{becomes}: {problems:#?}");
    }
    let problems =
        parse("lesson = 1\n[[steps]]\ntask = \"reveal\"\ntitle = \"a\"\ntext = \"b\"\n").expect_err("nearly all is missing");
    for field in ["id", "title", "question", "host", "minutes", "summary", "model_limits", "teacher", "steps[0].task"] {
        assert!(problems.iter().any(|problem| problem.field == field), "{field}: {problems:#?}");
    }
    let broken = parse("lesson = 1\nid = \"a\n").expect_err("no TOML");
    assert!(broken.len() == 1 && broken[0].message.contains("line 2"), "{broken:?}");
    let long = format!("lesson = 1\n{}", "a = 1\n".repeat(1 << 18));
    assert!(!is_lesson(&long), "a text that is too long for a scenario is not parsed");
    assert!(is_lesson("lesson = 1\n") && !is_lesson("name = \"x\"\n") && is_lesson("{\"lesson\": 1}"));
    assert!(parse(&"#".repeat(super::file::BYTES_MAX + 1)).is_err());
}

/// Runs everything that the bench wants.
fn settle(bench: &mut Bench, play: &mut Play) {
    loop {
        play.observe(bench);
        for (host, seed) in play.runs(bench) {
            bench.want_too(host, seed);
        }
        let Order::Start(_, request) = bench.queue.order(0.0) else { return };
        bench.queue.ended(0);
        let job = Job::Experiment { scenario: (*request.scenario).clone(), seed: request.seed };
        let Answer::Settled { result, .. } = crate::worker::answer(job, &|| 0.0) else { panic!("a result") };
        bench.heard(&request, *result);
    }
}

/// Takes the step's host to the bench, as the page does.
fn enter(bench: &mut Bench, play: &mut Play) {
    let (host, baseline) = play.hosts();
    bench.open(baseline, 1);
    bench.put(host, 1);
    settle(bench, play);
}

fn did(bench: &mut Bench, play: &mut Play, did: Did) {
    if play.act(did, bench) {
        enter(bench, play);
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one lesson from its begin to its end")]
fn a_learner_goes_through_a_whole_lesson() {
    let shares = lesson("shares");
    let (mut play, host) = (Play::new(shares.clone()), shares.host(0));
    let mut bench = Bench::new(Experiment { scenario: host, seed: 1 }, None, None, 1);
    enter(&mut bench, &mut play);
    assert!(play.may_go_on(&bench), "there is nothing to do but to watch");
    did(&mut bench, &mut play, Did::GoOn);

    assert!(play.is_asking() && !play.may_go_on(&bench));
    did(&mut bench, &mut play, Did::GoOn);
    assert_eq!(play.at(), 1, "a prediction comes first");
    did(&mut bench, &mut play, Did::Lock);
    assert!(!play.is_locked() && play.unfinished().is_some());
    did(&mut bench, &mut play, Did::Choose(9));
    assert_eq!(play.chosen(), None);
    did(&mut bench, &mut play, Did::Choose(0));
    did(&mut bench, &mut play, Did::Choose(1));
    did(&mut bench, &mut play, Did::Lock);
    did(&mut bench, &mut play, Did::Choose(2));
    assert_eq!(play.chosen(), Some(1), "what is locked stays");
    did(&mut bench, &mut play, Did::GoOn);

    let outcome = play.revealed(&bench).expect("the runs have ended").remove(0);
    assert!(outcome.is_right && outcome.published.is_some() && outcome.predicted.is_some(), "{outcome:?}");
    assert_eq!(
        (bench.scenario.guests[3].cpu_us, bench.a().guests[3].cpu_us),
        (3_000, 10_000),
        "before and after stand beside each other"
    );
    did(&mut bench, &mut play, Did::GoOn);

    did(&mut bench, &mut play, Did::Least("40".into()));
    did(&mut bench, &mut play, Did::Most("x".into()));
    did(&mut bench, &mut play, Did::Lock);
    assert!(!play.is_locked(), "x is no number");
    did(&mut bench, &mut play, Did::Most("60".into()));
    did(&mut bench, &mut play, Did::Lock);
    assert!(play.unfinished().is_some_and(|said| said.contains("at most 3")), "no range is right because it is wide");
    did(&mut bench, &mut play, Did::Most("42,5".into()));
    did(&mut bench, &mut play, Did::Lock);
    did(&mut bench, &mut play, Did::GoOn);
    let outcome = play.revealed(&bench).expect("the runs have ended").remove(0);
    assert!(!outcome.is_right, "33.5 is not within 40 to 42.5: {outcome:?}");
    did(&mut bench, &mut play, Did::GoOn);

    let Some(Task::Transfer(goal)) = play.step().map(|step| step.task.clone()) else { panic!("the last step is a task") };
    let knob = goal.open[0];
    assert!(play.opens(&knob) && !play.may_go_on(&bench) && !play.offers_hint());
    for share in ["110", "120"] {
        let before = play.clone();
        bench.turn(knob, Given::Number(share.into()), true);
        assert!(between(&before, &play, &bench).is_empty(), "a control that moves says nothing");
        settle(&mut bench, &mut play);
        let said = between(&before, &play, &bench);
        assert_eq!((said.len(), &said[0]["verb"]["id"]), (1, &"http://adlnet.gov/expapi/verbs/interacted".into()));
        let tried = serde_json::json!({ "response": format!("guests[0].share_relative = {share}"), "success": false });
        assert_eq!(said[0]["result"], tried);
    }
    assert!(play.offers_hint() && !play.is_met(), "two tries");
    did(&mut bench, &mut play, Did::AskHint);
    assert_eq!(play.hints().len(), 1);
    let kept = play.kept();
    let again = Play::resumed(shares.clone(), &kept);
    assert_eq!((again.at(), again.hints().len()), (play.at(), 1), "a learner can come back");
    assert_eq!(Play::resumed(shares.clone(), "{}").at(), 0);

    bench.turn(knob, Given::Number("400".into()), true);
    settle(&mut bench, &mut play);
    assert!(play.is_met() && play.wanted(&bench).iter().all(|wanted| wanted.holds == Some(true)));
    did(&mut bench, &mut play, Did::GoOn);
    assert!(play.step().is_none(), "the end");
    assert_eq!(play.score(&bench), (1.5, 3.0), "one of two predictions, and a task with a hint");
    assert_eq!(play.outcomes(&bench).len(), 2);

    let kept = play.kept();
    assert!(kept.len() < 1024, "a platform keeps 4,096 characters: {kept}");
    let later = Play::resumed(shares.clone(), &kept);
    let elsewhere = Bench::new(Experiment { scenario: shares.host(0), seed: 1 }, None, None, 1);
    assert_eq!(later.score(&elsewhere), (1.5, 3.0), "no run is known there, and no point is lost");
}

#[test]
fn the_differences_of_trials_have_the_mean_that_is_told() {
    let host = lesson("four-percent").host(1);
    let short = |count: u32, seed: u64| {
        let mut host = host.clone();
        (host.guests[0].count, host.measure.warmup_s, host.measure.interval_s) = (count, 2, 5);
        experiment::run(&host, seed).expect("it runs").measurement
    };
    let runs: Vec<_> = (1..=4).map(|seed| (short(40, seed), short(30, seed))).collect();
    let pairs: Vec<_> = runs.iter().map(|(before, now)| (before, now)).collect();
    let each = differences(zvmlab::Figure::Etr, &pairs);
    let (mean, ..) = shown_by(zvmlab::Figure::Etr, &pairs).expect("there are four");
    assert_eq!(each.len(), 4);
    assert!((each.iter().sum::<f64>() / 4.0 - mean).abs() < 1e-9, "{each:?}, {mean}");
    assert!(differences(zvmlab::Figure::QuiesceTime, &pairs).is_empty(), "nobody moves");
}

#[test]
fn a_route_may_be_a_script_of_the_console() {
    let text = text_of("zhpf").expect("a lesson");
    let start = text.find("routes = [").expect("a task has routes");
    let end = start + text[start..].find('\n').expect("a line");
    let with = |routes: &str| format!("{}{routes}{}", &text[..start], &text[end..]);
    let known = parse(text).expect("it is good");
    let at = known.steps.iter().position(|step| step.task.goal().is_some()).expect("a task");
    let open: Vec<String> = known.steps[at].task.goal().expect("a task").open.iter().map(|knob| knob.place()).collect();
    assert!(open.iter().any(|knob| knob == "paging.zhpf"), "{open:?}");
    let lesson = parse(&with("routes = [\"* a comment\\nset pag hpf on\"]")).expect("commands are a route");
    let goal = lesson.steps[at].task.goal().expect("a task");
    assert!(turned(&lesson.host(at), &goal.routes[0]).paging.zhpf);
    for (routes, said) in [
        ("routes = [\"SET PAGING NONSENSE\"]", "NONSENSE"),
        ("routes = [\"QUERY SRM\"]", "QUERY SRM: STORBUF"),
        ("routes = [\"SET SRM DSPSLICE 9\"]", "dispatcher.minor_slice_ms is turned, but it is not open"),
        ("routes = [\"\", 7]", "a table is allowed"),
    ] {
        let problems = parse(&with(routes)).expect_err(routes);
        assert!(problems.iter().any(|problem| problem.message.contains(said)), "{routes}: {problems:?}");
    }
}

#[test]
fn what_is_kept_may_be_anything() {
    let shares = lesson("shares");
    let trace = r#"{"answer":null,"locked":false,"met":false,"tries":0,"hints":0}"#;
    let kept = |at: usize, second: &str| {
        let traces: Vec<&str> = (0..shares.steps.len()).map(|step| if step == 1 { second } else { trace }).collect();
        format!(r#"{{"at":{at},"traces":[{}]}}"#, traces.join(","))
    };
    assert_eq!(Play::resumed(shares.clone(), &kept(3, r#"{"answer":{"Choice":1},"locked":true}"#)).at(), 3);
    for wrong in [
        kept(3, r#"{"answer":{"Choice":77},"locked":true}"#),
        kept(3, r#"{"answer":null,"locked":true}"#),
        kept(3, r#"{"answer":{"Range":["1","x"]},"locked":true}"#),
        kept(3, r#"{"answer":{"Curve":[]},"locked":true}"#),
        kept(300, trace),
        "[".into(),
    ] {
        assert_eq!(Play::resumed(shares.clone(), &wrong), Play::new(shares.clone()), "{wrong}");
    }
}

#[test]
fn what_a_learner_does_is_told_as_statements() {
    let spinning = lesson("spinning");
    let mut play = Play::new(spinning.clone());
    let mut bench = Bench::new(Experiment { scenario: spinning.host(0), seed: 1 }, None, None, 1);
    let told = |play: &mut Play, bench: &mut Bench, act: Did| -> Vec<(String, serde_json::Value)> {
        let before = play.clone();
        did(bench, play, act);
        let said = between(&before, play, bench).into_iter();
        said.map(|one| (one["verb"]["display"]["en"].as_str().unwrap_or_default().to_string(), one)).collect()
    };
    assert_eq!(bound(&play, "initialized")["object"]["id"], "urn:zvmlab:lesson:spinning");
    let asks = |play: &Play| matches!(play.step().map(|step| &step.task), Some(Task::Predict(_)));
    while !asks(&play) {
        told(&mut play, &mut bench, Did::GoOn);
    }
    assert!(told(&mut play, &mut bench, Did::Choose(1)).is_empty(), "an answer that can still be changed");
    let locked = told(&mut play, &mut bench, Did::Lock);
    assert_eq!((locked.len(), locked[0].0.as_str(), &locked[0].1["result"]["response"]), (1, "answered", &"2".into()));
    let place = format!("urn:zvmlab:lesson:spinning:step:{}", play.at() + 1);
    assert_eq!(locked[0].1["object"]["id"], place);
    assert_eq!(locked[0].1["object"]["definition"]["choices"][1]["id"], "2");
    let on = told(&mut play, &mut bench, Did::GoOn);
    let key = "https://w3id.org/xapi/cmi5/result/extensions/progress";
    assert_eq!(on[0].0, "progressed");
    assert_eq!(on[0].1["result"]["extensions"][key], play.at() * 100 / spinning.steps.len());

    play.jump(3);
    enter(&mut bench, &mut play);
    let wrong = told(&mut play, &mut bench, Did::Name(zvmlab::limit::ResourceKind::CpLock));
    assert_eq!((wrong[0].0.as_str(), &wrong[0].1["result"]["success"]), ("answered", &false.into()));
    assert!(wrong[0].1["result"]["response"].as_str().is_some_and(|said| said.starts_with("Lock of CP: ")));
    let right = told(&mut play, &mut bench, Did::PointAt(Kind::Physical, "Physical 1: LPAR1".into()));
    assert_eq!(right[0].1["result"]["success"], true);

    play.jump(spinning.steps.len() - 1);
    enter(&mut bench, &mut play);
    let mut last = Vec::new();
    while play.step().is_some() {
        let before = play.clone();
        assert!(play.may_go_on(&bench), "{:?}", play.step());
        did(&mut bench, &mut play, Did::GoOn);
        last = between(&before, &play, &bench);
    }
    let ended: Vec<_> = last.iter().map(|one| one["verb"]["display"]["en"].as_str().unwrap_or_default()).collect();
    assert_eq!(ended, ["progressed", "completed"]);
    let (got, of) = play.score(&bench);
    assert_eq!((&last[1]["result"]["score"]["raw"], &last[1]["result"]["score"]["max"]), (&got.into(), &of.into()));
}

#[test]
fn what_limits_is_pointed_at_in_the_machine_or_named() {
    let spinning = lesson("spinning");
    let mut play = Play::new(spinning.clone());
    play.jump(3);
    let mut bench = Bench::new(Experiment { scenario: spinning.host(3), seed: 1 }, None, None, 1);
    enter(&mut bench, &mut play);
    assert!(play.asks_for_limit() && play.hides_limit());
    did(&mut bench, &mut play, Did::PointAt(Kind::Frames, "Frames: 40 % valid".into()));
    assert!(play.asks_for_limit() && play.said().starts_with("Not this. Frames: 40 % valid. "), "{}", play.said());
    did(&mut bench, &mut play, Did::Name(zvmlab::limit::ResourceKind::CpLock));
    assert!(play.said().starts_with("Not this. Lock of CP: "), "{}", play.said());
    // A lock that is held half of the time is not said to be waited for half of a percent of it.
    let lock =
        bench.settled.as_ref().and_then(|run| run.limits.get(zvmlab::limit::ResourceKind::CpLock).cloned()).expect("a lock");
    assert!(
        lock.busy > 0.03
            && play.said().contains(&format!(": {:.0} % in use; {:.0} % ", lock.busy * 100.0, lock.waiting * 100.0)),
        "{} of {lock:?}",
        play.said()
    );
    assert!(play.offers_hint());
    did(&mut bench, &mut play, Did::PointAt(Kind::Physical, "Physical 1: LPAR1".into()));
    assert!(!play.asks_for_limit() && !play.hides_limit() && play.may_go_on(&bench), "{}", play.said());
    play.jump(0);
    assert!(!play.hides_limit() && Play::new(spinning).hides_limit(), "the answer is not given away before the question");
}

#[test]
fn the_host_of_a_step_follows_from_what_is_set() {
    let aliases = lesson("aliases");
    let at = |step: usize| (aliases.baseline(step).lcu.aliases, aliases.host(step).lcu.aliases);
    assert_eq!([0, 1, 2, 3, 5, 6].map(at), [(0, 0), (0, 0), (0, 4), (0, 0), (8, 8), (0, 0)]);
    assert_eq!((aliases.host(0).name.as_str(), aliases.host(2).name.as_str()), ("V4DVY000", "V4DVYA40"));
    assert_eq!(turned(&aliases.host(0), &Vec::new()), aliases.host(0));
}
