//! What limits a run: every resource ranked by how much of the time is spent waiting for it, with how busy it was.
//!
//! One rule holds for every host. It has three parts.
//!
//! 1. **Whose time.** Of guests it is the time in which their virtual CPUs want to work: all but thinking. The time in which
//!    connections between clients and servers wait for a virtual CPU counts too. Of relocations it is the time in which they
//!    are under way.
//! 2. **What it is spent waiting for.** A wait counts for the resource that is waited for. A resource that is held while its
//!    holder itself waits for another one passes that part of its queue on: a volume's exposure is held while its I/O shares a
//!    path, so part of the queue for exposures is a queue for paths. Likewise a logical processor is held while PR/SM gives it
//!    no physical one, or while it spins for a lock; a frame while its page is being written; a link's buffer while the link is
//!    busy; a virtual CPU of a server while it waits for whatever it waits for.
//! 3. **What counts as a limit.** The resource that is waited for longest limits, if that is a tenth of the time or more, and
//!    if it is busy for at least half of the time: with less it could carry twice the work. A station of a relocation, the link
//!    or CP's work at an end, must be busy for nine tenths of the passes, because what sets the pace of a line works nearly all
//!    the time. If there is none, the busiest resource limits if it is busy for nine tenths of the time. Else nothing is near
//!    its limit.
//!
//! A tenth and nine tenths have one reason: a tenth less waiting, or the last tenth of a resource, gives a ninth more at most.
//! Both are chosen.

mod connections;
mod guests;
mod io;
mod relocations;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use crate::constants::Constants;
use crate::order;
use crate::scenario::Scenario;
use crate::snapshot::Snapshot;

/// The least part of the time that counts, of waiting and of what is left of a resource. Chosen.
const TENTH: f64 = 0.1;
/// A resource that is busy for less than this part of the time could carry twice the work.
const HALF: f64 = 0.5;

/// What may limit a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResourceKind {
    /// The channel paths of the control unit.
    Paths,
    /// The pool of HyperPAV aliases.
    Aliases,
    /// The page volumes: the base of each, or the queue of an EDEV.
    PageVolumes,
    /// The volumes that hold minidisks only.
    MinidiskVolumes,
    /// The frames of central storage.
    Frames,
    /// The frames below 2 GB, where more pages must be there than fit.
    FramesBelow,
    /// The logical processors.
    Processors,
    /// The physical processors that PR/SM shares out.
    PhysicalProcessors,
    /// The cap of the partition: initial or absolute capping.
    Cap,
    /// The dispatcher's vectors: ready work that they do not show is forgotten.
    Vectors,
    /// The lock of CP.
    CpLock,
    /// The locks inside guests.
    GuestLocks,
    /// The page table invalidation locks of guests that release pages.
    Ptil,
    /// The lock of VARY PROCESSOR.
    VaryLock,
    /// The virtual CPUs of a guest that has fewer of them than there are processors.
    VirtualCpus,
    /// The virtual CPUs of clients, for which connections wait that want to send a request.
    ClientCpus,
    /// The virtual CPUs of servers, for which requests wait.
    ServerCpus,
    /// The barriers of STORBUF.
    Storbuf,
    /// Maximum shares (SET SHARE LIMITHARD, LIMITSOFT).
    MaximumShares,
    /// The chpids of the ISFC link.
    Link,
    /// The CTCs of the ISFC link.
    Ctcs,
    /// The buffers of the ISFC link.
    Buffers,
    /// CP's work for a relocation at the source.
    Source,
    /// CP's work for a relocation at the destination.
    Destination,
    /// Pages of a relocation that CP reads from page space at the source before it can send them.
    Reads,
    /// Paging at either end of a relocation: the end-to-end throttle.
    EndToEnd,
    /// Frames at the destination of a relocation: the endpoint throttle.
    Endpoint,
    /// The stages of a relocation that move no storage.
    Stages,
}

/// One resource in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Resource {
    /// Which one.
    pub kind: ResourceKind,
    /// How many there are of it.
    pub count: u32,
    /// Which part of the interval it was busy, or which part of it was in use: 0 to 1.
    pub busy: f64,
    /// How many waited for it, mean over the interval.
    pub queue: f64,
    /// Which part of the time was spent waiting for it: 0 to 1.
    pub waiting: f64,
}

/// Whose time is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
    /// The guests'.
    #[default]
    Guests,
    /// That of relocations that are to come to an end.
    Relocations,
}

/// What limited the time between two snapshots.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Limits {
    /// Whose time is looked at.
    pub whose: Whose,
    /// Every resource that was used, the one that is waited for longest first.
    pub resources: Vec<Resource>,
    /// The resource that limits; none if nothing is near its limit.
    pub limit: Option<ResourceKind>,
    /// Which part of the pages that relocations sent had been sent before: the guest had changed them.
    pub resent: f64,
}

impl Limits {
    /// What limited the time from `before` to `after`, two snapshots of one run of `scenario`.
    pub fn between(scenario: &Scenario, before: &Snapshot, after: &Snapshot) -> Limits {
        let constants = Constants::default();
        let moves = scenario.relocates() && !scenario.relocation.bounce;
        if let Some(tally) = moves.then(|| relocations::tally(&constants, before, after)).flatten() {
            let resent = relocations::resent(after);
            return Limits { resent, ..Limits::of(Whose::Relocations, tally) };
        }
        let mut tally = Tally::over(after.now_ns.saturating_sub(before.now_ns));
        guests::host(scenario, &constants, before, after, &mut tally);
        let none = Snapshot::default();
        for (index, later) in after.cluster.iter().flat_map(|cluster| &cluster.others).enumerate() {
            let earlier = before.cluster.as_ref().and_then(|cluster| cluster.others.get(index)).unwrap_or(&none);
            guests::host(scenario, &constants, earlier, later, &mut tally);
        }
        Limits::of(Whose::Guests, tally)
    }

    /// The resource of this kind, if it was used.
    pub fn get(&self, kind: ResourceKind) -> Option<&Resource> {
        self.resources.iter().find(|resource| resource.kind == kind)
    }

    /// The resource that limits.
    pub fn limiting(&self) -> Option<&Resource> {
        self.get(self.limit?)
    }

    fn of(whose: Whose, tally: Tally) -> Limits {
        let mut resources = tally.resources();
        order::by(&mut resources, |a, b| {
            b.waiting.total_cmp(&a.waiting).then(b.busy.total_cmp(&a.busy)).then(a.kind.cmp(&b.kind))
        });
        Limits { whose, limit: limiting(&resources), resources, resent: 0.0 }
    }
}

impl ResourceKind {
    /// Every kind.
    pub const ALL: [ResourceKind; 28] = [
        ResourceKind::Paths,
        ResourceKind::Aliases,
        ResourceKind::PageVolumes,
        ResourceKind::MinidiskVolumes,
        ResourceKind::Frames,
        ResourceKind::FramesBelow,
        ResourceKind::Processors,
        ResourceKind::PhysicalProcessors,
        ResourceKind::Cap,
        ResourceKind::Vectors,
        ResourceKind::CpLock,
        ResourceKind::GuestLocks,
        ResourceKind::Ptil,
        ResourceKind::VaryLock,
        ResourceKind::VirtualCpus,
        ResourceKind::ClientCpus,
        ResourceKind::ServerCpus,
        ResourceKind::Storbuf,
        ResourceKind::MaximumShares,
        ResourceKind::Link,
        ResourceKind::Ctcs,
        ResourceKind::Buffers,
        ResourceKind::Source,
        ResourceKind::Destination,
        ResourceKind::Reads,
        ResourceKind::EndToEnd,
        ResourceKind::Endpoint,
        ResourceKind::Stages,
    ];

    /// Its word in files, as in reports.
    pub const fn word(self) -> &'static str {
        match self {
            ResourceKind::Paths => "paths",
            ResourceKind::Aliases => "aliases",
            ResourceKind::PageVolumes => "page-volumes",
            ResourceKind::MinidiskVolumes => "minidisk-volumes",
            ResourceKind::Frames => "frames",
            ResourceKind::FramesBelow => "frames-below",
            ResourceKind::Processors => "processors",
            ResourceKind::PhysicalProcessors => "physical-processors",
            ResourceKind::Cap => "cap",
            ResourceKind::Vectors => "vectors",
            ResourceKind::CpLock => "cp-lock",
            ResourceKind::GuestLocks => "guest-locks",
            ResourceKind::Ptil => "ptil",
            ResourceKind::VaryLock => "vary-lock",
            ResourceKind::VirtualCpus => "virtual-cpus",
            ResourceKind::ClientCpus => "client-cpus",
            ResourceKind::ServerCpus => "server-cpus",
            ResourceKind::Storbuf => "storbuf",
            ResourceKind::MaximumShares => "maximum-shares",
            ResourceKind::Link => "link",
            ResourceKind::Ctcs => "ctcs",
            ResourceKind::Buffers => "buffers",
            ResourceKind::Source => "source",
            ResourceKind::Destination => "destination",
            ResourceKind::Reads => "reads",
            ResourceKind::EndToEnd => "end-to-end",
            ResourceKind::Endpoint => "endpoint",
            ResourceKind::Stages => "stages",
        }
    }

    /// Whether it works for those who wait, so that it limits when it is busy all the time. Storage that is all in use, or a
    /// maximum share that is used up, does no harm as long as nobody waits for it.
    pub fn works(self) -> bool {
        !matches!(
            self,
            ResourceKind::Frames
                | ResourceKind::FramesBelow
                | ResourceKind::Storbuf
                | ResourceKind::MaximumShares
                | ResourceKind::Cap
                | ResourceKind::Buffers
                | ResourceKind::EndToEnd
                | ResourceKind::Endpoint
        )
    }
}

/// How busy a resource must be so that the time spent waiting for it counts.
fn least_busy(kind: ResourceKind) -> f64 {
    match kind {
        ResourceKind::Link | ResourceKind::Source | ResourceKind::Destination => 1.0 - TENTH,
        // Nobody is in the limit list but for the maximum share, which may have been used before.
        ResourceKind::MaximumShares => 0.0,
        _ => HALF,
    }
}

/// The resource that limits, of `resources` in the order of their waiting.
fn limiting(resources: &[Resource]) -> Option<ResourceKind> {
    let waited_for = resources.iter().find(|one| one.waiting >= TENTH && one.busy >= least_busy(one.kind));
    let full = || {
        let full = resources.iter().filter(|resource| resource.kind.works() && resource.busy >= 1.0 - TENTH);
        full.reduce(|most, other| if other.busy > most.busy { other } else { most })
    };
    waited_for.or_else(full).map(|resource| resource.kind)
}

/// What is found of one kind of resource.
#[derive(Clone, Copy, Debug)]
struct Found {
    kind: ResourceKind,
    count: u32,
    busy: f64,
    /// Integral over time of those who waited, in ns.
    queue_ns: f64,
    /// Time that was spent waiting, in ns.
    waiting_ns: f64,
}

/// What is found in an interval.
#[derive(Clone, Debug)]
struct Tally {
    elapsed_ns: f64,
    /// The time that is looked at, in ns.
    whole_ns: f64,
    found: Vec<Found>,
}

impl Tally {
    fn over(elapsed_ns: u64) -> Tally {
        Tally { elapsed_ns: elapsed_ns as f64, whole_ns: 0.0, found: Vec::new() }
    }

    /// Notes a resource. One that several members have is as busy as at the busiest of them.
    fn note(&mut self, found: Found) {
        match self.found.iter_mut().find(|other| other.kind == found.kind) {
            Some(other) => {
                other.queue_ns += found.queue_ns;
                other.waiting_ns += found.waiting_ns;
                if found.busy > other.busy {
                    (other.busy, other.count) = (found.busy, found.count);
                }
            }
            None => self.found.push(found),
        }
    }

    /// Notes a resource in whose queue nobody else stands than those whose time is looked at.
    fn waits(&mut self, kind: ResourceKind, count: u32, busy: f64, waiting_ns: f64) {
        self.note(Found { kind, count, busy, queue_ns: waiting_ns, waiting_ns });
    }

    /// Each resource that was used.
    fn resources(&self) -> Vec<Resource> {
        let used = self.found.iter().filter(|found| found.busy > 0.0 || found.waiting_ns > 0.0);
        used.map(|found| Resource {
            kind: found.kind,
            count: found.count,
            busy: part(found.busy, 1.0),
            queue: ratio(found.queue_ns, self.elapsed_ns),
            waiting: part(found.waiting_ns, self.whole_ns),
        })
        .collect()
    }
}

/// `of` as a part of `whole`, 0 to 1.
fn part(of: f64, whole: f64) -> f64 {
    ratio(of, whole).clamp(0.0, 1.0)
}

/// `of` for each of `whole`; 0 if there is nothing to divide by.
fn ratio(of: f64, whole: f64) -> f64 {
    if whole > 0.0 { of / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(kind: ResourceKind, busy: f64, waiting: f64) -> Found {
        Found { kind, count: 1, busy, queue_ns: 0.0, waiting_ns: waiting }
    }

    fn limits(found: &[Found]) -> Limits {
        Limits::of(Whose::Guests, Tally { elapsed_ns: 1.0, whole_ns: 1.0, found: found.to_vec() })
    }

    #[test]
    fn what_is_waited_for_longest_limits_if_it_is_busy() {
        use ResourceKind::{Frames, PageVolumes, Paths, Processors};
        let of = |found: &[Found]| limits(found).limit;
        assert_eq!(of(&[resource(Paths, 0.6, 0.3), resource(PageVolumes, 0.9, 0.5)]), Some(PageVolumes));
        assert_eq!(of(&[resource(Paths, 0.6, 0.3), resource(Processors, 0.3, 0.5)]), Some(Paths), "half of it would do");
        assert_eq!(of(&[resource(Paths, 0.6, 0.05), resource(Processors, 0.95, 0.0)]), Some(Processors));
        assert_eq!(of(&[resource(Paths, 0.6, 0.05), resource(Frames, 1.0, 0.0)]), None, "full frames alone harm nobody");
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn resources_are_ranked_and_what_was_not_used_is_left_out() {
        use ResourceKind::{Aliases, PageVolumes, Paths, Processors};
        let all = limits(&[
            resource(Processors, 0.2, 0.0),
            resource(Aliases, 0.0, 0.0),
            resource(Paths, 0.4, 0.1),
            resource(PageVolumes, 2.0, 0.4),
        ]);
        assert_eq!(all.resources.iter().map(|one| one.kind).collect::<Vec<_>>(), [PageVolumes, Paths, Processors]);
        assert_eq!(all.limiting().map(|one| one.busy), Some(1.0));
        assert_eq!(all.get(Aliases), None);
    }

    #[test]
    fn members_add_their_waits_and_the_busiest_counts() {
        let mut tally = Tally::over(10);
        tally.whole_ns = 100.0;
        tally.waits(ResourceKind::Processors, 4, 0.5, 10.0);
        tally.waits(ResourceKind::Processors, 2, 0.9, 20.0);
        let [one] = tally.resources()[..] else { panic!("one kind") };
        assert_eq!((one.count, one.busy, one.queue, one.waiting), (2, 0.9, 3.0, 0.3));
    }

    #[test]
    fn a_run_without_time_has_no_limit() {
        let scenario = Scenario::default();
        let none = Limits::between(&scenario, &Snapshot::default(), &Snapshot::default());
        assert_eq!((none.limit, none.resources.len()), (None, 0));
    }
}
