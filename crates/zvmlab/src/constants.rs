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

/// Every constant of the model. The sources stand in [`TABLE`].
#[derive(Clone, Debug, PartialEq)]
pub struct Constants {
    /// Part of central storage that CP keeps for itself.
    pub cp_storage_fraction: f64,
    /// Part of the pageable frames that the age list holds when it is full.
    pub age_list_fraction: f64,
    /// Pages at the bottom of the age list that early writes keep written.
    pub early_write_pages: u64,
    /// Available frames below which CP replenishes the available list.
    pub available_low: u64,
    /// For a host too small for that threshold: it has one frame of threshold for this many pageable frames.
    pub small_host_frames: u64,
    /// Frames that one replenishment adds to the available list.
    pub replenish_frames: u64,
    /// Slots that page space must have on top of the pages that do not fit in storage, counted in full age lists.
    pub reserve_age_lists: u64,
    /// More such slots, counted in full available lists.
    pub reserve_available_lists: u64,
    /// Pages that one visit of demand scan takes from a guest.
    pub visit_pages: u32,
    /// Frames below 2 GB that such a visit passes over for each page, where it seeks frames above, before it takes pages below.
    pub passed_per_page: u64,
    /// Most pages in a block written.
    pub block_pages: u32,
    /// Most pages in one write channel program.
    pub write_pages_max: u32,
    /// Pages of a segment of 1 MB. No read goes past the end of its segment.
    pub read_within_pages: u64,
    /// Runs of free slots that CP looks at for one allocation. It then takes the longest.
    pub slot_runs: u32,
    /// CP time to reorder one frame of a guest, ns. The guest stands still meanwhile.
    pub reorder_frame_ns: f64,
    /// Nonchargeable CP time for a frame that demand scan or a search looks at, ns.
    pub look_ns: f64,
    /// CP time to move a page to or from expanded storage, ns.
    pub expanded_ns: f64,
    /// CP time to look for a track in the directory of the minidisk cache that is to be invalidated, ns.
    pub invalidate_ns: f64,
    /// Time between two looks of the arbiter that sets the size of the minidisk cache, ns.
    pub arbiter_ns: f64,
    /// Part of the way to the size that it aims at which one look goes.
    pub arbiter_part: f64,
    /// Migration from expanded storage begins when less of it is free, percent.
    pub expanded_low_percent: f64,
    /// It goes on until so much is free, percent.
    pub expanded_high_percent: f64,
    /// Frames below 2 GB.
    pub frames_below: u64,
    /// Frames of a host from which on z/VM 6.2 keeps off those below 2 GB whatever else.
    pub above_only_frames: u64,
    /// On a smaller one it does where there are more than so many frames above for each below.
    pub above_only_ratio: u64,
    /// Bytes of CP's frame table for each frame.
    pub frame_table_bytes: u64,
    /// Time that an idle guest stays in the dispatch list, ns.
    pub test_idle_ns: f64,
    /// Elapsed slice of class 2, in those of class 1.
    pub class_2_slices: u64,
    /// The same of class 3, and of class 0, which never waits in the eligible list.
    pub class_3_slices: u64,
    /// Minor slices after a guest wakes for which CP brings its deadlines nearer.
    pub bias_slices: u8,
    /// Part of its offset that a deadline keeps when CP brings it nearer.
    pub bias_keeps: f64,
    /// Most minor slices that a virtual CPU can catch up after it waited for something other than a processor.
    pub catch_up_slices: u64,
    /// Part of a minor slice that a guest past its maximum share must have again before it leaves the limit list.
    pub limit_part: f64,
    /// Part of the partition that relative shares together keep, however large the absolute shares are.
    pub relative_least: f64,
    /// Time that a virtual CPU spins for its guest's lock before it issues Diag X'44', ns.
    pub guest_spin_ns: f64,
    /// Guest time of a Diag X'44' that returns by the fast path, ns.
    pub diag44_fast_ns: f64,
    /// CP time of a Diag X'44' that takes the whole path, ns.
    pub diag44_ns: f64,
    /// Part of its time for a service that CP takes where it is identity-mapped, as before z/VM 5.2.
    pub identity_part: f64,
    /// Time that CP spins for a lock before it turns to PR/SM, ns.
    pub cp_spin_ns: f64,
    /// Part of a CP service during which CP holds its lock.
    pub cp_lock_part: f64,
    /// Time that VARY PROCESSOR holds its lock, ns.
    pub vary_ns: f64,
    /// One in this many CP services needs the lock of VARY PROCESSOR.
    pub vary_services: u64,
    /// Guest time for each page touched, ns.
    pub touch_ns: f64,
    /// Chargeable CP time for a page fault that DASD serves, ns.
    pub fault_ns: f64,
    /// Chargeable CP time to clear a frame for a page touched for the first time, ns.
    pub clear_ns: f64,
    /// How long CP keeps a block of contiguous frames, mean, ns.
    pub contiguous_ns: f64,
    /// Chargeable CP time to take back a page that a guest releases, ns.
    pub release_ns: f64,
    /// Most pages for which a virtual CPU holds its guest's PTIL at a time.
    pub ptil_pages: u64,
    /// Chargeable CP time to make an invalid but resident page valid again, ns.
    pub revalidate_ns: f64,
    /// Nonchargeable CP time for each SSCH, ns.
    pub start_ns: f64,
    /// Nonchargeable CP time for each page read or written, ns.
    pub page_ns: f64,
    /// The command-mode driver of z/VM 6.3.
    pub command_63: Driver,
    /// The command-mode driver of z/VM 6.4.
    pub command_64: Driver,
    /// The transport-mode driver (zHPF) of z/VM 6.4.
    pub transport_64: Driver,
    /// A guest's command-mode I/O.
    pub guest_command: Driver,
    /// A guest's transport-mode I/O (zHPF).
    pub guest_transport: Driver,
    /// Connect time for each page on a FICON Express8 path, with no other I/O on it, in either mode, ns.
    pub express8_path_ns_per_page: f64,
    /// I/O to an EDEV.
    pub edev: Driver,
    /// Time that a storage server takes for an I/O of an EDEV beyond what a FlashSystem takes, ns.
    pub server_ns: f64,
    /// Time that a SAN Volume Controller adds to an I/O, ns.
    pub svc_ns: f64,
    /// CP time that an I/O to an EDEV takes in addition to an I/O to an ECKD volume, ns.
    pub edev_start_ns: f64,
    /// CP time that a page takes on an EDEV in addition to a page on an ECKD volume, ns.
    pub edev_page_ns: f64,
    /// Mean time that a miss in the control unit's cache waits for spinning disk, ns.
    pub spinning_miss_ns: f64,
    /// The same for solid state disk, ns.
    pub ssd_miss_ns: f64,
    /// The same for a FlashSystem, ns.
    pub flash_miss_ns: f64,
    /// How far back CP looks to decide which claimant gets the odd alias, as time of one alias, ns.
    pub alias_memory_ns: f64,
    /// Processor time of a command-mode I/O of a guest.
    pub command_cost: GuestIoCost,
    /// Processor time of a transport-mode I/O of a guest.
    pub transport_cost: GuestIoCost,
    /// Part of the CP time of a guest's I/O that comes before its SSCH. The CP time for records is not included.
    pub io_start_part: f64,
    /// CP time for each record that the minidisk cache provides, ns.
    pub mdc_record_ns: f64,
    /// Guest time for each reference to a page after the first, ns.
    pub reference_ns: f64,
    /// Time that PR/SM takes to give a physical processor to a logical one, ns.
    pub prsm_dispatch_ns: f64,
    /// Time that PR/SM takes for a Diag X'44' or X'9C' from a logical processor, ns.
    pub prsm_yield_ns: f64,
    /// Mean processor time of a piece of work of the other partitions, ns.
    pub prsm_piece_ns: f64,
    /// Time to send a byte on a chpid of 1 Gb/s, ns.
    pub isfc_ns_per_byte: f64,
    /// Bytes that one write to a CTC carries.
    pub isfc_block_bytes: u64,
    /// Mean time that the handshake and turnaround of a write to a CTC take; other CTCs can use the chpid meanwhile, ns.
    pub isfc_protocol_ns: f64,
    /// How much that time varies from message to message, up or down, as a part of its mean.
    pub isfc_protocol_varies: f64,
    /// Bytes that one message of other traffic on the link carries.
    pub isfc_other_bytes: u64,
    /// Most messages of other traffic under way on a link, for each buffer of relocations. Further messages wait.
    pub isfc_others_each: u32,
    /// Most pages in one message of a memory move. A traffic buffer holds one message.
    pub message_pages: u32,
    /// Time for the eligibility checks of a relocation, ns.
    pub eligibility_ns: f64,
    /// Time to build a guest's skeleton at the destination, ns.
    pub skeleton_ns: f64,
    /// Time before CP tries again to build a skeleton, while storage from the guest's earlier stay is still being freed, ns.
    pub skeleton_wait_ns: f64,
    /// Time to move the state of a stopped guest, without its devices, ns.
    pub state_ns: f64,
    /// Time to move the I/O configuration of one device of a stopped guest, ns.
    pub device_ns: f64,
    /// CP time to collect a page into a buffer at the source, ns.
    pub collect_page_ns: f64,
    /// CP time to store a page that has arrived, ns.
    pub store_page_ns: f64,
    /// CP time to look through the page table of a segment of 1 MB that has pages, ns.
    pub walk_segment_ns: f64,
    /// Most segments that CP looks at in one piece of work.
    pub walk_segments: u64,
    /// Blocks that a relocation reads ahead from page space at the source.
    pub relocation_reads: u32,
    /// Time for which a relocation pauses when paging at either end is heavy, ns.
    pub throttle_ns: f64,
    /// CP time at each joined member when a member changes its state, ns.
    pub member_state_ns: f64,
    /// Block forming of z/VM 6.3: a visit may end within a block, and a read takes one block.
    pub blocking_63: Blocking,
    /// Block forming of z/VM 6.4. The 6.4 paging page says that the efficiency of page blocking and the contiguous slots
    /// written were improved, but not how. It is assumed that visits complete blocks and that one read takes several contiguous blocks.
    pub blocking_64: Blocking,
}

impl Default for Constants {
    #[expect(clippy::too_many_lines, reason = "a table")]
    fn default() -> Self {
        Constants {
            cp_storage_fraction: 0.03,
            age_list_fraction: 0.02,
            early_write_pages: 2048,
            available_low: 4096,
            small_host_frames: 16,
            replenish_frames: 416,
            reserve_age_lists: 2,
            reserve_available_lists: 4,
            visit_pages: 112,
            passed_per_page: 4,
            block_pages: 32,
            write_pages_max: 96,
            read_within_pages: 256,
            slot_runs: 32,
            reorder_frame_ns: 495.9,
            look_ns: 495.9,
            expanded_ns: 1_000.0,
            invalidate_ns: 2_000.0,
            arbiter_ns: 1_000_000_000.0,
            arbiter_part: 0.125,
            expanded_low_percent: 4.0,
            expanded_high_percent: 5.0,
            frames_below: 1 << (31 - 12),
            above_only_frames: 128 << (30 - 12),
            above_only_ratio: 8,
            frame_table_bytes: 32,
            test_idle_ns: 300_000_000.0,
            class_2_slices: 6,
            class_3_slices: 48,
            bias_slices: 2,
            bias_keeps: 0.1,
            catch_up_slices: 2,
            limit_part: 0.1,
            relative_least: 0.01,
            guest_spin_ns: 3_000.0,
            diag44_fast_ns: 500.0,
            diag44_ns: 3_900.0,
            identity_part: 1.0 / 1.12,
            cp_spin_ns: 20_000.0,
            cp_lock_part: 0.1,
            vary_ns: 20_000_000.0,
            vary_services: 20,
            touch_ns: 780.0,
            fault_ns: 9_800.0,
            clear_ns: 500.0,
            contiguous_ns: 1_000_000_000.0,
            release_ns: 500.0,
            ptil_pages: 16,
            revalidate_ns: 500.0,
            start_ns: 23_500.0,
            page_ns: 204.0,
            command_63: Driver {
                pending_ns: 132_000.0,
                disconnect_ns: 19_000.0,
                protocol_ns: 0.0,
                protocol_ns_per_page: 31_000.0,
                path_ns_per_page: 15_600.0,
            },
            command_64: Driver {
                pending_ns: 132_000.0,
                disconnect_ns: 6_000.0,
                protocol_ns: 0.0,
                protocol_ns_per_page: 14_800.0,
                path_ns_per_page: 15_600.0,
            },
            transport_64: Driver {
                pending_ns: 132_000.0,
                disconnect_ns: 7_000.0,
                protocol_ns: 0.0,
                protocol_ns_per_page: 0.0,
                path_ns_per_page: 10_200.0,
            },
            guest_command: Driver {
                pending_ns: 132_000.0,
                disconnect_ns: 6_000.0,
                protocol_ns: 56_300.0,
                protocol_ns_per_page: 14_800.0,
                path_ns_per_page: 15_600.0,
            },
            guest_transport: Driver {
                pending_ns: 132_000.0,
                disconnect_ns: 7_000.0,
                protocol_ns: 23_000.0,
                protocol_ns_per_page: 0.0,
                path_ns_per_page: 10_200.0,
            },
            express8_path_ns_per_page: 23_500.0,
            edev: Driver {
                pending_ns: 20_000.0,
                disconnect_ns: 80_000.0,
                protocol_ns: 20_000.0,
                protocol_ns_per_page: 5_000.0,
                path_ns_per_page: 5_100.0,
            },
            server_ns: 60_000.0,
            svc_ns: 100_000.0,
            edev_start_ns: 40_000.0,
            edev_page_ns: 700.0,
            spinning_miss_ns: 6_000_000.0,
            ssd_miss_ns: 300_000.0,
            flash_miss_ns: 200_000.0,
            alias_memory_ns: 100_000_000.0,
            command_cost: GuestIoCost {
                guest_ns: 28_200.0,
                guest_ns_per_record: 160.0,
                cp_ns: 14_300.0,
                cp_ns_per_record: 1_300.0,
            },
            transport_cost: GuestIoCost {
                guest_ns: 8_000.0,
                guest_ns_per_record: 160.0,
                cp_ns: 9_000.0,
                cp_ns_per_record: 0.0,
            },
            io_start_part: 0.5,
            mdc_record_ns: 500.0,
            reference_ns: 13.4,
            prsm_dispatch_ns: 8_000.0,
            prsm_yield_ns: 6_000.0,
            prsm_piece_ns: 2_000_000.0,
            isfc_ns_per_byte: 10.0,
            isfc_block_bytes: 65_536,
            isfc_protocol_ns: 100_000.0,
            isfc_protocol_varies: 0.5,
            isfc_other_bytes: 262_144,
            isfc_others_each: 4,
            message_pages: 256,
            eligibility_ns: 100_000_000.0,
            skeleton_ns: 200_000_000.0,
            skeleton_wait_ns: 10_000_000.0,
            state_ns: 20_000_000.0,
            device_ns: 5_000_000.0,
            collect_page_ns: 500.0,
            store_page_ns: 500.0,
            walk_segment_ns: 600.0,
            walk_segments: 1_024,
            relocation_reads: 8,
            throttle_ns: 20_000_000.0,
            member_state_ns: 5_000_000.0,
            blocking_63: Blocking { completes_block: false, read_pages_max: 32 },
            blocking_64: Blocking { completes_block: true, read_pages_max: 64 },
        }
    }
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
