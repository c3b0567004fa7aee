//! The program of a virtual CPU: which page it touches next, and when it pauses for an I/O or to think.

use crate::kernel::rng::Generator;
use crate::kernel::time::Span;
use crate::scenario::{GuestGroup, PAGES_PER_MB, Pattern, Role, Tenths};

/// The program of one virtual CPU in its part of the guest's loop, which is the top part of the guest's storage.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    first_page: u64,
    loop_pages: u64,
    /// Pages at the start of its part that it keeps touching once it has touched all of it.
    active_pages: u64,
    /// How many of a hundred random touches go to them; the others go to the rest of its part.
    active_percent: u64,
    position: u64,
    touched: u64,
    /// Draws the next page, or file, of a random pattern; none where pages come one after the other. A program first fills its storage
    /// in order, and then picks pages at random.
    choice: Option<Generator>,
    /// Whether it picks whole files: the pages of a cycle, one after the other.
    by_files: bool,
    references: u64,
    /// Pages of a cycle; none where the program never pauses.
    cycle_pages: Option<u64>,
    cycle_left: u64,
    think_ms: Tenths,
    think: Generator,
    /// Draws the processor time of each cycle; none where every cycle takes the same.
    work: Option<Generator>,
    /// Pages touched before the guest entered the dispatch list.
    touched_before_stay: u64,
}

impl Program {
    /// The program of virtual CPU `cpu` of guest `index` of the host, a guest of `group`. The virtual CPUs divide the loop
    /// among themselves, in words of 64 pages.
    pub fn new(group: &GuestGroup, index: u64, cpu: u32, seed: u64) -> Self {
        let whole = group.loop_mb * PAGES_PER_MB;
        let (cpu, cpus) = (u64::from(cpu), u64::from(group.virtual_cpus));
        let from = |cpu: u64| if cpu == cpus { whole } else { whole / 64 * cpu / cpus * 64 };
        let loop_pages = from(cpu + 1) - from(cpu);
        let active_pages = match group.active_mb * PAGES_PER_MB / cpus {
            0 => loop_pages,
            pages => pages.min(loop_pages),
        };
        let whose = if cpu == 0 { format!("guest {index}") } else { format!("virtual CPU {cpu} of guest {index}") };
        let random = || Generator::new(seed, &format!("pages of {whose}"));
        let (cycle_pages, _) = group.cycle();
        Program {
            first_page: group.virtual_mb * PAGES_PER_MB - whole + from(cpu),
            loop_pages,
            active_pages,
            active_percent: if active_pages < loop_pages { group.active_percent.into() } else { 100 },
            position: 0,
            touched: 0,
            choice: (group.pattern != Pattern::Sequential).then(random),
            by_files: group.pattern == Pattern::Files,
            references: group.references.into(),
            cycle_pages: group.in_cycles().then_some(cycle_pages),
            cycle_left: cycle_pages,
            think_ms: group.think_ms,
            think: Generator::new(seed, &format!("thoughts of {whose}")),
            work: (group.lock_us > 0 || group.service_us > 0 || group.role != Role::Alone || group.releases() > 0)
                .then(|| Generator::new(seed, &format!("work of {whose}"))),
            touched_before_stay: 0,
        }
    }

    /// The page that is touched next.
    pub fn page(&self) -> u64 {
        self.first_page + self.position
    }

    /// How many pages follow one another, from the next one on, before the program jumps.
    pub fn run(&self) -> u64 {
        if self.at_random() { 1 } else { self.span() - self.position }
    }

    /// Pages that the program goes round in: its whole part until it has touched that once, then the active part. Files are in all of it.
    fn span(&self) -> u64 {
        if self.went_round() && !self.by_files { self.active_pages } else { self.loop_pages }
    }

    /// Up to so many pages that CP works on, for an I/O or a service: the first, and how many.
    pub fn pages_for_cp(&self, most: u64) -> (u64, u64) {
        if self.at_random() {
            let pages = most.min(self.loop_pages - self.position);
            return (self.page(), pages);
        }
        // At the start of its loop, the program has touched the end of it last.
        let end = if self.position == 0 { self.span() } else { self.position };
        let pages = most.min(end);
        (self.first_page + end - pages, pages)
    }

    /// The pages that the program has touched last, up to so many, of a program that goes in order: two ranges, each its first page and
    /// its length.
    pub fn touched_last(&self, pages: u64) -> [(u64, u64); 2] {
        let pages = pages.min(self.span());
        let before = pages.min(self.position);
        // At the start of its loop, the program has touched the end of it last.
        let at_end = pages - before;
        [(self.first_page + self.span() - at_end, at_end), (self.first_page + self.position - before, before)]
    }

    /// Whether the next page is a random one.
    pub fn at_random(&self) -> bool {
        self.choice.is_some() && !self.by_files && self.went_round()
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

    /// Whether the program has touched as many pages as its loop has.
    pub fn went_round(&self) -> bool {
        self.touched >= self.loop_pages
    }

    /// Whether the program waits for the others once it has touched its whole loop. All do, except those that only walk
    /// round.
    pub fn waits_for_fill(&self) -> bool {
        self.cycle_pages.is_some() || self.choice.is_some()
    }

    /// Pages to touch until the program waits for the others to fill; no limit if it does not wait.
    pub fn fill_left(&self) -> u64 {
        if self.waits_for_fill() { self.loop_pages.saturating_sub(self.touched) } else { u64::MAX }
    }

    /// Pages to the end of the cycle; no limit if the program never pauses.
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
        if self.by_files && self.went_round() {
            self.open_file();
        }
    }

    /// How long the program thinks, in ns, if it does.
    pub fn think_ns(&mut self) -> Option<f64> {
        (self.think_ms > Tenths::ZERO).then(|| self.think.exponential(self.think_ms.as_f64() * 1e6))
    }

    /// The guest enters the dispatch list: the count of pages starts again.
    pub fn begin_stay(&mut self) {
        self.touched_before_stay = self.touched;
    }

    /// How many different pages it has touched since then. For random pages this is the mean: of n pages, k touches miss
    /// each one with a probability of (1 - 1/n)^k, here taken as e^(-k/n).
    pub fn stay_pages(&self) -> u64 {
        let touches = (self.touched - self.touched_before_stay) as f64;
        let of = |pages: u64, touches: f64| match pages {
            0 => 0.0,
            pages => pages as f64 * (1.0 - libm::exp(-touches / pages as f64)),
        };
        if self.at_random() || self.by_files && self.went_round() {
            let active = self.active_percent as f64 / 100.0;
            (of(self.active_pages, touches * active) + of(self.loop_pages - self.active_pages, touches * (1.0 - active)))
                as u64
        } else {
            (self.touched - self.touched_before_stay).min(self.span())
        }
    }

    /// Processor time of the next cycle; `mean` is its average. Usually every cycle takes that long. For programs that meet
    /// others at a lock, of CP or of their guest, it is exponentially distributed (chosen): programs that never vary would fall into a rhythm in which
    /// they never meet.
    pub fn work(&mut self, mean: Span) -> Span {
        match &mut self.work {
            Some(work) => Span::from_ns_f64(work.exponential(mean.0 as f64)),
            None => mean,
        }
    }

    /// Goes on by `pages` pages, which must follow one another.
    pub fn advance(&mut self, pages: u64) {
        assert!(pages <= self.run(), "a program does not pass the end of its loop in one step");
        // A program that waits for a page wants that page, not another.
        if pages == 0 {
            return;
        }
        let end = self.span();
        self.touched += pages;
        self.cycle_left = self.cycle_left.saturating_sub(pages);
        self.position = (self.position + pages) % end;
        if !self.by_files
            && self.went_round()
            && let Some(choice) = &mut self.choice
        {
            self.position = drawn(choice, self.active_pages, self.loop_pages, self.active_percent);
        }
    }

    /// Pages of one cycle, of a program whose cycles may be done several as one: each takes the same time, is followed by no pause, and
    /// begins where the one before it ended.
    pub fn pages_in_series(&self) -> Option<u64> {
        self.cycle_pages.filter(|_| self.work.is_none() && !self.by_files && self.think_ms == Tenths::ZERO)
    }

    /// The cycle that has just begun is the first of `cycles` that are done as one.
    pub fn begin_series(&mut self, cycles: u64) {
        self.cycle_left = self.cycle_left.saturating_mul(cycles);
    }

    /// Of a series of cycles, each of `pages`, those after the one whose page is wanted next are not begun. Returns how many were not
    /// over, with that one.
    pub fn cut_series(&mut self, pages: u64) -> u64 {
        let not_over = self.cycle_left.div_ceil(pages);
        self.cycle_left -= (not_over - 1) * pages;
        not_over
    }

    /// Goes to the first page of a file, picked at random. A file has the pages of a cycle; what is left at the end of the loop is none.
    fn open_file(&mut self) {
        let (Some(pages), Some(choice)) = (self.cycle_pages, &mut self.choice) else { return };
        let files = |part: u64| (part / pages).max(1);
        let all = files(self.loop_pages);
        let active = files(self.active_pages).min(all);
        self.position =
            pages * drawn(choice, active, all, if active < all { self.active_percent } else { 100 }) % self.loop_pages;
    }

    /// Touches up to `limit` pages, as long as they are random ones and `touch` succeeds. Returns how many it touched.
    pub fn wander(&mut self, limit: u64, mut touch: impl FnMut(u64) -> bool) -> u64 {
        if !self.at_random() {
            return 0;
        }
        let Some(choice) = &mut self.choice else { return 0 };
        // There are millions of steps, so the loop does only what each step needs; the sums come after it.
        let (mut next, mut position, mut pages) = (choice.clone(), self.position, 0);
        let (active, all, percent) = (self.active_pages, self.loop_pages, self.active_percent);
        while pages < limit && touch(self.first_page + position) {
            position = drawn(&mut next, active, all, percent);
            pages += 1;
        }
        (*choice, self.position) = (next, position);
        self.touched += pages;
        self.cycle_left = self.cycle_left.saturating_sub(pages);
        pages
    }
}

/// A random page of `all`: one of the first `active` with a probability of `percent`, else one of the others.
fn drawn(choice: &mut Generator, active: u64, all: u64, percent: u64) -> u64 {
    // Where all touches are in the active part, nothing more is drawn.
    if percent >= 100 || choice.below(100) < percent { choice.below(active) } else { active + choice.below(all - active) }
}
