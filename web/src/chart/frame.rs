//! The frame around every chart: title, summary, canvas, read-out, and its numbers, sources and files behind one click.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use web_sys::{HtmlCanvasElement, HtmlDetailsElement, HtmlElement, KeyboardEvent, PointerEvent};
use yew::prelude::*;

use super::browser;
use super::linked::{Act, Instant, MachineAt, Shared};
use super::watch::{Surroundings, before_print, use_surroundings};
use crate::chart::in_pieces;
use zvmlab_lab::chart::layout::{SPARE, View};
use zvmlab_lab::chart::scene::{Mark, Scene, TimeScale};
use zvmlab_lab::chart::table::{self, Table};
use zvmlab_lab::chart::time::{self, Window};
use zvmlab_lab::chart::{Chart, Plot, Source, layout, reading};
use zvmlab_lab::words::number::short;

/// How long the arrow keys must rest, in milliseconds, before a screen reader says where they led.
const SPEAK_AFTER_MS: u32 = 400;

/// How far a pressed pointer must go, in CSS pixels, to choose a part of the time. Chosen: a click that trembles chooses nothing.
const DRAGGED: f64 = 8.0;

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
    /// Where it is on the time axis, if the chart has one. It stays there when other stops come.
    when: Option<f64>,
    /// Whether it stays when the pointer leaves: after a click or a key.
    held: bool,
}

impl Reading {
    /// The reading of a stop.
    fn of(scene: &Scene, at: usize, held: bool) -> Reading {
        Reading { at, when: scene.stops.get(at).and_then(|stop| stop.when), held }
    }

    /// The stop in `scene`, which may have come since.
    fn stop(&self, scene: &Scene) -> Option<usize> {
        let same = scene.stops.get(self.at).is_some_and(|stop| stop.when == self.when);
        match self.when.filter(|_| !same) {
            Some(when) => time::nearest(&scene.stops, when),
            None => Some(self.at.min(scene.stops.len().checked_sub(1)?)),
        }
    }
}

/// What is drawn over a chart.
#[derive(Clone, Copy, PartialEq)]
enum Over {
    /// The cursor at a stop.
    Stop(usize),
    /// The cursor at an instant.
    Instant(f64),
    /// The part of the time that is being chosen: its two ends across.
    Choice(f64, f64),
}

impl Over {
    /// What is drawn: a choice before a stop, and a stop before an instant.
    fn of(choice: Option<(f64, f64)>, at: Option<usize>, elsewhere: Option<f64>) -> Option<Over> {
        let choice = choice.map(|(from, to)| Over::Choice(from, to));
        choice.or_else(|| at.map(Over::Stop)).or_else(|| elsewhere.map(Over::Instant))
    }

    fn marks(self, scene: &Scene) -> Vec<Mark> {
        let on_axis = |draw: &dyn Fn(&TimeScale) -> Vec<Mark>| scene.time.as_ref().map(draw).unwrap_or_default();
        match self {
            Over::Stop(at) => scene.stops.get(at).map(|stop| stop.cursor.clone()).unwrap_or_default(),
            Over::Instant(when) => on_axis(&|time| time.cursor(when)),
            Over::Choice(from, to) => on_axis(&|time| time.chosen(from, to)),
        }
    }
}

/// A picture that the canvas does not show yet.
struct Owed {
    scene: Rc<Scene>,
    over: Option<Over>,
    canvas: NodeRef,
}

/// Paints a picture that the canvas does not show yet.
fn pay(owed: &RefCell<Option<Owed>>) {
    if let Some(Owed { scene, over, canvas }) = owed.take()
        && let Some(canvas) = canvas.cast::<HtmlCanvasElement>()
    {
        browser::draw(&canvas, &scene, &over.map(|over| over.marks(&scene)).unwrap_or_default());
    }
}

/// Paints `scene` with what is drawn over it when that is to be seen.
#[hook]
fn use_painting(scene: &Rc<Scene>, over: Option<Over>, around: Surroundings, canvas: &NodeRef) {
    // The read-out of a chart is always of now. Only painting waits until the chart is visible, on the screen or on paper: a
    // live run changes all charts many times a second.
    let owed = use_mut_ref(|| None::<Owed>);
    use_effect_with((scene.clone(), over, around, canvas.clone()), {
        let owed = owed.clone();
        move |(scene, over, around, canvas)| {
            let picture = Owed { scene: scene.clone(), over: *over, canvas: canvas.clone() };
            *owed.borrow_mut() = (around.width > 0.0).then_some(picture);
            if around.near {
                pay(&owed);
            } else if let Some(canvas) = canvas.cast().filter(|_| around.width > 0.0) {
                // The visible part of the page must not move when a chart above it is painted at last.
                browser::make_room(&canvas, scene);
            }
        }
    });
    use_effect_with((), move |()| {
        let listeners = before_print(move || pay(&owed));
        move || drop(listeners)
    });
}

/// The hand on the chart, a pointer, a finger or keys, and what it reads and chooses.
#[derive(Clone)]
struct Hand {
    /// Which chart.
    chart: &'static str,
    scene: Rc<Scene>,
    at: Option<usize>,
    reading: UseStateHandle<Option<Reading>>,
    /// Where a mouse was pressed, across.
    pressed: Rc<RefCell<Option<f64>>>,
    /// The part of the time that is being chosen: its two ends across.
    choice: UseStateHandle<Option<(f64, f64)>>,
    shared: Option<Shared>,
}

impl Hand {
    /// The pointer is over the chart.
    fn point(&self, event: &PointerEvent) {
        let x = f64::from(event.offset_x());
        let pressed = *self.pressed.borrow();
        match pressed.filter(|_| event.buttons() & 1 == 1) {
            Some(from) if (x - from).abs() >= DRAGGED || self.choice.is_some() => self.choice.set(Some((from, x))),
            Some(_) => {}
            None => self.find(event, false),
        }
    }

    /// The pointer is pressed. A finger reads values; a mouse that is drawn along chooses a part of the time.
    fn press(&self, event: &PointerEvent) {
        self.find(event, true);
        if event.pointer_type() != "touch" && event.button() == 0 && self.scene.time.is_some() && self.shared.is_some() {
            *self.pressed.borrow_mut() = Some(f64::from(event.offset_x()));
            if let Some(canvas) = event.target_dyn_into::<HtmlElement>() {
                // Without it the choice ends at the edge of the chart.
                let _ = canvas.set_pointer_capture(event.pointer_id());
            }
        }
    }

    /// The pointer is lifted: what it chose is shown.
    fn lift(&self) {
        *self.pressed.borrow_mut() = None;
        let Some((from, to)) = *self.choice else { return };
        self.choice.set(None);
        if let Some(window) = self.scene.time.as_ref().and_then(|time| time.between(from, to)) {
            self.reading.set(None);
            self.tell(None);
            self.show(Some(window));
        }
    }

    /// What was being chosen is not.
    fn let_go(&self) {
        *self.pressed.borrow_mut() = None;
        self.choice.set(None);
    }

    /// Reads the stop at the pointer, if there is one; `held` where the pointer was pressed.
    fn find(&self, event: &PointerEvent, held: bool) {
        let spot = (f64::from(event.offset_x()), f64::from(event.offset_y()));
        let found = reading::nearest(&self.scene.stops, spot);
        // When a finger leaves the chart, its last value stays on show.
        let held = held || event.pointer_type() == "touch";
        match (found, *self.reading) {
            (Some(at), Some(old)) if old.held && !held && self.at == Some(at) => {}
            (Some(at), _) => self.reading.set(Some(Reading::of(&self.scene, at, held))),
            (None, Some(old)) if !old.held => self.reading.set(None),
            (None, _) => {}
        }
        match (&self.scene.time, found) {
            (Some(time), _) if !time.is_read => self.tell(Some(time.at(spot.0))),
            (_, Some(at)) => self.tell(self.scene.stops[at].when),
            (_, None) => {}
        }
    }

    /// The pointer has left the chart.
    fn leave(&self) {
        if self.reading.is_some_and(|reading| !reading.held) {
            self.reading.set(None);
        }
        self.tell(None);
    }

    /// A key is pressed on the chart: to which stop it moved the cursor, if it did.
    fn key(&self, event: &KeyboardEvent) -> Option<usize> {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return None;
        }
        if event.key() == "Escape" && (self.reading.is_some() || self.choice.is_some()) {
            self.let_go();
            self.reading.set(None);
            self.tell(None);
            return None;
        }
        let zoomed = self.zoom(&event.key());
        let at = reading::moved(&self.scene.stops, self.at, &event.key()).filter(|_| !zoomed);
        if at.is_none() && !zoomed {
            return None;
        }
        event.prevent_default();
        // The page has shortcuts of its own, so a key that moved the cursor must not reach them.
        event.stop_propagation();
        let at = at?;
        self.reading.set(Some(Reading::of(&self.scene, at, true)));
        self.tell(self.scene.stops[at].when);
        Some(at)
    }

    /// Shows more or less of the time, if `key` asks for it.
    fn zoom(&self, key: &str) -> bool {
        let Some(time) = self.scene.time.as_ref().filter(|_| self.shared.is_some()) else { return false };
        let around = self.at.and_then(|at| self.scene.stops[at].when);
        match key {
            "+" | "=" => self.show(Some(time.closer(around))),
            "-" | "_" => self.show(time.wider(around)),
            "0" => self.show(None),
            _ => return false,
        }
        true
    }

    /// Shows a part of the time in every chart that has this axis; `None` shows all.
    fn show(&self, window: Option<Window>) {
        if let (Some(shared), Some(time)) = (&self.shared, &self.scene.time) {
            shared.dispatch(Act::Show(time.name.clone(), window));
        }
    }

    /// Tells the other charts which instant is read; `None` where none is any longer.
    fn tell(&self, when: Option<f64>) {
        let (Some(shared), Some(time)) = (&self.shared, &self.scene.time) else { return };
        shared.dispatch(match when {
            Some(when) => Act::Read(Instant { axis: time.name.clone(), when, chart: self.chart }),
            None => Act::Leave(self.chart),
        });
    }
}

/// Lets the stage of a chart take no more than its share of the room's height.
#[hook]
fn use_height(stage: &NodeRef, shared: Option<f64>) {
    use_effect_with((stage.clone(), shared), |(stage, shared)| {
        // Not as an attribute, which a strict site forbids.
        let style = stage.cast::<HtmlElement>().map(|stage| stage.style());
        let _ = style.map(|style| match shared {
            Some(height) => style.set_property("max-height", &format!("{}px", height + SPARE)),
            None => style.remove_property("max-height").map(drop),
        });
    });
}

/// Moves the cursor by keys; once they rest, a screen reader says where they led.
fn pressing(hand: &Hand, spoken: &UseStateHandle<String>, pause: Rc<RefCell<Option<Timeout>>>) -> Callback<KeyboardEvent> {
    let (hand, spoken) = (hand.clone(), spoken.clone());
    Callback::from(move |event: KeyboardEvent| {
        let Some(at) = hand.key(&event) else { return };
        let (text, spoken) = (hand.scene.stops[at].text.clone(), spoken.clone());
        *pause.borrow_mut() = Some(Timeout::new(SPEAK_AFTER_MS, move || spoken.set(text)));
    })
}

/// Where a chart is read.
struct Read {
    /// The stop at the instant that is read elsewhere.
    same: Option<usize>,
    /// The stop that is read, here or elsewhere.
    at: Option<usize>,
    /// The instant that is read elsewhere.
    elsewhere: Option<f64>,
}

/// Where a chart is read: at its own stop, or at the instant that another chart has, or the machine.
fn read_at(scene: &Scene, own: Option<usize>, elsewhere: Option<f64>, machine: Option<f64>) -> Read {
    let seen = |when: &f64| scene.time.as_ref().is_some_and(|time| time.place(*when).is_some());
    let elsewhere = elsewhere.or(machine.filter(seen));
    let is_read = scene.time.as_ref().is_some_and(|time| time.is_read);
    let same = elsewhere.filter(|_| is_read).and_then(|when| time::nearest(&scene.stops, when));
    Read { same, at: same.or(own.filter(|_| elsewhere.is_none())), elsewhere }
}

/// A chart with everything around it.
#[component]
pub fn ChartFrame(props: &ChartFrameProps) -> Html {
    let chart = props.chart.clone();
    let stage = use_node_ref();
    let canvas = use_node_ref();
    let around = use_surroundings(&stage);
    let reading = use_state_eq(|| None::<Reading>);
    let choice = use_state_eq(|| None::<(f64, f64)>);
    let pressed = use_mut_ref(|| None::<f64>);
    let spoken = use_state_eq(String::new);
    let pause = use_mut_ref(|| None::<Timeout>);
    let shared = use_context::<Shared>();
    let machine = use_context::<MachineAt>();
    let axis = time::axis(&chart.plot);
    let view = View { window: shared.as_ref().and_then(|shared| shared.window(axis)), height: around.shared };
    let scene = use_memo((chart.clone(), around.width, view), |(chart, width, view)| match *width > 0.0 {
        true => layout::seen(chart, *width, *view, &browser::text_width),
        // It has no room yet, or stands in a room of the model that is not shown.
        false => Scene::default(),
    });
    let own = reading.and_then(|reading| reading.stop(&scene));
    // What is read in another chart of the room, at the same instant in this one.
    let elsewhere = shared.as_ref().and_then(|shared| shared.elsewhere(axis, chart.id));
    // While nobody reads, the chart is read at the instant of the machine.
    let machine = machine.filter(|_| own.is_none()).and_then(|machine| machine.on(axis));
    let Read { same, at, elsewhere } = read_at(&scene, own, elsewhere, machine);
    let over = Over::of(*choice, at, elsewhere);
    use_height(&stage, around.shared);
    use_painting(&scene, over, around, &canvas);
    let hand = Hand { chart: chart.id, scene: scene.clone(), at: own, reading: reading.clone(), pressed, choice, shared };
    let press = pressing(&hand, &spoken, pause);
    let on = |act: fn(&Hand, &PointerEvent)| {
        let hand = hand.clone();
        Callback::from(move |event: PointerEvent| act(&hand, &event))
    };
    let empty = matches!(chart.plot, Plot::Nothing(_));
    let shown = at.map(|at| scene.stops[at].text.as_str());
    let held = same.is_none() && reading.is_some_and(|reading| reading.held);
    let keys = if scene.time.is_some() { " Plus and minus zoom in time, 0 shows all of it." } else { "" };
    html! {
        <figure class={classes!("chart", matches!(chart.plot, Plot::Spans(_)).then_some("wide"))} id={format!("chart-{}", chart.id)}>
            <figcaption class="chart-caption">
                { whole_time(&hand) }
                <h3 class="chart-title">{ &chart.title }</h3>
                <p class="chart-summary">{ for sentences(&chart.summary) }</p>
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
                        aria-label={format!("{}. {} Arrow keys read out the values.{keys}", chart.title, chart.summary)}
                        onpointermove={on(Hand::point)}
                        onpointerdown={on(Hand::press)}
                        onpointerup={on(|hand, _| hand.lift())}
                        onpointercancel={on(|hand, _| hand.let_go())}
                        onpointerleave={on(|hand, _| hand.leave())}
                        onkeydown={press}
                    />
                }
            </div>
            if !empty {
                <p class="chart-readout pieces">{ read_out(shown, held, &scene, &chart) }</p>
                <p class="visually-hidden" role="status">{ &*spoken }</p>
                <More chart={chart.clone()} canvas={canvas} />
            }
        </figure>
    }
}

/// The sentences of a summary. A low chart shows those that fit whole.
fn sentences(summary: &str) -> impl Iterator<Item = Html> {
    summary.split_inclusive(". ").map(|sentence| html! { <span>{ sentence.to_string() }</span> })
}

/// The button that shows all of the time again, where only a part is shown.
fn whole_time(hand: &Hand) -> Html {
    let Some(time) = hand.scene.time.as_ref().filter(|time| time.is_part()) else { return Html::default() };
    let back = {
        let hand = hand.clone();
        Callback::from(move |_: MouseEvent| hand.show(None))
    };
    let (from, to) = time.shown;
    let shown = format!("{} to {} s are shown. Shows all of the time in every chart of the room.", short(from), short(to));
    html! { <button type="button" class="chart-whole" onclick={back} title={shown}>{ "Whole time" }</button> }
}

/// The values under the cursor; after a click, with the sources of the runs that they name.
fn read_out(shown: Option<&str>, held: bool, scene: &Scene, chart: &Chart) -> Html {
    let Some(text) = shown else {
        return match scene.rest.and_then(|rest| scene.stops.get(rest)) {
            Some(stop) => in_pieces(&stop.text),
            None => html! { <span class="chart-hint">{ "Point at it, or use the arrow keys." }</span> },
        };
    };
    let named = chart.sources.iter().filter(|source| held && text.contains(source.run.as_str()));
    let citation =
        |source: &Source| html! { <span class="chart-citation">{ format!("{}: {}", source.run, source.citation) }</span> };
    html! { <>{ in_pieces(text) }{ for named.map(citation) }</> }
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
