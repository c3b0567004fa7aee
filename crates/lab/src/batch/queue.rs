//! Which experiment each worker runs next, and when an outdated one is given up. Knows no browser.

use std::collections::VecDeque;
use std::rc::Rc;

use zvmlab::Scenario;

/// What makes two experiments the same: the JSON of the scenario, and the seed.
pub type Key = (Host, u64);

/// What tells a host from any other: its scenario in bytes, without its name, which changes no figure. Text would be as good, but takes
/// many times as long to write, and the page asks for keys whenever it is drawn.
pub type Host = Rc<[u8]>;

/// What tells a scenario's host from any other.
pub fn host(scenario: &Scenario) -> Host {
    let mut nameless = scenario.clone();
    nameless.name.clear();
    // To memory it can always be written.
    borsh::to_vec(&nameless).unwrap_or_default().into()
}

/// The key of a scenario with a seed.
pub fn key(scenario: &Scenario, seed: u64) -> Key {
    (host(scenario), seed)
}

/// Why an experiment is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The knobs ask for it.
    Current,
    /// The knobs asked for it, and have moved on.
    Passed,
    /// It is another replication of what the knobs ask for, or of the result that is compared with it.
    Replication,
    /// It is wanted whatever the knobs ask for: a validation run, a pinned one.
    Kept,
    /// It is the next point of a sweep. Everything else goes before it.
    Swept,
}

/// An experiment that is wanted.
#[derive(Clone, Debug)]
pub struct Request {
    /// What to run.
    pub scenario: Rc<Scenario>,
    /// The seed to run it with.
    pub seed: u64,
    /// Its key.
    pub key: Key,
    /// Why.
    pub purpose: Purpose,
}

impl Request {
    /// A request for `scenario` with `seed`.
    pub fn new(scenario: Scenario, seed: u64, purpose: Purpose) -> Request {
        Request { key: key(&scenario, seed), scenario: Rc::new(scenario), seed, purpose }
    }
}

/// What to do with the workers, which have numbers from 0.
#[derive(Clone, Debug)]
pub enum Order {
    /// Nothing for now.
    Nothing,
    /// Give this worker this experiment.
    Start(usize, Request),
    /// End this one and start another in its place, then ask again.
    Replace(usize),
    /// Ask again after so many milliseconds.
    LookAgain(f64),
}

/// How long an experiment may still run that gives way to the one that the knobs ask for. Chosen: most end within this time.
const GIVES_WAY_MS: f64 = 60.0;
/// How long an outdated experiment may run until its first figures: while a knob is dragged, figures should follow it.
const PATIENCE_MS: f64 = 600.0;
/// Most virtual storage of the guests of all experiments that run at once, in MB; a larger one runs alone. Chosen: about 300 MB of state.
const STATE_MB_MAX: u64 = 524_288;

/// An experiment that runs.
#[derive(Debug)]
struct Running {
    request: Request,
    started_ms: f64,
    has_told: bool,
}

/// An experiment that the reader stopped, and that can go on.
#[derive(Debug)]
pub struct Parked {
    /// What was asked for.
    pub request: Request,
    /// For how long it ran, in milliseconds.
    ran_ms: f64,
}

impl Running {
    fn is_for(&self, purpose: Purpose) -> bool {
        self.request.purpose == purpose
    }

    /// How long it may still run when the knobs ask for another, in milliseconds.
    fn patience_ms(&self, now_ms: f64) -> f64 {
        let whole_ms = match self.request.purpose {
            Purpose::Passed if self.has_told => 0.0,
            Purpose::Passed => PATIENCE_MS,
            _ => GIVES_WAY_MS,
        };
        whole_ms - (now_ms - self.started_ms)
    }
}

/// The experiments that are wanted, and those that run.
#[derive(Debug)]
pub struct Queue {
    /// What each worker runs.
    running: Vec<Option<Running>>,
    current: Option<Request>,
    further: VecDeque<Request>,
    /// When the latest experiment started that the knobs asked for and that has ended.
    shown_ms: f64,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue { running: vec![None], current: None, further: VecDeque::new(), shown_ms: f64::NEG_INFINITY }
    }
}

impl Queue {
    /// Has at least so many workers from now on. It begins with one.
    pub fn employ(&mut self, workers: usize) {
        let workers = workers.max(self.workers());
        self.running.resize_with(workers, || None);
    }

    /// How many workers there are.
    pub fn workers(&self) -> usize {
        self.running.len()
    }

    fn all(&self) -> impl Iterator<Item = &Running> {
        self.running.iter().flatten()
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Running> {
        self.running.iter_mut().flatten()
    }

    /// Wants this experiment before all others. It replaces the one wanted so before.
    pub fn want(&mut self, request: Request) {
        self.current = None;
        self.pass(Purpose::Passed);
        if let Some(running) = self.all_mut().find(|running| running.request.key == request.key) {
            running.request.purpose = Purpose::Current;
        } else {
            self.current = Some(request);
        }
    }

    /// Wants nothing for the knobs at present: their setting cannot be run, or its result is known.
    pub fn want_nothing(&mut self) {
        self.current = None;
        self.pass(Purpose::Replication);
    }

    /// What runs for the knobs has another purpose from now on.
    fn pass(&mut self, purpose: Purpose) {
        let current = self.all_mut().filter(|running| running.is_for(Purpose::Current));
        current.for_each(|running| running.request.purpose = purpose);
    }

    /// Wants this experiment when there is time for it.
    pub fn add(&mut self, request: Request) {
        let same = |other: &Request| other.key == request.key;
        // The knobs have moved on from it, but now it is wanted for its own sake, so it must not be given up.
        let passed = |running: &&mut Running| running.is_for(Purpose::Passed) && same(&running.request);
        self.all_mut().filter(passed).for_each(|running| running.request.purpose = request.purpose);
        if !(self.further.iter().any(same) || self.all().any(|running| same(&running.request))) {
            self.further.push_back(request);
        }
    }

    /// Wants these points of a sweep. They replace the points wanted before; a point that already runs may end.
    pub fn want_swept(&mut self, requests: impl IntoIterator<Item = Request>) {
        self.further.retain(|request| request.purpose != Purpose::Swept);
        requests.into_iter().for_each(|request| self.add(request));
    }

    /// Forgets the replications: the knobs now ask for another experiment.
    pub fn clear_replications(&mut self) {
        self.further.retain(|request| request.purpose != Purpose::Replication);
    }

    /// The place of the further experiment to run next. Replications go first: a reader of the result waits for them.
    fn next_further(&self) -> Option<usize> {
        let first = |purpose: Purpose| self.further.iter().position(|request| request.purpose == purpose);
        let swept = || (!self.further.is_empty()).then_some(0);
        first(Purpose::Replication).or_else(|| first(Purpose::Kept)).or_else(swept)
    }

    /// Whether the experiment that the knobs ask for is still to come.
    pub fn is_current_due(&self) -> bool {
        self.current.is_some() || self.all().any(|running| running.is_for(Purpose::Current))
    }

    /// What this worker runs.
    pub fn runs(&self, worker: usize) -> Option<&Request> {
        self.running.get(worker)?.as_ref().map(|running| &running.request)
    }

    /// For how many milliseconds this worker runs its experiment.
    pub fn running_ms(&self, worker: usize, now_ms: f64) -> f64 {
        self.running.get(worker).and_then(Option::as_ref).map_or(0.0, |running| now_ms - running.started_ms)
    }

    /// This worker has told first figures.
    pub fn told(&mut self, worker: usize) {
        self.running.get_mut(worker).and_then(Option::as_mut).into_iter().for_each(|running| running.has_told = true);
    }

    /// Gives up what the knobs ask for, and its replications. The workers that run one of them must end: returns which.
    pub fn stop(&mut self) -> Vec<usize> {
        self.current = None;
        self.clear_replications();
        let is_of_knobs = |running: &mut Running| {
            matches!(running.request.purpose, Purpose::Current | Purpose::Passed | Purpose::Replication)
        };
        let workers = self.running.iter_mut().enumerate();
        workers.filter_map(|(worker, running)| running.take_if(is_of_knobs).map(|_| worker)).collect()
    }

    /// What the knobs ask for stops, and may go on later: the worker that runs it, and the request. Nothing if none runs.
    pub fn park(&mut self, now_ms: f64) -> Option<(usize, Parked)> {
        let worker = self.running.iter().position(|one| one.as_ref().is_some_and(|one| one.is_for(Purpose::Current)))?;
        let Running { request, started_ms, .. } = self.running[worker].take()?;
        Some((worker, Parked { request, ran_ms: now_ms - started_ms }))
    }

    /// An experiment that was parked goes on in this worker, and is what the knobs ask for. For whoever waits, it has run for as long
    /// as it had. Returns what this worker ran until now.
    pub fn unpark(&mut self, worker: usize, parked: Parked, now_ms: f64) -> Option<Request> {
        self.current = None;
        let slot = self.running.get_mut(worker)?;
        let Parked { request, ran_ms } = parked;
        let before = slot.replace(Running { request, started_ms: now_ms - ran_ms, has_told: true });
        before.map(|running| running.request)
    }

    /// The free worker for this experiment, unless all that runs would then need too much storage.
    fn free_for(&self, request: &Request) -> Option<usize> {
        let all = self.all().map(|running| &running.request).chain([request]);
        let fits = all.map(|request| virtual_mb(&request.scenario)).sum::<u64>() <= STATE_MB_MAX;
        let free = self.running.iter().position(Option::is_none)?;
        (fits || self.all().next().is_none()).then_some(free)
    }

    /// What to do with the workers at the wall time `now_ms`. To be asked until it says that there is nothing to do, or when to ask
    /// again.
    pub fn order(&mut self, now_ms: f64) -> Order {
        // Nobody waits for an outdated experiment when the newer one has figures.
        let is_new = |running: &Running| running.is_for(Purpose::Current) && running.has_told;
        if self.all().any(is_new) || !self.is_current_due() {
            let passed = |running: &Option<Running>| running.as_ref().is_some_and(|running| running.is_for(Purpose::Passed));
            if let Some(worker) = self.running.iter().position(passed) {
                return self.replace(worker);
            }
        }
        if let Some(request) = self.current.take() {
            return match self.free_for(&request) {
                Some(worker) => self.start(worker, request, now_ms),
                None => {
                    self.current = Some(request);
                    self.make_way(now_ms)
                }
            };
        }
        // The reader waits for it alone.
        if self.is_current_due() {
            return Order::Nothing;
        }
        let Some(place) = self.next_further() else { return Order::Nothing };
        let Some(worker) = self.free_for(&self.further[place]) else { return Order::Nothing };
        self.further.remove(place).map_or(Order::Nothing, |request| self.start(worker, request, now_ms))
    }

    fn start(&mut self, worker: usize, request: Request, now_ms: f64) -> Order {
        self.running[worker] = Some(Running { request: request.clone(), started_ms: now_ms, has_told: false });
        Order::Start(worker, request)
    }

    /// Of what runs, what gives way first to the experiment that the knobs ask for.
    fn make_way(&mut self, now_ms: f64) -> Order {
        let left = |running: &Running| running.patience_ms(now_ms);
        let all = self.running.iter().enumerate().filter_map(|(worker, running)| Some((worker, left(running.as_ref()?))));
        match all.min_by(|(_, one), (_, other)| one.total_cmp(other)) {
            None => Order::Nothing,
            Some((_, left)) if left > 0.0 => Order::LookAgain(left),
            Some((worker, _)) => self.replace(worker),
        }
    }

    /// An experiment that only gives way goes on later. Nobody wants one of an outdated setting of the knobs.
    fn replace(&mut self, worker: usize) -> Order {
        if let Some(running) = self.running[worker].take().filter(|running| !running.is_for(Purpose::Passed)) {
            self.further.push_front(running.request);
        }
        Order::Replace(worker)
    }

    /// The experiment of this worker has ended, or the worker has failed; returns it. Where a later one of the knobs has ended already,
    /// it is only kept.
    pub fn ended(&mut self, worker: usize) -> Option<Request> {
        let Running { mut request, started_ms, .. } = self.running.get_mut(worker)?.take()?;
        match request.purpose {
            Purpose::Passed if started_ms < self.shown_ms => request.purpose = Purpose::Kept,
            Purpose::Current | Purpose::Passed => self.shown_ms = started_ms,
            _ => {}
        }
        Some(request)
    }
}

/// The virtual storage of all guests, in MB.
fn virtual_mb(scenario: &Scenario) -> u64 {
    scenario.guests.iter().map(|group| u64::from(group.count) * group.virtual_mb).sum()
}

#[cfg(test)]
mod tests;
