//! The rules of the ISFC logical link and of relocations, which only a cluster can break.

use super::Rule;
use crate::measurement::Measurement;
use crate::scenario::cluster::CTCS_MAX;
use crate::scenario::{Chpid, GuestGroup, Order, Relocate, Scenario};

/// CTCs that each chpid should have (6.2 deck, ISFC Logical Link Configuration Best Practices).
const CTCS: u32 = 4;

/// Those rules.
pub(super) const RULES: [Rule; 4] = [
    Rule {
        id: "isfc-chpids-same-speed",
        title: "All chpids of the ISFC link have the same speed",
        otherwise: "Chpids of the ISFC link differ in speed",
        why: "ISFC delivers data in order. Data from a fast chpid waits for data still on a slow one, and holds its buffer all that time.",
        source: "z/VM 6.2 Performance Update, ISFC Logical Link Configuration Best Practices: \"Use multiple FICON chpids of all the same speed. Up to 4 chpids.\"",
        threshold: None,
        broken: different_speeds,
        keep: |s| {
            let speed = s.isfc.chpids().iter().map(|&(chpid, _)| chpid).max().unwrap_or_default();
            let isfc = &mut s.isfc;
            for chpid in [&mut isfc.chpid1, &mut isfc.chpid2, &mut isfc.chpid3, &mut isfc.chpid4] {
                if *chpid != Chpid::None {
                    *chpid = speed;
                }
            }
            format!("Make all chpids {}.", speed.as_str())
        },
    },
    Rule {
        id: "isfc-four-ctcs",
        title: "Each chpid of the ISFC link has four CTCs",
        otherwise: "A chpid of the ISFC link has fewer or more than four CTCs",
        why: "A CTC spends part of its time on its protocol. With fewer than four CTCs the chpid idles during it. More than four bring little.",
        source: "z/VM 6.2 Performance Update, ISFC Logical Link Configuration Best Practices: \"Use four CTC devices per chpid\"",
        threshold: None,
        broken: other_ctcs,
        keep: |s| {
            let isfc = &mut s.isfc;
            (isfc.ctcs1, isfc.ctcs2, isfc.ctcs3, isfc.ctcs4) = (CTCS, CTCS, CTCS, CTCS);
            format!("Use {CTCS} CTCs on each chpid, {CTCS} to {CTCS_MAX} in all.")
        },
    },
    Rule {
        id: "one-relocation-at-a-time",
        title: "One relocation at a time",
        otherwise: "Several relocations at a time",
        why: "Relocations at the same time share the link. Each takes longer, guests change more pages meanwhile, and each guest is stopped longer.",
        source: "z/VM 6.2 Performance Update, Serial vs. Concurrent Relocations: \"The best practice, though, is to run only one relocation at a time.\"",
        threshold: None,
        broken: all_at_once,
        keep: |s| {
            s.relocation.mode = Relocate::Synch;
            "Relocate one guest after the other (SYNCH).".into()
        },
    },
    Rule {
        id: "big-rocks-first",
        title: "The guests with the greatest memory load go first",
        otherwise: "A guest goes before one with a greater memory load",
        why: "Each guest that arrives fills the destination further. The last has the least room, and pages if there is too little.",
        source: "z/VM 6.2 Performance Update, Relocation Planning: \"Get the big rocks in first.\"",
        threshold: None,
        broken: small_rocks_first,
        keep: |s| {
            s.relocation.order = Order::Largest;
            "Relocate the largest guests first.".into()
        },
    },
];

fn different_speeds(_: &Rule, scenario: &Scenario, _: Option<&Measurement>) -> Option<String> {
    let chpids = scenario.isfc.chpids();
    let differ = chpids.iter().any(|(chpid, _)| *chpid != chpids[0].0);
    (scenario.cluster.members > 1 && differ).then(|| {
        let speeds: Vec<&str> = chpids.iter().map(|(chpid, _)| chpid.as_str()).collect();
        format!("chpids of {}", speeds.join(", "))
    })
}

fn other_ctcs(_: &Rule, scenario: &Scenario, _: Option<&Measurement>) -> Option<String> {
    let counts: Vec<u32> = scenario.isfc.chpids().iter().map(|&(_, ctcs)| ctcs).collect();
    (scenario.cluster.members > 1 && counts.iter().any(|&ctcs| ctcs != CTCS)).then(|| {
        let counts: Vec<String> = counts.iter().map(u32::to_string).collect();
        format!("{} CTCs on the chpids", counts.join(", "))
    })
}

/// The groups of guests that are relocated.
fn moving(scenario: &Scenario) -> impl Iterator<Item = &GuestGroup> {
    scenario.guests.iter().filter(|group| group.move_to > 0 && group.move_to != group.member)
}

fn all_at_once(_: &Rule, scenario: &Scenario, _: Option<&Measurement>) -> Option<String> {
    let guests: u32 = moving(scenario).map(|group| group.count).sum();
    (scenario.relocates() && scenario.relocation.mode == Relocate::Asynch && guests > 1)
        .then(|| format!("{guests} relocations at once (ASYNCH)"))
}

fn small_rocks_first(_: &Rule, scenario: &Scenario, _: Option<&Measurement>) -> Option<String> {
    if !scenario.relocates() || scenario.relocation.mode == Relocate::Asynch {
        return None;
    }
    let order = scenario.relocation.order;
    let sizes: Vec<(u64, &str)> = moving(scenario).map(|group| (group.loop_mb, &group.name[..])).collect();
    match order {
        Order::Largest | Order::Busiest => None,
        Order::Smallest => {
            let (least, most) = (sizes.iter().min()?, sizes.iter().max()?);
            (least.0 < most.0).then(|| format!("the smallest first: {} before {}", least.1, most.1))
        }
        Order::Listed => sizes
            .windows(2)
            .find(|pair| pair[0].0 < pair[1].0)
            .map(|pair| format!("{} of {} MB before {} of {} MB", pair[0].1, pair[0].0, pair[1].1, pair[1].0)),
    }
}

#[cfg(test)]
mod tests {
    use crate::adviser::advise;
    use crate::scenario::Scenario;

    fn broken(text: &str) -> Vec<&'static str> {
        let guests = "[[guests]]\nname = \"A\"\nvirtual_mb = 64\nloop_mb = 32\nmove_to = 2\n[[guests]]\nname = \"B\"\nvirtual_mb = 64\nloop_mb = 64\nmove_to = 2\n";
        let text = format!("level = \"6.2\"\ncluster = {{ members = 2 }}\nprocessors = {{ count = 4 }}\n{text}\n{guests}");
        let scenario = Scenario::parse(&text).expect("the text is a valid scenario");
        let advice = advise(&scenario, None);
        for one in advice.iter().filter(|one| super::RULES.iter().any(|rule| rule.id == one.rule.id)) {
            let better = one.better.as_ref().expect("what keeps the rule is a valid host");
            assert!(!advise(better, None).iter().any(|left| left.rule.id == one.rule.id), "{} is kept then", one.rule.id);
        }
        advice.into_iter().map(|one| one.rule.id).filter(|id| super::RULES.iter().any(|rule| rule.id == *id)).collect()
    }

    #[test]
    fn rules_of_links_and_relocations_are_broken_by_what_they_forbid() {
        assert_eq!(broken("relocation = { order = \"largest first\" }"), [""; 0]);
        assert_eq!(broken(""), ["big-rocks-first"]);
        assert_eq!(broken("relocation = { mode = \"ASYNCH\" }"), ["one-relocation-at-a-time"]);
        let unequal =
            "isfc = { chpid1 = \"8 Gb\", chpid2 = \"2 Gb\", ctcs2 = 3 }\nrelocation = { order = \"busiest first\" }";
        assert_eq!(broken(unequal), ["isfc-chpids-same-speed", "isfc-four-ctcs"]);
    }
}
