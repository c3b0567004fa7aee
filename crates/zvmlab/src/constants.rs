//! The model's constants: each with its unit and its source, or the word that it was chosen and why.
//!
//! There is one set for the machine and one for each paging driver, and none for a single experiment. "Fitted" names the
//! published runs that were in view when the constant was chosen; every other published figure is a prediction. [`TABLE`]
//! lists all constants, so that `zvmlab sensitivity` can say what each one does to the headline figures.

mod table;

pub use table::{CLUSTER, Constant, HOST, TABLE};

/// How a driver moves a page, or a record of 4 KB, over a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Driver {
    /// Pending time of an I/O, ns.
    pub pending_ns: f64,
    /// Disconnect time of an I/O, ns.
    pub disconnect_ns: f64,
    /// Connect time of an I/O that does not use the path and does not depend on the pages, ns.
    pub protocol_ns: f64,
    /// Connect time for each page that does not use the path: the exchange of commands and status, ns.
    pub protocol_ns_per_page: f64,
    /// Connect time for each page on the channel path, with no other I/O on it, ns.
    pub path_ns_per_page: f64,
}

/// Processor time of a guest's I/O to its minidisk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuestIoCost {
    /// Guest time, and whatever else lies between the end of one I/O and CP's work for the next, ns.
    pub guest_ns: f64,
    /// The same for each record, ns.
    pub guest_ns_per_record: f64,
    /// CP time: translating and starting the channel program, taking and reflecting the interruption, ns.
    pub cp_ns: f64,
    /// CP time for each record: its CCW is copied and its address translated, ns.
    pub cp_ns_per_record: f64,
}

/// How a level of CP forms blocks of pages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocking {
    /// Whether a visit of demand scan goes on to the end of the block that it has begun.
    pub completes_block: bool,
    /// Most pages that one read brings in. If that is more than a block holds, one read takes several blocks in contiguous
    /// slots.
    pub read_pages_max: u32,
}

/// The struct of all constants with the model's own values, from one table: comment, name, type and value in one row.
macro_rules! constants {
    ($($(#[doc = $doc:literal])+ $name:ident: $kind:ty = $value:expr,)+) => {
        /// Every constant of the model. The sources stand in [`TABLE`].
        #[derive(Clone, Debug, PartialEq)]
        pub struct Constants {
            $($(#[doc = $doc])+ pub $name: $kind,)+
        }

        impl Default for Constants {
            fn default() -> Self {
                Constants { $($name: $value,)+ }
            }
        }
    };
}

constants! {
    /// Part of central storage that CP keeps for itself.
    cp_storage_fraction: f64 = 0.03,
    /// Part of the pageable frames that the age list holds when it is full.
    age_list_fraction: f64 = 0.02,
    /// Pages at the bottom of the age list that early writes keep written.
    early_write_pages: u64 = 2048,
    /// Available frames below which CP replenishes the available list.
    available_low: u64 = 4096,
    /// For a host too small for that threshold: it has one frame of threshold for this many pageable frames.
    small_host_frames: u64 = 16,
    /// Frames that one replenishment adds to the available list.
    replenish_frames: u64 = 416,
    /// Slots that page space must have on top of the pages that do not fit in storage, counted in full age lists.
    reserve_age_lists: u64 = 2,
    /// More such slots, counted in full available lists.
    reserve_available_lists: u64 = 4,
    /// Pages that one visit of demand scan takes from a guest.
    visit_pages: u32 = 112,
    /// Frames below 2 GB that such a visit passes over for each page, where it seeks frames above, before it takes pages below.
    passed_per_page: u64 = 4,
    /// Most pages in a block written.
    block_pages: u32 = 32,
    /// Most pages in one write channel program.
    write_pages_max: u32 = 96,
    /// Pages of a segment of 1 MB. No read goes past the end of its segment.
    read_within_pages: u64 = 256,
    /// Runs of free slots that CP looks at for one allocation. It then takes the longest.
    slot_runs: u32 = 32,
    /// CP time to reorder one frame of a guest, ns. The guest stands still meanwhile.
    reorder_frame_ns: f64 = 495.9,
    /// Nonchargeable CP time for a frame that demand scan or a search looks at, ns.
    look_ns: f64 = 495.9,
    /// CP time to move a page to or from expanded storage, ns.
    expanded_ns: f64 = 1_000.0,
    /// CP time to look for a track in the directory of the minidisk cache that is to be invalidated, ns.
    invalidate_ns: f64 = 2_000.0,
    /// Time between two looks of the arbiter that sets the size of the minidisk cache, ns.
    arbiter_ns: f64 = 1_000_000_000.0,
    /// Part of the way to the size that it aims at which one look goes.
    arbiter_part: f64 = 0.125,
    /// Migration from expanded storage begins when less of it is free, percent.
    expanded_low_percent: f64 = 4.0,
    /// It goes on until so much is free, percent.
    expanded_high_percent: f64 = 5.0,
    /// Frames below 2 GB.
    frames_below: u64 = 1 << (31 - 12),
    /// Frames of a host from which on z/VM 6.2 keeps off those below 2 GB whatever else.
    above_only_frames: u64 = 128 << (30 - 12),
    /// On a smaller one it does where there are more than so many frames above for each below.
    above_only_ratio: u64 = 8,
    /// Bytes of CP's frame table for each frame.
    frame_table_bytes: u64 = 32,
    /// Time that an idle guest stays in the dispatch list, ns.
    test_idle_ns: f64 = 300_000_000.0,
    /// Elapsed slice of class 2, in those of class 1.
    class_2_slices: u64 = 6,
    /// The same of class 3, and of class 0, which never waits in the eligible list.
    class_3_slices: u64 = 48,
    /// Minor slices after a guest wakes for which CP brings its deadlines nearer.
    bias_slices: u8 = 2,
    /// Part of its offset that a deadline keeps when CP brings it nearer.
    bias_keeps: f64 = 0.1,
    /// Most minor slices that a virtual CPU can catch up after it waited for something other than a processor.
    catch_up_slices: u64 = 2,
    /// Part of a minor slice that a guest past its maximum share must have again before it leaves the limit list.
    limit_part: f64 = 0.1,
    /// Part of the partition that relative shares together keep, however large the absolute shares are.
    relative_least: f64 = 0.01,
    /// Time that a virtual CPU spins for its guest's lock before it issues Diag X'44', ns.
    guest_spin_ns: f64 = 3_000.0,
    /// Guest time of a Diag X'44' that returns by the fast path, ns.
    diag44_fast_ns: f64 = 500.0,
    /// CP time of a Diag X'44' that takes the whole path, ns.
    diag44_ns: f64 = 3_900.0,
    /// Part of its time for a service that CP takes where it is identity-mapped, as before z/VM 5.2.
    identity_part: f64 = 1.0 / 1.12,
    /// Time that CP spins for a lock before it turns to PR/SM, ns.
    cp_spin_ns: f64 = 20_000.0,
    /// Part of a CP service during which CP holds its lock.
    cp_lock_part: f64 = 0.1,
    /// Time that VARY PROCESSOR holds its lock, ns.
    vary_ns: f64 = 20_000_000.0,
    /// One in this many CP services needs the lock of VARY PROCESSOR.
    vary_services: u64 = 20,
    /// Guest time for each page touched, ns.
    touch_ns: f64 = 780.0,
    /// Chargeable CP time for a page fault that DASD serves, ns.
    fault_ns: f64 = 9_800.0,
    /// Chargeable CP time to clear a frame for a page touched for the first time, ns.
    clear_ns: f64 = 500.0,
    /// How long CP keeps a block of contiguous frames, mean, ns.
    contiguous_ns: f64 = 1_000_000_000.0,
    /// Chargeable CP time to take back a page that a guest releases, ns.
    release_ns: f64 = 500.0,
    /// Most pages for which a virtual CPU holds its guest's PTIL at a time.
    ptil_pages: u64 = 16,
    /// Chargeable CP time to make an invalid but resident page valid again, ns.
    revalidate_ns: f64 = 500.0,
    /// Nonchargeable CP time for each SSCH, ns.
    start_ns: f64 = 23_500.0,
    /// Nonchargeable CP time for each page read or written, ns.
    page_ns: f64 = 204.0,
    /// The command-mode driver of z/VM 6.3.
    command_63: Driver = Driver {
        pending_ns: 132_000.0,
        disconnect_ns: 19_000.0,
        protocol_ns: 0.0,
        protocol_ns_per_page: 31_000.0,
        path_ns_per_page: 15_600.0,
    },
    /// The command-mode driver of z/VM 6.4.
    command_64: Driver = Driver {
        pending_ns: 132_000.0,
        disconnect_ns: 6_000.0,
        protocol_ns: 0.0,
        protocol_ns_per_page: 14_800.0,
        path_ns_per_page: 15_600.0,
    },
    /// The transport-mode driver (zHPF) of z/VM 6.4.
    transport_64: Driver = Driver {
        pending_ns: 132_000.0,
        disconnect_ns: 7_000.0,
        protocol_ns: 0.0,
        protocol_ns_per_page: 0.0,
        path_ns_per_page: 10_200.0,
    },
    /// A guest's command-mode I/O.
    guest_command: Driver = Driver {
        pending_ns: 132_000.0,
        disconnect_ns: 6_000.0,
        protocol_ns: 56_300.0,
        protocol_ns_per_page: 14_800.0,
        path_ns_per_page: 15_600.0,
    },
    /// A guest's transport-mode I/O (zHPF).
    guest_transport: Driver = Driver {
        pending_ns: 132_000.0,
        disconnect_ns: 7_000.0,
        protocol_ns: 23_000.0,
        protocol_ns_per_page: 0.0,
        path_ns_per_page: 10_200.0,
    },
    /// Connect time for each page on a FICON Express8 path, with no other I/O on it, in either mode, ns.
    express8_path_ns_per_page: f64 = 23_500.0,
    /// I/O to an EDEV.
    edev: Driver = Driver {
        pending_ns: 20_000.0,
        disconnect_ns: 80_000.0,
        protocol_ns: 20_000.0,
        protocol_ns_per_page: 5_000.0,
        path_ns_per_page: 5_100.0,
    },
    /// Time that a storage server takes for an I/O of an EDEV beyond what a FlashSystem takes, ns.
    server_ns: f64 = 60_000.0,
    /// Time that a SAN Volume Controller adds to an I/O, ns.
    svc_ns: f64 = 100_000.0,
    /// CP time that an I/O to an EDEV takes in addition to an I/O to an ECKD volume, ns.
    edev_start_ns: f64 = 40_000.0,
    /// CP time that a page takes on an EDEV in addition to a page on an ECKD volume, ns.
    edev_page_ns: f64 = 700.0,
    /// Mean time that a miss in the control unit's cache waits for spinning disk, ns.
    spinning_miss_ns: f64 = 6_000_000.0,
    /// The same for solid state disk, ns.
    ssd_miss_ns: f64 = 300_000.0,
    /// The same for a FlashSystem, ns.
    flash_miss_ns: f64 = 200_000.0,
    /// How far back CP looks to decide which claimant gets the odd alias, as time of one alias, ns.
    alias_memory_ns: f64 = 100_000_000.0,
    /// Processor time of a command-mode I/O of a guest.
    command_cost: GuestIoCost = GuestIoCost {
        guest_ns: 28_200.0,
        guest_ns_per_record: 160.0,
        cp_ns: 14_300.0,
        cp_ns_per_record: 1_300.0,
    },
    /// Processor time of a transport-mode I/O of a guest.
    transport_cost: GuestIoCost = GuestIoCost {
        guest_ns: 8_000.0,
        guest_ns_per_record: 160.0,
        cp_ns: 9_000.0,
        cp_ns_per_record: 0.0,
    },
    /// Part of the CP time of a guest's I/O that comes before its SSCH. The CP time for records is not included.
    io_start_part: f64 = 0.5,
    /// CP time for each record that the minidisk cache provides, ns.
    mdc_record_ns: f64 = 500.0,
    /// Guest time for each reference to a page after the first, ns.
    reference_ns: f64 = 13.4,
    /// Time that PR/SM takes to give a physical processor to a logical one, ns.
    prsm_dispatch_ns: f64 = 8_000.0,
    /// Time that PR/SM takes for a Diag X'44' or X'9C' from a logical processor, ns.
    prsm_yield_ns: f64 = 6_000.0,
    /// Mean processor time of a piece of work of the other partitions, ns.
    prsm_piece_ns: f64 = 2_000_000.0,
    /// Time to send a byte on a chpid of 1 Gb/s, ns.
    isfc_ns_per_byte: f64 = 10.0,
    /// Bytes that one write to a CTC carries.
    isfc_block_bytes: u64 = 65_536,
    /// Mean time that the handshake and turnaround of a write to a CTC take; other CTCs can use the chpid meanwhile, ns.
    isfc_protocol_ns: f64 = 100_000.0,
    /// How much that time varies from message to message, up or down, as a part of its mean.
    isfc_protocol_varies: f64 = 0.5,
    /// Bytes that one message of other traffic on the link carries.
    isfc_other_bytes: u64 = 262_144,
    /// Most messages of other traffic under way on a link, for each buffer of relocations. Further messages wait.
    isfc_others_each: u32 = 4,
    /// Most pages in one message of a memory move. A traffic buffer holds one message.
    message_pages: u32 = 256,
    /// Time for the eligibility checks of a relocation, ns.
    eligibility_ns: f64 = 100_000_000.0,
    /// Time to build a guest's skeleton at the destination, ns.
    skeleton_ns: f64 = 200_000_000.0,
    /// Time before CP tries again to build a skeleton, while storage from the guest's earlier stay is still being freed, ns.
    skeleton_wait_ns: f64 = 10_000_000.0,
    /// Time to move the state of a stopped guest, without its devices, ns.
    state_ns: f64 = 20_000_000.0,
    /// Time to move the I/O configuration of one device of a stopped guest, ns.
    device_ns: f64 = 5_000_000.0,
    /// CP time to collect a page into a buffer at the source, ns.
    collect_page_ns: f64 = 500.0,
    /// CP time to store a page that has arrived, ns.
    store_page_ns: f64 = 500.0,
    /// CP time to look through the page table of a segment of 1 MB that has pages, ns.
    walk_segment_ns: f64 = 600.0,
    /// Most segments that CP looks at in one piece of work.
    walk_segments: u64 = 1_024,
    /// Blocks that a relocation reads ahead from page space at the source.
    relocation_reads: u32 = 8,
    /// Time for which a relocation pauses when paging at either end is heavy, ns.
    throttle_ns: f64 = 20_000_000.0,
    /// CP time at each joined member when a member changes its state, ns.
    member_state_ns: f64 = 5_000_000.0,
    /// Block forming of z/VM 6.3: a visit may end within a block, and a read takes one block.
    blocking_63: Blocking = Blocking { completes_block: false, read_pages_max: 32 },
    /// Block forming of z/VM 6.4. The 6.4 paging page says that the efficiency of page blocking and the contiguous slots
    /// written were improved, but not how. It is assumed that visits complete blocks and that one read takes several contiguous blocks.
    blocking_64: Blocking = Blocking { completes_block: true, read_pages_max: 64 },
}

impl Constants {
    /// Frames that CP keeps for itself, of `installed`.
    pub fn cp_frames(&self, installed: u64) -> u64 {
        (installed as f64 * self.cp_storage_fraction) as u64
    }

    /// The same machine at `percent` of its capacity: everything that takes processor time takes longer.
    pub fn at_capacity(mut self, percent: u32) -> Constants {
        let factor = 100.0 / f64::from(percent);
        let times = [
            &mut self.guest_spin_ns,
            &mut self.diag44_fast_ns,
            &mut self.diag44_ns,
            &mut self.cp_spin_ns,
            &mut self.prsm_dispatch_ns,
            &mut self.prsm_yield_ns,
            &mut self.vary_ns,
            &mut self.reorder_frame_ns,
            &mut self.look_ns,
            &mut self.expanded_ns,
            &mut self.invalidate_ns,
            &mut self.touch_ns,
            &mut self.fault_ns,
            &mut self.clear_ns,
            &mut self.release_ns,
            &mut self.revalidate_ns,
            &mut self.start_ns,
            &mut self.page_ns,
            &mut self.edev_start_ns,
            &mut self.edev_page_ns,
            &mut self.command_cost.guest_ns,
            &mut self.command_cost.guest_ns_per_record,
            &mut self.command_cost.cp_ns,
            &mut self.command_cost.cp_ns_per_record,
            &mut self.transport_cost.guest_ns,
            &mut self.transport_cost.guest_ns_per_record,
            &mut self.transport_cost.cp_ns,
            &mut self.transport_cost.cp_ns_per_record,
            &mut self.mdc_record_ns,
            &mut self.reference_ns,
            &mut self.collect_page_ns,
            &mut self.store_page_ns,
            &mut self.walk_segment_ns,
            &mut self.member_state_ns,
        ];
        if percent != 100 {
            times.into_iter().for_each(|time| *time *= factor);
        }
        self
    }

    /// The same machine under a CP that is identity-mapped, or is not: where it is, faults and I/Os take CP a part of the time.
    /// Times for frames stay, and that for a Diag X'44': it was chosen with both kinds of CP in view.
    pub fn under_cp(mut self, is_identity_mapped: bool) -> Constants {
        let times = [
            &mut self.fault_ns,
            &mut self.start_ns,
            &mut self.page_ns,
            &mut self.edev_start_ns,
            &mut self.edev_page_ns,
            &mut self.command_cost.cp_ns,
            &mut self.command_cost.cp_ns_per_record,
            &mut self.transport_cost.cp_ns,
            &mut self.transport_cost.cp_ns_per_record,
            &mut self.mdc_record_ns,
        ];
        if is_identity_mapped {
            times.into_iter().for_each(|time| *time *= self.identity_part);
        }
        self
    }

    /// Processor time of a guest's I/O in the mode.
    pub fn guest_io_cost(&self, transport: bool) -> &GuestIoCost {
        if transport { &self.transport_cost } else { &self.command_cost }
    }

    /// CP time of a guest's I/O with `records` up to its SSCH, ns: a part of the time that does not depend on the records, and
    /// all of the time that does.
    pub fn start_ns_of(&self, transport: bool, records: u32) -> f64 {
        let cost = self.guest_io_cost(transport);
        cost.cp_ns * self.io_start_part + cost.cp_ns_per_record * f64::from(records)
    }

    /// CP time of a guest's I/O from its interruption on, ns.
    pub fn interrupt_ns_of(&self, transport: bool) -> f64 {
        self.guest_io_cost(transport).cp_ns * (1.0 - self.io_start_part)
    }

    /// The number of available frames below which CP replenishes, for a host with `pageable` frames: the constant, or a
    /// part of the frames of a host that is too small for it.
    pub fn low_threshold(&self, pageable: u64) -> u64 {
        self.available_low.min(pageable / self.small_host_frames)
    }

    /// Frames that the age list holds when it is full, for a host with `pageable` frames.
    pub fn age_list_target(&self, pageable: u64) -> u64 {
        (pageable as f64 * self.age_list_fraction) as u64
    }

    /// Slots that page space must hold beyond the pages that do not fit: those of the age list and of the available list,
    /// written while their frames are still held.
    pub fn page_space_reserve(&self, pageable: u64) -> u64 {
        let available_list = self.low_threshold(pageable) + self.replenish_frames;
        self.reserve_age_lists * self.age_list_target(pageable) + self.reserve_available_lists * available_list
    }
}
