//! The arc of scaling measurements: 1 TB and 8 processors, 2 and 16, 3 and 24, 4 and 32.

use zvmlab::Figure;

use super::curves::{self, Plain};
use super::{Published, Stand, StudyKind};
use crate::host::{is_cluster, pages};
use crate::room::Room;
use crate::subjects::big_memory::BIG_MEMORY;

/// Throughput over TB and processors.
pub static ARC: &StudyKind = &StudyKind {
    name: "arc",
    title: "The arc from 1 TB and 8 processors to 4 TB and 32",
    room: Room::Storage,
    stand: Stand::First,
    subjects: &[BIG_MEMORY],
    link: Some("The arc to 4 TB"),
    lacking: |scenario| {
        Some(match scenario {
            _ if scenario.guests.len() != 1 => "there are several groups of guests",
            _ if is_cluster(scenario) => "the host is a cluster",
            _ if pages(scenario) => "the guests touch more than there is, so paging sets the pace",
            _ => return None,
        })
    },
    places: |_| (1..=PLACES).map(|tb| format!("{tb}/{}", tb * PROCESSORS)).collect(),
    put: |scenario, _, place| {
        // The guests of the bench grow with its storage.
        let (tb, had) = (place as u64 + 1, scenario.storage.central_mb.max(1));
        scenario.storage.central_mb = tb << 20;
        scenario.processors.count = tb as u32 * PROCESSORS;
        scenario.guests.iter_mut().for_each(|group| {
            group.count = ((u64::from(group.count) * (tb << 20) + had / 2) / had).max(1) as u32;
        });
    },
    stands: Some(|scenario| {
        let tb = scenario.storage.central_mb as f64 / f64::from(1 << 20);
        ((tb - 1.0).clamp(0.0, f64::from(PLACES) - 1.0), format!("{tb:.2} TB, {} processors", scenario.processors.count))
    }),
    charts: |studied| curves::charts(studied, CURVES),
    published: Published::Nothing(
        "The 1Q21 report draws this arc for a program PTOUCH, with the curve that the capability adjustment factors of the hardware predict. Its text gives no values of the points.",
    ),
    ..StudyKind::PLAIN
};

/// How many places there are, of 1 TB each.
const PLACES: u32 = 4;

/// Processors to a TB.
const PROCESSORS: u32 = 8;

const CURVES: &Plain = &Plain {
    drawn: &[
        ("arc-itr", "ITR over TB and processors", Figure::Itr, "the internal throughput rate"),
        ("arc-etr", "Throughput over TB and processors", Figure::Etr, "throughput"),
    ],
    x: "TB/processors",
    places: "TB/processors",
    waiting: "The guests of the bench in growing numbers, with storage and processors in proportion.",
    ..Plain::ONE_LINE
};

#[cfg(test)]
mod tests {
    use zvmlab::Scenario;

    use super::*;

    #[test]
    fn storage_processors_and_guests_grow_together() {
        let example = zvmlab::scenario::examples::example("BIG-MEMORY").expect("an example");
        let bench = Scenario::parse(example.text).expect("valid");
        assert_eq!(ARC.lacking(&bench), None);
        assert_eq!(ARC.places(&bench), ["1/8", "2/16", "3/24", "4/32"]);
        let hosts: Vec<Scenario> = (0..4).map(|place| ARC.put(&bench, 0, place)).collect();
        for (host, n) in hosts.iter().zip(1..) {
            let guests = host.guests[0].count;
            assert_eq!((host.storage.central_mb, host.processors.count, guests), (n << 20, 8 * n as u32, 8 * n as u32));
        }
        assert_eq!(hosts[0], bench, "the arc begins at the bench");
        let at = |host: &Scenario| ARC.stands(host).map(|(at, _)| at);
        assert_eq!((at(&hosts[0]), at(&hosts[3])), (Some(0.0), Some(3.0)));
    }
}
