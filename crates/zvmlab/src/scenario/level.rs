//! The levels of z/VM, the mechanisms that came and went with them, and level "own", on which each can be switched.

use std::cmp::Ordering;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::fields::path;
use super::{DeviceKind, LimitHard, LimitType, Scenario, SpinLock, relations};
use crate::constants::Constants;

/// A level of z/VM: a named set of mechanisms. Levels are ordered by age; `Own` is neither before nor after another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
pub enum Level {
    /// z/VM 5.1.0.
    #[serde(rename = "5.1")]
    V5_1,
    /// z/VM 5.2.0.
    #[serde(rename = "5.2")]
    V5_2,
    /// z/VM 6.1.0.
    #[serde(rename = "6.1")]
    V6_1,
    /// z/VM 6.2.0.
    #[serde(rename = "6.2")]
    V6_2,
    /// z/VM 6.2.0 with the service that lets guests use zHPF.
    #[serde(rename = "6.2 VM65041")]
    V6_2Vm65041,
    /// z/VM 6.3.0.
    #[serde(rename = "6.3")]
    V6_3,
    /// z/VM 6.4.0.
    #[default]
    #[serde(rename = "6.4")]
    V6_4,
    /// No level that ever was: the scenario chooses each mechanism.
    #[serde(rename = "own")]
    Own,
}

impl PartialOrd for Level {
    fn partial_cmp(&self, other: &Level) -> Option<Ordering> {
        let age = |level: &Level| Level::ALL.iter().position(|one| one == level);
        match (age(self), age(other)) {
            (Some(age), Some(other)) => age.partial_cmp(&other),
            (None, None) => Some(Ordering::Equal),
            _ => None,
        }
    }
}

impl Level {
    /// The level as people write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::V5_1 => "5.1",
            Level::V5_2 => "5.2",
            Level::V6_1 => "6.1",
            Level::V6_2 => "6.2",
            Level::V6_2Vm65041 => "6.2 VM65041",
            Level::V6_3 => "6.3",
            Level::V6_4 => "6.4",
            Level::Own => "own",
        }
    }

    /// The level in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Level::V5_1 => "z/VM 5.1",
            Level::V5_2 => "z/VM 5.2",
            Level::V6_1 => "z/VM 6.1",
            Level::V6_2 => "z/VM 6.2",
            Level::V6_2Vm65041 => "z/VM 6.2 with VM65041",
            Level::V6_3 => "z/VM 6.3",
            Level::V6_4 => "z/VM 6.4",
            Level::Own => "z/VM (own level)",
        }
    }

    /// The level with these words; none if there is no such level.
    pub fn of_word(word: &str) -> Option<Level> {
        Level::ALL.into_iter().chain([Level::Own]).find(|level| level.as_str() == word)
    }

    /// Every real level, the oldest first.
    pub const ALL: [Level; 7] =
        [Level::V5_1, Level::V5_2, Level::V6_1, Level::V6_2, Level::V6_2Vm65041, Level::V6_3, Level::V6_4];

    /// What SET SRM STORBUF INITIAL sets: 125 105 95, from 6.2 on 300 250 200 (6.2 deck).
    pub fn storbuf_initial(self) -> [u32; 3] {
        if self < Level::V6_2 { [125, 105, 95] } else { [300, 250, 200] }
    }

    /// What of `mechanism` the level has.
    pub fn presence(self, mechanism: Mechanism) -> Presence {
        match mechanism.span().fixed {
            _ if self.lacks(mechanism) => Presence::Lacks,
            Some(fixed) if self >= fixed => Presence::Always,
            _ => Presence::Choice,
        }
    }

    /// Whether the level lacks `mechanism`. Level "own" lacks nothing.
    pub fn lacks(self, mechanism: Mechanism) -> bool {
        let span = mechanism.span();
        span.since.is_some_and(|since| self < since) || span.until.is_some_and(|until| self >= until)
    }

    /// Whether the level has `mechanism` for good.
    pub fn always(self, mechanism: Mechanism) -> bool {
        self.presence(mechanism) == Presence::Always
    }
}

/// What a level has of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Nothing.
    Lacks,
    /// The scenario says whether it is on.
    Choice,
    /// It is always on.
    Always,
}

/// A mechanism that not every level has, or that can be chosen on each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mechanism {
    /// Guests wait in the eligible list while STORBUF holds them back.
    EligibleList,
    /// Demand scan goes over the scheduler's lists in three passes.
    ScanByLists,
    /// CP works on pages below 2 GB only, for guests' I/O and for services, and keeps its frame table there.
    IoBelow,
    /// CP takes frames below 2 GB for guests' pages although others would do.
    TakesBelow,
    /// CP pages to expanded storage first.
    ExpandedStorage,
    /// CP keeps pages that a guest reserves.
    Reserved,
    /// CP releases pages under an exclusive lock (PTIL).
    ReleaseExclusive,
    /// CP coalesces free adjacent frames as soon as they are free.
    Coalescing,
    /// The fast path of Diag X'44' for guests with more than two virtual CPUs.
    Diag44FastPath,
    /// LIMITHARD by consumption.
    LimitHardConsumption,
    /// CP's spin locks give way by Diag X'9C'.
    SpinLockDiag9c,
    /// The dispatcher notes that a vector overflowed.
    PldvFix,
    /// VARY PROCESSOR gives its lock back.
    VaryFix,
    /// Single system image clusters, with Live Guest Relocation.
    Ssi,
    /// zHPF for guests.
    GuestZhpf,
    /// Larger blocks of pages, and the channel programs that carry them.
    LargeBlocks,
    /// HyperPAV aliases for paging; with them `SET CU` has something to share.
    PagingAliases,
    /// zHPF for paging.
    PagingZhpf,
    /// EDEVs on a FlashSystem without an SVC.
    EdevDirect,
}

/// From which level to which there is a mechanism, and the field that chooses it.
struct Span {
    name: &'static str,
    field: &'static str,
    since: Option<Level>,
    until: Option<Level>,
    fixed: Option<Level>,
    service: &'static str,
}

impl Mechanism {
    /// Every mechanism: storage and scheduler, then processors, then devices and cluster, each by age.
    pub const ALL: [Mechanism; 19] = [
        Mechanism::EligibleList,
        Mechanism::ScanByLists,
        Mechanism::IoBelow,
        Mechanism::TakesBelow,
        Mechanism::ExpandedStorage,
        Mechanism::Reserved,
        Mechanism::ReleaseExclusive,
        Mechanism::Coalescing,
        Mechanism::LimitHardConsumption,
        Mechanism::Diag44FastPath,
        Mechanism::SpinLockDiag9c,
        Mechanism::PldvFix,
        Mechanism::VaryFix,
        Mechanism::Ssi,
        Mechanism::GuestZhpf,
        Mechanism::LargeBlocks,
        Mechanism::PagingAliases,
        Mechanism::PagingZhpf,
        Mechanism::EdevDirect,
    ];

    /// Sources: the level's own pages, as `model/README.md` lists them. Since when recent levels keep no guest in the
    /// eligible list for more than an instant (INDICATE QUEUES, z/VM 7.3) is assumed: since the storage management of 6.3.
    /// The exclusive lock for released pages came with 5.2, and 5.4 and 6.1 were to lose it by VM64715 in 2011 (6.2 performance
    /// update); that 6.2 never had it is assumed.
    /// VM64795 is "available now for z/VM 5.4 and 6.1" and in the base of 6.2 (same); that hosts of 5.1 and 5.2 may have its way is assumed.
    fn span(self) -> Span {
        let row = |name, field, since, until, fixed, service| Span { name, field, since, until, fixed, service };
        let of = |name, field, since| row(name, field, Some(since), None, None, "");
        let old = |name, field| row(name, field, None, Some(Level::V6_3), Some(Level::V5_1), "");
        match self {
            Mechanism::EligibleList => old("Eligible list, held by STORBUF", path::OWN_ELIGIBLE_LIST),
            Mechanism::ScanByLists => old("Demand scan by lists", path::OWN_SCAN_BY_LISTS),
            Mechanism::IoBelow => {
                row("I/O and services below 2 GB only", path::OWN_IO_BELOW, None, Some(Level::V5_2), Some(Level::V5_1), "")
            }
            Mechanism::TakesBelow => {
                row("Frames below 2 GB taken without need", path::STORAGE_BELOW_PERCENT, None, None, None, "")
            }
            Mechanism::ExpandedStorage => {
                row("Expanded storage", path::STORAGE_EXPANDED_MB, None, Some(Level::V6_3), None, "")
            }
            Mechanism::Reserved => row("SET RESERVED", path::GUESTS_RESERVED_MB, None, None, None, ""),
            Mechanism::ReleaseExclusive => row(
                "Pages released under an exclusive lock",
                path::STORAGE_RELEASE_EXCLUSIVE,
                Some(Level::V5_2),
                Some(Level::V6_2),
                None,
                "",
            ),
            Mechanism::Coalescing => {
                row("Free frames coalesced at once", path::STORAGE_COALESCING, None, None, Some(Level::V6_2), "VM64795")
            }
            Mechanism::Diag44FastPath => {
                of("Fast path of Diag X'44' for all guests", path::DISPATCHER_DIAG44_FAST_PATH, Level::V5_2)
            }
            Mechanism::LimitHardConsumption => {
                row("LIMITHARD by CONSUMPTION", path::SCHEDULER_LIMITHARD, Some(Level::V6_1), None, None, "VM64721")
            }
            Mechanism::SpinLockDiag9c => row(
                "CP’s spin locks by Diag X'9C'",
                path::DISPATCHER_SPIN_LOCK,
                Some(Level::V6_1),
                None,
                Some(Level::V6_2),
                "VM64927",
            ),
            Mechanism::PldvFix => {
                row("PLDV overflow is noted", path::DISPATCHER_PLDV_FIX, None, None, Some(Level::V6_2), "VM64887")
            }
            Mechanism::VaryFix => {
                row("VARY gives its lock back", path::DISPATCHER_VARY_FIX, None, None, Some(Level::V6_2), "VM64767")
            }
            Mechanism::Ssi => of("Clusters and relocation", path::CLUSTER_MEMBERS, Level::V6_2),
            Mechanism::GuestZhpf => {
                row("zHPF for guests", path::GUESTS_IO_ZHPF, Some(Level::V6_2Vm65041), None, None, "VM65041")
            }
            Mechanism::LargeBlocks => {
                row("Larger blocks of pages", path::OWN_LARGE_BLOCKS, Some(Level::V6_4), None, Some(Level::V6_4), "")
            }
            Mechanism::PagingAliases => of("HyperPAV aliases for paging, SET CU", path::PAGING_ALIAS, Level::V6_4),
            Mechanism::PagingZhpf => of("zHPF for paging", path::PAGING_ZHPF, Level::V6_4),
            Mechanism::EdevDirect => of("EDEVs on flash without an SVC", path::PAGING_KIND, Level::V6_4),
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.span().name
    }

    /// The path of the field that chooses it, where a level lets choose.
    pub fn field(self) -> &'static str {
        self.span().field
    }

    /// The first level that has it; none if every level does, or every level until one.
    pub fn since(self) -> Option<Level> {
        self.span().since
    }

    /// The first level that no longer has it.
    pub fn until(self) -> Option<Level> {
        self.span().until
    }

    /// The first level that has it for good.
    pub fn fixed(self) -> Option<Level> {
        self.span().fixed
    }

    /// The service that brought it before a level had it, or with the level; empty if none is known.
    pub fn service(self) -> &'static str {
        self.span().service
    }

    /// Whether the scenario asks for it, whatever its level.
    pub fn is_chosen(self, scenario: &Scenario) -> bool {
        let dispatcher = &scenario.dispatcher;
        match self {
            Mechanism::EligibleList => scenario.own.eligible_list,
            Mechanism::ScanByLists => scenario.own.scan_by_lists,
            Mechanism::IoBelow => scenario.own.io_below,
            Mechanism::LargeBlocks => scenario.own.large_blocks,
            Mechanism::TakesBelow => scenario.storage.below_percent > 0,
            Mechanism::ExpandedStorage => scenario.storage.expanded_mb > 0,
            Mechanism::Reserved => scenario.guests.iter().any(|group| group.reserved_mb > 0),
            Mechanism::ReleaseExclusive => scenario.storage.release_exclusive,
            Mechanism::Coalescing => scenario.storage.coalescing,
            Mechanism::Diag44FastPath => dispatcher.diag44_fast_path,
            Mechanism::LimitHardConsumption => scenario.scheduler.limithard == LimitHard::Consumption,
            Mechanism::SpinLockDiag9c => dispatcher.spin_lock == SpinLock::Diag9c,
            Mechanism::PldvFix => dispatcher.pldv_fix,
            Mechanism::VaryFix => dispatcher.vary_fix,
            Mechanism::Ssi => scenario.cluster.members > 1,
            Mechanism::GuestZhpf => scenario.guests.iter().any(|group| group.io_zhpf && group.io_records > 0),
            Mechanism::PagingAliases => scenario.paging.alias && scenario.lcu.aliases > 0,
            Mechanism::PagingZhpf => scenario.paging.zhpf,
            Mechanism::EdevDirect => relations::kinds(scenario).iter().any(|(_, kind)| *kind == DeviceKind::EdevDirect),
        }
    }
}

/// What a host on level "own" has of what no real level lets choose. Without effect on other levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Own {
    /// Whether guests wait in the eligible list while STORBUF holds them back.
    pub eligible_list: bool,
    /// Whether demand scan goes over the scheduler's lists in three passes.
    pub scan_by_lists: bool,
    /// Whether CP writes and reads the larger blocks of 6.4, by its channel programs.
    pub large_blocks: bool,
    /// Whether CP works on pages below 2 GB only, for guests' I/O and for services.
    pub io_below: bool,
}

impl Own {
    /// What `level` has of it; nothing is changed for level "own".
    pub fn of(level: Level) -> Option<Own> {
        let has = |mechanism| !level.lacks(mechanism);
        (level != Level::Own).then(|| Own {
            eligible_list: has(Mechanism::EligibleList),
            scan_by_lists: has(Mechanism::ScanByLists),
            large_blocks: has(Mechanism::LargeBlocks),
            io_below: has(Mechanism::IoBelow),
        })
    }
}

impl Default for Own {
    /// That of the newest level.
    fn default() -> Self {
        Own { eligible_list: false, scan_by_lists: false, large_blocks: true, io_below: false }
    }
}

impl Scenario {
    /// Whether a guest has LIMITHARD.
    pub(super) fn has_hard_limits(&self) -> bool {
        self.guests.iter().any(|group| group.limit_type == LimitType::LimitHard)
    }

    /// Whether the host has `mechanism`: its level has it for good, or lets choose and the scenario chose it.
    pub fn has(&self, mechanism: Mechanism) -> bool {
        match self.level.presence(mechanism) {
            Presence::Lacks => false,
            Presence::Always => true,
            Presence::Choice => mechanism.is_chosen(self),
        }
    }

    /// Why `level` does not have the set of mechanisms that this host has: the first that it lacks, or always has and the
    /// host has not. None if it has this set.
    pub fn unlike(&self, level: Level) -> Option<Mechanism> {
        let matters = |mechanism| match mechanism {
            Mechanism::LimitHardConsumption => self.has_hard_limits(),
            Mechanism::SpinLockDiag9c => self.processors.shared,
            // Storage of 2 GB is all below.
            Mechanism::IoBelow => self.storage.central_mb > 2_048,
            Mechanism::ReleaseExclusive => self.guests.iter().any(|group| group.releases() > 0),
            Mechanism::Coalescing => self.storage.contiguous_rate > 0,
            _ => true,
        };
        let constants = Constants::default();
        Mechanism::ALL.into_iter().find(|mechanism| match level.presence(*mechanism) {
            Presence::Lacks => self.has(*mechanism) && matters(*mechanism),
            Presence::Always => !self.has(*mechanism) && matters(*mechanism),
            // The rule of 6.2 goes by the host.
            Presence::Choice if *mechanism == Mechanism::TakesBelow => {
                self.puts_below_on(level, &constants) != self.puts_below(&constants)
            }
            Presence::Choice => false,
        })
    }

    /// The real levels that have the set of mechanisms that this host has; the oldest first.
    pub fn levels_alike(&self) -> Vec<Level> {
        Level::ALL.into_iter().filter(|level| self.unlike(*level).is_none()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_ordered_by_age_and_own_is_not() {
        assert!(Level::V5_1 < Level::V5_2 && Level::V6_2 < Level::V6_2Vm65041 && Level::V6_4 > Level::V6_3);
        for level in Level::ALL {
            assert_eq!(Level::Own.partial_cmp(&level), None, "{}", level.as_str());
            assert_eq!(Level::of_word(level.as_str()), Some(level));
        }
        assert_eq!((Level::of_word("own"), Level::of_word("7.3")), (Some(Level::Own), None));
    }

    #[test]
    fn level_own_lacks_nothing_and_lets_choose_everything() {
        for mechanism in Mechanism::ALL {
            assert_eq!(Level::Own.presence(mechanism), Presence::Choice, "{}", mechanism.name());
        }
        assert_eq!(Own::of(Level::default()), Some(Own::default()));
        assert_eq!(Own::of(Level::Own), None);
    }

    #[test]
    fn what_a_level_has_for_good_it_does_not_lack() {
        for (level, mechanism) in Level::ALL.into_iter().flat_map(|level| Mechanism::ALL.map(|one| (level, one))) {
            let presence = level.presence(mechanism);
            assert_eq!(level.lacks(mechanism), presence == Presence::Lacks, "{} {}", level.name(), mechanism.name());
            assert!(!mechanism.field().is_empty());
        }
    }

    #[test]
    fn a_host_on_level_own_says_which_levels_have_its_set() {
        let mut host = Scenario::default();
        assert_eq!(host.levels_alike(), [Level::V6_4]);
        host.level = Level::Own;
        assert_eq!(host.levels_alike(), [Level::V6_4]);
        host.own = Own { eligible_list: true, scan_by_lists: true, large_blocks: false, ..host.own };
        host.paging.alias = false;
        assert_eq!(host.levels_alike(), [Level::V5_2, Level::V6_1, Level::V6_2, Level::V6_2Vm65041]);
        host.own.io_below = true;
        host.dispatcher.diag44_fast_path = false;
        assert_eq!(host.levels_alike(), [Level::V5_1]);
        // Where there is no storage above 2 GB, all I/O is below.
        host.storage.central_mb = 2_048;
        assert_eq!(host.levels_alike(), Level::ALL[..5]);
        (host.own.io_below, host.storage.central_mb) = (false, 131_072);
        host.own.scan_by_lists = false;
        assert_eq!(host.levels_alike(), [], "the eligible list without its demand scan never was");
    }
}
