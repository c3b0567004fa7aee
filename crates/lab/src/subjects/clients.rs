//! The subject of clients and servers: guests that wait for each other, and what more connections gain.

use std::borrow::Cow;

use zvmlab::Figure;
use zvmlab::limit::{Limits, ResourceKind};
use zvmlab::scenario::fields::path;
use zvmlab::scenario::{GuestGroup, Role, Scenario};

use super::lead::{ETR, Lead, Table, lead};
use super::next_step::{Chain, Seen, Step, Way};
use super::of_processors::{on, who};
use super::{Depth, Part, Particulars, Setup, Sign, Subject, of_processors};
use crate::knob::Knob;
use crate::knob::groups::id;
use crate::room::Room;

/// Guests that wait for each other.
pub static CLIENTS: &Subject = &Subject {
    title: "Clients and servers",
    question: "Which end makes users wait, and when do more connections gain nothing?",
    depth: Depth::Basics,
    part: Part::Processors,
    sources: &[],
    setups: &[Setup::new("WEB", "Two clients that ask six web servers")
        .back("One virtual CPU of each client makes all of its requests.")],
    limit: Some(ResourceKind::ClientCpus),
    room: Room::Overview,
    // Where guests have locks of their own, as Apache's client does, these are the subject.
    sign: Some(Sign {
        order: 35,
        is_seen: |scenario| scenario.connection_count() > 0 && scenario.guests.iter().all(|group| group.lock_us == 0),
    }),
    groups: &[id::GUESTS, id::PROCESSORS],
    is_main,
    swept: |_| path::GUESTS_CONNECTIONS,
    introduction,
    chain: Chain { steps: &[DOUBLE, WIDEN, ADD_PROCESSORS], made },
    leads: |_| LEADS.to_vec(),
    table: |_| TABLE,
    particulars: Particulars::NONE,
};

const LEADS: &[Lead] = &[
    ETR,
    lead(Figure::ResponseTime, "ms from the end of thinking to the answer (response time)", "ms response"),
    lead(Figure::ConnectionsClientWait, "connections wait for a client’s virtual CPU, on average", "at clients"),
    lead(Figure::ConnectionsServerWait, "connections wait for a server’s virtual CPU, on average", "at servers"),
];

const TABLE: Table = &[
    (Figure::Etr, false),
    (Figure::ResponseTime, false),
    (Figure::ConnectionsThinking, false),
    (Figure::ConnectionsClientWait, false),
    (Figure::ConnectionsClient, false),
    (Figure::ConnectionsServerWait, false),
    (Figure::ConnectionsServer, false),
    (Figure::Utilization, false),
    (Figure::TotalTimePerTransaction, false),
];

/// Connections of a client to each server after the first step.
const MORE_CONNECTIONS: u32 = 12;
/// Processors of the host before the last step.
const PROCESSORS: u32 = 4;

const DOUBLE: Step = Step {
    label: |_| "Use 12 connections to each server".into(),
    reason: "The clients’ virtual CPUs are busy all the time already. More connections only wait for them.",
    is_due: |seen: &Seen| {
        let few = of_one_cpu(seen.scenario).is_some_and(|client| client.connections < MORE_CONNECTIONS);
        few && are_full(seen, ResourceKind::ClientCpus)
    },
    take: |scenario| clients_mut(scenario).for_each(|client| client.connections = MORE_CONNECTIONS),
    shows: (Figure::ResponseTime, Way::Up),
};

const WIDEN: Step = Step {
    label: |_| "Give each client a second virtual CPU".into(),
    reason: "Connections wait for the clients’ virtual CPUs, while processors are idle.",
    is_due: |seen: &Seen| of_one_cpu(seen.scenario).is_some() && seen.may_limit(&[ResourceKind::ClientCpus]),
    take: |scenario| clients_mut(scenario).for_each(|client| client.virtual_cpus = client.virtual_cpus.max(2)),
    shows: (Figure::Etr, Way::Up),
};

const ADD_PROCESSORS: Step = Step {
    label: |_| "Add two processors".into(),
    reason: "Now the processors are busy all the time, and clients and servers wait for them.",
    is_due: |seen: &Seen| seen.scenario.processors.count <= PROCESSORS && seen.may_limit(&[ResourceKind::Processors]),
    take: |scenario| scenario.processors.count += 2,
    shows: (Figure::Etr, Way::Up),
};

/// Whether a resource limits, and is busy nearly all the time.
fn are_full(seen: &Seen, kind: ResourceKind) -> bool {
    seen.may_limit(&[kind]) && seen.busy(kind).is_none_or(|busy| busy > 0.95)
}

fn clients_mut(scenario: &mut Scenario) -> impl Iterator<Item = &mut GuestGroup> {
    scenario.guests.iter_mut().filter(|group| group.role == Role::Client)
}

/// Clients with one virtual CPU each.
fn of_one_cpu(scenario: &Scenario) -> Option<&GuestGroup> {
    scenario.guests.iter().find(|group| group.role == Role::Client && group.virtual_cpus == 1)
}

fn made(_: &Scenario, limits: &Limits) -> Cow<'static, str> {
    match limits.limit {
        Some(ResourceKind::ClientCpus) => {
            "The clients’ virtual CPUs limit. What waits there, more connections only make longer."
        }
        Some(ResourceKind::ServerCpus) => {
            "The servers’ virtual CPUs limit. What waits there, more connections only make longer."
        }
        Some(ResourceKind::Processors) => "The processors limit. More connections only wait for them.",
        Some(_) => "Neither clients nor servers limit, but what they wait for. More connections only wait longer for it.",
        None => "Little is waited for: users who think set the pace. More connections carry more.",
    }
    .into()
}

fn is_main(knob: &Knob, scenario: &Scenario) -> bool {
    of_processors::is_main(knob, scenario, |path, _, group| match path {
        path::GUESTS_VIRTUAL_CPUS | path::GUESTS_CPU_US => true,
        path::GUESTS_CONNECTIONS | path::GUESTS_THINK_MS => group.role == Role::Client,
        path::GUESTS_SERVICE_US => group.role == Role::Server,
        _ => false,
    })
}

fn introduction(scenario: &Scenario) -> String {
    let all = scenario.connection_count();
    format!("{} run on {}, with {all} connections from clients to servers", who(&scenario.guests), on(scenario))
}
