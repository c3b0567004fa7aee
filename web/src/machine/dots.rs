//! The dots: each I/O and each message on its course. Between two frames they go on as far as their course tells, 60 times a second.

use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use yew::prelude::*;
use zvmlab_lab::machine::svg::{dot_path, n};
use zvmlab_lab::machine::{Dot, Frame, Scene};

use crate::page;

/// Wall time that a picture goes on without a new frame: then the worker is late, and the picture waits for it.
const GOES_ON_MS: f64 = 400.0;

/// The data of the dots.
#[derive(Clone, PartialEq, Properties)]
pub struct DotsProps {
    /// The scene with the dots.
    pub scene: Rc<Scene>,
    /// How fast time goes by, and whether courses are shown.
    pub frame: Frame,
}

/// The dots.
pub struct Dots {
    /// Simulated time that is shown, in nanoseconds.
    now_ns: f64,
    /// Wall time at which the present frame came.
    since_ms: f64,
    due: Option<AnimationFrame>,
}

impl Component for Dots {
    /// Wall time has passed.
    type Message = ();
    type Properties = DotsProps;

    fn create(ctx: &Context<Self>) -> Self {
        let mut dots = Dots { now_ns: 0.0, since_ms: 0.0, due: None };
        dots.begin(ctx);
        dots
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &DotsProps) -> bool {
        if ctx.props().frame != old.frame || ctx.props().scene.now_ns != old.scene.now_ns {
            self.begin(ctx);
        }
        true
    }

    fn update(&mut self, ctx: &Context<Self>, (): ()) -> bool {
        self.due = None;
        let passed_ms = (page::now_ms() - self.since_ms).min(GOES_ON_MS);
        let props = ctx.props();
        self.now_ns = props.scene.now_ns as f64 + passed_ms * 1e6 * props.frame.speed;
        if passed_ms < GOES_ON_MS {
            self.go_on(ctx);
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let DotsProps { scene, frame } = ctx.props();
        // At speed, those on their way are over before an eye can follow them. Those that wait stay for longer.
        let shown = |dot: &&Dot| frame.courses || dot.waits();
        html! { <g class="dots" aria-hidden="true">{ for scene.dots.iter().filter(shown).map(|dot| self.dot(dot)) }</g> }
    }
}

impl Dots {
    /// Another frame: time begins at its instant.
    fn begin(&mut self, ctx: &Context<Self>) {
        self.now_ns = ctx.props().scene.now_ns as f64;
        self.since_ms = page::now_ms();
        self.go_on(ctx);
    }

    fn go_on(&mut self, ctx: &Context<Self>) {
        let frame = &ctx.props().frame;
        let moves = frame.speed > 0.0 && frame.courses && page::window().is_some() && !page::prefers_less_motion();
        self.due = moves.then(|| {
            let link = ctx.link().clone();
            request_animation_frame(move |_| link.send_message(()))
        });
    }

    fn dot(&self, dot: &Dot) -> Html {
        let (x, y) = dot.course.at(self.now_ns);
        let transform = format!("translate({} {})", n(x), n(y));
        html! {
            <path key={dot.key()} class={classes!("dot", dot.tone.class())} d={dot_path(dot.form(), 0.0, 0.0)} {transform}>
                <title>{ dot.words() }</title>
            </path>
        }
    }
}
