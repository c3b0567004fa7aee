//! The figures that matter most to a host: by which its result is headed, told and summed up. Knows no browser.

use zvmlab::{Figure, Scenario};

use crate::comparison::{Finding, Pair};
use crate::format::{difference, difference_pct, number};
use crate::subject::pages;

/// A figure with its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lead {
    /// Which figure.
    pub figure: Figure,
    /// What stands behind the number: `transactions a second (ETR)`.
    pub words: &'static str,
    /// What it is called where there is little room.
    pub short: &'static str,
}

const ETR: Lead = Lead { figure: Figure::Etr, words: "transactions a second (ETR)", short: "ETR" };

const PAGING: &[Lead] = &[ETR];

/// Guests that think set their pace by themselves: how long they wait says more than how much they do.
const THINKING: &[Lead] = &[
    Lead { figure: Figure::PagingResponse, words: "ms response time of a paging I/O", short: "ms response" },
    Lead { figure: Figure::ServiceTime, words: "ms service time of a paging I/O", short: "ms service" },
    Lead { figure: Figure::PageWait, words: "% of the guests’ time in page wait", short: "% page wait" },
    ETR,
];

const SET_CU: &[Lead] = &[
    Lead { figure: Figure::MdiskEtr, words: "MDISK ETR, transactions a second", short: "MDISK" },
    Lead { figure: Figure::Etr, words: "paging ETR, transactions a second", short: "paging" },
    Lead { figure: Figure::MdiskAliases, words: "aliases held by MDISK", short: "aliases MDISK" },
    Lead { figure: Figure::PagingAliases, words: "aliases held by paging", short: "aliases paging" },
];

/// The same where there are no aliases to hold.
const BOTH: &[Lead] = SET_CU.split_at(2).0;

const IO: &[Lead] = &[
    Lead { figure: Figure::MdiskVolumeRate, words: "I/Os a second on a volume", short: "I/Os/s" },
    Lead { figure: Figure::MdiskServiceTime, words: "ms service time of an I/O", short: "ms service" },
    Lead { figure: Figure::MdiskCpTime, words: "µs CP CPU for each I/O", short: "µs CP" },
];

/// The same with a minidisk cache: what it serves never comes to a volume, so the volumes' rate is not the guests'.
const IO_CACHED: &[Lead] = &[
    Lead { figure: Figure::MdiskEtr, words: "I/Os a second that guests get (MDISK ETR)", short: "MDISK ETR" },
    Lead { figure: Figure::MdiskVolumeRate, words: "I/Os a second that come to a volume", short: "on a volume" },
    Lead { figure: Figure::MdiskServiceTime, words: "ms service time of those", short: "ms service" },
    Lead { figure: Figure::MdiskCpTime, words: "µs CP CPU for each I/O of a guest", short: "µs CP" },
];

/// The figures that head the result of `scenario`, the first before all others.
pub fn leads(scenario: &Scenario) -> &'static [Lead] {
    match (scenario.does_io(), pages(scenario)) {
        (false, true) if scenario.guests.iter().any(|group| group.think_ms > 0) => THINKING,
        (false, _) => PAGING,
        (true, true) if scenario.lcu.aliases > 0 => SET_CU,
        (true, true) => BOTH,
        (true, false) if scenario.minidisks.mdc_mb > 0 => IO_CACHED,
        (true, false) => IO,
    }
}

/// The leads that the result has, each with its pair.
pub fn shown<'a>(scenario: &Scenario, pairs: &'a [Pair]) -> Vec<(Lead, &'a Pair)> {
    let pair = |lead: &Lead| pairs.iter().find(|pair| pair.figure == lead.figure && pair.now.is_some());
    leads(scenario).iter().filter_map(|lead| Some((*lead, pair(lead)?))).collect()
}

/// The result in a sentence, for those who hear it.
pub fn told(scenario: &Scenario, pairs: &[Pair]) -> String {
    let one = |(lead, pair): (Lead, &Pair)| {
        let now = pair.now?;
        let compared = pair.before.and_then(|before| difference(before, now));
        let compared = compared.map_or(String::new(), |compared| format!(", {compared} against the result before"));
        Some(format!("{} {}{compared}.", number(now), lead.words))
    };
    shown(scenario, pairs).into_iter().filter_map(one).collect::<Vec<_>>().join(" ")
}

/// Difference in percent of one run from another that says nothing. Chosen: another seed alone moves the ETRs of SET CU by up to 3 %.
const NOISE_PERCENT: f64 = 3.0;

/// What the change did to the main figures, in a sentence: those that moved by more than chance moves them.
pub fn effect(scenario: &Scenario, pairs: &[Pair]) -> String {
    let leads = shown(scenario, pairs);
    let both = leads.iter().any(|(lead, _)| lead.figure == Figure::MdiskEtr);
    let one = |(lead, pair): &(Lead, &Pair)| {
        let (before, now) = (pair.before?, pair.now?);
        let percent = difference_pct(before, now)?;
        let moved = match pair.finding() {
            Finding::Unknown => percent.abs() >= NOISE_PERCENT,
            Finding::Distinguishable => percent.abs() >= 0.05,
            Finding::NotDistinguishable => false,
        };
        let label = if lead.figure == Figure::Etr && both { "Paging ETR" } else { lead.figure.label() };
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
    use crate::subject::SUBJECTS;

    fn pair(figure: Figure, before: Option<f64>, now: Option<f64>) -> Pair {
        Pair { figure, before, now, interval: None, difference: None }
    }

    #[test]
    fn each_subject_is_headed_by_figures_that_its_published_runs_have() {
        for subject in SUBJECTS {
            let published = crate::published::runs().into_iter().find(|run| run.id == subject.run).expect("a run");
            let first = leads(&published.scenario)[0];
            assert!(published.value(first.figure).is_some(), "{}", subject.title);
        }
    }

    #[test]
    fn the_effect_of_advice_is_told_unless_it_may_be_chance() {
        let set_cu = SUBJECTS[1].base().expect("a published run");
        let effect = |mdisk: f64, paging: f64| {
            let pairs = [
                pair(Figure::MdiskEtr, Some(100.0), Some(mdisk)),
                pair(Figure::Etr, Some(100.0), Some(paging)),
                pair(Figure::MdiskAliases, Some(0.0), Some(0.0)),
            ];
            effect(&set_cu, &pairs)
        };
        assert_eq!(effect(102.0, 98.5), "In this simulation hardly anything changes.");
        assert_eq!(effect(102.0, 80.0), "In this simulation: Paging ETR −20.0 %.");
        assert_eq!(effect(150.0, 80.0), "In this simulation: MDISK ETR +50.0 %, Paging ETR −20.0 %.");
    }

    #[test]
    fn what_a_result_has_not_is_not_told() {
        let set_cu = SUBJECTS[1].base().expect("a published run");
        let pairs = [
            pair(Figure::Etr, Some(50.0), Some(100.0)),
            pair(Figure::MdiskEtr, None, Some(7.0)),
            pair(Figure::PagingAliases, None, None),
        ];
        assert_eq!(
            told(&set_cu, &pairs),
            "7.000 MDISK ETR, transactions a second. 100.0 paging ETR, transactions a second, +100 % against the result before."
        );
        assert_eq!(told(&Scenario::default(), &pairs).matches('.').count(), 2);
        let mut none = set_cu;
        none.lcu.aliases = 0;
        assert_eq!(leads(&none).len(), 2, "nobody holds an alias where there is none");
    }
}
