//! The published runs that are compared with the model, and the verdicts: the command line and Python write the same bytes.

use zvmlab::Measurement;
use zvmlab::scenario::examples::example;
use zvmlab_reference::comparison::Line;
use zvmlab_reference::{OrderRow, RatioRow, Row, Run, Verdict, compare, compare_order, compare_ratio, run, runs, sources};

use super::ready::run_meant;
use crate::words::settling;

/// The runs asked for by id, or all of them.
///
/// # Errors
/// A line for each id that is no published run.
pub fn chosen(ids: &[String]) -> Result<Vec<&'static Run>, Vec<String>> {
    if ids.is_empty() {
        return Ok(runs().collect());
    }
    let unknown: Vec<String> = ids
        .iter()
        .filter(|id| run(id).is_none())
        .map(|id| match example(id) {
            Some(_) => format!("{id}: an example, chosen by hand: nothing is published to compare it with"),
            None => format!("{id}: there is no published run of that name{}", run_meant(id)),
        })
        .collect();
    match unknown.is_empty() {
        true => Ok(runs().filter(|run| ids.contains(&run.id)).collect()),
        false => Err(unknown),
    }
}

/// Everything that is compared: the runs, and the verdicts on what was published of them.
pub struct Compared {
    /// The runs.
    pub runs: Vec<&'static Run>,
    /// What the figures of each run are good for, where its host was not steady after its warm-up.
    pub said: Vec<Option<settling::Said>>,
    /// Each figure of each run.
    pub rows: Vec<Row>,
    /// Each change from run to run of which both runs are there.
    pub ratios: Vec<RatioRow>,
    /// Each order of runs of which both runs are there.
    pub orders: Vec<OrderRow>,
}

impl Compared {
    /// Compares `runs` with their measurements, run by run, `seed_count` of each, at least one.
    pub fn new(runs: Vec<&'static Run>, measurements: &[&Measurement], seed_count: usize) -> Compared {
        let measured: Vec<(&Run, Vec<&Measurement>)> = runs
            .iter()
            .zip(measurements.chunks(seed_count.max(1)))
            .map(|(run, measurements)| (*run, measurements.to_vec()))
            .collect();
        let of = |id: &str| measured.iter().find(|(run, _)| run.id == id).map(|(_, measurements)| measurements);
        let all = sources().iter().flat_map(|source| &source.ratios);
        // A change from run to run needs both runs.
        let ratios = all.filter_map(|ratio| Some(compare_ratio(ratio, of(&ratio.from)?, of(&ratio.to)?))).collect();
        let all = sources().iter().flat_map(|source| &source.orders);
        let orders = all.filter_map(|order| Some(compare_order(order, of(&order.less)?, of(&order.more)?))).collect();
        let rows = measured.iter().flat_map(|(run, measurements)| compare(run, measurements)).collect();
        let said = measured
            .iter()
            .map(|(run, measurements)| settling::of_runs(&run.scenario, measurements.iter().copied()))
            .collect();
        Compared { runs, said, rows, ratios, orders }
    }

    /// How many verdicts fail, if any do.
    pub fn failures(&self) -> Option<String> {
        let failed = |verdicts: Vec<Verdict>, what: &str| {
            let failed = verdicts.iter().filter(|verdict| verdict.fails()).count();
            (failed > 0).then(|| format!("{failed} of {} {what}", verdicts.len()))
        };
        let parts: Vec<String> = [
            failed(self.rows.iter().map(|row| row.verdict).collect(), "figures"),
            failed(self.ratios.iter().map(|row| row.verdict).collect(), "changes from run to run"),
            failed(self.orders.iter().map(|row| row.verdict).collect(), "orders of runs"),
        ]
        .into_iter()
        .flatten()
        .collect();
        (!parts.is_empty()).then(|| parts.join(" and ") + " fail")
    }

    /// What `zvmlab validate --json` writes: an object for each figure, then for each change and order, with a line end behind it.
    ///
    /// # Errors
    /// Rows are texts and finite numbers, so there are none but a bug's.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let changes = self.ratios.iter().map(Line::Change).chain(self.orders.iter().map(Line::Order));
        let lines: Vec<Line> = self.rows.iter().map(Line::Figure).chain(changes).collect();
        Ok(serde_json::to_string_pretty(&lines)? + "\n")
    }
}
