//! Benchmarks of the model: the same work under any clock, so that native and wasm can stand side by side.
//!
//! `cargo xtask bench` runs [`suite`] in both and prints them as one table; `cargo bench -p zvmlab-bench` runs the same work under
//! criterion, to compare one state of the code with another.

pub mod hold;
pub mod host;
pub mod memory;
pub mod relocation;
#[cfg(target_arch = "wasm32")]
mod wasm;

use hold::{Drawn, Draws, Hold, Pending, PlainHeap};
use zvmlab::kernel::queue::EventQueue;

/// How many events are pending in the hold model.
pub const PENDING: [u32; 4] = [16, 1 << 10, 1 << 16, 1 << 20];

/// How often each work is timed. The fastest round counts: what else goes on in the machine can only slow one down, and many
/// short rounds find it idle more often than few long ones.
const ROUNDS: usize = 25;

/// How often all runs of a table together are timed: they take long enough for a few rounds to tell.
const ROUNDS_OF_ALL: usize = 5;

/// Events of one timed round of the hold model.
const EVENTS_PER_ROUND: u32 = 200_000;

/// One result.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What was done.
    pub name: String,
    /// What is counted: `events`, `pages`, `runs`, `simulated s`.
    pub unit: &'static str,
    /// How many of them were done in a second.
    pub per_second: f64,
}

impl Item {
    /// The result as a line: name, unit and rate with tabs between.
    pub fn to_line(&self) -> String {
        format!("{}\t{}\t{}", self.name, self.unit, self.per_second)
    }
}

/// Runs everything. `now` tells the time in seconds since any fixed instant; `done` is handed each result as it comes.
pub fn suite(now: &dyn Fn() -> f64, done: &mut dyn FnMut(Item)) {
    queues(now, done);
    pages(now, done);
    guest_io(now, done);
    dispatching(now, done);
    experiments(now, done);
    set_cu(now, done);
    relocations(now, done);
}

/// The kernel's queue and the standard library's heap, and the draws that the hold model leaves out.
fn queues(now: &dyn Fn() -> f64, done: &mut dyn FnMut(Item)) {
    for pending in PENDING {
        let [kernel, heap] = kernel_beside_heap(now, pending);
        done(Item { name: format!("kernel, {pending} pending"), unit: "events", per_second: kernel });
        done(Item { name: format!("BinaryHeap, {pending} pending"), unit: "events", per_second: heap });
    }
    let mut draws = Draws::new();
    let rate = best_rate(now, || {
        std::hint::black_box(draws.run(EVENTS_PER_ROUND));
        f64::from(EVENTS_PER_ROUND)
    });
    done(Item { name: "exponential draws".into(), unit: "draws", per_second: rate });
}

/// Work on the state of pages, beside a memory copy.
fn pages(now: &dyn Fn() -> f64, done: &mut dyn FnMut(Item)) {
    let mut item = |name: &str, per_second| done(Item { name: name.into(), unit: "pages", per_second });
    let mut copy = memory::Copy::new();
    item("plain memory copy, 2 bytes a page", best_rate(now, || copy.run()));
    item("touch for the first time (fill)", best_rate_of(now, ROUNDS, host::roomy, host::fill));
    let mut roomy = host::roomy();
    host::fill(&mut roomy);
    item("touch resident pages", best_rate(now, || host::touch(&mut roomy, 20)));
    let mut paging = host::paging();
    host::fill(&mut paging);
    item("scan, with all that paging does", best_rate(now, || host::scan(&mut paging, 5)));
}

/// Guests that do I/O back to back and nothing else.
fn guest_io(now: &dyn Fn() -> f64, done: &mut dyn FnMut(Item)) {
    let mut host = host::guest_io();
    let rate = best_rate(now, || host::events(&mut host, 1));
    done(Item { name: "guest I/O".into(), unit: "events", per_second: rate });
}

/// Many virtual CPUs that come and go on as many logical processors as a partition may have.
fn dispatching(now: &dyn Fn() -> f64, done: &mut dyn FnMut(Item)) {
    let mut host = host::crowded();
    let mut events = 0.0;
    let seconds = best_rate(now, || {
        events = host::events(&mut host, 1);
        1.0
    });
    done(Item { name: "1000 virtual CPUs on 64 processors".into(), unit: "simulated s", per_second: seconds });
    done(Item { name: "events of 1000 virtual CPUs".into(), unit: "events", per_second: seconds * events });
}

/// The whole experiments of all ratios of SET CU, one after the other, and how many events they are.
fn set_cu(now: &dyn Fn() -> f64, done: &mut dyn FnMut(Item)) {
    let runs = host::set_cu();
    let mut events = 0.0;
    let mut best = 0.0f64;
    for _ in 0..ROUNDS_OF_ALL {
        let start = now();
        events = runs.iter().map(host::experiment).sum();
        best = best.max(1.0 / (now() - start));
    }
    assert_eq!(runs.len(), 15, "table 6 has fifteen runs");
    done(Item { name: "SET CU, all fifteen runs".into(), unit: "runs", per_second: best });
    done(Item { name: "events of SET CU".into(), unit: "events", per_second: best * events });
}

/// Whole experiments, and how many events that is.
fn experiments(now: &dyn Fn() -> f64, done: &mut dyn FnMut(Item)) {
    for scenario in host::published() {
        let mut events = 0.0;
        let runs = best_rate(now, || {
            events = host::experiment(&scenario);
            1.0
        });
        done(Item { name: format!("whole experiment {}", scenario.name), unit: "runs", per_second: runs });
        done(Item { name: format!("events of {}", scenario.name), unit: "events", per_second: runs * events });
    }
}

/// Relocations: pages that passes collect, with all that becomes of them, and whole relocations.
fn relocations(now: &dyn Fn() -> f64, done: &mut dyn FnMut(Item)) {
    for (name, scenario) in relocation::hosts() {
        let filled = relocation::filled(&scenario);
        let mut pages = 0.0;
        // A whole relocation ends what it works on, so each round has a copy of its own.
        let runs = best_rate_of(
            now,
            ROUNDS_OF_ALL,
            || filled.clone(),
            |simulation| {
                pages = relocation::relocate(simulation);
                1.0
            },
        );
        done(Item { name: format!("relocation, {name}"), unit: "runs", per_second: runs });
        done(Item { name: format!("pages collected, {name}"), unit: "pages", per_second: runs * pages });
    }
}

/// Events per second of the kernel's queue and of the standard library's heap. Their rounds alternate, so that both meet
/// the same moods of the machine.
fn kernel_beside_heap(now: &dyn Fn() -> f64, pending: u32) -> [f64; 2] {
    let drawn = Drawn::new();
    let mut kernel = Hold::new(EventQueue::new(), &drawn, pending);
    let mut heap = Hold::new(PlainHeap::default(), &drawn, pending);
    let mut best = [0.0f64; 2];
    for _ in 0..ROUNDS {
        best[0] = best[0].max(hold_rate(now, &mut kernel));
        best[1] = best[1].max(hold_rate(now, &mut heap));
    }
    assert_eq!(kernel.digest(), heap.digest(), "both handle the same events in the same order");
    best
}

fn hold_rate<Q: Pending>(now: &dyn Fn() -> f64, hold: &mut Hold<'_, Q>) -> f64 {
    let start = now();
    hold.run(EVENTS_PER_ROUND);
    f64::from(EVENTS_PER_ROUND) / (now() - start)
}

/// Times `work`, which tells how many units it did, round after round.
fn best_rate(now: &dyn Fn() -> f64, mut work: impl FnMut() -> f64) -> f64 {
    best_rate_of(now, ROUNDS, || (), |()| work())
}

/// Times `work` on something that is made anew, untimed, for each of `rounds` rounds.
fn best_rate_of<T>(now: &dyn Fn() -> f64, rounds: usize, make: impl Fn() -> T, mut work: impl FnMut(&mut T) -> f64) -> f64 {
    let mut best = 0.0f64;
    for _ in 0..rounds {
        let mut made = make();
        let start = now();
        let units = work(&mut made);
        best = best.max(units / (now() - start));
    }
    best
}
