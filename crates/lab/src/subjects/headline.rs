//! The figures that matter most for a host. They head its result and its summaries.

use zvmlab::Figure;
use zvmlab::scenario::Scenario;

use super::Subject;
use super::lead::{GROUP_CPU, Lead, lead};
use crate::comparison::{Finding, Pair};
use crate::words::number::{difference, difference_pct, value_of};
use zvmlab::order;

/// The figures of a relocation that did not complete; no other figures are known then.
const GIVEN_UP: &[Lead] = &[
    lead(Figure::QuiesceTimeWorst, "s stopped before it was given up", "s stopped"),
    lead(Figure::RelocationTotal, "s from VMRELOCATE to its end", "s in all"),
];

/// The leads that the result has, each with its pair.
pub fn shown<'a>(scenario: &Scenario, subject: &Subject, pairs: &'a [Pair]) -> Vec<(Lead, &'a Pair)> {
    let pair = |figure: Figure| pairs.iter().find(|pair| pair.figure == figure && pair.now.is_some());
    let known = |lead: Lead| pair(lead.figure).map(|pair| (lead, pair));
    let shown: Vec<_> = subject.leads(scenario).into_iter().filter_map(known).collect();
    match shown.is_empty() {
        true => GIVEN_UP.iter().cloned().filter_map(known).collect(),
        false => shown,
    }
}

/// Puts the leads that changed most first, if there is a result to compare with. All leads have one unit.
pub fn most_changed_first(leads: &mut [(Lead, &Pair)]) {
    let change = |pair: &Pair| pair.before.zip(pair.now).map_or(0.0, |(before, now)| (now - before).abs());
    order::by(leads, |(_, one), (_, other)| change(other).total_cmp(&change(one)));
}

/// The result in a sentence, for screen readers.
pub fn told(scenario: &Scenario, subject: &Subject, pairs: &[Pair]) -> String {
    let one = |(lead, pair): (Lead, &Pair)| {
        let now = pair.now?;
        let compared = pair.before.and_then(|before| difference(before, now));
        let compared = compared.map_or(String::new(), |compared| format!(", {compared} against A"));
        Some(format!("{} {}{compared}.", value_of(lead.figure, Some(now)), lead.words))
    };
    shown(scenario, subject, pairs).into_iter().filter_map(one).collect::<Vec<_>>().join(" ")
}

/// A smaller difference in percent may be chance. Chosen: another seed alone moves the ETRs of SET CU by up to 3 %.
pub const NOISE_PERCENT: f64 = 3.0;

/// The effect of the change on the main figures, in a sentence: figures that moved by more than chance would.
pub fn effect(scenario: &Scenario, subject: &Subject, pairs: &[Pair]) -> String {
    let leads = shown(scenario, subject, pairs);
    if leads.iter().any(|(_, pair)| pair.is_waiting()) {
        return "The effect is told when all replications are in.".into();
    }
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
    use crate::subjects::SUBJECTS;
    use crate::subjects::paging::PAGING;
    use crate::subjects::prsm::PRSM;
    use crate::subjects::set_cu::SET_CU;
    use crate::subjects::shares::SHARES;

    fn pair(figure: Figure, before: Option<f64>, now: Option<f64>) -> Pair {
        Pair { figure, before, so_far: None, now, interval: None, difference: None }
    }

    #[test]
    fn each_subject_is_headed_by_figures_that_its_published_runs_have() {
        for &subject in SUBJECTS {
            let published = crate::published::runs().into_iter().find(|run| run.id == subject.start());
            let Some(published) = published else { continue };
            let first = &subject.leads(&published.scenario)[0];
            assert!(published.value(first.figure).is_some(), "{}", subject.title);
        }
    }

    /// A host's own sentence spells its ETR out where it first stands.
    #[test]
    fn etr_is_spelled_out_where_it_first_stands() {
        for setup in SUBJECTS.iter().flat_map(|subject| subject.setups) {
            let scenario = crate::published::ready::scenario_of(setup.id).expect("a ready experiment");
            let leads = Subject::of(&scenario, Some(setup.id)).leads(&scenario);
            let first = leads.iter().find(|lead| lead.words.contains("ETR"));
            assert!(first.is_none_or(|lead| lead.words.contains("external throughput rate")), "{}: {first:?}", setup.id);
        }
    }

    #[test]
    fn each_host_of_each_subject_is_headed_by_few_figures() {
        for &subject in SUBJECTS {
            for setup in subject.setups {
                let leads = subject.leads(&crate::published::ready::scenario_of(setup.id).expect("a ready experiment"));
                assert!((1..=4).contains(&leads.len()), "{}: {leads:?}", setup.id);
            }
        }
    }

    #[test]
    fn each_subject_of_relocation_is_headed_by_what_it_is_about() {
        let first = |id: &str| {
            let scenario = crate::published::ready::scenario_of(id).expect("a ready experiment");
            Subject::of(&scenario, Some(id)).leads(&scenario)[0].figure
        };
        assert_eq!(first("MOVE"), Figure::QuiesceTime);
        assert_eq!(first("CONSTRAINED"), Figure::RelocationTime);
        assert_eq!(first("TWENTY-FIVE"), Figure::RelocationTotal);
        assert_eq!(first("EVACUATION"), Figure::RelocationTotal);
        assert_eq!((first("BOUNCE"), first("CLUSTER")), (Figure::RelocationsCompleted, Figure::Etr));
    }

    #[test]
    fn a_share_stands_beside_the_cpu_that_the_group_had() {
        let scenario = SHARES.base().expect("a published run");
        let words: Vec<String> = SHARES.leads(&scenario).into_iter().map(|lead| lead.words.into_owned()).collect();
        assert_eq!(words[0], "% of the partition: LINUX01 (share 16.67 %)");
        assert_eq!(words[3], "% of the partition: LINUX04 (share 33.33 %)");
        let limited = crate::published::ready::scenario_of("LIMIT-SUM").expect("an example");
        assert!(SHARES.leads(&limited)[0].words.ends_with("at most 40 %)"), "{:?}", SHARES.leads(&limited)[0]);
        let prsm = PRSM.base().expect("an example");
        assert!(PRSM.leads(&prsm)[1].words.contains("entitled to 200 %"), "{:?}", PRSM.leads(&prsm)[1]);
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
        let waiting = Pair { so_far: Some(100.0), ..pair(Figure::MdiskEtr, None, Some(102.0)) };
        assert!(super::effect(&set_cu, SET_CU, &[waiting]).ends_with("when all replications are in."));
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
            "7.000 transactions a second of minidisk I/O (external throughput rate, MDISK ETR). 100.0 transactions a second of guests that page (paging ETR), +100 % against A."
        );
        assert_eq!(told(&Scenario::default(), PAGING, &pairs).matches('.').count(), 2);
        let mut none = set_cu;
        none.lcu.aliases = 0;
        assert_eq!(SET_CU.leads(&none).len(), 2, "no I/O holds an alias where there are none");
    }
}
