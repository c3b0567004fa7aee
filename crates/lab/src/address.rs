//! The state of the page in its address: `#v5/`, the base64url of a compact JSON, and behind a dot its checksum.
//!
//! Only what differs from the default scenario of its level is written, so a link stays short. The checksum tells a link of which a character
//! was changed or lost: else it might open another host. Links of older versions, which have none, are brought forward.

mod migration;
pub mod query;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use crc::{CRC_32_ISO_HDLC, Crc, NoTable};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use zvmlab::Scenario;
use zvmlab::scenario::fields::{FIELDS, Field, Kind};
use zvmlab::scenario::{Level, SCHEMA_VERSION};

/// The version of the model. Links carry it.
pub const MODEL: &str = env!("CARGO_PKG_VERSION");

/// The three versions that a user meets, in a line: of the model, of the form of scenarios, of links.
pub fn versions() -> String {
    format!("model {MODEL}, scenario schema {SCHEMA_VERSION}, links {VERSION}")
}

/// Longest fragment with a pin that is written, in characters: fits a SCORM 1.2 field. Without a pin only a host of many
/// guest groups, each unlike the default in every field, makes a longer one.
pub const MAX_CHARS: usize = 4096;

/// Longest fragment that is read, in characters. No scenario needs more.
const READ_MAX_CHARS: usize = 18_432;

/// The words for a link in which some characters changed. Where they are is of no use to the reader.
const DAMAGED: &str =
    "The link's state is damaged: some of its characters were changed or lost. Copy the link again from where it came.";

/// The version of links that is written, as `#v5/` says it. It rises when older pages could not read what is written; links of every
/// version are read.
pub const VERSION: usize = 5;

/// The first version whose links have a checksum.
const CHECKED: usize = 4;

/// CRC-32 of the JSON (ISO-HDLC, as in Ethernet and zip): it tells any change of up to 32 bits in a row, so any single character.
const CHECKSUM: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);

/// The words for a link without its end.
const CUT: &str = "The link is cut off: its end is missing.";

/// A scenario with its seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// What is run.
    pub scenario: Scenario,
    /// The seed it is run with.
    pub seed: u64,
}

/// How the page shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct View {
    /// The experiment that Reset returns to: the id of a published run or an example, or none for the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The room that the reader went to last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room: Option<String>,
    /// The study that the reader asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<String>,
    /// The longest stop of a guest that the reader wants, in s. Only more than 0 makes sense; the page says so beside its field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_s: Option<f64>,
    /// The lesson that is open, and its step, as `lesson::list` writes a place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson: Option<String>,
    /// Whether the further knobs are shown.
    #[serde(skip_serializing_if = "is_false")]
    pub more: bool,
    /// How many replications are run.
    #[serde(skip_serializing_if = "is_one")]
    pub replications: u32,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_one(value: &u32) -> bool {
    *value == 1
}

impl Default for View {
    fn default() -> Self {
        View { run: None, room: None, study: None, stop_s: None, lesson: None, more: false, replications: 1 }
    }
}

/// Everything that a link carries.
#[derive(Clone, Debug, PartialEq)]
pub struct Linked {
    /// What is run.
    pub now: Experiment,
    /// The baseline, where nothing else in the link says it.
    pub pinned: Option<Experiment>,
    /// How the page shows it.
    pub view: View,
    /// The version of the model that made the link.
    pub model: String,
}

/// Why a link cannot be opened, in words for its reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError {
    /// What is wrong.
    pub message: String,
    /// The text of the link, as far as it can be read.
    pub readable: Option<String>,
}

impl LinkError {
    fn new(message: impl Into<String>) -> LinkError {
        LinkError { message: message.into(), readable: None }
    }
}

/// The JSON of a link.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Compact {
    s: Value,
    n: u64,
    #[serde(default)]
    v: View,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    p: Option<CompactPin>,
    #[serde(default)]
    m: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CompactPin {
    s: Value,
    n: u64,
}

/// The fragment, with its `#`, that opens `linked`. A pin that makes it too long is left out.
pub fn fragment(linked: &Linked) -> String {
    let with = |pin: bool| {
        let compact = Compact {
            s: differences(&linked.now.scenario),
            n: linked.now.seed,
            v: linked.view.clone(),
            p: linked
                .pinned
                .as_ref()
                .filter(|_| pin)
                .map(|pinned| CompactPin { s: differences(&pinned.scenario), n: pinned.seed }),
            m: linked.model.clone(),
        };
        let json = serde_json::to_string(&compact).unwrap_or_default();
        format!("#v{VERSION}/{}.{}", URL_SAFE_NO_PAD.encode(&json), checksum(json.as_bytes()))
    };
    let full = with(true);
    if full.len() > MAX_CHARS { with(false) } else { full }
}

/// The checksum of a link's JSON, six characters.
fn checksum(json: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(CHECKSUM.checksum(json).to_be_bytes())
}

/// Reads a fragment, with or without its `#`. An empty one is no link: `None`.
///
/// # Errors
/// What is wrong with the link, and what could be read of it.
pub fn parse(fragment: &str) -> Result<Option<Linked>, LinkError> {
    let text = fragment.strip_prefix('#').unwrap_or(fragment);
    if text.is_empty() {
        return Ok(None);
    }
    if text.len() > READ_MAX_CHARS {
        return Err(LinkError::new(format!(
            "The link's state has {} characters, at most {READ_MAX_CHARS} are read.",
            text.len()
        )));
    }
    let Some((version, payload)) = text.split_once('/') else {
        return Err(LinkError::new(format!(
            "The link's state is cut off or damaged. After the # it must start with v{VERSION}/."
        )));
    };
    let Some(version) = (1..=VERSION).find(|known| version == format!("v{known}")) else {
        let version: String = version.chars().take(20).collect();
        return Err(LinkError::new(format!(
            "The link has version “{version}”. This page knows versions up to v{VERSION}. A newer page may open it."
        )));
    };
    if version < CHECKED {
        return open(&decode(payload)?, version).map(Some);
    }
    let (payload, told) = payload.split_once('.').map_or((payload, None), |(payload, told)| (payload, Some(told)));
    let bytes = decode(payload)?;
    let own = checksum(&bytes);
    match told {
        Some(told) if told == own => open(&bytes, version).map(Some),
        Some(told) if told.len() >= own.len() => Err(LinkError { message: DAMAGED.into(), readable: readable(&bytes) }),
        // The checksum stands at the end.
        _ => Err(LinkError { message: CUT.into(), readable: readable(&bytes) }),
    }
}

/// The text of a link, as far as it can be read.
fn readable(bytes: &[u8]) -> Option<String> {
    Some(String::from_utf8_lossy(bytes).into_owned()).filter(|text| !text.is_empty())
}

/// The bytes of the payload. A cut may leave a last character that stands for no whole byte. It is ignored; the JSON shows the cut.
fn decode(payload: &str) -> Result<Vec<u8>, LinkError> {
    let known = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if let Some((at, strange)) = payload.chars().enumerate().find(|&(_, c)| !known(c)) {
        return Err(LinkError::new(format!(
            "The link's state is damaged: “{strange}” at character {} does not belong there.",
            at + 1
        )));
    }
    let whole = payload.len() - usize::from(payload.len() % 4 == 1);
    let usable = base64::engine::GeneralPurpose::new(
        &base64::alphabet::URL_SAFE,
        base64::engine::GeneralPurposeConfig::new()
            .with_encode_padding(false)
            .with_decode_allow_trailing_bits(true)
            .with_decode_padding_mode(base64::engine::DecodePaddingMode::RequireNone),
    );
    usable.decode(payload.get(..whole).unwrap_or_default()).map_err(|_| LinkError::new(DAMAGED))
}

fn open(bytes: &[u8], version: usize) -> Result<Linked, LinkError> {
    let readable = readable(bytes);
    let compact: Compact = serde_json::from_slice(bytes).map_err(|error| LinkError {
        message: match error.classify() {
            serde_json::error::Category::Eof => CUT.into(),
            serde_json::error::Category::Data => format!("The link's state is not from this page: {}.", unlike(&error)),
            _ => DAMAGED.into(),
        },
        readable: readable.clone(),
    })?;
    let experiment = |part: &str, s: Value, n: u64| match Scenario::parse(&migration::forward(s, version).to_string()) {
        Ok(scenario) => Ok(Experiment { scenario, seed: n }),
        Err(error) => Err(LinkError {
            message: format!("The {part} of the link is not valid: {}.", error.to_string().replace('\n', "; ")),
            readable: readable.clone(),
        }),
    };
    let now = experiment("scenario", compact.s, compact.n)?;
    let pinned = compact.p.map(|pin| experiment("pinned scenario", pin.s, pin.n)).transpose()?;
    let mut view = compact.v;
    if ![1, 5, 10].contains(&view.replications) {
        view.replications = 1;
    }
    Ok(Linked { now, pinned, view, model: compact.m })
}

/// How a state differs from the states of this page. The words name the field; its value is shown with the rest.
fn unlike(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split('`').nth(1) {
        Some(name) if text.starts_with("unknown field") => format!("it has a field “{name}” that this page does not know"),
        Some(name) if text.starts_with("missing field") => format!("“{name}” is missing"),
        _ => "one of its values is not allowed there".into(),
    }
}

/// The fields of `scenario` that differ from the default scenario of its level, as its JSON form.
pub fn differences(scenario: &Scenario) -> Value {
    let default = Scenario { level: Level::default(), ..Scenario::plain(scenario.level) };
    let mut top = Map::new();
    for field in FIELDS.iter().filter(|field| field.room() != "guests") {
        if let Some(value) = difference(field, scenario, 0, &default) {
            match field.room() {
                "" => top.insert(field.key().into(), value),
                room => {
                    let table = top.entry(room).or_insert_with(|| json!({}));
                    table.as_object_mut().and_then(|table| table.insert(field.key().into(), value))
                }
            };
        }
    }
    if scenario.guests != default.guests {
        let group = |index: usize| {
            let fields = FIELDS.iter().filter(|field| field.room() == "guests");
            let different =
                fields.filter_map(|field| Some((field.key().to_string(), difference(field, scenario, index, &default)?)));
            Value::Object(different.collect())
        };
        top.insert("guests".into(), (0..scenario.guests.len()).map(group).collect());
    }
    Value::Object(top)
}

/// The value of `field` where it differs from the default's.
fn difference(field: &Field, scenario: &Scenario, group: usize, default: &Scenario) -> Option<Value> {
    let value = |scenario: &Scenario, group: usize| match field.kind {
        Kind::Whole { get, .. } => json!(get(scenario, group)),
        Kind::Tenths { get, .. } => json!(get(scenario, group)),
        Kind::Switch { get, .. } => json!(get(scenario, group)),
        Kind::Choice { get, .. } => json!(get(scenario, group)),
        Kind::Share { get, .. } => json!(get(scenario, group)),
        Kind::Text { get, .. } => json!(get(scenario, group)),
    };
    if field.is_derived() {
        return None;
    }
    let own = value(scenario, group);
    (own != value(default, 0)).then_some(own)
}

#[cfg(test)]
mod tests;
