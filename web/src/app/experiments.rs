//! Whole experiments: the bench changes, a worker runs its scenario, and the page shows, announces and stores the result.

use std::rc::Rc;

use gloo_timers::callback::Timeout;

use super::App;
use crate::msg::Msg;
use crate::page;
use crate::panels::notices::Notice;
use crate::panels::result::RUN_IT;
use crate::workers::{Heard, Helper};
use zvmlab_lab::batch::queue::{Order, Purpose};
use zvmlab_lab::bench::export::{self, Format};
use zvmlab_lab::embed::Refusal;
use zvmlab_lab::evidence::Settled;
use zvmlab_lab::machine::Frame;
use zvmlab_lab::room::Anchor;
use zvmlab_lab::subjects::headline;
use zvmlab_lab::worker::wire::{Answer, Job, SoFar};

/// Failures of a worker in a row after which it does not start again by itself.
const FAILURES_MAX: u32 = 2;
/// Milliseconds of wall time after which the page says how far an experiment is. Chosen: whoever drags a knob of a small host needs
/// no words.
const WORDS_MS: f64 = 700.0;
/// Pause before a result is announced. While a knob is dragged, only the last result is worth it.
const ANNOUNCE_MS: u32 = 700;

/// Runs whole experiments.
#[derive(Default)]
pub struct Experimenter {
    /// The worker, if it could be started.
    pub helper: Option<Helper>,
    /// The worker's number. Messages of an earlier worker do not count.
    pub number: u64,
    /// Failures in a row.
    pub failures: u32,
    /// Wall time of the last experiment, in milliseconds.
    pub took_ms: f64,
    /// Due when an outdated experiment may have run for too long.
    pub look_again: Option<Timeout>,
    /// How far the experiment is that the knobs ask for.
    pub so_far: Option<Rc<SoFar>>,
    /// The picture of that.
    pub frame: Option<Frame>,
    /// Whether the reader stopped it.
    pub stopped: bool,
}

/// Announcements for screen readers.
#[derive(Default)]
pub struct Speech {
    /// The words.
    pub text: String,
    /// Due when a result is to be announced.
    pub due: Option<Timeout>,
}

impl App {
    /// The knobs' scenario has changed. Runs it, or shows its result if that is known.
    pub(super) fn bench_changed(&mut self) {
        self.link.copied = None;
        (self.experimenter.so_far, self.experimenter.frame, self.experimenter.stopped) = (None, None, false);
        // The reader has gone on from a bad link. From now on the address holds the bench.
        self.notices.retain(|notice| !notice.is_bad_link());
        if self.bench.is_settled() {
            // It was known.
            self.experimenter.took_ms = 0.0;
            self.settled();
        }
        // After failures, the reader's next change counts as another try.
        if self.experimenter.helper.is_none() {
            self.experimenter.failures = 0;
            self.start_experimenter();
        }
        self.pump();
        self.follow();
    }

    /// The experiment that the knobs ask for has settled.
    fn settled(&mut self) {
        if self.bench.is_turning() {
            return;
        }
        self.write_address();
        self.announce_soon();
        self.tell_result();
    }

    fn announce_soon(&mut self) {
        let on = self.on.clone();
        self.speech.due = Some(Timeout::new(ANNOUNCE_MS, move || on.emit(Msg::Announce)));
    }

    /// Announces the result.
    pub(super) fn announce_result(&mut self) {
        let effect = self.effect().map_or(String::new(), |effect| effect + " ");
        let count = self.subject().particulars.count;
        let settled = self.bench.settled.as_ref();
        let counted = settled.and_then(|settled| count(&settled.scenario, &settled.snapshot));
        let counted = counted.map_or(String::new(), |(count, words)| format!("{count} {words}. "));
        let answer = self.bench.settled.as_deref().and_then(Settled::answer);
        let answer = answer.map_or(String::new(), |answer| answer + " ");
        self.speech.text =
            effect + &answer + &counted + &headline::told(&self.bench.scenario, self.subject(), &self.bench.pairs());
    }

    /// Starts the worker of experiments anew.
    pub(super) fn start_experimenter(&mut self) {
        self.experimenter.number += 1;
        let number = self.experimenter.number;
        match Helper::start(self.place, self.on.reform(move |heard| Msg::HearExperiment(number, heard))) {
            Ok(helper) => self.experimenter.helper = Some(helper),
            Err(reason) => {
                self.experimenter.helper = None;
                self.notices.push(Notice::failure(reason));
            }
        }
    }

    /// Gives the worker the next experiment.
    pub(super) fn pump(&mut self) {
        self.feed_sweep();
        while let Some(helper) = &self.experimenter.helper {
            match self.bench.queue.order(page::now_ms()) {
                Order::Nothing => return,
                Order::Start(request) => {
                    helper.post(&Job::Experiment { scenario: (*request.scenario).clone(), seed: request.seed });
                }
                Order::Replace => self.start_experimenter(),
                Order::LookAgain(ms) => {
                    let on = self.on.clone();
                    self.experimenter.look_again = Some(Timeout::new(ms as u32 + 1, move || on.emit(Msg::LookAgain)));
                    return;
                }
            }
        }
    }

    /// An outdated experiment may have run for too long. The page looks the same.
    pub(super) fn look_again(&mut self) -> bool {
        self.pump();
        false
    }

    /// The worker of experiments with this number has a message.
    pub(super) fn hear_experiment_of(&mut self, number: u64, heard: Heard) {
        if number == self.experimenter.number {
            self.hear_experiment(heard);
        }
    }

    /// The reader does not want to wait for what the knobs ask for.
    pub(super) fn stop_experiment(&mut self) {
        self.experimenter.stopped = self.bench.queue.is_current_due();
        if self.bench.queue.stop() {
            self.start_experimenter();
        }
        self.experimenter.so_far = None;
        self.pump();
        // The pressed button no longer exists.
        page::focus(RUN_IT);
    }

    fn hear_experiment(&mut self, heard: Heard) {
        if let Heard::Answer(Answer::SoFar(so_far)) = heard {
            if self.bench.queue.is_current_running() {
                let (scenario, before) = (Rc::new(self.bench.scenario.clone()), self.experimenter.frame.take());
                self.experimenter.frame = Some(Frame::so_far(scenario, &so_far, before.as_ref()));
                // The picture has the host at once; words are for whoever waits.
                let waits = self.bench.queue.running_ms(page::now_ms()) >= WORDS_MS;
                self.experimenter.so_far = waits.then(|| Rc::new(*so_far));
            }
            return;
        }
        (self.experimenter.so_far, self.experimenter.frame) = (None, None);
        let request = self.bench.queue.ended(page::now_ms());
        if let (Heard::Answer(Answer::Refused(why)) | Heard::Failed(why), Some(request)) = (&heard, &request)
            && let Some(sweep) = self.sweeps.last_mut()
        {
            sweep.leave_out(&request.key, why);
        }
        match (heard, request) {
            (Heard::Answer(Answer::Settled { result, wall_ms }), Some(request)) => {
                self.experimenter.failures = 0;
                if request.purpose != Purpose::Swept {
                    self.experimenter.took_ms = wall_ms;
                }
                if let Some(sweep) = self.sweeps.last_mut() {
                    sweep.heard(&request.key, &result);
                }
                self.notices.retain(|notice| !notice.is_failure());
                let waited = !self.bench.is_complete();
                if self.bench.heard(&request, *result) {
                    self.settled();
                } else if waited && self.bench.is_complete() {
                    // The last replication is in, and with it the verdict.
                    self.announce_soon();
                }
            }
            (Heard::Answer(Answer::Refused(reason)), _) => self.failed(reason),
            (Heard::Answer(_), _) => {}
            (Heard::Failed(reason), _) => {
                self.experimenter.helper = None;
                self.failed(reason);
                if self.experimenter.failures < FAILURES_MAX {
                    self.start_experimenter();
                }
            }
        }
        self.pump();
    }

    /// A computation has failed: tells the reader and the parent page.
    pub(super) fn failed(&mut self, reason: String) {
        self.experimenter.failures += 1;
        self.tell_error(&serde_json::Value::Null, &Refusal::new("model", reason.clone()));
        self.notices.retain(|notice| !notice.is_failure());
        self.notices.push(Notice::failure(reason));
    }

    /// The reader wants another try after failures.
    pub(super) fn try_again(&mut self) {
        self.experimenter.failures = 0;
        self.notices.retain(|notice| !notice.is_failure());
        self.end_live();
        self.start_experimenter();
        if std::mem::take(&mut self.experimenter.stopped) {
            // The pressed button no longer exists.
            page::focus(Anchor::Result.id());
        }
        self.bench.put(self.bench.scenario.clone(), self.bench.seed);
        self.pump();
    }

    /// Lets the reader save the result shown.
    pub(super) fn download(&mut self, format: Format) {
        if let Some(settled) = &self.bench.settled {
            let file = export::file(format, settled, &self.bench);
            if page::download(&file.name, file.mime, &file.text).is_none() {
                self.notices.push(Notice::warning("The browser does not let this page save files.".into()));
            }
        }
    }
}
