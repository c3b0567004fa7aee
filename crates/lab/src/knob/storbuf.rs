//! The three numbers of SET SRM STORBUF together: none may be larger than the one before it. Knows no browser.

use zvmlab::Scenario;
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{Mechanism, Problem};

use super::sentences::sentence;
use super::{Given, Knob};
use crate::host::pages;

/// The three numbers, in their order.
pub type Numbers = [u64; 3];

/// Settings that people know: the defaults before z/VM 6.2 and from z/VM 6.2 on (6.2 deck).
pub const KNOWN: [Numbers; 2] = [[125, 105, 95], [300, 250, 200]];

/// Numbers so low that ready guests wait while storage is free. Chosen.
pub const LOW: Numbers = [40, 35, 30];

/// The paths of the three.
pub const PATHS: [&str; 3] = [path::SCHEDULER_STORBUF_1, path::SCHEDULER_STORBUF_2, path::SCHEDULER_STORBUF_3];

/// The name of each number.
const ORDINALS: [&str; 3] = ["First", "Second", "Third"];

/// Why the numbers hold nobody back, in a sentence; `None` if they may.
pub fn lacking(scenario: &Scenario) -> Option<&'static str> {
    Some(match scenario {
        _ if !scenario.has(Mechanism::EligibleList) => "this level keeps no guest in the eligible list",
        _ if !pages(scenario) => "all that the guests touch fits in central storage",
        _ => return None,
    })
}

/// The knob of one number.
pub fn knob(index: usize) -> Option<Knob> {
    PATHS.get(index).and_then(|path| Knob::at(path, 0))
}

/// The lists that one number limits.
pub fn label(index: usize) -> &'static str {
    ["First: Q1, Q2 and Q3", "Second: Q2 and Q3", "Third: Q3"].get(index).copied().unwrap_or_default()
}

/// The numbers of a scenario.
pub fn numbers(scenario: &Scenario) -> Numbers {
    let scheduler = &scenario.scheduler;
    [scheduler.storbuf_1, scheduler.storbuf_2, scheduler.storbuf_3].map(u64::from)
}

/// The numbers as the command has them: `300 250 200`.
pub fn written(numbers: Numbers) -> String {
    numbers.map(|number| number.to_string()).join(" ")
}

/// The command.
pub fn command(numbers: Numbers) -> String {
    format!("SET SRM STORBUF {}", written(numbers))
}

/// The values of the three knobs for these numbers.
pub fn turns(numbers: Numbers) -> Vec<(Knob, Given)> {
    let turn = |(index, number): (usize, u64)| Some((knob(index)?, Given::Number(number.to_string())));
    numbers.into_iter().enumerate().filter_map(turn).collect()
}

/// The numbers after one of them moved. The others follow as far as they must.
pub fn pushed(numbers: Numbers, index: usize, number: u64) -> Numbers {
    let mut pushed = numbers;
    if let Some(moved) = pushed.get_mut(index) {
        *moved = number;
    }
    for later in index + 1..pushed.len() {
        pushed[later] = pushed[later].min(pushed[later - 1]);
    }
    for earlier in (0..index.min(pushed.len() - 1)).rev() {
        pushed[earlier] = pushed[earlier].max(pushed[earlier + 1]);
    }
    pushed
}

/// The words for the numbers that followed when the number at `index` moved.
pub fn moved(before: Numbers, now: Numbers, index: usize) -> Option<String> {
    let names: Vec<&str> = ["first", "second", "third"]
        .into_iter()
        .enumerate()
        .filter(|(other, _)| *other != index && before[*other] != now[*other])
        .map(|(_, name)| name)
        .collect();
    let (who, verb) = match names.as_slice() {
        [] => return None,
        [one] => (format!("The {one} number"), "moves"),
        [one, other, ..] => (format!("The {one} and the {other} number"), "move"),
    };
    Some(format!("{who} {verb} too: none may be larger than the one before it."))
}

/// The ways to make wrong numbers fit: lower the later ones, or raise the earlier ones.
pub fn fits(numbers: Numbers) -> Vec<Numbers> {
    let (mut lowered, mut raised) = (numbers, numbers);
    for index in 1..numbers.len() {
        lowered[index] = lowered[index].min(lowered[index - 1]);
    }
    for index in (1..numbers.len()).rev() {
        raised[index - 1] = raised[index - 1].max(raised[index]);
    }
    if lowered == raised { Vec::new() } else { vec![lowered, raised] }
}

/// What is wrong with the numbers, in sentences that begin with the number's place.
pub fn problems(scenario: &Scenario, problems: &[Problem]) -> Vec<String> {
    let index = |problem: &Problem| PATHS.iter().position(|path| *path == problem.field);
    let own: Vec<(usize, &Problem)> = problems.iter().filter_map(|problem| Some((index(problem)?, problem))).collect();
    // While a field is unreadable its number is unknown, so nothing is said of the order.
    let unreadable = own.iter().any(|(_, problem)| is_unreadable(problem));
    let said = own.into_iter().filter(|(_, problem)| !unreadable || is_unreadable(problem));
    said.map(|(index, problem)| format!("{} number: {}", ORDINALS[index], sentence(problem, scenario))).collect()
}

/// Whether a problem is about a text that is no number of its field.
fn is_unreadable(problem: &Problem) -> bool {
    Knob::of_problem(problem).is_some_and(|knob| problem.message.ends_with(&format!("{} is allowed", knob.field.allowed())))
}

/// Which of the three numbers are wrong. Of two in the wrong order both are, unless one of the three is unreadable.
pub fn wrong(problems: &[Problem]) -> [bool; 3] {
    let mut wrong = [false; 3];
    let own = |problem: &&Problem| PATHS.contains(&problem.field.as_str());
    let unreadable = problems.iter().filter(own).any(is_unreadable);
    for problem in problems.iter().filter(|problem| !unreadable || is_unreadable(problem)) {
        let Some(index) = PATHS.iter().position(|path| *path == problem.field) else { continue };
        wrong[index] = true;
        if !is_unreadable(problem) && index > 0 {
            wrong[index - 1] = true;
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_passes_its_neighbours_takes_them_along_and_says_so() {
        let start = [300, 250, 200];
        assert_eq!(pushed(start, 0, 150), [150, 150, 150]);
        assert_eq!(pushed(start, 0, 220), [220, 220, 200]);
        assert_eq!(pushed(start, 2, 400), [400, 400, 400]);
        assert_eq!(pushed(start, 1, 100), [300, 100, 100]);
        assert_eq!(pushed(start, 1, 350), [350, 350, 200]);
        assert_eq!(pushed(start, 0, 400), [400, 250, 200]);
        assert_eq!(moved(start, [400, 250, 200], 0), None);
        assert_eq!(
            moved(start, [150, 150, 150], 0).as_deref(),
            Some("The second and the third number move too: none may be larger than the one before it.")
        );
        assert!(moved(start, [350, 350, 200], 1).is_some_and(|said| said.starts_with("The first number moves too")));
    }

    #[test]
    fn what_is_wrong_names_its_number_and_waits_for_one_that_can_be_read() {
        let mut scenario = Scenario::default();
        (scenario.scheduler.storbuf_1, scenario.scheduler.storbuf_2, scenario.scheduler.storbuf_3) = (100, 250, 200);
        let order = scenario.check().expect_err("the order is wrong").problems;
        let said = problems(&scenario, &order);
        assert!(said.len() == 1 && said[0].starts_with("Second number: 250 after 100"), "{said:?}");
        assert_eq!(wrong(&order), [true, true, false]);
        let first = knob(0).expect("a field");
        let unreadable = first.turn(&mut scenario, &Given::Number(String::new())).expect_err("it is no number");
        let both: Vec<Problem> = std::iter::once(unreadable).chain(order).collect();
        let said = problems(&scenario, &both);
        assert!(said.len() == 1 && said[0].starts_with("First number: Nothing given, "), "{said:?}");
        assert_eq!(wrong(&both), [true, false, false]);
    }

    #[test]
    fn numbers_that_do_not_fit_have_two_ways_out() {
        assert_eq!(fits([100, 250, 200]), [[100, 100, 100], [250, 250, 200]]);
        assert_eq!(fits([300, 250, 200]), Vec::<Numbers>::new());
        let mut scenario = Scenario::default();
        for numbers in KNOWN {
            for (knob, given) in turns(numbers) {
                knob.turn(&mut scenario, &given).expect("it is a value");
            }
            assert_eq!(super::numbers(&scenario), numbers);
        }
        assert_eq!(command(KNOWN[0]), "SET SRM STORBUF 125 105 95");
    }
}
