//! Hosts that fail: how a server may spoil the answer to one file of the page.

use std::time::Duration;

/// How long a slow host waits before it sends anything. Chosen: longer than the page waits before it says that it has not started.
const SLOW: Duration = Duration::from_secs(12);

/// What is wrong with a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The file is not there.
    Missing,
    /// The server has an error of its own.
    Error,
    /// The file is empty.
    Empty,
    /// The connection ends in the middle of the file.
    Cut,
    /// Half of the file came to the server.
    Short,
    /// The file has another type.
    Type,
    /// The answer comes late.
    Slow,
    /// Nothing is answered.
    Offline,
}

impl Fault {
    /// The fault with this name in an address.
    pub fn named(name: &str) -> Option<Fault> {
        Some(match name {
            "missing" => Fault::Missing,
            "error" => Fault::Error,
            "empty" => Fault::Empty,
            "cut" => Fault::Cut,
            "short" => Fault::Short,
            "type" => Fault::Type,
            "slow" => Fault::Slow,
            "offline" => Fault::Offline,
            _ => return None,
        })
    }

    /// The time for which the server waits first.
    pub fn wait(self) -> Duration {
        if self == Fault::Slow { SLOW } else { Duration::ZERO }
    }
}
