//! The page's side of a worker: starts it, gives it the engine and jobs, and hears its answers and failures.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use js_sys::{JsString, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::Callback;
use yew::platform::spawn_local;

use zvmlab_lab::worker::wire::{self, Answer, Job};

/// The address of the worker's script, relative to the page.
const SCRIPT: &str = "./static/worker.js";

/// The place where jobs are done.
#[derive(Clone, Copy, Debug, Default)]
pub enum Place {
    /// In workers, as on the real page.
    #[default]
    Workers,
    /// In the page itself, by this function; for tests, which have no worker's script.
    Page(fn(&[u8]) -> Vec<u8>),
    /// Nowhere, for the first screen, which is drawn when the site is built: no job is ever done.
    Nowhere,
}

/// Two places are equal if they are of one kind: a page has at most one function.
impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// A message from a worker.
#[derive(Clone, Debug)]
pub enum Heard {
    /// It has done its job; the answer.
    Answer(Answer),
    /// It has failed and cannot be used any more; the reason in words.
    Failed(String),
}

/// The first script keeps the promise of the engine under this name: one download serves all workers.
const ENGINE: &str = "zvmlabEngine";

/// From how many bytes on an answer is read in one task and heard in the next: reading it may take as long as drawing what it says.
const LONG: u32 = 65_536;

/// Who does the jobs.
enum Doer {
    Worker(Worker),
    Page(fn(&[u8]) -> Vec<u8>),
    Nobody,
}

/// A worker that stands behind the reader's own experiment.
struct Behind {
    worker: Worker,
    /// Whether who gave it its job has it hold.
    held: Cell<bool>,
    /// Whether the reader goes first.
    passed: Cell<bool>,
}

impl Behind {
    /// Sets one of the two, `why`, and tells the worker where it holds now and did not before, or the other way round. Whether that could be told.
    fn set(&self, why: &Cell<bool>, holds: bool) -> bool {
        let is_held = || self.held.get() || self.passed.get();
        let before = is_held();
        why.set(holds);
        is_held() == before || self.worker.post_message(&JsValue::from_bool(!before)).is_ok()
    }
}

thread_local! {
    /// The workers that stand behind, and whether the reader goes first.
    static BEHIND: RefCell<(bool, Vec<Weak<Behind>>)> = const { RefCell::new((false, Vec::new())) };
}

/// Has all workers of batches hold as long as the reader goes first. A batch itself hears of a turn only when its part of the page is drawn,
/// and would take the processors from page and experiment until then.
pub fn reader_goes_first(first: bool) {
    BEHIND.with_borrow_mut(|(is_first, workers)| {
        if *is_first != first {
            *is_first = first;
            workers.retain(|worker| worker.upgrade().is_some_and(|worker| worker.set(&worker.passed, first)));
        }
    });
}

/// A worker of the page. It ends at once when it is dropped.
pub struct Helper {
    behind: Option<Rc<Behind>>,
    doer: Doer,
    alive: Rc<Cell<bool>>,
    /// Bytes of memory that the pages of its last host need.
    needs: Rc<Cell<u64>>,
    heard: Callback<Heard>,
    _listeners: Vec<EventListener>,
}

impl Helper {
    /// Starts a worker; `heard` gets every message of the worker.
    ///
    /// # Errors
    /// Why the browser cannot start one.
    pub fn start(place: Place, heard: Callback<Heard>) -> Result<Helper, String> {
        let (alive, needs) = (Rc::new(Cell::new(true)), Rc::new(Cell::new(0)));
        let without_worker = match place {
            Place::Workers => None,
            Place::Page(work) => Some(Doer::Page(work)),
            Place::Nowhere => Some(Doer::Nobody),
        };
        if let Some(doer) = without_worker {
            return Ok(Helper { behind: None, doer, alive, needs, heard, _listeners: Vec::new() });
        }
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(SCRIPT, &options)
            .map_err(|error| format!("The browser starts no worker: {}.", text_of(&error)))?;
        let listeners = vec![on_message(&worker, needs.clone(), heard.clone()), on_error(&worker, heard.clone())];
        give_engine(worker.clone(), alive.clone(), heard.clone());
        Ok(Helper { behind: None, doer: Doer::Worker(worker), alive, needs, heard, _listeners: listeners })
    }

    /// The same worker, which holds while the reader goes first.
    pub fn behind(mut self) -> Helper {
        if let Doer::Worker(worker) = &self.doer {
            let behind = Behind { worker: worker.clone(), held: Cell::new(false), passed: Cell::new(false) };
            let behind = Rc::new(behind);
            BEHIND.with_borrow_mut(|(is_first, workers)| {
                behind.set(&behind.passed, *is_first);
                workers.push(Rc::downgrade(&behind));
            });
            self.behind = Some(behind);
        }
        self
    }

    /// Gives the worker a job.
    pub fn post(&self, job: &Job) {
        if let Some(scenario) = job.scenario() {
            self.needs.set(scenario.page_state_bytes());
        }
        let job = wire::written(job);
        match &self.doer {
            Doer::Worker(worker) => {
                if let Err(error) = worker.post_message(&Uint8Array::from(&job[..])) {
                    self.heard.emit(Heard::Failed(format!("The worker does not take its job: {}.", text_of(&error))));
                }
            }
            Doer::Page(work) => {
                let (work, alive, heard) = (*work, self.alive.clone(), self.heard.clone());
                let answer = move || {
                    let answer = work(&job);
                    if alive.get() {
                        heard.emit(read(&answer));
                    }
                };
                Timeout::new(0, answer).forget();
            }
            Doer::Nobody => {}
        }
    }

    /// Holds what the worker is at, or lets it go on. Only a run can be held, and only in a worker: returns whether it is one.
    pub fn hold(&self, holds: bool) -> bool {
        match (&self.behind, &self.doer) {
            (Some(behind), _) => behind.set(&behind.held, holds),
            (None, Doer::Worker(worker)) => worker.post_message(&JsValue::from_bool(holds)).is_ok(),
            (None, Doer::Page(_) | Doer::Nobody) => false,
        }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.alive.set(false);
        if let Doer::Worker(worker) = &self.doer {
            worker.terminate();
        }
    }
}

/// Gives the worker the engine as soon as it has loaded. Jobs may come earlier: the worker keeps them.
fn give_engine(worker: Worker, alive: Rc<Cell<bool>>, heard: Callback<Heard>) {
    spawn_local(async move {
        let given = match engine().await {
            Ok(engine) => worker.post_message(&engine),
            Err(error) => Err(error),
        };
        if let Err(error) = given
            && alive.get()
        {
            heard.emit(Heard::Failed(format!("The worker has no engine: {}.", text_of(&error))));
        }
    });
}

/// The engine that the first script has loaded.
async fn engine() -> Result<JsValue, JsValue> {
    let engine: JsValue = Reflect::get(js_sys::global().as_ref(), &JsValue::from_str(ENGINE))?;
    match engine.dyn_into::<Promise>() {
        Ok(promise) => JsFuture::from(promise).await,
        Err(_) => Err(JsValue::from_str("the page's first script has not loaded it")),
    }
}

/// Answers are bytes; a failure is an object with the fields `failed` and, where the engine stopped without a message, `had`.
fn on_message(worker: &Worker, needs: Rc<Cell<u64>>, heard: Callback<Heard>) -> EventListener {
    EventListener::new(worker, "message", move |event| {
        let Some(event) = event.dyn_ref::<MessageEvent>() else { return };
        let data: JsValue = event.data();
        heard.emit(match data.dyn_ref::<Uint8Array>() {
            Some(answer) if answer.length() > LONG => {
                let (answer, heard) = (read(&answer.to_vec()), heard.clone());
                Timeout::new(0, move || heard.emit(answer)).forget();
                return;
            }
            Some(answer) => read(&answer.to_vec()),
            None => {
                let field = |name: &str| -> Option<JsValue> {
                    Reflect::get(data.dyn_ref::<Object>()?.as_ref(), &JsValue::from_str(name)).ok()
                };
                let failed = field("failed").and_then(|failed| failed.as_string());
                let failed = failed.unwrap_or_else(|| "no reason given".into());
                Heard::Failed(match field("had").and_then(|had| had.as_f64()) {
                    Some(had) => stopped(&failed, had, needs.get()),
                    None => format!("The model has failed: {failed}."),
                })
            }
        });
    })
}

/// The words for an engine that was stopped when it `had` so many bytes of memory and its host's pages `need` so many.
fn stopped(failed: &str, had: f64, need: u64) -> String {
    let mb = |bytes: f64| (bytes / f64::from(1 << 20)).ceil();
    format!(
        "The browser has stopped the model ({failed}). It had {} MB of memory, and the state of this host's pages alone takes {} MB: most likely there is no more for this page. Close other tabs, or take a host with less virtual storage.",
        mb(had),
        mb(need as f64)
    )
}

fn on_error(worker: &Worker, heard: Callback<Heard>) -> EventListener {
    EventListener::new(worker, "error", move |event| {
        let reason = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).filter(|reason| !reason.is_empty());
        heard.emit(Heard::Failed(match reason {
            Some(reason) => format!("The worker has failed: {reason}."),
            None => "The worker was not loaded: static/worker.js or a file that it needs is missing or blocked.".into(),
        }));
    })
}

fn read(answer: &[u8]) -> Heard {
    match wire::read(answer) {
        Ok(answer) => Heard::Answer(answer),
        Err(error) => Heard::Failed(unread(error)),
    }
}

/// What the reader is told of an answer that cannot be read.
pub fn unread(error: String) -> String {
    format!("The worker's answer cannot be read: {error}.")
}

/// The text of an exception.
fn text_of(error: &JsValue) -> String {
    let text: Option<JsString> = error.dyn_ref::<js_sys::Error>().map(|error| error.message());
    text.map(String::from).or_else(|| error.as_string()).unwrap_or_else(|| "no reason given".into())
}
