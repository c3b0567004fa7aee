//! The logical processors at this instant: what each does, for whom, and how many virtual CPUs its vector holds.

use zvmlab::Snapshot;
use zvmlab::snapshot::{Doing, LogicalSnapshot};

/// What a processor does, and for whom.
pub fn does(logical: &LogicalSnapshot, snapshot: &Snapshot) -> String {
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

/// How many processors do what, and how many virtual CPUs wait for them.
pub fn said(snapshot: &Snapshot) -> String {
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
