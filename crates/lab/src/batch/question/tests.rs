//! Tests of the questions: which a host can ask, and which runs answer them.

use zvmlab::scenario::Chpid;

use super::change_rate::CHANGE_RATE;
use super::chpids::CHPIDS;
use super::destination::DESTINATION;
use super::link::LINK;
use super::options::OPTIONS;
use super::size::SIZE;
use super::transitions::TRANSITIONS;
use super::volumes::VOLUMES;
use super::*;
use crate::batch::relocating::changed;
use crate::host::transits;

fn example(id: &str) -> Scenario {
    let example = zvmlab::scenario::examples::example(id).expect("an example");
    Scenario::parse(example.text).expect("valid")
}

fn names(question: &Question, base: &Scenario) -> Vec<String> {
    question.made(base).into_iter().map(|made| made.name).collect()
}

#[test]
fn every_question_that_can_be_asked_has_runs_that_can_be_made() {
    for id in ["WHOLE", "MOVE", "TWENTY-FIVE", "CONSTRAINED", "EVACUATION"] {
        let base = example(id);
        for question in QUESTIONS.iter().copied().filter(|question| question.lacking(&base).is_none()) {
            let made = question.made(&base);
            assert!(made.len() >= 2, "{id}: {question:?}");
            let valid = made.iter().filter(|made| made.scenario.check().is_ok()).count();
            assert!(valid >= 2, "{id}: {question:?}: {valid} of {}", made.len());
            let ascending = question.curves().is_none() || made.windows(2).all(|pair| pair[0].x < pair[1].x);
            assert!(ascending, "{id}: {question:?}: {:?}", names(question, &base));
            assert_eq!(Question::from_id(question.id), Some(question));
        }
    }
}

#[test]
fn a_question_is_asked_of_those_that_have_an_answer() {
    let cluster = example("CLUSTER");
    assert_eq!(Question::first_of(&cluster), TRANSITIONS);
    let made = TRANSITIONS.made(&cluster);
    assert_eq!(made.iter().map(|made| transits(&made.scenario)).collect::<Vec<_>>(), [true, false]);
    assert_eq!(TRANSITIONS.lacking(&example("MOVE")), Some("no member comes and goes"));
    assert_eq!(Question::first_of(&example("MOVE")), CHPIDS);
    assert_eq!(Question::first_of(&example("TWENTY-FIVE")), OPTIONS);
    assert_eq!(Question::first_of(&example("CONSTRAINED")), DESTINATION);
    assert_eq!(Question::first_of(&example("EVACUATION")), OPTIONS);
    let lacking = |id: &str, question: &Question| question.lacking(&example(id)).unwrap_or_default();
    assert_eq!(lacking("MOVE", CHPIDS), "");
    assert!(lacking("MOVE", OPTIONS).contains("with one guest"));
    assert!(lacking("CONSTRAINED", CHPIDS).contains("four chpids"));
    assert!(lacking("BOUNCE", LINK).contains("bounce"));
    assert!(LINK.lacking(&Scenario::default()).is_some());
}

#[test]
fn a_chpid_more_is_one_of_the_same_speed() {
    let mut base = example("MOVE");
    assert_eq!(names(CHPIDS, &base), ["2 chpids of 8 Gb", "3 chpids of 8 Gb", "4 chpids of 8 Gb"]);
    let made = CHPIDS.made(&base);
    assert_eq!((made[1].scenario.isfc.chpid3, made[1].scenario.isfc.ctcs3), (Chpid::Gb8, 4));
    assert_eq!(changed(&base, &made[1].scenario), ["ISFC link 2 × 8 Gb → 3 × 8 Gb (capacity factor 16 → 24)"]);
    // A link with gaps and many CTCs has room for one more chpid; it gets the CTCs that are left.
    (base.isfc.chpid2, base.isfc.chpid3, base.isfc.ctcs1, base.isfc.ctcs3) = (Chpid::None, Chpid::Gb4, 8, 6);
    let made = CHPIDS.made(&base);
    assert_eq!(
        made.iter().map(|made| made.name.as_str()).collect::<Vec<_>>(),
        ["chpids of 8 and 4 Gb", "chpids of 8, 4 and 4 Gb"]
    );
    assert!(made.iter().all(|made| made.scenario.check().is_ok()));
    assert_eq!(made[1].scenario.isfc.chpids(), [(Chpid::Gb8, 8), (Chpid::Gb4, 6), (Chpid::Gb4, 2)]);
}

#[test]
fn the_published_links_have_their_capacity_factors() {
    let made = LINK.made(&example("MOVE"));
    assert_eq!(made.iter().map(|made| made.x).collect::<Vec<_>>(), [2.0, 4.0, 6.0, 10.0, 18.0]);
    let ctcs = |made: &NewTrial| made.scenario.isfc.chpids().iter().map(|chpid| chpid.1).sum::<u32>();
    assert_eq!(made.iter().map(ctcs).collect::<Vec<_>>(), [4, 4, 8, 12, 16]);
}

#[test]
fn the_bench_stands_on_its_own_curves() {
    let base = example("CONSTRAINED");
    let on = |question: &Question| {
        let x = question.curves().and_then(|curves| curves.stands(&base)).expect("it stands somewhere");
        question.made(&base).iter().any(|made| made.x == x)
    };
    assert!(on(SIZE) && on(VOLUMES) && on(LINK));
    assert_eq!(CHANGE_RATE.curves().and_then(|curves| curves.stands(&base)), None, "as fast as it can");
    assert!(CHANGE_RATE.made(&base).iter().all(|made| made.scenario.guests[0].touch_mb_s > 0));
    let slots = |made: &NewTrial| made.scenario.page_slots();
    let volumes = VOLUMES.made(&base);
    assert!(volumes.iter().all(|made| slots(made) == slots(&volumes[3])), "many volumes hold no more than few");
}
