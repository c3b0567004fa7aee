//! What the commands say of processors, lists and shares; the examples; the moves from list to list.

use zvmlab::experiment;
use zvmlab::scenario::Scenario;
use zvmlab::scenario::examples::EXAMPLES;

use crate::{refuses, stderr, stdout, succeeds, zvmlab, zvmlab_with_input};

/// Two groups that want more than a processor has, on a host that is short of storage for their working sets.
const BUSY_HOST: &str = "name = \"busy\"\nlevel = \"6.2\"\nprocessors.count = 1\nstorage.central_mb = 256\n\
     scheduler = { storbuf_1 = 60, storbuf_2 = 50, storbuf_3 = 40 }\nmeasure = { warmup_s = 1, interval_s = 4 }\n\
     [[guests]]\nname = \"LINUX\"\ncount = 6\nvirtual_mb = 64\nloop_mb = 32\nworkload = \"LINUX\"\nshare_relative = 200\n\
     [[guests]]\nname = \"BATCH\"\ncount = 1\nvirtual_mb = 16\nloop_mb = 1\nworkload = \"COMPUTE\"\n\
     limit_type = \"LIMITHARD\"\nlimit_absolute = 12.5\n";

/// The lines of the table under `title`, without its header.
fn table<'a>(printed: &'a str, title: &str) -> Vec<&'a str> {
    let mut lines = printed.lines().skip_while(|line| !line.starts_with(title)).skip(2);
    lines.by_ref().take_while(|line| !line.is_empty()).collect()
}

fn numbers(line: &str) -> Vec<f64> {
    line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn examples_are_listed_apart_and_run_by_their_id() {
    let output = zvmlab(&["runs"]);
    succeeds(&output);
    let printed = stdout(&output);
    let (published, examples) = printed.split_once("\nExamples: chosen by hand").expect("they stand apart");
    for example in EXAMPLES {
        assert!(examples.lines().any(|line| line.starts_with(example.id) && line.ends_with(example.question)), "{examples}");
        assert!(!published.lines().any(|line| line.starts_with(example.id)), "{published}");
        let check = zvmlab(&["check", example.id, "--quick"]);
        succeeds(&check);
        assert!(stdout(&check).starts_with(&format!("{}: z/VM ", example.id)), "{}", stdout(&check));
    }
    assert!(stdout(&zvmlab(&["check", "STORBUF", "--quick"])).contains("STORBUF 300 250 200"));
    assert!(stdout(&zvmlab(&["check", "PRSM", "--quick"])).contains("8 processors shared (weight 100 of 400, 8 physical)"));
    assert!(stdout(&zvmlab(&["check", "LIMIT-SUM", "--quick"])).contains("LIMITHARD CONSUMPTION"));
    // What nobody measured is compared with nothing.
    refuses(&zvmlab(&["validate", "STORBUF"]), "STORBUF: an example, chosen by hand");
}

#[test]
fn a_run_says_where_time_went_and_who_waits() {
    let output = zvmlab_with_input(&["run", "-", "--seed", "5"], BUSY_HOST.as_bytes());
    succeeds(&output);
    let printed = stdout(&output);
    let outcome = experiment::run(&Scenario::parse(BUSY_HOST).expect("a scenario"), 5).expect("it runs");
    assert!(printed.contains(&format!("seed 5, digest {:016x}", outcome.digest)), "watching changes nothing: {printed}");

    let states = table(&printed, "Guests' time by state");
    assert_eq!(states.len(), 2, "{printed}");
    for line in states {
        let percents = numbers(line);
        let (all, parts) = percents.split_last().expect("a sum");
        assert!(*all == 100.0 && (parts.iter().sum::<f64>() - 100.0).abs() < 1e-6, "{line}");
    }

    let shares = table(&printed, "Processor time against share");
    assert!(shares[0].contains("RELATIVE 200") && shares[1].contains("RELATIVE 100 ABSOLUTE 12.5% LIMITHARD"), "{printed}");
    let batch = numbers(shares[1]).last().copied().expect("its processor time");
    let model = outcome.measurement.get(zvmlab::Figure::Group2Cpu).expect("the second group's");
    assert!((batch - model).abs() < 0.006, "{batch}, {model}");

    let barriers = table(&printed, "The dispatch list against the barriers");
    assert_eq!(barriers.iter().map(|line| numbers(line)[0]).collect::<Vec<_>>(), [60.0, 50.0, 40.0], "{printed}");
    let counts: u64 = table(&printed, "Lists at the end").iter().map(|line| numbers(line)[0] as u64).sum();
    assert_eq!(counts, 7, "every guest is in one list: {printed}");
    assert!(printed.contains("times a guest entered the dispatch list"), "{printed}");
}

#[test]
fn replications_have_the_sections_of_the_first() {
    let one = stdout(&zvmlab_with_input(&["run", "-", "--seed", "5"], BUSY_HOST.as_bytes()));
    let output = zvmlab_with_input(&["run", "-", "--seed", "5", "--replications", "2"], BUSY_HOST.as_bytes());
    succeeds(&output);
    let two = stdout(&output);
    let sections = one.split_once("\nGuests' time by state").expect("it has them").1;
    assert!(two.contains("\nOf the run with seed 5:\n") && two.ends_with(sections), "{two}");
}

/// The moves that a run prints, as time, guest and the rest.
fn moves(arguments: &[&str]) -> (Vec<(f64, String, String)>, String) {
    let output = zvmlab_with_input(&[&["moves", "-"], arguments].concat(), BUSY_HOST.as_bytes());
    succeeds(&output);
    let printed = stdout(&output);
    let lines = printed.lines().skip_while(|line| !line.trim_start().starts_with("Time s")).skip(1);
    let read = |line: &str| {
        let mut words = line.split_whitespace();
        let (time, guest) = (words.next().expect("a time"), words.next().expect("a guest"));
        (time.parse().expect("a number"), guest.to_string(), words.collect::<Vec<_>>().join(" "))
    };
    (lines.take_while(|line| !line.is_empty()).map(read).collect(), printed)
}

#[test]
fn moves_are_in_order_and_none_is_missed() {
    let (all, printed) = moves(&["--seconds", "4", "--seed", "5"]);
    assert!(all.windows(2).all(|pair| pair[0].0 <= pair[1].0), "{printed}");
    assert!(printed.ends_with(&format!("\n{0} moves shown of {0} in 4 s; none missed.\n", all.len())), "{printed}");
    // A run with the same seed counts as many in its interval, which begins and ends at the same instants.
    let run = stdout(&zvmlab_with_input(&["run", "-", "--seed", "5"], BUSY_HOST.as_bytes()));
    assert!(run.contains(&format!("In the interval {} moves from list to list", all.len())), "{run}");
    // Where a guest goes to is where it comes from the next time.
    for name in all.iter().map(|(_, guest, _)| guest) {
        let own: Vec<Vec<&str>> =
            all.iter().filter(|(_, guest, _)| guest == name).map(|(_, _, rest)| rest.split(' ').take(2).collect()).collect();
        assert!(own.windows(2).all(|pair| pair[0][1] == pair[1][0]), "{name}: {own:?}");
    }
}

#[test]
fn moves_of_one_guest_or_one_group() {
    let (all, _) = moves(&["--seconds", "2"]);
    for (name, wanted) in [("LINUX-3", "LINUX-3"), ("linux-3", "LINUX-3"), ("LINUX", "LINUX-"), ("batch", "BATCH-")] {
        let (some, printed) = moves(&["--seconds", "2", "--guest", name]);
        let expected: Vec<_> = all.iter().filter(|(_, guest, _)| guest.starts_with(wanted)).cloned().collect();
        assert_eq!(some, expected, "{name}");
        assert!(printed.contains(&format!("{} moves shown of {} in 2 s", some.len(), all.len())), "{printed}");
    }
    for bad in ["LINUX-7", "", "LIN", "LINUX-3 "] {
        let output = zvmlab_with_input(&["moves", "-", "--guest", bad], BUSY_HOST.as_bytes());
        refuses(&output, &format!("--guest: \"{bad}\" given, but there is no such guest; the guests are LINUX-1, "));
        assert!(stderr(&output).contains("BATCH-1"));
    }
}
