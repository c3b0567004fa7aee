//! The constants of storage and page space.

use super::Constant;

/// The constants of storage and page space.
pub(super) const STORAGE: &[Constant] = &[
    number!(
        cp_storage_fraction,
        "part of central storage",
        "Part of central storage that CP keeps for itself.",
        "Chosen; not published. It must only leave less room than the loops need, as on the published host."
    ),
    number!(
        age_list_fraction,
        "part of pageable frames",
        "Part of the pageable frames that a full age list holds.",
        "Chosen; not published."
    ),
    whole!(
        early_write_pages,
        u64,
        "pages",
        "Early writes keep this many pages at the bottom of the age list written to DASD.",
        "Chosen: half of the lower threshold of the available list."
    ),
    whole!(
        available_low,
        u64,
        "frames",
        "Lower threshold: CP replenishes the available list when it has fewer frames.",
        "Chosen; not published. It is so large that no fault on the published host waits for a frame."
    ),
    whole!(
        small_host_frames,
        u64,
        "frames",
        "On a host too small for that threshold: pageable frames for each frame of its lower threshold.",
        "Chosen: a sixteenth of such a host."
    ),
    whole!(
        replenish_frames,
        u64,
        "frames",
        "Frames that one replenishment adds to the available list.",
        "Chosen; not published."
    ),
    whole!(
        reserve_age_lists,
        u64,
        "age lists",
        "Slots that page space must have on top of the pages that do not fit in storage, counted in full age lists.",
        "Chosen, with room to spare for pages on their way."
    ),
    whole!(
        reserve_available_lists,
        u64,
        "available lists",
        "More such slots, counted in full available lists.",
        "Chosen, with room to spare for pages on their way."
    ),
    whole!(
        visit_pages,
        u32,
        "pages",
        "Pages that one visit of demand scan takes from a guest.",
        "Fitted: write blocking of V4DVX001 and read blocking of V4DVY000."
    ),
    whole!(
        passed_per_page,
        u64,
        "frames per page",
        "Frames below 2 GB that a visit passes over for each page that it may take, on 5.2 and 6.1, before it takes pages below, too.",
        "Assumed; a visit without such an end would take most of a processor where few frames are above."
    ),
    whole!(block_pages, u32, "pages", "Most pages in one block that CP writes.", "Fitted: write blocking 32 of V4DVY000."),
    whole!(
        write_pages_max,
        u32,
        "pages",
        "Most pages in one write channel program.",
        "Fitted: pages per SSCH of V4DVX001 and V4DVY000."
    ),
    whole!(
        blocking_64.read_pages_max,
        u32,
        "pages",
        "Most pages that one read takes in with z/VM 6.4; 6.3 reads one block.",
        "Fitted: read blocking of V4DVY000."
    ),
    whole!(
        read_within_pages,
        u64,
        "pages",
        "Pages of a segment of 1 MB. No read goes past the end of its segment.",
        "Assumed: CP handles the pages of one page table together. No source says where a block read ends."
    ),
    whole!(
        slot_runs,
        u32,
        "runs",
        "Runs of free slots that CP looks at for one allocation. It then takes the longest.",
        "Chosen; it only matters when page space is nearly full."
    ),
    number!(
        reorder_frame_ns,
        "ns per frame",
        "CP time to reorder one frame of a guest, which stands still meanwhile.",
        "Fitted: \"roughly 130 ms/GB resident on a z10\", a GB being 262,144 frames (6.2 performance update, Reorder Processing)."
    ),
    number!(
        look_ns,
        "ns per frame",
        "Nonchargeable CP time for a frame that demand scan, a search or a look for contiguous frames looks at.",
        "Assumed: as long as to reorder one. On 6.4 demand scan looks twice at a page before it takes it, and what CP spends on a page \
         besides was fitted with that."
    ),
    number!(
        contiguous_ns,
        "ns",
        "Mean time for which CP keeps a block of contiguous frames that it asked for.",
        "Assumed: a second. What CP asks for and how long it keeps it is not published."
    ),
    number!(
        invalidate_ns,
        "ns",
        "CP time to look for a track in the directory of the minidisk cache that FlashCopy has written to.",
        "Assumed: as long as four pages take to be cleared. No figure is published."
    ),
    number!(
        arbiter_ns,
        "ns",
        "Time between two looks of CP's arbiter, which sets the size of the minidisk cache.",
        "Assumed: a second. CP's arbiter is in no source at hand."
    ),
    number!(
        arbiter_part,
        "part",
        "Part of the way to the size that the arbiter aims at which one look goes.",
        "Chosen: an eighth, so that one second with few reads does not empty the cache."
    ),
    number!(
        expanded_ns,
        "ns",
        "CP time to move a page to or from expanded storage, besides that of a fault.",
        "Assumed: twice as long as to clear a frame, as each byte is read and written."
    ),
    number!(
        expanded_low_percent,
        "%",
        "Migration from expanded storage to page space begins when less of it is free.",
        "Assumed: CP's thresholds are not published."
    ),
    number!(
        expanded_high_percent,
        "%",
        "Migration from expanded storage goes on until so much of it is free.",
        "Assumed: CP's thresholds are not published."
    ),
    whole!(frames_below, u64, "frames", "Frames of 4 KB below 2 GB.", "Architecture: 31 bits of address."),
    whole!(
        above_only_frames,
        u64,
        "frames",
        "Central storage from which on z/VM 6.2 uses no frames below 2 GB without need.",
        "6.2 update: systems with 128 GB or more."
    ),
    whole!(
        above_only_ratio,
        u64,
        "frames per frame",
        "The same on a smaller host, where there are more frames above for each below.",
        "Assumed: the threshold is not published. 63 is that of 128 GB, and 1 that of 4 GB."
    ),
    whole!(
        frame_table_bytes,
        u64,
        "bytes per frame",
        "Bytes of CP's frame table for each frame. The table moved above 2 GB with z/VM 5.2.",
        "Fitted: with 3 GB, APXTA193 (5.2) has 6,302 resident pages fewer above 2 GB than APXS9220 (5.1), and 5,516 more below: 29 to 33 bytes for each of 786,432 frames (5.2 regression page)."
    ),
];
