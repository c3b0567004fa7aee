//! What limits the speed of a relocation: the link, a processor, the fixed times of the stages, the guest's changes, a throttle, or
//! the most passes allowed. Knows no browser.

use zvmlab::Figure;
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::{EndCode, RelocationSnapshot, Throttle};

use super::moved::{Moved, quiesce_s};
use crate::words::number::short;
use crate::words::state::throttle_cause;

/// A link or a processor that is busy for at least this percentage counts as full. Chosen: the rest is the time between passes.
const FULL_PERCENT: f64 = 90.0;
/// A cause that takes at least this part of a time counts as what sets it. Chosen.
const MOST: f64 = 0.5;
/// A throttle that acts for at least this part of the time of a move counts. Chosen.
const HELD_BACK: f64 = 0.2;

/// What sets a time, with the number that shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// The ISFC link is busy for so many percent of the time in which relocations are under way.
    Link(f64),
    /// CP's work for the relocation takes so many percent of a processor at the source.
    Source(f64),
    /// The same at the destination.
    Destination(f64),
    /// The stages that move no storage take so many percent of the time.
    Stages(f64),
    /// A throttle holds the relocation back for so many s.
    Throttle(Throttle, f64),
    /// The relocation made as many passes as allowed, and the guest still changed more than moves in the goal time, in ms.
    Passes(u32, u32),
    /// CP stopped the guest as soon as the rest would take no longer than the goal, in ms.
    Goal(u32),
    /// For so many percent of the passes CP waits for pages that it must first read from page space at the source.
    Reads(f64),
}

impl Limit {
    /// In words, to follow a colon.
    pub fn words(self) -> String {
        match self {
            Limit::Link(percent) => format!("the link is busy {} % of the move", short(percent)),
            Limit::Source(percent) => {
                format!("CP’s work for it takes {} % of a processor at the source", short(percent))
            }
            Limit::Destination(percent) => {
                format!("CP’s work for it takes {} % of a processor at the destination", short(percent))
            }
            Limit::Stages(percent) => {
                format!("the stages that move no storage take {} % of the time on any link", short(percent))
            }
            Limit::Throttle(throttle, seconds) => {
                format!("{} holds it back for {} s", throttle_cause(throttle), short(seconds))
            }
            Limit::Passes(passes, goal_ms) => {
                format!(
                    "the relocation has made {passes} passes, the most allowed, and more has changed than moves in {goal_ms} ms"
                )
            }
            Limit::Goal(goal_ms) => {
                format!("CP stops the guest when the rest takes {goal_ms} ms at most, the goal for the stop")
            }
            Limit::Reads(percent) => {
                format!("CP waits for pages that it must first read from page space, for {} % of the passes", short(percent))
            }
        }
    }

    /// In few words, for a table.
    pub fn short(self) -> String {
        match self {
            Limit::Link(percent) => format!("link busy {} % of the move", short(percent)),
            Limit::Source(percent) => format!("processor at the source, {} %", short(percent)),
            Limit::Destination(percent) => format!("processor at the destination, {} %", short(percent)),
            Limit::Stages(percent) => format!("stages that move no storage, {} %", short(percent)),
            Limit::Throttle(throttle, seconds) => format!("held back {} s by {}", short(seconds), throttle_cause(throttle)),
            Limit::Goal(goal_ms) => format!("the goal for the stop, {goal_ms} ms"),
            Limit::Reads(percent) => format!("page reads at the source, {} % of the passes", short(percent)),
            Limit::Passes(passes, _) => format!("what changes in a pass; {passes} passes, the most allowed"),
        }
    }

    /// Whether both are the same kind of limit, whatever their numbers.
    pub fn is_like(self, other: Limit) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

/// What sets the relocation time of a run's relocations, if the run shows it.
pub fn of_relocation(moved: &Moved) -> Option<Limit> {
    let longest = moved.completed().max_by_key(|relocation| relocation.relocation_ns())?;
    let all_ns = longest.relocation_ns()? as f64;
    let fixed = 1.0 - passes_ns(longest, |_| true) / all_ns;
    if fixed >= MOST {
        return Some(Limit::Stages(fixed * 100.0));
    }
    flow(moved, longest)
}

/// What sets the quiesce time of the guest that is stopped longest, if the run shows it.
pub fn of_quiesce(scenario: &Scenario, moved: &Moved) -> Option<Limit> {
    let (worst, time_s) = moved.worst()?;
    let stopped = 1.0 - passes_ns(worst, |stopped| stopped) / 1e9 / time_s.max(1e-9);
    if stopped >= MOST {
        return Some(Limit::Stages(stopped * 100.0));
    }
    let passes = worst.passes.len() as u32;
    if passes >= scenario.relocation.passes_max && !scenario.relocation.immediate && !meets_goal(scenario, worst) {
        return Some(Limit::Passes(passes, scenario.relocation.goal_ms));
    }
    if passes < scenario.relocation.passes_max && !scenario.relocation.immediate && meets_goal(scenario, worst) {
        return Some(Limit::Goal(scenario.relocation.goal_ms));
    }
    flow(moved, worst)
}

/// Whether a guest was stopped for about as long as CP aims at, without the stages that move no storage.
fn meets_goal(scenario: &Scenario, relocation: &RelocationSnapshot) -> bool {
    let moving_ms = passes_ns(relocation, |stopped| stopped) / 1e6;
    moving_ms <= 2.0 * f64::from(scenario.relocation.goal_ms)
}

/// What keeps pages from moving faster.
fn flow(moved: &Moved, relocation: &RelocationSnapshot) -> Option<Limit> {
    let moving_ns = passes_ns(relocation, |_| true).max(1.0);
    let held = relocation.throttled_ns.map(|ns| ns as f64);
    // The link also runs out of buffers when something else holds pages up.
    let most = usize::from(held[1] > held[0]);
    let most = if held[most] >= HELD_BACK * moving_ns { most } else { 2 };
    let of_processor = relocation.cpu_ns.map(|ns| ns as f64 / moving_ns * 100.0);
    // A full link has no buffers left either; that it is full says more.
    if let Some(busy) = moved.measurement.get(Figure::LinkBusy).filter(|busy| *busy >= FULL_PERCENT) {
        return Some(Limit::Link(busy));
    }
    if most < 2 {
        return Some(Limit::Throttle(Throttle::ALL[most], held[most] / 1e9));
    }
    match of_processor {
        [source, destination] if source >= FULL_PERCENT && source >= destination => Some(Limit::Source(source)),
        [_, destination] if destination >= FULL_PERCENT => Some(Limit::Destination(destination)),
        _ if held[most] >= HELD_BACK * moving_ns => Some(Limit::Throttle(Throttle::ALL[most], held[most] / 1e9)),
        // What no station and no throttle explains, where pages were read.
        [source, destination] if relocation.pages_read > 0 => {
            let link = moved.measurement.get(Figure::LinkBusy).unwrap_or_default();
            let waits = 100.0 - link - source - destination - held.iter().sum::<f64>() / moving_ns * 100.0;
            (waits >= MOST * 100.0).then_some(Limit::Reads(waits))
        }
        _ => None,
    }
}

/// Time of the passes of a relocation in ns. `which` chooses passes by whether the guest was stopped.
fn passes_ns(relocation: &RelocationSnapshot, which: impl Fn(bool) -> bool) -> f64 {
    let passes = relocation.passes.iter().filter(|pass| which(pass.stopped));
    passes.filter_map(|pass| Some(pass.ended_ns?.saturating_sub(pass.began_ns))).sum::<u64>() as f64
}

/// How long a guest was stopped before its relocation was cancelled, in s.
pub fn stopped_in_vain_s(relocation: &RelocationSnapshot) -> Option<f64> {
    quiesce_s(relocation).filter(|_| relocation.end != Some(EndCode::Completed))
}

#[cfg(test)]
mod tests {
    use super::super::moved::tests::{moved, relocation};
    use super::*;

    #[test]
    fn stages_that_move_nothing_set_a_short_quiesce() {
        let scenario = Scenario::default();
        let mut one = relocation("A", EndCode::Completed, 3_000, 100);
        let (stopped, started) = (one.stopped_ns.expect("it stopped"), one.started_ns.expect("it started"));
        (one.passes[1].began_ns, one.passes[1].ended_ns) = (stopped + 80_000_000, Some(started));
        let run = moved(vec![one.clone()]);
        let Some(Limit::Stages(percent)) = of_quiesce(&scenario, &run) else { panic!("{:?}", of_quiesce(&scenario, &run)) };
        assert!((percent - 80.0).abs() < 1e-6);
        assert_eq!(of_relocation(&run), None, "nothing tells what set it");
        one.passes.iter_mut().for_each(|pass| pass.ended_ns = Some(pass.began_ns));
        assert!(matches!(of_relocation(&moved(vec![one])), Some(Limit::Stages(_))));
    }

    #[test]
    fn a_processor_and_a_throttle_are_named() {
        let scenario = Scenario::default();
        let mut one = relocation("A", EndCode::Completed, 10_000, 2_000);
        one.cpu_ns = [9_900_000_000, 5_000_000_000];
        assert!(matches!(of_quiesce(&scenario, &moved(vec![one.clone()])), Some(Limit::Source(_))));
        one.throttled_ns = [4_000_000_000, 0, 9_000_000_000];
        let limit = of_relocation(&moved(vec![one.clone()])).expect("it is held back");
        assert_eq!(limit.words(), "paging (end to end) holds it back for 4 s");
        assert_eq!(limit.short(), "held back 4 s by paging (end to end)");
        assert!(limit.is_like(Limit::Throttle(Throttle::Memory, 1.0)) && !limit.is_like(Limit::Link(99.0)));
        // As many passes as may be made say more than what they were slowed by.
        one.passes = std::iter::repeat_n(one.passes[1].clone(), 8).collect();
        assert_eq!(of_quiesce(&scenario, &moved(vec![one])), Some(Limit::Passes(8, 100)));
    }

    #[test]
    fn who_was_stopped_in_vain_is_told() {
        let given_up = relocation("A", EndCode::MaxQuiesce, 20_000, 10_000);
        assert_eq!(stopped_in_vain_s(&given_up), Some(10.0));
        assert_eq!(stopped_in_vain_s(&relocation("A", EndCode::Completed, 20_000, 10_000)), None);
    }
}
