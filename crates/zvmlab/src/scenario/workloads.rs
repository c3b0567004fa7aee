//! Workloads by name: what a program does with its storage and its minidisk, as IBM's exercisers do it.
//!
//! A workload describes which page comes next, how often it is referenced and changed, which I/O follows, and how long the
//! program thinks. The same few fields describe any workload; the sizes (storage, loop, minidisk) belong to the guest.

use super::{GuestGroup, Pattern};
use crate::scenario::Tenths;

/// A description of what a program does, over and over: touch pages, do an I/O, think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workload {
    /// What it is called.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub text: &'static str,
    /// Which page of the loop comes next.
    pub pattern: Pattern,
    /// References to each page.
    pub references: u32,
    /// How many of a hundred touched pages are changed.
    pub change_percent: u32,
    /// Pages touched before each I/O or pause.
    pub cycle_pages: u32,
    /// Processor time of each cycle besides that of touching pages, µs.
    pub cpu_us: u32,
    /// Processor time of CP in each cycle for a service, µs.
    pub service_us: u32,
    /// Time in each cycle for which the program holds the guest's spin lock, µs.
    pub lock_us: u32,
    /// Records of 4 KB in each I/O; 0 is none.
    pub io_records: u32,
    /// How many of a hundred I/Os are reads.
    pub io_read_percent: u32,
    /// Whether the I/O is in transport mode.
    pub io_zhpf: bool,
    /// Mean think time, ms.
    pub think_ms: Tenths,
    /// Time from the start of one cycle to that of the next, ms; 0 is none.
    pub pace_ms: Tenths,
    /// References, or cycles, in a transaction.
    pub transaction: u64,
}

/// Walks through a range of its storage, touching and changing every page (6.4 paging page, method). A transaction is a
/// quarter of the published loop of 16 GB, 2^20 pages: the published pages read for each transaction are close to it in
/// every run.
pub const VIRSTOEX: Workload = Workload {
    name: "VIRSTOEX",
    text: "walks through its loop page by page, changing each",
    pattern: Pattern::Sequential,
    references: 1,
    // Pages written equal pages read in every run of tables 1-5, so each page is changed before it is stolen.
    change_percent: 100,
    cycle_pages: 1,
    cpu_us: 0,
    service_us: 0,
    lock_us: 0,
    io_records: 0,
    io_read_percent: 0,
    io_zhpf: false,
    think_ms: Tenths::ZERO,
    pace_ms: Tenths::ZERO,
    transaction: 1 << 20,
};

/// The same walk with many references to a page. A transaction is 1000 references (6.4 paging page, alias sharing). How many
/// references go to each page is not published.
pub const VIRSTOCX: Workload = Workload {
    name: "VIRSTOCX",
    text: "walks through its loop page by page with many references to each, changing it",
    // Chosen, as if a step were 8 bytes: the step of VIRSTOCX is not published.
    references: 512,
    transaction: 1000,
    ..VIRSTOEX
};

/// Issues SSCH back to back to one minidisk, without think time, at a uniformly random record; a transaction is one I/O
/// (6.4 paging page, alias sharing; 67 % reads, 6.2 deck).
pub const IO3390: Workload = Workload {
    name: "IO3390",
    text: "reads and writes its minidisk back to back, at random",
    io_records: 1,
    io_read_percent: 67,
    transaction: 1,
    ..VIRSTOEX
};

/// Stores into uniformly random pages. Assumed: a transaction is one store; nothing is published.
pub const PFAULT: Workload = Workload {
    name: "PFAULT",
    text: "stores into random pages of its loop",
    pattern: Pattern::Random,
    transaction: 1,
    ..VIRSTOEX
};

/// Touches its pages one after another, again and again, and changes each. Assumed: the 1Q21 report gives its name alone. A
/// transaction is the touch of 1 GB (chosen).
pub const PTOUCH: Workload =
    Workload { name: "PTOUCH", text: "touches its pages one after another", transaction: 1 << 18, ..VIRSTOEX };

/// Computes without end: a batch loop. A transaction is 10 ms of processor time. Chosen; no source.
pub const COMPUTE: Workload =
    Workload { name: "COMPUTE", text: "computes without end", cpu_us: 10_000, transaction: 1, ..VIRSTOEX };

/// Short transactions with think time between them, as CMS users have. Chosen; no source.
pub const INTERACTIVE: Workload = Workload {
    name: "INTERACTIVE",
    text: "does short transactions and thinks between them",
    pattern: Pattern::Random,
    change_percent: 30,
    cycle_pages: 20,
    cpu_us: 5_000,
    think_ms: Tenths::whole(2_000),
    ..COMPUTE
};

/// A server that is never idle for long: requests one after the other, each touching pages all over its storage. Chosen; no
/// source.
pub const LINUX: Workload = Workload {
    name: "LINUX",
    text: "serves requests, and is never idle for long",
    pattern: Pattern::Random,
    change_percent: 30,
    cycle_pages: 300,
    cpu_us: 5_000,
    think_ms: Tenths::whole(50),
    ..COMPUTE
};

/// The workloads that have a name.
pub const WORKLOADS: [&Workload; 8] = [&VIRSTOEX, &VIRSTOCX, &IO3390, &PFAULT, &PTOUCH, &COMPUTE, &INTERACTIVE, &LINUX];

/// The name of any other workload.
pub const OTHER: &str = "other";

impl Workload {
    /// Gives the workload to the guests of `group`; their sizes stay as they are.
    pub fn apply(&self, group: &mut GuestGroup) {
        group.pattern = self.pattern;
        group.references = self.references;
        group.change_percent = self.change_percent;
        group.cycle_pages = self.cycle_pages;
        group.cpu_us = self.cpu_us;
        group.service_us = self.service_us;
        group.lock_us = self.lock_us;
        group.io_records = self.io_records;
        group.io_read_percent = self.io_read_percent;
        group.io_zhpf = self.io_zhpf;
        group.think_ms = self.think_ms;
        group.pace_ms = self.pace_ms;
        group.transaction = self.transaction;
    }

    /// The workload of `group`, if what its guests do has a name. Parameters of an exerciser (records, share of reads, mode,
    /// references, share of changes, processor times) do not make it another workload.
    pub fn of(group: &GuestGroup) -> Option<&'static Workload> {
        let same = |workload: &&Workload| {
            workload.pattern == group.pattern
                && workload.cycle_pages == group.cycle_pages
                && workload.think_ms == group.think_ms
                && workload.pace_ms == group.pace_ms
                && (workload.cpu_us > 0) == (group.cpu_us > 0)
                && workload.transaction == group.transaction
                && (workload.io_records > 0) == (group.io_records > 0)
        };
        WORKLOADS.into_iter().find(same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_workload_is_recognised_and_a_changed_one_is_none() {
        for workload in WORKLOADS {
            let mut group = GuestGroup::default();
            workload.apply(&mut group);
            assert_eq!(Workload::of(&group).map(|found| found.name), Some(workload.name));
            group.think_ms.0 += 1;
            assert_eq!(Workload::of(&group), None);
        }
    }
}
