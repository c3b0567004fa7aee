//! The scheduler: which guests may run. The lists with their guests, the followed guest, and which guests moved why.

mod lanes;
mod strip;
mod table;

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;
use zvmlab::snapshot::GuestSnapshot;
use zvmlab::{Figure, Snapshot};
use zvmlab_lab::evidence::Evidence;
use zvmlab_lab::rooms::compared::{NO_RESULT, figures, is_live, newest, window};
use zvmlab_lab::rooms::scheduler::lanes::{CHIPS_MAX, Standing, place_of};
use zvmlab_lab::rooms::scheduler::table::listed_guests;
use zvmlab_lab::rooms::scheduler::words::{self, Told, at, mb, moved, moves, who_waits, why};
use zvmlab_lab::rooms::scheduler::{MOVES_MAX, charts, chosen, spoken, waiting};
use zvmlab_lab::words::number::whole;
use zvmlab_lab::words::unit::{NO_BREAK, percent, with_unit};

use super::ViewProps;
use super::member::use_member;
use crate::chart::frame::ChartFrame;
use crate::page;
use lanes::Lanes;
pub use strip::StorbufStrip;
use table::GuestTable;

/// Wall time in milliseconds between two moves that are announced. Chosen: longer than a sentence takes.
const SPEAK_EVERY_MS: f64 = 4_000.0;

/// The lists: where each guest is, which guest is followed, which guests moved. The charts of the room stand below.
#[component]
pub fn Scheduler(props: &ViewProps) -> Html {
    let evidence = &use_member(&props.evidence);
    let followed = use_state_eq(|| None::<String>);
    let only = use_state_eq(|| true);
    let listing = use_state_eq(|| false);
    let on_listing = {
        let listing = listing.clone();
        Callback::from(move |open: bool| listing.set(open))
    };
    // A reader who chooses a guest hears where it is at that instant, and then its moves.
    let chosen = use_memo((*followed).clone(), |name| chosen(evidence, name.as_deref()));
    let Some(snapshot) = newest(evidence).filter(|snapshot| !snapshot.guests.is_empty()) else {
        return html! { <p class="help room-nothing">{ NO_RESULT }</p> };
    };
    // A guest is followed by its name, because knobs may put other guests before it.
    let index = followed.as_ref().and_then(|name| snapshot.guests.iter().position(|guest| guest.name == *name));
    let on_follow = {
        let names: Vec<String> = snapshot.guests.iter().take(CHIPS_MAX).map(|guest| guest.name.clone()).collect();
        let followed = followed.clone();
        Callback::from(move |guest: Option<usize>| followed.set(guest.and_then(|guest| names.get(guest).cloned())))
    };
    let filter = index.filter(|_| *only);
    let listed = moves(&evidence.history, snapshot, filter, MOVES_MAX);
    let last = index.and_then(|index| moves(&evidence.history, snapshot, Some(index), 1).first().copied());
    let spoken = spoken(index, last, is_live(evidence), snapshot, &chosen);
    // Of the whole interval where that is known: at an instant nobody may wait.
    let mean = evidence.settled.as_ref().and_then(|settled| settled.measurement.get(Figure::EligibleGuests));
    let mean = mean.or_else(|| figures(evidence).and_then(|now| now.get(Figure::EligibleGuests)));
    html! {
        <>
            // If no guest is held back, the chart of shares stands here.
            { for charts::shares_first(evidence).map(|chart| html! { <div class="shares-first"><ChartFrame chart={Rc::new(chart)} /></div> }) }
            <div class="card scheduler" data-waiting={waiting(snapshot).to_string()}>
                <p class="who-waits">{ who_waits(snapshot, mean) }</p>
                { price(evidence, snapshot) }
                { storbuf_line(snapshot) }
                { follow(snapshot, index, on_follow.clone()) }
                { lanes_of(snapshot, index, on_follow) }
                <GuestTable open={*listing} on_toggle={on_listing} guests={if *listing { listed_guests(snapshot) } else { Vec::new() }} />
                <p class="help lanes-legend">
                    <span class="chip-sample runs">{ "running" }</span>
                    <span class="chip-sample is-ready">{ "ready" }</span>
                    <span class="chip-sample waits">{ "waits for a page, a frame, an I/O or CP" }</span>
                    <span class="chip-sample is-held">{ "held back" }</span>
                    <span class="chip-sample idles">{ "idle" }</span>
                    if snapshot.cluster.is_some() || snapshot.guests.iter().any(|guest| guest.away) {
                        <span class="chip-sample is-away">{ "at another member" }</span>
                    }
                </p>
                <Speaker text={spoken} />
            </div>
            <div class="scheduler-pair">
                { panel(evidence, snapshot, index) }
                { log(snapshot, &listed, index, only) }
            </div>
        </>
    }
}

/// What it costs and saves to keep guests waiting, at a level that does.
fn price(evidence: &Evidence, snapshot: &Snapshot) -> Html {
    let said = figures(evidence).filter(|_| snapshot.scheduler.keeps_eligible).and_then(words::at_what_price);
    said.map_or_else(Html::default, |said| html! { <p class="price">{ said }</p> })
}

/// The three barriers in words, at a level that has them.
fn storbuf_line(snapshot: &Snapshot) -> Html {
    let scheduler = &snapshot.scheduler;
    if !charts::barriers_matter(scheduler) {
        return Html::default();
    }
    let barrier = |index: usize| {
        let name = words::BARRIERS[index];
        let (claimed, of) = (mb(scheduler.claimed[index]), mb(scheduler.barriers[index]));
        html! { <li><b>{ name }</b>{ format!(" {claimed} of {of} ({}{NO_BREAK}%)", words::storbuf(scheduler, index)) }</li> }
    };
    html! {
        <div class="barriers">
            <span>{ format!("Claimed of the barriers, {} pageable:", mb(scheduler.pageable_frames)) }</span>
            <ul>{ for (0..3).map(barrier) }</ul>
        </div>
    }
}

/// The choice of a guest by name, for readers who would rather not look for its chip.
fn follow(snapshot: &Snapshot, index: Option<usize>, on_follow: Callback<Option<usize>>) -> Html {
    let onchange = Callback::from(move |event: Event| {
        let value = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default();
        on_follow.emit(value.parse().ok());
    });
    let option = |(at, guest): (usize, &GuestSnapshot)| {
        html! { <option key={at} value={at.to_string()} selected={index == Some(at)}>{ &guest.name }</option> }
    };
    let beyond = snapshot.guests.len().saturating_sub(CHIPS_MAX);
    html! {
        <p class="follow">
            <label for="follow-guest">{ "Follow" }</label>
            <select id="follow-guest" {onchange}>
                <option value="" selected={index.is_none()}>{ "none: choose a guest" }</option>
                { for snapshot.guests.iter().take(CHIPS_MAX).enumerate().map(option) }
            </select>
            if beyond > 0 {
                <span class="help">{ format!("The first {CHIPS_MAX} guests stand in the lists. The numbers there count all {} guests.", snapshot.guests.len()) }</span>
            }
        </p>
    }
}

fn lanes_of(snapshot: &Snapshot, followed: Option<usize>, on_follow: Callback<Option<usize>>) -> Html {
    let guests: Vec<Standing> = snapshot.guests.iter().take(CHIPS_MAX).map(Standing::from).collect();
    let mut counts = [0; 10];
    snapshot.guests.iter().filter(|guest| !guest.away).for_each(|guest| counts[place_of(guest.list)] += 1);
    html! { <Lanes {guests} {counts} {followed} {on_follow} /> }
}

/// The words for the followed guest.
fn panel(evidence: &Evidence, snapshot: &Snapshot, index: Option<usize>) -> Html {
    let Some((index, guest)) = index.and_then(|index| Some((index, snapshot.guests.get(index)?))) else {
        return html! {
            <section class="card followed" aria-labelledby="followed-title">
                <h3 id="followed-title">{ "The guest that you follow" }</h3>
                <p class="help">{ "Choose a guest in the lists to see here what it does, why it waits and where its time goes." }</p>
            </section>
        };
    };
    let since = snapshot.now_ns.saturating_sub(guest.list_since_ns);
    let cpu = window(evidence).map(|window| {
        let cpu = window.growth(|snapshot| snapshot.guests.get(index).map_or(0, |guest| guest.cpu_ns));
        cpu / window.elapsed_ns() * 100.0
    });
    let share = match guest.share_ppm {
        0 if guest.list.is_eligible() => "none while it is in the eligible list".to_string(),
        0 => "none: it is idle".to_string(),
        ppm => format!("{} of the partition", percent(ppm as f64 / 1e4)),
    };
    let row = |name: &'static str, value: String| html! { <><dt>{ name }</dt><dd>{ value }</dd></> };
    html! {
        <section class="card followed" aria-labelledby="followed-title">
            <h3 id="followed-title">{ &guest.name }</h3>
            <p class="why">{ format!("{} {}", guest.name, why(guest, &snapshot.scheduler)) }</p>
            <dl>
                { row("List", format!("{}, since {}, for {}", guest.list.as_str(), at(guest.list_since_ns), at(since))) }
                { row("Working set", mb(guest.working_set_pages)) }
                { row("Share now", share) }
                { row("CPU", cpu.map_or("–".into(), |cpu| with_unit(cpu, "% of a processor"))) }
            </dl>
            { for charts::time_of(evidence, index).map(|chart| html! { <ChartFrame chart={Rc::new(chart)} /> }) }
        </section>
    }
}

/// The moves, newest first.
fn log(snapshot: &Snapshot, listed: &[Told], index: Option<usize>, only: UseStateHandle<bool>) -> Html {
    let name = index.and_then(|index| snapshot.guests.get(index)).map(|guest| guest.name.clone());
    let onchange = {
        let only = only.clone();
        Callback::from(move |event: Event| {
            only.set(event.target_dyn_into::<HtmlInputElement>().is_some_and(|input| input.checked()));
        })
    };
    let total = snapshot.scheduler.moves_total;
    html! {
        <section class="card moves" aria-labelledby="moves-title">
            <h3 id="moves-title">{ "Moves, newest first" }</h3>
            if let Some(name) = &name {
                <label class="only"><input type="checkbox" checked={*only} {onchange} />{ format!("only {name}") }</label>
            }
            if listed.is_empty() {
                <p class="help">{ "No move yet." }</p>
            } else {
                <ol class="move-list" aria-label="Moves, newest first">
                    { for listed.iter().map(|one| html! { <li>{ moved(one, snapshot, 3) }</li> }) }
                </ol>
                <p class="help">{ format!("{} moves since the start of the run. The last {} are listed.", whole(total), listed.len()) }</p>
            }
        </section>
    }
}

/// The words that are announced.
#[derive(Clone, PartialEq, Properties)]
struct SpeakerProps {
    text: AttrValue,
}

/// Announces its text when it changes, but not more often than a listener can follow.
#[component]
fn Speaker(props: &SpeakerProps) -> Html {
    let said = use_state_eq(|| AttrValue::from(""));
    let last_ms = use_mut_ref(|| f64::NEG_INFINITY);
    let pending = use_mut_ref(|| None::<Timeout>);
    use_effect_with(props.text.clone(), {
        let said = said.setter();
        move |text| {
            let wait = (*last_ms.borrow() + SPEAK_EVERY_MS - page::now_ms()).clamp(0.0, SPEAK_EVERY_MS);
            let text = text.clone();
            *pending.borrow_mut() = Some(Timeout::new(wait as u32, move || {
                *last_ms.borrow_mut() = page::now_ms();
                said.set(text);
            }));
        }
    });
    html! { <p class="visually-hidden" role="status" aria-live="polite" id="scheduler-spoken">{ &*said }</p> }
}
