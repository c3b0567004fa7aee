//! The constants of processor time.

use super::Constant;

/// The constants of processor time.
pub(super) const TIMES: &[Constant] = &[
    number!(
        touch_ns,
        "ns",
        "Guest time for each page touched.",
        "Fitted: guest busy of V4DVX001, V4DVY000 and V4DVYH04: 0.81 to 0.84 s a transaction."
    ),
    number!(
        reference_ns,
        "ns",
        "Guest time for each reference to a page after the first.",
        "Fitted: aliases held in QRBKW062, table 6, which show how soon a guest faults again."
    ),
    number!(
        fault_ns,
        "ns",
        "Chargeable CP time for a page fault that DASD serves.",
        "Fitted: chargeable CP busy of V4DVX001, V4DVY000 and V4DVYH04, divided by their blocks read."
    ),
    number!(
        clear_ns,
        "ns",
        "Chargeable CP time to clear a frame for a page that is touched for the first time, or to move a page below 2 GB.",
        "Chosen; otherwise it only sets how long the fill takes."
    ),
    number!(
        release_ns,
        "ns",
        "Chargeable CP time to take back a page that a guest releases.",
        "Assumed: as long as a first touch of it. No figure is published."
    ),
    whole!(
        ptil_pages,
        u64,
        "pages",
        "Most pages for which a virtual CPU holds its guest's PTIL at a time, from one that was never touched or is on DASD on.",
        "Chosen: CP takes the lock for each page by itself, which takes thirteen times as long to simulate. So a release waits up to 8 µs longer."
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
    number!(
        edev_start_ns,
        "ns",
        "CP time that an I/O to an EDEV takes in addition to an I/O to an ECKD volume.",
        "Chosen; the SSD deck says only that it is high."
    ),
    number!(
        edev_page_ns,
        "ns",
        "CP time that a page takes on an EDEV in addition to a page on an ECKD volume.",
        "Chosen; the SSD deck says only that it is more."
    ),
    number!(
        command_cost.guest_ns,
        "ns",
        "Guest time of a command-mode I/O, and all else between two I/Os of one guest.",
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
        "Guest time of a transport-mode I/O, and all else between two I/Os of one guest.",
        "Fitted: I/O rate of JB001239, less service and CP time."
    ),
    number!(
        transport_cost.guest_ns_per_record,
        "ns",
        "The same for each record, transport mode.",
        "The same as in command mode."
    ),
    number!(transport_cost.cp_ns, "ns", "CP time of a transport-mode I/O.", "Fitted: CP CPU of JB001239."),
    number!(
        transport_cost.cp_ns_per_record,
        "ns",
        "CP time for each record of a transport-mode I/O.",
        "Chosen: none. The three rows that may be fitted give only the sum of this and the time of the I/O."
    ),
    number!(
        io_start_part,
        "part of the CP time",
        "Part of the CP time of a guest's I/O that comes before its SSCH. The CP time for records is not included.",
        "Chosen: half before the SSCH, half from the interruption on."
    ),
    number!(
        mdc_record_ns,
        "ns",
        "CP time for each record that the minidisk cache provides.",
        "Chosen: about the time to copy 4 KB."
    ),
];
