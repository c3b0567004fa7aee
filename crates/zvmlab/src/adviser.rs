//! The adviser: which rules of best practice a host breaks, why they matter, and a host that keeps them, to see the effect.
//!
//! The rules are data, each with its source. The scenario shows whether a rule is broken; for what only a run can show, a
//! measurement does.

mod cluster;

use serde_json::{Value, json};

use crate::constants::Constants;
use crate::kernel::tables::{joined, total};
use crate::measurement::{Figure, Measurement};
use crate::scenario::workloads::{LINUX, Workload};
use crate::scenario::{GuestGroup, Level, Mechanism, PAGES_PER_MB, Scenario};

/// One rule of best practice.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name in files and links: `page-volumes-alike`.
    pub id: &'static str,
    /// The rule in a few words.
    pub title: &'static str,
    /// What holds on a host that breaks it, in a few words.
    pub otherwise: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// Where it is published, in its own words.
    pub source: &'static str,
    /// What a measurement must show, where the rule has a threshold; no source gives one.
    pub threshold: Option<f64>,
    /// Says in words what breaks the rule, if anything does.
    broken: fn(&Rule, &Scenario, Option<&Measurement>) -> Option<String>,
    /// Changes the host so that it keeps the rule, and says how in words.
    keep: fn(&mut Scenario) -> String,
}

/// A rule that a host breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The rule.
    pub rule: &'static Rule,
    /// What breaks it: `4 page volumes with 11,793,600 slots and 2 with 3,000,000`.
    pub found: String,
    /// What to change, in words.
    pub remedy: String,
    /// The host with that changed; none where the change would make it invalid.
    pub better: Option<Scenario>,
}

impl Advice {
    /// The advice as an object of `zvmlab advise --json`.
    pub fn to_json(&self) -> Value {
        let rule = self.rule;
        json!({
            "id": rule.id,
            "title": rule.title,
            "otherwise": rule.otherwise,
            "found": self.found,
            "why": rule.why,
            "source": rule.source,
            "remedy": self.remedy,
            // A scenario that `zvmlab run -` takes.
            "better": self.better,
        })
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// The rule on STORBUF.
pub const STORBUF_FOR_LINUX: &str = "storbuf-for-linux";

/// The rules, in the order of their sources.
pub static RULES: &[Rule] = &joined::<_, { total(PARTS) }>(PARTS);

const PARTS: &[&[Rule]] = &[HOST, &cluster::RULES];

/// The rules of one host.
const HOST: &[Rule] = &[
    Rule {
        id: "page-volumes-same-size",
        title: "All page volumes have the same size",
        otherwise: "Page volumes differ in size",
        why: "CP spreads blocks evenly over all volumes, so small volumes fill up first. Fewer volumes then carry the writes.",
        source: "z/VM Paging with SSD and Flash-Type Disk Devices 2.6, Paging Best Practices: \"All paging volumes should have the same attributes: Size, Performance, etc.\"",
        threshold: None,
        broken: different_sizes,
        keep: |s| {
            s.paging.other_slots = s.paging.volume_slots;
            "Give the other page volumes the same number of slots.".into()
        },
    },
    Rule {
        id: "page-volumes-same-kind",
        title: "All page volumes are of the same kind",
        otherwise: "Page volumes differ in kind",
        why: "CP spreads blocks evenly over all volumes. Slow volumes then queue while fast ones idle, and faults wait for the slow ones.",
        source: "z/VM Paging with SSD and Flash-Type Disk Devices 2.6, Paging Best Practices: \"All paging volumes should have the same attributes: Size, Performance, etc.\"",
        threshold: None,
        broken: different_kinds,
        keep: of_the_better_kind,
    },
    Rule {
        id: "no-fcp-with-eckd",
        title: "FCP SCSI and ECKD page volumes are not mixed",
        otherwise: "FCP SCSI and ECKD page volumes are mixed",
        why: "They differ in I/Os at once, in service time and in CPU for each I/O, but CP spreads blocks evenly over them.",
        source: "z/VM Paging with SSD and Flash-Type Disk Devices 2.6, Paging Best Practices: \"Do not mix FCP SCSI and ECKD paging volumes\"",
        threshold: None,
        broken: fcp_with_eckd,
        keep: of_the_better_kind,
    },
    Rule {
        id: "page-space-alone",
        title: "Page space is not mixed with other data",
        otherwise: "Page space is mixed with other data",
        why: "Minidisk I/O uses the exposures of page volumes. A guest that waits for a page then also waits for another guest's file.",
        source: "z/VM Paging with SSD and Flash-Type Disk Devices 2.6, Paging Best Practices: \"Do not mix page space with other data types\"",
        threshold: None,
        broken: mixed_data,
        keep: |s| {
            s.minidisks.on_page_volumes = false;
            // Minidisks lay on both groups of volumes: as many volumes as before, of the same kind, so that only the mixing
            // ends.
            let volumes = s.minidisks.volumes + s.page_volumes();
            s.minidisks.volumes = volumes.min(crate::scenario::fields::MAX_VOLUMES as u32);
            s.minidisks.kind = s.paging.kind;
            s.minidisks.queue_depth = s.paging.queue_depth;
            format!("Move the minidisks to {} volumes of their own.", s.minidisks.volumes)
        },
    },
    Rule {
        id: "volumes-for-processors",
        title: "There are as many ECKD page volumes as logical processors",
        otherwise: "There are fewer ECKD page volumes than logical processors",
        why: "Each ECKD volume has one base exposure. With fewer volumes than processors, faults at the same time wait for each other.",
        source: "z/VM Paging with SSD and Flash-Type Disk Devices 2.6, A Few More Things to Think About: \"Even if ECKD volumes could be infinitely large and infinitely fast, we would probably still want as many as there are logical processors for z/VM.\"",
        threshold: None,
        broken: few_volumes,
        keep: |s| {
            s.paging.volumes = s.processors.count.saturating_sub(s.paging.other_volumes).max(1);
            format!("Use {} page volumes.", s.page_volumes())
        },
    },
    Rule {
        id: "path-not-saturated",
        title: "No shared path is saturated",
        otherwise: "A shared path is nearly saturated",
        why: "I/Os on one path share its speed. More volumes or aliases then add waiting, not throughput.",
        source: "z/VM Paging with SSD and Flash-Type Disk Devices 2.6, Paging Best Practices: \"Be aware of any shared hardware in the path (channels, control units) and who/what is sharing them\". No limit is published: 85 % of the time is chosen.",
        threshold: Some(85.0),
        broken: saturated_path,
        keep: |s| {
            s.lcu.paths = (s.lcu.paths * 2).min(8);
            format!("Use {} channel paths.", s.lcu.paths)
        },
    },
    Rule {
        id: "page-space-with-room",
        title: "Page space is not nearly full",
        otherwise: "Page space is nearly full",
        why: "When page space is full, CP can take no more pages from guests. Earlier, runs of free slots get short: CP splits blocks, and a channel program with more runs takes longer.",
        source: "z/VM Paging with SSD and Flash-Type Disk Devices 2.6, Paging Best Practices: \"Follow planning guidelines for amount of space\". No limit is in our sources: 75 % is chosen.",
        threshold: Some(75.0),
        broken: nearly_full,
        keep: |s| {
            s.paging.volume_slots = (s.paging.volume_slots * 2).min(crate::scenario::fields::MAX_VOLUME_SLOTS);
            s.paging.other_slots = s.paging.volume_slots;
            format!("Use {} slots on each page volume.", s.paging.volume_slots)
        },
    },
    Rule {
        id: "logical-processors-for-demand",
        title: "Just enough logical processors cover demand",
        otherwise: "There are more logical processors than demand needs",
        why: "PR/SM divides the partition's weight among its logical processors. With more than the work needs, each gets less weight and PR/SM has more to dispatch.",
        source: "z/VM 6.2 Performance Update, Excessive PR/SM Overhead: \"Configure just enough logical PUs to cover demand\". No limit is published: twice what the partition uses, rounded up, is chosen, and so is the number to have instead: what it is entitled to, rounded up, and one more.",
        threshold: Some(2.0),
        broken: many_logical,
        keep: |s| {
            s.processors.count = fewer_logical(s);
            match s.processors.count {
                1 => "Use 1 logical processor.".into(),
                count => format!("Use {count} logical processors."),
            }
        },
    },
    Rule {
        id: STORBUF_FOR_LINUX,
        title: "STORBUF is at least 300 250 200 where most guests run Linux",
        otherwise: "STORBUF is below what Linux guests need",
        why: "A Linux guest seldom rests long enough to leave Q3, so the third number decides how many of them may run. If it is low, they wait in the eligible list even where the pages that they use would fit. If storage is short, more guests at once page more: look at the effect.",
        source: "z/VM 6.2 Performance Update, Default STORBUF Changes: \"Many parties were noticing that the old defaults of 125 105 95 were not appropriate for Linux workloads\"; the new ones are 300 250 200. \"For CMS-intensive workloads, the old defaults might be more appropriate\", so the rule asks for more Linux guests than others.",
        threshold: None,
        broken: low_storbuf,
        keep: |s| {
            let [first, second, third] = Level::V6_2.storbuf_initial();
            let scheduler = &mut s.scheduler;
            scheduler.storbuf_1 = scheduler.storbuf_1.max(first);
            scheduler.storbuf_2 = scheduler.storbuf_2.max(second);
            scheduler.storbuf_3 = scheduler.storbuf_3.max(third);
            format!("SET SRM STORBUF {} {} {}.", scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3)
        },
    },
    Rule {
        id: "virtual-cpus-for-demand",
        title: "Guests have just enough virtual CPUs",
        otherwise: "A guest has more virtual CPUs than there are processors",
        why: "A guest cannot use more processors than there are. Extra virtual CPUs only divide its share and spin for its locks.",
        source: "z/VM 6.2 Performance Update, Excessive PR/SM Overhead: \"Configure just enough virtual PUs to cover demand\". What is just enough is not published: more than there are logical processors is taken to be too many.",
        threshold: None,
        broken: many_virtual,
        keep: |s| {
            let count = s.processors.count;
            s.guests.iter_mut().for_each(|group| group.virtual_cpus = group.virtual_cpus.min(count));
            format!("Give each guest at most {count} virtual CPUs.")
        },
    },
    Rule {
        id: "mdc-off-for-flashcopy-targets",
        title: "The minidisk cache is off for targets of FlashCopy",
        otherwise: "FlashCopy writes to minidisks that are in the cache",
        why: "CP has to find and invalidate each track of the target that the cache may hold. It charges no guest for that time.",
        source: "z/VM 6.2 Performance Update, MDC and FlashCopy Interaction: \"Turn off MDC for minidisks that are FlashCopy targets\"",
        threshold: None,
        broken: cached_targets,
        keep: |s| {
            let targets = s.guests.iter_mut().filter(|group| group.flashcopy_s > 0 && group.mdc);
            let names: Vec<&str> = targets
                .map(|group| {
                    group.mdc = false;
                    group.name.as_str()
                })
                .collect();
            format!("Turn the cache off for the minidisks of {} (MINIOPT NOMDC).", names.join(", "))
        },
    },
];

/// The rules that `scenario` breaks. Some show in the scenario itself, others in `measurement`, the figures of a run of it.
pub fn advise(scenario: &Scenario, measurement: Option<&Measurement>) -> Vec<Advice> {
    let advice = |rule: &'static Rule| {
        let found = (rule.broken)(rule, scenario, measurement)?;
        let mut better = scenario.clone();
        let remedy = (rule.keep)(&mut better);
        let helps = better != *scenario && better.check().is_ok();
        Some(Advice { rule, found, remedy, better: helps.then_some(better) })
    };
    RULES.iter().filter_map(advice).collect()
}

/// The partition's entitlement in processors: the shared physical processors times its weight over the sum of all weights.
/// None where the partition is dedicated.
pub fn entitled(scenario: &Scenario) -> Option<f64> {
    let prsm = &scenario.prsm;
    let all = f64::from(prsm.weight) + f64::from(prsm.partitions) * f64::from(prsm.other_weight);
    scenario.processors.shared.then(|| f64::from(prsm.physical) * f64::from(prsm.weight) / all)
}

/// How many logical processors a partition that has too many should have: its entitlement, rounded up, and one more to use
/// what others leave. A partition that has no more than that gets half as many.
pub fn fewer_logical(scenario: &Scenario) -> u32 {
    let count = scenario.processors.count;
    let enough = entitled(scenario).map(|entitled| libm::ceil(entitled).max(1.0) as u32 + 1);
    enough.filter(|enough| *enough < count).unwrap_or((count / 2).max(1))
}

/// Makes all page volumes the kind that serves a miss sooner.
fn of_the_better_kind(scenario: &mut Scenario) -> String {
    let kind = scenario.paging.kind.max(scenario.paging.other_kind);
    (scenario.paging.kind, scenario.paging.other_kind) = (kind, kind);
    format!("Make all page volumes {}.", kind.as_str())
}

/// Whether there are two groups of page volumes.
fn two_groups(scenario: &Scenario) -> bool {
    scenario.paging.volumes > 0 && scenario.paging.other_volumes > 0
}

fn different_sizes(_: &Rule, scenario: &Scenario, _: Option<&Measurement>) -> Option<String> {
    let paging = &scenario.paging;
    (two_groups(scenario) && paging.volume_slots != paging.other_slots).then(|| {
        format!(
            "{} page volumes have {} slots each, {} have {}",
            paging.volumes, paging.volume_slots, paging.other_volumes, paging.other_slots
        )
    })
}

fn different_kinds(_: &Rule, scenario: &Scenario, _: Option<&Measurement>) -> Option<String> {
    let paging = &scenario.paging;
    (two_groups(scenario) && paging.kind != paging.other_kind).then(|| {
        format!(
            "{} page volumes are {}, {} are {}",
            paging.volumes,
            paging.kind.as_str(),
            paging.other_volumes,
            paging.other_kind.as_str()
        )
    })
}

fn fcp_with_eckd(rule: &Rule, scenario: &Scenario, measurement: Option<&Measurement>) -> Option<String> {
    let mixed = scenario.paging.kind.is_eckd() != scenario.paging.other_kind.is_eckd();
    different_kinds(rule, scenario, measurement).filter(|_| mixed)
}

fn mixed_data(_: &Rule, scenario: &Scenario, _: Option<&Measurement>) -> Option<String> {
    (scenario.minidisks.on_page_volumes && scenario.does_io()).then(|| "guests' minidisks lie on the page volumes".into())
}

fn few_volumes(_: &Rule, scenario: &Scenario, _: Option<&Measurement>) -> Option<String> {
    let (volumes, processors) = (scenario.page_volumes(), scenario.processors.count);
    let touched: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.loop_mb).sum();
    let pages = touched * PAGES_PER_MB > scenario.guest_frames_least(&Constants::default());
    // The source speaks of ECKD volumes: an EDEV carries several I/Os at once.
    (pages && scenario.paging.kind.is_eckd() && volumes < processors)
        .then(|| format!("{volumes} page volumes for {processors} processors"))
}

fn saturated_path(rule: &Rule, _: &Scenario, measurement: Option<&Measurement>) -> Option<String> {
    let busy = measurement?.get(Figure::PathBusy)?;
    (busy > rule.threshold?).then(|| format!("the channel paths are {busy:.1} % busy"))
}

fn nearly_full(rule: &Rule, _: &Scenario, measurement: Option<&Measurement>) -> Option<String> {
    let used = measurement?.get(Figure::SlotUtilization)?;
    (used > rule.threshold?).then(|| format!("{used:.1} % of the page slots are in use"))
}

fn many_logical(rule: &Rule, scenario: &Scenario, measurement: Option<&Measurement>) -> Option<String> {
    let used = measurement?.get(Figure::TotalBusy)? / 100.0;
    let count = scenario.processors.count;
    let enough = libm::ceil(used * rule.threshold?).max(1.0);
    (scenario.processors.shared && f64::from(count) > enough)
        .then(|| format!("{used:.2} of {count} logical processors are used"))
}

fn low_storbuf(_: &Rule, scenario: &Scenario, _: Option<&Measurement>) -> Option<String> {
    let scheduler = &scenario.scheduler;
    let now = [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3];
    let low = now.iter().zip(Level::V6_2.storbuf_initial()).any(|(now, least)| *now < least);
    let all: u32 = scenario.guests.iter().map(|group| group.count).sum();
    let linux =
        scenario.guests.iter().filter(|group| Workload::of(group).is_some_and(|workload| workload.name == LINUX.name));
    let linux: u32 = linux.map(|group| group.count).sum();
    (scenario.has(Mechanism::EligibleList) && low && linux * 2 > all).then(|| {
        let [first, second, third] = now;
        format!("STORBUF is {first} {second} {third}, and {linux} of {all} guests run Linux")
    })
}

fn many_virtual(_: &Rule, scenario: &Scenario, _: Option<&Measurement>) -> Option<String> {
    let count = scenario.processors.count;
    let group = scenario.guests.iter().find(|group| group.virtual_cpus > count)?;
    Some(format!("{} has {} virtual CPUs on {count} processors", group.name, group.virtual_cpus))
}

fn cached_targets(_: &Rule, scenario: &Scenario, _: Option<&Measurement>) -> Option<String> {
    // Transport mode switches the cache off for a minidisk by itself.
    let is_cached = |group: &&GuestGroup| group.flashcopy_s > 0 && group.io_records > 0 && group.mdc && !group.io_zhpf;
    let group = scenario.guests.iter().find(is_cached).filter(|_| scenario.minidisks.is_cached())?;
    Some(format!("{} copies every {} s onto minidisks that the cache serves", group.name, group.flashcopy_s))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::DeviceKind;

    /// The rules that a host breaks after `change`: the default host, but with eight page volumes for its eight processors.
    fn broken(change: impl Fn(&mut Scenario)) -> Vec<&'static str> {
        let mut scenario = Scenario::default();
        scenario.paging.volumes = 8;
        change(&mut scenario);
        advise(&scenario, None).iter().map(|advice| advice.rule.id).collect()
    }

    #[test]
    fn each_rule_of_the_scenario_is_found_and_can_be_kept() {
        assert_eq!(broken(|_| {}), [""; 0]);
        assert_eq!(broken(|s| s.paging.volumes = 4), ["volumes-for-processors"]);
        let other = |kind, slots| {
            broken(move |s| {
                (s.paging.other_volumes, s.paging.other_kind, s.paging.other_slots) = (1, kind, slots);
            })
        };
        let slots = Scenario::default().paging.volume_slots;
        assert_eq!(other(DeviceKind::EckdSpinning, slots), [""; 0]);
        assert_eq!(other(DeviceKind::EckdSpinning, slots / 2), ["page-volumes-same-size"]);
        assert_eq!(other(DeviceKind::EckdSsd, slots), ["page-volumes-same-kind"]);
        assert_eq!(other(DeviceKind::EdevSvc, slots), ["page-volumes-same-kind", "no-fcp-with-eckd"]);
        let mixed = broken(|s| {
            s.minidisks.on_page_volumes = true;
            s.guests[0].io_records = 1;
        });
        assert_eq!(mixed, ["page-space-alone"]);
        assert_eq!(broken(|s| s.guests[0].virtual_cpus = 9), ["virtual-cpus-for-demand"]);
        let copies = |mdc, mdc_mb| {
            broken(move |s| {
                (s.minidisks.volumes, s.minidisks.mdc_mb) = (2, mdc_mb);
                (s.guests[0].io_records, s.guests[0].flashcopy_s, s.guests[0].mdc) = (1, 5, mdc);
            })
        };
        assert_eq!(copies(true, 64), ["mdc-off-for-flashcopy-targets"]);
        assert_eq!((copies(false, 64), copies(true, 0)), (vec![], vec![]));
        let linux = |level, third| {
            broken(move |s| {
                LINUX.apply(&mut s.guests[0]);
                (s.level, s.scheduler.storbuf_3) = (level, third);
            })
        };
        assert_eq!(linux(Level::V6_2, 199), ["storbuf-for-linux"]);
        assert_eq!(linux(Level::V6_2, 200), [""; 0]);
        assert_eq!(linux(Level::V6_3, 199), [""; 0], "this level keeps no guest in the eligible list");
        let small = |s: &mut Scenario| (s.paging.volumes, s.guests[0].loop_mb) = (1, 1);
        assert_eq!(broken(small), [""; 0], "a host that does not page needs no page volumes");
    }

    #[test]
    fn no_broken_rule_is_titled_as_if_it_were_kept() {
        for rule in RULES {
            assert_ne!(rule.title, rule.otherwise, "{}", rule.id);
            assert!(!rule.otherwise.starts_with("No ") && !rule.otherwise.contains(" not "), "{}", rule.otherwise);
        }
    }

    #[test]
    fn logical_processors_are_as_many_as_the_entitlement_and_one() {
        let mut scenario = Scenario::default();
        (scenario.processors.shared, scenario.processors.count) = (true, 8);
        (scenario.prsm.physical, scenario.prsm.partitions, scenario.prsm.other_weight) = (8, 3, scenario.prsm.weight);
        assert_eq!((entitled(&scenario), fewer_logical(&scenario)), (Some(2.0), 3));
        scenario.processors.count = 3;
        assert_eq!(fewer_logical(&scenario), 1, "no more than that: half as many");
        scenario.processors.shared = false;
        assert_eq!(entitled(&scenario), None);
    }

    #[test]
    fn a_host_that_follows_the_advice_breaks_the_rule_no_more() {
        let mut scenario = Scenario::default();
        (scenario.paging.other_volumes, scenario.paging.other_kind) = (1, DeviceKind::EdevDirect);
        scenario.paging.other_slots /= 2;
        scenario.minidisks.on_page_volumes = true;
        scenario.guests[0].io_records = 1;
        let all = advise(&scenario, None);
        assert_eq!(all.len(), 5);
        let before: Vec<&str> = all.iter().map(|advice| advice.rule.id).collect();
        for advice in all {
            let better = advice.better.expect("the remedy is a valid host");
            let left = advise(&better, None);
            assert!(left.iter().all(|left| left.rule != advice.rule), "{}", advice.rule.id);
            assert!(left.iter().all(|left| before.contains(&left.rule.id)), "{} breaks another rule", advice.rule.id);
        }
    }
}
