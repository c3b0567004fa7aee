//! Table 6 of the 6.4 paging page, line by line: the published figures and the model's.

use yew::prelude::*;
use zvmlab::Figure;
use zvmlab_lab::rooms::studied::Studied;
use zvmlab_lab::rooms::table_6::{FIGURES, Line, lines};

/// The table behind a click, if the published runs are of the host on the bench.
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
                { "fitted: settings of the host that the source does not give were chosen with the run in view; predicted: none were. " }
                { format!("The model's figures are those of seed {}.", studied.study.batch.seed) }
            </p>
        </details>
    }
}
