//! The table of a study: its figures line by line, beside those that were expected or published.

/// Rows of cells under headings.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name in the style sheets.
    pub class: &'static str,
    /// Its title.
    pub name: &'static str,
    /// Whether it opens by a click.
    pub folded: bool,
    /// The headings; the one over the rows' names comes first.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Row>,
    /// The text below it.
    pub help: Option<String>,
}

/// A heading, and the headings of its parts if it has any.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its text.
    pub name: &'static str,
    /// The heading over each of its parts.
    pub parts: &'static [&'static str],
}

impl Column {
    /// A heading over one column.
    pub fn new(name: &'static str) -> Column {
        Column { name, parts: &[] }
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// More about its name, shown to readers who point at it.
    pub help: Option<&'static str>,
    /// Its cells.
    pub cells: Vec<Cell>,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// Whether it meets what was expected, in a word after the text.
    pub verdict: Option<&'static str>,
    /// The text after that word.
    pub behind: Option<String>,
}

impl Cell {
    /// A cell without a verdict.
    pub fn plain(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }
}
