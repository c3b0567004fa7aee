//! Everything that happens on the page.

use web_sys::MessageEvent;
use zvmlab::{Figure, Scenario};

use crate::workers::Heard;
use zvmlab_lab::batch::sweep::form::Bound;
use zvmlab_lab::bench::export::Format;
use zvmlab_lab::knob::{Given, Knob};
use zvmlab_lab::lesson::draft::Act as DraftAct;
use zvmlab_lab::lesson::play::Did;
use zvmlab_lab::machine::build::Act;
use zvmlab_lab::room::Anchor;
use zvmlab_lab::subjects::next_step::NextStep;

/// An event. If the reader did it, it is named by what the reader did.
#[derive(Clone, Debug)]
pub enum Msg {
    /// Turned a knob; `done` is false while it is dragged.
    TurnKnob {
        /// Which knob.
        knob: Knob,
        /// Its new value.
        given: Given,
        /// Whether the reader let go of it.
        done: bool,
    },
    /// Changed everything that the level does not allow so that it fits, at the level.
    FitLevel(Vec<(Knob, Given)>),
    /// The page in a frame became higher or lower.
    Grew,
    /// Entered a command of CP.
    Command(String),
    /// Turned several knobs as one; `done` is false while one is dragged.
    TurnTogether {
        /// Which knobs, with their new values.
        turns: Vec<(Knob, Given)>,
        /// Whether the reader let go.
        done: bool,
    },
    /// Added a part in the picture, or took one away.
    Build(Act),
    /// Asked for another group of guests, like the one at this place.
    AddGuests(usize),
    /// Asked for a guest of this kind, by its place among the templates.
    AddKind(usize),
    /// Begins a host anew, from the template at this place.
    BeginHost(usize),
    /// Asked to remove the group of guests at this place.
    RemoveGuests(usize),
    /// Chose a ready experiment.
    ChooseRun(String),
    /// Has not moved the knob in hand for a while.
    Rest,
    /// Opened a file.
    OpenFile {
        /// Its name.
        file: String,
        /// What is in it, or why it cannot be read.
        text: Result<String, String>,
    },
    /// Wrote the host on the bench as text.
    PutScenario(Box<Scenario>),
    /// Did something with the hosts on this device.
    Shelve(Shelving),
    /// Wrote another seed.
    ChangeSeed(String),
    /// Took the step on offer.
    TakeStep(NextStep),
    /// Returned to the chosen experiment.
    Reset,
    /// Compares from here: the result shown becomes the baseline.
    Pin,
    /// The same; if there is a baseline that the reader declared, takes it back.
    TogglePin,
    /// Chose a number of replications.
    Replicate(u32),
    /// Opened or closed the further knobs.
    ShowMore(bool),
    /// Did something in the lesson.
    Learn(Did),
    /// Closed the lesson.
    LeaveLesson,
    /// The text of a lesson has come, or why it has not; with the step at which it opens, and whether that step puts its host on the bench.
    HearLesson {
        /// The lesson.
        id: String,
        /// The step, from 0; none for where it was left.
        step: Option<usize>,
        /// Whether the step puts its host on the bench.
        enters: bool,
        /// The text, or why there is none.
        text: Result<String, String>,
    },
    /// Did something at the form in which a lesson is written.
    Write(Writing),
    /// Opened a part of the machine: its room, and its knobs alone.
    OpenPart(Anchor, Only),
    /// Wants all knobs again.
    ShowAllKnobs,
    /// Went to a place of the page.
    GoTo(Anchor),
    /// Is there: has moved, pressed or turned something, and the functions have come that a first visit does without.
    Arrive,
    /// Asked a study for an answer. The address then holds the question.
    Ask(&'static str),
    /// Wants no guest stopped for longer, in s; `None` if that does not matter.
    Want(Option<f64>),
    /// Asked for the published runs: those of this source, or all.
    Validate(Option<String>),
    /// Took the last step back.
    Undo,
    /// Did again what was taken back last.
    Redo,
    /// Asked for the effect of a rule of best practice: this host, with the present one to compare.
    Follow(Box<Scenario>),
    /// Did something at the sweep.
    Sweep(Sweeping),
    /// The first result is there, so the machine may begin to move.
    Watch,
    /// Started the live run, continued it, or paused it.
    ToggleRun,
    /// Asked for one event.
    Step,
    /// Went to an instant of the live run, in simulated nanoseconds.
    GoToTime(u64),
    /// Ended the live run.
    EndLive,
    /// Chose a speed.
    ChangeSpeed(f64),
    /// Asked for the link on the clipboard, or for the code that embeds the page.
    Copy(Copying),
    /// The browser copied it, or did not.
    Copied(Copying, bool),
    /// Asked for a file.
    Download(Format),
    /// Removed a notice.
    Dismiss(usize),
    /// Wants no more of the experiment under way.
    StopRun,
    /// Wants the experiment that was stopped to go on.
    GoOnRun,
    /// Asked for another try after failures.
    TryAgain,
    /// Opened a sheet of the phone's page, or closed the open one.
    ShowSheet(Option<Sheet>),
    /// Opened or closed the list of shortcuts.
    ShowShortcuts(bool),
    /// Switched the shortcuts on or off.
    UseShortcuts(bool),
    /// Pressed a key outside of any field.
    PressKey(String),
    /// Opened another link in this page.
    ChangeAddress,
    /// The worker of experiments has a message.
    HearExperiment(u64, Heard),
    /// An outdated experiment may have run for too long.
    LookAgain,
    /// The worker of the live run has a message.
    HearLive(u64, Heard),
    /// The live run is due.
    Tick,
    /// The announcement for screen readers is due.
    Announce,
    /// The parent page has sent a message.
    HearParent(MessageEvent),
}

/// What the reader did with the hosts on this device. Hosts are known by their names.
#[derive(Clone, Debug)]
pub enum Shelving {
    /// Saved the host on the bench under this name.
    Save(String),
    /// Opened one.
    Open(String),
    /// Gave one another name.
    Rename(String, String),
    /// Made a copy of one.
    Duplicate(String),
    /// Deleted one.
    Delete(String),
    /// Took the last of these back.
    Undo,
    /// Asked for a file of all of them.
    Export,
}

/// What a teacher does at the form of a lesson. Steps are counted from 0.
#[derive(Clone, Debug)]
pub enum Writing {
    /// Opened it.
    Begin,
    /// Began a new lesson about the host on the bench.
    New,
    /// Asked for a copy of a lesson of the laboratory.
    Copy(String),
    /// A file has come, or why it has not.
    Read {
        /// Its name.
        file: String,
        /// What is in it.
        text: Result<String, String>,
        /// Whether it becomes a lesson of its own.
        is_copy: bool,
    },
    /// Wrote something.
    Did(DraftAct),
    /// Opened a part of the form.
    Show(Part),
    /// Took something from the bench.
    Take(Taken),
    /// Put the host of a step on the bench.
    PutHost(usize),
    /// Plays the lesson from this step on.
    Play(usize),
    /// Tries the lesson: all its ways, with several seeds.
    Try,
    /// Wants no more of the trial.
    StopTrying,
    /// Took the last change back.
    Undo,
    /// Asked for the file.
    Save,
    /// Closed the form.
    Close,
}

/// A part of the form of a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The lesson itself.
    Head,
    /// What only teachers see.
    Teacher,
    /// A step.
    Step(usize),
    /// None.
    None,
}

impl Part {
    /// The id of its head in the page.
    pub fn id(self) -> String {
        match self {
            Part::Head => "author-head".into(),
            Part::Teacher => "author-teacher".into(),
            Part::Step(at) => format!("author-step-{at}"),
            Part::None => "author".into(),
        }
    }
}

/// What is taken from the bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// Its published run or example, as the lesson's host.
    Host,
    /// Its settings, for a step and those after it.
    Set(usize),
    /// What was turned on it, as the change that a step predicts.
    Turn(usize),
    /// The same, as a way to the aim of a step.
    Way(usize),
}

/// What is copied to the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copying {
    /// The link that opens the scenario on the bench.
    Link,
    /// A frame for another page, which shows it.
    Frame,
}

/// A part of the page that a phone shows as a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// All knobs, from below.
    Knobs,
    /// The outcome, under its strip.
    Outcome,
}

/// What the reader did at the sweep.
#[derive(Clone, Debug)]
pub enum Sweeping {
    /// Chose a knob.
    Choose(String),
    /// Entered a bound or the step.
    Give(Bound, String),
    /// Asked for the curve over the knob that the subject turns.
    Draw,
    /// Started the sweep.
    Start,
    /// Stopped the sweep.
    Stop,
    /// Chose a figure.
    Show(Figure),
}

/// The part whose knobs alone are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Only {
    /// Its name.
    pub name: String,
    /// The ids of its groups of knobs.
    pub groups: Vec<String>,
}
