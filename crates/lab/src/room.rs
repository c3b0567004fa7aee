//! The rooms of the laboratory and the other places of the page to which the reader can go. Each is listed here, once.

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

/// Makes the rooms of their table.
macro_rules! rooms {
    ($($(#[$doc:meta])* $room:ident = $plate:expr;)*) => {
        /// A room: a section of the page that shows one part of the model.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Room {
            $($(#[$doc])* $room,)*
        }

        impl Room {
            /// Every room, in the order of the page.
            pub const ALL: [Room; [$(Room::$room),*].len()] = [$(Room::$room),*];

            const fn plate(self) -> Plate {
                match self {
                    $(Room::$room => $plate,)*
                }
            }
        }
    };
}

rooms! {
    /// The host at a glance.
    Overview = of_cluster("overview", "Overview");
    /// Stages and passes of relocations.
    Relocation = of_cluster("relocation", "Relocation");
    /// What would change a relocation.
    WhatIf = of_cluster("what-if", "What if: runs around this host");
    /// The plan of an evacuation.
    Evacuation = of_cluster("evacuation", "Evacuation: plan it");
    /// The ISFC logical link.
    Isfc = of_cluster("isfc", "ISFC link");
    /// The members side by side.
    Cluster = of_cluster("cluster", "Cluster");
    /// Aliases and channel paths.
    ControlUnit = of_host("control-unit", "Control unit");
    /// The paging volumes.
    Paging = of_host("paging", "Paging");
    /// The minidisk volumes.
    Minidisks = of_host("minidisks", "Minidisks");
    /// Central storage.
    Storage = of_host("storage", "Storage");
    /// The scheduler's lists.
    Scheduler = of_host("scheduler", "Scheduler: who may run");
    /// The logical processors.
    Processors = of_host("processors", "Processors");
    /// The partitions.
    Prsm = of_host("prsm", "PR/SM");
    /// Spin locks.
    Locks = of_host("locks", "Locks");
}

impl Room {
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
