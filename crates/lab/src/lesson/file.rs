//! A lesson as a file: TOML, or the same tree as JSON.

use serde_json::Value;
use zvmlab::limit::ResourceKind;
use zvmlab::scenario::Problem;
use zvmlab::scenario::fields::{FIELDS, Kind};
use zvmlab::{Figure, Scenario};

use super::check::{Change, Condition, Range};
use super::reader::{Reader, Table, shown, tree};
use super::{Choice, Form, Goal, Lesson, Prediction, Step, Task, Teacher, Turns, turned};
use crate::address::query::is_lesson_id;
use crate::console::{Look, answer};
use crate::knob::{Given, Knob};
use crate::published::ready::{is_ready, scenario_of};
use crate::words::file::SCENARIO_BYTES_MAX;

/// The version of the form.
pub const VERSION: u64 = 1;
/// Longest text that is read, in bytes. Chosen: the lessons here have some 8 KB.
pub const BYTES_MAX: usize = 256 << 10;
/// Most steps of a lesson. Chosen.
pub(super) const STEPS_MAX: usize = 40;

/// Most trials of a condition. Chosen: learners wait for them.
pub(super) const TRIALS_MAX: u64 = 20;
/// Longest heading and longest paragraph, in characters. Chosen.
pub(super) const LINE: usize = 120;
pub(super) const TEXT: usize = 2_000;
/// The words of tasks.
pub const TASKS: [&str; 6] = ["watch", "predict", "act", "reveal", "explain", "transfer"];

/// Whether a text is meant as a lesson, however much is wrong with it. A text that cannot be one is not parsed: a page stands still
/// for seconds with the tree of some megabytes.
pub fn is_lesson(text: &str) -> bool {
    text.len() as u64 <= SCENARIO_BYTES_MAX
        && text.contains("lesson")
        && tree(text).is_ok_and(|tree| tree.get("lesson").is_some())
}

/// Reads a lesson.
///
/// # Errors
/// Everything that is wrong with it, each with the field, what was given and what is allowed.
pub fn parse(text: &str) -> Result<Lesson, Vec<Problem>> {
    let mut reader = Reader::default();
    if text.len() > BYTES_MAX {
        reader.wrong("lesson", format!("a text of {} bytes given, at most {BYTES_MAX} are read", text.len()));
        return Err(reader.told());
    }
    let tree = tree(text.strip_prefix('\u{feff}').unwrap_or(text)).map_err(|problem| vec![problem])?;
    let (lesson, problems) = read(&tree);
    if problems.is_empty() { Ok(lesson) } else { Err(problems) }
}

/// The lesson of a tree as far as it can be read, and everything that is wrong with it.
pub(super) fn read(tree: &Value) -> (Lesson, Vec<Problem>) {
    let mut reader = Reader::default();
    let lesson = reader.table(String::new(), tree).map(|table| lesson(&mut reader, table)).unwrap_or_default();
    (lesson, reader.told())
}

fn lesson(reader: &mut Reader, mut table: Table) -> Lesson {
    let of = &mut table;
    reader.whole(of, "lesson", (VERSION, VERSION), None);
    let id = reader.text(of, "id", 40);
    if !id.is_empty() && !is_lesson_id(&id) {
        reader.wrong("id", format!("\"{id}\" given, small letters, digits and hyphens are allowed"));
    }
    let host = reader.text(of, "host", 40);
    if !host.is_empty() && !is_ready(&host) {
        reader.wrong(
            "host",
            format!("\"{host}\" given, the id of a published run or an example is needed (zvmlab runs lists them)"),
        );
    }
    let begun = scenario_of(&host).unwrap_or_default();
    reader.groups = Some(begun.guests.len());
    let mut lesson = Lesson {
        id,
        title: reader.text(of, "title", LINE),
        question: reader.text(of, "question", 300),
        minutes: reader.whole(of, "minutes", (1, 180), None),
        host,
        summary: reader.text(of, "summary", TEXT),
        model_limits: reader.text(of, "model_limits", TEXT),
        teacher: teacher(reader, of),
        steps: Vec::new(),
    };
    let steps = reader.tables(of, "steps", true);
    if steps.len() > STEPS_MAX {
        reader.wrong("steps", format!("{} given, 1 to {STEPS_MAX} are allowed", steps.len()));
    }
    for table in steps.into_iter().take(STEPS_MAX) {
        add_step(reader, table, &mut lesson, &begun);
    }
    reader.done(table);
    lesson
}

/// Reads the next step of a lesson that began with this host.
fn add_step(reader: &mut Reader, table: Table, lesson: &mut Lesson, begun: &Scenario) {
    let place = table.place.clone();
    let asked = lesson.steps.iter().any(|step| matches!(step.task, Task::Predict(_)));
    let step = step(reader, table, begun);
    if step.task == Task::Reveal && !asked {
        reader.wrong(format!("{place}.task"), "\"reveal\" given, but no step before it predicts");
    }
    lesson.steps.push(step);
    let host = lesson.host(lesson.steps.len() - 1);
    let Some(step) = lesson.steps.last_mut() else { return };
    if let Task::Act(goal) | Task::Transfer(goal) = &mut step.task {
        play_scripts(reader, &place, goal, &host);
    }
    // Without settings of its own it has the host of the step before, or that of the prediction which it shows.
    if step.set.is_some() {
        check_host(reader, format!("{place}.set"), &host);
    }
    if let (Task::Predict(prediction), Ok(())) = (&step.task, host.check()) {
        check_prediction(reader, &place, prediction, &host);
    }
}

/// Tells what is wrong with a host that a lesson makes at `place`.
fn check_host(reader: &mut Reader, place: String, host: &Scenario) {
    for problem in host.check().err().into_iter().flat_map(|error| error.problems) {
        reader.wrong(format!("{place}, {}", problem.field), problem.message);
    }
}

/// The same of the hosts that a prediction leads to.
fn check_prediction(reader: &mut Reader, place: &str, prediction: &Prediction, host: &Scenario) {
    let after = turned(host, &prediction.turn);
    check_host(reader, format!("{place}.turn"), &after);
    let (Form::Curve { knob, values, .. }, Ok(())) = (&prediction.form, after.check()) else { return };
    let mut out_of_range = Vec::new();
    for value in values {
        let mut turned = after.clone();
        match knob.turn(&mut turned, value) {
            Ok(()) => check_host(reader, format!("{place}.curve.values"), &turned),
            Err(problem) => out_of_range.push(problem),
        }
    }
    for problem in out_of_range {
        reader.wrong(format!("{place}.curve.values, {}", problem.field), problem.message);
    }
}

fn teacher(reader: &mut Reader, of: &mut Table) -> Teacher {
    let Some(mut table) = of.get("teacher").and_then(|value| reader.table("teacher".into(), value)) else {
        reader.wrong("teacher", "nothing given, a table with goal, misconceptions and notes is needed");
        return Teacher::default();
    };
    let teacher = Teacher {
        goal: reader.text(&mut table, "goal", TEXT),
        misconceptions: reader.texts(&mut table, "misconceptions", TEXT),
        notes: reader.text(&mut table, "notes", TEXT),
    };
    reader.done(table);
    teacher
}

fn step(reader: &mut Reader, mut table: Table, begun: &Scenario) -> Step {
    let of = &mut table;
    let (title, text, hints) =
        (reader.text(of, "title", LINE), reader.text(of, "text", TEXT), reader.texts(of, "hints", TEXT));
    let place = of.at("task");
    let set = of.get("set").map(|value| turns(reader, "set", of, value, begun));
    let task = match of.get("task").and_then(Value::as_str) {
        Some("watch") => Task::Watch,
        Some("reveal") => Task::Reveal,
        Some("predict") => Task::Predict(prediction(reader, of, begun)),
        Some("act") => Task::Act(goal(reader, of, begun)),
        Some("transfer") => Task::Transfer(goal(reader, of, begun)),
        Some("explain") => Task::Explain { limit: limit(reader, of).unwrap_or(ResourceKind::Frames) },
        _ => {
            let given = of.get("task").map_or("nothing".into(), shown);
            reader.wrong(place, format!("{given} given, one of {} is needed", TASKS.join(", ")));
            Task::Watch
        }
    };
    reader.done(table);
    Step { title, text, set, hints, task }
}

fn prediction(reader: &mut Reader, of: &mut Table, begun: &Scenario) -> Prediction {
    let figure = figure(reader, of).unwrap_or(Figure::Etr);
    let turn = of.get("turn").map(|value| turns(reader, "turn", of, value, begun)).unwrap_or_default();
    if of.get("widest").is_some() && of.get("answer").is_none() {
        reader.wrong(of.at("widest"), "given without answer; only a range has a width");
    }
    let (choices, answer, curve) = (reader.tables(of, "choices", false), of.get("answer"), of.get("curve"));
    let form = match (choices.is_empty(), answer, curve) {
        (false, None, None) => Form::Choice(choices.into_iter().map(|table| choice(reader, table)).collect()),
        (true, Some(answer), None) => {
            let ends: Vec<f64> = answer.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
            let answer = match ends[..] {
                [least, most] if least <= most => [least, most],
                _ => {
                    let ends: Vec<String> = answer.as_array().into_iter().flatten().map(shown).collect();
                    let is_blank = ends.is_empty() || ends.iter().any(|end| end == "\"\"");
                    let given = if is_blank { "nothing".into() } else { ends.join(" and ") };
                    reader.wrong(of.at("answer"), format!("{given} given, two numbers are needed, the smaller first"));
                    [0.0, 0.0]
                }
            };
            let widest = reader.positive(of, "widest", "how wide the learner's range may be at most");
            Form::Range { answer, widest: widest.unwrap_or(1.0) }
        }
        (true, None, Some(value)) => curve_form(reader, of, value),
        _ => {
            reader.wrong(of.place.clone(), "a prediction needs one of choices, answer (a range) and curve");
            Form::Range { answer: [0.0, 0.0], widest: 1.0 }
        }
    };
    if turn.is_empty() && !matches!(form, Form::Curve { .. }) {
        reader
            .wrong(of.at("turn"), "nothing given, the change that is predicted is needed, such as { \"lcu.aliases\" = 4 }");
    }
    Prediction { figure, turn, form }
}

fn choice(reader: &mut Reader, mut table: Table) -> Choice {
    let text = reader.text(&mut table, "text", 300);
    let when = conditions(reader, &mut table, "when");
    reader.done(table);
    Choice { text, when }
}

fn curve_form(reader: &mut Reader, of: &Table, value: &Value) -> Form {
    let none = Form::Range { answer: [0.0, 0.0], widest: 1.0 };
    let Some(mut table) = reader.table(of.at("curve"), value) else { return none };
    let knob = knob(reader, &mut table);
    let most = reader.positive(&mut table, "most", "the upper end of the drawing");
    let place = table.at("values");
    let given = table.get("values").and_then(Value::as_array);
    let values: Vec<Given> =
        given.into_iter().flatten().filter_map(|value| knob.and_then(|knob| given_of(&knob, value))).collect();
    if !(3..=8).contains(&values.len()) || given.is_some_and(|given| given.len() != values.len()) {
        reader.wrong(place, "a list of 3 to 8 values of the knob is needed");
    }
    reader.done(table);
    match (knob, most) {
        (Some(knob), Some(most)) => Form::Curve { knob, values, most },
        _ => none,
    }
}

fn goal(reader: &mut Reader, of: &mut Table, begun: &Scenario) -> Goal {
    let until = conditions(reader, of, "until");
    let open: Vec<Knob> = {
        let (place, given) = (of.at("open"), of.get("open"));
        let names: Vec<&str> = given.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        if names.is_empty() {
            reader.wrong(place.clone(), "nothing given, a list of knobs is needed, such as [\"lcu.aliases\"]");
        }
        names.into_iter().filter_map(|name| knob_of(reader, &place, name)).collect()
    };
    let (place, given) = (of.at("routes"), of.get("routes"));
    let mut routes = Vec::new();
    let mut scripts = Vec::new();
    for value in given.and_then(Value::as_array).into_iter().flatten() {
        if let Some(script) = value.as_str() {
            if script.trim().is_empty() {
                reader.wrong(place.clone(), "nothing given, commands of CP are needed, one on each line");
            }
            scripts.push(script.to_string());
            continue;
        }
        let route = turns(reader, "routes", of, value, begun);
        for (knob, _) in &route {
            if !open.contains(knob) {
                reader.wrong(place.clone(), format!("{} is turned, but it is not open in this step", knob.place()));
            }
        }
        routes.push(route);
    }
    if routes.is_empty() && scripts.is_empty() {
        reader.wrong(place, "nothing given, at least one way to reach it is needed, such as [{ \"lcu.aliases\" = 4 }]");
    }
    Goal { open, until, seeds: reader.whole(of, "seeds", (1, 5), Some(1)), routes, scripts }
}

/// The knobs that a script of the console turns on this host.
///
/// # Errors
/// What the console says to the first command that it refuses, or that turns nothing.
fn played(script: &str, host: &Scenario) -> Result<Turns, String> {
    let mut reached = host.clone();
    let mut turns = Turns::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('*')) {
        let reply = answer(line, Look { scenario: &reached, settled: None, hides_limit: false });
        if reply.is_refused || reply.turns.is_empty() {
            return Err(format!("{line}: {}", reply.lines.join(" ")));
        }
        reached = turned(&reached, &reply.turns);
        turns.extend(reply.turns);
    }
    Ok(turns)
}

/// Makes routes of the scripts of a goal, which begin at this host.
fn play_scripts(reader: &mut Reader, place: &str, goal: &mut Goal, host: &Scenario) {
    for script in &goal.scripts {
        match played(script, host) {
            Ok(turns) => {
                for (knob, _) in turns
                    .iter()
                    .filter(|(knob, given)| !goal.open.contains(knob) && knob.given(host).as_ref() != Some(given))
                {
                    reader.wrong(
                        format!("{place}.routes"),
                        format!("{} is turned, but it is not open in this step", knob.place()),
                    );
                }
                goal.routes.push(turns);
            }
            Err(why) => reader.wrong(format!("{place}.routes"), why),
        }
    }
}

/// The conditions of a list, of which there must be one.
fn conditions(reader: &mut Reader, of: &mut Table, key: &'static str) -> Vec<Condition> {
    let tables = reader.tables(of, key, true);
    tables.into_iter().filter_map(|table| condition(reader, table)).collect()
}

fn condition(reader: &mut Reader, mut table: Table) -> Option<Condition> {
    let of = &mut table;
    let (place, told) = (of.place.clone(), reader.count());
    let range = self::range(reader, of, ["at_least", "at_most"]);
    let times = self::range(reader, of, ["times_at_least", "times_at_most"]);
    let (is, open) = (of.get("is"), Range::default());
    let trials = of.get("trials").map(|_| reader.whole(of, "trials", (2, TRIALS_MAX), None));
    let change = of.get("change").and_then(Value::as_str);
    let change = change.and_then(|word| Change::ALL.into_iter().find(|change| change.word() == word));
    let kinds = [of.get("figure").is_some(), of.get("knob").is_some(), of.get("limit").is_some()];
    let found = match kinds {
        [true, false, false] => figure(reader, of).and_then(|figure| match (range != open, times != open, trials, change) {
            (true, false, None, None) => Some(Condition::Figure(figure, range)),
            (false, true, None, None) => Some(Condition::Times(figure, times)),
            (false, false, Some(trials), Some(change)) => Some(Condition::Trials(figure, trials, change)),
            _ => None,
        }),
        [false, true, false] => knob(reader, of).and_then(|knob| match is {
            Some(value) => given_of(&knob, value).map(|given| Condition::Is(knob, given)),
            None => (range != open && matches!(knob.field.kind, Kind::Whole { .. } | Kind::Tenths { .. }))
                .then_some(Condition::Knob(knob, range)),
        }),
        [false, false, true] => limit(reader, of).map(Condition::Limit),
        _ => None,
    };
    if found.is_none() && reader.count() == told {
        reader.wrong(
            place,
            "a condition has a figure with at_least, at_most, times_at_least, times_at_most, or trials and change (more, less or none); or a knob with at_least, at_most or is; or a limit",
        );
    }
    reader.done(table);
    found
}

/// A range, whose end must lie above its beginning: one number is no range.
fn range(reader: &mut Reader, of: &mut Table, [least, most]: [&'static str; 2]) -> Range {
    let range = Range { least: reader.number(of, least), most: reader.number(of, most) };
    if let (Some(from), Some(to)) = (range.least, range.most)
        && from >= to
    {
        reader.wrong(of.at(most), format!("{to} given with {least} {from}, a number above {from} is needed"));
    }
    range
}

fn figure(reader: &mut Reader, of: &mut Table) -> Option<Figure> {
    let name = reader.name(of, "figure");
    let figure = Figure::from_id(&name);
    if figure.is_none() && !name.is_empty() {
        reader.wrong(
            of.at("figure"),
            format!("\"{name}\" given, the id of a figure is needed, such as \"etr\" or \"quiesce_time\""),
        );
    }
    figure
}

fn limit(reader: &mut Reader, of: &mut Table) -> Option<ResourceKind> {
    let name = reader.name(of, "limit");
    let kind = ResourceKind::ALL.into_iter().find(|kind| kind.word() == name);
    if kind.is_none() && !name.is_empty() {
        let all: Vec<&str> = ResourceKind::ALL.iter().map(|kind| kind.word()).collect();
        reader.wrong(of.at("limit"), format!("\"{name}\" given, one of {} is needed", all.join(", ")));
    }
    kind
}

fn knob(reader: &mut Reader, of: &mut Table) -> Option<Knob> {
    let place = of.at("knob");
    let name = reader.name(of, "knob");
    knob_of(reader, &place, &name)
}

/// The knob of this name: `lcu.aliases`, `guests[0].count`.
fn knob_of(reader: &mut Reader, place: &str, name: &str) -> Option<Knob> {
    let knob = Knob::named_in_files(name);
    if knob.is_none() && !name.is_empty() {
        let near: Vec<&str> = FIELDS
            .iter()
            .map(|field| field.path)
            .filter(|path| path.contains(name.rsplit('.').next().unwrap_or(name)))
            .collect();
        let near = if near.is_empty() { String::new() } else { format!("; near it: {}", near.join(", ")) };
        reader.wrong(
            place,
            format!("\"{name}\" given, a field of the scenario is needed, such as lcu.aliases or guests[0].count{near}"),
        );
    }
    let groups = reader.groups.unwrap_or(usize::MAX).max(1);
    if knob.as_ref().is_some_and(|knob| knob.group >= groups) {
        let has = if groups == 1 { "one group of guests".into() } else { format!("{groups} groups of guests") };
        reader.wrong(place, format!("{name} given, but the lesson’s host has {has}"));
        return None;
    }
    knob
}

/// Knobs with their values, each of which must be a value of its knob.
fn turns(reader: &mut Reader, key: &str, of: &Table, value: &Value, begun: &Scenario) -> Turns {
    let place = of.at(key);
    let Some(table) = reader.table(place.clone(), value) else { return Vec::new() };
    let mut turns: Turns = Vec::new();
    for (name, value) in table.entries() {
        let Some(knob) = knob_of(reader, &place, name) else { continue };
        match given_of(&knob, value) {
            Some(given) => match knob.turn(&mut begun.clone(), &given) {
                Ok(()) => turns.push((knob, given)),
                Err(problem) => reader.wrong(format!("{place}, {name}"), problem.message),
            },
            None => reader
                .wrong(format!("{place}, {name}"), format!("{} given, {} is allowed", shown(value), knob.field.allowed())),
        }
    }
    // In the order of the fields, however they were written.
    let order = |knob: &Knob| (FIELDS.iter().position(|field| field.path == knob.field.path), knob.group);
    turns.sort_by_key(|(knob, _)| order(knob));
    debug_assert!(!turned(begun, &turns).guests.is_empty());
    turns
}

/// A value as an entry of a knob; none if it is of another kind.
fn given_of(knob: &Knob, value: &Value) -> Option<Given> {
    Some(match (knob.field.kind, value) {
        (Kind::Whole { .. } | Kind::Tenths { .. }, Value::Number(number)) => Given::Number(number.to_string()),
        (Kind::Whole { .. } | Kind::Tenths { .. }, Value::String(text)) => Given::Number(text.clone()),
        (Kind::Switch { .. }, Value::Bool(on)) => Given::Switch(*on),
        (Kind::Choice { .. }, Value::String(word)) => Given::Choice(word.clone()),
        (Kind::Share { .. } | Kind::Text { .. }, Value::String(text)) => Given::Text(text.clone()),
        _ => return None,
    })
}
