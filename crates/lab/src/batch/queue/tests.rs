//! Tests of the queue.

use super::*;

fn request(seed: u64, purpose: Purpose) -> Request {
    Request::new(Scenario { guests: small(), ..Scenario::default() }, seed, purpose)
}

fn two() -> Queue {
    let mut queue = Queue::default();
    queue.employ(2);
    queue
}

fn small() -> Vec<zvmlab::scenario::GuestGroup> {
    let mut guests = Scenario::default().guests;
    guests[0].virtual_mb = 1_024;
    guests
}

fn started(order: Order) -> (usize, u64) {
    match order {
        Order::Start(worker, request) => (worker, request.seed),
        other => panic!("{other:?}"),
    }
}

fn ended(queue: &mut Queue, worker: usize) -> Option<(u64, Purpose)> {
    queue.ended(worker).map(|request| (request.seed, request.purpose))
}

#[test]
fn what_the_knobs_say_goes_first() {
    let mut queue = Queue::default();
    queue.add(request(2, Purpose::Kept));
    queue.add(request(1, Purpose::Replication));
    queue.add(request(2, Purpose::Kept));
    queue.want(request(3, Purpose::Current));
    assert_eq!(queue.further.len(), 2);
    assert_eq!(started(queue.order(0.0)), (0, 3));
    assert!(queue.is_current_due());
    assert!(matches!(queue.order(1.0), Order::Nothing));
    assert_eq!(ended(&mut queue, 0), Some((3, Purpose::Current)));
    assert!(!queue.is_current_due());
    assert_eq!(started(queue.order(50.0)), (0, 1));
    queue.ended(0);
    queue.add(request(4, Purpose::Replication));
    queue.clear_replications();
    assert_eq!((started(queue.order(60.0)), queue.further.len()), ((0, 2), 0));
}

#[test]
fn only_the_latest_state_of_the_knobs_is_run() {
    let mut queue = Queue::default();
    queue.want(request(1, Purpose::Current));
    assert_eq!(started(queue.order(0.0)), (0, 1));
    for seed in 2..9 {
        queue.want(request(seed, Purpose::Current));
        assert!(matches!(queue.order(seed as f64), Order::LookAgain(_)));
    }
    assert_eq!(ended(&mut queue, 0), Some((1, Purpose::Passed)));
    assert_eq!(started(queue.order(20.0)), (0, 8));
    // As soon as it has told something, a newer one replaces it.
    queue.want(request(9, Purpose::Current));
    assert!(matches!(queue.order(21.0), Order::LookAgain(_)));
    queue.told(0);
    assert!(matches!(queue.order(22.0), Order::Replace(0)));
    assert_eq!(started(queue.order(22.0)), (0, 9));
}

#[test]
fn with_two_workers_the_next_state_of_the_knobs_starts_at_once() {
    let mut queue = two();
    queue.want(request(1, Purpose::Current));
    assert_eq!(started(queue.order(0.0)), (0, 1));
    queue.want(request(2, Purpose::Current));
    assert_eq!(started(queue.order(10.0)), (1, 2));
    assert!(matches!(queue.order(10.0), Order::Nothing));
    // The newer one has figures, so nobody waits for the older.
    queue.told(1);
    assert!(matches!(queue.order(40.0), Order::Replace(0)));
    assert!(matches!(queue.order(40.0), Order::Nothing));
    assert_eq!(ended(&mut queue, 1), Some((2, Purpose::Current)));
    assert!(!queue.is_current_due());
}

#[test]
fn an_older_state_of_the_knobs_never_follows_a_newer_one() {
    let mut queue = two();
    queue.want(request(1, Purpose::Current));
    queue.order(0.0);
    queue.want(request(2, Purpose::Current));
    queue.order(1.0);
    queue.want(request(3, Purpose::Current));
    assert_eq!(ended(&mut queue, 1), Some((2, Purpose::Passed)));
    assert_eq!(ended(&mut queue, 0), Some((1, Purpose::Kept)));
}

#[test]
fn replications_use_all_workers_but_only_when_nobody_waits_for_the_knobs() {
    let mut queue = two();
    queue.want(request(1, Purpose::Current));
    (2..5).for_each(|seed| queue.add(request(seed, Purpose::Replication)));
    assert_eq!(started(queue.order(0.0)), (0, 1));
    assert!(matches!(queue.order(0.0), Order::Nothing));
    queue.ended(0);
    assert_eq!([started(queue.order(1.0)), started(queue.order(1.0))], [(0, 2), (1, 3)]);
    assert!(matches!(queue.order(1.0), Order::Nothing));
    queue.ended(1);
    assert_eq!(started(queue.order(2.0)), (1, 4));
    assert_eq!(queue.stop(), [0, 1]);
    assert!(matches!(queue.order(3.0), Order::Nothing));
}

#[test]
fn what_needs_much_storage_runs_alone() {
    let mut queue = two();
    let large = |seed: u64| {
        let mut guests = small();
        guests[0].virtual_mb = STATE_MB_MAX / u64::from(guests[0].count) + 1;
        Request::new(Scenario { guests, ..Scenario::default() }, seed, Purpose::Kept)
    };
    [1, 2].map(large).into_iter().for_each(|request| queue.add(request));
    assert_eq!(started(queue.order(0.0)), (0, 1));
    assert!(matches!(queue.order(0.0), Order::Nothing));
    queue.ended(0);
    assert_eq!(started(queue.order(1.0)), (0, 2));
}

#[test]
fn an_outdated_experiment_is_given_up_and_a_further_one_goes_on_later() {
    let mut queue = Queue::default();
    queue.add(request(1, Purpose::Kept));
    assert_eq!(started(queue.order(0.0)), (0, 1));
    queue.want(request(2, Purpose::Current));
    assert!(matches!(queue.order(GIVES_WAY_MS - 1.0), Order::LookAgain(_)));
    assert!(matches!(queue.order(GIVES_WAY_MS), Order::Replace(0)));
    assert_eq!(started(queue.order(100.0)), (0, 2));
    queue.want(request(3, Purpose::Current));
    assert!(matches!(queue.order(99.0 + PATIENCE_MS), Order::LookAgain(_)));
    assert!(matches!(queue.order(100.0 + PATIENCE_MS), Order::Replace(0)));
    assert_eq!(started(queue.order(800.0)), (0, 3));
    queue.ended(0);
    assert_eq!(started(queue.order(801.0)), (0, 1));
}
#[test]
fn a_sweep_waits_for_all_else_and_holds_nothing_up() {
    let mut queue = Queue::default();
    queue.want_swept([request(1, Purpose::Swept)]);
    queue.add(request(2, Purpose::Kept));
    assert_eq!(started(queue.order(0.0)), (0, 2));
    queue.ended(0);
    assert_eq!(started(queue.order(1_000.0)), (0, 1));
    queue.want_swept([request(1, Purpose::Swept)]);
    assert!(queue.further.is_empty(), "it runs already");
    queue.want(request(3, Purpose::Current));
    assert!(matches!(queue.order(1_001.0), Order::LookAgain(_)));
    assert!(matches!(queue.order(1_151.0), Order::Replace(0)));
    assert_eq!(started(queue.order(1_151.0)), (0, 3));
    queue.ended(0);
    queue.want_nothing();
    queue.clear_replications();
    assert_eq!(started(queue.order(1_200.0)), (0, 1), "the point that waited goes on");
    queue.ended(0);
    queue.want_swept([request(4, Purpose::Swept), request(5, Purpose::Swept)]);
    assert_eq!(queue.further.len(), 2);
    queue.want_swept([]);
    assert!(matches!(queue.order(1_300.0), Order::Nothing), "it was stopped");
}

#[test]
fn what_the_knobs_ask_for_can_be_given_up() {
    let mut queue = Queue::default();
    queue.want(request(1, Purpose::Current));
    queue.add(request(2, Purpose::Replication));
    queue.add(request(3, Purpose::Kept));
    assert!(queue.runs(0).is_none());
    assert_eq!(started(queue.order(0.0)), (0, 1));
    assert!(queue.runs(0).is_some_and(|request| request.purpose == Purpose::Current));
    assert_eq!(queue.stop(), [0]);
    assert!(!queue.is_current_due());
    assert_eq!(started(queue.order(1.0)), (0, 3), "what is wanted for its own sake goes on");
    assert_eq!(queue.stop(), [0; 0]);
}

#[test]
fn the_name_makes_no_other_experiment() {
    let renamed = Scenario { name: "other".into(), ..Scenario::default() };
    assert_eq!(key(&renamed, 1), key(&Scenario::default(), 1));
    assert_ne!(key(&renamed, 1), key(&renamed, 2));
}

#[test]
fn what_is_parked_goes_on_where_it_was() {
    let mut queue = two();
    queue.want(request(1, Purpose::Current));
    started(queue.order(0.0));
    let (worker, parked) = queue.park(900.0).expect("it runs");
    assert!(!queue.is_current_due() && queue.park(900.0).is_none());
    // Meanwhile others run.
    (2..4).for_each(|seed| queue.add(request(seed, Purpose::Kept)));
    assert_eq!([started(queue.order(901.0)).1, started(queue.order(901.0)).1], [2, 3]);
    let before = queue.unpark(worker, parked, 1_000.0).expect("this worker runs another");
    queue.add(before);
    assert!(queue.is_current_due());
    assert_eq!(queue.running_ms(worker, 1_001.0), 901.0, "the time for which it was held does not count");
    assert_eq!(ended(&mut queue, worker), Some((1, Purpose::Current)));
    assert_eq!(started(queue.order(1_002.0)), (worker, 2), "what gave way runs again");
}
