//! What the reader did to the bench, to take it back and to do it again.

use crate::address::Experiment;
use crate::knob::Knob;

/// Steps that can be taken back. Chosen: more than anyone goes back; a step holds a scenario twice.
const STEPS_MAX: usize = 100;

/// The bench as it was after a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Was {
    /// What the knobs showed.
    pub now: Experiment,
    /// The host as it was opened.
    pub opened: Experiment,
    /// The ready experiment that was chosen last.
    pub run: Option<String>,
    /// Knobs that were turned.
    pub turned: Vec<Knob>,
}

/// The steps.
#[derive(Debug, Default)]
pub struct History {
    past: Vec<Was>,
    at: Option<Was>,
    future: Vec<Was>,
    /// The knob of the last step. Turns of one knob that follow each other are one step.
    knob: Option<Knob>,
}

impl History {
    /// A step was done, with this knob if it was the turn of one.
    pub fn note(&mut self, now: Was, knob: Option<Knob>) {
        let follows = knob.is_some() && knob == self.knob;
        self.knob = knob;
        if let Some(before) = self.at.replace(now).filter(|before| Some(&before.now) != self.at.as_ref().map(|at| &at.now)) {
            if !follows {
                self.past.push(before);
                self.past.drain(..self.past.len().saturating_sub(STEPS_MAX));
            }
            // A knob that was turned there and back is no step. Its next turn begins one.
            let now = self.at.as_ref().map(|at| &at.now);
            if self.past.pop_if(|past| follows && Some(&past.now) == now).is_some() {
                self.knob = None;
            }
            self.future.clear();
        }
    }

    /// What was on the bench after the last step.
    pub fn now(&self) -> Option<&Experiment> {
        self.at.as_ref().map(|at| &at.now)
    }

    /// Another bench took the place of this one: its beginning is a step.
    pub fn follow(&mut self, beginning: History) {
        if let Some(at) = beginning.at {
            self.note(at, None);
        }
    }

    /// Takes the last step back: the bench before it.
    pub fn undo(&mut self) -> Option<Was> {
        let to = self.past.pop()?;
        self.future.extend(self.at.replace(to.clone()));
        self.knob = None;
        Some(to)
    }

    /// Does again what was taken back last: the bench after it.
    pub fn redo(&mut self) -> Option<Was> {
        let to = self.future.pop()?;
        self.past.extend(self.at.replace(to.clone()));
        self.knob = None;
        Some(to)
    }

    /// Goes back or forth to the nearest step at which the bench had this experiment, begun as the ready experiment `run`: the
    /// browser's history went there. None if there is no such step.
    pub fn travel(&mut self, to: &Experiment, run: Option<&str>) -> Option<Was> {
        let is_it = |was: &Was| was.now == *to && was.run.as_deref() == run;
        if self.at.as_ref().is_some_and(is_it) {
            return None;
        }
        let [back, forth] = [&self.past, &self.future].map(|steps| steps.iter().rev().position(is_it));
        match (back, forth) {
            (Some(back), forth) if forth.is_none_or(|forth| back <= forth) => (0..=back).filter_map(|_| self.undo()).last(),
            (_, Some(forth)) => (0..=forth).filter_map(|_| self.redo()).last(),
            _ => None,
        }
    }

    /// The bench before the step that would be taken back, and after the one that would be done again.
    pub fn next(&self) -> (Option<&Was>, Option<&Was>) {
        (self.past.last(), self.future.last())
    }
}

#[cfg(test)]
mod tests {
    use zvmlab::Scenario;
    use zvmlab::scenario::fields::path;

    use super::*;
    use crate::bench::Bench;
    use crate::knob::Given;

    /// Whether a step can be taken back, and whether one can be done again.
    fn ways(history: &History) -> (bool, bool) {
        let (undo, redo) = history.next();
        (undo.is_some(), redo.is_some())
    }

    fn was(seed: u64) -> Was {
        let now = Experiment { scenario: Scenario::default(), seed };
        Was { opened: now.clone(), now, run: None, turned: Vec::new() }
    }

    #[test]
    fn steps_are_taken_back_and_done_again() {
        let (mut history, knob) = (History::default(), Knob::at("lcu.aliases", 0));
        assert!(knob.is_some());
        history.note(was(1), None);
        assert_eq!(ways(&history), (false, false), "the beginning is no step");
        history.note(was(2), None);
        history.note(was(2), None);
        history.note(was(3), knob);
        history.note(was(4), knob);
        assert_eq!(history.undo(), Some(was(2)), "turns of one knob are one step");
        assert_eq!(ways(&history), (true, true));
        assert_eq!((history.undo(), history.undo()), (Some(was(1)), None));
        assert_eq!((history.redo(), history.redo(), history.redo()), (Some(was(2)), Some(was(4)), None));
        history.undo();
        history.note(was(2), None);
        assert_eq!(ways(&history), (true, true), "what undo puts on the bench is no step");
        history.note(was(5), None);
        assert_eq!(ways(&history), (true, false), "a new step forgets what was taken back");
        history.note(was(6), knob);
        history.note(was(5), knob);
        history.note(was(7), knob);
        assert_eq!(
            (history.undo(), history.undo()),
            (Some(was(5)), Some(was(2))),
            "a knob turned there and back is no step"
        );
    }

    #[test]
    fn the_browsers_way_back_and_forth_is_that_of_the_steps() {
        let mut history = History::default();
        (1..=5).for_each(|seed| history.note(was(seed), None));
        assert_eq!(history.travel(&was(2).now, None), Some(was(2)));
        assert_eq!(history.next(), (Some(&was(1)), Some(&was(3))));
        assert_eq!(history.travel(&was(4).now, None), Some(was(4)));
        assert_eq!(history.next(), (Some(&was(3)), Some(&was(5))));
        assert_eq!(history.travel(&was(4).now, None), None, "it is there already");
        assert_eq!(history.travel(&was(9).now, None), None, "the bench never had it");
        assert_eq!(history.travel(&was(3).now, Some("V8DVY000")), None, "it began elsewhere");
        assert_eq!(history.next(), (Some(&was(3)), Some(&was(5))), "nothing was done");
    }

    #[test]
    fn the_oldest_steps_are_forgotten() {
        let mut history = History::default();
        (0..300).for_each(|seed| history.note(was(seed), None));
        assert_eq!(std::iter::from_fn(|| history.undo()).count(), STEPS_MAX);
    }

    #[test]
    fn what_was_passed_on_the_way_to_a_wrong_entry_does_not_stay() {
        let experiment = Experiment { scenario: Scenario::default(), seed: 1 };
        let mut bench = Bench::new(experiment.clone(), None, None, 1);
        let size = Knob::at(path::GUESTS_VIRTUAL_MB, 0).expect("a field");
        for text in ["2", "20000", "20000,5 GB"] {
            bench.turn(size, Given::Number(text.into()), false);
        }
        assert_eq!(bench.scenario, experiment.scenario, "as it was before the first key");
        assert_eq!((bench.drafts.len(), bench.drafts[0].text.as_str()), (1, "20000,5 GB"));
        bench.turn(size, Given::Number("20000".into()), true);
        assert_eq!((bench.scenario.guests[0].virtual_mb, bench.drafts.len()), (20_000, 0));
    }
}
