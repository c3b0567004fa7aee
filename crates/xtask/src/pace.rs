//! What `bench page` measures of the page: one result a line, and the table of all.

/// The variable with the folder of another built page that is measured beside this one.
pub const AGAINST: &str = "ZVMLAB_AGAINST";

/// The file with the results, in the root of the repository.
pub const RESULTS: &str = "target/bench-page.tsv";

/// The name of the page in dist/.
pub const THIS: &str = "dist/";

/// The name of the other page.
pub const OTHER: &str = "against";

/// One result.
#[derive(Clone, Debug, PartialEq)]
pub struct Paced {
    /// The page: [`THIS`] or [`OTHER`].
    pub page: String,
    /// What is measured, of which host.
    pub name: String,
    /// The unit of the value.
    pub unit: String,
    /// The value.
    pub value: f64,
}

impl Paced {
    /// The result as a line.
    pub fn line(&self) -> String {
        format!("{}\t{}\t{}\t{}\n", self.page, self.name, self.unit, self.value)
    }

    /// The result of a line, if it is one.
    pub fn of(line: &str) -> Option<Paced> {
        let [page, name, unit, value] = line.split('\t').collect::<Vec<_>>()[..] else { return None };
        let value = value.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0)?;
        Some(Paced { page: page.into(), name: name.into(), unit: unit.into(), value })
    }
}

/// The table: of each measurement the median of its rounds. With two pages, it has both and their ratio.
pub fn table(results: &[Paced]) -> String {
    let both = results.iter().any(|result| result.page == OTHER);
    let mut names: Vec<(&str, &str)> = Vec::new();
    for result in results {
        let name = (&*result.name, &*result.unit);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut table = row("", THIS, if both { OTHER } else { "" }, if both { "ratio" } else { "" });
    for (name, unit) in names {
        let of = |page: &str| {
            let of_page = results.iter().filter(|result| result.page == page && result.name == name);
            median(of_page.map(|result| result.value).collect())
        };
        let (this, other) = (of(THIS), of(OTHER));
        let ratio = this.zip(other).filter(|(_, other)| *other > 0.0).map(|(this, other)| format!("{:.2}", this / other));
        let shown = |value: Option<f64>| value.map_or("–".into(), |value| shown(value, unit));
        let other = if both { shown(other) } else { String::new() };
        table += &row(name, &shown(this), &other, ratio.as_deref().unwrap_or_default());
    }
    table
}

fn row(name: &str, this: &str, other: &str, ratio: &str) -> String {
    format!("{}\n", format!("{name:48} {this:>14} {other:>14} {ratio:>8}").trim_end())
}

/// The value in the middle; of an even number the mean of both.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some((lower + upper) / 2.0)
}

/// A value for the reader: tenths where they count.
fn shown(value: f64, unit: &str) -> String {
    if value < 100.0 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(page: &str, name: &str, value: f64) -> Paced {
        Paced { page: page.into(), name: name.into(), unit: "ms".into(), value }
    }

    #[test]
    fn results_are_read_as_they_are_written() {
        let one = result(THIS, "Paging: first figure", 412.25);
        assert_eq!(Paced::of(one.line().trim_end()), Some(one));
        for bad in ["", "a\tb\tms", "a\tb\tms\tx", "a\tb\tms\tNaN", "a\tb\tms\t-1", "a\tb\tms\t1\t2"] {
            assert_eq!(Paced::of(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0]), Some(3.0));
        assert_eq!(median(vec![9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 9.0]), Some(3.0));
    }

    #[test]
    fn the_table_has_one_page_or_two_with_their_ratio() {
        let words = |table: &str| -> Vec<Vec<String>> {
            table.lines().map(|line| line.split_whitespace().map(str::to_string).collect()).collect()
        };
        let alone = [result(THIS, "first", 40.0), result(THIS, "first", 20.0), result(THIS, "first", 300.0)];
        assert_eq!(words(&table(&alone)), [vec!["dist/"], vec!["first", "40.0", "ms"]]);
        let beside = [result(THIS, "first", 150.0), result(OTHER, "first", 300.0), result(THIS, "frame", 16.7)];
        let table = words(&table(&beside));
        assert_eq!(table[0], ["dist/", "against", "ratio"]);
        assert_eq!(table[1], ["first", "150", "ms", "300", "ms", "0.50"]);
        assert_eq!(table[2], ["frame", "16.7", "ms", "–"]);
    }
}
