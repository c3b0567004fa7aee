//! The sheets of a phone: knobs from below, the outcome under its strip. Wider pages show both beside the machine.

use std::rc::Rc;

use yew::prelude::*;
use zvmlab_lab::room::Anchor;
use zvmlab_lab::subjects::brief::brief;
use zvmlab_lab::subjects::next_step::Next;

use super::App;
use crate::chart::in_pieces;
use crate::msg::{Msg, Sheet};
use crate::page;
use crate::panels::strip::Strip;

impl Sheet {
    /// The id of the button that opens it.
    const fn opener(self) -> &'static str {
        match self {
            Sheet::Knobs => "knobs-bar",
            Sheet::Outcome => "strip",
        }
    }

    /// The id of its head.
    pub(super) const fn head(self) -> &'static str {
        match self {
            Sheet::Knobs => "knobs-head",
            Sheet::Outcome => "outcome-head",
        }
    }
}

impl App {
    /// Opens a sheet, or closes the open one. The focus goes into it, and back to its button. Where the page is no phone's, what is in
    /// sheets is in sight or below, and the page goes to it.
    pub(super) fn show_sheet(&mut self, sheet: Option<Sheet>) {
        if !page::is_phone() {
            self.screen.sheet = None;
            let to = sheet.map(|sheet| if sheet == Sheet::Knobs { "knobs" } else { Anchor::Result.id() });
            return to.into_iter().for_each(page::go_to);
        }
        let before = std::mem::replace(&mut self.screen.sheet, sheet);
        match (before, sheet) {
            (_, Some(sheet)) => page::focus(sheet.head()),
            (Some(before), None) => page::focus(before.opener()),
            (None, None) => {}
        }
    }

    /// The reader goes elsewhere: to a place in a sheet, which opens, or to one behind it.
    pub(super) fn leave_sheet(&mut self, to: Anchor) {
        self.screen.sheet = (to == Anchor::Result && page::is_phone()).then_some(Sheet::Outcome);
    }

    /// Escape closes the open sheet.
    pub(super) fn closes_sheet(&self) -> Option<Callback<KeyboardEvent>> {
        let on = self.on.clone();
        self.screen.sheet.map(|_| {
            Callback::from(move |event: KeyboardEvent| {
                if event.key() == "Escape" {
                    on.emit(Msg::ShowSheet(None));
                }
            })
        })
    }

    /// The class of a sheet.
    pub(super) fn openness(&self, sheet: Sheet) -> Option<&'static str> {
        (self.screen.sheet == Some(sheet)).then_some("open")
    }

    /// What a button does to its sheet.
    fn toggle(&self, sheet: Sheet) -> Callback<MouseEvent> {
        let wanted = (self.screen.sheet != Some(sheet)).then_some(sheet);
        self.on.reform(move |_| Msg::ShowSheet(wanted))
    }

    /// The main figure with its change and what limits, always in sight on a phone. It opens the outcome.
    pub(super) fn strip(&self) -> Html {
        html! {
            <Strip id={Sheet::Outcome.opener()} settled={self.bench.settled.clone()} pairs={self.bench.pairs()}
                under_way={self.under_way()} feed={self.outcome.clone()} scenario={Rc::new(self.bench.scenario.clone())}
                subject={self.subject()} stale={!self.bench.problems.is_empty()} open={self.screen.sheet == Some(Sheet::Outcome)}
                hides_limit={self.lessons.open.as_ref().is_some_and(|play| play.hides_limit())} press={self.toggle(Sheet::Outcome)} />
        }
    }

    /// The foot of a phone: the main knobs with their values, which open all knobs, and the next step.
    pub(super) fn dock(&self) -> Html {
        let next = Next::of(&self.bench.scenario, self.subject(), self.bench.run.as_deref(), self.limits().as_deref());
        let open = self.screen.sheet == Some(Sheet::Knobs);
        html! {
            <div class="dock" role="group" aria-label="Knobs and next step">
                <button type="button" id={Sheet::Knobs.opener()} class="knobs-bar" aria-expanded={open.to_string()} aria-controls="knobs"
                    onclick={self.toggle(Sheet::Knobs)}>
                    <span class="pieces"><b>{ "Knobs" }</b>{ ": " }{ in_pieces(&brief(self.subject(), &self.bench.scenario)) }</span>
                </button>
                if let Next::Step(step) = next && self.lessons.open.is_none() {
                    <button type="button" class="primary" data-testid="dock-step"
                        onclick={let step = step.clone(); self.on.reform(move |_: MouseEvent| Msg::TakeStep(step.clone()))}>
                        { step.label().to_string() }
                    </button>
                }
            </div>
        }
    }
}
