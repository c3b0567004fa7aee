//! The subject of kinds of device: the devices of the page volumes.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::{DeviceKind, Scenario};

use super::next_step::{Chain, Step, Way};
use super::{Depth, Part, Particulars, Setup, Subject, of_storage};
use crate::host::pages;
use crate::knob::Knob;
use crate::room::Room;

/// The devices of the page volumes.
pub static KINDS: &Subject = &Subject {
    title: "Kinds of device",
    question: "What spinning disk, SSD and flash do for paging",
    depth: Depth::Further,
    part: Part::Storage,
    sources: &["ssd-deck"],
    setups: &[Setup::new("LPAR1 w/o DS8870", "spinning disk").back("Page volumes on spinning disk.")],
    limit: Some(ResourceKind::PageVolumes),
    room: Room::Paging,
    // A host of unknown origin belongs to the subject of paging.
    sign: None,
    groups: &[],
    is_main,
    swept: of_storage::swept,
    introduction: of_storage::introduction,
    chain: CHAIN,
    leads: of_storage::leads,
    table: of_storage::table,
    particulars: Particulars::NONE,
};

const CHAIN: Chain = Chain { steps: &[SSD, FLASH], made };

const SSD: Step = Step {
    label: |_| "Put the page volumes on SSD".into(),
    reason: "An I/O that misses the control unit’s cache waits for no disk arm.",
    is_due: |seen| seen.scenario.paging.kind == DeviceKind::EckdSpinning,
    take: |scenario| {
        let paging = &mut scenario.paging;
        // The hits in the control unit's cache change with it: assumed for the published host with SSD.
        (paging.kind, paging.read_hit_percent, paging.write_hit_percent) = (DeviceKind::EckdSsd, 90, 100);
    },
    shows: (Figure::PagingResponse, Way::Down),
};

const FLASH: Step = Step {
    label: |_| "Put the page volumes on flash".into(),
    reason: "FlashSystem volumes are EDEVs: a volume carries many I/Os at a time, over FCP.",
    is_due: |seen| seen.scenario.paging.kind == DeviceKind::EckdSsd,
    take: |scenario| scenario.paging.kind = DeviceKind::EdevSvc,
    shows: (Figure::PagingResponse, Way::Down),
};

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match limits.limit {
        _ if !pages(scenario) => "All that the guests touch fits in storage, so nothing is paged.",
        Some(ResourceKind::Frames) => {
            "No queue limits now: guests wait for the page I/O itself. Only more storage would save it."
        }
        Some(ResourceKind::PageVolumes) => "The page volumes limit on flash too: only more of them would help.",
        _ => "The page volumes no longer limit. A faster device would gain little.",
    }
    .into()
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_storage::is_main(knob, scenario, KINDS, true)
}
