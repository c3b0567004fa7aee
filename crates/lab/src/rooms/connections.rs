//! Connections between clients and servers: where they are, and so which end makes users wait.

use zvmlab::Figure;

use super::compared::{NO_RESULT, chart as framed, figures, newest, rows};
use crate::chart::{Chart, Grid, Key, Plot, Quantity};
use crate::evidence::Evidence;
use crate::words::unit::with_unit;

/// Where a connection can be, in the order of its round: the figure, its name, its look, and what the connections there do.
const PLACES: [(Figure, &str, usize, &str); 5] = [
    (Figure::ConnectionsThinking, "users think", 6, "have users who think"),
    (Figure::ConnectionsClientWait, "wait for a client’s virtual CPU", 4, "wait for a client’s virtual CPU"),
    (Figure::ConnectionsClient, "at work in a client", 2, "are at work in a client"),
    (Figure::ConnectionsServerWait, "wait for a server’s virtual CPU", 1, "wait for a server’s virtual CPU"),
    (Figure::ConnectionsServer, "at work in a server", 3, "are at work in a server"),
];

/// What connections do in each place of their round, in words.
pub fn what() -> [&'static str; 5] {
    PLACES.map(|place| place.3)
}

/// The chart, if there are connections.
pub fn chart(evidence: &Evidence) -> Option<Chart> {
    let all = newest(evidence)?.connections.as_ref()?.count;
    let rows = rows(evidence, &PLACES.map(|place| place.0));
    let plot = if rows.is_empty() {
        Plot::Nothing(NO_RESULT.into())
    } else {
        let value = Quantity::new("Connections", "");
        let keys = PLACES.map(|(_, name, look, _)| Key::new(name, look)).into();
        Plot::Stack(Grid { row_name: "Result".into(), value, keys, rows, levels: Vec::new(), at_least: 0.0 })
    };
    Some(framed(evidence, "connections", "Where the connections are", summary(evidence, all), plot))
}

fn summary(evidence: &Evidence, all: u32) -> String {
    let Some(now) = figures(evidence) else {
        return "Each connection goes round: users think, a client asks, a server answers.".into();
    };
    let there = |&(figure, _, _, what): &(Figure, &str, usize, &'static str)| Some((now.get(figure)?, what));
    let most = PLACES.iter().filter_map(there).reduce(|most, other| if other.0 > most.0 { other } else { most });
    match most {
        Some((count, what)) => {
            format!("Of {all} connections, {} {what}: more than anywhere else, on average.", with_unit(count, ""))
        }
        None => format!("{all} connections go round: users think, a client asks, a server answers."),
    }
}

#[cfg(test)]
mod tests {
    use super::super::compared::tests::{evidence_of, settled_evidence};
    use super::*;
    use crate::published::ready::scenario_of;

    #[test]
    fn a_host_with_clients_shows_where_their_connections_are() {
        assert_eq!(chart(&settled_evidence()), None);
        let mut host = scenario_of("WEB").expect("an example");
        (host.measure.warmup_s, host.measure.interval_s) = (1, 2);
        let chart = chart(&evidence_of(host)).expect("there are connections");
        let Plot::Stack(grid) = &chart.plot else { panic!("bars") };
        let sum: f64 = grid.rows[0].values.iter().flatten().sum();
        assert!((sum - 72.0).abs() < 1e-6, "each connection is somewhere: {sum}");
        assert!(chart.summary.starts_with("Of 72 connections, "), "{}", chart.summary);
    }
}
