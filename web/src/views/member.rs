//! Which member of a cluster the rooms show that are about one host: the first, unless its reader chose another.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::HtmlSelectElement;
use yew::prelude::*;
use zvmlab::{Measurement, Snapshot};

use super::cluster::member_of;
use super::relocation::member;
use crate::session::{History, Sample, Settled, ViewProps};

/// Results of one member that are kept: of the bench and of the one before it.
const KEPT: usize = 2;

/// What the rooms are told.
#[derive(Clone)]
pub struct Shown {
    place: usize,
    choose: Callback<usize>,
    made: Rc<RefCell<Made>>,
}

impl PartialEq for Shown {
    fn eq(&self, other: &Shown) -> bool {
        self.place == other.place
    }
}

/// What has been made of a member so far: a live run gives a few samples at a time, and the others are the same.
#[derive(Default)]
struct Made {
    place: usize,
    history: History,
    settled: Vec<(Rc<Settled>, Rc<Settled>)>,
}

/// What is inside the scope.
#[derive(Clone, PartialEq, Properties)]
pub struct ScopeProps {
    /// The rooms.
    pub children: Html,
}

/// The rooms of one member.
#[component]
pub fn MemberScope(props: &ScopeProps) -> Html {
    let place = use_state_eq(|| 0_usize);
    let made = use_mut_ref(Made::default);
    let choose = {
        let place = place.clone();
        Callback::from(move |chosen: usize| place.set(chosen))
    };
    let shown = Shown { place: *place, choose, made };
    html! { <ContextProvider<Shown> context={shown}>{ props.children.clone() }</ContextProvider<Shown>> }
}

/// What the choice is given.
#[derive(Clone, PartialEq, Properties)]
pub struct ChoiceProps {
    /// The room in which it stands.
    pub room: &'static str,
    /// How many members there are.
    pub members: u32,
}

/// The rooms that are about one host.
const OF_ONE_HOST: [&str; 8] =
    ["control-unit", "paging", "minidisks", "storage", "scheduler", "processors", "prsm", "locks"];

/// The choice of a member, at the head of a room; nothing where there is one only.
#[component]
pub fn MemberChoice(props: &ChoiceProps) -> Html {
    let shown = use_context::<Shown>();
    let Some(shown) = shown.filter(|_| props.members > 1 && OF_ONE_HOST.contains(&props.room)) else {
        return Html::default();
    };
    let onchange = shown.choose.reform(|event: Event| {
        let value = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default();
        value.parse().unwrap_or(0)
    });
    let option = |place: u32| {
        let chosen = shown.place == place as usize;
        html! { <option key={place} value={place.to_string()} selected={chosen}>{ member(place) }</option> }
    };
    let id = format!("{}-member", props.room);
    html! {
        <p class="member-choice">
            <label for={id.clone()}>{ "Member" }</label>
            <select {id} {onchange}>{ for (0..props.members).map(option) }</select>
        </p>
    }
}

/// The props of the member that is shown.
#[hook]
pub fn use_member(props: &ViewProps) -> ViewProps {
    match use_context::<Shown>() {
        Some(shown) if shown.place > 0 => shown.made.borrow_mut().of(props, shown.place),
        _ => props.clone(),
    }
}

impl Made {
    /// `props` as they are of the member at `place`; those of the first where there is no such member.
    fn of(&mut self, props: &ViewProps, place: usize) -> ViewProps {
        let newest = props.history.last().map(|sample| &sample.snapshot);
        let newest = newest.or_else(|| props.settled.as_ref().map(|settled| &settled.snapshot));
        if newest.is_none_or(|snapshot| member_of(snapshot, place).is_none()) {
            return props.clone();
        }
        if self.place != place {
            *self = Made { place, ..Made::default() };
        }
        let is_live = props.settled.as_ref().is_none_or(|settled| !Rc::ptr_eq(&props.history, &settled.series));
        let settled = props.settled.as_ref().and_then(|settled| self.settled(settled));
        let history = match &settled {
            Some(settled) if !is_live => settled.series.clone(),
            _ => self.history(&props.history),
        };
        let pinned = props.pinned.as_ref().and_then(|pinned| self.settled(pinned));
        ViewProps { history, settled, pinned, published: props.published.clone(), current_run: None }
    }

    /// A settled result as it is of the member.
    fn settled(&mut self, whole: &Rc<Settled>) -> Option<Rc<Settled>> {
        if let Some((_, made)) = self.settled.iter().find(|(of, _)| Rc::ptr_eq(of, whole)) {
            return Some(made.clone());
        }
        let snapshot = member_of(&whole.snapshot, self.place)?.clone();
        let series = Rc::new(samples(&whole.series, self.place));
        // The state at the start of the interval is not kept: the figures are from the first sample on.
        let first = series.first().map(|sample| &sample.snapshot).filter(|first| first.now_ns < snapshot.now_ns);
        let measurement = Measurement::between(first.unwrap_or(&Snapshot::default()), &snapshot);
        let made = Rc::new(Settled { measurement, snapshot, series, ..Settled::clone(whole) });
        self.settled.truncate(KEPT - 1);
        self.settled.insert(0, (whole.clone(), made.clone()));
        Some(made)
    }

    /// Samples of a live run as they are of the member. Only those that are new are made.
    fn history(&mut self, whole: &[Rc<Sample>]) -> History {
        let same = |a: &Snapshot, b: &Snapshot| {
            a.now_ns == b.now_ns && member_of(b, self.place).is_some_and(|b| a.events == b.events)
        };
        let known =
            self.history.last().and_then(|last| whole.iter().rposition(|sample| same(&last.snapshot, &sample.snapshot)));
        let Some(known) = known else {
            self.history = Rc::new(samples(whole, self.place));
            return self.history.clone();
        };
        // From the one that is known: the figures of the next are those since then.
        let new = samples(&whole[known..], self.place);
        let kept = known + 1;
        let history = Rc::make_mut(&mut self.history);
        history.drain(..history.len().saturating_sub(kept));
        history.extend(new.into_iter().skip(1));
        self.history.clone()
    }
}

/// Samples as they are of the member at `place`, each with the figures since the one before it.
fn samples(whole: &[Rc<Sample>], place: usize) -> Vec<Rc<Sample>> {
    let mut samples: Vec<Rc<Sample>> = Vec::with_capacity(whole.len());
    for sample in whole {
        let Some(snapshot) = member_of(&sample.snapshot, place) else { continue };
        let measurement = match samples.last() {
            Some(earlier) => Measurement::between(&earlier.snapshot, snapshot),
            // Nothing is known of the time before the first: its figures are those since the start of the run.
            None => Measurement::between(&Snapshot::default(), snapshot),
        };
        samples.push(Rc::new(Sample { measurement, snapshot: snapshot.clone() }));
    }
    samples
}

#[cfg(test)]
pub mod tests {
    use super::super::relocation::fixture::{S, props};
    use super::*;

    /// `props` as they are of the member at `place`.
    pub fn of_member(props: &ViewProps, place: usize) -> ViewProps {
        Made::default().of(props, place)
    }

    #[test]
    fn a_member_is_shown_as_a_host_of_its_own() {
        let props = props(2);
        let shown = Made::default().of(&props, 1);
        let settled = shown.settled.as_ref().expect("a result");
        assert!(Rc::ptr_eq(&shown.history, &settled.series), "it is no live run");
        assert_eq!(shown.history.len(), props.history.len());
        assert!(settled.snapshot.guests.iter().all(|guest| !guest.away), "both have come");
        assert!(Made::default().of(&props, 2) == props, "there is no third member");
    }

    #[test]
    fn of_a_live_run_only_what_is_new_is_made() {
        let mut props = props(2);
        let all = props.history.clone();
        let mut made = Made::default();
        for (from, to) in [(0, 10), (0, 12), (5, 20), (7, 20)] {
            props.history = Rc::new(all[from..to].to_vec());
            let shown = made.of(&props, 1);
            let times: Vec<u64> = shown.history.iter().map(|sample| sample.snapshot.now_ns / S).collect();
            assert_eq!(times, (from as u64 + 11..to as u64 + 11).collect::<Vec<_>>(), "{from} to {to}");
        }
        props.history = Rc::new(all[..3].to_vec());
        assert_eq!(made.of(&props, 1).history.len(), 3, "a run that began anew is made anew");
    }
}
