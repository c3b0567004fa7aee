//! Rules between the fields of a scenario, once each field is within its own range.

mod cluster;
mod requests;

use super::fields::{
    MAX_TOTAL_GUESTS, MAX_TOTAL_TRACKS, MAX_TOTAL_VIRTUAL_CPUS, MAX_VOLUMES, NATIVE_VIRTUAL_MB, max_total_virtual_mb,
    page_state_bytes,
};
use super::{
    Channel, DeviceKind, GuestGroup, LimitHard, LimitType, Mechanism, PAGES_PER_MB, Problem, Scenario, ShareType, SpinLock,
};
use crate::constants::Constants;

/// Tracks of a minidisk, each with twelve records of 4 KB.
pub fn tracks(minidisk_mb: u64) -> u64 {
    (minidisk_mb * PAGES_PER_MB).div_ceil(RECORDS_PER_TRACK)
}

/// Records of 4 KB on a 3390 track.
pub const RECORDS_PER_TRACK: u64 = 12;

/// Part of the pageable frames that all guests together may reserve. Chosen: everything else must fit in what is left.
const RESERVED_PART_MAX: f64 = 0.9;

/// The part of its processors that CP may need to invalidate tracks for FlashCopy (chosen).
const FLASHCOPY_PART_MAX: f64 = 0.8;

/// Part of the pageable frames that CP may keep by its requests for contiguous ones (chosen).
const CONTIGUOUS_PART_MAX: f64 = 0.1;

/// Part of central storage that the minidisk cache may take. Chosen.
const MDC_PART_MAX: f64 = 0.75;

/// Every problem.
pub(super) fn problems(scenario: &Scenario) -> Vec<Problem> {
    let mut problems = Problems(Vec::new());
    problems.levels(scenario);
    problems.processing(scenario);
    problems.devices(scenario);
    problems.guests(scenario);
    problems.requests(scenario);
    problems.cluster(scenario);
    problems.storage(scenario);
    problems.0
}

struct Problems(Vec<Problem>);

impl Problems {
    fn add(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.0.push(Problem { field: field.into(), message: message.into() });
    }

    /// What the level lacks.
    fn levels(&mut self, scenario: &Scenario) {
        let level = scenario.level;
        self.processing_levels(scenario);
        if level.lacks(Mechanism::PagingZhpf) && scenario.paging.zhpf {
            self.add(
                "paging.zhpf",
                format!(
                    "true given with z/VM {}, which has no zHPF for paging; false is allowed, or level \"6.4\"",
                    level.as_str()
                ),
            );
        }
        let expanded = scenario.storage.expanded_mb;
        if level.lacks(Mechanism::ExpandedStorage) && expanded > 0 {
            self.add(
                "storage.expanded_mb",
                format!(
                    "{expanded} given with z/VM {}, which pages to no expanded storage; 0 is allowed, or level \"6.2\"",
                    level.as_str()
                ),
            );
        }
        let releases = scenario.guests.iter().any(|group| group.releases() > 0);
        if level.lacks(Mechanism::ReleaseExclusive) && scenario.storage.release_exclusive && releases {
            self.add(
                "storage.release_exclusive",
                format!(
                    "true given with z/VM {}, which releases pages under a shared lock; false is allowed, or level \"5.2\", \"6.1\" or \"own\"",
                    level.as_str()
                ),
            );
        }
        if level.lacks(Mechanism::PagingAliases) && scenario.paging.alias && scenario.lcu.aliases > 0 {
            let message = format!(
                "true given with {} aliases and z/VM {}, which uses no HyperPAV aliases for paging; false is allowed, or no aliases, or level \"6.4\"",
                scenario.lcu.aliases,
                level.as_str()
            );
            self.add("paging.alias", message);
        }
        for (field, kind) in kinds(scenario) {
            if level.lacks(Mechanism::EdevDirect) && kind == DeviceKind::EdevDirect {
                let message = format!(
                    "\"{}\" given with z/VM {}, which needs an SVC in front of a FlashSystem; \"{}\" is allowed, or level \"6.4\"",
                    kind.as_str(),
                    level.as_str(),
                    DeviceKind::EdevSvc.as_str()
                );
                self.add(field, message);
            }
        }
        for (index, group) in scenario.guests.iter().enumerate() {
            if level.lacks(Mechanism::GuestZhpf) && group.io_zhpf && group.io_records > 0 {
                self.add(
                    format!("guests[{index}].io_zhpf"),
                    format!(
                        "true given with z/VM {}, which has no zHPF for guests; false is allowed, or level \"6.2 VM65041\" or later",
                        level.as_str()
                    ),
                );
            }
        }
    }

    /// What the level's scheduler and dispatcher lack, or always have.
    fn processing_levels(&mut self, scenario: &Scenario) {
        let (level, dispatcher) = (scenario.level, &scenario.dispatcher);
        let name = level.as_str();
        if level.lacks(Mechanism::Diag44FastPath) && dispatcher.diag44_fast_path {
            self.add(
                "dispatcher.diag44_fast_path",
                format!("true given with z/VM {name}, which has it for guests of up to two virtual CPUs only; false is allowed, or level \"5.2\" or later"),
            );
        }
        let by_consumption = scenario.scheduler.limithard == LimitHard::Consumption;
        if level.lacks(Mechanism::LimitHardConsumption) && scenario.has_hard_limits() && by_consumption {
            let message = format!(
                "\"CONSUMPTION\" given with z/VM {name} and a guest with LIMITHARD, but VM64721 came for 5.3, 5.4 and 6.1; \"DEADLINE\" is allowed, or level \"6.1\" or later"
            );
            self.add("scheduler.limithard", message);
        }
        if level.lacks(Mechanism::SpinLockDiag9c) && scenario.processors.shared && dispatcher.spin_lock == SpinLock::Diag9c {
            let message = format!(
                "\"DIAG 9C\" given with z/VM {name} and shared processors, but VM64927 came with 6.1; \"DIAG 44\" is allowed, or level \"6.1\" or later"
            );
            self.add("dispatcher.spin_lock", message);
        }
        for (mechanism, off, on) in [
            (Mechanism::PldvFix, "false", "true"),
            (Mechanism::VaryFix, "false", "true"),
            (Mechanism::SpinLockDiag9c, "\"DIAG 44\"", "\"DIAG 9C\""),
            (Mechanism::Coalescing, "false", "true"),
        ] {
            if level.always(mechanism) && !mechanism.is_chosen(scenario) {
                let message = format!(
                    "{off} given with z/VM {name}, which has {}; {on} is allowed, or level \"6.1\" or earlier",
                    mechanism.service()
                );
                self.add(mechanism.field(), message);
            }
        }
    }

    /// What is impossible for the partition and the scheduler's numbers.
    fn processing(&mut self, scenario: &Scenario) {
        let (processors, prsm, scheduler) = (&scenario.processors, &scenario.prsm, &scenario.scheduler);
        if processors.shared {
            for (field, given) in [("processors.count", processors.count), ("prsm.other_logical", prsm.other_logical)] {
                let matters = field == "processors.count" || prsm.partitions > 0;
                if matters && given > prsm.physical {
                    self.add(
                        field,
                        format!(
                            "{given} logical processors given, but the partitions share {} physical ones; a partition may have at most that many",
                            prsm.physical
                        ),
                    );
                }
            }
        }
        let [first, second, third] = [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3];
        for (field, given, above) in [("scheduler.storbuf_2", second, first), ("scheduler.storbuf_3", third, second)] {
            if given > above {
                self.add(
                    field,
                    format!("{given} given after {above}; at most that is allowed, as no number of STORBUF may be larger than the one before it"),
                );
            }
        }
        let virtual_cpus = scenario.virtual_cpu_count();
        if virtual_cpus > MAX_TOTAL_VIRTUAL_CPUS {
            self.add(
                "guests",
                format!("{virtual_cpus} virtual CPUs in all guests together, at most {MAX_TOTAL_VIRTUAL_CPUS} are allowed"),
            );
        }
        for (index, group) in scenario.guests.iter().enumerate() {
            if u64::from(group.virtual_cpus) > group.loop_mb * PAGES_PER_MB / 64 {
                self.add(
                    format!("guests[{index}].virtual_cpus"),
                    format!(
                        "{} given, but the loop of {} MB holds parts of 256 KB for {}; at most that is allowed",
                        group.virtual_cpus,
                        group.loop_mb,
                        group.loop_mb * PAGES_PER_MB / 64
                    ),
                );
            }
            if group.share_type == ShareType::Absolute
                && group.limit_type != LimitType::NoLimit
                && group.limit_absolute < group.share_absolute
            {
                self.add(
                    format!("guests[{index}].limit_absolute"),
                    format!(
                        "{} % given, but the guest's share is {} %; at least that is allowed",
                        group.limit_absolute, group.share_absolute
                    ),
                );
            }
        }
    }

    /// What is impossible for the devices.
    fn devices(&mut self, scenario: &Scenario) {
        if scenario.paging.zhpf && scenario.lcu.channel < Channel::Express8S {
            self.add(
                "paging.zhpf",
                "true given with FICON Express8; zHPF for paging needs \"FICON Express8S\"; false is allowed, or that channel",
            );
        }
        let page_volumes = u64::from(scenario.page_volumes());
        if page_volumes > MAX_VOLUMES {
            self.add(
                "paging.other_volumes",
                format!(
                    "{} given beside {} page volumes, {page_volumes} together; at most {MAX_VOLUMES} together are allowed",
                    scenario.paging.other_volumes, scenario.paging.volumes
                ),
            );
        }
        if scenario.does_io() && scenario.minidisks.volumes == 0 && !scenario.minidisks.on_page_volumes {
            self.add(
                "minidisks.volumes",
                "0 given, but guests do I/O to minidisks; at least 1 is allowed, or minidisks on page volumes",
            );
        }
        let transport = scenario.guests.iter().position(|group| group.io_zhpf && group.io_records > 0);
        let on_edev = scenario.minidisks.volumes > 0 && !scenario.minidisks.kind.is_eckd()
            || scenario.minidisks.on_page_volumes && !page_volumes_are_eckd(scenario);
        if let (Some(index), true) = (transport, on_edev) {
            self.add(
                format!("guests[{index}].io_zhpf"),
                "true given, but minidisks lie on EDEVs, which are no FICON devices; false is allowed, or ECKD volumes",
            );
        }
        let all: u64 = scenario.guests.iter().map(group_tracks).sum();
        if all > MAX_TOTAL_TRACKS {
            self.add(
                "guests",
                format!(
                    "minidisks of {all} tracks in all guests together, at most {MAX_TOTAL_TRACKS} are allowed so that the minidisk cache's directory fits a browser tab"
                ),
            );
        }
    }

    fn guests(&mut self, scenario: &Scenario) {
        for (index, group) in scenario.guests.iter().enumerate() {
            let mut too_much = |key: &str, given: u64| {
                if given > group.virtual_mb {
                    let message =
                        format!("{given} given, but the guest has {} MB; at most that is allowed", group.virtual_mb);
                    self.add(format!("guests[{index}].{key}"), message);
                }
            };
            too_much("loop_mb", group.loop_mb);
            too_much("reserved_mb", group.reserved_mb);
            if group.releases() > 0 && scenario.cluster.members > 1 {
                self.add(
                    format!("guests[{index}].release_percent"),
                    format!("{} given in a cluster; 0 is allowed, or cluster.members = 1", group.release_percent),
                );
            }
            let minidisk = group.minidisk_mb * PAGES_PER_MB;
            if group.io_records > 0 && u64::from(group.io_records) > minidisk {
                self.add(
                    format!("guests[{index}].io_records"),
                    format!(
                        "{} given, but the minidisk holds {minidisk} records; at most that is allowed",
                        group.io_records
                    ),
                );
            }
        }
        let guests = scenario.guest_count();
        if guests > MAX_TOTAL_GUESTS {
            self.add("guests", format!("{guests} guests in all groups together, at most {MAX_TOTAL_GUESTS} are allowed"));
        }
        let virtual_mb: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.virtual_mb).sum();
        let most = max_total_virtual_mb(scenario.cluster.members > 1);
        if virtual_mb > most {
            let memory = |mb: u64| page_state_bytes(mb) as f64 / 1e9;
            let whose = match cfg!(target_arch = "wasm32") {
                true => format!(" in a browser tab; the command line takes {NATIVE_VIRTUAL_MB} MB"),
                false => String::new(),
            };
            self.add(
                "guests",
                format!(
                    "{virtual_mb} MB of virtual storage in all guests together, whose pages' state takes {:.1} GB of memory; at most {most} MB, {:.1} GB of memory, is allowed{whose}",
                    memory(virtual_mb),
                    memory(most)
                ),
            );
        }
    }

    /// The storage of each member.
    fn storage(&mut self, scenario: &Scenario) {
        self.contiguous(scenario);
        let (cache, all) = (scenario.minidisks.mdc_expanded_mb, scenario.storage.expanded_mb);
        if cache > all {
            let message = format!("{cache} given with {all} MB of expanded storage; at most {all} MB is allowed");
            self.add("minidisks.mdc_expanded_mb", message);
        }
        for number in 1..=scenario.cluster.members {
            let member = scenario.of_member(number);
            if self.minidisk_cache(&member, number) {
                self.reserved(&member, number);
                self.flashcopies(&member, number);
                self.page_space(&member, number);
            }
        }
    }

    /// Whether CP asks for more contiguous frames than it may keep.
    fn contiguous(&mut self, scenario: &Scenario) {
        let constants = Constants::default();
        let (rate, frames) = (scenario.storage.contiguous_rate, scenario.storage.contiguous_frames);
        for number in 1..=scenario.cluster.members {
            let most = scenario.of_member(number).guest_frames(&constants) as f64 * CONTIGUOUS_PART_MAX;
            let kept = f64::from(rate) * f64::from(frames) * constants.contiguous_ns / 1e9;
            if kept > most {
                let of = cluster::of(number);
                let rate_max = (most / kept * f64::from(rate)) as u64;
                let message = format!(
                    "{rate} requests a second for {frames} frames given, which keep {kept:.0} frames; at most {rate_max} requests are allowed{of}"
                );
                return self.add("storage.contiguous_rate", message);
            }
        }
    }

    /// Whether the minidisk cache leaves something for the guests.
    fn minidisk_cache(&mut self, scenario: &Scenario, number: u32) -> bool {
        let (central_mb, mdc_mb) = (scenario.storage.central_mb, scenario.minidisks.mdc_mb);
        let most = (central_mb as f64 * MDC_PART_MAX) as u64;
        if mdc_mb > most {
            let message = format!(
                "{mdc_mb} given with {central_mb} MB of central storage{}; at most {most} MB is allowed",
                cluster::of(number)
            );
            self.add("minidisks.mdc_mb", message);
        }
        mdc_mb <= most
    }

    /// What the guests of a member, and those that come to it, reserve.
    fn reserved(&mut self, scenario: &Scenario, number: u32) {
        let frames = scenario.guest_frames(&Constants::default());
        let there = |group: &GuestGroup| (group.member == number || group.move_to == number) && group.reserved_mb > 0;
        let reserved = total(scenario, |group| if there(group) { group.reserved_mb } else { 0 });
        let most = (frames as f64 * RESERVED_PART_MAX) as u64 / PAGES_PER_MB;
        if reserved > most {
            let index = scenario.guests.iter().position(there).unwrap_or(0);
            let whose = if number == 1 { "all guests".into() } else { format!("all guests{}", cluster::of(number)) };
            self.add(
                format!("guests[{index}].reserved_mb"),
                format!(
                    "{reserved} MB reserved in {whose} together, but {} of central storage are pageable; at most {most} MB is allowed so that the other guests find frames",
                    gigabytes(frames)
                ),
            );
        }
    }

    /// The processor time that CP needs to invalidate tracks for FlashCopy: it goes before guests' work, so it must leave them some.
    fn flashcopies(&mut self, scenario: &Scenario, number: u32) {
        let there = |group: &GuestGroup| {
            let copies = group.flashcopy_s > 0 && group.mdc && !group.io_zhpf && scenario.minidisks.is_cached();
            copies && (group.member == number || group.move_to == number)
        };
        let processors = f64::from(scenario.processors.count);
        let constants = Constants::default().at_capacity(scenario.processors.capacity_percent);
        let busy =
            |group: &GuestGroup| group_tracks(group) as f64 * constants.invalidate_ns / f64::from(group.flashcopy_s) / 1e9;
        let needed: f64 = scenario.guests.iter().filter(|group| there(group)).map(busy).sum();
        if needed > processors * FLASHCOPY_PART_MAX {
            let index = scenario.guests.iter().position(there).unwrap_or(0);
            self.add(
                format!("guests[{index}].flashcopy_s"),
                format!(
                    "{} given; to invalidate the tracks of all FlashCopies CP would need {needed:.1} of {processors} processors{}, at most {:.1} are allowed: a longer time, smaller minidisks, or mdc = false",
                    scenario.guests[index].flashcopy_s,
                    cluster::of(number),
                    processors * FLASHCOPY_PART_MAX
                ),
            );
        }
    }

    /// What exceeds a member's central storage must fit its page space: the model does not say what CP does when page space
    /// is full. Without FORCE STORAGE each relocation checks this itself.
    fn page_space(&mut self, scenario: &Scenario, number: u32) {
        let constants = Constants::default();
        let forced = |group: &GuestGroup| scenario.relocation.force_storage && group.move_to == number;
        let here = |group: &GuestGroup| group.member == number || forced(group);
        let touched = total(scenario, |group| if here(group) { group.loop_mb } else { 0 }) * PAGES_PER_MB;
        let frames = scenario.guest_frames_least(&constants);
        // Where pages that CP works on must be below 2 GB, those that do not fit there go to page space too, whatever is free above.
        let lacking = if number == 1 { scenario.lacks_below(&constants) } else { 0 };
        let pages = lacking > 0 || touched > frames.saturating_sub(constants.page_space_reserve(frames));
        let slots = scenario.page_slots();
        let needed = touched.saturating_sub(frames).max(lacking) + constants.page_space_reserve(frames);
        // Without overcommitment nothing is ever written to page space.
        if pages && slots < needed {
            let below = match scenario.has_mdc_arbiter() {
                _ if lacking > 0 => "pages for I/O and services must be below 2 GB here; ",
                true => "the minidisk cache may have the rest; ",
                false => "",
            };
            let whose = cluster::of(number);
            let field = if number == 1 { "paging.volume_slots".into() } else { format!("member{number}.volumes") };
            self.add(
                field,
                format!(
                    "{} slots on {}{whose} given, {} together, but the guests touch {} and {} of central storage are pageable; {below}page space of at least {} is needed ({needed} slots): more volumes, more slots on each, fewer guests or smaller loops",
                    scenario.paging.volume_slots,
                    match scenario.page_volumes() {
                        1 => "1 volume".to_string(),
                        more => format!("{more} volumes"),
                    },
                    gigabytes(slots),
                    gigabytes(touched),
                    gigabytes(frames),
                    gigabytes(needed),
                ),
            );
        }
    }
}

/// The fields that give the kind of volumes, with that kind, where there are such volumes.
pub(super) fn kinds(scenario: &Scenario) -> Vec<(&'static str, DeviceKind)> {
    let mut kinds = vec![("paging.kind", scenario.paging.kind)];
    if scenario.paging.other_volumes > 0 {
        kinds.push(("paging.other_kind", scenario.paging.other_kind));
    }
    if scenario.minidisks.volumes > 0 {
        kinds.push(("minidisks.kind", scenario.minidisks.kind));
    }
    kinds
}

fn page_volumes_are_eckd(scenario: &Scenario) -> bool {
    let paging = &scenario.paging;
    paging.kind.is_eckd() && (paging.other_volumes == 0 || paging.other_kind.is_eckd())
}

fn group_tracks(group: &GuestGroup) -> u64 {
    if group.io_records > 0 { u64::from(group.count) * tracks(group.minidisk_mb) } else { 0 }
}

fn total(scenario: &Scenario, mb: impl Fn(&GuestGroup) -> u64) -> u64 {
    scenario.guests.iter().map(|group| u64::from(group.count) * mb(group)).sum()
}

/// Pages as gigabytes, which people compare more easily.
fn gigabytes(pages: u64) -> String {
    format!("{:.1} GB", pages as f64 / (PAGES_PER_MB * 1024) as f64)
}
