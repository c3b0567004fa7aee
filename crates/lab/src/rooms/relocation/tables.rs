//! The tables of relocations: all of them, the passes of one, what held it back, and how one can end.

use zvmlab::snapshot::RelocationSnapshot;

use super::words::passes;
use crate::words::relocations::member_at as member;

/// `MEMBER1 → MEMBER2`: stands beside the name in the choice.
pub fn way(relocation: &RelocationSnapshot) -> String {
    format!("{} → {}", member(relocation.from), member(relocation.to))
}

/// `MEMBER1 → MEMBER2, 8 passes`: stands beside the name in the heading.
pub fn brief(relocation: &RelocationSnapshot) -> String {
    let way = way(relocation);
    match relocation.passes.len() {
        0 => way,
        count => format!("{way}, {}", passes(count)),
    }
}
