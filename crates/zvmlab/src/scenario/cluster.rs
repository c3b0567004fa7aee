//! What a scenario says of the cluster: its members, the link between them, and how guests are relocated.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

/// Most CTCs of an ISFC logical link.
pub const CTCS_MAX: u32 = 16;

/// The single system image cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Cluster {
    /// How many members it has. One member is no cluster.
    pub members: u32,
    /// How long a member with `transitions` stays Joined, and Down, in s.
    pub state_s: u32,
    /// How long it is Leaving, and Joining, in s.
    pub transition_s: u32,
}

/// A member other than the first, as far as it differs from the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct OtherMember {
    /// Its central storage in MB.
    pub central_mb: u64,
    /// Its logical processors.
    pub processors: u32,
    /// Its paging volumes, of the kind that the first member has.
    pub volumes: u32,
    /// Whether it goes through the states Joined, Leaving, Down, Joining over and over.
    pub transitions: bool,
}

/// The speed of a FICON chpid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
pub enum Chpid {
    /// There is none.
    #[default]
    #[serde(rename = "none")]
    None,
    /// 1 Gb/s.
    #[serde(rename = "1 Gb")]
    Gb1,
    /// 2 Gb/s.
    #[serde(rename = "2 Gb")]
    Gb2,
    /// 4 Gb/s.
    #[serde(rename = "4 Gb")]
    Gb4,
    /// 8 Gb/s.
    #[serde(rename = "8 Gb")]
    Gb8,
}

/// The ISFC logical link between each two members: FICON chpids with CTC devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Isfc {
    /// The first chpid.
    pub chpid1: Chpid,
    /// The second.
    pub chpid2: Chpid,
    /// The third.
    pub chpid3: Chpid,
    /// The fourth.
    pub chpid4: Chpid,
    /// CTC devices of the first chpid.
    pub ctcs1: u32,
    /// CTC devices of the second.
    pub ctcs2: u32,
    /// CTC devices of the third.
    pub ctcs3: u32,
    /// CTC devices of the fourth.
    pub ctcs4: u32,
    /// Buffers for queued traffic of relocations, of each logical link and direction; one holds up to 256 pages.
    pub buffers: u32,
    /// Other traffic of the link, each direction, in MB/s.
    pub other_mb_s: u32,
}

/// How many guests are relocated at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
pub enum Relocate {
    /// One after the other.
    #[default]
    #[serde(rename = "SYNCH")]
    Synch,
    /// All at once.
    #[serde(rename = "ASYNCH")]
    Asynch,
}

/// Which guest is relocated first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
pub enum Order {
    /// As the scenario lists them.
    #[default]
    #[serde(rename = "as listed")]
    Listed,
    /// The one with the largest loop: after the fill it has touched the most storage.
    #[serde(rename = "largest first")]
    Largest,
    /// The one with the smallest loop: after the fill it has touched the least storage.
    #[serde(rename = "smallest first")]
    Smallest,
    /// The one that keeps touching the largest part of its storage, and so changes the most.
    #[serde(rename = "busiest first")]
    Busiest,
}

/// Which limit is given for the time that a guest may be stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
pub enum MaxQuiesce {
    /// Nothing: 10 s, or no limit with IMMEDIATE.
    #[default]
    #[serde(rename = "default")]
    Default,
    /// `maxquiesce_s` seconds.
    #[serde(rename = "seconds")]
    Seconds,
    /// No limit.
    #[serde(rename = "NOLIMIT")]
    NoLimit,
}

/// What interrupts a relocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
pub enum Interruption {
    /// Nothing.
    #[default]
    #[serde(rename = "none")]
    None,
    /// VMRELOCATE CANCEL.
    #[serde(rename = "CANCEL")]
    Cancel,
    /// The command is halted by CPHX.
    #[serde(rename = "CPHX")]
    Cphx,
    /// The ISFC connection is lost, and stays so.
    #[serde(rename = "link lost")]
    LinkLost,
    /// The guest is reset or logs off.
    #[serde(rename = "LOGOFF")]
    Logoff,
}

/// How guests are relocated: VMRELOCATE, its options, and the rules that CP goes by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Relocation {
    /// One after the other, or all at once.
    pub mode: Relocate,
    /// One early pass, then the guest is stopped at once.
    pub immediate: bool,
    /// Which MAXQUIESCE is given.
    pub maxquiesce: MaxQuiesce,
    /// MAXQUIESCE in s, if it is given in seconds.
    pub maxquiesce_s: u32,
    /// MAXTOTAL in s; 0: no limit.
    pub maxtotal_s: u32,
    /// FORCE STORAGE: go on even if the destination has no room for the guest.
    pub force_storage: bool,
    /// Which guest goes first.
    pub order: Order,
    /// When the first VMRELOCATE is issued, in s from the start of the interval.
    pub after_s: u32,
    /// Whether guests that have arrived go back, over and over until the interval ends.
    pub bounce: bool,
    /// How long they stay before they go back, in s.
    pub stay_s: u32,
    /// What interrupts the relocations.
    pub interruption: Interruption,
    /// When, in ms from the first VMRELOCATE.
    pub interruption_ms: u32,
    /// The window in which all guests must be moved, in s; 0: none given.
    pub window_s: u32,
    /// Most passes of a memory move, including the two with the guest stopped.
    pub passes_max: u32,
    /// The guest is stopped once the rest would take no longer than this, in ms.
    pub goal_ms: u32,
    /// Relocations hold back while this many paging I/Os wait for each volume, at either end; 0: never.
    pub throttle_paging: u32,
    /// A relocation holds back while this many of its buffers wait for frames at the destination.
    pub throttle_endpoint: u32,
}

impl Default for Cluster {
    fn default() -> Self {
        Cluster { members: 1, state_s: 20, transition_s: 5 }
    }
}

impl Default for OtherMember {
    fn default() -> Self {
        OtherMember { central_mb: 131_072, processors: 4, volumes: 4, transitions: false } // As the first member's defaults.
    }
}

impl Default for Isfc {
    /// One chpid of 8 Gb with four CTCs.
    fn default() -> Self {
        Isfc {
            chpid1: Chpid::Gb8,
            chpid2: Chpid::None,
            chpid3: Chpid::None,
            chpid4: Chpid::None,
            ctcs1: 4, // 6.2 deck, best practices.
            ctcs2: 4,
            ctcs3: 4,
            ctcs4: 4,
            buffers: 64, // Assumed; not published.
            other_mb_s: 0,
        }
    }
}

impl Default for Relocation {
    fn default() -> Self {
        Relocation {
            mode: Relocate::default(),
            immediate: false,
            maxquiesce: MaxQuiesce::default(),
            maxquiesce_s: 10,
            maxtotal_s: 0,
            force_storage: false,
            order: Order::default(),
            after_s: 2,
            bounce: false,
            stay_s: 5,
            interruption: Interruption::default(),
            interruption_ms: 1_000,
            window_s: 0,
            passes_max: 8,        // Assumed, with the eight passes of the deck's busy guest in view.
            goal_ms: 100,         // Assumed; not published.
            throttle_paging: 4,   // Assumed; not published.
            throttle_endpoint: 8, // Assumed; not published.
        }
    }
}

impl Chpid {
    /// The speed as people write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Chpid::None => "none",
            Chpid::Gb1 => "1 Gb",
            Chpid::Gb2 => "2 Gb",
            Chpid::Gb4 => "4 Gb",
            Chpid::Gb8 => "8 Gb",
        }
    }

    /// Every speed, the lowest first.
    pub const ALL: [Chpid; 5] = [Chpid::None, Chpid::Gb1, Chpid::Gb2, Chpid::Gb4, Chpid::Gb8];

    /// The speed in Gb/s.
    pub fn gb_s(self) -> u32 {
        match self {
            Chpid::None => 0,
            Chpid::Gb1 => 1,
            Chpid::Gb2 => 2,
            Chpid::Gb4 => 4,
            Chpid::Gb8 => 8,
        }
    }
}

impl Isfc {
    /// The chpids of the link that exist, each with its CTCs.
    pub fn chpids(&self) -> Vec<(Chpid, u32)> {
        let all =
            [(self.chpid1, self.ctcs1), (self.chpid2, self.ctcs2), (self.chpid3, self.ctcs3), (self.chpid4, self.ctcs4)];
        all.into_iter().filter(|&(chpid, _)| chpid != Chpid::None).collect()
    }

    /// The capacity factor: the sum of the chpids' speeds in Gb/s (6.2 deck, table 3).
    pub fn capacity_factor(&self) -> u32 {
        self.chpids().iter().map(|(chpid, _)| chpid.gb_s()).sum()
    }
}

impl Relocation {
    /// The longest time in s for which a guest may be stopped: as given, or 10 s, or without limit with IMMEDIATE (VMRELOCATE).
    pub fn quiesce_limit_s(&self) -> Option<u32> {
        match self.maxquiesce {
            MaxQuiesce::Seconds => Some(self.maxquiesce_s),
            MaxQuiesce::NoLimit => None,
            MaxQuiesce::Default => (!self.immediate).then_some(10),
        }
    }

    /// The longest time in s that a relocation may take.
    pub fn total_limit_s(&self) -> Option<u32> {
        (self.maxtotal_s > 0).then_some(self.maxtotal_s)
    }
}

/// A field that holds one of a few words: the words, in order.
macro_rules! words {
    ($type:ident: $($variant:ident = $word:literal),+) => {
        impl $type {
            /// Every value.
            pub const ALL: &[$type] = &[$($type::$variant),+];

            /// The value as people write it.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($type::$variant => $word),+
                }
            }
        }
    };
}

words!(Relocate: Synch = "SYNCH", Asynch = "ASYNCH");
words!(Order: Listed = "as listed", Largest = "largest first", Smallest = "smallest first", Busiest = "busiest first");
words!(MaxQuiesce: Default = "default", Seconds = "seconds", NoLimit = "NOLIMIT");
words!(Interruption: None = "none", Cancel = "CANCEL", Cphx = "CPHX", LinkLost = "link lost", Logoff = "LOGOFF");
