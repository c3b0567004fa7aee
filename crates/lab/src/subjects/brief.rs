//! The main knobs of a subject with their values in a few words, for the bar of a phone behind which all knobs are.

use zvmlab::scenario::fields::path::{self, room};
use zvmlab::{Scenario, order};

use super::Subject;
use crate::knob::changes::{same, value};
use crate::knob::{Knob, link, storbuf};
use crate::words::number::whole;

/// Most knobs that the bar names. Chosen: what fits on a line of 390 pixels.
const MOST: usize = 3;

/// Knobs with their short names, the most telling first.
const NAMES: &[(&str, &str)] = &[
    (path::LCU_ALIAS_SHARE, "share"),
    (path::GUESTS_IO_ZHPF, "guest zHPF"),
    (path::PAGING_KIND, "paging on"),
    (path::LCU_ALIASES, "aliases"),
    (path::PAGING_ZHPF, "zHPF"),
    (path::GUESTS_IO_RECORDS, "records"),
    (path::SCHEDULER_LIMITHARD, "LIMITHARD"),
    (path::GUESTS_SHARE_RELATIVE, "shares"),
    (path::DISPATCHER_DIAG44_FAST_PATH, "fast path"),
    (path::DISPATCHER_SPIN_LOCK, "spin lock"),
    (path::GUESTS_VIRTUAL_CPUS, "virtual CPUs"),
    (path::DISPATCHER_PLDV_FIX, "VM64887"),
    (path::DISPATCHER_VARY_FIX, "VM64767"),
    (path::PRSM_WEIGHT, "weight"),
    (path::CLUSTER_MEMBERS, "members"),
    (path::RELOCATION_MODE, "relocate"),
    (path::RELOCATION_ORDER, "order"),
    (path::RELOCATION_IMMEDIATE, "IMMEDIATE"),
    (path::GUESTS_COUNT, "guests"),
    (path::PROCESSORS_COUNT, "CPUs"),
    (path::STORAGE_CENTRAL_MB, "storage"),
    (path::PAGING_VOLUMES, "page volumes"),
    (path::LEVEL, "z/VM"),
    (path::STORAGE_EXPANDED_MB, "expanded"),
    (path::STORAGE_COALESCING, "VM64795"),
    (path::STORAGE_RELEASE_EXCLUSIVE, "PTIL exclusive"),
    (path::STORAGE_BELOW_PERCENT, "from below 2 GB"),
    (path::GUESTS_REORDER, "reorder"),
    (path::MINIDISKS_MDC_MB, "MDC"),
];

/// The subject's main knobs: `aliases 4 · zHPF off · guests 8`.
pub fn brief(subject: &Subject, scenario: &Scenario) -> String {
    let is_main = |knob: &Knob| knob.exists(scenario) && subject.is_main(knob, scenario);
    let main = |path: &str| Knob::at(path, 0).is_some_and(|knob| is_main(&knob));
    // Several fields that people write as one value.
    let storbuf = storbuf::PATHS.iter().all(|path| main(path));
    let storbuf = storbuf.then(|| format!("STORBUF {}", storbuf::written(storbuf::numbers(scenario))));
    let of_link = link::CHPID_PATHS.iter().any(|path| main(path));
    let of_link = of_link.then(|| format!("link {}", link::words(&scenario.isfc)));
    // What the subject's own steps turn stands before what most hosts have.
    let (mut names, turned) = (NAMES.to_vec(), turned(subject));
    order::by_key(&mut names, |(path, _)| !turned.contains(path));
    let named = names.iter().filter_map(|(path, name)| Some(format!("{name} {}", values(path, scenario, is_main)?)));
    storbuf.into_iter().chain(of_link).chain(named).take(MOST).collect::<Vec<_>>().join(" · ")
}

/// The knobs that the steps of a subject turn, and the one that is worth a sweep, by their paths.
fn turned(subject: &Subject) -> Vec<&'static str> {
    let mut now = subject.base().unwrap_or_default();
    let mut turned = vec![(subject.swept)(&now)];
    for step in subject.chain.steps {
        let before = now.clone();
        (step.take)(&mut now);
        for (path, _) in NAMES {
            if Knob::at(path, 0).is_some_and(|knob| !same(knob.field, &before, &now, 0)) {
                turned.push(path);
            }
        }
    }
    turned
}

/// The value of a knob, or those of all groups of guests that have it, guests counted together; `None` if it is not a main knob.
fn values(at: &str, scenario: &Scenario, is_main: impl Fn(&Knob) -> bool) -> Option<String> {
    let groups = if room::holds(room::GUESTS, at) { scenario.guests.len() } else { 1 };
    let knobs = (0..groups).filter_map(|group| Knob::at(at, group)).filter(is_main);
    let mut values: Vec<String> = knobs.map(|knob| value(knob.field, scenario, knob.group)).collect();
    if at == path::GUESTS_COUNT && !values.is_empty() {
        return Some(whole(scenario.guests.iter().map(|group| u64::from(group.count)).sum()));
    }
    values.dedup();
    (!values.is_empty()).then(|| values.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::ready::scenario_of;
    use crate::subjects::SUBJECTS;

    fn of(id: &str) -> String {
        let scenario = scenario_of(id).expect("a ready experiment");
        brief(Subject::of(&scenario, Some(id)), &scenario)
    }

    #[test]
    fn the_bar_names_what_the_subject_is_about() {
        for (id, wanted) in [
            ("V4DVY000", "aliases 0 · zHPF off · guests 8"),
            ("STORBUF", "STORBUF 300 250 200 · guests 32 · CPUs 4"),
            ("CLASSES", "STORBUF 125 105 95 · guests 70 · CPUs 2"),
            ("LIMIT-LOW-MIN", "LIMITHARD CONSUMPTION · shares 10, 100 · guests 4"),
            ("MOVE", "link 2 × 8 Gb · IMMEDIATE off"),
            ("REORDER-OFF", "guests 16 · storage 576 MB · reorder off"),
            ("SEARCHES", "storage 20 GB · z/VM 6.1 · aliases 0"),
            ("EXPANDED", "storage 3 GB · expanded 1 GB · aliases 0"),
            ("CONTIGUOUS", "VM64795 off · aliases 0 · zHPF off"),
        ] {
            assert_eq!(of(id), wanted, "{id}");
        }
    }

    #[test]
    fn every_host_has_two_or_three_knobs_in_a_line() {
        for setup in SUBJECTS.iter().flat_map(|subject| subject.setups) {
            let brief = of(setup.id);
            assert!((2..=MOST).contains(&brief.split(" · ").count()), "{}: {brief}", setup.id);
            assert!(brief.chars().count() <= 70, "{}: {brief}", setup.id);
        }
    }

    #[test]
    fn each_short_name_is_of_a_knob() {
        for (path, name) in NAMES {
            assert!(Knob::at(path, 0).is_some(), "{path}: {name}");
        }
    }
}
