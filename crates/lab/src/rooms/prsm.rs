//! PR/SM: what the partitions are entitled to and get of the physical processors, and what PR/SM itself takes.

use zvmlab::{Figure, Scenario, Snapshot};

use super::compared::{
    BEFORE, NOW, Window, chart, curve, figures, levels, newest, now_name, over_time, pinned, window, window_of,
};
use crate::chart::{Chart, Grid, Key, Plot, Quantity, Row};
use crate::evidence::Evidence;
use crate::words::number::{fixed, short};
use crate::words::unit::{NO_BREAK, percent};

/// Stands with every figure of PR/SM.
pub const NOT_PUBLISHED: &str = "The sources of this laboratory publish no figure for PR/SM, only a direction: its overhead grows with logical processors that a partition does not need. The amounts rest on assumptions of the model.";

/// Physical processor time by kind: name, look and counter.
type Part = (&'static str, usize, fn(&Snapshot) -> u64);

const KINDS: [Part; 3] = [
    ("guest", 0, |s| s.processors.guest_ns),
    ("CP", 1, |s| s.processors.chargeable_cp_ns + s.processors.nonchargeable_cp_ns),
    ("PR/SM", 3, |s| s.prsm.own_overhead_ns),
];

/// The charts of PR/SM; none while the partition is dedicated.
pub fn charts(evidence: &Evidence) -> Vec<Chart> {
    match newest(evidence) {
        Some(snapshot) if snapshot.prsm.physical > 0 => {
            vec![partitions(evidence), kinds(evidence), overhead(evidence), suspended(evidence)]
        }
        _ => Vec::new(),
    }
}

/// What QUERY CAPABILITY says of a partition below its nominal capacity (6.2 deck).
pub fn capacity(scenario: &Scenario) -> Option<String> {
    let percent = scenario.processors.capacity_percent;
    (percent < 100).then(|| {
        format!(
            "RUNNING WITH REDUCED CAPACITY DUE TO A MANUAL CONTROL SETTING. (QUERY CAPABILITY, static power savings mode; {percent} % of nominal capacity: work on the processors takes {} times as long.)",
            short(100.0 / f64::from(percent.max(1)))
        )
    })
}

/// The partition's entitlement, and how many logical processors share how many physical ones.
pub fn entitlement(scenario: &Scenario) -> String {
    let prsm = &scenario.prsm;
    let weights = prsm.weight + prsm.partitions * prsm.other_weight;
    let entitled = f64::from(prsm.physical) * f64::from(prsm.weight) / f64::from(weights.max(1));
    let cap = prsm.cap_thousandths().map_or(String::new(), |cap| {
        format!(" It is capped at {}, even where others leave processors idle.", short(cap as f64 / 1e3))
    });
    let logical = scenario.processors.count + prsm.partitions * prsm.other_logical;
    let ratio = f64::from(logical) / f64::from(prsm.physical.max(1));
    let own = f64::from(scenario.processors.count);
    let so = if own > entitled * 1.5 {
        format!("; its {own} logical processors are more than that needs")
    } else {
        format!("; it has {own} logical processors")
    };
    format!(
        "Weight {} of {weights} on {} shared processors entitles the partition to {} of them{so}. In all, {logical} logical processors share {} physical ones: {} to 1.{cap}",
        prsm.weight,
        prsm.physical,
        short(entitled),
        prsm.physical,
        short(ratio)
    )
}

/// Entitlement, use and overhead of this partition and of the others.
fn partitions(evidence: &Evidence) -> Chart {
    let Some(window) = window(evidence) else {
        return chart(
            evidence,
            "partitions",
            "Partitions",
            "No result yet.".into(),
            Plot::Nothing(super::compared::NO_RESULT.into()),
        );
    };
    let per = |counter: fn(&Snapshot) -> u64| Some(window.growth(counter) / window.elapsed_ns());
    let prsm = &window.to.prsm;
    let (physical, entitled) = (f64::from(prsm.physical), prsm.entitled_thousandths as f64 / 1e3);
    let scenario = evidence.settled.as_ref().map(|settled| &settled.scenario.prsm);
    let named =
        |name: &str, weight: Option<u32>| weight.map_or(name.to_string(), |weight| format!("{name}, weight {weight}"));
    let others = scenario.map_or("the others".into(), |prsm| match prsm.partitions {
        1 => format!("the other, weight {}", prsm.other_weight),
        count => format!("{count} others, weight {} each", prsm.other_weight),
    });
    let rows = vec![
        Row {
            label: named("this partition", scenario.map(|prsm| prsm.weight)),
            values: vec![Some(entitled), per(|s| s.prsm.own_ns), per(|s| s.prsm.own_overhead_ns)],
        },
        Row {
            label: others,
            values: vec![Some((physical - entitled).max(0.0)), per(|s| s.prsm.other_ns), per(|s| s.prsm.other_overhead_ns)],
        },
    ];
    let told = |row: &Row| {
        let value = |at: usize| short(row.values.get(at).copied().flatten().unwrap_or(0.0));
        format!("{} is entitled to {}, uses {}, and costs PR/SM {}", row.label, value(0), value(1), value(2))
    };
    let summary = format!("In processors: {}.", told(&rows[0]));
    let grid = Grid {
        row_name: "Partition".into(),
        value: Quantity::new("Physical processors", "processors"),
        keys: vec![Key::new("entitled", 6), Key::new("used", NOW), Key::new("PR/SM overhead", 3)],
        rows,
        levels: Vec::new(),
        at_least: 0.0,
    };
    chart(evidence, "partitions", "Partitions: entitled, used, overhead", summary, Plot::Columns(grid))
}

/// The three kinds of CPU time of this partition.
fn kinds(evidence: &Evidence) -> Chart {
    let windows = window(evidence).map(|window| (now_name(evidence), window)).into_iter();
    let windows: Vec<(&str, Window)> = windows.chain(pinned(evidence).map(|before| (BEFORE, window_of(before)))).collect();
    let part = |window: &Window, counter: fn(&Snapshot) -> u64| window.growth(counter) / window.elapsed_ns() * 100.0;
    let row = |(label, window): &(&str, Window)| Row {
        label: (*label).into(),
        values: KINDS.iter().map(|(_, _, counter)| Some(part(window, *counter))).collect(),
    };
    let summary = match windows.first() {
        Some((_, window)) => {
            // All with the same number of decimals, so that they visibly add up.
            let written = |value: f64| format!("{}{NO_BREAK}%", fixed(value, 1));
            let told = KINDS.iter().map(|(name, _, counter)| format!("{name} {}", written(part(window, *counter))));
            let all = KINDS.iter().map(|(_, _, counter)| part(window, *counter)).sum();
            format!("Of one processor: {}; {} in all.", told.collect::<Vec<_>>().join(", "), written(all))
        }
        None => "Guests, CP and PR/SM use CPU time.".into(),
    };
    let grid = Grid {
        row_name: "Result".into(),
        value: Quantity::new("Busy", "% of a processor"),
        keys: KINDS.iter().map(|(name, look, _)| Key::new(name, *look)).collect(),
        rows: windows.iter().map(row).collect(),
        levels: Vec::new(),
        at_least: 0.0,
    };
    chart(evidence, "cpu-kinds", "Three kinds of CPU time", summary, Plot::Stack(grid))
}

fn overhead(evidence: &Evidence) -> Chart {
    let own = curve(evidence, "this partition", NOW, |sample| sample.measurement.get(Figure::PrsmOverhead));
    let all = curve(evidence, "all partitions", 3, |sample| sample.measurement.get(Figure::PrsmOverheadAll));
    let plot = over_time(
        Quantity::new("PR/SM overhead", "% of a processor"),
        vec![own, all],
        levels(evidence, Figure::PrsmOverhead),
    );
    let get = |figure: Figure| figures(evidence).and_then(|now| now.get(figure));
    let summary = match (get(Figure::PrsmOverhead), get(Figure::PrsmOverheadAll)) {
        (Some(own), Some(all)) => format!(
            "PR/SM takes {} of one processor for this partition and {} for all; FCX126 LPAR shows such figures as %Ovhd.",
            percent(own),
            percent(all)
        ),
        _ => "The time that PR/SM takes to give logical processors physical ones.".into(),
    };
    chart(evidence, "prsm-overhead", "PR/SM overhead as the run goes on", summary, plot)
}

/// Logical processors of this partition that wait for a physical one.
fn suspended(evidence: &Evidence) -> Chart {
    let line = curve(evidence, now_name(evidence), NOW, |sample| sample.measurement.get(Figure::Suspended));
    let plot = over_time(Quantity::new("Logical processors", ""), vec![line], levels(evidence, Figure::Suspended));
    let summary = match figures(evidence).and_then(|now| now.get(Figure::Suspended)) {
        Some(mean) => {
            let held = figures(evidence).and_then(|now| now.get(Figure::Capped)).filter(|held| *held > 0.0);
            let held = held.map_or(String::new(), |held| format!(" The cap holds {} of them.", short(held)));
            format!(
                "On average {} logical processors of this partition have work but no physical processor.{held}",
                short(mean)
            )
        }
        None => "Logical processors of this partition that have work but no physical processor.".into(),
    };
    chart(evidence, "suspended", "Logical processors without a physical one", summary, plot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduced_capacity_is_said_in_the_words_of_the_command() {
        let mut scenario = Scenario::default();
        assert_eq!(capacity(&scenario), None);
        scenario.processors.capacity_percent = 80;
        let said = capacity(&scenario).expect("it is reduced");
        assert!(said.starts_with("RUNNING WITH REDUCED CAPACITY DUE TO A MANUAL CONTROL SETTING."), "{said}");
        assert!(said.contains("1.25 times"), "{said}");
    }

    #[test]
    fn entitlement_is_shared_processors_times_the_part_of_all_weights() {
        let scenario = zvmlab::scenario::examples::example("PRSM").map(|one| Scenario::parse(one.text));
        let scenario = scenario.expect("an example").expect("valid");
        let said = entitlement(&scenario);
        assert!(said.contains("Weight 100 of 400 on 8 shared processors entitles the partition to 2 of them"), "{said}");
        assert!(said.contains("32 logical processors share 8 physical ones: 4 to 1"), "{said}");
    }
}
