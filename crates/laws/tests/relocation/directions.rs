//! In which direction do times go? Whole runs of one guest that is relocated: with the published links, with the guest's size,
//! with what it changes, with other users of the link and with what holds it back.

use zvmlab::experiment;
use zvmlab::scenario::{Chpid, Scenario};
use zvmlab::snapshot::{EndCode, RelocationSnapshot, Snapshot};

use super::laws::relocations;

/// The links that were evaluated (6.2 deck, table 3), the one with the smallest capacity factor first.
const PUBLISHED: [&[(Chpid, u32)]; 5] = [
    &[(Chpid::Gb2, 4)],
    &[(Chpid::Gb4, 4)],
    &[(Chpid::Gb2, 4), (Chpid::Gb4, 4)],
    &[(Chpid::Gb2, 4), (Chpid::Gb4, 4), (Chpid::Gb4, 4)],
    &[(Chpid::Gb2, 4), (Chpid::Gb4, 4), (Chpid::Gb4, 4), (Chpid::Gb8, 4)],
];

/// Two members with room for everything, and one guest; `tables` and `guest` say what is to be otherwise.
pub fn one_guest(tables: &str, guest: &str) -> Scenario {
    let text = format!(
        r#"
level = "6.2"
processors = {{ count = 4 }}
storage = {{ central_mb = 8192 }}
cluster = {{ members = 2 }}
member2 = {{ central_mb = 8192 }}
measure = {{ warmup_s = 0, interval_s = 1 }}
{tables}
[[guests]]
name = "SERVER"
count = 1
pattern = "random"
move_to = 2
{guest}
"#
    );
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The guest of most of these runs: 1 GB, of which it goes on changing 128 MB.
const GUEST: &str = "virtual_mb = 1024\nloop_mb = 1024\nactive_mb = 128\ntouch_mb_s = 60";

/// Without a limit on the time for which the guest is stopped.
const NO_LIMIT: &str = "[relocation]\nmaxquiesce = \"NOLIMIT\"\n";

/// How one relocation went, and the rest of what is seen at the end.
fn relocate(scenario: &Scenario) -> (RelocationSnapshot, Snapshot) {
    let snapshot = experiment::run(scenario, 1).expect("the scenario is valid").snapshot;
    let relocation = relocations(&snapshot).first().cloned().expect("a guest is relocated");
    assert!(relocation.end.is_some(), "it has ended: {relocation:?}");
    (relocation, snapshot)
}

/// Quiesce time and relocation time of a relocation that completes, in ms.
fn times(scenario: &Scenario) -> [f64; 2] {
    let (relocation, _) = relocate(scenario);
    assert_eq!(relocation.end, Some(EndCode::Completed));
    [relocation.quiesce_ns(), relocation.relocation_ns()].map(|ns| ns.expect("it has completed") as f64 / 1e6)
}

fn with_link(mut scenario: Scenario, chpids: &[(Chpid, u32)]) -> Scenario {
    let at = |index: usize| chpids.get(index).copied().unwrap_or((Chpid::None, 4));
    let isfc = &mut scenario.isfc;
    (isfc.chpid1, isfc.ctcs1) = at(0);
    (isfc.chpid2, isfc.ctcs2) = at(1);
    (isfc.chpid3, isfc.ctcs3) = at(2);
    (isfc.chpid4, isfc.ctcs4) = at(3);
    scenario
}

/// Each of `runs` takes longer than the one before, to be stopped and in all, by more than so much of a hundred; where that is
/// nothing it does not matter how long it takes.
fn check_rising(runs: impl IntoIterator<Item = Scenario>, quiesce: Option<f64>, relocation: Option<f64>) {
    let times: Vec<[f64; 2]> = runs.into_iter().map(|scenario| times(&scenario)).collect();
    for (at, name, percent) in [(0, "quiesce", quiesce), (1, "relocation", relocation)] {
        let Some(percent) = percent else { continue };
        let rises = |pair: &[[f64; 2]]| pair[1][at] > pair[0][at] * (1.0 + percent / 100.0);
        assert!(times.windows(2).all(rises), "{name} time rises by more than {percent} %: {times:?} ms");
    }
}

/// The limit on passes decides when this guest is stopped, not the time that the rest takes: it touches its part over and over.
#[test]
fn times_of_a_busy_guest_fall_as_the_published_links_grow() {
    let guest = "virtual_mb = 1024\nloop_mb = 1024\nactive_mb = 256";
    let runs = PUBLISHED.map(|link| with_link(one_guest(NO_LIMIT, guest), link));
    assert_eq!(runs.clone().map(|run| run.isfc.capacity_factor()), [2, 4, 6, 10, 18]);
    check_rising(runs.into_iter().rev(), Some(10.0), Some(25.0));
}

/// A quiet guest is stopped when the rest takes little time over its link, whichever that is: relocation time alone falls.
#[test]
fn times_of_a_quiet_guest_fall_to_the_least_that_its_state_takes() {
    let runs = PUBLISHED.map(|link| with_link(one_guest("", GUEST), link));
    let least = times(&with_link(one_guest("", "virtual_mb = 64\nloop_mb = 1\nchange_percent = 0"), PUBLISHED[4]))[0];
    for run in &runs {
        let (quiesce, goal) = (times(run)[0], f64::from(run.relocation.goal_ms));
        assert!(quiesce >= least * 0.97 && quiesce < goal + least, "{quiesce} ms stopped, at least {least}, goal {goal}");
    }
    check_rising(runs.into_iter().rev(), None, Some(25.0));
}

#[test]
fn times_rise_with_the_size_of_the_guest() {
    let of_size = |mb: u32| {
        let guest = format!("virtual_mb = {mb}\nloop_mb = {mb}\ntouch_mb_s = 100");
        with_link(one_guest("[relocation]\nmaxquiesce = \"NOLIMIT\"\nimmediate = true\n", &guest), PUBLISHED[0])
    };
    check_rising([128, 256, 512, 1024, 2048].map(of_size), Some(20.0), Some(50.0));
}

#[test]
fn times_rise_with_what_the_guest_changes() {
    let changing = |mb_s: u32| {
        let guest = format!("virtual_mb = 1024\nloop_mb = 1024\nactive_mb = 512\ntouch_mb_s = {mb_s}");
        with_link(one_guest(NO_LIMIT, &guest), PUBLISHED[1])
    };
    // How long the guest is stopped goes up and down where a pass more decides; where it is only sent once more it rises.
    check_rising([50, 100, 200, 400, 800].map(changing), None, Some(5.0));
    let at_once = [50, 100, 200, 400, 800].map(changing).map(|mut scenario| {
        scenario.relocation.immediate = true;
        scenario
    });
    check_rising(at_once, Some(5.0), Some(1.0));
    let broadly = |active_mb: u32| {
        let guest = format!("virtual_mb = 1024\nloop_mb = 1024\nactive_mb = {active_mb}");
        with_link(one_guest(NO_LIMIT, &guest), PUBLISHED[1])
    };
    check_rising([64, 128, 256, 512].map(broadly), Some(20.0), Some(20.0));
}

#[test]
fn devices_take_their_time_while_the_guest_is_stopped() {
    let with = |devices: u32| one_guest("", &format!("virtual_mb = 64\nloop_mb = 16\ntouch_mb_s = 1\ndevices = {devices}"));
    let [none, few, many] = [0, 100, 200].map(|devices| times(&with(devices))[0]);
    assert!(few > none && many > few);
    assert!(((many - few) / (few - none) - 1.0).abs() < 0.01, "each as long as another: {none} {few} {many} ms");
}

#[test]
fn the_first_pass_sends_what_was_touched_and_no_more() {
    for (loop_mb, processors) in [(1, 1), (100, 1), (333, 3)] {
        let guest = format!("virtual_mb = 1024\nloop_mb = {loop_mb}\nvirtual_cpus = {processors}\ntouch_mb_s = 20");
        let (relocation, _) = relocate(&one_guest("", &guest));
        let first = &relocation.passes[0];
        assert_eq!((first.pages, first.resent), (loop_mb * 256, 0), "{loop_mb} MB of 1024 were touched");
        assert!(relocation.passes[1..].iter().all(|pass| pass.resent == pass.pages), "later passes send pages again");
    }
}

#[test]
fn a_guest_that_changes_nothing_is_sent_once() {
    let guest = "virtual_mb = 256\nloop_mb = 256\nchange_percent = 0\ntouch_mb_s = 100";
    let (relocation, _) = relocate(&one_guest("", guest));
    let pages: Vec<u64> = relocation.passes.iter().map(|pass| pass.pages).collect();
    assert_eq!(pages, [256 * 256, 0, 0, 0]);
}

#[test]
fn immediate_makes_one_early_pass_and_stops_the_guest_for_longer() {
    let run = |immediate: bool| {
        let mut scenario = with_link(one_guest(NO_LIMIT, GUEST), PUBLISHED[1]);
        scenario.relocation.immediate = immediate;
        scenario
    };
    let [plain, immediate] = [run(false), run(true)].map(|scenario| relocate(&scenario).0);
    assert_eq!(immediate.passes.len(), 3);
    assert!(plain.passes.len() > 3);
    assert!(immediate.quiesce_ns() > plain.quiesce_ns() && immediate.relocation_ns() < plain.relocation_ns());
}

#[test]
fn others_on_the_link_make_it_slower() {
    let beside = |mb_s: u32| {
        let mut scenario = with_link(one_guest(NO_LIMIT, GUEST), PUBLISHED[1]);
        scenario.isfc.other_mb_s = mb_s;
        scenario
    };
    check_rising([0, 30, 60].map(beside), None, Some(5.0));
}

#[test]
fn few_ctcs_and_unequal_chpids_with_few_buffers_lose_some_of_the_link() {
    let idle = "virtual_mb = 2048\nloop_mb = 2048\nactive_mb = 1\ntouch_mb_s = 1";
    let time = |link: &[(Chpid, u32)], buffers: u32| {
        let mut scenario = with_link(one_guest("", idle), link);
        scenario.isfc.buffers = buffers;
        times(&scenario)[1]
    };
    let [four, one] = [4, 1].map(|ctcs| time(&[(Chpid::Gb8, ctcs)], 64));
    assert!(one > four * 1.2, "with one CTC {one} ms, with four {four} ms");
    let unequal = [(Chpid::Gb1, 4), (Chpid::Gb8, 4)];
    let [many, few] = [64, 6].map(|buffers| time(&unequal, buffers));
    assert!(few > many * 1.2, "with six buffers {few} ms, with 64 {many} ms");
}

/// I/O under way is waited for before the guest counts as stopped, so the stop takes longer the more of it there is.
#[test]
fn quiesce_time_rises_with_the_guests_ios() {
    let runs = [1, 16, 64].map(|cpus| {
        let guest = format!("virtual_cpus = {cpus}\nvirtual_mb = 256\nloop_mb = 256\nio_records = 64\nminidisk_mb = 256");
        one_guest("[relocation]\nmaxquiesce = \"NOLIMIT\"\n[minidisks]\nvolumes = 1\n", &guest)
    });
    check_rising(runs, Some(50.0), None);
}

/// Into a member that cannot hold what the guest goes on changing, pages wait for others to be paged out, also while the guest
/// is stopped. Where that part fits, only the earlier passes take longer: the guest is stopped once little is left.
#[test]
fn quiesce_time_rises_where_the_destination_is_short_of_storage() {
    let guest = "virtual_mb = 1024\nloop_mb = 1024\nactive_mb = 768";
    let runs = [4096, 1024, 512].map(|central_mb| {
        let mut scenario = one_guest("[relocation]\nmaxquiesce = \"NOLIMIT\"\nforce_storage = true\n", guest);
        scenario.member2.central_mb = central_mb;
        scenario
    });
    check_rising(runs[1..].to_vec(), Some(50.0), Some(50.0));
    check_rising(runs[..2].to_vec(), None, Some(10.0));
}

/// CP's work for a relocation comes first: a guest alone on its processor has steal in the passes and none before. Where it shares
/// the processor, it has steal before; at a member that is idle, none afterwards.
#[test]
fn steal_is_told_before_during_and_after() {
    let guest = "virtual_mb = 1024\nloop_mb = 1024\ntouch_mb_s = 100\n";
    let beside = format!("{guest}[[guests]]\nname = \"COMPUTE\"\nworkload = \"COMPUTE\"\ncount = 1\n");
    let share = |steal_ns: u64, ns: u64| steal_ns as f64 / ns as f64;
    let of = |guest: &str| {
        let mut scenario = with_link(one_guest("", guest), PUBLISHED[4]);
        (scenario.processors.count, scenario.measure.interval_s) = (1, 20);
        let (relocation, snapshot) = relocate(&scenario);
        let (before, after) = (relocation.before.expect("it ran before"), relocation.after.expect("it runs"));
        let [began, ended] = [relocation.began_ns, relocation.ended_ns].map(|at| at.expect("both have happened"));
        assert!(before.ns <= began && before.ns >= 2_000_000_000, "since the fill: {} of {began} ns", before.ns);
        assert_eq!(after.ns, snapshot.now_ns - ended, "until now");
        let first = &relocation.passes[0];
        let first = share(first.steal_ns, first.ended_ns.expect("it is over") - first.began_ns);
        assert!(relocation.passes.iter().all(|pass| !pass.stopped || pass.steal_ns == 0), "who is stopped wants nothing");
        [share(before.steal_ns, before.ns), first, share(after.steal_ns, after.ns)]
    };
    let [before, first, after] = of(guest);
    assert!(before < 0.001 && first > 0.005 && after < 0.001, "alone: {before}, {first} in the first pass, {after}");
    let [before, _, after] = of(&beside);
    assert!(before > 0.02 && after < 0.001, "beside another: {before}, then {after}");
}

/// A guest that bounces: its stay after a relocation is the one before the next.
#[test]
fn a_stay_lasts_from_one_relocation_to_the_next() {
    let mut scenario = with_link(one_guest("", "virtual_mb = 64\nloop_mb = 64\ntouch_mb_s = 10"), PUBLISHED[4]);
    (scenario.relocation.bounce, scenario.relocation.stay_s, scenario.measure.interval_s) = (true, 2, 15);
    let snapshot = experiment::run(&scenario, 1).expect("the scenario is valid").snapshot;
    let all = relocations(&snapshot);
    assert!(all.len() > 2, "it went there and back");
    for pair in all.windows(2).filter(|pair| pair[1].before.is_some()) {
        assert_eq!(pair[0].after, pair[1].before);
        let [ended, began] = [pair[0].ended_ns, pair[1].began_ns].map(|at| at.expect("both have happened"));
        assert_eq!(pair[0].after.expect("it stayed").ns, began - ended);
    }
}
