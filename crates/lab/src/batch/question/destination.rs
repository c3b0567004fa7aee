//! The question how the destination's central storage matters.

use zvmlab::Scenario;

use super::{Answer, Curves, Question};
use crate::batch::relocating::{gb, mover, needed_mb, storages};

/// How does the destination's central storage matter?
pub static DESTINATION: &Question = &Question {
    id: "destination",
    label: "Storage of the destination",
    title: "Less and less storage at the destination: which throttle acts?",
    of_relocation: true,
    first: |base| is_short(base).then_some(10),
    lacking: |_| None,
    made: |base| storages(base, mover(base).map_or(2, |at| base.guests[at].move_to)),
    answer: Answer::Curves(Curves {
        axis: ("Central storage of the destination", "GB"),
        ids: ["quiesce-over-destination", "relocation-over-destination"],
        throttles: Some("throttles-over-destination"),
        stands: |base, group| Some(gb(base.of_member(group.move_to).storage.central_mb)),
        place: str::to_string,
    }),
    not_published: NOT_PUBLISHED,
};

/// What IBM published about members that are short of storage, as far as it is known.
pub(super) const NOT_PUBLISHED: &str = "IBM’s chart of constrained members is lost, and no threshold of a throttle is published: those of the model are assumptions that knobs can move.";

/// Whether the destination is short of storage.
pub(super) fn is_short(base: &Scenario) -> bool {
    mover(base).is_some_and(|at| {
        let to = base.guests[at].move_to;
        needed_mb(base, to) > base.of_member(to).storage.central_mb
    })
}
