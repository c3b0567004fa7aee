//! The commands as a person meets them: what they print, write and refuse, and how they end.

mod console;
mod files;
mod lessons;
mod packages;
mod processing;
mod relocation;
mod sweep;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use zvmlab::Figure;
use zvmlab::experiment;
use zvmlab::measurement::FIGURES;
use zvmlab::report::{MODEL_VERSION, Report};
use zvmlab::scenario::Scenario;

/// Two guests that page on a host of half a gigabyte: small enough for a debug build.
const SMALL_HOST: &str = "name = \"small, \\\"quoted\\\"\"\nprocessors.count = 2\nstorage.central_mb = 512\n\
     measure = { warmup_s = 1, interval_s = 2 }\n[[guests]]\ncount = 2\nvirtual_mb = 512\nloop_mb = 512\n";

fn zvmlab(arguments: &[&str]) -> Output {
    zvmlab_with_input(arguments, b"")
}

fn zvmlab_with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_zvmlab"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input may be gone already.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("the program ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Asserts that the command ends with code 2 and says something with `wanted` in it; a panic would end with 101 or 134.
fn refuses(output: &Output, wanted: &str) {
    let message = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains(wanted), "wanted {wanted}: {message}");
    assert_eq!(stdout(output), "");
}

fn succeeds(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    assert_eq!(stderr(output), "");
}

/// A folder with the small host in it.
fn folder() -> (TempDir, String) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("small.toml");
    fs::write(&path, SMALL_HOST).expect("written");
    let path = text(&path);
    (folder, path)
}

fn text(path: &Path) -> String {
    path.to_str().expect("UTF-8").into()
}

#[test]
fn run_prints_every_figure_that_there_is_with_its_unit() {
    let (_folder, path) = folder();
    let output = zvmlab(&["run", &path, "--seed", "7"]);
    succeeds(&output);
    let printed = stdout(&output);
    let outcome = experiment::run(&Scenario::parse(SMALL_HOST).expect("a scenario"), 7).expect("it runs");
    let (there, missing): (Vec<_>, Vec<_>) = outcome.measurement.iter().partition(|(_, value)| value.is_some());
    // This host pages, and its guests compute nothing: figures of processors and lists say nothing of it.
    let processors = FIGURES.iter().position(|&figure| figure == Figure::GuestTimePerTransaction).expect("it is one");
    for (figure, _) in there {
        let line = printed.lines().find(|line| line.starts_with(figure.label()));
        // No guest stands still for a reorder at its level.
        let of_reorder = [Figure::ConsoleWait, Figure::Reorders, Figure::ReorderBusy].contains(&figure);
        match of_reorder || FIGURES[processors..].contains(&figure) {
            true => assert_eq!(line, None, "{}: {printed}", figure.id()),
            false => assert!(line.is_some_and(|line| line.ends_with(figure.unit())), "{}: {printed}", figure.id()),
        }
    }
    let limits = format!("What limits: {}", zvmlab_lab::words::limit::said(&outcome.limits));
    assert_eq!(printed.lines().last(), Some(limits.as_str()), "figures and the limit are all there is: {printed}");
    assert!(!missing.is_empty(), "a host without minidisk I/O has no figures of it");
    for (figure, _) in missing {
        assert!(!printed.lines().any(|line| line.starts_with(figure.label())), "{}: {printed}", figure.id());
    }
    assert!(printed.contains(&format!("seed 7, digest {:016x}", outcome.digest)), "{printed}");
}

#[test]
fn json_is_the_report_of_the_library() {
    let (folder, path) = folder();
    let json = text(&folder.path().join("report.json"));
    succeeds(&zvmlab(&["run", &path, "--seed", "3", "--replications", "2", "--json", &json]));
    let scenario = Scenario::parse(SMALL_HOST).expect("a scenario");
    let outcomes = [3, 4].map(|seed| experiment::run(&scenario, seed).expect("it runs"));
    assert_eq!(fs::read_to_string(&json).expect("written"), Report::new(&scenario, &outcomes).to_json());
}

#[test]
fn a_hyphen_is_standard_output_on_which_nothing_else_is_then() {
    let (folder, path) = folder();
    for arguments in [&["run", &path, "--json"][..], &["run", &path, "--csv"], &["advise", &path, "--json"]] {
        let file = text(&folder.path().join("written"));
        succeeds(&zvmlab(&[arguments, &[&file]].concat()));
        let printed = zvmlab(&[arguments, &["-"]].concat());
        succeeds(&printed);
        assert_eq!(stdout(&printed), fs::read_to_string(&file).expect("written"), "{arguments:?}");
    }
    refuses(&zvmlab(&["run", &path, "--json", "-", "--csv", "-"]), "only one can go to standard output");
}

#[cfg(unix)]
#[test]
fn a_pipe_takes_a_file_though_it_has_no_path_of_its_own() {
    let (_folder, path) = folder();
    let printed = zvmlab(&["run", &path, "--json", "/dev/stderr"]);
    assert!(printed.status.success(), "{}", stderr(&printed));
    assert!(stderr(&printed).contains("\"figure\": \"etr\""), "{}", stderr(&printed));
}

#[test]
fn csv_has_one_record_a_replication() {
    let (folder, path) = folder();
    let csv = text(&folder.path().join("report.csv"));
    succeeds(&zvmlab(&["run", &path, "--replications", "3", "--csv", &csv]));
    let mut reader = csv::Reader::from_path(&csv).expect("written");
    let header = reader.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|other| other == name).unwrap_or_else(|| panic!("{name}: {header:?}"));
    let records: Vec<csv::StringRecord> = reader.records().map(|record| record.expect("as wide as the header")).collect();
    let of = |name: &str| records.iter().map(|record| record[column(name)].to_string()).collect::<Vec<_>>();
    assert_eq!(of("Seed"), ["1", "2", "3"]);
    assert_eq!(of("Model version"), [MODEL_VERSION; 3]);
    assert_eq!(of("Scenario name"), ["small, \"quoted\""; 3]);
    let outcome = experiment::run(&Scenario::parse(SMALL_HOST).expect("a scenario"), 2).expect("it runs");
    assert_eq!(of("Digest")[1], format!("{:016x}", outcome.digest));
    assert_eq!(of("ETR (tx/s)")[1].parse(), Ok(outcome.measurement.get(zvmlab::Figure::Etr).expect("an ETR")));
    assert_eq!(Scenario::parse(&of("Scenario")[0]), Scenario::parse(SMALL_HOST));
}

#[test]
fn the_same_command_prints_the_same_bytes() {
    let (_folder, path) = folder();
    let arguments = ["run", &path, "--seed", "18446744073709551614", "--replications", "2"];
    let first = zvmlab(&arguments);
    succeeds(&first);
    assert_eq!(zvmlab(&arguments), first);
    assert!(stdout(&first).contains("95 % from"), "replications have an interval");
}

#[test]
fn check_says_what_a_run_costs_unless_it_is_asked_not_to() {
    let told = stdout(&zvmlab_with_input(&["check", "-"], SMALL_HOST.as_bytes()));
    assert!(told.contains("Nothing is wrong with it.\nA run takes"), "{told}");
    let quick = stdout(&zvmlab_with_input(&["check", "-", "--quick"], SMALL_HOST.as_bytes()));
    assert!(quick.ends_with("Nothing is wrong with it.\n"), "{quick}");
    let idle = format!("{SMALL_HOST}[isfc]\nctcs2 = 7\n");
    let quick = stdout(&zvmlab_with_input(&["check", "-", "--quick"], idle.as_bytes()));
    assert!(
        quick.ends_with("Set, but without effect in this host:\n  isfc.ctcs2: This host has no such part.\n"),
        "{quick}"
    );
    // 64 virtual CPUs in cycles of a microsecond for an hour.
    let long = b"[processors]\ncount = 64\n[measure]\ninterval_s = 3600\n[[guests]]\ncount = 64\nvirtual_mb = 16\nloop_mb = 1\nreferences = 1\ncpu_us = 1\n";
    let told = stdout(&zvmlab_with_input(&["check", "-"], long));
    assert!(told.contains("It is cut short after its budget, measure.events_m = 100"), "{told}");
    let large = b"[storage]\ncentral_mb = \"4 TB\"\n[[guests]]\nvirtual_mb = \"1 TB\"\nloop_mb = 1\ncount = 8\n";
    let told = stdout(&zvmlab_with_input(&["check", "-"], large));
    assert!(told.contains("GB of memory; how long a run takes was not tried."), "{told}");
}

#[test]
fn a_scenario_comes_from_a_file_standard_input_or_a_run_id() {
    let (_folder, path) = folder();
    let from_file = zvmlab(&["check", &path, "--quick"]);
    succeeds(&from_file);
    assert!(stdout(&from_file).contains("2 guests"));
    assert_eq!(zvmlab_with_input(&["check", "-", "--quick"], SMALL_HOST.as_bytes()), from_file);
    let json = Scenario::parse(SMALL_HOST).expect("a scenario").to_json();
    assert_eq!(zvmlab_with_input(&["check", "-", "--quick"], json.as_bytes()), from_file);
    assert_eq!(zvmlab_with_input(&["check", "-", "--quick"], format!("\u{feff}{SMALL_HOST}").as_bytes()), from_file);
    let run = zvmlab(&["check", "V4DVYA00", "--quick"]);
    succeeds(&run);
    assert!(stdout(&run).contains("4 paging volumes, 8 aliases"), "{}", stdout(&run));
    let run = zvmlab(&["check", "QRBKW048", "--quick"]);
    succeeds(&run);
    let wanted = "2 paging volumes, 4 minidisk volumes, 16 aliases shared 15:1 (MDISK:PAGING)";
    assert!(stdout(&run).contains(wanted), "{}", stdout(&run));
}

#[test]
fn every_problem_of_a_scenario_is_named() {
    let output =
        zvmlab_with_input(&["check", "-"], b"speed = 1\n[paging]\nvolumes = 0\nzhpf = 1\n[[guests]]\ncount = 1000000000000");
    refuses(&output, "standard input: paging.volumes: 0 given");
    let lines: Vec<String> = stderr(&output).lines().map(String::from).collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    for field in ["speed", "paging.volumes", "paging.zhpf", "guests[0].count"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("standard input: {field}: "))), "{field}: {lines:?}");
    }
    refuses(&zvmlab_with_input(&["run", "-"], b"paging.volumes = 0"), "paging.volumes");
}

#[test]
fn what_cannot_be_read_is_said() {
    let folder = TempDir::new().expect("a folder");
    let path = text(folder.path());
    let missing = text(&folder.path().join("none.toml"));
    for command in ["run", "check", "advise", "moves", "relocate"] {
        refuses(&zvmlab(&[command, &path]), &format!("{path}: cannot be read"));
        refuses(&zvmlab(&[command, &missing]), &format!("{missing}: there is no such file"));
        refuses(&zvmlab(&[command, &missing]), "published run or example of that name; `zvmlab runs` lists them");
        refuses(&zvmlab(&[command, "cms-user"]), "of that name (is CMS-USERS meant?); `zvmlab runs` lists them");
        refuses(&zvmlab(&[command, "excess share"]), "(is \"Excess share, cured\" or \"Excess share, fault\" meant?)");
        refuses(&zvmlab(&[command, "V4DVY00"]), "(is V4DVY000 meant?)");
        refuses(&zvmlab(&[command, ""]), "there is no such file");
        refuses(&zvmlab_with_input(&[command, "-"], b"name = \"\xff\""), "standard input: not UTF-8 text from byte 8 on");
        refuses(&zvmlab_with_input(&[command, "-"], b"{\"name\": "), "not JSON");
        refuses(&zvmlab_with_input(&[command, "-"], &vec![b'#'; 2_000_000]), "longer than 262144 bytes");
    }
}

#[test]
fn what_cannot_be_written_is_said_before_the_run() {
    let (folder, path) = folder();
    let directory = text(folder.path());
    let nowhere = text(&folder.path().join("none").join("report"));
    for option in ["--json", "--csv"] {
        refuses(&zvmlab(&["run", &path, option, &directory]), &format!("{directory}: cannot be written"));
        refuses(&zvmlab(&["run", &path, option, &nowhere]), &format!("{nowhere}: cannot be written"));
    }
    refuses(&zvmlab(&["validate", "--json", &nowhere]), "cannot be written");
    refuses(&zvmlab(&["advise", &path, "--json", &nowhere]), "cannot be written");
}

#[test]
fn bad_arguments_are_refused() {
    let (_folder, path) = folder();
    for arguments in [
        &["run"][..],
        &["run", &path, "--seed", "-1"],
        &["run", &path, "--seed", "x"],
        &["run", &path, "--seed", "18446744073709551616"],
        &["run", &path, "--replications", "0"],
        &["run", &path, "--replications", "1000000000000"],
        &["validate", "--seeds", "0"],
        &["advise"],
        &["advise", &path, "--seed", "x"],
        &["moves"],
        &["moves", &path, "--seconds", "0"],
        &["moves", &path, "--seconds", "3601"],
        &["moves", &path, "--seconds", "0.5"],
        &["moves", &path, "--seed", "-1"],
        &["relocate"],
        &["relocate", &path, "--seed", "x"],
        &["relocate", &path, "--seconds", "5"],
        &["simulate"],
        &[],
    ] {
        assert_eq!(zvmlab(arguments).status.code(), Some(2), "{arguments:?}");
    }
    refuses(
        &zvmlab(&["run", &path, "--seed", "-1"]),
        "'-1' for '--seed <SEED>': a whole number from 0 to 18446744073709551615 is",
    );
    refuses(&zvmlab(&["run", &path, "--replications", "0"]), "a whole number from 1 to 10000 is allowed");
    refuses(&zvmlab(&["run", &path, "--seed", "18446744073709551615", "--replications", "2"]), "--seed");
    refuses(&zvmlab(&["validate", "V4DVYH04", "V4DVYH05"]), "V4DVYH05: there is no published run of that name");
}

#[test]
fn runs_lists_the_published_runs() {
    let output = zvmlab(&["runs"]);
    succeeds(&output);
    let printed = stdout(&output);
    for run in zvmlab_reference::runs() {
        assert!(printed.lines().any(|line| line.starts_with(&run.id)), "{}", run.id);
    }
    for source in zvmlab_reference::sources() {
        assert!(printed.lines().any(|line| line.starts_with(&format!("{}: ", source.title))), "{}", source.id);
    }
}

/// A host that breaks three rules which the scenario alone shows, and one that only a run does.
const BROKEN_HOST: &str = "processors.count = 8\nstorage.central_mb = 256\nmeasure = { warmup_s = 0, interval_s = 1 }\n\
     paging = { volumes = 1, volume_slots = 180000, other_volumes = 1, other_slots = 306000 }\n\
     [[guests]]\ncount = 2\nvirtual_mb = 1024\nloop_mb = 1024\n";

#[test]
fn advise_names_the_rules_that_are_broken() {
    let folder = TempDir::new().expect("a folder");
    let json = text(&folder.path().join("advice.json"));
    let output = zvmlab_with_input(&["advise", "-", "--seed", "2", "--json", &json], BROKEN_HOST.as_bytes());
    succeeds(&output);
    let scenario = Scenario::parse(BROKEN_HOST).expect("a scenario");
    let measurement = experiment::run(&scenario, 2).expect("it runs").measurement;
    let advice = zvmlab::adviser::advise(&scenario, Some(&measurement));
    let ids: Vec<&str> = advice.iter().map(|advice| advice.rule.id).collect();
    assert_eq!(ids, ["page-volumes-same-size", "page-volumes-same-kind", "volumes-for-processors", "page-space-with-room"]);
    let rules: serde_json::Value = serde_json::from_str(&fs::read_to_string(&json).expect("written")).expect("JSON");
    for (advice, written) in advice.iter().zip(rules.as_array().expect("an array")) {
        let rule = advice.rule;
        for (key, value) in [
            ("id", rule.id),
            ("title", rule.title),
            ("otherwise", rule.otherwise),
            ("found", &advice.found),
            ("why", rule.why),
            ("source", rule.source),
            ("remedy", &advice.remedy),
        ] {
            assert_eq!(written[key], value, "{}", rule.id);
            assert!(stdout(&output).contains(value), "{}: {key}", rule.id);
        }
        let better = advice.better.as_ref().map(Scenario::to_json);
        let written = (!written["better"].is_null()).then(|| Scenario::parse(&written["better"].to_string()));
        assert_eq!(written, better.map(|text| Scenario::parse(&text)), "{}", rule.id);
    }
    assert_eq!(rules.as_array().map(Vec::len), Some(advice.len()));
}

#[test]
fn advise_says_when_no_rule_is_broken() {
    let folder = TempDir::new().expect("a folder");
    let json = text(&folder.path().join("advice.json"));
    let (_folder, path) = self::folder();
    let output = zvmlab(&["advise", &path, "--json", &json]);
    succeeds(&output);
    assert!(stdout(&output).ends_with("\nNo rule is broken.\n"), "{}", stdout(&output));
    assert_eq!(fs::read_to_string(&json).expect("written"), "[]\n");
}

/// Both runs of a change are there, so the change is too; figures and changes carry their source. The verdicts are the
/// model's affair: the exit code says whether one fails.
#[test]
fn validate_sets_runs_of_a_source_against_each_other() {
    let folder = TempDir::new().expect("a folder");
    let json = text(&folder.path().join("validation.json"));
    let output = zvmlab(&["validate", "JB001239", "JB001238", "--seeds", "1", "--json", &json]);
    let rows: serde_json::Value = serde_json::from_str(&fs::read_to_string(&json).expect("written")).expect("JSON");
    let rows = rows.as_array().expect("an array");
    assert!(rows.iter().all(|row| row["source_id"] == "guest-zhpf-6.2"), "{rows:?}");
    assert!(rows.iter().all(|row| row.get("less").is_none()), "no order of runs is published here: {rows:?}");
    let (changes, figures): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.get("from").is_some());
    assert_eq!(figures.iter().map(|row| &row["case"]).collect::<Vec<_>>(), [["JB001238"; 4], ["JB001239"; 4]].concat());
    assert_eq!(changes.len(), 3);
    assert!(changes.iter().all(|row| row["from"] == "JB001238" && row["model_percent"].is_number()), "{changes:?}");
    let failed = rows.iter().any(|row| ["fail", "agrees_now"].iter().any(|verdict| row["verdict"] == *verdict));
    assert_eq!(output.status.code(), Some(i32::from(failed)), "{}", stderr(&output));
    let printed = stdout(&output);
    let of = |start: &str| printed.lines().find_map(|line| line.strip_prefix(start)).map(str::to_owned);
    assert_eq!(of("Guest zHPF: fitted: "), of("All sources: fitted: "));
    assert!(of("Guest zHPF: fitted: ").is_some() && of("Paging drivers: ").is_none(), "{printed}");
}

/// Runs without a figure of their own stand in orders, each of which has both of its runs.
#[test]
fn validate_says_which_of_two_runs_has_less() {
    let folder = TempDir::new().expect("a folder");
    let json = text(&folder.path().join("validation.json"));
    let output = zvmlab(&["validate", "LGR25-CONC-IMM", "LGR25-SERIAL-IMM", "LGR-DIRECT", "--seeds", "1", "--json", &json]);
    let rows: serde_json::Value = serde_json::from_str(&fs::read_to_string(&json).expect("written")).expect("JSON");
    let (orders, figures): (Vec<_>, Vec<_>) =
        rows.as_array().expect("an array").iter().partition(|row| row.get("less").is_some());
    assert_eq!(figures.iter().map(|row| &row["case"]).collect::<Vec<_>>(), ["LGR-DIRECT"]);
    let figure = |row: &serde_json::Value| row["figure"].as_str().map(str::to_owned);
    let known: Vec<Option<String>> = orders.iter().map(|row| figure(row)).collect();
    let wanted = ["relocation_total", "relocation_time", "quiesce_time"].map(|id| Some(id.to_owned()));
    assert_eq!(known, wanted, "of the orders, those of these two runs");
    for row in &orders {
        let (less, more) = (row["less_model"].as_f64().expect("a mean"), row["more_model"].as_f64().expect("a mean"));
        assert_eq!(row["verdict"] == "pass", less < more, "one seed has no interval: {row}");
    }
    let printed = stdout(&output);
    assert!(printed.contains("No figure of this run is published"), "{printed}");
    let table = printed.split_once("Which of two runs has less").expect("a table").1;
    assert!(table.contains("LGR25-CONC-IMM") && table.contains("intervals apart"), "{printed}");
    assert!(printed.contains("orders of runs: 3 of 3 pass") && output.status.success(), "{printed}");
    assert!(printed.contains("Various Workloads, IBM: "), "the second publication is named: {printed}");
}

/// The one test here that runs a published host that pages.
#[test]
fn validate_writes_a_row_for_each_figure() {
    let folder = TempDir::new().expect("a folder");
    let json = text(&folder.path().join("validation.json"));
    let output = zvmlab(&["validate", "V4DVY000", "--seeds", "2", "--json", &json]);
    let rows: serde_json::Value = serde_json::from_str(&fs::read_to_string(&json).expect("written")).expect("JSON");
    let rows = rows.as_array().expect("an array");
    let figures = &zvmlab_reference::run("V4DVY000").expect("the run").figures;
    assert_eq!(rows.len(), figures.len());
    assert!(rows.iter().all(|row| row["model"].is_number() && row["interval_low"].is_number()), "{rows:?}");
    let failed = rows.iter().any(|row| ["fail", "agrees_now"].iter().any(|verdict| row["verdict"] == *verdict));
    assert_eq!(output.status.code(), Some(i32::from(failed)), "{}", stderr(&output));
}
