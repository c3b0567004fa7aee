//! First figures of an experiment that still runs: what its host did since its interval began, or in the second half of the time
//! since the fill, and how far the parts of that time differ.

use borsh::{BorshDeserialize, BorshSerialize};
use zvmlab::kernel::statistics::{Confidence, Interval, over_parts, slope_interval};
use zvmlab::{Figure, Measurement, Snapshot};

/// Most states that are kept. When there are more, every second one goes. Chosen: so at least a quarter of them is in the second
/// half, enough parts for an interval.
const MARKS_MAX: usize = 32;
/// Fewest parts from which figures are made. Chosen: with fewer, Student's t makes any interval useless.
const PARTS_MIN: usize = 4;
/// A figure that changes by less than this share of it counts as steady. Chosen: so little is not seen.
const SEEN: f64 = 0.01;

/// Figures of transactions.
const OF_TRANSACTIONS: [Figure; 11] = [
    Figure::Etr,
    Figure::MdiskEtr,
    Figure::ClusterEtr,
    Figure::Itr,
    Figure::PagesPerTransaction,
    Figure::ChargeableCpPerTransaction,
    Figure::NonchargeableCpPerTransaction,
    Figure::GuestTimePerTransaction,
    Figure::CpTimePerTransaction,
    Figure::TotalTimePerTransaction,
    Figure::ResponseTime,
];

/// First figures.
#[derive(Clone, Debug, PartialEq, BorshSerialize, BorshDeserialize)]
pub struct Early {
    /// The figures of all parts together.
    measurement: Measurement,
    /// The figures of each part.
    parts: Vec<Measurement>,
    /// Whether they are of the time since the interval began.
    of_interval: bool,
    /// Whether figures of transactions are among them.
    of_transactions: bool,
}

impl Early {
    /// The value of a figure. What is counted from the begin of the interval on has none before, and what is of transactions none before
    /// guests have ended some.
    pub fn value(&self, figure: Figure) -> Option<f64> {
        if !self.of_transactions && OF_TRANSACTIONS.contains(&figure) {
            return None;
        }
        let value = self.measurement.get(figure)?;
        (self.of_interval || value > 0.0 && self.mean_of_parts(figure, value).is_some()).then_some(value)
    }

    /// The 95 % interval of the mean of a figure so far, from how far the parts differ; `None` if a part has no such figure, if it is no
    /// mean, or if it still rises or falls: where it will settle then, no part tells. Nor does any before the interval began: on eighteen
    /// hosts less than half of such intervals held the result.
    pub fn interval(&self, figure: Figure) -> Option<Interval> {
        if !self.of_interval {
            return None;
        }
        let value = self.value(figure)?;
        let parts = self.mean_of_parts(figure, value)?;
        if goes_on(value, &parts) {
            return None;
        }
        let interval = over_parts(value, &parts)?;
        // No figure is below zero.
        Some(Interval { low: interval.low.max(0.0), ..interval })
    }

    /// The values of a figure in the parts, with their lengths in s, if their mean is about the value of all. A count or a sum is several
    /// times as large as that of a part.
    fn mean_of_parts(&self, figure: Figure, value: f64) -> Option<Vec<[f64; 2]>> {
        let one = |part: &Measurement| Some([part.get(figure)?, part.to_s - part.from_s]);
        let parts: Vec<[f64; 2]> = self.parts.iter().map(one).collect::<Option<_>>()?;
        let mean = parts.iter().map(|[value, s]| value * s).sum::<f64>() / parts.iter().map(|[_, s]| s).sum::<f64>();
        (mean <= 2.0 * value && value <= 2.0 * mean).then_some(parts)
    }
}

/// Whether a figure of this value rises or falls from part to part, by more than chance explains and by what can be seen. Each part has its
/// value and its length.
fn goes_on(value: f64, parts: &[[f64; 2]]) -> bool {
    let mut from = 0.0;
    let middle = |&[value, length]: &[f64; 2]| {
        from += length;
        [from - length / 2.0, value]
    };
    let points: Vec<[f64; 2]> = parts.iter().map(middle).collect();
    let slope = slope_interval(&points, Confidence::Percent99);
    slope.is_some_and(|slope| !slope.contains(0.0) && (slope.mean * from).abs() > SEEN * value.abs())
}

/// Whether each group that works in cycles has ended as many as it has guests. Before, the group that is quickest is all that its host
/// seems to do.
fn have_gone_round(now: &Snapshot) -> bool {
    // For each group its guests, and their cycles.
    let mut groups: Vec<[u64; 2]> = Vec::new();
    for guest in now.guests.iter().filter(|guest| guest.in_cycles && !guest.away) {
        let at = guest.group as usize;
        groups.resize(groups.len().max(at + 1), [0; 2]);
        groups[at] = [groups[at][0] + 1, groups[at][1] + guest.cycles];
    }
    groups.iter().all(|[guests, cycles]| cycles >= guests)
}

/// Which first figures can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// None.
    Nothing,
    /// Those that are not of transactions.
    SomeFigures,
    /// All.
    Figures,
}

/// The states of a host on its way, evenly spaced in simulated time, from which first figures are made.
#[derive(Debug, Default)]
pub struct Marks {
    marks: Vec<Snapshot>,
    apart_ns: u64,
    /// Whether [`have_gone_round`].
    have_gone_round: bool,
}

impl Marks {
    /// Whether the state at this instant is worth keeping.
    pub fn wants(&self, now_ns: u64) -> bool {
        self.marks.last().is_none_or(|last| now_ns >= last.now_ns + self.apart_ns.max(1))
    }

    /// Keeps a state, later than all others.
    pub fn keep(&mut self, snapshot: Snapshot) {
        self.have_gone_round |= have_gone_round(&snapshot);
        self.marks.push(snapshot);
        if self.marks.len() > MARKS_MAX {
            let mut place = 0;
            self.marks.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            let spans = self.marks.windows(2).map(|pair| pair[1].now_ns - pair[0].now_ns);
            self.apart_ns = spans.max().unwrap_or_default();
        }
    }

    /// Which figures can be made at an instant: of the time since `begin_ns`, else of the second half of all the time.
    pub fn known(&self, now_ns: u64, begin_ns: Option<u64>) -> Known {
        match self.since(now_ns, begin_ns).count() >= PARTS_MIN {
            true if self.have_gone_round => Known::Figures,
            true => Known::SomeFigures,
            false => Known::Nothing,
        }
    }

    /// The first figures at the state `now`, of the same time.
    pub fn figures(&self, now: &Snapshot, begin_ns: Option<u64>) -> Early {
        let ends: Vec<&Snapshot> = self.since(now.now_ns, begin_ns).chain([now]).collect();
        let parts: Vec<Measurement> = ends.windows(2).map(|pair| Measurement::between(pair[0], pair[1])).collect();
        Early {
            measurement: Measurement::between(ends[0], now),
            parts,
            of_interval: begin_ns.is_some(),
            of_transactions: self.have_gone_round,
        }
    }

    /// The states of that time.
    fn since(&self, now_ns: u64, begin_ns: Option<u64>) -> impl Iterator<Item = &Snapshot> {
        let first_ns = self.marks.first().map_or(now_ns, |first| first.now_ns);
        let from_ns = begin_ns.unwrap_or(first_ns + now_ns.saturating_sub(first_ns) / 2);
        self.marks.iter().filter(move |mark| mark.now_ns >= from_ns && mark.now_ns < now_ns)
    }
}

#[cfg(test)]
mod tests {
    use zvmlab::{Scenario, Simulation};

    use super::*;

    /// A small host with states so many simulated milliseconds apart.
    fn seen(apart_ms: u64, count: u64) -> (Marks, Snapshot) {
        let mut scenario = Scenario::default();
        (scenario.storage.central_mb, scenario.guests[0].virtual_mb, scenario.guests[0].loop_mb) = (512, 128, 96);
        let mut simulation = Simulation::new(&scenario, 1).expect("valid");
        simulation.run_until_filled(zvmlab::kernel::time::Instant(u64::MAX / 2), u64::MAX);
        let (mut marks, start) = (Marks::default(), simulation.now());
        for at in 1..=count {
            simulation.run_until(start + zvmlab::kernel::time::Span(at * apart_ms * 1_000_000));
            let snapshot = simulation.snapshot();
            if marks.wants(snapshot.now_ns) {
                marks.keep(snapshot);
            }
        }
        simulation.run_until(start + zvmlab::kernel::time::Span((count + 1) * apart_ms * 1_000_000));
        (marks, simulation.snapshot())
    }

    #[test]
    fn first_figures_are_of_the_second_half_and_its_parts_make_it_up() {
        let (marks, now) = seen(50, 500);
        assert!(marks.marks.len() <= MARKS_MAX && marks.marks.len() > MARKS_MAX / 2, "{}", marks.marks.len());
        assert_eq!(marks.known(now.now_ns, None), Known::Figures);
        let early = marks.figures(&now, None);
        assert!(early.parts.len() >= MARKS_MAX / 4, "{}", early.parts.len());
        let all_s = (now.now_ns - marks.marks[0].now_ns) as f64 / 1e9;
        let length_s = early.measurement.to_s - early.measurement.from_s;
        assert!(length_s <= all_s / 2.0 && length_s > all_s / 4.0, "{length_s} of {all_s}");
        let of_parts: f64 = early.parts.iter().map(|part| part.to_s - part.from_s).sum();
        assert!((of_parts - length_s).abs() < 1e-6, "{of_parts} and {length_s}");
        assert_eq!(early.interval(Figure::Etr), None, "the host may still warm up");
        let of_interval = marks.figures(&now, Some(now.now_ns / 2));
        let etr = of_interval.value(Figure::Etr).expect("known");
        let interval = of_interval.interval(Figure::Etr).expect("known");
        assert!(interval.contains(etr) && interval.low < interval.high, "{etr} in {interval:?}");
        assert_eq!(early.value(Figure::QuiesceTime), None, "no guest is relocated");
    }

    #[test]
    fn what_still_rises_or_falls_has_no_interval() {
        let parts = |values: &[f64]| values.iter().map(|value| [*value, 0.5]).collect::<Vec<_>>();
        assert!(goes_on(14.0, &parts(&[10.0, 12.1, 13.9, 16.0, 18.1])), "it rises");
        assert!(goes_on(14.0, &parts(&[18.0, 16.0, 14.1, 12.0, 10.0])), "it falls");
        assert!(!goes_on(14.0, &parts(&[14.0, 13.0, 15.0, 13.2, 14.8])), "it goes to and fro");
        assert!(!goes_on(14.0, &parts(&[14.00, 14.01, 14.02, 14.03, 14.04])), "nobody sees it");
        assert!(!goes_on(0.0, &parts(&[0.0, 0.0, 0.0, 0.0])) && !goes_on(1.0, &parts(&[1.0, 2.0])));
    }

    #[test]
    fn transactions_are_told_once_each_group_has_ended_some() {
        let (seen, now) = seen(50, 20);
        let mut marks = Marks::default();
        let keep = |mark: &Snapshot, cycles: u64, marks: &mut Marks| {
            let mut mark = mark.clone();
            mark.guests.iter_mut().for_each(|guest| (guest.in_cycles, guest.cycles) = (true, cycles));
            marks.keep(mark);
        };
        seen.marks.iter().for_each(|mark| keep(mark, 0, &mut marks));
        assert_eq!(marks.known(now.now_ns, None), Known::SomeFigures);
        let early = marks.figures(&now, None);
        assert!(early.measurement.get(Figure::Etr).is_some() && early.value(Figure::TotalBusy).is_some());
        assert_eq!((early.value(Figure::Etr), early.interval(Figure::Etr)), (None, None));
        keep(&now, 1, &mut marks);
        assert_eq!(marks.known(now.now_ns, None), Known::Figures);
        assert!(marks.figures(&now, None).value(Figure::Etr).is_some());
    }

    #[test]
    fn nothing_is_told_of_too_few_states_or_of_the_time_before_the_interval() {
        let (marks, now) = seen(50, 20);
        assert_eq!(marks.known(now.now_ns, None), Known::Figures);
        assert_eq!(marks.known(now.now_ns, Some(now.now_ns - 100_000_000)), Known::Nothing, "two states are left");
        let from_ns = now.now_ns - 300_000_000;
        assert_eq!(marks.known(now.now_ns, Some(from_ns)), Known::Figures, "five states are left");
        let early = marks.figures(&now, Some(from_ns));
        assert!(early.measurement.from_s * 1e9 >= from_ns as f64);
        assert_eq!(Marks::default().known(now.now_ns, None), Known::Nothing);
    }
}
