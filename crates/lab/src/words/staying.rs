//! Work that stays on its member: how much was done while guests came and went or members changed their state, and how much
//! at other times.

use zvmlab::scenario::{GuestGroup, Scenario};
use zvmlab::snapshot::MemberState;
use zvmlab::{Figure, Snapshot};

use super::number::{difference, difference_pct, fixed};
use super::relocations::member;

/// A smaller difference in percent may be chance. Chosen: another seed alone moves an ETR by up to 3 %.
const NOISE_PERCENT: f64 = 3.0;

/// A group of guests that stays, and its transactions a second.
#[derive(Clone, Debug, PartialEq)]
pub struct Staying {
    /// Its name, with that of its member: `WEB at MEMBER1`.
    pub name: String,
    /// The place of its member in the cluster.
    pub place: usize,
    /// Transactions a second before the first VMRELOCATE. If no guest is relocated: while no member changed its state.
    pub quiet: f64,
    /// The same while relocations went on, or a member changed its state.
    pub meanwhile: f64,
}

impl Staying {
    /// The difference in words: `(−0.6 %)`.
    fn differs(&self) -> String {
        difference(self.quiet, self.meanwhile).map_or(String::new(), |difference| format!(" ({difference})"))
    }

    /// `143.0 before, 142.1 meanwhile (−0.6 %)`.
    pub fn in_numbers(&self) -> String {
        format!("{} before, {} meanwhile{}", fixed(self.quiet, 1), fixed(self.meanwhile, 1), self.differs())
    }
}

/// The snapshot of the member at `place`.
fn seen_of(snapshot: &Snapshot, place: usize) -> Option<&Snapshot> {
    match place {
        0 => Some(snapshot),
        _ => snapshot.cluster.as_ref()?.others.get(place - 1),
    }
}

/// What happened between two looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum During {
    /// Nothing that could disturb the work.
    Quiet,
    /// Relocations went on, or a member changed its state.
    Change,
    /// Both, or neither. It does not count.
    Neither,
}

fn during(a: &Snapshot, b: &Snapshot, relocates: bool) -> During {
    let (Some(before), Some(after)) = (a.cluster.as_deref(), b.cluster.as_deref()) else { return During::Neither };
    if relocates {
        let ended = after.relocations.iter().filter_map(|one| one.ended_ns).max().filter(|_| after.ended);
        return match after.began_ns {
            None => During::Quiet,
            Some(began) if b.now_ns <= began => During::Quiet,
            Some(began) if a.now_ns >= began && ended.is_none_or(|ended| b.now_ns <= ended) => During::Change,
            _ => During::Neither,
        };
    }
    let changing = |state: MemberState| matches!(state, MemberState::Leaving | MemberState::Joining);
    let pairs = || before.members.iter().zip(&after.members);
    match pairs().any(|(a, b)| changing(a.state) || changing(b.state) || a.changes != b.changes) {
        true => During::Change,
        false => During::Quiet,
    }
}

/// The groups that stay, if `looks` cover both times. No guest stays on a member that itself comes and goes.
pub fn staying(scenario: &Scenario, looks: &[&Snapshot]) -> Vec<Staying> {
    let Some(last) = looks.last().and_then(|look| look.cluster.as_deref()) else { return Vec::new() };
    let relocates = scenario.relocates();
    let kinds: Vec<During> = looks.windows(2).map(|pair| during(pair[0], pair[1], relocates)).collect();
    let rate = |group: usize, place: usize, kind: During| {
        let (mut done, mut time) = (0.0, 0.0);
        for pair in looks.windows(2).zip(&kinds).filter(|(_, of)| **of == kind).map(|(pair, _)| pair) {
            let (a, b) = (seen_of(pair[0], place)?, seen_of(pair[1], place)?);
            let guests = a.guests.iter().zip(&b.guests).filter(|(_, guest)| guest.group as usize == group);
            done += guests
                .map(|(a, b)| b.work().saturating_sub(a.work()) as f64 / b.transaction.max(1) as f64)
                .fold(0.0, |sum, done| sum + done);
            time += b.now_ns.saturating_sub(a.now_ns) as f64 / 1e9;
        }
        (time > 0.0).then(|| done / time)
    };
    let stays = |group: &GuestGroup, place: usize| {
        let moves = group.move_to > 0 && group.move_to != group.member;
        !moves && last.members.get(place).is_some_and(|member| member.changes == 0)
    };
    let one = |(at, group): (usize, &GuestGroup)| {
        let place = group.member.saturating_sub(1) as usize;
        if !stays(group, place) {
            return None;
        }
        let (quiet, meanwhile) = (rate(at, place, During::Quiet)?, rate(at, place, During::Change)?);
        Some(Staying { name: format!("{} at {}", group.name, member(last, place as u32)), place, quiet, meanwhile })
    };
    scenario.guests.iter().enumerate().filter_map(one).collect()
}

/// How much work the guests that stay did, in a sentence.
pub fn said(scenario: &Scenario, looks: &[&Snapshot]) -> Option<String> {
    let all = staying(scenario, looks);
    if all.is_empty() {
        return None;
    }
    let unit = Figure::Etr.unit();
    let told = |one: &Staying| match scenario.relocates() {
        false => format!(
            "{}: {} {unit} while a member changed its state, {} while none did{}",
            one.name,
            fixed(one.meanwhile, 1),
            fixed(one.quiet, 1),
            one.differs()
        ),
        true => format!("{}: {}", one.name, one.in_numbers()),
    };
    let told: Vec<String> = all.iter().map(told).collect();
    let small =
        |one: &Staying| difference_pct(one.quiet, one.meanwhile).is_some_and(|percent| percent.abs() < NOISE_PERCENT);
    let chance = if all.iter().any(small) { " Less than 3 % may be chance." } else { "" };
    Some(match scenario.relocates() {
        false => format!("{}.{chance}", told.join("; ")),
        true => format!("Work that stays, transactions a second: {}.{chance}", told.join("; ")),
    })
}

#[cfg(test)]
mod tests {
    use zvmlab::snapshot::{ClusterSnapshot, GuestSnapshot, MemberSnapshot};

    use super::*;
    use crate::published::ready::scenario_of;

    const S: u64 = 1_000_000_000;

    /// A look at a cluster of two after so many seconds; each member has one guest of each group that did so many transactions.
    fn sample(now_s: u64, done: [u64; 2], change: impl Fn(&mut ClusterSnapshot)) -> Snapshot {
        let member = |place: usize| Snapshot {
            now_ns: now_s * S,
            guests: (0..3)
                .map(|group| GuestSnapshot {
                    group,
                    transaction: 2,
                    // The one that moves does ten times as much as all others.
                    references: if group == 2 {
                        1_000 * now_s
                    } else {
                        2 * done[place] * u64::from(group as usize == place)
                    },
                    ..GuestSnapshot::default()
                })
                .collect(),
            ..Snapshot::default()
        };
        let members =
            ["MEMBER1", "MEMBER2"].map(|name| MemberSnapshot { name: name.into(), ..MemberSnapshot::default() }).to_vec();
        let mut cluster = ClusterSnapshot { members, others: vec![member(1)], ..ClusterSnapshot::default() };
        change(&mut cluster);
        let mut snapshot = member(0);
        snapshot.cluster = Some(Box::new(cluster));
        snapshot
    }

    #[test]
    fn only_guests_that_stay_count_and_each_at_its_member() {
        let scenario = scenario_of("BOUNCE").expect("an example");
        let began = |now_s: u64| move |cluster: &mut ClusterSnapshot| cluster.began_ns = (now_s > 10).then_some(10 * S);
        let series: Vec<Snapshot> = [(0, [0, 0]), (10, [1_000, 500]), (20, [1_900, 1_000])]
            .into_iter()
            .map(|(now_s, done)| sample(now_s, done, began(now_s)))
            .collect();
        let said = said(&scenario, &series.iter().collect::<Vec<_>>()).expect("guests stay");
        assert!(said.contains("WEB at MEMBER1: 100.0 before, 90.0 meanwhile (−10.0"), "{said}");
        assert!(said.contains(" at MEMBER2: 50.0 before, 50.0 meanwhile"), "{said}");
        assert!(!said.contains("MOVER") && said.ends_with(" Less than 3 % may be chance."), "{said}");
        assert_eq!(staying(&scenario, &[&series[0], &series[1]]), [], "no guest has come or gone yet");
    }

    #[test]
    fn a_member_that_changes_its_state_is_held_against_the_time_in_which_none_does() {
        let scenario = scenario_of("CLUSTER").expect("an example");
        let states = [MemberState::Joined, MemberState::Joined, MemberState::Leaving, MemberState::Leaving];
        let series: Vec<Snapshot> = states
            .into_iter()
            .zip([0, 100, 200, 280])
            .enumerate()
            .map(|(at, (state, done))| {
                sample(at as u64, [done, 0], |cluster| {
                    (cluster.members[1].state, cluster.members[1].changes) = (state, u64::from(at > 1));
                })
            })
            .collect();
        let said = said(&scenario, &series.iter().collect::<Vec<_>>()).expect("guests stay");
        assert!(said.starts_with("WEB at MEMBER1: 90.0 "), "{said}");
        assert!(said.contains("while a member changed its state, 100.0 while none did (−10.0"), "{said}");
        assert!(!said.contains("chance"), "a tenth is more: {said}");
    }
}
