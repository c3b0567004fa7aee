//! Documents: how the model works, about the project, and the page's query parameters.

use yew::prelude::*;

use zvmlab_lab::address::MODEL;
use zvmlab_lab::address::query::PARAMETERS;

/// The description of the model: MODEL.md as HTML, made by `build.rs`.
const DESCRIPTION: &str = include_str!(concat!(env!("OUT_DIR"), "/model.html"));

/// How the model works.
#[component]
pub fn ModelDescription() -> Html {
    // Many readers never open it, so it is made only when it is opened.
    let opened = use_state(|| false);
    let open = {
        let opened = opened.clone();
        Callback::from(move |_: yew::Event| opened.set(true))
    };
    html! {
        <details class="card document" id="model" ontoggle={open}>
            <summary><h2>{ "The model: rules, constants, limits" }</h2></summary>
            if *opened { { Html::from_html_unchecked(AttrValue::Static(DESCRIPTION)) } }
        </details>
    }
}

/// About the project.
#[component]
pub fn About() -> Html {
    html! {
        <details class="card" id="about">
            <summary><h2>{ "About" }</h2></summary>
            <p>{ format!("zvmlab {MODEL}: an educational simulator of z/VM performance. Everything runs in this page; nothing is sent anywhere.") }</p>
            <p>{ "Licence: MIT or Apache-2.0, at your option." }</p>
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_has_headings_and_tables_and_no_dead_links() {
        assert!(DESCRIPTION.starts_with("<h3>") && !DESCRIPTION.contains("<h1>") && !DESCRIPTION.contains("<h2>"));
        assert!(DESCRIPTION.contains("<h4>") && DESCRIPTION.contains("<table>"));
        assert_eq!(DESCRIPTION.matches("<a href").count(), DESCRIPTION.matches("<a href=\"https://").count());
    }
}
