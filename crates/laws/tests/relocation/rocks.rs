//! “Get the big rocks in first” (6.2 deck): in which clusters does the order of relocations matter? Members of one large guest and
//! several small ones, emptied one guest at a time into a member that has room for all or not.

use zvmlab::scenario::{Chpid, Order, Scenario};
use zvmlab::{Figure, experiment};

/// A member with a guest of `big_mb` and `small` guests of 48 MB; the other one has `room` percent of what they have touched.
fn cluster(big_mb: u32, small: u32, active_percent: u32, chpids: usize, room: u32) -> Scenario {
    let total = big_mb + small * 48;
    let guest = |name: &str, count: u32, mb: u32, rate: u32| {
        let (virtual_mb, active_mb) = (mb + 8, mb * active_percent / 100);
        format!(
            "[[guests]]\nname = \"{name}\"\ncount = {count}\nvirtual_mb = {virtual_mb}\nloop_mb = {mb}\nactive_mb = {active_mb}\n\
             touch_mb_s = {rate}\ntransaction = 1\npattern = \"random\"\nmove_to = 2\n"
        )
    };
    // CP needs a part of central storage.
    let (source, destination) = (total * 13 / 10 + 256, total * room / 100 + 40);
    let text = format!(
        "level = \"6.2\"\nprocessors = {{ count = 4 }}\nstorage = {{ central_mb = {source} }}\ncluster = {{ members = 2 }}\n\
         member2 = {{ central_mb = {destination}, processors = 4, volumes = 4 }}\n\
         relocation = {{ mode = \"SYNCH\", maxquiesce = \"NOLIMIT\", force_storage = true }}\n\
         measure = {{ warmup_s = 1, interval_s = 2 }}\n{}{}",
        guest("BIG", 1, big_mb, 40),
        guest("SMALL", small, 48, 5)
    );
    let mut scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (scenario.isfc.chpid1, scenario.isfc.chpid2) = (Chpid::Gb4, if chpids > 1 { Chpid::Gb4 } else { Chpid::None });
    scenario
}

/// How much longer it takes until all have arrived if the smallest go first: 1 is as long.
fn smallest_against_largest(scenario: &Scenario) -> f64 {
    let total = |order| {
        let mut ordered = scenario.clone();
        ordered.relocation.order = order;
        let measurement = experiment::run(&ordered, 1).expect("the scenario is valid").measurement;
        let count = scenario.guests.iter().map(|group| group.count).sum::<u32>();
        assert_eq!(measurement.get(Figure::RelocationsCompleted), Some(f64::from(count)), "all arrive");
        measurement.get(Figure::RelocationTotal).expect("they have arrived")
    };
    total(Order::Smallest) / total(Order::Largest)
}

fn of_all(room: u32) -> Vec<f64> {
    let sizes = [256, 384, 512].into_iter().flat_map(|big| [4, 8].map(|small| (big, small)));
    let clusters =
        sizes.flat_map(|(big, small)| [(10, 1), (40, 1), (40, 2)].map(|(active, chpids)| (big, small, active, chpids)));
    clusters
        .map(|(big, small, active, chpids)| smallest_against_largest(&cluster(big, small, active, chpids, room)))
        .collect()
}

#[test]
fn with_room_for_all_the_order_changes_nothing() {
    let ratios = of_all(125);
    assert!(ratios.iter().all(|ratio| (ratio - 1.0).abs() < 0.01), "{ratios:?}");
}

#[test]
fn where_the_destination_is_short_big_rocks_go_first() {
    let ratios = of_all(75);
    assert!(ratios.iter().all(|ratio| *ratio > 0.97), "never much worse: {ratios:?}");
    let better = ratios.iter().filter(|ratio| **ratio > 1.02).count();
    assert!(better * 2 > ratios.len(), "better by more than 2 % in most: {ratios:?}");
}
