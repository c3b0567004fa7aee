//! Knobs: the scenario's fields as a reader turns them, and what is wrong with an entry. Knows no browser.

pub mod changes;
pub mod doubt;
mod find;
pub mod groups;
pub mod limits;
pub mod link;
pub mod relocation;
pub mod sentences;
pub mod storbuf;

use zvmlab::Scenario;
use zvmlab::scenario::fields::{
    FIELDS, Field, Kind, MAX_GROUPS,
    path::{self, room},
};
use zvmlab::scenario::{AliasShare, Problem, Tenths, quantity};

use crate::host::{is_cluster, looped_mb};
use crate::words::number::storage_mb;
use sentences::given as shown;

/// Least number of places of a slider, if its field has as many values. Chosen.
const PLACES_MIN: u64 = 8;

/// Least end of the slider of central storage, in MB. Chosen.
const CENTRAL_MB_LEAST: u64 = 8_192;

/// The end of the slider of guests whose loops have at most `SMALL_LOOP_MB`. Chosen.
const SMALL_GUESTS: u64 = 120;
const SMALL_LOOP_MB: u64 = 4;

/// One knob: a field, and its guest group if the field is one of a group.
#[derive(Clone, Copy, Debug)]
pub struct Knob {
    /// The field.
    pub field: &'static Field,
    /// The index of the guest group; 0 for all other fields.
    pub group: usize,
}

impl PartialEq for Knob {
    fn eq(&self, other: &Self) -> bool {
        self.field.path == other.field.path && self.group == other.group
    }
}

/// A new value of a knob.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// The text of a number field, or the place of a slider.
    Number(String),
    /// On or off.
    Switch(bool),
    /// One of the words.
    Choice(String),
    /// A text.
    Text(String),
}

impl Given {
    /// The entry as a message names it.
    fn shown(&self) -> String {
        match self {
            Given::Switch(value) => value.to_string(),
            Given::Number(text) | Given::Choice(text) | Given::Text(text) => shown(text),
        }
    }
}

impl Knob {
    /// The knob of the field at `path` in `group`.
    pub fn at(path: &str, group: usize) -> Option<Knob> {
        FIELDS.iter().find(|field| field.path == path).map(|field| Knob { field, group })
    }

    /// The knob that a problem of the scenario is about, if any: `guests[2].count`.
    pub fn of_problem(problem: &Problem) -> Option<Knob> {
        let Some((room, rest)) = problem.field.split_once('[') else { return Knob::at(&problem.field, 0) };
        let (group, key) = rest.split_once("].")?;
        let group = group.parse().ok().filter(|group| *group < MAX_GROUPS)?;
        Knob::at(&format!("{room}.{key}"), group)
    }

    /// The knob that a file names so: `lcu.aliases`, `guests[1].count`.
    pub fn named_in_files(name: &str) -> Option<Knob> {
        Knob::of_problem(&Problem { field: name.into(), message: String::new() })
    }

    /// The id of its element.
    pub fn id(&self) -> String {
        let id = format!("knob-{}", self.field.path.replace('.', "-"));
        if self.group == 0 { id } else { format!("{id}-{}", self.group + 1) }
    }

    /// Its name. In a cluster, the storage that guests touch is the storage to move.
    pub fn label(&self, scenario: &Scenario) -> &'static str {
        let own = Some(self.field.path).filter(|_| is_cluster(scenario)).and_then(relocation::label);
        own.unwrap_or(self.field.label)
    }

    /// Its name where it stands alone: `Relative share of LINUX01` where a host has several groups of guests.
    pub fn named(&self, scenario: &Scenario) -> String {
        let label = self.label(scenario);
        match scenario.guests.get(self.group) {
            Some(group) if self.field.room() == room::GUESTS && scenario.guests.len() > 1 => {
                format!("{label} of {}", group.name)
            }
            _ => label.into(),
        }
    }

    /// Its explanation.
    pub fn help(&self, scenario: &Scenario) -> &'static str {
        let own = Some(self.field.path).filter(|_| is_cluster(scenario)).and_then(relocation::help);
        own.unwrap_or(self.field.help())
    }

    /// The field as the text form names it: `guests[1].count`.
    pub fn place(&self) -> String {
        match self.field.room() {
            room::GUESTS => format!("guests[{}].{}", self.group, self.field.key()),
            _ => self.field.path.into(),
        }
    }

    /// Whether the scenario has it: a knob of a guest group is there only with the group.
    pub fn is_in(&self, scenario: &Scenario) -> bool {
        self.field.room() != room::GUESTS || self.group < scenario.guests.len()
    }

    /// Its value in a scenario, as an entry that gives it; none where the scenario does not have it.
    pub fn given(&self, scenario: &Scenario) -> Option<Given> {
        self.is_in(scenario).then(|| match self.field.kind {
            Kind::Whole { get, .. } => Given::Number(get(scenario, self.group).to_string()),
            Kind::Tenths { get, .. } => Given::Number(get(scenario, self.group).to_string()),
            Kind::Switch { get, .. } => Given::Switch(get(scenario, self.group)),
            Kind::Choice { get, .. } => Given::Choice(get(scenario, self.group).into()),
            Kind::Share { get, .. } => Given::Text(get(scenario, self.group).to_string()),
            Kind::Text { get, .. } => Given::Text(get(scenario, self.group).into()),
        })
    }

    /// Turns it.
    ///
    /// # Errors
    /// What is wrong with the entry. The scenario then stays as it was.
    pub fn turn(&self, scenario: &mut Scenario, given: &Given) -> Result<(), Problem> {
        let problem = |what: &str| Problem {
            field: self.place(),
            message: format!("{what} given, {} is allowed", self.field.allowed()),
        };
        let number = |text: &str| {
            let units = if quantity::is_bare(text) { Vec::new() } else { quantity::names(self.field.unit) };
            let mut problem = problem(&shown(text));
            if !units.is_empty() {
                problem.message += &format!("; the units are {}", units.join(", "));
            }
            problem
        };
        if !self.is_in(scenario) {
            let last = scenario.guests.len().saturating_sub(1);
            let has = if last == 0 { "guests[0] alone".into() } else { format!("guests[0] to guests[{last}]") };
            return Err(Problem { field: self.place(), message: format!("there is no such group; the host has {has}") });
        }
        match (self.field.kind, given) {
            (Kind::Whole { set, .. }, Given::Number(text)) => match self.field.number(text) {
                Some(value) => set(scenario, self.group, value),
                None => return Err(number(text)),
            },
            (Kind::Tenths { set, .. }, Given::Number(text)) => match self.field.number(text) {
                Some(tenths) => set(scenario, self.group, Tenths(tenths as u32)),
                None => return Err(number(text)),
            },
            (Kind::Switch { set, .. }, Given::Switch(value)) => set(scenario, self.group, *value),
            (Kind::Choice { allowed, set, .. }, Given::Choice(word)) if allowed.contains(&word.as_str()) => {
                set(scenario, self.group, word);
            }
            (Kind::Share { total, set, .. }, Given::Number(place)) => match place.trim().parse::<u32>() {
                Ok(paging) if (1..total).contains(&paging) => {
                    set(scenario, self.group, AliasShare { mdisk: total - paging, paging });
                }
                _ => return Err(problem(&shown(place))),
            },
            // Blanks around the numbers are allowed.
            (Kind::Share { max, set, .. }, Given::Text(text)) => match text.replace(' ', "").parse::<AliasShare>() {
                Ok(share) if [share.mdisk, share.paging].iter().all(|part| (1..=max).contains(part)) => {
                    set(scenario, self.group, share);
                }
                _ => {
                    let wanted =
                        format!("but two whole numbers from 1 to {max} with a colon between them are needed, such as 15:1");
                    return Err(Problem { field: self.place(), message: format!("{} given, {wanted}", shown(text)) });
                }
            },
            (Kind::Text { max_chars, set, .. }, Given::Text(text)) => {
                if text.is_empty() {
                    return Err(problem("nothing"));
                }
                if text.chars().count() > max_chars {
                    return Err(problem(&format!("{} characters", text.chars().count())));
                }
                set(scenario, self.group, text.clone());
            }
            (_, other) => return Err(problem(&other.shown())),
        }
        Ok(())
    }

    /// Smallest and largest value of the slider, and its step; none if there is no room for a slider. It goes in whole steps from
    /// the present value, so that it can show each of its values and the present one. A number with a decimal is in tenths.
    pub fn slider_range(&self, scenario: &Scenario) -> Option<(u64, u64, u64)> {
        let (min, slider_max, mut step, value) = match self.field.kind {
            Kind::Whole { min, slider_max, step, get, .. } => (min, slider_max, step, get(scenario, self.group)),
            // In whole numbers, unless the value has a decimal: a hand cannot tell a thousand places apart.
            Kind::Tenths { min, slider_max, get, .. } => {
                let value = get(scenario, self.group).0;
                let step = if value.is_multiple_of(10) { 10 } else { 1 };
                (min.0.into(), slider_max.0.into(), step, value.into())
            }
            _ => return None,
        };
        // A loop cannot be longer than the guest's storage, so the slider ends there. In a cluster the storage follows the loop.
        let high = match self.field.path {
            path::GUESTS_LOOP_MB if is_cluster(scenario) => relocation::TOUCHED_MB,
            path::GUESTS_ACTIVE_MB => {
                scenario.guests.get(self.group).map_or(slider_max, |group| group.loop_mb.min(slider_max))
            }
            path::GUESTS_LOOP_MB => {
                scenario.guests.get(self.group).map_or(slider_max, |group| group.virtual_mb.min(slider_max))
            }
            // There may be many guests that take hardly any storage.
            path::GUESTS_COUNT => match scenario.guests.get(self.group) {
                Some(group) if group.loop_mb <= SMALL_LOOP_MB && group.io_records == 0 => slider_max.max(SMALL_GUESTS),
                _ => slider_max,
            },
            // Only a few times the touched storage matters: a small host has a slider of its own.
            path::STORAGE_CENTRAL_MB => {
                (looped_mb(scenario) * 4).next_power_of_two().clamp(CENTRAL_MB_LEAST, slider_max.max(CENTRAL_MB_LEAST))
            }
            _ => slider_max,
        };
        if self.field.path == path::STORAGE_CENTRAL_MB {
            step = step.min(high / 64);
        }
        while step > 1 && (!value.is_multiple_of(step) || high / step < PLACES_MIN) {
            step /= 2;
        }
        let low = (min.div_ceil(step) * step).min(high).min(value);
        let high = high.max(value);
        (low < high).then_some((low, high, step))
    }

    /// A place of the slider as the text of its number field: `12.5` if the field is in tenths.
    pub fn written(&self, place: u64) -> String {
        match self.field.kind {
            Kind::Tenths { .. } => (place as f64 / 10.0).to_string(),
            _ => place.to_string(),
        }
    }

    /// The place of a share on its slider. The left end is all but one for minidisk I/O. A share between two steps, such as
    /// 100:50, is at the nearest step.
    pub fn share_place(&self, scenario: &Scenario) -> Option<u32> {
        let Kind::Share { total, get, .. } = self.field.kind else { return None };
        let AliasShare { mdisk, paging } = get(scenario, self.group);
        let both = u64::from(mdisk) + u64::from(paging);
        let place = (u64::from(paging) * u64::from(total) * 2 + both) / (both * 2).max(1);
        Some((place as u32).clamp(1, total.saturating_sub(1).max(1)))
    }

    /// The value at a place of the slider, in words with its unit, for screen readers.
    pub fn spoken(&self, value: u64) -> String {
        match self.field.unit {
            "MB" => storage_mb(value),
            "" => self.written(value),
            unit => format!("{} {unit}", self.written(value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knob(path: &str) -> Knob {
        Knob::at(path, 0).expect("a field")
    }

    #[test]
    fn what_is_not_allowed_leaves_the_scenario_as_it_was() {
        let volumes = knob("paging.volumes");
        for text in ["", "0", "-1", "1e3", "4.5", "65", "4294967300", "99999999999999999999999", "NaN", "x"] {
            let mut scenario = Scenario::default();
            let problem = volumes.turn(&mut scenario, &Given::Number(text.into())).expect_err(text);
            assert_eq!(problem.field, "paging.volumes");
            assert!(problem.message.contains("1 to 64"), "{}", problem.message);
            assert_eq!(scenario, Scenario::default());
        }
        let mut scenario = Scenario::default();
        assert_eq!(volumes.turn(&mut scenario, &Given::Number(" 8 ".into())), Ok(()));
        assert_eq!(scenario.paging.volumes, 8);
    }

    #[test]
    fn each_value_can_be_given_back() {
        for run in crate::published::runs() {
            for field in FIELDS {
                let (knob, mut scenario) = (Knob { field, group: 0 }, run.scenario.clone());
                let given = knob.given(&run.scenario).expect("each host has guests");
                // Some values are no entries, such as a workload without a name.
                if knob.turn(&mut scenario, &given).is_ok() {
                    assert_eq!(knob.given(&scenario), Some(given), "{}", field.path);
                }
            }
        }
        let (mut now, was) = (Scenario::default(), Scenario::default());
        knob("lcu.aliases").turn(&mut now, &Given::Number("8".into())).expect("allowed");
        let back = knob("lcu.aliases").given(&was).expect("each host has it");
        knob("lcu.aliases").turn(&mut now, &back).expect("allowed");
        assert_eq!(now, was);
    }

    #[test]
    fn each_problem_finds_its_knob() {
        let problem = |field: &str| Problem { field: field.into(), message: String::new() };
        assert_eq!(Knob::of_problem(&problem("paging.zhpf")), Some(knob("paging.zhpf")));
        assert_eq!(
            Knob::of_problem(&problem("guests[2].count")).map(|knob| knob.id()).as_deref(),
            Some("knob-guests-count-3")
        );
        assert_eq!(Knob::of_problem(&problem("guests")), None);
        assert_eq!(Knob::of_problem(&problem("guests[x].count")), None);
    }

    #[test]
    fn every_published_value_stands_on_a_step_of_its_slider() {
        let scenario = Scenario::default();
        for path in ["storage.central_mb", "guests.loop_mb", "guests.virtual_mb", "paging.volumes"] {
            let (low, high, step) = knob(path).slider_range(&scenario).expect("a number");
            let Kind::Whole { get, .. } = knob(path).field.kind else { panic!("a number") };
            let value = get(&scenario, 0);
            assert!((low..=high).contains(&value) && (value - low).is_multiple_of(step), "{path}");
        }
    }

    #[test]
    fn a_slider_can_show_what_every_published_run_has() {
        for run in crate::published::runs() {
            for knob in groups::groups(&run.scenario, &[]).into_iter().flat_map(|group| group.knobs) {
                let (Kind::Whole { get, .. }, Some((low, high, step))) = (knob.field.kind, knob.slider_range(&run.scenario))
                else {
                    continue;
                };
                let value = get(&run.scenario, knob.group);
                assert!((low..=high).contains(&value), "{}: {}", run.id, knob.place());
                assert!((value - low).is_multiple_of(step), "{}: {} from {low} by {step}", run.id, knob.place());
            }
        }
        let mut scenario = Scenario::default();
        let range = |path: &str, scenario: &Scenario| knob(path).slider_range(scenario);
        scenario.guests[0].loop_mb = 896;
        assert_eq!(range("guests.loop_mb", &scenario).map(|(low, _, step)| (low, step)), Some((128, 128)));
        (scenario.guests[0].virtual_mb, scenario.guests[0].loop_mb) = (2_944, 1_024);
        assert_eq!(range("guests.loop_mb", &scenario), Some((256, 2_944, 256)), "a short slider has short steps");
        (scenario.guests[0].virtual_mb, scenario.guests[0].loop_mb) = (32, 32);
        assert_eq!(range("guests.loop_mb", &scenario), Some((4, 32, 4)));
        scenario.lcu.aliases = 200;
        assert_eq!(range("lcu.aliases", &scenario), Some((0, 200, 1)), "beyond its end, it ends there");
        (scenario.guests[0].virtual_mb, scenario.guests[0].loop_mb) = (1, 1);
        assert_eq!(range("guests.loop_mb", &scenario), None, "there is no room");
    }

    #[test]
    fn a_share_is_a_place_on_its_slider_or_a_text() {
        let knob = knob("lcu.alias_share");
        let mut scenario = Scenario::default();
        let mut share = |given: Given| {
            let done = knob.turn(&mut scenario, &given);
            (done.is_ok(), scenario.lcu.alias_share.to_string(), knob.share_place(&scenario))
        };
        assert_eq!(share(Given::Number("1".into())), (true, "15:1".into(), Some(1)));
        assert_eq!(share(Given::Number("15".into())), (true, "1:15".into(), Some(15)));
        assert_eq!(share(Given::Text(" 100:50 ".into())), (true, "100:50".into(), Some(5)));
        assert_eq!(share(Given::Text(" 3 : 5 ".into())), (true, "3:5".into(), Some(10)));
        assert_eq!(share(Given::Text("1:1000".into())), (true, "1:1000".into(), Some(15)));
        assert_eq!(share(Given::Text("7:1".into())), (true, "7:1".into(), Some(2)));
        for wrong in ["0", "16", "", "8:8", "-1"] {
            assert_eq!(share(Given::Number(wrong.into())), (false, "7:1".into(), Some(2)), "{wrong}");
        }
        for wrong in ["", "8", "0:8", "8:1001", "8:8:8", "a:b"] {
            assert_eq!(share(Given::Text(wrong.into())), (false, "7:1".into(), Some(2)), "{wrong}");
        }
    }
}
