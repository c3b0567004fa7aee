//! What the commands say of a cluster: the answer, relocations, passes, the link, the members; the stages as they happen.

use zvmlab::experiment;
use zvmlab::scenario::Scenario;
use zvmlab::scenario::examples::example;
use zvmlab::{Figure, Simulation, Snapshot};
use zvmlab_lab::evidence::STEPS;
use zvmlab_lab::words::answer;

use crate::{refuses, stdout, succeeds, zvmlab, zvmlab_with_input};

/// Two guests on two small members, moved one after the other.
const PAIR: &str = "name = \"pair\"\nlevel = \"6.2\"\nprocessors.count = 2\nstorage.central_mb = 1024\ncluster.members = 2\n\
     member2 = { central_mb = 1024, processors = 2 }\nisfc = { chpid1 = \"2 Gb\", chpid2 = \"1 Gb\" }\n\
     measure = { warmup_s = 1, interval_s = 2 }\nRELOCATION\n\
     [[guests]]\nname = \"LINUX\"\ncount = 2\nvirtual_mb = 128\nloop_mb = 64\nactive_mb = 16\ntouch_mb_s = 20\n\
     pattern = \"random\"\nmove_to = 2\ntolerance_ms = 5000\n";

/// The pair with these fields of `relocation`, the first VMRELOCATE at the start of the interval.
fn pair(relocation: &str) -> String {
    PAIR.replace("RELOCATION", &format!("relocation = {{ after_s = 0{relocation} }}"))
}

fn run(text: &str) -> String {
    let output = zvmlab_with_input(&["run", "-", "--seed", "3"], text.as_bytes());
    succeeds(&output);
    stdout(&output)
}

/// The lines of the table under the line that starts with `title`, without its header.
fn table<'a>(printed: &'a str, title: &str) -> Vec<&'a str> {
    let mut lines = printed.lines().skip_while(|line| !line.starts_with(title)).skip(2);
    lines.by_ref().take_while(|line| !line.is_empty()).collect()
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

#[test]
fn a_run_says_who_moved_and_how() {
    let printed = run(&pair(""));
    let outcome = experiment::run(&Scenario::parse(&pair("")).expect("a scenario"), 3).expect("it runs");
    let cluster = outcome.snapshot.cluster.as_deref().expect("a cluster");
    assert!(printed.contains(&format!("seed 3, digest {:016x}", outcome.digest)), "watching changes nothing: {printed}");
    assert!(printed.contains("\n2 of 2 guests moved in "), "{printed}");
    assert!(printed.contains("; stopped for ") && printed.contains(" s on average, "), "{printed}");
    assert!(printed.contains(" Every stop is within its limit."), "{printed}");
    let answer = answer::of_run(&Scenario::parse(&pair("")).expect("a scenario"), &outcome.snapshot, &[]);
    assert!(printed.contains(&format!("\n{}\n", answer.expect("a cluster"))), "the page says the same: {printed}");

    let relocations = table(&printed, "Relocations; ");
    assert_eq!(relocations.len(), 2, "{printed}");
    for (line, one) in relocations.iter().zip(&cluster.relocations) {
        let cells = words(line);
        assert_eq!(cells[..3], [one.name.as_str(), "MEMBER1", "MEMBER2"], "{line}");
        assert_eq!(cells[3].parse(), Ok(one.passes.len()), "{line}");
        let quiesce: f64 = cells[5].parse().expect("a time");
        assert!((quiesce * 1e9 / one.quiesce_ns().expect("it stopped") as f64 - 1.0).abs() < 0.01, "{line}");
        assert!(line.ends_with("00, completed"), "{line}");
    }
    let passes = table(&printed, "Passes through the storage of LINUX-1, which had touched 16,384 pages");
    let [before, passes @ .., after] = &passes[..] else { panic!("a row before the passes and one after: {printed}") };
    assert_eq!((words(before)[0], words(after)[0]), ("before", "after"), "the guest between relocations: {printed}");
    assert_eq!(passes.len(), cluster.relocations[0].passes.len(), "{printed}");
    assert_eq!(words(passes[0])[..3], ["1", "runs", "16,384"], "the first pass sends what was touched: {printed}");
    let stopped = passes.iter().filter(|line| words(line)[1] == "stopped").count();
    assert_eq!(stopped, 2, "the last two: {printed}");

    assert!(printed.contains("Held back, all relocations together: by paging (end to end) "), "{printed}");
    let chpids = table(&printed, "ISFC link from MEMBER1 to MEMBER2: capacity factor 3, ");
    let shares: Vec<f64> = chpids.iter().map(|line| words(line)[3].parse().expect("a share")).collect();
    assert!(chpids.len() == 2 && (shares.iter().sum::<f64>() - 100.0).abs() < 0.1, "{printed}");
    assert!(!printed.contains("ISFC link from MEMBER2"), "nothing came back: {printed}");
    let members = table(&printed, "Members at the end");
    assert_eq!(
        members.iter().map(|line| words(line)[..4].join(" ")).collect::<Vec<_>>(),
        ["MEMBER1 Joined 0 0", "MEMBER2 Joined 0 2"]
    );

    for figure in [Figure::QuiesceTime, Figure::MemoryMoved, Figure::FirstPass, Figure::LinkRate, Figure::ThrottledLink] {
        let line = printed.lines().find(|line| line.starts_with(figure.label()));
        assert!(line.is_some_and(|line| line.ends_with(figure.unit())), "{}: {printed}", figure.id());
    }
}

#[test]
fn a_run_says_why_a_guest_did_not_move() {
    for (relocation, wanted) in [
        (", interruption = \"link lost\"", "the ISFC connection was lost (code 03). "),
        (", interruption = \"CANCEL\"", "VMRELOCATE CANCEL ended its relocation (code 01). "),
        (", interruption = \"CPHX\"", "CPHX ended its relocation (code 02). "),
        (", interruption = \"LOGOFF\"", "it was reset or logged off, which ended its relocation (code 07). "),
    ] {
        let printed = run(&pair(&format!("{relocation}, interruption_ms = 350, window_s = 100")));
        assert!(printed.contains(&format!(" LINUX-1 did not move: {wanted}")), "{wanted}: {printed}");
        let missed = " The window of 100 s is not met: not all guests have moved.";
        assert!(printed.contains(missed), "all have ended within it, but not all have moved: {printed}");
    }
    // Three guests of 125 MB, and neither frames nor page space for all of them.
    let full = pair("")
        .replace("member2 = { central_mb = 1024", "paging.volume_slots = 1800\nmember2 = { volumes = 1, central_mb = 256")
        .replace("loop_mb = 64", "loop_mb = 125");
    let printed = run(&full.replace("count = 2", "count = 3"));
    assert!(["1", "2"].iter().any(|moved| printed.contains(&format!("{moved} of 3 guests moved"))), "{printed}");
    assert!(printed.contains(" did not move: it was not eligible: the destination has no room for it"), "{printed}");
}

#[test]
fn a_run_holds_the_result_against_window_and_tolerance() {
    let printed = run(&pair(", window_s = 100"));
    assert!(printed.contains(" The move ended within the window of 100 s."), "{printed}");
    let printed = run(&pair(", window_s = 1").replace("tolerance_ms = 5000", "tolerance_ms = 1"));
    assert!(printed.contains(" s after the window of 1 s."), "{printed}");
    assert!(printed.contains(", and 1 more are stopped for longer than they tolerate."), "{printed}");
    let one = run(&pair("").replace("count = 2", "count = 1"));
    assert!(one.contains("LINUX-1 moves to MEMBER2: stopped for ") && one.contains(" of the 10 s allowed, "), "{one}");
    assert!(one.contains(" It tolerates 5 s."), "{one}");
}

/// The page looks at the interval in its own steps: the command line says the same of it, to the last digit.
#[test]
fn work_that_stays_is_told_as_on_the_page() {
    for id in ["BOUNCE", "CLUSTER"] {
        let scenario = Scenario::parse(example(id).expect("an example").text).expect("a scenario");
        let mut simulation = Simulation::new(&scenario, 1).expect("a scenario");
        let mut looks = Vec::new();
        let outcome = experiment::finish_watched(&mut simulation, &scenario, 1, STEPS, &mut |look| {
            looks.push(look.snapshot().clone())
        });
        let looks: Vec<&Snapshot> = looks.iter().skip(1).collect();
        let answer = answer::of_run(&scenario, &outcome.snapshot, &looks).expect("a cluster");
        let output = zvmlab(&["run", id]);
        succeeds(&output);
        assert!(stdout(&output).contains(&format!("\n{answer}\n")), "{answer}: {}", stdout(&output));
        assert!(answer.contains("WEB at MEMBER1: "), "{answer}");
    }
}

/// A host alone says nothing of members, and a cluster in which nobody is relocated nothing of relocations.
#[test]
fn a_run_is_silent_of_what_there_is_not() {
    let alone = run(&pair("").replace("cluster.members = 2\n", "").replace("move_to = 2\n", ""));
    for word in ["MEMBER", "ISFC", "elocation", "Quiesce", "Guests' time stopped"] {
        assert!(!alone.contains(word), "{word}: {alone}");
    }
    let stays = run(&pair("").replace("move_to = 2\n", ""));
    assert!(stays.contains("\nNo guest is relocated, and no member changes its state.\n"), "{stays}");
    assert!(!stays.contains("Relocation time") && stays.contains("Members at the end"), "{stays}");
}

/// The lines that `relocate` prints of what happens: time, guest, the rest.
fn told(arguments: &[&str], text: &str) -> (Vec<(f64, String, String)>, String) {
    let output = zvmlab_with_input(&[&["relocate", "-", "--seed", "3"], arguments].concat(), text.as_bytes());
    succeeds(&output);
    let printed = stdout(&output);
    let lines = printed.lines().skip_while(|line| !line.trim_start().starts_with("Time s")).skip(1);
    let read = |line: &str| {
        let cells = words(line);
        (cells[0].parse().expect("a time"), cells[1].to_string(), cells[4..].join(" "))
    };
    (lines.take_while(|line| !line.is_empty()).map(read).collect(), printed)
}

#[test]
fn stages_and_passes_are_told_in_order_and_none_is_missed() {
    let (all, printed) = told(&[], &pair(""));
    assert!(all.windows(2).all(|pair| pair[0].0 <= pair[1].0), "{printed}");
    assert!(printed.contains("\n2 of 2 guests moved in "), "{printed}");
    let outcome = experiment::run(&Scenario::parse(&pair("")).expect("a scenario"), 3).expect("it runs");
    let cluster = outcome.snapshot.cluster.as_deref().expect("a cluster");
    for one in &cluster.relocations {
        let own: Vec<&(f64, String, String)> = all.iter().filter(|told| told.1 == one.name).collect();
        assert_eq!(own.len(), one.stages.len() + one.passes.len(), "{printed}");
        let passes = own.iter().filter(|told| told.2.starts_with("pass ")).count();
        assert_eq!(passes, one.passes.len(), "{printed}");
        for (told, starts) in [
            (own[0], "eligibility checks"),
            (own[1], "skeleton at the destination"),
            (own[2], "storage moved, guest runs"),
            (own[own.len() - 1], "00, completed; runs at MEMBER2"),
        ] {
            assert!(told.2.starts_with(starts), "{starts}: {printed}");
        }
        // What a run says of it is the same.
        assert!((own[own.len() - 1].0 - one.ended_ns.expect("it ended") as f64 / 1e9).abs() < 1e-6, "{printed}");
    }
    // One after the other.
    let last = all.iter().rposition(|told| told.1 == "LINUX-1").expect("it moved");
    assert!(all[..=last].iter().all(|told| told.1 == "LINUX-1"), "{printed}");
}

#[test]
fn one_guest_or_one_group_is_followed() {
    let (some, printed) = told(&["--guest", "linux-2"], &pair(""));
    assert!(!some.is_empty() && some.iter().all(|told| told.1 == "LINUX-2"), "{printed}");
    let output = zvmlab_with_input(&["relocate", "-", "--guest", "LINUX-3"], pair("").as_bytes());
    refuses(&output, "--guest: \"LINUX-3\" given, but there is no such guest; the guests are LINUX-1, LINUX-2");
}

#[test]
fn guests_that_bounce_are_followed_for_the_interval() {
    let (all, printed) = told(&[], &pair(", bounce = true, stay_s = 0").replace("interval_s = 2", "interval_s = 6"));
    let ends: Vec<&str> =
        all.iter().filter(|told| told.2.starts_with("00, completed")).map(|told| told.2.as_str()).collect();
    assert!(
        ends.iter().any(|end| end.contains("runs at MEMBER2")) && ends.iter().any(|end| end.contains("runs at MEMBER1")),
        "{printed}"
    );
    assert!(all.iter().all(|told| told.0 < all[0].0 + 6.0), "{printed}");
    assert!(printed.contains(" times in all; stopped for "), "{printed}");
}

#[test]
fn a_host_that_relocates_nobody_is_refused() {
    for text in [pair("").replace("move_to = 2\n", ""), "name = \"alone\"\n".into()] {
        let output = zvmlab_with_input(&["relocate", "-"], text.as_bytes());
        refuses(&output, "guests.move_to: 0 given for every guest");
    }
}
