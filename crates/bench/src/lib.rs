//! Benchmarks of the model. They run by any clock, so that native and wasm can be compared.
//!
//! `cargo xtask bench` runs [`suite`] natively and in wasm and prints one table. `cargo bench -p zvmlab-bench` runs the same
//! work by criterion, to compare two versions of the code.

pub mod hold;
pub mod host;
pub mod memory;
pub mod relocation;
#[cfg(target_arch = "wasm32")]
mod wasm;

use hold::{Drawn, Draws, Hold, Pending, PlainHeap};
use zvmlab::kernel::queue::EventQueue;

/// The number of pending events in the hold model.
pub const PENDING: [u32; 4] = [16, 1 << 10, 1 << 16, 1 << 20];

/// How many rounds of each work are timed. The fastest counts: other work on the machine can only slow a round down, and
/// many short rounds find the machine idle more often than few long ones.
const ROUNDS: usize = 25;

/// How many rounds of all runs of a table are timed: they take so long that a few rounds are enough.
const ROUNDS_OF_ALL: usize = 5;

/// Events of one timed round of the hold model.
const EVENTS_PER_ROUND: u32 = 200_000;

/// One result.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The work.
    pub name: String,
    /// The unit counted: `events`, `pages`, `runs`, `simulated s`.
    pub unit: &'static str,
    /// How many units a second.
    pub per_second: f64,
}

impl Item {
    /// The result as a line: name, unit and rate with tabs between.
    pub fn to_line(&self) -> String {
        format!("{}\t{}\t{}", self.name, self.unit, self.per_second)
    }
}

/// Runs everything. `now` returns the time in seconds since any fixed instant; `done` gets each result as it comes.
pub fn suite(now: &dyn Fn() -> f64, done: &mut dyn FnMut(Item)) {
    queues(now, done);
    pages(now, done);
    guest_io(now, done);
    dispatching(now, done);
    experiments(now, done);
    set_cu(now, done);
    relocations(now, done);
}

/// The kernel's queue and the standard library's heap, and the random draws that the hold model leaves out.
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

/// Work on the state of pages, and a memory copy to compare it with.
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

/// Many virtual CPUs that come and go, on the largest number of logical processors that a partition may have.
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

/// The whole experiments of all ratios of SET CU, one after the other, and their number of events.
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

/// Whole experiments, and their number of events.
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

/// Relocations: how many pages passes collect, with all the work that follows, and whole relocations.
fn relocations(now: &dyn Fn() -> f64, done: &mut dyn FnMut(Item)) {
    for (name, scenario) in relocation::hosts() {
        let filled = relocation::filled(&scenario);
        let mut pages = 0.0;
        // A whole relocation uses up its cluster, so each round gets its own copy.
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

/// Events per second of the kernel's queue and of the standard library's heap. Their rounds alternate, so that other work on
/// the machine slows both equally.
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

/// Times `work`, which returns how many units it did, round after round.
fn best_rate(now: &dyn Fn() -> f64, mut work: impl FnMut() -> f64) -> f64 {
    best_rate_of(now, ROUNDS, || (), |()| work())
}

/// Times `work` on an input that is made again, untimed, for each of `rounds` rounds.
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
