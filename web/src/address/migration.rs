//! Links of older versions: one step for each version, from its scenario to that of the next.

use serde_json::{Map, Value};

/// What a scenario of a link was changed by from one version to the next: the first step leads from v1 to v2.
const STEPS: [fn(&mut Map<String, Value>); super::VERSION - 1] = [aliases_of_the_control_unit];

/// The scenario of a link of `version` as today's version writes it.
pub fn forward(mut scenario: Value, version: usize) -> Value {
    if let Some(rooms) = scenario.as_object_mut() {
        STEPS.iter().skip(version.saturating_sub(1)).for_each(|step| step(rooms));
    }
    scenario
}

/// v1 to v2: minidisk I/O came, which can use aliases too, so they moved from paging to the control unit.
fn aliases_of_the_control_unit(rooms: &mut Map<String, Value>) {
    let aliases = rooms.get_mut("paging").and_then(Value::as_object_mut).and_then(|paging| paging.remove("aliases"));
    let Some(aliases) = aliases else { return };
    let lcu = rooms.entry("lcu").or_insert_with(|| Value::Object(Map::new()));
    if let Some(lcu) = lcu.as_object_mut() {
        lcu.entry("aliases").or_insert(aliases);
    }
}
