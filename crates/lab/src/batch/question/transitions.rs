//! The question how much work MEMBER1 loses to members that come and go.

use zvmlab::{Figure, Scenario};

use super::{Answer, Question};
use crate::batch::RunState;
use crate::batch::sheet::{Cell, Sheet};
use crate::batch::trials::{NewTrial, Trial, Trials};
use crate::host::transits;
use crate::words::number::difference;

/// Members that come and go, compared with members that stay joined.
pub static TRANSITIONS: &Question = &Question {
    id: "transitions",
    label: "Members that come and go",
    title: "Members that come and go, or all of them joined: what does MEMBER1 lose?",
    of_relocation: false,
    first: |base| (!base.relocates()).then_some(0),
    lacking: |base| (!transits(base)).then_some("no member comes and goes"),
    made,
    answer: Answer::Tables { told, sheets: &[(sheet, "Members")] },
    not_published: "IBM measured four members, three of which went through the states all the time (6.2 deck, SSI Transition Measurement); what came of it is lost. No figure is published here.",
};

/// The host as it is, and the same host with members that stay joined.
fn made(base: &Scenario) -> Vec<NewTrial> {
    let mut joined = base.clone();
    for member in [&mut joined.member2, &mut joined.member3, &mut joined.member4] {
        member.transitions = false;
    }
    let made = |name: &str, x: f64, scenario: Scenario| NewTrial { name: name.into(), x, scenario };
    vec![made("Members come and go", 0.0, base.clone()), made("All stay joined", 1.0, joined)]
}

/// How much work MEMBER1 loses to members that come and go, in a sentence.
fn told(trials: &Trials) -> Vec<String> {
    let etr = |at: usize| trials.runs.get(at).and_then(Trial::known).and_then(|moved| moved.measurement.get(Figure::Etr));
    let Some((with, without)) = etr(0).zip(etr(1)) else { return Vec::new() };
    let unit = Figure::Etr.unit();
    let differs = difference(without, with).map_or(String::new(), |differs| format!(" ({differs})"));
    vec![format!(
        "ETR at MEMBER1 is {with:.1} {unit} while members come and go, and {without:.1} when all stay joined{differs}."
    )]
}

/// The table of both runs, for MEMBER1.
fn sheet(trials: &Trials) -> Sheet {
    let figures = [Figure::Etr, Figure::ResponseTime, Figure::TotalBusy];
    let row = |trial: &Trial| {
        let cells = match &trial.state {
            RunState::Due => vec![Cell::words("…")],
            RunState::LeftOut(why) => vec![Cell::words(why.clone())],
            RunState::Known(moved) => figures.map(|figure| Cell::number(moved.measurement.get(figure))).to_vec(),
        };
        (trial.at.name.clone(), trial.key == trials.runs[0].key, cells)
    };
    Sheet {
        title: TRANSITIONS.title.into(),
        columns: figures.map(|figure| format!("{} ({})", figure.label(), figure.unit())).to_vec(),
        rows: trials.runs.iter().map(row).collect(),
    }
}
