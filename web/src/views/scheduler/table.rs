//! The guests as a table: what the lanes show, in numbers.

use web_sys::HtmlDetailsElement;
use yew::prelude::*;
use zvmlab_lab::rooms::scheduler::table::{COLUMNS, Cells};

/// The data of the table.
#[derive(Clone, PartialEq, Properties)]
pub struct GuestTableProps {
    /// Whether it is open.
    pub open: bool,
    /// The rows, while it is open.
    pub guests: Vec<Cells>,
    /// Told whether it is to be open.
    pub on_toggle: Callback<bool>,
}

/// The table behind a click. It exists only while it is open, because a live run changes it many times a second.
#[component]
pub fn GuestTable(props: &GuestTableProps) -> Html {
    let ontoggle = props
        .on_toggle
        .reform(|event: Event| event.target_dyn_into::<HtmlDetailsElement>().is_some_and(|details| details.open()));
    let row = |cells: &Cells| {
        let rest = cells.iter().skip(1).map(|cell| html! { <td>{ cell }</td> });
        html! { <tr><th scope="row">{ &cells[0] }</th>{ for rest }</tr> }
    };
    html! {
        <details class="guest-table" {ontoggle}>
            <summary>{ "The guests as a table" }</summary>
            if props.open {
                <div class="chart-table" role="region" tabindex="0" aria-label="The guests as a table">
                    <table>
                        <thead><tr>{ for COLUMNS.iter().map(|name| html! { <th scope="col">{ *name }</th> }) }</tr></thead>
                        <tbody>{ for props.guests.iter().map(row) }</tbody>
                    </table>
                </div>
            }
        </details>
    }
}
