//! The charts of a room in a row: beside and below each other where there is room, one at a time on a phone, by swipe or by buttons.

use web_sys::HtmlElement;
use yew::prelude::*;

/// The data of a row.
#[derive(Clone, PartialEq, Properties)]
pub struct ChartRowProps {
    /// The charts in their frames.
    pub charts: Vec<Html>,
}

/// The row. On a phone it scrolls sideways and stops at a chart; the page tells at which.
#[component]
pub fn ChartRow(props: &ChartRowProps) -> Html {
    let row = use_node_ref();
    let at = use_state_eq(|| 0_usize);
    let last = props.charts.len().saturating_sub(1);
    // Where a row gains a chart, the browser scrolls so that the one in sight stays. A row that fills up while its first chart is in
    // sight would end at another, so it goes back: once, as nobody has asked for that scroll.
    let gains = use_mut_ref(|| false);
    use_effect_with(props.charts.len(), {
        let (gains, is_first) = (gains.clone(), *at == 0);
        move |_| *gains.borrow_mut() = is_first
    });
    // A finger, a wheel, or the focus that goes to another chart asks for it.
    let (by_pointer, by_wheel, by_focus) = (gains.clone(), gains.clone(), gains.clone());
    let onpointerdown = move |_: PointerEvent| *by_pointer.borrow_mut() = false;
    let onwheel = move |_: WheelEvent| *by_wheel.borrow_mut() = false;
    let onfocusin = move |_: FocusEvent| *by_focus.borrow_mut() = false;
    let onscroll = {
        let (row, at, gains) = (row.clone(), at.setter(), gains.clone());
        Callback::from(move |_: Event| {
            let is_unasked = gains.replace(false);
            if let Some(row) = row.cast::<HtmlElement>().filter(|_| is_unasked) {
                return row.set_scroll_left(0);
            }
            if let Some(row) = row.cast::<HtmlElement>()
                && let Some(step) = step_of(&row, last)
            {
                at.set(((f64::from(row.scroll_left()) / step).round().max(0.0) as usize).min(last));
            }
        })
    };
    let go = |to: Option<usize>| {
        let (row, gains) = (row.clone(), gains.clone());
        Callback::from(move |_: MouseEvent| {
            *gains.borrow_mut() = false;
            if let (Some(to), Some(row)) = (to, row.cast::<HtmlElement>())
                && let Some(step) = step_of(&row, last)
            {
                row.set_scroll_left((step * to as f64).round() as i32);
            }
        })
    };
    // A row may lose charts while one of the last is shown.
    let at = (*at).min(last);
    html! {
        <div class="chart-row">
            if last > 0 {
                <div class="swiper" role="group" aria-label="Charts of this room">
                    <button type="button" aria-label="Previous chart" disabled={at == 0} onclick={go(at.checked_sub(1))}>{ "‹" }</button>
                    <span role="status">{ format!("Chart {} of {}", at + 1, last + 1) }</span>
                    <button type="button" aria-label="Next chart" disabled={at == last} onclick={go(Some((at + 1).min(last)))}>{ "›" }</button>
                </div>
            }
            <div class="charts" ref={row} {onscroll} {onpointerdown} {onwheel} {onfocusin}>{ for props.charts.iter().cloned() }</div>
        </div>
    }
}

/// How far apart two charts begin, in CSS pixels; none where the row does not scroll.
fn step_of(row: &HtmlElement, last: usize) -> Option<f64> {
    let room = row.scroll_width() - row.client_width();
    (last > 0 && room > 0).then(|| f64::from(room) / last as f64)
}
