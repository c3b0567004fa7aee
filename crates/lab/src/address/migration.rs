//! Links of older versions: one step for each version turns its scenario into one of the next version.

use serde_json::{Map, Value};
use zvmlab::scenario::{GuestGroup, Level, Scheduler};

/// One change to the scenario of a link for each version. The first leads from v1 to v2.
const STEPS: [fn(&mut Map<String, Value>); super::VERSION - 1] =
    [aliases_of_the_control_unit, transactions_in_cycles, nothing, barriers_of_the_level];

/// The scenario of a link of `version`, as the present version writes it.
pub fn forward(mut scenario: Value, version: usize) -> Value {
    if let Some(rooms) = scenario.as_object_mut() {
        STEPS.iter().skip(version.saturating_sub(1)).for_each(|step| step(rooms));
    }
    scenario
}

/// v1 to v2: minidisk I/O was added. It can use aliases too, so they moved from paging to the control unit.
fn aliases_of_the_control_unit(rooms: &mut Map<String, Value>) {
    let aliases = rooms.get_mut("paging").and_then(Value::as_object_mut).and_then(|paging| paging.remove("aliases"));
    let Some(aliases) = aliases else { return };
    let lcu = rooms.entry("lcu").or_insert_with(|| Value::Object(Map::new()));
    if let Some(lcu) = lcu.as_object_mut() {
        lcu.entry("aliases").or_insert(aliases);
    }
}

/// v3 to v4: links got a checksum. Scenarios stayed as they were.
fn nothing(_: &mut Map<String, Value>) {}

/// v4 to v5: before z/VM 6.2 a host that states no barriers has those that STORBUF had there. Before, it had those of 6.2.
fn barriers_of_the_level(rooms: &mut Map<String, Value>) {
    let level = rooms.get("level").and_then(Value::as_str).and_then(Level::of_word).unwrap_or_default();
    if level.storbuf_initial() == Level::default().storbuf_initial() {
        return;
    }
    let Scheduler { storbuf_1, storbuf_2, storbuf_3, .. } = Scheduler::default();
    let scheduler = rooms.entry("scheduler").or_insert_with(|| Value::Object(Map::new()));
    if let Some(scheduler) = scheduler.as_object_mut() {
        for (key, value) in [("storbuf_1", storbuf_1), ("storbuf_2", storbuf_2), ("storbuf_3", storbuf_3)] {
            scheduler.entry(key).or_insert(value.into());
        }
    }
}

/// v2 to v3: a program that pauses works in cycles, and its transactions count cycles. Before, only transactions of guests that do
/// I/O did; all others counted references to pages.
fn transactions_in_cycles(rooms: &mut Map<String, Value>) {
    let default = GuestGroup::default();
    let groups = rooms.get_mut("guests").and_then(Value::as_array_mut);
    for group in groups.into_iter().flatten().filter_map(Value::as_object_mut) {
        let number = |key: &str, default: u64| group.get(key).and_then(Value::as_u64).unwrap_or(default);
        let pauses = group.get("think_ms").and_then(Value::as_f64).unwrap_or(default.think_ms.as_f64()) > 0.0
            && number("io_records", default.io_records.into()) == 0;
        let of_cycle = number("cycle_pages", default.cycle_pages.into())
            .saturating_mul(number("references", default.references.into()));
        let references = number("transaction", default.transaction);
        if pauses && of_cycle > 1 {
            let cycles = (references / of_cycle).max(1);
            group.insert("transaction".into(), cycles.into());
        }
    }
}
