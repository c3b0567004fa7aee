//! What must hold between clients and servers.

use super::Problems;
use crate::scenario::fields::MAX_CONNECTIONS;
use crate::scenario::{Role, Scenario, Tenths};

impl Problems {
    /// What is impossible for clients and servers.
    pub(super) fn requests(&mut self, scenario: &Scenario) {
        for (index, group) in scenario.guests.iter().enumerate() {
            let role = group.role.as_str();
            let (other, article) = match group.role {
                Role::Alone => continue,
                Role::Client => (Role::Server, "no group is a server"),
                Role::Server => (Role::Client, "no group is a client"),
            };
            let mut add = |key: &str, message: String| self.add(format!("guests[{index}].{key}"), message);
            if scenario.cluster.members > 1 {
                let message = format!("\"{role}\" given in a cluster; \"alone\" is allowed, or cluster.members = 1");
                add("role", message);
            } else if scenario.guests_with(other) == 0 {
                add("role", format!("\"{role}\" given, but {article}; \"alone\" is allowed, or a group that is"));
            }
            let waits = format!("given, but a {role} waits for ");
            let waits = waits + if group.role == Role::Client { "answers" } else { "requests" };
            if group.pace_ms > Tenths::ZERO {
                add("pace_ms", format!("{} {waits}, so it has no pace of its own; 0 is allowed", group.pace_ms));
            }
            if group.touch_mb_s > 0 {
                add("touch_mb_s", format!("{} {waits}, so it has no pace of its own; 0 is allowed", group.touch_mb_s));
            }
            if group.role == Role::Server && group.think_ms > Tenths::ZERO {
                add("think_ms", format!("{} {waits} and does not think; 0 is allowed", group.think_ms));
            }
        }
        let all = scenario.connection_count();
        if all > MAX_CONNECTIONS {
            let index = scenario.guests.iter().position(|group| group.role == Role::Client).unwrap_or(0);
            self.add(
                format!("guests[{index}].connections"),
                format!(
                    "{} given, {all} connections between all clients and servers together; at most {MAX_CONNECTIONS} together are allowed",
                    scenario.guests[index].connections
                ),
            );
        }
    }
}
