//! Which experiment the worker runs next, and when an outdated one is given up. Knows no browser.

use std::collections::VecDeque;
use std::rc::Rc;

use zvmlab::Scenario;

/// What makes two experiments the same: the JSON of the scenario, and the seed.
pub type Key = (String, u64);

/// The key of a scenario with a seed. The scenario's name changes no figure, so it does not count.
pub fn key(scenario: &Scenario, seed: u64) -> Key {
    let mut nameless = scenario.clone();
    nameless.name.clear();
    (nameless.to_json(), seed)
}

/// Why an experiment is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The knobs ask for it.
    Current,
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

/// What to do with the worker.
#[derive(Clone, Debug)]
pub enum Order {
    /// Nothing for now.
    Nothing,
    /// Give it this experiment.
    Start(Request),
    /// End it and start another, then ask again.
    Replace,
    /// Ask again after so many milliseconds.
    LookAgain(f64),
}

/// Shortest time for which an outdated experiment may go on: while a knob is dragged, results should follow it.
const PATIENCE_MIN_MS: f64 = 150.0;
/// Longest such time.
const PATIENCE_MAX_MS: f64 = 600.0;

/// The experiments that are wanted, and the one that runs.
#[derive(Debug, Default)]
pub struct Queue {
    running: Option<Request>,
    started_ms: f64,
    last_took_ms: f64,
    current: Option<Request>,
    further: VecDeque<Request>,
}

impl Queue {
    /// Wants this experiment before all others. It replaces the one wanted so before.
    pub fn want(&mut self, request: Request) {
        if let Some(running) = self.running.as_mut().filter(|running| running.key == request.key) {
            running.purpose = Purpose::Current;
            self.current = None;
        } else {
            self.current = Some(request);
        }
    }

    /// Wants nothing for the knobs at present: their setting cannot be run, or its result is known.
    pub fn want_nothing(&mut self) {
        self.current = None;
        if let Some(running) = self.running.as_mut().filter(|running| running.purpose == Purpose::Current) {
            running.purpose = Purpose::Replication;
        }
    }

    /// Wants this experiment when there is time for it.
    pub fn add(&mut self, request: Request) {
        let same = |other: &Request| other.key == request.key;
        // The knobs have moved on from it, but now it is wanted for its own sake, so it must not be given up.
        let outdated = self.current.is_some();
        if let Some(running) = self.running.as_mut().filter(|running| outdated && same(running)) {
            running.purpose = request.purpose;
        }
        if !(self.further.iter().any(same) || self.running.iter().any(same)) {
            self.further.push_back(request);
        }
    }

    /// Wants this point of a sweep. It replaces the point wanted before; a point that already runs may end.
    pub fn want_swept(&mut self, request: Option<Request>) {
        self.further.retain(|request| request.purpose != Purpose::Swept);
        if self.running.iter().all(|running| running.purpose != Purpose::Swept) {
            request.into_iter().for_each(|request| self.add(request));
        }
    }

    /// Forgets the replications: the knobs now ask for another experiment.
    pub fn clear_replications(&mut self) {
        self.further.retain(|request| request.purpose != Purpose::Replication);
    }

    /// The further experiment to run next. Replications go first: a reader of the result waits for them.
    fn next_further(&mut self) -> Option<Request> {
        let first = |purpose: Purpose| self.further.iter().position(|request| request.purpose == purpose);
        let at = first(Purpose::Replication).or_else(|| first(Purpose::Kept)).unwrap_or(0);
        self.further.remove(at)
    }

    /// Whether the experiment that the knobs ask for is still to come.
    pub fn is_current_due(&self) -> bool {
        self.current.is_some() || self.running.iter().any(|running| running.purpose == Purpose::Current)
    }

    /// Whether the experiment that runs is the one that the knobs ask for.
    pub fn is_current_running(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.purpose == Purpose::Current)
    }

    /// For how many milliseconds the experiment runs that is under way.
    pub fn running_ms(&self, now_ms: f64) -> f64 {
        if self.running.is_some() { now_ms - self.started_ms } else { 0.0 }
    }

    /// Gives up what the knobs ask for, and its replications. The worker must end if it runs one of them: returns whether it does.
    pub fn stop(&mut self) -> bool {
        self.current = None;
        self.clear_replications();
        let is_of_knobs = |running: &mut Request| matches!(running.purpose, Purpose::Current | Purpose::Replication);
        self.running.take_if(is_of_knobs).is_some()
    }

    /// What to do with the worker at the wall time `now_ms`.
    pub fn order(&mut self, now_ms: f64) -> Order {
        let Some(running) = &self.running else {
            let Some(request) = self.current.take().or_else(|| self.next_further()) else { return Order::Nothing };
            self.running = Some(request.clone());
            self.started_ms = now_ms;
            return Order::Start(request);
        };
        if self.current.is_none() {
            return Order::Nothing;
        }
        let patience = match running.purpose {
            Purpose::Swept => PATIENCE_MIN_MS,
            _ => (self.last_took_ms * 1.5).clamp(PATIENCE_MIN_MS, PATIENCE_MAX_MS),
        };
        let left = patience - (now_ms - self.started_ms);
        if left > 0.0 {
            return Order::LookAgain(left);
        }
        // An experiment that only gives way goes on later. Nobody wants one of an outdated setting of the knobs.
        let running = running.clone();
        self.running = None;
        if running.purpose != Purpose::Current {
            self.further.push_front(running);
        }
        Order::Replace
    }

    /// The experiment that ran has ended, or its worker has failed; returns it.
    pub fn ended(&mut self, now_ms: f64) -> Option<Request> {
        self.last_took_ms = now_ms - self.started_ms;
        self.running.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(seed: u64, purpose: Purpose) -> Request {
        Request::new(Scenario::default(), seed, purpose)
    }

    fn started(order: Order) -> u64 {
        match order {
            Order::Start(request) => request.seed,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_the_knobs_say_goes_first() {
        let mut queue = Queue::default();
        queue.add(request(2, Purpose::Kept));
        queue.add(request(1, Purpose::Replication));
        queue.add(request(2, Purpose::Kept));
        queue.want(request(3, Purpose::Current));
        assert_eq!(queue.further.len(), 2);
        assert_eq!(started(queue.order(0.0)), 3);
        assert!(queue.is_current_due());
        assert!(matches!(queue.order(1.0), Order::Nothing));
        assert_eq!(queue.ended(50.0).map(|request| request.seed), Some(3));
        assert!(!queue.is_current_due());
        assert_eq!(started(queue.order(50.0)), 1);
        queue.ended(60.0);
        queue.add(request(4, Purpose::Replication));
        queue.clear_replications();
        assert_eq!((started(queue.order(60.0)), queue.further.len()), (2, 0));
    }

    #[test]
    fn only_the_latest_state_of_the_knobs_is_run() {
        let mut queue = Queue::default();
        queue.want(request(1, Purpose::Current));
        assert_eq!(started(queue.order(0.0)), 1);
        for seed in 2..9 {
            queue.want(request(seed, Purpose::Current));
            assert!(matches!(queue.order(seed as f64), Order::LookAgain(_)));
        }
        queue.ended(20.0);
        assert_eq!(started(queue.order(20.0)), 8);
    }

    #[test]
    fn an_outdated_experiment_is_given_up_and_a_further_one_goes_on_later() {
        let mut queue = Queue::default();
        queue.add(request(1, Purpose::Kept));
        assert_eq!(started(queue.order(0.0)), 1);
        queue.want(request(2, Purpose::Current));
        assert!(matches!(queue.order(100.0), Order::LookAgain(_)));
        assert!(matches!(queue.order(151.0), Order::Replace));
        assert_eq!(started(queue.order(151.0)), 2);
        queue.want(request(3, Purpose::Current));
        assert!(matches!(queue.order(400.0), Order::Replace));
        assert_eq!(started(queue.order(400.0)), 3);
        queue.ended(401.0);
        assert_eq!(started(queue.order(401.0)), 1);
    }

    #[test]
    fn a_sweep_waits_for_all_else_and_holds_nothing_up() {
        let mut queue = Queue::default();
        queue.want_swept(Some(request(1, Purpose::Swept)));
        queue.add(request(2, Purpose::Kept));
        assert_eq!(started(queue.order(0.0)), 2);
        queue.ended(1_000.0);
        assert_eq!(started(queue.order(1_000.0)), 1);
        queue.want_swept(Some(request(1, Purpose::Swept)));
        assert!(queue.further.is_empty(), "it runs already");
        queue.want(request(3, Purpose::Current));
        assert!(matches!(queue.order(1_100.0), Order::LookAgain(_)));
        assert!(matches!(queue.order(1_151.0), Order::Replace), "whatever the last experiment took");
        assert_eq!(started(queue.order(1_151.0)), 3);
        queue.ended(1_200.0);
        queue.want_nothing();
        queue.clear_replications();
        assert_eq!(started(queue.order(1_200.0)), 1, "the point that waited goes on");
        queue.ended(1_300.0);
        queue.want_swept(Some(request(4, Purpose::Swept)));
        queue.want_swept(None);
        assert!(matches!(queue.order(1_300.0), Order::Nothing), "it was stopped");
    }

    #[test]
    fn what_the_knobs_ask_for_can_be_given_up() {
        let mut queue = Queue::default();
        queue.want(request(1, Purpose::Current));
        queue.add(request(2, Purpose::Replication));
        queue.add(request(3, Purpose::Kept));
        assert!(!queue.is_current_running());
        assert_eq!(started(queue.order(0.0)), 1);
        assert!(queue.is_current_running() && queue.stop());
        assert!(!queue.is_current_due());
        assert_eq!(started(queue.order(1.0)), 3, "what is wanted for its own sake goes on");
        assert!(!queue.stop());
    }

    #[test]
    fn the_name_makes_no_other_experiment() {
        let renamed = Scenario { name: "other".into(), ..Scenario::default() };
        assert_eq!(key(&renamed, 1), key(&Scenario::default(), 1));
        assert_ne!(key(&renamed, 1), key(&renamed, 2));
    }
}
