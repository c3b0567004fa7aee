//! How each figure is calculated from two snapshots.

use super::transactions::etr_of;
use super::{Figure, cluster};
use crate::snapshot::{GuestSnapshot, Snapshot};

/// The value of `figure` in the time from `a` to `b`, in its unit; `None` where it has no meaning.
pub(super) fn value(figure: Figure, a: &Snapshot, b: &Snapshot) -> Option<f64> {
    let elapsed_ns = (b.now_ns - a.now_ns) as f64;
    let elapsed_s = elapsed_ns / 1e9;
    let delta = |field: fn(&Snapshot) -> u64| (field(b) - field(a)) as f64;
    let rate = |field: fn(&Snapshot) -> u64| delta(field) / elapsed_s;
    let percent = |field: fn(&Snapshot) -> u64| delta(field) / elapsed_ns * 100.0;
    // Virtual CPUs of a guest that is now at another member count for as long as the guest was here.
    let all_cpus = b.guests.iter().map(|guest| guest.virtual_cpus.len()).sum::<usize>() as f64;
    let away_ns = |s: &Snapshot| s.guests.iter().map(|guest| guest.away_ns).sum::<u64>();
    let virtual_cpus = all_cpus - delta(away_ns) / elapsed_ns;
    let mean_percent = |field: fn(&GuestSnapshot) -> u64| {
        let sum = |s: &Snapshot| s.guests.iter().map(field).sum::<u64>();
        (sum(b) - sum(a)) as f64 / elapsed_ns / virtual_cpus * 100.0
    };
    let per_transaction = |ns: f64| etr_of(a, b).map(|done| ns / done / 1e3);
    let group_cpu = |group: u32| {
        let pairs = a.guests.iter().zip(&b.guests).filter(|(_, guest)| guest.group == group);
        let pairs = pairs.filter(|(a, b)| !(a.away && b.away) || b.cpu_ns > a.cpu_ns);
        let used =
            pairs.map(|(a, b)| b.cpu_ns - a.cpu_ns).fold(None, |sum: Option<u64>, used| Some(sum.unwrap_or(0) + used));
        used.map(|used| used as f64 / elapsed_ns / f64::from(b.processors.count) * 100.0)
    };
    let busy = |s: &Snapshot| s.processors.guest_ns + s.processors.chargeable_cp_ns + s.processors.nonchargeable_cp_ns;
    let overhead_all = |s: &Snapshot| s.prsm.own_overhead_ns + s.prsm.other_overhead_ns;
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
        // All I/O of the volumes counts, also I/O that is not for paging.
        Figure::VolumeIoRate => rate(|s| s.paging.volumes.iter().map(|volume| volume.starts).sum()) / volumes,
        Figure::VolumeBusy => percent(|s| s.paging.volumes.iter().map(|volume| volume.busy_ns).sum()) / volumes,
        Figure::QueueDepth => delta(|s| s.paging.volumes.iter().map(|volume| volume.queue_ns).sum()) / elapsed_ns / volumes,
        Figure::TotalBusy => percent(busy),
        Figure::GuestBusy => percent(|s| s.processors.guest_ns),
        Figure::ChargeableCpBusy => percent(chargeable),
        Figure::NonchargeableCpBusy => percent(nonchargeable),
        Figure::ChargeableCpPerTransaction => percent(chargeable) / etr? / 1000.0,
        Figure::NonchargeableCpPerTransaction => percent(nonchargeable) / etr? / 1000.0,
        Figure::CpTimePerPage => (delta(chargeable) + delta(nonchargeable)) / delta(moved) / 1e3,
        // Blocks also bring in pages that no guest touches. If more was read than touched, the ratio says nothing.
        Figure::HitPercent if delta(read) > touched => return None,
        Figure::HitPercent => (1.0 - delta(read) / touched) * 100.0,
        Figure::PageWait => mean_percent(|guest| guest.page_wait_ns),
        Figure::GuestTimePerTransaction => per_transaction(delta(|s| s.processors.guest_ns))?,
        Figure::CpTimePerTransaction => per_transaction(delta(chargeable) + delta(nonchargeable))?,
        Figure::TotalTimePerTransaction => per_transaction(delta(busy))?,
        Figure::Utilization => percent(busy) / f64::from(b.processors.count),
        Figure::ResponseTime => {
            let sum = |s: &Snapshot, field: fn(&GuestSnapshot) -> u64| s.guests.iter().map(field).sum::<u64>();
            let of = |field: fn(&GuestSnapshot) -> u64| (sum(b, field) - sum(a, field)) as f64;
            of(|guest| guest.response_ns) / of(|guest| guest.cycles) / 1e6
        }
        Figure::Running => mean_percent(|guest| guest.running_ns),
        Figure::ReadyWait => mean_percent(|guest| guest.ready_ns),
        Figure::SimulationWait => mean_percent(|guest| guest.simulation_wait_ns),
        Figure::EligibleWait => mean_percent(|guest| guest.eligible_ns),
        Figure::LimitWait => mean_percent(|guest| guest.limit_list_ns),
        Figure::IdleTime => mean_percent(|guest| guest.idle_ns),
        Figure::EligibleGuests => delta(|s| s.scheduler.eligible_ns) / elapsed_ns,
        Figure::EligibleStay => delta(|s| s.scheduler.eligible_ns) / delta(|s| s.scheduler.admissions_waited) / 1e9,
        Figure::DispatchGuests => delta(|s| s.scheduler.dispatch_ns) / elapsed_ns,
        Figure::ClaimedStorage => {
            delta(|s| s.scheduler.claimed_page_us) * 1e3 / elapsed_ns / b.scheduler.pageable_frames as f64 * 100.0
        }
        Figure::ForgottenWork => delta(|s| s.processors.forgotten_ns) / elapsed_ns,
        Figure::Diag44Normal => rate(|s| s.locks.diag44_normal),
        Figure::Diag44Fast => rate(|s| s.locks.diag44_fast),
        Figure::Diag44Total => rate(|s| s.locks.diag44_normal + s.locks.diag44_fast),
        Figure::GuestSpin => percent(|s| s.locks.guest_spin_ns),
        Figure::CpSpin => percent(|s| s.locks.cp_spin_ns),
        Figure::CpDiag44 => rate(|s| s.locks.cp_diag44),
        Figure::CpDiag9c => rate(|s| s.locks.cp_diag9c),
        Figure::PrsmOverhead => percent(|s| s.prsm.own_overhead_ns),
        Figure::PrsmOverheadAll => percent(overhead_all),
        Figure::Suspended => delta(|s| s.processors.suspended_ns) / elapsed_ns,
        Figure::Group1Cpu => group_cpu(0)?,
        Figure::Group2Cpu => group_cpu(1)?,
        Figure::Group3Cpu => group_cpu(2)?,
        Figure::Group4Cpu => group_cpu(3)?,
        Figure::StoppedTime => mean_percent(|guest| guest.stopped_ns),
        _ => cluster::value(figure, a, b, elapsed_ns)?,
    })
}

/// Slots in use at one instant, in percent of all slots.
fn slot_utilization(snapshot: &Snapshot) -> f64 {
    let sum =
        |field: fn(&crate::snapshot::VolumeSnapshot) -> u64| snapshot.paging.volumes.iter().map(field).sum::<u64>() as f64;
    sum(|volume| volume.slots_used) / sum(|volume| volume.slots) * 100.0
}
