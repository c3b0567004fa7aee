//! The kinds of figures that a measurement yields: their names, labels and units.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::better::Better;

/// Makes the figures of a table: the comment of each, its name in the code, its id, its label, its unit, and whether more of it is better.
macro_rules! figures {
    ($($(#[$comment:meta])+ $name:ident: $id:literal, $label:literal, $unit:literal, $better:ident;)+) => {
        /// One kind of figure that a measurement yields.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, BorshSerialize, BorshDeserialize)]
        pub enum Figure {
            $(
                $(#[$comment])+
                #[serde(rename = $id)]
                $name,
            )+
        }

        impl Figure {
            /// Id, label, unit, and whether more of it is better.
            pub(super) fn texts(self) -> (&'static str, &'static str, &'static str, Better) {
                match self {
                    $(Figure::$name => ($id, $label, $unit, Better::$better),)+
                }
            }
        }
    };
}

figures! {
    /// External throughput rate: transactions a second of the guests that do no I/O.
    Etr: "etr", "ETR", "tx/s", More;
    /// The same of the guests that do I/O to minidisks.
    MdiskEtr: "mdisk_etr", "MDISK ETR", "tx/s", More;
    /// Aliases that minidisk I/O holds, mean over time.
    MdiskAliases: "mdisk_aliases", "MDISK average aliases in use", "aliases", Neither;
    /// Aliases that paging I/O holds, mean over time.
    PagingAliases: "paging_aliases", "Paging average aliases in use", "aliases", Neither;
    /// Minidisk I/Os of one volume a second, mean over the volumes.
    MdiskVolumeRate: "mdisk_volume_rate", "Minidisk I/Os per volume", "I/Os/s", More;
    /// Service time of a minidisk I/O: pending, disconnect and connect.
    MdiskServiceTime: "mdisk_service_time", "Minidisk service time", "ms", Less;
    /// Pending time of a minidisk I/O.
    MdiskPendingTime: "mdisk_pending_time", "Minidisk pending time", "ms", Less;
    /// Disconnect time of a minidisk I/O.
    MdiskDisconnectTime: "mdisk_disconnect_time", "Minidisk disconnect time", "ms", Less;
    /// Connect time of a minidisk I/O.
    MdiskConnectTime: "mdisk_connect_time", "Minidisk connect time", "ms", Less;
    /// Time that a minidisk I/O waits for an exposure.
    MdiskWaitTime: "mdisk_wait_time", "Minidisk I/O: wait for an exposure", "ms", Less;
    /// Percent busy of one minidisk volume, base and aliases, mean over the volumes.
    MdiskVolumeBusy: "mdisk_volume_busy", "Minidisk volume percent busy", "%", Neither;
    /// Minidisk I/Os that wait for an exposure, on all volumes.
    MdiskQueue: "mdisk_queue", "Minidisk I/Os waiting", "I/Os", Less;
    /// CP time for each minidisk I/O that guests ask for.
    MdiskCpTime: "mdisk_cp_time", "CP CPU per minidisk I/O", "µs", Less;
    /// Minidisk reads that the minidisk cache serves, in percent of the reads that ask it.
    MdcHitPercent: "mdc_hits", "Reads that hit the minidisk cache", "%", Neither;
    /// Central storage of the minidisk cache at the end of the interval, where CP's arbiter sets its size.
    MdcSize: "mdc_size", "Central storage that the minidisk cache has", "MB", Neither;
    /// Tracks that FlashCopy makes CP look for in the minidisk cache, a second.
    MdcInvalidations: "mdc_invalidations", "MDC tracks invalidated for FlashCopy", "tracks/s", Less;
    /// CP time for them, in percent of one processor.
    MdcInvalidationBusy: "mdc_invalidation_busy", "CP busy invalidating MDC tracks", "% of a processor", Less;
    /// Connections whose users think.
    ConnectionsThinking: "connections_thinking", "Connections whose users think", "", Neither;
    /// Connections that wait for a virtual CPU of their client.
    ConnectionsClientWait: "connections_client_wait", "Connections that wait for a client's virtual CPU", "", Less;
    /// Connections that a virtual CPU of their client is at work on.
    ConnectionsClient: "connections_client", "Connections at work in a client", "", Neither;
    /// Connections that wait for a virtual CPU of their server.
    ConnectionsServerWait: "connections_server_wait", "Connections that wait for a server's virtual CPU", "", Less;
    /// Connections that a virtual CPU of their server is at work on.
    ConnectionsServer: "connections_server", "Connections at work in a server", "", Neither;
    /// Minidisk I/Os that hit the control unit's cache.
    MdiskCacheHitPercent: "mdisk_cache_hits", "Minidisk I/Os that hit the control unit's cache", "%", Neither;
    /// Paging I/Os that wait for an exposure, on all volumes.
    PagingQueue: "paging_queue", "Paging I/Os waiting", "I/Os", Less;
    /// Time that a paging I/O takes from its request to its end.
    PagingResponse: "paging_response", "Paging response time", "ms", Less;
    /// Paging I/Os that hit the control unit's cache.
    PagingCacheHitPercent: "paging_cache_hits", "Paging I/Os that hit the control unit's cache", "%", Neither;
    /// Share of time in which a path transfers data: the mean of the FICON paths or of the FCP paths, whichever is larger.
    PathBusy: "path_busy", "Channel path busy", "%", Neither;
    /// Pages read and written a second.
    PagesPerSecond: "pages_per_second", "Pages read and written", "pages/s", Neither;
    /// Pages read from DASD a second.
    PagesRead: "pages_read", "Pages read from DASD", "pages/s", Neither;
    /// Pages written to DASD a second.
    PagesWritten: "pages_written", "Pages written to DASD", "pages/s", Neither;
    /// Pages read for each transaction.
    PagesPerTransaction: "pages_per_transaction", "Pages read for each transaction", "pages/tx", Neither;
    /// Paging SSCH instructions a second.
    Ssch: "ssch", "Paging SSCH instructions", "SSCH/s", Neither;
    /// Pages carried by one SSCH.
    PagesPerSsch: "pages_per_ssch", "Pages per SSCH", "pages", Neither;
    /// Pages in one block read.
    ReadBlocking: "read_blocking", "Page read blocking", "pages", Neither;
    /// Pages in one block written.
    WriteBlocking: "write_blocking", "Page write blocking", "pages", Neither;
    /// Slots side by side that one channel program writes.
    ContiguousSlots: "contiguous_slots", "Contiguous slots written", "slots", Neither;
    /// Page slots in use.
    SlotUtilization: "slot_utilization", "Page slot utilization", "%", Neither;
    /// Pending time of an I/O.
    PendingTime: "pending_time", "DASD pending time", "ms", Less;
    /// Disconnect time of an I/O.
    DisconnectTime: "disconnect_time", "DASD disconnect time", "ms", Less;
    /// Connect time of an I/O.
    ConnectTime: "connect_time", "DASD connect time", "ms", Less;
    /// Service time of an I/O: pending, disconnect and connect.
    ServiceTime: "service_time", "DASD service time", "ms", Less;
    /// I/Os in progress on all volumes.
    IosInProgress: "ios_in_progress", "I/Os in progress", "I/Os", Neither;
    /// I/O rate of one volume, mean over the volumes (T_IOR).
    VolumeIoRate: "volume_io_rate", "Volume I/O rate (T_IOR)", "I/Os/s", Neither;
    /// Percent busy of one volume, base and aliases, mean over the volumes (T_PBSY).
    VolumeBusy: "volume_busy", "Volume percent busy (T_PBSY)", "%", Neither;
    /// I/Os queued at one volume, mean over the volumes (B_QD).
    QueueDepth: "queue_depth", "Queue at a volume (B_QD)", "I/Os", Less;
    /// Processor time of all kinds, in percent of one processor.
    TotalBusy: "total_busy", "Total busy", "% of a processor", Neither;
    /// Guests' own processor time, in percent of one processor.
    GuestBusy: "guest_busy", "Guest busy", "% of a processor", Neither;
    /// CP time charged to guests, in percent of one processor.
    ChargeableCpBusy: "chargeable_cp_busy", "Chargeable CP busy", "% of a processor", Neither;
    /// CP time charged to no guest, in percent of one processor.
    NonchargeableCpBusy: "nonchargeable_cp_busy", "Nonchargeable CP busy", "% of a processor", Neither;
    /// Chargeable CP busy for each transaction, scaled by 1000 as the tables print it.
    ChargeableCpPerTransaction: "chargeable_cp_per_tx", "Chargeable CP busy, /tx", "% per 0.001 tx/s", Neither;
    /// Nonchargeable CP busy for each transaction, scaled by 1000 as the tables print it.
    NonchargeableCpPerTransaction: "nonchargeable_cp_per_tx", "Nonchargeable CP busy, /tx", "% per 0.001 tx/s", Neither;
    /// CP time, of both kinds, for each page read or written.
    CpTimePerPage: "cp_time_per_page", "CP CPU per page", "µs", Less;
    /// Pages touched that need no read from DASD: 1 minus the pages read for each page touched.
    HitPercent: "hit_percent", "Pages touched that were not read", "%", Neither;
    /// Storage defined for the guests, as a multiple of central storage, at the end of the interval.
    VirtualToReal: "virtual_to_real", "Virtual to real storage (defined to central)", "times", Neither;
    /// Storage that guests have touched, as a multiple of what of it is resident, at the end of the interval.
    TouchedToResident: "touched_to_resident", "Touched to resident storage", "times", Neither;
    /// Pages of guests in frames above 2 GB, at the end of the interval.
    ResidentAbove: "resident_above", "Resident pages above 2 GB", "pages", Neither;
    /// The same below 2 GB.
    ResidentBelow: "resident_below", "Resident pages below 2 GB", "pages", Neither;
    /// Pages that CP moves below 2 GB for I/O or for a service, a second.
    MovedBelow: "moved_below", "Pages moved below 2 GB", "pages/s", Less;
    /// Frames that a search below 2 GB looks at for each that it finds, mean over the interval.
    SearchLength: "search_length", "Frames looked at for each found below 2 GB", "frames", Less;
    /// CP time for such searches, in percent of one processor.
    SearchBusy: "search_busy", "CP busy with searches below 2 GB", "% of a processor", Less;
    /// Frames that demand scan looks at for each page that it takes, mean over the interval. Searches below 2 GB do not count.
    ScanLength: "scan_length", "Frames looked at for each page that demand scan takes", "frames", Less;
    /// CP time for that, in percent of one processor.
    ScanBusy: "scan_busy", "CP busy with demand scan", "% of a processor", Less;
    /// Pages that the first pass of demand scan takes, from guests outside the dispatch list, a second.
    ScanPass1: "scan_pass_1", "Pages taken in pass 1 of demand scan", "pages/s", Neither;
    /// Pages that the second pass takes, beyond guests' working sets, a second.
    ScanPass2: "scan_pass_2", "Pages taken in pass 2 of demand scan", "pages/s", Neither;
    /// Pages that the third pass takes, from all guests, a second.
    ScanPass3: "scan_pass_3", "Pages taken in pass 3 of demand scan", "pages/s", Less;
    /// Pages that CP moves to expanded storage and from there to frames, a second.
    ExpandedRate: "expanded_rate", "Pages to and from expanded storage", "pages/s", Neither;
    /// The same for each transaction.
    ExpandedPerTransaction: "expanded_per_transaction", "Pages to and from expanded storage for each transaction", "pages/tx", Neither;
    /// Pages brought back that came from expanded storage, of all that came from there or from DASD, in percent.
    ExpandedHits: "expanded_hits", "Pages brought back from expanded storage, without I/O", "%", Neither;
    /// Pages that migrate from expanded storage to page space, a second.
    MigrationRate: "migration_rate", "Pages migrated from expanded storage to page space", "pages/s", Less;
    /// Expanded storage in use at the end of the interval, in percent.
    ExpandedUsed: "expanded_used", "Expanded storage in use", "%", Neither;
    /// Time that a guest waits for pages, in percent of elapsed time, mean over the guests.
    PageWait: "page_wait", "Guests' time in page wait", "%", Less;
    /// Guests' time waiting for a frame.
    FrameWait: "frame_wait", "Guests' time in frame wait", "%", Less;
    /// Guests' time waiting for storage: page wait and frame wait.
    StorageWait: "storage_wait", "Guests' time waiting for storage (page wait and frame wait)", "%", Less;
    /// Share of time in which virtual CPUs want to run but stand still for a reorder, mean over all.
    ConsoleWait: "console_wait", "Guests' time in console function wait (%CFW)", "%", Less;
    /// How long a guest stands still for a reorder, mean over the reorders that ended in the interval.
    ReorderTime: "reorder_time", "How long a guest stands still for a reorder", "s", Less;
    /// Reorders that end, in a minute.
    Reorders: "reorders", "Reorders", "1/min", Less;
    /// CP's time for the reorders that ended in the interval.
    ReorderBusy: "reorder_busy", "CP busy reordering", "% of a processor", Less;
    /// Pages that guests release.
    ReleaseRate: "release_rate", "Pages released", "pages/s", Neither;
    /// Share of time in which virtual CPUs wait for their guest's page table invalidation lock, mean over those of guests that release pages.
    PtilWait: "ptil_wait", "Time waiting for the page table lock (PTIL)", "%", Less;
    /// How long the PTIL of the guest for which that is longest is held exclusively.
    PtilHeld: "ptil_held", "Busiest PTIL held exclusively", "%", Less;
    /// Requests of CP for contiguous frames that find none.
    ContiguousFailed: "contiguous_failed", "Requests for contiguous frames that fail", "%", Less;
    /// Blocks of contiguous frames that CP has at the end.
    ContiguousBlocks: "contiguous_blocks", "Free blocks of contiguous frames", "blocks", More;
    /// The longest run of free frames at the end.
    LongestRun: "longest_run", "Longest run of free frames", "frames", More;
    /// CP time for frames that it looks at to find contiguous ones.
    CoalesceBusy: "coalesce_busy", "CP busy looking for contiguous frames", "% of a processor", Less;
    /// Internal throughput rate: transactions a second if the processors were busy all the time.
    Itr: "itr", "ITR (internal throughput rate: at 100 % busy)", "tx/s", More;
    /// Guests' own processor time for each transaction.
    GuestTimePerTransaction: "guest_time_per_tx", "Emul µsec/Tx (guest CPU per transaction)", "µs", Neither;
    /// CP time, of both kinds, for each transaction.
    CpTimePerTransaction: "cp_time_per_tx", "CP µsec/Tx (CP CPU per transaction)", "µs", Less;
    /// Processor time of all kinds for each transaction.
    TotalTimePerTransaction: "total_time_per_tx", "Total µsec/Tx (CPU per transaction)", "µs", Less;
    /// Processor time of all kinds, in percent of all processors of the partition.
    Utilization: "utilization", "CPU utilization", "%", Neither;
    /// Time of a cycle of a guest's program, without the pause before it, mean over all cycles.
    ResponseTime: "response_time", "Response time", "ms", Less;
    /// Share of time in which virtual CPUs run, mean over all.
    Running: "running", "Guests' time running", "%", Neither;
    /// Share of time in which virtual CPUs wait for a processor, mean over all.
    ReadyWait: "ready_wait", "Guests' time ready, waiting for a processor", "%", Less;
    /// Guests' time ready, or on a processor that others have for the moment.
    Steal: "steal", "Steal: guests' time ready or interrupted", "%", Less;
    /// Share of time in which virtual CPUs wait for a CP service that they asked for, mean over all.
    SimulationWait: "simulation_wait", "Guests' time in simulation wait", "%", Less;
    /// Share of time in which virtual CPUs want to run but their guest is in the eligible list, mean over all.
    EligibleWait: "eligible_wait", "Guests' time in the eligible list", "%", Less;
    /// Share of time in which virtual CPUs want to run but their guest is in the limit list, mean over all.
    LimitWait: "limit_wait", "Guests' time in the limit list", "%", Neither;
    /// Share of time in which virtual CPUs are idle, mean over all.
    IdleTime: "idle_time", "Guests' time idle", "%", Neither;
    /// Guests in the eligible list, mean over time.
    EligibleGuests: "eligible_guests", "Guests in the eligible list", "", Neither;
    /// Time that a guest spends in the eligible list before it enters the dispatch list, mean over the guests that had to wait.
    EligibleStay: "eligible_stay", "Time in the eligible list, of guests that wait", "s", Neither;
    /// Guests in the dispatch list, mean over time.
    DispatchGuests: "dispatch_guests", "Guests in the dispatch list", "", Neither;
    /// Working sets that the guests in Q1, Q2 and Q3 claim, in percent of pageable storage, mean over time.
    ClaimedStorage: "claimed_storage", "Working sets in the dispatch list", "% of pageable storage", Neither;
    /// Ready virtual CPUs that wait although a processor has nothing to do, mean over time.
    ForgottenWork: "forgotten_work", "Ready virtual CPUs while a processor is idle", "", Less;
    /// Diag X'44' of guests that take the whole path through CP, a second.
    Diag44Normal: "diag44_normal", "DIAG 44/sec - Normal", "a second", Neither;
    /// Diag X'44' of guests that return by the fast path, a second.
    Diag44Fast: "diag44_fast", "DIAG 44/sec - Fast Path", "a second", Neither;
    /// Diag X'44' of guests, a second.
    Diag44Total: "diag44_total", "DIAG 44/sec - Total", "a second", Neither;
    /// Guests' Diag X'9C' that ran the holder of a lock.
    GuestDiag9c: "guest_diag9c", "DIAG 9C/sec of guests, to a holder that waits", "a second", Neither;
    /// Processor time that guests spend spinning for their lock, in percent of one processor.
    GuestSpin: "guest_spin", "Guests' time spinning for their lock", "% of a processor", Neither;
    /// Processor time that CP spends spinning for its locks, in percent of one processor.
    CpSpin: "cp_spin", "CP time spinning for a lock", "% of a processor", Less;
    /// Diag X'44' that CP issues to PR/SM, a second.
    CpDiag44: "cp_diag44", "Diag X'44' to PR/SM", "a second", Neither;
    /// Diag X'9C' that CP issues to PR/SM, a second.
    CpDiag9c: "cp_diag9c", "Diag X'9C' to PR/SM", "a second", Neither;
    /// PR/SM's time for this partition's logical processors, in percent of one processor.
    PrsmOverhead: "prsm_overhead", "PR/SM overhead of this partition (%Ovhd)", "% of a processor", Less;
    /// PR/SM's time for the logical processors of all partitions, in percent of one processor.
    PrsmOverheadAll: "prsm_overhead_all", "PR/SM overhead of all partitions", "% of a processor", Less;
    /// Logical processors of this partition that have work but no physical processor, mean over time.
    Suspended: "suspended", "Logical processors with work but no physical one", "", Less;
    /// Logical processors of this partition that want to run but are held by its cap, mean over time.
    Capped: "capped", "Logical processors held by the cap", "", Less;
    /// Processor time of the first group's guests together, in percent of all processors of the partition: their own time and the CP time
    /// charged to them.
    Group1Cpu: "group_1_cpu", "CPU of the first group's guests", "% of the partition", Neither;
    /// The same of the second group.
    Group2Cpu: "group_2_cpu", "CPU of the second group's guests", "% of the partition", Neither;
    /// The same of the third group.
    Group3Cpu: "group_3_cpu", "CPU of the third group's guests", "% of the partition", Neither;
    /// The same of the fourth group.
    Group4Cpu: "group_4_cpu", "CPU of the fourth group's guests", "% of the partition", Neither;
    /// Time for which a guest was stopped, mean over the relocations that completed.
    QuiesceTime: "quiesce_time", "Quiesce time", "s", Less;
    /// The longest time for which a guest was stopped, in relocations that completed or were given up.
    QuiesceTimeWorst: "quiesce_time_worst", "Quiesce time, longest", "s", Less;
    /// Time from VMRELOCATE to the guest's start at the destination, mean over the relocations that completed.
    RelocationTime: "relocation_time", "Relocation time", "s", Less;
    /// Time from the first VMRELOCATE to the end of the last relocation.
    RelocationTotal: "relocation_total", "Relocation time of all guests", "s", Less;
    /// Relocations that completed.
    RelocationsCompleted: "relocations_completed", "Relocations completed", "", Neither;
    /// Relocations that ended without completing.
    RelocationsEnded: "relocations_not_completed", "Relocations that did not complete", "", Less;
    /// Passes of a memory move, mean over the relocations that completed.
    MemoryPasses: "memory_passes", "Memory move passes", "", Neither;
    /// Storage that all passes of a relocation moved, mean over the relocations that completed.
    MemoryMoved: "memory_moved", "Total memory moved", "GB", Neither;
    /// Storage that the first pass moved, mean over the relocations that ended their first pass.
    FirstPass: "first_pass", "Memory moved in the first pass", "MiB", Neither;
    /// How busy the chpids of the busiest logical link were while relocations were under way.
    LinkBusy: "link_busy", "ISFC chpid busy while relocating", "%", Neither;
    /// Rate at which the busiest logical link carried data while relocations were under way.
    LinkRate: "link_rate", "ISFC rate while relocating", "MB/s", Neither;
    /// Time for which paging at either end held relocations back, summed over all relocations.
    ThrottledPaging: "throttled_paging", "Held back by paging (end to end)", "s", Less;
    /// The same, for lack of storage at the destination.
    ThrottledMemory: "throttled_memory", "Held back by memory (endpoint)", "s", Less;
    /// The same, for lack of ISFC buffers of the link.
    ThrottledLink: "throttled_link", "Held back by ISFC buffers (link)", "s", Less;
    /// Share of time in which virtual CPUs want to run but their guest is stopped, mean over all.
    StoppedTime: "stopped_time", "Guests' time stopped", "%", Less;
    /// External throughput rate of all guests at all members.
    ClusterEtr: "cluster_etr", "ETR of all members", "tx/s", More;
    /// The same, at all members except the first.
    OtherMembersEtr: "other_members_etr", "ETR of the other members", "tx/s", More;
}

/// Every figure, in the order of the published tables.
#[rustfmt::skip] // Several in a line.
pub static FIGURES: &[Figure] = &[
    Figure::Etr, Figure::TotalBusy, Figure::GuestBusy, Figure::ChargeableCpBusy, Figure::NonchargeableCpBusy,
    Figure::ChargeableCpPerTransaction, Figure::NonchargeableCpPerTransaction, Figure::CpTimePerPage,
    Figure::PagesPerSecond, Figure::PagesWritten, Figure::PagesRead, Figure::PagesPerTransaction, Figure::HitPercent,
    Figure::Ssch, Figure::PagesPerSsch, Figure::ReadBlocking, Figure::WriteBlocking, Figure::ContiguousSlots, Figure::SlotUtilization,
    Figure::ConnectTime, Figure::DisconnectTime, Figure::PendingTime, Figure::ServiceTime, Figure::IosInProgress,
    Figure::VolumeIoRate, Figure::VolumeBusy, Figure::QueueDepth, Figure::VirtualToReal, Figure::TouchedToResident,
    Figure::ResidentAbove, Figure::ResidentBelow, Figure::MovedBelow, Figure::SearchLength, Figure::SearchBusy,
    Figure::ScanLength, Figure::ScanBusy, Figure::ScanPass1, Figure::ScanPass2, Figure::ScanPass3,
    Figure::ExpandedRate, Figure::ExpandedPerTransaction, Figure::ExpandedHits, Figure::MigrationRate, Figure::ExpandedUsed,
    Figure::StorageWait, Figure::ConsoleWait, Figure::ReorderTime, Figure::Reorders, Figure::ReorderBusy,
    Figure::ReleaseRate, Figure::PtilWait, Figure::PtilHeld,
    Figure::ContiguousFailed, Figure::ContiguousBlocks, Figure::LongestRun, Figure::CoalesceBusy, Figure::PageWait, Figure::FrameWait,
    Figure::PagingAliases, Figure::PagingQueue, Figure::PagingResponse, Figure::PagingCacheHitPercent, Figure::PathBusy,
    Figure::MdiskEtr, Figure::MdiskAliases, Figure::MdiskQueue, Figure::MdiskVolumeRate, Figure::MdiskServiceTime,
    Figure::MdiskPendingTime, Figure::MdiskDisconnectTime, Figure::MdiskConnectTime, Figure::MdiskWaitTime,
    Figure::MdiskVolumeBusy, Figure::MdiskCpTime, Figure::MdiskCacheHitPercent, Figure::MdcHitPercent,
    Figure::MdcSize, Figure::MdcInvalidations, Figure::MdcInvalidationBusy, Figure::Itr,
    Figure::GuestTimePerTransaction, Figure::CpTimePerTransaction, Figure::TotalTimePerTransaction, Figure::Utilization,
    Figure::ResponseTime, Figure::ConnectionsThinking, Figure::ConnectionsClientWait, Figure::ConnectionsClient,
    Figure::ConnectionsServerWait, Figure::ConnectionsServer, Figure::Running, Figure::ReadyWait, Figure::Steal, Figure::SimulationWait, Figure::EligibleWait,
    Figure::LimitWait, Figure::IdleTime, Figure::EligibleGuests, Figure::EligibleStay, Figure::DispatchGuests,
    Figure::ClaimedStorage, Figure::ForgottenWork, Figure::Diag44Normal, Figure::Diag44Fast, Figure::Diag44Total,
    Figure::GuestDiag9c, Figure::GuestSpin, Figure::CpSpin, Figure::CpDiag44, Figure::CpDiag9c, Figure::PrsmOverhead,
    Figure::PrsmOverheadAll, Figure::Suspended, Figure::Capped, Figure::Group1Cpu, Figure::Group2Cpu, Figure::Group3Cpu,
    Figure::Group4Cpu, Figure::QuiesceTime, Figure::QuiesceTimeWorst, Figure::RelocationTime, Figure::RelocationTotal,
    Figure::RelocationsCompleted, Figure::RelocationsEnded, Figure::MemoryPasses, Figure::MemoryMoved, Figure::FirstPass,
    Figure::LinkBusy, Figure::LinkRate, Figure::ThrottledPaging, Figure::ThrottledMemory, Figure::ThrottledLink,
    Figure::StoppedTime, Figure::ClusterEtr, Figure::OtherMembersEtr,
];
