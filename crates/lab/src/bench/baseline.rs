//! The baseline, A: the host with which every result is compared. It moves only when the reader opens another host, or says so.

use std::rc::Rc;

use crate::address::Experiment;
use crate::batch::queue::{Key, key};
use crate::bench::UNNAMED;
use crate::evidence::Settled;
use crate::published::ready::scenario_of;

/// The baseline, with its result.
#[derive(Debug)]
pub struct Baseline {
    /// The host as it was opened: a ready experiment, a link, a file.
    opened: Experiment,
    /// The host that the reader declared instead.
    declared: Option<Experiment>,
    /// Its result, if that is known.
    pub result: Option<Rc<Settled>>,
}

impl Baseline {
    /// The baseline of a link: what it pins; otherwise the ready experiment from which its host was made; otherwise its host.
    pub fn of_link(now: &Experiment, pinned: Option<Experiment>, run: Option<&str>) -> Baseline {
        let opened = opened_by(now, run);
        let begun = run.and_then(scenario_of).unwrap_or_default();
        match pinned {
            // A link also pins where its host began, if nothing else in it says so. No reader declared that.
            Some(pin) if key(&pin.scenario, 0) == key(&begun, 0) => Baseline { opened: pin, declared: None, result: None },
            declared => Baseline { opened, declared, result: None },
        }
    }

    /// The host as it was opened.
    pub fn opened(&self) -> &Experiment {
        &self.opened
    }

    /// What it is.
    pub fn experiment(&self) -> &Experiment {
        self.declared.as_ref().unwrap_or(&self.opened)
    }

    /// Its key.
    pub fn key(&self) -> Key {
        let Experiment { scenario, seed } = self.experiment();
        key(scenario, *seed)
    }

    /// Whether the reader declared it.
    pub fn is_declared(&self) -> bool {
        self.declared.is_some()
    }

    /// Another host was opened. What the reader declared stays.
    pub fn open(&mut self, opened: Experiment) {
        self.opened = opened;
        self.result.take_if(|_| self.declared.is_none());
    }

    /// The reader declares this host, whose result may still have to come.
    pub fn declare(&mut self, host: Experiment, result: Option<Rc<Settled>>) {
        (self.declared, self.result) = (Some(host), result);
    }

    /// The reader takes that back.
    pub fn take_back(&mut self) {
        self.result.take_if(|_| self.declared.is_some());
        self.declared = None;
    }

    /// Its result has come.
    pub fn heard(&mut self, settled: &Rc<Settled>) {
        let scenario = &self.experiment().scenario;
        let renamed = settled.scenario.name != scenario.name;
        let named = || Rc::new(Settled { scenario: scenario.clone(), ..(**settled).clone() });
        self.result = Some(if renamed { named() } else { settled.clone() });
    }

    /// What a link to `now`, made from `run`, must pin so that it opens with this baseline.
    pub fn to_share(&self, now: &Experiment, run: Option<&str>) -> Option<Experiment> {
        let unsaid = opened_by(now, run);
        (key(&unsaid.scenario, unsaid.seed) != self.key()).then(|| self.experiment().clone())
    }
}

/// The host with which a link is compared that pins nothing.
fn opened_by(now: &Experiment, run: Option<&str>) -> Experiment {
    let scenario = run.and_then(scenario_of).unwrap_or_else(|| now.scenario.clone());
    Experiment { scenario, seed: now.seed }
}

/// The baseline in words, given the name of its host and whether the reader declared it.
pub fn named(name: &str, declared: bool) -> String {
    match (name, declared) {
        (UNNAMED, true) => "the host that you pinned".into(),
        (UNNAMED, false) => "the host as opened".into(),
        (name, true) => format!("{name}, pinned"),
        (name, false) => format!("{name} as opened"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::tests::{bench, etr, settle, turn};

    #[test]
    fn a_host_is_declared_while_it_runs() {
        let mut bench = bench();
        settle(&mut bench);
        turn(&mut bench, "paging.volumes", "3", true);
        bench.pin();
        assert_eq!((bench.a().paging.volumes, etr(&bench.before), bench.pinned), (3, None, true), "its result has not come");
        settle(&mut bench);
        turn(&mut bench, "paging.volumes", "4", true);
        bench.pin();
        turn(&mut bench, "paging.volumes", "6", true);
        settle(&mut bench);
        assert_eq!((bench.a().paging.volumes, etr(&bench.settled)), (4, Some(7.0)));
        assert_eq!(etr(&bench.before), Some(5.0), "A is run although the knobs have moved on");
    }

    #[test]
    fn the_baseline_has_a_name() {
        assert_eq!(named("V4DVY000", false), "V4DVY000 as opened");
        assert_eq!(named("Mine", true), "Mine, pinned");
        assert_eq!(named(UNNAMED, false), "the host as opened");
        assert_eq!(named(UNNAMED, true), "the host that you pinned");
    }
}
