//! The paths of the fields as the text form writes them, each under a name: a typo does not compile. Each stands beside its
//! table.

pub use super::cluster::paths::*;
pub use super::devices::paths::*;
pub use super::guests::paths::*;
pub use super::host::paths::*;
pub use super::processing::paths::*;
pub use super::program::paths::*;

/// The rooms of the text form: what the paths of its fields begin with.
pub mod room {
    /// `own`.
    pub const OWN: &str = "own";
    /// `lcu`.
    pub const LCU: &str = "lcu";
    /// `paging`.
    pub const PAGING: &str = "paging";
    /// `minidisks`.
    pub const MINIDISKS: &str = "minidisks";
    /// `storage`.
    pub const STORAGE: &str = "storage";
    /// `processors`.
    pub const PROCESSORS: &str = "processors";
    /// `prsm`.
    pub const PRSM: &str = "prsm";
    /// `scheduler`.
    pub const SCHEDULER: &str = "scheduler";
    /// `dispatcher`.
    pub const DISPATCHER: &str = "dispatcher";
    /// `guests`.
    pub const GUESTS: &str = "guests";
    /// `cluster`.
    pub const CLUSTER: &str = "cluster";
    /// `member2`.
    pub const MEMBER2: &str = "member2";
    /// `member3`.
    pub const MEMBER3: &str = "member3";
    /// `member4`.
    pub const MEMBER4: &str = "member4";
    /// `isfc`.
    pub const ISFC: &str = "isfc";
    /// `relocation`.
    pub const RELOCATION: &str = "relocation";
    /// `measure`.
    pub const MEASURE: &str = "measure";

    /// Whether the field at `path` is one of `room`.
    pub fn holds(room: &str, path: &str) -> bool {
        path.strip_prefix(room).is_some_and(|key| key.starts_with('.'))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::room::{PRSM, holds};
    use crate::scenario::fields::FIELDS;

    #[test]
    fn every_path_is_a_field_and_is_named_after_it() {
        let tables = [
            include_str!("cluster.rs"),
            include_str!("devices.rs"),
            include_str!("guests.rs"),
            include_str!("host.rs"),
            include_str!("processing.rs"),
            include_str!("program.rs"),
        ];
        let blocks = tables.map(|table| table.split_once("paths! {\n").expect("each table begins with its paths").1);
        let lines = blocks.iter().flat_map(|block| block.split_once("\n}").expect("the block ends").0.lines());
        let lines = lines.map(|line| line.trim().split_once(" = ").expect("a name and a path"));
        let named: BTreeSet<(String, String)> =
            lines.map(|(name, path)| (name.to_string(), path.trim_matches(['"', ';']).to_string())).collect();
        let fields = FIELDS.iter().map(|field| (field.path.to_uppercase().replace('.', "_"), field.path.to_string()));
        let fields: BTreeSet<_> = fields.collect();
        let without_field: Vec<_> = named.difference(&fields).collect();
        let without_name: Vec<_> = fields.difference(&named).collect();
        assert!(
            without_field.is_empty() && without_name.is_empty(),
            "here, but in no table of fields: {without_field:?}; in a table, but not here: {without_name:?}"
        );
    }

    #[test]
    fn every_room_with_fields_has_its_name() {
        let source = include_str!("path.rs").split("#[cfg(test)]").next().unwrap_or_default();
        let lines = source.lines().filter_map(|line| line.strip_prefix("    pub const ")?.split_once(": &str = "));
        let named: BTreeSet<(String, String)> =
            lines.map(|(name, room)| (name.to_string(), room.trim_matches(['"', ';']).to_string())).collect();
        let rooms = FIELDS.iter().map(|field| field.room()).filter(|room| !room.is_empty());
        assert_eq!(named, rooms.map(|room| (room.to_uppercase(), room.to_string())).collect());
        assert!(holds(PRSM, super::PRSM_WEIGHT) && !holds(PRSM, super::PAGING_KIND) && !holds("prs", super::PRSM_WEIGHT));
    }
}
