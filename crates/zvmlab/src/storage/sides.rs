//! Frames below 2 GB and above: where they stand matters to levels before z/VM 6.2.
//!
//! - z/VM 5.1 does a guest's I/O only to pages below 2 GB. A page that is above moves first, and stays below until it is taken away
//!   (5.2 regression page: "All page frames related to these Linux I/Os are required to be below 2G"). So does a page that CP itself
//!   works on for a service: through 5.1 one that CP needed had to be below. How many pages a service needs is assumed: one.
//! - From 5.2 on nothing has to be below, and CP's frame table stands above ("was moved above 2G"). Whoever wants a frame gets one
//!   above 2 GB as long as there is one; assumed, also of 5.1: of the pages of a host that does not page, 475 were below on 5.2.
//! - 6.2 has no pageable buffers below where there is much more storage above, and from 128 GB on uses what is below only where the
//!   architecture requires it. The model tells the two apart no more from there on (assumed for smaller hosts).
//!
//! When frames below are lacking, CP seeks pages that have some, in lists that also hold pages above: the fewer the wanted ones, the
//! longer the search. From 5.2 on it is frames above that are lacking where storage is short, and demand scan passes over those below
//! (5.2 regression page: such a host "can have more available storage below 2G than above 2G, which can lead to a constraint for above-2G
//! frames", and "an increase in the demand scan processing"; that this is how is assumed). To pass over a frame is to look at it.

use std::collections::VecDeque;

use super::bits::{low_bits, nth_bit};
use super::room::{Looks, Room, Seen, Side};
use super::scan::Wanted;
use super::turns::Turns;
use super::{Pages, Part, Storage};
use crate::constants::Constants;
use crate::scenario::{Mechanism, Scenario};
use crate::snapshot::{Look, LookRun, SidesSnapshot};

/// The frames of a host by the side of the line on which they stand.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    /// Whether the host tells the two apart: its level does, and it has frames on both sides.
    pub told: bool,
    /// Whether CP works on pages below only, and does guests' I/O only there.
    only_below: bool,
    /// Available frames below, of all that are available.
    pub available_below: u64,
    /// Frames below that the minidisk cache was lent, or CP by a request for contiguous ones.
    lent_below: u64,
    /// The part of the frames for guests' pages that CP takes from below without need, in percent, and what of it is not given yet.
    below_percent: u64,
    owed: u64,
    /// Whether CP lacked frames below, until there are enough of them again.
    short: bool,
    /// How many that is.
    enough: u64,
    /// What of the lower threshold of the available list falls to frames below, by their part of guests' frames.
    low_below: u64,
    /// Whose turn it is with searches.
    turns: Turns,
    /// Pages below that were sought, with the next to be reclaimed first. All are written or on their way.
    sought: VecDeque<Part>,
    /// Frames that searches have looked at and for which no time is booked yet.
    looks: u64,
    /// What the latest search saw, frame by frame.
    trail: Trail,
    /// Whether it was demand scan's, for frames above.
    for_above: bool,
    /// What demand scan has seen on its way to frames above since it began to look for pages.
    under_way: Trail,
    counts: SidesSnapshot,
}

impl Sides {
    /// The sides of a host.
    pub fn new(scenario: &Scenario, constants: &Constants) -> Sides {
        let Some((cp_below, available_below)) = scenario.frames_below(constants) else { return Sides::default() };
        let pageable = scenario.guest_frames(constants);
        Sides {
            told: true,
            only_below: scenario.has(Mechanism::IoBelow),
            below_percent: scenario.puts_below(constants).into(),
            available_below,
            // An I/O goes to as many pages as a word has, at most.
            enough: constants.low_threshold(available_below).min(available_below / 2).max(u64::BITS.into()),
            low_below: constants.low_threshold(pageable) * available_below / pageable,
            turns: Turns::new(scenario.guest_count() as usize),
            counts: SidesSnapshot { frames_below: constants.frames_below, cp_below, ..SidesSnapshot::default() },
            ..Sides::default()
        }
    }

    /// On which side demand scan takes pages. Whoever wants a frame gets one above as long as there is one, so those run out first,
    /// while below some are left. From 5.2 on, which wants none below, demand scan then passes over pages below as long as no fewer
    /// frames are available there than their part of the lower threshold, up to a number for each visit (both assumed). `begins` says
    /// that it is about to look for pages.
    pub fn scan_side(&mut self, begins: bool) -> Side {
        if !self.told || self.only_below || self.available_below < self.low_below {
            return Side::Any;
        }
        // Where CP seeks frames below, too, those are the searches that are worth a picture.
        if begins && self.counts.looked_at == 0 {
            let seen = std::mem::take(&mut self.under_way);
            // One that came upon frames above at once shows nothing of the way to them.
            if seen.passed > 0 || self.trail.passed == 0 && seen.frames > 0 {
                (self.trail, self.for_above) = (seen, true);
            }
        }
        Side::Above
    }

    /// Where what demand scan sees on its way to frames above is noted.
    pub fn trail(&mut self) -> &mut Trail {
        &mut self.under_way
    }

    /// The frames that are available, of `available` in all.
    pub fn room(&self, available: u64) -> Room {
        let &Sides { available_below: below, below_percent, owed, .. } = self;
        match self.told {
            true => Room { above: available - below, below, below_percent, owed },
            false => Room::default(),
        }
    }

    /// Guests take frames, of which `below` are below.
    pub fn take(&mut self, below: u64) {
        self.available_below -= below;
        self.counts.resident_below += below;
    }

    /// Guests have taken frames, and `left` of those that were available are left.
    pub fn settle(&mut self, left: Room) {
        if self.told {
            self.owed = left.owed;
            self.take(self.available_below - left.below);
        }
    }

    /// Frames below that guests had are available.
    pub fn give_back(&mut self, below: u64) {
        self.available_below += below;
        self.counts.resident_below -= below;
    }

    /// The minidisk cache, or a request for contiguous frames, is lent frames, of `available` in all: above as far as there are any.
    pub fn lend(&mut self, available: u64, frames: u64) {
        if self.told {
            let below = self.room(available).take(frames);
            self.available_below -= below;
            self.lent_below += below;
        }
    }

    /// They give back so many frames, those below first (assumed).
    pub fn take_back(&mut self, frames: u64) {
        let below = self.lent_below.min(frames);
        self.lent_below -= below;
        self.available_below += below;
    }

    /// A search has looked at frames to find `found`.
    fn searched(&mut self, looks: Looks, found: u64, trail: Trail) {
        (self.trail, self.for_above) = (trail, false);
        self.counts.looked_at += looks.all;
        self.counts.found += found;
        self.looks += looks.all;
    }

    /// The snapshot; none where the two are not told apart.
    pub fn snapshot(&self) -> Option<SidesSnapshot> {
        self.told.then(|| SidesSnapshot {
            available_below: self.available_below,
            last_search: self.trail.runs.clone(),
            last_for_above: self.for_above,
            ..self.counts.clone()
        })
    }
}

/// The first frames that a search looked at, in its order.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    runs: Vec<LookRun>,
    /// How many frames they are, and how many of them it passed over.
    frames: u32,
    passed: u32,
}

/// So many frames of a search are kept. Chosen: what a picture has room for.
const SHOWN_OF_A_SEARCH: u32 = 240;

impl Trail {
    /// Another visit begins. What is kept begins with the first that passes over frames.
    pub fn begin_visit(&mut self) {
        if self.passed == 0 {
            *self = Trail::default();
        }
    }

    /// Notes what was seen of a word.
    pub fn see(&mut self, Seen { frames, wanted, taken }: Seen) {
        let mut frames = frames;
        while frames != 0 && self.frames < SHOWN_OF_A_SEARCH {
            let bit = frames & frames.wrapping_neg();
            let look = match (wanted & bit != 0, taken & bit != 0) {
                (false, _) => Look::OtherSide,
                (true, false) => Look::InUse,
                (true, true) => Look::Found,
            };
            match self.runs.last_mut() {
                Some(run) if run.look == look => run.frames += 1,
                _ => self.runs.push(LookRun { look, frames: 1 }),
            }
            frames ^= bit;
            self.frames += 1;
            self.passed += u32::from(look == Look::OtherSide);
        }
    }
}

impl Pages {
    /// Gives the pages of a word frames of those in `room`.
    pub(super) fn place(&mut self, word: u32, mask: u64, room: &mut Room) {
        let Some(bits) = self.below.get_mut(word as usize) else { return };
        let all: u64 = mask.count_ones().into();
        let count = room.take(all);
        let lower = if count > 0 { mask & !(nth_bit(mask, all - count) - 1) } else { 0 };
        *bits = *bits & !mask | lower;
        self.below_count += count;
    }

    /// The pages of a word lose their frames. Returns how many stood below.
    pub(super) fn displace(&mut self, word: u32, mask: u64) -> u64 {
        let Some(bits) = self.below.get_mut(word as usize) else { return 0 };
        let lower = *bits & mask;
        *bits &= !mask;
        let count = lower.count_ones().into();
        self.below_count -= count;
        count
    }

    /// The pages of a word whose frames are on this side.
    pub(super) fn on(&self, side: Side, word: u32) -> u64 {
        let below = || self.below.get(word as usize).copied().unwrap_or(0);
        match side {
            Side::Any => u64::MAX,
            Side::Below => below(),
            Side::Above => !below(),
        }
    }
}

impl Storage {
    /// Frames of the available list go to the pages of a part.
    pub(super) fn place(&mut self, part: Part) {
        let mut room = self.sides.room(self.counts.available_frames);
        self.guests[part.guest as usize].place(part.word, part.mask, &mut room);
        self.sides.settle(room);
    }

    /// Whether pages that CP works on, or does I/O to, have to be below 2 GB.
    pub fn cp_below(&self) -> bool {
        self.sides.told && self.sides.only_below
    }

    /// The pages of a range that would have to move below 2 GB, word by word: those in frames above that are not being written.
    fn range_to_move(&self, guest: u32, from: u64, pages: u64) -> impl Iterator<Item = (u32, u64)> + use<'_> {
        let to = from + pages;
        let guest = &self.guests[guest as usize];
        (from / 64..to.div_ceil(64)).filter_map(move |word| {
            let (first, last) = (from.max(word * 64) - word * 64, to.min(word * 64 + 64) - word * 64);
            let state = guest.words.get(word as usize)?;
            let mask = low_bits(last) & !low_bits(first) & (state.valid | state.invalid) & !state.writing;
            let mask = mask & guest.on(Side::Above, word as u32);
            (mask != 0).then_some((word as u32, mask))
        })
    }

    /// How many pages of a range would have to move below 2 GB.
    pub fn above_for_cp(&self, guest: u32, from: u64, pages: u64) -> u64 {
        self.range_to_move(guest, from, pages).map(|(_, mask)| u64::from(mask.count_ones())).sum()
    }

    /// Moves the pages of a range below 2 GB, so that CP can work on them. Pages that are not in frames stay where they are.
    /// Returns `false` and does nothing if too few frames below are available.
    pub fn move_below(&mut self, guest: u32, from: u64, pages: u64) -> bool {
        let moves: Vec<(u32, u64)> = self.range_to_move(guest, from, pages).collect();
        let count = moves.iter().map(|(_, mask)| u64::from(mask.count_ones())).sum();
        if self.sides.available_below < count {
            self.sides.short = true;
            return false;
        }
        for (word, mask) in moves {
            let pages = &mut self.guests[guest as usize];
            pages.below[word as usize] |= mask;
            pages.below_count += u64::from(mask.count_ones());
        }
        self.sides.take(count);
        self.sides.counts.moved += count;
        true
    }

    /// Where CP lacked frames below 2 GB: seeks pages below, and reclaims their frames. Blocks to be written go to `write`. Returns
    /// whether a write holds up frames.
    pub(super) fn replenish_below(&mut self, write: &mut Vec<Part>) -> bool {
        // What CP puts below without need can stand above: nobody waits for that.
        let wishes = self.sides.below_percent > 0 && self.sides.available_below <= self.sides.enough / 2;
        if !self.sides.short && !wishes {
            return false;
        }
        self.reclaim_sought(write);
        let coming: u64 = self.sides.sought.iter().map(|part| u64::from(self.on_the_way(*part).count_ones())).sum();
        // One search for many frames, not one for each page that somebody touches while it is written.
        let there = self.sides.available_below + coming;
        if there <= self.sides.enough / 2 {
            self.seek_below(self.sides.enough - there, write);
            self.reclaim_sought(write);
        }
        self.sides.short &= self.sides.available_below < self.sides.enough;
        self.sides.short
    }

    /// The pages of a part that was sought whose frames can still be had.
    fn still_sought(&self, part: Part) -> u64 {
        let pages = &self.guests[part.guest as usize];
        pages.words.get(part.word as usize).map_or(0, |state| part.mask & state.invalid) & pages.on(Side::Below, part.word)
    }

    /// Those of them that are clean or being written.
    fn on_the_way(&self, part: Part) -> u64 {
        let state = self.guests[part.guest as usize].words.get(part.word as usize);
        self.still_sought(part) & state.map_or(0, |state| state.writing | !state.changed)
    }

    /// Reclaims the frames of pages that were sought, where they need not be written first. The first that is not on its way to DASD,
    /// as it found page space full or was changed again, gets another try.
    fn reclaim_sought(&mut self, write: &mut Vec<Part>) {
        let mut sought = std::mem::take(&mut self.sides.sought);
        sought.retain_mut(|part| {
            part.mask = self.still_sought(*part);
            part.mask = self.reclaim_part(*part);
            part.mask != 0
        });
        self.sides.sought = sought;
        if let Some(&part) = self.sides.sought.iter().find(|part| self.on_the_way(**part) == 0) {
            self.form_blocks(part, write);
        }
    }

    /// Seeks `want` pages below 2 GB: in the lists of guests outside the dispatch list, then of all, then on the age list. In the end it
    /// takes pages that were touched, and if somebody waits for a frame, goes past SET RESERVED, as the last pass of demand scan does.
    fn seek_below(&mut self, want: u64, write: &mut Vec<Part>) {
        let (mut found, mut looks, mut count, mut trail) = (Vec::new(), Looks::default(), 0, Trail::default());
        for pass in Pass::ALL {
            if pass == Pass::LastResort && count == 0 {
                count += self.seek_on_age_list(want, (&mut looks, &mut trail), &mut found);
            }
            let goes = match pass {
                Pass::Outside => self.passes.are_made && self.passes.outside_count > 0,
                Pass::All => true,
                Pass::Rest | Pass::LastResort => count == 0,
            };
            let mut fruitless = 0;
            while goes && count < want && fruitless < 2 * self.guests.len() {
                let guests = &self.guests;
                let guest = self.sides.turns.next(fruitless > 0, |guest| guests[guest].below_count) as u32;
                let before = count;
                if self.is_worth_a_visit(guest, pass) {
                    let past_reserve = pass == Pass::LastResort && self.sides.short;
                    let kept = if past_reserve { 0 } else { self.reserved[guest as usize] };
                    let pages = self.visit(self.spare(guest, kept)).0;
                    let see = |seen| trail.see(seen);
                    let wanted = Wanted {
                        pages,
                        whole: None,
                        side: Side::Below,
                        passes: u64::MAX,
                        touched_too: pass == Pass::LastResort,
                    };
                    let seen = self.guests[guest as usize].scan(wanted, see, |word, mask| {
                        count += u64::from(mask.count_ones());
                        found.push(Part { guest, word, mask });
                    });
                    self.note_visit(guest, seen.all, count - before);
                    looks.all += seen.all;
                }
                fruitless = if count == before { fruitless + 1 } else { 0 };
            }
        }
        self.sides.searched(looks, count, trail);
        let mut room = self.expanded.room();
        for part in found {
            // What goes to expanded storage need not be written.
            match room.checked_sub(u64::from(part.pages())) {
                Some(left) => room = left,
                None => self.form_blocks(part, write),
            }
            self.sides.sought.push_back(part);
        }
    }

    /// Seeks up to `want` pages below 2 GB, or a few more, that are on the age list, not being written, and not sought already. Returns
    /// how many it found.
    fn seek_on_age_list(&self, want: u64, (looks, trail): (&mut Looks, &mut Trail), found: &mut Vec<Part>) -> u64 {
        let mut count = 0;
        for part in &self.age_list {
            if count >= want {
                break;
            }
            let pages = &self.guests[part.guest as usize];
            let state = &pages.words[part.word as usize];
            let held = part.mask & state.invalid;
            let of_word = |other: &&Part| (other.guest, other.word) == (part.guest, part.word);
            let known = self.sides.sought.iter().chain(&*found).filter(of_word).fold(0, |mask, other| mask | other.mask);
            let mask = held & pages.on(Side::Below, part.word) & !state.writing & !known;
            trail.see(Seen { frames: held, wanted: pages.on(Side::Below, part.word), taken: mask });
            looks.all += u64::from(held.count_ones());
            if mask != 0 {
                count += u64::from(mask.count_ones());
                found.push(Part { mask, ..*part });
            }
        }
        count
    }

    /// Whether CP seeks frames below 2 GB in the list of a guest. Where there are fewer than a visit takes, it would go
    /// through the whole list for the last of them; so it does that only where no other guest has any (assumed).
    fn is_worth_a_visit(&self, guest: u32, pass: Pass) -> bool {
        let least = if pass == Pass::Rest || pass == Pass::LastResort { 1 } else { self.visit_pages.into() };
        self.is_here(guest)
            && (pass != Pass::Outside || self.passes.outside[guest as usize])
            && self.guests[guest as usize].below_count >= least
    }

    /// Pages of `guest` in frames below 2 GB; none where the sides are not told apart.
    pub fn below_pages(&self, guest: u32) -> u64 {
        self.guests[guest as usize].below_count
    }

    /// Takes the pages of `guest` from those that were sought.
    pub(super) fn strike_sought(&mut self, guest: u32) {
        self.sides.sought.retain(|part| part.guest != guest);
    }

    /// Frames that CP has looked at in its searches and has not yet spent its time on, if any.
    pub fn searched(&mut self) -> Option<u64> {
        (self.sides.looks > 0).then(|| std::mem::take(&mut self.sides.looks))
    }

    /// Checks the frames of both sides.
    pub(super) fn verify_sides(&self) {
        let sides = &self.sides;
        if sides.told {
            let counted = |pages: &Pages| pages.below.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            assert!(self.guests.iter().all(|pages| counted(pages) == pages.below_count), "a guest's frames below 2 GB");
            let held: u64 = self.guests.iter().map(|pages| pages.below_count).sum();
            assert_eq!(held, sides.counts.resident_below, "frames below 2 GB");
        }
    }
}

/// A pass of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// Guests outside the dispatch list.
    Outside,
    /// All guests.
    All,
    /// All guests, also those with few such frames.
    Rest,
    /// The same, and pages that were touched. SET RESERVED does not count where somebody waits.
    LastResort,
}

impl Pass {
    const ALL: [Pass; 4] = [Pass::Outside, Pass::All, Pass::Rest, Pass::LastResort];
}
