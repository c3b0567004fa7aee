//! The first screen as text, drawn when the site is built. It is in `index.html`, so that a reader sees it, with its
//! controls, before the program has loaded. The program then replaces it with the living page.

use yew::LocalServerRenderer;

use crate::app::{App, AppProps};
use crate::workers::Place;

/// The markers in `index.html` around the place of the first screen.
const LOADING: (&str, &str) = ("<!-- first screen -->", "<!-- /first screen -->");

/// The HTML of the page at its bare address, before there is any result.
///
/// # Errors
/// When there is no thread to draw on.
pub fn html() -> Result<String, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(|error| error.to_string())?;
    let page = LocalServerRenderer::<App>::with_props(AppProps { place: Place::Nowhere }).hydratable(false);
    Ok(tokio::task::LocalSet::new().block_on(&runtime, page.render()))
}

/// `index` with the first screen in it.
///
/// # Errors
/// When the file lacks a marker, or the screen cannot be drawn.
pub fn put_into(index: &str) -> Result<String, String> {
    let missing = || format!("index.html lacks {} or {}", LOADING.0, LOADING.1);
    let (head, rest) = index.split_once(LOADING.0).ok_or_else(missing)?;
    let (_, tail) = rest.split_once(LOADING.1).ok_or_else(missing)?;
    Ok(format!("{head}{}{tail}", html()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_screen_has_the_controls_and_no_trouble() {
        let index = put_into("<body><!-- first screen -->Loading<!-- /first screen --></body>").expect("it is drawn");
        for wanted in ["<body><div class=\"page\">", "id=\"knob-paging-zhpf\"", "id=\"result\"", "</div></body>"] {
            assert!(index.contains(wanted), "{wanted}: {index}");
        }
        assert!(!index.contains("Loading") && !index.contains("notice failure"), "{index}");
        assert!(put_into("<body></body>").is_err_and(|why| why.contains("first screen")));
    }
}
