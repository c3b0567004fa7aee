//! Clients and servers against mean value analysis, which is exact for such a loop (Reiser and Lavenberg 1980): exponential times, first
//! come first served, a processor for everybody.

use zvmlab::Simulation;
use zvmlab::kernel::time::Span;
use zvmlab::scenario::Scenario;
use zvmlab::snapshot::Snapshot;

/// Mean time of a cycle, in ms: a client's, a server's.
const CLIENT_MS: f64 = 0.4;
const SERVER_MS: f64 = 0.7;

/// One client with `connections` connections to one server, both with one virtual CPU; their users think for `think_ms`.
fn snapshots(connections: u32, think_ms: f64) -> [Snapshot; 2] {
    let guest = "workload = \"COMPUTE\"\ncount = 1\nvirtual_mb = 1\nloop_mb = 1\ncycle_pages = 1\n";
    let text = format!(
        "[processors]\ncount = 2\n[storage]\ncentral_mb = 1024\n\
         [[guests]]\nname = \"CLIENT\"\n{guest}role = \"client\"\nconnections = {connections}\nthink_ms = {think_ms}\ncpu_us = 400\n\
         [[guests]]\nname = \"SERVER\"\n{guest}role = \"server\"\ncpu_us = 700\n"
    );
    let mut simulation = Simulation::new(&Scenario::parse(&text).expect("valid"), 7).expect("valid");
    simulation.run_until(simulation.now() + Span::from_secs(20));
    let earlier = simulation.snapshot();
    simulation.run_until(simulation.now() + Span::from_secs(600));
    [earlier, simulation.snapshot()]
}

/// Requests a second and how many are at the client and at the server, waiting or in work, by mean value analysis.
fn exact(connections: u32, think_ms: f64) -> [f64; 3] {
    let service = [CLIENT_MS, SERVER_MS];
    let (mut there, mut rate) = ([0.0; 2], 0.0);
    for number in 1..=connections {
        let stay = [0, 1].map(|at| service[at] * (1.0 + there[at]));
        rate = f64::from(number) / (think_ms + stay[0] + stay[1]);
        there = stay.map(|time| rate * time);
    }
    [rate * 1e3, there[0], there[1]]
}

#[test]
fn clients_and_servers_are_a_closed_network_of_queues() {
    for (connections, think_ms) in [(1, 0.0), (1, 5.0), (4, 0.0), (10, 5.0), (20, 5.0), (12, 20.0)] {
        let [earlier, later] = snapshots(connections, think_ms);
        let seconds = (later.now_ns - earlier.now_ns) as f64 / 1e9;
        let (before, after) = (earlier.connections.expect("there are some"), later.connections.expect("there are some"));
        let at = |from: [u64; 2], to: [u64; 2]| (to[0] + to[1] - from[0] - from[1]) as f64 / seconds / 1e9;
        let found = [
            (later.guests[0].cycles - earlier.guests[0].cycles) as f64 / seconds,
            at([before.client_line_ns, before.at_client_ns], [after.client_line_ns, after.at_client_ns]),
            at([before.server_line_ns, before.at_server_ns], [after.server_line_ns, after.at_server_ns]),
        ];
        for (what, (found, exact)) in
            ["rate", "at the client", "at the server"].iter().zip(found.iter().zip(exact(connections, think_ms)))
        {
            // Some 500,000 requests: the rate is known to a percent, a mean queue to a few.
            let off = (found / exact - 1.0).abs();
            let most = if *what == "rate" { 0.01 } else { 0.04 };
            assert!(off < most, "{connections} connections, {think_ms} ms: {what} {found:.4}, exact {exact:.4}");
        }
    }
}

/// Little's law for the whole loop: connections = rate × (response + think time).
#[test]
fn response_and_think_time_add_up_to_the_round() {
    let [earlier, later] = snapshots(16, 8.0);
    let [client, server] = [0, 1].map(|at| (&earlier.guests[at], &later.guests[at]));
    let done = (client.1.cycles - client.0.cycles) as f64;
    let response_ms = (client.1.response_ns - client.0.response_ns) as f64 / done / 1e6;
    let rate_ms = done / ((later.now_ns - earlier.now_ns) as f64 / 1e6);
    assert!((rate_ms * (response_ms + 8.0) / 16.0 - 1.0).abs() < 0.01, "{response_ms} ms, {rate_ms} a ms");
    assert!((server.1.cycles - server.0.cycles) as f64 - done <= 16.0, "each answer ends one round");
}
