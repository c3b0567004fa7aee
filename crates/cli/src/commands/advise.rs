//! `zvmlab advise`: the rules of best practice that a host breaks.

use std::fmt::Write;
use std::path::PathBuf;

use serde_json::Value;
use zvmlab::adviser::{self, Advice};
use zvmlab::experiment;
use zvmlab_lab::words::{in_a_line, settling};

use crate::input;
use crate::output::{self, Failure};

/// The arguments of `advise`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A TOML or JSON file, - for standard input, or the id of a published run or an example (see `zvmlab runs`)
    scenario: String,
    /// Seed of the run
    #[arg(long, default_value_t = 1, value_parser = input::whole::<0, { u64::MAX }>)]
    seed: u64,
    /// Write one object for each broken rule to this file as JSON; - writes it to standard output, instead of the rules in words
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs a scenario once and prints the rules that it breaks.
pub fn advise(arguments: &Arguments) -> Result<(), Failure> {
    let scenario = input::read(&arguments.scenario)?;
    let json = output::open(arguments.json.as_deref())?;
    let outcome = experiment::run(&scenario, arguments.seed)
        .map_err(|error| Failure::Input(error.to_string().lines().map(str::to_owned).collect()))?;
    let advice = adviser::advise(&scenario, Some(&outcome.measurement));

    let mut text = format!(
        "{}\nmodel {}, seed {}, digest {:016x}\n",
        in_a_line::in_a_line(&scenario),
        zvmlab::report::MODEL_VERSION,
        outcome.seed,
        outcome.digest
    );
    if let Some(said) = settling::said(&scenario, &outcome.measurement) {
        let _ = writeln!(text, "\n{}", said.words);
    }
    if advice.is_empty() {
        text += "\nNo rule is broken.\n";
    }
    for advice in &advice {
        let rule = advice.rule;
        let _ = writeln!(text, "\n{} ({})", rule.otherwise, rule.id);
        for (term, words) in [
            ("Rule", rule.title),
            ("Found", &advice.found[..]),
            ("Why", rule.why),
            ("Source", rule.source),
            ("Remedy", &advice.remedy[..]),
        ] {
            let _ = writeln!(text, "  {term}: {words}");
        }
    }
    let rules: Vec<Value> = advice.iter().map(Advice::to_json).collect();
    let rules = serde_json::to_string_pretty(&rules).expect("advice is made of texts and scenarios");
    output::put(&text, json.map(|json| (json, rules + "\n")))
}
