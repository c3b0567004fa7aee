//! What is on the bench where it is about the scheduler and processors.

use zvmlab::adviser::entitled;
use zvmlab::scenario::{GuestGroup, LimitHard, LimitType, Scenario, SpinLock};

use crate::host::{level_name, looped_mb};
use crate::subjects::{LOCKS, PLDV, PRSM, STORBUF, Subject};
use crate::words::number::{storage_mb, trimmed};

/// What is on the bench, without an end.
pub fn processors(scenario: &Scenario, subject: &Subject) -> String {
    match subject {
        _ if subject == STORBUF => storbuf(scenario),
        _ if subject == LOCKS => locks(scenario),
        _ if subject == PRSM => prsm(scenario),
        _ if subject == PLDV => pldv(scenario),
        _ => shares(scenario),
    }
}

fn storbuf(scenario: &Scenario) -> String {
    let host = format!(
        "{} touch {} all together on a {} host that has {}",
        who(&scenario.guests),
        storage_mb(looped_mb(scenario)),
        level_name(scenario.level),
        storage_mb(scenario.storage.central_mb)
    );
    let first = scenario.scheduler.storbuf_1;
    match scenario.level.keeps_eligible() {
        true => format!(
            "{host}; the working sets of those in Q1, Q2 and Q3 may claim {first} % of what is pageable, and who does not fit waits in the eligible list"
        ),
        false => format!("{host}; this level keeps nobody in the eligible list, whatever STORBUF says"),
    }
}

fn shares(scenario: &Scenario) -> String {
    let on = format!("{} run on {} of {}", who(&scenario.guests), on(scenario), level_name(scenario.level));
    let limited = scenario.guests.iter().find(|group| group.limit_type == LimitType::LimitHard);
    match (limited, scenario.scheduler.excess_fault) {
        (Some(limited), _) => {
            let way = match scenario.scheduler.limithard {
                LimitHard::Deadline => "deadlines",
                LimitHard::Consumption => "what it has consumed",
            };
            format!(
                "{on}; {} may have {} % at most (LIMITHARD), which CP finds out by {way}",
                limited.name, limited.limit_absolute
            )
        }
        (None, true) => format!("{on}; what a guest does not take of its share goes to one other guest, which is the fault"),
        (None, false) => format!("{on}; what a guest does not take of its share goes to the others in proportion"),
    }
}

fn locks(scenario: &Scenario) -> String {
    let on = format!("{} run on {} of {}", who(&scenario.guests), on(scenario), level_name(scenario.level));
    let own = scenario.guests.iter().find(|group| group.lock_us > 0 && group.virtual_cpus > 1);
    if let Some(own) = own {
        let path = match scenario.dispatcher.diag44_fast_path {
            true => "which returns at once where no other of them waits to run",
            false => "for which CP takes the whole path each time",
        };
        return format!("{on}; the virtual CPUs of {} that wait for its lock give way by Diag X'44', {path}", own.name);
    }
    let way = match scenario.dispatcher.spin_lock {
        SpinLock::Diag44 => "yields to PR/SM without saying to whom (Diag X'44')",
        SpinLock::Diag9c => "has PR/SM run the holder (Diag X'9C'), and spins if that runs",
    };
    format!("{on}; a logical processor that waits for a lock of CP {way}")
}

fn prsm(scenario: &Scenario) -> String {
    let (prsm, guests) = (&scenario.prsm, who(&scenario.guests));
    let Some(entitled) = entitled(scenario) else { return format!("{guests} run on {}", on(scenario)) };
    let others = match prsm.partitions {
        0 => "there is no other partition".into(),
        1 => format!("one other partition wants its own {} % of the time", prsm.other_busy_percent),
        count => format!("{count} other partitions want theirs {} % of the time", prsm.other_busy_percent),
    };
    format!(
        "{guests} run on {} of a partition that is entitled to {} of {} physical ones; {others}",
        logical(scenario),
        trimmed(entitled),
        prsm.physical
    )
}

fn pldv(scenario: &Scenario) -> String {
    let on = format!("{} run on {} of {}", who(&scenario.guests), on(scenario), level_name(scenario.level));
    let dispatcher = &scenario.dispatcher;
    if dispatcher.vary_s > 0 {
        let lock = if dispatcher.vary_fix { "gives its lock back" } else { "never gives its lock back" };
        return format!("{on}; VARY PROCESSOR is entered {} s into the interval and {lock}", dispatcher.vary_s);
    }
    let noted = if dispatcher.pldv_fix { "notes" } else { "does not note" };
    format!(
        "{on}, each with a vector (PLDV) of {} ready virtual CPUs; a reshuffle {noted} that vectors overflowed",
        dispatcher.vector_entries
    )
}

/// The processors: how many, what they do of their capacity, and who shares them.
fn on(scenario: &Scenario) -> String {
    let what = logical(scenario);
    match (scenario.processors.shared, scenario.prsm.partitions) {
        (false, _) | (true, 0) => what,
        (true, 1) => format!("{what}, whose physical ones another partition shares,"),
        (true, others) => format!("{what}, whose physical ones {others} other partitions share,"),
    }
}

fn logical(scenario: &Scenario) -> String {
    let (count, percent) = (scenario.processors.count, scenario.processors.capacity_percent);
    let kind = if scenario.processors.shared { "logical processor" } else { "processor" };
    let count = if count == 1 { format!("one {kind}") } else { format!("{count} {kind}s") };
    if percent < 100 { format!("{count} at {percent} % of capacity") } else { count }
}

/// The guests by name: `CLIENT (3 virtual CPUs) and 10 SERVER guests`.
pub(super) fn who(groups: &[GuestGroup]) -> String {
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

    fn told(id: &str, change: fn(&mut Scenario)) -> String {
        let mut scenario = scenario_of(id).expect("a ready experiment");
        change(&mut scenario);
        processors(&scenario, Subject::of(&scenario, Some(id)))
    }

    #[test]
    fn each_host_is_told_by_what_it_is_about() {
        for (id, wanted) in [
            ("STORBUF", &["32 LINUX guests touch 2 GB all together on a z/VM 6.2 host that has 1 GB", "claim 300 %"][..]),
            ("Excess share, cured", &["LINUX01, LINUX02, LINUX03 and LINUX04 run on one processor", "in proportion"]),
            ("Excess share, fault", &["which is the fault"]),
            ("LIMIT-SUM", &["LIMITED may have 40 % at most (LIMITHARD)", "what it has consumed"]),
            ("APS9220", &["CLIENT (3 virtual CPUs) and 10 SERVER guests run on 4 processors of z/VM 5.1", "the whole path"]),
            ("APT9280", &["returns at once"]),
            (
                "SPIN-LOCK",
                &["12 logical processors, whose physical ones 3 other partitions share,", "without saying to whom"],
            ),
            ("PRSM", &["entitled to 2 of 8 physical ones", "3 other partitions want theirs 70 %"]),
            ("PLDV", &["60 SERVER guests run on 4 processors of z/VM 6.1, each with a vector", "does not note"]),
            ("VARY", &["entered 10 s into the interval and never gives its lock back"]),
        ] {
            for part in wanted {
                assert!(told(id, |_| ()).contains(part), "{part}: {}", told(id, |_| ()));
            }
        }
        assert!(told("STORBUF", |scenario| scenario.level = zvmlab::scenario::Level::V6_4).contains("keeps nobody"));
        assert!(told("PRSM", |scenario| scenario.processors.shared = false).ends_with("run on 8 processors"));
        assert!(told("PLDV", |scenario| scenario.processors.capacity_percent = 70).contains("at 70 % of capacity"));
        for ready in examples() {
            assert!(!told(ready.example.id, |_| ()).ends_with('.'), "{}", ready.example.id);
        }
    }
}
