//! The fields of the cluster, its members, the ISFC logical link and relocation.

use super::{Effect, Field, Kind};
use crate::scenario::{Chpid, Interruption, MaxQuiesce, Order, Relocate, Scenario};

paths! {
    CLUSTER_MEMBERS = "cluster.members";
    CLUSTER_STATE_S = "cluster.state_s";
    CLUSTER_TRANSITION_S = "cluster.transition_s";
    MEMBER2_CENTRAL_MB = "member2.central_mb";
    MEMBER2_PROCESSORS = "member2.processors";
    MEMBER2_VOLUMES = "member2.volumes";
    MEMBER2_TRANSITIONS = "member2.transitions";
    MEMBER3_CENTRAL_MB = "member3.central_mb";
    MEMBER3_PROCESSORS = "member3.processors";
    MEMBER3_VOLUMES = "member3.volumes";
    MEMBER3_TRANSITIONS = "member3.transitions";
    MEMBER4_CENTRAL_MB = "member4.central_mb";
    MEMBER4_PROCESSORS = "member4.processors";
    MEMBER4_VOLUMES = "member4.volumes";
    MEMBER4_TRANSITIONS = "member4.transitions";
    ISFC_CHPID1 = "isfc.chpid1";
    ISFC_CHPID2 = "isfc.chpid2";
    ISFC_CHPID3 = "isfc.chpid3";
    ISFC_CHPID4 = "isfc.chpid4";
    ISFC_CTCS1 = "isfc.ctcs1";
    ISFC_CTCS2 = "isfc.ctcs2";
    ISFC_CTCS3 = "isfc.ctcs3";
    ISFC_CTCS4 = "isfc.ctcs4";
    ISFC_BUFFERS = "isfc.buffers";
    ISFC_OTHER_MB_S = "isfc.other_mb_s";
    RELOCATION_MODE = "relocation.mode";
    RELOCATION_IMMEDIATE = "relocation.immediate";
    RELOCATION_MAXQUIESCE = "relocation.maxquiesce";
    RELOCATION_MAXQUIESCE_S = "relocation.maxquiesce_s";
    RELOCATION_MAXTOTAL_S = "relocation.maxtotal_s";
    RELOCATION_FORCE_STORAGE = "relocation.force_storage";
    RELOCATION_ORDER = "relocation.order";
    RELOCATION_AFTER_S = "relocation.after_s";
    RELOCATION_BOUNCE = "relocation.bounce";
    RELOCATION_STAY_S = "relocation.stay_s";
    RELOCATION_INTERRUPTION = "relocation.interruption";
    RELOCATION_INTERRUPTION_MS = "relocation.interruption_ms";
    RELOCATION_WINDOW_S = "relocation.window_s";
    RELOCATION_PASSES_MAX = "relocation.passes_max";
    RELOCATION_GOAL_MS = "relocation.goal_ms";
    RELOCATION_THROTTLE_PAGING = "relocation.throttle_paging";
    RELOCATION_THROTTLE_ENDPOINT = "relocation.throttle_endpoint";
}

/// The fields of one member other than the first: its table, its place, its name.
macro_rules! member {
    ($number:literal, $room:ident, $central:expr, $processors:expr, $volumes:expr, $transitions:expr, $name:literal) => {
        [
            whole!(
                $central,
                concat!("Central storage, ", $name),
                "MB",
                concat!("Real storage of the ", $name, "."),
                256..=4_194_304,
                196_608,
                1_024,
                $room.central_mb,
                |s, _| of_member(s, $number)
            ),
            whole!(
                $processors,
                concat!("Processors, ", $name),
                "processors",
                concat!("Logical processors of the ", $name, "."),
                1..=64,
                32,
                1,
                $room.processors,
                |s, _| of_member(s, $number)
            ),
            whole!(
                $volumes,
                concat!("Paging volumes, ", $name),
                "volumes",
                concat!("Paging volumes of the ", $name, ". Kind and size are those of the first member."),
                1..=64,
                32,
                1,
                $room.volumes,
                |s, _| of_member(s, $number)
            ),
            switch!(
                $transitions,
                concat!("State transitions, ", $name),
                "On: the member repeats the states Joined, Leaving, Down, Joining. It can then hold no guest.",
                $room.transitions,
                |s, _| of_member(s, $number)
            ),
        ]
    };
}

const MEMBERS: [[Field; 4]; 3] = [
    member!(
        2,
        member2,
        paths::MEMBER2_CENTRAL_MB,
        paths::MEMBER2_PROCESSORS,
        paths::MEMBER2_VOLUMES,
        paths::MEMBER2_TRANSITIONS,
        "second member"
    ),
    member!(
        3,
        member3,
        paths::MEMBER3_CENTRAL_MB,
        paths::MEMBER3_PROCESSORS,
        paths::MEMBER3_VOLUMES,
        paths::MEMBER3_TRANSITIONS,
        "third member"
    ),
    member!(
        4,
        member4,
        paths::MEMBER4_CENTRAL_MB,
        paths::MEMBER4_PROCESSORS,
        paths::MEMBER4_VOLUMES,
        paths::MEMBER4_TRANSITIONS,
        "fourth member"
    ),
];

/// Those fields.
pub(super) const FIELDS: &[Field] = &[
    whole!(
        paths::CLUSTER_MEMBERS,
        "Members of the cluster",
        "members",
        "Members of the single system image cluster (SSI). 1: there is no cluster. All members share the level, the kinds of devices and the settings of the first. The other members' own fields are what may differ.",
        1..=4,
        4,
        1,
        cluster.members
    ),
    whole!(
        paths::CLUSTER_STATE_S,
        "Time in a state",
        "s",
        "How long a member with state transitions stays Joined, and how long Down.",
        1..=3_600,
        60,
        1,
        cluster.state_s,
        of_transitions
    ),
    whole!(
        paths::CLUSTER_TRANSITION_S,
        "Time of a transition",
        "s",
        "How long a member with state transitions is Leaving, and how long Joining.",
        1..=3_600,
        60,
        1,
        cluster.transition_s,
        of_transitions
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
        paths::ISFC_CHPID1,
        "First chpid",
        "Speed of the first FICON chpid of the ISFC logical link. Best practice: up to four chpids, all of the same speed.",
        isfc.chpid1,
        Chpid,
        ["none", "1 Gb", "2 Gb", "4 Gb", "8 Gb"],
        of_link
    ),
    words!(
        paths::ISFC_CHPID2,
        "Second chpid",
        "Speed of the second chpid.",
        isfc.chpid2,
        Chpid,
        ["none", "1 Gb", "2 Gb", "4 Gb", "8 Gb"],
        of_link
    ),
    words!(
        paths::ISFC_CHPID3,
        "Third chpid",
        "Speed of the third chpid.",
        isfc.chpid3,
        Chpid,
        ["none", "1 Gb", "2 Gb", "4 Gb", "8 Gb"],
        of_link
    ),
    words!(
        paths::ISFC_CHPID4,
        "Fourth chpid",
        "Speed of the fourth chpid.",
        isfc.chpid4,
        Chpid,
        ["none", "1 Gb", "2 Gb", "4 Gb", "8 Gb"],
        of_link
    ),
    whole!(
        paths::ISFC_CTCS1,
        "CTCs of the first chpid",
        "CTCs",
        "CTC devices on the first chpid. Best practice: four on each, at most 16 on the link.",
        1..=16,
        16,
        1,
        isfc.ctcs1,
        |s, _| of_ctcs(s, s.isfc.chpid1)
    ),
    whole!(
        paths::ISFC_CTCS2,
        "CTCs of the second chpid",
        "CTCs",
        "CTC devices on the second chpid.",
        1..=16,
        16,
        1,
        isfc.ctcs2,
        |s, _| of_ctcs(s, s.isfc.chpid2)
    ),
    whole!(
        paths::ISFC_CTCS3,
        "CTCs of the third chpid",
        "CTCs",
        "CTC devices on the third chpid.",
        1..=16,
        16,
        1,
        isfc.ctcs3,
        |s, _| of_ctcs(s, s.isfc.chpid3)
    ),
    whole!(
        paths::ISFC_CTCS4,
        "CTCs of the fourth chpid",
        "CTCs",
        "CTC devices on the fourth chpid.",
        1..=16,
        16,
        1,
        isfc.ctcs4,
        |s, _| of_ctcs(s, s.isfc.chpid4)
    ),
    whole!(
        paths::ISFC_BUFFERS,
        "ISFC traffic buffers",
        "buffers",
        "Buffers for the queued traffic of relocations, for each logical link and direction. A buffer holds up to 256 pages. When none is free, relocations wait. Not published: an assumption.",
        1..=4_096,
        256,
        1,
        isfc.buffers,
        of_link
    ),
    whole!(
        paths::ISFC_OTHER_MB_S,
        "Other ISFC traffic",
        "MB/s",
        "Other users send this much over the link in each direction.",
        0..=10_000,
        2_000,
        10,
        isfc.other_mb_s,
        of_link
    ),
    words!(
        paths::RELOCATION_MODE,
        "VMRELOCATE",
        "SYNCH: one guest after the other. ASYNCH: all at once. Best practice is one at a time.",
        relocation.mode,
        Relocate,
        ["SYNCH", "ASYNCH"],
        of_several
    ),
    switch!(
        paths::RELOCATION_IMMEDIATE,
        "IMMEDIATE",
        "On: CP makes one early pass through the guest's storage, then quiesces it. The quiesce time has no limit unless you give one.",
        relocation.immediate,
        of_relocation
    ),
    words!(
        paths::RELOCATION_MAXQUIESCE,
        "MAXQUIESCE",
        "The longest time the guest may be stopped. After that CP cancels the relocation and the guest runs on at the source. \"default\" is 10 s, or no limit with IMMEDIATE.",
        relocation.maxquiesce,
        MaxQuiesce,
        ["default", "seconds", "NOLIMIT"],
        of_relocation
    ),
    whole!(
        paths::RELOCATION_MAXQUIESCE_S,
        "MAXQUIESCE seconds",
        "s",
        "The value of MAXQUIESCE when it is given in seconds.",
        1..=99_999_999,
        60,
        1,
        relocation.maxquiesce_s,
        |s, g| of_relocation(s, g)
            .and(|| Effect::none_if(s.relocation.maxquiesce != MaxQuiesce::Seconds, "MAXQUIESCE is not given in seconds."))
    ),
    whole!(
        paths::RELOCATION_MAXTOTAL_S,
        "MAXTOTAL",
        "s",
        "The longest time a relocation may take. After that CP cancels it and the guest runs on at the source. 0: NOLIMIT, the default.",
        0..=99_999_999,
        600,
        1,
        relocation.maxtotal_s,
        of_relocation
    ),
    switch!(
        paths::RELOCATION_FORCE_STORAGE,
        "FORCE STORAGE",
        "On: a relocation continues even if the destination has no room for the guest.",
        relocation.force_storage,
        of_relocation
    ),
    words!(
        paths::RELOCATION_ORDER,
        "Order",
        "Which guest goes first. Its size is the storage it has touched. The busiest guest has the largest active part.",
        relocation.order,
        Order,
        ["as listed", "largest first", "smallest first", "busiest first"],
        of_order
    ),
    whole!(
        paths::RELOCATION_AFTER_S,
        "First VMRELOCATE after",
        "s",
        "Time from the start of the interval to the first command.",
        0..=3_600,
        60,
        1,
        relocation.after_s,
        of_relocation
    ),
    switch!(
        paths::RELOCATION_BOUNCE,
        "Bounce",
        "On: guests that have arrived go back, again and again until the interval ends.",
        relocation.bounce,
        of_relocation
    ),
    whole!(
        paths::RELOCATION_STAY_S,
        "Stay before going back",
        "s",
        "How long bouncing guests stay at a member before they go back.",
        0..=3_600,
        60,
        1,
        relocation.stay_s,
        |s, g| of_relocation(s, g).and(|| Effect::none_if(!s.relocation.bounce, "Guests that have arrived stay."))
    ),
    words!(
        paths::RELOCATION_INTERRUPTION,
        "Interruption",
        "What interrupts the relocation: VMRELOCATE CANCEL, CPHX, the loss of the ISFC connection, or the guest logging off. It ends the relocations under way. Guests that wait their turn still go.",
        relocation.interruption,
        Interruption,
        ["none", "CANCEL", "CPHX", "link lost", "LOGOFF"],
        of_relocation
    ),
    whole!(
        paths::RELOCATION_INTERRUPTION_MS,
        "Interruption after",
        "ms",
        "Time from the first VMRELOCATE to the interruption.",
        0..=99_999_999,
        60_000,
        100,
        relocation.interruption_ms,
        |s, g| of_relocation(s, g)
            .and(|| Effect::none_if(s.relocation.interruption == Interruption::None, "No interruption is chosen."))
    ),
    whole!(
        paths::RELOCATION_WINDOW_S,
        "Outage window",
        "s",
        "The time in which all guests must be moved. 0: not stated. It changes nothing in the run; the result is compared with it.",
        0..=99_999_999,
        3_600,
        10,
        relocation.window_s,
        |s, g| of_relocation(s, g)
            .and(|| Effect::none_if(s.relocation.bounce, "Guests go back and forth, so the move never ends."))
    ),
    whole!(
        paths::RELOCATION_PASSES_MAX,
        "Most passes",
        "passes",
        "Most passes of a memory move, including the two with the guest stopped. Not published: an assumption.",
        3..=64,
        32,
        1,
        relocation.passes_max,
        of_relocation
    ),
    whole!(
        paths::RELOCATION_GOAL_MS,
        "Goal for the stop",
        "ms",
        "CP stops the guest once it expects the rest to take no longer than this. Not published: an assumption.",
        1..=60_000,
        2_000,
        10,
        relocation.goal_ms,
        of_relocation
    ),
    whole!(
        paths::RELOCATION_THROTTLE_PAGING,
        "Throttle by paging",
        "I/Os for each volume",
        "Relocations pause when this many paging I/Os wait for each volume at either end (end-to-end throttling). 0: never. No threshold is published: an assumption.",
        0..=1_000,
        32,
        1,
        relocation.throttle_paging,
        of_relocation
    ),
    whole!(
        paths::RELOCATION_THROTTLE_ENDPOINT,
        "Throttle by memory",
        "buffers",
        "A relocation pauses when this many of its buffers wait for frames at the destination (memory-move endpoint throttling). No threshold is published: an assumption.",
        1..=4_096,
        64,
        1,
        relocation.throttle_endpoint,
        of_relocation
    ),
];

/// What describes member `number`.
fn of_member(scenario: &Scenario, number: u32) -> Effect {
    if number <= scenario.cluster.members { Effect::Some } else { Effect::Absent }
}

fn of_transitions(scenario: &Scenario, _: usize) -> Effect {
    Effect::in_cluster(scenario, || Effect::none_if(!scenario.transits(), "No member has state transitions."))
}

fn of_link(scenario: &Scenario, _: usize) -> Effect {
    Effect::in_cluster(scenario, || Effect::Some)
}

fn of_ctcs(scenario: &Scenario, chpid: Chpid) -> Effect {
    Effect::in_cluster(scenario, || if chpid == Chpid::None { Effect::Absent } else { Effect::Some })
}

fn of_relocation(scenario: &Scenario, _: usize) -> Effect {
    let why = "No guest is relocated: choose a member for it under “Relocate to member”.";
    Effect::in_cluster(scenario, || Effect::none_if(scenario.moving_count() == 0, why))
}

fn of_several(scenario: &Scenario, index: usize) -> Effect {
    of_relocation(scenario, index).and(|| Effect::none_if(scenario.moving_count() == 1, "Only one guest is relocated."))
}

fn of_order(scenario: &Scenario, index: usize) -> Effect {
    let at_once = scenario.relocation.mode == Relocate::Asynch;
    let groups = scenario.guests.iter().filter(|group| group.moves()).count();
    of_several(scenario, index)
        .and(|| Effect::none_if(at_once, "With ASYNCH all are relocated at once."))
        .and(|| Effect::none_if(groups == 1, "The guests that are relocated are alike."))
}
