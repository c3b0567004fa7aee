//! The subject of paging: what larger blocks, zHPF and aliases do for it.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::Scenario;

use super::next_step::{Chain, Seen, Step, Way};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_storage};
use crate::host::{alias_users, pages};
use crate::knob::Knob;
use crate::room::Room;

/// How page volumes serve guests that touch more than fits in storage.
pub static PAGING: &Subject = &Subject {
    title: "Paging",
    question: "What larger blocks, zHPF and aliases do for paging",
    depth: Depth::Basics,
    part: Part::Storage,
    sources: &["paging-6.4"],
    setups: &[Setup::new("V4DVY000", "four volumes").back("z/VM 6.4, four volumes, neither zHPF nor aliases.")],
    limit: Some(ResourceKind::PageVolumes),
    room: Room::Overview,
    // Every host that has no other subject's sign.
    sign: Some(Sign { order: 100, is_seen: |scenario| pages(scenario) || !computes(scenario) }),
    groups: &[],
    is_main,
    swept: of_storage::swept,
    introduction: of_storage::introduction,
    chain: CHAIN,
    leads: of_storage::leads,
    table: of_storage::table,
    particulars: Particulars::NONE,
};

/// Whether guests do more than touch pages. Where nothing is paged they are a matter of processors.
fn computes(scenario: &Scenario) -> bool {
    scenario.guests.iter().any(|group| group.cpu_us > 0)
}

const CHAIN: Chain = Chain { steps: &[of_storage::NEW_LEVEL, of_storage::ALIASES, EIGHT, ZHPF], made };

/// Twice the first aliases, where volumes do not limit any more.
const EIGHT: Step = Step {
    label: |_| "Use 8 aliases".into(),
    reason: "Twice as many I/Os at once, on the same paths. See what is left to gain.",
    is_due: |seen| seen.scenario.lcu.aliases == 4 && paths_may_limit(seen),
    take: |scenario| scenario.lcu.aliases = 8,
    shows: (Figure::Etr, Way::Up),
};

/// Whether paging uses aliases in command mode, and the paths limit as far as is known.
fn paths_may_limit(seen: &Seen) -> bool {
    let uses_them = pages(seen.scenario) && alias_users(seen.scenario).1 && !seen.scenario.paging.zhpf;
    uses_them && seen.may_limit(&[ResourceKind::Paths])
}

const ZHPF: Step = Step {
    label: |scenario| if is_past_help(scenario) { "Turn zHPF on, with 4 aliases" } else { "Turn zHPF on" }.into(),
    reason: of_storage::ONE_EXCHANGE,
    is_due: |seen| {
        use ResourceKind::{Aliases, Frames, PageVolumes, Paths};
        // EDEVs use FCP. zHPF is not for them.
        let uses_it = pages(seen.scenario) && seen.scenario.paging.has_eckd() && !seen.scenario.paging.zhpf;
        uses_it && seen.may_limit(&[Paths, PageVolumes, Aliases, Frames])
    },
    take: |scenario| {
        if is_past_help(scenario) {
            scenario.lcu.aliases = 4;
        }
        scenario.paging.zhpf = true;
    },
    shows: (Figure::Etr, Way::Up),
};

/// Whether it has the aliases of [`EIGHT`], which wait for the paths. How many aliases IBM's run with zHPF has is not published; the
/// run has four, which is assumed.
fn is_past_help(scenario: &Scenario) -> bool {
    scenario.lcu.aliases == 8
}

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match limits.limit {
        _ if !pages(scenario) => "All that the guests touch fits in storage, so nothing is paged.".into(),
        Some(ResourceKind::Paths) => {
            let (paths, them) = match scenario.lcu.paths {
                1 => ("The one path limits".into(), "it"),
                2 => ("The two paths limit".into(), "them"),
                count => (format!("The {count} paths limit"), "them"),
            };
            format!("{paths} now: more aliases or volumes would only wait for {them}.").into()
        }
        _ if !scenario.paging.has_eckd() => "EDEVs use neither zHPF nor aliases.".into(),
        Some(ResourceKind::Frames) => "No queue limits now: only more storage would save the guests page I/O.".into(),
        _ => "More aliases would gain little now: paging waits neither for them nor for volumes.".into(),
    }
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_storage::is_main(knob, scenario, PAGING, false)
}
