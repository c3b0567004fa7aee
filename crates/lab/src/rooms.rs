//! The rooms: what each shows of the model, as charts and words.

pub mod cluster;
pub mod compared;
pub mod control_unit;
pub mod curves;
pub mod guest_zhpf;
pub mod guests;
pub mod isfc;
pub mod limit_hard;
pub mod locks;
pub mod logical;
pub mod member;
pub mod minidisks;
pub mod overview;
pub mod paging;
pub mod processors;
pub mod prsm;
pub mod relocation;
pub mod response;
pub mod scheduler;
pub mod set_cu;
pub mod shares;
pub mod states;
pub mod storage;
pub mod studied;
pub mod sweep;
pub mod table_6;
pub mod what_if;

use zvmlab::Scenario;

/// Whether the room `id` matters to `scenario`. Those of storage and of processors matter to every host.
pub fn matters(id: &str, scenario: &Scenario) -> bool {
    match id {
        "prsm" => scenario.processors.shared || scenario.processors.capacity_percent < 100,
        "locks" => locks::matter(scenario),
        "what-if" => crate::batch::question::transits(scenario) || scenario.relocates() && !scenario.relocation.bounce,
        "evacuation" => crate::batch::plan::lacking(scenario).is_none(),
        "relocation" => scenario.relocates(),
        "isfc" | "cluster" => scenario.cluster.members > 1,
        _ => true,
    }
}
