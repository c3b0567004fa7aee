//! Fields whose value depends on the level where a text leaves them out.

use super::fields::field;
use super::{Level, LimitHard, Mechanism, Scenario, SpinLock};

/// What a host without a mechanism has instead, where a text says nothing of it and the level lacks it.
struct LeftOut {
    mechanism: Mechanism,
    /// Whether it would make a difference. Where it would not, the field keeps the value of every other host.
    matters: fn(&Scenario) -> bool,
    without: fn(&mut Scenario),
}

/// The mechanisms that a host has unless its text says otherwise, and that not every level has.
const LEFT_OUT: [LeftOut; 4] = [
    LeftOut {
        mechanism: Mechanism::PagingAliases,
        matters: |scenario| scenario.lcu.aliases > 0,
        without: |scenario| scenario.paging.alias = false,
    },
    LeftOut {
        mechanism: Mechanism::Diag44FastPath,
        matters: |_| true,
        without: |scenario| scenario.dispatcher.diag44_fast_path = false,
    },
    LeftOut {
        mechanism: Mechanism::LimitHardConsumption,
        matters: Scenario::has_hard_limits,
        without: |scenario| scenario.scheduler.limithard = LimitHard::Deadline,
    },
    LeftOut {
        mechanism: Mechanism::SpinLockDiag9c,
        matters: |scenario| scenario.processors.shared,
        without: |scenario| scenario.dispatcher.spin_lock = SpinLock::Diag44,
    },
];

impl Scenario {
    /// Takes out each mechanism that its level lacks and whose field the text does not state: only a text that asks for it is wrong.
    pub(super) fn leave_to_level(&mut self, says: impl Fn(&str) -> bool) {
        for LeftOut { mechanism, matters, without } in LEFT_OUT {
            if self.level.lacks(mechanism) && !says(mechanism.field()) && matters(self) {
                without(self);
            }
        }
    }

    /// Of the fields whose value depends on the level where a text leaves them out, those that have that value. On another level
    /// they have that level's, as nobody chose it.
    pub fn left_to_level(&self) -> impl Iterator<Item = &'static str> {
        let plain = Scenario::default();
        LEFT_OUT.into_iter().map(|one| one.mechanism.field()).filter(move |path| {
            let mut unsaid = self.clone();
            field(path).into_iter().for_each(|field| field.copy(&mut unsaid, 0, &plain));
            unsaid.leave_to_level(|other| other != *path);
            unsaid == *self
        })
    }

    /// The same host on another level: what was left to its level is left to the other.
    pub fn at_level(&self, level: Level) -> Scenario {
        let (plain, left) = (Scenario::default(), self.left_to_level().collect::<Vec<_>>());
        let mut other = Scenario { level, ..self.clone() };
        left.iter().filter_map(|path| field(path)).for_each(|field| field.copy(&mut other, 0, &plain));
        other.leave_to_level(|path| !left.contains(&path));
        other
    }
}
