//! `zvmlab runs`: the published runs, and the examples.

use zvmlab::scenario::examples::{EXAMPLES, Example};
use zvmlab_reference::{Reference, Run, sources};

use crate::output::{self, Failure};
use crate::published::heading;
use crate::table::{Align, render};

/// Lists the published runs, and then the examples, which nobody measured.
pub fn list() -> Result<(), Failure> {
    let header = [("Run", Align::Left), ("What", Align::Left), ("Where", Align::Left), ("Settings", Align::Left)];
    let of_source = |source: &Reference| {
        let row = |run: &Run| vec![run.id.clone(), run.title.clone(), run.tables.clone(), run.settings.clone()];
        let rows: Vec<Vec<String>> = source.runs.iter().map(row).collect();
        format!("{}\n\n{}", heading(source), render(&header, &rows))
    };
    let published = sources().iter().map(of_source).collect::<Vec<_>>().join("\n");
    let header = [("Example", Align::Left), ("What", Align::Left), ("Question", Align::Left)];
    let row = |example: &Example| vec![example.id.into(), example.title.into(), example.question.into()];
    let examples = render(&header, &EXAMPLES.iter().map(row).collect::<Vec<_>>());
    output::print(&format!(
        "{published}\nExamples: chosen by hand, no published run; no measurement stands behind them\n\n{examples}"
    ))
}
