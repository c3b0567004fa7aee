//! The page in a frame: it hears its parent's messages and tells it of events, as `EMBED.md` says.

use serde_json::{Value, json};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, Window};

use super::{App, height};
use crate::page;
use zvmlab_lab::address::query::Query;
use zvmlab_lab::bench::live::Phase;
use zvmlab_lab::embed::{self, Refusal, Request};
use zvmlab_lab::lesson::list::LESSONS;
use zvmlab_lab::lesson::play::Play;
use zvmlab_lab::lesson::play::statement::{between, bound};
use zvmlab_lab::published::is_run;

/// The page's parent, if the page is embedded and the parent may listen.
#[derive(Debug, Default)]
pub struct Parent {
    /// Whether messages are switched on.
    on: bool,
    /// Whether the parent was told that the page is ready: that it answers. Its first result may take longer.
    ready: bool,
    /// Origins that may speak and listen.
    allowed: Vec<String>,
    /// The origin that listens.
    origin: Option<String>,
    /// Ids of messages that the next result answers.
    waiting: Vec<Value>,
    /// What the parent was told last of the lesson.
    lesson: Value,
    /// The way through the lesson as it was then.
    play: Option<Play>,
    /// The height that the parent was told last, in CSS pixels.
    height: Option<u32>,
    /// Steps of the live run that are still to take, with the ids of the messages that asked for them.
    steps: Vec<(u64, Value)>,
}

impl Parent {
    /// The query's settings for the parent.
    pub fn new(query: &Query) -> Parent {
        let mut allowed = query.origins.clone();
        allowed.extend(page::window().and_then(|window| window.location().origin().ok()).filter(|own| own != "null"));
        let origin = if query.embed { parent_origin().filter(|origin| allowed.contains(origin)) } else { None };
        Parent { on: query.embed, allowed, origin, ..Parent::default() }
    }
}

/// The window that holds this page's frame.
fn parent_window() -> Option<Window> {
    let window = page::window()?;
    let parent = window.parent().ok()??;
    (JsValue::from(window) != JsValue::from(parent.clone())).then_some(parent)
}

/// The parent's origin, if the browser tells it.
fn parent_origin() -> Option<String> {
    parent_window()?;
    let ancestors: JsValue =
        js_sys::Reflect::get(page::window()?.location().as_ref(), &JsValue::from_str("ancestorOrigins")).ok()?;
    if let Some(ancestors) = ancestors.dyn_ref::<web_sys::DomStringList>() {
        return ancestors.item(0);
    }
    let referrer = page::document()?.referrer();
    web_sys::Url::new(&referrer).ok().map(|url| url.origin())
}

impl App {
    /// The parent has sent a message.
    pub(super) fn hear_parent(&mut self, event: &MessageEvent) {
        let from_parent = || Some(JsValue::from(event.source()?) == JsValue::from(parent_window()?));
        if !self.parent.on || !self.parent.allowed.contains(&event.origin()) || from_parent() != Some(true) {
            return;
        }
        let Some((id, request)) = value_of(&event.data()).as_ref().and_then(embed::read) else { return };
        self.parent.origin = Some(event.origin());
        match request {
            Ok(request) => self.obey(id, request),
            Err(refusal) => self.tell_error(&id, &refusal),
        }
    }

    fn obey(&mut self, id: Value, request: Request) {
        match request {
            Request::Hello if self.parent.ready => {
                self.tell("ready", &id, self.ready_fields());
                self.tell_lesson();
                self.tell_height();
                // The parent missed the first result if the page did not know its origin then, so send the result now.
                if self.parent.waiting.is_empty() {
                    self.tell_result();
                }
                return;
            }
            // The answer comes as soon as the page is ready.
            Request::Hello => return,
            Request::Get => {}
            Request::Set { scenario, run, seed } => return self.set(id, scenario, run, seed),
            Request::Run { speed } => {
                self.runner.live.speed = speed.unwrap_or(self.runner.live.speed);
                self.set_running(true);
            }
            Request::Pause => self.set_running(false),
            Request::Step => {
                if let Some(step) = self.take_step() {
                    return self.parent.steps.push((step, id));
                }
            }
            Request::Reset => {
                self.parent.waiting.push(id);
                return self.reset();
            }
        }
        self.tell("state", &id, self.state_fields());
    }

    fn set(&mut self, id: Value, scenario: Option<Box<zvmlab::Scenario>>, run: Option<String>, seed: Option<u64>) {
        let seed = seed.unwrap_or(self.bench.seed);
        self.parent.waiting.push(id);
        // Another host is none of the lesson's.
        if self.lessons.open.is_some() {
            self.leave_lesson();
        }
        self.bench.seed = seed;
        match (scenario, run) {
            (Some(scenario), _) => self.bench.put(*scenario, seed),
            (None, Some(run)) => self.bench.choose(&run),
            (None, None) => self.bench.put(self.bench.scenario.clone(), seed),
        }
        self.bench_changed();
    }

    /// Tells the parent that the page is ready. Results follow when they come.
    pub(super) fn tell_ready(&mut self) {
        self.parent.ready = true;
        self.tell("ready", &Value::Null, self.ready_fields());
        self.tell_lesson();
        self.tell_height();
    }

    /// Sends the parent the result: as the answer to every message that waits for it, or without being asked.
    pub(super) fn tell_result(&mut self) {
        let Some(settled) = self.bench.settled.clone().filter(|_| self.parent.on && self.parent.ready) else { return };
        let fields = json!({
            "scenario": serde_json::to_value(&settled.scenario).unwrap_or_default(),
            "seed": settled.seed.to_string(),
            "digest": format!("{:016x}", settled.digest),
            "run": self.bench.current_run(),
            "figures": embed::figures(&settled.measurement),
            "steadiness": embed::steadiness(&settled.measurement),
            "link": self.link(),
        });
        let mut ids = std::mem::take(&mut self.parent.waiting);
        if ids.is_empty() {
            ids.push(Value::Null);
        }
        for id in ids {
            self.tell("result", &id, fields.clone());
        }
    }

    /// Tells the parent how far the learner is in the lesson, where that has changed.
    pub(super) fn tell_lesson(&mut self) {
        let hears = self.parent.on && self.parent.ready && self.parent.origin.is_some();
        let Some(play) = self.lessons.open.as_ref().filter(|_| hears) else { return };
        let steps = play.lesson().steps.len();
        let (got, of) = play.score(&self.bench);
        let fields = json!({
            "lesson": play.lesson().id,
            "title": play.lesson().title,
            "step": (play.at() + 1).min(steps),
            "steps": steps,
            "ended": play.at() >= steps,
            "score": { "got": got, "of": of },
            "kept": play.kept(),
        });
        let statements = match &self.parent.play {
            Some(told) if told.lesson() == play.lesson() => between(told, play, &self.bench),
            Some(told) => vec![bound(told, "terminated"), bound(play, "initialized")],
            None => vec![bound(play, "initialized")],
        };
        self.parent.play = Some(play.clone());
        for statement in statements {
            self.tell("statement", &Value::Null, json!({ "statement": statement }));
        }
        if self.parent.lesson != fields {
            self.parent.lesson = fields.clone();
            self.tell("lesson", &Value::Null, fields);
        }
    }

    /// Tells the parent how high the page is, where that has changed.
    pub(super) fn tell_height(&mut self) {
        let height = height::now().filter(|_| self.parent.ready && self.parent.origin.is_some());
        if height.is_none() || self.parent.height == height {
            return;
        }
        self.parent.height = height;
        self.tell("height", &Value::Null, json!({ "height": height }));
    }

    /// Tells the parent that the learner leaves the lesson.
    pub(super) fn tell_lesson_ends(&mut self) {
        let Some(play) = self.parent.play.take() else { return };
        self.parent.lesson = Value::Null;
        self.tell("statement", &Value::Null, json!({ "statement": bound(&play, "terminated") }));
    }

    /// Answers the messages whose steps of the live run were taken or given up.
    pub(super) fn tell_steps(&mut self) {
        let taken: Vec<(u64, Value)> =
            self.parent.steps.extract_if(.., |(step, _)| self.runner.live.is_stepped(*step)).collect();
        for (_, id) in taken {
            self.tell("state", &id, self.state_fields());
        }
    }

    /// Tells the parent what went wrong.
    pub(super) fn tell_error(&self, id: &Value, refusal: &Refusal) {
        self.tell("error", id, embed::error(refusal));
    }

    fn ready_fields(&self) -> Value {
        let runs: Vec<&str> = self.published.iter().map(|run| run.id.as_str()).collect();
        let examples: Vec<&str> = zvmlab_lab::published::ready::examples().iter().map(|ready| ready.example.id).collect();
        json!({ "version": zvmlab_lab::address::MODEL, "runs": runs, "examples": examples, "lessons": LESSONS.iter().map(|plate| plate.id).collect::<Vec<_>>(), "link": self.link() })
    }

    fn state_fields(&self) -> Value {
        let live = (self.runner.live.phase != Phase::Off).then(|| {
            json!({
                "running": self.runner.live.running,
                "filling": self.runner.live.phase == Phase::Filling,
                "now_s": self.runner.live.at.as_ref().map_or(0.0, |at| at.now_ns as f64 / 1e9),
                "speed": self.runner.live.speed,
            })
        });
        json!({
            "scenario": serde_json::to_value(&self.bench.scenario).unwrap_or_default(),
            "seed": self.bench.seed.to_string(),
            "busy": self.bench.queue.is_current_due(),
            "live": live,
            "run": self.bench.current_run().filter(|id| is_run(id)),
            "link": self.link(),
        })
    }

    /// Sends a message to the parent, if one listens.
    fn tell(&self, kind: &str, id: &Value, fields: Value) {
        let (Some(origin), Some(parent)) = (&self.parent.origin, parent_window()) else { return };
        let text = embed::write(kind, id, fields).to_string();
        let object: Result<JsValue, JsValue> = js_sys::JSON::parse(&text);
        if let Ok(object) = object {
            // The parent may have gone to another page. Then nobody listens.
            let _ = parent.post_message(&object, origin);
        }
    }
}

/// A message's data as JSON; `None` if it has no JSON.
fn value_of(data: &JsValue) -> Option<Value> {
    let text: js_sys::JsString = js_sys::JSON::stringify(data).ok()?;
    serde_json::from_str(&text.as_string()?).ok()
}
