//! The constants of the cluster: the ISFC logical link, relocations, members' states.

use super::Constant;

/// The constants of the cluster, the link and relocations.
pub const CLUSTER: &[Constant] = &[
    number!(
        isfc_ns_per_byte,
        "ns",
        "Time to send a byte on a chpid of 1 Gb/s.",
        "8b/10b coding of Fibre Channel: ten bits on the line for each byte, so 1 Gb/s carries 100 MB/s."
    ),
    whole!(isfc_block_bytes, u64, "bytes", "Bytes that one write to a CTC carries.", "Chosen; not published."),
    number!(
        isfc_protocol_ns,
        "ns",
        "Mean time that the handshake and turnaround of a write to a CTC take. Other CTCs can use the chpid meanwhile. The time varies by up to half.",
        "Chosen; not published. With it four CTCs fill a chpid of 8 Gb and two do not. This agrees with the best practice of four."
    ),
    number!(
        isfc_protocol_varies,
        "part of its mean",
        "How much the time of the handshake and turnaround varies from message to message, up or down.",
        "Assumed. With a fixed time, CTCs that once began together would stay in step for ever."
    ),
    whole!(
        isfc_other_bytes,
        u64,
        "bytes",
        "Bytes that one message of other traffic on the link carries.",
        "Chosen; not published."
    ),
    whole!(
        isfc_others_each,
        u32,
        "messages",
        "Most messages of other traffic under way on a link, for each buffer of relocations. The next message waits.",
        "Chosen: as many bytes as the buffers hold, so neither side crowds the other out."
    ),
    whole!(
        message_pages,
        u32,
        "pages",
        "Most pages in one message of a memory move. A traffic buffer holds one message.",
        "Chosen; a segment of 1 MB. Not published."
    ),
    number!(eligibility_ns, "ns", "Time for the eligibility checks of a relocation.", "Chosen; not published."),
    number!(skeleton_ns, "ns", "Time to build a guest's skeleton at the destination.", "Chosen; not published."),
    number!(
        skeleton_wait_ns,
        "ns",
        "Time before CP tries again to build a skeleton, while storage from the guest's earlier stay is still being freed.",
        "Chosen; not published."
    ),
    number!(
        state_ns,
        "ns",
        "Time to move the state of a stopped guest, without its devices.",
        "Chosen; not published. This time and the time of a device were lowered (from 50 ms and 10 ms) until twenty-five guests, moved one by one, have a shorter quiesce time without IMMEDIATE than with it. The options table has this order, so the order is marked as fitted."
    ),
    number!(
        device_ns,
        "ns",
        "Time to move the I/O configuration of one device of a stopped guest.",
        "Chosen; not published. See the time of the state."
    ),
    number!(
        collect_page_ns,
        "ns",
        "CP time to collect a page into a buffer at the source.",
        "Chosen; not published: about the time to clear a frame."
    ),
    number!(
        store_page_ns,
        "ns",
        "CP time to store a page that has arrived.",
        "Chosen; not published: the same as for collecting."
    ),
    number!(
        walk_segment_ns,
        "ns",
        "CP time to look through the page table of a segment of 1 MB that has pages.",
        "Chosen; not published: some 2 ns for each of 256 entries."
    ),
    whole!(walk_segments, u64, "segments", "Most segments that CP looks at in one piece of work.", "Chosen; not published."),
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
        "Time for which a relocation pauses when paging at either end is heavy.",
        "Chosen; not published."
    ),
    number!(
        member_state_ns,
        "ns",
        "CP time at each joined member when a member changes its state.",
        "Chosen; not published. IBM's measurement saw no effect on running work."
    ),
];
