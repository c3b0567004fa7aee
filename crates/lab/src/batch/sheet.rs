//! A table of a study: its cells and its files. Knows no browser.

use serde_json::{Value, json};
use zvmlab::Scenario;
use zvmlab::report::csv_line;

use super::RunState;
use super::moved::Moved;
use super::relocating::changed;
use super::trials::Trials;
use crate::words::number::{decimals_for, fixed};

/// Whether a cell meets what was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing was asked.
    #[default]
    None,
    /// It meets what was asked.
    Held,
    /// It does not.
    Missed,
}

/// The content of a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// A number, in the unit of its column.
    pub number: Option<f64>,
    /// Words. They follow the number if there is one.
    pub words: String,
    /// Whether it meets what was asked.
    pub verdict: Verdict,
}

impl Cell {
    /// A number, or nothing.
    pub fn number(number: Option<f64>) -> Cell {
        Cell { number, ..Cell::default() }
    }

    /// Words.
    pub fn words(words: impl Into<String>) -> Cell {
        Cell { words: words.into(), ..Cell::default() }
    }

    /// The same, and whether it meets what was asked.
    pub fn judged(self, held: Option<bool>) -> Cell {
        let verdict = match held {
            None => Verdict::None,
            Some(true) => Verdict::Held,
            Some(false) => Verdict::Missed,
        };
        Cell { verdict, ..self }
    }

    /// The same, followed by words.
    pub fn with(self, words: impl Into<String>) -> Cell {
        Cell { words: words.into(), ..self }
    }

    fn in_file(&self) -> String {
        match (self.number, self.words.as_str()) {
            (Some(number), "") => number.to_string(),
            (Some(number), words) => format!("{number} {words}"),
            (None, words) => words.into(),
        }
    }
}

/// Rows of cells under headings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Its title.
    pub title: String,
    /// The headings, each with its unit.
    pub columns: Vec<String>,
    /// The rows: each with its name, its cells, and whether it is the row of the bench.
    pub rows: Vec<(String, bool, Vec<Cell>)>,
}

impl Sheet {
    /// The numbers of a column as text, all with the same decimals.
    pub fn written(&self, column: usize) -> impl Fn(f64) -> String + use<> {
        let numbers: Vec<f64> =
            self.rows.iter().filter_map(|(_, _, cells)| cells.get(column).and_then(|cell| cell.number)).collect();
        // Three digits of the largest number are enough to compare times.
        let decimals = decimals_for(&numbers).min(if numbers.iter().any(|number| number.abs() >= 10.0) { 1 } else { 2 });
        move |number| fixed(number, decimals)
    }

    /// The sheet as a CSV file (RFC 4180). Its title and origin are the last columns, as in the charts' files.
    pub fn csv(&self, origin: &str) -> String {
        let heading = std::iter::once("run".to_string()).chain(self.columns.iter().cloned());
        let mut out = csv_line(heading.chain(["study".into(), "origin".into()]));
        for (name, _, cells) in &self.rows {
            let cells = std::iter::once(name.clone()).chain(cells.iter().map(Cell::in_file));
            out += &csv_line(cells.chain([self.title.clone(), origin.into()]));
        }
        out
    }
}

/// All trials with all that is known of them, as a JSON file.
pub fn json(study: &str, trials: &Trials) -> String {
    let scenario = |scenario: &Scenario| serde_json::from_str::<Value>(&scenario.to_json()).unwrap_or_default();
    let result = |state: &RunState<Moved>| match state {
        RunState::Due => json!({ "due": true }),
        RunState::LeftOut(why) => json!({ "left_out": why }),
        RunState::Known(moved) => json!({ "result": **moved }),
    };
    let runs: Vec<Value> = trials
        .runs
        .iter()
        .map(|trial| json!({ "name": trial.at.name, "changed": changed(&trials.base, &trial.scenario), "scenario": scenario(&trial.scenario), "run": result(&trial.state) }))
        .collect();
    let whole = json!({
        "model": env!("CARGO_PKG_VERSION"),
        "study": study,
        "seed": trials.seed,
        "scenario": scenario(&trials.base),
        "runs": runs,
    });
    serde_json::to_string_pretty(&whole).unwrap_or_default()
}

/// The origin of the trials, in a line.
pub fn origin(trials: &Trials) -> String {
    let (version, base) = (env!("CARGO_PKG_VERSION"), named(&trials.base));
    format!("zvmlab {version}, runs around {base}; seed {}{}", trials.seed, trials.unfinished())
}

/// The name of a host.
pub fn named(scenario: &Scenario) -> &str {
    if scenario.name.is_empty() { "a scenario without a name" } else { &scenario.name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_hold_numbers_in_full_and_quote_what_must_be() {
        let sheet = Sheet {
            title: "One more chpid".into(),
            columns: vec!["Quiesce (s)".into(), "Ended".into()],
            rows: vec![
                ("2 chpids".into(), true, vec![Cell::default(), Cell::words("cancelled, \"05\"").judged(Some(false))]),
                ("3 chpids".into(), false, vec![Cell::number(Some(6.4321)).with("SERVER"), Cell::words("completed")]),
            ],
        };
        assert_eq!(
            sheet.csv("zvmlab"),
            "run,Quiesce (s),Ended,study,origin\r\n2 chpids,,\"cancelled, \"\"05\"\"\",One more chpid,zvmlab\r\n3 chpids,6.4321 SERVER,completed,One more chpid,zvmlab\r\n"
        );
        assert_eq!((sheet.written(0))(6.4321), "6.43");
        assert_eq!(Cell::words("").judged(Some(true)).verdict, Verdict::Held);
    }

    #[test]
    fn the_json_file_has_every_run_with_its_scenario() {
        let made = vec![super::super::trials::NewTrial { name: "A".into(), x: 0.0, scenario: Scenario::default() }];
        let trials = Trials::begin(Scenario::default(), 7, made, &|_| None);
        let read: Value = serde_json::from_str(&json("chpids", &trials)).expect("it is JSON");
        assert_eq!(
            (&read["seed"], &read["runs"][0]["name"], &read["runs"][0]["run"]["due"]),
            (&json!(7), &json!("A"), &json!(true))
        );
        assert!(read["runs"][0]["scenario"]["storage"].is_object());
        assert!(origin(&trials).ends_with("seed 7; 0 of 1 runs are in"), "{}", origin(&trials));
    }
}
