//! The subject of storage below 2 GB: a host of z/VM 5.1 that pages although most of its storage is free.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::constants::Constants;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{Level, Mechanism, Scenario};

use super::lead::{Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::{Depth, Part, Particulars, Setup, Subject, of_storage};
use crate::host::pages;
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// Storage below 2 GB and above.
pub static BELOW: &Subject = &Subject {
    title: "Below 2 GB",
    question: "Why does a host of 6 GB page while two thirds of its storage are free, and what did z/VM 5.2 change?",
    depth: Depth::Further,
    part: Part::Storage,
    sources: &["below-2gb-5.2"],
    setups: &[
        Setup::new("BELOW-2GB", "6 GB, files read by I/O").back("Five servers read files on z/VM 5.1."),
        Setup::new("3GBS9220", "3 GB, files read by I/O").back("Three servers read files on z/VM 5.1."),
        Setup::new("APXS9220", "3 GB, files in page caches").back("Twelve servers have their files in storage."),
        Setup::new("3G DASD, 5.2", "the same on 5.2, paging to DASD").back("Demand scan seeks frames above 2\u{a0}GB."),
    ],
    limit: Some(ResourceKind::FramesBelow),
    room: Room::Storage,
    // A host of unknown origin belongs to the subject of paging.
    sign: None,
    groups: &[id::SYSTEM, id::STORAGE, id::GUESTS],
    is_main,
    swept: |_| path::STORAGE_CENTRAL_MB,
    introduction: of_storage::introduction,
    chain: Chain { steps: &[UPGRADE, MORE_ABOVE], made },
    leads,
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

fn leads(scenario: &Scenario) -> Vec<Lead> {
    let work = match scenario.does_io() {
        true => lead(Figure::MdiskEtr, "I/Os a second that guests get (external throughput rate, MDISK ETR)", "MDISK ETR"),
        false => lead(Figure::Etr, "transactions a second (external throughput rate)", "ETR"),
    };
    if seeks_above(scenario) {
        return vec![
            work,
            lead(Figure::ScanLength, "frames that demand scan looks at for each page that it takes", "looks a page"),
            lead(Figure::ScanBusy, "% of a processor for demand scan", "% scan"),
            lead(Figure::StorageWait, "% of the guests’ time waiting for storage", "% waiting"),
        ];
    }
    vec![
        work,
        lead(Figure::PagesPerSecond, "pages read and written a second", "pages/s"),
        lead(Figure::MovedBelow, "pages a second moved below 2 GB", "moved below"),
        lead(Figure::StorageWait, "% of the guests’ time waiting for storage", "% waiting"),
    ]
}

const TABLE: Table = &[
    (Figure::MdiskEtr, false),
    (Figure::Etr, true),
    (Figure::ResidentAbove, false),
    (Figure::ResidentBelow, false),
    (Figure::MovedBelow, false),
    (Figure::PagesPerSecond, false),
    (Figure::SearchLength, true),
    (Figure::SearchBusy, true),
    (Figure::ScanLength, false),
    (Figure::ScanBusy, false),
    (Figure::StorageWait, false),
    (Figure::PageWait, true),
    (Figure::FrameWait, true),
    (Figure::TotalBusy, false),
];

const UPGRADE: Step = Step {
    label: |_| "Upgrade to z/VM 5.2".into(),
    reason: "CP then works on pages wherever they stand, so the frames above the line come into use.",
    is_due: |seen: &Seen| seen.scenario.does_io() && lacks(seen.scenario),
    take: |scenario| {
        if scenario.level != Level::Own {
            scenario.level = Level::V5_2;
        }
        scenario.own.io_below = false;
    },
    shows: (Figure::MdiskEtr, Way::Up),
};

/// Central storage at which frames above are more than those below, MB: that of IBM's larger host.
const MORE_MB: u64 = 5_120;

const MORE_ABOVE: Step = Step {
    label: |_| "Give it 5 GB of central storage".into(),
    reason: "Then more frames are above than below, and demand scan passes over fewer on its way to one above.",
    is_due: |seen: &Seen| seeks_above(seen.scenario) && seen.scenario.storage.central_mb < MORE_MB,
    take: |scenario| scenario.storage.central_mb = MORE_MB,
    shows: (Figure::ScanLength, Way::Down),
};

/// Whether demand scan passes over frames below on its way to those above.
fn seeks_above(scenario: &Scenario) -> bool {
    !scenario.has(Mechanism::IoBelow) && pages(scenario) && scenario.frames_below(&Constants::default()).is_some()
}

/// Whether CP works on more pages than there are frames below 2 GB, where they must be.
fn lacks(scenario: &Scenario) -> bool {
    scenario.lacks_below(&Constants::default()) > 0
}

fn made(scenario: &Scenario, _: &Limits) -> Cow<'static, str> {
    match (scenario.has(Mechanism::IoBelow), scenario.works_below()) {
        _ if scenario.storage.central_mb <= 2_048 => "All of this storage is below 2 GB, so the line makes no difference.",
        (true, _) if lacks(scenario) => "Pages for I/O and services must be below 2 GB here, however much storage there is above.",
        (true, true) if pages(scenario) && !scenario.does_io() => "The pages that CP works on fit below 2 GB; others stand wherever a frame is free. This host is simply short of storage.",
        (true, true) => "Pages for I/O and services must be below 2 GB here, and all of them fit there.",
        (true, false) if pages(scenario) => "These guests do no I/O, so their pages stand wherever a frame is free: both sides are full, and this host is simply short of storage.",
        (true, false) => "These guests do no I/O, so nothing has to be below 2 GB, and all that they touch fits.",
        (false, _) if seeks_above(scenario) => "Frames above run out first. Demand scan seeks them among those below: the more there are above, the sooner it finds one.",
        (false, _) => "CP works on pages wherever they stand. What decides now is whether all of them fit.",
    }
    .into()
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    let own = [
        path::LEVEL,
        path::STORAGE_CENTRAL_MB,
        path::MINIDISKS_MDC_MB,
        path::GUESTS_COUNT,
        path::GUESTS_LOOP_MB,
        path::GUESTS_IO_RECORDS,
    ];
    let serves = || scenario.guests.get(knob.group).is_some_and(|group| group.service_us > 0);
    let service = knob.field.path == path::GUESTS_SERVICE_US && serves();
    service || own.contains(&knob.field.path) || of_storage::is_main(knob, scenario, BELOW, false)
}
