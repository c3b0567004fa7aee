//! Which figures say something about a host, and which it has only as a matter of form.

use zvmlab::Figure;
use zvmlab::scenario::{GuestGroup, LimitType, Mechanism, Scenario};
use zvmlab_lab::words::in_a_line::computes;

/// Whether some guest has a maximum share.
pub fn limited(scenario: &Scenario) -> bool {
    scenario.guests.iter().any(|group| group.limit_type != LimitType::NoLimit)
}

/// Whether a figure says something about this host. A host that only pages or does I/O has only the figures of those.
pub fn matters(figure: Figure, value: f64, scenario: &Scenario) -> bool {
    let any = |takes: fn(&GuestGroup) -> bool| scenario.guests.iter().any(takes);
    let eligible = computes(scenario) && scenario.has(Mechanism::EligibleList);
    match figure {
        Figure::GuestTimePerTransaction
        | Figure::CpTimePerTransaction
        | Figure::TotalTimePerTransaction
        | Figure::Utilization
        | Figure::ResponseTime
        | Figure::Running
        | Figure::ReadyWait
        | Figure::Steal
        | Figure::SimulationWait
        | Figure::IdleTime
        | Figure::DispatchGuests => computes(scenario),
        Figure::EligibleWait | Figure::EligibleGuests | Figure::EligibleStay | Figure::ClaimedStorage => {
            eligible || value > 0.0 && figure != Figure::ClaimedStorage
        }
        Figure::LimitWait => limited(scenario),
        Figure::ConsoleWait | Figure::ReorderTime | Figure::Reorders | Figure::ReorderBusy => value > 0.0,
        Figure::ContiguousFailed | Figure::ContiguousBlocks | Figure::LongestRun | Figure::CoalesceBusy => {
            scenario.storage.contiguous_rate > 0
        }
        Figure::ReleaseRate | Figure::PtilWait | Figure::PtilHeld => any(|group| group.releases() > 0),
        Figure::ForgottenWork => computes(scenario) && value > 0.0,
        Figure::GuestDiag9c => any(|group| group.lock_us > 0) && value > 0.0,
        Figure::Diag44Normal | Figure::Diag44Fast | Figure::Diag44Total | Figure::GuestSpin => {
            any(|group| group.lock_us > 0)
        }
        Figure::CpSpin | Figure::CpDiag44 | Figure::CpDiag9c => any(|group| group.service_us > 0),
        Figure::PrsmOverhead | Figure::PrsmOverheadAll | Figure::Suspended => scenario.processors.shared,
        Figure::Capped => scenario.processors.shared && scenario.prsm.cap_thousandths().is_some(),
        Figure::Group1Cpu | Figure::Group2Cpu | Figure::Group3Cpu | Figure::Group4Cpu => {
            computes(scenario) && scenario.guests.len() > 1
        }
        // Busy for each transaction of the paging tables, and paging and I/O that the host does not have.
        Figure::ChargeableCpPerTransaction | Figure::NonchargeableCpPerTransaction => !computes(scenario),
        Figure::Etr
        | Figure::Itr
        | Figure::TotalBusy
        | Figure::GuestBusy
        | Figure::ChargeableCpBusy
        | Figure::NonchargeableCpBusy => true,
        figure if is_of_relocations(figure) => scenario.relocates(),
        Figure::HitPercent => !computes(scenario) || value < 100.0,
        _ => !computes(scenario) || value > 0.0,
    }
}

/// Whether a figure is one of relocations. A host that relocates no guest has none of these.
fn is_of_relocations(figure: Figure) -> bool {
    matches!(
        figure,
        Figure::QuiesceTime
            | Figure::QuiesceTimeWorst
            | Figure::RelocationTime
            | Figure::RelocationTotal
            | Figure::RelocationsCompleted
            | Figure::RelocationsEnded
            | Figure::MemoryPasses
            | Figure::MemoryMoved
            | Figure::FirstPass
            | Figure::LinkBusy
            | Figure::LinkRate
            | Figure::ThrottledPaging
            | Figure::ThrottledMemory
            | Figure::ThrottledLink
            | Figure::StoppedTime
    )
}
