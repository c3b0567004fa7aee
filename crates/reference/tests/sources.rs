//! The sources besides paging: table 6, guest zHPF and the SSD deck; and what holds for all sources.

use std::collections::BTreeSet;

use zvmlab::adviser::advise;
use zvmlab::measurement::Figure;
use zvmlab::scenario::fields::{Effect, FIELDS, path::room};
use zvmlab::scenario::{
    AliasShare, Channel, Chpid, DeviceKind, Level, LimitHard, LimitType, MaxQuiesce, Order, Relocate, Scenario, Tenths,
};
use zvmlab_reference::published::{Ratio, Reference};
use zvmlab_reference::{Kind, Run, Tolerance, run, run_like, runs, source, source_of, sources};

fn of(id: &str) -> &'static Reference {
    source(id).expect("the source is built in")
}

fn value(run: &Run, figure: Figure) -> f64 {
    run.figure(figure).unwrap_or_else(|| panic!("{} has no {}", run.id, figure.id())).value
}

#[test]
fn every_run_is_found_by_its_id_and_by_its_configuration() {
    let ids: Vec<&str> = sources().iter().map(|source| source.id.as_str()).collect();
    let storage = ["paging-6.4", "alias-share-6.4", "guest-zhpf-6.2", "ssd-deck"];
    assert_eq!(ids[..8], [&storage[..], &["excess-share-6.2", "diag44-5.2", "relocation-6.2", "reorder-6.2"]].concat());
    assert_eq!(sources()[..8].iter().map(|source| source.runs.len()).collect::<Vec<_>>(), [7, 15, 4, 2, 3, 4, 10, 2]);
    let mut seen = BTreeSet::new();
    for source in sources() {
        for of_source in &source.runs {
            assert!(seen.insert(of_source.id.as_str()), "{}: two sources have it", of_source.id);
            assert_eq!(run(&of_source.id).map(|found| found.id.as_str()), Some(of_source.id.as_str()));
            assert_eq!(run_like(&of_source.scenario).map(|found| found.id.as_str()), Some(of_source.id.as_str()));
            assert_eq!(source_of(of_source).id, source.id);
        }
    }
    assert_eq!(seen.len(), runs().count());
    assert!(run("QRBKW047").is_none() && source("alias-share").is_none());
}

/// A configuration ignores fields that make no difference to a host, and has all fields that do.
#[test]
fn fields_without_effect_make_no_other_configuration() {
    let found = |scenario| run_like(&scenario).map(|run| run.id.as_str());
    let mut base = run("V4DVY000").expect("it is there").scenario.clone();
    base.lcu.alias_share = AliasShare { mdisk: 1, paging: 15 };
    (base.paging.alias, base.paging.other_slots, base.paging.queue_depth) = (false, 3_600, 4);
    (base.minidisks.volumes, base.guests[0].io_zhpf, base.guests[0].minidisk_mb) = (4, true, 7);
    assert_eq!(found(base.clone()), Some("V4DVY000"));
    // A share of the kind that the guest does not use, a limit that is off, partitions beside a dedicated one, a lock that
    // nobody takes.
    (base.guests[0].share_absolute, base.guests[0].limit_absolute) = (Tenths(5), Tenths(7));
    (base.prsm.weight, base.scheduler.storbuf_3, base.scheduler.limithard) = (7, 10, LimitHard::Deadline);
    (base.dispatcher.diag44_fast_path, base.dispatcher.vary_fix, base.dispatcher.vary_s) = (false, false, 3);
    assert_eq!(found(base.clone()), Some("V4DVY000"));
    for change in [
        |scenario: &mut Scenario| scenario.processors.shared = true,
        |scenario: &mut Scenario| scenario.guests[0].share_relative = 200,
        |scenario: &mut Scenario| scenario.guests[0].limit_type = LimitType::LimitHard,
        |scenario: &mut Scenario| scenario.guests[0].service_us = 1,
        |scenario: &mut Scenario| scenario.scheduler.excess_fault = true,
    ] {
        let mut other = base.clone();
        change(&mut other);
        assert_eq!(found(other), None);
    }
    // Nothing counts of a cluster or a member that does not exist.
    (base.member2.transitions, base.isfc.chpid2, base.relocation.immediate) = (true, Chpid::Gb8, true);
    (base.cluster.state_s, base.guests[0].devices, base.guests[0].tolerance_ms) = (7, 9, 11);
    assert_eq!(found(base.clone()), Some("V4DVY000"));
    let mut cluster = base.clone();
    cluster.cluster.members = 2;
    assert_eq!(found(cluster), None);
    base.minidisks.mdc_mb = 1024;
    assert_eq!(found(base), None);

    // Shares are relative: 14:2 is 7:1.
    let mut shared = run("QRBKW049").expect("it is there").scenario.clone();
    shared.lcu.alias_share = AliasShare { mdisk: 7, paging: 1 };
    assert_eq!(found(shared.clone()), Some("QRBKW049"));
    shared.guests.reverse();
    assert_eq!(found(shared.clone()), Some("QRBKW049"));
    shared.lcu.alias_share = AliasShare { mdisk: 7, paging: 2 };
    assert_eq!(found(shared), None);
}

/// A slip in copying the table would show here. All sixteen aliases are in use; minidisk I/O holds at least its entitlement,
/// and paging at most its own; and each column falls or rises from run to run.
#[test]
fn table_6_agrees_with_itself() {
    let source = of("alias-share-6.4");
    for (index, run) in source.runs.iter().enumerate() {
        let AliasShare { mdisk, paging } = run.scenario.lcu.alias_share;
        assert_eq!((mdisk, paging), (15 - index as u32, 1 + index as u32), "{}", run.id);
        assert_eq!(run.id, format!("QRBKW{:03}", 48 + index));
        assert!(
            run.settings.ends_with(&format!(" {mdisk}:{paging}")) && run.title.starts_with(&format!("{mdisk}:{paging} "))
        );
        let [held, other] = [Figure::MdiskAliases, Figure::PagingAliases].map(|figure| value(run, figure));
        assert!((held + other - 16.0).abs() < 0.02, "{}: {held} and {other} aliases", run.id);
        assert!(held > f64::from(mdisk) - 0.05 && other < f64::from(paging) + 0.05, "{}: {held} and {other}", run.id);
    }
    for pair in source.runs.windows(2) {
        for (figure, rises) in
            [(Figure::MdiskEtr, false), (Figure::MdiskAliases, false), (Figure::Etr, true), (Figure::PagingAliases, true)]
        {
            assert_eq!(value(&pair[1], figure) > value(&pair[0], figure), rises, "{}: {}", pair[1].id, figure.id());
        }
        // MDISK ETR is close to 2010 times the aliases held, plus 4574.
        let line = value(&pair[1], Figure::MdiskAliases) * 2010.0 + 4574.0;
        let off = value(&pair[1], Figure::MdiskEtr) - line;
        assert!(off.abs() < 1000.0, "{}: {off}", pair[1].id);
    }
}

#[test]
fn three_runs_of_table_6_are_fitted_and_the_bars_are_the_same_for_all() {
    let source = of("alias-share-6.4");
    let fitted = |run: &&Run| run.figures.iter().any(|figure| figure.kind == Kind::Fitted);
    let ids: Vec<&str> = source.runs.iter().filter(fitted).map(|run| run.id.as_str()).collect();
    assert_eq!(ids, ["QRBKW051", "QRBKW055", "QRBKW062"]);
    for run in &source.runs {
        let bars: Vec<_> = run.figures.iter().map(|figure| (figure.figure, figure.tolerance)).collect();
        let (etr, aliases) = (Some(Tolerance::Percent(8.0)), Some(Tolerance::Absolute(0.15)));
        let wanted =
            [(Figure::MdiskEtr, etr), (Figure::Etr, etr), (Figure::MdiskAliases, aliases), (Figure::PagingAliases, aliases)];
        assert_eq!(bars, wanted, "{}", run.id);
    }
}

/// All fifteen runs have one workload, as published: only the share differs.
#[test]
fn table_6_has_the_published_host() {
    let source = of("alias-share-6.4");
    for run in &source.runs {
        let mut scenario = run.scenario.clone();
        assert_eq!((scenario.level, scenario.processors.count, scenario.storage.central_mb), (Level::V6_4, 4, 8192));
        assert_eq!((scenario.lcu.aliases, scenario.paging.volumes, scenario.minidisks.volumes), (16, 2, 4));
        let [io, thrash] = &scenario.guests[..] else { panic!("{}: two groups", run.id) };
        assert_eq!((io.count, io.transaction, thrash.count, thrash.transaction), (32, 1, 12, 1000));
        assert!(io.reserved_mb > io.loop_mb && io.io_records > 0 && thrash.io_records == 0 && thrash.reserved_mb == 0);
        let first = &source.runs[0].scenario;
        (scenario.name, scenario.lcu.alias_share) = (first.name.clone(), first.lcu.alias_share);
        assert_eq!(scenario, *first, "{}", run.id);
    }
}

/// Whatever a field says that states that it has no effect, the run is found. Other runs lend the values.
#[test]
fn a_run_is_found_whatever_an_idle_field_says() {
    let mut turned = BTreeSet::new();
    for (run, other) in runs().flat_map(|run| runs().map(move |other| (run, other))) {
        let mut changed = run.scenario.clone();
        for field in FIELDS {
            let groups = if field.room() == room::GUESTS { changed.guests.len() } else { 1 };
            for index in 0..groups {
                let mut next = changed.clone();
                field.copy(&mut next, index, &other.scenario);
                let idle = |scenario| (field.effect)(scenario, index) != Effect::Some;
                if next != changed && idle(&changed) && idle(&next) && next.check().is_ok() {
                    turned.insert(field.path);
                    changed = next;
                }
            }
        }
        assert_eq!(run_like(&changed).map(|found| found.id.as_str()), Some(run.id.as_str()), "{}", changed.to_toml());
    }
    assert!(turned.len() > 12, "many fields differ between runs: {turned:?}");
}

/// A switch for what the level lacks does nothing, but the host that asks for it cannot run.
#[test]
fn a_host_that_asks_for_what_its_level_lacks_is_no_published_run() {
    let mut old = run("V4DVX001").expect("it is there").scenario.clone();
    old.paging.zhpf = true;
    assert!(run_like(&old).is_none());
}

/// The same for relocations: a configuration ignores what decides nothing.
#[test]
fn options_without_effect_make_no_other_relocation() {
    let found = |scenario| run_like(&scenario).map(|run| run.id.as_str());
    let mut base = run("LGR100G-IDLE").expect("it is there").scenario.clone();
    (base.relocation.window_s, base.relocation.maxquiesce_s, base.relocation.interruption_ms) = (300, 5, 7);
    (base.relocation.stay_s, base.relocation.after_s, base.relocation.mode) = (9, 1, Relocate::Asynch);
    (base.relocation.order, base.guests[0].pace_ms, base.guests[0].tolerance_ms) = (Order::Largest, Tenths::ZERO, 5_000);
    (base.member3.central_mb, base.cluster.transition_s, base.guests[0].cycle_pages) = (4_096, 60, 9);
    assert_eq!(found(base.clone()), Some("LGR100G-IDLE"));
    for change in [
        |scenario: &mut Scenario| scenario.relocation.immediate = true,
        |scenario: &mut Scenario| scenario.relocation.maxquiesce = MaxQuiesce::Default,
        |scenario: &mut Scenario| scenario.relocation.passes_max = 9,
        |scenario: &mut Scenario| scenario.relocation.bounce = true,
        |scenario: &mut Scenario| scenario.isfc.chpid4 = Chpid::None,
        |scenario: &mut Scenario| scenario.isfc.ctcs4 = 3,
        |scenario: &mut Scenario| scenario.member2.central_mb = 65_536,
        |scenario: &mut Scenario| scenario.guests[0].move_to = 0,
        |scenario: &mut Scenario| scenario.guests[0].devices = 5,
        |scenario: &mut Scenario| scenario.guests[0].touch_mb_s = 2,
        |scenario: &mut Scenario| scenario.cluster.members = 3,
    ] {
        let mut other = base.clone();
        change(&mut other);
        assert_eq!(found(other), None);
    }
    // With several guests, all at once differs from one after the other.
    let mut many = run("LGR25-SERIAL").expect("it is there").scenario.clone();
    many.relocation.mode = Relocate::Asynch;
    assert_eq!(found(many.clone()), Some("LGR25-CONC"));
    many.relocation.immediate = true;
    assert_eq!(found(many), Some("LGR25-CONC-IMM"));
}

#[test]
fn guest_zhpf_agrees_with_itself() {
    let source = of("guest-zhpf-6.2");
    for run in &source.runs {
        let busy = value(run, Figure::MdiskVolumeRate) * value(run, Figure::MdiskServiceTime) / 10.0;
        assert!((busy - value(run, Figure::MdiskVolumeBusy)).abs() < 0.01, "{}: busy would be {busy}", run.id);
        let scenario = &run.scenario;
        assert_eq!((scenario.level, scenario.lcu.channel), (Level::V6_2Vm65041, Channel::Express8));
        assert_eq!((scenario.lcu.paths, scenario.minidisks.volumes, scenario.guest_count()), (4, 1, 1));
        assert_eq!(scenario.guests[0].io_read_percent, 67);
    }
    let guest = |id: &str| &run(id).expect("it is there").scenario.guests[0];
    for (id, records, transport) in
        [("JB001238", 1, false), ("JB001239", 1, true), ("JB001246", 64, false), ("JB001247", 64, true)]
    {
        assert_eq!((guest(id).io_records, guest(id).io_zhpf), (records, transport), "{id}");
    }
}

/// A figure printed in one unit and shown in another keeps the printed text.
#[test]
fn cp_time_is_kept_as_printed() {
    let figure = run("JB001238").and_then(|run| run.figure(Figure::MdiskCpTime)).expect("it is there");
    assert_eq!((figure.printed.as_str(), figure.value, figure.shown.as_str()), ("0.00156", 15.6, "15.6"));
}

/// The changes that the tables print follow from their rows, and the judged changes have the same sign.
#[test]
fn changes_from_run_to_run_follow_from_the_figures() {
    let change = |ratio: &Ratio| {
        let [from, to] = [&ratio.from, &ratio.to].map(|id| value(run(id).expect("it is there"), ratio.figure));
        (to / from - 1.0) * 100.0
    };
    // Of the regression summary only changes are printed.
    for ratio in sources().iter().filter(|source| source.id != "regression-5.2").flat_map(|source| &source.ratios) {
        assert!(change(ratio) * ratio.least_percent > 0.0, "{}: {}", ratio.to, ratio.figure.id());
        let figures = [&ratio.from, &ratio.to].map(|id| run(id).and_then(|run| run.figure(ratio.figure)));
        let fitted = figures.into_iter().flatten().all(|figure| figure.kind == Kind::Fitted);
        // The customer's figures in the deck are shown, not judged; nor are changes about as large as runs vary.
        let wanted = match ratio.source_id.as_str() {
            "ssd-deck" => Kind::NotValidated,
            "diag44-5.2" if ratio.within_points.is_none() => Kind::NotValidated,
            _ if fitted => Kind::Fitted,
            _ => Kind::Predicted,
        };
        assert_eq!(ratio.kind, wanted, "{}", ratio.to);
    }
    // %Delta of the two tables.
    let zhpf = &of("guest-zhpf-6.2").ratios;
    for (ratio, printed) in zhpf.iter().zip([36.32, -20.25, -42.33, 54.26, -33.24, -75.17]) {
        // CP CPU is printed with three digits or two, the change with four.
        let digits = if ratio.figure == Figure::MdiskCpTime { 0.4 } else { 0.02 };
        assert!((change(ratio) - printed).abs() < digits, "{} {}: {}", ratio.to, ratio.figure.id(), change(ratio));
    }
    assert_eq!(zhpf.len(), 6);
    // Differences of the deck's table, in whole percent.
    for ratio in &of("ssd-deck").ratios {
        assert!((change(ratio) - ratio.least_percent).abs() < 0.51, "{}: {}", ratio.figure.id(), change(ratio));
    }
}

#[test]
fn the_ssd_deck_is_reproduced_in_kind() {
    let source = of("ssd-deck");
    let kinds: Vec<DeviceKind> = source.runs.iter().map(|run| run.scenario.paging.kind).collect();
    assert_eq!(kinds, [DeviceKind::EckdSpinning, DeviceKind::EckdSsd]);
    for run in &source.runs {
        let scenario = &run.scenario;
        assert_eq!((scenario.level, scenario.paging.volumes), (Level::V6_3, 43));
        let virtual_mb: u64 = scenario.guests.iter().map(|group| u64::from(group.count) * group.virtual_mb).sum();
        let to_real = virtual_mb as f64 / scenario.storage.central_mb as f64;
        assert!((to_real - 2.36).abs() < 0.005, "{}: virtual to real is {to_real}", run.id);
        assert!(run.figures.iter().all(|figure| figure.kind == Kind::NotValidated), "{}: nothing is judged", run.id);
    }
}

/// The changes of the regression summary are fitted. Two runs of a workload differ in level alone, and CP's part
/// of the first is what the page's own rows say: the change of total time over that of CP time.
#[test]
fn the_regression_summary_is_fitted() {
    let source = of("regression-5.2");
    let told = |ratio: &Ratio| (ratio.from.as_str().to_owned(), ratio.figure, ratio.least_percent, ratio.kind);
    assert_eq!(
        source.ratios.iter().map(told).collect::<Vec<_>>(),
        [
            ("CMS1-5.1".to_string(), Figure::CpTimePerTransaction, 16.0, Kind::Fitted),
            ("CMS1-5.1".to_string(), Figure::TotalTimePerTransaction, 3.5, Kind::Fitted),
            ("PACE-5.1".to_string(), Figure::CpTimePerTransaction, 12.0, Kind::Fitted),
            ("PACE-5.1".to_string(), Figure::TotalTimePerTransaction, 2.2, Kind::Fitted),
        ]
    );
    for (pair, part) in source.runs.chunks(2).zip([3.5 / 16.0, 2.2 / 12.0]) {
        let [before, after] = [&pair[0].scenario, &pair[1].scenario];
        assert_eq!((before.level, after.level), (Level::V5_1, Level::V5_2));
        assert_eq!(before.guests, after.guests);
        let service = f64::from(before.guests[0].service_us) / 1.12;
        let cp = service / (service + f64::from(before.guests[0].cpu_us));
        assert!((cp - part).abs() < 0.005, "{}: {cp}", pair[0].id);
    }
}

/// Whether the source gives an order of runs, and neither a figure nor a change.
fn is_shape(source: &Reference) -> bool {
    source.ratios.is_empty() && source.runs.iter().all(|run| run.figures.is_empty())
}

/// Of the shapes of the 6.2 deck no figure is published. Each of their runs stands in an order, each order has the deck's words and
/// one of its slides, and hosts are chosen by hand.
#[test]
fn shapes_have_orders_and_no_figures() {
    let shapes: Vec<&Reference> = sources().iter().filter(|source| is_shape(source)).collect();
    assert_eq!(shapes.len(), sources().len() - 10);
    // The 1Q21 report has one more, of another machine.
    let (others, shapes): (Vec<_>, Vec<_>) = shapes.into_iter().partition(|source| !source.source.title.ends_with("6.2"));
    assert!(matches!(others[..], [one] if one.id == "big-memory-1q21" && one.chosen_hosts && one.orders.len() == 3));
    for source in shapes {
        assert!(
            source.source.title.ends_with("6.2") && source.source.not_printed == "no figure is printed",
            "{}",
            source.id
        );
        assert!(source.ratios.is_empty() && source.machine.type_and_model == "not published", "{}", source.id);
        assert!(source.chosen_hosts && source.assumption.is_some(), "{}", source.id);
        for run in &source.runs {
            let ordered = source.orders.iter().any(|order| order.less == run.id || order.more == run.id);
            assert!(ordered, "{}: no order has it", run.id);
        }
        for order in &source.orders {
            assert!(!order.printed.is_empty() && order.source.len() > source.source.title.len() + 2, "{order:?}");
        }
    }
}

/// Every scenario is valid, and every source states its assumptions.
#[test]
fn every_source_says_what_it_rests_on() {
    for source in sources() {
        for text in [&source.title, &source.source.title, &source.source.report, &source.source.tables] {
            assert!(!text.is_empty(), "{}", source.id);
        }
        assert!(source.id == "paging-6.4" || source.assumption.is_some(), "{}", source.id);
        for run in &source.runs {
            run.scenario.check().unwrap_or_else(|error| panic!("{}: {error}", run.id));
            assert_eq!(run.scenario.name, run.id);
            let title = run.publication.as_ref().unwrap_or(&source.source.title);
            assert!(run.figures.iter().all(|figure| figure.source.starts_with(title)), "{}", run.id);
            // A table 6 host has fewer page volumes than processors, and the adviser says so. Relocation runs alone break
            // another rule: their links have chpids of several speeds.
            // Hosts of which only an order is published show what it costs to break a rule.
            let broken: Vec<&str> = advise(&run.scenario, None).iter().map(|advice| advice.rule.id).collect();
            let known = |id: &&str| *id == "volumes-for-processors" || source.id == "relocation-6.2" || is_shape(source);
            assert!(broken.iter().all(known), "{}: {broken:?}", run.id);
        }
    }
}
