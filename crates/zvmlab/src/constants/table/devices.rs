//! The constants of devices: drivers, paths, caches, aliases.

use super::Constant;

/// The constants of devices.
pub(super) const DEVICES: &[Constant] = &[
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
        alias_memory_ns,
        "ns",
        "How far a claimant's past counts when the odd alias is given out: time of one alias that it had too little or too much while both waited.",
        "Chosen; long against an I/O, short against a measurement."
    ),
];
