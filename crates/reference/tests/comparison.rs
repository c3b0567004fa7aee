//! The comparison's verdicts, on figures made by hand; and replications, on a host small enough for a debug build.

use zvmlab::measurement::Measurement;
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::{GuestSnapshot, Snapshot};
use zvmlab_reference::replication::{Job, run_jobs};
use zvmlab_reference::{Reference, Row, compare};

/// A reference with one run that has one figure, an ETR of 2 a second.
fn reference(judged: &str) -> Reference {
    let text = format!(
        "id = \"a-page\"\ntitle = \"\"\nscenario = {{}}\n[source]\ntitle = \"A page\"\nreport = \"\"\ntables = \"\"\n\
         not_printed = \"\"\n[machine]\ntype_and_model = \"\"\ndescription = \"\"\nstorage_server = \"\"\nworkload = \"\"\n\
         [[run]]\nid = \"R1\"\ntitle = \"\"\ncp_level = \"\"\ntables = \"\"\nsettings = \"\"\nscenario = {{}}\n\
         figures = [{{ figure = \"etr\", published = \"2\", table = \"table 9\", {judged} }}]"
    );
    Reference::parse(&text).expect("the text is a data file")
}

/// A measurement with this ETR.
fn measurement(etr: f64) -> Measurement {
    // One transaction in a hundred references, so that a tenth of one is told from another.
    let guest = GuestSnapshot { transaction: 100, ..GuestSnapshot::default() };
    let done = GuestSnapshot { references: (etr * 10.0 * 100.0).round() as u64, ..guest.clone() };
    let earlier = Snapshot { guests: vec![guest], ..Snapshot::default() };
    let later = Snapshot { now_ns: 10_000_000_000, guests: vec![done], ..Snapshot::default() };
    Measurement::between(&earlier, &later)
}

fn row(judged: &str, etrs: &[f64]) -> Row {
    let reference = reference(judged);
    let measurements: Vec<Measurement> = etrs.iter().map(|&etr| measurement(etr)).collect();
    let rows = compare(&reference.runs[0], &measurements.iter().collect::<Vec<_>>());
    rows.into_iter().next().expect("one figure, one row")
}

#[test]
fn verdicts() {
    let check = |judged: &str, etrs: &[f64], verdict: &str, fails: bool| {
        let row = row(judged, etrs);
        assert_eq!((row.verdict.as_str(), row.verdict.fails()), (verdict, fails), "{judged} {etrs:?}");
    };
    let predicted = r#"kind = "predicted", tolerance_percent = 10"#;
    let known = r#"kind = "predicted", tolerance_percent = 10, known_difference = "why""#;
    check(predicted, &[2.1], "pass", false);
    check(predicted, &[1.5, 2.7], "pass", false);
    check(predicted, &[2.3], "fail", true);
    check(predicted, &[1.7], "fail", true);
    check(predicted, &[], "fail", true);
    check(known, &[2.3], "known_difference", false);
    check(known, &[2.1], "agrees_now", true);
    check(r#"kind = "not_validated", reason = "why""#, &[9.0], "not_validated", false);
}

#[test]
fn a_row_says_what_it_compared() {
    let row = row(r#"derived = "1 + 1", kind = "predicted", tolerance_percent = 10, known_difference = "why""#, &[2.4, 2.6]);
    assert_eq!(row.source, "A page, table 9, run R1; derived: 1 + 1");
    assert_eq!(row.note.as_deref(), Some("why"));
    let json = serde_json::to_value(&row).expect("a row is JSON");
    let keys: Vec<&String> = json.as_object().expect("an object").keys().collect();
    let mut wanted = [
        "source_id",
        "case",
        "figure",
        "unit",
        "published",
        "model",
        "interval_low",
        "interval_high",
        "error_pct",
        "kind",
        "verdict",
        "source",
    ];
    wanted.sort_unstable();
    let mut keys: Vec<&str> = keys.into_iter().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, wanted);
    let near = |key: &str, wanted: f64| json[key].as_f64().is_some_and(|value| (value - wanted).abs() < 1e-3);
    assert!(near("published", 2.0) && near("model", 2.5) && near("error_pct", 25.0), "{json}");
    // One degree of freedom: t = 12.706, standard error 0.1.
    assert!(near("interval_low", 2.5 - 1.2706) && near("interval_high", 2.5 + 1.2706), "{json}");
    assert_eq!((json["kind"].as_str(), json["verdict"].as_str()), (Some("predicted"), Some("known_difference")));
}

/// Two guests that page on a host of half a gigabyte.
fn small_host() -> Scenario {
    let text = "name = \"small\"\nprocessors = { count = 2 }\nstorage = { central_mb = 512 }\n\
                guests = [{ count = 2, virtual_mb = 512, loop_mb = 512 }]\nmeasure = { warmup_s = 1, interval_s = 2 }";
    Scenario::parse(text).expect("the host is one that can run")
}

#[test]
fn outcomes_do_not_depend_on_threads() {
    let scenario = small_host();
    let jobs: Vec<Job> = (1..=5).map(|seed| Job { scenario: &scenario, seed }).collect();
    let alone = run_jobs(&jobs, 1).expect("the host runs");
    assert_eq!(alone.iter().map(|outcome| outcome.seed).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert_ne!(alone[0].digest, alone[1].digest, "seeds make a difference");
    for thread_count in [2, 3, 64] {
        assert_eq!(run_jobs(&jobs, thread_count).expect("the host runs"), alone, "{thread_count} threads");
    }
}

#[test]
fn a_scenario_that_cannot_run_is_an_error() {
    let mut scenario = small_host();
    scenario.paging.volumes = 0;
    let error = run_jobs(&[Job { scenario: &scenario, seed: 1 }], 2).expect_err("no volumes");
    assert_eq!(error.problems[0].field, "paging.volumes");
    assert!(run_jobs(&[], 2).expect("nothing to do").is_empty());
}
