//! The barriers of the eligible list once more, for tests. This is written from the words of the rule, not from the code of
//! the room.
//!
//! STORBUF aaa bbb ccc are percentages of pageable storage. E1 must fit under aaa counting Q1+Q2+Q3 and itself; E2 also
//! under bbb counting Q2+Q3 and itself; E3 also under ccc counting Q3 and itself. Q0 enters without limit. The sums are of
//! working sets. Assumed here as in the room: classes go in order, and only the first of each counts; with nobody in Q1 to
//! Q3 the first may enter in any case; a guest with more than an average share stands as if it had come earlier.

/// Where a guest is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Whereabouts {
    Dormant,
    /// In the eligible list, with this class and this place in line, in ns.
    Eligible(u8, f64),
    /// In the dispatch list, or at its maximum share, with this class.
    Dispatch(u8),
}

/// A guest as the rule sees it.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    pub at: Whereabouts,
    pub working_set: u64,
    pub relative_share: u32,
}

/// The population and the barriers.
#[derive(Clone, Debug)]
pub struct Oracle {
    pub members: Vec<Member>,
    pub pageable: u64,
    pub storbuf: [u32; 3],
    /// Whether the level keeps guests in the eligible list at all.
    pub keeps: bool,
    /// Elapsed slices of the classes, ns.
    pub slices: [f64; 4],
}

/// Places in line that are this near to each other, in ns, count as the same: their values are rounded.
const SAME_PLACE: f64 = 2.0;

impl Oracle {
    /// Pages that the guests in the dispatch list with these classes claim.
    fn claimed(&self, classes: &[u8]) -> u64 {
        let of = |member: &Member| match member.at {
            Whereabouts::Dispatch(class) if classes.contains(&class) => member.working_set,
            _ => 0,
        };
        self.members.iter().map(of).sum()
    }

    /// Whether a guest of this class and with this working set may leave the eligible list.
    pub fn may_enter(&self, class: u8, working_set: u64) -> bool {
        let nobody = !self.members.iter().any(|member| matches!(member.at, Whereabouts::Dispatch(1..=3)));
        if !self.keeps || class == 0 || nobody {
            return true;
        }
        let [aaa, bbb, ccc] = self.storbuf.map(|percent| u64::from(percent) * self.pageable);
        let fits = |classes: &[u8], barrier: u64| (self.claimed(classes) + working_set) * 100 <= barrier;
        match class {
            1 => fits(&[1, 2, 3], aaa),
            2 => fits(&[1, 2, 3], aaa) && fits(&[2, 3], bbb),
            _ => fits(&[1, 2, 3], aaa) && fits(&[2, 3], bbb) && fits(&[3], ccc),
        }
    }

    /// The guests that may be first in line in a class. There is more than one only because of rounding.
    fn first(&self, class: u8) -> Vec<usize> {
        let place = |member: &Member| match member.at {
            Whereabouts::Eligible(of, place) if of == class => Some(place),
            _ => None,
        };
        let Some(first) = self.members.iter().filter_map(place).min_by(f64::total_cmp) else { return Vec::new() };
        let near = |member: &Member| place(member).is_some_and(|place| place <= first + SAME_PLACE);
        (0..self.members.len()).filter(|&index| near(&self.members[index])).collect()
    }

    /// Whether it is right that `admitted`, or nobody, leaves the eligible list next.
    pub fn is_right(&self, admitted: Option<usize>) -> bool {
        let fits = |&index: &usize| match self.members[index].at {
            Whereabouts::Eligible(class, _) => self.may_enter(class, self.members[index].working_set),
            _ => false,
        };
        for class in 0..4 {
            let first = self.first(class);
            if admitted.is_some_and(|admitted| first.contains(&admitted)) {
                return fits(&admitted.unwrap_or_default());
            }
            if !first.is_empty() && first.iter().all(fits) {
                return false; // One of these is next, and it was passed over.
            }
        }
        admitted.is_none()
    }

    /// A guest enters the eligible list.
    pub fn comes(&mut self, index: usize, now: u64, class: u8) {
        let in_dispatch = |member: &&Member| matches!(member.at, Whereabouts::Dispatch(_));
        let others: u32 = self.members.iter().filter(in_dispatch).map(|member| member.relative_share).sum();
        let count = self.members.iter().filter(in_dispatch).count() as f64 + 1.0;
        let own = f64::from(self.members[index].relative_share);
        // Its share against the mean share in the dispatch list, including its own.
        let against_mean = own * count / (f64::from(others) + own);
        let place = now as f64 + self.slices[usize::from(class)] / against_mean;
        self.members[index].at = Whereabouts::Eligible(class, place);
    }
}
