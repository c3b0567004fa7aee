//! The comparison's verdicts on figures made by hand; and replications of a host small enough for a debug build.

use zvmlab::measurement::Measurement;
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::{GuestSnapshot, Snapshot};
use zvmlab_reference::replication::{Job, run_jobs};
use zvmlab_reference::{OrderRow, RatioRow, Reference, Row, compare, compare_order, compare_ratio};

/// A data file with one run, R1, that has one figure, an ETR of 2 a second.
fn reference_text(judged: &str) -> String {
    format!(
        "id = \"a-page\"\ntitle = \"\"\nscenario = {{}}\n[source]\ntitle = \"A page\"\nreport = \"\"\ntables = \"\"\n\
         not_printed = \"\"\n[machine]\ntype_and_model = \"\"\ndescription = \"\"\nstorage_server = \"\"\nworkload = \"\"\n\
         [[run]]\nid = \"R1\"\ntitle = \"\"\ncp_level = \"\"\ntables = \"\"\nsettings = \"\"\nscenario = {{}}\n\
         figures = [{{ figure = \"etr\", published = \"2\", table = \"table 9\", {judged} }}]"
    )
}

/// A measurement with this ETR.
fn measurement(etr: f64) -> Measurement {
    // A transaction is a hundred references, so that a tenth of a transaction counts.
    let guest = GuestSnapshot { transaction: 100, ..GuestSnapshot::default() };
    let done = GuestSnapshot { references: (etr * 10.0 * 100.0).round() as u64, ..guest.clone() };
    let earlier = Snapshot { guests: vec![guest], ..Snapshot::default() };
    let later = Snapshot { now_ns: 10_000_000_000, guests: vec![done], ..Snapshot::default() };
    Measurement::between(&earlier, &later)
}

fn row(judged: &str, etrs: &[f64]) -> Row {
    let reference = Reference::parse(&reference_text(judged)).expect("the text is a data file");
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
    let absolute = r#"kind = "predicted", tolerance = 0.15"#;
    check(absolute, &[2.14], "pass", false);
    check(absolute, &[1.86], "pass", false);
    check(absolute, &[2.16], "fail", true);
    check(absolute, &[1.84], "fail", true);
}

/// A figure published as 0 has no error in percent; an absolute tolerance judges it.
#[test]
fn a_published_zero_is_judged_in_its_unit() {
    let check = |judged: &str, etr: f64, verdict: &str| {
        let text = reference_text(judged).replace("published = \"2\"", "published = \"0\"");
        let reference = Reference::parse(&text).expect("the text is a data file");
        let row = compare(&reference.runs[0], &[&measurement(etr)]).remove(0);
        assert_eq!((row.verdict.as_str(), row.error_pct, row.published), (verdict, None, 0.0), "{judged} {etr}");
    };
    check(r#"kind = "predicted", tolerance = 0.5"#, 0.4, "pass");
    check(r#"kind = "predicted", tolerance = 0.5"#, 0.6, "fail");
    check(r#"kind = "not_validated", reason = "why""#, 0.6, "not_validated");
}

/// Checks the verdict on a reference's change from run R1 to run R2, if the seeds have these ETRs.
fn ratio(percent: &str, from: &[f64], to: &[f64]) -> RatioRow {
    let judged = r#"kind = "predicted", tolerance_percent = 10"#;
    let second = reference_text(judged).split_once("[[run]]").expect("it has a run").1.replace("R1", "R2");
    let text = format!(
        "{}\n[[run]]{second}\n[[ratio]]\nfigure = \"etr\"\nfrom = \"R1\"\nto = \"R2\"\npublished = \"About that\"\n\
         percent = {percent}\ntable = \"table 9\"\nkind = \"predicted\"",
        reference_text(judged)
    );
    let reference = Reference::parse(&text).expect("the text is a data file");
    let [from, to] = [from, to].map(|etrs| etrs.iter().map(|&etr| measurement(etr)).collect::<Vec<Measurement>>());
    compare_ratio(&reference.ratios[0], &from.iter().collect::<Vec<_>>(), &to.iter().collect::<Vec<_>>())
}

#[test]
fn a_change_is_judged_by_its_sign() {
    let check = |percent: &str, from: &[f64], to: &[f64], verdict: &str| {
        assert_eq!(ratio(percent, from, to).verdict.as_str(), verdict, "{percent}: {from:?} {to:?}");
    };
    check("[35]", &[2.0], &[2.1], "pass");
    check("[35]", &[2.0], &[1.9], "fail");
    check("[35]", &[2.0], &[2.0], "fail");
    check("[-45, -75]", &[2.0], &[1.9], "pass");
    check("[35]", &[], &[2.1], "fail");
    check("[35]", &[2.0, 2.0], &[2.1, 2.2], "fail"); // 5 % and 10 %: the interval reaches below 0.
    check("[35]", &[2.0, 2.0], &[2.1, 2.11], "pass");
    let row = ratio("[-45, -75]", &[2.0, 4.0], &[1.0, 2.0]);
    assert_eq!((row.model_percent, row.interval_low, row.interval_high), (Some(-50.0), Some(-50.0), Some(-50.0)));
    assert_eq!((row.least_percent, row.most_percent, row.published.as_str()), (-45.0, -75.0, "About that"));
    assert_eq!((row.source_id.as_str(), row.source.as_str()), ("a-page", "A page, table 9"));
}

/// Checks the verdict on a reference's claim that run R2 has less than run R1, if the seeds have these ETRs.
fn order(judged: &str, less: &[f64], more: &[f64]) -> OrderRow {
    let text = reference_text(r#"kind = "predicted", tolerance_percent = 10"#);
    let runs = text.split_once("[[run]]").expect("a run").1;
    let text = format!(
        "{text}\n[[run]]{}\n[[order]]\nfigure = \"etr\"\nless = \"R2\"\nthan = [\"R1\"]\npublished = \"R2 is best\"\n\
         table = \"table 9\"\n{judged}",
        runs.replace("R1", "R2")
    );
    let reference = Reference::parse(&text).expect("the text is a data file");
    let [less, more] = [less, more].map(|etrs| etrs.iter().map(|&etr| measurement(etr)).collect::<Vec<_>>());
    compare_order(&reference.orders[0], &less.iter().collect::<Vec<_>>(), &more.iter().collect::<Vec<_>>())
}

#[test]
fn an_order_is_judged_over_the_seeds() {
    let check = |judged: &str, less: &[f64], more: &[f64], verdict: &str| {
        assert_eq!(order(judged, less, more).verdict.as_str(), verdict, "{judged}: {less:?} {more:?}");
    };
    let plain = "kind = \"predicted\"";
    let large = "kind = \"predicted\"\nsubstantial = true";
    let known = "kind = \"predicted\"\nknown_difference = \"why\"";
    for judged in [plain, large] {
        check(judged, &[1.0], &[1.1], "pass");
        check(judged, &[1.1], &[1.0], "fail");
        check(judged, &[1.0], &[1.0], "fail");
        check(judged, &[], &[1.0], "fail");
        check(judged, &[], &[], "fail");
        check(judged, &[1.0, 1.1, 0.9], &[2.0, 2.2, 1.9], "pass");
        // The mean has the order, but only because of one seed.
        check(judged, &[1.0, 1.0, 1.0], &[1.0, 1.0, 1.3], "fail");
    }
    // In every seed the second has more, but by less than seeds differ.
    let (less, more) = (&[1.0, 2.0, 3.0], &[1.2, 2.2, 3.2]);
    check(plain, less, more, "pass");
    check(large, less, more, "fail");
    check(known, more, less, "known_difference");
    check(known, less, more, "agrees_now");
    check("kind = \"not_validated\"\nnote = \"why\"", more, less, "not_validated");
    let row = order(large, less, more);
    assert_eq!((row.less.as_str(), row.more.as_str(), row.figure, row.unit), ("R2", "R1", "etr", "tx/s"));
    assert_eq!((row.source.as_str(), row.published.as_str(), row.substantial), ("A page, table 9", "R2 is best", true));
    assert_eq!((row.less_model, row.more_model.map(|mean| (mean * 10.0).round())), (Some(2.0), Some(22.0)));
    assert!(row.more_percent.is_some_and(|percent| (percent - 10.0).abs() < 1e-6), "{row:?}");
    // t (two degrees of freedom) 4.303 x standard error 0.577.
    assert!(
        row.less_interval.is_some_and(|(low, high)| (low + 0.484).abs() < 1e-3 && (high - 4.484).abs() < 1e-3),
        "{row:?}"
    );
}

/// Where the source says that something makes no difference, the means are close, whatever single seeds do.
#[test]
fn what_is_the_same_is_so_within_a_percentage() {
    let check = |judged: &str, one: &[f64], other: &[f64], verdict: &str| {
        let judged = format!("kind = \"predicted\"\nsame_within = 5\n{judged}");
        assert_eq!(order(&judged, one, other).verdict.as_str(), verdict, "{judged}: {one:?} {other:?}");
    };
    check("", &[2.0], &[2.09], "pass");
    check("", &[2.0], &[1.91], "pass");
    check("", &[2.0], &[2.2], "fail");
    check("", &[2.0], &[1.8], "fail");
    check("", &[2.0, 3.0], &[3.0, 2.0], "pass");
    check("", &[0.0], &[0.0], "pass");
    check("", &[0.0], &[0.1], "fail");
    check("", &[2.0], &[], "fail");
    check("known_difference = \"why\"", &[2.0], &[2.2], "known_difference");
    check("known_difference = \"why\"", &[2.0], &[2.0], "agrees_now");
    assert_eq!(order("kind = \"predicted\"\nsame_within = 5", &[2.0], &[2.0]).same_within, Some(5.0));
}

/// Where a little more would mean nothing, the data say how much it must be.
#[test]
fn what_is_more_by_a_percentage_is_so_by_that() {
    let check = |known: &str, less: &[f64], more: &[f64], verdict: &str| {
        let judged = format!("kind = \"predicted\"\nmore_by = 5\n{known}");
        assert_eq!(order(&judged, less, more).verdict.as_str(), verdict, "{judged}: {less:?} {more:?}");
    };
    let known = "known_difference = \"why\"";
    for (less, more, verdict) in [(2.0, 2.2, "pass"), (2.0, 2.05, "fail"), (2.0, 1.8, "fail"), (0.0, 0.1, "pass")] {
        check("", &[less], &[more], verdict);
        check(known, &[less], &[more], if verdict == "pass" { "agrees_now" } else { "known_difference" });
    }
    check("", &[2.0, 2.0, 2.0], &[2.0, 2.0, 2.6], "fail");
}

/// A seed without the figure gives no order: where nothing completed, no time was measured.
#[test]
fn an_order_needs_every_seed() {
    let without = Measurement::between(&Snapshot::default(), &Snapshot::default());
    assert_eq!(without.get(zvmlab::Figure::Etr), None);
    let order = zvmlab_reference::Order {
        source_id: String::new(),
        figure: zvmlab::Figure::Etr,
        less: "R1".into(),
        more: "R1".into(),
        printed: String::new(),
        substantial: false,
        more_by: None,
        same_within: None,
        kind: zvmlab_reference::Kind::Predicted,
        known_difference: None,
        note: None,
        source: String::new(),
    };
    let verdict = |less: &[&Measurement], more: &[&Measurement]| compare_order(&order, less, more).verdict.as_str();
    let (one, two) = (measurement(1.0), measurement(2.0));
    assert_eq!(verdict(&[&one, &one], &[&two, &two]), "pass");
    assert_eq!(verdict(&[&one, &without], &[&two, &two]), "fail");
    assert_eq!(verdict(&[&one, &one], &[&without, &two]), "fail");
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
        "unsettled",
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
