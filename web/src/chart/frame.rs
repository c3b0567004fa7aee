//! The frame around every chart: title, summary, canvas, read-out, and its numbers, sources and files behind one click.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use web_sys::{HtmlCanvasElement, HtmlDetailsElement, HtmlElement, KeyboardEvent, PointerEvent};
use yew::prelude::*;

use super::browser;
use super::watch::{Surroundings, before_print, use_surroundings};
use zvmlab_lab::chart::scene::{Mark, Scene};
use zvmlab_lab::chart::table::{self, Table};
use zvmlab_lab::chart::{Chart, Plot, Source, layout, reading};

/// How long the arrow keys must rest, in milliseconds, before a screen reader says where they led.
const SPEAK_AFTER_MS: u32 = 400;

/// A chart to frame.
#[derive(Clone, PartialEq, Properties)]
pub struct ChartFrameProps {
    /// The chart.
    pub chart: Rc<Chart>,
    /// The reader's choices for it, under its summary.
    #[prop_or_default]
    pub children: Html,
}

/// A stop that is being read.
#[derive(Clone, Copy, PartialEq)]
struct Reading {
    /// Index of the stop.
    at: usize,
    /// Whether it stays when the pointer leaves: after a click or a key.
    held: bool,
}

/// A picture that the canvas does not show yet.
struct Owed {
    scene: Rc<Scene>,
    at: Option<usize>,
    canvas: NodeRef,
}

/// Paints a picture that the canvas does not show yet.
fn pay(owed: &RefCell<Option<Owed>>) {
    if let Some(Owed { scene, at, canvas }) = owed.take()
        && let Some(canvas) = canvas.cast::<HtmlCanvasElement>()
    {
        browser::draw(&canvas, &scene, at.map_or(&[][..], |at| cursor(&scene, at)));
    }
}

/// Paints `scene` with its cursor at `at` when that is to be seen.
#[hook]
fn use_painting(scene: &Rc<Scene>, at: Option<usize>, around: Surroundings, canvas: &NodeRef) {
    // The read-out of a chart is always of now. Only painting waits until the chart is visible, on the screen or on paper: a
    // live run changes all charts many times a second.
    let owed = use_mut_ref(|| None::<Owed>);
    use_effect_with((scene.clone(), at, around, canvas.clone()), {
        let owed = owed.clone();
        move |(scene, at, around, canvas)| {
            let picture = Owed { scene: scene.clone(), at: *at, canvas: canvas.clone() };
            *owed.borrow_mut() = (around.width > 0.0).then_some(picture);
            let fits = |canvas: HtmlCanvasElement| browser::fits(&canvas, scene);
            // The visible part of the page must not move when a chart above it is painted at last.
            if around.near || !canvas.cast().is_some_and(fits) {
                pay(&owed);
            }
        }
    });
    use_effect_with((), move |()| {
        let listeners = before_print(move || pay(&owed));
        move || drop(listeners)
    });
}

/// The hand on the chart, a pointer, a finger or keys, and the values that it reads.
#[derive(Clone)]
struct Hand {
    scene: Rc<Scene>,
    at: Option<usize>,
    reading: UseStateHandle<Option<Reading>>,
}

impl Hand {
    /// The pointer is over the chart; `held` where it was pressed.
    fn point(&self, event: &PointerEvent, held: bool) {
        let spot = (f64::from(event.offset_x()), f64::from(event.offset_y()));
        let found = reading::nearest(&self.scene.stops, spot);
        // When a finger leaves the chart, its last value stays on show.
        let held = held || event.pointer_type() == "touch";
        match (found, *self.reading) {
            (Some(at), Some(old)) if old.held && !held && old.at == at => {}
            (Some(at), _) => self.reading.set(Some(Reading { at, held })),
            (None, Some(old)) if !old.held => self.reading.set(None),
            (None, _) => {}
        }
    }

    /// The pointer has left the chart.
    fn leave(&self) {
        if self.reading.is_some_and(|reading| !reading.held) {
            self.reading.set(None);
        }
    }

    /// A key is pressed on the chart: to which stop it moved the cursor, if it did.
    fn press(&self, event: &KeyboardEvent) -> Option<usize> {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return None;
        }
        if event.key() == "Escape" && self.reading.is_some() {
            self.reading.set(None);
            return None;
        }
        let at = reading::moved(&self.scene.stops, self.at, &event.key())?;
        event.prevent_default();
        // The page has shortcuts of its own, so a key that moved the cursor must not reach them.
        event.stop_propagation();
        self.reading.set(Some(Reading { at, held: true }));
        Some(at)
    }
}

/// A chart with everything around it.
#[component]
pub fn ChartFrame(props: &ChartFrameProps) -> Html {
    let chart = props.chart.clone();
    let stage = use_node_ref();
    let canvas = use_node_ref();
    let around = use_surroundings(&stage);
    let reading = use_state_eq(|| None::<Reading>);
    let spoken = use_state_eq(String::new);
    let pause = use_mut_ref(|| None::<Timeout>);
    let scene = use_memo((chart.clone(), around.width), |(chart, width)| layout::scene(chart, *width, &browser::text_width));
    let at = reading.filter(|_| !scene.stops.is_empty()).map(|reading| reading.at.min(scene.stops.len() - 1));

    use_painting(&scene, at, around, &canvas);
    let hand = Hand { scene: scene.clone(), at, reading: reading.clone() };
    let press = {
        let (hand, scene, spoken) = (hand.clone(), scene.clone(), spoken.clone());
        Callback::from(move |event: KeyboardEvent| {
            let Some(at) = hand.press(&event) else { return };
            let (text, spoken) = (scene.stops[at].text.clone(), spoken.clone());
            *pause.borrow_mut() = Some(Timeout::new(SPEAK_AFTER_MS, move || spoken.set(text)));
        })
    };
    let point = |held: bool| {
        let hand = hand.clone();
        Callback::from(move |event: PointerEvent| hand.point(&event, held))
    };
    let leave = {
        let hand = hand.clone();
        Callback::from(move |_: PointerEvent| hand.leave())
    };
    let empty = matches!(chart.plot, Plot::Nothing(_));
    let shown = at.map(|at| scene.stops[at].text.as_str());
    html! {
        <figure class="chart" id={format!("chart-{}", chart.id)}>
            <figcaption class="chart-caption">
                <h3 class="chart-title">{ &chart.title }</h3>
                <p class="chart-summary">{ &chart.summary }</p>
            </figcaption>
            { props.children.clone() }
            <div class="chart-stage" ref={stage}>
                if let Plot::Nothing(why) = &chart.plot {
                    <p class="chart-nothing">{ why }</p>
                } else {
                    <canvas
                        ref={canvas.clone()}
                        class="chart-canvas"
                        role="img"
                        tabindex="0"
                        aria-label={format!("{}. {} Arrow keys read out the values.", chart.title, chart.summary)}
                        onpointermove={point(false)}
                        onpointerdown={point(true)}
                        onpointerleave={leave}
                        onkeydown={press}
                    />
                }
            </div>
            if !empty {
                <p class="chart-readout">{ read_out(shown, reading.is_some_and(|reading| reading.held), &scene, &chart) }</p>
                <p class="visually-hidden" role="status">{ &*spoken }</p>
                <More chart={chart.clone()} canvas={canvas} />
            }
        </figure>
    }
}

fn cursor(scene: &Scene, at: usize) -> &[Mark] {
    scene.stops.get(at).map_or(&[], |stop| &stop.cursor)
}

/// The values under the cursor; after a click, with the sources of the runs that they name.
fn read_out(shown: Option<&str>, held: bool, scene: &Scene, chart: &Chart) -> Html {
    let Some(text) = shown else {
        return match scene.rest.and_then(|rest| scene.stops.get(rest)) {
            Some(stop) => html! { &stop.text },
            None => html! { <span class="chart-hint">{ "Point at it, or use the arrow keys." }</span> },
        };
    };
    let named = chart.sources.iter().filter(|source| held && text.contains(source.run.as_str()));
    let citation =
        |source: &Source| html! { <span class="chart-citation">{ format!("{}: {}", source.run, source.citation) }</span> };
    html! { <>{ text }{ for named.map(citation) }</> }
}

/// The part that a click opens.
#[derive(Clone, PartialEq, Properties)]
struct MoreProps {
    chart: Rc<Chart>,
    canvas: NodeRef,
}

/// Numbers, sources and files. The table is made only while it is open: it is the most expensive part of the frame.
#[component]
fn More(props: &MoreProps) -> Html {
    let open = use_state_eq(|| false);
    let toggle = {
        let open = open.clone();
        Callback::from(move |event: Event| {
            if let Some(details) = event.target_dyn_into::<HtmlDetailsElement>() {
                open.set(details.open());
            }
        })
    };
    let save = |write: fn(&Chart, &HtmlElement)| {
        let (chart, canvas) = (props.chart.clone(), props.canvas.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(canvas) = canvas.cast::<HtmlElement>() {
                write(&chart, &canvas);
            }
        })
    };
    let chart = &props.chart;
    let heading = if chart.sources.is_empty() { "Numbers and files" } else { "Numbers, sources and files" };
    html! {
        <details class="chart-more" ontoggle={toggle}>
            <summary>{ heading }<span class="visually-hidden">{ format!(" of {}", chart.title) }</span></summary>
            if *open {
                <div class="chart-files">
                    <button type="button" onclick={save(browser::save_png)}>{ "PNG" }</button>
                    <button type="button" onclick={save(browser::save_svg)}>{ "SVG" }</button>
                    <button type="button" onclick={save(|chart, _| browser::save_csv(chart))}>{ "CSV" }</button>
                </div>
                { sources(&chart.sources) }
                { numbers(&table::shown(&chart.plot), &chart.title) }
            }
        </details>
    }
}

fn sources(sources: &[Source]) -> Html {
    if sources.is_empty() {
        return Html::default();
    }
    let entry = |source: &Source| {
        html! {
            <li><b>{ &source.run }</b>{ format!(": {}. {}.", source.text, source.citation) }</li>
        }
    };
    html! { <ul class="chart-sources">{ for sources.iter().map(entry) }</ul> }
}

fn numbers(table: &Table, title: &str) -> Html {
    let heading = |text: &String| html! { <th scope="col">{ text }</th> };
    let row = |cells: &Vec<String>| {
        let rest = cells.iter().skip(1).map(|cell| html! { <td>{ cell }</td> });
        html! { <tr><th scope="row">{ cells.first() }</th>{ for rest }</tr> }
    };
    html! {
        <div class="chart-table" role="region" tabindex="0" aria-label={format!("Numbers of {title}")}>
            <table>
                <thead><tr>{ for table.columns.iter().map(heading) }</tr></thead>
                <tbody>{ for table.rows.iter().map(row) }</tbody>
            </table>
            if table.every > 1 {
                <p>{ format!("One row of {} is shown; the CSV file has all.", table.every) }</p>
            }
        </div>
    }
}
