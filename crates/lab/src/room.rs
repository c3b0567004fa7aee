//! The rooms of the laboratory and the other places of the page to which the reader can go. Each is listed here, once.

/// A room: a section of the page that shows one part of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Room {
    /// The host at a glance.
    Overview,
    /// Stages and passes of relocations.
    Relocation,
    /// What would change a relocation.
    WhatIf,
    /// The plan of an evacuation.
    Evacuation,
    /// The ISFC logical link.
    Isfc,
    /// The members side by side.
    Cluster,
    /// Aliases and channel paths.
    ControlUnit,
    /// The paging volumes.
    Paging,
    /// The minidisk volumes.
    Minidisks,
    /// Central storage.
    Storage,
    /// The scheduler's lists.
    Scheduler,
    /// The logical processors.
    Processors,
    /// The partitions.
    Prsm,
    /// Spin locks.
    Locks,
}

/// The texts of a room: its id in the address and in the page, its title, and whether it is about one host. In a cluster the
/// reader then chooses a member for it.
struct Plate {
    id: &'static str,
    title: &'static str,
    of_one_host: bool,
}

const fn of_cluster(id: &'static str, title: &'static str) -> Plate {
    Plate { id, title, of_one_host: false }
}

const fn of_host(id: &'static str, title: &'static str) -> Plate {
    Plate { id, title, of_one_host: true }
}

impl Room {
    /// Every room, in the order of the page.
    pub const ALL: [Room; 14] = [
        Room::Overview,
        Room::Relocation,
        Room::WhatIf,
        Room::Evacuation,
        Room::Isfc,
        Room::Cluster,
        Room::ControlUnit,
        Room::Paging,
        Room::Minidisks,
        Room::Storage,
        Room::Scheduler,
        Room::Processors,
        Room::Prsm,
        Room::Locks,
    ];

    const fn plate(self) -> Plate {
        match self {
            Room::Overview => of_cluster("overview", "Overview"),
            Room::Relocation => of_cluster("relocation", "Relocation"),
            Room::WhatIf => of_cluster("what-if", "What if: runs around this host"),
            Room::Evacuation => of_cluster("evacuation", "Evacuation: plan it"),
            Room::Isfc => of_cluster("isfc", "ISFC link"),
            Room::Cluster => of_cluster("cluster", "Cluster"),
            Room::ControlUnit => of_host("control-unit", "Control unit"),
            Room::Paging => of_host("paging", "Paging"),
            Room::Minidisks => of_host("minidisks", "Minidisks"),
            Room::Storage => of_host("storage", "Storage"),
            Room::Scheduler => of_host("scheduler", "Scheduler: who may run"),
            Room::Processors => of_host("processors", "Processors"),
            Room::Prsm => of_host("prsm", "PR/SM"),
            Room::Locks => of_host("locks", "Locks"),
        }
    }

    /// Its id in the page and in the address.
    pub const fn id(self) -> &'static str {
        self.plate().id
    }

    /// Its heading.
    pub const fn title(self) -> &'static str {
        self.plate().title
    }

    /// Its name in links: its title up to the colon.
    pub fn name(self) -> &'static str {
        self.title().split(':').next().unwrap_or(self.title())
    }

    /// Whether it is about one host. In a cluster the reader then chooses a member for it.
    pub const fn is_of_one_host(self) -> bool {
        self.plate().of_one_host
    }
}

/// A place of the page to which the reader can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// A room.
    Room(Room),
    /// The result.
    Result,
    /// All published runs against the model.
    Validation,
    /// The description of the model.
    Model,
    /// About the project.
    About,
    /// A section of the description of the model, by its id in the page.
    Section(&'static str),
}

impl Anchor {
    /// The id of its element.
    pub const fn id(self) -> &'static str {
        match self {
            Anchor::Room(room) => room.id(),
            Anchor::Result => "result-title",
            Anchor::Validation => "validation",
            Anchor::Model => "model",
            Anchor::About => "about",
            Anchor::Section(id) => id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_an_id_of_its_own() {
        let others = [Anchor::Result, Anchor::Validation, Anchor::Model, Anchor::About];
        let mut ids: Vec<&str> = Room::ALL.map(Anchor::Room).into_iter().chain(others).map(Anchor::id).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }

    #[test]
    fn links_call_a_room_by_its_short_name() {
        assert_eq!([Room::WhatIf.name(), Room::Prsm.name()], ["What if", "PR/SM"]);
    }
}
