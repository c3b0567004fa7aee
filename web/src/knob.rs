//! Knobs: the scenario's fields as a reader turns them, and what is wrong with what was given. Knows no browser.

use zvmlab::Scenario;
use zvmlab::scenario::fields::{FIELDS, Field, Kind};
use zvmlab::scenario::{Level, Problem};

use crate::format::storage_mb;

/// One knob: a field, and the guest group where the field is one of a group.
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

/// What a knob was turned to.
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

/// The groups in which the knobs stand, in this order: title, and the rooms whose fields they hold.
pub const GROUPS: &[(&str, &str, &[&str])] = &[
    (
        "paging",
        "Paging",
        &[
            "level",
            "paging.zhpf",
            "paging.volumes",
            "lcu.aliases",
            "lcu.alias_share",
            "paging.alias",
            "lcu.paths",
            "lcu.channel",
            "paging.kind",
            "paging.queue_depth",
            "paging.read_hit_percent",
            "paging.write_hit_percent",
            "paging.volume_slots",
            "paging.other_volumes",
            "paging.other_kind",
            "paging.other_slots",
        ],
    ),
    (
        "minidisks",
        "Minidisks",
        &[
            "minidisks.volumes",
            "minidisks.kind",
            "minidisks.queue_depth",
            "minidisks.read_hit_percent",
            "minidisks.write_hit_percent",
            "minidisks.mdc_mb",
            "minidisks.on_page_volumes",
        ],
    ),
    ("storage", "Storage", &["storage.central_mb", "storage.early_writes"]),
    (
        "processors",
        "Processors and guests",
        &[
            "guests.count",
            "guests.workload",
            "guests.loop_mb",
            "guests.virtual_mb",
            "guests.reserved_mb",
            "guests.pattern",
            "guests.references",
            "guests.change_percent",
            "guests.cycle_pages",
            "guests.io_records",
            "guests.io_read_percent",
            "guests.io_zhpf",
            "guests.minidisk_mb",
            "guests.think_ms",
            "guests.transaction",
            "guests.name",
            "processors.count",
        ],
    ),
    ("measure", "Measurement", &["name", "measure.warmup_s", "measure.interval_s"]),
];

/// Fields that are always shown; the others are shown on demand.
const MAIN: &[&str] =
    &["level", "paging.zhpf", "paging.volumes", "lcu.aliases", "storage.central_mb", "guests.count", "guests.loop_mb"];

impl Knob {
    /// The knob of the field at `path` in `group`.
    pub fn at(path: &str, group: usize) -> Option<Knob> {
        FIELDS.iter().find(|field| field.path == path).map(|field| Knob { field, group })
    }

    /// The knob that a problem of the scenario is about, if it is about one: `guests[2].count`.
    pub fn of_problem(problem: &Problem) -> Option<Knob> {
        let Some((room, rest)) = problem.field.split_once('[') else { return Knob::at(&problem.field, 0) };
        let (group, key) = rest.split_once("].")?;
        Knob::at(&format!("{room}.{key}"), group.parse().ok()?)
    }

    /// The id of its element.
    pub fn id(&self) -> String {
        let id = format!("knob-{}", self.field.path.replace('.', "-"));
        if self.group == 0 { id } else { format!("{id}-{}", self.group + 1) }
    }

    /// The field as the text form names it: `guests[1].count`.
    pub fn place(&self) -> String {
        match self.field.room() {
            "guests" => format!("guests[{}].{}", self.group, self.field.key()),
            _ => self.field.path.into(),
        }
    }

    /// Whether it is always shown.
    pub fn is_main(&self) -> bool {
        MAIN.contains(&self.field.path)
    }

    /// Turns it.
    ///
    /// # Errors
    /// What is wrong with what was given; the scenario is as before then.
    pub fn turn(&self, scenario: &mut Scenario, given: &Given) -> Result<(), Problem> {
        let problem = |shown: &str| Problem {
            field: self.place(),
            message: format!("{shown} given, {} is allowed", self.field.allowed()),
        };
        match (self.field.kind, given) {
            (Kind::Whole { min, max, set, .. }, Given::Number(text)) => match text.trim().parse::<u64>() {
                Ok(value) if (min..=max).contains(&value) => set(scenario, self.group, value),
                _ if text.trim().is_empty() => return Err(problem("nothing")),
                _ => return Err(problem(text.trim())),
            },
            (Kind::Switch { set, .. }, Given::Switch(value)) => set(scenario, self.group, *value),
            (Kind::Choice { allowed, set, .. }, Given::Choice(word)) if allowed.contains(&word.as_str()) => {
                set(scenario, self.group, word);
            }
            (Kind::Share { max, set, .. }, Given::Text(text)) => match text.trim().parse::<zvmlab::scenario::AliasShare>() {
                Ok(share) if [share.mdisk, share.paging].iter().all(|part| (1..=max).contains(part)) => {
                    set(scenario, self.group, share);
                }
                _ => return Err(problem(text.trim())),
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
            (_, other) => return Err(problem(&format!("{other:?}"))),
        }
        Ok(())
    }

    /// Why the knob can do nothing in this scenario, if so. One that stands where it must not stays usable, to turn it back.
    pub fn locked(&self, scenario: &Scenario) -> Option<&'static str> {
        let at_rest = match self.field.path {
            "paging.zhpf" => !scenario.paging.zhpf,
            "lcu.aliases" => scenario.lcu.aliases == 0,
            _ => return None,
        };
        (at_rest && scenario.level < Level::V6_4).then_some("z/VM 6.3 has none for paging. Choose 6.4 above.")
    }

    /// Smallest and largest value of the slider. It goes in whole steps, so that each value it shows can be chosen.
    pub fn slider_range(&self, scenario: &Scenario) -> Option<(u64, u64, u64)> {
        let Kind::Whole { min, slider_max, step, .. } = self.field.kind else { return None };
        let low = min.div_ceil(step) * step;
        // A loop cannot be longer than the guest's storage: a slider that ends there cannot go wrong.
        let high = match self.field.path {
            "guests.loop_mb" => scenario.guests.get(self.group).map_or(slider_max, |group| group.virtual_mb.min(slider_max)),
            _ => slider_max,
        };
        Some((low.min(high), high, step))
    }

    /// The value in words with its unit, for those who hear it.
    pub fn spoken(&self, value: u64) -> String {
        match self.field.unit {
            "MB" => storage_mb(value),
            "" => value.to_string(),
            unit => format!("{value} {unit}"),
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
    fn every_field_has_one_knob_in_one_group() {
        for field in FIELDS {
            let places = GROUPS.iter().flat_map(|(_, _, paths)| paths.iter()).filter(|path| **path == field.path).count();
            assert_eq!(places, 1, "{}", field.path);
        }
        assert!(MAIN.iter().all(|path| Knob::at(path, 0).is_some()));
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
    fn what_a_level_lacks_is_locked_unless_it_must_be_turned_back() {
        let mut scenario = Scenario { level: Level::V6_3, ..Scenario::default() };
        assert!(knob("paging.zhpf").locked(&scenario).is_some());
        assert!(knob("paging.volumes").locked(&scenario).is_none());
        scenario.paging.zhpf = true;
        assert!(knob("paging.zhpf").locked(&scenario).is_none());
        assert!(knob("paging.zhpf").locked(&Scenario::default()).is_none());
    }
}
