//! xtask: the commands that `./run` calls, each in a module.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this is not the model: it may look at the clock of the machine"
)]

mod bench;
mod command;
mod drivers;
mod editor;
mod first_visit;
mod hostile;
mod kept;
mod licences;
mod lints;
mod npm;
mod outcome;
mod packages;
mod plan;
mod programs;
mod python;
mod release;
mod screenshots;
mod serving;
mod site;
mod sizes;
mod testing;
mod tools;
mod validation;

use std::process::ExitCode;

const HELP: &str = "\
usage: ./run COMMAND        (or: cargo xtask COMMAND)

  serve [--port N] [--names]
                         build the page and serve it on 127.0.0.1; first port 8080, or the next free one. With --names its
                         functions keep their names, for a person who looks for a fault; it takes some seconds more
  test [--again] [WORD…] run every test; on Debian or Ubuntu as root it installs the browsers first; with words, only the
                         steps in whose title one of them stands. Tests that passed with the same programs and data as now are
                         not run again, unless --again is given; what draws new cases each time is
  build                  leave the page in dist/, ready for any static host
  build cli              leave the command line's program in target/cli/: without paths of this machine, the same bytes in any folder
  package LESSON [--form FORM] [--to FOLDER] [--lab ADDRESS]
                         make a lesson's packages for learning platforms, in target/packages: SCORM 1.2, SCORM 2004 and cmi5
  python [ARGUMENT…]     build the wheel of the Python package and run its tests, in a virtual environment in target/python; arguments
                         go to pytest
  npm                    build the package of npm in target/npm, install it in a project, and run that in node and in Chromium
  release [--to FOLDER]  make everything that a release has, in target/zvmlab-VERSION: site, wheel, package of npm, the command line's
                         program, lists of what they are made of (CycloneDX), notes, checksums
  validate [--json FILE] compare the model with every published measurement
  hostile [soak] [page|native] [--minutes N] [--seed N]
                         try to break page and command line with inputs, hosts, kills and acts; two minutes unless told; what
                         fails is kept as a file, which ./run test tries again
  bench                  run the benchmarks, natively and in wasm
  bench page [--against FOLDER]
                         time the page in Chromium: first and settled figure of each subject, first figure and longest task
                         after a knob is turned, frames of the moving picture; with a folder, in turn with the page that was
                         built there
  screenshots [WORD…]    take pictures of the page in every engine, in four sizes, light and dark; with words, only those in
                         whose name all of them stand
  screenshots readme     take the pictures of README.md anew, in Chromium
  first-visit            list anew which functions of the programs a first visit does without; after a change of the page, when the
                         test of a first visit or that of the budget asks for it
  help                   show this
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["serve", rest @ ..] => serving::run(rest),
        ["test", rest @ ..] => testing::run(rest),
        ["build"] => site::build(),
        ["build", "cli"] => site::build_cli().map(drop),
        ["package", rest @ ..] => packages::run(rest),
        ["validate", rest @ ..] => validation::run(rest),
        ["python", rest @ ..] => python::run(rest),
        ["npm", rest @ ..] => npm::run(rest),
        ["release", rest @ ..] => release::run(rest),
        ["hostile", rest @ ..] => hostile::run(rest),
        ["bench", rest @ ..] => bench::run(rest),
        ["first-visit"] => first_visit::run(),
        ["screenshots", rest @ ..] => screenshots::run(rest),
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        [] => {
            print!("{HELP}");
            Err("no command given".into())
        }
        _ => Err(format!("not a command: {}; ./run help lists them", words.join(" "))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("run: {reason}");
            ExitCode::FAILURE
        }
    }
}
