//! What a scenario sets and what does nothing in its host, with the reason: on the page such knobs are folded away, at the command line
//! `zvmlab check` names them.

use zvmlab::Scenario;
use zvmlab::scenario::fields::{Effect, FIELDS, path::room};

/// Each field that has another value than by default on its level and does nothing, with the reason.
pub fn idle(scenario: &Scenario) -> Vec<String> {
    let plain = Scenario::default();
    let left: Vec<&str> = scenario.left_to_level().collect();
    let mut found = Vec::new();
    for field in FIELDS.iter().filter(|field| !field.is_derived() && !left.contains(&field.path)) {
        let groups = if field.room() == room::GUESTS { scenario.guests.len() } else { 1 };
        for index in 0..groups {
            let why = match (field.effect)(scenario, index) {
                Effect::Some => continue,
                Effect::None(why) => why,
                Effect::Absent => "This host has no such part.".into(),
            };
            let mut without = scenario.clone();
            field.copy(&mut without, index, &plain);
            if without != *scenario {
                found.push(format!("{}: {why}", field.place(index)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::ready::scenario_of;

    #[test]
    fn what_is_set_and_does_nothing_is_named_with_its_reason() {
        let mut host = scenario_of("V4DVY000").expect("a published run");
        assert_eq!(idle(&host), [""; 0]);
        host.isfc.ctcs2 = 7;
        host.guests[0].connections = 3;
        let found = idle(&host);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("guests[0].connections: ") && found[0].ends_with('.'), "{found:?}");
        assert_eq!(found[1], "isfc.ctcs2: This host has no such part.");
        let of_5_1 =
            |more: &str| Scenario::parse(&format!("level = '5.1'\n[lcu]\naliases = 4\n{more}")).expect("a scenario");
        assert_eq!(idle(&of_5_1("")).len(), 1, "the aliases: what the level lacks was not set");
        let shared = of_5_1("[dispatcher]\nspin_lock = 'DIAG 44'");
        assert!(idle(&shared)[1].starts_with("dispatcher.spin_lock: "), "{:?}", idle(&shared));
    }
}
