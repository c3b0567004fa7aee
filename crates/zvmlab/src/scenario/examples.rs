//! Hosts to begin with where no published run shows the subject: chosen by hand, no measurement stands behind them.

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
pub const EXAMPLES: &[Example] = &[
    Example {
        id: "STORBUF",
        title: "Linux servers on a constrained host",
        question: "Who waits in the eligible list, and is it better to wait there or to page?",
        text: r#"
name = "STORBUF"
level = "6.2"
processors = { count = 4 }
scheduler = { storbuf_1 = 300, storbuf_2 = 250, storbuf_3 = 200 }
storage = { central_mb = 1024 }
paging = { volumes = 4, alias = false }
measure = { warmup_s = 30, interval_s = 45 }
guests = [{ name = "LINUX", count = 32, virtual_mb = 128, loop_mb = 64, workload = "LINUX" }]
"#,
    },
    Example {
        id: "STORBUF-FITS",
        title: "Linux servers that nearly fit",
        question: "Why were 125 105 95 held to be wrong for Linux?",
        text: r#"
name = "STORBUF-FITS"
level = "6.1"
processors = { count = 4 }
scheduler = { storbuf_1 = 125, storbuf_2 = 105, storbuf_3 = 95 }
storage = { central_mb = 1024 }
paging = { volumes = 4, alias = false }
measure = { warmup_s = 30, interval_s = 45 }
guests = [{ name = "LINUX", count = 18, virtual_mb = 128, loop_mb = 64, workload = "LINUX" }]
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
        question: "What is the partition entitled to, and what do logical processors beyond that cost?",
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
        question: "What piles up behind a lock that is not given back?",
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
