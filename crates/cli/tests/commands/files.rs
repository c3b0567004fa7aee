//! Files that a command writes: whole, or as they were.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

use crate::{SMALL_HOST, refuses, succeeds, zvmlab, zvmlab_with_input};

/// A host of 64 guests with a budget of a billion events: nobody waits for its end.
const LONG: &str = "processors.count = 4\nstorage.central_mb = 16384\nmeasure = { warmup_s = 3600, interval_s = 3600, events_m = 1000 }\n\
     [[guests]]\ncount = 64\nvirtual_mb = 1024\nloop_mb = 1024\n";

#[test]
fn a_killed_command_leaves_an_earlier_result_as_it_was() {
    let folder = TempDir::new().expect("a folder");
    let (host, result) = (folder.path().join("long.toml"), folder.path().join("result.json"));
    fs::write(&host, LONG).expect("a file");
    fs::write(&result, "an earlier result").expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_zvmlab"));
    command.arg("run").arg(&host).arg("--json").arg(&result).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    // Long enough for it to have looked at the file, unless the machine is very busy: then the test shows nothing.
    sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("a process").is_none(), "it still runs");
    child.kill().and_then(|()| child.wait()).expect("it can be killed");
    assert_eq!(fs::read_to_string(&result).expect("the file"), "an earlier result");
}

#[test]
fn a_result_takes_the_place_of_the_earlier_one_and_nothing_else_is_left() {
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("real.json"), "x".repeat(1 << 20)).expect("a file");
    let mut expected = vec!["real.json".to_string()];
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path("real.json"), fs::Permissions::from_mode(0o640)).expect("rights");
        std::os::unix::fs::symlink("real.json", path("link.json")).expect("a link");
        expected.insert(0, "link.json".into());
    }
    let written = if cfg!(unix) { path("link.json") } else { path("real.json") };
    succeeds(&zvmlab_with_input(&["run", "-", "--json", &written], SMALL_HOST.as_bytes()));
    let text = fs::read_to_string(path("real.json")).expect("the file");
    assert!(text.starts_with('{') && text.trim_end().ends_with('}'), "it is the new result, whole");
    let mut names: Vec<String> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    assert_eq!(names, expected, "no other file is left");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let rights = fs::metadata(path("real.json")).expect("a file").permissions().mode();
        assert_eq!(rights & 0o777, 0o640, "it keeps its rights");
        assert!(fs::symlink_metadata(path("link.json")).expect("a link").is_symlink(), "the link stays");
        // What is no file is written through.
        succeeds(&zvmlab_with_input(&["run", "-", "--json", "/dev/null"], SMALL_HOST.as_bytes()));
    }
    refuses(&zvmlab(&["run", "V4DVY000", "--json", &path("nowhere/result.json")]), "cannot be written");
    refuses(&zvmlab(&["run", "V4DVY000", "--json", &folder.path().display().to_string()]), "cannot be written");
}
