//! The source on Live Guest Relocation: its figures agree with each other and with its scenarios.

use zvmlab::measurement::Figure;
use zvmlab::scenario::examples::example;
use zvmlab::scenario::workloads::Workload;
use zvmlab::scenario::{Level, MaxQuiesce, Relocate, Scenario};
use zvmlab_reference::{Kind, Reference, Run, run, source};

const LINUX: [&str; 4] = ["LGR-JAVA", "LGR-PAGECACHE", "LGR-DIRECT", "LGR-OLTP"];
const OPTIONS: [&str; 4] = ["LGR25-SERIAL", "LGR25-SERIAL-IMM", "LGR25-CONC", "LGR25-CONC-IMM"];

fn reference() -> &'static Reference {
    source("relocation-6.2").expect("the source is built in")
}

fn of(id: &str) -> &'static Run {
    run(id).unwrap_or_else(|| panic!("{id}: the run is built in"))
}

fn value(run: &Run, figure: Figure) -> f64 {
    run.figure(figure).unwrap_or_else(|| panic!("{} has no {}", run.id, figure.id())).value
}

#[test]
fn every_run_has_the_largest_link_that_was_evaluated() {
    let ids: Vec<&str> = reference().runs.iter().map(|run| run.id.as_str()).collect();
    assert_eq!(ids, [&["LGR100G-IDLE", "LGR100G-25GB"][..], &LINUX, &OPTIONS].concat());
    for run in &reference().runs {
        let scenario = &run.scenario;
        // Table 3 of the deck: 1-2Gb, 2-4Gb, 1-8Gb have the factor 18 and 16 CTCs.
        assert_eq!(scenario.isfc.capacity_factor(), 18, "{}", run.id);
        assert_eq!(scenario.isfc.chpids().iter().map(|(_, ctcs)| ctcs).sum::<u32>(), 16, "{}", run.id);
        assert_eq!((scenario.level, scenario.cluster.members), (Level::V6_2, 2), "{}", run.id);
        assert!(scenario.relocates() && scenario.relocation.maxquiesce == MaxQuiesce::NoLimit, "{}", run.id);
        // Two equal members that hold everything without paging.
        assert_eq!((scenario.storage.central_mb, scenario.member2.central_mb), (131_072, 131_072), "{}", run.id);
        assert_eq!(scenario.processors.count, scenario.member2.processors, "{}", run.id);
        let touched: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.loop_mb).sum();
        assert!(touched < scenario.storage.central_mb * 9 / 10, "{}: {touched} MB", run.id);
    }
}

/// The busy guest is the idle one with 25 GB more, and the printed volumes are possible within the limit on passes.
#[test]
fn the_guest_of_100_gb_is_the_idle_one_and_25_gb() {
    let [idle, busy] = ["LGR100G-IDLE", "LGR100G-25GB"].map(of);
    let guests = [idle, busy].map(|run| &run.scenario.guests[0]);
    assert!(guests.iter().all(|guest| guest.virtual_mb == 100 * 1024 && guest.count == 1));
    assert_eq!(guests[1].active_mb, 25 * 1024);
    assert_eq!(guests[1].loop_mb, guests[0].loop_mb + guests[1].active_mb);
    assert_eq!(Workload::of(guests[1]).map(|workload| workload.name), Some("PFAULT"));
    assert_eq!(guests[1].change_percent, 100);
    let mut same = idle.scenario.clone();
    (same.name, same.guests) = (busy.scenario.name.clone(), busy.scenario.guests.clone());
    assert_eq!(same, busy.scenario, "nothing but the guest differs");

    // (160 - 4.9) / 25 = 6.2 full sends of what changes: the first pass and five of the six or seven that follow it.
    let sends = (value(busy, Figure::MemoryMoved) - value(idle, Figure::MemoryMoved)) / 25.0;
    assert!((sends - 6.2).abs() < 0.01, "{sends}");
    assert!(sends < value(busy, Figure::MemoryPasses));
    let kind = |figure| busy.figure(figure).map(|figure| figure.kind);
    assert_eq!(kind(Figure::MemoryMoved), Some(Kind::Predicted));
    assert_eq!(kind(Figure::MemoryPasses), Some(Kind::Fitted), "the limit was chosen with the count in view");
    let limit = f64::from(Scenario::default().relocation.passes_max);
    assert_eq!((limit, f64::from(busy.scenario.relocation.passes_max)), (value(busy, Figure::MemoryPasses), limit));
}

/// Both thousands of pages and MiB are printed: 887 k, 1019 k, 74 k and 721 k pages. Only the page cache has touched nearly
/// the whole guest.
#[test]
fn first_passes_of_linux_guests_are_what_they_had_touched() {
    for (id, thousands) in LINUX.into_iter().zip([887.0, 1019.0, 74.0, 721.0]) {
        let run = of(id);
        let printed = value(run, Figure::FirstPass);
        // With thousands of 1000 pages the MiB would be 3465, 3980, 289, 2816; the printed MiB are thousands of 1024 pages
        // at 4 KiB each.
        assert!((thousands * 1024.0 * 4096.0 / f64::from(1 << 20) - printed).abs() < 6.0, "{id}: {printed}");
        let guest = &run.scenario.guests[0];
        assert_eq!((guest.loop_mb as f64, guest.virtual_mb), (printed, 4096), "{id}");
        assert!(run.publication.as_ref().is_some_and(|title| title.contains("Various Workloads")), "{id}");
        assert_eq!(run.figures.len(), 1, "{id}");
    }
    let left_out: Vec<_> = reference().excluded.iter().map(|excluded| excluded.run.as_str()).collect();
    assert_eq!(left_out, ["LGR-JAVA"], "what a heap sends again");
}

/// The four runs are the four pairs of options, and the guests are those of the example.
#[test]
fn the_options_alone_set_the_four_runs_apart() {
    let plain = &of("LGR25-SERIAL").scenario;
    for (id, mode, immediate) in [
        ("LGR25-SERIAL", Relocate::Synch, false),
        ("LGR25-SERIAL-IMM", Relocate::Synch, true),
        ("LGR25-CONC", Relocate::Asynch, false),
        ("LGR25-CONC-IMM", Relocate::Asynch, true),
    ] {
        let run = of(id);
        let mut wanted = plain.clone();
        (wanted.name, wanted.relocation.mode, wanted.relocation.immediate) = (id.into(), mode, immediate);
        assert_eq!(run.scenario, wanted, "{id}");
        assert!(run.figures.is_empty() && run.assumption.is_some(), "{id}: no figure of it is published");
    }
    let text = example("TWENTY-FIVE").expect("it is there").text;
    let twenty_five = Scenario::parse(text).expect("a scenario");
    assert_eq!(plain.guests, twenty_five.guests);
    assert_eq!((plain.processors.clone(), plain.storage.clone()), (twenty_five.processors, twenty_five.storage));
}

/// Every line of the options table is there: the best is less than all others, the worst is more than all others.
#[test]
fn the_options_table_is_whole() {
    let has = |figure: Figure, less: &str, more: &str| {
        reference()
            .orders
            .iter()
            .any(|order| (order.figure, order.less.as_str(), order.more.as_str()) == (figure, less, more))
    };
    for other in OPTIONS {
        let best = |figure: Figure, best: &str| assert!(other == best || has(figure, best, other), "{best}, {other}");
        best(Figure::RelocationTotal, "LGR25-CONC-IMM");
        best(Figure::RelocationTime, "LGR25-SERIAL-IMM");
        best(Figure::QuiesceTime, "LGR25-SERIAL");
        let worst = "LGR25-CONC-IMM";
        assert!(other == worst || has(Figure::QuiesceTime, other, worst), "{other}, {worst}");
    }
    // The deck calls serial much better than concurrent, except in total time, where serial takes slightly longer.
    for order in &reference().orders {
        let serial = |id: &str| id.contains("SERIAL");
        let times = [Figure::QuiesceTime, Figure::RelocationTime].contains(&order.figure);
        let like = order.less.ends_with("IMM") == order.more.ends_with("IMM") || order.figure == Figure::QuiesceTime;
        let wanted = times && serial(&order.less) && !serial(&order.more) && like;
        assert_eq!(order.substantial, wanted, "{} {} {}", order.figure.id(), order.less, order.more);
        // Two depend on constants or guests that may have been chosen with them in view.
        let pair = (order.figure, order.less.as_str(), order.more.as_str());
        let fitted = [
            (Figure::QuiesceTime, "LGR25-SERIAL", "LGR25-SERIAL-IMM"),
            (Figure::RelocationTotal, "LGR25-CONC", "LGR25-SERIAL"),
        ]
        .contains(&pair)
            && order.note.is_some();
        assert_eq!(order.kind == Kind::Fitted, fitted, "{} {} {}", order.figure.id(), order.less, order.more);
    }
    assert!(has(Figure::RelocationTotal, "LGR25-CONC", "LGR25-SERIAL"));
}
