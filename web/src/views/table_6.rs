//! Table 6 of the 6.4 paging page, line by line: what was published beside what the model says.

use yew::prelude::*;
use zvmlab::Figure;

use super::studied::Studied;
use crate::chart::number::fixed;
use crate::format::difference;
use crate::published::{Kind, PublishedFigure, PublishedRun};

/// The figures of the table: what it is called there, decimals as printed, and whether the error is told in percent. What is
/// held is judged by how far it is apart: that shows.
const FIGURES: [(Figure, &str, usize, bool); 4] = [
    (Figure::MdiskEtr, "MDISK ETR (tx/s)", 0, true),
    (Figure::Etr, "Paging ETR (tx/s)", 0, true),
    (Figure::MdiskAliases, "MDISK aliases, avg", 2, false),
    (Figure::PagingAliases, "Paging aliases, avg", 2, false),
];

/// One line: ratio, run, the cells of every figure, and how the run was used.
#[derive(Debug, PartialEq)]
struct Line {
    ratio: String,
    run: String,
    cells: Vec<String>,
    used: &'static str,
}

/// The table behind a click, where the published runs are of the host on the bench.
pub fn table(studied: &Studied) -> Html {
    let lines = lines(studied);
    if lines.is_empty() {
        return Html::default();
    }
    let group = |(_, name, _, error): &(Figure, &'static str, usize, bool)| {
        html! { <th scope="colgroup" colspan={if *error { "3" } else { "2" }}>{ *name }</th> }
    };
    let columns = |(_, _, _, error): &(Figure, &'static str, usize, bool)| {
        let names: &[&str] = if *error { &["published", "model", "error"] } else { &["published", "model"] };
        names.iter().map(|name| html! { <th scope="col">{ *name }</th> }).collect::<Html>()
    };
    let line = |line: &Line| {
        html! {
            <tr>
                <th scope="row">{ &line.ratio }</th>
                <td>{ &line.run }</td>
                { for line.cells.iter().map(|cell| html! { <td>{ cell }</td> }) }
                <td>{ line.used }</td>
            </tr>
        }
    };
    html! {
        <details class="table-6">
            <summary>{ "Table 6: published beside model" }</summary>
            <div class="chart-table" role="region" tabindex="0" aria-label="Table 6: published beside model">
                <table>
                    <thead>
                        <tr>
                            <th scope="col" rowspan="2">{ "MDISK:PAGING" }</th>
                            <th scope="col" rowspan="2">{ "Run" }</th>
                            { for FIGURES.iter().map(group) }
                            <th scope="col" rowspan="2">{ "Used" }</th>
                        </tr>
                        <tr>{ for FIGURES.iter().map(columns) }</tr>
                    </thead>
                    <tbody>{ for lines.iter().map(line) }</tbody>
                </table>
            </div>
            <p class="help">
                { "fitted: what the source does not say of the host was chosen with the run in view; predicted: nothing was. " }
                { format!("The model's figures are those of seed {}.", studied.study.seed) }
            </p>
        </details>
    }
}

fn lines(studied: &Studied) -> Vec<Line> {
    if !studied.is_of_bench {
        return Vec::new();
    }
    let line = |point: &crate::sweep::study::Point| {
        let run = studied.published.iter().find(|run| point.run.as_ref() == Some(&run.id))?;
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
    studied.study.points.iter().filter_map(line).collect()
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
    use super::*;
    use crate::published::runs;
    use crate::sweep::State;
    use crate::sweep::study::{Study, Subject};

    #[test]
    fn the_fifteen_runs_stand_beside_the_model() {
        let published = runs();
        let base = published.iter().find(|run| run.id == "QRBKW055").map(|run| run.scenario.clone()).expect("a run");
        let mut study = Study::begin(Subject::SetCu, base.clone(), 1, None, &|_| None);
        let known = zvmlab::experiment::run(&crate::sweep::study::tests::hybrid(), 1).expect("valid").measurement;
        let key = study.points[0].key.clone();
        study.put(&key, &State::Known(Box::new(known.clone())));
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
