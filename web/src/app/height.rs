//! The height of the page, for a page around it that gives the frame as much.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::ResizeObserver;
use yew::Callback;

use crate::page;

/// Watches the height of the page until it is dropped.
pub struct Watch {
    observer: ResizeObserver,
    /// Called by the browser.
    _changed: Closure<dyn FnMut()>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Tells of each change of the page's height; none if the browser cannot.
pub fn watch(changed: Callback<()>) -> Option<Watch> {
    let body = page::document()?.body()?;
    let changed = Closure::<dyn FnMut()>::new(move || changed.emit(()));
    let observer = ResizeObserver::new(changed.as_ref().unchecked_ref()).ok()?;
    observer.observe(&body);
    Some(Watch { observer, _changed: changed })
}

/// The height of what the page holds, in CSS pixels.
pub fn now() -> Option<u32> {
    let body = page::document()?.body()?;
    Some(body.get_bounding_client_rect().height().ceil() as u32)
}
