//! Hosts to begin with, for subjects that no published run shows. They are chosen by hand; no measurement stands
//! behind them.

mod relocation;

/// A host to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its name, in links and at the command line.
    pub id: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What to find out with it.
    pub question: &'static str,
    /// The scenario in its text form (TOML).
    pub text: &'static str,
}

/// Every example, in the order in which people should meet them.
pub static EXAMPLES: &[Example] = &[
    Example {
        id: "WHOLE",
        title: "Two members on which every control acts",
        question: "Which control gives the servers most throughput, and which one shortens the stop of the guest that moves?",
        text: r#"
name = "WHOLE"
level = "own"
own = { eligible_list = true }
processors = { count = 4 }
scheduler = { storbuf_1 = 300, storbuf_2 = 250, storbuf_3 = 200 }
storage = { central_mb = 416 }
lcu = { aliases = 2, alias_share = "8:8", paths = 4 }
paging = { volumes = 1 }
minidisks = { volumes = 1 }
cluster = { members = 2 }
member2 = { central_mb = 2048, processors = 4, volumes = 2 }
isfc = { chpid1 = "1 Gb" }
relocation = { after_s = 3 }
measure = { warmup_s = 10, interval_s = 20 }
guests = [
  { name = "LINUX", count = 16, virtual_mb = 96, loop_mb = 48, workload = "LINUX", cycle_pages = 150, cpu_us = 2500 },
  { name = "BACKUP", count = 4, virtual_mb = 32, loop_mb = 4, workload = "IO3390", io_records = 16, io_read_percent = 75, transaction = 100 },
  { name = "DB", virtual_mb = 128, loop_mb = 128, active_mb = 96, touch_mb_s = 100, change_percent = 100, reserved_mb = 128, pattern = "random", transaction = 100000, quickdsp = true, count = 1, move_to = 2 },
]
"#,
    },
    Example {
        id: "OVERCOMMIT",
        title: "Linux servers with hot and cold pages",
        question: "How much storage can be promised twice, and where does it collapse?",
        text: r#"
name = "OVERCOMMIT"
level = "6.4"
processors = { count = 4 }
storage = { central_mb = 1536 }
paging = { volumes = 4 }
measure = { warmup_s = 60, interval_s = 45 }
guests = [{ name = "LINUX", count = 16, virtual_mb = 128, loop_mb = 64, active_mb = 14, active_percent = 99, pattern = "random", change_percent = 30, cycle_pages = 300, cpu_us = 2000, think_ms = 20, transaction = 1 }]
"#,
    },
    Example {
        id: "OVERCOMMIT-GUESTS",
        title: "More and more Linux servers",
        question: "How many guests can share this storage, and what happens with one more?",
        text: r#"
name = "OVERCOMMIT-GUESTS"
level = "6.4"
processors = { count = 4 }
storage = { central_mb = 512 }
paging = { volumes = 2 }
measure = { warmup_s = 30, interval_s = 30 }
guests = [{ name = "LINUX", count = 16, virtual_mb = 64, loop_mb = 32, active_mb = 14, active_percent = 99, pattern = "random", change_percent = 30, cycle_pages = 300, cpu_us = 1000, think_ms = 20, transaction = 1 }]
"#,
    },
    Example {
        id: "BELOW-2GB",
        title: "Servers that read files on z/VM 5.1, with 6 GB",
        question: "Why does this host page while two thirds of its storage are free?",
        text: r#"
name = "BELOW-2GB"
level = "5.1"
processors = { count = 4 }
scheduler = { storbuf_1 = 300, storbuf_2 = 250, storbuf_3 = 200 }
dispatcher = { diag44_fast_path = false }
storage = { central_mb = 6144 }
lcu = { paths = 4 }
paging = { volumes = 8, alias = false }
minidisks = { volumes = 8, on_page_volumes = false }
measure = { warmup_s = 20, interval_s = 30 }
guests = [{ name = "SERVER", count = 5, virtual_mb = 1024, loop_mb = 900, workload = "IO3390", cycle_pages = 64, io_records = 64, io_read_percent = 100, minidisk_mb = 2000 }]
"#,
    },
    Example {
        id: "SEARCHES",
        title: "Servers of files on z/VM 6.1, with 20 GB",
        question: "How many frames does CP look at to find one below 2 GB?",
        text: r#"
name = "SEARCHES"
level = "6.1"
processors = { count = 2 }
scheduler = { storbuf_1 = 300, storbuf_2 = 250, storbuf_3 = 200 }
storage = { central_mb = 20480, below_percent = 25 }
lcu = { paths = 4 }
paging = { volumes = 16, alias = false }
measure = { warmup_s = 20, interval_s = 30 }
guests = [{ name = "SERVER", count = 16, virtual_mb = 1536, loop_mb = 1440, pattern = "files", change_percent = 0, cycle_pages = 512, cpu_us = 2000, transaction = 1 }]
"#,
    },
    Example {
        id: "EXPANDED",
        title: "Servers of files on z/VM 6.2, with 3 GB central and 1 GB expanded storage",
        question: "Is another gigabyte better expanded, or central?",
        text: r#"
name = "EXPANDED"
level = "6.2"
processors = { count = 6 }
scheduler = { storbuf_1 = 300, storbuf_2 = 250, storbuf_3 = 200 }
storage = { central_mb = 3072, expanded_mb = 1024 }
paging = { volumes = 4, alias = false }
measure = { warmup_s = 20, interval_s = 30 }
guests = [{ name = "SERVER", count = 8, virtual_mb = 768, loop_mb = 600, pattern = "files", change_percent = 10, cycle_pages = 256, cpu_us = 8000, transaction = 1 }]
"#,
    },
    Example {
        id: "CONTIGUOUS",
        title: "128 GB on z/VM 6.1 without VM64795",
        question: "Why does CP hardly find two free frames that make a pair?",
        text: r#"
name = "CONTIGUOUS"
level = "6.1"
scheduler = { storbuf_1 = 300, storbuf_2 = 250, storbuf_3 = 200 }
storage = { contiguous_rate = 20, coalescing = false }
paging = { volumes = 8, alias = false }
measure = { warmup_s = 60, interval_s = 60 }
"#,
    },
    Example {
        id: "RESERVED",
        title: "A database with all of its storage reserved, on z/VM 6.2",
        question: "Why does the database wait for pages that are reserved for it?",
        text: r#"
name = "RESERVED"
level = "6.2"
processors = { count = 2 }
storage = { central_mb = 384 }
paging = { volumes = 2 }
measure = { warmup_s = 120, interval_s = 180 }
guests = [
  { name = "DB", count = 1, virtual_mb = 128, loop_mb = 128, reserved_mb = 128, pattern = "random", change_percent = 30, cycle_pages = 300, cpu_us = 4000, think_ms = 5, transaction = 1 },
  { name = "LINUX", count = 14, virtual_mb = 64, loop_mb = 32, active_mb = 16, active_percent = 99, pattern = "random", change_percent = 30, cycle_pages = 300, cpu_us = 1000, think_ms = 50, transaction = 1 },
]
"#,
    },
    Example {
        id: "FLASHCOPY",
        title: "CMS users beside z/OS guests that defragment their minidisks",
        question: "Where does the system time come from, and what makes it go away?",
        text: r#"
name = "FLASHCOPY"
level = "6.2"
processors = { count = 2 }
storage = { central_mb = 2048 }
paging = { volumes = 1, alias = false }
minidisks = { volumes = 1, mdc_mb = 640 }
measure = { warmup_s = 20, interval_s = 30 }
guests = [
  { name = "CMS", count = 20, virtual_mb = 16, loop_mb = 4, workload = "IO3390", io_records = 4, io_read_percent = 90, minidisk_mb = 24, cpu_us = 500, think_ms = 5, transaction = 1 },
  { name = "ZOS", count = 4, virtual_mb = 256, loop_mb = 64, workload = "IO3390", io_records = 12, io_read_percent = 50, minidisk_mb = 4000, flashcopy_s = 1, cpu_us = 500, think_ms = 5, transaction = 1 },
]
"#,
    },
    Example {
        id: "MDC-BACKUP",
        title: "Linux servers beside a backup that the minidisk cache serves",
        question: "Why do the servers page while the backup runs, though they fit into storage?",
        text: r#"
name = "MDC-BACKUP"
level = "6.4"
processors = { count = 4 }
storage = { central_mb = 1200 }
paging = { volumes = 2 }
minidisks = { volumes = 4, mdc_mb = 800, mdc_arbiter = true }
measure = { warmup_s = 30, interval_s = 45 }
guests = [
  { name = "LINUX", count = 16, virtual_mb = 128, loop_mb = 64, active_mb = 24, active_percent = 98, pattern = "random", change_percent = 0, cycle_pages = 300, cpu_us = 2000, think_ms = 20, transaction = 1 },
  { name = "BACKUP", count = 4, virtual_mb = 32, loop_mb = 4, workload = "IO3390", io_records = 12, io_read_percent = 100, minidisk_mb = 4000, cpu_us = 200, think_ms = 1, transaction = 1 },
]
"#,
    },
    Example {
        id: "BIG-MEMORY",
        title: "1 TB and eight processors",
        question: "Does four times as much of everything do four times the work?",
        text: r#"
name = "BIG-MEMORY"
level = "6.4"
processors = { count = 8 }
storage = { central_mb = 1048576 }
paging = { volumes = 4 }
measure = { warmup_s = 1, interval_s = 10 }
guests = [{ name = "PTOUCH", count = 8, virtual_mb = 122880, loop_mb = 122880, workload = "PTOUCH" }]
"#,
    },
    Example {
        id: "REORDER-SPLIT",
        title: "A large guest split into four",
        question: "How long does each of four guests stand still, and who goes on meanwhile?",
        text: r#"
name = "REORDER-SPLIT"
level = "6.2"
processors = { count = 4 }
storage = { central_mb = 8464 }
paging = { volumes = 4, alias = false }
measure = { warmup_s = 5, interval_s = 120 }
guests = [{ name = "GUEST", count = 4, virtual_mb = 2560, loop_mb = 2560 }]
"#,
    },
    Example {
        id: "REORDER-OFF",
        title: "Linux servers that CP does not reorder, on z/VM 6.2",
        question: "What is reorder good for, and what does SET REORDER OFF cost?",
        text: r#"
name = "REORDER-OFF"
level = "6.2"
processors = { count = 4 }
storage = { central_mb = 576 }
paging = { volumes = 4, alias = false }
measure = { warmup_s = 120, interval_s = 45 }
guests = [{ name = "LINUX", count = 16, virtual_mb = 128, loop_mb = 64, reorder = false, active_mb = 14, active_percent = 98, pattern = "random", change_percent = 100, cycle_pages = 300, cpu_us = 2000, think_ms = 20, transaction = 1 }]
"#,
    },
    Example {
        id: "STORBUF",
        title: "Linux servers on a constrained host",
        question: "Which guests wait in the eligible list, and is it better to wait there or to page?",
        text: r#"
name = "STORBUF"
level = "6.2"
processors = { count = 4 }
scheduler = { storbuf_1 = 300, storbuf_2 = 250, storbuf_3 = 200 }
storage = { central_mb = 512 }
paging = { volumes = 4, alias = false }
measure = { warmup_s = 60, interval_s = 45 }
guests = [{ name = "LINUX", count = 32, virtual_mb = 128, loop_mb = 32, workload = "LINUX", change_percent = 100 }]
"#,
    },
    Example {
        id: "STORBUF-FITS",
        title: "Linux servers whose hot pages fit",
        question: "Why were 125 105 95 held to be wrong for Linux?",
        text: r#"
name = "STORBUF-FITS"
level = "6.1"
processors = { count = 4 }
scheduler = { storbuf_1 = 125, storbuf_2 = 105, storbuf_3 = 95 }
storage = { central_mb = 512 }
paging = { volumes = 4, alias = false }
measure = { warmup_s = 90, interval_s = 60 }
guests = [{ name = "LINUX", count = 24, virtual_mb = 128, loop_mb = 32, active_mb = 16, active_percent = 97, workload = "LINUX", change_percent = 100 }]
"#,
    },
    Example {
        id: "CLASSES",
        title: "CMS users, batch and Linux servers on one host",
        question: "Who is in Q1, Q2 and Q3, and who gets ahead of whom?",
        text: r#"
name = "CLASSES"
level = "6.1"
processors = { count = 2 }
scheduler = { storbuf_1 = 125, storbuf_2 = 105, storbuf_3 = 95 }
storage = { central_mb = 1024 }
paging = { volumes = 4, alias = false }
measure = { warmup_s = 15, interval_s = 45 }
guests = [
  { name = "CMS", count = 60, virtual_mb = 32, loop_mb = 4, workload = "INTERACTIVE" },
  { name = "BATCH", count = 4, virtual_mb = 64, loop_mb = 32, workload = "COMPUTE", cycle_pages = 200, pattern = "random" },
  { name = "LINUX", count = 6, virtual_mb = 256, loop_mb = 128, workload = "LINUX" },
]
"#,
    },
    Example {
        id: "CMS-USERS",
        title: "CMS users beside Linux servers that do not fit",
        question: "Are the old defaults of STORBUF better for the CMS users?",
        text: r#"
name = "CMS-USERS"
level = "6.2"
processors = { count = 4 }
scheduler = { storbuf_1 = 300, storbuf_2 = 250, storbuf_3 = 200 }
storage = { central_mb = 256 }
paging = { volumes = 2, alias = false }
measure = { warmup_s = 60, interval_s = 60 }
guests = [
  { name = "CMS", count = 40, virtual_mb = 16, loop_mb = 2, workload = "INTERACTIVE" },
  { name = "LINUX", count = 12, virtual_mb = 128, loop_mb = 32, workload = "LINUX" },
]
"#,
    },
    Example {
        id: "LIMIT-SUM",
        title: "LIMITHARD with absolute shares of more than 100 %",
        question: "What does a guest with ABSOLUTE 40 % LIMITHARD get when absolute shares add up to 150 %?",
        text: r#"
name = "LIMIT-SUM"
level = "6.2"
processors = { count = 1 }
storage = { central_mb = 2048 }
measure = { warmup_s = 5, interval_s = 60 }
guests = [
  { name = "LIMITED", count = 1, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", share_type = "ABSOLUTE", share_absolute = 40, limit_type = "LIMITHARD", limit_absolute = 40 },
  { name = "OTHER", count = 1, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", cpu_us = 2000, share_type = "ABSOLUTE", share_absolute = 60, pace_ms = 8 },
  { name = "THIRD", count = 1, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", cpu_us = 2000, share_type = "ABSOLUTE", share_absolute = 50, pace_ms = 8 },
]
"#,
    },
    Example {
        id: "LIMIT-LOW-MIN",
        title: "LIMITHARD with a low relative minimum and a larger absolute maximum",
        question: "What does a guest with RELATIVE 10 and ABSOLUTE 40 % LIMITHARD get?",
        text: r#"
name = "LIMIT-LOW-MIN"
level = "6.2"
processors = { count = 1 }
storage = { central_mb = 2048 }
measure = { warmup_s = 5, interval_s = 60 }
guests = [
  { name = "LIMITED", count = 1, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", share_relative = 10, limit_type = "LIMITHARD", limit_absolute = 40 },
  { name = "OTHER", count = 3, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", cpu_us = 1000, pace_ms = 10 },
]
"#,
    },
    Example {
        id: "LIMIT-NOT-BUSY",
        title: "LIMITHARD while the host is not very busy",
        question: "What does a guest with ABSOLUTE 40 % LIMITHARD get when it often waits and processors idle?",
        text: r#"
name = "LIMIT-NOT-BUSY"
level = "6.2"
processors = { count = 1 }
storage = { central_mb = 2048 }
measure = { warmup_s = 5, interval_s = 60 }
guests = [
  { name = "LIMITED", count = 1, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", cpu_us = 3000, think_ms = 1, share_type = "ABSOLUTE", share_absolute = 40, limit_type = "LIMITHARD", limit_absolute = 40 },
]
"#,
    },
    Example {
        id: "WEB",
        title: "Two clients that ask six web servers",
        question: "Which end makes users wait, and when do more connections gain nothing?",
        text: r#"
name = "WEB"
processors = { count = 4 }
storage = { central_mb = 4096 }
measure = { warmup_s = 2, interval_s = 20 }
guests = [
  { name = "CLIENT", count = 2, virtual_mb = 256, loop_mb = 16, workload = "COMPUTE", role = "client", connections = 6, cpu_us = 1000, think_ms = 20 },
  { name = "SERVER", count = 6, virtual_mb = 256, loop_mb = 64, workload = "COMPUTE", role = "server", pattern = "files", cycle_pages = 16, cpu_us = 400, service_us = 200 },
]
"#,
    },
    Example {
        id: "SPIN-LOCK",
        title: "CP's spin locks in a partition with shared processors",
        question: "What does PR/SM do while logical processors wait for a lock whose holder does not run?",
        text: r#"
name = "SPIN-LOCK"
level = "6.1"
scheduler = { storbuf_1 = 125, storbuf_2 = 105, storbuf_3 = 95 }
processors = { count = 12, shared = true }
prsm = { physical = 12, weight = 300, partitions = 3, other_weight = 300, other_logical = 12, other_busy_percent = 60 }
dispatcher = { spin_lock = "DIAG 44" }
storage = { central_mb = 4096 }
measure = { warmup_s = 2, interval_s = 10 }
guests = [{ name = "SERVER", count = 48, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", cpu_us = 400, service_us = 400, think_ms = 1 }]
"#,
    },
    Example {
        id: "PRSM",
        title: "A partition that shares processors",
        question: "What is the partition entitled to, and what do extra logical processors cost?",
        text: r#"
name = "PRSM"
level = "6.2"
processors = { count = 8, shared = true }
prsm = { physical = 8, weight = 100, partitions = 3, other_weight = 100, other_logical = 8, other_busy_percent = 70 }
storage = { central_mb = 4096 }
measure = { warmup_s = 2, interval_s = 20 }
guests = [{ name = "SERVER", count = 16, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", cpu_us = 2000, service_us = 150, think_ms = 12 }]
"#,
    },
    Example {
        id: "CAPPED",
        title: "A partition with a cap beside idle processors",
        question: "What does a cap cost while other partitions leave processors idle?",
        text: r#"
name = "CAPPED"
level = "6.4"
processors = { count = 4, shared = true }
prsm = { physical = 8, weight = 100, partitions = 3, other_weight = 100, other_logical = 8, other_busy_percent = 10, capped = true }
storage = { central_mb = 4096 }
measure = { warmup_s = 2, interval_s = 20 }
guests = [{ name = "SERVER", count = 16, virtual_mb = 64, loop_mb = 1, workload = "COMPUTE", cpu_us = 2000, service_us = 150, think_ms = 4 }]
"#,
    },
    Example {
        id: "RELEASE",
        title: "A guest that gives pages back, on z/VM 6.1 without VM64715",
        question: "Why do virtual CPUs wait while processors are idle?",
        text: r#"
name = "RELEASE"
level = "6.1"
scheduler = { storbuf_1 = 300, storbuf_2 = 250, storbuf_3 = 200 }
processors = { count = 16 }
storage = { central_mb = 8192, release_exclusive = true }
paging = { alias = false }
measure = { warmup_s = 2, interval_s = 10 }
guests = [
  { name = "LINUX", count = 1, virtual_cpus = 12, virtual_mb = 4096, loop_mb = 2048, cycle_pages = 256, release_percent = 100, cpu_us = 500, transaction = 1 },
  { name = "CMS", count = 8, virtual_mb = 32, loop_mb = 1, workload = "COMPUTE", cpu_us = 2000, think_ms = 20 },
]
"#,
    },
    Example {
        id: "PLDV",
        title: "More ready virtual CPUs than vectors hold",
        question: "Who runs when a reshuffle forgets that vectors overflowed?",
        text: r#"
name = "PLDV"
level = "6.1"
scheduler = { storbuf_1 = 125, storbuf_2 = 105, storbuf_3 = 95 }
processors = { count = 4 }
dispatcher = { pldv_fix = false, vector_entries = 2 }
storage = { central_mb = 4096 }
measure = { warmup_s = 5, interval_s = 30 }
guests = [{ name = "SERVER", count = 60, virtual_mb = 32, loop_mb = 1, workload = "COMPUTE", cpu_us = 4000, think_ms = 50 }]
"#,
    },
    Example {
        id: "VARY",
        title: "VARY PROCESSOR that never completes",
        question: "What piles up behind a lock that is never released?",
        text: r#"
name = "VARY"
level = "6.1"
scheduler = { storbuf_1 = 125, storbuf_2 = 105, storbuf_3 = 95 }
processors = { count = 4 }
dispatcher = { vary_s = 10, vary_fix = false }
storage = { central_mb = 4096 }
measure = { warmup_s = 2, interval_s = 30 }
guests = [{ name = "SERVER", count = 20, virtual_mb = 32, loop_mb = 1, workload = "COMPUTE", cpu_us = 4000, service_us = 200, think_ms = 40 }]
"#,
    },
    relocation::MOVE,
    relocation::ISFC,
    relocation::TWENTY_FIVE,
    relocation::CONSTRAINED,
    relocation::BOUNCE,
    relocation::EVACUATION,
    relocation::CLUSTER,
];

/// The example with this id.
pub fn example(id: &str) -> Option<&'static Example> {
    EXAMPLES.iter().find(|example| example.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;

    #[test]
    fn every_example_is_a_scenario_with_its_id_for_a_name() {
        for example in EXAMPLES {
            let scenario = Scenario::parse(example.text).unwrap_or_else(|error| panic!("{}: {error}", example.id));
            assert_eq!(scenario.name, example.id);
        }
    }
}
