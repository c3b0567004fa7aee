//! The questions about a relocation, and the runs that answer each. Knows no browser.

pub mod answer;
pub mod curve;

use zvmlab::Scenario;
use zvmlab::scenario::{Chpid, Interruption, MaxQuiesce, Relocate};

use super::trials::NewTrial;
use crate::knob::changes::changes;
use crate::knob::link::{Configuration, PUBLISHED};
use crate::words::number::storage_mb;

/// CTCs on an added chpid: the best practice.
const CTCS: u32 = 4;
/// Most CTCs of a link.
const CTCS_MAX: u32 = 16;
/// Most chpids of a link.
const CHPIDS_MAX: usize = 4;

/// Sizes in the curve over size, in eighths of the size on the bench.
const SIZES: [u64; 8] = [1, 2, 3, 4, 6, 8, 10, 12];
/// Rates in the curve over the change rate, in eighths of the rate on the bench.
const RATES: [u64; 8] = [1, 2, 4, 6, 8, 10, 12, 16];
/// MB touched a second in that curve, if the guest touches pages as fast as it can.
const RATES_MB_S: [u32; 7] = [64, 128, 256, 512, 1_024, 2_048, 4_096];
/// Widths in the curve over breadth, in 32nds of the loop.
const BREADTHS: [u64; 8] = [1, 2, 4, 8, 12, 16, 24, 32];
/// Central storage in percent of the storage that the guests touch there, from ample to short.
const STORAGE_PERCENT: [u64; 7] = [125, 110, 100, 90, 75, 60, 45];
/// Paging volumes of each member, from few to many.
const VOLUMES: [u32; 6] = [1, 2, 4, 8, 16, 32];
/// Least MB of a guest or a member. Chosen.
const LEAST_MB: u64 = 256;

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// What would one more chpid gain?
    Chpids,
    /// SYNCH or ASYNCH, with or without IMMEDIATE.
    Options,
    /// The five published link configurations.
    Link,
    /// How does the size of the guest matter?
    Size,
    /// How does the rate at which it touches pages matter?
    ChangeRate,
    /// How does the breadth of its changes matter?
    Breadth,
    /// Central storage of the destination.
    Destination,
    /// Central storage of the source.
    Source,
    /// Paging volumes of all members.
    Volumes,
    /// Members that come and go, or that stay joined.
    Transitions,
}

impl Question {
    /// Every question, in the order in which they are offered.
    pub const ALL: [Question; 10] = [
        Question::Chpids,
        Question::Options,
        Question::Link,
        Question::Size,
        Question::ChangeRate,
        Question::Breadth,
        Question::Destination,
        Question::Source,
        Question::Volumes,
        Question::Transitions,
    ];

    /// Its name in links.
    pub fn id(self) -> &'static str {
        match self {
            Question::Chpids => "chpids",
            Question::Options => "options",
            Question::Link => "link",
            Question::Size => "size",
            Question::ChangeRate => "change-rate",
            Question::Breadth => "breadth",
            Question::Destination => "destination",
            Question::Source => "source",
            Question::Volumes => "volumes",
            Question::Transitions => "transitions",
        }
    }

    /// The question with this name in links.
    pub fn from_id(id: &str) -> Option<Question> {
        Question::ALL.into_iter().find(|question| question.id() == id)
    }

    /// Its name in the choice.
    pub fn label(self) -> &'static str {
        match self {
            Question::Chpids => "One more chpid",
            Question::Options => "SYNCH, ASYNCH, IMMEDIATE",
            Question::Link => "Link capacity",
            Question::Size => "Size of the guest",
            Question::ChangeRate => "Change rate",
            Question::Breadth => "Breadth of changes",
            Question::Destination => "Storage of the destination",
            Question::Source => "Storage of the source",
            Question::Volumes => "Paging volumes",
            Question::Transitions => "Members that come and go",
        }
    }

    /// The title of its answer.
    pub fn title(self) -> &'static str {
        match self {
            Question::Chpids => "What would one more chpid gain?",
            Question::Options => "One after the other or all at once, with or without IMMEDIATE?",
            Question::Link => "The five published link configurations, capacity factor 2 to 18",
            Question::Size => "A smaller or larger guest",
            Question::ChangeRate => "A guest that changes its pages slower or faster",
            Question::Breadth => "A guest that changes its pages more narrowly or broadly",
            Question::Destination => "Less and less storage at the destination: which throttle acts?",
            Question::Source => "Less and less storage at the source: which throttle acts?",
            Question::Volumes => "Few or many paging volumes at all members: which throttle acts?",
            Question::Transitions => "Members that come and go, or all of them joined: what does MEMBER1 lose?",
        }
    }

    /// Whether its answer is curves. If not, it is a table.
    pub fn is_curve(self) -> bool {
        !matches!(self, Question::Chpids | Question::Options | Question::Transitions)
    }

    /// Whether it is about the throttles.
    pub fn is_of_throttles(self) -> bool {
        matches!(self, Question::Destination | Question::Source | Question::Volumes)
    }

    /// The first question to ask of a scenario.
    pub fn first_of(base: &Scenario) -> Question {
        let may = |question: &Question| question.lacking(base).is_none();
        let short = mover(base).is_some_and(|at| {
            let to = base.guests[at].move_to;
            needed_mb(base, to) > base.of_member(to).storage.central_mb
        });
        let wanted = match movers(base) {
            _ if transits(base) && !base.relocates() => return Question::Transitions,
            _ if short => [Question::Destination, Question::Chpids, Question::Link],
            0 | 1 => [Question::Chpids, Question::Link, Question::Size],
            _ => [Question::Options, Question::Chpids, Question::Link],
        };
        wanted.into_iter().find(may).unwrap_or(Question::Link)
    }

    /// Why it cannot be asked of `base`; `None` if it can.
    pub fn lacking(self, base: &Scenario) -> Option<&'static str> {
        let relocation = &base.relocation;
        let any = |of: fn(&zvmlab::scenario::GuestGroup) -> bool| mover(base).is_some_and(|at| of(&base.guests[at]));
        Some(match self {
            Question::Transitions if !transits(base) => "no member comes and goes",
            Question::Transitions => return None,
            _ if !base.relocates() => "no guest is to be relocated",
            _ if relocation.bounce => "the guests bounce until the interval ends",
            _ if relocation.interruption != Interruption::None => "the relocation is interrupted",
            Question::Chpids if base.isfc.chpids().len() >= CHPIDS_MAX => "the link has four chpids already",
            Question::Chpids if ctcs_left(base) == 0 => "the link has 16 CTCs already",
            Question::Options if movers(base) < 2 => "with one guest, one after the other and all at once are the same",
            Question::ChangeRate | Question::Breadth if any(|group| group.change_percent == 0) => {
                "the guest changes no pages"
            }
            _ => return None,
        })
    }

    /// The runs that answer it for `base`.
    pub fn made(self, base: &Scenario) -> Vec<NewTrial> {
        if self == Question::Transitions {
            return transitions(base);
        }
        let base = &until_the_end(base);
        match self {
            Question::Transitions => Vec::new(),
            Question::Chpids => chpids(base),
            Question::Options => options(base),
            Question::Link => PUBLISHED.iter().rev().map(|configuration| link(base, configuration)).collect(),
            Question::Size => sizes(base),
            Question::ChangeRate => rates(base),
            Question::Breadth => breadths(base),
            Question::Destination => storages(base, mover(base).map_or(2, |at| base.guests[at].move_to)),
            Question::Source => storages(base, mover(base).map_or(1, |at| base.guests[at].member)),
            Question::Volumes => VOLUMES.iter().map(|&count| volumes(base, count)).collect(),
        }
    }

    /// The place of `base` on the axis of a curve.
    pub fn stands(self, base: &Scenario) -> Option<f64> {
        let at = mover(base)?;
        let group = &base.guests[at];
        let gb = |mb: u64| Some(mb as f64 / 1_024.0);
        match self {
            Question::Chpids | Question::Options | Question::Transitions => None,
            Question::Link => Some(base.isfc.capacity_factor().into()),
            Question::Size => gb(group.loop_mb),
            Question::ChangeRate => (group.touch_mb_s > 0).then_some(group.touch_mb_s.into()),
            Question::Breadth => gb(active_mb(group)),
            Question::Destination => gb(base.of_member(group.move_to).storage.central_mb),
            Question::Source => gb(base.of_member(group.member).storage.central_mb),
            Question::Volumes => Some(base.of_member(group.member).paging.volumes.into()),
        }
    }
}

/// Whether any member comes and goes.
pub fn transits(base: &Scenario) -> bool {
    let others = [&base.member2, &base.member3, &base.member4];
    others.into_iter().take(base.cluster.members.saturating_sub(1) as usize).any(|member| member.transitions)
}

/// The host as it is, and the same host with members that stay joined.
fn transitions(base: &Scenario) -> Vec<NewTrial> {
    let mut joined = base.clone();
    for member in [&mut joined.member2, &mut joined.member3, &mut joined.member4] {
        member.transitions = false;
    }
    let made = |name: &str, x: f64, scenario: Scenario| NewTrial { name: name.into(), x, scenario };
    vec![made("Members come and go", 0.0, base.clone()), made("All stay joined", 1.0, joined)]
}

/// `base` with an interval that ends with the last relocation.
pub fn until_the_end(base: &Scenario) -> Scenario {
    let mut scenario = base.clone();
    scenario.measure.interval_s = scenario.measure.interval_s.min(scenario.relocation.after_s.max(1));
    scenario
}

/// The group of guests that is to be relocated. Of several groups it is the one with the largest loop.
pub fn mover(base: &Scenario) -> Option<usize> {
    let moves = base.guests.iter().enumerate().filter(|(_, group)| is_moved(group));
    // Of equal ones the first.
    moves.rev().max_by_key(|(_, group)| group.loop_mb).map(|(at, _)| at)
}

/// Whether the guests of a group are to be relocated.
pub fn is_moved(group: &zvmlab::scenario::GuestGroup) -> bool {
    group.move_to > 0 && group.move_to != group.member
}

/// How many guests are to be relocated.
pub fn movers(base: &Scenario) -> u32 {
    base.guests.iter().filter(|group| is_moved(group)).map(|group| group.count).sum()
}

/// Storage that the guests of a member touch before or after all relocations, whichever is more, in MB.
fn needed_mb(base: &Scenario, number: u32) -> u64 {
    let here = |group: &&zvmlab::scenario::GuestGroup| group.member == number || is_moved(group) && group.move_to == number;
    base.guests.iter().filter(here).map(|group| u64::from(group.count) * group.loop_mb).sum()
}

/// The part of its loop that a guest keeps touching.
pub fn active_mb(group: &zvmlab::scenario::GuestGroup) -> u64 {
    if group.active_mb == 0 { group.loop_mb } else { group.active_mb }
}

fn ctcs_left(base: &Scenario) -> u32 {
    CTCS_MAX.saturating_sub(base.isfc.chpids().iter().map(|(_, ctcs)| ctcs).sum())
}

/// Gives the link these chpids.
fn set_chpids(scenario: &mut Scenario, chpids: &[(Chpid, u32)]) {
    let link = &mut scenario.isfc;
    let at = |at: usize| chpids.get(at).copied().unwrap_or((Chpid::None, CTCS));
    [(link.chpid1, link.ctcs1), (link.chpid2, link.ctcs2), (link.chpid3, link.ctcs3), (link.chpid4, link.ctcs4)] =
        [at(0), at(1), at(2), at(3)];
}

/// The present link, and the same link with more and more chpids, up to four.
fn chpids(base: &Scenario) -> Vec<NewTrial> {
    let present = base.isfc.chpids();
    let speed = present.last().map_or(Chpid::Gb8, |chpid| chpid.0);
    let with = |count: usize| {
        let mut scenario = base.clone();
        if count > present.len() {
            let mut chpids = present.clone();
            while chpids.len() < count {
                let left = CTCS_MAX.saturating_sub(chpids.iter().map(|chpid| chpid.1).sum());
                chpids.push((speed, CTCS.min(left)));
            }
            // Without a CTC a chpid carries nothing.
            chpids.retain(|chpid| chpid.1 > 0);
            set_chpids(&mut scenario, &chpids);
        }
        NewTrial { name: link_name(&scenario), x: count as f64, scenario }
    };
    let mut made: Vec<NewTrial> = (present.len()..=CHPIDS_MAX).map(with).collect();
    made.dedup_by(|a, b| a.scenario == b.scenario);
    made
}

/// The chpids of a link in words: `2 chpids of 8 Gb`, `chpids of 8, 4 and 4 Gb`.
pub fn link_name(scenario: &Scenario) -> String {
    let chpids = scenario.isfc.chpids();
    let speeds: Vec<u32> = chpids.iter().map(|(chpid, _)| chpid.gb_s()).collect();
    match speeds.as_slice() {
        [] => "no chpid".into(),
        [one] => format!("1 chpid of {one} Gb"),
        [first, rest @ ..] if rest.iter().all(|speed| speed == first) => format!("{} chpids of {first} Gb", speeds.len()),
        [rest @ .., last] => {
            let rest: Vec<String> = rest.iter().map(u32::to_string).collect();
            format!("chpids of {} and {last} Gb", rest.join(", "))
        }
    }
}

/// The four combinations of the options.
fn options(base: &Scenario) -> Vec<NewTrial> {
    let with = |(mode, immediate): (Relocate, bool)| {
        let mut scenario = base.clone();
        (scenario.relocation.mode, scenario.relocation.immediate) = (mode, immediate);
        let name = format!("{}{}", mode.as_str(), if immediate { " IMMEDIATE" } else { "" });
        NewTrial { name, x: 0.0, scenario }
    };
    let (one, all) = (Relocate::Synch, Relocate::Asynch);
    [(one, false), (one, true), (all, false), (all, true)].into_iter().map(with).collect()
}

fn link(base: &Scenario, configuration: &Configuration) -> NewTrial {
    let mut scenario = base.clone();
    configuration.set(&mut scenario.isfc);
    let factor = configuration.capacity_factor;
    NewTrial { name: factor.to_string(), x: factor.into(), scenario }
}

fn sizes(base: &Scenario) -> Vec<NewTrial> {
    let Some(at) = mover(base) else { return Vec::new() };
    let with = |loop_mb: u64| {
        let mut scenario = base.clone();
        let group = &mut scenario.guests[at];
        group.loop_mb = loop_mb;
        group.virtual_mb = group.virtual_mb.max(loop_mb);
        group.active_mb = group.active_mb.min(loop_mb);
        NewTrial { name: storage_mb(loop_mb), x: loop_mb as f64 / 1_024.0, scenario }
    };
    steps(&SIZES.map(|eighths| (base.guests[at].loop_mb * eighths / 8).max(LEAST_MB))).map(with).collect()
}

fn rates(base: &Scenario) -> Vec<NewTrial> {
    let Some(at) = mover(base) else { return Vec::new() };
    let with = |rate: u64| {
        let mut scenario = base.clone();
        let group = &mut scenario.guests[at];
        (group.touch_mb_s, group.pace_ms) = (rate as u32, 0);
        NewTrial { name: format!("{rate} MB/s"), x: rate as f64, scenario }
    };
    match base.guests[at].touch_mb_s {
        0 => RATES_MB_S.into_iter().map(|rate| with(rate.into())).collect(),
        rate => steps(&RATES.map(|eighths| (u64::from(rate) * eighths / 8).max(1))).map(with).collect(),
    }
}

fn breadths(base: &Scenario) -> Vec<NewTrial> {
    let Some(at) = mover(base) else { return Vec::new() };
    let with = |active_mb: u64| {
        let mut scenario = base.clone();
        let group = &mut scenario.guests[at];
        group.active_mb = if active_mb >= group.loop_mb { 0 } else { active_mb };
        NewTrial { name: storage_mb(active_mb), x: active_mb as f64 / 1_024.0, scenario }
    };
    let group = &base.guests[at];
    let least = u64::from(group.virtual_cpus).div_ceil(4).max(1);
    steps(&BREADTHS.map(|parts| (group.loop_mb * parts / 32).max(least))).map(with).collect()
}

/// Central storage of member `number` from ample to short.
fn storages(base: &Scenario, number: u32) -> Vec<NewTrial> {
    let needed = needed_mb(base, number);
    let with = |percent: u64| {
        let mb = (needed * percent / 100).max(LEAST_MB);
        let mut scenario = base.clone();
        match number {
            2 => scenario.member2.central_mb = mb,
            3 => scenario.member3.central_mb = mb,
            4 => scenario.member4.central_mb = mb,
            _ => scenario.storage.central_mb = mb,
        }
        NewTrial { name: storage_mb(mb), x: mb as f64 / 1_024.0, scenario }
    };
    let mut made: Vec<NewTrial> = STORAGE_PERCENT.into_iter().rev().map(with).collect();
    made.dedup_by(|a, b| a.x == b.x);
    made
}

/// So many paging volumes at every member. Together they hold as much as the first member's volumes do now.
fn volumes(base: &Scenario, count: u32) -> NewTrial {
    let mut scenario = base.clone();
    let slots = u64::from(base.paging.volumes.max(1)) * base.paging.volume_slots;
    scenario.paging.volume_slots = slots.div_ceil(u64::from(count));
    scenario.paging.volumes = count;
    [scenario.member2.volumes, scenario.member3.volumes, scenario.member4.volumes] = [count; 3];
    NewTrial { name: count.to_string(), x: count.into(), scenario }
}

/// Ascending values, each once.
fn steps(values: &[u64]) -> impl Iterator<Item = u64> {
    let mut values = values.to_vec();
    values.dedup();
    values.into_iter()
}

/// MAXQUIESCE of a scenario in words.
pub fn maxquiesce(scenario: &Scenario) -> String {
    match (scenario.relocation.quiesce_limit_s(), scenario.relocation.maxquiesce) {
        (Some(limit), MaxQuiesce::Default) => format!("MAXQUIESCE {limit} s, the default"),
        (Some(limit), _) => format!("MAXQUIESCE {limit} s"),
        (None, _) => "no MAXQUIESCE".into(),
    }
}

/// What a trial changes in its base scenario, in words.
pub fn changed(base: &Scenario, scenario: &Scenario) -> Vec<String> {
    changes(&until_the_end(base), scenario)
}

#[cfg(test)]
mod tests;
