//! The model's constants: each with its unit and its source, or the word that it was chosen and why.
//!
//! One set for the machine, one for each paging driver; none for an experiment. "Fitted" names the published runs that a
//! constant was chosen with in view; every other published figure is a prediction. [`TABLE`] lists them all, so that
//! `zvmlab sensitivity` can say what each one does to the headline figures.

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
    /// Block forming of z/VM 6.3: a visit ends where it ends, and a read takes one block.
    pub blocking_63: Blocking,
    /// Block forming of z/VM 6.4. The 6.4 paging page says that the efficiency of page blocking and the contiguous slots
    /// written were improved, not how; that visits complete blocks and reads go on over contiguous ones is assumed.
    pub blocking_64: Blocking,
}

impl Default for Constants {
    fn default() -> Self {
        Constants {
            cp_storage_fraction: 0.03,
            age_list_fraction: 0.02,
            early_write_pages: 2048,
            available_low: 4096,
            replenish_frames: 416,
            visit_pages: 112,
            block_pages: 32,
            write_pages_max: 96,
            slice_ns: 5_000_000.0,
            touch_ns: 780.0,
            fault_ns: 9_800.0,
            clear_ns: 500.0,
            revalidate_ns: 500.0,
            start_ns: 23_500.0,
            page_ns: 700.0,
            paths: 2,
            command_63: Driver {
                pending_ns: 135_000.0,
                disconnect_ns: 19_000.0,
                protocol_ns_per_page: 30_000.0,
                path_ns_per_page: 14_000.0,
            },
            command_64: Driver {
                pending_ns: 139_000.0,
                disconnect_ns: 6_000.0,
                protocol_ns_per_page: 12_100.0,
                path_ns_per_page: 14_000.0,
            },
            transport_64: Driver {
                pending_ns: 138_000.0,
                disconnect_ns: 7_000.0,
                protocol_ns_per_page: 0.0,
                path_ns_per_page: 8_200.0,
            },
            blocking_63: Blocking { completes_block: false, read_pages_max: 32 },
            blocking_64: Blocking { completes_block: true, read_pages_max: 64 },
        }
    }
}

/// One constant in words, and how to reach it.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// Its name in the code.
    pub id: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Where its value comes from.
    pub source: &'static str,
    /// Reads it.
    pub get: fn(&Constants) -> f64,
    /// Writes it; one that counts things is rounded to a whole number.
    pub set: fn(&mut Constants, f64),
}

/// Every constant that has a number.
pub const TABLE: &[Constant] = &[
    Constant {
        id: "cp_storage_fraction",
        meaning: "Part of central storage that CP keeps for itself.",
        unit: "part of central storage",
        source: "Chosen; not published. It only has to leave less room than the loops need, as the published host does.",
        get: |c| c.cp_storage_fraction,
        set: |c, v| c.cp_storage_fraction = v,
    },
    Constant {
        id: "age_list_fraction",
        meaning: "Part of the pageable frames that the age list holds when it is full.",
        unit: "part of pageable frames",
        source: "Chosen; not published.",
        get: |c| c.age_list_fraction,
        set: |c, v| c.age_list_fraction = v,
    },
    Constant {
        id: "early_write_pages",
        meaning: "Pages at the bottom of the age list that early writes keep written.",
        unit: "pages",
        source: "Chosen: half of the lower threshold of the available list.",
        get: |c| c.early_write_pages as f64,
        set: |c, v| c.early_write_pages = v.round() as u64,
    },
    Constant {
        id: "available_low",
        meaning: "Available frames below which CP replenishes the available list.",
        unit: "frames",
        source: "Chosen; not published. Large enough that no fault of the published host waits for a frame.",
        get: |c| c.available_low as f64,
        set: |c, v| c.available_low = v.round() as u64,
    },
    Constant {
        id: "replenish_frames",
        meaning: "Frames that one replenishment adds to the available list.",
        unit: "frames",
        source: "Chosen; not published.",
        get: |c| c.replenish_frames as f64,
        set: |c, v| c.replenish_frames = v.round() as u64,
    },
    Constant {
        id: "visit_pages",
        meaning: "Pages that one visit of demand scan takes from a guest.",
        unit: "pages",
        source: "Fitted: write blocking of V4DVX001 and read blocking of V4DVY000.",
        get: |c| c.visit_pages.into(),
        set: |c, v| c.visit_pages = v.round() as u32,
    },
    Constant {
        id: "block_pages",
        meaning: "Most pages in a block written.",
        unit: "pages",
        source: "Fitted: write blocking 32 of V4DVY000.",
        get: |c| c.block_pages.into(),
        set: |c, v| c.block_pages = v.round() as u32,
    },
    Constant {
        id: "write_pages_max",
        meaning: "Most pages in one write channel program.",
        unit: "pages",
        source: "Fitted: pages per SSCH of V4DVX001 and V4DVY000.",
        get: |c| c.write_pages_max.into(),
        set: |c, v| c.write_pages_max = v.round() as u32,
    },
    Constant {
        id: "slice_ns",
        meaning: "Time for which a guest runs before the dispatcher looks again.",
        unit: "ns",
        source: "Assumed: 5 ms. No source gives it; the published guests fault long before.",
        get: |c| c.slice_ns,
        set: |c, v| c.slice_ns = v,
    },
    Constant {
        id: "touch_ns",
        meaning: "Guest time for each page touched.",
        unit: "ns",
        source: "Fitted: guest busy of V4DVX001, V4DVY000 and V4DVYH04: 0.81 to 0.84 s a transaction.",
        get: |c| c.touch_ns,
        set: |c, v| c.touch_ns = v,
    },
    Constant {
        id: "fault_ns",
        meaning: "Chargeable CP time for a page fault that is served from DASD.",
        unit: "ns",
        source: "Fitted: chargeable CP busy of V4DVX001, V4DVY000 and V4DVYH04, over their blocks read.",
        get: |c| c.fault_ns,
        set: |c, v| c.fault_ns = v,
    },
    Constant {
        id: "clear_ns",
        meaning: "Chargeable CP time to clear a frame for a page touched for the first time.",
        unit: "ns",
        source: "Chosen; it only sets how long the fill takes.",
        get: |c| c.clear_ns,
        set: |c, v| c.clear_ns = v,
    },
    Constant {
        id: "revalidate_ns",
        meaning: "Chargeable CP time to make an invalid but resident page valid again.",
        unit: "ns",
        source: "Chosen; the published runs hardly do it.",
        get: |c| c.revalidate_ns,
        set: |c, v| c.revalidate_ns = v,
    },
    Constant {
        id: "start_ns",
        meaning: "Nonchargeable CP time for each SSCH.",
        unit: "ns",
        source: "Fitted: nonchargeable CP busy of V4DVX001, V4DVY000 and V4DVYH04.",
        get: |c| c.start_ns,
        set: |c, v| c.start_ns = v,
    },
    Constant {
        id: "page_ns",
        meaning: "Nonchargeable CP time for each page read or written.",
        unit: "ns",
        source: "Fitted: nonchargeable CP busy of V4DVX001, V4DVY000 and V4DVYH04.",
        get: |c| c.page_ns,
        set: |c, v| c.page_ns = v,
    },
    Constant {
        id: "paths",
        meaning: "Channel paths of the logical control unit.",
        unit: "paths",
        source: "Chosen: the smallest number without a single point of failure; not published.",
        get: |c| c.paths.into(),
        set: |c, v| c.paths = v.round() as u32,
    },
    Constant {
        id: "blocking_64.read_pages_max",
        meaning: "Most pages that one read takes in with z/VM 6.4; 6.3 reads one block.",
        unit: "pages",
        source: "Fitted: read blocking of V4DVY000.",
        get: |c| c.blocking_64.read_pages_max.into(),
        set: |c, v| c.blocking_64.read_pages_max = v.round() as u32,
    },
    Constant {
        id: "command_63.pending_ns",
        meaning: "Pending time of an I/O, command mode, 6.3.",
        unit: "ns",
        source: "Table 1, V4DVX001.",
        get: |c| c.command_63.pending_ns,
        set: |c, v| c.command_63.pending_ns = v,
    },
    Constant {
        id: "command_63.disconnect_ns",
        meaning: "Disconnect time of an I/O, command mode, 6.3.",
        unit: "ns",
        source: "Table 1, V4DVX001.",
        get: |c| c.command_63.disconnect_ns,
        set: |c, v| c.command_63.disconnect_ns = v,
    },
    Constant {
        id: "command_63.protocol_ns_per_page",
        meaning: "Connect time for each page in which the channel path is not used, command mode, 6.3.",
        unit: "ns",
        source: "Fitted: connect time and page rate of V4DVX001.",
        get: |c| c.command_63.protocol_ns_per_page,
        set: |c, v| c.command_63.protocol_ns_per_page = v,
    },
    Constant {
        id: "command_63.path_ns_per_page",
        meaning: "Connect time for each page on the channel path, were the I/O alone there, command mode, 6.3.",
        unit: "ns",
        source: "The same hardware as 6.4 command mode, so the same number.",
        get: |c| c.command_63.path_ns_per_page,
        set: |c, v| c.command_63.path_ns_per_page = v,
    },
    Constant {
        id: "command_64.pending_ns",
        meaning: "Pending time of an I/O, command mode, 6.4.",
        unit: "ns",
        source: "Table 1, V4DVY000.",
        get: |c| c.command_64.pending_ns,
        set: |c, v| c.command_64.pending_ns = v,
    },
    Constant {
        id: "command_64.disconnect_ns",
        meaning: "Disconnect time of an I/O, command mode, 6.4.",
        unit: "ns",
        source: "Table 1, V4DVY000.",
        get: |c| c.command_64.disconnect_ns,
        set: |c, v| c.command_64.disconnect_ns = v,
    },
    Constant {
        id: "command_64.protocol_ns_per_page",
        meaning: "Connect time for each page in which the channel path is not used, command mode, 6.4.",
        unit: "ns",
        source: "Fitted: connect time and page rate of V4DVY000.",
        get: |c| c.command_64.protocol_ns_per_page,
        set: |c, v| c.command_64.protocol_ns_per_page = v,
    },
    Constant {
        id: "command_64.path_ns_per_page",
        meaning: "Connect time for each page on the channel path, were the I/O alone there, command mode, 6.4.",
        unit: "ns",
        source: "Fitted: page rates of V4DVY000 and V4DVYA00.",
        get: |c| c.command_64.path_ns_per_page,
        set: |c, v| c.command_64.path_ns_per_page = v,
    },
    Constant {
        id: "transport_64.pending_ns",
        meaning: "Pending time of an I/O, transport mode.",
        unit: "ns",
        source: "Table 2, V4DVYH04.",
        get: |c| c.transport_64.pending_ns,
        set: |c, v| c.transport_64.pending_ns = v,
    },
    Constant {
        id: "transport_64.disconnect_ns",
        meaning: "Disconnect time of an I/O, transport mode.",
        unit: "ns",
        source: "Table 2, V4DVYH04.",
        get: |c| c.transport_64.disconnect_ns,
        set: |c, v| c.transport_64.disconnect_ns = v,
    },
    Constant {
        id: "transport_64.protocol_ns_per_page",
        meaning: "Connect time for each page in which the channel path is not used, transport mode.",
        unit: "ns",
        source: "Transport mode sends the whole channel program at once; nothing is exchanged for a page.",
        get: |c| c.transport_64.protocol_ns_per_page,
        set: |c, v| c.transport_64.protocol_ns_per_page = v,
    },
    Constant {
        id: "transport_64.path_ns_per_page",
        meaning: "Connect time for each page on the channel path, were the I/O alone there, transport mode.",
        unit: "ns",
        source: "Fitted: connect time and page rate of V4DVYH04.",
        get: |c| c.transport_64.path_ns_per_page,
        set: |c, v| c.transport_64.path_ns_per_page = v,
    },
];

impl Constants {
    /// Frames that CP keeps for itself, of `installed`.
    pub fn cp_frames(&self, installed: u64) -> u64 {
        (installed as f64 * self.cp_storage_fraction) as u64
    }

    /// Frames that can hold guests' pages, of `installed`.
    pub fn pageable_frames(&self, installed: u64) -> u64 {
        installed - self.cp_frames(installed)
    }

    /// The number of available frames below which CP replenishes, for a host with `pageable` frames: the constant, or a
    /// sixteenth (chosen) of a host that is too small for it.
    pub fn low_threshold(&self, pageable: u64) -> u64 {
        self.available_low.min(pageable / 16)
    }

    /// Frames that the age list holds when it is full, for a host with `pageable` frames.
    pub fn age_list_target(&self, pageable: u64) -> u64 {
        (pageable as f64 * self.age_list_fraction) as u64
    }

    /// Slots that page space must hold beyond the pages that do not fit: those of the age list and of the available list,
    /// written while their frames are still held. The factors 2 and 4 are chosen, with room to spare for pages on their way.
    pub fn page_space_reserve(&self, pageable: u64) -> u64 {
        2 * self.age_list_target(pageable) + 4 * (self.low_threshold(pageable) + self.replenish_frames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_of_the_table_reaches_a_constant_of_its_own() {
        let plain = Constants::default();
        for (index, constant) in TABLE.iter().enumerate() {
            let mut moved = plain.clone();
            (constant.set)(&mut moved, (constant.get)(&plain) + 1.0);
            let changed = TABLE.iter().enumerate().filter(|(_, other)| (other.get)(&moved) != (other.get)(&plain));
            assert_eq!(changed.map(|(other, _)| other).collect::<Vec<_>>(), [index], "{}", constant.id);
        }
    }
}
