//! The question how the number of paging volumes matters; all members get the same number.

use zvmlab::Scenario;

use super::destination::NOT_PUBLISHED;
use super::{Answer, Curves, Question};
use crate::batch::trials::NewTrial;

/// How does the number of paging volumes matter?
pub static VOLUMES: &Question = &Question {
    id: "volumes",
    label: "Paging volumes",
    title: "Few or many paging volumes at all members: which throttle acts?",
    of_relocation: true,
    first: |_| None,
    lacking: |_| None,
    made: |base| COUNTS.iter().map(|&count| volumes(base, count)).collect(),
    answer: Answer::Curves(Curves {
        axis: ("Paging volumes of each member", ""),
        ids: ["quiesce-over-volumes", "relocation-over-volumes"],
        throttles: Some("throttles-over-volumes"),
        stands: |base, group| Some(base.of_member(group.member).paging.volumes.into()),
        place: |name| if name == "1" { "1 paging volume".into() } else { format!("{name} paging volumes") },
    }),
    not_published: NOT_PUBLISHED,
};

/// Paging volumes of each member, from few to many.
const COUNTS: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// Gives every member this many paging volumes. Together they hold as much as the first member's volumes do now.
fn volumes(base: &Scenario, count: u32) -> NewTrial {
    let mut scenario = base.clone();
    let slots = u64::from(base.paging.volumes.max(1)) * base.paging.volume_slots;
    scenario.paging.volume_slots = slots.div_ceil(u64::from(count));
    scenario.paging.volumes = count;
    [scenario.member2.volumes, scenario.member3.volumes, scenario.member4.volumes] = [count; 3];
    NewTrial { name: count.to_string(), x: count.into(), scenario }
}
