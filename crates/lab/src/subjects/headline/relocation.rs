//! The figures that head the result of a host whose guests are relocated. Knows no browser.

use zvmlab::Figure;
use zvmlab::scenario::Scenario;

use super::{Lead, lead};
use crate::subjects::{CONSTRAINED, LINK, Subject, TWENTY_FIVE, moving};

const QUIESCE: Lead = lead(Figure::QuiesceTime, "s stopped (quiesce time)", "s stopped");
const IN_ALL: Lead = lead(Figure::RelocationTime, "s from VMRELOCATE to the start there (relocation time)", "s in all");

/// One guest that moves.
const ONE: &[Lead] = &[
    QUIESCE,
    IN_ALL,
    lead(Figure::MemoryPasses, "passes through its storage", "passes"),
    lead(Figure::MemoryMoved, "GB sent in all passes", "GB sent"),
];

/// What is left of it where the relocation was given up.
pub const GIVEN_UP: &[Lead] = &[
    lead(Figure::QuiesceTimeWorst, "s stopped before it was given up", "s stopped"),
    lead(Figure::RelocationTotal, "s from VMRELOCATE to its end", "s in all"),
];

/// The same where the link is the matter.
const OVER_LINK: &[Lead] = &[
    QUIESCE,
    IN_ALL,
    lead(Figure::LinkRate, "MB/s over the link while relocating", "MB/s"),
    lead(Figure::LinkBusy, "% of the time that a chpid was busy", "% busy"),
];

/// The same where storage is short.
const HELD_BACK: &[Lead] = &[
    IN_ALL,
    lead(Figure::ThrottledPaging, "s held back by paging (end to end)", "s paging"),
    lead(Figure::ThrottledMemory, "s held back by memory (endpoint)", "s memory"),
    lead(Figure::ThrottledLink, "s held back by ISFC buffers (link)", "s link"),
];

/// Guests that move, one after the other or all at once.
const MANY: &[Lead] = &[
    lead(Figure::RelocationTotal, "s from the first VMRELOCATE to the last end", "s for all"),
    lead(Figure::RelocationTime, "s for each of them, mean", "s each"),
    lead(Figure::QuiesceTime, "s stopped, mean", "s stopped"),
    lead(Figure::QuiesceTimeWorst, "s stopped, the longest", "s at most"),
];

/// Guests that go back and forth beside work that stays, which the sentence above tells of: the ETR of a member has both.
const BESIDE_WORK: &[Lead] = &[
    lead(Figure::RelocationsCompleted, "relocations", "moves"),
    lead(Figure::QuiesceTime, "s stopped for each of them, mean", "s stopped"),
    lead(Figure::RelocationTime, "s for each of them, mean", "s each"),
    lead(Figure::ClusterEtr, "transactions a second of all guests, at all members (ETR)", "ETR"),
];

/// Members that come and go.
const COMING_AND_GOING: &[Lead] = &[
    lead(Figure::Etr, "transactions a second at MEMBER1 (ETR)", "ETR"),
    lead(Figure::ResponseTime, "ms response time at MEMBER1", "ms response"),
    lead(Figure::Utilization, "% of the processors of MEMBER1 busy", "% busy"),
];

/// The figures that head the result.
pub fn leads(scenario: &Scenario, subject: &Subject) -> Vec<Lead> {
    let leads = match moving(scenario) {
        0 => COMING_AND_GOING,
        _ if scenario.relocation.bounce => BESIDE_WORK,
        1 if subject == CONSTRAINED => HELD_BACK,
        1 if subject == LINK => OVER_LINK,
        1 if subject != TWENTY_FIVE => ONE,
        _ => MANY,
    };
    leads.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::ready::scenario_of;

    #[test]
    fn each_subject_is_headed_by_what_it_is_about() {
        let first = |id: &str| {
            let scenario = scenario_of(id).expect("a ready experiment");
            leads(&scenario, Subject::of(&scenario, Some(id)))[0].figure
        };
        assert_eq!(first("MOVE"), Figure::QuiesceTime);
        assert_eq!(first("CONSTRAINED"), Figure::RelocationTime);
        assert_eq!(first("TWENTY-FIVE"), Figure::RelocationTotal);
        assert_eq!(first("EVACUATION"), Figure::RelocationTotal);
        assert_eq!((first("BOUNCE"), first("CLUSTER")), (Figure::RelocationsCompleted, Figure::Etr));
    }
}
