//! The subject of PLDV and VARY: ready work that is forgotten, and work that piles up behind a lock.

use std::borrow::Cow;

use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::Scenario;
use zvmlab::scenario::fields::path;
use zvmlab::{Figure, Snapshot};

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Step, Way};
use super::of_processors::{on, who};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_processors};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// Ready work that is forgotten, and work that piles up behind a lock.
pub static PLDV: &Subject = &Subject {
    title: "PLDV and VARY",
    question: "Why does ready work not run while a processor has nothing to do?",
    depth: Depth::Further,
    part: Part::Processors,
    sources: &["forgotten-work-6.2", "kept-lock-6.2"],
    setups: &[Setup::new("PLDV", "PLDV overflow (VM64887)"), Setup::new("VARY", "VARY PROCESSOR (VM64767)")],
    limit: Some(ResourceKind::Processors),
    room: Room::Processors,
    sign: Some(Sign { order: 30, is_seen: |scenario| scenario.dispatcher.vary_s > 0 || !scenario.dispatcher.pldv_fix }),
    groups: &[id::DISPATCHER, id::PROCESSORS, id::GUESTS],
    is_main,
    swept: |_| path::GUESTS_COUNT,
    introduction,
    chain: CHAIN,
    leads: |scenario| if varies(scenario) { PILED_UP.to_vec() } else { FORGOTTEN.to_vec() },
    table: |_| TABLE,
    particulars: Particulars { count: behind_vary, ..Particulars::NONE },
};

const CHAIN: Chain = Chain { steps: &[NOTE_OVERFLOWS, GIVE_BACK], made };

const NOTE_OVERFLOWS: Step = Step {
    label: |_| "Apply VM64887".into(),
    reason: "A reshuffle notes that vectors overflowed.",
    is_due: |seen| !seen.scenario.dispatcher.pldv_fix && !varies(seen.scenario),
    take: |scenario| scenario.dispatcher.pldv_fix = true,
    shows: (Figure::Etr, Way::Up),
};

const GIVE_BACK: Step = Step {
    label: |_| "Apply VM64767".into(),
    reason: "VARY PROCESSOR gives its lock back.",
    is_due: |seen| varies(seen.scenario) && !seen.scenario.dispatcher.vary_fix,
    take: |scenario| scenario.dispatcher.vary_fix = true,
    shows: (Figure::Etr, Way::Up),
};

fn made(scenario: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match limits.limit {
        _ if varies(scenario) => "VARY PROCESSOR gives its lock back, so those who need it wait for a moment only.",
        Some(ResourceKind::Processors) => "The processors limit now: no ready work is forgotten.",
        _ => "No ready work is forgotten.",
    }
    .into()
}

const FORGOTTEN: &[Lead] = &[
    ETR,
    lead(Figure::ForgottenWork, "ready virtual CPUs while a processor has nothing to do", "forgotten"),
    lead(Figure::ReadyWait, "% of the guests’ time ready, waiting to run", "% ready"),
    lead(Figure::Utilization, "% of the processors busy", "% busy"),
];

/// Without the response time: it would be of the few cycles that still end.
const PILED_UP: &[Lead] = &[
    ETR,
    lead(Figure::SimulationWait, "% of the guests’ time in simulation wait", "% sim. wait"),
    lead(Figure::Utilization, "% of the processors busy", "% busy"),
];

const TABLE: Table = &[
    (Figure::Etr, false),
    (Figure::ResponseTime, false),
    (Figure::ForgottenWork, false),
    (Figure::Utilization, false),
    (Figure::Running, false),
    (Figure::ReadyWait, false),
    (Figure::SimulationWait, false),
    (Figure::IdleTime, false),
];

fn varies(scenario: &Scenario) -> bool {
    scenario.dispatcher.vary_s > 0
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_processors::is_main(knob, scenario, |path, scenario, _| match path {
        path::DISPATCHER_PLDV_FIX => !varies(scenario) || !scenario.dispatcher.pldv_fix,
        path::DISPATCHER_VARY_S | path::DISPATCHER_VARY_FIX => varies(scenario),
        path::GUESTS_THINK_MS => true,
        _ => false,
    })
}

fn introduction(scenario: &Scenario) -> String {
    let on = format!("{} run on {} of {}", who(&scenario.guests), on(scenario), scenario.level.name());
    let dispatcher = &scenario.dispatcher;
    if varies(scenario) {
        let lock = if dispatcher.vary_fix { "gives its lock back" } else { "never gives its lock back" };
        return format!("{on}; VARY PROCESSOR is entered {} s into the interval and {lock}", dispatcher.vary_s);
    }
    let noted = if dispatcher.pldv_fix { "notes" } else { "does not note" };
    format!(
        "{on}, each with a vector (PLDV) of {} ready virtual CPUs; a reshuffle {noted} that vectors overflowed",
        dispatcher.vector_entries
    )
}

/// Virtual CPUs that wait for the lock of VARY PROCESSOR at the end of a run, with the words after their number. They show the
/// effect of the command. It is no figure, because it is no mean.
fn behind_vary(scenario: &Scenario, snapshot: &Snapshot) -> Option<(u32, &'static str)> {
    let words = match snapshot.locks.vary_held && !scenario.dispatcher.vary_fix {
        true => "virtual CPUs behind the lock that VARY PROCESSOR keeps",
        false => "virtual CPUs behind the lock of VARY PROCESSOR",
    };
    varies(scenario).then_some((snapshot.locks.vary_waiting, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_the_lock_of_vary_stand_those_who_wait_for_ever() {
        let mut scenario = crate::published::ready::scenario_of("VARY").expect("an example");
        let mut snapshot = Snapshot::default();
        (snapshot.locks.vary_held, snapshot.locks.vary_waiting) = (true, 20);
        assert!(behind_vary(&scenario, &snapshot).is_some_and(|(count, said)| count == 20 && said.contains("keeps")));
        scenario.dispatcher.vary_fix = true;
        assert!(behind_vary(&scenario, &snapshot).is_some_and(|(_, said)| !said.contains("keeps")));
        scenario.dispatcher.vary_s = 0;
        assert_eq!(behind_vary(&scenario, &snapshot), None);
    }
}
