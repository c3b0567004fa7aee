//! Numbers typed without a unit that may be meant in another one: 256 in the field of central storage, which is in MB.

use zvmlab::Scenario;
use zvmlab::scenario::fields::{Kind, path};
use zvmlab::scenario::quantity;

use super::{Given, Knob};

/// Central storage below this is asked about, in MB. Chosen: a z/VM host of today has more than 1 GB.
const CENTRAL_MB: u64 = 1_024;

/// Virtual storage below this is asked about, in MB. Chosen: hardly a system starts in less.
const VIRTUAL_MB: u64 = 16;

/// A value down to this part of that in A is of its size. Chosen.
const ALIKE: u64 = 8;

/// What may be meant by a number, instead of what it says.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// The question.
    pub asked: String,
    /// The words of the other meaning: `256 GB`.
    pub meant: String,
    /// The entry that gives it.
    pub given: Given,
}

impl Knob {
    /// What may be meant by `text`, which gave the knob the value that it has in `scenario`; none if there is no doubt. A value of the
    /// size that it has in `a`, the host that the reader compares with, is meant as it stands.
    pub fn doubt(&self, scenario: &Scenario, a: &Scenario, text: &str) -> Option<Doubt> {
        let least = match self.field.path {
            path::STORAGE_CENTRAL_MB | path::MEMBER2_CENTRAL_MB | path::MEMBER3_CENTRAL_MB | path::MEMBER4_CENTRAL_MB => {
                CENTRAL_MB
            }
            path::GUESTS_VIRTUAL_MB => VIRTUAL_MB,
            _ => return None,
        };
        let Kind::Whole { get, .. } = self.field.kind else { return None };
        if !self.is_in(scenario) {
            return None;
        }
        let value = get(scenario, self.group);
        let is_this = quantity::is_bare(text) && self.field.number(text) == Some(value);
        let meant = format!("{value} GB");
        // A group that the reader has added is not in A.
        let is_usual = self.is_in(a) && get(a, self.group) / ALIKE <= value;
        let is_doubtful = is_this && (1..least).contains(&value) && !is_usual && self.field.number(&meant).is_some();
        is_doubtful.then(|| Doubt {
            asked: format!("This field is in MB, and {value} MB is little here. Is {meant} meant?"),
            given: Given::Number(meant.clone()),
            meant,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The issue: typing 256 for 256 GB made a 256 MB host without a word.
    #[test]
    fn a_small_number_without_a_unit_is_asked_about() {
        let knob = Knob::at(path::STORAGE_CENTRAL_MB, 0).expect("a knob");
        let mut scenario = Scenario::default();
        let mut doubt = |text: &str| {
            knob.turn(&mut scenario, &Given::Number(text.into())).expect(text);
            knob.doubt(&scenario, &Scenario::default(), text)
        };
        let asked = doubt("256").expect("a doubt");
        assert_eq!((&asked.meant[..], asked.asked.contains("256 MB is little")), ("256 GB", true));
        assert_eq!((doubt("256 MB"), doubt("256 GB"), doubt("4096")), (None, None, None));
        knob.turn(&mut scenario, &asked.given).expect("it is a value");
        assert_eq!((scenario.storage.central_mb, knob.doubt(&scenario, &Scenario::default(), "256")), (262_144, None));
        let mut small = Scenario::default();
        small.storage.central_mb = 512;
        knob.turn(&mut scenario, &Given::Number("330".into())).expect("it is a value");
        assert_eq!(knob.doubt(&scenario, &small, "330"), None, "a host of 512 MB has so much");
        // A group that was added, which A does not have, and one that is gone.
        scenario.guests.push(scenario.guests[0].clone());
        scenario.guests[1].virtual_mb = 8;
        let added = Knob::at(path::GUESTS_VIRTUAL_MB, 1).expect("a knob");
        assert_eq!(added.doubt(&scenario, &small, "8").map(|doubt| doubt.meant), Some("8 GB".into()));
        assert_eq!(added.doubt(&small, &scenario, "8"), None);
    }
}
