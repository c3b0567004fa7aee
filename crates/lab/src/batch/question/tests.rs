//! Questions: which can be asked of a host, and the runs that answer them.

use super::*;

fn example(id: &str) -> Scenario {
    let example = zvmlab::scenario::examples::example(id).expect("an example");
    Scenario::parse(example.text).expect("valid")
}

fn names(question: Question, base: &Scenario) -> Vec<String> {
    question.made(base).into_iter().map(|made| made.name).collect()
}

#[test]
fn every_question_that_can_be_asked_has_runs_that_can_be_made() {
    for id in ["MOVE", "TWENTY-FIVE", "CONSTRAINED", "EVACUATION"] {
        let base = example(id);
        for question in Question::ALL.into_iter().filter(|question| question.lacking(&base).is_none()) {
            let made = question.made(&base);
            assert!(made.len() >= 2, "{id}: {question:?}");
            let valid = made.iter().filter(|made| made.scenario.check().is_ok()).count();
            assert!(valid >= 2, "{id}: {question:?}: {valid} of {}", made.len());
            let ascending = !question.is_curve() || made.windows(2).all(|pair| pair[0].x < pair[1].x);
            assert!(ascending, "{id}: {question:?}: {:?}", names(question, &base));
            assert_eq!(Question::from_id(question.id()), Some(question));
        }
    }
}

#[test]
fn a_question_is_asked_of_those_that_have_an_answer() {
    let cluster = example("CLUSTER");
    assert_eq!(Question::first_of(&cluster), Question::Transitions);
    let made = Question::Transitions.made(&cluster);
    assert_eq!(made.iter().map(|made| transits(&made.scenario)).collect::<Vec<_>>(), [true, false]);
    assert_eq!(Question::Transitions.lacking(&example("MOVE")), Some("no member comes and goes"));
    assert_eq!(Question::first_of(&example("MOVE")), Question::Chpids);
    assert_eq!(Question::first_of(&example("TWENTY-FIVE")), Question::Options);
    assert_eq!(Question::first_of(&example("CONSTRAINED")), Question::Destination);
    assert_eq!(Question::first_of(&example("EVACUATION")), Question::Options);
    let lacking = |id: &str, question: Question| question.lacking(&example(id)).unwrap_or_default();
    assert_eq!(lacking("MOVE", Question::Chpids), "");
    assert!(lacking("MOVE", Question::Options).contains("with one guest"));
    assert!(lacking("CONSTRAINED", Question::Chpids).contains("four chpids"));
    assert!(lacking("BOUNCE", Question::Link).contains("bounce"));
    assert!(Question::Link.lacking(&Scenario::default()).is_some());
}

#[test]
fn a_chpid_more_is_one_of_the_same_speed() {
    let mut base = example("MOVE");
    assert_eq!(names(Question::Chpids, &base), ["2 chpids of 8 Gb", "3 chpids of 8 Gb", "4 chpids of 8 Gb"]);
    let made = Question::Chpids.made(&base);
    assert_eq!((made[1].scenario.isfc.chpid3, made[1].scenario.isfc.ctcs3), (Chpid::Gb8, 4));
    assert_eq!(changed(&base, &made[1].scenario), ["ISFC link 2 × 8 Gb → 3 × 8 Gb (capacity factor 16 → 24)"]);
    // A link with gaps and many CTCs has room for one more, with what is left.
    (base.isfc.chpid2, base.isfc.chpid3, base.isfc.ctcs1, base.isfc.ctcs3) = (Chpid::None, Chpid::Gb4, 8, 6);
    let made = Question::Chpids.made(&base);
    assert_eq!(
        made.iter().map(|made| made.name.as_str()).collect::<Vec<_>>(),
        ["chpids of 8 and 4 Gb", "chpids of 8, 4 and 4 Gb"]
    );
    assert!(made.iter().all(|made| made.scenario.check().is_ok()));
    assert_eq!(made[1].scenario.isfc.chpids(), [(Chpid::Gb8, 8), (Chpid::Gb4, 6), (Chpid::Gb4, 2)]);
}

#[test]
fn the_published_links_have_their_capacity_factors() {
    let made = Question::Link.made(&example("MOVE"));
    assert_eq!(made.iter().map(|made| made.x).collect::<Vec<_>>(), [2.0, 4.0, 6.0, 10.0, 18.0]);
    let ctcs = |made: &NewTrial| made.scenario.isfc.chpids().iter().map(|chpid| chpid.1).sum::<u32>();
    assert_eq!(made.iter().map(ctcs).collect::<Vec<_>>(), [4, 4, 8, 12, 16]);
}

#[test]
fn the_bench_stands_on_its_own_curves() {
    let base = example("CONSTRAINED");
    let on = |question: Question| {
        let x = question.stands(&base).expect("it stands somewhere");
        question.made(&base).iter().any(|made| made.x == x)
    };
    assert!(on(Question::Size) && on(Question::Volumes) && on(Question::Link));
    assert_eq!(Question::ChangeRate.stands(&base), None, "as fast as it can");
    assert!(Question::ChangeRate.made(&base).iter().all(|made| made.scenario.guests[0].touch_mb_s > 0));
    let slots = |made: &NewTrial| made.scenario.page_slots();
    let volumes = Question::Volumes.made(&base);
    assert!(volumes.iter().all(|made| slots(made) == slots(&volumes[3])), "many volumes hold no more than few");
}
