//! The kinds of study: which hosts have one, and which experiments around a host it is made of.

use zvmlab::Scenario;
use zvmlab::scenario::examples::example;
use zvmlab::scenario::fields::{Kind, field, path};
use zvmlab::scenario::{AliasShare, DeviceKind, LimitHard, LimitType, SpinLock};

use crate::host;
use crate::knob::changes::changes;

/// The numbers of records that the study of guest zHPF takes: those of the exerciser, doubling.
const RECORDS: [u32; 8] = [1, 2, 4, 8, 16, 32, 48, 64];

/// The numbers of STORBUF that its study takes, in ascending order of the third. The two that INITIAL sets stand as they are;
/// the others have the proportions of 300 250 200. Chosen: closest together where waiting turns into paging.
pub const STORBUFS: [[u32; 3]; 9] = [
    [30, 25, 20],
    [75, 63, 50],
    [120, 100, 80],
    [125, 105, 95],
    [165, 138, 110],
    [195, 163, 130],
    [225, 188, 150],
    [300, 250, 200],
    [450, 375, 300],
];

/// The places of STORBUF that are run first: what INITIAL sets, and what lies between them. Any two ends without these would
/// teach that more is always better.
const STORBUF_FIRST: [usize; 4] = [3, 5, 7, 4];

/// The longest interval of a point of STORBUF, in seconds. Chosen: some four stays in Q3, so that the order of the points is that of
/// longer intervals, short enough for all of them to be run unasked.
const STORBUF_INTERVAL_S: u32 = 45;

/// The three configurations in which LIMITHARD with DEADLINE misses, by the ids of their examples (6.2 deck).
pub const LIMITS: [&str; 3] = ["LIMIT-SUM", "LIMIT-LOW-MIN", "LIMIT-NOT-BUSY"];

/// The numbers of logical processors that the study of PR/SM's overhead takes.
const LOGICAL: [u32; 11] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64];

/// What the logical processors of other partitions want, in percent, in the study of CP's spin locks.
const DEMANDS: [u32; 6] = [0, 20, 40, 60, 80, 100];

/// The numbers of guests that the study of vectors takes.
const GUESTS: [u32; 9] = [5, 10, 20, 30, 40, 60, 80, 100, 120];

/// What is studied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyKind {
    /// SET CU: how minidisk and paging I/O share the aliases.
    SetCu,
    /// zHPF for guests: command mode against transport mode over the records of an I/O.
    GuestZhpf,
    /// SET SRM STORBUF: waiting in the eligible list against paging.
    Storbuf,
    /// LIMITHARD: DEADLINE against CONSUMPTION in three configurations, whatever is on the bench.
    LimitHard,
    /// PR/SM's overhead over the number of logical processors.
    PrsmOverhead,
    /// CP's spin locks: Diag X'44' against Diag X'9C' over the demand of other partitions.
    SpinLock,
    /// Vectors that overflow: without and with VM64887 over the number of guests.
    Pldv,
}

impl StudyKind {
    /// Every kind.
    pub const ALL: [StudyKind; 7] = [
        StudyKind::SetCu,
        StudyKind::GuestZhpf,
        StudyKind::Storbuf,
        StudyKind::LimitHard,
        StudyKind::PrsmOverhead,
        StudyKind::SpinLock,
        StudyKind::Pldv,
    ];

    /// Its name in the page.
    pub fn name(self) -> &'static str {
        match self {
            StudyKind::SetCu => "set-cu",
            StudyKind::GuestZhpf => "guest-zhpf",
            StudyKind::Storbuf => "storbuf",
            StudyKind::LimitHard => "limit-hard",
            StudyKind::PrsmOverhead => "prsm-overhead",
            StudyKind::SpinLock => "spin-lock",
            StudyKind::Pldv => "pldv",
        }
    }

    /// What stands over a study.
    pub fn title(self) -> &'static str {
        match self {
            StudyKind::SetCu => "SET CU from 15:1 to 1:15, as Table 6 and Figure 1 of the published page",
            StudyKind::GuestZhpf => "Guest zHPF: command mode against transport mode",
            StudyKind::Storbuf => "STORBUF from small to large: wait in the eligible list, or page",
            StudyKind::LimitHard => "LIMITHARD: DEADLINE and CONSUMPTION against the limit",
            StudyKind::PrsmOverhead => "More logical processors: what PR/SM takes",
            StudyKind::SpinLock => "CP’s spin locks: Diag X’44’ against Diag X’9C’",
            StudyKind::Pldv => "Vectors that overflow, without and with VM64887",
        }
    }

    /// Why `scenario` has nothing to study of this, in a sentence; `None` where it has.
    pub fn lacking(self, scenario: &Scenario) -> Option<&'static str> {
        let any = |of: fn(&zvmlab::scenario::GuestGroup) -> bool| scenario.guests.iter().any(of);
        match self {
            StudyKind::SetCu => Some(match scenario {
                _ if scenario.lcu.aliases == 0 => "there are no aliases to share",
                _ if !scenario.does_io() => "no guest does minidisk I/O, so paging I/O has all aliases for itself",
                _ if !pages(scenario) => "nothing is paged, so minidisk I/O has all aliases for itself",
                _ if !scenario.paging.alias => "paging I/O uses no aliases",
                _ if !scenario.paging.kind.is_eckd() => "the page volumes are EDEVs, which use no aliases",
                _ if !minidisk_kind(scenario).is_eckd() => "the minidisk volumes are EDEVs, which use no aliases",
                _ => return None,
            }),
            StudyKind::GuestZhpf => Some(match scenario {
                _ if !scenario.does_io() => "no guest does minidisk I/O",
                _ if any(|group| group.io_records == 0) || pages(scenario) => {
                    "other guests or paging share the processors and the paths"
                }
                _ if !minidisk_kind(scenario).is_eckd() => "the minidisk volumes are EDEVs, which have no transport mode",
                _ => return None,
            }),
            StudyKind::Storbuf => Some(match scenario {
                _ if !scenario.level.keeps_eligible() => "this level keeps no guest in the eligible list",
                _ if !host::pages(scenario) => "all that the guests touch fits in central storage",
                _ => return None,
            }),
            StudyKind::LimitHard => {
                (!any(|group| group.limit_type == LimitType::LimitHard)).then_some("no guest has a LIMITHARD maximum")
            }
            StudyKind::PrsmOverhead => (!scenario.processors.shared).then_some("the processors are dedicated"),
            StudyKind::SpinLock => Some(match scenario {
                _ if !scenario.processors.shared => "the processors are dedicated, so a lock's holder always runs",
                _ if !any(|group| group.service_us > 0) => "no guest asks for anything that takes a lock of CP",
                _ if scenario.prsm.partitions == 0 => "no other partition wants the physical processors",
                _ => return None,
            }),
            StudyKind::Pldv => Some(match scenario {
                _ if scenario.guests.len() != 1 => "there are several groups of guests",
                _ if scenario.does_io() || host::pages(scenario) => "the guests wait for I/O, not for processors",
                _ if scenario.dispatcher.vary_s > 0 => "VARY PROCESSOR holds guests up",
                _ => return None,
            }),
        }
    }

    /// The places along the horizontal axis for the study of `base`, by name.
    pub fn places(self, base: &Scenario) -> Vec<String> {
        match self {
            StudyKind::SetCu => shares().iter().map(AliasShare::to_string).collect(),
            StudyKind::GuestZhpf => RECORDS.iter().map(u32::to_string).collect(),
            StudyKind::Storbuf => STORBUFS.iter().map(|numbers| numbers[2].to_string()).collect(),
            StudyKind::LimitHard => LIMITS.iter().map(|id| (*id).to_string()).collect(),
            // A partition has at most as many logical processors as there are physical ones.
            StudyKind::PrsmOverhead => {
                LOGICAL.iter().filter(|count| **count <= base.prsm.physical).map(u32::to_string).collect()
            }
            StudyKind::SpinLock => DEMANDS.iter().map(u32::to_string).collect(),
            StudyKind::Pldv => GUESTS.iter().map(u32::to_string).collect(),
        }
    }

    /// How many lines the study has.
    pub fn lines(self) -> usize {
        match self {
            StudyKind::SetCu | StudyKind::Storbuf | StudyKind::PrsmOverhead => 1,
            StudyKind::GuestZhpf | StudyKind::LimitHard | StudyKind::SpinLock | StudyKind::Pldv => 2,
        }
    }

    /// `scenario` as it is at a place on a line.
    pub fn put(self, scenario: &Scenario, line: usize, place: usize) -> Scenario {
        let mut scenario = scenario.clone();
        match self {
            StudyKind::SetCu => scenario.lcu.alias_share = shares()[place],
            StudyKind::GuestZhpf => {
                for group in &mut scenario.guests {
                    group.io_records = RECORDS[place];
                    group.io_zhpf = line == 1;
                }
            }
            StudyKind::Storbuf => {
                let scheduler = &mut scenario.scheduler;
                [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3] = STORBUFS[place];
                scenario.measure.interval_s = scenario.measure.interval_s.min(STORBUF_INTERVAL_S);
            }
            StudyKind::LimitHard => {
                // The configurations are those of the deck, whatever the reader has made of one of them.
                let given = example(LIMITS[place]).and_then(|example| Scenario::parse(example.text).ok());
                scenario = given.unwrap_or(scenario);
                scenario.scheduler.limithard = if line == 0 { LimitHard::Deadline } else { LimitHard::Consumption };
            }
            StudyKind::PrsmOverhead => scenario.processors.count = LOGICAL[place],
            StudyKind::SpinLock => {
                scenario.prsm.other_busy_percent = DEMANDS[place];
                scenario.dispatcher.spin_lock = if line == 0 { SpinLock::Diag44 } else { SpinLock::Diag9c };
            }
            StudyKind::Pldv => {
                scenario.guests.iter_mut().for_each(|group| group.count = GUESTS[place]);
                scenario.dispatcher.pldv_fix = line == 1;
            }
        }
        scenario
    }

    /// Where among the first to be run a place stands; `None` for one that is not of them.
    pub fn first(self, place: usize) -> Option<usize> {
        STORBUF_FIRST.iter().position(|first| *first == place).filter(|_| self == StudyKind::Storbuf)
    }

    /// What has changed from one scenario to another, apart from what is studied.
    pub fn changes(self, from: &Scenario, to: &Scenario) -> Vec<String> {
        changes(&self.put(from, 0, 0), &self.put(to, 0, 0))
    }

    /// Where `scenario` stands along the horizontal axis, in places from the first, between two of them if need be; and what
    /// is written there. `None` where the study is not of the bench.
    pub fn stands(self, scenario: &Scenario) -> Option<(f64, String)> {
        let first = scenario.guests.first();
        Some(match self {
            StudyKind::SetCu => share_stands(scenario.lcu.alias_share),
            StudyKind::GuestZhpf => {
                let records = first.map_or(1, |group| group.io_records);
                let mode = if first.is_some_and(|group| group.io_zhpf) { "transport" } else { "command" };
                let unit = if records == 1 { "record" } else { "records" };
                (among(records, &RECORDS), format!("{records} {unit}, {mode}"))
            }
            StudyKind::Storbuf => {
                let scheduler = &scenario.scheduler;
                let [first, second, third] = [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3];
                (among(third, &STORBUFS.map(|numbers| numbers[2])), format!("{first} {second} {third}"))
            }
            StudyKind::LimitHard => return None,
            StudyKind::PrsmOverhead => {
                let count = scenario.processors.count;
                (among(count, &LOGICAL), format!("{count} logical processors"))
            }
            StudyKind::SpinLock => {
                let (demand, way) = (scenario.prsm.other_busy_percent, scenario.dispatcher.spin_lock.as_str());
                (among(demand, &DEMANDS), format!("{demand} %, {way}"))
            }
            StudyKind::Pldv => {
                let count = first.map_or(1, |group| group.count);
                let fix = if scenario.dispatcher.pldv_fix { "with VM64887" } else { "without VM64887" };
                (among(count, &GUESTS), format!("{count} guests, {fix}"))
            }
        })
    }
}

/// Whether minidisk and paging I/O are both there, so that aliases would have to be shared.
pub fn has_both(scenario: &Scenario) -> bool {
    scenario.does_io() && pages(scenario)
}

/// Whether the guests touch more than central storage holds.
fn pages(scenario: &Scenario) -> bool {
    let touched: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.loop_mb).sum();
    touched + scenario.minidisks.mdc_mb > scenario.storage.central_mb
}

/// What the volumes are that hold minidisks.
fn minidisk_kind(scenario: &Scenario) -> DeviceKind {
    if scenario.minidisks.volumes > 0 { scenario.minidisks.kind } else { scenario.paging.kind }
}

/// What the two parts of a share add up to as its slider moves.
pub fn total() -> u32 {
    match field(path::LCU_ALIAS_SHARE).map(|field| field.kind) {
        Some(Kind::Share { total, .. }) => total,
        _ => 16,
    }
}

/// The shares along the slider, from all but one for minidisks to all but one for paging.
fn shares() -> Vec<AliasShare> {
    let total = total();
    (1..total).map(|paging| AliasShare { mdisk: total - paging, paging }).collect()
}

/// Where a share stands among those along the slider, and how it is written there: `3:5 = 6:10`.
fn share_stands(share: AliasShare) -> (f64, String) {
    let shares = shares();
    let last = shares.len() - 1;
    // A share is relative: its part for paging of what the slider's add up to, in places from the first.
    let x = f64::from(share.paging) * f64::from(total()) / (f64::from(share.mdisk) + f64::from(share.paging)) - 1.0;
    let beside = match (x.floor(), x.fract() == 0.0) {
        (at, _) if at < 0.0 => format!(", beyond {}", shares[0]),
        (at, true) if at <= last as f64 && shares[at as usize] == share => String::new(),
        (at, true) if at <= last as f64 => format!(" = {}", shares[at as usize]),
        (at, _) if at >= last as f64 => format!(", beyond {}", shares[last]),
        (at, _) => format!(", between {} and {}", shares[at as usize], shares[at as usize + 1]),
    };
    (x, format!("{share}{beside}"))
}

/// Where `value` stands among `known`, ascending.
fn among(value: u32, known: &[u32]) -> f64 {
    let above = known.iter().position(|&known| known >= value).unwrap_or(known.len() - 1);
    let Some(below) = above.checked_sub(1) else { return 0.0 };
    let (low, high) = (f64::from(known[below]), f64::from(known[above]));
    below as f64 + ((f64::from(value) - low) / (high - low)).clamp(0.0, 1.0)
}
