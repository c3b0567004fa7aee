//! Shared by the subjects of scheduler and processors: knobs that each of them has, and the words for guests and processors.

use zvmlab::scenario::fields::path;
use zvmlab::scenario::{GuestGroup, Scenario};

use crate::knob::Knob;

/// Whether the knob is shown unasked: knobs of every such host, and knobs that the subject names, given the group of guests of the
/// knob.
pub fn is_main(knob: &Knob, scenario: &Scenario, own: fn(&str, &Scenario, &GuestGroup) -> bool) -> bool {
    let Some(group) = scenario.guests.get(knob.group) else { return false };
    match knob.field.path {
        path::LEVEL | path::PROCESSORS_COUNT | path::GUESTS_COUNT => true,
        path::PRSM_SLICE_MS => scenario.processors.shared,
        // They stay hidden until the reader wants them.
        path::SCHEDULER_ELAPSED_SLICE_MS
        | path::DISPATCHER_MINOR_SLICE_MS
        | path::DISPATCHER_VECTOR_ENTRIES
        | path::DISPATCHER_RESHUFFLE_MS => true,
        path => own(path, scenario, group),
    }
}

/// The processors: how many, their capacity, and who shares them.
pub fn on(scenario: &Scenario) -> String {
    let what = logical(scenario);
    match (scenario.processors.shared, scenario.prsm.partitions) {
        (false, _) | (true, 0) => what,
        (true, 1) => format!("{what}, whose physical ones another partition shares,"),
        (true, others) => format!("{what}, whose physical ones {others} other partitions share,"),
    }
}

/// The processors without the partitions that share them: `4 processors at 70 % of capacity`.
pub fn logical(scenario: &Scenario) -> String {
    let (count, percent) = (scenario.processors.count, scenario.processors.capacity_percent);
    let kind = if scenario.processors.shared { "logical processor" } else { "processor" };
    let count = if count == 1 { format!("one {kind}") } else { format!("{count} {kind}s") };
    if percent < 100 { format!("{count} at {percent} % of capacity") } else { count }
}

/// The guests by name: `CLIENT (3 virtual CPUs) and 10 SERVER guests`.
pub fn who(groups: &[GuestGroup]) -> String {
    let one = |group: &GuestGroup| {
        let wide = match group.virtual_cpus {
            1 => String::new(),
            count => format!(" ({count} virtual CPUs{})", if group.count > 1 { " each" } else { "" }),
        };
        match group.count {
            1 => format!("{}{wide}", group.name),
            count => format!("{count} {} guests{wide}", group.name),
        }
    };
    let mut names: Vec<String> = groups.iter().map(one).collect();
    let last = names.pop().unwrap_or_default();
    if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::ready::{examples, scenario_of};
    use crate::subjects::Subject;
    use crate::subjects::shares::SHARES;

    fn told(id: &str, change: fn(&mut Scenario)) -> String {
        let mut scenario = scenario_of(id).expect("a ready experiment");
        change(&mut scenario);
        let subject = Subject::of(&scenario, Some(id));
        // A host of another part is told as one of shares: every host has guests and processors.
        let subject = if subject.is_of_processors() { subject } else { SHARES };
        (subject.introduction)(&scenario)
    }

    #[test]
    fn each_host_is_told_by_what_it_is_about() {
        for (id, wanted) in [
            ("STORBUF", &["32 LINUX guests touch 1 GB in all on a z/VM 6.2 host with 512 MB", "claim 300 %"][..]),
            ("Excess share, cured", &["LINUX01, LINUX02, LINUX03 and LINUX04 run on one processor", "in proportion"]),
            ("Excess share, fault", &["to one other guest: the fault"]),
            ("LIMIT-SUM", &["LIMITED may use at most 40 % (LIMITHARD)", "its consumption"]),
            ("APS9220", &["CLIENT (3 virtual CPUs) and 10 SERVER guests run on 4 processors of z/VM 5.1", "the whole path"]),
            ("APT9280", &["returns at once"]),
            ("SPIN-LOCK", &["12 logical processors, whose physical ones 3 other partitions share,", "names no processor"]),
            ("PRSM", &["entitled to 2 of 8 physical ones", "3 other partitions want their processors 70 %"]),
            ("PLDV", &["60 SERVER guests run on 4 processors of z/VM 6.1, each with a vector", "does not note"]),
            ("VARY", &["entered 10 s into the interval and never gives its lock back"]),
        ] {
            for part in wanted {
                assert!(told(id, |_| ()).contains(part), "{part}: {}", told(id, |_| ()));
            }
        }
        assert!(told("STORBUF", |scenario| scenario.level = zvmlab::scenario::Level::V6_4).contains("keeps no guest"));
        assert!(told("PRSM", |scenario| scenario.processors.shared = false).ends_with("run on 8 processors"));
        assert!(told("PLDV", |scenario| scenario.processors.capacity_percent = 70).contains("at 70 % of capacity"));
        for ready in examples() {
            assert!(!told(ready.example.id, |_| ()).ends_with('.'), "{}", ready.example.id);
        }
    }
}
