//! A place in the tree of a scenario, and a value put there: what sweeps do at the command line and in Python.

use serde_json::{Map, Value};
use zvmlab::Scenario;
use zvmlab::scenario::fields::{field, path::room::GUESTS};

use super::problem::bare;

/// Puts a value at a place: `paging.volumes`, `guests[1].loop_mb`, or `guests.loop_mb` of every group. `given` is the tree of a
/// scenario, of which fields may be left out, and `whole` the scenario that it stands for. Whether the value may stand there, and whether
/// there is such a field in a room, is found when the tree is read as a scenario.
///
/// # Errors
/// Why nothing can stand at that place.
pub fn put(given: &mut Value, whole: &Scenario, place: &str, value: &Value) -> Result<(), String> {
    let tables = given.as_object_mut().ok_or("the scenario is no table")?;
    let room = place.split(['.', '[']).next().unwrap_or_default();
    if room != GUESTS || place == GUESTS {
        let (table, key) = match place.split_once('.') {
            Some((room, key)) => (table(tables, room).ok_or("there is no such field")?, key),
            None => (tables, place),
        };
        table.insert(key.into(), value.clone());
        return Ok(());
    }
    // A text may leave out its groups: then they are those that it stands for.
    let groups = tables.entry(GUESTS).or_insert_with(|| {
        let whole: Value = serde_json::from_str(&whole.to_json()).unwrap_or(Value::Null);
        whole.get(GUESTS).cloned().unwrap_or(Value::Array(Vec::new()))
    });
    let groups = groups.as_array_mut().ok_or("guests is no list of groups")?;
    let count = groups.len();
    let (index, key) = group_of(place);
    let chosen = match index {
        None => groups.iter_mut().collect::<Vec<_>>(),
        Some(index) => groups.get_mut(index).into_iter().collect(),
    };
    if chosen.is_empty() {
        return Err(format!("the scenario has {count} groups of guests, counted from 0"));
    }
    if field(&bare(place)).is_none() {
        return Err("a group of guests has no such field".into());
    }
    chosen.into_iter().filter_map(Value::as_object_mut).for_each(|group| _ = group.insert(key.into(), value.clone()));
    Ok(())
}

/// The tree of a scenario of which no text is at hand. It leaves out what was left to its level, as another level has its own.
pub fn tree(scenario: &Scenario) -> Value {
    let mut given = serde_json::from_str(&scenario.to_json()).unwrap_or(Value::Null);
    for path in scenario.left_to_level() {
        let (room, key) = path.split_once('.').unwrap_or((path, ""));
        if let Some(room) = given.get_mut(room).and_then(Value::as_object_mut) {
            room.remove(key);
        }
    }
    given
}

/// Whether two places name the same field of some group or room, so that the value of one would hide that of the other.
pub fn overlap(one: &str, other: &str) -> bool {
    let holds = |outer: &str, inner: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with(['.', '[']));
    if one == other || holds(one, other) || holds(other, one) {
        return true;
    }
    let ((of_one, key), (of_other, other_key)) = (group_of(one), group_of(other));
    let are_groups = bare(one).starts_with(GUESTS) && bare(other).starts_with(GUESTS);
    are_groups && key == other_key && (of_one.is_none() || of_other.is_none() || of_one == of_other)
}

/// The table of a room, which may not be there yet.
fn table<'a>(tables: &'a mut Map<String, Value>, room: &str) -> Option<&'a mut Map<String, Value>> {
    tables.entry(room).or_insert_with(|| Value::Object(Map::new())).as_object_mut()
}

/// The group and the key of a place: `guests[1].count`, `guests.count`.
fn group_of(place: &str) -> (Option<usize>, &str) {
    let rest = place.strip_prefix(GUESTS).unwrap_or(place);
    match rest.strip_prefix('[').and_then(|rest| rest.split_once("].")) {
        // A number that is none, or is written in another way than a group's, is no group.
        Some((index, key)) => {
            let number = index.parse::<usize>().ok().filter(|number| number.to_string() == index);
            (Some(number.unwrap_or(usize::MAX)), key)
        }
        None => (None, rest.trim_start_matches('.')),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn put_into(mut given: Value, place: &str, value: Value) -> Result<Value, String> {
        let whole = Scenario::parse(&given.to_string()).unwrap_or_default();
        put(&mut given, &whole, place, &value).map(|()| given)
    }

    #[test]
    fn a_value_goes_to_its_place_and_what_was_left_out_stays_out() {
        assert_eq!(put_into(json!({}), "paging.volumes", json!(3)), Ok(json!({ "paging": { "volumes": 3 } })));
        assert_eq!(put_into(json!({}), "level", json!("6.2")), Ok(json!({ "level": "6.2" })));
        let two = json!({ "guests": [{ "count": 1 }, { "count": 2 }] });
        let placed = |place, value| put_into(two.clone(), place, value);
        assert_eq!(placed("guests[1].count", json!(9)), Ok(json!({ "guests": [{ "count": 1 }, { "count": 9 }] })));
        assert_eq!(placed("guests.count", json!(9)), Ok(json!({ "guests": [{ "count": 9 }, { "count": 9 }] })));
        let usual = put_into(json!({}), "guests.count", json!(3)).unwrap();
        assert_eq!(usual["guests"][0]["count"], 3);
        assert!(usual["guests"][0]["virtual_mb"].is_number());
    }

    #[test]
    fn places_that_hide_each_other_are_known() {
        for (one, other, expected) in [
            ("lcu.aliases", "lcu.aliases", true),
            ("guests.count", "guests[0].count", true),
            ("guests[1].count", "guests[0].count", false),
            ("guests[1].count", "guests[1].count", true),
            ("guests[0].count", "guests[0].loop_mb", false),
            ("guests", "guests[0].count", true),
            ("lcu", "lcu.aliases", true),
            ("paging.volumes", "minidisks.volumes", false),
            ("guests.name", "name", false),
        ] {
            assert_eq!((overlap(one, other), overlap(other, one)), (expected, expected), "{one} and {other}");
        }
    }

    #[test]
    fn a_place_that_is_none_is_told() {
        let why = |given, place| put_into(given, place, json!(1)).unwrap_err();
        assert!(why(json!({}), "guests[7].count").contains("1 groups"));
        for other in ["x", "00", "+0", " 0", "-1"] {
            let place = format!("guests[{other}].count");
            assert!(put_into(json!({}), &place, json!(1)).unwrap_err().contains("1 groups"), "{other}");
        }
        assert!(why(json!({}), "guests.bogus").contains("no such field"));
        assert!(why(json!({ "guests": 5 }), "guests.count").contains("no list"));
        assert!(why(json!({ "paging": 5 }), "paging.volumes").contains("no such field"));
        assert!(why(json!(5), "paging.volumes").contains("no table"));
    }
}
