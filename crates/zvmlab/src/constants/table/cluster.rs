//! The constants of the cluster: the ISFC logical link, relocations, members' states.

use super::Constant;

/// The constants of the cluster, the link and relocations.
pub const CLUSTER: &[Constant] = &[
    number!(
        isfc_ns_per_byte,
        "ns",
        "Time that a byte takes on a chpid of 1 Gb/s.",
        "8b/10b coding of Fibre Channel: ten bits on the line for each byte, so 1 Gb/s carries 100 MB/s."
    ),
    whole!(isfc_block_bytes, u64, "bytes", "What one write to a CTC carries.", "Chosen; not published."),
    number!(
        isfc_protocol_ns,
        "ns",
        "Mean time of a write to a CTC in which the chpid is free for others: handshake and turning round. It varies by up to half.",
        "Chosen; not published. With it four CTCs fill a chpid of 8 Gb and two do not, in keeping with the best practice of four."
    ),
    number!(
        isfc_protocol_varies,
        "part of its mean",
        "By how much the time of that exchange varies from message to message, up or down.",
        "Assumed. Were it always the same, CTCs that once begin together would stay in step for ever."
    ),
    whole!(isfc_other_bytes, u64, "bytes", "What a message of other traffic on the link carries.", "Chosen; not published."),
    whole!(
        isfc_others_each,
        u32,
        "messages",
        "Messages of other traffic that may be under way on a link for each buffer of relocations: who has so many waits with the next.",
        "Chosen: as many bytes as the buffers hold, so that neither side crowds the other out."
    ),
    whole!(
        message_pages,
        u32,
        "pages",
        "Most pages of a message of a memory move, and of the traffic buffer that holds it.",
        "Chosen; a segment of 1 MB. Not published."
    ),
    number!(eligibility_ns, "ns", "Time for the eligibility checks of a relocation.", "Chosen; not published."),
    number!(skeleton_ns, "ns", "Time to build a guest's skeleton at the destination.", "Chosen; not published."),
    number!(
        skeleton_wait_ns,
        "ns",
        "How long CP waits, where the last of a guest's earlier stay is not yet gone, before it looks again whether it can build a skeleton.",
        "Chosen; not published."
    ),
    number!(
        state_ns,
        "ns",
        "Time to move the state of a guest that is stopped, beside its devices.",
        "Chosen; not published. With the time of a device it was lowered (from 50 ms and 10 ms) until the quiesce time of twenty-five guests one by one is less without IMMEDIATE than with it, as the options table has it; that order is marked as fitted."
    ),
    number!(
        device_ns,
        "ns",
        "Time to move the I/O configuration of one device of a guest that is stopped.",
        "Chosen; not published. See the time of the state."
    ),
    number!(
        collect_page_ns,
        "ns",
        "CP time to collect a page into a buffer at the source.",
        "Chosen; not published: about what clearing a frame takes."
    ),
    number!(store_page_ns, "ns", "CP time to store a page that arrived.", "Chosen; not published: as for collecting."),
    number!(
        walk_segment_ns,
        "ns",
        "CP time to look at the page table of a segment of 1 MB that has pages.",
        "Chosen; not published: some 2 ns for each of 256 entries."
    ),
    whole!(
        walk_segments,
        u64,
        "segments",
        "Most segments that are looked at in one piece of CP's work.",
        "Chosen; not published."
    ),
    whole!(
        relocation_reads,
        u32,
        "blocks",
        "Blocks that a relocation reads ahead from page space at the source.",
        "Chosen; not published."
    ),
    number!(
        throttle_ns,
        "ns",
        "Time for which a relocation holds back when paging at either end is heavy.",
        "Chosen; not published."
    ),
    number!(
        member_state_ns,
        "ns",
        "CP time at each member that is joined when a member changes its state.",
        "Chosen; not published. IBM's measurement saw no effect on running work."
    ),
];
