//! The program of a guest: which page it touches next, and when it pauses for an I/O or to think.

use crate::kernel::rng::Generator;
use crate::scenario::{GuestGroup, PAGES_PER_MB, Pattern};

/// The program of one guest in its loop, the top part of its storage.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    first_page: u64,
    loop_pages: u64,
    position: u64,
    touched: u64,
    /// Where a random pattern goes next; none where pages come one after the other. A program fills its storage in order
    /// before it goes about at random.
    choice: Option<Generator>,
    references: u64,
    /// Pages of a cycle; none where the program never pauses.
    cycle_pages: Option<u64>,
    cycle_left: u64,
    think_ms: u32,
    think: Generator,
}

impl Program {
    /// The program of guest `index` of the host, one of `group`.
    pub fn new(group: &GuestGroup, index: u64, seed: u64) -> Self {
        let loop_pages = group.loop_mb * PAGES_PER_MB;
        let random = || Generator::new(seed, &format!("pages of guest {index}"));
        let cycle_pages = u64::from(group.cycle_pages);
        Program {
            first_page: group.virtual_mb * PAGES_PER_MB - loop_pages,
            loop_pages,
            position: 0,
            touched: 0,
            choice: (group.pattern == Pattern::Random).then(random),
            references: group.references.into(),
            cycle_pages: (group.io_records > 0 || group.think_ms > 0).then_some(cycle_pages),
            cycle_left: cycle_pages,
            think_ms: group.think_ms,
            think: Generator::new(seed, &format!("thoughts of guest {index}")),
        }
    }

    /// The page that is touched next.
    pub fn page(&self) -> u64 {
        self.first_page + self.position
    }

    /// Pages that follow one another from the next one on before the program goes elsewhere.
    pub fn run(&self) -> u64 {
        if self.at_random() { 1 } else { self.loop_pages - self.position }
    }

    /// Whether the next page follows from none before it.
    fn at_random(&self) -> bool {
        self.choice.is_some() && self.went_round()
    }

    /// Pages from the start of the loop to the next one.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Pages touched since the start of the run.
    pub fn touched(&self) -> u64 {
        self.touched
    }

    /// References to each page touched.
    pub fn references(&self) -> u64 {
        self.references
    }

    /// Whether as many pages have been touched as the loop has.
    pub fn went_round(&self) -> bool {
        self.touched >= self.loop_pages
    }

    /// Pages to the end of the cycle; without end where the program never pauses.
    pub fn cycle_left(&self) -> u64 {
        self.cycle_pages.map_or(u64::MAX, |_| self.cycle_left)
    }

    /// Whether the program pauses now.
    pub fn cycle_over(&self) -> bool {
        self.cycle_left() == 0
    }

    /// The pause is over: another cycle begins.
    pub fn begin_cycle(&mut self) {
        self.cycle_left = self.cycle_pages.unwrap_or(0);
    }

    /// How long the program thinks, in ns, if it does.
    pub fn think_ns(&mut self) -> Option<f64> {
        (self.think_ms > 0).then(|| self.think.exponential(f64::from(self.think_ms) * 1e6))
    }

    /// Goes on by `pages` pages, at most those that follow one another.
    pub fn advance(&mut self, pages: u64) {
        assert!(pages <= self.run(), "a program does not pass the end of its loop in one step");
        self.touched += pages;
        self.cycle_left = self.cycle_left.saturating_sub(pages);
        self.position = (self.position + pages) % self.loop_pages;
        if self.went_round()
            && let Some(choice) = &mut self.choice
        {
            self.position = choice.below(self.loop_pages);
        }
    }
}
