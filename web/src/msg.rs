//! Everything that happens on the page.

use web_sys::MessageEvent;
use zvmlab::{Figure, Scenario};

use crate::workers::Heard;
use zvmlab_lab::batch::sweep::form::Bound;
use zvmlab_lab::bench::export::Format;
use zvmlab_lab::knob::{Given, Knob};
use zvmlab_lab::room::Anchor;
use zvmlab_lab::subjects::next_step::NextStep;

/// What happened, named by what the reader did where it was the reader.
#[derive(Clone, Debug)]
pub enum Msg {
    /// Turned a knob; `done` is false while it is dragged.
    TurnKnob {
        /// Which one.
        knob: Knob,
        /// To what.
        given: Given,
        /// Whether it was let go of.
        done: bool,
    },
    /// Made what the level does not allow fit it, at the level.
    FitLevel(Vec<(Knob, Given)>),
    /// Turned knobs that belong together; `done` is false while one is dragged.
    TurnTogether {
        /// Which ones, and to what.
        turns: Vec<(Knob, Given)>,
        /// Whether it was let go of.
        done: bool,
    },
    /// Wanted another group of guests, like the one at this place.
    AddGuests(usize),
    /// Wanted the group of guests at this place away.
    RemoveGuests(usize),
    /// Chose a ready experiment.
    ChooseRun(String),
    /// Has not moved the knob in hand for a while.
    Rest,
    /// Opened a scenario's file.
    OpenScenario {
        /// What the file is called.
        file: String,
        /// What is in it.
        text: String,
    },
    /// Wrote another seed.
    ChangeSeed(String),
    /// Took the step that was offered.
    TakeStep(NextStep),
    /// Went back to the chosen experiment.
    Reset,
    /// Pinned the result, or let it go.
    TogglePin,
    /// Chose a number of replications.
    Replicate(u32),
    /// Opened or closed the further knobs.
    ShowMore(bool),
    /// Went to a place of the page.
    GoTo(Anchor),
    /// Asked a study for an answer, which the address holds from then on.
    Ask(&'static str),
    /// Wanted the published runs to be run: those of this source, or all.
    Validate(Option<String>),
    /// Wanted to see what a rule of best practice does: this host, beside the present one.
    Follow(Box<Scenario>),
    /// Did something at the sweep.
    Sweep(Sweeping),
    /// Started the live run, let it go on, or paused it.
    ToggleRun,
    /// Wanted one event.
    Step,
    /// Ended the live run.
    EndLive,
    /// Chose a speed.
    ChangeSpeed(f64),
    /// Wanted the link on the clipboard.
    CopyLink,
    /// The browser has copied it, or has not.
    Copied(bool),
    /// Wanted a file.
    Download(Format),
    /// Put a notice away.
    Dismiss(usize),
    /// Wanted another try after failures.
    TryAgain,
    /// Opened or closed the list of shortcuts.
    ShowShortcuts(bool),
    /// Switched the shortcuts on or off.
    UseShortcuts(bool),
    /// Pressed a key outside of any field.
    PressKey(String),
    /// Opened another link in this page.
    ChangeAddress,
    /// The worker of experiments has said something.
    HearExperiment(u64, Heard),
    /// An experiment that is outdated may have run for too long.
    LookAgain,
    /// The worker of the live run has said something.
    HearLive(u64, Heard),
    /// The live run is due.
    Tick,
    /// The message that those who listen should hear is due.
    Announce,
    /// The parent page has said something.
    HearParent(MessageEvent),
}

/// What the reader did at the sweep.
#[derive(Clone, Debug)]
pub enum Sweeping {
    /// Chose a knob.
    Choose(String),
    /// Gave a bound or the step.
    Give(Bound, String),
    /// Wanted it.
    Start,
    /// Wanted it no longer.
    Stop,
    /// Chose a figure.
    Show(Figure),
}
