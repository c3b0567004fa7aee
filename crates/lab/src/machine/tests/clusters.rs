//! The picture of a cluster: each member, guest, relocation, link, chpid and message is in it exactly once, in every form.

use std::collections::BTreeSet;

use zvmlab::kernel::time::{Instant, Span};
use zvmlab::scenario::Relocate;
use zvmlab::scenario::examples::example;
use zvmlab::snapshot::ClusterSnapshot;

use super::*;

/// An example with a part of its storage, so that it is over within moments.
pub(super) fn scaled(id: &str, part: u64) -> Scenario {
    let mut scenario = Scenario::parse(example(id).expect("an example").text).expect("valid");
    let less = |mb: &mut u64| *mb = (*mb / part).max(if *mb == 0 { 0 } else { 1 });
    for group in &mut scenario.guests {
        [&mut group.virtual_mb, &mut group.loop_mb, &mut group.active_mb].into_iter().for_each(less);
    }
    scenario
}

/// The picture of the time after `before`, at every width.
fn look(scenario: &Scenario, before: &Snapshot, now: &Snapshot) {
    for width in WIDTHS {
        for rates in [Rates::default(), Rates::between(before, now)] {
            check_cluster(now, &scene(Form::Members, scenario, now, &rates, None, width));
        }
    }
}

pub(super) fn check_cluster(snapshot: &Snapshot, scene: &Scene) {
    let cluster = snapshot.cluster.as_deref().expect("a cluster");
    let members = cluster.members.len();
    assert_eq!(of_kind(scene, Kind::Member), members);
    let guests: BTreeSet<usize> = scene.parts.iter().filter(|part| part.id.0 == Kind::Guest).map(|part| part.id.1).collect();
    assert_eq!(guests, (0..snapshot.guests.len()).collect(), "each guest");
    assert_eq!(of_kind(scene, Kind::Guest), snapshot.guests.len(), "each guest once");
    assert_eq!(of_kind(scene, Kind::Relocation), cluster.relocations.len());
    let pairs = members * (members - 1) / 2;
    assert_eq!((of_kind(scene, Kind::Link), of_kind(scene, Kind::Buffers)), (pairs, pairs));
    assert_eq!(of_kind(scene, Kind::Chpid), pairs * cluster.links[0].chpids.len());
    check_texts(scene);
    let messages: BTreeSet<u64> = under_way(cluster).collect();
    let dots: BTreeSet<u64> = scene.dots.iter().map(|dot| dot.number).collect();
    assert_eq!((dots, scene.dots.len()), (messages, under_way(cluster).count()), "each message is a dot");
    let ids: BTreeSet<_> = scene.parts.iter().map(|part| part.id).collect();
    assert_eq!(ids.len(), scene.parts.len(), "each part once");
    for part in &scene.parts {
        let (x, y, w, h) = part.place;
        let inside = x >= 0.0 && y >= 0.0 && x + w <= scene.width + 0.5 && y + h <= scene.height + 0.5;
        assert!(inside && w > 0.0 && h > 0.0, "{} of {} × {}: {:?}", part.name, scene.width, scene.height, part.place);
        assert!(!part.name.is_empty() && !part.state.is_empty(), "{part:?}");
        part.marks.iter().for_each(|mark| is_inside(scene, mark));
    }
    scene.ground.iter().for_each(|mark| is_inside(scene, mark));
    for dot in &scene.dots {
        for now in [snapshot.now_ns, snapshot.now_ns + 100_000, u64::MAX / 2] {
            let (x, y) = dot.course.at(now as f64);
            assert!((0.0..=scene.width).contains(&x) && (0.0..=scene.height).contains(&y), "{dot:?} at {x}, {y}");
        }
    }
}

fn under_way(cluster: &ClusterSnapshot) -> impl Iterator<Item = u64> {
    cluster.links.iter().flat_map(|link| &link.messages).map(|message| message.number)
}

fn is_inside(scene: &Scene, mark: &Mark) {
    let within = |x: f64, y: f64| x >= -0.5 && x <= scene.width + 0.5 && y >= -0.5 && y <= scene.height + 0.5;
    let is = match &mark.shape {
        Shape::Box(x, y, w, h, _) | Shape::Drum(x, y, w, h) => {
            *w >= 0.0 && *h >= 0.0 && within(*x, *y) && within(x + w, y + h)
        }
        Shape::Cells(w, h, corners) => corners.iter().all(|(x, y)| within(*x, *y) && within(x + w, y + h)),
        Shape::Slices(y, h, pieces) => pieces.iter().all(|(x, w)| within(*x, *y) && within(x + w, y + h)),
        Shape::Line(points) => points.iter().all(|(x, y)| within(*x, *y)),
        Shape::Text((x, y), ..) => within(*x, *y),
    };
    assert!(is, "{mark:?} of {} × {}", scene.width, scene.height);
}

/// Goes on in steps of time, and looks each time. Returns the stages of relocations that were met.
fn follow(scenario: &Scenario, steps: u32, step: Span) -> BTreeSet<zvmlab::snapshot::RelocationStage> {
    let mut simulation = filled(scenario);
    let mut before = simulation.snapshot();
    let mut met = BTreeSet::new();
    for _ in 0..steps {
        simulation.run_until(simulation.now() + step);
        let now = simulation.snapshot();
        look(scenario, &before, &now);
        met.extend(now.cluster.iter().flat_map(|cluster| &cluster.relocations).map(|one| one.stage));
        before = now;
    }
    met
}

#[test]
fn each_thing_of_a_cluster_is_drawn_once_at_every_step() {
    let scenario = scaled("MOVE", 256);
    let mut simulation = filled(&scenario);
    simulation.run_until(simulation.now() + Span::from_secs(3));
    let before = simulation.snapshot();
    let mut carried = 0;
    for _ in 0..1_000 {
        simulation.step();
        let now = simulation.snapshot();
        let picture =
            scene(Form::Members, &scenario, &now, &Rates::between(&before, &now), None, WIDTHS[carried % WIDTHS.len()]);
        check_cluster(&now, &picture);
        carried += usize::from(!picture.dots.is_empty());
    }
    assert!(carried > 100, "messages were under way {carried} times");
}

#[test]
fn every_cluster_fits_into_the_picture_from_begin_to_end() {
    use zvmlab::snapshot::RelocationStage::{Ended, Moving, Waiting};
    for (id, part) in [("MOVE", 64), ("TWENTY-FIVE", 64), ("EVACUATION", 64)] {
        let met = follow(&scaled(id, part), 60, Span::from_millis(400));
        assert!([Waiting, Moving, Ended].iter().all(|stage| met.contains(stage)), "{id}: {met:?}");
    }
    follow(&scaled("CLUSTER", 16), 40, Span::from_secs(2));
    assert!(follow(&scaled("BOUNCE", 16), 60, Span::from_secs(2)).contains(&Ended));
    let mut at_once = scaled("TWENTY-FIVE", 64);
    at_once.relocation.mode = Relocate::Asynch;
    assert!(follow(&at_once, 30, Span::from_millis(400)).contains(&Ended));
}

#[test]
fn full_clusters_fit_too() {
    for id in ["MOVE", "EVACUATION"] {
        let scenario = scaled(id, 1);
        let mut simulation = Simulation::new(&scenario, 1).expect("valid");
        let before = simulation.snapshot();
        look(&scenario, &before, &before);
        simulation.run_until(Instant::ZERO + Span::from_secs(1));
        look(&scenario, &before, &simulation.snapshot());
    }
}

#[test]
fn many_relocations_are_all_there() {
    let mut scenario = scaled("TWENTY-FIVE", 512);
    scenario.guests[0].count = 120;
    let mut simulation = filled(&scenario);
    let before = simulation.snapshot();
    simulation.run_until(simulation.now() + Span::from_secs(20));
    look(&scenario, &before, &simulation.snapshot());
    (scenario.isfc.buffers, scenario.isfc.ctcs1) = (4_096, 12);
    let snapshot = Simulation::new(&scenario, 1).expect("valid").snapshot();
    look(&scenario, &snapshot, &snapshot);
}

#[test]
fn keys_reach_every_part_of_a_cluster() {
    use walk::{Way, next};
    for id in ["MOVE", "TWENTY-FIVE", "EVACUATION", "CLUSTER", "BOUNCE"] {
        let scenario = scaled(id, 64);
        let mut simulation = filled(&scenario);
        simulation.run_until(simulation.now() + Span::from_secs(8));
        let snapshot = simulation.snapshot();
        for width in WIDTHS {
            let picture = scene(Form::Members, &scenario, &snapshot, &Rates::default(), None, width);
            let mut reached = BTreeSet::from([picture.parts[0].id]);
            let mut open: Vec<(Kind, usize)> = reached.iter().copied().collect();
            while let Some(at) = open.pop() {
                for way in [Way::Left, Way::Right, Way::Up, Way::Down] {
                    open.extend(next(&picture, at, way).filter(|next| reached.insert(*next)));
                }
            }
            let missed = picture.parts.iter().filter(|part| !reached.contains(&part.id)).map(|part| &part.name);
            assert_eq!(missed.collect::<Vec<_>>(), Vec::<&String>::new(), "{id} at {width}");
        }
    }
}

#[test]
fn the_picture_of_a_cluster_keeps_its_height() {
    for (id, part) in [("MOVE", 64), ("TWENTY-FIVE", 64), ("EVACUATION", 64), ("CLUSTER", 16)] {
        let scenario = scaled(id, part);
        let mut simulation = filled(&scenario);
        let mut heights = [const { BTreeSet::new() }; WIDTHS.len()];
        for _ in 0..12 {
            simulation.run_until(simulation.now() + Span::from_secs(2));
            let snapshot = simulation.snapshot();
            for (seen, width) in heights.iter_mut().zip(WIDTHS) {
                let height = scene(Form::Members, &scenario, &snapshot, &Rates::default(), None, width).height;
                seen.insert(height as u64);
            }
        }
        assert!(heights.iter().all(|seen| seen.len() == 1), "{id}: nothing moves when it runs: {heights:?}");
    }
}

#[test]
fn a_message_goes_from_the_source_to_the_destination() {
    let scenario = scaled("MOVE", 64);
    let mut simulation = filled(&scenario);
    simulation.run_until(simulation.now() + Span::from_secs(3));
    let mut met = 0;
    for _ in 0..400 {
        simulation.step();
        let snapshot = simulation.snapshot();
        let picture = scene(Form::Members, &scenario, &snapshot, &Rates::default(), None, 900.0);
        for dot in &picture.dots {
            let DotKind::Message { stage: zvmlab::snapshot::MessageStage::Transfer, .. } = dot.subject else { continue };
            let (now, end) = (dot.course.at(snapshot.now_ns as f64), dot.course.at(u64::MAX as f64));
            assert!(now.0 <= end.0 && now.1 == end.1, "it goes to the right along its CTC: {dot:?}");
            met += 1;
        }
    }
    assert!(met > 10, "{met}");
}

#[test]
fn a_cluster_fits_into_a_place_and_onto_a_phone() {
    for id in ["MOVE", "TWENTY-FIVE", "EVACUATION", "CLUSTER", "BOUNCE", "CONSTRAINED"] {
        let scenario = scaled(id, 64);
        let mut simulation = filled(&scenario);
        simulation.run_until(simulation.now() + Span::from_secs(8));
        let snapshot = simulation.snapshot();
        let view =
            View { form: Form::Members, scenario: &scenario, snapshot: &snapshot, rates: &Rates::default(), limits: None };
        for place in PLACES {
            let fit = view.fit(place);
            let picture = view.fitted(place, fit);
            check_cluster(&snapshot, &picture);
            let high = picture.height * fit.scale;
            let is_high_enough = place.1 > 300.0 || ["MOVE", "TWENTY-FIVE"].contains(&id) && place.1 > 200.0;
            assert!(!is_high_enough || high <= place.1 + 1.0, "{id}: {high} in {place:?}, {fit:?}");
        }
    }
    let scenario = scaled("TWENTY-FIVE", 64);
    let snapshot = filled(&scenario).snapshot();
    let phone = scene(Form::Members, &scenario, &snapshot, &Rates::default(), None, 361.0);
    assert!(phone.height < 520.0, "{}", phone.height);
}

/// Of the parts that show a resource of a cluster, those at the end that limits glow, and links that carry nothing do not.
#[test]
fn only_what_limits_glows_in_a_cluster() {
    let scenario = scaled("EVACUATION", 64);
    let mut simulation = filled(&scenario);
    simulation.run_until(simulation.now() + Span::from_millis(2_500));
    let before = simulation.snapshot();
    simulation.run_until(simulation.now() + Span::from_secs(1));
    let now = simulation.snapshot();
    let seen = now.cluster.as_ref().expect("a cluster");
    let glows = |limit: ResourceKind, rates: &Rates| -> BTreeSet<usize> {
        let picture = scene(Form::Members, &scenario, &now, rates, Some(limit), 900.0);
        picture.parts.iter().filter(|part| part.limits).map(|part| part.id.1).collect()
    };
    let members = |end: fn(&zvmlab::snapshot::RelocationSnapshot) -> u32| -> BTreeSet<usize> {
        seen.relocations.iter().map(|one| end(one) as usize).collect()
    };
    assert_eq!(glows(ResourceKind::Source, &Rates::default()), members(|one| one.from));
    assert_eq!(glows(ResourceKind::Endpoint, &Rates::default()), members(|one| one.to));
    let mut short = now.clone();
    let relocations = &mut short.cluster.as_mut().expect("a cluster").relocations;
    relocations.iter_mut().filter(|one| one.to == 1).for_each(|one| one.frame_wait_ns = 1_000_000);
    let picture = scene(Form::Members, &scenario, &short, &Rates::default(), Some(ResourceKind::Endpoint), 900.0);
    let lit: BTreeSet<usize> = picture.parts.iter().filter(|part| part.limits).map(|part| part.id.1).collect();
    assert_eq!(lit, BTreeSet::from([1]), "pages wait at the second member alone");
    let mut rates = Rates::between(&before, &now);
    let (all, chpids) = (seen.links.iter().filter(|link| link.from < link.to).count(), rates.chpids.len());
    assert!(all > 1 && chpids >= all, "{all} links, {chpids} directions");
    // One direction of one link works alone.
    for (link, busy) in seen.links.iter().zip(&mut rates.chpids) {
        busy.iter_mut().for_each(|busy| *busy = if (link.from, link.to) == (0, 1) { 0.9 } else { 0.1 });
    }
    let lit = glows(ResourceKind::Link, &rates);
    assert!(!lit.is_empty() && lit.iter().all(|index| index / 4 == 0), "{lit:?}");
}

#[test]
fn what_guests_share_stands_below_the_members_where_there_are_aliases() {
    let whole = scaled("WHOLE", 1);
    let mut simulation = Simulation::new(&whole, 1).expect("valid");
    simulation.run_until(Instant(6_000_000_000));
    let before = simulation.snapshot();
    simulation.run_until(Instant(6_200_000_000));
    let now = simulation.snapshot();
    look(&whole, &before, &now);
    let rates = Rates::between(&before, &now);
    let of = |scenario: &Scenario, now: &Snapshot| {
        let picture = scene(Form::Members, scenario, now, &rates, None, WIDTHS[0]);
        [Kind::Barrier, Kind::Aliases, Kind::Volume].map(|kind| of_kind(&picture, kind))
    };
    assert_eq!(of(&whole, &now), [1, 1, whole.paging.volumes as usize]);
    let picture = scene(Form::Members, &whole, &now, &rates, None, WIDTHS[0]);
    let aliases = picture.parts.iter().find(|part| part.id.0 == Kind::Aliases).expect("the aliases");
    let held: u32 = aliases
        .state
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|word| word.parse::<u32>().ok())
        .step_by(2)
        .take(2)
        .sum();
    assert_eq!(held, now.lcu.aliases_in_use, "{}", aliases.state);
    let (plain, now) = (scaled("MOVE", 256), filled(&scaled("MOVE", 256)).snapshot());
    assert_eq!(of(&plain, &now), [0, 0, 0]);
}
