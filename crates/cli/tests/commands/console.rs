//! `zvmlab console`: a script is input, its responses are output.

use std::fs;

use super::{refuses, stderr, stdout, zvmlab, zvmlab_with_input};

#[test]
fn a_script_turns_knobs_and_asks_what_came_of_it() {
    let home = tempfile::tempdir().expect("a folder");
    let [script, saved] = ["script", "host.toml"].map(|name| home.path().join(name).display().to_string());
    fs::write(&script, "* one processor, five guests\nQUERY SHARE A\nset share A rel 400\nIND LOAD\n").expect("a file");
    let host = home.path().join("host");
    let text = "level = \"6.2\"\nguests = [{ name = \"A\", count = 1, virtual_mb = 64, loop_mb = 1, cpu_us = 1000 }]\n\
        [processors]\ncount = 1\n[measure]\ninterval_s = 1\nwarmup_s = 0\n";
    fs::write(&host, text).expect("a file");
    let host = host.display().to_string();
    let run = zvmlab(&["console", &host, &script, "--save", &saved]);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let said = stdout(&run);
    assert!(said.contains("QUERY SHARE A\n    A: SHARE RELATIVE 100 NOLIMIT; that comes to 100 %"), "{said}");
    assert!(said.contains("    A: SHARE RELATIVE 400 NOLIMIT"), "{said}");
    assert!(said.contains("    AVGPROC ") && said.contains("What limits: "), "{said}");
    assert!(fs::read_to_string(&saved).expect("the host").contains("share_relative = 400"));
    assert_eq!(stdout(&zvmlab(&["console", &host, &script])), said, "the same bytes");
    refuses(
        &zvmlab(&["console", &host, &script, "--save", "-"]),
        "--save: - given, but the responses go to standard output",
    );
}

#[test]
fn refused_commands_are_told_and_counted() {
    let run = zvmlab_with_input(&["console", "STORBUF"], b"SET SRM STORBUF 1 2 3\nSET THROTTLE OFF\nQ SRM\n");
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("2 commands were refused"), "{}", stderr(&run));
    assert!(stdout(&run).contains("CP has SET THROTTLE; the laboratory does not model it."), "{}", stdout(&run));
    refuses(&zvmlab(&["console", "STORBUF", "/nowhere"]), "/nowhere: there is no such file");
}
