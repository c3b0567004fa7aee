//! The plan of an evacuation: whether there is room, which other plans there are, and how each compares with the user's. Knows no
//! browser.

pub mod told;

use zvmlab::constants::Constants;
use zvmlab::scenario::{GuestGroup, Order, PAGES_PER_MB, Relocate};
use zvmlab::{Figure, Scenario};

use super::moved::Moved;
use super::relocating::{active_mb, until_the_end};
use super::trials::NewTrial;
use crate::host::moves as is_moved;
use zvmlab::order;

/// Room at one member for the guests that are to come.
#[derive(Clone, Debug, PartialEq)]
pub struct Room {
    /// The member's number, from 1.
    pub member: u32,
    /// Its central storage in MB.
    pub central_mb: u64,
    /// The part of it that guests can have, in MB.
    pub for_guests_mb: u64,
    /// Storage that the guests there touch, in MB.
    pub there_mb: u64,
    /// Storage that the guests that are to come touch, in MB.
    pub coming_mb: u64,
    /// Page space in MB.
    pub page_space_mb: u64,
}

impl Room {
    /// The room at member `number` of `scenario` for the guests that the scenario sends there.
    pub fn of(scenario: &Scenario, number: u32) -> Room {
        let member = scenario.of_member(number);
        let touched = |which: &dyn Fn(&GuestGroup) -> bool| {
            scenario.guests.iter().filter(|group| which(group)).map(touched_mb).sum::<u64>()
        };
        Room {
            member: number,
            central_mb: member.storage.central_mb,
            for_guests_mb: member.guest_frames_least(&Constants::default()) / PAGES_PER_MB,
            there_mb: touched(&|group| group.member == number && !is_moved(group)),
            coming_mb: touched(&|group| is_moved(group) && group.move_to == number),
            page_space_mb: member.page_slots() / PAGES_PER_MB,
        }
    }

    /// Frames that the guests there leave free, in MB.
    pub fn free_mb(&self) -> u64 {
        self.for_guests_mb.saturating_sub(self.there_mb)
    }

    /// Touched storage that does not fit into the frames for guests once all guests have come, in MB.
    pub fn beyond_mb(&self) -> u64 {
        (self.there_mb + self.coming_mb).saturating_sub(self.for_guests_mb)
    }

    /// Whether the guests that are to come fit, counting its page space.
    pub fn fits(&self) -> bool {
        self.beyond_mb() <= self.page_space_mb
    }

    /// Touched storage for each unit of central storage once all guests have come.
    pub fn overcommit(&self) -> f64 {
        (self.there_mb + self.coming_mb) as f64 / self.central_mb.max(1) as f64
    }
}

/// Storage that the guests of a group touch together, in MB.
pub fn touched_mb(group: &GuestGroup) -> u64 {
    u64::from(group.count) * group.loop_mb
}

/// The member that is emptied: the one that most guests leave.
pub fn emptied(scenario: &Scenario) -> Option<u32> {
    let leaving = |number: u32| {
        let of_it = scenario.guests.iter().filter(|group| group.member == number && is_moved(group));
        of_it.map(|group| group.count).sum::<u32>()
    };
    // Of equal ones the first.
    (1..=scenario.cluster.members).rev().max_by_key(|&number| leaving(number)).filter(|&number| leaving(number) > 0)
}

/// The members to which guests of the emptied member can be relocated.
pub fn targets(scenario: &Scenario) -> Vec<u32> {
    let emptied = emptied(scenario);
    let away = |number: u32| match number {
        2 => scenario.member2.transitions,
        3 => scenario.member3.transitions,
        4 => scenario.member4.transitions,
        _ => false,
    };
    (1..=scenario.cluster.members).filter(|&number| Some(number) != emptied && !away(number)).collect()
}

/// Why there is nothing to plan for `scenario`; `None` if there is something.
pub fn lacking(scenario: &Scenario) -> Option<&'static str> {
    let leaving = emptied(scenario).map_or(0, |emptied| {
        let of_it = scenario.guests.iter().filter(|group| group.member == emptied && is_moved(group));
        of_it.map(|group| group.count).sum::<u32>()
    });
    Some(match leaving {
        _ if scenario.relocation.bounce => "the guests bounce until the interval ends",
        0 => "no guest is to be relocated",
        1 => "one guest alone has no order and goes to one member",
        _ => return None,
    })
}

/// Groups of guests that stay on the member that is emptied.
pub fn staying(scenario: &Scenario) -> Vec<&GuestGroup> {
    let emptied = emptied(scenario);
    scenario.guests.iter().filter(|group| Some(group.member) == emptied && !is_moved(group)).collect()
}

/// The user's plan first, then others.
pub fn plans(base: &Scenario) -> Vec<NewTrial> {
    let base = &until_the_end(base);
    let mut made = vec![plan("your plan".into(), base.clone())];
    for order in Order::ALL.iter().copied().filter(|order| *order != base.relocation.order) {
        let mut scenario = base.clone();
        scenario.relocation.order = order;
        made.push(plan(order.as_str().into(), scenario));
    }
    let mut other_way = base.clone();
    other_way.relocation.mode = other(base.relocation.mode);
    made.push(plan(way(other_way.relocation.mode).into(), other_way));
    let spread = spread(base);
    made.push(plan("spread by white space".into(), spread.clone()));
    let mut rocks = spread;
    rocks.relocation.order = Order::Largest;
    made.push(plan("spread by white space, largest first".into(), rocks));
    for target in targets(base) {
        let all = to_one(base, target);
        if Room::of(&all, target).fits() {
            made.push(plan(format!("all to MEMBER{target}"), all));
        }
    }
    // A plan that does the same as an earlier one need not be run again.
    let mut different: Vec<NewTrial> = Vec::new();
    for one in made {
        let same = |other: &NewTrial| other.scenario == one.scenario || moves(&other.scenario) == moves(&one.scenario);
        if !different.iter().any(same) {
            different.push(one);
        }
    }
    different
}

fn plan(name: String, scenario: Scenario) -> NewTrial {
    NewTrial { name, x: 0.0, scenario }
}

fn other(mode: Relocate) -> Relocate {
    if mode == Relocate::Synch { Relocate::Asynch } else { Relocate::Synch }
}

fn way(mode: Relocate) -> &'static str {
    if mode == Relocate::Synch { "one after the other (SYNCH)" } else { "all at once (ASYNCH)" }
}

/// All guests that leave the emptied member go to one member.
fn to_one(base: &Scenario, target: u32) -> Scenario {
    let (mut scenario, emptied) = (base.clone(), emptied(base));
    let leaving = scenario.guests.iter_mut().filter(|group| Some(group.member) == emptied && is_moved(group));
    leaving.for_each(|group| group.move_to = target);
    scenario
}

/// The group that has touched most goes to the member with most free frames, then the next group. All guests of a group go to
/// one member.
fn spread(base: &Scenario) -> Scenario {
    let (mut scenario, emptied, targets) = (base.clone(), emptied(base), targets(base));
    let mut leaving: Vec<usize> =
        (0..base.guests.len()).filter(|&at| Some(base.guests[at].member) == emptied && is_moved(&base.guests[at])).collect();
    // Of equal ones the first: the sort keeps their order.
    order::by_key(&mut leaving, |&at| std::cmp::Reverse(touched_mb(&base.guests[at])));
    let mut free: Vec<(u32, i64)> =
        targets.iter().map(|&target| (target, Room::of(base, target).free_mb() as i64)).collect();
    for at in leaving {
        let Some(most) = free.iter_mut().rev().max_by_key(|free| free.1) else { break };
        scenario.guests[at].move_to = most.0;
        most.1 -= touched_mb(&base.guests[at]) as i64;
    }
    scenario
}

/// What a plan does: whether guests go at once, and the groups in the order in which their guests leave, each with its destination.
fn moves(scenario: &Scenario) -> (Relocate, Vec<(usize, u32)>) {
    let mut groups: Vec<usize> = (0..scenario.guests.len()).filter(|&at| is_moved(&scenario.guests[at])).collect();
    let group = |at: usize| &scenario.guests[at];
    match scenario.relocation.order {
        Order::Listed => {}
        Order::Largest => order::by_key(&mut groups, |&at| std::cmp::Reverse(group(at).loop_mb)),
        Order::Smallest => order::by_key(&mut groups, |&at| group(at).loop_mb),
        Order::Busiest => order::by_key(&mut groups, |&at| std::cmp::Reverse(active_mb(group(at)))),
    }
    (scenario.relocation.mode, groups.into_iter().map(|at| (at, group(at).move_to)).collect())
}

/// The names of the plans that do the same as the user's, if there are any.
pub fn same_as_yours(base: &Scenario) -> Vec<&'static str> {
    let mut same = Vec::new();
    for order in Order::ALL.iter().copied().filter(|order| *order != base.relocation.order) {
        let mut scenario = base.clone();
        scenario.relocation.order = order;
        same.extend((moves(&scenario) == moves(base)).then_some(order.as_str()));
    }
    same.extend((moves(&spread(base)) == moves(base)).then_some("spread by white space"));
    same
}

/// The result of a plan, compared with what was asked of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Time from the first VMRELOCATE to the last end, in s.
    pub total_s: Option<f64>,
    /// Whether all guests moved within the window, if one is given.
    pub in_window: Option<bool>,
    /// The longest quiesce time in s, with the guest's name.
    pub worst: Option<(String, f64)>,
    /// Guests that were stopped for longer than they tolerate: name, stop in s, tolerance in s.
    pub beyond: Vec<(String, f64, f64)>,
    /// Guests that did not move, with how their relocation ended.
    pub not_moved: Vec<(String, Option<zvmlab::snapshot::EndCode>)>,
    /// Pages that all members read and wrote a second.
    pub pages_per_s: f64,
}

impl Outcome {
    /// The result of `moved` for `scenario`.
    pub fn of(scenario: &Scenario, moved: &Moved) -> Outcome {
        let total_s = moved.measurement.get(Figure::RelocationTotal);
        let window = scenario.relocation.window_s;
        let all_moved = moved.not_completed().next().is_none();
        Outcome {
            total_s,
            in_window: (window > 0).then(|| all_moved && total_s.is_some_and(|total| total <= f64::from(window))),
            worst: moved.worst().map(|(relocation, time)| (relocation.name.clone(), time)),
            beyond: moved
                .beyond_tolerance()
                .map(|(relocation, time)| (relocation.name.clone(), time, f64::from(relocation.tolerance_ms) / 1e3))
                .collect(),
            not_moved: moved.not_completed().map(|(relocation, end)| (relocation.name.clone(), end)).collect(),
            pages_per_s: moved.members.iter().map(|member| member.pages_per_s).sum(),
        }
    }

    /// Whether all guests moved within the window and every stop was within the guest's tolerance.
    pub fn is_good(&self) -> bool {
        self.not_moved.is_empty() && self.beyond.is_empty() && self.in_window != Some(false)
    }

    /// How good it is; smaller is better. The order: guests that did not move, stops beyond tolerance, window missed, total time.
    pub fn rank(&self) -> (usize, usize, bool, u64) {
        let total_ms = self.total_s.map_or(u64::MAX, |total| (total * 1e3) as u64);
        (self.not_moved.len(), self.beyond.len(), self.in_window == Some(false), total_ms)
    }
}

/// The scenario on the bench with the order, the way and the destinations of a plan.
pub fn taken(bench: &Scenario, plan: &Scenario) -> Scenario {
    let mut scenario = bench.clone();
    (scenario.relocation.order, scenario.relocation.mode) = (plan.relocation.order, plan.relocation.mode);
    for (group, planned) in scenario.guests.iter_mut().zip(&plan.guests) {
        group.move_to = planned.move_to;
    }
    scenario
}

#[cfg(test)]
mod tests {
    use zvmlab::snapshot::EndCode;

    use super::super::moved::tests::{moved, relocation};
    use super::*;

    fn example() -> Scenario {
        let example = zvmlab::scenario::examples::example("EVACUATION").expect("an example");
        Scenario::parse(example.text).expect("valid")
    }

    #[test]
    fn white_space_is_what_those_that_are_there_leave() {
        let base = example();
        assert_eq!((emptied(&base), targets(&base)), (Some(1), vec![2, 3]));
        let room = Room::of(&base, 3);
        let member = &base.member3;
        assert_eq!(room.central_mb, member.central_mb);
        let groups =
            |which: fn(&GuestGroup) -> bool| base.guests.iter().filter(|group| which(group)).map(touched_mb).sum::<u64>();
        assert_eq!(room.there_mb, groups(|group| group.member == 3));
        assert_eq!(room.coming_mb, groups(|group| group.member == 1 && group.move_to == 3));
        assert!(room.for_guests_mb < room.central_mb && room.fits());
        assert_eq!(room.beyond_mb(), (room.there_mb + room.coming_mb).saturating_sub(room.for_guests_mb));
    }

    #[test]
    fn plans_differ_in_what_they_do_and_every_one_can_be_run() {
        let base = example();
        let plans = plans(&base);
        let names: Vec<&str> = plans.iter().map(|plan| plan.name.as_str()).collect();
        assert_eq!(names[0], "your plan");
        for wanted in ["smallest first", "all at once (ASYNCH)"] {
            assert!(names.contains(&wanted), "{names:?}");
        }
        // The example lists its guests by size.
        assert!(!names.contains(&"largest first") && same_as_yours(&base).contains(&"largest first"), "{names:?}");
        for plan in &plans {
            assert!(plan.scenario.check().is_ok(), "{}: {:?}", plan.name, plan.scenario.check());
            let moved = |scenario: &Scenario| {
                scenario.guests.iter().filter(|group| is_moved(group)).map(|group| group.count).sum::<u32>()
            };
            assert_eq!(moved(&plan.scenario), moved(&base), "{}", plan.name);
        }
    }

    #[test]
    fn the_largest_goes_where_most_is_free() {
        let mut base = example();
        for group in base.guests.iter_mut().filter(|group| group.member == 1) {
            group.move_to = 3;
        }
        let spread = spread(&base);
        let most = targets(&base).into_iter().max_by_key(|&target| Room::of(&base, target).free_mb());
        let largest =
            (0..base.guests.len()).filter(|&at| is_moved(&base.guests[at])).max_by_key(|&at| touched_mb(&base.guests[at]));
        assert_eq!(largest.map(|at| spread.guests[at].move_to), most);
        assert!(lacking(&base).is_none() && staying(&base).is_empty());
        base.guests.truncate(1);
        assert!(lacking(&base).is_some_and(|why| why.contains("one guest alone")));
    }

    #[test]
    fn a_plan_is_held_against_window_and_tolerance() {
        let mut base = example();
        base.relocation.window_s = 30;
        let mut slow = relocation("DATABASE", EndCode::Completed, 29_000, 12_000);
        slow.tolerance_ms = 10_000;
        let result = Outcome::of(&base, &moved(vec![slow.clone()]));
        assert_eq!((result.in_window, result.is_good()), (Some(true), false));
        assert_eq!(result.beyond, [("DATABASE".to_string(), 12.0, 10.0)]);
        slow.tolerance_ms = 0;
        let good = Outcome::of(&base, &moved(vec![slow.clone()]));
        assert!(good.is_good() && good.rank() < result.rank());
        let failed = Outcome::of(&base, &moved(vec![slow, relocation("WEB", EndCode::Ineligible, 1, 0)]));
        assert_eq!(failed.not_moved, [("WEB".to_string(), Some(EndCode::Ineligible))]);
        assert!(result.rank() < failed.rank());
        base.relocation.window_s = 0;
        assert_eq!(Outcome::of(&base, &moved(Vec::new())).in_window, None);
    }

    #[test]
    fn a_plan_that_is_taken_over_keeps_how_the_bench_measures() {
        let example = zvmlab::scenario::examples::example("EVACUATION").expect("an example");
        let bench = Scenario::parse(example.text).expect("valid");
        for plan in plans(&bench) {
            let taken = taken(&bench, &plan.scenario);
            assert_eq!(taken.measure, bench.measure);
            let mut alike = plan.scenario.clone();
            alike.measure = bench.measure.clone();
            assert_eq!(taken, alike, "{}", plan.name);
        }
    }
}
