//! What the page asks of the browser: its address, the clock, the clipboard, downloads. Nothing here stops the page: if the browser
//! lacks something, the page goes on without it.

use gloo_timers::callback::Timeout;
use js_sys::{Array, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, Document, Element, FocusOptions, HtmlAnchorElement, HtmlDetailsElement, HtmlElement, Response,
    Url, Window,
};

/// From this part of the window's height on, an element is low. Chosen: a meaning of eight lines has space above that.
const LOW_FROM: f64 = 0.65;
/// The least space between what is put into the window and its edge, in CSS pixels. Chosen.
const EDGE: f64 = 8.0;

/// The window, which a page always has; only the first screen, drawn when the site is built, has none.
pub fn window() -> Option<Window> {
    if cfg!(target_arch = "wasm32") { web_sys::window() } else { None }
}

/// The document.
pub fn document() -> Option<Document> {
    window()?.document()
}

/// Wall time in milliseconds; only differences mean anything.
pub fn now_ms() -> f64 {
    let Some(window) = window() else { return 0.0 };
    window.performance().map_or_else(js_sys::Date::now, |performance| performance.now())
}

/// The fragment of the address, with its `#`.
pub fn fragment() -> String {
    window().and_then(|window| window.location().hash().ok()).unwrap_or_default()
}

/// The query of the address, with its `?`.
pub fn search() -> String {
    window().and_then(|window| window.location().search().ok()).unwrap_or_default()
}

/// The address of the page with `fragment`, and without its query.
pub fn link(fragment: &str) -> String {
    let location = window().map(|window| window.location());
    let part = |part: Option<Result<String, JsValue>>| part.and_then(Result::ok).unwrap_or_default();
    let origin = part(location.as_ref().map(|location| location.origin()));
    let path = part(location.as_ref().map(|location| location.pathname()));
    format!("{origin}{path}{fragment}")
}

/// Puts `fragment` into the address, without a step in the browser's history.
pub fn replace_fragment(fragment: &str) {
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        // A page without an origin of its own (srcdoc) may not do this. The address then stays as it is.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(fragment));
    }
}

/// Puts `fragment` into the address as a step of the browser's history, so that the reader can go back from it.
pub fn push_fragment(fragment: &str) {
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(fragment));
    }
}

/// The first script keeps under this name the promise of the functions that a first visit does without.
const REST: &str = "zvmlabWhole";

/// Resolves once someone has moved, pressed or turned something, and the functions have come that a first visit does without. Nothing
/// if they are here.
pub fn reader() -> Option<JsFuture> {
    let promise = js_sys::Reflect::get(window()?.as_ref(), &JsValue::from_str(REST)).ok()?;
    promise.dyn_into::<Promise>().ok().map(JsFuture::from)
}

/// Says on the body that the page has something to show.
pub fn set_ready() {
    if let Some(body) = document().and_then(|document| document.body()) {
        let _ = body.set_attribute("data-ready", "true");
    }
}

/// Puts `text` on the clipboard; `None` if this page has no clipboard.
pub fn copy(text: &str) -> Option<Promise> {
    let navigator = window()?.navigator();
    // Outside secure contexts the property is missing, although its type says otherwise.
    let clipboard = js_sys::Reflect::get(navigator.as_ref(), &JsValue::from_str("clipboard")).ok();
    clipboard.filter(|clipboard: &JsValue| !clipboard.is_undefined())?;
    Some(navigator.clipboard().write_text(text))
}

/// Lets the reader save `text` as a file called `name`.
pub fn download(name: &str, mime: &str, text: &str) -> Option<()> {
    let options = BlobPropertyBag::new();
    options.set_type(mime);
    let parts = Array::of1(&JsValue::from_str(text));
    let blob = Blob::new_with_str_sequence_and_options(parts.as_ref(), &options).ok()?;
    let url = Url::create_object_url_with_blob(&blob).ok()?;
    let anchor: HtmlAnchorElement = document()?.create_element("a").ok()?.dyn_into().ok()?;
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.click();
    // Only later: the browser may not yet have begun to read it.
    Timeout::new(10_000, move || {
        let _ = Url::revoke_object_url(&url);
    })
    .forget();
    Some(())
}

/// Brings an element into view and gives the focus to it or to its summary. Opens it if it is closed.
pub fn go_to(id: &str) {
    show(id, true);
}

/// The same in this page alone: an embedded page neither scrolls its parent nor takes the focus from it.
pub fn scroll_to(id: &str) {
    show(id, false);
}

/// The id of the part between header and footer, which takes the focus where what had it goes.
pub const BENCH: &str = "bench";

/// Gives the focus to an element, after the page has been drawn again.
pub fn focus(id: &str) {
    let id = id.to_string();
    Timeout::new(0, move || {
        let element = document().and_then(|document| document.get_element_by_id(&id));
        if let Some(element) = element.as_ref().and_then(|element| element.dyn_ref::<HtmlElement>()) {
            let _ = element.focus();
        }
    })
    .forget();
}

/// Whether a part that opens is open, and whether the focus is in it.
pub fn how_left(id: &str) -> (bool, bool) {
    let part = document().and_then(|document| document.get_element_by_id(id));
    let focused = document().and_then(|document| document.active_element());
    let open = part.as_ref().and_then(|part| part.dyn_ref::<HtmlDetailsElement>()).is_some_and(HtmlDetailsElement::open);
    (open, part.is_some_and(|part| part.contains(focused.as_deref())))
}

/// Opens a part and gives the focus to its summary, each if wanted.
pub fn leave(id: &str, open: bool, focused: bool) {
    let Some(part) = document().and_then(|document| document.get_element_by_id(id)) else { return };
    if let Some(details) = part.dyn_ref::<HtmlDetailsElement>().filter(|_| open) {
        details.set_open(true);
    }
    let summary = part.query_selector("summary").ok().flatten().filter(|_| focused);
    if let Some(summary) = summary.as_ref().and_then(|summary| summary.dyn_ref::<HtmlElement>()) {
        let _ = focus_in_place(summary);
    }
}

/// Whether no element has the focus.
pub fn focus_is_lost() -> bool {
    let active = document().and_then(|document| document.active_element());
    active.is_none_or(|active| active.tag_name() == "BODY")
}

/// The id of the element that has the focus; none if that has no id.
pub fn focused() -> Option<String> {
    let active = document().and_then(|document| document.active_element());
    active.map(|active| active.id()).filter(|id| !id.is_empty())
}

/// Gives the focus to an element after the page has been drawn again, if no other has it then.
pub fn focus_again(id: String) {
    Timeout::new(0, move || {
        if focus_is_lost() {
            focus_at(&id);
        }
    })
    .forget();
}

/// Gives the focus to an element where it is; false if there is no such element.
pub fn focus_at(id: &str) -> bool {
    let element = document().and_then(|document| document.get_element_by_id(id));
    element
        .as_ref()
        .and_then(|element| element.dyn_ref::<HtmlElement>())
        .is_some_and(|element| focus_in_place(element).is_ok())
}

/// Scrolls the row of an element sideways so that the element is in its middle. Nothing else of the page moves.
pub fn bring_along(id: String) {
    Timeout::new(0, move || {
        let element = document().and_then(|document| document.get_element_by_id(&id));
        let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) else { return };
        if let Some(row) = element.parent_element() {
            row.set_scroll_left(element.offset_left() + (element.offset_width() - row.client_width()) / 2);
        }
    })
    .forget();
}

/// How often, and every how many ms, an element is given the focus until some element has it. Chosen: a second.
const INSISTS: u32 = 10;
const INSIST_MS: u32 = 100;

/// Gives the focus to an element, and again while no element has it: on a busy machine the element may not be in sight yet, and then
/// the browser ignores the call.
fn insist(target: HtmlElement, times: u32) {
    let _ = focus_in_place(&target);
    if times > 0 {
        Timeout::new(INSIST_MS, move || {
            if focus_is_lost() {
                insist(target, times - 1);
            }
        })
        .forget();
    }
}

fn show(id: &str, focus: bool) {
    let Some(element) = document().and_then(|document| document.get_element_by_id(id)) else { return };
    if let Some(details) = element.dyn_ref::<HtmlDetailsElement>() {
        details.set_open(true);
    }
    // Only when the opened part is in place. Before that the page may be too short to scroll so far.
    Timeout::new(50, move || {
        let target = element.query_selector(":scope > summary").ok().flatten().unwrap_or_else(|| element.clone());
        if let Some(pane) = pane_of(&element) {
            if let Some(target) = target.dyn_ref::<HtmlElement>().filter(|_| focus) {
                insist(target.clone(), INSISTS);
            }
            return show_in(&pane, &element);
        }
        if let Some(target) = target.dyn_ref::<HtmlElement>().filter(|_| focus) {
            // Before scrolling to the top: browsers bring an element with the focus to the middle.
            let _ = target.focus();
        }
        match window().filter(|_| !focus) {
            Some(window) => window.scroll_by_with_x_and_y(0.0, element.get_bounding_client_rect().top() - 8.0),
            None => element.scroll_into_view(),
        }
    })
    .forget();
}

/// The pane that holds an element, where the page has all panes on one screen.
fn pane_of(element: &Element) -> Option<Element> {
    let one_screen = is(ONE_SCREEN) && element.closest(".embedded").ok()?.is_none();
    if one_screen { element.closest(".bench > :is(.rooms, .outcome, .knobs)").ok()? } else { None }
}

/// Scrolls a pane to an element, and the page to its panes.
fn show_in(pane: &Element, element: &Element) {
    let tabs = pane.query_selector(".rooms-nav").ok().flatten().map_or(0, |tabs| tabs.client_height());
    let below = element.get_bounding_client_rect().top() - pane.get_bounding_client_rect().top();
    pane.set_scroll_top(pane.scroll_top() + below as i32 - tabs - 8);
    if let Some(window) = window() {
        window.scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// Gives the focus to an element, and scrolls nothing.
pub fn focus_in_place(element: &HtmlElement) -> Result<(), JsValue> {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    element.focus_with_options(&options)
}

/// The text of a file beside the page.
///
/// # Errors
/// Why the file is not available, in a sentence.
pub async fn fetch_text(url: &str) -> Result<String, String> {
    let failed = |_| "the connection has failed.".to_string();
    let promise = window().ok_or("there is no window.")?.fetch_with_str(url);
    let response: Response = JsFuture::from(promise).await.map_err(failed)?.dyn_into().map_err(failed)?;
    if !response.ok() {
        return Err(format!("the server answers {} for {url}.", response.status()));
    }
    let text = JsFuture::from(response.text().map_err(failed)?).await.map_err(failed)?;
    text.as_string().ok_or_else(|| format!("{url} is not a text."))
}

/// The width below which the page has the form of a phone's, as in `static/phone.css`.
const PHONE: &str = "(max-width: 43.99rem)";

/// The size from which on all panes are on one screen, as in `static/machine.css`.
const ONE_SCREEN: &str = "(min-width: 76rem) and (min-height: 38rem)";

/// One screen that is so low that its texts need their height for what limits.
const LOW: &str = "(min-width: 76rem) and (min-height: 38rem) and (max-height: 50rem)";

/// Puts a text of at most so many CSS pixels beneath an element, inside the window; above it where the element is low.
pub fn put_beneath(element: &Element, text: &HtmlElement, widest: f64) {
    let size = |size: Result<JsValue, JsValue>| size.ok().and_then(|size| size.as_f64());
    let Some((wide, high)) = window().and_then(|window| size(window.inner_width()).zip(size(window.inner_height()))) else {
        return;
    };
    let at = element.get_bounding_client_rect();
    let is_low = at.bottom() > LOW_FROM * high;
    let (top, bottom) = if is_low { ("auto".into(), px(high - at.top())) } else { (px(at.bottom()), "auto".into()) };
    for (side, place) in [("left", px(at.left().min(wide - widest).max(EDGE))), ("top", top), ("bottom", bottom)] {
        let _ = text.style().set_property(side, &place);
    }
}

fn px(length: f64) -> String {
    format!("{length:.0}px")
}

/// Whether the browser's window is as a media query asks.
fn is(query: &str) -> bool {
    window().and_then(|window| window.match_media(query).ok()).flatten().is_some_and(|query| query.matches())
}

/// Whether the page has the form of a phone's now.
pub fn is_phone() -> bool {
    is(PHONE)
}

/// Whether all panes are on one low screen.
pub fn is_low() -> bool {
    is(LOW)
}

/// Whether the reader points with a mouse, and so has keys.
pub fn has_pointer() -> bool {
    is("(hover: hover) and (pointer: fine)")
}

/// Whether the reader asked for less motion.
pub fn prefers_less_motion() -> bool {
    is("(prefers-reduced-motion: reduce)")
}

/// A value that the browser remembers for the reader; `None` if it does not.
pub fn remembered(name: &str) -> Option<String> {
    window()?.local_storage().ok()??.get_item(name).ok()?
}

/// Lets the browser remember a value for the reader. Returns whether it does: it may have no room, or keep nothing.
pub fn remember(name: &str, value: &str) -> bool {
    let storage = window().and_then(|window| window.local_storage().ok()).flatten();
    storage.is_some_and(|storage| storage.set_item(name, value).is_ok())
}
