//! The settled result beside the baseline: the headline, then the figures in a table.

mod axis;
mod table;

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::kernel::statistics::Interval;
use zvmlab::{Figure, Scenario};

use crate::feed::Feed;
use crate::msg::{Copying, Msg};
use crate::panels::limits::Limits;
use crate::panels::under_way::{UnderWay, use_newest};
use axis::HeadlineAxis;
use table::Table;
use zvmlab_lab::bench::axis::Headline;
use zvmlab_lab::bench::baseline;
use zvmlab_lab::bench::export::Format;
use zvmlab_lab::bench::figures::Known;
use zvmlab_lab::comparison::{Effect, Finding, Pair};
use zvmlab_lab::evidence::Settled;
use zvmlab_lab::host::moving;
use zvmlab_lab::knob::changes::changes;
use zvmlab_lab::knob::{Given, Knob};
use zvmlab_lab::room::Anchor;
use zvmlab_lab::rooms::{in_order, remark};
use zvmlab_lab::studies::STUDIES;
use zvmlab_lab::subjects::headline::shown;
use zvmlab_lab::subjects::lead::Lead;
use zvmlab_lab::subjects::{Remark, Subject};
use zvmlab_lab::words::number::{difference, half_width, number, value_of};
use zvmlab_lab::words::{settling, so_far, stop};

/// The id of the button that runs what was stopped.
pub const RUN_IT: &str = "run-it";

/// The data of the result.
#[derive(Clone, PartialEq, Properties)]
pub struct ResultProps {
    /// The last result.
    pub settled: Option<Rc<Settled>>,
    /// The result of the baseline, if it is another and known.
    pub before: Option<Rc<Settled>>,
    /// Whether the last result is that of the baseline.
    pub is_a: bool,
    /// Every figure of both.
    pub pairs: Vec<Pair>,
    /// Whether the reader declared the baseline.
    pub pinned: bool,
    /// Whether the experiment that the knobs ask for is running.
    pub busy: bool,
    /// Whether the knobs' scenario cannot be run.
    pub refused: bool,
    /// How many replications are wanted, and how many of them are known.
    pub replications: (u32, Known),
    /// How long the last experiment took, in words.
    pub took: Option<String>,
    /// The experiment under way.
    pub under_way: Rc<UnderWay>,
    /// Brings what is known of it later.
    pub feed: Feed<Rc<UnderWay>>,
    /// Whether the reader stopped it.
    pub stopped: bool,
    /// What the reader wanted on the clipboard last, and whether the browser copied it.
    pub copied: Option<(Copying, bool)>,
    /// Whether a lesson asks what limits, so that it is not said here.
    #[prop_or_default]
    pub hides_limit: bool,
    /// The effect of the recommendation that was followed, if any.
    pub effect: Option<String>,
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// Its subject.
    pub subject: &'static Subject,
    /// What was wanted, if the browser did not copy it.
    pub not_copied: Option<String>,
    /// Told what the reader does.
    pub on: Callback<Msg>,
}

/// The result.
#[component]
pub fn ResultPanel(props: &ResultProps) -> Html {
    let known = use_newest(&props.under_way, &props.feed);
    let newest = (known.number > props.under_way.number).then(|| ResultProps { under_way: known, ..props.clone() });
    let props = newest.as_ref().unwrap_or(props);
    // Figures first: what limits them stands below, in sight. Without any, the answer says why.
    let has_leads = has_early(props)
        || props.settled.as_ref().is_some_and(|settled| !shown(&settled.scenario, props.subject, &props.pairs).is_empty());
    html! {
        <section class={classes!("result", "card", props.refused.then_some("stale"), has_early(props).then_some("early"))} data-testid="result" aria-busy={props.busy.to_string()}
            aria-labelledby={Anchor::Result.id()}>
            <div class="card-head">
                <h2 id={Anchor::Result.id()} tabindex="-1">{ "Result" }</h2>
                { copies(props) }
                <span class="progress">{ progress(props) }</span>
            </div>
            if let Some(text) = &props.not_copied {
                <label class="link">{ "The browser does not let this page copy. Here it is: " }
                    <input type="text" readonly=true value={text.clone()} />
                </label>
            }
            if props.refused {
                <p class="problem">{ "This setting of the knobs cannot be run. The reason stands at the knob. This is the last result." }</p>
            }
            { steadiness(props) }
            { under_way(props) }
            if !has_leads { { answer(props) } }
            { headline(props) }
            if !props.hides_limit { { limits(props) } }
            if has_leads { { answer(props) } }
            { on_axis(props) }
            { remarks(props) }
            { minidisk_cache(props) }
            { compared(props) }
            if let Some(effect) = &props.effect {
                <p class="effect" data-testid="effect"><strong>{ effect }</strong></p>
            }
            { curves(props) }
            <Table settled={props.settled.clone()} before={props.before.clone()} pairs={props.pairs.clone()} scenario={props.scenario.clone()}
                subject={props.subject} on={props.on.clone()} />
            { actions(props) }
        </section>
    }
}

/// What the figures are good for, where the host was not steady after the warm-up that the scenario asks for.
fn steadiness(props: &ResultProps) -> Html {
    let said = props.settled.as_ref().and_then(|settled| settling::said(&settled.scenario, &settled.measurement));
    let Some(said) = said else { return Html::default() };
    let lever = props.settled.as_ref().and_then(|settled| settling::lever(&settled.scenario, &settled.measurement));
    let offer = lever.map(|lever| {
        let turn = |(path, group, next): (&str, usize, u64)| Some((Knob::at(path, group)?, Given::Number(next.to_string())));
        let turns: Vec<(Knob, Given)> = lever.turns.into_iter().filter_map(turn).collect();
        let press = props.on.reform(move |_: MouseEvent| Msg::TurnTogether { turns: turns.clone(), done: true });
        html! { <>{ " " }<button type="button" onclick={press}>{ lever.words }</button></> }
    });
    html! { <p class={if said.is_warning { "problem" } else { "help" }} data-testid="steadiness">{ said.words }{ offer }</p> }
}

/// The experiment that is running, or the time of the result.
fn progress(props: &ResultProps) -> Option<String> {
    let (wanted, known) = props.replications;
    match &props.settled {
        _ if props.busy && props.under_way.so_far.is_none() => Some("Running…".into()),
        _ if props.busy || props.stopped => None,
        // The result is then that of one run.
        _ if wanted < 2 || props.refused => props.took.clone(),
        Some(settled) => {
            let all = || format!("{wanted} × {:.0} simulated s", settled.measurement.to_s);
            Some(known.still_coming(wanted).map_or_else(all, |still| still + "…"))
        }
        None => None,
    }
}

/// How far the experiment under way is, with its first figure so far, and the way to stop it.
fn under_way(props: &ResultProps) -> Html {
    if props.stopped {
        return html! {
            <p class="run-progress" role="status">
                { "Stopped. " }
                { props.under_way.so_far.as_ref().map(|so_far| format!("{}. ", so_far::said(&so_far.progress, None))) }
                { props.settled.is_some().then_some("This is the last result. ") }
                <button type="button" id={RUN_IT} onclick={props.on.reform(|_| Msg::GoOnRun)}>{ "Go on" }</button>
            </p>
        };
    }
    let Some(so_far) = props.under_way.so_far.as_ref().filter(|_| props.busy) else { return Html::default() };
    let part = so_far::part(&so_far.progress).map(|part| format!("{part:.3}"));
    html! {
        <div class="run-progress">
            <label for="run-progress">{ so_far::said(&so_far.progress, so_far.left_ms) }</label>
            <progress id="run-progress" value={part} max="1" />
            <button type="button" onclick={props.on.reform(|_| Msg::StopRun)}>{ "Stop" }</button>
        </div>
    }
}

/// The answer in a sentence, if guests are relocated.
fn answer(props: &ResultProps) -> Html {
    let answer = props.settled.as_deref().and_then(Settled::answer);
    let Some(answer) = answer else { return Html::default() };
    html! { <p class="answer" data-testid="answer">{ answer }</p> }
}

/// Whether the main figures are those of the experiment under way.
fn has_early(props: &ResultProps) -> bool {
    props.under_way.early.as_ref().is_some_and(|early| !shown(&props.scenario, props.subject, early).is_empty())
}

/// The main figures of the experiment under way, each with its interval: rough first, then sharper, until the result takes their place.
fn early(props: &ResultProps, pairs: &[Pair]) -> Html {
    let leads = shown(&props.scenario, props.subject, pairs);
    let lead = |(lead, pair): &(Lead, &Pair)| {
        let interval =
            pair.interval.filter(|interval| interval.high > interval.mean).map(|Interval { mean, high, .. }| {
                // Half of an interval that is wider than its figure would reach below zero.
                let half = high - mean;
                if half < mean { format!("±\u{a0}{}", half_width(half)) } else { format!("0 to {}", half_width(high)) }
            });
        html! {
            <p class="headline" key={lead.figure.id()}>
                <span class="big" data-testid={format!("early-{}", lead.figure.id())}>{ value_of(pair.figure, pair.now) }</span>
                if let Some(interval) = interval { <span class="delta half">{ interval }</span> }
                <span class="words">
                    { lead.words.clone() }
                    if pair.before.is_some() { { format!("; A {}", value_of(pair.figure, pair.before)) } }
                </span>
            </p>
        }
    };
    let layout = match leads.len() {
        1 => None,
        2 | 4 => Some("several two"),
        _ => Some("several"),
    };
    let has_intervals = leads.iter().any(|(_, pair)| pair.interval.is_some());
    html! {
        <>
            <div class={classes!("headlines", layout)}>{ for leads.iter().map(lead) }</div>
            <p class="help so-far" data-testid="so-far">{ so_far::first_figures(props.under_way.warms, has_intervals) }if props.settled.is_some() { { " Below stands the last result." } }</p>
        </>
    }
}

/// The figures that matter most: one large, or several beside each other.
fn headline(props: &ResultProps) -> Html {
    if let Some(pairs) = props.under_way.early.as_ref().filter(|_| has_early(props)) {
        return early(props, pairs);
    }
    let leads =
        props.settled.as_ref().map(|settled| shown(&settled.scenario, props.subject, &props.pairs)).unwrap_or_default();
    if leads.is_empty() {
        return match &props.settled {
            // The sentence above gives the reason.
            Some(settled) if settled.snapshot.cluster.is_some() => Html::default(),
            Some(_) => {
                html! { <p class="headline"><span class="big">{ "…" }</span>{ " This run has none of its main figures." }</p> }
            }
            None => first_run(props),
        };
    }
    let counted = counted(props);
    // Four figures stand two by two: above, the throughput of both claimants; below, the aliases that they hold.
    let layout = match leads.len() + usize::from(counted.is_some()) {
        1 => None,
        2 | 4 => Some("several two"),
        _ => Some("several"),
    };
    let lead = |(lead, pair): &(Lead, &Pair)| {
        let change = pair.before.zip(pair.now).and_then(|(before, now)| difference(before, now));
        html! {
            <p class="headline" key={lead.figure.id()}>
                <span class="big" data-testid={format!("figure-{}", lead.figure.id())} data-value={pair.now.map(|value| value.to_string())}>
                    { value_of(pair.figure, pair.now) }
                </span>
                if let Some(change) = change {
                    <span class={classes!("delta", effect(pair))}>{ change }</span>
                }
                <span class="words">
                    { lead.words.clone() }
                    if pair.before.is_some_and(|before| Some(before) != pair.now) { { format!("; A {}", value_of(pair.figure, pair.before)) } }
                </span>
            </p>
        }
    };
    html! { <div class={classes!("headlines", layout)}>{ counted }{ for leads.iter().map(lead) }</div> }
}

/// The first of the main figures on one axis with that of A and what IBM measured.
fn on_axis(props: &ResultProps) -> Html {
    let Some(settled) = &props.settled else { return Html::default() };
    let leads = shown(&settled.scenario, props.subject, &props.pairs);
    let first = leads.first().and_then(|(_, pair)| Headline::of(pair, &settled.scenario, props.is_a));
    first.map(|headline| html! { <HeadlineAxis {headline} /> }).unwrap_or_default()
}

/// What limits the host.
fn limits(props: &ResultProps) -> Html {
    let Some(settled) = &props.settled else { return Html::default() };
    let rooms = in_order(&settled.scenario, props.subject, Some(&settled.snapshot));
    let a = props.before.as_ref().map(|before| before.limits.clone());
    let lever = stop::lever(&settled.scenario, &settled.snapshot, &settled.limits);
    html! { <Limits limits={settled.limits.clone()} {a} {rooms} stop={stop::why(&settled.snapshot)} {lever} on={props.on.clone()} /> }
}

/// The words in place of the first result: how much there is to do, because the run of a large host takes a while.
fn first_run(props: &ResultProps) -> Html {
    if props.under_way.so_far.is_some() || has_early(props) || props.stopped {
        return Html::default();
    }
    if !props.busy {
        return html! { <p class="headline"><span class="big">{ "…" }</span></p> };
    }
    let Scenario { guests, measure, .. } = &*props.scenario;
    let count: u32 = guests.iter().map(|group| group.count).sum();
    let until = if moving(&props.scenario) > 0 { ", or until all relocations have ended," } else { "," };
    let words = format!(
        "The first experiment runs: {count} {} for {} simulated seconds{until} once each has touched all of its loop. Large hosts take some seconds.",
        if count == 1 { "guest" } else { "guests" },
        measure.warmup_s + measure.interval_s
    );
    html! { <p class="first-run"><label for="first-run">{ words }</label>{ " " }<progress id="first-run" /></p> }
}

/// A count at the end of the run, with that of the baseline.
fn counted(props: &ResultProps) -> Option<Html> {
    let count = |settled: &Settled| (props.subject.particulars.count)(&settled.scenario, &settled.snapshot);
    let (now, words) = count(props.settled.as_ref()?)?;
    let before = props.before.as_ref().and_then(|before| count(before));
    let before = before.map(|(before, _)| before).filter(|before| *before != now);
    Some(html! {
        <p class="headline" key="behind-vary">
            <span class="big" data-testid="behind-vary">{ now }</span>
            if let Some(before) = before { <span class="delta">{ format!("A: {before}") }</span> }
            <span class="words">{ words }</span>
        </p>
    })
}

/// What the figures alone do not show: why guests wait, and a known difference of the model.
fn remarks(props: &ResultProps) -> Html {
    let Some((settled, remark)) = props.settled.as_ref().zip(props.subject.particulars.remark) else {
        return Html::default();
    };
    let class = match remark {
        Remark::WhoWaits => "why-waits",
        Remark::FastPath => "help cp-time",
    };
    remark::said(remark, settled, props.before.as_deref()).map(|said| html! { <p {class}>{ said }</p> }).unwrap_or_default()
}

/// The class of a difference. Its sign tells it apart, and its colour for readers who see it.
fn effect(pair: &Pair) -> Option<&'static str> {
    match pair.effect() {
        Effect::Better => Some("better"),
        Effect::Worse => Some("worse"),
        Effect::Neutral => None,
    }
}

/// The baseline, what differs from it, and whether chance could explain the difference.
fn compared(props: &ResultProps) -> Html {
    let Some(settled) = &props.settled else {
        return html! { <p class="compared">{ "Turn a knob: each result is compared with A, the host as you opened it." }</p> };
    };
    let Some(before) = &props.before else {
        let words = match props.is_a {
            false => "A, the host to compare with, is still to be run.".into(),
            true => format!("This is A, {}. Turn a knob: each result is compared with A.", a_name(props, settled)),
        };
        return html! { <p class="compared" data-testid="compared">{ words }</p> };
    };
    let mut changed = changes(&before.scenario, &settled.scenario);
    // Replications have the same seeds on both sides, unless only the seed was changed.
    if before.seed != settled.seed && (props.replications.0 < 2 || changed.is_empty()) {
        changed.push(format!("seed {} → {}", before.seed, settled.seed));
    }
    let what = if changed.is_empty() { "the same settings".to_string() } else { changed.join(" · ") };
    html! {
        <p class="compared" data-testid="compared">
            { format!("Compared with A, {}: ", a_name(props, before)) }
            <strong>{ what }</strong>
            { chance(props, &shown(&settled.scenario, props.subject, &props.pairs)) }
        </p>
    }
}

/// The name of the baseline, which has this result.
fn a_name(props: &ResultProps, a: &Settled) -> String {
    baseline::named(&a.scenario.name, props.pinned)
}

/// Whether chance could explain the difference in the first main figure. Replications show it, when all are in.
fn chance(props: &ResultProps, leads: &[(Lead, &Pair)]) -> String {
    let Some((lead, pair)) = leads.first() else { return String::new() };
    if pair.is_waiting() {
        let (asked, known) = props.replications;
        return known.still_coming(asked).map_or(".".into(), |still| format!(". No verdict yet: {still}."));
    }
    let what = format!("{}, {}", lead.figure.label(), lead.figure.unit());
    match (pair.finding(), pair.difference) {
        (Finding::NotDistinguishable, Some(interval)) => format!(
            ". The two are not distinguishable ({what}): the 95 % interval of the difference, {} to {}, contains zero.",
            number(interval.low),
            number(interval.high)
        ),
        (Finding::Distinguishable, Some(interval)) => format!(
            ". The two differ by {} to {} ({what}; 95 % interval, same seeds on both sides).",
            number(interval.low),
            number(interval.high)
        ),
        _ => String::new(),
    }
}

/// The way to the curves of the subject, below the figures.
fn curves(props: &ResultProps) -> Html {
    let of_subject = STUDIES.iter().find(|kind| kind.subjects.first() == Some(&props.subject));
    let Some((kind, words)) = of_subject.and_then(|kind| Some((kind, kind.link?))) else {
        return Html::default();
    };
    if props.settled.as_ref().is_none_or(|settled| kind.lacking(&settled.scenario).is_some()) {
        return Html::default();
    }
    let room = Anchor::Room(kind.room);
    html! {
            <p class="curves"><button type="button" data-testid="curves" onclick={props.on.reform(move |_| Msg::GoTo(room))}>{ words }</button></p>
    }
}

/// Whether the minidisk cache serves the guests' minidisks, if the host has one.
fn minidisk_cache(props: &ResultProps) -> Html {
    let Some(settled) = &props.settled else { return Html::default() };
    let hits = |settled: &Settled| settled.measurement.get(Figure::MdcHitPercent);
    let mdc = &settled.snapshot.minidisks.mdc;
    let off = mdc.minidisks_disabled;
    let before = props.before.as_ref().and_then(|before| hits(before)).filter(|_| hits(settled).is_none());
    html! {
        <>
            if off > 0 {
                <p class="mdc off" data-testid="mdc-off">
                    <strong>{ format!("Minidisk cache: off for {} (Disabled by Transport Mode I/O).", minidisks(off)) }</strong>
                    if let Some(before) = before {
                        { format!(" In A it served {} % of the reads that asked it. Now each read goes to a volume.", number(before)) }
                    }
                </p>
            }
            if mdc.minidisks_on > 0 {
                <p class="mdc">
                    { format!("Minidisk cache: on for {}", minidisks(mdc.minidisks_on)) }
                    if let Some(hits) = hits(settled) { { format!("; it served {} % of the reads that asked it", number(hits)) } }
                    { "." }
                </p>
            }
        </>
    }
}

fn minidisks(count: u32) -> String {
    format!("{count} {}", if count == 1 { "minidisk" } else { "minidisks" })
}

/// The buttons that copy the link to this host and the code of its frame.
fn copies(props: &ResultProps) -> Html {
    let copied = |what: Copying| props.copied == Some((what, true));
    let copy = |what: Copying, name: &'static str, done: &'static str, title: &'static str| {
        let press = props.on.reform(move |_: MouseEvent| Msg::Copy(what));
        // Both words are there, so that the button keeps its width and none beside it moves away.
        let word = |word: &'static str, seen: bool| html! { <span class={(!seen).then_some("unseen")}>{ word }</span> };
        html! { <button type="button" class="plain copies" onclick={press} {title}>{ word(name, !copied(what)) }{ word(done, copied(what)) }</button> }
    };
    html! {
        <>
            { copy(Copying::Link, "Copy link", "Copied", "The address that opens this host, with the knobs as they are now") }
            { copy(Copying::Frame, "Copy embed code", "Copied", "A frame that shows this host, with the knobs as they are now, in another page, for instance in a course") }
            <span role="status" class="hidden">{ if props.copied.is_some_and(|(_, copied)| copied) { "Copied." } else { "" } }</span>
        </>
    }
}

fn actions(props: &ResultProps) -> Html {
    let save = |format: Format| props.on.reform(move |_: MouseEvent| Msg::Download(format));
    html! {
        <div class="actions">
            <button type="button" data-testid="compare-from-here" onclick={props.on.reform(|_| Msg::Pin)}
                title="Pins this result as A. Every result is then compared with it.">{ "Compare from here" }</button>
            if props.pinned {
                <button type="button" data-testid="unpin" onclick={props.on.reform(|_| Msg::TogglePin)}
                    title="Compares with the host as you opened it again">{ "Unpin A" }</button>
            }
            <span class="save">
                { "Save " }
                <button type="button" onclick={save(Format::Csv)}>{ "CSV" }</button>
                <button type="button" onclick={save(Format::Json)}>{ "JSON" }</button>
                <button type="button" onclick={save(Format::Scenario)}>{ "Scenario" }</button>
            </span>
        </div>
    }
}
