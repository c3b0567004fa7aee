//! The knobs: for each field of the scenario a native control with a number field, its unit, and a short explanation.

mod beside;
mod control;
mod controls;
mod guests;
mod levels;
mod link;
mod number;
mod shares;
mod storbuf;

use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab::scenario::Problem;
use zvmlab::scenario::fields::MAX_GROUPS;

use crate::msg::{Msg, Only};
use control::Control;
use guests::OtherGuests;
use levels::levels;
use link::link;
use shares::shares;
use storbuf::Storbuf;
use zvmlab_lab::bench::Draft;
use zvmlab_lab::knob::Knob;
use zvmlab_lab::knob::changes::changes;
use zvmlab_lab::knob::groups::{Group, Layout, id};
use zvmlab_lab::knob::sentences::sentence;
use zvmlab_lab::subjects::Subject;

/// Changes that are listed. The others are counted. Chosen: the first knobs stay in sight.
const CHANGES_MAX: usize = 4;

/// The data of the knobs.
#[derive(Clone, PartialEq, Properties)]
pub struct KnobsProps {
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// Its subject.
    pub subject: &'static Subject,
    /// Texts that are no values.
    pub drafts: Vec<Draft>,
    /// Knobs that were turned. They stay visible.
    pub turned: Vec<Knob>,
    /// What is wrong with the scenario.
    pub problems: Vec<Problem>,
    /// Whether the further knobs are shown.
    pub more: bool,
    /// The scenario of A.
    pub a: Rc<Scenario>,
    /// The step that can be taken back, and the one that can be done again, in words.
    pub ways: (Option<String>, Option<String>),
    /// The part whose knobs alone are shown.
    pub only: Option<Only>,
    /// The paths of the only knobs that the address wants shown; empty for all.
    #[prop_or_default]
    pub chosen: Vec<&'static str>,
    /// What a lesson lets the reader turn.
    #[prop_or_default]
    pub held: Option<Rc<Held>>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// A lesson holds the knobs, but for some.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// Those that move.
    pub open: Vec<Knob>,
    /// Why the others do not.
    pub why: &'static str,
}

/// What the reader seeks.
#[derive(Clone, Copy)]
struct Sought<'a> {
    /// The words; none if nothing is sought.
    words: &'a str,
    /// How well they must fit a knob.
    fit: u8,
}

impl Sought<'_> {
    fn is_on(&self) -> bool {
        !self.words.trim().is_empty()
    }
}

/// All knobs, in their groups.
#[component]
pub fn Knobs(props: &KnobsProps) -> Html {
    let (more, sought) = (props.more, use_state_eq(String::new));
    let seek = {
        let sought = sought.setter();
        Callback::from(move |event: InputEvent| {
            sought.set(event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default());
        })
    };
    let mut groups = props.subject.groups(&props.scenario);
    if let Some(held) = &props.held {
        // What moves stands first.
        groups.sort_by_key(|group| !group.knobs.iter().any(|knob| held.open.contains(knob)));
    }
    let fit =
        |group: &Group, knob: &Knob| knob.exists(&props.scenario).then(|| knob.fits(&props.scenario, &group.title, &sought));
    let fits = |group: &Group| group.knobs.iter().filter_map(|knob| fit(group, knob)).max();
    // What is named so stands alone. Otherwise what is explained so.
    let best = groups.iter().filter_map(fits).max().unwrap_or_default();
    let sought = Sought { words: &sought, fit: best.max(1) };
    html! {
        <>
            { changed(props) }
            <input type="search" class="seek" aria-label="Find a knob" placeholder="Find a knob" value={sought.words.to_string()} oninput={seek} />
            { only(props) }
            if let Some(held) = &props.held { <p class="reason held" data-testid="held">{ held.why }</p> }
            if best == 0 { <p class="help" role="status">{ "No knob of this host has these words." }</p> }
            { for groups.into_iter().map(|knobs| group(props, sought, knobs)) }
            { general_problems(props) }
            <button type="button" class="more" aria-expanded={more.to_string()} onclick={props.on.reform(move |_| Msg::ShowMore(!more))}>
                { if more { "Fewer knobs" } else { "More knobs" } }
            </button>
        </>
    }
}

/// The part whose knobs alone are shown, and the way back to all.
fn only(props: &KnobsProps) -> Html {
    let Some(only) = &props.only else { return Html::default() };
    html! {
        <p class="label-row" data-testid="only">
            <span>{ format!("Knobs of {}", only.name) }</span>
            <button type="button" class="plain" onclick={props.on.reform(|_: MouseEvent| Msg::ShowAllKnobs)}>{ "All knobs" }</button>
        </p>
    }
}

/// What differs from A, and the ways back and forth; nothing where there is nothing of it.
fn changed(props: &KnobsProps) -> Html {
    let (changes, (undo, redo)) = (changes(&props.a, &props.scenario), &props.ways);
    if changes.is_empty() && undo.is_none() && redo.is_none() {
        return Html::default();
    }
    let way = |step: &Option<String>, name: &'static str, msg: fn() -> Msg| {
        // It stays a button without a way: whoever pressed it keeps the focus.
        let way = step.is_some().then(|| props.on.reform(move |_: MouseEvent| msg()));
        let says = step.as_ref().map(|step| format!("{name}: {step}"));
        html! {
            <button type="button" aria-disabled={step.is_none().then_some("true")} title={says.clone()} aria-label={says} onclick={way}>{ name }</button>
        }
    };
    let rest = changes.len().saturating_sub(CHANGES_MAX);
    html! {
        <section class="changed" aria-label="Changed since A" data-testid="changed">
            <p class="label-row">
                <span>{ if changes.is_empty() { "As in A" } else { "Changed since A" } }</span>
                <span>{ way(undo, "Undo", || Msg::Undo) }{ " " }{ way(redo, "Redo", || Msg::Redo) }</span>
            </p>
            <ul>
                { for changes.iter().take(CHANGES_MAX).map(|change| html! { <li>{ change }</li> }) }
                if rest > 0 { <li>{ format!("and {rest} more") }</li> }
            </ul>
        </section>
    }
}

/// A group with those of its knobs that are shown.
fn group(props: &KnobsProps, sought: Sought, group: Group) -> Html {
    let shown = |knob: &Knob| is_shown(props, &group, sought, knob);
    let any = group.knobs.iter().any(shown);
    let inside = |group: &Group| match group.layout {
        Layout::Storbuf => storbuf(props),
        Layout::Shares => shares(props, &group.knobs, &shown),
        Layout::Link => link(props, &group.knobs, &shown),
        Layout::Plain if group.id == id::SYSTEM => {
            html! { <>{ for plain(props, &group.knobs, &shown, sought.is_on()) }{ levels(&props.scenario) }</> }
        }
        Layout::Plain | Layout::Closed => html! { { for plain(props, &group.knobs, &shown, sought.is_on()) } },
    };
    // A lesson that opens no knob of the group holds all of it.
    let held = props.held.as_ref().is_some_and(|held| !group.knobs.iter().any(|knob| held.open.contains(knob)));
    html! {
        <key={group.id.clone()}>
            if any && group.layout == Layout::Closed {
                <details class="group" id={format!("knobs-{}", group.id)} open={sought.is_on() || group.knobs.iter().any(|knob| wants_to_be_seen(props, knob))}>
                    <summary>{ &group.title }</summary>
                    <p class="help">{ "No source gives these values. The model assumes them. Turn them to see what depends on them." }</p>
                    { inside(&group) }
                </details>
            } else if any {
                <fieldset class={classes!("group", held.then_some("held"))} disabled={held} id={format!("knobs-{}", group.id)} tabindex={guests_of(&group).map(|_| "-1")}>
                    <legend>{ &group.title }</legend>
                    { inside(&group) }
                    if props.held.is_none() { { guests_of(&group).map(|index| add_or_remove(props, index)) } }
                    if props.held.is_none() && guests_of(&group) == props.scenario.guests.len().checked_sub(1) { <OtherGuests full={props.scenario.guests.len() >= MAX_GROUPS} on={props.on.clone()} /> }
                </fieldset>
            }
        </>
    }
}

/// The group of guests whose knobs these are.
fn guests_of(group: &Group) -> Option<usize> {
    group.id.strip_prefix("guests-")?.parse::<usize>().ok()?.checked_sub(1)
}

/// A host has guests of several kinds. So the reader can add a group or remove one.
fn add_or_remove(props: &KnobsProps, index: usize) -> Html {
    let Some(group) = props.scenario.guests.get(index) else { return Html::default() };
    let count = props.scenario.guests.len();
    html! {
        <div class="presets">
            <button type="button" disabled={count >= MAX_GROUPS} aria-label={format!("Add guests like these: {}", group.name)}
                onclick={props.on.reform(move |_: MouseEvent| Msg::AddGuests(index))}>{ "Add guests like these" }</button>
            if count > 1 {
                <button type="button" aria-label={format!("Remove these: {}", group.name)}
                    onclick={props.on.reform(move |_: MouseEvent| Msg::RemoveGuests(index))}>{ "Remove these" }</button>
            }
        </div>
    }
}

/// Whether a knob of a group is shown. A problem stands next to its knob, so that knob is shown too, and so is one that was turned.
/// Knobs of parts that the host does not have are not shown, even with the further knobs. Where the reader seeks one, those with the
/// words are shown.
fn is_shown(props: &KnobsProps, group: &Group, sought: Sought, knob: &Knob) -> bool {
    if sought.is_on() {
        let fits = || knob.fits(&props.scenario, &group.title, sought.words) >= sought.fit;
        return knob.exists(&props.scenario) && fits() || is_wrong(props, knob);
    }
    if let Some(only) = &props.only {
        return knob.exists(&props.scenario) && only.groups.contains(&group.id) || is_wrong(props, knob);
    }
    if props.held.as_ref().is_some_and(|held| held.open.contains(knob)) {
        return true;
    }
    if !props.chosen.is_empty() && !props.more {
        return knob.exists(&props.scenario) && props.chosen.contains(&knob.field.path) || is_wrong(props, knob);
    }
    let asked_for = knob.exists(&props.scenario) && (props.more || props.subject.is_main(knob, &props.scenario));
    asked_for || knob.exists(&props.scenario) && props.turned.contains(knob) || is_wrong(props, knob)
}

/// Why a lesson keeps a knob as it is; none if the reader may turn it.
fn held(props: &KnobsProps, knob: &Knob) -> Option<String> {
    props.held.as_ref().filter(|held| !held.open.contains(knob)).map(|held| held.why.into())
}

fn is_wrong(props: &KnobsProps, knob: &Knob) -> bool {
    props.problems.iter().filter_map(Knob::of_problem).any(|of| of == *knob)
}

/// Whether a hidden knob has something that the reader must see.
fn wants_to_be_seen(props: &KnobsProps, knob: &Knob) -> bool {
    props.turned.contains(knob) || is_wrong(props, knob)
}

/// Knobs below each other, those that do nothing here folded away, unless the reader seeks one. Hidden knobs keep their place in the list; otherwise the browser would move a knob and take the
/// focus from it.
fn plain(props: &KnobsProps, knobs: &[Knob], shown: &dyn Fn(&Knob) -> bool, sought: bool) -> Vec<Html> {
    let (mut reasons, mut idle): (Vec<String>, Vec<Html>) = (Vec::new(), Vec::new());
    let one = |knob: &Knob| {
        let inside = shown(knob).then(|| {
            if let Some(why) = held(props, knob) {
                // The reason stands above all knobs.
                return (control(props, *knob, Some(why), true), false);
            }
            let locked = knob.locked(&props.scenario, &props.problems);
            // A reason that several knobs share stands only at the first of them.
            let repeated = locked.as_ref().is_some_and(|reason| reasons.contains(reason));
            reasons.extend(locked.clone());
            // The knob in the reader's hand stays where it is.
            let folds = locked.is_some() && !props.turned.contains(knob) && !sought;
            (control(props, *knob, locked, repeated), folds)
        });
        match inside {
            Some((control, true)) => {
                idle.push(html! { <key={knob.id()}>{ control }</> });
                html! { <key={knob.id()}></> }
            }
            inside => html! { <key={knob.id()}>{ inside.map(|(control, _)| control).unwrap_or_default() }</> },
        }
    };
    let mut all: Vec<Html> = knobs.iter().map(one).collect();
    if !idle.is_empty() {
        let summary = if idle.len() == 1 {
            "One knob does nothing here".into()
        } else {
            format!("{} knobs do nothing here", idle.len())
        };
        all.push(html! { <details key="idle" class="idle"><summary>{ summary }</summary>{ for idle }</details> });
    }
    all
}

fn storbuf(props: &KnobsProps) -> Html {
    html! {
        <Storbuf scenario={props.scenario.clone()} drafts={props.drafts.clone()} problems={props.problems.clone()}
            held={(0..3).filter_map(zvmlab_lab::knob::storbuf::knob).find_map(|knob| held(props, &knob))} on={props.on.clone()} />
    }
}

fn control(props: &KnobsProps, knob: Knob, locked: Option<String>, repeated: bool) -> Html {
    let (draft, problems) = (draft(props, knob), problems_of(props, knob));
    html! {
        <Control {knob} scenario={props.scenario.clone()} a={props.a.clone()} {draft} {problems} {locked} {repeated} on={props.on.clone()} />
    }
}

/// A text in the knob's field that is no value.
fn draft(props: &KnobsProps, knob: Knob) -> Option<String> {
    props.drafts.iter().find(|draft| draft.knob == knob).map(|draft| draft.text.clone())
}

/// What is wrong with the knob, in sentences.
fn problems_of(props: &KnobsProps, knob: Knob) -> Vec<String> {
    let own = |problem: &&Problem| Knob::of_problem(problem).is_some_and(|of| of == knob);
    props.problems.iter().filter(own).map(|problem| sentence(problem, &props.scenario)).collect()
}

/// Problems of no single knob: too many guests in all groups together.
fn general_problems(props: &KnobsProps) -> Html {
    let general = props.problems.iter().filter(|problem| Knob::of_problem(problem).is_none());
    html! {
        <div class="problem" aria-live="polite">
            { for general.map(|problem| html! { <p>{ format!("{}: {}.", problem.field, problem.message) }</p> }) }
        </div>
    }
}
