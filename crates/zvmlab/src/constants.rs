//! The model's constants: each with its unit and its source, or the word that it was chosen and why.
//!
//! One set for the machine, one for each paging driver; none for an experiment. "Fitted" names the published runs that a
//! constant was chosen with in view; every other published figure is a prediction.

/// How a paging driver moves a page over a channel path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Driver {
    /// Pending time of an I/O, ns.
    pub pending_ns: f64,
    /// Disconnect time of an I/O, ns.
    pub disconnect_ns: f64,
    /// Connect time for each page in which the I/O does not use the channel path: the exchange of commands and status, ns.
    pub protocol_ns_per_page: f64,
    /// Connect time for each page in which the I/O uses the channel path, were it alone there, ns.
    pub path_ns_per_page: f64,
}

/// How a level of CP forms blocks of pages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocking {
    /// Whether a visit of demand scan goes on to the end of the block that it has begun.
    pub completes_block: bool,
    /// Most pages that one read takes in; more than a block's means that blocks in contiguous slots are read together.
    pub read_pages_max: u32,
}

/// Every constant of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Constants {
    /// Part of central storage that CP keeps for itself.
    pub cp_storage_fraction: f64,
    /// Part of the pageable frames that the age list holds when it is full.
    pub age_list_fraction: f64,
    /// Available frames below which CP replenishes the available list.
    pub available_low: u64,
    /// Frames that one replenishment adds to the available list.
    pub replenish_frames: u64,
    /// Pages that one visit of demand scan takes from a guest.
    pub visit_pages: u32,
    /// Most pages in a block written.
    pub block_pages: u32,
    /// Most pages in one write channel program.
    pub write_pages_max: u32,
    /// Time for which a guest runs before the dispatcher looks again, ns.
    pub slice_ns: f64,
    /// Guest time for each page touched, ns.
    pub touch_ns: f64,
    /// Chargeable CP time for a page fault that is served from DASD, ns.
    pub fault_ns: f64,
    /// Chargeable CP time to clear a frame for a page touched for the first time, ns.
    pub clear_ns: f64,
    /// Chargeable CP time to make an invalid but resident page valid again, ns.
    pub revalidate_ns: f64,
    /// Nonchargeable CP time for each SSCH, ns.
    pub start_ns: f64,
    /// Nonchargeable CP time for each page read or written, ns.
    pub page_ns: f64,
    /// Channel paths of the logical control unit.
    pub paths: u32,
    /// The command-mode driver of z/VM 6.3.
    pub command_63: Driver,
    /// The command-mode driver of z/VM 6.4.
    pub command_64: Driver,
    /// The transport-mode driver (zHPF) of z/VM 6.4.
    pub transport_64: Driver,
    /// Block forming of z/VM 6.3.
    pub blocking_63: Blocking,
    /// Block forming of z/VM 6.4.
    pub blocking_64: Blocking,
}

impl Default for Constants {
    fn default() -> Self {
        Constants {
            cp_storage_fraction: 0.03,
            age_list_fraction: 0.02,
            available_low: 4096,
            replenish_frames: 416,
            visit_pages: 112,
            block_pages: 32,
            write_pages_max: 96,
            slice_ns: 5_000_000.0,
            touch_ns: 772.0,
            fault_ns: 10_000.0,
            clear_ns: 500.0,
            revalidate_ns: 500.0,
            start_ns: 23_800.0,
            page_ns: 760.0,
            paths: 2,
            command_63: Driver {
                pending_ns: 135_000.0,
                disconnect_ns: 19_000.0,
                protocol_ns_per_page: 22_000.0,
                path_ns_per_page: 14_100.0,
            },
            command_64: Driver {
                pending_ns: 139_000.0,
                disconnect_ns: 6_000.0,
                protocol_ns_per_page: 9_400.0,
                path_ns_per_page: 14_100.0,
            },
            transport_64: Driver {
                pending_ns: 138_000.0,
                disconnect_ns: 7_000.0,
                protocol_ns_per_page: 0.0,
                path_ns_per_page: 8_300.0,
            },
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

    /// Frames that can hold guests' pages, of `installed`.
    pub fn pageable_frames(&self, installed: u64) -> u64 {
        installed - self.cp_frames(installed)
    }

    /// The number of available frames below which CP replenishes, for a host with `pageable` frames.
    pub fn low_threshold(&self, pageable: u64) -> u64 {
        self.available_low.min(pageable / 16)
    }

    /// Frames that the age list holds when it is full, for a host with `pageable` frames.
    pub fn age_list_target(&self, pageable: u64) -> u64 {
        (pageable as f64 * self.age_list_fraction) as u64
    }

    /// Slots that page space must hold beyond the pages that do not fit: those of the age list and of the available list,
    /// written while their frames are still held.
    pub fn page_space_reserve(&self, pageable: u64) -> u64 {
        2 * self.age_list_target(pageable) + 4 * (self.low_threshold(pageable) + self.replenish_frames)
    }
}
