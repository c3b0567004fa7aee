//! Buttons in the picture that add a part or take one away, where the parts stand.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab_lab::machine::Scene;
use zvmlab_lab::machine::build::{Act, Handle, Turn, handles};
use zvmlab_lab::machine::svg::n;

use crate::msg::Msg;

/// Side of a button in CSS pixels: as large as a finger needs at least.
const SIDE: f64 = 24.0;

/// The data of the buttons.
#[derive(Clone, PartialEq, Properties)]
pub struct HandlesProps {
    /// The picture.
    pub scene: Rc<Scene>,
    /// CSS pixels for each pixel of the scene.
    pub scale: f64,
    /// The host that it shows.
    pub scenario: Rc<Scenario>,
    /// Told at which button the reader points.
    pub point: Callback<Option<Act>>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The buttons of all kinds of part.
#[component]
pub fn Handles(props: &HandlesProps) -> Html {
    let side = SIDE / props.scale;
    let button = |sign: &'static str, turn: &Turn, x: f64, y: f64| {
        let one = turn.act;
        let act = props.on.reform(move |()| Msg::Build(one));
        let press = act.clone();
        let onkeydown = Callback::from(move |event: KeyboardEvent| {
            if matches!(event.key().as_str(), "Enter" | " ") {
                event.prevent_default();
                press.emit(());
            }
            // The arrow keys walk along the parts, not along these.
            event.stop_propagation();
        });
        let point = &props.point;
        html! {
            <g key={format!("{:?}", turn.act)} class="handle" role="button" tabindex="0"
                aria-label={turn.label.clone()} onclick={act.reform(|_: MouseEvent| ())} {onkeydown}
                onpointerenter={point.reform(move |_: PointerEvent| Some(one))} onfocus={point.reform(move |_: FocusEvent| Some(one))}
                onpointerleave={point.reform(|_: PointerEvent| None)} onblur={point.reform(|_: FocusEvent| None)}>
                <rect x={n(x)} y={n(y)} width={n(side)} height={n(side)} rx="4" />
                <text x={n(x + side / 2.0)} y={n(y + side / 2.0 + 4.5)} text-anchor="middle">{ sign }</text>
            </g>
        }
    };
    let mut taken: Vec<(f64, f64)> = Vec::new();
    let mut handle = |one: Handle| {
        let (x, y) = place(one.corner, (props.scene.height, side), &taken);
        taken.push((x, y));
        html! {
            <>
                { one.less.as_ref().map(|turn| button("−", turn, x - side, y)) }
                { one.more.as_ref().map(|turn| button("+", turn, x, y)) }
            </>
        }
    };
    html! { <>{ for handles(&props.scene, &props.scenario).into_iter().map(&mut handle) }</> }
}

/// The place of the right button of a pair, at the corner of its parts, or beside pairs that are there already: to the left, or
/// below where there is no room.
fn place((right, top): (f64, f64), (height, side): (f64, f64), taken: &[(f64, f64)]) -> (f64, f64) {
    let lowest = (height - side).max(0.0);
    let (mut x, mut y) = ((right - side).max(side), top.clamp(0.0, lowest));
    let is_free = |x: f64, y: f64| taken.iter().all(|(left, top)| (x - left).abs() >= 2.0 * side || (y - top).abs() >= side);
    while !is_free(x, y) {
        if x >= 3.0 * side {
            x -= 2.0 * side + 2.0;
        } else if y >= lowest {
            break;
        } else {
            (x, y) = ((right - side).max(side), (y + side + 2.0).min(lowest));
        }
    }
    (x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_pair_lies_over_another_and_all_are_in_the_picture() {
        let mut taken = Vec::new();
        for _ in 0..8 {
            let at = place((200.0, 190.0), (220.0, 24.0), &taken);
            assert!((24.0..=176.0).contains(&at.0) && (0.0..=196.0).contains(&at.1), "{at:?}");
            taken.push(at);
        }
        let first: std::collections::BTreeSet<_> = taken.iter().take(3).map(|(x, _)| *x as u32).collect();
        assert_eq!(first.len(), 3, "{taken:?}");
        // In the lowest row, too.
        let taken = [place((190.0, 210.0), (220.0, 24.0), &[])];
        assert_eq!(place((200.0, 220.0), (220.0, 24.0), &taken), (76.0, 196.0));
    }
}
