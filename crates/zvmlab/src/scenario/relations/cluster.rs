//! What must hold between the fields of a cluster: members, guests' places, the link, the levels.

use super::{MAX_VOLUMES, Problems};
use crate::scenario::cluster::CTCS_MAX;
use crate::scenario::{Chpid, GuestGroup, Mechanism, OtherMember, Scenario, Tenths};

impl Problems {
    /// What is impossible for members, links, guests' places and their use of storage.
    pub(super) fn cluster(&mut self, scenario: &Scenario) {
        self.activity(scenario);
        self.places(scenario);
        if scenario.cluster.members == 1 {
            return;
        }
        let level = scenario.level;
        if level.lacks(Mechanism::Ssi) {
            let message = format!(
                "{} given with z/VM {}, which has no single system image cluster; 1 is allowed, or level \"6.2\" or later",
                scenario.cluster.members,
                level.as_str()
            );
            self.add("cluster.members", message);
        }
        self.link(scenario);
        for (number, other) in others(scenario) {
            self.member(scenario, number, other);
        }
    }

    /// What is impossible for a member other than the first.
    fn member(&mut self, scenario: &Scenario, number: u32, other: &OtherMember) {
        let field = |key: &str| format!("member{number}.{key}");
        if scenario.processors.shared && other.processors > scenario.prsm.physical {
            let message = format!(
                "{} logical processors given, but the partitions share {} physical ones; at most that is allowed",
                other.processors, scenario.prsm.physical
            );
            self.add(field("processors"), message);
        }
        let volumes = u64::from(other.volumes + scenario.paging.other_volumes);
        if volumes > MAX_VOLUMES {
            let message = format!(
                "{} given beside {} page volumes of another kind, {volumes} together; at most {MAX_VOLUMES} together are allowed",
                other.volumes, scenario.paging.other_volumes
            );
            self.add(field("volumes"), message);
        }
        let of_it = |group: &&GuestGroup| group.member == number || group.move_to == number;
        if let (true, Some(group)) = (other.transitions, scenario.guests.iter().find(of_it)) {
            let message = format!(
                "true given, but {} runs there or is relocated there; false is allowed, or guests at other members only",
                name(group)
            );
            self.add(field("transitions"), message);
        }
    }

    /// Guests that touch only a part of their loop, or a limited amount a second.
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
            if group.touch_mb_s > 0 && group.pace_ms > Tenths::ZERO {
                let message = format!(
                    "{} given beside pace_ms {}; both say how often the program comes to its pages: one of them must be 0",
                    group.touch_mb_s, group.pace_ms
                );
                self.add(field("touch_mb_s"), message);
            }
        }
    }

    /// Guests at members that do not exist, and guests that would move to where they are.
    fn places(&mut self, scenario: &Scenario) {
        let members = scenario.cluster.members;
        for (index, group) in scenario.guests.iter().enumerate() {
            for (key, given, none) in [("member", group.member, 1), ("move_to", group.move_to, 0)] {
                if given <= members {
                    continue;
                }
                let message = match members {
                    1 => format!(
                        "{given} given, but the host is no member of a cluster; {none} is allowed, or cluster.members = {given} or more"
                    ),
                    _ => format!(
                        "{given} given, but the cluster has {members} members; at most that is allowed, or more in cluster.members"
                    ),
                };
                self.add(format!("guests[{index}].{key}"), message);
            }
            if group.move_to == group.member {
                let message = format!(
                    "{} given, but {} is logged on there already; 0 is allowed, or another member",
                    group.move_to,
                    name(group)
                );
                self.add(format!("guests[{index}].move_to"), message);
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
            // The message names the chpid with the most CTCs; of equals, the first.
            let isfc = &scenario.isfc;
            let all = [
                (1, isfc.chpid1, isfc.ctcs1),
                (2, isfc.chpid2, isfc.ctcs2),
                (3, isfc.chpid3, isfc.ctcs3),
                (4, isfc.chpid4, isfc.ctcs4),
            ];
            let there = all.into_iter().filter(|(_, chpid, _)| *chpid != Chpid::None).rev();
            let most = there.max_by_key(|(_, _, ctcs)| *ctcs).map_or(1, |(number, ..)| number);
            let message = format!("{ctcs} CTCs given on all chpids together; a logical link may have at most {CTCS_MAX}");
            self.add(format!("isfc.ctcs{most}"), message);
        }
    }
}

/// The members after the first, with their numbers.
fn others(scenario: &Scenario) -> impl Iterator<Item = (u32, &OtherMember)> {
    let all = [&scenario.member2, &scenario.member3, &scenario.member4];
    (2..=scenario.cluster.members).zip(all)
}

/// Words to follow a member's storage in a message: which member, unless it is the first.
pub(super) fn of(number: u32) -> String {
    if number == 1 { String::new() } else { format!(" of member {number}") }
}

/// The name of a group, on one line: a name may hold anything, a message is one line.
fn name(group: &GuestGroup) -> String {
    group.name.replace(char::is_control, " ")
}
