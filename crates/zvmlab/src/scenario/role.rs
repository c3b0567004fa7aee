//! Guests that wait for each other: clients and servers.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::Scenario;

/// Whether a guest asks others for something, answers them, or neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, BorshSerialize, BorshDeserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Neither: its cycles follow one another.
    #[default]
    Alone,
    /// It has connections to every server guest. On each, one request is under way at a time.
    Client,
    /// A cycle of it answers one request.
    Server,
}

impl Role {
    /// The role as people write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Alone => "alone",
            Role::Client => "client",
            Role::Server => "server",
        }
    }

    /// The role with these words; none if there is no such role.
    pub fn of_word(word: &str) -> Option<Role> {
        [Role::Alone, Role::Client, Role::Server].into_iter().find(|role| role.as_str() == word)
    }
}

impl Scenario {
    /// Guests with a role.
    pub fn guests_with(&self, role: Role) -> u64 {
        self.guests.iter().filter(|group| group.role == role).map(|group| u64::from(group.count)).sum()
    }

    /// Connections between all clients and all servers.
    pub fn connection_count(&self) -> u64 {
        let clients = self.guests.iter().filter(|group| group.role == Role::Client);
        clients.map(|group| u64::from(group.count) * u64::from(group.connections)).sum::<u64>()
            * self.guests_with(Role::Server)
    }
}
