//! The page table lock (PTIL) of a guest against the same lock played by itself: customers that compute, take the lock shared for
//! some pages at a time, and then alone. The play knows no processors, storage or scheduler, only the order of the line.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use zvmlab::Simulation;
use zvmlab::constants::Constants;
use zvmlab::kernel::rng::Generator;
use zvmlab::kernel::time::Span;
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::Snapshot;

/// Pages of a cycle, and processor time that the program uses besides.
const PAGES: u64 = 256;
const CPU_US: f64 = 500.0;

fn host(virtual_cpus: u32, references: u32, exclusive: bool) -> Scenario {
    let text = format!(
        "level = \"6.1\"\n[paging]\nalias = false\n[processors]\ncount = 16\n[storage]\ncentral_mb = 1024\nrelease_exclusive = {exclusive}\n\
         [[guests]]\ncount = 1\nvirtual_cpus = {virtual_cpus}\nvirtual_mb = 512\nloop_mb = 512\ncycle_pages = {PAGES}\n\
         release_percent = 100\ncpu_us = {CPU_US}\nreferences = {references}\ntransaction = 1\n"
    );
    Scenario::parse(&text).expect("valid")
}

/// A second after the fill, and ten seconds later.
fn snapshots(scenario: &Scenario) -> [Snapshot; 2] {
    let mut simulation = Simulation::new(scenario, 3).expect("valid");
    while !simulation.snapshot().filled {
        simulation.run_until(simulation.now() + Span::from_secs(1));
    }
    simulation.run_until(simulation.now() + Span::from_secs(1));
    let earlier = simulation.snapshot();
    simulation.run_until(simulation.now() + Span::from_secs(10));
    [earlier, simulation.snapshot()]
}

/// Cycles a second of the model, and the mean number of virtual CPUs in line.
fn model(scenario: &Scenario) -> [f64; 2] {
    let [earlier, later] = snapshots(scenario);
    let elapsed_ns = (later.now_ns - earlier.now_ns) as f64;
    let [before, after] = [&earlier.guests[0], &later.guests[0]];
    let waits = |guest: &zvmlab::snapshot::GuestSnapshot| guest.ptil.as_ref().expect("it releases pages").wait_ns;
    [(after.cycles - before.cycles) as f64 / elapsed_ns * 1e9, (waits(after) - waits(before)) as f64 / elapsed_ns]
}

/// The program's time for a page with so many references, CP's for its first touch, and CP's to release it, in ns.
fn page_times(references: u32) -> [f64; 3] {
    let constants = Constants::default();
    let touch_ns = constants.touch_ns + f64::from(references - 1) * constants.reference_ns;
    [touch_ns, constants.clear_ns, constants.release_ns]
}

/// What a customer of the play does, or stands in line for.
#[derive(Clone, Copy, PartialEq)]
enum Doing {
    /// It shares the lock for so many pieces of pages more, with this one.
    Shares(u64),
    /// It goes on with the pages of a piece; so many pieces are left.
    Touches(u64),
    Computes,
    HoldsAlone,
}

/// The same by a play of the lock. It knows its customers' times, and the order of the line.
fn play(customers: usize, references: u32) -> [f64; 2] {
    let [touch_ns, clear_ns, release_ns] = page_times(references);
    let each = Constants::default().ptil_pages;
    let pieces = PAGES / each;
    let time = |pages: u64, ns: f64| (pages as f64 * ns) as u64;
    let mut draw = Generator::new(5, "the play");
    let mut doing = vec![Doing::Shares(pieces); customers];
    let (mut sharing, mut held_alone, mut line) = (0, false, VecDeque::new());
    let mut ends = BinaryHeap::new();
    let (mut now, mut cycles, mut waited) = (0, 0, 0u128);
    line.extend(0..customers);
    while now < 60_000_000_000 {
        while let Some(&customer) = line.front() {
            let wants_alone = doing[customer] == Doing::HoldsAlone;
            if held_alone || wants_alone && sharing > 0 {
                break;
            }
            line.pop_front();
            (held_alone, sharing) = if wants_alone { (true, sharing) } else { (false, sharing + 1) };
            let took = if wants_alone { time(PAGES, release_ns) } else { time(each, clear_ns) };
            ends.push(Reverse((now + took, customer)));
        }
        let Some(Reverse((at, customer))) = ends.pop() else { break };
        waited += u128::from(at - now) * line.len() as u128;
        now = at;
        doing[customer] = match doing[customer] {
            Doing::Shares(left) => {
                sharing -= 1;
                Doing::Touches(left - 1)
            }
            Doing::Touches(0) => Doing::Computes,
            Doing::Touches(left) => Doing::Shares(left),
            Doing::Computes => Doing::HoldsAlone,
            Doing::HoldsAlone => {
                held_alone = false;
                cycles += 1;
                Doing::Shares(pieces)
            }
        };
        match doing[customer] {
            Doing::Shares(_) | Doing::HoldsAlone => line.push_back(customer),
            Doing::Touches(_) => ends.push(Reverse((now + time(each, touch_ns), customer))),
            Doing::Computes => ends.push(Reverse((now + draw.exponential(CPU_US * 1e3) as u64, customer))),
        }
    }
    [cycles as f64 / now as f64 * 1e9, waited as f64 / now as f64]
}

#[test]
fn an_exclusive_lock_holds_a_guest_back_as_the_play_of_it_says() {
    for (virtual_cpus, references) in [(1, 1), (2, 1), (4, 1), (12, 1), (8, 300)] {
        let (found, expected) = (model(&host(virtual_cpus, references, true)), play(virtual_cpus as usize, references));
        let off = (found[0] / expected[0] - 1.0).abs();
        assert!(off < 0.02, "{virtual_cpus} virtual CPUs: {found:?}, played {expected:?}");
        assert!((found[1] - expected[1]).abs() < 0.02 * f64::from(virtual_cpus), "{found:?}, played {expected:?}");
    }
}

#[test]
fn a_shared_lock_holds_nobody_back() {
    let cycle_ns = PAGES as f64 * page_times(1).iter().sum::<f64>() + CPU_US * 1e3;
    for virtual_cpus in [1, 12] {
        let [rate, line] = model(&host(virtual_cpus, 1, false));
        let alone = f64::from(virtual_cpus) / cycle_ns * 1e9;
        assert!((rate / alone - 1.0).abs() < 0.01 && line == 0.0, "{virtual_cpus}: {rate}, each for itself {alone}");
    }
}

/// What holds a guest back is its own lock: its neighbour does as much as with the service.
#[test]
fn the_neighbour_feels_nothing() {
    let with = |exclusive| {
        let mut scenario = host(6, 1, exclusive);
        let neighbour = zvmlab::scenario::GuestGroup { release_percent: 0, virtual_cpus: 2, ..scenario.guests[0].clone() };
        scenario.guests.push(neighbour);
        let [earlier, later] = snapshots(&scenario);
        [0, 1].map(|guest| (later.guests[guest].cycles - earlier.guests[guest].cycles) as f64)
    };
    let (exclusive, shared) = (with(true), with(false));
    assert!(exclusive[0] < 0.9 * shared[0], "{exclusive:?} {shared:?}");
    assert!((exclusive[1] / shared[1] - 1.0).abs() < 0.02, "{exclusive:?} {shared:?}");
}
