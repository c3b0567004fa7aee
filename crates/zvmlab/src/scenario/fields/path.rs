//! The paths of the fields as the text form writes them, each under a name: a typo does not compile.

/// `name`.
pub const NAME: &str = "name";
/// `level`.
pub const LEVEL: &str = "level";

/// `lcu.channel`.
pub const LCU_CHANNEL: &str = "lcu.channel";
/// `lcu.paths`.
pub const LCU_PATHS: &str = "lcu.paths";
/// `lcu.aliases`.
pub const LCU_ALIASES: &str = "lcu.aliases";
/// `lcu.alias_share`.
pub const LCU_ALIAS_SHARE: &str = "lcu.alias_share";

/// `paging.alias`.
pub const PAGING_ALIAS: &str = "paging.alias";
/// `paging.zhpf`.
pub const PAGING_ZHPF: &str = "paging.zhpf";
/// `paging.volumes`.
pub const PAGING_VOLUMES: &str = "paging.volumes";
/// `paging.kind`.
pub const PAGING_KIND: &str = "paging.kind";
/// `paging.queue_depth`.
pub const PAGING_QUEUE_DEPTH: &str = "paging.queue_depth";
/// `paging.volume_slots`.
pub const PAGING_VOLUME_SLOTS: &str = "paging.volume_slots";
/// `paging.read_hit_percent`.
pub const PAGING_READ_HIT_PERCENT: &str = "paging.read_hit_percent";
/// `paging.write_hit_percent`.
pub const PAGING_WRITE_HIT_PERCENT: &str = "paging.write_hit_percent";
/// `paging.other_volumes`.
pub const PAGING_OTHER_VOLUMES: &str = "paging.other_volumes";
/// `paging.other_kind`.
pub const PAGING_OTHER_KIND: &str = "paging.other_kind";
/// `paging.other_slots`.
pub const PAGING_OTHER_SLOTS: &str = "paging.other_slots";

/// `minidisks.volumes`.
pub const MINIDISKS_VOLUMES: &str = "minidisks.volumes";
/// `minidisks.kind`.
pub const MINIDISKS_KIND: &str = "minidisks.kind";
/// `minidisks.queue_depth`.
pub const MINIDISKS_QUEUE_DEPTH: &str = "minidisks.queue_depth";
/// `minidisks.read_hit_percent`.
pub const MINIDISKS_READ_HIT_PERCENT: &str = "minidisks.read_hit_percent";
/// `minidisks.write_hit_percent`.
pub const MINIDISKS_WRITE_HIT_PERCENT: &str = "minidisks.write_hit_percent";
/// `minidisks.on_page_volumes`.
pub const MINIDISKS_ON_PAGE_VOLUMES: &str = "minidisks.on_page_volumes";
/// `minidisks.mdc_mb`.
pub const MINIDISKS_MDC_MB: &str = "minidisks.mdc_mb";

/// `storage.central_mb`.
pub const STORAGE_CENTRAL_MB: &str = "storage.central_mb";
/// `storage.early_writes`.
pub const STORAGE_EARLY_WRITES: &str = "storage.early_writes";

/// `processors.count`.
pub const PROCESSORS_COUNT: &str = "processors.count";
/// `processors.shared`.
pub const PROCESSORS_SHARED: &str = "processors.shared";
/// `processors.capacity_percent`.
pub const PROCESSORS_CAPACITY_PERCENT: &str = "processors.capacity_percent";

/// `prsm.physical`.
pub const PRSM_PHYSICAL: &str = "prsm.physical";
/// `prsm.weight`.
pub const PRSM_WEIGHT: &str = "prsm.weight";
/// `prsm.partitions`.
pub const PRSM_PARTITIONS: &str = "prsm.partitions";
/// `prsm.other_weight`.
pub const PRSM_OTHER_WEIGHT: &str = "prsm.other_weight";
/// `prsm.other_logical`.
pub const PRSM_OTHER_LOGICAL: &str = "prsm.other_logical";
/// `prsm.other_busy_percent`.
pub const PRSM_OTHER_BUSY_PERCENT: &str = "prsm.other_busy_percent";
/// `prsm.slice_ms`.
pub const PRSM_SLICE_MS: &str = "prsm.slice_ms";

/// `scheduler.storbuf_1`.
pub const SCHEDULER_STORBUF_1: &str = "scheduler.storbuf_1";
/// `scheduler.storbuf_2`.
pub const SCHEDULER_STORBUF_2: &str = "scheduler.storbuf_2";
/// `scheduler.storbuf_3`.
pub const SCHEDULER_STORBUF_3: &str = "scheduler.storbuf_3";
/// `scheduler.elapsed_slice_ms`.
pub const SCHEDULER_ELAPSED_SLICE_MS: &str = "scheduler.elapsed_slice_ms";
/// `scheduler.limithard`.
pub const SCHEDULER_LIMITHARD: &str = "scheduler.limithard";
/// `scheduler.excess_fault`.
pub const SCHEDULER_EXCESS_FAULT: &str = "scheduler.excess_fault";

/// `dispatcher.minor_slice_ms`.
pub const DISPATCHER_MINOR_SLICE_MS: &str = "dispatcher.minor_slice_ms";
/// `dispatcher.vector_entries`.
pub const DISPATCHER_VECTOR_ENTRIES: &str = "dispatcher.vector_entries";
/// `dispatcher.reshuffle_ms`.
pub const DISPATCHER_RESHUFFLE_MS: &str = "dispatcher.reshuffle_ms";
/// `dispatcher.pldv_fix`.
pub const DISPATCHER_PLDV_FIX: &str = "dispatcher.pldv_fix";
/// `dispatcher.spin_lock`.
pub const DISPATCHER_SPIN_LOCK: &str = "dispatcher.spin_lock";
/// `dispatcher.diag44_fast_path`.
pub const DISPATCHER_DIAG44_FAST_PATH: &str = "dispatcher.diag44_fast_path";
/// `dispatcher.vary_s`.
pub const DISPATCHER_VARY_S: &str = "dispatcher.vary_s";
/// `dispatcher.vary_fix`.
pub const DISPATCHER_VARY_FIX: &str = "dispatcher.vary_fix";

/// `guests.name`.
pub const GUESTS_NAME: &str = "guests.name";
/// `guests.workload`.
pub const GUESTS_WORKLOAD: &str = "guests.workload";
/// `guests.count`.
pub const GUESTS_COUNT: &str = "guests.count";
/// `guests.virtual_cpus`.
pub const GUESTS_VIRTUAL_CPUS: &str = "guests.virtual_cpus";
/// `guests.share_type`.
pub const GUESTS_SHARE_TYPE: &str = "guests.share_type";
/// `guests.share_relative`.
pub const GUESTS_SHARE_RELATIVE: &str = "guests.share_relative";
/// `guests.share_absolute`.
pub const GUESTS_SHARE_ABSOLUTE: &str = "guests.share_absolute";
/// `guests.limit_type`.
pub const GUESTS_LIMIT_TYPE: &str = "guests.limit_type";
/// `guests.limit_absolute`.
pub const GUESTS_LIMIT_ABSOLUTE: &str = "guests.limit_absolute";
/// `guests.quickdsp`.
pub const GUESTS_QUICKDSP: &str = "guests.quickdsp";
/// `guests.virtual_mb`.
pub const GUESTS_VIRTUAL_MB: &str = "guests.virtual_mb";
/// `guests.loop_mb`.
pub const GUESTS_LOOP_MB: &str = "guests.loop_mb";
/// `guests.reserved_mb`.
pub const GUESTS_RESERVED_MB: &str = "guests.reserved_mb";
/// `guests.pattern`.
pub const GUESTS_PATTERN: &str = "guests.pattern";
/// `guests.references`.
pub const GUESTS_REFERENCES: &str = "guests.references";
/// `guests.change_percent`.
pub const GUESTS_CHANGE_PERCENT: &str = "guests.change_percent";
/// `guests.cycle_pages`.
pub const GUESTS_CYCLE_PAGES: &str = "guests.cycle_pages";
/// `guests.cpu_us`.
pub const GUESTS_CPU_US: &str = "guests.cpu_us";
/// `guests.service_us`.
pub const GUESTS_SERVICE_US: &str = "guests.service_us";
/// `guests.lock_us`.
pub const GUESTS_LOCK_US: &str = "guests.lock_us";
/// `guests.io_records`.
pub const GUESTS_IO_RECORDS: &str = "guests.io_records";
/// `guests.io_read_percent`.
pub const GUESTS_IO_READ_PERCENT: &str = "guests.io_read_percent";
/// `guests.io_zhpf`.
pub const GUESTS_IO_ZHPF: &str = "guests.io_zhpf";
/// `guests.minidisk_mb`.
pub const GUESTS_MINIDISK_MB: &str = "guests.minidisk_mb";
/// `guests.think_ms`.
pub const GUESTS_THINK_MS: &str = "guests.think_ms";
/// `guests.pace_ms`.
pub const GUESTS_PACE_MS: &str = "guests.pace_ms";
/// `guests.active_mb`.
pub const GUESTS_ACTIVE_MB: &str = "guests.active_mb";
/// `guests.touch_mb_s`.
pub const GUESTS_TOUCH_MB_S: &str = "guests.touch_mb_s";
/// `guests.devices`.
pub const GUESTS_DEVICES: &str = "guests.devices";
/// `guests.member`.
pub const GUESTS_MEMBER: &str = "guests.member";
/// `guests.move_to`.
pub const GUESTS_MOVE_TO: &str = "guests.move_to";
/// `guests.tolerance_ms`.
pub const GUESTS_TOLERANCE_MS: &str = "guests.tolerance_ms";
/// `guests.transaction`.
pub const GUESTS_TRANSACTION: &str = "guests.transaction";

/// `cluster.members`.
pub const CLUSTER_MEMBERS: &str = "cluster.members";
/// `cluster.state_s`.
pub const CLUSTER_STATE_S: &str = "cluster.state_s";
/// `cluster.transition_s`.
pub const CLUSTER_TRANSITION_S: &str = "cluster.transition_s";

/// `member2.central_mb`.
pub const MEMBER2_CENTRAL_MB: &str = "member2.central_mb";
/// `member2.processors`.
pub const MEMBER2_PROCESSORS: &str = "member2.processors";
/// `member2.volumes`.
pub const MEMBER2_VOLUMES: &str = "member2.volumes";
/// `member2.transitions`.
pub const MEMBER2_TRANSITIONS: &str = "member2.transitions";

/// `member3.central_mb`.
pub const MEMBER3_CENTRAL_MB: &str = "member3.central_mb";
/// `member3.processors`.
pub const MEMBER3_PROCESSORS: &str = "member3.processors";
/// `member3.volumes`.
pub const MEMBER3_VOLUMES: &str = "member3.volumes";
/// `member3.transitions`.
pub const MEMBER3_TRANSITIONS: &str = "member3.transitions";

/// `member4.central_mb`.
pub const MEMBER4_CENTRAL_MB: &str = "member4.central_mb";
/// `member4.processors`.
pub const MEMBER4_PROCESSORS: &str = "member4.processors";
/// `member4.volumes`.
pub const MEMBER4_VOLUMES: &str = "member4.volumes";
/// `member4.transitions`.
pub const MEMBER4_TRANSITIONS: &str = "member4.transitions";

/// `isfc.chpid1`.
pub const ISFC_CHPID1: &str = "isfc.chpid1";
/// `isfc.chpid2`.
pub const ISFC_CHPID2: &str = "isfc.chpid2";
/// `isfc.chpid3`.
pub const ISFC_CHPID3: &str = "isfc.chpid3";
/// `isfc.chpid4`.
pub const ISFC_CHPID4: &str = "isfc.chpid4";
/// `isfc.ctcs1`.
pub const ISFC_CTCS1: &str = "isfc.ctcs1";
/// `isfc.ctcs2`.
pub const ISFC_CTCS2: &str = "isfc.ctcs2";
/// `isfc.ctcs3`.
pub const ISFC_CTCS3: &str = "isfc.ctcs3";
/// `isfc.ctcs4`.
pub const ISFC_CTCS4: &str = "isfc.ctcs4";
/// `isfc.buffers`.
pub const ISFC_BUFFERS: &str = "isfc.buffers";
/// `isfc.other_mb_s`.
pub const ISFC_OTHER_MB_S: &str = "isfc.other_mb_s";

/// `relocation.mode`.
pub const RELOCATION_MODE: &str = "relocation.mode";
/// `relocation.immediate`.
pub const RELOCATION_IMMEDIATE: &str = "relocation.immediate";
/// `relocation.maxquiesce`.
pub const RELOCATION_MAXQUIESCE: &str = "relocation.maxquiesce";
/// `relocation.maxquiesce_s`.
pub const RELOCATION_MAXQUIESCE_S: &str = "relocation.maxquiesce_s";
/// `relocation.maxtotal_s`.
pub const RELOCATION_MAXTOTAL_S: &str = "relocation.maxtotal_s";
/// `relocation.force_storage`.
pub const RELOCATION_FORCE_STORAGE: &str = "relocation.force_storage";
/// `relocation.order`.
pub const RELOCATION_ORDER: &str = "relocation.order";
/// `relocation.after_s`.
pub const RELOCATION_AFTER_S: &str = "relocation.after_s";
/// `relocation.bounce`.
pub const RELOCATION_BOUNCE: &str = "relocation.bounce";
/// `relocation.stay_s`.
pub const RELOCATION_STAY_S: &str = "relocation.stay_s";
/// `relocation.interruption`.
pub const RELOCATION_INTERRUPTION: &str = "relocation.interruption";
/// `relocation.interruption_ms`.
pub const RELOCATION_INTERRUPTION_MS: &str = "relocation.interruption_ms";
/// `relocation.window_s`.
pub const RELOCATION_WINDOW_S: &str = "relocation.window_s";
/// `relocation.passes_max`.
pub const RELOCATION_PASSES_MAX: &str = "relocation.passes_max";
/// `relocation.goal_ms`.
pub const RELOCATION_GOAL_MS: &str = "relocation.goal_ms";
/// `relocation.throttle_paging`.
pub const RELOCATION_THROTTLE_PAGING: &str = "relocation.throttle_paging";
/// `relocation.throttle_endpoint`.
pub const RELOCATION_THROTTLE_ENDPOINT: &str = "relocation.throttle_endpoint";

/// `measure.warmup_s`.
pub const MEASURE_WARMUP_S: &str = "measure.warmup_s";
/// `measure.interval_s`.
pub const MEASURE_INTERVAL_S: &str = "measure.interval_s";

/// The rooms of the text form: what the paths of its fields begin with.
pub mod room {
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
        let source = include_str!("path.rs").split("#[cfg(test)]").next().unwrap_or_default();
        let lines = source.lines().filter_map(|line| line.strip_prefix("pub const ")?.split_once(": &str = "));
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
