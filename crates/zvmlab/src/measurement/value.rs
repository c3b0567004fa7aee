//! How each figure is calculated from two snapshots.

use super::transactions::etr_of;
use super::{Figure, cluster};
use crate::scenario::PAGES_PER_MB;
use crate::snapshot::{
    ConnectionsSnapshot, ContiguousSnapshot, ExpandedSnapshot, GuestSnapshot, PtilSnapshot, SidesSnapshot, Snapshot,
};

/// The value of `figure` in the time from `a` to `b`, in its unit; `None` where it has no meaning.
pub(super) fn value(figure: Figure, a: &Snapshot, b: &Snapshot) -> Option<f64> {
    let of = &Between { a, b, elapsed_ns: (b.now_ns - a.now_ns) as f64 };
    of_transactions(figure, of)
        .or_else(|| of_minidisks(figure, of))
        .or_else(|| of_paging(figure, of))
        .or_else(|| of_page_volumes(figure, of))
        .or_else(|| of_processors(figure, of))
        .or_else(|| of_guests(figure, of))
        .or_else(|| of_sides(figure, of))
        .or_else(|| of_contiguous(figure, of))
        .or_else(|| of_connections(figure, of))
        .or_else(|| of_passes(figure, of))
        .or_else(|| of_expanded(figure, of))
        .or_else(|| cluster::value(figure, a, b, of.elapsed_ns))
}

/// The time between two snapshots, and how much the counters grew in it.
struct Between<'a> {
    a: &'a Snapshot,
    b: &'a Snapshot,
    elapsed_ns: f64,
}

impl Between<'_> {
    fn elapsed_s(&self) -> f64 {
        self.elapsed_ns / 1e9
    }

    /// How much a counter grew.
    fn delta(&self, field: fn(&Snapshot) -> u64) -> f64 {
        (field(self.b) - field(self.a)) as f64
    }

    /// The same for each second.
    fn rate(&self, field: fn(&Snapshot) -> u64) -> f64 {
        self.delta(field) / self.elapsed_s()
    }

    /// The mean over time of a quantity whose integral is a counter in nanoseconds.
    fn mean(&self, field: fn(&Snapshot) -> u64) -> f64 {
        self.delta(field) / self.elapsed_ns
    }

    /// The same in percent.
    fn percent(&self, field: fn(&Snapshot) -> u64) -> f64 {
        self.mean(field) * 100.0
    }

    /// The percentage of its time that a virtual CPU spends on something: the mean over all.
    fn mean_percent(&self, field: fn(&GuestSnapshot) -> u64) -> f64 {
        // A guest that is now at another member counts with its virtual CPUs for the time that it was here.
        let all_cpus = self.b.guests.iter().map(|guest| guest.virtual_cpus.len()).sum::<usize>() as f64;
        let virtual_cpus = all_cpus - self.mean(|s| s.guests.iter().map(|guest| guest.away_ns).sum());
        let sum = |s: &Snapshot| s.guests.iter().map(field).sum::<u64>();
        (sum(self.b) - sum(self.a)) as f64 / self.elapsed_ns / virtual_cpus * 100.0
    }

    /// Microseconds for each transaction.
    fn per_transaction(&self, ns: f64) -> Option<f64> {
        etr_of(self.a, self.b).map(|done| ns / done / 1e3)
    }

    /// The processors that a group of guests uses, in percent of all.
    fn group_cpu(&self, group: u32) -> Option<f64> {
        let pairs = self.a.guests.iter().zip(&self.b.guests).filter(|(_, guest)| guest.group == group);
        let pairs = pairs.filter(|(a, b)| !(a.away && b.away) || b.cpu_ns > a.cpu_ns);
        let used =
            pairs.map(|(a, b)| b.cpu_ns - a.cpu_ns).fold(None, |sum: Option<u64>, used| Some(sum.unwrap_or(0) + used));
        used.map(|used| used as f64 / self.elapsed_ns / f64::from(self.b.processors.count) * 100.0)
    }

    /// Transactions of the guests that do I/O, or of those that do none.
    fn transactions(&self, does_io: bool) -> Option<f64> {
        // What a server does is part of its clients' transactions. Where no client does I/O, its I/O counts by itself.
        let clients_do = does_io && self.b.guests.iter().any(|guest| guest.asks && guest.does_io);
        let counts = |guest: &GuestSnapshot| guest.does_io == does_io && (!guest.serves || does_io && !clients_do);
        let pairs = self.a.guests.iter().zip(&self.b.guests).filter(|(_, guest)| counts(guest));
        let done = pairs.map(|(a, b)| (b.work() - a.work()) as f64 / b.transaction as f64);
        done.fold(None, |sum: Option<f64>, done| Some(sum.unwrap_or(0.0) + done))
    }

    /// Transactions a second of the guests that do no I/O.
    fn etr(&self) -> Option<f64> {
        self.transactions(false).map(|done| done / self.elapsed_s())
    }
}

fn read(s: &Snapshot) -> u64 {
    s.paging.ios.pages_read
}

fn written(s: &Snapshot) -> u64 {
    s.paging.ios.pages_written
}

fn moved(s: &Snapshot) -> u64 {
    read(s) + written(s)
}

fn reorders(s: &Snapshot) -> u64 {
    s.guests.iter().map(|guest| guest.reorders).sum()
}

fn stood_still(s: &Snapshot) -> u64 {
    s.guests.iter().map(|guest| guest.reorder_ns).sum()
}

fn reordering(s: &Snapshot) -> u64 {
    s.guests.iter().map(|guest| guest.reorder_cp_ns).sum()
}

/// A count of a guest that releases pages.
fn released(guest: &GuestSnapshot, field: fn(&PtilSnapshot) -> u64) -> u64 {
    guest.ptil.as_ref().map_or(0, field)
}

/// Pages of the guests that are logged on at this member.
fn there(s: &Snapshot, pages: fn(&GuestSnapshot) -> u64) -> f64 {
    s.guests.iter().filter(|guest| !guest.away).map(pages).sum::<u64>() as f64
}

fn resident(guest: &GuestSnapshot) -> u64 {
    guest.valid_pages + guest.age_list_pages + guest.reading_pages
}

fn starts(s: &Snapshot) -> u64 {
    s.paging.ios.starts
}

fn mdisk_starts(s: &Snapshot) -> u64 {
    s.minidisks.ios.starts
}

fn chargeable(s: &Snapshot) -> u64 {
    s.processors.chargeable_cp_ns
}

fn nonchargeable(s: &Snapshot) -> u64 {
    s.processors.nonchargeable_cp_ns
}

fn busy(s: &Snapshot) -> u64 {
    s.processors.guest_ns + chargeable(s) + nonchargeable(s)
}

/// Work done, and what each transaction took.
fn of_transactions(figure: Figure, of: &Between) -> Option<f64> {
    Some(match figure {
        Figure::Etr => of.etr()?,
        // Guests begin with I/O when the fill is over.
        Figure::Itr => of.etr()? / of.percent(busy) * 100.0 * f64::from(of.b.processors.count),
        Figure::MdiskEtr if !of.b.filled => return None,
        Figure::MdiskEtr => of.transactions(true)? / of.elapsed_s(),
        Figure::PagesPerTransaction => of.rate(read) / of.etr()?,
        Figure::ChargeableCpPerTransaction => of.percent(chargeable) / of.etr()? / 1000.0,
        Figure::NonchargeableCpPerTransaction => of.percent(nonchargeable) / of.etr()? / 1000.0,
        Figure::GuestTimePerTransaction => of.per_transaction(of.delta(|s| s.processors.guest_ns))?,
        Figure::CpTimePerTransaction => of.per_transaction(of.delta(chargeable) + of.delta(nonchargeable))?,
        Figure::TotalTimePerTransaction => of.per_transaction(of.delta(busy))?,
        Figure::ResponseTime => {
            let sum = |s: &Snapshot, field: fn(&GuestSnapshot) -> u64| {
                s.guests.iter().filter(|guest| !guest.serves).map(field).sum::<u64>()
            };
            let grown = |field: fn(&GuestSnapshot) -> u64| (sum(of.b, field) - sum(of.a, field)) as f64;
            grown(|guest| guest.response_ns) / grown(|guest| guest.cycles) / 1e6
        }
        _ => return None,
    })
}

/// Minidisk I/O, and the caches before it.
fn of_minidisks(figure: Figure, of: &Between) -> Option<f64> {
    let volumes = f64::from(of.b.minidisks.volume_count);
    let ios = of.delta(mdisk_starts);
    Some(match figure {
        Figure::MdiskAliases if volumes == 0.0 => return None,
        Figure::MdiskAliases => of.mean(|s| s.minidisks.ios.aliases_ns),
        Figure::MdiskVolumeRate => of.rate(mdisk_starts) / volumes,
        Figure::MdiskServiceTime => {
            of.delta(|s| s.minidisks.ios.pending_ns + s.minidisks.ios.disconnect_ns + s.minidisks.ios.connect_ns) / ios / 1e6
        }
        Figure::MdiskPendingTime => of.delta(|s| s.minidisks.ios.pending_ns) / ios / 1e6,
        Figure::MdiskDisconnectTime => of.delta(|s| s.minidisks.ios.disconnect_ns) / ios / 1e6,
        Figure::MdiskConnectTime => of.delta(|s| s.minidisks.ios.connect_ns) / ios / 1e6,
        Figure::MdiskWaitTime => of.delta(|s| s.minidisks.ios.waited_ns) / ios / 1e6,
        Figure::MdiskVolumeBusy => of.percent(|s| s.minidisks.ios.in_progress_ns) / volumes,
        Figure::MdiskQueue if volumes == 0.0 => return None,
        Figure::MdiskQueue => of.mean(|s| s.minidisks.ios.queue_ns),
        Figure::MdiskCpTime => of.delta(|s| s.minidisks.cp_ns) / of.delta(|s| s.minidisks.guest_ios) / 1e3,
        Figure::MdiskCacheHitPercent => of.delta(|s| s.minidisks.ios.cache_hits) / ios * 100.0,
        Figure::MdcSize if of.b.minidisks.mdc.most_frames == 0 => return None,
        Figure::MdcSize => of.b.minidisks.mdc.frames as f64 / PAGES_PER_MB as f64,
        Figure::MdcInvalidations | Figure::MdcInvalidationBusy if of.b.minidisks.mdc.invalidated == 0 => return None,
        Figure::MdcInvalidations => of.rate(|s| s.minidisks.mdc.invalidated),
        Figure::MdcInvalidationBusy => of.percent(|s| s.minidisks.mdc.invalidate_ns),
        Figure::MdcHitPercent => of.delta(|s| s.minidisks.mdc.hits) / of.delta(|s| s.minidisks.mdc.reads) * 100.0,
        _ => return None,
    })
}

/// Pages that were moved, and what CP spent on them.
fn of_paging(figure: Figure, of: &Between) -> Option<f64> {
    let touched = of.delta(|s| s.storage.pages_touched);
    Some(match figure {
        Figure::PagesPerSecond => of.rate(moved),
        Figure::PagesRead => of.rate(read),
        Figure::PagesWritten => of.rate(written),
        Figure::PagesPerSsch => of.delta(moved) / of.delta(starts),
        Figure::ReadBlocking => of.delta(read) / of.delta(|s| s.paging.ios.blocks_read),
        Figure::WriteBlocking => of.delta(written) / of.delta(|s| s.paging.ios.blocks_written),
        Figure::ContiguousSlots => of.delta(written) / of.delta(|s| s.paging.ios.runs_written),
        Figure::SlotUtilization => slot_utilization(of.a) / 2.0 + slot_utilization(of.b) / 2.0,
        Figure::CpTimePerPage => (of.delta(chargeable) + of.delta(nonchargeable)) / of.delta(moved) / 1e3,
        Figure::ScanLength => of.delta(|s| s.storage.looks_paid) / of.delta(|s| s.storage.pages_taken),
        Figure::ScanBusy => of.percent(|s| s.storage.scan_ns),
        // Blocks also bring in pages that no guest touches. If more was read than touched, the ratio says nothing.
        Figure::HitPercent if of.delta(read) > touched => return None,
        Figure::HitPercent => (1.0 - of.delta(read) / touched) * 100.0,
        _ => return None,
    })
}

/// Paging I/O, the volumes that serve it, and the paths to them.
fn of_page_volumes(figure: Figure, of: &Between) -> Option<f64> {
    let volumes = of.b.paging.volumes.len() as f64;
    let ios = of.delta(starts);
    Some(match figure {
        Figure::PagingAliases => of.mean(|s| s.paging.ios.aliases_ns),
        Figure::PagingQueue => of.mean(|s| s.paging.ios.queue_ns),
        Figure::PagingResponse => {
            of.delta(|s| {
                s.paging.ios.waited_ns + s.paging.ios.pending_ns + s.paging.ios.disconnect_ns + s.paging.ios.connect_ns
            }) / ios
                / 1e6
        }
        Figure::PagingCacheHitPercent => of.delta(|s| s.paging.ios.cache_hits) / ios * 100.0,
        Figure::PathBusy => {
            let paths = of.b.lcu.path_busy_ns.len() / 2;
            let ficon = of.percent(|s| s.lcu.path_busy_ns.iter().take(s.lcu.ficon_paths as usize).sum());
            let fcp = of.percent(|s| s.lcu.path_busy_ns.iter().skip(s.lcu.ficon_paths as usize).sum());
            ficon.max(fcp) / paths as f64
        }
        Figure::Ssch => of.rate(starts),
        Figure::PendingTime => of.delta(|s| s.paging.ios.pending_ns) / ios / 1e6,
        Figure::DisconnectTime => of.delta(|s| s.paging.ios.disconnect_ns) / ios / 1e6,
        Figure::ConnectTime => of.delta(|s| s.paging.ios.connect_ns) / ios / 1e6,
        Figure::ServiceTime => {
            of.delta(|s| s.paging.ios.pending_ns + s.paging.ios.disconnect_ns + s.paging.ios.connect_ns) / ios / 1e6
        }
        Figure::IosInProgress => of.mean(|s| s.paging.ios.in_progress_ns),
        // All I/O of the volumes counts, also I/O that is not for paging.
        Figure::VolumeIoRate => of.rate(|s| s.paging.volumes.iter().map(|volume| volume.starts).sum()) / volumes,
        Figure::VolumeBusy => of.percent(|s| s.paging.volumes.iter().map(|volume| volume.busy_ns).sum()) / volumes,
        Figure::QueueDepth => of.mean(|s| s.paging.volumes.iter().map(|volume| volume.queue_ns).sum()) / volumes,
        _ => return None,
    })
}

/// What processors do, and what PR/SM and spin locks take of them.
fn of_processors(figure: Figure, of: &Between) -> Option<f64> {
    Some(match figure {
        Figure::TotalBusy => of.percent(busy),
        Figure::GuestBusy => of.percent(|s| s.processors.guest_ns),
        Figure::ChargeableCpBusy => of.percent(chargeable),
        Figure::NonchargeableCpBusy => of.percent(nonchargeable),
        Figure::Utilization => of.percent(busy) / f64::from(of.b.processors.count),
        Figure::ForgottenWork => of.mean(|s| s.processors.forgotten_ns),
        Figure::Diag44Normal => of.rate(|s| s.locks.diag44_normal),
        Figure::Diag44Fast => of.rate(|s| s.locks.diag44_fast),
        Figure::Diag44Total => of.rate(|s| s.locks.diag44_normal + s.locks.diag44_fast),
        Figure::GuestDiag9c => of.rate(|s| s.locks.guest_diag9c),
        Figure::GuestSpin => of.percent(|s| s.locks.guest_spin_ns),
        Figure::CpSpin => of.percent(|s| s.locks.cp_spin_ns),
        Figure::CpDiag44 => of.rate(|s| s.locks.cp_diag44),
        Figure::CpDiag9c => of.rate(|s| s.locks.cp_diag9c),
        Figure::PrsmOverhead => of.percent(|s| s.prsm.own_overhead_ns),
        Figure::PrsmOverheadAll => of.percent(|s| s.prsm.own_overhead_ns + s.prsm.other_overhead_ns),
        Figure::Suspended => of.mean(|s| s.processors.suspended_ns),
        Figure::Capped => of.mean(|s| s.prsm.own_held_ns),
        Figure::Group1Cpu => of.group_cpu(0)?,
        Figure::Group2Cpu => of.group_cpu(1)?,
        Figure::Group3Cpu => of.group_cpu(2)?,
        Figure::Group4Cpu => of.group_cpu(3)?,
        _ => return None,
    })
}

/// What guests spend their time on, and the lists that they are in.
fn of_guests(figure: Figure, of: &Between) -> Option<f64> {
    Some(match figure {
        Figure::VirtualToReal => there(of.b, |guest| guest.virtual_pages) / of.b.storage.installed_frames as f64,
        Figure::TouchedToResident => {
            1.0 + there(of.b, |guest| guest.expanded_pages + guest.dasd_pages) / there(of.b, resident)
        }
        Figure::StorageWait => of.mean_percent(|guest| guest.page_wait_ns + guest.frame_wait_ns),
        Figure::PageWait => of.mean_percent(|guest| guest.page_wait_ns),
        Figure::FrameWait => of.mean_percent(|guest| guest.frame_wait_ns),
        Figure::ConsoleWait => of.mean_percent(|guest| guest.console_wait_ns),
        Figure::ReorderTime => of.delta(stood_still) / of.delta(reorders) / 1e9,
        Figure::Reorders => of.delta(reorders) / of.elapsed_ns * 60e9,
        Figure::ReorderBusy => of.delta(reordering) / of.elapsed_ns * 100.0,
        Figure::ReleaseRate | Figure::PtilWait | Figure::PtilHeld
            if of.b.guests.iter().all(|guest| guest.ptil.is_none()) =>
        {
            return None;
        }
        Figure::ReleaseRate => of.rate(|s| s.guests.iter().map(|guest| released(guest, |ptil| ptil.pages_released)).sum()),
        Figure::PtilWait => {
            let of_those = of.b.guests.iter().filter(|guest| guest.ptil.is_some());
            let virtual_cpus = of_those.map(|guest| guest.virtual_cpus.len()).sum::<usize>() as f64;
            let waited = |s: &Snapshot| s.guests.iter().map(|guest| released(guest, |ptil| ptil.wait_ns)).sum();
            of.delta(waited) / of.elapsed_ns / virtual_cpus * 100.0
        }
        Figure::PtilHeld => {
            let held = |guest: &GuestSnapshot| released(guest, |ptil| ptil.held_ns);
            let grown = of.a.guests.iter().zip(&of.b.guests).map(|(a, b)| held(b) - held(a));
            grown.max().unwrap_or(0) as f64 / of.elapsed_ns * 100.0
        }
        Figure::Running => of.mean_percent(|guest| guest.running_ns),
        Figure::ReadyWait => of.mean_percent(|guest| guest.ready_ns),
        Figure::Steal => of.mean_percent(|guest| guest.ready_ns + guest.interrupted_ns),
        Figure::SimulationWait => of.mean_percent(|guest| guest.simulation_wait_ns),
        Figure::EligibleWait => of.mean_percent(|guest| guest.eligible_ns),
        Figure::LimitWait => of.mean_percent(|guest| guest.limit_list_ns),
        Figure::IdleTime => of.mean_percent(|guest| guest.idle_ns),
        Figure::EligibleGuests => of.mean(|s| s.scheduler.eligible_ns),
        Figure::EligibleStay => of.delta(|s| s.scheduler.eligible_ns) / of.delta(|s| s.scheduler.admissions_waited) / 1e9,
        Figure::DispatchGuests => of.mean(|s| s.scheduler.dispatch_ns),
        Figure::ClaimedStorage => {
            of.delta(|s| s.scheduler.claimed_page_us) * 1e3 / of.elapsed_ns / of.b.scheduler.pageable_frames as f64 * 100.0
        }
        Figure::StoppedTime => of.mean_percent(|guest| guest.stopped_ns),
        _ => return None,
    })
}

/// Contiguous frames, where CP asks for some.
fn of_contiguous(figure: Figure, of: &Between) -> Option<f64> {
    let now = of.b.storage.contiguous.as_ref()?;
    let before = of.a.storage.contiguous.clone().unwrap_or_default();
    let grown = |counter: fn(&ContiguousSnapshot) -> u64| (counter(now) - counter(&before)) as f64;
    Some(match figure {
        Figure::ContiguousFailed => grown(|of| of.failed) / grown(|of| of.requests) * 100.0,
        Figure::ContiguousBlocks => now.blocks as f64,
        Figure::LongestRun => now.longest_run as f64,
        Figure::CoalesceBusy => grown(|of| of.coalesce_ns) / of.elapsed_ns * 100.0,
        _ => return None,
    })
}

/// Frames below 2 GB and above, where the host tells them apart.
fn of_sides(figure: Figure, of: &Between) -> Option<f64> {
    let sides = of.b.storage.sides.as_ref()?;
    let before = of.a.storage.sides.clone().unwrap_or_default();
    let grown = |counter: fn(&SidesSnapshot) -> u64| (counter(sides) - counter(&before)) as f64;
    Some(match figure {
        Figure::ResidentAbove => there(of.b, resident) - sides.resident_below as f64,
        Figure::ResidentBelow => sides.resident_below as f64,
        Figure::MovedBelow => grown(|sides| sides.moved) / of.elapsed_s(),
        Figure::SearchLength => grown(|sides| sides.looked_at) / grown(|sides| sides.found),
        Figure::SearchBusy => grown(|sides| sides.search_ns) / of.elapsed_ns * 100.0,
        _ => return None,
    })
}

/// Where the connections between clients and servers are, where there are any.
fn of_connections(figure: Figure, of: &Between) -> Option<f64> {
    let (before, now) = (of.a.connections.as_ref()?, of.b.connections.as_ref()?);
    let mean = |spent: fn(&ConnectionsSnapshot) -> u64| Some((spent(now) - spent(before)) as f64 / of.elapsed_ns);
    match figure {
        Figure::ConnectionsThinking => mean(|of| of.thinking_ns),
        Figure::ConnectionsClientWait => mean(|of| of.client_line_ns),
        Figure::ConnectionsClient => mean(|of| of.at_client_ns),
        Figure::ConnectionsServerWait => mean(|of| of.server_line_ns),
        Figure::ConnectionsServer => mean(|of| of.at_server_ns),
        _ => None,
    }
}

/// The passes of demand scan, where it makes any.
fn of_passes(figure: Figure, of: &Between) -> Option<f64> {
    let [before, now] = [of.a, of.b].map(|snapshot| snapshot.storage.passes);
    let taken = |pass: usize| Some((now?.taken[pass] - before.unwrap_or_default().taken[pass]) as f64 / of.elapsed_s());
    match figure {
        Figure::ScanPass1 => taken(0),
        Figure::ScanPass2 => taken(1),
        Figure::ScanPass3 => taken(2),
        _ => None,
    }
}

/// Expanded storage, where the host has any.
fn of_expanded(figure: Figure, of: &Between) -> Option<f64> {
    let expanded = of.b.storage.expanded.as_ref()?;
    let before = of.a.storage.expanded.clone().unwrap_or_default();
    let grown = |counter: fn(&ExpandedSnapshot) -> u64| (counter(expanded) - counter(&before)) as f64;
    let moved_in = grown(|one| one.moved_in);
    let moved = grown(|one| one.moved_in + one.moved_out) + of.delta(|s| s.minidisks.mdc.expanded_moved);
    Some(match figure {
        Figure::ExpandedRate => moved / of.elapsed_s(),
        Figure::ExpandedPerTransaction => moved / of.elapsed_s() / of.etr()?,
        Figure::ExpandedHits => moved_in / (moved_in + of.delta(|s| s.paging.ios.pages_read)) * 100.0,
        Figure::MigrationRate => grown(|one| one.migrated) / of.elapsed_s(),
        Figure::ExpandedUsed => expanded.used as f64 / expanded.pages as f64 * 100.0,
        _ => return None,
    })
}

/// Slots in use at one instant, in percent of all slots.
fn slot_utilization(snapshot: &Snapshot) -> f64 {
    let sum =
        |field: fn(&crate::snapshot::VolumeSnapshot) -> u64| snapshot.paging.volumes.iter().map(field).sum::<u64>() as f64;
    sum(|volume| volume.slots_used) / sum(|volume| volume.slots) * 100.0
}
