//! The subjects of the laboratory: what one can look into, and the hosts at which each begins. Knows no browser.

pub mod headline;
pub mod introduction;
pub mod next_step;

use zvmlab::Scenario;
use zvmlab::constants::Constants;
use zvmlab::scenario::{GuestGroup, Level, LimitType, PAGES_PER_MB, ShareType, SpinLock};

use crate::published::ready::{like, scenario_of};
use crate::published::source_id;
use crate::room::Room;

/// What a subject is about: its link stands with those of the same part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Paging, minidisks, and the devices that both are on.
    Storage,
    /// Who may run, who runs, and at what price.
    Processors,
    /// Members of a cluster, the link between them, and guests that move.
    Relocation,
}

impl Part {
    /// Every part, in the order in which they stand.
    pub const ALL: [Part; 3] = [Part::Storage, Part::Processors, Part::Relocation];

    /// What stands before its links.
    pub fn title(self) -> &'static str {
        match self {
            Part::Storage => "Storage and devices",
            Part::Processors => "Scheduler and processors",
            Part::Relocation => "Live Guest Relocation",
        }
    }

    /// Its name in the page.
    pub fn id(self) -> &'static str {
        match self {
            Part::Storage => "subjects-storage",
            Part::Processors => "subjects-processors",
            Part::Relocation => "subjects-relocation",
        }
    }
}

/// A host at which a subject can be begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The id of the published run, or of the example.
    pub id: &'static str,
    /// What its link says.
    pub title: &'static str,
}

/// One subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// What its link says.
    pub title: &'static str,
    /// What one finds out.
    pub question: &'static str,
    /// The part that it is of.
    pub part: Part,
    /// The source of its published runs, where there is one.
    pub source: Option<&'static str>,
    /// The hosts at which it can be begun, the first before all others. Those of a source that offers many runs are in the menu.
    pub setups: &'static [Setup],
    /// The room that shows it, which stands first.
    pub room: Room,
    /// Whether it is about what the volumes are.
    pub kinds: bool,
}

const fn setup(id: &'static str, title: &'static str) -> Setup {
    Setup { id, title }
}

/// How minidisk and paging I/O share the page volumes' control unit, and what is done to either.
pub const PAGING: &Subject = &Subject {
    title: "Paging",
    question: "What larger blocks, zHPF and aliases do for paging",
    part: Part::Storage,
    source: Some("paging-6.4"),
    setups: &[setup("V4DVY000", "four volumes")],
    room: Room::Overview,
    kinds: false,
};

/// Aliases shared by minidisk and paging I/O.
pub const SET_CU: &Subject = &Subject {
    title: "SET CU",
    question: "How minidisk and paging I/O share the aliases of a control unit",
    part: Part::Storage,
    source: Some("alias-share-6.4"),
    setups: &[setup("QRBKW055", "equal shares")],
    room: Room::ControlUnit,
    kinds: false,
};

/// Transport mode for guests.
pub const GUEST_ZHPF: &Subject = &Subject {
    title: "Guest zHPF",
    question: "What transport mode does for the I/O of a guest, and to its minidisk cache",
    part: Part::Storage,
    source: Some("guest-zhpf-6.2"),
    setups: &[setup("JB001238", "command mode")],
    room: Room::Minidisks,
    kinds: false,
};

/// What the page volumes are.
pub const KINDS: &Subject = &Subject {
    title: "Kinds of device",
    question: "What spinning disk, SSD and flash do for paging",
    part: Part::Storage,
    source: Some("ssd-deck"),
    setups: &[setup("LPAR1 w/o DS8870", "spinning disk")],
    room: Room::Paging,
    kinds: true,
};

/// The eligible list and its barriers.
pub const STORBUF: &Subject = &Subject {
    title: "STORBUF",
    question: "Who waits in the eligible list, and is it better to wait there or to page?",
    part: Part::Processors,
    source: None,
    setups: &[
        setup("STORBUF", "Constrained host"),
        setup("STORBUF-FITS", "Guests nearly fit"),
        setup("CLASSES", "CMS, batch and Linux"),
    ],
    room: Room::Scheduler,
    kinds: false,
};

/// Shares and limits.
pub const SHARES: &Subject = &Subject {
    title: "Shares",
    question: "Who gets how much of the processors, and what becomes of a share that its guest does not take?",
    part: Part::Processors,
    source: Some("excess-share-6.2"),
    setups: &[
        setup("Excess share, cured", "Excess share"),
        setup("Excess share, fault", "… with the fault"),
        setup("All four compute-bound", "No excess"),
        setup("LIMIT-SUM", "LIMITHARD, shares over 100 %"),
        setup("LIMIT-LOW-MIN", "LIMITHARD, low minimum"),
        setup("LIMIT-NOT-BUSY", "LIMITHARD, host not busy"),
    ],
    room: Room::Scheduler,
    kinds: false,
};

/// Diag X'44' of guests, and CP's own spin locks.
pub const LOCKS: &Subject = &Subject {
    title: "Locks and yields",
    question: "What does it cost to wait for a lock whose holder does not run?",
    part: Part::Processors,
    source: Some("diag44-5.2"),
    setups: &[
        setup("APS9220", "Diag X'44' of a guest, z/VM 5.1"),
        setup("APT9280", "… with the fast path, z/VM 5.2"),
        setup("SPIN-LOCK", "CP's spin locks"),
    ],
    room: Room::Locks,
    kinds: false,
};

/// Partitions that share processors.
pub const PRSM: &Subject = &Subject {
    title: "PR/SM",
    question: "What is the partition entitled to, and what do logical processors beyond that cost?",
    part: Part::Processors,
    source: None,
    setups: &[setup("PRSM", "four partitions")],
    room: Room::Prsm,
    kinds: false,
};

/// Ready work that is forgotten, and work that piles up behind a lock.
pub const PLDV: &Subject = &Subject {
    title: "PLDV and VARY",
    question: "Why does ready work not run while a processor has nothing to do?",
    part: Part::Processors,
    source: None,
    setups: &[setup("PLDV", "PLDV overflow (VM64887)"), setup("VARY", "VARY PROCESSOR (VM64767)")],
    room: Room::Processors,
    kinds: false,
};

/// One guest that is relocated.
pub const MOVE: &Subject = &Subject {
    title: "Move a guest",
    question: "How long does a guest stand still while it moves to another member, and how long does it all take?",
    part: Part::Relocation,
    source: Some("relocation-6.2"),
    setups: &[
        setup("MOVE", "40 GB, changing 2 GB a second"),
        setup("LGR100G-IDLE", "100 GB idle"),
        setup("LGR100G-25GB", "100 GB changing 25 GB"),
        setup("LGR-JAVA", "Java"),
        setup("LGR-PAGECACHE", "page cache"),
        setup("LGR-DIRECT", "direct I/O"),
        setup("LGR-OLTP", "database"),
    ],
    room: Room::Relocation,
    kinds: false,
};

/// The chpids and CTCs between members.
pub const LINK: &Subject = &Subject {
    title: "The ISFC link",
    question: "What does another chpid buy, and what is lost where chpids or CTCs are unequal?",
    part: Part::Relocation,
    source: None,
    setups: &[setup("ISFC", "a guest of 16 GB")],
    room: Room::Isfc,
    kinds: false,
};

/// Many equal guests.
pub const TWENTY_FIVE: &Subject = &Subject {
    title: "Twenty-five guests",
    question: "One after the other or all at once, with IMMEDIATE or without: who is best at what?",
    part: Part::Relocation,
    source: Some("relocation-6.2"),
    setups: &[
        setup("TWENTY-FIVE", "two chpids of 8 Gb"),
        setup("LGR25-SERIAL", "SYNCH, capacity factor 18"),
        setup("LGR25-SERIAL-IMM", "… IMMEDIATE"),
        setup("LGR25-CONC", "ASYNCH, capacity factor 18"),
        setup("LGR25-CONC-IMM", "… IMMEDIATE"),
    ],
    room: Room::Relocation,
    kinds: false,
};

/// Members that page while a guest is relocated.
pub const CONSTRAINED: &Subject = &Subject {
    title: "Short of storage",
    question: "What holds a relocation back where storage is short, and what does it cost?",
    part: Part::Relocation,
    source: None,
    setups: &[setup("CONSTRAINED", "a destination that is too small")],
    room: Room::Relocation,
    kinds: false,
};

/// Work that stays while guests come and go.
pub const BESIDE: &Subject = &Subject {
    title: "Beside other work",
    question: "What does work that stays where it is lose on each member while others come and go?",
    part: Part::Relocation,
    source: None,
    setups: &[setup("BOUNCE", "guests that bounce beside web servers")],
    room: Room::Relocation,
    kinds: false,
};

/// A member whose guests must all go.
pub const EVACUATION: &Subject = &Subject {
    title: "Empty a member",
    question: "Which guest first, where to, one at a time or all at once, and is there room?",
    part: Part::Relocation,
    source: None,
    setups: &[setup("EVACUATION", "twelve guests into two members")],
    room: Room::Evacuation,
    kinds: false,
};

/// Members that come and go.
pub const CLUSTER: &Subject = &Subject {
    title: "The cluster",
    question: "Do members that leave and join disturb work on the one that stays?",
    part: Part::Relocation,
    source: None,
    setups: &[setup("CLUSTER", "four members")],
    room: Room::Cluster,
    kinds: false,
};

/// Every subject, in the order of their links.
pub const SUBJECTS: [&Subject; 16] = [
    PAGING,
    SET_CU,
    GUEST_ZHPF,
    KINDS,
    STORBUF,
    SHARES,
    LOCKS,
    PRSM,
    PLDV,
    MOVE,
    LINK,
    TWENTY_FIVE,
    CONSTRAINED,
    BESIDE,
    EVACUATION,
    CLUSTER,
];

impl Subject {
    /// The subject of a scenario that began as the ready experiment `run`: that of the ready experiment which it still is; that
    /// at which it began, while it is a cluster as that was; where neither is one, while it is about the same kinds of I/O, or its
    /// guests' I/O is turned off; else what it is a matter of.
    pub fn of(scenario: &Scenario, run: Option<&str>) -> &'static Subject {
        let with = |run: &str| SUBJECTS.into_iter().find(|subject| subject.has(run));
        let alike = |base: &Scenario| match (is_cluster(base), is_cluster(scenario)) {
            (true, true) => true,
            (false, false) => ios(base) == ios(scenario) || base.does_io() && !scenario.does_io(),
            _ => false,
        };
        let kept = |run: &&str| scenario_of(run).is_some_and(|base| alike(&base));
        let known = like(scenario).and_then(|run| with(&run)).or_else(|| run.filter(kept).and_then(with));
        known.unwrap_or_else(|| Subject::of_unknown(scenario))
    }

    /// What a host that nobody knows is a matter of: what it has that others have not tells.
    fn of_unknown(scenario: &Scenario) -> &'static Subject {
        if is_cluster(scenario) {
            return Subject::of_cluster(scenario);
        }
        let any = |of: fn(&GuestGroup) -> bool| scenario.guests.iter().any(of);
        let (dispatcher, shared) = (&scenario.dispatcher, scenario.processors.shared);
        match ios(scenario) {
            (true, true) => SET_CU,
            (true, false) => GUEST_ZHPF,
            _ if dispatcher.vary_s > 0 || !dispatcher.pldv_fix => PLDV,
            _ if any(|group| group.lock_us > 0) => LOCKS,
            // Locks of CP are contended wherever guests ask for services; how it waits for them matters among partitions.
            _ if any(|group| group.service_us > 0) && (!shared || dispatcher.spin_lock == SpinLock::Diag44) => LOCKS,
            _ if shared => PRSM,
            _ if any(|group| group.limit_type != LimitType::NoLimit || group.share_type == ShareType::Absolute) => SHARES,
            _ if scenario.guests.windows(2).any(|pair| pair[0].share_relative != pair[1].share_relative) => SHARES,
            _ if scenario.level.keeps_eligible() && pages(scenario) => STORBUF,
            _ => PAGING,
        }
    }

    /// The same of a cluster: how many guests are moved, and where to, tells.
    fn of_cluster(scenario: &Scenario) -> &'static Subject {
        let groups = scenario.guests.iter().filter(|group| moves(group)).count();
        let short = |group: &GuestGroup| group.loop_mb > central_mb(scenario, group.move_to);
        match moving(scenario) {
            0 => CLUSTER,
            _ if scenario.relocation.bounce => BESIDE,
            _ if groups > 1 || scenario.relocation.window_s > 0 => EVACUATION,
            1 if scenario.guests.iter().any(|group| moves(group) && short(group)) || pages(scenario) => CONSTRAINED,
            1 => MOVE,
            _ => TWENTY_FIVE,
        }
    }

    /// Whether the ready experiment `id` is one of it. Where two subjects have runs of one source, each names its own.
    pub fn has(&self, id: &str) -> bool {
        let names = |subject: &Subject| subject.setups.iter().any(|setup| setup.id == id);
        let is_of_source = || source_id(id).is_some_and(|source| self.source == Some(source));
        names(self) || is_of_source() && !SUBJECTS.into_iter().any(names)
    }

    /// The id of the host at which it begins.
    pub fn start(&self) -> &'static str {
        self.setups.first().map_or("", |setup| setup.id)
    }

    /// The scenario at which it begins.
    pub fn base(&self) -> Option<Scenario> {
        scenario_of(self.start())
    }

    /// Whether it is about the scheduler and processors.
    pub fn is_of_processors(&self) -> bool {
        self.part == Part::Processors
    }

    /// Whether it is about a cluster and guests that move in it.
    pub fn is_of_relocation(&self) -> bool {
        self.part == Part::Relocation
    }
}

/// Whether there are members beside the first.
pub fn is_cluster(scenario: &Scenario) -> bool {
    scenario.cluster.members > 1
}

/// Whether the guests of a group are relocated.
pub fn moves(group: &GuestGroup) -> bool {
    group.move_to > 0 && group.move_to != group.member
}

/// Guests that are relocated, all together.
pub fn moving(scenario: &Scenario) -> u64 {
    scenario.guests.iter().filter(|group| moves(group)).map(|group| u64::from(group.count)).sum()
}

/// Central storage of a member in MB; members are counted from 1.
pub fn central_mb(scenario: &Scenario, member: u32) -> u64 {
    match member {
        2 => scenario.member2.central_mb,
        3 => scenario.member3.central_mb,
        4 => scenario.member4.central_mb,
        _ => scenario.storage.central_mb,
    }
}

/// Which I/O there is: to minidisks, and beside it to page volumes; without the former it is all about the latter.
fn ios(scenario: &Scenario) -> (bool, bool) {
    let io = scenario.does_io();
    (io, !io || pages(scenario))
}

/// Storage that the guests touch, all together: those of the first member, where there are others.
pub fn looped_mb(scenario: &Scenario) -> u64 {
    let there = scenario.guests.iter().filter(|group| group.member == 1);
    there.map(|group| u64::from(group.count) * group.loop_mb).sum()
}

/// Whether the guests touch more than there are frames for them, so that the host pages: the first member, where there are others.
pub fn pages(scenario: &Scenario) -> bool {
    looped_mb(scenario) * PAGES_PER_MB > scenario.guest_frames(&Constants::default())
}

/// Whether some page volume is an ECKD volume, which can have aliases.
pub fn has_eckd_pages(scenario: &Scenario) -> bool {
    let paging = &scenario.paging;
    paging.kind.is_eckd() || paging.other_volumes > 0 && paging.other_kind.is_eckd()
}

/// Whether minidisk and paging I/O can use aliases, as many as there may be: EDEVs have none, paging had none before 6.4.
pub fn alias_users(scenario: &Scenario) -> (bool, bool) {
    let (paging, minidisks) = (&scenario.paging, &scenario.minidisks);
    let on_minidisks = minidisks.volumes > 0 && minidisks.kind.is_eckd();
    let mdisk = on_minidisks || minidisks.on_page_volumes && has_eckd_pages(scenario);
    (scenario.does_io() && mdisk, scenario.level >= Level::V6_4 && paging.alias && has_eckd_pages(scenario))
}

#[cfg(test)]
mod tests;
