//! The messages between an embedding page and this page: read and written here, as [`EMBED.md`](../EMBED.md) says.
//! Knows no browser.

use serde_json::{Map, Value, json};
use zvmlab::scenario::Problem;
use zvmlab::{Scenario, measurement::Measurement};

use crate::published::ready::is_ready;

/// The version of the messages that this page speaks.
pub const VERSION: u64 = 1;

/// What a parent page asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Says that it listens.
    Hello,
    /// Asks for the state.
    Get,
    /// Changes the experiment.
    Set {
        /// A whole scenario.
        scenario: Option<Box<Scenario>>,
        /// A published run's id.
        run: Option<String>,
        /// A seed.
        seed: Option<u64>,
    },
    /// Starts the live run, or goes on with it.
    Run {
        /// Simulated seconds for each second.
        speed: Option<f64>,
    },
    /// Pauses the live run.
    Pause,
    /// One event further.
    Step,
    /// Back to the chosen experiment.
    Reset,
}

/// Why a message is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The code of `EMBED.md`.
    pub code: &'static str,
    /// In words.
    pub message: String,
    /// Every problem, where a scenario was refused.
    pub problems: Vec<Problem>,
}

impl Refusal {
    /// A refusal without problems of a scenario.
    pub fn new(code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), problems: Vec::new() }
    }
}

/// A message: its id, which the answer repeats, and what it asks for.
pub type Read = (Value, Result<Request, Refusal>);

/// Reads a message; `None` if it is not for this page.
pub fn read(message: &Value) -> Option<Read> {
    let version = message.get("zvmlab")?;
    let id = message.get("id").filter(|id| id.is_string() || id.is_number()).cloned().unwrap_or(Value::Null);
    if version.as_f64() != Some(VERSION as f64) {
        let refusal = format!("version {version} of the messages is unknown; this page speaks {VERSION}");
        return Some((id, Err(Refusal::new("version", refusal))));
    }
    Some((id, request(message)))
}

fn request(message: &Value) -> Result<Request, Refusal> {
    match message.get("type").and_then(Value::as_str) {
        Some("hello") => Ok(Request::Hello),
        Some("get") => Ok(Request::Get),
        Some("set") => set(message),
        Some("run") => run(message),
        Some("pause") => Ok(Request::Pause),
        Some("step") => Ok(Request::Step),
        Some("reset") => Ok(Request::Reset),
        other => Err(Refusal::new(
            "type",
            format!("{} is not a type of message; known types are hello, get, set, run, pause, step, reset", shown(other)),
        )),
    }
}

fn shown(text: Option<&str>) -> String {
    text.map_or("nothing".into(), |text| format!("\"{}\"", text.chars().take(40).collect::<String>()))
}

fn given<'a>(message: &'a Value, name: &str) -> Option<&'a Value> {
    message.get(name).filter(|value| !value.is_null())
}

fn set(message: &Value) -> Result<Request, Refusal> {
    let scenario = match given(message, "scenario") {
        None => None,
        Some(Value::String(text)) => Some(parse(text)?),
        Some(value) => Some(parse(&value.to_string())?),
    };
    let run = match given(message, "run") {
        None => None,
        Some(Value::String(id)) if is_ready(id) => Some(id.clone()),
        Some(other) => {
            return Err(Refusal::new(
                "run",
                format!("there is no published run or example {}", other.to_string().chars().take(40).collect::<String>()),
            ));
        }
    };
    let seed = given(message, "seed").map(seed).transpose()?;
    Ok(Request::Set { scenario, run, seed })
}

/// The code of a frame that shows the page at `link` in another page: the embedded page has its own, compact form. Ready to be
/// put into the source of a course page.
pub fn frame(link: &str, title: &str) -> String {
    let (page, state) = link.split_once('#').unwrap_or((link, ""));
    let attribute = |text: &str| text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let address = format!("{page}{}embed=1#{state}", if page.contains('?') { '&' } else { '?' });
    format!(
        r#"<iframe src="{}" title="zvmlab: {}" style="width: 100%; height: 48rem; border: 0" loading="lazy"></iframe>"#,
        attribute(&address),
        attribute(title)
    )
}

fn parse(text: &str) -> Result<Box<Scenario>, Refusal> {
    Scenario::parse(text).map(Box::new).map_err(|error| Refusal {
        code: "scenario",
        message: error.to_string(),
        problems: error.problems,
    })
}

fn seed(value: &Value) -> Result<u64, Refusal> {
    let read = match value {
        Value::String(text) => text.parse().ok(),
        // JavaScript has no other numbers. Beyond 2^53 they are not exact.
        other => other
            .as_u64()
            .or_else(|| other.as_f64().filter(|n| n.fract() == 0.0 && *n >= 0.0).map(|n| n as u64))
            .filter(|&n| n < 1 << 53),
    };
    read.ok_or_else(|| {
        Refusal::new(
            "seed",
            format!("{value} is not a seed; a seed is a whole number from 0 to 2^53 - 1, or a text of digits"),
        )
    })
}

fn run(message: &Value) -> Result<Request, Refusal> {
    match given(message, "speed") {
        None => Ok(Request::Run { speed: None }),
        Some(value) => match value.as_f64().filter(|speed| (0.001..=100.0).contains(speed)) {
            Some(speed) => Ok(Request::Run { speed: Some(speed) }),
            None => Err(Refusal::new("speed", format!("{value} is not a speed; a speed is a number from 0.001 to 100"))),
        },
    }
}

/// Writes a message of `kind` in answer to the message `id`. The id is null if nobody asked.
pub fn write(kind: &str, id: &Value, mut fields: Value) -> Value {
    if let Some(fields) = fields.as_object_mut() {
        fields.insert("zvmlab".into(), VERSION.into());
        fields.insert("type".into(), kind.into());
        if !id.is_null() {
            fields.insert("id".into(), id.clone());
        }
    }
    fields
}

/// The fields of an error.
pub fn error(refusal: &Refusal) -> Value {
    let problem = |problem: &Problem| json!({ "field": problem.field, "message": problem.message });
    json!({ "code": refusal.code, "message": refusal.message, "problems": refusal.problems.iter().map(problem).collect::<Vec<_>>() })
}

/// Every figure of a measurement: id to value, unit and label.
pub fn figures(measurement: &Measurement) -> Value {
    let figure = |(figure, value): (zvmlab::Figure, Option<f64>)| {
        (figure.id().to_string(), json!({ "value": value, "unit": figure.unit(), "label": figure.label() }))
    };
    Value::Object(measurement.iter().map(figure).collect::<Map<_, _>>())
}

/// What the figures are good for, in the words of the report, and the warm-up that it took.
pub fn steadiness(measurement: &Measurement) -> Value {
    let Some(settling) = measurement.settling else { return Value::Null };
    json!({ "state": settling.state.as_str(), "warmup_s": settling.warmup_s })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(message: Value) -> Refusal {
        read(&message).expect("for us").1.expect_err("refused")
    }

    #[test]
    fn what_is_asked_for_is_understood() {
        let (id, request) =
            read(&json!({ "zvmlab": 1, "type": "set", "id": 7, "run": "V4DVYH04", "seed": "18446744073709551615" }))
                .expect("for us");
        assert_eq!(id, json!(7));
        assert_eq!(request, Ok(Request::Set { scenario: None, run: Some("V4DVYH04".into()), seed: Some(u64::MAX) }));
        let (_, request) =
            read(&json!({ "zvmlab": 1, "type": "set", "scenario": { "paging": { "volumes": 8 } } })).expect("for us");
        let Ok(Request::Set { scenario: Some(scenario), .. }) = request else { panic!("{request:?}") };
        assert_eq!(scenario.paging.volumes, 8);
        assert_eq!(
            read(&json!({ "zvmlab": 1, "type": "run", "speed": 10 })),
            Some((Value::Null, Ok(Request::Run { speed: Some(10.0) })))
        );
    }

    #[test]
    fn a_frame_opens_the_link_in_the_compact_form() {
        assert_eq!(
            frame("https://a.example/lab/#v3/abc", "Why \"so\"?"),
            r#"<iframe src="https://a.example/lab/?embed=1#v3/abc" title="zvmlab: Why &quot;so&quot;?" style="width: 100%; height: 48rem; border: 0" loading="lazy"></iframe>"#
        );
        assert!(frame("https://a.example/?x=1#v3", "").contains("/?x=1&amp;embed=1#v3"));
    }

    #[test]
    fn what_is_not_for_us_is_left_alone() {
        for message in [json!(null), json!("zvmlab"), json!([1]), json!({ "type": "set" })] {
            assert_eq!(read(&message), None);
        }
    }

    #[test]
    fn what_is_wrong_is_refused_with_its_reason() {
        assert_eq!(refused(json!({ "zvmlab": 2, "type": "hello" })).code, "version");
        assert_eq!(refused(json!({ "zvmlab": "1", "type": "hello" })).code, "version");
        assert_eq!(refused(json!({ "zvmlab": 1 })).code, "type");
        assert_eq!(refused(json!({ "zvmlab": 1, "type": "explode" })).code, "type");
        assert_eq!(refused(json!({ "zvmlab": 1, "type": "set", "run": "V9" })).code, "run");
        for seed in [json!(-1), json!(1.5), json!("x"), json!(1e300), json!(true)] {
            assert_eq!(refused(json!({ "zvmlab": 1, "type": "set", "seed": seed })).code, "seed");
        }
        for speed in [json!(0), json!(1000), json!("fast")] {
            assert_eq!(refused(json!({ "zvmlab": 1, "type": "run", "speed": speed })).code, "speed");
        }
        let refusal = refused(json!({ "zvmlab": 1, "type": "set", "scenario": { "paging": { "volumes": 0, "x": 1 } } }));
        assert_eq!((refusal.code, refusal.problems.len()), ("scenario", 2));
    }

    /// A page names a room in the element's attribute `view`: the element's list, its type and its description have every room.
    #[test]
    fn the_element_knows_every_room() {
        let ids = crate::room::Room::ALL.map(crate::room::Room::id);
        let listed = |before: &str, between: &str, after: &str| format!("{before}{}{after}", ids.join(between));
        let element = include_str!("../../../static/zvm-lab.js");
        let views = listed("const VIEWS = ['", "', '", "'];");
        assert!(element.contains(&views), "{views} in static/zvm-lab.js");
        let (last, others) = ids.split_last().expect("there are rooms");
        let comment = format!("The room that is shown first: {} or {last}.", others.join(", "));
        assert!(element.contains(&comment), "{comment} in static/zvm-lab.js");
        let row = listed("| `view` | `", "`, `", "` |");
        assert!(include_str!("../../../web/EMBED.md").contains(&row), "{row} in web/EMBED.md");
    }

    /// The element leaves to a workload what it names; the model's workloads say what that is.
    #[test]
    fn the_element_knows_what_a_workload_describes() {
        let element = include_str!("../../../static/zvm-lab.js");
        let list = element.split_once("const DESCRIBED = [").and_then(|(_, rest)| rest.split_once("];")).expect("a list").0;
        let mut named: Vec<&str> = list.split('\'').skip(1).step_by(2).collect();
        // A group that has nothing in common with any workload, so that applying one changes all that it describes.
        let mut group = zvmlab::scenario::GuestGroup::default();
        zvmlab::scenario::workloads::IO3390.apply(&mut group);
        let io3390 = serde_json::to_value(&group).expect("JSON");
        let mut unlike = zvmlab::scenario::GuestGroup {
            pattern: zvmlab::scenario::Pattern::Random,
            name: "x".into(),
            references: 7,
            change_percent: 7,
            cycle_pages: 7,
            cpu_us: 7,
            service_us: 7,
            lock_us: 7,
            io_records: 7,
            io_read_percent: 7,
            io_zhpf: true,
            think_ms: zvmlab::scenario::Tenths::whole(7),
            pace_ms: zvmlab::scenario::Tenths::whole(7),
            transaction: 7,
            ..zvmlab::scenario::GuestGroup::default()
        };
        let before = serde_json::to_value(&unlike).expect("JSON");
        zvmlab::scenario::workloads::IO3390.apply(&mut unlike);
        let after = serde_json::to_value(&unlike).expect("JSON");
        let mut described: Vec<&str> = Vec::new();
        for (key, value) in after.as_object().expect("a table") {
            if before[key] != *value {
                assert_eq!(*value, io3390[key]);
                described.push(key);
            }
        }
        named.sort_unstable();
        described.sort_unstable();
        assert_eq!(named, described);
    }
}
