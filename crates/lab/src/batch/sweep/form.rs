//! The reader's form for a sweep: the knob, from, to and step, with defaults that suit the scenario on the bench.

use zvmlab::Scenario;
use zvmlab::scenario::fields::{
    Kind,
    path::{self, room},
};
use zvmlab::scenario::{AliasShare, Role, ShareType};

use super::{SweepRange, VALUES_MAX, bare, bounds, value};
use crate::host::{moves, why_no_modes, why_no_sharing};
use crate::knob::Knob;
use crate::knob::sentences::given;
use crate::subjects::Subject;
use crate::words::number::whole;

/// The knobs that can be swept.
const PATHS: &[&str] = &[
    path::PAGING_VOLUMES,
    path::LCU_ALIASES,
    path::LCU_ALIAS_SHARE,
    path::LCU_PATHS,
    path::MINIDISKS_VOLUMES,
    path::MINIDISKS_MDC_MB,
    path::STORAGE_CENTRAL_MB,
    path::PROCESSORS_COUNT,
    path::PROCESSORS_CAPACITY_PERCENT,
    path::PRSM_OTHER_BUSY_PERCENT,
    path::GUESTS_COUNT,
    path::GUESTS_VIRTUAL_CPUS,
    path::GUESTS_CONNECTIONS,
    path::GUESTS_SHARE_RELATIVE,
    path::GUESTS_LOOP_MB,
    path::GUESTS_IO_RECORDS,
    path::GUESTS_TOUCH_MB_S,
    path::GUESTS_ACTIVE_MB,
    path::GUESTS_DEVICES,
    path::RELOCATION_GOAL_MS,
    path::RELOCATION_PASSES_MAX,
    path::RELOCATION_THROTTLE_PAGING,
    path::RELOCATION_THROTTLE_ENDPOINT,
    path::ISFC_BUFFERS,
    path::ISFC_OTHER_MB_S,
    path::MEMBER2_CENTRAL_MB,
    path::MEMBER2_VOLUMES,
];

/// The whole number in a text, in the unit of the knob's field.
fn entered(knob: &Knob, text: &str) -> Option<u64> {
    if is_share(knob) {
        return text.parse().ok();
    }
    let amount = knob.field.amount(text)?;
    match knob.field.kind {
        Kind::Tenths { .. } => amount.is_multiple_of(10).then_some(amount / 10),
        _ => Some(amount),
    }
}

/// Whether a knob does anything in `scenario`.
fn matters(knob: &Knob, scenario: &Scenario) -> bool {
    match knob.field.path {
        path::LCU_ALIAS_SHARE => why_no_sharing(scenario).is_none(),
        path::MINIDISKS_VOLUMES | path::MINIDISKS_MDC_MB => scenario.does_io(),
        path::PRSM_OTHER_BUSY_PERCENT => scenario.processors.shared && scenario.prsm.partitions > 0,
        path::GUESTS_VIRTUAL_CPUS => scenario.guests.get(knob.group).is_some_and(|group| group.cpu_us > 0),
        path::GUESTS_CONNECTIONS => scenario.guests.get(knob.group).is_some_and(|group| group.role == Role::Client),
        path::GUESTS_SHARE_RELATIVE => {
            let own = scenario.guests.get(knob.group).is_some_and(|group| group.share_type == ShareType::Relative);
            own && scenario.guests.len() > 1 && !scenario.does_io()
        }
        path::GUESTS_IO_RECORDS => scenario.guests.get(knob.group).is_some_and(|group| group.io_records > 0),
        path::GUESTS_TOUCH_MB_S => scenario.guests.get(knob.group).is_some_and(|group| group.touch_mb_s > 0),
        path::GUESTS_ACTIVE_MB => scenario.guests.get(knob.group).is_some_and(|group| group.active_mb > 0),
        path::GUESTS_DEVICES => scenario.relocates() && scenario.guests.get(knob.group).is_some_and(moves),
        path::MEMBER2_CENTRAL_MB | path::MEMBER2_VOLUMES => scenario.cluster.members > 1,
        path if [room::RELOCATION, room::ISFC].iter().any(|of| room::holds(of, path)) => scenario.relocates(),
        _ => true,
    }
}

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The smallest value.
    From,
    /// The largest value.
    To,
    /// The distance of two values.
    Step,
}

impl Bound {
    /// Every field, in the order of the form.
    pub const ALL: [Bound; 3] = [Bound::From, Bound::To, Bound::Step];

    /// Its label.
    pub fn label(self) -> &'static str {
        ["From", "To", "Step"][self as usize]
    }

    /// The id of its element.
    pub fn id(self) -> &'static str {
        ["sweep-from", "sweep-to", "sweep-step"][self as usize]
    }
}

/// Why nothing can be swept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The fields that are wrong.
    pub bounds: Vec<Bound>,
    /// What is wrong, in a sentence.
    pub why: String,
}

/// What the reader has entered. An empty field takes its default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// The knob, by its place in the scenario.
    place: Option<String>,
    texts: [Option<String>; 3],
}

impl Form {
    /// Chooses a knob, with its own defaults.
    pub fn choose(&mut self, place: String) {
        *self = Form { place: Some(place), texts: Default::default() };
    }

    /// Enters a text.
    pub fn give(&mut self, bound: Bound, text: String) {
        self.texts[bound as usize] = Some(text);
    }

    /// The knob: the chosen one, or one that is worth a sweep at this level.
    pub fn knob(&self, subject: &Subject, scenario: &Scenario) -> Option<Knob> {
        let there = knobs(scenario);
        let chosen = there.iter().find(|knob| Some(knob.place()) == self.place);
        let usual = match scenario {
            // The subject of the minidisk cache is about its size, whatever else guests' I/O could show.
            _ if (subject.swept)(scenario) == path::MINIDISKS_MDC_MB => path::MINIDISKS_MDC_MB,
            _ if why_no_sharing(scenario).is_none() => path::LCU_ALIAS_SHARE,
            _ if why_no_modes(scenario).is_none() => path::GUESTS_IO_RECORDS,
            _ if scenario.relocates() => of_relocation(scenario),
            _ => (subject.swept)(scenario),
        };
        // The usual knob may do nothing in a host that was changed.
        let usual = || there.iter().find(|knob| knob.field.path == usual);
        chosen.or_else(usual).or_else(|| there.iter().find(|knob| knob.field.path == path::GUESTS_COUNT)).copied()
    }

    /// The texts of the fields.
    pub fn shown(&self, subject: &Subject, scenario: &Scenario) -> [String; 3] {
        let knob = self.knob(subject, scenario);
        let defaults = knob.map_or([0, 1, 1], |knob| defaults(&knob, scenario));
        let text = |bound: Bound| {
            let default = defaults[bound as usize];
            let written = || match knob.filter(|knob| bound != Bound::Step && is_share(knob)) {
                Some(knob) => bare(&knob, default),
                None => default.to_string(),
            };
            self.texts[bound as usize].clone().unwrap_or_else(written)
        };
        Bound::ALL.map(text)
    }

    /// Whether the entries are shares, `15:1`, and not numbers.
    pub fn takes_shares(&self, subject: &Subject, scenario: &Scenario) -> bool {
        self.knob(subject, scenario).as_ref().is_some_and(is_share)
    }

    /// What to sweep.
    ///
    /// # Errors
    /// What is wrong with the entries, and in which fields.
    pub fn range(&self, subject: &Subject, scenario: &Scenario) -> Result<SweepRange, Refused> {
        let none = |why: &str| Refused { bounds: Vec::new(), why: why.into() };
        let knob = self.knob(subject, scenario).ok_or_else(|| none("There is no such knob."))?;
        let (min, max) = bounds(&knob).ok_or_else(|| none("This knob has no numbers."))?;
        let texts = self.shown(subject, scenario);
        let read = |bound: Bound| {
            let text = texts[bound as usize].trim();
            let wrong = |allowed: String| Refused {
                bounds: vec![bound],
                why: format!("{}: {} given, {allowed} is allowed.", bound.label(), given(text)),
            };
            match (bound, knob.field.kind) {
                (Bound::Step, _) => {
                    let step = entered(&knob, text).filter(|step| (1..=max).contains(step));
                    step.ok_or_else(|| wrong(format!("a whole number from 1 to {max}")))
                }
                (_, Kind::Share { total, .. }) => {
                    place_of(text, total).ok_or_else(|| wrong(format!("a share such as {}", bare(&knob, 1))))
                }
                _ => {
                    let value = entered(&knob, text).filter(|value| (min..=max).contains(value));
                    value.ok_or_else(|| match knob.field.kind {
                        // A sweep goes in whole numbers.
                        Kind::Tenths { .. } => wrong(format!("a whole number from {min} to {max} {}", knob.field.unit)),
                        _ => wrong(knob.field.allowed()),
                    })
                }
            }
        };
        let (from, to, step) = (read(Bound::From)?, read(Bound::To)?, read(Bound::Step)?);
        if from.saturating_add(step) > to {
            let why = "From, step and to give less than two values.".into();
            return Err(Refused { bounds: Bound::ALL.into(), why });
        }
        let count = (to - from) / step + 1;
        if count > VALUES_MAX {
            let why = format!("From, step and to give {} values; a sweep has at most {VALUES_MAX}.", whole(count));
            return Err(Refused { bounds: Bound::ALL.into(), why });
        }
        Ok(SweepRange { knob, values: (0..count).map(|index| from + index * step).collect() })
    }
}

/// What to sweep if guests are relocated: how fast they change their pages, or how large they are.
fn of_relocation(scenario: &Scenario) -> &'static str {
    let paced = scenario.guests.iter().any(|group| moves(group) && group.touch_mb_s > 0);
    if paced { path::GUESTS_TOUCH_MB_S } else { path::GUESTS_LOOP_MB }
}

/// The knobs that can be swept; those of guests once for each group.
pub fn knobs(scenario: &Scenario) -> Vec<Knob> {
    let of_path = |path: &&str| {
        let groups = if room::holds(room::GUESTS, path) { scenario.guests.len() } else { 1 };
        (0..groups).filter_map(|group| Knob::at(path, group)).collect::<Vec<_>>()
    };
    PATHS.iter().flat_map(of_path).filter(|knob| matters(knob, scenario)).collect()
}

fn is_share(knob: &Knob) -> bool {
    matches!(knob.field.kind, Kind::Share { .. })
}

/// The place of a share on a slider whose ends add up to `total`, if it is on the slider.
fn place_of(text: &str, total: u32) -> Option<u64> {
    let share: AliasShare = text.parse().ok()?;
    let (paging, both) = (u64::from(share.paging), u64::from(share.mdisk) + u64::from(share.paging));
    let place = (u64::from(total) * paging).checked_div(both)?;
    (u64::from(total) * paging == place * both && (1..u64::from(total)).contains(&place)).then_some(place)
}

/// From, to and step for a useful sweep around the scenario on the bench.
fn defaults(knob: &Knob, scenario: &Scenario) -> [u64; 3] {
    let (Some((min, max)), Some(now)) = (bounds(knob), value(knob, scenario)) else { return [0, 1, 1] };
    let eighth = (now / 8).max(1);
    let below = |steps: u64| {
        let steps = steps.min(now.saturating_sub(min) / eighth);
        now.saturating_sub(steps * eighth)
    };
    match knob.field.path {
        path::PAGING_VOLUMES => [1, 12, 1],
        path::LCU_ALIASES => [0, 12, 1],
        path::LCU_ALIAS_SHARE => [min, max, 1],
        path::LCU_PATHS => [min, max, 1],
        path::PROCESSORS_COUNT => [1, now.max(8), 1],
        path::PROCESSORS_CAPACITY_PERCENT => [20, 100, 10],
        path::PRSM_OTHER_BUSY_PERCENT => [0, 100, 10],
        path::GUESTS_VIRTUAL_CPUS => [1, now.max(8), 1],
        path::MINIDISKS_VOLUMES => [1, now.max(8), 1],
        path::MINIDISKS_MDC_MB if now == 0 => {
            let step = (scenario.storage.central_mb / 16).max(1);
            [0, step * 8, step]
        }
        // From one record to the most that an I/O can have, with the value on the bench among them.
        path::GUESTS_IO_RECORDS => match now {
            _ if (now - 1).is_multiple_of(7) => [1, 64, 7],
            _ if now.is_multiple_of(4) => [4, 64, 4],
            _ if (now - 1).is_multiple_of(3) => [1, 64, 3],
            _ if now.is_multiple_of(2) => [2, 64, 2],
            _ => [1, 63, 2],
        },
        path::GUESTS_COUNT => {
            let step = (now / 8).max(1);
            [step, (step * 16).min(max), step]
        }
        // The loop ends at the guest's storage, central storage where everything fits.
        path::GUESTS_LOOP_MB => {
            let room = scenario.guests.get(knob.group).map_or(max, |group| group.virtual_mb);
            let above = room.saturating_sub(now) / eighth;
            [below(6), now + above.min(6) * eighth, eighth]
        }
        _ => [below(4), (now + 4 * eighth).min(max), eighth],
    }
}
