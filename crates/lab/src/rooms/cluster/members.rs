//! The members side by side: the state of each, and the guests that are logged on there.

use zvmlab::Snapshot;
use zvmlab::snapshot::{ClusterSnapshot, MemberSnapshot, RelocationSnapshot};

use crate::words::unit::short_seconds;

/// Most guests of a member that have a chip. Chosen: more chips are a crowd, not a picture.
pub const CHIPS_MAX: usize = 40;

/// `since 12.3 s, for 4.5 s; 3 changes so far`.
pub fn since(of: &MemberSnapshot, now_ns: u64) -> String {
    let changes = match of.changes {
        0 => "its state has never changed".into(),
        1 => "its state has changed once".into(),
        count => format!("its state has changed {count} times"),
    };
    let since = of.since_ns;
    format!("Since {}, for {}; {changes}.", short_seconds(since), short_seconds(now_ns.saturating_sub(since)))
}

/// How many guests are logged on, in words.
pub fn guests_said(count: u32) -> String {
    match count {
        0 => "No guest is logged on.".into(),
        1 => "1 guest is logged on.".into(),
        count => format!("{count} guests are logged on."),
    }
}

/// The relocation that each guest is in, if any.
pub fn on_the_way<'a>(snapshot: &Snapshot, cluster: &'a ClusterSnapshot) -> Vec<Option<&'a RelocationSnapshot>> {
    let mut of = vec![None; snapshot.guests.len()];
    for one in cluster.relocations.iter().filter(|one| one.began_ns.is_some() && one.end.is_none()) {
        if let Some(place) = of.get_mut(one.guest as usize) {
            *place = Some(one);
        }
    }
    of
}

#[cfg(test)]
mod tests {
    use super::super::super::relocation::fixture::{S, snapshot};
    use super::*;

    #[test]
    fn a_state_is_told_with_its_time_and_its_changes() {
        let member = MemberSnapshot { since_ns: 10 * S, changes: 3, ..MemberSnapshot::default() };
        assert_eq!(since(&member, 12 * S), "Since 10\u{a0}s, for 2\u{a0}s; its state has changed 3 times.");
    }

    #[test]
    fn a_guest_on_its_way_is_known_by_its_place() {
        let snapshot = snapshot(3, 25 * S);
        let cluster = snapshot.cluster.as_deref().expect("a cluster");
        let on_the_way: Vec<bool> = on_the_way(&snapshot, cluster).iter().map(Option::is_some).collect();
        assert_eq!(on_the_way, [false, true, false]);
    }
}
