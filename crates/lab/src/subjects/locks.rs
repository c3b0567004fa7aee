//! The subject of locks and yields: Diag X'44' of guests, and CP's own spin locks.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{Level, Mechanism, Scenario, SpinLock};

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Step, Way};
use super::of_processors::{on, who};
use super::{Depth, Part, Particulars, Remark, Setup, Sign, Subject, of_processors};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// Diag X'44' of guests, and CP's own spin locks.
pub static LOCKS: &Subject = &Subject {
    title: "Locks and yields",
    question: "What does it cost to wait for a lock whose holder does not run?",
    depth: Depth::Further,
    part: Part::Processors,
    sources: &["diag44-5.2", "spin-ways-6.2", "regression-5.2"],
    setups: &[
        Setup::new("APS9220", "Diag X'44' of a guest, z/VM 5.1").back("z/VM 5.1, without the fast path."),
        Setup::new("APT9280", "… with the fast path, z/VM 5.2"),
        Setup::new("SPIN-LOCK", "CP's spin locks"),
    ],
    limit: Some(ResourceKind::Processors),
    room: Room::Locks,
    sign: Some(Sign { order: 40, is_seen }),
    groups: &[id::SYSTEM, id::DISPATCHER, id::GUESTS, id::PROCESSORS],
    is_main,
    swept: |scenario| if scenario.processors.shared { path::PRSM_OTHER_BUSY_PERCENT } else { path::GUESTS_VIRTUAL_CPUS },
    introduction,
    chain: CHAIN,
    leads,
    table: |_| TABLE,
    particulars: Particulars { remark: Some(Remark::FastPath), hides_nought: true, ..Particulars::NONE },
};

const CHAIN: Chain = Chain { steps: &[FAST_PATH, RUN_THE_HOLDER], made };

const FAST_PATH: Step = Step {
    label: |_| "Upgrade to z/VM 5.2".into(),
    reason: "In a guest of any size, Diag X'44' returns at once if no virtual CPU waits to run.",
    is_due: |seen| has_locks(seen.scenario) && !seen.scenario.dispatcher.diag44_fast_path,
    take: |scenario| {
        if scenario.level.lacks(Mechanism::Diag44FastPath) {
            scenario.level = Level::V5_2;
        }
        scenario.dispatcher.diag44_fast_path = true;
    },
    shows: (Figure::Diag44Normal, Way::Down),
};

const RUN_THE_HOLDER: Step = Step {
    label: |_| "Apply VM64927".into(),
    reason: "A waiting processor spins if the holder runs; if not, PR/SM runs the holder.",
    is_due: |seen| {
        let by_diag44 = seen.scenario.dispatcher.spin_lock == SpinLock::Diag44;
        by_diag44 && asks(seen.scenario) && !has_locks(seen.scenario)
    },
    take: |scenario| scenario.dispatcher.spin_lock = SpinLock::Diag9c,
    shows: (Figure::CpSpin, Way::Down),
};

fn made(scenario: &Scenario, _: &Limits) -> Cow<'static, str> {
    match (has_locks(scenario), asks(scenario)) {
        (true, _) => {
            "Who yields by Diag X'44' pays little where no other virtual CPU waits to run: the fast path returns at once."
        }
        (false, true) => {
            "A processor that waits for a lock of CP has PR/SM run the holder, so little time goes into spinning."
        }
        (false, false) => "No guest here takes a lock.",
    }
    .into()
}

const DIAG44: &[Lead] = &[
    lead(Figure::Diag44Normal, "Diag X'44' a second, normal path", "normal"),
    lead(Figure::Diag44Fast, "Diag X'44' a second, fast path", "fast"),
    lead(Figure::CpTimePerTransaction, "µs CP CPU for each transaction", "µs CP"),
    lead(Figure::GuestTimePerTransaction, "µs guest CPU for each transaction", "µs guest"),
];

const SPIN: &[Lead] = &[
    ETR,
    lead(Figure::CpSpin, "% of a processor spinning for locks of CP", "% spin"),
    lead(Figure::CpDiag44, "Diag X'44' to PR/SM a second", "Diag 44"),
    lead(Figure::CpDiag9c, "Diag X'9C' to PR/SM a second", "Diag 9C"),
];

/// The same if the partition has its processors to itself: no other processor is asked to run.
const SPIN_DEDICATED: &[Lead] = SPIN.split_at(2).0;

const TABLE: Table = &[
    (Figure::Etr, false),
    (Figure::Diag44Normal, false),
    (Figure::Diag44Fast, false),
    (Figure::Diag44Total, false),
    (Figure::GuestTimePerTransaction, false),
    (Figure::CpTimePerTransaction, false),
    (Figure::TotalTimePerTransaction, false),
    (Figure::GuestSpin, false),
    (Figure::CpSpin, false),
    (Figure::CpDiag44, false),
    (Figure::CpDiag9c, false),
    (Figure::PrsmOverhead, false),
    (Figure::Utilization, false),
];

/// Whether any guest has a lock of its own.
fn has_locks(scenario: &Scenario) -> bool {
    scenario.guests.iter().any(|group| group.lock_us > 0)
}

/// Whether any guest asks for a service that takes a lock of CP.
fn asks(scenario: &Scenario) -> bool {
    scenario.guests.iter().any(|group| group.service_us > 0)
}

/// Guests that ask for services contend for CP's locks. How CP waits for a lock matters in a shared partition.
fn is_seen(scenario: &Scenario) -> bool {
    let diag44 = scenario.dispatcher.spin_lock == SpinLock::Diag44;
    has_locks(scenario) || asks(scenario) && (!scenario.processors.shared || diag44)
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_processors::is_main(knob, scenario, |path, scenario, group| {
        // If a guest has a lock of its own, CP's locks are not the subject.
        let spins = asks(scenario) && !has_locks(scenario);
        match path {
            path::DISPATCHER_DIAG44_FAST_PATH | path::DISPATCHER_GUEST_LOCK => has_locks(scenario),
            path::GUESTS_VIRTUAL_CPUS | path::GUESTS_LOCK_US => group.lock_us > 0,
            path::DISPATCHER_SPIN_LOCK | path::PROCESSORS_SHARED | path::PRSM_OTHER_BUSY_PERCENT => spins,
            path::GUESTS_SERVICE_US => spins && group.service_us > 0,
            _ => false,
        }
    })
}

fn introduction(scenario: &Scenario) -> String {
    let on = format!("{} run on {} of {}", who(&scenario.guests), on(scenario), scenario.level.name());
    let own = scenario.guests.iter().find(|group| group.lock_us > 0 && group.virtual_cpus > 1);
    if let Some(own) = own {
        let dispatcher = &scenario.dispatcher;
        let way = match (dispatcher.guest_lock, dispatcher.diag44_fast_path) {
            (SpinLock::Diag9c, _) => "Diag X'9C' to the holder, which runs in their place if it waits for a processor",
            (SpinLock::Diag44, true) => "Diag X'44', which returns at once if no other of them waits to run",
            (SpinLock::Diag44, false) => "Diag X'44', and CP takes the whole path each time",
        };
        return format!("{on}; virtual CPUs of {} that wait for its lock yield by {way}", own.name);
    }
    let way = match scenario.dispatcher.spin_lock {
        SpinLock::Diag44 => "yields to PR/SM and names no processor (Diag X'44')",
        SpinLock::Diag9c => "spins if the lock's holder runs, and otherwise has PR/SM run the holder (Diag X'9C')",
    };
    format!("{on}; a logical processor that waits for a CP lock {way}")
}

fn leads(scenario: &Scenario) -> Vec<Lead> {
    let leads = match scenario.processors.shared {
        _ if has_locks(scenario) => DIAG44,
        true => SPIN,
        false => SPIN_DEDICATED,
    };
    leads.to_vec()
}
