//! The picture of page table locks.

use super::*;

/// Beneath the lists: each virtual CPU of a guest that releases pages is at one of three places, and who holds the lock alone is one.
#[test]
fn a_page_table_lock_shows_its_holder_and_its_line() {
    let (scenario, snapshot, rates) = scheduled("RELEASE");
    let ptil = snapshot.guests[0].ptil.as_ref().expect("it releases pages");
    for width in WIDTHS {
        let picture = scene(Form::Lanes, &scenario, &snapshot, &rates, Some(ResourceKind::Ptil), width);
        assert_eq!(of_kind(&picture, Kind::Ptil), 1, "the CMS users release none");
        let lock = picture.parts.iter().find(|part| part.id.0 == Kind::Ptil).expect("the lock");
        let (left, _, wide, _) = lock.place;
        let mut squares = 0;
        for mark in &lock.marks {
            if let Shape::Cells(side, _, at) = &mark.shape {
                squares += at.len();
                assert!(at.iter().all(|(x, _)| *x >= left && x + side <= left + wide), "{at:?} within {left} and {wide}");
            }
        }
        let is_free = ptil.holder.is_none() && ptil.sharing.is_empty();
        assert_eq!(squares, 12 + usize::from(is_free), "a place of its own for whoever holds it");
        let said = format!("{} virtual CPUs wait", ptil.line.len());
        assert!(ptil.line.len() < 2 || lock.state.ends_with(&said), "{}", lock.state);
        assert!(lock.limits);
    } // The widest guest stays within the narrowest picture, and its name with it.
    let mut wide = snapshot.clone();
    wide.guests[0].name = "SIXTEEN-LETTERS-1".into();
    wide.guests[0].virtual_cpus = vec![zvmlab::snapshot::GuestState::Running; 64];
    wide.guests[0].ptil =
        Some(zvmlab::snapshot::PtilSnapshot { line: (1..40).collect(), holder: Some(0), ..Default::default() });
    let picture = scene(Form::Lanes, &scenario, &wide, &rates, None, 320.0);
    let lock = picture.parts.iter().find(|part| part.id.0 == Kind::Ptil).expect("the lock");
    for mark in &lock.marks {
        if let Shape::Cells(side, _, at) = &mark.shape {
            assert!(at.iter().all(|(x, _)| x + side <= lock.place.0 + lock.place.2), "{at:?} within {:?}", lock.place);
        }
    }
}
