//! Files that the reader can save: the report that the command line writes too.

use zvmlab::report::Report;

use crate::bench::Bench;
use crate::evidence::Settled;

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON, as `zvmlab run --json` writes it.
    Json,
    /// CSV, as `zvmlab run --csv` writes it.
    Csv,
    /// The scenario alone, as TOML for the command line.
    Scenario,
}

/// A file to save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub mime: &'static str,
    /// Its content.
    pub text: String,
}

/// The file of the settled result, with every replication that is known. If some are missing, content and name say so.
pub fn file(format: Format, settled: &Settled, bench: &Bench) -> File {
    let runs = bench.runs_to_report(settled);
    let report = Report::from_measurements(
        &settled.scenario,
        runs.iter().map(|(seed, digest, measurement)| (*seed, *digest, measurement)),
    );
    let report = report.of_asked(bench.replications);
    let unfinished = report.unfinished().filter(|_| format != Format::Scenario);
    let unfinished = unfinished.map(|(known, asked)| format!("-{known}-of-{asked}")).unwrap_or_default();
    let (ending, mime, text) = match format {
        Format::Json => ("json", "application/json", report.to_json()),
        Format::Csv => ("csv", "text/csv", report.to_csv()),
        Format::Scenario => ("toml", "application/toml", settled.scenario.to_toml()),
    };
    File { name: format!("{}{unfinished}.{ending}", file_name(&settled.scenario.name)), mime, text }
}

/// A name without characters that file systems do not allow.
fn file_name(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_alphanumeric() || "-._".contains(c) { c } else { '-' }).collect();
    format!("zvmlab-{}", plain.trim_matches(['-', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain() {
        assert_eq!(file_name("V4DVY000"), "zvmlab-V4DVY000");
        assert_eq!(file_name("../Own settings"), "zvmlab-Own-settings");
    }
}
