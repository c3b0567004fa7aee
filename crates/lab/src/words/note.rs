//! What a figure means where its value alone would puzzle.

use zvmlab::{Figure, Snapshot};

/// The words beside the value of `figure` in a run that ended so, if it needs some.
pub fn note(figure: Figure, value: Option<f64>, at: &Snapshot) -> Option<&'static str> {
    let volumes = match figure {
        Figure::VolumeBusy => &at.paging.volumes,
        Figure::MdiskVolumeBusy => &at.minidisks.volumes,
        _ => return None,
    };
    let disks = volumes.iter().all(|volume| volume.kind.is_eckd());
    (value? > 100.0).then_some(match disks {
        true => "over 100: a volume and its aliases carry several I/Os at once",
        false => "over 100: an EDEV carries several I/Os at once",
    })
}

#[cfg(test)]
mod tests {
    use zvmlab::scenario::DeviceKind;
    use zvmlab::snapshot::VolumeSnapshot;

    use super::*;

    #[test]
    fn a_volume_that_is_busy_for_more_than_all_the_time_says_why() {
        let mut at = Snapshot { ..Snapshot::default() };
        at.paging.volumes = vec![VolumeSnapshot { kind: DeviceKind::EckdSsd, ..VolumeSnapshot::default() }];
        let of = |value: f64, at: &Snapshot| note(Figure::VolumeBusy, Some(value), at);
        assert!(of(190.8, &at).is_some_and(|said| said.contains("aliases")));
        assert_eq!(of(86.0, &at), None);
        assert_eq!(note(Figure::TotalBusy, Some(190.8), &at), None, "its unit says it");
        at.paging.volumes[0].kind = DeviceKind::EdevSvc;
        assert!(of(190.8, &at).is_some_and(|said| said.contains("EDEV")));
    }
}
