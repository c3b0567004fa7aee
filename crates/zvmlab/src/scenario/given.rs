//! A value of a scenario's text, TOML or JSON, before anybody knows what it should be.

use std::fmt;

use super::Tenths;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// A value of the text, before anybody knows what it should be.
pub(super) enum Given {
    Nothing,
    Switch(bool),
    Whole(i128),
    Number(f64),
    Text(String),
    List(Vec<Given>),
    /// Every entry of the text, in order. JSON allows a key to stand twice.
    Table(Vec<(String, Given)>),
}

impl Given {
    /// The value as a number with at most one decimal, if it is one.
    pub fn tenths(&self) -> Option<Tenths> {
        match *self {
            Given::Whole(value) => u32::try_from(value).ok()?.checked_mul(10).map(Tenths),
            Given::Number(value) => Tenths::from_f64(value),
            _ => None,
        }
    }

    /// The value as a message names it, cut to a length that a person reads.
    pub fn shown(&self) -> String {
        match self {
            Given::Nothing => "null".into(),
            Given::Switch(value) => value.to_string(),
            Given::Whole(value) => value.to_string(),
            Given::Number(value) => value.to_string(),
            Given::Text(text) if text.chars().count() > 40 => format!("\"{}…\"", text.chars().take(40).collect::<String>()),
            Given::Text(text) => format!("\"{text}\""),
            Given::List(items) => format!("a list of {}", items.len()),
            Given::Table(_) => "a table".into(),
        }
    }
}

/// From TOML, straight from the parser's own values: its serde values take several times the code.
impl From<DeValue<'_>> for Given {
    fn from(value: DeValue) -> Self {
        match value {
            DeValue::String(text) => Given::Text(text.into_owned()),
            DeValue::Integer(number) => match i128::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Given::Whole(number),
                // Larger than any field allows: kept as it is written.
                Err(_) => Given::Text(number.to_string()),
            },
            DeValue::Float(number) => match number.as_str().parse() {
                Ok(number) => Given::Number(number),
                Err(_) => Given::Text(number.to_string()),
            },
            DeValue::Boolean(value) => Given::Switch(value),
            DeValue::Datetime(value) => Given::Text(value.to_string()),
            DeValue::Array(items) => Given::List(items.into_iter().map(|item| item.into_inner().into()).collect()),
            DeValue::Table(table) => table.into(),
        }
    }
}

impl From<DeTable<'_>> for Given {
    fn from(table: DeTable) -> Self {
        let entry =
            |(key, value): (Spanned<DeString>, Spanned<DeValue>)| (key.into_inner().into_owned(), value.into_inner().into());
        Given::Table(table.into_iter().map(entry).collect())
    }
}

/// From JSON. It has its own visitor because the usual tree of values keeps only the last of two equal keys.
impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(GivenVisitor)
    }
}

struct GivenVisitor;

impl<'de> Visitor<'de> for GivenVisitor {
    type Value = Given;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Given, E> {
        Ok(Given::Nothing)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Given, E> {
        Ok(Given::Switch(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Given, E> {
        Ok(Given::Whole(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Given, E> {
        Ok(Given::Whole(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Given, E> {
        // JSON has only one kind of number: 8.0 is as whole as 8, as long as a float can hold every whole number.
        Ok(if value.fract() == 0.0 && value.abs() <= 9e15 { Given::Whole(value as i128) } else { Given::Number(value) })
    }

    fn visit_str<E>(self, text: &str) -> Result<Given, E> {
        Ok(Given::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Given, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Given::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Given, A::Error> {
        let mut table = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            table.push(entry);
        }
        Ok(Given::Table(table))
    }
}
