//! The table of a study: figures line by line beside what was asked of them or published.

/// Rows of cells under headings.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name in the style sheets.
    pub class: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// Whether it stands behind a click.
    pub folded: bool,
    /// The headings, that of the rows' names first.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Row>,
    /// What is said below it.
    pub help: Option<String>,
}

/// A heading, and the headings of its parts where it has some.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// What it says.
    pub name: &'static str,
    /// What stands over each of its parts.
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
    /// More about its name, for those who point at it.
    pub help: Option<&'static str>,
    /// Its cells.
    pub cells: Vec<Cell>,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// What stands in it.
    pub text: String,
    /// How it stands to what was asked, in a word, which stands behind it.
    pub verdict: Option<&'static str>,
    /// What stands behind that word.
    pub behind: Option<String>,
}

impl Cell {
    /// A cell of which nothing was asked.
    pub fn plain(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }
}
