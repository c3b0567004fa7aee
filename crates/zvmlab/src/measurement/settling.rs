//! Whether a host is steady: found from its own course, not assumed.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::value::value;
use super::{Figure, Measurement};
use crate::kernel::statistics::{Tally, transient};
use crate::kernel::time::{Instant, Span};
use crate::snapshot::Snapshot;

/// What the figures of an interval are good for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "snake_case")]
pub enum Steadiness {
    /// The host was steady: another interval would give the same figures.
    Steady,
    /// The host still changed when the warm-up could not be made longer.
    Drifts(Drift),
    /// Guests touch pages at random, and too few frames changed hands since the fill: which pages are in storage is still what the
    /// fill left. How often each frame did, on average.
    Young(f64),
    /// The budget of events was used up before the interval had its length. Its figures are of a shorter time.
    CutShort,
    /// The fill did not end within the budget of events.
    Filling,
    /// It was not judged: what is measured happens once, such as a relocation.
    NotJudged,
}

impl Steadiness {
    /// How often each frame must have changed hands, on average, before a host whose guests touch pages at random can be steady. The
    /// fill leaves the pages that were touched last, in order; it takes one turn until other pages are in storage. Chosen.
    pub const TURNS: f64 = 1.0;

    /// Its word in files and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Steadiness::Steady => "steady",
            Steadiness::Drifts(_) => "drifts",
            Steadiness::Young(_) => "young",
            Steadiness::CutShort => "cut_short",
            Steadiness::Filling => "filling",
            Steadiness::NotJudged => "not_judged",
        }
    }

    /// How the host still changed, if it did.
    pub const fn drift(self) -> Option<Drift> {
        match self {
            Steadiness::Drifts(drift) => Some(drift),
            _ => None,
        }
    }
}

/// How a host changed that was not steady.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Drift {
    /// The figure that changed most.
    #[cfg_attr(feature = "typescript", ts(type = "FigureId"))]
    pub figure: Figure,
    /// Its change in percent: from the first to the second half of the time that was kept.
    pub percent: f64,
}

impl Drift {
    /// A change that does not matter, in percent. Chosen. Nor does one that chance explains.
    pub const WITHIN: f64 = 2.0;
}

/// How an interval came about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Settling {
    /// What its figures are good for.
    pub state: Steadiness,
    /// Simulated seconds between the fill and the interval. It is more than the scenario's warm-up where that was too short.
    pub warmup_s: f64,
}

/// The figures that are judged: work done, paging and processors. A host whose work, paging and processor time are steady is
/// steady. So is what a read brings: the fill leaves long blocks in page space, and where guests touch pages at random, shorter ones take their
/// place slowly. That shows in how much work is done, too, but later than in the blocks: work varies more.
const JUDGED: [Figure; 5] =
    [Figure::Etr, Figure::MdiskEtr, Figure::PagesPerSecond, Figure::ReadBlocking, Figure::Utilization];

/// Those of them that do not matter where hardly anybody waits for pages.
const OF_PAGING: [Figure; 2] = [Figure::PagesPerSecond, Figure::ReadBlocking];

/// Batches of a judgement at first. They are doubled, and then joined in pairs, when the run goes on.
pub(crate) const BATCHES: usize = 64;

/// Page wait in percent of the guests' time below which paging does not matter. Chosen.
const PAGE_WAIT_MATTERS: f64 = 1.0;

/// Groups of batches in each half of what is left, from which the error of its mean is taken. Neighbouring batches depend on each
/// other; means of long groups hardly do.
const GROUPS: usize = 5;

/// A change that chance explains, in standard errors: Student's t of 99 % for the six degrees of freedom that the differences of ten
/// neighbouring groups have (2·(n − 1)² / (3·n − 4), von Neumann 1941).
const BY_CHANCE: f64 = 3.707;

/// Follows a run from the end of its fill and judges whether it is steady.
///
/// The time is cut into batches of equal length. Of each judged figure the batches that belong to the transient are dropped
/// ([`transient`], MSER). The host is steady if the two halves of what is left agree, and if the interval holds nothing of the
/// transient that would change its mean.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    /// Pages read until the end of the fill, where guests touch pages at random.
    read: Option<u64>,
    last: Snapshot,
    every: Span,
    means: [Vec<f64>; JUDGED.len()],
}

impl Judge {
    /// Judges from `at` on, where some guests touch pages at `random` or none does. The first judgement is due when `span` is over.
    pub fn new(at: Snapshot, random: bool, span: Span) -> Judge {
        let read = random.then_some(at.paging.ios.pages_read);
        Judge { read, last: at, every: Span((span.0 / BATCHES as u64).max(1)), means: Default::default() }
    }

    /// When the next batch ends.
    pub fn due(&self) -> Instant {
        Instant(self.last.now_ns) + self.every
    }

    /// A batch has ended.
    pub fn look(&mut self, now: Snapshot) {
        for (figure, means) in JUDGED.iter().zip(&mut self.means) {
            // A figure without a value in one batch has none in any, or nothing happened.
            means.push(value(*figure, &self.last, &now).filter(|value| value.is_finite()).unwrap_or(0.0));
        }
        self.last = now;
    }

    /// The run goes on: batches become twice as long.
    pub fn widen(&mut self) {
        self.every = Span(self.every.0 * 2);
        for means in &mut self.means {
            // All batches are equally long, so the mean of two means is the mean of both.
            *means = means.chunks_exact(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
        }
    }

    /// Whether the host was steady from `earlier`, the start of the interval, until now.
    pub fn state(&self, earlier: &Snapshot, interval: Span) -> Steadiness {
        // An interval that was cut short may hold no whole batch.
        let page_wait = (self.last.now_ns > earlier.now_ns).then(|| value(Figure::PageWait, earlier, &self.last));
        let pages_matter = page_wait.flatten().is_some_and(|percent| percent >= PAGE_WAIT_MATTERS);
        let drifts = self.drifts(interval).filter(|drift| pages_matter || !OF_PAGING.contains(&drift.figure));
        if let Some(drift) = drifts.max_by(|a, b| a.percent.abs().total_cmp(&b.percent.abs())) {
            return Steadiness::Drifts(drift);
        }
        let storage = &earlier.storage;
        let pageable = storage.installed_frames.saturating_sub(storage.cp_frames + storage.mdc_frames).max(1);
        let turns = self.read.map(|read| (earlier.paging.ios.pages_read - read) as f64 / pageable as f64);
        match turns {
            Some(turns) if turns < Steadiness::TURNS && pages_matter => Steadiness::Young(turns),
            _ => Steadiness::Steady,
        }
    }

    /// The figures that still change, and how. `interval` is the length of the interval, which ends now.
    fn drifts(&self, interval: Span) -> impl Iterator<Item = Drift> {
        let measured = interval.0.div_ceil(self.every.0) as usize;
        JUDGED.iter().zip(&self.means).filter_map(move |(&figure, means)| {
            let percent = changes(means, measured.min(means.len()))? * 100.0;
            Some(Drift { figure, percent })
        })
    }
}

/// The part by which a series of batch means still changes, if that matters and chance does not explain it. The last `measured`
/// batches are those of the interval.
fn changes(means: &[f64], measured: usize) -> Option<f64> {
    let dropped = transient(means);
    let (kept, interval) = (means.get(dropped..)?, means.get(means.len() - measured..)?);
    // As many batches as divide into groups; the first ones of the rest are left out.
    let long = kept.len() / (2 * GROUPS);
    let kept = kept.get(kept.len() - long * 2 * GROUPS..)?;
    let groups: Vec<f64> = kept.chunks_exact(long.max(1)).filter_map(mean).collect();
    let (first, second) = groups.split_at(groups.len() / 2);
    let [first, second] = [mean(first)?, mean(second)?];
    // From the differences of neighbours: a drift hardly shows in them, so it does not hide itself as the spread of a half would let it.
    let squares: Vec<f64> = groups.windows(2).map(|pair| (pair[1] - pair[0]) * (pair[1] - pair[0])).collect();
    let error = (mean(&squares)? / GROUPS as f64).sqrt();
    let whole = (first + second) / 2.0;
    let matters = |change: f64, error: f64| change.abs() > (Drift::WITHIN / 100.0 * whole.abs()).max(BY_CHANCE * error);
    let of = |value: f64| if value == 0.0 { whole } else { value };
    if matters(second - first, error) {
        return Some((second - first) / of(first));
    }
    let held = mean(interval)?;
    // A mean of both halves has half the error of their difference.
    let holds_transient = dropped > means.len() - measured && matters(whole - held, error / 2.0);
    holds_transient.then(|| (whole - held) / of(held))
}

fn mean(values: &[f64]) -> Option<f64> {
    tally(values).mean()
}

fn tally(values: &[f64]) -> Tally {
    let mut tally = Tally::default();
    values.iter().for_each(|&value| tally.add(value));
    tally
}

impl Measurement {
    /// The same, of an interval that came about in this way.
    pub fn settled(self, settling: Settling) -> Measurement {
        Measurement { settling: Some(settling), ..self }
    }

    /// Whether its figures are not those of a steady host: it still filled or changed, or was cut short.
    pub fn is_unsettled(&self) -> bool {
        self.settling.is_some_and(|settling| !matches!(settling.state, Steadiness::Steady | Steadiness::NotJudged))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Batch means that decay from twice their end with this time constant, in batches, with some noise that repeats.
    fn decaying(batches: usize, constant: f64) -> Vec<f64> {
        decaying_from(2.0, batches, constant)
    }

    /// The same, from this many times their end.
    fn decaying_from(times: f64, batches: usize, constant: f64) -> Vec<f64> {
        let noise = [0.01, -0.005, 0.0, 0.012, -0.013, 0.004, -0.008];
        let at = |batch: usize| 1.0 + (times - 1.0) * libm::exp(-(batch as f64) / constant) + noise[batch % noise.len()];
        (0..batches).map(at).collect()
    }

    #[test]
    fn a_transient_is_found_and_half_of_the_series_at_most() {
        assert_eq!(transient(&[]), 0);
        assert_eq!(transient(&[3.0; 20]), 0);
        let mut steps = vec![9.0; 7];
        steps.extend([1.0, 1.1, 0.9].repeat(20));
        assert_eq!(transient(&steps), 7);
        let rising: Vec<f64> = (0..40).map(f64::from).collect();
        assert_eq!(transient(&rising), 20);
    }

    #[test]
    fn a_slow_decay_is_not_steady_until_it_is_over() {
        // The interval is the last eighth. Of a decay over 40 batches, 64 are too few and 400 are enough.
        assert!(changes(&decaying(64, 40.0), 8).is_some_and(|change| change < -0.05));
        assert_eq!(changes(&decaying(400, 40.0), 50), None);
        assert_eq!(changes(&decaying(64, 0.1), 60), None, "a transient of one batch does not matter");
        assert!(changes(&decaying(64, 6.0), 64).is_some(), "it does where the interval holds all of it");
        assert_eq!(changes(&decaying(64, 3.0), 32), None, "but not where the warm-up holds it");
    }

    #[test]
    fn a_decay_does_not_hide_in_the_spread_of_its_own_halves() {
        // What is left after the transient falls by 3 % and by 8 %, and the first half of it spreads because it falls.
        assert!(changes(&decaying_from(6.0, 64, 8.0), 16).is_some_and(|change| change < -0.025));
        assert!(changes(&decaying_from(21.0, 128, 15.0), 16).is_some_and(|change| change < -0.07));
    }

    #[test]
    fn noise_is_no_drift() {
        let mut generator = crate::kernel::rng::Generator::new(7, "noise");
        let noisy = |generator: &mut crate::kernel::rng::Generator| -> Vec<f64> {
            (0..64).map(|_| generator.exponential(1.0)).collect()
        };
        let taken_for_drift = (0..1_000).filter(|_| changes(&noisy(&mut generator), 55).is_some()).count();
        assert!(taken_for_drift < 30, "{taken_for_drift} of 1,000");
    }

    #[test]
    fn joined_batches_have_the_mean_of_both() {
        let mut judge = Judge::new(Snapshot::default(), false, Span::from_secs(64));
        judge.means[0] = vec![1.0, 3.0, 5.0, 9.0];
        judge.widen();
        assert_eq!((judge.means[0].as_slice(), judge.every), ([2.0, 7.0].as_slice(), Span::from_secs(2)));
    }
}
