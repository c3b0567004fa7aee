//! What the answers say of trials; the runs are made by hand.

use std::rc::Rc;

use zvmlab::Scenario;
use zvmlab::snapshot::{EndCode, RelocationSnapshot};

use super::super::Question;
use super::super::chpids::{self, CHPIDS};
use super::super::options::{self, OPTIONS};
use super::*;
use crate::batch::RunState;
use crate::batch::moved::tests::{moved, relocation};
use crate::batch::sheet::Verdict;
use crate::batch::trials::Trials;

/// The trials of a question around an example, with these relocations in each.
pub fn trials(question: &Question, example: &str, runs: &[Vec<RelocationSnapshot>]) -> Trials {
    let example = zvmlab::scenario::examples::example(example).expect("an example");
    let base = Scenario::parse(example.text).expect("valid");
    let made = question.made(&base);
    let mut trials = Trials::begin(base, 1, made, &|_| None);
    for (at, run) in runs.iter().enumerate() {
        let key = trials.runs[at].key.clone();
        trials.put(&key, &RunState::Known(Rc::new(moved(run.clone()))));
    }
    trials
}

fn server(end: EndCode, took_ms: u64, quiesce_ms: u64) -> Vec<RelocationSnapshot> {
    vec![RelocationSnapshot { tolerance_ms: 10_000, ..relocation("SERVER", end, took_ms, quiesce_ms) }]
}

#[test]
fn a_third_chpid_is_told_beside_the_two_there_are() {
    let runs = [
        server(EndCode::MaxQuiesce, 190_000, 10_000),
        server(EndCode::Completed, 80_000, 6_400),
        server(EndCode::Completed, 30_000, 900),
    ];
    let said = chpids::told(&trials(CHPIDS, "MOVE", &runs));
    assert_eq!(said[0], "As it is, with 2 chpids of 8 Gb: cancelled at 10\u{a0}s.");
    assert_eq!(
        said[1],
        "A third chpid of 8 Gb: stopped for 6.4\u{a0}s instead of cancelled at 10\u{a0}s, 80\u{a0}s in all."
    );
    assert_eq!(said[2], "A fourth chpid of 8 Gb: stopped for 0.9\u{a0}s, 30\u{a0}s in all.");
    assert!(
        said[3].starts_with(
            "To stay within MAXQUIESCE 10 s, the default and the 10\u{a0}s that SERVER tolerates, the link needs 3 chpids"
        ),
        "{}",
        said[3]
    );
    assert_eq!(chpids::told(&trials(CHPIDS, "MOVE", &runs[..1])).len(), 1, "the rest is to come");
    assert!(chpids::told(&trials(CHPIDS, "MOVE", &[])).is_empty());
}

#[test]
fn a_target_is_met_or_missed_by_name() {
    let runs = [
        server(EndCode::MaxQuiesce, 190_000, 10_000),
        server(EndCode::Completed, 80_000, 6_400),
        server(EndCode::Completed, 30_000, 900),
    ];
    let all = trials(CHPIDS, "MOVE", &runs);
    assert_eq!(
        target(&all, Some(2.0)).expect("all is known"),
        "Stopped for 2\u{a0}s or less: 4 chpids of 8 Gb. Not so: 2 chpids of 8 Gb (not moved), 3 chpids of 8 Gb (6.4\u{a0}s)."
    );
    assert!(target(&all, Some(0.5)).expect("all is known").starts_with("No run here stops for 0.5\u{a0}s or less: "));
    assert_eq!(target(&all, None), None);
    assert_eq!(target(&trials(CHPIDS, "MOVE", &runs[..1]), Some(2.0)), None, "the rest is to come");
    assert_eq!(
        target(&trials(CHPIDS, "MOVE", &[&runs[1..], &runs[1..2]].concat()), Some(9.0)).expect("all is known"),
        "Every run here stops for 9\u{a0}s or less."
    );
}

#[test]
fn a_chpid_that_buys_nothing_is_said_to() {
    let runs = vec![server(EndCode::MaxQuiesce, 190_000, 10_000); 3];
    let said = chpids::told(&trials(CHPIDS, "MOVE", &runs));
    assert_eq!(said[1], "A third chpid of 8 Gb: cancelled at 10\u{a0}s, as before.");
    assert!(said[3].starts_with("None of these links is enough to stay within "), "{}", said[3]);
    let mut runs = vec![server(EndCode::Completed, 9_000, 1_000); 3];
    runs[1] = server(EndCode::Completed, 8_000, 500);
    let said = chpids::told(&trials(CHPIDS, "MOVE", &runs));
    assert_eq!(said[1], "A third chpid of 8 Gb: stopped for 0.5\u{a0}s instead of 1\u{a0}s, 8\u{a0}s in all.");
    assert!(said[3].starts_with("The present link is enough to stay within "), "{}", said[3]);
}

#[test]
fn a_cancelled_run_has_no_time_in_the_table() {
    let runs = [server(EndCode::MaxQuiesce, 190_000, 10_000), server(EndCode::Completed, 80_000, 12_000)];
    let trials = trials(CHPIDS, "MOVE", &runs);
    let sheet = chpids::sheet(&trials);
    let [(_, present, cancelled), (_, _, done), (_, _, due)] = sheet.rows.as_slice() else { panic!("{:?}", sheet.rows) };
    assert!(*present && cancelled[0].number.is_none() && cancelled[1].number.is_none());
    assert_eq!((cancelled[2].words.as_str(), cancelled[2].verdict), ("no: cancelled at 10 s", Verdict::Missed));
    assert_eq!((done[0].number, done[2].verdict, done[3].verdict), (Some(12.0), Verdict::Held, Verdict::Missed));
    assert_eq!((due.len(), due[0].words.as_str()), (1, "…"));
    assert_eq!(quiesce_time(&trials.runs[0]), None);
    let why = no_time(&trials.runs[0]).unwrap_or_default();
    assert_eq!(why, "MAXQUIESCE of 10 s exceeded (05), its guest stopped for 10\u{a0}s in vain");
    assert_eq!((quiesce_time(&trials.runs[1]), relocation_time(&trials.runs[1])), (Some(12.0), Some(80.0)));
    assert_eq!(no_time(&trials.runs[1]), None);
}

#[test]
fn the_decks_summary_is_held_against_the_model() {
    let run = |took: u64, quiesce: u64, last: u64| {
        vec![relocation("A", EndCode::Completed, took, quiesce), relocation("B", EndCode::Completed, last, quiesce)]
    };
    // Total 100, 90, 80, 70; individual 55, 50, 70, 65; quiesce 0.5, 0.505, 1, 2.
    let runs = [run(10_000, 500, 100_000), run(10_000, 505, 90_000), run(60_000, 1_000, 80_000), run(60_000, 2_000, 70_000)];
    let all = trials(OPTIONS, "TWENTY-FIVE", &runs);
    let claims = options::claims_sheet(&all);
    let verdicts: Vec<Verdict> = claims.rows.iter().map(|(_, _, cells)| cells[1].verdict).collect();
    assert_eq!((&verdicts[..4], verdicts[4]), (&[Verdict::Held; 4][..], Verdict::Missed));
    assert_eq!(claims.rows[4].2[1].words, "differs: 25\u{a0}% longer, 100\u{a0}s against 80\u{a0}s");
    assert!(claims.rows[2].2[1].words.contains("SYNCH IMMEDIATE differs by less than 2 %"), "{:?}", claims.rows[2]);
    assert_eq!(
        options::told(&all)[0],
        "One after the other takes 25\u{a0}% longer in total than all at once: 100\u{a0}s against 80\u{a0}s."
    );
    assert_eq!(options::sheet(&all).rows.iter().filter(|row| row.1).count(), 1, "the bench is one of the four");
    let [a, b, c, d] = runs;
    let turned = trials(OPTIONS, "TWENTY-FIVE", &[d, b, c, a]);
    let claims = options::claims_sheet(&turned);
    assert!(claims.rows[0].2[1].words.starts_with("differs: 70\u{a0}s with SYNCH, against 100"), "{:?}", claims.rows[0]);
    let under_way = trials(OPTIONS, "TWENTY-FIVE", &[]);
    assert!(
        options::claims_sheet(&under_way).rows.iter().all(|row| row.2[1].words == "…")
            && options::told(&under_way).is_empty()
    );
}
