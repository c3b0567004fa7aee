//! The question how the link matters: the five published configurations.

use zvmlab::Scenario;

use super::{Answer, Curves, Question};
use crate::batch::trials::NewTrial;
use crate::knob::link::{Configuration, PUBLISHED};

/// The five published link configurations.
pub static LINK: &Question = &Question {
    id: "link",
    label: "Link capacity",
    title: "The five published link configurations, capacity factor 2 to 18",
    of_relocation: true,
    first: |_| Some(40),
    lacking: |_| None,
    made: |base| PUBLISHED.iter().rev().map(|configuration| link(base, configuration)).collect(),
    answer: Answer::Curves(Curves {
        axis: ("ISFC capacity factor", ""),
        ids: ["quiesce-over-link", "relocation-over-link"],
        throttles: None,
        stands: |base, _| Some(base.isfc.capacity_factor().into()),
        place: |name| format!("capacity factor {name}"),
    }),
    not_published: NOT_PUBLISHED,
};

/// What IBM published about links, as far as it is known.
pub(super) const NOT_PUBLISHED: &str = "IBM’s chart of CTC bandwidth is lost: only the five configurations and their capacity factors are known (6.2 deck, table 3). No figure is published here.";

fn link(base: &Scenario, configuration: &Configuration) -> NewTrial {
    let mut scenario = base.clone();
    configuration.set(&mut scenario.isfc);
    let factor = configuration.capacity_factor;
    NewTrial { name: factor.to_string(), x: factor.into(), scenario }
}
