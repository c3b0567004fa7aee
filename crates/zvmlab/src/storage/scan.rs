//! A visit of demand scan to a guest's list of frames, and the reorder of that list.

use super::bits::nth_bit;
use super::order::{Order, Sorted};
use super::pages::Pages;
use super::room::{Looks, Seen, Side};

/// What a visit is to find.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// How many pages.
    pub pages: u32,
    /// The size of blocks, if the visit goes on to the end of the block that it has begun.
    pub whole: Option<u32>,
    /// On which side of 2 GB their frames stand. It passes over the others.
    pub side: Side,
    /// How many frames it passes over at most. Then it takes pages of either side.
    pub passes: u64,
    /// Whether it takes pages whatever their reference bits say.
    pub touched_too: bool,
}

impl Pages {
    /// A visit of demand scan. It takes pages that were not touched from the front of the frame-owned list, makes them invalid and
    /// hands them to `take`; `see` is told of each word that it looks at. It ends when it has at least the pages that are wanted or has
    /// gone through the list once. Touched pages get another round: from 6.3 on because the visit resets their bits, before because
    /// the next reorder does. See [`Order`].
    pub fn scan(&mut self, wanted: Wanted, see: impl FnMut(Seen), take: impl FnMut(u32, u64)) -> Looks {
        let is_plain = matches!(self.order, Order::AsItLooks) && matches!(wanted.side, Side::Any) && !wanted.touched_too;
        if is_plain { self.look_through::<true>(wanted, see, take) } else { self.look_through::<false>(wanted, see, take) }
    }

    /// The visit. `PLAIN` is one for untouched pages of either side, with bits that it resets itself: all visits from 6.3 on. There the
    /// compiler leaves out what other visits ask at each word.
    #[inline(always)]
    fn look_through<const PLAIN: bool>(
        &mut self,
        wanted: Wanted,
        mut see: impl FnMut(Seen),
        mut take: impl FnMut(u32, u64),
    ) -> Looks {
        let mut looks = Looks::default();
        let mut left = wanted.pages;
        let by_bits = PLAIN || !wanted.touched_too && !matches!(self.order, Order::AsTheyCame);
        // A list that was reordered has two parts.
        let parts = if !PLAIN && self.order.sorted().is_some() { 2 } else { 1 };
        let mut words = parts * self.owned.len();
        while left > 0 && words > 0 {
            if !PLAIN && by_bits && self.order.wants_reorder() {
                break;
            }
            words -= 1;
            let Some(word) = self.owned.pop_front() else { break };
            let here = if PLAIN || looks.passed >= wanted.passes { u64::MAX } else { self.on(wanted.side, word) };
            let sorted = if PLAIN { None } else { self.order.sorted() };
            let of_turn = sorted.filter(|_| by_bits).map_or(u64::MAX, |sorted| sorted.looks_at(word));
            let state = &mut self.words[word as usize];
            let seen = state.valid & of_turn;
            looks.all += u64::from(seen.count_ones());
            looks.passed += u64::from((seen & !here).count_ones());
            let idle = seen & here & if by_bits { !state.referenced } else { u64::MAX };
            let limit = wanted.whole.map_or(left, |block| left.next_multiple_of(block));
            let taken = if idle.count_ones() > limit { idle & (nth_bit(idle, limit.into()) - 1) } else { idle };
            see(Seen { frames: seen, wanted: here, taken });
            state.valid &= !taken;
            state.invalid |= taken;
            let (gone, done) = (state.valid == 0, idle == taken);
            if gone {
                state.listed = false;
            } else if done && (PLAIN || matches!(self.order, Order::AsItLooks)) {
                // All pages left were touched: they get another round.
                state.referenced &= !(state.valid & here);
                self.stir(word, here);
            }
            self.stir(word, taken);
            match (gone, done) {
                (true, _) => {}
                (false, true) => self.owned.push_back(word),
                (false, false) => self.owned.push_front(word), // The next visit goes on here.
            }
            let listed = self.owned.len();
            if !PLAIN && let Some(sorted) = self.order.sorted() {
                sorted.strike(word, taken | seen & !here);
                if done {
                    sorted.next_word(listed);
                }
            }
            if taken != 0 {
                let count = taken.count_ones();
                self.valid_count -= u64::from(count);
                self.invalid_count += u64::from(count);
                left = left.saturating_sub(count);
                take(word, taken);
            }
        }
        looks
    }

    /// CP has reordered the list: pages that were not touched since it last did come to the front, and all reference bits are reset.
    pub fn reorder(&mut self) {
        let front = self.words.iter().map(|word| word.valid & !word.referenced).collect();
        let listed = self.owned.len();
        if let Some(sorted) = self.order.sorted() {
            *sorted = Sorted::new(front, listed);
            self.reset_references();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A guest that is here and has touched all of its pages.
    fn touched(page_count: u64, order: Order) -> Pages {
        let mut pages = Pages::new(page_count);
        pages.order = order;
        pages.build();
        pages.touch(0, page_count, page_count, |_| u64::MAX);
        pages
    }

    fn wanted(pages: u32) -> Wanted {
        Wanted { pages, whole: None, side: Side::Any, passes: u64::MAX, touched_too: false }
    }

    /// The pages that a visit takes.
    fn taken(pages: &mut Pages, wanted: Wanted) -> Vec<u32> {
        let mut taken = Vec::new();
        pages.scan(wanted, |_| (), |word, mask| taken.extend(super::super::bits::bits(mask).map(|bit| word * 64 + bit)));
        pages.verify();
        taken
    }

    #[test]
    fn scan_gives_touched_pages_another_round() {
        let mut pages = touched(256, Order::AsItLooks);
        let mut taken = Vec::new();
        let looked_at = pages.scan(wanted(80), |_| (), |word, mask| taken.push((word, mask))).all;
        assert_eq!((looked_at, taken.len()), (256, 0), "all were touched: the visit only notes that it has seen them");
        let looked_at = pages.scan(wanted(80), |_| (), |word, mask| taken.push((word, mask))).all;
        assert_eq!(looked_at, 128, "two words");
        assert_eq!(taken, [(0, u64::MAX), (1, 0xffff)]);
        assert_eq!((pages.valid_count, pages.invalid_count), (176, 80));
        pages.verify();
        // The walk reaches a page on the age list and makes it valid again.
        assert_eq!(pages.touch(0, 10, 0, |_| 0).revalidated, 10);
        pages.verify();
    }

    #[test]
    fn a_visit_of_whole_blocks_ends_at_a_block() {
        let mut pages = touched(256, Order::AsItLooks);
        let wanted = Wanted { whole: Some(32), ..wanted(80) };
        assert_eq!(taken(&mut pages, wanted).len(), 0, "all were touched");
        assert_eq!(taken(&mut pages, wanted).len(), 96);
    }

    /// The words of `storage/order.rs`, one after the other.
    #[test]
    fn only_a_reorder_tells_demand_scan_which_pages_were_touched() {
        let mut pages = touched(256, Order::ByReorder(Sorted::default()));
        assert!(pages.order.wants_reorder(), "no list is in order before its first reorder");
        assert_eq!(taken(&mut pages, wanted(300)), [0; 0]);
        pages.reorder();
        // All were touched before; those that are touched again stay, however often demand scan looks.
        pages.touch(0, 200, 0, |_| 0);
        assert_eq!(taken(&mut pages, wanted(10)), Vec::from_iter(200..210));
        assert_eq!(taken(&mut pages, wanted(300)), Vec::from_iter(210..256));
        assert!(pages.order.wants_reorder(), "the list was gone through");
        assert_eq!(taken(&mut pages, wanted(300)), [0; 0]);
        // Pages 0 to 199 were touched since the last reorder. Since this one, 0 to 99 are.
        pages.reorder();
        pages.touch(0, 100, 0, |_| 0);
        assert_eq!(taken(&mut pages, wanted(20)), Vec::from_iter(100..120));
        // 120 to 199 were not touched between the last two reorders: they are at the front. The others follow as demand scan left them.
        pages.reorder();
        assert_eq!(taken(&mut pages, wanted(81)), Vec::from_iter((120..200).chain([64])));
        assert_eq!(taken(&mut pages, wanted(300)), Vec::from_iter((65..100).chain(0..64)));
    }

    #[test]
    fn the_last_resort_and_a_list_without_reorder_go_by_the_order_of_the_list() {
        for order in [Order::AsItLooks, Order::ByReorder(Sorted::default()), Order::AsTheyCame] {
            let mut pages = touched(256, order);
            assert_eq!(taken(&mut pages, Wanted { touched_too: true, ..wanted(100) }), Vec::from_iter(0..100));
        }
        let mut pages = touched(256, Order::AsTheyCame);
        pages.reorder();
        assert_eq!(taken(&mut pages, wanted(100)), Vec::from_iter(0..100));
        assert!(!pages.order.wants_reorder());
    }

    /// One of so many frames is wanted, and stands anywhere in the list: who looks for one looks at so many.
    #[test]
    fn a_search_is_as_long_as_one_by_the_share_of_wanted_frames() {
        let mut draw = crate::kernel::rng::Generator::new(7, "frames below");
        for one_of in [1, 2, 5, 17, 100] {
            let mut pages = touched(1 << 19, Order::AsItLooks);
            pages.reset_references();
            pages.below = vec![0; pages.words.len()];
            for page in (0..1 << 19).filter(|_| draw.below(one_of) == 0) {
                pages.below[page / 64] |= 1 << (page % 64);
                pages.below_count += 1;
            }
            let mut found = 0;
            let wanted = Wanted { side: Side::Below, ..wanted(4_000) };
            let looks = pages.scan(wanted, |_| (), |_, mask| found += u64::from(mask.count_ones()));
            let length = looks.all as f64 / found as f64;
            // The sum of 4,000 waits, each geometric: its error is 1.6 %.
            assert!((length / one_of as f64 - 1.0).abs() < 0.06, "{length} frames for each found, one of {one_of} wanted");
            assert!(looks.all - looks.passed - found < 64, "what it does not take, it passes over, up to its last word");
        }
    }

    /// A search for frames below 2 GB puts what it passes over at the front behind the rest; demand scan finds those pages in the same round.
    #[test]
    fn what_a_search_passes_over_at_the_front_is_not_lost() {
        let mut pages = Pages::new(128);
        pages.sided = true;
        pages.order = Order::ByReorder(Sorted::default());
        pages.build();
        pages.room = super::super::room::Room { above: 64, below: 64, ..Default::default() };
        pages.touch(0, 128, 128, |_| 0);
        // The second makes them untouched ones: all are at the front.
        pages.reorder();
        pages.reorder();
        assert_eq!(taken(&mut pages, Wanted { side: Side::Below, ..wanted(64) }), Vec::from_iter(64..128));
        assert_eq!(taken(&mut pages, wanted(64)), Vec::from_iter(0..64));
    }
}
