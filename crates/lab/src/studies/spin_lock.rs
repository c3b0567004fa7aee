//! The study of CP's spin locks: Diag X'44' against Diag X'9C' over the demand of other partitions.

use zvmlab::Figure;
use zvmlab::scenario::SpinLock;

use super::StudyKind;
use super::curves::{self, Plain};
use super::places::{among, named};
use crate::room::Room;
use crate::subjects::locks::LOCKS;

/// Diag X'44' against Diag X'9C' over the demand of other partitions.
pub static SPIN_LOCK: &StudyKind = &StudyKind {
    name: "spin-lock",
    title: "CP’s spin locks: Diag X’44’ against Diag X’9C’",
    room: Room::Locks,
    subjects: &[LOCKS],
    lacking: |scenario| {
        Some(match scenario {
            _ if !scenario.processors.shared => "the processors are dedicated, so a lock's holder always runs",
            _ if !scenario.guests.iter().any(|group| group.service_us > 0) => {
                "no guest asks for anything that takes a lock of CP"
            }
            _ if scenario.prsm.partitions == 0 => "no other partition wants the physical processors",
            _ => return None,
        })
    },
    places: |_| named(&DEMANDS),
    lines: CURVES.lines.len(),
    put: |scenario, line, place| {
        scenario.prsm.other_busy_percent = DEMANDS[place];
        scenario.dispatcher.spin_lock = if line == 0 { SpinLock::Diag44 } else { SpinLock::Diag9c };
    },
    stands: Some(|scenario| {
        let (demand, way) = (scenario.prsm.other_busy_percent, scenario.dispatcher.spin_lock.as_str());
        (among(demand, &DEMANDS), format!("{demand} %, {way}"))
    }),
    charts: |studied| curves::charts(studied, CURVES),
    ..StudyKind::PLAIN
};

/// The demand of other partitions' logical processors, in percent.
const DEMANDS: [u32; 6] = [0, 20, 40, 60, 80, 100];

const CURVES: &Plain = &Plain {
    drawn: &[
        (
            "spin-study-prsm",
            "PR/SM overhead of all partitions over demand",
            Figure::PrsmOverheadAll,
            "PR/SM's overhead for all partitions",
        ),
        ("spin-study-cp", "CP's time spinning over demand", Figure::CpSpin, "CP's time spinning"),
        ("spin-study-etr", "Throughput over demand", Figure::Etr, "throughput"),
    ],
    lines: &["DIAG 44", "DIAG 9C"],
    x: "Demand of the other partitions (%)",
    places: "% demand",
    waiting: "The more others want, the more often a lock's holder has no physical processor.",
    ..Plain::ONE_LINE
};
