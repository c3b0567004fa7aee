//! The strip of a phone: the main figure with its change and what limits, always in sight. It opens the outcome.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab::Scenario;
use zvmlab_lab::comparison::Pair;
use zvmlab_lab::evidence::Settled;
use zvmlab_lab::subjects::Subject;
use zvmlab_lab::subjects::headline::{most_changed_first, shown};
use zvmlab_lab::subjects::lead::Lead;
use zvmlab_lab::words::limit;
use zvmlab_lab::words::number::{difference, value_of};

use super::under_way::{UnderWay, use_newest};
use crate::feed::Feed;

/// Most figures in the strip. A phone shows the first.
const STRIP_MAX: usize = 2;

/// The data of the strip.
#[derive(Clone, PartialEq, Properties)]
pub struct StripProps {
    /// Its id.
    pub id: &'static str,
    /// The last result.
    pub settled: Option<Rc<Settled>>,
    /// Every figure of it and of the baseline.
    pub pairs: Vec<Pair>,
    /// The experiment under way.
    pub under_way: Rc<UnderWay>,
    /// Brings what is known of it later.
    pub feed: Feed<Rc<UnderWay>>,
    /// The scenario on the bench.
    pub scenario: Rc<Scenario>,
    /// Its subject.
    pub subject: &'static Subject,
    /// Whether the knobs' scenario cannot be run.
    pub stale: bool,
    /// Whether the outcome is open.
    pub open: bool,
    /// Whether a lesson asks what limits, so that it is not said here.
    pub hides_limit: bool,
    /// Told that the strip was pressed.
    pub press: Callback<MouseEvent>,
}

/// The strip.
#[component]
pub fn Strip(props: &StripProps) -> Html {
    let under_way = use_newest(&props.under_way, &props.feed);
    let has_figures = |early: &&Vec<Pair>| !shown(&props.scenario, props.subject, early).is_empty();
    let early = under_way.early.as_ref().filter(has_figures);
    let settled = props.settled.as_ref();
    let scenario = settled.filter(|_| early.is_none()).map_or(&*props.scenario, |settled| &settled.scenario);
    let mut leads = shown(scenario, props.subject, early.unwrap_or(&props.pairs));
    if props.subject.particulars.most_changed_first {
        most_changed_first(&mut leads);
    }
    leads.truncate(STRIP_MAX);
    let about = early.map(|_| "≈\u{a0}");
    let lead = |(lead, pair): &(Lead, &Pair)| {
        // What has been counted so far is no match for a whole run.
        let change = pair.before.zip(pair.now).filter(|_| early.is_none()).and_then(|(before, now)| difference(before, now));
        html! {
            <span class="lead-figure">
                <b>{ about }{ value_of(pair.figure, pair.now) }</b>{ " " }<span class="unit">{ lead.short.clone() }</span>{ " " }<b>{ change }</b>
            </span>
        }
    };
    html! {
        <button type="button" id={props.id} class={classes!("strip", props.stale.then_some("stale"))}
            aria-expanded={props.open.to_string()} aria-controls="outcome" onclick={props.press.clone()}>
            <span class="hidden">{ "Outcome: " }</span>
            if props.stale { <span>{ "last" }</span> }
            if leads.is_empty() { <span class="lead-figure">{ "…" }</span> }
            { for leads.iter().map(lead) }{ " " }
            if let Some(settled) = settled.filter(|_| !props.hides_limit && early.is_none()) { <span class="limit">{ limit::short(&settled.limits) }</span> }
        </button>
    }
}
