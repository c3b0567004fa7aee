//! The fields of the cluster, its members, the ISFC logical link and relocation.

use super::{Field, Kind, path};
use crate::scenario::{Chpid, Interruption, MaxQuiesce, Order, Relocate};

/// The fields of one member other than the first: its table, its place, its name.
macro_rules! member {
    ($room:ident, $central:expr, $processors:expr, $volumes:expr, $transitions:expr, $name:literal) => {
        [
            whole!(
                $central,
                concat!("Central storage, ", $name),
                "MB",
                concat!("Real storage of the ", $name, "."),
                256..=4_194_304,
                196_608,
                1_024,
                $room.central_mb
            ),
            whole!(
                $processors,
                concat!("Processors, ", $name),
                "processors",
                concat!("Logical processors of the ", $name, "."),
                1..=64,
                32,
                1,
                $room.processors
            ),
            whole!(
                $volumes,
                concat!("Paging volumes, ", $name),
                "volumes",
                concat!("Paging volumes of the ", $name, ". Kind and size are those of the first member."),
                1..=64,
                32,
                1,
                $room.volumes
            ),
            switch!(
                $transitions,
                concat!("State transitions, ", $name),
                "On: the member repeats the states Joined, Leaving, Down, Joining. It can then hold no guest.",
                $room.transitions
            ),
        ]
    };
}

const MEMBERS: [[Field; 4]; 3] = [
    member!(
        member2,
        path::MEMBER2_CENTRAL_MB,
        path::MEMBER2_PROCESSORS,
        path::MEMBER2_VOLUMES,
        path::MEMBER2_TRANSITIONS,
        "second member"
    ),
    member!(
        member3,
        path::MEMBER3_CENTRAL_MB,
        path::MEMBER3_PROCESSORS,
        path::MEMBER3_VOLUMES,
        path::MEMBER3_TRANSITIONS,
        "third member"
    ),
    member!(
        member4,
        path::MEMBER4_CENTRAL_MB,
        path::MEMBER4_PROCESSORS,
        path::MEMBER4_VOLUMES,
        path::MEMBER4_TRANSITIONS,
        "fourth member"
    ),
];

/// Those fields.
pub(super) const FIELDS: &[Field] = &[
    whole!(
        path::CLUSTER_MEMBERS,
        "Members of the cluster",
        "members",
        "Members of the single system image cluster (SSI). 1: there is no cluster. All members share the level, the kinds of devices and the settings of the first. The other members' own fields are what may differ.",
        1..=4,
        4,
        1,
        cluster.members
    ),
    whole!(
        path::CLUSTER_STATE_S,
        "Time in a state",
        "s",
        "How long a member with state transitions stays Joined, and how long Down.",
        1..=3_600,
        60,
        1,
        cluster.state_s
    ),
    whole!(
        path::CLUSTER_TRANSITION_S,
        "Time of a transition",
        "s",
        "How long a member with state transitions is Leaving, and how long Joining.",
        1..=3_600,
        60,
        1,
        cluster.transition_s
    ),
    MEMBERS[0][0],
    MEMBERS[0][1],
    MEMBERS[0][2],
    MEMBERS[0][3],
    MEMBERS[1][0],
    MEMBERS[1][1],
    MEMBERS[1][2],
    MEMBERS[1][3],
    MEMBERS[2][0],
    MEMBERS[2][1],
    MEMBERS[2][2],
    MEMBERS[2][3],
    words!(
        path::ISFC_CHPID1,
        "First chpid",
        "Speed of the first FICON chpid of the ISFC logical link. Best practice: up to four chpids, all of the same speed.",
        isfc.chpid1,
        Chpid,
        ["none", "1 Gb", "2 Gb", "4 Gb", "8 Gb"]
    ),
    words!(
        path::ISFC_CHPID2,
        "Second chpid",
        "Speed of the second chpid.",
        isfc.chpid2,
        Chpid,
        ["none", "1 Gb", "2 Gb", "4 Gb", "8 Gb"]
    ),
    words!(
        path::ISFC_CHPID3,
        "Third chpid",
        "Speed of the third chpid.",
        isfc.chpid3,
        Chpid,
        ["none", "1 Gb", "2 Gb", "4 Gb", "8 Gb"]
    ),
    words!(
        path::ISFC_CHPID4,
        "Fourth chpid",
        "Speed of the fourth chpid.",
        isfc.chpid4,
        Chpid,
        ["none", "1 Gb", "2 Gb", "4 Gb", "8 Gb"]
    ),
    whole!(
        path::ISFC_CTCS1,
        "CTCs of the first chpid",
        "CTCs",
        "CTC devices on the first chpid. Best practice: four on each, at most 16 on the link.",
        1..=16,
        16,
        1,
        isfc.ctcs1
    ),
    whole!(
        path::ISFC_CTCS2,
        "CTCs of the second chpid",
        "CTCs",
        "CTC devices on the second chpid.",
        1..=16,
        16,
        1,
        isfc.ctcs2
    ),
    whole!(
        path::ISFC_CTCS3,
        "CTCs of the third chpid",
        "CTCs",
        "CTC devices on the third chpid.",
        1..=16,
        16,
        1,
        isfc.ctcs3
    ),
    whole!(
        path::ISFC_CTCS4,
        "CTCs of the fourth chpid",
        "CTCs",
        "CTC devices on the fourth chpid.",
        1..=16,
        16,
        1,
        isfc.ctcs4
    ),
    whole!(
        path::ISFC_BUFFERS,
        "ISFC traffic buffers",
        "buffers",
        "Buffers for the queued traffic of relocations, for each logical link and direction. A buffer holds up to 256 pages. When none is free, relocations wait. Not published: an assumption.",
        1..=4_096,
        256,
        1,
        isfc.buffers
    ),
    whole!(
        path::ISFC_OTHER_MB_S,
        "Other ISFC traffic",
        "MB/s",
        "Other users send this much over the link in each direction.",
        0..=10_000,
        2_000,
        10,
        isfc.other_mb_s
    ),
    words!(
        path::RELOCATION_MODE,
        "VMRELOCATE",
        "SYNCH: one guest after the other. ASYNCH: all at once. Best practice is one at a time.",
        relocation.mode,
        Relocate,
        ["SYNCH", "ASYNCH"]
    ),
    switch!(
        path::RELOCATION_IMMEDIATE,
        "IMMEDIATE",
        "On: CP makes one early pass through the guest's storage, then quiesces it. The quiesce time has no limit unless you give one.",
        relocation.immediate
    ),
    words!(
        path::RELOCATION_MAXQUIESCE,
        "MAXQUIESCE",
        "The longest time the guest may be stopped. After that CP cancels the relocation and the guest runs on at the source. \"default\" is 10 s, or no limit with IMMEDIATE.",
        relocation.maxquiesce,
        MaxQuiesce,
        ["default", "seconds", "NOLIMIT"]
    ),
    whole!(
        path::RELOCATION_MAXQUIESCE_S,
        "MAXQUIESCE seconds",
        "s",
        "The value of MAXQUIESCE when it is given in seconds.",
        1..=99_999_999,
        60,
        1,
        relocation.maxquiesce_s
    ),
    whole!(
        path::RELOCATION_MAXTOTAL_S,
        "MAXTOTAL",
        "s",
        "The longest time a relocation may take. After that CP cancels it and the guest runs on at the source. 0: NOLIMIT, the default.",
        0..=99_999_999,
        600,
        1,
        relocation.maxtotal_s
    ),
    switch!(
        path::RELOCATION_FORCE_STORAGE,
        "FORCE STORAGE",
        "On: a relocation continues even if the destination has no room for the guest.",
        relocation.force_storage
    ),
    words!(
        path::RELOCATION_ORDER,
        "Order",
        "Which guest goes first. Its size is the storage it has touched. The busiest guest has the largest active part.",
        relocation.order,
        Order,
        ["as listed", "largest first", "smallest first", "busiest first"]
    ),
    whole!(
        path::RELOCATION_AFTER_S,
        "First VMRELOCATE after",
        "s",
        "Time from the start of the interval to the first command.",
        0..=3_600,
        60,
        1,
        relocation.after_s
    ),
    switch!(
        path::RELOCATION_BOUNCE,
        "Bounce",
        "On: guests that have arrived go back, again and again until the interval ends.",
        relocation.bounce
    ),
    whole!(
        path::RELOCATION_STAY_S,
        "Stay before going back",
        "s",
        "How long bouncing guests stay at a member before they go back.",
        0..=3_600,
        60,
        1,
        relocation.stay_s
    ),
    words!(
        path::RELOCATION_INTERRUPTION,
        "Interruption",
        "What interrupts the relocation: VMRELOCATE CANCEL, CPHX, the loss of the ISFC connection, or the guest logging off. It ends the relocations under way. Guests that wait their turn still go.",
        relocation.interruption,
        Interruption,
        ["none", "CANCEL", "CPHX", "link lost", "LOGOFF"]
    ),
    whole!(
        path::RELOCATION_INTERRUPTION_MS,
        "Interruption after",
        "ms",
        "Time from the first VMRELOCATE to the interruption.",
        0..=99_999_999,
        60_000,
        100,
        relocation.interruption_ms
    ),
    whole!(
        path::RELOCATION_WINDOW_S,
        "Outage window",
        "s",
        "The time in which all guests must be moved. 0: not stated. It changes nothing in the run; the result is compared with it.",
        0..=99_999_999,
        3_600,
        10,
        relocation.window_s
    ),
    whole!(
        path::RELOCATION_PASSES_MAX,
        "Most passes",
        "passes",
        "Most passes of a memory move, including the two with the guest stopped. Not published: an assumption.",
        3..=64,
        32,
        1,
        relocation.passes_max
    ),
    whole!(
        path::RELOCATION_GOAL_MS,
        "Goal for the stop",
        "ms",
        "CP stops the guest once it expects the rest to take no longer than this. Not published: an assumption.",
        1..=60_000,
        2_000,
        10,
        relocation.goal_ms
    ),
    whole!(
        path::RELOCATION_THROTTLE_PAGING,
        "Throttle by paging",
        "I/Os for each volume",
        "Relocations pause when this many paging I/Os wait for each volume at either end (end-to-end throttling). 0: never. No threshold is published: an assumption.",
        0..=1_000,
        32,
        1,
        relocation.throttle_paging
    ),
    whole!(
        path::RELOCATION_THROTTLE_ENDPOINT,
        "Throttle by memory",
        "buffers",
        "A relocation pauses when this many of its buffers wait for frames at the destination (memory-move endpoint throttling). No threshold is published: an assumption.",
        1..=4_096,
        64,
        1,
        relocation.throttle_endpoint
    ),
];
