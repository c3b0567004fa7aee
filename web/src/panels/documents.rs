//! About the project, and the page's query parameters.

use yew::prelude::*;
use zvmlab_lab::address::query::PARAMETERS;
use zvmlab_lab::address::versions;
use zvmlab_lab::room::Anchor;

/// About the project.
#[component]
pub fn About() -> Html {
    html! {
        <details class="card" id={Anchor::About.id()}>
            <summary><h2>{ "About" }</h2></summary>
            <p>{ format!("zvmlab: an educational simulator of z/VM performance ({}). Everything runs in this page. It sends nothing anywhere.", versions()) }</p>
            <p>
                { "Licence: MIT or Apache-2.0, at your option. " }
                <a href="./static/licences.txt">{ "Licences of all that the page contains" }</a>
                { "." }
            </p>
            <p>
                { "The project is independent of IBM, and not endorsed by it. IBM, z/VM, z13, FICON, HyperPAV, zHPF, DS8000, DS8800 and PR/SM are \
                   trademarks of International Business Machines Corporation, registered in many jurisdictions. Published figures are cited from IBM’s \
                   public performance reports; each stands with its source." }
            </p>
            <h3>{ "Parameters of the address" }</h3>
            <div class="scroll" tabindex="0" role="group" aria-label="Parameters of the address">
                <table>
                    <thead><tr><th scope="col">{ "Name" }</th><th scope="col">{ "Default" }</th><th scope="col">{ "What for" }</th></tr></thead>
                    <tbody>
                        { for PARAMETERS.iter().map(|parameter| html! {
                            <tr><th scope="row"><code>{ parameter.name }</code></th><td>{ parameter.default }</td><td>{ parameter.help }</td></tr>
                        }) }
                    </tbody>
                </table>
            </div>
        </details>
    }
}
