//! Where the connections between clients and servers are.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

/// Connections between clients and servers: how many are in each place at this instant, and the integral of that over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct ConnectionsSnapshot {
    /// All of them.
    pub count: u32,
    /// Those whose users think.
    pub thinking: u32,
    /// Those that wait for a virtual CPU of their client.
    pub client_line: u32,
    /// Those that a virtual CPU of their client is at work on.
    pub at_client: u32,
    /// Those that wait for a virtual CPU of their server.
    pub server_line: u32,
    /// Those that a virtual CPU of their server is at work on.
    pub at_server: u32,
    /// Integral of [`thinking`](Self::thinking) over time.
    pub thinking_ns: u64,
    /// Integral of [`client_line`](Self::client_line).
    pub client_line_ns: u64,
    /// Integral of [`at_client`](Self::at_client).
    pub at_client_ns: u64,
    /// Integral of [`server_line`](Self::server_line).
    pub server_line_ns: u64,
    /// Integral of [`at_server`](Self::at_server).
    pub at_server_ns: u64,
}
