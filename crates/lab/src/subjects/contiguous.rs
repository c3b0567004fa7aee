//! The subject of contiguous frames: free frames side by side, and how CP keeps them so.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{Level, Mechanism, Scenario};

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_storage};
use crate::host::pages;
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// Free frames side by side.
pub static CONTIGUOUS: &Subject = &Subject {
    title: "Contiguous frames",
    question: "CP has thousands of free frames. Why does it hardly find a pair among them?",
    depth: Depth::Further,
    part: Part::Storage,
    sources: &["contiguous-frames-6.2"],
    setups: &[Setup::new("CONTIGUOUS", "128 GB without VM64795").back("CP coalesces free frames the old way.")],
    limit: Some(ResourceKind::Frames),
    room: Room::Storage,
    sign: Some(Sign { order: 32, is_seen: |scenario| scenario.storage.contiguous_rate > 0 }),
    groups: &[id::STORAGE, id::GUESTS, id::PAGING],
    is_main,
    swept: |_| path::STORAGE_CONTIGUOUS_RATE,
    introduction: of_storage::introduction,
    chain: Chain { steps: &[COALESCE], made },
    leads: |_| LEADS.to_vec(),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const LEADS: &[Lead] = &[
    lead(Figure::ContiguousFailed, "% of requests for contiguous frames fail", "% fail"),
    lead(Figure::ContiguousBlocks, "free pairs, or longer blocks, at the end", "blocks"),
    lead(Figure::CoalesceBusy, "% of a processor that CP looks for contiguous frames", "% looking"),
    ETR,
];

const TABLE: Table = &[
    (Figure::ContiguousFailed, false),
    (Figure::ContiguousBlocks, false),
    (Figure::LongestRun, false),
    (Figure::CoalesceBusy, false),
    (Figure::Etr, false),
    (Figure::PagesPerSecond, false),
    (Figure::StorageWait, true),
    (Figure::TotalBusy, false),
    (Figure::NonchargeableCpBusy, true),
];

const COALESCE: Step = Step {
    label: |scenario| match scenario.level {
        Level::V6_1 => "Apply VM64795".into(),
        _ => "Coalesce free frames at once".into(),
    },
    reason: "CP then notices at once when two free frames make a pair, and gives pages other frames as long as there are any.",
    is_due: |seen: &Seen| {
        let (scenario, storage) = (seen.scenario, &seen.scenario.storage);
        storage.contiguous_rate > 0
            && storage.contiguous_frames == 2
            && !scenario.has(Mechanism::Coalescing)
            && pages(scenario)
    },
    take: |scenario| scenario.storage.coalescing = true,
    shows: (Figure::ContiguousFailed, Way::Down),
};

fn made(scenario: &Scenario, _: &Limits) -> Cow<'static, str> {
    match scenario {
        _ if scenario.storage.contiguous_rate == 0 => "CP asks for no contiguous frames here.",
        _ if !pages(scenario) => "All that the guests touch fits, so few frames change hands, and those that were never used stand side by side.",
        _ if scenario.storage.contiguous_frames > 2 => "Pairs form by chance. Longer runs hardly ever do: so few frames are free that three or more do not meet, in either way.",
        _ if !scenario.has(Mechanism::Coalescing) => "CP looks for contiguous frames only when a request comes.",
        _ => "CP keeps each pair that forms by chance. They gather over minutes; where it asks for more than form, requests still fail.",
    }
    .into()
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    let own = [
        path::STORAGE_CONTIGUOUS_RATE,
        path::STORAGE_CONTIGUOUS_FRAMES,
        path::STORAGE_COALESCING,
        path::STORAGE_CENTRAL_MB,
        path::GUESTS_LOOP_MB,
    ];
    own.contains(&knob.field.path) || of_storage::is_main(knob, scenario, CONTIGUOUS, false)
}
