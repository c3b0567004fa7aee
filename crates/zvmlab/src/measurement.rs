//! A measurement: the figures of the time between two snapshots, under the names and units of the published tables.

use serde::{Deserialize, Serialize};

use crate::snapshot::Snapshot;

/// Pages touched in one transaction: a quarter of a 16 GB loop. Nothing says so but the published pages read for each
/// transaction, 0.998 to 1.033 million in all seven runs (6.4 paging page, tables 1 to 5: pages read over ETR).
pub const PAGES_PER_TRANSACTION: u64 = 1 << 20;

/// One kind of figure that a measurement yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// External throughput rate, transactions a second.
    Etr,
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
    let etr = rate(|s| s.storage.pages_touched) / PAGES_PER_TRANSACTION as f64;
    let read = |s: &Snapshot| s.paging.pages_read;
    let written = |s: &Snapshot| s.paging.pages_written;
    let moved = |s: &Snapshot| s.paging.pages_read + s.paging.pages_written;
    let starts = |s: &Snapshot| s.paging.starts;
    let chargeable = |s: &Snapshot| s.processors.chargeable_cp_ns;
    let nonchargeable = |s: &Snapshot| s.processors.nonchargeable_cp_ns;
    let volumes = b.paging.volumes.len() as f64;
    let touched = delta(|s| s.storage.pages_touched);
    Some(match figure {
        Figure::Etr => etr,
        Figure::PagesPerSecond => rate(moved),
        Figure::PagesRead => rate(read),
        Figure::PagesWritten => rate(written),
        Figure::PagesPerTransaction => delta(read) / touched * PAGES_PER_TRANSACTION as f64,
        Figure::Ssch => rate(starts),
        Figure::PagesPerSsch => delta(moved) / delta(starts),
        Figure::ReadBlocking => delta(read) / delta(|s| s.paging.blocks_read),
        Figure::WriteBlocking => delta(written) / delta(|s| s.paging.blocks_written),
        Figure::SlotUtilization => slot_utilization(a) / 2.0 + slot_utilization(b) / 2.0,
        Figure::PendingTime => delta(|s| s.paging.pending_ns) / delta(starts) / 1e6,
        Figure::DisconnectTime => delta(|s| s.paging.disconnect_ns) / delta(starts) / 1e6,
        Figure::ConnectTime => delta(|s| s.paging.connect_ns) / delta(starts) / 1e6,
        Figure::ServiceTime => {
            delta(|s| s.paging.pending_ns + s.paging.disconnect_ns + s.paging.connect_ns) / delta(starts) / 1e6
        }
        Figure::IosInProgress => delta(|s| s.paging.in_progress_ns) / elapsed_ns,
        Figure::VolumeIoRate => rate(starts) / volumes,
        Figure::VolumeBusy => percent(|s| s.paging.in_progress_ns) / volumes,
        Figure::QueueDepth => delta(|s| s.paging.volumes.iter().map(|volume| volume.queue_ns).sum()) / elapsed_ns / volumes,
        Figure::TotalBusy => {
            percent(|s| s.processors.guest_ns + s.processors.chargeable_cp_ns + s.processors.nonchargeable_cp_ns)
        }
        Figure::GuestBusy => percent(|s| s.processors.guest_ns),
        Figure::ChargeableCpBusy => percent(chargeable),
        Figure::NonchargeableCpBusy => percent(nonchargeable),
        Figure::ChargeableCpPerTransaction => percent(chargeable) / etr / 1000.0,
        Figure::NonchargeableCpPerTransaction => percent(nonchargeable) / etr / 1000.0,
        Figure::CpTimePerPage => (delta(chargeable) + delta(nonchargeable)) / delta(moved) / 1e3,
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
