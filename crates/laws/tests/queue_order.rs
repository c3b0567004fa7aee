//! The event queue against its law: what leaves is what a stable sort by instant would put first.
#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use zvmlab::kernel::queue::EventQueue;
use zvmlab::kernel::time::Instant;

/// What is done to a queue.
#[derive(Clone, Copy, Debug)]
enum Operation {
    /// Schedule an event at this instant.
    Schedule(u64),
    /// Take the next event.
    Pop,
}

/// Few distinct instants, so that ties are common; sometimes the ends of the range.
fn instants() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0u64..20, 1 => any::<u64>(), 1 => Just(u64::MAX), 1 => Just(0)]
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let operation = prop_oneof![3 => instants().prop_map(Operation::Schedule), 2 => Just(Operation::Pop)];
    prop::collection::vec(operation, 0..400)
}

/// The queue as simple as can be: a list in the order of scheduling; the first of the earliest leaves.
#[derive(Default)]
struct Waiting(Vec<(Instant, u32)>);

impl Waiting {
    fn next(&self) -> Option<usize> {
        (0..self.0.len()).min_by_key(|&index| self.0[index].0) // the first of equals
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn any_operations_keep_the_order(operations in operations()) {
        let (mut queue, mut waiting) = (EventQueue::new(), Waiting::default());
        for (number, operation) in (0u32..).zip(operations) {
            match operation {
                Operation::Schedule(at) => {
                    queue.schedule(Instant(at), number);
                    waiting.0.push((Instant(at), number));
                }
                Operation::Pop => {
                    let expected = waiting.next().map(|index| waiting.0.remove(index));
                    prop_assert_eq!(queue.pop(), expected);
                }
            }
            prop_assert_eq!(queue.next_instant(), waiting.next().map(|index| waiting.0[index].0));
            prop_assert_eq!(queue.len(), waiting.0.len());
            prop_assert_eq!(queue.is_empty(), waiting.0.is_empty());
        }
    }

    #[test]
    fn draining_is_a_stable_sort(instants in prop::collection::vec(instants(), 0..2000)) {
        let mut queue = EventQueue::new();
        let mut sorted: Vec<(Instant, usize)> = instants.iter().enumerate().map(|(number, &at)| (Instant(at), number)).collect();
        sorted.iter().for_each(|&(at, number)| queue.schedule(at, number));
        sorted.sort_by_key(|&(at, _)| at); // stable
        let drained: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        prop_assert_eq!(drained, sorted);
    }

    #[test]
    fn a_copy_of_a_queue_goes_on_alike(operations in operations()) {
        let mut queue = EventQueue::new();
        for (number, operation) in operations.into_iter().enumerate() {
            match operation {
                Operation::Schedule(at) => queue.schedule(Instant(at), number),
                Operation::Pop => { queue.pop(); }
            }
        }
        let mut copy = queue.clone();
        let drain = |queue: &mut EventQueue<usize>| std::iter::from_fn(|| queue.pop()).collect::<Vec<_>>();
        prop_assert_eq!(drain(&mut copy), drain(&mut queue));
    }
}
