//! The subjects of the laboratory: what one can look into, and where each begins. Knows no browser.

use zvmlab::Scenario;
use zvmlab::constants::Constants;
use zvmlab::scenario::PAGES_PER_MB;

/// One subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// What its button says.
    pub title: &'static str,
    /// Whether it is about what the volumes are.
    pub kinds: bool,
}

/// Every subject, in the order of their buttons.
pub const SUBJECTS: [Subject; 4] = [
    Subject { title: "Paging", kinds: false },
    Subject { title: "SET CU", kinds: false },
    Subject { title: "Guest zHPF", kinds: false },
    Subject { title: "Kinds of device", kinds: true },
];

impl Subject {
    /// The subject of a scenario that began as the published run `run`.
    pub fn of(scenario: &Scenario, run: Option<&str>) -> &'static Subject {
        let [paging, set_cu, guest_zhpf, _] = &SUBJECTS;
        let _ = run;
        match (scenario.does_io(), pages(scenario)) {
            (false, _) => paging,
            (true, true) => set_cu,
            (true, false) => guest_zhpf,
        }
    }
}

/// Storage that the guests touch, all together.
pub fn looped_mb(scenario: &Scenario) -> u64 {
    scenario.guests.iter().map(|group| u64::from(group.count) * group.loop_mb).sum()
}

/// Whether the guests touch more than there are frames for them, so that the host pages.
pub fn pages(scenario: &Scenario) -> bool {
    looped_mb(scenario) * PAGES_PER_MB > scenario.guest_frames(&Constants::default())
}
