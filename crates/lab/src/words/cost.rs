//! What a run will cost, in words.

use zvmlab::experiment::cost::Cost;

use super::number::{fixed, rounded};
use super::so_far::time;

/// Wall time in seconds up to which a run takes a moment. Chosen.
const MOMENT_S: f64 = 2.0;

/// What a run costs, with wall time on this machine: `A run takes about 12 million events, about 4 s on this machine.`
pub fn said(cost: &Cost, ns_per_event: f64) -> String {
    let seconds = cost.allowed() * ns_per_event / 1e9;
    let wall = if seconds < MOMENT_S { "a moment".into() } else { format!("about {}", time(seconds.ceil())) };
    let (about, more) = match cost.is_known {
        true => ("", ""),
        false => ("about ", " A host that is not steady takes more."),
    };
    let over = cost.asked() > cost.allowed() * 1.000_001;
    if over {
        return format!(
            "A run would take about {} million events. It is cut short after its budget, measure.events_m = {}: {wall} on this machine.",
            millions(cost.asked()),
            cost.budget / 1_000_000
        );
    }
    format!("A run takes {about}{} million events, {wall} on this machine.{more}", millions(cost.asked()))
}

/// Millions of events with two digits.
fn millions(events: f64) -> String {
    let (millions, mut unit) = (events / 1e6, 1.0);
    while millions / unit >= 100.0 {
        unit *= 10.0;
    }
    match unit {
        1.0 => rounded(millions, 2, 3),
        _ => fixed((millions / unit).round() * unit, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_is_told_in_events_and_in_time() {
        let cost = Cost { fill: 1e6, measured: 11.3e6, budget: 100_000_000, tried: 2_000_000, is_known: false };
        assert_eq!(
            said(&cost, 300.0),
            "A run takes about 12 million events, about 4\u{a0}s on this machine. A host that is not steady takes more."
        );
        let known = Cost { fill: 40_000.0, measured: 10_000.0, is_known: true, ..cost };
        assert_eq!(said(&known, 300.0), "A run takes 0.05 million events, a moment on this machine.");
        let long = Cost { measured: 7.6e12, ..cost };
        assert_eq!(
            said(&long, 300.0),
            "A run would take about 7,600,000 million events. It is cut short after its budget, measure.events_m = 100: about 31\u{a0}s on this machine."
        );
    }
}
