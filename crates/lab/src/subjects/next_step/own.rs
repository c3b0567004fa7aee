//! Steps for a host of the reader's own, which makes no subject's point: each gives more of what limits it.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::{GuestGroup, Level, LimitType, Role, Scenario, SpinLock, Tenths};

use super::{Chain, Seen, Step, Way};
use crate::published::ready::like;
use crate::words::limit::name;
use crate::words::number::storage_mb;

/// Volumes from which on a host that pages is better off with more storage. Chosen: four times those of Table 1.
const MANY_VOLUMES: u32 = 16;

/// The steps; the first that is about what limits is offered.
pub(super) const OWN: Chain = Chain {
    steps: &[
        VOLUMES,
        PATHS,
        ALIASES,
        STORAGE,
        MINIDISK_VOLUMES,
        PROCESSORS,
        WEIGHT,
        CAP,
        VIRTUAL_CPUS,
        MAXIMUM_SHARES,
        STORBUF,
        HOLDER,
        FEWER,
        VECTORS,
    ],
    made,
};

/// Whether a host is the reader's own: it began as no ready experiment, and is none.
pub(super) fn is_own(scenario: &Scenario, run: Option<&str>) -> bool {
    run.is_none() && !scenario.relocates() && like(scenario).is_none()
}

/// Whether one of these limits, by the run's result.
fn limits(seen: &Seen, kinds: &[ResourceKind]) -> bool {
    seen.limits.and_then(|limits| limits.limit).is_some_and(|limit| kinds.contains(&limit))
}

const VOLUMES: Step = Step {
    label: |scenario| format!("Use {} page volumes", scenario.paging.volumes * 2).into(),
    reason: "More volumes do more page I/Os at the same time.",
    is_due: |seen| limits(seen, &[ResourceKind::PageVolumes]) && seen.scenario.paging.volumes < MANY_VOLUMES,
    take: |scenario| scenario.paging.volumes *= 2,
    shows: (Figure::Etr, Way::Up),
};

const PATHS: Step = Step {
    label: |scenario| format!("Use {} channel paths", scenario.lcu.paths * 2).into(),
    reason: "I/Os share the paths to the control unit.",
    is_due: |seen| limits(seen, &[ResourceKind::Paths]),
    take: |scenario| scenario.lcu.paths *= 2,
    shows: (Figure::Etr, Way::Up),
};

const ALIASES: Step = Step {
    label: |scenario| format!("Use {} aliases", scenario.lcu.aliases * 2).into(),
    reason: "Each alias carries one more I/O to a volume that is busy.",
    is_due: |seen| limits(seen, &[ResourceKind::Aliases]),
    take: |scenario| scenario.lcu.aliases *= 2,
    shows: (Figure::Etr, Way::Up),
};

const STORAGE: Step = Step {
    label: |scenario| format!("Use {} of storage", storage_mb(scenario.storage.central_mb * 2)).into(),
    reason: "With room for what guests touch, nobody waits for pages.",
    is_due: |seen| limits(seen, &[ResourceKind::Frames, ResourceKind::PageVolumes, ResourceKind::Paths]),
    take: |scenario| scenario.storage.central_mb *= 2,
    shows: (Figure::Etr, Way::Up),
};

const MINIDISK_VOLUMES: Step = Step {
    label: |scenario| format!("Use {} minidisk volumes", scenario.minidisks.volumes * 2).into(),
    reason: "More volumes do more of the guests' I/Os at the same time.",
    is_due: |seen| limits(seen, &[ResourceKind::MinidiskVolumes]),
    take: |scenario| scenario.minidisks.volumes *= 2,
    shows: (Figure::Etr, Way::Up),
};

const PROCESSORS: Step = Step {
    label: |scenario| format!("Use {} processors", scenario.processors.count * 2).into(),
    reason: "Guests that want to work wait for a processor, or use all there are.",
    // Where each virtual CPU has a processor, more processors would idle.
    is_due: |seen| {
        let virtual_cpus = seen.scenario.virtual_cpu_count();
        limits(seen, &[ResourceKind::Processors]) && virtual_cpus > u64::from(seen.scenario.processors.count)
    },
    take: |scenario| scenario.processors.count *= 2,
    shows: (Figure::Etr, Way::Up),
};

const WEIGHT: Step = Step {
    label: |scenario| format!("Raise the weight to {}", scenario.prsm.weight * 2).into(),
    reason: "PR/SM gives a partition with more weight more of the physical processors.",
    is_due: |seen| limits(seen, &[ResourceKind::PhysicalProcessors]),
    take: |scenario| scenario.prsm.weight *= 2,
    shows: (Figure::Etr, Way::Up),
};

const CAP: Step = Step {
    label: |_| "Take the cap away".into(),
    reason: "The partition waits although physical processors may idle.",
    is_due: |seen| limits(seen, &[ResourceKind::Cap]),
    take: |scenario| {
        let plain = Scenario::default().prsm;
        (scenario.prsm.capped, scenario.prsm.absolute_cap) = (plain.capped, plain.absolute_cap);
    },
    shows: (Figure::Etr, Way::Up),
};

const VIRTUAL_CPUS: Step = Step {
    label: |_| "Give guests one virtual CPU more".into(),
    reason: "A guest uses no more processors than it has virtual CPUs.",
    is_due: |seen| limits(seen, &[ResourceKind::VirtualCpus, ResourceKind::ClientCpus, ResourceKind::ServerCpus]),
    take: |scenario| {
        let processors = scenario.processors.count;
        let gains = |group: &&mut GuestGroup| group.virtual_cpus < processors && !brings_work(group);
        scenario.guests.iter_mut().filter(gains).for_each(|group| group.virtual_cpus += 1);
    },
    shows: (Figure::Etr, Way::Up),
};

const MAXIMUM_SHARES: Step = Step {
    label: |_| "Take the maximum shares away".into(),
    reason: "At its maximum a guest waits although processors may idle.",
    is_due: |seen| limits(seen, &[ResourceKind::MaximumShares]),
    take: |scenario| scenario.guests.iter_mut().for_each(|group| group.limit_type = LimitType::NoLimit),
    shows: (Figure::Etr, Way::Up),
};

const STORBUF: Step = Step {
    label: |_| "SET SRM STORBUF 300 250 200".into(),
    reason: "With higher barriers fewer guests wait in the eligible list.",
    is_due: |seen| limits(seen, &[ResourceKind::Storbuf]) && seen.scenario.scheduler.storbuf_3 < 200,
    take: |scenario| {
        let scheduler = &mut scenario.scheduler;
        [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3] = Level::V6_2.storbuf_initial();
    },
    shows: (Figure::Etr, Way::Up),
};

const HOLDER: Step = Step {
    label: |_| "Have guests yield to the holder (Diag X'9C')".into(),
    reason: "Who waits for the lock gives its processor to the virtual CPU that holds it.",
    is_due: |seen| {
        limits(seen, &[ResourceKind::GuestLocks]) && seen.scenario.guests.iter().any(|group| has_many(group, seen.scenario))
    },
    take: |scenario| scenario.dispatcher.guest_lock = SpinLock::Diag9c,
    shows: (Figure::Etr, Way::Up),
};

const FEWER: Step = Step {
    label: |_| "Halve the virtual CPUs of guests with a lock".into(),
    reason: "A lock serves one at a time; the others spin, which takes processors.",
    is_due: |seen| limits(seen, &[ResourceKind::GuestLocks]),
    take: |scenario| {
        let locks = |group: &&mut GuestGroup| group.lock_us > 0 && group.role == Role::Alone && group.virtual_cpus > 2;
        scenario.guests.iter_mut().filter(locks).for_each(|group| group.virtual_cpus /= 2);
    },
    shows: (Figure::GuestSpin, Way::Down),
};

const VECTORS: Step = Step {
    label: |_| "Apply VM64887".into(),
    reason: "With it the dispatcher notes that a vector has overflowed.",
    is_due: |seen| limits(seen, &[ResourceKind::Vectors]),
    take: |scenario| scenario.dispatcher.pldv_fix = true,
    shows: (Figure::Etr, Way::Up),
};

/// Whether a virtual CPU more would bring work of its own, and so make more to do instead of doing more of it: each begins its own
/// cycles in time.
fn brings_work(group: &GuestGroup) -> bool {
    group.role == Role::Alone && (group.pace_ms != Tenths::ZERO || group.think_ms != Tenths::ZERO)
}

fn has_many(group: &GuestGroup, scenario: &Scenario) -> bool {
    group.lock_us > 0 && group.virtual_cpus > scenario.processors.count
}

fn made(_: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match limits.limit {
        None => "Nothing is near its limit: this host could carry more work.".into(),
        Some(limit) => format!("What limits: {}. No one step from here gives more of it.", name(limit)).into(),
    }
}

#[cfg(test)]
mod tests {
    use zvmlab::experiment;
    use zvmlab::limit::Resource;

    use super::*;
    use crate::subjects::Subject;
    use crate::subjects::next_step::Next;

    /// Three groups on one host that pages; the first has a maximum share, the second a lock.
    fn host() -> Scenario {
        Scenario::parse(
            "processors.count = 2\nstorage.central_mb = 512\nminidisks.volumes = 2\nlcu.aliases = 2\npaging.volume_slots = 200000\n\
             measure = { warmup_s = 5, interval_s = 10 }\n\
             [[guests]]\nname = \"A\"\ncount = 4\nvirtual_mb = 256\nloop_mb = 128\nlimit_type = \"LIMITHARD\"\nlimit_absolute = 50\n\
             [[guests]]\nname = \"B\"\nvirtual_cpus = 4\nvirtual_mb = 256\nloop_mb = 128\nlock_us = 100\ncpu_us = 100\n\
             [[guests]]\nname = \"C\"\nvirtual_mb = 256\nloop_mb = 64\n",
        )
        .expect("a scenario")
    }

    fn label(scenario: &Scenario, limit: Option<ResourceKind>) -> Option<String> {
        let resources = limit.map(|kind| Resource { kind, count: 1, busy: 1.0, queue: 1.0, waiting: 0.5 });
        let limits = Limits { limit, resources: resources.into_iter().collect(), ..Limits::default() };
        match Next::of(scenario, Subject::of(scenario, None), None, Some(&limits)) {
            Next::Step(step) => Some(step.label().to_string()),
            Next::Made { back, .. } => {
                assert_eq!(back, None, "it began as no other host");
                None
            }
        }
    }

    #[test]
    fn a_step_on_an_own_host_gives_more_of_what_limits_it() {
        let host = host();
        for (limit, expected) in [
            (ResourceKind::PageVolumes, Some("Use 8 page volumes")),
            (ResourceKind::Frames, Some("Use 1 GB of storage")),
            (ResourceKind::Aliases, Some("Use 4 aliases")),
            (ResourceKind::Processors, Some("Use 4 processors")),
            (ResourceKind::VirtualCpus, Some("Give guests one virtual CPU more")),
            (ResourceKind::MaximumShares, Some("Take the maximum shares away")),
            (ResourceKind::GuestLocks, Some("Have guests yield to the holder (Diag X'9C')")),
            (ResourceKind::CpLock, None),
        ] {
            assert_eq!(label(&host, Some(limit)).as_deref(), expected, "{limit:?}");
        }
        assert_eq!(label(&host, None), None, "nothing limits");
        let mut most = host.clone();
        most.processors.count = 64;
        assert_eq!(label(&most, Some(ResourceKind::Processors)), None, "there are no more");
        let mut paced = host.clone();
        paced.guests.iter_mut().for_each(|group| group.pace_ms = Tenths::whole(10));
        assert_eq!(label(&paced, Some(ResourceKind::VirtualCpus)), None, "each virtual CPU would bring its own work");
        let mut enough = host.clone();
        enough.guests.truncate(1);
        enough.processors.count = enough.virtual_cpu_count() as u32;
        assert_eq!(label(&enough, Some(ResourceKind::Processors)), None, "each virtual CPU has one");
        enough.processors.count -= 1;
        assert!(label(&enough, Some(ResourceKind::Processors)).is_some(), "one virtual CPU has none");
        let limits = Limits { limit: Some(ResourceKind::PageVolumes), ..Limits::default() };
        let published = crate::published::ready::scenario_of("V4DVY000").expect("a published run");
        let next = Next::of(&published, Subject::of(&published, None), None, Some(&limits)).taken().expect("a step");
        assert!(!next.label().contains("volumes"), "a published run keeps its subject's steps: {}", next.label());
    }

    /// The steps that follow one another, each from what limited the run before it, do more work.
    #[test]
    fn the_steps_of_an_own_host_help() {
        let mut scenario = host();
        scenario.guests.remove(1);
        scenario.guests.iter_mut().for_each(|group| group.limit_type = LimitType::NoLimit);
        let mut labels = Vec::new();
        let mut etr = Vec::new();
        for _ in 0..4 {
            let outcome = experiment::run(&scenario, 1).expect("it runs");
            etr.push(outcome.measurement.get(Figure::Etr).expect("an ETR"));
            let subject = Subject::of(&scenario, None);
            let Next::Step(step) = Next::of(&scenario, subject, None, Some(&outcome.limits)) else { break };
            labels.push(step.label().to_string());
            step.take(&mut scenario);
        }
        assert!(labels.len() >= 2, "{labels:?}");
        assert!(etr.windows(2).all(|two| two[1] > 1.05 * two[0]), "{labels:?}: {etr:?}");
    }
}
