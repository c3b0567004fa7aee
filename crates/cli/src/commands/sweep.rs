//! `zvmlab sweep`: a scenario over the values of some of its fields, every combination, on every processor.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;

use serde_json::{Number, Value};
use zvmlab::experiment;
use zvmlab::measurement::FIGURES;
use zvmlab::report::csv_line;
use zvmlab::scenario::Scenario;
use zvmlab::scenario::fields::{Field, Kind, field};
use zvmlab_lab::words::place;
use zvmlab_lab::words::problem::bare;
use zvmlab_reference::replication::{Job, run_each, thread_count};

use crate::input;
use crate::output::{self, Failure};
use crate::progress::Line;

/// Most runs of a sweep. Chosen: their rows stay in memory until the end. More are a matter for the Python package, which writes them as
/// they come and goes on where it was.
const RUNS_MAX: u64 = 100_000;

/// Most problems that are told. Chosen: what fits a screen.
const TOLD_MAX: usize = 20;

/// The arguments of `sweep`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A TOML or JSON file, - for standard input, or the id of a published run or an example (see `zvmlab runs`)
    scenario: String,
    /// A field and its values: `lcu.aliases=0,4,8`, `paging.volumes=1..8`, `storage.central_mb=64 GB,128 GB`; several fields: every combination
    #[arg(long, required = true, value_name = "FIELD=VALUES")]
    over: Vec<String>,
    /// Seed of the first replication; the next ones take the seeds after it. Every point has the same seeds
    #[arg(long, default_value_t = 1, value_parser = input::whole::<0, { u64::MAX }>)]
    seed: u64,
    /// How many replications of each point
    #[arg(long, default_value_t = 1, value_parser = input::whole::<1, 10_000>)]
    replications: u64,
    /// How many runs at once; as many as the machine has processors unless given
    #[arg(long, value_parser = input::whole::<1, 1024>)]
    jobs: Option<u64>,
    /// Write one line for each run to this file as CSV, instead of to standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// A field and the values that it takes.
#[derive(Debug, PartialEq)]
struct Over {
    place: String,
    values: Vec<Value>,
}

/// A combination of values, and the scenario that has them.
struct Point {
    values: Vec<Value>,
    scenario: Scenario,
}

/// Runs every combination. All are checked before the first one runs.
pub fn sweep(arguments: &Arguments) -> Result<(), Failure> {
    let (base, tree) = input::read_with_tree(&arguments.scenario)?;
    let over = read_all(&arguments.over)?;
    let points = over.iter().map(|one| one.values.len() as u64).try_fold(arguments.replications, u64::checked_mul);
    let runs = points.filter(|runs| *runs <= RUNS_MAX).ok_or_else(|| {
        let given = points.map_or("more than can be counted".into(), |runs| runs.to_string());
        failed(format!("--over: {given} runs given, at most {RUNS_MAX} are allowed; the Python package takes more"))
    })?;
    let last = arguments.seed.checked_add(arguments.replications - 1).ok_or_else(|| {
        failed(format!(
            "--seed: {} given, with {} replications the seeds pass {}",
            arguments.seed,
            arguments.replications,
            u64::MAX
        ))
    })?;
    let points = points_of(&base, &tree, &over)?;
    let csv = output::open(arguments.csv.as_deref())?;

    let seeds = arguments.seed..=last;
    let jobs: Vec<(usize, Job)> = points
        .iter()
        .enumerate()
        .flat_map(|(index, point)| seeds.clone().map(move |seed| (index, Job { scenario: &point.scenario, seed })))
        .collect();
    let threads = arguments.jobs.map_or_else(thread_count, |jobs| jobs as usize);
    let mut text = csv_line(header(&over));
    let told = Mutex::new((Line::new(), 0));
    let run = |job: &Job| {
        let outcome = experiment::run(job.scenario, job.seed);
        let mut told = told.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        told.1 += 1;
        let done = told.1;
        told.0.count(done, runs);
        outcome
    };
    // Outcomes are large and rows are small: some runs at a time. A thread that has nothing left waits for the longest of them.
    for some in jobs.chunks(threads * 16) {
        let bare: Vec<Job> = some.iter().map(|(_, job)| *job).collect();
        let outcomes = run_each(&bare, threads, &run).map_err(|error| failed(error.to_string()))?;
        for ((index, job), outcome) in some.iter().zip(&outcomes) {
            let point = &points[*index];
            let measured = &outcome.measurement;
            let steadiness = measured.settling.map(|settling| settling.state.as_str()).unwrap_or_default();
            let first = [index.to_string()].into_iter().chain(point.values.iter().map(written));
            let of_run =
                [job.seed.to_string(), format!("{:016x}", outcome.digest), measured.filled.to_string(), steadiness.into()];
            let figures = measured.iter().map(|(_, value)| value.map(|value| value.to_string()).unwrap_or_default());
            text += &csv_line(first.chain(of_run).chain(figures));
        }
    }
    drop(told);
    match csv {
        Some(csv) => csv.write(&text),
        None => output::print(&text),
    }
}

fn failed(why: String) -> Failure {
    Failure::Input(why.lines().map(str::to_owned).collect())
}

/// The names of the columns: those of a sweep's table in Python.
fn header(over: &[Over]) -> Vec<String> {
    let first = ["point".to_string()].into_iter().chain(over.iter().map(|one| one.place.clone()));
    let of_run = ["seed", "digest", "filled", "steadiness"].map(String::from);
    first.chain(of_run).chain(FIGURES.iter().map(|figure| figure.id().into())).collect()
}

/// A value as it stands in a table.
fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// All fields with their values; all that is wrong with them at once.
fn read_all(over: &[String]) -> Result<Vec<Over>, Failure> {
    let (mut read, mut wrong) = (Vec::new(), Vec::new());
    for text in over {
        match Over::read(text) {
            Err(why) => wrong.push(why),
            Ok(one) => match read.iter().find(|other: &&Over| place::overlap(&other.place, &one.place)) {
                Some(other) if other.place == one.place => wrong.push(format!("--over: {} is given twice", one.place)),
                Some(other) => wrong.push(format!(
                    "--over: {} and {} are given, and one would hide the other; give one of them",
                    other.place, one.place
                )),
                None => read.push(one),
            },
        }
    }
    if wrong.is_empty() { Ok(read) } else { Err(Failure::Input(wrong)) }
}

impl Over {
    /// Reads `FIELD=VALUES`.
    fn read(text: &str) -> Result<Over, String> {
        let wrong = |why: &str| format!("--over: {text:?} given; {why}");
        let (place, values) =
            text.split_once('=').ok_or_else(|| wrong("FIELD=VALUES is allowed, such as lcu.aliases=0,4,8"))?;
        let place = place.trim();
        if place.is_empty() {
            return Err(wrong("a field stands before the equals sign"));
        }
        let mut found = Vec::new();
        for item in values.split(',').map(str::trim) {
            match item.split_once("..") {
                None if item.is_empty() => return Err(wrong("a value is missing")),
                None => found.push(value(place, item)),
                Some((first, last)) => {
                    let number = |text: &str| text.trim().parse::<u64>().ok();
                    let range = number(first).zip(number(last)).filter(|(first, last)| first <= last);
                    let (first, last) = range
                        .ok_or_else(|| wrong("a range goes from a whole number to one that is no smaller, such as 0..8"))?;
                    if last - first >= RUNS_MAX {
                        return Err(wrong(&format!("a range has at most {RUNS_MAX} values")));
                    }
                    found.extend((first..=last).map(Value::from));
                }
            }
        }
        Ok(Over { place: place.into(), values: found })
    }
}

/// A value as it is given: a number, a switch, or a text, which may be a number with a unit. What a field takes as a word, such as the
/// level 6.4, is a text whatever it looks like.
fn value(place: &str, text: &str) -> Value {
    let takes_words = |field: &Field| matches!(field.kind, Kind::Choice { .. } | Kind::Text { .. } | Kind::Share { .. });
    if field(&bare(place)).is_some_and(takes_words) {
        return Value::from(text);
    }
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => text.parse::<Number>().map_or_else(|_| Value::from(text), Value::Number),
    }
}

/// Every combination as a scenario, the last field fastest. Fields that `tree` leaves out have what the other fields of a point give them.
fn points_of(base: &Scenario, tree: &Value, over: &[Over]) -> Result<Vec<Point>, Failure> {
    let mut combinations: Vec<Vec<Value>> = vec![Vec::new()];
    for one in over {
        let longer = |so_far: &Vec<Value>| -> Vec<Vec<Value>> {
            one.values.iter().map(|value| so_far.iter().chain([value]).cloned().collect()).collect()
        };
        combinations = combinations.iter().flat_map(longer).collect();
    }
    let (mut points, mut wrong) = (Vec::new(), BTreeSet::new());
    for values in combinations {
        match point(base, tree, over, values) {
            Ok(point) => points.push(point),
            // The same value is wrong at many points: each problem is told once.
            Err(lines) => wrong.extend(lines),
        }
    }
    if wrong.is_empty() {
        return Ok(points);
    }
    let more = wrong.len().saturating_sub(TOLD_MAX);
    let mut told: Vec<String> = wrong.into_iter().take(TOLD_MAX).collect();
    if more > 0 {
        told.push(format!("--over: {more} more problems"));
    }
    Err(Failure::Input(told))
}

fn point(base: &Scenario, tree: &Value, over: &[Over], values: Vec<Value>) -> Result<Point, Vec<String>> {
    let mut tree = tree.clone();
    for (one, value) in over.iter().zip(&values) {
        place::put(&mut tree, base, &one.place, value).map_err(|why| vec![format!("--over: {}: {why}", one.place)])?;
    }
    match Scenario::parse(&tree.to_string()) {
        Ok(scenario) => Ok(Point { values, scenario }),
        Err(error) => Err(error.to_string().lines().map(|line| format!("--over: {line}")).collect()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_and_values_are_read() {
        let values = |text: &str| Over::read(text).map(|over| over.values);
        assert_eq!(values("a=0,4, 8"), Ok(vec![json!(0), json!(4), json!(8)]));
        assert_eq!(values("a=1..3,8"), Ok(vec![json!(1), json!(2), json!(3), json!(8)]));
        assert_eq!(
            values("a=64 GB,true,0.5,ECKD SSD"),
            Ok(vec![json!("64 GB"), json!(true), json!(0.5), json!("ECKD SSD")])
        );
        for bad in ["a", "=1", "a=", "a=1,,2", "a=3..1", "a=x..3", "a=0..18446744073709551615"] {
            assert!(values(bad).unwrap_err().starts_with(&format!("--over: {bad:?} given; ")), "{bad}");
        }
    }

    #[test]
    fn what_a_field_takes_as_a_word_is_one() {
        let (base, nothing) = (Scenario::default(), json!({}));
        let points = |text: &str| points_of(&base, &nothing, &read_all(&[text.into()]).unwrap());
        let levels: Vec<_> = points("level=6.3,6.4").unwrap().iter().map(|point| point.scenario.level.as_str()).collect();
        assert_eq!(levels, ["6.3", "6.4"]);
        assert_eq!(points("guests.name=1,2").unwrap()[1].scenario.guests[0].name, "2");
        assert_eq!(points("lcu.alias_share=8:8,4:12").unwrap().len(), 2);
        match points("paging.volumes=1000..1099") {
            Err(Failure::Input(lines)) => {
                assert_eq!((lines.len(), &*lines[TOLD_MAX]), (TOLD_MAX + 1, "--over: 80 more problems"))
            }
            _ => panic!("1000 volumes were taken"),
        }
    }

    #[test]
    fn every_combination_is_a_point_and_what_is_wrong_is_told_once() {
        let over = |texts: &[&str]| read_all(&texts.iter().map(|text| text.to_string()).collect::<Vec<_>>());
        let (base, nothing) = (Scenario::default(), json!({}));
        let two = over(&["paging.volumes=1,2", "lcu.aliases=0,8"]).unwrap();
        let points = points_of(&base, &nothing, &two).unwrap();
        let told: Vec<_> = points.iter().map(|point| (point.scenario.paging.volumes, point.scenario.lcu.aliases)).collect();
        assert_eq!(told, [(1, 0), (1, 8), (2, 0), (2, 8)]);
        let wrong = over(&["paging.volumes=1000", "lcu.aliases=0,8"]).unwrap();
        match points_of(&base, &nothing, &wrong) {
            Err(Failure::Input(lines)) => assert_eq!(lines.len(), 1, "{lines:?}"),
            _ => panic!("1000 volumes were taken"),
        }
        assert!(matches!(over(&["a=1", "a=2"]), Err(Failure::Input(lines)) if lines[0].contains("twice")));
        let hidden = over(&["guests.count=1", "guests[0].count=2"]);
        assert!(matches!(hidden, Err(Failure::Input(lines)) if lines[0].contains("would hide the other")));
    }
}
