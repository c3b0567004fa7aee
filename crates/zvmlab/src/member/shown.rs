//! What a snapshot shows of a member's rooms, with what the member itself adds: work of CP under way, and who waits.

use super::Member;
use super::ios::Waits;
use crate::devices::Claimant;
use crate::dispatcher::Task;
use crate::snapshot::{GuestSnapshot, LogicalSnapshot, MinidisksSnapshot, PagingSnapshot, StorageSnapshot};

impl Member {
    /// Storage, with CP's work for it that is under way.
    pub(super) fn storage_snapshot(&self) -> StorageSnapshot {
        let mut storage = self.storage.snapshot();
        let under_way = self.processors.doing(self.agenda.now(), |task| matches!(task, Task::Scan { .. }));
        storage.scan_ns = (self.scanned + under_way).0;
        if let Some(sides) = &mut storage.sides {
            let under_way = self.processors.doing(self.agenda.now(), |task| matches!(task, Task::Search { .. }));
            sides.search_ns = (self.searched + under_way).0;
        }
        if let Some(contiguous) = &mut storage.contiguous {
            let under_way = self.processors.doing(self.agenda.now(), |task| matches!(task, Task::Coalesce { .. }));
            contiguous.coalesce_ns = (self.requests.looked + under_way).0;
        }
        storage
    }

    /// A guest, with its place in the scheduler's lists and its pages.
    pub(super) fn guest_snapshot(&self, guest: u32) -> GuestSnapshot {
        let (list, since, barrier, working_set_pages, share_ppm) = self.scheduler.place(guest);
        let [valid_pages, age_list_pages, reading_pages, dasd_pages] = self.storage.places(guest);
        let burst = |processor, cpu| self.processors.burst(self.agenda.now(), processor, cpu);
        GuestSnapshot {
            list,
            list_since_ns: since.0,
            barrier,
            working_set_pages,
            share_ppm,
            virtual_pages: self.storage.virtual_pages(guest),
            valid_pages,
            age_list_pages,
            below_pages: self.storage.below_pages(guest),
            reading_pages,
            expanded_pages: self.storage.expanded_pages(guest),
            dasd_pages,
            line_ns: self.connections.waited(self.agenda.now(), guest).0,
            ptil: self.ptil_snapshot(guest),
            ..self.guests.snapshot(self.agenda.now(), guest, &burst)
        }
    }

    /// The guest that waits for the I/O with this tag, and the page that it waits for.
    pub(super) fn who_waits(&self, tag: u32) -> (Option<u32>, Option<u64>) {
        match self.ios.waits(tag) {
            Some(Waits::Guest { guest, page }) => (Some(guest), Some(page)),
            Some(Waits::Cpu(cpu)) => (Some(self.guests.cpu(cpu).guest), None),
            None => (None, None),
        }
    }

    /// The logical processors, with the guests that run on them.
    pub(super) fn logical_snapshot(&self) -> Vec<LogicalSnapshot> {
        let guest = |cpu| self.guests.cpu(cpu).guest;
        self.processors.snapshot(self.agenda.now(), guest, |processor| self.dispatcher.vector(processor))
    }

    /// The page volumes with their slots, and the paging I/Os.
    pub(super) fn paging_snapshot(&self) -> PagingSnapshot {
        let mut volumes = self.devices.page_volumes(self.agenda.now());
        for (volume, (slots, used)) in volumes.iter_mut().zip(self.paging.slots()) {
            (volume.slots, volume.slots_used) = (slots, used);
        }
        PagingSnapshot { volumes, ios: self.devices.claimant(self.agenda.now(), Claimant::Paging) }
    }

    /// The minidisk volumes, the I/Os to them, and the minidisk cache.
    pub(super) fn minidisks_snapshot(&self) -> MinidisksSnapshot {
        let mut mdc = self.minidisks.snapshot();
        let under_way = self.processors.doing(self.agenda.now(), |task| matches!(task, Task::Invalidate { .. }));
        mdc.invalidate_ns = (self.invalidated + under_way).0;
        MinidisksSnapshot {
            volumes: self.devices.minidisk_volumes(self.agenda.now()),
            volume_count: self.minidisks.volume_count(),
            ios: self.devices.claimant(self.agenda.now(), Claimant::Mdisk),
            guest_ios: self.guests.ios(),
            cp_ns: self.minidisks.cp().0,
            mdc,
        }
    }
}
