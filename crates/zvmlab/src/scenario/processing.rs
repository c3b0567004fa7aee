//! What a scenario says of processors: the partition and the machine around it, the scheduler, the dispatcher, and a guest's
//! share.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::level::Level;

/// A number with one decimal, held in tenths so that it is exact: 12.5 is 125 of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, BorshSerialize, BorshDeserialize)]
pub struct Tenths(pub u32);

impl Tenths {
    /// Nothing.
    pub const ZERO: Tenths = Tenths(0);

    /// A whole number.
    pub const fn whole(number: u32) -> Tenths {
        Tenths(number * 10)
    }

    /// The number.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 10.0
    }

    /// The number as tenths, if it has no more than one decimal.
    pub fn from_f64(number: f64) -> Option<Tenths> {
        let tenths = libm::round(number * 10.0);
        let exact = (0.0..=1e9).contains(&tenths) && tenths / 10.0 == number;
        exact.then_some(Tenths(tenths as u32))
    }
}

impl std::fmt::Display for Tenths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.as_f64())
    }
}

impl Serialize for Tenths {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(10) {
            serializer.serialize_u32(self.0 / 10)
        } else {
            serializer.serialize_f64(self.as_f64())
        }
    }
}

/// The processors of the partition.
#[derive(Clone, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Processors {
    /// How many logical processors.
    pub count: u32,
    /// Whether PR/SM shares physical processors among this partition and others; if not, each logical processor has its own.
    pub shared: bool,
    /// Speed of the processors, in percent of their nominal capacity.
    pub capacity_percent: u32,
}

/// PR/SM: the machine that a partition with shared processors is part of.
#[derive(Clone, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Prsm {
    /// Physical processors that the partitions share.
    pub physical: u32,
    /// Weight of this partition.
    pub weight: u32,
    /// Other partitions, all alike.
    pub partitions: u32,
    /// Weight of each of them.
    pub other_weight: u32,
    /// Logical processors of each of them.
    pub other_logical: u32,
    /// Percentage of time in which each of those wants to run.
    pub other_busy_percent: u32,
    /// How long a logical processor keeps a physical one if others wait for it, in ms.
    pub slice_ms: u32,
    /// Whether the partition gets no more than its entitlement, even if others leave processors idle (initial capping).
    pub capped: bool,
    /// The most physical processors that the partition gets, 0 for as many as there are (absolute capping).
    pub absolute_cap: Tenths,
}

impl Prsm {
    /// The partition's entitlement in thousandths of a processor, rounded down: the shared physical processors times its weight
    /// over the sum of all weights.
    pub fn entitled_thousandths(&self) -> u64 {
        let all_weights = u64::from(self.weight) + u64::from(self.partitions) * u64::from(self.other_weight);
        1000 * u64::from(self.physical) * u64::from(self.weight) / all_weights.max(1)
    }

    /// The most that the partition gets, in thousandths of a processor; none if nothing caps it. Of two caps the lower one
    /// holds.
    pub fn cap_thousandths(&self) -> Option<u64> {
        let of_weight = self.capped.then(|| self.entitled_thousandths().max(1));
        let absolute = (self.absolute_cap > Tenths::ZERO).then_some(u64::from(self.absolute_cap.0) * 100);
        of_weight.into_iter().chain(absolute).min()
    }
}

/// How CP finds out that a guest with LIMITHARD is at its limit (SET SRM LIMITHARD).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
pub enum LimitHard {
    /// By its deadline: the only way before VM64721.
    #[serde(rename = "DEADLINE")]
    Deadline,
    /// By what it has consumed: the default from 6.2 on.
    #[default]
    #[serde(rename = "CONSUMPTION")]
    Consumption,
}

impl LimitHard {
    /// The word of the command.
    pub fn as_str(self) -> &'static str {
        match self {
            LimitHard::Deadline => "DEADLINE",
            LimitHard::Consumption => "CONSUMPTION",
        }
    }
}

/// The scheduler: who may run.
#[derive(Clone, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Scheduler {
    /// First number of SET SRM STORBUF: percent of pageable storage for Q1, Q2 and Q3 together.
    pub storbuf_1: u32,
    /// Second number: percent of pageable storage for Q2 and Q3 together.
    pub storbuf_2: u32,
    /// Third number: percent of pageable storage for Q3.
    pub storbuf_3: u32,
    /// Elapsed slice of class 1 in ms; those of classes 2 and 3 are 6 and 48 times as long.
    pub elapsed_slice_ms: u32,
    /// How CP finds out that a guest is past a LIMITHARD.
    pub limithard: LimitHard,
    /// Whether one guest gets all the share that another does not use (the fault). Otherwise all get it in proportion.
    pub excess_fault: bool,
}

/// What a logical processor does while it waits for a lock of CP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
pub enum SpinLock {
    /// It spins for a while, then yields to PR/SM without saying to whom: Diag X'44'.
    #[serde(rename = "DIAG 44")]
    Diag44,
    /// It senses whether the holder runs, and spins if so. If not, it has PR/SM run the holder: Diag X'9C' (VM64927).
    #[default]
    #[serde(rename = "DIAG 9C")]
    Diag9c,
}

impl SpinLock {
    /// The way as people write it.
    pub fn as_str(self) -> &'static str {
        match self {
            SpinLock::Diag44 => "DIAG 44",
            SpinLock::Diag9c => "DIAG 9C",
        }
    }
}

/// The dispatcher: who runs.
#[derive(Clone, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Dispatcher {
    /// Minor slice in ms of processor time (SET SRM DSPSLICE).
    pub minor_slice_ms: u32,
    /// Virtual CPUs that the vector (PLDV) of a logical processor holds.
    pub vector_entries: u32,
    /// Time between reshuffles in ms.
    pub reshuffle_ms: u32,
    /// Whether a reshuffle notes that vectors overflowed (VM64887).
    pub pldv_fix: bool,
    /// What a logical processor does while it waits for a lock of CP.
    pub spin_lock: SpinLock,
    /// How a virtual CPU gives way while it waits for its guest's lock.
    pub guest_lock: SpinLock,
    /// Whether the fast path serves guests with any number of virtual CPUs: a Diag X'44' with nobody to yield to returns at
    /// once.
    pub diag44_fast_path: bool,
    /// The second of the interval at which VARY PROCESSOR is entered; 0: never.
    pub vary_s: u32,
    /// Whether VARY PROCESSOR gives its lock back (VM64767 with VM64876).
    pub vary_fix: bool,
}

/// How a guest's share is given (SET SHARE).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
pub enum ShareType {
    /// Relative to the other relative shares.
    #[default]
    #[serde(rename = "RELATIVE")]
    Relative,
    /// A part of the whole partition.
    #[serde(rename = "ABSOLUTE")]
    Absolute,
}

impl ShareType {
    /// The word of the command.
    pub fn as_str(self) -> &'static str {
        match self {
            ShareType::Relative => "RELATIVE",
            ShareType::Absolute => "ABSOLUTE",
        }
    }
}

/// How firm a guest's maximum share is (SET SHARE).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
pub enum LimitType {
    /// There is none.
    #[default]
    #[serde(rename = "NOLIMIT")]
    NoLimit,
    /// Past it the guest gets only what nobody else could use.
    #[serde(rename = "LIMITSOFT")]
    LimitSoft,
    /// Past it the guest gets nothing.
    #[serde(rename = "LIMITHARD")]
    LimitHard,
}

impl LimitType {
    /// The word of the command.
    pub fn as_str(self) -> &'static str {
        match self {
            LimitType::NoLimit => "NOLIMIT",
            LimitType::LimitSoft => "LIMITSOFT",
            LimitType::LimitHard => "LIMITHARD",
        }
    }
}

impl Default for Processors {
    fn default() -> Self {
        Processors { count: 8, shared: false, capacity_percent: 100 } // eight IFL cores, dedicated: 6.4 paging page, method.
    }
}

impl Default for Prsm {
    fn default() -> Self {
        // Chosen; of no effect while the partition is dedicated.
        Prsm {
            physical: 8,
            weight: 100,
            partitions: 1,
            other_weight: 100,
            other_logical: 8,
            other_busy_percent: 50,
            slice_ms: 12,
            capped: false,
            absolute_cap: Tenths::ZERO,
        }
    }
}

impl Default for Scheduler {
    fn default() -> Self {
        let [storbuf_1, storbuf_2, storbuf_3] = Level::default().storbuf_initial();
        Scheduler {
            storbuf_1,
            storbuf_2,
            storbuf_3,
            // Chosen: no length is published; 1 : 6 : 48 between the classes is assumed.
            elapsed_slice_ms: 250,
            limithard: LimitHard::default(),
            excess_fault: false,
        }
    }
}

impl Default for Dispatcher {
    fn default() -> Self {
        Dispatcher {
            minor_slice_ms: 5, // Assumed; the command takes 1 to 100 ms.
            vector_entries: 6, // Chosen; not published.
            reshuffle_ms: 500, // Chosen; not published.
            pldv_fix: true,
            spin_lock: SpinLock::default(),
            guest_lock: SpinLock::Diag44,
            diag44_fast_path: true,
            vary_s: 0,
            vary_fix: true,
        }
    }
}
