//! What a field does in a host: something, or nothing, and why. The page locks a knob that does nothing, and a published run is
//! recognised whatever such a field says.

use std::borrow::Cow;

use crate::scenario::{GuestGroup, Scenario};

/// What a field does in a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It decides how the host runs.
    Some,
    /// The host lacks the part that the field describes: a host alone has no link.
    Absent,
    /// It does nothing, and why, in a sentence.
    None(Cow<'static, str>),
}

impl Effect {
    /// The effect of a field that does something in every host.
    pub(super) fn always(_: &Scenario, _: usize) -> Effect {
        Effect::Some
    }

    /// Nothing, for this reason.
    pub(super) fn none(why: impl Into<Cow<'static, str>>) -> Effect {
        Effect::None(why.into())
    }

    /// Nothing, for this reason, if so.
    pub(super) fn none_if(so: bool, why: &'static str) -> Effect {
        if so { Effect::none(why) } else { Effect::Some }
    }

    /// This one, or if the field has an effect so far, the next.
    pub(super) fn and(self, next: impl FnOnce() -> Effect) -> Effect {
        if self == Effect::Some { next() } else { self }
    }

    /// The effect of a field of a guest group. A group that does not exist has none.
    pub(super) fn of_group(scenario: &Scenario, index: usize, effect: impl FnOnce(&GuestGroup) -> Effect) -> Effect {
        scenario.guests.get(index).map_or(Effect::Absent, effect)
    }

    /// The effect of a field that only a cluster has.
    pub(super) fn in_cluster(scenario: &Scenario, effect: impl FnOnce() -> Effect) -> Effect {
        if scenario.cluster.members > 1 { effect() } else { Effect::Absent }
    }
}
