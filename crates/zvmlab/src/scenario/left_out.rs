//! Fields whose value depends on the level where a text leaves them out.

use super::fields::{field, path};
use super::{Level, LimitHard, Mechanism, Own, Scenario, SpinLock};

/// A field with what it has on some levels where a text leaves it out. On the others it has its default.
struct LeftOut {
    field: &'static str,
    /// Whether this host is on such a level, and the field makes a difference to it.
    differs: fn(&Scenario) -> bool,
    instead: fn(&mut Scenario),
}

/// What SET SRM STORBUF INITIAL sets before 6.2, and mechanisms that not every level has.
const LEFT_OUT: [LeftOut; 7] = [
    LeftOut {
        field: path::SCHEDULER_STORBUF_1,
        differs: has_old_barriers,
        instead: |scenario| [scenario.scheduler.storbuf_1, ..] = scenario.level.storbuf_initial(),
    },
    LeftOut {
        field: path::SCHEDULER_STORBUF_2,
        differs: has_old_barriers,
        instead: |scenario| [_, scenario.scheduler.storbuf_2, _] = scenario.level.storbuf_initial(),
    },
    LeftOut {
        field: path::SCHEDULER_STORBUF_3,
        differs: has_old_barriers,
        instead: |scenario| [.., scenario.scheduler.storbuf_3] = scenario.level.storbuf_initial(),
    },
    LeftOut {
        field: path::PAGING_ALIAS,
        differs: |scenario| scenario.level.lacks(Mechanism::PagingAliases) && scenario.lcu.aliases > 0,
        instead: |scenario| scenario.paging.alias = false,
    },
    LeftOut {
        field: path::DISPATCHER_DIAG44_FAST_PATH,
        differs: |scenario| scenario.level.lacks(Mechanism::Diag44FastPath),
        instead: |scenario| scenario.dispatcher.diag44_fast_path = false,
    },
    LeftOut {
        field: path::SCHEDULER_LIMITHARD,
        differs: |scenario| scenario.level.lacks(Mechanism::LimitHardConsumption) && scenario.has_hard_limits(),
        instead: |scenario| scenario.scheduler.limithard = LimitHard::Deadline,
    },
    LeftOut {
        field: path::DISPATCHER_SPIN_LOCK,
        differs: |scenario| scenario.level.lacks(Mechanism::SpinLockDiag9c) && scenario.processors.shared,
        instead: |scenario| scenario.dispatcher.spin_lock = SpinLock::Diag44,
    },
];

fn has_old_barriers(scenario: &Scenario) -> bool {
    scenario.level.storbuf_initial() != Level::default().storbuf_initial()
}

impl Scenario {
    /// The default scenario on this level: what a text gives that states nothing else.
    pub fn plain(level: Level) -> Scenario {
        let mut plain = Scenario { level, ..Scenario::default() };
        plain.leave_to_level(|_| false);
        plain
    }

    /// Gives each field that the text does not state what its level has. What the level lacks is taken out so: only a text that asks for
    /// it is wrong.
    pub(super) fn leave_to_level(&mut self, says: impl Fn(&str) -> bool) {
        for LeftOut { field, differs, instead } in LEFT_OUT {
            if !says(field) && differs(self) {
                instead(self);
            }
        }
    }

    /// Of the fields whose value depends on the level where a text leaves them out, those that have that value. On another level
    /// they have that level's, as nobody chose it.
    pub fn left_to_level(&self) -> impl Iterator<Item = &'static str> {
        let plain = Scenario::default();
        LEFT_OUT.into_iter().map(|one| one.field).filter(move |path| {
            let mut unsaid = self.clone();
            field(path).into_iter().for_each(|field| field.copy(&mut unsaid, 0, &plain));
            unsaid.leave_to_level(|other| other != *path);
            unsaid == *self
        })
    }

    /// This host, which was `before` until somebody changed some of its fields: what was left to the level then, and is not among the
    /// `changed` fields, is left to the level now. None of it comes along to level "own", whose mechanisms are switched one by one. What
    /// comes from there was left to the level whose mechanisms it has, if it has those of one.
    pub fn left_as(&self, before: &Scenario, changed: impl Fn(&str) -> bool) -> Scenario {
        let mut now = self.clone();
        if self.level == Level::Own {
            return now;
        }
        let levels: Vec<Level> = match before.level {
            Level::Own => Level::ALL.into_iter().filter(|level| Own::of(*level) == Some(before.own)).collect(),
            level => vec![level],
        };
        let on = |level| Scenario { level, ..before.clone() };
        let left = |level| on(level).left_to_level().filter(|path| !changed(path)).collect::<Vec<_>>();
        let left: Vec<&str> = levels.into_iter().flat_map(left).collect();
        let plain = Scenario::default();
        left.iter().filter_map(|path| field(path)).for_each(|field| field.copy(&mut now, 0, &plain));
        now.leave_to_level(|path| !left.contains(&path));
        now
    }
}
