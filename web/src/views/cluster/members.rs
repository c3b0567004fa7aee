//! The members side by side: the state of each, and the guests that are logged on there.

use yew::prelude::*;
use zvmlab::Snapshot;
use zvmlab::snapshot::{ClusterSnapshot, GuestSnapshot, MemberSnapshot, MemberState, RelocationSnapshot};

use super::super::relocation::{member, short_seconds};
use super::{logged_on, member_of};

/// Most guests of a member that have a chip. Chosen: more chips are a crowd, not a picture.
const CHIPS_MAX: usize = 40;

/// What a state is called.
pub fn word(state: MemberState) -> &'static str {
    match state {
        MemberState::Joined => "Joined",
        MemberState::Leaving => "Leaving",
        MemberState::Down => "Down",
        MemberState::Joining => "Joining",
    }
}

fn class(state: MemberState) -> &'static str {
    match state {
        MemberState::Joined => "joined",
        MemberState::Leaving => "leaving",
        MemberState::Down => "down",
        MemberState::Joining => "joining",
    }
}

/// One card for each member.
pub fn cards(snapshot: &Snapshot, cluster: &ClusterSnapshot) -> Html {
    let on_the_way = on_the_way(snapshot, cluster);
    let card = |(place, of): (usize, &MemberSnapshot)| {
        html! {
            <section key={place} class={classes!("card", "member", class(of.state))} aria-label={of.name.clone()} data-member={of.name.clone()}>
                <h3>{ &of.name }<span class="member-state">{ word(of.state) }</span></h3>
                <p class="help">{ since(of, snapshot.now_ns) }</p>
                <p>{ guests_said(of.guests) }</p>
                { for member_of(snapshot, place).map(|member| chips(member, &on_the_way)) }
            </section>
        }
    };
    html! {
        <>
            <div class="members">{ for cluster.members.iter().enumerate().map(card) }</div>
            <p class="help chips-legend">
                <span class="guest-chip">{ "logged on" }</span>
                <span class="guest-chip goes">{ "being relocated" }</span>
                <span class="guest-chip stands">{ "stopped" }</span>
            </p>
        </>
    }
}

/// `since 12.3 s, for 4.5 s; 3 changes so far`.
fn since(of: &MemberSnapshot, now_ns: u64) -> String {
    let changes = match of.changes {
        0 => "its state has never changed".into(),
        1 => "its state has changed once".into(),
        count => format!("its state has changed {count} times"),
    };
    let since = of.since_ns;
    format!("Since {}, for {}; {changes}.", short_seconds(since), short_seconds(now_ns.saturating_sub(since)))
}

fn guests_said(count: u32) -> String {
    match count {
        0 => "No guest is logged on.".into(),
        1 => "1 guest is logged on.".into(),
        count => format!("{count} guests are logged on."),
    }
}

/// The relocation that each guest is in, if it is in one.
fn on_the_way<'a>(snapshot: &Snapshot, cluster: &'a ClusterSnapshot) -> Vec<Option<&'a RelocationSnapshot>> {
    let mut of = vec![None; snapshot.guests.len()];
    for one in cluster.relocations.iter().filter(|one| one.began_ns.is_some() && one.end.is_none()) {
        if let Some(place) = of.get_mut(one.guest as usize) {
            *place = Some(one);
        }
    }
    of
}

/// The guests of a member.
fn chips(of: &Snapshot, on_the_way: &[Option<&RelocationSnapshot>]) -> Html {
    let chip = |(place, guest): (usize, &GuestSnapshot)| {
        let relocation = on_the_way.get(place).copied().flatten();
        let (class, says) = match relocation {
            None => (None, guest.name.clone()),
            Some(one) if one.stopped_ns.is_some() => {
                (Some("stands"), format!("{}, stopped on its way to {}", guest.name, member(one.to)))
            }
            Some(one) => (Some("goes"), format!("{}, being relocated to {}", guest.name, member(one.to))),
        };
        html! { <li key={guest.name.clone()} class={classes!("guest-chip", class)} title={says.clone()} aria-label={says}>{ &guest.name }</li> }
    };
    let here = of.guests.iter().enumerate().filter(|(_, guest)| !guest.away);
    let beyond = logged_on(of).count().saturating_sub(CHIPS_MAX);
    html! {
        <>
            <ul class="guest-chips" aria-label="Guests">{ for here.take(CHIPS_MAX).map(chip) }</ul>
            if beyond > 0 { <p class="help">{ format!("and {beyond} more") }</p> }
        </>
    }
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
