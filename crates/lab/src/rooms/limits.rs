//! What limits, as rows: a bar for each resource, with the room that shows it.

use zvmlab::limit::{Limits, Resource, ResourceKind};

use crate::room::Room;
use crate::words::limit::{busy, is_worth_a_line, label, waiting};

/// A row: one resource.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitRow {
    /// Which one.
    pub kind: ResourceKind,
    /// Its name.
    pub label: &'static str,
    /// How busy it was, 0 to 1: the length of its bar.
    pub part: f64,
    /// How busy it was in A, if A is another host.
    pub was: Option<f64>,
    /// How busy it was, in words.
    pub busy: String,
    /// Which part of the time was spent waiting for it, in words.
    pub waiting: Option<String>,
    /// Whether it limits.
    pub limits: bool,
    /// The room that shows it, if the page has that room now.
    pub room: Option<Room>,
}

/// The room that shows a resource.
pub fn room_of(kind: ResourceKind) -> Room {
    match kind {
        ResourceKind::Paths | ResourceKind::Aliases => Room::ControlUnit,
        ResourceKind::PageVolumes => Room::Paging,
        ResourceKind::MinidiskVolumes => Room::Minidisks,
        ResourceKind::Frames | ResourceKind::FramesBelow => Room::Storage,
        ResourceKind::Processors | ResourceKind::Vectors | ResourceKind::VirtualCpus => Room::Processors,
        ResourceKind::PhysicalProcessors | ResourceKind::Cap => Room::Prsm,
        ResourceKind::CpLock | ResourceKind::GuestLocks | ResourceKind::Ptil | ResourceKind::VaryLock => Room::Locks,
        ResourceKind::ClientCpus | ResourceKind::ServerCpus => Room::Overview,
        ResourceKind::Storbuf | ResourceKind::MaximumShares => Room::Scheduler,
        ResourceKind::Link | ResourceKind::Ctcs | ResourceKind::Buffers => Room::Isfc,
        ResourceKind::Source
        | ResourceKind::Destination
        | ResourceKind::Reads
        | ResourceKind::EndToEnd
        | ResourceKind::Endpoint
        | ResourceKind::Stages => Room::Relocation,
    }
}

/// The rows: what limits first, then the resource that is waited for longest. `a` is what limited A; `there` are the rooms that the page has now.
pub fn rows(limits: &Limits, a: Option<&Limits>, there: &[Room]) -> Vec<LimitRow> {
    let a = a.filter(|a| a.whose == limits.whose);
    let row = |resource: &Resource| LimitRow {
        kind: resource.kind,
        label: label(resource.kind),
        part: resource.busy,
        was: a.and_then(|a| a.get(resource.kind)).map(|was| was.busy),
        busy: busy(resource),
        waiting: waiting(resource),
        limits: limits.limit == Some(resource.kind),
        room: Some(room_of(resource.kind)).filter(|room| there.contains(room)),
    };
    let (limit, others): (Vec<&Resource>, Vec<&Resource>) =
        limits.resources.iter().partition(|resource| limits.limit == Some(resource.kind));
    limit.into_iter().chain(others).filter(|resource| is_worth_a_line(resource)).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::super::compared::tests::settled_evidence;
    use super::*;

    #[test]
    fn a_host_that_pages_has_rows_that_lead_to_its_rooms() {
        let evidence = settled_evidence();
        let settled = evidence.settled.as_deref().expect("a result");
        let rows = rows(&settled.limits, None, &[Room::Paging, Room::ControlUnit]);
        let of = |kind: ResourceKind| rows.iter().find(|row| row.kind == kind).expect("the host pages");
        assert_eq!(of(ResourceKind::PageVolumes).room, Some(Room::Paging));
        assert_eq!(of(ResourceKind::Paths).room, Some(Room::ControlUnit));
        assert_eq!(of(ResourceKind::Frames).room, None, "the page does not have it");
        assert!(rows.iter().all(|row| (0.0..=1.0).contains(&row.part) && row.busy.ends_with('%')), "{rows:?}");
        assert!(rows.iter().filter(|row| row.limits).count() <= 1);
    }

    #[test]
    fn what_limits_stands_first_also_where_something_else_takes_more_of_the_time() {
        let of = |kind, busy, waiting| Resource { kind, count: 1, busy, queue: 1.0, waiting };
        let resources = vec![
            of(ResourceKind::Link, 0.5, 0.5),
            of(ResourceKind::Endpoint, 1.0, 0.36),
            of(ResourceKind::Buffers, 0.6, 0.2),
        ];
        let limits = Limits { resources, limit: Some(ResourceKind::Endpoint), ..Limits::default() };
        let kinds: Vec<ResourceKind> = rows(&limits, None, &[]).iter().map(|row| row.kind).collect();
        assert_eq!(kinds, [ResourceKind::Endpoint, ResourceKind::Link, ResourceKind::Buffers]);
        assert_eq!(rows(&Limits { limit: None, ..limits }, None, &[])[0].kind, ResourceKind::Link);
    }
}
