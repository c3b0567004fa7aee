//! The picture of the machine: paints the scene of [`zvmlab_lab::machine`], moves its dots, and lets a reader walk along the
//! flow by keys.

mod dots;
mod handles;

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::SvgElement;
use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::limit::ResourceKind;
use zvmlab_lab::lesson::play::Did;
use zvmlab_lab::machine::build::{Act, groups_of, handles};
use zvmlab_lab::machine::key::key;
use zvmlab_lab::machine::svg::{anchor, file, n};
use zvmlab_lab::machine::walk::{self, Way};
use zvmlab_lab::machine::{Fit, Form, Frame, Kind, Mark, Part, Scene, Shape, View, words};
use zvmlab_lab::room::Anchor;

use crate::chart::browser::save_as_png;
use crate::chart::in_pieces;
use crate::chart::linked::Seen;
use crate::chart::watch::use_surroundings;
use crate::feed::{Feed, use_feed};
use crate::msg::{Msg, Only};
use crate::page;
use dots::Dots;
use handles::Handles;

/// Width of a picture that is saved as a file, in CSS pixels.
const FILE_WIDTH: f64 = 1_100.0;

/// What stands over the picture while the reader builds and points at nothing.
const BUILDING: &str = "+ adds, − takes away";

/// The data of the picture.
#[derive(Clone, PartialEq, Properties)]
pub struct MachineProps {
    /// What is shown, as the page knows it.
    pub frame: Option<Frame>,
    /// Brings what comes later.
    pub feed: Feed<Frame>,
    /// The form that shows what the subject is about.
    pub form: Form,
    /// What limits the run.
    pub limits: Option<ResourceKind>,
    /// Whether a lesson asks what limits: a part then answers instead of opening.
    #[prop_or_default]
    pub asks: bool,
    /// Whether a lesson holds the host: no parts can then be added.
    #[prop_or_default]
    pub held: bool,
    /// The transport, beneath the picture.
    pub children: Html,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The page's own frame, until one is fed that follows it.
#[hook]
fn use_newest(own: &Option<Frame>, fed: Option<Frame>) -> Option<Frame> {
    let newest = use_mut_ref(|| (None::<Frame>, None::<Frame>));
    let mut newest = newest.borrow_mut();
    if newest.0 != *own {
        *newest = (own.clone(), own.clone());
    } else if let Some(fed) = &fed
        && newest.1.as_ref().is_some_and(|newest| fed.follows(newest))
    {
        newest.1 = Some(fed.clone());
    }
    newest.1.clone()
}

/// Saves the picture of a frame as a file.
fn saving(frame: Option<Frame>, form: Form, limits: Option<ResourceKind>, png: bool) -> Callback<MouseEvent> {
    Callback::from(move |_| {
        let Some(frame) = &frame else { return };
        let scene = view(frame, form, limits).scene(FILE_WIDTH);
        let svg = file(&scene, &words::title(frame));
        if png {
            save_as_png(&svg, (scene.width, scene.height), "zvmlab-machine.png");
        } else {
            let _ = page::download("zvmlab-machine.svg", "image/svg+xml", &svg);
        }
    })
}

/// The picture, and its transport.
#[component]
pub fn Machine(props: &MachineProps) -> Html {
    let stage = use_node_ref();
    let around = use_surroundings(&stage);
    let fed = use_feed(&props.feed);
    let frame = use_newest(&props.frame, fed);
    // The whole host is one click from every other form.
    let whole = use_state_eq(|| false);
    let building = use_state_eq(|| false);
    let pointed = use_state_eq(|| None::<Act>);
    let builds = *building && !props.held;
    let form = if *whole { Form::Pipeline } else { props.form };
    let fitted = use_mut_ref(|| None::<Fitted>);
    let drawn = {
        let of = (frame.clone(), (around.width, around.height), props.limits, form);
        use_memo(of, |(frame, place, limits, form)| {
            let frame = frame.as_ref().filter(|_| place.0 >= 1.0)?;
            Some(draw(&mut fitted.borrow_mut(), view(frame, *form, *limits), frame, *place))
        })
    };
    let save = |png: bool| saving(frame.clone(), form, props.limits, png);
    let switch = {
        let whole = whole.clone();
        Callback::from(move |_| whole.set(!*whole))
    };
    let build = {
        let building = building.clone();
        Callback::from(move |_| building.set(!*building))
    };
    // What a button does changes with each press.
    let does = |act: Act| {
        let ((scene, _), frame) = ((*drawn).as_ref()?, frame.as_ref()?);
        let turns = handles(scene, &frame.scenario).into_iter().flat_map(|one| [one.less, one.more]).flatten();
        turns.into_iter().find(|turn| turn.act == act).map(|turn| turn.label)
    };
    let said = pointed.filter(|_| builds).and_then(does).unwrap_or_else(|| BUILDING.into());
    // What limits may be no part of this form.
    let elsewhere = props.limits.is_some_and(|limit| Kind::of(limit).is_some())
        && drawn.as_ref().as_ref().is_some_and(|(scene, _)| !scene.parts.iter().any(|part| part.limits));
    html! {
        <section class="card machine" id="machine" aria-labelledby="machine-title">
            <div class="card-head">
                <h2 id="machine-title" tabindex="-1">{ "The machine" }</h2>
                if let Some(frame) = &frame {
                    <span class="unit pieces" aria-hidden={builds.to_string()}>{ in_pieces(&if builds { said.clone() } else { words::title(frame) }) }</span>
                    if props.form != Form::Pipeline {
                        <button type="button" class={classes!("plain", elsewhere.then_some("limits-there"))} onclick={switch}
                            title={elsewhere.then_some("What limits is shown there")}>
                            { if !*whole { "Whole host" } else if props.form == Form::Members { "Members" } else { "Lists" } }
                            if elsewhere { <span>{ ": what limits" }</span> }
                        </button>
                    }
                    if !props.held {
                        <button type="button" class="plain" aria-pressed={building.to_string()} onclick={build}
                            title="Add parts in the picture, or take them away">{ "Build" }</button>
                    }
                    if let Some((scene, _)) = (*drawn).as_ref() { { colours(scene) } }
                    <span class="saves">
                        <button type="button" class="plain" onclick={save(false)} title="Save the picture as it is now">{ "SVG" }</button>
                        <button type="button" class="plain" onclick={save(true)} title="Save the picture as it is now">{ "PNG" }</button>
                    </span>
                }
            </div>
            <div class="stage" ref={stage}>
                if let (Some((scene, scale)), Some(frame)) = ((*drawn).as_ref(), &frame) {
                    <Picture scene={scene.clone()} scale={*scale} frame={frame.clone()} building={builds.then(|| { let pointed = pointed.setter(); Callback::from(move |what| pointed.set(what)) })} asks={props.asks} on={props.on.clone()} />
                }
            </div>
            <ContextProvider<Seen> context={Seen::of(frame.as_ref())}>{ props.children.clone() }</ContextProvider<Seen>>
        </section>
    }
}

/// What the colours mean.
fn colours(scene: &Scene) -> Html {
    let entry = |(patch, words): (Mark, &'static str)| {
        html! {
            <li><svg viewBox="0 0 12 12" aria-hidden="true"><path class={patch.class()} d={patch.path()} /></svg>{ words }</li>
        }
    };
    html! { <details class="key"><summary>{ "Colours" }</summary><ul>{ for key(scene).into_iter().map(entry) }</ul></details> }
}

/// How the picture of a host fits into a place, so that its size stays while it runs.
struct Fitted {
    host: Rc<Scenario>,
    form: Form,
    place: (f64, f64),
    fit: Fit,
}

/// What is drawn of a frame.
fn view(frame: &Frame, form: Form, limits: Option<ResourceKind>) -> View<'_> {
    View { form, scenario: &frame.scenario, snapshot: &frame.sample.snapshot, rates: &frame.rates, limits }
}

/// The scene in its place, and how many CSS pixels a pixel of it has. Where the page has no height for it, it has its own.
fn draw(fitted: &mut Option<Fitted>, view: View, frame: &Frame, place: (f64, Option<f64>)) -> (Rc<Scene>, f64) {
    let (width, Some(height)) = place else { return (Rc::new(view.scene(place.0)), 1.0) };
    let place = (width, height);
    let same = |fitted: &&Fitted| {
        (fitted.form, fitted.place) == (view.form, place)
            && (Rc::ptr_eq(&fitted.host, &frame.scenario) || fitted.host == frame.scenario)
    };
    let known = fitted.as_ref().filter(same).map(|fitted| fitted.fit);
    let mut fit = known.unwrap_or_else(|| view.fit(place));
    let mut scene = view.fitted(place, fit);
    // What moves may need more room than before: guests in the lists.
    if known.is_some() && scene.height * fit.scale > height + 1.0 {
        fit = view.fit(place);
        scene = view.fitted(place, fit);
    }
    *fitted = Some(Fitted { host: frame.scenario.clone(), form: view.form, place, fit });
    (Rc::new(scene), fit.scale)
}

/// The data of the painted scene.
#[derive(Clone, PartialEq, Properties)]
struct PictureProps {
    scene: Rc<Scene>,
    /// CSS pixels for each pixel of the scene.
    scale: f64,
    frame: Frame,
    /// If the reader builds, and parts can be added and taken away: told at which button the reader points.
    building: Option<Callback<Option<Act>>>,
    /// Whether a lesson asks what limits.
    asks: bool,
    on: Callback<Msg>,
}

/// The scene as SVG, with one part at a time in the order of the Tab key.
#[component]
fn Picture(props: &PictureProps) -> Html {
    let at = use_state_eq(|| None::<(Kind, usize)>);
    let parts = &props.scene.parts;
    let current = at.filter(|at| parts.iter().any(|part| part.id == *at)).or(parts.first().map(|part| part.id));
    let onkeydown = {
        let (scene, host, at, on) = (props.scene.clone(), props.frame.scenario.clone(), at.setter(), props.on.clone());
        let asks = props.asks;
        Callback::from(move |event: KeyboardEvent| {
            let Some(current) = current else { return };
            let way = match event.key().as_str() {
                "ArrowLeft" => Way::Left,
                "ArrowRight" => Way::Right,
                "ArrowUp" => Way::Up,
                "ArrowDown" => Way::Down,
                "Enter" | " " => {
                    event.prevent_default();
                    return open(&scene, current, &host, asks, &on);
                }
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            if let Some(next) = walk::next(&scene, current, way) {
                at.set(Some(next));
                focus(&element_id(next));
            }
        })
    };
    let (w, h) = (n(props.scene.width), n(props.scene.height));
    let (across, down) = (n(props.scene.width * props.scale), n(props.scene.height * props.scale));
    let drawn = |part: &Part| {
        html! { <g key={element_id(part.id)} class={part.limits.then_some("limits")}>{ for part.marks.iter().map(mark) }</g> }
    };
    // What a reader points at lies over what is drawn: its name is its own, and not the words of the drawing.
    let part = |part: &Part| {
        let (id, (x, y, width, height)) = (part.id, part.place);
        let opened = opened(part, &props.frame.scenario, props.asks);
        let (open, reached) = (props.on.reform(move |_: MouseEvent| opened.clone()), at.setter());
        let label = format!("{}, {}", part.name, part.state);
        html! {
            <g key={element_id(id)} id={element_id(id)} class="part" role="button"
                tabindex={if Some(id) == current { "0" } else { "-1" }} aria-label={label.clone()} onclick={open}
                onfocus={Callback::from(move |_| reached.set(Some(id)))}>
                <title>{ label }</title>
                <rect x={n(x)} y={n(y)} width={n(width)} height={n(height)} rx="4" />
            </g>
        }
    };
    // A part may lie across others, as the row of a volume lies across the paths. Where one is asked for, the smaller is on top.
    let mut over: Vec<&Part> = parts.iter().collect();
    if props.asks {
        over.sort_by(|a, b| (b.place.2 * b.place.3).total_cmp(&(a.place.2 * a.place.3)));
    }
    html! {
        <svg class="picture" viewBox={format!("0 0 {w} {h}")} width={across} height={down} role="group"
            aria-label="The machine; arrow keys walk along it" {onkeydown}>
            <g aria-hidden="true">{ for props.scene.ground.iter().map(mark) }</g>
            <g aria-hidden="true">{ for parts.iter().map(drawn) }</g>
            // In a group of their own, so that each is known by its key when their number changes.
            <g>{ for over.into_iter().map(part) }</g>
            <Dots scene={props.scene.clone()} frame={props.frame.clone()} />
            if let Some(point) = &props.building { <Handles scene={props.scene.clone()} scale={props.scale} scenario={props.frame.scenario.clone()} {point} on={props.on.clone()} /> }
        </svg>
    }
}

/// Opens a part: its room and its knobs.
fn open(scene: &Scene, id: (Kind, usize), host: &Scenario, asks: bool, on: &Callback<Msg>) {
    if let Some(part) = scene.parts.iter().find(|part| part.id == id) {
        on.emit(opened(part, host, asks));
    }
}

fn opened(part: &Part, host: &Scenario, asks: bool) -> Msg {
    if asks {
        return Msg::Learn(Did::PointAt(part.id.0, format!("{}: {}", part.name, part.state)));
    }
    Msg::OpenPart(Anchor::Room(part.room), Only { name: part.name.clone(), groups: groups_of(part.id, host) })
}

fn element_id((kind, index): (Kind, usize)) -> String {
    format!("machine-{}-{index}", kind.word())
}

/// Gives the focus to a part.
fn focus(id: &str) {
    let element = page::document().and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.as_ref().and_then(|element| element.dyn_ref::<SvgElement>()) {
        let _ = element.focus();
    }
}

fn mark(mark: &Mark) -> Html {
    let class = mark.class();
    match (&mark.shape, mark.path()) {
        (Shape::Text((x, y), align, _, text), _) => {
            html! { <text {class} x={n(*x)} y={n(*y)} text-anchor={anchor(*align)}>{ text }</text> }
        }
        (_, Some(d)) => html! { <path {class} {d} /> },
        (_, None) => Html::default(),
    }
}
