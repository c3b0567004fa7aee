//! Plain tables for a terminal.

/// How a column stands in its width.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Texts.
    Left,
    /// Numbers.
    Right,
}

/// Lays out `rows` under `header`, columns two spaces apart, no space at the end of a line.
pub fn render(header: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    let width = |column: usize, title: &str| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .fold(title.chars().count(), usize::max)
    };
    let widths: Vec<usize> = header.iter().enumerate().map(|(column, (title, _))| width(column, title)).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let cells: Vec<String> = cells
            .zip(header.iter().zip(&widths))
            .map(|(cell, ((_, align), &width))| match align {
                Align::Left => format!("{cell:<width$}"),
                Align::Right => format!("{cell:>width$}"),
            })
            .collect();
        cells.join("  ").trim_end().to_string() + "\n"
    };
    let mut text = line(&mut header.iter().map(|(title, _)| *title));
    for row in rows {
        text += &line(&mut row.iter().map(String::as_str));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = vec![vec!["ETR".into(), "0.0442".into()], vec!["Pages".into(), "88,925".into()]];
        assert_eq!(
            render(&[("Figure", Align::Left), ("Value", Align::Right)], &rows),
            "Figure   Value\nETR     0.0442\nPages   88,925\n"
        );
    }
}
