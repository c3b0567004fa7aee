//! The dots: each I/O and each message on its course. Between two frames they go on as far as their course tells, some 30 times a
//! second; where drawing takes the browser long, less often, because runs want the processors too.

use std::rc::Rc;

use gloo_render::{AnimationFrame, request_animation_frame};
use gloo_timers::callback::Timeout;
use yew::prelude::*;
use zvmlab_lab::machine::svg::{dot_path, n};
use zvmlab_lab::machine::{Dot, Frame, Scene};

use crate::page;

/// Wall time that a picture goes on without a new frame: then the worker is late, and the picture waits for it.
const GOES_ON_MS: f64 = 400.0;

/// Wall time that is left before the next picture: of a screen's 60 frames a second, each other one is a picture. Chosen: a dot that
/// crosses the machine in seconds looks as even as with all of them, and a page that is only looked at takes half the processor.
const REST_MS: f64 = 20.0;

/// Wall time from which a picture is slow. Then as much time as it took is left before the next one. Chosen: at fewer than 25 a second
/// they do not look like a motion anyway.
const SLOW_MS: f64 = 40.0;

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
    /// Wall time at which the next picture was asked for.
    asked_ms: f64,
    /// Wall time that is left before the next picture.
    pause_ms: f64,
    due: Option<Due>,
}

/// The next picture. Dropped, it does not come.
enum Due {
    /// With the browser's next frame.
    Frame { _frame: AnimationFrame },
    /// With the frame after a pause.
    Later { _pause: Timeout },
}

/// What the dots are told.
pub enum Msg {
    /// A frame of the browser: wall time has passed.
    Moved,
    /// The pause is over.
    Rested,
}

impl Component for Dots {
    type Message = Msg;
    type Properties = DotsProps;

    fn create(ctx: &Context<Self>) -> Self {
        let mut dots = Dots { now_ns: 0.0, since_ms: 0.0, asked_ms: 0.0, pause_ms: 0.0, due: None };
        dots.begin(ctx);
        dots
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &DotsProps) -> bool {
        if ctx.props().frame != old.frame || ctx.props().scene.now_ns != old.scene.now_ns {
            self.begin(ctx);
        }
        true
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        self.due = None;
        if matches!(msg, Msg::Rested) {
            self.ask(ctx);
            return false;
        }
        let passed_ms = (page::now_ms() - self.since_ms).min(GOES_ON_MS);
        let props = ctx.props();
        self.now_ns = props.scene.now_ns as f64 + passed_ms * 1e6 * props.frame.speed;
        if passed_ms < GOES_ON_MS {
            let took_ms = page::now_ms() - self.asked_ms;
            // Nothing is drawn while the page is hidden, which tells nothing of the browser.
            self.pause_ms = if took_ms > SLOW_MS { took_ms.min(GOES_ON_MS) } else { REST_MS };
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

    /// Waits for the next picture, if things move. One that is due stays so: frames of the run come faster than slow pictures, and would
    /// put it off for ever.
    fn go_on(&mut self, ctx: &Context<Self>) {
        let frame = &ctx.props().frame;
        let moves = frame.speed > 0.0 && frame.courses && page::window().is_some() && !page::prefers_less_motion();
        if !moves {
            self.due = None;
        } else if self.due.is_some() {
            // It will show the frame that has come meanwhile.
        } else if self.pause_ms > 0.0 {
            let link = ctx.link().clone();
            let pause = Timeout::new(self.pause_ms as u32, move || link.send_message(Msg::Rested));
            self.due = Some(Due::Later { _pause: pause });
        } else {
            self.ask(ctx);
        }
    }

    fn ask(&mut self, ctx: &Context<Self>) {
        let link = ctx.link().clone();
        self.asked_ms = page::now_ms();
        let frame = request_animation_frame(move |_| link.send_message(Msg::Moved));
        self.due = Some(Due::Frame { _frame: frame });
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
