//! Whole experiments: the bench has changed, a worker runs what it says, the result is shown, told and written down.

use gloo_timers::callback::Timeout;

use super::{App, Msg};
use crate::page;
use crate::panels::notices::Notice;
use crate::workers::{Heard, Helper};
use zvmlab::Scenario;
use zvmlab_lab::batch::queue::{Order, Purpose};
use zvmlab_lab::bench::export::{self, Format};
use zvmlab_lab::embed::Refusal;
use zvmlab_lab::evidence::Settled;
use zvmlab_lab::subjects::PLDV;
use zvmlab_lab::subjects::headline;
use zvmlab_lab::worker::wire::{Answer, Job};

/// Failures of a worker in a row after which it is not started again by itself.
const FAILURES_MAX: u32 = 2;
/// Pause before a result is told to those who listen: while a knob is dragged, only the last one is worth it.
const ANNOUNCE_MS: u32 = 700;

impl App {
    /// Puts a ready experiment on the bench.
    pub(super) fn choose(&mut self, id: &str) {
        self.bench.choose(id);
        self.bench_changed();
    }

    /// Puts the scenario of a file on the bench, or says everything that is wrong with it.
    pub(super) fn open_scenario(&mut self, file: &str, text: &str) {
        self.notices.retain(|notice| !notice.is_bad_scenario());
        match Scenario::parse(text) {
            Ok(scenario) => {
                self.bench.put(scenario, self.bench.seed);
                self.bench_changed();
            }
            Err(error) => self.notices.push(Notice::bad_scenario(file, &error)),
        }
    }

    /// Goes back to the chosen experiment, and ends the live run.
    pub(super) fn reset(&mut self) {
        self.end_live();
        self.seed_draft = None;
        self.bench.reset();
        self.bench_changed();
    }

    /// Takes another seed; a text that is none stays in its field, with what is wrong with it.
    pub(super) fn change_seed(&mut self, text: String) {
        match text.trim().parse() {
            Ok(seed) => {
                self.seed_draft = None;
                self.bench.put(self.bench.scenario.clone(), seed);
                self.bench_changed();
            }
            Err(_) => self.seed_draft = Some(text),
        }
    }

    /// What the knobs say has changed: it is run, or shown if it is known.
    pub(super) fn bench_changed(&mut self) {
        self.copied = None;
        // The reader has gone on from a bad link: from here on the address tells what is on the bench.
        self.notices.retain(|notice| !notice.is_bad_link());
        if self.bench.is_settled() {
            self.settled();
        }
        // After failures the reader's next change is as good as another try.
        if self.experimenter.is_none() {
            self.failures = 0;
            self.start_experimenter();
        }
        self.pump();
        self.follow();
    }

    /// What the knobs say has settled.
    fn settled(&mut self) {
        if self.bench.is_turning() {
            return;
        }
        self.write_address();
        let on = self.on.clone();
        self.announce = Some(Timeout::new(ANNOUNCE_MS, move || on.emit(Msg::Announce)));
        self.tell_result();
    }

    /// Tells the result to those who listen to the page.
    pub(super) fn announce_result(&mut self) {
        let effect = self.effect().map_or(String::new(), |effect| effect + " ");
        let settled = self.bench.settled.as_ref().filter(|_| self.subject() == PLDV);
        let behind = settled.and_then(|settled| headline::behind_vary(&settled.scenario, &settled.snapshot));
        let behind = behind.map_or(String::new(), |(count, words)| format!("{count} {words}. "));
        let answer = self.bench.settled.as_deref().and_then(Settled::answer);
        let answer = answer.map_or(String::new(), |answer| answer + " ");
        self.announcement =
            effect + &answer + &behind + &headline::told(&self.bench.scenario, self.subject(), &self.bench.pairs());
    }

    /// Starts the worker of experiments anew.
    pub(super) fn start_experimenter(&mut self) {
        self.experimenter_number += 1;
        let number = self.experimenter_number;
        match Helper::start(self.place, self.on.reform(move |heard| Msg::HearExperiment(number, heard))) {
            Ok(helper) => self.experimenter = Some(helper),
            Err(reason) => {
                self.experimenter = None;
                self.notices.push(Notice::failure(reason));
            }
        }
    }

    /// Gives the worker what is wanted next.
    pub(super) fn pump(&mut self) {
        self.feed_sweep();
        while let Some(helper) = &self.experimenter {
            match self.bench.queue.order(page::now_ms()) {
                Order::Nothing => return,
                Order::Start(request) => {
                    helper.post(&Job::Experiment { scenario: (*request.scenario).clone(), seed: request.seed });
                }
                Order::Replace => self.start_experimenter(),
                Order::LookAgain(ms) => {
                    let on = self.on.clone();
                    self.look_again = Some(Timeout::new(ms as u32 + 1, move || on.emit(Msg::LookAgain)));
                    return;
                }
            }
        }
    }

    /// The worker of experiments has said something.
    pub(super) fn hear_experiment(&mut self, heard: Heard) {
        let request = self.bench.queue.ended(page::now_ms());
        if let (Heard::Answer(Answer::Refused(why)) | Heard::Failed(why), Some(request)) = (&heard, &request)
            && let Some(sweep) = self.sweeps.last_mut()
        {
            sweep.leave_out(&request.key, why);
        }
        match (heard, request) {
            (Heard::Answer(Answer::Settled { result, wall_ms }), Some(request)) => {
                self.failures = 0;
                if request.purpose != Purpose::Swept {
                    self.took_ms = wall_ms;
                }
                if let Some(sweep) = self.sweeps.last_mut() {
                    sweep.heard(&request.key, &result);
                }
                self.notices.retain(|notice| !notice.is_failure());
                if self.bench.heard(&request, *result) {
                    self.settled();
                }
            }
            (Heard::Answer(Answer::Refused(reason)), _) => self.failed(reason),
            (Heard::Answer(_), _) => {}
            (Heard::Failed(reason), _) => {
                self.experimenter = None;
                self.failed(reason);
                if self.failures < FAILURES_MAX {
                    self.start_experimenter();
                }
            }
        }
        self.pump();
    }

    /// Something that computes has failed: the reader and the parent page are told.
    pub(super) fn failed(&mut self, reason: String) {
        self.failures += 1;
        self.tell_error(&serde_json::Value::Null, &Refusal::new("model", reason.clone()));
        self.notices.retain(|notice| !notice.is_failure());
        self.notices.push(Notice::failure(reason));
    }

    /// The reader wants another try after failures.
    pub(super) fn try_again(&mut self) {
        self.failures = 0;
        self.notices.retain(|notice| !notice.is_failure());
        self.end_live();
        self.start_experimenter();
        self.bench.put(self.bench.scenario.clone(), self.bench.seed);
        self.pump();
    }

    /// Lets the reader save what is shown.
    pub(super) fn download(&mut self, format: Format) {
        if let Some(settled) = &self.bench.settled {
            let file = export::file(format, settled, &self.bench);
            if page::download(&file.name, file.mime, &file.text).is_none() {
                self.notices.push(Notice::warning("The browser saves no file for this page.".into()));
            }
        }
    }
}
