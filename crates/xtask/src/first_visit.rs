//! `first-visit`: finds which functions of the programs a first visit calls, and lists all others. The build puts those into files
//! of their own, which the page loads when they are needed.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;

use xtask::engines::Engine;
use xtask::pictures;
use xtask::visit::{self, Function};

use crate::command::{EVERYTHING, cargo, root, run as run_command, say};
use crate::drivers;
use crate::site::{PROGRAMS, REST, Site, about};
use crate::testing::on_display;
use crate::tools::{Form, Tools};

/// Added to two scripts of the page: tells which functions of the page and of the engine were called. Each is an export.
const ASKED: [(&str, &str); 2] = [
    (
        "static/boot.js",
        "
window.zvmlabCalled = async () => {
  const engine = [];
  const workers = new BroadcastChannel('called');
  workers.onmessage = ({ data }) => engine.push(...data);
  workers.postMessage('tell');
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const page = Object.entries(first).map(([name, called]) => [name, called.value]);
  const of = (program, all) =>
    all.filter(([name]) => name.startsWith('called ')).map(([name, called]) => `${program} ${name.split(' ')[1]} ${called ? 'called' : '-'}\n`);
  return [...of('zvmlab_web', page), ...of('zvmlab_engine', engine)].join('');
};
",
    ),
    (
        "static/worker.js",
        "
new BroadcastChannel('called').onmessage = ({ data, target }) => {
  if (data === 'tell' && engine) target.postMessage(Object.entries(engine).map(([name, called]) => [name, called.value]));
};
",
    ),
];

/// How many names stand on a line of a list.
const ON_A_LINE: usize = 11;

/// Opens the page in each engine that is there, and writes both lists.
///
/// # Errors
/// When the page does not build, or an engine does not open it.
pub fn run() -> Result<(), String> {
    drivers::install();
    say("building the page, and what drives the browsers: some five minutes the first time on two cores");
    let site = root().join(visit::SITE);
    Site::Release.build_in(&site, [Form::Probe; 2], Tools::Page)?;
    for (script, asked) in ASKED {
        let script = site.join(script);
        let file = fs::OpenOptions::new().append(true).open(&script);
        file.and_then(|mut file| file.write_all(asked.as_bytes())).map_err(about(&script))?;
    }
    // It is whole, but behaves as if a part had not come.
    let index = site.join("index.html");
    let text = fs::read_to_string(&index).map_err(about(&index))?;
    fs::write(&index, text.replace("<progress id=\"loaded\"", "<progress id=\"loaded\" data-rest=\"1\""))
        .map_err(about(&index))?;
    let mut called = BTreeMap::new();
    for engine in Engine::ALL {
        if let Some(missing) = engine.missing() {
            say(&format!("{missing}: what it alone calls will be in the rest, and a first visit in it will load that"));
            continue;
        }
        let mut visit = cargo(&["test", "--quiet"]);
        visit.args(EVERYTHING).args(["--test", "browser", "--", "--nocapture", "--ignored", "--exact", "first_visit"]);
        if engine == Engine::WebKit {
            visit = on_display(visit);
        }
        visit.env(pictures::ENGINE, engine.name());
        run_command(visit)?;
        let file = root().join(visit::CALLED);
        let text = fs::read_to_string(&file).map_err(about(&file))?;
        for function in text.lines().filter_map(Function::of) {
            *called.entry((function.program, function.name)).or_insert(false) |= function.is_called;
        }
    }
    for ((_, program), list) in PROGRAMS.iter().zip(REST) {
        let of_it = || called.iter().filter(|((of, _), _)| of == program);
        let rest: Vec<&str> = of_it().filter(|(_, called)| !**called).map(|((_, name), _)| name.as_str()).collect();
        let lines: Vec<String> = rest.chunks(ON_A_LINE).map(|names| names.join(" ")).collect();
        let text = format!("{HEAD}{}\n", lines.join("\n"));
        let file = root().join(list);
        fs::write(&file, text).map_err(about(&file))?;
        say(&format!(
            "{program}: a first visit calls {} of {} functions; {list} has the others",
            of_it().count() - rest.len(),
            of_it().count()
        ));
    }
    say("now call ./run build, which prints the sizes");
    Ok(())
}

/// What a list says of itself.
const HEAD: &str = "\
# The functions that a first visit does not call, each by a hash of its name (tools/page/src/names.rs). The build puts them into a
# file of their own. `./run first-visit` writes this list; a function that it does not know is loaded in a first visit.
";
