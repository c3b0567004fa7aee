//! What must hold between the fields of a cluster: members, guests' places, the link, the levels.

use super::Problems;
use crate::scenario::cluster::CTCS_MAX;
use crate::scenario::{Chpid, Level, OtherMember, Scenario};

impl Problems {
    /// What cannot be of members, links, guests' places and what they do with their storage.
    pub(super) fn cluster(&mut self, scenario: &Scenario) {
        self.activity(scenario);
        self.places(scenario);
        if scenario.cluster.members == 1 {
            return;
        }
        let level = scenario.level;
        if level < Level::V6_2 {
            let message = format!(
                "{} given with z/VM {}, which has no single system image cluster; 1 is allowed, or level \"6.2\" or later",
                scenario.cluster.members,
                level.as_str()
            );
            self.add("cluster.members", message);
        }
        self.link(scenario);
        let others = others(scenario);
        for (number, other) in others {
            let table = format!("member{number}");
            if scenario.processors.shared && other.processors > scenario.prsm.physical {
                let message = format!(
                    "{} logical processors given, but the partitions share {} physical ones; at most that is allowed",
                    other.processors, scenario.prsm.physical
                );
                self.add(format!("{table}.processors"), message);
            }
            let of_it = |group: &&crate::scenario::GuestGroup| group.member == number || group.move_to == number;
            if let (true, Some(group)) = (other.transitions, scenario.guests.iter().find(of_it)) {
                let message = format!(
                    "true given, but {} runs there or is relocated there; false is allowed, or guests at other members only",
                    group.name
                );
                self.add(format!("{table}.transitions"), message);
            }
        }
    }

    /// Guests that touch a part of their loop only, or so much a second.
    fn activity(&mut self, scenario: &Scenario) {
        for (index, group) in scenario.guests.iter().enumerate() {
            let field = |key: &str| format!("guests[{index}].{key}");
            if group.active_mb > group.loop_mb {
                let message =
                    format!("{} given, but the loop has {} MB; at most that is allowed", group.active_mb, group.loop_mb);
                self.add(field("active_mb"), message);
            } else if group.active_mb > 0 && u64::from(group.virtual_cpus) > group.active_mb * 4 {
                let message = format!(
                    "{} MB given for {} virtual CPUs; at least {} MB is allowed, 256 KB for each",
                    group.active_mb,
                    group.virtual_cpus,
                    group.virtual_cpus.div_ceil(4)
                );
                self.add(field("active_mb"), message);
            }
            if group.touch_mb_s > 0 && group.pace_ms > 0 {
                let message = format!(
                    "{} given beside pace_ms {}; both say how often the program comes to its pages: one of them must be 0",
                    group.touch_mb_s, group.pace_ms
                );
                self.add(field("touch_mb_s"), message);
            }
        }
    }

    /// Guests at members that there are none of.
    fn places(&mut self, scenario: &Scenario) {
        let members = scenario.cluster.members;
        for (index, group) in scenario.guests.iter().enumerate() {
            for (key, given) in [("member", group.member), ("move_to", group.move_to)] {
                if given > members {
                    let message = format!("{given} given, but the cluster has {members} of them; at most that is allowed");
                    self.add(format!("guests[{index}].{key}"), message);
                }
            }
        }
    }

    /// The logical link.
    fn link(&mut self, scenario: &Scenario) {
        let chpids = scenario.isfc.chpids();
        if chpids.is_empty() {
            let allowed = Chpid::ALL[1..].iter().map(|chpid| format!("\"{}\"", chpid.as_str())).collect::<Vec<_>>();
            let message = format!(
                "no chpid given, but members of a cluster are connected by at least one; one of {} is allowed",
                allowed.join(", ")
            );
            self.add("isfc.chpid1", message);
        }
        let ctcs: u32 = chpids.iter().map(|(_, ctcs)| ctcs).sum();
        if ctcs > CTCS_MAX {
            self.add("isfc.ctcs1", format!("{ctcs} CTCs on all chpids together; a logical link has at most {CTCS_MAX}"));
        }
    }
}

/// The members but the first, with their numbers.
pub(super) fn others(scenario: &Scenario) -> impl Iterator<Item = (u32, &OtherMember)> {
    let all = [&scenario.member2, &scenario.member3, &scenario.member4];
    (2..=scenario.cluster.members).zip(all)
}
