//! The effect of each constant of the model: the headline figures when it is a fifth smaller or larger.

use zvmlab::constants::{CLUSTER, Constant, Constants, HOST};
use zvmlab::{Figure, Measurement, Scenario};
use zvmlab_reference::run;

use crate::numbers::{number, signed};
use crate::output::{self, Failure};
use crate::table::{self, Align};
use crate::trial::{measure, of};

/// A run with its headline figures, each with the name of its column.
type Headline = (&'static str, &'static [(Figure, &'static str)]);

/// The headlines: base and best case of the paging drivers, the middle of table 6, and guest zHPF with large records.
const HEADLINES: &[Headline] = &[
    ("V4DVY000", &[(Figure::Etr, "ETR")]),
    ("V4DYA001", &[(Figure::Etr, "ETR")]),
    ("QRBKW055", &[(Figure::MdiskEtr, "MDISK ETR"), (Figure::Etr, "Paging ETR")]),
    ("JB001247", &[(Figure::MdiskVolumeRate, "I/O rate")]),
];

/// The headlines of relocation: the idle guest, the busy one, and twenty-five guests one after the other.
const RELOCATIONS: &[Headline] = &[
    ("LGR100G-IDLE", &[(Figure::QuiesceTime, "quiesce"), (Figure::RelocationTime, "relocation")]),
    (
        "LGR100G-25GB",
        &[(Figure::MemoryMoved, "moved"), (Figure::QuiesceTime, "quiesce"), (Figure::RelocationTime, "relocation")],
    ),
    ("LGR25-SERIAL", &[(Figure::RelocationTotal, "total")]),
];

/// Prints the tables: the constants of a host, then those of a cluster.
pub fn print() -> Result<(), Failure> {
    output::print(
        "Change of ETRs and of an I/O rate, in percent, when a constant is a fifth smaller or larger; a count too small for that is one smaller or larger\n\n",
    )?;
    output::print(&rendered(HOST, HEADLINES))?;
    output::print(
        "\nThe same for the constants of the cluster, the ISFC link and relocations: times and storage moved\n\n",
    )?;
    output::print(&rendered(CLUSTER, RELOCATIONS))
}

fn rendered(constants: &[Constant], headlines: &[Headline]) -> String {
    let plain = Constants::default();
    let base: Vec<Measurement> = headlines.iter().map(|(id, _)| measure(scenario(id), plain.clone())).collect();
    let rows: Vec<Vec<String>> = constants.iter().map(|constant| row(constant, &plain, headlines, &base)).collect();
    let mut titles = Vec::new();
    for (id, figures) in headlines {
        for side in ["-20 %", "+20 %"] {
            titles.extend(figures.iter().map(|(_, name)| format!("{id} {name} {side}")));
        }
    }
    let mut header = vec![("Constant", Align::Left), ("Value", Align::Right), ("Unit", Align::Left)];
    header.extend(titles.iter().map(|title| (title.as_str(), Align::Right)));
    header.push(("Source", Align::Left));
    table::render(&header, &rows)
}

fn row(constant: &Constant, plain: &Constants, headlines: &[Headline], base: &[Measurement]) -> Vec<String> {
    let value = (constant.get)(plain);
    let mut cells = vec![constant.id.to_string(), number(value), constant.unit.to_string()];
    for ((id, figures), base) in headlines.iter().zip(base) {
        for (factor, step) in [(0.8, -1.0), (1.2, 1.0)] {
            let mut moved = plain.clone();
            (constant.set)(&mut moved, value * factor);
            if (constant.get)(&moved) == value && value != 0.0 {
                (constant.set)(&mut moved, value + step);
            }
            // A part of zero is zero. A constant of zero is left out; a row without effect would mislead.
            let moved = (value != 0.0).then(|| measure(scenario(id), moved));
            cells.extend(figures.iter().map(|(figure, _)| {
                let change = moved.as_ref().map(|moved| (of(moved, *figure) / of(base, *figure) - 1.0) * 100.0);
                change.map_or("-".into(), signed)
            }));
        }
    }
    cells.push(constant.source.to_string());
    cells
}

fn scenario(id: &str) -> &'static Scenario {
    &run(id).expect("the headline runs are among the published ones").scenario
}
