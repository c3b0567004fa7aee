//! A measurement: the figures of the time between two snapshots, under the names and units of the published tables.

use serde::{Deserialize, Serialize};

use crate::snapshot::Snapshot;

/// One kind of figure that a measurement yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// External throughput rate, transactions a second of the guests that do no I/O.
    Etr,
    /// The same of the guests that do I/O to minidisks.
    MdiskEtr,
    /// Aliases that minidisk I/O holds, mean over time.
    MdiskAliases,
    /// Aliases that paging I/O holds, mean over time.
    PagingAliases,
    /// Minidisk I/Os of one volume a second, mean over the volumes.
    MdiskVolumeRate,
    /// Service time of a minidisk I/O: pending, disconnect and connect.
    MdiskServiceTime,
    /// Pending time of a minidisk I/O.
    MdiskPendingTime,
    /// Disconnect time of a minidisk I/O.
    MdiskDisconnectTime,
    /// Connect time of a minidisk I/O.
    MdiskConnectTime,
    /// Time that a minidisk I/O waits for an exposure.
    MdiskWaitTime,
    /// Percent busy of one minidisk volume, base and aliases, mean over the volumes.
    MdiskVolumeBusy,
    /// Minidisk I/Os that wait for an exposure, on all volumes.
    MdiskQueue,
    /// CP time for each minidisk I/O that guests ask for.
    MdiskCpTime,
    /// Minidisk reads that the minidisk cache has, of those it is asked for.
    MdcHitPercent,
    /// Minidisk I/Os that the cache of the control unit serves.
    MdiskCacheHitPercent,
    /// Paging I/Os that wait for an exposure, on all volumes.
    PagingQueue,
    /// Time that a paging I/O takes from its request to its end.
    PagingResponse,
    /// Paging I/Os that the cache of the control unit serves.
    PagingCacheHitPercent,
    /// Time in which a path transfers something, mean over the FICON or the FCP paths, whichever are busier.
    PathBusy,
    /// Pages read and written a second.
    PagesPerSecond,
    /// Pages read from DASD a second.
    PagesRead,
    /// Pages written to DASD a second.
    PagesWritten,
    /// Pages read for each transaction.
    PagesPerTransaction,
    /// Paging SSCH instructions a second.
    Ssch,
    /// Pages carried by one SSCH.
    PagesPerSsch,
    /// Pages in one block read.
    ReadBlocking,
    /// Pages in one block written.
    WriteBlocking,
    /// Page slots in use.
    SlotUtilization,
    /// Pending time of an I/O.
    PendingTime,
    /// Disconnect time of an I/O.
    DisconnectTime,
    /// Connect time of an I/O.
    ConnectTime,
    /// Service time of an I/O: pending, disconnect and connect.
    ServiceTime,
    /// I/Os in progress on all volumes.
    IosInProgress,
    /// I/O rate of one volume, mean over the volumes (T_IOR).
    VolumeIoRate,
    /// Percent busy of one volume, base and aliases, mean over the volumes (T_PBSY).
    VolumeBusy,
    /// I/Os queued at one volume, mean over the volumes (B_QD).
    QueueDepth,
    /// Processor time of all kinds, in percent of one processor.
    TotalBusy,
    /// Guests' own processor time, in percent of one processor.
    GuestBusy,
    /// CP time charged to guests, in percent of one processor.
    ChargeableCpBusy,
    /// CP time charged to no guest, in percent of one processor.
    NonchargeableCpBusy,
    /// Chargeable CP busy for each transaction, scaled by 1000 as the tables print it.
    ChargeableCpPerTransaction,
    /// Nonchargeable CP busy for each transaction, scaled by 1000 as the tables print it.
    NonchargeableCpPerTransaction,
    /// CP time, of both kinds, for each page read or written.
    CpTimePerPage,
    /// Pages touched that need not be read from DASD: one less pages read for each page touched.
    HitPercent,
    /// Time that a guest waits for pages, in percent of elapsed time, mean over the guests.
    PageWait,
}

/// Every figure, in the order of the published tables.
pub const FIGURES: &[Figure] = &[
    Figure::Etr,
    Figure::TotalBusy,
    Figure::GuestBusy,
    Figure::ChargeableCpBusy,
    Figure::NonchargeableCpBusy,
    Figure::ChargeableCpPerTransaction,
    Figure::NonchargeableCpPerTransaction,
    Figure::CpTimePerPage,
    Figure::PagesPerSecond,
    Figure::PagesWritten,
    Figure::PagesRead,
    Figure::PagesPerTransaction,
    Figure::HitPercent,
    Figure::Ssch,
    Figure::PagesPerSsch,
    Figure::ReadBlocking,
    Figure::WriteBlocking,
    Figure::SlotUtilization,
    Figure::ConnectTime,
    Figure::DisconnectTime,
    Figure::PendingTime,
    Figure::ServiceTime,
    Figure::IosInProgress,
    Figure::VolumeIoRate,
    Figure::VolumeBusy,
    Figure::QueueDepth,
    Figure::PageWait,
    Figure::PagingAliases,
    Figure::PagingQueue,
    Figure::PagingResponse,
    Figure::PagingCacheHitPercent,
    Figure::PathBusy,
    Figure::MdiskEtr,
    Figure::MdiskAliases,
    Figure::MdiskQueue,
    Figure::MdiskVolumeRate,
    Figure::MdiskServiceTime,
    Figure::MdiskPendingTime,
    Figure::MdiskDisconnectTime,
    Figure::MdiskConnectTime,
    Figure::MdiskWaitTime,
    Figure::MdiskVolumeBusy,
    Figure::MdiskCpTime,
    Figure::MdiskCacheHitPercent,
    Figure::MdcHitPercent,
];

impl Figure {
    /// The figure's name in files: `etr`, `pages_read`.
    pub fn id(self) -> &'static str {
        self.texts().0
    }

    /// The figure's name as the published tables print it.
    pub fn label(self) -> &'static str {
        self.texts().1
    }

    /// The figure's unit.
    pub fn unit(self) -> &'static str {
        self.texts().2
    }

    /// The figure with this id.
    pub fn from_id(id: &str) -> Option<Figure> {
        FIGURES.iter().copied().find(|figure| figure.id() == id)
    }

    fn texts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Figure::Etr => ("etr", "ETR", "tx/s"),
            Figure::PagesPerSecond => ("pages_per_second", "Pages read and written", "pages/s"),
            Figure::PagesRead => ("pages_read", "Pages read from DASD", "pages/s"),
            Figure::PagesWritten => ("pages_written", "Pages written to DASD", "pages/s"),
            Figure::PagesPerTransaction => ("pages_per_transaction", "Pages read for each transaction", "pages/tx"),
            Figure::Ssch => ("ssch", "Paging SSCH instructions", "SSCH/s"),
            Figure::PagesPerSsch => ("pages_per_ssch", "Pages per SSCH", "pages"),
            Figure::ReadBlocking => ("read_blocking", "Page read blocking", "pages"),
            Figure::WriteBlocking => ("write_blocking", "Page write blocking", "pages"),
            Figure::SlotUtilization => ("slot_utilization", "Page slot utilization", "%"),
            Figure::PendingTime => ("pending_time", "DASD pending time", "ms"),
            Figure::DisconnectTime => ("disconnect_time", "DASD disconnect time", "ms"),
            Figure::ConnectTime => ("connect_time", "DASD connect time", "ms"),
            Figure::ServiceTime => ("service_time", "DASD service time", "ms"),
            Figure::IosInProgress => ("ios_in_progress", "I/Os in progress", "I/Os"),
            Figure::VolumeIoRate => ("volume_io_rate", "Volume I/O rate (T_IOR)", "I/Os/s"),
            Figure::VolumeBusy => ("volume_busy", "Volume percent busy (T_PBSY)", "%"),
            Figure::QueueDepth => ("queue_depth", "Queue at a volume (B_QD)", "I/Os"),
            Figure::TotalBusy => ("total_busy", "Total busy", "% of a processor"),
            Figure::GuestBusy => ("guest_busy", "Guest busy", "% of a processor"),
            Figure::ChargeableCpBusy => ("chargeable_cp_busy", "Chargeable CP busy", "% of a processor"),
            Figure::NonchargeableCpBusy => ("nonchargeable_cp_busy", "Nonchargeable CP busy", "% of a processor"),
            Figure::ChargeableCpPerTransaction => ("chargeable_cp_per_tx", "Chargeable CP busy, /tx", "% per 0.001 tx/s"),
            Figure::NonchargeableCpPerTransaction => {
                ("nonchargeable_cp_per_tx", "Nonchargeable CP busy, /tx", "% per 0.001 tx/s")
            }
            Figure::CpTimePerPage => ("cp_time_per_page", "CP CPU per page", "µs"),
            Figure::HitPercent => ("hit_percent", "Pages touched that were not read", "%"),
            Figure::PageWait => ("page_wait", "Guests' time in page wait", "%"),
            Figure::PagingAliases => ("paging_aliases", "Paging average aliases in use", "aliases"),
            Figure::PagingQueue => ("paging_queue", "Paging I/Os waiting", "I/Os"),
            Figure::PagingResponse => ("paging_response", "Paging response time", "ms"),
            Figure::PagingCacheHitPercent => ("paging_cache_hits", "Paging I/Os that hit the control unit's cache", "%"),
            Figure::PathBusy => ("path_busy", "Channel path busy", "%"),
            Figure::MdiskEtr => ("mdisk_etr", "MDISK ETR", "tx/s"),
            Figure::MdiskAliases => ("mdisk_aliases", "MDISK average aliases in use", "aliases"),
            Figure::MdiskQueue => ("mdisk_queue", "Minidisk I/Os waiting", "I/Os"),
            Figure::MdiskVolumeRate => ("mdisk_volume_rate", "Minidisk I/Os per volume", "I/Os/s"),
            Figure::MdiskServiceTime => ("mdisk_service_time", "Minidisk service time", "ms"),
            Figure::MdiskPendingTime => ("mdisk_pending_time", "Minidisk pending time", "ms"),
            Figure::MdiskDisconnectTime => ("mdisk_disconnect_time", "Minidisk disconnect time", "ms"),
            Figure::MdiskConnectTime => ("mdisk_connect_time", "Minidisk connect time", "ms"),
            Figure::MdiskWaitTime => ("mdisk_wait_time", "Minidisk I/O: wait for an exposure", "ms"),
            Figure::MdiskVolumeBusy => ("mdisk_volume_busy", "Minidisk volume percent busy", "%"),
            Figure::MdiskCpTime => ("mdisk_cp_time", "CP CPU per minidisk I/O", "µs"),
            Figure::MdiskCacheHitPercent => ("mdisk_cache_hits", "Minidisk I/Os that hit the control unit's cache", "%"),
            Figure::MdcHitPercent => ("mdc_hits", "Reads that hit the minidisk cache", "%"),
        }
    }
}

/// The figures of an interval. A figure that has no meaning in the interval (service time where no I/O ended) is `None`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Simulated seconds since the start of the run at which the interval begins.
    pub from_s: f64,
    /// Simulated seconds since the start of the run at which the interval ends.
    pub to_s: f64,
    /// Whether the fill was over when the interval began; the figures of a host that is still filling are no steady ones.
    pub filled: bool,
    values: Vec<Option<f64>>,
}

impl Measurement {
    /// The figures of the time from `earlier` to `later`, two snapshots of one run.
    pub fn between(earlier: &Snapshot, later: &Snapshot) -> Measurement {
        Measurement {
            from_s: earlier.now_ns as f64 / 1e9,
            to_s: later.now_ns as f64 / 1e9,
            filled: earlier.filled,
            values: FIGURES.iter().map(|&figure| value(figure, earlier, later).filter(|value| value.is_finite())).collect(),
        }
    }

    /// The value of `figure`, in its unit.
    pub fn get(&self, figure: Figure) -> Option<f64> {
        let index = FIGURES.iter().position(|&other| other == figure)?;
        self.values.get(index).copied().flatten()
    }

    /// Every figure with its value.
    pub fn iter(&self) -> impl Iterator<Item = (Figure, Option<f64>)> + '_ {
        FIGURES.iter().copied().zip(self.values.iter().copied())
    }
}

fn value(figure: Figure, a: &Snapshot, b: &Snapshot) -> Option<f64> {
    let elapsed_ns = (b.now_ns - a.now_ns) as f64;
    let elapsed_s = elapsed_ns / 1e9;
    let delta = |field: fn(&Snapshot) -> u64| (field(b) - field(a)) as f64;
    let rate = |field: fn(&Snapshot) -> u64| delta(field) / elapsed_s;
    let percent = |field: fn(&Snapshot) -> u64| delta(field) / elapsed_ns * 100.0;
    let transactions = |does_io: bool| {
        let pairs = a.guests.iter().zip(&b.guests).filter(|(_, guest)| guest.does_io == does_io);
        let done = pairs.map(|(a, b)| (b.work() - a.work()) as f64 / b.transaction as f64);
        done.fold(None, |sum: Option<f64>, done| Some(sum.unwrap_or(0.0) + done))
    };
    let etr = transactions(false).map(|done| done / elapsed_s);
    let read = |s: &Snapshot| s.paging.ios.pages_read;
    let written = |s: &Snapshot| s.paging.ios.pages_written;
    let moved = |s: &Snapshot| s.paging.ios.pages_read + s.paging.ios.pages_written;
    let starts = |s: &Snapshot| s.paging.ios.starts;
    let mdisk_starts = |s: &Snapshot| s.minidisks.ios.starts;
    let mdisk_volumes = f64::from(b.minidisks.volume_count);
    let chargeable = |s: &Snapshot| s.processors.chargeable_cp_ns;
    let nonchargeable = |s: &Snapshot| s.processors.nonchargeable_cp_ns;
    let volumes = b.paging.volumes.len() as f64;
    let touched = delta(|s| s.storage.pages_touched);
    Some(match figure {
        Figure::Etr => etr?,
        // Guests begin with I/O when the fill is over.
        Figure::MdiskEtr if !b.filled => return None,
        Figure::MdiskEtr => transactions(true)? / elapsed_s,
        Figure::MdiskAliases if mdisk_volumes == 0.0 => return None,
        Figure::MdiskAliases => delta(|s| s.minidisks.ios.aliases_ns) / elapsed_ns,
        Figure::PagingAliases => delta(|s| s.paging.ios.aliases_ns) / elapsed_ns,
        Figure::MdiskVolumeRate => rate(mdisk_starts) / mdisk_volumes,
        Figure::MdiskServiceTime => {
            delta(|s| s.minidisks.ios.pending_ns + s.minidisks.ios.disconnect_ns + s.minidisks.ios.connect_ns)
                / delta(mdisk_starts)
                / 1e6
        }
        Figure::MdiskPendingTime => delta(|s| s.minidisks.ios.pending_ns) / delta(mdisk_starts) / 1e6,
        Figure::MdiskDisconnectTime => delta(|s| s.minidisks.ios.disconnect_ns) / delta(mdisk_starts) / 1e6,
        Figure::MdiskConnectTime => delta(|s| s.minidisks.ios.connect_ns) / delta(mdisk_starts) / 1e6,
        Figure::MdiskWaitTime => delta(|s| s.minidisks.ios.waited_ns) / delta(mdisk_starts) / 1e6,
        Figure::MdiskVolumeBusy => percent(|s| s.minidisks.ios.in_progress_ns) / mdisk_volumes,
        Figure::MdiskQueue if mdisk_volumes == 0.0 => return None,
        Figure::MdiskQueue => delta(|s| s.minidisks.ios.queue_ns) / elapsed_ns,
        Figure::MdiskCpTime => delta(|s| s.minidisks.cp_ns) / delta(|s| s.minidisks.guest_ios) / 1e3,
        Figure::MdiskCacheHitPercent => delta(|s| s.minidisks.ios.cache_hits) / delta(mdisk_starts) * 100.0,
        Figure::MdcHitPercent => delta(|s| s.minidisks.mdc.hits) / delta(|s| s.minidisks.mdc.reads) * 100.0,
        Figure::PagingQueue => delta(|s| s.paging.ios.queue_ns) / elapsed_ns,
        Figure::PagingResponse => {
            delta(|s| {
                s.paging.ios.waited_ns + s.paging.ios.pending_ns + s.paging.ios.disconnect_ns + s.paging.ios.connect_ns
            }) / delta(starts)
                / 1e6
        }
        Figure::PagingCacheHitPercent => delta(|s| s.paging.ios.cache_hits) / delta(starts) * 100.0,
        Figure::PathBusy => {
            let paths = b.lcu.path_busy_ns.len() / 2;
            let ficon = percent(|s| s.lcu.path_busy_ns.iter().take(s.lcu.ficon_paths as usize).sum());
            let fcp = percent(|s| s.lcu.path_busy_ns.iter().skip(s.lcu.ficon_paths as usize).sum());
            ficon.max(fcp) / paths as f64
        }
        Figure::PagesPerSecond => rate(moved),
        Figure::PagesRead => rate(read),
        Figure::PagesWritten => rate(written),
        Figure::PagesPerTransaction => rate(read) / etr?,
        Figure::Ssch => rate(starts),
        Figure::PagesPerSsch => delta(moved) / delta(starts),
        Figure::ReadBlocking => delta(read) / delta(|s| s.paging.ios.blocks_read),
        Figure::WriteBlocking => delta(written) / delta(|s| s.paging.ios.blocks_written),
        Figure::SlotUtilization => slot_utilization(a) / 2.0 + slot_utilization(b) / 2.0,
        Figure::PendingTime => delta(|s| s.paging.ios.pending_ns) / delta(starts) / 1e6,
        Figure::DisconnectTime => delta(|s| s.paging.ios.disconnect_ns) / delta(starts) / 1e6,
        Figure::ConnectTime => delta(|s| s.paging.ios.connect_ns) / delta(starts) / 1e6,
        Figure::ServiceTime => {
            delta(|s| s.paging.ios.pending_ns + s.paging.ios.disconnect_ns + s.paging.ios.connect_ns) / delta(starts) / 1e6
        }
        Figure::IosInProgress => delta(|s| s.paging.ios.in_progress_ns) / elapsed_ns,
        // Of the volumes themselves, whoever's I/O it was.
        Figure::VolumeIoRate => rate(|s| s.paging.volumes.iter().map(|volume| volume.starts).sum()) / volumes,
        Figure::VolumeBusy => percent(|s| s.paging.volumes.iter().map(|volume| volume.busy_ns).sum()) / volumes,
        Figure::QueueDepth => delta(|s| s.paging.volumes.iter().map(|volume| volume.queue_ns).sum()) / elapsed_ns / volumes,
        Figure::TotalBusy => {
            percent(|s| s.processors.guest_ns + s.processors.chargeable_cp_ns + s.processors.nonchargeable_cp_ns)
        }
        Figure::GuestBusy => percent(|s| s.processors.guest_ns),
        Figure::ChargeableCpBusy => percent(chargeable),
        Figure::NonchargeableCpBusy => percent(nonchargeable),
        Figure::ChargeableCpPerTransaction => percent(chargeable) / etr? / 1000.0,
        Figure::NonchargeableCpPerTransaction => percent(nonchargeable) / etr? / 1000.0,
        Figure::CpTimePerPage => (delta(chargeable) + delta(nonchargeable)) / delta(moved) / 1e3,
        // Where blocks bring in pages that nobody touches, what was read says nothing of what was found.
        Figure::HitPercent if delta(read) > touched => return None,
        Figure::HitPercent => (1.0 - delta(read) / touched) * 100.0,
        Figure::PageWait => percent(|s| s.guests.iter().map(|guest| guest.page_wait_ns).sum()) / b.guests.len() as f64,
    })
}

/// Slots in use at one instant, in percent of all slots.
fn slot_utilization(snapshot: &Snapshot) -> f64 {
    let sum =
        |field: fn(&crate::snapshot::VolumeSnapshot) -> u64| snapshot.paging.volumes.iter().map(field).sum::<u64>() as f64;
    sum(|volume| volume.slots_used) / sum(|volume| volume.slots) * 100.0
}
