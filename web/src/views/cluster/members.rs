//! The members side by side: the state of each, and the guests that are logged on there.

use yew::prelude::*;
use zvmlab::Snapshot;
use zvmlab::snapshot::{ClusterSnapshot, GuestSnapshot, MemberSnapshot, MemberState, RelocationSnapshot};
use zvmlab_lab::rooms::cluster::members::{CHIPS_MAX, guests_said, on_the_way, since};
use zvmlab_lab::rooms::cluster::{logged_on, member_of};
use zvmlab_lab::words::letters;
use zvmlab_lab::words::relocations::member_at as member;
use zvmlab_lab::words::state;

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
                <h3>{ &of.name }<span class="member-state">{ letters::capitalised(state::member(of.state)) }</span></h3>
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
