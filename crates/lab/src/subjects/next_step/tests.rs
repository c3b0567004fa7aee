//! Chains of next steps: each ends, goes nowhere twice, and its steps do what they say. The last is held against runs.

use zvmlab::experiment::{self, Outcome};
use zvmlab::scenario::{Channel, DeviceKind};

use super::*;
use crate::host::moving;
use crate::published::ready::examples;
use crate::published::runs;
use crate::subjects::SUBJECTS;
use crate::subjects::headline::NOISE_PERCENT;
use crate::subjects::paging::PAGING;
use crate::subjects::set_cu::SET_CU;

/// More steps than a reader wants to take for one point.
const STEPS_MAX: usize = 8;

/// Takes each step on offer from `begun`, which is a host of the ready experiment `id`. `limits` tells what limits a host, and
/// `taken` is told of each step with the hosts before and after it. Returns the labels, and the words at the end.
fn walk(
    id: &str,
    begun: &Scenario,
    mut limits: impl FnMut(&Scenario) -> Option<Limits>,
    mut taken: impl FnMut(&Step, &Scenario, &Scenario),
) -> (Vec<String>, String) {
    let subject = Subject::of(begun, Some(id));
    let setup = subject.setups.iter().find(|setup| setup.id == id).map_or(subject.start(), |setup| setup.id);
    let (mut been, mut labels) = (vec![begun.clone()], Vec::new());
    loop {
        let scenario = been[been.len() - 1].clone();
        let limits = limits(&scenario);
        assert_eq!(Subject::of(&scenario, Some(id)), subject, "{id}: {labels:?} leads to another subject");
        let offered = match Next::of(&scenario, subject, Some(id), limits.as_ref()) {
            Next::Step(offered) => offered,
            Next::Made { said, .. } => return (labels, said.into_owned()),
        };
        let mut after = scenario.clone();
        offered.take(&mut after);
        labels.push(offered.label().to_string());
        assert!(after.check().is_ok(), "{id}: {labels:?} leads to a host that cannot be");
        assert!(!been.contains(&after), "{id}: {labels:?} leads back");
        assert!(labels.len() <= STEPS_MAX, "{id}: there is no end: {labels:?}");
        let step = due(&subject.chain, &Seen { scenario: &scenario, limits: limits.as_ref(), begun: setup })
            .expect("it is on offer");
        taken(step, &scenario, &after);
        been.push(after);
    }
}

/// The host with so much less of everything that it runs within a part of a second, and what it is about stays the same: storage
/// shrinks with all that moves, so that a pass finds the same part of it changed.
pub(crate) fn small(id: &str, mut scenario: Scenario) -> Scenario {
    scenario.measure.warmup_s = scenario.measure.warmup_s.min(20);
    scenario.measure.interval_s = scenario.measure.interval_s.min(match id {
        "APS9220" | "APT9280" => 2,
        // The arms of spinning disks are busy with what was written during the fill.
        "LPAR1 w/o DS8870" => 10,
        // VARY PROCESSOR is entered in it.
        "VARY" => 30,
        // Guests bounce after ten seconds, and it takes a while until a host that pages has its working sets.
        "BOUNCE" | "STORBUF" | "RESERVED" => 20,
        // Demand scan needs some seconds for a whole list.
        "8 GB resident" | "REORDER-SPLIT" => 20,
        // It finds few pages above, now here and now there: in its whole interval.
        "3G DASD, 5.2" => 60,
        _ => 8,
    });
    let less = match id {
        "MOVE" | "LGR100G-25GB" => 16,
        "EVACUATION" | "CONSTRAINED" => 4,
        "8 GB resident" | "REORDER-SPLIT" => 8,
        "BIG-MEMORY" => 64,
        _ => 1,
    };
    for group in &mut scenario.guests {
        // Shares take minutes to work; large ones work sooner.
        if id.starts_with("AP") && group.virtual_cpus > 1 {
            group.share_relative = 2_880;
        }
        for mb in [&mut group.virtual_mb, &mut group.loop_mb, &mut group.active_mb] {
            *mb /= less;
        }
        if group.count > 20 && moving(&Scenario { guests: vec![group.clone()], ..Scenario::default() }) > 0 {
            group.count = 5;
        }
    }
    let members = [&mut scenario.member2, &mut scenario.member3, &mut scenario.member4];
    members.into_iter().for_each(|member| member.central_mb /= less);
    scenario.storage.central_mb /= less;
    scenario
}

/// Runs hosts, each once.
#[derive(Default)]
struct Runs(Vec<(Scenario, Outcome)>);

impl Runs {
    fn of(&mut self, scenario: &Scenario) -> &Outcome {
        let bare = Scenario { name: "HOST".into(), ..scenario.clone() };
        let at = self.0.iter().position(|(known, _)| *known == bare).unwrap_or_else(|| {
            let outcome = experiment::run(&bare, 1).expect("the scenario is valid");
            self.0.push((bare, outcome));
            self.0.len() - 1
        });
        &self.0[at].1
    }
}

/// Every step that a walk takes from here: its label, its figure and way, and the hosts before and after it.
type Taken = (String, (Figure, Way), Scenario, Scenario);

/// What is wrong with a step by its runs.
fn wrong(subject: &Subject, (label, (figure, way), before, after): &Taken, outcomes: &mut Runs) -> Option<String> {
    if !subject.leads(after).iter().any(|lead| lead.figure == *figure) {
        return Some(format!("{label}: {figure:?} does not head its result"));
    }
    let mut value = |scenario: &Scenario| outcomes.of(scenario).measurement.get(*figure).unwrap_or(f64::NAN);
    let (before, after) = (value(before), value(after));
    let percent = (after / before - 1.0) * 100.0;
    let moved = if *way == Way::Up { percent } else { -percent };
    // What was not measured does not move.
    let shown = moved > NOISE_PERCENT;
    (!shown).then(|| format!("{label}: {figure:?} goes from {before} to {after}"))
}

/// The chain of each setup, but for those whose guests change so little while they move that no step shows anything.
const CHAINS: &[(&str, &[&str])] = &[
    (
        "WHOLE",
        &["Turn zHPF for paging on", "SET CU: share the aliases 1:15", "SET SRM STORBUF 150 140 130", "Add a second chpid"],
    ),
    ("V4DVY000", &["Add 4 HyperPAV aliases", "Use 8 aliases", "Turn zHPF on, with 4 aliases"]),
    ("QRBKW055", &["Set the share to 1:15", "Set the share to 15:1"]),
    ("JB001238", &["Move 64 records with each I/O", "Turn zHPF on for the guest"]),
    ("LPAR1 w/o DS8870", &["Put the page volumes on SSD", "Put the page volumes on flash"]),
    ("OVERCOMMIT", &["Take half of the storage away", "Take half away once more", "Take a quarter more"]),
    ("OVERCOMMIT-GUESTS", &["Add half as many guests again", "Add a third more"]),
    ("BELOW-2GB", &["Upgrade to z/VM 5.2"]),
    ("3GBS9220", &["Upgrade to z/VM 5.2"]),
    ("3G DASD, 5.2", &["Give it 5 GB of central storage"]),
    ("SEARCHES", &["Upgrade to z/VM 6.2"]),
    ("EXPANDED", &["Double expanded storage", "Make all of it central storage"]),
    ("APMS9221", &["Make all of it central storage"]),
    ("APXTA193", &["Make all of it central storage"]),
    ("RESERVED", &["Go to z/VM 6.3", "Add 128 MB of central storage"]),
    ("FLASHCOPY", &["Turn the cache off for targets of FlashCopy"]),
    ("MDC-BACKUP", &["Turn the cache off for the minidisks of BACKUP"]),
    ("WEB", &["Use 12 connections to each server", "Give each client a second virtual CPU", "Add two processors"]),
    ("BIG-MEMORY", &["Double storage, processors and guests", "Double all three again"]),
    ("8 GB resident", &["Split the guest into four", "SET REORDER SYSTEM OFF"]),
    ("REORDER-SPLIT", &["SET REORDER SYSTEM OFF"]),
    ("REORDER-OFF", &["SET REORDER SYSTEM ON"]),
    ("STORBUF", &["SET SRM STORBUF 125 105 95", "SET SRM STORBUF 40 35 30"]),
    ("STORBUF-FITS", &["SET SRM STORBUF 300 250 200", "SET SRM STORBUF 40 35 30"]),
    // Its processors limit, whatever STORBUF says, until its numbers are very low.
    ("CMS-USERS", &["SET SRM STORBUF 125 105 95", "SET SRM STORBUF 40 35 30"]),
    ("CLASSES", &["SET SRM STORBUF 40 35 30"]),
    ("Excess share, cured", &["Turn the fault on"]),
    ("Excess share, fault", &["Turn the fault off"]),
    ("All four compute-bound", &["Let LINUX04 pause", "Turn the fault on"]),
    ("LIMIT-SUM", &["SET SRM LIMITHARD DEADLINE"]),
    ("LIMIT-LOW-MIN", &["SET SRM LIMITHARD DEADLINE"]),
    ("LIMIT-NOT-BUSY", &["SET SRM LIMITHARD DEADLINE"]),
    ("APS9220", &["Upgrade to z/VM 5.2"]),
    ("SPIN-LOCK", &["Apply VM64927"]),
    ("PRSM", &["Use 3 logical processors", "Double the weight"]),
    ("CAPPED", &["Lift the cap", "Use 8 logical processors"]),
    ("CONTIGUOUS", &["Apply VM64795"]),
    ("RELEASE", &["Split the guest in two", "Apply VM64715"]),
    ("PLDV", &["Apply VM64887"]),
    ("VARY", &["Apply VM64767"]),
    ("MOVE", &["Add a third chpid", "VMRELOCATE IMMEDIATE"]),
    ("LGR100G-25GB", &["VMRELOCATE IMMEDIATE"]),
    ("ISFC", &["Use the link of capacity factor 10", "Use the link of capacity factor 18"]),
    ("TWENTY-FIVE", &["Relocate all at once (ASYNCH)", "VMRELOCATE IMMEDIATE"]),
    ("LGR25-SERIAL", &["Relocate all at once (ASYNCH)", "VMRELOCATE IMMEDIATE"]),
    ("LGR25-SERIAL-IMM", &["Relocate all at once (ASYNCH)"]),
    ("LGR25-CONC", &["VMRELOCATE IMMEDIATE"]),
    ("CONSTRAINED", &["Give the destination 8 GB", "Make all four chpids 8 Gb"]),
    ("BOUNCE", &["Add a third chpid"]),
    ("EVACUATION", &["Add a second chpid", "Relocate all at once (ASYNCH)"]),
    ("CLUSTER", &["Give MEMBER1 4 processors"]),
];

/// The issue: "largest first" was on offer, and it changed every headline of the evacuation by 0 %.
#[test]
fn each_step_from_each_setup_shows_what_it_says_until_the_point_is_made() {
    let (mut outcomes, mut trouble) = (Runs::default(), Vec::new());
    for (subject, setup) in SUBJECTS.iter().flat_map(|subject| subject.setups.iter().map(move |setup| (*subject, setup))) {
        let begun = small(setup.id, scenario_of(setup.id).expect("a ready experiment"));
        let mut steps: Vec<Taken> = Vec::new();
        let limits = |scenario: &Scenario| Some(outcomes.of(scenario).limits.clone());
        let (labels, said) = walk(setup.id, &begun, limits, |step, before, after| {
            steps.push(((step.label)(before).into_owned(), step.shows, before.clone(), after.clone()));
        });
        let chain = CHAINS.iter().find(|(id, _)| *id == setup.id).map_or(&[][..], |(_, chain)| chain);
        if labels != chain {
            trouble.push(format!("{}: {labels:?}, then {said}", setup.id));
        }
        let wrong = steps.iter().filter_map(|step| wrong(subject, step, &mut outcomes));
        trouble.extend(wrong.map(|wrong| format!("{}: {wrong}", setup.id)));
        if !said.ends_with('.') || said.chars().count() > 165 {
            trouble.push(format!("{}: {said}", setup.id));
        }
        if setup.id == "V4DVY000" {
            assert_eq!(said, "The two paths limit now: more aliases or volumes would only wait for them.");
        }
    }
    assert!(trouble.is_empty(), "{}", trouble.join("\n"));
}

/// Nothing is known of what limits while a run is under way. Every ready experiment has a way to an end then, too.
#[test]
fn a_host_without_a_result_has_a_way_to_an_end() {
    let published = runs().into_iter().map(|run| (run.id, run.scenario));
    for (id, begun) in published.chain(examples().iter().map(|ready| (ready.example.id.into(), ready.scenario.clone()))) {
        let (labels, said) = walk(&id, &begun, |_| None, |_, _, _| ());
        assert_eq!(said, NOT_YET, "{id}: {labels:?}");
    }
}

#[test]
fn reasons_are_sentences_and_promise_no_numbers() {
    for &subject in SUBJECTS {
        assert!(!subject.chain.steps.is_empty(), "{} has no steps", subject.title);
        for step in subject.chain.steps {
            assert!(step.reason.ends_with(['.', '?']) && step.reason.len() < 120, "{}", step.reason);
            assert!(!step.reason.contains('%'), "{}", step.reason);
        }
    }
}

/// What a step would do is told only where IBM ran both hosts.
#[test]
fn what_ibm_measured_of_a_step_stands_beside_its_reason() {
    let hint = |scenario: &Scenario| match Next::of(scenario, PAGING, Some(PAGING.start()), None) {
        Next::Step(step) => step.hint().to_string(),
        made => panic!("{made:?}"),
    };
    let mut scenario = PAGING.base().expect("a published run");
    let of = |id: &str| value_of(id, Figure::Etr).expect("it was published");
    let change = difference(of("V4DVY000"), of("V4DVYA40")).expect("they differ");
    assert!(hint(&scenario).ends_with(&format!(" IBM measured, from here: ETR {change}.")), "{}", hint(&scenario));
    scenario.lcu.paths += 1;
    assert!(!hint(&scenario).contains("IBM"), "nobody measured that: {}", hint(&scenario));
}

#[test]
fn the_end_leads_back_unless_the_reader_is_there() {
    let limits = Limits::default();
    let fast = scenario_of("APT9280").expect("a published run");
    let subject = Subject::of(&fast, Some("APT9280"));
    let Next::Made { said, back } = Next::of(&fast, subject, Some("APT9280"), Some(&limits)) else { panic!("no step") };
    assert!(said.contains("the fast path returns at once") && back.is_none(), "{said}");
    let mut other = fast.clone();
    other.guests[0].count += 1;
    let back = Next::of(&other, subject, Some("APT9280"), Some(&limits)).taken().expect("a way back");
    assert_eq!(back.label(), "Back to the first run");
    back.take(&mut other);
    assert_eq!(other, fast);
}

#[test]
fn no_step_leads_to_a_host_that_cannot_be_or_changes_nothing() {
    let label =
        |scenario: &Scenario, subject: &'static Subject| match Next::of(scenario, subject, Some(subject.start()), None) {
            Next::Step(step) => step.label().to_string(),
            Next::Made { .. } => String::new(),
        };
    let mut scenario = Scenario { level: zvmlab::scenario::Level::V6_3, ..Scenario::default() };
    assert_eq!(label(&scenario, PAGING), "Upgrade to z/VM 6.4");
    scenario.storage.central_mb *= 2;
    assert_eq!(label(&scenario, PAGING), "", "no driver helps where nothing is paged");
    let mut scenario = Scenario::default();
    (scenario.lcu.channel, scenario.lcu.aliases) = (Channel::Express8, 16);
    assert_eq!(label(&scenario, PAGING), "", "those channels have no zHPF for paging");
    let mut scenario = SET_CU.base().expect("a published run");
    scenario.paging.kind = DeviceKind::EdevDirect;
    assert_eq!(label(&scenario, SET_CU), "", "only minidisk I/O uses the aliases");
}
