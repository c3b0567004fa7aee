//! Remarks on a result that its figures do not show: why guests wait, and a known difference of the model.

use zvmlab::Figure;

use super::scheduler::words::who_waits;
use crate::evidence::Settled;
use crate::published;
use crate::subjects::Remark;
use crate::words::number::difference;

/// The sentences of a remark; `None` if there is nothing to remark.
pub fn said(remark: Remark, settled: &Settled, before: Option<&Settled>) -> Option<String> {
    match remark {
        Remark::WhoWaits if settled.snapshot.guests.is_empty() => None,
        Remark::WhoWaits => Some(who_waits(&settled.snapshot, settled.measurement.get(Figure::EligibleGuests))),
        Remark::FastPath => has_other_path(settled, before).then(published_cp_time).flatten(),
    }
}

/// Whether guests take locks, and the baseline used the other path of Diag X'44'.
fn has_other_path(settled: &Settled, before: Option<&Settled>) -> bool {
    let path = |settled: &Settled| settled.scenario.dispatcher.diag44_fast_path;
    let locks = settled.scenario.guests.iter().any(|group| group.lock_us > 0);
    locks && before.is_some_and(|before| path(before) != path(settled))
}

/// How IBM's measurement of CP time changed with the fast path, and what else changed with it.
fn published_cp_time() -> Option<String> {
    let runs = published::runs();
    let cp_time = |id: &str| runs.iter().find(|run| run.id == id).and_then(|run| run.value(Figure::CpTimePerTransaction));
    let change = difference(cp_time("APS9220")?, cp_time("APT9280")?)?;
    Some(format!(
        "IBM measured {change} in CP CPU for each transaction from z/VM 5.1 to 5.2 (APS9220, APT9280). The fast path saves CP’s time, and other changes of 5.2 took it again. The model has one number for those, from another workload (PACE)."
    ))
}

#[cfg(test)]
mod tests {
    use super::super::compared::tests::settled;
    use super::*;

    #[test]
    fn the_fast_path_is_remarked_where_it_came_or_went_between_two_results() {
        let (mut now, before) = ((*settled(|_| ())).clone(), settled(|_| ()));
        now.scenario.dispatcher.diag44_fast_path = !before.scenario.dispatcher.diag44_fast_path;
        let remark = |now: &Settled| said(Remark::FastPath, now, Some(&before));
        assert_eq!(remark(&now), None, "no guest has a lock");
        now.scenario.guests[0].lock_us = 1;
        let told = remark(&now).unwrap_or_default();
        assert!(told.starts_with("IBM measured ") && told.contains("(APS9220, APT9280)"), "{told}");
        assert_eq!(said(Remark::FastPath, &now, None), None, "there is no other path to see");
        assert_eq!(remark(&before), None, "both took the same path");
    }

    #[test]
    fn who_waits_is_said_of_guests_that_are_there() {
        let mut now = (*settled(|_| ())).clone();
        assert_eq!(
            said(Remark::WhoWaits, &now, None),
            Some(who_waits(&now.snapshot, now.measurement.get(Figure::EligibleGuests)))
        );
        now.snapshot.guests.clear();
        assert_eq!(said(Remark::WhoWaits, &now, None), None);
    }
}
