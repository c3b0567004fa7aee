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
    /// A program may have no more memory than it begins with, and some pages: as on a device that has no more.
    Narrow,
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
            "narrow" => Fault::Narrow,
            _ => return None,
        })
    }

    /// The time for which the server waits first.
    pub fn wait(self) -> Duration {
        if self == Fault::Slow { SLOW } else { Duration::ZERO }
    }
}

/// Pages of 64 KiB that a narrow program gets besides those with which it begins. Chosen: enough to start, too few for a large host.
const MORE: u32 = 24;

/// The same program with a bound to its memory; what is no program, or has no memory of its own, stays.
pub fn narrowed(program: &[u8]) -> Vec<u8> {
    bounded(program).unwrap_or_else(|| program.to_vec())
}

fn bounded(program: &[u8]) -> Option<Vec<u8>> {
    const MAGIC: usize = 8;
    const MEMORY: u8 = 5;
    let mut at = MAGIC;
    while program.get(..4)? == b"\0asm" {
        let (begin, id) = (at, *program.get(at)?);
        let (length, body) = number(program, at + 1)?;
        at = body + length as usize;
        // One memory without a bound: its count, its kind, its first size.
        if id != MEMORY {
            continue;
        }
        let (least, end) = number(program, body + 2)?;
        if program.get(body..body + 2)? != [1, 0] || end != at {
            return None;
        }
        let mut memory = vec![1, 1];
        for size in [least, least + MORE] {
            memory.extend(leb(size));
        }
        let mut all = program[..begin].to_vec();
        all.push(MEMORY);
        all.extend(leb(memory.len() as u32));
        all.extend(memory);
        all.extend(&program[at..]);
        return Some(all);
    }
    None
}

/// A number of the form that wasm gives numbers, and where the next byte stands.
fn number(bytes: &[u8], mut at: usize) -> Option<(u32, usize)> {
    let mut value = 0;
    for shift in [0, 7, 14, 21, 28] {
        let byte = *bytes.get(at)?;
        at += 1;
        value |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some((value, at));
        }
    }
    None
}

/// A number in that form.
fn leb(mut value: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = (value & 0x7f) as u8;
        value >>= 7;
        bytes.push(if value == 0 { low } else { low | 0x80 });
        if value == 0 {
            return bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_program_has_a_bound() {
        // A module with a type section of nothing, a memory of 200 pages, and an empty code section.
        let program = [&b"\0asm\x01\0\0\0"[..], &[1, 1, 0, 5, 4, 1, 0, 0xc8, 0x01, 10, 1, 0]].concat();
        let narrow = [&b"\0asm\x01\0\0\0"[..], &[1, 1, 0, 5, 6, 1, 1, 0xc8, 0x01, 0xe0, 0x01, 10, 1, 0]].concat();
        assert_eq!(narrowed(&program), narrow);
        assert_eq!(narrowed(&narrow), narrow, "it has a bound already");
        assert_eq!(narrowed(b"text"), b"text");
    }
}
