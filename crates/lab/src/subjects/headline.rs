//! The figures that matter most to a host: by which its result is headed, told and summed up. Knows no browser.

pub mod relocation;

use std::borrow::Cow;

use zvmlab::adviser::entitled;
use zvmlab::scenario::{LimitType, Scenario};
use zvmlab::scheduler::normalised_shares;
use zvmlab::{Figure, Snapshot, scenario};

use crate::comparison::{Finding, Pair};
use crate::subjects::{LOCKS, PLDV, PRSM, SHARES, STORBUF, Subject, pages};
use crate::words::number::{difference, difference_pct, trimmed, value_of};

/// A figure with its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lead {
    /// Which figure.
    pub figure: Figure,
    /// What stands behind the number: `transactions a second (ETR)`.
    pub words: Cow<'static, str>,
    /// What it is called where there is little room.
    pub short: Cow<'static, str>,
}

const fn lead(figure: Figure, words: &'static str, short: &'static str) -> Lead {
    Lead { figure, words: Cow::Borrowed(words), short: Cow::Borrowed(short) }
}

const ETR: Lead = lead(Figure::Etr, "transactions a second (ETR)", "ETR");

const PAGING: &[Lead] = &[ETR];

/// Guests that think set their pace by themselves: how long they wait says more than how much they do.
const THINKING: &[Lead] = &[
    lead(Figure::PagingResponse, "ms response time of a paging I/O", "ms response"),
    lead(Figure::ServiceTime, "ms service time of a paging I/O", "ms service"),
    lead(Figure::PageWait, "% of the guests’ time in page wait", "% page wait"),
    ETR,
];

const SET_CU: &[Lead] = &[
    lead(Figure::MdiskEtr, "MDISK ETR, transactions a second", "MDISK"),
    lead(Figure::Etr, "paging ETR, transactions a second", "paging"),
    lead(Figure::MdiskAliases, "aliases held by MDISK", "aliases MDISK"),
    lead(Figure::PagingAliases, "aliases held by paging", "aliases paging"),
];

/// The same where there are no aliases to hold.
const BOTH: &[Lead] = SET_CU.split_at(2).0;

const IO: &[Lead] = &[
    lead(Figure::MdiskVolumeRate, "I/Os a second on a volume", "I/Os/s"),
    lead(Figure::MdiskServiceTime, "ms service time of an I/O", "ms service"),
    lead(Figure::MdiskCpTime, "µs CP CPU for each I/O", "µs CP"),
];

/// The same with a minidisk cache: what it serves never comes to a volume, so the volumes' rate is not the guests'.
const IO_CACHED: &[Lead] = &[
    lead(Figure::MdiskEtr, "I/Os a second that guests get (MDISK ETR)", "MDISK ETR"),
    lead(Figure::MdiskVolumeRate, "I/Os a second that come to a volume", "on a volume"),
    lead(Figure::MdiskServiceTime, "ms service time of those", "ms service"),
    lead(Figure::MdiskCpTime, "µs CP CPU for each I/O of a guest", "µs CP"),
];

const ELIGIBLE: &[Lead] = &[
    ETR,
    lead(Figure::EligibleGuests, "guests in the eligible list", "eligible"),
    lead(Figure::PagesPerSecond, "pages read and written a second", "pages/s"),
    lead(Figure::ResponseTime, "ms response time", "ms response"),
];

const DIAG44: &[Lead] = &[
    lead(Figure::Diag44Normal, "Diag X'44' a second, normal path", "normal"),
    lead(Figure::Diag44Fast, "Diag X'44' a second, fast path", "fast"),
    lead(Figure::CpTimePerTransaction, "µs CP CPU for each transaction", "µs CP"),
    lead(Figure::GuestTimePerTransaction, "µs guest CPU for each transaction", "µs guest"),
];

const SPIN: &[Lead] = &[
    ETR,
    lead(Figure::CpSpin, "% of a processor spinning for locks of CP", "% spin"),
    lead(Figure::CpDiag44, "Diag X'44' to PR/SM a second", "Diag 44"),
    lead(Figure::CpDiag9c, "Diag X'9C' to PR/SM a second", "Diag 9C"),
];

/// The same where the partition has its processors to itself: nobody is asked to run another.
const SPIN_DEDICATED: &[Lead] = SPIN.split_at(2).0;

const FORGOTTEN: &[Lead] = &[
    ETR,
    lead(Figure::ForgottenWork, "ready virtual CPUs while a processor has nothing to do", "forgotten"),
    lead(Figure::ReadyWait, "% of the guests’ time ready, waiting to run", "% ready"),
    lead(Figure::Utilization, "% of the processors busy", "% busy"),
];

/// Without the response time: it is that of the few that still end.
const PILED_UP: &[Lead] = &[
    ETR,
    lead(Figure::SimulationWait, "% of the guests’ time in simulation wait", "% sim. wait"),
    lead(Figure::Utilization, "% of the processors busy", "% busy"),
];

/// Figures of the CPU of groups of guests, the first group's first.
pub const GROUP_CPU: [Figure; 4] = [Figure::Group1Cpu, Figure::Group2Cpu, Figure::Group3Cpu, Figure::Group4Cpu];

/// The CPU of each group, beside what it is entitled to and may have at most.
fn shares(scenario: &Scenario) -> Vec<Lead> {
    let normalised = normalised_shares(scenario);
    let one = |((index, group), figure): ((usize, &scenario::GuestGroup), Figure)| {
        let entitled = normalised.get(index).map_or(0.0, |percent| percent * f64::from(group.count));
        let most = match group.limit_type {
            LimitType::NoLimit => String::new(),
            limit => {
                let most = trimmed(group.limit_absolute.as_f64() * f64::from(group.count));
                let soft = if limit == LimitType::LimitSoft { ", more if nobody else wants it" } else { "" };
                format!(", at most {most} %{soft}")
            }
        };
        Lead {
            figure,
            words: format!("% of the partition: {} (share {} %{most})", group.name, trimmed(entitled)).into(),
            short: format!("% {}", group.name).into(),
        }
    };
    scenario.guests.iter().enumerate().zip(GROUP_CPU).map(one).collect()
}

/// What the partition uses beside what it is entitled to, and what PR/SM takes.
fn partition(scenario: &Scenario) -> Vec<Lead> {
    let used = match entitled(scenario) {
        Some(entitled) => format!("% of a processor used (entitled to {} %)", trimmed(entitled * 100.0)).into(),
        None => Cow::Borrowed("% of a processor used"),
    };
    let used = Lead { figure: Figure::TotalBusy, words: used, short: "% used".into() };
    if !scenario.processors.shared {
        return vec![ETR, used];
    }
    vec![
        ETR,
        used,
        lead(Figure::PrsmOverhead, "% of a processor for PR/SM (%Ovhd)", "% PR/SM"),
        lead(Figure::Suspended, "logical processors that wait for a physical one", "waiting"),
    ]
}

/// The figures that head the result of `scenario`, which is about `subject`, the first before all others.
pub fn leads(scenario: &Scenario, subject: &Subject) -> Vec<Lead> {
    let leads = match (scenario.does_io(), pages(scenario)) {
        _ if subject.is_of_relocation() => return relocation::leads(scenario, subject),
        (false, _) if subject.is_of_processors() => return of_processors(scenario, subject),
        (false, true) if scenario.guests.iter().any(|group| group.think_ms > 0) => THINKING,
        (false, _) => PAGING,
        (true, true) if scenario.lcu.aliases > 0 => SET_CU,
        (true, true) => BOTH,
        (true, false) if scenario.minidisks.mdc_mb > 0 => IO_CACHED,
        (true, false) => IO,
    };
    leads.to_vec()
}

fn of_processors(scenario: &Scenario, subject: &Subject) -> Vec<Lead> {
    let locks = scenario.guests.iter().any(|group| group.lock_us > 0);
    match subject {
        _ if subject == STORBUF => ELIGIBLE.to_vec(),
        _ if subject == SHARES => shares(scenario),
        _ if subject == LOCKS && locks => DIAG44.to_vec(),
        _ if subject == LOCKS && scenario.processors.shared => SPIN.to_vec(),
        _ if subject == LOCKS => SPIN_DEDICATED.to_vec(),
        _ if subject == PRSM => partition(scenario),
        _ if subject == PLDV && scenario.dispatcher.vary_s > 0 => PILED_UP.to_vec(),
        _ => FORGOTTEN.to_vec(),
    }
}

/// Virtual CPUs that wait for the lock of VARY PROCESSOR at the end of a run, with what stands behind their number: they are what
/// there is to see where it is entered. No figure: it is no mean.
pub fn behind_vary(scenario: &Scenario, snapshot: &Snapshot) -> Option<(u32, &'static str)> {
    let words = match snapshot.locks.vary_held && !scenario.dispatcher.vary_fix {
        true => "virtual CPUs behind the lock of VARY PROCESSOR, which nobody gives back",
        false => "virtual CPUs behind the lock of VARY PROCESSOR",
    };
    (scenario.dispatcher.vary_s > 0).then_some((snapshot.locks.vary_waiting, words))
}

/// The leads that the result has, each with its pair.
pub fn shown<'a>(scenario: &Scenario, subject: &Subject, pairs: &'a [Pair]) -> Vec<(Lead, &'a Pair)> {
    let pair = |figure: Figure| pairs.iter().find(|pair| pair.figure == figure && pair.now.is_some());
    let known = |lead: Lead| pair(lead.figure).map(|pair| (lead, pair));
    let shown: Vec<_> = leads(scenario, subject).into_iter().filter_map(known).collect();
    match shown.is_empty() {
        true => relocation::GIVEN_UP.iter().cloned().filter_map(known).collect(),
        false => shown,
    }
}

/// Puts those that changed most before the others, where there is something to compare with: leads of one unit.
pub fn most_changed_first(leads: &mut [(Lead, &Pair)]) {
    let change = |pair: &Pair| pair.before.zip(pair.now).map_or(0.0, |(before, now)| (now - before).abs());
    leads.sort_by(|(_, one), (_, other)| change(other).total_cmp(&change(one)));
}

/// The result in a sentence, for those who hear it.
pub fn told(scenario: &Scenario, subject: &Subject, pairs: &[Pair]) -> String {
    let one = |(lead, pair): (Lead, &Pair)| {
        let now = pair.now?;
        let compared = pair.before.and_then(|before| difference(before, now));
        let compared = compared.map_or(String::new(), |compared| format!(", {compared} against the result before"));
        Some(format!("{} {}{compared}.", value_of(lead.figure, Some(now)), lead.words))
    };
    shown(scenario, subject, pairs).into_iter().filter_map(one).collect::<Vec<_>>().join(" ")
}

/// Difference in percent of one run from another that says nothing. Chosen: another seed alone moves the ETRs of SET CU by up to 3 %.
const NOISE_PERCENT: f64 = 3.0;

/// What the change did to the main figures, in a sentence: those that moved by more than chance moves them.
pub fn effect(scenario: &Scenario, subject: &Subject, pairs: &[Pair]) -> String {
    let leads = shown(scenario, subject, pairs);
    let both = leads.iter().any(|(lead, _)| lead.figure == Figure::MdiskEtr);
    let one = |(lead, pair): &(Lead, &Pair)| {
        let (before, now) = (pair.before?, pair.now?);
        let percent = difference_pct(before, now)?;
        let moved = match pair.finding() {
            Finding::Unknown => percent.abs() >= NOISE_PERCENT,
            Finding::Distinguishable => percent.abs() >= 0.05,
            Finding::NotDistinguishable => false,
        };
        let label = match lead.figure {
            Figure::Etr if both => "Paging ETR".into(),
            figure if GROUP_CPU.contains(&figure) => lead.short.replacen("% ", "CPU of ", 1),
            figure => figure.label().into(),
        };
        moved.then(|| format!("{label} {}", difference(before, now).unwrap_or_default()))
    };
    let moved: Vec<String> = leads.iter().filter_map(one).collect();
    match moved.as_slice() {
        [] => "In this simulation hardly anything changes.".into(),
        moved => format!("In this simulation: {}.", moved.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::{PAGING, SET_CU, SUBJECTS};

    fn pair(figure: Figure, before: Option<f64>, now: Option<f64>) -> Pair {
        Pair { figure, before, now, interval: None, difference: None }
    }

    #[test]
    fn each_subject_is_headed_by_figures_that_its_published_runs_have() {
        for subject in SUBJECTS {
            let published = crate::published::runs().into_iter().find(|run| run.id == subject.start());
            let Some(published) = published else { continue };
            let first = &leads(&published.scenario, subject)[0];
            assert!(published.value(first.figure).is_some(), "{}", subject.title);
        }
    }

    #[test]
    fn each_host_of_each_subject_is_headed_by_few_figures() {
        for subject in SUBJECTS {
            for setup in subject.setups {
                let leads = leads(&crate::published::ready::scenario_of(setup.id).expect("a ready experiment"), subject);
                assert!((1..=4).contains(&leads.len()), "{}: {leads:?}", setup.id);
            }
        }
    }

    #[test]
    fn a_share_stands_beside_the_cpu_that_the_group_had() {
        let scenario = SHARES.base().expect("a published run");
        let words: Vec<String> = leads(&scenario, SHARES).into_iter().map(|lead| lead.words.into_owned()).collect();
        assert_eq!(words[0], "% of the partition: LINUX01 (share 16.67 %)");
        assert_eq!(words[3], "% of the partition: LINUX04 (share 33.33 %)");
        let limited = crate::published::ready::scenario_of("LIMIT-SUM").expect("an example");
        assert!(leads(&limited, SHARES)[0].words.ends_with("at most 40 %)"), "{:?}", leads(&limited, SHARES)[0]);
        let prsm = PRSM.base().expect("an example");
        assert!(leads(&prsm, PRSM)[1].words.contains("entitled to 200 %"), "{:?}", leads(&prsm, PRSM)[1]);
    }

    #[test]
    fn what_changed_most_comes_first() {
        let scenario = SHARES.base().expect("a published run");
        let pairs: Vec<Pair> = GROUP_CPU
            .into_iter()
            .zip([(24.0, 17.0), (24.0, 24.0), (49.0, 64.0), (3.0, 3.0)])
            .map(|(figure, (before, now))| pair(figure, Some(before), Some(now)))
            .collect();
        let mut leads = shown(&scenario, SHARES, &pairs);
        most_changed_first(&mut leads);
        let short: Vec<&str> = leads.iter().map(|(lead, _)| &*lead.short).collect();
        assert_eq!(short, ["% LINUX03", "% LINUX01", "% LINUX02", "% LINUX04"]);
    }

    #[test]
    fn behind_the_lock_of_vary_stand_those_who_wait_for_ever() {
        let mut scenario = crate::published::ready::scenario_of("VARY").expect("an example");
        let mut snapshot = Snapshot::default();
        (snapshot.locks.vary_held, snapshot.locks.vary_waiting) = (true, 20);
        assert!(behind_vary(&scenario, &snapshot).is_some_and(|(count, said)| count == 20 && said.contains("nobody")));
        scenario.dispatcher.vary_fix = true;
        assert!(behind_vary(&scenario, &snapshot).is_some_and(|(_, said)| !said.contains("nobody")));
        scenario.dispatcher.vary_s = 0;
        assert_eq!(behind_vary(&scenario, &snapshot), None);
    }

    #[test]
    fn the_effect_of_advice_is_told_unless_it_may_be_chance() {
        let set_cu = SET_CU.base().expect("a published run");
        let effect = |mdisk: f64, paging: f64| {
            let pairs = [
                pair(Figure::MdiskEtr, Some(100.0), Some(mdisk)),
                pair(Figure::Etr, Some(100.0), Some(paging)),
                pair(Figure::MdiskAliases, Some(0.0), Some(0.0)),
            ];
            effect(&set_cu, SET_CU, &pairs)
        };
        assert_eq!(effect(102.0, 98.5), "In this simulation hardly anything changes.");
        assert_eq!(effect(102.0, 80.0), "In this simulation: Paging ETR −20.0 %.");
        assert_eq!(effect(150.0, 80.0), "In this simulation: MDISK ETR +50.0 %, Paging ETR −20.0 %.");
    }

    #[test]
    fn what_a_result_has_not_is_not_told() {
        let set_cu = SET_CU.base().expect("a published run");
        let pairs = [
            pair(Figure::Etr, Some(50.0), Some(100.0)),
            pair(Figure::MdiskEtr, None, Some(7.0)),
            pair(Figure::PagingAliases, None, None),
        ];
        assert_eq!(
            told(&set_cu, SET_CU, &pairs),
            "7.000 MDISK ETR, transactions a second. 100.0 paging ETR, transactions a second, +100 % against the result before."
        );
        assert_eq!(told(&Scenario::default(), PAGING, &pairs).matches('.').count(), 2);
        let mut none = set_cu;
        none.lcu.aliases = 0;
        assert_eq!(leads(&none, SET_CU).len(), 2, "nobody holds an alias where there is none");
    }
}
