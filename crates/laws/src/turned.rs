//! A host with another value in one field that states that it does nothing there.

use zvmlab::scenario::Scenario;
use zvmlab::scenario::fields::{
    Effect, FIELDS,
    path::{self, room},
};

/// Fields that leave a trace where they do nothing for a guest. Where no list holds guests back, one with QUICKDSP is still
/// in Q0, and none of its slices ends there. The fault gives a guest's share to another; a single guest with several virtual
/// CPUs runs them in another order with it. With ASYNCH the order of guests still says who is first within one instant.
const TRACED: [&str; 3] = [path::GUESTS_QUICKDSP, path::SCHEDULER_EXCESS_FAULT, path::RELOCATION_ORDER];

/// The host with the value of `other` in each field that does nothing, before and after; and the path of this field.
pub fn turned(scenario: &Scenario, other: &Scenario) -> Vec<(&'static str, Scenario)> {
    let mut turned = Vec::new();
    for field in FIELDS.iter().filter(|field| !TRACED.contains(&field.path)) {
        let groups = if field.room() == room::GUESTS { scenario.guests.len() } else { 1 };
        for index in 0..groups {
            let mut next = scenario.clone();
            field.copy(&mut next, index, other);
            let idle = |scenario| (field.effect)(scenario, index) != Effect::Some;
            if next != *scenario && idle(scenario) && idle(&next) && next.check().is_ok() {
                turned.push((field.path, next));
            }
        }
    }
    turned
}
