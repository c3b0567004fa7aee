//! Reads a tree of values, TOML or JSON, and gathers everything that is wrong with it: the field, what was given, what is allowed.

use serde_json::{Map, Value};
use toml::de::{DeTable, DeValue};
use zvmlab::scenario::Problem;

/// What a table may hold is asked for by name. What nobody asked for is a problem.
pub struct Table<'a> {
    /// Its name in messages: `steps[2]`. Empty for the whole text.
    pub place: String,
    entries: &'a Map<String, Value>,
    asked: Vec<&'static str>,
}

/// Most problems that are told one by one, as of a scenario. Chosen: nobody reads more.
const PROBLEMS_MAX: usize = 50;

/// Most characters of a place that a problem names. Chosen: more than any place has that is right.
const PLACE_CHARS: usize = 80;

/// Everything that is wrong so far.
#[derive(Default)]
pub struct Reader {
    /// The first problems.
    problems: Vec<Problem>,
    /// How many more there are.
    left_out: usize,
    /// How many groups of guests the lesson's host has, once that is known.
    pub groups: Option<usize>,
}

/// The tree of a text: JSON if it begins with a brace, else TOML.
///
/// # Errors
/// Where it is neither.
pub fn tree(text: &str) -> Result<Value, Problem> {
    let whole = |message: String| Problem { field: "lesson".into(), message };
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|error| whole(format!("this is no JSON: {error}")));
    }
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map(|span| 1 + text.get(..span.start).unwrap_or(text).matches('\n').count());
        let line = line.map_or(String::new(), |line| format!(" in line {line}"));
        whole(format!("this is no TOML{line}: {}", error.message()))
    })?;
    Ok(value(DeValue::Table(table.into_inner())))
}

/// A value of TOML as one of JSON. Numbers that are too large stay texts.
fn value(of: DeValue) -> Value {
    match of {
        DeValue::String(text) => Value::String(text.into_owned()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => number.into(),
            Err(_) => Value::String(number.to_string()),
        },
        DeValue::Float(number) => match number.as_str().parse::<f64>() {
            Ok(number) if number.is_finite() => number.into(),
            _ => Value::String(number.to_string()),
        },
        DeValue::Boolean(on) => on.into(),
        DeValue::Datetime(at) => Value::String(at.to_string()),
        DeValue::Array(items) => Value::Array(items.into_iter().map(|item| value(item.into_inner())).collect()),
        DeValue::Table(entries) => {
            let entry = |(key, of): (toml::Spanned<toml::de::DeString>, toml::Spanned<DeValue>)| {
                (key.into_inner().into_owned(), value(of.into_inner()))
            };
            Value::Object(entries.into_iter().map(entry).collect())
        }
    }
}

/// A value as a message names it.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() > 40 => format!("\"{}…\"", text.chars().take(40).collect::<String>()),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "a table".into(),
        other => other.to_string(),
    }
}

impl<'a> Table<'a> {
    /// The place of an entry in messages.
    pub fn at(&self, key: &str) -> String {
        if self.place.is_empty() { key.into() } else { format!("{}.{key}", self.place) }
    }

    /// Every entry, in its order.
    pub fn entries(&self) -> impl Iterator<Item = (&'a String, &'a Value)> {
        self.entries.iter()
    }

    /// The entry of this name.
    pub fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        self.asked.push(key);
        self.entries.get(key)
    }
}

impl Reader {
    /// Notes a problem.
    pub fn wrong(&mut self, field: impl Into<String>, message: impl Into<String>) {
        if self.problems.len() == PROBLEMS_MAX {
            self.left_out += 1;
            return;
        }
        let mut field = field.into();
        if let Some((end, _)) = field.char_indices().nth(PLACE_CHARS) {
            field.truncate(end);
            field.push('…');
        }
        self.problems.push(Problem { field, message: message.into() });
    }

    /// How many problems there are so far.
    pub fn count(&self) -> usize {
        self.problems.len() + self.left_out
    }

    /// The problems, and behind the first ones how many more there are.
    pub fn told(mut self) -> Vec<Problem> {
        if self.left_out > 0 {
            let message = format!("{} more problems are not listed", self.left_out);
            self.problems.push(Problem { field: "lesson".into(), message });
        }
        self.problems
    }

    /// The value as a table.
    pub fn table<'a>(&mut self, place: String, value: &'a Value) -> Option<Table<'a>> {
        match value {
            Value::Object(entries) => Some(Table { place, entries, asked: Vec::new() }),
            other => {
                let field = if place.is_empty() { "lesson".into() } else { place };
                self.wrong(field, format!("{} given, a table is allowed", shown(other)));
                None
            }
        }
    }

    /// The tables of a list. `needed` says that there must be one.
    pub fn tables<'a>(&mut self, of: &mut Table<'a>, key: &'static str, needed: bool) -> Vec<Table<'a>> {
        let place = of.at(key);
        match of.get(key) {
            Some(Value::Array(items)) if !items.is_empty() || !needed => {
                items.iter().enumerate().filter_map(|(at, item)| self.table(format!("{place}[{at}]"), item)).collect()
            }
            Some(other) => {
                self.wrong(place, format!("{} given, a list of tables is needed", shown(other)));
                Vec::new()
            }
            None => {
                if needed {
                    self.wrong(place, "nothing given, a list of tables is needed");
                }
                Vec::new()
            }
        }
    }

    /// A text of at most so many characters, which must be there.
    pub fn text(&mut self, of: &mut Table, key: &'static str, most: usize) -> String {
        let place = of.at(key);
        let given = of.get(key);
        match given {
            Some(Value::String(text)) if !text.trim().is_empty() && text.chars().count() <= most => text.trim().into(),
            other => {
                let given = match other {
                    Some(Value::String(text)) if !text.trim().is_empty() => format!("{} characters", text.chars().count()),
                    Some(Value::String(_)) => "nothing".into(),
                    other => other.map_or("nothing".into(), shown),
                };
                self.wrong(place, format!("{given} given, a text of 1 to {most} characters is needed"));
                String::new()
            }
        }
    }

    /// A name that is chosen from a list, which must be there.
    pub fn name(&mut self, of: &mut Table, key: &'static str) -> String {
        let place = of.at(key);
        if of.get(key).and_then(Value::as_str).is_some_and(str::is_empty) {
            self.wrong(place, "nothing given, a choice is needed");
            return String::new();
        }
        self.text(of, key, 60)
    }

    /// A list of texts; empty if it is not there.
    pub fn texts(&mut self, of: &mut Table, key: &'static str, most: usize) -> Vec<String> {
        let place = of.at(key);
        let Some(given) = of.get(key) else { return Vec::new() };
        let texts: Option<Vec<String>> = given.as_array().and_then(|items| {
            items
                .iter()
                .map(|item| item.as_str().filter(|text| text.chars().count() <= most).map(|text| text.trim().to_string()))
                .collect()
        });
        texts.unwrap_or_else(|| {
            self.wrong(place, format!("{} given, a list of texts of 1 to {most} characters is allowed", shown(given)));
            Vec::new()
        })
    }

    /// A number, which may be missing.
    pub fn number(&mut self, of: &mut Table, key: &'static str) -> Option<f64> {
        let place = of.at(key);
        let given = of.get(key)?;
        let number = given.as_f64();
        if number.is_none() {
            // A form leaves an empty text where nothing was written yet.
            let message = match given {
                Value::String(text) if text.is_empty() => "nothing given, a number is needed".into(),
                given => format!("{} given, a number is allowed", shown(given)),
            };
            self.wrong(place, message);
        }
        number
    }

    /// A number above 0, which must be there.
    pub fn positive(&mut self, of: &mut Table, key: &'static str, what: &str) -> Option<f64> {
        let (place, told) = (of.at(key), self.count());
        let number = self.number(of, key);
        if number.is_none_or(|number| number <= 0.0) && self.count() == told {
            let given = number.map_or("nothing".into(), |number| number.to_string());
            self.wrong(place, format!("{given} given, a number above 0 is needed: {what}"));
        }
        number.filter(|number| *number > 0.0)
    }

    /// A whole number in a range; `default` if it is not there.
    pub fn whole(&mut self, of: &mut Table, key: &'static str, (least, most): (u64, u64), default: Option<u64>) -> u64 {
        let place = of.at(key);
        let given = of.get(key);
        match (given.and_then(Value::as_u64), default) {
            (Some(number), _) if (least..=most).contains(&number) => number,
            (None, Some(default)) if given.is_none() => default,
            _ => {
                let given = given.map_or("nothing".into(), shown);
                self.wrong(place, format!("{given} given, a whole number from {least} to {most} is allowed"));
                least
            }
        }
    }

    /// Notes every entry that nobody asked for.
    pub fn done(&mut self, table: Table) {
        for key in table.entries.keys().filter(|key| !table.asked.contains(&key.as_str())) {
            let known = table.asked.join(", ");
            let key: String = key.chars().take(40).collect();
            self.wrong(table.at(&key), format!("there is no such field here; allowed are {known}"));
        }
    }
}
