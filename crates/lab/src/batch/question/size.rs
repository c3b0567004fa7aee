//! The question how the size of the guest matters.

use zvmlab::Scenario;

use super::{Answer, Curves, Question};
use crate::batch::relocating::{LEAST_GUEST_MB, gb, mover, steps};
use crate::batch::trials::NewTrial;
use crate::words::number::storage_mb;

/// How does the size of the guest matter?
pub static SIZE: &Question = &Question {
    id: "size",
    label: "Size of the guest",
    title: "A smaller or larger guest",
    of_relocation: true,
    first: |_| None,
    lacking: |_| None,
    made,
    answer: Answer::Curves(Curves {
        axis: ("Storage that the guest has touched", "GB"),
        ids: ["quiesce-over-size", "relocation-over-size"],
        throttles: None,
        stands: |_, group| Some(gb(group.loop_mb)),
        place: str::to_string,
    }),
    not_published: "IBM’s chart of virtual machine size is lost. No figure is published here.",
};

/// Sizes, in eighths of the size on the bench.
const SIZES: [u64; 8] = [1, 2, 3, 4, 6, 8, 10, 12];

fn made(base: &Scenario) -> Vec<NewTrial> {
    let Some(at) = mover(base) else { return Vec::new() };
    let with = |loop_mb: u64| {
        let mut scenario = base.clone();
        let group = &mut scenario.guests[at];
        group.loop_mb = loop_mb;
        group.virtual_mb = group.virtual_mb.max(loop_mb);
        group.active_mb = group.active_mb.min(loop_mb);
        NewTrial { name: storage_mb(loop_mb), x: gb(loop_mb), scenario }
    };
    steps(&SIZES.map(|eighths| (base.guests[at].loop_mb * eighths / 8).max(LEAST_GUEST_MB))).map(with).collect()
}
