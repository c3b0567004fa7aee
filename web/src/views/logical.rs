//! The logical processors as they are at this instant: what each does, for whom, and how many virtual CPUs its vector holds.

use yew::prelude::*;
use zvmlab::Snapshot;
use zvmlab::snapshot::{Doing, LogicalSnapshot};

use super::compared::newest;
use crate::session::ViewProps;

/// The processors side by side.
pub fn now(props: &ViewProps) -> Html {
    let Some(snapshot) = newest(props).filter(|snapshot| !snapshot.processors.logical.is_empty()) else {
        return Html::default();
    };
    let tile = |(index, logical): (usize, &LogicalSnapshot)| {
        html! {
            <li key={index} class={classes!("tile", class(logical.does))}>
                <span class="tile-name">{ index }</span>
                <span class="tile-does">{ does(logical, snapshot) }</span>
                <span class="tile-vector">{ format!("vector {}", logical.vector) }</span>
            </li>
        }
    };
    let processors = &snapshot.processors;
    html! {
        <section class="card logical" aria-labelledby="logical-title">
            <h3 id="logical-title">{ format!("Logical processors at {:.3} s", snapshot.now_ns as f64 / 1e9) }</h3>
            <ol class="tiles">{ for processors.logical.iter().enumerate().map(tile) }</ol>
            <p class="help">{ said(snapshot) }</p>
        </section>
    }
}

/// What a processor does, and for whom.
fn does(logical: &LogicalSnapshot, snapshot: &Snapshot) -> String {
    let guest = logical.guest.and_then(|guest| usize::try_from(guest).ok());
    let name = guest.and_then(|guest| snapshot.guests.get(guest)).map(|guest| guest.name.clone());
    match (logical.does, name) {
        (Doing::Idle, _) => "idle".into(),
        (Doing::Guest, Some(name)) => name,
        (Doing::Guest, None) => "a guest".into(),
        (Doing::Cp, Some(name)) => format!("CP for {name}"),
        (Doing::Cp, None) => "CP".into(),
        (Doing::Spin, _) => "CP, spins".into(),
        (Doing::Suspended, _) => "suspended".into(),
    }
}

fn class(does: Doing) -> &'static str {
    match does {
        Doing::Idle => "idles",
        Doing::Guest => "guest",
        Doing::Cp => "cp",
        Doing::Spin => "spins",
        Doing::Suspended => "suspended",
    }
}

/// How many do what, and what waits for them.
fn said(snapshot: &Snapshot) -> String {
    let processors = &snapshot.processors;
    let count = |does: Doing| processors.logical.iter().filter(|logical| logical.does == does).count();
    let kinds = [
        (Doing::Guest, "run a guest"),
        (Doing::Cp, "do CP's work"),
        (Doing::Spin, "spin for a lock of CP"),
        (Doing::Suspended, "have work but no physical processor"),
        (Doing::Idle, "have nothing to do"),
    ];
    let told: Vec<String> = kinds
        .iter()
        .map(|(does, words)| (count(*does), words))
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{count} {words}"))
        .collect();
    format!(
        "{}. Ready virtual CPUs: {}, of them {} in the dispatch list only, beyond the vectors.",
        told.join(", "),
        processors.ready,
        processors.beyond_vectors
    )
}

#[cfg(test)]
mod tests {
    use zvmlab::snapshot::GuestSnapshot;

    use super::*;

    #[test]
    fn each_processor_says_what_it_does_and_for_whom() {
        let logical = |does: Doing, guest: Option<u32>| LogicalSnapshot { does, guest, ..LogicalSnapshot::default() };
        let guests = vec![GuestSnapshot { name: "LINUX-0".into(), ..GuestSnapshot::default() }];
        let mut snapshot = Snapshot { guests, ..Snapshot::default() };
        snapshot.processors.logical = vec![logical(Doing::Cp, Some(0)), logical(Doing::Idle, None)];
        (snapshot.processors.ready, snapshot.processors.beyond_vectors) = (7, 2);
        assert_eq!(does(&snapshot.processors.logical[0], &snapshot), "CP for LINUX-0");
        assert_eq!(does(&logical(Doing::Guest, Some(9)), &snapshot), "a guest");
        let wanted = "1 do CP's work, 1 have nothing to do. Ready virtual CPUs: 7, of them 2 in the dispatch list only, beyond the vectors.";
        assert_eq!(said(&snapshot), wanted);
    }
}
