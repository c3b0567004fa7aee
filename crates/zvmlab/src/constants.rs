//! The model's constants: each with its unit and its source, or the word that it was chosen and why.
//!
//! One set for the machine, one for each paging driver; none for an experiment. "Fitted" names the published runs that a
//! constant was chosen with in view; every other published figure is a prediction. [`TABLE`] lists them all, so that
//! `zvmlab sensitivity` can say what each one does to the headline figures.

use crate::scenario::{DeviceKind, Scenario};

/// How a driver moves a page, or a record of 4 KB, over a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Driver {
    /// Pending time of an I/O, ns.
    pub pending_ns: f64,
    /// Disconnect time of an I/O, ns.
    pub disconnect_ns: f64,
    /// Connect time of an I/O, whatever it carries, in which it does not use the path, ns.
    pub protocol_ns: f64,
    /// Connect time for each page in which the I/O does not use the path: the exchange of commands and status, ns.
    pub protocol_ns_per_page: f64,
    /// Connect time for each page in which the I/O uses the channel path, were it alone there, ns.
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
    /// Connect time for each page on a FICON Express8 path, were the I/O alone there, in either mode, ns.
    pub express8_path_ns_per_page: f64,
    /// I/O to an EDEV.
    pub edev: Driver,
    /// Time that a SAN Volume Controller adds to an I/O, ns.
    pub svc_ns: f64,
    /// Nonchargeable CP time that an I/O to an EDEV takes more than one to an ECKD volume, ns.
    pub edev_start_ns: f64,
    /// Nonchargeable CP time that a page of it takes more, ns.
    pub edev_page_ns: f64,
    /// Mean time for which a miss in the cache of the control unit waits for spinning disk, ns.
    pub spinning_miss_ns: f64,
    /// The same for solid state disk, ns.
    pub ssd_miss_ns: f64,
    /// The same for a FlashSystem, ns.
    pub flash_miss_ns: f64,
    /// Processor time of a command-mode I/O of a guest.
    pub command_cost: GuestIoCost,
    /// Processor time of a transport-mode I/O of a guest.
    pub transport_cost: GuestIoCost,
    /// CP time for each record that the minidisk cache hands over, ns.
    pub mdc_record_ns: f64,
    /// Guest time for each reference to a page but the first, ns.
    pub reference_ns: f64,
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
            command_63: Driver {
                pending_ns: 135_000.0,
                disconnect_ns: 19_000.0,
                protocol_ns: 0.0,
                protocol_ns_per_page: 30_000.0,
                path_ns_per_page: 14_000.0,
            },
            command_64: Driver {
                pending_ns: 139_000.0,
                disconnect_ns: 6_000.0,
                protocol_ns: 0.0,
                protocol_ns_per_page: 12_100.0,
                path_ns_per_page: 14_000.0,
            },
            transport_64: Driver {
                pending_ns: 138_000.0,
                disconnect_ns: 7_000.0,
                protocol_ns: 0.0,
                protocol_ns_per_page: 0.0,
                path_ns_per_page: 8_200.0,
            },
            guest_command: Driver {
                pending_ns: 139_000.0,
                disconnect_ns: 6_000.0,
                protocol_ns: 49_300.0,
                protocol_ns_per_page: 12_100.0,
                path_ns_per_page: 14_000.0,
            },
            guest_transport: Driver {
                pending_ns: 138_000.0,
                disconnect_ns: 7_000.0,
                protocol_ns: 14_300.0,
                protocol_ns_per_page: 0.0,
                path_ns_per_page: 8_200.0,
            },
            express8_path_ns_per_page: 26_200.0,
            edev: Driver {
                pending_ns: 20_000.0,
                disconnect_ns: 80_000.0,
                protocol_ns: 20_000.0,
                protocol_ns_per_page: 0.0,
                path_ns_per_page: 6_000.0,
            },
            svc_ns: 100_000.0,
            edev_start_ns: 40_000.0,
            edev_page_ns: 700.0,
            spinning_miss_ns: 6_000_000.0,
            ssd_miss_ns: 300_000.0,
            flash_miss_ns: 200_000.0,
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
            mdc_record_ns: 500.0,
            reference_ns: 2.0,
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
    Constant {
        id: "guest_command.pending_ns",
        meaning: "Pending time of a guest's I/O, command mode.",
        unit: "ns",
        source: "As the paging driver of 6.4 has it: table 1, V4DVY000.",
        get: |c| c.guest_command.pending_ns,
        set: |c, v| c.guest_command.pending_ns = v,
    },
    Constant {
        id: "guest_command.disconnect_ns",
        meaning: "Disconnect time of a guest's I/O that hits, command mode.",
        unit: "ns",
        source: "As the paging driver of 6.4 has it: table 1, V4DVY000.",
        get: |c| c.guest_command.disconnect_ns,
        set: |c, v| c.guest_command.disconnect_ns = v,
    },
    Constant {
        id: "guest_command.protocol_ns",
        meaning: "Connect time of a guest's I/O without its records, command mode.",
        unit: "ns",
        source: "Fitted: service time of JB001238.",
        get: |c| c.guest_command.protocol_ns,
        set: |c, v| c.guest_command.protocol_ns = v,
    },
    Constant {
        id: "guest_command.protocol_ns_per_page",
        meaning: "Connect time for each record in which the path is not used, a guest's command mode.",
        unit: "ns",
        source: "The exchange for a CCW, as the paging driver of 6.4 has it: V4DVY000.",
        get: |c| c.guest_command.protocol_ns_per_page,
        set: |c, v| c.guest_command.protocol_ns_per_page = v,
    },
    Constant {
        id: "guest_command.path_ns_per_page",
        meaning: "Connect time for each record on a FICON Express8S path, were the I/O alone there, a guest's command mode.",
        unit: "ns",
        source: "As the paging driver of 6.4 has it.",
        get: |c| c.guest_command.path_ns_per_page,
        set: |c, v| c.guest_command.path_ns_per_page = v,
    },
    Constant {
        id: "guest_transport.pending_ns",
        meaning: "Pending time of a guest's I/O, transport mode.",
        unit: "ns",
        source: "As the paging driver has it: table 2, V4DVYH04.",
        get: |c| c.guest_transport.pending_ns,
        set: |c, v| c.guest_transport.pending_ns = v,
    },
    Constant {
        id: "guest_transport.disconnect_ns",
        meaning: "Disconnect time of a guest's I/O that hits, transport mode.",
        unit: "ns",
        source: "As the paging driver has it: table 2, V4DVYH04.",
        get: |c| c.guest_transport.disconnect_ns,
        set: |c, v| c.guest_transport.disconnect_ns = v,
    },
    Constant {
        id: "guest_transport.protocol_ns",
        meaning: "Connect time of a guest's I/O without its records, transport mode.",
        unit: "ns",
        source: "Fitted: service time of JB001239.",
        get: |c| c.guest_transport.protocol_ns,
        set: |c, v| c.guest_transport.protocol_ns = v,
    },
    Constant {
        id: "guest_transport.protocol_ns_per_page",
        meaning: "Connect time for each record in which the path is not used, a guest's transport mode.",
        unit: "ns",
        source: "Transport mode sends the whole channel program at once; nothing is exchanged for a record.",
        get: |c| c.guest_transport.protocol_ns_per_page,
        set: |c, v| c.guest_transport.protocol_ns_per_page = v,
    },
    Constant {
        id: "guest_transport.path_ns_per_page",
        meaning: "Connect time for each record on a FICON Express8S path, were the I/O alone there, a guest's transport mode.",
        unit: "ns",
        source: "As the paging driver has it.",
        get: |c| c.guest_transport.path_ns_per_page,
        set: |c, v| c.guest_transport.path_ns_per_page = v,
    },
    Constant {
        id: "express8_path_ns_per_page",
        meaning: "Connect time for each page on a FICON Express8 path, were the I/O alone there, in either mode.",
        unit: "ns",
        source: "Fitted: service time of JB001246, less the exchange for each record. That both modes have the same is assumed: transport mode saves the exchange.",
        get: |c| c.express8_path_ns_per_page,
        set: |c, v| c.express8_path_ns_per_page = v,
    },
    Constant {
        id: "edev.pending_ns",
        meaning: "Time before an I/O to an EDEV starts.",
        unit: "ns",
        source: "Chosen; not published.",
        get: |c| c.edev.pending_ns,
        set: |c, v| c.edev.pending_ns = v,
    },
    Constant {
        id: "edev.disconnect_ns",
        meaning: "Time that the storage of an EDEV takes for an I/O that hits.",
        unit: "ns",
        source: "Chosen; not published.",
        get: |c| c.edev.disconnect_ns,
        set: |c, v| c.edev.disconnect_ns = v,
    },
    Constant {
        id: "edev.protocol_ns",
        meaning: "Time of the exchange for an I/O to an EDEV.",
        unit: "ns",
        source: "Chosen; not published.",
        get: |c| c.edev.protocol_ns,
        set: |c, v| c.edev.protocol_ns = v,
    },
    Constant {
        id: "edev.path_ns_per_page",
        meaning: "Time for each page on an FCP path, were the I/O alone there.",
        unit: "ns",
        source: "Chosen; not published. The SSD deck says that SCSI paging has more bandwidth than ECKD.",
        get: |c| c.edev.path_ns_per_page,
        set: |c, v| c.edev.path_ns_per_page = v,
    },
    Constant {
        id: "svc_ns",
        meaning: "Time that a SAN Volume Controller adds to an I/O.",
        unit: "ns",
        source: "Chosen; not published.",
        get: |c| c.svc_ns,
        set: |c, v| c.svc_ns = v,
    },
    Constant {
        id: "edev_start_ns",
        meaning: "Nonchargeable CP time that an I/O to an EDEV takes more than one to an ECKD volume.",
        unit: "ns",
        source: "Chosen; the SSD deck says that it is high, not how high.",
        get: |c| c.edev_start_ns,
        set: |c, v| c.edev_start_ns = v,
    },
    Constant {
        id: "edev_page_ns",
        meaning: "Nonchargeable CP time that a page of an I/O to an EDEV takes more than one of an ECKD volume.",
        unit: "ns",
        source: "Chosen; the SSD deck says that it is more, not how much.",
        get: |c| c.edev_page_ns,
        set: |c, v| c.edev_page_ns = v,
    },
    Constant {
        id: "spinning_miss_ns",
        meaning: "Mean time for which a miss in the cache of the control unit waits for spinning disk.",
        unit: "ns",
        source: "Chosen: the seek and half a turn of a disk with 15,000 turns a minute.",
        get: |c| c.spinning_miss_ns,
        set: |c, v| c.spinning_miss_ns = v,
    },
    Constant {
        id: "ssd_miss_ns",
        meaning: "Mean time for which a miss in the cache of the control unit waits for solid state disk.",
        unit: "ns",
        source: "Chosen; not published.",
        get: |c| c.ssd_miss_ns,
        set: |c, v| c.ssd_miss_ns = v,
    },
    Constant {
        id: "flash_miss_ns",
        meaning: "Mean time for which a miss in the cache waits for a FlashSystem.",
        unit: "ns",
        source: "Chosen; not published.",
        get: |c| c.flash_miss_ns,
        set: |c, v| c.flash_miss_ns = v,
    },
    Constant {
        id: "command_cost.guest_ns",
        meaning: "Guest time of a command-mode I/O, and whatever else lies between two I/Os of one guest.",
        unit: "ns",
        source: "Fitted: I/O rate of JB001238, less service and CP time.",
        get: |c| c.command_cost.guest_ns,
        set: |c, v| c.command_cost.guest_ns = v,
    },
    Constant {
        id: "command_cost.guest_ns_per_record",
        meaning: "The same for each record, command mode.",
        unit: "ns",
        source: "Fitted: I/O rate of JB001246.",
        get: |c| c.command_cost.guest_ns_per_record,
        set: |c, v| c.command_cost.guest_ns_per_record = v,
    },
    Constant {
        id: "command_cost.cp_ns",
        meaning: "CP time of a command-mode I/O.",
        unit: "ns",
        source: "Fitted: CP CPU of JB001238 and JB001246.",
        get: |c| c.command_cost.cp_ns,
        set: |c, v| c.command_cost.cp_ns = v,
    },
    Constant {
        id: "command_cost.cp_ns_per_record",
        meaning: "CP time for each record of a command-mode I/O.",
        unit: "ns",
        source: "Fitted: CP CPU of JB001238 and JB001246.",
        get: |c| c.command_cost.cp_ns_per_record,
        set: |c, v| c.command_cost.cp_ns_per_record = v,
    },
    Constant {
        id: "transport_cost.guest_ns",
        meaning: "Guest time of a transport-mode I/O, and whatever else lies between two I/Os of one guest.",
        unit: "ns",
        source: "Fitted: I/O rate of JB001239, less service and CP time.",
        get: |c| c.transport_cost.guest_ns,
        set: |c, v| c.transport_cost.guest_ns = v,
    },
    Constant {
        id: "transport_cost.guest_ns_per_record",
        meaning: "The same for each record, transport mode.",
        unit: "ns",
        source: "As in command mode.",
        get: |c| c.transport_cost.guest_ns_per_record,
        set: |c, v| c.transport_cost.guest_ns_per_record = v,
    },
    Constant {
        id: "transport_cost.cp_ns",
        meaning: "CP time of a transport-mode I/O.",
        unit: "ns",
        source: "Fitted: CP CPU of JB001239.",
        get: |c| c.transport_cost.cp_ns,
        set: |c, v| c.transport_cost.cp_ns = v,
    },
    Constant {
        id: "transport_cost.cp_ns_per_record",
        meaning: "CP time for each record of a transport-mode I/O.",
        unit: "ns",
        source: "None: the three rows that may be fitted leave nothing for it, as a channel program of two control CCWs and one CCW a record explains them.",
        get: |c| c.transport_cost.cp_ns_per_record,
        set: |c, v| c.transport_cost.cp_ns_per_record = v,
    },
    Constant {
        id: "mdc_record_ns",
        meaning: "CP time for each record that the minidisk cache hands over.",
        unit: "ns",
        source: "Chosen: about what copying 4 KB takes.",
        get: |c| c.mdc_record_ns,
        set: |c, v| c.mdc_record_ns = v,
    },
    Constant {
        id: "reference_ns",
        meaning: "Guest time for each reference to a page but the first.",
        unit: "ns",
        source: "Chosen; not published. The data are in the processor's caches then.",
        get: |c| c.reference_ns,
        set: |c, v| c.reference_ns = v,
    },
];

impl Constants {
    /// Frames that CP keeps for itself, of `installed`.
    pub fn cp_frames(&self, installed: u64) -> u64 {
        (installed as f64 * self.cp_storage_fraction) as u64
    }

    /// Frames that can hold guests' pages: what CP and the minidisk cache leave.
    pub fn guest_frames(&self, scenario: &Scenario) -> u64 {
        let installed = scenario.installed_frames();
        (installed - self.cp_frames(installed)).saturating_sub(scenario.mdc_frames())
    }

    /// Processor time of a guest's I/O in the mode.
    pub fn guest_io_cost(&self, transport: bool) -> &GuestIoCost {
        if transport { &self.transport_cost } else { &self.command_cost }
    }

    /// CP time of a guest's I/O with `records` up to its SSCH, ns: half (chosen) of what does not depend on the records, and
    /// all that does.
    pub fn start_ns_of(&self, transport: bool, records: u32) -> f64 {
        let cost = self.guest_io_cost(transport);
        cost.cp_ns / 2.0 + cost.cp_ns_per_record * f64::from(records)
    }

    /// CP time of a guest's I/O from its interruption on, ns.
    pub fn interrupt_ns_of(&self, transport: bool) -> f64 {
        self.guest_io_cost(transport).cp_ns / 2.0
    }

    /// Mean time for which a miss in the cache of the control unit waits for the disk, ns.
    pub fn miss_ns(&self, kind: DeviceKind) -> f64 {
        match kind {
            DeviceKind::EckdSpinning => self.spinning_miss_ns,
            DeviceKind::EckdSsd => self.ssd_miss_ns,
            DeviceKind::EdevSvc | DeviceKind::EdevDirect => self.flash_miss_ns,
        }
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
