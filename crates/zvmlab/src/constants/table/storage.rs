//! The constants of storage and page space.

use super::Constant;

/// The constants of storage and page space.
pub(super) const STORAGE: &[Constant] = &[
    number!(
        cp_storage_fraction,
        "part of central storage",
        "Part of central storage that CP keeps for itself.",
        "Chosen; not published. It only has to leave less room than the loops need, as the published host does."
    ),
    number!(
        age_list_fraction,
        "part of pageable frames",
        "Part of the pageable frames that the age list holds when it is full.",
        "Chosen; not published."
    ),
    whole!(
        early_write_pages,
        u64,
        "pages",
        "Pages at the bottom of the age list that early writes keep written.",
        "Chosen: half of the lower threshold of the available list."
    ),
    whole!(
        available_low,
        u64,
        "frames",
        "Available frames below which CP replenishes the available list.",
        "Chosen; not published. Large enough that no fault of the published host waits for a frame."
    ),
    whole!(
        small_host_frames,
        u64,
        "frames",
        "Pageable frames for each frame of the lower threshold of the available list, on a host that is too small for the constant.",
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
        "Slots that page space must hold beyond the pages that do not fit, in age lists.",
        "Chosen, with room to spare for pages on their way."
    ),
    whole!(
        reserve_available_lists,
        u64,
        "available lists",
        "The same, in available lists when they are full.",
        "Chosen, with room to spare for pages on their way."
    ),
    whole!(
        visit_pages,
        u32,
        "pages",
        "Pages that one visit of demand scan takes from a guest.",
        "Fitted: write blocking of V4DVX001 and read blocking of V4DVY000."
    ),
    whole!(block_pages, u32, "pages", "Most pages in a block written.", "Fitted: write blocking 32 of V4DVY000."),
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
        "Pages of the stretch of virtual storage, a segment of 1 MB, that no read goes past.",
        "Assumed: pages of one page table are handled together; no source says where a block read ends."
    ),
    whole!(
        slot_runs,
        u32,
        "runs",
        "Runs of free slots that an allocation looks at before it takes the longest.",
        "Chosen; it only matters when page space is nearly full."
    ),
];
