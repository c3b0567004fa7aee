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

/// A number with about four significant digits; whole thousands are grouped.
pub fn number(value: f64) -> String {
    let size = value.abs();
    let decimals = match size {
        _ if size >= 1000.0 || size == 0.0 => 0,
        _ if size >= 100.0 => 1,
        _ if size >= 10.0 => 2,
        _ if size >= 1.0 => 3,
        _ if size >= 0.1 => 4,
        _ => 5,
    };
    let text = format!("{value:.decimals$}");
    if size >= 1000.0 { grouped(&text) } else { text }
}

/// A number as printed in a table of the source, whole thousands grouped.
pub fn grouped(printed: &str) -> String {
    let (sign, digits) = printed.strip_prefix('-').map_or(("", printed), |digits| ("-", digits));
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut text = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    format!("{sign}{text}{rest}")
}

/// A number that may be missing.
pub fn number_or_dash(value: Option<f64>) -> String {
    value.map_or("-".into(), number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_about_four_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.04417, "0.04417"),
            (0.2376, "0.2376"),
            (1.5, "1.500"),
            (-56.4, "-56.40"),
            (555.46, "555.5"),
            (1578.4, "1,578"),
            (1_033_129.0, "1,033,129"),
            (-88_925.0, "-88,925"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn printed_numbers_keep_their_digits() {
        for (printed, text) in [("0.0310", "0.0310"), ("125314", "125,314"), ("270.3", "270.3"), ("100", "100")] {
            assert_eq!(grouped(printed), text);
        }
    }

    #[test]
    fn columns_line_up() {
        let rows = vec![vec!["ETR".into(), "0.0442".into()], vec!["Pages".into(), "88,925".into()]];
        assert_eq!(
            render(&[("Figure", Align::Left), ("Value", Align::Right)], &rows),
            "Figure   Value\nETR     0.0442\nPages   88,925\n"
        );
    }
}
