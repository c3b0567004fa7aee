//! What pages are called that demand scan has taken and that are still in their frames. From z/VM 6.3 on they are on the age list.
//! Levels before have none: there such pages only wait to be written.

use zvmlab::snapshot::StorageSnapshot;

/// Before 6.3.
const TAKEN: &str = "taken by demand scan";

/// Whether the level has an age list. One that makes passes has none.
fn has_age_list(storage: &StorageSnapshot) -> bool {
    storage.passes.is_none()
}

/// A short name of such pages.
pub fn name(storage: &StorageSnapshot) -> &'static str {
    if has_age_list(storage) { "age list" } else { "taken" }
}

/// What such pages are.
pub fn on_it(storage: &StorageSnapshot) -> &'static str {
    if has_age_list(storage) { "on the age list" } else { TAKEN }
}

/// The same for somebody who may not know it.
pub fn on_it_explained(storage: &StorageSnapshot) -> &'static str {
    if has_age_list(storage) {
        "on the age list, invalid but resident"
    } else {
        "taken by demand scan, still in their frames"
    }
}

/// What demand scan does with a page.
pub fn put_on_it(storage: &StorageSnapshot) -> &'static str {
    if has_age_list(storage) { "put on the age list" } else { TAKEN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_before_6_3_have_no_age_list() {
        let of = |passes| StorageSnapshot { passes, ..StorageSnapshot::default() };
        let (old, new) = (of(Some(zvmlab::snapshot::PassesSnapshot { taken: [0; 3] })), of(None));
        for word in [name, on_it, on_it_explained, put_on_it] {
            assert!(word(&new).contains("age list") && !word(&old).contains("age list"));
        }
    }
}
