//! The question how the breadth of the guest's changes matters.

use zvmlab::Scenario;

use super::change_rate::{NOT_PUBLISHED, changes_none};
use super::{Answer, Curves, Question};
use crate::batch::relocating::{active_mb, gb, mover, steps};
use crate::batch::trials::NewTrial;
use crate::words::number::storage_mb;

/// How does the breadth of the guest's changes matter?
pub static BREADTH: &Question = &Question {
    id: "breadth",
    label: "Breadth of changes",
    title: "A guest that changes its pages more narrowly or broadly",
    of_relocation: true,
    first: |_| None,
    lacking: changes_none,
    made,
    answer: Answer::Curves(Curves {
        axis: ("Active part of the loop", "GB"),
        ids: ["quiesce-over-breadth", "relocation-over-breadth"],
        throttles: None,
        stands: |_, group| Some(gb(active_mb(group))),
        place: str::to_string,
    }),
    not_published: NOT_PUBLISHED,
};

/// Widths, in 32nds of the loop.
const BREADTHS: [u64; 8] = [1, 2, 4, 8, 12, 16, 24, 32];

fn made(base: &Scenario) -> Vec<NewTrial> {
    let Some(at) = mover(base) else { return Vec::new() };
    let with = |active_mb: u64| {
        let mut scenario = base.clone();
        let group = &mut scenario.guests[at];
        group.active_mb = if active_mb >= group.loop_mb { 0 } else { active_mb };
        NewTrial { name: storage_mb(active_mb), x: gb(active_mb), scenario }
    };
    let group = &base.guests[at];
    let least = u64::from(group.virtual_cpus).div_ceil(4).max(1);
    steps(&BREADTHS.map(|parts| (group.loop_mb * parts / 32).max(least))).map(with).collect()
}
