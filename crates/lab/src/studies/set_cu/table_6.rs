//! Table 6 of the 6.4 paging page, line by line: the published figures and the model's.

use zvmlab::Figure;

use crate::published::{Kind, PublishedFigure, PublishedRun};
use crate::studies::studied::Studied;
use crate::studies::study::StudyRun;
use crate::studies::table::{Cell, Column, Row, Table};
use crate::words::number::{difference, fixed};

/// The figures of the table: name in the table, decimals as printed, and whether there is a column for the error in percent.
/// The validation judges aliases held by the difference in aliases, so they have no such column.
const FIGURES: [(Figure, &str, usize, bool); 4] = [
    (Figure::MdiskEtr, "MDISK ETR (tx/s)", 0, true),
    (Figure::Etr, "Paging ETR (tx/s)", 0, true),
    (Figure::MdiskAliases, "MDISK aliases, avg", 2, false),
    (Figure::PagingAliases, "Paging aliases, avg", 2, false),
];

/// One line: ratio, run, the cells of every figure, and how the run was used.
#[derive(Debug, PartialEq)]
struct Line {
    /// `8:8`.
    ratio: String,
    /// The published run.
    run: String,
    /// Published and model, figure by figure.
    cells: Vec<String>,
    /// Whether the figures were fitted, predicted or neither.
    used: &'static str,
}

/// The table; `None` if the published runs are of another host than the bench's.
pub fn table(studied: &Studied) -> Option<Table> {
    let lines = lines(studied);
    let column = |&(_, name, _, error): &(Figure, &'static str, usize, bool)| {
        let parts: &[&str] = if error { &["published", "model", "error"] } else { &["published", "model"] };
        Column { name, parts }
    };
    let first = ["MDISK:PAGING", "Run"].map(Column::new).into_iter();
    let row = |line: &Line| {
        let cells = std::iter::once(line.run.clone()).chain(line.cells.iter().cloned()).chain([line.used.into()]);
        Row { name: line.ratio.clone(), help: None, cells: cells.map(Cell::plain).collect() }
    };
    (!lines.is_empty()).then(|| Table {
        class: "table-6",
        name: "Table 6: published beside model",
        folded: true,
        columns: first.chain(FIGURES.iter().map(column)).chain([Column::new("Used")]).collect(),
        rows: lines.iter().map(row).collect(),
        help: Some(format!(
            "fitted: settings of the host that the source does not give were chosen with the run in view; predicted: none were. The model's figures are those of seed {}.",
            studied.study.batch.seed
        )),
    })
}

/// A line for each ratio; none if the study is of another bench.
fn lines(studied: &Studied) -> Vec<Line> {
    if !studied.is_of_bench {
        return Vec::new();
    }
    let line = |point: &StudyRun| {
        let run = studied.published.iter().find(|run| point.at.published.as_ref() == Some(&run.id))?;
        let of = |figure: Figure| run.figures.iter().find(|published| published.figure == figure);
        let cells = FIGURES.iter().flat_map(|&(figure, _, decimals, error)| {
            let (published, model) =
                (of(figure).map(|published| published.value), point.known().and_then(|known| known.get(figure)));
            let write = |value: Option<f64>| value.map_or("–".to_string(), |value| fixed(value, decimals));
            let apart = published.zip(model).and_then(|(published, model)| difference(published, model));
            let apart = apart.map_or("–".into(), |apart| apart.replace(' ', "\u{a0}"));
            [write(published), write(model)].into_iter().chain(error.then_some(apart))
        });
        let ratio = point.scenario.lcu.alias_share.to_string();
        Some(Line { ratio, run: run.id.clone(), cells: cells.collect(), used: used(run) })
    };
    studied.study.batch.runs.iter().filter_map(line).collect()
}

/// How the figures of a run were used.
fn used(run: &PublishedRun) -> &'static str {
    let any = |kind: Kind| run.figures.iter().any(|figure: &PublishedFigure| figure.kind == kind);
    match (any(Kind::Fitted), any(Kind::Predicted)) {
        (true, false) => "fitted",
        (true, true) => "partly fitted",
        (false, true) => "predicted",
        (false, false) => "not judged",
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::batch::RunState;
    use crate::published::runs;
    use crate::studies::set_cu::SET_CU;
    use crate::studies::study::Study;

    #[test]
    fn the_fifteen_runs_stand_beside_the_model() {
        let published = runs();
        let base = published.iter().find(|run| run.id == "QRBKW055").map(|run| run.scenario.clone()).expect("a run");
        let mut study = Study::begin(SET_CU, base.clone(), 1, None, &|_| None);
        let known = zvmlab::experiment::run(&crate::studies::study::tests::hybrid(), 1).expect("valid").measurement;
        let key = study.batch.runs[0].key.clone();
        study.put(&key, &RunState::Known(Rc::new(known.clone())));
        let studied = Studied { study: &study, bench: &base, is_of_bench: true, published: &published, scaled: false };
        let lines = super::lines(&studied);
        assert_eq!(lines.len(), 15);
        let first = &lines[0];
        assert_eq!((first.ratio.as_str(), first.run.as_str(), first.used), ("15:1", "QRBKW048", "predicted"));
        let model = fixed(known.get(Figure::MdiskEtr).expect("an ETR"), 0);
        assert_eq!((first.cells.len(), first.cells[0].as_str(), &first.cells[1]), (10, "35,904", &model));
        assert_eq!((first.cells[6].as_str(), lines[1].cells[7].as_str()), ("14.98", "–"));
        assert_eq!(lines.iter().filter(|line| line.used == "fitted").count(), 3);
        let moved = Studied { is_of_bench: false, ..studied };
        assert!(super::lines(&moved).is_empty(), "they are not of the bench");
    }
}
