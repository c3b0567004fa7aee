//! The constants of devices: drivers, paths, caches, aliases.

use super::Constant;

/// The constants of devices.
pub(super) const DEVICES: &[Constant] = &[
    number!(
        command_63.pending_ns,
        "ns",
        "Pending time of an I/O on an idle path, command mode, 6.3.",
        "Fitted, one number for all drivers: tables 1 and 2, V4DVX001, V4DVY000 and V4DVYH04, less what the first command waits for its path."
    ),
    number!(command_63.disconnect_ns, "ns", "Disconnect time of an I/O, command mode, 6.3.", "Table 1, V4DVX001."),
    number!(
        command_63.protocol_ns_per_page,
        "ns",
        "Connect time for each page that does not use the channel path, command mode, 6.3.",
        "Fitted: connect time and page rate of V4DVX001."
    ),
    number!(
        command_63.path_ns_per_page,
        "ns",
        "Connect time for each page on the channel path, with no other I/O on it, command mode, 6.3.",
        "The hardware is that of 6.4 command mode, so the number is the same."
    ),
    number!(
        command_64.pending_ns,
        "ns",
        "Pending time of an I/O on an idle path, command mode, 6.4.",
        "Fitted, as that of 6.3."
    ),
    number!(command_64.disconnect_ns, "ns", "Disconnect time of an I/O, command mode, 6.4.", "Table 1, V4DVY000."),
    number!(
        command_64.protocol_ns_per_page,
        "ns",
        "Connect time for each page that does not use the channel path, command mode, 6.4.",
        "Fitted: connect time and page rate of V4DVY000."
    ),
    number!(
        command_64.path_ns_per_page,
        "ns",
        "Connect time for each page on the channel path, with no other I/O on it, command mode, 6.4.",
        "Fitted: page rates of V4DVY000 and V4DVYA00."
    ),
    number!(
        transport_64.pending_ns,
        "ns",
        "Pending time of an I/O on an idle path, transport mode.",
        "Fitted, as that of command mode on 6.3."
    ),
    number!(transport_64.disconnect_ns, "ns", "Disconnect time of an I/O, transport mode.", "Table 2, V4DVYH04."),
    number!(
        transport_64.protocol_ns_per_page,
        "ns",
        "Connect time for each page that does not use the channel path, transport mode.",
        "Transport mode sends the whole channel program at once; nothing is exchanged for a page."
    ),
    number!(
        transport_64.path_ns_per_page,
        "ns",
        "Connect time for each page on the channel path, with no other I/O on it, transport mode.",
        "Fitted: connect time and page rate of V4DVYH04."
    ),
    number!(
        guest_command.pending_ns,
        "ns",
        "Pending time of a guest's I/O on an idle path, command mode.",
        "The same as for the paging drivers."
    ),
    number!(
        guest_command.disconnect_ns,
        "ns",
        "Disconnect time of a guest's I/O that hits the cache, command mode.",
        "The same as for the paging driver of 6.4: table 1, V4DVY000."
    ),
    number!(
        guest_command.protocol_ns,
        "ns",
        "Connect time of a guest's I/O, apart from its records, command mode.",
        "Fitted: service time of JB001238."
    ),
    number!(
        guest_command.protocol_ns_per_page,
        "ns",
        "Connect time for each record that does not use the path, a guest's command mode.",
        "The exchange for a CCW, the same as for the paging driver of 6.4: V4DVY000."
    ),
    number!(
        guest_command.path_ns_per_page,
        "ns",
        "Connect time for each record on a FICON Express8S path, with no other I/O on it, a guest's command mode.",
        "The same as for the paging driver of 6.4."
    ),
    number!(
        guest_transport.pending_ns,
        "ns",
        "Pending time of a guest's I/O on an idle path, transport mode.",
        "The same as for the paging drivers."
    ),
    number!(
        guest_transport.disconnect_ns,
        "ns",
        "Disconnect time of a guest's I/O that hits the cache, transport mode.",
        "The same as for the paging driver: table 2, V4DVYH04."
    ),
    number!(
        guest_transport.protocol_ns,
        "ns",
        "Connect time of a guest's I/O, apart from its records, transport mode.",
        "Fitted: service time of JB001239."
    ),
    number!(
        guest_transport.protocol_ns_per_page,
        "ns",
        "Connect time for each record that does not use the path, a guest's transport mode.",
        "Transport mode sends the whole channel program at once; nothing is exchanged for a record."
    ),
    number!(
        guest_transport.path_ns_per_page,
        "ns",
        "Connect time for each record on a FICON Express8S path, with no other I/O on it, a guest's transport mode.",
        "The same as for the paging driver."
    ),
    number!(
        express8_path_ns_per_page,
        "ns",
        "Connect time for each page on a FICON Express8 path, with no other I/O on it, in either mode.",
        "Fitted: service time of JB001246, less the exchange for each record. Assumed the same for both modes: transport mode saves only the exchange."
    ),
    number!(edev.pending_ns, "ns", "Time before an I/O to an EDEV starts, on an idle path.", "Chosen; not published."),
    number!(
        edev.disconnect_ns,
        "ns",
        "Time that the storage of an EDEV takes for an I/O that hits the cache.",
        "Chosen; not published."
    ),
    number!(edev.protocol_ns, "ns", "Time of the exchange for an I/O to an EDEV.", "Chosen; not published."),
    number!(
        edev.protocol_ns_per_page,
        "ns",
        "Time for each page of an I/O to an EDEV that does not use the path.",
        "Chosen, about as long as on the path: one I/O does not fill a path by itself. Not published."
    ),
    number!(
        edev.path_ns_per_page,
        "ns",
        "Time for each page on an FCP path, with no other I/O on it.",
        "A page of 4,096 bytes over a path of 8 Gb/s, which carries 800 MB/s. The SSD deck says that SCSI paging has more bandwidth than ECKD."
    ),
    number!(
        server_ns,
        "ns",
        "Time that a storage server takes for an I/O of an EDEV beyond what a FlashSystem takes.",
        "Chosen, so that a hit takes about as long as a hit of ECKD; not published."
    ),
    number!(svc_ns, "ns", "Time that a SAN Volume Controller adds to an I/O.", "Chosen; not published."),
    number!(
        spinning_miss_ns,
        "ns",
        "Mean time that a miss in the control unit's cache waits for spinning disk.",
        "Chosen: a seek and half a turn of a disk at 15,000 turns a minute."
    ),
    number!(
        ssd_miss_ns,
        "ns",
        "Mean time that a miss in the control unit's cache waits for solid state disk.",
        "Chosen; not published."
    ),
    number!(flash_miss_ns, "ns", "Mean time that a miss in the cache waits for a FlashSystem.", "Chosen; not published."),
    number!(
        alias_memory_ns,
        "ns",
        "How much of the past counts for who gets the odd alias: time for which a claimant had one alias too few or too many while both waited.",
        "Chosen; much longer than an I/O, much shorter than a measurement."
    ),
];
