//! The same work as `cargo xtask bench`, run by criterion: it tells whether a change made the model faster or slower.

/// Criterion is not built for wasm; `cargo xtask bench` runs the work there.
fn main() {
    #[cfg(not(target_arch = "wasm32"))]
    native::run();
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use criterion::{BatchSize, BenchmarkId, Criterion, Throughput};
    use zvmlab::kernel::queue::EventQueue;
    use zvmlab_bench::hold::{Drawn, Draws, Hold, PlainHeap};
    use zvmlab_bench::{PENDING, host, memory, relocation};

    /// Events of one iteration.
    const EVENTS: u32 = 10_000;

    fn hold(criterion: &mut Criterion) {
        let drawn = Drawn::new();
        let mut group = criterion.benchmark_group("hold");
        group.throughput(Throughput::Elements(EVENTS.into()));
        for pending in PENDING {
            let mut kernel = Hold::new(EventQueue::new(), &drawn, pending);
            group.bench_function(BenchmarkId::new("kernel", pending), |bencher| bencher.iter(|| kernel.run(EVENTS)));
            let mut heap = Hold::new(PlainHeap::default(), &drawn, pending);
            group.bench_function(BenchmarkId::new("BinaryHeap", pending), |bencher| bencher.iter(|| heap.run(EVENTS)));
        }
        let mut draws = Draws::new();
        group.bench_function("exponential draws", |bencher| bencher.iter(|| draws.run(EVENTS)));
        group.finish();
    }

    fn storage(criterion: &mut Criterion) {
        let mut group = criterion.benchmark_group("storage");
        group.sample_size(20);
        let mut copy = memory::Copy::new();
        group.bench_function("memory copy of 64 MB", |bencher| bencher.iter(|| copy.run()));
        let mut roomy = host::roomy();
        host::fill(&mut roomy);
        group.bench_function("touch resident pages for 20 s", |bencher| bencher.iter(|| host::touch(&mut roomy, 20)));
        let mut paging = host::paging();
        host::fill(&mut paging);
        group.bench_function("page for 5 s", |bencher| bencher.iter(|| host::scan(&mut paging, 5)));
        group.finish();
    }

    fn whole(criterion: &mut Criterion) {
        let mut group = criterion.benchmark_group("whole experiment");
        group.sample_size(10);
        for scenario in host::published() {
            group.bench_function(&scenario.name, |bencher| bencher.iter(|| host::experiment(&scenario)));
        }
        group.finish();
    }

    fn guest_io(criterion: &mut Criterion) {
        let mut group = criterion.benchmark_group("minidisk I/O");
        group.sample_size(10);
        let mut host = host::guest_io();
        group.bench_function("guest I/O for 1 s", |bencher| bencher.iter(|| host::events(&mut host, 1)));
        let runs = host::set_cu();
        group.bench_function("SET CU, all fifteen runs", |bencher| {
            bencher.iter(|| runs.iter().map(host::experiment).sum::<f64>());
        });
        group.finish();
    }

    fn dispatching(criterion: &mut Criterion) {
        let mut group = criterion.benchmark_group("dispatching");
        group.sample_size(10);
        let mut host = host::crowded();
        group.bench_function("1000 virtual CPUs on 64 processors for 1 s", |bencher| {
            bencher.iter(|| host::events(&mut host, 1));
        });
        group.finish();
    }

    fn relocations(criterion: &mut Criterion) {
        let mut group = criterion.benchmark_group("relocation");
        group.sample_size(10);
        for (name, scenario) in relocation::hosts() {
            let filled = relocation::filled(&scenario);
            group.bench_function(name, |bencher| {
                let copy = || filled.clone();
                bencher.iter_batched(copy, |mut copy| relocation::relocate(&mut copy), BatchSize::PerIteration);
            });
        }
        group.finish();
    }

    pub fn run() {
        let mut criterion = Criterion::default().configure_from_args();
        hold(&mut criterion);
        storage(&mut criterion);
        guest_io(&mut criterion);
        dispatching(&mut criterion);
        whole(&mut criterion);
        relocations(&mut criterion);
        criterion.final_summary();
    }
}
