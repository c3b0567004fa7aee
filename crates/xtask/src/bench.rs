//! `bench`: the benchmarks of the model, natively and in wasm, and those of the page, each as one table.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::engines::Engine;
use xtask::pace::{self, Paced};

use crate::command::{EVERYTHING, cargo, command, line, root, run as run_command, say};
use crate::drivers;
use crate::site::{Site, WASM};
use crate::tools::{self, Form, Host, Tools};

/// The names of the kernel queue's results begin with this, those of the plain heap's with the next; the rest of a name is
/// the work.
const KERNEL: &str = "kernel, ";
const PLAIN: &str = "BinaryHeap, ";

/// One result: the work, the unit counted, and how many units a second.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    name: String,
    unit: String,
    per_second: f64,
}

/// Runs the benchmarks and prints the table: without arguments those of the model, with `page` those of the page.
///
/// # Errors
/// When something does not build or run.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    match arguments {
        [] => of_the_model(),
        ["page"] => of_the_page(None),
        ["page", "--against", folder] => of_the_page(Some(Path::new(folder))),
        _ => Err(
            "bench takes no arguments, or: page, page --against FOLDER with a page that was built. To compare two states \
                  of the model: cargo bench -p zvmlab-bench"
                .into(),
        ),
    }
}

/// Opens the page in Chromium, and another page in turn with it.
fn of_the_page(against: Option<&Path>) -> Result<(), String> {
    let against = against.map(built).transpose()?;
    drivers::install_chromium();
    if let Some(missing) = Engine::Chromium.missing() {
        return Err(format!("{missing}: the page is measured in Chromium, by its driver"));
    }
    say("building the page and what drives the browser: some five minutes the first time on two cores");
    Site::Release.build(Tools::Page)?;
    say("opening each subject and watching three pictures, three times: some five minutes, twice that with another page");
    let mut measure = cargo(&["test", "--quiet"]);
    measure.args(EVERYTHING).args(["--test", "browser", "--", "--nocapture", "--ignored", "--exact", "pace_of_the_page"]);
    if let Some(folder) = against {
        measure.env(pace::AGAINST, folder);
    }
    run_command(measure)?;
    let file = root().join(pace::RESULTS);
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let results: Option<Vec<Paced>> = text.lines().map(Paced::of).collect();
    print!("{}", pace::table(&results.ok_or_else(|| format!("{}: not all lines are results", file.display()))?));
    Ok(())
}

/// The folder of a built page, whatever folder a command runs in.
fn built(folder: &Path) -> Result<PathBuf, String> {
    let page = folder.join("pkg/zvmlab_web.js");
    if !page.is_file() {
        return Err(format!("{} is not there: --against takes a folder that ./run build left", page.display()));
    }
    fs::canonicalize(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Runs the benchmarks of the model.
fn of_the_model() -> Result<(), String> {
    say("building the benchmarks, natively and for wasm");
    let tool = Tools::Page.build_beside();
    let built = run_command(native("build")).and_then(|()| run_command(for_wasm()));
    tool.wait().and(built)?;
    let compiled = root().join("target").join(WASM).join("release/zvmlab_bench.wasm");
    tools::bind(&compiled, Host::Node, Form::Whole, &root().join("target/bench-wasm"))?;
    say("running natively: half a minute");
    let in_native = items_of(native("run"))?;
    say("running in wasm, in node: half a minute");
    let in_wasm = items_of(command("node", &["-e", "require('./target/bench-wasm/zvmlab_bench.js').run()"]))?;
    print!("{}", table(&in_native, &in_wasm));
    Ok(())
}

/// Builds or runs the native program.
fn native(verb: &str) -> Command {
    cargo(&[verb, "--quiet", "--release", "--locked", "--package", "zvmlab-bench", "--bin", "zvmlab-bench"])
}

/// Builds the same work for wasm.
fn for_wasm() -> Command {
    let mut build = cargo(&["build", "--locked", "--release", "--package", "zvmlab-bench", "--lib", "--target", WASM]);
    build.arg("--target-dir").arg(root().join("target"));
    build
}

/// Runs a command that prints one result a line.
fn items_of(mut command: Command) -> Result<Vec<Item>, String> {
    let line = line(&command);
    println!("  $ {line}");
    let output = command.output().map_err(|error| format!("{line}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{line}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|text| item(text).ok_or_else(|| format!("{line}: not a result: {text}"))).collect()
}

fn item(text: &str) -> Option<Item> {
    let mut fields = text.split('\t');
    let item = Item {
        name: fields.next()?.into(),
        unit: fields.next()?.into(),
        per_second: fields.next()?.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0)?,
    };
    fields.next().is_none().then_some(item)
}

/// The table: each result natively and in wasm, their ratio, and the kernel's queue compared with the plain heap.
fn table(native: &[Item], wasm: &[Item]) -> String {
    let mut table = format!("{:36} {:>16} {:>16} {:>14}\n", "", "native", "wasm", "wasm : native");
    for item in native {
        let of_wasm = rate(wasm, &item.name);
        let ratio = of_wasm.map(|rate| format!("{:.2}", rate / item.per_second));
        let in_wasm = of_wasm.map(|rate| shown(rate, &item.unit));
        let cells = [Some(shown(item.per_second, &item.unit)), in_wasm, ratio];
        table += &row(&item.name, &cells);
        if let Some(pending) = item.name.strip_prefix(PLAIN) {
            let beside = |items: &[Item]| {
                let kernel = rate(items, &format!("{KERNEL}{pending}"))?;
                Some(format!("{:.2}", kernel / rate(items, &item.name)?))
            };
            table += &row("  kernel : BinaryHeap", &[beside(native), beside(wasm), None]);
        }
    }
    table
}

fn row(name: &str, cells: &[Option<String>; 3]) -> String {
    let [native, wasm, ratio] = cells.each_ref().map(|cell| cell.as_deref().unwrap_or(""));
    let text = format!("{name:36} {native:>16} {wasm:>16} {ratio:>14}");
    format!("{}\n", text.trim_end())
}

fn rate(items: &[Item], name: &str) -> Option<f64> {
    items.iter().find(|item| item.name == name).map(|item| item.per_second)
}

/// A rate for the reader: simulated seconds as they are, other units in millions; for runs, the time that one takes.
fn shown(per_second: f64, unit: &str) -> String {
    match unit {
        "runs" => format!("{:.0} ms", 1e3 / per_second),
        "simulated s" => format!("{per_second:.1} {unit}/s"),
        _ => format!("{:.1} M {unit}/s", per_second / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_are_none_are_refused() {
        for bad in [&["pages"][..], &["page", "--against"], &["page", "there"], &["page", "--against", "a", "b"]] {
            assert!(run(bad).is_err_and(|why| why.contains("bench takes")), "{bad:?}");
        }
        assert!(run(&["page", "--against", "no-such-folder"]).is_err_and(|why| why.contains("./run build")));
    }

    #[test]
    fn results_are_read() {
        let expected = Item { name: "kernel, 16 pending".into(), unit: "events".into(), per_second: 2.5e7 };
        assert_eq!(item("kernel, 16 pending\tevents\t25000000"), Some(expected));
        for bad in ["", "a\tb", "a\tb\tc", "a\tb\t1\td", "a\tb\tNaN", "a\tb\t0", "a\tb\tinf"] {
            assert_eq!(item(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn rates_are_shown_as_people_read_them() {
        let expected =
            [("runs", 8.0, "125 ms"), ("events", 25e6, "25.0 M events/s"), ("simulated s", 12.34, "12.3 simulated s/s")];
        for (unit, per_second, text) in expected {
            assert_eq!(shown(per_second, unit), text);
        }
    }

    #[test]
    fn the_table_sets_kernel_beside_heap_and_wasm_beside_native() {
        let items = |lines: [&str; 3]| lines.map(|line| item(line).unwrap()).to_vec();
        let native = items(["kernel, 16 pending\tevents\t40e6", "BinaryHeap, 16 pending\tevents\t20e6", "whole\truns\t10"]);
        let wasm = items(["kernel, 16 pending\tevents\t30e6", "BinaryHeap, 16 pending\tevents\t24e6", "whole\truns\t8"]);
        let table = table(&native, &wasm);
        let words: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(words[1][3..], ["40.0", "M", "events/s", "30.0", "M", "events/s", "0.75"]);
        assert_eq!(words[3], ["kernel", ":", "BinaryHeap", "2.00", "1.25"]);
        assert_eq!(words[4], ["whole", "100", "ms", "125", "ms", "0.80"]);
    }
}
