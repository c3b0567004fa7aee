//! The fields of what the program in a guest does: which pages it touches, its cycles, its I/O.

use super::guests::{group, group_mut};
use super::{Effect, Field, Kind, MAX_VIRTUAL_MB};
use crate::scenario::{Mechanism, Pattern, Role, Scenario, Tenths};

paths! {
    GUESTS_PATTERN = "guests.pattern";
    GUESTS_REFERENCES = "guests.references";
    GUESTS_CHANGE_PERCENT = "guests.change_percent";
    GUESTS_CYCLE_PAGES = "guests.cycle_pages";
    GUESTS_RELEASE_PERCENT = "guests.release_percent";
    GUESTS_CPU_US = "guests.cpu_us";
    GUESTS_SERVICE_US = "guests.service_us";
    GUESTS_LOCK_US = "guests.lock_us";
    GUESTS_IO_RECORDS = "guests.io_records";
    GUESTS_IO_READ_PERCENT = "guests.io_read_percent";
    GUESTS_IO_ZHPF = "guests.io_zhpf";
    GUESTS_MINIDISK_MB = "guests.minidisk_mb";
    GUESTS_MDC = "guests.mdc";
    GUESTS_FLASHCOPY_S = "guests.flashcopy_s";
    GUESTS_ROLE = "guests.role";
    GUESTS_CONNECTIONS = "guests.connections";
    GUESTS_THINK_MS = "guests.think_ms";
    GUESTS_PACE_MS = "guests.pace_ms";
    GUESTS_ACTIVE_MB = "guests.active_mb";
    GUESTS_ACTIVE_PERCENT = "guests.active_percent";
    GUESTS_TOUCH_MB_S = "guests.touch_mb_s";
    GUESTS_TRANSACTION = "guests.transaction";
}

/// Those fields.
pub(super) const FIELDS: &[Field] = &[
    Field {
        path: paths::GUESTS_PATTERN,
        label: "Touch pattern",
        unit: "",
        help: || "Which page of the loop the program touches next. Files: each cycle goes through the pages of one file, picked at random; its size is the cycle’s pages.",
        effect: Effect::always,
        kind: Kind::Choice {
            allowed: &["sequential", "random", "files"],
            get: |s, g| group(s, g).pattern.as_str(),
            set: |s, g, v| group_mut(s, g).pattern = Pattern::of_word(v).unwrap_or_default(),
        },
    },
    Field {
        path: paths::GUESTS_REFERENCES,
        label: "References to a page",
        unit: "references",
        help: || "How often the program refers to a page each time it touches it.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 1,
            max: 1_000_000,
            slider_max: 4_096,
            step: 1,
            get: |s, g| group(s, g).references.into(),
            set: |s, g, v| group_mut(s, g).references = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_CHANGE_PERCENT,
        label: "Pages changed",
        unit: "%",
        help: || "Percent of touched pages that the program changes. CP need not write a page again if it is unchanged since it was read.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 0,
            max: 100,
            slider_max: 100,
            step: 1,
            get: |s, g| group(s, g).change_percent.into(),
            set: |s, g, v| group_mut(s, g).change_percent = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_CYCLE_PAGES,
        label: "Pages of a cycle",
        unit: "pages",
        help: || "The program touches this many pages before each I/O or pause.",
        effect: of_cycle_pages,
        kind: Kind::Whole {
            min: 1,
            max: 1_000_000,
            slider_max: 256,
            step: 1,
            get: |s, g| group(s, g).cycle_pages.into(),
            set: |s, g, v| group_mut(s, g).cycle_pages = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_RELEASE_PERCENT,
        label: "Pages released",
        unit: "%",
        help: || "Percent of a cycle’s pages that the program gives back to CP at the end of the cycle, as a guest does by Diagnose X'10' or a program that deletes a data space. Their frames are available at once; the next touch of such a page is a first touch. 0: none.",
        effect: of_release,
        kind: Kind::Whole {
            min: 0,
            max: 100,
            slider_max: 100,
            step: 1,
            get: |s, g| group(s, g).release_percent.into(),
            set: |s, g, v| group_mut(s, g).release_percent = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_CPU_US,
        label: "Processor time of a cycle",
        unit: "µs",
        help: || "Processor time that the program uses in each cycle besides touching pages. It is exponential where programs meet at a lock, release pages, or are client and server.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 0,
            max: 10_000_000,
            slider_max: 100_000,
            step: 100,
            get: |s, g| group(s, g).cpu_us.into(),
            set: |s, g, v| group_mut(s, g).cpu_us = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_SERVICE_US,
        label: "CP service of a cycle",
        unit: "µs",
        help: || "Processor time that CP uses in each cycle for a service the program asks for. CP holds one of its spin locks during it. z/VM 5.1 takes a little less. 0: the program asks for none.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 0,
            max: 1_000_000,
            slider_max: 1000,
            step: 10,
            get: |s, g| group(s, g).service_us.into(),
            set: |s, g, v| group_mut(s, g).service_us = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_LOCK_US,
        label: "Guest's lock held in a cycle",
        unit: "µs",
        help: || "The program holds its guest's one spin lock for this long in each cycle. Virtual CPUs that wait for it spin, then yield by Diag X'44'. 0: there is no lock.",
        effect: |s, g| {
            Effect::of_group(s, g, |group| {
                let alone = group.virtual_cpus == 1 && group.lock_us == 0;
                Effect::none_if(alone, "With one virtual CPU, no other can wait for the guest's lock.")
            })
        },
        kind: Kind::Whole {
            min: 0,
            max: 1_000_000,
            slider_max: 1000,
            step: 1,
            get: |s, g| group(s, g).lock_us.into(),
            set: |s, g, v| group_mut(s, g).lock_us = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_IO_RECORDS,
        label: "Records of an I/O",
        unit: "records",
        help: || "Records of 4 KB that each I/O to the minidisk moves. 0: the guest does no I/O.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 0,
            max: 64,
            slider_max: 64,
            step: 1,
            get: |s, g| group(s, g).io_records.into(),
            set: |s, g, v| group_mut(s, g).io_records = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_IO_READ_PERCENT,
        label: "I/Os that read",
        unit: "%",
        help: || "Percent of I/Os that are reads. The others are writes.",
        effect: of_io,
        kind: Kind::Whole {
            min: 0,
            max: 100,
            slider_max: 100,
            step: 1,
            get: |s, g| group(s, g).io_read_percent.into(),
            set: |s, g, v| group_mut(s, g).io_read_percent = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_IO_ZHPF,
        label: "zHPF for the guest",
        unit: "",
        help: || "The guest does transport-mode I/O. Each I/O takes less channel time and less CPU, but the minidisk cache is off. Needs z/VM 6.2 with VM65041 and ECKD volumes.",
        effect: of_zhpf,
        kind: Kind::Switch { get: |s, g| group(s, g).io_zhpf, set: |s, g, v| group_mut(s, g).io_zhpf = v },
    },
    Field {
        path: paths::GUESTS_MINIDISK_MB,
        label: "Minidisk of a guest",
        unit: "MB",
        help: || "Size of the minidisk. Each I/O goes to a random record on it; all are equally likely.",
        effect: of_io,
        kind: Kind::Whole {
            min: 1,
            max: 65_536,
            slider_max: 8_192,
            step: 100,
            get: |s, g| group(s, g).minidisk_mb,
            set: |s, g, v| group_mut(s, g).minidisk_mb = v,
        },
    },
    Field {
        path: paths::GUESTS_MDC,
        label: "Cache for the minidisk",
        unit: "",
        help: || "Off: the minidisk cache leaves these guests' minidisks alone. Best for minidisks that FlashCopy writes to, and for those of which little is read twice.",
        effect: of_cache,
        kind: Kind::Switch { get: |s, g| group(s, g).mdc, set: |s, g, v| group_mut(s, g).mdc = v },
    },
    Field {
        path: paths::GUESTS_FLASHCOPY_S,
        label: "Time between FlashCopies",
        unit: "s",
        help: || "The guest copies onto its whole minidisk by FlashCopy every so often, as z/OS does to defragment it. CP then invalidates each of its tracks in the minidisk cache. 0: never.",
        effect: of_flashcopy,
        kind: Kind::Whole {
            min: 0,
            max: 3_600,
            slider_max: 60,
            step: 1,
            get: |s, g| group(s, g).flashcopy_s.into(),
            set: |s, g, v| group_mut(s, g).flashcopy_s = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_ROLE,
        label: "Part in requests",
        unit: "",
        help: || "Client: has connections to every server guest; a cycle makes a request, and the connection waits for the answer. Server: a cycle answers one request. Alone: neither.",
        effect: of_role,
        kind: Kind::Choice {
            allowed: &["alone", "client", "server"],
            get: |s, g| group(s, g).role.as_str(),
            set: |s, g, v| group_mut(s, g).role = Role::of_word(v).unwrap_or_default(),
        },
    },
    Field {
        path: paths::GUESTS_CONNECTIONS,
        label: "Connections to each server",
        unit: "",
        help: || "Connections of each client to each server guest. On each connection one request is under way at a time.",
        effect: of_connections,
        kind: Kind::Whole {
            min: 1,
            max: 1_000,
            slider_max: 64,
            step: 1,
            get: |s, g| group(s, g).connections.into(),
            set: |s, g, v| group_mut(s, g).connections = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_THINK_MS,
        label: "Think time",
        unit: "ms",
        help: || "Mean pause after each cycle, exponentially distributed; of a client, on each connection from an answer to the next request. 0: the program goes on at once.",
        effect: of_think,
        kind: Kind::Tenths {
            min: Tenths::ZERO,
            max: Tenths::whole(60_000),
            slider_max: Tenths::whole(1_000),
            get: |s, g| group(s, g).think_ms,
            set: |s, g, v| group_mut(s, g).think_ms = v,
        },
    },
    Field {
        path: paths::GUESTS_PACE_MS,
        label: "Time from cycle to cycle",
        unit: "ms",
        help: || "Cycles start this far apart unless one takes longer. The guest then wants a fixed part of a processor. 0: each cycle follows the last at once.",
        effect: of_pace,
        kind: Kind::Tenths {
            min: Tenths::ZERO,
            max: Tenths::whole(60_000),
            slider_max: Tenths::whole(1_000),
            get: |s, g| group(s, g).pace_ms,
            set: |s, g, v| group_mut(s, g).pace_ms = v,
        },
    },
    Field {
        path: paths::GUESTS_ACTIVE_MB,
        label: "Active part of the loop",
        unit: "MB",
        help: || "The part of the loop that the guest keeps touching after it has touched the whole loop once, or touches more often than the rest. 0: the whole loop.",
        effect: Effect::always,
        kind: Kind::Whole {
            min: 0,
            max: MAX_VIRTUAL_MB,
            slider_max: 32768,
            step: 64,
            get: |s, g| group(s, g).active_mb,
            set: |s, g, v| group_mut(s, g).active_mb = v,
        },
    },
    Field {
        path: paths::GUESTS_ACTIVE_PERCENT,
        label: "Touches in the active part",
        unit: "%",
        help: || "Percent of touches that go to the active part of the loop; the others go to the rest. 90 % in a tenth of the loop is a program with hot and cold pages.",
        effect: of_active_percent,
        kind: Kind::Whole {
            min: 1,
            max: 100,
            slider_max: 100,
            step: 1,
            get: |s, g| group(s, g).active_percent.into(),
            set: |s, g, v| group_mut(s, g).active_percent = v as u32,
        },
    },
    Field {
        path: paths::GUESTS_TOUCH_MB_S,
        label: "Pages touched a second",
        unit: "MB/s",
        help: || "The guest touches at most this many MB of pages a second. It changes the percentage of them given by \"Pages changed\". 0: as fast as it can. Replaces the pages of a cycle and the time from cycle to cycle.",
        effect: of_touch_rate,
        kind: Kind::Whole {
            min: 0,
            max: 16384,
            slider_max: 4096,
            step: 10,
            get: |s, g| group(s, g).touch_mb_s.into(),
            set: |s, g, v| group_mut(s, g).touch_mb_s = v as u32,
        },
    },
];

/// What counts as a transaction: the last field of a group.
pub(super) const TRANSACTION: &[Field] = &[Field {
    path: paths::GUESTS_TRANSACTION,
    label: "Transaction",
    unit: "references or cycles",
    help: || "One transaction is this many references to pages. For programs that work in cycles it is this many cycles. A cycle has an I/O, a pause or processor time of its own.",
    effect: of_transaction,
    kind: Kind::Whole {
        min: 1,
        max: 1_000_000_000_000,
        slider_max: 2_000_000,
        step: 1,
        get: |s, g| group(s, g).transaction,
        set: |s, g, v| group_mut(s, g).transaction = v,
    },
}];

fn of_io(scenario: &Scenario, index: usize) -> Effect {
    Effect::of_group(scenario, index, |group| {
        Effect::none_if(group.io_records == 0, "These guests do no I/O: their I/O has 0 records.")
    })
}

fn of_release(scenario: &Scenario, index: usize) -> Effect {
    let alone = Effect::of_group(scenario, index, |group| {
        let none = scenario.cluster.members > 1 && group.release_percent == 0;
        Effect::none_if(none, "Guests that release pages are modelled on one host alone, not in a cluster.")
    });
    let in_order = || {
        Effect::of_group(scenario, index, |group| {
            let at_random = group.pattern == Pattern::Random;
            Effect::none_if(
                at_random,
                "These guests touch their pages at random; only those that go in order, or by files, release any.",
            )
        })
    };
    alone.and(in_order).and(|| {
        Effect::of_group(scenario, index, |group| {
            Effect::none_if(
                !group.in_cycles(),
                "These guests do not work in cycles: they have no pause, no I/O and no processor time of their own.",
            )
        })
    })
}

/// Of what the minidisk cache does with the minidisks of a group.
fn of_cache(scenario: &Scenario, index: usize) -> Effect {
    of_io(scenario, index)
        .and(|| Effect::none_if(!scenario.minidisks.is_cached(), "The host has no minidisk cache: its size is 0."))
        .and(|| {
            Effect::of_group(scenario, index, |group| {
                Effect::none_if(group.io_zhpf, "Transport-mode I/O switches the minidisk cache off for these minidisks.")
            })
        })
}

fn of_flashcopy(scenario: &Scenario, index: usize) -> Effect {
    of_cache(scenario, index).and(|| {
        Effect::of_group(scenario, index, |group| {
            Effect::none_if(!group.mdc, "The minidisk cache leaves these minidisks alone, so it has no tracks of them.")
        })
    })
}

fn of_zhpf(scenario: &Scenario, index: usize) -> Effect {
    let (level, minidisks) = (scenario.level, &scenario.minidisks);
    let on_edevs = minidisks.volumes > 0 && !minidisks.kind.is_eckd();
    of_io(scenario, index)
        .and(|| {
            let lacks = level.lacks(Mechanism::GuestZhpf);
            Effect::none_if(lacks, "z/VM 6.2 has zHPF for guests only with the service VM65041.")
        })
        .and(|| Effect::none_if(on_edevs, "Minidisks are on EDEVs, which use FCP. zHPF needs FICON."))
}

fn of_active_percent(scenario: &Scenario, index: usize) -> Effect {
    Effect::of_group(scenario, index, |group| {
        let whole = group.active_mb == 0 || group.active_mb >= group.loop_mb;
        Effect::none_if(whole, "The whole loop is active: the active part is 0 or all of it.")
    })
    .and(|| {
        Effect::of_group(scenario, index, |group| {
            let in_order = group.pattern == Pattern::Sequential;
            Effect::none_if(in_order, "These guests touch their pages in order, so they stay in the active part.")
        })
    })
}

/// Clients and servers are modelled on one host. A group that is one of them can be made `alone` in a cluster, too.
fn of_role(scenario: &Scenario, index: usize) -> Effect {
    Effect::of_group(scenario, index, |group| {
        let alone = scenario.cluster.members > 1 && group.role == Role::Alone;
        Effect::none_if(alone, "Clients and servers are modelled on one host alone, not in a cluster.")
    })
}

fn of_connections(scenario: &Scenario, index: usize) -> Effect {
    Effect::of_group(scenario, index, |group| {
        Effect::none_if(group.role != Role::Client, "These guests are no clients. Only clients have connections to servers.")
    })
}

fn of_think(scenario: &Scenario, index: usize) -> Effect {
    Effect::of_group(scenario, index, |group| {
        let waits = group.role == Role::Server && group.think_ms == Tenths::ZERO;
        Effect::none_if(waits, "These guests are servers: they wait for requests and do not think.")
    })
}

fn of_transaction(scenario: &Scenario, index: usize) -> Effect {
    Effect::of_group(scenario, index, |group| {
        let talks = group.role != Role::Alone;
        Effect::none_if(talks, "A transaction of clients and servers is one round of a connection.")
    })
}

fn of_touch_rate(scenario: &Scenario, index: usize) -> Effect {
    Effect::of_group(scenario, index, |group| {
        let waits = group.role != Role::Alone && group.touch_mb_s == 0;
        Effect::none_if(waits, "Clients and servers wait for each other, so they have no pace of their own.")
    })
}

/// Of what the pages touched a second replace.
fn of_own_rhythm(scenario: &Scenario, index: usize) -> Effect {
    Effect::of_group(scenario, index, |group| {
        Effect::none_if(group.touch_mb_s > 0, "The guest's pages touched a second replace it.")
    })
}

fn of_pace(scenario: &Scenario, index: usize) -> Effect {
    of_own_rhythm(scenario, index).and(|| {
        Effect::of_group(scenario, index, |group| {
            let waits = group.role != Role::Alone && group.pace_ms == Tenths::ZERO;
            Effect::none_if(waits, "Clients and servers wait for each other, so they have no pace of their own.")
        })
    })
}

fn of_cycle_pages(scenario: &Scenario, index: usize) -> Effect {
    let endless = |why| Effect::of_group(scenario, index, |group| Effect::none_if(!group.in_cycles(), why));
    of_own_rhythm(scenario, index)
        .and(|| endless("These guests do not do I/O, pause or compute, so their cycle has no end."))
}
