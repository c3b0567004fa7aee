//! The ISFC logical link on one screen: its chpids with their CTCs, the published configurations, and how it differs from best
//! practice. Knows no browser.

use zvmlab::Scenario;
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{Chpid, Isfc};

use super::{Given, Knob};
use zvmlab::order;

/// Most chpids of a logical link.
pub const CHPIDS: usize = 4;

/// CTCs of each chpid by best practice.
const CTCS: u32 = 4;

/// A published configuration: its chpids, the fastest first, each with four CTCs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// The sum of the chpids' speeds in Gb/s.
    pub capacity_factor: u32,
    /// The speeds.
    pub chpids: [Chpid; CHPIDS],
}

const fn configuration(capacity_factor: u32, chpids: [Chpid; CHPIDS]) -> Configuration {
    Configuration { capacity_factor, chpids }
}

/// The five configurations of the 6.2 deck, table 3.
pub const PUBLISHED: [Configuration; 5] = [
    configuration(18, [Chpid::Gb8, Chpid::Gb4, Chpid::Gb4, Chpid::Gb2]),
    configuration(10, [Chpid::Gb4, Chpid::Gb4, Chpid::Gb2, Chpid::None]),
    configuration(6, [Chpid::Gb4, Chpid::Gb2, Chpid::None, Chpid::None]),
    configuration(4, [Chpid::Gb4, Chpid::None, Chpid::None, Chpid::None]),
    configuration(2, [Chpid::Gb2, Chpid::None, Chpid::None, Chpid::None]),
];

/// The paths of the chpids.
pub const CHPID_PATHS: [&str; CHPIDS] = [path::ISFC_CHPID1, path::ISFC_CHPID2, path::ISFC_CHPID3, path::ISFC_CHPID4];
/// The paths of how many CTCs each has.
pub const CTC_PATHS: [&str; CHPIDS] = [path::ISFC_CTCS1, path::ISFC_CTCS2, path::ISFC_CTCS3, path::ISFC_CTCS4];

/// The knobs of the chpid at `index`: its speed, and its CTCs.
pub fn knobs(index: usize) -> Option<(Knob, Knob)> {
    Some((Knob::at(CHPID_PATHS.get(index)?, 0)?, Knob::at(CTC_PATHS.get(index)?, 0)?))
}

/// All chpids of a link with their CTCs, including unused ones.
fn all(isfc: &Isfc) -> [(Chpid, u32); CHPIDS] {
    [(isfc.chpid1, isfc.ctcs1), (isfc.chpid2, isfc.ctcs2), (isfc.chpid3, isfc.ctcs3), (isfc.chpid4, isfc.ctcs4)]
}

/// The speed of the chpid at `index`.
pub fn chpid(scenario: &Scenario, index: usize) -> Chpid {
    all(&scenario.isfc).get(index).map_or(Chpid::None, |(chpid, _)| *chpid)
}

impl Configuration {
    /// Whether the link has this configuration, in whatever order of its chpids.
    pub fn is_of(&self, isfc: &Isfc) -> bool {
        let mut chpids = isfc.chpids();
        order::by(&mut chpids, |one, other| other.cmp(one));
        let own: Vec<(Chpid, u32)> =
            self.chpids.into_iter().filter(|chpid| *chpid != Chpid::None).map(|c| (c, CTCS)).collect();
        chpids == own
    }

    /// The knobs' values that set it.
    pub fn turns(&self) -> Vec<(Knob, Given)> {
        let turn = |(index, chpid): (usize, &Chpid)| {
            let (speed, ctcs) = knobs(index)?;
            Some([(speed, Given::Choice(chpid.as_str().into())), (ctcs, Given::Number(CTCS.to_string()))])
        };
        self.chpids.iter().enumerate().filter_map(turn).flatten().collect()
    }

    /// Its chpids in words: `8 Gb + 2 × 4 Gb + 2 Gb`.
    pub fn words(&self) -> String {
        speeds(&self.chpids.into_iter().filter(|chpid| *chpid != Chpid::None).collect::<Vec<_>>())
    }

    /// Sets the link to it.
    pub fn set(&self, isfc: &mut Isfc) {
        [isfc.chpid1, isfc.chpid2, isfc.chpid3, isfc.chpid4] = self.chpids;
        [isfc.ctcs1, isfc.ctcs2, isfc.ctcs3, isfc.ctcs4] = [CTCS; CHPIDS];
    }
}

/// Speeds that stand side by side, equal ones counted.
fn speeds(chpids: &[Chpid]) -> String {
    let runs = chpids.chunk_by(|one, other| one == other);
    let run = |run: &[Chpid]| match run {
        [one] => one.as_str().to_string(),
        several => format!("{} × {}", several.len(), several[0].as_str()),
    };
    runs.map(run).collect::<Vec<_>>().join(" + ")
}

/// The link in a few words: its chpids, and their CTCs if a chpid does not have four.
pub fn words(isfc: &Isfc) -> String {
    let chpids = isfc.chpids();
    if chpids.is_empty() {
        return "none".into();
    }
    let own = speeds(&chpids.iter().map(|(chpid, _)| *chpid).collect::<Vec<_>>());
    if chpids.iter().all(|(_, ctcs)| *ctcs == CTCS) {
        return own;
    }
    let ctcs = chpids.iter().map(|(_, ctcs)| ctcs.to_string()).collect::<Vec<_>>().join("+");
    format!("{own} with {ctcs} CTCs")
}

/// Best practice, as the deck says it.
pub const BEST_PRACTICE: &str =
    "Best practice: up to four chpids, all of the same speed, four CTCs on each (at most 16), the same RDEVs at both ends.";

/// How this link differs from best practice, in a sentence.
pub fn differs(isfc: &Isfc) -> String {
    let mut found = Vec::new();
    let chpids = isfc.chpids();
    let mut fast: Vec<Chpid> = chpids.iter().map(|(chpid, _)| *chpid).collect();
    order::by(&mut fast, |one, other| other.cmp(one));
    if fast.first() != fast.last() {
        found.push(format!("the speeds are unequal ({})", speeds(&fast)));
    }
    let ordinals = ["first", "second", "third", "fourth"];
    let odd = |((index, (chpid, ctcs)), ordinal): ((usize, (Chpid, u32)), &str)| {
        (chpid != Chpid::None && ctcs != CTCS).then_some((index, ctcs, ordinal.to_string()))
    };
    let odd: Vec<_> = all(isfc).into_iter().enumerate().zip(ordinals).filter_map(odd).collect();
    for (_, ctcs, ordinal) in &odd {
        found.push(format!("the {ordinal} chpid has {ctcs} {}", if *ctcs == 1 { "CTC" } else { "CTCs" }));
    }
    match found.split_last() {
        None if chpids.is_empty() => "There is no chpid here.".into(),
        None => "This link follows it; RDEVs are not modelled.".into(),
        Some((one, [])) => format!("Here {one}. Such links work too."),
        Some((last, others)) => format!("Here {}, and {last}. Such links work too.", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_configurations_have_their_capacity_factors_and_are_found_again() {
        for (configuration, ctcs) in PUBLISHED.into_iter().zip([16, 12, 8, 4, 4]) {
            let mut scenario = Scenario::default();
            (scenario.cluster.members, scenario.isfc.ctcs2) = (2, 7);
            for (knob, given) in configuration.turns() {
                knob.turn(&mut scenario, &given).expect("it is a value");
            }
            let isfc = &scenario.isfc;
            assert_eq!(isfc.capacity_factor(), configuration.capacity_factor);
            assert_eq!(isfc.chpids().iter().map(|(_, ctcs)| ctcs).sum::<u32>(), ctcs, "CTCs as table 3 has them");
            assert!(PUBLISHED.iter().all(|other| other.is_of(isfc) == (*other == configuration)));
            assert_eq!(scenario.check(), Ok(()));
            let mut set = Isfc::default();
            configuration.set(&mut set);
            assert_eq!(&set, isfc);
        }
        let other_order = Isfc { chpid1: Chpid::None, chpid2: Chpid::Gb2, chpid4: Chpid::Gb4, ..Isfc::default() };
        assert!(PUBLISHED[2].is_of(&other_order), "whichever stands first");
        assert!(!PUBLISHED[2].is_of(&Isfc { ctcs2: 3, ..other_order }));
        assert_eq!(PUBLISHED[0].words(), "8 Gb + 2 × 4 Gb + 2 Gb");
    }

    #[test]
    fn what_differs_from_best_practice_is_named() {
        let link = |change: fn(&mut Isfc)| {
            let mut isfc = Isfc::default();
            change(&mut isfc);
            (differs(&isfc), words(&isfc))
        };
        assert_eq!(link(|_| ()), ("This link follows it; RDEVs are not modelled.".into(), "8 Gb".into()));
        // A chpid that is none has no CTCs that could differ.
        assert_eq!(link(|isfc| isfc.ctcs3 = 1).0, link(|_| ()).0);
        let (said, words) = link(|isfc| (isfc.chpid2, isfc.chpid3, isfc.ctcs2) = (Chpid::Gb2, Chpid::Gb8, 3));
        assert_eq!(
            said,
            "Here the speeds are unequal (2 × 8 Gb + 2 Gb), and the second chpid has 3 CTCs. Such links work too."
        );
        assert_eq!(words, "8 Gb + 2 Gb + 8 Gb with 4+3+4 CTCs");
        let (said, words) = link(|isfc| (isfc.chpid2, isfc.ctcs1, isfc.ctcs2) = (Chpid::Gb8, 8, 1));
        assert_eq!(said, "Here the first chpid has 8 CTCs, and the second chpid has 1 CTC. Such links work too.");
        assert_eq!(words, "2 × 8 Gb with 8+1 CTCs");
        assert_eq!(link(|isfc| isfc.chpid1 = Chpid::None), ("There is no chpid here.".into(), "none".into()));
    }
}
