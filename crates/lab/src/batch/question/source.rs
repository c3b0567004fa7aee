//! The question how the source's central storage matters.

use super::destination::NOT_PUBLISHED;
use super::{Answer, Curves, Question};
use crate::batch::relocating::{gb, mover, storages};

/// How does the source's central storage matter?
pub static SOURCE: &Question = &Question {
    id: "source",
    label: "Storage of the source",
    title: "Less and less storage at the source: which throttle acts?",
    of_relocation: true,
    first: |_| None,
    lacking: |_| None,
    made: |base| storages(base, mover(base).map_or(1, |at| base.guests[at].member)),
    answer: Answer::Curves(Curves {
        axis: ("Central storage of the source", "GB"),
        ids: ["quiesce-over-source", "relocation-over-source"],
        throttles: Some("throttles-over-source"),
        stands: |base, group| Some(gb(base.of_member(group.member).storage.central_mb)),
        place: str::to_string,
    }),
    not_published: NOT_PUBLISHED,
};
