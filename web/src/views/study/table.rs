//! The table of a study on the page.

use yew::prelude::*;
use zvmlab_lab::studies::table::{Cell, Column, Row, Table};

/// A table; a folded one opens by a click.
pub fn table(table: &Table) -> Html {
    let class = table.class;
    let inside = html! {
        <div class={classes!("chart-table", (!table.folded).then_some(class))} role="region" tabindex="0" aria-label={table.name}>
            <table>
                <thead>{ head(&table.columns) }</thead>
                <tbody>{ for table.rows.iter().map(row) }</tbody>
            </table>
        </div>
    };
    let help = table.help.as_ref().map(|help| html! { <p class="help">{ help }</p> });
    if !table.folded {
        return html! { <>{ inside }{ help }</> };
    }
    html! { <details {class}><summary>{ table.name }</summary>{ inside }{ help }</details> }
}

/// The headings, in two lines if some have parts.
fn head(columns: &[Column]) -> Html {
    let deep = columns.iter().any(|column| !column.parts.is_empty());
    let heading = |column: &Column| match column.parts.len() {
        0 => html! { <th scope="col" rowspan={deep.then_some("2")}>{ column.name }</th> },
        parts => html! { <th scope="colgroup" colspan={parts.to_string()}>{ column.name }</th> },
    };
    let part = |name: &&'static str| html! { <th scope="col">{ *name }</th> };
    html! {
        <>
            <tr>{ for columns.iter().map(heading) }</tr>
            if deep { <tr>{ for columns.iter().flat_map(|column| column.parts).map(part) }</tr> }
        </>
    }
}

fn row(row: &Row) -> Html {
    html! {
        <tr>
            <th scope="row" title={row.help}>{ &row.name }</th>
            { for row.cells.iter().map(cell) }
        </tr>
    }
}

fn cell(cell: &Cell) -> Html {
    let Some(verdict) = cell.verdict else { return html! { <td>{ &cell.text }</td> } };
    html! { <td class={classes!("verdict", verdict)}>{ &cell.text }<b>{ verdict }</b>{ cell.behind.clone() }</td> }
}
