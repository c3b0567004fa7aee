//! A chart's numbers as a table, for reading and for files.

use zvmlab::report::csv_line;

use crate::chart::{Chart, FrameMap, Grid, Lane, Lines, Plot, Span, Spans};
use crate::words::number;
use zvmlab::order;

/// Most rows that the page shows; a file holds all.
const SHOWN_ROWS: usize = 60;

/// The headings of the ends of an interval.
const SURE: [&str; 2] = ["95 % from", "95 % to"];

/// Rows of texts under headings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// One heading for each column, with its unit.
    pub columns: Vec<String>,
    /// The rows; the first cell of each is its label.
    pub rows: Vec<Vec<String>>,
    /// Every n-th row is shown.
    pub every: usize,
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Text(String),
    Number(f64),
}

impl Cell {
    /// A value that may be missing.
    fn of(value: Option<f64>) -> Cell {
        value.map_or(Cell::Text(String::new()), Cell::Number)
    }

    fn write(&self, number: impl Fn(f64) -> String) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Number(value) => number(*value),
        }
    }
}

/// The table that the page shows: the numbers of a column have the same decimals, and very many rows are thinned out.
pub fn shown(plot: &Plot) -> Table {
    let (columns, mut rows) = make(plot);
    let every = rows.len().div_ceil(SHOWN_ROWS).max(1);
    let last = rows.len().saturating_sub(1);
    let mut index = 0;
    // Counted from the end, so that the newest row is shown.
    rows.retain(|_| {
        index += 1;
        (last + 1 - index).is_multiple_of(every)
    });
    let number = |cell: Option<&Cell>| match cell {
        Some(Cell::Number(value)) => Some(*value),
        _ => None,
    };
    let of_column = |at: usize| rows.iter().filter_map(|row| number(row.get(at))).collect::<Vec<f64>>();
    let decimals: Vec<usize> = (0..columns.len()).map(|at| number::decimals_for(&of_column(at))).collect();
    let cell = |(cell, decimals): (&Cell, &usize)| cell.write(|value| number::fixed(value, *decimals));
    let rows = rows.iter().map(|row| row.iter().zip(&decimals).map(cell).collect()).collect();
    Table { columns, rows, every }
}

/// The table as a CSV file (RFC 4180), numbers in full, with the chart's title and origin as its last columns.
pub fn csv(chart: &Chart) -> String {
    let (columns, rows) = make(&chart.plot);
    let head = csv_line(columns.into_iter().chain(["chart", "origin"].map(String::from)));
    rows.iter().fold(head, |file, row| {
        let cells = row.iter().map(|cell| cell.write(|value| value.to_string()));
        file + &csv_line(cells.chain([chart.title.clone(), chart.provenance.clone()]))
    })
}

/// Headings and rows.
type Made = (Vec<String>, Vec<Vec<Cell>>);

fn make(plot: &Plot) -> Made {
    match plot {
        Plot::Lines(lines) | Plot::Areas(lines) => lines_table(lines),
        Plot::Stack(grid) | Plot::Columns(grid) | Plot::Dots(grid) => grid_table(grid),
        Plot::Spans(spans) => spans_table(spans),
        Plot::Map(map) => map_table(map),
        Plot::Nothing(_) => Made::default(),
    }
}

fn lines_table(lines: &Lines) -> Made {
    let place = |x: f64| if lines.ticks.is_empty() { Cell::Number(x) } else { Cell::Text(lines.place(x)) };
    let labelled =
        lines.ticks.is_empty() && lines.series.iter().any(|series| series.points.iter().any(|point| point.label.is_some()));
    let mut columns = vec![lines.x.heading()];
    let unit = |name: &str| if lines.y.unit.is_empty() { name.to_string() } else { format!("{name} ({})", lines.y.unit) };
    let mut rows: Vec<(f64, Vec<Cell>)> = Vec::new();
    if labelled {
        columns.extend(["Series".into(), "Run".into(), lines.y.heading()]);
        let sure = !lines.reaches.is_empty();
        columns.extend(SURE.iter().filter(|_| sure).map(|end| unit(end)));
        for (series, at) in lines.series.iter().zip(0..) {
            rows.extend(series.points.iter().map(|point| {
                let (name, label) = (series.key.name.clone(), point.label.clone().unwrap_or_default());
                let cells = [Cell::Number(point.x), Cell::Text(name), Cell::Text(label), Cell::Number(point.y)];
                (point.x, cells.into_iter().chain(ends(lines, at, point.x).into_iter().filter(|_| sure)).collect())
            }));
        }
        order::by(&mut rows, |a, b| a.0.total_cmp(&b.0));
    } else {
        let run_at = |x: f64| {
            let mut points = lines.series.iter().flat_map(|series| &series.points).filter(|point| point.x == x);
            points.find_map(|point| point.label.clone()).unwrap_or_default()
        };
        // Several series have their points at the same places. The published series have the same run ids.
        let runs = lines.series.iter().any(|series| series.points.iter().any(|point| point.label.is_some()));
        columns.extend(runs.then(|| "Run".to_string()));
        columns.extend(lines.series.iter().map(|series| unit(&series.key.name)));
        columns.extend(lines.levels.iter().map(|level| unit(&level.name)));
        let means: Vec<usize> =
            (0..lines.series.len()).filter(|at| lines.reaches.iter().any(|of| of.series == *at)).collect();
        let of_mean = |at: &usize| SURE.map(|end| unit(&format!("{}, {end}", lines.series[*at].key.name)));
        columns.extend(means.iter().flat_map(of_mean));
        for x in abscissas(lines) {
            let values = lines.series.iter().map(|series| {
                let found = series.points.binary_search_by(|point| point.x.total_cmp(&x));
                match found.ok().map(|index| series.points[index].y) {
                    // It has no value, and its series says why.
                    Some(y) if y.is_nan() => Cell::Text(series.key.name.clone()),
                    y => Cell::of(y),
                }
            });
            let levels = lines.levels.iter().map(|level| Cell::Number(level.value));
            let run = runs.then(|| Cell::Text(run_at(x)));
            let sure = means.iter().flat_map(|at| ends(lines, *at, x));
            rows.push((x, std::iter::once(place(x)).chain(run).chain(values).chain(levels).chain(sure).collect()));
        }
    }
    (columns, rows.into_iter().map(|row| row.1).collect())
}

/// The ends of the interval of a point, if it is a mean of several runs.
fn ends(lines: &Lines, series: usize, x: f64) -> [Cell; 2] {
    lines.reach(series, x).map_or([Cell::of(None), Cell::of(None)], |ends| ends.map(Cell::Number))
}

/// Every x at which a series has a point, ascending.
pub fn abscissas(lines: &Lines) -> Vec<f64> {
    let mut all: Vec<f64> = lines.series.iter().flat_map(|series| series.points.iter().map(|point| point.x)).collect();
    order::by(&mut all, f64::total_cmp);
    all.dedup();
    all
}

fn grid_table(grid: &Grid) -> Made {
    let unit =
        |name: &str| if grid.value.unit.is_empty() { name.to_string() } else { format!("{name} ({})", grid.value.unit) };
    let names = grid.keys.iter().map(|key| key.name.as_str()).chain(grid.levels.iter().map(|level| level.name.as_str()));
    let columns = std::iter::once(grid.row_name.clone()).chain(names.map(unit)).collect();
    let row = |label: &str, values: &[Option<f64>]| {
        let values = values.iter().map(|value| Cell::of(*value));
        let levels = grid.levels.iter().map(|level| Cell::Number(level.value));
        std::iter::once(Cell::Text(label.into())).chain(values).chain(levels).collect()
    };
    (columns, grid.rows.iter().map(|entry| row(&entry.label, &entry.values)).collect())
}

fn spans_table(spans: &Spans) -> Made {
    let unit = |name: &str| if spans.x.unit.is_empty() { name.into() } else { format!("{name} ({})", spans.x.unit) };
    let columns = vec![spans.row_name.clone(), "What".into(), unit("From"), unit("To"), unit("Took"), "Note".into()];
    let row = |lane: &Lane, span: &Span| {
        let what = spans.keys.get(span.key).map_or(String::new(), |key| key.name.clone());
        let times = [span.from, span.to, span.to - span.from].map(Cell::Number);
        let words = [lane.label.clone(), what].map(Cell::Text);
        words.into_iter().chain(times).chain([Cell::Text(span.note.clone())]).collect()
    };
    let rows = spans.lanes.iter().flat_map(|lane| lane.spans.iter().map(move |span| (lane, span)));
    (columns, rows.map(|(lane, span)| row(lane, span)).collect())
}

fn map_table(map: &FrameMap) -> Made {
    let installed: u64 = map.blocks.iter().map(|block| block.frames).sum();
    let columns = ["Owner", "State", "Frames (4 KB)", "Share (%)"].map(String::from).to_vec();
    let rows = map.blocks.iter().map(|block| {
        let state = map.states.get(block.state).map_or(String::new(), |state| state.name.clone());
        let share = block.frames as f64 / (installed.max(1)) as f64 * 100.0;
        let (owner, frames) = (Cell::Text(block.owner.clone()), Cell::Number(block.frames as f64));
        vec![owner, Cell::Text(state), frames, Cell::Number(share)]
    });
    (columns, rows.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Key, Point, Quantity, Row, Series};

    fn lines(count: usize) -> Lines {
        let points = |from: usize| (from..count).map(|i| Point { x: i as f64, y: i as f64 / 8.0, label: None }).collect();
        Lines {
            x: Quantity::new("Time", "s"),
            y: Quantity::new("Rate", "1/s"),
            series: vec![
                Series { key: Key::new("a", 0), joined: true, points: points(0) },
                Series { key: Key::new("b", 1), joined: true, points: points(1) },
            ],
            levels: vec![],
            x_from_zero: true,
            ..Lines::default()
        }
    }

    #[test]
    fn series_share_their_rows() {
        let table = shown(&Plot::Lines(lines(3)));
        assert_eq!(table.columns, ["Time (s)", "a (1/s)", "b (1/s)"]);
        assert_eq!(table.rows, [vec!["0", "0.000", ""], vec!["1", "0.125", "0.125"], vec!["2", "0.250", "0.250"]]);
    }

    #[test]
    fn very_many_rows_are_thinned_and_keep_the_newest() {
        let table = shown(&Plot::Lines(lines(1000)));
        assert!(table.rows.len() <= SHOWN_ROWS, "{}", table.rows.len());
        assert_eq!(table.every, 17);
        assert_eq!(table.rows.last().map(|row| row[0].as_str()), Some("999"));
    }

    #[test]
    fn a_file_has_every_row_and_quotes_what_it_must() {
        let chart = Chart {
            id: "x",
            title: "Rate, \"raw\"".into(),
            summary: String::new(),
            plot: Plot::Lines(lines(1000)),
            sources: vec![],
            provenance: "V4DVY000".into(),
        };
        let file = csv(&chart);
        assert_eq!(file.split_terminator("\r\n").count(), 1001);
        assert!(
            file.starts_with("Time (s),a (1/s),b (1/s),chart,origin\r\n0,0,,\"Rate, \"\"raw\"\"\",V4DVY000\r\n"),
            "{}",
            &file[..90]
        );
    }

    #[test]
    fn a_missing_value_is_an_empty_cell() {
        let grid = Grid {
            row_name: "Volume".into(),
            value: Quantity::new("Busy", "%"),
            keys: vec![Key::new("now", 0), Key::new("pinned", 1)],
            rows: vec![Row { label: "1".into(), values: vec![Some(270.0), None] }],
            levels: vec![],
            at_least: 100.0,
        };
        assert_eq!(shown(&Plot::Stack(grid)).rows, [vec!["1", "270", ""]]);
    }
}
