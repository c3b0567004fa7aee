//! The scenario: what a host is made of and how it is measured. It goes in; everything else comes out.
//!
//! One table, [`fields`], states every field once: its path, unit, range, default and meaning. The text form, the checks,
//! the JSON Schema and the page's knobs are all made from it.

mod check;
pub(crate) mod cluster;
mod devices;
pub mod examples;
pub mod fields;
mod given;
mod left_out;
mod level;
mod pattern;
mod processing;
pub mod quantity;
pub(crate) mod relations;
mod role;
mod schema;
mod storage;
pub mod workloads;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use crate::constants::Constants;
pub use check::{Problem, ScenarioError};
pub use cluster::{Chpid, Cluster, Interruption, Isfc, MaxQuiesce, Order, OtherMember, Relocate, Relocation};
pub use devices::{AliasShare, Channel, DeviceKind, Lcu, Minidisks, Paging};
pub use level::{Level, Mechanism, Own, Presence};
pub use pattern::Pattern;
pub use processing::{Dispatcher, LimitHard, LimitType, Processors, Prsm, Scheduler, ShareType, SpinLock, Tenths};
pub use role::Role;
pub use schema::VERSION as SCHEMA_VERSION;
pub use storage::Storage;
use workloads::VIRSTOEX;

/// The tables of the text form, in their order, each with what it is.
pub(crate) const TABLES: [(&str, &str); 16] = [
    ("own", "What a host on level \"own\" has of what no real level lets choose."),
    ("processors", "The processors of the partition."),
    ("prsm", "PR/SM: the machine that a partition with shared processors is part of."),
    ("scheduler", "The scheduler: who may run."),
    ("dispatcher", "The dispatcher: who runs."),
    ("storage", "Central storage."),
    ("lcu", "The logical control unit: channel paths and HyperPAV aliases."),
    ("paging", "The paging volumes and how they are driven."),
    ("minidisks", "The volumes that hold minidisks, and the minidisk cache."),
    ("cluster", "The single system image cluster (SSI) that the host is a member of."),
    ("member2", "The second member, as far as it differs from the first, which the other tables describe."),
    ("member3", "The third member."),
    ("member4", "The fourth member."),
    ("isfc", "The ISFC logical link between each two members."),
    ("relocation", "How guests are relocated: VMRELOCATE, its options, and what decides."),
    ("measure", "How the host is measured: fill, warm-up, interval."),
];

/// Pages of 4 KB in a megabyte.
pub const PAGES_PER_MB: u64 = 256;

/// A host, its guests and how to measure it.
#[derive(Clone, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Scenario {
    /// What the scenario is called; a published run carries its run id.
    pub name: String,
    /// Which level of z/VM runs.
    pub level: Level,
    /// What level "own" has of what no real level lets choose.
    pub own: Own,
    /// The processors of the partition.
    pub processors: Processors,
    /// The machine around it, where processors are shared.
    pub prsm: Prsm,
    /// Who may run.
    pub scheduler: Scheduler,
    /// Who runs.
    pub dispatcher: Dispatcher,
    /// Central storage.
    pub storage: Storage,
    /// The logical control unit that holds the ECKD volumes: channel paths and HyperPAV aliases.
    pub lcu: Lcu,
    /// The paging volumes and how they are driven.
    pub paging: Paging,
    /// The volumes that hold the guests' minidisks, and the minidisk cache.
    pub minidisks: Minidisks,
    /// The single system image cluster that the host is a member of: the first.
    pub cluster: Cluster,
    /// The second member, as far as it differs from the first.
    pub member2: OtherMember,
    /// The third member.
    pub member3: OtherMember,
    /// The fourth member.
    pub member4: OtherMember,
    /// The logical link between each two members.
    pub isfc: Isfc,
    /// How guests are relocated.
    pub relocation: Relocation,
    /// The guests, in groups of equal ones.
    pub guests: Vec<GuestGroup>,
    /// How the host is measured.
    pub measure: Measure,
}

/// Guests that are alike.
#[derive(Clone, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct GuestGroup {
    /// What the guests are called; each gets a number behind it.
    pub name: String,
    /// How many of them.
    pub count: u32,
    /// Virtual CPUs of each.
    pub virtual_cpus: u32,
    /// How its share is given.
    pub share_type: ShareType,
    /// Its share where it is relative, 1 to 10000.
    pub share_relative: u32,
    /// Its share where it is absolute, percent of the partition.
    pub share_absolute: Tenths,
    /// How firm its maximum share is.
    pub limit_type: LimitType,
    /// Its maximum share, ABSOLUTE: percent of the partition.
    pub limit_absolute: Tenths,
    /// Whether it never waits in the eligible list (QUICKDSP).
    pub quickdsp: bool,
    /// Virtual storage of each in MB.
    pub virtual_mb: u64,
    /// Megabytes, at the top of virtual storage, that the guest's program loops through.
    pub loop_mb: u64,
    /// Pages that a guest is sure to keep in central storage, in MB.
    pub reserved_mb: u64,
    /// Whether CP reorders the guest's list of frames (SET REORDER).
    pub reorder: bool,
    /// How the program picks the next page of the loop.
    pub pattern: Pattern,
    /// References that the program makes to a page when it comes to it.
    pub references: u32,
    /// How many of a hundred touched pages are changed.
    pub change_percent: u32,
    /// Pages that the program touches before each I/O or pause.
    pub cycle_pages: u32,
    /// How many of a hundred pages of a cycle the program gives back to CP at the end of the cycle.
    pub release_percent: u32,
    /// Processor time of each cycle besides that of touching pages, in µs.
    pub cpu_us: u32,
    /// Processor time of CP in each cycle for a service that the program asks for, in µs. CP holds a lock for part of it.
    pub service_us: u32,
    /// Time in each cycle for which the program holds the guest's spin lock, in µs.
    pub lock_us: u32,
    /// Records of 4 KB in each I/O to the guest's minidisk; 0 is no I/O.
    pub io_records: u32,
    /// How many of a hundred I/Os are reads.
    pub io_read_percent: u32,
    /// Whether the guest's I/O is in transport mode (zHPF).
    pub io_zhpf: bool,
    /// Size of the guest's minidisk in MB.
    pub minidisk_mb: u64,
    /// Whether the minidisk cache serves the guest's minidisk.
    pub mdc: bool,
    /// Seconds between two FlashCopies onto the guest's whole minidisk; 0: none.
    pub flashcopy_s: u32,
    /// Whether it asks other guests for something, answers them, or neither.
    pub role: Role,
    /// Of a client: connections to each server guest.
    pub connections: u32,
    /// Mean think time after each cycle, in ms. On each connection of a client, from an answer to the next request.
    pub think_ms: Tenths,
    /// Time from the start of one cycle to the start of the next, in ms; a longer cycle delays the next. 0: each cycle
    /// follows the end of the one before.
    pub pace_ms: Tenths,
    /// Megabytes at the start of each virtual CPU's part of the loop that the program keeps touching once it has touched the
    /// whole loop; 0: all of it.
    pub active_mb: u64,
    /// How many of a hundred touches go to that part, where pages are touched at random; the others go to the rest of the loop.
    pub active_percent: u32,
    /// Most megabytes of pages that the guest touches a second, once it has touched the whole loop; 0: as fast as it can.
    pub touch_mb_s: u32,
    /// Devices whose configuration moves with the guest.
    pub devices: u32,
    /// The member where it is logged on at first, from 1.
    pub member: u32,
    /// The member that it is relocated to; 0: it stays.
    pub move_to: u32,
    /// Longest stop in a relocation that its users tolerate, in ms; 0: no limit given.
    pub tolerance_ms: u32,
    /// How many references or, for a program with cycles, how many cycles make a transaction.
    pub transaction: u64,
}

/// How the host is measured: fill, warm-up, interval.
#[derive(Clone, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Measure {
    /// Simulated seconds between the end of the fill and the start of the interval.
    pub warmup_s: u32,
    /// Simulated seconds of the interval whose figures are reported.
    pub interval_s: u32,
    /// Most events of the fill, and again of warm-up and interval, in millions.
    pub events_m: u32,
}

impl Default for Scenario {
    /// V4DVY000: the base run of the 6.4 paging page.
    fn default() -> Self {
        Scenario {
            name: "V4DVY000".into(),
            level: Level::default(),
            own: Own::default(),
            processors: Processors::default(),
            prsm: Prsm::default(),
            scheduler: Scheduler::default(),
            dispatcher: Dispatcher::default(),
            storage: Storage::default(),
            lcu: Lcu::default(),
            paging: Paging::default(),
            minidisks: Minidisks::default(),
            cluster: Cluster::default(),
            member2: OtherMember::default(),
            member3: OtherMember::default(),
            member4: OtherMember::default(),
            isfc: Isfc::default(),
            relocation: Relocation::default(),
            guests: vec![GuestGroup::default()],
            measure: Measure::default(),
        }
    }
}

impl Default for GuestGroup {
    /// The VIRSTOEX guests of the 6.4 paging page.
    fn default() -> Self {
        let mut group = GuestGroup {
            name: "VIRSTOEX".into(),
            count: 8,        // 6.4 paging page, method.
            virtual_cpus: 1, // same.
            share_type: ShareType::default(),
            share_relative: 100, // the usual share.
            share_absolute: Tenths(100),
            limit_type: LimitType::default(),
            limit_absolute: Tenths(100),
            quickdsp: false,
            virtual_mb: 18_432, // 18 GB: same.
            loop_mb: 16_384,    // 16 GB: same.
            reserved_mb: 0,
            reorder: true,
            pattern: Pattern::default(),
            references: 1,
            change_percent: 0,
            cycle_pages: 1,
            release_percent: 0,
            cpu_us: 0,
            service_us: 0,
            lock_us: 0,
            io_records: 0,
            io_read_percent: 0,
            io_zhpf: false,
            minidisk_mb: 1_000,
            mdc: true,
            flashcopy_s: 0,
            role: Role::Alone,
            connections: 1,
            think_ms: Tenths::ZERO,
            pace_ms: Tenths::ZERO,
            active_mb: 0,
            active_percent: 100,
            touch_mb_s: 0,
            devices: 4, // chosen: a console, an OSA with its three devices counted as one, two disks.
            member: 1,
            move_to: 0,
            tolerance_ms: 0,
            transaction: 1,
        };
        VIRSTOEX.apply(&mut group);
        group
    }
}

impl Default for Measure {
    fn default() -> Self {
        // Chosen: the rates are steady a few seconds after the fill, and half a minute holds 30,000 to 130,000 blocks.
        // A hundred million events take some twenty seconds natively; no published run makes a tenth of them.
        Measure { warmup_s: 5, interval_s: 30, events_m: 100 }
    }
}

impl Measure {
    /// Most events of the fill, and again of warm-up and interval.
    pub fn events_max(&self) -> u64 {
        u64::from(self.events_m) * 1_000_000
    }
}

impl GuestGroup {
    /// Whether its guests are relocated.
    pub fn moves(&self) -> bool {
        self.move_to > 0 && self.move_to != self.member
    }

    /// Whether the program works in cycles: it goes through files, does I/O, pauses, or does anything else besides touching pages.
    pub fn in_cycles(&self) -> bool {
        let pauses = [self.think_ms.0, self.pace_ms.0];
        let times = [self.cpu_us, self.service_us, self.lock_us, self.io_records, self.touch_mb_s].into_iter().chain(pauses);
        self.role != Role::Alone || self.pattern == Pattern::Files || times.into_iter().any(|time| time > 0)
    }

    /// Pages that each virtual CPU gives back at the end of a cycle. A program that goes from page to page at random gives none back.
    pub fn releases(&self) -> u64 {
        match self.in_cycles() && self.pattern != Pattern::Random {
            true => (self.cycle().0 * u64::from(self.release_percent)).div_ceil(100),
            false => 0,
        }
    }

    /// Pages of a cycle of each virtual CPU, and the time from cycle to cycle in ns; zero where cycles have no fixed pace.
    /// With `touch_mb_s` a cycle is the virtual CPU's part of what the guest touches in 10 ms, or 64 pages if that is less
    /// (chosen).
    pub fn cycle(&self) -> (u64, f64) {
        if self.touch_mb_s == 0 {
            return (self.cycle_pages.into(), self.pace_ms.as_f64() * 1e6);
        }
        let a_second = u64::from(self.touch_mb_s) * PAGES_PER_MB;
        let pages = (a_second / 100 / u64::from(self.virtual_cpus)).max(64);
        (pages, pages as f64 * f64::from(self.virtual_cpus) / a_second as f64 * 1e9)
    }
}

impl Scenario {
    /// Reads a scenario from its text form, TOML or JSON (a text that starts with `{`). Fields left out take their defaults.
    ///
    /// # Errors
    /// Every problem of the text together, each with the field, what was given and what is allowed.
    pub fn parse(text: &str) -> Result<Scenario, ScenarioError> {
        check::parse(text)
    }

    /// Checks a scenario that was made by a program.
    ///
    /// # Errors
    /// Every problem together, each with the field, what was given and what is allowed.
    pub fn check(&self) -> Result<(), ScenarioError> {
        check::check(self)
    }

    /// The scenario as TOML, every field stated.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a scenario is a tree of tables, texts, numbers and switches")
    }

    /// The scenario as one line of JSON, every field stated.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a scenario is a tree of tables, texts, numbers and switches")
    }

    /// The JSON Schema of the text form.
    pub fn json_schema() -> serde_json::Value {
        schema::json_schema()
    }

    /// How many guests all groups hold together.
    pub fn guest_count(&self) -> u64 {
        self.guests.iter().map(|group| u64::from(group.count)).sum()
    }

    /// Every guest: its group, the group's place, and the number behind the group's name. Groups of one name are numbered on, because no two
    /// guests have one name.
    pub fn each_guest(&self) -> impl Iterator<Item = (&GuestGroup, u32, u32)> {
        self.guests.iter().zip(0..).flat_map(|(group, at)| {
            let earlier = self.guests.iter().take(at as usize).filter(|other| other.name == group.name);
            let before: u32 = earlier.map(|other| other.count).sum();
            (1..=group.count).map(move |number| (group, at, before + number))
        })
    }

    /// Frames of central storage.
    pub fn installed_frames(&self) -> u64 {
        self.storage.central_mb * PAGES_PER_MB
    }

    /// Frames that the minidisk cache has for itself: none where CP's arbiter sets its size.
    pub fn mdc_frames(&self) -> u64 {
        if self.minidisks.mdc_arbiter { 0 } else { self.mdc_most_frames() }
    }

    /// Frames that the minidisk cache can have at most.
    pub fn mdc_most_frames(&self) -> u64 {
        self.minidisks.mdc_mb * PAGES_PER_MB
    }

    /// Whether CP's arbiter sets the size of the minidisk cache.
    pub fn has_mdc_arbiter(&self) -> bool {
        self.minidisks.mdc_arbiter && self.minidisks.mdc_mb > 0
    }

    /// Pages of expanded storage: those to which CP pages, and those of the minidisk cache. None where the level has no expanded storage.
    pub fn expanded_pages(&self) -> (u64, u64) {
        if !self.has(Mechanism::ExpandedStorage) {
            return (0, 0);
        }
        let cache_mb = self.minidisks.mdc_expanded_mb.min(self.storage.expanded_mb);
        ((self.storage.expanded_mb - cache_mb) * PAGES_PER_MB, cache_mb * PAGES_PER_MB)
    }

    /// Frames that can hold guests' pages: all except those of CP and the minidisk cache.
    pub fn guest_frames(&self, constants: &Constants) -> u64 {
        let installed = self.installed_frames();
        (installed - constants.cp_frames(installed)).saturating_sub(self.mdc_frames())
    }

    /// The same when the minidisk cache has all that CP's arbiter may give it. What pages, and what page space must hold, goes by this.
    pub fn guest_frames_least(&self, constants: &Constants) -> u64 {
        let is_filled =
            |group: &GuestGroup| group.io_records > 0 && group.mdc && !group.io_zhpf && group.io_read_percent > 0;
        let contested = self.has_mdc_arbiter() && self.guests.iter().any(is_filled);
        self.guest_frames(constants).saturating_sub(if contested { self.mdc_most_frames() } else { 0 })
    }

    /// Paging volumes of both kinds.
    pub fn page_volumes(&self) -> u32 {
        self.paging.volumes + self.paging.other_volumes
    }

    /// Page slots on all paging volumes.
    pub fn page_slots(&self) -> u64 {
        u64::from(self.paging.volumes) * self.paging.volume_slots
            + u64::from(self.paging.other_volumes) * self.paging.other_slots
    }

    /// Bytes of memory that the state of all guests' pages takes, about: what a run needs most of its memory for.
    pub fn page_state_bytes(&self) -> u64 {
        fields::page_state_bytes(self.guests.iter().map(|group| u64::from(group.count) * group.virtual_mb).sum())
    }

    /// How many virtual CPUs all guests hold together.
    pub fn virtual_cpu_count(&self) -> u64 {
        self.guests.iter().map(|group| u64::from(group.count) * u64::from(group.virtual_cpus)).sum()
    }

    /// Whether any guest is to be relocated.
    pub fn relocates(&self) -> bool {
        self.cluster.members > 1 && self.guests.iter().any(GuestGroup::moves)
    }

    /// Guests that are relocated, in all groups.
    pub fn moving_count(&self) -> u64 {
        self.guests.iter().filter(|group| group.moves()).map(|group| u64::from(group.count)).sum()
    }

    /// Whether any member except the first repeats the states of a member.
    pub fn transits(&self) -> bool {
        let others = [&self.member2, &self.member3, &self.member4];
        others.into_iter().take(self.cluster.members.saturating_sub(1) as usize).any(|member| member.transitions)
    }

    /// The scenario of member `number`, from 1: the same tables, with that member's own values in place of the first
    /// member's.
    pub fn of_member(&self, number: u32) -> Scenario {
        let mut scenario = self.clone();
        if let Some(other) = [&self.member2, &self.member3, &self.member4].get((number as usize).wrapping_sub(2)) {
            scenario.storage.central_mb = other.central_mb;
            scenario.processors.count = other.processors;
            scenario.paging.volumes = other.volumes;
        }
        scenario
    }

    /// Whether guests' I/O to minidisks can use aliases. EDEVs have none.
    pub fn minidisks_use_aliases(&self) -> bool {
        let (paging, minidisks) = (&self.paging, &self.minidisks);
        let own = minidisks.volumes > 0 && minidisks.kind.is_eckd();
        self.does_io() && (own || minidisks.on_page_volumes && paging.has_eckd())
    }

    /// Whether any guest does I/O to its minidisk.
    pub fn does_io(&self) -> bool {
        self.guests.iter().any(|group| group.io_records > 0)
    }
}
