//! The bars between the panes of one screen. A pointer drags them, keys move them, and the browser remembers where they were left. A
//! pane that is made very small folds.

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
    let bar = use_node_ref();
    // What the reader gave, and what the pane has on the screen.
    let given = use_state_eq(|| None::<f64>);
    let seen = use_state_eq(|| pane.usual());
    let dragged = use_mut_ref(|| false);
    let bench = {
        let bar = bar.clone();
        move || bar.cast::<HtmlElement>()?.parent_element()
    };
    let put = {
        let (bench, given) = (bench.clone(), given.setter());
        move |percent: Option<f64>| {
            let percent = percent.map(|percent| pane.fit(percent));
            if let Some(bench) = bench().and_then(|bench| wasm_bindgen::JsCast::dyn_into::<HtmlElement>(bench).ok()) {
                pane.give(percent, &bench);
            }
            given.set(percent);
            percent
        }
    };
    let keep = move |percent: Option<f64>| {
        page::remember(&pane.remembered(), &percent.map_or(String::new(), |it| format!("{it:.1}")))
    };
    {
        let put = put.clone();
        use_effect_with((), move |()| {
            let known = page::remembered(&pane.remembered()).and_then(|known| known.parse::<f64>().ok());
            if let Some(known) = known.filter(|known| known.is_finite()) {
                put(Some(known));
            }
        });
    }
    let measure = {
        let (bar, bench, seen) = (bar.clone(), bench.clone(), seen.setter());
        move || {
            if let (Some(bar), Some(bench)) = (bar.cast::<Element>(), bench()) {
                let place = bar.get_bounding_client_rect();
                let middle = (place.left() + place.width() / 2.0, place.top() + place.height() / 2.0);
                seen.set(pane.share_at(middle, &bench).round().clamp(0.0, pane.ends().1));
            }
        }
    };
    {
        let measure = measure.clone();
        use_effect_with(*given, move |_| measure());
    }
    let onkeydown = {
        let (put, given, seen) = (put.clone(), *given, *seen);
        let (least, most) = pane.ends();
        let (smaller, larger) = pane.keys();
        Callback::from(move |event: KeyboardEvent| {
            let folded = given == Some(0.0);
            let percent = match event.key().as_str() {
                key if key == larger => Some(if folded { least } else { seen + STEP }),
                key if key == smaller => Some(if seen - STEP < least { 0.0 } else { seen - STEP }),
                "Home" => Some(0.0),
                "End" => Some(most),
                "Enter" => {
                    if folded {
                        None
                    } else {
                        Some(0.0)
                    }
                }
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            keep(put(percent));
        })
    };
    let onpointerdown = {
        let dragged = dragged.clone();
        Callback::from(move |event: PointerEvent| {
            if let Some(bar) = event.current_target().and_then(|bar| wasm_bindgen::JsCast::dyn_into::<Element>(bar).ok()) {
                // Without it the bar follows only while the pointer is over it.
                let _ = bar.set_pointer_capture(event.pointer_id());
            }
            *dragged.borrow_mut() = event.button() == 0;
        })
    };
    let onpointermove = {
        let (dragged, put, bench) = (dragged.clone(), put.clone(), bench.clone());
        Callback::from(move |event: PointerEvent| {
            if let Some(bench) = bench().filter(|_| *dragged.borrow()) {
                put(Some(pane.share_at((f64::from(event.client_x()), f64::from(event.client_y())), &bench)));
            }
        })
    };
    let let_go = {
        let given = *given;
        Callback::from(move |_: PointerEvent| {
            if dragged.replace(false) {
                keep(given);
            }
        })
    };
    let ondblclick = {
        let (put, folded) = (put.clone(), *given == Some(0.0));
        Callback::from(move |_: MouseEvent| keep(put(if folded { None } else { Some(0.0) })))
    };
    let percent = if *given == Some(0.0) { 0.0 } else { *seen };
    let (across, text) = (pane == Pane::Machine, if percent > 0.0 { format!("{percent} percent") } else { "folded".into() });
    html! {
        <div ref={bar} class={classes!("splitter", format!("{}-splitter", pane.word()))} role="separator" tabindex="0"
            aria-orientation={if across { "horizontal" } else { "vertical" }} aria-label={pane.name()} aria-controls={pane.word()}
            aria-valuemin="0" aria-valuemax={pane.ends().1.to_string()} aria-valuenow={percent.to_string()} aria-valuetext={text}
            title={format!("{}: drag it, or use the arrow keys. Enter or a double click folds it.", pane.name())}
            {onkeydown} {onpointerdown} {onpointermove} onpointerup={let_go.clone()} onpointercancel={let_go} {ondblclick}
            onfocus={Callback::from(move |_| measure())} />
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
