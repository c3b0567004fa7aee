//! Which figures say something of a host, and which it has for form's sake only.

use zvmlab::Figure;
use zvmlab::scenario::{GuestGroup, LimitType, Scenario};

/// Whether processors are a subject of this host: some program takes processor time of its own, beside touching pages.
pub fn computes(scenario: &Scenario) -> bool {
    scenario.processors.shared
        || scenario.guests.iter().any(|group| group.cpu_us > 0 || group.service_us > 0 || group.lock_us > 0)
}

/// Whether some guest has a maximum share.
pub fn limited(scenario: &Scenario) -> bool {
    scenario.guests.iter().any(|group| group.limit_type != LimitType::NoLimit)
}

/// Whether a figure says something of this host: one that pages or does I/O only has its figures of those.
pub fn matters(figure: Figure, value: f64, scenario: &Scenario) -> bool {
    let any = |takes: fn(&GuestGroup) -> bool| scenario.guests.iter().any(takes);
    let eligible = computes(scenario) && scenario.level.keeps_eligible();
    match figure {
        Figure::GuestTimePerTransaction
        | Figure::CpTimePerTransaction
        | Figure::TotalTimePerTransaction
        | Figure::Utilization
        | Figure::ResponseTime
        | Figure::Running
        | Figure::ReadyWait
        | Figure::SimulationWait
        | Figure::IdleTime
        | Figure::DispatchGuests => computes(scenario),
        Figure::EligibleWait | Figure::EligibleGuests | Figure::EligibleStay | Figure::ClaimedStorage => {
            eligible || value > 0.0 && figure != Figure::ClaimedStorage
        }
        Figure::LimitWait => limited(scenario),
        Figure::ForgottenWork => computes(scenario) && value > 0.0,
        Figure::Diag44Normal | Figure::Diag44Fast | Figure::Diag44Total | Figure::GuestSpin => {
            any(|group| group.lock_us > 0)
        }
        Figure::CpSpin | Figure::CpDiag44 | Figure::CpDiag9c => any(|group| group.service_us > 0),
        Figure::PrsmOverhead | Figure::PrsmOverheadAll | Figure::Suspended => scenario.processors.shared,
        Figure::Group1Cpu | Figure::Group2Cpu | Figure::Group3Cpu | Figure::Group4Cpu => {
            computes(scenario) && scenario.guests.len() > 1
        }
        // Busy for each transaction of the paging tables, and paging and I/O that there are none of.
        Figure::ChargeableCpPerTransaction | Figure::NonchargeableCpPerTransaction => !computes(scenario),
        Figure::Etr | Figure::TotalBusy | Figure::GuestBusy | Figure::ChargeableCpBusy | Figure::NonchargeableCpBusy => true,
        figure if is_of_relocations(figure) => scenario.relocates(),
        Figure::HitPercent => !computes(scenario) || value < 100.0,
        _ => !computes(scenario) || value > 0.0,
    }
}

/// Whether a figure is one of relocations, which hosts that relocate nobody have none of.
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
