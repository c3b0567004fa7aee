//! The scenario on the bench in a sentence, if it is about a cluster and guests that move in it.

use zvmlab::scenario::{GuestGroup, Interruption, Relocate, Scenario};

use crate::host::{central_mb, moves, moving};
use crate::knob::link;
use crate::subjects::of_processors::who;
use crate::words::number::storage_mb;
use zvmlab::order;

/// The scenario in one sentence, without an end.
pub fn introduction(scenario: &Scenario) -> String {
    told(scenario, |_| String::new())
}

/// The same, with the storage of the destination of a single guest that moves.
pub fn introduction_with_room(scenario: &Scenario) -> String {
    told(scenario, |group| format!(", which has {}", storage_mb(central_mb(scenario, group.move_to))))
}

fn told(scenario: &Scenario, room: impl Fn(&GuestGroup) -> String) -> String {
    let movers = movers(scenario);
    match movers.as_slice() {
        [] => cluster(scenario),
        _ if scenario.relocation.bounce => bounce(scenario, &movers),
        [one] if one.count == 1 => one_guest(scenario, one, &room(one)),
        [group] => alike(scenario, group),
        groups => leaving(scenario, groups),
    }
}

/// The same for a member that is emptied, even of a single guest.
pub fn evacuation(scenario: &Scenario) -> String {
    match movers(scenario).as_slice() {
        [] => cluster(scenario),
        groups if scenario.relocation.bounce => bounce(scenario, groups),
        groups => leaving(scenario, groups),
    }
}

/// The groups of guests that move.
fn movers(scenario: &Scenario) -> Vec<&GuestGroup> {
    scenario.guests.iter().filter(|group| moves(group)).collect()
}

/// The guests by name. A single guest has the name that it has everywhere else: `SERVER-1`.
fn named<'a>(groups: impl Iterator<Item = &'a GuestGroup>) -> String {
    let seen = |group: &GuestGroup| match group.count {
        1 => GuestGroup { name: format!("{}-1", group.name), ..group.clone() },
        _ => group.clone(),
    };
    who(&groups.map(seen).collect::<Vec<_>>())
}

fn over(scenario: &Scenario) -> String {
    format!("over an ISFC link of {} (capacity factor {})", link::words(&scenario.isfc), scenario.isfc.capacity_factor())
}

/// What a guest does to its storage while it moves.
fn changes(group: &GuestGroup) -> String {
    let part = match group.active_mb {
        0 => String::new(),
        active_mb => format!(" in {} of it", storage_mb(active_mb)),
    };
    let rate = u64::from(group.touch_mb_s) * u64::from(group.change_percent) / 100;
    match (group.change_percent, rate) {
        (0, _) => "changes nothing".into(),
        (_, 0) if group.touch_mb_s > 0 => format!("changes less than 1 MB a second{part}"),
        (_, 0) if group.active_mb == 0 => "changes it as fast as it can".into(),
        (_, 0) => format!("changes {} of it as fast as it can", storage_mb(group.active_mb)),
        (_, rate) => format!("changes {} a second{part}", storage_mb(rate)),
    }
}

/// The limit of the time stopped, as VMRELOCATE was told.
fn limit(scenario: &Scenario) -> String {
    match scenario.relocation.quiesce_limit_s() {
        Some(seconds) => format!("may be stopped for {seconds} s (MAXQUIESCE)"),
        None => "has no limit for its stop".into(),
    }
}

fn one_guest(scenario: &Scenario, group: &GuestGroup, room: &str) -> String {
    let (from, to) = (group.member, group.move_to);
    let what = format!(
        "{}-1 has touched {} and {}; it moves from MEMBER{from} to MEMBER{to}{room}, {}, and {}",
        group.name,
        storage_mb(group.loop_mb),
        changes(group),
        over(scenario),
        limit(scenario)
    );
    let after = f64::from(scenario.relocation.interruption_ms) / 1e3;
    match scenario.relocation.interruption {
        Interruption::None => what,
        Interruption::Cancel => format!("{what}; VMRELOCATE CANCEL comes after {after} s"),
        Interruption::Cphx => format!("{what}; CPHX comes after {after} s"),
        Interruption::LinkLost => format!("{what}; the ISFC connection is lost after {after} s"),
        Interruption::Logoff => format!("{what}; it logs off after {after} s"),
    }
}

/// How the guests that move follow each other.
fn mode(scenario: &Scenario) -> String {
    let immediate = if scenario.relocation.immediate { " IMMEDIATE" } else { "" };
    match scenario.relocation.mode {
        Relocate::Synch => format!("one after the other (SYNCH{immediate})"),
        Relocate::Asynch => format!("all at once (ASYNCH{immediate})"),
    }
}

fn alike(scenario: &Scenario, group: &GuestGroup) -> String {
    format!(
        "{} move from MEMBER{} to MEMBER{}, {}, {}; each has touched {} and {}",
        named(std::iter::once(group)),
        group.member,
        group.move_to,
        mode(scenario),
        over(scenario),
        storage_mb(group.loop_mb),
        changes(group)
    )
}

fn bounce(scenario: &Scenario, movers: &[&GuestGroup]) -> String {
    let staying = || scenario.guests.iter().filter(|group| !moves(group));
    let count: u32 = staying().map(|group| group.count).sum();
    let beside = match count {
        0 => "; there are no other guests".into(),
        1 => format!("; {} stays where it is", named(staying())),
        count => format!("; {count} other guests stay where they are"),
    };
    let stay_s = scenario.relocation.stay_s;
    format!(
        "{} go back and forth between members and stay {stay_s} s each time, {}{beside}",
        named(movers.iter().copied()),
        over(scenario)
    )
}

fn leaving(scenario: &Scenario, movers: &[&GuestGroup]) -> String {
    let (verb, have) = match moving(scenario) {
        1 => ("must leave its member", "it has"),
        _ => ("must leave their member", "together they have"),
    };
    let within = match scenario.relocation.window_s {
        0 => String::new(),
        seconds => format!(" within {seconds} s"),
    };
    let mut targets: Vec<u32> = movers.iter().map(|group| group.move_to).collect();
    order::naturally(&mut targets);
    targets.dedup();
    let targets: Vec<String> = targets
        .into_iter()
        .map(|member| format!("MEMBER{member} has {}", storage_mb(central_mb(scenario, member))))
        .collect();
    let touched: u64 = movers.iter().map(|group| u64::from(group.count) * group.loop_mb).sum();
    format!(
        "{} {verb}{within}, {}; {have} touched {}, and {}",
        named(movers.iter().copied()),
        mode(scenario),
        storage_mb(touched),
        targets.join(" and ")
    )
}

fn cluster(scenario: &Scenario) -> String {
    let members = scenario.cluster.members;
    let others = [&scenario.member2, &scenario.member3, &scenario.member4];
    let transits = others.iter().take(members.saturating_sub(1) as usize).filter(|member| member.transitions).count();
    let states = match transits {
        0 => "all members stay joined".into(),
        1 => "one member repeats the states Joined, Leaving, Down, Joining".into(),
        count => format!("{count} members repeat the states Joined, Leaving, Down, Joining"),
    };
    let who = named(scenario.guests.iter());
    let verb = if scenario.guest_count() == 1 { "runs" } else { "run" };
    format!("{who} {verb} in a cluster of {members} members; {states}")
}

#[cfg(test)]
mod tests {
    use zvmlab::scenario::MaxQuiesce;

    use super::*;
    use crate::published::ready::scenario_of;
    use crate::subjects::{SUBJECTS, Subject};

    fn told(id: &str, change: fn(&mut Scenario)) -> String {
        let mut scenario = scenario_of(id).expect("a ready experiment");
        change(&mut scenario);
        (Subject::of(&scenario, Some(id)).introduction)(&scenario)
    }

    #[test]
    fn each_host_is_told_by_what_it_is_about() {
        for (id, wanted) in [
            (
                "MOVE",
                &[
                    "SERVER-1 has touched 40 GB and changes 2 GB a second; it",
                    "moves from MEMBER1 to MEMBER2, over an ISFC link of 2 × 8 Gb (capacity factor 16)",
                    "and may be stopped for 10 s (MAXQUIESCE)",
                ][..],
            ),
            ("LGR100G-25GB", &["changes 25 GB of it as fast as it can", "and has no limit for its stop"]),
            ("ISFC", &["changes 200 MB a second in 4 GB of it", "4 Gb (capacity factor 6)"]),
            ("TWENTY-FIVE", &["25 LINUX guests move from", "each has touched 3.5 GB", "one after the other (SYNCH), over"]),
            ("LGR25-CONC-IMM", &["all at once (ASYNCH IMMEDIATE)"]),
            ("CONSTRAINED", &["to MEMBER2, which has 20 GB,"]),
            ("BOUNCE", &["2 MOVER guests go back and forth", "16 other guests stay where they are"]),
            (
                "EVACUATION",
                &["DATABASE-1, 3 JAVA guests and 8 WEB guests must leave their member within 300 s", "MEMBER3 has 24 GB"],
            ),
            ("CLUSTER", &["16 WEB guests run in a cluster of 4 members", "3 members repeat the states"]),
        ] {
            for part in wanted {
                assert!(told(id, |_| ()).contains(part), "{part}: {}", told(id, |_| ()));
            }
        }
        let lost = told("MOVE", |scenario| scenario.relocation.interruption = Interruption::LinkLost);
        assert!(lost.ends_with("the ISFC connection is lost after 1 s"), "{lost}");
        let nothing = told("MOVE", |scenario| {
            (scenario.guests[0].change_percent, scenario.relocation.maxquiesce) = (0, MaxQuiesce::NoLimit);
        });
        assert!(nothing.contains("changes nothing;"), "{nothing}");
        assert!(told("CLUSTER", |scenario| scenario.cluster.members = 2).contains("one member repeats the states"));
    }

    #[test]
    fn each_is_one_sentence_without_an_end() {
        for setup in SUBJECTS.iter().filter(|subject| subject.is_of_relocation()).flat_map(|subject| subject.setups) {
            let told = told(setup.id, |_| ());
            assert!(!told.contains(". ") && !told.ends_with('.'), "{told}");
        }
    }
}
