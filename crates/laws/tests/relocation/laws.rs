//! The laws of relocations: any cluster, any option, interrupted at any instant. Every page and slot is looked at now and then,
//! contents are compared at the end of each relocation, and what the snapshots say is held against what was asked for.

use proptest::prelude::*;
use zvmlab::Simulation;
use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::{Interruption, Relocate, Scenario};
use zvmlab::snapshot::{ClusterSnapshot, EndCode, GuestSnapshot, RelocationSnapshot, RelocationStage, Snapshot};

use super::clusters::clusters;

/// Most events of a fill: a cluster that takes more is not looked at.
const FILL_EVENTS_MAX: u64 = 150_000;

/// Most events from the end of the fill on.
const EVENTS_MAX: u64 = 400_000;

/// Simulated time within which relocations have ended, however slow link, paging and throttles are.
const LIMIT: Span = Span::from_secs(1_000);

fn cluster(snapshot: &Snapshot) -> &ClusterSnapshot {
    snapshot.cluster.as_ref().expect("there is a cluster")
}

/// What is seen of each member.
pub fn members(snapshot: &Snapshot) -> impl Iterator<Item = &Snapshot> {
    std::iter::once(snapshot).chain(&cluster(snapshot).others)
}

pub fn relocations(snapshot: &Snapshot) -> &[RelocationSnapshot] {
    &cluster(snapshot).relocations
}

/// Pages that a guest has in frames, on their way there, in expanded storage and on DASD.
pub fn held(guest: &GuestSnapshot) -> u64 {
    guest.touched_pages()
}

/// Where the guest is logged on.
fn place(snapshot: &Snapshot, guest: usize) -> Option<usize> {
    let at: Vec<usize> =
        members(snapshot).enumerate().filter(|(_, member)| !member.guests[guest].away).map(|(at, _)| at).collect();
    assert!(at.len() <= 1, "guest {guest} is logged on at members {at:?}");
    at.first().copied()
}

/// Pages that a guest has touched, at every member.
fn touched(snapshot: &Snapshot, guest: usize) -> u64 {
    members(snapshot).map(|member| member.guests[guest].pages_touched).sum()
}

/// The cluster after its fill, or nothing where that takes too long.
fn filled(scenario: &Scenario, seed: u64) -> Option<Simulation> {
    let mut simulation = Simulation::new(scenario, seed).expect("the filter lets only valid scenarios pass");
    simulation.watch_contents();
    simulation.run_until_filled(Instant(u64::MAX), FILL_EVENTS_MAX);
    simulation.filled().then_some(simulation)
}

/// Goes on until all relocations have ended, looking at everything now and then.
fn relocate(simulation: &mut Simulation, scenario: &Scenario) -> Snapshot {
    let last = simulation.events() + EVENTS_MAX;
    let limit = simulation.now() + LIMIT;
    let mut steps = 0u64;
    let mut looked_at = simulation.snapshot();
    while !simulation.relocations_ended() && simulation.events() < last {
        assert!(simulation.now() < limit, "after {} s relocations have not ended", LIMIT.0 / 1_000_000_000);
        assert!(simulation.step(), "guests never end, so an event is always due");
        if steps.is_multiple_of(50) {
            simulation.verify();
        }
        if steps.is_multiple_of(2_000) {
            simulation.verify_pages();
            let now = simulation.snapshot();
            hold_between(scenario, &looked_at, &now);
            looked_at = now;
        }
        steps += 1;
        if scenario.relocation.bounce && relocations(&looked_at).len() > 12 {
            break;
        }
    }
    simulation.verify_pages();
    let end = simulation.snapshot();
    hold_between(scenario, &looked_at, &end);
    end
}

fn hold_between(scenario: &Scenario, earlier: &Snapshot, later: &Snapshot) {
    for guest in 0..later.guests.len() {
        let at = place(later, guest);
        let logged_off = scenario.relocation.interruption == Interruption::Logoff;
        assert!(at.is_some() || logged_off, "guest {guest} is logged on nowhere");
        assert!(touched(later, guest) >= touched(earlier, guest), "work is not undone");
    }
    for (before, after) in members(earlier).zip(members(later)) {
        zvmlab_laws::no_share_exceeds_its_whole(scenario, before, after);
    }
    let under_way = relocations(later).iter().filter(|relocation| relocation.began_ns.is_some() && relocation.end.is_none());
    assert!(scenario.relocation.mode == Relocate::Asynch || under_way.count() <= 1, "one at a time");
    for relocation in relocations(later) {
        stages_are_in_order(relocation);
        passes_are_in_order(relocation);
        limits_are_kept(scenario, relocation);
        let all = later.guests[relocation.guest as usize].virtual_pages;
        assert!(relocation.passes.iter().all(|pass| pass.pages <= all), "a pass sends a page once");
    }
}

fn stages_are_in_order(relocation: &RelocationSnapshot) {
    let stages = &relocation.stages;
    assert!(stages.is_sorted_by(|(one, at), (other, later)| one < other && at <= later), "{stages:?}");
    if relocation.end == Some(EndCode::Completed) {
        assert_eq!(stages.len(), 7, "a relocation that completes goes through every stage: {stages:?}");
    }
    let entered = |stage| stages.iter().find(|(entered, _)| *entered == stage).map(|(_, at)| *at);
    assert_eq!(entered(RelocationStage::Stopping), relocation.stopped_ns);
    assert_eq!(entered(RelocationStage::Ended), relocation.ended_ns);
    assert_eq!(relocation.end.is_some(), relocation.ended_ns.is_some());
    assert_eq!(relocation.stage, stages.last().map_or(RelocationStage::Waiting, |(stage, _)| *stage));
}

fn passes_are_in_order(relocation: &RelocationSnapshot) {
    let passes = &relocation.passes;
    let ends = passes.iter().map(|pass| pass.ended_ns.unwrap_or(u64::MAX));
    assert!(
        ends.zip(passes.iter().skip(1)).all(|(end, next)| end <= next.began_ns),
        "passes follow one another: {passes:?}"
    );
    assert!(passes.is_sorted_by_key(|pass| pass.stopped), "the last passes are those with the guest stopped");
    if let Some(first) = passes.first() {
        assert!(!first.stopped && first.resent == 0, "the first pass sends each page for the first time");
    }
    if relocation.end == Some(EndCode::Completed) {
        assert_eq!(passes.iter().filter(|pass| pass.stopped).count(), 2, "two passes with the guest stopped");
        assert!(passes.iter().all(|pass| pass.ended_ns.is_some()), "every pass is over");
        assert_eq!(passes.last().map(|pass| pass.pages), Some(0), "nothing changes while the guest is stopped");
    }
}

fn limits_are_kept(scenario: &Scenario, relocation: &RelocationSnapshot) {
    let options = &scenario.relocation;
    let ns = |s: Option<u32>| s.map_or(u64::MAX, |s| u64::from(s) * 1_000_000_000);
    let (quiesce_max, total_max) = (ns(options.quiesce_limit_s()), ns(options.total_limit_s()));
    if let Some(quiesce) = relocation.quiesce_ns() {
        assert!(quiesce <= quiesce_max, "{quiesce} ns stopped, {quiesce_max} allowed");
    }
    if let Some(total) = relocation.relocation_ns() {
        assert!(total <= total_max, "{total} ns, {total_max} allowed");
    }
    assert!(relocation.passes.len() as u32 <= options.passes_max, "{} passes", relocation.passes.len());
    match relocation.end {
        Some(EndCode::MaxQuiesce) => assert_eq!(relocation.quiesce_ns(), Some(quiesce_max)),
        Some(EndCode::MaxTotal) => assert_eq!(relocation.relocation_ns(), Some(total_max)),
        Some(EndCode::Completed) if options.immediate => assert_eq!(relocation.passes.len(), 3, "one early pass, then two"),
        Some(EndCode::Completed) => assert!(relocation.passes.len() >= 3),
        _ => {}
    }
    let end = match options.interruption {
        Interruption::None => None,
        Interruption::Cancel => Some(EndCode::Cancelled),
        Interruption::Cphx => Some(EndCode::Cphx),
        Interruption::LinkLost => Some(EndCode::ConnectionLost),
        Interruption::Logoff => Some(EndCode::Logoff),
    };
    let sure = [EndCode::Completed, EndCode::MaxTotal, EndCode::MaxQuiesce, EndCode::Ineligible];
    assert!(relocation.end.is_none_or(|code| sure.contains(&code) || Some(code) == end), "{:?}", relocation.end);
}

/// At the end all is as it should be: each guest whole at one member, nothing under way on the links but other traffic.
fn hold_at_the_end(simulation: &mut Simulation, scenario: &Scenario, before: &Snapshot, end: &Snapshot) {
    let logoffs = relocations(end).iter().filter(|relocation| relocation.end == Some(EndCode::Logoff)).count();
    let nowhere = (0..end.guests.len()).filter(|&guest| place(end, guest).is_none()).count();
    assert_eq!(logoffs, nowhere, "a guest that logged off is nowhere, any other somewhere");
    if !scenario.relocation.bounce {
        for relocation in relocations(end) {
            let guest = relocation.guest as usize;
            assert!(relocation.end.is_some(), "it has ended");
            let at = match relocation.end {
                Some(EndCode::Completed) => Some(relocation.to as usize),
                Some(EndCode::Logoff) => None,
                _ => Some(relocation.from as usize),
            };
            assert_eq!(place(end, guest), at, "{relocation:?}");
            let Some(at) = at else { continue };
            let there = |snapshot: &Snapshot, at: usize| {
                held(&members(snapshot).nth(at).expect("the member is there").guests[guest])
            };
            let had = there(before, relocation.from as usize);
            assert!(there(end, at) >= had, "{had} pages before, {} after", there(end, at));
            if let Some(first) = relocation.passes.first().filter(|first| first.ended_ns.is_some()) {
                assert_eq!(first.pages, had, "the first pass sends what was touched");
            }
        }
    }
    the_rest_comes_to_an_end(simulation, scenario, end);
}

/// What was left behind is written and gone, buffers are free, guests go on where they are.
fn the_rest_comes_to_an_end(simulation: &mut Simulation, scenario: &Scenario, end: &Snapshot) {
    if scenario.relocation.bounce {
        return;
    }
    let (mut last, mut tries) = (simulation.snapshot(), 0);
    let is_done = |snapshot: &Snapshot| {
        let gone = members(snapshot).all(|member| member.guests.iter().all(|guest| !guest.away || held(guest) == 0));
        let here = (0..end.guests.len()).filter(|&guest| place(snapshot, guest).is_some());
        let arrived = cluster(snapshot).links.iter().all(|link| link.buffers_used == 0);
        gone && arrived && here.into_iter().all(|guest| touched(snapshot, guest) > touched(end, guest))
    };
    while !is_done(&last) {
        tries += 1;
        assert!(tries < 300, "nothing is left behind, and guests go on, within five minutes: {:?}", stuck(&last, end));
        simulation.run_until(simulation.now() + Span::from_secs(1));
        last = simulation.snapshot();
    }
    simulation.verify_pages();
    for link in &cluster(&last).links {
        let sent: u64 = relocations(&last)
            .iter()
            .filter(|relocation| (relocation.from, relocation.to) == (link.from, link.to))
            .map(|relocation| relocation.pages() * 4096)
            .sum();
        let arrived = link.bytes - link.other_bytes;
        assert!(arrived <= sent, "{arrived} bytes arrived from {} to {}, {sent} sent", link.from, link.to);
        let complete = |relocation: &RelocationSnapshot| {
            (relocation.from, relocation.to) != (link.from, link.to) || relocation.end == Some(EndCode::Completed)
        };
        assert!(arrived == sent || !relocations(&last).iter().all(complete), "{arrived} of {sent} bytes arrived");
    }
}

/// Whoever has not gone on, or left pages behind, or holds buffers.
fn stuck(last: &Snapshot, end: &Snapshot) -> Vec<String> {
    let guests = 0..end.guests.len();
    let still = guests.filter(|&guest| touched(last, guest) == touched(end, guest)).map(|guest| {
        let at = place(last, guest).unwrap_or(0);
        let there = members(last).nth(at).expect("the member is there");
        format!("{} stands still: {:?}", there.guests[guest].name, there.guests[guest].virtual_cpus)
    });
    let left = members(last).enumerate().flat_map(|(at, member)| {
        let left = member.guests.iter().filter(|guest| guest.away && held(guest) > 0);
        left.map(move |guest| format!("{} pages of {} left at {at}", held(guest), guest.name))
    });
    let links = cluster(last).links.iter().filter(|link| link.buffers_used > 0);
    let used = links.map(|link| format!("{} buffers in use from {} to {}", link.buffers_used, link.from, link.to));
    still.chain(left).chain(used).collect()
}

/// What a run came to.
#[derive(Debug, PartialEq)]
pub struct Ran {
    /// When each stage of each relocation began, in ms from the first VMRELOCATE.
    stages_ms: Vec<u64>,
    digest: u64,
}

/// Runs a cluster through its relocations; nothing where its fill takes too long.
pub fn run(scenario: &Scenario, seed: u64) -> Option<Ran> {
    let mut simulation = filled(scenario, seed)?;
    let before = simulation.snapshot();
    let end = relocate(&mut simulation, scenario);
    if scenario.relocation.bounce || cluster(&end).ended {
        hold_at_the_end(&mut simulation, scenario, &before, &end);
    }
    let began = cluster(&end).began_ns.unwrap_or(end.now_ns);
    let stages = relocations(&end).iter().flat_map(|relocation| &relocation.stages);
    let mut stages_ms: Vec<u64> = stages.map(|(_, at)| (at - began) / 1_000_000).collect();
    stages_ms.sort_unstable();
    Some(Ran { stages_ms, digest: end.digest() })
}

impl Ran {
    /// An instant in some stage of some relocation: stages that take little time are met as often as others.
    fn instant_ms(&self, which: prop::sample::Index, part: u64) -> u64 {
        let begun = which.index(self.stages_ms.len().max(1));
        let at = |index: usize| self.stages_ms.get(index).copied().unwrap_or_default();
        let (from, to) = (at(begun), at(begun + 1));
        from + to.saturating_sub(from) * part / 100
    }
}

/// The same, with the text of a scenario that breaks a law in the message, so that it can be tried by itself.
fn tried(scenario: &Scenario, seed: u64) -> Result<Option<Ran>, TestCaseError> {
    std::panic::catch_unwind(|| run(scenario, seed)).map_err(|reason| {
        let text = |reason: Box<dyn std::any::Any + Send>| match reason.downcast::<String>() {
            Ok(text) => *text,
            Err(reason) => reason.downcast_ref::<&str>().copied().unwrap_or("a panic").to_string(),
        };
        TestCaseError::fail(format!("{}\nwith seed {seed} and\n{}", text(reason), scenario.to_toml()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn no_relocation_breaks_a_law(scenario in clusters(), seed in any::<u64>()) {
        tried(&scenario, seed)?;
    }

    #[test]
    fn no_relocation_that_is_interrupted_breaks_a_law(
        scenario in clusters(),
        instant in (any::<prop::sample::Index>(), 0u64..=100),
        kind in prop::sample::select(&Interruption::ALL[1..]),
        seed in any::<u64>(),
    ) {
        let mut scenario = scenario;
        if let Some(ran) = tried(&scenario, seed)? {
            scenario.relocation.interruption = kind;
            scenario.relocation.interruption_ms = ran.instant_ms(instant.0, instant.1) as u32;
            let first = tried(&scenario, seed)?;
            prop_assert_eq!(first, tried(&scenario, seed)?, "the same twice");
        }
    }
}
