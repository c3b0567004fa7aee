//! `zvmlab sweep`.

use std::fs;

use super::{folder, refuses, stdout, succeeds, text, zvmlab};

const OVER: [&str; 4] = ["--over", "paging.volumes=1,2", "--over", "storage.central_mb=512 MB,768 MB"];

fn sweep(host: &str, more: &[&str]) -> std::process::Output {
    zvmlab(&[&["sweep", host], more].concat())
}

#[test]
fn a_sweep_has_a_line_for_each_run_whatever_the_number_of_jobs() {
    let (place, host) = folder();
    let one = sweep(&host, &[&OVER[..], &["--replications", "2", "--jobs", "1"]].concat());
    succeeds(&one);
    let file = place.path().join("sweep.csv");
    let many = sweep(&host, &[&OVER[..], &["--replications", "2", "--jobs", "3", "--csv", &text(&file)]].concat());
    succeeds(&many);
    assert_eq!((stdout(&one), stdout(&many)), (fs::read_to_string(&file).expect("written"), String::new()));
    let mut reader = csv::Reader::from_reader(one.stdout.as_slice());
    let names: Vec<String> = reader.headers().expect("a header").iter().map(String::from).collect();
    let first = ["point", "paging.volumes", "storage.central_mb", "seed", "digest", "filled", "steadiness"];
    assert_eq!(names[..7], first);
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let keys: Vec<String> = rows.iter().map(|row| row.iter().take(4).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(keys[..3], ["0 1 512 MB 1", "0 1 512 MB 2", "1 1 768 MB 1"]);
    assert_eq!(keys.len(), 8);
    // The same run by the other command.
    let alone = place.path().join("alone.csv");
    succeeds(&zvmlab(&["run", &host, "--csv", &text(&alone)]));
    let alone = csv::Reader::from_path(&alone).expect("written").records().next().expect("a run").expect("a row");
    let volumes = fs::read_to_string(&host).expect("there").contains("volumes");
    assert!(!volumes && keys.iter().any(|key| key == "2 2 512 MB 1"), "the host has the volumes of the default");
    let default = zvmlab::Scenario::default().paging.volumes;
    let same = sweep(&host, &["--over", &format!("paging.volumes={default}")]);
    let row = csv::Reader::from_reader(same.stdout.as_slice()).records().next().expect("a run").expect("a row");
    assert_eq!(row.get(3), alone.get(3), "digest");
}

/// What a host does not state, and what the level of a published host leaves no choice of, is that of each level.
#[test]
fn a_sweep_over_levels_takes_what_each_level_has() {
    let (place, _) = folder();
    let host = text(&place.path().join("levels.toml"));
    let guest = "virtual_mb = 64\nloop_mb = 1\nworkload = 'COMPUTE'\nlimit_type = 'LIMITHARD'\nlimit_absolute = 20\n";
    let digests = |host: &str| -> Vec<String> {
        let swept = sweep(host, &["--over", "level=5.1,6.2"]);
        succeeds(&swept);
        csv::Reader::from_reader(swept.stdout.as_slice()).records().map(|row| row.expect("a row")[3].to_string()).collect()
    };
    let of_level = ["5.1", "6.2"].map(|level| {
        fs::write(&host, format!("level = '{level}'\n[[guests]]\n{guest}")).expect("written");
        digests(&host)
    });
    assert_eq!(of_level[0], of_level[1], "whichever level the text has");
    let [old, new] = ["5.1\"\n[scheduler]\nlimithard = \"DEADLINE", "6.2"].map(|level| {
        let scenario = zvmlab::Scenario::parse(&format!("level = \"{level}\"\n[[guests]]\n{guest}")).expect("a scenario");
        format!("{:016x}", zvmlab::experiment::run(&scenario, 1).expect("it runs").digest)
    });
    assert_eq!(of_level[0], [old, new], "5.1 goes by DEADLINE, 6.2 by CONSUMPTION");
    let of_5_1 = ["--over", "level=5.1,6.2", "--over", "measure.interval_s=1", "--over", "measure.warmup_s=0"];
    succeeds(&sweep("APS9220", &of_5_1));
}

#[test]
fn what_is_wrong_with_a_sweep_is_told_before_anything_runs() {
    let (_place, host) = folder();
    for (over, told) in [
        ("paging.volumes=1,1000", "paging.volumes"),
        ("paging.volume=1", "paging.volume"),
        ("guests[4].count=1", "guests[4].count: the scenario has 1 groups"),
        ("paging.volumes", "FIELD=VALUES is allowed"),
        ("seconds=1..200000", "at most 100000 values"),
        ("measure.interval_s=1..1000", "10000000 runs given, at most 100000 are allowed"),
    ] {
        refuses(&sweep(&host, &["--over", over, "--replications", "10000"]), told);
    }
    refuses(&sweep(&host, &[]), "--over");
    refuses(&sweep(&host, &["--over", "paging.volumes=1", "--jobs", "0"]), "--jobs");
    refuses(
        &sweep(&host, &["--over", "paging.volumes=1", "--seed", &u64::MAX.to_string(), "--replications", "2"]),
        "--seed",
    );
}
