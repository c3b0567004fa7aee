//! The headline figure on one axis, painted: A as a hollow square, now as a dot with its interval, IBM's figure as a diamond.

use yew::prelude::*;
use zvmlab_lab::bench::axis::{FONT, HEIGHT, Headline, LINE, Picture, Placed, ROWS, Whose, lay_out};

use crate::chart::browser::text_width;
use crate::chart::watch::use_surroundings;

/// The data of the axis.
#[derive(Clone, PartialEq, Properties)]
pub struct AxisProps {
    /// What stands on it.
    pub headline: Headline,
}

/// The axis, as wide as its pane.
#[component]
pub fn HeadlineAxis(props: &AxisProps) -> Html {
    let stage = use_node_ref();
    let width = use_surroundings(&stage).width;
    let picture = use_memo((props.headline.clone(), width), |(headline, width)| {
        (*width > 0.0).then(|| lay_out(&headline.values, *width, &text_width))
    });
    html! {
        <div class="headline-axis" data-testid="headline-axis">
            <div ref={stage}>
                if let Some(picture) = &*picture {
                    <svg role="img" aria-label={props.headline.told.clone()} width={picture.width.to_string()} height={HEIGHT.to_string()} font-size={FONT.to_string()}>
                        { paint(picture) }
                    </svg>
                }
            </div>
            <p class="help" aria-hidden="true">{ &props.headline.title }</p>
        </div>
    }
}

fn paint(picture: &Picture) -> Html {
    let (from, to) = (picture.ends[0].0, picture.ends[1].0);
    let line = n(LINE);
    let tick = |x: &f64| html! { <line x1={n(*x)} x2={n(*x)} y1={line.clone()} y2={n(LINE + 4.0)} /> };
    let end = |(x, text): &(f64, String), anchor: &'static str| {
        let x = if anchor == "start" { 0.0 } else { picture.width.max(*x) };
        html! { <text class="end" x={n(x)} y={n(ROWS[2])} text-anchor={anchor}>{ text }</text> }
    };
    html! {
        <>
            <g class="line">
                <line x1={n(from)} x2={n(to)} y1={line.clone()} y2={line.clone()} />
                { for picture.ticks.iter().map(tick) }
                if picture.broken { <path d={format!("M{} {} l4 -10 m4 0 l-4 10", n(from + 3.0), n(LINE + 5.0))} /> }
            </g>
            { end(&picture.ends[0], "start") }
            { end(&picture.ends[1], "end") }
            { for picture.points.iter().map(bar) }
            { for picture.points.iter().map(point) }
        </>
    }
}

/// The interval of a point, with an upright at each end.
fn bar(point: &Placed) -> Html {
    let Some((from, to)) = point.bar else { return Html::default() };
    let [from, to] = [from, to].map(n);
    let [top, bottom] = [LINE - 6.0, LINE + 6.0].map(n);
    let (line, class) = (n(LINE), class(point.whose));
    html! { <path class={classes!("bar", class)} d={format!("M{from} {top} V{bottom} M{to} {top} V{bottom} M{from} {line} H{to}")} /> }
}

fn point(point: &Placed) -> Html {
    let (x, class) = (n(point.x), class(point.whose));
    let below = point.label.below;
    let row = if below { ROWS[1] } else { ROWS[0] };
    let (near, marker) = if below { (row - FONT + 1.0, LINE + 9.0) } else { (row + 3.0, LINE - 7.0) };
    let lead = |from: f64| html! { <path class="lead" d={format!("M{} {} L{x} {}", n(from), n(near), n(marker))} /> };
    let (name, value) = point.label.text.rsplit_once(' ').unwrap_or((&point.label.text, ""));
    html! {
        <g {class}>
            { for point.lead().map(lead) }
            { match point.whose {
                Whose::A => html! { <rect class="marker" x={n(point.x - 5.5)} y={n(LINE - 5.5)} width="11" height="11" /> },
                Whose::Now => html! { <circle class="marker" cx={x} cy={n(LINE)} r="4.5" /> },
                Whose::Ibm => html! { <path class="marker" d={format!("M{x} {} l8 9 l-8 9 l-8 -9 z", n(LINE - 9.0))} /> },
            } }
            <text x={n(point.label.middle)} y={n(row)} text-anchor="middle"><tspan class="name">{ name }</tspan>{ " " }{ value }</text>
        </g>
    }
}

fn class(whose: Whose) -> &'static str {
    match whose {
        Whose::A => "is-a",
        Whose::Now => "is-now",
        Whose::Ibm => "is-ibm",
    }
}

/// A length, to a tenth of a pixel.
fn n(value: f64) -> String {
    format!("{value:.1}")
}
