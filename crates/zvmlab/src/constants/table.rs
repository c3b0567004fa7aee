//! The table of the constants: what each is, in which unit, and where its value comes from.

use super::Constants;

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

/// The path as people write it.
macro_rules! concat_path {
    ($first:ident) => {
        stringify!($first)
    };
    ($first:ident . $second:ident) => {
        concat!(stringify!($first), ".", stringify!($second))
    };
}

/// An entry for a constant that is any number: path in [`Constants`], unit, meaning, source.
macro_rules! number {
    ($($path:ident).+, $unit:literal, $meaning:literal, $source:literal) => {
        Constant {
            id: concat_path!($($path).+),
            meaning: $meaning,
            unit: $unit,
            source: $source,
            get: |c| c.$($path).+,
            set: |c, v| c.$($path).+ = v,
        }
    };
}

/// The same for one that counts things.
macro_rules! whole {
    ($($path:ident).+, $kind:ty, $unit:literal, $meaning:literal, $source:literal) => {
        Constant {
            id: concat_path!($($path).+),
            meaning: $meaning,
            unit: $unit,
            source: $source,
            get: |c| c.$($path).+ as f64,
            set: |c, v| c.$($path).+ = v.round() as $kind,
        }
    };
}

mod cluster;

pub use cluster::CLUSTER;

/// Every constant that has a number.
pub const TABLE: &[Constant] = &{
    let mut all = [HOST[0]; HOST.len() + CLUSTER.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < HOST.len() { HOST[at] } else { CLUSTER[at - HOST.len()] };
        at += 1;
    }
    all
};

/// Those of one host.
pub const HOST: &[Constant] = &[
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
        replenish_frames,
        u64,
        "frames",
        "Frames that one replenishment adds to the available list.",
        "Chosen; not published."
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
    number!(
        test_idle_ns,
        "ns",
        "Time for which a guest that wants nothing stays in the dispatch list.",
        "Assumed: 300 ms. No source gives it."
    ),
    number!(
        guest_spin_ns,
        "ns",
        "Time for which a virtual CPU spins for its guest's lock before it issues Diag X'44'.",
        "Not published; chosen by a scan of settings with APS9220 and APT9280 in view."
    ),
    number!(
        diag44_fast_ns,
        "ns",
        "Guest time of a Diag X'44' that the fast path returns.",
        "Not published; chosen by a scan of settings with APS9220 and APT9280 in view."
    ),
    number!(
        diag44_ns,
        "ns",
        "CP time of a Diag X'44' that takes the whole path.",
        "Not published; chosen by a scan of settings with APS9220 and APT9280 in view."
    ),
    number!(cp_spin_ns, "ns", "Time for which CP spins for a lock before it turns to PR/SM.", "Chosen; not published."),
    number!(
        cp_lock_part,
        "part of the service",
        "Part of a service of CP for which it holds its lock.",
        "Chosen; not published."
    ),
    number!(vary_ns, "ns", "Time for which VARY PROCESSOR holds its lock.", "Chosen; not published."),
    whole!(
        vary_services,
        u64,
        "services",
        "One of so many services of CP needs the lock of VARY PROCESSOR.",
        "Chosen; not published."
    ),
    number!(
        touch_ns,
        "ns",
        "Guest time for each page touched.",
        "Fitted: guest busy of V4DVX001, V4DVY000 and V4DVYH04: 0.81 to 0.84 s a transaction."
    ),
    number!(
        fault_ns,
        "ns",
        "Chargeable CP time for a page fault that is served from DASD.",
        "Fitted: chargeable CP busy of V4DVX001, V4DVY000 and V4DVYH04, over their blocks read."
    ),
    number!(
        clear_ns,
        "ns",
        "Chargeable CP time to clear a frame for a page touched for the first time.",
        "Chosen; it only sets how long the fill takes."
    ),
    number!(
        revalidate_ns,
        "ns",
        "Chargeable CP time to make an invalid but resident page valid again.",
        "Chosen; the published runs hardly do it."
    ),
    number!(
        start_ns,
        "ns",
        "Nonchargeable CP time for each SSCH.",
        "Fitted: nonchargeable CP busy of V4DVX001, V4DVY000 and V4DVYH04."
    ),
    number!(
        page_ns,
        "ns",
        "Nonchargeable CP time for each page read or written.",
        "Fitted: nonchargeable CP busy of V4DVX001, V4DVY000 and V4DVYH04."
    ),
    whole!(
        blocking_64.read_pages_max,
        u32,
        "pages",
        "Most pages that one read takes in with z/VM 6.4; 6.3 reads one block.",
        "Fitted: read blocking of V4DVY000."
    ),
    number!(command_63.pending_ns, "ns", "Pending time of an I/O, command mode, 6.3.", "Table 1, V4DVX001."),
    number!(command_63.disconnect_ns, "ns", "Disconnect time of an I/O, command mode, 6.3.", "Table 1, V4DVX001."),
    number!(
        command_63.protocol_ns_per_page,
        "ns",
        "Connect time for each page in which the channel path is not used, command mode, 6.3.",
        "Fitted: connect time and page rate of V4DVX001."
    ),
    number!(
        command_63.path_ns_per_page,
        "ns",
        "Connect time for each page on the channel path, were the I/O alone there, command mode, 6.3.",
        "The same hardware as 6.4 command mode, so the same number."
    ),
    number!(command_64.pending_ns, "ns", "Pending time of an I/O, command mode, 6.4.", "Table 1, V4DVY000."),
    number!(command_64.disconnect_ns, "ns", "Disconnect time of an I/O, command mode, 6.4.", "Table 1, V4DVY000."),
    number!(
        command_64.protocol_ns_per_page,
        "ns",
        "Connect time for each page in which the channel path is not used, command mode, 6.4.",
        "Fitted: connect time and page rate of V4DVY000."
    ),
    number!(
        command_64.path_ns_per_page,
        "ns",
        "Connect time for each page on the channel path, were the I/O alone there, command mode, 6.4.",
        "Fitted: page rates of V4DVY000 and V4DVYA00."
    ),
    number!(transport_64.pending_ns, "ns", "Pending time of an I/O, transport mode.", "Table 2, V4DVYH04."),
    number!(transport_64.disconnect_ns, "ns", "Disconnect time of an I/O, transport mode.", "Table 2, V4DVYH04."),
    number!(
        transport_64.protocol_ns_per_page,
        "ns",
        "Connect time for each page in which the channel path is not used, transport mode.",
        "Transport mode sends the whole channel program at once; nothing is exchanged for a page."
    ),
    number!(
        transport_64.path_ns_per_page,
        "ns",
        "Connect time for each page on the channel path, were the I/O alone there, transport mode.",
        "Fitted: connect time and page rate of V4DVYH04."
    ),
    number!(
        guest_command.pending_ns,
        "ns",
        "Pending time of a guest's I/O, command mode.",
        "As the paging driver of 6.4 has it: table 1, V4DVY000."
    ),
    number!(
        guest_command.disconnect_ns,
        "ns",
        "Disconnect time of a guest's I/O that hits, command mode.",
        "As the paging driver of 6.4 has it: table 1, V4DVY000."
    ),
    number!(
        guest_command.protocol_ns,
        "ns",
        "Connect time of a guest's I/O without its records, command mode.",
        "Fitted: service time of JB001238."
    ),
    number!(
        guest_command.protocol_ns_per_page,
        "ns",
        "Connect time for each record in which the path is not used, a guest's command mode.",
        "The exchange for a CCW, as the paging driver of 6.4 has it: V4DVY000."
    ),
    number!(
        guest_command.path_ns_per_page,
        "ns",
        "Connect time for each record on a FICON Express8S path, were the I/O alone there, a guest's command mode.",
        "As the paging driver of 6.4 has it."
    ),
    number!(
        guest_transport.pending_ns,
        "ns",
        "Pending time of a guest's I/O, transport mode.",
        "As the paging driver has it: table 2, V4DVYH04."
    ),
    number!(
        guest_transport.disconnect_ns,
        "ns",
        "Disconnect time of a guest's I/O that hits, transport mode.",
        "As the paging driver has it: table 2, V4DVYH04."
    ),
    number!(
        guest_transport.protocol_ns,
        "ns",
        "Connect time of a guest's I/O without its records, transport mode.",
        "Fitted: service time of JB001239."
    ),
    number!(
        guest_transport.protocol_ns_per_page,
        "ns",
        "Connect time for each record in which the path is not used, a guest's transport mode.",
        "Transport mode sends the whole channel program at once; nothing is exchanged for a record."
    ),
    number!(
        guest_transport.path_ns_per_page,
        "ns",
        "Connect time for each record on a FICON Express8S path, were the I/O alone there, a guest's transport mode.",
        "As the paging driver has it."
    ),
    number!(
        express8_path_ns_per_page,
        "ns",
        "Connect time for each page on a FICON Express8 path, were the I/O alone there, in either mode.",
        "Fitted: service time of JB001246, less the exchange for each record. That both modes have the same is assumed: transport mode saves the exchange."
    ),
    number!(edev.pending_ns, "ns", "Time before an I/O to an EDEV starts.", "Chosen; not published."),
    number!(
        edev.disconnect_ns,
        "ns",
        "Time that the storage of an EDEV takes for an I/O that hits.",
        "Chosen; not published."
    ),
    number!(edev.protocol_ns, "ns", "Time of the exchange for an I/O to an EDEV.", "Chosen; not published."),
    number!(
        edev.path_ns_per_page,
        "ns",
        "Time for each page on an FCP path, were the I/O alone there.",
        "Chosen; not published. The SSD deck says that SCSI paging has more bandwidth than ECKD."
    ),
    number!(svc_ns, "ns", "Time that a SAN Volume Controller adds to an I/O.", "Chosen; not published."),
    number!(
        edev_start_ns,
        "ns",
        "CP time that an I/O to an EDEV takes more than one to an ECKD volume.",
        "Chosen; the SSD deck says that it is high, not how high."
    ),
    number!(
        edev_page_ns,
        "ns",
        "CP time that a page of an I/O to an EDEV takes more than one of an ECKD volume.",
        "Chosen; the SSD deck says that it is more, not how much."
    ),
    number!(
        spinning_miss_ns,
        "ns",
        "Mean time for which a miss in the cache of the control unit waits for spinning disk.",
        "Chosen: the seek and half a turn of a disk with 15,000 turns a minute."
    ),
    number!(
        ssd_miss_ns,
        "ns",
        "Mean time for which a miss in the cache of the control unit waits for solid state disk.",
        "Chosen; not published."
    ),
    number!(
        flash_miss_ns,
        "ns",
        "Mean time for which a miss in the cache waits for a FlashSystem.",
        "Chosen; not published."
    ),
    number!(
        command_cost.guest_ns,
        "ns",
        "Guest time of a command-mode I/O, and whatever else lies between two I/Os of one guest.",
        "Fitted: I/O rate of JB001238, less service and CP time."
    ),
    number!(
        command_cost.guest_ns_per_record,
        "ns",
        "The same for each record, command mode.",
        "Fitted: I/O rate of JB001246."
    ),
    number!(command_cost.cp_ns, "ns", "CP time of a command-mode I/O.", "Fitted: CP CPU of JB001238 and JB001246."),
    number!(
        command_cost.cp_ns_per_record,
        "ns",
        "CP time for each record of a command-mode I/O.",
        "Fitted: CP CPU of JB001238 and JB001246."
    ),
    number!(
        transport_cost.guest_ns,
        "ns",
        "Guest time of a transport-mode I/O, and whatever else lies between two I/Os of one guest.",
        "Fitted: I/O rate of JB001239, less service and CP time."
    ),
    number!(transport_cost.guest_ns_per_record, "ns", "The same for each record, transport mode.", "As in command mode."),
    number!(transport_cost.cp_ns, "ns", "CP time of a transport-mode I/O.", "Fitted: CP CPU of JB001239."),
    number!(
        transport_cost.cp_ns_per_record,
        "ns",
        "CP time for each record of a transport-mode I/O.",
        "Chosen: none. The three rows that may be fitted give the sum of this and the time of the I/O, not the parts."
    ),
    number!(
        mdc_record_ns,
        "ns",
        "CP time for each record that the minidisk cache hands over.",
        "Chosen: about what copying 4 KB takes."
    ),
    number!(
        reference_ns,
        "ns",
        "Guest time for each reference to a page but the first.",
        "Fitted: aliases held in QRBKW062, table 6, as it says how soon a guest faults again."
    ),
    number!(
        prsm_dispatch_ns,
        "ns",
        "Time that PR/SM takes to give a physical processor to a logical one.",
        "Chosen; not published."
    ),
    number!(
        prsm_yield_ns,
        "ns",
        "Time that PR/SM takes for a Diag X'44' or X'9C' of a logical processor.",
        "Chosen; not published. Where another logical processor runs then, its dispatch comes on top."
    ),
    number!(
        prsm_piece_ns,
        "ns",
        "Mean processor time of a piece of work of the other partitions.",
        "Chosen; not published. It only says how often their logical processors come and go."
    ),
];

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
