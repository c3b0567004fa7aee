//! The question how the rate at which the guest touches pages matters.

use zvmlab::Scenario;
use zvmlab::scenario::Tenths;

use super::{Answer, Curves, Question};
use crate::batch::relocating::{mover, steps};
use crate::batch::trials::NewTrial;

/// How does the rate at which the guest touches pages matter?
pub static CHANGE_RATE: &Question = &Question {
    id: "change-rate",
    label: "Change rate",
    title: "A guest that changes its pages slower or faster",
    of_relocation: true,
    first: |_| None,
    lacking: changes_none,
    made,
    answer: Answer::Curves(Curves {
        axis: ("Storage touched a second", "MB/s"),
        ids: ["quiesce-over-change-rate", "relocation-over-change-rate"],
        throttles: None,
        stands: |_, group| (group.touch_mb_s > 0).then_some(group.touch_mb_s.into()),
        place: str::to_string,
    }),
    not_published: NOT_PUBLISHED,
};

/// Rates, in eighths of the rate on the bench.
const RATES: [u64; 8] = [1, 2, 4, 6, 8, 10, 12, 16];
/// MB touched a second, if the guest touches pages as fast as it can.
const RATES_MB_S: [u32; 7] = [64, 128, 256, 512, 1_024, 2_048, 4_096];

/// What IBM published about guests that change pages, as far as it is known.
pub(super) const NOT_PUBLISHED: &str = "IBM gives passes and memory moved of two guests of 100 GB (4 and 4.9 GB, 8 and 160 GB); its chart of times is lost. No time is published here.";

/// Why a host cannot ask about the way in which its guests change pages; `None` if it can.
pub(super) fn changes_none(base: &Scenario) -> Option<&'static str> {
    let at = mover(base)?;
    (base.guests[at].change_percent == 0).then_some("the guest changes no pages")
}

fn made(base: &Scenario) -> Vec<NewTrial> {
    let Some(at) = mover(base) else { return Vec::new() };
    let with = |rate: u64| {
        let mut scenario = base.clone();
        let group = &mut scenario.guests[at];
        (group.touch_mb_s, group.pace_ms) = (rate as u32, Tenths::ZERO);
        NewTrial { name: format!("{rate} MB/s"), x: rate as f64, scenario }
    };
    match base.guests[at].touch_mb_s {
        0 => RATES_MB_S.into_iter().map(|rate| with(rate.into())).collect(),
        rate => steps(&RATES.map(|eighths| (u64::from(rate) * eighths / 8).max(1))).map(with).collect(),
    }
}
