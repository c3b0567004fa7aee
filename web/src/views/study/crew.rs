//! The crew of a study: workers that run its experiments in the background, give way to the reader's own, and are replaced where they
//! fall silent.

use gloo_timers::callback::Timeout;
use yew::Callback;
use zvmlab::Scenario;

use crate::page;
use crate::workers::{Heard, Helper, Place};
use zvmlab_lab::batch::queue::Key;
use zvmlab_lab::worker::wire::{Answer, Job};

/// Experiments that run at once, at least and at most. Chosen: two are quick enough for most, more cost storage.
const SIZE: (u32, u32) = (2, 4);
/// Virtual storage of all the guests of all experiments that run at once, in MB. Chosen: about 100 MB of state in workers.
const STATE_MB_MAX: u64 = 262_144;
/// Wall time in milliseconds for which an experiment may go on while the reader's own is due.
const PATIENCE_MS: u32 = 150;
/// Wall time in milliseconds without an answer after which workers are given up and others started. Chosen: no experiment of
/// a study that runs unasked takes nearly as long.
const SILENT_MS: u32 = 60_000;
/// How often that is done before the study says so. Chosen.
const RESTARTS_MAX: u32 = 2;

/// What a crew tells the study that it works for.
pub enum News {
    /// A worker has said something: which one.
    Hear(u64, Heard),
    /// The reader's own experiment has waited long enough.
    GiveWay,
    /// Nothing has been heard for a long time.
    Silent,
}

/// A worker, and the experiment that it has.
struct Member {
    /// Its number, which no other worker of this crew ever had.
    number: u64,
    helper: Helper,
    job: Option<Key>,
}

/// The workers of one study.
pub struct Crew {
    place: Place,
    told: Callback<News>,
    members: Vec<Member>,
    started: u64,
    /// Why the crew can work no more, in words.
    pub failed: Option<String>,
    give_way: Option<Timeout>,
    /// Runs while something is awaited, anew after each answer.
    patience: Option<Timeout>,
    silent_ms: u32,
    restarts: u32,
}

impl Crew {
    /// A crew of nobody yet, that works at `place` and tells its news to `told`.
    pub fn new(place: Place, told: Callback<News>) -> Crew {
        Crew {
            place,
            told,
            members: Vec::new(),
            started: 0,
            failed: None,
            give_way: None,
            patience: None,
            silent_ms: SILENT_MS,
            restarts: 0,
        }
    }

    /// The same with so many milliseconds of patience.
    pub fn patient(self, silent_ms: u32) -> Crew {
        Crew { silent_ms, ..self }
    }

    /// Starts the first workers: they take a moment, in which the reader's own experiment is run.
    pub fn warm_up(&mut self) {
        while self.members.len() < SIZE.0 as usize && self.failed.is_none() {
            self.start();
        }
    }

    /// How many workers there are.
    pub fn size(&self) -> usize {
        self.members.len()
    }

    /// Whether a worker has this experiment.
    pub fn runs(&self, key: &Key) -> bool {
        self.members.iter().any(|member| member.job.as_ref() == Some(key))
    }

    /// Ends all workers: each holds the storage of its largest experiment.
    pub fn dismiss(&mut self) {
        self.members.clear();
        self.patience = None;
    }

    /// Ends the workers that run something; tells whether there was one.
    pub fn let_go(&mut self) -> bool {
        let all = self.members.len();
        self.members.retain(|member| member.job.is_none());
        self.patience = None;
        self.members.len() < all
    }

    /// Forgets that it ever failed.
    pub fn try_again(&mut self) {
        (self.failed, self.restarts) = (None, 0);
    }

    /// Nothing was heard for a long time. Whatever has become of the workers: those that are started now know nothing of it.
    pub fn is_silent(&mut self) {
        self.restarts += u32::from(self.let_go());
        if self.restarts > RESTARTS_MAX {
            self.failed = Some("The workers of the study do not answer.".into());
        }
    }

    /// The reader's own experiment is due: what runs may go on for a moment.
    pub fn hold_back(&mut self) {
        let works = self.members.iter().any(|member| member.job.is_some());
        if works && self.give_way.is_none() {
            let told = self.told.clone();
            self.give_way = Some(Timeout::new(PATIENCE_MS, move || told.emit(News::GiveWay)));
        }
    }

    /// The reader's own experiment is due no more.
    pub fn go_on(&mut self) {
        self.give_way = None;
    }

    /// Gives free workers of a crew of `size` experiments until `next`, told which are being run, has none more.
    pub fn employ(&mut self, size: usize, mut next: impl FnMut(&dyn Fn(&Key) -> bool) -> Option<(Key, Job)>) {
        while let Some((key, job)) = next(&|key| self.runs(key)) {
            let free = match self.members.iter().position(|member| member.job.is_none()) {
                Some(free) => free,
                None if self.members.len() >= size => break,
                None => {
                    self.start();
                    if self.failed.is_some() {
                        return;
                    }
                    self.members.len() - 1
                }
            };
            let member = &mut self.members[free];
            member.helper.post(&job);
            member.job = Some(key);
        }
        if self.patience.is_none() {
            let told = self.told.clone();
            self.patience = Some(Timeout::new(self.silent_ms, move || told.emit(News::Silent)));
        }
    }

    /// A worker has said something: the answer to its experiment, if it is one.
    pub fn hear(&mut self, number: u64, heard: Heard) -> Option<(Key, Answer)> {
        self.patience = None;
        let index = self.members.iter().position(|member| member.number == number)?;
        match heard {
            Heard::Failed(why) => {
                self.members.remove(index);
                self.failed = Some(why);
                None
            }
            Heard::Answer(answer) => Some((self.members[index].job.take()?, answer)),
        }
    }

    /// Starts a worker, or says why the browser starts none.
    fn start(&mut self) {
        self.started += 1;
        let number = self.started;
        match Helper::start(self.place, self.told.reform(move |heard| News::Hear(number, heard))) {
            Ok(helper) => self.members.push(Member { number, helper, job: None }),
            Err(why) => self.failed = Some(why),
        }
    }
}

/// How many experiments of a scenario run at once.
pub fn size(scenario: &Scenario) -> usize {
    let processors = page::window().map_or(1.0, |window| window.navigator().hardware_concurrency()) as u32;
    let virtual_mb: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.virtual_mb).sum();
    let room = (STATE_MB_MAX / virtual_mb.max(1)).clamp(1, u64::from(SIZE.1)) as u32;
    processors.saturating_sub(1).clamp(SIZE.0, SIZE.1).min(room) as usize
}
