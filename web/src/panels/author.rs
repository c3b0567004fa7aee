//! The form in which a teacher writes a lesson: its parts, the way from the bench into it, a trial, and the file.

mod conditions;
mod entry;
mod fields;
mod turns;

use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::prelude::*;
use zvmlab::limit::ResourceKind;
use zvmlab::scenario::Problem;
use zvmlab::{Measurement, Scenario};
use zvmlab_lab::lesson::Lesson;
use zvmlab_lab::lesson::draft::form::{self, Entry, HEAD, TEACHER, of_step};
use zvmlab_lab::lesson::draft::shape::Shape;
use zvmlab_lab::lesson::draft::{Act, Draft, place_of, said};
use zvmlab_lab::lesson::file::TASKS;
use zvmlab_lab::lesson::list::LESSONS;
use zvmlab_lab::lesson::trial::{Finding, SEEDS, gathered};
use zvmlab_lab::published::PublishedRun;

use crate::msg::{Msg, Part, Taken, Writing};
use crate::panels::setup::read_file;

/// The data of the form.
#[derive(Clone, PartialEq, Properties)]
pub struct AuthorProps {
    /// The draft.
    pub draft: Rc<Draft>,
    /// The lesson as far as it can be read.
    pub lesson: Rc<Lesson>,
    /// Everything that is wrong with it.
    pub problems: Rc<Vec<Problem>>,
    /// The part that is open.
    pub open: Part,
    /// What the last action did.
    pub said: String,
    /// Runs of the trial under way that are known, and runs that there are.
    pub trial: Option<(usize, usize)>,
    /// What the last trial found.
    pub findings: Option<Rc<Vec<Finding>>>,
    /// Whether the draft has changed since.
    pub stale: bool,
    /// What may limit on the lesson's host; empty where that is not known.
    pub resources: Vec<ResourceKind>,
    /// Whether a change can be taken back.
    pub has_before: bool,
    /// The published runs.
    pub published: Rc<Vec<PublishedRun>>,
    /// The figures of the lesson's host as it stands on the bench, if they are known.
    pub now: Option<Measurement>,
    /// Told what the teacher does.
    pub on: Callback<Msg>,
}

/// What every part of the form needs.
#[derive(Clone, Copy)]
struct Form<'a> {
    props: &'a AuthorProps,
    /// The host of the step that is open; that of the lesson where none is.
    host: &'a Scenario,
}

impl Form<'_> {
    /// Tells what the teacher does.
    fn on<E: 'static>(&self, did: impl Fn(E) -> Writing + 'static) -> Callback<E> {
        self.props.on.reform(move |event: E| Msg::Write(did(event)))
    }

    /// A button.
    fn button(&self, label: &str, does: Writing) -> Html {
        html! { <button type="button" onclick={self.on(move |_: MouseEvent| does.clone())}>{ label.to_string() }</button> }
    }

    /// A small button that does something to one thing, which its name says.
    fn small(&self, sign: &'static str, name: String, does: Writing) -> Html {
        html! { <button type="button" class="plain" aria-label={name.clone()} title={name} onclick={self.on(move |_: MouseEvent| does.clone())}>{ sign }</button> }
    }

    /// What is wrong at a place, and below it.
    fn problems(&self, place: &str) -> Html {
        let is_here = |problem: &&Problem| {
            let at = place_of(problem);
            at == place || at.strip_prefix(place).is_some_and(|rest| rest.starts_with('/'))
        };
        let one = |problem: &Problem| {
            let is_missing = problem.message.starts_with("nothing given");
            html! { <p class={if is_missing { "help" } else { "problem" }}>{ said(problem) }</p> }
        };
        html! { <div aria-live="polite">{ for self.props.problems.iter().filter(is_here).map(one) }</div> }
    }

    /// How many things are missing or wrong at places that begin so.
    fn count(&self, is_of: impl Fn(&str) -> bool) -> usize {
        self.props.problems.iter().filter(|problem| is_of(&place_of(problem))).count()
    }
}

/// The form.
#[component]
pub fn Author(props: &AuthorProps) -> Html {
    let host = props.lesson.host(if let Part::Step(at) = props.open { at } else { 0 });
    let form = Form { props, host: &host };
    let steps = props.draft.items("/steps");
    html! {
        <section class="lesson author card" aria-labelledby="author" data-testid="author">
            <p class="lesson-head">
                <b id="author" tabindex="-1">{ "Write a lesson" }</b>
                { form.button("Close", Writing::Close) }
            </p>
            <p class="help">{ "Turn the bench as the lesson needs it, take what you turned into the form, play the lesson, save its file. The draft stays in this browser." }</p>
            { begin(form) }
            { part(form, Part::Head, "The lesson", "Title, question, host", form.count(is_of_head), || html! { <>{ others(form, is_of_head, "", HEAD) }{ for HEAD.iter().map(|one| entry::entry(form, "", one)) }</> }) }
            { for steps.iter().enumerate().map(|(at, value)| step(form, at, value)) }
            { add_step(form, steps.len()) }
            { part(form, Part::Teacher, "For the teacher", "Goal, misconceptions, notes", form.count(|place| place.starts_with("/teacher")),
                || html! { <>{ others(form, |place| place.starts_with("/teacher"), "/teacher", TEACHER) }{ for TEACHER.iter().map(|one| entry::entry(form, "/teacher", one)) }</> }) }
            { ways(form) }
            { findings(form) }
        </section>
    }
}

/// Whether a problem is one of the lesson itself.
fn is_of_head(place: &str) -> bool {
    !place.starts_with("/steps/") && !place.starts_with("/teacher")
}

/// Where a lesson may come from.
fn begin(form: Form) -> Html {
    let copy = form.on(|event: Event| Writing::Copy(fields::added(&event)));
    let lessons: Vec<(String, String)> = LESSONS.iter().map(|plate| (plate.id.into(), plate.title.into())).collect();
    let on = form.props.on.clone();
    let open = Callback::from(move |event: Event| {
        let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
        let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
        input.set_value("");
        read_file(file, on.reform(|(file, text)| Msg::Write(Writing::Read { file, text, is_copy: false })));
    });
    html! {
        <div class="author-begin">
            { form.button("New, from the bench", Writing::New) }
            <label class="file"><input type="file" accept=".toml,.json" class="hidden" onchange={open} aria-label="Open a lesson’s file in the form" />
                <span aria-hidden="true">{ "Open a file…" }</span></label>
            { fields::asking("author-copy", "Copy a lesson…", Some("Begin with a copy of a lesson".into()), "", &lessons, copy) }
            if form.props.has_before { { form.button("Undo", Writing::Undo) } }
        </div>
    }
}

/// A part of the form: its head, and what is in it where it is open.
fn part(form: Form, part: Part, name: &str, about: &str, wrong: usize, inside: impl Fn() -> Html) -> Html {
    let open = form.props.open == part;
    let next = if open { Part::None } else { part };
    let state = match wrong {
        0 => "✓ complete".to_string(),
        count => format!("{count} to do"),
    };
    html! {
        <div class={classes!("author-part", open.then_some("open"))} key={format!("{part:?}")}>
            <button type="button" class="author-part-head" id={part.id()} aria-expanded={open.to_string()} onclick={form.on(move |_: MouseEvent| Writing::Show(next))}>
                <b>{ name.to_string() }</b><span>{ about.to_string() }</span><span class={classes!("unit", (wrong == 0).then_some("better"))}>{ state }</span>
            </button>
            if open { <div class="author-part-body">{ inside() }</div> }
        </div>
    }
}

/// A step.
fn step(form: Form, at: usize, value: &serde_json::Value) -> Html {
    let place = format!("/steps/{at}");
    let task = form.props.draft.text_at(&format!("{place}/task"));
    let own = format!("{place}/");
    let wrong = form.count(|other| other == place || other.starts_with(&own));
    let name = format!("{}. {}", at + 1, form.props.draft.text_at(&format!("{place}/title")));
    part(form, Part::Step(at), &name, form::said(&task), wrong, || {
        let entries = of_step(value);
        let last = form.props.draft.steps();
        html! {
            <>
                { tasks(form, at, &task) }
                { others(form, |other| other == place || other.starts_with(&own), &place, &entries) }
                { for entries.iter().map(|entry| html! {
                    <>
                        { entry::entry(form, &place, entry) }
                        if task == "predict" && entry.key == "turn" { { shapes(form, at, Shape::of(value)) } }
                    </>
                }) }
                <p class="lesson-ways">
                    { form.button("Show its host on the bench", Writing::PutHost(at)) }
                    { form.button("Play from here", Writing::Play(at)) }
                    if at > 0 { { form.button("Up", Writing::Did(Act::Swap(at - 1))) } }
                    if at + 1 < last { { form.button("Down", Writing::Did(Act::Swap(at))) } }
                    { form.button("Duplicate", Writing::Did(Act::Duplicate(at))) }
                    { form.button("Remove the step", Writing::Did(Act::Remove(place.clone()))) }
                </p>
            </>
        }
    })
}

/// What is wrong in a part, but at none of its entries. A field that lessons do not have can be taken out.
fn others(form: Form, is_of: impl Fn(&str) -> bool, base: &str, entries: &[Entry]) -> Html {
    let is_shown = |place: &str| entries.iter().any(|entry| place.starts_with(&format!("{base}/{}", entry.key)));
    let others = form.props.problems.iter().map(|problem| (place_of(problem), problem));
    let others = others.filter(|(place, _)| is_of(place) && !is_shown(place));
    let one = |(place, problem): (String, &Problem)| {
        let unknown = problem.message.starts_with("there is no such field");
        html! {
            <p class="problem">{ format!("{}: {}", problem.field, said(problem)) }
                if unknown { { form.small("×", format!("Remove {}", problem.field), Writing::Did(Act::Remove(place))) } }</p>
        }
    };
    others.map(one).collect()
}

/// What the learner does in a step.
fn tasks(form: Form, at: usize, task: &str) -> Html {
    let choose = form.on(move |event: Event| Writing::Did(Act::Task(at, task_of(&fields::chosen(&event)))));
    html! {
        <div class="field"><label for={format!("author-task-{at}")}>{ "The learner’s task" }</label>
            { fields::menu(&format!("author-task-{at}"), None, task, &task_options(), choose) }</div>
    }
}

/// How the learner answers.
fn shapes(form: Form, at: usize, shape: Shape) -> Html {
    let one = |other: Shape| {
        html! {
            <label class="choice"><input type="radio" name={format!("author-shape-{at}")} checked={other == shape}
                onchange={form.on(move |_: Event| Writing::Did(Act::Predict(at, other)))} /><span>{ other.said() }</span></label>
        }
    };
    html! { <div role="radiogroup" aria-label="How learners answer"><span class="label">{ "Learners" }</span>{ for Shape::ALL.into_iter().map(one) }</div> }
}

/// Another step behind the last one, or behind the one that is open.
fn add_step(form: Form, steps: usize) -> Html {
    let last = steps.saturating_sub(1);
    let after = if let Part::Step(at) = form.props.open { at.min(last) } else { last };
    let add = form.on(move |event: Event| Writing::Did(Act::AddStep(after, task_of(&fields::added(&event)))));
    let nothing = if steps == 0 { "Add a step…".into() } else { format!("Add a step behind step {}…", after + 1) };
    html! { <p class="author-begin">{ fields::asking("author-add", &nothing, Some("Add a step".into()), "", &task_options(), add) }</p> }
}

/// The tasks for a menu.
fn task_options() -> Vec<(String, String)> {
    TASKS.iter().map(|one| ((*one).into(), form::said(one).into())).collect()
}

fn task_of(word: &str) -> &'static str {
    TASKS.into_iter().find(|one| *one == word).unwrap_or(TASKS[0])
}

/// Play, try, save.
fn ways(form: Form) -> Html {
    let (props, wrong) = (form.props, form.props.problems.len());
    let off = (wrong > 0).then_some("true");
    let state = match wrong {
        0 => "The lesson is complete.".to_string(),
        1 => "One thing is missing or wrong.".into(),
        count => format!("{count} things are missing or wrong."),
    };
    html! {
        <>
            <p role="status" data-testid="author-state">{ state }</p>
            <p class="lesson-ways">
                <button type="button" aria-disabled={off} class={classes!((wrong == 0).then_some("primary"))} onclick={form.on(|_: MouseEvent| Writing::Play(0))}>{ "Play it" }</button>
                if props.trial.is_some() { { form.button("Stop the trial", Writing::StopTrying) } } else {
                    <button type="button" aria-disabled={off} onclick={form.on(|_: MouseEvent| Writing::Try)}
                        title="Runs every host of the lesson with several seeds">{ "Try all its ways" }</button>
                }
                { form.button("Save the file", Writing::Save) }
            </p>
            if let Some((known, all)) = props.trial {
                <p role="status">{ format!("Trial: {known} of {all} runs. ") }<progress value={known.to_string()} max={all.to_string()} aria-label="Runs of the trial" /></p>
            }
            if !props.said.is_empty() { <p class="lesson-said" role="status" data-testid="author-said">{ &props.said }</p> }
        </>
    }
}

/// What the trial found.
fn findings(form: Form) -> Html {
    let Some(findings) = &form.props.findings else { return Html::default() };
    let (findings, stale) = (gathered(findings), form.props.stale);
    let faults = findings.iter().filter(|(one, _)| one.is_fault).count();
    let sum = match faults {
        _ if stale => "The last trial found this. The lesson has changed since: try it again.".into(),
        0 => format!(
            "With {} seeds every prediction has one right answer, and every aim is reached by its ways and not without.",
            SEEDS.len()
        ),
        1 => "One fault: mend it, and try again.".into(),
        count => format!("{count} faults: mend them, and try again."),
    };
    let one = |(finding, count): &(Finding, usize)| {
        let part = Part::Step(finding.step.saturating_sub(1));
        let some = if *count < SEEDS.len() { format!(" ({count} of {} seeds)", SEEDS.len()) } else { String::new() };
        html! {
            <li class={classes!((finding.is_fault && !stale).then_some("problem"))}>
                { if finding.is_fault { "✗ " } else { "✓ " } }
                <button type="button" class="plain" onclick={form.on(move |_: MouseEvent| Writing::Show(part))}>{ format!("Step {}", finding.step) }</button>
                { format!(": {}{some}", finding.said) }
            </li>
        }
    };
    html! {
        <div data-testid="author-findings" class={classes!(stale.then_some("help"))}>
            <p><b>{ sum }</b></p>
            <ul class="aims">{ for findings.iter().map(one) }</ul>
        </div>
    }
}

/// Takes something from the bench.
fn take(form: Form, label: &str, what: Taken) -> Html {
    form.button(label, Writing::Take(what))
}
