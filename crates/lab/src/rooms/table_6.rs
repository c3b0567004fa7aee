//! Table 6 of the 6.4 paging page, line by line: the published figures and the model's.

use zvmlab::Figure;

use super::studied::Studied;
use crate::batch::study::StudyRun;
use crate::published::{Kind, PublishedFigure, PublishedRun};
use crate::words::number::{difference, fixed};

/// The figures of the table: name there, decimals as printed, and whether the error is in percent. Aliases held are judged by the
/// difference, so that is shown.
pub const FIGURES: [(Figure, &str, usize, bool); 4] = [
    (Figure::MdiskEtr, "MDISK ETR (tx/s)", 0, true),
    (Figure::Etr, "Paging ETR (tx/s)", 0, true),
    (Figure::MdiskAliases, "MDISK aliases, avg", 2, false),
    (Figure::PagingAliases, "Paging aliases, avg", 2, false),
];

/// One line: ratio, run, the cells of every figure, and how the run was used.
#[derive(Debug, PartialEq)]
pub struct Line {
    /// `8:8`.
    pub ratio: String,
    /// The published run.
    pub run: String,
    /// Published and model, figure by figure.
    pub cells: Vec<String>,
    /// Fitted, predicted or neither.
    pub used: &'static str,
}

/// A line for each ratio, if the study is of the host on the bench.
pub fn lines(studied: &Studied) -> Vec<Line> {
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
pub fn used(run: &PublishedRun) -> &'static str {
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
    use crate::batch::study::Study;
    use crate::published::runs;
    use crate::studies::StudyKind;

    #[test]
    fn the_fifteen_runs_stand_beside_the_model() {
        let published = runs();
        let base = published.iter().find(|run| run.id == "QRBKW055").map(|run| run.scenario.clone()).expect("a run");
        let mut study = Study::begin(StudyKind::SetCu, base.clone(), 1, None, &|_| None);
        let known = zvmlab::experiment::run(&crate::batch::study::tests::hybrid(), 1).expect("valid").measurement;
        let key = study.batch.runs[0].key.clone();
        study.put(&key, &RunState::Known(Rc::new(known.clone())));
        let studied = Studied { study: &study, bench: &base, is_of_bench: true, published: &published };
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
