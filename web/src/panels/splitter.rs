//! The bars between the panes of one screen. A pointer drags them, keys move them, and the browser remembers where they were left. A
//! pane that is made very small folds.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::page;

/// Share of the bench by which a key moves a bar, in percent.
const STEP: f64 = 2.0;

/// A pane whose size the reader can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    /// The knobs, at the left.
    Knobs,
    /// The machine, over the rooms.
    Machine,
    /// The outcome, at the right.
    Outcome,
}

impl Pane {
    /// Its word in ids and in the style sheet.
    const fn word(self) -> &'static str {
        match self {
            Pane::Knobs => "knobs",
            Pane::Machine => "machine",
            Pane::Outcome => "outcome",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Pane::Knobs => "Width of the knobs",
            Pane::Machine => "Height of the machine",
            Pane::Outcome => "Width of the outcome",
        }
    }

    /// Its smallest and its largest share of the bench, in percent. Folded it has 0.
    const fn ends(self) -> (f64, f64) {
        match self {
            Pane::Knobs => (14.0, 34.0),
            Pane::Machine => (36.0, 84.0),
            Pane::Outcome => (14.0, 40.0),
        }
    }

    /// The share that is told until the page knows it.
    const fn usual(self) -> f64 {
        match self {
            Pane::Knobs => 22.0,
            Pane::Machine => 55.0,
            Pane::Outcome => 23.0,
        }
    }

    /// Under this name the browser remembers its size.
    fn remembered(self) -> String {
        format!("zvmlab.pane.{}", self.word())
    }

    /// A share that it can have.
    fn fit(self, percent: f64) -> f64 {
        let (least, most) = self.ends();
        if percent < 0.6 * least { 0.0 } else { percent.clamp(least, most) }
    }

    /// The key that makes it smaller, and the one that makes it larger.
    const fn keys(self) -> (&'static str, &'static str) {
        match self {
            Pane::Knobs => ("ArrowLeft", "ArrowRight"),
            Pane::Machine => ("ArrowUp", "ArrowDown"),
            Pane::Outcome => ("ArrowRight", "ArrowLeft"),
        }
    }

    /// The share that it has if its bar is at a point of the bench.
    fn share_at(self, (x, y): (f64, f64), bench: &Element) -> f64 {
        let place = bench.get_bounding_client_rect();
        100.0
            * match self {
                Pane::Knobs => (x - place.left()) / place.width().max(1.0),
                Pane::Machine => (y - place.top()) / place.height().max(1.0),
                Pane::Outcome => (place.right() - x) / place.width().max(1.0),
            }
    }

    /// Gives it a share of the bench; `None` gives it the usual one.
    fn give(self, percent: Option<f64>, bench: &HtmlElement) {
        let (size, folded) = (format!("--{}-pane", self.word()), format!("data-{}-pane", self.word()));
        // They fail only in a browser without styles.
        let _ = match percent.filter(|percent| *percent > 0.0) {
            Some(percent) => bench.style().set_property(&size, &format!("{percent:.1}%")),
            None => bench.style().remove_property(&size).map(drop),
        };
        let _ = match percent {
            Some(0.0) => bench.set_attribute(&folded, "folded"),
            _ => bench.remove_attribute(&folded),
        };
    }
}

/// A bar in the reader's hand.
#[derive(Clone)]
struct Bar {
    pane: Pane,
    node: NodeRef,
    /// The share that the reader gave; 0 is folded.
    given: UseStateHandle<Option<f64>>,
    /// The share that the pane has on the screen.
    seen: UseStateHandle<f64>,
    dragged: Rc<Cell<bool>>,
}

impl Bar {
    fn bench(&self) -> Option<HtmlElement> {
        self.node.cast::<HtmlElement>()?.parent_element()?.dyn_into().ok()
    }

    fn is_folded(&self) -> bool {
        *self.given == Some(0.0)
    }

    /// Gives the pane a share, as far as it can have it.
    fn put(&self, percent: Option<f64>) {
        let percent = percent.map(|percent| self.pane.fit(percent));
        if let Some(bench) = self.bench() {
            self.pane.give(percent, &bench);
        }
        self.given.set(percent);
    }

    /// The same, for good.
    fn leave_at(&self, percent: Option<f64>) {
        self.put(percent);
        let percent = percent.map_or(String::new(), |percent| format!("{:.1}", self.pane.fit(percent)));
        page::remember(&self.pane.remembered(), &percent);
    }

    /// What the browser remembers.
    fn put_remembered(&self) {
        let known = page::remembered(&self.pane.remembered()).and_then(|known| known.parse::<f64>().ok());
        if let Some(known) = known.filter(|known| known.is_finite()) {
            self.put(Some(known));
        }
    }

    /// The share that its pane has on the screen at this moment.
    fn share(&self) -> Option<f64> {
        let (bar, bench) = (self.node.cast::<Element>()?, self.bench()?);
        let place = bar.get_bounding_client_rect();
        let left = if self.pane == Pane::Outcome { place.right() } else { place.left() };
        Some(self.pane.share_at((left, place.top()), &bench).clamp(0.0, self.pane.ends().1))
    }

    /// Tells the reader that share.
    fn measure(&self) {
        if let Some(share) = self.share() {
            self.seen.set(share);
        }
    }

    /// The share from which a key moves it: the one on the screen, because the window may have another size since it was told, and a
    /// second key may come before the page is drawn.
    fn now(&self) -> f64 {
        self.share().unwrap_or(*self.seen)
    }

    /// Folds the pane, or unfolds it.
    fn fold(&self) {
        self.leave_at(if self.is_folded() { None } else { Some(0.0) });
    }

    fn press(&self, event: &KeyboardEvent) {
        let ((least, most), (smaller, larger)) = (self.pane.ends(), self.pane.keys());
        match event.key().as_str() {
            key if key == larger => self.leave_at(Some(if self.is_folded() { least } else { self.now() + STEP })),
            key if key == smaller => {
                self.leave_at(Some(if self.now() - STEP < least { 0.0 } else { self.now() - STEP }));
            }
            "Home" => self.leave_at(Some(0.0)),
            "End" => self.leave_at(Some(most)),
            "Enter" => self.fold(),
            _ => return,
        }
        event.prevent_default();
        // The page has shortcuts of its own.
        event.stop_propagation();
    }

    fn take(&self, event: &PointerEvent) {
        if let Some(bar) = self.node.cast::<Element>() {
            // Without it the bar follows only while the pointer is over it.
            let _ = bar.set_pointer_capture(event.pointer_id());
        }
        self.dragged.set(event.button() == 0);
    }

    fn drag(&self, event: &PointerEvent) {
        if let Some(bench) = self.bench().filter(|_| self.dragged.get()) {
            self.put(Some(self.pane.share_at((f64::from(event.client_x()), f64::from(event.client_y())), &bench)));
        }
    }

    fn let_go(&self) {
        if self.dragged.replace(false) {
            self.leave_at(*self.given);
        }
    }
}

/// The data of a bar.
#[derive(Clone, PartialEq, Properties)]
pub struct SplitterProps {
    /// The pane whose size it changes.
    pub pane: Pane,
}

/// A bar.
#[component]
pub fn Splitter(props: &SplitterProps) -> Html {
    let pane = props.pane;
    let bar = Bar {
        pane,
        node: use_node_ref(),
        given: use_state_eq(|| None::<f64>),
        seen: use_state_eq(|| pane.usual()),
        dragged: use_memo((), |()| Cell::new(false)),
    };
    {
        let bar = bar.clone();
        use_effect_with((), move |()| bar.put_remembered());
    }
    {
        let bar = bar.clone();
        use_effect_with(*bar.given, move |_| bar.measure());
    }
    let onkeydown = {
        let bar = bar.clone();
        Callback::from(move |event: KeyboardEvent| bar.press(&event))
    };
    let on = |act: fn(&Bar, &PointerEvent)| {
        let bar = bar.clone();
        Callback::from(move |event: PointerEvent| act(&bar, &event))
    };
    let ondblclick = {
        let bar = bar.clone();
        Callback::from(move |_: MouseEvent| bar.fold())
    };
    let onfocus = {
        let bar = bar.clone();
        Callback::from(move |_: FocusEvent| bar.measure())
    };
    let percent = if bar.is_folded() { 0.0 } else { bar.seen.round() };
    let text = if percent > 0.0 { format!("{percent} percent") } else { "folded".into() };
    html! {
        <div ref={bar.node.clone()} class={classes!("splitter", format!("{}-splitter", pane.word()))} role="separator" tabindex="0"
            aria-orientation={if pane == Pane::Machine { "horizontal" } else { "vertical" }} aria-label={pane.name()}
            aria-controls={pane.word()} aria-valuemin="0" aria-valuemax={pane.ends().1.to_string()}
            aria-valuenow={percent.to_string()} aria-valuetext={text}
            title={format!("{}: drag it, or use the arrow keys. Enter or a double click folds it.", pane.name())}
            {onkeydown} {onfocus} {ondblclick} onpointerdown={on(Bar::take)} onpointermove={on(Bar::drag)}
            onpointerup={on(|bar, _| bar.let_go())} onpointercancel={on(|bar, _| bar.let_go())} />
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pane_is_folded_or_has_a_size_to_read_in() {
        for pane in [Pane::Knobs, Pane::Machine, Pane::Outcome] {
            let (least, most) = pane.ends();
            assert_eq!((pane.fit(1.0), pane.fit(least - 1.0), pane.fit(99.0)), (0.0, least, most));
            assert!((least..=most).contains(&pane.usual()) && pane.fit(pane.usual()) == pane.usual());
        }
    }
}
