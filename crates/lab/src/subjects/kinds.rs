//! The subject of kinds of device: the devices of the page volumes.

use zvmlab::scenario::{DeviceKind, Scenario};

use super::next_step::NextStep;
use super::{Part, Particulars, Setup, Subject, of_storage};
use crate::knob::Knob;
use crate::room::Room;

/// The devices of the page volumes.
pub const KINDS: &Subject = &Subject {
    title: "Kinds of device",
    question: "What spinning disk, SSD and flash do for paging",
    part: Part::Storage,
    sources: &["ssd-deck"],
    setups: &[Setup::new("LPAR1 w/o DS8870", "spinning disk").back("Page volumes on spinning disk.")],
    room: Room::Paging,
    // A host of unknown origin belongs to the subject of paging.
    sign: None,
    groups: &[],
    is_main,
    swept: of_storage::swept,
    introduction: of_storage::introduction,
    next_step,
    leads: of_storage::leads,
    table: of_storage::table,
    particulars: Particulars::NONE,
};

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_storage::is_main(knob, scenario, KINDS, true)
}

fn next_step(scenario: &Scenario, _: &str) -> Option<NextStep> {
    (scenario.paging.kind == DeviceKind::EckdSpinning).then(|| {
        NextStep::new(
            "Put the page volumes on SSD",
            "An I/O that misses the control unit's cache waits for no disk arm.",
            |scenario| {
                let paging = &mut scenario.paging;
                // The hits in the control unit's cache change with it: assumed for the published host with SSD.
                (paging.kind, paging.read_hit_percent, paging.write_hit_percent) = (DeviceKind::EckdSsd, 90, 100);
            },
        )
    })
}
