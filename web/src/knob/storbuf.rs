//! The three numbers of SET SRM STORBUF together: none may be larger than the one before it. Knows no browser.

use zvmlab::Scenario;
use zvmlab::scenario::Problem;

use super::sentences::sentence;
use super::{Given, Knob};

/// The three numbers, the first one first.
pub type Numbers = [u64; 3];

/// Settings that people know: the defaults before and from z/VM 6.2 on (6.2 deck).
pub const KNOWN: [Numbers; 2] = [[125, 105, 95], [300, 250, 200]];

const PATHS: [&str; 3] = ["scheduler.storbuf_1", "scheduler.storbuf_2", "scheduler.storbuf_3"];

/// The knob of one number.
pub fn knob(index: usize) -> Option<Knob> {
    PATHS.get(index).and_then(|path| Knob::at(path, 0))
}

/// What one number limits.
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

/// What turns the three knobs to these numbers.
pub fn turns(numbers: Numbers) -> Vec<(Knob, Given)> {
    let turn = |(index, number): (usize, u64)| Some((knob(index)?, Given::Number(number.to_string())));
    numbers.into_iter().enumerate().filter_map(turn).collect()
}

/// The numbers with one of them moved; the others go along as far as they must.
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

/// What is said of the neighbours that went along when the number at `index` was moved.
pub fn moved(before: Numbers, now: Numbers, index: usize) -> Option<String> {
    let names: Vec<&str> = ["first", "second", "third"]
        .into_iter()
        .enumerate()
        .filter(|(other, _)| *other != index && before[*other] != now[*other])
        .map(|(_, name)| name)
        .collect();
    let (who, verb) = match names.as_slice() {
        [] => return None,
        [one] => (format!("The {one} number"), "goes"),
        [one, other, ..] => (format!("The {one} and the {other} number"), "go"),
    };
    Some(format!("{who} {verb} along: none may be larger than the one before it."))
}

/// The ways to make numbers fit that do not: later ones lowered, or earlier ones raised.
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

/// What is wrong with the numbers, in sentences.
pub fn problems(scenario: &Scenario, problems: &[Problem]) -> Vec<String> {
    let own = |problem: &&Problem| PATHS.contains(&problem.field.as_str());
    problems.iter().filter(own).map(|problem| sentence(problem, scenario)).collect()
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
            Some("The second and the third number go along: none may be larger than the one before it.")
        );
        assert!(moved(start, [350, 350, 200], 1).is_some_and(|said| said.starts_with("The first number goes along")));
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
