//! Whole experiments: the bench changes, a worker runs its scenario, and the page shows, announces and stores the result.

use std::rc::Rc;

use gloo_timers::callback::Timeout;

use super::App;
use crate::msg::Msg;
use crate::page;
use crate::panels::notices::Notice;
use crate::panels::result::RUN_IT;
use crate::workers::{self, Heard, Helper, Place};
use zvmlab::experiment::Phase;
use zvmlab_lab::batch::crew::is_large;
use zvmlab_lab::batch::queue::{Order, Parked, Purpose};
use zvmlab_lab::bench::export::{self, Format};
use zvmlab_lab::embed::Refusal;
use zvmlab_lab::evidence::Settled;
use zvmlab_lab::machine::Frame;
use zvmlab_lab::room::Anchor;
use zvmlab_lab::subjects::headline;
use zvmlab_lab::worker::early::Early;
use zvmlab_lab::worker::wire::{Answer, Job, SoFar};

/// Failures of a worker in a row after which it does not start again by itself.
const FAILURES_MAX: u32 = 2;
/// Milliseconds of wall time after which the page says how far an experiment is. Chosen: whoever drags a knob of a small host needs
/// no words.
const WORDS_MS: f64 = 700.0;
/// Pause before a result is announced. While a knob is dragged, only the last result is worth it.
const ANNOUNCE_MS: u32 = 700;

/// Most experiments that run at once. Chosen: two replications more each second are not worth the storage of more workers.
const WORKERS_MAX: usize = 4;

/// How many experiments run at once. A page without workers does one after the other.
pub fn workers_at_once(place: Place) -> usize {
    let processors = page::window().map_or(1.0, |window| window.navigator().hardware_concurrency());
    if place == Place::Workers { (processors as usize).clamp(1, WORKERS_MAX) } else { 1 }
}

/// A worker with its number. Messages of an earlier worker do not count.
struct Numbered {
    number: u64,
    helper: Helper,
}

/// Runs whole experiments.
#[derive(Default)]
pub struct Experimenter {
    /// The workers, by their places in the queue; none if they could not be started, or failed too often.
    helpers: Vec<Numbered>,
    /// One more, which has nothing to do: it takes the place of one that ends.
    spare: Option<Numbered>,
    /// How many workers were started.
    started: u64,
    /// Failures in a row.
    pub failures: u32,
    /// Wall time of the last experiment, in milliseconds.
    pub took_ms: f64,
    /// Due when an outdated experiment may have run for too long.
    pub look_again: Option<Timeout>,
    /// How often something new was known of the experiment under way.
    pub told: u64,
    /// How far the experiment is that the knobs ask for, if the reader waits for it.
    pub so_far: Option<Rc<SoFar>>,
    /// Its first figures, and the phase in which it is.
    pub early: Option<(Phase, Early)>,
    /// The picture of that.
    pub frame: Option<Frame>,
    /// Whether the reader stopped it.
    pub stopped: bool,
    /// What the reader stopped, and its worker, which holds it until it goes on or something else is wanted.
    parked: Option<(Parked, Numbered)>,
    /// When the page began to show what it heard of a run under way, if it still does so; wall time in milliseconds.
    shows_since_ms: Option<f64>,
    /// When it shows the next of it at the earliest.
    shows_again_ms: f64,
}

impl Experimenter {
    /// Whether there are no workers.
    pub fn is_down(&self) -> bool {
        self.helpers.is_empty()
    }

    /// The page has been drawn. It spends no more than a tenth of its time on runs under way, however slow the browser.
    pub fn drawn(&mut self, now_ms: f64) {
        if let Some(since_ms) = self.shows_since_ms.take() {
            self.shows_again_ms = now_ms + 9.0 * (now_ms - since_ms);
        }
    }

    /// Nothing is known of an experiment under way.
    fn forget(&mut self) {
        (self.so_far, self.early, self.frame) = (None, None, None);
        self.told += 1;
    }
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
        let known = self.bench.is_settled();
        // Of the host that the reader stopped nothing else is wanted either, until it goes on: more replications, or a comparison.
        let stays_stopped = self.experimenter.stopped && !known && !self.bench.queue.is_current_due();
        if stays_stopped && self.bench.problems.is_empty() {
            self.bench.queue.clear_replications();
            return self.write_address();
        }
        (self.experimenter.stopped, self.experimenter.parked) = (false, None);
        if !self.bench.is_turning() || self.bench.is_settled() {
            self.experimenter.forget();
        }
        // The reader has gone on from a bad link. From now on the address holds the bench.
        self.screen.notices.retain(|notice| !notice.is_bad_link());
        if known {
            self.experimenter.took_ms = 0.0;
            self.settled();
        }
        // After failures, the reader's next change counts as another try.
        self.start_if_down();
        workers::reader_goes_first(!self.quiet());
        self.pump();
        self.follow();
        if !known && !self.bench.is_turning() {
            // A change is not lost, even if its result never comes.
            self.write_address();
        }
    }

    /// The experiment that the knobs ask for has settled.
    fn settled(&mut self) {
        if self.bench.is_turning() {
            return;
        }
        self.watch_on();
        self.follow_figures();
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

    /// A worker of experiments, if one can be started. Else the reader is told why.
    fn start_experimenter(&mut self) -> Option<Numbered> {
        self.experimenter.started += 1;
        let number = self.experimenter.started;
        match Helper::start(self.place, self.on.reform(move |heard| Msg::HearExperiment(number, heard))) {
            Ok(helper) => Some(Numbered { number, helper }),
            Err(reason) => {
                self.screen.notices.push(Notice::failure(reason));
                None
            }
        }
    }

    /// Starts all workers of experiments anew.
    pub(super) fn start_experimenters(&mut self) {
        self.experimenter.helpers.clear();
        for _ in 0..self.bench.queue.workers() {
            let Some(helper) = self.start_experimenter() else { return self.end_experimenters() };
            self.experimenter.helpers.push(helper);
        }
    }

    /// Starts workers if there are none. After failures this counts as another try.
    pub(super) fn start_if_down(&mut self) {
        if self.experimenter.is_down() {
            self.experimenter.failures = 0;
            self.start_experimenters();
        }
    }

    /// Ends all workers of experiments. What they run is lost.
    fn end_experimenters(&mut self) {
        self.experimenter.helpers.clear();
        (0..self.bench.queue.workers()).for_each(|worker| _ = self.bench.queue.ended(worker));
    }

    /// Ends a worker of experiments. The spare one takes its place.
    fn replace_experimenter(&mut self, worker: usize) {
        drop(self.take_experimenter(worker));
    }

    /// Takes a worker of experiments from its place. The spare one takes it.
    fn take_experimenter(&mut self, worker: usize) -> Option<Numbered> {
        let spare = self.experimenter.spare.take().or_else(|| self.start_experimenter());
        match (spare, self.experimenter.helpers.get_mut(worker)) {
            (Some(spare), Some(helper)) => Some(std::mem::replace(helper, spare)),
            _ => {
                self.end_experimenters();
                None
            }
        }
    }

    /// Has a worker to spare, so that the next change of a knob waits for none to start.
    fn keep_spare(&mut self) {
        if self.place == Place::Workers && self.experimenter.spare.is_none() && !self.experimenter.is_down() {
            self.experimenter.spare = self.start_experimenter();
        }
    }

    /// Gives workers the next experiments.
    pub(super) fn pump(&mut self) {
        self.follow_lesson();
        self.follow_trial();
        self.tell_console();
        self.feed_sweep();
        while !self.experimenter.is_down() {
            match self.bench.queue.order(page::now_ms()) {
                Order::Nothing => return,
                Order::Start(worker, request) => {
                    if let Some(Numbered { helper, .. }) = self.experimenter.helpers.get(worker) {
                        helper.post(&Job::Experiment { scenario: (*request.scenario).clone(), seed: request.seed });
                    }
                }
                Order::Replace(worker) => self.replace_experimenter(worker),
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
    pub(super) fn hear_experiment_of(&mut self, number: u64, heard: Heard) -> bool {
        let worker = self.experimenter.helpers.iter().position(|worker| worker.number == number);
        let parked = self.experimenter.parked.take_if(|(_, parked)| parked.number == number);
        match (worker, heard) {
            (None, Heard::Answer(Answer::Settled { result, wall_ms })) => {
                // It ended before it heard that it is to hold.
                let Some((Parked { request, .. }, _)) = parked else { return false };
                (self.experimenter.stopped, self.experimenter.took_ms) = (false, wall_ms);
                self.experimenter.forget();
                if self.bench.heard(&request, *result) {
                    self.settled();
                }
                self.pump();
            }
            (None, Heard::Answer(_)) => {
                self.experimenter.parked = parked;
                return false;
            }
            (Some(worker), Heard::Answer(Answer::SoFar(so_far))) => return self.hear_so_far(worker, *so_far),
            (Some(worker), heard) => self.hear_experiment(worker, heard),
            // Whoever lets it go on begins anew.
            (None, Heard::Failed(_)) if parked.is_some() => {}
            (None, Heard::Failed(_)) => self.experimenter.spare = None,
        }
        true
    }

    /// The reader does not want to wait for what the knobs ask for. Its worker holds it, so that it can go on.
    pub(super) fn stop_experiment(&mut self) {
        self.experimenter.stopped = self.bench.queue.is_current_due();
        let so_far = self.experimenter.so_far.take();
        if let Some((worker, parked)) = self.bench.queue.park(page::now_ms())
            && let Some(helper) = self.take_experimenter(worker)
            && helper.helper.hold(true)
        {
            self.experimenter.parked = Some((parked, helper));
        }
        for worker in self.bench.queue.stop() {
            self.replace_experimenter(worker);
        }
        self.experimenter.forget();
        self.experimenter.so_far = so_far;
        self.pump();
        // The pressed button no longer exists.
        page::focus(RUN_IT);
    }

    /// The reader wants to wait after all. Where nothing is held, the experiment begins anew.
    pub(super) fn go_on_with_experiment(&mut self) {
        let key = self.bench.key();
        match self.experimenter.parked.take().filter(|(parked, _)| parked.request.key == key) {
            Some((parked, helper)) if !self.experimenter.is_down() && helper.helper.hold(false) => {
                self.experimenter.stopped = false;
                if let Some(before) = self.bench.queue.unpark(0, parked, page::now_ms()) {
                    self.bench.queue.add(before);
                }
                self.experimenter.helpers[0] = helper;
                // The pressed button no longer exists.
                page::focus(Anchor::Result.id());
                // What was stopped with it is wanted again: its replications, and the baseline.
                self.bench.put(self.bench.scenario.clone(), self.bench.seed);
                self.pump();
            }
            _ => self.try_again(),
        }
    }

    /// A worker tells how far it is, which is shown of what the knobs ask for, or asked for while one is dragged. Returns whether the page
    /// looks different for it beyond the result, which is told by itself: the picture shows it as long as there is no result.
    fn hear_so_far(&mut self, worker: usize, so_far: SoFar) -> bool {
        let request = self.bench.queue.runs(worker);
        let is_shown = match request.map(|request| request.purpose) {
            Some(Purpose::Current) => true,
            Some(Purpose::Passed) => self.bench.is_turning(),
            _ => false,
        };
        let scenario = request.map(|request| request.scenario.clone()).filter(|_| is_shown);
        if so_far.early.is_some() {
            self.bench.queue.told(worker);
            // An outdated experiment may give way from now on.
            self.pump();
        }
        let now_ms = page::now_ms();
        // The first figures are never left out.
        let is_first = so_far.early.is_some() && self.experimenter.early.is_none();
        let Some(scenario) = scenario.filter(|_| is_first || now_ms >= self.experimenter.shows_again_ms) else {
            return false;
        };
        let before = self.experimenter.frame.take();
        self.experimenter.frame = Some(Frame::so_far(scenario, &so_far, before.as_ref()));
        if let Some(early) = &so_far.early {
            self.experimenter.early = Some((so_far.progress.phase, early.clone()));
        }
        // Picture and first figures come at once; words are for whoever waits.
        let waits = self.bench.queue.running_ms(worker, now_ms) >= WORDS_MS;
        self.experimenter.so_far = waits.then(|| Rc::new(so_far));
        self.experimenter.told += 1;
        self.outcome.tell(self.under_way());
        if self.experimenter.early.is_some() {
            self.follow_figures();
        }
        let has_result = self.bench.settled.is_some();
        self.experimenter.shows_since_ms = (!has_result).then_some(now_ms);
        !has_result
    }

    fn hear_experiment(&mut self, worker: usize, heard: Heard) {
        let request = self.bench.queue.ended(worker);
        if request.as_ref().is_some_and(|request| matches!(request.purpose, Purpose::Current | Purpose::Passed)) {
            self.experimenter.forget();
        }
        if let (Heard::Answer(Answer::Refused(why)) | Heard::Failed(why), Some(request)) = (&heard, &request)
            && let Some(sweep) = self.sweeps.last_mut()
        {
            sweep.leave_out(&request.key, why);
        }
        match (heard, request) {
            (Heard::Answer(Answer::Settled { result, wall_ms }), Some(request)) => {
                self.experimenter.failures = 0;
                if matches!(request.purpose, Purpose::Current | Purpose::Passed | Purpose::Replication) {
                    self.experimenter.took_ms = wall_ms;
                }
                if let Some(sweep) = self.sweeps.last_mut() {
                    sweep.heard(&request.key, &result);
                }
                self.screen.notices.retain(|notice| !notice.is_failure());
                if is_large(&request.scenario) {
                    self.replace_experimenter(worker);
                }
                let waited = !self.bench.is_complete();
                if self.bench.heard(&request, *result) {
                    self.settled();
                    self.keep_spare();
                } else if waited && self.bench.is_complete() {
                    // The last replication is in, and with it the verdict.
                    self.announce_soon();
                }
            }
            (Heard::Answer(Answer::Refused(reason)), _) => self.failed(reason),
            (Heard::Answer(_), _) => {}
            (Heard::Failed(reason), _) => {
                self.failed(reason);
                if self.experimenter.failures < FAILURES_MAX {
                    self.replace_experimenter(worker);
                } else {
                    self.end_experimenters();
                }
            }
        }
        self.pump();
    }

    /// A computation has failed: tells the reader and the parent page.
    pub(super) fn failed(&mut self, reason: String) {
        self.experimenter.failures += 1;
        self.tell_error(&serde_json::Value::Null, &Refusal::new("model", reason.clone()));
        self.screen.notices.retain(|notice| !notice.is_failure());
        self.screen.notices.push(Notice::failure(reason));
    }

    /// The reader wants another try after failures.
    pub(super) fn try_again(&mut self) {
        self.experimenter.failures = 0;
        self.screen.notices.retain(|notice| !notice.is_failure());
        self.end_live();
        self.end_experimenters();
        self.start_experimenters();
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
                self.screen.notices.push(Notice::warning("The browser does not let this page save files.".into()));
            }
        }
    }
}
