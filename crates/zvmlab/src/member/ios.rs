//! I/Os under way at a member: what each is for, and who waits for it.

use super::moving::Reader;
use crate::kernel::slab::Slab;
use crate::minidisk::GuestIo;
use crate::snapshot::GuestState;
use crate::storage::{Part, Read};

/// What an I/O is for.
#[derive(Clone, Debug)]
pub(super) enum Purpose {
    /// The waiters need this read. Most of its pages are for the first of them.
    Read { waiters: Vec<Reader>, read: Read },
    /// Blocks on their way to DASD.
    Write { parts: Vec<Part> },
    /// Pages that migrate from expanded storage.
    Migration { pages: u32 },
    /// `cpu` waits for its guest's minidisk.
    Minidisk { cpu: u32, io: GuestIo },
}

/// Who waits for an I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waits {
    /// A guest, for this page.
    Guest { guest: u32, page: u64 },
    /// A virtual CPU, for its minidisk.
    Cpu(u32),
}

/// What each I/O is for, by its tag.
#[derive(Clone, Debug, Default)]
pub(super) struct Ios {
    purposes: Slab<Purpose>,
    /// Reads that relocations have asked for, whether they are under way or wait for frames.
    pub for_relocations: u32,
}

impl Ios {
    /// Begins an I/O and returns its tag.
    pub fn begin(&mut self, purpose: Purpose) -> u32 {
        self.purposes.put(purpose)
    }

    /// An I/O has ended. Returns what it was for.
    pub fn end(&mut self, tag: u32) -> Purpose {
        self.purposes.take(tag)
    }

    /// Which virtual CPU or guest waits for the I/O with this tag, and at which page.
    pub fn waits(&self, tag: u32) -> Option<Waits> {
        match self.purposes.get(tag)? {
            Purpose::Read { read, .. } => {
                let part = read.parts.first()?;
                Some(Waits::Guest {
                    guest: part.guest,
                    page: u64::from(part.word) * 64 + u64::from(part.mask.trailing_zeros() % 64),
                })
            }
            Purpose::Minidisk { cpu, .. } => Some(Waits::Cpu(*cpu)),
            Purpose::Write { .. } | Purpose::Migration { .. } => None,
        }
    }

    /// Whether a page is being read already. If so, `waiter` waits for that read.
    pub fn join_read(&mut self, guest: u32, page: u64, waiter: Reader) -> bool {
        let (word, bit) = ((page / 64) as u32, 1 << (page % 64));
        let holds = |part: &Part| (part.guest, part.word) == (guest, word) && part.mask & bit != 0;
        let under_way = self.purposes.iter_mut().find_map(|purpose| match purpose {
            Purpose::Read { read, waiters } if read.parts.iter().any(holds) => Some(waiters),
            _ => None,
        });
        under_way.is_some_and(|waiters| {
            waiters.push(waiter);
            true
        })
    }

    /// Leaves out of `read` what another read brings in already. In the block of the wanted page it drops only those pages;
    /// of the blocks behind, it drops the first that holds such a page and all after it.
    pub fn leave_out_of(&self, read: &mut Read) {
        let (first, behind) = read.parts.split_at_mut(1);
        first[0].mask &= !self.being_read(&first[0]);
        let free = 1 + behind.iter().take_while(|part| self.being_read(part) == 0).count();
        read.parts.truncate(free);
    }

    /// Pages of `part` that are being read.
    pub fn being_read(&self, part: &Part) -> u64 {
        let parts = self.purposes.iter().flat_map(|purpose| match purpose {
            Purpose::Read { read, .. } => &read.parts[..],
            _ => &[],
        });
        let same = parts.filter(|other| (other.guest, other.word) == (part.guest, part.word));
        same.fold(0, |mask, other| mask | other.mask) & part.mask
    }

    /// Checks that the virtual CPUs that wait here are those in each waiting state, as `in_state` counts them.
    pub fn verify(&self, in_state: impl Fn(GuestState) -> usize) {
        let cpus = |waiters: &[Reader]| waiters.iter().filter(|waiter| matches!(waiter, Reader::Cpu(_))).count();
        let waited_for = |kind: &dyn Fn(&Purpose) -> usize| self.purposes.iter().map(kind).sum::<usize>();
        let for_pages =
            waited_for(&|purpose: &Purpose| if let Purpose::Read { waiters, .. } = purpose { cpus(waiters) } else { 0 });
        assert_eq!(for_pages, in_state(GuestState::PageWait), "every virtual CPU in page wait waits for one read");
        let for_ios = waited_for(&|purpose| usize::from(matches!(purpose, Purpose::Minidisk { .. })));
        assert_eq!(for_ios, in_state(GuestState::IoWait), "every virtual CPU in I/O wait has one I/O under way");
    }
}
