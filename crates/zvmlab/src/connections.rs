//! Connections between client and server guests: who waits for whom. A closed loop, as in IBM's Apache measurements, where clients and
//! servers are guests of one host ("client connections per server", 5.2 regression page).
//!
//! Each client has so many connections to each server. A round of a connection: the client's users think; a virtual CPU of the client
//! makes a request, which is a cycle of its program; the request waits for a virtual CPU of the server; a cycle of that one's program
//! answers it. What a message takes besides is part of these cycles (`cpu_us`, `service_us`); the network between guests of one host
//! takes no time of its own. Assumed: first come, first served, at both ends.

use std::collections::VecDeque;
use std::ops::Range;

use crate::kernel::rng::Generator;
use crate::kernel::time::{Instant, Span};
use crate::scenario::{Role, Scenario};
use crate::snapshot::ConnectionsSnapshot;

/// Where a connection is in its round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Thinking,
    ClientLine,
    Client,
    ServerLine,
    Server,
}

/// How many places there are.
const PLACES: usize = 5;

#[derive(Clone, Debug)]
struct Connection {
    client: u32,
    server: u32,
    place: Place,
    /// When its round began: the end of thinking.
    began: Instant,
    /// When it came to the server.
    asked: Instant,
}

/// The connections that wait for a virtual CPU of a guest, and for how long they have waited, all together.
#[derive(Clone, Debug, Default)]
struct Line {
    waiting: VecDeque<u32>,
    waited_ns: u64,
    counted: Instant,
}

impl Line {
    fn waited_until(&self, now: Instant) -> u64 {
        self.waited_ns + self.waiting.len() as u64 * now.since(self.counted).0
    }

    fn count(&mut self, now: Instant) {
        (self.waited_ns, self.counted) = (self.waited_until(now), now);
    }

    fn join(&mut self, now: Instant, connection: u32) {
        self.count(now);
        self.waiting.push_back(connection);
    }

    fn next(&mut self, now: Instant) -> Option<u32> {
        self.count(now);
        self.waiting.pop_front()
    }
}

/// What follows from a cycle that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The request waits for this server guest.
    Asked { server: u32 },
    /// The answer is there: `round` after the request was wanted, `served` after the server got it. The users think for `think`.
    Answered { connection: u32, client: u32, round: Span, served: Span, think: Span },
}

/// All connections of a host.
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    roles: Vec<Role>,
    /// Mean think time of each guest's connections, in ns, and the generator of them.
    thoughts: Vec<(f64, Generator)>,
    all: Vec<Connection>,
    /// The connections that wait for a virtual CPU of each guest, the first to be taken first.
    lines: Vec<Line>,
    /// On which connection each virtual CPU is at work.
    at_work: Vec<Option<u32>>,
    /// Since when each virtual CPU waits for a connection, if it does.
    waits: Vec<Option<Instant>>,
    /// How many connections are in each place, for how long so far, and up to when that is counted.
    count: [u32; PLACES],
    spent: [u64; PLACES],
    counted: Instant,
}

impl Connections {
    /// The connections of a host. All are thinking.
    pub fn new(scenario: &Scenario, seed: u64) -> Self {
        let groups: Vec<_> = scenario.guests.iter().flat_map(|group| (0..group.count).map(move |_| group)).collect();
        let with = |role: Role| groups.iter().zip(0..).filter(move |(group, _)| group.role == role);
        let all: Vec<Connection> = with(Role::Client)
            .flat_map(|(group, client)| {
                let servers = move || with(Role::Server).map(|(_, server)| server);
                (0..group.connections).flat_map(move |_| servers().map(move |server| (client, server)))
            })
            .map(|(client, server)| Connection {
                client,
                server,
                place: Place::Thinking,
                began: Instant::ZERO,
                asked: Instant::ZERO,
            })
            .collect();
        let cpus = groups.iter().map(|group| group.virtual_cpus as usize).sum();
        let mut count = [0; PLACES];
        count[Place::Thinking as usize] = all.len() as u32;
        let thoughts = groups.iter().zip(0..).map(|(group, guest)| {
            let whose = format!("thoughts on connections of guest {guest}");
            (group.think_ms.as_f64() * 1e6, Generator::new(seed, &whose))
        });
        Connections {
            roles: groups.iter().map(|group| group.role).collect(),
            thoughts: thoughts.collect(),
            lines: vec![Line::default(); groups.len()],
            at_work: vec![None; cpus],
            waits: vec![None; cpus],
            count,
            spent: [0; PLACES],
            counted: Instant::ZERO,
            all,
        }
    }

    /// What a guest is in requests.
    pub fn role(&self, guest: u32) -> Role {
        self.roles[guest as usize]
    }

    /// How many connections there are.
    pub fn count(&self) -> u32 {
        self.all.len() as u32
    }

    /// For how long the users of a connection think this time.
    pub fn think(&mut self, connection: u32) -> Span {
        let (mean, generator) = &mut self.thoughts[self.all[connection as usize].client as usize];
        if *mean == 0.0 { Span::ZERO } else { Span::from_ns_f64(generator.exponential(*mean)) }
    }

    /// The users of a connection want something: it joins the line of its client, which is the answer.
    pub fn want(&mut self, now: Instant, connection: u32) -> u32 {
        self.put(now, connection, Place::ClientLine);
        let Connection { client, began, .. } = &mut self.all[connection as usize];
        *began = now;
        let client = *client;
        self.lines[client as usize].join(now, connection);
        client
    }

    /// A virtual CPU of `guest` takes up the first connection in its line. With none there, it waits for one. Whether it took one.
    pub fn take(&mut self, now: Instant, cpu: u32, guest: u32) -> bool {
        let next = self.lines[guest as usize].next(now);
        self.waits[cpu as usize] = next.is_none().then_some(now);
        let Some(connection) = next else { return false };
        self.put(now, connection, if self.role(guest) == Role::Client { Place::Client } else { Place::Server });
        self.at_work[cpu as usize] = Some(connection);
        true
    }

    /// A virtual CPU has ended a cycle. None where that was no work on a connection: it began during the fill.
    pub fn end(&mut self, now: Instant, cpu: u32) -> Option<Ended> {
        let number = self.at_work[cpu as usize].take()?;
        let Connection { client, server, place, began, asked } = self.all[number as usize];
        if place == Place::Client {
            self.put(now, number, Place::ServerLine);
            self.all[number as usize].asked = now;
            self.lines[server as usize].join(now, number);
            return Some(Ended::Asked { server });
        }
        self.put(now, number, Place::Thinking);
        let think = self.think(number);
        Some(Ended::Answered { connection: number, client, round: now.since(began), served: now.since(asked), think })
    }

    /// The one of these virtual CPUs that has waited longest for a connection; it does so no longer. A guest's share is divided evenly
    /// among its virtual CPUs, so the work is to be, too.
    pub fn call(&mut self, cpus: Range<u32>) -> Option<u32> {
        let cpu =
            cpus.filter(|&cpu| self.waits[cpu as usize].is_some()).min_by_key(|&cpu| (self.waits[cpu as usize], cpu))?;
        self.waits[cpu as usize] = None;
        Some(cpu)
    }

    /// For how long connections have waited in the line of a guest so far, all together.
    pub fn waited(&self, now: Instant, guest: u32) -> Span {
        Span(self.lines[guest as usize].waited_until(now))
    }

    fn put(&mut self, now: Instant, connection: u32, place: Place) {
        self.spent = self.spent_until(now);
        self.counted = now;
        let before = std::mem::replace(&mut self.all[connection as usize].place, place);
        self.count[before as usize] -= 1;
        self.count[place as usize] += 1;
    }

    fn spent_until(&self, now: Instant) -> [u64; PLACES] {
        let time = now.since(self.counted).0;
        std::array::from_fn(|place| self.spent[place] + u64::from(self.count[place]) * time)
    }

    /// Where the connections are; none where there are none.
    pub fn snapshot(&self, now: Instant) -> Option<ConnectionsSnapshot> {
        let [thinking, client_line, at_client, server_line, at_server] = self.count;
        let [thinking_ns, client_line_ns, at_client_ns, server_line_ns, at_server_ns] = self.spent_until(now);
        (!self.all.is_empty()).then_some(ConnectionsSnapshot {
            count: self.count(),
            thinking,
            client_line,
            at_client,
            server_line,
            at_server,
            thinking_ns,
            client_line_ns,
            at_client_ns,
            server_line_ns,
            at_server_ns,
        })
    }

    /// Checks that a virtual CPU of `guest` that is idle waits for a connection, and that there is none for it.
    pub fn verify_idle(&self, cpu: u32, guest: u32) {
        assert!(self.waits[cpu as usize].is_some(), "who is idle waits for a connection");
        assert!(self.lines[guest as usize].waiting.is_empty(), "nobody is idle while a connection waits for him");
    }

    /// Checks that each connection is where it is counted.
    pub fn verify(&self) {
        let mut count = [0; PLACES];
        self.all.iter().for_each(|connection| count[connection.place as usize] += 1);
        assert_eq!(count, self.count, "connections are counted where they are");
        let in_line: usize = self.lines.iter().map(|line| line.waiting.len()).sum();
        let [_, client_line, at_client, server_line, at_server] = self.count;
        assert_eq!(in_line as u32, client_line + server_line, "those that wait are in a line");
        let at_work = self.at_work.iter().flatten().count() as u32;
        assert_eq!(at_work, at_client + at_server, "a virtual CPU is at work on each of the others");
        for (cpu, at) in self.at_work.iter().enumerate() {
            assert!(at.is_none() || self.waits[cpu].is_none(), "who is at work does not wait");
        }
    }
}
