//! The query parameters in one table: name, kind, default, allowed values, and purpose.

use crate::subjects::whole::WHOLE;
use crate::words::meant;
use zvmlab::scenario::fields::field;

/// One parameter of the address.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its purpose.
    pub help: &'static str,
    /// Its value when it is not given.
    pub default: &'static str,
    /// The values that it may have.
    pub kind: Kind,
}

/// What a parameter may hold.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// `0` or `1`.
    Switch,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// Up to so many origins, with commas between them.
    Origins(usize),
    /// The id of a published run, or of an example.
    RunId,
    /// The id of a lesson.
    LessonId,
    /// A step of a lesson, from 1 to so many.
    Step(usize),
    /// What a lesson keeps, up to so many bytes, or `new`.
    Kept(usize),
    /// Up to so many fields of a scenario, with commas between them.
    Knobs(usize),
}

/// Every parameter.
pub static PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "embed",
        help: "Compact layout for a frame in another page, with messages switched on.",
        default: "0",
        kind: Kind::Switch,
    },
    Parameter {
        name: "api",
        help: "Version of the messages that the parent page speaks.",
        default: "1",
        kind: Kind::Choice(&["1"]),
    },
    Parameter {
        name: "origin",
        help: "Origins of parent pages, besides the page's own, that may send and receive messages.",
        default: "",
        kind: Kind::Origins(16),
    },
    Parameter {
        name: "run",
        help: "The published run or example to open with, if the address has no state of its own.",
        default: "",
        kind: Kind::RunId,
    },
    Parameter {
        name: "lesson",
        help: "The lesson to open with, if the address has no state of its own.",
        default: "",
        kind: Kind::LessonId,
    },
    Parameter {
        name: "step",
        help: "The step with which that lesson opens; without it, the step at which it was left on this device.",
        default: "",
        kind: Kind::Step(40),
    },
    Parameter {
        name: "kept",
        help: "How far that lesson was, as the page told its parent; new begins it anew. Without it, the lesson goes on as it was left on this device.",
        default: "",
        kind: Kind::Kept(4096),
    },
    Parameter {
        name: "knobs",
        help: "The only knobs that the page shows: fields of a scenario with commas between them, lcu.aliases,guests.count.",
        default: "",
        kind: Kind::Knobs(16),
    },
];

/// What the query says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Whether the page is embedded in another.
    pub embed: bool,
    /// Origins, besides our own, that may send and receive messages.
    pub origins: Vec<String>,
    /// The published run or example to open with.
    pub run: Option<String>,
    /// The lesson to open with.
    pub lesson: Option<String>,
    /// The paths of the only knobs that are shown; empty for all.
    pub knobs: Vec<&'static str>,
    /// Its step, from 0.
    pub step: Option<usize>,
    /// How far it was; an empty text begins it anew, none leaves it to the device.
    pub kept: Option<String>,
    /// What is wrong with the query, in words for the reader.
    pub warnings: Vec<String>,
}

impl Query {
    /// The id of the run with which the page opens, where its address has no state of its own: the run that the query names, or
    /// the host that a reader meets first. An embedded page that names none opens with the default, as it always did.
    pub fn opens(&self) -> Option<&str> {
        self.run.as_deref().or_else(|| (!self.embed).then(|| WHOLE.start()))
    }
}

/// Most parameters of an address that are told of one by one. Chosen: the page has hardly more.
const WARNINGS_MAX: usize = 10;

/// Reads the query of an address, with or without its `?`. A bad value gives a warning, and the default is used.
pub fn parse(search: &str, run_ids: &[&str], lesson_ids: &[&str]) -> Query {
    let mut query = Query::default();
    for (name, value) in form_urlencoded::parse(search.strip_prefix('?').unwrap_or(search).as_bytes()) {
        let Some(parameter) = PARAMETERS.iter().find(|parameter| parameter.name == name) else { continue };
        if value == parameter.default {
            continue;
        }
        if let Err(allowed) = parameter.kind.accepts(&value, run_ids, lesson_ids) {
            let value: String = value.chars().take(60).collect();
            if query.warnings.len() == WARNINGS_MAX {
                query.warnings.push("More of the address is not allowed. The page ignored it too.".into());
            }
            if query.warnings.len() > WARNINGS_MAX {
                continue;
            }
            query.warnings.push(format!("{name}={value} in the address is not allowed; {allowed}. The page ignored it."));
            continue;
        }
        match parameter.name {
            "embed" => query.embed = value == "1",
            "origin" => query.origins = value.split(',').map(str::to_string).collect(),
            "run" => query.run = Some(value.into_owned()),
            "lesson" => query.lesson = Some(value.into_owned()),
            "kept" => query.kept = Some(if value == NEW { String::new() } else { value.into_owned() }),
            "knobs" => query.knobs = value.split(',').filter_map(field).map(|field| field.path).collect(),
            "step" => query.step = value.parse::<usize>().ok().and_then(|step| step.checked_sub(1)),
            _ => {}
        }
    }
    query
}

impl Kind {
    /// Whether `value` is allowed; if not, which values are.
    fn accepts(self, value: &str, run_ids: &[&str], lesson_ids: &[&str]) -> Result<(), String> {
        let (accepted, allowed) = match self {
            Kind::Switch => (matches!(value, "0" | "1"), "it is 0 or 1".to_string()),
            Kind::Choice(words) => (words.contains(&value), format!("allowed is {}", words.join(", "))),
            Kind::Origins(most) => (
                value.split(',').count() <= most && value.split(',').all(is_origin),
                format!("allowed are up to {most} origins such as https://a.example, with commas between them"),
            ),
            Kind::LessonId => (
                lesson_ids.contains(&value) || is_lesson_id(value),
                format!("it is one of {}, or the name of a file beside them", lesson_ids.join(", ")),
            ),
            Kind::Kept(most) => (
                value == NEW || (value.len() <= most && serde_json::from_str::<serde_json::Value>(value).is_ok()),
                format!("it is {NEW}, or what the page told as kept, up to {most} bytes"),
            ),
            Kind::Step(most) => {
                let step = value.parse::<usize>().is_ok_and(|step| (1..=most).contains(&step));
                (step, format!("it is a whole number from 1 to {most}"))
            }
            Kind::Knobs(most) => (
                value.split(',').count() <= most && value.split(',').all(|path| field(path).is_some()),
                format!(
                    "allowed are up to {most} fields of a scenario such as lcu.aliases or guests.count, with commas between them"
                ),
            ),
            Kind::RunId => (
                run_ids.contains(&value),
                format!("allowed is the id of a published run or of an example{}", meant::asked(value, run_ids)),
            ),
        };
        accepted.then_some(()).ok_or(allowed)
    }
}

/// Begins a lesson anew.
const NEW: &str = "new";

/// Whether `text` can be the id of a lesson: up to 40 small letters, digits and hyphens. A site or a course may add lessons to those
/// that the page knows, each a file `ID.toml` beside the others.
pub fn is_lesson_id(text: &str) -> bool {
    (1..=40).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// Whether `text` is an origin as browsers write it: scheme, host, and a port if it is not the usual one.
fn is_origin(text: &str) -> bool {
    let Some((scheme, authority)) = text.split_once("://") else { return false };
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let host_char = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._[]:".contains(c);
    matches!(scheme, "http" | "https")
        && !host.is_empty()
        && host.chars().all(host_char)
        && port.is_none_or(|port| port.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_query_is_taken() {
        let query = parse(
            "?embed=1&api=1&origin=https%3A%2F%2Fa.example,http://127.0.0.1:8080&run=V4DVY000&utm=x",
            &["V4DVY000"],
            &["aliases"],
        );
        assert!(query.embed);
        assert_eq!(query.origins, ["https://a.example", "http://127.0.0.1:8080"]);
        assert_eq!(query.run.as_deref(), Some("V4DVY000"));
        let lesson = parse("?lesson=aliases&step=2&knobs=lcu.aliases,guests.count", &[], &["aliases"]);
        assert_eq!((lesson.lesson.as_deref(), lesson.step, lesson.warnings), (Some("aliases"), Some(1), Vec::new()));
        assert_eq!(lesson.knobs, ["lcu.aliases", "guests.count"]);
        let brought = parse("?lesson=of-my-own&kept=new", &[], &["aliases"]);
        assert_eq!((brought.lesson.as_deref(), brought.kept.as_deref()), (Some("of-my-own"), Some("")));
        assert_eq!(parse("?kept=%7B%22at%22:2%7D", &[], &[]).kept.as_deref(), Some("{\"at\":2}"));
        assert_eq!(query.warnings, Vec::<String>::new());
        assert_eq!(parse("", &[], &[]), Query::default());
    }

    #[test]
    fn each_bad_value_is_warned_of_and_its_default_taken() {
        for (search, named) in [
            ("embed=yes", "embed=yes"),
            ("api=2", "api=2"),
            ("origin=*", "origin=*"),
            ("origin=https://a.example/", "origin="),
            ("origin=https://A.example", "origin="),
            ("origin=https://a.example:99999", "origin="),
            ("run=NONE", "allowed is the id of a published run or of an example. The page"),
            ("run=V4DVY", "example (is V4DVY000 meant?)"),
            ("lesson=NONE", "aliases"),
            ("step=0", "1 to 40"),
            ("kept=what", "kept"),
            ("knobs=lcu.alias", "lcu.aliases"),
        ] {
            let query = parse(search, &["V4DVY000"], &["aliases"]);
            assert_eq!(query.warnings.len(), 1, "{search}");
            assert!(query.warnings[0].contains(named), "{}", query.warnings[0]);
            assert_eq!(Query { warnings: Vec::new(), ..query }, Query::default());
        }
        let many = parse(&"theme=x&embed=x&".repeat(3_000), &[], &[]);
        assert_eq!((many.warnings.len(), many.warnings[10].contains("More of the address")), (11, true));
    }
}
