//! What a chart's drawing depends on besides its numbers: its room, the pixel ratio and the colours.

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{
    Element, HtmlElement, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit, MutationObserver,
    MutationObserverInit, ResizeObserver,
};
use yew::prelude::*;

use crate::page::window;
use zvmlab_lab::chart::layout::shared_height;

use crate::chart::browser::pixel_ratio;

/// The surroundings of a chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// Room for the chart, in whole CSS pixels; 0 until it is known.
    pub width: f64,
    /// Its height in whole CSS pixels, where the style sheet fixes it: `--fixed`, and `max-height` where less will do.
    pub height: Option<f64>,
    /// Height of a chart that shares a pane with others, where the style sheet says what is around it: `--chart-around`.
    pub shared: Option<f64>,
    /// Device pixels for each CSS pixel.
    pub ratio: f64,
    /// Counts the changes of the colour scheme.
    pub schemes: u32,
    /// Whether the chart is on the screen, or nearly so.
    pub near: bool,
}

/// Watches the room of `stage` and its place, the pixel ratio and the colour scheme.
#[hook]
pub fn use_surroundings(stage: &NodeRef) -> Surroundings {
    let near = use_nearness(stage);
    let Room { width, height, shared } = use_room(stage);
    let ratio = use_ratio();
    let schemes = use_schemes();
    Surroundings { width, height, shared, ratio, schemes, near }
}

/// Whether `stage` is on the screen, or nearly so; false until the browser has told.
#[hook]
fn use_nearness(stage: &NodeRef) -> bool {
    let near = use_state_eq(|| false);
    let setter = near.setter();
    use_effect_with(stage.clone(), move |stage| {
        let unwatched = setter.clone();
        let watched = stage.cast::<HtmlElement>().and_then(|stage| {
            let seen = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
                // The last entry is the newest.
                if let Ok(entry) = entries.get(entries.length().saturating_sub(1)).dyn_into::<IntersectionObserverEntry>() {
                    setter.set(entry.is_intersecting());
                }
            });
            let options = IntersectionObserverInit::new();
            options.set_root_margin("300px");
            let observer = IntersectionObserver::new_with_options(seen.as_ref().unchecked_ref(), &options).ok()?;
            observer.observe(&stage);
            Some((observer, seen))
        });
        if watched.is_none() {
            // Nobody will tell: it is painted wherever it is.
            unwatched.set(true);
        }
        move || {
            if let Some((observer, _seen)) = watched {
                observer.disconnect();
            }
        }
    });
    *near
}

/// The room of a stage, in CSS pixels.
#[derive(Clone, Copy, Default, PartialEq)]
struct Room {
    width: f64,
    height: Option<f64>,
    shared: Option<f64>,
}

impl Room {
    fn of(stage: &HtmlElement) -> Room {
        let style = window().and_then(|window| window.get_computed_style(stage).ok()).flatten();
        let given =
            |name: &str| style.as_ref()?.get_property_value(name).ok()?.trim().trim_end_matches("px").parse::<f64>().ok();
        let shared = given("--chart-around").zip(pane(stage)).map(|(around, pane)| {
            // The tabs of the rooms stay over the charts.
            let tabs = pane.query_selector(".rooms-nav").ok().flatten().map_or(0, |tabs| tabs.client_height());
            let rows = given("--chart-rows").unwrap_or(f64::INFINITY);
            shared_height(f64::from(pane.client_height() - tabs), around, rows)
        });
        Room {
            width: f64::from(stage.client_width()),
            height: given("--fixed").map(|_| given("max-height").unwrap_or(f64::from(stage.client_height()))),
            shared,
        }
    }
}

/// The pane that scrolls the charts of a room.
fn pane(stage: &HtmlElement) -> Option<Element> {
    stage.closest(".rooms").ok().flatten()
}

/// Watches the room of `stage`.
#[hook]
fn use_room(stage: &NodeRef) -> Room {
    let room = use_state_eq(Room::default);
    let setter = room.setter();
    use_effect_with(stage.clone(), move |stage| {
        let watched = stage.cast::<HtmlElement>().and_then(|stage| {
            let element = stage.clone();
            // It reports the first room, too. Here the page is laid out, and every chart reads its room before one changes the
            // page; each would lay it out anew otherwise. The chart follows later: the page would be in error if it changed
            // its height while the observer reports changes.
            let resized = Closure::<dyn FnMut()>::new(move || {
                let (room, setter) = (Room::of(&element), setter.clone());
                Timeout::new(0, move || setter.set(room)).forget();
            });
            let observer = ResizeObserver::new(resized.as_ref().unchecked_ref()).ok()?;
            observer.observe(&stage);
            if let Some(pane) = pane(&stage) {
                observer.observe(&pane);
            }
            Some((observer, resized))
        });
        move || {
            if let Some((observer, _resized)) = watched {
                observer.disconnect();
            }
        }
    });
    *room
}

/// Device pixels for each CSS pixel.
#[hook]
fn use_ratio() -> f64 {
    let ratio = use_state_eq(pixel_ratio);
    let setter = ratio.setter();
    // The query names the present ratio, so it changes once. Then the next ratio is watched.
    use_effect_with(*ratio, move |ratio| {
        let listener = on_media(&format!("(resolution: {ratio}dppx)"), move || setter.set(pixel_ratio()));
        move || drop(listener)
    });
    *ratio
}

/// Counts the changes of the colour scheme.
#[hook]
fn use_schemes() -> u32 {
    let schemes = use_state_eq(|| 0_u32);
    let (first, second) = (schemes.setter(), schemes.setter());
    use_effect_with(*schemes, move |count| {
        let next = count.wrapping_add(1);
        let listener = on_media("(prefers-color-scheme: dark)", move || first.set(next));
        let observer = on_root_change(move || second.set(next));
        move || {
            drop(listener);
            if let Some((observer, _changed)) = observer {
                observer.disconnect();
            }
        }
    });
    *schemes
}

/// Tells when the page is about to be printed. This is the last moment for painting that appears on paper.
pub fn before_print(print: impl Fn() + Clone + 'static) -> Vec<EventListener> {
    let asked = window().map(|window| {
        let print = print.clone();
        EventListener::new(&window, "beforeprint", move |_| print())
    });
    // Some ways to print do not send the event.
    asked.into_iter().chain(on_media("print", print)).collect()
}

fn on_media(query: &str, mut changed: impl FnMut() + 'static) -> Option<EventListener> {
    let list = window()?.match_media(query).ok()??;
    Some(EventListener::new(&list, "change", move |_| changed()))
}

/// A page that lets its reader choose the colours says so by an attribute of its root element.
fn on_root_change(changed: impl FnMut() + 'static) -> Option<(MutationObserver, Closure<dyn FnMut()>)> {
    let root = window()?.document()?.document_element()?;
    let changed = Closure::<dyn FnMut()>::new(changed);
    let observer = MutationObserver::new(changed.as_ref().unchecked_ref()).ok()?;
    let options = MutationObserverInit::new();
    options.set_attributes(true);
    observer.observe_with_options(&root, &options).ok()?;
    Some((observer, changed))
}
