//! Examples of clusters and relocations.

use super::Example;

pub(super) const MOVE: Example = Example {
    id: "MOVE",
    title: "A guest of 40 GB that changes 2 GB a second",
    question: "Does it move within ten seconds of quiesce over two chpids of 8 Gb, and what would a third add?",
    text: r#"
name = "MOVE"
level = "6.2"
processors = { count = 4 }
cluster = { members = 2 }
isfc = { chpid1 = "8 Gb", chpid2 = "8 Gb" }
storage = { central_mb = 65536 }
member2 = { central_mb = 65536, processors = 4 }
measure = { warmup_s = 2, interval_s = 30 }
guests = [{ name = "SERVER", count = 1, virtual_mb = 40960, loop_mb = 40960, touch_mb_s = 2048, transaction = 1, pattern = "random", move_to = 2, tolerance_ms = 10000 }]
"#,
};

pub(super) const ISFC: Example = Example {
    id: "ISFC",
    title: "A guest of 16 GB over chpids of 2 Gb and 4 Gb",
    question: "What does another chpid gain, and what do unequal chpids or CTCs cost?",
    text: r#"
name = "ISFC"
level = "6.2"
processors = { count = 4 }
cluster = { members = 2 }
isfc = { chpid1 = "2 Gb", chpid2 = "4 Gb" }
storage = { central_mb = 32768 }
member2 = { central_mb = 32768, processors = 4 }
relocation = { maxquiesce = "NOLIMIT" }
measure = { warmup_s = 2, interval_s = 30 }
guests = [{ name = "SERVER", count = 1, virtual_mb = 16384, loop_mb = 16384, active_mb = 4096, touch_mb_s = 200, transaction = 1, pattern = "random", move_to = 2 }]
"#,
};

pub(super) const TWENTY_FIVE: Example = Example {
    id: "TWENTY-FIVE",
    title: "Twenty-five Linux guests of 4 GB",
    question: "One after the other or all at once, with or without IMMEDIATE: what is each best at?",
    text: r#"
name = "TWENTY-FIVE"
level = "6.2"
processors = { count = 8 }
cluster = { members = 2 }
isfc = { chpid1 = "8 Gb", chpid2 = "8 Gb" }
storage = { central_mb = 131072 }
member2 = { central_mb = 131072, processors = 8 }
measure = { warmup_s = 2, interval_s = 30 }
guests = [{ name = "LINUX", count = 25, virtual_mb = 4096, loop_mb = 3584, active_mb = 256, touch_mb_s = 48, transaction = 1, pattern = "random", move_to = 2 }]
"#,
};

pub(super) const CONSTRAINED: Example = Example {
    id: "CONSTRAINED",
    title: "A guest of 32 GB into a member that is short of storage",
    question: "Which of the three throttles acts, and what does it cost?",
    text: r#"
name = "CONSTRAINED"
level = "6.2"
processors = { count = 4 }
cluster = { members = 2 }
isfc = { chpid1 = "8 Gb", chpid2 = "4 Gb", chpid3 = "4 Gb", chpid4 = "2 Gb" }
storage = { central_mb = 40960 }
member2 = { central_mb = 20480, processors = 4, volumes = 4 }
paging = { volumes = 8, volume_slots = 8388608, alias = false }
relocation = { maxquiesce = "NOLIMIT" }
measure = { warmup_s = 2, interval_s = 30 }
guests = [{ name = "BIG", count = 1, virtual_mb = 32768, loop_mb = 24576, active_mb = 8192, workload = "PFAULT", move_to = 2 }]
"#,
};

pub(super) const BOUNCE: Example = Example {
    id: "BOUNCE",
    title: "Guests that bounce beside a web server's work",
    question: "How much does the work that stays on each member lose while guests come and go?",
    text: r#"
name = "BOUNCE"
level = "6.2"
processors = { count = 2 }
cluster = { members = 2 }
isfc = { chpid1 = "8 Gb", chpid2 = "8 Gb" }
storage = { central_mb = 32768 }
member2 = { central_mb = 32768, processors = 2 }
relocation = { bounce = true, stay_s = 2, after_s = 10 }
measure = { warmup_s = 5, interval_s = 60 }
guests = [
  { name = "WEB", count = 8, virtual_mb = 1024, loop_mb = 512, workload = "LINUX" },
  { name = "SHOP", count = 8, virtual_mb = 1024, loop_mb = 512, workload = "LINUX", member = 2 },
  { name = "MOVER", count = 2, virtual_mb = 4096, loop_mb = 3072, active_mb = 512, touch_mb_s = 64, transaction = 1, pattern = "random", move_to = 2 },
]
"#,
};

pub(super) const EVACUATION: Example = Example {
    id: "EVACUATION",
    title: "A member to be emptied within five minutes",
    question: "Which guest goes first and where, one at a time or all at once, and is there room?",
    text: r#"
name = "EVACUATION"
level = "6.2"
processors = { count = 8 }
cluster = { members = 3 }
isfc = { chpid1 = "8 Gb" }
storage = { central_mb = 65536 }
member2 = { central_mb = 40960, processors = 4, volumes = 8 }
member3 = { central_mb = 24576, processors = 4, volumes = 8 }
paging = { volumes = 8, volume_slots = 2097152, alias = false }
relocation = { window_s = 300 }
measure = { warmup_s = 2, interval_s = 30 }
guests = [
  { name = "DATABASE", count = 1, virtual_mb = 24576, loop_mb = 20480, active_mb = 4096, touch_mb_s = 400, transaction = 1, pattern = "random", move_to = 2, tolerance_ms = 10000 },
  { name = "JAVA", count = 3, virtual_mb = 4096, loop_mb = 3584, active_mb = 2048, touch_mb_s = 300, transaction = 1, pattern = "random", move_to = 3, tolerance_ms = 5000 },
  { name = "WEB", count = 8, virtual_mb = 1024, loop_mb = 768, active_mb = 64, touch_mb_s = 8, transaction = 1, pattern = "random", move_to = 2, tolerance_ms = 2000 },
  { name = "HOME2", count = 1, virtual_mb = 12288, loop_mb = 12288, active_mb = 4096, touch_mb_s = 100, transaction = 1, pattern = "random", member = 2 },
  { name = "HOME3", count = 1, virtual_mb = 10240, loop_mb = 8192, active_mb = 2048, touch_mb_s = 100, transaction = 1, pattern = "random", member = 3 },
]
"#,
};

pub(super) const CLUSTER: Example = Example {
    id: "CLUSTER",
    title: "Four members, three of which come and go",
    question: "Do members that leave and join disturb work on the member that stays?",
    text: r#"
name = "CLUSTER"
level = "6.2"
processors = { count = 2 }
cluster = { members = 4, state_s = 10, transition_s = 5 }
storage = { central_mb = 16384 }
member2 = { central_mb = 8192, processors = 2, transitions = true }
member3 = { central_mb = 8192, processors = 2, transitions = true }
member4 = { central_mb = 4096, processors = 1, transitions = true }
measure = { warmup_s = 5, interval_s = 60 }
guests = [{ name = "WEB", count = 16, virtual_mb = 512, loop_mb = 256, workload = "LINUX" }]
"#,
};
